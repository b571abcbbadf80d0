"""Why a suggestion stops where it does: the limits that bind, each in a sentence."""

from __future__ import annotations

import math

from auditor.methods.set_union.rounds import SetUnionParams
from auditor.methods.set_union.rounds import derive_noise as set_union_noise
from auditor.privacy import gaussian
from auditor.privacy.statement import Statement
from auditor.release.policy.policy import Gate, Policy
from auditor.release.verdict import ReleaseVerdict
from auditor.suggestions.candidates import SearchCandidate
from auditor.suggestions.estimates import threshold_of

_CLOSE = 0.98
"""Share of a limit from which on it binds."""


def explain_limits(
    candidate: SearchCandidate,
    statement: Statement,
    verdict: ReleaseVerdict,
    policy: Policy,
    users: int,
) -> tuple[str, ...]:
    """The binding limits of the policy, and what follows from them for the method."""
    found = [*_binding(statement, policy, users), *_threshold(candidate, users)]
    if not found and statement.epsilon is not None:
        found.append(f"ε {statement.epsilon:.3g} is below what the policy allows, by choice.")
    found += [_failing(one.gate, one.evidence) for one in verdict.failed]
    return tuple(found)


def _binding(statement: Statement, policy: Policy, users: int) -> list[str]:
    values = {
        "statement.epsilon": statement.epsilon,
        "ledger.epsilon": statement.epsilon,
        "statement.delta": statement.delta,
        "statement.delta_users": None if statement.delta is None else statement.delta * users,
    }
    symbols = {"statement.delta": "δ", "statement.delta_users": "δ times users"}
    found: dict[str, str] = {}
    for gate in policy.checks:
        value = values.get(gate.figure)
        if value is not None and gate.most is not None and value >= _CLOSE * gate.most:
            said = f"{symbols.get(gate.figure, 'ε')} ≤ {gate.most:g} binds."
            found.setdefault(said, said)
        if gate.figure == "statement.measured.k" and gate.least is not None:
            k = statement.measured.get("k", statement.measured.get("smallest_class", math.nan))
            if k <= gate.least / _CLOSE:
                found.setdefault("k", f"Groups of at least {gate.least:g} users bind.")
    return list(found)


def _threshold(candidate: SearchCandidate, users: int) -> list[str]:
    params = candidate.params
    if isinstance(params, SetUnionParams):
        least = set_union_noise(params).threshold[-1] / gaussian.GRID
        return [
            f"A query needs about {math.ceil(least):,} to "
            f"{math.ceil(least * math.sqrt(params.q_f)):,} users at this ε with {users:,} users, "
            f"and more queries of each user (q_f = {params.q_f:,}) would raise that by more than "
            "they bring."
        ]
    if (found := threshold_of(params)) is not None:
        name = "τ'" if candidate.method == "zealous" else "K"
        return [
            f"{name} can't fall below {found.least:,.0f} at this ε with {users:,} users, and more "
            f"queries of each user than {found.limit:,} would raise it by more than they bring."
        ]
    return []


def _failing(gate: Gate, evidence: str) -> str:
    return f"Fails: {gate.title} ({evidence})."
