"""What to say of a run that won't fit: into memory, or into anybody's patience; and what helps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from auditor import platform
from auditor.engine.run_progress import RunForecast
from auditor.params import Params

LONG = 15 * 60.0
"""Seconds from which on a run is said to be long."""
SHARE = 0.9
"""Of the memory that is free, what a run may take before it is said not to fit."""


@dataclass(frozen=True)
class MemoryState:
    """Bytes that this program holds, and those that it could get besides; 0 where unknown."""

    held: int = 0
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
    quicker = tuple(params.quicker().items())
    left_out: list[str] = []
    rest = planned
    while (
        _find_trouble(rest, memory) == trouble and (part := _find_worst(rest, trouble)) is not None
    ):
        left_out.append(part)
        rest = rest.drop_parts([part])
    if _find_trouble(rest, memory) == trouble and not _relieves_trouble(planned, rest, trouble):
        left_out = []
    return RunResourceWarning(trouble, quicker, tuple(left_out))


def _find_trouble(planned: RunForecast, memory: MemoryState) -> Literal["", "memory", "time"]:
    total = planned.total
    if total is None:
        return ""
    if memory.free and total.bytes > SHARE * (memory.held + memory.free):
        return "memory"
    return "time" if total.seconds > LONG else ""


def _find_worst(planned: RunForecast, trouble: str) -> str | None:
    """The measure or attack that takes most of what there is too little of."""
    known = [(part.name, part.cost) for part in planned.parts[1:] if part.cost is not None]
    if trouble == "memory":
        most = planned.parts[0].cost
        known = [(name, cost) for name, cost in known if most and cost.bytes > most.bytes]
        return max(known, key=lambda one: one[1].bytes)[0] if known else None
    return max(known, key=lambda one: one[1].seconds)[0] if known else None


def _relieves_trouble(planned: RunForecast, rest: RunForecast, trouble: str) -> bool:
    """Whether leaving them out at least halves what there is too much of."""
    before, after = planned.total, rest.total
    if before is None or after is None:
        return False
    if trouble == "memory":
        return 2 * after.bytes <= before.bytes
    return 2 * after.seconds <= before.seconds


def memory_now() -> MemoryState:
    """What this program holds and what is free, as far as the system says."""
    free = platform.read_free_memory()
    if free is not None:
        return MemoryState(platform.read_held_memory()[0], free)
    total = platform.read_total_memory()
    return MemoryState() if total is None else MemoryState(0, total)
