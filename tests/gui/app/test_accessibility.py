"""What somebody gets who does not see the window, uses no mouse, or needs large text."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QLocale, QSettings, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QApplication,
    QDockWidget,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QTabBar,
    QTabWidget,
    QWidget,
)
from pytestqt.qtbot import QtBot

from auditor.gui.app import translation
from auditor.gui.app.main_window import MainWindow
from auditor.gui.app.navigation import NAMES
from auditor.gui.log.page import FactsArea
from auditor.gui.state import log_loading
from auditor.gui.state.controller import Controller
from auditor.gui.widgets import style
from auditor.gui.widgets.areas import ScrollColumn
from auditor.progress import silent_progress
from tests.gui import fakes
from tests.gui.conftest import shown

Role = QAccessible.Role
CONTAINERS = (QTabBar, QDockWidget)
"""What Qt makes around our panels, and names by its tabs or its title."""


def made(qtbot: QtBot) -> MainWindow:
    QSettings().clear()
    window = MainWindow(Controller(make_rng=fakes.randomness))
    qtbot.addWidget(window)
    window.resize(1366, 768)
    window.show()
    window.controller.adopt_log(
        log_loading.prepare_log(fakes.small_log(), "small.tsv", silent_progress())
    )
    window.tune_by_hand()
    window.header.run.click()
    qtbot.waitUntil(lambda: window.controller.running is None)
    return window


@pytest.fixture
def window(fake_parts: None, qtbot: QtBot) -> Iterator[MainWindow]:
    window = made(qtbot)
    qtbot.waitUntil(window.protect.statement.isVisible)
    yield window
    window.controller.close()


@pytest.fixture
def large(fake_parts: None, qtbot: QtBot, qapp: QApplication) -> Iterator[MainWindow]:
    """The same with the desktop's text twice as large."""
    before = qapp.font()
    doubled = qapp.font()
    doubled.setPointSizeF(2 * before.pointSizeF())
    qapp.setFont(doubled)
    window = made(qtbot)
    yield window
    window.controller.close()
    qapp.setFont(before)


def stops(window: MainWindow) -> list[QWidget]:
    """All that Tab reaches now."""
    found, widget = [], window.nextInFocusChain()
    while widget is not window:
        assert widget is not None
        if (
            widget.focusPolicy() & Qt.FocusPolicy.TabFocus
            and widget.focusProxy() is None
            and widget.isVisible()
            and widget.isEnabled()
            and not widget.visibleRegion().isEmpty()
        ):
            found.append(widget)
        widget = widget.nextInFocusChain()
    return found


def test_that_a_screen_reader_is_told_of_everything_that_tab_reaches(window: MainWindow) -> None:
    reached = stops(window)
    assert len(reached) > 15
    unnamed = []
    for widget in reached:
        told = QAccessible.queryAccessibleInterface(widget)
        assert told is not None
        if isinstance(widget, CONTAINERS):
            continue
        name = told.text(QAccessible.Text.Name)
        inner = isinstance(widget, QLineEdit) and type(widget.parent()).__name__.endswith("SpinBox")
        if not name and not inner:
            unnamed.append(f"{type(widget).__name__} {widget.objectName()}")
        assert told.role() != Role.NoRole
    assert unnamed == []


@pytest.mark.parametrize("name", NAMES)
def test_that_every_workspace_has_stops_for_the_keyboard(
    window: MainWindow, qtbot: QtBot, name: str
) -> None:
    window.show_workspace(name)
    shown(window, qtbot)
    page = window.workspaces[name]
    qtbot.waitUntil(lambda: sum(map(page.isAncestorOf, stops(window))) >= 2)


def test_that_sliders_and_inputs_say_what_they_do(window: MainWindow) -> None:
    for name, row in window.protect.params.rows.items():
        inputs = [widget for widget in stops(window) if row.isAncestorOf(widget)]
        for widget in inputs:
            told = QAccessible.queryAccessibleInterface(widget)
            assert told.text(QAccessible.Text.Name), name


@pytest.mark.parametrize("name", NAMES)
def test_that_with_text_twice_as_large_every_workspace_fits_the_screen(
    large: MainWindow, qapp: QApplication, name: str
) -> None:
    large.show_workspace(name)
    qapp.processEvents()
    assert large.width() <= 1366
    assert large.height() <= 768
    assert large.workspaces[name].isVisible()
    buttons = [b for b in large.findChildren(QPushButton) if not b.visibleRegion().isEmpty()]
    assert buttons
    for button in buttons:
        within = next((p for p in ancestors(button) if isinstance(p, QAbstractScrollArea)), None)
        assert within is not None or button.width() >= button.minimumSizeHint().width()


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


@pytest.fixture
def german(qapp: QApplication) -> Iterator[None]:
    before = QLocale()
    translation.install_language(qapp, "de")
    yield
    translation.install_language(qapp, "en")
    QLocale.setDefault(before)


def test_that_large_german_text_fits_the_list_of_sessions_and_the_review(
    german: None, large: MainWindow, qtbot: QtBot
) -> None:
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


@pytest.mark.parametrize("name", ["params", "checks"])
def test_that_the_side_cannot_be_made_narrower_than_its_rows(
    window: MainWindow, qapp: QApplication, name: str
) -> None:
    window.tune_by_hand()
    panel = {"params": window.protect.params, "checks": window.protect.checks}[name]
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
