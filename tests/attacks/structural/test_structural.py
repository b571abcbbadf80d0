"""Structure of bundles: who dominates one, whose places are whose, and what chance explains."""

from collections import Counter, defaultdict
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.attacks import structural
from auditor.attacks.base import AttackResult, Evidence
from auditor.attacks.structural import (
    ATTACK,
    LEVELS,
    REASONS,
    BundleStructure,
    StructuralParams,
    at_levels,
    fit_power_law,
    fit_slope,
    measure_structure,
)
from auditor.log.model import QueryLog
from auditor.log.synthetic.generator import synthesize_log
from auditor.release.record import AttackRecord
from tests.attacks.attacked import QUIET, findings, run_attack, table_of, value, whose
from tests.measures.fakes import made_by

SYNTHETIC = synthesize_log(600, days=20, seed=5).log

# Two bundles by 8 bits. In the first ann asks 6 of 10, and she alone for Houston; bob and cid ask
# 2 each and share Dallas. In the second dee asks 3 of 4, all of it for Fargo.

ROWS = [
    *[("ann", text, 1, n) for n, text in enumerate(["a", "b", "c", "d", "e", "houston tx"])],
    *[("bob", text, 1, 10 + n) for n, text in enumerate(["dallas tx", "f"])],
    *[("cid", text, 1, 12 + n) for n, text in enumerate(["hotel dallas tx", "g"])],
    *[("dee", text, 2, n) for n, text in enumerate(["fargo nd", "fargo nd map", "fargo nd bar"])],
    ("eve", "h", 2, 20),
]
SMALL = QueryLog.from_columns(
    user=[row[0] for row in ROWS],
    query=[row[1] for row in ROWS],
    time=[row[3] for row in ROWS],
    ip=[row[2] << 8 | 1 for row in ROWS],
)


attacked = partial(run_attack, ATTACK, seed=1)


@pytest.fixture(scope="module")
def result() -> AttackResult:
    return attacked(SMALL, by="ip-mask", min_queries=4)


def measured(**values: Any) -> BundleStructure:
    params = StructuralParams(by="ip-mask", **values)
    return measure_structure(Evidence(log=SYNTHETIC), params, np.random.default_rng(0), QUIET)


def column(result: AttackResult, name: str, place: int) -> dict[Any, Any]:
    return {row[0]: row[place] for row in table_of(result, name).rows}


def test_that_table_6_counts_bundles_by_their_most_active_user(result: AttackResult) -> None:
    shares = column(result, "dominated", 1)
    assert shares["bundles examined"] == 2
    assert [shares[f"{n}0 % or more"] for n in range(1, 10)] == [100] * 6 + [50, 0, 0]
    assert result.rate == 1.0
    assert value(result, "dominant_users") == 2 / 5
    assert value(result, "dominant_right") == 9 / 14
    only = attacked(SMALL, by="ip-mask", min_queries=5)
    assert column(only, "dominated", 1)["bundles examined"] == 1
    tenths = np.asarray([1 / 10, 2 / 10, 3 / 10, 6 / 20, 7 / 10, 14 / 20, 9 / 10])
    assert at_levels(tenths).tolist() == [7, 6, 5, 3, 3, 3, 3, 1, 1]  # exactly a tenth counts


def test_that_places_are_counted_by_who_asked_for_them(result: AttackResult) -> None:
    counts = column(result, "places", 1)
    assert counts["users in a bundle"] == 2.5
    assert counts["heavy users in a bundle"] == 1, "ann and dee ask more than the mean"
    assert counts["places in a bundle"] == 1.5, "Houston and Dallas, Fargo"
    assert counts["places of one user"] == 1, "Houston, Fargo"
    assert counts["heavy users with one place"] == 1
    assert counts["heavy users with one place, only theirs"] == 1
    assert value(result, "own_places") == 2 / 3


