"""What discrete Gaussian noise promises, alone and over several rounds of choosing a set.

Noise X with P[X = x] ∝ exp(−x²/2σ²) on the integers costs ρ = Δ²/2σ² of concentrated
differential privacy where one user changes all numbers together by at most Δ in ℓ2 (Canonne,
Kamath and Steinke 2020, Theorem 4). ρ add up over rounds, also where a later round depends on what
an earlier one showed. From ρ to (ε, δ), for every α > 1 (the same, Proposition 12):

    δ = e^((α − 1)(αρ − ε)) / (α − 1) · (1 − 1/α)^α.

Its tail is below that of the real Gaussian one step earlier: P[X ≥ m] ≤ P[N(0, σ²) ≥ m − 1]
(the same, Proposition 25).
"""

import functools
import math

import numpy as np

from auditor.arrays import Int64s

GRID = 1 << 20
"""Steps in which a weight of 1 is counted: weights are whole numbers of them, rounded down."""


def delta_of(rho: float, epsilon: float) -> float:
    """The least δ that the formula above gives; every α gives a true bound. O(1).

    With r = α − 1 the logarithm of the formula has the slope ρ(1 + 2r) − ε − ln(1 + 1/r), which
    rises in r and is concave: from the left, Newton's steps reach its root without passing it.
    """
    if rho <= 0:
        return 0.0
    if rho > 500:
        return 1.0
    order = math.exp(-rho - 2)  # the slope there is below −2
    for _ in range(100):
        slope = rho * (1 + 2 * order) - epsilon - math.log1p(1 / order)
        step = -slope / (2 * rho + 1 / (order * (order + 1)))
        order += step
        if abs(step) <= 1e-9 * order:
            break
    log_delta = order * ((1 + order) * rho - epsilon) - math.log(order)
    log_delta -= (1 + order) * math.log1p(1 / order)
    return min(1.0, math.exp(min(0.0, log_delta)))


@functools.lru_cache(maxsize=256)
def rho_for(epsilon: float, delta: float) -> float:
    """The largest ρ that is (ε, δ), to a relative 2⁻⁶⁰; O(1), and the last ones are kept."""
    low, high = 0.0, epsilon  # ρ = ε is far from it at every δ < 1/2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if delta_of(middle, epsilon) <= delta else (low, middle)
    return low


def item_weights(item_limit: int, grid: int = GRID) -> Int64s:
    """What each of t items of one user gets, ⌊grid/√t⌋, so that their ℓ2 is at most `grid`.

    Shape (most + 1,); of no items there is nothing to get.
    """
    return np.array(_exact_weights(item_limit, grid), dtype=np.int64)


@functools.lru_cache(maxsize=256)
def _exact_weights(item_limit: int, grid: int) -> tuple[int, ...]:
    return (0, *(math.isqrt(grid * grid // size) for size in range(1, item_limit + 1)))


def union_threshold(sigma: float, delta: float, item_limit: int, grid: int = GRID) -> int:
    """The least whole weight that items nobody else has reach with chance δ at most.

    A user who shows t ≤ `item_limit` items, all of them their own, has weight ⌊grid/√t⌋ in each;
    the chance that any passes T is 1 − Φ((T − 1 − w)/σ)^t at most, for the largest over t (Gopi et
    al. 2020, Theorem 5.1, here on whole numbers). `sigma` is in the same unit as weights. O(most).
    """
    from scipy.special import ndtri  # of a quarter of the time to import of `scipy.stats`

    t = np.arange(1, item_limit + 1)
    item_delta = -np.expm1(np.log1p(-delta) / t)
    thresholds = item_weights(item_limit, grid)[1:] + 1 - sigma * ndtri(item_delta)
    return math.ceil(float(thresholds.max()))
