"""Users at risk estimated from a sample: exact bounds, and nobody judged otherwise than in full."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from auditor.attacks.base import FlaggedFindings
from auditor.attacks.intervals import hypergeometric_interval
from auditor.attacks.risk import people_estimate as estimate
from auditor.attacks.risk.people_estimate import PeopleEstimate
from auditor.attacks.surviving_content.attack import SurvivingContentParams, rules_of
from auditor.log.model import QueryLog
from auditor.progress import silent_progress

RULES = rules_of(SurvivingContentParams())


@pytest.mark.parametrize(
    ("hits", "drawn", "every"), [(0, 5, 40), (5, 5, 40), (3, 10, 23), (7, 7, 7), (40, 90, 600)]
)
def test_bounds_are_those_of_both_tails(hits: int, drawn: int, every: int) -> None:
    possible = [
        have
        for have in range(every + 1)
        if stats.hypergeom.sf(hits - 1, every, have, drawn) > 0.025
        and stats.hypergeom.cdf(hits, every, have, drawn) > 0.025
        and hits <= have <= every - drawn + hits
    ]
    assert hypergeometric_interval(hits, drawn, every) == (possible[0], possible[-1])


def test_users_drawn_are_judged_as_in_the_whole_log(log: QueryLog, found: FlaggedFindings) -> None:
    people = found.people
    assert people is not None
    at_risk = np.zeros(len(log.users), dtype=np.bool_)
    at_risk[log.user[people.start[people.risk >= people.least]]] = True
    theirs = log.of_sample(400, seed=3)
    drawn = np.unique(log.user[theirs])
    result = estimate.find_people_at_risk(log, theirs, None, RULES, silent_progress())
    assert 0 < result.sum() < len(drawn)
    assert (result[drawn] == at_risk[drawn]).all()
    assert result.sum() == result[drawn].sum()
    between = estimate.estimate_people(log, None, RULES, silent_progress())
    assert between.low <= at_risk.sum() <= between.high
    assert between.drawn < len(log.users)


@pytest.mark.parametrize("users", [5, 12])
def test_who_else_searched_for_a_name_is_counted_outside_the_sample(users: int) -> None:
    name = "melvin crabtree phone number"
    log = QueryLog.from_columns(
        user=[f"user {n}" for n in range(users)],
        query=[name, *(f"hello {name} {n}" for n in range(1, users))],
        time=[0] * users,
    )
    result = estimate.find_people_at_risk(log, log.user == 0, None, RULES, silent_progress())
    assert result[0] == (users < RULES.non_star)
    assert not result[1:].any()


def test_a_log_of_few_users_is_drawn_whole_and_of_blank_queries_nobody() -> None:
    log = QueryLog.from_columns(user=["a"], query=["ann@example.org"], time=[0])
    result = estimate.estimate_people(log, None, RULES, silent_progress())
    assert (result.low, result.high, result.drawn) == (1, 1, 1)
    log = QueryLog.from_columns(
        user=[f"user {n}" for n in range(300)], query=["rose"] * 3 + [" "] * 297, time=[0] * 300
    )
    assert estimate.estimate_people(log, None, RULES, silent_progress()).drawn == 3


def test_rounded_bounds_enclose_the_exact_ones() -> None:
    assert PeopleEstimate(low=5_912, high=6_711, drawn=920).round_outwards() == (5_910, 6_720)
    assert PeopleEstimate(low=788, high=849, drawn=900).round_outwards() == (788, 849)
