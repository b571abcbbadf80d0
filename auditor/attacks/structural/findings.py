"""Sessions of those whom the make-up of a bundle exposes, to be opened and read."""

from __future__ import annotations

import numpy as np

from auditor.arrays import Float64s, Int32s, Int64s, UInt8s, UInt64s
from auditor.attacks.base import Evidence, FlaggedFindings
from auditor.attacks.risk.exposed_sessions import ExposedSessions
from auditor.attacks.risk.session_scoring import standing_verbatim
from auditor.attacks.structural.dominant_users import reaches_level
from auditor.attacks.structural.report import BundleStructure
from auditor.attacks.structural.unique_places import fibers_of
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.model import QueryLog
from auditor.log.sessions import find_sessions, session_of_rows
from auditor.progress import Progress, run_cancellable

MOST_FINDINGS = 200_000
"""Sessions kept for the flagged-sessions table, the riskiest first."""
REASONS = (
    "issued most queries of their bundle",
    "heavy user with one place that nobody else searches for",
    "searches for a place that nobody else in the bundle does",
    "place that only one user of a bundle searches for",
)
"""What each bit of a finding says; the last one is what marked words are."""
_BLOCK = 1 << 18


def collect_findings(
    evidence: Evidence, found: BundleStructure, level: float, progress: Progress
) -> FlaggedFindings:
    """Sessions of dominant users, and sessions with a place that is one user's own; O(n).

    A session's risk is how often somebody is right who lays its queries to them: always for a query
    that asks for their own place, else as often as queries of the bundle are theirs.
    """
    bits, chance = _score_events(evidence.log, found, level, progress)
    return run_cancellable(lambda: _gather_sessions(evidence, found, bits, chance), progress)


def _gather_sessions(
    evidence: Evidence, found: BundleStructure, bits: UInt64s, chance: Float64s
) -> FlaggedFindings:
    """The sessions of events with a reason, the riskiest first."""
    log, crowd = evidence.log, found.crowd
    starts = find_sessions(log)
    session = session_of_rows(starts)[crowd.row]
    count = len(starts) - 1
    reason = np.zeros(count, dtype=np.uint64)
    some = np.flatnonzero(bits)
    np.bitwise_or.at(reason, session[some], bits[some])
    total = np.bincount(session, minlength=count)
    risk = np.bincount(session, chance, minlength=count) / np.maximum(total, 1)
    chosen = np.flatnonzero(reason)
    everybody = ExposedSessions.of(starts[chosen], starts[chosen + 1], reason[chosen], risk[chosen])
    if len(chosen) > MOST_FINDINGS:
        chosen = np.sort(chosen[np.argsort(-risk[chosen], kind="stable")[:MOST_FINDINGS]])
    order = np.argsort(-risk[chosen], kind="stable")
    chosen = chosen[order]
    own = np.flatnonzero(bits & np.uint64(6))
    pairs = sorted_distinct((session[own] << 32) | log.query[crowd.row[own]])
    survives = standing_verbatim(log.queries, evidence.release)
    flagged = np.bincount(pairs >> 32, minlength=count)
    left = np.bincount(pairs >> 32, survives[pairs & 0xFFFFFFFF], minlength=count)
    query, start, stop, why = _find_marks(log, found, own)
    return FlaggedFindings(
        start=starts[chosen],
        stop=starts[chosen + 1],
        reason=reason[chosen],
        risk=np.clip(risk[chosen], 0.0, 1.0),
        surviving=left[chosen].astype(np.int32),
        flagged=flagged[chosen].astype(np.int32),
        reasons=REASONS,
        mark_query=query,
        mark_start=start,
        mark_stop=stop,
        mark_reason=why,
        survives=survives,
        everybody=everybody,
    )


def _score_events(
    log: QueryLog, found: BundleStructure, level: float, progress: Progress
) -> tuple[UInt64s, Float64s]:
    """The reasons that each event gives, and how surely it is laid to its user."""
    crowd, whose = found.crowd, found.whose
    held = crowd.compute_held_shares()
    over = crowd.large[crowd.sizes.fiber_bundle] & reaches_level(held, level)
    sole = crowd.heavy & (whose.fiber_places == 1) & (whose.fiber_own == 1)
    bits = np.zeros(len(crowd.row), dtype=np.uint64)
    chance = np.zeros(len(crowd.row))
    for first, last in progress.blocks("sessions that are exposed", len(crowd.row), _BLOCK):
        fiber = fibers_of(log, crowd, np.arange(first, last))
        bits[first:last] = over[fiber]
        chance[first:last] = np.where(crowd.large[crowd.bundle[first:last]], held[fiber], 0.0)
    at, fiber = found.asked_alone()
    chance[at] = 1.0
    bits[at] |= np.where(sole[fiber], np.uint64(2), np.uint64(4))
    return bits, chance


def _find_marks(
    log: QueryLog, found: BundleStructure, own: Int64s
) -> tuple[Int32s, Int32s, Int32s, UInt8s]:
    """The words of places in queries by which somebody asks for a place of their own."""
    query = sorted_distinct(log.query[found.crowd.row[own]])
    places = found.places.found
    reason = np.full(len(query), 3, dtype=np.uint8)
    return query, places.start[query], places.stop[query], reason
