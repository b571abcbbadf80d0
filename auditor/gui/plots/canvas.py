"""A bare pyqtgraph plot: one view and two axes, dressed in the window's theme.

`PlotItem` is left out on purpose: it brings menus, an auto-button and unit prefixes that a
steward doesn't need.
"""

from __future__ import annotations

import html
import math
import textwrap
from functools import partial
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPixmap
from PySide6.QtWidgets import QWidget

from auditor.figures import SHARE, Axis, format_power
from auditor.gui.app.translation import localize_number
from auditor.gui.plots.scales import Range, add_headroom, next_round_step
from auditor.gui.state.ui_scheduler import UiScheduler
from auditor.gui.widgets import style

LEAST = 90
"""Pixels of height below which a plot says nothing."""
ROOMY = 2.5
"""Decades of an axis up to which 2 and 5 have room for their text."""
EDGE, END = 16, 10
"""Pixels that the text of a tick at an axis's end, across and up, may stand out, or the ends would
have none."""
NAMES = 0.5
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
    picture: Any
    """Lines and texts to draw; pyqtgraph sets it to None when they must be worked out anew."""

    def logTickValues(
        self, low: float, high: float, _size: float, _ticks: Any
    ) -> list[tuple[float, list[float]]]:
        """Powers of ten; 2 and 5 between where there is room for their text; the other digits."""
        decades = list(range(math.floor(low), math.ceil(high) + 1))
        step = max(1, math.ceil(len(decades) / 6))
        powers = [float(d) for d in decades if d % step == 0 and low <= d <= high]
        if step > 1:
            return [(float(step), powers)]
        between = {m: [d + math.log10(m) for d in decades] for m in range(2, 10)}
        inside = {m: [t for t in ticks if low <= t <= high] for m, ticks in between.items()}
        few = [2, 5] if high - low <= ROOMY else []
        texts = [tick for m in few for tick in inside[m]]
        bare = [tick for m, ticks in inside.items() if m not in few for tick in ticks]
        return [(1.0, powers), (0.5, texts), (0.1, bare)]

    def tickSpacing(self, low: float, high: float, size: float) -> list[tuple[float, float]]:
        """As pyqtgraph has it, but with texts across far enough apart to be read."""
        levels: list[tuple[float, float]] = super().tickSpacing(low, high, size)
        if not levels:
            return levels
        if self.orientation in ("left", "right"):
            spacing, offset = levels[0]
            while spacing * MOST_TICKS < high - low:
                spacing = next_round_step(spacing)
            few = len(levels) < 2 or levels[1][0] * MOST_TICKS >= high - low
            return levels if few else [(spacing, offset)]
        metrics = QFontMetrics(self.style["tickFont"] or self.font())
        spacing, offset = levels[0]
        while spacing < high - low and not self._has_room_for_texts(
            metrics, low, high, size, spacing
        ):
            spacing = next_round_step(spacing)
        return levels if spacing == levels[0][0] else [(spacing, offset), levels[0]]

    def _has_room_for_texts(
        self, metrics: QFontMetrics, low: float, high: float, size: float, spacing: float
    ) -> bool:
        """Whether the texts of ticks so far apart leave a letter's room between them."""
        first = math.ceil(low / spacing)
        values = [spacing * step for step in range(first, math.floor(high / spacing) + 1)]
        texts = self.tickStrings(values, self.autoSIPrefixScale * self.scale, spacing)
        most = max((metrics.horizontalAdvance(text) for text in texts), default=0)
        return most + metrics.averageCharWidth() <= size * spacing / (high - low)

    def prepare_ticks(self) -> None:
        """Work out ticks and texts before they are painted."""
        if self.picture is None and self.isVisible():
            measuring = QPixmap(1, 1)  # texts are measured as on a screen
            painter = QPainter(measuring)
            self.picture = self.generateDrawSpecs(painter) or ()
            painter.end()

    def paint(self, painter: QPainter, _option: Any, _widget: Any) -> None:
        """Draw lines and texts, which are worked out first where that is still to be done."""
        self.prepare_ticks()
        if self.picture:
            # Qt draws faint lines ten times as fast where it is told the rectangle they lie in
            painter.setClipRect(self.boundingRect().toAlignedRect())
            self.drawPicture(painter, *self.picture)

    def boundingRect(self) -> QRectF:
        """Room for the text of a tick at either end, half of which stands out."""
        across = self.orientation in ("top", "bottom")
        side, up = (EDGE, 0) if across else (0, END)
        box: QRectF = super().boundingRect()
        return box.adjusted(-side, -up, side, up)

    def resizeEvent(self, event: Any = None) -> None:
        """Put the label where large text doesn't reach into the ticks."""
        super().resizeEvent(event)
        label = getattr(self, "label", None)
        if label is not None:
            over = (1 - RESERVED) * label.boundingRect().height() - NUDGED
            across = self.orientation in ("top", "bottom")
            label.moveBy(*((0, max(over, 0)) if across else (-max(over, 0), 0)))

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        """Numbers as the window's language writes them."""
        if self.logMode:
            shown: list[str] = super().tickStrings(values, scale, spacing)
            return shown
        factor = 100.0 if self.shares else 1.0
        places = min(max(0, math.ceil(-math.log10(factor * spacing * scale) - 1e-9)), 9)
        end = " %" if self.shares else ""
        return [localize_number(f"{factor * value * scale:,.{places}f}{end}") for value in values]

    def logTickStrings(self, values: list[float], _scale: float, _spacing: float) -> list[str]:
        """Plain numbers near 1, powers of ten elsewhere."""
        return [format_decade(value) for value in values]


