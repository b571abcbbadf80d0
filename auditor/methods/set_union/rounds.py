"""How set union spends its budget on rounds, and what users' weights come to in them."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from auditor.arrays import Float64s, Int64s, UInt8s
from auditor.log.model import QueryLog
from auditor.methods.noisy_counts.histograms import (
    ContributionLimits,
    CountingUnit,
    LimitedCounts,
    limit_users,
    user_blocks,
)
from auditor.methods.noisy_counts.period_units import periods_field, unit_field
from auditor.methods.safelog.params import user_limit
from auditor.params import Params, integer, real
from auditor.privacy import gaussian
from auditor.progress import Progress

GROWTH = 3.0
"""How much more of the budget each round has than the one before: the last finds the most."""

BLOCK_ROWS = 1 << 21


@dataclass(frozen=True, kw_only=True)
class SetUnionParams(Params, owner="set-union"):
    """What is wanted, and how it is spent."""

    epsilon: float = real(
        2.0,
        0.0,
        100.0,
        closed="right",
        label="Wanted ε",
        help="How much one user's history may change the chance of a release, as a factor e^ε.",
        slider=(0.1, 20.0),
        scale="log",
        ends=("more private", "more useful"),
    )
    delta: float = real(
        1e-6,
        0.0,
        0.1,
        closed="right",
        label="Failure probability (δ)",
        help=("The probability that ε doesn't hold. Half of it covers queries of a single user."),
        slider=(1e-12, 1e-2),
        scale="log",
        ends=("more private", "more useful"),
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
    """Noise and thresholds of each round in steps of 1/2²⁰, noise of the counts, the budget."""

    sigma: tuple[float, ...]
    threshold: tuple[int, ...]
    count_sigma: float
    rho: float
    delta: float


@functools.lru_cache(maxsize=256)
def derive_noise(params: SetUnionParams) -> SetUnionNoise:
    """Spend (ε, δ/2) on noise and δ/2 on thresholds; some milliseconds, the last ones kept."""
    rho = gaussian.rho_for(params.epsilon, params.delta / 2)
    share = GROWTH ** np.arange(params.rounds)
    each = rho * (1 - params.counting) * share / share.sum()
    sigma = tuple(float(gaussian.GRID / math.sqrt(2 * part)) for part in each)
    leak = params.delta / 2 / params.rounds
    found = tuple(gaussian.union_threshold(s, leak, params.q_f) for s in sigma)
    delta = gaussian.delta_of(rho, params.epsilon) + params.delta / 2
    counts = math.sqrt(params.q_f / (2 * rho * params.counting))
    return SetUnionNoise(sigma, found, counts, rho, min(1.0, delta))


def weigh_queries(
    log: QueryLog, limited: LimitedCounts, most: int, found: UInt8s, progress: Progress
) -> Int64s:
    """What all users give each query that isn't found; int64 steps, shape (queries,)."""
    from auditor.methods.set_union import kernels

    total = np.zeros(len(log.queries), dtype=np.int64)
    mark = np.full(len(log.queries), -1, dtype=np.int32)
    part = gaussian.item_weights(most)
    histories = kernels.LimitedHistories(log.query, log.user_starts, limited.stops)
    for first, last in user_blocks(log, "weighing queries", progress, BLOCK_ROWS):
        kernels.spread_weights(histories, first, last, found, part, mark, total)
    return total


def find_chances(
    log: QueryLog,
    params: SetUnionParams,
    scale: float,
    progress: Progress,
    grow: Callable[[Float64s], Float64s] | None = None,
) -> tuple[Float64s, Float64s]:
    """About how likely each query is found in a log of `scale` times the users, and its users here.

    Both of shape (queries,); users are within the limit. Given what the rounds before likely found.
    `grow` says how many users queries of so many have there; usually c become 1 + s(c − 1).
    """
    from scipy.stats import norm

    derived = derive_noise(params)
    limited = limit_users(log, ContributionLimits(CountingUnit.USERS, params.q_f, 1), progress)
    users = limited.query_count.astype(np.float64)
    whole = np.where(users > 0, 1 + scale * (users - 1), 0.0) if grow is None else grow(users)
    grown = np.divide(whole, users, out=np.zeros_like(users), where=users > 0)
    blank = log.queries.blank()  # a missing value gets no weight, as in a run
    chance = np.zeros(len(users))
    for sigma, threshold in zip(derived.sigma, derived.threshold, strict=True):
        likely = (blank | (chance > 0.5)).astype(np.uint8)
        total = weigh_queries(log, limited, params.q_f, likely, progress) * grown
        passes = np.where(total > 0, norm.sf((threshold - total) / sigma), 0.0)
        chance = 1 - (1 - chance) * (1 - passes)
    return chance, users


def weigh_once(log: QueryLog, params: SetUnionParams, progress: Progress) -> tuple[Int64s, Int64s]:
    """What the first round gives each query, in steps, and how many users it comes from.

    Both of shape (queries,), none of a blank query; one user more lowers no entry.
    """
    limited = limit_users(log, ContributionLimits(CountingUnit.USERS, params.q_f, 1), progress)
    blank = log.queries.blank().astype(np.uint8)
    total = weigh_queries(log, limited, params.q_f, blank, progress)
    return total, limited.query_count.astype(np.int64)
