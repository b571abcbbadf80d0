"""The reports as blocks, in order: what every writer writes, each in its own form.

What is known of the run is read from its record; writers (HTML, PDF) know blocks and nothing of
runs. All text is plain.

The *internal* report shows text of the log. The *full* report stays inside, too: three pages in
plain words (what is released, for what, what is guaranteed, what risk remains), then a data sheet
and an annex; no digest, no path and no text of the original log stands in it. The *public* report
and the data sheet are what a recipient needs, from the manifest alone.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Any, TypeVar

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
from auditor.messages import join_phrases, phrase
from auditor.methods.released_ids import NO_USER
from auditor.params import ParamKind, Params, ParamSpec
from auditor.privacy.release import DATA_TABLES, DistributedProduct, Preview
from auditor.privacy.statement import Statement
from auditor.registry import Registry
from auditor.release.feedback import feedback_sentences
from auditor.release.guarantee import Strength, meaning_of, say_counted_unit
from auditor.release.kept_content import describe_errors, find_count_errors
from auditor.release.loading import statement_of
from auditor.release.manifest import LOGS
from auditor.release.officer import answer_officer
from auditor.release.record import ReleaseRecord, title_of
from auditor.release.report.blocks import (
    Block,
    Edition,
    FactsBlock,
    GateRows,
    GatesBlock,
    HeadingBlock,
    PictureBlock,
    ReportDocument,
    ReportRow,
    SessionBlock,
    Side,
    TableBlock,
    TextBlock,
    TilesBlock,
    VerdictBlock,
    cell_text,
    format_measured,
    format_number,
    make_table,
    words_of,
)
from auditor.release.verdict import (
    ReleaseState,
    ReleaseVerdict,
    describe_checks,
    measured_verdict,
    stated_bound,
)

Shown = TypeVar("Shown", Figure, Table)

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
        return measured_verdict(self.record)

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
        yield from map(PictureBlock, self.select(curves))

    def select(self, parts: Iterable[Shown]) -> Iterator[Shown]:
        """The figures or tables that this edition shows."""
        return (part for part in parts if self.edition == "internal" or not part.private)

    def iterate_sessions(self) -> Iterator[Block]:
        """Flagged sessions of the log, the riskiest first; none outside."""
        log = self.log
        if self.edition != "internal" or not isinstance(log, QueryLog):
            return
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
    rows = [(a.rate, *a.interval, a.baseline, a.control) for a in attacks]
    rate, low, high, baseline, control = np.array(rows, dtype=np.float64).T  # None becomes NaN
    series = [
        Series("attack", places, rate, "points", low=low, high=high),
        Series("guessing", places, baseline, "points"),
    ]
    if any(attack.control is not None for attack in attacks):
        series.append(Series("people not in the log", places, control, "points"))
    return Figure(
        "attacks",
        "What attackers achieve, and what guessing would give",
        Axis("attack", categories=tuple(title_of(attack.attack) for attack in attacks)),
        Axis("success rate", unit=SHARE),
        tuple(series),
        note="Whiskers are 95 % intervals.",
    )


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
    if (tight := statement.tight_epsilon) is not None:
        label, note = "ε by tighter accounting, same δ", statement.tight_note
        rows.append(ReportRow(label, format_number(tight), help=note))
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
    if (log := release.log) is not None:
        owners = "Users"
        if result.plan.what.hides == "bundles":
            owners = "Bundles"
        elif release.truth is not None and release.truth.gives_several:
            owners = "Ids"
        sizes = {"Rows": len(log), owners: len(log.users)}
        sizes |= {"Distinct queries": len(log.queries), "Clicks": log.clicks}
        if len(log.users) == 1 and log.users.list_strings() == [NO_USER]:
            del sizes[owners]
        return [ReportRow(label, format_number(size)) for label, size in sizes.items()]
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
    if (log := release.log) is not None:
        more = {"ip": log.ip is not None, "cookie": log.cookie is not None}
        names = tsv_heading(False, **more, attributes=log.attributes)
        return [ReportRow("log.tsv", ", ".join(names))]
    sheets = release.tables.list_sheets() if release.tables is not None else ()
    return [ReportRow(sheet.file, ", ".join(sheet.heading)) for sheet in sheets]


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


# --- the reports --------------------------------------------------------------------------------


INTERNAL = "Internal edition: it shows text of the original log. Do not pass it on."
FULL = (
    "Full report: it shows figures computed from the original log, which no statement covers, and "
    "no text of it. It stays with those who hold the log."
)
CHECKING = (
    "To check that these are the files that were released, and by whom: auditor verify FOLDER "
    "--public-key KEY.pub, with a key that reached you another way than this folder. Without this "
    "program, with sha256sum and openssl, as the guide's page on checking a release says."
)
EMPTY = "The release is empty: nothing in the log passed these parameters."
NOT_MEANT = "finding out who somebody is, or joining it with other data about people"
UNSTATED = "not stated"
APPROVAL = (
    "the signed manifest names who approved it (auditor verify, with a key that reached you "
    "another way); without a signature nobody has"
)
BADGES: Mapping[str, tuple[Side, str]] = {
    "holds": ("good", "✓ holds"),
    "fails": ("bad", "✗ fails"),
    "unknown": ("caution", "? not known"),
    "passed": ("good", "✓ passed"),
    "attested": ("caution", "○ attested, not measured"),
    "does not apply": ("caution", "– does not apply"),
}

_ORDER = {"attested": 1, "passed": 2, "does not apply": 3}
"""Where checks stand that nobody has to look at."""


def internal_report(view: ReportedRun, facts: Mapping[str, Any]) -> ReportDocument:
    """Verdict, failed checks, exposed sessions, and the release's evidence (`facts`)."""
    title = f"Privacy report: {view.title}"
    blocks = [
        TextBlock(INTERNAL, "banner"),
        HeadingBlock(1, title),
        *made_blocks(facts),
        *([TextBlock(view.preview, "banner")] if view.preview else []),
        write_summary(view),
        *gate_blocks(view.record, is_internal=True),
        *session_blocks(view, 2),
        *dismissal_blocks(facts.get("dismissed", {})),
        *feedback_blocks(view.record),
        *run_blocks(view, 2, sessions=False),
        *write_reading_section(facts),
    ]
    return ReportDocument(title, "internal", blocks)


