"""Queries of one user made of words that many used, against counting in plain Python."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import auditor
from auditor.attacks.base import AttackResult, Evidence
from auditor.attacks.composition_exposure import ATTACK
from auditor.log.model import QueryLog
from tests.measures.fakes import log_in_order, run_attack

Row = tuple[str, str]
"""A user and a query."""


def attack(log: QueryLog, method: str = "frequency-threshold", **values: Any) -> AttackResult:
    release = auditor.preview(log, method, **(values or {"n": 1}), seed=1)
    return run_attack(ATTACK, Evidence(log=log, release=release), seed=1, k=3)


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
    result = attack(log_in_order(*rows))
    assert list(result.counts or ()) == [len(composed), len(users)]
    values = {metric.name: metric.value for metric in result.values}
    assert values["lone"] == pytest.approx(
        sum(len(users[text]) == 1 for text in composed) / len(users)
    )
    exposed = {user for user, query in rows if query in composed}
    assert values["users"] == pytest.approx(len(exposed) / len({user for user, _ in rows}))


def test_that_a_threshold_on_whole_queries_leaves_none_and_one_on_words_many() -> None:
    log = auditor.load_sample().sample_users(800, 3)
    assert attack(log, n=3).rate == 0.0
    words = attack(log, "entity-allowlist", k_entity=3)
    assert words.rate > 0.5
    assert words.control is not None
    assert words.control < 0.05 < words.interval[0]


def test_that_hashes_can_not_be_read() -> None:
    log = log_in_order(("a", "ox car"), ("b", "ox"))
    hashed = auditor.preview(log, "token-hashing", seed=1)
    assert ATTACK.why_not(Evidence(log=log, release=hashed))
    assert ATTACK.why_not(Evidence(log=log)) == "needs a release"


def test_that_n_grams_are_no_queries() -> None:
    log = log_in_order(*((f"u{number}", "red car") for number in range(40)))
    release = auditor.preview(log, "n-grams", epsilon=40.0, seed=1)
    assert "n-grams" in ATTACK.why_not(Evidence(log=log, release=release))
