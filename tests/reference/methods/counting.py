"""What the counting methods share: the limited history of a user, and what one count is.

A history is cut before the row that would bring one unit more than the limit. Units are rows,
events (distinct user, query, time) or, by users, queries that the user has not had before.
"""

from collections import Counter
from collections.abc import Iterable
from itertools import pairwise

from tests.reference.logs import Row

Pair = tuple[str, str]


def unit_of(row: Row, unit: str, number: int) -> object:
    """What makes a row a unit of its own within one user's history."""
    return {"rows": number, "events": (row.query, row.time), "users": row.query}[unit]


def cut(history: list[Row], limit: int, unit: str) -> list[Row]:
    """The beginning of a history that has at most `limit` units."""
    units: set[object] = set()
    beginning = []
    for number, row in enumerate(history):
        units.add(unit_of(row, unit, number))
        if len(units) > limit:
            break
        beginning.append(row)
    return beginning


def count_queries(histories: Iterable[list[Row]], unit: str) -> Counter[str]:
    """M(q): the units of each query in all histories."""
    counts: Counter[str] = Counter()
    for history in histories:
        units = {unit_of(row, unit, number): row.query for number, row in enumerate(history)}
        counts.update(units.values())
    return counts


def count_clicks(histories: Iterable[list[Row]], c_f: int, unit: str) -> Counter[Pair]:
    """The first `c_f` clicks of each history; by users, a page counts once for a query."""
    counts: Counter[Pair] = Counter()
    for history in histories:
        clicks = [(row.query, row.url) for row in history if row.url is not None]
        if unit == "users":
            clicks = list(dict.fromkeys(clicks))
        counts.update(clicks[:c_f])
    return counts


def count_transitions(histories: Iterable[list[Row]], q_f: int, unit: str) -> Counter[Pair]:
    """From each query to the next other one, the first q_f − 1; by users, different ones once.

    Rows of one event may have another query between them, so that the changes can be more.
    """
    counts: Counter[Pair] = Counter()
    for history in histories:
        pairs = [
            (before.query, after.query)
            for before, after in pairwise(history)
            if before.query != after.query
        ]
        if unit == "users":
            pairs = list(dict.fromkeys(pairs))
        counts.update(pairs[: q_f - 1])
    return counts
