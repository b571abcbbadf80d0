"""What the session view shows of one session, and of it in a release, as plain values.

A release knows nothing of the raw log. Where rows still stand in their order they tell; else the
user's record is looked for, by their id or by rows that were kept, and their events in it by their
second; else only equal strings do. For a worker thread: O(rows of the release) at worst.
"""

import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from PySide6.QtCore import QCoreApplication

from auditor.arrays import Float64s, Int32s, Int64s
from auditor.attacks.base import FlaggedFindings
from auditor.attacks.risk import reasons
from auditor.gui.app.translation import say, tr, translate_all, translate_text
from auditor.gui.widgets import formats, safe_text
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.model import NONE, QueryLog
from auditor.privacy.blank_queries import spell_queries
from auditor.privacy.identity import kept_ids, rows_of
from auditor.privacy.records import MOST_ROWS, records_of, rows_tell
from auditor.privacy.release import Anonymized, Tables
from auditor.privacy.release_times import EXACT, comparable_times, floor_times
from auditor.progress import Progress
from auditor.project.model import REASONS


def _tr(text: str) -> str:
    return QCoreApplication.translate("Released", text)


Kind = Literal["same", "changed", "gone", "unknown"]

CELL_LIMIT = 200
"""Characters of a released query in a table's cell."""
FEW = 3
ABSENT = -2
"""No record: the release holds nothing of this user."""


@dataclass(frozen=True)
class EventFate:
    """What became of one event: the released text, and how often its own query is released.

    `details` says what else of it stands there, such as a click.
    """

    kind: Kind
    text: str = ""
    count: int = 0
    details: tuple[str, ...] = ()

    def format_fate(self) -> str:
        match self.kind:
            case "same":
                return _tr("✓ word for word · {}×").format(formats.format_count(self.count))
            case "changed":
                return _tr("as “{text}”").format(text=self.text)
            case "gone":
                return _tr("no")
            case _:
                return _tr("not word for word")


@dataclass(frozen=True)
class ReleasedEvents:
    """A session as a release shows it: each event's fate, and how that is known."""

    events: tuple[EventFate, ...]
    evidence: str


def find_released_events(
    log: QueryLog, release: Anonymized, rows: Sequence[int], stop: int, progress: Progress
) -> ReleasedEvents:
    """What `release` shows of the events that begin at `rows` of the log and end before `stop`."""
    codes = np.array([log.query[row] for row in rows], dtype=np.int32)
    counts = _count_verbatim(log, codes, release)
    progress.check()
    if release.tables is not None:
        place = spell_queries(log.queries.take(codes), release).match(release.tables.queries)
        return _in_tables(log, release.tables, rows, stop, place, counts)
    return _in_log(log, release, rows, counts, progress)


def _count_verbatim(log: QueryLog, codes: Int32s, release: Anonymized) -> dict[int, int]:
    """How often some queries occur in the release, by code; O(strings of the release).

    A count of tables carries their noise.
    """
    codes = sorted_distinct(codes)
    words = spell_queries(log.queries.take(codes), release)
    if release.tables is not None:
        places, counts = words.match(release.tables.queries), release.tables.query_count
    else:
        released = release.log
        assert released is not None
        places = words.match(released.queries)
        released_events = released.query[released.event_starts]
        counts = np.bincount(released_events, minlength=len(released.queries))
    pairs = zip(codes.tolist(), places.tolist(), strict=True)
    return {code: int(counts[place]) if place != NONE else 0 for code, place in pairs}


