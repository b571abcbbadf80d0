"""Correlation clustering of a weighted graph by greedy additive edge contraction.

The two clusters with the greatest sum of weights between them are joined, again and again, while
that sum is positive. O(e · log² e) for e edges, and some 50 bytes for each.
"""

from __future__ import annotations

import numpy as np

from auditor.arrays import Bools, Float64s, Int64s, Integers
from auditor.attacks.unbundling.fibers import label_components
from auditor.errors import Cancelled
from auditor.progress import Progress, run_cancellable


def cluster_graph(
    nodes: int, edges: tuple[Integers, Integers, Float64s], progress: Progress, *, bias: float = 0.0
) -> Int64s:
    """The cluster of each node, named after one of its nodes; shape (nodes,).

    Parameters
    ----------
    edges
        Both ends of each, every pair of nodes once at most, and their weights of any sign.
    bias
        What is taken off every weight.

    Raises
    ------
    Cancelled
        Somebody asked to stop.
    """
    from auditor.attacks.unbundling.learning import agglomeration_kernels as kernels

    left, right, weight = edges
    degree = np.bincount(left, minlength=nodes) + np.bincount(right, minlength=nodes)
    # Clusters never leave a connected component of positive edges: others' edges can't matter.
    positive = weight > bias
    progress.check()
    component = label_components(nodes, left[positive], right[positive])
    inner = component[left] == component[right]
    first, second = left[inner].astype(np.int32), right[inner].astype(np.int32)
    stop: Bools = np.zeros(1, dtype=np.bool_)
    try:
        return run_cancellable(
            lambda: kernels.contract_edges(first, second, weight[inner] - bias, degree, stop),
            progress,
        )
    except Cancelled:
        stop[0] = True
        raise
