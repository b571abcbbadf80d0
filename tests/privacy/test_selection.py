"""Permute-and-flip: its exact law, that ε bounds its loss, and what the statement makes of it."""

import functools
import itertools
import math

import numpy as np
import pytest

from auditor.methods import statements as words
from auditor.methods.noisy_counts.period_units import DAY, HISTORY, WEEK, cost_at_unit
from auditor.methods.registry import METHODS
from auditor.methods.selected_statement import BLINDLY, repeat_selection, selected_statement
from auditor.params import ParamKind, Params
from auditor.privacy.randomness import PreviewRandomness, SecureRandomness
from auditor.privacy.selection import ParameterSelection, digest_setting, select_privately
from auditor.progress import silent_progress
from auditor.suggestions.estimates import expect_statement
from tests.methods.logs import present
from tests.privacy.exact_laws import selection_chances

SCORES = [0, 3, 5, 5, 1]


def enumerate_chances(scores: list[int], sensitivity: int, epsilon: float) -> list[float]:
    """The law by its definition: every order of the candidates, each coin in turn."""
    heads = [math.exp(-(max(scores) - s) * epsilon / sensitivity) for s in scores]
    chance = [0.0] * len(scores)
    orders = list(itertools.permutations(range(len(scores))))
    for order in orders:
        weight = 1.0 / len(orders)
        for place in order:
            chance[place] += weight * heads[place]
            weight *= 1 - heads[place]
    return chance


@pytest.mark.parametrize("sensitivity", [1, 4])
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 6.0])
def test_that_the_chances_are_those_of_the_definition(sensitivity: int, epsilon: float) -> None:
    chances = selection_chances(SCORES, sensitivity, epsilon)
    assert chances == pytest.approx(enumerate_chances(SCORES, sensitivity, epsilon), abs=1e-12)
    assert chances.sum() == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("rng", [PreviewRandomness(5), SecureRandomness()])
def test_that_what_is_drawn_has_these_chances(rng: PreviewRandomness | SecureRandomness) -> None:
    draws = 1_500
    counts = np.zeros(len(SCORES))
    for _ in range(draws):
        counts[select_privately(SCORES, 2, 1.0, rng, silent_progress())] += 1
    expected = draws * selection_chances(SCORES, 2, 1.0)
    chi_squared = float(((counts - expected) ** 2 / expected).sum())
    assert chi_squared < 28  # 4 degrees of freedom: exceeded once in 10⁵


def largest_loss(moves: range, sensitivity: int, epsilon: float) -> float:
    """The largest |ln P/P'| over all scores in which each of three candidates rises by `moves`."""
    chances = functools.cache(lambda *scores: selection_chances(scores, sensitivity, epsilon))
    return max(
        float(np.abs(np.log(chances(*base) / chances(*np.add(base, rise).tolist()))).max())
        for base in itertools.product(range(4), repeat=3)
        for rise in itertools.product(moves, repeat=3)
    )


def test_that_epsilon_bounds_the_loss_and_twice_where_scores_move_both_ways() -> None:
    """Both bounds are nearly reached."""
    assert 0.75 < largest_loss(range(3), 2, 0.8) <= 0.8 + 1e-9
    assert 0.8 + 0.1 < largest_loss(range(-2, 3), 2, 0.8) <= 1.6 + 1e-9


def test_that_a_choice_needs_candidates_and_a_positive_epsilon() -> None:
    with pytest.raises(ValueError, match="candidates"):
        select_privately([], 1, 1.0, PreviewRandomness(0), silent_progress())
    with pytest.raises(ValueError, match="positive"):
        select_privately([1], 1, 0.0, PreviewRandomness(0), silent_progress())
    with pytest.raises(ValueError, match="positive"):
        ParameterSelection("private", 0.0, 3)
    with pytest.raises(ValueError, match="open one has none"):
        ParameterSelection("open", 0.5, 3)