def made_blocks(facts: Mapping[str, Any]) -> Iterator[Block]:
    """When a release was made, who reviewed it, and what it is for."""
    time = str(facts["created"]).replace("T", " ").replace("Z", " UTC")
    by = f" · reviewed by {facts['reviewer']}" if facts.get("reviewer") else ""
    yield TextBlock(f"Made {time}{by}", "faint")
    if facts.get("comment"):
        yield TextBlock(str(facts["comment"]))


def write_summary(view: ReportedRun) -> VerdictBlock:
    """Whether it may go out, what is kept, what is promised, and what attackers achieve."""
    if view.preview:
        reason = "This is a preview: its noise came from a seed, and it can't be released."
        return VerdictBlock("bad", "Summary", view.preview, (reason,))
    answer = view.answer
    sentences = list(answer.sentences)
    if view.record.policy is None:
        sentences[0] = "No policy has judged it, so nothing says that it may be passed on."
    elif failed := [*answer.failed, *answer.not_run]:
        names = "; ".join(f"“{check.gate.title}”" for check in failed)
        sentences.insert(1, f"Not passed by the policy “{answer.policy}”: {names}.")
    else:
        sentences.insert(1, "The signed manifest says who approved it.")
    side = side_of(answer.state, unreserved=answer.unreserved)
    return VerdictBlock(side, "Summary", answer.title, tuple(sentences))


def side_of(state: ReleaseState, *, unreserved: bool) -> Side:
    """The colour of an answer: a weak guarantee and an overridden check are no green."""
    if state is ReleaseState.RELEASABLE:
        return "good" if unreserved else "caution"
    return "caution" if state is ReleaseState.NOT_CHECKED else "bad"


def gate_blocks(record: ReleaseRecord, *, is_internal: bool) -> Iterator[Block]:
    """The checks, those first that are not passed; the internal edition names what they look at."""
    if (policy := record.policy) is None:
        return
    checks = sorted(record.judged, key=lambda row: _ORDER.get(row.verdict, 0))
    missed = sum(not row.ok for row in checks)
    yield HeadingBlock(
        2, f"✗ Checks that are not passed: {missed}" if missed else "✓ Every check is passed"
    )
    note = f" {policy.note}" if policy.note else ""
    digest = f" {policy.sha256}" if is_internal else ""
    yield TextBlock(f"Policy: {policy.name}{digest}.{note}")
    rows = [
        GateRows(
            row.gate.title,
            f"{row.gate.figure} {row.gate.requirement}"
            if is_internal
            else f"wanted: {row.gate.requirement}",
            row.evidence if is_internal else "",
            *BADGES.get(row.verdict, ("bad", f"✗ {row.verdict}")),
        )
        for row in checks
    ]
    yield GatesBlock(("Check", "Result"), rows)


