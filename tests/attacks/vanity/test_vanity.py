"""Own names: found in ids and profiles, and searched for (Jones et al. 2008, Tables 3 and 4)."""

import itertools
import re
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import auditor
from auditor.attacks.base import AttackResult, Evidence
from auditor.attacks.vanity import attack as vanity_attack
from auditor.attacks.vanity import own_name_queries, user_names
from auditor.attacks.vanity.attack import ATTACK, VanityParams
from auditor.errors import MissingInput
from auditor.log.model import QueryLog, Vocabulary
from auditor.log.synthetic.generator import synthesize_log
from tests.attacks.attacked import QUIET, explain, findings, run_attack, table_of, value, whose
from tests.measures import fakes
from tests.narrowing import present

log_of = partial(fakes.log_in_order, step=3600)


def attack(log: QueryLog, profiles: Path | None, **params: Any) -> AttackResult:
    params = {"by": "random-users", "min_queries": 1, **params}
    return run_attack(ATTACK, log, profiles=profiles, **params)


@pytest.mark.parametrize(
    ("userid", "names"),
    [
        ("jackson_andrew", ("jackson", "andrew")),  # figure 1
        ("Jackson.Andrew99", ("jackson", "andrew")),
        ("mjohnson", ("johnson",)),
        ("j_o_h_n", ("john",)),
        ("JOSÉ.garcia", ("jose", "garcia")),
        ("maryjones", ("mary", "jones")),
        ("mary_mary", ("mary",)),
        ("12345", ()),
        ("", ()),
        ("x", ()),
    ],
)
def test_that_names_are_found_whatever_glues_them(userid: str, names: tuple[str, ...]) -> None:
    assert user_names.names_of_userid(userid) == names


def shortest(letters: str) -> int:
    """Edges of the shortest path, by trying all cuts."""
    best = len(letters)
    for cuts in range(len(letters)):
        for ends in itertools.combinations(range(1, len(letters)), cuts):
            pieces = [letters[a:b] for a, b in itertools.pairwise((0, *ends, len(letters)))]
            if all(len(piece) == 1 or piece in user_names.census_costs() for piece in pieces):
                return min(best, len(pieces))
    return best


@example("andrewjackson")
@example("annamarie")
@example("robertson")
@given(
    st.lists(
        st.sampled_from(("an", "drew", "jack", "son", "x", "ma", "ry")), max_size=3, unique=True
    ).map("".join)
)
def test_that_the_path_is_a_shortest_one(letters: str) -> None:
    names = user_names.names_of_userid(letters)
    assert all(name in user_names.census_costs() for name in names)
    single = len(letters) - sum(map(len, names))
    assert len(names) + single == shortest(letters)


def test_that_a_profile_gives_its_words_without_initials() -> None:
    assert user_names.names_of_profile("Mary J. O'Neil") == ("mary", "oneil")
    assert user_names.names_of_profile("") == ()


def extract(*people: tuple[str, str]) -> user_names.UserNames:
    return user_names.extract_names(
        [n for n, _ in people], [u for _, u in people], len(people), QUIET
    )


def got(names: user_names.UserNames, variant: str, least: int) -> list[set[str]]:
    sets = names.select_names(variant, least)
    result: list[set[str]] = [set() for _ in range(sets.users)]
    for user, name in zip(sets.user.tolist(), sets.name.tolist(), strict=True):
        result[user].add(names.words[name])
    return result


def test_that_the_ways_of_table_3_combine_profile_and_userid() -> None:
    names = extract(("Mary Jones", "mary_smith"), ("Mary", "jones"), ("", "mary_smith"), ("", "7"))
    p, s, none = {"mary", "jones"}, {"mary", "smith"}, set[str]()
    expected = {
        "profile": ([p, {"mary"}, none, none], [p, none, none, none]),
        "userid": ([s, {"jones"}, s, none], [s, none, s, none]),
        "either": ([p | s, p, s, none], [p | s, none, s, none]),
        "both": ([p | s, p, none, none], [p | s, none, none, none]),
        "common": ([{"mary"}, none, none, none], [none] * 4),
    }
    assert {way: tuple(got(names, way, least) for least in (1, 2)) for way in expected} == expected


def test_that_numbers_and_hashes_are_no_ids_with_names() -> None:
    for pattern in ("{0}", "{0:08x}abcdef", "user{0}"):
        ids = Vocabulary.of(pattern.format(7919 * n) for n in range(50))
        assert not user_names.carry_names(ids)
    assert user_names.carry_names(Vocabulary.of(["mary_jones", "cool.cat", "jsmith", "a1"]))


def test_that_profiles_stand_beside_their_users(tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    path.write_text("user,zip,userid\n7,02118,mary_jones\n9,1,x\n3,,lee\n", "utf-8")
    table = own_name_queries.match_profiles(log_of(("3", "a"), ("7", "a")), path, QUIET)
    assert table.userid == ["lee", "mary_jones"]
    assert table.zip == ["", "02118"]
    assert table.name == ["", ""]
    assert table.columns == ("userid", "zip")
    assert (table.known, table.strangers) == (2, [("x", "")])


def test_that_profiles_without_names_are_told_before_a_run(tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    path.write_text("user\tzip\n7\t02118\n", "utf-8")
    numbered = log_of(("7", "a"))
    assert "'name'" in explain(ATTACK, numbered, profiles=path)
    assert explain(ATTACK, log_of(("mary_jones", "a")), profiles=path) == ""
    missing = tmp_path / "none.csv"
    assert explain(ATTACK, numbered, profiles=missing) == ""
    with pytest.raises(MissingInput, match=r"none\.csv"):
        attack(numbered, missing)


# --- the attack

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


def rows(result: AttackResult, table: str) -> dict[tuple[str, ...], list[Any]]:
    width = {"extraction": 1, "propensity": 2, "recall": 3}[table]
    return {tuple(map(str, row[:width])): list(row[width:]) for row in table_of(result, table).rows}


def test_that_table_3_counts_whose_names_are_known(result: AttackResult) -> None:
    table = rows(result, "extraction")
    ways = ("P", "S", "P ∪ S, either", "P ∪ S, both", "P ∩ S")
    for least, users in ((1, (3, 3, 4, 2, 2)), (2, (3, 2, 4, 1, 1))):
        named = [table[(f"{way}, at least {least}",)][0] for way in ways]
        assert named == list(users)
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
    assert present(result.control) <= 0.5
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
    assert user_names.inverse_frequency(np.array([1, 2]), True)[0] == np.inf
    assert user_names.inverse_frequency(np.array([1, 2]), False).tolist() == pytest.approx(
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
    assert "profiles" in explain(ATTACK, LOG)


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
        QUIET,
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
    result = run_attack(ATTACK, LOG, release, profiles=profiles, min_queries=1)
    assert rows(result, "extraction")[("P, at least 2",)][:2] == [2, 100]


@pytest.mark.parametrize("query", [ANN, "something else"])
def test_that_strangers_are_searched_for_where_it_can_be_read(profiles: Path, query: str) -> None:
    release = log_of(("3", query), ("4", STAR))
    result = attack(log_of(("3", ANN), ("4", STAR)), profiles, release=release)
    assert (value(result, "strangers_asked") > 0) == (query == ANN)


def test_that_it_says_when_nobody_can_tell_who_is_in_the_release(profiles: Path) -> None:
    release = log_of(("x", "unlike"), ("y", "anything"))
    assert any("unknown" in note for note in attack(LOG, profiles, release=release).notes)
