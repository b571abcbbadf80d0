"""The report as a PDF: the same blocks as the page, on A4, fonts embedded and plots as pictures.

Every text passes through `_PdfStyles.escape_markup`, which escapes it: ReportLab's paragraphs know
a markup, and a query may look like it. A character that the font lacks is written as its code
point, so that nothing disappears. The file holds no date, no path and no name of a machine, no
script and no link; the same report gives the same bytes.
"""

from __future__ import annotations

import functools
import html
import io
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from reportlab.lib import colors
from reportlab.lib.enums import TA_RIGHT
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    BaseDocTemplate,
    CondPageBreak,
    Flowable,
    Frame,
    Image,
    KeepTogether,
    LongTable,
    PageBreak,
    PageTemplate,
    Paragraph,
    Spacer,
    Table,
)

from auditor.errors import Cancelled
from auditor.log.escaping import printable_text
from auditor.progress import Progress, silent_progress
from auditor.release.report import blocks as parts
from auditor.release.report.blocks import Block, ReportDocument
from auditor.release.report.drawing import ON_LIGHT, sheet_of_figure

SANS, BOLD, MONO = "Report", "Report-Bold", "Report-Mono"
_FILES = {SANS: "DejaVuSans.ttf", BOLD: "DejaVuSans-Bold.ttf", MONO: "DejaVuSansMono.ttf"}

MARGIN = 16 * mm
WIDTH = A4[0] - 2 * MARGIN
LONGEST = 1_500
"""Characters of one cell: a row must fit on a page."""

BEGINNING = 90.0
"""Points of what follows a heading that have to fit below it."""
SHORT = 8
"""Rows of a table that isn't split, with its heading."""

INK, FAINT, RULE, TINT = (colors.HexColor(c) for c in ("#1f2328", "#444c56", "#c4cad1", "#f4f6f8"))
SIDES = {
    "good": colors.HexColor("#1a7f38"),
    "caution": colors.HexColor("#8a5a00"),
    "bad": colors.HexColor("#b3261f"),
}
MARKED = "#fff0b3"


def pdf_of(document: ReportDocument, progress: Progress | None = None) -> bytes:
    """A report as a PDF of A4 pages; O(its text)."""
    progress = progress or silent_progress()
    ink = _PdfStyles()
    story: list[Flowable] = []
    for start, _ in progress.blocks("setting the PDF", len(document.blocks), 1):
        story += ink.make_flowables(document.blocks[start])
    buffer = io.BytesIO()
    paper = _PaperTemplate(buffer, document, ink, progress)
    try:
        paper.build(_keep_headings(story), canvasmaker=_NumberedCanvas)
    except Cancelled:  # the library adds words of its own to any error
        raise Cancelled from None
    return buffer.getvalue()


