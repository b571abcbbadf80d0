"""One audited run, and every place that speaks of it: the same fact is the same number in each."""

import html
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

import auditor
from auditor.__main__ import main
from auditor.cli import console, terminal
from auditor.cli.console import Console
from auditor.figures import format_share
from auditor.gui.app.navigation import VerdictStrip
from auditor.log.model import QueryLog
from auditor.log.writing import write_log
from auditor.privacy.release import Anonymized
from auditor.progress import silent_progress
from auditor.project import file as stored_results
from auditor.release.gates import gate_facts, judge_record
from auditor.release.kept_content import KeptContent
from auditor.release.manifest import internal_folder, read_evidence, read_manifest
from auditor.release.policy.policy import default_policy
from auditor.release.record import ReleaseRecord
from auditor.release.report.html import document_of, page_of
from auditor.release.verdict import ReleaseVerdict, describe_rate, measured_verdict
from auditor.release.verify import verify_release
from tests.methods.logs import Row, log_of
from tests.narrowing import present
from tests.release.fakes import leave_out_pictures
from tests.release.judging import EVERY_CHECK, all_checks_but

SKIPPED = ("dp-audit", "near-linkage", "semantic-linkage", "structural", "planted-strings")


@dataclass(frozen=True)
class SpokenRun:
    """A run as the command line made it, and everything that was written and printed of it."""

    log: QueryLog
    folder: Path
    printed: dict[str, Any]
    terminal: str
    pages: dict[str, str] = field(default_factory=dict)

    @property
    def evidence(self) -> dict[str, Any]:
        return read_evidence(internal_folder(self.folder))[0]

    @property
    def record(self) -> ReleaseRecord:
        return ReleaseRecord.from_evidence(self.evidence)

    @property
    def verdict(self) -> ReleaseVerdict:
        return measured_verdict(self.record)


