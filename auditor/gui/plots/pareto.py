"""Privacy × utility: every finished run a point, the best trade-offs joined by a line."""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QWidget

from auditor.arrays import Float64s
from auditor.engine.run import Run
from auditor.figures import SHARE, Axis, Figure, MetricValue, Series
from auditor.gui.app.translation import tr, translate_text
from auditor.gui.plots.figure_view import Legend
from auditor.gui.plots.scales import Range
from auditor.gui.release.exportable import Exportable, of_figure
from auditor.gui.state.run_book import by_key, list_choices, pareto_positions
from auditor.gui.widgets import formats, safe_text, style
from auditor.gui.widgets.fields import ChoiceBox

if TYPE_CHECKING:
    from auditor.gui.plots.pareto_plot import ParetoPlot

NEAR = 0.025
"""Share of the axis within which two points count as one for their letters."""
Label = tuple[list[Run], float, float]
"""Runs whose letters stand together, and where."""


class ParetoPicture(NamedTuple):
    """What is drawn: a series for each method, the run of each of its points, and the front."""

    figure: Figure
    runs: Sequence[Run]
    front: Float64s
    """x and y of the best trade-offs, shape (2, n)."""
    frame: tuple[Range, Range]
    labels: Sequence[Label]


def pareto_front(x: Sequence[float], y: Sequence[float], about: Sequence[MetricValue]) -> Float64s:
    """The best trade-offs, shape (2, n); none where nothing says which way is good."""
    points = np.array([x, y], dtype=np.float64)
    if not all(value.better for value in about):
        return points[:, :0]
    low_x, low_y = (value.better == "lower" for value in about)
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


def name_runs(members: Sequence[Run]) -> str:
    return " ".join(record.letter for record in members)


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
        self.empty = style.plain_label(
            self.tr(
                "Every run becomes a point here: what an attacker still gets against what the data "
                "are still worth. Press Run to add the first."
            ),
            role="muted",
            wrap=True,
            centred=True,
        )
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
        from auditor.gui.plots.pareto_plot import ParetoPlot

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
            rest = False
            if side not in self._all and short and name in (None, *(item.key for item in short)):
                rest, offered = len(offered) > len(short), short
            for place, metric in enumerate(offered):
                if place and metric.value.side != side == offered[place - 1].value.side:
                    box.insertSeparator(box.count())
                box.addItem(metric.label, metric.key)
                about = translate_text(metric.value.help) + better[metric.value.better]
                tip = safe_text.plain_tip(about)
                box.setItemData(box.count() - 1, tip, Qt.ItemDataRole.ToolTipRole)
            if rest:
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
                key not in metrics or not math.isfinite(metrics[key].value.value) for key in keys
            ]
            if any(absent):
                names = tr(" and ").join(itertools.compress("xy", absent))
                lacking.append(f"{record.letter} ({names})")
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
        about = placed[0][1] if placed else ()
        if blind := [translate_text(value.label) for value in about if not value.better]:
            text = self.tr("No front: nothing says which way is better for {}.")
            lines.append(text.format(tr(" and ").join(blind)))
        style.show_text(self.missing, " ".join(lines))
        if self._picture is None:
            self.legend.hide()
            return
        self.legend.show_series(self._picture.figure.series)
        self.plot.setAccessibleDescription(
            " ".join(
                f"{record.letter}: {a.label} {formats.format_metric(a)}, {b.label} "
                f"{formats.format_metric(b)}."
                for record, (a, b) in placed
            )
        )
        self.plot.show_picture(self._picture, self._current)

    def _make_picture(self, placed: Sequence[tuple[Run, list[MetricValue]]]) -> ParetoPicture:
        about = placed[0][1]
        points = [(record, a.value, b.value) for record, (a, b) in placed]
        _, x, y = zip(*points, strict=True)
        titles = {record.plan.method: record.plan.what.title for record, *_ in points}
        members = {name: [p for p in points if p[0].plan.method == name] for name in titles}
        series = tuple(
            Series(
                translate_text(titles[name]),
                np.array([x for _, x, _ in some]),
                np.array([y for _, _, y in some]),
                "points",
            )
            for name, some in members.items()
        )
        title, (across, up) = self.tr("Privacy × utility"), map(axis_of, about)
        figure = Figure("privacy-utility", title, across, up, series)
        runs = [record for some in members.values() for record, *_ in some]
        frame = roomy_range(x), roomy_range(y)
        labels = group_close_points(points, frame)
        front = pareto_front(x, y, about)
        return ParetoPicture(figure, runs, front, frame, labels)

    def make_exportable(self) -> Exportable | None:
        """The runs' points and their front as a picture."""
        if (drawn := self._picture) is None:
            return None
        series = drawn.figure.series
        if drawn.front.shape[1] > 1:
            series = (*series, Series(self.tr("best trade-offs"), *drawn.front))
        figure = dataclasses.replace(drawn.figure, series=series, note=self.missing.text())
        labels = [(x, y, name_runs(members)) for members, x, y in drawn.labels]
        return of_figure(figure, frame=drawn.frame, labels=labels)
