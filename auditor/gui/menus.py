"""Menus and shortcuts: every command by keyboard."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QObject, QSettings, Qt
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from auditor.gui import style
from auditor.gui.project_menu import ProjectMenu

if TYPE_CHECKING:
    from auditor.gui.main_window import MainWindow

Keys = QKeySequence.StandardKey | str | None

THEMES: tuple[tuple[style.Choice, str], ...] = (
    ("system", "Follow the &system"),
    ("light", "&Light"),
    ("dark", "&Dark"),
)


class Menus(QObject):
    """Fills the window's menu bar."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.window = window
        self._file()
        self._edit()
        self._run()
        self._tools()
        self._view()
        self._help()

    def _menu(self, title: str) -> QMenu:
        return self.window.menuBar().addMenu(title)

    def _add(self, menu: QMenu, text: str, do: Callable[[], object], keys: Keys = None) -> QAction:
        action = QAction(text, self.window)
        if isinstance(keys, QKeySequence.StandardKey):
            action.setShortcuts(QKeySequence.keyBindings(keys))
        elif keys is not None:
            action.setShortcut(QKeySequence(keys))
        action.triggered.connect(lambda _checked=False: do())
        menu.addAction(action)
        return action

    def _file(self) -> None:
        w, menu = self.window, self._menu("&File")
        self._add(menu, "&Open…", w.ask_for_log, QKeySequence.StandardKey.Open)
        self._add(menu, "Open and &map columns…", w.ask_how, "Ctrl+Shift+O")
        self._add(menu, "Open the &sample log", w.open_sample)
        menu.addSeparator()
        self.projects = ProjectMenu(w.projects, menu, self._add)
        menu.addSeparator()
        self.rejects = self._add(menu, "&Rejected rows…", w.show_rejects)
        self.export = self._add(menu, "Review && &export…", w.review, "Ctrl+E")
        self._add(menu, self.tr("&Ledger of approved releases…"), w.show_ledger)
        menu.addActions([w.handing.save, w.handing.print])
        menu.addSeparator()
        self._add(menu, "&Quit", w.close, "Ctrl+Q")

    def _edit(self) -> None:
        w, menu = self.window, self._menu("&Edit")
        undo = w.controller.undo.createUndoAction(self.window, "&Undo")
        undo.setShortcuts(QKeySequence.keyBindings(QKeySequence.StandardKey.Undo))
        redo = w.controller.undo.createRedoAction(self.window, "&Redo")
        redo.setShortcuts(QKeySequence.keyBindings(QKeySequence.StandardKey.Redo))
        menu.addAction(undo)
        menu.addAction(redo)
        menu.addSeparator()
        menu.addAction(w.handing.copy)
        menu.addSeparator()
        self._add(menu, "Reset &all parameters", w.controller.reset, "Ctrl+Shift+R")

    def _run(self) -> None:
        w, menu = self.window, self._menu("&Run")
        self.run = self._add(menu, "&Run", w.controller.run, "Ctrl+R")
        self.cancel = self._add(menu, "&Cancel", w.presenter.stop, "Esc")
        menu.addSeparator()
        self._add(menu, "Co&mpare the selected runs", w.runs.both.click, "Ctrl+D")

    def _tools(self) -> None:
        menu = self._menu(self.tr("&Tools"))
        self._add(menu, self.tr("&Policy…"), self.window.edit_policy, "Ctrl+Shift+P")
        self._add(menu, self.tr("&Why is a query kept…"), self.window.ask_why, "Ctrl+K")

    def _view(self) -> None:
        w, menu = self.window, self._menu("&View")
        themes = menu.addMenu("&Theme")
        group = QActionGroup(self)
        chosen = str(QSettings().value("theme", "system"))
        for choice, text in THEMES:
            action = self._add(themes, text, lambda c=choice: w.set_theme(c))  # type: ignore[misc]
            action.setCheckable(True)
            action.setChecked(choice == chosen)
            group.addAction(action)
        menu.addSeparator()
        for number, dock in enumerate(w.docks.values(), start=1):
            action = dock.toggleViewAction()
            action.setText(f"&{number} {dock.windowTitle()}")
            menu.addAction(action)
        menu.addSeparator()
        self._add(menu, "&Next panel", lambda: self._next(1), "F6")
        self._add(menu, "&Previous panel", lambda: self._next(-1), "Shift+F6")
        self._add(menu, "Reset the &layout", w.reset_layout)

    def _help(self) -> None:
        menu = self._menu("&Help")
        self._add(menu, "&Help", self.window.show_help, QKeySequence.StandardKey.HelpContents)
        self._add(menu, "Guided &tour", self.window.show_around)

    def _next(self, step: int) -> None:
        """Move the focus to the next panel that is shown."""
        w = self.window
        stops: list[QWidget] = [w.header, cast(QWidget, w.pages.currentWidget())]
        stops += [dock.widget() for dock in w.docks.values() if not dock.visibleRegion().isEmpty()]
        focus = w.focusWidget()
        here = next(
            (i for i, s in enumerate(stops) if focus and (s is focus or s.isAncestorOf(focus))), -1
        )
        for shift in range(1, len(stops) + 1):
            target = first_stop(stops[(here + step * shift) % len(stops)])
            if target is not None:
                target.setFocus(Qt.FocusReason.TabFocusReason)
                return


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
