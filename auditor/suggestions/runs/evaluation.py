"""A candidate run and judged by the policy: in full, or again and again where that may differ.

A full run draws its noise as a release does, makes every attack that the policy asks for, and is
taken from the store where it was made before. What stands near a limit may come out otherwise the
next time: then the gates in question alone are judged anew, with other draws of noise and attack.
"""

from __future__ import annotations

import dataclasses
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from auditor.attacks.base import Evidence
from auditor.attacks.registry import ATTACKS
from auditor.engine.events import Listener
from auditor.engine.plan import Intent, Plan, resolve_intent
from auditor.engine.run import Run
from auditor.engine.runner import RunHandle, execute_plan
from auditor.errors import AuditorError, Cancelled
from auditor.log.model import QueryLog
from auditor.measures.registry import MEASURES
from auditor.methods.noisy_counts.period_units import HISTORY
from auditor.params import Params
from auditor.privacy.noise import PreviewRandomness, SecureRandomness
from auditor.privacy.selection import ParameterSelection
from auditor.privacy.statement import Statement
from auditor.release import gates
from auditor.release.kept_content import KeptContent
from auditor.release.loading import statement_of
from auditor.release.policy.policy import Gate, Policy
from auditor.release.record import GateVerdict, ReleaseRecord
from auditor.release.verdict import ReleaseVerdict, expected_verdict, measured_verdict
from auditor.suggestions.earlier_releases import EarlierReleases
from auditor.suggestions.goals import SearchGoal, figures_of_record
from auditor.suggestions.limits import attacks_of, measures_of, needed_attacks, needed_measures
from auditor.suggestions.result import PassRate
from auditor.suggestions.store import SearchStore


@dataclass(frozen=True)
class JudgedRun:
    """A run's verdict, statement and utility."""

    verdict: ReleaseVerdict
    statement: Statement
    utility: float


NEAR = 0.25
"""How near to its limit, as a share of it, a gate's value is looked at again."""
REPEATS = 5
"""How often it is looked at again."""
SURE = 2.5
MISSES = 2_000
"""Of so many releases about one may fail what is calculated before a run, by bad luck.

Twenty releases of a suggestion then pass, all of them, in 99 of 100 cases.
"""
SAFE = 1 - 1 / MISSES
"""The least chance with which a setting that is to be run passes what can be calculated."""


