"""What (ε, δ) bounds of a guess, on arbitrary pairs of laws and on those that reach it."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.privacy.belief import bound_belief
from tests.methods.logs import present

WEIGHTS = st.lists(
    st.tuples(st.integers(0, 50), st.integers(0, 50)), min_size=2, max_size=12
).filter(lambda pairs: all(sum(side) > 0 for side in zip(*pairs, strict=True)))


@given(WEIGHTS, st.floats(0.0, 4.0))
def test_that_no_pair_of_laws_beats_what_is_stated(
    weights: list[tuple[int, int]], epsilon: float
) -> None:
    first, second = (np.array(side) / sum(side) for side in zip(*weights, strict=True))
    delta = max(
        float(np.maximum(p - math.exp(epsilon) * q, 0).sum())
        for p, q in ((first, second), (second, first))
    )
    bound = bound_belief(epsilon, delta)
    if bound is None:
        assert delta >= 1
        return
    assert float(np.maximum(first, second).sum() / 2) <= bound.accuracy + 1e-12
    if bound.belief is None:
        assert bound.failure == 1
        return
    outcomes = first + second > 0
    belief = np.maximum(first, second)[outcomes] / (first + second)[outcomes]
    surer = belief > bound.belief + 1e-12
    for law in (first, second):
        assert float(law[outcomes][surer].sum()) <= bound.failure + 1e-12


def test_that_randomised_response_with_a_leak_reaches_the_share_of_right_guesses() -> None:
    epsilon, delta = 1.0, 0.01
    rise = math.exp(epsilon)
    first = np.array([delta, (1 - delta) * rise / (1 + rise), (1 - delta) / (1 + rise), 0.0])
    bound = present(bound_belief(epsilon, delta))
    assert float(np.maximum(first, first[::-1]).sum() / 2) == pytest.approx(bound.accuracy)


def test_that_without_delta_every_release_is_bounded() -> None:
    bound = present(bound_belief(1.0))
    assert bound.belief == bound.accuracy == pytest.approx(math.e / (1 + math.e))
    assert bound.failure == 0
    assert "becomes at most 73.1 %" in bound.describe()


def test_that_the_sentence_has_the_share_the_belief_and_its_probability() -> None:
    bound = present(bound_belief(1.0, 1e-6))
    sentence = bound.describe(exchanged=True, period="week")
    assert all(fact in sentence for fact in ("73.1 %", "75.8 %", "10⁻⁵", "versions of one week"))
    large = present(bound_belief(1.0, 0.2))
    assert large.belief is None
    assert "surer" not in large.describe()


@pytest.mark.parametrize(("epsilon", "delta"), [(math.inf, 0.0), (1.0, 1.0)])
def test_that_nothing_is_bounded_without_a_guarantee(epsilon: float, delta: float) -> None:
    assert bound_belief(epsilon, delta) is None