def format_decade(place: float) -> str:
    """10 to a power as an axis shows it."""
    if -3 - 1e-9 <= place <= 4 + 1e-9:
        return localize_number(f"{10**place:,.4g}" if place < 4 - 1e-9 else "10,000")
    return format_power(10**place, digits=1)


class Canvas(pg.GraphicsLayoutWidget):  # type: ignore[misc]
    """View, left and bottom axis; coordinates on a log axis are decimal logarithms."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
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

    def update_theme(self) -> None:
        """Take colours and fonts from the palette as it is now."""
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
        for axis, about in ((self.bottom, x), (self.left, y)):
            axis.setLogMode(x=about.scale == "log", y=about.scale == "log")
            axis.setTicks(None)
            axis.shares = about.unit == SHARE
        self._write_category_names()

    def _write_category_names(self) -> None:
        """Name the places of an axis that is no number, in two lines where there is room."""
        if self._about is None:
            return
        metrics = QFontMetrics(style.scaled_font(self, style.SMALL))
        line, most = metrics.height(), round(NAMES * self.width())
        for axis, about in zip((self.bottom, self.left), self._about, strict=True):
            names = about.categories
            if names:
                room = axis is self.left and self.height() - 40 > 2.4 * line * len(names)
                told = [wrap_name(name, 2 if room else 1, metrics, most) for name in names]
                high = max(self.height() - 40, line)
                every = math.ceil(line * len(names) / high) if axis is self.left else 1
                axis.setTicks([list(enumerate(told))[::every]])

    def _write_axis_labels(self) -> None:
        """Write what the axes show, shortened in the middle where there is no room for it."""
        if self._about is None:
            return
        font = style.scaled_font(self, style.SMALL)
        room = (self.width() - 120, self.height() - 36)
        for axis, about, most in zip((self.bottom, self.left), self._about, room, strict=True):
            title = "" if about.categories else about.title  # names speak for themselves
            lines = in_lines(title, QFontMetrics(font), max(60, most))
            size = {"font-size": f"{font.pointSizeF()}pt"}
            label = "<br>".join(html.escape(line) for line in lines)
            axis.setLabel(label, color=self.theme.muted, **size)
            axis.resizeEvent()  # centres the label; a new text alone does not

    def resizeEvent(self, event: Any) -> None:
        """Give the labels the room that there is now."""
        super().resizeEvent(event)
        if hasattr(self, "_about"):
            self._write_axis_labels()
            self._write_category_names()

    def show_range(self, x: Range, y: Range) -> None:
        """Show this range, unless somebody has zoomed."""
        if not self.zoomed:
            self.view.setRange(xRange=x, yRange=add_headroom(y), padding=0.0, disableAutoRange=True)

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
        """A double click takes zooming back."""
        self.zoomed = False
        self.show_full_range()
        super().mouseDoubleClickEvent(event)

    def show_full_range(self) -> None:
        """Override: show everything again."""

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "theme"):
            self.update_theme()

    def _was_zoomed(self, *_: Any) -> None:
        self.zoomed = True


def in_lines(text: str, metrics: QFontMetrics, most: int) -> list[str]:
    """An axis's title in one line, or two where one has no room; only then it is shortened."""
    if metrics.horizontalAdvance(text) <= most or " " not in text:
        return [metrics.elidedText(text, Qt.TextElideMode.ElideMiddle, most)]
    places = [at for at, sign in enumerate(text) if sign == " "]
    middle = min(places, key=lambda at: abs(at - len(text) / 2))
    parts = (text[:middle], text[middle + 1 :])
    return [metrics.elidedText(part, Qt.TextElideMode.ElideRight, most) for part in parts]


def wrap_name(name: str, lines: int, metrics: QFontMetrics, most: int) -> str:
    """A name in so many lines of `most` pixels, with an ellipsis where it goes on."""
    side = Qt.TextElideMode.ElideRight
    if lines == 1 or len(name) <= SHORT_NAME:
        return metrics.elidedText(name, side, most)
    wrapped = textwrap.wrap(name, max(SHORT_NAME, math.ceil(len(name) / lines)))
    if len(wrapped) > lines:  # a long word went on to a line of its own
        wrapped = [*wrapped[: lines - 1], " ".join(wrapped[lines - 1 :])]
    return "\n".join(metrics.elidedText(line, side, most) for line in wrapped)
