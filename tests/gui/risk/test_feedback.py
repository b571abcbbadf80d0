"""Confirming, weighing, judging and signing in the window's Risk workspace."""

import dataclasses
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QDoubleSpinBox, QPushButton

from auditor.attacks.base import AttackResult, Evidence
from auditor.attacks.surviving_content import attack
from auditor.engine.plan import Plan
from auditor.gui.risk.page import RiskPage
from auditor.gui.risk.panel import MARKED, USER
from auditor.gui.risk.session_view import MARKS
from auditor.gui.state.controller import Controller
from auditor.gui.state.feedback_book import judged_sample, steward_feedback
from auditor.gui.state.log_loading import OpenedLog
from auditor.gui.widgets.fields import MASK
from auditor.log.gazetteers import sample_log
from auditor.log.model import QueryLog
from auditor.log.reading.reader import read_log
from auditor.methods.registry import METHODS
from auditor.progress import silent_progress
from auditor.project.model import QueryReview
from auditor.release import signing
from auditor.release.feedback import parse_feedback
from auditor.release.kept_content import KeptContent
from tests.gui.driving import pick, show, wait_until
from tests.gui.risk import flagged_logs
from tests.narrowing import present


@pytest.fixture(scope="module")
def log() -> QueryLog:
    return read_log(sample_log()).sample_users(1_500, 1)


@pytest.fixture(scope="module")
def found(log: QueryLog) -> AttackResult:
    evidence, params = Evidence(log=log), attack.SurvivingContentParams()
    return attack.run(evidence, params, rng=np.random.default_rng(0), progress=silent_progress())


def flagged(result: AttackResult) -> list[tuple[int, int]]:
    """Rows of the flagged sessions."""
    findings = present(result.findings)
    return list(zip(findings.start.tolist(), findings.stop.tolist(), strict=True))


@pytest.fixture
def page(log: QueryLog, found: AttackResult) -> Iterator[RiskPage]:
    controller = Controller()
    page = show(RiskPage(controller), 1200, 600)
    controller.adopt_log(OpenedLog(log, log, 1.0, "sample", len(log.queries)))
    controller.disclosure.setChecked(True)
    page.show_log_findings(found)
    panel = page.panel
    pick(panel.filters.level, "sessions")
    every = len(flagged(found))
    wait_until(lambda: panel.model.rowCount() == every and not panel.job.running)
    page.activateWindow()  # keys go to the window that is active: a test before may have had it
    wait_until(page.isActiveWindow)
    yield page
    controller.close()


def press(page: RiskPage, key: Qt.Key) -> None:
    page.panel.table.setFocus()
    assert page.panel.table.hasFocus()
    QTest.keyClick(page.panel.table, key)


def confirmed(page: RiskPage) -> int:
    return sum(note.confirmed for note in page.controller.notes.list_notes())


def cell(page: RiskPage, row: int, column: int) -> str:
    item = page.rules.table.item(row, column)
    return "" if item is None else item.text()


def rule_counts(page: RiskPage) -> dict[str, tuple[int, int]]:
    page.tabs.setCurrentWidget(page.rules)
    rows = range(page.rules.table.rowCount())
    return {cell(page, row, 0): (int(cell(page, row, 1)), int(cell(page, row, 2))) for row in rows}


def test_that_c_confirms_the_selection_and_goes_on_until_undone(page: RiskPage) -> None:
    page.panel.filters.text.setFocus()
    page.start_triage()
    assert page.window().focusWidget() is page.panel.table
    page.panel.table.selectRow(0)
    page.panel.open_session(page.panel.model.lines[0])
    press(page, Qt.Key.Key_C)
    wait_until(lambda: confirmed(page) == 1)
    wait_until(lambda: page.panel.table.currentIndex().row() == 1)
    press(page, Qt.Key.Key_C)
    wait_until(lambda: confirmed(page) == 2)
    press(page, Qt.Key.Key_K)
    wait_until(lambda: page.panel.table.currentIndex().row() == 1)
    assert sum(right for right, _ in rule_counts(page).values()) >= 2
    page.controller.intents.undo.undo()
    page.controller.intents.undo.undo()
    assert confirmed(page) == 0
    assert rule_counts(page) == {}
    page.controller.intents.undo.redo()
    assert confirmed(page) == 1


