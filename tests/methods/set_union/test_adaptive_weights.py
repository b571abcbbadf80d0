"""Weights that move to queries which need them: the conditions of the proof, and what is found."""

import itertools
import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from auditor.errors import ParameterError
from auditor.log.model import QueryLog
from auditor.methods.noisy_counts.histograms import ContributionLimits, CountingUnit, limit_users
from auditor.methods.set_union import method as adaptive
from auditor.methods.set_union.method import SetUnionParams, derive_noise, find_chances
from auditor.privacy import gaussian
from auditor.progress import Progress
from tests.methods.logs import expect, expected_values, log_of, queries_of, run_method, tables_of
from tests.reference.methods.set_union import share_weights

GRID = adaptive.GRID
KINDS = [set_ for n in (1, 2, 3) for set_ in itertools.combinations("abc", n)]
"""All histories of three queries."""
LOGS = [
    [kind for kind, number in zip(KINDS, numbers, strict=True) for _ in range(number)]
    for numbers in itertools.product((0, 1, 4), repeat=len(KINDS))
]
SOME = LOGS[::7]


def change(users: Sequence[Sequence[str]], more: Sequence[str], ceiling: int) -> dict[str, int]:
    """By how much each weight grows when one user comes."""
    without = share_weights(users, GRID, ceiling, 3)
    within = share_weights([*users, more], GRID, ceiling, 3)
    return {query: weight - without.get(query, 0) for query, weight in within.items()}


def norm(moved: dict[str, int]) -> float:
    return math.sqrt(sum(x * x for x in moved.values())) / GRID


@pytest.mark.parametrize("ceiling", [1.01, 2.5])
def test_that_one_user_moves_all_weights_by_no_more_than_one(ceiling: float) -> None:
    moved = 0
    for users in SOME:
        for more in KINDS:
            moves = change(users, more, int(ceiling * GRID))
            assert norm(moves) <= 1 + adaptive.SLACK, (users, more)
            assert min(moves.values()) >= -1
            moved += any(x > 1 for q, x in moves.items() if q not in more)
    assert moved > 50  # weight was passed on to queries of others


def test_that_queries_of_one_user_alone_get_an_equal_part_of_one() -> None:
    """What the threshold is made for: t queries of nobody else weigh 1/√t at most."""
    for users in LOGS[::9]:
        for more in KINDS:
            for number in (1, 2, 5):
                alone = [f"own {n}" for n in range(number)]
                shares = share_weights([*users, [*more, *alone]], GRID, 2 * GRID, 8)
                weights = {shares[query] for query in alone}
                assert len(weights) == 1
                assert max(weights) <= GRID / math.sqrt(number)


def written(users: Sequence[Sequence[str]]) -> QueryLog:
    return log_of(
        [(f"u{n}", query, k, None) for n, user in enumerate(users) for k, query in enumerate(user)]
    )


@pytest.mark.parametrize(("grid", "ceiling"), [(GRID, 11 * GRID), (gaussian.GRID, None)])
def test_that_the_weights_are_those_of_the_description(grid: int, ceiling: int | None) -> None:
    rng = np.random.default_rng(2)
    users = [
        [f"q{q}" for q in dict.fromkeys(np.minimum(rng.zipf(1.5, 6), 40).tolist())]
        for _ in range(300)
    ]
    log, most = written(users), 4
    limited = limit_users(log, ContributionLimits(CountingUnit.USERS, most, 1), Progress())
    texts = log.queries.list_strings()
    closed = np.array([query == "q7" for query in texts], dtype=np.uint8)
    weights = adaptive.weigh_queries(log, limited, most, closed, Progress(), ceiling).tolist()
    cut = [[q for q in user[:most] if q != "q7"] for user in users]
    truth = share_weights(cut, grid, ceiling, most)
    assert (truth == share_weights(cut, grid, None, most)) == (ceiling is None)
    askers = Counter(q for user in cut for q in user)
    for query, weight in zip(texts, weights, strict=True):
        # Doubles may round a user's part that is passed on across a step.
        assert abs(weight - truth.get(query, 0)) <= (askers[query] if ceiling else 0)


