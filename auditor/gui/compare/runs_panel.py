"""The runs of this sitting: pin, name, comment, open, compare, remove."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import (
    QItemSelectionModel,
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
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from auditor.gui.app.translation import tr, words
from auditor.gui.widgets import formats, style
from auditor.project.model import RunRecord

NUMBER = Qt.ItemDataRole.UserRole
RECORD = Qt.ItemDataRole.UserRole + 1

AnyIndex = QModelIndex | QPersistentModelIndex


class LineDelegate(QStyledItemDelegate):
    """Draws what a list has under its own lines, which a subclass writes."""

    def ground(
        self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex
    ) -> tuple[QRect, QColor, QColor, bool]:
        """Paint it; the room for lines, the pens for what matters and for the rest, selected?"""
        self.initStyleOption(option, index)
        option.text = ""
        widget = option.widget
        widget.style().drawControl(QStyle.ControlElement.CE_ItemViewItem, option, painter, widget)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        role = QPalette.ColorRole.HighlightedText if selected else QPalette.ColorRole.Text
        strong = option.palette.color(role)
        faint = strong if selected else QColor(style.theme_of(widget).muted)
        box = option.rect.adjusted(style.NORMAL, style.TIGHT, -style.NORMAL, -style.TIGHT)
        return box, strong, faint, selected


class RunDelegate(LineDelegate):
    """Draws a run in two lines: letter, star, what it is; then its promise and its state."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        """Paint one run."""
        record: RunRecord | None = index.data(RECORD)
        if record is None:
            return
        box, strong, faint, selected = self.ground(painter, option, index)
        widget, theme = option.widget, style.theme_of(option.widget)
        sign = style.RUN_SIGNS[record.state]
        line = box.height() // 2
        painter.save()
        bold = style.font(widget, style.BODY, bold=True)
        painter.setFont(bold)
        painter.setPen(strong)
        edge = QFontMetrics(bold).horizontalAdvance("MM★")
        painter.drawText(
            QRect(box.left(), box.top(), edge, line),
            0,
            record.letter + ("★" if record.pinned else ""),
        )
        rest = QRect(box.left() + edge, box.top(), box.width() - edge, line)
        elided(painter, rest, f"{words(record.title)}  {formats.brief(record.plan.params)}")
        small = style.font(widget, style.SMALL)
        painter.setFont(small)
        rest.translate(0, line)
        word = f"{sign.icon} {sign.word}"
        width = QFontMetrics(small).horizontalAdvance(word + "  ")
        painter.setPen(strong if selected else QColor(getattr(theme, sign.colour)))
        painter.drawText(rest, Qt.AlignmentFlag.AlignLeft, word)
        painter.setPen(faint)
        elided(painter, rest.adjusted(width, 0, 0, 0), second_line(record))
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, _index: AnyIndex) -> QSize:
        """Two lines of text and some air."""
        return QSize(160, 2 * option.fontMetrics.lineSpacing() + 3 * style.TIGHT)


class RunsPanel(QWidget):
    """The list and what can be done with the runs that are selected in it."""

    opened = Signal(int)
    pinned = Signal(int, bool)
    named = Signal(int, str)
    commented = Signal(int, str)
    removed = Signal(int)
    adopted = Signal(int)
    compare = Signal(list)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Runs"))
        self.list.setItemDelegate(RunDelegate(self.list))
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.list.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.list.setUniformItemSizes(True)
        self.list.currentItemChanged.connect(self._current)
        self.list.itemSelectionChanged.connect(self._selection)
        self.empty = style.label(
            self.tr(
                "No runs yet. Set the parameters and press Run: the noise is drawn, the release is "
                "measured and attacked, and stays here to compare."
            ),
            role="muted",
            wrap=True,
        )
        self.empty.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.name = self._field(self.tr("Name"), self.tr("Name of this run"))
        self.comment = self._field(self.tr("Comment"), self.tr("Comment on this run"))
        self.name.editingFinished.connect(lambda: self._write(self.named, self.name))
        self.comment.editingFinished.connect(lambda: self._write(self.commented, self.comment))
        self.pin = QPushButton(self.tr("☆ Pin"))
        self.pin.setCheckable(True)
        self.pin.setToolTip(self.tr("Pinned runs keep their release in memory"))
        self.pin.clicked.connect(self._pin)
        self.adopt = QPushButton(self.tr("Use settings"))
        self.adopt.setToolTip(self.tr("Set the sliders as they stood for this run"))
        self.adopt.clicked.connect(lambda: self._each(self.adopted, 1))
        self.both = QPushButton(self.tr("Compare"))
        self.both.setToolTip(self.tr("Side by side: select two or more runs"))
        self.both.clicked.connect(lambda: self.compare.emit(self.selected()))
        self.drop = QPushButton(self.tr("Remove"))
        self.drop.setToolTip(self.tr("Strike the selected runs out"))
        self.drop.clicked.connect(lambda: self._each(self.removed))
        delete = QAction(self.tr("Remove runs"), self.list)
        delete.setShortcut(QKeySequence.StandardKey.Delete)
        delete.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        delete.triggered.connect(lambda: self._each(self.removed))
        self.list.addAction(delete)
        self._records: dict[int, RunRecord] = {}
        bar = self.list.verticalScrollBar()  # a lower panel keeps the chosen run in sight
        bar.rangeChanged.connect(lambda *_: self.list.scrollTo(self.list.currentIndex()))
        self._lay_out()
        self.show_runs([], None)

    def _lay_out(self) -> None:
        body = QVBoxLayout(self)
        body.setContentsMargins(style.NORMAL, style.TIGHT, style.NORMAL, style.TIGHT)
        body.setSpacing(style.TIGHT)
        body.addWidget(self.empty)
        body.addWidget(self.list, 1)
        for row in ((self.name, self.comment), (self.pin, self.both, self.adopt, self.drop)):
            line = QHBoxLayout()
            line.setSpacing(style.TIGHT)
            for widget in row:
                line.addWidget(widget, 1)
            body.addLayout(line)
        width = self.fontMetrics()
        for button in (self.pin, self.adopt, self.both, self.drop):
            button.setMinimumWidth(width.horizontalAdvance(button.text()) + 2 * style.NORMAL)

    def _field(self, hint: str, name: str) -> QLineEdit:
        made = QLineEdit()
        made.setPlaceholderText(hint)
        made.setAccessibleName(name)
        made.setMaxLength(200)
        return made

    def show_runs(self, records: Sequence[RunRecord], current: RunRecord | None) -> None:
        """List the runs, latest first, keeping what is selected."""
        chosen = set(self.selected())
        self._records = {record.number: record for record in records}
        self.list.blockSignals(True)
        self.list.clear()
        for record in reversed(list(records)):
            item = QListWidgetItem()
            item.setData(NUMBER, record.number)
            self.list.addItem(item)
            self._fill(item, record)
            item.setSelected(record.number in chosen)
        self.list.blockSignals(False)
        self.empty.setVisible(not self._records)
        self.list.setVisible(bool(self._records))
        self.show_current(current)
        self._selection()

    def show_run(self, record: RunRecord) -> None:
        """Bring one run up to date."""
        item = self._item(record.number)
        if item is not None:
            self._records[record.number] = record
            self._fill(item, record)
            self._selection()

    def show_current(self, record: RunRecord | None) -> None:
        """Select the run that the window shows."""
        item = self._item(record.number) if record is not None else None
        if item is not None and item is not self.list.currentItem():
            self.list.blockSignals(True)
            self.list.setCurrentItem(item, QItemSelectionModel.SelectionFlag.ClearAndSelect)
            self.list.blockSignals(False)
            self._selection()

    def selected(self) -> list[int]:
        """Numbers of the selected runs, in the order in which they were made."""
        return sorted(int(item.data(NUMBER)) for item in self.list.selectedItems())

    def _item(self, number: int) -> QListWidgetItem | None:
        for row in range(self.list.count()):
            item = self.list.item(row)
            if item.data(NUMBER) == number:
                return item
        return None

    def _fill(self, item: QListWidgetItem, record: RunRecord) -> None:
        item.setData(RECORD, record)
        sign = style.RUN_SIGNS[record.state]
        pinned = self.tr(", pinned") if record.pinned else ""
        first = (
            f"{record.letter}{pinned}: {words(record.title)}, {formats.brief(record.plan.params)}"
        )
        item.setText(f"{first}. {sign.word}. {second_line(record)}")
        lines = [first, f"{sign.word}. {second_line(record)}", record.comment]
        item.setToolTip("\n".join(line for line in lines if line))

    def _selection(self) -> None:
        numbers = self.selected()
        one = self._records.get(numbers[0]) if len(numbers) == 1 else None
        for field, text in ((self.name, one.name if one else ""), (self.comment, _said(one))):
            field.setEnabled(one is not None)
            if not field.hasFocus() or one is None:
                field.setText(text)
        self.pin.setEnabled(bool(numbers))
        pinned = bool(numbers) and all(self._records[n].pinned for n in numbers)
        self.pin.setChecked(pinned)
        self.pin.setText(self.tr("★ Pin") if pinned else self.tr("☆ Pin"))
        self.adopt.setEnabled(one is not None)
        self.drop.setEnabled(bool(numbers))
        done = [n for n in numbers if self._records[n].state == "finished"]
        self.both.setEnabled(len(done) > 1)

    def _current(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self.opened.emit(int(item.data(NUMBER)))

    def _pin(self, checked: bool) -> None:
        for number in self.selected():
            self.pinned.emit(number, checked)

    def _each(self, signal: SignalInstance, most: int = 1_000_000) -> None:
        for number in self.selected()[:most]:
            signal.emit(number)

    def _write(self, signal: SignalInstance, field: QLineEdit) -> None:
        numbers = self.selected()
        if len(numbers) == 1:
            signal.emit(numbers[0], field.text())


def second_line(record: RunRecord) -> str:
    """What a run promises, or why it doesn't."""
    if record.state == "failed":
        return words(record.message)
    if record.statement is not None:
        line = words(record.statement.headline())
        return f"{line} · {record.comment}" if record.comment else line
    return tr("nothing of it was kept") if record.state == "cancelled" else ""


def _said(record: RunRecord | None) -> str:
    return record.comment if record is not None else ""


def elided(painter: QPainter, box: QRect, text: str) -> None:
    metrics = QFontMetrics(painter.font())
    shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, box.width())
    painter.drawText(box, Qt.AlignmentFlag.AlignLeft, shown)
