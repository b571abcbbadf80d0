"""Before a run: what its parts will take, and what helps where it won't fit. Then: the time left.

Both from the same estimates (`CostEstimator`), the second corrected by how long the parts that
are done took against what was expected of them. No clock but the one that is given.
"""

from __future__ import annotations

import functools
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any, Literal

import numpy as np

from auditor import platform
from auditor.attacks.registry import ATTACKS
from auditor.engine.costs import START, CostEstimator, RunCost
from auditor.engine.events import Kind, PartialResult, RunEvent, StageProgress, TaskStarted
from auditor.engine.plan import Plan
from auditor.params import Params

SURE = 0.5
"""Seconds that parts have to take together before they say how fast this run is."""
TRUSTED = 0.1
"""From this share on a part that counts itself as a whole knows better what is left than any
forecast."""
NEARLY = 0.99
"""As much of a run is said to be done while it goes on, at most."""
ALMOST = 0.9
"""Beyond this a share is only said that the time left bears out: at most half as much is missing
from it as is missing by time."""
OVERDUE = 0.1
"""A part goes on for at least this share of what it has taken, as far as anybody can tell."""
PACES = 0.2, 10.0
"""A run is not said to be faster or slower than expected by more than this."""

LONG = 15 * 60.0
"""Seconds from which on a run is said to be long."""
SHARE = 0.9
"""Of the memory that is free, what a run may take before it is said not to fit."""


@dataclass(frozen=True)
class RunPart:
    """A method, measure or attack of a run and what it is expected to take, if that is known."""

    kind: Kind
    name: str
    cost: RunCost | None


@dataclass(frozen=True)
class RunForecast:
    """What a run will take, part by part."""

    parts: tuple[RunPart, ...]

    @functools.cached_property
    def total(self) -> RunCost | None:
        """All of it; None if the cost of the method is not known."""
        if not self.parts or self.parts[0].cost is None:
            return None
        costs = [part.cost for part in self.parts if part.cost is not None]
        return functools.reduce(lambda a, b: a + b, costs)

    def drop_parts(self, names: Sequence[str]) -> RunForecast:
        """The same run with some of its measures and attacks left out."""
        return RunForecast(tuple(part for part in self.parts if part.name not in names))


def forecast_run(
    plan: Plan, rows: int, estimator: CostEstimator, own_cost: RunCost | None = None
) -> RunForecast:
    """What `plan` will take on a log of so many rows.

    `own_cost` is what the method itself says of these very parameters, where it can: it counts
    instead of what was measured with the defaults.
    """
    parts = [RunPart("method", plan.method, estimator.estimate_part("method", plan.method, rows))]
    parts += [
        RunPart("measure", step.name, estimator.estimate_part("measure", step.name, rows))
        for step in plan.measures
    ]
    parts += [
        RunPart("attack", step.name, estimator.estimate_attack(step, rows))
        for step in plan.attacks
        if plan.what.form in ATTACKS[step.name].applies
    ]
    if own_cost is not None:
        first = parts[0].cost
        memory = max(own_cost.bytes, first.bytes if first is not None else 0)
        parts[0] = replace(parts[0], cost=replace(own_cost, bytes=memory))
    return RunForecast(tuple(parts))


@dataclass(frozen=True)
class MemoryState:
    """Bytes that this program holds, and bytes that are free; 0 where unknown."""

    used: int = 0
    free: int = 0


@dataclass(frozen=True)
class RunResourceWarning:
    """What is wrong with a run, if anything, and what would be better."""

    trouble: Literal["", "memory", "time"] = ""
    # Values of the method's parameters with which it is faster.
    quicker: tuple[tuple[str, Any], ...] = ()
    # Measures and attacks whose absence is enough, costliest first.
    lighter_parts: tuple[str, ...] = ()


def warn_of_resources(
    planned: RunForecast, params: Params, memory: MemoryState
) -> RunResourceWarning:
    """Judge a forecast by the memory that there is, and by `LONG`."""
    trouble = _find_trouble(planned, memory)
    if not trouble:
        return RunResourceWarning()
    amount: Callable[[RunCost], float] = attrgetter("bytes" if trouble == "memory" else "seconds")
    quicker = tuple(params.quicker().items())
    left_out: list[str] = []
    smaller_plan = planned
    method = planned.parts[0].cost
    least = (method.bytes if method else math.inf) if trouble == "memory" else -1.0
    costs = {part.name: amount(part.cost) for part in planned.parts[1:] if part.cost is not None}
    for name in sorted(costs, key=lambda name: -costs[name]):  # what takes most goes first
        if _find_trouble(smaller_plan, memory) != trouble or costs[name] <= least:
            break
        left_out.append(name)
        smaller_plan = smaller_plan.drop_parts([name])
    if _find_trouble(smaller_plan, memory) == trouble:
        # Then at least half of what is too much must go.
        before, after = (forecast.total for forecast in (planned, smaller_plan))
        if not before or not after or 2 * amount(after) > amount(before):
            left_out = []
    return RunResourceWarning(trouble, quicker, tuple(left_out))


