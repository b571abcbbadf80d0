"""The unit of protection in every number: costs at another unit, strength, gates and sentences."""

from __future__ import annotations

import dataclasses
import math
from pathlib import Path
from typing import Any

import pytest

import auditor
from auditor.methods.noisy_counts.period_units import (
    DAY,
    HISTORY,
    WEEK,
    cost_at_unit,
    count_units,
    describe_neighbours,
    describe_unit,
    state_period,
)
from auditor.methods.statements import NEIGHBOURS, UNIT
from auditor.privacy.statement import Assumption, Statement
from auditor.release.guarantee import Strength, meaning_of, strength_of
from auditor.release.policy.policy import read_policy
from auditor.release.record import GateVerdict, ReleaseRecord
from tests.methods.logs import log_of
from tests.narrowing import present
from tests.release.judging import EVERY_CHECK, judge_gate

FORMAL = Statement("differential privacy", "c", UNIT, NEIGHBOURS, epsilon=2.0, delta=1e-9)


def of_day(epsilon: float = 2.0, most: int | None = None) -> Statement:
    return state_period(dataclasses.replace(FORMAL, epsilon=epsilon), DAY, most, 1_000)


def test_that_a_statement_costs_what_it_says_at_its_own_unit() -> None:
    assert cost_at_unit(FORMAL, HISTORY) == (2.0, 1e-9)
    assert cost_at_unit(of_day(), DAY) == (2.0, 1e-9)


def test_that_nothing_bounds_a_whole_history_of_days_without_a_limit() -> None:
    assert cost_at_unit(of_day(), HISTORY) == (math.inf, 1.0)
    limited = present(cost_at_unit(of_day(0.5, most=3), HISTORY))
    # three steps of (ε, δ): δ (e^3ε − 1)/(e^ε − 1)
    assert limited[0] == pytest.approx(1.5)
    assert limited[1] == pytest.approx(1e-9 * math.expm1(1.5) / math.expm1(0.5))


def test_that_a_week_is_seven_days_and_a_day_within_a_history_is_exchanged() -> None:
    week = present(cost_at_unit(of_day(0.1), WEEK))
    assert week[0] == pytest.approx(0.7)
    within = present(cost_at_unit(FORMAL, DAY))
    assert within[0] == pytest.approx(4.0)
    exchanged = dataclasses.replace(
        FORMAL, neighbours=str(describe_neighbours(HISTORY, exchanged=True))
    )
    assert cost_at_unit(exchanged, DAY) == (2.0, 1e-9)


def of_epsilon(epsilon: float, *assumptions: Assumption) -> Statement:
    return dataclasses.replace(FORMAL, epsilon=epsilon, assumptions=assumptions)


GROUPS = Statement("k-anonymity", "c", UNIT, measured={"k": 50.0})


@pytest.mark.parametrize(
    ("statement", "strength"),
    [
        (of_epsilon(1.0), Strength.STRONG),
        (of_epsilon(1.01), Strength.MODERATE),
        (of_epsilon(4.0), Strength.MODERATE),
        (of_epsilon(4.01), Strength.WEAK),
        (of_epsilon(1971.0), Strength.WEAK),
        (of_epsilon(math.inf), Strength.NONE),
        (of_epsilon(0.1, Assumption("a", "b", "fails")), Strength.WEAK),
        (GROUPS, Strength.WEAK),
        (Statement("pseudonymity", "c", UNIT), Strength.NONE),
        (of_day(0.1), Strength.NONE),
    ],
)
def test_that_the_strength_is_that_of_epsilon_where_it_holds_for_users(
    statement: Statement, strength: Strength
) -> None:
    assert strength_of(statement) is strength
    assert strength_of(of_day(0.1), DAY) is Strength.STRONG


def test_that_no_history_is_said_to_be_left_anything_by_an_epsilon_that_bounds_nothing() -> None:
    day = of_day()
    for epsilon, ends in ((2.0, "grows with each day."), (52.0, "many is not protected.")):
        usual = {**day.measured, "epsilon_of_usual_history": epsilon, "delta_of_usual_history": 0.0}
        assert ends in meaning_of(dataclasses.replace(day, measured=usual)).sentence
    assert "is not protected" in day.claim
    assert "62" in day.claim
    assert "is protected by" in of_day(0.01).claim
    assert "one day" in meaning_of(day).sentence


def judge(statement: Statement, unit: str, figure: str, **limits: Any) -> GateVerdict:
    record = ReleaseRecord(statement, units={HISTORY: 5, DAY: 60})
    return judge_gate(record, figure, unit=unit, **limits)


def test_that_gates_compare_at_the_unit_that_the_policy_names() -> None:
    assert judge(of_day(), DAY, "statement.epsilon", most=3).verdict == "passed"
    history = judge(of_day(), HISTORY, "statement.epsilon", most=3)
    assert (history.verdict, history.value) == ("failed", math.inf)
    assert "one day" in history.evidence
    days = judge(of_day(), DAY, "statement.delta_users", most=1)
    assert days.value == pytest.approx(60 * 1e-9)
    assert "60 days of users" in days.evidence
    users = judge(FORMAL, HISTORY, "statement.delta_users", most=1)
    assert users.value == pytest.approx(5 * 1e-9)
    assert judge(FORMAL, HISTORY, "statement.strength", least=2).verdict == "passed"
    assert judge(of_day(), HISTORY, "statement.strength", least=2).verdict == "failed"


def test_that_the_units_of_a_run_are_those_that_its_method_counted() -> None:
    log = log_of([("ann", "rose", day * 86_400, None) for day in range(60)])
    assert (count_units(log, HISTORY), count_units(log, DAY), count_units(log, WEEK)) == (1, 60, 9)
    values: dict[str, Any] = {"protected_unit": "day", "epsilon": 1.0, "skip": EVERY_CHECK}
    for periods, days in ((None, 60), (7, 7)):
        result = auditor.audit(log, "partition-selection", periods=periods, **values)
        assert result.verdict.record.units == {HISTORY: 1, DAY: days}
        assert result.release.statement.unit == str(describe_unit(DAY))


def test_that_the_public_policy_passes_nothing_weak() -> None:
    (gate,) = (item for item in read_policy(Path("public")).gates if item.name == "strength")
    assert gate.requirement == "at least moderate"
    for statement, passes in ((GROUPS, False), (of_epsilon(5.0), False), (FORMAL, True)):
        check = judge(statement, HISTORY, gate.figure, least=gate.least or 0)
        assert check.ok is passes
