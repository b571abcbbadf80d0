"""A day, week or month of a user as the unit: exact laws of small logs against the statements.

The logs are cut here by plain loops, and the laws are those of `exact_laws`, which know of the
methods' parameters alone.
"""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.engine.backends import local
from auditor.log.model import QueryLog, iterate_slices
from auditor.methods.noisy_counts.period_units import (
    HISTORY,
    USUAL,
    chain_steps,
    period_of,
    split_by_period,
)
from auditor.methods.registry import METHODS
from auditor.privacy.noise import SecureRandomness
from auditor.privacy.release import Anonymized
from auditor.privacy.statement import Statement
from auditor.release.ledger.totals import SpentBudget, total_of, write_sentences
from tests.methods import logs
from tests.methods.logs import QUIET, draw_rows, expect, explain_text, present, spend, tables_of
from tests.methods.test_sampling import CASES, SampledCase
from tests.privacy import exact_laws as exact

DAY = 86_400
COUNTING = ("safelog", "korolova", "zealous", "set-union", "n-grams", "partition-selection")
Day = tuple[str, ...]
History = tuple[Day, ...]
"""The queries of each active day of one user, in order; the days are numbers 1, 2, …"""
NONE: History = ((), (), ())
DayCase = tuple[tuple[History, ...], History]
LOGS: tuple[DayCase, ...] = (
    ((), (("a",), (), ())),
    ((), (("a", "b"), (), ())),
    (((("b",), ("a",), ()),), (("a",), (), ())),
    (((("a",), ("a", "b"), ()), (("b",), (), ())), (("b", "a"), (), ())),
    (((("a",), ("a",), ("b",)),), (("a", "b"), (), ())),
)
"""Users, and a first day that is put before all that the first of them did, or of a new one."""


def neighbours(case: DayCase) -> tuple[list[History], list[History]]:
    """The logs without and with the day: day 0 of the first user, or of a user who wasn't there."""
    users, more = case
    without = [((), *days) for days in users] or [((), *NONE)]
    return without, [(more[0], *without[0][1:]), *without[1:]]


def units_of(users: list[History], most: int | None = None) -> list[exact.User]:
    """Every active day as a user of the mechanism, by a plain loop."""
    return [day for days in users for day in [day for day in days if day][:most]]


def log_of(users: list[History], page: str | None = None) -> QueryLog:
    rows = [
        (f"user {n}", query, number * DAY + place * 60, None if place else page)
        for n, days in enumerate(users)
        for number, day in enumerate(days)
        for place, query in enumerate(day)
    ]
    return logs.log_of([*rows, ("bystander", "bystander", 0, None)])


def released(
    method: str, log: QueryLog, *, share: float | None = None, protect: str = "day", **values: Any
) -> Anonymized:
    rng = SecureRandomness()
    params = METHODS[method].params(**values | {"protected_unit": protect})
    return local.apply_method(local.sample_log(log, share, rng), method, params, rng, QUIET)


def stated(case: SampledCase, **more: Any) -> Statement:
    return released(case.method, log_of([(("a",),)]), **{**case.values, **more}).statement


SPECIAL = ("zealous", "dated-counts")
"""Methods with neighbours, or limits over days, of their own."""
ONE_MORE = [name for name, case in CASES.items() if case.method not in SPECIAL]
EXCHANGED = [name for name, case in CASES.items() if case.method == "zealous"]


@pytest.mark.parametrize("name", ONE_MORE)
def test_that_one_day_more_keeps_the_stated_epsilon_and_delta(name: str) -> None:
    case = CASES[name]
    law = case.law(METHODS[case.method].params(**case.values))
    statement = stated(case)
    assert statement.unit == "what one user did in one day"
    assert "one day of one user more" in statement.neighbours
    for pair in LOGS:
        first, second = (law(units_of(users)) for users in neighbours(pair))
        delta = exact.exact_delta(first, second, present(statement.epsilon))
        assert delta <= present(statement.delta) * (1 + 1e-9) + 1e-12


@pytest.mark.parametrize("name", EXCHANGED)
def test_that_an_exchanged_day_keeps_what_zealous_states_with_any_limit(name: str) -> None:
    case = CASES[name]
    law = case.law(METHODS[case.method].params(**case.values))
    for most in (None, 1, 2):
        statement = stated(case, periods=most)
        assert "exchanged for anything else in the same day" in statement.neighbours
        assert statement.epsilon == case.values["epsilon"]
        for users, more in LOGS:
            rest = users or (NONE,)
            first = [(more[0], *rest[0]), *rest[1:]]
            second = [(("b", "a"), *rest[0]), *rest[1:]]
            before, after = (law(units_of(list(them), most)) for them in (first, second))
            delta = exact.exact_delta(before, after, case.values["epsilon"])
            assert delta <= present(statement.delta) * (1 + 1e-9) + 1e-12


