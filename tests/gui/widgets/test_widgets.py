"""Lists, values and the wheel, labels as high as their words, numbers and names as they read."""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QTextDocument
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QComboBox,
    QDoubleSpinBox,
    QLabel,
    QSlider,
    QStyle,
    QStyleOptionComboBox,
    QWidget,
)
from pytestqt.qtbot import QtBot

from auditor.gui.app.main_window import MainWindow
from auditor.gui.widgets import formats, style
from auditor.gui.widgets.areas import ElidedLabel, PageArea
from auditor.gui.widgets.fields import ChoiceBox, WheelGuard, WrappingLabel, ignore_wheel
from auditor.gui.widgets.safe_text import plain_tip
from auditor.methods.registry import METHODS
from tests.gui.driving import keep, show, wait_until

HOSTILE = '<img src="file:///etc/passwd"><b>harmless.tsv</b> & more\n  next line'


def test_that_parameters_that_differ_read_in_the_fields_words() -> None:
    """Numbers stand under their symbols; a flag's name is no language for a reader."""
    defaults = METHODS["safelog"].params()
    changed = defaults.replace(b=20.0, clicks=False)
    assert formats.brief_parameters(defaults) == "defaults"
    assert formats.brief_parameters(changed) == "b=20, Release clicks: no"


def test_that_one_of_a_unit_is_told_as_one_and_a_line_begins_with_a_large_letter() -> None:
    threshold = METHODS["frequency-threshold"].params.spec("n")
    assert formats.format_parameter(threshold, 1) == "1\u00a0user"
    assert formats.format_parameter(threshold, 2) == "2\u00a0users"
    assert formats.format_quantity(1.0, "queries") == "1\u00a0query"
    assert formats.format_quantity(1.0, "min") == "1\u00a0min"
    assert formats.capitalize("no formal guarantee") == "No formal guarantee"
    assert formats.capitalize("ε 2 per day") == "ε 2 per day"


def test_that_mark_up_in_a_tip_is_text() -> None:
    label = keep(ElidedLabel())
    label.show_text(HOSTILE)
    assert label.accessibleName() == HOSTILE
    document = QTextDocument()
    for tip in (plain_tip(HOSTILE), label.toolTip()):
        assert "<img" not in tip
        document.setHtml(tip)
        assert document.toPlainText().replace("\u2028", "\n") == HOSTILE
    assert plain_tip("logs & more.tsv") == "logs & more.tsv"


TEXT = "Nobody can tell from the release whether one user's searches were in the log. " * 3


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
@pytest.mark.parametrize("theme", [style.LIGHT, style.DARK], ids=["light", "dark"])
def test_that_the_entry_that_an_open_list_stands_on_can_be_read(theme: style.WindowTheme) -> None:
    """A list opened as a menu painted it in the colour of its ground."""
    box = keep(ChoiceBox("a list", {"a": "mmmmmm", "b": "x", "c": "a long entry " * 5}))
    box.setPalette(style.theme_palette(theme))
    box.setStyleSheet(style.style_sheet(theme))
    show(box, 120, 30)
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


def test_that_what_has_no_room_in_a_closed_list_ends_in_an_ellipsis(large_text: None) -> None:
    """With text twice as large the ellipsis itself was cut off."""
    box, option = keep(ChoiceBox("a list", {"a": "a long entry " * 5})), QStyleOptionComboBox()
    box.setStyleSheet(style.style_sheet(style.LIGHT))
    box.resize(300, 40)
    box.ensurePolished()
    box.initStyleOption(option)
    complex_box, part = QStyle.ComplexControl.CC_ComboBox, QStyle.SubControl.SC_ComboBoxEditField
    room = box.style().subControlRect(complex_box, option, part, box).width()
    assert option.currentText.endswith("…")
    assert option.fontMetrics.horizontalAdvance(option.currentText) < room


def turn_wheel(widget: QWidget) -> None:
    """As the window system has it: the window gets the turn, and passes it to what is there."""
    top = widget.window()
    place = widget.mapTo(top, widget.rect().center())
    QTest.wheelEvent(top.windowHandle(), QPointF(place), QPoint(0, -120))


def test_that_the_wheel_scrolls_the_page_and_leaves_the_value(qtbot: QtBot) -> None:
    slider, box, field = QSlider(Qt.Orientation.Horizontal), ChoiceBox("box"), QDoubleSpinBox()
    slider.setValue(50)
    box.addItems(["one", "two", "three"])
    ignore_wheel(slider)
    style.prepare_spin_box(field)
    page = QWidget()
    style.column(page, [slider, box, field, 1])
    area = show(PageArea(page, lines=200), 300, 200)
    qtbot.waitExposed(area)
    before = slider.value(), box.currentIndex(), field.value()
    widgets: tuple[QWidget, ...] = (slider, box, field)
    for focused in (False, True):
        for widget in widgets:
            area.verticalScrollBar().setValue(0)
            if focused:
                widget.setFocus()
            turn_wheel(widget)
            assert (slider.value(), box.currentIndex(), field.value()) == before
            assert area.verticalScrollBar().value() > 0


def test_that_no_value_of_the_window_follows_the_wheel(real: MainWindow) -> None:
    """Whatever holds a value has the guard: every list, slider and field with arrows."""
    for name in real.workspaces:
        real.show_workspace(name)
    widgets = [
        widget
        for kind in (QComboBox, QSlider, QAbstractSpinBox)
        for widget in real.findChildren(kind)
    ]
    assert len(widgets) > 10
    free = [
        widget.accessibleName() or widget.objectName() or type(widget).__name__
        for widget in widgets
        if widget.findChild(WheelGuard, options=Qt.FindChildOption.FindDirectChildrenOnly) is None
    ]
    assert free == []


@pytest.mark.parametrize("width", [80, 200, 333, 900])
def test_that_a_label_is_as_high_as_qt_has_it_whatever_changes(width: int) -> None:
    label = keep(style.plain_label(TEXT, wrap=True))
    assert isinstance(label, WrappingLabel)

    def height() -> int:
        remembered = label.heightForWidth(width)
        assert label.heightForWidth(width) == remembered == QLabel.heightForWidth(label, width)
        return remembered

    before = height()
    label.setText(TEXT * 2)
    assert height() > before
    label.setFont(style.scaled_font(label, style.HEADING, bold=True))
    larger = height()
    assert larger > before
    label.setStyleSheet("padding: 20px")
    height()
    label.setText("")
    assert height() < larger
    label.setText(TEXT)
    label.setMargin(12)
    height()
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    assert label.text() == TEXT


def test_that_a_label_lays_nothing_out_for_the_same_words(monkeypatch: pytest.MonkeyPatch) -> None:
    label = keep(WrappingLabel())
    label.setText(TEXT)
    height = label.heightForWidth(200)
    monkeypatch.setattr(QLabel, "setText", lambda *_: pytest.fail("laid out anew"))
    label.setText(TEXT)
    assert label.heightForWidth(200) == height == QLabel.heightForWidth(label, 200)
