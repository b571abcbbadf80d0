"""Places for figures: one with its legend and note, several to pick from, and all runs."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QComboBox, QFrame, QSizePolicy, QSplitter, QWidget

from auditor.arrays import Float64s
from auditor.engine.run import Run
from auditor.figures import SHARE, Axis, Figure, MetricValue, Series
from auditor.gui.app import translation
from auditor.gui.app.translation import say, tr, translate_text
from auditor.gui.plots import scales
from auditor.gui.plots.scales import Label, ParetoPicture, Range, name_runs
from auditor.gui.release.exportable import Exportable, of_figure
from auditor.gui.state.run_queue import by_key, list_choices, pareto_positions
from auditor.gui.state.worker import UiScheduler
from auditor.gui.widgets import formats, safe_text, style
from auditor.gui.widgets.fields import ChoiceBox, EventWatch, WrappingLabel

if TYPE_CHECKING:
    from auditor.gui.plots.plot import FigurePlot, ParetoPlot


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

    def clear(self, reason: str) -> None:
        if self.has_plot:
            self.plot.hide()
        self.legend.hide()
        self.note.hide()
        self.empty.setText(reason)
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

    def drop_groups(self, *kept_groups: str) -> None:
        for group in [name for name in self._groups if name not in kept_groups]:
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


def make_tile(content: QWidget) -> QFrame:
    frame = QFrame()
    frame.setProperty("role", "card")
    style.column(frame, [content], margins=1)
    return frame


NEAR = 0.025
"""Share of the axis within which two points count as one for their letters."""


def pareto_front(
    x: Sequence[float], y: Sequence[float], metrics: Sequence[MetricValue]
) -> Float64s:
    """The best trade-offs, shape (2, n); none where nothing says which way is good."""
    points = np.array([x, y], dtype=np.float64)
    if not all(value.better for value in metrics):
        return points[:, :0]
    low_x, low_y = (value.better == "lower" for value in metrics)
    return points[:, pareto_positions(*points, low_x=low_x, low_y=low_y)]


def axis_of(value: MetricValue) -> Axis:
    """An axis whose arrow says where the better end is; along y it points up or down."""
    share = value.unit == SHARE
    unit = f" ({translate_text(value.unit)})" if value.unit and not share else ""
    better = {"higher": tr("  → better"), "lower": tr("  ← better"), "": ""}[value.better]
    return Axis(translate_text(value.label) + unit + better, unit=SHARE if share else "")


def group_close_points(
    points: Sequence[tuple[Run, float, float]], frame: tuple[Range, Range]
) -> list[Label]:
    """Runs whose points (nearly) cover each other share one line of letters, at the first."""
    across, up = (high - low for low, high in frame)
    labels: list[Label] = []
    for record, a, b in points:
        for members, x, y in labels:
            if abs(a - x) < NEAR * across and abs(b - y) < 2 * NEAR * up:
                members.append(record)
                break
        else:
            labels.append(([record], a, b))
    return labels


def roomy_range(values: Sequence[float]) -> Range:
    """A range with room around the outermost points; little of it where no value can be."""
    low, high = min(values), max(values)
    room = 0.2 * (high - low) or 0.1 * abs(high) or 0.2
    bottom = low - room
    return (max(bottom, -0.1 * (high + room)) if low >= 0 else bottom), high + room


MOST_OFFERED = 8
"""Figures that a menu of an axis offers at first."""
ALL = "all figures"


class ParetoPanel(QWidget):
    """The scatter of all runs, whatever their method, with a choice of what is on each axis."""

    chosen = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.legend = Legend()
        self.across = self._make_choice_box(self.tr("Privacy metric"))
        self.up = self._make_choice_box(self.tr("Utility metric"))
        self.empty = style.plain_label(say("no points yet"), role="muted", wrap=True, centred=True)
        self.empty.setContentsMargins(style.WIDE, 0, style.WIDE, style.NORMAL)
        two_lines = 2 * self.empty.fontMetrics().lineSpacing() + 2 * style.NORMAL
        self.empty.setMinimumHeight(two_lines)
        self._records: list[Run] = []
        self._current: Run | None = None
        self._picked: dict[bool, str] = {}
        self._all: set[str] = set()
        """Axes of which every figure is offered, and not only the first few."""
        self._picture: ParetoPicture | None = None
        self.missing = style.plain_label(size=style.SMALL, role="muted", wrap=True)
        self.missing.setContentsMargins(style.NORMAL, 0, style.NORMAL, style.TIGHT)
        self.missing.setAccessibleName(self.tr("Runs that are not drawn, and what is not known"))
        x, y = (style.plain_label(axis, size=style.SMALL, role="muted") for axis in "xy")
        self._head: list[QWidget] = [x, self.across, y, self.up]
        title = style.plain_label(self.tr("Privacy × utility"), bold=True)
        margins = style.NORMAL, style.TIGHT, style.NORMAL, 0
        head = style.row(None, [title, (self.legend, 1)], margins, style.NORMAL)
        axes = style.row(None, [x, (self.across, 2), y, (self.up, 2)], margins, style.NORMAL)
        self._body = style.column(self, [head, axes, (self.empty, 1), self.missing], spacing=0)
        self.show_runs([], None)

    @cached_property
    def plot(self) -> ParetoPlot:
        from auditor.gui.plots.plot import ParetoPlot

        plot = ParetoPlot()
        plot.setAccessibleName(self.tr("Privacy and utility of all runs"))
        plot.chosen.connect(self.chosen)
        self._body.insertWidget(2, plot, 1)
        return plot

    def _make_choice_box(self, name: str) -> QComboBox:
        box = ChoiceBox(name, least=6, tip=name)
        box.activated.connect(lambda _index: self._pick_metric(box))
        return box

    def _pick_metric(self, box: QComboBox) -> None:
        if box.currentData() == ALL:
            self._all.add("utility" if box is self.up else "privacy")
            self.show_runs(self._records, self._current)
            return
        self._picked[box is self.up] = box.currentData()
        self._draw_points()

    def show_runs(self, records: Sequence[Run], current: Run | None) -> None:
        better = {"higher": tr(" Higher is better."), "lower": tr(" Lower is better."), "": ""}
        self._records, self._current = list(records), current
        for box, side in ((self.across, "privacy"), (self.up, "utility")):
            box.clear()
            offered = list_choices(self._records, side)
            name = self._picked.get(box is self.up)
            short = [metric for metric in offered if metric.value.side == side][:MOST_OFFERED]
            has_more = False
            if side not in self._all and short and name in (None, *(item.key for item in short)):
                has_more, offered = len(offered) > len(short), short
            for place, metric in enumerate(offered):
                if place and metric.value.side != side == offered[place - 1].value.side:
                    box.insertSeparator(box.count())
                box.addItem(metric.label, metric.key)
                help = translate_text(metric.value.help) + better[metric.value.better]
                tip = safe_text.plain_tip(help)
                box.setItemData(box.count() - 1, tip, Qt.ItemDataRole.ToolTipRole)
            if has_more:
                box.addItem(self.tr("All metrics…"), ALL)
            picked = box.findData(name) if name else -1  # a separator's data is None
            on_side = bool(offered) and offered[0].value.side == side
            box.setCurrentIndex(picked if picked >= 0 else 0 if on_side else -1)
            box.setEnabled(box.count() > 1)
        self._draw_points()

    def _draw_points(self) -> None:
        keys = (self.across.currentData(), self.up.currentData())
        placed: list[tuple[Run, list[MetricValue]]] = []
        lacking = []
        for record in self._records:
            metrics = by_key(record)
            values = [metrics[key].value for key in keys if key in metrics]
            absent = [
                axis
                for axis, key in zip("xy", keys, strict=True)
                if key not in metrics or not math.isfinite(metrics[key].value.value)
            ]
            if absent:
                lacking.append(f"{record.letter} ({tr(' and ').join(absent)})")
            else:
                placed.append((record, values))
        self._picture = self._make_picture(placed) if placed else None
        if placed or "plot" in self.__dict__:
            self.plot.setVisible(bool(placed))
        self.empty.setVisible(not placed)
        for part in self._head:
            part.setVisible(bool(self._records))
        lines = []
        if lacking:
            text = self.tr("Not drawn, since they lack a metric: {}.")
            lines.append(text.format(", ".join(lacking)))
        axis_values = placed[0][1] if placed else ()
        if blind := [translate_text(value.label) for value in axis_values if not value.better]:
            text = self.tr("No front: nothing says which way is better for {}.")
            lines.append(text.format(tr(" and ").join(blind)))
        style.show_text(self.missing, " ".join(lines))
        if self._picture is None:
            self.legend.hide()
            return
        self.legend.show_series(self._picture.figure.series)
        sentences = []
        for record, values in placed:
            texts = (f"{value.label} {formats.format_metric(value)}" for value in values)
            sentences.append(f"{record.letter}: {', '.join(texts)}.")
        self.plot.setAccessibleDescription(" ".join(sentences))
        self.plot.show_picture(self._picture, self._current)

    def _make_picture(self, placed: Sequence[tuple[Run, list[MetricValue]]]) -> ParetoPicture:
        metrics = placed[0][1]
        points = [(record, a.value, b.value) for record, (a, b) in placed]
        _, x, y = zip(*points, strict=True)
        titles = {record.plan.method: record.plan.what.title for record, *_ in points}
        members = {name: [p for p in points if p[0].plan.method == name] for name in titles}
        runs: list[Run] = []
        series: list[Series] = []
        for name, group in members.items():
            records, *places = zip(*group, strict=True)
            runs += records
            xs, ys = map(np.array, places)
            series.append(Series(translate_text(titles[name]), xs, ys, "points"))
        title, (across, up) = self.tr("Privacy × utility"), map(axis_of, metrics)
        figure = Figure("privacy-utility", title, across, up, tuple(series))
        frame = roomy_range(x), roomy_range(y)
        labels = group_close_points(points, frame)
        front = pareto_front(x, y, metrics)
        return ParetoPicture(figure, runs, front, frame, labels)

    def make_exportable(self) -> Exportable | None:
        """The runs' points and their front as a picture."""
        if (picture := self._picture) is None:
            return None
        series = picture.figure.series
        if picture.front.shape[1] > 1:
            series = (*series, Series(self.tr("best trade-offs"), *picture.front))
        figure = dataclasses.replace(picture.figure, series=series, note=self.missing.text())
        labels = [(x, y, name_runs(members)) for members, x, y in picture.labels]
        return of_figure(figure, frame=picture.frame, labels=labels)
