"""Clusters of a weighted graph by joining the closest two again and again.

The closeness of clusters A and B is the sum of the weights between them over (|A|·|B|)^power:
power 0 is greedy additive edge contraction (correlation clustering), power 1 average linkage.
O(e · log² e) for e edges, and some 45 bytes for each: table and heap are made anew without what is
stale when they are full, and grow only with what isn't. Clusters are joined only where the weights
between them add up to more than 0, so some edge between them has: what lies between two connected
components of such edges can't matter, and is left out from the beginning.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from auditor.arrays import Float64s, Int64s, Integers
from auditor.progress import Progress

if TYPE_CHECKING:
    from auditor.attacks.unbundling.learning.agglomeration_kernels import (
        EdgeHeap,
        GraphEdges,
        MergeRule,
        PairTable,
    )

_BUDGET = 1 << 16
_BLOCK = 1 << 17
_SLOTS = 2
"""Places of the table for each edge to begin with."""


def cluster_graph(
    nodes: int,
    edges: tuple[Integers, Integers, Float64s],
    progress: Progress,
    *,
    power: float,
    least: float,
    bias: float = 0.0,
) -> Int64s:
    """The cluster of each node, named after one of its nodes; shape (nodes,).

    Parameters
    ----------
    edges
        Both ends of each, every pair of nodes once at most, and their weights of any sign.
    least
        Closeness at which clusters stay apart; 0 or more.
    bias
        What is taken off every weight.

    Raises
    ------
    Cancelled
        Somebody asked to stop.
    """
    from auditor.attacks.unbundling.learning import agglomeration_kernels as kernels

    graph, degree = _take_edges_that_matter(nodes, edges, bias, progress)
    many = len(graph.ends)
    size = np.ones(nodes)
    parent = np.arange(nodes, dtype=np.int64)
    lists = kernels.EdgeLists(
        head=np.full(nodes, -1, dtype=np.int32), tail=np.full(nodes, -1, dtype=np.int32),
        length=np.zeros(nodes, dtype=np.int64), degree=degree,
        after=np.empty(2 * many, dtype=np.int32),
    )  # fmt: skip
    rule = kernels.MergeRule(float(power), float(least))
    state = np.zeros(3, dtype=np.int64)
    for first in range(0, many, _BLOCK):
        progress.check()
        kernels.link_edges(graph, first, min(first + _BLOCK, many), lists)
    heap = _build_heap(None, graph, size, rule, state, progress)
    table = _build_pair_table(_SLOTS * many + 2, graph, state, progress)
    while True:
        progress.check()
        told = kernels.merge_clusters(
            graph, (parent, size), lists, table, heap, rule, (_BUDGET, state)
        )
        if told == kernels.DONE:
            break
        if told == kernels.TABLE_FULL:
            # What is dead goes; twice the room of what lives is enough for as much again.
            alive = int(np.count_nonzero(graph.alive))
            slots = max(_SLOTS * alive, 2 * (alive + int(state[2])))
            del table
            table = _build_pair_table(slots + alive // 2 + 2, graph, state, progress)
        elif told == kernels.HEAP_FULL:
            heap = _build_heap(heap, graph, size, rule, state, progress)
    out = np.empty(nodes, dtype=np.int64)
    for first in range(0, nodes, _BLOCK):
        kernels.write_roots(parent, first, min(first + _BLOCK, nodes), out)
    return out


def _take_edges_that_matter(
    nodes: int, edges: tuple[Integers, Integers, Float64s], bias: float, progress: Progress
) -> tuple[GraphEdges, Int64s]:
    """The edges within connected components of weights above `bias`, and each node's of all."""
    from auditor.attacks.unbundling.learning import agglomeration_kernels as kernels

    parent, component = np.arange(nodes, dtype=np.int64), np.empty(nodes, dtype=np.int64)
    for one, two, weight in _iterate_blocks(edges, progress):
        kernels.join_positive(one, two, weight, bias, parent)
    for first in range(0, nodes, _BLOCK):
        kernels.write_roots(parent, first, min(first + _BLOCK, nodes), component)
    degree, many = np.zeros(nodes, dtype=np.int64), 0
    for one, two, _ in _iterate_blocks(edges, progress):
        many += kernels.count_inner(one, two, component, degree)
    graph = kernels.GraphEdges(
        np.empty(many, dtype=np.int64), np.empty(many, dtype=np.bool_), np.empty(many),
        np.empty(many, dtype=np.bool_),
    )  # fmt: skip
    done = 0
    for block in _iterate_blocks(edges, progress):
        done = kernels.take_inner(block, bias, component, graph, done)
    return graph, degree


def _iterate_blocks(
    edges: tuple[Integers, Integers, Float64s], progress: Progress
) -> Iterator[tuple[Int64s, Int64s, Float64s]]:
    """Some of the edges at a time."""
    one, two, weight = edges
    for first in range(0, len(one), _BLOCK):
        progress.check()
        part = slice(first, first + _BLOCK)
        yield (
            one[part].astype(np.int64), two[part].astype(np.int64), weight[part].astype(np.float64)
        )  # fmt: skip


def _build_heap(
    heap: EdgeHeap | None,
    graph: GraphEdges,
    size: Float64s,
    rule: MergeRule,
    state: Int64s,
    progress: Progress,
) -> EdgeHeap:
    """A heap of the living edges that are close enough, without what is stale.

    The room of `heap` is used again if a quarter of it stays free for what comes.
    """
    from auditor.attacks.unbundling.learning import agglomeration_kernels as kernels

    edges, close = len(graph.ends), 0
    for first in range(0, edges, _BLOCK):
        progress.check()
        close += kernels.count_close(graph, size, rule, first, min(first + _BLOCK, edges))
    need = close + int(state[2])
    if heap is None or 4 * need > 3 * len(heap.edges):
        room = max(2 * need, edges // 4) + 16
        heap = kernels.EdgeHeap(np.empty(room), np.empty(room, dtype=np.int32))
    state[0] = 0
    for first in range(0, edges, _BLOCK):
        progress.check()
        last = min(first + _BLOCK, edges)
        state[0] = kernels.load_heap(graph, size, rule, first, last, heap, state[0])
    return heap


def _build_pair_table(
    slots: int, graph: GraphEdges, state: Int64s, progress: Progress
) -> PairTable:
    """A hash table of the living edges with room for as many again."""
    from auditor.attacks.unbundling.learning import agglomeration_kernels as kernels

    size = 1 << (slots - 1).bit_length()
    table = kernels.PairTable(np.full(size, -1, dtype=np.int32))
    state[1] = 0
    for first in range(0, len(graph.ends), _BLOCK):
        progress.check()
        last = min(first + _BLOCK, len(graph.ends))
        state[1] += kernels.fill_table(graph, first, last, table)
    return table
