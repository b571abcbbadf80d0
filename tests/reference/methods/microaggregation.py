"""Microaggregation of users (Navarro-Arribas, Torra, Erola and Castellà-Roca 2012).

Every distance, MDAV and the merged list, in the words of section 3.2 with its two slips mended:
the norm divides by max − min, and the words' Hausdorff distance weighs double.
"""

from __future__ import annotations

import functools
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

from tests.reference.logs import Row, histories

T = TypeVar("T", bound=Hashable)
Distances = dict[tuple[str, str], float]


@functools.cache
def levenshtein(one: str, other: str) -> float:
    """Edits of single characters, divided by the longer length."""
    line: list[int] = list(range(len(other) + 1))
    for i, left in enumerate(one, 1):
        before, line[0] = line[0], i
        for j, right in enumerate(other, 1):
            swap = before + (left != right)
            before, line[j] = line[j], min(line[j] + 1, line[j - 1] + 1, swap)
    return line[-1] / max(len(one), len(other), 1)


def hausdorff(one: Sequence[T], other: Sequence[T], apart: Callable[[T, T], float]) -> float:
    """The farthest that any of either is from its nearest of the other."""
    there = max(min(apart(a, b) for b in other) for a in one)
    back = max(min(apart(a, b) for a in one) for b in other)
    return max(there, back)


def labels(url: str | None) -> list[str]:
    """The domain's labels from the right, without case; none without a page."""
    if url is None:
        return []
    host = url.split("://")[-1].split("/")[0].split(":")[0]
    return host.lower().split(".")[::-1]


@functools.cache
def domain_distance(one: str | None, other: str | None) -> float:
    """Weights fall by half from the right-most label on: Σ 2^(m−i)/(2^m − 1)·[differs]."""
    if one is None and other is None:
        return 0.0
    a, b = labels(one), labels(other)
    longest = max(len(a), len(b))
    a += [""] * (longest - len(a))
    b += [""] * (longest - len(b))
    whole = 2**longest - 1
    weights = [2.0 ** (longest - i) / whole for i in range(1, longest + 1)]
    return math.fsum(w for w, left, right in zip(weights, a, b, strict=True) if left != right)


def norm(values: Sequence[float]) -> Callable[[float], float]:
    """(x − min)/(max − min) over the log; 0 where all are equal."""
    low, high = min(values), max(values)
    return lambda x: (x - low) / (high - low) if high > low else 0.0


def user_distances(rows: list[Row]) -> Distances:
    """The distance of every two users (both ways round)."""
    own = histories(rows)
    time = norm([row.time for row in rows])
    rank = norm([row.rank for row in rows if row.rank is not None] or [0])
    terms = norm([len(row.query.split()) for row in rows])
    activity = norm([len(queries) for queries in own.values()])

    @functools.cache
    def text(one: str, other: str) -> float:
        a, b = one.split(), other.split()
        length = abs(terms(len(a)) - terms(len(b)))
        return (length + 2 * hausdorff(a, b, levenshtein)) / 3

    def ranks(one: int | None, other: int | None) -> float:
        if one is None or other is None:
            return float(one is not other)
        return abs(rank(one) - rank(other))

    @functools.cache
    def query(one: Row, other: Row) -> float:
        moment = abs(time(one.time) - time(other.time))
        page = domain_distance(one.url, other.url)
        return (moment + ranks(one.rank, other.rank) + page + 3 * text(one.query, other.query)) / 6

    found: Distances = {}
    users = list(own)
    for i, one in enumerate(users):
        for other in users[: i + 1]:
            counts = abs(activity(len(own[one])) - activity(len(own[other])))
            apart = 0.5 * (counts + hausdorff(own[one], own[other], query))
            found[one, other] = found[other, one] = apart if one != other else 0.0
    return found


def is_mdav(groups: list[set[str]], apart: Distances, k: int, slack: float) -> bool:
    """Whether MDAV could have made these groups, distances within `slack` being equal.

    While 3k are left: r farthest from all on average with its k − 1 nearest, then s farthest from r
    with its own; if 2k are left, once more around the farthest; the rest is one group.
    """
    left = {user for group in groups for user in group}
    group_of = {user: frozenset(group) for group in groups for user in group}

    def average(user: str) -> float:
        return math.fsum(apart[user, other] for other in left) / len(left)

    def around(user: str) -> bool:
        """Whether the group of `user` are the k nearest of those who are left."""
        group = group_of[user]
        if len(group) != k or not group <= left:
            return False
        reach = max(apart[user, other] for other in group)
        others = left - group
        return all(apart[user, other] >= reach - slack for other in others)

    def take(value: Callable[[str], float]) -> str | None:
        most = max(map(value, left))
        for user in sorted(left):
            if value(user) >= most - slack and around(user):
                left.difference_update(group_of[user])
                return user
        return None

    while len(left) >= 3 * k:
        r = take(average)
        if r is None:
            return False
        far = {user: apart[r, user] for user in left}
        if take(far.__getitem__) is None:
            return False
    if len(left) >= 2 * k and take(average) is None:
        return False
    return not left or len({group_of[user] for user in left}) == 1


def shares(total: int, weights: Sequence[int]) -> list[float]:
    """`total` split in proportion, before it is rounded."""
    return [total * weight / sum(weights) for weight in weights]


def wrong_lists(group: dict[str, list[Row]], listed: list[Row]) -> list[str]:
    """What is wrong with the merged list of a group, in words; nothing if it is the source's.

    Its length is the mean of the members'; strings keep each member's frequencies up to rounding;
    every string has the mean time and rank of its rows in the group, and the common end of domains.
    """
    found = []
    every = [row for own in group.values() for row in own]
    if abs(len(listed) - len(every) / len(group)) > 0.5:
        found.append("length")
    least: Counter[str] = Counter()
    most: Counter[str] = Counter()
    whole = shares(len(listed), [len(own) for own in group.values()])
    for own, share in zip(group.values(), whole, strict=True):
        often = Counter(row.query for row in own)
        for query, count in often.items():
            least[query] += math.floor(math.floor(share) * count / len(own))
            most[query] += math.ceil(math.ceil(share) * count / len(own))
    stands = Counter(row.query for row in listed)
    if any(not least[query] <= stands[query] <= most[query] for query in {*stands, *least}):
        found.append("frequencies")
    by_query: dict[str, list[Row]] = defaultdict(list)
    for row in every:
        by_query[row.query].append(row)
    for row in listed:
        same = by_query[row.query]
        ranks = [one.rank for one in same if one.rank is not None]
        mean = sum(ranks) / len(ranks) if ranks else None
        if abs(row.time - sum(one.time for one in same) / len(same)) > 0.5:
            found.append("time")
        if (row.rank is None) != (mean is None) or abs((row.rank or 0) - (mean or 0)) > 0.5:
            found.append("rank")
        if labels(row.url) != common_end([labels(one.url) for one in same if one.url]):
            found.append("page")
    return found


def common_end(hosts: list[list[str]]) -> list[str]:
    """The labels from the right that all have in common."""
    found: list[str] = []
    for column in zip(*hosts, strict=False):
        if len(set(column)) > 1:
            break
        found.append(column[0])
    return found


def records(rows: list[Row]) -> dict[str, tuple[str, ...]]:
    """Each user's rows without the user, in an order of their own."""
    return {
        user: tuple(sorted(str(row[1:]) for row in own)) for user, own in histories(rows).items()
    }


def failing(rows: list[Row], k: int) -> set[str]:
    """The users whose record fewer than k − 1 others have."""
    mine = records(rows)
    often = Counter(mine.values())
    return {user for user, record in mine.items() if often[record] < k}
