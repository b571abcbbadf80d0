"""Runs: what their runner says of them while they wait, go on and end, and what they keep."""

import functools
import queue
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import pytest

from auditor.attacks.base import Evidence
from auditor.engine import runner
from auditor.engine.events import (
    ExpectedOutcome,
    PartialResult,
    RunCancelled,
    RunEvent,
    RunFailed,
    RunFinished,
    RunStarted,
    StageProgress,
)
from auditor.engine.plan import Intent, Plan, resolve_intent
from auditor.engine.run import Run
from auditor.engine.runner import RunHandle, Runner
from auditor.errors import MissingInput, ParameterError
from auditor.figures import MetricValue
from auditor.log.model import QueryLog
from auditor.measures.base import MeasureResult
from auditor.methods.base import ExpectedRelease, Method
from auditor.methods.registry import METHODS
from auditor.params import Params, integer
from auditor.privacy.noise import Randomness, SecureRandomness
from auditor.privacy.release import Product, Release
from auditor.privacy.statement import Statement
from auditor.progress import Progress

SECRET = "my very own secret query"


@dataclass(frozen=True, kw_only=True)
class FakeParams(Params, owner="fake"):
    steps: int = integer(3, 0, 10_000, label="Steps", help="How long it takes.")
    fault: int = integer(0, 0, 2, label="Fault", help="Which way it fails.")
    more: int = integer(0, 0, 10_000, label="More", help="How often its outlook is completed.")


def run_fake(log: QueryLog, params: FakeParams, *, rng: Randomness, progress: Progress) -> Product:
    for _ in progress.blocks("working", params.steps, 1):
        time.sleep(0.005)
    if params.fault == 1:
        raise MissingInput("It needs something else.")
    if params.fault == 2:
        raise ValueError(SECRET)
    return Product(content=log, statement=Statement("none", "Nothing is promised.", "nobody"))


def expect_fake(
    log: QueryLog, params: FakeParams, *, scale: float, progress: Progress
) -> ExpectedRelease:
    for _ in progress.blocks("looking", params.steps, 1):
        time.sleep(0.005)
    statement = Statement("none", f"{params.steps}", "nobody")

    def rest(remaining: int, progress: Progress) -> ExpectedRelease:
        if remaining < params.more:
            time.sleep(0.005)
            progress.check()
        more = functools.partial(rest, remaining - 1) if remaining else None
        return ExpectedRelease(statement=statement, note=f"{remaining} left", delayed=more)

    return rest(params.more, progress)


FAKE = Method(
    name="fake",
    title="Fake",
    summary="For tests.",
    source="here",
    params=FakeParams,
    yields="log",
    randomised=False,
    run=run_fake,
    outlook=expect_fake,
)


LOG = QueryLog.from_columns(user=["a", "b"], query=["x", "y"], time=[1, 2])
PATIENCE = 240
"""Seconds until an event that doesn't come fails a test."""


def make_plan(log: QueryLog = LOG, /, **values: int) -> Plan:
    return resolve_intent(Intent(method="fake", attacks=(), measures=()).set(**values), log)


