"""The strip above every page: expected before a run, measured after it, and never away."""

import dataclasses
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication, QSlider

from auditor.attacks.risk.people_estimate import PeopleEstimate
from auditor.engine.plan import Plan
from auditor.engine.run import Run
from auditor.errors import ParameterError
from auditor.gui.app.main_window import MainWindow
from auditor.gui.app.navigation import NAMES
from auditor.gui.compare.page import VERDICT, RunsPanel
from auditor.gui.help.view import page_for
from auditor.gui.state.verdicts import PolicyKeeper
from auditor.log.model import QueryLog
from auditor.release.kept_content import KeptContent
from auditor.release.record import AttackRecord
from auditor.release.verdict import ReleaseState, ReleaseVerdict
from tests.gui import fakes
from tests.gui.driving import keep, press_run, wait_idle, wait_until
from tests.narrowing import present
from tests.release.fakes import approve_release

POLICY = """format = "auditor policy 1"
name = "ours"

[[gate]]
name = "epsilon"
title = "ε is not too large"
figure = "statement.epsilon"
most = 10
"""


def open_log(window: MainWindow) -> None:
    """With a policy that asks for no real attacks, as the bundled one does."""
    fakes.open_log(window.controller)
    window.policy.use_for_project(POLICY)


def expect_verdict(window: MainWindow) -> ReleaseVerdict:
    """Open the log; what is expected of its configuration."""
    open_log(window)
    wait_until(lambda: bool(window.verdicts.expected or window.verdicts.problem))
    return present(window.verdicts.expected)


def test_that_the_strip_says_what_is_expected_then_what_was_measured(window: MainWindow) -> None:
    expect_verdict(window)
    wait_idle(window)
    window.controller.intents.set("q_f", 5)  # it follows the slider
    wait_until(lambda: "ε 0.5" in window.strip.details.text())
    assert "(expected)" in window.strip.answer.text()
    assert "before a run" in window.strip.sentence.text()
    assert "No attack was tried yet" in window.strip.details.text()
    assert not window.strip.people.isVisible()
    press_run(window)
    wait_until(lambda: not window.verdicts.busy)
    wait_idle(window)
    assert window.strip.sentence.text().startswith("Run A · no attack on people found")
    assert window.strip.people.isVisible()
    assert "(expected)" not in window.strip.answer.text()
    assert "Fake attack" in window.strip.details.text()
    for name in NAMES:
        window.show_workspace(name)
        assert window.strip.isVisible()
    window.strip.review.click()
    assert window.workspace == "release"
    expected: list[ReleaseVerdict | None] = []  # the run is judged before the configuration
    window.verdicts.judged.connect(lambda _number: expected.append(window.verdicts.expected))
    window.verdicts.expected = None
    window.verdicts.judge_again()
    wait_until(lambda: window.verdicts.expected is not None)
    assert expected == [None]


def test_that_what_is_expected_adds_to_what_was_released_before(window: MainWindow) -> None:
    approve_release(fakes.small_log(), epsilon=50)
    total = POLICY.replace("statement.epsilon", "ledger.epsilon")
    fakes.open_log(window.controller)
    window.policy.use_for_project(total)
    wait_until(lambda: window.verdicts.expected is not None)
    verdict = present(window.verdicts.expected)
    assert verdict.state is ReleaseState.REFUSED
    assert verdict.failed[0].value == 50


def test_that_the_strip_says_what_the_log_gives_away_before_a_choice(real: MainWindow) -> None:
    log = QueryLog.from_columns(
        user=["ann", "ann", "bob", "cid"],
        query=["ann@example.org", "weather", "breast cancer", "weather"],
        time=[0, 60, 0, 0],
    )
    plain = QueryLog.from_columns(user=["ann", "bob"], query=["weather"] * 2, time=[0, 0])
    fakes.open_log(real.controller, plain, "plain")
    wait_until(lambda: "nobody of 2 users" in real.strip.answer.text())
    fakes.open_log(real.controller, log, "small")
    wait_until(lambda: "of 3 users" in real.strip.answer.text())
    assert real.strip.answer.text() == "Not as it is: 1 of 3 users at risk"
    assert "1 more" in real.strip.sentence.text()
    assert real.strip.suggest.text() == "Find a release"
    assert not real.strip.review.isVisible()
    real.strip.people.click()
    assert real.workspace == "risk"
    real.controller.intents.set("q_f", 5)
    wait_until(lambda: "(expected)" in real.strip.answer.text())
    assert not real.strip.people.isVisible()


def test_that_a_log_without_a_query_is_not_said_to_put_nobody_at_risk(real: MainWindow) -> None:
    blank = QueryLog.from_columns(user=["ann", "bob"], query=["", " "], time=[0, 0])
    fakes.open_log(real.controller, blank, "blank")
    wait_until(lambda: "no row has a query" in real.strip.answer.text())
    assert "No row has a query" in real.risk.panel.empty.text.text()
    wait_until(lambda: not real.log.busy)
    assert all(view.empty.text() and not view.has_plot for view in real.log.plots)


def test_that_the_strip_says_how_many_are_at_risk_and_how_many_are_not(window: MainWindow) -> None:
    strip, drawn = window.strip, PeopleEstimate(low=2_512, high=2_819, sample_size=900)
    for facts, answer, sentence, tone in (
        ((5_000, None), "As it is: not known yet", "", "info"),
        (
            (5_000, None, 0, drawn),
            "Not as it is: about 2,510 to 2,820 of 5,000 users at risk",
            "900 users drawn",
            "bad",
        ),
        ((5_000, 2_643, 1_086), "Not as it is: 2,643 of 5,000 users at risk", "1,086", "bad"),
        ((40, 0, 0), "nobody of 40 users", "", "info"),
    ):
        strip.show_log(*facts)
        assert answer in strip.answer.text()
        assert sentence in strip.sentence.text()
        assert strip.property("tone") == tone
    assert not strip.people.isEnabled()