def _find_trouble(planned: RunForecast, memory: MemoryState) -> Literal["", "memory", "time"]:
    total = planned.total
    if total is None:
        return ""
    if memory.free and total.bytes > SHARE * (memory.used + memory.free):
        return "memory"
    return "time" if total.seconds > LONG else ""


def memory_now() -> MemoryState:
    """What this program holds and what is free, as far as the system says."""
    free = platform.read_free_memory()
    if free is not None:
        return MemoryState(platform.read_held_memory()[0], free)
    total = platform.read_total_memory()
    return MemoryState() if total is None else MemoryState(0, total)


class SteadyShare:
    """A share done that never falls and agrees with the time left.

    Where the time left turns out longer, what is missing from the share is spread over it.
    """

    def __init__(self) -> None:
        self.reached = self._seen = 0.0

    def advance(self, spent: float, time_left: float) -> float:
        """The share after `spent` seconds in all, of which `time_left` more are expected."""
        since, self._seen = max(spent - self._seen, 0.0), spent
        if since + time_left > 0:
            ahead = self.reached + (1 - self.reached) * since / (since + time_left)
            upper_limit = max(ALMOST, 1 - 0.5 * time_left / (spent + time_left))
            self.reached = max(self.reached, min(ahead, upper_limit, NEARLY))
        return self.reached


class RunProgress:
    """Where a run is; hears its events in order, one thread at a time.

    `at` counts parts that were begun: the first is 1, none yet 0; those that don't apply are passed
    over. `stage` and `share` are what the running part says it is doing, and how much of that is
    done (None: unknown).
    """

    def __init__(self, planned: RunForecast, clock: Callable[[], float] = time.monotonic) -> None:
        self.planned = planned
        self.at = 0
        self.stage = ""
        self.share: float | None = None
        self._clock = clock
        self._began = self._part_began = 0.0
        self._stage_left: float | None = None
        self._stage_seen = 0.0
        self._reached, self._whole = (0, 0), False
        self._paces: list[tuple[float, float]] = []
        self._share_done = SteadyShare()

    @property
    def of(self) -> int:
        return len(self.planned.parts)

    @property
    def part(self) -> RunPart | None:
        return self.planned.parts[self.at - 1] if self.at else None

    def handle_event(self, event: RunEvent) -> None:
        """Follow one event of the run."""
        match event:
            case TaskStarted(kind=kind, name=name):
                moment = self._clock()
                if self.at == 0:
                    self._began = moment
                elif self.part is not None and self.part.cost is not None:
                    self._paces.append((moment - self._part_began, self.part.cost.seconds))
                places = enumerate(self.planned.parts, start=1)
                index = next((n for n, p in places if (p.kind, p.name) == (kind, name)), self.at)
                self.at, self._part_began = max(index, self.at), moment
                self.stage, self.share, self._stage_left = "", None, None
                self._reached, self._whole = (0, 0), False
            case PartialResult(checks=checks):  # what doesn't apply takes no time
                left_out = [p.name for p in self.planned.parts[self.at :] if p.name not in checks]
                self.planned = self.planned.drop_parts(left_out)
            case StageProgress():
                before, total = self._reached
                # stages that go on where the last one stopped count the part as a whole
                self._whole |= event.stage != self.stage and total == event.total > 0 < before
                self._whole &= event.done >= before
                self._reached = event.done, event.total
                self.stage = event.stage
                self.share = min(1.0, event.done / event.total) if event.total else None
                self._stage_left, self._stage_seen = event.seconds_left, self._clock()
        self._advance()

    @property
    def pace(self) -> float:
        """How many times as long as expected the parts took that are done.

        Their median, each counted by its forecast: how fast the computer is shows in all of them.
        Short ones may have waited for something to be loaded, which says nothing.
        """
        paces = sorted((took / due, due) for took, due in self._paces if due >= START)
        if sum(took for took, _ in self._paces) < SURE or not paces:
            return 1.0
        upto = np.cumsum([due for _, due in paces])
        middle = int(np.searchsorted(upto, upto[-1] / 2))
        return min(max(paces[middle][0], PACES[0]), PACES[1])

    @property
    def seconds_left(self) -> float | None:
        """Seconds until the run is complete; None if nobody knows."""
        if self.planned.total is None:
            return None
        later_parts = [part.cost.seconds for part in self.planned.parts[self.at :] if part.cost]
        part, moment = self.part, self._clock()
        of_part = max((self._stage_left or 0.0) - (moment - self._stage_seen), 0.0)
        measured = self._whole and self._stage_left is not None and (self.share or 0.0) >= TRUSTED
        if part is not None and not measured:
            spent = moment - self._part_began
            expected = self.pace * part.cost.seconds if part.cost is not None else 0.0
            # what the running stage measures of itself is better than an estimate that has run out
            of_part = max(expected - spent, of_part, OVERDUE * spent)
        return of_part + self.pace * sum(later_parts)

    @property
    def done(self) -> float | None:
        """How much of the whole run is done, from 0 to 1; None if nobody knows.

        It never goes back. Only a run that says so is complete, so that it stays below 1.
        """
        return self._advance()

    def _advance(self) -> float | None:
        time_left = self.seconds_left
        if time_left is None or self.at == 0:
            return None
        spent = self._clock() - self._began
        return self._share_done.advance(spent, time_left) if spent + time_left > 0 else None
