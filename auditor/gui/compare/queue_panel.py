"""The queue of runs: what the one at work is doing, how long each will take, and their order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import (
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
    Signal,
    SignalInstance,
)
from PySide6.QtGui import QAction, QColor, QFontMetrics, QKeySequence, QPainter, QPalette
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolButton,
    QWidget,
)

from auditor.gui.widgets import safe_text, style

ROW = Qt.ItemDataRole.UserRole

BAR = 4
"""Pixels that a run's progress is high."""

AnyIndex = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True)
class QueueRow:
    """One queued run, in words; `done` is how much of it is done, None if nobody knows."""

    number: int
    letter: str
    title: str
    running: bool
    state: str
    left: str
    done: float | None = None


class QueueDelegate(QStyledItemDelegate):
    """Draws a run: what it is and its time, what it is doing, and a bar."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        """Paint one run."""
        row: QueueRow | None = index.data(ROW)
        if row is None:
            return
        self.initStyleOption(option, index)
        option.text = ""
        widget, theme = option.widget, style.theme_of(option.widget)
        widget.style().drawControl(QStyle.ControlElement.CE_ItemViewItem, option, painter, widget)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        role = QPalette.ColorRole.HighlightedText if selected else QPalette.ColorRole.Text
        strong = option.palette.color(role)
        box = option.rect.adjusted(style.NORMAL, style.TIGHT, -style.NORMAL, -style.TIGHT)
        line = (box.height() - BAR) // 2
        painter.save()
        bold, small = style.scaled_font(widget, bold=True), style.scaled_font(widget, style.SMALL)
        painter.setFont(bold)
        painter.setPen(strong)
        edge = QFontMetrics(bold).horizontalAdvance("MM")
        painter.drawText(QRect(box.left(), box.top(), edge, line), 0, row.letter)
        width = QFontMetrics(small).horizontalAdvance(row.left)
        room = box.width() - edge - width - style.NORMAL
        draw_elided(painter, QRect(box.left() + edge, box.top(), room, line), row.title)
        painter.setFont(small)
        painter.setPen(strong if selected else QColor(theme.muted))
        left = QRect(box.right() - width, box.top(), width + 1, line)
        painter.drawText(left, Qt.AlignmentFlag.AlignLeft, row.left)
        sign = style.RUN_SIGNS["running" if row.running else "waiting"]
        painter.setPen(strong if selected else QColor(getattr(theme, sign.colour)))
        rest = QRect(box.left() + edge, box.top() + line, box.width() - edge, line)
        draw_elided(painter, rest, f"{sign.icon} {row.state}")
        if row.running:
            full = strong if selected else QColor(theme.accent)
            bar = QRect(rest.left(), rest.bottom() + 1, rest.width(), BAR)
            painter.fillRect(bar, QColor(theme.grid))
            bar.setWidth(round(bar.width() * min(max(row.done or 0.0, 0.0), 1.0)))
            painter.fillRect(bar, full)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, _index: AnyIndex) -> QSize:
        """Two lines of text, a bar, and some air."""
        return QSize(160, 2 * option.fontMetrics.lineSpacing() + BAR + 3 * style.TIGHT)


class QueuePanel(QWidget):
    """The line, and what can be done with the run that is picked in it."""

    moved = Signal(int, int)
    """A run's number, and by how many places it shall begin later."""
    ordered = Signal(list)
    """Numbers of the waiting runs in the order to which somebody dragged them."""
    cancelled = Signal(int)
    removed = Signal(int)
    opened = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Queued runs"))
        self.list.setItemDelegate(QueueDelegate(self.list))
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.list.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.list.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.list.setUniformItemSizes(True)
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.list.currentItemChanged.connect(lambda _now, _before: self._enable_actions())
        self.list.itemActivated.connect(lambda _item: self._emit_picked(self.opened))
        self.list.model().rowsMoved.connect(self._emit_order)
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
        self.earlier = self._add_action(
            self.tr("▲ Earlier"), self.tr("Begin one place earlier"), "Alt+Up"
        )
        self.later = self._add_action(
            self.tr("▼ Later"), self.tr("Begin one place later"), "Alt+Down"
        )
        self.cancel = self._add_action(
            self.tr("■ Cancel"), self.tr("Stop it; it stays among the runs"), "Ctrl+Backspace"
        )
        self.drop = self._add_action(
            self.tr("✕ Remove"), self.tr("Stop it and strike it out"), key.Delete
        )
        self.earlier.triggered.connect(lambda: self._emit_picked(self.moved, -1))
        self.later.triggered.connect(lambda: self._emit_picked(self.moved, 1))
        self.cancel.triggered.connect(lambda: self._emit_picked(self.cancelled))
        self.drop.triggered.connect(lambda: self._emit_picked(self.removed))
        self._lay_out()
        self.show_rows([], "")

    def _add_action(self, text: str, tip: str, keys: QKeySequence.StandardKey | str) -> QAction:
        action = QAction(text, self.list)
        action.setShortcut(QKeySequence(keys))
        action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        shown = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        action.setToolTip(f"{tip} ({shown})")
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
        style.column(
            self,
            [self.empty, (self.list, 1), self.sum, line],
            margins=(style.NORMAL, style.TIGHT),
            spacing=style.TIGHT,
        )

    def show_rows(self, rows: Sequence[QueueRow], total: str) -> None:
        """Show the line as it is now, keeping what is picked; `total` is said below it."""
        kept, before, self._rows = self.picked, self._rows, list(rows)
        if [row.number for row in rows] == [row.number for row in before]:
            for place, row in enumerate(rows):
                if row != before[place]:
                    self._fill_item(self.list.item(place), row)
        else:
            self._list_anew(kept)
        self.sum.setText(total)
        for widget, there in ((self.list, rows), (self.sum, total), (self.empty, not rows)):
            widget.setVisible(bool(there))
        self._enable_actions()

    def _list_anew(self, kept: int | None) -> None:
        self.list.blockSignals(True)
        self.list.clear()
        for row in self._rows:
            item = QListWidgetItem()
            flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
            item.setFlags(flags if row.running else flags | Qt.ItemFlag.ItemIsDragEnabled)
            self.list.addItem(item)
            self._fill_item(item, row)
            if row.number == kept or (kept is None and self.list.currentItem() is None):
                self.list.setCurrentItem(item)
        if self._rows and self.list.currentItem() is None:
            self.list.setCurrentRow(0)
        self.list.blockSignals(False)

    def _fill_item(self, item: QListWidgetItem, row: QueueRow) -> None:
        item.setData(ROW, row)
        words = ". ".join(filter(None, (f"{row.letter}: {row.title}", row.state, row.left)))
        item.setText(words)
        item.setToolTip(safe_text.plain_tip(words))

    @property
    def picked(self) -> int | None:
        """The number of the run that is picked."""
        item = self.list.currentItem()
        row: QueueRow | None = item.data(ROW) if item is not None else None
        return row.number if row is not None else None

    def _enable_actions(self) -> None:
        """Enable what can be done with the run that is picked."""
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

    def _emit_order(self) -> None:
        self._rows = [self.list.item(place).data(ROW) for place in range(self.list.count())]
        self.ordered.emit([row.number for row in self._rows if not row.running])


def draw_elided(painter: QPainter, box: QRect, text: str) -> None:
    """Draw as much of a text as has room."""
    metrics = QFontMetrics(painter.font())
    shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, box.width())
    painter.drawText(box, Qt.AlignmentFlag.AlignLeft, shown)
