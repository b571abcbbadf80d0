"""Draws any `auditor.figures.Figure`, and follows it in place while a slider moves."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QVBoxLayout, QWidget

from auditor.figures import Axis, Figure, Mark, Series, Zone, lanes
from auditor.gui import style
from auditor.gui.plots.canvas import Canvas, nice, place, scaled
from auditor.gui.plots.legend import Entry, Legend

Floats = NDArray[np.float64]

LONG_NAMES = 5
"""Categories with names longer than this lie on the left, where there is room for them."""


class Plot(Canvas):
    """The plot area of one figure."""

    picked = Signal(float)
    """The figure's x where somebody clicked."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.scene().sigMouseClicked.connect(self._clicked)
        self.figure: Figure | None = None
        self._shape: object = None
        self._items: list[Any] = []
        self._marks: list[Any] = []
        self._zones: list[tuple[Any, Any]] = []
        self.turned = False

    def draw_figure(self, figure: Figure) -> None:
        """Show a figure; the same one with other numbers only moves what is there."""
        self.figure = figure
        shape = _shape(figure)
        if shape != self._shape:
            self._build(figure)
            self._shape = shape
        self._update(figure)

    def dress(self) -> None:
        """New colours mean new items."""
        super().dress()
        self._shape = None
        if self.__dict__.get("figure") is not None:
            self.draw_figure(self.figure)  # type: ignore[arg-type]

    def _clicked(self, event: Any) -> None:
        if self.figure is None or event.double() or event.button() != Qt.MouseButton.LeftButton:
            return
        point = self.view.mapSceneToView(event.scenePos())
        at = point.y() if self.turned else point.x()
        self.picked.emit(10**at if self.figure.x.scale == "log" else at)

    def whole(self) -> None:
        """Show all of the figure again."""
        if self.figure is not None:
            self._range(self.figure)

    def _build(self, figure: Figure) -> None:
        for item in [*self._items, *self._marks, *(i for pair in self._zones for i in pair)]:
            self.view.removeItem(item)
        self.zoomed = False
        self.turned = len(figure.x.categories) > 0 and (
            max(map(len, figure.x.categories)) > LONG_NAMES
        )
        x, y = (figure.y, figure.x) if self.turned else (figure.x, figure.y)
        self.describe(x, y)
        self.view.invertY(self.turned)
        self._items = [
            item for index, series in enumerate(figure.series) for item in self._made(series, index)
        ]
        self._zones = [self._zone(zone) for zone in figure.zones]
        self._marks = [self._mark(mark, index) for index, mark in enumerate(figure.marks)]

    def _made(self, series: Series, index: int) -> list[Any]:
        """The items of one series, added to the view: band or whiskers first."""
        colour = QColor(self.theme.series[index % len(self.theme.series)])
        if series.role == "bad":
            colour = QColor(self.theme.bad)
        faint = QColor(colour)
        faint.setAlpha(60)
        symbol = style.SYMBOLS[index % len(style.SYMBOLS)]
        items: list[Any] = []
        if series.low is not None and series.kind in ("line", "steps"):
            edges = [pg.PlotCurveItem(pen=None), pg.PlotCurveItem(pen=None)]
            items += [*edges, pg.FillBetweenItem(*edges, brush=pg.mkBrush(faint))]
        elif series.low is not None:
            items.append(pg.PlotCurveItem(pen=pg.mkPen(colour, width=1), connect="pairs"))
        if series.kind == "points":
            items.append(
                pg.ScatterPlotItem(symbol=symbol, size=8, pen=None, brush=pg.mkBrush(colour))
            )
        elif series.kind == "bars":
            items.append(pg.BarGraphItem(x=[0], height=[0], width=1, brush=colour, pen=None))
        else:
            items.append(pg.PlotCurveItem(pen=style.line_pen(self.theme, index), connect="finite"))
        for item in items:
            self.view.addItem(item, ignoreBounds=True)
        return items

    def _update(self, figure: Figure) -> None:
        items = iter(self._items)
        bars = [s for s in figure.series if s.kind == "bars"]
        for series in figure.series:
            x, y = scaled(series.x, figure.x), scaled(series.y, figure.y)
            if series.low is not None and series.high is not None:
                low, high = scaled(series.low, figure.y), scaled(series.high, figure.y)
                if series.kind in ("line", "steps"):
                    next(items).setData(*self._turn(x, low))
                    next(items).setData(*self._turn(x, high))
                    next(items)
                else:
                    shift = self._shift(series, bars, x)
                    ends = np.column_stack((low, high)).ravel()
                    next(items).setData(*self._turn(np.repeat(x + shift, 2), ends))
            item = next(items)
            if series.kind == "bars":
                self._set_bars(item, series, bars, x, y)
            elif series.kind == "steps":
                item.setData(*self._turn(np.repeat(x, 2)[1:], np.repeat(y, 2)[:-1]))
            else:
                good = np.isfinite(x) & np.isfinite(y) if series.kind == "points" else slice(None)
                item.setData(*self._turn(x[good], y[good]))
        self._range(figure)
        self._move_marks(figure)

    def _set_bars(
        self, item: Any, series: Series, bars: list[Series], x: Floats, y: Floats
    ) -> None:
        width = _bar_width(x) / (max(lanes(bars)) + 1)
        base = 0.0
        if self.figure is not None and self.figure.y.scale == "log":
            base = _limits(self.figure)[1][0]
        middle = x + self._shift(series, bars, x)
        height = np.nan_to_num(y - base)
        if self.turned:
            item.setOpts(
                x=None, x0=np.full(len(x), base), y=middle, width=height, height=width * 0.9
            )
        else:
            item.setOpts(x=middle, y0=np.full(len(x), base), height=height, width=width * 0.9)

    def _shift(self, series: Series, bars: list[Series], x: Floats) -> float:
        """How far a row of bars stands beside its place, so that rows don't cover each other."""
        if series not in bars:
            return 0.0
        beside = lanes(bars)
        return _bar_width(x) * ((beside[bars.index(series)] + 0.5) / (max(beside) + 1) - 0.5)

    def _turn(self, x: Floats, y: Floats) -> tuple[Floats, Floats]:
        return (y, x) if self.turned else (x, y)

    def _range(self, figure: Figure) -> None:
        x, y = _limits(figure)
        self.span(*((y, x) if self.turned else (x, y)))

    # marks and zones

    def _upright(self, axis: str) -> bool:
        return (axis == "x") != self.turned

    def _mark(self, mark: Mark, index: int) -> Any:
        roles = {"current": "text", "optimum": "good", "limit": "bad", "note": "muted"}
        colour = getattr(self.theme, roles[mark.role])
        dash = Qt.PenStyle.SolidLine if mark.role == "current" else Qt.PenStyle.DashLine
        fill = QColor(self.theme.surface)
        fill.setAlpha(220)
        line = pg.InfiniteLine(
            angle=90 if self._upright(mark.axis) else 0,
            pen=pg.mkPen(colour, width=1.2, style=dash),
            label=" ",
            labelOpts={
                "position": 0.93 - 0.12 * (index % 6),
                "color": colour,
                "fill": fill,
                "anchors": [(0, 0.5), (1, 0.5)] if self._upright(mark.axis) else [(0, 1), (0, 0)],
            },
        )
        line.label.setFont(style.font(self, style.SMALL))
        line.setZValue(20)
        self.view.addItem(line, ignoreBounds=True)
        return line

    def _zone(self, zone: Zone) -> tuple[Any, Any]:
        roles = {"bad": "bad", "good": "good", "note": "muted"}
        colour = QColor(getattr(self.theme, roles[zone.role]))
        fill = QColor(colour)
        fill.setAlpha(35)
        way = "vertical" if self._upright(zone.axis) else "horizontal"
        region = pg.LinearRegionItem(orientation=way, movable=False, brush=fill, pen=pg.mkPen(None))
        region.setZValue(-5)
        text = pg.TextItem(zone.label, color=colour, anchor=(0, 0))
        text.setFont(style.font(self, style.SMALL))
        self.view.addItem(region, ignoreBounds=True)
        self.view.addItem(text, ignoreBounds=True)
        return region, text

    def _move_marks(self, figure: Figure) -> None:
        x, y = _limits(figure)
        for line, mark in zip(self._marks, figure.marks, strict=True):
            at = place(mark.at, figure.x if mark.axis == "x" else figure.y)
            line.setVisible(math.isfinite(at))
            line.setValue(at if math.isfinite(at) else 0.0)
            line.label.setFormat(mark.label.replace("{", "{{").replace("}", "}}"))
        for (region, text), zone in zip(self._zones, figure.zones, strict=True):
            axis, limits = (figure.x, x) if zone.axis == "x" else (figure.y, y)
            low, high = _clamped(zone, axis, limits)
            region.setVisible(high > low)
            text.setVisible(high > low)
            region.setRegion((low, high))
            if self._upright(zone.axis):
                text.setPos(low, y[1] if not self.turned else x[0])
            else:
                text.setPos(x[0] if not self.turned else y[0], high)