def with_record(verdict: ReleaseVerdict, **changes: Any) -> ReleaseVerdict:
    return dataclasses.replace(verdict, record=dataclasses.replace(verdict.record, **changes))


def test_that_a_nearly_empty_result_is_said_after_a_cancelled_run_too(window: MainWindow) -> None:
    few = KeptContent(queries=4, log_queries=69_633, searches=700.0, log_searches=141_131)
    verdict = with_record(expect_verdict(window), kept=few)
    window.verdicts.expected = verdict
    window.verdicts.changed.emit()
    hint = window.protect.advice.hint
    assert "4 of 69,633 queries" in hint.text()
    window.protect.advice.show_kept(KeptContent(queries=8, log_queries=8))
    assert not hint.text()  # all of a small log
    window.controller.intents.set("mode", "slow")
    window.header.run.click()
    wait_until(lambda: window.controller.running is not None)
    window.menus.cancel.trigger()
    wait_idle(window)
    assert window.verdicts.current is None, "no run was judged"
    window.verdicts.expected = verdict
    window.verdicts.changed.emit()
    assert "4 of 69,633 queries" in hint.text()


def test_that_a_policy_is_read_once_and_what_is_none_is_not_replaced_in_silence() -> None:
    keeper = PolicyKeeper()
    keeper.use_for_project(POLICY)
    first = keeper.load_policy()
    assert keeper.load_policy() is first
    keeper.use_for_project(POLICY.replace("most = 10", "most = 4"))
    assert [gate.most for gate in keeper.load_policy().gates] == [4]
    keeper.use_for_project("no policy")
    with pytest.raises(ParameterError):
        keeper.load_policy()
    keeper.use_for_project(POLICY)
    assert [gate.most for gate in keeper.load_policy().gates] == [10]


def test_that_help_opens_at_what_has_the_focus(window: MainWindow) -> None:
    open_log(window)
    window.tune_by_hand()
    row = window.protect.params.rows["b"]
    assert page_for(row.findChild(QSlider), "protect") == ("methods/fake", "b")
    assert page_for(window.protect.statement, "protect")[0] == "guide/choosing-a-method"
    assert page_for(None, "")[0] == "guide/getting-started"


def test_that_the_reasons_unfold_and_do_not_push_a_window_with_large_text_off_the_screen(
    large_text: None, window: MainWindow
) -> None:
    open_log(window)
    wait_until(lambda: window.strip.why.isEnabled())
    window.resize(1366, 768)
    QApplication.processEvents()
    window.strip.details.setText(window.strip.details.text() + "\na reason" * 40)
    window.strip.why.click()
    wait_until(window.strip.details.isVisible)
    details = window.strip.details.text()
    assert "Failed: " in details or "Not made yet: " in details
    assert window.strip.answer.text() not in details  # the strip says that already
    assert window.strip.reasons.height() <= 13 * window.fontMetrics().lineSpacing()
    QApplication.processEvents()
    assert window.minimumSizeHint().height() <= 768
    assert window.height() <= 768
    assert all(button.isVisible() for button in window.rail.buttons.values())
    window.strip.why.click()
    assert not window.strip.details.isVisible()


def test_that_the_strip_speaks_of_people_and_of_overridden_checks(window: MainWindow) -> None:
    verdict = expect_verdict(window)
    content = KeptContent(queries=4, log_queries=69)
    attacks = {"fake-attack": AttackRecord("fake-attack", counts=(0, 0), figures={"rate": 0.0})}
    ran = with_record(verdict, expected=False, attacks=attacks, kept=content)
    window.strip.show_verdict(ran, "Run B")
    assert window.strip.sentence.text() == (
        "Run B · no attack on people found anything to try · keeps 4 of 69 queries"
    )
    window.strip.show_verdict(with_record(ran, attacks={}), "Run C")
    assert "no attack was tried" in window.strip.sentence.text()
    check = next(iter((*verdict.failed, *verdict.not_run, *verdict.passed)))
    signed = with_record(
        dataclasses.replace(verdict, state=ReleaseState.RELEASABLE),
        expected=False,
        judged=(dataclasses.replace(check, verdict="failed"),),
        overridden=(check.gate.name,),
    )
    window.strip.show_verdict(signed, "Run A")
    assert f"with a reason: {check.gate.title}." in window.strip.details.text()
    panel = keep(RunsPanel(lambda _number: signed))
    plan = Plan(log_digest="", method="fake", params=fakes.FakeParams())
    panel.show_runs([Run(plan, number=0, letter="A", state="finished")], None)
    cell = panel.table.model().index(0, VERDICT)
    assert cell.data().startswith("! Can be released with 1 check overridden")


def test_that_the_sentence_keeps_its_lines_while_a_run_is_judged(opened: MainWindow) -> None:
    window, strip = opened, opened.strip
    wait_idle(window)
    strip.show_verdict(None, "Run A")
    QApplication.processEvents()
    one_line = strip.sentence.height()
    strip.show_verdict(None, "Run A \u00b7 " + "a sentence in people that goes on " * 8)
    assert strip.sentence.height() >= strip.sentence.heightForWidth(strip.sentence.width())
    two_lines = strip.sentence.height()
    assert two_lines > one_line
    strip.show_verdict(None, "Run A is being judged")
    QApplication.processEvents()
    assert strip.sentence.height() == two_lines
    strip.show_log(40, 0)
    QApplication.processEvents()
    assert strip.sentence.height() == one_line
