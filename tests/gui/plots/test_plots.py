"""Figures become pictures, and follow in place."""

import dataclasses
import itertools
from typing import Any

import numpy as np
import pytest
from PySide6.QtGui import QColor, QFont, QFontMetrics, QImage, QPainter, QPicture

from auditor.figures import Axis, Figure, PlotMark, PlotZone, Series
from auditor.gui.plots.figure_view import FigurePane, FigureView, describe_figure
from auditor.gui.plots.plot import PlainAxis, format_decade, in_lines
from auditor.gui.plots.scales import round_range
from auditor.gui.widgets import style
from tests.gui import fakes
from tests.gui.driving import keep, show


@pytest.fixture
def view() -> FigureView:
    return show(FigureView(), 400, 300)


def figure(kind: Any = "line", **more: Any) -> Figure:
    x = np.arange(1.0, 6.0)
    series = (Series("s", x, x**2, kind),)
    return dataclasses.replace(
        Figure("f", "A figure", Axis("x", "users"), Axis("y"), series), **more
    )


def ink(view: FigureView) -> int:
    """Pixels of the first series' colour."""
    image = view.plot.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    data = np.frombuffer(image.constBits(), dtype=np.uint8).reshape(image.height(), -1)
    pixels = data[:, : 4 * image.width()].reshape(image.height(), image.width(), 4)
    colour = QColor(view.plot.theme.series[0])
    target = np.array([colour.blue(), colour.green(), colour.red()])
    return int(np.count_nonzero(np.abs(pixels[:, :, :3].astype(int) - target).max(axis=2) < 12))


@pytest.mark.parametrize("kind", ["line", "points", "bars", "steps"])
@pytest.mark.parametrize("scale", ["linear", "log"])
def test_that_every_kind_of_series_bears_hostile_numbers(
    view: FigureView, kind: Any, scale: Any
) -> None:
    y = np.array([0.0, 1.0, np.nan, np.inf, 1e-300, 1e300])
    series = Series("s", np.arange(1.0, 7.0), y, kind, low=y * 0.5, high=y * 2)
    view.show_figure(figure(series=(series,), y=Axis("y", scale=scale)))
    view.plot.grab()
    assert view.plot.isVisible()
    view.show_figure(figure(kind))
    assert ink(view) > 50


def test_that_the_same_figure_moves_its_items_in_place(view: FigureView) -> None:
    view.show_figure(figure())
    before = list(view.plot.drawn)
    x = np.arange(1.0, 6.0)
    view.show_figure(figure(series=(Series("s", x, x * 3, "line"),)))
    assert view.plot.drawn == before
    np.testing.assert_array_equal(before[0].getData()[1], x * 3)


def test_that_axes_carry_units_and_marks_their_words(view: FigureView) -> None:
    view.show_figure(figure(x=Axis("<img src=x>"), title="<b>t</b>"))
    assert "&lt;img" in view.plot.bottom.labelString()
    marks = (PlotMark("x", 3.0, "turning {point}", "optimum"), PlotMark("y", 9.0, "limit", "limit"))
    zones = (PlotZone("y", 10.0, float("inf"), "too much"),)
    view.show_figure(figure(marks=marks, zones=zones))
    assert "x (users)" in view.plot.bottom.labelString()
    assert view.plot.marks[0].value() == 3.0
    assert view.plot.marks[0].label.format.format(value=0) == "turning {point}"
    region, text = view.plot.zones[0]
    assert region.getRegion() == (10.0, view.plot.view.viewRange()[1][1])
    assert text.toPlainText() == "too much"


@pytest.mark.parametrize("points", [8, 18, 30])
@pytest.mark.parametrize("high", [0.018, 0.91, 7.0, 12_345.0])
def test_that_texts_of_ticks_leave_room_between(view: FigureView, points: int, high: float) -> None:
    axis: PlainAxis = view.plot.bottom
    axis.setTickFont(QFont("DejaVu Sans", points))
    view.show_figure(figure())
    view.plot.view.setXRange(0.0, high, padding=0.0)
    view.plot.lay_out_axes()
    picture = QPicture()
    painter = QPainter(picture)
    painter.setFont(axis.style["tickFont"])
    _, _, texts = axis.generateDrawSpecs(painter)
    painter.end()
    assert texts
    ends = sorted((rect.left(), rect.right()) for rect, _, _ in texts)
    assert all(right < left for (_, right), (left, _) in itertools.pairwise(ends))


