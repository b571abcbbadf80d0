"""Thresholds, ε and δ that statements claim, against sums over the noise and sources' tables."""

import itertools
import math
from pathlib import Path
from typing import Any

import pytest

from tests.reference import composition, logs, product, thresholds
from tests.reference.methods import zealous

ROWS = logs.random_log(1, rows=30)


def statement_of(place: Path, method: str, **params: Any) -> Any:
    return product.anonymize(ROWS, place, method, **params).said


@pytest.mark.parametrize(
    ("q_f", "b", "delta", "unit"),
    list(itertools.product((1, 2, 5, 9), (0.7, 3.0), (1e-2, 1e-6), ("users", "events"))),
)
def test_that_korolova_s_threshold_is_the_least_whose_delta_holds(
    q_f: int, b: float, delta: float, unit: str, tmp_path: Path
) -> None:
    once = unit == "users"
    statement = statement_of(tmp_path, "korolova", q_f=q_f, b=b, delta=delta, counting_unit=unit)
    K = thresholds.threshold(q_f, delta, b, once=once)
    assert statement.measured["K"] == K
    assert statement.delta == pytest.approx(thresholds.delta(q_f, K, b, once=once), rel=1e-9)


@pytest.mark.parametrize(
    ("q_f", "c_f", "b", "b_c"), [(1, 1, 2.0, 1.0), (4, 7, 2.0, 3.0), (10, 3, 5.0, 5.0)]
)
def test_that_strict_safelog_halves_its_delta_and_adds_up_its_epsilon(
    q_f: int, c_f: int, b: float, b_c: float, tmp_path: Path
) -> None:
    params = {"q_f": q_f, "c_f": c_f, "b": b, "b_c": b_c, "b_t": 4.0, "delta": 1e-5}
    statement = statement_of(tmp_path, "safelog", **params)
    K = thresholds.threshold(q_f, 5e-6, b, once=True)
    spent = thresholds.delta(q_f, K, b, once=True)
    K_c = thresholds.threshold(c_f, min(5e-6, spent), b_c, once=True)
    assert (statement.measured["K"], statement.measured["K_c"]) == (K, K_c)
    assert statement.epsilon == pytest.approx(q_f / b + c_f / b_c + (q_f - 1) / 4.0, rel=1e-12)
    both = spent + thresholds.delta(c_f, K_c, b_c, once=True)
    assert statement.delta == pytest.approx(both, rel=1e-9)


@pytest.mark.parametrize(
    ("q_f", "K", "p_g", "epsilon"),
    [
        (10, 10, 1.0, 4.27),
        (50, 10, 1.0, 21.36),
        (100, 10, 1.0, 42.73),
        (150, 10, 1.0, 64.09),
        (200, 10, 1.0, 85.45),
        (100, 500, 1.0, 30.00),
        (10, 10, 0.5, 9.9),
        (10, 10, 1e-2, 49),
        (10, 10, 1e-4, 95),
        (10, 10, 1e-6, 141),
    ],
)
def test_that_published_safelog_states_the_epsilon_of_the_source(
    q_f: int, K: int, p_g: float, epsilon: float, tmp_path: Path
) -> None:
    limit: dict[str, Any] = {"q_f": q_f, "c_f": q_f, "K": K, "p_g": p_g}
    pool = tmp_path / "pool.txt"
    pool.write_text("never searched\n")
    statement = statement_of(
        tmp_path,
        "safelog",
        mode="published",
        transitions=False,
        pool="file",
        pool_file=pool,
        **dict.fromkeys(("b", "b_q", "b_c"), 10.0),
        **limit,
    )
    expected = thresholds.safelog_epsilon(**limit, b=10.0, b_q=10.0, b_c=10.0)
    assert expected == pytest.approx(epsilon, abs=0.51 if epsilon > 45 and p_g < 1 else 0.06)
    assert statement.epsilon == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    ("m", "epsilon", "delta"), [(1, 1.0, 1e-3), (5, 2.0, 1e-6), (8, 5.0, 0.01)]
)
def test_that_zealous_takes_the_noise_of_the_source_and_a_threshold_that_keeps_its_delta(
    m: int, epsilon: float, delta: float, tmp_path: Path
) -> None:
    scale = 2 * m / epsilon
    params = {"m": m, "epsilon": epsilon, "delta": delta}
    printed = statement_of(tmp_path, "zealous", threshold="printed", **params)
    tau = zealous.printed_threshold(m, epsilon, delta)
    assert printed.measured["lambda"] == pytest.approx(scale, rel=1e-12)
    assert printed.measured["tau_prime"] == pytest.approx(tau, rel=1e-12)
    assert printed.measured["least_count"] == math.ceil(tau)
    expected = thresholds.delta(m, math.ceil(tau), scale, once=True)
    assert printed.delta == pytest.approx(expected, rel=1e-9)
    sound = statement_of(tmp_path, "zealous", threshold="sound", **params)
    assert sound.measured["least_count"] == thresholds.threshold(m, delta, scale, once=True)
    assert sound.delta <= delta


@pytest.mark.parametrize(("q_f", "tight"), [(50, 3.1), (100, 4.7), (200, 7.1)])
def test_that_tight_epsilon_composes_the_losses(q_f: int, tight: float, tmp_path: Path) -> None:
    limit = {"q_f": q_f, "b": 10.0, "clicks": False, "transitions": False, "delta": 1e-6}
    statement = statement_of(tmp_path, "safelog", **limit)
    expected = composition.tight_epsilon([(10.0, q_f)], 1e-6)
    assert expected == pytest.approx(tight, abs=0.1)
    assert statement.tight_epsilon == pytest.approx(expected, rel=1e-6)


def test_that_tight_epsilon_composes_queries_clicks_and_transitions(tmp_path: Path) -> None:
    limit = {"q_f": 9, "c_f": 12, "b": 4.0, "b_c": 8.0, "b_t": 2.0, "delta": 1e-3}
    statement = statement_of(tmp_path, "safelog", **limit)
    expected = composition.tight_epsilon([(4.0, 9), (8.0, 12), (2.0, 8)], 1e-3)
    assert expected < 9 / 4 + 12 / 8 + 8 / 2
    assert statement.tight_epsilon == pytest.approx(expected, rel=1e-3)
