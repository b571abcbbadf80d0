"""MDAV: groups of k to 2k − 1 records by distance (Algorithm 1 of the source).

While 3k records are left: the record r farthest from the centre of all gets its k − 1 nearest;
the record s farthest from r gets its k − 1 nearest. If 2k are left, once more around the
farthest from the centre. The rest is one group. Of equal distances the lower number wins.

O(n²) in all for n records, and O(n) memory beside the distances.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from auditor.arrays import Float32s, Int64s
from auditor.progress import Progress

Farthest = Callable[[Int64s], int]


def group_by_mdav(
    apart: Float32s, k: int, progress: Progress, *, farthest: Farthest | None = None
) -> list[Int64s]:
    """Groups of ascending positions; every record is in one.

    Parameters
    ----------
    apart
        Symmetric distances; shape (n, n).
    k
        Least size of a group; with n < 2k there is one group of all.
    farthest
        Position of the record farthest from the centre of those that are left. By default the
        one that is farthest from all of them on average.

    Raises
    ------
    Cancelled
        `progress` was cancelled.
    """
    left = np.arange(len(apart))
    groups: list[Int64s] = []
    total = np.zeros(len(apart))
    for first in range(0, len(apart), 512):
        progress.check()
        total += apart[first : first + 512].sum(axis=0, dtype=np.float64)
    progress.stage("grouping users", len(apart))

    def find_farthest() -> int:
        if farthest is not None:
            return farthest(left)
        return int(left[np.argmax(total[left])])

    def take_group(record: int) -> None:
        nonlocal left
        far = apart[record, left]
        far[left == record] = -1
        near = nearest_positions(far, k)
        group = left[near]
        groups.append(group)
        np.subtract(total, apart[group].sum(axis=0, dtype=np.float64), out=total)
        keep = np.ones(len(left), dtype=np.bool_)
        keep[near] = False
        left = left[keep]
        progress.advance(len(group))

    while len(left) >= 3 * k:
        around = find_farthest()
        take_group(around)
        take_group(int(left[np.argmax(apart[around, left])]))
    if len(left) >= 2 * k:
        take_group(find_farthest())
    if len(left):
        groups.append(left)
        progress.advance(len(left))
    return groups


def nearest_positions(far: Float32s, k: int) -> Int64s:
    """Ascending positions of the k least distances; of equal ones the first. O(n)."""
    if k >= len(far):
        return np.arange(len(far))
    limit = np.partition(far, k - 1)[k - 1]
    close = np.flatnonzero(far < limit)
    tied = np.flatnonzero(far == limit)
    return np.sort(np.concatenate((close, tied[: k - len(close)])))


def within_group_distance(apart: Float32s, groups: list[Int64s]) -> float:
    """Sum over groups of the distances between each two of their records."""
    return sum(float(apart[np.ix_(g, g)].sum(dtype=np.float64)) / 2 for g in groups)
