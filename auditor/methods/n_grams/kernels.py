"""Compiled loops over the n-grams of users' queries: weight given, and weight expected."""

from typing import NamedTuple

import numpy as np
from numba import njit

from auditor.arrays import Array


class NgramHistories(NamedTuple):
    """The query of each row, where each user's rows begin, and the n-grams of each query.

    Query q has the codes ``codes[places[q]:places[q + 1]]``, in the order of its words; −1 is none.
    """

    query: Array
    starts: Array
    places: Array
    codes: Array


@njit(cache=True, nogil=True)
def weigh_ngrams(
    histories: NgramHistories,
    first: int,
    last: int,
    weight: Array,
    mark: Array,
    own_codes: Array,
    total: Array,
) -> None:
    """Add ``weight[t]`` to each of the first t ≤ ``len(weight) − 1`` n-grams of each user.

    `mark` is int32 scratch of −1 for each n-gram, `own_codes` int32 room for those of one user.
    O(rows of these users · words of a query).
    """
    query, starts, places, codes = histories
    size_limit = len(weight) - 1
    for user in range(first, last):
        size = 0
        row = starts[user]
        while row < starts[user + 1] and size < size_limit:
            query_code = query[row]
            for place in range(places[query_code], places[query_code + 1]):
                code = codes[place]
                if code >= 0 and mark[code] != user:
                    mark[code] = user
                    own_codes[size] = code
                    size += 1
                    if size == size_limit:
                        break
            row += 1
        for place in range(size):
            total[own_codes[place]] += weight[size]


@njit(cache=True, nogil=True)
def expect_weights(
    histories: NgramHistories,
    first: int,
    last: int,
    chances: Array,
    size_limit: int,
    total: Array,
    users: Array,
    mark: Array,
) -> None:
    """Add what each user gives each n-gram if it is a candidate, in the mean over the others.

    N-gram i is one with chance ``chances[i]``; a user of t candidates gives each 1/√t, whose mean
    comes from the mean and the variance of t, to the second order. Of a user's n-grams those count
    before which fewer than `size_limit` candidates are expected. O(rows · words of a query).
    """
    query, starts, places, codes = histories
    for user in range(first, last):
        mean, variance = 0.0, 0.0
        for turn in range(2):
            row = starts[user]
            while row < starts[user + 1] and (turn == 1 or mean < size_limit):
                query_code = query[row]
                for place in range(places[query_code], places[query_code + 1]):
                    code = codes[place]
                    if code < 0:
                        continue
                    chance = chances[code]
                    if turn == 0 and mark[code] != user and mean < size_limit:
                        mark[code] = user
                        mean += chance
                        variance += chance * (1.0 - chance)
                    elif turn == 1 and mark[code] == user:
                        mark[code] = np.int32(-1)
                        size = min(1.0 + mean - chance, 1.0 * size_limit)
                        spread = max(variance - chance * (1.0 - chance), 0.0)
                        total[code] += (1.0 + 0.375 * spread / (size * size)) / np.sqrt(size)
                        users[code] += 1
                row += 1
