from __future__ import annotations

import functools
import queue
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import pytest

from auditor.attacks.base import Evidence
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
from auditor.engine.runner import ResultCache, Runner
from auditor.errors import MissingInput, ParameterError
from auditor.log.model import QueryLog
from auditor.methods.base import ExpectedRelease, Method
from auditor.methods.registry import METHODS
from auditor.params import Params, integer
from auditor.privacy.noise import PreviewRandomness, Randomness, SecureRandomness
from auditor.privacy.release import Preview, Product, Release
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

    def rest(left: int, progress: Progress) -> ExpectedRelease:
        if left < params.more:
            time.sleep(0.005)
            progress.check()
        more = functools.partial(rest, left - 1) if left else None
        return ExpectedRelease(statement=statement, note=f"{left} left", more=more)

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


@pytest.fixture
def log() -> QueryLog:
    return QueryLog.from_columns(user=["a", "b"], query=["x", "y"], time=[1, 2])


@pytest.fixture
def plan(log: QueryLog, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Plan]:
    monkeypatch.setitem(METHODS.modules, "fake", f"{__name__}")
    monkeypatch.setattr(f"{__name__}.METHOD", FAKE, raising=False)

    def make(**values: int) -> Plan:
        intent = Intent(method="fake", attacks=(), measures=()).set(**values)
        return resolve_intent(intent, log)

    return make


PATIENCE = 240
"""Seconds until an event that doesn't come fails a test."""


class Stream:
    """Collects events from the worker threads."""

    def __init__(self) -> None:
        self.queue: queue.SimpleQueue[RunEvent] = queue.SimpleQueue()
        self.seen: list[RunEvent] = []

    def until(self, *kinds: type[RunEvent]) -> RunEvent:
        end = time.monotonic() + PATIENCE
        while True:
            event = self.queue.get(timeout=max(0.01, end - time.monotonic()))
            self.seen.append(event)
            if isinstance(event, kinds):
                return event


@pytest.fixture
def stream() -> Stream:
    return Stream()


@pytest.fixture
def runner(stream: Stream) -> Iterator[Runner]:
    made = Runner(stream.queue.put)
    yield made
    made.close()


def test_that_a_run_tells_its_story_in_order(
    runner: Runner, stream: Stream, log: QueryLog, plan: Callable[..., Plan]
) -> None:
    handle = runner.submit(plan(), Evidence(log=log), SecureRandomness)
    done = stream.until(RunFinished)
    kinds = [type(event) for event in stream.seen]
    assert kinds[0] is RunStarted
    assert kinds[-2:] == [PartialResult, RunFinished]
    assert StageProgress in kinds
    assert {event.run for event in stream.seen} == {handle.run}
    assert isinstance(done, RunFinished)
    assert isinstance(done.result.release, Release)
    stages = done.result.stages["fake"]
    assert list(stages) == ["working"]
    assert 0 <= stages["working"] <= done.result.seconds["fake"]
    assert [row[:2] for row in done.result.times.rows] == [["fake", "working"], ["fake", "in all"]]


def test_that_seeded_randomness_makes_a_preview_and_never_a_release(
    runner: Runner, stream: Stream, log: QueryLog, plan: Callable[..., Plan]
) -> None:
    runner.submit(plan(), Evidence(log=log), lambda: PreviewRandomness(1))
    done = stream.until(RunFinished)
    assert isinstance(done, RunFinished)
    assert isinstance(done.result.release, Preview)
    assert not isinstance(done.result.release, Release)


def test_that_a_cancel_is_heard_within_200_ms(
    runner: Runner, stream: Stream, log: QueryLog, plan: Callable[..., Plan]
) -> None:
    handle = runner.submit(plan(steps=10_000), Evidence(log=log), SecureRandomness)
    stream.until(StageProgress)
    handle.cancel()
    assert stream.until(RunCancelled) == RunCancelled(handle.run)


