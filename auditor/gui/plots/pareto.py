"""Privacy × utility: every finished run a point, the best trade-offs joined by a line."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QVBoxLayout, QWidget

from auditor.arrays import Int64s
from auditor.engine.run import Run
from auditor.figures import SHARE, Axis, Figure, MetricValue, Series
from auditor.gui.app.translation import tr, translate_text
from auditor.gui.plots.canvas import Canvas
from auditor.gui.plots.legend import Legend, LegendEntry
from auditor.gui.plots.picture import of_figure
from auditor.gui.release.exportable import Exportable
from auditor.gui.state.metrics import RunMetrics, by_key, list_choices
from auditor.gui.state.run_book import pareto_positions
from auditor.gui.widgets import formats, style
from auditor.gui.widgets.choice_box import ChoiceBox

MOST_OFFERED = 8
"""Figures that a menu of an axis offers at first."""
ALL = "all figures"
NEAR = 0.025
"""Share of the axis within which two points count as one for their letters."""
NEAR_TOP = 0.8
"""Share of the height above which letters stand below their point."""


class ParetoPlot(Canvas):
    """The scatter itself; says which run was clicked."""

    chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.line = pg.PlotCurveItem()
        self.ring = pg.ScatterPlotItem(size=20, brush=None)
        self.points = pg.ScatterPlotItem(hoverable=True, hoverSize=14, tip=None)
        self.points.sigClicked.connect(self._clicked)
        self._names: list[Any] = []
        self._limits = ((0.0, 1.0), (0.0, 1.0))
        self._shown: tuple[Any, ...] | None = None
        for item in (self.line, self.ring, self.points):
            self.view.addItem(item, ignoreBounds=True)

    def show_points(
        self,
        records: Sequence[Run],
        x: Sequence[float],
        y: Sequence[float],
        about: tuple[MetricValue, MetricValue],
        current: Run | None,
    ) -> None:
        """Draw the runs at (x, y), ring the current one, join the Pareto front."""
        self._shown = (records, x, y, about, current)
        looks = look_of(records)
        theme = self.theme
        self.describe(_axis(about[0]), _axis(about[1]))
        self.points.setData(
            [
                {
                    "pos": (x[i], y[i]),
                    "symbol": style.SYMBOLS[looks[r.plan.method] % len(style.SYMBOLS)],
                    "brush": QColor(theme.series[looks[r.plan.method] % len(theme.series)]),
                    "pen": pg.mkPen(theme.surface),
                    "size": 11,
                    "data": r.number,
                }
                for i, r in enumerate(records)
            ]
        )
        rings = [(x[i], y[i]) for i, r in enumerate(records) if r is current]
        self.ring.setData(pos=np.array(rings).reshape(-1, 2), pen=pg.mkPen(theme.text, width=2))
        ahead = pareto_front(x, y, about)
        self.line.setData(
            np.array(x)[ahead],
            np.array(y)[ahead],
            pen=pg.mkPen(theme.muted, width=1.5, style=Qt.PenStyle.DashLine),
        )
        self._limits = (_roomy(x), _roomy(y))
        self._letters(records, x, y)
        self.whole()

    def dress(self) -> None:
        """Draw the runs anew in the theme's colours."""
        super().dress()
        if self.__dict__.get("_shown") is not None:
            self.show_points(*self._shown)  # type: ignore[misc]

    def whole(self) -> None:
        """Show all runs again."""
        self.span(*self._limits)

    def _letters(self, records: Sequence[Run], x: Sequence[float], y: Sequence[float]) -> None:
        for item in self._names:
            self.view.removeItem(item)
        self._names = []
        low, top = self._limits[1]
        for members, a, b in group_close_points(records, x, y):
            letters = " ".join(record.letter for record in members)
            high = b > low + NEAR_TOP * (top - low)  # above it there is no room
            side = (-0.5, 0.0) if high else (-0.5, 1.0)
            name = pg.TextItem(letters, color=self.theme.text, anchor=side)
            bold = any(record.pinned for record in members)
            name.setFont(style.scaled_font(self, style.SMALL, bold=bold))
            name.setPos(a, b)
            self.view.addItem(name, ignoreBounds=True)
            self._names.append(name)

    def _clicked(self, _plot: Any, points: Any, _event: Any = None) -> None:
        if len(points):
            self.chosen.emit(int(points[0].data()))


def pareto_front(
    x: Sequence[float], y: Sequence[float], about: tuple[MetricValue, MetricValue]
) -> Int64s:
    """Positions of the best trade-offs; none where nothing says which way is good."""
    if not (about[0].better and about[1].better):
        return np.zeros(0, dtype=np.int64)
    low_x, low_y = (value.better == "lower" for value in about)
    return pareto_positions(np.array(x), np.array(y), low_x=low_x, low_y=low_y)


