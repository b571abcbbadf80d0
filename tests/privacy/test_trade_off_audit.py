"""Bounds by trade-off curves: against plain loops, exact laws, and false alarms counted."""

import functools
import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, stats

from auditor.privacy import audit_bounds as bounds
from auditor.privacy import trade_off_audit as trade_off

RNG = np.random.default_rng


def least_total(
    right: int, guesses: int, canaries: int, inverse: Callable[[float], float], chance: float
) -> float:
    """Σ p_i at least, by the inequality for {i, …, c'} itself and no shortcut.

    `more[i]` is the least chance of i right guesses or more.
    """
    more = dict.fromkeys(range(right + 1, guesses + 2), 0.0) | {right: chance}
    for i in range(right - 1, -1, -1):
        above = sum(more[j] for j in range(i + 1, guesses + 1))
        further = above - more[i + 1]
        bound = ((i + 1) * more[i + 1] + further) / canaries
        needed = (above + canaries * inverse(min(bound, 1.0))) / (guesses - i)
        more[i] = max(more[i + 1], needed)
    return more[0]


def forward_curve(epsilon: float, delta: float, chance: float) -> float:
    """f̄ of all (ε, δ) mechanisms."""
    other = 1 - math.exp(-epsilon) * (1 - delta - chance)
    return min(1.0, delta + math.exp(epsilon) * chance, other)


def guess_chance(epsilon: float) -> float:
    return 1 / (1 + math.exp(-epsilon))


def least_refuting(guesses: int, canaries: int, epsilon: float, delta: float) -> int:
    """From how many right guesses on an ε is refuted; one more than all if never."""
    curve = trade_off.invert_approximate_curve(epsilon, delta)
    return next(
        (
            right
            for right in range(guesses + 1)
            if trade_off.is_curve_refuted(right, guesses, canaries, curve)
        ),
        guesses + 1,
    )


@given(
    st.integers(1, 40),
    st.floats(0, 1),
    st.integers(0, 60),
    st.floats(0, 4),
    st.sampled_from([0.0, 1e-4, 0.01, 0.2]),
)
def test_that_it_refutes_what_a_plain_loop_refutes(
    guesses: int, share: float, others: int, epsilon: float, delta: float
) -> None:
    right, canaries = round(share * guesses), guesses + others
    for curve in (
        trade_off.invert_approximate_curve(epsilon, delta),
        trade_off.invert_gaussian_curve(epsilon, delta),
    ):
        total = least_total(right, guesses, canaries, curve, 0.05)
        if abs(total - 1) > 1e-6:
            is_refuted = trade_off.is_curve_refuted(right, guesses, canaries, curve)
            assert is_refuted == (total > 1)


@pytest.mark.parametrize("delta", [0.0, 0.01, 0.3])
@pytest.mark.parametrize("epsilon", [0.0, 0.5, 3.0])
def test_that_the_inverse_curve_undoes_the_curve(epsilon: float, delta: float) -> None:
    invert = trade_off.invert_approximate_curve(epsilon, delta)
    for chance in np.linspace(0, 1, 41).tolist():
        least = invert(chance)
        assert forward_curve(epsilon, delta, least) >= chance - 1e-12
        if least > 0:
            assert forward_curve(epsilon, delta, least) == pytest.approx(chance)


@pytest.mark.parametrize("guesses", [5, 40, 300])
@pytest.mark.parametrize("epsilon", [0.2, 1.0, 3.0])
@pytest.mark.parametrize("delta", [0.0, 1e-3, 0.02])
def test_that_an_exact_law_is_refuted_no_oftener_than_the_confidence_says(
    guesses: int, epsilon: float, delta: float
) -> None:
    """Randomised response that shows a coin, or all coins at once, with a chance of δ.

    Both are (ε, δ), and so is the guess as the answer says. No seed: the law is summed. Refuting
    by either bound is refuting from the smaller number on.
    """
    q = guess_chance(epsilon)
    by_curve = least_refuting(guesses, guesses, epsilon, delta)
    by_tail = next(
        v
        for v in range(guesses + 2)
        if v > guesses or bounds.one_run_p_value(v, guesses, guesses, epsilon, delta) <= 0.05
    )
    least = min(by_curve, by_tail)
    each = stats.binom.sf(least - 1, guesses, delta + (1 - delta) * q)
    together = delta * (least <= guesses) + (1 - delta) * stats.binom.sf(least - 1, guesses, q)
    assert each <= 0.05
    assert together <= 0.05


@pytest.mark.parametrize(("epsilon", "delta"), [(0.5, 0.0), (1.0, 1e-3), (3.0, 0.01)])
def test_that_the_bound_exceeds_a_refuted_epsilon(epsilon: float, delta: float) -> None:
    least = least_refuting(200, 200, epsilon, delta)
    below, above = (
        trade_off.one_run_curve_epsilon(right, 200, 200, delta=delta)
        for right in (least - 1, least)
    )
    assert below <= epsilon < above


@pytest.mark.parametrize("sigma", [0.5, 2.0])
def test_that_honest_noise_is_seldom_accused_and_known_noise_shows_more(sigma: float) -> None:
    """Coins of 400 users with noise, of which the 60 largest answers are guessed."""
    rng, wrong, tries, delta = RNG(5), 0, 300, 1e-5
    true = trade_off.epsilon_of_gaussian(1 / sigma, delta)
    gaussian, approximate = [], []
    bound_gaussian = functools.cache(trade_off.one_run_gaussian_epsilon)
    bound_curve = functools.cache(trade_off.one_run_curve_epsilon)
    for _ in range(tries):
        coins = rng.random(400) < 0.5
        guessed = np.argsort(coins + sigma * rng.normal(size=400))[-60:]
        right = int(coins[guessed].sum())
        gaussian.append(bound_gaussian(right, 60, 400, delta=delta))
        wrong += gaussian[-1] > true
        approximate.append(bound_curve(right, 60, 400, delta=delta))
    assert wrong <= stats.binom.ppf(0.999, tries, 0.05)
    assert np.mean(gaussian) > np.mean(approximate)


