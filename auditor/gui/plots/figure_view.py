"""Places for figures: one with its legend and note, several to pick from, two side by side."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QFrame, QSizePolicy, QSplitter, QWidget

from auditor.figures import Figure, Series
from auditor.gui.app import translation
from auditor.gui.app.translation import tr
from auditor.gui.plots import scales
from auditor.gui.release.exportable import Exportable, of_figure
from auditor.gui.state.worker import UiScheduler
from auditor.gui.widgets import formats, style
from auditor.gui.widgets.fields import ChoiceBox, EventWatch
from auditor.gui.widgets.wrapping import WrappingLabel

if TYPE_CHECKING:
    from auditor.gui.plots.plot import FigurePlot


class Legend(WrappingLabel):
    """Names of series one after the other, each behind a sign that looks like the series."""

    def __init__(self) -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setFont(style.scaled_font(self, style.SMALL))
        self.setContentsMargins(style.NORMAL, 0, style.NORMAL, 0)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._series: Sequence[Series] = ()
        EventWatch(self, self._list_names, QEvent.Type.PaletteChange)
        self.hide()

    def show_series(self, series: Sequence[Series]) -> None:
        """Show these names, each with the look of its place; a single series needs none."""
        self._series = series
        self.setAccessibleName(self.tr("Legend: ") + ", ".join(s.name for s in series))
        self._list_names()
        self.setVisible(len(series) > 1)

    def _list_names(self) -> None:
        theme, names = style.theme_of(self), []
        for look, series in enumerate(self._series):
            colour = theme.series[look % len(theme.series)]
            if series.kind in ("line", "steps"):
                sign = style.LINE_SIGNS[look // len(theme.series) % len(style.LINE_SIGNS)]
            else:
                signs = "■" if series.kind == "bars" else style.SYMBOL_SIGNS
                sign = signs[look % len(signs)]
                colour = theme.bad if series.role == "bad" else colour
            name = escape(series.name).replace(" ", "&nbsp;")  # lines break between names alone
            names.append(f'<span style="color: {colour}">{sign}</span>&nbsp;{name}')
        self.setText("&nbsp;&nbsp; ".join(names))


class FigureView(QWidget):
    """A figure with its legend above and its note below.

    The plot is made when there is something to draw: loading what draws takes a quarter of the
    program's start, and the first window has nothing to draw.
    """

    trace_requested = Signal(object, int, str)
    """The `whose` of the plot: somebody wants the people behind a point."""
    picked = Signal(float)
    """The `picked` of the plot."""

    def __init__(self) -> None:
        super().__init__()
        self.whose = ""
        """Which run or setting the figure is of, for its title elsewhere."""
        self.legend = Legend()
        self.empty = style.plain_label(role="muted", wrap=True, centred=True)
        self.readout = style.plain_label(size=style.SMALL, wrap=True)
        self.readout.setParent(self)
        self.readout.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.readout.setAutoFillBackground(True)
        self.readout.hide()
        self.note = style.plain_label(size=style.SMALL, role="muted", wrap=True)
        self.note.setContentsMargins(style.NORMAL, 0, style.NORMAL, style.TIGHT)
        self.before: QWidget | None = None
        """What Tab leads from to the plot, which is made late."""
        self._body = style.column(self, [self.legend, (self.empty, 1), self.note], spacing=0)
        self.clear("")

    @cached_property
    def plot(self) -> FigurePlot:
        from auditor.gui.plots.plot import FigurePlot

        plot = FigurePlot()
        plot.pointed.connect(self.point_at)
        plot.whose.connect(self.trace_requested)
        plot.picked.connect(self.picked)
        self.readout.setParent(plot)
        self._body.insertWidget(1, plot, 1)
        if self.before is not None:
            style.tab_through(self.before, self)
        plot.setVisible(self.empty.isHidden())
        return plot

    @property
    def has_plot(self) -> bool:
        return "plot" in self.__dict__

    def clear(self, why: str) -> None:
        if self.has_plot:
            self.plot.hide()
        self.legend.hide()
        self.note.hide()
        self.empty.setText(why)
        self.empty.show()

    def make_exportable(self) -> Exportable | None:
        """The figure as it is zoomed, to be copied, saved or printed."""
        if not self.has_plot or self.plot.figure is None or self.plot.isHidden():
            return None
        plot, figure = self.plot, self.plot.figure
        if not (plot.zoomed or plot.frame):
            return of_figure(figure, self.whose)
        x, y = map(tuple, plot.view.viewRange())
        return of_figure(figure, self.whose, frame=(y, x) if plot.turned else (x, y))

    def point_at(self, x: float | None) -> None:
        """Mark a place on the x axis, as it is scaled, and say what stands there."""
        figure, readout = self.plot.figure, self.readout
        self.plot.point_at(x)
        name, values = ("", "") if x is None or not figure else scales.read_values_at(figure, x)
        style.show_text(readout, " · ".join(filter(None, (name, values))) if values else "")
        if values:
            need = readout.fontMetrics().horizontalAdvance(readout.text()) + style.NORMAL
            readout.setFixedWidth(min(need, max(60, self.plot.width() - style.WIDE)))
            readout.setFixedHeight(readout.heightForWidth(readout.width()))
            readout.move(self.plot.width() - readout.width() - style.NORMAL, 0)

    def show_figure(self, figure: Figure) -> None:
        """Draw a figure; no numbers in it is said in words."""
        figure = translation.translate_figure(figure)
        if not any(len(series.x) for series in figure.series):
            self.clear(figure.note or self.tr("Nothing to draw for this setting."))
            return
        self.empty.hide()
        self.plot.show()
        self.legend.show_series(figure.series)
        style.show_text(self.note, figure.note)
        source = self.tr("\nFollows {source}.").format(source=figure.source)
        tip = self.tr("{title}{follows}\nScroll to zoom, double-click to reset.")
        follows = source if figure.source else ""
        self.plot.setToolTip(tip.format(title=figure.title, follows=follows))
        self.plot.setAccessibleName(figure.title)
        self.plot.setAccessibleDescription(describe_figure(figure))
        self.plot.draw_figure(figure)
        self.point_at(None)


def describe_figure(figure: Figure) -> str:
    parts = [tr("{label} over {label_2}.").format(label=figure.y.label, label_2=figure.x.label)]
    parts += [f"{mark.label}." for mark in figure.marks]
    for series in figure.series:
        y = series.y[np.isfinite(series.y)]
        if len(y):
            low, high = (formats.format_digits(end, 4) for end in (y.min(), y.max()))
            text = tr("{what}: from {min} to {max}.")
            parts.append(text.format(what=series.name or tr("values"), min=low, max=high))
    return " ".join(parts)


class FigurePane(QWidget):
    """Figures in named groups ("expected", "run A"); the pick survives new numbers.

    With `turns` the one that is picked is drawn in a turn of its own, and painted in another.
    """

    filled = Signal()
    """There are figures where there were none, or none any more."""

    def __init__(self, name: str, empty: str, turns: UiScheduler | None = None) -> None:
        super().__init__()
        self._empty = empty
        self._turns = turns
        self._groups: dict[str, tuple[Figure, ...]] = {}
        self._was_empty = True
        self.box = ChoiceBox(name, tip=name)
        self.box.activated.connect(lambda _index: self._draw_soon())
        self.title = style.plain_label(name, bold=True)
        self.view = FigureView()
        self.view.before = self.box
        margins = style.NORMAL, style.TIGHT
        head = style.row(None, [self.title, (self.box, 1)], margins, style.NORMAL)
        style.column(self, [head, (self.view, 1)], spacing=0)
        self.show_figures("", ())

    def show_figures(self, group: str, figures: Sequence[Figure], *, pick: bool = False) -> None:
        """Replace a group's figures; with `pick` its first becomes the one that is drawn."""
        self._groups[group] = tuple(figures)
        if not figures:
            del self._groups[group]
        entries = [
            (f"{figure.title} ({tr(name)})" if name else figure.title, f"{name}/{figure.name}")
            for name, members in self._groups.items()
            for figure in map(translation.translate_figure, members)
        ]
        if entries != self.box.list_entries():
            self.box.offer((text, key, text) for text, key in entries)
        if pick and figures:
            self.box.setCurrentIndex(self.box.findData(f"{group}/{figures[0].name}"))
        self.box.setVisible(bool(entries))
        self._draw_soon()
        if self._was_empty != self.is_empty:
            self._was_empty = self.is_empty
            self.filled.emit()

    @property
    def is_empty(self) -> bool:
        return not self._groups

    def has_group(self, group: str) -> bool:
        return group in self._groups

    def drop_groups(self, *but: str) -> None:
        for group in [name for name in self._groups if name not in but]:
            self.show_figures(group, ())

    def _draw_soon(self) -> None:
        """Draw, work out the axes and paint in a turn each, where there are turns."""
        if self._turns is None:
            self._draw_figure()
        else:
            self._turns.run_soon(self._draw_figure, self)

    def _draw_figure(self) -> None:
        if self._turns is not None and (not self.is_empty or self.view.has_plot):
            self.view.plot.show_in(self._turns)
        group, _, picked = str(self.box.currentData()).rpartition("/")
        for figure in self._groups.get(group, ()):
            if figure.name == picked:
                self.view.whose = group
                self.view.show_figure(figure)
                return
        self.view.clear(self._empty)