class FigureView(QWidget):
    """A figure with its legend above and its note below."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.legend = Legend()
        self.plot = Plot()
        self.empty = style.label(role="muted", wrap=True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.note = style.label(size=style.SMALL, role="muted", wrap=True)
        self.note.setContentsMargins(style.NORMAL, 0, style.NORMAL, style.TIGHT)
        body = QVBoxLayout(self)
        body.setContentsMargins(0, 0, 0, 0)
        body.setSpacing(0)
        body.addWidget(self.legend)
        body.addWidget(self.plot, 1)
        body.addWidget(self.empty, 1)
        body.addWidget(self.note)
        self.clear("")

    def clear(self, why: str) -> None:
        """Show no plot, and say why there is none."""
        self.plot.hide()
        self.legend.hide()
        self.note.hide()
        self.empty.setText(why)
        self.empty.show()

    def show_figure(self, figure: Figure) -> None:
        """Draw a figure; no numbers in it is said in words."""
        if not any(len(series.x) for series in figure.series):
            self.clear(figure.note or "Nothing to draw for this setting.")
            return
        self.empty.hide()
        self.plot.show()
        self.legend.show_entries(
            tuple(
                Entry(s.name, s.kind, index, s.role == "bad")
                for index, s in enumerate(figure.series)
            )
        )
        self.legend.setVisible(len(figure.series) > 1)
        self.note.setText(figure.note)
        self.note.setVisible(bool(figure.note))
        follows = f"\nFollows {figure.source}." if figure.source else ""
        self.plot.setToolTip(f"{figure.title}{follows}\nScroll to zoom, double-click to reset.")
        self.plot.setAccessibleName(figure.title)
        self.plot.setAccessibleDescription(described(figure))
        self.plot.draw_figure(figure)


def described(figure: Figure) -> str:
    """A figure in words, for screen readers."""
    parts = [f"{figure.y.label} over {figure.x.label}."]
    parts += [f"{mark.label}." for mark in figure.marks]
    for series in figure.series:
        y = series.y[np.isfinite(series.y)]
        if len(y):
            parts.append(f"{series.name or 'values'}: from {y.min():.4g} to {y.max():.4g}.")
    return " ".join(parts)


def _shape(figure: Figure) -> object:
    """What must be equal for a figure's items to be moved instead of made anew."""
    return (
        figure.name,
        figure.x,
        figure.y,
        tuple((s.name, s.kind, s.low is None, s.role) for s in figure.series),
        tuple((m.axis, m.role) for m in figure.marks),
        tuple((z.axis, z.role, z.label) for z in figure.zones),
    )


