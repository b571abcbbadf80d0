"""Names from userids and profiles, and the ways to combine them (Jones et al. 2008, Table 3)."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from auditor.attacks.base import Evidence
from auditor.attacks.vanity import profiles
from auditor.attacks.vanity.user_names import (
    VARIANTS,
    UserNames,
    carry_names,
    census_costs,
    extract_names,
    names_of_profile,
    names_of_userids,
)
from auditor.errors import MissingInput
from auditor.log.model import QueryLog, Vocabulary
from auditor.progress import silent_progress
from tests.measures.fakes import log_in_order


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
    assert names_of_userids([userid])[0] == names


def shortest(letters: str) -> int:
    """Edges of the shortest path, by trying all cuts."""
    best = len(letters)
    for cuts in range(len(letters)):
        for ends in itertools.combinations(range(1, len(letters)), cuts):
            pieces = [letters[a:b] for a, b in itertools.pairwise((0, *ends, len(letters)))]
            if all(len(piece) == 1 or piece in census_costs() for piece in pieces):
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
    names = names_of_userids([letters])[0]
    assert all(name in census_costs() for name in names)
    single = len(letters) - sum(map(len, names))
    assert len(names) + single == shortest(letters)


def test_that_a_profile_gives_its_words_without_initials() -> None:
    assert names_of_profile("Mary J. O'Neil") == ("mary", "oneil")
    assert names_of_profile("") == ()


def extract(*people: tuple[str, str]) -> UserNames:
    return extract_names(
        [n for n, _ in people], [u for _, u in people], len(people), silent_progress()
    )


def got(names: UserNames, variant: str, least: int) -> list[set[str]]:
    sets = names.select_names(variant, least)
    result: list[set[str]] = [set() for _ in range(sets.users)]
    for user, name in zip(sets.user.tolist(), sets.name.tolist(), strict=True):
        result[user].add(names.words[name])
    return result


def test_that_the_ways_of_table_3_combine_profile_and_userid() -> None:
    names = extract(("Mary Jones", "mary_smith"), ("Mary", "jones"), ("", "mary_smith"), ("", "7"))
    p, s, none = {"mary", "jones"}, {"mary", "smith"}, set[str]()
    assert got(names, "profile", 1) == [p, {"mary"}, none, none]
    assert got(names, "profile", 2) == [p, none, none, none]
    assert got(names, "userid", 1) == [s, {"jones"}, s, none]
    assert got(names, "userid", 2) == [s, none, s, none]
    assert got(names, "either", 1) == [p | s, p, s, none]
    assert got(names, "either", 2) == [p | s, none, s, none]
    assert got(names, "both", 1) == [p | s, p, none, none]
    assert got(names, "both", 2) == [p | s, none, none, none]
    assert got(names, "common", 1) == [{"mary"}, none, none, none]
    assert got(names, "common", 2) == [none, none, none, none]


@given(
    st.lists(
        st.tuples(
            st.sampled_from(("", "Mary", "Mary Jones", "Ann Mary Lee")),
            st.sampled_from(("", "mary", "jones_mary", "lee.ann", "99")),
        ),
        min_size=1,
        max_size=6,
    )
)
def test_that_surer_ways_name_fewer_people(people: list[tuple[str, str]]) -> None:
    names = extract(*people)
    for least in (1, 2):
        named = {key: names.select_names(key, least).count_names() > 0 for key in VARIANTS}
        assert (named["common"] <= named["both"]).all()
        assert (named["both"] <= named["either"]).all()
        assert (named["either"] == (named["profile"] | named["userid"])).all()
        assert (named["both"] == (named["profile"] & named["userid"])).all()


def test_that_numbers_and_hashes_are_no_ids_with_names() -> None:
    assert not carry_names(Vocabulary.of(str(n) for n in range(50)))
    assert not carry_names(Vocabulary.of(f"{n * 7919:08x}abcdef" for n in range(50)))
    assert not carry_names(Vocabulary.of(f"user{n}" for n in range(50)))
    assert carry_names(Vocabulary.of(["mary_jones", "cool.cat", "jsmith", "a1"]))


def log_of(*users: str) -> QueryLog:
    return log_in_order(*((user, "a") for user in users))


def test_that_profiles_stand_beside_their_users(tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    path.write_text("user,zip,userid\n7,02118,mary_jones\n9,1,x\n3,,lee\n", "utf-8")
    table = profiles.read_profiles(log_of("3", "7"), path, silent_progress())
    assert table.userid == ["lee", "mary_jones"]
    assert table.zip == ["", "02118"]
    assert table.name == ["", ""]
    assert table.columns == ("userid", "zip")
    assert (table.known, table.strangers) == (2, [("x", "")])


def test_that_numbers_without_profiles_name_nobody() -> None:
    evidence = Evidence(log=log_of("7", "8"))
    assert "profiles" in profiles.why_no_names(evidence)
    with pytest.raises(MissingInput, match="profiles"):
        profiles.names_of(evidence, silent_progress())


def test_that_profiles_without_names_are_told_before_a_run(tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    path.write_text("user\tzip\n7\t02118\n", "utf-8")
    assert "'name'" in profiles.why_no_names(Evidence(log=log_of("7"), profiles=path))
    chosen = Evidence(log=log_of("mary_jones"), profiles=path)
    assert profiles.why_no_names(chosen) == ""
    missing = Evidence(log=log_of("7"), profiles=tmp_path / "none.csv")
    assert profiles.why_no_names(missing) == ""
    with pytest.raises(MissingInput, match=r"none\.csv"):
        profiles.names_of(missing, silent_progress())


def test_that_userids_of_the_log_serve_without_profiles() -> None:
    names, table = profiles.names_of(
        Evidence(log=log_of("mary_jones", "lee.brown")), silent_progress()
    )
    assert table is None
    assert got(names, "either", 2) == [{"mary", "jones"}, {"lee", "brown"}]
