"""Gates decided without a run, and suppression for them, against attacks and drawing."""

import dataclasses
import math
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest

from auditor.attacks.base import Evidence, FlaggedFindings
from auditor.attacks.detection.marked_strings import mark_identifying
from auditor.attacks.planted_strings import force_strings
from auditor.attacks.registry import ATTACKS, list_content_attacks
from auditor.engine.backends import local
from auditor.log.model import QueryLog
from auditor.log.synthetic.generator import synthesize_log
from auditor.methods.registry import METHODS
from auditor.methods.suppression import IDENTIFIERS, NAMES, NOTHING
from auditor.privacy.noise import PreviewRandomness
from auditor.privacy.release import Anonymized
from auditor.progress import silent_progress
from auditor.release.policy.policy import Gate, default_policy
from auditor.suggestions.candidates import list_dp_methods, list_families
from auditor.suggestions.estimates import (
    SAFE,
    HiddenQueries,
    LogPart,
    estimate_content,
    find_hidden,
    planted_chances,
    predicted_gates,
)
from auditor.suggestions.limits import PolicyLimits
from auditor.suggestions.passing import OFF, FamilySearch, PassingSettings, PlantedGates
from auditor.suggestions.private_selection import score_candidate
from auditor.suggestions.request import parse_goal
from tests.methods.logs import Row, log_of
from tests.narrowing import present

QUIET = silent_progress()
READING = ATTACKS[list_content_attacks("strings")[0]]
"""The attack that reads strings of a release."""


def flag_sessions(log: QueryLog, release: Anonymized) -> FlaggedFindings:
    """What the attack makes of a release of the log."""
    evidence, rng = Evidence(log=log, release=release), np.random.default_rng(0)
    return present(READING.run(evidence, READING.params(), rng=rng, progress=QUIET).findings)


@pytest.fixture(scope="module")
def log() -> QueryLog:
    return synthesize_log(600, days=15, seed=4).log


@pytest.fixture(scope="module")
def hidden(log: QueryLog) -> tuple[HiddenQueries, ...]:
    return find_hidden(log, default_policy(), QUIET)


def test_that_sessions_are_counted_as_the_attack_counts_them(
    log: QueryLog, hidden: tuple[HiddenQueries, ...]
) -> None:
    params = METHODS["frequency-threshold"].params().replace(n=1)
    preview = local.apply_method(log, "frequency-threshold", params, PreviewRandomness(0), QUIET)
    half = preview.local_content.queries.take(np.arange(0, len(preview.local_content.queries), 2))
    everything = log_of([("a", text, n, None) for n, text in enumerate(half.list_strings(), 1)])
    findings = flag_sessions(log, dataclasses.replace(preview, content=everything))
    released = log.queries.match(half) >= 0
    for group in hidden:
        labels = enumerate(findings.reasons)
        mask = sum(1 << bit for bit, label in labels if label in group.gate.reasons)
        flagged = (findings.surviving > 0) & (findings.reason & np.uint64(mask) != 0)
        chance = np.append(released[group.queries], np.zeros(len(group.addresses)))
        assert len(np.unique(group.session[chance.astype(bool)[group.place]])) == flagged.sum()
    assert len(hidden) == len(predicted_gates(default_policy())) == 2


def test_that_chances_of_passing_are_those_of_drawn_releases() -> None:
    chance = np.array([0.02, 0.3, 0.1])
    session, place = np.array([0, 0, 1, 2, 3]), np.array([0, 1, 1, 2, 2])
    drawn = np.random.default_rng(0).random((20_000, 3)) < chance
    counts = np.zeros((20_000, 4), dtype=bool)
    for column, query in zip(session, place, strict=True):
        counts[:, column] |= drawn[:, query]
    for most, off in ((0.0, 0.01), (1.0, 0.1), (4.0, 0.02)):
        hidden = HiddenQueries(Gate("g", "", "x", most=most), np.arange(3), session, place)
        truth = (counts.sum(axis=1) <= most).mean()
        assert hidden.pass_chance(chance) == pytest.approx(truth, abs=off)


