"""Draws a figure for a file or a page: in the light theme, with legend and axes, at any size.

The window's plots follow the pointer and are made of scene items; a picture that scales is drawn
by a painter alone, so that each line and each word of it is one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QGuiApplication, QPainter, QPen, QPolygonF

from auditor.arrays import Float64s
from auditor.figures import Axis, Figure, Series
from auditor.gui.plots.canvas import PlainAxis, Range, scale_value, scale_values
from auditor.gui.plots.legend import Legend, LegendEntry
from auditor.gui.plots.plot import bar_width, limits_of
from auditor.gui.release.exportable import Exportable
from auditor.gui.widgets import style

Label = tuple[float, float, str]
"""x, y and a word that stands there."""

LONG_NAME = 28
GAP = 4.0
THEME = style.LIGHT


def of_figure(
    figure: Figure,
    whose: str = "",
    *,
    frame: tuple[Range, Range] | None = None,
    labels: Sequence[Label] = (),
) -> Exportable:
    """A figure to take away; `frame` is the range of x and y if it was zoomed."""

    def paint(painter: QPainter, area: QRectF) -> None:
        _FigurePicture(painter, figure, frame or limits_of(figure)).draw(area, labels)

    title = f"{figure.title} ({whose})" if whose else figure.title
    return Exportable(title, figure.private, paint, note=figure.note)


class _FigurePicture:
    """One figure on its way onto a painter."""

    def __init__(self, painter: QPainter, figure: Figure, frame: tuple[Range, Range]) -> None:
        self.painter, self.figure, self.frame = painter, figure, frame
        self.plot = QRectF()
        self.font = QFont(QGuiApplication.font())
        self.font.setPointSizeF(self.font.pointSizeF() * style.SMALL)
        self.metrics = QFontMetricsF(self.font)

    def draw(self, area: QRectF, labels: Sequence[Label]) -> None:
        """Legend, axes, zones, series, marks and labels."""
        self.painter.setFont(self.font)
        top = self._legend(area)
        x = self._ticks(self.figure.x, 0, area.width())
        y = self._ticks(self.figure.y, 1, area.height())
        line = self.metrics.height()
        left = max((self.metrics.horizontalAdvance(t) for _, t in y), default=0.0) + line + 3 * GAP
        turned = self._turned([text for _, text in x], area.width() - left)
        deep = (
            max(self.metrics.horizontalAdvance(t) for _, t in x) * 0.71 + line if turned else line
        )
        self.plot = area.adjusted(left, top + line / 2, -line, -deep - line - 3 * GAP)
        self._draw_axes(area, x, y, turned)
        self.painter.save()
        self.painter.setClipRect(self.plot)
        self._zones()
        for number, series in enumerate(self.figure.series):
            self._series(number, series)
        self.painter.restore()
        self._marks()
        self._labels(labels)

    # places

    def _across(self, x: float) -> float:
        low, high = self.frame[0]
        return self.plot.left() + (x - low) / (high - low) * self.plot.width()

    def _up(self, y: float) -> float:
        low, high = self.frame[1]
        return self.plot.bottom() - (y - low) / (high - low) * self.plot.height()

    def _points(self, x: Float64s, y: Float64s) -> list[QPointF | None]:
        """Places on the picture, None where there is no number."""
        return [
            QPointF(self._across(a), self._up(b)) if math.isfinite(a) and math.isfinite(b) else None
            for a, b in zip(x.tolist(), y.tolist(), strict=True)
        ]

    # axes

    def _ticks(self, about: Axis, side: int, size: float) -> list[tuple[float, str]]:
        low, high = self.frame[side]
        if about.categories:
            return [(float(at), _short(name)) for at, name in enumerate(about.categories)]
        axis = PlainAxis("bottom")
        axis.enableAutoSIPrefix(False)
        axis.setLogMode(x=about.scale == "log", y=about.scale == "log")
        found: list[tuple[float, str]] = []
        for spacing, values in axis.tickValues(low, high, size)[:2]:
            inside = [v for v in values if low - 1e-9 <= v <= high + 1e-9]
            if about.scale == "log":
                texts = axis.logTickStrings(inside, 1.0, spacing)
            else:
                texts = axis.tickStrings(inside, 1.0, spacing)
            found += zip(inside, texts, strict=True)
        return found

    def _turned(self, texts: Sequence[str], width: float) -> bool:
        """Whether names along x need more room than there is, and lie aslant."""
        need = sum(self.metrics.horizontalAdvance(text) + 2 * GAP for text in texts)
        return bool(self.figure.x.categories) and need > width

    def _draw_axes(
        self,
        area: QRectF,
        x: Sequence[tuple[float, str]],
        y: Sequence[tuple[float, str]],
        turned: bool,
    ) -> None:
        painter, plot, line = self.painter, self.plot, self.metrics.height()
        painter.setPen(QPen(QColor(THEME.grid), 1))
        for at, _text in x:
            painter.drawLine(
                QPointF(self._across(at), plot.top()), QPointF(self._across(at), plot.bottom())
            )
        for at, _text in y:
            painter.drawLine(
                QPointF(plot.left(), self._up(at)), QPointF(plot.right(), self._up(at))
            )
        painter.setPen(QPen(QColor(THEME.outline), 1))
        painter.drawLine(plot.bottomLeft(), plot.bottomRight())
        painter.drawLine(plot.topLeft(), plot.bottomLeft())
        painter.setPen(QColor(THEME.muted))
        self._x_texts(x, turned)
        free = math.inf
        right = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        for at, text in sorted(y):
            if free - self._up(at) >= line:
                box = QRectF(
                    area.left(), self._up(at) - line / 2, plot.left() - area.left() - GAP, line
                )
                painter.drawText(box, right, text)
                free = self._up(at)
        middle = int(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignBottom)
        painter.setPen(QColor(THEME.text))
        below = QRectF(plot.left(), area.bottom() - line, plot.width(), line)
        painter.drawText(below, middle, self._axis_text(self.figure.x, plot.width()))
        painter.save()
        painter.translate(area.left(), plot.center().y())
        painter.rotate(-90)
        beside = QRectF(-plot.height() / 2, 0, plot.height(), line)
        painter.drawText(beside, middle, self._axis_text(self.figure.y, plot.height()))
        painter.restore()

    def _x_texts(self, x: Sequence[tuple[float, str]], turned: bool) -> None:
        painter, line, free = self.painter, self.metrics.height(), -math.inf
        for at, text in sorted(x):
            wide, middle = self.metrics.horizontalAdvance(text), self._across(at)
            if turned:
                painter.save()
                painter.translate(middle, self.plot.bottom() + GAP)
                painter.rotate(-45)
                right = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
                painter.drawText(QRectF(-wide - 1, -line / 2, wide + 1, line), right, text)
                painter.restore()
            elif middle - wide / 2 >= free:
                box = QRectF(middle - wide, self.plot.bottom() + GAP, 2 * wide, line)
                painter.drawText(box, int(Qt.AlignmentFlag.AlignHCenter), text)
                free = middle + wide / 2 + GAP

    def _axis_text(self, about: Axis, room: float) -> str:
        text = f"{about.label} ({about.unit})" if about.unit else about.label
        return self.metrics.elidedText(text, Qt.TextElideMode.ElideMiddle, room)

    def _legend(self, area: QRectF) -> float:
        names = [LegendEntry(s.name, s.kind, i) for i, s in enumerate(self.figure.series)]
        if len(names) < 2:
            return 0.0
        legend = Legend()
        legend.setPalette(style.theme_palette(THEME))
        legend.show_entries(tuple(names))
        legend.hide()
        self.painter.save()
        self.painter.translate(area.topLeft())
        high = legend.draw(self.painter, round(area.width()))
        self.painter.restore()
        legend.deleteLater()
        return float(high)

    # content

    def _zones(self) -> None:
        roles = {"bad": THEME.bad, "good": THEME.good, "note": THEME.muted}
        for zone in self.figure.zones:
            upright = zone.axis == "x"
            axis = self.figure.x if upright else self.figure.y
            low, high = (scale_value(end, axis) for end in (zone.low, zone.high))
            first, last = self.frame[0 if upright else 1]
            low = first if math.isnan(low) else max(low, first)
            high = last if math.isnan(high) else min(high, last)
            if high <= low:
                continue
            colour = QColor(roles[zone.role])
            fill = QColor(colour)
            fill.setAlpha(35)
            box = QRectF(self.plot)
            if upright:
                box.setLeft(self._across(low))
                box.setRight(self._across(high))
            else:
                box.setTop(self._up(high))
                box.setBottom(self._up(low))
            self.painter.fillRect(box, fill)
            self.painter.setPen(colour)
            self.painter.drawText(
                box.adjusted(GAP, GAP, 0, 0), int(Qt.AlignmentFlag.AlignTop), zone.label
            )

    def _series(self, number: int, series: Series) -> None:
        x, y = scale_values(series.x, self.figure.x), scale_values(series.y, self.figure.y)
        colour = QColor(THEME.series[number % len(THEME.series)])
        shift = 0.0
        if series.kind == "bars":
            bars = [s for s in self.figure.series if s.kind == "bars"]
            width = bar_width(x) / len(bars)
            shift = bar_width(x) * ((bars.index(series) + 0.5) / len(bars) - 0.5)
            self._bars(x + shift, y, width * 0.9, colour)
        if series.low is not None and series.high is not None:
            low, high = (
                scale_values(series.low, self.figure.y),
                scale_values(series.high, self.figure.y),
            )
            self._interval(series, x + shift, low, high, colour)
        if series.kind == "points":
            self._symbols(x, y, number, colour)
        elif series.kind != "bars":
            if series.kind == "steps":
                x, y = np.repeat(x, 2)[1:], np.repeat(y, 2)[:-1]
            self.painter.setPen(style.line_pen(THEME, number))
            self._line(self._points(x, y))

    def _line(self, points: Sequence[QPointF | None]) -> None:
        run: list[QPointF] = []
        for point in [*points, None]:
            if point is not None:
                run.append(point)
            elif run:
                self.painter.drawPolyline(QPolygonF(run))
                run = []

    def _bars(self, x: Float64s, y: Float64s, width: float, colour: QColor) -> None:
        base = self.frame[1][0] if self.figure.y.scale == "log" else 0.0
        for at, height in zip(x.tolist(), y.tolist(), strict=True):
            if math.isfinite(at) and math.isfinite(height):
                left, right = self._across(at - width / 2), self._across(at + width / 2)
                box = QRectF(QPointF(left, self._up(height)), QPointF(right, self._up(base)))
                self.painter.fillRect(box.normalized(), colour)

    def _interval(
        self, series: Series, x: Float64s, low: Float64s, high: Float64s, colour: QColor
    ) -> None:
        down, up = self._points(x, low), self._points(x, high)
        pairs = [(a, b) for a, b in zip(down, up, strict=True) if a is not None and b is not None]
        if series.kind in ("line", "steps"):
            fill = QColor(colour)
            fill.setAlpha(60)
            self.painter.setPen(Qt.PenStyle.NoPen)
            self.painter.setBrush(fill)
            edge = [a for a, _ in pairs] + [b for _, b in reversed(pairs)]
            self.painter.drawPolygon(QPolygonF(edge))
            self.painter.setBrush(Qt.BrushStyle.NoBrush)
            return
        self.painter.setPen(QPen(QColor(THEME.text), 1))
        for a, b in pairs:
            self.painter.drawLine(a, b)

    def _symbols(self, x: Float64s, y: Float64s, number: int, colour: QColor) -> None:
        shape = pg.graphicsItems.ScatterPlotItem.Symbols[style.SYMBOLS[number % len(style.SYMBOLS)]]
        self.painter.setPen(Qt.PenStyle.NoPen)
        self.painter.setBrush(colour)
        for point in self._points(x, y):
            if point is not None:
                self.painter.save()
                self.painter.translate(point)
                self.painter.scale(9, 9)
                self.painter.drawPath(shape)
                self.painter.restore()
        self.painter.setBrush(Qt.BrushStyle.NoBrush)

    def _marks(self) -> None:
        roles = {
            "current": THEME.text,
            "optimum": THEME.good,
            "limit": THEME.bad,
            "note": THEME.muted,
        }
        for number, mark in enumerate(self.figure.marks):
            upright = mark.axis == "x"
            at = scale_value(mark.at, self.figure.x if upright else self.figure.y)
            first, last = self.frame[0 if upright else 1]
            if not (math.isfinite(at) and first <= at <= last):
                continue
            dash = Qt.PenStyle.SolidLine if mark.role == "current" else Qt.PenStyle.DashLine
            self.painter.setPen(QPen(QColor(roles[mark.role]), 1.2, dash))
            wide, line = self.metrics.horizontalAdvance(mark.label), self.metrics.height()
            if upright:
                across = self._across(at)
                self.painter.drawLine(
                    QPointF(across, self.plot.top()), QPointF(across, self.plot.bottom())
                )
                room = across + wide + GAP <= self.plot.right()
                corner = QPointF(
                    across + GAP if room else across - wide - GAP,
                    self.plot.top() + (number % 6) * line,
                )
            else:
                up = self._up(at)
                self.painter.drawLine(QPointF(self.plot.left(), up), QPointF(self.plot.right(), up))
                corner = QPointF(self.plot.right() - wide - GAP, max(up - line, self.plot.top()))
            self._word(corner, mark.label, QColor(roles[mark.role]))

    def _labels(self, labels: Sequence[Label]) -> None:
        for x, y, text in labels:
            at = QPointF(
                self._across(scale_value(x, self.figure.x)), self._up(scale_value(y, self.figure.y))
            )
            self._word(at + QPointF(6, -self.metrics.height()), text, QColor(THEME.text))

    def _word(self, corner: QPointF, text: str, colour: QColor) -> None:
        wide, high = self.metrics.horizontalAdvance(text) + 1, self.metrics.height()
        box = QRectF(corner, QSizeF(wide, high))
        ground = QColor(THEME.surface)
        ground.setAlpha(200)
        self.painter.fillRect(box, ground)
        self.painter.setPen(colour)
        self.painter.drawText(box, int(Qt.AlignmentFlag.AlignLeft), text)


def _short(name: str) -> str:
    return name if len(name) <= LONG_NAME else name[: LONG_NAME - 1] + "…"
