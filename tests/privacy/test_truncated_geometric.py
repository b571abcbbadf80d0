"""Truncated geometric noise against its law, written out outcome by outcome."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.privacy.noise import PreviewRandomness
from auditor.privacy.truncated_geometric import TruncatedGeometric, delta_of, least_bound, noise_for
from auditor.progress import silent_progress
from tests.privacy import exact_laws as exact


def law_of(noise: TruncatedGeometric, *counts: int) -> exact.Law:
    """The law of what is released of some counts: a value each, or None."""
    law = exact.truncated(noise)
    return exact.product(*(exact.thresholded(count, law, noise.bound + 1) for count in counts))


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 2.5])
@pytest.mark.parametrize("delta", [0.2, 0.01, 1e-4])
def test_that_one_count_keeps_its_epsilon_and_delta_exactly(epsilon: float, delta: float) -> None:
    noise = TruncatedGeometric(1 / epsilon, least_bound(epsilon, delta))
    assert noise.edge <= delta * (1 + 1e-9)
    for count in range(3 * noise.bound + 2):
        law, neighbour = law_of(noise, count), law_of(noise, count + 1)
        for first, second in ((law, neighbour), (neighbour, law)):
            assert exact.delta_at(first, second, epsilon) <= delta * (1 + 1e-9) + 1e-15
    # A smaller bound would show a query of one user more often than δ allows.
    if noise.bound > 1:
        assert TruncatedGeometric(1 / epsilon, noise.bound - 1).edge > delta


def test_that_the_edge_and_the_chance_are_those_of_the_law() -> None:
    noise = TruncatedGeometric(1.7, 4)
    assert noise.edge == pytest.approx(noise.law[-1])
    assert noise.law.sum() == pytest.approx(1.0)
    counts = np.arange(12)
    enumerated = [1 - law_of(noise, int(n)).get((None,), 0.0) for n in counts]
    assert noise.compute_chances(counts.astype(float)) == pytest.approx(enumerated)


@given(
    st.floats(0.2, 3.0),
    st.floats(0.005, 0.2),
    st.integers(1, 2),
    st.lists(st.integers(0, 6), min_size=2, max_size=2),
)
def test_that_no_two_counts_of_one_user_lose_more_than_the_curve(
    epsilon: float, delta: float, moved: int, counts: list[int]
) -> None:
    noise = noise_for(epsilon, delta, 2)
    curve_delta = delta_of(noise, 2, epsilon)
    assert curve_delta <= delta
    more = [count + (index < moved) for index, count in enumerate(counts)]
    law, neighbour = law_of(noise, *counts), law_of(noise, *more)
    for first, second in ((law, neighbour), (neighbour, law)):
        assert exact.delta_at(first, second, epsilon) <= curve_delta * (1 + 1e-6) + 1e-12


@pytest.mark.parametrize("counts", [1, 2, 3])
def test_that_the_curve_is_reached_and_nothing_smaller_may_be_said(counts: int) -> None:
    noise = TruncatedGeometric(1 / 0.8, 3)
    large = [20] * counts
    plain = {}
    for side, numbers in (("one", large), ("other", [n + 1 for n in large])):
        plain[side] = law_of(noise, *numbers)
    for epsilon in (0.0, 0.4, 0.8, 1.7):
        assert exact.delta_at(plain["one"], plain["other"], epsilon) == pytest.approx(
            delta_of(noise, counts, epsilon), abs=1e-12
        )


def test_that_composing_exactly_never_needs_more_than_dividing() -> None:
    for counts in (1, 5, 20, 50):
        for epsilon in (0.5, 2.0, 8.0):
            noise = noise_for(epsilon, 1e-6, counts)
            assert noise.bound <= least_bound(epsilon / counts, 1e-6 / counts)
            assert delta_of(noise, counts, epsilon) <= 1e-6


def test_that_draws_follow_the_law_and_stay_within_the_bound() -> None:
    noise = TruncatedGeometric(2.0, 3)
    drawn = noise.draw(40_000, PreviewRandomness(1), silent_progress())
    assert np.abs(drawn).max() == 3
    shares = np.bincount(drawn + 3, minlength=7) / len(drawn)
    assert np.abs(shares - noise.law).max() < 0.01
