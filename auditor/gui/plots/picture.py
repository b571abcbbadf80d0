"""A figure as a picture to copy, save or print: drawn like those of reports, in the light theme."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from functools import cache

from PySide6.QtCore import QRectF
from PySide6.QtGui import QFontDatabase, QImage, QPainter

from auditor.figures import Figure
from auditor.gui.plots.scales import Range
from auditor.gui.release.exportable import SIZE, Exportable
from auditor.gui.widgets import style
from auditor.release.report.drawing import CellGrid

MOST_DOTS = 4.0
"""Dots of a device for each pixel of a picture's area: more of them can't be seen on paper."""


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
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.text import Text

        from auditor.release.report.drawing import PlotColours, PlotView
        from auditor.release.report.svg_plots import sheet_of_figure

        theme = style.LIGHT
        colours = PlotColours(
            theme.surface, theme.text, theme.muted, theme.grid, theme.bad, theme.good, theme.series
        )
        x, y = frame or (None, None)
        view, dots = PlotView(x, y, tuple(labels)), painter.deviceTransform().m11()
        with sheet_of_figure(figure, colours, area.width(), area.height(), view) as sheet:
            sheet.set_dpi(96 * min(dots, MOST_DOTS))
            canvas = FigureCanvasAgg(sheet)
            for text in sheet.findobj(Text):
                text.set_fontfamily(_list_font_families())
            canvas.draw()
            pixels = canvas.buffer_rgba()
            high, wide, _ = pixels.shape
            image = QImage(pixels, wide, high, QImage.Format.Format_RGBA8888)
            painter.drawImage(area, image)

    if isinstance(figure, CellGrid):
        return Exportable(title, paint=paint, svg=draw_svg)
    return Exportable(title, figure.private, paint, note=figure.note, svg=draw_svg)


@cache
def _list_font_families() -> list[str]:
    """matplotlib's own font, and a font of this computer for each script that it may lack."""
    from matplotlib.font_manager import get_font_names

    fonts, usable = QFontDatabase, set(get_font_names())
    families = [
        family
        for script in fonts.writingSystems()
        for family in [name for name in fonts.families(script) if name in usable][:1]
    ]
    return list(dict.fromkeys(["DejaVu Sans", *families]))