@pytest.mark.parametrize(
    ("x", "y", "high", "integer"),
    [
        (Axis("a"), Axis("sessions"), 1.0, True),  # all that it shows is whole
        (Axis("a"), Axis("b", unit="users"), 0.4, True),  # its unit says so
        (Axis("a"), Axis("b", scale="log"), 3.0, True),
        (Axis("a"), Axis("similarity"), 0.7, False),
        (Axis("a"), Axis("probability", whole=1.0), 1.0, False),
        (Axis("", categories=("a long name", "b")), Axis("sessions"), 1.0, True),
    ],
)
def test_that_an_axis_of_counts_has_whole_numbers_at_its_ticks(
    view: FigureView, x: Axis, y: Axis, high: float, integer: bool
) -> None:
    places = np.arange(2.0)
    view.show_figure(figure(x=x, y=y, series=(Series("s", places, places * high, "bars"),)))
    axis = view.plot.bottom if view.plot.turned else view.plot.left
    low, top = axis.range
    texts = [
        text
        for spacing, values in axis.tickValues(low, top, 300)
        for text in axis.tickStrings(values, 1.0, spacing)
        if text
    ]
    assert len(texts) >= 2
    assert all(text.isdigit() for text in texts) == integer


def test_that_a_log_axis_says_plain_numbers_at_ones_twos_and_fives() -> None:
    places = (0.0, 0.30103, -2.0, 3.0, 4.0, 6.0)
    assert list(map(format_decade, places)) == ["1", "2", "0.01", "1,000", "10,000", "10⁶"]
    levels = PlainAxis("left").logTickValues(0.0, 2.0, 100.0, None)
    labels = [format_decade(tick) for _, ticks in levels[:2] for tick in ticks]
    assert labels == ["1", "10", "100", "2", "20", "5", "50"]
    assert len(levels[2][1]) == 2 * 6  # 3, 4, 6, 7, 8 and 9 have a tick without text


def test_that_long_category_names_lie_on_the_left(view: FigureView) -> None:
    names = tuple(f"a rather long query {i}" for i in range(5))
    view.show_figure(figure("bars", x=Axis("query", categories=names)))
    assert view.plot.turned
    assert ink(view) > 50
    view.show_figure(figure("bars", x=Axis("query", categories=tuple("abcde"))))
    assert not view.plot.turned


def test_that_a_figure_says_that_it_is_empty_and_names_several_series(view: FigureView) -> None:
    none = np.zeros(0)
    view.show_figure(figure(series=(Series("s", none, none),), note="Nobody asked anything."))
    assert not view.plot.isVisible()
    assert view.empty.text() == "Nobody asked anything."
    view.show_figure(figure())
    assert view.plot.isVisible()
    assert not view.legend.isVisible()
    x = np.arange(3.0)
    view.show_figure(figure(series=(Series("a", x, x), Series("b", x, x + 1))))
    assert view.legend.isVisible()
    assert view.legend.accessibleName() == "Legend: a, b"
    assert view.legend.geometry().bottom() < view.plot.geometry().top() + 1


def test_that_a_figure_can_be_heard() -> None:
    text = describe_figure(fakes.curves(fakes.FakeParams(), 100)[0])
    assert "ε over noise scale b." in text
    assert "turning point." in text
    assert "this q_f: from 0.4 to 40." in text


