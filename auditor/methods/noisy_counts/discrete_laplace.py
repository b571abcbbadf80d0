"""The discrete Laplace X, P[X = x] ∝ exp(−|x|/b), as arrays: what passes, and by how much.

With r = e^(−1/b): P[X ≥ t] = r^t / (1 + r) for t ≥ 1, and E[X; X ≥ t] = r^t (t + r/(1 − r))/(1 + r)
for t ≥ 0, by summing the geometric series. Everything here is exact in the formula and costs one
exponential an element.
"""

import math

import numpy as np

from auditor.arrays import Array, Float64s


def chance_of_passing(counts: Array, scale: float, threshold: float) -> Float64s:
    """P[count + X ≥ threshold] for each count; shape of `counts`."""
    return tail_probability(
        math.ceil(threshold) - np.ceil(np.asarray(counts, dtype=np.float64)), scale
    )


def tail_probability(least: Array | float, scale: float) -> Float64s:
    """P[X ≥ least] for whole numbers of either sign."""
    least = np.asarray(least, dtype=np.float64)
    below = np.exp(-np.where(least >= 1, least, 1 - least) / scale) / (1 + math.exp(-1 / scale))
    return np.where(least >= 1, below, 1 - below)


def mean_size(scale: float) -> float:
    """E|X|."""
    return float(2 * _compute_upper_mean(np.asarray(1.0), scale))


def mean_size_above(least: Array, scale: float) -> Float64s:
    """E[|X|; X ≥ least]: the size of the noise, counted only where it passes."""
    least = np.asarray(least, dtype=np.float64)
    part = _compute_upper_mean(np.where(least >= 1, least, 1 - least), scale)
    return np.where(least >= 1, part, mean_size(scale) - part)


def _compute_upper_mean(least: Float64s, scale: float) -> Float64s:
    """E[X; X ≥ least] for least ≥ 0."""
    ratio = math.exp(-1 / scale)
    head: Float64s = np.exp(-least / scale) * (least - ratio / math.expm1(-1 / scale)) / (1 + ratio)
    return head


def threshold_for(cells: float, expected: float, scale: float) -> int:
    """Least K ≥ 1 at which at most `expected` of `cells` zero counts pass on average."""
    if cells <= 0:
        return 1
    ratio = math.log(cells / (expected * (1 + math.exp(-1 / scale))))
    return max(1, math.ceil(scale * ratio))
