"""The plot area of any `auditor.figures.Figure`, which follows it in place while a slider moves.

The canvas is a bare pyqtgraph plot: `PlotItem` brings menus, an auto-button and unit prefixes that
a steward doesn't need."""

import html
import math
import textwrap
from functools import partial
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QPainter, QPixmap

from auditor.arrays import Float64s
from auditor.engine.run import Run
from auditor.figures import (
    SHARE,
    Axis,
    Figure,
    PlotMark,
    PlotZone,
    Series,
    assign_lanes,
    format_power,
)
from auditor.gui.app.translation import localize_number
from auditor.gui.plots import scales
from auditor.gui.plots.scales import (
    ParetoPicture,
    Range,
    add_headroom,
    name_runs,
    scale_value,
    scale_values,
)
from auditor.gui.state.worker import UiScheduler
from auditor.gui.widgets import style
from auditor.gui.widgets.fields import EventWatch

LEAST = 90
"""Pixels of height below which a plot says nothing."""
ROOMY = 2.5
"""Decades of an axis up to which 2 and 5 have room for their text."""
EDGE, END = 16, 10
"""Pixels that the text of a tick at an axis's end, across and up, may stand out, or the ends would
have none."""
NAMES = 0.55
"""Share of the width that names of categories have at most: the rest is what they name."""
SHORT_NAME = 22
"""Letters of a name that need no second line."""
RESERVED, NUDGED = 0.8, 5
"""Share of a label's height that pyqtgraph reserves for it, and pixels by which it moves it out."""
MOST_TICKS = 8
"""Ticks up an axis: more are no easier to read off."""


class PlainAxis(pg.AxisItem):  # type: ignore[misc]
    """Ticks as people write numbers: 1, 2, 5 and 10 on a logarithmic axis, shares in per cent."""

    shares = False
    """Whether what it shows are parts of a whole."""
    counts = False
    """Whether what it shows is counted: its ticks are whole numbers."""
    picture: Any
    """Lines and texts to draw; pyqtgraph sets it to None when they must be worked out anew."""

    def logTickValues(
        self, low: float, high: float, _size: float, _ticks: Any
    ) -> list[tuple[float, list[float]]]:
        """Powers of ten; 2 and 5 between where there is room for their text; the other digits."""
        low = max(low, 0.0) if self.counts else low
        decades = list(range(math.floor(low), math.ceil(high) + 1))
        step = max(1, math.ceil(len(decades) / 6))
        powers = [float(d) for d in decades if d % step == 0 and low <= d <= high]
        if step > 1:
            return [(float(step), powers)]
        between = {m: [d + math.log10(m) for d in decades] for m in range(2, 10)}
        visible = {m: [t for t in ticks if low <= t <= high] for m, ticks in between.items()}
        labelled = [2, 5] if high - low <= ROOMY else []
        texts = [tick for m in labelled for tick in visible[m]]
        unlabelled = [tick for m, ticks in visible.items() if m not in labelled for tick in ticks]
        return [(1.0, powers), (0.5, texts), (0.1, unlabelled)]

    def tickSpacing(self, low: float, high: float, size: float) -> list[tuple[float, float]]:
        """As pyqtgraph has it, but with texts across far enough apart to be read."""
        levels: list[tuple[float, float]] = super().tickSpacing(low, high, size)
        if self.counts:
            levels = [level for level in levels if level[0] > 1 - 1e-9] or [(1.0, 0.0)]
        if not levels:
            return levels
        spacing, offset = levels[0]
        if self.orientation in ("left", "right"):
            while spacing * MOST_TICKS < high - low:
                spacing = scales.next_round_step(spacing)
            has_few = len(levels) < 2 or levels[1][0] * MOST_TICKS >= high - low
            return levels if has_few else [(spacing, offset)]
        while spacing < high - low and not self._has_room_for_texts(low, high, size, spacing):
            spacing = scales.next_round_step(spacing)
        return levels if spacing == levels[0][0] else [(spacing, offset), levels[0]]

    def _has_room_for_texts(self, low: float, high: float, size: float, spacing: float) -> bool:
        """Whether the texts of ticks so far apart leave a letter's room between them."""
        metrics = QFontMetrics(self.style["tickFont"] or self.font())
        first = math.ceil(low / spacing)
        values = [spacing * step for step in range(first, math.floor(high / spacing) + 1)]
        texts = self.tickStrings(values, self.autoSIPrefixScale * self.scale, spacing)
        widest = max(map(metrics.horizontalAdvance, texts), default=0)
        return widest + metrics.averageCharWidth() <= size * spacing / (high - low)

    def show_counts(self, counts: bool) -> None:
        if counts != self.counts:
            self.counts = counts
            self.picture = None
            self.update()

    def prepare_ticks(self) -> None:
        """Work out ticks and texts before they are painted."""
        if self.picture is None and self.isVisible():
            measuring = QPixmap(1, 1)  # texts are measured as on a screen
            painter = QPainter(measuring)
            self.picture = self.generateDrawSpecs(painter) or ()
            painter.end()

    def paint(self, painter: QPainter, _option: Any, _widget: Any) -> None:
        """Draw lines and texts; they are computed first if they are not up to date."""
        self.prepare_ticks()
        if self.picture:
            # Qt draws faint lines ten times as fast where it is told the rectangle they lie in
            painter.setClipRect(self.boundingRect().toAlignedRect())
            self.drawPicture(painter, *self.picture)

    def boundingRect(self) -> QRectF:
        """Room for the text of a tick at either end, half of which stands out."""
        side, up = (EDGE, 0) if self.orientation in ("top", "bottom") else (0, END)
        box: QRectF = super().boundingRect()
        return box.adjusted(-side, -up, side, up)

    def resizeEvent(self, event: Any = None) -> None:
        super().resizeEvent(event)
        label = getattr(self, "label", None)
        if label is not None:
            excess = max((1 - RESERVED) * label.boundingRect().height() - NUDGED, 0)
            label.moveBy(*((0, excess) if self.orientation in ("top", "bottom") else (-excess, 0)))

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        if self.logMode:
            return list(super().tickStrings(values, scale, spacing))
        factor = 100.0 if self.shares else 1.0
        places = min(max(0, math.ceil(-math.log10(factor * spacing * scale) - 1e-9)), 9)
        end = " %" if self.shares else ""
        return [localize_number(f"{factor * value * scale:,.{places}f}{end}") for value in values]

    def logTickStrings(self, values: list[float], _scale: float, _spacing: float) -> list[str]:
        return list(map(format_decade, values))


