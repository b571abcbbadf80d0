"""Parameters found for a figure that a method expects."""

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest

from auditor.engine.solver import CLOSE, solvable_parameters, solve_parameter
from auditor.errors import MissingInput, ParameterError
from auditor.figures import MetricValue
from auditor.log.model import QueryLog
from auditor.log.synthetic.generator import synthesize_log
from auditor.methods.base import ExpectedRelease, Method
from auditor.methods.registry import METHODS
from auditor.params import Params
from auditor.privacy.statement import Statement
from auditor.progress import Progress, silent_progress
from tests.methods.logs import expect, expected_values
from tests.narrowing import present

LOG = synthesize_log(300, days=10, seed=1).log
THRESHOLD = METHODS["frequency-threshold"]
LEAST = solvable_parameters(THRESHOLD.params)[0].name
SAFELOG = METHODS["safelog"]
SLIDER = present(SAFELOG.params.spec("b").slider)


def solve(
    method: Method, parameter: str, figure: str, target: float, params: Params | None = None
) -> Any:
    return solve_parameter(
        method, params or method.params(), parameter, figure, target, LOG, 1.0, silent_progress()
    )


def expected(name: str, figure: str, **values: Any) -> float:
    return expected_values(expect(name, LOG, **values))[figure]


def test_that_a_kept_share_is_reached_as_nearly_as_a_whole_number_can() -> None:
    aim = expected(THRESHOLD.name, "volume", **{LEAST: 6})
    params = solve(THRESHOLD, LEAST, "expected.volume", aim)
    volume = expected(THRESHOLD.name, "volume", **{LEAST: getattr(params, LEAST)})
    assert volume == pytest.approx(aim, abs=CLOSE)


def test_that_a_wanted_pel_finds_the_size_of_groups() -> None:
    def exposure(k: int) -> float:
        return expected("microaggregation", "exposure", k=k)

    method = METHODS["microaggregation"]
    params = solve(method, "k", "expected.exposure", exposure(7) + 0.01)
    assert abs(exposure(params.k) - exposure(7)) <= 0.1 * abs(exposure(2) - exposure(50))


def follow_law(law: Callable[[float], float]) -> Method:
    """A method of which a figure is a law of its parameter b."""

    def outlook(log: QueryLog, params: Any, *, scale: float, progress: Progress) -> ExpectedRelease:
        progress.check()
        statement = Statement("none", "Nothing.", "nobody")
        values = (MetricValue("v", "v", law(params.b)),)
        return ExpectedRelease(statement=statement, values=values)

    return dataclasses.replace(SAFELOG, outlook=outlook)


def test_that_a_real_parameter_is_found_to_a_thousandth_of_the_range() -> None:
    params = solve(follow_law(lambda b: b * b), "b", "v", 200.0)
    assert params.b**2 == pytest.approx(200.0, abs=CLOSE * SLIDER[1] ** 2)


def test_that_of_two_places_the_one_near_the_present_value_is_taken() -> None:
    middle = (SLIDER[0] * SLIDER[1]) ** 0.5
    method = follow_law(lambda b: abs(b - middle))
    params = solve(method, "b", "v", middle / 4, SAFELOG.params().replace(b=0.9 * SLIDER[1]))
    assert params.b == pytest.approx(1.25 * middle, rel=0.05)


def test_that_what_no_value_reaches_is_refused_with_what_can_be() -> None:
    with pytest.raises(ParameterError, match="is between") as refusal:
        solve(THRESHOLD, LEAST, "expected.volume", 2.0)
    assert refusal.value.parameter == LEAST
    assert "%" in str(refusal.value), "shares are told as they are shown"
    idle = SAFELOG.params().replace(clicks=False, transitions=False)
    with pytest.raises(ParameterError, match=r"The metric is [^ ]+ whatever .* Choose another"):
        solve(SAFELOG, "c_f", "expected.queries", 1e6, idle)
    with pytest.raises(MissingInput, match="says nothing"):
        solve(THRESHOLD, LEAST, "nothing", 0.5)
