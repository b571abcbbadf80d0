"""Facts by which a search finds settings of a method, and what noise lets pass.

A method with an ε that declares families appears in every search; with a law, too, what it keeps is
expected at once for any ε, and with families that one user bounds it may be chosen privately.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from auditor.arrays import Float64s, Int64s
from auditor.log.model import QueryLog
from auditor.methods.noisy_counts import discrete_laplace
from auditor.methods.noisy_counts.histograms import ContributionLimits, LimitedCounts
from auditor.params import Params
from auditor.progress import Progress


@dataclass(frozen=True, eq=False)
class SettingFamily:
    """Settings of a method along one number, at the ε and δ that are allowed."""

    # name, parameter: for people; and the parameter that is the number, of which more costs noise
    # and counts more
    name: str
    parameter: str
    # ``make(number, epsilon, delta)``; raises an `AuditorError` where the number doesn't go.
    make: Callable[[int, float, float], Params]
    # Whether one user changes by little what is expected of it, so that a private choice may
    # compare it.
    bounded: bool = False
    walks: bool = False  # whether an expectation walks over the whole log


@dataclass(frozen=True)
class ClickLaw:
    """Which clicks of a user count, and the noise scale and threshold of the number of users."""

    limits: ContributionLimits
    scale: float
    least: float

    def chance(self, users: Float64s) -> Float64s:
        """How likely a click of so many users on a released query passes."""
        return discrete_laplace.chance_of_passing(users, self.scale, self.least)


@dataclass(frozen=True)
class PassingLaw:
    """How many queries of each user count, and how likely a query of so many users passes."""

    limit: int
    chance: Callable[[Float64s], Float64s]
    least: float | None = None  # the threshold where noise is discrete Laplace
    scale: float = 0.0  # its scale there
    symbol: str = "K"  # what the threshold is called
    clicks: ClickLaw | None = None  # released with queries, unless None

    @classmethod
    def of_threshold(
        cls,
        limit: int,
        scale: float,
        least: float,
        symbol: str = "K",
        clicks: ClickLaw | None = None,
    ) -> PassingLaw:
        """A noisy number of users that is compared with a threshold."""
        chance = functools.partial(discrete_laplace.chance_of_passing, scale=scale, threshold=least)
        return cls(limit, chance, least, scale, symbol, clicks)


@dataclass(frozen=True)
class FirstWeights:
    """What the first round gives queries, where it is the only one and one user bounds it."""

    parts: Int64s  # what a user with t queries gives each, in the steps of `count`
    # ``count(log, progress)``: weights and numbers of users; shape (queries,) both.
    count: Callable[[QueryLog, Progress], tuple[Int64s, Int64s]]
    threshold: float  # of the noisy weight
    sigma: float


@dataclass(frozen=True)
class WeightLaw:
    """What passes where each user shares one weight among at most `limit` queries."""

    limit: int
    # How many users a query needs at least, by users of one query and of as many as count.
    needed_users: tuple[int, int]
    # ``weigh(log, limited, progress)``: what depends on the log and the limit alone.
    weigh: Callable[[QueryLog, LimitedCounts, Progress], Any]
    # ``chances(log, scale, progress, weighed)``: see `set_union.method.find_chances`.
    chances: Callable[..., tuple[Float64s, Float64s]]
    # How likely queries of users who issued nothing else are released, by their number.
    planted: Callable[[Float64s], Float64s]
    first: FirstWeights | None  # the weights where they have a bounded score, else None


LawOf = Callable[[Any], PassingLaw | None]
"""The law of a setting; None where numbers of users don't decide what passes."""
WeightLawOf = Callable[[Any], WeightLaw | None]
"""The same of a method whose users share a weight; None where a period of a user is protected."""


def limit_scale(scale: float) -> float:
    """A noise scale within what methods take, upwards where it isn't."""
    return max(scale, 0.01)
