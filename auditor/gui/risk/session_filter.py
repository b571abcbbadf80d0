"""Which flagged sessions a table shows, dismissed or not, and in which order; no Qt.

Runs in a worker thread. Filtering and sorting m sessions costs O(m log m) on arrays; a text
search reads each distinct query of the sessions once, in the order in which they are shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from auditor.arrays import Array, Bools, Int32s, Int64s, expand_ranges
from auditor.attacks.base import AttackResult, FlaggedFindings
from auditor.fuzzy_search import fold_text
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.model import QueryLog, Vocabulary
from auditor.log.text import tokenize_strings
from auditor.progress import Progress
from auditor.project.model import REASONS, SessionNote

Rows = tuple[int, int]


def put_away(findings: FlaggedFindings, dismissed: Iterable[Rows]) -> Bools:
    """Which of the findings' sessions were dismissed; shape (m,); O(m + notes)."""
    pairs = set(dismissed)
    starts = np.array([start for start, _ in pairs], dtype=np.int64)
    hits: Bools = np.isin(findings.start, starts)
    for place in np.flatnonzero(hits):
        hits[place] = (int(findings.start[place]), int(findings.stop[place])) in pairs
    return hits


def people_away(
    people: FlaggedFindings, sessions: FlaggedFindings | None, dismissed: Iterable[Rows]
) -> Bools:
    """Of which people all flagged sessions were dismissed, or all that they issued; (people,).

    Without `sessions`, the first are sessions themselves.
    """
    if sessions is None:
        return put_away(people, dismissed)
    order = np.argsort(sessions.start)
    start, is_dismissed = sessions.start[order], put_away(sessions, dismissed)[order]
    before = np.concatenate(([0], np.cumsum(~is_dismissed)))
    first, last = (np.searchsorted(start, edge) for edge in (people.start, people.stop))
    gone: Bools = (last > first) & (before[last] == before[first])
    return gone | put_away(people, dismissed)


def sessions_of(sessions: FlaggedFindings, start: int, stop: int) -> list[Rows]:
    """The flagged sessions within these rows of the log, by row."""
    numbers = np.flatnonzero((sessions.start >= start) & (sessions.start < stop))
    pairs = zip(sessions.start[numbers].tolist(), sessions.stop[numbers].tolist(), strict=True)
    return sorted(pairs)


def dismissed_rows(notes: Iterable[SessionNote]) -> dict[Rows, str]:
    return {(note.start, note.stop): note.dismissed for note in notes if note.dismissed}


def count_dismissals(
    findings: Iterable[FlaggedFindings], notes: Iterable[SessionNote]
) -> dict[str, tuple[int, int]]:
    """Reason → (sessions put away for it, of which something survives), the most first.

    Only sessions that one of `findings` flags count, each once.
    """
    dismissed = dismissed_rows(notes)
    flagged = _find_flagged(findings, dismissed)
    counts = Counter(dismissed[rows] for rows in flagged)
    survive = Counter(dismissed[rows] for rows, stands in flagged.items() if stands)
    return {reason: (count, survive[reason]) for reason, count in counts.most_common()}


def count_noted(findings: Iterable[FlaggedFindings], notes: Iterable[SessionNote]) -> int:
    """Number of flagged sessions of `findings` that have a note."""
    return len(_find_flagged(findings, {(note.start, note.stop) for note in notes if note.text}))


def _find_flagged(
    all_findings: Iterable[FlaggedFindings], sessions: Collection[Rows]
) -> dict[Rows, bool]:
    """The `sessions` that one of `all_findings` flags, and whether something of them survives."""
    flagged: dict[Rows, bool] = {}
    for findings in all_findings:
        for place in np.flatnonzero(put_away(findings, sessions)):
            rows = int(findings.start[place]), int(findings.stop[place])
            flagged[rows] = flagged.get(rows, False) or bool(findings.surviving[place] > 0)
    return flagged


def dismissal_facts(dismissed: Mapping[str, tuple[int, int]], noted: int = 0) -> dict[str, object]:
    """What a manifest says of it, in words of the program's own; nothing if there were none."""
    notes: dict[str, object] = {"noted": noted} if noted else {}
    if not dismissed:
        return notes
    return notes | {
        "sessions": sum(count for count, _ in dismissed.values()),
        "surviving": sum(stands for _, stands in dismissed.values()),
        "reasons": {REASONS[reason]: count for reason, (count, _) in dismissed.items()},
    }


PAIRS = "pairs"
WORD, RIGHT = 1, -1
"""Columns of the table of recovered words."""