def feedback_blocks(record: ReleaseRecord) -> Iterator[Block]:
    """A steward's feedback on the detector, and what checks count with and without it."""
    lines = feedback_sentences(record.feedback)
    for check in record.judged:
        if check.counts is not None:
            before, after = (cell_text(int(count)) for count in check.counts)
            lines.append(
                f"{check.gate.title}: {before} without signed dismissals and weights of rules, "
                f"{after} with them; the check is {check.verdict}."
            )
    if lines:
        yield HeadingBlock(2, "Feedback on the detector")
        yield from map(TextBlock, lines)


def dismissal_blocks(counts: Mapping[str, Any]) -> Iterator[Block]:
    """What somebody did with flagged sessions: counts and fixed reasons, nobody's words."""
    if not counts:
        return
    yield HeadingBlock(2, "Flagged sessions, looked at by hand")
    if counts.get("sessions"):
        reasons_text = "; ".join(
            f"{cell_text(number)} {reason}" for reason, number in counts["reasons"].items()
        )
        text = f"Dismissed by hand: {cell_text(counts['sessions'])} ({reasons_text})."
        if counts.get("surviving"):
            text += f" Of {cell_text(counts['surviving'])} of them something stands in the release."
        yield TextBlock(
            f"{text} They lower a check's count only where they are signed and the policy lets "
            "them; both counts stand with the check."
        )
    if counts.get("noted"):
        yield TextBlock(
            f"With notes of somebody, which stay in the project: {cell_text(counts['noted'])}."
        )


def run_blocks(view: ReportedRun, level: int, *, sessions: bool = True) -> Iterator[Block]:
    """Everything of one run; headings begin at `level`."""
    claim = view.statement.claim
    yield VerdictBlock(*view.verdict, view.headline, (claim,))
    if view.empty:
        yield TextBlock(EMPTY, "banner")
    yield from view.iterate_tiles()
    yield from content_blocks(view.run, view.statement, level)
    yield from view.iterate_changes()
    yield from statement_blocks(view.statement, level)
    yield from view.iterate_curves()
    yield HeadingBlock(level, "How it was set")
    yield FactsBlock(("Parameter", "Value"), params_rows(view.run))
    yield from attack_blocks(view, level)
    yield from measured_blocks(view, level)
    if sessions:
        yield from session_blocks(view, level)


def content_blocks(result: Run, statement: Statement, level: int) -> Iterator[Block]:
    """What was released: how it was made, what it counts, and how large its parts are."""
    yield HeadingBlock(level, "What was released")
    yield TextBlock(result.plan.what.summary)
    if note := say_counted_unit(statement):
        yield TextBlock(note)
    yield FactsBlock(("Part", "Size"), released_rows(result))


def session_blocks(view: ReportedRun, level: int) -> Iterator[Block]:
    """Flagged sessions; the internal edition alone has any."""
    if sessions := [*view.iterate_sessions()]:
        yield HeadingBlock(level, "Sessions at risk")
        yield TextBlock(
            "The sessions of the original log that point most clearly at a person. Marked words "
            "are why; a query that stands verbatim in the release is said to survive."
        )
        yield from sessions


def statement_blocks(statement: Statement, level: int) -> Iterator[Block]:
    """What is guaranteed, on what it rests, and how its numbers come about."""
    yield HeadingBlock(level, "What is guaranteed, and on what it rests")
    model = statement.model if statement.model != "none" else "no formal guarantee"
    text = f"Model: {model}. Protected: {statement.unit}."
    if statement.neighbours:
        text += f" Logs that must not be told apart: {statement.neighbours}."
    if statement.user_column is not None:
        text += f" {statement.user_column.text}"
    yield TextBlock(text)
    if numbers := number_rows(statement):
        yield FactsBlock(("Figure", "Value"), numbers)
    rows = []
    for item in statement.assumptions:
        decided = phrase("decided at {decided}", decided=item.decided) if item.decided else ""
        rows.append(GateRows(item.name, item.text, item.evidence or decided, *BADGES[item.status]))
    if rows:
        yield GatesBlock(("Assumption", "Here"), rows)
    if statement.terms:
        cells = [
            [term.name, term.formula, format_number(term.epsilon), format_number(term.delta)]
            for term in statement.terms
        ]
        heads = ("Pays for", "By", "ε", "δ")
        numeric = (False, False, True, True)
        yield TableBlock("How the sum comes about", heads, cells, numeric, mono=frozenset({1}))


