"""Scrolling past a slider, a list or a field with arrows changes none of them."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractSpinBox, QComboBox, QDoubleSpinBox, QSlider, QWidget
from pytestqt.qtbot import QtBot

from auditor.gui.app.main_window import MainWindow
from auditor.gui.widgets import style
from auditor.gui.widgets.areas import PageArea
from auditor.gui.widgets.fields import ChoiceBox, WheelGuard, ignore_wheel
from tests.gui.driving import show


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


def test_that_no_value_of_the_window_follows_the_wheel(real_window: MainWindow) -> None:
    """Whatever holds a value has the guard: every list, slider and field with arrows."""
    for name in ("log", "protect", "risk", "compare", "release"):
        real_window.show_workspace(name)
    widgets = [
        widget
        for kind in (QComboBox, QSlider, QAbstractSpinBox)
        for widget in real_window.findChildren(kind)
    ]
    assert len(widgets) > 10
    free = [
        widget.accessibleName() or widget.objectName() or type(widget).__name__
        for widget in widgets
        if widget.findChild(WheelGuard, options=Qt.FindChildOption.FindDirectChildrenOnly) is None
    ]
    assert free == []