def _limits(figure: Figure) -> tuple[tuple[float, float], tuple[float, float]]:
    """The range of both axes, over series, their intervals and marks."""
    found = []
    for name, axis in (("x", figure.x), ("y", figure.y)):
        values = [scaled(getattr(series, name), axis) for series in figure.series]
        if name == "y":
            ends = [end for s in figure.series for end in (s.low, s.high) if end is not None]
            values += [scaled(end, axis) for end in ends]
            if axis.scale != "log" and any(s.kind == "bars" for s in figure.series):
                values.append(np.zeros(1))
        values += [scaled(np.array([m.at]), axis) for m in figure.marks if m.axis == name]
        flat = np.concatenate(values) if values else np.zeros(0)
        flat = flat[np.isfinite(flat)]
        low, high = (float(flat.min()), float(flat.max())) if len(flat) else (math.nan, math.nan)
        if name == "x" and not axis.categories and any(s.kind == "bars" for s in figure.series):
            half = max(_bar_width(scaled(s.x, axis)) for s in figure.series if len(s.x)) / 2
            low, high = low - half, high + half
        found.append(nice(low, high, axis))
    return found[0], found[1]


def _clamped(zone: Zone, axis: Axis, limits: tuple[float, float]) -> tuple[float, float]:
    """A zone's ends on the axis, cut to what is shown."""
    low, high = place(zone.low, axis), place(zone.high, axis)
    low = limits[0] if math.isnan(low) else max(low, limits[0])
    high = limits[1] if math.isnan(high) else min(high, limits[1])
    return low, high


def _bar_width(x: Floats) -> float:
    steps = np.diff(np.unique(x[np.isfinite(x)]))
    return float(steps.min()) * 0.8 if len(steps) else 0.8
