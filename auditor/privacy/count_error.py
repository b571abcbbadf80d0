"""How far a noisy count may be from what was counted: the least r with P[|noise| ≤ r] ≥ 95 %.

Of the noise alone: that a count is released at all where it passes a threshold says that its noise
was more often up than down, which counts just above the threshold show most.
"""

import math

import numpy as np

from auditor.arrays import Float64s

SHARE = 0.95


def of_laplace(scale: float) -> int:
    """Of discrete Laplace noise: P[|X| > r] = 2 q^(r + 1) / (1 + q) with q = e^(−1/scale)."""
    ratio = math.exp(-1 / scale)
    if ratio == 0.0:
        return 0
    least = math.log((1 - SHARE) * (1 + ratio) / 2) / math.log(ratio) - 1
    return max(0, math.ceil(least - 1e-9))


def of_gaussian(sigma: float) -> int:
    """Of discrete Gaussian noise; exact below σ = 50, by the normal law beyond."""
    if sigma >= 50:
        from scipy.stats import norm

        return math.ceil(float(norm.isf((1 - SHARE) / 2)) * sigma - 0.5)
    reach = np.arange(0, math.ceil(12 * sigma) + 2, dtype=np.float64)
    return _find_width(np.exp(-((reach / sigma) ** 2) / 2) if sigma else reach == 0)


def of_law(law: Float64s) -> int:
    """Of a symmetric law on whole numbers from −k to k; shape (2k + 1,)."""
    return _find_width(law[len(law) // 2 :])


def _find_width(upper: Float64s) -> int:
    """From the weights of 0, 1, 2, …"""
    both = np.concatenate((upper[:1], 2 * upper[1:])).astype(np.float64)
    return int(np.searchsorted(np.cumsum(both) / both.sum(), SHARE - 1e-12))
