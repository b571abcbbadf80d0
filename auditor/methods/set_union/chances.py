"""How likely each query is found, without a run.

The first round's weights follow from the log. What later rounds give a query depends on which of
its users' other queries are still open; its weight there is taken to be the mean over that, and the
query itself to be open, which it has to be in order to be found. So nothing is drawn: the chance
of a query that is seldom left open by a screening is as exact as that of any other.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from auditor.arrays import Float32s, Float64s, Int64s
from auditor.log.model import QueryLog
from auditor.methods.noisy_counts.histograms import (
    ContributionLimits,
    CountingUnit,
    LimitedCounts,
    limit_users,
    user_blocks,
)
from auditor.methods.set_union.adaptive_weights import BLOCK_ROWS, weigh_evenly
from auditor.methods.set_union.rounds import EVEN, SetUnionParams, derive_noise
from auditor.privacy import gaussian
from auditor.progress import Progress

FAR = 9.0
"""Standard deviations below a threshold at which a query is taken never to pass."""


@dataclass(frozen=True, eq=False)
class UnionWeights:
    """The limited histories of a log, and what all users evenly give each query at first.

    Both depend on the limit alone: whoever tries many settings counts them once.
    """

    limited: LimitedCounts
    first: Int64s

    @classmethod
    def of(
        cls, log: QueryLog, limited: LimitedCounts, most: int, progress: Progress
    ) -> UnionWeights:
        """Weigh the queries of limited histories; O(rows)."""
        blank = log.queries.find_blank().astype(
            np.uint8
        )  # a missing value gets no weight, as in a run
        return cls(limited, weigh_evenly(log, limited, most, blank, progress))


def find_chances(
    log: QueryLog,
    params: SetUnionParams,
    scale: float,
    progress: Progress,
    grow: Callable[[Float64s], Float64s] | None = None,
    weights: UnionWeights | None = None,
) -> tuple[Float64s, Float64s]:
    """About how likely each query is found in a log of `scale` times the users, and its users here.

    Both of shape (queries,); users are within the limit. O(rows) for each round after the first,
    and for weights that are passed on.
    `grow` says how many users queries of so many have there; usually c become 1 + s(c − 1).
    `weights` are those of this log at this limit, where they are known.
    """
    derived = derive_noise(params)
    if weights is None:
        limits = ContributionLimits(CountingUnit.USERS, params.q_f, 1)
        limited = limit_users(log, limits, progress)
        weights = UnionWeights.of(log, limited, params.q_f, progress)
    limited = weights.limited
    users = limited.query_count.astype(np.float64)
    whole = np.where(users > 0, 1 + scale * (users - 1), 0.0) if grow is None else grow(users)
    grown = np.divide(whole, users, out=np.zeros_like(users), where=users > 0)
    still_open = (users > 0).astype(np.float32)  # none of a blank query, which gets no weight
    chance = np.zeros(len(users))
    for number, (sigma, threshold) in enumerate(zip(derived.sigma, derived.threshold, strict=True)):
        if number == 0:
            given = weights.first.astype(np.float64)
            given *= derived.grid / gaussian.GRID
        else:
            given = _spread(log, limited, still_open, None, progress)
            given *= derived.grid
        ceiling = derived.ceilings[number]
        if ceiling is not None:
            # The ceiling of a log of so many times the weight.
            above = given * scale - ceiling
            if above.max(initial=0.0) > 0:
                excess = np.maximum(above, 0) / np.maximum(given * scale, 1)
                passed = _spread(log, limited, still_open, excess.astype(np.float32), progress)
                given *= 1 - excess
                given += passed * (derived.grid / (2 * params.q_f))
        total: Float64s = given * grown
        passes = _chance_to_pass(total, threshold, sigma)
        found = still_open * passes
        chance += found
        if number == 0 and derived.screen is not None:
            left = _chance_to_pass(total, derived.screen, sigma) - passes
            still_open = (still_open * np.maximum(left, 0.0)).astype(np.float32)
        else:
            still_open = (still_open - found).astype(np.float32)
    return np.minimum(chance, 1.0), users


def _spread(
    log: QueryLog,
    limited: LimitedCounts,
    still_open: Float32s,
    excess: Float32s | None,
    progress: Progress,
) -> Float64s:
    """What users are expected to give each query if it is open, or to get back of an `excess`.

    Shape (queries,); a user whose only open query it is gives 1.
    """
    from auditor.methods.set_union import kernels

    total = np.zeros(len(log.queries))
    mark = np.full(len(log.queries), -1, dtype=np.int32)
    histories = kernels.LimitedHistories(log.query, log.user_starts, limited.stops)
    worth = np.zeros(0, dtype=np.float32) if excess is None else excess
    for first, last in user_blocks(log, "weighing queries", progress, BLOCK_ROWS):
        kernels.spread_expected_weights(histories, first, last, still_open, worth, mark, total)
    return total


def _chance_to_pass(total: Float64s, threshold: float, sigma: float) -> Float64s:
    from scipy.special import ndtr

    passes = np.zeros(len(total))
    near = np.flatnonzero((total > 0) & (total > threshold - FAR * sigma))
    passes[near] = ndtr((total[near] - threshold) / sigma)
    return passes


def planted_union_chances(params: SetUnionParams, users: Float64s) -> Float64s | None:
    """How likely a query is found by the number of users who issued it and nothing else.

    None where weight is passed on: who has no other query has nothing to pass it to.
    """
    if params.weighting != EVEN:
        return None
    derived = derive_noise(params)
    total = users * float(gaussian.item_weights(1)[1])
    missed = np.ones(len(users))
    for sigma, threshold in zip(derived.sigma, derived.threshold, strict=True):
        missed *= 1 - _chance_to_pass(total, threshold, sigma)
    return 1 - missed
