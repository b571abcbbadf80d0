"""The command palette: every command, method, parameter and page of help, found by typing.

Typing errors, word order and parts of words are forgiven. What is listed is what the window can do
now: a command that is greyed out in its menu is not there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QDialog,
    QHeaderView,
    QLineEdit,
    QMenu,
    QMenuBar,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from auditor.fuzzy_search import rank_matches
from auditor.gui.widgets import style

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


def list_menu_entries(bar: QMenuBar) -> Iterator[PaletteEntry]:
    """Every command of the menus that can be given now."""
    for action in bar.actions():
        menu = action.menu()
        if isinstance(menu, QMenu):
            yield from _entries_of(menu, _strip_mnemonic(action.text()))


def _entries_of(menu: QMenu, where: str) -> Iterator[PaletteEntry]:
    for action in menu.actions():
        inner = action.menu()
        if isinstance(inner, QMenu):
            yield from _entries_of(inner, f"{where} ▸ {_strip_mnemonic(action.text())}")
        elif action.isEnabled() and action.isVisible() and action.text():
            keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
            yield PaletteEntry(_strip_mnemonic(action.text()), where, action.trigger, keys)


def _strip_mnemonic(text: str) -> str:
    """The words of a command without the mark of its key and without dots."""
    return text.replace("&&", "\0").replace("&", "").replace("\0", "&").rstrip("…")


class CommandPalette(QDialog):
    """A field, and below it what it may mean; Return does the marked one."""

    def __init__(self, entries: Sequence[PaletteEntry], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Find a command"))
        self._entries = list(entries)
        self.field = QLineEdit()
        self.field.setPlaceholderText(self.tr("Commands, methods, parameters, help"))
        self.field.setAccessibleName(self.tr("Find a command"))
        self.field.setClearButtonEnabled(True)
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
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for place in (1, 2):
            header.setSectionResizeMode(place, QHeaderView.ResizeMode.ResizeToContents)
        column = QVBoxLayout(self)
        column.setContentsMargins(*(style.NORMAL,) * 4)
        column.addWidget(self.field)
        column.addWidget(self.list, 1)
        column.addWidget(self.nothing)
        room = parent.size() if parent is not None else self.size()
        self.resize(min(WIDTH, max(room.width(), 320)), min(HEIGHT, max(room.height(), 240)))
        self._search_entries("")

    def list_shown_entries(self) -> list[PaletteEntry]:
        """The entries that are listed, the best first."""
        items = (self.list.topLevelItem(row) for row in range(self.list.topLevelItemCount()))
        places = (item.data(0, Qt.ItemDataRole.UserRole) for item in items if item is not None)
        return [self._entries[place] for place in places]

    def do_current(self) -> None:
        """Close, and do what is marked."""
        item = self.list.currentItem()
        if item is None:
            return
        entry = self._entries[item.data(0, Qt.ItemDataRole.UserRole)]
        self.accept()
        QTimer.singleShot(0, self.parent() or self, entry.do)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Up and down move the mark while the field keeps the focus."""
        if (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.KeyPress
            and event.key() in MOVES
        ):
            self.list.keyPressEvent(event)
            return True
        return super().eventFilter(watched, event)

    def _search_entries(self, text: str) -> None:
        if text.strip():
            found = rank_matches(text, [one.title for one in self._entries], limit=MOST)
            places = [one.place for one in found]
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
