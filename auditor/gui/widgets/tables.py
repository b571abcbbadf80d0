"""Tables from columns that say how they show a line, and how every table looks and is used."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from PySide6.QtCore import (
    QAbstractItemModel,
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    QTimer,
)
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from auditor.arrays import Int64s
from auditor.gui.widgets import safe_text, style

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
Lines = Sequence[Any] | Int64s
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


@dataclass(frozen=True)
class Column:
    """A column: its heading, and what stands in the cell of a line.

    `tip` is plain text; `roles` gives what else a cell has, by Qt's role; `help` is the tooltip of
    the heading, in place of the title. Numbers stand on the right.
    """

    title: str
    text: Callable[[Any], str]
    number: bool = False
    tip: Callable[[Any], str] | None = None
    roles: Mapping[int, Callable[[Any], Any]] = field(default_factory=dict)
    help: str = ""


class ColumnModel(QAbstractTableModel):
    """Lines of any kind under columns; a cell is made when it is seen."""

    def __init__(
        self, columns: Sequence[Column] = (), lines: Lines = (), parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.columns, self.lines = columns, lines

    def set_lines(self, lines: Lines, columns: Sequence[Column] | None = None) -> None:
        """Show other lines, under other columns if there are any."""
        self.beginResetModel()
        self.lines, self.columns = lines, self.columns if columns is None else columns
        self.endResetModel()

    def refresh_columns(self, first: int) -> None:
        if len(self.lines):
            last = self.index(len(self.lines) - 1, len(self.columns) - 1)
            self.dataChanged.emit(self.index(0, first), last)

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.lines)

    def columnCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.columns)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole
    ) -> Any:
        if orientation is not Qt.Orientation.Horizontal or section >= len(self.columns):
            return None
        column = self.columns[section]
        if role == Role.TextAlignmentRole and column.number:
            return RIGHT
        if role == Role.ToolTipRole:
            return safe_text.plain_tip(column.help or column.title)
        return column.title if role == Role.DisplayRole else None

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        if not index.isValid():
            return None
        column, line = self.columns[index.column()], self.lines[index.row()]
        if role == Role.DisplayRole:
            return column.text(line)
        if role == Role.ToolTipRole and column.tip is not None:
            return safe_text.plain_tip(column.tip(line))
        if role == Role.TextAlignmentRole and column.number:
            return RIGHT
        return column.roles[role](line) if role in column.roles else None


def make_table(
    model: QAbstractItemModel, name: str, samples: Sequence[str] = (), *, many_rows: bool = False
) -> QTableView:
    """A table of a model; its first columns are as wide as samples of their text."""
    table = QTableView()
    table.setModel(model)
    dress_table(table, name, many_rows=many_rows)
    for place, sample in enumerate(samples):
        wide = table.fontMetrics().horizontalAdvance(sample) + 16
        table.horizontalHeader().resizeSection(place, wide)
    return table


def dress_table(table: QTableView, name: str, *, many_rows: bool = False) -> None:
    """Make a table one to read from, called `name`; with `many_rows`, several can be chosen."""
    view, resize = QAbstractItemView, QHeaderView.ResizeMode
    modes = view.SelectionMode
    table.setAccessibleName(name)
    table.setEditTriggers(view.EditTrigger.NoEditTriggers)
    table.setSelectionBehavior(view.SelectionBehavior.SelectRows)
    table.setSelectionMode(modes.ExtendedSelection if many_rows else modes.SingleSelection)
    table.setHorizontalScrollMode(view.ScrollMode.ScrollPerPixel)
    table.setTabKeyNavigation(False)  # Tab leaves the table; the arrows move in it
    table.setAlternatingRowColors(True)
    table.setShowGrid(False)
    table.setWordWrap(False)
    upright, header = table.verticalHeader(), table.horizontalHeader()
    upright.hide()
    upright.setSectionResizeMode(resize.Fixed)
    upright.setDefaultSectionSize(table.fontMetrics().height() + 2 * style.TIGHT)
    header.setHighlightSections(False)
    header.setTextElideMode(Qt.TextElideMode.ElideRight)
    header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)


def wrap_rows(table: QTableView, lines_at_most: int = 3) -> QTimer:
    """Let words that don't fit go on in a next line of their row, in up to `lines_at_most` lines.

    Rows are measured when columns change their width; start the timer where texts change.
    """
    table.setWordWrap(True)
    measure = QTimer(table, singleShot=True, interval=0)

    def fit_rows() -> None:
        least, line = table.verticalHeader().defaultSectionSize(), table.fontMetrics().lineSpacing()
        for row in range(table.model().rowCount()):
            high = min(
                table.sizeHintForRow(row) + style.TIGHT, lines_at_most * line + 2 * style.TIGHT
            )
            table.setRowHeight(row, max(least, high))

    measure.timeout.connect(fit_rows)
    table.horizontalHeader().sectionResized.connect(lambda *_: measure.start())
    return measure
