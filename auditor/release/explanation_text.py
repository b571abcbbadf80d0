"""An answer of `auditor.engine.explanation` in words: one wording for all who show it."""

from collections.abc import Iterator
from dataclasses import dataclass

from auditor.engine.explanation import INTERNAL, ExplanationAnswer
from auditor.figures import Figure, Table, format_share
from auditor.log.escaping import printable_text
from auditor.log.sentences import sentence
from auditor.messages import as_phrase, join_phrases, phrase
from auditor.methods.explanation.explanation import TurningPoint
from auditor.methods.registry import METHODS
from auditor.release.report.blocks import (
    ReportRow,
    cell_text,
    format_measured,
    format_number,
    make_table,
)

SHOWN_ROWS = 20
"""Rows of a table that text shows."""


@dataclass(frozen=True, eq=False)
class ExplanationSection:
    """A heading with a sentence, lines and tables under it; what is empty is left out."""

    title: str
    text: str = ""
    lines: tuple[ReportRow, ...] = ()
    tables: tuple[Table, ...] = ()
    figures: tuple[Figure, ...] = ()


def as_text(answer: ExplanationAnswer) -> str:
    """For a terminal: nothing in a query acts on it."""
    lines = [f"'{printable_text(answer.query)}'"]
    for section in write_sections(answer):
        lines += ["", section.title]
        lines += [f"  {section.text}"] if section.text else []
        width = max((len(line.label) for line in section.lines), default=0)
        for line in section.lines:
            lines.append(f"  {line.label:{width}}  {line.value}")
        for table in section.tables:
            lines += format_table(table, SHOWN_ROWS)
    return "\n".join(lines)


def write_sections(answer: ExplanationAnswer) -> Iterator[ExplanationSection]:
    """The whole answer, the verdict first; query text in it is plain text."""
    facts = answer.explanation
    text = facts.outcome if facts else "How this release was made isn't known: only counts can be."
    notes, values = (facts.notes, facts.values) if facts else ((), ())
    yield ExplanationSection(_format_verdict(answer), join_phrases(" ", (text, *notes)))
    values = (*answer.list_facts(), *values)
    counts = [ReportRow(v.label, format_measured(v), v.help) for v in values]
    if facts is not None and facts.chance is not None:
        chance, noise = _format_chance(facts.chance), "Over the method's noise alone."
        counts.append(ReportRow("chance of being released", chance, noise))
    yield ExplanationSection("What it comes from", lines=tuple(counts))
    if facts is not None and facts.turns:
        yield ExplanationSection(
            "What would change that",
            "Each parameter alone, all others as they are.",
            lines=tuple(_turn_line(turn) for turn in facts.turns),
        )
    if facts is not None and (facts.tables or facts.figures):
        yield ExplanationSection("Seen closer", tables=facts.tables, figures=facts.figures)
    yield ExplanationSection("For whom this is", INTERNAL)


def _format_verdict(answer: ExplanationAnswer) -> str:
    title = METHODS[answer.method].title if answer.method in METHODS else answer.method
    if not answer.released:
        return phrase("Not in the release ({title})", title=as_phrase(title))
    if answer.released_count is not None:
        count = format_number(answer.released_count)
        return sentence("explanation.released_with_count", released_count=count, title=title)
    if answer.released_rows:
        rows, ids = format_number(answer.released_rows), format_number(answer.released_users)
        return sentence("explanation.released_in_rows", rows=rows, ids=ids, title=title)
    return phrase("In the release ({title})", title=as_phrase(title))


def _turn_line(turn: TurningPoint) -> ReportRow:
    present = cell_text(turn.now) if turn.now is not None else "not set"
    if turn.value is None:
        text = phrase("{now}: {why}", now=as_phrase(present), why=as_phrase(turn.why))
        return ReportRow(turn.label, text)
    chance = ""
    if turn.chance is not None:
        chance = phrase(" (chance {chance})", chance=_format_chance(turn.chance))
    value = cell_text(turn.value)
    text = sentence("explanation.turn", now=present, cell_text=value, chance=chance)
    return ReportRow(turn.label, text, turn.why)


def _format_chance(chance: float) -> str:
    return format_share(chance) if 0.5 < chance < 1 else format_number(chance)


def format_table(table: Table, row_limit: int) -> list[str]:
    """A table's lines for a terminal: an empty one, its title, and as many rows as are wanted."""
    sheet = make_table(table, row_limit)
    rows = [list(sheet.columns), *([printable_text(cell) for cell in row] for row in sheet.rows)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(sheet.columns))]
    sides = [">" if numeric else "<" for numeric in sheet.numeric]
    forms = [f"{{:{side}{width}}}" for side, width in zip(sides, widths, strict=True)]
    body = ["  " + "  ".join(forms).format(*row).rstrip() for row in rows]
    return ["", f"  {sheet.title}", *body, *([f"  {sheet.note}"] if sheet.note else [])]