@pytest.mark.parametrize("sigma", [0.5, 1.0, 2.0, 4.0])
def test_that_more_canaries_show_more_of_the_epsilon_of_gaussian_noise(sigma: float) -> None:
    """The paper's ideal setting: each canary's own number with noise, δ = 10⁻⁵.

    Its published bounds were not at hand. This is an independent check: the right guesses are
    those expected by the law of the noise, of the best of three numbers of guesses.
    """
    true, best = trade_off.epsilon_of_gaussian(1 / sigma, 1e-5), []
    for canaries in (1_000, 10_000, 100_000):
        gaussian, approximate = zip(
            *(_bound_expected(sigma, canaries, share) for share in (0.01, 0.1, 0.5)), strict=True
        )
        best.append(max(gaussian) / true)
        assert max(gaussian) > 0.98 * max(approximate)
    assert sorted(best) == best
    assert 0.55 < best[-1] < 1
    assert best[0] < 0.5
    if sigma == 1.0:  # as the guide says
        assert [share * true for share in best] == pytest.approx([1.964, 2.359, 2.697], abs=1e-3)


def _bound_expected(sigma: float, canaries: int, share: float) -> tuple[float, float]:
    """ε by the noise's own curve and by that of (ε, δ), from as many right guesses as expected."""
    guesses = int(canaries * share)

    def above(value: float) -> tuple[float, float]:
        return float(stats.norm.sf(value / sigma)), float(stats.norm.sf((value - 1) / sigma))

    least = optimize.brentq(lambda value: sum(above(value)) / 2 - share, -80, 80)
    out, inside = above(least)
    right = int(guesses * inside / (inside + out))
    return (
        trade_off.one_run_gaussian_epsilon(right, guesses, canaries, delta=1e-5),
        trade_off.one_run_curve_epsilon(right, guesses, canaries, delta=1e-5),
    )


@given(st.integers(1, 120), st.integers(0, 200), st.sampled_from([0.0, 1e-6, 1e-3, 0.02]))
def test_that_more_right_guesses_show_no_less(guesses: int, others: int, delta: float) -> None:
    epsilons = [
        trade_off.one_run_curve_epsilon(right, guesses, guesses + others, delta=delta)
        for right in range(0, guesses + 1, max(1, guesses // 12))
    ]
    assert epsilons == sorted(epsilons)


@given(st.integers(1, 200), st.floats(0.5, 1), st.integers(0, 200))
def test_that_without_delta_the_exact_binomial_bound_is_never_exceeded(
    guesses: int, share: float, others: int
) -> None:
    """At δ = 0 the binomial is the law of a mechanism, so no sound bound may be above it."""
    right = round(share * guesses)
    curve = trade_off.one_run_curve_epsilon(right, guesses, guesses + others)
    exact = bounds.one_run_epsilon(right, guesses, guesses + others)
    assert curve <= exact + 1e-6
    if right == guesses:
        assert curve == pytest.approx(exact, abs=1e-6)


@pytest.mark.parametrize(
    ("right", "guesses", "canaries", "delta"),
    [(730, 1_000, 1_000, 1e-3), (1_800, 2_000, 10_000, 1e-4), (1_980, 2_000, 10_000, 1e-3)],
)
def test_that_it_is_ahead_where_delta_times_users_counts(
    right: int, guesses: int, canaries: int, delta: float
) -> None:
    curve = trade_off.one_run_curve_epsilon(right, guesses, canaries, delta=delta)
    assert curve > bounds.one_run_epsilon(right, guesses, canaries, delta=delta)
    assert curve < bounds.one_run_epsilon(right, guesses, canaries)


def test_that_so_many_right_guesses_can_show_so_much_and_no_more() -> None:
    """2,000 of 10,000 users guessed rightly: the limits of both bounds as δ grows."""
    limits = [
        (
            bounds.one_run_epsilon(2_000, 2_000, 10_000, delta=delta),
            trade_off.one_run_curve_epsilon(2_000, 2_000, 10_000, delta=delta),
        )
        for delta in (0.0, 1e-4, 1e-3)
    ]
    expected = [(6.5030, 6.5030), (4.1992, 6.4998), (1.5264, 6.4700)]
    assert np.array(limits) == pytest.approx(np.array(expected), abs=1e-4)


@pytest.mark.parametrize(
    ("sigma", "epsilon"), [(0.5, 9.997), (1.0, 4.377), (2.0, 1.993), (4.0, 0.926)]
)
def test_that_gaussian_noise_has_the_papers_epsilon(sigma: float, epsilon: float) -> None:
    """Table 1 of Mahloujifar, Melis and Chaudhuri at δ = 10⁻⁵, to its digits."""
    assert trade_off.epsilon_of_gaussian(1 / sigma, 1e-5) == pytest.approx(epsilon, abs=1e-3)
    assert trade_off.epsilon_of_gaussian(0.0, 1e-5) == 0
    assert trade_off.epsilon_of_gaussian(1.0, 0.0) == math.inf


def test_that_impossible_counts_are_refused() -> None:
    with pytest.raises(ValueError, match="guesses"):
        trade_off.one_run_curve_epsilon(5, 4, 10)
    with pytest.raises(ValueError, match="confidence"):
        trade_off.one_run_curve_epsilon(5, 5, 10, confidence=1.0)
    assert trade_off.one_run_curve_epsilon(0, 0, 10) == 0
