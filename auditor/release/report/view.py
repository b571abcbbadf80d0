"""What a report shows of one run, as plain values: no markup, no drawing, nothing private.

The full report leaves out every table and figure marked private and every example; the internal
edition has them, with query text of the original log. Both stay inside: what was computed from the
original log is not covered by any ε. What is known of the run is read from its record.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

import numpy as np

from auditor.attacks.base import AttackResult
from auditor.attacks.dp_audit import summary as audit_summary
from auditor.attacks.registry import ATTACKS
from auditor.attacks.risk.reasons import main_reasons
from auditor.engine.run import Run
from auditor.figures import (
    SHARE,
    Axis,
    Figure,
    MetricValue,
    Series,
    Table,
    format_count,
    format_share,
    name_unit,
)
from auditor.log.model import LogTotals, QueryLog
from auditor.log.writing import tsv_heading
from auditor.measures.base import MeasureResult
from auditor.measures.registry import MEASURES
from auditor.messages import join_phrases
from auditor.methods.released_ids import NO_USER
from auditor.params import ParamKind, Params, ParamSpec
from auditor.privacy.release import DistributedProduct, Preview
from auditor.privacy.statement import Statement
from auditor.registry import Registry
from auditor.release.guarantee import Strength
from auditor.release.kept_content import find_count_errors
from auditor.release.record import ReleaseRecord, title_of
from auditor.release.report.blocks import (
    Block,
    Edition,
    FactsBlock,
    HeadingBlock,
    PictureBlock,
    ReportRow,
    SessionBlock,
    Side,
    TableBlock,
    TextBlock,
    TilesBlock,
)
from auditor.release.report.formatting import (
    cell_text,
    format_measured,
    format_number,
    format_scalar,
    words_of,
)
from auditor.release.verdict import ReleaseVerdict, measured_verdict, stated_bound

MOST_ROWS = 200
"""Rows of one table that a page shows."""

EXAMPLES = 20
"""Flagged sessions that the internal edition opens, the riskiest first."""


@dataclass(frozen=True, eq=False)
class ReportedRun:
    """A run as an edition of its report tells it; holds no figure of its own.

    Only the internal edition looks up text of the log, for its examples.
    """

    run: Run
    log: LogTotals
    edition: Edition
    record: ReleaseRecord

    @cached_property
    def answer(self) -> ReleaseVerdict:
        """Whether it may be released."""
        return measured_verdict(self.record)

    @property
    def inside(self) -> bool:
        """Whether what is private is told."""
        return self.edition == "internal"

    @property
    def title(self) -> str:
        return self.run.plan.what.title

    @property
    def statement(self) -> Statement:
        return self.record.statement

    @property
    def preview(self) -> str:
        """The mark of a preview; empty for a release."""
        return Preview.WATERMARK if isinstance(self.run.release, Preview) else ""

    @property
    def empty(self) -> bool:
        return self.run.release.is_empty

    @cached_property
    def audited(self) -> audit_summary.AuditSummary:
        """What an audit of the claim found."""
        return audit_summary.summarize_audit(self.statement, self.run.attacks)

    @property
    def headline(self) -> str:
        """The claim in a line, and what an audit says of it."""
        parts = (self.statement.write_headline(), audit_summary.format_short(self.audited))
        return join_phrases("; ", filter(None, parts))

    @property
    def verdict(self) -> tuple[Side, str]:
        """How the guarantee stands here, and why in words."""
        if self.audited.outcome == "refuted":
            return "bad", "The claim does not hold: an audit refutes it"
        if self.statement.failing:
            return "bad", "Something that the guarantee rests on does not hold"
        if self.answer.strength is Strength.NONE:
            return "bad", "Nothing is guaranteed"
        if self.answer.strength is Strength.WEAK:
            return "caution", "The guarantee is weak: it rests on the attacks tried"
        if any(a.status == "unknown" for a in self.statement.assumptions):
            return "caution", "Some of what the guarantee rests on can't be known from the log"
        return "good", "Every assumption holds for this run"

    def iterate_tiles(self) -> Iterator[Block]:
        """Up to three metrics of each side, for the top of the page."""
        values = [value for value in self.run.values if value.name != "epsilon"]
        sides = ([v for v in values if v.side == side][:3] for side in ("privacy", "utility"))
        if rows := [_value_row(value) for side in sides for value in side]:
            yield TilesBlock(rows)

    def iterate_changes(self) -> Iterator[Block]:
        if counts := self.run.release.changes:
            rows = [ReportRow(words_of(name), format_number(n)) for name, n in counts.items()]
            yield FactsBlock(("What the method changed", "Count"), rows)

    @cached_property
    def attacks(self) -> list[list[str]]:
        """Rows of a table: each attack's success, beside what is stated, guessing and control."""
        rows = []
        for attack in self.record.made_attacks:
            bound, control = stated_bound(self.record, attack), attack.control
            low, high = attack.interval or (attack.rate, attack.rate)
            hits, trials = attack.counts or (0.0, 0.0)
            qualifier = "" if hits == round(hits) else "about "  # ties were broken by chance
            rows.append([
                f"{attack.title}\n{attack.label}",
                format_share(attack.rate),
                "" if attack.counts is None else f"{qualifier}{round(hits):,} of {round(trials):,}",
                f"{format_share(low)} to {format_share(high)}",
                "none" if bound is None else format_share(bound),
                format_share(attack.baseline),
                "none" if control is None else format_share(control),
            ])  # fmt: skip
        return rows

    def iterate_curves(self) -> Iterator[Block]:
        draw = self.run.plan.what.curves
        curves = draw(self.run.plan.params, len(self.log.users)) if draw else ()
        yield from self._select_pictures(curves)

    def iterate_parts(self, level: int, *, names: bool) -> Iterator[Block]:
        """What each measure and attack found; with the `names` of its metrics, or without."""
        parts: list[tuple[Registry[Any], str, MeasureResult | AttackResult]]
        parts = [(MEASURES, part.measure, part) for part in self.run.measures]
        parts += [(ATTACKS, part.attack, part) for part in self.run.attacks]
        for registry, name, part in parts:
            entry = registry[name] if name in registry else None  # noqa: SIM401  no mapping
            yield HeadingBlock(level, entry.title if entry else name)
            if entry and entry.summary:
                yield TextBlock(entry.summary)
            if part.values:
                rows = [_value_row(value, with_name=names) for value in part.values]
                yield FactsBlock(("Figure", "Value"), rows)
            yield from self._select_pictures(part.figures)
            yield from (make_table(item) for item in part.tables if self.inside or not item.private)
            yield from (TextBlock(note, "note") for note in part.notes)

    def _select_pictures(self, figures: Iterable[Figure]) -> Iterator[Block]:
        return (PictureBlock(figure) for figure in figures if self.inside or not figure.private)

    def iterate_sessions(self) -> Iterator[Block]:
        """Flagged sessions of the log, the riskiest first; none outside."""
        if not self.inside or not isinstance(self.log, QueryLog):
            return
        log = self.log
        for attack in self.run.attacks:
            findings = attack.findings
            if findings is None or not len(findings):
                continue
            for index in np.argsort(-findings.risk, kind="stable")[:EXAMPLES].tolist():
                start, stop = int(findings.start[index]), int(findings.stop[index])
                codes = list(dict.fromkeys(log.query[start:stop].tolist()))[:30]
                decided = findings.decided is not None
                yield SessionBlock(
                    user=log.users[int(log.user[start])],
                    when=str(np.datetime64(int(log.time[start]), "s")).replace("T", " "),
                    risk=format_number(float(findings.risk[index])),
                    reasons=main_reasons(findings.list_reasons(index), decided=decided),
                    queries=[
                        (
                            _cut_pieces(log.queries[code], findings.list_marks(code)),
                            bool(findings.survives[code]),
                        )
                        for code in codes
                    ],
                )

    @property
    def period(self) -> str:
        """The months of the log."""
        # The months that a log spans; its days would tell when its first and last event was.
        period = getattr(self.log, "period", None)
        if period is None:
            return "not known"
        first, last = (datetime.fromtimestamp(time, UTC).strftime("%B %Y") for time in period)
        return first if first == last else f"{first} to {last}"


