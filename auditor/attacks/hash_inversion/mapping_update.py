"""From distances to a mapping: three ways to begin, three ways to go on, and one continuous way.

Every mapping is int32 of shape (hashes,): the token of each hash, −1 where it has none, and no
token twice. Ties go by (distance, hash, token). Kumar et al., sections 3.2, 3.3 and 3.4.3.
"""

from collections.abc import Callable

import numpy as np
from scipy.optimize import linear_sum_assignment

from auditor.arrays import Float32s, Int32s
from auditor.attacks.hash_inversion import kernels
from auditor.attacks.hash_inversion.distance import VectorPair
from auditor.errors import Cancelled
from auditor.progress import Progress, run_cancellable

_ENTRIES = 1 << 24  # a matrix's entries searched between two looks at the cancel flag


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

    O(n²) to fill and O(n) for each pair that lost its token meanwhile; rows with no finite
    distance left stay unmapped.
    """
    progress.stage("matching")
    stop = np.zeros(1, dtype=np.bool_)
    try:
        return run_cancellable(lambda: kernels.match_greedily(distance, stop), progress)
    except Cancelled:
        stop[0] = True
        raise


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
    largest = float(distance[finite].max()) if finite.any() else 0.0
    cost = np.where(finite, distance.astype(np.float64), (largest + 1.0) * max(distance.shape))
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
    hashes, tokens = pair.shape
    estimate = np.ones((hashes, tokens), dtype=np.float32)
    mapping = np.full(hashes, -1, dtype=np.int32)
    is_taken = np.zeros(tokens, dtype=np.bool_)
    best = np.ones(hashes, dtype=np.float32)
    nearest = np.zeros(hashes, dtype=np.int32)
    sides = pair.hashes.index, pair.tokens.index
    pairs = kernels.PairEstimates(estimate, best, nearest, mapping, is_taken)
    progress.stage("fixing pairs", hashes)
    for row in np.flatnonzero(seeds >= 0).tolist():
        kernels.fix_pairs(*sides, pairs, row, int(seeds[row]))
        progress.advance()
    if tokens == 0:
        return mapping
    while not kernels.continue_step(*sides, pairs, _ENTRIES):
        progress.update(int(np.count_nonzero(mapping >= 0)))
    return mapping
