"""What somebody gets who does not see the window, uses no mouse, or needs large text."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QApplication,
    QComboBox,
    QDockWidget,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QSlider,
    QTabBar,
    QTabWidget,
    QWidget,
)
from pytestqt.qtbot import QtBot

from auditor.gui.app.main_window import MainWindow
from auditor.gui.log.page import FactsArea
from auditor.gui.widgets import style
from auditor.gui.widgets.areas import ScrollColumn
from tests.gui.conftest import wait_idle
from tests.narrowing import present

Role = QAccessible.Role
CONTAINERS = (QTabBar, QDockWidget)
"""What Qt makes around our panels, and names by its tabs or its title."""


@pytest.fixture
def window(opened_window: MainWindow, qtbot: QtBot) -> MainWindow:
    """A finished run, and the sliders in view."""
    opened_window.tune_by_hand()
    opened_window.header.run.click()
    wait_idle(opened_window, qtbot)
    return opened_window


@pytest.fixture
def large(large_text: None, window: MainWindow) -> MainWindow:
    return window


def stops(window: MainWindow) -> list[QWidget]:
    """All that Tab reaches now."""
    reached, widget = [], window.nextInFocusChain()
    while widget is not window:
        assert widget is not None
        if (
            widget.focusPolicy() & Qt.FocusPolicy.TabFocus
            and widget.focusProxy() is None
            and widget.isVisible()
            and widget.isEnabled()
            and not widget.visibleRegion().isEmpty()
        ):
            reached.append(widget)
        widget = widget.nextInFocusChain()
    return reached


def test_that_a_screen_reader_is_told_of_everything_that_can_be_used(window: MainWindow) -> None:
    reached = stops(window)
    assert len(reached) > 15
    unnamed = []
    for widget in reached:
        interface = QAccessible.queryAccessibleInterface(widget)
        assert interface is not None
        if isinstance(widget, CONTAINERS):
            continue
        name = interface.text(QAccessible.Text.Name)
        inner = isinstance(widget, QLineEdit) and type(widget.parent()).__name__.endswith("SpinBox")
        if not name and not inner:
            unnamed.append(f"{type(widget).__name__} {widget.objectName()}")
        assert interface.role() != Role.NoRole
    for kind in (QAbstractButton, QComboBox, QLineEdit, QSlider):
        for widget in window.findChildren(kind):
            custom = not type(widget.parent()).__module__.startswith("PySide6")
            name = widget.accessibleName() or getattr(widget, "text", str)() or widget.toolTip()
            if widget.isVisible() and custom and not name:
                unnamed.append(f"{type(widget).__name__} in {type(widget.parent()).__name__}")
    assert unnamed == []


def has_stops(window: MainWindow, page: QWidget) -> bool:
    return sum(map(page.isAncestorOf, stops(window))) >= 2


def test_that_every_workspace_has_stops_for_the_keyboard(window: MainWindow, qtbot: QtBot) -> None:
    for name, page in window.workspaces.items():
        window.show_workspace(name)
        wait_idle(window, qtbot)
        qtbot.waitUntil(partial(has_stops, window, page))


def test_that_tab_goes_through_protect_as_it_is_read(window: MainWindow, qtbot: QtBot) -> None:
    window.tune_by_hand()
    wait_idle(window, qtbot)
    protect, reached = window.protect, stops(window)
    rows = [row for row in protect.params.rows.values() if row.isVisible()]
    plots = protect.plots.curves, protect.plots.results
    parts = (protect.tabs, *rows, *plots, present(protect.statement.parentWidget()))
    places = [[reached.index(w) for w in reached if part.isAncestorOf(w)] for part in parts]
    first = [min(some) for some in places if some]
    assert len(first) > 4
    assert first == sorted(first)


def test_that_with_text_twice_as_large_every_workspace_fits_the_screen(
    large: MainWindow, qapp: QApplication
) -> None:
    for name, page in large.workspaces.items():
        large.show_workspace(name)
        qapp.processEvents()
        assert large.width() <= 1366
        assert large.height() <= 768
        assert page.isVisible()
        buttons = [b for b in large.findChildren(QPushButton) if not b.visibleRegion().isEmpty()]
        assert buttons
        for button in buttons:
            within = next(
                (p for p in ancestors(button) if isinstance(p, QAbstractScrollArea)), None
            )
            assert within is not None or button.width() >= button.minimumSizeHint().width(), name


def test_that_large_text_scrolls_the_log_once_and_shows_all_its_facts(
    large: MainWindow, qtbot: QtBot
) -> None:
    large.show_workspace("log")
    qtbot.waitUntil(lambda: not large.log.busy)
    (facts,) = large.log.findChildren(FactsArea)
    qtbot.waitUntil(lambda: facts.verticalScrollBar().maximum() == 0)
    assert large.log.verticalScrollBar().maximum() > 0
    cards = facts.widget()
    assert cards is not None
    assert cards.height() >= cards.minimumSizeHint().height()
    large.resize(2560, 1440)
    qtbot.waitUntil(lambda: large.log.verticalScrollBar().maximum() == 0)


def test_that_large_german_text_fits_the_list_of_sessions_and_the_review(
    german: None, large: MainWindow, qtbot: QtBot
) -> None:
    large.strip.show_log(300, at_risk=0)
    large.show_workspace("risk")
    qtbot.waitUntil(large.risk.panel.filters.isVisible)
    large.risk.panel.filters.attack.show()
    assert large.minimumSizeHint().width() <= 1366
    assert large.risk.panel.filters.text.width() > large.risk.panel.filters.width() / 2
    large.show_workspace("release")
    qtbot.waitUntil(lambda: large.release.panel is not None)
    panel = large.release.panel
    assert panel is not None
    qtbot.waitUntil(lambda: not panel.counting.running and not panel.gates.busy)

    def fits() -> bool:
        areas = [(area, area.widget()) for area in panel.findChildren(QScrollArea)]
        return all(
            inside.minimumSizeHint().width() <= area.viewport().width()
            for area, inside in areas
            if inside is not None
        )

    qtbot.waitUntil(fits)


def test_that_tabs_are_shortened_and_not_scrolled_where_there_is_little_room(qtbot: QtBot) -> None:
    tabs = QTabWidget(documentMode=True)
    qtbot.addWidget(tabs)
    tabs.setStyleSheet(style.style_sheet(style.DARK))
    for number in range(5):
        tabs.addTab(QWidget(), f"A tab of many words, number {number}")
    tabs.resize(480, 200)
    tabs.show()
    bar = tabs.tabBar()
    qtbot.waitUntil(lambda: not bar.usesScrollButtons())
    qtbot.waitUntil(lambda: bar.tabRect(4).right() <= tabs.width())
    assert bar.tabRect(0).width() > 40


def test_that_the_side_cannot_be_made_narrower_than_its_rows(
    window: MainWindow, qapp: QApplication
) -> None:
    for panel in (window.protect.params, window.protect.checks):
        window.protect.tabs.setCurrentWidget(panel)
        window.protect.sides.setSizes([20, 1200])
        qapp.processEvents()
        (column,) = panel.findChildren(ScrollColumn)
        rows = column.widget()
        assert rows is not None
        assert column.viewport().width() >= rows.minimumSizeHint().width() > 100


def ancestors(widget: QWidget) -> Iterator[QWidget]:
    parent = widget.parentWidget()
    while parent is not None:
        yield parent
        parent = parent.parentWidget()
