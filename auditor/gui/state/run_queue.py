"""The queue of runs: which is running and how far, which wait, and what the next one will take.

Nothing else in the window submits, reorders or cancels. Estimates come from `engine.costs`.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication, QObject, QTimer, Signal

from auditor.attacks.base import Evidence
from auditor.attacks.registry import ATTACKS
from auditor.engine import events
from auditor.engine.costs import CostEstimator, RunCost
from auditor.engine.plan import Plan
from auditor.engine.run_progress import (
    RunForecast,
    RunPart,
    RunProgress,
    RunResourceWarning,
    forecast_run,
    memory_now,
    warn_of_resources,
)
from auditor.engine.runner import Runner
from auditor.gui.app.translation import translate_text
from auditor.gui.state.worker import BackgroundJob, give_way
from auditor.measures.registry import MEASURES
from auditor.methods.registry import METHODS
from auditor.privacy.noise import Randomness
from auditor.privacy.statement import Statement


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


def secure_randomness() -> Randomness:
    """What a release draws from."""
    from auditor.privacy.noise import SecureRandomness

    return SecureRandomness()


@dataclass(frozen=True)
class QueuedRun:
    """What the next run will take, and what to say of it."""

    planned: RunForecast
    advice: RunResourceWarning


@dataclass
class QueuePosition:
    """A run that waits or is at work."""

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
        self.runner = Runner(listener, at_first=give_way, settle=_settle_statement)
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
        """The run at work and then those that wait, in the order in which they will begin."""
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


def _settle_statement(statement: Statement, digest: str) -> Statement:
    """Let the ledger decide, in the runner's thread, what it knows of other releases."""
    from auditor.release.ledger.other_releases import decide_before_run

    return decide_before_run(statement, digest)