def test_that_findings_open_the_sessions_and_mark_the_places(result: AttackResult) -> None:
    sessions = findings(result)
    by_user = {user: place for place, user in enumerate(whose(SMALL, sessions))}
    assert set(by_user) == {"ann", "dee"}
    assert set(sessions.list_reasons(by_user["ann"])) == {REASONS[0], REASONS[1]}
    assert sessions.risk[by_user["ann"]] == pytest.approx((1 + 5 * 0.6) / 6)
    assert sessions.risk[by_user["dee"]] == 1.0, "every query of hers asks for her own place"
    codes = SMALL.queries.find(["houston tx", "fargo nd map", "hotel dallas tx"])
    assert [sessions.list_marks(int(code)) for code in codes] == [
        [(0, 10, REASONS[3])], [(0, 8, REASONS[3])], []
    ]  # fmt: skip
    assert sessions.flagged[by_user["dee"]] == 3


def test_that_surviving_marks_are_those_of_the_release() -> None:
    release = made_by("bundling", SMALL, by="ip-mask", bits=8)
    mine, theirs = (attacked(SMALL, preview, min_queries=4) for preview in (None, release))
    assert findings(mine).surviving.sum() == 0
    assert findings(theirs).surviving.tolist() == findings(theirs).flagged.tolist()
    assert (mine.rate, value(mine, "own_places")) == (theirs.rate, value(theirs, "own_places"))
    assert "those of the release" in theirs.notes[0]
    assert "no release made by bundling" in mine.notes[0]


def plain_counts(log: QueryLog, bits: int, least: int) -> tuple[list[int], Counter[str]]:
    """Table 6 and the table of places, by dictionaries."""
    places = structural.locate_queries(log.queries, 0.5, QUIET)
    events = {
        (int(ip) >> bits, int(u), int(q), int(t))
        for ip, u, q, t in zip(log.ip, log.user, log.query, log.time, strict=True)  # type: ignore[arg-type]
    }
    inside: dict[int, Counter[int]] = defaultdict(Counter)
    place_users: dict[tuple[int, int], set[int]] = defaultdict(set)
    for bundle, user, query, _ in events:
        inside[bundle][user] += 1
        if places.place[query] >= 0:
            place_users[bundle, int(places.place[query])].add(user)
    large = {b: users for b, users in inside.items() if users.total() >= least}
    tops = [max(users.values()) / users.total() for users in large.values()]
    count = Counter(bundles=len(large))
    for bundle, users in large.items():
        mine = {place: who for (b, place), who in place_users.items() if b == bundle}
        count["places"] += len(mine)
        count["alone"] += sum(len(who) == 1 for who in mine.values())
        for user, queries in users.items():
            if queries < users.total() / len(users):
                continue
            count["heavy"] += 1
            groups = [who for who in mine.values() if user in who]
            count["one"] += len(groups) == 1
            count["own"] += len(groups) == 1 and len(groups[0]) == 1
    return [sum(top >= level - 1e-12 for top in tops) for level in LEVELS], count


@pytest.mark.parametrize("bits", [8, 16])
def test_that_counts_are_those_of_plain_dictionaries(bits: int) -> None:
    levels, count = plain_counts(SYNTHETIC, bits, 60)
    result = measured(bits=bits, min_queries=60)
    means = result.variants[0].places
    assert at_levels(result.crowd.shares).tolist() == levels
    assert means.bundles == count["bundles"] > 0
    for name, figure in (
        ("places", means.places),
        ("alone", means.alone),
        ("heavy", means.heavy),
        ("one", means.heavy_one),
        ("own", means.heavy_own),
    ):
        assert figure * means.bundles == pytest.approx(count[name]), name


def test_that_masks_stand_side_by_side_where_there_are_addresses() -> None:
    twelve, eight = (attacked(SYNTHETIC, by="ip-mask", bits=bits) for bits in (12, 8))
    heads = table_of(twelve, "dominated").columns
    assert heads[1:] == ("address, 12 bits, %", "address, 8 bits, %", "address, 16 bits, %")
    assert column(twelve, "dominated", 1) == column(eight, "dominated", 2)
    assert len(table_of(attacked(SMALL, by="random-users"), "dominated").columns) == 5
    bare = QueryLog.from_columns(user=["a", "b"], query=["x", "y"], time=[1, 2])
    assert table_of(attacked(bare), "dominated").columns[1:] == ("random users, %",)


def test_that_users_put_together_at_random_explain_bundles_made_at_random() -> None:
    log = synthesize_log(3_000, days=10, seed=8).log
    result = attacked(log, by="random-users", group=8, share=0.4)
    low, high = result.interval
    assert result.control is not None
    assert low - 0.03 < result.control < high + 0.03
    assert result.baseline < result.control
    lawful = column(result, "dominated-by-chance", 4)["40 % or more"] / 100
    assert abs(lawful - result.rate) < 0.15


