"""Bounds on ε against exact chances, the limits that are printed, and false alarms counted."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.special import ndtri

from auditor.privacy import audit_bounds as bounds
from auditor.privacy.audit_bounds import OutputEvent

RNG = np.random.default_rng


@pytest.mark.parametrize(
    ("trials", "limit"), [(1_000, 5.6), (10_000, 7.9), (100_000, 10.2), (1_000_000, 12.5)]
)
def test_that_so_many_runs_show_no_more_than_the_printed_limit(trials: int, limit: float) -> None:
    assert bounds.resolution_limit(trials) == pytest.approx(limit, abs=0.05)


def test_that_the_exact_interval_is_that_of_another_implementation() -> None:
    for hits, trials in ((0, 10), (3, 10), (10, 10), (17, 5_000)):
        other = stats.binomtest(hits, trials).proportion_ci(0.95, method="exact")
        low, high = bounds.clopper_pearson(hits, trials)
        assert (float(low), float(high)) == pytest.approx((other.low, other.high), rel=1e-9)
    low, high = bounds.clopper_pearson(0, 0)
    assert (float(low), float(high)) == (0.0, 1.0), "nothing is known without trials"


@given(st.integers(0, 300), st.integers(0, 300), st.floats(0, 0.5))
def test_that_no_counts_show_more_than_the_limit(hits: int, others: int, delta: float) -> None:
    epsilon = float(bounds.epsilon_at_least(hits, 300, others, 300, delta=delta))
    assert 0 <= epsilon <= bounds.resolution_limit(300, delta=delta)
    assert epsilon <= float(bounds.epsilon_at_least(hits, 300, others, 300))


def test_that_delta_hides_what_it_allows() -> None:
    assert bounds.epsilon_at_least(50, 1_000, 0, 1_000) > 2
    assert bounds.epsilon_at_least(50, 1_000, 0, 1_000, delta=0.04) == 0


def test_that_the_chosen_event_is_the_telling_one() -> None:
    rng = RNG(1)
    up = bounds.choose_event(rng.normal(3, 1, 500), rng.normal(0, 1, 500))
    assert up.above is up.forward
    down = bounds.choose_event(rng.normal(-3, 1, 500), rng.normal(0, 1, 500))
    assert down.above is not down.forward
    rare = bounds.choose_event(np.r_[np.zeros(400), np.ones(100)], np.zeros(500))
    assert rare == OutputEvent(1.0, above=True, forward=True)


@pytest.mark.parametrize("scale", [0.5, 10.0])
def test_that_honest_laplace_noise_is_seldom_accused(scale: float) -> None:
    """Counts one apart with discrete Laplace noise: ε = 1/scale exactly."""
    rng, wrong, tries = RNG(7), 0, 300
    for _ in range(tries):
        noise = rng.geometric(1 - math.exp(-1 / scale), (2, 2, 400))
        with_user, without = (noise[0] - noise[1] + np.array([[1], [0]])).astype(float)
        event = bounds.choose_event(with_user[:200], without[:200])
        epsilon = bounds.epsilon_of_event(event, with_user[200:], without[200:])
        wrong += epsilon > 1 / scale
    assert wrong <= stats.binom.ppf(0.999, tries, 0.05)


def test_that_a_leak_is_found_up_to_the_limit() -> None:
    with_user, without = np.ones(2_000), np.zeros(2_000)
    event = bounds.choose_event(with_user[:1_000], without[:1_000])
    epsilon = bounds.epsilon_of_event(event, with_user[1_000:], without[1_000:])
    assert epsilon == pytest.approx(bounds.resolution_limit(1_000))


def test_that_an_impossible_output_bounds_delta_from_one_side() -> None:
    assert bounds.impossible_share(0, 100) == 0
    assert bounds.impossible_share(100, 100) == pytest.approx(0.05 ** (1 / 100))


# One run


def p_value_by_sums(right: int, guesses: int, m: int, epsilon: float, delta: float) -> float:
    """The theorem, term by term."""
    f = [
        float(stats.binom.sf(v - 1, guesses, 1 / (1 + math.exp(-epsilon))))
        for v in range(guesses + 1)
    ]
    more = max(((f[right - i] - f[right]) / i for i in range(1, right + 1)), default=0.0)
    return min(1.0, f[right] + 2 * m * delta * more)


@given(st.integers(1, 60), st.floats(0, 1), st.floats(0, 4), st.sampled_from([0.0, 1e-4, 0.01]))
def test_that_the_p_value_is_the_theorems(
    guesses: int, share: float, epsilon: float, delta: float
) -> None:
    right = round(share * guesses)
    p_value = bounds.one_run_p_value(right, guesses, 2 * guesses, epsilon, delta)
    expected = p_value_by_sums(right, guesses, 2 * guesses, epsilon, delta)
    assert p_value == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_that_the_p_value_is_the_one_computed_by_hand() -> None:
    """r = v = 10 at ε = ln 3, so that a guess is right with q = 3/4; m = 20, δ = 1/1000.

    f(10) = q¹⁰ = 0.0563135, f(9) = 0.2440252, f(8) = 0.5255928, f(7) = 0.7758751, f(6) =
    0.9218731. (f(10 − i) − f(10))/i is 0.1877117, 0.2346396, 0.2398539, 0.2163899 for i = 1 … 4
    and less from there: its largest is at i = 3. So p = f(10) + 2·20·0.001·0.2398539.
    """
    epsilon = math.log(3)
    assert bounds.one_run_p_value(10, 10, 20, epsilon) == pytest.approx(0.0563135, abs=1e-7)
    p_value = bounds.one_run_p_value(10, 10, 20, epsilon, 0.001)
    assert p_value == pytest.approx(0.0563135 + 0.0095942, abs=1e-7)


@pytest.mark.parametrize("right", [8, 20, 100])
def test_that_so_many_right_guesses_show_what_a_line_of_algebra_says(right: int) -> None:
    """All of r right has a chance of (e^ε/(1 + e^ε))^r: at 95 % that refutes ε < ln(x/(1 − x))."""
    x = 0.05 ** (1 / right)
    epsilon = bounds.one_run_epsilon(right, right, 2 * right)
    assert epsilon == pytest.approx(math.log(x / (1 - x)), abs=1e-6)


def test_that_one_run_refutes_at_its_confidence_and_no_more() -> None:
    epsilon = bounds.one_run_epsilon(900, 1_000, 2_000)
    assert bounds.one_run_p_value(900, 1_000, 2_000, epsilon) == pytest.approx(0.05, abs=1e-6)
    assert epsilon < math.log(0.9 / 0.1)
    assert bounds.one_run_epsilon(500, 1_000, 2_000) == 0
    assert bounds.one_run_epsilon(900, 1_000, 2_000, delta=1e-3) < epsilon
    assert bounds.one_run_epsilon(1_000, 1_000, 2_000) > 5


def test_that_guesses_of_honest_coins_are_seldom_an_accusation() -> None:
    """Randomised response of ε = 1 on every coin, guessed as it answers."""
    rng, wrong, tries = RNG(3), 0, 400
    for _ in range(tries):
        right = int(np.count_nonzero(rng.random(300) < 1 / (1 + math.exp(-1))))
        wrong += bounds.one_run_epsilon(right, 300, 300) > 1
    assert wrong <= stats.binom.ppf(0.999, tries, 0.05)


def test_that_guesses_are_fixed_in_number_and_ties_are_fair() -> None:
    event = OutputEvent(1.0, above=True, forward=True)
    statistic = np.r_[np.ones(50), np.zeros(50)]
    count = bounds.safe_guesses(event, statistic, 100)
    assert count == math.floor(50 - 3 * math.sqrt(50))
    who, inside = bounds.guess_canaries(event, statistic, count, RNG(0))
    assert inside
    assert len(set(who.tolist())) == count
    assert who.max() < 50
    assert set(who.tolist()) != set(range(count))


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: bounds.choose_event(np.zeros(0), np.zeros(3)), "both sides"),
        (lambda: bounds.clopper_pearson(5, 4), "hits"),
        (lambda: bounds.one_run_p_value(5, 4, 10, 1.0), "guesses"),
        (lambda: bounds.resolution_limit(10, confidence=1.0), "confidence"),
        (lambda: bounds.epsilon_at_least(1, 2, 0, 2, delta=2), "delta"),
    ],
)
def test_that_impossible_counts_are_refused(call: Callable[[], object], error: str) -> None:
    with pytest.raises(ValueError, match=error):
        call()


def test_that_an_event_of_gaussian_noise_shows_its_shift_and_hardly_ever_more() -> None:
    rng, shift, trials = np.random.default_rng(3), 0.8, 2_000
    shifts = []
    for _ in range(400):
        first, second = (int((rng.normal(m, 1, trials) > 0.5).sum()) for m in (shift, 0.0))
        shifts.append(float(bounds.gaussian_shift_at_least(first, trials, second, trials)))
    assert np.mean(np.array(shifts) > shift) <= 0.05
    assert np.median(shifts) > 0.6 * shift


def test_that_a_shift_is_bounded_by_hand_and_leaves_room_for_delta() -> None:
    low = bounds.clopper_pearson(80, 100)[0]
    high = bounds.clopper_pearson(20, 100)[1]
    expected = float(ndtri(low) - ndtri(high))
    assert float(bounds.gaussian_shift_at_least(80, 100, 20, 100)) == pytest.approx(expected)
    assert float(bounds.gaussian_shift_at_least(80, 100, 20, 100, delta=0.1)) < expected
    assert float(bounds.gaussian_shift_at_least(20, 100, 80, 100)) == 0
    assert float(bounds.gaussian_shift_at_least(0, 100, 100, 100, delta=0.5)) == 0
