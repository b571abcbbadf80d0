"""Records linked across days, against counting in plain Python."""

import dataclasses
import math
from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import auditor
from auditor.attacks.base import AttackResult
from auditor.attacks.mini_session_linkage import ATTACK
from auditor.log.model import Attribute, QueryLog, Vocabulary
from auditor.privacy.release import Preview
from auditor.privacy.truth_table import TruthTable
from tests.attacks.attacked import explain, run_attack
from tests.measures import fakes
from tests.narrowing import present

DAY = 86_400
Row = tuple[str, str, int]
"""A user, a query and a day."""


def log_of(rows: list[Row]) -> QueryLog:
    return fakes.log_of(
        [(user, query, DAY * day + place) for place, (user, query, day) in enumerate(rows)]
    )


def attack(log: QueryLog, release: Preview | None = None, **params: Any) -> AttackResult:
    return run_attack(ATTACK, log, release or daily(log), seed=1, **params)


def daily(log: QueryLog, **params: Any) -> Preview:
    return auditor.preview(log, "day-pseudonyms", suppress="nothing", seed=1, **params)


def own_queries(users: int = 6, days: Iterable[int] = range(3)) -> QueryLog:
    """Users of one query each, the same on every day."""
    return log_of([(f"u{user}", f"own {user}", day) for user in range(users) for day in days])


def expect(rows: list[Row]) -> tuple[float, float, int]:
    """Mean hits, mean share of own records among those compared, and targets."""
    records: dict[tuple[str, int], set[str]] = {}
    for user, query, day in rows:
        parts = [f"query {query}", *(f"word {word}" for word in query.split())]
        records.setdefault((user, day), set()).update(parts)
    holders: dict[str, int] = {}
    for texts in records.values():
        for part in texts:
            holders[part] = holders.get(part, 0) + 1
    weight = {part: math.log(max(len(records), 2) / n) for part, n in holders.items() if n > 1}
    hits, guessed = [], []
    for (user, day), texts in records.items():
        others = {key: other for key, other in records.items() if key[1] != day}
        is_own = [key[0] == user for key in others]
        if not any(is_own):
            continue
        guessed.append(sum(is_own) / len(is_own))
        shared = {key: [p for p in texts & other if p in weight] for key, other in others.items()}
        score = {key: sum(weight[p] for p in parts) for key, parts in shared.items() if parts}
        best = [k for k, value in score.items() if value >= max(score.values()) * (1 - 1e-9)]
        hits.append(sum(k[0] == user for k in best) / len(best) if best else guessed[-1])
    return float(np.mean(hits)), float(np.mean(guessed)), len(hits)


def test_that_records_of_nobody_known_are_no_hit_of_the_control() -> None:
    rows: list[Row] = [("a", "red", 0), ("a", "blue", 1)]
    rows += [(f"u{number}", "red", 1) for number in range(30)]
    rows += [(f"v{number}", "green", 0) for number in range(30)]
    log = log_of(rows)
    release = daily(log)
    owners = present(release.truth).find_owners(log, present(release.log))
    (user,) = log.users.find(["a"]).tolist()
    ids = present(release.log).users.list_strings()
    pairs = {ids[place]: "a" for place in np.flatnonzero(owners == user).tolist()}
    result = attack(log, dataclasses.replace(release, truth=TruthTable.of(pairs)))
    assert result.control == result.rate < 0.1


QUERIES = st.lists(st.sampled_from(["ox", "car", "red", "old"]), min_size=1, max_size=2)
ROWS = st.lists(
    st.tuples(st.sampled_from("abc"), QUERIES.map(" ".join), st.integers(0, 2)),
    min_size=1,
    max_size=25,
)


@given(ROWS)
def test_that_hits_are_those_of_the_definition(rows: list[Row]) -> None:
    log = log_of(rows)
    release = daily(log)
    if why := explain(ATTACK, log, release):
        assert "several days" in why or "one id" in why
        return
    rate, guessed, targets = expect(rows)
    result = attack(log, release)
    assert present(result.counts)[1] == targets
    assert result.rate == pytest.approx(rate, abs=1e-6)
    assert result.baseline == pytest.approx(guessed)