def attack_figure(attacks: Sequence[AttackResult]) -> Figure | None:
    """Each attack's success beside guessing and the control group, or None for fewer than two."""
    if len(attacks) < 2:
        return None
    places = np.arange(len(attacks), dtype=np.float64)

    def collect_row(pick: Any) -> Any:
        values = [pick(attack) for attack in attacks]
        return np.array([math.nan if v is None else v for v in values], dtype=np.float64)

    series = [
        Series(
            "attack",
            places,
            collect_row(lambda a: a.rate),
            "points",
            low=collect_row(lambda a: a.interval[0]),
            high=collect_row(lambda a: a.interval[1]),
        ),
        Series("guessing", places, collect_row(lambda a: a.baseline), "points"),
    ]
    if any(attack.control is not None for attack in attacks):
        series.append(
            Series("people not in the log", places, collect_row(lambda a: a.control), "points")
        )
    return Figure(
        "attacks",
        "What attackers achieve, and what guessing would give",
        Axis("attack", categories=tuple(title_of(attack.attack) for attack in attacks)),
        Axis("success rate", unit=SHARE),
        tuple(series),
        note="Whiskers are 95 % intervals.",
    )


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


def _value_row(value: MetricValue, *, with_name: bool = True) -> ReportRow:
    better = {"higher": "more is better", "lower": "less is better"}.get(value.better, "")
    name = value.name if with_name else ""
    return ReportRow(value.label, format_measured(value), value.help, name, better)