@pytest.mark.parametrize("name", ONE_MORE)
def test_that_a_limit_on_days_is_stated_at_twice_since_a_day_displaces_another(name: str) -> None:
    case = CASES[name]
    law = case.law(METHODS[case.method].params(**case.values))
    statement, plain = stated(case, periods=1), stated(case)
    epsilon, delta = present(statement.epsilon), present(statement.delta)
    once, leak = present(plain.epsilon), present(plain.delta)
    assert epsilon == pytest.approx(2 * once)
    assert delta == pytest.approx(min(1, leak * (1 + math.exp(once))))
    assert statement.tight_epsilon is None
    assert math.fsum(term.epsilon for term in statement.terms) == pytest.approx(statement.epsilon)
    assert math.fsum(term.delta for term in statement.terms) == pytest.approx(statement.delta)
    most = 0.0
    crowds: list[DayCase] = [
        ((((), ("b",), ()), *((("a",), (), ()), (("b",), (), ())) * size), (("a",), (), ()))
        for size in range(6)
    ]
    for pair in (*LOGS, *crowds):
        first, second = (law(units_of(users, 1)) for users in neighbours(pair))
        actual = exact.exact_delta(first, second, epsilon)
        assert actual <= delta * (1 + 1e-9) + 1e-12
        most = max(most, exact.exact_delta(first, second, once))
    if case.exact and case.values.get("q_f") == 1:
        # One ε would not hold: of two different days one count falls, and the other one rises.
        assert most > leak * 1.5


@pytest.mark.parametrize("name", [*ONE_MORE, *EXCHANGED])
def test_that_whole_histories_keep_what_the_limit_promises_of_them(name: str) -> None:
    case = CASES[name]
    law = case.law(METHODS[case.method].params(**case.values))
    statement = stated(case, periods=2)
    epsilon = statement.measured["epsilon_of_whole_history"]
    delta = statement.measured["delta_of_whole_history"]
    histories: list[History] = [(("a",), ("a",), ("b",)), (("a", "b"), ("b", "a")), (("b",),)]
    others: list[History] = [(("b",),), (("a",), ("b",))]
    for rest in ([], others[:1], others):
        for history in histories:
            end = [(("b",), ("b", "a"))] if case.method == "zealous" else []
            first, second = (law(units_of(users, 2)) for users in ([history, *rest], [*end, *rest]))
            assert exact.exact_delta(first, second, epsilon) <= delta * (1 + 1e-9) + 1e-12


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
@pytest.mark.parametrize("name", ONE_MORE)
def test_that_a_coin_for_each_user_makes_the_delta_of_a_day_smaller_and_not_its_epsilon(
    name: str, share: float
) -> None:
    case = CASES[name]
    law = case.law(METHODS[case.method].params(**case.values))
    full = stated(case)
    statement = released(case.method, log_of([(("a",),)]), share=share, **case.values).statement
    assert statement.epsilon == full.epsilon
    assert statement.delta == pytest.approx(share * present(full.delta))
    assert math.fsum(term.delta for term in statement.terms) == pytest.approx(statement.delta)
    usual = statement.measured["epsilon_of_usual_history"]
    assert usual < full.measured["epsilon_of_usual_history"]

    for pair in LOGS:
        # All of a user's days are there or not: the coins go over users, not over days.
        first, second = (_sampled(law, users, share) for users in neighbours(pair))
        actual = exact.exact_delta(first, second, present(statement.epsilon))
        assert actual <= present(statement.delta) * (1 + 1e-9) + 1e-12


def _sampled(law: exact.Mechanism, users: list[History], share: float) -> exact.Law:
    parts = []
    for taken in range(1 << len(users)):
        some = [user for bit, user in enumerate(users) if taken >> bit & 1]
        chance = share ** len(some) * (1 - share) ** (len(users) - len(some))
        parts.append((chance, law(units_of(some))))
    return exact.mixture(parts)