def test_that_several_are_confirmed_at_once_and_dismissing_undoes_it(page: RiskPage) -> None:
    page.panel.table.selectRow(0)
    model = page.panel.table.selectionModel()
    more = model.SelectionFlag.Select | model.SelectionFlag.Rows
    for row in (1, 2):
        model.select(page.panel.model.index(row, 0), more)
    chosen = page.panel.chosen_rows()
    page.panel.confirm_selected()
    assert confirmed(page) == 3
    before = page.controller.intents.undo.index()
    page.controller.notes.dismiss_all(chosen[:2], "phrase")
    assert page.controller.intents.undo.index() == before + 1
    assert confirmed(page) == 1
    notes = page.controller.notes.list_notes()
    assert sorted(note.dismissed for note in notes) == ["", "phrase", "phrase"]
    assert sum(wrong for _, wrong in rule_counts(page).values()) >= 2
    page.controller.intents.undo.undo()
    assert confirmed(page) == 3
    assert all(wrong == 0 for _, wrong in rule_counts(page).values())


def test_that_a_rule_is_weighed_until_undone(page: RiskPage, found: AttackResult) -> None:
    page.panel.table.selectRow(0)
    page.panel.confirm_selected()
    page.tabs.setCurrentWidget(page.rules)
    rule = cell(page, 0, 0)
    spin = page.rules.table.cellWidget(0, 4)
    assert isinstance(spin, QDoubleSpinBox)
    assert spin.value() == 1.0
    spin.setValue(0.5)
    assert dict(page.controller.intent.rule_weights) == {rule: 0.5}
    spin.setValue(0.0)
    assert dict(page.controller.intent.rule_weights) == {rule: 0.0}
    assert spin.text() == spin.specialValueText() != ""
    page.controller.intents.undo.undo()
    page.controller.intents.undo.undo()
    assert not page.controller.intent.rule_weights
    assert spin.value() == 1.0
    page.controller.notes.dismiss_all(flagged(found)[:40], "phrase")
    button = page.rules.table.cellWidget(0, 5)  # a suggested weight is taken by a click
    assert isinstance(button, QPushButton)
    rule = cell(page, 0, 0)
    button.click()
    assert dict(page.controller.intent.rule_weights)[rule] == 0.0


def draw_sample(page: RiskPage) -> None:
    page.tabs.setCurrentWidget(page.sample)
    page.sample.draw.click()
    wait_until(lambda: not page.sample.job.running)


def sample_of(page: RiskPage) -> QueryReview:
    return page.controller.feedback.now.review


def test_that_a_random_sample_is_judged_by_keys_and_gives_estimates(page: RiskPage) -> None:
    draw_sample(page)
    review = sample_of(page)
    assert len(review.queries) == 120
    assert len({query.row for query in review.queries}) == 120
    assert page.sample.text.text()
    page.sample.setFocus()
    sensitive = 0
    for number in range(40):
        index = page.sample.find_current()
        marked = review.strata[review.queries[index].stratum].marked
        answer = "S" if number % 10 == 9 else "Y" if marked else "N"
        sensitive += answer == "Y"
        QTest.keyClick(page.sample, getattr(Qt.Key, f"Key_{answer}"))
    parts = judged_sample(sample_of(page))
    assert sum(part.sampled for part in parts) == 36
    strata = [part for part in parts if part.stratum.marked]
    assert (strata[0].sampled, strata[0].sensitive) == (sensitive, sensitive)
    assert sum(part.sensitive for part in parts if not part.stratum.marked) == 0
    assert len(page.sample.estimate.text().splitlines()) == 3
    page.controller.intents.undo.undo()
    assert sum(bool(query.answer) for query in sample_of(page).queries) == 39
    page.controller.intents.undo.redo()
    assert sum(bool(query.answer) for query in sample_of(page).queries) == 40


def test_that_no_answer_is_taken_while_queries_are_drawn(page: RiskPage) -> None:
    draw_sample(page)
    page.sample.draw.click()
    page.sample.buttons["yes"].click()  # its query isn't shown any more
    wait_until(lambda: not page.sample.job.running)
    assert not any(query.answer for query in sample_of(page).queries)
    page.sample.buttons["yes"].click()
    assert sample_of(page).queries[0].answer == "yes"


def test_that_queries_drawn_of_another_log_are_forgotten(page: RiskPage, log: QueryLog) -> None:
    page.sample.draw.click()
    page.controller.adopt_log(OpenedLog(log, log, 1.0, "another", len(log.queries)))
    assert not page.sample.job.running


