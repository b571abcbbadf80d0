"""What to say of a run that won't fit: into memory, or into anybody's patience; and what helps."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Literal

from auditor import platform
from auditor.engine.costs import RunCost
from auditor.engine.run_progress import RunForecast
from auditor.params import Params

LONG = 15 * 60.0
"""Seconds from which on a run is said to be long."""
SHARE = 0.9
"""Of the memory that is free, what a run may take before it is said not to fit."""


@dataclass(frozen=True)
class MemoryState:
    """Bytes that this program holds, and those that it could get besides; 0 where unknown."""

    used: int = 0
    free: int = 0


@dataclass(frozen=True)
class RunResourceWarning:
    """What is wrong with a run, if anything, and what would be better.

    `trouble` is "memory", "time" or empty. `quicker` are values of the method's parameters with
    which it is faster; `without` measures and attacks whose absence is enough, costliest first.
    """

    trouble: Literal["", "memory", "time"] = ""
    quicker: tuple[tuple[str, Any], ...] = ()
    without: tuple[str, ...] = ()


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
    rest = planned
    method = planned.parts[0].cost
    least = (method.bytes if method else math.inf) if trouble == "memory" else -1.0
    costs = {part.name: amount(part.cost) for part in planned.parts[1:] if part.cost is not None}
    for name in sorted(costs, key=lambda name: -costs[name]):  # what takes most goes first
        if _find_trouble(rest, memory) != trouble or costs[name] <= least:
            break
        left_out.append(name)
        rest = rest.drop_parts([name])
    if _find_trouble(rest, memory) == trouble:  # then at least half of what is too much must go
        before, after = (forecast.total for forecast in (planned, rest))
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