def _in_tables(
    log: QueryLog,
    tables: Tables,
    rows: Sequence[int],
    stop: int,
    place: Int32s,
    counts: dict[int, int],
) -> ReleasedEvents:
    fates = []
    for number, row in enumerate(rows):
        end = rows[number + 1] if number + 1 < len(rows) else stop
        count = counts[int(log.query[row])]
        if place[number] == NONE:
            fates.append(EventFate("gone"))
            continue
        details = _describe_clicks(log, tables, int(place[number]), row, end)
        if number + 1 < len(rows) and place[number + 1] != NONE:
            pair = tables.from_query == place[number], tables.to_query == place[number + 1]
            for hit in np.flatnonzero(pair[0] & pair[1])[:1]:
                times = formats.format_plural(int(tables.transition_count[hit]), "time")
                details.append(_tr("followed by the next query, {times}").format(times=times))
        fates.append(EventFate("same", count=count, details=tuple(details)))
    evidence = _tr("The release is tables of counts: it does not say who issued what, or when.")
    return ReleasedEvents(tuple(fates), evidence)


def _describe_clicks(log: QueryLog, tables: Tables, query: int, first: int, stop: int) -> list[str]:
    """The counts of the (query, URL) pairs that the event's clicks belong to."""
    urls = log.url[first:stop]
    urls = sorted_distinct(urls[urls != NONE])[:FEW]
    if not len(urls) or not tables.has_clicks:
        return []
    released_urls = log.urls.take(urls).match(tables.urls)
    pairs = np.flatnonzero(tables.click_query == query)
    texts = []
    for code, url in zip(urls, released_urls, strict=True):
        hits = pairs[tables.click_url[pairs] == url]
        if url != NONE and len(hits):
            text = _tr("with the click on {url}, {times}")
            times = formats.format_plural(int(tables.click_count[hits[0]]), "time")
            texts.append(text.format(url=safe_text.make_line(log.urls, int(code), 80), times=times))
    return texts


def _in_log(
    log: QueryLog,
    release: Anonymized,
    rows: Sequence[int],
    counts: dict[int, int],
    progress: Progress,
) -> ReleasedEvents:
    released = release.log
    assert released is not None
    aligned = (log.user, released.user), (log.time, released.time)
    if all(np.array_equal(before, after) for before, after in aligned):
        evidence = _tr("The release keeps the rows in their order.")
        fates = tuple(_find_fate(log, released, row, row, counts) for row in rows)
        return ReleasedEvents(fates, evidence)
    user = int(log.user[rows[0]])
    if release.truth is not None:
        records = np.flatnonzero(release.truth.find_owners(log, released) == user)
        evidence = _tr("Ids in the release that stand for the user: {ids}.")
        evidence = evidence.format(ids=formats.format_count(len(records)))
        return ReleasedEvents(_in_records(log, release, rows, records, counts), evidence)
    record, evidence = _find_record(log, release, user, progress)
    if record == ABSENT:
        return ReleasedEvents(tuple(_find_elsewhere(log, row, counts) for row in rows), evidence)
    if record < 0:
        released_counts = (counts[int(log.query[row])] for row in rows)
        fates = tuple(EventFate("same" if n else "unknown", count=n) for n in released_counts)
        return ReleasedEvents(fates, evidence)
    single = np.array([record], dtype=np.int64)
    return ReleasedEvents(_in_records(log, release, rows, single, counts), evidence)


def _find_record(
    log: QueryLog, release: Anonymized, user: int, progress: Progress
) -> tuple[int, str]:
    """The user's record in the release, or −1, and how that is known."""
    released = release.log
    assert released is not None
    place = kept_ids(log, release, progress)
    if place is not None:
        if place[user] == NONE:
            return ABSENT, _tr("Nothing stands under the user's id in the release.")
        return int(place[user]), _tr("The release keeps the ids.")
    if len(log) > MOST_ROWS:
        evidence = say("record is not looked up")
        return NONE, evidence.format(rows=formats.format_count(MOST_ROWS))
    if not rows_tell(log, release, progress):
        return NONE, say("record can't be found")
    truth = records_of(log, release, np.array([user], dtype=np.int64), progress)
    record = int(truth.record[0])
    if record < 0:
        return NONE, _tr("Ids were changed, and equal rows don't determine the user's record.")
    evidence = _tr("Ids were changed; by equal rows the user's queries stand under “{name}”.")
    return record, evidence.format(name=safe_text.make_line(released.users, record, 60))


