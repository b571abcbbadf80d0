"""What of a policy can be held against a setting before anything runs: limits on ε, δ and k.

What earlier releases of the log have spent, as the ledger of approvals has it, is taken off what a
policy allows for all of them together. Of methods whose users are exchanged (ZEALOUS) a sum with
others counts those others twice, as `release.ledger.totals` explains.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from auditor.attacks.registry import ATTACKS, find_counters, list_content_attacks
from auditor.errors import AuditorError, Cancelled
from auditor.log.model import QueryLog
from auditor.log.sentences import sentence
from auditor.measures.registry import MEASURES
from auditor.messages import DisplayText
from auditor.methods.registry import METHODS
from auditor.methods.statements import EXCHANGED, NEIGHBOURS, UNIT
from auditor.methods.suppression import NOTHING
from auditor.privacy.public_size import round_up_users
from auditor.progress import Progress
from auditor.release import signing
from auditor.release.gates import find_level, is_on_content
from auditor.release.ledger import history as ledger_history
from auditor.release.ledger import store
from auditor.release.ledger.history import LedgerHistory
from auditor.release.ledger.totals import LedgerTotal, sum_beside
from auditor.release.manifest import keyed_digest
from auditor.release.policy.policy import SURVIVING, WORST, Gate, Policy
from auditor.release.record import ReleaseRecord


@dataclass(frozen=True)
class EarlierReleases:
    """The releases of a log so far, or a text that says why they aren't known."""

    history: LedgerHistory | str

    def add_release(self, record: ReleaseRecord) -> LedgerTotal | str:
        """What all releases add up to with one more."""
        return self.history if isinstance(self.history, str) else self.history.add_release(record)

    def compute_remaining(
        self, epsilon: float, delta: float, *, exchanged: bool
    ) -> tuple[float, float]:
        """What is left of an ε and a δ for all releases together; nothing if they don't add up."""
        if isinstance(self.history, str):
            return 0.0, 0.0
        before = self.history.before
        if not before.sums:
            return epsilon, delta
        spent_sum = sum_beside(before.releases, UNIT, EXCHANGED if exchanged else NEIGHBOURS)
        if spent_sum is None:
            return 0.0, 0.0
        spent, steps = spent_sum
        left, left_delta = max(epsilon - spent.epsilon, 0.0), max(delta - spent.delta, 0.0)
        if steps == 1:
            return left, left_delta
        # Somebody who is exchanged goes, and another comes: (2ε, (1 + e^ε)δ).
        return left / 2, left_delta / (1 + math.exp(min(left / 2, 700)))

    @property
    def key(self) -> tuple[float, float, int]:
        """What makes a search another one: ε and δ that were spent, and by how many releases."""
        if isinstance(self.history, str):
            return math.inf, 1.0, 0
        common = self.history.before.common_sum
        count = len(self.history.releases)
        return (0.0, 0.0, count) if common is None else (common.epsilon, common.delta, count)

    def list_sentences(self, epsilon_limit: float | None) -> tuple[DisplayText, ...]:
        """What was released before, and what is left of `epsilon_limit`, the ε of all together."""
        if isinstance(self.history, str):
            return (sentence("suggestions.earlier_unknown", why=self.history),)
        sentences = ledger_history.format_history(self.history)
        if epsilon_limit is not None and self.history.before.sums:
            remaining_epsilon, _ = self.compute_remaining(epsilon_limit, 1.0, exchanged=False)
            left = sentence("suggestions.epsilon_left", most=epsilon_limit, rest=remaining_epsilon)
            sentences.append(left)
        return tuple(sentences)


def read_earlier(log: QueryLog, path: Path, progress: Progress) -> EarlierReleases | None:
    """The releases of this log, and of logs that share events with it; None if there are none."""
    try:
        state = store.read_ledger(path)
        state.raise_problems()
        if not state.approved:
            return None
        secret = signing.audit_secret(signing.audit_key())
        sketch = ledger_history.sketch_log(log, secret, progress)
        keyed = keyed_digest(log.digest, secret)
        history = ledger_history.ledger_history(state, log.digest, sketch=sketch, keyed=keyed)
    except Cancelled:
        raise
    except AuditorError as error:
        return EarlierReleases(str(error))
    return EarlierReleases(history) if history.releases or history.perhaps else None


USUAL_EPSILON = 10.0
"""The largest ε that is looked at where a policy limits none."""
USUAL_DELTA_USERS = 0.1
_JUST_BELOW = 1 - 1e-9


