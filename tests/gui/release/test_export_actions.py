"""Plots, tables and texts taken out of the window: what is in them, and what isn't."""

import dataclasses
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtPrintSupport import QPrinter
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from auditor.figures import Axis, Figure, MetricValue, PlotMark, PlotZone, Series, Table
from auditor.gui.app.navigation import Banner
from auditor.gui.compare.explore_panel import GridFigure, HeatMap
from auditor.gui.compare.tables_panel import TablesPanel
from auditor.gui.plots.figure_view import FigureView
from auditor.gui.protect.statement_panel import MetricsPanel, StatementPanel
from auditor.gui.release import exportable
from auditor.gui.release.export_actions import ExportActions
from auditor.gui.release.exportable import Exportable, of_figure
from auditor.gui.widgets import style
from auditor.release.report.drawing import RAMP
from tests.gui import fakes
from tests.gui.driving import keep, show, wait_until
from tests.narrowing import present

SECRET = "wilhelmina roe springfield"


def make_figure(kind: Any = "line") -> Figure:
    x = np.arange(1.0, 6.0)
    y = x**2
    return Figure(
        "f",
        "How far it goes",
        Axis("known", "users"),
        Axis("found", "%"),
        (Series("one", x, y, kind, low=y - 0.5, high=y + 0.5), Series("two", x, 20 - x, kind)),
        marks=(PlotMark("x", 3.0, "turn"), PlotMark("y", 9.0, "limit", "limit")),
        zones=(PlotZone("y", 15.0, float("inf"), "too much"),),
    )


def colours(svg: str) -> set[str]:
    image = QImage.fromData(svg.encode())
    return {
        image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())
    }


@pytest.mark.parametrize("kind", ["line", "points", "bars", "steps"])
def test_that_a_picture_holds_title_axes_units_and_every_series(kind: str) -> None:
    svg = present(of_figure(make_figure(kind), "Run A").svg)()
    for word in ("How far it goes (Run A)", "known (users)", "found (%)", "one", "two", "turn",
                 "limit", "too much"):  # fmt: skip
        assert word in svg, word
    assert style.LIGHT.series[1].lower() in svg.lower()
    assert style.LIGHT.series[0].lower() in colours(svg)


def test_that_a_picture_has_light_ground_and_bears_hostile_numbers() -> None:
    y = np.array([0.0, 1.0, np.nan, np.inf, 1e-300, 1e300])
    series = Series("s", np.arange(1.0, 7.0), y)
    hostile = Figure("f", "t", Axis("x"), Axis("y", scale="log"), (series,))
    image = present(of_figure(hostile).draw)(exportable.SHARP)
    assert image.pixelColor(2, 2).name() == style.LIGHT.surface
    assert image.width() == exportable.SHARP * exportable.SIZE.width()


def test_that_a_drawing_holds_no_words_that_the_plot_does_not_show() -> None:
    view = keep(FigureView())
    names = Axis("query", categories=(SECRET, "b", "c", "d", "e", "f"))
    figure = make_figure()
    raw = dataclasses.replace(figure, x=names, private=True)
    for drawn, private in ((figure, False), (raw, True)):
        view.show_figure(drawn)
        handout = present(view.make_exportable())
        assert handout.private == private
        assert (SECRET in present(handout.svg)()) == private


def test_that_tables_figures_and_statements_are_taken_out_as_they_stand() -> None:
    tables = keep(TablesPanel())
    tables.show_tables([("g", [Table("t", "Counts", ("n", "what"), [[1, "b"], [3, "a"]])])])
    tables.view.sortByColumn(0, Qt.SortOrder.DescendingOrder)
    counts = present(tables.make_exportable())
    assert [list(row) for row in counts.rows] == [["n", "what"], [3, "a"], [1, "b"]]
    values = keep(MetricsPanel())
    rate = MetricValue("v", "rate", 0.5, interval=(0.4, 0.6), better="lower")
    values.show_values([rate], "Run A")
    metrics = present(values.make_exportable())
    assert list(metrics.rows[1]) == ["rate", 0.5, "", 0.4, 0.6, "lower"]
    statement = keep(StatementPanel())
    assert statement.make_exportable() is None
    statement.show_statement(fakes.statement(fakes.FakeParams()), "Of run A")
    claim = present(statement.make_exportable())
    assert "✗ fails: The pool was chosen without looking at the log." in exportable.text_of(claim)
    assert claim.kinds == ("txt",)


