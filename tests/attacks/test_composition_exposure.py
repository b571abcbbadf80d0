"""Queries of one user made of words that many used, against counting in plain Python."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import auditor
from auditor.attacks.base import AttackResult
from auditor.attacks.composition_exposure import ATTACK
from auditor.log.model import QueryLog
from tests.attacks.attacked import run_attack, value
from tests.measures.fakes import log_in_order
from tests.narrowing import present

Row = tuple[str, str]
"""A user and a query."""


def attack(log: QueryLog, method: str, **values: Any) -> AttackResult:
    release = auditor.preview(log, method, seed=1, **values)
    return run_attack(ATTACK, log, release, seed=1, k=3)


QUERIES = st.lists(st.sampled_from(["ox", "car", "red"]), min_size=1, max_size=3)
ROWS = st.lists(st.tuples(st.sampled_from("abcd"), QUERIES.map(" ".join)), min_size=1, max_size=30)


@given(ROWS)
def test_that_hits_are_those_of_the_definition(rows: list[Row]) -> None:
    users: dict[str, set[str]] = {}
    words: dict[str, set[str]] = {}
    for user, query in rows:
        users.setdefault(query, set()).add(user)
        for word in query.split():
            words.setdefault(word, set()).add(user)
    composed = {
        query
        for query, who in users.items()
        if len(query.split()) > 1
        and len(who) < 3
        and all(len(words[word]) >= 3 for word in query.split())
    }
    result = attack(log_in_order(*rows), "frequency-threshold", n=1)
    assert list(result.counts or ()) == [len(composed), len(users)]
    assert value(result, "lone") == pytest.approx(
        sum(len(users[text]) == 1 for text in composed) / len(users)
    )
    exposed = {user for user, query in rows if query in composed}
    assert value(result, "users") == pytest.approx(len(exposed) / len({user for user, _ in rows}))


def test_that_a_threshold_on_whole_queries_leaves_none_and_one_on_words_many() -> None:
    log = auditor.load_sample().sample_users(800, 3)
    assert attack(log, "frequency-threshold", n=3).rate == 0.0
    words = attack(log, "entity-allowlist", k_entity=3)
    assert words.rate > 0.5
    assert present(words.control) < 0.05 < words.interval[0]
