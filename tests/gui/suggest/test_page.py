"""Suggest in the window: the page opens, fills as it searches, stops, and one click adopts."""

import contextlib
import dataclasses
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtWidgets import QMessageBox

from auditor.engine.plan import Plan
from auditor.errors import Cancelled
from auditor.gui.app.main_window import MainWindow
from auditor.gui.suggest.page import SuggestPage
from auditor.gui.widgets import style
from auditor.log.model import QueryLog
from auditor.privacy.selection import ParameterSelection
from auditor.progress import silent_progress
from auditor.project.model import Project
from auditor.release.kept_content import KeptContent
from auditor.release.ledger.private_choices import PrivateChoices
from auditor.release.ledger.store import ledger_path, read_ledger
from auditor.suggestions.growth import GrowthCurve, GrowthPoint
from auditor.suggestions.request import SearchHearing, SearchRequest
from auditor.suggestions.result import Obstacle, SearchCost, Suggestion, Suggestions, order_points
from auditor.suggestions.store import SearchStore
from auditor.suggestions.table import expect_verdict
from tests.gui import fakes
from tests.gui.driving import pick, settle, wait_until
from tests.narrowing import present

POLICY = """
format = "auditor policy 1"
name = "test"
[[gate]]
name = "epsilon"
figure = "statement.epsilon"
most = 10
[[gate]]
name = "queries"
figure = "release.queries"
least = 20
"""
SPENT = ParameterSelection("private", 0.5, 12)


@dataclass
class FakeSearch:
    """Tells of two suggestions; then, if it is to `wait`, goes on until it is stopped."""

    wait: bool = False
    obstacle: Obstacle | None = None
    spent: ParameterSelection = SPENT
    queries: tuple[int, ...] = (30, 90)
    growth: GrowthCurve | None = None
    requests: list[SearchRequest] = field(default_factory=list)

    def suggest(self, request: SearchRequest, b: float, queries: int) -> Suggestion:
        """A release that is expected of one b."""
        params = fakes.FakeParams(b=b)
        statement = fakes.statement(params)
        return Suggestion(
            method="fake",
            params=params,
            family="plain",
            utility=float(queries),
            verdict=expect_verdict(statement, KeptContent(queries=queries), request.policy, 30),
            statement=statement,
            reasons=("ε ≤ 10 binds.",),
            selection=self.spent if request.mode == "private" else None,
        )

    def __call__(
        self, request: SearchRequest, log: QueryLog, hearing: SearchHearing, store: SearchStore
    ) -> Suggestions:
        self.requests.append(request)
        points = [
            self.suggest(request, b, queries)
            for b, queries in zip((8.0, 6.0), self.queries, strict=False)
        ]
        for point in points:
            hearing.on_candidate(point)
        with contextlib.suppress(Cancelled):
            hearing.progress.report("comparing settings on 30 users", 0, 4)
            while self.wait:
                hearing.progress.check()
                time.sleep(0.005)
        return Suggestions(
            mode=request.mode,
            goal=request.goal.title,
            policy=request.policy.name,
            users=30,
            points=order_points(points),
            obstacle=self.obstacle,
            growth=self.growth,
            cost=SearchCost(1.0, 1.0, 7, 0, 0),
            stopped="cancelled" if self.wait else "",
        )


@pytest.fixture
def window(opened: MainWindow) -> MainWindow:
    opened.policy.use_for_project(POLICY)
    opened.suggestions.automatic = False
    opened.strip.suggest.click()
    return opened


@pytest.fixture
def page(window: MainWindow) -> SuggestPage:
    return window.suggestions


def press_search(page: SuggestPage) -> None:
    """Press Search, and agree to what a private search costs."""
    page.search.click()
    question = page.findChild(QMessageBox)
    assert (question is not None) == (page.chosen_way == "private")
    if question is not None:
        assert not page.job.running
        next(button for button in question.buttons() if "Spend" in button.text()).click()


def search(page: SuggestPage, searcher: FakeSearch) -> None:
    page.search_with = searcher
    press_search(page)
    settle(page)


def spent(window: MainWindow) -> float:
    """ε that the configuration states for choosing it."""
    selection = window.controller.intent.selection
    return 0.0 if selection is None else selection.epsilon


def test_that_the_strip_and_protect_lead_to_the_page(window: MainWindow, page: SuggestPage) -> None:
    assert page.isVisible()
    assert (window.width(), window.height()) == (1366, 768)
    assert page.search.isEnabled()
    assert not page.adopt.isEnabled()
    assert "private selection" in page.meaning.text()
    window.strip.review.setEnabled(True)
    window.review_run()
    assert window.workspace == "release"
    for by_hand in (False, True):  # until somebody chooses otherwise
        window.show_workspace("log")
        window.show_workspace("protect")
        assert page.isVisible() != by_hand
        assert window.protect.params.isVisible() == by_hand
        page.by_hand.click()