class _NumberedCanvas(Canvas):  # type: ignore[misc]  # the library has no types
    """Writes "page n of m" once m is known."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options | {"invariant": 1, "pageCompression": 1})
        self._pages: list[dict[str, Any]] = []

    def showPage(self) -> None:
        self._pages.append(dict(self.__dict__))
        self._startPage()

    def save(self) -> None:
        for number, page in enumerate(self._pages, start=1):
            self.__dict__.update(page)
            self.setFont(SANS, 7.5)
            self.setFillColor(FAINT)
            self.drawRightString(A4[0] - MARGIN, 9 * mm, f"page {number} of {len(self._pages)}")
            super().showPage()
        super().save()


class _PaperTemplate(BaseDocTemplate):  # type: ignore[misc]
    """Pages with a running head, and an outline of the headings."""

    def __init__(
        self, buffer: io.BytesIO, document: ReportDocument, ink: _PdfStyles, progress: Progress
    ) -> None:
        title = ink.clean_text(document.title)
        super().__init__(
            buffer, pagesize=A4, title=title, author="", creator="", producer="", subject="",
            leftMargin=MARGIN, rightMargin=MARGIN, topMargin=18 * mm, bottomMargin=17 * mm,
        )  # fmt: skip
        self._head = f"{title} · {parts.EDITIONS[document.edition]}"
        self._progress = progress
        self._outlined = 0
        frame = Frame(MARGIN, 17 * mm, WIDTH, A4[1] - 35 * mm, 0, 0, 0, 0)
        self.addPageTemplates(PageTemplate(frames=[frame], onPage=self._run_head))

    def _run_head(self, canvas: Any, paper: Any) -> None:
        del paper
        self._progress.check()
        canvas.saveState()
        canvas.setFont(SANS, 7.5)
        canvas.setFillColor(FAINT)
        canvas.drawString(MARGIN, A4[1] - 11 * mm, self._head)
        canvas.restoreState()

    def afterFlowable(self, flowable: Flowable) -> None:
        level = getattr(flowable, "heading_level", None)
        if level is not None:
            key = f"h{self._outlined}"
            self._outlined += 1
            self.canv.bookmarkPage(key)
            depth = min(level - 1, getattr(self, "_depth", -1) + 1)
            self._depth = depth
            self.canv.addOutlineEntry(flowable.getPlainText(), key, depth)


def _keep_headings(story: Iterable[Flowable]) -> list[Flowable]:
    """Headings stay with the beginning of what follows, and pictures and short tables are whole.

    What may be split is never kept together: it would leave the rest of a page white.
    """
    result: list[Flowable] = []
    leads: list[Flowable] = []
    for flowable in story:
        if getattr(flowable, "leads", False):
            leads.append(flowable)
        elif isinstance(flowable, KeepTogether) or getattr(flowable, "whole", False):
            result.append(KeepTogether([*leads, flowable]) if leads else flowable)
            leads = []
        else:
            room = sum(lead.wrap(WIDTH, A4[1])[1] + lead.getSpaceBefore() for lead in leads)
            result += [CondPageBreak(room + BEGINNING), *leads] if leads else []
            result.append(flowable)
            leads = []
    return result + leads


class _PdfStyles:
    """Turns blocks into what ReportLab sets."""

    def __init__(self) -> None:
        self._glyphs = _register_fonts()
        base = ParagraphStyle("base", fontName=SANS, fontSize=8.8, leading=12.4, textColor=INK)
        base.splitLongWords = 1

        def make_style(name: str, **options: Any) -> ParagraphStyle:
            return ParagraphStyle(name, parent=base, **options)

        self.body = make_style("body", spaceAfter=5)
        self.faint = make_style("faint", textColor=FAINT, spaceAfter=5)
        self.note = make_style("note", textColor=FAINT, fontSize=7.8, leading=10.6, spaceAfter=6)
        self.cell = make_style("cell", fontSize=8, leading=10.6)
        self.number = make_style("number", fontSize=8, leading=10.6, alignment=TA_RIGHT)
        self.mono = make_style("mono", fontName=MONO, fontSize=7, leading=9.6)
        self.column = make_style("column", fontName=BOLD, fontSize=7.6, leading=10, textColor=FAINT)
        self.column_n = ParagraphStyle("column-n", parent=self.column, alignment=TA_RIGHT)
        self.caption = make_style(
            "caption", fontName=BOLD, fontSize=8.6, spaceBefore=5, spaceAfter=3
        )
        self.lead = make_style("lead", fontName=BOLD, fontSize=12, leading=15.5, spaceAfter=3)
        self.heads = {
            1: make_style("h1", fontName=BOLD, fontSize=17, leading=21, spaceAfter=4),
            2: make_style(
                "h2", fontName=BOLD, fontSize=12.5, leading=16, spaceBefore=15, spaceAfter=5
            ),
            3: make_style(
                "h3", fontName=BOLD, fontSize=10, leading=13, spaceBefore=10, spaceAfter=3
            ),
            4: make_style("h4", fontName=BOLD, fontSize=9, leading=12, spaceBefore=8, spaceAfter=2),
        }

    def make_flowables(self, block: Block) -> list[Flowable]:
        """One block, set by the method that is named after its kind."""
        return list(getattr(self, f"_make_{block.kind}")(block))

    def clean_text(self, text: str) -> str:
        """Text without acting characters; what the font lacks as its code point."""
        plain = printable_text(text)
        if plain.isascii():
            return plain
        return "".join(c if ord(c) in self._glyphs else f"‹U+{ord(c):04X}›" for c in plain)

    def escape_markup(self, text: str) -> str:
        """The same for a paragraph: nothing in it is markup."""
        if len(text) > LONGEST:
            text = text[: LONGEST - 1] + "…"
        return "<br/>".join(html.escape(self.clean_text(line)) for line in text.split("\n"))

    def _make_paragraph(self, text: str, style: ParagraphStyle) -> Paragraph:
        return Paragraph(self.escape_markup(text), style)

    def _with_help(
        self, label: str, *help_lines: str, strong: bool = False, name: str = ""
    ) -> Paragraph:
        text = self.escape_markup(label)
        text = f'<font name="{BOLD}">{text}</font>' if strong else text
        if name:
            text += (
                f' <font name="{MONO}" size="7" color="#444c56">{self.escape_markup(name)}</font>'
            )
        for line in filter(None, help_lines):
            text += f'<br/><font size="7.2" color="#444c56">{self.escape_markup(line)}</font>'
        return Paragraph(text, self.cell)

    def _make_heading(self, block: parts.HeadingBlock) -> Iterator[Flowable]:
        if block.new_page:
            yield PageBreak()
        heading = self._make_paragraph(block.text, self.heads[min(block.level, 4)])
        heading.heading_level, heading.leads = block.level, True
        yield heading

    def _make_text(self, block: parts.TextBlock) -> Iterator[Flowable]:
        if block.look == "banner":
            text = self._make_paragraph(block.text, self.body)
            yield self._make_frame([text], SIDES["bad"], colors.white)
            return
        style = getattr(self, block.look or "body")
        for start in range(0, max(len(block.text), 1), LONGEST):  # parts that fit on a page
            yield self._make_paragraph(block.text[start : start + LONGEST], style)

    def _make_verdict(self, block: parts.VerdictBlock) -> Iterator[Flowable]:
        side = SIDES[block.side]
        title = ParagraphStyle("side", parent=self.body, fontName=BOLD, textColor=side)
        flowables = [
            self._make_paragraph(f"{block.sign} {block.title}", title),
            self._make_paragraph(block.headline, self.lead),
        ]
        flowables += [self._make_paragraph(sentence, self.body) for sentence in block.sentences]
        yield self._make_frame(flowables, side, TINT)

    def _make_frame(self, content: list[Flowable], side: Any, ground: Any) -> Flowable:
        style = [
            ("BACKGROUND", (0, 0), (-1, -1), ground),
            ("BOX", (0, 0), (-1, -1), 0.6, RULE),
            ("LINEBEFORE", (0, 0), (0, -1), 4, side),
            ("LEFTPADDING", (0, 0), (-1, -1), 10),
            ("TOPPADDING", (0, 0), (-1, -1), 6),
            ("BOTTOMPADDING", (0, 0), (-1, -1), 3),
        ]
        return Table([[content]], colWidths=[WIDTH], spaceBefore=4, spaceAfter=8, style=style)

    def _make_tiles(self, block: parts.TilesBlock) -> Iterator[Flowable]:
        cells = [
            self._with_help(row.value, row.label, row.better, strong=True) for row in block.rows
        ]
        cells += [Paragraph("", self.cell)] * (-len(cells) % 3)
        rows = [cells[start : start + 3] for start in range(0, len(cells), 3)]
        style = [*_RULES, ("INNERGRID", (0, 0), (-1, -1), 0.5, RULE)]
        yield Table(rows, colWidths=[WIDTH / 3] * 3, spaceAfter=6, style=style)

    def _make_facts(self, block: parts.FactsBlock) -> Iterator[Flowable]:
        head = [
            self._make_paragraph(block.heads[0], self.column),
            self._make_paragraph(block.heads[1], self.column_n),
        ]
        rows = [
            [
                self._with_help(row.label, row.help, name=row.name),
                self._make_paragraph("\n".join(filter(None, (row.value, row.better))), self.number),
            ]
            for row in block.rows
        ]
        yield self._make_table([head, *rows], [WIDTH * 0.68, WIDTH * 0.32])

    def _make_verdicts(self, block: parts.GatesBlock) -> Iterator[Flowable]:
        rows: list[list[Flowable]] = [
            [self._make_paragraph(head, self.column) for head in block.heads]
        ]
        for row in block.rows:
            badge = ParagraphStyle("badge", parent=self.cell, textColor=SIDES[row.side])
            evidence = f"Evidence: {row.evidence}" if row.evidence else ""
            label = self._with_help(row.label, row.text, evidence, strong=True)
            rows.append([label, self._make_paragraph(row.badge, badge)])
        yield self._make_table(rows, [WIDTH * 0.78, WIDTH * 0.22])

    def _make_grid(self, block: parts.TableBlock) -> Iterator[Flowable]:
        if block.title:
            source = f" (after {block.source})" if block.source else ""
            caption = self._make_paragraph(block.title + source, self.caption)
            caption.leads = True
            yield caption
        heads = [self.column_n if numeric else self.column for numeric in block.numeric]
        rows = [list(map(self._make_paragraph, block.columns, heads))]
        for row in block.rows:
            cells = []
            for place, (text, numeric) in enumerate(zip(row, block.numeric, strict=True)):
                if numeric or place in block.mono:
                    style = self.number if numeric else self.mono
                    cells.append(self._make_paragraph(text, style))
                else:
                    cells.append(self._with_help(*text.split("\n")))
            rows.append(cells)
        if not block.rows:
            blank = [Paragraph("", self.cell) for _ in block.columns[1:]]
            rows.append([self._make_paragraph("no rows", self.note), *blank])
        yield self._make_table(rows, _compute_widths(block.columns, block.rows))
        if block.note:
            yield self._make_paragraph(block.note, self.note)

    def _make_table(self, rows: list[list[Any]], widths: list[float]) -> Flowable:
        table = LongTable(rows, colWidths=widths, repeatRows=1, spaceAfter=7, style=_RULES)
        table.whole = len(rows) <= SHORT
        return table

    def _make_picture(self, block: parts.PictureBlock) -> Iterator[Flowable]:
        from matplotlib.backends.backend_agg import FigureCanvasAgg

        figure = block.figure
        source = f" (after {figure.source})" if figure.source else ""
        title = self._make_paragraph(figure.title + source, self.caption)
        note = self._make_paragraph(figure.note, self.note) if figure.note else Spacer(1, 5)
        width, height = PLOT_SIZE
        with sheet_of_figure(figure, ON_LIGHT, width, height) as sheet:
            FigureCanvasAgg(sheet)
            buffer = io.BytesIO()
            sheet.savefig(buffer, format="png", dpi=PLOT_DOTS, metadata={"Software": None})
        yield KeepTogether([title, Image(buffer, width * 72 / 96, height * 72 / 96), note])

    def _make_session(self, block: parts.SessionBlock) -> Iterator[Flowable]:
        head = f"User {block.user} · {block.when} UTC · risk {block.risk}"
        flowables: list[Flowable] = [self._with_help(head, "; ".join(block.reasons), strong=True)]
        for pieces, survives in block.queries:
            text = "• "
            for piece, reason in pieces:
                markup = self.escape_markup(piece)
                text += f'<font backColor="{MARKED}">{markup}</font>' if reason else markup
            bad = SIDES["bad"].hexval().replace("0x", "#")
            text += f' <font color="{bad}">✗ survives</font>' if survives else ""
            flowables.append(Paragraph(text, self.cell))
        style = [("BOX", (0, 0), (-1, -1), 0.6, RULE), ("BOTTOMPADDING", (0, 0), (-1, -1), 1)]
        yield Table([[row] for row in flowables], colWidths=[WIDTH], spaceAfter=6, style=style)


PLOT_SIZE = 640.0, 340.0
"""CSS pixels, as in the page."""
PLOT_DOTS = 200
"""Dots per inch."""

_RULES: list[tuple[Any, ...]] = [
    ("VALIGN", (0, 0), (-1, -1), "TOP"),
    ("LINEBELOW", (0, 0), (-1, -1), 0.4, RULE),
    ("LINEBELOW", (0, 0), (-1, 0), 0.9, RULE),
    ("LEFTPADDING", (0, 0), (-1, -1), 1),
    ("RIGHTPADDING", (0, 0), (-1, -1), 5),
    ("TOPPADDING", (0, 0), (-1, -1), 2.5),
    ("BOTTOMPADDING", (0, 0), (-1, -1), 3.5),
]

LETTERS = 100.0
"""Letters of a cell's size that a page is wide, about."""


