"""Review & export: what has to be confirmed, and every state of the export."""

from __future__ import annotations

import dataclasses
import shlex
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from auditor.__main__ import main
from auditor.attacks.base import AttackResult
from auditor.engine.plan import Plan
from auditor.engine.run import Run
from auditor.errors import ExportRefused
from auditor.figures import MetricValue
from auditor.gui.release import review_data
from auditor.gui.release.folder_review import FolderReview, first_rows
from auditor.gui.release.review_cards import OfficerCard
from auditor.gui.release.review_panel import ReviewPanel
from auditor.gui.state.policy_choice import PolicyKeeper
from auditor.gui.state.verdicts import find_approval, judge_run
from auditor.gui.widgets.areas import FoldedSection
from auditor.log.model import QueryLog
from auditor.measures.base import MeasureResult
from auditor.methods.statements import NO_OTHER_RELEASE
from auditor.params import Params
from auditor.privacy.release import Preview
from auditor.privacy.statement import Assumption
from auditor.progress import Progress, silent_progress
from auditor.project.model import REASONS, SessionNote
from auditor.release.evidence import build_manifest
from auditor.release.manifest import read_manifest
from auditor.release.policy import schema
from auditor.release.verdict import measured_verdict
from tests.gui.risk import flagged_logs
from tests.release import fakes


@pytest.fixture
def log() -> QueryLog:
    return flagged_logs.log_of(flagged_logs.SESSIONS)


@pytest.fixture
def result(log: QueryLog) -> Run:
    found = flagged_logs.findings_of(log, flagged_logs.WORDS, ["jane roe"])
    return Run(
        Plan(log_digest=log.digest, method="safelog", params=Params()),
        flagged_logs.release_of(["jane roe", "cars"], [17, 4]),
        (
            MeasureResult(
                measure="volume",
                params={},
                values=(
                    MetricValue("kept", "queries kept", 0.42, side="utility"),
                    MetricValue("rows", "rows released", 21),
                ),
            ),
        ),
        (
            AttackResult(
                attack="surviving-content",
                params={},
                rate=0.5,
                baseline=0.1,
                interval=(0.2, 0.8),
                findings=found,
            ),
        ),
    )


@pytest.fixture
def opened(qtbot: QtBot, result: Run, log: QueryLog, tmp_path: Path) -> Callable[[], ReviewPanel]:
    def make() -> ReviewPanel:
        dialog = ReviewPanel(result, log)
        qtbot.addWidget(dialog)
        dialog.show()
        dialog.target.folder.setText(str(tmp_path / "release"))
        dialog.target.pdf.setChecked(False)
        qtbot.waitUntil(lambda: not dialog.counting.running and not dialog.gates.busy)
        return dialog

    return make


def sign(dialog: ReviewPanel) -> None:
    dialog.reviewer.setText("Ada Reviewer")
    for box in dialog.checks:
        box.setChecked(True)


def sign_with_key(dialog: ReviewPanel, key: Path) -> None:
    """Sign, and agree to every check that is not passed."""
    sign(dialog)
    dialog.key.setText(str(key))
    assert dialog.gates.card is not None
    for field in dialog.gates.card.reasons.values():
        field.setText("agreed")


Writer = Callable[..., Path]


def writes(monkeypatch: pytest.MonkeyPatch, writer: Writer) -> None:
    """Let `writer` stand in for the export itself, which has tests of its own."""
    import auditor.release.export

    monkeypatch.setattr(auditor.release.export, "write_release", writer)


def test_that_the_officers_questions_are_answered_and_what_an_answer_rests_on_unfolds(
    opened: Callable[[], ReviewPanel], qtbot: QtBot
) -> None:
    dialog = opened()
    card = dialog.officer
    assert isinstance(card, OfficerCard)
    said = [label.text() for label in card.findChildren(QLabel)]
    assert "Can one person be singled out? (WP 216)" in said
    assert "Measured above guessing, by the only attack of this kind that was made: " in "".join(
        said
    )
    fold = card.findChildren(FoldedSection)[0]
    assert not fold.inside.isVisibleTo(fold)
    fold.unfold()
    assert fold.inside.isVisibleTo(fold)
    assert "50 %" in fold.inside.findChildren(QLabel)[0].text()


