"""The legend: a strip above the plot, so that it never covers data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from auditor.gui.widgets import style


@dataclass(frozen=True)
class LegendEntry:
    """One name with the look of its series."""

    name: str
    kind: Literal["line", "points", "bars", "steps"]
    look: int
    """Index of colour and symbol."""
    bad: bool = False


class Legend(QWidget):
    """Paints its entries one after the other, on as many lines as they need."""

    SWATCH = 18

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._entries: tuple[LegendEntry, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.hide()

    def show_entries(self, entries: tuple[LegendEntry, ...]) -> None:
        """Show these names; a single series needs none."""
        if entries == self._entries:
            return
        self._entries = entries
        self.setVisible(len(entries) > 1)
        self.setAccessibleName(self.tr("Legend: ") + ", ".join(entry.name for entry in entries))
        self._fit_height()
        self.update()

    def sizeHint(self) -> QSize:
        """As high as its lines."""
        return QSize(100, self._measure_height(max(self.width(), 100)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Break lines anew."""
        super().resizeEvent(event)
        self._fit_height()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw swatches and names."""
        painter = QPainter(self)
        self.draw(painter, self.width())
        painter.end()

    def draw(self, painter: QPainter, width: int) -> int:
        """Draw them from the painter's origin on, so wide; how high they are."""
        theme = style.theme_of(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(style.scaled_font(self, style.SMALL))
        for entry, box in zip(self._entries, self._measure_boxes(width), strict=True):
            colour = QColor(
                theme.bad if entry.bad else theme.series[entry.look % len(theme.series)]
            )
            middle = QPointF(box.left() + self.SWATCH / 2, box.center().y())
            painter.setPen(QPen(colour, 2))
            painter.setBrush(colour)
            if entry.kind in ("line", "steps"):
                painter.setPen(style.line_pen(theme, entry.look))
                reach = QPointF(self.SWATCH / 2 - 2, 0)
                painter.drawLine(middle - reach, middle + reach)
            elif entry.kind == "bars":
                painter.drawRect(QRectF(middle.x() - 5, middle.y() - 4, 10, 8))
            else:
                import pyqtgraph as pg  # after the first paint: it takes a quarter of a start

                symbol = style.SYMBOLS[entry.look % len(style.SYMBOLS)]
                path = pg.graphicsItems.ScatterPlotItem.Symbols[symbol]
                painter.save()
                painter.translate(middle)
                painter.scale(9, 9)
                painter.setPen(QPen(colour, 0.1))
                painter.drawPath(path)
                painter.restore()
            painter.setPen(QColor(theme.text))
            text = box.adjusted(self.SWATCH + 3, 0, 0, 0)
            painter.drawText(
                text, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, entry.name
            )
        return self._measure_height(width)

    def _measure_boxes(self, width: int) -> list[QRectF]:
        metrics = QFontMetrics(style.scaled_font(self, style.SMALL))
        height, boxes = metrics.height() + 2, []
        x, y = float(style.NORMAL), 0.0
        for entry in self._entries:
            need = self.SWATCH + 3 + metrics.horizontalAdvance(entry.name) + 2 * style.NORMAL
            if x > style.NORMAL and x + need > width:
                x, y = float(style.NORMAL), y + height
            boxes.append(QRectF(x, y, need, height))
            x += need
        return boxes

    def _measure_height(self, width: int) -> int:
        boxes = self._measure_boxes(width)
        return int(boxes[-1].bottom()) if boxes else 0

    def _fit_height(self) -> None:
        self.setFixedHeight(max(1, self._measure_height(max(self.width(), 100))))