@pytest.mark.parametrize(
    ("method", "changes"),
    [
        ("set-union", {"epsilon": 6.0, "delta": 1e-5, "q_f": 50}),
        ("set-union", {"epsilon": 8.0, "delta": 1e-5, "q_f": 20, "rounds": 2}),
        ("set-union", {"epsilon": 9.0, "delta": 1e-5, "q_f": 40, "weighting": "screened"}),
        ("set-union", {"epsilon": 3.0, "delta": 1e-7, "q_f": 200, "weighting": "screened"}),
        ("set-union", {"epsilon": 9.0, "delta": 1e-5, "weighting": "adaptive", "rounds": 3}),
        ("zealous", {"epsilon": 8.0, "delta": 1e-5, "m": 3}),
        ("partition-selection", {"epsilon": 8.0, "delta": 1e-5, "q_f": 5}),
    ],
)
def test_that_planted_strings_come_out_as_often_as_calculated(
    method: str, changes: dict[str, float]
) -> None:
    params = METHODS[method].params().replace(**changes)
    out = present(planted_chances(params, np.arange(200.0)))
    assert out[0] == 0.0
    forced = present(force_strings(local.make_rerun(method, params, 7), 1, 3, QUIET))
    assert forced.accounts is not None
    assert forced.after == pytest.approx(out[forced.accounts], abs=0.06)
    assert forced.before == pytest.approx(out[forced.accounts - 1], abs=0.06)
    assert forced.accounts == pytest.approx(int(np.argmax(out >= 0.5)), abs=1)


def test_that_no_setting_of_a_family_that_passes_is_better(
    log: QueryLog, hidden: tuple[HiddenQueries, ...]
) -> None:
    policy = default_policy()
    gates = tuple(gate for gate in policy.gates if "planted" not in gate.figure)
    policy = dataclasses.replace(policy, gates=gates)
    limits = PolicyLimits.of(policy, len(log.users)).with_epsilon(60.0)
    limits = limits.of_delta(0.05 / limits.delta)  # so much that settings fail the gates
    limits = dataclasses.replace(limits, queries=1.0, share=0.0)
    part = LogPart(log, 1.0, hidden=hidden)
    search = FamilySearch(log, parse_goal("queries"), QUIET)
    (family,) = list_families(limits, ("zealous",))
    passing = PassingSettings(search, part, limits, PlantedGates(policy))
    numbers = (1, 2, 3, 5, 8)
    usual = [search.rate(candidate, part) for candidate in family.iterate_candidates(numbers)]
    assert any(candidate is not None and candidate.estimate.safe < SAFE for candidate in usual)
    best = next(passing.find([(family, numbers)]))
    assert best.estimate.safe >= SAFE
    for share in 10 ** -np.arange(0.0, 8.0, 0.4):
        (family,) = list_families(limits.of_delta(share), ("zealous",))
        for candidate in family.iterate_candidates(numbers):
            rated = search.rate(candidate, part)
            if rated is not None and rated.estimate.hides:
                assert rated.utility <= best.utility * 1.03 + 0.5


def test_that_counts_by_level_give_what_the_method_expects(log: QueryLog) -> None:
    limits = PolicyLimits.of(default_policy(), len(log.users))
    for family in list_families(limits, ("zealous", "safelog", "partition-selection")):
        case = present(family.make_candidate(5))
        look = present(METHODS[case.method].outlook)
        params = case.params.replace(suppress=NOTHING)  # expectations are those of the method alone
        outlook = look(log, params, scale=1.0, progress=QUIET)
        expected = {value.name: value.value for value in outlook.values}["expected.queries"]
        stats = present(estimate_content(case.method, params, LogPart(log, 1.0), QUIET))
        assert stats.queries == pytest.approx(expected, rel=1e-6)


def search_common_log(last: int) -> tuple[PassingSettings, list[Any]]:
    """ZEALOUS on six queries of sixty users each, and a seventh that has to be kept back."""
    texts = [*(f"common {number}" for number in range(6)), "kept back"]
    log = log_of([(str(user), text, 1, None) for user in range(60) for text in texts])
    code = log.queries.find(["kept back"]).astype(np.int64)
    gate = Gate("kept back", "", "attack.worst.sessions_surviving", most=0.0)
    group = HiddenQueries(gate, code, np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64))
    policy = dataclasses.replace(default_policy(), gates=())
    limits = PolicyLimits.of(policy, len(log.users)).with_epsilon(20.0)
    limits = dataclasses.replace(limits, queries=1.0, share=0.0, delta=1e-6)
    search = FamilySearch(log, parse_goal("queries"), QUIET)
    part = LogPart(log, 1.0, hidden=(group,))
    passing = PassingSettings(search, part, limits, PlantedGates(policy))
    families: list[Any] = [(list_families(limits, ("zealous",))[0], (1, last))]
    return passing, families


