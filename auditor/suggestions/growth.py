"""How what can be released grows with users at a guarantee, so that one knows how long to collect.

Up to the size of the log, whole users are drawn and their release is expected anew, several times.
Beyond it the log stands for a larger one as a sample of its users does: of s times the users, a
query of c users has 1 + s(c − 1). How far that is off is measured where the answer is known: from
random halves of the log to the log itself. Its mean error is taken off for every doubling; the
interval is that error once more and what halves differ by. It knows nothing of users of another
kind.
"""

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
LARGE = 100_000
"""Users above which one part differs little from the next: fewer are drawn."""
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

    @property
    def sentence(self) -> str:
        return sentence("growth.line", **vars(self))


@dataclass(frozen=True)
class GrowthCurve:
    """The points by users; `log_users` is how many users the log has, `description` says of what.

    Larger logs are extrapolated from `drawn_users`, those of the log or of a made-up one.
    """

    points: tuple[GrowthPoint, ...]
    log_users: int
    description: str
    drawn_users: int

    @property
    def sentences(self) -> tuple[str, ...]:
        if all(point.high < 1 for point in self.points):
            most_users = max(point.users for point in self.points)
            return (sentence("growth.nothing", about=self.description, users=most_users),)
        lines = (
            point.sentence + (" – this log" if point.users == self.log_users else "")
            for point in self.points
        )
        return (sentence("growth.heading", about=self.description), *lines, self.method)

    @property
    def method(self) -> str:
        """How larger sizes are known."""
        return sentence("growth.extrapolated", users=self.drawn_users)

    def to_dict(self) -> dict[str, Any]:
        return {
            "about": self.description,
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
            note=self.description,
        )


def measure_growth(
    log: QueryLog, expect: Expect, description: str, progress: Progress, users: int
) -> GrowthCurve:
    """The curve of a log of so many `users`, by that log or one made up in its place."""
    everyone = len(log.users)
    draws = DRAWS if everyone <= LARGE else FEW_DRAWS
    current = _compute_log(expect(LogPart(log, 1.0), everyone))
    progress.stage("measuring growth with users", len(STEPS))
    halves = [LogPart.of(log, max(everyone // 2, 1), _SEED + draw) for draw in range(draws)]
    errors = [_compute_log(expect(part, everyone)) - current for part in halves]
    bias, spread = float(np.mean(errors)), float(np.std(errors, ddof=1))
    points = []
    for step in STEPS:
        progress.advance()
        size = round(everyone * step)
        if size < LEAST_USERS:
            continue
        if step < 1:
            parts = [LogPart.of(log, size, _SEED + 100 + draw) for draw in range(draws)]
            sampled_logs = [_compute_log(expect(LogPart(part.log, 1.0), size)) for part in parts]
            middle, wide = float(np.mean(sampled_logs)), 1.96 * float(np.std(sampled_logs, ddof=1))
        elif step == 1:
            middle, wide = current, 1.96 * spread
        else:
            doublings = math.log2(step)
            middle = _compute_log(expect(LogPart(log, step), size)) - bias * doublings
            wide = 1.96 * spread * math.sqrt(max(doublings, 1.0)) + abs(bias) * doublings
        low, high = middle - wide, middle + wide
        points.append(GrowthPoint(size, *(max(math.expm1(v), 0.0) for v in (middle, low, high))))
    return GrowthCurve(tuple(points), users, description, everyone)


def _compute_log(value: float) -> float:
    return math.log1p(max(value, 0.0))