def _in_records(
    log: QueryLog, release: Anonymized, rows: Sequence[int], records: Int64s, counts: dict[int, int]
) -> tuple[EventFate, ...]:
    released, exact = release.log, comparable_times(release.params)
    assert released is not None
    record_rows = rows_of(released, records)[0]
    events = record_rows[released.event_starts[record_rows]]
    events = events[np.argsort(released.time[events], kind="stable")]
    times = floor_times(released.time[events], exact)
    log_codes = released.queries.take(released.query[events]).match(log.queries)
    used_events: set[int] = set()
    fates = []
    for row in rows:
        when = floor_times(log.time[row : row + 1], exact)[0]
        low, high = (int(np.searchsorted(times, when, side=s)) for s in ("left", "right"))
        free = [index for index in range(low, high) if index not in used_events]
        equal = [index for index in free if log_codes[index] == log.query[row]]
        # Only the very second says that a search stands there with another query.
        best = (equal or (free if exact == EXACT else []) or [-1])[0]
        if best >= 0:
            used_events.add(best)
            fates.append(_find_fate(log, released, row, int(events[best]), counts))
        elif (log_codes == log.query[row]).any():
            details = (_tr("in the user's record at another time"),)
            fates.append(EventFate("same", count=counts[int(log.query[row])], details=details))
        else:
            fates.append(_find_elsewhere(log, row, counts))
    return tuple(fates)


def _find_fate(
    log: QueryLog, released: QueryLog, row: int, released_row: int, counts: dict[int, int]
) -> EventFate:
    """Of an event that stands at row `released_row` of the release."""
    code = int(released.query[released_row])
    text = safe_text.make_line(released.queries, code, CELL_LIMIT)
    is_same = released.queries[code] == log.queries[int(log.query[row])]
    details: tuple[str, ...] = ()
    if (url := int(released.url[released_row])) != NONE:
        details = (_tr("clicked {url}").format(url=safe_text.make_line(released.urls, url, 80)),)
    return EventFate("same" if is_same else "changed", text, counts[int(log.query[row])], details)


def _find_elsewhere(log: QueryLog, row: int, counts: dict[int, int]) -> EventFate:
    count = counts[int(log.query[row])]
    if not count:
        return EventFate("gone")
    times = formats.format_plural(count, "time")
    details = _tr("others' records hold it {times}").format(times=times)
    return EventFate("gone", count=count, details=(details,))


Mark = tuple[int, int, str]

CLICKS_SHOWN = 20
TELLING = 0.05
"""Weight of a reason that tells no more than a place, a company or somebody famous does."""
ROWS_JUDGED = 5000
DAY = 86_400
"""Seconds beyond which what somebody issued is shown with its dates."""
WEIGHTS = {reason.label: reason.weight for reason in reasons.REASONS}


@dataclass(frozen=True, eq=False)
class SessionSide:
    """A release beside a session: its name, an attack's findings, and what is said of it."""

    name: str
    findings: FlaggedFindings | None = None
    release: Anonymized | None = None
    verdict: str = ""


