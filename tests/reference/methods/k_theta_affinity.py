"""kΘ-affinity, this program's reading of Carpineto and Romano (2015), by its definition.

A run of consecutive words of a query is a stem of it if it weighs at least Θ of the query; all
queries of which it is a stem are affine. A query is released if one of its stems has at least k
different users in all its queries, each of whose words has w users.
"""

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


def release(
    rows: list[Row], *, k: int, theta: float, w: int, information: bool = True
) -> list[Row]:
    """The rows that are kept, in their order."""
    users, weight = askers(rows, w), weighing(rows, information=information)
    by_stem: dict[Words, set[str]] = {}
    for query, issuers in users.items():
        for stem in stems(query, theta, weight):
            by_stem.setdefault(stem, set()).update(issuers)
    released = {
        query
        for query, issuers in users.items()
        if any(
            len(group) >= k
            for group in [issuers, *(by_stem[stem] for stem in stems(query, theta, weight))]
        )
    }
    return [row for row in rows if row.query in released]
