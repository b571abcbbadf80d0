"""Privacy × utility: every finished run a point, the best trade-offs joined by a line."""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QWidget

from auditor.engine.run import Run
from auditor.figures import Figure, MetricValue, Series
from auditor.gui.app.translation import say, tr, translate_text
from auditor.gui.plots import pareto_points
from auditor.gui.plots.figure_view import Legend
from auditor.gui.plots.pareto_points import ParetoPicture, name_runs, roomy_range
from auditor.gui.release.exportable import Exportable, of_figure
from auditor.gui.state.run_queue import by_key, list_choices
from auditor.gui.widgets import formats, safe_text, style
from auditor.gui.widgets.fields import ChoiceBox

if TYPE_CHECKING:
    from auditor.gui.plots.pareto_plot import ParetoPlot

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
        title, (across, up) = self.tr("Privacy × utility"), map(pareto_points.axis_of, about)
        figure = Figure("privacy-utility", title, across, up, series)
        runs = [record for some in members.values() for record, *_ in some]
        frame = roomy_range(x), roomy_range(y)
        labels = pareto_points.group_close_points(points, frame)
        front = pareto_points.pareto_front(x, y, about)
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
