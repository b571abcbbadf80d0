"""What of a policy can be held against a setting before anything runs: limits on ε, δ and k."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable
from dataclasses import dataclass

from auditor.attacks.registry import ATTACKS
from auditor.measures.registry import MEASURES
from auditor.methods.selected_statement import selection_cost
from auditor.privacy.selection import ParameterSelection
from auditor.privacy.statement import Statement
from auditor.release import gates
from auditor.release.policy.policy import SURVIVING, WORST, Policy

USUAL_EPSILON = 10.0
"""The largest ε that is looked at where a policy limits none."""
USUAL_DELTA_USERS = 0.1
_JUST_BELOW = 1 - 1e-9


@dataclass(frozen=True)
class PolicyLimits:
    """The largest ε and δ of a release, the least groups, and what has to be left.

    `epsilon` and `delta` are what the release itself may claim, a choice of parameters taken off.
    """

    epsilon: float
    delta: float
    k: int
    queries: float
    share: float
    users: int

    @classmethod
    def of(cls, policy: Policy, users: int, selection_epsilon: float = 0.0) -> PolicyLimits:
        """The limits that a policy sets for a log of so many users."""
        people = max(users, 1)
        epsilon = min([*_most(policy, "statement.epsilon", "ledger.epsilon"), math.inf])
        each = [*_most(policy, "statement.delta", "ledger.delta"), math.inf]
        of_all = [*_most(policy, "statement.delta_users", "ledger.delta_users")]
        delta = min([*each, *(most / people for most in of_all)])
        if not math.isfinite(delta):
            delta = USUAL_DELTA_USERS / people
        if not math.isfinite(epsilon):
            epsilon = USUAL_EPSILON
        return cls(
            epsilon=max(epsilon - selection_epsilon, 0.0) * _JUST_BELOW,
            delta=min(delta, 0.1) * _JUST_BELOW,
            k=max([2, *(math.ceil(k) for k in _least(policy, "statement.measured.k"))]),
            queries=max([0.0, *_least(policy, "release.queries")]),
            share=max([0.0, *_least(policy, "release.searches_share")]),
            users=people,
        )

    def at(self, epsilon: float) -> PolicyLimits:
        """The same with another ε."""
        return dataclasses.replace(self, epsilon=epsilon)

    def of_users(self, users: int) -> PolicyLimits:
        """The same for a log of another size: what δ times users may be stays as it is."""
        return dataclasses.replace(self, users=users, delta=self.delta * self.users / users)


def extra_cost(statement: Statement, selection: ParameterSelection | None) -> float:
    """What a choice adds to the ε of a statement."""
    return 0.0 if selection is None else selection_cost(statement, selection)


def needed_attacks(policy: Policy) -> tuple[str, ...] | None:
    """The attacks whose figures a policy asks for; None where it asks for the worst of all."""
    found = set(policy.requires)
    for gate in policy.gates:
        scope, _, rest = gate.figure.partition(".")
        if scope != "attack":
            continue
        name, _, figure = rest.partition(".")
        if name == WORST:
            if figure != SURVIVING:
                return None
            found |= set(gates.CONTENT_ATTACKS)
        else:
            found.add(name)
    return tuple(name for name in ATTACKS if name in found)


def needed_measures(policy: Policy, goal: Iterable[str]) -> tuple[str, ...]:
    """The measures whose figures a policy or a goal asks for."""
    found = set(goal)
    for gate in policy.gates:
        scope, _, rest = gate.figure.partition(".")
        if scope == "measure":
            found.add(rest.partition(".")[0])
    return tuple(name for name in MEASURES if name in found)


def _most(policy: Policy, *figures: str) -> list[float]:
    return [g.most for g in policy.checks if g.figure in figures and g.most is not None]


def _least(policy: Policy, *figures: str) -> list[float]:
    return [g.least for g in policy.checks if g.figure in figures and g.least is not None]
