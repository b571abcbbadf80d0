"""The search: what it finds and costs, that it goes on, and what it says if nothing passes."""

import copy
import dataclasses
import json
import math
import re
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from auditor.errors import AuditorError, MissingInput, ParameterError
from auditor.log.model import QueryLog
from auditor.log.synthetic.generator import synthesize_log
from auditor.methods import registry
from auditor.privacy.randomness import PreviewRandomness
from auditor.progress import Progress, silent_progress
from auditor.release.kept_content import KeptContent
from auditor.release.policy.policy import Policy, bundled_text, default_policy, parse_policy
from auditor.release.verdict import ReleaseState
from auditor.suggestions import passing
from auditor.suggestions.candidates import SearchCandidate, list_families, list_public_candidates
from auditor.suggestions.estimates import SAFE, expect_statement
from auditor.suggestions.limits import PolicyLimits
from auditor.suggestions.passing import (
    LISTED_DELTA_STEP,
    LISTED_DELTA_STEPS,
    FamilySearch,
    PlantedGates,
    list_withstanding,
)
from auditor.suggestions.remedies import CUT_SHORT, LEAST_LEFT, TOO_FEW
from auditor.suggestions.request import SearchHearing, parse_goal
from auditor.suggestions.result import (
    Suggestion,
    Suggestions,
    format_line,
    list_telling,
    pick_choices,
)
from auditor.suggestions.search import UNSURE_CHOICE, suggest_release
from auditor.suggestions.store import SearchStore
from auditor.suggestions.table import NOT_ATTACKED, CandidateTable, TooLittleTime, expect_verdict
from tests.narrowing import present
from tests.suggestions.searches import make_policy, parse_gates, request, search

SHARE = """
[[gate]]
name = "searches"
figure = "release.searches_share"
least = """
HIDDEN = """
[[gate]]
name = "identifiers"
title = "No address, number or card of a person"
figure = "attack.worst.sessions_surviving"
most = 0
"""
METHODS = ("safelog", "set-union", "zealous")


@pytest.fixture(scope="module")
def log() -> QueryLog:
    return synthesize_log(1_200, days=20, seed=3).log


@pytest.fixture(scope="module")
def store() -> SearchStore:
    return SearchStore()


@pytest.fixture(scope="module")
def heard() -> list[Suggestion]:
    return []


@pytest.fixture(scope="module")
def usual(log: QueryLog, store: SearchStore, heard: list[Suggestion]) -> Suggestions:
    """What is found by `METHODS` on the log, heard by the way."""
    hearing = SearchHearing(on_candidate=heard.append)
    return suggest_release(request(methods=METHODS, growth=True), log, hearing, store)


def test_that_what_is_suggested_passes_in_full_and_says_what_binds(
    usual: Suggestions, heard: list[Suggestion]
) -> None:
    result, best = usual, present(usual.best)
    assert best.verdict.state is ReleaseState.RELEASABLE
    assert best.utility == best.verdict.kept.queries
    assert best.utility >= 3
    assert any("ε ≤ 8 binds" in reason for reason in best.reasons)
    assert any("up to 2,000 users" in reason for reason in best.reasons)
    assert best.on_front
    assert best.verdict.worst is None  # the policy asks for no attack
    assert NOT_ATTACKED in best.reasons
    front = [point for point in result.front if not point.expected]
    assert len({point.statement.epsilon for point in front}) > 1
    assert all(point in result.points for point in result.front)
    assert heard
    assert result.cost.runs >= 2
    assert result.cost.looked_at > 20
    assert result.growth is not None
    queries = [point.queries for point in result.growth.points]
    assert queries == sorted(queries)
    assert all(point.low <= point.queries <= point.high for point in result.growth.points)
    assert next(iter(result.to_frame()["method"])) == best.method
    assert result.to_dict()["suggestions"][0]["params"] == best.params.to_dict()


