"""What several noisy numbers cost together: the sum, and the smaller ε at a δ > 0.

Composition of the discrete Laplace mechanism is exact here: its privacy loss has two values. So is
that of truncated geometric noise, whose loss has the same two values and is infinite with the
chance of its ends, which stands among the δ besides (`privacy.truncated_geometric`).

**With Gaussian noise.** Of discrete Gaussian noise only its concentrated ρ is known for sure, which
adds up. It bounds H(ε) = sup P(O) − e^ε P'(O) by g(ε) = `gaussian.delta_of` for ε ≥ 0, and since
H(ε) = 1 − e^ε + e^ε H'(−ε), with H' the other direction, by g(ε) = 1 − e^ε + e^ε g(−ε) below. Let L
be the loss of all Laplace noise, chosen however late: it is a function of coins that are
randomised response, which may as well be tossed before all else. Given them the rest is ρ. Hence

    δ(ε) ≤ Σ P(L)·g(ε − L).
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from auditor.arrays import Float64s
from auditor.messages import phrase

_EXACT_POINTS = 2_000_000
_GAUSSIAN_POINTS = 2_000
_LEAST_EPSILON = 1e-9
_ORDERS: Float64s = np.geomspace(1e-3, 1e5, 300)
"""α − 1 of the orders at which Gaussian noise is looked at; each gives a true bound."""


@dataclass(frozen=True)
class Mechanism:
    """`count` noisy numbers of Laplace `scale`, each of which one user changes by 1 at most.

    Where a user may change one number by m, and all of them by m together, that is one number
    (`count` 1) of scale/m: the worst case is that all goes into one, and no composition helps.
    """

    scale: float
    count: int


@dataclass(frozen=True)
class ComposedLaws:
    """Several mechanisms together: bounded losses, Gaussian noise, and the δ beside both."""

    mechanisms: tuple[Mechanism, ...]
    rho: float
    delta: float

    def compute_epsilon(self, delta: float) -> float:
        """The least known ε at this δ in all; infinite where too little δ is left for the noise."""
        remaining_delta = delta - self.delta
        if not self.mechanisms and not self.rho and remaining_delta >= 0:
            return 0.0
        if self.rho <= 0 and remaining_delta >= 0:
            return tight_epsilon(self.mechanisms, min(remaining_delta, 1 - 1e-9))
        if not remaining_delta > 0:
            return math.inf
        return epsilon_with_gaussian(self.mechanisms, self.rho, min(remaining_delta, 1 - 1e-9))

    @property
    def points(self) -> int:
        """Sums of losses that an exact composition has to look at."""
        return math.prod(count + 1 for _, count in _merge_scales(self.mechanisms))


LawKind = Literal["approximate", "laplace", "truncated geometric", "gaussian", "included"]


@dataclass(frozen=True)
class NoiseLaw:
    """How one mechanism that touched the log composes with others.

    Attributes
    ----------
    kind
        "approximate": of the mechanism no more is known than its (`epsilon`, `delta`).
        "laplace", "truncated geometric": `count` independent losses of ±1/`scale`.
        "gaussian": concentrated cost `rho`. "included": the law of another term covers it.
    delta
        The probability of an unbounded loss beside the noise: of thresholds and truncated ends.
    """

    kind: LawKind
    scale: float = 0.0
    count: int = 0
    rho: float = 0.0
    epsilon: float = 0.0
    delta: float = 0.0

    def __post_init__(self) -> None:
        values = (self.scale, self.count, self.rho, self.epsilon, self.delta)
        losses = self.kind in ("laplace", "truncated geometric")
        if (
            self.kind not in get_args(LawKind)
            or not all(0 <= value < math.inf for value in values)
            or (losses and self.scale <= 0)
        ):
            raise ValueError("not the law of a mechanism")

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON, without those that are 0; `from_dict` reads them."""
        names = ("scale", "count", "rho", "epsilon", "delta")
        return {"kind": self.kind} | {n: v for n in names if (v := getattr(self, n))}

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> NoiseLaw:
        """The inverse of `to_dict`; raises KeyError, TypeError or ValueError for anything else."""
        numbers = {n: float(plain.get(n, 0.0)) for n in ("scale", "rho", "epsilon", "delta")}
        return cls(plain["kind"], count=int(plain.get("count", 0)), **numbers)