def attack_blocks(view: ReportedRun, level: int, *, with_figures: bool = True) -> Iterator[Block]:
    """Each attack's success beside guessing, as a table and, `with_figures`, as a plot."""
    if not view.attacks:
        return
    yield HeadingBlock(level, "What attackers still achieve")
    heads = ("Attack", "Success", "Hits", "95 % interval", "Stated at most", "Guessing", "Control")
    yield TableBlock("", heads, view.attacks, (False, *[True] * 6))
    yield TextBlock(
        "Guessing is what somebody achieves who has not seen the release; control is the rate on "
        "people who are not in the log, where such a group exists.",
        "note",
    )
    figure = attack_figure(view.run.attacks) if with_figures else None
    if figure is not None:
        yield PictureBlock(figure)


def measured_blocks(view: ReportedRun, level: int, *, names: bool = True) -> Iterator[Block]:
    """What each measure and attack found; with the `names` of its metrics, or without."""
    yield HeadingBlock(level, "What was measured")
    parts: list[tuple[Registry[Any], str, MeasureResult | AttackResult]]
    parts = [(MEASURES, part.measure, part) for part in view.run.measures]
    parts += [(ATTACKS, part.attack, part) for part in view.run.attacks]
    if not parts:
        yield TextBlock("Nothing was measured in this run.", "faint")
    for registry, name, part in parts:
        entry = registry[name] if name in registry else None  # noqa: SIM401  no mapping
        yield HeadingBlock(level + 1, entry.title if entry else name)
        if entry and entry.summary:
            yield TextBlock(entry.summary)
        if part.values:
            rows = [_value_row(value, with_name=names) for value in part.values]
            yield FactsBlock(("Figure", "Value"), rows)
        yield from map(PictureBlock, view.select(part.figures))
        yield from map(make_table, view.select(part.tables))
        yield from (TextBlock(note, "note") for note in part.notes)
    if skipped := view.run.skipped:
        rows = [ReportRow(title_of(name), reason) for name, reason in skipped.items()]
        yield FactsBlock(("Not done", "Why"), rows)


def note_blocks(facts: Mapping[str, Any]) -> Iterator[Block]:
    """How the section on reading a release begins: what it holds back."""
    yield HeadingBlock(2, "How to check and read this release")
    if facts.get("note"):
        yield TextBlock(str(facts["note"]))
    if facts.get("withheld"):
        names = ", ".join(facts["withheld"])
        yield TextBlock(
            f"Parameters that are kept secret and stand nowhere in this release: {names}."
        )


def write_reading_section(facts: Mapping[str, Any]) -> Iterator[Block]:
    """How to check and read a release: its files, their form, and what it was made with."""
    yield from note_blocks(facts)
    if facts.get("files"):
        rows = [[name, digest] for name, digest in facts["files"].items()]
        heads, mono = ("Name", "SHA-256"), frozenset({0, 1})
        yield TableBlock("Files", heads, rows, (False, False), mono=mono)
    content = facts.get("content", {})
    if content.get("encoding"):
        text = f"Tables: {content['encoding']}. "
        if content.get("order"):
            text += f"Rows are ordered {content['order']}. "
        if content.get("formulas"):
            text += f"{str(content['formulas']).capitalize()}."
        else:
            text += "Everything else stands verbatim: open the files in a spreadsheet only as "
            text += "text, for a query may look like a formula."
        yield TextBlock(text)
    source = facts.get("input", {})
    rows = []
    for name, label in (("digest", "digest"), ("keyed_digest", "keyed digest")):
        rows += [[f"Original log, {label} of its content", source[name]]] if name in source else []
    if sample := source.get("sample"):
        text = f"{sample['users']:,} of {sample['of']:,} users, a coin for each. {sample['error']}"
        rows.append(["Sample of the original log", text])
    for file in source.get("files", ()):
        value = file.get("keyed_sha256") or file.get("sha256", "no digest was kept")
        rows.append([f"Original file {file['name']}, keyed SHA-256", value])
    rows += [[name, version] for name, version in facts["versions"].items()]
    heads, mono = ("What", "Digest or version"), frozenset({1})
    yield TableBlock("Made from and with", heads, rows, (False, False), mono=mono)


