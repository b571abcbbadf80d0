"""Explore: grids run in the background, shown as they fill, kept, stopped, and taken over."""

import dataclasses
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from auditor.engine.plan import Intent
from auditor.engine.sweep import SweepCell
from auditor.figures import SHARE
from auditor.gui.app.main_window import MainWindow
from auditor.gui.compare.explore_panel import ExplorePanel, GridFigure, HeatMap, SpanRow
from auditor.gui.state.run_queue import GridMemory, GridRunner, ParameterSpan, round_value
from tests.gui import fakes
from tests.gui.driving import keep, pick, show, wait_signal, wait_until
from tests.narrowing import present


@pytest.fixture
def window(opened: MainWindow) -> MainWindow:
    opened.show_workspace("compare")
    opened.compare.compare.tabs.setCurrentWidget(opened.compare.explore)
    return opened


def choose(row: SpanRow, name: str, low: str = "", high: str = "", steps: int = 2) -> None:
    pick(row.box, name)
    row.low.setText(low)
    row.high.setText(high)
    row.steps.setValue(steps)


def explored(window: MainWindow) -> ExplorePanel:
    window.compare.explore.start.click()
    wait_until(lambda: not window.controller.explorer.running)
    return window.compare.explore


def test_that_a_curve_or_a_heat_map_is_shown_and_its_points_are_taken(window: MainWindow) -> None:
    choose(window.compare.explore.first, "K", "10", "1000", 3)
    panel = explored(window)
    pick(panel.figure, "rows")
    assert panel.views.currentWidget() is panel.curves
    (line,) = present(panel.curves.plot.figure).series
    assert line.x.tolist() == [10, 100, 1000]
    assert line.y.tolist() == [10, 1, 0.1]  # the fake measure's 100 / K
    panel.curves.plot.picked.emit(80.0)
    assert window.controller.intent.params == fakes.FakeParams(K=100.0)
    window.controller.intents.undo.undo()
    assert window.controller.intent.params == fakes.FakeParams()
    choose(window.compare.explore.second, "q_f", "1", "1000", 2)
    panel = explored(window)
    assert panel.views.currentWidget() is panel.map
    cells = panel.map.cells
    for key in (Qt.Key.Key_Up, Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Return):
        QTest.keyClick(cells, key)
    assert window.controller.intent.params == fakes.FakeParams(q_f=1000, K=1000.0)
    lowest = cells.visualRect(cells.model().index(cells.rowCount() - 1, 0))
    QTest.mouseClick(cells.viewport(), Qt.MouseButton.LeftButton, pos=lowest.center())
    assert window.controller.intent.params == fakes.FakeParams(q_f=1, K=10.0)


