"""Whom one release exposes and another doesn't, by the rows of the log that both came from; no Qt.

Exact over all that an attack flags, however few of it are listed. A session of one side is also
exposed by the other if they share a row: two settings of an attack may cut sessions differently.
For a worker thread: O(m log m) for m exposed sessions of both sides, and arrays of that size.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from auditor.arrays import Array, Float32s, Int64s, UInt8s, UInt64s
from auditor.attacks.risk.exposed_sessions import ExposedSessions
from auditor.attacks.risk.reasons import main_reasons
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.model import QueryLog
from auditor.progress import Progress

FIRST, SECOND, BOTH = 1, 2, 3
"""Exposed by the first run alone, by the second alone, by both."""

Level = Literal["users", "sessions"]


@dataclass(frozen=True, eq=False)
class ExposureSide:
    """What one run's attack exposes, and what the bits of its reasons say."""

    exposed: ExposedSessions
    reasons: tuple[str, ...]

    def list_reasons(self, bits: int) -> list[str]:
        return main_reasons([text for bit, text in enumerate(self.reasons) if bits >> bit & 1])


@dataclass(frozen=True, eq=False, kw_only=True)
class ExposureRows:
    """Users or sessions that either run exposes; m of them.

    Arrays have shape (m,), those of either side (2, m).
    """

    user: Int64s
    start: Int64s
    stop: Int64s
    """Rows of each session; of a user's, from the first to the end of the last."""
    where: UInt8s
    """`FIRST`, `SECOND` or `BOTH`."""
    reason: UInt64s
    """Of either side: reason bits, the highest risk, and how many sessions are exposed."""
    risk: Float32s
    sessions: Int64s

    def __len__(self) -> int:
        return len(self.user)

    def count(self, where: int) -> int:
        return int(np.count_nonzero(self.where == where))


@dataclass(frozen=True, eq=False)
class ExposureDifference:
    """Two sides of one attack compared, by user and by session."""

    first: ExposureSide
    second: ExposureSide
    users: ExposureRows
    sessions: ExposureRows

    def select_rows(self, level: Level) -> ExposureRows:
        return self.users if level == "users" else self.sessions


def compare_exposure(
    log: QueryLog, first: ExposureSide, second: ExposureSide, least: float, progress: Progress
) -> ExposureDifference:
    """Whom either side exposes with a risk of `least` or more."""
    a, b = first.exposed, second.exposed
    if least > 0:  # a risk as the tables show it: to two digits
        lowest = np.float32(round(least, 2))
        a, b = (side.select_sessions(np.round(side.risk, 2) >= lowest) for side in (a, b))
    progress.check()
    sessions = _compare_sessions(log, a, b)
    progress.check()
    return ExposureDifference(first, second, _compare_users(log, a, b), sessions)


def _compare_sessions(log: QueryLog, a: ExposedSessions, b: ExposedSessions) -> ExposureRows:
    low, high = _find_overlaps(a, b)
    first, last = _find_overlaps(b, a)
    alone = last <= first
    start = np.concatenate([a.rows, b.rows[alone]])
    stop = np.concatenate([a.stops, b.stops[alone]])
    size, total = len(a), len(start)
    reason, risk = np.zeros((2, total), np.uint64), np.zeros((2, total), np.float32)
    for values, of_a, of_b, fold in (
        (reason, a.reason, b.reason, np.bitwise_or),
        (risk, a.risk, b.risk, np.maximum),
    ):
        values[0, :size] = of_a
        values[1] = np.concatenate([_reduce_ranges(fold, of_b, low, high), of_b[alone]])
    where = np.full(total, SECOND, dtype=np.uint8)
    where[:size] = np.where(high > low, BOTH, FIRST)
    sessions = np.ones((2, total), dtype=np.int64)
    sessions[0, size:], sessions[1, :size] = 0, high - low
    user = log.user[start].astype(np.int64) if len(start) else start
    return ExposureRows(
        user=user, start=start, stop=stop, where=where, reason=reason, risk=risk, sessions=sessions
    )


def _find_overlaps(a: ExposedSessions, b: ExposedSessions) -> tuple[Int64s, Int64s]:
    """Of each session of `a` the range of sessions of `b` that share a row with it."""
    low = np.searchsorted(b.stops, a.rows, side="right").astype(np.int64)
    high = np.searchsorted(b.rows, a.stops, side="left").astype(np.int64)
    return low, np.maximum(low, high)


def _reduce_ranges(fold: np.ufunc, values: Array, low: Int64s, high: Int64s) -> Array:
    """`fold` over ``values[low:high]`` of each range, 0 for an empty one."""
    if not len(values) or not len(low):
        return np.zeros(len(low), dtype=values.dtype)
    padded = np.append(values, values.dtype.type(0))
    folded: Array = fold.reduceat(padded, np.column_stack((low, high)).ravel())[::2]
    return np.where(high > low, folded, values.dtype.type(0))


def _compare_users(log: QueryLog, a: ExposedSessions, b: ExposedSessions) -> ExposureRows:
    parts = [_by_user(log, side) for side in (a, b)]
    user = sorted_distinct(np.concatenate([who for who, *_ in parts])).astype(np.int64)
    size = len(user)
    reason, risk = np.zeros((2, size), np.uint64), np.zeros((2, size), np.float32)
    sessions, where = np.zeros((2, size), np.int64), np.zeros(size, np.uint8)
    start = np.full(size, np.iinfo(np.int64).max, np.int64)
    stop = np.zeros(size, np.int64)
    for side, exposed in enumerate((a, b)):
        who, begins, ends, bits, worst = parts[side]
        index = np.searchsorted(user, who)
        where[index] |= FIRST if side == 0 else SECOND
        reason[side, index], risk[side, index], sessions[side, index] = bits, worst, ends - begins
        start[index] = np.minimum(start[index], exposed.rows[begins])
        stop[index] = np.maximum(stop[index], exposed.stops[ends - 1])
    return ExposureRows(
        user=user, start=start, stop=stop, where=where, reason=reason, risk=risk, sessions=sessions
    )


def _by_user(
    log: QueryLog, exposed: ExposedSessions
) -> tuple[Int64s, Int64s, Int64s, UInt64s, Float32s]:
    """Users of some sessions, the range of each one's sessions, their reasons and worst risk."""
    whose = log.user[exposed.rows].astype(np.int64) if len(exposed) else exposed.rows
    begins = np.flatnonzero(np.diff(whose, prepend=-1)).astype(np.int64)
    ends = np.append(begins[1:], len(whose)).astype(np.int64) if len(begins) else begins
    bits, risk = exposed.reason, exposed.risk
    if len(begins):
        bits, risk = np.bitwise_or.reduceat(bits, begins), np.maximum.reduceat(risk, begins)
    return whose[begins], begins, ends, bits, risk


def select_lines(
    lines: ExposureRows, where: Sequence[int], key: str, descending: bool, user: int | None = None
) -> Int64s:
    """Positions of the lines to list, in the order wanted; ties by risk, then as in the log."""
    keep = np.isin(lines.where, where)
    if user is not None:
        keep &= lines.user == user
    places = np.flatnonzero(keep).astype(np.int64)
    worst = lines.risk.max(axis=0, initial=0)
    columns: dict[str, Array] = {"where": lines.where, "log": lines.start, "risk": worst}
    for name, pair in (("why", lines.reason), ("risk", lines.risk), ("sessions", lines.sessions)):
        columns |= {f"{name} {side + 1}": pair[side] for side in (0, 1)}
    column = columns[key][places].astype(np.float64)
    order = np.lexsort((lines.start[places], -worst[places], -column if descending else column))
    return places[order]
