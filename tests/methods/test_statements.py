"""What an expert looks for in every statement, and whether it stands there."""

import math
from typing import Any

import numpy as np
import pytest

from auditor.methods.registry import METHODS
from auditor.methods.statements import UNIT
from auditor.privacy.randomness import PreviewRandomness, SecureRandomness
from auditor.privacy.statement import Statement
from tests.methods.logs import (
    QUIET,
    expect,
    find_assumption,
    log_of,
    present,
    random_rows,
    statuses,
)

LOG = log_of(random_rows())
NOISY = (
    "safelog",
    "korolova",
    "zealous",
    "set-union",
    "n-grams",
    "partition-selection",
    "dated-counts",
)
DAILY = ("dp-public-key-counts", "dp-relative-index")
"""Methods with ε whose unit is always a user's day."""
GROUPED = ("k-delta", "m-k-delta-epsilon", "microaggregation")
UNITS = ("users", "rows")
BARE = sorted({*METHODS} - {*NOISY, *DAILY, *GROUPED})


def stated(name: str, *, secure: bool = False, **values: Any) -> Statement:
    method = METHODS[name]
    rng = SecureRandomness() if secure else PreviewRandomness(1)
    return method.run(LOG, method.params(**values), rng=rng, progress=QUIET).statement


@pytest.mark.parametrize("name", METHODS)
def test_that_before_a_run_the_same_assumptions_are_named_and_none_is_said_to_hold_that_fails(
    name: str,
) -> None:
    after = statuses(stated(name, secure=True))
    before = statuses(expect(name, LOG).statement)
    assert before.keys() == after.keys()
    assert [entry for entry in before if before[entry] not in ("unknown", after[entry])] == []


@pytest.mark.parametrize("name", [*NOISY, *DAILY])
def test_that_an_epsilon_stands_with_unit_neighbours_sum_and_all_it_rests_on(name: str) -> None:
    statement = stated(name)
    assert statement.model == "differential privacy"
    assert statement.unit == ("what one user did in one day" if name in DAILY else UNIT)
    assert "one user" in statement.neighbours
    assert statement.epsilon is not None
    assert math.fsum(term.epsilon for term in statement.terms) == pytest.approx(statement.epsilon)
    assert min(1.0, math.fsum(t.delta for t in statement.terms)) == pytest.approx(statement.delta)
    assert all(term.formula for term in statement.terms)
    assert (
        statuses(statement).items()
        >= {
            "users limited independently": "holds",
            "exact numbers stay inside": "holds",
            "noise": "fails",
            "one person, one user id": "unknown",
            "size is public": "unknown",
            "parameters chosen blindly": "unknown",
            "nobody watches the clock": "unknown",
            "no other release": "unknown",
        }.items()
    )
    assert statuses(stated(name, secure=True))["noise"] == "holds"
    for assumption, evidence in (
        ("delta", "users rounded up"),
        ("parameters chosen blindly", "without noise"),
        ("exact numbers stay inside", ".internal"),
    ):
        assert evidence in find_assumption(statement, assumption).evidence


def test_that_zealous_says_what_it_is_in_the_neighbours_of_the_others() -> None:
    """m counts move by 1 with one user more, and 2m when one is exchanged: λ = 2m/ε'."""
    statement = stated("zealous", epsilon=3.0, m=4)
    assert "exchanged" in statement.neighbours
    assert statement.measured["epsilon_of_one_user_more"] == pytest.approx(
        4 / statement.measured["lambda"]
    )
    assert "e^1.5" in statement.claim


def test_that_strict_says_why_no_released_pair_proves_that_it_occurred() -> None:
    both = dict.fromkeys(("transitions known beforehand", "clicks of one user stay in"), "holds")
    assert statuses(stated("safelog", secure=True)).items() >= both.items()
    assert not statuses(stated("safelog", clicks=False, transitions=False)).keys() & both


@pytest.mark.parametrize(
    ("name", "values", "formula"),
    [
        ("set-union", {"rounds": 1}, "δ/2 in each of 1 round"),
        ("set-union", {"rounds": 3}, "δ/6 in each of 3 round"),
        ("n-grams", {}, "δ/6 for each of 3 lengths"),
    ],
)
def test_that_delta_is_spent_on_noise_and_thresholds_which_fall_with_epsilon(
    name: str, values: dict[str, Any], formula: str
) -> None:
    noise, thresholds = stated(name, delta=1e-4, **values).terms
    assert (noise.name, thresholds.name) == ("noise", "thresholds")
    assert thresholds.delta == pytest.approx(5e-5)
    assert 4e-5 < noise.delta <= 5e-5
    assert formula in thresholds.formula
    (figure,) = present(METHODS[name].curves)(METHODS[name].params(), 10)
    assert all(np.diff(series.y).max() < 0 for series in figure.series)


def test_that_korolovas_repeated_queries_are_not_said_to_count_once() -> None:
    once, rows = (
        find_assumption(stated("korolova", counting_unit=u), "users limited independently")
        for u in UNITS
    )
    assert "once a query" in once.text
    assert "once a query" not in rows.text
    assert "repeated" in rows.evidence


@pytest.mark.parametrize("name", GROUPED)
def test_that_groups_of_k_say_what_they_do_not_hide(name: str) -> None:
    statement = stated(name)
    alike = find_assumption(statement, "members of a group differ")
    assert alike.status == "fails"
    assert "by construction" in alike.evidence
    assert find_assumption(statement, "attackers know nothing of the others").status == "unknown"
    assert "no sum bounds it" in find_assumption(statement, "no other release").text
    assert statement.epsilon is None
    assert "fail" in expect(name, LOG).statement.write_headline()


@pytest.mark.parametrize("name", BARE)
def test_that_what_guarantees_nothing_says_so_bluntly(name: str) -> None:
    statement = stated(name)
    assert (statement.formal, statement.epsilon, statement.delta) == (False, None, None)
    assert statement.write_headline().startswith("no formal guarantee")
    assert "formal" in statement.claim


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("frequency-threshold", {"ids": "keep"}),
        ("k-theta-affinity", {"ids": "keep"}),
        ("k-delta", {"ids": "keep"}),
        ("m-k-delta-epsilon", {"ids": "keep"}),
        ("token-hashing", {"users": "kept"}),
    ],
)
def test_that_kept_ids_are_said_to_be_known(name: str, kept: dict[str, Any]) -> None:
    assert "ids are unknown" in [entry.name for entry in stated(name, **kept).failing]
    assert "ids are unknown" not in [entry.name for entry in stated(name).failing]


@pytest.mark.parametrize("name", ["frequency-threshold", "k-theta-affinity"])
def test_that_strings_without_ids_are_not_said_to_stand_under_one(name: str) -> None:
    claims = {ids: stated(name, ids=ids).claim for ids in ("keep", "random", "drop")}
    assert {ids for ids, claim in claims.items() if "under one id" in claim} == {"keep", "random"}
