"""Compiled clustering of a weighted graph: the closest two clusters are joined again and again.

The state stands in arrays and each call does a bounded amount of work, so that a cancel is heard.
Edges are kept by cluster in linked lists and found by a hash table of cluster pairs; the shorter
list is moved, so that each edge moves O(log n) times.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from auditor.arrays import Array

DONE, TABLE_FULL, HEAP_FULL, MORE = 0, 1, 2, 3
"""What `merge_clusters` returns: nothing left to join, what is full, or call it again."""

_NONE = -1


class GraphEdges(NamedTuple):
    """Edges of the graph; shape (edges,) each."""

    one: Array
    two: Array
    weight: Array
    alive: Array


class EdgeLists(NamedTuple):
    """The edges of each cluster as a linked list; edge e has places 2e and 2e + 1."""

    head: Array
    tail: Array
    degree: Array
    after: Array


class PairTable(NamedTuple):
    """A hash table from a pair of clusters to the edge between them; a power of two of places."""

    keys: Array
    values: Array


class EdgeHeap(NamedTuple):
    """A binary heap of edges by their closeness, the greatest on top."""

    closeness: Array
    edges: Array


class MergeRule(NamedTuple):
    """Closeness is weight over (size · size)^power; clusters at most `least` close stay apart."""

    power: float
    least: float


@njit(cache=True, nogil=True)
def _pack_key(a: int, b: int) -> int:
    return int((np.int64(min(a, b)) << 32) | np.int64(max(a, b)))


@njit(cache=True, nogil=True)
def _find_slot(keys: Array, key: int) -> int:
    """Where a key stands in the table, or the empty place for it."""
    mixed = np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)
    mixed ^= mixed >> np.uint64(29)
    place = np.int64(mixed & np.uint64(len(keys) - 1))
    while keys[place] != _NONE and keys[place] != key:
        place = (place + 1) & (len(keys) - 1)
    return int(place)


@njit(cache=True, nogil=True)
def fill_table(graph: GraphEdges, first: int, last: int, table: PairTable) -> int:
    """Enter the living edges ``first:last`` into an empty, large enough table; say how many."""
    count = 0
    for edge in range(first, last):
        if graph.alive[edge]:
            key = _pack_key(graph.one[edge], graph.two[edge])
            place = _find_slot(table.keys, key)
            table.keys[place] = key
            table.values[place] = edge
            count += 1
    return count


@njit(cache=True, nogil=True)
def link_edges(graph: GraphEdges, first: int, last: int, lists: EdgeLists) -> None:
    """Put the edges ``first:last`` into the lists of both ends."""
    for edge in range(first, last):
        for side in range(2):
            node = graph.one[edge] if side == 0 else graph.two[edge]
            item = 2 * edge + side
            lists.after[item] = lists.head[node]
            if lists.head[node] == _NONE:
                lists.tail[node] = item
            lists.head[node] = item
            lists.degree[node] += 1


@njit(cache=True, nogil=True)
def _push_edge(heap: EdgeHeap, size: int, value: float, edge: int) -> int:
    closeness, edges = heap
    place = size
    while place > 0:
        above = (place - 1) >> 1
        if closeness[above] > value or (closeness[above] == value and edges[above] <= edge):
            break
        closeness[place], edges[place] = closeness[above], edges[above]
        place = above
    closeness[place], edges[place] = value, edge
    return size + 1


@njit(cache=True, nogil=True)
def _pop_edge(heap: EdgeHeap, size: int) -> int:
    """Take the greatest out of the heap (of equal ones the least edge); the new size."""
    closeness, edges = heap
    size -= 1
    value, edge = closeness[size], edges[size]
    place = 0
    while True:
        below = 2 * place + 1
        if below >= size:
            break
        right = below + 1
        if right < size and (
            closeness[right] > closeness[below]
            or (closeness[right] == closeness[below] and edges[right] < edges[below])
        ):
            below = right
        if value > closeness[below] or (value == closeness[below] and edge <= edges[below]):
            break
        closeness[place], edges[place] = closeness[below], edges[below]
        place = below
    closeness[place], edges[place] = value, edge
    return size


@njit(cache=True, nogil=True)
def _compute_closeness(weight: float, a: float, b: float, power: float) -> float:
    return float(weight / (a * b) ** power)


@njit(cache=True, nogil=True)
def count_close(graph: GraphEdges, sizes: Array, rule: MergeRule, first: int, last: int) -> int:
    """How many of the living edges ``first:last`` are close enough."""
    count = 0
    for edge in range(first, last):
        if graph.alive[edge]:
            a, b = sizes[graph.one[edge]], sizes[graph.two[edge]]
            count += _compute_closeness(graph.weight[edge], a, b, rule.power) > rule.least
    return count


@njit(cache=True, nogil=True)
def load_heap(
    graph: GraphEdges, sizes: Array, rule: MergeRule, first: int, last: int, heap: EdgeHeap,
    size: int,
) -> int:  # fmt: skip
    """Put the living edges ``first:last`` that are close enough into the heap; its new size."""
    for edge in range(first, last):
        if not graph.alive[edge]:
            continue
        a, b = sizes[graph.one[edge]], sizes[graph.two[edge]]
        value = _compute_closeness(graph.weight[edge], a, b, rule.power)
        if value > rule.least:
            size = _push_edge(heap, size, value, edge)
    return size


@njit(cache=True, nogil=True)
def _move_edge(
    edge: int, gone: int, stays: int, graph: GraphEdges, table: PairTable, state: Array
) -> int:
    """An edge of `gone` becomes one of `stays`, or joins the one that is there; the edge it is."""
    other = graph.two[edge] if graph.one[edge] == gone else graph.one[edge]
    place = _find_slot(table.keys, _pack_key(stays, other))
    found = table.values[place]
    if table.keys[place] != _NONE and graph.alive[found]:
        graph.weight[found] += graph.weight[edge]
        graph.alive[edge] = False
        return int(found)
    if table.keys[place] == _NONE:
        table.keys[place] = _pack_key(stays, other)
        state[1] += 1
    table.values[place] = edge
    if graph.one[edge] == gone:
        graph.one[edge] = stays
    else:
        graph.two[edge] = stays
    return edge


@njit(cache=True, nogil=True)
def _join_lists(lists: EdgeLists, gone: int, stays: int) -> None:
    """Put the edges of a cluster before those of another one."""
    if lists.head[gone] != _NONE:
        lists.after[lists.tail[gone]] = lists.head[stays]
        if lists.head[stays] == _NONE:
            lists.tail[stays] = lists.tail[gone]
        lists.head[stays] = lists.head[gone]
    lists.degree[stays] += lists.degree[gone]


@njit(cache=True, nogil=True)
def merge_clusters(
    graph: GraphEdges, nodes: tuple[Array, Array], lists: EdgeLists, table: PairTable,
    heap: EdgeHeap, rule: MergeRule, work: tuple[int, Array],
) -> int:  # fmt: skip
    """Join the closest clusters while closer than the rule's least, for a budget of steps or so.

    `nodes` are what each cluster was joined with, and its size. `work` is the budget, and the
    state: the size of the heap, the entries of the table, and what the next step may add to either.
    """
    parent, sizes = nodes
    budget, state = work
    while state[0] > 0:
        if budget <= 0:
            return MORE
        value, edge = heap.closeness[0], heap.edges[0]
        room = min(lists.degree[graph.one[edge]], lists.degree[graph.two[edge]])
        state[2] = room
        if 2 * (state[1] + room) > len(table.keys):
            return TABLE_FULL
        if state[0] + room > len(heap.edges):
            return HEAP_FULL
        budget -= 1
        state[0] = _pop_edge(heap, state[0])
        if not graph.alive[edge]:
            continue
        a, b = graph.one[edge], graph.two[edge]
        now = _compute_closeness(graph.weight[edge], sizes[a], sizes[b], rule.power)
        if now != value:
            # Clusters have grown since. Where weight came too, a newer entry stands above.
            if now < value and now > rule.least:
                state[0] = _push_edge(heap, state[0], now, edge)
            continue
        if lists.degree[a] < lists.degree[b]:
            a, b = b, a
        graph.alive[edge] = False
        parent[b] = a
        sizes[a] += sizes[b]
        item = lists.head[b]
        while item != _NONE:
            budget -= 1
            moved, following = item >> 1, lists.after[item]
            if graph.alive[moved]:
                kept = _move_edge(moved, b, a, graph, table, state)
                other = graph.two[kept] if graph.one[kept] == a else graph.one[kept]
                closer = _compute_closeness(graph.weight[kept], sizes[a], sizes[other], rule.power)
                if closer > rule.least:
                    state[0] = _push_edge(heap, state[0], closer, kept)
            item = following
        _join_lists(lists, b, a)
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
