"""Drawings: every kind of figure, hostile words, and no meaning by colour alone."""

import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from auditor.figures import SHARE, Axis, Figure, PlotMark, PlotZone, Series
from auditor.release.report.drawing import (
    ON_LIGHT,
    FigureDrawing,
    apply_theme_colours,
    figure_svg,
    format_tick,
    theme_css,
    thin_positions,
)
from tests.release.fakes import figures

X = np.arange(4.0)
NAMES = ("one", "two", "three", "four")
KINDS = ("line", "points", "bars", "steps")


def shape(kind: str, categories: tuple[str, ...] = (), scale: str = "linear") -> Figure:
    series = tuple(
        Series(f"{kind} {i}", X, X + i + 1, kind, low=X + i, high=X + i + 2)  # type: ignore[arg-type]
        for i in range(3)
    )
    return Figure(
        "f",
        "T",
        Axis("across", "events", categories=categories),
        Axis("up", scale=scale),  # type: ignore[arg-type]
        series,
        marks=(PlotMark("x", 1.0, "here", "current"), PlotMark("y", 2.0, "there", "limit")),
        zones=(PlotZone("x", 2.0, 99.0, "far", "note"), PlotZone("y", 3.0, 4.0, "bad", "bad")),
    )


def words(svg: str) -> str:
    return " ".join(ET.fromstring(svg).itertext())


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("scale", "categories"),
    [("linear", ()), ("log", NAMES), ("linear", tuple("long name " * 4 + n for n in NAMES))],
)
def test_that_every_kind_is_drawn_with_its_words(
    kind: str, scale: str, categories: tuple[str, ...]
) -> None:
    text = words(figure_svg(shape(kind, categories, scale)))
    for word in ("across (events)", "up", f"{kind} 0", f"{kind} 2", "here", "there", "far", "bad"):
        assert word in text
    for name in categories:
        assert name[:20] in text


@pytest.mark.parametrize(
    ("unit", "high", "whole"), [("", 2.0, True), ("users", 0.4, True), ("", 0.4, False)]
)
def test_that_nobody_is_halved_at_the_ticks(unit: str, high: float, whole: bool) -> None:
    bars = Series("s", np.arange(2.0), np.arange(2.0) * high, "bars")
    svg = figure_svg(Figure("f", "T", Axis("", categories=("a", "b")), Axis("up", unit), (bars,)))
    numbers = re.findall(r"\b\d[\d.]*\b", words(svg).partition("up")[0])
    assert numbers
    assert all("." not in number for number in numbers) == whole


def test_that_words_are_neither_markup_nor_formulas() -> None:
    svg = figure_svg(figures()[0], titled=True)
    assert svg == figure_svg(figures()[0], titled=True)
    text = words(svg)
    assert "<script" not in svg
    assert "<script>alert('x')</scri" in text
    assert "$\\alpha$" in text
    assert "\u202e" not in svg


def test_that_a_drawing_asks_nothing_of_the_network() -> None:
    svg = figure_svg(shape("points", NAMES))
    assert set(re.findall(r'https?://[^"\s]+', svg)) <= {
        "http://www.w3.org/1999/xlink",
        "http://www.w3.org/2000/svg",
    }
    assert "http" not in apply_theme_colours(svg)
    assert "<!DOCTYPE" not in svg
    assert "<metadata" not in svg


def test_that_series_differ_in_more_than_colour() -> None:
    lines = figure_svg(shape("line"))
    dashes = set(re.findall(r"stroke-dasharray: ([^;\"]+)", lines))
    assert len(dashes) >= 2
    markers = set(re.findall(r'<path id="([^"]+)"', figure_svg(shape("points"))))
    assert len(markers) >= 3
    assert figure_svg(shape("bars")).count("<pattern") >= 2


@pytest.mark.parametrize("scale", ["linear", "log"])
@pytest.mark.parametrize(
    "values",
    [[np.nan] * 3, [np.inf, -np.inf, np.nan], [0.0] * 3, [-1.0, 0.0, 2.0], [1e-300, 1.0, 1e300]],
)
def test_that_values_which_no_axis_has_do_not_stop_a_drawing(
    scale: str, values: list[float]
) -> None:
    y = np.array(values)
    series = tuple(Series(kind, np.arange(3.0), y, kind) for kind in KINDS)  # type: ignore[arg-type]
    figure = Figure("n", "n", Axis("x"), Axis("y", scale=scale), series)  # type: ignore[arg-type]
    svg = figure_svg(figure)
    assert ("nothing to draw" in words(svg)) == (not np.isfinite(y).any())
    assert not re.search(r"\b(nan|inf)\b", re.sub(r"<text.*?</text>", "", svg))


