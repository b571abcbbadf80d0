"""The runs of this workspace: what came of each, which is running, which wait, what one will take.

Nothing else in the window submits, reorders or cancels. Estimates come from `engine.costs`.
"""

import contextlib
import dataclasses
import math
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtCore import QCoreApplication, QObject, QTimer, Signal

from auditor.arrays import Float64s, Int64s
from auditor.attacks.base import Evidence
from auditor.attacks.registry import ATTACKS
from auditor.engine import events
from auditor.engine.costs import CostEstimator, RunCost
from auditor.engine.plan import Plan
from auditor.engine.run import Run
from auditor.engine.run_progress import (
    RunForecast,
    RunPart,
    RunProgress,
    RunResourceWarning,
    forecast_run,
    memory_now,
    warn_of_resources,
)
from auditor.engine.runner import RunHandle, Runner
from auditor.engine.sweep import ParameterSweep, SweepAxis, SweepCell, run_sweep
from auditor.figures import SHARE, MetricValue, Table
from auditor.gui.app.translation import say, tr, translate_text
from auditor.gui.state.worker import BackgroundJob, JobProgress, LatestJob, give_way
from auditor.gui.widgets import formats
from auditor.log.model import QueryLog
from auditor.measures.registry import MEASURES
from auditor.methods.registry import METHODS
from auditor.params import ParamKind, ParamSpec
from auditor.privacy.noise import Randomness
from auditor.release.kept_content import KeptContent
from auditor.release.ledger.other_releases import decide_before_run
from auditor.release.record import find_worst

KEEP = 6
"""Releases kept in memory; an older one's figures stay, and its content is dropped."""


class RunBook:
    """The runs in the order in which they were submitted."""

    def __init__(self) -> None:
        self._records: dict[int, Run] = {}
        self._count = 0

    def __iter__(self) -> Iterator[Run]:
        return iter(self._records.values())

    def __len__(self) -> int:
        return len(self._records)

    def get(self, number: int) -> Run | None:
        """The run of that number, if it is (still) here."""
        return self._records.get(number)

    def add(self, number: int, plan: Plan) -> Run:
        """Enter a submitted run under the next letter."""
        record = Run(plan, number=number, letter=run_letters(self._count), state="waiting")
        self._count += 1
        self._records[number] = record
        return record

    def remove(self, number: int) -> None:
        self._records.pop(number, None)

    def find_place(self, number: int) -> int:
        return list(self._records).index(number)

    def insert_run(self, record: Run, place: int) -> None:
        """Enter a run again where it stood."""
        records = [run for run in self if run is not record]
        records.insert(place, record)
        self._records = {run.number: run for run in records}

    def renumber(self, record: Run, number: int) -> None:
        """Let a run go by another number, in its place."""
        record.number = number
        self._records = {run.number: run for run in self}

    def restore_runs(self, runs: Sequence[Run]) -> None:
        """Have the runs of a project and no others; their numbers are below those to come."""
        numbered = ((index - len(runs), run) for index, run in enumerate(runs))
        self._records = {n: dataclasses.replace(run, number=n) for n, run in numbered}
        self._count = max((run_ordinal(run.letter) for run in runs), default=0)

    def clear(self) -> None:
        """Strike all out and begin again at A."""
        self._records.clear()
        self._count = 0

    def drop_old_releases(self) -> None:
        """Drop the content of the oldest releases beyond `KEEP` that nobody pinned."""
        holding = [r for r in self if r.anonymized is not None and not r.pinned and not r.active]
        for record in holding[: max(0, len(holding) - KEEP)]:
            record.forget_release()

    @property
    def finished(self) -> list[Run]:
        """Runs that have figures to compare."""
        return [record for record in self if record.state == "finished"]


def tables_of(record: Run) -> list[tuple[str, tuple[Table, ...]]]:
    """A run's tables, under the title of the measure or attack that made them."""
    groups: list[tuple[str, tuple[Table, ...]]] = []
    groups += [(ATTACKS[part.attack].title, part.tables) for part in record.attacks]
    groups += [(MEASURES[part.measure].title, part.tables) for part in record.measures]
    if (outcome := record.outcome) is not None:
        if record.reopened and outcome.gates:
            groups.append((tr("Gates"), (gates_table(outcome.gates),)))
        groups.append((tr("Times"), (outcome.times,)))
    return [(title, tables) for title, tables in groups if tables]