def test_that_a_large_log_shows_what_a_sample_lets_expect_first(
    log: QueryLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(passing, "SAMPLE", 300)
    search = FamilySearch(log, parse_goal("queries"), silent_progress())
    families = list_families(PolicyLimits.of(make_policy(), 1_200), METHODS)
    (sample, first), (whole, best) = search.iterate_best(families)
    assert (len(sample.log.users), sample.scale) == (300, 4.0)
    assert whole is search.part
    assert {(c.method, c.family) for c in best} <= {(c.method, c.family) for c in first}


def test_that_of_settings_of_a_kind_that_fail_the_first_alone_is_listed(usual: Suggestions) -> None:
    passing = present(usual.best)
    few, policy = KeptContent(queries=9_999), make_policy(queries=20_000)
    verdict = expect_verdict(passing.statement, few, policy, 1_200)
    (failed,) = verdict.failed
    assert failed.evidence == "9,999, wanted at least 20,000"
    first = dataclasses.replace(passing, verdict=verdict, utility=9_999.0)
    second = dataclasses.replace(first, utility=9_998.0)
    assert not first.may_pass
    assert list_telling((passing, passing, first, second)) == (passing, passing, first)
    more = dataclasses.replace(usual, points=(first, second, second))
    assert more.text().count(f"  {first.title}:") == 1
    assert len(more.to_frame()) == 3


def test_that_the_same_search_goes_on_from_what_it_knows(
    log: QueryLog, store: SearchStore, usual: Suggestions
) -> None:
    again = suggest_release(request(methods=METHODS), log, store=store)
    assert again.cost.reused >= 2
    assert again.cost.runs == 0
    assert present(again.best).verdict.state is ReleaseState.RELEASABLE


class UnluckyStore(SearchStore):
    """Says of each run that it is asked for the first time that it showed a flagged session."""

    def __init__(self) -> None:
        super().__init__()
        self.spoilt: set[str] = set()

    def keep_run(self, digest: str, record: Mapping[str, Any]) -> None:
        super().keep_run(digest, record)
        self.spoilt.discard(digest)

    def find_run(self, digest: str) -> Mapping[str, Any] | None:
        record = super().find_run(digest)
        if record is None or digest not in self.spoilt:
            return record
        plain = copy.deepcopy(dict(record))
        for attack in plain["recorded"]["attacks"].values():
            attack["surviving"] = [{"reasons": ["e-mail address"], "sessions": 1}]
        return plain


@pytest.mark.slow
def test_that_one_unlucky_run_does_not_cost_the_best_setting(log: QueryLog) -> None:
    """A gate that is calculated to pass in nearly all runs is looked at again if it fails."""
    store = UnluckyStore()
    search = request(policy=make_policy(more=HIDDEN), methods=("set-union",))
    first = present(suggest_release(search, log, store=store).best)
    runner = CandidateTable(search, log, SearchHearing(), store).runner
    store.spoilt = {runner.make_plan(first.method, first.params).digest}
    spoilt = present(runner.judge(first.method, first.params))
    assert [check.gate.name for check in spoilt[0].failed] == ["identifiers"]
    result = suggest_release(search, log, store=store)
    assert result.best is not None
    assert result.best.params == first.params
    assert result.best.verdict.state is ReleaseState.RELEASABLE
    assert result.cost.runs == 1
    assert (result.best.rate.runs, result.best.rate.passed) == (7, 6)
    assert result.best.rate.calculated >= SAFE
    runs = result.best.to_dict()["runs"]
    assert runs == {"made": 7, "passed": 6, "calculated_to_pass": result.best.rate.calculated}
    assert any("fewer than one in" in reason for reason in result.best.reasons)


def test_that_the_budget_ends_the_search(log: QueryLog) -> None:
    began = time.process_time()
    result = search(log, budget=0.05, growth=True)
    assert result.stopped == "budget"
    assert time.process_time() - began < 5.0
    assert result.cost.runs == 0


def test_that_a_full_run_that_does_not_fit_is_not_started_and_named(log: QueryLog) -> None:
    short = request(policy=default_policy(), methods=("set-union",), budget=0.5)
    table = CandidateTable(short, log, SearchHearing(), SearchStore())
    limits = PolicyLimits.of(short.policy, len(log.users))
    candidate = present(list_families(limits, ("set-union",))[0].make_candidate(5))
    with pytest.raises(TooLittleTime):
        table.run_in_full(candidate)
    assert "The next full run (Set union) is expected to take" in table.too_long
    assert table.runner.runs == 0


def test_that_a_setting_that_the_log_is_too_small_for_is_refused_not_the_search(
    log: QueryLog,
) -> None:
    """Groups of 200 of 150 users: that ended the whole search without an answer."""
    few, groups = log.sample_users(150, 0), request(methods=("microaggregation",))
    table = CandidateTable(groups, few, SearchHearing(), SearchStore())
    params = registry.METHODS["microaggregation"].params.of({"k": 200})
    assert table.run_in_full(SearchCandidate("microaggregation", params, "", 200)) is None


@pytest.mark.parametrize(
    ("policy", "methods"),
    [
        (make_policy(1.0, 6), METHODS),
        # At so small an ε adaptive weights have no noise: they are left out, and no error.
        (make_policy(0.001, 6, HIDDEN), ("set-union", "zealous")),
    ],
)
def test_that_it_is_said_what_is_missing_where_nothing_passes(
    log: QueryLog, policy: Policy, methods: tuple[str, ...]
) -> None:
    result = search(log.sample_users(150, 0), policy=policy, methods=methods)
    assert result.best is None
    obstacle = present(result.obstacle)
    assert any("Some queries are left" in gate for gate in obstacle.gates)
    remedies = " ".join(obstacle.remedies)
    assert "ε ≤" not in remedies  # the policy allows no more
    assert ("users of this kind about" in remedies) == (methods == METHODS)


def test_that_the_limit_that_is_named_lets_something_pass(log: QueryLog) -> None:
    few = log.sample_users(500, 0)
    methods = ("set-union",)
    result = search(few, policy=make_policy(40.0, 1_000_000, HIDDEN), methods=methods)
    assert result.best is None
    lines = [line for line in present(result.obstacle).remedies if line.startswith("Policy: let")]
    assert lines
    least = present(re.search(r"be ([0-9,]+) or more", lines[0]))
    queries = int(least[1].replace(",", ""))
    assert queries >= LEAST_LEFT
    surely = queries - 4 * math.isqrt(queries)  # four deviations of a run's noise below the limit
    again = search(few, policy=make_policy(40.0, surely, HIDDEN), methods=methods)
    best = present(again.best)
    assert best.verdict.state is ReleaseState.RELEASABLE


def test_that_the_end_of_the_time_cuts_what_would_help_short(log: QueryLog) -> None:
    """A stop while remedies are looked for keeps the answer, and says that it is not whole."""
    few, stop = log.sample_users(150, 0), threading.Event()

    def end_search(stage: str, _done: int, _total: int) -> None:
        if stage == "looking for remedies":
            stop.set()

    hearing = SearchHearing(progress=Progress(end_search, stop))
    small = request(policy=make_policy(1.0, 6), methods=METHODS)
    result = suggest_release(small, few, hearing)
    assert result.stopped == "cancelled"
    assert result.best is None
    assert result.obstacle is not None
    assert any("Some queries are left" in gate for gate in result.obstacle.gates)
    # Where noise let a query out, the run itself says which limit would do; nothing else is known.
    (remedy,) = result.obstacle.remedies
    assert remedy == CUT_SHORT or remedy.startswith("Policy: let “Some queries are left” be ")


def test_that_a_cancel_keeps_what_was_found_and_sends_nobody_to_another_log(log: QueryLog) -> None:
    stop = threading.Event()
    heard: list[Suggestion] = []

    def hear(point: Suggestion) -> None:
        heard.append(point)
        stop.set()

    too_many = request(policy=make_policy(queries=1_000_000), methods=METHODS)
    hearing = SearchHearing(on_candidate=hear, progress=Progress(cancelled=stop))
    result = suggest_release(too_many, log, hearing)
    assert (result.stopped, result.cost.runs) == ("cancelled", 0)
    assert {point.title for point in result.points} == {point.title for point in heard}
    assert present(result.obstacle).remedies == (CUT_SHORT,)
    assert format_line(result.points[0]).endswith("stopped by “Some queries are left”")


def test_that_a_log_of_one_user_says_that_it_is_too_small(log: QueryLog) -> None:
    result = search(log.sample_users(1, 0), methods=METHODS, growth=True)
    assert result.best is None
    assert result.growth is None
    assert TOO_FEW in present(result.obstacle).remedies


def test_that_more_users_are_really_enough(log: QueryLog) -> None:
    """What it says of more users, held against the larger log itself."""
    few = log.sample_users(300, 1)
    small = search(few, methods=("set-union",), growth=True)
    forecast = next(point for point in present(small.growth).points if point.users == 1_200)
    full = search(log, methods=("set-union",))
    assert full.points
    expected = max(point.utility for point in full.points)
    assert forecast.low * 0.8 <= expected <= forecast.high * 1.25


def log_of_one_query(text: str, users: int) -> QueryLog:
    return QueryLog.from_columns(
        user=[str(number) for number in range(users)], query=[text] * users, time=[1] * users
    )


def test_that_sizes_look_at_nothing_but_the_public_number_of_users() -> None:
    logs = [log_of_one_query("alike", 250), log_of_one_query("another", 251)]
    results = [search(log, mode="sizes", methods=METHODS, growth=True) for log in logs]
    first, second = (result.to_dict() for result in results)
    assert first["suggestions"] + first["failing"]
    assert all(first[kind] == second[kind] for kind in ("suggestions", "failing"))
    assert results[0].cost.runs == 0
    assert all(point.expected for point in results[0].points)
    output = json.dumps(first)
    assert "the log has" not in output, "the made-up log's own numbers are nobody's"


def test_that_sizes_leave_room_for_what_private_choices_on_the_log_cost() -> None:
    log = QueryLog.from_columns(user=["ann", "bob"], query=["a", "b"], time=[1, 2])
    sizes, store = request(mode="sizes", users=3_000, methods=("safelog",)), SearchStore()
    before = suggest_release(sizes, log)
    answer = {"epsilon": 3.0, "method": "safelog", "params": {}}
    store.choices.keep_answer(log, "search", answer, silent_progress())
    after = suggest_release(sizes, log, store=store)
    most = [max(present(p.statement.epsilon) for p in result.points) for result in (before, after)]
    assert most[1] == pytest.approx(most[0], rel=0.01)
    assert {point.selection.epsilon for point in after.points if point.selection} == {3.0}


def test_that_sizes_offer_less_epsilon_too_and_say_why_no_log_passes() -> None:
    for users in (60, 5_000):  # groups of 200 users can't be had of a few
        log, goal = log_of_one_query("a", users), parse_goal("volume")
        result = search(log, policy=default_policy(), goal=goal, mode="sizes")
        assert "Something is guaranteed" in result.left_out
        assert result.left_out in result.to_dict()["note"]
        useful, protective, shaped = pick_choices(result.points)
        if users < 5_000:
            assert (useful, protective, shaped) == (None, None, None)
            assert result.obstacle is not None
            continue
        assert (useful, shaped) == (result.best, None)
        less, more = (present(present(p).statement.epsilon) for p in (protective, useful))
        assert less < more / 2
        assert present(protective).may_pass


def test_that_of_one_release_alone_there_is_no_more_protective_one() -> None:
    assert pick_choices(()) == (None, None, None)
    policy, params = make_policy(), registry.METHODS["set-union"].params.of({"epsilon": 1.0})
    statement = present(expect_statement("set-union", params, 1_000))
    verdict = expect_verdict(statement, KeptContent(queries=9), policy, 1_000)
    point = Suggestion("set-union", params, "", 0.1, verdict, statement)
    useful, protective, shaped = pick_choices((point,))
    assert present(useful).params == params
    assert protective is None
    assert shaped is None


def test_that_a_private_choice_is_known_again_pays_once_and_adds_up(log: QueryLog) -> None:
    store, private = SearchStore(), request(mode="private")
    first = suggest_release(private, log, None, store, PreviewRandomness(1))
    late = dataclasses.replace(private, budget=1e-6)  # too little to make it again
    again = suggest_release(late, log, None, store, PreviewRandomness(2))
    offer, same = first.points[0], again.points[0]
    assert not again.stopped
    assert (same.params, same.selection) == (offer.params, offer.selection)
    assert again.cost.looked_at == first.cost.looked_at > 10
    assert present(offer.selection).epsilon == 0.5
    assert 7.99 < present(offer.statement.epsilon) <= 8.0  # selection and release together
    # It says no more than its noise lets it: of 1,200 users that is larger than all that is kept.
    assert any("users at this ε" in reason for reason in offer.reasons)
    assert not any("queries of each user" in reason for reason in offer.reasons)
    assert UNSURE_CHOICE in first.note
    volume = dataclasses.replace(private, goal=parse_goal("volume"))
    other = suggest_release(volume, log, store=store)
    selection = present(other.points[0].selection)
    assert (selection.epsilon, selection.searches) == (1.0, 2)
    assert present(other.points[0].statement.epsilon) <= 8.0


def test_that_a_private_choice_is_among_settings_that_withstand_planted_strings(
    log: QueryLog,
) -> None:
    text = bundled_text("default.toml").replace('"advantage(epsilon)"', "0.5")
    policy = parse_policy(text.encode())  # stricter than its ε: a house may ask for that
    planted = PlantedGates(policy)
    limits = PolicyLimits.of(policy, len(log.users), 0.5)
    every = list_public_candidates(limits, METHODS)
    standing = list_withstanding(limits, planted, METHODS)
    assert all(map(planted.withstands, standing))
    # What stands at the policy's ε and δ is there as it is, and most of the rest with less.
    as_wanted = [candidate for candidate in every if planted.withstands(candidate)]
    assert 0 < len(as_wanted) < len(every)
    assert all(candidate in standing for candidate in as_wanted)
    named = [{(row.method, row.family, row.number) for row in some} for some in (every, standing)]
    assert named[0] == named[1]
    for candidate in standing:
        statement = present(expect_statement(candidate.method, candidate.params, len(log.users)))
        exchanged = 2.0 if candidate.method == "zealous" else 1.0
        assert (statement.epsilon or math.inf) + exchanged * 0.5 <= 10.0
        assert (statement.delta or math.inf) <= limits.of_method(candidate.method).delta
    best = search(log, mode="private", policy=policy, methods=METHODS).points[0]
    assert present(best.selection).candidates == len(standing)
    assert best.params in [candidate.params for candidate in standing]


def test_that_of_each_epsilon_the_largest_delta_that_withstands_is_listed() -> None:
    planted = PlantedGates(default_policy())
    limits = PolicyLimits.of(default_policy(), 1_000, 0.5)
    deltas: dict[tuple[str, str, int], list[float]] = {}
    for candidate in list_withstanding(limits, planted, ("safelog", "set-union")):
        deltas.setdefault((candidate.method, candidate.family, candidate.number), []).append(
            candidate.params.to_dict()["delta"]
        )
    for values in deltas.values():  # in the order of falling ε
        assert values == sorted(set(values))
    most = max(map(max, deltas.values()))
    assert most == pytest.approx(limits.delta)
    # One step more of δ fails: a naive look at every step of a family.
    first = deltas["set-union", "1 round", 5][0]
    for step in range(LISTED_DELTA_STEPS):
        lower = limits.of_delta(LISTED_DELTA_STEP**step)
        same = next(
            candidate
            for candidate in list_public_candidates(lower, ("set-union",))
            if (candidate.family, candidate.number) == ("1 round", 5)
        )
        if same.params.to_dict()["delta"] <= first:
            assert planted.withstands(same)
            break
        assert not planted.withstands(same)


@pytest.mark.parametrize(("least", "passes"), [(0.0, True), (1.0, False)])
def test_that_a_private_choice_that_keeps_too_few_searches_is_no_suggestion(
    log: QueryLog, least: float, passes: bool
) -> None:
    policy, goal = make_policy(more=f"{SHARE}{least}"), parse_goal("volume")
    private = request(mode="private", goal=goal, policy=policy)
    result = suggest_release(private, log, None, SearchStore(), PreviewRandomness(3))
    point = result.points[0]
    searches = present(re.search(r"About ([0-9,]+) searches are expected to be kept", result.note))
    share = int(searches[1].replace(",", "")) / log.searches_by_query.sum()
    assert point.utility == pytest.approx(share, abs=1e-3)
    assert (result.best is not None) == passes
    assert [check.gate.figure for check in point.verdict.failed] == (
        [] if passes else ["release.searches_share"]
    )


def test_that_a_goal_that_only_runs_measure_says_how_settings_were_compared() -> None:
    log = synthesize_log(20, days=5, seed=1).log
    for goal, compared in (("ndcg", True), ("volume", False)):
        result = search(log, mode="sizes", users=3_000, goal=parse_goal(goal), methods=("safelog",))
        by_share = "compared by the share of searches kept: nDCG"
        assert (by_share in result.note, "were compared" in result.note) == (compared, compared)


def test_that_a_private_choice_is_judged_by_its_noisy_estimate(log: QueryLog) -> None:
    scores = []
    for seed in range(8):
        private = request(mode="private", policy=make_policy(queries=20))
        result = suggest_release(private, log, rng=PreviewRandomness(seed))
        score = result.points[0].utility
        assert f"{score:,.0f} queries are expected" in str(result.note)
        assert (result.best is not None) == (int(score) >= 20)
        scores.append(score)
    assert min(scores) < 20 <= max(scores)


def test_that_a_private_choice_without_time_says_so_and_spends_nothing(log: QueryLog) -> None:
    store = SearchStore()
    result = suggest_release(request(mode="private", budget=1e-6), log, store=store)
    assert result.stopped == "budget"
    assert not result.points
    assert result.text().startswith(
        "The search ended before anything was found, because the time ran out. Nothing was chosen"
    )
    assert "goes on from here" not in result.text()  # there is no "here"
    assert store.choices.sum_spent(log, silent_progress()) == (0.0, 0)
    # A later search is the first.
    later = suggest_release(request(mode="private"), log, store=store).points[0]
    assert present(later.selection).epsilon == 0.5


def test_that_an_open_search_is_for_methods_without_epsilon_and_marked(log: QueryLog) -> None:
    policy = parse_gates("queries release.queries least=10")
    everything = request(mode="open", policy=policy).searched
    assert "token-hashing" in everything
    assert "safelog" not in everything
    result = search(log, mode="open", policy=policy, methods=("frequency-threshold",))
    assert {point.method for point in result.points} == {"frequency-threshold"}
    best = present(result.best)
    assert present(best.selection).look == "open"
    assert any("search on this log without noise" in a.evidence for a in best.statement.assumptions)
    assert best.params.to_dict()["n"] == 2  # nothing asks for more


def test_that_a_policy_without_methods_that_can_pass_says_why(log: QueryLog) -> None:
    result = search(log, mode="open", methods=("token-hashing",))
    assert result.best is None
    obstacle = present(result.obstacle)
    assert "Something is guaranteed" in obstacle.gates[0]
    assert "Search methods with ε" in obstacle.remedies[0]


def test_that_weights_and_names_of_goals_are_read() -> None:
    goal = parse_goal("volume=1,queries=0.5")
    assert goal.compute_utility({"volume": 0.25, "queries": 10.0}) == 5.25
    assert parse_goal("ndcg").measures == ("retrieval",)
    for wrong in ("nothing", "volume=-1", "volume=1,volume=2", "volume=x"):
        with pytest.raises(ParameterError):
            parse_goal(wrong)


def test_that_wrong_requests_are_refused(log: QueryLog) -> None:
    with pytest.raises(ParameterError, match="There is no method"):
        request(methods=("nothing",))
    with pytest.raises(ParameterError, match="budget"):
        request(budget=0.0)
    with pytest.raises(ParameterError, match="queries or volume"):
        request(mode="private", goal=parse_goal("ndcg"))
    modes = {"safelog": "open", "korolova": "private", "token-hashing": "private"}
    for name, mode in (modes | {"microaggregation": "sizes"}).items():
        with pytest.raises(ParameterError, match=f"{mode} settings of {name} can't be compared"):
            request(mode=mode, methods=(name,))
    empty = QueryLog.from_columns(user=[], query=[], time=[])
    with pytest.raises(MissingInput):
        search(empty)


def test_that_the_store_is_private_and_refused_when_damaged(tmp_path: Path) -> None:
    path = tmp_path / "suggestions.json"
    store = SearchStore(path)
    store.keep_run("run", {"kept": 1})
    assert path.stat().st_mode & 0o077 == 0
    assert SearchStore(path).find_run("run") == {"kept": 1}
    path.chmod(0o644)
    with pytest.raises(AuditorError, match="private file"):
        SearchStore(path)
    path.chmod(0o600)
    choices = {"a log": {"a search": {"epsilon": 0.5}}}  # what they cost would be forgotten
    spent = json.dumps(json.loads(path.read_text()) | {"choices": choices})
    for text in ("{}", spent):
        path.write_text(text)
        with pytest.raises(AuditorError, match="damaged"):
            SearchStore(path)
