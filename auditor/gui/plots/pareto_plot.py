"""The scatter of all runs: a point each, the current one ringed, the front joined by a line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor

from auditor.engine.run import Run
from auditor.figures import MetricValue
from auditor.gui.plots.pareto_points import (
    axis_of,
    group_close_points,
    look_of,
    pareto_front,
    roomy_range,
)
from auditor.gui.plots.plot import Canvas
from auditor.gui.widgets import style

NEAR_TOP = 0.8
"""Share of the height above which letters stand below their point."""


class ParetoPlot(Canvas):
    """The scatter itself; says which run was clicked."""

    chosen = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.line = pg.PlotCurveItem()
        self.ring = pg.ScatterPlotItem(size=20, brush=None)
        self.points = pg.ScatterPlotItem(hoverable=True, hoverSize=14, tip=None)
        self.points.sigClicked.connect(self._choose_run)
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
        self.set_axes(axis_of(about[0]), axis_of(about[1]))
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
        self._limits = (roomy_range(x), roomy_range(y))
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
        self.show_full_range()

    def update_theme(self) -> None:
        """Draw the runs anew in the theme's colours."""
        super().update_theme()
        if self.__dict__.get("_shown") is not None:
            self.show_points(*self._shown)  # type: ignore[misc]

    def show_full_range(self) -> None:
        """Show all runs again."""
        self.show_range(*self._limits)

    def _choose_run(self, _plot: Any, points: Any, _event: Any = None) -> None:
        if len(points):
            self.chosen.emit(int(points[0].data()))
