"""What a report is made of: blocks in an order, of plain text, known to every writer (HTML, PDF).

A writer knows nothing of runs, and whoever makes blocks nothing of pages.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from auditor.figures import Figure

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
