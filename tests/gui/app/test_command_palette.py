"""The command palette: what it lists, how it is found by typing, and that it does what it says."""

from __future__ import annotations

from functools import partial

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QTreeWidgetItem
from pytestqt.qtbot import QtBot

from auditor.gui.app.main_window import MainWindow
from auditor.gui.app.menus import CommandPalette, PaletteEntry
from auditor.gui.help.view import HelpView
from tests.gui import fakes
from tests.narrowing import present


@pytest.fixture
def window(real_window: MainWindow, qtbot: QtBot) -> MainWindow:
    fakes.open_log(real_window.controller)
    qtbot.waitUntil(lambda: not real_window.controller.looking)
    return real_window


def list_items(palette: CommandPalette) -> list[QTreeWidgetItem]:
    """The entries that are listed, the best first."""
    return [
        present(palette.list.topLevelItem(row)) for row in range(palette.list.topLevelItemCount())
    ]


def titles(palette: CommandPalette) -> list[str]:
    return [item.text(0) for item in list_items(palette)]


def test_that_typing_finds_in_spite_of_errors_and_return_does_it(qtbot: QtBot) -> None:
    done: list[str] = []
    names = ("Review & export", "Open the sample log", "Rejected rows", "Ledger of releases")
    entries = [PaletteEntry(name, "File", partial(done.append, name)) for name in names]
    palette = CommandPalette(entries)
    qtbot.addWidget(palette)
    palette.show()
    assert titles(palette) == list(names)
    QTest.keyClicks(palette.field, "smaple")
    assert titles(palette)[0] == "Open the sample log"
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: done == ["Open the sample log"])
    assert not palette.isVisible()


def test_that_arrows_move_the_mark_while_the_field_keeps_the_focus(qtbot: QtBot) -> None:
    done: list[int] = []
    entries = [PaletteEntry(f"entry {n}", "", partial(done.append, n)) for n in range(5)]
    palette = CommandPalette(entries)
    qtbot.addWidget(palette)
    palette.show()
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_Return):
        QTest.keyClick(palette.field, key)
    qtbot.waitUntil(lambda: done == [1])


def test_that_the_window_lists_commands_methods_parameters_and_help(
    window: MainWindow, qtbot: QtBot
) -> None:
    window.menus.cancel.setEnabled(False)
    palette = window.menus.find_command()
    entries = {(item.text(0), item.text(1)) for item in list_items(palette)}
    assert ("Open", "File") in entries
    assert ("Light", "View ▸ Theme") in entries
    assert ("SafeLog", "Method") in entries
    assert {place for _, place in entries} >= {"Help", "Method", "Parameter"}
    assert ("Cancel", "Run") not in entries, "what is greyed out can't be done now"
    name, row = list(window.protect.params.rows.items())[-1]
    assert (row.spec.label, "Parameter") in entries
    palette.field.setText(row.spec.label)
    assert titles(palette)[0] == row.spec.label
    palette.do_current()
    qtbot.waitUntil(lambda: window.workspace == "protect")
    assert window.protect.tabs.currentWidget() is window.protect.params
    qtbot.waitUntil(row.isVisible)
    assert name in window.protect.params.rows


def test_that_a_method_is_taken_and_a_page_of_help_is_opened(
    window: MainWindow, qtbot: QtBot
) -> None:
    palette = window.menus.find_command()
    palette.field.setText("korolova")
    assert list_items(palette)[0].text(1) == "Method"
    palette.do_current()
    qtbot.waitUntil(lambda: window.controller.intents.intent.method == "korolova")
    palette = window.menus.find_command()
    palette.field.setText("unbundling")
    page = next(item for item in list_items(palette) if item.text(1) == "Help")
    palette.list.setCurrentItem(page)
    palette.do_current()
    qtbot.waitUntil(lambda: bool(window.findChildren(HelpView)))
    (view,) = window.findChildren(HelpView)
    view.window().close()
    qtbot.waitUntil(lambda: not window.controller.looking)