def test_that_the_number_is_found_at_which_a_query_to_keep_back_begins_to_count() -> None:
    passing, families = search_common_log(28)
    candidate = next(passing.find(families))
    assert candidate.number == 6
    assert candidate.estimate.safe >= SAFE
    assert candidate.estimate.queries > 5


def test_that_a_family_offers_its_next_setting_where_one_failed_in_full() -> None:
    passing, families = search_common_log(28)
    offered = []
    for candidate in passing.find(families):
        offered.append(candidate)
        passing.offer_next(candidate)
    assert len(offered) == 3
    assert len({repr(candidate.params) for candidate in offered}) == 3
    assert all(candidate.estimate.safe >= SAFE for candidate in offered)
    utilities = [candidate.utility for candidate in offered]
    assert utilities == sorted(utilities, reverse=True)
    passing, families = search_common_log(28)
    assert len(list(passing.find(families))) == 1


def test_that_twenty_releases_of_a_suggestion_pass_in_ninety_nine_of_a_hundred_cases() -> None:
    assert SAFE**20 >= 0.99
    assert NormalDist().cdf(OFF) == pytest.approx(SAFE)


@pytest.mark.parametrize("weighting", ["even", "screened"])
def test_that_releases_show_what_is_kept_back_as_often_as_calculated(
    log: QueryLog, hidden: tuple[HiddenQueries, ...], weighting: str
) -> None:
    """Drawn releases of settings at which up to a third of them is calculated to fail."""
    part, usual = LogPart(log, 1.0, hidden=hidden), METHODS["set-union"].params()
    codes = np.unique(np.concatenate([group.queries for group in hidden]))
    strings = log.queries.take(codes)
    fails, setting = 0.0, usual
    for delta in 10 ** -np.arange(1.2, 8, 0.4):
        changes = {"epsilon": 30.0, "delta": delta, "q_f": 30, "weighting": weighting}
        setting = usual.replace(**changes)
        estimate = present(estimate_content("set-union", setting, part, QUIET))
        fails = 1 - estimate.safe
        if fails < 1 / 3:
            break
    assert fails > 0.01
    runs = 150
    hits = 0
    for seed in range(runs):
        release = local.apply_method(log, "set-union", setting, PreviewRandomness(seed), QUIET)
        hits += bool((release.local_content.queries.match(strings) >= 0).any())
    off = math.sqrt(fails * (1 - fails) / runs)
    assert hits / runs == pytest.approx(fails, abs=4 * off)


def test_that_clicked_addresses_that_identify_somebody_count_as_the_attack_counts_them() -> None:
    """Sessions that only a clicked address gives away; a third of the releases shows one."""
    address = "http://mail.example.com/?login=ada.quill@mail.example.com"
    rows: list[Row] = [(f"{user}", "sign in", user + 1, address) for user in range(6)]
    weather = "http://weather.example.com/"
    rows += [(f"{user}", "weather", user + 1, weather) for user in range(6, 40)]
    log = log_of(rows)
    hidden = find_hidden(log, default_policy(), QUIET)
    with_addresses = [group for group in hidden if len(group.addresses)]
    assert with_addresses
    assert all(len(set(group.session)) == 6 and not len(group.queries) for group in with_addresses)
    values = {"q_f": 1, "c_f": 1, "b": 1.0, "b_c": 2.0, "K": 3, "K_c": 8}
    setting = METHODS["safelog"].params().replace(clicks=True, transitions=False, **values)
    part = LogPart(log, 1.0, hidden=tuple(with_addresses))
    estimate = present(estimate_content("safelog", setting, part, QUIET))
    alone = estimate_content("safelog", setting.replace(clicks=False), part, QUIET)
    assert present(alone).safe == 1.0
    runs, hits = 100, 0
    for seed in range(runs):
        release = local.apply_method(log, "safelog", setting, PreviewRandomness(seed), QUIET)
        hits += bool((flag_sessions(log, release).surviving > 0).any())
    fails = 1 - estimate.safe ** (1 / len(with_addresses))
    assert 0.1 < fails < 0.5
    assert hits / runs == pytest.approx(fails, abs=4 * math.sqrt(fails * (1 - fails) / runs))


def test_that_a_setting_leaves_enough_even_with_bad_luck(log: QueryLog) -> None:
    limits = PolicyLimits.of(default_policy(), len(log.users)).with_epsilon(40.0)
    part = LogPart(log, 1.0)
    search = FamilySearch(log, parse_goal("queries"), QUIET)
    candidate = present(list_families(limits, ("zealous",))[0].make_candidate(3))
    rated = present(search.rate(candidate, part))
    assert rated.estimate.off > 0.2

    def is_enough(least: float) -> bool:
        return rated.leaves_enough(dataclasses.replace(limits, queries=least, share=0.0))

    assert is_enough(rated.estimate.queries - 3.1 * rated.estimate.off)
    assert not is_enough(rated.estimate.queries - rated.estimate.off)


