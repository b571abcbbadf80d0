"""The controller with a view that only listens."""

from __future__ import annotations

import dataclasses
import functools
import time
from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication

from auditor.engine import events
from auditor.engine.runner import RunHandle
from auditor.gui.state import log_loading
from auditor.gui.state.controller import Controller
from auditor.methods.base import ExpectedRelease
from auditor.privacy.statement import Statement
from auditor.progress import Progress
from tests.gui import fakes
from tests.gui.driving import wait_signal, wait_until

STATEMENT = Statement("none", "Nothing is promised.", "nobody")


class View:
    """Writes down every signal, and the thread in which it came."""

    SIGNALS = (
        "changed", "refused", "curves_changed", "expected", "preview_failed", "log_opened",
        "runs_changed", "run_changed", "current_changed",
    )  # fmt: skip

    def __init__(self, controller: Controller) -> None:
        self.heard: list[tuple[str, tuple[Any, ...]]] = []
        self.threads: set[bool] = set()
        for name in self.SIGNALS:
            owner = controller.intents if name in ("changed", "refused") else controller
            getattr(owner, name).connect(self._hear(name))

    def _hear(self, name: str) -> Callable[..., None]:
        def heard(*what: Any) -> None:
            self.heard.append((name, what))
            self.threads.add(fakes.main_thread())

        return heard

    def all(self, name: str) -> list[tuple[Any, ...]]:
        """What came with a signal, in order."""
        return [what for heard, what in self.heard if heard == name]


@pytest.fixture
def opened(controller: Controller) -> Controller:
    fakes.open_log(controller)
    return controller


def test_that_setting_a_value_can_be_undone_and_one_drag_is_one_step(
    controller: Controller,
) -> None:
    controller.intents.set("K", 80.0)
    assert controller.intent.params.K == 80.0  # type: ignore[attr-defined]
    assert controller.intents.undo.undoText() == "Threshold K 80\u00a0users"
    controller.intents.undo.undo()
    assert controller.intent.params.K == 50.0  # type: ignore[attr-defined]
    controller.intents.undo.redo()
    assert controller.intent.params.K == 80.0  # type: ignore[attr-defined]
    controller.intents.undo.undo()
    for value in (60.0, 70.0, 80.0):
        controller.intents.set("K", value, gesture=7)
    controller.intents.set("b", 20.0, gesture=8)
    assert controller.intents.undo.count() == 2
    controller.intents.undo.undo()
    controller.intents.undo.undo()
    assert controller.intent.params == fakes.FakeParams()


def test_that_a_value_or_a_combination_that_cannot_be_is_refused(controller: Controller) -> None:
    view = View(controller)
    controller.intents.set("b", 0.0)
    controller.intents.set("b", 95.0)
    controller.intents.set("K", 9500.0)
    (name, why), (_, both) = view.all("refused")
    assert name == "b"
    assert "(0, 100]" in why
    assert "both too large" in both
    assert controller.intent.params == fakes.FakeParams(b=95.0)
    assert controller.intents.undo.count() == 1


def test_that_nothing_is_expected_after_a_failure_of_another_method_or_without_a_log(
    opened: Controller,
) -> None:
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


def test_that_an_outlook_is_completed_until_the_next_change(
    opened: Controller, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One picture at once, then fuller ones of the same setting; none of a setting left behind."""

    def outlook(log: Any, params: Any, *, scale: float, progress: Progress) -> ExpectedRelease:
        def stage(number: int, progress: Progress) -> ExpectedRelease:
            time.sleep(0.002)
            progress.check()
            more = functools.partial(stage, number + 1) if number < params.q_f else None
            return ExpectedRelease(statement=STATEMENT, note=str(number), more=more)

        return stage(0, progress)

    monkeypatch.setattr(fakes, "METHOD", dataclasses.replace(fakes.METHOD, outlook=outlook))
    wait_until(lambda: not opened.looking)
    view = View(opened)
    opened.intents.set("q_f", 3)
    wait_until(lambda: len(view.all("expected")) == 4)
    assert [heard[0].outlook.note for heard in view.all("expected")] == ["0", "1", "2", "3"]
    opened.intents.set("q_f", 1_000)
    wait_until(lambda: len(view.all("expected")) > 6)
    count = len(view.all("expected"))
    opened.intents.set("q_f", 2)
    wait_until(lambda: len(view.all("expected")) >= count + 3)
    opened.intents.set("q_f", 1)  # what was still to come would come before this
    wait_until(lambda: len(view.all("expected")) >= count + 5)
    later = [heard[0].plan.params.q_f for heard in view.all("expected")[count:]]
    assert later == [2, 2, 2, 1, 1]


def test_that_a_stale_preview_is_dropped(opened: Controller) -> None:
    with wait_signal(opened.expected):
        opened.refresh()
    wait_until(lambda: not opened.looking)
    view = View(opened)
    late = events.RunFailed(10_000, "late", expected=True)
    opened.relay.send(late)
    QCoreApplication.processEvents()
    assert view.heard == []


def test_that_an_event_on_its_way_while_the_window_closes_begins_nothing(
    opened: Controller, monkeypatch: pytest.MonkeyPatch
) -> None:
    wait_until(lambda: not opened.looking)
    handles = [RunHandle(77), RunHandle(78)]
    monkeypatch.setattr(opened.queue.runner, "preview", lambda *_what: handles.pop(0))
    for queries in (10, 11):  # the second waits for the first
        opened.intents.set("q_f", queries)
        wait_until(lambda: not opened.turns.busy)
    opened.relay.send(events.RunFailed(77, "late", expected=True))
    opened.close()
    QCoreApplication.processEvents()
    assert len(handles) == 1


def test_that_a_run_finishes_with_figures_and_findings(opened: Controller) -> None:
    view = View(opened)
    opened.run()
    wait_until(lambda: opened.running is None)
    (record,) = opened.runs.finished
    names = ["epsilon", "delta", "rows", "fake-attack.rate", "fake-attack.exposed"]
    assert [value.name for value in record.values] == names
    assert {name: len(flagged) for name, flagged in record.findings.items()} == {"fake-attack": 40}
    assert record.letter == "A"
    assert view.threads == {True}  # the engine's threads never call a view


def test_that_a_preview_looks_at_whole_users_only() -> None:
    log = fakes.small_log(400, 6)
    sample, scale = log_loading.sample_of(log, rows=240)
    assert len(sample.users) == 40
    assert len(sample) == 240
    assert scale == 10.0
