"""What a steward can read at a glance: axes, letters of runs, figures and notes that fit."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from auditor.engine.plan import Plan
from auditor.engine.run import Run
from auditor.figures import MetricValue
from auditor.gui.plots.plot import PlainAxis, format_decade
from auditor.gui.protect.metrics_panel import MetricsPanel
from auditor.gui.state.run_book import run_letters
from auditor.gui.widgets import style
from auditor.gui.widgets.fields import ChoiceBox
from tests.gui import fakes


def run(number: int) -> Run:
    return Run(
        Plan(log_digest="", method="fake", params=fakes.FakeParams()),
        number=number,
        letter=run_letters(number),
        state="waiting",
    )


@pytest.mark.parametrize(
    ("place", "text"),
    [(0.0, "1"), (0.30103, "2"), (-2.0, "0.01"), (3.0, "1,000"), (4.0, "10,000"), (6.0, "10⁶")],
)
def test_that_a_log_axis_says_plain_numbers_near_one(place: float, text: str) -> None:
    assert format_decade(place) == text


def test_that_a_log_axis_labels_ones_twos_and_fives_only(qapp: QApplication) -> None:
    levels = PlainAxis("left").logTickValues(0.0, 2.0, 100.0, None)
    said = [format_decade(tick) for _, ticks in levels[:2] for tick in ticks]
    assert said == ["1", "10", "100", "2", "20", "5", "50"]
    assert len(levels[2][1]) == 2 * 6  # 3, 4, 6, 7, 8 and 9 have a tick without text


def test_that_long_units_and_intervals_leave_room_for_names(qtbot: QtBot) -> None:
    panel = MetricsPanel()
    qtbot.addWidget(panel)
    panel.show_values(
        (
            MetricValue("a", "error", 0.5, unit="of query volume"),
            MetricValue("b", "rate", 0.25, interval=(0.125, 0.5)),
            MetricValue("c", "kept", 10.0, unit="%"),
        ),
        "Run A",
    )
    cells = [
        tuple(item.text() if (item := panel.table.item(row, column)) else "" for column in (0, 1))
        for row in range(3)
    ]
    assert cells == [
        ("error (of query volume)", "0.5"),
        ("rate", "0.25\n0.125 to 0.5"),
        ("kept", "10\u00a0%"),
    ]


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
@pytest.mark.parametrize("theme", [style.LIGHT, style.DARK], ids=["light", "dark"])
def test_that_the_entry_that_an_open_list_stands_on_can_be_read(
    qtbot: QtBot, theme: style.WindowTheme
) -> None:
    """A list opened as a menu painted it in the colour of its ground."""
    box = ChoiceBox("a list", {"a": "mmmmmm", "b": "x", "c": "a long entry " * 5})
    qtbot.addWidget(box)
    box.setPalette(style.theme_palette(theme))
    box.setStyleSheet(style.style_sheet(theme))
    box.resize(120, 30)
    box.show()
    box.showPopup()
    view = box.view()
    qtbot.waitUntil(view.isVisible)
    picture = view.viewport().grab().toImage()
    row = view.visualRect(view.model().index(0, 0))
    light = [
        picture.pixelColor(x, y).lightness()
        for x in range(row.left() + 3, min(row.right(), 80))
        for y in range(row.top() + 3, row.bottom() - 2)
    ]
    assert max(light) - min(light) > 80
    assert view.viewport().width() >= view.sizeHintForColumn(0)
    box.hidePopup()
