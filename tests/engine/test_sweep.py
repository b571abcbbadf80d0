"""Grids of settings: tied axes, equal data, plots, and rows as they come."""

import dataclasses
from typing import Any

import numpy as np
import pytest

import auditor
from auditor.attacks.base import Evidence
from auditor.engine.events import RunEvent
from auditor.engine.plan import Intent, resolve_intent
from auditor.engine.runner import RunHandle, execute_plan
from auditor.engine.sweep import (
    ParameterSweep,
    SweepAxis,
    SweepCell,
    draw_plots,
    equal_part,
    run_sweep,
)
from auditor.errors import Cancelled, ParameterError
from auditor.log.model import QueryLog
from auditor.measures import retrieval as measure
from auditor.measures.registry import MEASURES
from auditor.methods.registry import METHODS
from auditor.privacy.noise import PreviewRandomness

SAFELOG: Any = METHODS["safelog"].params


def log(users: int = 60) -> QueryLog:
    """User i asks i + 1 queries; every third is clicked."""
    user = np.repeat(np.arange(users), np.arange(users) + 1)
    place = np.arange(len(user))
    return QueryLog.from_columns(
        user=[f"u{x}" for x in user],
        query=[f"q{x % 7}" for x in place],
        time=place,
        url=[f"http://{x % 5}.example" if x % 3 == 0 else None for x in place],
    )


def sweep(*axes: str, **more: Any) -> ParameterSweep:
    base = SAFELOG(mode="published", counting_unit="events", K=3, b=2, tau=1)
    return ParameterSweep(
        method="safelog",
        base=base,
        axes=tuple(SweepAxis.parse(SAFELOG, axis) for axis in axes),
        **{"measures": ("volume",), **more},
    )


def threshold_sweep(**more: Any) -> ParameterSweep:
    params, axes = METHODS["frequency-threshold"].params(), (SweepAxis(("n",), (2,)),)
    return ParameterSweep(method="frequency-threshold", base=params, axes=axes, **more)


def nobody(event: RunEvent) -> None:
    """Hears nothing."""


def rows_of(grid: ParameterSweep) -> list[SweepCell]:
    return list(run_sweep(grid, log(), RunHandle(1), nobody))


def test_that_tied_parameters_take_each_value_together() -> None:
    cells = sweep("K=1,2", "q_f=c_f=10,50").list_cells()
    assert cells == [{"K": k, "q_f": q, "c_f": q} for k in (1, 2) for q in (10, 50)]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("q_f=1..3", (1, 2, 3)),
        ("q_f=10..50:20,7", (10, 30, 50, 7)),
        ("b=0.1..0.3:0.1", (0.1, 0.2, 0.3)),
    ],
)
def test_that_an_axis_may_be_a_range(text: str, values: tuple[float, ...]) -> None:
    assert SweepAxis.parse(SAFELOG, text).values == values


BAD_AXES = ["K", "K=", "=3", "nothing=3", "K=x", "q_f=c_f=0"]
BAD_AXES += ["q_f=3..1", "q_f=1..9:0", "q_f=1..99999999", "q_f=1..e:1"]


@pytest.mark.parametrize("text", BAD_AXES)
def test_that_a_bad_axis_is_refused(text: str) -> None:
    with pytest.raises(ParameterError):
        SweepAxis.parse(SAFELOG, text)


def test_that_a_grid_too_large_or_with_one_parameter_twice_is_refused_before_it_is_made() -> None:
    hundred, thousands = ",".join(map(str, range(1, 101))), ",".join(map(str, range(1, 3001)))
    assert sweep(f"K={hundred}", f"q_f={hundred}").cell_count == 10_000
    with pytest.raises(ParameterError, match="has 9,000,000 settings; at most 10,000 are run"):
        sweep(f"K={thousands}", f"q_f={thousands}")
    with pytest.raises(ParameterError, match="at most 10,000"):
        auditor.sweep(log(2), "safelog", {"K": range(1, 10**12)})
    with pytest.raises(ParameterError, match="K stands in the grid more than once"):
        sweep("K=1,2", "K=3,4")


