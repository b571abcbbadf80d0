"""Finding a parameter for an expected figure, by hand."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from auditor.gui.app.main_window import MainWindow
from auditor.gui.protect.goal_row import GoalRow
from auditor.gui.state import log_loading
from auditor.progress import silent_progress
from tests.gui import fakes

WAIT = 20_000


@pytest.fixture
def window(bare_window: MainWindow, qtbot: QtBot) -> MainWindow:
    bare_window.controller.adopt_log(
        log_loading.prepare_log(fakes.small_log(), "small.tsv", silent_progress())
    )
    bare_window.show_workspace("protect")
    bare_window.protect.params.goals.unfold()
    qtbot.waitUntil(lambda: bare_window.protect.params.goal is not None, timeout=WAIT)
    qtbot.waitUntil(lambda: goal(bare_window).isVisibleTo(bare_window), timeout=WAIT)
    return bare_window


def goal(window: MainWindow) -> GoalRow:
    assert window.protect.params.goal is not None
    return window.protect.params.goal


def test_that_every_number_can_be_found_for_every_expected_figure(window: MainWindow) -> None:
    row, numbers = goal(window), ("K", "b", "q_f", "top")
    assert [row.parameter.itemData(i) for i in range(row.parameter.count())] == list(numbers)
    assert [row.figure.itemText(i) for i in range(row.figure.count())] == [
        "queries kept (%): at least"
    ]


def test_that_a_wanted_share_moves_the_slider(window: MainWindow, qtbot: QtBot) -> None:
    row = goal(window)
    before = window.controller.intent
    row.edit.setText("0")
    QTest.keyClick(row.edit, Qt.Key.Key_Return)
    with qtbot.waitSignal(window.controller.intents.changed, timeout=WAIT):
        row.button.click()
    assert row.wrong.isHidden()
    assert window.controller.intent.params.b == 10.0  # type: ignore[attr-defined]
    window.controller.intents.undo.undo()
    assert window.controller.intent == before


def test_that_a_share_nobody_can_have_is_refused_beside_it(
    window: MainWindow, qtbot: QtBot
) -> None:
    row = goal(window)
    row.edit.setText("no number")
    row.button.click()
    assert "Type a number" in row.wrong.text()
    row.edit.setText("150")
    row.button.click()
    qtbot.waitUntil(lambda: "between" in row.wrong.text(), timeout=WAIT)
