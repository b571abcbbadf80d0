"""Finding a parameter for an expected figure, by hand."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from auditor.figures import SHARE, MetricValue
from auditor.gui.app.main_window import MainWindow
from auditor.gui.protect.params_panel import GoalRow
from auditor.methods.registry import METHODS
from tests.narrowing import present


def test_that_a_number_is_found_for_an_expected_figure_or_refused_beside_it(
    opened_window: MainWindow, qtbot: QtBot
) -> None:
    window = opened_window
    window.tune_by_hand()
    window.protect.params.goals.unfold()
    row = present(window.protect.params.goal)
    qtbot.waitUntil(lambda: row.isVisibleTo(window))
    numbers = [row.parameter.itemData(i) for i in range(row.parameter.count())]
    assert numbers == ["K", "b", "q_f", "top"]
    assert [row.figure.itemText(i) for i in range(row.figure.count())] == [
        "queries kept (%): at least"
    ]
    row.edit.setText("no number")
    row.button.click()
    assert "Type a number" in row.wrong.text()
    row.edit.setText("150")
    row.button.click()
    qtbot.waitUntil(lambda: "between" in row.wrong.text())
    before = window.controller.intent
    row.edit.setText("0")
    QTest.keyClick(row.edit, Qt.Key.Key_Return)
    with qtbot.waitSignal(window.controller.intents.changed):
        row.button.click()
    assert row.wrong.isHidden()
    assert window.controller.intent.params.b == 10.0  # type: ignore[attr-defined]
    window.controller.intents.undo.undo()
    assert window.controller.intent == before


def test_that_a_share_is_typed_in_per_cent_and_main_parameters_come_first(qtbot: QtBot) -> None:
    row = GoalRow(METHODS["safelog"].params, ("b", "q_f"))
    qtbot.addWidget(row)
    assert [row.parameter.itemData(i) for i in range(2)] == ["b", "q_f"]
    row.offer_metrics(
        [
            MetricValue("kept", "searches kept", 0.3, SHARE, "", "higher", "utility"),
            MetricValue("queries", "released queries", 4.0, "", "", "higher", "utility"),
        ]
    )
    assert row.figure.itemText(0) == "searches kept (%): at least"
    heard: list[tuple[str, str, float]] = []
    row.goal_requested.connect(lambda *what: heard.append(what))
    for typed in ("5", "5 %", "12.5%"):
        row.edit.setText(typed)
        row.button.click()
    row.figure.setCurrentIndex(1)
    row.edit.setText("5")
    row.button.click()
    assert heard == [
        ("b", "kept", 0.05),
        ("b", "kept", 0.05),
        ("b", "kept", 0.125),
        ("b", "queries", 5.0),
    ]
