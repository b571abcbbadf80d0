"""The full report: three pages in plain words, then a data sheet and an annex; it stays inside.

The first pages say what is released, for what, what is guaranteed in plain words, and what risk
remains. No digest, no path of the program and no text of the original log stands in it; what was
computed from the original log is rounded unless somebody wants all digits.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from auditor.release.guarantee import meaning_of
from auditor.release.officer import answer_officer
from auditor.release.report.blocks import (
    Block,
    FactsBlock,
    HeadingBlock,
    PictureBlock,
    ReportDocument,
    TableBlock,
    TextBlock,
    VerdictBlock,
)
from auditor.release.report.document import (
    FULL,
    attack_blocks,
    dismissal_blocks,
    feedback_blocks,
    gate_blocks,
    measured_blocks,
    note_blocks,
    statement_blocks,
    write_summary,
)
from auditor.release.report.public_document import (
    describe_protection,
    describe_sizes,
    make_pairs_table,
    sheet_rows,
)
from auditor.release.report.view import ReportedRun, attack_figure, params_rows

UNSTATED = "not stated"
APPROVAL = (
    "the signed manifest names who approved it (auditor verify, with a key that reached you "
    "another way); without a signature nobody has"
)


def full_report(view: ReportedRun, facts: Mapping[str, Any]) -> ReportDocument:
    """The full report of one run; `facts` is the release's manifest."""
    blocks = list(_iterate_blocks(view, facts))
    return ReportDocument(f"Full report: {view.title}", "full", blocks)


def _iterate_blocks(view: ReportedRun, facts: Mapping[str, Any]) -> Iterator[Block]:
    yield HeadingBlock(1, f"Full report: {view.title}")
    yield TextBlock(FULL, "banner")
    yield TextBlock(f"Made {str(facts['created'])[:10]}", "faint")
    if view.preview:
        yield TextBlock(view.preview, "banner")
    if view.empty:
        nothing = "The release is empty: nothing in the log passed these parameters."
        yield TextBlock(nothing, "banner")
    yield write_summary(view)
    about = [
        ("Purpose and recipient", str(facts.get("comment") or UNSTATED)),
        ("Period of the log", view.period),
        ("What is released", f"{describe_sizes(view.run)}. {view.run.plan.what.summary}"),
        ("Whom it protects", describe_protection(view.statement)),
        ("Reviewed by", str(facts.get("reviewer") or UNSTATED)),
        ("Approval", APPROVAL),
    ]
    yield make_pairs_table("", about)
    yield HeadingBlock(2, "For the data protection officer")
    yield _write_officer(view, facts)
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
    yield from gate_blocks(view.record, inside=False)
    if facts.get("dismissed"):
        yield from dismissal_blocks(facts["dismissed"])
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


def _write_officer(view: ReportedRun, facts: Mapping[str, Any]) -> Block:
    """Each question with its answer, and below that what it rests on."""
    rows = [
        [f"{one.question}\n{one.source}", one.finding, "\n".join((one.answer, *one.evidence))]
        for one in answer_officer(view.record, str(facts.get("comment") or ""))
    ]
    heads = ("Question and source", "Finding", "Answer, and what it rests on")
    return TableBlock("", heads, rows, (False,) * 3)


def _iterate_risks(view: ReportedRun) -> Iterator[Block]:
    yield HeadingBlock(2, "Risks that remain")
    heads = {"fails": "An assumption does not hold", "unknown": "An assumption cannot be checked"}
    rows = [
        (heads[status], f"{one.name}: {one.text}")
        for status in heads
        for one in view.statement.assumptions
        if one.status == status
    ]
    if not view.attacks:
        rows.append(("Attacks", "none was tried, so what attackers achieve is not known"))
    if rows:
        yield make_pairs_table("", rows)
    yield from attack_blocks(view, 3, drawn=False)
