"""Kernels of `set_union`: every user's weight spread over their queries that aren't found yet."""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
import numpy as np


class LimitedHistories(NamedTuple):
    """The query of each row; where the rows of each user begin, and end within the limit."""

    query: Any
    starts: Any
    stops: Any


@numba.njit(cache=True, nogil=True)
def spread_weights(
    histories: LimitedHistories,
    first: int,
    last: int,
    found: Any,
    weight: Any,
    mark: Any,
    total: Any,
) -> int:
    """Add ``weight[t]`` to each of the t different queries that a user asked and nobody found.

    `mark` is int32 scratch over queries, −1 before the first call. Returns how many users of
    ``range(first, last)`` had something to give. O(rows of these users).
    """
    query, starts, stops = histories
    gave = 0
    for user in range(first, last):
        size = 0
        for row in range(starts[user], stops[user]):
            code = query[row]
            if found[code] == 0 and mark[code] != user:
                mark[code] = user
                size += 1
        if size == 0:
            continue
        gave += 1
        part = weight[size]
        for row in range(starts[user], stops[user]):
            code = query[row]
            if mark[code] == user:
                mark[code] = np.int32(-1)
                total[code] += part
    return gave
