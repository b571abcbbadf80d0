"""Printed numbers, and every closed form against brute force."""

import functools
import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.errors import ParameterError
from auditor.privacy import composition
from auditor.privacy.accounting import (
    b_for_epsilon,
    laplace_tail,
    log_alpha,
    printed_delta,
    printed_threshold,
    threshold_delta,
    threshold_for_delta,
    turning_point,
    zealous_delta,
    zealous_scale,
    zealous_sound_threshold,
    zealous_threshold,
)
from auditor.privacy.composition import Mechanism, additive_epsilon, tight_epsilon
from tests.methods.logs import present
from tests.reference import thresholds

scales = st.floats(0.2, 200)


@given(K=st.integers(2, 5000), p_g=st.floats(0.51, 1))
def test_that_alpha_is_least_at_the_turning_point(K: int, p_g: float) -> None:
    turn = present(turning_point(K, p_g))
    least = log_alpha(K, turn, p_g)
    for factor in (0.1, 0.9, 0.999, 1.001, 1.1, 10):
        assert log_alpha(K, turn * factor, p_g) > least


@pytest.mark.parametrize("p_g", [1e-6, 0.3, 0.5])
def test_that_a_thin_pool_has_no_turning_point(p_g: float) -> None:
    assert turning_point(50, p_g) is None
    falling = [log_alpha(50, b, p_g) for b in (1, 10, 100, 1e4, 1e8)]
    assert falling == sorted(falling, reverse=True)


def test_that_alpha_at_a_threshold_of_one_needs_care() -> None:
    assert turning_point(1) == pytest.approx(1 / math.log(2))
    assert log_alpha(1, 50) == pytest.approx(math.log(2))


@given(K=st.integers(1, 60), b=scales, p_g=st.floats(1e-3, 1))
def test_that_discrete_alpha_bounds_every_ratio_of_the_proof(K: int, b: float, p_g: float) -> None:
    """Both inequalities of Theorem 2 at q_f = 1, from sums over the law itself."""
    x = np.arange(-int(60 * b) - K, int(60 * b) + K + 1)
    law = np.exp(-np.abs(x) / b) * math.tanh(0.5 / b)
    with_user, with_pool = law[x + 1 >= K].sum(), p_g * law[x >= K].sum()
    alpha = math.exp(log_alpha(K, b, p_g, "discrete"))
    assert with_user <= alpha * with_pool * (1 + 1e-9)
    assert alpha * (1 - with_user) * (1 + 1e-9) >= 1
    ratios = [with_user / with_pool, 1 / (1 - with_user)]
    assert max(ratios) == pytest.approx(alpha, rel=1e-6)


@given(t=st.integers(-200, 200), b=scales)
def test_that_the_tail_is_the_sum_of_the_law(t: int, b: float) -> None:
    x = np.arange(t, t + int(80 * b) + abs(t) + 2)
    summed = np.sum(np.exp(-np.abs(x) / b)) * math.tanh(0.5 / b)
    assert laplace_tail(t, b) == pytest.approx(summed, rel=1e-9, abs=1e-300)
    assert laplace_tail(t - 0.3, b) == laplace_tail(t, b)
    assert laplace_tail(t, b, "continuous") == pytest.approx(1 - laplace_tail(-t, b, "continuous"))


@given(
    epsilon=st.floats(0.5, 60),
    q_f=st.integers(1, 50),
    K=st.integers(1, 500),
    p_g=st.sampled_from([1.0, 0.9, 0.4, 0.01]),
)
def test_that_b_solved_from_epsilon_is_the_least_that_reaches_it(
    epsilon: float, q_f: int, K: int, p_g: float
) -> None:
    rest = 0.3

    def total(b: float) -> float:
        return q_f * log_alpha(K, b, p_g) + rest

    grid = np.geomspace(1e-2, 1e6, 400)
    try:
        b = b_for_epsilon(epsilon, q_f=q_f, K=K, other_epsilon=rest, p_g=p_g)
    except ParameterError as error:
        assert error.parameter == "b"
        assert min(total(value) for value in grid) > epsilon
    else:
        assert total(b) <= epsilon * (1 + 1e-12)
        assert total(b * 0.999) > epsilon


def test_that_an_epsilon_out_of_reach_says_what_is_in_reach() -> None:
    with pytest.raises(ParameterError, match=r"least ε over b is 3.45292, at b = 6.88269"):
        b_for_epsilon(3.0, q_f=10, K=10, other_epsilon=2.0)
    with pytest.raises(ParameterError, match=r"noisy counts alone cost 2\."):
        b_for_epsilon(1.5, q_f=10, K=10, other_epsilon=2.0)
    with pytest.raises(ParameterError, match=r"stays above 48\.0517"):
        b_for_epsilon(40, q_f=10, K=10, other_epsilon=2.0, p_g=0.01)
    with pytest.raises(ParameterError, match="no b gives"):
        b_for_epsilon(40, q_f=10, K=10, other_epsilon=2.0, p_g=0)


@given(st.integers(1, 1000), st.floats(1e-12, 0.4), scales, st.booleans())
def test_that_the_printed_threshold_solves_the_printed_delta(
    limit: int, delta: float, b: float, once: bool
) -> None:
    K = printed_threshold(limit, delta, b, once=once)
    assert printed_delta(limit, K, b, once=once) == pytest.approx(delta)


