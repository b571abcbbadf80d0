"""A run: its plan, what came of it, and what somebody says of it.

The engine makes one for every plan that it executes. A workspace gives it a number and a letter,
and keeps it while it is waiting, running, finished and made again. What a project stores of it is
what the fields say: those of `RESULTS` in a part of their own, `UNSTORED` ones not at all.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from auditor.attacks.adversaries import recognize_adversary
from auditor.attacks.base import AttackResult, FlaggedFindings
from auditor.engine.plan import Plan
from auditor.errors import MissingInput
from auditor.figures import SHARE, Figure, MetricValue, ResultCard, Table
from auditor.measures.base import MeasureResult
from auditor.messages import as_phrase, phrase
from auditor.privacy.release import Anonymized
from auditor.privacy.statement import Statement

RunState = Literal["waiting", "running", "finished", "failed", "cancelled"]

UNSTORED = {"stored": False}
"""Of a field: it is no part of the stored form, or stands elsewhere in it."""

RESULTS = {"part": "results"}
"""Of a field: it is stored among a run's results."""


@dataclass(eq=False)
class Run(ResultCard):
    """One run, finished unless its state says otherwise.

    It outlives its release, which may be large and is never stored: `anonymized` is None once the
    release was let go of, and in what comes from a project. `statement` and `flagged` stay. A
    thread works on a copy (`copy`), for the window's own goes on.
    """

    plan: Plan = field(metadata=UNSTORED)
    anonymized: Anonymized | None = None
    measures: tuple[MeasureResult, ...] = field(default=(), metadata=RESULTS)
    attacks: tuple[AttackResult, ...] = field(default=(), metadata=RESULTS)
    seconds: dict[str, float] = field(default_factory=dict, metadata=RESULTS)
    skipped: Mapping[str, str] = field(default_factory=dict, metadata=RESULTS)
    """Attacks and measures that did not apply, and why, in words."""
    stages: dict[str, dict[str, float]] = field(default_factory=dict, metadata=RESULTS)
    """Seconds of each stage of the method, and of each attack and measure, by its name."""
    statement: Statement | None = field(default=None, metadata=RESULTS)
    """That of the release, as soon as there is one."""
    flagged: Mapping[str, int] = field(default_factory=dict, metadata=RESULTS)
    """How many sessions each attack flagged."""
    gates: Mapping[str, Any] = field(default_factory=dict, metadata=RESULTS)
    """How a policy judged it, as the manifest says it; empty as long as none did."""
    withheld: int = field(default=0, metadata=RESULTS)
    """Tables and plots that aren't stored because they may hold query text."""

    letter: str = ""
    state: RunState = "finished"
    name: str = ""
    comment: str = ""
    pinned: bool = False
    message: str = ""
    released: str = ""
    """Its release that somebody approved, by its name in the ledger; empty as long as none was."""
    number: int = field(default=0, metadata=UNSTORED)
    """By which the runner knows it."""
    reopened: bool = field(default=False, metadata=UNSTORED)
    """Whether it came from a project: then it has neither a release nor flagged sessions."""
    reported: bool = field(default=False, metadata=UNSTORED)
    """Whether its end was counted as a change of the project."""
    earlier: Run | None = field(default=None, metadata=UNSTORED)
    """What came of it before, while it is made again."""
    cache: dict[str, Any] = field(default_factory=dict, repr=False, metadata=UNSTORED)
    """What others work out of it once, with what that was made from; copies share it."""

    def __post_init__(self) -> None:
        if self.anonymized is not None:
            counts = {name: len(findings) for name, findings in self.findings.items()}
            self.statement, self.flagged = self.anonymized.statement, {**self.flagged, **counts}

    @property
    def title(self) -> str:
        """The user's name for the run, or the method's title."""
        return self.name or self.plan.what.title

    @property
    def active(self) -> bool:
        """Whether it is waiting or running."""
        return self.state in ("waiting", "running")

    @property
    def adversary(self) -> str:
        """Whose attacks were made, see `adversaries.recognize_adversary`."""
        names = {result.attack for result in self.attacks}
        return recognize_adversary(
            {step.name: step.params for step in self.plan.attacks if step.name in names}
        )

    @property
    def release(self) -> Anonymized:
        """The release; raises `MissingInput` after it was dropped."""
        if self.anonymized is None:
            raise MissingInput("The release of this run is no longer here. Run it again.")
        return self.anonymized

    @property
    def complete(self) -> bool:
        """Whether it is finished and its release is here."""
        return self.anonymized is not None and self.state == "finished"

    @property
    def outcome(self) -> Run | None:
        """The run with all its results: as it is, or as it was before it is made again."""
        return self if self.state == "finished" else self.earlier

    def copy(self) -> Run:
        """The run as it is now, for a thread."""
        return dataclasses.replace(self)

    # how it goes on

    def take_release(self, release: Anonymized) -> None:
        """The method is done; measures and attacks follow."""
        self._take_results(Run(self.plan, release))

    def add_part(self, part: MeasureResult | AttackResult) -> None:
        """A measure or an attack is done."""
        if isinstance(part, MeasureResult):
            self.measures = (*self.measures, part)
        else:
            self.attacks = (*self.attacks, part)

    def finish(self, result: Run) -> None:
        """Take over everything that the engine made."""
        self._take_results(result)
        self.state, self.reopened, self.earlier = "finished", False, None

    def begin_again(self) -> None:
        """Start the run once more; its earlier results stay in case that fails."""
        self.earlier = self.copy()
        self.state, self.message = "waiting", ""

    def end(self, state: RunState, message: str = "") -> None:
        """It ended without a result; an earlier one stands again."""
        self._take_results(self.earlier or Run(self.plan))
        if self.earlier is not None:
            state, self.reopened, self.earlier = "finished", True, None
        self.state, self.message = state, message

    def forget_release(self) -> None:
        """Drop the released content; everything else stays."""
        self.anonymized, self.cache = None, {}

    def _take_results(self, other: Run) -> None:
        self.anonymized, self.cache = other.anonymized, other.cache
        for attribute in dataclasses.fields(Run):
            if attribute.metadata.get("part") == "results":
                setattr(self, attribute.name, getattr(other, attribute.name))

    # what it tells

    def card_title(self) -> str:
        return self.plan.what.title

    def card_lines(self) -> tuple[str, ...]:
        """The statement: what it claims, whom it protects, and what fails."""
        statement = self.statement
        if statement is None:
            return (self.message or self.state,)
        column = (statement.user_column.text,) if statement.user_column else ()
        return (
            statement.write_headline(),
            statement.claim,
            *column,
            *(phrase("Fails: {text}", text=as_phrase(a.text)) for a in statement.failing),
        )

    @property
    def figures(self) -> tuple[Figure, ...]:
        """The plots of all measures and attacks."""
        measured = [figure for part in self.measures for figure in part.figures]
        return (*measured, *(figure for part in self.attacks for figure in part.figures))

    @property
    def findings(self) -> dict[str, FlaggedFindings]:
        """The sessions that each attack flagged, if it flags any."""
        return {a.attack: a.findings for a in self.attacks if a.findings is not None}

    @property
    def times(self) -> Table:
        """How long each part of the run took, and each phase of it."""
        return Table(
            "times",
            "Time of each phase",
            ("part", "phase", "seconds"),
            [
                [part, phase, round(spent, 4)]
                for part, total in self.seconds.items()
                for phase, spent in [*self.stages.get(part, {}).items(), ("in all", total)]
            ],
            own_words=True,
        )

    @property
    def values(self) -> tuple[MetricValue, ...]:
        """Its metrics, once it is finished: of the statement, the measures and the attacks."""
        if self.active:
            return self.earlier.values if self.earlier is not None else ()
        metrics: list[MetricValue] = []
        if (statement := self.statement) is not None:
            claimed = functools.partial(MetricValue, help=statement.claim, better="lower")
            if statement.epsilon is not None:
                metrics.append(claimed("epsilon", "claimed ε", statement.epsilon, side="privacy"))
            if statement.delta is not None:
                metrics.append(claimed("delta", "claimed δ", statement.delta))
        for measured in self.measures:
            metrics.extend(measured.values)
        for attacked in self.attacks:
            metrics.append(
                MetricValue(
                    f"{attacked.attack}.rate",
                    phrase(
                        "{attack}: {rate_label}",
                        attack=as_phrase(attacked.attack),
                        rate_label=as_phrase(attacked.rate_label),
                    ),
                    attacked.rate,
                    unit=SHARE,
                    better="lower",
                    side="privacy",
                    interval=attacked.interval,
                )
            )
            metrics.extend(
                dataclasses.replace(value, name=prefix_name(attacked.attack, value.name))
                for value in attacked.values
            )
        return tuple(metrics)


def prefix_name(owner: str, name: str) -> str:
    """The name of a figure or detail among those of others: after its owner's."""
    return name if name.startswith(f"{owner}.") else f"{owner}.{name}"