def choose(method: str) -> ParameterSelection:
    """A private choice that gave the method's defaults."""
    chosen = digest_setting(method, METHODS[method].params().to_dict())
    return ParameterSelection("private", 0.5, 36, chosen=chosen)


def test_that_the_statement_adds_the_selection_to_the_release() -> None:
    plain = present(expect_statement("set-union", METHODS["set-union"].params(), 5_000))
    params = METHODS["set-union"].params()
    result = selected_statement(plain, choose("set-union"), "set-union", params)
    assert result.epsilon == pytest.approx(present(plain.epsilon) + 0.5)
    assert result.delta == plain.delta
    assert sum(term.epsilon for term in result.terms) == pytest.approx(result.epsilon)
    assert result.terms[-1].name == "choice of parameters"
    assert "in all" in result.claim
    blindly = next(item for item in result.assumptions if item.name == BLINDLY)
    assert blindly.status == "holds"
    assert repeat_selection(plain, result).epsilon == result.epsilon


@pytest.mark.parametrize("name", [name for name in METHODS if METHODS[name].faults])
def test_that_a_private_choice_covers_no_setting_that_was_edited_since(name: str) -> None:
    plain = present(expect_statement(name, METHODS[name].params(), 5_000))
    params = METHODS[name].params()
    spec = next(spec for spec in params.specs() if spec.kind is ParamKind.INTEGER)
    edited = params.replace(**{spec.name: (getattr(params, spec.name) or 1) + 1})

    def find_status(params: Params, selection: ParameterSelection) -> str:
        stated = selected_statement(plain, selection, name, params)
        assert present(stated.epsilon) > present(plain.epsilon)
        return next(item.status for item in stated.assumptions if item.name == BLINDLY)

    chosen = choose(name)
    assert find_status(params, chosen) == "holds"
    assert find_status(edited, chosen) == "unknown"
    assert (
        find_status(params, choose("set-union" if name != "set-union" else "zealous")) == "unknown"
    )
    stored = ParameterSelection.from_dict({**chosen.to_dict(), "chosen": ""})
    assert find_status(params, stored) == "unknown"


def test_that_an_exchange_of_histories_counts_the_choice_twice() -> None:
    plain = present(expect_statement("zealous", METHODS["zealous"].params(), 5_000))
    assert plain.neighbours == words.EXCHANGED
    params = METHODS["zealous"].params()
    result = selected_statement(plain, choose("zealous"), "zealous", params)
    assert result.epsilon == pytest.approx(present(plain.epsilon) + 1.0)


@pytest.mark.parametrize(
    ("name", "of_week", "of_history"), [("partition-selection", 2.0, 1.0), ("zealous", 2.0, 2.0)]
)
def test_that_other_units_than_the_protected_one_add_the_choice_once(
    name: str, of_week: float, of_history: float
) -> None:
    values = {"protected_unit": "day", "periods": 2, "epsilon": 0.5}
    params = METHODS[name].params.of(values)
    plain = present(expect_statement(name, params, 5_000))
    choice = ParameterSelection("private", 1.0, 10)
    result = selected_statement(plain, choice, name, params)
    for unit, cost in ((DAY, 2.0), (WEEK, of_week), (HISTORY, of_history)):
        epsilon, delta = present(cost_at_unit(plain, unit))
        assert present(cost_at_unit(result, unit)) == pytest.approx((epsilon + cost, delta))


def test_that_an_open_look_voids_what_is_claimed_with_an_epsilon() -> None:
    plain = present(expect_statement("safelog", METHODS["safelog"].params(), 5_000))
    params = METHODS["safelog"].params()
    result = selected_statement(plain, ParameterSelection("open", candidates=9), "safelog", params)
    assert result.epsilon == plain.epsilon
    assert BLINDLY in [item.name for item in result.failing]
    assert selected_statement(plain, None, "safelog", params) is plain
