"""The tables that a run's measures and attacks made: pick one, sort it, copy it."""

import csv
import io
import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import QEvent, QModelIndex, QObject, QSortFilterProxyModel, Qt, Signal
from PySide6.QtGui import QColor, QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import QAbstractItemView, QWidget

from auditor.figures import Table, UserReference
from auditor.gui.app.translation import mark_for_translation, tr, translate_all, translate_text
from auditor.gui.release.exportable import Exportable, csv_of
from auditor.gui.widgets import style
from auditor.gui.widgets.areas import ElidedLabel
from auditor.gui.widgets.fields import ChoiceBox
from auditor.gui.widgets.formats import format_cell, format_exactly
from auditor.gui.widgets.tables import Column, ColumnModel, Index, Role, make_table
from auditor.log import escaping

WIDEST = 420
"""Pixels that a column takes at most by itself; it can be dragged wider."""

MEASURED = 200
"""Rows that decide how wide columns are."""

EMPTY = mark_for_translation("Run a method: the tables of its measures and attacks appear here.")


class TableModel(ColumnModel):
    """A `Table` as Qt wants it, a line a row; numbers sort as numbers."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent=parent)
        self._panel = parent
        self.table: Table | None = None

    def set_table(self, table: Table | None) -> None:
        self.table = table
        if table is None:
            self.set_lines((), ())
        else:
            columns = [self._make_column(table, place) for place in range(len(table.columns))]
            self.set_lines(range(len(table.rows)), columns)

    def _make_column(self, table: Table, place: int) -> Column:
        def find_value(row: int) -> Any:
            return table.rows[row][place]

        def tell_exactly(row: int) -> str:
            text, value = format_place(table, row, place), find_value(row)
            exact = format_exactly(value) if isinstance(value, float) else text
            return text if exact == text else f"{text} ({exact})"

        roles: dict[int, Callable[[int], Any]] = {Role.UserRole: find_value}
        if place in table.who or -1 in table.who:
            roles[Role.ForegroundRole] = lambda _row: QColor(style.theme_of(self._panel).accent)
        number = any(isinstance(row[place], int | float) for row in table.rows[:MEASURED])
        title = translate_text(table.columns[place])
        tell = partial(format_place, table, column=place)
        return Column(title, tell, number, tell_exactly, roles)

    def find_user_reference(self, index: Index) -> UserReference | None:
        if self.table is None or not index.isValid():
            return None
        return self.table.who.get(index.column(), self.table.who.get(-1))

    def describe_cell(self, index: Index) -> str:
        """What a cell is of, in words: the table, its row's words and its column."""
        assert self.table is not None
        row = self.table.rows[index.row()]
        words = [format_cell(cell) for cell in row if isinstance(cell, str) and cell]
        titles = translate_all((self.table.title, self.table.columns[index.column()]))
        return " · ".join([*titles, *words[:2]])


def format_place(table: Table, row: int, column: int) -> str:
    """A cell in words: in its unit, and in the window's language where the words are our own."""
    value = table.rows[row][column]
    is_label = isinstance(value, str) and table.own_words
    return format_cell(translate_text(value) if is_label else value, table.find_unit(row, column))


class Sorter(QSortFilterProxyModel):
    """Sorts by value: numbers before words, missing ones last."""

    def lessThan(self, left: Index, right: Index) -> bool:
        return _make_sort_key(left.data(Role.UserRole)) < _make_sort_key(right.data(Role.UserRole))