def combine_laws(laws: Iterable[NoiseLaw]) -> ComposedLaws:
    """All mechanisms of these laws.

    Of what is only (ε, δ), randomised response composes worst (Kairouz, Oh & Viswanath 2015).
    """
    mechanisms, rho, delta = [], [], []
    for law in laws:
        if law.kind == "approximate" and law.epsilon:
            mechanisms.append(Mechanism(1 / max(law.epsilon, _LEAST_EPSILON), 1))
        elif law.kind in ("laplace", "truncated geometric"):
            mechanisms.append(Mechanism(law.scale, law.count))
        elif law.kind == "gaussian":
            rho.append(law.rho)
        delta.append(law.delta)
    return ComposedLaws(tuple(mechanisms), math.fsum(rho), math.fsum(delta))


def additive_epsilon(mechanisms: Sequence[Mechanism]) -> float:
    """Σ count/scale, which holds at δ = 0."""
    return math.fsum(mechanism.count / mechanism.scale for mechanism in mechanisms)


def epsilon_with_gaussian(mechanisms: Sequence[Mechanism], rho: float, delta: float) -> float:
    """The least ε of discrete Laplace and truncated noise beside Gaussian noise of ρ, at `delta`.

    By the sum in the module's text. Some 0.1 s after those of `tight_epsilon`; infinite where
    different scales give too many losses.
    """
    if not 0 < delta < 1:
        raise ValueError(phrase("delta must be in (0, 1), not {delta:g}", delta=delta))
    if rho <= 0:
        return tight_epsilon(mechanisms, delta)
    sums = _sum_losses(_merge_scales(mechanisms))
    if sums is None:
        return math.inf
    loss, chance = sums
    if len(loss) > _GAUSSIAN_POINTS:  # at so many steps, none made smaller
        steps = np.linspace(float(loss.min()), float(loss.max()), _GAUSSIAN_POINTS)
        place = np.minimum(np.searchsorted(steps, loss), _GAUSSIAN_POINTS - 1)
        chance = np.bincount(place, chance, minlength=len(steps)).astype(np.float64)
        loss = steps

    def compute_excess(epsilon: float) -> float:
        return float(chance @ gaussian_curve(rho, epsilon - loss))

    low, high = 0.0, additive_epsilon(mechanisms) + rho + 2 * math.sqrt(rho * -math.log(delta))
    if compute_excess(low) <= delta:
        return low
    while high - low > 1e-9 * max(1.0, high):
        middle = (low + high) / 2
        low, high = (middle, high) if compute_excess(middle) > delta else (low, middle)
    return high + 1e-8


def gaussian_curve(rho: float, epsilon: Float64s) -> Float64s:
    """g of the module's text for each ε of either sign: the least over a grid of orders."""
    size = np.abs(epsilon)[:, None]
    orders = _ORDERS[None, :]
    bound = (
        orders * ((1 + orders) * rho - size) - np.log(orders) - (1 + orders) * np.log1p(1 / orders)
    )
    above = np.exp(np.minimum(bound.min(axis=1), 0.0))
    below = -np.expm1(-size[:, 0]) + np.exp(-size[:, 0]) * above
    curve: Float64s = np.where(epsilon >= 0, above, np.minimum(below, 1.0))
    return curve


def _merge_scales(mechanisms: Sequence[Mechanism]) -> tuple[tuple[float, int], ...]:
    """How many numbers of each scale there are, ascending."""
    merged: dict[float, int] = {}
    for mechanism in mechanisms:
        if not 0 < mechanism.scale < math.inf or mechanism.count < 0:
            raise ValueError("a mechanism must have a positive scale and a count of 0 or more")
        merged[mechanism.scale] = merged.get(mechanism.scale, 0) + mechanism.count
    return tuple(sorted((scale, count) for scale, count in merged.items() if count))


