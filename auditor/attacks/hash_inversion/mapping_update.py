"""From distances to a mapping: three ways to begin, four ways to go on, and one continuous way.

Every mapping is int32 of shape (hashes,): the token of each hash, −1 where it has none, and no
token twice. Ties go by (distance, hash, token). Kumar et al., sections 3.2, 3.3 and 3.4.3.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np

from auditor.arrays import Float32s, Int32s
from auditor.attacks.hash_inversion import matching_kernels as kernels
from auditor.attacks.hash_inversion.distance import VectorPair
from auditor.progress import Progress

Update = Literal["score-greedy", "min-cost", "rank-greedy", "stable-marriage"]

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
    rows, columns = distance.shape
    mapping = np.full(rows, -1, dtype=np.int32)
    taken = np.zeros(columns, dtype=np.bool_)
    best = np.empty(rows, dtype=np.float32)
    where = np.empty(rows, dtype=np.int32)
    size = max(1, _ENTRIES // max(columns, 1))
    for start, stop in progress.blocks("nearest tokens", rows, size):
        kernels.nearest_of_rows(start, stop, distance, taken, best, where)
    heap = np.arange(rows, dtype=np.int32)
    kernels.make_heap(heap, best)
    left = rows
    progress.stage("matching", rows)
    while left:
        left = kernels.greedy_step(distance, heap, left, best, where, taken, mapping, size)
        progress.update(rows - left)
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


def stable_marriage(distance: Float32s, progress: Progress) -> Int32s:
    """Gale and Shapley on the two rankings; hashes propose. O(n) a proposal.

    Both rankings come from one distance, so with the same ties the result is that of
    `score_greedy`: there is one stable matching.
    """
    rows, columns = distance.shape
    queue = np.arange(rows, dtype=np.int32)[::-1].copy()
    last = np.full(rows, -1, dtype=np.int32)
    holder = np.full(columns, -1, dtype=np.int32)
    budget = max(1, _ENTRIES // max(columns, 1))
    left = rows
    progress.stage("proposing", rows)
    while left:
        left = kernels.stable_step(distance, queue, left, last, holder, budget)
        progress.update(rows - left)
    mapping = np.full(rows, -1, dtype=np.int32)
    mapping[holder[holder >= 0]] = np.flatnonzero(holder >= 0)
    return mapping


def min_cost(distance: Float32s, progress: Progress) -> Int32s:
    """The one-to-one mapping of least total distance, by shortest augmenting paths; O(n³).

    Pairs that are no candidates cost more than all others together, and stay unmapped.
    """
    rows, columns = distance.shape
    n = max(rows, columns)
    finite = np.isfinite(distance)
    most = float(distance[finite].max()) if finite.any() else 0.0
    cost = distance
    if rows != columns or not finite.all():
        cost = np.zeros((n, n), dtype=np.float32)
        cost[:rows, :columns] = np.where(finite, distance, np.float32((most + 1.0) * n))
    u, v = np.empty(n), np.full(n, np.inf)
    owner = np.full(n, -1, dtype=np.int32)
    free, left = np.empty(n, dtype=np.int32), 0
    size = max(1, _ENTRIES // max(n, 1))
    for start, stop in progress.blocks("reducing costs", n, size):
        np.minimum(v, cost[start:stop].min(axis=0), out=v)
    for start, stop in progress.blocks("reducing costs", n, size):
        left = kernels.reduce_rows(start, stop, cost, u, v, owner, free, left)
    slack, before = np.empty(n), np.empty(n, dtype=np.int32)
    seen = np.empty(n, dtype=np.bool_)
    progress.stage("matching at least cost", left)
    for row in free[:left].tolist():
        kernels.augment(cost, row, u, v, owner, slack, before, seen)
        progress.advance()
    mapping = np.full(n, -1, dtype=np.int32)
    mapping[owner] = np.arange(n)
    mapping = mapping[:rows]
    mapping[mapping >= columns] = -1
    mapped = np.flatnonzero(mapping >= 0)
    mapping[mapped[~finite[mapped, mapping[mapped]]]] = -1
    return mapping


UPDATES: dict[str, Callable[[Float32s, Progress], Int32s]] = {
    "score-greedy": score_greedy,
    "min-cost": min_cost,
    "rank-greedy": rank_greedy,
    "stable-marriage": stable_marriage,
}


def continuous(pair: VectorPair, known: Int32s, progress: Progress) -> Int32s:
    """Heap-based continuous update from `known` pairs (section 3.4.3).

    Estimates begin at 1. Each newly fixed pair (ℓ', r') lowers those of its neighbours by
    min(cooc_N(ℓ'', ℓ'), cooc_N(r'', r')); the printed |a − b| in its place is an erratum.
    """
    hashes, tokens = pair.shape
    a, b = pair.hashes, pair.tokens
    estimate = np.ones((hashes, tokens), dtype=np.float32)
    mapping = np.full(hashes, -1, dtype=np.int32)
    taken = np.zeros(tokens, dtype=np.bool_)
    best = np.ones(hashes, dtype=np.float32)
    where = np.zeros(hashes, dtype=np.int32)
    state = (
        a.index_starts, a.index_rows, a.index_values, b.index_starts, b.index_rows,
        b.index_values, estimate, best, where, mapping, taken,
    )  # fmt: skip
    progress.stage("fixing pairs", hashes)
    for row in np.flatnonzero(known >= 0).tolist():
        kernels.fix_pairs(*state, row, int(known[row]))
        progress.advance()
    if tokens == 0:
        return mapping
    while not kernels.continue_step(*state, _ENTRIES):
        progress.update(int(np.count_nonzero(mapping >= 0)))
    return mapping
