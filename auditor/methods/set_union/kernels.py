"""Kernels of `set_union`: every user's weight spread over their open queries, and passed on."""

from typing import Any, NamedTuple

import numba
import numpy as np


class LimitedHistories(NamedTuple):
    """The query of each row; where the rows of each user begin, and end within the limit."""

    query: Any
    starts: Any
    stops: Any


class WeightShares(NamedTuple):
    """Which queries are closed, what a user of t open ones gives each, int32 scratch of −1."""

    closed: Any
    weight: Any
    mark: Any


@numba.njit(cache=True, nogil=True)
def spread_weights(
    histories: LimitedHistories,
    first: int,
    last: int,
    shares: WeightShares,
    excess: Any,
    item_limit: int,
    total: Any,
) -> None:
    """Add ``weight[t]`` to each of the t different open queries of users ``first:last``.

    With `excess` (empty if not wanted), the share of each query's weight that stands above a
    ceiling, each gets instead the share of 1/2`item_limit` of what the user gave above it. Whole
    steps, rounded down; the sum runs in the order of the user's rows, so that no larger `excess`
    gives less. O(rows).
    """
    query, starts, stops = histories
    is_closed, weight, mark = shares
    for user in range(first, last):
        size, returned = 0, 0.0
        for row in range(starts[user], stops[user]):
            code = query[row]
            if is_closed[code] == 0 and mark[code] != user:
                mark[code] = user
                size += 1
                if len(excess):
                    returned += excess[code]
        part = weight[size]
        if len(excess):
            part = np.int64(part * returned / (2.0 * item_limit))
        for row in range(starts[user], stops[user]):
            code = query[row]
            if mark[code] == user:
                mark[code] = np.int32(-1)
                total[code] += part


@numba.njit(cache=True, nogil=True)
def spread_expected_weights(
    histories: LimitedHistories,
    first: int,
    last: int,
    still_open: Any,
    excess: Any,
    mark: Any,
    total: Any,
) -> None:
    """Add what each user gives each of their queries if it is open, in the mean over the others.

    Query i is open with chance ``still_open[i]``; a user of t open ones gives each 1/√t. Its mean
    comes from the mean and the variance of t, to the second order. With `excess` (empty if not
    wanted), a query gets the sum of the excess of what the user gives in its place.
    `mark` is int32 scratch of −1. O(rows of these users).
    """
    query, starts, stops = histories
    for user in range(first, last):
        mean, variance, returned = 1.0, 0.0, 0.0
        for row in range(starts[user], stops[user]):
            code = query[row]
            chance = still_open[code]
            if chance > 0 and mark[code] != user:
                mark[code] = user
                mean += chance
                variance += chance * (1.0 - chance)
                if len(excess):
                    returned += chance * excess[code]
        for row in range(starts[user], stops[user]):
            code = query[row]
            if mark[code] == user:
                mark[code] = np.int32(-1)
                chance = still_open[code]
                size = mean - chance
                spread = variance - chance * (1.0 - chance)
                part = (1.0 + 0.375 * spread / (size * size)) / np.sqrt(size)
                if len(excess):
                    part *= returned + (1.0 - chance) * excess[code]
                total[code] += part
