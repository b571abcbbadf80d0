"""Truncated and Gaussian noise of several releases together, against enumerated laws."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest

from auditor.arrays import Float64s
from auditor.methods.registry import METHODS
from auditor.methods.statements import NEIGHBOURS, UNIT
from auditor.privacy import composition, gaussian, truncated_geometric
from auditor.privacy.composition import Mechanism
from auditor.release.ledger.spent_budget import SpentBudget, from_plain, spent_of, to_plain
from auditor.release.ledger.totals import total_of
from tests.privacy import exact_laws as exact


def delta_at(first: Float64s, second: Float64s, epsilon: float) -> float:
    """The larger of both directions of Σ (p − e^ε q)₊."""
    ways = ((first, second), (second, first))
    return max(float(np.maximum(p - math.exp(epsilon) * q, 0).sum()) for p, q in ways)


def discrete_gaussian(sigma: float, shift: int) -> Float64s:
    """P[X + shift = x] for x in a wide range that doesn't depend on `shift`."""
    x = np.arange(-math.ceil(9 * sigma), math.ceil(9 * sigma) + 8) - shift
    weight = np.exp(-(x**2) / (2 * sigma**2))
    return np.asarray(weight / weight.sum(), dtype=np.float64)


def together(*laws: Float64s) -> Float64s:
    found = np.ones(1)
    for law in laws:
        found = np.multiply.outer(found, law).ravel()
    return found


def shown_counts(count: int, noise: truncated_geometric.TruncatedGeometric) -> Float64s:
    """The law of a count that is shown where count + X is above the bound, else not at all."""
    law = np.zeros(3 * noise.bound + 4)
    for x, p in zip(range(-noise.bound, noise.bound + 1), noise.law, strict=True):
        law[count + x if count + x > noise.bound else 0] += p
    return law


@pytest.mark.parametrize("counts", list(itertools.combinations_with_replacement((1, 2, 4), 2)))
def test_that_truncated_noise_of_two_releases_is_composed_exactly(counts: tuple[int, int]) -> None:
    noises = [
        truncated_geometric.noise_for(1.0, 0.01, 1),
        truncated_geometric.noise_for(0.5, 0.02, 1),
    ]
    first, second = (
        together(*(shown_counts(c - less, n) for c, n in zip(counts, noises, strict=True)))
        for less in (0, 1)
    )
    ends = sum(noise.edge for noise in noises)
    for delta in (0.002, 0.02, 0.2):
        epsilon = composition.epsilon_with_gaussian(
            [Mechanism(noise.scale, 1) for noise in noises], 0.0, delta
        )
        assert delta_at(first, second, epsilon) <= ends + delta + 1e-12
    # Nothing smaller holds for counts that both ends can show, but for the product of small δ.
    whole = [np.asarray(noise.law, dtype=np.float64) for noise in noises]
    raised = together(*(np.append(law, 0.0) for law in whole))
    lowered = together(*(np.insert(law, 0, 0.0) for law in whole))
    epsilon = composition.epsilon_with_gaussian([Mechanism(n.scale, 1) for n in noises], 0.0, 0.02)
    assert delta_at(raised, lowered, epsilon) == pytest.approx(ends + 0.02, abs=2e-3)


@pytest.mark.parametrize("sigma", [1.5, 4.0])
@pytest.mark.parametrize("delta", [1e-4, 1e-2])
def test_that_gaussian_noise_beside_laplace_is_never_stated_too_small(
    sigma: float, delta: float
) -> None:
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


def spent(method: str, **values: Any) -> SpentBudget:
    params = METHODS[method].params(**values)
    statement = {"model": "differential privacy", "unit": UNIT, "neighbours": NEIGHBOURS}
    told = statement | {"epsilon": values["epsilon"], "delta": values["delta"], "assumptions": []}
    return spent_of(method, params.to_dict(), told)


@pytest.mark.parametrize(
    ("method", "values"),
    [
        ("set-union", {"weighting": "even"}),
        ("set-union", {"weighting": "screened"}),
        ("n-grams", {"longest": 4}),
    ],
)
def test_that_gaussian_noise_of_releases_of_one_log_adds_up(
    method: str, values: dict[str, Any]
) -> None:
    one = spent(method, epsilon=1.0, delta=1e-6, **values)
    assert one.rho > 0
    assert one.besides == pytest.approx(5e-7)
    assert from_plain(to_plain(one)) == one
    worst = SpentBudget("x", UNIT, NEIGHBOURS, 1.0, 1e-6)
    known, rough = (total_of([each] * 8).bounded for each in (one, worst))
    assert known is not None
    assert known.tight_epsilon is not None
    assert rough is not None
    assert known.epsilon == rough.epsilon == 8
    assert known.tight_delta == pytest.approx(1.6e-5)
    assert known.tight_epsilon == pytest.approx(
        next(
            e / 1000 for e in range(1, 9000) if gaussian.delta_of(8 * one.rho, e / 1000) <= 1.2e-5
        ),
        abs=2e-3,
    )
    assert known.tight_epsilon < (rough.tight_epsilon or 8) / 2


def test_that_partition_selections_of_one_log_add_up_by_their_noise() -> None:
    one = spent("partition-selection", epsilon=1.0, delta=1e-6, q_f=5)
    assert one.mechanisms[0].count == 5
    noise = truncated_geometric.noise_for(1.0, 1e-6, 5)
    two = total_of([one, one]).bounded
    assert two is not None
    assert two.tight_epsilon is not None
    curve = truncated_geometric.delta_of(noise, 10, two.tight_epsilon)
    assert curve <= two.tight_delta
    assert truncated_geometric.delta_of(noise, 10, two.tight_epsilon * 0.99) > two.tight_delta * 0.9
    assert from_plain(to_plain(one)) == one


def test_that_an_older_entry_without_the_rest_of_delta_keeps_all_of_it() -> None:
    plain = to_plain(spent("partition-selection", epsilon=1.0, delta=1e-6, q_f=1))
    del plain["besides"]
    assert from_plain(plain).uncovered == 1e-6
    assert from_plain(plain | {"rho": -1.0}).why


def test_that_limited_periods_are_known_by_their_epsilon_alone() -> None:
    values: dict[str, Any] = {"epsilon": 1.0, "delta": 1e-6, "unit": "day"}
    assert spent("set-union", **values).rho > 0
    assert spent("set-union", **values, periods=3).rho == 0
