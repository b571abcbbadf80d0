"""The runs of this sitting: what was asked, what came of it, and what somebody says of it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import NDArray

from auditor.attacks.base import AttackResult, FlaggedFindings
from auditor.attacks.registry import ATTACKS
from auditor.engine.events import RunResult, times
from auditor.engine.plan import Plan
from auditor.figures import Figure, MetricValue, Table
from auditor.gui.app.translation import tr
from auditor.measures.base import MeasureResult
from auditor.measures.registry import MEASURES
from auditor.privacy.release import Anonymized
from auditor.privacy.statement import Statement
from auditor.project.model import StoredResults, StoredRun
from auditor.project.results import of_run

State = Literal["waiting", "running", "finished", "failed", "cancelled"]

KEEP = 6
"""Releases kept in memory; an older one's figures stay, and its content is dropped."""


@dataclass(eq=False)
class RunRecord:
    """One run. Its figures outlive its release, which may be large."""

    number: int
    letter: str
    plan: Plan
    state: State = "waiting"
    name: str = ""
    comment: str = ""
    pinned: bool = False
    message: str = ""
    release: Anonymized | None = None
    result: RunResult | None = None
    statement: Statement | None = None
    values: tuple[MetricValue, ...] = ()
    measures: list[MeasureResult] = field(default_factory=list)
    attacks: list[AttackResult] = field(default_factory=list)
    kept: StoredResults | None = None
    """What a project keeps of it, once it is finished."""
    reopened: bool = False
    """Whether it came from a project: then it has neither a release nor flagged sessions."""
    counted: bool = False
    """Whether its end was counted as a change of the project."""

    @classmethod
    def of_project(cls, number: int, run: StoredRun) -> RunRecord:
        """A run as a project kept it; one that was at work then is at its end."""
        whole = run.state == "failed" or (run.state == "finished" and run.results is not None)
        record = cls(
            number,
            run.letter,
            run.plan,
            state=cast(State, run.state) if whole else "cancelled",
            name=run.name,
            comment=run.comment,
            pinned=run.pinned,
            message=run.message,
            reopened=True,
        )
        if run.results is not None:
            record._take(run.results)
        return record

    def to_project(self) -> StoredRun:
        """What a project keeps of it."""
        return StoredRun(
            letter=self.letter,
            plan=self.plan,
            state=self.state,
            name=self.name,
            comment=self.comment,
            pinned=self.pinned,
            message=self.message,
            results=self.kept,
        )

    @property
    def title(self) -> str:
        """The name that somebody gave it, or the method's title."""
        return self.name or self.plan.what.title

    @property
    def active(self) -> bool:
        """Whether it is still waiting or running."""
        return self.state in ("waiting", "running")

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
    def tables(self) -> list[tuple[str, tuple[Table, ...]]]:
        """What stands in tables, under the title of the measure or attack that made it."""
        made: list[tuple[str, tuple[Table, ...]]] = []
        made += [(ATTACKS[part.attack].title, part.tables) for part in self.attacks]
        made += [(MEASURES[part.measure].title, part.tables) for part in self.measures]
        if self.kept is not None:
            if self.reopened and self.kept.gates:
                made.append((tr("Gates"), (gates_table(self.kept.gates),)))
            made.append((tr("Times"), (times(self.kept.seconds, self.kept.stages),)))
        return [(title, tables) for title, tables in made if tables]

    def finish(self, result: RunResult) -> None:
        """Take over everything that the run made."""
        self.state = "finished"
        self.result = result
        self.release = result.release
        self.reopened = False
        self._take(of_run(result))

    def _take(self, kept: StoredResults) -> None:
        self.kept = kept
        self.statement = kept.statement
        self.values = kept.values
        self.measures = list(kept.measures)
        self.attacks = list(kept.attacks)

    @property
    def skipped(self) -> Mapping[str, str]:
        """Attacks and measures that did not apply, and why."""
        return self.kept.skipped if self.kept is not None else {}

    @property
    def seconds(self) -> float:
        """How long it took."""
        return sum(self.kept.seconds.values()) if self.kept is not None else 0.0

    def begin_again(self) -> None:
        """It is made once more; what was kept of it stays in case that fails."""
        self.state, self.message = "waiting", ""
        self.measures, self.attacks = [], []

    def end(self, state: State, message: str = "") -> None:
        """It ended without a result; what a project kept of it stands again."""
        self.state, self.message = state, message
        if self.kept is not None:
            self.state, self.reopened = "finished", True
            self._take(self.kept)

    def forget_release(self) -> None:
        """Let go of the released content; the figures stay."""
        self.result = None
        self.release = None


