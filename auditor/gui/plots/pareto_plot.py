"""The scatter of all runs: a point each, the current one ringed, the front joined by a line."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt, Signal

from auditor.engine.run import Run
from auditor.gui.plots.pareto_points import ParetoPicture, name_runs
from auditor.gui.plots.plot import FigurePlot
from auditor.gui.widgets import style

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