def test_that_a_run_cancelled_in_the_queue_never_starts(
    runner: Runner, stream: Stream, log: QueryLog, plan: Callable[..., Plan]
) -> None:
    first = runner.submit(plan(steps=50), Evidence(log=log), SecureRandomness)
    second = runner.submit(plan(steps=51), Evidence(log=log), SecureRandomness)
    second.cancel()
    stream.until(RunCancelled)
    assert [e.run for e in stream.seen if isinstance(e, RunStarted)] == [first.run]
    assert any(isinstance(e, RunFinished) and e.run == first.run for e in stream.seen)


def test_that_an_expected_failure_says_what_to_do(
    runner: Runner, stream: Stream, log: QueryLog, plan: Callable[..., Plan]
) -> None:
    handle = runner.submit(plan(fault=1), Evidence(log=log), SecureRandomness)
    failed = stream.until(RunFailed)
    assert failed == RunFailed(handle.run, "It needs something else.", expected=True)


def test_that_a_fault_of_the_program_leaks_no_query_and_leaves_the_runner_alive(
    runner: Runner,
    stream: Stream,
    log: QueryLog,
    plan: Callable[..., Plan],
    caplog: pytest.LogCaptureFixture,
) -> None:
    runner.submit(plan(fault=2), Evidence(log=log), SecureRandomness)
    failed = stream.until(RunFailed)
    assert isinstance(failed, RunFailed)
    assert not failed.expected
    assert "ValueError at test_runner.py:" in failed.message
    assert SECRET not in failed.message + caplog.text
    runner.submit(plan(), Evidence(log=log), SecureRandomness)
    stream.until(RunFinished)


def test_that_a_newer_preview_makes_the_older_stale(
    runner: Runner, stream: Stream, log: QueryLog, plan: Callable[..., Plan]
) -> None:
    old = runner.preview(plan(steps=10_000), log, 1.0)
    new = runner.preview(plan(steps=1), log, 1.0)
    found = stream.until(ExpectedOutcome)
    assert found.run == new.run
    assert RunCancelled(old.run) in stream.seen


def test_that_an_outlook_is_completed_until_it_is_whole_or_something_newer_is_asked(
    runner: Runner, stream: Stream, log: QueryLog, plan: Callable[..., Plan]
) -> None:
    """Three steps are three pictures; a thousand are cut short by the next question."""
    whole = runner.preview(plan(more=2), log, 1.0)
    found = [stream.until(ExpectedOutcome) for _ in range(3)]
    assert {event.run for event in found} == {whole.run}
    assert [event.outlook.note for event in found] == ["2 left", "1 left", "0 left"]  # type: ignore[attr-defined]
    long = runner.preview(plan(more=1_000), log, 1.0)
    stream.until(ExpectedOutcome)
    new = runner.preview(plan(), log, 1.0)
    assert stream.until(RunCancelled) == RunCancelled(long.run)
    assert stream.until(ExpectedOutcome).run == new.run


def test_that_an_outlook_says_what_is_suppressed_afterwards(
    runner: Runner, stream: Stream, log: QueryLog
) -> None:
    told = {}
    for level in ("nothing", "names"):
        params = METHODS["safelog"].params().replace(suppress=level)
        intent = Intent(method="safelog", values=(("safelog", params),))
        runner.preview(resolve_intent(intent, log), log, 1.0)
        event = stream.until(ExpectedOutcome)
        assert isinstance(event, ExpectedOutcome)
        told[level] = event.outlook
        if level == "names":  # which strings these are comes after a first, upper bound
            assert "at most this" in event.outlook.note
            event = stream.until(ExpectedOutcome)
            assert isinstance(event, ExpectedOutcome)
            assert "left out afterwards" in event.outlook.statement.claim
        assert "at most this" not in event.outlook.note
    assert "were left out afterwards" in told["names"].statement.claim
    assert "were left out afterwards" not in told["nothing"].statement.claim