class PlotArea(QSplitter):
    """Two plots beside each other; one that is empty leaves its room to the other."""

    def __init__(self, turns: UiScheduler) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        empty = self.tr("This method has no curves to show in advance.")
        self.curves = FigurePane(self.tr("Configuration"), empty, turns)
        empty = self.tr("Plots of the expected release, and of runs, appear here.")
        self.results = FigurePane(self.tr("Result"), empty, turns)
        self._turns = turns
        self._curves = make_tile(self.curves)
        self.addWidget(self._curves)
        self.addWidget(make_tile(self.results))
        self.setChildrenCollapsible(False)
        self.setHandleWidth(6)
        self.setSizes([500, 500])
        for pane in (self.curves, self.results):
            pane.filled.connect(self._share_width)

    def _share_width(self) -> None:
        """All for the result of a method that has no curves in advance."""
        visible = not self.curves.is_empty or self.results.is_empty
        if visible == self._curves.isHidden():
            for view in (self.curves.view, self.results.view):
                if view.has_plot:
                    view.plot.show_in(self._turns)  # one at a time, since both get another size
            self._curves.setVisible(visible)


def make_tile(inside: QWidget) -> QFrame:
    frame = QFrame()
    frame.setProperty("role", "card")
    style.column(frame, [inside], margins=1)
    return frame
