"""What can be copied, saved and printed: a picture, a table, or a text, with its title.

A picture is drawn anew in the light theme at its own size, with its title, axes and units. Cells
of tables never act as formulas in a spreadsheet.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from PySide6.QtCore import (
    QBuffer,
    QByteArray,
    QCoreApplication,
    QIODevice,
    QRect,
    QRectF,
    QSize,
    Qt,
)
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QGuiApplication,
    QImage,
    QPagedPaintDevice,
    QPageLayout,
    QPainter,
)

from auditor.gui.widgets import formats, style
from auditor.log import escaping

Paint = Callable[[QPainter, QRectF], None]

SIZE = QSize(960, 600)
SHARP = 2
"""Pixels of a saved picture for each of its own."""
MOST_PRINTED = 2_000
"""Rows of a table that are printed; all of them are saved."""

translate = QCoreApplication.translate


@dataclass(frozen=True, eq=False)
class Exportable:
    """One thing that somebody may take away; exactly one of `paint`, `rows`, `lines` is there.

    Attributes
    ----------
    title
        What stands above it.
    private
        Whether it shows words of the raw log: queries, users or names.
    paint
        ``paint(painter, area)`` draws the picture without its title.
    rows
        Cells of a table, the headings first.
    lines
        Paragraphs of a text.
    note
        What stands below it.
    svg
        The picture as an SVG document, where drawing it by `paint` would lose its clipping.
    find_unit
        ``find_unit(row, column)``: what the number in a cell of `rows` is in, for printing.
    """

    title: str
    private: bool = False
    paint: Paint | None = None
    rows: Sequence[Sequence[Any]] = ()
    lines: Sequence[str] = ()
    note: str = ""
    svg: Callable[[], str] | None = None
    size: QSize = field(default_factory=lambda: QSize(SIZE))
    find_unit: Callable[[int, int], str] = lambda _row, _column: ""

    @property
    def stem(self) -> str:
        """What a file of it may be called: of the title, what every system takes."""
        plain = re.sub(r"[^\w\- ]+", "", self.title, flags=re.ASCII).strip().replace(" ", "-")
        return plain[:60].strip("-").lower() or "auditor"

    @property
    def kinds(self) -> tuple[str, ...]:
        """Endings of files that it can be saved as."""
        if self.paint is not None:
            return ("svg", "png")
        return ("csv",) if self.rows else ("txt",)


def csv_of(handout: Exportable) -> str:
    """A table for a spreadsheet, in which no cell acts as a formula."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerows([[escaping.escape_cell(cell) for cell in row] for row in handout.rows])
    return out.getvalue()


def text_of(handout: Exportable) -> str:
    """A text with its title."""
    return "\n\n".join(part for part in (handout.title, *handout.lines, handout.note) if part)


def svg_of(handout: Exportable) -> QByteArray:
    """A picture as a drawing that scales."""
    if handout.svg is not None:
        return QByteArray(handout.svg().encode())
    from PySide6.QtSvg import QSvgGenerator

    made = QByteArray()
    buffer = QBuffer(made)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setSize(handout.size)
    generator.setViewBox(QRect(0, 0, handout.size.width(), handout.size.height()))
    generator.setResolution(round(QGuiApplication.primaryScreen().logicalDotsPerInch()))
    generator.setTitle(handout.title)
    painter = QPainter(generator)
    _draw_whole(painter, handout)
    painter.end()
    return made