class TablesPanel(QWidget):
    """Tables in groups, one of them shown."""

    whose = Signal(object, int, str)
    """The `UserReference` of a cell, its row, and a description: its users were requested."""

    def __init__(self) -> None:
        super().__init__()
        self._tables: dict[str, Table] = {}
        self.box = ChoiceBox(self.tr("Table"), least=30)
        self.box.activated.connect(lambda _index: self._draw_table())
        self.of = ElidedLabel(bold=True)
        tip = self.tr("Copy the whole table, as it is sorted, to the clipboard")
        self.copy = style.button(self.tr("Copy as CSV"), self._copy_all, tip=tip)
        self.model, self.sorter = TableModel(self), Sorter(self)
        self.sorter.setSourceModel(self.model)
        self.view = make_table(self.sorter, self.tr("Cells"))
        self.view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectItems)
        self.view.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.view.setSortingEnabled(True)
        self.view.activated.connect(self._request_sessions)
        self.view.installEventFilter(self)
        copy = QShortcut(QKeySequence.StandardKey.Copy, self.view)
        copy.setContext(Qt.ShortcutContext.WidgetShortcut)
        copy.activated.connect(self._copy_selection)
        self.note = style.plain_label(size=style.SMALL, role="muted", wrap=True)
        self.empty = style.plain_label(role="muted", wrap=True, centred=True)
        head = style.row(None, [(self.of, 1), (self.box, 2), self.copy], spacing=style.NORMAL)
        parts: list[style.Part] = [head, (self.view, 1), self.note, (self.empty, 1)]
        style.column(self, parts, margins=(0, 0, style.NORMAL, 0), spacing=style.TIGHT)
        self.clear(tr(EMPTY))

    def clear(self, reason: str) -> None:
        self.show_tables(())
        self.empty.setText(reason)

    def show_tables(self, groups: Sequence[tuple[str, Sequence[Table]]], subject: str = "") -> None:
        """Offer the tables of each group ("record linkage", …); keeps what was picked.

        `subject` names the run that they are of.
        """
        self.of.show_text(subject)
        self._tables = {f"{name}/{t.name}": t for name, tables in groups for t in tables}
        entries = [
            (f"{translate_text(name)}: {translate_text(table.title)}", f"{name}/{table.name}")
            for name, tables in groups
            for table in tables
        ]
        self.box.offer((text, key, text) for text, key in entries)
        for widget in (self.of, self.box, self.copy, self.view):
            widget.setVisible(bool(self._tables))
        self.empty.setVisible(not self._tables)
        self._draw_table()

    def _draw_table(self) -> None:
        table = self._tables.get(self.box.currentData())
        if table is self.model.table:
            return
        self.model.set_table(table)
        self.sorter.sort(-1)
        self.view.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        if table is None:
            style.show_text(self.note, "")
            return
        hint = self.tr("No sessions stand behind single cells of this table.")
        if table.who:
            hint = self.tr("Double-click a coloured cell, or press Return, to see the sessions.")
        source = self.tr("Follows {source}.").format(source=table.source) if table.source else ""
        notes = translate_text(table.note), source, hint
        style.show_text(self.note, " ".join(filter(None, notes)))
        header, cells = self.view.horizontalHeader().fontMetrics(), self.view.fontMetrics()
        for place, name in enumerate(table.columns):
            rows = range(min(MEASURED, len(table.rows)))
            widths = [cells.horizontalAdvance(format_place(table, row, place)) for row in rows]
            heading = header.horizontalAdvance(translate_text(name)) + style.WIDE
            self.view.setColumnWidth(place, min(max([heading, *widths]) + style.WIDE, WIDEST))

    def _request_sessions(self, index: QModelIndex) -> None:
        place = self.sorter.mapToSource(index)
        reference = self.model.find_user_reference(place)
        if reference is not None:
            self.whose.emit(reference, place.row(), self.model.describe_cell(place))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Return asks on every platform."""
        if watched is self.view and event.type() == QEvent.Type.KeyPress:
            key = event.key()  # type: ignore[attr-defined]
            if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._request_sessions(self.view.currentIndex())
                return True
        return super().eventFilter(watched, event)

    def make_exportable(self) -> Exportable | None:
        """The whole table, as it is sorted, to be copied, saved or printed."""
        table = self.model.table
        if table is None:
            return None
        indices = (self.sorter.index(row, 0) for row in range(self.sorter.rowCount()))
        order = [self.sorter.mapToSource(index).row() for index in indices]
        rows = [table.columns, *(table.rows[row] for row in order)]
        return Exportable(
            table.title,
            table.private,
            rows=rows,
            note=table.note,
            find_unit=lambda row, column: table.find_unit(order[row - 1], column) if row else "",
        )

    def _copy_all(self) -> None:
        if (table := self.make_exportable()) is not None:
            QGuiApplication.clipboard().setText(csv_of(table))

    def _copy_selection(self) -> None:
        selected_cells = {(i.row(), i.column()) for i in self.view.selectedIndexes()}
        rows = sorted({row for row, _ in selected_cells})
        columns = sorted({column for _, column in selected_cells})
        text = io.StringIO()
        writer = csv.writer(text, delimiter="\t", lineterminator="\n")
        for r in rows:
            places = [
                self.sorter.index(r, c) if (r, c) in selected_cells else None for c in columns
            ]
            cells = ["" if index is None else index.data(Role.UserRole) for index in places]
            writer.writerow([escaping.escape_cell(cell) for cell in cells])
        QGuiApplication.clipboard().setText(text.getvalue())


def _make_sort_key(value: Any) -> tuple[int, float, str]:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return (2, 0.0, "")
    if isinstance(value, int | float):
        return (0, float(value), "")
    return (1, 0.0, format_cell(value))
