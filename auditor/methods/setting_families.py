"""Facts by which a search finds settings of a method, and what noise lets pass.

A method with an ε that declares families appears in every search; with a law, too, what it keeps is
expected at once for any ε, and with families that one user bounds it may be chosen privately.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from auditor.arrays import Float64s
from auditor.methods.noisy_counts import discrete_laplace
from auditor.params import Params


@dataclass(frozen=True, eq=False)
class SettingFamily:
    """Settings of a method along one number, at the ε and δ that are allowed.

    Attributes
    ----------
    name, parameter
        For people; and the parameter that is the number, of which more costs noise and counts more.
    make
        ``make(number, epsilon, delta)``; raises an `AuditorError` where the number doesn't go.
    bounded
        Whether one user changes by little what is expected of it, so that a private choice may
        compare it.
    walks
        Whether an expectation walks over the whole log.
    """

    name: str
    parameter: str
    make: Callable[[int, float, float], Params]
    bounded: bool = False
    walks: bool = False


@dataclass(frozen=True)
class PassingLaw:
    """How many queries of each user count, and how likely a query of so many users passes.

    `least` and `scale` are the threshold and the noise scale, where the noise is discrete Laplace;
    `symbol` is what the threshold is called.
    """

    limit: int
    chance: Callable[[Float64s], Float64s]
    least: float | None = None
    scale: float = 0.0
    symbol: str = "K"

    @classmethod
    def of_threshold(cls, limit: int, scale: float, least: float, symbol: str = "K") -> PassingLaw:
        """A noisy number of users that is compared with a threshold."""
        chance = functools.partial(discrete_laplace.chance_of_passing, scale=scale, threshold=least)
        return cls(limit, chance, least, scale, symbol)


LawOf = Callable[[Any], PassingLaw | None]
"""The law of a setting; None where numbers of users don't decide what passes."""


def limit_scale(wanted: float) -> float:
    """A noise scale within what methods take, upwards where it isn't."""
    return max(wanted, 0.01)
