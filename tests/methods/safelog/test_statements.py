"""What SafeLog says it promises: golden numbers, assumptions, solvers, curves."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from auditor.errors import ParameterError
from auditor.figures import Figure
from auditor.methods.base import ParameterSolver
from auditor.methods.safelog import METHOD, SafeLogParams, epsilon_of
from auditor.privacy import accounting
from auditor.privacy.randomness import PreviewRandomness, SecureRandomness
from auditor.privacy.statement import Statement
from auditor.progress import Progress
from tests.methods.logs import find_assumption, log_of, present, random_rows

TENS: dict[str, Any] = {
    "mode": "published",
    "K": 10,
    "b": 10.0,
    "b_q": 10.0,
    "b_c": 10.0,
    "p_g": 1.0,
    "transitions": False,
}
LOG = log_of(random_rows())


def statement(secure: bool = False, **values: Any) -> Statement:
    rng = SecureRandomness() if secure else PreviewRandomness(1)
    return METHOD.run(LOG, SafeLogParams(**values), rng=rng, progress=Progress()).statement


def figure(name: str, users: int = 1_000, **values: Any) -> Figure:
    curves = present(METHOD.curves)
    return next(plot for plot in curves(SafeLogParams(**values), users) if plot.name == name)


def solver(parameter: str) -> ParameterSolver:
    return next(entry for entry in METHOD.solvers if entry.parameter == parameter)


# The source's numbers -----------------------------------------------------------------------


def test_that_transitions_cost_only_where_they_are_released() -> None:
    steps = statement(**TENS | {"transitions": True, "b_t": 3.0}, q_f=10, c_f=10)
    without = present(statement(**TENS, q_f=10, c_f=10).epsilon)
    assert steps.epsilon == pytest.approx(without + 9 / 3)
    assert sum(term.epsilon for term in steps.terms) == pytest.approx(steps.epsilon)


@pytest.mark.parametrize(
    ("K", "b"), [(10, 6.883), (30, 14.426), (50, 20.738), (100, 34.565), (500, 121.408)]
)
def test_that_the_turning_point_is_marked_where_the_source_has_it(K: int, b: float) -> None:
    marks = figure("epsilon", **TENS | {"K": K}).marks
    optimum = next(mark for mark in marks if mark.role == "optimum")
    assert optimum.at == pytest.approx(b, abs=6e-4)
    line = figure("epsilon", **TENS | {"K": K}).series[0]
    assert line.x[np.argmin(line.y)] == pytest.approx(b, abs=6e-4)


def test_that_korolovas_delta_stands_beside_the_printed_epsilon() -> None:
    """Spec caveat 2: q_f = 10, K = b = 10 gives δ = 5, which says nothing."""
    facts = statement(**TENS, q_f=10, c_f=10, tau=1)
    assert facts.measured["korolova_delta"] == pytest.approx(5.0)
    pool = find_assumption(facts, "every query can come from the pool")
    assert pool.status == "fails"
    assert "≥ 1/users" in pool.evidence
    assert "protects nobody" in facts.claim


@pytest.mark.parametrize(("q_f", "K", "once"), [(10, 164, 155), (50, 220, 171), (100, 277, 178)])
def test_that_thresholds_solved_from_delta_are_the_specs(q_f: int, K: int, once: int) -> None:
    values: dict[str, Any] = {"q_f": q_f, "b": 10.0, "delta": 1e-6}
    by_events = SafeLogParams(mode="published", **values)
    assert statement(mode="published", tau=1, **values).measured["korolova_delta"] <= 1e-6
    least = solver("K").solve(by_events, 1e-6, 1_000).K  # type: ignore[attr-defined]
    assert least == pytest.approx(K, abs=1)
    strict = statement(clicks=False, transitions=False, **values)
    assert strict.measured["K"] == pytest.approx(once, abs=1.2)
    assert (
        present(strict.delta)
        <= 1e-6
        < accounting.threshold_delta(q_f, strict.measured["K"] - 1, 10.0, once=True)
    )


def test_that_no_chance_in_the_pool_means_no_finite_epsilon() -> None:
    facts = statement(**TENS | {"p_g": 0.0}, q_f=10, c_f=10)
    assert facts.epsilon == math.inf
    assert facts.write_headline().startswith("no finite ε")
    json.dumps(facts.to_dict(), allow_nan=False)


# Assumptions --------------------------------------------------------------------------------


def test_that_published_mode_names_every_caveat_with_evidence_from_this_log() -> None:
    facts = statement(mode="published", K=10, b=4.0, q_f=30)
    failing = {entry.name for entry in facts.failing}
    assert failing >= {
        "no data-dependent cleaning",
        "every query can come from the pool",
        "clicks known beforehand",
        "transitions known beforehand",
        "noise",
    }
    assert find_assumption(facts, "a pure ε leaves something to use").status == "holds"
    assert all(entry.evidence for entry in facts.assumptions[:6])
    assert "occurred once" in find_assumption(facts, "clicks known beforehand").evidence
    assert "discrete tail" in find_assumption(facts, "noise").evidence


def test_that_caveats_that_do_not_apply_hold() -> None:
    facts = statement(secure=True, mode="published", tau=1, clicks=False, transitions=False, K=10)
    failing = {entry.name for entry in facts.failing}
    assert failing == {"every query can come from the pool"}


def test_that_a_log_that_is_its_own_pool_is_noticed(tmp_path: Path) -> None:
    pool = tmp_path / "pool.txt"
    for queries, status in (LOG.queries.list_strings(), "fails"), (["another thing"], "unknown"):
        pool.write_text("\n".join([*queries, ""]), encoding="utf-8")
        facts = statement(pool="file", pool_file=pool, K=20)
        assert find_assumption(facts, "pool from elsewhere").status == status


# Strict -------------------------------------------------------------------------------------


def test_that_a_threshold_set_by_hand_decides_delta_and_turns_it_red() -> None:
    facts = statement(K=5, q_f=20, b=10.0)
    expected = accounting.threshold_delta(20, 5, 10.0, once=True)
    assert facts.terms[0].delta == pytest.approx(expected)
    assert find_assumption(facts, "delta").status == "fails"
    assert "too large" in facts.claim
    assert facts.delta == 1.0 or facts.delta == pytest.approx(expected + facts.terms[1].delta)


# Solvers and curves ---------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["strict", "published"])
@pytest.mark.parametrize("K", [None, 60])
def test_that_solvers_reach_what_is_wanted(mode: str, K: int | None) -> None:
    params = SafeLogParams(mode=mode, K=K, b_q=40.0, b_c=40.0, b_t=40.0, q_f=20, c_f=20)
    for parameter in ("b", "q_f"):
        solved: Any = solver(parameter).solve(params, 4.0, 1_000)
        assert epsilon_of(solved) <= 4.0 + 1e-9
        assert epsilon_of(solved) > 3.0
        changed = params.replace(**{parameter: getattr(solved, parameter)})
        assert epsilon_of(changed) == epsilon_of(solved)
    for target in (1e-3, 1e-9):
        solved = solver("K").solve(params, target, 1_000)
        changed = params.replace(K=solved.K)
        stated = statement(**changed.to_dict())
        delta = stated.delta if mode == "strict" else stated.measured["korolova_delta"]
        assert present(delta) <= target
        assert solved.K < 1_000


@pytest.mark.parametrize("mode", ["strict", "published"])
def test_that_solvers_refuse_what_nothing_reaches(mode: str) -> None:
    for parameter, wanted, error in (
        ("b", 1e-3, "No b reaches"),
        ("q_f", 1e-3, "No q_f reaches"),
        ("K", 2.0, "δ"),
    ):
        with pytest.raises(ParameterError, match=error):
            solver(parameter).solve(SafeLogParams(mode=mode), wanted, 100)


def test_that_delta_is_red_from_one_in_the_number_of_users() -> None:
    plot = figure("delta", users=5_000, K=30)
    (zone,) = plot.zones
    assert (zone.low, zone.role) == (1 / 5_000, "bad")
    assert next(mark for mark in plot.marks if mark.role == "current").at == 30
    line = plot.series[0]
    assert np.all(np.diff(line.y) <= 0)


def test_that_epsilon_over_the_pools_chance_falls_to_the_printed_one() -> None:
    plot = figure("pool", **TENS, q_f=10, c_f=10)
    assert plot.series[0].y[-1] == pytest.approx(4.27, abs=5e-3)
    assert np.all(np.diff(plot.series[0].y) <= 1e-12)
