"""What a release is for: the utility that a search makes as large as it can.

Two goals can be expected without a run (distinct queries, share of the searches). The others are
measures of a release, so candidates are compared by their expected share first and by the measure
among those that are run in full.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from auditor.errors import ParameterError
from auditor.log.sentences import sentence
from auditor.measures.retrieval.report import FLATTERING
from auditor.release.record import ReleaseRecord


@dataclass(frozen=True)
class SearchGoal:
    """A utility, as a weighted sum of figures between which the weights stand.

    `name` is what is typed, `title` what is read. `parts` holds for each figure its weight and
    `measure` for each figure the measure that has to be taken for it, empty where none has.
    """

    name: str
    title: str
    parts: tuple[tuple[str, float], ...]

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures that a run needs for this goal."""
        named = (_FIGURES[figure][1] for figure, _ in self.parts)
        return tuple(dict.fromkeys(name for name in named if name))

    @property
    def expectable(self) -> bool:
        """Whether the goal can be computed from expectations alone."""
        return not self.measures

    def compute_utility(self, figures: Mapping[str, float]) -> float:
        """The goal's value; NaN where a figure is missing."""
        values = [weight * figures.get(figure, math.nan) for figure, weight in self.parts]
        return math.fsum(values)


_FIGURES: Mapping[str, tuple[str, str]] = {
    "queries": ("distinct queries released", ""),
    "volume": ("share of searches kept", ""),
    "ndcg": ("nDCG of retrieval over all test queries", "retrieval"),
    "trends": ("correlation of the trends of frequent queries", "trends"),
    "next-query": ("next queries among ten predicted", "next-query"),
}
_MEASURED: Mapping[str, str] = {
    "trends": "trends.correlation_all",
    "next-query": "next_query.hit10",
}
GOALS = tuple(_FIGURES)
PRIVATE_GOALS = ("queries", "volume")
"""What a private choice can maximise: one user changes each by a known amount at most."""


def parse_goal(text: str) -> SearchGoal:
    """A goal as it is typed: one name, or weights as ``volume=1,queries=0.001``."""
    wanted = text.strip()
    if wanted in _FIGURES:
        return SearchGoal(wanted, _FIGURES[wanted][0], ((wanted, 1.0),))
    if "=" not in wanted:
        raise ParameterError(
            "maximise", sentence("suggestions.no_goal", wanted=wanted[:40], goals=", ".join(GOALS))
        )
    parts = []
    for pair in wanted.split(","):
        name, _, value = (one.strip() for one in pair.partition("="))
        try:
            weight = float(value)
        except ValueError:
            weight = math.nan
        if name not in _FIGURES or not (math.isfinite(weight) and weight > 0):
            raise ParameterError(
                "maximise",
                sentence("suggestions.bad_weights", goals=", ".join(GOALS), pair=pair.strip()[:40]),
            )
        parts.append((name, weight))
    names = [name for name, _ in parts]
    if len(set(names)) < len(names):
        raise ParameterError("maximise", "A goal names each metric once.")
    title = " + ".join(f"{weight:g} × {_FIGURES[name][0]}" for name, weight in parts)
    return SearchGoal(wanted, title, tuple(parts))


def check_private_goal(name: str) -> None:
    """Refuse a goal that one user may change by any amount."""
    if name not in PRIVATE_GOALS:
        raise ParameterError(
            "maximise",
            sentence("suggestions.private_goals", private_goals=" or ".join(PRIVATE_GOALS)),
        )


def figures_of_record(record: ReleaseRecord) -> dict[str, float]:
    """The goals' figures of a run's record."""
    found: dict[str, float] = {}
    if record.kept.queries is not None:
        found["queries"] = float(record.kept.queries)
    if record.kept.share is not None:
        found["volume"] = record.kept.share
    for goal, (_, measure) in _FIGURES.items():
        made = record.measures.get(measure)
        figures = made.figures if made is not None else {}
        if goal == "ndcg":
            ranks = [
                value
                for name, value in figures.items()
                if name.startswith("retrieval.")
                and name.endswith(".ndcg_all")
                and name.split(".")[1] not in FLATTERING
            ]
            if ranks:
                found["ndcg"] = max(ranks)
        elif goal in _MEASURED and _MEASURED[goal] in figures:
            found[goal] = figures[_MEASURED[goal]]
    return {name: value for name, value in found.items() if math.isfinite(value)}
