"""Compiled clustering of a weighted graph: the closest two clusters are joined again and again.

The state stands in arrays and each call does a bounded amount of work, so that a cancel is heard.
Edges are kept by cluster in linked lists and found by a hash table of cluster pairs; the shorter
list is moved, so that each edge moves O(log n) times. An edge costs some 45 bytes in all: there may
be tens of millions.
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
    """Edges of the graph; shape (edges,) each.

    `ends` packs both clusters, the lesser first; `turned` says that it is the second of the edge.
    """

    ends: Array
    turned: Array
    weight: Array
    alive: Array


class EdgeLists(NamedTuple):
    """The edges of each cluster as a linked list; edge e has places 2e and 2e + 1.

    `length` counts a list's edges, `degree` those, too, that were left out of the graph because
    they can't matter: which of two clusters is moved doesn't depend on what was left out.
    """

    head: Array
    tail: Array
    length: Array
    degree: Array
    after: Array


class PairTable(NamedTuple):
    """A hash table of edges by their ends, −1 where a place is free; a power of two of places.

    An edge that got another end stays where it stood, too: nobody looks for its old ends again.
    """

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
def _pack_ends(a: int, b: int) -> int:
    return int((np.int64(min(a, b)) << 32) | np.int64(max(a, b)))


@njit(cache=True, nogil=True)
def _other_end(ends: int, end: int) -> int:
    low, high = ends >> 32, ends & 0xFFFFFFFF
    return int(high if low == end else low)


@njit(cache=True, nogil=True)
def _find_slot(values: Array, all_ends: Array, ends: int) -> int:
    """Where an edge between these ends stands in the table, or the free place for it."""
    mixed = np.uint64(ends) * np.uint64(0x9E3779B97F4A7C15)
    mixed ^= mixed >> np.uint64(29)
    place = np.int64(mixed & np.uint64(len(values) - 1))
    while values[place] != _NONE and all_ends[values[place]] != ends:
        place = (place + 1) & (len(values) - 1)
    return int(place)


@njit(cache=True, nogil=True)
def join_positive(one: Array, two: Array, weight: Array, bias: float, parent: Array) -> None:
    """Join the ends of those edges whose weight is more than `bias`."""
    for edge in range(len(one)):
        if weight[edge] > bias:
            a, b = _find_top(parent, one[edge]), _find_top(parent, two[edge])
            parent[max(a, b)] = min(a, b)


@njit(cache=True, nogil=True)
def _find_top(parent: Array, node: int) -> int:
    while parent[node] != node:
        parent[node] = parent[parent[node]]
        node = parent[node]
    return int(node)


@njit(cache=True, nogil=True)
def count_inner(one: Array, two: Array, component: Array, degree: Array) -> int:
    """How many edges have both ends in one component; every edge counts for the degrees."""
    count = 0
    for edge in range(len(one)):
        degree[one[edge]] += 1
        degree[two[edge]] += 1
        count += component[one[edge]] == component[two[edge]]
    return count


@njit(cache=True, nogil=True)
def take_inner(
    edges: tuple[Array, Array, Array], bias: float, component: Array, graph: GraphEdges, done: int
) -> int:
    """Put the edges with both ends in one component into the graph, which has `done` so far."""
    one, two, weight = edges
    for edge in range(len(one)):
        if component[one[edge]] == component[two[edge]]:
            graph.ends[done] = _pack_ends(one[edge], two[edge])
            graph.turned[done] = one[edge] > two[edge]
            graph.weight[done] = weight[edge] - bias
            graph.alive[done] = True
            done += 1
    return done


@njit(cache=True, nogil=True)
def fill_table(graph: GraphEdges, first: int, last: int, table: PairTable) -> int:
    """Enter the living edges ``first:last`` into an empty, large enough table; say how many."""
    count = 0
    for edge in range(first, last):
        if graph.alive[edge]:
            place = _find_slot(table.values, graph.ends, graph.ends[edge])
            table.values[place] = edge
            count += 1
    return count


@njit(cache=True, nogil=True)
def link_edges(graph: GraphEdges, first: int, last: int, lists: EdgeLists) -> None:
    """Put the edges ``first:last`` into the lists of both ends."""
    for edge in range(first, last):
        for side in range(2):
            node = graph.ends[edge] >> 32 if side == 0 else graph.ends[edge] & 0xFFFFFFFF
            item = 2 * edge + side
            lists.after[item] = lists.head[node]
            if lists.head[node] == _NONE:
                lists.tail[node] = item
            lists.head[node] = item
            lists.length[node] += 1


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
            ends = graph.ends[edge]
            a, b = sizes[ends >> 32], sizes[ends & 0xFFFFFFFF]
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
        ends = graph.ends[edge]
        a, b = sizes[ends >> 32], sizes[ends & 0xFFFFFFFF]
        value = _compute_closeness(graph.weight[edge], a, b, rule.power)
        if value > rule.least:
            size = _push_edge(heap, size, value, edge)
    return size


@njit(cache=True, nogil=True)
def _move_edge(
    edge: int, gone: int, stays: int, graph: GraphEdges, table: PairTable, state: Array
) -> int:
    """An edge of `gone` becomes one of `stays`, or joins the one that is there; the edge it is."""
    other = _other_end(graph.ends[edge], gone)
    ends = _pack_ends(stays, other)
    place = _find_slot(table.values, graph.ends, ends)
    found = table.values[place]
    if found != _NONE and graph.alive[found]:
        graph.weight[found] += graph.weight[edge]
        graph.alive[edge] = False
        return int(found)
    if found == _NONE:
        state[1] += 1
    table.values[place] = edge
    # What was first of the two stays first.
    was_first = (gone > other) == graph.turned[edge]
    graph.turned[edge] = (stays > other) == was_first
    graph.ends[edge] = ends
    return edge


@njit(cache=True, nogil=True)
def _join_lists(lists: EdgeLists, gone: int, stays: int) -> None:
    """Put the edges of a cluster before those of another one."""
    if lists.head[gone] != _NONE:
        lists.after[lists.tail[gone]] = lists.head[stays]
        if lists.head[stays] == _NONE:
            lists.tail[stays] = lists.tail[gone]
        lists.head[stays] = lists.head[gone]
    lists.length[stays] += lists.length[gone]
    lists.degree[stays] += lists.degree[gone]


@njit(cache=True, nogil=True)
def merge_clusters(
    graph: GraphEdges, nodes: tuple[Array, Array], lists: EdgeLists, table: PairTable,
    heap: EdgeHeap, rule: MergeRule, work: tuple[int, Array],
) -> int:  # fmt: skip
    """Join the closest clusters while closer than the rule's least, for a budget of steps or so.

    The cluster of more edges takes in the other; of as many, the edge's first the second.

    `nodes` are what each cluster was joined with, and its size. `work` is the budget, and the
    state: the size of the heap, the entries of the table, and what the next step may add to either.
    """
    parent, sizes = nodes
    budget, state = work
    while state[0] > 0:
        if budget <= 0:
            return MORE
        value, edge = heap.closeness[0], heap.edges[0]
        a, b = graph.ends[edge] >> 32, graph.ends[edge] & 0xFFFFFFFF
        if graph.turned[edge]:
            a, b = b, a
        if lists.degree[a] < lists.degree[b]:
            a, b = b, a
        room = lists.length[b]
        state[2] = room
        if 2 * (state[1] + room) > len(table.values):
            return TABLE_FULL
        if state[0] + room > len(heap.edges):
            return HEAP_FULL
        budget -= 1
        state[0] = _pop_edge(heap, state[0])
        if not graph.alive[edge]:
            continue
        now = _compute_closeness(graph.weight[edge], sizes[a], sizes[b], rule.power)
        if now != value:
            # Clusters have grown since. Where weight came too, a newer entry stands above.
            if now < value and now > rule.least:
                state[0] = _push_edge(heap, state[0], now, edge)
            continue
        graph.alive[edge] = False
        parent[b] = a
        sizes[a] += sizes[b]
        item = lists.head[b]
        while item != _NONE:
            budget -= 1
            moved, following = item >> 1, lists.after[item]
            if graph.alive[moved]:
                kept = _move_edge(moved, b, a, graph, table, state)
                other = _other_end(graph.ends[kept], a)
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
