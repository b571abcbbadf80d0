"""Attribute inference on groups whose topics, guesses and chances are counted by hand."""

import dataclasses
from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np
import pytest

from auditor.attacks.attribute_inference import ATTACK
from auditor.errors import MissingInput
from auditor.log.model import QueryLog
from auditor.methods.base import unknown_statement
from auditor.privacy.release import UNKNOWN, Preview
from auditor.privacy.statement import Statement
from auditor.privacy.truth_table import TruthTable
from tests.attacks.attacked import log_of_histories as log_of
from tests.attacks.attacked import run_attack
from tests.measures import fakes
from tests.measures.fakes import made_by, value

ILL, DEVOUT, PLAIN = "breast cancer treatment", "catholic church mass times", "garden fence"

attack = partial(run_attack, ATTACK)


def release_of(histories: Mapping[str, Sequence[str]]) -> Preview:
    """A release that claims groups of two."""
    statement = Statement(model="k-anonymity", claim="", unit="", assumptions=(), measured={"k": 2})
    release = fakes.release_of(log_of(histories), ids="keep")
    return dataclasses.replace(release, statement=statement)


RAW = {
    "a": [ILL, PLAIN], "b": [ILL, PLAIN],  # both ill: naming it is certain
    "c": [DEVOUT, PLAIN], "d": [PLAIN],  # one devout, and the list says it of both
    "e": [PLAIN], "f": [PLAIN],
    "g": [ILL], "h": [PLAIN],  # g's list is like no other one
}  # fmt: skip
RELEASED = RAW | {"d": [DEVOUT, PLAIN]}


def test_that_rate_baseline_and_homogeneity_are_those_counted_by_hand() -> None:
    result = attack(log_of(RAW), release_of(RELEASED))
    # Groups: ab (ill), cd (devout), efh (nothing); g alone. 7 users in groups, 4 named, 3 rightly.
    assert result.details == {"targets": 7, "attempts": 4, "hits": 3}
    assert result.rate == pytest.approx(3 / 7)
    # 3 of 8 users are ill, 1 of 8 is devout.
    assert result.baseline == pytest.approx((2 * 3 / 8 + 2 * 1 / 8) / 7)
    assert value(result, "named") == pytest.approx(4 / 7)
    assert value(result, "right") == pytest.approx(3 / 4)
    assert value(result, "homogeneous") == pytest.approx(2 / 7)
    assert result.control is None


def test_that_outsiders_are_taken_for_members_of_the_nearest_group() -> None:
    raw = RAW | {"z": [ILL]}  # in the log, not in the release
    reference = log_of({"a": [ILL], "x": [DEVOUT, "fern"], "y": ["moss"], "w": [ILL, DEVOUT]})
    result = attack(log_of(raw), release_of(RELEASED), reference=reference)
    # z is ill and nearest to g, whose group shows that; x is devout and near cd; y is near nobody;
    # w has both, and a devout record is rarer than an ill one. a is no outsider.
    assert result.control == pytest.approx(3 / 4)


def test_that_the_rarest_topic_of_a_group_is_named() -> None:
    raw = {"a": [ILL, DEVOUT], "b": [ILL], "c": [ILL], "d": [PLAIN]}
    result = attack(log_of(raw), release_of(raw | {"b": [ILL, DEVOUT]}))
    # Three of four are ill and one is devout, which is right of a alone.
    assert result.details == {"targets": 2, "attempts": 2, "hits": 1}


def test_that_a_methods_groups_are_attacked() -> None:
    rng = np.random.default_rng(3)
    texts = [ILL, DEVOUT, PLAIN, "rose", "fern", "moss"]
    log = log_of({f"u{n}": [texts[int(t)] for t in rng.integers(0, 6, 5)] for n in range(40)})
    result = attack(log, made_by("microaggregation", log, k=4))
    assert result.details["targets"] == 40
    assert result.details["hits"] <= result.details["attempts"] <= 40


def test_that_groups_of_a_release_made_elsewhere_are_those_of_its_rows() -> None:
    release = release_of(RELEASED)
    outside = dataclasses.replace(release, method=UNKNOWN, statement=unknown_statement())
    assert attack(log_of(RAW), outside).details == attack(log_of(RAW), release).details
    alone = dataclasses.replace(outside, content=log_of({"a": [ILL], "b": [PLAIN]}))
    with pytest.raises(MissingInput, match="groups"):
        attack(log_of(RAW), alone)


@pytest.mark.parametrize("method", ["by hand", UNKNOWN])
def test_that_records_with_equal_columns_are_groups(method: str) -> None:
    def with_countries(**countries: str) -> QueryLog:
        return QueryLog.from_columns(
            user=list(countries),
            query=list(countries.values()),
            time=60 * np.arange(len(countries)),
            attributes={"country": [user[:2].upper() for user in countries]},
        )

    # Of ten Danes nine are ill; of ten Swedes eight; a Finn is alone. One-query records are alike.
    danes = {f"dk{n}": ILL for n in range(9)} | {"dk9": PLAIN}
    swedes = {f"se{n}": DEVOUT for n in range(8)} | {"se8": PLAIN, "se9": PLAIN}
    log = with_countries(**danes, **swedes, fi0=DEVOUT, dk10=ILL)
    released = with_countries(**danes, **swedes, fi0=DEVOUT)
    release = dataclasses.replace(
        fakes.release_of(released, ids="keep"), method=method, statement=unknown_statement()
    )
    result = attack(log, release, reference=with_countries(dkx=ILL, dky=PLAIN, sex=DEVOUT, nox=ILL))
    assert result.details == {"targets": 20, "attempts": 10, "hits": 9}
    assert result.baseline == pytest.approx(10 / 22 / 2)
    assert value(result, "homogeneous") == 0
    assert result.control == pytest.approx(2 / 4)  # dk10, dkx, dky, sex; nobody is of nox's
    bare = dataclasses.replace(release, content=dataclasses.replace(released, attributes={}))
    with pytest.raises(MissingInput, match="groups"):
        attack(log, bare)


def test_that_every_record_of_a_user_tells_where_they_have_several() -> None:
    raw = {"a": [ILL, PLAIN], "b": [ILL], "c": [PLAIN], "d": [PLAIN]}
    days = {"1": [PLAIN], "2": [ILL], "3": [ILL], "4": [PLAIN], "5": [PLAIN]}
    truth = TruthTable.of({"1": "a", "2": "a", "3": "b", "4": "c", "5": "d"})
    release = dataclasses.replace(release_of(days), params={"ids": "random"}, truth=truth)
    result = attack(log_of(raw), release)
    assert result.details == {"targets": 4, "attempts": 2, "hits": 2}
    assert value(result, "homogeneous") == pytest.approx(2 / 4)
