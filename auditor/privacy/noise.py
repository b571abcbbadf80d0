"""Integer noise, and drawing only what can reach the output.

Release noise is the discrete Laplace X with P[X = x] ∝ e^(−|x|/b), x an integer, from OpenDP's
exact sampler (Canonne, Kamath & Steinke 2020) on the operating system's randomness. Textbook
Laplace in doubles leaks through its gaps (Mironov 2012) and is nowhere in this program.

Zeros of public keys get discrete Gaussian noise in `zero_cells` just as well.

A thresholded release shows only the counts that, with noise, reach K. Most counts of a query log
are far below K, so most draws would be thrown away. `noisy_at_least`, `passing` and `zero_cells`
have the distribution of the dense way (noise for every count) at the cost of what is shown. Let
p(t) = P[X ≥ t] = e^(−t/b)/(1 + e^(−1/b)) for t ≥ 0, and G the geometric P[G ≥ g] = e^(−g/b).

*Given that it reaches t, the rest is geometric.* P[X ≥ t + g] = p(t)·e^(−g/b) for t, g ≥ 0. So
X ≥ t exactly when X ≥ T and the rest reaches t − T, for any level T with 0 ≤ T ≤ t; and then
X = t + a fresh G. A count c < K needs t = K − c ≥ 1.

*Which reach the level T.* Counts are independent, so all that share a level reach it with the
same chance p = p(T). In a row of such trials the failures before the next success number J with
P[J ≥ j] = (1 − p)^j = e^(−jγ), γ = −ln(1 − p): jumping from success to success by independent
J visits a set with the law of tossing every coin. J is a G of scale 1/γ, so the same vetted
sampler draws it. Levels are b/8 apart, so at most e^(1/8) times too many reach one.

*How exact.* Sampling is exact for the scale it is given, a double taken as a rational number.
The only rounding is that of 1/γ, computed to 40 digits, to a double: a p is off by a factor
within 1 ± 2⁻⁵², and 1 − p likewise (p < 1/2), so ε grows by at most 2⁻⁵⁰ for each count that a
user touches. How long a draw takes depends on the counts; times are no part of a release.
"""

from __future__ import annotations

import decimal
import functools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from auditor.arrays import Int64s
from auditor.errors import ParameterError
from auditor.log.sentences import sentence
from auditor.messages import phrase
from auditor.privacy.randomness import (
    PreviewRandomness,
    Randomness,
    SecureRandomness,
    checked_scale,
)
from auditor.progress import Progress

__all__ = [
    "MOST_CELLS",
    "MOST_SHOWN",
    "PreviewRandomness",
    "Randomness",
    "SecureRandomness",
    "add_noise",
    "noisy_at_least",
    "passing_positions",
    "zero_cells",
]

MOST_CELLS = 1 << 60
MOST_SHOWN = 100_000_000

_SCAN = 1 << 20  # a pass over so many counts takes a few ms
_BATCH = 1 << 16


def add_noise(counts: Int64s, scale: float, rng: Randomness, progress: Progress) -> Int64s:
    """Every count plus its own discrete Laplace; one draw each, shape of `counts`."""
    checked_scale(scale)
    counts = np.asarray(counts, dtype=np.int64)
    progress.stage("drawing noise", len(counts))
    return counts + rng.discrete_laplace(scale, len(counts), progress)


