"""What a report is made of: blocks in an order, of plain text, known to every writer (HTML, PDF).

A writer knows nothing of runs, and whoever makes blocks nothing of pages. Numbers and cells of
tables are written here as people read them.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from auditor.figures import (
    SHARE,
    Figure,
    MetricValue,
    Table,
    format_power,
    format_share,
    name_unit,
    share_in_cell,
)
from auditor.log.sentences import sentence
from auditor.messages import NumberText, as_phrase, phrase

Edition = Literal["public", "full", "internal"]
"""Whom a report is for: whoever gets the release; those who hold the log, without and with text of
the log. The last two stay inside."""

Look = Literal["", "faint", "note", "banner", "lead"]
Side = Literal["good", "caution", "bad"]

SIGNS: Mapping[Side, str] = {"good": "✓", "caution": "?", "bad": "✗"}

EDITIONS: Mapping[Edition, str] = {
    "public": "for whoever gets the release",
    "full": "full report, stays inside",
    "internal": "internal edition, with text of the log",
}
"""What a page says of whom it is for."""


@dataclass(frozen=True)
class HeadingBlock:
    """A heading; level 1 is the report's."""

    level: int
    text: str
    new_page: bool = False
    kind: str = "heading"


@dataclass(frozen=True)
class TextBlock:
    """A paragraph."""

    text: str
    look: Look = ""
    kind: str = "text"


@dataclass(frozen=True)
class VerdictBlock:
    """A few sentences in a frame, with a sign, that are read first."""

    side: Side
    title: str
    headline: str
    sentences: tuple[str, ...]
    kind: str = "verdict"

    @property
    def sign(self) -> str:
        """For those who see no colours."""
        return SIGNS[self.side]


@dataclass(frozen=True)
class ReportRow:
    """One line of a list: what it is, what it says, and what helps to read it."""

    label: str
    value: str
    help: str = ""
    name: str = ""
    better: str = ""


@dataclass(frozen=True, eq=False)
class TilesBlock:
    """A few figures side by side."""

    rows: list[ReportRow]
    kind: str = "tiles"


@dataclass(frozen=True, eq=False)
class FactsBlock:
    """Names with a value each, and help below the name."""

    heads: tuple[str, str]
    rows: list[ReportRow]
    kind: str = "facts"


@dataclass(frozen=True)
class GateRows:
    """Gates with their reason and outcome."""

    label: str
    text: str
    evidence: str
    side: Side
    badge: str


@dataclass(frozen=True, eq=False)
class GatesBlock:
    """Assumptions or gates with a badge each."""

    heads: tuple[str, str]
    rows: list[GateRows]
    kind: str = "verdicts"


@dataclass(frozen=True, eq=False)
class TableBlock:
    """A table of texts; `numeric` says which columns stand to the right, `mono` names those of
    digests and formulas."""

    title: str
    columns: tuple[str, ...]
    rows: list[list[str]]
    numeric: tuple[bool, ...]
    note: str = ""
    source: str = ""
    mono: frozenset[int] = frozenset()
    kind: str = "grid"


@dataclass(frozen=True, eq=False)
class PictureBlock:
    """A figure; `svg` is its drawing, once the page has made one."""

    figure: Figure
    svg: str = ""
    kind: str = "picture"


@dataclass(frozen=True, eq=False)
class SessionBlock:
    """A flagged session of the original log; in the internal edition alone."""

    user: str
    when: str
    risk: str
    reasons: list[str]
    # Pieces of each, with why they are marked; whether it survives in the release.
    queries: list[tuple[list[tuple[str, str]], bool]]
    kind: str = "session"


Block = (
    HeadingBlock
    | TextBlock
    | VerdictBlock
    | TilesBlock
    | FactsBlock
    | GatesBlock
    | TableBlock
    | PictureBlock
    | SessionBlock
)


@dataclass(frozen=True, eq=False)
class ReportDocument:
    """A whole report."""

    title: str
    edition: Edition
    blocks: list[Block] = field(default_factory=list)


# --- numbers and cells as people read them ------------------------------------------------------


def format_number(value: float | None) -> str:
    """Four significant digits, thousands set apart, tiny and huge ones as powers of ten."""
    if value is None or math.isnan(value):
        return phrase("not known")
    if math.isinf(value):
        return phrase("unbounded" if value > 0 else "−unbounded")
    if float(value).is_integer() and abs(value) < 1e12:
        return NumberText(f"{int(value):,}".replace("-", "−"))
    if 1e-3 <= abs(value) < 1e9:
        digits = max(0, 3 - math.floor(math.log10(abs(value))))
        text = f"{value:,.{digits}f}"
        text = text.rstrip("0").rstrip(".") if "." in text else text
        return NumberText(text.replace("-", "−"))
    return format_power(value, 3)


def words_of(name: str) -> str:
    """A key as words: "queries_dropped" as "Queries dropped"; a symbol such as K_c stays."""
    if re.fullmatch(r"[A-Za-z](_\w{1,2})?", name):
        return name
    text = name.replace("_", " ").replace(".", ": ").strip()
    return text[:1].upper() + text[1:]


def format_measured(value: MetricValue) -> str:
    """A figure with its unit and its 95 % interval."""
    share = value.unit == SHARE
    show = format_share if share else format_number
    text = show(value.value)
    if value.unit and not share:
        unit = name_unit(value.value, value.unit)
        text = phrase("{shown}\u00a0{unit}", shown=text, unit=as_phrase(unit))
    if value.interval is None:
        return text
    low, high = map(show, value.interval)
    return sentence("report.measured", shown=text, interval=low, value_interval=high)


def format_scalar(value: Any) -> Any:
    return value.item() if hasattr(value, "item") else value


def cell_text(value: Any, unit: str = "") -> str:
    """A cell of a table; a number by its column's unit."""
    value = format_scalar(value)
    if (share := share_in_cell(value, unit)) is not None:
        return format_share(share)
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return format_number(value)
    if isinstance(value, Mapping):
        return ", ".join(f"{name}: {cell_text(item)}" for name, item in value.items())
    return str(value)


MOST_ROWS = 200
"""Rows of one table that a page shows."""


def make_table(table: Table, row_limit: int = MOST_ROWS) -> TableBlock:
    """A table with its cells as text."""
    rows = table.rows
    kinds = [
        all(_is_missing(row[i]) or isinstance(format_scalar(row[i]), int | float) for row in rows)
        and not all(_is_missing(row[i]) for row in rows)
        for i in range(len(table.columns))
    ]
    note = table.note
    if len(rows) > row_limit:
        note = f"{note} The first {row_limit} of {len(rows):,} rows.".strip()
    cells = [
        [cell_text(value, table.find_unit(line, place)) for place, value in enumerate(row)]
        for line, row in enumerate(rows[:row_limit])
    ]
    return TableBlock(table.title, table.columns, cells, tuple(kinds), note, table.source)


def _is_missing(value: Any) -> bool:
    return value is None or (isinstance(value, str) and value in ("", "–"))
