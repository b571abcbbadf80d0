"""Every session that an attack reaches, however few of them are listed: what runs are compared by.

Sessions are rows of the raw log, so that those of two releases of one log can be told apart and
put together exactly. 20 bytes a session.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from auditor.arrays import (
    Array,
    Bools,
    Float32s,
    Float64s,
    Int32s,
    Int64s,
    UInt32s,
    UInt64s,
    expand_ranges,
)
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.model import QueryLog


@dataclass(frozen=True, eq=False)
class ExposedSessions:
    """Sessions of the raw log by row, which don't overlap; m of them."""

    # Row at which each begins, ascending: uint32, or int64 in a log of 2³² rows; shape (m,).
    start: Array
    size: UInt32s  # rows from its first event to its last; shape (m,)
    reason: UInt64s  # bit set over the findings' reasons; shape (m,)
    risk: Float32s  # in [0, 1], higher is worse; shape (m,)

    @classmethod
    def of(cls, start: Array, stop: Array, reason: Array, risk: Array) -> ExposedSessions:
        """From columns in any order; O(m), and O(m log m) where they don't stand by row."""
        if len(start) > 1 and bool(np.any(start[1:] < start[:-1])):
            order = np.argsort(start, kind="stable")
            start, stop, reason, risk = start[order], stop[order], reason[order], risk[order]
        small = not len(start) or int(start[-1]) <= np.iinfo(np.uint32).max
        return cls(
            start.astype(np.uint32 if small else np.int64),
            (stop - start).astype(np.uint32),
            reason.astype(np.uint64),
            np.clip(risk, 0.0, 1.0).astype(np.float32),
        )

    def __len__(self) -> int:
        return len(self.start)

    @property
    def rows(self) -> Int64s:
        """Where each session begins, as int64; shape (m,)."""
        return self.start.astype(np.int64)

    @property
    def stops(self) -> Int64s:
        """The row after each session; shape (m,)."""
        return self.rows + self.size

    def select_sessions(self, keep: Bools) -> ExposedSessions:
        """Some of them; `keep` has shape (m,)."""
        columns: tuple[Array, ...] = self.start, self.size, self.reason, self.risk
        return ExposedSessions(*(column[keep] for column in columns))


def rank_sessions(
    starts: Int64s, session: Int64s, bits: UInt64s, chance: Float64s, limit: int
) -> tuple[UInt64s, Float64s, Int64s, ExposedSessions]:
    """Reasons and mean risk of each session, by what its events give; those that have a reason.

    Event i is of ``session[i]``, which begins at ``starts[session[i]]``. `limit` sessions are
    chosen at most, the riskiest first; all that have a reason are exposed. O(n + sessions · log
    sessions).
    """
    count = len(starts) - 1
    reason = np.zeros(count, dtype=np.uint64)
    flagged = np.flatnonzero(bits)
    np.bitwise_or.at(reason, session[flagged], bits[flagged])
    events = np.bincount(session, minlength=count)
    risk = np.bincount(session, chance, minlength=count) / np.maximum(events, 1)
    places = np.flatnonzero(reason)
    exposed = ExposedSessions.of(starts[places], starts[places + 1], reason[places], risk[places])
    return reason, risk, places[np.argsort(-risk[places], kind="stable")][:limit], exposed


def count_marked_queries(
    log: QueryLog, start: Int64s, stop: Int64s, marked_query: Int32s, survives: Bools
) -> tuple[Int32s, Int32s]:
    """Distinct marked queries of each session ``start:stop``, and those of them that survive."""
    marked = np.zeros(len(log.queries), dtype=np.bool_)
    marked[marked_query] = True
    size, count = stop - start, len(start)
    rows, number = expand_ranges(start, size), np.repeat(np.arange(count), size)
    is_marked = marked[log.query[rows]]
    pairs = sorted_distinct((number[is_marked] << 32) | log.query[rows[is_marked]])
    flagged = np.bincount(pairs >> 32, minlength=count)
    surviving = np.bincount(pairs >> 32, survives[pairs & 0xFFFFFFFF], minlength=count)
    return flagged.astype(np.int32), surviving.astype(np.int32)
