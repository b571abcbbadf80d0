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
from html import escape
from typing import Any

from PySide6.QtCore import QByteArray, QCoreApplication, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QGuiApplication,
    QImage,
    QPagedPaintDevice,
    QPageLayout,
    QPainter,
    QTextDocument,
)

from auditor.gui.widgets import formats, style
from auditor.log import escaping

Paint = Callable[[QPainter, QRectF], None]

SIZE = QSize(960, 600)
SHARP = 2
"""Pixels of a saved picture for each of its own."""
MOST_PRINTED = 2_000
"""Rows of a table that are printed; all of them are saved."""


@dataclass(frozen=True, eq=False)
class Exportable:
    """One thing that somebody may take away; exactly one of `paint`, `rows`, `lines` is there."""

    title: str
    private: bool = False
    """Whether it shows words of the raw log: queries, users or names."""
    paint: Paint | None = None
    """``paint(painter, area)`` draws the picture without its title."""
    rows: Sequence[Sequence[Any]] = ()
    """Cells of a table, the headings first."""
    lines: Sequence[str] = ()
    """Paragraphs of a text."""
    note: str = ""
    svg: Callable[[], str] | None = None
    """The picture as an SVG document; drawn by `paint` it would lose its clipping."""
    size: QSize = field(default_factory=lambda: QSize(SIZE))
    find_unit: Callable[[int, int], str] = lambda _row, _column: ""
    """``find_unit(row, column)``: what the number in a cell of `rows` is in, for printing."""

    @property
    def stem(self) -> str:
        """What a file of it may be called: of the title, what every system takes."""
        plain = re.sub(r"[^\w\- ]+", "", self.title, flags=re.ASCII).strip().replace(" ", "-")
        return plain[:60].strip("-").lower() or "auditor"

    @property
    def kinds(self) -> tuple[str, ...]:
        if self.paint is not None:
            return ("svg", "png")
        return ("csv",) if self.rows else ("txt",)


def csv_of(handout: Exportable) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerows([[escaping.escape_cell(cell) for cell in row] for row in handout.rows])
    return out.getvalue()


def text_of(handout: Exportable) -> str:
    return "\n\n".join(part for part in (handout.title, *handout.lines, handout.note) if part)


def svg_of(handout: Exportable) -> QByteArray:
    assert handout.svg is not None
    return QByteArray(handout.svg().encode())


def image_of(handout: Exportable) -> QImage:
    image = QImage(handout.size * SHARP, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(SHARP)
    image.fill(QColor(style.LIGHT.surface))
    painter, area = QPainter(image), QRectF(0, 0, handout.size.width(), handout.size.height())
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    area.adjust(style.WIDE, style.NORMAL, -style.WIDE, -style.NORMAL)
    draw_picture(painter, handout, area)
    painter.end()
    return image


def draw_picture(painter: QPainter, handout: Exportable, area: QRectF) -> None:
    assert handout.paint is not None
    top = _draw_text(painter, handout.title, area, bold=True)
    below = _measure_height(handout.note, area.width()) if handout.note else 0.0
    room = area.adjusted(0, top + style.TIGHT, 0, -below - style.TIGHT)
    painter.save()
    handout.paint(painter, room)
    painter.restore()
    foot = QRectF(area.left(), area.bottom() - below, area.width(), below)
    _draw_text(painter, handout.note, foot)


WRAP = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop


def _make_font(*, bold: bool = False) -> QFont:
    font = QFont(QGuiApplication.font())
    font.setBold(bold)
    return font


def _measure_height(text: str, width: float, *, bold: bool = False) -> float:
    room = QRectF(0, 0, width, 1e6)
    return QFontMetricsF(_make_font(bold=bold)).boundingRect(room, int(WRAP), text).height()


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


def print_on(handout: Exportable, device: QPagedPaintDevice) -> None:
    """Print: a picture as large as its page is wide, a table or text on as many as it needs."""
    if handout.paint is None:
        document = QTextDocument()
        document.setDefaultFont(_make_font())
        document.setHtml(_write_html(handout))
        document.print_(device)
        return
    painter = QPainter(device)
    dots = device.logicalDpiX() / QGuiApplication.primaryScreen().logicalDotsPerInch()
    painter.scale(dots, dots)
    width, size = device.width() / dots, handout.size
    high = min(device.height() / dots, width * size.height() / size.width())
    draw_picture(painter, handout, QRectF(0, 0, width, high))
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
        rest = len(handout.rows) - len(body) - 1
        if rest > 0:
            more = QCoreApplication.translate(
                "Handout", "{} more rows: save the table to have them."
            )
            parts.append(_write_paragraph(more.format(rest)))
    return "".join([*parts, _write_paragraph(handout.note)])


def _write_row(cells: Sequence[str], tag: str) -> str:
    row = "".join(f'<{tag} align="left">{escape(cell)}</{tag}>' for cell in cells)
    return f"<tr>{row}</tr>"


def _write_paragraph(text: str) -> str:
    return f"<p>{escape(text)}</p>" if text else ""


def page_orientation(handout: Exportable) -> QPageLayout.Orientation:
    across = handout.paint is not None or (bool(handout.rows) and len(handout.rows[0]) > 5)
    return QPageLayout.Orientation.Landscape if across else QPageLayout.Orientation.Portrait
