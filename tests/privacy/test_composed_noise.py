"""Truncated and Gaussian noise of several releases together, against enumerated laws."""

import itertools
import math

import numpy as np
import pytest

from auditor.arrays import Float64s
from auditor.privacy import composition, gaussian, truncated_geometric
from auditor.privacy.composition import Mechanism
from tests.privacy import exact_laws as exact


def delta_at(first: Float64s, second: Float64s, epsilon: float) -> float:
    """The larger of both directions of Σ (p − e^ε q)₊."""
    directions = ((first, second), (second, first))
    return max(float(np.maximum(p - math.exp(epsilon) * q, 0).sum()) for p, q in directions)


def discrete_gaussian(sigma: float, shift: int) -> Float64s:
    """P[X + shift = x] for x in a wide range that doesn't depend on `shift`."""
    x = np.arange(-math.ceil(9 * sigma), math.ceil(9 * sigma) + 8) - shift
    weight = np.exp(-(x**2) / (2 * sigma**2))
    return np.asarray(weight / weight.sum(), dtype=np.float64)


def together(*laws: Float64s) -> Float64s:
    joint = np.ones(1)
    for law in laws:
        joint = np.multiply.outer(joint, law).ravel()
    return joint


@pytest.mark.parametrize("counts", list(itertools.combinations_with_replacement((1, 2, 4), 2)))
def test_that_truncated_noise_of_two_releases_is_composed_exactly(counts: tuple[int, int]) -> None:
    noises = [
        truncated_geometric.noise_for(1.0, 0.01, 1),
        truncated_geometric.noise_for(0.5, 0.02, 1),
    ]
    mechanisms = [Mechanism(noise.scale, 1) for noise in noises]
    laws = [exact.truncated(noise) for noise in noises]
    cases = [(c, law, noise.bound + 1) for c, law, noise in zip(counts, laws, noises, strict=True)]
    first, second = (
        exact.product(*(exact.thresholded(c - less, law, least) for c, law, least in cases))
        for less in (0, 1)
    )
    ends = sum(noise.edge for noise in noises)
    for delta in (0.002, 0.02, 0.2):
        epsilon = composition.epsilon_with_gaussian(mechanisms, 0.0, delta)
        assert exact.exact_delta(first, second, epsilon) <= ends + delta + 1e-12
    # Nothing smaller holds for counts that both ends can show, but for the product of small δ.
    raised, lowered = (
        exact.product(*({x + more: p for x, p in law.items()} for law in laws)) for more in (0, 1)
    )
    epsilon = composition.epsilon_with_gaussian(mechanisms, 0.0, 0.02)
    assert exact.exact_delta(raised, lowered, epsilon) == pytest.approx(ends + 0.02, abs=2e-3)


@pytest.mark.parametrize("sigma", [1.5, 4.0])
@pytest.mark.parametrize("delta", [1e-4, 1e-2])
def test_that_gaussian_beside_laplace_is_never_stated_too_small(sigma: float, delta: float) -> None:
    laplace = exact.laplace(3.0)
    x = np.arange(-60, 62)
    flat = [np.array([laplace.get(int(v) - shift, 0.0) for v in x]) for shift in (0, 1)]
    first, second = (
        together(flat[shift], discrete_gaussian(sigma, shift), discrete_gaussian(sigma, 2 * shift))
        for shift in (0, 1)
    )
    rho = (1 + 4) / (2 * sigma**2)
    epsilon = composition.epsilon_with_gaussian([Mechanism(3.0, 1)], rho, delta)
    true = delta_at(first, second, epsilon)
    assert true <= delta
    smaller = delta_at(first, second, 0.7 * epsilon)
    assert smaller > delta  # the bound is no more than a third too large
    alone = composition.epsilon_with_gaussian([], rho, delta)
    by_sum = 1 / 3 + alone
    assert epsilon < by_sum


def test_that_the_curve_bounds_both_signs() -> None:
    sigma, shift = 2.0, 1
    first, second = discrete_gaussian(sigma, 0), discrete_gaussian(sigma, shift)
    for epsilon in (-1.0, -0.2, 0.0, 0.3, 2.0):
        bound = composition.gaussian_curve(shift**2 / (2 * sigma**2), np.array([epsilon]))[0]
        assert delta_at(first, second, epsilon) <= bound <= 1
    for epsilon in (0.5, 1.0, 3.0):
        bound = composition.gaussian_curve(0.1, np.array([epsilon]))[0]
        assert bound == pytest.approx(gaussian.delta_of(0.1, epsilon), rel=2e-3)


def test_that_many_losses_are_rounded_up() -> None:
    many = [Mechanism(10.0, 60), Mechanism(11.3, 50), Mechanism(12.7, 1)]
    exact_sum = composition.tight_epsilon(many, 1e-6)
    assert exact_sum <= composition.epsilon_with_gaussian(many, 1e-9, 1e-6) < exact_sum * 1.05
