"""Menus and shortcuts: every command by keyboard."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from PySide6.QtCore import QObject, QSettings, Qt
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu, QWidget

from auditor.gui.app import translation
from auditor.gui.app.commands import WindowCommands
from auditor.gui.app.navigation import WORKSPACES
from auditor.gui.app.run_code import RunCode
from auditor.gui.app.translation import mark_for_translation, tr, translate_text
from auditor.gui.compare.page import ComparePage
from auditor.gui.projects.menu import ProjectMenu
from auditor.gui.projects.window import ProjectWindowActions
from auditor.gui.protect.page import ProtectPage
from auditor.gui.release.export_actions import ExportActions
from auditor.gui.state.controller import Controller
from auditor.gui.widgets import style
from auditor.methods.registry import METHODS

if TYPE_CHECKING:
    from auditor.gui.app.command_palette import CommandPalette, PaletteEntry

Keys = QKeySequence.StandardKey | str | None

THEMES: tuple[tuple[style.Choice, str], ...] = (
    ("system", mark_for_translation("Follow the &system")),
    ("light", mark_for_translation("&Light")),
    ("dark", mark_for_translation("&Dark")),
)


class MenuWindow(Protocol):
    """What the menus act on."""

    controller: Controller
    commands: WindowCommands
    projects: ProjectWindowActions
    handing: ExportActions
    protect: ProtectPage
    compare: ComparePage
    workspaces: dict[str, QWidget]

    def cancel_current_work(self) -> None: ...
    def show_workspace(self, name: str) -> None: ...
    def review_folder(self) -> None: ...
    def review_run(self) -> None: ...
    def show_around(self) -> None: ...
    def set_theme(self, choice: style.Choice) -> None: ...
    def close(self) -> bool: ...


class Menus(QObject):
    """Fills the window's menu bar."""

    def __init__(self, window: Any) -> None:
        super().__init__(window)
        self.window: MenuWindow = window
        self._widget: QMainWindow = window
        self._build_file_menu()
        self._build_edit_menu()
        self._build_run_menu()
        self._build_tools_menu()
        self._build_view_menu()
        self._build_help_menu()

    def _add_menu(self, title: str) -> QMenu:
        return self._widget.menuBar().addMenu(title)

    def _add_action(
        self, menu: QMenu, text: str, do: Callable[[], object], keys: Keys = None
    ) -> QAction:
        action = QAction(text, self._widget)
        if isinstance(keys, QKeySequence.StandardKey):
            action.setShortcuts(QKeySequence.keyBindings(keys))
        elif keys is not None:
            action.setShortcut(QKeySequence(keys))
        action.triggered.connect(lambda _checked=False: do())
        menu.addAction(action)
        return action

    def _build_file_menu(self) -> None:
        w, menu = self.window, self._add_menu(self.tr("&File"))
        self._add_action(
            menu, self.tr("&Open…"), w.commands.ask_for_log, QKeySequence.StandardKey.Open
        )
        self._add_action(
            menu, self.tr("Open and &map columns…"), w.commands.ask_how, "Ctrl+Shift+O"
        )
        self._add_action(menu, self.tr("Open the &sample log"), w.commands.open_sample)
        menu.addSeparator()
        self.projects = ProjectMenu(w.projects, menu, self._add_action)
        menu.addSeparator()
        self.rejects = self._add_action(menu, self.tr("&Rejected rows…"), w.commands.show_rejects)
        self.export = self._add_action(menu, self.tr("Review && &export…"), w.review_run, "Ctrl+E")
        self._add_action(menu, self.tr("Sign an e&xported folder…"), w.review_folder)
        self._add_action(menu, self.tr("&Ledger of approved releases…"), w.commands.show_ledger)
        menu.addActions([w.handing.save, w.handing.print])
        menu.addSeparator()
        self._add_action(menu, self.tr("&Quit"), w.close, "Ctrl+Q")

    def _build_edit_menu(self) -> None:
        w, menu = self.window, self._add_menu(self.tr("&Edit"))
        undo = w.controller.intents.undo.createUndoAction(self._widget, self.tr("&Undo"))
        undo.setShortcuts(QKeySequence.keyBindings(QKeySequence.StandardKey.Undo))
        redo = w.controller.intents.undo.createRedoAction(self._widget, self.tr("&Redo"))
        redo.setShortcuts(QKeySequence.keyBindings(QKeySequence.StandardKey.Redo))
        menu.addAction(undo)
        menu.addAction(redo)
        menu.addSeparator()
        menu.addAction(w.handing.copy)
        menu.addSeparator()
        self._add_action(
            menu, self.tr("Reset &all parameters"), w.controller.intents.reset, "Ctrl+Shift+R"
        )

    def _build_run_menu(self) -> None:
        w, menu = self.window, self._add_menu(self.tr("&Run"))
        self.run = self._add_action(menu, self.tr("&Run"), w.controller.run, "Ctrl+R")
        self.cancel = self._add_action(
            menu, self.tr("&Cancel"), w.cancel_current_work, self.tr("Esc")
        )
        menu.addSeparator()
        self._add_action(menu, self.tr("C&hoose a method…"), self._choose_method, "Ctrl+M")
        self._add_action(
            menu, self.tr("Co&mpare the selected runs"), w.compare.runs.both.click, "Ctrl+D"
        )
        menu.addSeparator()
        self.code = RunCode(w)
        self._add_action(menu, self.tr("Copy as &Python"), self.code.copy_code, "Ctrl+Shift+Y")
        self._add_action(
            menu, self.tr("Export this run as a &notebook…"), self.code.ask_for_notebook
        )

    def _build_tools_menu(self) -> None:
        menu = self._add_menu(self.tr("&Tools"))
        self._add_action(menu, self.tr("&Find a command…"), self.find_command, "Ctrl+Shift+P")
        menu.addSeparator()
        self._add_action(
            menu, self.tr("&Policy…"), self.window.commands.edit_policy, "Ctrl+Shift+L"
        )
        self._add_action(
            menu, self.tr("&Why is a query kept…"), self.window.commands.ask_why, "Ctrl+K"
        )

    def _build_view_menu(self) -> None:
        w, menu = self.window, self._add_menu(self.tr("&View"))
        themes = menu.addMenu(self.tr("&Theme"))
        group = QActionGroup(self)
        chosen = str(QSettings().value("theme", "system"))
        for choice, text in THEMES:
            action = self._add_action(themes, tr(text), lambda c=choice: w.set_theme(c))  # type: ignore[misc]
            action.setCheckable(True)
            action.setChecked(choice == chosen)
            group.addAction(action)
        self._add_languages(menu.addMenu(self.tr("L&anguage")))
        menu.addSeparator()
        self.workspaces: dict[str, QAction] = {}
        for number, workspace in enumerate(WORKSPACES, start=1):
            text, name = f"&{number} {tr(workspace.title)}", workspace.name
            show = partial(w.show_workspace, name)
            action = self._add_action(menu, text, show, f"Ctrl+{number}")
            self.workspaces[name] = action
        menu.addSeparator()
        self._add_action(menu, self.tr("&Next part"), lambda: self._move_focus(1), "F6")
        self._add_action(menu, self.tr("&Previous part"), lambda: self._move_focus(-1), "Shift+F6")

    def _add_languages(self, menu: QMenu) -> None:
        """What the window speaks after the next start; each language is called by its own name."""
        group = QActionGroup(self)
        kept = str(QSettings().value(translation.KEPT, ""))
        for code, text in {"": self.tr("As the &system"), **translation.LANGUAGES}.items():
            action = self._add_action(menu, text, lambda c=code: self._save_language(c))  # type: ignore[misc]
            action.setCheckable(True)
            action.setChecked(code == kept)
            group.addAction(action)

    def _save_language(self, code: str) -> None:
        """Keep a language for the next start."""
        if code:
            QSettings().setValue(translation.KEPT, code)
        else:
            QSettings().remove(translation.KEPT)
        self.window.commands.window.banner.show_message(
            "info", self.tr("The language changes with the next start.")
        )

    def _build_help_menu(self) -> None:
        menu = self._add_menu(self.tr("&Help"))
        self._add_action(
            menu,
            self.tr("&Help"),
            self.window.commands.show_help,
            QKeySequence.StandardKey.HelpContents,
        )
        self._add_action(menu, self.tr("Guided &tour"), self.window.show_around)

    def _choose_method(self) -> None:
        self.window.show_workspace("protect")
        self.window.protect.show_methods()

    def find_command(self) -> CommandPalette:
        """Open the palette of everything that can be done now."""
        from auditor.gui.app.command_palette import CommandPalette

        palette = CommandPalette(list(self._list_palette_entries()), self._widget)
        palette.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        palette.open()
        return palette

    def _list_palette_entries(self) -> Iterator[PaletteEntry]:
        """Commands, methods, the chosen method's parameters, and pages of help."""
        from auditor.gui.app.command_palette import PaletteEntry, list_menu_entries
        from auditor.gui.help.pages import list_titles

        window, params = self.window, self.window.protect.params
        yield from list_menu_entries(self._widget.menuBar())
        if self.workspaces["protect"].isEnabled():
            for name in METHODS:
                title = translate_text(METHODS[name].title)
                yield PaletteEntry(title, self.tr("Method"), partial(self._take_method, name))
            for name, row in params.rows.items():
                title = translate_text(row.spec.label)
                yield PaletteEntry(title, self.tr("Parameter"), partial(self._show_parameter, name))
        for key, title in list_titles():
            yield PaletteEntry(title, self.tr("Help"), partial(window.commands.show_help_page, key))

    def _take_method(self, name: str) -> None:
        self.window.show_workspace("protect")
        self.window.controller.intents.choose_method(name)

    def _show_parameter(self, name: str) -> None:
        protect = self.window.protect
        self.window.show_workspace("protect")
        protect.tabs.setCurrentWidget(protect.params)
        protect.params.show_parameter(name)

    def offer_workspaces(self, available: bool) -> None:
        """Without a log and without runs there is nowhere to go."""
        for action in self.workspaces.values():
            action.setEnabled(available)

    def _move_focus(self, step: int) -> None:
        """Move the focus to the next part of the window, or of the workspace, that is shown."""
        focus = self._widget.focusWidget()
        stops = [part for part in self.list_window_parts() if not part.visibleRegion().isEmpty()]
        here = next(
            (i for i, s in enumerate(stops) if focus and (s is focus or s.isAncestorOf(focus))), -1
        )
        for shift in range(1, len(stops) + 1):
            target = first_stop(stops[(here + step * shift) % len(stops)])
            if target is not None:
                target.setFocus(Qt.FocusReason.TabFocusReason)
                return

    def list_window_parts(self) -> list[QWidget]:
        """What F6 goes through, in the order in which it stands."""
        w: Any = self.window
        protect, compare, log = w.protect, w.compare, w.log
        return [
            w.header, w.strip, w.rail, w.welcome,
            log, protect.tabs, protect.advice, protect.plots, protect.statement, protect.values,
            w.risk, compare.runs, compare.pareto, compare.compare, w.release,
        ]  # fmt: skip


def first_stop(panel: QWidget) -> QWidget | None:
    """The first input in a panel that Tab reaches."""
    if panel.focusPolicy() & Qt.FocusPolicy.TabFocus:
        return panel
    widget, seen = panel.nextInFocusChain(), {id(panel)}
    while widget is not None and id(widget) not in seen:
        seen.add(id(widget))
        reach = widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        if panel.isAncestorOf(widget) and reach and widget.isVisible() and widget.isEnabled():
            return widget
        widget = widget.nextInFocusChain()
    return None
