"""What helps a failed check on released content, and where nothing does."""

from __future__ import annotations

import dataclasses

import pytest

from auditor.methods.registry import METHODS
from auditor.methods.suppression import IDENTIFIERS, NAMES, NOTHING
from auditor.release.gates import (
    describe_suppression,
    find_suppression,
    is_on_content,
    wanted_suppression,
)
from auditor.release.policy.policy import Gate, default_policy
from auditor.release.record import GateVerdict

GATES = [gate for gate in default_policy().checks if is_on_content(gate)]


def failed(gate: Gate, verdict: str = "failed") -> GateVerdict:
    return GateVerdict(gate, verdict, 3.0, "3, wanted at most 0")  # type: ignore[arg-type]


def test_that_a_failed_check_on_content_points_at_what_it_needs() -> None:
    assert len(GATES) >= 2
    usual = METHODS["safelog"].params()
    assert find_suppression(map(failed, GATES), usual) == NAMES
    mails = dataclasses.replace(GATES[0], reasons=("e-mail address", "phone number"))
    assert find_suppression([failed(mails)], usual) == IDENTIFIERS
    # What is set already is no help, and neither is a method without the parameter.
    assert not find_suppression([failed(mails)], usual.replace(suppress=IDENTIFIERS))
    assert find_suppression([failed(GATES[0])], usual.replace(suppress=IDENTIFIERS)) == NAMES
    assert not find_suppression(map(failed, GATES), usual.replace(suppress=NAMES))
    assert not find_suppression(map(failed, GATES), METHODS["k-delta"].params())


@pytest.mark.parametrize(
    ("reason", "suppressed"),
    [("e-mail address", IDENTIFIERS), ("private person's name and an adult term", NAMES)],
)
def test_that_a_policy_says_what_has_to_be_suppressed(reason: str, suppressed: str) -> None:
    policy = default_policy()
    assert wanted_suppression(policy) == NAMES
    gate = dataclasses.replace(GATES[0], reasons=(reason,))
    assert wanted_suppression(dataclasses.replace(policy, gates=(gate,))) == suppressed
    assert wanted_suppression(dataclasses.replace(policy, gates=())) == NOTHING


def test_that_other_checks_point_at_nothing() -> None:
    usual = METHODS["safelog"].params()
    others = [gate for gate in default_policy().checks if gate not in GATES]
    assert not find_suppression(map(failed, others), usual)
    assert not find_suppression([failed(gate, "passed") for gate in GATES], usual)
    assert not find_suppression([], usual)


def test_that_the_sentence_says_what_it_costs() -> None:
    assert "“identifiers and names”" in describe_suppression(NAMES)
    assert "“identifiers”" in describe_suppression(IDENTIFIERS)
    assert "ε and δ stay" in describe_suppression(NAMES)