def test_that_failing_assumptions_stand_first_and_have_to_be_confirmed(
    opened: Callable[[], ReviewPanel], result: Run
) -> None:
    order = [a.status for a in review_data.sort_assumptions(result.release.statement)]
    assert order == ["fails", "unknown", "holds"]
    dialog = opened()
    assert [box.given for box in dialog.checks] == [
        "I have read what is guaranteed here, and what is not.",
        "I know that 1 assumption fails, so the guarantee does not hold as it is stated.",
        "I have looked at the flagged sessions of which something survives (1).",
    ]


def test_that_the_review_shows_the_statement_as_the_ledger_decides_it_now(
    opened: Callable[[], ReviewPanel], result: Run
) -> None:
    stated = result.release.statement
    undecided = Assumption(NO_OTHER_RELEASE, "Nothing else is released.", "unknown")
    stated = dataclasses.replace(stated, assumptions=(*stated.assumptions, undecided))
    result.made = dataclasses.replace(result.release, statement=stated)
    dialog = opened()
    assert dialog.gates.record is not None
    known = {one.name: one.evidence for one in dialog.gates.record.statement.assumptions}
    texts = [label.text() for label in dialog.guarantee.findChildren(QLabel)]
    assert any(known[NO_OTHER_RELEASE] in text for text in texts if known[NO_OTHER_RELEASE])


def test_that_the_run_is_judged_anew_when_the_policy_changes_and_reasons_stay(
    qtbot: QtBot, result: Run, log: QueryLog
) -> None:
    keeper = PolicyKeeper()
    dialog = ReviewPanel(result, log, None, keeper)
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.waitUntil(lambda: dialog.gates.card is not None)
    first = dialog.gates.card
    assert first is not None
    first.reasons["assumptions"].setText("agreed")
    rules = 'format = "auditor policy 1"\nname = "ours"\n'
    for name, figure in (("assumptions", "failing"), ("epsilon", "epsilon")):
        rules += f'[[gate]]\nname = "{name}"\nfigure = "statement.{figure}"\nmost = 0\n'
    rules += '[[gate]]\nname = "some"\nfigure = "release.queries"\nleast = 1\n'
    keeper.use_for_project(rules)
    assert dialog.gates.busy
    assert dialog.describe_missing() == "The checks are still being made."
    qtbot.waitUntil(lambda: dialog.gates.card is not first)
    second = dialog.gates.card
    assert second is not None
    assert set(second.reasons) == {"assumptions", "epsilon"}
    assert second.read_overrides() == {"assumptions": "agreed"}
    record = dialog.gates.record
    assert record is not None
    assert record.policy is not None
    assert record.policy.name == "ours"
    keeper.use_for_project("no policy")
    qtbot.waitUntil(lambda: not dialog.gates.busy)
    assert dialog.gates.has_unsettled_gates()
    assert dialog.gates.record is None


def test_that_nothing_is_exported_before_name_confirmations_and_folder(
    opened: Callable[[], ReviewPanel],
) -> None:
    dialog = opened()
    assert dialog.describe_missing() == "Enter the reviewer's name."
    dialog.reviewer.setText("Ada")
    for box in dialog.checks:
        assert dialog.describe_missing() == "Tick what you confirm."
        assert not dialog.export_button.isEnabled()
        box.setChecked(True)
    assert dialog.export_button.isEnabled()
    dialog.target.folder.setText(" ")
    assert dialog.describe_missing() == "Choose a folder."
    dialog.export()
    assert dialog.state == "ready"


def test_that_what_survives_is_counted_by_reason(
    opened: Callable[[], ReviewPanel], result: Run
) -> None:
    found = review_data.findings_of(result)
    assert found is not None
    counted = review_data.count_survival(found)
    assert (counted.sessions, counted.surviving, counted.queries) == (3, 1, 1)
    assert counted.reasons == (("place", 3, 1), ("person name", 2, 1), ("e-mail address", 1, 0))
    dialog = opened()
    shown = [label.text() for label in dialog.survival.findChildren(QLabel)]
    assert any(text.startswith("3 sessions were flagged. In 1 of them") for text in shown)


