"""Review & export: what has to be confirmed, and every state of the export."""

from __future__ import annotations

import dataclasses
import json
import shlex
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

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
from tests.gui.driving import enter, keep, texts, wait_idle, wait_signal, wait_until
from tests.gui.release.conftest import Opener, card_of, export, sign
from tests.gui.risk import flagged_logs
from tests.narrowing import present
from tests.release import fakes


@pytest.fixture
def writes(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Lets a function stand in for the export itself, which has tests of its own."""

    def replace(writer: Callable[..., Path]) -> None:
        monkeypatch.setattr("auditor.release.export.write_release", writer)

    return replace


@pytest.fixture
def given(writes: Callable[..., None]) -> dict[str, Any]:
    """What an export is asked to write."""
    captured: dict[str, Any] = {}

    def write(_result: Run, _log: QueryLog, folder: Path, **more: Any) -> Path:
        captured.update(more, folder=folder)
        more["progress"].stage("writing queries", 10)
        return folder

    writes(write)
    return captured


def test_that_questions_are_answered_and_survivors_are_counted(review: Opener, result: Run) -> None:
    dialog = review()
    card = dialog.officer
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
    assert "3 sessions were flagged. Of 1 of them" in texts(dialog.survival)


def test_that_the_review_counts_the_people_whom_the_strip_counts_and_whose_sessions_were_read(
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
    dialog = review(opened=read)
    assert "0 of 1 opened" in dialog.sign_off.confirmations[2].given
    read.add(first)
    dialog.hide()
    dialog.show()
    assert "1 of 1 opened" in dialog.sign_off.confirmations[2].given


def test_that_nothing_is_exported_before_name_confirmations_folder_and_reasons(
    review: Opener, result: Run, tmp_path: Path
) -> None:
    lines = formats.list_assumptions(result.release.statement)
    assert [status for status, _ in lines] == ["fails", "unknown", "holds"]
    dialog = review()
    assert "1 assumption fails" in dialog.sign_off.confirmations[1].given
    assert "0 of 1 opened" in dialog.sign_off.confirmations[2].given
    assert dialog.describe_missing() == "Enter the reviewer's name."
    dialog.sign_off.reviewer.setText("Ada")
    for box in dialog.sign_off.confirmations:
        assert dialog.describe_missing() == "Tick what you confirm."
        assert not dialog.export_button.isEnabled()
        box.setChecked(True)
    assert dialog.export_button.isEnabled()
    card = card_of(dialog)
    assert present(card.record.policy).name == "default"
    assert "assumptions" in card.reasons
    assert set(card.reasons) <= {o.gate.name for o in card.record.judged if o.verdict != "passed"}
    assert measured_verdict(card.record).checks in texts(card)
    assert "No assumption fails" in texts(card)
    # with a key, every failed gate needs a reason
    dialog.sign_off.key.setText(str(tmp_path / "key.pem"))
    assert "did not pass a reason" in dialog.describe_missing()
    assert not dialog.export_button.isEnabled()
    for field in card.reasons.values():
        assert card.has_unsettled_gates()
        field.setText("agreed with the board")
    assert card.read_overrides() == dict.fromkeys(card.reasons, "agreed with the board")
    assert dialog.export_button.isEnabled()
    dialog.target.folder.setText(" ")
    assert dialog.describe_missing() == "Choose a folder."
    dialog.export()
    assert dialog.state == "ready"


def test_that_the_statement_is_shown_as_the_ledger_decides_it(review: Opener, result: Run) -> None:
    stated = result.release.statement
    undecided = Assumption(NO_OTHER_RELEASE, "Nothing else is released.", "unknown")
    stated = dataclasses.replace(stated, assumptions=(*stated.assumptions, undecided))
    result.anonymized = dataclasses.replace(result.release, statement=stated)
    dialog = review()
    assumptions = present(dialog.gates.record).statement.assumptions
    evidence = {item.name: item.evidence for item in assumptions}
    assert evidence[NO_OTHER_RELEASE]
    assert evidence[NO_OTHER_RELEASE] in texts(dialog.guarantee)


def test_that_a_new_policy_judges_anew_and_reasons_stay(review: Opener) -> None:
    keeper = PolicyKeeper()
    dialog = review(keeper=keeper)
    first = card_of(dialog)
    first.reasons["assumptions"].setText("agreed")
    rules = 'format = "auditor policy 1"\nname = "ours"\n'
    for name, figure in (("assumptions", "failing"), ("epsilon", "epsilon")):
        rules += f'[[gate]]\nname = "{name}"\nfigure = "statement.{figure}"\nmost = 0\n'
    rules += '[[gate]]\nname = "some"\nfigure = "release.queries"\nleast = 1\n'
    keeper.use_for_project(rules)
    assert dialog.gates.busy
    assert dialog.describe_missing() == "The checks are still being made."
    wait_until(lambda: dialog.gates.card is not first)
    second = card_of(dialog)
    assert set(second.reasons) == {"assumptions", "epsilon"}
    assert second.read_overrides() == {"assumptions": "agreed"}
    assert present(second.record.policy).name == "ours"
    keeper.use_for_project("no policy")
    wait_until(lambda: not dialog.gates.busy)
    assert dialog.gates.has_unsettled_gates()
    assert dialog.gates.record is None


def test_that_a_preview_is_refused_and_says_what_to_do(review: Opener, result: Run) -> None:
    fields = {f.name: getattr(result.release, f.name) for f in dataclasses.fields(Preview)}
    result.anonymized = Preview(**fields)
    dialog = review()
    sign(dialog)
    for _ in range(2):
        assert dialog.state == "refused"
        assert not dialog.export_button.isEnabled()
        dialog.export()
    assert "Press Run" in dialog.message.text()


def test_that_an_export_passes_on_what_was_signed_and_asked_for_and_ends_in_the_folder(
    review: Opener, given: dict[str, Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def internal(_result: Run, _log: QueryLog, folder: Path, **more: Any) -> list[Path]:
        assert more["pdf"] is True
        return [folder.with_name(f"{folder.name}-internal.html")]

    monkeypatch.setattr(html, "write_internal", internal)
    dialog = review()
    sign(dialog)
    dialog.comment.setPlainText("for the archive")
    for box in (dialog.target.pdf, dialog.target.internal):
        box.setChecked(True)
    assert dialog.export_button.text() == "E&xport unapproved draft"
    with wait_signal(dialog.exported) as heard:
        QTest.mouseClick(dialog.export_button, Qt.MouseButton.LeftButton)
        assert dialog.state == "running"
        assert not dialog.export_button.isEnabled()
    assert heard.args == [given["folder"]] == [tmp_path / "release"]
    assert dialog.message.text().startswith("It is not signed.")  # and no success
    assert "release-internal.html stands beside it, for nobody else." in dialog.message.text()
    assert dialog.open_button.isVisible()
    assert (given["reviewer"], given["comment"]) == ("Ada Reviewer", "for the archive")
    assert (given["overwrite"], given["pdf"]) == (False, True)


def test_that_a_signed_export_has_a_receipt_verifies_and_stands_in_the_ledger(
    review: Opener, monkeypatch: pytest.MonkeyPatch, log: QueryLog, tmp_path: Path
) -> None:
    fakes.quick_report(monkeypatch)
    dialog = review()
    assert "Approved so far" in texts(present(dialog.gates.ledger))
    overridden = set(card_of(dialog).reasons)
    sign(dialog, tmp_path / "key.pem")
    export(dialog)
    receipt, folder = dialog.receipt, tmp_path / "release"
    assert dialog.export_button.text() == "E&xport"
    assert receipt.isVisible()
    assert isinstance(dialog.answers.widget(), OfficerCard)
    assert not dialog.gates.isVisible()
    assert not dialog.export_button.isVisible()
    assert dialog.folder == folder
    assert receipt.where.text() == str(folder)
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert f"{len(files)} files" in receipt.send.text()
    assert "Signed with the key" in dialog.message.text()
    assert verify_folder(folder) == []
    trusted = signing.public_key(tmp_path / "key.pem.pub")
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
    assert dialog.gates.isVisible()
    wait_until(lambda: not dialog.gates.busy)
    assert "2 releases" in texts(present(dialog.gates.ledger))
    labels = dialog.gates.findChildren(QLabel)  # and there is room for what is said
    wait_until(
        lambda: all(
            label.height() >= label.heightForWidth(label.width())
            for label in labels
            if label.isVisible()
        )
    )


def test_that_a_running_export_can_be_cancelled_and_leaves_the_review_open(
    review: Opener, writes: Callable[..., None]
) -> None:
    begun = threading.Event()

    def write(result: Run, log: QueryLog, folder: Path, *, progress: Progress, **_: Any) -> Path:
        begun.set()
        while True:
            progress.check()

    writes(write)
    dialog = review()
    sign(dialog)
    dialog.export()
    assert begun.wait(5)
    assert dialog.stop_button.isVisible()
    assert dialog.busy
    dialog.stop_button.click()
    wait_until(lambda: dialog.state == "cancelled")
    assert dialog.isVisible()
    assert dialog.export_button.isEnabled()
    assert not dialog.stop_button.isVisible()


def test_that_the_receipt_says_of_which_run_it_is_while_another_one_is_shown(
    opened: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window, c, page = opened, opened.controller, opened.release
    for _ in "AB":
        c.run()
        wait_idle(window)
    first, second = c.runs
    c.show_run(first.number)
    window.show_workspace("release")
    panel = present(page.panel)
    go = threading.Event()
    receipt = ExportReceipt(tmp_path, "It is not signed.")
    monkeypatch.setattr(release_page, "export_run", lambda *_, **__: go.wait() and receipt)
    numbers: list[int] = []
    page.exported.connect(lambda number, _folder: numbers.append(number))
    wait_until(lambda: not panel.gates.busy and not panel.counting.running)
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
    panel.turn_button.click()
    assert present(page.panel).heading.text().startswith("Run B")


@pytest.mark.parametrize("error", [Cancelled(), OSError(28, "No space left on device")])
def test_that_a_signed_release_has_its_receipt_though_what_stands_beside_it_failed(
    review: Opener, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, error: Exception
) -> None:
    def write(*_: Any, **__: Any) -> list[Path]:
        raise error

    fakes.quick_report(monkeypatch)
    monkeypatch.setattr(html, "write_internal", write)
    signing.new_key(tmp_path / "key.pem")
    (tmp_path / "key.pem.pub").unlink()  # it stands elsewhere
    dialog = review()
    dialog.target.internal.setChecked(True)
    sign(dialog, tmp_path / "key.pem")
    export(dialog)
    assert dialog.receipt.isVisible()
    assert "Signed with the key" in dialog.message.text()
    assert "draft" not in dialog.receipt.check.text()
    assert "The internal report was not written" in dialog.message.text()
    assert len(store.read_ledger(store.ledger_path()).approved) == 1


def test_that_a_release_that_could_not_be_signed_is_no_success(
    review: Opener, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def approve(*_: Any, **__: Any) -> dict[str, str]:
        raise ExportRefused("The ledger is full.")

    fakes.quick_report(monkeypatch)
    monkeypatch.setattr(approval, "approve_folder", approve)
    dialog = review()
    sign(dialog, tmp_path / "key.pem")
    export(dialog)
    assert dialog.message.text() == "✗ It is not signed: The ledger is full."
    assert "draft" in dialog.receipt.check.text()


def test_that_a_failed_export_can_be_tried_again(
    review: Opener, writes: Callable[..., None]
) -> None:
    dialog = review()
    sign(dialog)
    for error, words in (
        (ExportRefused("'release' holds other things than a release."), "holds other things"),
        (OSError(28, "No space left on device"), "No space left on device"),
        (ValueError("jane roe"), "Internal error: ValueError"),
    ):

        def write(*_: Any, error: Exception = error, **__: Any) -> Path:
            raise error

        writes(write)
        dialog.export()
        wait_until(lambda: dialog.state == "failed")
        assert dialog.message.text().startswith("✗ Nothing was exported.")
        assert words in dialog.message.text()
        assert "jane" not in dialog.message.text()
        assert dialog.export_button.isEnabled()


def test_that_a_second_export_is_not_written_with_what_the_first_reviewer_let_pass(
    review: Opener, result: Run, log: QueryLog, given: dict[str, Any], tmp_path: Path
) -> None:
    record = present(review().gates.record)
    let = record.override(check.gate.name for check in record.judged)
    assert let.overridden
    export_run(result, log, tmp_path / "draft", {"record": let}, silent_progress())
    assert given["record"].overridden == ()


def test_that_what_was_read_of_one_folder_is_not_confirmed_of_another() -> None:
    review = keep(FolderReview())
    review.folder.setText("first")
    (box,) = review.sign_off.confirmations
    box.setChecked(True)
    review.folder.setText("second")
    assert not box.isChecked()


def test_that_a_signed_run_is_not_judged_as_one_more_release_of_itself(
    review: Opener, result: Run, log: QueryLog, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    fakes.quick_report(monkeypatch)
    dialog = review()
    keeper = PolicyKeeper(dialog)
    before = judge_run(result, log, keeper, silent_progress())
    sign(dialog, tmp_path / "key.pem")
    export(dialog)
    once_more = judge_run(result, log, keeper, silent_progress())
    itself = judge_run(result, log, keeper, silent_progress(), exported=dialog.folder)
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
    assert [name for name, _date in twice.reviewers] == ["Ada Reviewer", "Bob Second"]
    assert twice.verdict == approval.verdict
    assert before.released == ""
    other = dataclasses.replace(stored, released="0" * 64)
    assert find_approval(other, silent_progress()) is None
    again = dataclasses.replace(result, released=itself.released)  # made again, without noise
    assert judge_run(again, log, keeper, silent_progress()).history.releases == ()  # type: ignore[union-attr]


def test_that_what_the_policy_asks_of_the_contract_is_attested_in_the_sign_off(
    review: Opener, result: Run, log: QueryLog, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    fakes.quick_report(monkeypatch)
    keeper = PolicyKeeper(None)
    keeper.text = bundled_text("dma-6-11")  # and is not kept for the next window
    dialog = review(keeper=keeper)
    required = {"purpose", "environment", "no-linking", "retention", "access", "audits"}
    assert required <= set(card_of(dialog).reasons)
    assert dialog.sign_off.contract.read_fields() == {}
    card = card_of(dialog)
    dialog.sign_off.reviewer.editingFinished.emit()
    assert dialog.gates.card is card, "a field that somebody goes to must not vanish"
    fields: Any = dialog.sign_off.contract.fields
    assert [fields[name].text() for name in ("retention_months", "audits", "purpose")] == [
        "13", "3", "",
    ]  # fmt: skip
    fields["purpose"].setText("Search service")
    fields["review_by"].setText("2099-05-01")
    fields["no_linking"].setChecked(True)
    fields["audits"].setText("many")
    dialog.sign_off.reviewer.setText("Ada Reviewer")
    dialog.sign_off.contract.agreed.setChecked(True)
    assert "audits" in dialog.describe_missing()
    assert required <= set(card_of(dialog).reasons)
    enter(fields["audits"], "3")
    assert not required & set(card_of(dialog).reasons)
    titles = [
        item.gate.title for item in card_of(dialog).record.judged if item.verdict == "attested"
    ]
    assert set(titles) <= set(texts(card_of(dialog)).splitlines())
    sign(dialog, tmp_path / "key.pem")
    export(dialog)
    approval = read_manifest(tmp_path / "release")["approval"]
    assert approval["attested"] == dialog.sign_off.contract.read_fields()
    assert approval["attested"]["environment"] == "ring-fence"
    assert dialog.receipt.review.text() == "To be reviewed by 2099-05-01."
    judgement = judge_run(result, log, keeper, silent_progress(), exported=dialog.folder)
    assert {check.gate.name for check in judgement.verdict.attested} == required


def test_that_a_second_person_signs_the_folder_that_was_exported_with_a_synthetic_log(
    review: Opener, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    fakes.quick_report(monkeypatch)
    dialog = review()
    sign(dialog)
    assert not dialog.target.synthetic.isChecked()
    dialog.target.synthetic.setChecked(True)
    dialog.target.card.setChecked(True)
    export(dialog)
    card = json.loads((tmp_path / "release-card.json").read_text("utf-8"))
    assert card == registry_card(read_manifest(tmp_path / "release"))
    with pytest.raises(ExportRefused, match="stands there"):
        check_card(tmp_path / "release", overwrite=False)
    assert "release-synthetic holds the synthetic log." in dialog.message.text()
    release = read_release(tmp_path / "release-synthetic")
    assert release.synthetic_seed == 0
    assert release.log is not None
    assert all(name.startswith("synthetic-") for name in release.log.users.list_strings())
    folder = tmp_path / "release"
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
    review: Opener, result: Run, log: QueryLog, given: dict[str, Any]
) -> None:
    findings = present(result.attacks[0].findings)
    start, stop = int(findings.start[0]), int(findings.stop[0])
    note = SessionNote(start=start, stop=stop, text="words of somebody", dismissed="public")
    dialog = review(notes=[note])
    text = texts(dialog)
    assert f"dismissed by hand: 1 {REASONS['public']}." in text
    assert "words of somebody" not in text
    confirmations = [box.given for box in dialog.sign_off.confirmations]
    assert any("1 session was dismissed by hand" in text for text in confirmations)
    sign(dialog)
    export(dialog)
    stands = int(findings.surviving[0] > 0)
    reasons = {REASONS["public"]: 1}
    expected = {"sessions": 1, "surviving": stands, "reasons": reasons, "noted": 1}
    assert given["dismissed"] == expected
    manifest = build_manifest(result, log, {}, dismissed=given["dismissed"])
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
    model = panel.rows.model
    assert {model.index(row, 0).data() for row in range(2)} == {MASK}
    panel.disclosure.setChecked(True)
    assert {model.index(row, 0).data() for row in range(2)} == {"jane roe", "cars"}
