"""Runs plans off the caller's thread and tells a listener what happens.

Full runs stand in a line, whose order can be changed; previews have a lane of their own in which
a newer one makes the older stale. Nothing here blocks: `submit`, `preview`, `cancel` and `close`
return at once, and results come as events, in the worker's thread.
"""

import dataclasses
import hashlib
import itertools
import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np

from auditor import errors
from auditor.attacks.base import Evidence
from auditor.attacks.registry import ATTACKS
from auditor.engine.backends import local
from auditor.engine.events import (
    AttackDone,
    ExpectedOutcome,
    Listener,
    MeasureDone,
    PartialResult,
    PreviewOutcome,
    RunCancelled,
    RunEvent,
    RunFailed,
    RunFinished,
    RunStarted,
    StageProgress,
    TaskStarted,
)
from auditor.engine.plan import Plan
from auditor.engine.run import Run
from auditor.engine.suppressed_content import expect_suppression
from auditor.log.model import QueryLog
from auditor.log.sentences import sentence
from auditor.measures.registry import MEASURES
from auditor.messages import error_message, phrase
from auditor.methods.selected_statement import selected_statement
from auditor.methods.suppression import state_suppression, suppression_level
from auditor.privacy.noise import Randomness
from auditor.privacy.release import Anonymized, MethodRerun
from auditor.privacy.statement import Statement
from auditor.progress import Progress

MAX_RESULTS = 8
"""Results that are kept for the same plan to be answered by: those used last."""

PREVIEW_ROWS = 100_000
"""A preview looks at whole users that hold about so many rows, so that it follows a slider."""

SLOW = 5.0
"""Seconds of a method from which on it isn't run again for a measure that nobody named."""

_log = logging.getLogger(__name__)


class RunHandle:
    """One submitted run: its number, and the way to stop it."""

    def __init__(self, run: int) -> None:
        self.run = run
        self.stop = threading.Event()

    def cancel(self) -> None:
        """Ask the run to stop; returns at once, a `RunCancelled` event follows."""
        self.stop.set()


