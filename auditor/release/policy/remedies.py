"""What a failed check on released content can be helped with: strings that are suppressed.

A check on what can be read in a release (`SURVIVING` of the worst attack, or of the one that looks
for content) fails because marked strings stand in it. A method that releases tables can leave them
out by their text alone, which costs no ε (`methods.suppression`); so the answer to such a check is
a setting, and a new run.
"""

from __future__ import annotations

from collections.abc import Iterable

from auditor.attacks.detection.kinds import PII
from auditor.attacks.registry import ATTACKS
from auditor.attacks.risk import reasons as why
from auditor.log.sentences import sentence
from auditor.messages import DisplayText, as_phrase
from auditor.methods.suppression import (
    IDENTIFIERS,
    LEVELS,
    NAMES,
    NOTHING,
    PARAMETER,
    suppression_level,
)
from auditor.params import Params
from auditor.release.policy.policy import SURVIVING, WORST, Gate, Policy
from auditor.release.record import GateVerdict

_OF_IDENTIFIERS = frozenset(
    label for bit, label in enumerate(why.LABELS) if why.reason_mask(*PII, why.CLICKED) >> bit & 1
)
"""Reasons that an identifier in a query or a clicked address gives."""


def is_on_content(gate: Gate) -> bool:
    """Whether a gate limits how many flagged sessions can be read in a release."""
    scope, _, figure = gate.figure.partition(".")
    name, _, figure = figure.partition(".")
    if (scope, figure) != ("attack", SURVIVING) or gate.most is None or gate.least is not None:
        return False
    return name == WORST or (name in ATTACKS and ATTACKS[name].reads == "strings")


def wanted_suppression(policy: Policy) -> str:
    """What has to be left out of tables for the policy's checks on what can be read to pass."""
    return find_level(filter(is_on_content, policy.checks))


def find_level(gates: Iterable[Gate]) -> str:
    """What has to be left out for these gates; identifiers alone where that is enough."""
    wanted = NOTHING
    for gate in gates:
        if not gate.reasons or not set(gate.reasons) <= _OF_IDENTIFIERS:
            return NAMES
        wanted = IDENTIFIERS
    return wanted


def find_suppression(failed: Iterable[GateVerdict], params: Params) -> str:
    """The level to which a setting's failed checks on content point; empty where it is no help.

    It is none where the method has no such parameter, or suppresses as much already.
    """
    gates = [one.gate for one in failed if one.verdict == "failed" and is_on_content(one.gate)]
    if PARAMETER not in {spec.name for spec in params.specs()}:
        return ""
    wanted = find_level(gates)
    more = LEVELS.index(wanted) > LEVELS.index(suppression_level(params))
    return wanted if more else ""


def describe_suppression(level: str) -> DisplayText:
    """What to set, and what that costs."""
    return sentence(
        "policy.suppress",
        level=as_phrase("identifiers and names" if level == NAMES else "identifiers"),
    )
