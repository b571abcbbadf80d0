"""How far one class of equal users is from all that share a cluster with it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from auditor.arrays import Array

ROUNDING = 1e-9
"""What is so near to epsilon is for exact fractions; sums of shares are off by 1e-13 at most."""

_RARE, _COMMON, _ENTRIES = 64, 1 << 14, 1 << 12
"""Clusters of at most so many classes are looked at first, and of at most so many at all; about so
many entries of a class's clusters are read."""


class ClassIndex(NamedTuple):
    """Classes of equal users, by class and by cluster.

    Class c has ``share[starts[c]:starts[c + 1]]`` of its events in the clusters beside them, and
    ``size[c]`` users. Cluster g is used by the classes ``who[begins[g]:begins[g + 1]]``, with the
    shares `part` beside them; where ``wide[g]``, none of them is near another.
    """

    starts: Array
    cluster: Array
    share: Array
    size: Array
    wide: Array
    begins: Array
    who: Array
    part: Array


class SearchScratch(NamedTuple):
    """Room for one search: a place for each class, k in the heap. `stamp` begins at −1.

    `met_far` and `met_who` have room for those who are compared first; ``reached[0]`` is the
    furthest that a class was found to reach so far, and begins at −1.
    """

    stamp: Array
    overlap: Array
    barred: Array
    touched: Array
    heap_far: Array
    heap_who: Array
    met_far: Array
    met_who: Array
    reached: Array


class SearchResults(NamedTuple):
    """The classes that are asked about, and what is found of each.

    ``within[i]`` gets the users of other classes that are surely within epsilon of ``classes[i]``,
    or as many as make k with their own class; ``far[i]`` the distance to the (k − 1)th nearest
    other user, or what is no less but surely less than the greatest of all; ``nearest[i]`` a class
    at it: −1 where they share nothing, at distance 1, and −2 where there is nobody, at infinity.
    Pairs within `ROUNDING` of epsilon go to `doubt_place` (i) and `doubt_other`.
    """

    classes: Array
    within: Array
    far: Array
    nearest: Array
    doubt_place: Array
    doubt_other: Array


class ShareClasses(NamedTuple):
    """Counts by cluster of classes of equal users; class c has ``starts[c]:starts[c + 1]``."""

    starts: Array
    cluster: Array
    counts: Array
    total: Array


@njit(cache=True, nogil=True)
def look_around(
    first: int,
    last: int,
    k: int,
    epsilon: float,
    index: ClassIndex,
    scratch: SearchScratch,
    results: SearchResults,
) -> tuple[int, int]:
    """Look for the other classes near each class ``classes[i]``, for i from `first`.

    Returns the i at which it stopped, before `last` if the room for doubts might not do, and the
    number of doubts. Cost: Σ over the clusters of the class of the classes that use each, which
    is quadratic, but only where those in its rarest clusters aren't enough: see `_look_nearby`.
    """
    starts, cluster, share, size, wide, begins, who, part = index
    stamp, overlap, barred, touched, heap_far, heap_who = scratch[:6]
    reached = scratch.reached
    targets, out_within, out_far, out_who, doubt_place, doubt_other = results
    doubts = 0
    users = size.sum()
    for i in range(first, last):
        if doubts + len(size) > len(doubt_place) and i > first:
            return i, doubts
        c = targets[i]
        if epsilon < 1.0:
            sure, bound, at_bound = _look_nearby(2 * i, c, k, epsilon, users, index, scratch)
            has_group = epsilon == 0.0 or size[c] + sure >= k
            if has_group and bound <= reached[0] - 2 * ROUNDING:
                out_within[i], out_far[i], out_who[i] = sure, bound, at_bound
                continue
        count, turn = 0, 2 * i + 1
        for entry in range(starts[c], starts[c + 1]):
            g = cluster[entry]
            for place in range(begins[g], begins[g + 1]):
                other = who[place]
                if stamp[other] != turn:
                    stamp[other] = turn
                    overlap[other] = 0.0
                    barred[other] = False
                    touched[count] = other
                    count += 1
                overlap[other] += min(part[place], share[entry])
                barred[other] |= wide[g]
        within = forbidden = 0
        heap_far[0], heap_who[0], heap_size = 0.0, c, 1
        for t in range(count):
            other = touched[t]
            if other == c:
                continue
            far = 1.0 - overlap[other]
            heap_size = _hold_nearest(heap_far, heap_who, heap_size, k, far, other)
            if barred[other]:
                forbidden += size[other]
            elif epsilon < 1.0 and abs(far - epsilon) < ROUNDING:
                doubt_place[doubts], doubt_other[doubts] = i, other
                doubts += 1
            elif far < epsilon:
                within += size[other]
        out_within[i] = within if epsilon < 1.0 else users - size[c] - forbidden
        out_far[i], out_who[i] = _find_reach(heap_far, heap_who, heap_size, k, size, users)
        reached[0] = max(reached[0], out_far[i])
    return last, doubts


