"""The report that a release folder holds: what a recipient needs, from the manifest alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from auditor.engine.run import Run
from auditor.figures import format_share
from auditor.privacy.release import DATA_TABLES
from auditor.privacy.statement import Statement
from auditor.release.count_errors import describe_errors
from auditor.release.guarantee import Strength, meaning_of, say_counted_unit
from auditor.release.loading import statement_of
from auditor.release.manifest import LOGS
from auditor.release.report.blocks import (
    Block,
    FactsBlock,
    HeadingBlock,
    ReportDocument,
    TableBlock,
    TextBlock,
    VerdictBlock,
)
from auditor.release.report.document import (
    content_blocks,
    made_blocks,
    side_of,
    statement_blocks,
    write_reading_section,
)
from auditor.release.report.view import columns_rows, params_rows, released_rows
from auditor.release.verdict import ReleaseState

CHECKING = (
    "To check that these are the files that were released, and by whom: auditor verify FOLDER "
    "--public-key KEY.pub, with a key that reached you another way than this folder. Without this "
    "program, with sha256sum and openssl, as the guide's page on checking a release says."
)


DATA_FILES = frozenset({*LOGS, *DATA_TABLES})
NOT_MEANT = "finding out who somebody is, or joining it with other data about people"


def public_report(result: Run, facts: Mapping[str, Any]) -> ReportDocument:
    """The report on a release whose manifest is `facts`; nothing in it was measured on the log."""
    title = f"About this release: {result.plan.what.title}"
    return ReportDocument(title, "public", list(_iterate_blocks(title, result, facts)))


def _iterate_blocks(title: str, result: Run, facts: Mapping[str, Any]) -> Iterator[Block]:
    yield HeadingBlock(1, title)
    yield from made_blocks(facts)
    yield _make_summary(facts)
    yield from content_blocks(result, result.release.statement, 2)
    if "sample" in facts:
        share = format_share(float(facts["sample"]["share"]))
        yield TextBlock(
            f"It was made from a sample: each user of the log was in it with a chance of {share}, "
            "by a coin for each, so counts are of about that share of the users."
        )
    statement = statement_of(facts["statement"])
    heading, *rest = statement_blocks(statement, 2)
    yield from (heading, TextBlock(statement.claim), *rest)
    yield HeadingBlock(2, "Parameters")
    yield FactsBlock(("Parameter", "Value"), params_rows(result))
    yield from write_reading_section(facts)
    yield TextBlock(CHECKING)


def data_sheet_page(result: Run, facts: Mapping[str, Any]) -> ReportDocument:
    """One page for whoever uses the data: what they are, what is guaranteed, what to know."""
    title = f"Data sheet: {result.plan.what.title}"
    rows = sheet_rows(result, statement_of(facts["statement"]), facts)
    blocks: list[Block] = [
        HeadingBlock(1, title),
        _make_summary(facts),
        make_pairs_table("", rows),
        TextBlock(CHECKING, "note"),
    ]
    return ReportDocument(title, "public", blocks)


def sheet_rows(
    result: Run, statement: Statement, facts: Mapping[str, Any]
) -> list[tuple[str, str]]:
    """What a user of the data has to know; what does not apply has no text."""
    what = result.plan.what
    unknown = [one.name for one in statement.assumptions if one.status == "unknown"]
    return [
        ("Made", str(facts["created"])[:10]),
        ("Reviewed by", str(facts.get("reviewer", ""))),
        ("Meant for", str(facts.get("comment", ""))),
        ("Not meant for", NOT_MEANT),
        ("What it holds", describe_sizes(result)),
        ("Files", ", ".join(name for name in sorted(facts["files"]) if name in DATA_FILES)),
        *((f"Columns of {row.label}", row.shown) for row in columns_rows(result)),
        ("How exact its counts are", describe_errors(result.release)),
        ("How it was made", what.summary),
        ("What a user is here", say_counted_unit(statement)),
        ("Guarantee", meaning_of(statement).sentence),
        ("Whom it protects", describe_protection(statement)),
        ("Does not hold here", "; ".join(f"{one.name}: {one.text}" for one in statement.failing)),
        ("Nobody can check here", "; ".join(unknown)),
        ("Known weakness", what.weakness),
        ("How it is written", str(facts.get("content", {}).get("encoding", ""))),
    ]


def make_pairs_table(title: str, rows: Iterable[tuple[str, str]]) -> TableBlock:
    """Names with a text each, where there is one."""
    cells = [[name, text] for name, text in rows if text]
    return TableBlock(title, ("", ""), cells, (False, False))


def describe_sizes(result: Run) -> str:
    """The parts of a release and how large each is, as a sentence's beginning."""
    said = ", ".join(f"{row.label.lower()}: {row.shown}" for row in released_rows(result))
    return said[:1].upper() + said[1:]


def describe_protection(statement: Statement) -> str:
    """Whom it protects, and by which column of the log."""
    column = statement.user_column
    return f"{statement.unit}. {column.text}" if column is not None else statement.unit


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
