"""The report: self-contained, escaped, complete, and silent about the raw log."""

import csv
import dataclasses
import functools
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import auditor
from auditor.attacks.base import AttackResult
from auditor.engine.run import Run
from auditor.errors import Cancelled, ExportRefused
from auditor.figures import PERCENT, SHARE, Table
from auditor.log.model import QueryLog
from auditor.privacy.release import Preview
from auditor.progress import Progress
from auditor.release.evidence import build_manifest
from auditor.release.gates import attest_record
from auditor.release.policy.attestation import ContractAttestation
from auditor.release.policy.policy import Gate
from auditor.release.record import ReleaseRecord
from auditor.release.report.blocks import (
    Block,
    Edition,
    HeadingBlock,
    PictureBlock,
    ReportDocument,
    TableBlock,
    format_number,
    make_table,
    words_of,
)
from auditor.release.report.document import ReportedRun, attack_figure, released_rows
from auditor.release.report.html import csv_bytes, demo_report, document_of, page_of, write_report
from auditor.release.report.pdf import pdf_of
from tests.narrowing import present
from tests.release.fakes import HOSTILE, SECRETS, STATEMENT, leave_out_pictures, raw_log, run_result
from tests.release.judging import EVERY_CHECK, judged_record, policy_of

EDITIONS: tuple[Edition, ...] = ("full", "internal")
VOID = {"meta", "br", "link", "img", "hr", "input"}