def test_that_chained_steps_hold_for_several_counts_of_one() -> None:
    law = exact.laplace(2.0)
    for steps in (1, 2, 5):
        epsilon, delta = chain_steps(0.5, 1 - exact.thresholded(1, law, 4)[None], steps)
        for count in range(8):
            old, new = (exact.product(exact.thresholded(c, law, 4)) for c in (count, count + steps))
            assert exact.exact_delta(old, new, epsilon) <= delta
    assert chain_steps(0.0, 1e-6, 5) == pytest.approx((0.0, 5e-6))
    assert chain_steps(1.0, 0.0, 5) == (5.0, 0.0)
    assert chain_steps(400.0, 1e-6, 5) == (2_000.0, 1.0)


# Cutting


@given(
    draw_rows("uvwxy", "abcd", (-90 * DAY, 90 * DAY)),
    st.sampled_from(("day", "week", "month")),
    st.sampled_from((None, 1, 2, 4)),
)
def test_that_a_log_is_cut_as_a_plain_loop_cuts_it(
    rows: list[logs.Row], unit: str, most: int | None
) -> None:
    log = logs.log_of(rows)
    expected: list[tuple[str, list[tuple[str, int]]]] = []
    for code in range(len(log.users)):
        periods: dict[int, list[tuple[str, int]]] = {}
        for row in np.flatnonzero(log.user == code):
            time = int(log.time[row])
            period = int(period_of(np.array([time]), unit)[0])
            periods.setdefault(period, []).append((log.queries[log.query[row]], time))
        expected += [(str(code), part) for part in list(periods.values())[:most]]
    for step in (1 << 22, 3):
        cut = _cut(log, unit, most, step)
        result = [
            [(cut.queries[cut.query[row]], int(cut.time[row])) for row in np.flatnonzero(mask)]
            for mask in (cut.user == code for code in range(len(cut.users)))
        ]
        assert result == [part for _, part in expected]


def _cut(log: QueryLog, unit: str, most: int | None, step: int) -> QueryLog:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            "auditor.methods.noisy_counts.period_units.iterate_slices",
            lambda size: iterate_slices(size, step),
        )
        return split_by_period(log, unit, most)


def test_that_periods_are_those_of_the_calendar() -> None:
    sunday = 4 * DAY - 1  # the last second of 4 January 1970
    time = np.array([0, DAY - 1, DAY, sunday, sunday + 1, 31 * DAY - 1, 31 * DAY])
    assert period_of(time, "day").tolist() == [0, 0, 1, 3, 4, 30, 31]
    assert period_of(time, "week").tolist() == [0, 0, 0, 0, 1, 4, 4]
    assert period_of(time, "month").tolist() == [0, 0, 0, 0, 0, 0, 1]


# What users of the methods get


