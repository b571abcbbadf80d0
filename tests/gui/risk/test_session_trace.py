"""From a count in a table, a list or a plot to its sessions: by click and by key."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest

from auditor.figures import Axis, Figure, MetricValue, Series, Table, UserReference
from auditor.gui.app.main_window import MainWindow
from auditor.gui.compare.tables_panel import TablesPanel
from auditor.gui.plots import scales
from auditor.gui.plots.figure_view import FigureView
from auditor.gui.protect.statement_panel import MetricsPanel
from tests.gui.driving import keep, show, wait_idle, wait_signal, wait_until


def test_that_a_coloured_cell_and_a_figure_of_the_list_ask_for_their_people() -> None:
    panel = keep(TablesPanel())
    who = UserReference.from_list("users", np.array([7, 8]))
    table = Table("t", "Counts", ("n", "of"), [[1, "b"], [3, "a"]], who={0: who})
    panel.show_tables([("g", [table])])
    assert "coloured cell" in panel.note.text()
    panel.view.sortByColumn(0, Qt.SortOrder.DescendingOrder)
    with wait_signal(panel.whose) as emitted:
        panel.view.setCurrentIndex(panel.sorter.index(0, 0))
        QTest.keyClick(panel.view, Qt.Key.Key_Return)
    assert emitted.args == [who, 1, "Counts · n · a"]
    heard: list[object] = []
    panel.whose.connect(lambda *what: heard.append(what))
    panel.view.activated.emit(panel.sorter.index(0, 1))
    assert heard == []
    panel.show_tables([("g", [dataclasses.replace(table, who={})])])
    assert "No sessions stand behind" in panel.note.text()
    figures = keep(MetricsPanel())
    figures.show_values([MetricValue("a", "a", 1.0), MetricValue("b", "bs", 2.0, who=who)], "Run A")
    with wait_signal(figures.trace_requested) as emitted:
        figures.table.activated.emit(figures.model.index(1, 1))
    assert emitted.args == [who, 0, "bs"]
    figures.table.activated.emit(figures.model.index(0, 0))  # nobody stands behind it


@pytest.mark.parametrize("kind", ["bars", "points", "line"])
def test_that_a_point_of_a_plot_asks_by_click_and_by_key(kind: str) -> None:
    view = show(FigureView(), 400, 300)
    x = np.array([0.0, 1.0, 2.0])
    who = UserReference.from_list("users", np.array([5, 6, 7]))
    series = Series("s", x, np.array([4.0, 1.0, 2.0]), kind, who=who)  # type: ignore[arg-type]
    view.show_figure(Figure("f", "A figure", Axis("x"), Axis("y"), (series,)))
    view.plot.grab()
    place = view.plot.view.mapViewToScene(QPointF(1.0, 1.0))
    assert scales.find_point_under(view.plot, place) == (0, 1)
    far = view.plot.view.mapViewToScene(QPointF(0.5, 3.9))
    assert scales.find_point_under(view.plot, far) is None
    for _ in range(2):
        QTest.keyClick(view.plot, Qt.Key.Key_Right)
    with wait_signal(view.plot.whose) as emitted:
        QTest.keyClick(view.plot, Qt.Key.Key_Return)
    assert emitted.args == [who, 1, "A figure · s · 1"]
    assert "s: 1" in view.readout.text()


def test_that_the_list_goes_back_to_all_that_was_flagged(opened: MainWindow) -> None:
    controller, page = opened.controller, opened.risk
    controller.run()
    wait_idle(opened)
    wait_until(lambda: page.panel.model.rowCount() == 40)
    page.trace_count(UserReference.from_list("users", np.array([1])), 0, "a count")
    assert opened.workspace == "risk"
    wait_until(lambda: "Behind “a count” of run A" in page.bar.text.text())
    wait_until(lambda: 0 < page.panel.model.rowCount() < 40)
    page.bar.action.click()
    wait_until(lambda: page.panel.model.rowCount() == 40)
    assert page.bar.isHidden()
