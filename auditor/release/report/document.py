"""The report as blocks, in order: what every writer writes, each in its own form.

`auditor.release.report.view` says what is known of a run, this module in which order and under
which headings it is told. Writers (HTML, PDF) know blocks and nothing of runs. All text is plain.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from auditor.engine.run import Run
from auditor.messages import phrase
from auditor.privacy.statement import Statement
from auditor.release.feedback.sentences import feedback_sentences
from auditor.release.guarantee import say_counted_unit
from auditor.release.record import ReleaseRecord, title_of
from auditor.release.report.blocks import (
    Block,
    FactsBlock,
    GateRows,
    GatesBlock,
    HeadingBlock,
    PictureBlock,
    ReportDocument,
    ReportRow,
    Side,
    TableBlock,
    TextBlock,
    VerdictBlock,
)
from auditor.release.report.formatting import cell_text, format_number
from auditor.release.report.view import (
    ReportedRun,
    attack_figure,
    number_rows,
    params_rows,
    released_rows,
)
from auditor.release.verdict import ReleaseState

INTERNAL = "Internal edition: it shows text of the original log. Do not pass it on."
FULL = (
    "Full report: it shows figures computed from the original log, which no statement covers, and "
    "no text of it. It stays with those who hold the log."
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
    """The internal edition: verdict, failed checks, exposed sessions, and all evidence.

    `facts` is the release's evidence.
    """
    title = f"Privacy report: {view.title}"
    return ReportDocument(title, "internal", list(_iterate_report(title, view, facts)))


def _iterate_report(title: str, view: ReportedRun, facts: Mapping[str, Any]) -> Iterator[Block]:
    yield TextBlock(INTERNAL, "banner")
    yield HeadingBlock(1, title)
    yield from made_blocks(facts)
    if view.preview:
        yield TextBlock(view.preview, "banner")
    yield write_summary(view)
    yield from gate_blocks(view.record, inside=True)
    yield from session_blocks(view, 2)
    if facts.get("dismissed"):
        yield from dismissal_blocks(facts["dismissed"])
    yield from feedback_blocks(view.record)
    yield from run_blocks(view, 2, sessions=False)
    yield from write_reading_section(facts)


def made_blocks(facts: Mapping[str, Any]) -> Iterator[Block]:
    """When a release was made, who reviewed it, and what it is for."""
    made = str(facts["created"]).replace("T", " ").replace("Z", " UTC")
    by = f" · reviewed by {facts['reviewer']}" if facts.get("reviewer") else ""
    yield TextBlock(f"Made {made}{by}", "faint")
    if facts.get("comment"):
        yield TextBlock(str(facts["comment"]))


# --- what a manager reads ---------------------------------------------------------------------


def write_summary(view: ReportedRun) -> VerdictBlock:
    """Whether it may go out, what is kept, what is promised, and what attackers achieve."""
    if view.preview:
        why = "This is a preview: its noise came from a seed, and it can't be released."
        return VerdictBlock("bad", "Summary", view.preview, (why,))
    answer = view.answer
    sentences = [*answer.sentences]
    if not answer.applicable:
        sentences[0] = "No policy has judged it, so nothing says that it may be passed on."
    elif failed := [*answer.failed, *answer.not_run]:
        names = "; ".join(f"“{one.gate.title}”" for one in failed)
        sentences.insert(1, f"Not passed by the policy “{answer.policy}”: {names}.")
    else:
        sentences.insert(1, "The signed manifest says who approved it.")
    return VerdictBlock(
        side_of(answer.state, unreserved=answer.unreserved),
        "Summary",
        answer.title,
        tuple(sentences),
    )


def side_of(state: ReleaseState, *, unreserved: bool) -> Side:
    """The colour of an answer: a weak guarantee and an overridden check are no green."""
    if state is ReleaseState.RELEASABLE:
        return "good" if unreserved else "caution"
    return "caution" if state is ReleaseState.NOT_CHECKED else "bad"


# --- the evidence -----------------------------------------------------------------------------


def gate_blocks(record: ReleaseRecord, *, inside: bool) -> Iterator[Block]:
    """The checks, those first that are not passed; the internal edition names what they look at."""
    if (policy := record.policy) is None:
        return
    judged = sorted(record.judged, key=lambda one: _ORDER.get(one.verdict, 0))
    missed = sum(not one.ok for one in judged)
    yield HeadingBlock(
        2, f"✗ Checks that are not passed: {missed}" if missed else "✓ Every check is passed"
    )
    note = f" {policy.note}" if policy.note else ""
    digest = f" {policy.sha256}" if inside else ""
    yield TextBlock(f"Policy: {policy.name}{digest}.{note}")
    rows = [
        GateRows(
            one.gate.title,
            f"{one.gate.figure} {one.gate.wanted}" if inside else f"wanted: {one.gate.wanted}",
            one.evidence if inside else "",
            *BADGES.get(one.verdict, ("bad", f"✗ {one.verdict}")),
        )
        for one in judged
    ]
    yield GatesBlock(("Check", "Result"), rows)


def feedback_blocks(record: ReleaseRecord) -> Iterator[Block]:
    """A steward's feedback on the detector, and what checks count with and without it."""
    lines = feedback_sentences(record.feedback)
    for one in record.judged:
        if one.counts is not None:
            before, after = (cell_text(int(count)) for count in one.counts)
            lines.append(
                f"{one.gate.title}: {before} without signed dismissals and weights of rules, "
                f"{after} with them; the check is {one.verdict}."
            )
    if lines:
        yield HeadingBlock(2, "Feedback on the detector")
        yield from map(TextBlock, lines)


