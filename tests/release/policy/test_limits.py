"""Limits that follow from a policy's table, and that no bundled policy contradicts itself."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

from auditor.attacks.detection.kinds import PII
from auditor.errors import ParameterError
from auditor.methods.registry import METHODS
from auditor.methods.statements import UNIT
from auditor.privacy.statement import Statement
from auditor.release.gates import judge_record
from auditor.release.policy.editing import PolicyDraft
from auditor.release.policy.policy import (
    Policy,
    bounded_advantage,
    bundled_text,
    parse_policy,
    read_bundled,
)
from auditor.release.record import AttackRecord, GateVerdict, ReleaseRecord
from auditor.suggestions.estimates import planted_chances
from tests.narrowing import present
from tests.release.policy.test_editing import with_limit

POLICIES = read_bundled()
N_MINUS_ONE = "attack.planted-strings.n_minus_one"


def limit_of(policy: Policy, figure: str) -> float:
    return next(gate.most or gate.least or 0.0 for gate in policy.gates if gate.figure == figure)


CALCULATED = [
    name
    for name in METHODS
    if METHODS[name].law or METHODS[name].weight_law
    if "epsilon" in {spec.name for spec in METHODS[name].params.specs()}
]
"""Methods that take an ε and whose chances are known without a run."""


@pytest.mark.parametrize("name", POLICIES)
def test_that_limits_that_follow_are_those_of_the_table(name: str) -> None:
    policy = POLICIES[name]
    assert policy.unit == "history"
    epsilon = policy.limits.get("epsilon")
    for gate in policy.gates:
        limit = gate.least if gate.most is None else gate.most
        if gate.figure in ("statement.epsilon", "ledger.epsilon"):
            assert limit == epsilon
        if gate.figure in ("statement.delta_users", "ledger.delta_users"):
            assert limit == policy.limits["delta_users"]
        if gate.figure == N_MINUS_ONE:
            assert epsilon is not None
            assert limit == math.tanh(epsilon / 2)
        if gate.figure == "attack.attribute-inference.lead" and "k" in policy.limits:
            assert limit == 1 / policy.limits["k"]


@pytest.mark.parametrize("name", POLICIES)
def test_that_every_kind_of_identifier_fails(name: str) -> None:
    gate = next(gate for gate in POLICIES[name].gates if gate.name == "identifiers")
    assert set(gate.reasons) == {kind.label for kind in PII}


@pytest.mark.parametrize(
    "name", [name for name in POLICIES if POLICIES[name].limits.get("epsilon")]
)
@pytest.mark.parametrize("method", CALCULATED)
def test_that_what_a_method_shows_within_epsilon_is_no_second_gate(name: str, method: str) -> None:
    """The exact law of every method with ε, at the ε that the policy allows."""
    params = METHODS[method].params()
    epsilon, delta = POLICIES[name].limits["epsilon"], getattr(params, "delta", 0.0)
    chances = present(planted_chances(params.replace(epsilon=epsilon), np.arange(2_000.0)))
    advantage = float(np.diff(chances).max())
    assert 0 < advantage <= bounded_advantage(epsilon, delta)
    for verdict in judge(POLICIES[name], epsilon, advantage, delta=delta):
        assert verdict.verdict == "passed"


def judge(
    policy: Policy,
    epsilon: float | None,
    value: float | None,
    low: float | None = None,
    delta: float = 0.0,
) -> list[GateVerdict]:
    """The verdicts on what planted strings show, of a release with this ε or with none."""
    figures = {"n_minus_one_low": 0.0, "n_minus_one_high": 1.0}
    if value is not None:
        figures = {"n_minus_one": value}
    if value is not None and low is not None:
        figures |= {"n_minus_one_low": low, "n_minus_one_high": min(1.0, 2 * value - low)}
    statement = Statement("none", "", UNIT)
    if epsilon is not None:
        statement = Statement("differential privacy", "", UNIT, epsilon=epsilon, delta=delta)
    attacks = {"planted-strings": AttackRecord("planted-strings", figures=figures)}
    record = ReleaseRecord(statement, attacks=attacks)
    checks = judge_record(record, policy).judged
    return [check for check in checks if check.gate.figure == N_MINUS_ONE]


@pytest.mark.parametrize(
    ("epsilon", "value", "low", "verdict"),
    [
        (2.0, 0.759, 0.74, "passed"),  # tanh(1) = 0.762
        (2.0, 0.77, 0.75, "passed"),  # above it by what counting may be off
        (2.0, 0.9, 0.88, "failed"),  # more than ε = 2 allows: its claim is false
        (12.0, 1.0, 0.99, "failed"),  # beyond the policy's ε nothing is evidence
        (None, 1.0, 0.99, "failed"),  # a threshold without noise
        (None, 0.4, 0.3, "passed"),
    ],
)
def test_that_a_figure_within_the_stated_epsilon_is_evidence(
    epsilon: float | None, value: float, low: float, verdict: str
) -> None:
    (check,) = judge(POLICIES["default"], epsilon, value, low)
    assert check.verdict == verdict
    assert check.gate.requirement == "at most 99.991 %"
    if epsilon == 2:
        assert f"({100 * low:.3g} to " in check.evidence
        assert ("more than" in check.evidence) == (verdict == "failed")


@pytest.mark.parametrize(("epsilon", "verdict"), [(2.0, "passed"), (None, "not measured")])
def test_that_only_epsilon_bounds_what_no_number_of_accounts_showed(
    epsilon: float | None, verdict: str
) -> None:
    (check,) = judge(POLICIES["default"], epsilon, None)
    assert check.verdict == verdict


def test_that_another_limit_moves_all_that_follow_from_it_and_the_file_says_so() -> None:
    smaller = with_limit(PolicyDraft.of(bundled_text("default.toml")), "epsilon", "most", 2.0)
    text, same = smaller.format_text()
    assert same
    assert 'most = "advantage(epsilon)"' in text
    for policy in (smaller.build_policy(), parse_policy(text.encode())):
        assert policy.limits["epsilon"] == 2
        assert limit_of(policy, N_MINUS_ONE) == math.tanh(1)
        assert limit_of(policy, "ledger.epsilon") == 2
    policy = with_limit(smaller, "n-minus-one", "most", 0.5).build_policy()
    assert limit_of(policy, N_MINUS_ONE) == 0.5
    assert policy.limits["epsilon"] == 2
    anew = dataclasses.replace(smaller, source="").build_policy()
    assert anew.gates == smaller.build_policy().gates


@pytest.mark.parametrize("limit", ["omega", "advantage(omega)", "e(epsilon)", "epsilon)", ""])
def test_that_a_limit_from_which_nothing_follows_is_refused(limit: str) -> None:
    text = bundled_text("default.toml").replace('"advantage(epsilon)"', f'"{limit}"')
    with pytest.raises(ParameterError, match="n-minus-one"):
        parse_policy(text.encode())