def noisy_at_least(
    counts: Int64s, scale: float, threshold: float, rng: Randomness, progress: Progress
) -> tuple[Int64s, Int64s]:
    """The counts that reach `threshold` with noise, and their noisy values.

    Distributed as ``noisy = add_noise(counts, …)``, then all i with ``noisy[i] >= threshold``;
    the module's text has the proof.

    Parameters
    ----------
    counts
        int64 below 2⁶²; shape (n,).
    scale
        b of the discrete Laplace.
    threshold
        K; counts and noise are integers, so a fraction acts as the next integer.

    Returns
    -------
    index, noisy
        int64 positions, ascending, and the values there, all ≥ threshold; shape (shown,).

    Cost: one draw for each count ≥ K, about two for each one shown below it, and two passes
    over n counts.
    """
    least = math.ceil(threshold)
    checked_scale(scale)
    counts = np.asarray(counts, dtype=np.int64)
    rising = _NoiseLevels.of(counts, lambda part: least - part, scale, progress)
    high = rising.positions
    progress.stage("drawing noise", len(high) + rising.expected_draws())
    noisy = counts[high] + rng.discrete_laplace(scale, len(high), progress)
    high, noisy = high[noisy >= least], noisy[noisy >= least]

    low, excess, level = rising.draw_reached(rng, progress)
    overshoot = rng.geometric(scale, len(low), progress) - (excess - level)
    low, overshoot = low[overshoot >= 0], overshoot[overshoot >= 0]

    index = np.concatenate([high, low])
    order = np.argsort(index)
    return index[order], np.concatenate([noisy, least + overshoot])[order]


def passing_positions(
    counts: Int64s, scale: float, threshold: float, rng: Randomness, progress: Progress
) -> Int64s:
    """The positions at which count plus noise reaches `threshold`, ascending; no values.

    Distributed as ``np.flatnonzero(add_noise(counts, …) >= threshold)``. A count c ≥ K fails
    with P[X ≤ K − c − 1] = P[X ≥ c − K + 1], so failures above K are jumped to just as successes
    below it are. Cost: about two draws for each such exception, and four passes over n counts.
    """
    least = math.ceil(threshold)
    checked_scale(scale)
    counts = np.asarray(counts, dtype=np.int64)
    passes = counts >= least
    for exceed in (lambda part: least - part, lambda part: part - (least - 1)):
        levels = _NoiseLevels.of(counts, exceed, scale, progress)
        progress.stage("drawing what passes", levels.expected_draws())
        index, excess, level = levels.draw_reached(rng, progress)
        high_counts = np.flatnonzero(excess > level)
        overshoot = np.zeros(len(index), dtype=np.int64)
        overshoot[high_counts] = (
            rng.geometric(scale, len(high_counts), progress) - (excess - level)[high_counts]
        )
        passes[index[overshoot >= 0]] ^= True
    return np.flatnonzero(passes)


def zero_cells(
    cells: int,
    scale: float,
    threshold: float,
    rng: Randomness,
    progress: Progress,
    law: Literal["laplace", "gaussian"] = "laplace",
) -> tuple[Int64s, Int64s]:
    """Those of `cells` zero counts that reach `threshold` with noise, and their noisy values.

    Distributed as `noisy_at_least` of ``np.zeros(cells)``: the number that pass is
    Binomial(cells, P[X ≥ K]), their places uniform, their values the noise given that it passes.
    No array of the length `cells` is made. The `law` is that of the noise, b or σ its `scale`.

    Returns
    -------
    positions, noisy
        int64 places in ``range(cells)``, ascending and distinct, and values ≥ threshold.

    Raises
    ------
    ParameterError
        If more would pass than anybody can store; depends on `cells` and parameters alone.

    Cost: two draws for each cell that passes, or a few more of Gaussian noise.
    """
    least = math.ceil(threshold)
    checked_scale(scale)
    if not 0 <= cells <= MOST_CELLS:
        raise ValueError(
            phrase("the number of cells must be in [0, 2^60], not {cells}", cells=cells)
        )
    if least < 1:
        raise ParameterError("threshold", "The threshold of zero counts must be at least 1.")
    gaussian = law == "gaussian"
    gap = _gaussian_gap(least, scale) if gaussian else _gap_scale(least, scale)
    expected = cells / (gap + 0.5)
    if expected > MOST_SHOWN:
        rare = math.log(cells / MOST_SHOWN)
        minimum = math.ceil(scale * (math.sqrt(2 * rare) if gaussian else rare))
        raise ParameterError(
            "threshold",
            sentence(
                "noise.zero_cells", expected=expected, cells=cells, least=least, enough=minimum
            ),
        )
    progress.stage("drawing empty cells", math.ceil(2 * expected))
    positions = _draw_successes(cells, gap, rng, progress)
    if gaussian:
        return positions, _draw_gaussian_tail(len(positions), least, scale, rng, progress)
    return positions, least + rng.geometric(scale, len(positions), progress)


