"""Review & export: what has to be confirmed, and every state of the export."""

import dataclasses
import json
import shlex
import threading
from pathlib import Path
from typing import Any
from unittest.mock import ANY, Mock

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from auditor.__main__ import main
from auditor.engine.run import Run
from auditor.errors import Cancelled, ExportRefused
from auditor.gui.app.main_window import MainWindow
from auditor.gui.release import page as release_page
from auditor.gui.release import review_cards
from auditor.gui.release.folder_review import FolderReview, first_rows
from auditor.gui.release.page import export_run
from auditor.gui.release.review_cards import ExportReceipt, OfficerCard
from auditor.gui.state.verdicts import PolicyKeeper, find_approval, judge_run
from auditor.gui.widgets import formats
from auditor.gui.widgets.areas import FoldedSection
from auditor.gui.widgets.fields import MASK
from auditor.log.model import QueryLog
from auditor.methods.statements import NO_OTHER_RELEASE
from auditor.privacy.release import Preview
from auditor.privacy.statement import Assumption
from auditor.progress import Progress, silent_progress
from auditor.project.model import REASONS, SessionNote
from auditor.release import approval, signing
from auditor.release.evidence import build_manifest
from auditor.release.ledger import store
from auditor.release.loading import read_release
from auditor.release.manifest import read_manifest, verify_folder
from auditor.release.policy.policy import bundled_text
from auditor.release.report import html
from auditor.release.report.registry_card import check_card, registry_card
from auditor.release.verdict import measured_verdict
from tests.gui.driving import (
    column_cells,
    enter,
    keep,
    press_run,
    texts,
    wait_idle,
    wait_signal,
    wait_until,
)
from tests.gui.release.conftest import Opener, card_of, export, sign, wait_for_checks
from tests.gui.risk import flagged_logs
from tests.narrowing import present
from tests.release import fakes


@pytest.fixture
def writer(monkeypatch: pytest.MonkeyPatch) -> Mock:
    """Stands in for what writes the files of an export, which has tests of its own."""
    writer = Mock(side_effect=lambda _run, _log, folder, **_: folder)
    monkeypatch.setattr("auditor.release.export.write_release", writer)
    return writer


def test_that_questions_are_answered_and_survivors_are_counted(review: Opener, result: Run) -> None:
    panel = review()
    card = panel.officer
    assert isinstance(card, OfficerCard)
    assert "Can one person be singled out? (WP 216)" in texts(card)
    assert "Measured above guessing, by the only attack of this kind" in texts(card)
    fold = card.findChildren(FoldedSection)[0]
    assert not fold.inside.isVisibleTo(fold)
    fold.unfold()
    assert fold.inside.isVisibleTo(fold)
    assert "50 %" in texts(fold.inside)
    summary = review_cards.count_survival(present(review_cards.findings_of(result)))
    assert (summary.at_risk, summary.surviving, summary.queries) == (3, 1, 1)
    assert summary.reasons == (("place", 3, 1), ("person name", 2, 1), ("e-mail address", 1, 0))
    assert "3 sessions were flagged. Of 1 of them" in texts(panel.survival)


def test_that_people_at_risk_and_those_whose_sessions_were_read_are_counted(
    review: Opener, result: Run, log: QueryLog
) -> None:
    sessions = present(result.attacks[0].findings)
    people = dataclasses.replace(
        flagged_logs.findings_of(log, flagged_logs.WORDS, ["jane roe"]),
        risk=np.array([0.9, 0.5, 0.1]),
        surviving=np.array([1, 0, 1]),
        least=0.3,
    )
    both = dataclasses.replace(sessions, people=people)
    summary = review_cards.count_survival(both)
    assert (summary.at_risk, summary.surviving, summary.below) == (2, 1, 1)
    assert summary.format_sentence().startswith("2 users are at risk. Of 1 of them")
    none = dataclasses.replace(summary, at_risk=0, surviving=0)
    assert none.format_sentence().startswith("Nobody was found to be at risk. Of 1 user of less")
    first = int(people.start[0])
    assert summary.count_opened({first, int(people.start[1])}) == 1
    assert summary.count_opened(()) == 0
    result.attacks = (dataclasses.replace(result.attacks[0], findings=both),)
    read: set[int] = set()
    panel = review(opened=read)
    assert "0 of 1 opened" in panel.sign_off.confirmations[2].given
    read.add(first)
    panel.hide()
    panel.show()
    assert "1 of 1 opened" in panel.sign_off.confirmations[2].given