def public_report(result: Run, facts: Mapping[str, Any]) -> ReportDocument:
    """The report on a release whose manifest is `facts`; nothing in it was measured on the log."""
    title = f"About this release: {result.plan.what.title}"
    blocks = [HeadingBlock(1, title), *made_blocks(facts), _make_summary(facts)]
    blocks += content_blocks(result, result.release.statement, 2)
    if "sample" in facts:
        share = format_share(float(facts["sample"]["share"]))
        text = (
            f"It was made from a sample: each user of the log was in it with a chance of {share}, "
            "by a coin for each, so counts are of about that share of the users."
        )
        blocks.append(TextBlock(text))
    statement = statement_of(facts["statement"])
    heading, *other_blocks = statement_blocks(statement, 2)
    blocks += [heading, TextBlock(statement.claim), *other_blocks, HeadingBlock(2, "Parameters")]
    blocks.append(FactsBlock(("Parameter", "Value"), params_rows(result)))
    return ReportDocument(
        title, "public", [*blocks, *write_reading_section(facts), TextBlock(CHECKING)]
    )


def data_sheet_page(result: Run, facts: Mapping[str, Any]) -> ReportDocument:
    """One page for whoever uses the data: what they are, what is guaranteed, what to know."""
    title = f"Data sheet: {result.plan.what.title}"
    table = make_pairs_table("", sheet_rows(result, statement_of(facts["statement"]), facts))
    blocks: list[Block] = [HeadingBlock(1, title), _make_summary(facts), table]
    return ReportDocument(title, "public", [*blocks, TextBlock(CHECKING, "note")])


def sheet_rows(
    result: Run, statement: Statement, facts: Mapping[str, Any]
) -> list[tuple[str, str]]:
    """What a user of the data has to know; what does not apply has no text."""
    method = result.plan.what
    unknown = [item.name for item in statement.assumptions if item.status == "unknown"]
    return [
        ("Made", str(facts["created"])[:10]),
        ("Reviewed by", str(facts.get("reviewer", ""))),
        ("Meant for", str(facts.get("comment", ""))),
        ("Not meant for", NOT_MEANT),
        ("What it holds", describe_sizes(result)),
        ("Files", ", ".join(sorted({*LOGS, *DATA_TABLES}.intersection(facts["files"])))),
        *((f"Columns of {row.label}", row.value) for row in columns_rows(result)),
        ("How exact its counts are", describe_errors(result.release)),
        ("How it was made", method.summary),
        ("What a user is here", say_counted_unit(statement)),
        ("Guarantee", meaning_of(statement).sentence),
        ("Whom it protects", describe_protection(statement)),
        ("Does not hold here", "; ".join(f"{a.name}: {a.text}" for a in statement.failing)),
        ("Nobody can check here", "; ".join(unknown)),
        ("Known weakness", method.weakness),
        ("How it is written", str(facts.get("content", {}).get("encoding", ""))),
    ]


def make_pairs_table(title: str, rows: Iterable[tuple[str, str]]) -> TableBlock:
    """Names with a text each, where there is one."""
    cells = [[name, text] for name, text in rows if text]
    return TableBlock(title, ("", ""), cells, (False, False))


def describe_sizes(result: Run) -> str:
    """The parts of a release and how large each is, as a sentence's beginning."""
    text = ", ".join(f"{row.label.lower()}: {row.value}" for row in released_rows(result))
    return text[:1].upper() + text[1:]


def describe_protection(statement: Statement) -> str:
    """Whom it protects, and by which column of the log."""
    column = statement.user_column
    return f"{statement.unit}. {column.text}" if column is not None else statement.unit


