"""Logs and findings for the tests of the flagged sessions, made by hand."""

import functools
import itertools
import operator
from collections.abc import Sequence

import numpy as np

from auditor.attacks.base import FlaggedFindings
from auditor.log.model import QueryLog, Vocabulary
from auditor.privacy.release import Release, Tables
from tests.gui import fakes

REASONS = ("person name", "place", "e-mail address")

HTML = "<b>bold</b> <img src='http://evil.example/x.png'> &amp; <script>alert(1)</script>"
RTL = "\u202eevil\u202c שלום jane roe"
CONTROLS = "tab\there\x00nul\x1b[31mred\r\nline\u200bhidden"
EMOJI = "👩‍👩‍👧 jane roe 🏠 springfield"
LONG = "x" * 1_000_000 + " jane roe"
HOSTILE = (HTML, RTL, CONTROLS, EMOJI, LONG)


def log_of(sessions: Sequence[tuple[str, Sequence[str]]]) -> QueryLog:
    """One session a user: (user, queries), a minute apart, every second query clicked."""
    rows = [
        (user, query, 1_141_500_000 + 100_000 * number + 60 * place, place)
        for number, (user, queries) in enumerate(sessions)
        for place, query in enumerate(queries)
    ]
    user, query, time, places = zip(*rows, strict=True)
    return QueryLog.from_columns(
        user=user,
        query=query,
        time=time,
        url=[f"http://example.org/{place}" if place % 2 else None for place in places],
        rank=np.array([place if place % 2 else -1 for place in places], np.int16),
    )


def findings_of(
    log: QueryLog, words: Sequence[tuple[str, int]], released: Sequence[str] = ()
) -> FlaggedFindings:
    """Mark each (word, reason) wherever it stands; one session a user; risk by marks."""
    marks, reasons = [], [0] * len(log.queries)
    for code, text in enumerate(log.queries.list_strings()):
        for word, reason in words:
            start = text.find(word)
            if start >= 0:
                marks.append((code, start, start + len(word), reason))
                reasons[code] |= 1 << reason
    survives = log.queries.match(Vocabulary.of(released)) >= 0
    rows = []
    for first, last in itertools.pairwise(log.user_starts.tolist()):
        marked = [code for code in set(log.query[first:last].tolist()) if reasons[code]]
        if marked:
            bits = functools.reduce(operator.or_, (reasons[code] for code in marked))
            rows.append((first, last, bits, int(survives[marked].sum()), len(marked)))
    columns = np.array(rows, np.int64).reshape(-1, 5)
    table = np.array(marks, np.int64).reshape(-1, 4)
    risk = np.array([0.3 * bits.bit_count() for _, _, bits, _, _ in rows], float)
    return FlaggedFindings(
        start=columns[:, 0],
        stop=columns[:, 1],
        reason=columns[:, 2].astype(np.uint64),
        risk=risk,
        surviving=columns[:, 3].astype(np.int32),
        flagged=columns[:, 4].astype(np.int32),
        reasons=REASONS,
        mark_query=table[:, 0].astype(np.int32),
        mark_start=table[:, 1].astype(np.int32),
        mark_stop=table[:, 2].astype(np.int32),
        mark_reason=table[:, 3].astype(np.uint8),
        survives=survives,
    )


def release_of(queries: Sequence[str], counts: Sequence[int]) -> Release:
    """A release of a query table."""
    return Release(
        method="safelog",
        params={"K": 50},
        content=Tables(queries=Vocabulary.of(queries), query_count=np.array(counts, np.int64)),
        statement=fakes.statement(fakes.FakeParams(b=20.0)),
        changes={"queries dropped": 7},
    )


SESSIONS = (
    ("812", ("weather", "jane roe", "jane roe springfield", "cars")),
    ("9", ("springfield pizza", "cars")),
    ("x<b>y</b>", ("jane roe jane@example.org", *HOSTILE)),
)
WORDS = (("jane roe", 0), ("springfield", 1), ("jane@example.org", 2))