def number_rows(statement: Statement) -> list[ReportRow]:
    rows = []
    if statement.epsilon is not None:
        finite = math.isfinite(statement.epsilon)
        rows.append(ReportRow("ε", format_number(statement.epsilon) if finite else "no finite ε"))
    if statement.delta is not None:
        rows.append(ReportRow("δ", format_number(statement.delta)))
    if statement.tight_epsilon is not None:
        label = "ε by tighter accounting, same δ"
        rows.append(
            ReportRow(label, format_number(statement.tight_epsilon), help=statement.tight_note)
        )
    rows += [ReportRow(words_of(name), format_number(v)) for name, v in statement.measured.items()]
    return rows


def params_rows(result: Run) -> list[ReportRow]:
    params = result.plan.params
    secrets = params.list_secrets()
    return [
        ReportRow(spec.label, _format_parameter(params, spec), help=spec.help, name=spec.name)
        for spec in params.specs()
        if spec.name not in secrets and params.matters(spec.name)
    ]


def _format_parameter(params: Params, spec: ParamSpec) -> str:
    value = getattr(params, spec.name)
    if value is None:
        return spec.optional or "none"
    match spec.kind:
        case ParamKind.FLAG:
            return "yes" if value else "no"
        case ParamKind.CHOICE:
            return next(option.label for option in spec.options if option.value == value)
        case ParamKind.PATH:
            return str(value.name)
    unit = name_unit(value, spec.unit)
    return format_number(value) + (f"\u00a0{unit}" if unit else "")


def released_rows(result: Run) -> list[ReportRow]:
    release = result.release
    if release.log is not None:
        log = release.log
        owners = "Users"
        if result.plan.what.hides == "bundles":
            owners = "Bundles"
        elif release.truth is not None and release.truth.gives_several:
            owners = "Ids"
        has_owners = len(log.users) != 1 or log.users.list_strings() != [NO_USER]
        return [
            ReportRow("Rows", format_number(len(log))),
            *([ReportRow(owners, format_number(len(log.users)))] if has_owners else []),
            ReportRow("Distinct queries", format_number(len(log.queries))),
            ReportRow("Clicks", format_number(log.clicks)),
        ]
    names = {
        "queries.tsv": "Queries with counts",
        "clicks.tsv": "Query and clicked address",
        "transitions.tsv": "Query followed by query",
        "log.tsv": "Rows",
        "dated.tsv": "Query by date",
        "n-grams.tsv": "n-grams with weights",
        "cells.tsv": "Cells",
    }
    if isinstance(release.content, DistributedProduct):
        sizes = dict(release.content.rows)
    else:
        assert release.tables is not None
        sizes = {sheet.file: len(sheet) for sheet in release.tables.list_sheets()}
    errors, listed = find_count_errors(release), []
    for file, size in sizes.items():
        error = f", each count ± {format_number(errors[file])}" if file in errors else ""
        listed.append(ReportRow(names[file], f"{format_count(size, 'row')}{error}", name=file))
    return listed


def columns_rows(result: Run) -> list[ReportRow]:
    """The columns of each file; nothing of files that were never in memory."""
    release = result.release
    if release.log is not None:
        log = release.log
        names = tsv_heading(
            False, ip=log.ip is not None, cookie=log.cookie is not None, attributes=log.attributes
        )
        return [ReportRow("log.tsv", ", ".join(names))]
    if release.tables is None:
        return []
    return [ReportRow(s.file, ", ".join(s.heading)) for s in release.tables.list_sheets()]


def _cut_pieces(text: str, marks: Sequence[tuple[int, int, str]]) -> list[tuple[str, str]]:
    """The text cut at its marks; where marks overlap, the first one counts."""
    pieces, offset = [], 0
    for start, stop, reason in sorted(marks):
        start = max(start, offset)
        if start >= stop or start >= len(text):
            continue
        pieces += [(text[offset:start], "")] if start > offset else []
        pieces.append((text[start:stop], reason))
        offset = min(stop, len(text))
    return [*pieces, (text[offset:], "")] if offset < len(text) else pieces
