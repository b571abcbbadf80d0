"""The line of runs in the window: what is said before one, their order, and how each ends."""

import json
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from auditor.engine.costs import CostEstimator, CostPoint, RunCost
from auditor.engine.run_progress import MemoryState, RunForecast, RunPart, warn_of_resources
from auditor.gui.app.main_window import MainWindow
from auditor.gui.app.navigation import past_runs
from auditor.gui.protect.params_panel import CostCard
from auditor.gui.state import run_queue
from auditor.gui.state.run_queue import QueuedRun, title_of
from auditor.methods.registry import METHODS
from auditor.params import Params
from tests.gui import fakes
from tests.gui.conftest import WindowMaker
from tests.gui.driving import keep, wait_signal, wait_until
from tests.narrowing import present

GIB = 2**30


def flat(seconds: float, gib: float) -> list[CostPoint]:
    """What takes the same at every size."""
    return [CostPoint(rows, seconds, round(gib * GIB)) for rows in (1, 1_000_000)]


MEASURED = {
    "method/fake": flat(1.0, 1),
    "measure/fake-measure": flat(2.0, 1),
    "attack/fake-attack": flat(4.0, 3),
}


@pytest.fixture
def window(
    fake_parts: None, make_window: WindowMaker, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> MainWindow:
    monkeypatch.setenv("AUDITOR_DATA", str(tmp_path / "data"))
    monkeypatch.setattr(
        CostEstimator, "load_shipped", classmethod(lambda cls, memory=None: cls(MEASURED, memory))
    )
    window = make_window(state=tmp_path)
    fakes.open_log(window.controller)
    window.tune_by_hand()
    wait_until(lambda: window.protect.params.cost.isVisible())
    return window


@pytest.fixture
def busy(window: MainWindow) -> MainWindow:
    """A window with A at work until somebody cancels it, and B, C and D in line."""
    window.controller.intents.set("mode", "slow")
    window.header.run.click()
    window.controller.intents.set("mode", "strict")
    for threshold in (60.0, 70.0, 80.0):
        window.controller.intents.set("K", threshold)
        window.header.run.click()
    window.commands.show_queue()
    wait_until(lambda: letters(window) == "ABCD" and rows(window)[0].running)
    return window


def rows(window: MainWindow) -> list[Any]:
    return window.queue._rows


def letters(window: MainWindow) -> str:
    return "".join(row.letter for row in rows(window))


def states(window: MainWindow) -> dict[str, str]:
    return {record.letter: record.state for record in window.controller.runs}


def pick(window: MainWindow, letter: str) -> None:
    window.queue.list.setCurrentRow(letters(window).index(letter))


def test_that_a_waiting_run_is_cancelled_or_removed_by_itself(busy: MainWindow) -> None:
    assert letters(busy) == "ABCD"
    wait_until(lambda: "counting" in rows(busy)[0].state)
    assert "number 2" in rows(busy)[1].state
    assert "3" in busy.status.queue.text()
    assert "counting" in busy.status.stage.toolTip()
    assert "left" in rows(busy)[0].time_left
    assert "All 4 runs" in busy.queue.sum.text()
    pick(busy, "C")
    busy.queue.cancel.trigger()
    wait_until(lambda: letters(busy) == "ABD")
    assert states(busy) == {"A": "running", "B": "waiting", "C": "cancelled", "D": "waiting"}
    pick(busy, "B")
    busy.queue.list.setFocus()
    QTest.keyClick(busy.queue.list, Qt.Key.Key_Delete)
    wait_until(lambda: letters(busy) == "AD")
    assert states(busy) == {"A": "running", "C": "cancelled", "D": "waiting"}
    busy.controller.intents.undo.undo()
    assert states(busy)["B"] == "cancelled"  # struck out no more, and not begun again


def test_that_a_waiting_run_moves_up_and_down_by_keys(busy: MainWindow) -> None:
    pick(busy, "D")
    alt = Qt.KeyboardModifier.AltModifier
    busy.queue.list.setFocus()
    QTest.keyClick(busy.queue.list, Qt.Key.Key_Up, alt)
    assert letters(busy) == "ABDC"
    waiting = [busy.controller.runs.get(run) for run in busy.controller.queue.waiting]
    assert [run.letter for run in waiting if run is not None] == ["B", "D", "C"]
    QTest.keyClick(busy.queue.list, Qt.Key.Key_Up, alt)
    assert letters(busy) == "ADBC"
    assert not busy.queue.earlier.isEnabled()  # nothing overtakes what is at work
    QTest.keyClick(busy.queue.list, Qt.Key.Key_Down, alt)
    assert letters(busy) == "ABDC"
    busy.controller.cancel_run()
    wait_until(lambda: busy.controller.running is None)
    finished = [r for r in busy.controller.runs if r.state == "finished"]
    assert [r.letter for r in finished] == ["B", "C", "D"]
    assert list(states(busy).items()) == [
        ("A", "cancelled"), ("B", "finished"), ("C", "finished"), ("D", "finished"),
    ]  # fmt: skip


def test_that_the_panel_says_what_a_run_takes_and_the_run_teaches_it(window: MainWindow) -> None:
    cost, line = window.protect.params.cost, window.controller.queue
    assert "7 s" in cost.line.text()
    assert "3.0 GiB" in cost.line.text()
    assert "Fake method" in cost.toolTip()
    assert not cost.wrong.isVisible()
    with wait_signal(line.learned):
        window.header.run.click()
    stored = json.loads(present(past_runs()).read_text(encoding="utf-8"))
    assert [run[0] for run in stored["method/fake"]] == [len(fakes.small_log())]


def test_that_a_run_too_large_for_the_memory_offers_to_leave_out_what_is(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_queue, "memory_now", lambda: MemoryState(0, 2 * GIB))
    card = window.protect.params.cost
    window.controller.intents.set("K", 51.0)
    wait_until(card.leave.isVisible)
    assert "memory" in card.wrong.text()
    assert card.property("banner") == "bad"
    assert not card.faster.isVisible()
    card.leave.click()
    assert window.controller.intent.attacks == ()
    wait_until(lambda: not card.wrong.isVisible())
    window.controller.intents.undo.undo()
    assert window.controller.intent.attacks is None


def test_that_a_long_run_offers_the_faster_variant() -> None:
    card = keep(CostCard())
    params: Params = METHODS["microaggregation"].params().replace(search="exact")
    cost = RunCost(7_200.0, GIB, 1.0, False)
    planned, memory = RunForecast((RunPart("method", "microaggregation", cost),)), 64 * GIB
    warned = warn_of_resources(planned, params, MemoryState(0, memory))
    card.show_outline(QueuedRun(planned, warned), params, title_of)
    assert "2.0 h" in card.line.text()
    assert "Search for similar users: by size" in card.faster.text()
    with wait_signal(card.quicker) as taken:
        card.faster.click()
    assert taken.args == [{"search": "auto"}]