class ParetoPanel(QWidget):
    """The scatter of all runs, whatever their method, with a choice of what is on each axis."""

    chosen = Signal(int)
    filled = Signal()
    """There are runs to draw where there were none, or none any more."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.plot = ParetoPlot()
        self.plot.setAccessibleName(self.tr("Privacy and utility of all runs"))
        self.plot.chosen.connect(self.chosen)
        self.legend = Legend()
        self.across, self.up = (
            self._box(self.tr("Privacy figure")),
            self._box(self.tr("Utility figure")),
        )
        self.empty = style.plain_label(
            self.tr(
                "Every run becomes a point here: what an attacker still gets against what the data "
                "are still worth. Press Run to add the first."
            ),
            role="muted",
            wrap=True,
        )
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty.setContentsMargins(style.WIDE, 0, style.WIDE, style.NORMAL)
        two_lines = 2 * self.empty.fontMetrics().lineSpacing() + 2 * style.NORMAL
        self.empty.setMinimumHeight(two_lines)
        self._records: list[Run] = []
        self._current: Run | None = None
        self._picked: dict[bool, str] = {}
        self._all: set[str] = set()
        """Axes of which every figure is offered, and not only the first few."""
        self._placed: list[tuple[Run, tuple[RunMetrics, RunMetrics]]] = []
        self.missing = style.plain_label(size=style.SMALL, role="muted", wrap=True)
        self.missing.setContentsMargins(style.NORMAL, 0, style.NORMAL, style.TIGHT)
        self.missing.setAccessibleName(self.tr("Runs that are not drawn, and what is not known"))
        self._head: list[QWidget] = [
            style.plain_label(self.tr("across"), size=style.SMALL, role="muted"),
            self.across,
            style.plain_label(self.tr("up"), size=style.SMALL, role="muted"),
            self.up,
        ]
        title, axes = QHBoxLayout(), QHBoxLayout()
        title.addWidget(style.plain_label(self.tr("Privacy × utility"), bold=True))
        title.addWidget(self.legend, 1)
        for part in self._head:
            axes.addWidget(part, 2 if isinstance(part, QComboBox) else 0)
        body = QVBoxLayout(self)
        body.setContentsMargins(0, 0, 0, 0)
        body.setSpacing(0)
        for line in (title, axes):
            line.setContentsMargins(style.NORMAL, style.TIGHT, style.NORMAL, 0)
            line.setSpacing(style.NORMAL)
            body.addLayout(line)
        body.addWidget(self.plot, 1)
        body.addWidget(self.empty, 1)
        body.addWidget(self.missing)
        self.show_runs([], None)

    @property
    def is_empty(self) -> bool:
        """Whether there is no run to draw."""
        return not self._records

    def _box(self, name: str) -> QComboBox:
        box = ChoiceBox(name, least=6)
        box.setToolTip(name)
        box.activated.connect(lambda _index: self._pick(box))
        return box

    def _pick(self, box: QComboBox) -> None:
        if box.currentData() == ALL:
            self._all.add("utility" if box is self.up else "privacy")
            self.show_runs(self._records, self._current)
            return
        self._picked[box is self.up] = box.currentData()
        self._draw()

    def show_runs(self, records: Sequence[Run], current: Run | None) -> None:
        """Draw these finished runs."""
        was_empty, self._records, self._current = not self._records, list(records), current
        for box, side in ((self.across, "privacy"), (self.up, "utility")):
            box.clear()
            offered = list_choices(self._records, side)
            name = self._picked.get(box is self.up)
            short = [one for one in offered if one.value.side == side][:MOST_OFFERED]
            if side not in self._all and short and name in (None, *(one.key for one in short)):
                rest, offered = len(offered) > len(short), short
            else:
                rest = False
            for place, one in enumerate(offered):
                if place and one.value.side != side == offered[place - 1].value.side:
                    box.insertSeparator(box.count())
                box.addItem(one.label, one.key)
                box.setItemData(box.count() - 1, _tip(one), Qt.ItemDataRole.ToolTipRole)
            if rest:
                box.addItem(self.tr("All figures…"), ALL)
            picked = box.findData(name) if name else -1  # a separator's data is None
            own = bool(offered) and offered[0].value.side == side
            box.setCurrentIndex(picked if picked >= 0 else 0 if own else -1)
            box.setEnabled(box.count() > 1)
        self._draw()
        if was_empty == bool(records):
            self.filled.emit()

    def _draw(self) -> None:
        keys = (self.across.currentData(), self.up.currentData())
        self._placed, lacking = [], []
        about: tuple[RunMetrics, RunMetrics] | None = None
        for record in self._records:
            figures = by_key(record)
            found = [figures.get(key) for key in keys]
            known = [f for f in found if f is not None and math.isfinite(f.value.value)]
            if len(known) == 2:
                self._placed.append((record, (known[0], known[1])))
                about = about or (known[0], known[1])
            else:
                lacking.append((record, [f is None or f not in known for f in found]))
        self.plot.setVisible(about is not None)
        self.empty.setVisible(about is None)
        for part in self._head:
            part.setVisible(bool(self._records))
        self._say_missing(lacking, about)
        if about is None:
            self.legend.hide()
            return
        records = [record for record, _ in self._placed]
        self._show_legend(records)
        pairs = [(a.value, b.value) for _, (a, b) in self._placed]
        x, y = [a.value for a, _ in pairs], [b.value for _, b in pairs]
        self.plot.setAccessibleDescription(
            " ".join(
                f"{r.letter}: {a.label} {formats.format_metric(a)}, {b.label} "
                f"{formats.format_metric(b)}."
                for r, (a, b) in zip(records, pairs, strict=True)
            )
        )
        values = about[0].value, about[1].value
        self.plot.show_points(records, x, y, values, self._current)

    def _show_legend(self, records: Sequence[Run]) -> None:
        looks = look_of(records)
        titles = {record.plan.method: translate_text(record.plan.what.title) for record in records}
        self.legend.show_entries(
            tuple(LegendEntry(titles[name], "points", look) for name, look in looks.items())
        )
        self.legend.setVisible(len(looks) > 1)

    def _say_missing(
        self,
        lacking: Sequence[tuple[Run, list[bool]]],
        about: tuple[RunMetrics, RunMetrics] | None,
    ) -> None:
        """List the runs that have no point, and say why there is no front, if there is none."""
        said = []
        names = (self.tr("across"), self.tr("up"))
        for record, absent in lacking:
            which = tr(" and ").join(name for name, no in zip(names, absent, strict=True) if no)
            said.append(f"{record.letter} ({which})")
        lines = []
        if said:
            text = self.tr("Not drawn, since they lack a figure: {}.")
            lines.append(text.format(", ".join(said)))
        if about is not None:
            blind = [translate_text(one.value.label) for one in about if not one.value.better]
            if blind:
                text = self.tr("No front: nothing says which way is better for {}.")
                lines.append(text.format(tr(" and ").join(blind)))
        self.missing.setText(" ".join(lines))
        self.missing.setVisible(bool(lines))

    def handout(self) -> Exportable | None:
        """The runs' points and their front as a picture."""
        if not self._placed:
            return None
        records = [record for record, _ in self._placed]
        about = self._placed[0][1][0].value, self._placed[0][1][1].value
        x = np.array([a.value.value for _, (a, _) in self._placed])
        y = np.array([b.value.value for _, (_, b) in self._placed])
        series = []
        for name in look_of(records):
            mine = np.array([record.plan.method == name for record in records])
            title = next(
                translate_text(r.plan.what.title) for r in records if r.plan.method == name
            )
            series.append(Series(title, x[mine], y[mine], "points"))
        ahead = pareto_front(x.tolist(), y.tolist(), about)
        if len(ahead) > 1:
            series.append(Series(self.tr("best trade-offs"), x[ahead], y[ahead]))
        figure = Figure(
            "privacy-utility",
            self.tr("Privacy × utility"),
            _axis(about[0]),
            _axis(about[1]),
            tuple(series),
            note=self.missing.text(),
        )
        labels = [
            (a, b, " ".join(record.letter for record in members))
            for members, a, b in group_close_points(records, x.tolist(), y.tolist())
        ]
        frame = (_roomy(x.tolist()), _roomy(y.tolist()))
        return of_figure(figure, frame=frame, labels=labels)


