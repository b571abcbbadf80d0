"""What can be copied, saved and printed: a picture, a table, or a text, with its title.

A picture is drawn anew in the light theme at its own size, with its title, axes and units. Cells
of tables never act as formulas in a spreadsheet.
"""

import csv
import dataclasses
import io
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from typing import Any

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import (
    QFontDatabase,
    QGuiApplication,
    QImage,
    QPagedPaintDevice,
    QPageLayout,
    QPainter,
    QTextDocument,
)

from auditor.figures import Figure
from auditor.gui.app.translation import say
from auditor.gui.plots.scales import Range
from auditor.gui.widgets import formats, style
from auditor.log import escaping
from auditor.messages import fill_places
from auditor.release.report.drawing import (
    CellGrid,
    PlotColours,
    PlotView,
    figure_svg,
    sheet_of_figure,
    wrap_label,
)

SIZE = QSize(960, 600)
SHARP, PRINTED = 2, 4
"""Pixels of a saved and of a printed picture for each of its own."""
KEEP = Qt.AspectRatioMode.KeepAspectRatio
MOST_PRINTED = 2_000
"""Rows of a table that are printed; all of them are saved."""


@dataclass(frozen=True, eq=False)
class Exportable:
    """One thing that can be exported; exactly one of `draw`, `rows`, `lines` is set."""

    title: str
    private: bool = False
    """Whether it shows words of the raw log: queries, users or names."""
    draw: Callable[[float], QImage] | None = None
    """``draw(sharp)`` gives the picture with so many pixels for each of its own."""
    rows: Sequence[Sequence[Any]] = ()
    """Cells of a table, the headings first."""
    lines: Sequence[str] = ()
    """Paragraphs of a text."""
    note: str = ""
    svg: Callable[[], str] | None = None
    """The picture as an SVG document."""
    find_unit: Callable[[int, int], str] = lambda _row, _column: ""
    """``find_unit(row, column)``: what the number in a cell of `rows` is in, for printing."""

    @property
    def stem(self) -> str:
        """What a file of it may be called: of the title, what every system takes."""
        plain = re.sub(r"[^\w\- ]+", "", self.title, flags=re.ASCII).strip().replace(" ", "-")
        return plain[:60].strip("-").lower() or "auditor"

    @property
    def kinds(self) -> tuple[str, ...]:
        if self.draw is not None:
            return ("svg", "png")
        return ("csv",) if self.rows else ("txt",)


def csv_of(handout: Exportable) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerows([[escaping.escape_cell(cell) for cell in row] for row in handout.rows])
    return out.getvalue()


def text_of(handout: Exportable) -> str:
    return "\n\n".join(part for part in (handout.title, *handout.lines, handout.note) if part)


def print_on(handout: Exportable, device: QPagedPaintDevice) -> None:
    """Print: a picture as large as its page is wide, a table or text on as many as it needs."""
    if handout.draw is None:
        document = QTextDocument()
        document.setDefaultFont(QGuiApplication.font())
        document.setHtml(_write_html(handout))
        document.print_(device)
        return
    painter, picture = QPainter(device), handout.draw(PRINTED)
    size = QSize(device.width(), device.height())
    painter.drawImage(QRect(QPoint(0, 0), picture.size().scaled(size, KEEP)), picture)
    painter.end()


def _write_html(handout: Exportable) -> str:
    """A table or text for Qt's own pages; every word of it escaped."""
    parts = [f"<h3>{escape(handout.title)}</h3>", *map(_write_paragraph, handout.lines)]
    if handout.rows:
        unit_of = handout.find_unit
        head, *body = (
            [formats.format_cell(cell, unit_of(line, place)) for place, cell in enumerate(row)]
            for line, row in enumerate(handout.rows[: MOST_PRINTED + 1])
        )
        parts.append('<table width="100%" cellpadding="2"><thead>' + _write_row(head, "th"))
        parts += ["</thead>", *(_write_row(row, "td") for row in body), "</table>"]
        left_out = len(handout.rows) - len(body) - 1
        if left_out > 0:
            places = {"rows": formats.format_count(left_out)}
            parts.append(_write_paragraph(fill_places(say("more rows than are printed"), places)))
    return "".join([*parts, _write_paragraph(handout.note)])


def _write_row(cells: Sequence[str], tag: str) -> str:
    row = "".join(f'<{tag} align="left">{escape(cell)}</{tag}>' for cell in cells)
    return f"<tr>{row}</tr>"


def _write_paragraph(text: str) -> str:
    return f"<p>{escape(text)}</p>" if text else ""


def page_orientation(handout: Exportable) -> QPageLayout.Orientation:
    across = handout.draw is not None or (bool(handout.rows) and len(handout.rows[0]) > 5)
    return QPageLayout.Orientation.Landscape if across else QPageLayout.Orientation.Portrait


def of_figure(
    figure: Figure | CellGrid,
    subject: str = "",
    *,
    frame: tuple[Range, Range] | None = None,
    labels: Sequence[tuple[float, float, str]] = (),
) -> Exportable:
    """A figure to take away; `frame` is the range of x and y if it was zoomed.

    `labels` are words with the place at which they stand: x, y and the word.
    """
    title = f"{figure.title} ({subject})" if subject else figure.title
    note = "" if isinstance(figure, CellGrid) else figure.note
    width, height, (x, y) = SIZE.width(), SIZE.height(), frame or (None, None)

    view = PlotView(x, y, tuple(labels))

    def draw_svg() -> str:
        titled_figure = dataclasses.replace(figure, title=title)
        return figure_svg(titled_figure, width=width, height=height, titled=True, view=view)

    def draw_pixels(sharp: float) -> QImage:
        # Loading matplotlib takes half a second, which only a picture shall cost.
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.text import Text

        theme = style.LIGHT
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