def format_decade(place: float) -> str:
    if -3 - 1e-9 <= place <= 4 + 1e-9:
        return localize_number(f"{10**place:,.4g}" if place < 4 - 1e-9 else "10,000")
    return format_power(10**place, digits=1)


class Canvas(pg.GraphicsLayoutWidget):  # type: ignore[misc]
    """View, left and bottom axis; coordinates on a log axis are decimal logarithms."""

    def __init__(self) -> None:
        super().__init__()
        self.setAntialiasing(True)
        self.setFrameShape(pg.QtWidgets.QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumHeight(LEAST)  # three of them stand above each other's panels at 768 lines
        self.view = pg.ViewBox(enableMenu=False, defaultPadding=0.0)
        self.view.setMouseEnabled(x=True, y=True)
        self.bottom, self.left = PlainAxis("bottom"), PlainAxis("left")
        grid = self.ci.layout
        grid.setSpacing(0)
        grid.setContentsMargins(style.TIGHT, style.NORMAL, style.WIDE, style.TIGHT)
        self.ci.addItem(self.left, 0, 0)
        self.ci.addItem(self.view, 0, 1)
        self.ci.addItem(self.bottom, 1, 1)
        for axis in (self.left, self.bottom):
            axis.linkToView(self.view)
            axis.enableAutoSIPrefix(False)
            axis.setGrid(40)
            axis.setZValue(-1000)
            # drawn anew only when its range changes, not whenever something before it moves
            axis.setCacheMode(axis.CacheMode.DeviceCoordinateCache)
        self._about: tuple[Axis, Axis] | None = None
        self.theme = style.theme_of(self)
        self.zoomed = False
        self.view.sigRangeChangedManually.connect(self._was_zoomed)
        self.update_theme()
        EventWatch(self, self.update_theme, QEvent.Type.PaletteChange)

    def update_theme(self) -> None:
        self.theme = style.theme_of(self)
        self.setBackground(QColor(self.theme.surface))
        small = style.scaled_font(self, style.SMALL)
        for axis in (self.left, self.bottom):
            axis.setPen(pg.mkPen(self.theme.border))
            axis.setTextPen(pg.mkPen(self.theme.muted))
            axis.setTickFont(small)
            axis.setStyle(
                tickTextOffset=3, tickLength=-4, hideOverlappingLabels=True, maxTextLevel=1
            )
        if self._about is not None:
            self.set_axes(*self._about)

    def set_axes(self, x: Axis, y: Axis) -> None:
        """Label both axes, with units, and set their scales and categories."""
        self._about = (x, y)
        self._write_axis_labels()
        for axis, description in ((self.bottom, x), (self.left, y)):
            axis.setLogMode(x=description.scale == "log", y=description.scale == "log")
            axis.setTicks(None)
            axis.shares = description.unit == SHARE
        self._write_category_names()

    def find_counts(self, figure: Figure, *, turned: bool = False) -> None:
        """Let an axis of counts have whole numbers at its ticks; `turned` where x goes up."""
        axes = (self.left, self.bottom) if turned else (self.bottom, self.left)
        for axis, description in zip(axes, (figure.x, figure.y), strict=True):
            axis.show_counts(figure.shows_counts(description))

    def _write_category_names(self) -> None:
        if self._about is None:
            return
        metrics = QFontMetrics(style.scaled_font(self, style.SMALL))
        line, widest = metrics.height(), round(NAMES * self.width())
        for axis, description in zip((self.bottom, self.left), self._about, strict=True):
            names = description.categories
            if names:
                high = max(self.height() - 40, line) if axis is self.left else 0
                lines = 2 if high > 2.4 * line * len(names) else 1
                wrapped = [wrap_name(name, lines, metrics, widest) for name in names]
                step = math.ceil(line * len(names) / high) if high else 1
                axis.setTicks([list(enumerate(wrapped))[::step]])

    def _write_axis_labels(self) -> None:
        """Write what the axes show, shortened in the middle where there is no room for it."""
        if self._about is None:
            return
        font = style.scaled_font(self, style.SMALL)
        room = (self.width() - 120, self.height() - 36)
        for axis, spec, width in zip((self.bottom, self.left), self._about, room, strict=True):
            title = "" if spec.categories else spec.title  # names speak for themselves
            lines = in_lines(title, QFontMetrics(font), max(60, width))
            size = {"font-size": f"{font.pointSizeF()}pt"}
            label = "<br>".join(html.escape(line) for line in lines)
            axis.setLabel(label, color=self.theme.muted, **size)
            axis.resizeEvent()  # centres the label; a new text alone does not

    def resizeEvent(self, event: Any) -> None:
        super().resizeEvent(event)
        if hasattr(self, "_about"):
            self._write_axis_labels()
            self._write_category_names()

    def show_range(self, x: Range, y: Range) -> None:
        """Show this range, unless the user has zoomed."""
        if not self.zoomed:
            wide, high = add_headroom(x), add_headroom(y)
            self.view.setRange(xRange=wide, yRange=high, padding=0.0, disableAutoRange=True)

    def lay_out_axes(self) -> None:
        """Work out both axes; once more does so again if their texts need another room."""
        for axis in (self.left, self.bottom):
            axis.prepare_ticks()
        self.ci.layout.activate()
        self.scene().prepareForPaint()  # else labels of marks move when painted: one more paint

    def show_in(self, turns: UiScheduler) -> None:
        """Paint nothing for now; work out the axes and paint in turns to come."""
        self.setUpdatesEnabled(False)
        turns.run_soon(self.lay_out_axes)
        turns.run_soon(self.lay_out_axes, (self, "again"))
        turns.run_soon(partial(self.setUpdatesEnabled, True), (self, "paint"))

    def mouseDoubleClickEvent(self, event: Any) -> None:
        self.zoomed = False
        self.show_full_range()
        super().mouseDoubleClickEvent(event)

    def show_full_range(self) -> None:
        """Override: show everything again."""

    def _was_zoomed(self, *_: Any) -> None:
        self.zoomed = True


def in_lines(text: str, metrics: QFontMetrics, width: int) -> list[str]:
    """An axis's title in one line, or two where one has no room; only then it is shortened."""
    if metrics.horizontalAdvance(text) <= width or " " not in text:
        return [metrics.elidedText(text, Qt.TextElideMode.ElideMiddle, width)]
    blanks = [place for place, sign in enumerate(text) if sign == " "]
    middle = min(blanks, key=lambda place: abs(place - len(text) / 2))
    parts = (text[:middle], text[middle + 1 :])
    return [metrics.elidedText(part, Qt.TextElideMode.ElideRight, width) for part in parts]


def wrap_name(name: str, lines: int, metrics: QFontMetrics, width: int) -> str:
    """A name in so many lines of `width` pixels, with an ellipsis where it goes on."""
    side = Qt.TextElideMode.ElideRight
    if lines == 1 or len(name) <= SHORT_NAME:
        return metrics.elidedText(name, side, width)
    wrapped = textwrap.wrap(name, max(SHORT_NAME, math.ceil(len(name) / lines)))
    if len(wrapped) > lines:  # a long word went on to a line of its own
        wrapped = [*wrapped[: lines - 1], " ".join(wrapped[lines - 1 :])]
    return "\n".join(metrics.elidedText(line, side, width) for line in wrapped)


LONG_NAMES = 5
"""Categories with names longer than this lie on the left, where there is room for them."""


class FigurePlot(Canvas):
    """The plot area of one figure."""

    picked = Signal(float)
    """The figure's x where somebody clicked."""
    pointed = Signal(object)
    """The place on the x axis, as it is scaled, that the pointer or a key is at; None for none."""
    whose = Signal(object, int, str)
    """The `Who` of a series, a point of it, and what it is in words: somebody wants the people."""

    def __init__(self) -> None:
        super().__init__()
        self.scene().sigMouseClicked.connect(self._pick_place)
        self.scene().sigMouseMoved.connect(self._follow_pointer)
        self.figure: Figure | None = None
        self.frame: tuple[Range, Range] | None = None
        self.crosshair = pg.InfiniteLine(pen=pg.mkPen(self.theme.muted, width=1))
        self.crosshair.setZValue(30)
        self.crosshair.hide()
        self.view.addItem(self.crosshair, ignoreBounds=True)
        self._at: float | None = None
        self._shape: object = None
        self.drawn: list[Any] = []
        self.marks: list[Any] = []
        self.zones: list[tuple[Any, Any]] = []
        self.turned = False
        EventWatch(self, partial(self.pointed.emit, None), QEvent.Type.Leave)

    def draw_figure(self, figure: Figure) -> None:
        """Show a figure; the same one with other numbers only moves what is there."""
        self.figure = figure
        shape = (
            figure.name,
            figure.x,
            figure.y,
            tuple((s.name, s.kind, s.low is None, s.role) for s in figure.series),
            tuple((m.axis, m.role) for m in figure.marks),
            tuple((z.axis, z.role, z.label) for z in figure.zones),
        )
        if shape != self._shape:
            for item in [*self.drawn, *self.marks, *(i for pair in self.zones for i in pair)]:
                self.view.removeItem(item)
            self.zoomed = False
            self.turned = max(map(len, figure.x.categories), default=0) > LONG_NAMES
            self.set_axes(*((figure.y, figure.x) if self.turned else (figure.x, figure.y)))
            self.view.invertY(self.turned)
            self.drawn = []
            for index, series in enumerate(figure.series):
                self.drawn += self._make_series_items(series, index)
            self.zones = [self._make_zone(zone) for zone in figure.zones]
            self.marks = [self._make_mark(mark, index) for index, mark in enumerate(figure.marks)]
            self._shape = shape
        self._update_items(figure)

    def update_theme(self) -> None:
        super().update_theme()
        self._shape = None
        if self.__dict__.get("figure") is not None:
            self.draw_figure(self.figure)  # type: ignore[arg-type]

    def _pick_place(self, event: Any) -> None:
        if self.figure is None or event.double() or event.button() != Qt.MouseButton.LeftButton:
            return
        x = self._place_of(event.scenePos())
        self.picked.emit(10**x if self.figure.x.scale == "log" else x)
        self._request_sessions(scales.find_point_under(self, event.scenePos()))

    def _place_of(self, position: Any) -> float:
        point = self.view.mapSceneToView(position)
        return float(point.y() if self.turned else point.x())

    def _follow_pointer(self, position: Any) -> None:
        if self.figure is None or not self.view.sceneBoundingRect().contains(position):
            return
        self.pointed.emit(self._place_of(position))
        hit, shape = scales.find_point_under(self, position), Qt.CursorShape
        has_people = hit is not None and self.figure.series[hit[0]].who is not None
        self.viewport().setCursor(shape.PointingHandCursor if has_people else shape.ArrowCursor)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left and Right go from point to point; Return asks who is behind one."""
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        key, figure, x = Qt.Key(event.key()), self.figure, self._at
        if figure is not None and key in steps:
            places = scales.list_x_places(figure)
            if len(places):
                place = -1 if x is None else int(np.argmin(np.abs(places - x)))
                place = min(max(place + steps[key], 0), len(places) - 1)
                self.pointed.emit(float(places[place]))
        elif figure is not None and key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            for number, series in enumerate(figure.series if x is not None else ()):
                point = scales.find_nearest_point(series, figure.x, x or 0.0)
                if series.who is not None and point is not None:
                    self._request_sessions((number, point))
                    break
        else:
            super().keyPressEvent(event)

    def _request_sessions(self, hit: tuple[int, int] | None) -> None:
        if hit is None or self.figure is None:
            return
        series = self.figure.series[hit[0]]
        if series.who is not None:
            name = scales.x_name(self.figure, float(series.x[hit[1]]))
            text = " · ".join(part for part in (self.figure.title, series.name, name) if part)
            self.whose.emit(series.who, hit[1], text)

    def point_at(self, x: float | None) -> None:
        """Mark a place on the x axis, as it is scaled, or none."""
        self._at = x
        self.crosshair.setVisible(x is not None)
        if x is not None:
            self.crosshair.setAngle(0 if self.turned else 90)
            self.crosshair.setValue(x)

    def compute_limits(self) -> tuple[Range, Range]:
        """The figure's own range across and up, as it lies."""
        x, y = ((0.0, 1.0), (0.0, 1.0)) if self.figure is None else limits_of(self.figure)
        return (y, x) if self.turned else (x, y)

    def bars_of(self, series: Series) -> tuple[Float64s, float]:
        """Where the middles of a row of bars stand along the x axis, and how wide each is."""
        assert self.figure is not None
        bars = [s for s in self.figure.series if s.kind == "bars"]
        x = scale_values(series.x, self.figure.x)
        lanes = max(assign_lanes(bars)) + 1
        return x + self._compute_shift(series, bars, x), bar_width(x) / lanes

    def show_full_range(self) -> None:
        if self.figure is not None:
            self.show_range(*(self.frame or self.compute_limits()))

    def _make_series_items(self, series: Series, index: int) -> list[Any]:
        """The items of one series, added to the view: band or whiskers first."""
        ink = self.theme.series[index % len(self.theme.series)]
        colour = QColor(self.theme.bad if series.role == "bad" else ink)
        symbol = style.SYMBOLS[index % len(style.SYMBOLS)]
        items: list[Any] = []
        if series.low is not None and series.kind in ("line", "steps"):
            edges = [pg.PlotCurveItem(pen=None), pg.PlotCurveItem(pen=None)]
            items += [*edges, pg.FillBetweenItem(*edges, brush=_fade(colour, 60))]
        elif series.low is not None:
            items.append(pg.PlotCurveItem(pen=pg.mkPen(colour, width=1), connect="pairs"))
        if series.kind == "points":
            brush = pg.mkBrush(colour)
            items.append(pg.ScatterPlotItem(symbol=symbol, size=8, pen=None, brush=brush))
        elif series.kind == "bars":
            items.append(pg.BarGraphItem(x=[0], height=[0], width=1, brush=colour, pen=None))
        else:
            items.append(pg.PlotCurveItem(pen=style.line_pen(self.theme, index), connect="finite"))
        for item in items:
            self.view.addItem(item, ignoreBounds=True)
        return items

    def _update_items(self, figure: Figure) -> None:
        items = iter(self.drawn)
        bars = [s for s in figure.series if s.kind == "bars"]
        for series in figure.series:
            x, y = scale_values(series.x, figure.x), scale_values(series.y, figure.y)
            if series.low is not None and series.high is not None:
                low, high = (scale_values(end, figure.y) for end in (series.low, series.high))
                if series.kind in ("line", "steps"):
                    for edge in (low, high):
                        next(items).setData(*self._orient_values(x, edge))
                    next(items)  # what is filled between them
                else:
                    shift = self._compute_shift(series, bars, x)
                    ends = np.column_stack((low, high)).ravel()
                    next(items).setData(*self._orient_values(np.repeat(x + shift, 2), ends))
            item = next(items)
            if series.kind == "bars":
                width = 0.9 * bar_width(x) / (max(assign_lanes(bars)) + 1)
                base = limits_of(figure)[1][0] if figure.y.scale == "log" else 0.0
                foot, middle = np.full(len(x), base), x + self._compute_shift(series, bars, x)
                height = np.nan_to_num(y - base)
                if self.turned:
                    item.setOpts(x=None, x0=foot, y=middle, width=height, height=width)
                else:
                    item.setOpts(x=middle, y0=foot, height=height, width=width)
            elif series.kind == "steps":
                item.setData(*self._orient_values(np.repeat(x, 2)[1:], np.repeat(y, 2)[:-1]))
            else:
                good = np.isfinite(x) & np.isfinite(y) if series.kind == "points" else slice(None)
                item.setData(*self._orient_values(x[good], y[good]))
        self.find_counts(figure, turned=self.turned)
        self.show_full_range()
        self._move_marks(figure)

    def _compute_shift(self, series: Series, bars: list[Series], x: Float64s) -> float:
        """How far a row of bars stands beside its place, so that rows don't cover each other."""
        if series not in bars:
            return 0.0
        lanes = assign_lanes(bars)
        return bar_width(x) * ((lanes[bars.index(series)] + 0.5) / (max(lanes) + 1) - 0.5)

    def _orient_values(self, x: Float64s, y: Float64s) -> tuple[Float64s, Float64s]:
        return (y, x) if self.turned else (x, y)

    # marks and zones

    def _is_vertical(self, axis: str) -> bool:
        return (axis == "x") != self.turned

    def _make_mark(self, mark: PlotMark, index: int) -> Any:
        roles = {"current": "text", "optimum": "good", "limit": "bad", "note": "muted"}
        colour = getattr(self.theme, roles[mark.role])
        dash = Qt.PenStyle.SolidLine if mark.role == "current" else Qt.PenStyle.DashLine
        upright = self._is_vertical(mark.axis)
        options = {
            "position": 0.985 - 0.12 * (index % 6),
            "color": colour,
            "fill": _fade(self.theme.surface, 220),
            "anchors": [(0, 0), (1, 0)] if upright else [(0, 1), (0, 0)],
        }
        pen = pg.mkPen(colour, width=1.2, style=dash)
        line = pg.InfiniteLine(angle=90 if upright else 0, pen=pen, label=" ", labelOpts=options)
        line.label.setFont(style.scaled_font(self, style.SMALL))
        line.setZValue(20)
        self.view.addItem(line, ignoreBounds=True)
        return line

    def _make_zone(self, zone: PlotZone) -> tuple[Any, Any]:
        colour = QColor(getattr(self.theme, "muted" if zone.role == "note" else zone.role))
        orientation = "vertical" if self._is_vertical(zone.axis) else "horizontal"
        fill, pen = _fade(colour, 35), pg.mkPen(None)
        region = pg.LinearRegionItem(orientation=orientation, movable=False, brush=fill, pen=pen)
        region.setZValue(-5)
        text = pg.TextItem(zone.label, color=colour, anchor=(0, 0))
        text.setFont(style.scaled_font(self, style.SMALL))
        self.view.addItem(region, ignoreBounds=True)
        self.view.addItem(text, ignoreBounds=True)
        return region, text

    def _move_marks(self, figure: Figure) -> None:
        x, y = limits_of(figure)
        for line, mark in zip(self.marks, figure.marks, strict=True):
            place = scale_value(mark.at, figure.x if mark.axis == "x" else figure.y)
            line.setVisible(math.isfinite(place))
            line.setValue(place if math.isfinite(place) else 0.0)
            line.label.setFormat(mark.label.replace("{", "{{").replace("}", "}}"))
        for (region, text), zone in zip(self.zones, figure.zones, strict=True):
            axis, limits = (figure.x, x) if zone.axis == "x" else (figure.y, y)
            limits = limits if self._is_vertical(zone.axis) else add_headroom(limits)
            low, high = scale_value(zone.low, axis), scale_value(zone.high, axis)
            low = limits[0] if math.isnan(low) else max(low, limits[0])
            high = limits[1] if math.isnan(high) else min(high, limits[1])
            for item in (region, text):
                item.setVisible(high > low)
            region.setRegion((low, high))
            if self._is_vertical(zone.axis):
                text.setPos(low, x[0] if self.turned else y[1])
            else:
                text.setPos(y[0] if self.turned else x[0], high)


def _fade(colour: QColor | str, alpha: int) -> QColor:
    faint = QColor(colour)
    faint.setAlpha(alpha)
    return faint


def limits_of(figure: Figure) -> tuple[Range, Range]:
    """The range of both axes, over series, their intervals and marks."""
    has_bars, ranges = any(series.kind == "bars" for series in figure.series), []
    for name, axis in (("x", figure.x), ("y", figure.y)):
        values = [scale_values(getattr(series, name), axis) for series in figure.series]
        if name == "y":
            ends = [end for s in figure.series for end in (s.low, s.high) if end is not None]
            values += [scale_values(end, axis) for end in ends]
            if has_bars and axis.scale != "log":
                values.append(np.array([0.0, axis.whole]))
        values += [scale_values(np.array([m.at]), axis) for m in figure.marks if m.axis == name]
        flat = np.concatenate([*values, [np.nan]])
        flat = flat[np.isfinite(flat)]
        low, high = (float(flat.min()), float(flat.max())) if len(flat) else (math.nan, math.nan)
        if has_bars and name == "x" and not axis.categories:
            half = max(bar_width(scale_values(s.x, axis)) for s in figure.series if len(s.x)) / 2
            low, high = low - half, high + half
        ranges.append(scales.round_range(low, high, axis))
    return ranges[0], ranges[1]


def bar_width(x: Float64s) -> float:
    steps = np.diff(np.unique(x[np.isfinite(x)]))
    return float(steps.min()) * 0.8 if len(steps) else 0.8


NEAR_TOP = 0.8
"""Share of the height above which letters stand below their point."""


class ParetoPlot(FigurePlot):
    """The scatter itself; says which run was clicked."""

    chosen = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.line, self.ring = pg.PlotCurveItem(), pg.ScatterPlotItem(size=20, brush=None)
        self._names: list[Any] = []
        self._shown: tuple[ParetoPicture, Run | None] | None = None
        for item in (self.line, self.ring):
            self.view.addItem(item, ignoreBounds=True)

    def show_picture(self, picture: ParetoPicture, current: Run | None) -> None:
        """Draw the runs' points, ring that of the current one, join the Pareto front."""
        self._shown, self.frame = (picture, current), picture.frame
        self.draw_figure(picture.figure)
        theme, places = self.theme, np.hstack([(s.x, s.y) for s in picture.figure.series])
        rings = places[:, [record is current for record in picture.runs]]
        self.ring.setData(*rings, pen=pg.mkPen(theme.text, width=2))
        dashes = pg.mkPen(theme.muted, width=1.5, style=Qt.PenStyle.DashLine)
        self.line.setData(*picture.front, pen=dashes)
        for item in self._names:
            self.view.removeItem(item)
        self._names = []
        low, top = picture.frame[1]
        for members, x, y in picture.labels:
            down = y > low + NEAR_TOP * (top - low)  # above it there is no room
            anchor = (-0.5, 0.0 if down else 1.0)
            name = pg.TextItem(name_runs(members), color=theme.text, anchor=anchor)
            bold = any(record.pinned for record in members)
            name.setFont(style.scaled_font(self, style.SMALL, bold=bold))
            name.setPos(x, y)
            self.view.addItem(name, ignoreBounds=True)
            self._names.append(name)

    def update_theme(self) -> None:
        super().update_theme()
        if self.__dict__.get("_shown") is not None:
            self.show_picture(*self._shown)  # type: ignore[misc]

    def _request_sessions(self, hit: tuple[int, int] | None) -> None:
        if hit is not None and self._shown is not None and self.figure is not None:
            before = sum(len(series.x) for series in self.figure.series[: hit[0]])
            self.chosen.emit(self._shown[0].runs[before + hit[1]].number)
