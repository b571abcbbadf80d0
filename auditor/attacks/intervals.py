"""Confidence intervals around an attack's success rate, and shares shown with them."""

import bisect
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from auditor.arrays import Array, Float64s
from auditor.figures import MetricValue, Series
from auditor.messages import phrase
from auditor.privacy.audit_bounds import clopper_pearson

_Z95 = 1.959963984540054


def wilson_interval(successes: float, trials: int, z: float = _Z95) -> tuple[float, float]:
    """Wilson's score interval of a share; (0, 1) without trials.

    `successes` may be a sum of chances in [0, 1]; the interval is then too wide, if anything.
    Unlike the normal approximation it stays inside [0, 1] and is of use for a rate of 0 or 1.
    """
    if not 0 <= successes <= trials:
        raise ValueError(
            phrase("{successes} successes in {trials} trials", successes=successes, trials=trials)
        )
    if trials == 0:
        return 0.0, 1.0
    share = successes / trials
    weight = z * z / trials
    middle = (share + weight / 2) / (1 + weight)
    half = z * math.sqrt(share * (1 - share) / trials + weight / (4 * trials)) / (1 + weight)
    return max(0.0, min(middle - half, share)), min(1.0, max(middle + half, share))


def clopper_pearson_interval(
    successes: float, trials: float, confidence: float = 0.95
) -> tuple[float, float]:
    """`clopper_pearson` of one share."""
    low, high = clopper_pearson(successes, trials, confidence)
    return float(low), float(high)


def hypergeometric_interval(successes: int, trials: int, population: int) -> tuple[int, int]:
    """Exact 95 % bounds of how many of a population have a trait, from a sample without return.

    Drawn without replacement: with all of them drawn both bounds are `successes`.
    """
    from scipy.special import gammaln

    def log_choose(n: Array, k: Array) -> Float64s:
        return gammaln(n + 1.0) - gammaln(k + 1.0) - gammaln(n - k + 1.0)

    def chance(have: int, least: int, largest: int) -> float:
        """That from `least` to `most` are drawn of so many that have it."""
        hits = np.arange(max(least, trials - population + have), min(largest, have) + 1)
        lack, total = np.array(population - have), np.array(population)
        logs = log_choose(np.array(have), hits) + log_choose(lack, trials - hits)
        return float(np.exp(logs - log_choose(total, np.array(trials))).sum())

    tail = 0.025
    possible = range(successes, population - trials + successes + 1)
    low = bisect.bisect_left(possible, tail, key=lambda have: chance(have, successes, trials))
    high = bisect.bisect_right(possible, -tail, key=lambda have: -chance(have, 0, successes))
    return successes + low, successes + high - 1


def describe_share(
    describe: Callable[..., MetricValue], name: str, hits: float, trials: int, /, **words: Any
) -> MetricValue:
    """The metric `name` of a catalogue: a share of so many trials with its interval."""
    interval = wilson_interval(hits, trials)
    return describe(name, hits / max(1, trials), interval=interval, **words)


def draw_shares(
    name: str, x: Float64s, shares: Array, hits: Array, trials: Array | int, **options: Any
) -> Series:
    """A series of shares, each with the interval of so many hits in so many trials."""
    counts = np.broadcast_to(trials, np.shape(hits))
    pairs = zip(hits.tolist(), counts.tolist(), strict=True)
    bounds = [wilson_interval(min(hit, count), count) for hit, count in pairs]
    low, high = (np.array([bound[side] for bound in bounds]) for side in (0, 1))
    return Series(name, x, shares, low=low, high=high, **options)
