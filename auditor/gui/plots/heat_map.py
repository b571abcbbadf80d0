"""A grid of cells coloured by one figure; a click or Return takes a cell's setting."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetrics,
    QHelpEvent,
    QKeyEvent,
    QLinearGradient,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QToolTip, QWidget

from auditor.gui.app.translation import tr
from auditor.gui.plots import picture
from auditor.gui.release.exportable import Exportable
from auditor.gui.widgets import formats, safe_text, style
from auditor.release.report.grid_drawing import RAMP, CellGrid

BAR = 12
"""Pixels that the bar of colours is wide."""
Place = tuple[Any, Any]


class GridFigure(NamedTuple):
    """What the cells of a grid show, and what is guaranteed in each."""

    title: str
    cells: Mapping[Place, float]
    unit: str = ""
    guarantees: Mapping[Place, str] = MappingProxyType({})


class HeatMap(QWidget):
    """Values over two parameters: rows run over the first, columns over the second."""

    chosen = Signal(object)
    """The place (value of the rows' parameter, of the columns') that somebody picked."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(QSize(160, 100))
        self._rows: Sequence[Any] = ()
        self._columns: Sequence[Any] = ()
        self._figure = GridFigure("", {})
        self._titles = ("", "")
        self._at = (0, 0)

    def show_cells(
        self,
        titles: tuple[str, str],
        rows: Sequence[Any],
        columns: Sequence[Any],
        figure: GridFigure,
    ) -> None:
        """Show values by place; a place without one is left open."""
        self._titles, self._rows, self._columns, self._figure = titles, rows, columns, figure
        self._at = (min(self._at[0], len(rows) - 1), min(self._at[1], len(columns) - 1))
        self.setAccessibleName(figure.title)
        self.setAccessibleDescription(
            self.tr("{titles} by {titles_2}; arrows move, Return takes the setting. {told}").format(
                titles=titles[0], titles_2=titles[1], told=self._describe_cell()
            )
        )
        self.update()

    def sizeHint(self) -> QSize:
        """Room for a grid of ten by ten."""
        return QSize(480, 320)

    # geometry

    def _measure_area(self) -> QRectF:
        line = self.fontMetrics().height()
        widest = max(
            (self.fontMetrics().horizontalAdvance(format_place(v)) for v in self._rows), default=0
        )
        left = widest + line + 3 * style.TIGHT
        top = line + 2 * style.NORMAL
        return QRectF(
            left, top, self.width() - left - self._legend_width() - style.NORMAL,
            self.height() - top - 2 * line - 3 * style.TIGHT,
        )  # fmt: skip

    def _legend_width(self) -> float:
        ends = map(self._format_value, self._find_value_range())
        widest = max(map(self.fontMetrics().horizontalAdvance, ends))
        return float(widest + BAR + 2 * style.WIDE)

    def _find_value_range(self) -> tuple[float, float]:
        """The lowest and the highest value of any cell."""
        numbers = [value for value in self._figure.cells.values() if math.isfinite(value)]
        return (min(numbers), max(numbers)) if numbers else (0.0, 1.0)

    def _format_value(self, value: float) -> str:
        return formats.format_without_unit(value, self._figure.unit)

    def _measure_cell(self, row: int, column: int) -> QRectF:
        area = self._measure_area()
        wide, high = area.width() / len(self._columns), area.height() / len(self._rows)
        # the first row is the lowest, as on an axis
        return QRectF(
            area.left() + column * wide,
            area.bottom() - (row + 1) * high,
            wide - 1,
            high - 1,
        )

    def _place_at(self, point: QPoint) -> tuple[int, int] | None:
        for row in range(len(self._rows)):
            for column in range(len(self._columns)):
                if self._measure_cell(row, column).contains(point):
                    return row, column
        return None

    # painting

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Cells, their numbers where there is room, and both axes."""
        if self._rows and self._columns:
            painter = QPainter(self)
            self._draw_cells(painter)
            if self.hasFocus():
                painter.setPen(QPen(QColor(style.theme_of(self).text), 2))
                painter.drawRect(self._measure_cell(*self._at))
            painter.end()

    def make_exportable(self) -> Exportable | None:
        """The map as a picture."""
        if not self._rows or not self._columns:
            return None
        low, high = self._find_value_range()
        cells, guarantees = self._figure.cells, self._figure.guarantees
        places = [(row, column) for row in self._rows for column in self._columns]
        values = np.array([cells.get(place, math.nan) for place in places], dtype=np.float64)
        return picture.of_figure(
            CellGrid(
                self._figure.title,
                self._titles,
                tuple(map(format_place, self._rows)),
                tuple(map(format_place, self._columns)),
                values.reshape(len(self._rows), len(self._columns)),
                tuple(
                    tuple(filter(None, (self._format_value(value), guarantees.get(place, ""))))
                    for place, value in zip(places, values.tolist(), strict=True)
                ),
                (self._format_value(low), self._format_value(high)),
            )
        )

    def _draw_cells(self, painter: QPainter) -> None:
        theme = style.theme_of(self)
        low, high = self._find_value_range()
        metrics = self.fontMetrics()
        for row, first in enumerate(self._rows):
            for column, second in enumerate(self._columns):
                box = self._measure_cell(row, column)
                value = self._figure.cells.get((first, second))
                if value is None or not math.isfinite(value):
                    painter.fillRect(box, QColor(theme.grid))
                    continue
                share = (value - low) / (high - low) if high > low else 0.5
                painter.fillRect(box, ramp_colour(share))
                painter.setPen(QColor("#ffffff" if share < 0.5 else "#000000"))
                said = (self._format_value(value), self._figure.guarantees.get((first, second), ""))
                for lines in (said, said[:1]):
                    text = "\n".join(filter(None, lines))
                    need = metrics.size(0, text)
                    if need.width() < box.width() - 4 and need.height() < box.height():
                        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
                        break
        self._draw_axes(painter, theme)
        self._draw_legend(painter, theme)

    def _draw_legend(self, painter: QPainter, theme: style.WindowTheme) -> None:
        """The title above the cells, and at the right which colour means which value."""
        area, metrics = self._measure_area(), self.fontMetrics()
        painter.save()
        painter.setPen(QColor(theme.text))
        bold = style.scaled_font(self, bold=True)
        painter.setFont(bold)
        room = round(self.width() - area.left() - style.NORMAL)
        title = QFontMetrics(bold).elidedText(self._figure.title, Qt.TextElideMode.ElideRight, room)
        head = QRectF(area.left(), style.TIGHT, room, metrics.height() + style.TIGHT)
        painter.drawText(head, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, title)
        painter.restore()
        bar = QRectF(area.right() + style.WIDE, area.top(), BAR, area.height())
        ramp = QLinearGradient(bar.bottomLeft(), bar.topLeft())
        for step, shade in enumerate(RAMP):
            ramp.setColorAt(step / (len(RAMP) - 1), QColor(shade))
        painter.fillRect(bar, ramp)
        painter.setPen(QColor(theme.muted))
        low, high = self._find_value_range()
        for value, top in ((high, bar.top()), (low, bar.bottom() - metrics.height())):
            place = QRectF(bar.right() + style.TIGHT, top, self.width(), metrics.height())
            painter.drawText(place, Qt.AlignmentFlag.AlignLeft, self._format_value(value))

    def _draw_axes(self, painter: QPainter, theme: style.WindowTheme) -> None:
        area, metrics = self._measure_area(), self.fontMetrics()
        painter.setPen(QColor(theme.muted))
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        for row, value in enumerate(self._rows):
            box = self._measure_cell(row, 0)
            if box.height() >= metrics.height() - 2 or row in (0, len(self._rows) - 1):
                top = box.center().y() - metrics.height() / 2
                place = QRectF(0, top, area.left() - style.TIGHT, metrics.height())
                painter.drawText(place, right, format_place(value))
        free = area.left()
        for column, value in enumerate(self._columns):
            text, box = format_place(value), self._measure_cell(0, column)
            wide = metrics.horizontalAdvance(text)
            if box.center().x() - wide / 2 >= free:
                place = QRectF(
                    box.center().x() - wide, area.bottom() + 1, 2 * wide, metrics.height()
                )
                painter.drawText(place, Qt.AlignmentFlag.AlignHCenter, text)
                free = box.center().x() + wide / 2 + style.NORMAL
        painter.setPen(QColor(theme.text))
        below = QRectF(
            area.left(), area.bottom() + metrics.height() + style.TIGHT, area.width(),
            metrics.height(),
        )  # fmt: skip
        elided = [
            metrics.elidedText(title, Qt.TextElideMode.ElideMiddle, round(room))
            for title, room in zip(self._titles, (area.height(), area.width()), strict=True)
        ]
        painter.drawText(below, Qt.AlignmentFlag.AlignHCenter, elided[1])
        painter.save()
        painter.translate(metrics.ascent(), area.center().y())
        painter.rotate(-90)
        beside = QRectF(-area.height() / 2, -metrics.ascent(), area.height(), metrics.height())
        painter.drawText(beside, Qt.AlignmentFlag.AlignHCenter, elided[0])
        painter.restore()

    # reacting

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take the setting of the cell under the pointer."""
        place = self._place_at(event.position().toPoint())
        if place is not None and event.button() == Qt.MouseButton.LeftButton:
            self._at = place
            self._choose_cell()
        super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows move between cells, Return takes one."""
        steps = {
            Qt.Key.Key_Up: (1, 0),
            Qt.Key.Key_Down: (-1, 0),
            Qt.Key.Key_Left: (0, -1),
            Qt.Key.Key_Right: (0, 1),
        }
        key = Qt.Key(event.key())
        if key in steps and self._rows:
            rows, columns = len(self._rows), len(self._columns)
            row, column = self._at[0] + steps[key][0], self._at[1] + steps[key][1]
            self._at = (min(max(row, 0), rows - 1), min(max(column, 0), columns - 1))
            self.setAccessibleDescription(self._describe_cell())
            self.update()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self._choose_cell()
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        """Say what a cell holds."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            place = self._place_at(event.pos())
            told = safe_text.plain_tip(self._describe_cell(place)) if place else ""
            QToolTip.showText(event.globalPos(), told, self)
            return True
        return super().event(event)

    def _choose_cell(self) -> None:
        if self._rows and self._columns:
            self.update()
            self.chosen.emit((self._rows[self._at[0]], self._columns[self._at[1]]))

    def _describe_cell(self, place: tuple[int, int] | None = None) -> str:
        if not self._rows or not self._columns:
            return ""
        row, column = place or self._at
        first, second = self._rows[row], self._columns[column]
        value = self._figure.cells.get((first, second))
        told = self.tr("not computed yet") if value is None else self._format_value(value)
        guarantee = self._figure.guarantees.get((first, second), "")
        told += f" ({guarantee})" if guarantee else ""
        return self.tr(
            "{titles} {word}, {titles_2} {word_2}: {told}\nClick to take this setting."
        ).format(
            titles=self._titles[0],
            word=format_place(first),
            titles_2=self._titles[1],
            word_2=format_place(second),
            told=told,
        )


def ramp_colour(share: float) -> QColor:
    """The ramp's colour at a share from 0 to 1."""
    place = min(max(share, 0.0), 1.0) * (len(RAMP) - 1)
    below = min(int(place), len(RAMP) - 2)
    return style.mix_colours(RAMP[below + 1], RAMP[below], place - below)


def format_place(value: Any) -> str:
    """A value of a parameter, as an axis or a sentence has it."""
    if isinstance(value, bool):
        return tr("yes") if value else tr("no")
    return formats.format_number(value) if isinstance(value, int | float) else str(value)