def test_that_an_equal_plan_is_answered_from_the_cache(
    runner: Runner, stream: Stream, log: QueryLog, plan: Callable[..., Plan]
) -> None:
    runner.submit(plan(), Evidence(log=log), SecureRandomness)
    first = stream.until(RunFinished)
    runner.submit(plan(), Evidence(log=log), SecureRandomness)
    second = stream.until(RunFinished)
    assert isinstance(first, RunFinished)
    assert isinstance(second, RunFinished)
    assert first.result is second.result


def test_that_closing_returns_at_once_and_ends_the_threads(
    stream: Stream, log: QueryLog, plan: Callable[..., Plan]
) -> None:
    before = threading.active_count()
    runner = Runner(stream.queue.put)
    runner.submit(plan(steps=10_000), Evidence(log=log), SecureRandomness)
    stream.until(StageProgress)
    runner.close()
    stream.until(RunCancelled)
    end = time.monotonic() + PATIENCE
    while threading.active_count() > before and time.monotonic() < end:
        time.sleep(0.01)
    assert threading.active_count() <= before


def test_that_the_cache_keeps_the_latest_results_only() -> None:
    cache = ResultCache(size=2)
    for name in "abc":
        cache.put(name, name)  # type: ignore[arg-type]
    found: list[object] = [cache.get(name) for name in "abc"]
    assert found == [None, "b", "c"]


def test_that_the_digest_changes_with_everything_that_decides_the_result(
    plan: Callable[..., Plan], log: QueryLog
) -> None:
    assert plan().digest == plan().digest
    assert plan().digest != plan(steps=4).digest
    other = log.rows(np.array([True, False]))
    intent = Intent(method="fake", attacks=(), measures=())
    assert resolve_intent(intent, other).digest != resolve_intent(intent, log).digest


def test_that_an_intent_keeps_the_values_of_methods_not_chosen(plan: Callable[..., Plan]) -> None:
    intent = Intent(method="fake").set(steps=9).choose("frequency-threshold").choose("fake")
    assert intent.params == FakeParams(steps=9)
    assert intent.reset("steps").params == FakeParams()
    with pytest.raises(ParameterError):
        intent.choose("nothing of the sort")
    with pytest.raises(ParameterError):
        intent.set(steps=-1)


def test_that_an_empty_log_is_refused_with_advice(log: QueryLog) -> None:
    empty = log.rows(np.zeros(len(log), dtype=bool))
    with pytest.raises(MissingInput, match="no rows"):
        resolve_intent(Intent(method="frequency-threshold"), empty)


def test_that_waiting_runs_begin_in_the_order_that_was_asked_for(
    log: QueryLog, plan: Callable[..., Plan], stream: Stream
) -> None:
    runner = Runner(stream.queue.put)
    first = runner.submit(plan(steps=40), Evidence(log=log), lambda: PreviewRandomness(0))
    stream.until(RunStarted)
    a, b, c = (
        runner.submit(plan(steps=n), Evidence(log=log), lambda: PreviewRandomness(0)).run
        for n in (1, 2, 3)
    )
    assert runner.waiting == [a, b, c]
    runner.order_runs([c, a])
    assert runner.waiting == [c, a, b]
    runner.cancel(first.run)
    begun = [stream.until(RunStarted).run for _ in range(3)]
    assert begun == [c, a, b]
    stream.until(RunFinished)
    runner.close()


def test_that_a_waiting_run_is_cancelled_at_once_and_never_begins(
    log: QueryLog, plan: Callable[..., Plan], stream: Stream
) -> None:
    runner = Runner(stream.queue.put)
    runner.submit(plan(steps=60), Evidence(log=log), lambda: PreviewRandomness(0))
    stream.until(RunStarted)
    waiting = runner.submit(plan(steps=1), Evidence(log=log), lambda: PreviewRandomness(0)).run
    runner.cancel(waiting)
    assert stream.until(RunCancelled, RunFinished) == RunCancelled(waiting)
    assert runner.waiting == []
    assert isinstance(stream.until(RunFinished, RunStarted), RunFinished)
    runner.cancel(waiting)  # once more does nothing
    runner.close()
