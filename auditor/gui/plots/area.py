"""What a configuration means and what came of it: two plots that share the room they have."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QSplitter, QVBoxLayout, QWidget

from auditor.gui.plots.pane import FigurePane
from auditor.gui.state.ui_scheduler import UiScheduler


class PlotArea(QSplitter):
    """Two plots beside each other; one that is empty leaves its room to the other."""

    def __init__(self, turns: UiScheduler | None = None, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.curves = FigurePane(
            self.tr("Configuration"),
            self.tr("This method has no curves to show in advance."),
            turns=turns,
        )
        self.results = FigurePane(
            self.tr("Result"),
            self.tr("Plots of the expected release, and of runs, appear here."),
            turns=turns,
        )
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
        shown = not self.curves.is_empty or self.results.is_empty
        if shown == self._curves.isHidden():
            for view in (self.curves.view, self.results.view):
                if self._turns is not None and view.has_plot:
                    view.plot.show_in(self._turns)  # one at a time, since both get another size
            self._curves.setVisible(shown)


def make_tile(inside: QWidget) -> QFrame:
    """A widget in a frame of its own."""
    frame = QFrame()
    frame.setProperty("role", "card")
    column = QVBoxLayout(frame)
    column.setContentsMargins(1, 1, 1, 1)
    column.addWidget(inside)
    return frame