# What a policy's checks on content want kept back is suppressed


MAIL = "jane.miller1962@aol.com"


@pytest.fixture(scope="module")
def mailing_log() -> QueryLog:
    """A synthetic log in which everybody also issued the same e-mail address."""
    synthetic = synthesize_log(400, days=5, seed=4).log
    users = [synthetic.users[code] for code in synthetic.user.tolist()]
    queries = [synthetic.queries[code] for code in synthetic.query.tolist()]
    everybody = synthetic.users.list_strings()
    return QueryLog.from_columns(
        user=[*users, *everybody],
        query=[*queries, *([MAIL] * len(everybody))],
        time=[*synthetic.time.tolist(), *([int(synthetic.time.max()) + 5] * len(everybody))],
    )


@pytest.mark.parametrize("method", list_dp_methods())
def test_that_every_setting_that_is_looked_at_suppresses_it(method: str) -> None:
    limits = PolicyLimits.of(default_policy(), 400)
    for family in list_families(limits, (method,)):
        for candidate in family.iterate_candidates():
            assert candidate.params.to_dict()["suppress"] == NAMES


@pytest.mark.parametrize("method", list_dp_methods())
def test_that_an_estimate_leaves_marked_queries_out(mailing_log: QueryLog, method: str) -> None:
    """The address, which nearly always passes, is one query less, and others are as before."""
    limits = PolicyLimits.of(default_policy(), len(mailing_log.users))
    family = list_families(limits, (method,))[0]
    candidate = present(family.make_candidate(12))
    part = LogPart(mailing_log, 1.0)
    plain = candidate.params.replace(suppress=NOTHING)
    full = estimate_content(method, plain, part, QUIET)
    reduced = estimate_content(method, candidate.params, part, QUIET)
    marks = mark_identifying(mailing_log.queries, QUIET, names=True)
    assert marks.sum() >= 1
    assert 0.9 < present(full).queries - present(reduced).queries <= marks.sum()


def test_that_an_estimate_by_the_outlook_leaves_marked_queries_out(mailing_log: QueryLog) -> None:
    """Where days of users count, the method's own outlook estimates."""
    params = METHODS["zealous"].params().replace(protected_unit="day", m=5)
    part = LogPart(mailing_log, 1.0)
    full = estimate_content("zealous", params, part, QUIET)
    kept_back = params.replace(suppress=NAMES)
    reduced = estimate_content("zealous", kept_back, part, QUIET)
    assert present(reduced).queries < present(full).queries - 0.9


@pytest.mark.parametrize("method", list_dp_methods())
def test_that_nothing_marked_is_taken_for_released(mailing_log: QueryLog, method: str) -> None:
    """With it the bundled checks on content hardly ever fail, without it they always do."""
    policy = default_policy()
    hidden = find_hidden(mailing_log, policy, QUIET)
    part = LogPart(mailing_log, 1.0, hidden=hidden)
    family = list_families(PolicyLimits.of(policy, len(mailing_log.users)), (method,))[0]
    candidate = present(family.make_candidate(12))
    plain = candidate.params.replace(suppress=NOTHING)
    chances = []
    for params in (candidate.params, plain):
        estimate = present(estimate_content(method, params, part, QUIET))
        chances.append(estimate.safe)
    assert chances[0] > 0.999  # but for strings of one user, which pass by bad luck alone
    assert chances[1] < 0.001


def test_that_a_private_score_leaves_marked_queries_out(mailing_log: QueryLog) -> None:
    """The score of a log is that of the log without the address, which no ε has to hide."""
    keep = np.array([q != MAIL for q in mailing_log.queries.list_strings()])[mailing_log.query]
    for method in ("zealous", "set-union"):
        params = METHODS[method].params().replace(epsilon=5.0, delta=1e-4, suppress=IDENTIFIERS)
        plain = params.replace(suppress=NOTHING)
        full = score_candidate(mailing_log, plain, "queries", QUIET)
        reduced = score_candidate(mailing_log, params, "queries", QUIET)
        assert reduced.sensitivity == full.sensitivity
        assert reduced.score < full.score
        marks = mark_identifying(mailing_log.rows(keep).queries, QUIET, names=False)
        assert not marks.all()