class Runner:
    """Owns the worker threads; `listener` is called in them with every event.

    Each thread calls `at_first` when it begins. `settle` decides, of an expected statement and the
    log's digest, what a method can't know.
    """

    def __init__(
        self,
        listener: Listener,
        *,
        at_first: Callable[[], None] | None = None,
        settle: Callable[[Statement, str], Statement] | None = None,
    ) -> None:
        self._listener = listener
        self._settle = settle or (lambda statement, _digest: statement)
        self._kept: OrderedDict[str, Run] = OrderedDict()  # of the thread of full runs alone
        self._numbers = itertools.count(1)
        self._full = ThreadPoolExecutor(1, "run", initializer=at_first)
        self._looks = ThreadPoolExecutor(1, "preview", initializer=at_first)
        self._active: dict[int, RunHandle] = {}
        self._line: list[tuple[RunHandle, Callable[[], None]]] = []
        self._turn = threading.Lock()
        self._look: RunHandle | None = None

    def submit(
        self, plan: Plan, evidence: Evidence, make_rng: Callable[[], Randomness]
    ) -> RunHandle:
        """Put a full run of `plan` at the end of the line."""
        handle = RunHandle(next(self._numbers))
        self._active[handle.run] = handle
        with self._turn:
            self._line.append((handle, lambda: self._run_plan(handle, plan, evidence, make_rng)))
        self._full.submit(self._take_first)
        return handle

    @property
    def waiting(self) -> list[int]:
        """Runs that have not begun, in the order in which they will."""
        with self._turn:
            return [handle.run for handle, _ in self._line]

    def order_runs(self, runs: Sequence[int]) -> None:
        """Have the waiting runs begin in this order; those not named after the others."""
        with self._turn:
            places = {run: place for place, run in enumerate(runs)}
            self._line.sort(key=lambda entry: places.get(entry[0].run, len(places)))

    def cancel(self, run: int) -> None:
        """Stop a run; one that still waits is out of the line, and says so, at once."""
        with self._turn:
            gone = [entry for entry in self._line if entry[0].run == run]
            self._line = [entry for entry in self._line if entry[0].run != run]
        handle = self._active.get(run)
        if handle is not None:
            handle.cancel()
        for waiting, work in gone:
            self._guard(waiting, work)

    def _take_first(self) -> None:
        with self._turn:
            first = self._line.pop(0) if self._line else None
        if first is not None:
            self._guard(*first)

    def preview(self, plan: Plan, sample: QueryLog, scale: float) -> RunHandle:
        """Compute the expectation of `plan` on a sample of users; drops any older preview.

        An `ExpectedOutcome` event follows, and more of them as the outlook is completed, until a
        newer preview is requested.
        """
        if self._look is not None:
            self._look.cancel()
        handle = self._look = RunHandle(next(self._numbers))
        self._active[handle.run] = handle
        self._looks.submit(
            self._guard, handle, partial(self._compute_expectation, handle, plan, sample, scale)
        )
        return handle

    def close(self) -> None:
        """Cancel everything and let the threads end by themselves."""
        with self._turn:
            self._line.clear()
        for handle in list(self._active.values()):
            handle.cancel()
        self._full.shutdown(wait=False, cancel_futures=True)
        self._looks.shutdown(wait=False, cancel_futures=True)

    def _guard(self, handle: RunHandle, work: Callable[[], None]) -> None:
        """Turn whatever `work` raises into the event that says so."""
        try:
            if handle.stop.is_set():
                raise errors.Cancelled
            work()
        except errors.Cancelled:
            self._listener(RunCancelled(handle.run))
        except errors.AuditorError as error:
            self._listener(RunFailed(handle.run, error_message(error), expected=True))
        except MemoryError:
            self._listener(
                RunFailed(
                    handle.run, "Not enough memory. Try a sample of the users.", expected=True
                )
            )
        # Whatever it is, a panic of a compiled library too: the window must live on, and hear that
        # this run has ended. The message must hold no query text.
        except BaseException as error:
            place = errors.locate_error(error)
            _log.error("run %d failed: %s at %s", handle.run, type(error).__name__, place)
            message = phrase(
                "Internal error: {name} at {place}.", name=type(error).__name__, place=place
            )
            self._listener(RunFailed(handle.run, message, expected=False))
        finally:
            self._active.pop(handle.run, None)

    def _run_plan(
        self, handle: RunHandle, plan: Plan, evidence: Evidence, make_rng: Callable[[], Randomness]
    ) -> None:
        self._listener(RunStarted(handle.run, plan))
        result = self._kept.pop(plan.digest, None)
        if result is None:
            result = execute_plan(plan, evidence, make_rng(), handle, self._listener)
        self._kept[plan.digest] = result
        while len(self._kept) > MAX_RESULTS:
            self._kept.popitem(last=False)
        self._listener(RunFinished(handle.run, result))

    def _compute_expectation(
        self, handle: RunHandle, plan: Plan, sample: QueryLog, scale: float
    ) -> None:
        outlook = plan.what.outlook
        if outlook is None:
            return
        began = time.perf_counter()
        progress = Progress(cancelled=handle.stop)
        column = sample.origin.user_column
        expectation = outlook(sample, plan.params, scale=scale, progress=progress)
        expectation = expect_suppression(expectation, sample, plan.params, progress, soon=True)
        while True:
            progress.check()
            seconds = time.perf_counter() - began
            statement = selected_statement(
                expectation.statement, plan.selection, plan.method, plan.params
            ).attach_user_column(column)
            level = suppression_level(plan.params)
            statement = state_suppression(statement, level, plan.what.yields)
            statement = self._settle(statement, plan.log_digest)
            settled = dataclasses.replace(expectation, statement=statement)
            self._listener(ExpectedOutcome(handle.run, plan, settled, seconds, len(sample.users)))
            if expectation.delayed is None:
                return
            expectation = expectation.delayed(progress)


