"""Draws any `auditor.figures.Figure` with its legend above and its note below."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from auditor.figures import Figure
from auditor.gui.app import translation
from auditor.gui.app.translation import tr
from auditor.gui.plots import pointing
from auditor.gui.plots.legend import Legend, LegendEntry
from auditor.gui.plots.picture import of_figure
from auditor.gui.release.exportable import Exportable
from auditor.gui.widgets import formats, style

if TYPE_CHECKING:
    from auditor.gui.plots.plot import FigurePlot


class FigureView(QWidget):
    """A figure with its legend above and its note below.

    The plot is made when there is something to draw: loading what draws takes a quarter of the
    program's start, and the first window has nothing to draw.
    """

    asked = Signal(object, int, str)
    """The `whose` of the plot: somebody wants the people behind a point."""
    picked = Signal(float)
    """The `picked` of the plot."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.whose = ""
        """Which run or setting the figure is of, for its title elsewhere."""
        self.legend = Legend()
        self.empty = style.plain_label(role="muted", wrap=True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.readout = style.plain_label(size=style.SMALL, wrap=True)
        self.readout.setParent(self)
        self.readout.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.readout.setAutoFillBackground(True)
        self.readout.hide()
        self.note = style.plain_label(size=style.SMALL, role="muted", wrap=True)
        self.note.setContentsMargins(style.NORMAL, 0, style.NORMAL, style.TIGHT)
        self._body = body = QVBoxLayout(self)
        body.setContentsMargins(0, 0, 0, 0)
        body.setSpacing(0)
        body.addWidget(self.legend)
        body.addWidget(self.empty, 1)
        body.addWidget(self.note)
        self.clear("")

    @cached_property
    def plot(self) -> FigurePlot:
        """The plot area."""
        from auditor.gui.plots.plot import FigurePlot

        made = FigurePlot()
        made.pointed.connect(self.point_at)
        made.whose.connect(self.asked)
        made.picked.connect(self.picked)
        self.readout.setParent(made)
        self._body.insertWidget(1, made, 1)
        made.setVisible(self.empty.isHidden())
        return made

    @property
    def has_plot(self) -> bool:
        """Whether something has been drawn here."""
        return "plot" in self.__dict__

    def clear(self, why: str) -> None:
        """Show no plot, and say why there is none."""
        if self.has_plot:
            self.plot.hide()
        self.legend.hide()
        self.note.hide()
        self.empty.setText(why)
        self.empty.show()

    def make_exportable(self) -> Exportable | None:
        """The figure as it is zoomed, to be copied, saved or printed."""
        if not self.has_plot or self.plot.figure is None or self.plot.isHidden():
            return None
        figure, plot = self.plot.figure, self.plot
        x, y = plot.view.viewRange()
        frame = ((x[0], x[1]), (y[0], y[1]))
        if plot.turned:
            frame = (frame[1], frame[0])
        return of_figure(figure, self.whose, frame=frame if plot.zoomed or plot.frame else None)

    def point_at(self, at: float | None) -> None:
        """Mark a place on the x axis, as it is scaled, and say what stands there."""
        figure = self.plot.figure
        self.plot.point_at(at)
        told = (
            pointing.read_values_at(figure, at)
            if at is not None and figure is not None
            else ("", "")
        )
        self.readout.setText(" · ".join(part for part in told if part))
        self.readout.setVisible(bool(told[1]))
        if told[1]:
            need = self.readout.fontMetrics().horizontalAdvance(self.readout.text()) + style.NORMAL
            self.readout.setFixedWidth(min(need, max(60, self.plot.width() - style.WIDE)))
            self.readout.setFixedHeight(self.readout.heightForWidth(self.readout.width()))
            self.readout.move(self.plot.width() - self.readout.width() - style.NORMAL, 0)

    def show_figure(self, figure: Figure) -> None:
        """Draw a figure; no numbers in it is said in words."""
        figure = translation.translate_figure(figure)
        if not any(len(series.x) for series in figure.series):
            self.clear(figure.note or self.tr("Nothing to draw for this setting."))
            return
        self.empty.hide()
        self.plot.show()
        self.legend.show_entries(
            tuple(
                LegendEntry(s.name, s.kind, index, s.role == "bad")
                for index, s in enumerate(figure.series)
            )
        )
        self.legend.setVisible(len(figure.series) > 1)
        self.note.setText(figure.note)
        self.note.setVisible(bool(figure.note))
        follows = (
            self.tr("\nFollows {source}.").format(source=figure.source) if figure.source else ""
        )
        self.plot.setToolTip(
            self.tr("{title}{follows}\nScroll to zoom, double-click to reset.").format(
                title=figure.title, follows=follows
            )
        )
        self.plot.setAccessibleName(figure.title)
        self.plot.setAccessibleDescription(describe_figure(figure))
        self.plot.draw_figure(figure)
        self.point_at(None)


def describe_figure(figure: Figure) -> str:
    """A figure in words, for screen readers."""
    parts = [tr("{label} over {label_2}.").format(label=figure.y.label, label_2=figure.x.label)]
    parts += [f"{mark.label}." for mark in figure.marks]
    for series in figure.series:
        y = series.y[np.isfinite(series.y)]
        if len(y):
            parts.append(
                tr("{what}: from {min} to {max}.").format(
                    what=series.name or tr("values"),
                    min=formats.format_digits(y.min(), 4),
                    max=formats.format_digits(y.max(), 4),
                )
            )
    return " ".join(parts)
