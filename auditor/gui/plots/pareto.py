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

from auditor.figures import Axis, Value
from auditor.gui import formats, style
from auditor.gui.plots.canvas import Canvas
from auditor.gui.plots.legend import Entry, Legend
from auditor.gui.run_book import RunRecord, choices, front

NEAR = 0.025
"""Share of the axis within which two points count as one for their letters."""


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
        for item in (self.line, self.ring, self.points):
            self.view.addItem(item, ignoreBounds=True)

    def show_points(
        self,
        records: Sequence[RunRecord],
        x: Sequence[float],
        y: Sequence[float],
        about: tuple[Value, Value],
        current: RunRecord | None,
    ) -> None:
        """Draw the runs at (x, y), ring the current one, join the Pareto front."""
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
        ahead = front(
            np.array(x),
            np.array(y),
            low_x=about[0].better == "lower",
            low_y=about[1].better == "lower",
        )
        if not (about[0].better and about[1].better):
            ahead = ahead[:0]  # which way is good is not for the plot to say
        self.line.setData(
            np.array(x)[ahead],
            np.array(y)[ahead],
            pen=pg.mkPen(theme.muted, width=1.5, style=Qt.PenStyle.DashLine),
        )
        self._letters(records, x, y)
        self._limits = (_roomy(x), _roomy(y))
        self.whole()

    def whole(self) -> None:
        """Show all runs again."""
        self.span(*self._limits)

    def _letters(
        self, records: Sequence[RunRecord], x: Sequence[float], y: Sequence[float]
    ) -> None:
        for item in self._names:
            self.view.removeItem(item)
        self._names = []
        for members, a, b in together(records, x, y):
            letters = " ".join(record.letter for record in members)
            name = pg.TextItem(letters, color=self.theme.text, anchor=(-0.5, 1.0))
            bold = any(record.pinned for record in members)
            name.setFont(style.font(self, style.SMALL, bold=bold))
            name.setPos(a, b)
            self.view.addItem(name, ignoreBounds=True)
            self._names.append(name)

    def _clicked(self, _plot: Any, points: Any, _event: Any = None) -> None:
        if len(points):
            self.chosen.emit(int(points[0].data()))


class ParetoPanel(QWidget):
    """The scatter with a choice of what stands on each axis."""

    chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.plot = ParetoPlot()
        self.plot.setAccessibleName("Privacy and utility of all runs")
        self.plot.chosen.connect(self.chosen)
        self.legend = Legend()
        self.across, self.up = self._box("Privacy figure"), self._box("Utility figure")
        self.empty = style.label(
            "Every run becomes a point here: what an attacker still gets against what the data "
            "are still worth. Press Run to add the first.",
            role="muted",
            wrap=True,
        )
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty.setMargin(style.WIDE)
        self._records: list[RunRecord] = []
        self._current: RunRecord | None = None
        self._picked: dict[bool, str] = {}
        self._head: list[QWidget] = [
            style.label("across", size=style.SMALL, role="muted"),
            self.across,
            style.label("up", size=style.SMALL, role="muted"),
            self.up,
        ]
        head = QHBoxLayout()
        head.setContentsMargins(style.NORMAL, style.TIGHT, style.NORMAL, 0)
        head.setSpacing(style.NORMAL)
        head.addWidget(style.label("Privacy × utility", bold=True))
        head.addStretch(1)
        for part in self._head:
            head.addWidget(part, 2 if isinstance(part, QComboBox) else 0)
        body = QVBoxLayout(self)
        body.setContentsMargins(0, 0, 0, 0)
        body.setSpacing(0)
        body.addLayout(head)
        body.addWidget(self.legend)
        body.addWidget(self.plot, 1)
        body.addWidget(self.empty, 1)
        self.show_runs([], None)

    def _box(self, name: str) -> QComboBox:
        box = QComboBox()
        box.setAccessibleName(name)
        box.setToolTip(name)
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        box.setMinimumContentsLength(10)
        box.activated.connect(lambda _index: self._pick(box))
        return box

    def _pick(self, box: QComboBox) -> None:
        self._picked[box is self.up] = box.currentData()
        self._draw()

    def show_runs(self, records: Sequence[RunRecord], current: RunRecord | None) -> None:
        """Draw these finished runs."""
        self._records, self._current = list(records), current
        for box, side in ((self.across, "privacy"), (self.up, "utility")):
            box.clear()
            offered = choices(self._records, side)
            for place, value in enumerate(offered):
                if place and value.side != side == offered[place - 1].side:
                    box.insertSeparator(box.count())
                box.addItem(value.label, value.name)
                box.setItemData(box.count() - 1, value.help, Qt.ItemDataRole.ToolTipRole)
            name = self._picked.get(box is self.up)
            picked = box.findData(name) if name else -1  # a separator's data is None
            own = bool(offered) and offered[0].side == side
            box.setCurrentIndex(picked if picked >= 0 else 0 if own else -1)
            box.setEnabled(box.count() > 1)
        self._draw()

    def _draw(self) -> None:
        names = (self.across.currentData(), self.up.currentData())
        placed, about = [], None
        for record in self._records:
            found = {value.name: value for value in record.values}
            if names[0] in found and names[1] in found:
                pair = found[names[0]], found[names[1]]
                if all(math.isfinite(value.value) for value in pair):
                    placed.append((record, pair))
                    about = about or pair
        self.plot.setVisible(about is not None)
        self.empty.setVisible(about is None)
        self.legend.setVisible(about is not None)
        for part in self._head:
            part.setVisible(bool(self._records))
        if about is None:
            return
        records = [record for record, _ in placed]
        looks = look_of(records)
        titles = {record.plan.method: record.plan.what.title for record in records}
        self.legend.show_entries(
            tuple(Entry(titles[name], "points", look) for name, look in looks.items())
        )
        self.legend.setVisible(len(looks) > 1)
        x, y = [pair[0].value for _, pair in placed], [pair[1].value for _, pair in placed]
        self.plot.setAccessibleDescription(
            " ".join(
                f"{r.letter}: {a.label} {formats.measured(a)}, {b.label} {formats.measured(b)}."
                for r, (a, b) in placed
            )
        )
        self.plot.show_points(records, x, y, about, self._current)


def look_of(records: Sequence[RunRecord]) -> dict[str, int]:
    """Which colour and symbol each method gets, by first appearance."""
    looks: dict[str, int] = {}
    for record in records:
        looks.setdefault(record.plan.method, len(looks))
    return looks


def _axis(value: Value) -> Axis:
    """An axis whose arrow says where the better end is; along y it points up or down."""
    unit = f" ({value.unit})" if value.unit else ""
    better = {"higher": "  → better", "lower": "  ← better", "": ""}[value.better]
    return Axis(value.label + unit + better)


def together(
    records: Sequence[RunRecord], x: Sequence[float], y: Sequence[float]
) -> list[tuple[list[RunRecord], float, float]]:
    """Runs whose points (nearly) cover each other share one line of letters, at the first."""
    across, up = (high - low for low, high in (_roomy(x), _roomy(y)))
    found: list[tuple[list[RunRecord], float, float]] = []
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
