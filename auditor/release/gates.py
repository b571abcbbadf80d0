"""Whether a run meets a policy: each gate with its figure, its verdict and the evidence.

A gate passes where its figure is within its limits, and where the figure does not apply to this
release, which is said. It fails where the figure is beyond them, and where it could have been
measured and was not: what nobody looked at is not known to be harmless.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from auditor.attacks.base import AttackResult, Evidence
from auditor.attacks.registry import ATTACKS
from auditor.engine.events import RunResult
from auditor.log.model import QueryLog
from auditor.measures.registry import MEASURES
from auditor.privacy.release import Anonymized
from auditor.progress import Progress
from auditor.release.policy import SURVIVING, Gate, Policy

Verdict = Literal["passed", "failed", "not measured", "does not apply"]


@dataclass(frozen=True)
class Judged:
    """One gate of one run; `value` is None where there is no figure."""

    gate: Gate
    verdict: Verdict
    value: float | None
    evidence: str

    @property
    def ok(self) -> bool:
        """Whether it stands in nobody's way."""
        return self.verdict in ("passed", "does not apply")

    def to_dict(self) -> dict[str, Any]:
        """Plain values for the manifest."""
        plain: dict[str, Any] = {
            "name": self.gate.name,
            "title": self.gate.title,
            "figure": self.gate.figure,
            "wanted": self.gate.wanted,
            "verdict": self.verdict,
            "evidence": self.evidence,
        }
        if self.value is not None:
            plain["value"] = self.value
        return plain


def judge(result: RunResult, log: QueryLog, policy: Policy) -> tuple[Judged, ...]:
    """Every gate of the policy, in its order; O(findings) for gates on flagged sessions."""
    return tuple(_judged(gate, result, log) for gate in policy.gates)


def facts(policy: Policy, judged: Sequence[Judged]) -> dict[str, Any]:
    """What the manifest says of the gates."""
    return {
        "policy": policy.name,
        "sha256": policy.sha256,
        "note": policy.note,
        "passed": all(one.ok for one in judged),
        "results": [one.to_dict() for one in judged],
    }


def text(judged: Iterable[Judged]) -> str:
    """A line a gate, for people."""
    signs: Mapping[Verdict, str] = {"passed": "✓", "does not apply": "–"}
    return "\n".join(
        f"{signs.get(one.verdict, '✗')} {one.gate.title}: {one.evidence}" for one in judged
    )


def _judged(gate: Gate, result: RunResult, log: QueryLog) -> Judged:
    scope, _, rest = gate.figure.partition(".")
    if scope == "statement":
        value, why = _of_statement(rest, result, log)
    elif scope == "attack":
        value, why = _of_attack(gate, result, log)
    else:
        value, why = _of_measure(gate, result)
    if value is None:
        missing = why.startswith(_MISSING)
        return Judged(gate, "not measured" if missing else "does not apply", None, why)
    verdict: Verdict = "passed" if gate.admits(value) else "failed"
    return Judged(gate, verdict, value, f"{_said(value)}, wanted {gate.wanted}{why}")


_MISSING = "was not measured"


def _of_statement(name: str, result: RunResult, log: QueryLog) -> tuple[float | None, str]:
    statement = result.release.statement
    if name.startswith("measured."):
        value = statement.measured.get(name.removeprefix("measured."))
        return value, "" if value is not None else "the statement has no such figure"
    epsilon, delta = statement.epsilon, statement.delta
    nothing = "the method claims none"
    match name:
        case "epsilon":
            return epsilon, nothing if epsilon is None else ""
        case "delta":
            return delta, nothing if delta is None else ""
        case "delta_users":
            if delta is None:
                return None, nothing
            users = len(log.users)
            return delta * users, f"; δ = {_said(delta)} times {users:,} users"
        case "formal":
            return float(statement.model != "none"), f"; the model is: {statement.model}"
    wanted = {"failing": "fails", "unknown": "unknown"}[name]
    found = [a.name for a in statement.assumptions if a.status == wanted]
    return float(len(found)), ": " + "; ".join(found) if found else ""


def _of_attack(gate: Gate, result: RunResult, log: QueryLog) -> tuple[float | None, str]:
    _, name, figure = gate.figure.split(".", 2)
    made = next((attack for attack in result.attacks if attack.attack == name), None)
    if made is None:
        return None, result.skipped.get(name) or _why_missing(name, result, log)
    if figure == SURVIVING:
        return _surviving(gate, made)
    if figure == "control" and made.control is None:
        return None, "the attack has no control group"
    value = _figures(made).get(figure)
    return value, _more(made, figure) if value is not None else f"{_MISSING} by {name}"


def _of_measure(gate: Gate, result: RunResult) -> tuple[float | None, str]:
    _, name, figure = gate.figure.split(".", 2)
    made = next((measure for measure in result.measures if measure.measure == name), None)
    if made is None:
        why = result.skipped.get(name) or MEASURES[name].why_not(result.release)
        return None, why or f"{_MISSING}: run the measure {name}"
    values = {key: float(v) for key, v in made.details.items() if _is_number(v)}
    values |= {value.name: value.value for value in made.values}
    found = values.get(figure)
    return found, "" if found is not None else f"{_MISSING} by {name}"


def _why_missing(name: str, result: RunResult, log: QueryLog) -> str:
    """Why an attack that was not run doesn't apply; that it was not measured, if it would."""
    attack = ATTACKS[name]
    release = result.release
    # With all that an attacker could have at hand, does it still not apply?
    most = Evidence(log=log, release=release, reference=log, profiles=Path(), rerun=_never)
    if why := attack.why_not(most):
        return why
    needs = attack.why_not(Evidence(log=log, release=release))
    return f"{_MISSING}: the attack {name} {needs or 'was not run'}"


def _never(log: QueryLog, number: int, progress: Progress) -> Anonymized:
    del log, number, progress
    raise AssertionError("only asked whether an attack would apply")


def _surviving(gate: Gate, made: AttackResult) -> tuple[float | None, str]:
    found = made.findings
    if found is None:
        return None, f"{_MISSING}: {made.attack} flagged no sessions"
    counted = found.surviving > 0
    if gate.reasons:
        bits = sum(1 << b for b, reason in enumerate(found.reasons) if reason in gate.reasons)
        counted &= (found.reason & np.uint64(bits)) != 0
    return float(np.count_nonzero(counted)), "; flagged sessions of which something survives"


def _figures(made: AttackResult) -> dict[str, float]:
    found = {key: float(value) for key, value in made.details.items() if _is_number(value)}
    found |= {value.name: value.value for value in made.values}
    found |= {"rate": made.rate, "lead": made.rate - made.baseline}
    return found | ({"control": made.control} if made.control is not None else {})


def _more(made: AttackResult, figure: str) -> str:
    if isinstance(made.details.get(figure), bool) and made.notes:
        return f"; {made.notes[0]}"  # a yes or no says little by itself
    if figure != "rate":
        return ""
    low, high = made.interval
    return f"; 95 % interval {_said(low)} to {_said(high)}, guessing {_said(made.baseline)}"


def _is_number(value: Any) -> bool:
    return isinstance(value, bool | int | float)


def _said(value: float) -> str:
    return "infinite" if math.isinf(value) else f"{value:.4g}"
