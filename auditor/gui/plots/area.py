"""The middle of the window: trade-off on top, what a setting means and what came of it below."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QSplitter, QVBoxLayout, QWidget

from auditor.gui.plots.pane import FigurePane
from auditor.gui.plots.pareto import ParetoPanel


class PlotArea(QSplitter):
    """Three tiles whose borders can be dragged."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Vertical, parent)
        self.pareto = ParetoPanel()
        self.curves = FigurePane("Setting", "This method has no curves to show in advance.")
        self.results = FigurePane(
            "Result", "Plots of the expected release, and of runs, appear here."
        )
        below = QSplitter(Qt.Orientation.Horizontal)
        below.addWidget(_tile(self.curves))
        below.addWidget(_tile(self.results))
        self.addWidget(_tile(self.pareto))
        self.addWidget(below)
        for splitter in (self, below):
            splitter.setChildrenCollapsible(False)
            splitter.setHandleWidth(6)
        below.setSizes([500, 500])
        self.setSizes([440, 560])


def _tile(inside: QWidget) -> QFrame:
    frame = QFrame()
    frame.setProperty("role", "card")
    column = QVBoxLayout(frame)
    column.setContentsMargins(1, 1, 1, 1)
    column.addWidget(inside)
    return frame
