"""Accounts with nearly equal histories, against a naive comparison of all pairs."""

import collections
import itertools
import math
from collections.abc import Sequence

import numpy as np
import pytest

from auditor.log import equal_histories
from auditor.log.equal_histories import doubt_users, join_accounts
from auditor.log.model import QueryLog
from auditor.progress import silent_progress

Histories = dict[str, dict[str, int]]


def log_of(histories: Histories) -> QueryLog:
    """A log in which each user submits each query so many times, a minute apart."""
    rows = [(u, q) for u, of in histories.items() for q, n in of.items() for _ in range(n)]
    users, queries = zip(*rows, strict=True)
    return QueryLog.from_columns(user=users, query=queries, time=60 * np.arange(len(rows)))


def parties_of(histories: Histories) -> set[frozenset[str]]:
    """The parties of several users, by name."""
    log = log_of(histories)
    party = join_accounts(log, silent_progress()).party
    groups = collections.defaultdict(set)
    for user, number in zip(log.users.list_strings(), party.tolist(), strict=True):
        groups[number].add(user)
    return {frozenset(group) for group in groups.values() if len(group) > 1}


def naive_parties(histories: Histories) -> set[frozenset[str]]:
    """The definition, written down: every pair is compared."""
    holders = collections.Counter(query for of in histories.values() for query in of)
    n = max(3, len(histories))
    groups = {user: {user} for user in histories}
    for (a, first), (b, second) in itertools.combinations(histories.items(), 2):
        shared = {q: min(first[q], second[q]) for q in first.keys() & second.keys()}
        common = sum(shared.values())
        together = sum(first.values()) + sum(second.values()) - common
        evidence = sum(
            math.log(n / holders[q]) / math.log(n / 2) * (1 + math.log2(c))
            for q, c in shared.items()
        )
        if common >= equal_histories.ALIKE * together and evidence >= equal_histories.EVIDENCE:
            joined = groups[a] | groups[b]
            for user in joined:
                groups[user] = joined
    return {frozenset(group) for group in groups.values() if len(group) > 1}


def draw_histories(seed: int) -> Histories:
    """Users with a few queries each, of whom some have second accounts that differ a little."""
    rng = np.random.default_rng(seed)
    histories: Histories = {}
    for user in range(60):
        queries = rng.zipf(1.3, size=rng.integers(1, 12)) % 400
        of = collections.Counter(f"q{query}" for query in queries.tolist())
        of |= {f"{user}'s own": int(rng.integers(1, 9))}
        histories[f"u{user}"] = dict(of)
        for copy in range(int(rng.integers(0, 3)) if user % 5 == 0 else 0):
            again = dict(of)
            if rng.random() < 0.5:
                again[f"own {user} {copy}"] = 1
            histories[f"u{user} again {copy}"] = again
    return histories


@pytest.mark.parametrize("seed", range(8))
def test_that_parties_are_those_of_comparing_all_pairs(seed: int) -> None:
    histories = draw_histories(seed)
    assert parties_of(histories) == naive_parties(histories) != set()


CROWD: Histories = {f"u{n}": {"weather": 2, f"own {n}": 1} for n in range(30)}
POPULAR: Histories = {f"u{n}": {"weather": 1 + n % 5} for n in range(40)}
RARE = {f"rare {n}": 1 for n in range(8)}


@pytest.mark.parametrize(
    ("crowd", "first", "second", "one_party"),
    [
        (CROWD, {"a private matter": 5}, {"a private matter": 5}, True),
        (POPULAR, {"once": 1}, {"once": 1}, False),  # one search each is no evidence
        (CROWD, RARE | {"x": 1}, RARE | {"y": 1}, True),  # 8 of 10
        (CROWD, RARE | {"x": 1}, RARE | {"y": 2}, False),  # 8 of 11
    ],
)
def test_that_two_accounts_are_one_party_by_what_they_share_and_how_rare_it_is(
    crowd: Histories, first: dict[str, int], second: dict[str, int], one_party: bool
) -> None:
    parties = parties_of(crowd | {"a": first, "b": second})
    assert parties == ({frozenset("ab")} if one_party else set())


@pytest.mark.parametrize("rows", [[], [("a", "")], [("a", ""), ("b", " "), ("b", "")]])
def test_that_blank_queries_and_empty_logs_join_nobody(rows: Sequence[tuple[str, str]]) -> None:
    users, queries = [row[0] for row in rows], [row[1] for row in rows]
    log = QueryLog.from_columns(user=users, query=queries, time=np.arange(len(rows)))
    assert join_accounts(log, silent_progress()).accounts == 0
    assert doubt_users(log, silent_progress()) is None