def _draw_gaussian_tail(
    size: int, least: int, sigma: float, rng: Randomness, progress: Progress
) -> Int64s:
    """`size` discrete Gaussians X given X ≥ `least` ≥ 1, by rejection.

    Up to σ, draws of X are kept where they reach it: at least about one in six does. Beyond,
    X = least + G with G geometric of scale σ²/least has P[X = least + g] ∝ e^(−g·least/σ²), and is
    kept with the chance e^(−g²/2σ²), which is that of another geometric, of scale 2σ², to reach g².
    The product is e^(−(least + g)²/2σ²) but for a factor that no g changes.
    """
    tail = np.zeros(0, dtype=np.int64)
    while (missing := size - len(tail)) > 0:
        if least <= sigma:
            tried = rng.discrete_gaussian(sigma, min(8 * missing + 8, _BATCH), progress)
            good = tried[tried >= least]
        else:
            overshoot = rng.geometric(sigma * sigma / least, missing, progress)
            limits = rng.geometric(2 * sigma * sigma, missing, progress)
            is_small = overshoot < 1 << 31  # whose square is a whole number of 64 bits
            good = least + overshoot[is_small & (limits >= np.where(is_small, overshoot, 0) ** 2)]
        tail = np.concatenate([tail, good[:missing]])
    return tail


@dataclass(frozen=True, eq=False)
class _NoiseLevels:
    """Counts by the level that noise has to reach at least, and how many each block has of each.

    Level j ≥ 0 is T = 1 + j·width and holds the excesses t in [T, T + width); the last one holds
    all that are larger, of which less than one is expected to reach it. `sizes` has shape
    (blocks, levels); `positions` are the positions whose excess is below 1.
    """

    counts: Int64s
    exceed: Callable[[Int64s], Int64s]
    scale: float
    width: int
    sizes: Int64s
    positions: Int64s

    @classmethod
    def of(
        cls, counts: Int64s, exceed: Callable[[Int64s], Int64s], scale: float, progress: Progress
    ) -> _NoiseLevels:
        """One pass over the counts."""
        width = max(1, int(scale / 8))
        levels = 2 + int(scale * math.log(len(counts) + 1) / width)
        empty = cls(counts, exceed, scale, width, np.zeros((0, levels), np.int64), counts[:0])
        sizes, other_positions = [empty.sizes], [empty.positions]
        for start, stop in progress.blocks("sorting counts by noise needed", len(counts), _SCAN):
            level = empty._find_levels(counts[start:stop])
            below = level < 0
            other_positions.append(start + np.flatnonzero(below))
            sizes.append(np.bincount(level[~below], minlength=levels)[None])
        return cls(
            counts, exceed, scale, width, np.concatenate(sizes), np.concatenate(other_positions)
        )

    def expected_draws(self) -> int:
        """About how many draws `draw_reached` makes, and one more for each that it finds."""
        draws = sum(total / (self._compute_gap(level) + 0.5) for level, total in self.occupied)
        return math.ceil(2 * draws)

    def draw_reached(self, rng: Randomness, progress: Progress) -> tuple[Int64s, Int64s, Int64s]:
        """Positions whose noise reaches their level, their excess t, and their level's T."""
        none = np.zeros(0, dtype=np.int64)
        positions, reached = [none], [none]
        for level, total in self.occupied:
            ranks = _draw_successes(total, self._compute_gap(level), rng, progress)
            if len(ranks):
                positions.append(self._find_positions(level, ranks, progress))
                reached.append(np.full(len(ranks), 1 + level * self.width, dtype=np.int64))
        index = np.concatenate(positions)
        return index, self.exceed(self.counts[index]), np.concatenate(reached)

    @functools.cached_property
    def occupied(self) -> list[tuple[int, int]]:
        """The levels that any count has, and how many do; from an empty one nothing is drawn."""
        totals = self.sizes.sum(axis=0)
        levels = np.flatnonzero(totals)
        return list(zip(levels.tolist(), totals[levels].tolist(), strict=True))

    def _compute_gap(self, level: int) -> float:
        return _gap_scale(1 + level * self.width, self.scale)

    def _find_levels(self, part: Int64s) -> Int64s:
        """The level of each count, below 0 where the excess is below 1."""
        above = self.exceed(part) - 1
        if self.width > 1:
            above //= self.width
        np.minimum(above, self.sizes.shape[1] - 1, out=above)
        return above

    def _find_positions(self, level: int, ranks: Int64s, progress: Progress) -> Int64s:
        """Where the counts of one level stand that have these ranks among it, ascending."""
        sizes = self.sizes[:, level]
        ends = np.cumsum(sizes)
        cuts = np.searchsorted(ranks, ends)
        positions = []
        for block in np.flatnonzero(np.diff(cuts, prepend=0)):
            progress.check()
            first = cuts[block - 1] if block else 0
            rank_in_block = ranks[first : cuts[block]] - (ends[block] - sizes[block])
            start = int(block) * _SCAN
            members = np.flatnonzero(self._find_levels(self.counts[start : start + _SCAN]) == level)
            positions.append(start + members[rank_in_block])
        return np.concatenate(positions)