def tight_epsilon(mechanisms: Sequence[Mechanism], delta: float) -> float:
    """The least ε that all `mechanisms` together have at `delta`, which thresholds' δ adds to.

    For a change by 1 the ratio P[X = x]/P[X + 1 = x] of discrete Laplace is e^(1/b) or e^(−1/b)
    and nothing else: it is randomised response, which dominates every (1/b)-private mechanism. So
    k of n losses 1/b and the others −1/b, with k binomial of chance
    1/(1 + e^(−1/b)), is the loss of n of them (Kairouz, Oh & Viswanath 2015), summed exactly
    here. Equal losses are merged, and 10⁻⁸ is added, which is more than rounding can take away.
    Where different scales give too many sums, an accountant of privacy loss distributions takes
    over, with losses rounded upwards, in a few seconds.

    Cost: O(Π (count + 1)) for distinct scales, microseconds for one; the last results are kept.
    """
    if not 0 <= delta < 1:
        raise ValueError(phrase("delta must be in [0, 1), not {delta:g}", delta=delta))
    groups = _merge_scales(mechanisms)
    additive = additive_epsilon(mechanisms)
    if delta == 0 or not groups:
        return additive
    return min(additive, _tight_epsilon(groups, delta) + 1e-8)


@functools.lru_cache(maxsize=4096)
def _tight_epsilon(groups: tuple[tuple[float, int], ...], delta: float) -> float:
    sums = _sum_losses(sorted(groups, key=lambda group: group[1]))
    return _by_distributions(groups, delta) if sums is None else _least_epsilon(*sums, delta)


def _sum_losses(groups: Sequence[tuple[float, int]]) -> tuple[Float64s, Float64s] | None:
    """The losses of all groups together and their chances; None where these are too many."""
    loss, chance = np.zeros(1), np.ones(1)
    for scale, count in groups:
        if len(loss) * (count + 1) > _EXACT_POINTS:
            return None
        step, weight = _binomial_losses(scale, count)
        # Losses that are equal but for rounding as one, descending, at a multiple of 10⁻⁹.
        sums = np.ceil(np.add.outer(loss, step).ravel() * 1e9 - 1e-3)
        keys, key_index = np.unique(-sums, return_inverse=True)
        chances = np.multiply.outer(chance, weight).ravel()
        loss, chance = -keys * 1e-9, np.bincount(key_index, chances).astype(np.float64)
    return loss, chance


def _binomial_losses(scale: float, count: int) -> tuple[Float64s, Float64s]:
    """Losses (2k − n)/b and their chances, k = 0 … n; shape (n + 1,)."""
    k = np.arange(count + 1)
    factorials = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, count + 1)))])
    log_choose = factorials[-1] - factorials - factorials[::-1]
    high = -math.log1p(math.exp(-1 / scale))  # ln of the chance of a loss of 1/b
    return (2 * k - count) / scale, np.exp(log_choose + k * high + (count - k) * (high - 1 / scale))


def _least_epsilon(loss: Float64s, chance: Float64s, delta: float) -> float:
    """Solve Σ_{L > ε} P(L)(1 − e^(ε − L)) = δ for descending losses L.

    The left side falls with ε. Between two neighbouring losses it is A − B·e^ε, whose root has a
    closed form; which two, a bisection over the losses finds.
    """

    def compute_excess(epsilon: float) -> float:
        above = loss > epsilon
        return float(np.sum(chance[above] * -np.expm1(epsilon - loss[above])))

    if compute_excess(0.0) <= delta:
        return 0.0
    low, high = 0, int(np.count_nonzero(loss > 0))  # excess ≤ δ at loss[low], > δ below it
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (
            (middle, high) if compute_excess(float(loss[middle])) <= delta else (low, middle)
        )
    above = slice(0, low + 1)
    base = float(loss[low])
    odds = (float(np.sum(chance[above])) - delta) / float(
        np.sum(chance[above] * np.exp(base - loss[above]))
    )
    return min(base, max(0.0, base + math.log(odds)))


def _by_distributions(groups: tuple[tuple[float, int], ...], delta: float) -> float:
    """The same by dp_accounting: any number of scales, losses rounded up to a grid."""
    from dp_accounting.pld import privacy_loss_distribution as pld

    grid = sum(count / scale for scale, count in groups) / 500_000
    total = None
    for scale, count in groups:
        single = pld.from_discrete_laplace_mechanism(1 / scale, value_discretization_interval=grid)
        part = single.self_compose(count)
        total = part if total is None else total.compose(part)
    assert total is not None
    return float(total.get_epsilon_for_delta(delta))
