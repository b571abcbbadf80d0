"""The one stream that the command line prints and the window's controller re-emits."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from auditor.attacks.base import AttackResult
from auditor.engine.plan import Plan
from auditor.errors import MissingInput
from auditor.figures import SHARE, Figure, MetricValue, ResultCard, Table
from auditor.measures.base import MeasureResult
from auditor.methods.base import ExpectedRelease
from auditor.privacy.release import Anonymized
from auditor.privacy.statement import Statement

Kind = Literal["method", "measure", "attack"]
"""What the parts of a run are."""


@dataclass(frozen=True, eq=False)
class RunResult(ResultCard):
    """Everything one run made.

    It outlives its release, which may be large and is never stored: `made` is None once the
    release was let go of, and in what comes from a project. `statement` and `flagged` stay.
    """

    plan: Plan = field(metadata={"stored": False})
    made: Anonymized | None = None
    measures: tuple[MeasureResult, ...] = ()
    attacks: tuple[AttackResult, ...] = ()
    seconds: dict[str, float] = field(default_factory=dict)
    skipped: dict[str, str] = field(default_factory=dict)
    """Attacks and measures that did not apply, and why, in words."""
    stages: dict[str, dict[str, float]] = field(default_factory=dict)
    """Seconds of each stage of the method, and of each attack and measure, by its name."""
    statement: Statement | None = None
    """That of the release, where there is one."""
    flagged: Mapping[str, int] = field(default_factory=dict)
    """How many sessions each attack flagged."""
    gates: Mapping[str, Any] = field(default_factory=dict)
    """How a policy judged it, as the manifest says it; empty as long as none did."""
    withheld: int = 0
    """Tables and plots that aren't stored because they may hold query text."""

    def __post_init__(self) -> None:
        if self.made is not None:
            found = {a.attack: len(a.findings) for a in self.attacks if a.findings is not None}
            object.__setattr__(self, "statement", self.made.statement)
            object.__setattr__(self, "flagged", {**self.flagged, **found})

    @property
    def release(self) -> Anonymized:
        """What was released; raises `MissingInput` once it was let go of."""
        if self.made is None:
            raise MissingInput("The release of this run is no longer here. Run it again.")
        return self.made

    def without_release(self) -> RunResult:
        """The same, without what was released."""
        return dataclasses.replace(self, made=None)

    def card_title(self) -> str:
        """The method."""
        return self.plan.what.title

    def card_lines(self) -> tuple[str, ...]:
        """The statement: what it claims, whom it protects, and what fails."""
        said = self.release.statement
        column = (said.user_column.text,) if said.user_column else ()
        return (said.headline(), said.claim, *column, *(f"Fails: {a.text}" for a in said.failing))

    @property
    def figures(self) -> tuple[Figure, ...]:
        """The plots of all measures and attacks."""
        measured = [one for part in self.measures for one in part.figures]
        return (*measured, *(one for part in self.attacks for one in part.figures))

    @property
    def times(self) -> Table:
        """How long each part of the run took, and each phase of it."""
        return tabulate_times(self.seconds, self.stages)

    @property
    def values(self) -> tuple[MetricValue, ...]:
        """All figures of the run: of the statement, the measures and the attacks."""
        statement = self.statement
        found: list[MetricValue] = []
        if statement is not None and statement.epsilon is not None:
            found.append(
                MetricValue(
                    "epsilon",
                    "claimed ε",
                    statement.epsilon,
                    help=statement.claim,
                    better="lower",
                    side="privacy",
                )
            )
        if statement is not None and statement.delta is not None:
            found.append(
                MetricValue(
                    "delta", "claimed δ", statement.delta, help=statement.claim, better="lower"
                )
            )
        for measured in self.measures:
            found.extend(measured.values)
        for attacked in self.attacks:
            found.append(
                MetricValue(
                    f"{attacked.attack}.rate",
                    f"{attacked.attack}: {attacked.rate_label}",
                    attacked.rate,
                    unit=SHARE,
                    better="lower",
                    side="privacy",
                    interval=attacked.interval,
                )
            )
            found.extend(attacked.values)
        return tuple(found)


def tabulate_times(
    seconds: Mapping[str, float], stages: Mapping[str, Mapping[str, float]]
) -> Table:
    """A table of how long each part of a run took, and each phase of it."""
    return Table(
        "times",
        "Time of each phase",
        ("part", "phase", "seconds"),
        [
            [part, phase, round(spent, 4)]
            for part, whole in seconds.items()
            for phase, spent in [*stages.get(part, {}).items(), ("in all", whole)]
        ],
        own_words=True,
    )


@dataclass(frozen=True)
class RunEvent:
    """Something happened to run number `run`."""

    run: int


@dataclass(frozen=True)
class RunStarted(RunEvent):
    """Work on the run began."""

    plan: Plan


@dataclass(frozen=True)
class TaskStarted(RunEvent):
    """A part of the run began: its method, or a measure or an attack of it."""

    kind: Kind
    name: str


@dataclass(frozen=True)
class StageProgress(RunEvent):
    """`done` of `total` units of `stage` (total 0 = unknown); `left` in seconds if known."""

    stage: str
    done: int
    total: int
    left: float | None = None


@dataclass(frozen=True, eq=False)
class PartialResult(RunEvent):
    """The release is there; measures and attacks follow."""

    release: Anonymized


@dataclass(frozen=True, eq=False)
class ExpectedOutcome(RunEvent):
    """A preview's analytic expectation is there."""

    plan: Plan
    outlook: ExpectedRelease
    seconds: float
    sampled_users: int


@dataclass(frozen=True, eq=False)
class PreviewOutcome(RunEvent):
    """A picture of an attack or measure that is still at work; a later one replaces it."""

    figure: Figure


@dataclass(frozen=True, eq=False)
class MeasureDone(RunEvent):
    """One measure was taken."""

    result: MeasureResult


@dataclass(frozen=True, eq=False)
class AttackDone(RunEvent):
    """One attack was made; its findings are with it."""

    result: AttackResult


@dataclass(frozen=True, eq=False)
class RunFinished(RunEvent):
    """The run is complete."""

    result: RunResult


@dataclass(frozen=True)
class RunFailed(RunEvent):
    """The run stopped on an error; `message` holds no query text."""

    message: str
    expected: bool
    """True for an `AuditorError`, which says what to do; False for a fault of the program."""


@dataclass(frozen=True)
class RunCancelled(RunEvent):
    """Somebody stopped the run; nothing is left of it."""


Listener = Callable[[RunEvent], None]
