"""No exact law of a method beats what is stated of a guess, and the guide has the table."""

import pytest

from auditor.log.model import QueryLog
from auditor.methods.registry import METHODS
from auditor.progress import silent_progress
from tests.tables import belief, table
from tests.tables.belief import BeliefCase


@pytest.mark.parametrize("case", belief.CASES, ids=lambda case: case.method)
def test_that_the_exact_law_stays_within_what_is_stated(case: BeliefCase) -> None:
    bound, exact = belief.measure_case(case)
    assert 0.5 < exact.accuracy <= bound.accuracy + 1e-9
    assert 0 < exact.beyond <= bound.failure + 1e-9  # laws end somewhere
    assert exact.beyond <= exact.beyond_epsilon


def test_that_epsilon_alone_does_not_bound_the_belief_but_for_delta() -> None:
    """Twenty counts of truncated noise: beyond ε far more often than δ."""
    case = next(case for case in belief.CASES if case.values.get("q_f") == 20)
    bound, exact = belief.measure_case(case)
    assert exact.beyond_epsilon > 30 * bound.delta
    assert exact.beyond < bound.delta


def test_that_every_method_with_epsilon_has_a_case() -> None:
    users = [f"u{number}" for number in range(100)]
    log = QueryLog.from_columns(user=users, query=["x"] * 100, time=[1] * 100, url=[None] * 100)
    private = set()
    for name in METHODS.modules:
        method = METHODS[name]
        if method.outlook is None:
            continue
        params = method.params()
        outlook = method.outlook(log, params, scale=1.0, progress=silent_progress())
        if outlook.statement.model == "differential privacy":
            private.add(name)
    assert {case.method for case in belief.CASES} == private


def test_that_the_page_has_the_table() -> None:
    assert table.is_current(belief.PAGE, belief.HEADING, belief.section()), (
        "run python -m tests.tables belief --write"
    )
