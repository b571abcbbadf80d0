"""From a count to the sessions behind it: which rows of the log they are, and why they are flagged.

Everything here is for a worker thread: O(rows) for queries, else O(codes log sessions).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from PySide6.QtCore import QCoreApplication

from auditor.arrays import Array, Int64s, expand_ranges
from auditor.attacks.base import AttackResult, FlaggedFindings
from auditor.attacks.risk.exposed_sessions import count_marked_queries
from auditor.attacks.risk.session_scoring import standing_verbatim
from auditor.engine.run import Run
from auditor.figures import UserReference
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.model import QueryLog
from auditor.log.sessions import GAP_SECONDS, find_sessions
from auditor.privacy.release import Anonymized
from auditor.progress import Progress

MOST_COUNTED = 200_000
"""Sessions up to which marked queries are counted one by one."""


@dataclass(frozen=True, eq=False)
class TracedSessions:
    """The sessions behind a count, as findings, and how many users they are of."""

    findings: FlaggedFindings
    users: int

    def __len__(self) -> int:
        return len(self.findings)


def find_counting_attack(record: Run, who: UserReference) -> AttackResult | None:
    for attack in record.attacks:
        references = [value.who for value in attack.values]
        references += [reference for table in attack.tables for reference in table.who.values()]
        references += [series.who for figure in attack.figures for series in figure.series]
        if any(reference is who for reference in references):
            return attack
    return None


def trace_sessions(
    log: QueryLog,
    release: Anonymized | None,
    attack: AttackResult | None,
    who: UserReference,
    line: int,
    progress: Progress,
) -> TracedSessions:
    """The sessions behind one line of `who`, the riskiest with the attack's reasons and marks."""
    codes = np.asarray(who.find(line))
    progress.check()
    gap = GAP_SECONDS
    if attack is not None and isinstance(attack.params.get("gap"), int):
        gap = 60 * int(attack.params["gap"])
    starts = find_sessions(log, gap)
    which = _find_sessions(log, starts, who.unit, codes)
    progress.check()
    begin, stop = starts[which], starts[which + 1]
    flagged = attack.findings if attack is not None else None
    queries = codes if who.unit == "queries" else codes[:0]
    if flagged is not None:
        about = _find_flagged(flagged, begin, stop)
    else:
        about = _mark_queries(log, begin, queries, release)
    none = np.zeros((2, len(begin)), dtype=np.int32)
    findings = FlaggedFindings(start=begin, stop=stop, surviving=none[0], flagged=none[1], **about)
    part = slice(MOST_COUNTED)
    findings.flagged[part], findings.surviving[part] = count_marked_queries(
        log, begin[part], stop[part], findings.mark_query, findings.survives
    )
    return TracedSessions(findings, len(sorted_distinct(log.user[begin])))


def _find_sessions(log: QueryLog, starts: Int64s, unit: str, codes: Array) -> Int64s:
    """Numbers of the sessions that codes stand for, each once, ascending."""
    if not len(codes) or not len(log):
        return np.zeros(0, dtype=np.int64)
    if unit == "queries":
        mask = np.zeros(len(log.queries), dtype=np.bool_)
        mask[codes] = True
        rows = np.flatnonzero(mask[log.query])
    elif unit == "users":
        first = np.searchsorted(starts, log.user_starts[codes])
        size = np.searchsorted(starts, log.user_starts[codes.astype(np.int64) + 1]) - first
        return sorted_distinct(expand_ranges(first, size)).astype(np.int64)
    else:
        rows = codes.astype(np.int64)
    return sorted_distinct(np.searchsorted(starts, rows, side="right") - 1).astype(np.int64)


def _find_flagged(flagged: FlaggedFindings, begin: Int64s, stop: Int64s) -> dict[str, Any]:
    """The reasons, risks and marks that the attack has for sessions, as fields of findings."""
    exposed = flagged.exposed
    reason, risk = np.zeros(len(begin), dtype=np.uint64), np.zeros(len(begin))
    parts = (
        (exposed.rows, exposed.stops, exposed.reason, exposed.risk),
        (flagged.start, flagged.stop, flagged.reason, flagged.risk),  # flagged, if not exposed
    )
    for start, end, bits, worst in parts:
        order = np.argsort(start, kind="stable")
        low = np.searchsorted(end[order], begin, side="right")
        met = np.flatnonzero(low < len(order))
        met = met[start[order][low[met]] < stop[met]]
        reason[met] |= bits[order][low[met]].astype(np.uint64)
        risk[met] = np.maximum(risk[met], worst[order][low[met]])
    fields = "reasons", "mark_query", "mark_start", "mark_stop", "mark_reason", "survives"
    return {"reason": reason, "risk": risk} | {name: getattr(flagged, name) for name in fields}


def _mark_queries(
    log: QueryLog, begin: Int64s, queries: Array, release: Anonymized | None
) -> dict[str, Any]:
    """The same of an attack without flagged sessions: whole queries are marked."""
    queries = sorted_distinct(queries).astype(np.int32)
    size = log.queries.compute_lengths()[queries]
    return {
        "reason": np.ones(len(begin), dtype=np.uint64),
        "risk": np.zeros(len(begin)),
        "reasons": (QCoreApplication.translate("Sessions", "counted here"),),
        "mark_query": queries,
        "mark_start": np.zeros(len(queries), dtype=np.int32),
        "mark_stop": np.minimum(size, np.iinfo(np.int32).max).astype(np.int32),
        "mark_reason": np.zeros(len(queries), dtype=np.uint8),
        "survives": standing_verbatim(log.queries, release),
    }