def test_that_the_best_comes_first_and_is_adopted_with_its_cost(window: MainWindow) -> None:
    page, intents = window.suggestions, window.controller.intents
    searcher = FakeSearch()
    search(page, searcher)
    (request,) = searcher.requests
    assert (request.mode, request.selection_epsilon) == ("private", 0.5)
    assert request.users == page.controller.users
    assert page.table.rowCount() == 2
    assert "90 queries" in present(page.table.item(0, 3)).text()
    assert "ε ≤ 10 binds." in page.reasons.text()
    assert "Settings compared: 7;" in page.status.text()
    page.setPalette(style.theme_palette(style.DARK))  # no colour of the other theme stays
    assert present(page.table.item(0, 1)).foreground().color().name() == style.DARK.muted
    page.adopt.click()
    assert intents.intent.params == fakes.FakeParams(b=6.0)
    assert intents.intent.selection == SPENT
    assert window.workspace == "protect"
    intents.undo.undo()
    assert intents.intent.params == fakes.FakeParams()


def test_that_nothing_takes_back_what_private_searches_cost(window: MainWindow) -> None:
    page, controller = window.suggestions, window.controller
    search(page, FakeSearch())
    first = page.points[0]
    assert spent(window) == 0.5  # though no suggestion was adopted
    page.adopt_suggestion(first)
    search(page, FakeSearch(spent=ParameterSelection("private", 1.25, 12, searches=2)))
    page.adopt_suggestion(first)  # it says the cost of the first search only
    assert spent(window) == 1.25
    while controller.intents.undo.canUndo():
        controller.intents.undo.undo()
    assert spent(window) == 1.25
    before = present(controller.opened)
    fakes.open_log(controller, fakes.small_log().sample_users(3, 0), "other.tsv")
    assert spent(window) == 0.0
    controller.adopt_log(before)
    assert spent(window) == 1.25
    controller.run()  # which states both searches
    (run,) = controller.runs
    selection = present(run.plan.selection)
    assert (selection.epsilon, selection.searches) == (1.25, 2)
    wait_until(lambda: controller.running is None)


def test_that_a_log_states_what_the_ledger_knows_was_spent_on_choosing(window: MainWindow) -> None:
    log = fakes.small_log()
    answer = {"epsilon": 0.5, "method": "fake", "params": {}, "candidates": 12}
    for name in "ab":
        PrivateChoices(ledger_path()).keep_answer(log, name, answer, silent_progress())
    entries = read_ledger(ledger_path()).entries
    part = log.rows(np.arange(len(log)) > 0)  # another log by its digest
    fakes.open_log(window.controller, part)
    selection = present(window.controller.intent.selection)
    assert selection == ParameterSelection("private", 1.0, 12, 2, chosen=selection.chosen)
    assert read_ledger(ledger_path()).entries == entries  # opening writes nothing


def test_that_a_private_suggestion_does_not_take_back_an_open_look(page: SuggestPage) -> None:
    intents = page.controller.intents
    plan = Plan(log_digest="", method="fake", params=fakes.FakeParams(b=6.0))
    intents.adopt_plan(dataclasses.replace(plan, selection=ParameterSelection("open", 0.0, 7)))
    better = fakes.FakeParams(b=8.0)
    intents.adopt_plan(dataclasses.replace(plan, params=better, selection=SPENT))
    assert intents.intent.params == better
    assert intents.intent.selection == ParameterSelection("open", 0.0, 7)


def test_that_a_project_states_what_was_spent_whatever_was_open(page: SuggestPage) -> None:
    controller = page.controller
    intent = dataclasses.replace(controller.intent, selection=SPENT)
    opened = controller.opened
    fakes.open_log(controller, fakes.small_log().sample_users(3, 0), "other.tsv")
    controller.restore_project(Project(intent=intent), opened)
    assert controller.intent.selection == SPENT


def test_that_suggestions_appear_during_a_search_and_stay_after_it(page: SuggestPage) -> None:
    pick(page.way, "free")
    page.search_with = FakeSearch(wait=True)
    page.search.click()
    wait_until(lambda: page.table.rowCount() == 2)
    assert page.job.running
    assert not page.search.isEnabled()
    assert page.stop.isEnabled()
    page.stop.click()
    settle(page)
    assert page.table.rowCount() == 2
    assert "ended early" in page.status.text()
    assert page.search.isEnabled()
    page.search_with = searcher = FakeSearch(wait=True, queries=())
    page.search.click()
    wait_until(lambda: bool(searcher.requests))
    page.stop.click()
    settle(page)
    assert page.title.text() == "The search ended before it found anything"


