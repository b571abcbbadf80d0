"""How set union spends its budget on rounds, and what users' weights come to in them."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from auditor.arrays import Bools, Float64s, Int64s, UInt8s
from auditor.errors import ParameterError
from auditor.log.model import QueryLog
from auditor.messages import phrase
from auditor.methods.noisy_counts.budget_fields import delta_field, epsilon_field
from auditor.methods.noisy_counts.histograms import (
    ContributionLimits,
    CountingUnit,
    LimitedCounts,
    limit_users,
)
from auditor.methods.noisy_counts.period_units import periods_field, unit_field
from auditor.methods.safelog.params import user_limit
from auditor.methods.set_union import adaptive_weights as adaptive
from auditor.params import ParamInterval, ParamOption, Params, choice, integer, real
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
_DRAWS = 4
"""Screenings that an expectation is averaged over."""


@dataclass(frozen=True, kw_only=True)
class SetUnionParams(Params, owner="set-union"):
    """What is wanted, and how it is spent."""

    epsilon: float = epsilon_field(
        "How much one user's history may change the chance of a release, as a factor e^ε.",
        bounds=ParamInterval(0.0, 100.0, "right"),
    )
    delta: float = delta_field(
        "The probability that ε doesn't hold. Half of it covers queries of a single user.",
    )
    q_f: int = user_limit(
        50,
        label="Queries counted per user (q_f)",
        help="Counts at most this many distinct queries of every user, the first ones. More "
        "of them find more queries, whose counts are noisier.",
        unit="queries",
    )
    rounds: int = integer(
        1,
        1,
        8,
        label="Rounds",
        help="In each round, users' weight goes to the queries that were not found yet. One "
        "round is the weighted Gaussian of Gopi et al.; more rounds help where most of "
        "users' queries are found.",
        unit="rounds",
        when={"weighting": (EVEN, ADAPTIVE)},
    )
    weighting: str = choice(
        EVEN,
        WEIGHTINGS,
        label="How users share their weight",
        help="Which of their queries a user's weight goes to. The guarantee is the same.",
    )
    counting: float = real(
        0.2,
        0.0,
        1.0,
        closed="neither",
        label="Share of the budget for counts",
        help="The rest finds queries: more for the counts means fewer queries with better counts.",
        slider=(0.01, 0.99),
        ends=("more queries", "better counts"),
    )
    unit: str = unit_field()
    periods: int | None = periods_field()


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
            "epsilon",
            phrase(
                "Adaptive weights have no noise for an ε of {epsilon:g}. Choose even weights, "
                "or a larger ε.",
                epsilon=params.epsilon,
            ),
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
        # a missing value gets no weight, as in a run
        blank = log.queries.find_blank().astype(np.uint8)
        return cls(limited, weigh_queries(log, limited, most, blank, progress))


FAR = 9.0
"""Standard deviations below a threshold at which a query is taken never to pass."""


def find_chances(
    log: QueryLog,
    params: SetUnionParams,
    scale: float,
    progress: Progress,
    grow: Callable[[Float64s], Float64s] | None = None,
    weights: UnionWeights | None = None,
) -> tuple[Float64s, Float64s]:
    """About how likely each query is found in a log of `scale` times the users, and its users here.

    Both of shape (queries,); users are within the limit. Given what the rounds before likely found.
    `grow` says how many users queries of so many have there; usually c become 1 + s(c − 1).
    `weights` are those of this log at this limit, where they are known.
    """
    derived = derive_noise(params)
    if weights is None:
        limits = ContributionLimits(CountingUnit.USERS, params.q_f, 1)
        limited = limit_users(log, limits, progress)
        weights = UnionWeights.of(log, limited, params.q_f, progress)
    limited, first = weights.limited, weights.first
    users = limited.query_count.astype(np.float64)
    whole = np.where(users > 0, 1 + scale * (users - 1), 0.0) if grow is None else grow(users)
    grown = np.divide(whole, users, out=np.zeros_like(users), where=users > 0)
    blank = log.queries.find_blank()  # a missing value gets no weight, as in a run

    def weigh_round(number: int, closed: UInt8s) -> tuple[Float64s, Float64s]:
        """The grown weights of a round, and the chance that each passes."""
        ceiling = derived.ceilings[number]
        if ceiling is not None and scale != 1:  # the ceiling of a log of so many times the weight
            ceiling = math.ceil(ceiling / max(scale, 1e-9))
        if number == 0 and ceiling is None:
            steps = first
        else:
            steps = weigh_queries(log, limited, params.q_f, closed, progress, ceiling)
        total = steps.astype(np.float64) * grown
        return total, _chance_to_pass(total, derived.threshold[number], derived.sigma[number])

    if derived.screen is not None:
        return _find_screened_chances(derived, blank, weigh_round), users
    chance = np.zeros(len(users))
    for number in range(len(derived.sigma)):
        likely = (blank | (chance > 0.5)).astype(np.uint8)
        chance = 1 - (1 - chance) * (1 - weigh_round(number, likely)[1])
    return chance, users


def _chance_to_pass(total: Float64s, threshold: float, sigma: float) -> Float64s:
    from scipy.stats import norm

    passes = np.zeros(len(total))
    near = np.flatnonzero((total > 0) & (total > threshold - FAR * sigma))
    passes[near] = norm.sf((threshold - total[near]) / sigma)
    return passes


def _find_screened_chances(
    derived: SetUnionNoise,
    blank: Bools,
    weigh: Callable[[int, UInt8s], tuple[Float64s, Float64s]],
) -> Float64s:
    """Found in the first round, or left open by it and found in the second.

    The second is averaged over some screenings with seeded noise.
    """
    total, first = weigh(0, blank.astype(np.uint8))
    assert derived.screen is not None
    rng = np.random.default_rng(0)
    second = np.zeros(len(total))
    for _ in range(_DRAWS):
        noisy = total + rng.normal(0.0, derived.sigma[0], len(total))
        closed = derived.flag_closed(0, noisy) | blank
        second += np.where(closed, 0.0, weigh(1, closed.astype(np.uint8))[1])
    return np.minimum(first + second / _DRAWS, 1.0)


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


def weigh_once(log: QueryLog, params: SetUnionParams, progress: Progress) -> tuple[Int64s, Int64s]:
    """What the first round gives each query, in steps, and how many users it comes from.

    Both of shape (queries,), none of a blank query; one user more lowers no entry.
    """
    limited = limit_users(log, ContributionLimits(CountingUnit.USERS, params.q_f, 1), progress)
    blank = log.queries.find_blank().astype(np.uint8)
    total = weigh_queries(log, limited, params.q_f, blank, progress)
    return total, limited.query_count.astype(np.int64)
