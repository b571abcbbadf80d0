"""Confidence intervals around an attack's success rate."""

from __future__ import annotations

import math

_Z95 = 1.959963984540054


def wilson_interval(successes: float, trials: int, z: float = _Z95) -> tuple[float, float]:
    """Wilson's score interval of a share; (0, 1) without trials.

    `successes` may be a sum of chances in [0, 1]; the interval is then too wide, if anything.
    Unlike the normal approximation it stays inside [0, 1] and is of use for a rate of 0 or 1.
    """
    if not 0 <= successes <= trials:
        raise ValueError(f"{successes} successes in {trials} trials")
    if trials == 0:
        return 0.0, 1.0
    share = successes / trials
    weight = z * z / trials
    middle = (share + weight / 2) / (1 + weight)
    half = z * math.sqrt(share * (1 - share) / trials + weight / (4 * trials)) / (1 + weight)
    return max(0.0, min(middle - half, share)), min(1.0, max(middle + half, share))