def test_that_cards_show_extremes_and_one_click_runs_one(window: MainWindow) -> None:
    page = window.suggestions
    pick(page.way, "free")
    search(page, FakeSearch())
    useful, protective, shaped = page.cards
    assert page.title.text() == "2 releases are expected to pass “test”"
    assert "90 queries" in useful.leaves.text()
    assert "30 queries" in protective.leaves.text()  # b = 8: less ε
    assert not shaped.use.isVisible()
    assert "made-up sessions" in shaped.leaves.text()
    protective.tune.click()
    assert window.controller.intent.params == fakes.FakeParams(b=8.0)
    assert not len(window.controller.runs)
    window.show_suggestions()
    assert page.isVisible()
    useful.use.click()
    assert window.controller.intent.params == fakes.FakeParams(b=6.0)
    assert not page.isVisible()
    wait_until(lambda: [run.state for run in window.controller.runs] == ["finished"])


@pytest.mark.parametrize(
    "change",
    [
        lambda window: window.policy.use_for_project(window.policy.text + "\n"),
        lambda window: window.release.exported.emit(0, Path("release")),
    ],
    ids=["another policy", "an export"],
)
def test_that_nothing_stays_of_a_search_that_is_judged_otherwise_by_now(
    window: MainWindow, change: Callable[[MainWindow], None]
) -> None:
    page = window.suggestions
    search(page, FakeSearch())
    window.policy.changed.emit()  # of the same policy
    assert page.points
    change(window)
    assert not page.points
    assert not page.cards[0].use.isVisible()
    page.search_with = FakeSearch(wait=True, spent=ParameterSelection("private", 1.25, 12))
    press_search(page)
    wait_until(lambda: bool(page.points))
    change(window)
    settle(page)
    assert not page.points
    assert spent(window) == 1.25  # spent all the same


def test_that_a_search_by_size_begins_by_itself_and_is_told(window: MainWindow) -> None:
    page = window.suggestions
    searcher = page.search_with = FakeSearch(wait=True)
    page.automatic = False
    window.log.content_found.emit(None)
    assert not page.job.running
    page.automatic = True
    window.strip.suggest.click()
    wait_until(lambda: "comparing settings" in window.status.stage.toolTip())
    assert [(request.mode, request.budget) for request in searcher.requests] == [("sizes", 60.0)]
    window.show_workspace("log")
    assert window.status.isVisible()
    page.stop.click()
    settle(page)
    assert "2 releases" in window.status.stage.toolTip()
    window.log.content_found.emit(None)  # what was searched is not searched again
    assert not page.job.running


def test_that_what_is_in_the_way_is_said(page: SuggestPage) -> None:
    pick(page.way, "sizes")
    obstacle = Obstacle(("Some queries are left: 3",), ("More users: 12 are enough.",))
    search(page, FakeSearch(obstacle=obstacle, queries=(3, 2)))
    assert page.title.text() == "Nothing that was looked at passes “test”"
    useful, protective, _shaped = page.cards
    assert "12 are enough" in useful.leaves.text()
    assert not useful.use.isVisible()
    assert not protective.leaves.text()


def test_that_a_private_search_that_nobody_agrees_to_spends_nothing(page: SuggestPage) -> None:
    page.search_with = FakeSearch()
    page.search.click()
    question = present(page.findChild(QMessageBox))
    assert "0.5" in question.text()
    question.reject()
    assert not page.job.running
    assert not page.search_with.requests


def test_that_an_error_is_said_and_a_new_log_clears_all(window: MainWindow) -> None:
    page = window.suggestions
    pick(page.goal, "ndcg")
    press_search(page)  # the real one: a private choice can't maximise that
    settle(page)
    assert "queries or volume" in page.status.text()
    pick(page.goal, "queries")
    search(page, FakeSearch())
    page.adopt_suggestion(page.points[0])
    assert window.controller.intent.selection == SPENT
    other = fakes.small_log().sample_users(3, 0)
    fakes.open_log(window.controller, other, "other.tsv")
    assert page.table.rowCount() == 0
    assert window.controller.intent.selection is None


def test_that_the_log_page_says_what_larger_logs_can_have(window: MainWindow) -> None:
    page = window.suggestions
    before = window.log.capacity.text()
    points = GrowthPoint(30, 90.0, 80.0, 99.0), GrowthPoint(300, 900.0, 700.0, 1_200.0)
    page.search_with = FakeSearch(growth=GrowthCurve(points, 30, "SafeLog, ε 1", 30))
    press_search(page)
    settle(page)
    text = window.log.capacity.text()
    assert "With 30 users" in text
    assert "300 users: about 900 (95 %: 700 to 1,200)" in text
    assert "extrapolated from 30" in text
    page.search_with = FakeSearch()
    press_search(page)
    wait_until(lambda: "not known" in window.log.capacity.text())
    page.search_with = FakeSearch(queries=(3, 2))
    press_search(page)
    wait_until(lambda: "nothing that was looked at can pass" in window.log.capacity.text())
    fakes.open_log(window.controller)
    assert window.log.capacity.text() == before
