"""How what can be released grows with users at a guarantee, so that one knows how long to collect.

Up to the size of the log, whole users are drawn and their release is expected anew, several times;
beyond it, the log's own users stand for more of their kind (a query of c users in n is taken for
one of 1 + s(c − 1) in s·n). Two things make the interval: how far random halves of the log differ,
and how far the same rule, from halves to the whole, is off, which is taken to happen again at
every doubling. It knows nothing of users of another kind.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from auditor.figures import Axis, Figure, PlotMark, Series
from auditor.log.model import QueryLog
from auditor.messages import as_phrase, phrase
from auditor.progress import Progress
from auditor.suggestions.estimates import LogPart

STEPS = (0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 10.0)
"""Sizes, as multiples of the log's users."""
DRAWS = 5
"""Random parts of each size."""
_SEED = 20_000
_LEAST_USERS = 20

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
    """The points by users; `here` is how many users the log has, `about` what was released."""

    points: tuple[GrowthPoint, ...]
    here: int
    about: str

    @property
    def sentences(self) -> tuple[str, ...]:
        """What stands in the curve, in words."""
        lines = [
            phrase(
                "How it grows with users, at this guarantee ({about}):", about=as_phrase(self.about)
            )
        ]
        lines += [
            phrase(
                "  {users:>11,} users: about {queries:,.0f} queries (95 %: {low:,.0f} to "
                "{high:,.0f})",
                users=point.users,
                queries=point.queries,
                low=point.low,
                high=point.high,
            )
            + (" – this log" if point.users == self.here else "")
            for point in self.points
        ]
        return tuple(lines)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "about": self.about,
            "here": self.here,
            "points": [
                {
                    "users": point.users,
                    "queries": point.queries,
                    "interval": [point.low, point.high],
                }
                for point in self.points
            ],
        }

    def figure(self) -> Figure:
        """The curve with its interval."""

        def column(name: str) -> Any:
            return np.array([float(getattr(point, name)) for point in self.points])

        return Figure(
            name="growth",
            title="What can be released, over users",
            x=Axis("users", unit="users", scale="log"),
            y=Axis("distinct queries released", unit="queries"),
            series=(
                Series(
                    "expected",
                    column("users"),
                    column("queries"),
                    low=column("low"),
                    high=column("high"),
                ),
            ),
            marks=(PlotMark("x", float(self.here), "this log", "current"),),
            note=self.about,
        )


def measure_growth(
    log: QueryLog, expect: Expect, about: str, progress: Progress, steps: Sequence[float] = STEPS
) -> GrowthCurve:
    """The curve of a log; some `DRAWS` expectations for each size."""
    everyone = len(log.users)
    halves = [LogPart.of(log, max(everyone // 2, 1), _SEED + draw) for draw in range(DRAWS)]
    whole = LogPart(log, 1.0)
    here = expect(whole, everyone)
    progress.stage("how it grows with users", len(steps))
    from_halves = [expect(_at(half, everyone), everyone) for half in halves]
    # How far the rule is off from halves to the whole, in logarithms, and how far halves differ.
    off = _log(here) - float(np.mean([_log(value) for value in from_halves]))
    spread = float(np.std([_log(value) for value in from_halves], ddof=1))
    points = []
    for step in steps:
        progress.advance()
        users = round(everyone * step)
        if users < _LEAST_USERS:
            continue
        if step < 1:
            parts = [LogPart.of(log, users, _SEED + 100 + draw) for draw in range(DRAWS)]
            drawn = [_log(expect(LogPart(part.log, 1.0), users)) for part in parts]
            middle, wide = float(np.mean(drawn)), 1.96 * float(np.std(drawn, ddof=1))
            low, high = middle - wide, middle + wide
        else:
            middle = _log(here if step == 1 else expect(_at(whole, users), users))
            bias = off * math.log2(step)
            low = middle + min(bias, 0.0) - 1.96 * spread
            high = middle + max(bias, 0.0) + 1.96 * spread
        points.append(GrowthPoint(users, *(max(math.expm1(v), 0.0) for v in (middle, low, high))))
    return GrowthCurve(tuple(points), everyone, about)


def _at(part: LogPart, users: int) -> LogPart:
    """The same users, standing for so many."""
    return LogPart(part.log, users / max(len(part.log.users), 1))


def _log(value: float) -> float:
    return math.log1p(max(value, 0.0))
