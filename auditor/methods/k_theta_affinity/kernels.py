"""Compiled loops over integer codes: users of words, and users of stems.

Every loop handles one block, so that its caller hears a cancel in between.
"""

from typing import NamedTuple

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