def _compute_widths(columns: tuple[str, ...], rows: list[list[str]]) -> list[float]:
    """Room for the longest word of each column first; what is left by what stands in them."""
    texts = [[head, *(row[column] for row in rows[:60])] for column, head in enumerate(columns)]
    words = [max(map(len, " ".join(column).split()), default=1) for column in texts]
    lines = [max(map(len, "\n".join(column[1:]).split("\n"))) for column in texts]
    least = np.clip(words, 3, 16) + 2.5
    extra = np.maximum(np.minimum(lines, 60) - least, 0.0)
    wants = least + max(LETTERS - least.sum(), 0.0) * extra / max(extra.sum(), 1.0)
    widths: list[float] = (WIDTH * wants / wants.sum()).tolist()
    return widths


@functools.cache
def _register_fonts() -> frozenset[int]:
    """Registers the fonts that matplotlib ships, and tells which characters they have."""
    import matplotlib

    folder = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
    for name, file in _FILES.items():
        pdfmetrics.registerFont(TTFont(name, str(folder / file), asciiReadable=True))
    pdfmetrics.registerFontFamily(SANS, normal=SANS, bold=BOLD, italic=SANS, boldItalic=BOLD)
    return frozenset(pdfmetrics.getFont(SANS).face.charToGlyph)