def test_that_a_heat_map_is_a_picture_with_its_titles() -> None:
    heat = keep(HeatMap())
    assert heat.make_exportable() is None
    figure = GridFigure("rate", {(1, 3): 0.5, (2, 4): 0.7}, guarantees={(2, 4): "ε 2"})
    heat.show_cells(("K", "b"), [1, 2], [3, 4], figure)
    handout = present(heat.make_exportable())
    text = present(handout.svg)().replace("\n", "")
    words = re.findall(r">\s*([^<>]+?)\s*</(?:text|tspan)", text)
    assert {"rate", "K", "b", "1", "2", "3", "4", "0.5", "0.7", "ε 2"} <= set(words)
    assert 'aria-label="rate: K over b, 0.5 to 0.7."' in text
    shot = present(handout.draw)(exportable.SHARP)
    shades = {shot.pixelColor(x, y).name() for x in range(0, 1920, 40) for y in range(0, 1200, 40)}
    assert {RAMP[0], RAMP[-1]} <= shades  # the lowest and the highest cell
    assert style.LIGHT.grid in shades  # the two that nothing is known of


class Workplace(QWidget):
    """A plot and a table of which something can be taken away."""

    def __init__(self) -> None:
        super().__init__()
        self.view, self.banner, self.tables = FigureView(), Banner(), TablesPanel()
        style.column(self, [self.banner, self.view, self.tables])
        self.actions_out = ExportActions(self, self.banner, (self.view, self.tables))


@pytest.fixture
def window() -> Workplace:
    return show(Workplace(), 600, 400)


def test_that_copying_puts_drawing_and_pixels_on_the_clipboard(window: Workplace) -> None:
    hands = window.actions_out
    hands.copy.trigger()
    assert "no plot or table" in window.banner.text.text()
    window.view.show_figure(make_figure())
    hands.copy.trigger()
    data = QGuiApplication.clipboard().mimeData()
    assert data.hasImage()
    assert b"How far it goes" in bytes(data.data("image/svg+xml").data())


def test_that_words_of_the_log_leave_after_a_warning(window: Workplace, tmp_path: Path) -> None:
    hands = window.actions_out
    private = Table("t", "Users", ("user",), [[SECRET]], private=True)
    window.tables.show_tables([("g", [private])])
    hands._last = window.tables
    hands.save.trigger()
    box = present(window.findChild(QMessageBox))
    assert box.defaultButton() is box.button(QMessageBox.StandardButton.Cancel)
    box.button(QMessageBox.StandardButton.Cancel).click()
    assert window.findChild(QFileDialog) is None
    hands.save.trigger()
    box = window.findChildren(QMessageBox)[-1]
    next(b for b in box.buttons() if b is not box.defaultButton()).click()
    dialog = present(window.findChild(QFileDialog))
    hands.copy.trigger()
    assert "words of the raw log" in window.banner.text.text()
    dialog.fileSelected.emit(str(tmp_path / "users.csv"))
    dialog.close()
    wait_until(lambda: not hands.jobs)
    assert (tmp_path / "users.csv").read_text() == f"user\n{SECRET}\n"


def test_that_a_plot_is_saved_as_the_file_says(window: Workplace, tmp_path: Path) -> None:
    hands = window.actions_out
    for name in ("plot.svg", "plot.png"):
        hands.write_exportable(of_figure(make_figure()), tmp_path / name)
        wait_until(lambda: not hands.jobs)
        assert not QImage(str(tmp_path / name)).isNull()
    hands.write_exportable(of_figure(make_figure()), tmp_path / "nowhere" / "plot.svg")
    wait_until(lambda: not hands.jobs)
    assert "plot.svg" in window.banner.text.text()


def test_that_pages_are_printed_to_a_file(tmp_path: Path) -> None:
    picture = of_figure(make_figure(), "Run A")
    long = Exportable("Many", rows=[("n", "text"), *((n, "x" * (n % 300)) for n in range(500))])
    text = Exportable("Said", lines=["A paragraph. " * 400] * 4)
    pages = []
    for number, handout in enumerate((picture, long, text)):
        path = tmp_path / f"{number}.pdf"
        printer = QPrinter(QPrinter.PrinterMode.HighResolution)
        printer.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
        printer.setOutputFileName(str(path))
        printer.setPageOrientation(exportable.page_orientation(handout))
        exportable.print_on(handout, printer)
        data = path.read_bytes()
        assert data.startswith(b"%PDF")
        pages.append(data.count(b"/Type /Page\n"))
    assert pages[0] == 1
    assert pages[1] > 4
    assert pages[2] > 1
