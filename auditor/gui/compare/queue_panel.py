"""The queue of runs: what the one at work is doing, how long each will take, and their order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import Qt, Signal, SignalInstance
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QListWidget, QListWidgetItem, QToolButton, QWidget

from auditor.gui.widgets import safe_text, style


@dataclass(frozen=True)
class QueueRow:
    """One queued run, in words; `done` is how much of it is done, None if nobody knows."""

    number: int
    letter: str
    title: str
    running: bool
    state: str
    time_left: str
    done: float | None = None


class QueuePanel(QWidget):
    """The line, and what can be done with the run that is picked in it."""

    moved = Signal(int, int)
    """A run's number, and by how many places it shall begin later."""
    cancelled = Signal(int)
    removed = Signal(int)
    opened = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Queued runs"))
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.list.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.list.setUniformItemSizes(True)
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.list.currentItemChanged.connect(lambda _now, _before: self._enable_actions())
        self.list.itemActivated.connect(lambda _item: self._emit_picked(self.opened))
        self.empty = style.plain_label(
            self.tr(
                "No run is at work. Each press of Run puts the setting as it is then at the end "
                "of this line; you can go on working meanwhile, and set up the next one."
            ),
            role="muted",
            wrap=True,
        )
        self.empty.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.sum = style.plain_label(size=style.SMALL, role="muted", wrap=True)
        self._rows: list[QueueRow] = []
        key = QKeySequence.StandardKey
        actions = (
            (self.tr("▲ Earlier"), self.tr("Begin one place earlier"), "Alt+Up", self.moved, -1),
            (self.tr("▼ Later"), self.tr("Begin one place later"), "Alt+Down", self.moved, 1),
            (self.tr("■ Cancel"), self.tr("Stop it; it stays among the runs"), "Ctrl+Backspace",
             self.cancelled),
            (self.tr("✕ Remove"), self.tr("Stop it and strike it out"), key.Delete, self.removed),
        )  # fmt: skip
        self.earlier, self.later, self.cancel, self.drop = (
            self._add_action(*action) for action in actions
        )
        self._lay_out()
        self.show_rows([], "")

    def _add_action(
        self, text: str, tip: str, keys: Any, signal: SignalInstance, *more: int
    ) -> QAction:
        action = QAction(text, self.list)
        action.setShortcut(QKeySequence(keys))
        action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        shortcut = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        action.setToolTip(f"{tip} ({shortcut})")
        action.triggered.connect(lambda: self._emit_picked(signal, *more))
        self.list.addAction(action)
        return action

    def _lay_out(self) -> None:
        line = style.row(None, spacing=style.TIGHT)
        for action in (self.earlier, self.later, self.cancel, self.drop):
            button = QToolButton()
            button.setDefaultAction(action)
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.setAccessibleName(action.text())
            line.addWidget(button)
        line.addStretch(1)
        style.panel(self, [self.empty, (self.list, 1), self.sum, line])

    def show_rows(self, rows: Sequence[QueueRow], total: str) -> None:
        """Show the line as it is now, keeping what is picked; `total` is said below it."""
        picked, before, self._rows = self.picked, self._rows, list(rows)
        if [row.number for row in rows] == [row.number for row in before]:
            for place, row in enumerate(rows):
                if row != before[place]:
                    self._fill_item(self.list.item(place), row)
        else:
            self.list.blockSignals(True)
            self.list.clear()
            for row in self._rows:
                self.list.addItem(item := QListWidgetItem())
                self._fill_item(item, row)
            numbers = [row.number for row in self._rows]
            self.list.setCurrentRow(numbers.index(picked) if picked in numbers else 0)
            self.list.blockSignals(False)
        self.sum.setText(total)
        for widget, there in ((self.list, rows), (self.sum, total), (self.empty, not rows)):
            widget.setVisible(bool(there))
        self._enable_actions()

    def _fill_item(self, item: QListWidgetItem, row: QueueRow) -> None:
        sign = style.RUN_SIGNS["running" if row.running else "waiting"].icon
        state = ". ".join(filter(None, (row.state, row.time_left)))
        words = f"{row.letter}  {row.title}\n{sign} {state}"
        item.setText(words)
        item.setToolTip(safe_text.plain_tip(words))

    @property
    def picked(self) -> int | None:
        place = self.list.currentRow()
        return self._rows[place].number if 0 <= place < len(self._rows) else None

    def _enable_actions(self) -> None:
        place = self.list.currentRow()
        first = sum(row.running for row in self._rows)
        self.earlier.setEnabled(first < place < len(self._rows))
        self.later.setEnabled(first <= place < len(self._rows) - 1)
        for action in (self.cancel, self.drop):
            action.setEnabled(0 <= place < len(self._rows))

    def _emit_picked(self, signal: SignalInstance, *more: int) -> None:
        number = self.picked
        if number is not None:
            signal.emit(number, *more)
