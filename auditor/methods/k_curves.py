"""What group methods show over k: points that are computed once, and pictures of them.

A look at a setting computes its own k first; the points beside it follow while nothing newer is
asked for, and the next look at the same log and the same other parameters finds them there.
"""

import functools
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, TypeVar

import numpy as np

from auditor.arrays import Float64s
from auditor.figures import Figure, PlotMark, Series
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.progress import Progress

KS = (2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 25, 30, 35, 40, 45, 50)
"""Where curves have points, besides the k that is asked for."""
AT_ONCE = 0.15
"""Seconds of further points before a picture is shown again."""

P = TypeVar("P")


class KCurve(Generic[P]):
    """Points over k of one log and one setting of everything else.

    ``point(k, progress)`` computes one; `users` bounds k.
    """

    def __init__(self, users: int, point: Callable[[int, Progress], P]) -> None:
        self.users = users
        self.points: dict[int, P] = {}
        self._point = point

    def compute_point(self, k: int, progress: Progress) -> P | None:
        """The point at k, computed if it must be; None where there are fewer than k users."""
        if k > self.users:
            return None
        if k not in self.points:
            self.points[k] = self._point(k, progress)
        return self.points[k]

    def fill(self, progress: Progress) -> None:
        """Compute missing points of the curve for some time, one at least."""
        began = time.perf_counter()
        for k in KS:
            if k <= self.users and k not in self.points:
                self.compute_point(k, progress)
                if time.perf_counter() - began > AT_ONCE:
                    return

    @property
    def is_complete(self) -> bool:
        """Whether every point of the curve is there."""
        return all(k in self.points for k in KS if k <= self.users)

    def up_to(self, highest_k: int) -> dict[int, P]:
        """The points that are there, by ascending k."""
        return {k: self.points[k] for k in sorted(self.points) if k <= max(highest_k, KS[-1])}


def read_entries(labels: Iterable[str]) -> dict[str, Callable[[int, Float64s], float]]:
    """A line for each entry of points that are arrays, by its label."""

    def read(place: int, _x: int, values: Float64s) -> float:
        return float(values[place])

    return {label: functools.partial(read, place) for place, label in enumerate(labels)}


def draw_lines(
    describe: MetricCatalogue,
    name: str,
    points: Mapping[int, P],
    series: Mapping[str, Callable[[int, P], float]],
    *,
    k: int | None = None,
    **options: Any,
) -> Figure:
    """The plot `name` of a catalogue with a line for each of `series`; `k` is marked if given.

    ``series[label](x, points[x])`` is the height at x; `options` goes to the catalogue's figure.
    """
    x = np.fromiter(points, dtype=np.float64)
    lines = [
        Series(label, x, np.array([read_value(*item) for item in points.items()], dtype=np.float64))
        for label, read_value in series.items()
    ]
    marks = () if k is None else (PlotMark("x", float(k), f"k = {k:,}", "current"),)
    return describe.figure(name, lines, marks=marks, **options)
