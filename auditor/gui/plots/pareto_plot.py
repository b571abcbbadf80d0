"""The scatter of all runs: a point each, the current one ringed, the front joined by a line."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor

from auditor.engine.run import Run
from auditor.gui.plots.pareto_points import ParetoPicture, name_runs
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
        self._shown: tuple[ParetoPicture, Run | None] | None = None
        for item in (self.line, self.ring, self.points):
            self.view.addItem(item, ignoreBounds=True)

    def show_picture(self, picture: ParetoPicture, current: Run | None) -> None:
        """Draw the runs' points, ring that of the current one, join the Pareto front."""
        self._shown = (picture, current)
        theme, runs = self.theme, iter(picture.runs)
        self.set_axes(picture.figure.x, picture.figure.y)
        self.find_counts(picture.figure)
        spots = [
            {
                "pos": place,
                "symbol": style.SYMBOLS[look % len(style.SYMBOLS)],
                "brush": QColor(theme.series[look % len(theme.series)]),
                "pen": pg.mkPen(theme.surface),
                "size": 11,
                "data": next(runs),
            }
            for look, series in enumerate(picture.figure.series)
            for place in zip(series.x, series.y, strict=True)
        ]
        self.points.setData(spots)
        rings = np.array([spot["pos"] for spot in spots if spot["data"] is current])
        self.ring.setData(pos=rings.reshape(-1, 2), pen=pg.mkPen(theme.text, width=2))
        dashes = pg.mkPen(theme.muted, width=1.5, style=Qt.PenStyle.DashLine)
        self.line.setData(*picture.front, pen=dashes)
        for item in self._names:
            self.view.removeItem(item)
        self._names = []
        low, top = picture.frame[1]
        for members, x, y in picture.labels:
            high = y > low + NEAR_TOP * (top - low)  # above it there is no room
            name = pg.TextItem(
                name_runs(members), color=theme.text, anchor=(-0.5, 0.0 if high else 1.0)
            )
            bold = any(record.pinned for record in members)
            name.setFont(style.scaled_font(self, style.SMALL, bold=bold))
            name.setPos(x, y)
            self.view.addItem(name, ignoreBounds=True)
            self._names.append(name)
        self.show_full_range()

    def update_theme(self) -> None:
        super().update_theme()
        if self.__dict__.get("_shown") is not None:
            self.show_picture(*self._shown)  # type: ignore[misc]

    def show_full_range(self) -> None:
        if self._shown is not None:
            self.show_range(*self._shown[0].frame)

    def _choose_run(self, _plot: Any, points: Any, _event: Any = None) -> None:
        if len(points):
            self.chosen.emit(points[0].data().number)
