"""From a log to the counts of its (query, day or week) cells, limited as `budget` says."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from auditor.arrays import Int64s
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.model import QueryLog
from auditor.methods.noisy_counts.histograms import (
    ContributionLimits,
    CountingUnit,
    count_keys,
    limit_users,
    user_blocks,
)
from auditor.methods.noisy_counts.period_units import HISTORY, name_units, number_periods, period_of
from auditor.progress import Progress

BLOCK_ROWS = 1 << 21


@dataclass(frozen=True, eq=False)
class DatedCells:
    """The cells that are not 0, by query and then step.

    Attributes
    ----------
    query, step, count
        Code of the query, number of the step since 1970, and how many parts hold the query;
        shape (cells,).
    parts
        Parts of users in the log: what one did within one step and one unit.
    units
        Units of protection in the log.
    rows_beyond
        Rows of parts beyond the first m of their unit.
    """

    query: Int64s
    step: Int64s
    count: Int64s
    parts: int
    units: int
    rows_beyond: int

    def __len__(self) -> int:
        return len(self.count)


def count_dated_cells(
    log: QueryLog, *, step: str, unit: str, q_f: int, parts: int, progress: Progress
) -> DatedCells:
    """Count the parts of each query and step; O(rows log rows)."""
    if not len(log):
        none = np.zeros(0, dtype=np.int64)
        return DatedCells(none, none, none, 0, 0, 0)
    progress.stage("cutting histories")
    pieces = number_periods(log, step, unit)
    owner = log.user if unit == HISTORY else number_periods(log, unit)
    first_row = np.flatnonzero(np.diff(owner, prepend=-1))
    order = pieces - pieces[first_row][np.searchsorted(first_row, np.arange(len(log)), "right") - 1]
    keep = order < parts
    progress.check()
    kept, number = log, pieces
    if not keep.all():
        kept, number = log.rows(keep), pieces[keep]
        number = np.cumsum(np.diff(number, prepend=number[0]) != 0, dtype=np.int32)
    cut = QueryLog(
        user=number,
        query=kept.query,
        time=kept.time,
        url=kept.url,
        rank=kept.rank,
        users=name_units(int(number[-1]) + 1),
        queries=kept.queries,
        urls=kept.urls,
    )
    cells = _count_cells(cut, step, q_f, progress)
    query = cells[0] if kept is log else kept.queries.match(log.queries)[cells[0]].astype(np.int64)
    return DatedCells(
        query,
        cells[1],
        cells[2],
        parts=len(cut.users),
        units=int(np.count_nonzero(np.diff(owner, prepend=-1))),
        rows_beyond=len(log) - len(kept),
    )


def _count_cells(
    cut: QueryLog, step: str, q_f: int, progress: Progress
) -> tuple[Int64s, Int64s, Int64s]:
    """Query, step and count of each cell of a log whose users are parts."""
    limited = limit_users(cut, ContributionLimits(CountingUnit.USERS, q_f, 1), progress)
    blank = cut.queries.find_blank()
    starts = cut.user_starts
    at = period_of(cut.time[starts[:-1]], step)
    lowest = int(at.min())
    width = int(at.max()) - lowest + 1
    pieces: list[Int64s] = []
    for first, last in user_blocks(cut, "counting days", progress, BLOCK_ROWS):
        rows = np.arange(int(starts[first]), int(starts[last]))
        user = cut.user[rows].astype(np.int64)
        inside = (rows < limited.stops[user]) & ~blank[cut.query[rows]]
        pair = sorted_distinct(user[inside] * len(cut.queries) + cut.query[rows[inside]])
        owner, query = np.divmod(pair, len(cut.queries))
        pieces.append(query * width + at[owner] - lowest)
    keys, count = count_keys(pieces, progress)
    query, where = np.divmod(keys, width)
    return query, where + lowest, count
