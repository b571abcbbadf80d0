"""What a search is asked for, who hears of it, and when it ends."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from auditor.engine.events import RunEvent
from auditor.errors import Cancelled, ParameterError
from auditor.log.sentences import sentence
from auditor.messages import phrase
from auditor.methods.registry import METHODS
from auditor.progress import Progress
from auditor.release.policy.policy import Policy
from auditor.suggestions.candidates import list_counted
from auditor.suggestions.earlier_releases import EarlierReleases
from auditor.suggestions.goals import SearchGoal, check_private_goal
from auditor.suggestions.modes import MODES, SearchMode
from auditor.suggestions.result import Suggestion

SELECTION_EPSILON = 0.5
"""What a private choice costs unless somebody says otherwise."""

Hear = Callable[[Suggestion], None]


@dataclass(frozen=True, kw_only=True)
class SearchRequest:
    """What is wanted.

    Attributes
    ----------
    methods
        Names of the methods to search; None for all.
    budget
        Seconds after which the search ends; None for as long as it takes.
    selection_epsilon
        What a private choice may cost.
    users
        Number of users of the log that will be released, where it isn't the one searched.
    growth
        Whether to say how it grows with users.
    earlier
        Releases of the same log that were approved before; None if there are none.
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
        if self.mode not in MODES:
            raise ParameterError(
                "mode", phrase("The mode is one of {modes}.", modes=", ".join(MODES))
            )
        self._check_methods()
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
            return list_counted(bounded=True)
        return list_counted() if self.mode == "sizes" else tuple(METHODS)

    def _check_methods(self) -> None:
        """Refuse methods that there are not, or that this way of looking would leave out."""
        for name in self.methods or ():
            METHODS[name]  # says which there are
            if name not in self._searchable:
                raise ParameterError(
                    "methods",
                    sentence(
                        "suggestions.not_comparable",
                        mode=self.mode,
                        name=name,
                        searchable=", ".join(self._searchable),
                    ),
                )


@dataclass
class SearchHearing:
    """Who hears of suggestions, events of runs and progress, and who may stop the search."""

    found: Hear = lambda _: None
    event: Callable[[RunEvent], None] = lambda _: None
    report: Callable[[str, int, int], None] = lambda _stage, _done, _total: None
    stop: threading.Event = field(default_factory=threading.Event)

    @classmethod
    def from_progress(cls, progress: Progress, found: Hear = lambda _: None) -> SearchHearing:
        """Report to a progress object, and end once it was cancelled."""

        def report(stage: str, done: int, total: int) -> None:
            if done == 0:
                progress.stage(stage, total)
            else:
                progress.update(done)

        return cls(report=report, stop=ProgressStop(progress), found=found)


class ProgressStop(threading.Event):
    """Set once somebody cancelled a progress object."""

    def __init__(self, progress: Progress) -> None:
        super().__init__()
        self._progress = progress

    def is_set(self) -> bool:
        """Whether it was cancelled."""
        try:
            self._progress.check()
        except Cancelled:
            return True
        return False


class SearchEnd(threading.Event):
    """Set once somebody stopped the search, or its budget is used up."""

    def __init__(self, outer: threading.Event, budget: float | None) -> None:
        super().__init__()
        self._outer = outer
        self._ends = None if budget is None else time.monotonic() + budget

    @property
    def left(self) -> float:
        """Seconds that are left."""
        return float("inf") if self._ends is None else self._ends - time.monotonic()

    def is_set(self) -> bool:
        return self._outer.is_set() or self.left <= 0
