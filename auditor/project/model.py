"""What a project holds: the intent, the log, every run with its outcome, and what is said of them.

A project holds no query, key or seed, and no path of this machine. Where the log lies is known
to the machine alone (`Places`), never to the file.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from auditor.attacks.base import AttackResult, FlaggedFindings
from auditor.engine.events import RunResult
from auditor.engine.plan import Intent, Plan
from auditor.figures import Figure, MetricValue
from auditor.log.model import QueryLog
from auditor.measures.base import MeasureResult
from auditor.privacy.release import Anonymized
from auditor.privacy.statement import Statement

Places = Mapping[str, Path]
"""Where files that a project names by their bare name lie on this machine."""

UNSTORED = {"stored": False}
"""Of a field: it is no part of the stored form, or stands elsewhere in it."""

RunState = Literal["waiting", "running", "finished", "failed", "cancelled"]

REASONS: Mapping[str, str] = {
    "nobody": "about nobody in particular",
    "public": "about a public figure or place",
    "phrase": "an ordinary phrase, wrongly recognised",
    "own": "belongs to somebody who agreed",
    "other": "for another reason",
}
"""Why a flagged session may be dismissed. Fixed, so that what a manifest counts holds no query."""


@dataclass(frozen=True, kw_only=True)
class LogFacts:
    """Which log a project is about: enough to ask for it and to know it again."""

    digest: str
    title: str
    names: tuple[str, ...] = ()
    sample: bool = False
    rows: int = 0
    users: int = 0
    queries: int = 0
    period: tuple[int, int] | None = None
    reading: Mapping[str, Any] = field(default_factory=dict)
    """How it was read, where somebody said so: fields of `ReadOptions`."""

    @classmethod
    def of(
        cls, log: QueryLog, title: str, *, sample: bool = False, reading: Mapping[str, Any] = {}
    ) -> LogFacts:
        """The facts of an open log."""
        return cls(
            digest=log.digest,
            title=title,
            names=tuple(path.name for path in log.origin.files),
            sample=sample,
            rows=len(log),
            users=len(log.users),
            queries=len(log.queries),
            period=log.period,
            reading=reading,
        )


@dataclass(eq=False)
class RunRecord:
    """One run of the book: what was wanted, how far it is, what came of it, what is said of it.

    `outcome` is there once it finished, and stays while it is made again; `so_far` is what is
    there of a run that isn't at its end.
    """

    number: int = field(metadata=UNSTORED)
    """By which the runner knows it; no project holds it."""
    letter: str
    plan: Plan = field(metadata=UNSTORED)
    state: RunState = "waiting"
    name: str = ""
    comment: str = ""
    pinned: bool = False
    message: str = ""
    outcome: RunResult | None = field(default=None, metadata=UNSTORED)
    so_far: RunResult | None = field(default=None, metadata=UNSTORED)
    reopened: bool = field(default=False, metadata=UNSTORED)
    """Whether it came from a project: then it has neither a release nor flagged sessions."""
    counted: bool = field(default=False, metadata=UNSTORED)
    """Whether its end was counted as a change of the project."""

    @property
    def title(self) -> str:
        """The name that somebody gave it, or the method's title."""
        return self.name or self.plan.what.title

    @property
    def active(self) -> bool:
        """Whether it is still waiting or running."""
        return self.state in ("waiting", "running")

    @property
    def result(self) -> RunResult | None:
        """The outcome with its release; None if the release isn't here."""
        return self.outcome if self.release is not None and not self.so_far else None

    @property
    def release(self) -> Anonymized | None:
        """What it released, as long as that is kept."""
        shown = self.so_far or self.outcome
        return shown.made if shown is not None else None

    @property
    def statement(self) -> Statement | None:
        """What is guaranteed, as soon as that is known."""
        shown = self.so_far or self.outcome
        return shown.statement if shown is not None else None

    @property
    def values(self) -> tuple[MetricValue, ...]:
        """Its metrics, once it is finished."""
        return self.outcome.values if self.outcome is not None else ()

    @property
    def measures(self) -> tuple[MeasureResult, ...]:
        """What was measured, as far as it is there."""
        shown = self.so_far or (None if self.active else self.outcome)
        return shown.measures if shown is not None else ()

    @property
    def attacks(self) -> tuple[AttackResult, ...]:
        """What attackers achieved, as far as it is there."""
        shown = self.so_far or (None if self.active else self.outcome)
        return shown.attacks if shown is not None else ()

    @property
    def figures(self) -> tuple[Figure, ...]:
        """The plots of its measures and attacks, as far as they are there."""
        parts: list[MeasureResult | AttackResult] = [*self.measures, *self.attacks]
        return tuple(figure for part in parts for figure in part.figures)

    @property
    def findings(self) -> dict[str, FlaggedFindings]:
        """The sessions that each attack flagged, if it flags any."""
        return {a.attack: a.findings for a in self.attacks if a.findings is not None}

    @property
    def skipped(self) -> Mapping[str, str]:
        """Attacks and measures that did not apply, and why."""
        return self.outcome.skipped if self.outcome is not None else {}

    @property
    def seconds(self) -> float:
        """How long it took."""
        return sum(self.outcome.seconds.values()) if self.outcome is not None else 0.0

    def take_release(self, release: Anonymized) -> None:
        """The method is done; measures and attacks follow."""
        self.so_far = RunResult(self.plan, release)

    def add_part(self, part: MeasureResult | AttackResult) -> None:
        """A measure or an attack is done."""
        found = self.so_far or RunResult(self.plan)
        if isinstance(part, MeasureResult):
            self.so_far = dataclasses.replace(found, measures=(*found.measures, part))
        else:
            self.so_far = dataclasses.replace(found, attacks=(*found.attacks, part))

    def finish(self, result: RunResult) -> None:
        """Take over everything that the run made."""
        self.state, self.reopened = "finished", False
        self.outcome, self.so_far = result, None

    def begin_again(self) -> None:
        """It is made once more; its outcome stays in case that fails."""
        self.state, self.message = "waiting", ""

    def end(self, state: RunState, message: str = "") -> None:
        """It ended without a result; an earlier outcome stands again."""
        self.state, self.message, self.so_far = state, message, None
        if self.outcome is not None:
            self.state, self.reopened = "finished", True

    def forget_release(self) -> None:
        """Let go of the released content; everything else stays."""
        self.so_far = None
        if self.outcome is not None:
            self.outcome = self.outcome.without_release()


@dataclass(frozen=True, kw_only=True)
class SessionNote:
    """What somebody says of a session, which is known by its rows in the project's own log.

    Not by a digest of its text: that would be a hash of something that can be guessed, which is
    what this program shows how to undo.
    """

    start: int
    stop: int
    text: str = ""
    dismissed: str = ""
    """A key of `REASONS`; empty if it isn't dismissed."""

    @property
    def empty(self) -> bool:
        """Whether it says nothing."""
        return not self.text and not self.dismissed


@dataclass(frozen=True, eq=False, kw_only=True)
class Project:
    """Everything that a workspace is worth keeping."""

    intent: Intent
    log: LogFacts | None = None
    policy: str = ""
    """The text of the policy that runs are judged by; empty for the one that comes with us."""
    runs: tuple[RunRecord, ...] = ()
    current: str = ""
    """Letter of the run that is shown."""
    notes: tuple[SessionNote, ...] = ()
    layout: Mapping[str, Any] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    """What could not be taken from a file as it stands there, in words; only after reading."""
