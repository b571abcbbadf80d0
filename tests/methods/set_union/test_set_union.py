"""Set union: what is found, what never is, and that the budget is what it says."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import binomtest

from auditor.log.model import QueryLog
from auditor.methods.noisy_counts.histograms import ContributionLimits, CountingUnit, limit_users
from auditor.methods.set_union.rounds import SetUnionParams, derive_noise, weigh_queries
from auditor.privacy import gaussian
from auditor.progress import Progress
from tests.methods.logs import log_of, queries_of, random_rows, run_method, tables_of


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


def test_that_a_user_moves_no_more_than_one_weight_in_l2() -> None:
    rng = np.random.default_rng(3)
    rows = random_rows(seed=4)
    users = sorted({row[0] for row in rows})
    log = log_of(rows)
    found_before = (rng.random(len(log.queries)) < 0.3).astype(np.uint8)

    def weight(some: QueryLog) -> dict[str, int]:
        limited = limit_users(some, ContributionLimits(CountingUnit.USERS, 5, 1), Progress())
        gone = {log.queries[int(i)] for i in np.flatnonzero(found_before)}
        mask = np.array([q in gone for q in some.queries.list_strings()], dtype=np.uint8)
        total = weigh_queries(some, limited, 5, mask, Progress())
        return {some.queries[i]: int(w) for i, w in enumerate(total)}

    full = weight(log)
    for user in users[:10]:
        less = weight(log_of([row for row in rows if row[0] != user]))
        change = [full[q] - less.get(q, 0) for q in full]
        assert min(change) >= 0
        assert sum(c * c for c in change) <= gaussian.GRID**2
    assert not any(full[log.queries[int(i)]] for i in np.flatnonzero(found_before))


def test_that_rounds_share_the_budget() -> None:
    params = SetUnionParams(rounds=4, counting=0.25)
    derived = derive_noise(params)
    grid = gaussian.GRID
    rounds = sum((grid / sigma) ** 2 / 2 for sigma in derived.sigma)
    assert rounds == pytest.approx(0.75 * derived.rho)
    assert params.q_f / (2 * derived.count_sigma**2) == pytest.approx(0.25 * derived.rho)
    assert derived.delta <= params.delta
    assert list(derived.sigma) == sorted(derived.sigma, reverse=True)
