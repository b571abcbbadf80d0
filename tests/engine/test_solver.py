"""Parameters found for a figure that a method expects."""

from __future__ import annotations

import dataclasses
import threading

import pytest

from auditor.engine.solver import CLOSE, solvable_parameters, solve_parameter
from auditor.errors import Cancelled, MissingInput, ParameterError
from auditor.figures import MetricValue
from auditor.log.model import QueryLog
from auditor.log.synthetic.generator import synthesize_log
from auditor.methods.base import ExpectedRelease
from auditor.methods.registry import METHODS
from auditor.params import Params
from auditor.privacy.statement import Statement
from auditor.progress import Progress, silent_progress


@pytest.fixture(scope="module")
def log() -> QueryLog:
    return synthesize_log(300, days=10, seed=1).log


def figure(method: str, params: Params, log: QueryLog, name: str) -> float:
    outlook = METHODS[method].outlook
    assert outlook is not None
    found = outlook(log, params, scale=1.0, progress=silent_progress())
    return next(value.value for value in found.values if value.name == name)


def test_that_a_kept_share_is_reached_as_nearly_as_a_whole_number_can(log: QueryLog) -> None:
    method = METHODS["frequency-threshold"]
    params = method.params()
    name = solvable_parameters(method.params)[0].name
    aim = figure("frequency-threshold", params.replace(**{name: 6}), log, "expected.volume")
    found = solve_parameter(
        method, params, name, "expected.volume", aim, log, 1.0, silent_progress()
    )
    got = figure("frequency-threshold", found, log, "expected.volume")
    assert got == pytest.approx(aim, abs=CLOSE)


def test_that_a_wanted_pel_finds_the_size_of_groups(log: QueryLog) -> None:
    method = METHODS["microaggregation"]
    params = method.params()
    aim = figure("microaggregation", params.replace(k=7), log, "expected.exposure")
    found = solve_parameter(
        method, params, "k", "expected.exposure", aim + 0.01, log, 1.0, silent_progress()
    )
    got = figure("microaggregation", found, log, "expected.exposure")
    ends = [figure("microaggregation", params.replace(k=k), log, "expected.exposure")
            for k in (2, 50)]  # fmt: skip
    assert abs(got - aim) <= 0.1 * abs(ends[0] - ends[1])


def fake(law: object) -> object:
    def outlook(
        log: QueryLog, params: Params, *, scale: float, progress: Progress
    ) -> ExpectedRelease:
        progress.check()
        value = law(params.b)  # type: ignore[operator, attr-defined]
        statement = Statement("none", "Nothing.", "nobody")
        return ExpectedRelease(statement=statement, values=(MetricValue("v", "v", value),))

    return dataclasses.replace(METHODS["safelog"], outlook=outlook)


def test_that_a_real_parameter_is_found_to_a_thousandth_of_the_range(log: QueryLog) -> None:
    method = fake(lambda b: b * b)
    params = METHODS["safelog"].params()
    found = solve_parameter(method, params, "b", "v", 200.0, log, 1.0, silent_progress())  # type: ignore[arg-type]
    slider = params.spec("b").slider
    assert slider is not None
    assert found.b**2 == pytest.approx(200.0, abs=CLOSE * slider[1] ** 2)  # type: ignore[attr-defined]


def test_that_of_two_places_the_one_near_the_present_value_is_taken(log: QueryLog) -> None:
    slider = METHODS["safelog"].params.spec("b").slider
    assert slider is not None
    middle = (slider[0] * slider[1]) ** 0.5
    method = fake(lambda b: abs(b - middle))
    params = METHODS["safelog"].params().replace(b=0.9 * slider[1])
    found = solve_parameter(method, params, "b", "v", middle / 4, log, 1.0, silent_progress())  # type: ignore[arg-type]
    assert found.b == pytest.approx(1.25 * middle, rel=0.05)  # type: ignore[attr-defined]


def test_that_what_no_value_reaches_is_refused_with_what_can_be(log: QueryLog) -> None:
    method = METHODS["frequency-threshold"]
    name = solvable_parameters(method.params)[0].name
    with pytest.raises(ParameterError, match="is between") as refusal:
        solve_parameter(
            method, method.params(), name, "expected.volume", 2.0, log, 1.0, silent_progress()
        )
    assert refusal.value.parameter == name
    assert "%" in str(refusal.value), "shares are told as they are shown"


def test_that_a_parameter_on_which_nothing_depends_is_said_to_be_one(log: QueryLog) -> None:
    method = METHODS["safelog"]
    params = method.params().replace(clicks=False, transitions=False)
    with pytest.raises(ParameterError, match=r"The metric is [^ ]+ whatever .* Choose another"):
        solve_parameter(method, params, "c_f", "expected.queries", 1e6, log, 1.0, silent_progress())


def test_that_a_figure_which_is_not_expected_is_refused(log: QueryLog) -> None:
    method = METHODS["frequency-threshold"]
    name = solvable_parameters(method.params)[0].name
    with pytest.raises(MissingInput, match="says nothing"):
        solve_parameter(method, method.params(), name, "nothing", 0.5, log, 1.0, silent_progress())


def test_that_the_search_hears_a_cancel(log: QueryLog) -> None:
    stop = threading.Event()
    stop.set()
    method = METHODS["frequency-threshold"]
    name = solvable_parameters(method.params)[0].name
    with pytest.raises(Cancelled):
        solve_parameter(
            method, method.params(), name, "expected.volume", 0.5, log, 1.0,
            Progress(cancelled=stop),
        )  # fmt: skip