def test_that_even_users_dominate_as_often_as_guessing_says() -> None:
    rng = np.random.default_rng(3)
    n = 40_000
    log = QueryLog.from_columns(
        user=[f"u{x}" for x in rng.integers(0, 800, n)], query=["q"] * n, time=np.arange(n)
    )
    result = attacked(log, by="random-users", group=2, share=0.53)
    assert result.rate == pytest.approx(result.baseline, abs=0.12)
    assert 0.05 < result.rate < 0.95


@settings(max_examples=8, deadline=None)
@given(st.floats(1.8, 3.5), st.integers(0, 1000))
def test_that_the_fit_finds_the_exponent_of_a_sample(exponent: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    drawn = np.floor(4.5 * rng.random(20_000) ** (-1 / (exponent - 1)) + 0.5).astype(np.int64)
    law = fit_power_law(drawn)
    assert law.exponent == pytest.approx(exponent, abs=0.12)
    assert law.distance < 0.03
    again = fit_power_law(law.draw(20_000, rng))
    assert again.exponent == pytest.approx(law.exponent, abs=0.2)


@pytest.mark.parametrize("numbers", [[], [1], [7] * 30, [1, 2]])
def test_that_a_law_of_few_or_equal_numbers_is_fitted_without_harm(numbers: list[int]) -> None:
    law = fit_power_law(np.asarray(numbers, dtype=np.int64))
    assert law.exponent > 1
    assert (law.draw(10, np.random.default_rng(0)) >= min(numbers, default=1)).all()


def test_that_the_slope_of_an_exact_law_is_its_exponent() -> None:
    rank = np.arange(1, 101)
    exponent, level = fit_slope(rank, np.asarray(50 * rank**-0.8, dtype=np.float64))
    assert exponent == pytest.approx(-0.8)
    assert level == pytest.approx(50)


def test_that_shuffled_places_keep_their_bundles_and_their_askers() -> None:
    result = measured(bits=12, min_queries=10)
    other = structural.shuffle_places(result.place_events, np.random.default_rng(2))
    assert np.array_equal(other.fiber, result.place_events.fiber)
    assert not np.array_equal(other.place, result.place_events.place)
    before, after = (
        Counter(zip(events.bundle.tolist(), events.place.tolist(), strict=True))
        for events in (result.place_events, other)
    )
    assert before == after


def test_that_bundles_too_small_to_look_at_are_said_to_be() -> None:
    result = attacked(SMALL, by="ip-mask")
    assert (result.rate, result.interval) == (0.0, (0.0, 1.0))
    assert any("2 of 2 bundles hold fewer than 100" in note for note in result.notes)
    assert len(findings(result)) == 0


def bundled_by_address(bundles: list[list[str]], queries: int) -> QueryLog:
    """A log in which each user of the first bundle issues `queries`, all others one query."""
    rows = [
        (user, number, bundle << 8)
        for bundle, users in enumerate(bundles, 1)
        for user in users
        for number in range(queries if bundle == 1 else 1)
    ]
    user, time, ip = zip(*rows, strict=True)
    return QueryLog.from_columns(user=user, query=["q"] * len(rows), time=time, ip=ip)


CROWD = [f"c{n}" for n in range(10)]


def test_that_a_small_bundle_of_one_user_counts_as_dominated() -> None:
    result = attacked(bundled_by_address([CROWD, *([f"u{n}"] for n in range(200))], 20))
    assert result.counts == pytest.approx((200, 201))
    assert result.baseline == result.control == 200 / 201
    assert len(findings(result)) == 200


def test_that_a_rate_is_not_measured_where_most_users_are_in_bundles_too_small_to_judge() -> None:
    pairs = [[f"u{n}", f"v{n}"] for n in range(20)]
    some, most = (attacked(bundled_by_address([CROWD, *pairs[:n]], 20)) for n in (5, 6))
    assert some.counts == pytest.approx((0, 1))
    assert AttackRecord.of_result(some).had_trials
    assert not AttackRecord.of_result(most).had_trials
    assert any("12 of 22 users" in note for note in most.notes)