class Page(HTMLParser):
    """Elements with attributes, the visible text, and whether every element is closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.words: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.words.append(data)

    @property
    def text(self) -> str:
        return re.sub(r"\s+", " ", " ".join(self.words))


def without_pictures(document: ReportDocument) -> ReportDocument:
    """For tests of words: drawing takes most of the time of a page."""
    blocks: list[Block] = [item for item in document.blocks if not isinstance(item, PictureBlock)]
    return dataclasses.replace(document, blocks=blocks)


@functools.cache
def draw_page(document: ReportDocument) -> str:
    return page_of(without_pictures(document))


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> QueryLog:
    return raw_log(tmp_path_factory.mktemp("in"))


@pytest.fixture(scope="module")
def external(log: QueryLog) -> str:
    return page_of(document_of(run_result(log), log))


@pytest.fixture(scope="module")
def internal(log: QueryLog) -> str:
    return page_of(document_of(run_result(log), log, edition="internal"))


@pytest.fixture(scope="module")
def demo(log: QueryLog, tmp_path_factory: pytest.TempPathFactory) -> Path:
    results = [
        run_result(log),
        run_result(log, method="zealous", epsilon_value=0.2),
        run_result(log, preview=True, epsilon_value=0.9),
    ]
    folder = tmp_path_factory.mktemp("demo") / "out"
    assert demo_report(results, log, folder) == folder / "report.html"
    return folder


def test_that_a_page_is_well_formed_and_asks_nothing_of_anybody(
    external: str, internal: str, demo: Path
) -> None:
    for text in (external, internal, (demo / "report.html").read_text()):
        page = Page(text)
        assert page.open == []
        assert not {tag for tag, _ in page.elements} & {"script", "link", "iframe", "img", "object"}
        for _, attributes in page.elements:
            assert not [name for name in attributes if name.startswith("on")]
            for name in ("href", "src", "xlink:href", "action"):
                assert (attributes.get(name) or "#").startswith("#")
        assert not re.search(r"https?:|//[a-z]|@import|javascript:|url\((?!#)", text)
        policies = [a["content"] for _, a in page.elements if a.get("http-equiv")]
        assert "default-src 'none'" in str(policies[0])
        drawings = [attributes for tag, attributes in page.elements if tag == "svg"]
        assert drawings
        assert all(item["role"] == "img" and item["aria-label"] for item in drawings)


def test_that_hostile_words_are_only_words(external: str, log: QueryLog) -> None:
    assert any(f.title == HOSTILE for m in run_result(log).measures for f in m.figures)
    assert "<script" not in external
    assert "\u202e" not in external
    assert "<script>alert('x')</script>&amp; $\\alpha$ \ufffdevil" in Page(external).text


def test_that_the_internal_page_says_what_it_is_and_opens_flagged_sessions(internal: str) -> None:
    text = Page(internal).text
    for word in ("Internal edition", SECRETS[0], "Commonest queries"):
        assert word in text
    assert '<mark title="name of a person">zebulon quarkmeister</mark> divorce' in internal
    assert re.search(r"weather <span[^>]*>✗ survives", internal)


def test_that_the_statement_stands_in_words_with_every_assumption(external: str) -> None:
    text = Page(external).text
    assert STATEMENT.claim in text
    assert STATEMENT.neighbours in text
    assert "Something that the guarantee rests on does not hold" in text
    for assumption in STATEMENT.assumptions:
        for words in (assumption.name, assumption.text, assumption.evidence):
            assert words in text
    for word in ("✓ holds", "? not known", "✗ fails"):
        assert text.count(word) == 1


def view_of(result: Run, log: QueryLog) -> ReportedRun:
    return ReportedRun(result, log, "full", ReleaseRecord.of_run(result, log))


@pytest.mark.parametrize(("bound", "refuted"), [(1.0, False), (4.0, True)])
def test_that_what_an_audit_showed_stands_beside_the_claim(
    log: QueryLog, bound: float, refuted: bool
) -> None:
    details = {"audited_epsilon": bound, "sampled_epsilon": bound, "limit": 5.0, "runs": 100}
    attack = AttackResult(
        attack="dp-audit",
        params={},
        rate=0.5,
        baseline=0.5,
        interval=(0.4, 0.6),
        details=details | {"confidence": 0.95, "bounds": {}},
    )
    view = view_of(dataclasses.replace(run_result(log), attacks=(attack,)), log)
    assert view.headline.endswith(f"audited ≥ {bound:g}")
    assert ("an audit refutes it" in view.verdict[1]) == refuted
    assert view.verdict[0] == "bad"


def test_that_every_parameter_and_figure_stands_in_words(external: str, log: QueryLog) -> None:
    text = Page(external).text
    params = run_result(log).plan.params
    specs = [spec for spec in params.specs() if params.matters(spec.name)]
    assert len(specs) > 5
    for spec in specs:
        assert spec.label in text
        assert re.sub(r"\s+", " ", spec.help) in text
    # A rate stands beside interval, least size, guessing and control.
    assert re.search(r"25 % 20 % to 30 % none 10 % 12 %", text)
    assert "not known" in text
    assert "unbounded" in text


def test_that_an_empty_release_and_a_preview_say_what_they_are(log: QueryLog) -> None:
    empty = run_result(log, content=log.rows(log.query < 0))
    preview = run_result(log, preview=True)
    for result, text in ((empty, "The release is empty"), (preview, Preview.WATERMARK)):
        assert text in Page(draw_page(document_of(result, log))).text


def test_that_the_report_is_written_for_its_owner_alone(log: QueryLog, tmp_path: Path) -> None:
    for edition in reversed(EDITIONS):
        document = without_pictures(document_of(run_result(log), log, edition=edition))
        file = write_report(document, log, tmp_path / "page.html")
        assert file.stat().st_mode & 0o777 == 0o600
    assert SECRETS[0] not in file.read_text()
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]


class CancelledLate(Progress):
    """Cancelled once all blocks are set, while pages are made."""

    def blocks(self, name: str, total: int, size: int) -> Iterator[tuple[int, int]]:
        yield from super().blocks(name, total, size)
        self.cancel()


def test_that_drawing_hears_a_cancel_and_says_nothing_else(log: QueryLog) -> None:
    progress = Progress()
    progress.cancel()
    with pytest.raises(Cancelled):
        page_of(document_of(run_result(log), log), progress)
    with pytest.raises(Cancelled, match=r"^cancelled$"):
        pdf_of(document_of(run_result(log), log), CancelledLate())


# --- several runs -----------------------------------------------------------------------------


def test_that_several_runs_stand_beside_each_other(demo: Path, log: QueryLog) -> None:
    text = Page((demo / "report.html").read_text()).text
    assert text.count("Privacy and utility: ") == 2
    for title in ("SafeLog (1)", "SafeLog (2)", "ZEALOUS"):
        assert title in text
    tables = [f"{run}-{table}.csv" for run in ("safelog-1", "safelog-2", "zealous")
              for table in ("sizes", "top", "who")]  # fmt: skip
    assert {path.name for path in (demo / "tables").iterdir()} == {"comparison.csv", *tables}
    with (demo / "tables" / "comparison.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0] == ["figure", "better", "SafeLog (1)", "ZEALOUS", "SafeLog (2)"]
    assert ["queries kept (%)", "more", "0.4", "0.2", "0.9"] in rows
    plots = list((demo / "plots").iterdir())
    assert len(plots) > 6
    assert all(path.read_text().startswith("<?xml") for path in plots)


def test_that_an_external_comparison_holds_no_private_table(log: QueryLog, tmp_path: Path) -> None:
    demo_report([run_result(log)], log, tmp_path / "out", edition="full")
    data = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    for secret in SECRETS:
        assert secret.encode() not in data


def test_that_a_comparison_replaces_only_its_like(
    log: QueryLog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    leave_out_pictures(monkeypatch)
    folder = tmp_path / "out"
    for _ in range(2):
        demo_report([run_result(log)], log, folder, overwrite=True)
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    own = folder / "tables" / "thesis.docx"
    own.write_text("mine")
    with pytest.raises(ExportRefused):
        demo_report([run_result(log)], log, folder, overwrite=True)
    assert own.read_text() == "mine"


# --- words and numbers ------------------------------------------------------------------------


def test_that_tables_for_people_run_in_no_spreadsheet() -> None:
    table = Table("t", "T", ("a", "b"), [["=cmd|' /C calc'!A0", -3], ["@x", None], ["ä\n", 0.5]])
    data = csv_bytes(table)
    assert data.startswith(b"\xef\xbb\xbf")
    rows = list(csv.reader(data.decode("utf-8-sig").splitlines()))
    assert rows == [["a", "b"], ["'=cmd|' /C calc'!A0", "-3"], ["'@x", ""], ["ä␊", "0.5"]]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (5.9, "5.9"),
        (0.25, "0.25"),
        (-1234567.0, "−1,234,567"),
        (12345.678, "12,346"),
        (1e-6, "10⁻⁶"),
        (float("inf"), "unbounded"),
        (float("nan"), "not known"),
    ],
)
def test_that_numbers_read_well(value: float, text: str) -> None:
    assert format_number(value) == text


def test_that_keys_read_as_words_and_symbols_stay() -> None:
    assert [words_of(key) for key in ("queries_dropped", "K_c")] == ["Queries dropped", "K_c"]


def test_that_a_share_in_a_table_is_a_percentage_and_stays_a_number_in_the_file() -> None:
    rows = [("a", 0.13095, 13.095, 7), ("b", 1.0, 100.0, 12_345)]
    table = Table("t", "T", ("who", "share", "%", "n"), rows, units=("", SHARE, PERCENT, ""))
    texts = [["a", "13.1 %", "13.1 %", "7"], ["b", "100 %", "100 %", "12,345"]]
    assert make_table(table).rows == texts
    assert make_table(table).numeric == (False, True, True, True)
    assert b"a,0.13095,13.095,7" in csv_bytes(table)
    by_row = Table("t", "T", ("what", "value"), [("found", 0.5), ("n", 0.5)], row_units=(SHARE,))
    assert [row[1] for row in make_table(by_row).rows] == ["50 %", "0.5"]


def test_that_long_tables_are_cut_and_say_so() -> None:
    sheet = make_table(Table("t", "T", ("n", "word"), [[i, "x"] for i in range(500)]))
    assert len(sheet.rows) == 200
    assert sheet.note == "The first 200 of 500 rows."
    assert sheet.numeric == (True, False)


def test_that_one_attack_alone_needs_no_picture(log: QueryLog) -> None:
    attacks = view_of(run_result(log), log).run.attacks
    assert attack_figure(attacks) is None
    both = present(attack_figure(attacks * 2))
    assert [row.name for row in both.series] == ["attack", "guessing", "people not in the log"]


def test_that_sessions_put_away_and_noted_are_counted_and_nobodys_words_shown(
    log: QueryLog,
) -> None:
    result = run_result(log)
    counts = {"sessions": 123, "surviving": 2, "reasons": {"about a public figure or place": 123}}
    facts = build_manifest(result, log, {}, dismissed=counts | {"noted": 4})
    outside, inside = (
        Page(draw_page(document_of(result, log, edition=edition, facts=facts))).text
        for edition in EDITIONS
    )
    for page in (outside, inside):
        assert "Dismissed by hand: 123 (123 about a public figure or place). Of 2 of them" in page
    assert "With notes of somebody, which stay in the project: 4." in outside
    plain = Page(draw_page(document_of(result, log, facts=build_manifest(result, log, {})))).text
    assert "looked at by hand" not in plain


def gate(name: str, verdict: str) -> dict[str, object]:
    """How one check of a policy came out."""
    rule = {"name": name, "title": f"Check {name}", "figure": f"attack.{name}.rate", "most": 0.1}
    return rule | {"verdict": verdict, "evidence": "0.123456, wanted at most 0.1"}


GATES: dict[str, object] = {
    "policy": "ours",
    "sha256": "ab" * 32,
    "passed": False,
    "results": [gate("a", "passed"), gate("b", "does not apply"), gate("c", "failed")],
}


@functools.cache
def judged_report(log: QueryLog, *verdicts: str, edition: Edition = "full") -> ReportDocument:
    """A report with a purpose and checks, those that came out so if there are verdicts."""
    results = [gate(f"n{index}", verdict) for index, verdict in enumerate(verdicts)]
    result = run_result(log)
    record = ReleaseRecord.of_run(result, log)
    record = record.with_gates(GATES | ({"results": results} if verdicts else {}))
    facts = build_manifest(result, log, {"queries.tsv": "cd" * 32}, comment="For Example Lab.")
    return document_of(result, log, edition=edition, facts=facts, record=record)


def pages(document: ReportDocument, start: int, stop: int) -> int:
    """How many pages some blocks of a report take."""
    part = ReportDocument(document.title, document.edition, document.blocks[start:stop])
    return len(re.findall(rb"/Type /Page\b", pdf_of(part)))


def test_that_tables_follow_each_other_on_a_page_and_no_heading_is_left_alone() -> None:
    rows = [[f"line {number}", "1"] for number in range(25)]
    blocks: list[Block] = []
    for number in range(6):
        sheet = TableBlock(f"Table {number}", ("what", "n"), rows, (False, True))
        blocks += [HeadingBlock(3, f"Part {number}"), sheet]
    document = ReportDocument("T", "internal", blocks)
    assert pages(document, 0, 12) == 4


def test_that_the_external_edition_is_three_pages_a_data_sheet_and_an_annex(log: QueryLog) -> None:
    document = judged_report(log)
    headings = [isinstance(block, HeadingBlock) and block.new_page for block in document.blocks]
    sheet, annex = np.flatnonzero(headings).tolist()
    assert pages(document, 0, sheet) <= 3  # the officer's questions take one of them
    assert pages(document, sheet + 1, annex) == 1
    first = Page(draw_page(ReportDocument("", "full", document.blocks[:annex]))).text
    for text in ("For Example Lab.", "Whom it protects", "Risks that remain"):
        assert text in first
    year = str(np.datetime64(int(log.time.min()), "s"))[:4]
    assert re.search(rf"Period of the log [A-Z][a-z]+ {year}", first)


def test_that_what_is_said_of_the_approval_holds_before_and_after_a_signature(
    log: QueryLog,
) -> None:
    text = Page(draw_page(judged_report(log, "passed", "passed", "does not apply"))).text
    assert "all 2 applicable checks passed; 1 more does not apply" in text
    for page in (text, *(Page(draw_page(judged_report(log, edition=e))).text for e in EDITIONS)):
        assert "once it is approved" not in page
    assert "The signed manifest says who approved it" in text
    assert "without a signature nobody has" in text


def test_that_the_external_edition_has_no_digest_no_path_and_no_evidence_of_checks(
    log: QueryLog,
) -> None:
    page = draw_page(judged_report(log))
    assert not re.search(r"[0-9a-f]{32}", Page(page).text)
    assert "attack.c.rate" not in page
    assert "0.123456" not in page
    inside = draw_page(judged_report(log, edition="internal"))
    assert "attack.c.rate" in inside
    assert "0.123456" in inside


def test_that_what_is_attested_stands_in_the_internal_edition_with_its_name(log: QueryLog) -> None:
    result, purpose = run_result(log), Gate("purpose", "Why", "attested.purpose", least=1)
    record = judged_record(result, log, policy_of(purpose))
    record = attest_record(record, ContractAttestation.of("R. Viewer", {"purpose": "A study"}))
    page = draw_page(document_of(result, log, edition="internal", record=record))
    assert "attested by R. Viewer, not measured" in Page(page).text


def test_that_the_internal_edition_begins_with_what_is_wrong(log: QueryLog) -> None:
    text = Page(draw_page(judged_report(log, edition="internal"))).text
    order = ("Cannot be released as it is", "Checks that are not passed: 1", "Check c", "Check a",
             "Check b", "Sessions at risk", "What was released", "What was measured")  # fmt: skip
    assert re.search(".*".join(map(re.escape, order)), text)
    assert text.count("Sessions at risk") == 1


@pytest.mark.parametrize(
    ("method", "values", "label"),
    [("bundling", {}, "Bundles"), ("frequency-threshold", {"n": 2, "ids": "drop"}, "Rows")],
)
def test_that_bundles_or_nobody_are_not_listed_as_users(
    method: str, values: dict[str, Any], label: str
) -> None:
    log = QueryLog.from_columns(
        user=["u", "v", "w"], query=["a", "a", "a"], time=[1, 2, 3], ip=[1, 2, 3]
    )
    run = auditor.audit(log, method, skip=EVERY_CHECK, **values)
    labels = {row.label for row in released_rows(run)}
    assert label in labels
    assert "Users" not in labels
