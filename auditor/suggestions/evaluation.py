"""A candidate run in full and judged by the policy, or taken from the store where it ran before."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from auditor.attacks.base import Evidence
from auditor.engine.events import Listener
from auditor.engine.plan import Intent, Plan, resolve
from auditor.engine.runner import RunHandle, execute_plan
from auditor.errors import AuditorError, Cancelled
from auditor.log.model import QueryLog
from auditor.params import Params
from auditor.privacy.noise import SecureRandomness
from auditor.privacy.selection import ParameterSelection
from auditor.privacy.statement import Statement
from auditor.release import gates
from auditor.release.kept_content import KeptContent
from auditor.release.loading import statement_of
from auditor.release.policy.policy import Policy
from auditor.release.verdict import ReleaseVerdict, verdict_of_record
from auditor.suggestions.goals import SearchGoal, figures_of_record
from auditor.suggestions.limits import needed_attacks, needed_measures
from auditor.suggestions.store import SearchStore


@dataclass(frozen=True)
class JudgedRun:
    """A run's verdict, statement and utility; `reused` if it was made before."""

    verdict: ReleaseVerdict
    statement: Statement
    utility: float
    reused: bool


class CandidateRunner:
    """Runs settings on one log with what a policy and a goal ask for, and remembers them.

    Noise comes from the secure sampler, as a release's does: a preview's would fail the policy.
    """

    def __init__(
        self,
        log: QueryLog,
        policy: Policy,
        goal: SearchGoal,
        store: SearchStore,
        handle: RunHandle,
        listener: Listener,
    ) -> None:
        self._log = log
        self._policy = policy
        self._goal = goal
        self._store = store
        self._handle = handle
        self._listener = listener
        self.runs = 0
        self.reused = 0

    def plan(
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
        return resolve(intent, self._log)

    def judge(
        self, method: str, params: Params, selection: ParameterSelection | None = None
    ) -> JudgedRun | None:
        """The verdict of a full run; None where the method refuses the setting.

        Raises `Cancelled`.
        """
        plan = self.plan(method, params, selection)
        kept = self._store.run(plan.digest)
        reused = kept is not None
        if kept is None:
            try:
                kept = self._run(plan)
            except Cancelled:
                raise
            except AuditorError:
                return None
            self._store.keep_run(plan.digest, kept)
            self.runs += 1
        else:
            self.reused += 1
        recorded, statement = kept["recorded"], kept["statement"]
        judged = gates.judge_recorded(recorded, statement, self._policy)
        verdict = verdict_of_record(recorded, statement, judged, policy=self._policy.name)
        utility = self._goal.utility(figures_of_record(recorded))
        return JudgedRun(verdict, statement_of(statement), utility, reused)

    def _run(self, plan: Plan) -> Mapping[str, Any]:
        evidence = Evidence(log=self._log)
        result = execute_plan(plan, evidence, SecureRandomness(), self._handle, self._listener)
        return {
            "recorded": gates.record_metrics(result, self._log),
            "statement": result.release.statement.to_dict(),
        }


def expect_verdict(
    statement: Statement, kept: KeptContent, policy: Policy, users: int
) -> ReleaseVerdict:
    """The verdict that is expected of a setting before it runs."""
    return verdict_of_record(
        {"kept": kept.to_dict()},
        statement.to_dict(),
        gates.judge_expected(statement, kept, policy, users),
        policy=policy.name,
        expected=True,
    )