def run_letters(index: int) -> str:
    """A, B … Z, AA, AB …"""
    word = ""
    index += 1
    while index:
        index, digit = divmod(index - 1, 26)
        word = chr(ord("A") + digit) + word
    return word


def run_ordinal(letters: str) -> int:
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
        [(result["title"], result["verdict"], result["evidence"]) for result in facts["results"]],
        note=tr("Policy: {facts}.").format(facts=facts["policy"]),
        own_words=True,
    )


def pareto_positions(x: Float64s, y: Float64s, *, low_x: bool, low_y: bool) -> Int64s:
    """Positions of the points that no other beats on both axes, by ascending x; O(n log n)."""
    a, b = (x if low_x else -x), (y if low_y else -y)
    order = np.lexsort((b, a))
    best = np.minimum.accumulate(b[order])
    ahead = np.concatenate(([True], b[order][1:] < best[:-1])) if len(order) else order > 0
    front = order[ahead]
    return front[np.argsort(x[front], kind="stable")]


WORST = "worst-attack"
"""Key of the figure that is the risk of a run, whatever its method."""
UTILITY = "searches-kept"
"""Key of the figure that is the utility of a run, whatever its method."""


@dataclass(frozen=True)
class RunMetrics:
    """One figure, the attack or measure that it is of, and a key that no other has."""

    key: str
    owner: str
    value: MetricValue

    @property
    def label(self) -> str:
        """The figure's label, which says whose it is unless it does so by itself."""
        label = translate_text(self.value.label)
        return f"{self.owner}: {label}" if self.owner else label


def by_key(record: Run) -> dict[str, RunMetrics]:
    """Every figure of a run: the promise's first, then by measure and attack."""
    general, owned = _measure_worst(record) + _measure_kept(record), []
    for measure in record.measures:
        title = translate_text(MEASURES[measure.measure].title)
        owned += _make_metrics(f"m/{measure.measure}", title, measure.values)
    for attack in record.attacks:
        title = translate_text(ATTACKS[attack.attack].title)
        rate = MetricValue(
            f"{attack.attack}.rate",
            attack.rate_label,
            attack.rate,
            unit=SHARE,
            better="lower",
            side="privacy",
            interval=attack.interval,
        )
        owned += _make_metrics(f"a/{attack.attack}", title, (rate, *attack.values))
    names = {metric.value.name for metric in general + owned}
    first = _make_metrics("", "", (value for value in record.values if value.name not in names))
    return {metric.key: metric for metric in [*general, *first, *owned]}


def _measure_worst(record: Run) -> list[RunMetrics]:
    """How far above guessing the worst attack gets, whichever that is: 0 is guessing, 1 always."""
    worst = find_worst(record.attacks)
    if worst is None:
        return []
    rates = worst.rate, *worst.interval
    advantage, low, high = (_compute_advantage(rate, worst.baseline) for rate in rates)
    value = MetricValue(
        WORST,
        tr("worst attack, above guessing"),
        advantage,
        unit=SHARE,
        help=say("worst attack"),
        better="lower",
        side="privacy",
        interval=(low, high),
    )
    return [RunMetrics(WORST, "", value)]


def _measure_kept(record: Run) -> list[RunMetrics]:
    """The share of searches that the run's record says is kept, once it was judged."""
    share = KeptContent.from_dict(record.gates.get("kept", {})).share
    if share is None:
        return []
    value = MetricValue(
        UTILITY,
        tr("searches kept"),
        share,
        unit=SHARE,
        help=say("searches kept"),
        better="higher",
        side="utility",
    )
    return [RunMetrics(UTILITY, "", value)]


def _compute_advantage(rate: float, baseline: float) -> float:
    """The share of what guessing leaves open that an attack gets."""
    return max(0.0, (rate - baseline) / (1.0 - baseline)) if baseline < 1.0 else 0.0


