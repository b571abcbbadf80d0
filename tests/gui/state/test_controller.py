"""The controller with a view that only listens: what it says, when, and in which thread."""

import dataclasses
import functools
import threading
import time
from typing import Any

import pytest
import shiboken6
from PySide6.QtCore import QCoreApplication

from auditor.engine import events
from auditor.engine.runner import RunHandle
from auditor.gui.state import log_loading
from auditor.gui.state.controller import Controller
from auditor.methods.base import ExpectedRelease
from auditor.progress import Progress
from tests.gui import fakes
from tests.gui.driving import wait_signal, wait_until

SIGNALS = (
    "changed", "refused", "curves_changed", "expected", "preview_failed", "log_opened",
    "runs_changed", "run_changed", "current_changed",
)  # fmt: skip


Heard = list[tuple[str, tuple[Any, ...]]]


def listen(controller: Controller) -> Heard:
    """What comes with each signal from now on; all of it comes in the window's thread."""
    heard: Heard = []

    def hear(name: str, *content: Any) -> None:
        assert threading.current_thread() is threading.main_thread()
        heard.append((name, content))

    for name in SIGNALS:
        owner = controller if hasattr(controller, name) else controller.intents
        getattr(owner, name).connect(functools.partial(hear, name))
    return heard


def failed(number: int) -> events.RunFailed:
    return events.RunFailed(number, "late", expected=True)


@pytest.fixture
def opened(controller: Controller) -> Controller:
    fakes.open_log(controller)
    return controller


def test_that_setting_a_value_is_undone_and_a_drag_is_one_step(controller: Controller) -> None:
    intents = controller.intents
    intents.set("K", 80.0)
    assert intents.intent.params == fakes.FakeParams(K=80.0)
    assert intents.undo.undoText() == "Threshold K 80\u00a0users"
    intents.undo.undo()
    assert intents.intent.params == fakes.FakeParams()
    intents.undo.redo()
    assert intents.intent.params == fakes.FakeParams(K=80.0)
    intents.undo.undo()
    for value in (60.0, 70.0, 80.0):
        intents.set("K", value, gesture=7)
    intents.set("b", 20.0, gesture=8)
    assert intents.undo.count() == 2
    intents.undo.undo()
    intents.undo.undo()
    assert intents.intent.params == fakes.FakeParams()


def test_that_a_value_or_a_combination_that_cannot_be_is_refused(controller: Controller) -> None:
    heard = listen(controller)
    controller.intents.set("b", 0.0)
    controller.intents.set("b", 95.0)
    controller.intents.set("K", 9500.0)
    (name, why), (_, both) = (content for signal, content in heard if signal == "refused")
    assert name == "b"
    assert "(0, 100]" in why
    assert "both too large" in both
    assert controller.intent.params == fakes.FakeParams(b=95.0)
    assert controller.intents.undo.count() == 1


def test_that_nothing_stays_expected_of_a_failure_or_a_closed_log(opened: Controller) -> None:
    def expect(q_f: int) -> events.ExpectedOutcome:
        opened.intents.set("q_f", q_f)
        wait_until(lambda: opened.expectation is not None)
        assert opened.expectation is not None
        return opened.expectation

    event = expect(10)
    opened.preview_failed.emit("no such setting")
    assert not opened.expectation
    other = dataclasses.replace(event.plan, method="another")
    opened.expected.emit(dataclasses.replace(event, plan=other))  # late, of the method before
    assert not opened.expectation
    opened.expected.emit(event)
    assert opened.expectation == event
    opened.close_log()
    assert not opened.expectation


def test_that_an_outlook_is_completed(opened: Controller, monkeypatch: pytest.MonkeyPatch) -> None:
    """One picture at once, then fuller ones of the same setting; none of a setting left behind."""

    def stage(params: Any, number: int, progress: Progress) -> ExpectedRelease:
        time.sleep(0.002)
        progress.check()
        more = functools.partial(stage, params, number + 1) if number < params.q_f else None
        return ExpectedRelease(statement=fakes.statement(params), note=str(number), delayed=more)

    def outlook(log: Any, params: Any, *, scale: float, progress: Progress) -> ExpectedRelease:
        return stage(params, 0, progress)

    monkeypatch.setattr(fakes, "METHOD", dataclasses.replace(fakes.METHOD, outlook=outlook))
    wait_until(lambda: not opened.looking)
    pictures: list[tuple[int, str]] = []
    opened.expected.connect(lambda e: pictures.append((e.plan.params.q_f, e.outlook.note)))
    opened.intents.set("q_f", 3)
    wait_until(lambda: len(pictures) == 4)
    assert pictures == [(3, "0"), (3, "1"), (3, "2"), (3, "3")]
    opened.intents.set("q_f", 1_000)
    wait_until(lambda: len(pictures) > 6)
    count = len(pictures)
    opened.intents.set("q_f", 2)
    wait_until(lambda: len(pictures) >= count + 3)
    opened.intents.set("q_f", 1)  # what was still to come would come before this
    wait_until(lambda: len(pictures) >= count + 5)
    assert [queries for queries, _ in pictures[count:]] == [2, 2, 2, 1, 1]


def test_that_a_stale_preview_is_dropped(opened: Controller) -> None:
    with wait_signal(opened.expected):
        opened.refresh()
    wait_until(lambda: not opened.looking)
    heard = listen(opened)
    opened.relay.send(failed(10_000))
    QCoreApplication.processEvents()
    assert heard == []


def test_that_an_event_on_its_way_while_the_window_closes_begins_nothing(
    opened: Controller, monkeypatch: pytest.MonkeyPatch
) -> None:
    wait_until(lambda: not opened.looking)
    handles = [RunHandle(77), RunHandle(78)]
    monkeypatch.setattr(opened.queue.runner, "preview", lambda *_: handles.pop(0))
    for queries in (10, 11):  # the second waits for the first
        opened.intents.set("q_f", queries)
        wait_until(lambda: not opened.turns.busy)
    opened.relay.send(failed(77))
    opened.close()
    QCoreApplication.processEvents()
    assert len(handles) == 1


def test_that_a_run_finishes_with_metrics_and_findings(opened: Controller) -> None:
    heard = listen(opened)
    opened.run()
    wait_until(lambda: opened.running is None)
    (record,) = opened.runs.finished
    names = ["epsilon", "delta", "rows", "fake-attack.rate", "fake-attack.exposed"]
    assert [value.name for value in record.values] == names
    assert {name: len(flagged) for name, flagged in record.findings.items()} == {"fake-attack": 40}
    assert record.letter == "A"
    assert heard


def test_that_a_preview_looks_at_whole_users_only() -> None:
    sample, scale = log_loading.sample_of(fakes.small_log(400, 6), rows=240)
    assert (len(sample.users), len(sample), scale) == (40, 240, 10.0)


def test_that_a_thread_may_send_while_its_controller_is_deleted() -> None:
    """The thread of a kernel's first compilation ends when it likes, with or without a window."""
    for closed in (True, False) * 10:
        controller = Controller()
        send, stop, begun = controller.relay.send, threading.Event(), threading.Event()

        def work(send=send, stop=stop, begun=begun) -> None:  # type: ignore[no-untyped-def]
            while not stop.is_set():
                send(failed(10_000))
                begun.set()

        sender = threading.Thread(target=work)
        sender.start()
        assert begun.wait(60)
        if closed:
            controller.close()
        shiboken6.delete(controller)
        stop.set()
        sender.join()
    QCoreApplication.processEvents()
