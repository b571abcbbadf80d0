"""Microaggregation of users (Navarro-Arribas, Torra, Erola and Castellà-Roca 2012).

Every distance, MDAV and the merged list, in the words of section 3.2 with its two slips mended:
the norm divides by max − min, and the words' Hausdorff distance weighs double.
"""

import functools
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

from tests.reference.logs import Row, histories

T = TypeVar("T", bound=Hashable)
Distances = dict[tuple[str, str], float]


@functools.cache
def levenshtein(first: str, second: str) -> float:
    """Edits of single characters, divided by the longer length."""
    line: list[int] = list(range(len(second) + 1))
    for i, left in enumerate(first, 1):
        before, line[0] = line[0], i
        for j, right in enumerate(second, 1):
            swap = before + (left != right)
            before, line[j] = line[j], min(line[j] + 1, line[j - 1] + 1, swap)
    return line[-1] / max(len(first), len(second), 1)


def hausdorff(first: Sequence[T], second: Sequence[T], apart: Callable[[T, T], float]) -> float:
    """The farthest that any of either is from its nearest of the other."""
    there = max(min(apart(a, b) for b in second) for a in first)
    back = max(min(apart(a, b) for a in first) for b in second)
    return max(there, back)


def labels(url: str | None) -> list[str]:
    """The domain's labels from the right, without case; none without a page."""
    if url is None:
        return []
    host = url.split("://")[-1].split("/")[0].split(":")[0]
    return host.lower().split(".")[::-1]


@functools.cache
def domain_distance(first: str | None, second: str | None) -> float:
    """Weights fall by half from the right-most label on: Σ 2^(m−i)/(2^m − 1)·[differs]."""
    if first is None and second is None:
        return 0.0
    a, b = labels(first), labels(second)
    longest = max(len(a), len(b))
    a += [""] * (longest - len(a))
    b += [""] * (longest - len(b))
    total = 2**longest - 1
    weights = [2.0 ** (longest - i) / total for i in range(1, longest + 1)]
    return math.fsum(w for w, left, right in zip(weights, a, b, strict=True) if left != right)


def norm(values: Sequence[float]) -> Callable[[float], float]:
    """(x − min)/(max − min) over the log; 0 where all are equal."""
    low, high = min(values), max(values)
    return lambda x: (x - low) / (high - low) if high > low else 0.0


def user_distances(rows: list[Row]) -> Distances:
    """The distance of every two users (both ways round)."""
    by_user = histories(rows)
    time = norm([row.time for row in rows])
    rank = norm([row.rank for row in rows if row.rank is not None] or [0])
    terms = norm([len(row.query.split()) for row in rows])
    activity = norm([len(queries) for queries in by_user.values()])

    @functools.cache
    def text(first: str, second: str) -> float:
        a, b = first.split(), second.split()
        length = abs(terms(len(a)) - terms(len(b)))
        return (length + 2 * hausdorff(a, b, levenshtein)) / 3

    def ranks(a: int | None, b: int | None) -> float:
        if a is None or b is None:
            return float(a is not b)
        return abs(rank(a) - rank(b))

    @functools.cache
    def query(a: Row, b: Row) -> float:
        moment = abs(time(a.time) - time(b.time))
        page = domain_distance(a.url, b.url)
        return (moment + ranks(a.rank, b.rank) + page + 3 * text(a.query, b.query)) / 6

    distances: Distances = {}
    users = list(by_user)
    for i, user in enumerate(users):
        for other in users[: i + 1]:
            counts = abs(activity(len(by_user[user])) - activity(len(by_user[other])))
            apart = 0.5 * (counts + hausdorff(by_user[user], by_user[other], query))
            distances[user, other] = distances[other, user] = apart if user != other else 0.0
    return distances


