"""A grid of cells coloured by one figure; a click or Return takes a cell's setting."""

import itertools
import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import (
    QFrame,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from auditor.arrays import Float64s
from auditor.gui.app.translation import tr
from auditor.gui.release.exportable import Exportable, of_figure
from auditor.gui.widgets import formats, safe_text, style
from auditor.gui.widgets.areas import ElidedLabel
from auditor.gui.widgets.tables import Index, dress_table
from auditor.release.report.drawing import RAMP, CellGrid, share_of_range

BAR = 120
"""Pixels that the bar of colours is wide."""
LINE = "\u2028"
"""What begins another line of a cell."""
Place = tuple[Any, Any]


class GridFigure(NamedTuple):
    """What the cells of a grid show, and what is guaranteed in each."""

    title: str
    cells: Mapping[Place, float]
    unit: str = ""
    guarantees: Mapping[Place, str] = MappingProxyType({})


class CellDelegate(QStyledItemDelegate):
    """As many lines of a cell as there is room for, and a frame around the current one."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        room, lines = option.rect.size(), option.text.splitlines()
        while lines:
            need = option.fontMetrics.size(0, "\n".join(lines))
            if need.width() < room.width() - 4 and need.height() <= room.height():
                break
            lines.pop()
        option.text = LINE.join(lines)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        table = self.parent()
        if isinstance(table, QTableWidget) and table.hasFocus() and index == table.currentIndex():
            painter.setPen(QPen(QColor(style.theme_of(table).text), 2))
            painter.drawRect(option.rect.adjusted(1, 1, -1, -1))


class HeatCells(QTableWidget):
    """Cells that fill their room; Return and Space take the current one as a click does."""

    def __init__(self) -> None:
        super().__init__()
        dress_table(self, "")
        self.setSelectionMode(self.SelectionMode.NoSelection)
        self.setAlternatingRowColors(False)
        self.setItemDelegate(CellDelegate(self))
        self.verticalHeader().show()
        for header in (self.verticalHeader(), self.horizontalHeader()):
            header.setMinimumSectionSize(style.WIDE)
            header.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
            header.setDefaultAlignment(Qt.AlignmentFlag.AlignCenter)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        keys = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
        if event.key() in keys and self.currentItem() is not None:
            self.cellClicked.emit(self.currentRow(), self.currentColumn())
        else:
            super().keyPressEvent(event)


class HeatMap(QWidget):
    """Values over two parameters: rows run over the first, columns over the second."""

    chosen = Signal(object)
    """The place (value of the rows' parameter, of the columns') that somebody picked."""

    def __init__(self) -> None:
        super().__init__()
        self._rows: Sequence[Any] = ()
        self._columns: Sequence[Any] = ()
        self._figure = GridFigure("", {})
        self._titles = ("", "")
        self.title, self.legend = ElidedLabel(bold=True), ElidedLabel()
        self.upwards, self.rightwards = ElidedLabel(), ElidedLabel()
        self.low, self.high = style.plain_label(role="muted"), style.plain_label(role="muted")
        bar = QFrame()
        bar.setFixedWidth(BAR)
        stops = ", ".join(f"stop:{index / (len(RAMP) - 1)} {ink}" for index, ink in enumerate(RAMP))
        bar.setStyleSheet(f"background: qlineargradient(x1:0, x2:1, y1:0, y2:0, {stops})")
        self.cells = HeatCells()
        self.cells.cellClicked.connect(
            lambda row, column: self.chosen.emit((self._rows[-1 - row], self._columns[column]))
        )
        self.setFocusProxy(self.cells)
        axes = style.row(None, [self.upwards, 1, self.rightwards])
        foot = style.row(None, [self.legend, self.low, bar, self.high, 1], spacing=style.NORMAL)
        style.column(self, [self.title, axes, (self.cells, 1), foot])

    def show_cells(
        self,
        titles: tuple[str, str],
        rows: Sequence[Any],
        columns: Sequence[Any],
        figure: GridFigure,
    ) -> None:
        self._titles, self._rows, self._columns, self._figure = titles, rows, columns, figure
        title = self.tr("{figure}, by {rows} and {columns}")
        self.title.show_text(title.format(figure=figure.title, rows=titles[0], columns=titles[1]))
        self.upwards.show_text(f"↑ {titles[0]}")
        self.rightwards.show_text(f"{titles[1]} →")
        self.legend.show_text(self.tr("Colour: {figure}").format(figure=figure.title))
        self.setAccessibleName(figure.title)
        self.cells.setAccessibleName(figure.title)
        values, ends = self._list_values()
        for label, text in zip((self.low, self.high), ends, strict=True):
            label.setText(text)
        cells = self.cells
        if (cells.rowCount(), cells.columnCount()) != values.shape:
            cells.setRowCount(len(rows))
            cells.setColumnCount(len(columns))
            cells.setCurrentCell(len(rows) - 1, 0)  # the first row is the lowest, as on an axis
        cells.setHorizontalHeaderLabels([format_place(value) for value in columns])
        cells.setVerticalHeaderLabels([format_place(value) for value in reversed(rows)])
        shares = share_of_range(values)
        for row, column in np.ndindex(*values.shape):
            place, share = (rows[row], columns[column]), float(shares[row, column])
            finite, text = math.isfinite(share), self.describe_cell(place)
            item = QTableWidgetItem("\n".join(self._list_lines(place)) if finite else "")
            item.setTextAlignment(Qt.AlignmentFlag.AlignCenter)
            if finite:
                item.setBackground(ramp_colour(share))
                item.setForeground(QColor("#ffffff" if share < 0.5 else "#000000"))
            item.setToolTip(safe_text.plain_tip(text))
            item.setData(Qt.ItemDataRole.AccessibleTextRole, text)
            cells.setItem(len(rows) - 1 - row, column, item)

    def sizeHint(self) -> QSize:
        return QSize(480, 320)

    def describe_cell(self, place: Place) -> str:
        value, guarantee = self._figure.cells.get(place), self._figure.guarantees.get(place, "")
        content = self.tr("not computed yet") if value is None else self._format_value(value)
        content += f" ({guarantee})" if guarantee else ""
        text = self.tr("{titles} {word}, {titles_2} {word_2}: {told}\nClick to take this setting.")
        (rows, columns), (row, column) = self._titles, map(format_place, place)
        return text.format(titles=rows, word=row, titles_2=columns, word_2=column, told=content)

    def make_exportable(self) -> Exportable | None:
        if not self._rows or not self._columns:
            return None
        values, ends = self._list_values()
        return of_figure(
            CellGrid(
                self._figure.title,
                self._titles,
                tuple(map(format_place, self._rows)),
                tuple(map(format_place, self._columns)),
                values,
                tuple(map(self._list_lines, itertools.product(self._rows, self._columns))),
                ends,
            )
        )

    def _list_values(self) -> tuple[Float64s, tuple[str, str]]:
        """Cells' values by row and column, NaN where none is known, and the ends in words."""
        places = itertools.product(self._rows, self._columns)
        values = np.array([self._figure.cells.get(place, math.nan) for place in places], float)
        finite = values[np.isfinite(values)]
        ends = "", ""
        if len(finite):
            ends = self._format_value(finite.min()), self._format_value(finite.max())
        return values.reshape(len(self._rows), len(self._columns)), ends

    def _format_value(self, value: float) -> str:
        return formats.format_without_unit(value, self._figure.unit)

    def _list_lines(self, place: Place) -> tuple[str, ...]:
        value = self._format_value(self._figure.cells.get(place, math.nan))
        return tuple(filter(None, (value, self._figure.guarantees.get(place, ""))))


def ramp_colour(share: float) -> QColor:
    place = min(max(share, 0.0), 1.0) * (len(RAMP) - 1)
    below = min(int(place), len(RAMP) - 2)
    return style.mix_colours(RAMP[below + 1], RAMP[below], place - below)


def format_place(value: Any) -> str:
    """A value of a parameter, as an axis or a sentence has it."""
    if isinstance(value, bool):
        return tr("yes") if value else tr("no")
    return formats.format_number(value) if isinstance(value, int | float) else str(value)
