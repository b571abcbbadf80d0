"""Compiled walks for explanations: where in their histories users issued one query."""

from __future__ import annotations

import numpy as np
from numba import njit

from auditor.arrays import Array

EVENTS, USERS = 1, 2
"""Numbers of `histograms.CountingUnit`; what is neither counts rows."""


@njit(cache=True, nogil=True)
def write_ordinals(
    query: Array,
    time: Array,
    starts: Array,
    users: Array,
    target: int,
    unit: int,
    dropped: Array,
    mark: Array,
    out: Array,
    firsts: Array,
    totals: Array,
) -> int:
    """Which unit of their history, from 1, each event of `target` is, for each of `users`.

    A unit is what `kernels.count_queries` takes for one, and `dropped` is passed over alike, so
    that a limit of q counts exactly those whose number is at most q. Fills `out`; for each user
    `firsts` with their first one (left as it is where there is none) and `totals` with the units of
    their whole history. `mark` is int32 scratch over queries, −1 before the first call. Returns
    how many were found. O(rows of `users`).
    """
    cleaned = len(dropped) > 0
    count = 0
    for index in range(len(users)):
        user = users[index]
        begin = starts[user]
        taken = 0
        for row in range(begin, starts[user + 1]):
            code = query[row]
            if cleaned and dropped[code]:
                continue
            if unit == USERS:
                new = mark[code] != user
                mark[code] = np.int32(user)
            elif unit == EVENTS:
                new = row == begin or query[row - 1] != code or time[row - 1] != time[row]
            else:
                new = True
            if new:
                taken += 1
                if code == target:
                    out[count] = taken
                    count += 1
                    if firsts[index] == 0:
                        firsts[index] = taken
        totals[index] = taken
    return count