@dataclass(frozen=True, eq=False)
class SessionRows:
    """A session by its rows of the log, ``start:stop``, the events in it, and its releases."""

    log: QueryLog
    start: int
    stop: int
    sides: tuple[SessionSide, ...]

    @cached_property
    def rows(self) -> tuple[int, ...]:
        """The rows at which its events begin; O(its rows)."""
        begins = self.log.event_starts[self.start : self.stop].copy()
        begins[:1] = True
        return tuple(int(row) for row in self.start + np.flatnonzero(begins))

    def find_query_code(self, event: int) -> int:
        return int(self.log.query[self.rows[event]])

    def list_clicks(self, event: int) -> list[str]:
        stop = self.rows[event + 1] if event + 1 < len(self.rows) else self.stop
        rows = [row for row in range(self.rows[event], stop) if self.log.url[row] != NONE]
        clicks = []
        for row in rows[:CLICKS_SHOWN]:
            url = safe_text.make_line(self.log.urls, int(self.log.url[row]), 200)
            rank = int(self.log.rank[row])
            ranked = tr("{url} (rank {rank})").format(url=url, rank=rank)
            clicks.append(url if rank == NONE else ranked)
        return clicks

    def list_marks(self, event: int) -> list[Mark]:
        """(start, stop, reason) of each mark in an event's query, of every side."""
        code = self.find_query_code(event)
        flagged = [side.findings for side in self.sides if side.findings is not None]
        return sorted({mark for findings in flagged for mark in findings.list_marks(code)})

    def describe_unknown(self, place: int, event: int) -> str:
        """What is said of an event in a release, by its place, before it was looked up."""
        side = self.sides[place]
        if side.release is None:
            return tr("no release yet") if len(self.sides) == 1 else tr("release not kept")
        if side.findings is None:
            return "…"
        survives = side.findings.survives[self.find_query_code(event)]
        return tr("✓ word for word") if survives else tr("no")

    def find_first_marked(self) -> int:
        """The event to read first: the first marked one that survives, else the most telling."""
        first, stop = self.rows[0], min(self.stop, self.rows[0] + ROWS_JUDGED)
        flagged = [side.findings for side in self.sides if side.findings is not None]
        for findings in flagged:
            codes = self.log.query[first:stop]
            surviving = np.isin(codes, findings.mark_query) & findings.survives[codes]
            if surviving.any():
                return self.find_event(first + int(surviving.argmax()))
        for findings in flagged:
            row = most_telling(self.log, findings, reason_weights(findings), first, stop)
            if row is not None:
                return self.find_event(row)
        return 0

    def find_event(self, row: int) -> int:
        return int(np.searchsorted(self.rows, row, side="right")) - 1

    def format_time(self, event: int) -> str:
        long = int(self.log.time[self.rows[-1]]) - int(self.log.time[self.rows[0]]) > DAY
        return safe_text.format_moment(int(self.log.time[self.rows[event]]), date=long)

    def format_query(self, event: int) -> str:
        limit, marks = safe_text.LINE_LIMIT, self.list_marks(event)
        if marks:  # far enough to reach the first of them
            limit = min(safe_text.TEXT_LIMIT, limit + marks[0][0])
        return safe_text.make_line(self.log.queries, self.find_query_code(event), limit)

    def format_heading(self, mask_id: Callable[[str], str]) -> str:
        log, rows = self.log, self.rows
        user = mask_id(safe_text.make_line(log.users, int(log.user[rows[0]]), 60))
        times = safe_text.format_span(int(log.time[rows[0]]), int(log.time[self.stop - 1]))
        queries = formats.format_plural(len(rows), "query", "queries")
        return tr("User {user} · {times} · {rows}").format(user=user, times=times, rows=queries)


def format_verdict(findings: FlaggedFindings, index: int, *, released: bool) -> str:
    """Why a session is flagged, how grave that is, and what of it stands in a release."""
    whys = reasons.main_reasons(findings.list_reasons(index), decided=findings.decided is not None)
    if not whys:
        return say("session is not flagged")
    counts = int(findings.surviving[index]), int(findings.flagged[index])
    return tr("Flagged for {whys} · risk {risk} of 1 · {fate}").format(
        whys="; ".join(translate_all(whys)),
        risk=formats.format_fixed(findings.risk[index], 2),
        fate=describe_fate(*counts, released=released),
    )


def explain_reasons(findings: FlaggedFindings, index: int) -> list[tuple[str, str]]:
    """(heading, explanation) of each reason and of the risk, for newcomers."""
    if not findings.reason[index]:
        return []
    whys, decided = findings.list_reasons(index), int(findings.decided is not None)
    whys = [*whys[:decided], *gravest_first(whys[decided:])]
    pairs = [translate_all((reason, reasons.explain_reason(reason))) for reason in whys]
    risk = tr("Risk {risk}").format(risk=formats.format_fixed(findings.risk[index], 2))
    explained = [(heading, text) for heading, text in pairs if text]
    return [*explained, (risk, say("what the risk means"))]