def execute_plan(
    plan: Plan,
    evidence: Evidence,
    rng: Randomness,
    handle: RunHandle,
    listener: Listener,
    draw: int = 0,
    existing: Anonymized | None = None,
) -> Run:
    """Run a plan in this thread: the method, then every measure and attack that applies.

    An `existing` release is judged as it is: no method runs. `listener` gets all
    events but `RunStarted` and `RunFinished`. Attacks and measures draw the same for the same plan
    and `draw`. Raises `AuditorError`.
    """
    # 64 bits for what attacks and measures draw: they are repeatable, so it is no secret.
    digest = hashlib.sha256(f"{plan.digest} {draw}".encode()).hexdigest() if draw else plan.digest
    own_seed = int(digest[:16], 16)
    seconds: dict[str, float] = {}
    stages: dict[str, dict[str, float]] = {}
    skipped = dict(plan.omitted)
    clock = _Clock(handle.run, listener)
    progress = Progress(
        clock, handle.stop, look=lambda figure: listener(PreviewOutcome(handle.run, figure))
    )

    def record_time(name: str) -> None:
        seconds[name], stages[name] = clock.lap()

    listener(TaskStarted(handle.run, "method", plan.method))
    release = existing
    if release is None:
        release = local.anonymize_log(evidence.log, plan, rng, progress)
    record_time(plan.method)
    # Of a sample of users, which the log is that is measured, no second one is drawn.
    rerun: MethodRerun | None = local.make_rerun(plan.method, plan.params, own_seed >> 32)
    if existing is not None:
        rerun = local.repeating_release(existing, own_seed >> 32)
    full_evidence = local.give_reruns(evidence, release, own_seed & 0xFFFFFFFF)
    full_evidence = dataclasses.replace(full_evidence, rule_weights=dict(plan.rule_weights))
    skipped |= _get_unfit(plan, full_evidence, release, seconds[plan.method])
    steps = (*plan.measures, *plan.attacks)
    fitting = tuple(step.name for step in steps if step.name not in skipped)
    listener(PartialResult(handle.run, release, fitting))

    measures = []
    for step in (step for step in plan.measures if step.name in fitting):
        measure, draws = MEASURES[step.name], np.random.default_rng(own_seed)
        listener(TaskStarted(handle.run, "measure", step.name))
        try:
            measured = measure.take(
                evidence.log, release, step.params, again=rerun, rng=draws, progress=progress
            )
        except (errors.MissingInput, errors.ParameterError) as refusal:
            if not measure.reruns_method:
                raise
            skipped[step.name] = sentence("runner.runs_method_parts_log", refusal=refusal)
            record_time(step.name)
        else:
            measures.append(measured)
            record_time(step.name)
            listener(MeasureDone(handle.run, measured))

    attacks = []
    for step in (step for step in plan.attacks if step.name in fitting):
        draws = np.random.default_rng(own_seed)
        listener(TaskStarted(handle.run, "attack", step.name))
        try:
            result = ATTACKS[step.name].run(
                full_evidence, step.params, rng=draws, progress=progress
            )
        except errors.MissingInput as refusal:  # the release is there: the rest of it is judged
            skipped[step.name] = phrase("could not run: {refusal}", refusal=refusal)
            record_time(step.name)
        else:
            attacks.append(result)
            record_time(step.name)
            listener(AttackDone(handle.run, result))
    return Run(plan, release, tuple(measures), tuple(attacks), seconds, skipped, stages)


def _get_unfit(plan: Plan, evidence: Evidence, release: Anonymized, spent: float) -> dict[str, str]:
    """Why measures and attacks of the plan don't apply to the release, by name.

    `spent` is how many seconds the method took.
    """
    reasons = {}
    for step in plan.measures:
        measure = MEASURES[step.name]
        unnamed = not plan.measures_named and step.name not in plan.named
        if reason := measure.why_not(release):
            reasons[step.name] = reason
        elif measure.reruns_method and unnamed and spent > SLOW:
            reasons[step.name] = sentence("runner.runs_method_parts_log_2", seconds=spent)
    for step in plan.attacks:
        if reason := ATTACKS[step.name].why_not(evidence):
            reasons[step.name] = reason
    return reasons


class _Clock:
    """Turns a kernel's reports into events with the time left in the stage.

    Stages that go on where the last one stopped, in the same total, are one: the time left is that
    of all of them.
    """

    def __init__(self, run: int, listener: Callable[[RunEvent], None]) -> None:
        self._run = run
        self._listener = listener
        self._stage = ""
        self._began = self._lap = self._first = time.perf_counter()
        self._reached = 0, 0
        self._spent: dict[str, float] = {}

    def __call__(self, stage: str, done: int, total: int) -> None:
        moment = time.perf_counter()
        if stage != self._stage or done == 0:
            self._close_stage(moment)
            self._stage = stage
            before, old_total = self._reached
            if total != old_total or not 0 < before <= done:
                self._first = moment
        self._reached = done, total
        spent = moment - self._first
        time_left = spent * (total - done) / done if done and total and spent > 0.5 else None
        self._listener(StageProgress(self._run, stage, done, total, time_left))

    def lap(self) -> tuple[float, dict[str, float]]:
        """Seconds since the last lap, in all and by stage."""
        moment = time.perf_counter()
        self._close_stage(moment)
        self._stage, self._reached = "", (0, 0)
        stages, self._spent = self._spent, {}
        spent, self._lap = moment - self._lap, moment
        return spent, stages

    def _close_stage(self, moment: float) -> None:
        if self._stage:
            self._spent[self._stage] = self._spent.get(self._stage, 0.0) + moment - self._began
        self._began = moment
