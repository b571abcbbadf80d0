"""The middle of the window: trade-off on top, what a setting means and what came of it below."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QSplitter, QVBoxLayout, QWidget

from auditor.gui.plots.pane import FigurePane
from auditor.gui.plots.pareto import ParetoPanel
from auditor.gui.state.ui_scheduler import UiScheduler

SHARES = [440, 560]
"""Of the height, with runs to draw on top."""


class PlotArea(QSplitter):
    """Three tiles whose borders can be dragged; what is empty leaves its room to the others."""

    def __init__(self, turns: UiScheduler | None = None, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Vertical, parent)
        self.pareto = ParetoPanel()
        self.curves = FigurePane(
            self.tr("Setting"),
            self.tr("This method has no curves to show in advance."),
            turns=turns,
        )
        self.results = FigurePane(
            self.tr("Result"),
            self.tr("Plots of the expected release, and of runs, appear here."),
            turns=turns,
        )
        self._dragged, self._turns = False, turns
        self._setting = _tile(self.curves)
        below = QSplitter(Qt.Orientation.Horizontal)
        below.addWidget(self._setting)
        below.addWidget(_tile(self.results))
        self.addWidget(_tile(self.pareto))
        self.addWidget(below)
        for splitter in (self, below):
            splitter.setChildrenCollapsible(False)
            splitter.setHandleWidth(6)
        below.setSizes([500, 500])
        self.splitterMoved.connect(self._moved)
        self.pareto.filled.connect(self._share_height)
        for pane in (self.curves, self.results):
            pane.filled.connect(self._share_width)
        self._share_height()

    def _moved(self) -> None:
        self._dragged = True

    def _share_height(self) -> None:
        """Little for a trade-off of no runs, unless somebody has dragged the border."""
        if not self._dragged:
            self._paint_in_turn()
            self.setSizes([1, sum(SHARES)] if self.pareto.is_empty else SHARES)

    def _share_width(self) -> None:
        """All for the result of a method that has no curves in advance."""
        shown = not self.curves.is_empty or self.results.is_empty
        if shown == self._setting.isHidden():
            self._paint_in_turn()
            self._setting.setVisible(shown)

    def _paint_in_turn(self) -> None:
        """Paint the plots one at a time, which all get another size now."""
        for plot in (self.pareto.plot, self.curves.view.plot, self.results.view.plot):
            if self._turns is not None:
                plot.show_in(self._turns)


def _tile(inside: QWidget) -> QFrame:
    frame = QFrame()
    frame.setProperty("role", "card")
    column = QVBoxLayout(frame)
    column.setContentsMargins(1, 1, 1, 1)
    column.addWidget(inside)
    return frame
