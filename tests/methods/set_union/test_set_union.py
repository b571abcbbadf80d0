"""Set union: what is found, what never is, and that the budget is what it says."""

from typing import Any

import pytest
from scipy.stats import binomtest

from auditor.log.model import QueryLog
from auditor.methods.set_union.method import SetUnionParams, derive_noise
from auditor.privacy import gaussian
from tests.methods.logs import log_of, queries_of, run_method, tables_of


def crowd(users: int, shared: int, unique: int) -> QueryLog:
    """Users who all ask `shared` common queries and each `unique` of their own."""
    rows: list[tuple[str, str, int, str | None]] = []
    for user in range(users):
        rows += [(f"u{user}", f"common {n}", n, None) for n in range(shared)]
        rows += [(f"u{user}", f"own {user} {n}", shared + n, None) for n in range(unique)]
    return log_of(rows)


def released(log: QueryLog, seed: int = 1, **values: Any) -> dict[str, int]:
    return queries_of(tables_of(run_method("set-union", log, seed, **values).content))


@pytest.mark.parametrize("unique", [1, 8])
@pytest.mark.parametrize("rounds", [1, 3])
def test_that_a_lone_user_shows_with_a_chance_of_half_delta(unique: int, rounds: int) -> None:
    users = 800  # of twice the chance, 95 of 100 such tests fail
    queries = released(crowd(users, 0, unique), delta=0.1, rounds=rounds, q_f=unique, epsilon=1.0)
    successes = len({query.split()[1] for query in queries})
    # Thresholds are for the worst number of queries, so it may be well below, never above.
    assert binomtest(successes, users, 0.05, alternative="greater").pvalue > 1e-4
    assert successes > 5
    assert released(crowd(1, 1, 0)) == {}


def test_that_rounds_share_the_budget() -> None:
    params = SetUnionParams(rounds=4, counting=0.25)
    derived = derive_noise(params)
    grid = gaussian.GRID
    rounds = sum((grid / sigma) ** 2 / 2 for sigma in derived.sigma)
    assert rounds == pytest.approx(0.75 * derived.rho)
    assert params.q_f / (2 * derived.count_sigma**2) == pytest.approx(0.25 * derived.rho)
    assert derived.delta <= params.delta
    assert list(derived.sigma) == sorted(derived.sigma, reverse=True)
