"""What the session view shows of one session, as plain values; no widgets."""

import itertools
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from auditor.arrays import Float64s
from auditor.attacks.base import FlaggedFindings
from auditor.attacks.risk import reasons
from auditor.gui.app.translation import say, tr, translate_all, translate_text
from auditor.gui.widgets import formats, safe_text
from auditor.log.model import NONE, QueryLog
from auditor.privacy.release import Anonymized
from auditor.project.model import REASONS

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
    parts = [
        (translate_text(reason), translate_text(reasons.explain_reason(reason))) for reason in whys
    ]
    risk = tr("Risk {risk}").format(risk=formats.format_fixed(findings.risk[index], 2))
    means = say("what the risk means")
    return [*(part for part in parts if part[1]), (risk, means)]


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