def test_that_nothing_is_exported_before_name_confirmations_folder_and_reasons(
    review: Opener, result: Run, key: Path
) -> None:
    lines = formats.list_assumptions(result.release.statement)
    assert [status for status, _ in lines] == ["fails", "unknown", "holds"]
    panel = review()
    assert "1 assumption fails" in panel.sign_off.confirmations[1].given
    assert "0 of 1 opened" in panel.sign_off.confirmations[2].given
    assert panel.describe_missing() == "Enter the reviewer's name."
    panel.sign_off.reviewer.setText("Ada")
    for box in panel.sign_off.confirmations:
        assert panel.describe_missing() == "Tick what you confirm."
        assert not panel.export_button.isEnabled()
        box.setChecked(True)
    assert panel.export_button.isEnabled()
    card = card_of(panel)
    assert present(card.record.policy).name == "default"
    assert "assumptions" in card.reasons
    assert set(card.reasons) <= {o.gate.name for o in card.record.judged if o.verdict != "passed"}
    assert measured_verdict(card.record).checks in texts(card)
    assert "No assumption fails" in texts(card)
    # with a key, every failed gate needs a reason
    panel.sign_off.key.setText(str(key))
    assert "did not pass a reason" in panel.describe_missing()
    assert not panel.export_button.isEnabled()
    for field in card.reasons.values():
        assert card.has_unsettled_gates()
        field.setText("agreed with the board")
    assert card.read_overrides() == dict.fromkeys(card.reasons, "agreed with the board")
    assert panel.export_button.isEnabled()
    panel.target.folder.setText(" ")
    assert panel.describe_missing() == "Choose a folder."
    panel.export()
    assert panel.state == "ready"


def test_that_the_statement_is_shown_as_the_ledger_decides_it(review: Opener, result: Run) -> None:
    stated = result.release.statement
    undecided = Assumption(NO_OTHER_RELEASE, "Nothing else is released.", "unknown")
    stated = dataclasses.replace(stated, assumptions=(*stated.assumptions, undecided))
    result.anonymized = dataclasses.replace(result.release, statement=stated)
    panel = review()
    assumptions = present(panel.gates.record).statement.assumptions
    evidence = {item.name: item.evidence for item in assumptions}
    assert evidence[NO_OTHER_RELEASE]
    assert evidence[NO_OTHER_RELEASE] in texts(panel.guarantee)


def test_that_a_new_policy_judges_anew_and_reasons_stay(review: Opener) -> None:
    keeper = PolicyKeeper()
    panel = review(keeper=keeper)
    first = card_of(panel)
    first.reasons["assumptions"].setText("agreed")
    rules = 'format = "auditor policy 1"\nname = "ours"\n'
    for name, figure in (("assumptions", "failing"), ("epsilon", "epsilon")):
        rules += f'[[gate]]\nname = "{name}"\nfigure = "statement.{figure}"\nmost = 0\n'
    rules += '[[gate]]\nname = "some"\nfigure = "release.queries"\nleast = 1\n'
    keeper.use_for_project(rules)
    assert panel.gates.busy
    assert panel.describe_missing() == "The checks are still being made."
    wait_until(lambda: panel.gates.card is not first)
    second = card_of(panel)
    assert set(second.reasons) == {"assumptions", "epsilon"}
    assert second.read_overrides() == {"assumptions": "agreed"}
    assert present(second.record.policy).name == "ours"
    keeper.use_for_project("no policy")
    wait_until(lambda: not panel.gates.busy)
    assert panel.gates.has_unsettled_gates()
    assert panel.gates.record is None