def dismissal_blocks(said: Mapping[str, Any]) -> Iterator[Block]:
    """What somebody did with flagged sessions: counts and fixed reasons, nobody's words."""
    yield HeadingBlock(2, "Flagged sessions, looked at by hand")
    if said.get("sessions"):
        why = "; ".join(
            f"{cell_text(number)} {reason}" for reason, number in said["reasons"].items()
        )
        told = f"Dismissed by hand: {cell_text(said['sessions'])} ({why})."
        if said.get("surviving"):
            told += f" Of {cell_text(said['surviving'])} of them something stands in the release."
        yield TextBlock(
            f"{told} They lower a check's count only where they are signed and the policy lets "
            "them; both counts stand with the check."
        )
    if said.get("noted"):
        yield TextBlock(
            f"With notes of somebody, which stay in the project: {cell_text(said['noted'])}."
        )


def run_blocks(view: ReportedRun, level: int, *, sessions: bool = True) -> Iterator[Block]:
    """Everything of one run; headings begin at `level`."""
    claim = view.statement.claim
    yield VerdictBlock(*view.verdict, view.headline, (claim,))
    if view.empty:
        nothing = "The release is empty: nothing in the log passed these settings."
        yield TextBlock(nothing, "banner")
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


def statement_blocks(said: Statement, level: int) -> Iterator[Block]:
    """What is guaranteed, on what it rests, and how its numbers come about."""
    yield HeadingBlock(level, "What is guaranteed, and on what it rests")
    model = said.model if said.model != "none" else "no formal guarantee"
    text = f"Model: {model}. Protected: {said.unit}."
    if said.neighbours:
        text += f" Logs that must not be told apart: {said.neighbours}."
    if said.user_column is not None:
        text += f" {said.user_column.text}"
    yield TextBlock(text)
    if numbers := number_rows(said):
        yield FactsBlock(("Figure", "Value"), numbers)
    if said.assumptions:
        rows = [
            GateRows(
                one.name,
                one.text,
                one.evidence
                or (phrase("decided at {decided}", decided=one.decided) if one.decided else ""),
                *BADGES[one.status],
            )
            for one in said.assumptions
        ]
        yield GatesBlock(("Assumption", "Here"), rows)
    if said.terms:
        cells = [
            [one.name, one.formula, format_number(one.epsilon), format_number(one.delta)]
            for one in said.terms
        ]
        heads = ("Pays for", "By", "ε", "δ")
        numeric = (False, False, True, True)
        yield TableBlock("How the sum comes about", heads, cells, numeric, mono=frozenset({1}))


def attack_blocks(view: ReportedRun, level: int, *, drawn: bool = True) -> Iterator[Block]:
    """Each attack's success beside guessing, as a table and, if it is to be `drawn`, as a plot."""
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
    figure = attack_figure(view.run.attacks) if drawn else None
    if figure is not None:
        yield PictureBlock(figure)


def measured_blocks(view: ReportedRun, level: int, *, names: bool = True) -> Iterator[Block]:
    """What each measure and attack found; with the `names` of its metrics, or without."""
    yield HeadingBlock(level, "What was measured")
    parts = [*view.iterate_parts(level + 1, names=names)]
    yield from parts or [TextBlock("Nothing was measured in this run.", "faint")]
    if skipped := view.run.skipped:
        rows = [ReportRow(title_of(name), why) for name, why in skipped.items()]
        yield FactsBlock(("Not done", "Why"), rows)


# --- the rest ---------------------------------------------------------------------------------


def note_blocks(facts: Mapping[str, Any]) -> Iterator[Block]:
    """How the section on reading a release begins: what it holds back."""
    yield HeadingBlock(2, "How to check and read this release")
    if facts.get("note"):
        yield TextBlock(str(facts["note"]))
    if facts.get("withheld"):
        kept = ", ".join(facts["withheld"])
        yield TextBlock(
            f"Parameters that are kept secret and stand nowhere in this release: {kept}."
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
    told = facts.get("input", {})
    rows = []
    for name, what in (("digest", "digest"), ("keyed_digest", "keyed digest")):
        rows += [[f"Original log, {what} of its content", told[name]]] if name in told else []
    if sample := told.get("sample"):
        text = f"{sample['users']:,} of {sample['of']:,} users, a coin for each. {sample['error']}"
        rows.append(["Sample of the original log", text])
    for file in told.get("files", ()):
        shown = file.get("keyed_sha256") or file.get("sha256", "no digest was kept")
        rows.append([f"Original file {file['name']}, keyed SHA-256", shown])
    rows += [[name, version] for name, version in facts["versions"].items()]
    heads, mono = ("What", "Digest or version"), frozenset({1})
    yield TableBlock("Made from and with", heads, rows, (False, False), mono=mono)
