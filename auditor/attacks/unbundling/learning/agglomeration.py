"""Clusters of a weighted graph by joining the closest two again and again.

The closeness of clusters A and B is the sum of the weights between them over (|A|·|B|)^power:
power 0 is greedy additive edge contraction (correlation clustering), power 1 average linkage.
O(e · log² e) for e edges.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from auditor.arrays import Float64s, Int64s
from auditor.progress import Progress

if TYPE_CHECKING:
    from auditor.attacks.unbundling.learning.agglomeration_kernels import GraphEdges, PairTable

_BUDGET = 1 << 16
_BLOCK = 1 << 17
_SLOTS = 4
"""Places of the table for each edge to begin with."""


def cluster_graph(
    nodes: int,
    one: Int64s,
    two: Int64s,
    weight: Float64s,
    progress: Progress,
    *,
    power: float,
    least: float,
) -> Int64s:
    """The cluster of each node, named after one of its nodes; shape (nodes,).

    Parameters
    ----------
    one, two, weight
        Edges, each pair of nodes once at most, and their weights of any sign.
    least
        Closeness at which clusters stay apart; 0 or more.

    Raises
    ------
    Cancelled
        Somebody asked to stop.
    """
    from auditor.attacks.unbundling.learning import agglomeration_kernels as kernels

    graph = kernels.GraphEdges(
        one.copy(), two.copy(), weight.astype(np.float64), np.ones(len(one), dtype=np.bool_)
    )
    size = np.ones(nodes)
    edges = len(one)
    parent = np.arange(nodes, dtype=np.int64)
    lists = kernels.EdgeLists(
        head=np.full(nodes, -1, dtype=np.int64), tail=np.full(nodes, -1, dtype=np.int64),
        degree=np.zeros(nodes, dtype=np.int64), after=np.empty(2 * edges, dtype=np.int64),
    )  # fmt: skip
    heap = kernels.EdgeHeap(np.empty(edges + 1), np.empty(edges + 1, dtype=np.int64))
    rule = kernels.MergeRule(float(power), float(least))
    state = np.zeros(2, dtype=np.int64)
    for first in range(0, edges, _BLOCK):
        progress.check()
        last = min(first + _BLOCK, edges)
        kernels.link_edges(graph, first, last, lists)
        state[0] = kernels.load_heap(graph, size, rule, first, last, heap, state[0])
    table = _build_pair_table(_SLOTS * edges + 2, graph, state, progress)
    while True:
        progress.check()
        told = kernels.merge_clusters(
            graph, (parent, size), lists, table, heap, rule, (_BUDGET, state)
        )
        if told == kernels.DONE:
            break
        if told == kernels.FULL:
            table = _build_pair_table(2 * len(table.keys), graph, state, progress)
            heap = kernels.EdgeHeap(
                np.append(heap.closeness, np.empty(len(heap.closeness))),
                np.append(heap.edges, heap.edges),
            )
    out = np.empty(nodes, dtype=np.int64)
    for first in range(0, nodes, _BLOCK):
        kernels.write_roots(parent, first, min(first + _BLOCK, nodes), out)
    return out


def _build_pair_table(
    slots: int, graph: GraphEdges, state: Int64s, progress: Progress
) -> PairTable:
    """A hash table of the living edges with room for as many again."""
    from auditor.attacks.unbundling.learning import agglomeration_kernels as kernels

    size = 1 << (slots - 1).bit_length()
    table = kernels.PairTable(np.full(size, -1, dtype=np.int64), np.zeros(size, dtype=np.int64))
    state[1] = 0
    for first in range(0, len(graph.one), _BLOCK):
        progress.check()
        last = min(first + _BLOCK, len(graph.one))
        state[1] += kernels.fill_table(graph, first, last, table)
    return table