def _tip(one: RunMetrics) -> str:
    better = {"higher": tr(" Higher is better."), "lower": tr(" Lower is better."), "": ""}
    return translate_text(one.value.help) + better[one.value.better]


def look_of(records: Sequence[Run]) -> dict[str, int]:
    """Which colour and symbol each method gets, by first appearance."""
    looks: dict[str, int] = {}
    for record in records:
        looks.setdefault(record.plan.method, len(looks))
    return looks


def _axis(value: MetricValue) -> Axis:
    """An axis whose arrow says where the better end is; along y it points up or down."""
    share = value.unit == SHARE
    unit = f" ({translate_text(value.unit)})" if value.unit and not share else ""
    better = {"higher": tr("  → better"), "lower": tr("  ← better"), "": ""}[value.better]
    return Axis(translate_text(value.label) + unit + better, unit=SHARE if share else "")


def group_close_points(
    records: Sequence[Run], x: Sequence[float], y: Sequence[float]
) -> list[tuple[list[Run], float, float]]:
    """Runs whose points (nearly) cover each other share one line of letters, at the first."""
    across, up = (high - low for low, high in (_roomy(x), _roomy(y)))
    found: list[tuple[list[Run], float, float]] = []
    for record, a, b in zip(records, x, y, strict=True):
        for members, at_x, at_y in found:
            if abs(a - at_x) < NEAR * across and abs(b - at_y) < 2 * NEAR * up:
                members.append(record)
                break
        else:
            found.append(([record], a, b))
    return found


def _roomy(values: Sequence[float]) -> tuple[float, float]:
    """A range with room around the outermost points; little of it where no value can be."""
    low, high = min(values), max(values)
    room = 0.2 * (high - low) or 0.1 * abs(high) or 0.2
    bottom = low - room
    return (max(bottom, -0.1 * (high + room)) if low >= 0 else bottom), high + room