@dataclass(frozen=True)
class PolicyLimits:
    """The largest ε and δ of a release, the least groups, and what has to be left.

    `epsilon` and `delta` are what the release itself may claim, after a choice of parameters and
    earlier releases of the log; of `queries` one has to be left at least. `exchanged` is ε and δ of
    methods that protect a user against being exchanged, where they differ.
    """

    epsilon: float
    delta: float
    k: int
    queries: float
    share: float
    users: int
    exchanged: tuple[float, float] | None = None
    suppress: str = NOTHING
    """What settings leave out afterwards, so that checks on what can be read pass."""

    @classmethod
    def of(
        cls,
        policy: Policy,
        users: int,
        selection_epsilon: float = 0.0,
        earlier: EarlierReleases | None = None,
    ) -> PolicyLimits:
        """The limits that a policy sets, which depend on the public size of a log alone."""
        people = round_up_users(users)

        def compute_remaining(*, exchanged: bool) -> tuple[float, float]:
            epsilon, delta = _find_limit(policy, "statement", people)
            total = _find_limit(policy, "ledger", people)
            if earlier is not None:
                total = earlier.compute_remaining(*total, exchanged=exchanged)
            epsilon, delta = min(epsilon, total[0]), min(delta, total[1])
            if not math.isfinite(delta):
                delta = USUAL_DELTA_USERS / people
            if not math.isfinite(epsilon):
                epsilon = USUAL_EPSILON
            # ZEALOUS's ε is of an exchange, in which a choice of parameters counts twice.
            spent = selection_epsilon * (2.0 if exchanged else 1.0)
            return max(epsilon - spent, 0.0) * _JUST_BELOW, min(delta, 0.1) * _JUST_BELOW

        epsilon, delta = compute_remaining(exchanged=False)
        other = compute_remaining(exchanged=True)
        return cls(
            epsilon=epsilon,
            delta=delta,
            k=max([2, *(math.ceil(k) for k in _list_lower_limits(policy, "statement.measured.k"))]),
            queries=max([1.0, *_list_lower_limits(policy, "release.queries")]),
            share=max([0.0, *_list_lower_limits(policy, "release.searches_share")]),
            users=people,
            exchanged=None if other == (epsilon, delta) else other,
            suppress=find_level(filter(is_on_content, policy.checks)),
        )

    def with_epsilon(self, epsilon: float) -> PolicyLimits:
        """The same with another ε, for methods of either kind."""
        part = epsilon / max(self.epsilon, 1e-12)
        other = self.exchanged and (self.exchanged[0] * part, self.exchanged[1])
        return dataclasses.replace(self, epsilon=epsilon, exchanged=other)

    def of_delta(self, share: float) -> PolicyLimits:
        """The same with a part of the δ, for methods of either kind."""
        other = self.exchanged and (self.exchanged[0], self.exchanged[1] * share)
        return dataclasses.replace(self, delta=self.delta * share, exchanged=other)

    def of_users(self, users: int) -> PolicyLimits:
        """The same for a log of another size: what δ times users may be stays as it is."""
        return dataclasses.replace(self.of_delta(self.users / users), users=users)

    def of_method(self, method: str) -> PolicyLimits:
        """The limits that count for a method."""
        if self.exchanged is None or not METHODS[method].exchanges:
            return self
        epsilon, delta = self.exchanged
        return dataclasses.replace(self, epsilon=epsilon, delta=delta, exchanged=None)


def needed_attacks(gates: Iterable[Gate], required: Iterable[str] = ()) -> tuple[str, ...] | None:
    """The attacks whose figures gates ask for; None where one asks for the worst of all."""
    gates = list(gates)
    attacks_by_gate = [attacks_of(gate) for gate in gates]
    if None in attacks_by_gate:
        return None
    numbers = [gate.figure.removeprefix("statement.measured.") for gate in gates]
    counters = (name for number in numbers for name in find_counters(number))
    names = {*required, *counters, *(name for attacks in attacks_by_gate for name in attacks or ())}
    return tuple(name for name in ATTACKS if name in names)


def attacks_of(gate: Gate) -> tuple[str, ...] | None:
    """The attacks whose figures decide a gate; None where it is the worst of all attacks."""
    scope, _, scoped_name = gate.figure.partition(".")
    name, _, figure = scoped_name.partition(".")
    if scope != "attack":
        return ()
    if name != WORST:
        return (name,)
    return list_content_attacks() if figure == SURVIVING else None


def needed_measures(gates: Iterable[Gate], goal: Iterable[str] = ()) -> tuple[str, ...]:
    """The measures whose figures gates or a goal ask for."""
    figures = [gate.figure.split(".") for gate in gates]
    names = {*goal, *(parts[1] for parts in figures if parts[0] == "measure")}
    return tuple(name for name in MEASURES if name in names)


def _find_limit(policy: Policy, scope: str, people: int) -> tuple[float, float]:
    """The largest ε and δ of one release ("statement") or of all together ("ledger")."""
    powers = {f"{scope}.delta{name}": n for n, name in enumerate(("", "_users", "_users_squared"))}
    epsilon = delta = math.inf
    for gate in policy.checks:
        if gate.most is not None and gate.figure == f"{scope}.epsilon":
            epsilon = min(epsilon, gate.most)
        if gate.most is not None and gate.figure in powers:
            delta = min(delta, gate.most / people ** powers[gate.figure])
    return epsilon, delta


def _list_lower_limits(policy: Policy, figure: str) -> list[float]:
    return [g.least for g in policy.checks if g.figure == figure and g.least is not None]