def _make_metrics(place: str, title: str, values: Iterable[MetricValue]) -> list[RunMetrics]:
    prefix = f"{place}/" if place else ""
    return [RunMetrics(f"{prefix}{value.name}", title, value) for value in values]


def list_choices(records: Sequence[Run], side: str) -> list[RunMetrics]:
    """Every figure of the runs: those of that side first, and of these those of most runs."""
    metrics: dict[str, RunMetrics] = {}
    times: Counter[str] = Counter()
    for record in records:
        for key, metric in by_key(record).items():
            metrics.setdefault(key, metric)
            times[key] += math.isfinite(metric.value.value)
    finite = (metric for metric in metrics.values() if times[metric.key])
    return sorted(finite, key=lambda metric: (metric.value.side != side, -times[metric.key]))


class EventRelay(QObject):
    """Takes events in any thread and tells them by `arrived`; connect that through a queue."""

    arrived = Signal(object)

    def __init__(self) -> None:
        # Owned by the application, not by the controller: it must outlive a thread's last event.
        super().__init__(QCoreApplication.instance())
        self._lock = threading.Lock()
        self._closed = False

    def send(self, event: events.RunEvent) -> None:
        """Pass an event on; does nothing once the relay is closed."""
        with self._lock:
            if not self._closed:
                with contextlib.suppress(RuntimeError):  # the application is gone
                    self.arrived.emit(event)

    def close(self) -> None:
        with self._lock:
            if self._closed:
                return
            self._closed = True
        self.deleteLater()


TICK = 500
"""Milliseconds after which the time left is told anew, whatever a run reports."""


@dataclass(frozen=True)
class QueuedRun:
    """The forecast of the next run, and what to say about it."""

    planned: RunForecast
    advice: RunResourceWarning


@dataclass
class QueuePosition:
    """A queued or running run."""

    rows: int
    course: RunProgress
    was_run: bool = False
    """Whether it was made, and its result not at hand from before."""