@njit(cache=True, nogil=True)
def _look_nearby(
    turn: int, c: int, k: int, epsilon: float, users: int, index: ClassIndex, scratch: SearchScratch
) -> tuple[int, float, int]:
    """Users surely within epsilon of a class, and at most how far the (k − 1)th nearest is.

    Compared to the last bit as `look_around` does it, but only with those who share most of the
    class's rarest clusters; (0, ∞) for a class with a wide one. Members of a group share their
    representative's clusters, of which some are rare, so that few need more than this.
    """
    starts, cluster, share, size, wide, begins, who, part = index
    stamp, overlap, _, touched, heap_far, heap_who, met_far, met_who, _ = scratch
    for entry in range(starts[c], starts[c + 1]):
        if wide[cluster[entry]]:
            return 0, np.inf, -2
    count, least, most, spent = 0, 0, _RARE, 0
    while spent < _ENTRIES and most <= _COMMON:
        for entry in range(starts[c], starts[c + 1]):
            g = cluster[entry]
            many = begins[g + 1] - begins[g]
            if many <= least or many > most or spent >= _ENTRIES:
                continue
            spent += many
            for place in range(begins[g], begins[g + 1]):
                other = who[place]
                if stamp[other] != turn:
                    stamp[other] = turn
                    overlap[other] = 0.0
                    touched[count] = other
                    count += 1
                overlap[other] += min(part[place], share[entry])
        least, most = most, most * 16
    met_far[0], met_who[0], met_size = 0.0, c, 1
    for t in range(count):
        if touched[t] != c:
            far = 1.0 - overlap[touched[t]]
            met_size = _hold_nearest(met_far, met_who, met_size, len(met_far), far, touched[t])
    heap_far[0], heap_who[0], heap_size, sure = 0.0, c, 1, 0
    for t in range(met_size):
        other = met_who[t]
        if other == c:
            continue
        far = 1.0 - _compute_overlap(c, other, starts, cluster, share)
        heap_size = _hold_nearest(heap_far, heap_who, heap_size, k, far, other)
        if far < epsilon - ROUNDING:
            sure += size[other]
    far, at_far = _find_reach(heap_far, heap_who, heap_size, k, size, users)
    return sure, far, at_far


@njit(cache=True, nogil=True)
def _compute_overlap(a: int, b: int, starts: Array, cluster: Array, share: Array) -> float:
    """What two classes share, summed in the order of their clusters; O(shorter · log longer)."""
    if starts[a + 1] - starts[a] > starts[b + 1] - starts[b]:
        a, b = b, a
    total = 0.0
    low, end = starts[b], starts[b + 1]
    for entry in range(starts[a], starts[a + 1]):
        target, high = cluster[entry], end
        while low < high:
            middle = (low + high) >> 1
            if cluster[middle] < target:
                low = middle + 1
            else:
                high = middle
        if low < end and cluster[low] == target:
            total += min(share[entry], share[low])
    return total


@njit(cache=True, nogil=True)
def _hold_nearest(
    heap_far: Array, heap_who: Array, heap_size: int, k: int, far: float, other: int
) -> int:
    """Keep the k nearest, the furthest of them on top; O(log k)."""
    if heap_size < k:
        node = heap_size
        while node > 0 and heap_far[(node - 1) // 2] < far:
            heap_far[node], heap_who[node] = heap_far[(node - 1) // 2], heap_who[(node - 1) // 2]
            node = (node - 1) // 2
        heap_far[node], heap_who[node] = far, other
        return heap_size + 1
    if far < heap_far[0]:
        node = 0
        while 2 * node + 1 < heap_size:
            below = 2 * node + 1
            if below + 1 < heap_size and heap_far[below + 1] > heap_far[below]:
                below += 1
            if heap_far[below] <= far:
                break
            heap_far[node], heap_who[node] = heap_far[below], heap_who[below]
            node = below
        heap_far[node], heap_who[node] = far, other
    return heap_size


@njit(cache=True, nogil=True)
def _find_reach(
    heap_far: Array, heap_who: Array, heap_size: int, k: int, size: Array, users: int
) -> tuple[float, int]:
    """Where k users are together, from the nearest class on."""
    have = 0
    for place in np.argsort(heap_far[:heap_size]):
        have += size[heap_who[place]]
        if have >= k:
            return heap_far[place], heap_who[place]
    return (1.0, -1) if users >= k else (np.inf, -2)


@njit(cache=True, nogil=True)
def class_distances(
    first: Array, second: Array, classes: ShareClasses, above: Array, below: Array
) -> None:
    """The distances of classes ``first[i]`` and ``second[i]`` as fractions ``above[i] / below[i]``.

    Exact while totals are below 2³⁰. Cost: Σ over the pairs of both classes' clusters.
    """
    starts, cluster, count, total = classes
    for i in range(len(first)):
        a, b = first[i], second[i]
        place_a, of_a, end_a = starts[a], total[a], starts[a + 1]
        place_b, of_b, end_b = starts[b], total[b], starts[b + 1]
        far = 0
        while place_a < end_a or place_b < end_b:
            mine = theirs = 0
            has_a = place_a < end_a and (place_b == end_b or cluster[place_a] <= cluster[place_b])
            has_b = place_b < end_b and (place_a == end_a or cluster[place_b] <= cluster[place_a])
            if has_a:
                mine = count[place_a]
                place_a += 1
            if has_b:
                theirs = count[place_b]
                place_b += 1
            far += abs(mine * of_b - theirs * of_a)
        above[i], below[i] = far, 2 * of_a * of_b
