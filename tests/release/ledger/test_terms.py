"""The terms of every method with ε: complete, and never composed to less than a release."""

from __future__ import annotations

import dataclasses
import functools
import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.engine.backends import local
from auditor.methods.registry import METHODS
from auditor.methods.selected_statement import selected_statement
from auditor.methods.statements import NEIGHBOURS, UNIT
from auditor.privacy import gaussian
from auditor.privacy.composition import NoiseLaw, combine_laws
from auditor.privacy.noise import SecureRandomness
from auditor.privacy.selection import ParameterSelection
from auditor.privacy.statement import Statement
from auditor.progress import silent_progress
from auditor.release.ledger.spent_budget import SpentBudget, from_plain, spent_of, to_plain
from auditor.release.ledger.totals import total_of
from auditor.release.loading import statement_of
from auditor.release.record import ReleaseRecord
from tests.methods.logs import log_of, random_rows
from tests.narrowing import present

LOG = log_of(random_rows(users=40, rows=300))
QUERIES_ALONE: dict[str, Any] = {
    "q_f": 3,
    "clicks": False,
    "transitions": False,
    "protected_unit": "day",
}
CASES: list[tuple[str, dict[str, Any]]] = [
    ("safelog", {"q_f": 4, "c_f": 2}),
    ("safelog", QUERIES_ALONE),
    ("safelog", QUERIES_ALONE | {"periods": 2}),
    ("korolova", {"q_f": 3}),
    ("korolova", {"q_f": 3, "protected_unit": "week", "periods": 2}),
    ("zealous", {"epsilon": 1.0}),
    ("zealous", {"epsilon": 1.0, "protected_unit": "day", "periods": 2}),
    ("set-union", {"epsilon": 1.0, "weighting": "even"}),
    ("set-union", {"epsilon": 1.0, "weighting": "screened"}),
    ("set-union", {"epsilon": 1.0, "protected_unit": "month", "periods": 2}),
    ("n-grams", {"epsilon": 1.0, "longest": 3}),
    ("partition-selection", {"epsilon": 1.0, "q_f": 5}),
    ("dated-counts", {"epsilon": 1.0, "q_f": 2, "days": 2}),
    ("dated-counts", {"epsilon": 1.0, "q_f": 20, "days": 60}),
    ("dated-counts", {"epsilon": 1.0, "q_f": 2, "days": 2, "protected_unit": "day"}),
]
SELECTION = ParameterSelection("private", 0.5, candidates=40, searches=2)
OPTIONS = [(share, selection) for share in (None, 0.3) for selection in (None, SELECTION)]


def release_statement(
    method: str,
    values: dict[str, Any],
    share: float | None = None,
    selection: ParameterSelection | None = None,
) -> Statement:
    rng = SecureRandomness()
    params: Any = METHODS[method].params(**values)
    sample = local.sample_log(LOG, share, rng)
    release = local.apply_method(sample, method, params, rng, silent_progress())
    return selected_statement(release.statement, selection, method, params)


def spend(method: str, statement: Statement) -> SpentBudget:
    # of so few users, δ is too large for some methods
    return spent_of(ReleaseRecord(dataclasses.replace(statement, assumptions=()), method=method))


@pytest.mark.parametrize(("share", "selection"), OPTIONS)
@pytest.mark.parametrize(("method", "values"), CASES)
def test_that_the_terms_of_a_release_make_up_its_epsilon_and_delta(
    method: str, values: dict[str, Any], share: float | None, selection: ParameterSelection | None
) -> None:
    statement = release_statement(method, values, share, selection)
    epsilon, delta = statement.epsilon, statement.delta
    assert epsilon is not None
    assert delta is not None
    assert math.fsum(term.epsilon for term in statement.terms) == pytest.approx(epsilon)
    assert math.fsum(term.delta for term in statement.terms) == pytest.approx(delta)
    assert statement_of(statement.to_dict()).terms == statement.terms
    spent = spend(method, statement)
    assert spent.laws == tuple(term.law for term in statement.terms)
    assert from_plain(to_plain(spent)) == spent
    # Composed, they give the stated ε at the stated δ, or less where the noise is known to be less.
    composed = combine_laws(spent.laws)
    least = composed.compute_epsilon(delta * (1 + 1e-9))
    assert least <= epsilon * (1 + 1e-3)
    if all(law.kind in ("approximate", "included", "gaussian") for law in spent.laws):
        assert least == pytest.approx(epsilon, rel=1e-3 if composed.rho == 0 else 0.2)
    if selection is not None:
        alone = combine_laws(law for law in spent.laws[:-1])
        assert least > alone.compute_epsilon(delta * (1 + 1e-9))