def is_mdav(groups: list[set[str]], apart: Distances, k: int, slack: float) -> bool:
    """Whether MDAV could have made these groups, distances within `slack` being equal.

    While 3k are left: r farthest from all on average with its k − 1 nearest, then s farthest from r
    with its own; if 2k are left, once more around the farthest; the rest is one group.
    """
    remaining = {user for group in groups for user in group}
    group_of = {user: frozenset(group) for group in groups for user in group}

    def average(user: str) -> float:
        return math.fsum(apart[user, other] for other in remaining) / len(remaining)

    def around(user: str) -> bool:
        """Whether the group of `user` are the k nearest of those who are left."""
        group = group_of[user]
        if len(group) != k or not group <= remaining:
            return False
        reach = max(apart[user, other] for other in group)
        others = remaining - group
        return all(apart[user, other] >= reach - slack for other in others)

    def take(value: Callable[[str], float]) -> str | None:
        most = max(map(value, remaining))
        for user in sorted(remaining):
            if value(user) >= most - slack and around(user):
                remaining.difference_update(group_of[user])
                return user
        return None

    while len(remaining) >= 3 * k:
        r = take(average)
        if r is None:
            return False
        far = {user: apart[r, user] for user in remaining}
        if take(far.__getitem__) is None:
            return False
    if len(remaining) >= 2 * k and take(average) is None:
        return False
    return not remaining or len({group_of[user] for user in remaining}) == 1


def shares(total: int, weights: Sequence[int]) -> list[float]:
    """`total` split in proportion, before it is rounded."""
    return [total * weight / sum(weights) for weight in weights]


def wrong_lists(group: dict[str, list[Row]], listed: list[Row]) -> list[str]:
    """What is wrong with the merged list of a group, in words; nothing if it is the source's.

    Its length is the mean of the members'; strings keep each member's frequencies up to rounding;
    every string has the mean time and rank of its rows in the group, and the common end of domains.
    """
    faults = []
    every = [row for history in group.values() for row in history]
    if abs(len(listed) - len(every) / len(group)) > 0.5:
        faults.append("length")
    least: Counter[str] = Counter()
    most: Counter[str] = Counter()
    lengths = shares(len(listed), [len(history) for history in group.values()])
    for history, share in zip(group.values(), lengths, strict=True):
        often = Counter(row.query for row in history)
        for query, count in often.items():
            least[query] += math.floor(math.floor(share) * count / len(history))
            most[query] += math.ceil(math.ceil(share) * count / len(history))
    stands = Counter(row.query for row in listed)
    if any(not least[query] <= stands[query] <= most[query] for query in {*stands, *least}):
        faults.append("frequencies")
    by_query: dict[str, list[Row]] = defaultdict(list)
    for row in every:
        by_query[row.query].append(row)
    for row in listed:
        same = by_query[row.query]
        ranks = [entry.rank for entry in same if entry.rank is not None]
        mean = sum(ranks) / len(ranks) if ranks else None
        if abs(row.time - sum(entry.time for entry in same) / len(same)) > 0.5:
            faults.append("time")
        if (row.rank is None) != (mean is None) or abs((row.rank or 0) - (mean or 0)) > 0.5:
            faults.append("rank")
        if labels(row.url) != common_end([labels(entry.url) for entry in same if entry.url]):
            faults.append("page")
    return faults


def common_end(hosts: list[list[str]]) -> list[str]:
    """The labels from the right that all have in common."""
    common: list[str] = []
    for column in zip(*hosts, strict=False):
        if len(set(column)) > 1:
            break
        common.append(column[0])
    return common


def records(rows: list[Row]) -> dict[str, tuple[str, ...]]:
    """Each user's rows without the user, in an order of their own."""
    return {
        user: tuple(sorted(str(row[1:]) for row in log)) for user, log in histories(rows).items()
    }


def failing(rows: list[Row], k: int) -> set[str]:
    """The users whose record fewer than k − 1 others have."""
    mine = records(rows)
    often = Counter(mine.values())
    return {user for user, record in mine.items() if often[record] < k}
