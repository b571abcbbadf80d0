"""Information in bits: entropies, and what of one a release exposes or loses.

PEL and ILR of Navarro-Arribas et al. 2012 (sections 4.1 and 4.2), as arithmetic on sums that
whoever holds the profiles has taken. All functions cost O(n) and keep shapes.
"""

import numpy as np

from auditor.arrays import Bools, Float64s, Int64s


def information_bits(share: Float64s) -> Float64s:
    """−p log₂ p of each share, 0 at p = 0; bits."""
    positive = np.where(share > 0, share, 1.0)
    return -share * np.log2(positive)


def entropy_bits(counts: Int64s) -> float:
    """Entropy in bits of a table of counts."""
    total = max(int(counts.sum()), 1)
    return float(information_bits(counts / total).sum())


def exposed_percent(exposed: Float64s, total: Float64s, shared: Bools) -> Float64s:
    """PEL in per cent: the bits `exposed` of the `total`.

    Where there are no bits at all, 100 if the one string is `shared` and 0 if not.
    """
    plain = np.where(shared, 100.0, 0.0)
    return np.where(total > 0, 100 * exposed / np.where(total > 0, total, 1), plain)


def lost_percent(before: Float64s, after: Float64s) -> Float64s:
    """ILR in per cent from entropies before and after; 0 or 100 where there was none."""
    difference = np.abs(before - after)
    ratio = 100 * difference / np.where(before > 0, before, 1)
    return np.where(before > 0, ratio, np.where(difference > 0, 100.0, 0.0))