class CandidateRunner:
    """Runs settings on one log with what a policy and a goal ask for, and remembers them.

    Noise comes from the secure sampler, as a release's does: a preview's would fail the policy.
    `learn` is called with every full run that was made.
    """

    def __init__(
        self,
        log: QueryLog,
        policy: Policy,
        goal: SearchGoal,
        store: SearchStore,
        handle: RunHandle,
        listener: Listener,
        earlier: EarlierReleases | None = None,
    ) -> None:
        self.log = log
        self._policy = policy
        self._goal = goal
        self._store = store
        self._handle = handle
        self._listener = listener
        self._earlier = earlier
        self.runs = 0
        self.reused = 0
        self.learn: Callable[[Run], None] = lambda _: None

    def make_plan(
        self, method: str, params: Params, selection: ParameterSelection | None = None
    ) -> Plan:
        """What a full run does: the attacks and measures that decide, and no others."""
        intent = Intent(
            method=method,
            values=((method, params),),
            attacks=needed_attacks(self._policy),
            measures=needed_measures(self._policy, self._goal.measures),
            selection=selection,
        )
        return resolve_intent(intent, self.log)

    def judge(
        self,
        method: str,
        params: Params,
        selection: ParameterSelection | None = None,
        *,
        again: bool = False,
    ) -> JudgedRun | None:
        """The verdict of a full run; None where the method refuses the setting.

        With `again` it is made anew where it was made before. Raises `Cancelled`.
        """
        plan = self.make_plan(method, params, selection)
        kept = None if again else self._store.find_run(plan.digest)
        if kept is None:
            try:
                kept = self._run_plan(plan)
            except Cancelled:
                raise
            except AuditorError:
                return None
            self._store.keep_run(plan.digest, kept)
            self.runs += 1
        else:
            self.reused += 1
        record = ReleaseRecord.from_dict(kept["recorded"], statement_of(kept["statement"]))
        record = dataclasses.replace(record, method=method, params=params.to_public())
        total = None if self._earlier is None else self._earlier.add_release(record)
        verdict = measured_verdict(gates.judge_record(record, self._policy, total))
        utility = self._goal.compute_utility(figures_of_record(record))
        return JudgedRun(verdict, record.statement, utility)

    def rate_pass(
        self, method: str, params: Params, verdict: ReleaseVerdict, settled: Sequence[Gate] = ()
    ) -> PassRate:
        """How a setting that passed once does in `REPEATS` further runs of what is near a limit.

        `settled` gates are left out: they are known to pass with room to spare.
        Noise is seeded, of the same law as a release's: nothing of these runs is released.
        """
        near = [one for one in verdict.passed if _is_near(one) and one.gate not in settled]
        return self.repeat(method, params, near, REPEATS)

    def repeat(
        self, method: str, params: Params, judged: Sequence[GateVerdict], times: int
    ) -> PassRate:
        """The same gates, `times` times anew; those given count for the first run."""
        if not judged:
            return PassRate()
        wanted = [one.gate for one in judged]
        values = {one.gate.name: [one.value] for one in judged if one.value is not None}
        last = {one.gate.name: one for one in judged}
        good = int(all(one.ok for one in judged))
        for draw in range(1, times + 1):
            fine = True
            for one in self.judge_again(method, params, wanted, draw):
                fine &= one.ok
                if one.value is not None:
                    values.setdefault(one.gate.name, []).append(one.value)
                if last[one.gate.name].ok:
                    last[one.gate.name] = one
            good += fine
        doubtful = tuple(
            last[gate.name]
            for gate in wanted
            if not (last[gate.name].ok and _is_safe_range(gate, values.get(gate.name, ())))
        )
        return PassRate(times + 1, good, doubtful)

    def judge_again(
        self, method: str, params: Params, wanted: Sequence[Gate], draw: int
    ) -> tuple[GateVerdict, ...]:
        """Some gates alone, of a run with seeded noise that makes nothing but their attacks."""
        asked = [attacks_of(gate) for gate in wanted]
        known = {name for names in asked for name in names or ()}
        measures = {name for gate in wanted for name in measures_of(gate)}
        plan = resolve_intent(
            Intent(
                method=method,
                values=((method, params),),
                attacks=None if None in asked else tuple(n for n in ATTACKS if n in known),
                measures=tuple(name for name in MEASURES if name in measures),
            ),
            self.log,
        )
        result = execute_plan(
            plan,
            Evidence(log=self.log),
            PreviewRandomness(int(plan.digest[16:24], 16) + draw),
            self._handle,
            lambda _: None,
            draw,
        )
        record = gates.judge_record(ReleaseRecord.of_run(result, self.log), self._policy)
        names = {gate.name for gate in wanted}
        return tuple(one for one in record.judged if one.gate.name in names)

    def _run_plan(self, plan: Plan) -> Mapping[str, Any]:
        evidence = Evidence(log=self.log)
        result = execute_plan(plan, evidence, SecureRandomness(), self._handle, self._listener)
        self.learn(result)
        return {
            "recorded": ReleaseRecord.of_run(result, self.log).to_dict(),
            "statement": result.release.statement.to_dict(),
        }


def _is_near(one: GateVerdict) -> bool:
    """Whether noise may decide a gate that was passed."""
    scope = one.gate.figure.partition(".")[0]
    if one.value is None or one.gate.is_yes_or_no or scope in ("statement", "ledger"):
        return False
    limits = (end for end in (one.gate.least, one.gate.most) if end is not None)
    return any(abs(one.value - end) <= NEAR * abs(end) for end in limits)


def _is_safe_range(gate: Gate, values: Sequence[float]) -> bool:
    """Whether a gate admits what lies `SURE` standard deviations on either side of some values."""
    if len(values) < 2:
        return True
    middle, off = statistics.fmean(values), SURE * statistics.stdev(values)
    return not off or all(gate.admits(middle + sign * off) for sign in (-1, 1))


def expect_verdict(
    statement: Statement, kept: KeptContent, policy: Policy, users: int
) -> ReleaseVerdict:
    """The verdict that is expected of a setting before it runs, whatever was released before."""
    record = ReleaseRecord.of_expectation(statement, kept, {HISTORY: users})
    return expected_verdict(gates.judge_record(record, policy))