def text_of(page: Path) -> str:
    body = re.sub(r"<style>.*?</style>", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", body)))


@pytest.fixture(scope="module")
def spoken(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SpokenRun]:
    place = tmp_path_factory.mktemp("spoken")
    rows: list[Row] = []
    for user in range(40):
        rows += [(f"u{user}", f"query {n}", 60 * n + user, None) for n in range(user % 7)]
        rows += [(f"u{user}", "weather", 10_000 + user, None)]
        rows += [(f"u{user}", f"own {user}", 20_000 + user, None)]
    source, folder = place / "log.tsv", place / "release"
    write_log(log_of(rows), source)
    command = ["audit", str(source), "--method", "k-delta", "-p", "k=3", "--edition", "internal"]
    command += [part for name in SKIPPED for part in ("--skip", name)]
    printed: list[tuple[Any, str]] = []

    def keep_result(_console: Console, plain: Any, text: str, details: str = "") -> None:
        del details
        printed.append((json.loads(terminal.as_json(console.to_json_value(plain))), text))

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AUDITOR_DATA", str(place / "data"))
        leave_out_pictures(patch)
        with pytest.MonkeyPatch.context() as listening:
            listening.setattr(Console, "print_result", keep_result)
            assert main([*command, "--no-pdf", "--out", str(folder)]) == 1
        yield read_run(source, folder, *printed[0])


def read_run(source: Path, folder: Path, plain: dict[str, Any], text: str) -> SpokenRun:
    inside = internal_folder(folder)
    pages = {
        "public": text_of(folder / "report.html"),
        "sheet": text_of(folder / "data-sheet.html"),
        "full": text_of(inside / "internal-report.html"),
        "internal": text_of(folder.with_name("release-internal.html")),
    }
    return SpokenRun(auditor.read_log(source), folder, plain, text, pages)


def test_that_json_manifests_and_evidence_have_one_verdict(spoken: SpokenRun) -> None:
    verdict = spoken.verdict.to_dict()
    assert spoken.printed["verdict"] == verdict
    public = read_manifest(spoken.folder)["verdict"]
    assert public == {name: verdict[name] for name in public}
    assert set(public) >= {"state", "title", "strength", "checks"}
    result = verify_release(spoken.folder, silent_progress())
    assert result.to_dict()["verdict"]["title"] == verdict["title"]


def test_that_the_answer_and_its_checks_stand_in_every_edition(spoken: SpokenRun) -> None:
    verdict = spoken.verdict
    for name, page in spoken.pages.items():
        assert verdict.title in page, name
        assert verdict.guarantee.sentence in page, name
    for page in (spoken.pages["full"], spoken.pages["internal"]):
        assert str(verdict.checks) in page
        missed = len(verdict.failed) + len(verdict.not_run)
        assert f"Checks that are not passed: {missed}" in page


def test_that_what_is_kept_is_one_number(spoken: SpokenRun) -> None:
    content = spoken.record.kept
    assert spoken.printed["verdict"]["kept"] == content.to_dict() | {"share": content.share}
    assert spoken.evidence["gates"]["figures"]["kept"] == content.to_dict()
    assert content.share is not None
    text = format_share(content.share)
    for page in (spoken.pages["full"], spoken.pages["internal"]):
        assert f"{text} of searches" in page
    (check,) = (row for row in spoken.record.judged if row.gate.figure.endswith("searches_share"))
    assert check.value == content.share
    volume = spoken.printed["values"]
    assert volume["volume.events_share"] == pytest.approx(content.share)
    for page in (spoken.pages["public"], spoken.pages["sheet"]):
        assert text not in page  # an exact figure of the log


def test_that_rates_stand_with_their_interval_everywhere_inside(spoken: SpokenRun) -> None:
    worst = present(spoken.record.worst)
    rate = str(describe_rate(spoken.record, worst))
    assert re.search(r"\(.+ to .+\)", rate)
    for page in (spoken.pages["full"], spoken.pages["internal"]):
        assert rate in page
        assert f"{worst.title} {worst.label} {format_share(worst.rate)}" in page
    facts = spoken.printed["verdict"]["worst_attack"]
    assert (facts["attack"], facts["rate"]) == (worst.attack, worst.rate)
    assert spoken.evidence["attacks"][worst.attack]["rate"] == worst.rate
    assert worst.counts is not None
    hits, trials = worst.counts
    assert hits / trials == worst.rate
    assert trials == len(spoken.log.users)
    assert spoken.evidence["gates"]["figures"]["attacks"][worst.attack]["trials"] == trials
    for page in (spoken.pages["public"], spoken.pages["sheet"]):
        assert worst.title not in page


def test_that_the_terminal_says_what_the_record_says(spoken: SpokenRun) -> None:
    verdict = spoken.verdict
    assert f"{verdict.title}: {verdict.checks}" in spoken.terminal
    assert str(verdict.guarantee.sentence) in spoken.terminal
    assert verdict.kept.short in spoken.terminal
    assert spoken.record.worst is not None
    assert str(describe_rate(spoken.record, spoken.record.worst)) in spoken.terminal


def test_that_every_assumption_says_when_it_was_decided(spoken: SpokenRun) -> None:
    decided = spoken.record.decided
    assert set(decided) == {item.name for item in spoken.record.statement.assumptions}
    assert spoken.evidence["gates"]["figures"]["decided"] == decided
    assert spoken.printed["gates"]["figures"]["decided"] == decided
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", time) for time in decided.values())


def test_that_the_strip_and_its_reasons_say_it_too(spoken: SpokenRun, qtbot: QtBot) -> None:
    verdict, worst = spoken.verdict, spoken.record.worst
    strip = VerdictStrip()
    qtbot.addWidget(strip)
    strip.show_verdict(verdict, "Run A")
    text = strip.accessibleDescription()
    assert worst is not None
    rate = str(describe_rate(spoken.record, worst))
    assert verdict.exposed
    for fact in (verdict.answer, format_share(verdict.kept.share or 0.0), *verdict.exposed):
        assert str(fact) in text
    why = strip.details.text()
    assert f"Checks: {verdict.checks}." in why
    for check in verdict.failed:
        assert f"{check.gate.title} ({check.evidence})" in why
    for check in verdict.not_run:  # those for one reason stand together, before it
        assert str(check.gate.title) in why
        assert f"({check.evidence})" in why
    assert str(verdict.guarantee.sentence) in why
    assert rate in why


def test_that_a_python_run_counts_once_and_its_card_report_and_folder_say_the_same(
    spoken: SpokenRun, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    logs: list[QueryLog] = []
    count = KeptContent.of

    def count_kept(log: QueryLog, release: Anonymized) -> KeptContent:
        logs.append(log)
        return count(log, release)

    monkeypatch.setattr(KeptContent, "of", count_kept)
    monkeypatch.setenv("AUDITOR_DATA", str(tmp_path / "data"))
    skip = all_checks_but("record-linkage", "surviving-content")
    run = auditor.audit(spoken.log, "k-delta", k=3, skip=skip)
    worst = present(run.verdict.record.worst)
    rate = str(describe_rate(run.verdict.record, worst))
    assert any(rate in line for line in run.card_lines())
    assert rate in html.unescape(run._repr_html_())
    assert rate in html.unescape(page_of(document_of(run, spoken.log)))
    folder = auditor.save(run, spoken.log, tmp_path / "release")
    evidence, _ = read_evidence(internal_folder(folder))
    figures = evidence["gates"]["figures"]
    assert figures["kept"] == run.verdict.kept.to_dict()
    assert figures["attacks"][worst.attack]["figures"]["rate"] == worst.rate
    assert len(logs) == 1


def test_that_a_card_and_a_project_say_it_too(spoken: SpokenRun) -> None:
    run = auditor.audit(spoken.log, "k-delta", k=3, skip=EVERY_CHECK)
    assert run.card_lines() == run.verdict.sentences
    record = run.verdict.record
    stored = stored_results.strip_result(run)
    stored.gates = gate_facts(record, figures=False)
    again = measured_verdict(ReleaseRecord.of_stored(stored))
    for name in ("state", "title", "checks", "kept"):
        assert again.to_dict()[name] == run.verdict.to_dict()[name]


def test_that_a_record_is_the_same_after_its_evidence_was_read(spoken: SpokenRun) -> None:
    record = spoken.record
    assert ReleaseRecord.from_dict(record.to_dict(), record.statement).to_dict() == record.to_dict()
    again = judge_record(record, default_policy())
    checks, before = (
        {row.gate.name: row.verdict for row in rows if not row.gate.figure.startswith("ledger.")}
        for rows in (again.judged, record.judged)
    )
    assert checks == before
