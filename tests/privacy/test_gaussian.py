"""Discrete Gaussian noise: what it costs, where a lone query passes, and that it is that noise."""

import math

import numpy as np
import pytest
from scipy.stats import norm

from auditor.privacy import gaussian


@pytest.mark.parametrize(
    ("epsilon", "delta"), [(0.1, 1e-9), (1.0, 1e-6), (4.0, 1e-5), (20.0, 0.01)]
)
def test_that_the_budget_is_spent_and_not_overspent(epsilon: float, delta: float) -> None:
    rho = gaussian.rho_for(epsilon, delta)
    assert gaussian.delta_of(rho, epsilon) <= delta
    assert gaussian.delta_of(rho * 1.001, epsilon) > delta


@pytest.mark.parametrize(("epsilon", "delta"), [(0.5, 1e-6), (1.0, 1e-6), (3.0, 1e-8)])
def test_that_the_bound_lies_above_the_delta_of_the_real_one(epsilon: float, delta: float) -> None:
    """Balle and Wang 2018, Theorem 8: δ = Φ(Δ/2σ − εσ/Δ) − e^ε Φ(−Δ/2σ − εσ/Δ)."""
    sigma = 1 / math.sqrt(2 * gaussian.rho_for(epsilon, delta))
    exact = norm.cdf(0.5 / sigma - epsilon * sigma) - math.exp(epsilon) * norm.cdf(
        -0.5 / sigma - epsilon * sigma
    )
    assert delta / 20 < exact <= delta


def test_that_weights_stay_within_one_user() -> None:
    weights = gaussian.item_weights(200)
    t = np.arange(1, 201)
    assert (weights[1:].astype(object) ** 2 * t <= gaussian.GRID**2).all()
    assert ((weights[1:] + 1).astype(object) ** 2 * t > gaussian.GRID**2).all()


@pytest.mark.parametrize("most", [1, 7, 100])
def test_that_no_number_of_lone_queries_passes_more_often_than_delta(most: int) -> None:
    sigma, delta = 3.0 * gaussian.GRID, 1e-4
    threshold = gaussian.union_threshold(sigma, delta, most)
    t = np.arange(1, most + 1)
    each = norm.sf((threshold - gaussian.item_weights(most)[1:] - 1) / sigma)
    some = -np.expm1(t * np.log1p(-each))
    assert some.max() <= delta * (1 + 1e-9)
    assert some.max() >= 0.999 * delta