def _make_summary(facts: Mapping[str, Any]) -> VerdictBlock:
    verdict = facts.get("verdict", {})
    state = ReleaseState(verdict.get("state", ReleaseState.NOT_CHECKED.value))
    strong = str(verdict.get("strength")) in (Strength.MODERATE.key, Strength.STRONG.key)
    side = side_of(state, unreserved=strong and not verdict.get("overridden"))
    title = str(verdict.get("title", ReleaseState.NOT_CHECKED.title))
    sentences = [meaning_of(statement_of(facts["statement"])).sentence]
    if checks := verdict.get("checks"):
        by = f"Judged by the policy “{verdict.get('policy', '')}” when it was made"
        sentences.insert(0, f"{by}: {describe_checks(checks)}.")
    return VerdictBlock(side, "Verdict", title, tuple(filter(None, sentences)))


def full_report(view: ReportedRun, facts: Mapping[str, Any]) -> ReportDocument:
    """The full report of one run; `facts` is the release's manifest."""
    title = f"Full report: {view.title}"
    return ReportDocument(title, "full", [HeadingBlock(1, title), *_iterate_full(view, facts)])


def _iterate_full(view: ReportedRun, facts: Mapping[str, Any]) -> Iterator[Block]:
    yield TextBlock(FULL, "banner")
    yield TextBlock(f"Made {str(facts['created'])[:10]}", "faint")
    if view.preview:
        yield TextBlock(view.preview, "banner")
    if view.empty:
        yield TextBlock(EMPTY, "banner")
    yield write_summary(view)
    fact_rows = [
        ("Purpose and recipient", str(facts.get("comment") or UNSTATED)),
        ("Period of the log", view.period),
        ("What is released", f"{describe_sizes(view.run)}. {view.run.plan.what.summary}"),
        ("Whom it protects", describe_protection(view.statement)),
        ("Reviewed by", str(facts.get("reviewer") or UNSTATED)),
        ("Approval", APPROVAL),
    ]
    yield make_pairs_table("", fact_rows)
    yield HeadingBlock(2, "For the data protection officer")
    answers = [
        [f"{item.question}\n{item.source}", item.finding, "\n".join((item.answer, *item.evidence))]
        for item in answer_officer(view.record, str(facts.get("comment") or ""))
    ]
    heads = ("Question and source", "Finding", "Answer, and what it rests on")
    yield TableBlock("", heads, answers, (False,) * 3)
    yield HeadingBlock(2, "What is guaranteed")
    yield TextBlock(meaning_of(view.statement).sentence, "lead")
    yield VerdictBlock(*view.verdict, view.headline, (view.statement.claim,))
    yield from _iterate_risks(view)
    yield HeadingBlock(2, "Data sheet", new_page=True)
    rows = sheet_rows(view.run, view.statement, facts)
    yield make_pairs_table("", [("Source", f"a query log of {view.period}"), *rows])
    yield HeadingBlock(2, "Annex", new_page=True)
    yield TextBlock("For those who check the claims: every figure and parameter behind them.")
    yield from view.iterate_tiles()
    yield from view.iterate_changes()
    yield from statement_blocks(view.statement, 2)
    yield from view.iterate_curves()
    yield from gate_blocks(view.record, is_internal=False)
    yield from dismissal_blocks(facts.get("dismissed", {}))
    yield from feedback_blocks(view.record)
    yield HeadingBlock(2, "Parameters")
    yield FactsBlock(("Parameter", "Value"), params_rows(view.run))
    if (figure := attack_figure(view.run.attacks)) is not None:
        yield PictureBlock(figure)
    yield from measured_blocks(view, 2, names=False)
    yield from note_blocks(facts)
    yield TextBlock(
        "The manifest lists every file with its digest: auditor verify FOLDER compares them."
    )
    rows = [(name, str(version)) for name, version in facts["versions"].items()]
    yield make_pairs_table("Made with", rows)


def _iterate_risks(view: ReportedRun) -> Iterator[Block]:
    yield HeadingBlock(2, "Risks that remain")
    heads = {"fails": "An assumption does not hold", "unknown": "An assumption cannot be checked"}
    rows = [
        (heads[status], f"{assumption.name}: {assumption.text}")
        for status in heads
        for assumption in view.statement.assumptions
        if assumption.status == status
    ]
    if not view.attacks and not view.empty:
        rows.append(("Attacks", "none was tried, so what attackers achieve is not known"))
    if rows:
        yield make_pairs_table("", rows)
    yield from attack_blocks(view, 3, with_figures=False)