def describe_fate(surviving: int, flagged: int, *, released: bool) -> str:
    """What of the marked queries stands in the release, as a clause."""
    marked = formats.format_plural(flagged, "marked query", "marked queries")
    if not released:
        return tr("{marked}, no release yet").format(marked=marked)
    if not surviving and flagged == 1:
        text = tr("{marked}, not in the release word for word")
    elif not surviving:
        text = tr("{marked}, none in the release word for word")
    elif surviving == flagged == 1:
        text = tr("{marked}, which stands in the release word for word")
    elif surviving == flagged:
        text = tr("{marked}, which stand in the release word for word")
    elif surviving == 1:
        text = tr("{marked}, {surviving} of them stands in the release word for word")
    else:
        text = tr("{marked}, {surviving} of them stand in the release word for word")
    return text.format(marked=marked, surviving=formats.format_count(surviving))


def reason_said(reason: str) -> str:
    """Why a session was dismissed, in the window's language."""
    return translate_text(REASONS[reason]) if reason else ""


def reason_weights(findings: FlaggedFindings) -> Float64s:
    """How grave each of the findings' reasons is; 0 for one that nobody weighed."""
    return np.array([WEIGHTS.get(label, 0.0) for label in findings.reasons])


def gravest_first(whys: Iterable[str]) -> list[str]:
    """Reasons without doubles, the gravest first."""
    return sorted(dict.fromkeys(whys), key=lambda reason: -WEIGHTS.get(reason, 0.0))


def most_telling(
    log: QueryLog, findings: FlaggedFindings, grave: Float64s, first: int, stop: int
) -> int | None:
    """The first row with the gravest mark among rows ``first:stop``, or None without a mark.

    One that survives in a release stands before all others, if it tells more than a place does.
    """
    codes = log.query[first:stop]
    low = np.searchsorted(findings.mark_query, codes, side="left")
    high = np.searchsorted(findings.mark_query, codes, side="right")
    best, gravest = None, -1.0
    for index in np.flatnonzero(high > low):
        weight = float(grave[findings.mark_reason[low[index] : high[index]]].max())
        weight += float(weight > TELLING and findings.survives[codes[index]])
        if weight > gravest:
            best, gravest = first + int(index), weight
    return best


def cut_to_first_mark(text: str, marks: list[Mark], before: int = 30) -> tuple[str, list[Mark]]:
    """Cut the start off a long line so that its first mark can be seen."""
    if not marks or marks[0][0] <= 2 * before:
        return text, marks
    cut = marks[0][0] - before
    if cut >= len(text):  # the mark lies beyond what is shown at all
        return text, []
    return "…" + text[cut:], [(a - cut + 1, b - cut + 1, reason) for a, b, reason in marks]


def utf16_marks(text: str, marks: list[Mark]) -> list[tuple[int, int]]:
    """(start, length) of marks in UTF-16 units, which Qt counts in; clipped to the text."""
    wide = [0, *itertools.accumulate(1 + (ord(character) > 0xFFFF) for character in text)]
    ends = ((min(start, len(text)), min(stop, len(text))) for start, stop, _ in marks)
    return [(wide[start], wide[stop] - wide[start]) for start, stop in ends if stop > start]


def in_words(text: str, marks: list[Mark]) -> str:
    """What is marked and why: ``person name “jane roe”; place “springfield”``."""
    parts = []
    for start, stop, label in marks:
        piece = safe_text.shorten_text(text[start:stop], 60)
        reason = translate_text(label)
        parts.append(tr("{why} “{piece}”").format(why=reason, piece=piece) if piece else reason)
    return "; ".join(parts)
