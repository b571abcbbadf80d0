"""Every scenario is a pair of neighbours in the unit that the method protects."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import numpy as np
import pytest

from auditor.attacks.dp_audit import neighbouring_logs as logs
from auditor.attacks.dp_audit import trials
from auditor.attacks.dp_audit.neighbouring_logs import Scenario, ScenarioConfig
from auditor.methods.faults import REQUIRED_KINDS
from auditor.methods.noisy_counts.period_units import HISTORY, USUAL, period_of
from auditor.methods.registry import METHODS
from auditor.params import Params
from tests.tables import belief

PRIVATE = sorted({case.method for case in belief.CASES})
UNITS = [HISTORY, *USUAL]


def params_of(method: str, unit: str, **values: int) -> Params:
    cls = METHODS[method].params
    fields = {field.name for field in dataclasses.fields(cls)}
    options = {"protected_unit": unit, **values}  # what always protects a day has no such choice
    return cls().replace(**{name: value for name, value in options.items() if name in fields})


def list_all(params: Params, *, exchange: bool) -> Iterator[Scenario]:
    limits = trials.limits_of(params.to_dict())
    limits["tau"] = max(limits["tau"], 3)
    setting = ScenarioConfig(
        **limits, exchange=exchange, popular=8, edge=5, has_clicks=True, has_transitions=True,
        words=3,
    )  # fmt: skip
    for list_group in (logs.list_scenarios, logs.list_excessive, logs.list_lone_users):
        yield from list_group(setting, "t")


@pytest.mark.parametrize("exchange", [False, True])
@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("method", PRIVATE)
@pytest.mark.parametrize("limit", [1, 200])
def test_that_neighbours_differ_by_one_unit(
    method: str, unit: str, limit: int, exchange: bool
) -> None:
    params = params_of(method, unit, q_f=limit, m=limit, c_f=limit)
    scenarios = list(list_all(params, exchange=exchange))
    assert {"unseen-beyond", "repeated", "single"} <= {scenario.name for scenario in scenarios}
    for scenario in scenarios:
        rows = (*scenario.victim, *scenario.instead)
        users = {row[0] for row in rows}
        assert len(users) == 1, scenario.name
        assert not users & {row[0] for row in scenario.crowd}, scenario.name
        if unit in USUAL:
            periods = period_of(np.array([row[2] for row in rows], dtype=np.int64), unit)
            assert len(np.unique(periods)) == 1, scenario.name


def test_that_moments_of_one_day_ascend_whatever_their_number() -> None:
    for number in (1, 100, 5_000, 80_000):
        moments = np.array(logs.moments(number))
        assert len(np.unique(period_of(moments, "day"))) == 1
        assert (np.diff(moments) > 0).all()


def test_that_methods_with_epsilon_and_no_others_declare_what_may_be_wrong_in_them() -> None:
    assert sorted(name for name in METHODS if METHODS[name].faults) == PRIVATE
    for method in PRIVATE:
        faults = METHODS[method].faults
        assert set(REQUIRED_KINDS) <= {fault.kind for fault in faults}, method
        for fault in faults:
            METHODS[method].params(**fault.values)
