"""Compiled loops over pairs of clusters: cosines, and edge contraction.

Edges that are contracted are kept by cluster in linked lists, found by a dictionary of cluster
pairs, and taken from a heap by weight; the shorter list is moved, each edge O(log n) times.
"""

import heapq
from typing import NamedTuple

import numpy as np
from numba import njit

from auditor.arrays import Array, RaggedArray

_LONGER = 8
"""So many times longer is a row whose entries are searched for, not walked through."""


class ClusterWords(NamedTuple):
    """The weighted words of each cluster, ascending, and the length of that vector."""

    words: RaggedArray
    values: Array
    lengths: Array


@njit(cache=True, nogil=True)
def _seek_word(codes: Array, low: int, high: int, code: int) -> int:
    """The first place of ``codes[low:high]``, which ascend, that isn't below `code`."""
    step = 1
    while low + step < high and codes[low + step] < code:
        low += step
        step *= 2
    return low + int(np.searchsorted(codes[low : min(low + step, high)], code))


@njit(cache=True, nogil=True)
def write_cosines(left: Array, right: Array, words: ClusterWords, out: Array) -> None:
    """The cosines of the words of pairs of clusters."""
    starts, codes = words.words
    for pair in range(len(left)):
        a, b = left[pair], right[pair]
        if starts[a + 1] - starts[a] > starts[b + 1] - starts[b]:
            a, b = b, a
        i, last, j, end = starts[a], starts[a + 1], starts[b], starts[b + 1]
        search = (last - i) * _LONGER < end - j
        total = 0.0
        while i < last and j < end:
            if search:
                j = _seek_word(codes, j, end, codes[i])
                if j >= end:
                    break
            if codes[i] == codes[j]:
                total += words.values[i] * words.values[j]
                i += 1
                j += 1
            elif codes[i] < codes[j]:
                i += 1
            else:
                j += 1
        out[pair] = total / max(words.lengths[a] * words.lengths[b], 1e-9)


_NONE = -1


@njit(cache=True, nogil=True)
def _pair_key(a: int, b: int) -> np.int64:
    return (np.int64(min(a, b)) << 32) | np.int64(max(a, b))


@njit(cache=True, nogil=True)
def contract_edges(first: Array, second: Array, weight: Array, degree: Array, stop: Array) -> Array:
    """The cluster of each node, named after one of its nodes; ends early once `stop` is set.

    `first`, `second` and `weight` are overwritten. Of two clusters the one of the higher `degree`,
    which is added up, takes in the other; of equal ones the first of the edge.
    """
    nodes, edges = len(degree), len(first)
    parent = np.arange(nodes)
    alive = np.ones(edges, dtype=np.bool_)
    # The edges of a cluster as a linked list: edge e has the places 2e and 2e + 1.
    head, tail = np.full(nodes, _NONE, np.int32), np.full(nodes, _NONE, np.int32)
    after = np.empty(2 * edges, np.int32)
    for place in range(2 * edges):
        node = first[place >> 1] if place & 1 == 0 else second[place >> 1]
        after[place] = head[node]
        if head[node] == _NONE:
            tail[node] = place
        head[node] = place
    edge_of = {_pair_key(first[edge], second[edge]): edge for edge in range(edges)}
    heap = [(-weight[edge], edge) for edge in range(edges) if weight[edge] > 0]
    heapq.heapify(heap)
    while len(heap) > 0 and not stop[0]:
        value, edge = heapq.heappop(heap)
        if not alive[edge] or weight[edge] != -value:
            continue  # Joined, or its weight has changed and a newer entry stands for it.
        stays, gone = first[edge], second[edge]
        if degree[stays] < degree[gone]:
            stays, gone = gone, stays
        alive[edge] = False
        parent[gone] = stays
        place = head[gone]
        while place != _NONE:
            moved, place = int(place >> 1), after[place]
            if not alive[moved]:
                continue
            other = second[moved] if first[moved] == gone else first[moved]
            edge_of.pop(_pair_key(gone, other))
            key = _pair_key(stays, other)
            if key in edge_of:
                alive[moved] = False
                weight[edge_of[key]] += weight[moved]
                moved = edge_of[key]
            else:
                edge_of[key] = moved
                if first[moved] == gone:
                    first[moved] = stays
                else:
                    second[moved] = stays
            if weight[moved] > 0:
                heapq.heappush(heap, (-weight[moved], moved))
        if head[gone] != _NONE:
            after[tail[gone]] = head[stays]
            if head[stays] == _NONE:
                tail[stays] = tail[gone]
            head[stays] = head[gone]
        degree[stays] += degree[gone]
    for node in range(nodes):
        top = node
        while parent[top] != top:
            parent[top] = parent[parent[top]]
            top = parent[top]
        parent[node] = top
    return parent
