"""What goes out of logs of which one has one user more is alike, but for noise."""

import json
from typing import Any

import numpy as np
import pytest

from auditor.log.model import QueryLog
from auditor.log.synthetic.generator import synthesize_log
from auditor.methods.registry import METHODS
from auditor.privacy.public_size import round_up_users
from auditor.privacy.randomness import PreviewRandomness
from auditor.privacy.statement import Statement
from auditor.progress import silent_progress
from auditor.release.evidence import public_statement
from auditor.release.policy.policy import load_policy
from auditor.suggestions.candidates import list_public_candidates
from auditor.suggestions.limits import PolicyLimits
from auditor.suggestions.request import SearchHearing, SearchRequest, parse_goal
from auditor.suggestions.result import Suggestions
from auditor.suggestions.search import suggest_release
from auditor.suggestions.store import SearchStore

LOG = synthesize_log(60, days=5, seed=4).log


def without_user(log: QueryLog, user: int) -> QueryLog:
    """The neighbour without one user, with a vocabulary of its own."""
    return log.rows(log.user != user)


HEAVIEST = int(np.bincount(LOG.user).argmax())
NEIGHBOURS = {"last": without_user(LOG, 59), "heaviest": without_user(LOG, HEAVIEST)}
WITH_EPSILON = [name for name in METHODS if METHODS[name].faults]


def state_release(name: str, log: QueryLog) -> Statement:
    method = METHODS[name]
    rng = PreviewRandomness(1)
    return method.run(log, method.params(), rng=rng, progress=silent_progress()).statement


def publish(statement: Statement) -> str:
    return json.dumps(public_statement(statement.to_dict(), {}), sort_keys=True)


@pytest.mark.parametrize("neighbour", NEIGHBOURS)
@pytest.mark.parametrize("name", WITH_EPSILON)
def test_that_the_public_statement_of_noise_is_that_of_neighbouring_logs(
    name: str, neighbour: str
) -> None:
    mine = state_release(name, LOG)
    assert mine.model == "differential privacy"
    assert len(NEIGHBOURS[neighbour].users) == 59
    assert publish(mine) == publish(state_release(name, NEIGHBOURS[neighbour]))
    assert "size is public" in [item.name for item in mine.assumptions]


def test_that_counts_are_rounded_and_parameters_and_decimals_are_not() -> None:
    claim = "Of 1,234 users each is among 150, like 149 others; 163 queries, at distance 0.7215."
    statement = {"model": "(k, δ)-anonymity", "claim": claim}
    assert public_statement(statement, {"k": 150, "delta": 0.5})["claim"] == (
        "Of about 1,000 users each is among 150, like 149 others; about 200 queries, at distance "
        "0.7215."
    )


@pytest.mark.parametrize("users", [59, 4_999, 5_001, 19_999, 123_456])
def test_that_neighbours_have_the_same_candidates(users: int) -> None:
    rules = load_policy("public")
    limits = PolicyLimits.of(rules, users, 0.5)
    assert limits == PolicyLimits.of(rules, users + 1, 0.5)
    assert limits.delta * (users + 1) <= 0.1  # what the policy wants of the exact number
    cases = list_public_candidates(limits, ("zealous",))
    assert {item.params.to_dict()["delta"] for item in cases} == {limits.of_method("zealous").delta}


def test_that_only_numbers_of_one_digit_are_boundaries() -> None:
    sizes = [round_up_users(users) for users in range(1, 20_002)]
    moves = [users for users in range(1, 20_001) if sizes[users - 1] != sizes[users]]
    assert moves == [d * 10**k for k in (1, 2, 3, 4) for d in range(1, 10) if d * 10**k <= 20_000]
    assert all(users <= size <= max(2 * users, 10) for users, size in enumerate(sizes, 1))


def search(log: QueryLog, mode: Any, **values: Any) -> Suggestions:
    request = SearchRequest(
        policy=load_policy("default"), goal=parse_goal("queries"), mode=mode, growth=False, **values
    )
    hearing = SearchHearing()
    return suggest_release(request, log, hearing, SearchStore(), PreviewRandomness(2))


def test_that_a_private_choice_is_of_the_same_candidates_on_neighbouring_logs() -> None:
    points = [
        search(log, "private", methods=("zealous",)).points[0]
        for log in (LOG, *NEIGHBOURS.values())
    ]
    counts = {point.selection.candidates for point in points if point.selection is not None}
    assert len(counts) == 1
    public = {publish(point.statement) for point in points if point.params == points[0].params}
    assert len(public) == 1
