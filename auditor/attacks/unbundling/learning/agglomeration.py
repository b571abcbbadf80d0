"""Clusters of a weighted graph by joining the closest two again and again.

The closeness of clusters A and B is the sum of the weights between them over (|A|·|B|)^power:
power 0 is greedy additive edge contraction (correlation clustering), power 1 average linkage.
O(e · log² e) for e edges.
"""

from __future__ import annotations

import numpy as np

from auditor.arrays import Bools, Float64s, Int64s
from auditor.progress import Progress

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
    sizes: Float64s | None = None,
) -> Int64s:
    """The cluster of each node, named after one of its nodes; shape (nodes,).

    Parameters
    ----------
    one, two, weight
        Edges, each pair of nodes once at most, and their weights of any sign.
    least
        Closeness at which clusters stay apart; 0 or more.
    sizes
        What each node weighs; 1 unless given.

    Raises
    ------
    Cancelled
        Somebody asked to stop.
    """
    from auditor.attacks.unbundling.learning import agglomeration_kernels as kernels

    one, two, weight = one.copy(), two.copy(), weight.astype(np.float64)
    size = np.ones(nodes) if sizes is None else sizes.astype(np.float64)
    edges = len(one)
    alive = np.ones(edges, dtype=np.bool_)
    head, tail = np.full((2, nodes), -1, dtype=np.int64)
    degree, parent = np.zeros(nodes, dtype=np.int64), np.arange(nodes, dtype=np.int64)
    after = np.empty(2 * edges, dtype=np.int64)
    heap, items = np.empty(edges + 1), np.empty(edges + 1, dtype=np.int64)
    state = np.zeros(2, dtype=np.int64)
    for first in range(0, edges, _BLOCK):
        progress.check()
        last = min(first + _BLOCK, edges)
        kernels.link_edges(one, two, first, last, head, tail, degree, after)
        state[0] = kernels.load(
            one, two, weight, size, power, least, first, last, heap, items, state[0]
        )
    keys, values = _table(_SLOTS * edges + 2, one, two, alive, state, progress)
    while True:
        progress.check()
        told = kernels.merge(
            one, two, weight, alive, parent, size, head, tail, degree, after, keys, values,
            heap, items, power, least, _BUDGET, state,
        )  # fmt: skip
        if told == kernels.DONE:
            break
        if told == kernels.FULL:
            keys, values = _table(2 * len(keys), one, two, alive, state, progress)
            heap, items = np.append(heap, np.empty(len(heap))), np.append(items, items)
    out = np.empty(nodes, dtype=np.int64)
    for first in range(0, nodes, _BLOCK):
        kernels.write_roots(parent, first, min(first + _BLOCK, nodes), out)
    return out


def _table(
    slots: int,
    one: Int64s,
    two: Int64s,
    alive: Bools,
    state: Int64s,
    progress: Progress,
) -> tuple[Int64s, Int64s]:
    """A hash table of the living edges with room for as many again."""
    from auditor.attacks.unbundling.learning import agglomeration_kernels as kernels

    size = 1 << (slots - 1).bit_length()
    keys, values = np.full(size, -1, dtype=np.int64), np.zeros(size, dtype=np.int64)
    state[1] = 0
    for first in range(0, len(one), _BLOCK):
        progress.check()
        last = min(first + _BLOCK, len(one))
        state[1] += kernels.fill_table(one, two, alive, first, last, keys, values)
    return keys, values