class RunQueue(QObject):
    """Submits runs to the engine, whose `runner` it owns; `listener` is called in its threads."""

    changed = Signal()
    """Another run is at work, or others wait, or in another order."""
    moved_on = Signal()
    """The run at work has come further."""
    learned = Signal()
    """Estimates are other ones than before."""

    def __init__(self, listener: events.Listener, parent: QObject) -> None:
        super().__init__(parent)
        self.runner = Runner(listener, at_first=give_way, settle=decide_before_run)
        self._places: dict[int, QueuePosition] = {}
        self._known: CostEstimator | None = None
        self.jobs: set[BackgroundJob] = set()
        self._tick = QTimer(self, interval=TICK)
        self._tick.timeout.connect(self.moved_on)

    # estimates

    def load_costs(self, memory: Callable[[], Path | None]) -> None:
        """Read measured costs and those of past runs, from the file that `memory` names."""

        def keep_costs(estimator: CostEstimator) -> None:
            self._known = estimator
            self.learned.emit()

        if self._known is None and not self.jobs:
            self._start_job(lambda: CostEstimator.load_shipped(memory()), keep_costs)

    def outline_run(
        self, plan: Plan, rows: int, expected: events.ExpectedOutcome | None
    ) -> QueuedRun | None:
        """What a run of `plan` will take, which may be `expected`; None if nobody knows."""
        if self._known is None:
            return None
        planned = forecast_run(plan, rows, self._known, _find_own_cost(plan, expected))
        if planned.total is None:
            return None
        return QueuedRun(planned, warn_of_resources(planned, plan.params, memory_now()))

    # the queue

    def submit(
        self,
        plan: Plan,
        evidence: Evidence,
        make_rng: Callable[[], Randomness],
        expected: events.ExpectedOutcome | None,
    ) -> int:
        """Put a run at the end of the queue; its number."""
        rows = len(evidence.log)
        estimator = self._known or CostEstimator({})
        handle = self.runner.submit(plan, evidence, make_rng)
        planned = forecast_run(plan, rows, estimator, _find_own_cost(plan, expected))
        self._places[handle.run] = QueuePosition(rows, RunProgress(planned))
        self._tick.start()
        self.changed.emit()
        return handle.run

    @property
    def numbers(self) -> list[int]:
        """The running run, then the queued ones in the order in which they will start."""
        waiting = self.waiting
        return [run for run in self._places if run not in waiting] + waiting

    @property
    def waiting(self) -> list[int]:
        """Those that have not begun."""
        return [run for run in self.runner.waiting if run in self._places]

    def find_progress(self, run: int) -> RunProgress | None:
        """How far a run has come; None once it has ended."""
        place = self._places.get(run)
        return place.course if place is not None else None

    def estimate_seconds_left(self, run: int) -> float | None:
        """Seconds until a run is complete, with those before it; None if nobody knows."""
        total = 0.0
        for number in self.numbers:
            seconds = self._places[number].course.seconds_left
            if seconds is None:
                return None
            total += seconds
            if number == run:
                return total
        return None

    def move(self, run: int, step: int) -> None:
        """Let a waiting run begin earlier (−1) or later (+1) by one place."""
        waiting = self.waiting
        if run not in waiting:
            return
        place = waiting.index(run)
        to = min(max(place + step, 0), len(waiting) - 1)
        waiting.insert(to, waiting.pop(place))
        self.runner.order_runs(waiting)
        self.changed.emit()

    def cancel(self, run: int) -> None:
        self.runner.cancel(run)

    def handle_event(self, event: events.RunEvent) -> None:
        place = self._places.get(event.run)
        if place is None:
            return
        if isinstance(event, events.RunFinished | events.RunFailed | events.RunCancelled):
            self._places.pop(event.run)
            if not self._places:
                self._tick.stop()
            estimator = self._known
            if isinstance(event, events.RunFinished) and place.was_run and estimator is not None:
                learn = partial(estimator.learn, event.result, place.rows)  # what such runs take
                self._start_job(learn, lambda _none: self.learned.emit())
            self.changed.emit()
            return
        place.was_run = place.was_run or isinstance(event, events.TaskStarted)
        place.course.handle_event(event)
        if isinstance(event, events.RunStarted):
            self.changed.emit()
        else:
            self.moved_on.emit()

    def clear(self) -> None:
        """Cancel all runs and hear nothing more of them."""
        gone, self._places = list(self._places), {}
        for run in gone:
            self.runner.cancel(run)
        self._tick.stop()
        self.changed.emit()

    def close(self) -> None:
        """Stop everything and tell nobody anything more; what is being written is still written."""
        self._tick.stop()
        self.runner.close()
        for job in self.jobs:
            job.drop()
        self.jobs.clear()

    def _start_job(self, work: Callable[[], Any], done: Callable[[Any], None]) -> None:
        job = BackgroundJob("costs", lambda _progress: work())
        self.jobs.add(job)
        job.done.connect(done)
        for signal in (job.done, job.failed, job.cancelled):
            signal.connect(lambda *_what: self.jobs.discard(job))
        job.start()


def _find_own_cost(plan: Plan, expected: events.ExpectedOutcome | None) -> RunCost | None:
    """What the method's own outlook says that a run of this very plan takes."""
    setting = attrgetter("log_digest", "method", "params")
    if expected is None or setting(expected.plan) != setting(plan):
        return None
    figures = {value.name: value.value for value in expected.outlook.values}
    seconds = figures.get("expected.seconds")
    if seconds is None:
        return None
    return RunCost(seconds, round(figures.get("expected.memory", 0.0) * 1e6), 1.0, False)


def title_of(part: RunPart) -> str:
    """What people call a part of a run."""
    if part.kind == "method":
        return translate_text(METHODS[part.name].title)
    return translate_text((ATTACKS if part.kind == "attack" else MEASURES)[part.name].title)


MOST_CELLS = 400
"""Cells of one grid; more than that nobody reads."""


ROUND = (1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)
"""First digits of values between the ends of a grid."""