def test_that_a_cell_is_run_once(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    panel, runs = window.compare.explore, list[tuple[float, int]]()
    original = fakes.METHOD.run

    def note_run(log: Any, params: Any, **rest: Any) -> Any:
        runs.append((params.K, params.q_f))
        return original(log, params, **rest)

    monkeypatch.setattr(fakes, "METHOD", dataclasses.replace(fakes.METHOD, run=note_run))
    choose(panel.first, "K", "10", "1000", 3)
    explored(window)
    assert runs == [(10, 40), (100, 40), (1000, 40)]
    explored(window)
    choose(panel.first, "K", "10", "100", 2)
    explored(window)
    assert len(runs) == 3
    choose(panel.second, "q_f", "1", "2", 2)
    explored(window)
    assert set(runs[3:]) == {(10, 1), (10, 2), (100, 1), (100, 2)}
    fakes.open_log(window.controller, fakes.small_log(9), "nine.tsv")
    explored(window)
    assert len(runs) == 11


def test_that_a_grid_without_sense_is_refused_and_one_can_be_stopped(window: MainWindow) -> None:
    panel, nothing = window.compare.explore, ("",)
    for first, second, message in (
        (("K", "0.5", "10", 3), nothing, "'K' parameter"),
        (("K", "abc", "10", 3), nothing, "'K' parameter"),
        (("K", "10", "20", 3), ("K", "10", "20", 3), "two different parameters"),
        (("K", "10", "9000", 100), ("b", "1", "90", 5), "fewer steps"),
    ):
        choose(panel.first, *first)
        choose(panel.second, *second)
        panel.start.click()
        assert message in panel.said.text()
        assert not window.controller.explorer.running
    choose(panel.second, "")
    choose(panel.first, "mode")  # one of them fails, another waits
    panel.compute.setCurrentIndex(1)
    panel.start.click()
    wait_until(lambda: not window.controller.explorer.running)
    assert "pool is empty" in panel.said.text()
    window.controller.intents.set("mode", "slow")
    choose(panel.first, "K", "10", "1000", 3)
    panel.start.click()
    assert panel.start.isHidden()
    assert window.status.stage.toolTip() == "Exploring: 0 of 3 cells"  # on every page
    panel.cancel.click()
    wait_until(lambda: not window.controller.explorer.running)
    assert window.status.stage.toolTip() == "Ready"
    assert panel.said.text() == "Stopped after 0 cells, which stay."
    assert not panel.start.isHidden()


def test_that_limits_move_together_on_equal_data() -> None:
    """SafeLog's Table 3: q_f = c_f over the same number of queries and clicks."""
    panel = keep(ExplorePanel())
    panel.show_intent(Intent(method="safelog"))
    choose(panel.first, "q_f=c_f", "1", "4", 3)
    assert not panel.equal.isHidden()
    panel.equal.setChecked(True)
    with wait_signal(panel.requested) as heard:
        panel.start.click()
    (sweep,) = present(heard.args)
    assert sweep.list_cells() == [{"q_f": n, "c_f": n} for n in (1, 2, 4)]
    assert sweep.equal
    first, *_ = sweep.list_cells()
    keys = {GridMemory(sweep, digest, {}).find_key(0, first) for digest in ("a log", "another")}
    assert len(keys) == 2, "no cell of one log is taken for another's"
    log = fakes.small_log()
    cells: list[SweepCell] = []
    explorer = GridRunner()
    explorer.cells_changed.connect(lambda batch, _wanted: cells.__setitem__(slice(None), batch))
    sweep = dataclasses.replace(sweep, measures=("volume",), attacks=())
    with wait_signal(explorer.ended):
        explorer.start(sweep, log)
    # One query and no click of each of 40 users at least: every cell gets about as much.
    assert [cell.row["rows_used"] for cell in cells] == [40, 40, 40]
    assert [cell.row["users"] for cell in cells] == [40, 20, 10]
    choose(panel.second, "q_f", "1", "4", 3)
    panel.start.click()
    assert "two different parameters" in panel.said.text()
    panel.show_intent(Intent(method="frequency-threshold"))
    assert panel.equal.isHidden()


def test_that_spans_step_on_the_parameters_own_scale() -> None:
    spec = fakes.FakeParams.spec
    for name, span, values in (
        ("K", (1, 100, 3), (1, 10, 100)),
        ("b", (0, 10, 3), (0, 5, 10)),
        ("q_f", (1, 3, 9), (1, 2, 3)),
        ("q_f", (3, 1, 3), (1, 2, 3)),
        ("lower", (), (False, True)),
    ):
        assert ParameterSpan(spec(name), *span).list_values() == values
    modes = ParameterSpan(spec("mode")).make_axis().values
    assert modes == ("strict", "published", "crash", "slow")
    values = ParameterSpan(spec("K"), 0.7, 70.3, 4).list_values()
    assert (values[0], values[-1]) == (0.7, 70.3)
    assert all(round_value(value) == pytest.approx(value) for value in values[1:-1])


def test_that_every_cell_says_its_value_and_what_is_guaranteed(qtbot: QtBot) -> None:
    heat = show(HeatMap())
    with qtbot.assertNotEmitted(heat.chosen):  # an empty map takes nothing
        QTest.keyClick(heat.cells, Qt.Key.Key_Return)
    figure = GridFigure("searches kept", {(1, 1): 0.29}, SHARE, {(1, 1): "ε 2"})
    heat.show_cells(("a", "b"), (1,), (1,), figure)
    cell = heat.cells.model().index(0, 0)
    assert cell.data() == "29 %\nε 2"
    assert "29 % (ε 2)" in cell.data(Qt.ItemDataRole.ToolTipRole)
    assert (heat.low.text(), heat.high.text()) == ("29 %", "29 %")
    assert heat.accessibleName() == "searches kept"
    heat.resize(900, 300)
    assert heat.title.text() == "searches kept, by a and b"
    assert heat.legend.text() == "Colour: searches kept"
    assert (heat.upwards.text(), heat.rightwards.text()) == ("↑ a", "b →")
    figure = GridFigure("test", {(1, 1): 0.5, (2, 2): float("nan")})
    heat.show_cells(("a", "b"), (1, 2), (1, 2), figure)
    heat.grab()
    model = heat.cells.model()  # the first row is at the bottom
    assert "not computed yet" in model.index(1, 1).data(Qt.ItemDataRole.ToolTipRole)
    assert [model.index(row, 0).data() for row in (0, 1)] == ["", "0.5"]
