"""What a search is asked for: its goal and way of looking, who hears of it, and when it ends.

Two goals can be expected without a run (distinct queries, share of the searches). The others are
measures of a release, so candidates are compared by their expected share first and by the measure
among those that are run in full.
"""

import math
import re
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from auditor.engine.events import RunEvent
from auditor.errors import Cancelled, ParameterError
from auditor.log.sentences import sentence
from auditor.measures.retrieval import FLATTERING
from auditor.messages import phrase
from auditor.methods.registry import METHODS
from auditor.progress import Progress
from auditor.release.policy.policy import Policy
from auditor.release.record import ReleaseRecord
from auditor.suggestions.candidates import list_dp_methods
from auditor.suggestions.limits import EarlierReleases
from auditor.suggestions.result import MODES, SearchMode, Suggestion


@dataclass(frozen=True)
class SearchGoal:
    """A utility: a sum of figures by weights (`parts`). `name` is typed, `title` read."""

    name: str
    title: str
    parts: tuple[tuple[str, float], ...]

    @property
    def measures(self) -> tuple[str, ...]:
        measure_names = (_FIGURES[figure][1] for figure, _ in self.parts)
        return tuple(dict.fromkeys(name for name in measure_names if name))

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
    goal = text.strip()
    if goal in _FIGURES:
        return SearchGoal(goal, _FIGURES[goal][0], ((goal, 1.0),))
    if "=" not in goal:
        raise ParameterError(
            "maximise", sentence("suggestions.no_goal", wanted=goal[:40], goals=", ".join(GOALS))
        )
    parts = []
    for pair in goal.split(","):
        name, _, value = (piece.strip() for piece in pair.partition("="))
        try:
            weight = float(value)
        except ValueError:
            weight = math.nan
        if name not in _FIGURES or not (math.isfinite(weight) and weight > 0):
            wrong = {"goals": ", ".join(GOALS), "pair": pair.strip()[:40]}
            raise ParameterError("maximise", sentence("suggestions.bad_weights", **wrong))
        parts.append((name, weight))
    names = [name for name, _ in parts]
    if len(set(names)) < len(names):
        raise ParameterError("maximise", "A goal names each metric once.")
    title = " + ".join(f"{weight:g} × {_FIGURES[name][0]}" for name, weight in parts)
    return SearchGoal(goal, title, tuple(parts))


def check_private_goal(name: str) -> None:
    """Refuse a goal that one user may change by any amount."""
    if name not in PRIVATE_GOALS:
        goals = " or ".join(PRIVATE_GOALS)
        raise ParameterError("maximise", sentence("suggestions.private_goals", private_goals=goals))


def figures_of_record(record: ReleaseRecord) -> dict[str, float]:
    """The goals' figures of a run's record."""
    figures: dict[str, float | None] = {"queries": record.kept.queries, "volume": record.kept.share}
    for goal, (_, measure) in _FIGURES.items():
        if (measured := record.measures.get(measure)) is None:
            continue
        if goal in _MEASURED:
            figures[goal] = measured.figures.get(_MEASURED[goal])
        elif goal == "ndcg":
            ranks = {
                name: value
                for name, value in measured.figures.items()
                if re.fullmatch(r"retrieval\..*\.ndcg_all", name)
            }
            honest = (ranks[name] for name in ranks if name.split(".")[1] not in FLATTERING)
            figures[goal] = max(honest, default=None)
    return {
        name: float(value)
        for name, value in figures.items()
        if value is not None and math.isfinite(value)
    }


SELECTION_EPSILON = 0.5
"""What a private choice costs unless somebody says otherwise."""

Hear = Callable[[Suggestion], None]


@dataclass(frozen=True, kw_only=True)
class SearchRequest:
    """What is wanted.

    Of the `policy` the gates count but for those that ask what a reviewer attests. None stands for
    all `methods`, no end by a `budget` of seconds, and no `earlier` approved release of the log.
    `users` is how many the log has that will be released, where another one is searched.
    """

    policy: Policy
    goal: SearchGoal
    mode: SearchMode = "private"
    methods: tuple[str, ...] | None = None
    budget: float | None = None
    selection_epsilon: float = SELECTION_EPSILON
    users: int | None = None
    growth: bool = True
    earlier: EarlierReleases | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "policy", self.policy.measurable)
        if self.mode not in MODES:
            modes = ", ".join(MODES)
            raise ParameterError("mode", phrase("The mode is one of {modes}.", modes=modes))
        # Refuse methods that there are not, or that this way of looking would leave out.
        for name in self.methods or ():
            METHODS[name]  # says which there are
            if name not in self._searchable:
                facts = {"mode": self.mode, "name": name, "searchable": ", ".join(self._searchable)}
                raise ParameterError("methods", sentence("suggestions.not_comparable", **facts))
        if self.mode == "private":
            check_private_goal(self.goal.name)
        if self.budget is not None and not 0 < self.budget < 1e9:
            raise ParameterError("budget", "The budget is a number of seconds above 0.")
        if not 0.001 <= self.selection_epsilon <= 100:
            raise ParameterError("selection_epsilon", "A choice costs an ε of 0.001 to 100.")
        if self.users is not None and self.users < 1:
            raise ParameterError("users", "A log has one user at least.")

    @property
    def searched(self) -> tuple[str, ...]:
        """The methods that this way of looking can search."""
        names = tuple(METHODS) if self.methods is None else self.methods
        if self.mode == "open":
            return tuple(name for name in names if name in self._searchable)
        return names

    @property
    def _searchable(self) -> tuple[str, ...]:
        """All methods of which this way of looking can compare settings."""
        if self.mode == "open":
            return tuple(name for name in METHODS if not METHODS[name].randomised)
        if self.mode == "private":
            return list_dp_methods(bounded=True)
        return list_dp_methods() if self.mode == "sizes" else tuple(METHODS)


@dataclass
class SearchHearing:
    """Who hears of suggestions, events of runs and progress, by which it is stopped, too."""

    on_candidate: Hear = lambda _: None
    event: Callable[[RunEvent], None] = lambda _: None
    progress: Progress = field(default_factory=Progress)


class SearchEnd(threading.Event):
    """Set once somebody stopped the search, or its budget is used up."""

    def __init__(self, outer: Progress, budget: float | None) -> None:
        super().__init__()
        self._outer = outer
        self._ends = math.inf if budget is None else time.monotonic() + budget

    @property
    def seconds_left(self) -> float:
        return self._ends - time.monotonic()

    @property
    def cancelled(self) -> bool:
        try:
            self._outer.check()
        except Cancelled:
            return True
        return False

    def is_set(self) -> bool:
        return self.cancelled or self.seconds_left <= 0
