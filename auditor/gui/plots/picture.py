"""A figure as a picture to copy, save or print: drawn like those of reports, in the light theme."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from auditor.figures import Figure
from auditor.gui.plots.scales import Range
from auditor.gui.release.exportable import SIZE, Exportable
from auditor.gui.widgets import style
from auditor.release.report.drawing import CellGrid

POINTS = 72 / 96
"""Points of print for each pixel."""


def of_figure(
    figure: Figure | CellGrid,
    whose: str = "",
    *,
    frame: tuple[Range, Range] | None = None,
    labels: Sequence[tuple[float, float, str]] = (),
) -> Exportable:
    """A figure to take away; `frame` is the range of x and y if it was zoomed.

    `labels` are words with the place at which they stand: x, y and the word.
    """

    title = f"{figure.title} ({whose})" if whose else figure.title

    def draw_svg() -> str:
        from auditor.release.report.drawing import PlotView
        from auditor.release.report.svg_plots import figure_svg

        x, y = frame or (None, None)
        named = dataclasses.replace(figure, title=title)
        view = PlotView(x, y, tuple(labels))
        return figure_svg(named, width=SIZE.width(), height=SIZE.height(), titled=True, view=view)

    def paint(painter: QPainter, area: QRectF) -> None:
        # Loading matplotlib takes half a second, which only a picture shall cost.
        from auditor.gui.plots.painter_pen import PainterPen
        from auditor.release.report.drawing import PlotColours, PlotView
        from auditor.release.report.sheet_pen import SheetCanvas
        from auditor.release.report.svg_plots import sheet_of_figure

        theme = style.LIGHT
        colours = PlotColours(
            theme.surface, theme.text, theme.muted, theme.grid, theme.bad, theme.good, theme.series
        )
        x, y = frame or (None, None)
        size = area.width(), area.height()
        with sheet_of_figure(figure, colours, *size, PlotView(x, y, tuple(labels))) as sheet:
            pen = PainterPen(painter, (size[0] * POINTS, size[1] * POINTS))
            SheetCanvas(sheet, pen)
            painter.save()
            painter.translate(area.left(), area.bottom())
            painter.scale(1 / POINTS, -1 / POINTS)
            sheet.draw(pen)
            painter.restore()

    if isinstance(figure, CellGrid):
        return Exportable(title, paint=paint, svg=draw_svg)
    return Exportable(title, figure.private, paint, note=figure.note, svg=draw_svg)