def test_that_a_preview_is_refused_and_says_what_to_do(
    qtbot: QtBot, result: Run, log: QueryLog
) -> None:
    release = result.release
    preview = Preview(
        method=release.method,
        params=release.params,
        content=release.content,
        statement=release.statement,
        changes=release.changes,
    )
    dialog = ReviewPanel(Run(result.plan, preview), log)
    qtbot.addWidget(dialog)
    dialog.show()
    sign(dialog)
    assert dialog.state == "refused"
    assert "Press Run" in dialog.message.text()
    assert not dialog.export_button.isEnabled()
    dialog.export()
    assert dialog.state == "refused"


def test_that_an_export_passes_on_what_was_signed_and_ends_in_the_folder(
    qtbot: QtBot, opened: Callable[[], ReviewPanel], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    given: dict[str, Any] = {}

    def write(result: Run, log: QueryLog, folder: Path, **more: Any) -> Path:
        given.update(more, folder=folder)
        more["progress"].stage("writing queries", 10)
        return folder

    writes(monkeypatch, write)
    dialog = opened()
    sign(dialog)
    dialog.comment.setPlainText("for the archive")
    assert dialog.export_button.text() == "E&xport unapproved draft"
    with qtbot.waitSignal(dialog.exported) as heard:
        QTest.mouseClick(dialog.export_button, Qt.MouseButton.LeftButton)
        assert dialog.state == "running"
        assert not dialog.export_button.isEnabled()
    assert heard.args == [tmp_path / "release"]
    assert dialog.message.text().startswith("✓")
    assert dialog.open_button.isVisible()
    assert given["folder"] == tmp_path / "release"
    assert (given["reviewer"], given["comment"]) == ("Ada Reviewer", "for the archive")
    assert given["overwrite"] is False


def test_that_an_export_ends_with_a_receipt_and_no_check_of_another_release(
    qtbot: QtBot, opened: Callable[[], ReviewPanel], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    fakes.quick_report(monkeypatch)
    dialog = opened()
    sign_with_key(dialog, tmp_path / "key.pem")
    with qtbot.waitSignal(dialog.exported):
        dialog.export()
    receipt = dialog.receipt
    assert dialog.export_button.text() == "E&xport"
    assert receipt.isVisible()
    assert isinstance(dialog.answers.widget(), OfficerCard)
    assert not dialog.gates.isVisible()
    assert not dialog.export_button.isVisible()
    assert dialog.folder is not None
    assert receipt.where.text() == str(dialog.folder)
    files = [path for path in dialog.folder.rglob("*") if path.is_file()]
    assert f"{len(files)} files" in receipt.send.text()
    receipt.copy_command.click()
    words = shlex.split(QGuiApplication.clipboard().text())
    assert words[:2] == ["auditor", "verify"]
    monkeypatch.chdir(tmp_path)
    assert main(words[1:]) == 0
    receipt.again.emit()
    assert not receipt.isVisible()
    assert dialog.gates.isVisible()
    qtbot.waitUntil(lambda: not dialog.gates.busy)


def test_that_a_running_export_can_be_cancelled_and_leaves_the_review_open(
    qtbot: QtBot, opened: Callable[[], ReviewPanel], monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = threading.Event()

    def write(result: Run, log: QueryLog, folder: Path, *, progress: Progress, **_: Any) -> Path:
        begun.set()
        while True:
            progress.check()

    writes(monkeypatch, write)
    dialog = opened()
    sign(dialog)
    dialog.export()
    assert begun.wait(5)
    assert dialog.stop_button.isVisible()
    assert dialog.busy
    dialog.stop_button.click()
    qtbot.waitUntil(lambda: dialog.state == "cancelled")
    assert dialog.isVisible()
    assert dialog.export_button.isEnabled()
    assert not dialog.stop_button.isVisible()


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (ExportRefused("'release' holds other things than a release."), "holds other things"),
        (OSError(28, "No space left on device"), "No space left on device"),
        (ValueError("jane roe"), "Internal error: ValueError"),
    ],
)
def test_that_a_failed_export_says_why_and_can_be_tried_again(
    qtbot: QtBot,
    opened: Callable[[], ReviewPanel],
    monkeypatch: pytest.MonkeyPatch,
    error: Exception,
    words: str,
) -> None:
    def write(*_: Any, **__: Any) -> Path:
        raise error

    writes(monkeypatch, write)
    dialog = opened()
    sign(dialog)
    dialog.export()
    qtbot.waitUntil(lambda: dialog.state == "failed")
    assert dialog.message.text().startswith("✗ Nothing was exported.")
    assert words in dialog.message.text()
    assert "jane" not in dialog.message.text()
    assert dialog.export_button.isEnabled()


def test_that_the_gates_show_verdict_and_evidence_and_take_reasons(
    opened: Callable[[], ReviewPanel],
) -> None:
    dialog = opened()
    card = dialog.gates.card
    assert card is not None
    assert card.record.policy is not None
    assert card.record.policy.name == "default"
    failed = {one.gate.name for one in card.record.judged if one.verdict != "passed"}
    assert set(card.reasons) <= failed
    assert "assumptions" in card.reasons
    shown = " ".join(label.text() for label in card.findChildren(QLabel))
    assert "not passed" in shown
    assert "No assumption fails" in shown
    assert card.has_unsettled_gates()
    for field in card.reasons.values():
        field.setText("agreed with the board")
    assert not card.has_unsettled_gates()
    assert card.read_overrides() == dict.fromkeys(card.reasons, "agreed with the board")


def test_that_with_a_key_every_failed_gate_needs_a_reason(
    opened: Callable[[], ReviewPanel], tmp_path: Path
) -> None:
    dialog = opened()
    sign(dialog)
    assert dialog.describe_missing() == ""
    dialog.key.setText(str(tmp_path / "key.pem"))
    assert "did not pass a reason" in dialog.describe_missing()
    assert not dialog.export_button.isEnabled()
    assert dialog.gates.card is not None
    for field in dialog.gates.card.reasons.values():
        field.setText("agreed")
    assert dialog.describe_missing() == ""
    assert dialog.export_button.isEnabled()


def test_that_a_signed_export_verifies_with_the_key_that_was_made(
    qtbot: QtBot, opened: Callable[[], ReviewPanel], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from auditor.release import signing
    from auditor.release.manifest import read_manifest, verify_folder

    fakes.quick_report(monkeypatch)
    dialog = opened()
    sign_with_key(dialog, tmp_path / "key.pem")
    with qtbot.waitSignal(dialog.exported):
        dialog.export()
    folder = tmp_path / "release"
    assert "Signed with the key" in dialog.message.text()
    assert verify_folder(folder) == []
    trusted = signing.public_key(tmp_path / "key.pem.pub")
    assert signing.check_signature(folder, trusted)[0] == []
    told = read_manifest(folder)["approval"]
    assert told["reviewer"] == "Ada Reviewer"
    assert dialog.gates.card is not None
    assert {one["gate"] for one in told["overrides"]} == set(dialog.gates.card.reasons)


def test_that_a_signed_run_is_not_judged_as_one_more_release_of_itself(
    qtbot: QtBot,
    opened: Callable[[], ReviewPanel],
    result: Run,
    log: QueryLog,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    fakes.quick_report(monkeypatch)
    dialog = opened()
    keeper = PolicyKeeper(dialog)
    before = judge_run(result, log, keeper, silent_progress())
    sign_with_key(dialog, tmp_path / "key.pem")
    with qtbot.waitSignal(dialog.exported):
        dialog.export()
    once_more = judge_run(result, log, keeper, silent_progress())
    itself = judge_run(result, log, keeper, silent_progress(), exported=dialog.folder)
    assert not isinstance(once_more.history, str)
    assert not isinstance(itself.history, str)
    assert len(once_more.history.releases) == 1
    assert itself.history.releases == ()
    # What it was signed in spite of stands in the verdict.
    let = itself.verdict.overridden
    assert set(let) == {one.gate.name for one in before.record.judged if not one.ok} != set()
    assert itself.verdict == measured_verdict(before.record.override(let))
    assert (before.reviewer, itself.reviewer) == ("", "Ada Reviewer")
    # A project keeps the release's name in the ledger, and the ledger says who approved it.
    stored = dataclasses.replace(
        result, made=None, gates=itself.list_facts(), released=itself.released, reopened=True
    )
    found = find_approval(stored, silent_progress())
    assert found is not None
    assert (found.reviewer, found.at[:2]) == ("Ada Reviewer", "20")
    assert found.verdict is not None
    assert set(found.verdict.overridden) == set(let)
    assert before.released == ""
    other = dataclasses.replace(stored, released="0" * 64)
    assert find_approval(other, silent_progress()) is None
    again = dataclasses.replace(result, released=itself.released)  # made again, without noise
    assert judge_run(again, log, keeper, silent_progress()).history.releases == ()  # type: ignore[union-attr]
    # The next release is judged with this one in the ledger, and there is room for what is said.
    dialog.receipt.again.emit()
    qtbot.waitUntil(lambda: not dialog.gates.busy)
    labels = dialog.gates.findChildren(QLabel)
    qtbot.waitUntil(lambda: all(roomy(label) for label in labels if label.isVisible()))


def test_that_what_the_policy_asks_of_the_contract_is_attested_in_the_sign_off(
    qtbot: QtBot, result: Run, log: QueryLog, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    fakes.quick_report(monkeypatch)
    keeper = PolicyKeeper(None)
    keeper.text = schema.bundled_text("dma-6-11")  # and is not kept for the next window
    dialog = ReviewPanel(result, log, keeper=keeper)
    qtbot.addWidget(dialog)
    qtbot.waitUntil(lambda: not dialog.counting.running and not dialog.gates.busy)
    dialog.target.folder.setText(str(tmp_path / "release"))
    dialog.target.pdf.setChecked(False)
    asked = {"purpose", "environment", "no-linking", "retention", "access", "audits"}
    assert dialog.gates.card is not None
    assert asked <= set(dialog.gates.card.reasons)
    assert dialog.contract.read_fields() == {}
    shown = dialog.gates.card
    dialog.reviewer.editingFinished.emit()
    assert dialog.gates.card is shown, "a field that somebody goes to must not vanish"
    fields: Any = dialog.contract.fields
    assert [fields[name].text() for name in ("retention_months", "audits", "purpose")] == [
        "13", "3", "",
    ]  # fmt: skip
    fields["purpose"].setText("Search service")
    fields["no_linking"].setChecked(True)
    fields["audits"].setText("many")
    dialog.reviewer.setText("Ada Reviewer")
    dialog.contract.agreed.setChecked(True)
    assert "audits" in dialog.describe_missing()
    assert asked <= set(dialog.gates.card.reasons)
    fields["audits"].setText("3")
    fields["audits"].editingFinished.emit()
    assert not asked & set(dialog.gates.card.reasons)
    sign_with_key(dialog, tmp_path / "key.pem")
    with qtbot.waitSignal(dialog.exported):
        dialog.export()
    approval = read_manifest(tmp_path / "release")["approval"]
    assert approval["attested"] == dialog.contract.read_fields()
    assert approval["attested"]["environment"] == "ring-fence"
    judged = judge_run(result, log, keeper, silent_progress(), exported=dialog.folder)
    assert {one.gate.name for one in judged.verdict.attested} == asked


def test_that_a_second_person_signs_the_exported_folder_without_another_run(
    qtbot: QtBot, opened: Callable[[], ReviewPanel], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from auditor.release import signing

    fakes.quick_report(monkeypatch)
    dialog = opened()
    sign(dialog)
    with qtbot.waitSignal(dialog.exported):
        dialog.export()
    folder = tmp_path / "release"
    data = (folder / "queries.tsv").read_bytes()
    second = FolderReview()
    qtbot.addWidget(second)
    second.folder.setText(str(folder))
    assert second.describe_missing() == "Check the folder first."
    second.check_folder()
    qtbot.waitUntil(lambda: second.card is not None)
    assert second.card is not None
    for field in second.card.reasons.values():
        field.setText("agreed")
    second.reviewer.setText("Bo Second")
    fields: Any = second.contract.fields
    fields["recipient"].setText("Ann Other")
    second.contract.agreed.setChecked(True)
    assert all(field.text() == "agreed" for field in second.card.reasons.values())
    second.key.setText(str(tmp_path / "second.pem"))
    assert not second.sign.isEnabled()
    second.agreed.setChecked(True)
    with qtbot.waitSignal(second.signed):
        second.sign.click()
    assert "is approved" in second.said.text()
    assert read_manifest(folder)["approval"]["attested"] == {"recipient": "Ann Other"}
    assert not second.contract.agreed.isChecked()
    assert second.needed.isHidden()  # nothing is left to do
    trusted = signing.public_key(tmp_path / "second.pem.pub")
    assert signing.check_signature(folder, trusted)[0] == []
    assert (folder / "queries.tsv").read_bytes() == data
    second.check_folder()
    qtbot.waitUntil(lambda: "approved already" in second.said.text())


def roomy(label: QLabel) -> bool:
    """Whether a label is as high as its words need at its width."""
    return label.height() >= label.heightForWidth(label.width())


def test_that_a_reviewer_agrees_to_dismissals_and_the_manifest_counts_them(
    qtbot: QtBot, result: Run, log: QueryLog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    findings = result.attacks[0].findings
    assert findings is not None
    start, stop = int(findings.start[0]), int(findings.stop[0])
    note = SessionNote(start=start, stop=stop, text="words of somebody", dismissed="public")
    dialog = ReviewPanel(result, log, notes=[note])
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.waitUntil(lambda: not dialog.counting.running and not dialog.gates.busy)
    said = " ".join(label.text() for label in dialog.findChildren(QLabel))
    assert f"dismissed by hand: 1 {REASONS['public']}." in said
    assert "words of somebody" not in said
    assert any("1 session was dismissed by hand" in box.given for box in dialog.checks)
    given: dict[str, Any] = {}

    def write(*_args: Any, **more: Any) -> Path:
        given.update(more)
        return tmp_path

    writes(monkeypatch, write)
    sign(dialog)
    dialog.target.folder.setText(str(tmp_path / "release"))
    with qtbot.waitSignal(dialog.exported):
        dialog.export()
    stands = int(findings.surviving[0] > 0)
    reasons = {REASONS["public"]: 1}
    counted = {"sessions": 1, "surviving": stands, "reasons": reasons, "noted": 1}
    assert given["dismissed"] == counted
    told = build_manifest(result, log, {}, dismissed=given["dismissed"])
    assert told["dismissed"]["reasons"] == reasons
    assert "dismissed" not in build_manifest(result, log, {})


def test_that_reports_are_written_as_they_were_asked_for(
    qtbot: QtBot, opened: Callable[[], ReviewPanel], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from auditor.release.report import html

    asked: dict[str, Any] = {}
    beside: list[Path] = []

    def writer(_result: Run, _log: QueryLog, folder: Path, **more: Any) -> Path:
        asked.update(more)
        return folder

    def internal(_result: Run, _log: QueryLog, folder: Path, **more: Any) -> list[Path]:
        assert more["pdf"] is True
        beside.append(folder.with_name(f"{folder.name}-internal.html"))
        return beside

    writes(monkeypatch, writer)
    monkeypatch.setattr(html, "write_internal", internal)
    dialog = opened()
    sign(dialog)
    for box in (dialog.target.pdf, dialog.target.internal):
        box.setChecked(True)
    with qtbot.waitSignal(dialog.exported):
        dialog.export()
    assert asked["pdf"] is True
    assert beside == [tmp_path / "release-internal.html"]
    assert "release-internal.html stands beside it, for nobody else." in dialog.message.text()


def test_that_a_synthetic_log_is_written_beside_the_tables_on_request(
    qtbot: QtBot, opened: Callable[[], ReviewPanel], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from auditor.release.loading import read_release

    fakes.quick_report(monkeypatch)
    dialog = opened()
    sign(dialog)
    assert not dialog.target.synthetic.isChecked()
    dialog.target.synthetic.setChecked(True)
    with qtbot.waitSignal(dialog.exported):
        dialog.export()
    assert "release-synthetic holds the synthetic log." in dialog.message.text()
    made = read_release(tmp_path / "release-synthetic")
    assert made.synthetic_seed == 0
    assert made.log is not None
    assert all(name.startswith("synthetic-") for name in made.log.users.list_strings())


def test_that_the_first_rows_of_cells_are_theirs_and_safe_to_look_at() -> None:
    heads, rows = first_rows(fakes.anonymized(fakes.cells()))
    assert list(heads) == ["Query", "Clicked page", "views", "Position"]
    assert [row[1:] for row in rows] == [
        ["", "7", ""],
        ["m.example", "5", "2"],
        ["m.example", "5", "1.25"],
    ]
    assert not any("\t" in text for row in rows for text in row)
