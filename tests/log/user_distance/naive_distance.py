"""The distance between users, word for word after its definition, in plain Python."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np

from auditor.log.model import NONE, QueryLog
from auditor.log.user_distance.features import DistanceWeights

T = TypeVar("T")
Event = tuple[float, float | None, tuple[str, ...], float, frozenset[str]]


def levenshtein(a: str, b: str) -> int:
    row = list(range(len(b) + 1))
    for i, letter in enumerate(a):
        new = [i + 1]
        for j, other in enumerate(b):
            new.append(min(row[j + 1] + 1, new[j] + 1, row[j] + (letter != other)))
        row = new
    return row[-1]


def words_apart(a: str, b: str) -> float:
    return levenshtein(a, b) / max(len(a), len(b))


def hausdorff(a: Sequence[T], b: Sequence[T], apart: Callable[[T, T], float]) -> float:
    if not a or not b:
        return 0.0 if not a and not b else 1.0
    there = max(min(apart(x, y) for y in b) for x in a)
    back = max(min(apart(x, y) for x in a) for y in b)
    return max(there, back)


def domains_apart(a: Sequence[str], b: Sequence[str]) -> float:
    if not a or not b:
        return 0.0 if not a and not b else 1.0
    m = max(len(a), len(b))
    total = 0.0
    for i in range(1, m + 1):
        x, y = (host[-i] if i <= len(host) else None for host in (a, b))
        total += 2 ** (m - i) / (2**m - 1) * (x is None or y is None or x.lower() != y.lower())
    return total


def norm(values: Sequence[float]) -> Callable[[float], float]:
    low, high = min(values), max(values)
    return lambda x: (x - low) / (high - low) if high > low else 0.0


@functools.cache
def distances(log: QueryLog, w: DistanceWeights) -> np.ndarray:
    queries = log.queries.list_strings()
    time = norm(log.time.tolist())
    ranks = [rank for rank in log.rank.tolist() if rank != NONE]
    rank = norm(ranks) if ranks else (lambda x: 0.0)
    terms = norm([len(text.split()) for text in queries])
    sizes = np.bincount(log.user)
    size = norm(sizes.tolist())
    users: list[list[Event]] = [[] for _ in sizes]
    for row in range(len(log)):
        text = queries[log.query[row]].split()
        url = "" if log.url[row] == NONE else log.urls[int(log.url[row])]
        host = url.removeprefix("http://").split("/")[0]
        users[log.user[row]].append(
            (
                time(float(log.time[row])),
                None if log.rank[row] == NONE else rank(float(log.rank[row])),
                tuple(host.split(".")) if host else (),
                terms(len(text)),
                frozenset(text),
            )
        )

    def events_apart(a: Event, b: Event) -> float:
        both = (a[1] is None) + (b[1] is None)
        ranked = abs(a[1] - b[1]) if a[1] is not None and b[1] is not None else float(both == 1)
        text = w.length * abs(a[3] - b[3])
        text += w.words * hausdorff(sorted(a[4]), sorted(b[4]), words_apart)
        parts = w.time * abs(a[0] - b[0]) + w.rank * ranked + w.url * domains_apart(a[2], b[2])
        parts += w.text * text / (w.length + w.words)
        return parts / (w.time + w.rank + w.url + w.text)

    n = len(users)
    out = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            far = w.count * abs(size(sizes[i]) - size(sizes[j]))
            far += w.queries * hausdorff(users[i], users[j], events_apart)
            out[i, j] = far / (w.count + w.queries)
    return out
