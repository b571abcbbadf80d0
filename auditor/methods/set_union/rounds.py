"""How set union spends its budget on rounds, and what users' weights come to in them."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass

import numpy as np

from auditor.arrays import Float64s, Int64s, UInt8s
from auditor.errors import ParameterError
from auditor.log.model import QueryLog
from auditor.log.sentences import sentence
from auditor.methods.noisy_counts.histograms import (
    ContributionLimits,
    CountingUnit,
    LimitedCounts,
    limit_users,
)
from auditor.methods.set_union import adaptive_weights as adaptive
from auditor.params import ParamOption, Params, choice
from auditor.privacy import gaussian
from auditor.privacy.randomness import LARGEST_SCALE
from auditor.progress import Progress

GROWTH = 3.0
"""How much more of the budget each round has than the one before: the last finds the most."""
EVEN, ADAPTIVE, SCREENED = "even", "adaptive", "screened"
WEIGHTINGS = (
    ParamOption(EVEN, "evenly", "The same to each query that is not found yet (Gopi et al.)."),
    ParamOption(
        ADAPTIVE,
        "away from safe queries",
        "What popular queries have more than enough of goes to the same users' other queries "
        "(after MAD, Chen et al.). Never finds fewer, and a few more where ε is large.",
    ),
    ParamOption(
        SCREENED,
        "to queries with a chance",
        "A first noisy round leaves out queries that can hardly be found, and the second "
        "shares the weight among the rest (after MAD2R, Chen et al.). Finds about twice as "
        "many in logs where most queries are rare.",
    ),
)


@dataclass(frozen=True, kw_only=True)
class SetUnionParams(Params, owner="set-union"):
    """What is wanted, and how it is spent."""

    epsilon: float = 2.0
    delta: float = 1e-06
    q_f: int = 50
    rounds: int = 1
    weighting: str = choice(
        EVEN,
        WEIGHTINGS,
        label="How users share their weight",
        help="Which of their queries a user's weight goes to. The guarantee is the same.",
    )
    counting: float = 0.2
    protected_unit: str = "history"
    periods: int | None = None
    suppress: str = "nothing"


@dataclass(frozen=True)
class SetUnionNoise:
    """Noise and thresholds of each round in steps of 1/`grid`, noise of the counts, the budget.

    Attributes
    ----------
    ceilings
        Weight above which it is passed on in each round; None where all is shared evenly.
    screen
        Noisy weight below which the first round closes a query; None where it closes none.
    """

    sigma: tuple[float, ...]
    threshold: tuple[int, ...]
    count_sigma: float
    rho: float
    delta: float
    grid: int = gaussian.GRID
    ceilings: tuple[int | None, ...] = ()
    screen: float | None = None

    @property
    def least_weight(self) -> float:
        """The last round's threshold, where a user with one query gives a weight of 1."""
        return self.threshold[-1] / self.grid

    def flag_closed(self, number: int, noisy: Float64s | Int64s) -> UInt8s:
        """1 for each noisy weight of round `number` (from 0) that gets no weight any more."""
        closed = noisy >= self.threshold[number]
        if self.screen is not None and number == 0:
            closed |= noisy < self.screen
        return closed.view(np.uint8)


@functools.lru_cache(maxsize=256)
def derive_noise(params: SetUnionParams) -> SetUnionNoise:
    """Spend (ε, δ/2) on noise and δ/2 on thresholds; some milliseconds, the last ones kept."""
    rho = gaussian.rho_for(params.epsilon, params.delta / 2)
    if params.weighting == SCREENED:
        share = np.array([adaptive.SCREEN_SHARE, 1 - adaptive.SCREEN_SHARE])
    else:
        share = GROWTH ** np.arange(params.rounds)
    even = params.weighting == EVEN
    grid = gaussian.GRID if even else adaptive.GRID
    moved = grid if even else grid * (1 + adaptive.SLACK)  # what one user changes, in ℓ2
    each = rho * (1 - params.counting) * share / share.sum()
    sigma = tuple(float(moved / math.sqrt(2 * part)) for part in each)
    if max(sigma) > LARGEST_SCALE:
        raise ParameterError(
            "epsilon", sentence("set_union.adaptive_weights_noise_choose", epsilon=params.epsilon)
        )
    leak = params.delta / 2 / len(share)
    found = tuple(gaussian.union_threshold(s, leak, params.q_f, grid) for s in sigma)
    ceilings = tuple(
        None if even else math.ceil(least + adaptive.CEILING * s)
        for least, s in zip(found, sigma, strict=True)
    )
    screened = params.weighting == SCREENED
    screen = found[-1] - adaptive.SCREEN_DEPTH * sigma[0] if screened else None
    delta = gaussian.delta_of(rho, params.epsilon) + params.delta / 2
    counts = math.sqrt(params.q_f / (2 * rho * params.counting))
    return SetUnionNoise(sigma, found, counts, rho, min(1.0, delta), grid, ceilings, screen)


def weigh_queries(
    log: QueryLog,
    limited: LimitedCounts,
    most: int,
    closed: UInt8s,
    progress: Progress,
    ceiling: int | None = None,
) -> Int64s:
    """What all users give each query that isn't closed; int64 steps, shape (queries,)."""
    if ceiling is None:
        return adaptive.weigh_evenly(log, limited, most, closed, progress)
    return adaptive.weigh_adaptively(log, limited, most, closed, ceiling, progress)


def weigh_once(log: QueryLog, params: SetUnionParams, progress: Progress) -> tuple[Int64s, Int64s]:
    """What the first round gives each query, in steps, and how many users it comes from.

    Both of shape (queries,), none of a blank query; one user more lowers no entry.
    """
    limited = limit_users(log, ContributionLimits(CountingUnit.USERS, params.q_f, 1), progress)
    blank = log.queries.find_blank().astype(np.uint8)
    total = weigh_queries(log, limited, params.q_f, blank, progress)
    return total, limited.query_count.astype(np.int64)
