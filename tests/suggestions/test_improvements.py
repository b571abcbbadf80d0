"""Advice is a search of one step: what it offers passes the policy, and brings what it says."""

import dataclasses
from typing import Any, Self

import pytest

from auditor.engine.plan import Intent, Plan, resolve_intent
from auditor.figures import MetricValue
from auditor.gui.protect.page import cause_of
from auditor.log.synthetic.generator import synthesize_log
from auditor.methods.registry import METHODS
from auditor.progress import silent_progress
from auditor.release.gates import judge_record
from auditor.release.policy.policy import Policy
from auditor.release.record import ReleaseRecord
from auditor.release.verdict import expected_verdict
from auditor.suggestions.improvements import Improvement, find_improvements
from tests.narrowing import present
from tests.suggestions.searches import parse_gates

POLICY = parse_gates("epsilon statement.epsilon most=10", "queries release.queries least=3")
LOG = synthesize_log(400, days=10, seed=5).log


def make_plan(method: str, **values: Any) -> Plan:
    params = METHODS[method].params(**values)
    intent = Intent(method=method, values=((method, params),), attacks=(), measures=())
    return resolve_intent(intent, LOG)


def advise(plan: Plan, policy: Policy, earlier: Any = None) -> tuple[Improvement, ...]:
    return find_improvements(plan, LOG, LOG, 1.0, policy, silent_progress(), earlier)


HELPED = [
    ("safelog", {"b": 0.5, "q_f": 2, "b_c": 1.0, "c_f": 1, "b_t": 1.0, "delta": 1e-3}),
    ("partition-selection", {"epsilon": 4.0, "delta": 1e-3, "q_f": 3}),
]
HOPELESS = [
    ("zealous", {"epsilon": 0.01, "m": 5, "delta": 1e-5}),  # one step away, too, nothing is left
    ("zealous", {"epsilon": 40.0, "m": 5, "delta": 1e-4}),  # half of it is above the policy's ε
    ("safelog", {"b": 100.0, "q_f": 5, "delta": 1e-4}),
]


@pytest.mark.parametrize(("method", "values"), HELPED)
def test_that_what_is_offered_passes_and_is_better(method: str, values: dict[str, Any]) -> None:
    plan = make_plan(method, **values)

    def judge(plan: Plan) -> Any:
        outlook = present(plan.what.outlook)
        forecast = outlook(LOG, plan.params, scale=1.0, progress=silent_progress())
        record = ReleaseRecord.of_outlook(forecast, LOG, plan.what)
        return expected_verdict(judge_record(record, POLICY))

    before = judge(plan)
    offered = advise(plan, POLICY)
    assert offered
    for offer in offered:
        after = judge(dataclasses.replace(plan, params=plan.params.replace(**offer.values)))
        assert not after.failed
        assert after.kept.queries == offer.kept[1] >= 3
        assert after.guarantee.epsilon == pytest.approx(offer.epsilon[1])
        assert offer.epsilon[1] <= 10
        gains = after.kept.queries > before.kept.queries, offer.epsilon[1] < offer.epsilon[0]
        assert before.failed if offer.kind == "passes" else any(gains)


@pytest.mark.parametrize(("method", "values"), HOPELESS)
def test_that_nothing_is_offered_that_the_policy_would_refuse(
    method: str, values: dict[str, Any]
) -> None:
    assert advise(make_plan(method, **values), POLICY) == ()


class SpentBefore:
    """Earlier releases of the log, of ε = 7 together."""

    def add_release(self, record: ReleaseRecord) -> Self:
        self.epsilon = 7.0 + (record.statement.epsilon or 0.0)
        return self

    def find_figure(self, name: str, users: int, unit: str = "") -> tuple[float, str]:
        del users
        return {"epsilon": self.epsilon}[name], ""


def test_that_nothing_is_offered_beyond_what_earlier_releases_leave() -> None:
    policy = parse_gates("epsilon ledger.epsilon most=10", "queries release.queries least=3")
    plan = make_plan("partition-selection", **HELPED[1][1])
    assert any(offer.epsilon[1] > 3 for offer in advise(plan, policy))
    assert all(offer.epsilon[1] <= 3 for offer in advise(plan, policy, SpentBefore()))


def make_losses(bounding: float, threshold: float) -> list[MetricValue]:
    values = {"error.bounding": bounding, "error.threshold": threshold}
    return [MetricValue(name, name, value, help="") for name, value in values.items()]


def test_that_the_cause_is_what_takes_most_of_what_reaches_it() -> None:
    assert "threshold" in cause_of(make_losses(0.6, 0.4))  # it lets nothing pass
    assert "100" in cause_of(make_losses(0.6, 0.4))
    assert "60" in cause_of(make_losses(0.6, 0.1))
    assert "limit on what each user" in cause_of(make_losses(0.6, 0.1))
    assert cause_of([]) == ""
