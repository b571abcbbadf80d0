"""The menus, and the palette that finds their commands."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from PySide6.QtCore import QEvent, QObject, QSettings, QSize, Qt, QTimer
from PySide6.QtGui import QAction, QActionGroup, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QDialog, QMenu, QTreeWidget, QTreeWidgetItem, QWidget

from auditor.fuzzy_search import rank_matches
from auditor.gui.app import translation
from auditor.gui.app.commands import RunCode
from auditor.gui.app.navigation import WORKSPACES
from auditor.gui.app.translation import tr, translate_text
from auditor.gui.projects.window import ProjectMenu
from auditor.gui.widgets import style
from auditor.methods.registry import METHODS

MOST = 40
"""Entries that are listed for what was typed."""
WIDTH, HEIGHT = 640, 420
MOVES = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)


@dataclass(frozen=True)
class PaletteEntry:
    """Something that can be done: what it is called, where it stands, its keys, and how."""

    title: str
    where: str
    do: Callable[[], object]
    keys: str = ""


def list_menu_entries(menu: QWidget, where: str = "") -> Iterator[PaletteEntry]:
    """Every command of the menus that can be given now."""
    for action in menu.actions():
        text = action.text().replace("&&", "\0").replace("&", "").replace("\0", "&")
        inner, title = action.menu(), text.rstrip("…")
        if isinstance(inner, QMenu):
            yield from list_menu_entries(inner, f"{where} ▸ {title}" if where else title)
        elif action.isEnabled() and action.isVisible() and title:
            keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
            yield PaletteEntry(title, where, action.trigger, keys)


class CommandPalette(QDialog):
    """A field, and below it what it may mean; Return does the marked one."""

    def __init__(self, entries: Sequence[PaletteEntry], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Find a command"))
        self._entries = list(entries)
        hint = self.tr("Commands, methods, parameters, help")
        self.field = style.line_edit(self.tr("Find a command"), hint, clearable=True)
        self.field.textChanged.connect(self._search_entries)
        self.field.returnPressed.connect(self.do_current)
        self.field.installEventFilter(self)
        self.list = QTreeWidget()
        self.list.setColumnCount(3)
        self.list.setHeaderHidden(True)
        self.list.setRootIsDecorated(False)
        self.list.setUniformRowHeights(True)
        self.list.setAccessibleName(self.tr("What was found"))
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.itemActivated.connect(lambda _item, _column: self.do_current())
        self.list.itemClicked.connect(lambda _item, _column: self.do_current())
        self.nothing = style.plain_label(self.tr("Nothing is called so."), role="muted")
        header = self.list.header()
        header.setStretchLastSection(False)
        for place in range(3):
            modes = header.ResizeMode
            header.setSectionResizeMode(place, modes.ResizeToContents if place else modes.Stretch)
        style.column(self, [self.field, (self.list, 1), self.nothing], margins=style.NORMAL)
        room = parent.size() if parent is not None else self.size()
        self.resize(min(WIDTH, max(room.width(), 320)), min(HEIGHT, max(room.height(), 240)))
        self._search_entries("")

    def do_current(self) -> None:
        item = self.list.currentItem()
        if item is None:
            return
        entry = self._entries[item.data(0, Qt.ItemDataRole.UserRole)]
        self.accept()
        QTimer.singleShot(0, self.parent() or self, entry.do)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        pressed = event.type() == QEvent.Type.KeyPress
        if pressed and isinstance(event, QKeyEvent) and event.key() in MOVES:
            self.list.keyPressEvent(event)
            return True
        return super().eventFilter(watched, event)

    def _search_entries(self, text: str) -> None:
        if text.strip():
            matches = rank_matches(text, [entry.title for entry in self._entries], limit=MOST)
            places = [match.place for match in matches]
        else:
            places = list(range(len(self._entries)))
        self.list.clear()
        tall = QSize(0, self.fontMetrics().height() + 2 * style.TIGHT)
        for place in places:
            entry = self._entries[place]
            item = QTreeWidgetItem([entry.title, entry.where, entry.keys])
            item.setData(0, Qt.ItemDataRole.UserRole, place)
            item.setSizeHint(0, tall)
            item.setForeground(1, self.palette().placeholderText())
            self.list.addTopLevelItem(item)
        if (first := self.list.topLevelItem(0)) is not None:
            self.list.setCurrentItem(first)
        self.nothing.setVisible(not places)


Standard = QKeySequence.StandardKey
Keys = Standard | str | None


class Menus(QObject):
    """Fills the window's menu bar."""

    def __init__(self, window: Any) -> None:
        super().__init__(window)
        self.window = window
        self._build_file_menu()
        self._build_edit_menu()
        self._build_run_menu()
        menu = self._add_menu(self.tr("&Tools"))
        self._add_action(menu, self.tr("&Find a command…"), self.find_command, "Ctrl+Shift+P")
        menu.addSeparator()
        commands = window.commands
        self._add_action(menu, self.tr("&Policy…"), commands.edit_policy, "Ctrl+Shift+L")
        self._add_action(menu, self.tr("&Why is a query kept…"), commands.ask_why, "Ctrl+K")
        self._build_view_menu()
        menu = self._add_menu(self.tr("&Help"))
        self._add_action(menu, self.tr("&Help"), commands.show_help, Standard.HelpContents)
        self._add_action(menu, self.tr("Guided &tour"), partial(window.tour.begin, window))

    def _add_menu(self, title: str) -> QMenu:
        menu: QMenu = self.window.menuBar().addMenu(title)
        return menu

    def _add_action(
        self, menu: QMenu, text: str, do: Callable[[], object], keys: Keys = None
    ) -> QAction:
        action = QAction(text, self.window)
        if isinstance(keys, Standard):
            action.setShortcuts(QKeySequence.keyBindings(keys))
        elif keys is not None:
            action.setShortcut(QKeySequence(keys))
        action.triggered.connect(lambda _checked=False: do())
        menu.addAction(action)
        return action

    def _build_file_menu(self) -> None:
        w, menu = self.window, self._add_menu(self.tr("&File"))
        ask_how = w.commands.ask_how
        self._add_action(menu, self.tr("&Open…"), w.commands.ask_for_log, Standard.Open)
        self._add_action(menu, self.tr("Open and &map columns…"), ask_how, "Ctrl+Shift+O")
        self._add_action(menu, self.tr("Open the &sample log"), w.commands.open_sample)
        menu.addSeparator()
        self.projects = ProjectMenu(w.projects, menu, self._add_action)
        menu.addSeparator()
        self._add_action(menu, self.tr("&Rejected rows…"), w.commands.show_rejects)
        self._add_action(menu, self.tr("Review && &export…"), w.review_run, "Ctrl+E")
        self._add_action(menu, self.tr("Sign an e&xported folder…"), w.review_folder)
        self._add_action(menu, self.tr("&Ledger of approved releases…"), w.commands.show_ledger)
        menu.addActions([w.handing.save, w.handing.print])
        menu.addSeparator()
        self._add_action(menu, self.tr("&Quit"), w.close, "Ctrl+Q")

    def _build_edit_menu(self) -> None:
        w, menu = self.window, self._add_menu(self.tr("&Edit"))
        intents = w.controller.intents
        undo = intents.undo.createUndoAction(self.window, self.tr("&Undo"))
        redo = intents.undo.createRedoAction(self.window, self.tr("&Redo"))
        for action, keys in ((undo, Standard.Undo), (redo, Standard.Redo)):
            action.setShortcuts(QKeySequence.keyBindings(keys))
            menu.addAction(action)
        menu.addSeparator()
        menu.addAction(w.handing.copy)
        menu.addSeparator()
        self._add_action(menu, self.tr("Reset &all parameters"), intents.reset, "Ctrl+Shift+R")

    def _build_run_menu(self) -> None:
        w, menu = self.window, self._add_menu(self.tr("&Run"))
        self.run = self._add_action(menu, self.tr("&Run"), w.controller.run, "Ctrl+R")
        # Esc closes and clears everywhere else: a run must not be lost to it
        self.cancel = self._add_action(menu, self.tr("&Cancel"), w.cancel_current_work, "Ctrl+.")
        menu.addSeparator()
        self._add_action(menu, self.tr("C&hoose a method…"), self._choose_method, "Ctrl+M")
        compare = w.compare.runs.both.click
        self._add_action(menu, self.tr("Co&mpare the selected runs"), compare, "Ctrl+D")
        menu.addSeparator()
        self.code = RunCode(w)
        self._add_action(menu, self.tr("Copy as &Python"), self.code.copy_code, "Ctrl+Shift+Y")
        self._add_action(menu, self.tr("Copy as a p&lan"), self.code.copy_plan)
        export = self.code.ask_for_notebook
        self._add_action(menu, self.tr("Export this run as a &notebook…"), export)

    def _build_view_menu(self) -> None:
        w, menu = self.window, self._add_menu(self.tr("&View"))
        themes = {"system": tr("Follow the &system"), "light": tr("&Light"), "dark": tr("&Dark")}
        chosen = str(QSettings().value("theme", "system"))
        self._add_choices(menu.addMenu(self.tr("&Theme")), themes, chosen, w.set_theme)
        # what the window speaks after the next start; each language is called by its own name
        languages = {"": self.tr("As the &system"), **translation.LANGUAGES}
        code = str(QSettings().value(translation.LANGUAGE_KEY, ""))
        self._add_choices(menu.addMenu(self.tr("L&anguage")), languages, code, self._save_language)
        menu.addSeparator()
        self.workspaces: dict[str, QAction] = {}
        for number, workspace in enumerate(WORKSPACES, start=1):
            text, show = (
                f"&{number} {tr(workspace.title)}",
                partial(w.show_workspace, workspace.name),
            )
            self.workspaces[workspace.name] = self._add_action(menu, text, show, f"Ctrl+{number}")
        menu.addSeparator()
        self._add_action(menu, self.tr("&Next part"), lambda: self._move_focus(1), "F6")
        self._add_action(menu, self.tr("&Previous part"), lambda: self._move_focus(-1), "Shift+F6")

    def _add_choices(
        self, menu: QMenu, texts: Mapping[str, str], chosen: str, choose: Callable[[str], object]
    ) -> None:
        """Entries of which one at a time is ticked, by what each stands for."""
        group = QActionGroup(self)
        for value, text in texts.items():
            action = self._add_action(menu, text, partial(choose, value))
            action.setCheckable(True)
            action.setChecked(value == chosen)
            group.addAction(action)

    def _save_language(self, code: str) -> None:
        if code:
            QSettings().setValue(translation.LANGUAGE_KEY, code)
        else:
            QSettings().remove(translation.LANGUAGE_KEY)
        text = self.tr("The language changes with the next start.")
        self.window.banner.show_message("info", text)

    def _choose_method(self) -> None:
        self.window.tune_by_hand()
        self.window.protect.show_methods()

    def find_command(self) -> CommandPalette:
        palette = CommandPalette(list(self._list_palette_entries()), self.window)
        palette.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        palette.open()
        return palette

    def _list_palette_entries(self) -> Iterator[PaletteEntry]:
        """Commands, methods, the chosen method's parameters, and pages of help."""
        from auditor.gui.help.view import list_titles

        window, params = self.window, self.window.protect.params
        yield from list_menu_entries(self.window.menuBar())
        if self.workspaces["protect"].isEnabled():
            for name in METHODS:
                title = translate_text(METHODS[name].title)
                yield PaletteEntry(title, self.tr("Method"), partial(self._take_method, name))
            for name, row in params.rows.items():
                title = translate_text(row.spec.label)
                yield PaletteEntry(title, self.tr("Parameter"), partial(self._show_parameter, name))
        for key, title in list_titles():
            yield PaletteEntry(title, self.tr("Help"), partial(window.commands.show_help, key))

    def _take_method(self, name: str) -> None:
        self.window.tune_by_hand()
        self.window.controller.intents.choose_method(name)

    def _show_parameter(self, name: str) -> None:
        protect = self.window.protect
        self.window.tune_by_hand()
        protect.tabs.setCurrentWidget(protect.params)
        protect.params.show_parameter(name)

    def offer_workspaces(self, available: bool) -> None:
        """Without a log and without runs there is nowhere to go."""
        for action in self.workspaces.values():
            action.setEnabled(available)

    def _move_focus(self, step: int) -> None:
        """Move the focus to the next part of the window, or of the workspace, that is shown."""
        focus = self.window.focusWidget()
        stops = [part for part in self.list_window_parts() if not part.visibleRegion().isEmpty()]
        around = (i for i, s in enumerate(stops) if s is focus or (focus and s.isAncestorOf(focus)))
        current = next(around, -1)
        for shift in range(1, len(stops) + 1):
            target = first_stop(stops[(current + step * shift) % len(stops)])
            if target is not None:
                target.setFocus(Qt.FocusReason.TabFocusReason)
                return

    def list_window_parts(self) -> list[QWidget]:
        """What F6 goes through, in the order in which it stands."""
        w = self.window
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
    widget, visited = panel.nextInFocusChain(), {id(panel)}
    while widget is not None and id(widget) not in visited:
        visited.add(id(widget))
        reach = widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        if panel.isAncestorOf(widget) and reach and widget.isVisible() and widget.isEnabled():
            return widget
        widget = widget.nextInFocusChain()
    return None
