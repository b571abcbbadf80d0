"""Compiled loops over pairs of clusters: cosines, and edge contraction.

Edges that are contracted are kept by cluster in linked lists, found by a hash table of cluster
pairs, and taken from a heap by weight; the shorter list is moved, each edge O(log n) times.
"""

from __future__ import annotations

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
def _find_slot(table: Array, first: Array, second: Array, a: int, b: int) -> int:
    """Where the edge between two clusters stands in the table, or the free slot for it."""
    mixed = np.uint64((np.int64(min(a, b)) << 32) | np.int64(max(a, b)))
    mixed *= np.uint64(0x9E3779B97F4A7C15)
    mixed ^= mixed >> np.uint64(29)
    mask = len(table) - 1
    slot = np.int64(mixed & np.uint64(mask))
    while table[slot] != _NONE:
        edge = table[slot]
        if (first[edge] == a and second[edge] == b) or (first[edge] == b and second[edge] == a):
            break
        slot = (slot + 1) & mask
    return int(slot)


@njit(cache=True, nogil=True)
def _build_table(first: Array, second: Array, alive: Array) -> Array:
    """A hash table of the edges that are alive, at most half full."""
    size = 16
    while size < 2 * len(first) + 2:
        size *= 2
    table = np.full(size, _NONE, dtype=np.int32)
    for edge in range(len(first)):
        if alive[edge]:
            table[_find_slot(table, first, second, first[edge], second[edge])] = edge
    return table


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
    length, after = np.zeros(nodes, np.int64), np.empty(2 * edges, np.int32)
    for place in range(2 * edges):
        node = first[place >> 1] if place & 1 == 0 else second[place >> 1]
        after[place] = head[node]
        if head[node] == _NONE:
            tail[node] = place
        head[node] = place
        length[node] += 1
    table, used, living = _build_table(first, second, alive), edges, edges
    heap = [(-weight[edge], edge) for edge in range(edges) if weight[edge] > 0]
    heapq.heapify(heap)
    while len(heap) > 0 and not stop[0]:
        value, edge = heapq.heappop(heap)
        if not alive[edge] or weight[edge] != -value:
            continue  # Joined, or its weight has changed and a newer entry stands for it.
        stays, gone = first[edge], second[edge]
        if degree[stays] < degree[gone]:
            stays, gone = gone, stays
        # Table and heap are made anew without what is stale, at most once in `edges / 2` steps.
        if 4 * (used + length[gone]) > 3 * len(table) and used > living + edges // 4:
            table, used = _build_table(first, second, alive), living
        if len(heap) > 2 * living + edges // 2 + 64:
            heap = [(-weight[e], e) for e in range(edges) if alive[e] and weight[e] > 0]
            heapq.heapify(heap)
        alive[edge] = False
        living -= 1
        parent[gone] = stays
        place = head[gone]
        while place != _NONE:
            moved, place = place >> 1, after[place]
            if not alive[moved]:
                continue
            other = second[moved] if first[moved] == gone else first[moved]
            slot = _find_slot(table, first, second, stays, other)
            present = table[slot]
            if present != _NONE and alive[present]:
                weight[present] += weight[moved]
                alive[moved] = False
                living -= 1
                moved = present
            else:
                used += present == _NONE
                table[slot] = moved
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
        length[stays] += length[gone]
        degree[stays] += degree[gone]
    for node in range(nodes):
        top = node
        while parent[top] != top:
            parent[top] = parent[parent[top]]
            top = parent[top]
        parent[node] = top
    return parent