@pytest.fixture(autouse=True)
def fake_method(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(METHODS.modules, "fake", f"{__name__}")
    monkeypatch.setattr(f"{__name__}.METHOD", FAKE, raising=False)


EventT = TypeVar("EventT", bound=RunEvent)


class Lab:
    """A runner of fake runs that collects events from the worker threads."""

    def __init__(self) -> None:
        self.queue: queue.SimpleQueue[RunEvent] = queue.SimpleQueue()
        self.seen: list[RunEvent] = []
        self.runner = Runner(self.queue.put)

    def submit(self, **values: int) -> RunHandle:
        return self.runner.submit(make_plan(**values), Evidence(log=LOG), SecureRandomness)

    def preview(self, **values: int) -> RunHandle:
        return self.runner.preview(make_plan(**values), LOG, 1.0)

    def until(self, *kinds: type[EventT]) -> EventT:
        end = time.monotonic() + PATIENCE
        while True:
            event = self.queue.get(timeout=max(0.01, end - time.monotonic()))
            self.seen.append(event)
            if isinstance(event, kinds):
                return event


@pytest.fixture
def lab() -> Iterator[Lab]:
    laboratory = Lab()
    yield laboratory
    laboratory.runner.close()


def test_that_a_run_tells_its_story_in_order(lab: Lab) -> None:
    handle = lab.submit()
    done = lab.until(RunFinished)
    kinds = [type(event) for event in lab.seen]
    assert kinds[0] is RunStarted
    assert kinds[-2:] == [PartialResult, RunFinished]
    assert StageProgress in kinds
    assert {event.run for event in lab.seen} == {handle.run}
    assert isinstance(done.result.release, Release)
    stages = done.result.stages["fake"]
    assert list(stages) == ["working"]
    assert 0 <= stages["working"] <= done.result.seconds["fake"]
    assert [row[:2] for row in done.result.times.rows] == [["fake", "working"], ["fake", "in all"]]


def test_that_a_cancel_is_heard_within_200_ms(lab: Lab) -> None:
    handle = lab.submit(steps=10_000)
    lab.until(StageProgress)
    handle.cancel()
    assert lab.until(RunCancelled) == RunCancelled(handle.run)


def test_that_an_expected_failure_says_what_to_do(lab: Lab) -> None:
    handle = lab.submit(fault=1)
    failed = lab.until(RunFailed)
    assert failed == RunFailed(handle.run, "It needs something else.", expected=True)


def test_that_a_fault_of_the_program_leaks_no_query_and_leaves_the_runner_alive(
    lab: Lab, caplog: pytest.LogCaptureFixture
) -> None:
    lab.submit(fault=2)
    failed = lab.until(RunFailed)
    assert not failed.expected
    assert "ValueError at test_runner.py:" in failed.message
    assert SECRET not in failed.message + caplog.text
    lab.submit()
    lab.until(RunFinished)


def test_that_a_newer_preview_makes_the_older_stale(lab: Lab) -> None:
    old = lab.preview(steps=10_000)
    new = lab.preview(steps=1)
    event = lab.until(ExpectedOutcome)
    assert event.run == new.run
    assert RunCancelled(old.run) in lab.seen


def test_that_an_outlook_is_completed_until_it_is_whole_or_something_newer_is_asked(
    lab: Lab,
) -> None:
    """Three steps are three pictures; a thousand are cut short by the next question."""
    complete = lab.preview(more=2)
    events = [lab.until(ExpectedOutcome) for _ in range(3)]
    assert {event.run for event in events} == {complete.run}
    assert [event.outlook.note for event in events] == ["2 left", "1 left", "0 left"]
    long = lab.preview(more=1_000)
    lab.until(ExpectedOutcome)
    new = lab.preview()
    assert lab.until(RunCancelled) == RunCancelled(long.run)
    assert lab.until(ExpectedOutcome).run == new.run


def test_that_an_outlook_says_what_is_suppressed_afterwards(lab: Lab) -> None:
    outlooks = {}
    for level in ("nothing", "names"):
        params = METHODS["safelog"].params().replace(suppress=level)
        intent = Intent(method="safelog", values=(("safelog", params),))
        lab.runner.preview(resolve_intent(intent, LOG), LOG, 1.0)
        event = lab.until(ExpectedOutcome)
        outlooks[level] = event.outlook
        if level == "names":  # which strings these are comes after a first, upper bound
            assert "at most this" in event.outlook.note
            event = lab.until(ExpectedOutcome)
            assert "left out afterwards" in event.outlook.statement.claim
        assert "at most this" not in event.outlook.note
    assert "were left out afterwards" in outlooks["names"].statement.claim
    assert "were left out afterwards" not in outlooks["nothing"].statement.claim


def test_that_an_equal_plan_is_answered_from_the_cache(lab: Lab) -> None:
    lab.submit()
    first = lab.until(RunFinished)
    lab.submit()
    assert lab.until(RunFinished).result is first.result


def test_that_closing_returns_at_once_and_ends_the_threads(lab: Lab) -> None:
    before = threading.active_count()
    lab.submit(steps=10_000)
    lab.until(StageProgress)
    lab.runner.close()
    lab.until(RunCancelled)
    end = time.monotonic() + PATIENCE
    while threading.active_count() > before and time.monotonic() < end:
        time.sleep(0.01)
    assert threading.active_count() <= before


def test_that_the_latest_results_only_are_kept(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "MAX_RESULTS", 2)
    results = []
    for steps in (2, 3, 2, 4, 2, 3):
        lab.submit(steps=steps)
        results.append(lab.until(RunFinished).result.release)
    assert results[0] is results[2] is results[4]
    assert results[1] is not results[5]


def test_that_the_digest_changes_with_everything_that_decides_the_result() -> None:
    assert make_plan().digest == make_plan().digest != make_plan(steps=4).digest
    assert make_plan(LOG.rows(np.array([True, False]))).digest != make_plan().digest


def test_that_an_intent_keeps_the_values_of_methods_not_chosen() -> None:
    intent = Intent(method="fake").set(steps=9).choose("frequency-threshold").choose("fake")
    assert intent.params == FakeParams(steps=9)
    assert intent.reset("steps").params == FakeParams()
    with pytest.raises(ParameterError):
        intent.choose("nothing of the sort")
    with pytest.raises(ParameterError):
        intent.set(steps=-1)


def test_that_waiting_runs_begin_in_the_order_that_was_asked_for(lab: Lab) -> None:
    first = lab.submit(steps=40)
    lab.until(RunStarted)
    a, b, c = (lab.submit(steps=n).run for n in (1, 2, 3))
    assert lab.runner.waiting == [a, b, c]
    lab.runner.order_runs([c, a])
    assert lab.runner.waiting == [c, a, b]
    lab.runner.cancel(first.run)
    assert [lab.until(RunStarted).run for _ in range(3)] == [c, a, b]
    lab.until(RunFinished)


def test_that_a_waiting_run_is_cancelled_at_once_and_never_begins(lab: Lab) -> None:
    lab.submit(steps=60)
    lab.until(RunStarted)
    waiting = lab.submit(steps=1).run
    lab.runner.cancel(waiting)
    assert lab.until(RunCancelled, RunFinished) == RunCancelled(waiting)
    assert lab.runner.waiting == []
    assert isinstance(lab.until(RunFinished, RunStarted), RunFinished)
    lab.runner.cancel(waiting)  # once more does nothing


# --- the record of a run ------------------------------------------------------------------------

PLAN = Plan(log_digest="", method="zealous", params=METHODS["zealous"].params())


def measured(number: float) -> MeasureResult:
    value = MetricValue("rows", "rows", number)
    return MeasureResult(measure="volume", params={}, values=(value,))


def test_that_a_run_that_fails_when_it_is_made_again_keeps_what_it_had() -> None:
    run = Run(PLAN, measures=(measured(1.0),), seconds={"zealous": 2.0}, letter="A")
    run.begin_again()
    assert run.active
    assert run.outcome is not None
    assert [value.value for value in run.values] == [1.0]
    run.add_part(measured(7.0))
    assert [value.value for value in run.values] == [1.0]  # not yet finished
    run.end("failed", "It failed.")
    assert (run.state, run.message, run.reopened) == ("finished", "It failed.", True)
    assert run.outcome is run
    assert [value.value for value in run.values] == [1.0]


def test_that_a_run_that_never_finished_has_no_outcome() -> None:
    run = Run(PLAN, letter="B", state="running")
    run.add_part(measured(1.0))
    assert run.values == ()
    run.end("cancelled")
    assert (run.state, run.measures, run.outcome) == ("cancelled", (), None)
    with pytest.raises(MissingInput, match="Run it again"):
        _ = run.release


def test_that_a_finished_run_takes_the_engines_results_and_keeps_its_own_name() -> None:
    run = Run(PLAN, number=3, letter="C", name="careful", state="running")
    run.finish(Run(PLAN, measures=(measured(5.0),), skipped={"dp-audit": "was left out"}))
    assert (run.number, run.letter, run.name, run.state) == (3, "C", "careful", "finished")
    assert run.skipped == {"dp-audit": "was left out"}
    taken = run.copy()
    run.begin_again()
    assert taken.state == "finished"  # what a thread was given stays as it was