def test_that_the_most_informative_queries_count_for_rules_alone(page: RiskPage) -> None:
    page.tabs.setCurrentWidget(page.sample)
    page.sample.queue.setChecked(True)
    draw_sample(page)
    queries = sample_of(page).queries
    assert len(queries) == 40
    assert {query.stratum for query in queries} == {-1}
    for button in ("yes", "no", "yes", "no", "yes", "no"):
        page.sample.buttons[button].click()
    assert judged_sample(sample_of(page)) == ()
    assert sum(right + wrong for right, wrong in rule_counts(page).values()) >= 3


def test_that_dismissals_are_signed_and_only_those_that_still_stand_count(
    page: RiskPage, log: QueryLog, found: AttackResult, tmp_path: Path
) -> None:
    rows = flagged(found)
    book = page.controller.feedback
    page.controller.notes.dismiss_all(rows[:3], "public")
    assert not page.rules.sign.isEnabled()
    page.rules.name.setText("Ada")
    page.rules.key.setText(str(tmp_path / "ada.pem"))
    assert page.rules.sign.isEnabled()
    page.rules.sign.click()
    wait_until(lambda: bool(book.now.signed))
    assert len(parse_feedback(book.now.signed.encode()).counting) == 3
    assert "Ada" in page.rules.state.text()
    secret = signing.audit_secret(signing.audit_key())
    assert len(steward_feedback(log, book.now, secret).counting) == 3
    page.controller.notes.dismiss_session(*rows[0], "")
    page.controller.notes.dismiss_session(*rows[1], "phrase")
    assert len(steward_feedback(log, book.now, secret).counting) == 1
    page.controller.intents.undo.undo()
    page.controller.intents.undo.undo()
    assert len(steward_feedback(log, book.now, secret).counting) == 3
    edited = dataclasses.replace(book.now, signed=book.now.signed.replace("Ada", "Eve"))
    assert steward_feedback(log, edited, secret).counting == ()
    for text in list(log.queries.list_strings())[:200]:
        assert len(text) < 6 or text not in book.now.signed


def test_that_an_empty_release_exposes_nobody(page: RiskPage, log: QueryLog) -> None:
    c, state = page.controller, page.panel.empty
    params = METHODS["frequency-threshold"].params()
    plan = Plan(log_digest=log.digest, method="frequency-threshold", params=params)
    record = c.runs.add(1, plan)
    record.state, record.anonymized = "finished", flagged_logs.release_of([], [])
    c.show_run(1)
    wait_until(lambda: "nobody is exposed" in state.text.text())
    QTest.mouseClick(state.act, Qt.MouseButton.LeftButton)
    wait_until(lambda: page.panel.model.rowCount() > 0 and not page.panel.job.running)
    assert not state.isVisible()
    assert page.bar.isVisible()
    page.bar.action.click()
    wait_until(state.isVisible)
    assert "nobody is exposed" in state.text.text()
    # A project keeps what was judged of it, and not the release.
    judged = {"kept": KeptContent(queries=0, log_queries=9).to_dict()}
    record.statement, record.gates = record.anonymized.statement, judged
    record.anonymized, record.reopened = None, True
    state.text.clear()
    c.current_changed.emit(record)
    wait_until(lambda: "nobody is exposed" in state.text.text())


def test_that_queries_and_ids_are_masked_and_unread_until_somebody_asks(page: RiskPage) -> None:
    controller, panel, view = page.controller, page.panel, page.panel.session
    controller.disclosure.setChecked(False)
    controller.notes.opened.clear()
    panel.table.selectRow(1)
    wait_until(lambda: view.index == panel.model.lines[1])
    row = panel.model.index(1, MARKED)

    def queries() -> set[str]:
        return {row.data(), view.text_box.toPlainText(), view.model.index(0, 1).data()}

    assert queries() == {MASK}
    user = panel.model.index(1, USER).data()
    assert user.startswith("…")
    assert f"User {user} " in view.heading.toolTip()
    assert view.model.index(0, 1).data(MARKS) == []
    assert not controller.notes.opened
    panel.unmask.click()
    assert MASK not in queries()
    assert not panel.model.index(1, USER).data().startswith("…")
    assert controller.notes.opened == {view.first_row}
    assert page.sample.findChildren(QCheckBox)[0].isChecked(), "one rule for every page"
    controller.adopt_log(present(controller.opened))
    assert not controller.disclosure.isChecked(), "another session of work"
