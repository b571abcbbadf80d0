"""The report that a release folder holds: what a recipient needs, from the manifest alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from auditor.engine.run import Run
from auditor.figures import format_share
from auditor.messages import phrase
from auditor.release.guarantee import Strength, meaning_of, say_counted_unit
from auditor.release.loading import statement_of
from auditor.release.manifest import LOGS, TABLES
from auditor.release.report.document import (
    BADGES,
    Block,
    FactsBlock,
    GateRows,
    GatesBlock,
    HeadingBlock,
    ReportDocument,
    TableBlock,
    TextBlock,
    VerdictBlock,
    side_of,
    write_reading_section,
)
from auditor.release.report.formatting import format_number
from auditor.release.report.view import ReportTable, params_rows, released_rows
from auditor.release.verdict import ReleaseState

CHECKING = (
    "To check that these are the files that were released, and by whom: auditor verify FOLDER "
    "--public-key KEY.pub, with a key that reached you another way than this folder. Without this "
    "program, with sha256sum and openssl, as the guide's page on checking a release says."
)


DATA_FILES = frozenset({*LOGS, *TABLES})
NOT_MEANT = "finding out who somebody is, or joining it with other data about people"


def public_report(result: Run, facts: Mapping[str, Any]) -> ReportDocument:
    """The report on a release whose manifest is `facts`; nothing in it was measured on the log."""
    title = f"About this release: {result.plan.what.title}"
    return ReportDocument(title, "public", list(_iterate_blocks(title, result, facts)))


def _iterate_blocks(title: str, result: Run, facts: Mapping[str, Any]) -> Iterator[Block]:
    yield HeadingBlock(1, title)
    made = str(facts["created"]).replace("T", " ").replace("Z", " UTC")
    by = f" · reviewed by {facts['reviewer']}" if facts.get("reviewer") else ""
    yield TextBlock(f"Made {made}{by}", "faint")
    if facts.get("comment"):
        yield TextBlock(str(facts["comment"]))
    yield _make_summary(facts)
    yield HeadingBlock(2, "What was released")
    yield TextBlock(result.plan.what.summary)
    if note := say_counted_unit(result.release.statement):
        yield TextBlock(note)
    yield FactsBlock(("Part", "Size"), released_rows(result))
    if "sample" in facts:
        share = format_share(float(facts["sample"]["share"]))
        yield TextBlock(
            f"It was made from a sample: each user of the log was in it with a chance of {share}, "
            "by a coin for each, so counts are of about that share of the users."
        )
    yield from _iterate_statement(facts["statement"])
    yield HeadingBlock(2, "Parameters")
    yield FactsBlock(("Parameter", "Value"), params_rows(result))
    yield from write_reading_section(facts)
    yield TextBlock(CHECKING)


def data_sheet_page(result: Run, facts: Mapping[str, Any]) -> ReportDocument:
    """One page for whoever uses the data: what they are, what is guaranteed, what to know."""
    title = f"Data sheet: {result.plan.what.title}"
    return ReportDocument(title, "public", list(_sheet_blocks(title, result, facts)))


def _sheet_blocks(title: str, result: Run, facts: Mapping[str, Any]) -> Iterator[Block]:
    statement = facts["statement"]
    stated = statement.get("assumptions", ())
    failing = [f"{a['name']}: {a['text']}" for a in stated if a["status"] == "fails"]
    unknown = [a["name"] for a in stated if a["status"] == "unknown"]
    sizes = ", ".join(f"{row.label.lower()}: {row.shown}" for row in released_rows(result))
    rows = [
        ("Made", str(facts["created"])[:10]),
        ("Reviewed by", str(facts.get("reviewer", ""))),
        ("Meant for", str(facts.get("comment", ""))),
        ("Not meant for", NOT_MEANT),
        ("What it holds", sizes[:1].upper() + sizes[1:]),
        ("Files", ", ".join(name for name in sorted(facts["files"]) if name in DATA_FILES)),
        ("How it was made", result.plan.what.summary),
        ("What a user is here", say_counted_unit(statement_of(statement))),
        ("Guarantee", meaning_of(statement_of(statement)).sentence),
        ("Whom it protects", str(statement.get("unit", ""))),
        ("Does not hold here", "; ".join(failing)),
        ("Nobody can check here", "; ".join(unknown)),
        ("Known weakness", result.plan.what.weakness),
        ("How it is written", str(facts.get("content", {}).get("encoding", ""))),
    ]
    yield HeadingBlock(1, title)
    yield _make_summary(facts)
    cells = [[name, text] for name, text in rows if text]
    yield TableBlock(ReportTable("", ("", ""), cells, (False, False)))
    yield TextBlock(CHECKING, "note")


def _make_summary(facts: Mapping[str, Any]) -> VerdictBlock:
    told = facts.get("verdict", {})
    state = ReleaseState(told.get("state", ReleaseState.NOT_CHECKED.value))
    strong = str(told.get("strength")) in (Strength.MODERATE.key, Strength.STRONG.key)
    side = side_of(state, unreserved=strong and not told.get("overridden"))
    title = str(told.get("title", ReleaseState.NOT_CHECKED.title))
    checks = told.get("checks")
    sentences = [meaning_of(statement_of(facts["statement"])).sentence]
    if checks:
        sentences.insert(0, _summarise_checks(checks, str(told.get("policy", ""))))
    return VerdictBlock(side, "Verdict", title, tuple(filter(None, sentences)))


def _summarise_checks(checks: Mapping[str, int], policy: str) -> str:
    """How the checks came out when the release was made, without counts of nothing."""
    failed, missing, applicable = checks["failed"], checks["not_run"], checks["applicable"]
    said = [f"{failed} of {applicable} applicable checks failed"] if failed else []
    said += [f"{missing} of {applicable} applicable checks could not be made"] if missing else []
    said = said or [f"all {applicable} applicable checks passed"]
    said += [f"{checks['not_applicable']} do not apply"] if checks["not_applicable"] else []
    return f"Judged by the policy “{policy}” when it was made: {'; '.join(said)}."


def _iterate_statement(statement: Mapping[str, Any]) -> Iterator[Block]:
    yield HeadingBlock(2, "What is guaranteed, and on what it rests")
    yield TextBlock(str(statement.get("claim", "")))
    model = statement.get("model", "none")
    text = f"Model: {'no formal guarantee' if model == 'none' else model}. "
    text += f"Protected: {statement.get('unit', 'not said')}."
    if statement.get("neighbours"):
        text += f" Logs that must not be told apart: {statement['neighbours']}."
    if column := statement.get("user_column"):
        text += f" {column['text']}"
    yield TextBlock(text)
    if assumptions := statement.get("assumptions"):
        rows = [
            GateRows(
                a["name"],
                a["text"],
                phrase("decided at {decided}", decided=a["decided"]) if "decided" in a else "",
                *BADGES[a["status"]],
            )
            for a in assumptions
        ]
        yield GatesBlock(("Assumption", "Here"), rows)
    if terms := statement.get("terms"):
        cells = [
            [t["name"], t["formula"], _format_value(t["epsilon"]), _format_value(t["delta"])]
            for t in terms
        ]
        heads = ("Pays for", "By", "ε", "δ")
        numeric = (False, False, True, True)
        yield TableBlock(
            ReportTable("How the sum comes about", heads, cells, numeric), frozenset({1})
        )


def _format_value(value: Any) -> str:
    return value if isinstance(value, str) else format_number(value)
