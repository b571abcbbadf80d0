"""The one stream that the command line prints and the window's controller re-emits."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from auditor.attacks.base import AttackResult
from auditor.engine.plan import Plan
from auditor.engine.run import Run
from auditor.figures import Figure
from auditor.measures.base import MeasureResult
from auditor.methods.base import ExpectedRelease
from auditor.privacy.release import Anonymized

Kind = Literal["method", "measure", "attack"]
"""What the parts of a run are."""


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
    """`done` of `total` units of `stage` (total 0 = unknown); `seconds_left` if known."""

    stage: str
    done: int
    total: int
    seconds_left: float | None = None


@dataclass(frozen=True, eq=False)
class PartialResult(RunEvent):
    """The release is there; measures and attacks follow.

    `checks` names those that apply to it, in their order: a plan may hold more.
    """

    release: Anonymized
    checks: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class ExpectedOutcome(RunEvent):
    """The analytic expectation of a preview."""

    plan: Plan
    outlook: ExpectedRelease
    seconds: float
    sampled_users: int


@dataclass(frozen=True, eq=False)
class PreviewOutcome(RunEvent):
    """An intermediate plot of a running attack or measure; a later one replaces it."""

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

    result: Run


@dataclass(frozen=True)
class RunFailed(RunEvent):
    """The run stopped on an error; `message` holds no query text."""

    message: str
    expected: bool
    """True for an `AuditorError`, which says what to do; False for a fault of the program."""


@dataclass(frozen=True)
class RunCancelled(RunEvent):
    """The run was cancelled; nothing of it remains."""


Listener = Callable[[RunEvent], None]