@dataclass(frozen=True)
class ParameterSpan:
    """`steps` values from `low` to `high`, or all there are; parameters `also` take the same."""

    spec: ParamSpec
    low: float = 0.0
    high: float = 0.0
    steps: int = 0
    also: tuple[str, ...] = ()

    def list_values(self) -> tuple[Any, ...]:
        """Distinct values, ascending, about evenly apart on the parameter's scale."""
        if self.spec.kind is ParamKind.CHOICE:
            return tuple(option.value for option in self.spec.options)
        if self.spec.kind is ParamKind.FLAG:
            return (False, True)
        low, high = min(self.low, self.high), max(self.low, self.high)
        even = np.geomspace if self.spec.scale == "log" and low > 0 else np.linspace
        numbers = even(low, high, max(1, self.steps)).tolist()
        integer = self.spec.kind is ParamKind.INTEGER
        exact = {round(n) if integer else float(f"{n:.4g}") for n in numbers}
        inner = (min(max(round_value(n), low), high) for n in numbers[1:-1])
        tidy = {round(n) if integer else n for n in (low, *inner, high)}
        return tuple(sorted(tidy if len(tidy) >= len(exact) else exact))

    def make_axis(self) -> SweepAxis:
        return SweepAxis((self.spec.name, *self.also), self.list_values())


def round_value(number: float) -> float:
    """The nearest number that a person would type: two digits as they are, else one of `ROUND`."""
    if number == 0 or float(f"{number:.2g}") == float(f"{number:.12g}"):
        return number
    power = 10.0 ** math.floor(math.log10(abs(number)))
    head = min(ROUND, key=lambda digits: abs(digits - abs(number) / power))
    return math.copysign(float(f"{head * power:.4g}"), number)


@dataclass(eq=False)
class GridMemory:
    """Cells that were run, by what their results follow from."""

    sweep: ParameterSweep
    digest: str
    cells: dict[str, SweepCell]

    def find_key(self, _number: int, cell: Mapping[str, Any]) -> str:
        """The log, the parameters, what is tried, and how much of the log every cell gets."""
        sweep = self.sweep
        checks = [(name, params.to_dict()) for name, params in sweep.checks]
        params = sweep.base.replace(**cell).to_dict()
        size = sweep.axes if sweep.equal else None
        tried = sweep.attacks, sweep.measures, checks
        return repr((self.digest, sweep.method, params, tried, size))

    def add(self, key: str, cell: SweepCell) -> None:
        self.cells[key] = cell


class GridRunner(QObject):
    """One grid at a time; a cell that was run before is taken from memory."""

    started = Signal(object)
    """The sweep."""
    cells_changed = Signal(list, int)
    """The cells that are there, and how many there will be."""
    ended = Signal(str)
    """Empty, "cancelled", or why it stopped."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._known: dict[str, SweepCell] = {}
        self._job = LatestJob()
        self._handle = RunHandle(0)

    @property
    def running(self) -> bool:
        return self._job.running

    def start(self, sweep: ParameterSweep, log: QueryLog) -> None:
        """Run a grid on a log; whatever was run before is dropped."""
        self.drop()
        handle, cell_count = RunHandle(0), sweep.cell_count
        self._handle = handle
        memory = GridMemory(sweep, log.digest, self._known)
        cells: list[SweepCell] = []

        def run_cells(progress: JobProgress) -> None:
            results = run_sweep(sweep, log, handle, lambda _event: None, cache=memory)
            for number in range(1, cell_count + 1):
                place, count = map(formats.format_count, (number, cell_count))
                text = self.tr("cell {number} of {wanted}")
                progress.stage(text.format(number=place, wanted=count))
                progress.tell(next(results))

        def add_cell(cell: SweepCell) -> None:
            cells.append(cell)
            self.cells_changed.emit(list(cells), cell_count)

        self._job.start(
            "exploring",
            run_cells,
            lambda _none: self.ended.emit(""),
            self.ended.emit,
            partial=add_cell,
            cancelled=lambda: self.ended.emit("cancelled"),
        )
        self.started.emit(sweep)

    def cancel(self) -> None:
        """Stop after the work at hand, which hears it too; the cells so far stay."""
        self._handle.cancel()
        self._job.cancel()

    def drop(self) -> None:
        self._handle.cancel()
        self._job.drop()

    def forget(self) -> None:
        """Another log: nothing that was kept is of use."""
        self.drop()
        self._known = {}