BUSY = QueryLog.from_columns(
    user=[f"u{n % 20}" for n in range(400)],
    query=["rose"] * 400,
    time=[DAY * (n // 20) + n for n in range(400)],
)
"""20 users who issue one query on each of 20 days."""
SURE: dict[str, dict[str, Any]] = {
    "safelog": {"b": 0.01, "clicks": False, "transitions": False},
    "korolova": {"b": 0.01, "b_q": 0.01},
    "zealous": {"epsilon": 500.0, "m": 1},
    "set-union": {"epsilon": 100.0, "counting": 0.9},
    "n-grams": {"epsilon": 100.0},
    "partition-selection": {"epsilon": 100.0, "q_f": 1},
}


@pytest.mark.parametrize("method", COUNTING)
def test_that_with_hardly_any_noise_days_and_weeks_of_users_are_counted(method: str) -> None:
    expected = {"history": 20, "day": 400, "week": 20 * 4, "month": 20}
    for unit, count in expected.items():
        values = SURE[method] | ({"counting_unit": "users"} if method == "korolova" else {})
        tables = present(released(method, BUSY, protect=unit, **values).tables)
        assert tables.query_count.tolist() == pytest.approx([count], abs=4)
    values |= {"periods": 3}
    limited = released(method, BUSY, protect="day", **values)
    assert limited.changes["rows"] == 400
    assert limited.changes["rows_beyond_periods"] == 17 * 20
    assert tables_of(limited.tables).query_count.tolist() == pytest.approx([60], abs=4)


@pytest.mark.parametrize("method", COUNTING)
@pytest.mark.parametrize("periods", [None, 5])
def test_that_outlook_and_run_state_the_same(method: str, periods: int | None) -> None:
    before = expect(method, BUSY, protected_unit="week", periods=periods).statement
    after = released(method, BUSY, protect="week", periods=periods).statement
    for name in ("unit", "neighbours", "epsilon", "delta"):
        assert getattr(before, name) == getattr(after, name)
    notes = {entry.name: entry.evidence for entry in after.assumptions}
    assert notes["delta"] == {entry.name: entry.evidence for entry in before.assumptions}["delta"]
    assert "weeks of users" in notes["delta"]
    assert "1/80" in notes["delta"] or periods == 5
    many = periods or USUAL["week"]
    assert f"{many:,} weeks" in after.claim


@pytest.mark.parametrize("method", COUNTING)
def test_that_the_claim_speaks_of_the_period_and_never_of_the_whole_log(method: str) -> None:
    history = released(method, BUSY, protect="history").statement
    week = released(method, BUSY, protect="week").statement
    assert "one week" not in history.claim
    assert "epsilon_of_whole_history" not in history.measured
    assert history.claim.split(" changes")[0] not in week.claim
    assert "in the log at all" not in week.claim
    assert "in one week" in week.claim or "One week of one user" in week.claim
    texts = {entry.name: entry.text for entry in week.assumptions}
    assert all("weeks of users" in texts[name] for name in ("delta", "size is public"))
    limited = released(method, BUSY, protect="week", periods=5).statement
    assert limited.epsilon is not None
    assert f"by a factor of at most e^{limited.epsilon:.4g}, except" in limited.claim


@pytest.mark.parametrize("method", COUNTING)
def test_that_a_query_is_explained_by_its_days(method: str) -> None:
    release = released(method, BUSY, protect="day", **SURE[method])
    explanation = explain_text(method, BUSY, "rose", release, **release.params)
    assert {value.name: value.value for value in explanation.values}["limited_users"] == 400
    assert any("days of users" in note for note in explanation.notes)


# The ledger


def spent(method: str, unit: str, **values: Any) -> SpentBudget:
    return spend(method, BUSY, protected_unit=unit, **values)


def test_that_units_that_differ_add_up_under_the_shortest() -> None:
    day = spent("partition-selection", "day", epsilon=1.0, delta=1e-9)
    week = spent("partition-selection", "week", epsilon=0.5, delta=1e-9)
    month = spent("partition-selection", "month", epsilon=0.25, delta=1e-9)
    history = spent("partition-selection", "history", epsilon=0.125, delta=1e-9)
    exchanged = spent("zealous", "week", epsilon=1.0, delta=1e-9)

    def total(*releases: Any) -> tuple[float, str]:
        budget = total_of(releases)
        assert budget.bounded is not None
        return round(budget.bounded.epsilon, 9), budget.bounded.unit

    assert total(day, day) == (2.0, "what one user did in one day")
    assert total(day, week, month, history) == (
        1.0 + 2 * (0.5 + 0.25 + 0.125),
        "what one user did in one day",
    )
    # A week may lie in two months, and each of these is exchanged.
    assert total(week, month) == (0.5 + 4 * 0.25, "what one user did in one week")
    assert total(history, exchanged) == (2 * 0.125 + 1.0, "what one user did in one week")
    assert total(day, exchanged) == (2 * 1.0 + 1.0, "what one user did in one day")
    text = " ".join(write_sentences(total_of([day, history])))
    assert "nothing of a longer unit" in text
    assert (
        "of what one user did in one day"
        in total_of([day, history]).find_figure("epsilon", {HISTORY: 9})[1]
    )


def test_that_a_whole_history_hides_a_day_at_twice_its_epsilon_and_not_at_once() -> None:
    """Of two queries, the first counts: a day before it exchanges one count for another."""
    case = CASES["safelog"]
    law = case.law(METHODS["safelog"].params(**case.values))
    statement = released("safelog", log_of([(("a",),)]), protect="history", **case.values).statement
    once, leak = present(statement.epsilon), present(statement.delta)
    crowd = [("a",), ("b",)] * 4
    first, second = law([("b",), *crowd]), law([("a", "b"), *crowd])
    epsilon, delta = chain_steps(once, leak, 2)
    assert exact.exact_delta(first, second, epsilon) <= delta * (1 + 1e-9)
    assert exact.exact_delta(first, second, once) > leak * 1.5


def test_that_noisy_counts_of_limited_days_are_not_composed_as_if_they_moved_by_one() -> None:
    values = {"clicks": False, "transitions": False, "q_f": 2}
    assert spent("safelog", "day", **values).laws[0].kind == "laplace"
    limited = spent("safelog", "day", periods=3, **values)
    assert [law.kind for law in limited.laws] == ["included", "approximate"]
    assert limited.laws[1].epsilon == pytest.approx(limited.epsilon)
