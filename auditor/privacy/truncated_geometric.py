"""Truncated geometric noise: the least noise whose counts may say themselves that they are shown.

X takes the whole numbers from −k to k with P[X = x] ∝ e^(−ε₀|x|). A count n ≥ 1 is shown as n + X
where that is above k. One user more or less moves n by one, and of the two laws

* at one end a value appears that the other law doesn't have, with δ₀ = P[X = k];
* everywhere else the ratio is e^(ε₀) or e^(−ε₀).

So one count is (ε₀, δ₀), and that a count is shown is part of it: of one user it is shown with
δ₀. k is the least with P[X = k] ≤ δ₀:

    k = ⌈ln((e^ε₀ − 1 + 2δ₀) / ((e^ε₀ + 1)δ₀)) / ε₀⌉

(Desfontaines, Voss, Gipson and Mandayam: Differentially private partition selection, PoPETs 2022,
section on noise addition). Of q counts that one user moves, the loss of privacy is a sum of q
independent ones, each +ε₀ with a = P[X ≤ 0] − δ₀, −ε₀ with b = P[X ≥ 1] and infinite with δ₀. Hence
the exact curve, the same in both directions since X is symmetric:

    δ(ε) = 1 − (1 − δ₀)^q + Σⱼ C(q, j) aʲ b^(q−j) (1 − e^(ε − (2j − q)ε₀))₊.

A user who moves fewer counts loses less. Dropping counts that are shown is post-processing.
"""

import functools
import math
from dataclasses import dataclass

import numpy as np

from auditor.arrays import Float64s, Int64s
from auditor.privacy.randomness import Randomness
from auditor.progress import Progress

_STEPS = 80
_UNDERFLOW = 746.0
"""Beyond e to the minus this, a double is 0."""
_EDGE_SHARES = (0.25, 0.5, 0.75, 0.9, 0.97, 1.0)
"""Shares of δ that may go to the ends of the law."""


@dataclass(frozen=True)
class TruncatedGeometric:
    """The noise of one count: `scale` is 1/ε₀, `bound` is k."""

    scale: float
    bound: int

    @property
    def law(self) -> Float64s:
        """P[X = x] for x from −k to k; shape (2k + 1,)."""
        size = np.exp(-np.abs(np.arange(-self.bound, self.bound + 1)) / self.scale)
        share: Float64s = size / size.sum()
        return share

    @property
    def edge(self) -> float:
        """δ₀ = P[X = k]."""
        ratio, k = math.exp(-1 / self.scale), self.bound
        return ratio**k * (1 - ratio) / (1 + ratio - 2 * ratio ** (k + 1))

    @property
    def error(self) -> float:
        """Standard deviation."""
        return float(np.sqrt(self.law @ np.arange(-self.bound, self.bound + 1) ** 2.0))

    def compute_chances(self, counts: Float64s) -> Float64s:
        """P[n + X > k] for counts n ≥ 0, 0 for none; between whole numbers it is interpolated."""
        above = np.concatenate(([0.0], np.cumsum(self.law[::-1])))  # of n = 0, 1, …, 2k + 1
        chances: Float64s = np.interp(counts, np.arange(len(above)), above)
        return chances

    def draw(self, size: int, rng: Randomness, progress: Progress) -> Int64s:
        """Independent draws: geometric ones on both sides, those beyond k drawn again."""
        values = np.empty(size, dtype=np.int64)
        missing = np.arange(size)
        while len(missing):
            noise = rng.discrete_laplace(self.scale, len(missing), progress)
            values[missing] = noise
            missing = missing[np.abs(noise) > self.bound]
        return values


def least_bound(epsilon: float, delta: float) -> int:
    """The least k ≥ 1 with P[X = k] ≤ δ₀, by the formula above."""
    share = (math.expm1(epsilon) + 2 * delta) / ((math.exp(epsilon) + 1) * delta)
    return max(1, math.ceil(math.log(share) / epsilon - 1e-12)) if share > 1 else 1


def delta_of(noise: TruncatedGeometric, counts: int, epsilon: float) -> float:
    """The exact δ at ε of so many counts that one user moves; O(counts)."""
    from scipy.stats import binom

    edge, step = noise.edge, 1 / noise.scale
    ratio = math.exp(-step)
    none = (1 - ratio) / (1 + ratio - 2 * ratio ** (noise.bound + 1))  # P[X = 0]
    down = (1 - none) / 2  # b
    inner_mass = 1.0 - edge
    # Only a loss above ε counts, and by Hoeffding no chance further out is a positive double.
    likely, spread = counts * (inner_mass - down) / inner_mass, math.sqrt(_UNDERFLOW * counts / 2)
    first = max(0, math.ceil(likely - spread), math.floor((epsilon / step + counts) / 2))
    j = np.arange(first, min(counts, math.floor(likely + spread)) + 1)
    loss = (2 * j - counts) * step
    gain = np.where(loss > epsilon, -np.expm1(np.minimum(0.0, epsilon - loss)), 0.0)  # 1 − e^…
    gain_share = float(binom.pmf(j, counts, (inner_mass - down) / inner_mass) @ gain)
    finite = math.exp(counts * math.log1p(-edge)) if edge < 1 else 0.0
    return (
        min(1.0, -math.expm1(counts * math.log1p(-edge)) + finite * gain_share) if edge < 1 else 1.0
    )


@functools.lru_cache(maxsize=256)
def noise_for(epsilon: float, delta: float, counts: int) -> TruncatedGeometric:
    """The least noise with which `counts` counts of one user are (ε, δ) together.

    Of several shares of δ for the ends of the law, and of ε/counts with all of δ there, the one
    with the smallest bound is taken, then the largest ε₀. It depends on the three numbers alone.
    """
    candidates = [_largest_step(epsilon, delta, counts, share) for share in _EDGE_SHARES]
    return min(candidates, key=lambda noise: (noise.bound, noise.scale))


def _largest_step(epsilon: float, delta: float, counts: int, share: float) -> TruncatedGeometric:
    """With a share of δ for the ends, the largest ε₀ whose exact curve keeps δ."""
    count_delta = -math.expm1(math.log1p(-delta * share) / counts)

    def build_geometric(step: float) -> TruncatedGeometric:
        return TruncatedGeometric(1 / step, least_bound(step, count_delta))

    low, high = epsilon / counts, epsilon
    for _ in range(_STEPS if share < 1 and counts > 1 else 0):
        middle = (low + high) / 2
        fits = delta_of(build_geometric(middle), counts, epsilon) <= delta
        low, high = (middle, high) if fits else (low, middle)
        if high - low <= high * 2.0**-40:
            break
    noise = build_geometric(low)
    while delta_of(noise, counts, epsilon) > delta:  # 1/ε₀ may be rounded to the far side
        noise = TruncatedGeometric(noise.scale * (1 + 1e-12), noise.bound)
        if noise.edge > count_delta:
            noise = TruncatedGeometric(noise.scale, noise.bound + 1)
    return noise