@pytest.mark.parametrize("names", [("a", "b"), ("a long name of something kept " * 2, "b")])
def test_that_a_bar_of_two_per_cent_is_drawn_against_all_of_it(names: tuple[str, ...]) -> None:
    series = Series("kept", np.arange(2.0), np.array([0.02, 0.01]), "bars")
    axis = Axis("share kept", unit=SHARE, whole=1.0)
    text = words(figure_svg(Figure("f", "T", Axis("what", categories=names), axis, (series,))))
    assert "100 %" in text


def test_that_names_of_any_script_and_length_are_drawn() -> None:
    assert "nothing to draw" in words(figure_svg(Figure("n", "n", Axis("x"), Axis("y"), ())))
    names = ("検索", "поиск", "_hidden", "a" * 500, "\x00\x07")
    series = tuple(Series(name, X, X) for name in names)
    text = words(figure_svg(Figure("n", "n", Axis("x"), Axis("y"), series)))
    for name in ("検索", "поиск", "_hidden", "a" * 30):
        assert name in text
    assert "a" * 100 not in text


def test_that_many_points_make_no_large_file_and_say_that_they_were_thinned() -> None:
    y = np.zeros(200_000)
    y[123_456] = 7.0
    figure = Figure("n", "n", Axis("x"), Axis("y"), (Series("s", np.arange(2e5), y),))
    svg = figure_svg(figure)
    assert len(svg) < 100_000
    assert "thinned" in words(svg)


@given(arrays(np.float64, st.integers(1, 400), elements=st.floats(-1e9, 1e9)), st.integers(4, 50))
def test_that_thinning_keeps_ends_and_peaks(y: np.ndarray, most: int) -> None:
    positions = thin_positions(y, most, peaks=True)
    assert len(positions) <= max(most, len(y) if len(y) <= most else most)
    assert (np.diff(positions) > 0).all()
    assert {0, len(y) - 1} <= set(positions.tolist())
    assert y[positions].min() == y.min()
    assert y[positions].max() == y.max()
    points = thin_positions(y, most, peaks=False)
    assert {0, len(y) - 1} <= set(points.tolist())
    assert len(points) <= max(most, 1)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (0.25, "0.25"),
        (-3, "−3"),
        (1234, "1,234"),
        (1e6, "1,000,000"),
        (2.5e7, "25 M"),
        (3e9, "3 bn"),
        (1e-6, "10⁻⁶"),
        (2e-6, "2 × 10⁻⁶"),
        (1e-40, "10⁻⁴⁰"),
        (float("inf"), ""),
    ],
)
def test_that_ticks_are_short_and_plain(value: float, text: str) -> None:
    assert format_tick(value) == text


def test_that_a_page_can_change_every_colour() -> None:
    svg = apply_theme_colours(figure_svg(shape("line")))
    light, dark = theme_css()
    used = set(re.findall(r"var\((--plot-\w+)", svg))
    assert {"--plot-paper", "--plot-ink", "--plot-0", "--plot-1", "--plot-2"} <= used
    assert all(f"{name}:" in light and f"{name}:" in dark for name in used)
    bare = re.sub(r"var\(--plot-\w+, #\w+\)", "", svg)
    assert not re.search(r"#[0-9a-f]{6}\b", bare)


def test_that_two_drawings_on_a_page_share_no_id() -> None:
    drawings = map(figure_svg, (shape("points"), figures()[0]))
    ids = [set(re.findall(r' id="([^"]+)"', svg)) for svg in drawings]
    assert all(ids)
    assert not ids[0] & ids[1]


@pytest.mark.parametrize("scale", ["linear", "log"])
@pytest.mark.parametrize("mark", [0.02, 40.0])
def test_that_a_mark_beyond_the_data_stands_on_the_axis(scale: str, mark: float) -> None:
    from matplotlib.figure import Figure as Sheet

    across, series = Axis("x", scale=scale), (Series("one", X[1:], X[1:]),)  # type: ignore[arg-type]
    marks = (PlotMark("x", mark, "claimed", "current"),)
    figure = Figure("far", "A claim far off", across, Axis("y"), series, marks=marks)
    axes = Sheet().add_subplot()
    FigureDrawing(figure, axes, ON_LIGHT, 640, 340).draw()
    low, high = axes.get_xlim()
    assert low < mark < high
    assert low < 1 < 3 < high
    assert high - low < 80