def test_that_rounds_share_the_budget_and_weights_that_move_have_that_of_the_plain_way() -> None:
    shared = derive_noise(SetUnionParams(rounds=4, counting=0.25))
    rho = sum((gaussian.GRID / sigma) ** 2 / 2 for sigma in shared.sigma)
    assert rho == pytest.approx(0.75 * shared.rho)
    assert 50 / (2 * shared.count_sigma**2) == pytest.approx(0.25 * shared.rho)
    assert list(shared.sigma) == sorted(shared.sigma, reverse=True)
    plain = derive_noise(SetUnionParams())
    moved = derive_noise(SetUnionParams(weighting="adaptive"))
    assert moved.sigma[0] / moved.grid == pytest.approx(
        plain.sigma[0] / gaussian.GRID * (1 + adaptive.SLACK)
    )
    assert moved.least_weight == pytest.approx(plain.least_weight, rel=2e-3)
    screened = derive_noise(SetUnionParams(weighting="screened", counting=0.25))
    rho = sum((screened.grid * (1 + adaptive.SLACK) / sigma) ** 2 / 2 for sigma in screened.sigma)
    assert rho == pytest.approx(0.75 * screened.rho)
    assert (screened.rho, screened.delta) == (plain.rho, plain.delta)
    leaks = gaussian.union_threshold(screened.sigma[1], 1e-6 / 4, 50, screened.grid)
    assert screened.threshold[1] == leaks


def released(log: QueryLog, seed: int, **values: Any) -> dict[str, int]:
    return queries_of(tables_of(run_method("set-union", log, seed, **values).content))


@pytest.fixture(scope="module")
def tail() -> QueryLog:
    """1,500 users with some popular queries, and as many that nobody else has."""
    rng = np.random.default_rng(1)
    users = [
        [
            *(f"q{q}" for q in dict.fromkeys(rng.zipf(1.4, 8).tolist())),
            *(f"own {n} {k}" for k in range(8)),
        ]
        for n in range(1_500)
    ]
    return written([list(rng.permutation(user)) for user in users])


@pytest.mark.parametrize(
    "values",
    [{"weighting": "screened"}, {"weighting": "adaptive", "rounds": 2}, {"rounds": 3}],
    ids=["screened", "adaptive", "even"],
)
def test_that_each_query_is_found_as_often_as_calculated(
    tail: QueryLog, values: dict[str, Any]
) -> None:
    """Also the queries that a screening seldom leaves open, which gates on content are about."""
    values = {"epsilon": 4.0, "q_f": 8, **values}
    chance, _ = find_chances(tail, SetUnionParams(**values), 1.0, Progress())
    runs = 300
    often: Counter[str] = Counter()
    for seed in range(runs):
        often.update(released(tail, seed, **values).keys())
    share = np.array([often[tail.queries[code]] / runs for code in range(len(chance))])
    assert np.abs(share - chance).max() < 0.13
    seldom = np.flatnonzero((chance > 1e-3) & (chance < 0.15))
    assert len(seldom) > 5
    assert share[seldom].sum() == pytest.approx(chance[seldom].sum(), rel=0.2)


def test_that_passing_on_finds_no_fewer_and_screening_many_more(tail: QueryLog) -> None:
    even, moved, screened = (
        expected_values(expect("set-union", tail, epsilon=4.0, weighting=weighting))["queries"]
        for weighting in ("even", "adaptive", "screened")
    )
    assert moved >= even * (1 - 1e-3)
    assert screened > 1.3 * even


def test_that_logs_beyond_the_proof_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adaptive, "MOST_USERS", 1)
    with pytest.raises(ParameterError, match="even weights"):
        released(written([["a"], ["b"]]), 0, weighting="adaptive")
    with pytest.raises(ParameterError, match="larger ε"):
        derive_noise(SetUnionParams(epsilon=1e-6, weighting="adaptive"))