def test_that_equal_data_means_as_many_rows_within_the_limits() -> None:
    cells = rows_of(sweep("q_f=c_f=2,10,40", equal=True))
    users = [cell.row["users"] for cell in cells]
    used = [cell.row["rows_used"] for cell in cells]
    assert users[0] == 60 > users[1] > users[2]
    assert used[0] == min(used)
    assert max(used) - min(used) < 2 * 40  # at most the last user drawn is too many
    again = equal_part(log(), SAFELOG(q_f=10, c_f=10), used[0], 0)
    assert len(again.users) == users[1]


def test_that_equal_data_needs_a_limit_per_user() -> None:
    with pytest.raises(ParameterError, match="q_f"):
        rows_of(threshold_sweep(equal=True))


def test_that_plots_have_a_line_for_each_setting_of_the_other_axes() -> None:
    grid = sweep("K=1,3", "b=1,2,4")
    cells = rows_of(grid)
    assert [cell.place for cell in cells] == [(k, b) for k in (1, 3) for b in (1.0, 2.0, 4.0)]
    plots = {figure.name: figure for figure in draw_plots(grid, cells)}
    epsilon = plots["epsilon"]
    assert [line.name for line in epsilon.series] == ["K = 1", "K = 3"]
    assert epsilon.x.label == "Noise scale of the selection (b)"
    assert epsilon.x.scale == "log"
    assert epsilon.series[0].x.tolist() == [1, 2, 4]
    assert epsilon.series[1].y.tolist() == [cell.row["epsilon"] for cell in cells[3:]]


@pytest.mark.parametrize(
    ("axis", "categories"),
    [("mode=published,strict", ("published", "strict")), ("K=none,5", ("None", "5"))],
)
def test_that_words_and_missing_values_become_categories(
    axis: str, categories: tuple[str, ...]
) -> None:
    grid = sweep(axis)
    assert draw_plots(grid, rows_of(grid))[0].x.categories == categories


def test_that_a_cancelled_sweep_keeps_the_cells_before() -> None:
    handle = RunHandle(1)
    cells = run_sweep(sweep("b=1,2,4"), log(), handle, nobody)
    assert next(cells).row["b"] == 1
    handle.cancel()
    with pytest.raises(Cancelled):
        next(cells)


def test_that_measures_are_tuned() -> None:
    params = MEASURES["retrieval"].params().replace(folds=2)
    grid = sweep("b=1,2", measures=("retrieval",), checks=(("retrieval", params),))
    row = rows_of(grid)[0].row
    assert "retrieval.coverage" in row
    assert row["retrieval.test_queries"] <= 2 * 7


def test_that_what_repeats_a_method_is_left_out_of_long_logs_unless_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:

    short = dataclasses.replace(measure.MEASURE, unasked=100)
    monkeypatch.setattr(measure, "MEASURE", short)
    few, many = log(5), log()
    unnamed = Intent(method="frequency-threshold", attacks=())
    named = dataclasses.replace(unnamed, measures=("retrieval",))
    assert "retrieval" in [step.name for step in resolve_intent(unnamed, few).measures]
    assert [step.name for step in resolve_intent(named, many).measures] == ["retrieval"]
    plan = resolve_intent(unnamed, many)
    assert "retrieval" not in [step.name for step in plan.measures]
    done = execute_plan(plan, Evidence(log=many), PreviewRandomness(1), RunHandle(1), nobody)
    assert "unless it is named" in done.skipped["retrieval"]


def test_that_the_columns_of_attacks_and_details_are_those_of_their_owners() -> None:
    """Two attacks may have figures of one name; in a row neither hides the other's."""
    attacks = ("record-linkage", "near-linkage")
    (cell,) = rows_of(threshold_sweep(attacks=attacks))
    names = {spec.name for spec in METHODS["frequency-threshold"].params.specs()}
    bare = {name for name in cell.row if "." not in name} - names
    assert bare <= {"epsilon", "delta", "seconds"}
    assert {f"{attack}.rate" for attack in attacks} <= set(cell.row)