def recovered_words(attacks: Sequence[AttackResult]) -> frozenset[str]:
    """Words that the inversion of hashes mapped rightly, as far as its table lists them."""
    tables = (table for attack in attacks for table in attack.tables if table.name == PAIRS)
    return frozenset(str(row[WORD]) for t in tables for row in t.rows if row[RIGHT] == "yes")


def recovered_queries(
    queries: Vocabulary, marked: Int32s, words: frozenset[str], progress: Progress
) -> Bools | None:
    """Of the `marked` queries, those of which every word was recovered; over all query codes.

    None without recovered words. O(bytes of the marked queries).
    """
    if not words:
        return None
    codes = sorted_distinct(marked)
    recovered = np.zeros(len(queries), dtype=np.bool_)
    if len(codes):
        tokens = tokenize_strings(queries.take(codes))
        progress.check()
        hit = np.array([word in words for word in tokens.vocabulary.list_strings()], dtype=np.bool_)
        sums = np.concatenate(([0], np.cumsum(hit[tokens.codes], dtype=np.int64)))
        sizes = np.diff(tokens.offsets)
        recovered[codes] = (np.diff(sums[tokens.offsets]) == sizes) & (sizes > 0)
    return recovered


Key = Literal["user", "when", "queries", "log", "why", "risk", "survives", "noted"]

FIRST_BLOCK, BLOCK, BLOCK_ROWS = 256, 4096, 200_000
"""Sessions searched before the first answer, between two, and rows that bound a block."""


FORGIVEN, ALIKE, LONGEST = 5, 80, 300
"""Characters of a search from which typing errors are forgiven; how like a part of a query must
be, of 100; characters of a query that are looked at for it."""


@dataclass(frozen=True)
class SessionCriteria:
    """The filters set above the table; `reason` is an index into the findings' reasons."""

    reason: int | None = None
    least_risk: float = 0.0
    only_surviving: bool = False
    dismissed: Literal["hide", "show", "only"] = "hide"
    dismissed_rows: tuple[tuple[int, int], ...] = ()
    """Rows of the sessions that somebody put away."""
    noted: tuple[int, ...] = ()
    """First rows of the sessions that somebody said something of."""
    text: str = ""
    key: Key = "risk"
    descending: bool = True


def event_counts(log: QueryLog, findings: FlaggedFindings) -> Int64s:
    """Events (distinct user, query, time) in each session; shape (m,); O(n)."""
    if not len(findings):
        return np.zeros(0, dtype=np.int64)
    starts = np.append(log.event_starts, False)  # so that a session may end with the log
    edges = np.column_stack((findings.start, findings.stop)).ravel()
    return np.add.reduceat(starts, edges, dtype=np.int64)[::2]


def select_sessions(
    log: QueryLog,
    findings: FlaggedFindings,
    events: Int64s,
    criteria: SessionCriteria,
    sessions: FlaggedFindings | None = None,
) -> Int64s:
    """Positions of the sessions that pass all but the text, in the order wanted.

    Of people it is their flagged `sessions` that were dismissed, or not. Ties stand by risk, the
    worst first, and then as in the log.
    """
    keep = np.round(findings.risk, 2) >= round(criteria.least_risk, 2)  # as the table shows it
    if criteria.reason is not None:
        keep &= (findings.reason >> np.uint64(criteria.reason)) & np.uint64(1) == 1
    if criteria.only_surviving:
        keep &= findings.surviving > 0
    if criteria.dismissed != "show" and (criteria.dismissed_rows or criteria.dismissed == "only"):
        is_dismissed = people_away(findings, sessions, criteria.dismissed_rows)
        keep &= is_dismissed if criteria.dismissed == "only" else ~is_dismissed
    places = np.flatnonzero(keep).astype(np.int64)
    start, risk = findings.start[places], findings.risk[places]
    bits = findings.reason[places]
    columns: dict[Key, Callable[[], tuple[Array, ...]]] = {
        "user": lambda: (log.user[start],),  # users stand in the order of their first row
        "when": lambda: (log.time[start],),
        "queries": lambda: (events[places],),
        "log": lambda: (start,),
        "why": lambda: (bits, np.bitwise_count(bits)),
        "risk": lambda: (risk,),
        "survives": lambda: (findings.surviving[places],),
        "noted": lambda: (np.isin(start, np.array(criteria.noted, dtype=np.int64)),),
    }
    sign = -1.0 if criteria.descending else 1.0
    keys = [sign * column.astype(np.float64) for column in columns[criteria.key]()]
    return places[np.lexsort((start, -risk, *keys))]


