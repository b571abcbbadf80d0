"""What a run will take, before it starts: from measured runs, corrected by the runs made here.

`resources/costs.json` holds processor seconds and peak memory of every method, attack and measure
at growing sizes, with defaults, on one machine (`tests/bench/bench_costs.py`). Between sizes a
power of the rows is fitted; beyond them the last one goes on. How this machine and this analyst's
settings differ is learned: of each name the last runs are kept as (rows, seconds), nothing else.
Long runs correct by a factor, short ones by what they add: start-up time does not grow with a log.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import math
import statistics
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from auditor.attacks.registry import ATTACKS
from auditor.bounded_files import UnfitFile, locked_json, parse_json, read_bounded
from auditor.engine.plan import PlanStep
from auditor.engine.run import Run
from auditor.log.sentences import sentence
from auditor.messages import as_phrase, phrase
from auditor.resource_files import resource_text

PastRuns = dict[str, list[tuple[int, float]]]
"""By kind and name the last runs, as (rows, seconds)."""

MAX_RUNS = 20
"""Runs remembered of each name."""
LARGEST = 1 << 20
"""Bytes of the file that remembers them."""
RECENT_RUNS = 5
"""The last of them, whose median corrects an estimate."""
MIN_GIB = 0.05
"""GiB below which memory is not said: it would round to none."""
START = 1.0
"""Seconds that loading and starting may take whatever the size: a part that is expected to take
less shows what it adds, and nothing about how fast the machine is."""


@dataclass(frozen=True)
class CostPoint:
    """One measured run; `over` if it was stopped, so that it would have taken longer."""

    rows: int
    seconds: float
    bytes: int
    over: bool = False


@dataclass(frozen=True)
class RunCost:
    """What is expected: seconds, and peak bytes of the whole program (0 if not known)."""

    seconds: float
    bytes: int
    # Rows of the log over the largest that was measured; at most 1: nothing is extrapolated.
    beyond: float
    learned: bool  # whether runs made here corrected it

    def __add__(self, other: RunCost) -> RunCost:
        """One after the other: times add up, memory is that of the larger."""
        return RunCost(
            self.seconds + other.seconds,
            max(self.bytes, other.bytes),
            max(self.beyond, other.beyond),
            self.learned or other.learned,
        )

    def __str__(self) -> str:
        """In words, as exact as such an estimate can be."""
        if self.seconds >= 6000:
            time = phrase("{seconds:.1f} hours", seconds=self.seconds / 3600)
        elif self.seconds >= 100:
            time = phrase("{seconds:.0f} minutes", seconds=self.seconds / 60)
        else:
            time = f"{self.seconds:.0f} s"
        takes_seconds = self.seconds >= 1
        words = phrase("about {time}", time=as_phrase(time)) if takes_seconds else "about a second"
        memory = self.bytes / 2**30
        words += phrase(" and {bytes:.1f} GiB", bytes=memory) if memory >= MIN_GIB else ""
        warning = sentence("costs.far_beyond_measured_times", beyond=self.beyond)
        return words + (warning if self.beyond > 2 else "")


class CostEstimator:
    """Says what runs will take and learns from those that were made; safe to use from threads.

    `measured` has the points of each ``kind/name``, as `resources/costs.json`. `memory` is the file
    of past runs (mode 0600); None keeps them in memory.
    """

    def __init__(
        self, measured: Mapping[str, Sequence[CostPoint]], memory: Path | None = None
    ) -> None:
        self._measured = measured
        self._memory = memory
        self._lock = threading.Lock()
        self._past = _read_past(memory)

    @classmethod
    def load_shipped(cls, memory: Path | None = None) -> CostEstimator:
        """The one that the program was measured with."""
        measured = json.loads(resource_text("costs.json"))
        return cls(
            {name: [CostPoint(**point) for point in points] for name, points in measured.items()},
            memory,
        )

    def estimate_part(self, kind: str, name: str, rows: int) -> RunCost | None:
        """Seconds of one method, attack or measure on this many rows; None if unknown."""
        measured = self._measured.get(f"{kind}/{name}", ())
        points = _lower_outliers([point for point in measured if not point.over])
        with self._lock:
            past = self._past.get(f"{kind}/{name}", [])[-RECENT_RUNS:]
        if not points:
            if not past:
                return None
            # The start stays as it is; only what follows grows with the rows.
            seconds = statistics.median(
                spent + max(spent - START, 0.0) * max(rows / max(past_rows, 1) - 1, 0.0)
                for past_rows, spent in past
            )
            return RunCost(seconds, 0, rows / max(max(past_rows for past_rows, _ in past), 1), True)
        times = [(point.rows, point.seconds) for point in points]
        expected = [(_interpolate_cost(times, past_rows), spent) for past_rows, spent in past]
        ratios = [spent / least for least, spent in expected if least >= START]
        ratio = statistics.median(ratios) if ratios else 1.0
        extra_seconds = [spent - ratio * least for least, spent in expected if least < START]
        start = max(statistics.median(extra_seconds), 0.0) if extra_seconds else 0.0
        seconds = ratio * _interpolate_cost(times, rows) + start
        stopped = [point for point in measured if point.over and point.rows <= rows]
        seconds = max([seconds, *(point.seconds * rows / point.rows for point in stopped)])
        memory = _interpolate_cost([(point.rows, float(point.bytes)) for point in points], rows)
        return RunCost(seconds, round(memory), rows / points[-1].rows, bool(past))

    def estimate_attack(self, step: PlanStep, rows: int) -> RunCost | None:
        """Seconds of an attack with its parameters on this many rows; None if unknown."""
        cost = self.estimate_part("attack", step.name, rows)
        if cost is None:
            return None
        return dataclasses.replace(cost, seconds=cost.seconds * _compare_effort(step))

    def learn(self, result: Run, rows: int) -> None:
        """Remember how long each part of a run took."""
        kinds = {result.plan.method: "method"}
        kinds |= {step.name: "measure" for step in result.plan.measures}
        kinds |= {step.name: "attack" for step in result.plan.attacks}
        efforts = {step.name: _compare_effort(step) for step in result.plan.attacks}
        spent = {
            f"{kinds[name]}/{name}": (rows, round(seconds / efforts.get(name, 1.0), 3))
            for name, seconds in result.seconds.items()
            if name in kinds
        }
        with self._lock:
            _add_runs(self._past, spent)
            # A disk that is full costs the memory of runs, not the run.
            with contextlib.suppress(OSError):
                if self._memory is not None:
                    with locked_json(self._memory) as write:
                        write(_add_runs(_read_past(self._memory), spent))


def _add_runs(past: PastRuns, spent: Mapping[str, tuple[int, float]]) -> PastRuns:
    for name, run in spent.items():
        past[name] = [*past.get(name, []), run][-MAX_RUNS:]
    return past


def _compare_effort(step: PlanStep) -> float:
    """How many times as long an attack takes with its parameters as with the defaults."""
    effort = ATTACKS[step.name].effort if step.name in ATTACKS else None
    return effort(step.params) if effort is not None else 1.0


def _lower_outliers(points: list[CostPoint]) -> list[CostPoint]:
    """By rows; no size takes longer than a larger one: what did also compiled, or waited."""
    lowered: list[CostPoint] = []
    least = math.inf
    for point in sorted(points, key=lambda point: -point.rows):
        lowered.append(dataclasses.replace(point, seconds=min(point.seconds, least)))
        if point.seconds >= START:
            least = min(least, point.seconds)
    return lowered[::-1]


def _interpolate_cost(points: Sequence[tuple[int, float]], rows: int) -> float:
    """The power law through the two points around `rows`; the last goes on, and never falls.

    Below the smallest size that was measured it falls with the rows: its seconds hold what the
    next sizes do not show, such as compiling.
    """
    size = max(rows, 1)
    if len(points) == 1 or size < points[0][0]:
        return points[0][1] * size / max(points[0][0], 1)
    around = list(pairwise(points))
    low, high = next((pair for pair in around if size <= pair[1][0]), around[-1])
    if low[0] >= high[0]:
        return high[1] * size / max(high[0], 1)
    power = math.log(max(high[1], 1e-9) / max(low[1], 1e-9)) / math.log(high[0] / max(low[0], 1))
    return float(low[1] * (size / max(low[0], 1)) ** max(power, 0.0))


def _read_past(path: Path | None) -> PastRuns:
    """Past runs of a file; those of a name that are damaged are left out."""
    try:
        content: Any = parse_json(read_bounded(path, LARGEST)) if path is not None else {}
    except UnfitFile:
        return {}
    past: PastRuns = {}
    for name, runs in content.items() if isinstance(content, dict) else ():
        with contextlib.suppress(TypeError, ValueError, OverflowError):
            good = [(int(rows), float(s)) for rows, s in runs if rows >= 0 < s < math.inf]
            past[name] = good[-MAX_RUNS:]
    return past
