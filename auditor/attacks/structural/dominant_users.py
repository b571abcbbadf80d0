"""Who dominates a bundle, and who would by chance.

Works on fibers: a fiber is what one user issued within one bundle.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from auditor.arrays import Bools, Float64s, Int64s, mean_of
from auditor.attacks.bundle_view import BundledLog
from auditor.progress import Progress, run_cancellable


@dataclass(frozen=True, eq=False)
class PowerLaw:
    """A power law p(x) ∝ x^−exponent from `start` on, fitted to what users issued."""

    exponent: float
    start: int
    # The greatest of the distribution functions from there on (Kolmogorov, Smirnov).
    distance: float
    tail: float  # share of the users whom it describes
    body: Int64s  # events of the others

    def draw(self, size: int, rng: np.random.Generator) -> Int64s:
        """Events of `size` users: from the law in its range, as observed below it."""
        sizes = np.empty(size, dtype=np.int64)
        is_tail = rng.random(size) < self.tail
        pareto = (self.start - 0.5) * rng.random(int(is_tail.sum())) ** (-1 / (self.exponent - 1))
        sizes[is_tail] = np.minimum(np.floor(pareto + 0.5), 1e12).astype(np.int64)
        if len(self.body):
            sizes[~is_tail] = self.body[rng.integers(len(self.body), size=int((~is_tail).sum()))]
        return sizes


def fit_power_law(events: Int64s) -> PowerLaw:
    """Fit by maximum likelihood from the start at which the law is closest; O(n log n).

    The method is that of Clauset, Shalizi and Newman (SIAM Review 51, 2009), with their continuous
    approximation for whole numbers, over 24 starts that leave it a tenth of the users at least: a
    law of the last few would explain nothing.
    """
    ordered = np.sort(events)
    best = PowerLaw(2.0, 1, 1.0, 1.0, ordered[:0])
    if not len(ordered):
        return best
    top = int(ordered[int(0.9 * (len(ordered) - 1))])
    for start in np.unique(np.geomspace(1, max(top, 1), 24).astype(np.int64)).tolist():
        first = int(np.searchsorted(ordered, start))
        tail = ordered[first:]
        logs = float(np.log(tail / (start - 0.5)).sum())
        exponent = 1 + len(tail) / logs
        values, counts = np.unique(tail, return_counts=True)
        cumulative = np.cumsum(counts) / len(tail)
        law = 1 - ((values + 0.5) / (start - 0.5)) ** (1 - exponent)
        distance = float(np.abs(cumulative - law).max())
        if distance < best.distance:
            share = len(tail) / len(ordered)
            best = PowerLaw(exponent, start, distance, share, ordered[:first])
    return best


LEVELS = tuple(tenths / 10 for tenths in range(1, 10))
"""The shares f of the source's Table 6."""
_BLOCK = 1 << 18
_DRAWN = 1 << 22
"""Events or fibers dealt in all for a figure of chance, at least one round of them."""


def at_levels(shares: Float64s) -> Int64s:
    """How many of `shares` reach each of `LEVELS`; a hair is allowed for rounding."""
    return np.asarray([np.count_nonzero(reaches_level(shares, f)) for f in LEVELS], dtype=np.int64)


def reaches_level(shares: Float64s, level: float) -> Bools:
    """Which shares are `level` or more; 1/10 of 10 counts as 0.1 however that is stored."""
    flags: Bools = shares >= level - 1e-12
    return flags


def mean_reached(shares: Float64s, level: float) -> float:
    """The share of bundles whose most active user holds `level` or more; 0 without bundles."""
    return mean_of(reaches_level(shares, level))


@dataclass(frozen=True, eq=False, kw_only=True)
class DominanceByChance:
    """Shares of the most active user in large bundles that are made by chance."""

    even: Float64s  # each event given to one of its bundle's users, as guessing an owner gives
    dealt: Float64s  # users dealt into bundles of as many: neighbourhood plays no part
    lawful: Float64s  # dealt, with events drawn from the fitted power law


