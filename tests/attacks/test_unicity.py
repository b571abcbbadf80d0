"""Singling out by few queries: counted by hand, and against every subset of records."""

import dataclasses
from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.attacks.base import AttackResult, Evidence
from auditor.attacks.unicity import ATTACK
from auditor.errors import MissingInput
from auditor.log.model import Attribute, QueryLog, Vocabulary
from auditor.privacy.release import Preview
from auditor.privacy.truth_table import TruthTable
from tests.attacks.attacked import log_of_histories as log_of
from tests.attacks.attacked import run_attack, value
from tests.measures import fakes
from tests.narrowing import present

attack = partial(run_attack, ATTACK)


def release_of(histories: Mapping[str, Sequence[str]]) -> Preview:
    return fakes.release_of(log_of(histories), ids="keep")


def rates(result: AttackResult, kind: str) -> list[tuple[float, float]]:
    return [(row[2], row[3]) for row in result.tables[0].rows if row[0] == kind]


RAW = {
    "ann": ["weather", "maps", "mushrooms"],
    "bob": ["weather", "maps"],
    "cid": ["weather", "trains"],
    "dan": ["orchids"],
}


def test_that_rates_are_those_counted_by_hand() -> None:
    result = attack(log_of(RAW), release_of(RAW), known="rarest", points=1)
    # Ann's mushrooms, Cid's trains and Dan's orchids are theirs alone; Bob's maps are Ann's, too.
    assert result.rate == 0.75
    assert result.baseline == 0.25
    # By both of his queries Bob fits Ann's record as well; without his own it is hers alone. Her
    # maps, the second of what is known of her, are then in his.
    assert rates(result, "the rarest") == [(0.75, 0.25), (0.75, 0.5), (0.75, 0.5)]
    assert value(result, "singled_out_by_rarest") == 0.75


def test_that_whoever_fits_only_records_of_their_own_is_singled_out() -> None:
    truth = TruthTable.of({"a1": "ann", "a2": "ann", "b": "bob"})

    def single_out(known: list[str], **records: list[str]) -> list[float]:
        release = release_of(records | {"b": ["maps"]})
        release = dataclasses.replace(release, params={"ids": "random"}, truth=truth)
        log = log_of({"ann": known, "bob": ["maps"]})
        result = attack(log, release, known="rarest", points=3)
        return [rate for rate, _ in rates(result, "the rarest")]

    # Ann's query stands in both of her records.
    assert single_out(["mushrooms"], a1=["mushrooms"], a2=["mushrooms"]) == [1, 1, 1]
    # One query of Ann's is enough, whatever record her others stand in; her maps are Bob's, too.
    assert single_out(["mushrooms", "maps"], a1=["mushrooms"], a2=["maps"]) == [0.5, 0.5, 0.5]


def test_that_columns_spelt_otherwise_hide_nobody() -> None:
    def place(log: QueryLog, name: str) -> QueryLog:
        column = Attribute(np.zeros(len(log), dtype=np.int32), Vocabulary.of([name]))
        return dataclasses.replace(log, attributes={"place": column})

    log = log_of(RAW)
    release = dataclasses.replace(release_of(RAW), content=place(log, "DE"))
    plain = attack(log, release_of(RAW), known="rarest", points=1)
    assert attack(place(log, "Germany"), release, known="rarest", points=1).rate == plain.rate


def test_that_the_rate_is_of_those_who_are_in_the_release_as_the_baseline_is() -> None:
    released: dict[str, list[str]] = {name: RAW[name] for name in ("ann", "cid", "dan")}
    result = attack(log_of(RAW), release_of(released), known="rarest", points=3)
    assert result.rate == 1
    assert result.baseline == pytest.approx(1 / 3)
    assert value(result, "singled_out_of_all") == 0.75
    shorter = {**RAW, "ann": ["weather", "maps"]}  # what is not released fits no record
    assert attack(log_of(RAW), release_of(shorter), known="rarest", points=3).rate == 0.5


def test_that_strangers_of_the_reference_are_the_control() -> None:
    older = log_of({"eve": ["orchids"], "fay": ["weather"], "gus": ["chess"], "ann": ["orchids"]})
    result = attack(log_of(RAW), release_of(RAW), reference=older, points=1)
    assert result.control == pytest.approx(1 / 3)


def test_that_groups_with_one_list_single_nobody_out() -> None:
    same = dict.fromkeys(RAW, ("weather", "maps", "mushrooms", "trains", "orchids"))
    result = attack(log_of(RAW), release_of(same))
    assert result.rate == 0
    assert all(rate == 0 for kind in ("at random", "the rarest") for rate, _ in rates(result, kind))


@given(
    st.lists(st.lists(st.sampled_from("abcdef"), min_size=1, max_size=5), min_size=2, max_size=7),
    st.integers(1, 4),
)
def test_that_it_is_the_plain_definition(histories: list[list[str]], points: int) -> None:
    raw = {f"u{number}": of for number, of in enumerate(histories)}
    log = log_of(raw)
    holders = {query: sum(query in of for of in histories) for query in "abcdef"}
    result = attack(log, release_of(raw), known="rarest", points=points)
    sure, unsure = 0, 0
    for name, of in raw.items():
        levels = sorted(holders[query] for query in set(of))[:points]
        ties = sum(holders[query] <= levels[-1] for query in set(of)) > len(levels)
        knowledge = {query for query in of if holders[query] <= levels[-1]}
        fits = [other for other, theirs in raw.items() if knowledge <= set(theirs)]
        sure += fits == [name] and not ties
        unsure += ties
    assert sure <= present(result.counts)[0] <= sure + unsure


@given(
    st.lists(st.sets(st.sampled_from("abcde"), min_size=1, max_size=3), min_size=3, max_size=8),
    st.data(),
)
def test_that_whoever_is_singled_out_among_all_is_so_among_some(
    histories: list[set[str]], data: st.DataObject
) -> None:
    """All that users issued is known, so that nothing depends on what is drawn."""
    raw = {f"u{number}": sorted(of) for number, of in enumerate(histories)}
    some = data.draw(st.sets(st.sampled_from([*raw]), min_size=2))
    cut = {name: queries for name, queries in raw.items() if name in some}
    log, cut_log = log_of(raw), log_of(cut)
    evidence = Evidence(log=cut_log, release=release_of(cut), is_cut=True)
    result = fakes.run_attack(ATTACK, evidence)
    assert {row[0] for row in result.tables[0].rows} == {"at random"}
    among_all, among_some = (
        {of.users[user] for user in present(attacked.values[0].who).find(0).tolist()}
        for of, attacked in ((log, attack(log, release_of(raw))), (cut_log, result))
    )
    assert among_all & some <= among_some
    with pytest.raises(MissingInput, match="rarest"):
        fakes.run_attack(ATTACK, evidence, known="rarest")
