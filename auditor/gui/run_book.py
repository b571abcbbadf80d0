"""The runs of this sitting: what was asked, what came of it, and what somebody says of it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from auditor.attacks.base import AttackResult, Findings
from auditor.attacks.registry import ATTACKS
from auditor.engine.events import RunResult
from auditor.engine.plan import Plan
from auditor.figures import Figure, Table, Value
from auditor.measures.base import MeasureResult
from auditor.measures.registry import MEASURES
from auditor.privacy.release import Anonymized
from auditor.privacy.statement import Statement

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
    values: tuple[Value, ...] = ()
    measures: list[MeasureResult] = field(default_factory=list)
    attacks: list[AttackResult] = field(default_factory=list)

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
    def findings(self) -> dict[str, Findings]:
        """The sessions that each attack flagged, if it flags any."""
        return {a.attack: a.findings for a in self.attacks if a.findings is not None}

    @property
    def tables(self) -> list[tuple[str, tuple[Table, ...]]]:
        """What stands in tables, under the title of the measure or attack that made it."""
        made: list[tuple[str, tuple[Table, ...]]] = []
        made += [(ATTACKS[part.attack].title, part.tables) for part in self.attacks]
        made += [(MEASURES[part.measure].title, part.tables) for part in self.measures]
        if self.result is not None:
            made.append(("Times", (self.result.times,)))
        return [(title, tables) for title, tables in made if tables]

    def finish(self, result: RunResult) -> None:
        """Take over everything that the run made."""
        self.state = "finished"
        self.result = result
        self.release = result.release
        self.statement = result.release.statement
        self.values = result.values
        self.measures = list(result.measures)
        self.attacks = list(result.attacks)

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


def choices(records: Sequence[RunRecord], side: str) -> list[Value]:
    """Every figure of the runs: those of that side first, and of these those of most runs."""
    found: dict[str, Value] = {}
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
