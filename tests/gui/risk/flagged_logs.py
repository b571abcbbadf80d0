"""Logs and findings for the tests of the flagged sessions, made by hand."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from auditor.attacks.base import FlaggedFindings
from auditor.log.model import QueryLog, Vocabulary
from auditor.privacy.release import Release, Tables
from auditor.privacy.statement import Assumption, Statement

REASONS = ("person name", "place", "e-mail address")

HTML = "<b>bold</b> <img src='http://evil.example/x.png'> &amp; <script>alert(1)</script>"
RTL = "\u202eevil\u202c שלום jane roe"
CONTROLS = "tab\there\x00nul\x1b[31mred\r\nline\u200bhidden"
EMOJI = "👩‍👩‍👧 jane roe 🏠 springfield"
LONG = "x" * 1_000_000 + " jane roe"
HOSTILE = (HTML, RTL, CONTROLS, EMOJI, LONG)


def log_of(sessions: Sequence[tuple[str, Sequence[str]]]) -> QueryLog:
    """One session a user: (user, queries), a minute apart, every second query clicked."""
    user, query, time, url, rank = [], [], [], [], []
    for number, (name, queries) in enumerate(sessions):
        for place, text in enumerate(queries):
            user.append(name)
            query.append(text)
            time.append(1_141_500_000 + 100_000 * number + 60 * place)
            url.append(f"http://example.org/{place}" if place % 2 else None)
            rank.append(place if place % 2 else -1)
    return QueryLog.from_columns(
        user=user, query=query, time=time, url=url, rank=np.array(rank, np.int16)
    )


def findings_of(
    log: QueryLog, words: Sequence[tuple[str, int]], released: Sequence[str] = ()
) -> FlaggedFindings:
    """Mark each (word, reason) wherever it stands; one session a user; risk by marks."""
    marks = []
    for code, text in enumerate(log.queries.list_strings()):
        for word, reason in words:
            start = text.find(word)
            if start >= 0:
                marks.append((code, start, start + len(word), reason))
    marked = {code: 0 for code, *_ in marks}
    for code, *_, reason in marks:
        marked[code] |= 1 << reason
    survives = log.queries.match(Vocabulary.of(released)) >= 0
    rows = []
    for user in range(len(log.users)):
        first, last = (int(x) for x in log.user_starts[user : user + 2])
        codes = {int(code) for code in log.query[first:last] if int(code) in marked}
        if codes:
            bits = int(np.bitwise_or.reduce([marked[code] for code in codes]))
            rows.append((first, last, bits, sum(bool(survives[c]) for c in codes), len(codes)))
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


def statement(epsilon: float = 2.9) -> Statement:
    """A claim with one assumption of each status."""
    return Statement(
        model="differential privacy",
        claim=f"Nobody can tell from this release, up to ε = {epsilon}, whether a user is in it.",
        unit="one user's whole history",
        epsilon=epsilon,
        delta=1e-6,
        assumptions=(
            Assumption("secrecy", "The noise stays secret.", "holds", "drawn by the system"),
            Assumption("pool", "The pool of queries is public.", "fails", "made from the log"),
            Assumption("users", "One id is one person.", "unknown"),
        ),
    )


def release_of(queries: Sequence[str], counts: Sequence[int]) -> Release:
    """A release of a query table."""
    return Release(
        method="safelog",
        params={"K": 50},
        content=Tables(queries=Vocabulary.of(queries), query_count=np.array(counts, np.int64)),
        statement=statement(),
        changes={"queries dropped": 7},
    )


SESSIONS = (
    ("812", ("weather", "jane roe", "jane roe springfield", "cars")),
    ("9", ("springfield pizza", "cars")),
    ("x<b>y</b>", ("jane roe jane@example.org", *HOSTILE)),
)
WORDS = (("jane roe", 0), ("springfield", 1), ("jane@example.org", 2))
