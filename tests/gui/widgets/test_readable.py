"""What a steward can read at a glance: axes, letters of runs, figures and notes that fit."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication, QStyle, QStyleOptionComboBox, QWidget

from auditor.gui.plots.plot import PlainAxis, format_decade
from auditor.gui.widgets import style
from auditor.gui.widgets.fields import ChoiceBox
from tests.gui.driving import keep, wait_until


@pytest.mark.parametrize(
    ("place", "text"),
    [(0.0, "1"), (0.30103, "2"), (-2.0, "0.01"), (3.0, "1,000"), (4.0, "10,000"), (6.0, "10⁶")],
)
def test_that_a_log_axis_says_plain_numbers_near_one(place: float, text: str) -> None:
    assert format_decade(place) == text


def test_that_a_log_axis_labels_ones_twos_and_fives_only(qapp: QApplication) -> None:
    levels = PlainAxis("left").logTickValues(0.0, 2.0, 100.0, None)
    labels = [format_decade(tick) for _, ticks in levels[:2] for tick in ticks]
    assert labels == ["1", "10", "100", "2", "20", "5", "50"]
    assert len(levels[2][1]) == 2 * 6  # 3, 4, 6, 7, 8 and 9 have a tick without text


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
@pytest.mark.parametrize("theme", [style.LIGHT, style.DARK], ids=["light", "dark"])
def test_that_the_entry_that_an_open_list_stands_on_can_be_read(theme: style.WindowTheme) -> None:
    """A list opened as a menu painted it in the colour of its ground."""
    box = keep(ChoiceBox("a list", {"a": "mmmmmm", "b": "x", "c": "a long entry " * 5}))
    box.setPalette(style.theme_palette(theme))
    box.setStyleSheet(style.style_sheet(theme))
    box.resize(120, 30)
    box.show()
    box.showPopup()
    view = box.view()
    wait_until(view.isVisible)
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


def test_that_what_has_no_room_in_a_closed_list_ends_in_an_ellipsis(qapp: QApplication) -> None:
    """With text twice as large the ellipsis itself was cut off."""
    usual, part = qapp.font(), QStyle.SubControl.SC_ComboBoxEditField
    qapp.setFont(style.scaled_font(QWidget(), 2.0))
    box, option = ChoiceBox("a list", {"a": "a long entry " * 5}), QStyleOptionComboBox()
    keep(box)
    box.setStyleSheet(style.style_sheet(style.LIGHT))
    box.resize(300, 40)
    box.ensurePolished()
    box.initStyleOption(option)
    room = box.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, part, box).width()
    qapp.setFont(usual)
    assert option.currentText.endswith("…")
    assert option.fontMetrics.horizontalAdvance(option.currentText) < room