def test_that_a_printed_delta_beyond_all_numbers_is_infinite() -> None:
    assert printed_delta(10_000, 10, 1) == math.inf


@given(limit=st.integers(1, 9), K=st.integers(1, 40), b=scales | st.floats(0.5, 9))
def test_that_delta_is_the_worst_of_all_spreads(limit: int, K: int, b: float) -> None:
    for once in (True, False):
        worst = thresholds.delta(limit, K, b, once=once)
        delta = threshold_delta(limit, K, b, once=once)
        assert delta == pytest.approx(worst, rel=1e-6, abs=1e-14)


@given(st.integers(1, 3000), st.floats(1e-12, 0.999), scales, st.booleans())
def test_that_the_threshold_is_the_least(limit: int, delta: float, b: float, once: bool) -> None:
    K = threshold_for_delta(limit, delta, b, once=once)
    assert threshold_delta(limit, K, b, once=once) <= delta * (1 + 1e-12)
    assert K == 1 or threshold_delta(limit, K - 1, b, once=once) > delta * (1 - 1e-12)


@given(st.integers(2, 50), st.floats(1e-6, 5), st.floats(1e-10, 1e-3))
def test_that_zealous_needs_a_higher_threshold(m: int, epsilon: float, delta: float) -> None:
    scale = zealous_scale(m, epsilon)
    printed = zealous_threshold(m, epsilon, delta)
    assert zealous_delta(m, scale, printed) > 2 * delta
    sound = zealous_sound_threshold(m, epsilon, delta)
    assert zealous_delta(m, scale, sound) <= delta
    below = zealous_delta(m, scale, sound - max(1, round(scale * 1e-6)))
    assert below > delta * (1 - 1e-9)


@given(
    groups=st.lists(st.tuples(st.floats(0.5, 30), st.integers(0, 5)), max_size=3),
    delta=st.floats(1e-12, 0.5),
)
def test_that_tight_epsilon_is_the_least_by_enumeration(
    groups: list[tuple[float, int]], delta: float
) -> None:
    """All sign patterns of the losses ±1/b, and the divergence at and just below the ε found."""
    outcomes = [(0.0, 1.0)]
    for loss in [1 / scale for scale, count in groups for _ in range(count)]:
        chance = 1 / (1 + math.exp(-loss))
        outcomes = [
            (total + sign * loss, weight * (chance if sign > 0 else 1 - chance))
            for (total, weight), sign in itertools.product(outcomes, (1, -1))
        ]

    def divergence(epsilon: float) -> float:
        return sum(w * -math.expm1(epsilon - loss) for loss, w in outcomes if loss > epsilon)

    tight = tight_epsilon([Mechanism(scale, count) for scale, count in groups], delta)
    assert divergence(tight) <= delta * (1 + 1e-9)
    assert tight == 0 or divergence(tight - 1e-6) > delta or tight < 1e-6


@pytest.mark.parametrize(
    "groups", [((10.0, 300),), ((10.0, 40), (20.0, 40), (7.3, 30)), ((0.5, 3), (100.0, 500))]
)
@pytest.mark.parametrize("delta", [1e-10, 1e-2])
def test_that_the_exact_sum_agrees_with_the_accountant(
    groups: tuple[tuple[float, int], ...], delta: float
) -> None:
    exact = composition._tight_epsilon(groups, delta)
    library = composition._by_distributions(groups, delta)
    assert exact <= library + 1e-7
    assert library == pytest.approx(exact, rel=3e-3)


def test_that_too_many_sums_go_to_the_accountant(monkeypatch: pytest.MonkeyPatch) -> None:
    mechanisms = [Mechanism(10.0, 60), Mechanism(11.3, 50)]
    exact = tight_epsilon(mechanisms, 1e-6)
    monkeypatch.setattr(composition, "_EXACT_POINTS", 1000)
    composition._tight_epsilon.cache_clear()
    assert exact <= tight_epsilon(mechanisms, 1e-6) < exact * 1.01
    composition._tight_epsilon.cache_clear()


@given(scales, st.integers(1, 400), st.floats(1e-12, 0.1))
def test_that_tight_epsilon_is_below_the_sum(scale: float, count: int, delta: float) -> None:
    mechanisms = [Mechanism(scale, count)]
    epsilon = tight_epsilon(mechanisms, delta)
    assert 0 <= epsilon <= additive_epsilon(mechanisms)
    assert epsilon <= tight_epsilon(mechanisms, delta / 2) + 1e-7
    assert tight_epsilon(mechanisms, 0.0) == additive_epsilon(mechanisms)


@pytest.mark.parametrize(
    "call",
    [
        lambda: laplace_tail(3, 0),
        lambda: log_alpha(10, 10, 1.5),
        *(functools.partial(log_alpha, K, 10) for K in (0.5, math.nan, math.inf)),
        lambda: threshold_for_delta(10, 0, 10, once=True),
        lambda: threshold_for_delta(10, 1, 10, once=True),
        lambda: threshold_delta(0, 10, 10, once=True),
        lambda: zealous_scale(10, 0),
        lambda: tight_epsilon([Mechanism(-1, 3)], 1e-6),
        lambda: tight_epsilon([Mechanism(1, -3)], 1e-6),
        lambda: tight_epsilon([Mechanism(1, 3)], 1.0),
    ],
)
def test_that_values_without_meaning_are_refused(call: object) -> None:
    with pytest.raises(ValueError, match=r"must|can't"):
        call()  # type: ignore[operator]
