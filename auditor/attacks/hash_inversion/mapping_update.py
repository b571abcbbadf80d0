"""From distances to a mapping: three ways to begin, three ways to go on, and one continuous way.

Every mapping is int32 of shape (hashes,): the token of each hash, −1 where it has none, and no
token twice. Ties go by (distance, hash, token). Kumar et al., sections 3.2, 3.3 and 3.4.3.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable

import numpy as np
from scipy.optimize import linear_sum_assignment

from auditor.arrays import Float32s, Int32s
from auditor.attacks.hash_inversion.distance import VectorPair
from auditor.progress import Progress, run_cancellable


def random_start(hashes: int, tokens: int, rng: np.random.Generator) -> Int32s:
    """A random one-to-one mapping."""
    mapping = np.full(hashes, -1, dtype=np.int32)
    both = min(hashes, tokens)
    mapping[rng.permutation(hashes)[:both]] = rng.permutation(tokens)[:both]
    return mapping


def frequency_start(hashes: int, tokens: int) -> Int32s:
    """The i-th most frequent hash to the i-th most frequent token."""
    mapping = np.arange(hashes, dtype=np.int32)
    mapping[tokens:] = -1
    return mapping


def score_greedy(distance: Float32s, progress: Progress) -> Int32s:
    """The nearest pair first, one to one: as a stable sort of all pairs, by a lazy heap.

    `distance` is float32 (m, k), infinite where a pair is no candidate. O(n²) to fill and O(n) for
    each pair that lost its token meanwhile; rows with no finite distance left stay unmapped.
    """
    mapping = np.full(len(distance), -1, dtype=np.int32)
    if not distance.size:
        return mapping
    progress.stage("matching", len(distance))
    taken = np.zeros(distance.shape[1], dtype=np.bool_)
    nearest = distance.argmin(axis=1)
    least = distance[np.arange(len(distance)), nearest].tolist()
    heap = [(value, row) for row, value in enumerate(least) if value < np.inf]
    heapq.heapify(heap)
    while heap:
        row = heap[0][1]
        if not taken[nearest[row]]:
            mapping[row] = nearest[row]
            taken[nearest[row]] = True
            heapq.heappop(heap)
            progress.advance()
            continue
        # The entry is out of date: its token was taken.
        progress.check()
        free = np.where(taken, np.float32(np.inf), distance[row])
        nearest[row] = free.argmin()
        if free[nearest[row]] < np.inf:
            heapq.heapreplace(heap, (float(free[nearest[row]]), row))
        else:
            heapq.heappop(heap)
    return mapping


def rank_greedy(distance: Float32s, progress: Progress) -> Int32s:
    """Greedy on rank_ℓ(r) + rank_r(ℓ); O(n² log n)."""
    total = np.zeros(distance.shape, dtype=np.float32)
    _add_ranks(distance, total, "ranking tokens", progress)
    _add_ranks(distance.T, total.T, "ranking hashes", progress)
    total[~np.isfinite(distance)] = np.inf
    return score_greedy(total, progress)


def _add_ranks(distance: Float32s, total: Float32s, stage: str, progress: Progress) -> None:
    rows, columns = distance.shape
    size = max(1, (1 << 20) // max(columns, 1))
    for start, stop in progress.blocks(stage, rows, size):
        order = np.argsort(distance[start:stop], axis=1, kind="stable")
        ranks = np.empty_like(order)
        np.put_along_axis(ranks, order, np.arange(columns)[None, :], axis=1)
        total[start:stop] += ranks.astype(np.float32)


def min_cost(distance: Float32s, progress: Progress) -> Int32s:
    """The one-to-one mapping of least total distance; O(n³), by SciPy.

    Pairs that are no candidates cost more than all others together, and stay unmapped. A
    cancelled run leaves SciPy's thread behind, which can't be stopped on its way.
    """
    finite = np.isfinite(distance)
    most = float(distance[finite].max()) if finite.any() else 0.0
    cost = np.where(finite, distance.astype(np.float64), (most + 1.0) * max(distance.shape))
    progress.stage("matching at least cost")
    rows, columns = run_cancellable(lambda: linear_sum_assignment(cost), progress)
    mapping = np.full(distance.shape[0], -1, dtype=np.int32)
    candidates = finite[rows, columns]
    mapping[rows[candidates]] = columns[candidates]
    return mapping


UPDATES: dict[str, Callable[[Float32s, Progress], Int32s]] = {
    "score-greedy": score_greedy,
    "min-cost": min_cost,
    "rank-greedy": rank_greedy,
    "stable-marriage": score_greedy,
}
"""By the names that the source uses. Both sides of a stable marriage rank by one distance here, so
the only stable matching is that of nearest first: the name is an alias."""


def update_continuously(pair: VectorPair, seeds: Int32s, progress: Progress) -> Int32s:
    """Heap-based continuous update from `seeds` pairs (section 3.4.3).

    Estimates begin at 1. Each newly fixed pair (ℓ', r') lowers those of its neighbours by
    min(cooc_N(ℓ'', ℓ'), cooc_N(r'', r')); the printed |a − b| in its place is an erratum.
    """
    estimate = np.ones(pair.shape, dtype=np.float32)
    mapping = np.full(len(estimate), -1, dtype=np.int32)
    nearest = np.zeros(len(estimate), dtype=np.int64)
    best = np.ones(len(estimate), dtype=np.float32)
    progress.stage("fixing pairs", len(estimate))

    def fix_pair(row: int, column: int) -> None:
        progress.advance()
        mapping[row] = column
        estimate[row] = estimate[:, column] = np.inf
        hashes, shares = pair.hashes.list_holders(row)
        tokens, others = pair.tokens.list_holders(column)
        estimate[np.ix_(hashes, tokens)] -= np.minimum.outer(shares, others)
        stale = np.append(np.flatnonzero((nearest == column) & (mapping < 0)), [*hashes, row])
        nearest[stale] = estimate[stale].argmin(axis=1)
        best[stale] = estimate[stale, nearest[stale]]

    for row in np.flatnonzero(seeds >= 0).tolist():
        fix_pair(row, int(seeds[row]))
    while estimate.size and best[row := int(best.argmin())] < np.inf:
        fix_pair(row, int(nearest[row]))
    return mapping