def test_that_rare_queries_link_and_chance_does_not() -> None:
    log = auditor.load_sample().sample_users(600, 2)
    result = attack(log, targets=400)
    assert result.interval[0] > 0.2
    assert present(result.control) < 0.03
    assert result.baseline < 0.01


def test_that_only_records_of_one_group_are_compared() -> None:
    """Of ann's three days two are in town; bob is in town once and once at sea."""
    log = log_of([(event[0], "ox", int(event[1])) for event in ("a0", "a1", "a2", "b0", "b1")])
    places = {"a0": 0, "a1": 0, "a2": 1, "b0": 0, "b1": 1}
    codes = [
        places[f"{log.users[int(user)]}{int(time) // DAY}"]
        for user, time in zip(log.user, log.time, strict=True)
    ]
    column = Attribute(np.array(codes, dtype=np.int32), Vocabulary.of(["town", "sea"]))
    with_places = dataclasses.replace(log, attributes={"place": column})
    result = attack(log, daily(with_places, columns="keep", group=1, cell=1))
    assert present(result.counts)[1] == 2, "both of ann's days in town, and no other"
    assert 0 < result.baseline <= 1
    assert not np.isnan(result.rate)


@pytest.mark.parametrize("times", ["week", "shuffled"])
def test_that_records_whose_days_are_not_told_are_compared_with_all_others(times: str) -> None:
    log = own_queries(days=range(4, 7))
    release = daily(log, times=times)
    assert attack(log, release).rate == 1
    released = present(release.log)
    time = released.time + (np.arange(len(released)) == 0)  # a second search for the same
    content = dataclasses.replace(released, time=time)
    assert attack(log, dataclasses.replace(release, content=content)).rate == 1


def test_that_columns_that_differ_by_row_hide_no_link() -> None:
    log = own_queries()
    release = daily(log)
    released = present(release.log)
    codes = np.arange(len(released), dtype=np.int32)
    dwell = Attribute(codes, Vocabulary.of([str(code) for code in codes]))
    content = dataclasses.replace(released, attributes={"dwell": dwell})
    assert attack(log, dataclasses.replace(release, content=content)).rate == 1


def test_that_few_records_need_a_truth_table_and_one_of_few_ids_leaves_a_lower_bound() -> None:
    log = own_queries()
    release = daily(log)
    released = present(release.log)
    bare = dataclasses.replace(release, content=released.rows(released.user < 4), truth=None)
    assert explain(ATTACK, log, bare).startswith("needs a truth table")
    owners = present(release.truth).find_owners(log, released)
    ids = released.users.list_strings()
    names = [log.users[int(owner)] for owner in owners]
    once = TruthTable.of({user: name for name, user in dict(zip(names, ids, strict=True)).items()})
    some = TruthTable.of({user: name for user, name in zip(ids, names, strict=True) if name < "u4"})
    few = dataclasses.replace(release, truth=once)
    assert explain(ATTACK, log, few) == "needs a truth table that names more of the ids"
    result = attack(log, dataclasses.replace(release, truth=some))
    assert any("6 records" in note for note in result.notes)


def test_that_what_columns_link_is_no_guessing() -> None:
    """Everybody searches for the same, and has a browser of their own."""
    log = log_of([(f"u{user}", "ox", day) for user in range(6) for day in range(3)])
    release = daily(log)
    released, truth = present(release.log), present(release.truth)
    owners = truth.find_owners(log, released).astype(np.int32)
    browser = Attribute(owners[released.user], log.users)
    content = dataclasses.replace(released, attributes={"browser": browser})
    result = attack(log, dataclasses.replace(release, content=content))
    assert result.rate == 1
    assert result.baseline == pytest.approx(2 / 12)
    assert attack(log, release).rate == pytest.approx(2 / 12)