def _draw_successes(cells: int, gap: float, rng: Randomness, progress: Progress) -> Int64s:
    """The successes among `cells` trials of which `gap` is the scale of the gaps; ascending."""
    parts = [np.zeros(0, dtype=np.int64)]
    position = 0
    while position < cells and math.isfinite(gap):
        expected = (cells - position) / (gap + 0.5)
        size = min(math.ceil(expected + 2 * math.sqrt(expected)) + 1, _BATCH)
        # No gap beyond the end matters, and no sum may leave int64: cells ≤ 2⁶⁰.
        gaps = np.minimum(rng.geometric(gap, size, progress), cells) + 1
        visible = int(np.searchsorted(np.cumsum(gaps, dtype=np.float64), 2.0 * cells)) + 1
        places = position - 1 + np.cumsum(gaps[:visible])
        parts.append(places[places < cells])
        position = int(places[-1]) + 1
    return np.concatenate(parts)


@functools.lru_cache(maxsize=4096)
def _gap_scale(excess: int, scale: float) -> float:
    """1/γ = −1/ln(1 − p), p = P[X ≥ excess] for excess ≥ 1, to 40 digits, then rounded once.

    Infinite where it is beyond the largest double: then p < 2⁻¹⁰²³, and the chance that any of
    2⁶⁰ cells should have passed is below 10⁻²⁸⁹.
    """
    if excess / scale > 800:
        return math.inf
    with decimal.localcontext() as context:
        context.prec = 60
        unit = decimal.Decimal(scale)
        return _find_gap((-excess / unit).exp() / (1 + (-1 / unit).exp()))


@functools.lru_cache(maxsize=256)
def _gaussian_gap(least: int, sigma: float) -> float:
    """The same for the discrete Gaussian, whose tail is a sum; O(σ), infinite beyond 37 σ."""
    if least / sigma > 37:
        return math.inf
    with decimal.localcontext() as context:
        context.prec = 60
        half = 1 / (2 * decimal.Decimal(sigma) ** 2)
        head = sum(_list_weights(0, half), decimal.Decimal())
        tail = sum(_list_weights(least, half), decimal.Decimal())
        return _find_gap(tail / (2 * head - 1))


def _list_weights(start: int, half: decimal.Decimal) -> Iterator[decimal.Decimal]:
    """e^(−half·x²) for x = start, start + 1, … until they are below 10⁻⁵⁰ of the first."""
    weight = (-half * start * start).exp()
    step, ratio = (-half * (2 * start + 1)).exp(), (-2 * half).exp()
    end = weight * decimal.Decimal("1e-50")
    while weight > end:
        yield weight
        weight *= step
        step *= ratio


def _find_gap(tail: decimal.Decimal) -> float:
    """−1/ln(1 − tail), rounded to a double; within a context of 60 digits."""
    if tail < decimal.Decimal("1e-20"):  # 1 − p would lose p's digits; the series has them
        return float(1 / (tail + tail**2 / 2 + tail**3 / 3))
    return float(-1 / (1 - tail).ln())