def search_sessions(
    log: QueryLog, findings: FlaggedFindings, places: Int64s, text: str, progress: Progress
) -> Iterator[tuple[Int64s, Int64s]]:
    """Of `places`, in their order, those with `text` in a query or in the user's id; in blocks.

    Beside each position stands the row of the log to show, −1 where the user's id was hit alone.
    Letter case doesn't matter, and a query may differ from the text by a typing error: from five
    characters on one in five may be another. Raises `Cancelled`.
    """
    hits = _TextMatches(log.queries, text, forgiving=True)
    names = _TextMatches(log.users, text)
    progress.stage("searching", len(places))
    offset, size = 0, FIRST_BLOCK
    while offset < len(places):
        progress.check()
        block = places[offset : offset + size]
        rows = np.cumsum(findings.stop[block] - findings.start[block])
        block = block[: max(1, int(np.searchsorted(rows, BLOCK_ROWS)))]
        keep = names(log.user[findings.start[block]])
        first = _first_hit(hits, log, findings.start[block], findings.stop[block])
        keep |= first >= 0
        offset, size = offset + len(block), BLOCK
        progress.update(offset)
        if keep.any():
            yield block[keep], first[keep]


def _first_hit(hits: _TextMatches, log: QueryLog, start: Int64s, stop: Int64s) -> Int64s:
    """The first row of each session whose query hits, or −1; shape (sessions,)."""
    lengths = stop - start
    first = np.cumsum(lengths) - lengths
    rows = expand_ranges(start, lengths)
    beyond_last = np.iinfo(np.int64).max
    best = np.minimum.reduceat(np.where(hits(log.query[rows]), rows, beyond_last), first)
    return np.where(best == beyond_last, -1, best)


class _TextMatches:
    """Whether strings of a vocabulary contain a text; looks at each string once.

    With `forgiving`, a string also matches that contains something like the text.
    """

    def __init__(self, words: Vocabulary, text: str, *, forgiving: bool = False) -> None:
        self._words = words
        self._text = text
        self._forgiving = forgiving and len(text) >= FORGIVEN
        self._known = np.zeros(len(words), dtype=np.int8)  # 0 not looked at, 1 no, 2 yes

    def __call__(self, codes: Int32s) -> Bools:
        import pyarrow.compute as pc

        new = sorted_distinct(codes[self._known[codes] == 0])
        if len(new):
            strings = self._words.take(new).as_arrow()
            hit = np.asarray(pc.match_substring(strings, self._text, ignore_case=True), np.bool_)
            if self._forgiving:
                hit = hit | self._match_alike(strings)
            self._known[new] = np.where(hit, 2, 1)
        matches: Bools = self._known[codes] == 2
        return matches

    def _match_alike(self, strings: Any) -> Bools:
        """Whether a part of each string is nearly the text; O(bytes · text) on bits."""
        from rapidfuzz import fuzz, process

        pattern = fold_text(self._text)  # so that "ann.lee" is found by "ann lee"
        texts = [fold_text(text[:LONGEST]) for text in strings.to_pylist()]
        scores = process.cdist([pattern], texts, scorer=fuzz.partial_ratio, score_cutoff=ALIKE)[0]
        long_enough = np.array([len(text) >= len(pattern) - 1 for text in texts])
        is_alike: Bools = (scores >= ALIKE) & long_enough
        return is_alike


def list_sessions(
    log: QueryLog,
    findings: FlaggedFindings,
    events: Int64s,
    criteria: SessionCriteria,
    tell: Callable[[Any], None],
    progress: Progress,
    sessions: FlaggedFindings | None = None,
) -> None:
    """Tell the sessions that `criteria` ask for: (events, positions, dismissed, rows hit).

    `events` are those of each session, or empty where they aren't counted yet. Positions are None
    as long as a text is searched for; then they come block by block. Where `findings` are people,
    `sessions` are their flagged ones.
    """
    counts = events if len(events) else event_counts(log, findings)
    progress.check()
    places = select_sessions(log, findings, counts, criteria, sessions)
    dismissed_count = 0
    if criteria.dismissed_rows:
        dismissed_count = int(people_away(findings, sessions, criteria.dismissed_rows).sum())
    tell((counts, None if criteria.text else places, dismissed_count, None))
    if criteria.text:
        for hits, rows in search_sessions(log, findings, places, criteria.text, progress):
            tell((None, hits, dismissed_count, rows))
