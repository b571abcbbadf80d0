"""Sessions in which somebody asks for their own name or home, to be opened and read."""

from __future__ import annotations

import numpy as np

from auditor.arrays import Float64s, Int32s, Int64s, UInt64s
from auditor.attacks.base import Evidence, FlaggedFindings
from auditor.attacks.bundle_view import bundled_release
from auditor.attacks.risk.exposed_sessions import ExposedSessions
from auditor.attacks.risk.session_scoring import standing_verbatim
from auditor.attacks.vanity.report import VanityResult
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.sessions import find_sessions
from auditor.progress import Progress

MOST_FINDINGS = 200_000
"""Sessions kept for the flagged-sessions table, the riskiest first."""
REASONS = (
    "searches for their own name",
    "ranks first for the user's name",
    "ranks among the first ten for the user's name",
    "the user's own name has the highest weight among their queries",
)
FEW = 10


def seen_rows(evidence: Evidence) -> Int64s:
    """Rows where the events begin that an attacker can read.

    All of them without a release or where it only bundles users, else those whose query stands
    in it unchanged.
    """
    log = evidence.log
    if evidence.release is None or bundled_release(evidence) is not None:
        return np.flatnonzero(log.event_starts)
    shown = standing_verbatim(log.queries, evidence.release)
    return np.flatnonzero(log.event_starts & shown[log.query])


def collect_findings(
    evidence: Evidence, found: VanityResult, progress: Progress
) -> FlaggedFindings:
    """Sessions with an own-name query; the risk is one over the rank of the user's session."""
    log, curves = evidence.log, found.users
    rank = np.full(len(log.users), np.iinfo(np.int64).max, dtype=np.int64)
    rank[curves.users] = curves.of_session
    bits = np.full(len(log.users), 1, dtype=np.uint64)
    bits[curves.users[curves.of_session == 1]] |= np.uint64(2)
    few = (curves.of_session > 1) & (curves.of_session <= FEW)
    bits[curves.users[few]] |= np.uint64(4)
    bits[curves.users[curves.of_name == 1]] |= np.uint64(8)
    user = log.user[found.own_rows]
    spots = found.found.spots
    hold = np.zeros(len(log.queries), dtype=np.bool_)
    hold[log.query[found.own_rows]] = True
    marked = hold[spots.query]
    marks = (spots.query[marked], spots.start[marked], spots.stop[marked])
    return open_sessions(
        evidence, found.own_rows, bits[user], 1.0 / rank[user], REASONS, marks, progress
    )


def open_sessions(
    evidence: Evidence,
    rows: Int64s,
    bits: UInt64s,
    risk: Float64s,
    reasons: tuple[str, ...],
    marks: tuple[Int32s, Int32s, Int32s],
    progress: Progress,
) -> FlaggedFindings:
    """The sessions that hold `rows` of the log, each with its reasons and risk; O(rows).

    `marks` are characters of queries, by query; all for the first reason.
    """
    log = evidence.log
    progress.stage("sessions")
    starts = find_sessions(log)
    session = np.searchsorted(starts, rows, side="right") - 1
    which, inverse = np.unique(session, return_inverse=True)
    reason = np.zeros(len(which), dtype=np.uint64)
    np.bitwise_or.at(reason, inverse, bits)
    worst = np.zeros(len(which))
    np.maximum.at(worst, inverse, risk)
    survives = standing_verbatim(log.queries, evidence.release)
    pairs = sorted_distinct(inverse.astype(np.int64) << 32 | log.query[rows])
    flagged = np.bincount(pairs >> 32, minlength=len(which))
    left = np.bincount(pairs >> 32, survives[pairs & 0xFFFFFFFF], minlength=len(which))
    order = np.argsort(-worst, kind="stable")[:MOST_FINDINGS]
    query, start, stop = marks
    return FlaggedFindings(
        start=starts[which[order]],
        stop=starts[which[order] + 1],
        reason=reason[order],
        risk=np.clip(worst[order], 0.0, 1.0),
        surviving=left[order].astype(np.int32),
        flagged=flagged[order].astype(np.int32),
        reasons=reasons,
        mark_query=query.astype(np.int32),
        mark_start=start.astype(np.int32),
        mark_stop=stop.astype(np.int32),
        mark_reason=np.zeros(len(query), dtype=np.uint8),
        survives=survives,
        everybody=ExposedSessions.of(starts[which], starts[which + 1], reason, worst),
    )