class RunBook:
    """The runs in the order in which they were submitted."""

    def __init__(self) -> None:
        self._records: dict[int, RunRecord] = {}
        self._count = 0

    def __iter__(self) -> Iterator[RunRecord]:
        return iter(self._records.values())

    def __len__(self) -> int:
        return len(self._records)

    def get(self, number: int) -> RunRecord | None:
        """The run of that number, if it is (still) here."""
        return self._records.get(number)

    def add(self, number: int, plan: Plan) -> RunRecord:
        """Enter a submitted run under the next letter."""
        record = RunRecord(number, letters(self._count), plan)
        self._count += 1
        self._records[number] = record
        return record

    def remove(self, number: int) -> None:
        """Strike a run out."""
        self._records.pop(number, None)

    def place(self, number: int) -> int:
        """Where a run stands in the book."""
        return list(self._records).index(number)

    def put(self, record: RunRecord, place: int) -> None:
        """Enter a run again where it stood."""
        records = [one for one in self if one is not record]
        records.insert(place, record)
        self._records = {one.number: one for one in records}

    def renumber(self, record: RunRecord, number: int) -> None:
        """Let a run go by another number, in its place."""
        place = self.place(record.number)
        self.remove(record.number)
        record.number = number
        self.put(record, place)

    def take(self, runs: Sequence[StoredRun]) -> None:
        """Have the runs of a project and no others; their numbers are below those to come."""
        self._records = {
            at - len(runs): RunRecord.of_project(at - len(runs), run) for at, run in enumerate(runs)
        }
        self._count = max((ordinal(run.letter) for run in runs), default=0)

    def by_letter(self, letter: str) -> RunRecord | None:
        """The run of that letter."""
        return next((record for record in self if record.letter == letter), None)

    def clear(self) -> None:
        """Strike all out and begin again at A."""
        self._records.clear()
        self._count = 0

    def tidy(self) -> None:
        """Drop the content of the oldest releases beyond `KEEP` that nobody pinned."""
        holding = [r for r in self if r.release is not None and not r.pinned and not r.active]
        for record in holding[: max(0, len(holding) - KEEP)]:
            record.forget_release()

    @property
    def finished(self) -> list[RunRecord]:
        """Runs that have figures to compare."""
        return [record for record in self if record.state == "finished"]


def letters(index: int) -> str:
    """A, B … Z, AA, AB …"""
    word = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, 26)
        word = chr(ord("A") + rest) + word
    return word


def ordinal(letters: str) -> int:
    """The number of runs up to that letter: A is 1, Z 26, AA 27."""
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - ord("A") + 1
    return number


def gates_table(facts: Mapping[str, Any]) -> Table:
    """How a policy judged a run, as a project keeps it."""
    return Table(
        "gates",
        tr("How the run was judged"),
        ("gate", "verdict", "evidence"),
        [(one["title"], one["verdict"], one["evidence"]) for one in facts["results"]],
        note=tr("Policy: {facts}.").format(facts=facts["policy"]),
        own_words=True,
    )


def choices(records: Sequence[RunRecord], side: str) -> list[MetricValue]:
    """Every figure of the runs: those of that side first, and of these those of most runs."""
    found: dict[str, MetricValue] = {}
    times: Counter[str] = Counter()
    for record in records:
        for value in record.values:
            found.setdefault(value.name, value)
            times[value.name] += math.isfinite(value.value)
    return sorted(
        (value for value in found.values() if times[value.name]),
        key=lambda value: (value.side != side, -times[value.name]),
    )


def front(
    x: NDArray[np.float64], y: NDArray[np.float64], *, low_x: bool, low_y: bool
) -> NDArray[np.int64]:
    """Positions of the points that no other beats on both axes, by ascending x; O(n log n).

    `low_x` and `low_y` say that less is better there.
    """
    a, b = (x if low_x else -x), (y if low_y else -y)
    order = np.lexsort((b, a))
    best = np.minimum.accumulate(b[order])
    ahead = np.concatenate(([True], b[order][1:] < best[:-1])) if len(order) else order > 0
    chosen = order[ahead]
    return chosen[np.argsort(x[chosen], kind="stable")]
