"""A power law fitted to how much users search: why some dominate however users are put together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from auditor.arrays import Int64s


@dataclass(frozen=True, eq=False)
class PowerLaw:
    """A power law p(x) ∝ x^−exponent from `start` on, fitted to what users issued.

    Attributes
    ----------
    exponent, start, distance
        The exponent, where the law begins, and the greatest distance of the two distribution
        functions from there on (Kolmogorov and Smirnov).
    tail
        Share of the users whom it describes.
    body
        The numbers of events of the others.
    """

    exponent: float
    start: int
    distance: float
    tail: float
    body: Int64s

    def draw(self, size: int, rng: np.random.Generator) -> Int64s:
        """Events of `size` users: from the law in its range, as observed below it."""
        drawn = np.empty(size, dtype=np.int64)
        far = rng.random(size) < self.tail
        pareto = (self.start - 0.5) * rng.random(int(far.sum())) ** (-1 / (self.exponent - 1))
        drawn[far] = np.minimum(np.floor(pareto + 0.5), 1e12).astype(np.int64)
        if len(self.body):
            drawn[~far] = self.body[rng.integers(len(self.body), size=int((~far).sum()))]
        return drawn


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
        there = np.cumsum(counts) / len(tail)
        law = 1 - ((values + 0.5) / (start - 0.5)) ** (1 - exponent)
        distance = float(np.abs(there - law).max())
        if distance < best.distance:
            share = len(tail) / len(ordered)
            best = PowerLaw(exponent, start, distance, share, ordered[:first])
    return best
