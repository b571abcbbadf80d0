"""Own names on logs made by hand: Tables 3 and 4, ranks, controls, bundles, and the limits."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import auditor
from auditor.attacks.base import AttackResult, Evidence
from auditor.attacks.vanity import attack as vanity_attack
from auditor.attacks.vanity import counts as count
from auditor.attacks.vanity.attack import ATTACK, VanityParams
from auditor.errors import MissingInput
from auditor.log.model import QueryLog
from auditor.log.synthetic.generator import synthesize_log
from auditor.progress import silent_progress
from tests.attacks.attacked import findings, run_attack, value, whose
from tests.measures import fakes

Event = tuple[str, str]

ANN, BOB = "marjorie quackenbush", "thaddeus abernathy"
STAR = "britney spears"
PROFILES = """user,userid,name,zip
1,quackenbush_marjorie,Marjorie Quackenbush,02118
2,thaddeus9,Thaddeus Abernathy,94110
3,zzz99,,60614
4,marjoriequackenbush,,10001
5,99,Wendell Featherstone,10001
9,ignatius_thornburgh,,
"""


log_of = partial(fakes.log_in_order, step=3600)


LOG = log_of(
    *[("1", ANN)] * 3,
    ("1", STAR),
    ("1", "weather boston"),
    ("2", f"{BOB} attorney"),
    *[("2", STAR)] * 4,
    *[("3", "elvis presley")] * 4,
    ("3", ANN),
    ("3", BOB),
    ("3", STAR),
    ("4", STAR),
    ("5", "pizza"),
    ("5", "marjorie stewart"),
)


def attack(log: QueryLog, profiles: Path | None, **params: Any) -> AttackResult:
    params = {"by": "random-users", "min_queries": 1, **params}
    return run_attack(ATTACK, log, profiles=profiles, **params)


def rows(result: AttackResult, table: str) -> dict[tuple[str, ...], list[Any]]:
    match = next(item for item in result.tables if item.name == table)
    width = {"extraction": 1, "propensity": 2, "recall": 3}[table]
    return {tuple(map(str, row[:width])): list(row[width:]) for row in match.rows}


def test_that_table_3_counts_whose_names_are_known(result: AttackResult) -> None:
    table = rows(result, "extraction")
    assert {key[0]: row[0] for key, row in table.items()} == {
        "P, at least 1": 3,
        "S, at least 1": 3,
        "P ∪ S, either, at least 1": 4,
        "P ∪ S, both, at least 1": 2,
        "P ∩ S, at least 1": 2,
        "P, at least 2": 3,
        "S, at least 2": 2,
        "P ∪ S, either, at least 2": 4,
        "P ∪ S, both, at least 2": 1,
        "P ∩ S, at least 2": 1,
    }
    assert table[("P, at least 1",)][1] == pytest.approx(60.0)


def test_that_table_4_tells_any_match_from_all_match(result: AttackResult, profiles: Path) -> None:
    table = rows(result, "propensity")
    assert table["P, at least 2", "all"][0] == 2
    assert table["P, at least 2", "all"][1] == pytest.approx(40.0)
    assert table["P, at least 2", "all"][4] == pytest.approx(66.667)
    assert table["P ∩ S, at least 1", "any"][0] == 2
    for (label, match), row in table.items():
        assert row[0] <= table[label, "any"][0], match
    one_word = log_of(("1", "marjorie stewart"), *((user, "x") for user in "2345"))
    table = rows(attack(one_word, profiles), "propensity")
    assert [table["P, at least 2", match][0] for match in ("any", "all")] == [1, 0]


def test_that_the_rate_is_over_all_whose_name_is_known(result: AttackResult) -> None:
    # 1 and 2 ask for themselves and come before 3, who asks for more people; 4 and 5 don't.
    assert result.rate == pytest.approx(2 / 4)
    assert result.baseline == pytest.approx(1 / 5)
    assert result.interval[0] < result.rate < result.interval[1]
    assert result.control is not None
    assert result.control <= 0.5
    assert value(result, "strangers_asked") == 0


def test_that_ranks_weigh_rare_names_and_busy_askers(result: AttackResult, profiles: Path) -> None:
    label = "P ∪ S, either, at least 2"
    name, sent = "the user's name, from their searches", "the user's searches, from their name"
    table = rows(result, "recall")
    # 4 / log 8 for the star that user 2 asks for is more than 1 / log 2 for her own name.
    assert table[label, name, "1"][:2] == [2, 50.0]
    assert table[label, name, "3"][:2] == table[label, sent, "1"][:2] == [2, 100.0]
    # Two name queries of each user, and two users of each name: what chance finds is not drawn.
    assert [table[label, way, rank][-1] for way in (name, sent) for rank in "13"] == [50, 100] * 2
    printed = rows(attack(LOG, profiles, idf="printed"), "recall")
    assert printed[label, name, "1"][:2] == [2, 100.0]
    assert count.inverse_frequency(np.array([1, 2]), True)[0] == np.inf
    assert count.inverse_frequency(np.array([1, 2]), False).tolist() == pytest.approx(
        [1 / np.log(2), 1 / np.log(3)]
    )


def test_that_own_names_are_flagged_and_marked(result: AttackResult) -> None:
    sessions = findings(result)
    assert set(whose(LOG, sessions)) == {"1", "2"}
    query = int(LOG.queries.find([f"{BOB} attorney"])[0])
    assert sessions.list_marks(query) == [(0, len(BOB), "searches for their own name")]
    assert np.all(sessions.risk[:-1] >= sessions.risk[1:])
    assert sessions.risk.max() == 1.0


def test_that_bundles_are_ranked_as_users_are(profiles: Path) -> None:
    result = attack(LOG, profiles, group=2)
    assert any("bundles" in key[0] for key in rows(result, "recall"))
    assert "bundle_1" in {metric.name for metric in result.values}
    assert all(figure.series for figure in result.figures)


def test_that_nobody_is_found_without_names() -> None:
    assert "profiles" in ATTACK.why_not(Evidence(log=LOG))
    with pytest.raises(MissingInput):
        attack(LOG, None)


def test_that_userids_of_the_log_are_enough() -> None:
    names = {"1": "quackenbush_marjorie", "2": "abernathy.thaddeus", "3": "zoe", "4": "may"}
    events = [
        (names.get(LOG.users[int(u)], "may.x"), LOG.queries[int(q)])
        for u, q in zip(LOG.user, LOG.query, strict=True)
    ]
    result = attack(log_of(*events), None)
    assert result.rate == pytest.approx(1.0)
    assert any("own user ids" in note for note in result.notes)


def naive(log: QueryLog, sets: dict[int, set[str]]) -> set[int]:
    """Users who sent a query whose words, split at all but letters and digits, hold their names."""
    return {
        int(user)
        for user, query in zip(log.user, log.query, strict=True)
        if int(user) in sets
        and sets[int(user)] <= set(re.findall("[a-z0-9]+", log.queries[int(query)]))
    }


def test_that_a_synthetic_log_is_read_as_word_by_word(tmp_path: Path) -> None:
    world = synthesize_log(400, seed=5)
    path = tmp_path / "profiles.csv"
    world.profiles.to_csv(path, index=False)
    result = vanity_attack.measure_vanity(
        Evidence(log=world.log, profiles=path),
        VanityParams(names="profile"),
        np.random.default_rng(1),
        silent_progress(),
    )
    sets = result.names.select_names("profile", 2)
    names_by_user: dict[int, set[str]] = {}
    for user, name in zip(sets.user.tolist(), sets.name.tolist(), strict=True):
        names_by_user.setdefault(user, set()).add(result.names.words[name])
    searchers = set(world.log.user[result.own_rows].tolist())
    assert searchers <= naive(world.log, names_by_user)
    truth = {world.log.users[user]: world.truth["users"] for user in searchers}
    assert truth
    planted = set(world.log.user[world.truth["own_name_rows"]].tolist())
    assert len(searchers & planted) >= 0.8 * len(searchers)


@pytest.mark.parametrize("ids", ["12", "xy"])
def test_that_users_who_are_not_in_the_release_are_left_out(profiles: Path, ids: str) -> None:
    part = LOG.rows(LOG.user < 2)
    events = [(ids[u], part.queries[q]) for u, q in zip(part.user, part.query, strict=True)]
    result = attack(LOG, profiles, release=log_of(*events))
    assert result.counts == pytest.approx((2, 2))
    assert result.baseline == pytest.approx(1 / 2)
    assert rows(result, "extraction")[("P, at least 2",)][:2] == [2, 100]
    assert any("3 users" in note for note in result.notes)


def test_that_users_in_no_bundle_of_a_release_are_left_out(profiles: Path) -> None:
    part = LOG.rows(LOG.user < 2)
    release = auditor.preview(part, "bundling", seed=1, by="random-users", group=2)
    evidence = Evidence(log=LOG, release=release, profiles=profiles)
    result = fakes.run_attack(ATTACK, evidence, seed=4, min_queries=1)
    assert rows(result, "extraction")[("P, at least 2",)][:2] == [2, 100]


@pytest.mark.parametrize("query", [ANN, "something else"])
def test_that_strangers_are_searched_for_where_it_can_be_read(profiles: Path, query: str) -> None:
    release = log_of(("3", query), ("4", STAR))
    result = attack(log_of(("3", ANN), ("4", STAR)), profiles, release=release)
    assert (value(result, "strangers_asked") > 0) == (query == ANN)


def test_that_it_says_when_nobody_can_tell_who_is_in_the_release(profiles: Path) -> None:
    release = log_of(("x", "unlike"), ("y", "anything"))
    assert any("unknown" in note for note in attack(LOG, profiles, release=release).notes)
