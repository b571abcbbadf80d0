"""How what can be released grows with users at a guarantee, so that one knows how long to collect.

Up to the size of the log, whole users are drawn and their release is expected anew, several times.
Beyond it, how many users each query will have is drawn from the power law that the log's own
queries follow (`estimates.draw_growth`). How far that is off is measured where the answer is
known: from random halves of the log to the log itself. Its mean error is taken off for every
doubling; the interval is that error once more and what halves and draws differ by. It knows
nothing of users of another kind.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from auditor.figures import Axis, Figure, PlotMark, Series
from auditor.log.model import QueryLog
from auditor.log.sentences import sentence
from auditor.progress import Progress
from auditor.suggestions.estimates import LogPart

STEPS = (0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 10.0)
"""Sizes, as multiples of the log's users."""
DRAWS = 5
"""Random parts of each size."""
FORWARD = 3
"""How often what isn't there yet is drawn."""
LARGE = 100_000
"""Users above which a draw differs little from the next: fewer are made."""
FEW_DRAWS = 3
_SEED = 20_000
LEAST_USERS = 20

Expect = Callable[[LogPart, int], float]
"""``expect(part, users)``: queries that are expected to be released of so many users."""


@dataclass(frozen=True)
class GrowthPoint:
    """Queries expected of a log of so many users, with a 95 % interval."""

    users: int
    queries: float
    low: float
    high: float


@dataclass(frozen=True)
class GrowthCurve:
    """The points by users; `log_users` is how many users the log has, `about` what was released."""

    points: tuple[GrowthPoint, ...]
    log_users: int
    about: str

    @property
    def sentences(self) -> tuple[str, ...]:
        """What stands in the curve, in words."""
        if all(point.high < 1 for point in self.points):
            most = max(point.users for point in self.points)
            return (sentence("growth.nothing", about=self.about, users=most),)
        lines = (
            sentence("growth.line", **vars(point))
            + (" – this log" if point.users == self.log_users else "")
            for point in self.points
        )
        return (sentence("growth.heading", about=self.about), *lines)

    def to_dict(self) -> dict[str, Any]:
        return {
            "about": self.about,
            "here": self.log_users,
            "points": [
                {"users": p.users, "queries": p.queries, "interval": [p.low, p.high]}
                for p in self.points
            ],
        }

    def draw_figure(self) -> Figure:

        table = np.array([[p.users, p.queries, p.low, p.high] for p in self.points], dtype=float)
        users, queries, low, high = table.T
        return Figure(
            name="growth",
            title="What can be released, over users",
            x=Axis("users", scale="log"),
            y=Axis("distinct queries released"),
            series=(Series("expected", users, queries, low=low, high=high),),
            marks=(PlotMark("x", float(self.log_users), "this log", "current"),),
            note=self.about,
        )


def measure_growth(log: QueryLog, expect: Expect, about: str, progress: Progress) -> GrowthCurve:
    """The curve of a log; some `DRAWS` expectations for each size."""
    everyone = len(log.users)
    draws, forward = (DRAWS, FORWARD) if everyone <= LARGE else (FEW_DRAWS, FEW_DRAWS - 1)
    current = _compute_log(expect(LogPart(log, 1.0), everyone))
    progress.stage("how it grows with users", len(STEPS))
    halves = [LogPart.of(log, max(everyone // 2, 1), _SEED + draw) for draw in range(draws)]
    errors = [
        _compute_log(expect(_grow_part(part, everyone, draw), everyone)) - current
        for draw, part in enumerate(halves)
    ]
    bias, spread = float(np.mean(errors)), float(np.std(errors, ddof=1))
    points = []
    for step in STEPS:
        progress.advance()
        users = round(everyone * step)
        if users < LEAST_USERS:
            continue
        if step < 1:
            parts = [LogPart.of(log, users, _SEED + 100 + draw) for draw in range(draws)]
            drawn = [_compute_log(expect(LogPart(part.log, 1.0), users)) for part in parts]
            middle, wide = float(np.mean(drawn)), 1.96 * float(np.std(drawn, ddof=1))
        elif step == 1:
            middle, wide = current, 1.96 * spread
        else:
            full_part = LogPart(log, 1.0)
            drawn = [
                _compute_log(expect(_grow_part(full_part, users, draw), users))
                for draw in range(forward)
            ]
            doublings = math.log2(step)
            middle = float(np.mean(drawn)) - bias * doublings
            noise = math.hypot(spread, float(np.std(drawn, ddof=1)))
            wide = 1.96 * noise * math.sqrt(max(doublings, 1.0)) + abs(bias) * doublings
        low, high = middle - wide, middle + wide
        points.append(GrowthPoint(users, *(max(math.expm1(v), 0.0) for v in (middle, low, high))))
    return GrowthCurve(tuple(points), everyone, about)


def _grow_part(part: LogPart, users: int, seed: int) -> LogPart:
    """A log that grows to so many users, once drawn."""
    return LogPart(part.log, users / max(len(part.log.users), 1), _SEED + 200 + seed)


def _compute_log(value: float) -> float:
    return math.log1p(max(value, 0.0))
