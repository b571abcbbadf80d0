"""Compiled loops over integer codes: users of queries and words, runs of words, users of stems.

Every loop handles one block, so that its caller hears a cancel in between.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from auditor.arrays import Array, RaggedArray


class QueryRuns(NamedTuple):
    """The words of queries end to end: of each position its word, its query, the weight before it.

    `weight` has one element more than there are positions; row q of `offsets` is query q's.
    """

    words: Array
    queries: Array
    weight: Array
    offsets: Array


class StemGroups(NamedTuple):
    """The queries of each stem and the users of each query; scratch of one element a user."""

    queries: RaggedArray
    users: RaggedArray
    last_stem: Array


@njit(cache=True, nogil=True)
def count_word_users(
    query: Array,
    starts: Array,
    first: int,
    last: int,
    words: RaggedArray,
    stamp: Array,
    counts: Array,
) -> None:
    """Add to each word its distinct users among [first, last). O(rows · words of a query)."""
    for user in range(first, last):
        for row in range(starts[user], starts[user + 1]):
            code = query[row]
            for place in range(words.starts[code], words.starts[code + 1]):
                word = words.values[place]
                if stamp[word] != user:
                    stamp[word] = user
                    counts[word] += 1


@njit(cache=True, nogil=True)
def find_rarest_words(words: RaggedArray, counts: Array, rarest: Array) -> None:
    """The users of each string's rarest word; where it has none, `rarest` stays. O(words)."""
    for string in range(len(words.starts) - 1):
        for place in range(words.starts[string], words.starts[string + 1]):
            rarest[string] = min(rarest[string], counts[words.values[place]])


@njit(cache=True, nogil=True)
def write_longer_runs(
    runs: QueryRuns,
    shorter: tuple[Array, Array],
    length: int,
    span: tuple[int, int],
    out: Array,
    count: int,
) -> int:
    """Where a run of `length` words begins both of whose runs of one word less have a code.

    `shorter` are the positions of those, ascending, and their codes, −1 where there is none. Writes
    a key and the position of each into the rows of `out` from `count` on, and returns how many
    there are then; O(positions in `span`).
    """
    positions, codes = shorter
    for place in range(span[0], min(span[1], len(positions) - 1)):
        start = positions[place]
        if codes[place] < 0 or codes[place + 1] < 0 or positions[place + 1] != start + 1:
            continue
        if start + length <= runs.offsets[runs.queries[start] + 1]:
            word = np.int64(runs.words[start + length - 1])
            out[0, count] = (np.int64(codes[place]) << 32) | word
            out[1, count] = start
            count += 1
    return count


@njit(cache=True, nogil=True)
def add_users(runs: QueryRuns, positions: Array, codes: Array, users: Array, total: Array) -> None:
    """Add the users of each run's query to its code's total, a bound of its users. O(runs)."""
    for place in range(len(positions)):
        total[codes[place]] += users[runs.queries[positions[place]]]


@njit(cache=True, nogil=True)
def select_stems(
    runs: QueryRuns, positions: Array, codes: Array, length: int, theta: float, chosen: Array
) -> None:
    """Mark the runs that weigh at least `theta` of their query; O(runs)."""
    for place in range(len(positions)):
        start = positions[place]
        query = runs.queries[start]
        total = runs.weight[runs.offsets[query + 1]] - runs.weight[runs.offsets[query]]
        part = runs.weight[start + length] - runs.weight[start]
        chosen[place] = codes[place] >= 0 and part >= theta * total


@njit(cache=True, nogil=True)
def raise_support(groups: StemGroups, first: int, last: int, support: Array) -> None:
    """Raise the support of each query to the distinct users of each of its stems.

    O(users of the queries of the stems in [first, last)).
    """
    for stem in range(first, last):
        count = 0
        for place in range(groups.queries.starts[stem], groups.queries.starts[stem + 1]):
            query = groups.queries.values[place]
            for entry in range(groups.users.starts[query], groups.users.starts[query + 1]):
                user = groups.users.values[entry]
                if groups.last_stem[user] != stem:
                    groups.last_stem[user] = stem
                    count += 1
        for place in range(groups.queries.starts[stem], groups.queries.starts[stem + 1]):
            query = groups.queries.values[place]
            support[query] = max(support[query], count)