def by_chance(
    crowd: BundledLog, least: int, law: PowerLaw, rng: np.random.Generator, progress: Progress
) -> DominanceByChance:
    """Draw each kind of chance several times, fewer for larger logs; O(n) a round."""
    fibers = len(crowd.fiber_queries)
    progress.stage("bundles by chance")
    even = [_even_shares(crowd, rng, progress) for _ in range(_choose_rounds(len(crowd.row)))]
    dealt: list[Float64s] = []
    lawful: list[Float64s] = []
    for _ in range(_choose_rounds(fibers)):
        for shares, draw in (
            (dealt, lambda: rng.permutation(crowd.fiber_queries)),
            (lawful, lambda: law.draw(fibers, rng)),
        ):
            work = partial(_draw_largest_shares, crowd, draw, least)
            shares.append(run_cancellable(work, progress))
    return DominanceByChance(
        even=np.concatenate(even), dealt=np.concatenate(dealt), lawful=np.concatenate(lawful)
    )


def _choose_rounds(size: int) -> int:
    return int(np.clip(_DRAWN // max(size, 1), 1, 20))


def _even_shares(crowd: BundledLog, rng: np.random.Generator, progress: Progress) -> Float64s:
    """The largest shares if each event of a bundle were one of its users' at random."""
    first = np.concatenate(([0], np.cumsum(crowd.users)))[:-1]
    counts = np.zeros(len(crowd.fiber_queries), dtype=np.int64)
    ends = np.cumsum(crowd.queries)
    total = int(ends[-1]) if len(ends) else 0
    for start in range(0, total, _BLOCK):
        progress.check()
        events = np.arange(start, min(start + _BLOCK, total))
        bundle = np.searchsorted(ends, events, side="right")
        drawn_user = first[bundle] + (rng.random(len(events)) * crowd.users[bundle]).astype(
            np.int64
        )
        low = int(drawn_user.min())
        event_counts = np.bincount(drawn_user - low)
        counts[low : low + len(event_counts)] += event_counts
    largest = np.zeros(len(crowd.queries), dtype=np.int64)
    np.maximum.at(largest, crowd.fiber_bundle, counts)
    share: Float64s = largest[crowd.large] / crowd.queries[crowd.large]
    return share


def _draw_largest_shares(crowd: BundledLog, draw: Callable[[], Int64s], least: int) -> Float64s:
    """The largest shares if the fibers held what is drawn, over bundles that are then large."""
    queries = draw()
    total = np.bincount(crowd.fiber_bundle, queries, minlength=len(crowd.users))
    largest = np.zeros(len(crowd.users), dtype=np.int64)
    np.maximum.at(largest, crowd.fiber_bundle, queries)
    large = total >= least
    share: Float64s = largest[large] / total[large]
    return share


def by_rank(crowd: BundledLog) -> tuple[Int64s, Float64s]:
    """Ranks that half of the large bundles have, and the mean events of users of that rank."""
    is_large = crowd.large[crowd.fiber_bundle]
    bundle, queries = crowd.fiber_bundle[is_large], crowd.fiber_queries[is_large]
    if not len(bundle):
        return np.zeros(0, dtype=np.int64), np.zeros(0)
    order = np.lexsort((-queries, bundle))
    bundle, queries = bundle[order], queries[order]
    begins = np.searchsorted(bundle, bundle)
    rank = np.arange(len(bundle)) - begins
    have = np.bincount(rank)
    total = np.bincount(rank, queries)
    ranked = np.flatnonzero(2 * have >= have[0])
    return ranked + 1, total[ranked] / have[ranked]


def fit_slope(rank: Int64s, size: Float64s) -> tuple[float, float]:
    """(exponent, size at rank 1) of size ∝ rank^exponent, by least squares on both logarithms.

    Ranks are taken so that they stand evenly on the logarithmic axis.
    """
    if len(rank) < 3:
        return float("nan"), float("nan")
    ranks = np.unique(np.geomspace(1, len(rank), 20).round().astype(np.int64)) - 1
    exponent, level = np.polyfit(np.log(rank[ranks]), np.log(size[ranks]), 1)
    return float(exponent), float(np.exp(level))
