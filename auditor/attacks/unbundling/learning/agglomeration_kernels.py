"""Compiled clustering of a weighted graph: the closest two clusters are joined again and again.

The state stands in arrays and each call does a bounded amount of work, so that a cancel is heard.
Edges are kept by cluster in linked lists and found by a hash table of cluster pairs; the shorter
list is moved, so that each edge moves O(log n) times.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from auditor.arrays import Array

DONE, FULL, MORE = 0, 1, 2
"""What `merge` returns: nothing is left to join, table or heap is full, or call it again."""

_NONE = -1


@njit(cache=True, nogil=True)
def _key(a: int, b: int) -> int:
    return (min(a, b) << 32) | max(a, b)


@njit(cache=True, nogil=True)
def _slot(keys: Array, key: int) -> int:
    """Where a key stands in the table, or the empty place for it."""
    mixed = np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)
    mixed ^= mixed >> np.uint64(29)
    place = np.int64(mixed & np.uint64(len(keys) - 1))
    while keys[place] != _NONE and keys[place] != key:
        place = (place + 1) & (len(keys) - 1)
    return int(place)


@njit(cache=True, nogil=True)
def fill_table(
    one: Array, two: Array, alive: Array, first: int, last: int, keys: Array, values: Array
) -> int:
    """Enter the living edges ``first:last`` into an empty, large enough table; say how many."""
    count = 0
    for edge in range(first, last):
        if alive[edge]:
            key = _key(one[edge], two[edge])
            place = _slot(keys, key)
            keys[place] = key
            values[place] = edge
            count += 1
    return count


@njit(cache=True, nogil=True)
def link_edges(
    one: Array,
    two: Array,
    first: int,
    last: int,
    head: Array,
    tail: Array,
    degree: Array,
    after: Array,
) -> None:
    """Put the edges ``first:last`` into the lists of both ends; edge e has places 2e and 2e + 1."""
    for edge in range(first, last):
        for side in range(2):
            node = one[edge] if side == 0 else two[edge]
            item = 2 * edge + side
            after[item] = head[node]
            if head[node] == _NONE:
                tail[node] = item
            head[node] = item
            degree[node] += 1


@njit(cache=True, nogil=True)
def _push(heap: Array, items: Array, size: int, value: float, item: int) -> int:
    place = size
    while place > 0:
        above = (place - 1) >> 1
        if heap[above] > value or (heap[above] == value and items[above] <= item):
            break
        heap[place], items[place] = heap[above], items[above]
        place = above
    heap[place], items[place] = value, item
    return size + 1


@njit(cache=True, nogil=True)
def _pop(heap: Array, items: Array, size: int) -> int:
    """Take the greatest out of the heap (of equal ones the least edge); the new size."""
    size -= 1
    value, item = heap[size], items[size]
    place = 0
    while True:
        below = 2 * place + 1
        if below >= size:
            break
        right = below + 1
        if right < size and (
            heap[right] > heap[below]
            or (heap[right] == heap[below] and items[right] < items[below])
        ):
            below = right
        if value > heap[below] or (value == heap[below] and item <= items[below]):
            break
        heap[place], items[place] = heap[below], items[below]
        place = below
    heap[place], items[place] = value, item
    return size


@njit(cache=True, nogil=True)
def _closeness(weight: float, a: float, b: float, power: float) -> float:
    return float(weight / (a * b) ** power)


@njit(cache=True, nogil=True)
def load(
    one: Array, two: Array, weight: Array, sizes: Array, power: float, least: float,
    first: int, last: int, heap: Array, items: Array, size: int,
) -> int:  # fmt: skip
    """Put the edges ``first:last`` that are close enough into the heap; its new size."""
    for edge in range(first, last):
        value = _closeness(weight[edge], sizes[one[edge]], sizes[two[edge]], power)
        if value > least:
            size = _push(heap, items, size, value, edge)
    return size


@njit(cache=True, nogil=True)
def _move(
    edge: int, gone: int, stays: int,
    one: Array, two: Array, weight: Array, alive: Array, keys: Array, values: Array, state: Array,
) -> int:  # fmt: skip
    """An edge of `gone` becomes one of `stays`, or joins the one that is there; the edge it is."""
    other = two[edge] if one[edge] == gone else one[edge]
    place = _slot(keys, _key(stays, other))
    found = values[place]
    if keys[place] != _NONE and alive[found]:
        weight[found] += weight[edge]
        alive[edge] = False
        return int(found)
    if keys[place] == _NONE:
        keys[place] = _key(stays, other)
        state[1] += 1
    values[place] = edge
    if one[edge] == gone:
        one[edge] = stays
    else:
        two[edge] = stays
    return edge


@njit(cache=True, nogil=True)
def merge(
    one: Array, two: Array, weight: Array, alive: Array, parent: Array, sizes: Array,
    head: Array, tail: Array, degree: Array, after: Array, keys: Array, values: Array,
    heap: Array, items: Array, power: float, least: float, budget: int, state: Array,
) -> int:  # fmt: skip
    """Join the closest clusters while closer than `least`, for `budget` steps or so.

    Closeness is the weight between two clusters over (size · size)^power. `parent` says what each
    cluster was joined with; `state` holds the size of the heap and the entries of the table.
    """
    while state[0] > 0:
        if budget <= 0:
            return MORE
        value, edge = heap[0], items[0]
        room = min(degree[one[edge]], degree[two[edge]])
        if 2 * (state[1] + room) > len(keys) or state[0] + room > len(heap):
            return FULL
        budget -= 1
        state[0] = _pop(heap, items, state[0])
        if not alive[edge]:
            continue
        a, b = one[edge], two[edge]
        now = _closeness(weight[edge], sizes[a], sizes[b], power)
        if now != value:
            # Clusters have grown since. Where weight came too, a newer entry stands above.
            if now < value and now > least:
                state[0] = _push(heap, items, state[0], now, edge)
            continue
        if degree[a] < degree[b]:
            a, b = b, a
        alive[edge] = False
        parent[b] = a
        sizes[a] += sizes[b]
        item = head[b]
        while item != _NONE:
            budget -= 1
            moved, following = item >> 1, after[item]
            if alive[moved]:
                kept = _move(moved, b, a, one, two, weight, alive, keys, values, state)
                other = two[kept] if one[kept] == a else one[kept]
                closer = _closeness(weight[kept], sizes[a], sizes[other], power)
                if closer > least:
                    state[0] = _push(heap, items, state[0], closer, kept)
            item = following
        if head[b] != _NONE:
            after[tail[b]] = head[a]
            if head[a] == _NONE:
                tail[a] = tail[b]
            head[a] = head[b]
        degree[a] += degree[b]
    return DONE


@njit(cache=True, nogil=True)
def write_roots(parent: Array, first: int, last: int, out: Array) -> None:
    """The cluster that each of the nodes ``first:last`` has come to."""
    for node in range(first, last):
        top = node
        while parent[top] != top:
            parent[top] = parent[parent[top]]
            top = parent[top]
        out[node] = top
