"""Compiled parts of query clustering: near pairs of small sets, and sparse complete linkage."""

from __future__ import annotations

import heapq
from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numba.typed import List

from auditor.arrays import Array, RaggedArray


class SetPostings(NamedTuple):
    """The sets that hold each element e: ``begins[e]:begins[e + 1]`` of the other columns,
    sorted by (`size` of the set, `place` of e in it, `owner`).
    """

    begins: Array
    owner: Array
    size: Array
    place: Array


class NearPairs(NamedTuple):
    """Pairs of sets and their distance, as they are written."""

    a: Array
    b: Array
    distance: Array


class LinkageEdges(NamedTuple):
    """Edges between clusters: both ends, and the length."""

    a: Array
    b: Array
    far: Array


class LinkageLists(NamedTuple):
    """The edges of each cluster as a linked list; edge e has places 2e and 2e + 1."""

    head: Array
    tail: Array
    link: Array


class LinkageNodes(NamedTuple):
    """Of each cluster its label, what it was merged into (−1 if nothing), and an edge or −1."""

    label: Array
    parent: Array
    mark: Array


@njit(cache=True, nogil=True)
def near_pairs(
    sets: RaggedArray,
    postings: SetPostings,
    delta: float,
    first: int,
    last: int,
    stamp: Array,
    out: NearPairs,
) -> tuple[int, int]:
    """Write pairs (a, b), a < b, of sets at Jaccard distance ≤ delta, for b from `first`.

    The elements of `sets` stand in ascending order, rare ones first. One test passes over
    all sets of one size and place: two sets whose first common element stands at places p and q
    share at most 1 + min(elements after each). Returns the b at which it stopped, before `last` if
    the room might not do, and the number of pairs written. `stamp` remembers the last b that
    looked at each set.
    """
    starts, members = sets
    begins, owner, size, place = postings
    out_a, out_b, out_d = out
    written = 0
    for b in range(first, last):
        if written + b > len(out_a) and b > first:
            return b, written
        mine = starts[b + 1] - starts[b]
        for p in range(mine):
            if p / mine > delta:  # even a set of all that follows and nothing else is too far
                break
            element = members[starts[b] + p]
            posting, end = begins[element], begins[element + 1]
            while posting < end:
                theirs, q = size[posting], place[posting]
                most = 1 + min(mine - p - 1, theirs - q - 1)
                union = mine + theirs - most
                near = (union - most) / union <= delta
                while posting < end and size[posting] == theirs and place[posting] == q:
                    a = owner[posting]
                    if a >= b:
                        posting = _next_bucket(size, place, posting, end, theirs, q)
                        break
                    if near and stamp[a] != b:
                        stamp[a] = b
                        common = _count_common(members, starts, a, b)
                        union = mine + theirs - common
                        distance = (union - common) / union
                        if distance <= delta:
                            out_a[written] = a
                            out_b[written] = b
                            out_d[written] = distance
                            written += 1
                    elif not near:
                        posting = _next_bucket(size, place, posting, end, theirs, q)
                        break
                    posting += 1
    return last, written


@njit(cache=True, nogil=True)
def _next_bucket(size: Array, place: Array, posting: int, end: int, theirs: int, q: int) -> int:
    """First posting after `posting` of another (size, place); postings are sorted by both."""
    low, high = posting + 1, end
    while low < high:
        middle = (low + high) >> 1
        if size[middle] == theirs and place[middle] == q:
            low = middle + 1
        else:
            high = middle
    return low


@njit(cache=True, nogil=True)
def _count_common(members: Array, starts: Array, a: int, b: int) -> int:
    i, j, common = starts[a], starts[b], 0
    while i < starts[a + 1] and j < starts[b + 1]:
        if members[i] == members[j]:
            common += 1
            i += 1
            j += 1
        elif members[i] < members[j]:
            i += 1
        else:
            j += 1
    return common


@njit(cache=True, nogil=True)
def start_linkage(edges: LinkageEdges, size: int, lists: LinkageLists) -> Any:
    """Chain the edges of each set; a heap of (length, lesser label, greater label, edge).

    The first `size` edges come sorted by (length, a, b), which is a heap already. Edge e has two
    half edges, 2e at its a and 2e + 1 at its b.
    """
    heap = List()
    for e in range(size):
        heap.append((edges.far[e], edges.a[e], edges.b[e], np.int64(e)))
        _append_half(2 * e, edges.a[e], lists)
        _append_half(2 * e + 1, edges.b[e], lists)
    return heap


@njit(cache=True, nogil=True)
def _append_half(half: int, node: int, lists: LinkageLists) -> None:
    lists.link[half] = -1
    if lists.head[node] < 0:
        lists.head[node] = half
    else:
        lists.link[lists.tail[node]] = half
    lists.tail[node] = half


@njit(cache=True, nogil=True)
def link_complete(
    state: Array,
    edges: LinkageEdges,
    heap: Any,
    lists: LinkageLists,
    nodes: LinkageNodes,
    steps: int,
) -> bool:
    """Merge the nearest two clusters again and again, at most `steps` looks; True when done.

    Two clusters have an edge only while every pair across them has one, and its length is the
    greatest of these: complete linkage cut at the threshold of the edges. A merge deletes at
    least half of the edges it touches, so all merges together are O(edges), the heap
    O(edges log edges). Ties: the smaller label first, where a cluster's label is its least
    member. `state` holds edges so far and clusters so far.
    """
    a, b, far = edges
    head, _, link = lists
    label, parent, mark = nodes
    for _ in range(steps):
        if not len(heap):
            return True
        _, _, _, e = heapq.heappop(heap)
        first, second = a[e], b[e]
        if parent[first] >= 0 or parent[second] >= 0:
            continue
        new = state[1]
        state[1] += 1
        parent[first] = parent[second] = new
        label[new] = min(label[first], label[second])
        half = head[first]
        while half >= 0:
            other = b[half >> 1] if half & 1 == 0 else a[half >> 1]
            if parent[other] < 0:
                mark[other] = half >> 1
            half = link[half]
        half = head[second]
        while half >= 0:
            other = b[half >> 1] if half & 1 == 0 else a[half >> 1]
            if parent[other] < 0 and mark[other] >= 0:
                edge = state[0]
                state[0] += 1
                a[edge], b[edge] = other, new
                far[edge] = max(far[mark[other]], far[half >> 1])
                _append_half(2 * edge, other, lists)
                _append_half(2 * edge + 1, new, lists)
                low, high = min(label[other], label[new]), max(label[other], label[new])
                heapq.heappush(heap, (far[edge], low, high, edge))
            half = link[half]
        half = head[first]
        while half >= 0:
            other = b[half >> 1] if half & 1 == 0 else a[half >> 1]
            mark[other] = -1
            half = link[half]
    return len(heap) == 0