def test_that_zooming_is_kept_while_numbers_move(view: FigureView) -> None:
    view.show_figure(figure())
    view.plot.view.setRange(xRange=(2, 3), yRange=(4, 9), padding=0)
    view.plot._was_zoomed()
    view.show_figure(figure(marks=()))
    assert view.plot.view.viewRange()[0] == pytest.approx([2, 3])
    view.plot.zoomed = False
    view.plot.show_full_range()
    assert view.plot.view.viewRange()[0] != pytest.approx([2, 3])


def test_that_nice_ranges_hold_the_data() -> None:
    for low, high, scale in (
        (0, 0, "linear"), (-3, -3, "linear"), (0.013, 97, "linear"),
        (-6.2, 1.1, "log"), (2, 2, "log"),
    ):  # fmt: skip
        start, stop = round_range(low, high, Axis("a", scale=scale))  # type: ignore[arg-type]
        assert start <= low <= high <= stop
        assert start < stop


def test_that_a_pane_keeps_its_pick_while_figures_change() -> None:
    pane = keep(FigurePane("Setting", "nothing yet"))
    assert pane.view.empty.text() == "nothing yet"
    pane.show_figures("", fakes.curves(fakes.FakeParams(), 100))
    pane.box.setCurrentIndex(1)
    pane.show_figures("", fakes.curves(fakes.FakeParams(b=3.0), 100))
    assert pane.box.currentText() == "δ over K"
    pane.show_figures("Run A", (figure(),), pick=True)
    assert pane.box.currentText() == "A figure (Run A)"
    pane.drop_groups()
    assert pane.view.empty.text() == "nothing yet"


def test_that_a_title_of_an_axis_goes_on_in_a_second_line_if_it_must(view: FigureView) -> None:
    metrics = QFontMetrics(style.scaled_font(view, style.SMALL))
    title = "searches whose query is released: share kept"
    half = round(0.6 * metrics.horizontalAdvance(title))
    lines = in_lines(title, metrics, half)
    assert lines == ["searches whose query is", "released: share kept"]
    assert in_lines(title, metrics, metrics.horizontalAdvance(title)) == [title]
    assert all("…" in line for line in in_lines(title, metrics, half // 3))


def test_that_names_of_bars_stand_clear_of_each_other_in_a_low_plot(view: FigureView) -> None:
    names = tuple(f"kind of content {number}" for number in range(12))
    bars = Series("s", np.arange(12.0), np.arange(12.0), "bars")
    drawn = figure(x=Axis("", categories=names), series=(bars,))
    view.show_figure(drawn)
    for height in (140, 600):
        view.resize(400, height)
        view.show_figure(drawn)
        line = QFontMetrics(style.scaled_font(view, style.SMALL)).height()
        ticks = view.plot.left._tickLevels[0]
        apart = (ticks[1][0] - ticks[0][0]) * (view.plot.height() - 40) / len(names)
        assert apart >= line
    assert len(ticks) == 12


def test_that_an_axis_works_ticks_out_once(
    view: FigureView, monkeypatch: pytest.MonkeyPatch
) -> None:
    view.resize(500, 300)
    view.show()
    view.show_figure(figure())
    view.plot.lay_out_axes()
    axis = view.plot.left
    axis.prepare_ticks()
    _, ticks, texts = axis.picture
    assert ticks
    assert texts
    calls: list[int] = []
    monkeypatch.setattr(axis, "generateDrawSpecs", lambda _painter: calls.append(1))
    size = axis.boundingRect().toAlignedRect().size()
    drawn = QImage(size, QImage.Format.Format_ARGB32_Premultiplied)
    drawn.fill(0)
    painter = QPainter(drawn)
    painter.translate(-axis.boundingRect().topLeft())
    axis.paint(painter, None, None)
    painter.end()
    assert not calls
    _, start, end = ticks[0]  # the first line of the grid, from one side of the view to the other
    row = round(start.y() - axis.boundingRect().top())
    columns = [start.x(), end.x()]
    middle = round(sum(columns) / 2 - axis.boundingRect().left())
    assert any(drawn.pixelColor(middle, row + step).alpha() for step in (-1, 0, 1))
    assert not any(drawn.pixelColor(middle, row + step).alpha() for step in (4, 5, 6))