def test_that_a_preview_is_refused_and_says_what_to_do(review: Opener, result: Run) -> None:
    fields = {f.name: getattr(result.release, f.name) for f in dataclasses.fields(Preview)}
    result.anonymized = Preview(**fields)
    panel = review()
    sign(panel)
    for _ in range(2):
        assert panel.state == "refused"
        assert not panel.export_button.isEnabled()
        panel.export()
    assert "Press Run" in panel.message.text()


def test_that_an_export_passes_on_what_was_signed_and_asked_for(
    review: Opener, writer: Mock, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = tmp_path / "release"
    internal = Mock(return_value=[tmp_path / "release-internal.html"])
    monkeypatch.setattr(html, "write_internal", internal)
    panel = review()
    sign(panel)
    panel.comment.setPlainText("for the archive")
    for box in (panel.target.pdf, panel.target.internal):
        box.setChecked(True)
    assert panel.export_button.text() == "E&xport unapproved draft"
    with wait_signal(panel.exported) as heard:
        QTest.mouseClick(panel.export_button, Qt.MouseButton.LeftButton)
        assert panel.state == "running"
        assert not panel.export_button.isEnabled()
    assert heard.args == [folder, ""]
    assert panel.message.text().startswith("It is not signed.")  # and no success
    assert "release-internal.html stands beside it, for nobody else." in panel.message.text()
    assert panel.open_button.isVisible()
    assert writer.call_args.args == (ANY, ANY, folder)
    signed = {"reviewer": "Ada Reviewer", "comment": "for the archive"}
    assert writer.call_args.kwargs.items() >= {**signed, "overwrite": False, "pdf": True}.items()
    assert internal.call_args.kwargs["pdf"] is True


def test_that_a_signed_export_has_a_receipt_and_stands_in_the_ledger(
    review: Opener, monkeypatch: pytest.MonkeyPatch, log: QueryLog, tmp_path: Path, key: Path
) -> None:
    panel = review()
    assert "Approved so far" in texts(present(panel.gates.ledger))
    overridden = set(card_of(panel).reasons)
    export(panel, key)
    receipt, folder = panel.receipt, tmp_path / "release"
    assert panel.export_button.text() == "E&xport"
    assert receipt.isVisible()
    assert isinstance(panel.answers.widget(), OfficerCard)
    assert not panel.gates.isVisible()
    assert not panel.export_button.isVisible()
    assert panel.folder == folder
    assert receipt.where.text() == str(folder)
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert f"{len(files)} files" in receipt.send.text()
    assert "Signed with the key" in panel.message.text()
    assert verify_folder(folder) == []
    trusted = signing.public_key(key.with_suffix(".pem.pub"))
    assert signing.check_signature(folder, trusted)[0] == []
    approval = read_manifest(folder)["approval"]
    assert approval["reviewer"] == "Ada Reviewer"
    assert {override["gate"] for override in approval["overrides"]} == overridden
    receipt.copy_command.click()
    words = shlex.split(QGuiApplication.clipboard().text())
    assert words[:2] == ["auditor", "verify"]
    monkeypatch.chdir(tmp_path)
    assert main(words[1:]) == 0
    state = store.read_ledger(store.ledger_path())
    (entry,) = state.approved
    assert entry.body["reviewer"] == "Ada Reviewer"
    assert entry.body["log"]["digest"] == log.digest
    assert [entry.kind for entry in state.entries] == [store.LOG, store.WRITTEN, store.APPROVED]
    receipt.again.emit()  # the next release is judged with this one in the ledger
    assert not receipt.isVisible()
    assert panel.gates.isVisible()
    wait_until(lambda: not panel.gates.busy)
    assert "2 releases" in texts(present(panel.gates.ledger))
    labels = [label for label in panel.gates.findChildren(QLabel) if label.isVisible()]
    wait_until(lambda: all(each.height() >= each.heightForWidth(each.width()) for each in labels))


def test_that_a_running_export_can_be_cancelled(review: Opener, writer: Mock) -> None:
    begun = threading.Event()

    def write(*_: Any, progress: Progress, **__: Any) -> None:
        begun.set()
        while True:
            progress.check()

    writer.side_effect = write
    panel = review()
    sign(panel)
    panel.export()
    assert begun.wait(5)
    assert panel.stop_button.isVisible()
    assert panel.busy
    panel.stop_button.click()
    wait_until(lambda: panel.state == "cancelled")
    assert panel.isVisible()
    assert panel.export_button.isEnabled()
    assert not panel.stop_button.isVisible()


def test_that_a_receipt_names_its_run(
    opened: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window, c, page = opened, opened.controller, opened.release
    for _ in "AB":
        press_run(window)
    first, second = c.runs
    c.show_run(first.number)
    window.show_workspace("release")
    panel = present(page.panel)
    go = threading.Event()
    receipt = ExportReceipt(tmp_path, "It is signed.", released="5eed")
    monkeypatch.setattr(release_page, "export_run", lambda *_, **__: go.wait() and receipt)
    numbers: list[int] = []
    approved: list[str] = []  # as a project has it that is saved before the run is judged anew
    page.exported.connect(lambda number, _folder: numbers.append(number))
    page.exported.connect(lambda _number, _folder: approved.append(first.released))
    wait_for_checks(panel)
    sign(panel)
    panel.target.folder.setText(str(tmp_path / "release"))
    panel.export()
    c.show_run(second.number)
    go.set()
    wait_until(lambda: panel.state == "done")
    window.show_workspace("compare")
    window.show_workspace("release")
    wait_idle(window)
    assert page.panel is panel
    assert panel.heading.text().startswith("Run A")
    assert numbers == [first.number]
    assert approved == ["5eed"]
    panel.turn_button.click()
    assert present(page.panel).heading.text().startswith("Run B")


@pytest.mark.parametrize("error", [Cancelled(), OSError(28, "No space left on device")])
def test_that_a_signed_release_has_its_receipt_though_the_internal_report_failed(
    review: Opener, monkeypatch: pytest.MonkeyPatch, key: Path, error: Exception
) -> None:
    monkeypatch.setattr(html, "write_internal", Mock(side_effect=error))
    signing.new_key(key)
    key.with_suffix(".pem.pub").unlink()  # it stands elsewhere
    panel = review()
    panel.target.internal.setChecked(True)
    export(panel, key)
    assert panel.receipt.isVisible()
    assert "Signed with the key" in panel.message.text()
    assert "draft" not in panel.receipt.check.text()
    assert "The internal report was not written" in panel.message.text()
    assert len(store.read_ledger(store.ledger_path()).approved) == 1


def test_that_an_unsigned_release_is_no_success(
    review: Opener, monkeypatch: pytest.MonkeyPatch, key: Path
) -> None:
    refuse = Mock(side_effect=ExportRefused("The ledger is full."))
    monkeypatch.setattr(approval, "approve_folder", refuse)
    panel = review()
    export(panel, key)
    assert panel.message.text() == "✗ It is not signed: The ledger is full."
    assert "draft" in panel.receipt.check.text()


def test_that_a_failed_export_can_be_tried_again(review: Opener, writer: Mock) -> None:
    panel = review()
    sign(panel)
    for error, words in (
        (ExportRefused("'release' holds other things than a release."), "holds other things"),
        (OSError(28, "No space left on device"), "No space left on device"),
        (ValueError("jane roe"), "Internal error: ValueError"),
    ):
        writer.side_effect = error
        panel.export()
        wait_until(lambda: panel.state == "failed")
        assert panel.message.text().startswith("✗ Nothing was exported.")
        assert words in panel.message.text()
        assert "jane" not in panel.message.text()
        assert panel.export_button.isEnabled()


def test_that_an_export_forgets_what_another_reviewer_let_pass(
    review: Opener, result: Run, log: QueryLog, writer: Mock, tmp_path: Path
) -> None:
    record = present(review().gates.record)
    let = record.override(check.gate.name for check in record.judged)
    assert let.overridden
    export_run(result, log, tmp_path / "draft", {"record": let}, silent_progress())
    assert writer.call_args.kwargs["record"].overridden == ()


def test_that_what_was_read_of_one_folder_is_not_confirmed_of_another() -> None:
    review = keep(FolderReview())
    review.folder.setText("first")
    (box,) = review.sign_off.confirmations
    box.setChecked(True)
    review.folder.setText("second")
    assert not box.isChecked()


def test_that_a_signed_run_is_no_further_release_of_itself(
    review: Opener, result: Run, log: QueryLog, key: Path
) -> None:
    panel = review()
    keeper = PolicyKeeper(panel)
    before = judge_run(result, log, keeper, silent_progress())
    export(panel, key)
    once_more = judge_run(result, log, keeper, silent_progress())
    itself = judge_run(result, log, keeper, silent_progress(), exported=panel.folder)
    assert not isinstance(once_more.history, str)
    assert not isinstance(itself.history, str)
    assert len(once_more.history.releases) == 1
    assert itself.history.releases == ()
    # What it was signed in spite of stands in the verdict.
    let = itself.verdict.overridden
    assert set(let) == {check.gate.name for check in before.record.judged if not check.ok} != set()
    assert itself.verdict == measured_verdict(before.record.override(let))
    assert (before.reviewer, itself.reviewer) == ("", "Ada Reviewer")
    # A project keeps the release's name in the ledger, and the ledger says who approved it.
    stored = dataclasses.replace(
        result, anonymized=None, gates=itself.list_facts(), released=itself.released, reopened=True
    )
    approval = present(find_approval(stored, silent_progress()))
    assert [(name, date[:2]) for name, date in approval.reviewers] == [("Ada Reviewer", "20")]
    assert set(present(approval.verdict).overridden) == set(let)
    # Of one that is approved again, as a copy of it, the project names everybody who did.
    with store.open_for_append(store.ledger_path()) as writer:
        (entry,) = writer.state.approvals
        writer.append({**entry.body, "reviewer": "Bob Second"})
    twice = present(find_approval(stored, silent_progress()))
    assert twice.reviewer == "Ada Reviewer, Bob Second"
    assert twice.verdict == approval.verdict
    assert before.released == ""
    other = dataclasses.replace(stored, released="0" * 64)
    assert find_approval(other, silent_progress()) is None
    again = dataclasses.replace(result, released=itself.released)  # made again, without noise
    assert judge_run(again, log, keeper, silent_progress()).history.releases == ()  # type: ignore[union-attr]


def test_that_what_a_policy_asks_of_the_contract_is_attested(
    review: Opener, result: Run, log: QueryLog, tmp_path: Path, key: Path
) -> None:
    keeper = PolicyKeeper(None)
    keeper.text = bundled_text("dma-6-11")  # and is not kept for the next window
    panel = review(keeper=keeper)
    required = {"purpose", "environment", "no-linking", "retention", "access", "audits"}
    assert required <= set(card_of(panel).reasons)
    assert panel.sign_off.contract.read_fields() == {}
    card = card_of(panel)
    panel.sign_off.reviewer.editingFinished.emit()
    assert panel.gates.card is card, "a field that somebody goes to must not vanish"
    fields: Any = panel.sign_off.contract.fields
    offers = {name: fields[name].text() for name in ("retention_months", "audits", "purpose")}
    assert offers == {"retention_months": "13", "audits": "3", "purpose": ""}
    fields["purpose"].setText("Search service")
    fields["review_by"].setText("2099-05-01")
    fields["no_linking"].setChecked(True)
    fields["audits"].setText("many")
    panel.sign_off.reviewer.setText("Ada Reviewer")
    panel.sign_off.contract.agreed.setChecked(True)
    assert "audits" in panel.describe_missing()
    assert required <= set(card_of(panel).reasons)
    enter(fields["audits"], "3")
    assert not required & set(card_of(panel).reasons)
    for check in card_of(panel).record.judged:
        assert check.verdict != "attested" or check.gate.title in texts(card_of(panel))
    export(panel, key)
    approval = read_manifest(tmp_path / "release")["approval"]
    assert approval["attested"] == panel.sign_off.contract.read_fields()
    assert approval["attested"]["environment"] == "ring-fence"
    assert panel.receipt.review.text() == "To be reviewed by 2099-05-01."
    judgement = judge_run(result, log, keeper, silent_progress(), exported=panel.folder)
    assert {check.gate.name for check in judgement.verdict.attested} == required


def test_that_a_second_person_signs_the_folder_that_was_exported(
    review: Opener, tmp_path: Path, key: Path
) -> None:
    panel, folder = review(), tmp_path / "release"
    assert not panel.target.synthetic.isChecked()
    panel.target.synthetic.setChecked(True)
    panel.target.card.setChecked(True)
    export(panel)
    card = json.loads((tmp_path / "release-card.json").read_text("utf-8"))
    assert card == registry_card(read_manifest(folder))
    with pytest.raises(ExportRefused, match="stands there"):
        check_card(folder, overwrite=False)
    assert "release-synthetic holds the synthetic log." in panel.message.text()
    release = read_release(tmp_path / "release-synthetic")
    assert release.synthetic_seed == 0
    assert release.log is not None
    assert all(name.startswith("synthetic-") for name in release.log.users.list_strings())
    data = (folder / "queries.tsv").read_bytes()
    second = keep(FolderReview())
    second.folder.setText(str(folder))
    assert second.describe_missing() == "Check the folder first."
    second.check_folder()
    wait_until(lambda: second.card is not None)
    reasons = present(second.card).reasons
    for field in reasons.values():
        field.setText("agreed")
    second.sign_off.reviewer.setText("Bo Second")
    fields: Any = second.sign_off.contract.fields
    fields["recipient"].setText("Ann Other")
    second.sign_off.contract.agreed.setChecked(True)
    assert all(field.text() == "agreed" for field in reasons.values())
    second.sign_off.key.setText(str(tmp_path / "second.pem"))
    assert not second.sign.isEnabled()
    second.sign_off.confirmations[0].setChecked(True)
    with wait_signal(second.signed):
        second.sign.click()
    assert "is approved" in second.said.text()
    assert read_manifest(folder)["approval"]["attested"] == {"recipient": "Ann Other"}
    assert not second.sign_off.contract.agreed.isChecked()
    assert second.needed.isHidden()  # nothing is left to do
    trusted = signing.public_key(tmp_path / "second.pem.pub")
    assert signing.check_signature(folder, trusted)[0] == []
    assert (folder / "queries.tsv").read_bytes() == data
    second.check_folder()
    wait_until(lambda: "approved already" in second.said.text())


def test_that_a_reviewer_agrees_to_dismissals_and_the_manifest_counts_them(
    review: Opener, result: Run, log: QueryLog, writer: Mock
) -> None:
    findings = present(result.attacks[0].findings)
    start, stop = int(findings.start[0]), int(findings.stop[0])
    note = SessionNote(start=start, stop=stop, text="words of somebody", dismissed="public")
    panel = review(notes=[note])
    text = texts(panel)
    assert f"dismissed by hand: 1 {REASONS['public']}." in text
    assert "words of somebody" not in text
    confirmations = [box.given for box in panel.sign_off.confirmations]
    assert any("1 session was dismissed by hand" in text for text in confirmations)
    export(panel)
    stands = int(findings.surviving[0] > 0)
    reasons = {REASONS["public"]: 1}
    expected = {"sessions": 1, "surviving": stands, "reasons": reasons, "noted": 1}
    assert writer.call_args.kwargs["dismissed"] == expected
    manifest = build_manifest(result, log, {}, dismissed=expected)
    assert manifest["dismissed"]["reasons"] == reasons
    assert "dismissed" not in build_manifest(result, log, {})


def test_that_the_first_rows_of_cells_are_theirs_and_safe_to_look_at() -> None:
    heads, rows, masked = first_rows(fakes.anonymized(fakes.cells()))
    assert list(heads) == ["Query", "Clicked page", "views", "Position"]
    assert [row[1:] for row in rows] == [
        ["", "7", ""],
        ["m.example", "5", "2"],
        ["m.example", "5", "1.25"],
    ]
    assert masked == {0, 1}
    assert not any("\t" in text for row in rows for text in row)


def test_that_what_would_leave_is_masked_until_somebody_asks(review: Opener) -> None:
    panel = review()
    assert column_cells(panel.rows.model, 0) == [MASK] * 2
    panel.disclosure.setChecked(True)
    assert set(column_cells(panel.rows.model, 0)) == {"jane roe", "cars"}