def test_that_safelogs_terms_give_its_tight_epsilon_back() -> None:
    statement = release_statement("safelog", {"q_f": 20, "c_f": 10, "delta": 1e-6})
    assert statement.tight_epsilon is not None
    composed = spend("safelog", statement).composed
    assert statement.delta is not None
    delta = statement.delta + 1e-6
    assert composed.compute_epsilon(delta) == pytest.approx(statement.tight_epsilon, rel=1e-6)


@pytest.mark.parametrize("method", ["set-union", "n-grams"])
def test_that_gaussian_terms_are_the_concentrated_cost_of_the_stated_epsilon(method: str) -> None:
    spent = spend(method, release_statement(method, {"epsilon": 1.0, "delta": 1e-6}))
    assert spent.composed.rho == pytest.approx(gaussian.rho_for(1.0, 5e-7))
    assert spent.composed.delta == pytest.approx(5e-7)


def test_that_two_releases_with_a_private_choice_are_no_less_than_one() -> None:
    """Two releases of ε 1.5, of which 0.5 chose the parameters, were once together 1.332."""
    chosen = ParameterSelection("private", 0.5, candidates=40)
    values = {"epsilon": 1.0, "delta": 1e-6}
    spent = spend(
        "partition-selection", release_statement("partition-selection", values, None, chosen)
    )
    assert spent.epsilon == pytest.approx(1.5)
    both = present(total_of([spent, spent]).bounded)
    assert both.epsilon == pytest.approx(3.0)
    assert any("counted with each" in note for note in total_of([spent, spent]).notes)
    assert not any("counted with each" in note for note in total_of([spent]).notes)
    if both.tight_epsilon is not None:
        assert both.tight_epsilon >= spent.composed.compute_epsilon(both.tight_delta)
        assert both.tight_epsilon > 1.5


@given(st.lists(st.sampled_from(range(len(CASES) * len(OPTIONS))), min_size=2, max_size=4))
@settings(max_examples=25, deadline=None)
def test_that_a_tight_sum_is_between_each_release_and_the_plain_sum(places: list[int]) -> None:
    listed = [list_spent()[place] for place in places if not list_spent()[place].why]
    for sum_ in total_of(listed).sums:
        part = [row for row in listed if (row.unit, row.neighbours) == (sum_.unit, sum_.neighbours)]
        assert sum_.epsilon == pytest.approx(math.fsum(row.epsilon for row in part))
        if sum_.tight_epsilon is None:
            continue
        assert sum_.tight_epsilon < sum_.epsilon
        for row in part:
            least = min(
                combine_laws(laws).compute_epsilon(sum_.tight_delta)
                for laws in (row.laws, (row.worst,))
            )
            assert sum_.tight_epsilon >= least * (1 - 1e-6) - 1e-8


@functools.cache
def list_spent() -> list[SpentBudget]:
    return [
        spend(method, release_statement(method, values, *option))
        for method, values in CASES
        for option in OPTIONS
    ]


def test_that_terms_that_do_not_make_up_the_epsilon_are_not_believed() -> None:
    statement = release_statement("partition-selection", {"epsilon": 1.0, "delta": 1e-6})
    plain = statement.to_dict()
    first = plain["terms"][0] | {"law": None}
    broken: list[Any] = [[], plain["terms"][1:], [{}], [first]]
    for terms in broken:
        spent = spend("partition-selection", statement_of(plain | {"terms": terms}))
        assert (spent.epsilon, spent.laws) == (1.0, ())
        assert spent.composed == combine_laws((spent.worst,))


def test_that_an_older_entry_counts_as_the_worst_mechanism_of_its_epsilon() -> None:
    plain = to_plain(SpentBudget("x", UNIT, NEIGHBOURS, 1.0, 1e-6))
    older = from_plain(plain | {"mechanisms": [[5.0, 5]], "rho": 0.01, "besides": 1e-7})
    assert older.laws == ()
    assert older.composed.compute_epsilon(1e-6) == pytest.approx(1.0)


def test_that_later_days_whose_parameters_were_chosen_by_each_log_add_up() -> None:
    """The dated tables of different days are one release; the choices of both are two."""
    days = {"epsilon": 1.0, "q_f": 2, "days": 2}
    windows = ((19_700_101, 19_700_131), (19_700_201, 19_700_228))
    params = [days | {"first_day": first, "last_day": last} for first, last in windows]
    spent = []
    for values in params:
        statement = release_statement("dated-counts", values, None, SELECTION)
        statement = dataclasses.replace(statement, assumptions=())
        spent.append(spent_of(ReleaseRecord(statement, method="dated-counts", params=values)))
    total = present(total_of(spent).bounded)
    assert total.epsilon == pytest.approx(2 * 1.5)


def test_that_a_law_is_checked() -> None:
    for plain in ({"kind": "none"}, {"kind": "laplace"}, {"kind": "gaussian", "rho": -1}, {}):
        with pytest.raises((KeyError, ValueError)):
            NoiseLaw.from_dict(plain)
