"""What somebody gets who does not see the window, uses no mouse, or needs large text."""

from functools import partial
from pathlib import Path

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

from auditor.gui.app.main_window import MainWindow
from auditor.gui.log.page import FactsArea
from auditor.gui.release import page as release_page
from auditor.gui.release.review_cards import ExportReceipt
from auditor.gui.widgets import style
from auditor.gui.widgets.areas import ScrollColumn
from tests.gui.driving import keep, press_run, wait_idle, wait_until
from tests.gui.release.conftest import sign, wait_for_checks
from tests.narrowing import present

Role = QAccessible.Role
CONTAINERS = (QTabBar, QDockWidget)
"""What Qt makes around our panels, and names by its tabs or its title."""


@pytest.fixture
def large(large_text: None, opened: MainWindow) -> MainWindow:
    opened.tune_by_hand()
    press_run(opened)
    return opened


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


def test_that_tab_reaches_all_in_the_order_of_reading_and_it_has_names(opened: MainWindow) -> None:
    opened.tune_by_hand()
    press_run(opened)
    reached = stops(opened)
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
        for widget in opened.findChildren(kind):
            custom = not type(widget.parent()).__module__.startswith("PySide6")
            name = widget.accessibleName() or getattr(widget, "text", str)() or widget.toolTip()
            if widget.isVisible() and custom and not name:
                unnamed.append(f"{type(widget).__name__} in {type(widget.parent()).__name__}")
    assert unnamed == []
    protect = opened.protect
    rows = [row for row in protect.params.rows.values() if row.isVisible()]
    plots = protect.plots.curves, protect.plots.results
    parts = (protect.tabs, *rows, *plots, present(protect.statement.parentWidget()))
    places = [[reached.index(w) for w in reached if part.isAncestorOf(w)] for part in parts]
    first = [min(some) for some in places if some]
    assert len(first) > 4
    assert first == sorted(first)
    for panel in (protect.params, protect.checks):
        protect.tabs.setCurrentWidget(panel)
        protect.sides.setSizes([20, 1200])  # narrower than its rows it does not become
        QApplication.processEvents()
        (column,) = panel.findChildren(ScrollColumn)
        inside = present(column.widget())
        assert column.viewport().width() >= inside.minimumSizeHint().width() > 100
    for name, page in opened.workspaces.items():
        opened.show_workspace(name)
        wait_idle(opened)
        wait_until(partial(has_stops, opened, page))


def has_stops(window: MainWindow, page: QWidget) -> bool:
    return sum(map(page.isAncestorOf, stops(window))) >= 2


def test_that_every_workspace_fits_large_text_and_the_log_scrolls_once(large: MainWindow) -> None:
    for name, page in large.workspaces.items():
        large.show_workspace(name)
        QApplication.processEvents()
        assert (large.width(), large.height()) == (1366, 768)
        assert page.isVisible()
        buttons = [b for b in large.findChildren(QPushButton) if not b.visibleRegion().isEmpty()]
        assert buttons
        areas = large.findChildren(QAbstractScrollArea)
        for button in buttons:
            scrolled = any(area.isAncestorOf(button) for area in areas)
            assert scrolled or button.width() >= button.minimumSizeHint().width(), name
    large.show_workspace("log")
    wait_until(lambda: not large.log.busy)
    (facts,) = large.log.findChildren(FactsArea)
    wait_until(lambda: facts.verticalScrollBar().maximum() == 0)
    assert large.log.verticalScrollBar().maximum() > 0
    cards = present(facts.widget())
    assert cards.height() >= cards.minimumSizeHint().height()
    large.resize(2560, 1440)
    wait_until(lambda: large.log.verticalScrollBar().maximum() == 0)


def test_that_large_german_text_fits_the_list_of_sessions_and_the_review(
    german: None, large: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    large.strip.show_log(300, at_risk=0)
    large.show_workspace("risk")
    wait_until(large.risk.panel.filters.isVisible)
    large.risk.panel.filters.attack.show()
    assert large.minimumSizeHint().width() <= 1366
    assert large.risk.panel.filters.text.width() > large.risk.panel.filters.width() / 2
    large.show_workspace("release")
    wait_until(lambda: large.release.panel is not None)
    panel = present(large.release.panel)
    wait_for_checks(panel)
    wait_until(partial(fits, panel, panel.gates))
    receipt = ExportReceipt(Path("/home/ada", "release-" * 9), "It is a draft.", 12, 10**6)
    monkeypatch.setattr(release_page, "export_run", lambda *_, **__: receipt)
    sign(panel)
    panel.export()
    wait_until(partial(fits, panel, panel.receipt))


def test_that_the_welcome_fits_german(german: None, large_text: None, window: MainWindow) -> None:
    window.resize(1366, 768)
    wait_until(partial(fits, window, window.welcome.tour))


def fits(page: QWidget, seen: QWidget) -> bool:
    """Whether a widget is in view, and no area in view scrolls sideways."""
    areas = [area for area in page.findChildren(QScrollArea) if area.isVisible()]
    return seen.isVisible() and all(
        present(area.widget()).minimumSizeHint().width() <= area.viewport().width()
        for area in areas
    )


def test_that_tabs_are_shortened_and_not_scrolled_where_there_is_little_room() -> None:
    tabs = keep(QTabWidget(documentMode=True))
    tabs.setStyleSheet(style.style_sheet(style.DARK))
    for number in range(5):
        tabs.addTab(QWidget(), f"A tab of many words, number {number}")
    tabs.resize(480, 200)
    tabs.show()
    bar = tabs.tabBar()
    wait_until(lambda: not bar.usesScrollButtons())
    wait_until(lambda: bar.tabRect(4).right() <= tabs.width())
    assert bar.tabRect(0).width() > 40
