"""A figure as a picture to copy, save or print: drawn like those of reports, in the light theme."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from functools import cache

from PySide6.QtGui import QFontDatabase, QImage

from auditor.figures import Figure
from auditor.gui.plots.scales import Range
from auditor.gui.release.exportable import SIZE, Exportable
from auditor.gui.widgets import style
from auditor.release.report.drawing import CellGrid


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
    note = "" if isinstance(figure, CellGrid) else figure.note
    width, height, (x, y) = SIZE.width(), SIZE.height(), frame or (None, None)

    def draw_svg() -> str:
        from auditor.release.report.drawing import PlotView
        from auditor.release.report.svg_plots import figure_svg

        named, view = dataclasses.replace(figure, title=title), PlotView(x, y, tuple(labels))
        return figure_svg(named, width=width, height=height, titled=True, view=view)

    def draw_pixels(sharp: float) -> QImage:
        # Loading matplotlib takes half a second, which only a picture shall cost.
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.text import Text

        from auditor.release.report.drawing import PlotColours, PlotView, wrap_label
        from auditor.release.report.svg_plots import sheet_of_figure

        theme, view = style.LIGHT, PlotView(x, y, tuple(labels))
        colours = PlotColours(
            theme.surface, theme.text, theme.muted, theme.grid, theme.bad, theme.good, theme.series
        )
        with sheet_of_figure(figure, colours, width, height, view) as sheet:
            left = {"x": 0.01, "ha": "left", "color": theme.text}
            sheet.suptitle(wrap_label(title, 0.8 * width), fontsize="large", **left)
            if note:
                sheet.supxlabel(wrap_label(note, width), fontsize="medium", **left)
            sheet.set_dpi(96 * sharp)
            canvas = FigureCanvasAgg(sheet)
            for text in sheet.findobj(Text):
                text.set_fontfamily(_list_font_families())
            canvas.draw()
            pixels = canvas.buffer_rgba()
            high, wide, _ = pixels.shape
            return QImage(pixels, wide, high, QImage.Format.Format_RGBA8888).copy()

    private = not isinstance(figure, CellGrid) and figure.private
    return Exportable(title, private, draw_pixels, svg=draw_svg)


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
