"""What can be copied, saved and printed: a picture, a table, or a text, with its title.

A picture is drawn anew in the light theme at its own size, with its title, axes and units. Cells
of tables never act as formulas in a spreadsheet.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from PySide6.QtCore import QCoreApplication, QPoint, QRect, QSize, Qt
from PySide6.QtGui import (
    QGuiApplication,
    QImage,
    QPagedPaintDevice,
    QPageLayout,
    QPainter,
    QTextDocument,
)

from auditor.gui.widgets import formats
from auditor.log import escaping

SIZE = QSize(960, 600)
SHARP, PRINTED = 2, 4
"""Pixels of a saved and of a printed picture for each of its own."""
KEEP = Qt.AspectRatioMode.KeepAspectRatio
MOST_PRINTED = 2_000
"""Rows of a table that are printed; all of them are saved."""


@dataclass(frozen=True, eq=False)
class Exportable:
    """One thing that somebody may take away; exactly one of `draw`, `rows`, `lines` is there."""

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
    across = handout.draw is not None or (bool(handout.rows) and len(handout.rows[0]) > 5)
    return QPageLayout.Orientation.Landscape if across else QPageLayout.Orientation.Portrait