def image_of(handout: Exportable) -> QImage:
    """A picture as pixels."""
    image = QImage(handout.size * SHARP, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(SHARP)
    image.fill(QColor(style.LIGHT.surface))
    painter = QPainter(image)
    _draw_whole(painter, handout)
    painter.end()
    return image


def _draw_whole(painter: QPainter, handout: Exportable) -> None:
    """A picture on its ground, with its title above and its note below."""
    area = QRectF(0, 0, handout.size.width(), handout.size.height())
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.fillRect(area, QColor(style.LIGHT.surface))
    inside = area.adjusted(style.WIDE, style.NORMAL, -style.WIDE, -style.NORMAL)
    draw_picture(painter, handout, inside)


def draw_picture(painter: QPainter, handout: Exportable, area: QRectF) -> None:
    """A picture in some area, with its title above and its note below."""
    assert handout.paint is not None
    top = _draw_text(painter, handout.title, area, bold=True)
    below = _measure_height(handout.note, area.width()) if handout.note else 0.0
    room = area.adjusted(0, top + style.TIGHT, 0, -below - style.TIGHT)
    painter.save()
    handout.paint(painter, room)
    painter.restore()
    if handout.note:
        _draw_text(
            painter, handout.note, QRectF(area.left(), area.bottom() - below, area.width(), below)
        )


WRAP = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop


def _make_font(*, bold: bool = False) -> QFont:
    made = QFont(QGuiApplication.font())
    made.setBold(bold)
    return made


def _measure_height(text: str, width: float, *, bold: bool = False) -> float:
    box = QFontMetricsF(_make_font(bold=bold)).boundingRect(
        QRectF(0, 0, width, 1e6), int(WRAP), text
    )
    return float(box.height())


def _draw_text(painter: QPainter, text: str, area: QRectF, *, bold: bool = False) -> float:
    """Text as it is, broken to the area's width; how high it is."""
    if not text:
        return 0.0
    high = _measure_height(text, area.width(), bold=bold)
    painter.setFont(_make_font(bold=bold))
    painter.setPen(QColor(style.LIGHT.text))
    painter.drawText(QRectF(area.left(), area.top(), area.width(), high), int(WRAP), text)
    return high


# printing


class PrintPages:
    """A device's pages, written from the top down in the window's own pixels."""

    def __init__(self, device: QPagedPaintDevice, new_page: Callable[[], object]) -> None:
        self.painter = QPainter(device)
        self._new_page = new_page
        dots = device.logicalDpiX() / QGuiApplication.primaryScreen().logicalDotsPerInch()
        self.painter.scale(dots, dots)
        self.area = QRectF(0, 0, device.width() / dots, device.height() / dots)
        self.number = 1
        self.top = 0.0

    @property
    def room(self) -> QRectF:
        """What is left of the page."""
        return self.area.adjusted(0, self.top, 0, -self.foot)

    @property
    def foot(self) -> float:
        """Height of the line with the page's number."""
        return QFontMetricsF(_make_font()).height() + style.NORMAL

    def begin_page(self) -> None:
        """End the page and begin another."""
        self._print_number()
        self._new_page()
        self.number += 1
        self.top = 0.0

    def write_paragraph(self, text: str, *, bold: bool = False) -> None:
        """A paragraph; one that is longer than a page is cut."""
        high = _measure_height(text, self.area.width(), bold=bold)
        if self.top and high > self.room.height():
            self.begin_page()
        self.top += _draw_text(self.painter, text, self.room, bold=bold) + style.NORMAL

    def finish_pages(self) -> None:
        """Number the last page and close the device."""
        self._print_number()
        self.painter.end()

    def _print_number(self) -> None:
        self.painter.setFont(_make_font())
        self.painter.setPen(QColor(style.LIGHT.muted))
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom
        self.painter.drawText(self.area, int(right), str(self.number))


def print_on(handout: Exportable, device: QPagedPaintDevice, new_page: Callable[[], object]) -> int:
    """Print; how many pages it took."""
    pages = PrintPages(device, new_page)
    if handout.paint is not None:
        _print_picture(handout, pages)
    else:
        pages.write_paragraph(handout.title, bold=True)
        for line in handout.lines:
            pages.write_paragraph(line)
        if handout.rows:
            _print_table(handout, pages)
        if handout.note:
            pages.write_paragraph(handout.note)
    pages.finish_pages()
    return pages.number


def _print_picture(handout: Exportable, pages: PrintPages) -> None:
    """As large as the page is wide."""
    width, own = pages.room.width(), handout.size
    high = min(pages.room.height(), width * own.height() / own.width())
    draw_picture(pages.painter, handout, QRectF(0, 0, width, high))


def _print_table(handout: Exportable, pages: PrintPages) -> None:
    rows = [
        [
            formats.format_cell(cell, handout.find_unit(line, place))
            for place, cell in enumerate(row)
        ]
        for line, row in enumerate(handout.rows[: MOST_PRINTED + 1])
    ]
    metrics = QFontMetricsF(_make_font())
    widths = _fit_column_widths(rows, metrics, pages.area.width())
    line = metrics.height() + style.TIGHT
    for number, row in enumerate(rows):
        if pages.room.height() < line:
            pages.begin_page()
            _print_row(rows[0], widths, line, pages, bold=True)
        _print_row(row, widths, line, pages, bold=number == 0)
    left = len(handout.rows) - len(rows)
    if left > 0:
        pages.write_paragraph(
            translate("Handout", "{} more rows: save the table to have them.").format(left)
        )


def _fit_column_widths(
    rows: Sequence[Sequence[str]], metrics: QFontMetricsF, room: float
) -> list[float]:
    """What columns need, made to fit the page by shortening the widest."""
    columns = max(map(len, rows))
    need = [
        max((metrics.horizontalAdvance(row[c]) for row in rows[:200] if c < len(row)), default=0.0)
        + style.WIDE
        for c in range(columns)
    ]
    while sum(need) > room + 1:
        most = max(need)
        need[need.index(most)] = max(most - (sum(need) - room), most * 0.9, room / columns)
        if most <= room / columns:
            break
    return need


def _print_row(
    row: Sequence[str], widths: Sequence[float], line: float, pages: PrintPages, *, bold: bool
) -> None:
    font = _make_font(bold=bold)
    metrics, x = QFontMetricsF(font), 0.0
    pages.painter.setFont(font)
    pages.painter.setPen(QColor(style.LIGHT.text))
    for text, wide in zip(row, widths, strict=False):
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, wide - style.NORMAL)
        box = QRectF(x, pages.top, wide - style.NORMAL, line)
        pages.painter.drawText(box, int(Qt.AlignmentFlag.AlignVCenter), shown)
        x += wide
    pages.top += line


def page_orientation(handout: Exportable) -> QPageLayout.Orientation:
    """How a page should lie for it."""
    across = handout.paint is not None or (bool(handout.rows) and len(handout.rows[0]) > 5)
    return QPageLayout.Orientation.Landscape if across else QPageLayout.Orientation.Portrait
