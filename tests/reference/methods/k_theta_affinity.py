"""kΘ-affinity, this program's reading of Carpineto and Romano (2015), by its definition.

A run of consecutive words of a query is a stem of it if it weighs at least Θ of the query; all
queries of which it is a stem are affine. A query is released if one of its stems has at least k
different users in all its queries, each of whose words has w users. The published abstract has
the generalized k-cores of the graph of affine queries: `core`, of which the release is a part.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from tests.reference.logs import Row

Words = tuple[str, ...]
MOST_WORDS = 64


def words_of(query: str) -> Words:
    return tuple(word.lower() for word in query.split())


def weighing(rows: list[Row], *, information: bool) -> Callable[[Words], int]:
    """The weight of words: a thousandth of a bit is 1, or a word is 1000."""
    if not information:
        return lambda words: 1000 * len(words)
    users = {row.user for row in rows}
    by_word: dict[str, set[str]] = {}
    for row in rows:
        for word in words_of(row.query):
            by_word.setdefault(word, set()).add(row.user)
    bits = {
        word: max(1, round(1000 * math.log2((len(users) + 1) / len(those))))
        for word, those in by_word.items()
    }
    return lambda words: sum(bits[word] for word in words)


def askers(rows: list[Row], w: int) -> dict[str, set[str]]:
    """The users of each query all of whose words have w users."""
    of_word: dict[str, set[str]] = {}
    of_query: dict[str, set[str]] = {}
    for row in rows:
        of_query.setdefault(row.query, set()).add(row.user)
        for word in words_of(row.query):
            of_word.setdefault(word, set()).add(row.user)
    return {
        query: users
        for query, users in of_query.items()
        if all(len(of_word[word]) >= w for word in words_of(query))
    }


def stems(query: str, theta: float, weight: Callable[[Words], int]) -> set[Words]:
    words = words_of(query)
    if len(words) > MOST_WORDS:
        return set()
    runs = {
        words[first:last]
        for first in range(len(words))
        for last in range(first + 1, len(words) + 1)
    }
    return {run for run in runs if weight(run) >= (theta - 1e-9) * weight(words)}


def supported(
    rows: list[Row], *, k: int, theta: float, w: int, information: bool
) -> dict[str, list[set[str]]]:
    """The released queries, and for each stem of k users who those are."""
    users, weight = askers(rows, w), weighing(rows, information=information)
    by_stem: dict[Words, set[str]] = {}
    for query, issuers in users.items():
        for stem in stems(query, theta, weight):
            by_stem.setdefault(stem, set()).update(issuers)
    released = {}
    for query, issuers in users.items():
        groups = [issuers, *(by_stem[stem] for stem in stems(query, theta, weight))]
        large = [group for group in groups if len(group) >= k]
        if large:
            released[query] = large
    return released


def release(
    rows: list[Row], *, k: int, theta: float, w: int, information: bool = True
) -> list[Row]:
    """The rows that are kept, in their order."""
    released = supported(rows, k=k, theta=theta, w=w, information=information)
    return [row for row in rows if row.query in released]


def affinity(query: str, other_query: str, weight: Callable[[Words], int]) -> float:
    """The greatest weight of a common run, of the heavier query's."""
    first, second = words_of(query), words_of(other_query)
    common = [
        weight(first[a : a + length])
        for length in range(1, min(len(first), len(second)) + 1)
        for a in range(len(first) - length + 1)
        for b in range(len(second) - length + 1)
        if first[a : a + length] == second[b : b + length]
    ]
    return max(common, default=0) / max(weight(first), weight(second))


def core(rows: list[Row], *, k: int, theta: float, w: int, information: bool = True) -> set[str]:
    """The generalized core of level k: queries are taken away until each that is left has k users.

    The value of a query among those left is the number of different users of it and of all that
    are affine to it; it can only fall, so that the order does not matter.
    """
    users, weight = askers(rows, w), weighing(rows, information=information)
    remaining = set(users)
    while True:
        poor = {
            query
            for query in remaining
            if len(
                users[query].union(
                    *(
                        users[other]
                        for other in remaining
                        if affinity(query, other, weight) >= theta - 1e-9
                    )
                )
            )
            < k
        }
        if not poor:
            return remaining
        remaining -= poor
