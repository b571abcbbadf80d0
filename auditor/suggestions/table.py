"""The table of evaluated candidates: settings that were run or expected, and how they are judged.

A full run draws its noise as a release does, makes every attack that the policy asks for, and is
taken from the store where it was made before. What stands near a limit may come out otherwise the
next time: then the gates in question alone are judged anew, with other draws of noise and attack.
"""

import functools
import json
import math
import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from auditor.attacks.base import Evidence
from auditor.engine.costs import CostEstimator
from auditor.engine.events import Listener
from auditor.engine.plan import Intent, Plan, resolve_intent
from auditor.engine.run import Run
from auditor.engine.run_progress import forecast_run
from auditor.engine.runner import RunHandle, execute_plan
from auditor.errors import AuditorError, Cancelled
from auditor.log.model import QueryLog
from auditor.log.sentences import sentence
from auditor.messages import DisplayText, as_phrase, join_phrases, phrase
from auditor.methods.noisy_counts.period_units import HISTORY
from auditor.methods.registry import METHODS
from auditor.methods.selected_statement import selected_statement
from auditor.params import Params
from auditor.privacy.noise import PreviewRandomness, SecureRandomness
from auditor.privacy.public_size import round_up_users
from auditor.privacy.selection import ParameterSelection
from auditor.privacy.statement import Statement
from auditor.progress import Progress
from auditor.release import gates
from auditor.release.kept_content import KeptContent
from auditor.release.loading import statement_of
from auditor.release.policy.policy import Gate, Policy
from auditor.release.record import GateVerdict, ReleaseRecord
from auditor.release.verdict import ReleaseVerdict, expected_verdict, measured_verdict
from auditor.suggestions.candidates import LIMITS, RatedCandidate, SearchCandidate
from auditor.suggestions.estimates import (
    LogPart,
    expect_statement,
    expected_content,
    law_of,
    weight_law_of,
)
from auditor.suggestions.limits import EarlierReleases, needed_attacks, needed_measures
from auditor.suggestions.request import SearchEnd, SearchHearing, SearchRequest, figures_of_record
from auditor.suggestions.result import ONE_RUN, PassRate, Suggestion
from auditor.suggestions.store import SearchStore

NEAR = 0.25
"""How near to its limit, as a share of it, a gate's value is looked at again."""
REPEATS = 5
"""How often it is looked at again."""
SURE = 2.5
"""Standard deviations that lie between the values of a gate and its limit where it is safe."""
_CLOSE = 0.98
"""Share of a limit from which on it binds."""
NOT_ATTACKED = sentence("reasons.not_attacked")


class TooLittleTime(Cancelled):
    """A full run was not started, as it would take longer than the time left."""


class CandidateRunner:
    """Runs settings on one log with what a request's policy and goal ask for, and remembers them.

    Noise comes from the secure sampler, as a release's does: a preview's would fail the policy.
    `learn` hears of every full run that was made.
    """

    def __init__(
        self,
        log: QueryLog,
        request: SearchRequest,
        store: SearchStore,
        handle: RunHandle,
        listener: Listener,
    ) -> None:
        self.log = log
        self._request = request
        self._store = store
        self._handle = handle
        self._listener = listener
        self.runs = 0
        self.reused = 0
        self.learn: Callable[[Run], None] = lambda _: None

    def make_plan(
        self, method: str, params: Params, required: Sequence[Gate] | None = None
    ) -> Plan:
        """What a full run does, or one for some gates alone: what they ask for, and no more."""
        policy, goal, full = self._request.policy, self._request.goal, required is None
        checks = policy.gates if required is None else required
        intent = Intent(
            method=method,
            values=((method, params),),
            attacks=needed_attacks(checks, policy.requires if full else ()),
            measures=needed_measures(checks, goal.measures if full else ()),
        )
        return resolve_intent(intent, self.log)

    def judge(
        self, method: str, params: Params, *, anew: bool = False
    ) -> tuple[ReleaseVerdict, float] | None:
        """The verdict and the utility of a full run; None where the method refuses the setting.

        With `anew` it is made anew where it was made before.
        """
        plan = self.make_plan(method, params)
        stored = None if anew else self._store.find_run(plan.digest)
        if stored is None:
            evidence, noise = Evidence(log=self.log), SecureRandomness()
            try:
                run = execute_plan(plan, evidence, noise, self._handle, self._listener)
            except Cancelled:
                raise
            except AuditorError:
                return None
            self.learn(run)
            stored = {
                "recorded": ReleaseRecord.of_run(run, self.log).to_dict(),
                "statement": run.release.statement.to_dict(),
            }
            self._store.keep_run(plan.digest, stored)
            self.runs += 1
        else:
            self.reused += 1
        request = self._request
        record = ReleaseRecord.from_dict(stored["recorded"], statement_of(stored["statement"]))
        record = replace(record, method=method, params=params.to_public())
        total = None if request.earlier is None else request.earlier.add_release(record)
        verdict = measured_verdict(gates.judge_record(record, request.policy, total))
        return verdict, request.goal.compute_utility(figures_of_record(record))

    def repeat(
        self, method: str, params: Params, checks: Sequence[GateVerdict], times: int
    ) -> PassRate:
        """How gates of a setting come out `times` times anew; those given count for the first run.

        Noise is seeded, of the same law as a release's: nothing of these runs is released.
        """
        if not checks:
            return PassRate()
        required = [check.gate for check in checks]
        values = {check.gate.name: [check.value] for check in checks if check.value is not None}
        last = {check.gate.name: check for check in checks}
        passed = int(all(check.ok for check in checks))
        for draw in range(1, times + 1):
            verdicts = self.judge_again(method, params, required, draw)
            passed += all(check.ok for check in verdicts)
            for check in verdicts:
                if check.value is not None:
                    values.setdefault(check.gate.name, []).append(check.value)
                if last[check.gate.name].ok:
                    last[check.gate.name] = check
        doubtful = []
        for gate in required:
            drawn_values, safe = values.get(gate.name, ()), last[gate.name].ok
            if len(drawn_values) > 1:  # what lies `SURE` deviations on either side passes, too
                middle, off = statistics.fmean(drawn_values), SURE * statistics.stdev(drawn_values)
                safe &= not off or all(gate.admits(middle + sign * off) for sign in (-1, 1))
            if not safe:
                doubtful.append(last[gate.name])
        return PassRate(times + 1, passed, tuple(doubtful))

    def judge_again(
        self, method: str, params: Params, required: Sequence[Gate], draw: int
    ) -> tuple[GateVerdict, ...]:
        """Some gates alone, of a run with seeded noise that makes nothing but their attacks."""
        plan = self.make_plan(method, params, required)
        noise = PreviewRandomness(int(plan.digest[16:24], 16) + draw)
        evidence = Evidence(log=self.log)
        run = execute_plan(plan, evidence, noise, self._handle, lambda _: None, draw)
        record = gates.judge_record(ReleaseRecord.of_run(run, self.log), self._request.policy)
        names = {gate.name for gate in required}
        return tuple(check for check in record.judged if check.gate.name in names)


def expect_verdict(
    statement: Statement,
    content: KeptContent,
    policy: Policy,
    users: int,
    candidate: SearchCandidate | None = None,
    earlier: EarlierReleases | None = None,
) -> ReleaseVerdict:
    """The verdict that is expected of a setting before it runs, after `earlier` releases."""
    record = ReleaseRecord.of_expectation(statement, content, {HISTORY: users})
    if candidate is not None:
        public = candidate.params.to_public()
        record = replace(record, method=candidate.method, params=public)
    total = None if earlier is None else earlier.add_release(record)
    return expected_verdict(gates.judge_record(record, policy, total))


def _is_near_limit(check: GateVerdict) -> bool:
    """Whether a figure that differs from run to run is near to its limit."""
    gate, value = check.gate, check.value
    if value is None or gate.is_yes_or_no or gate.figure.startswith(("statement.", "ledger.")):
        return False
    limits = [limit for limit in (gate.least, gate.most) if limit is not None]
    return any(abs(value - limit) <= NEAR * abs(limit) for limit in limits)


class CandidateTable:
    """The settings of one search that were evaluated, with what it takes to evaluate more.

    `pruned` says of methods that were left out which check none of their settings can pass.
    `users` is the public size of the log: settings, which go out, depend on no finer number.
    `too_long` says which full run did not fit into the time that was left. `spent` is what earlier
    private choices on the log cost, which what is expected states, too.
    """

    def __init__(
        self, request: SearchRequest, log: QueryLog, hearing: SearchHearing, store: SearchStore
    ) -> None:
        self.request = request
        self.log = log
        self.hearing = hearing
        self.store = store
        self.end = SearchEnd(hearing.progress, request.budget)
        self.progress = Progress(hearing.progress.report, self.end)
        self.users = round_up_users(max(request.users or 0, len(log.users)))
        self._counters: list[Callable[[], int]] = []
        self.pruned: dict[str, GateVerdict] = {}
        self.too_long: DisplayText = ""
        self.spent: ParameterSelection | None = None
        self.runner = self.runner_on(log)
        self.runner.learn = lambda run: self._estimator.learn(run, len(log))
        self._points: dict[tuple[str, str], Suggestion] = {}

    @property
    def looked_at(self) -> int:
        return sum(count() for count in self._counters)

    def count_settings(self, count: Callable[[], int]) -> None:
        """Have what `count` says at any time be part of the settings that were compared."""
        self._counters.append(count)

    @property
    def points(self) -> list[Suggestion]:
        return list(self._points.values())

    @property
    def dp_methods(self) -> tuple[str, ...]:
        return tuple(name for name in self.request.searched if METHODS[name].families)

    def runner_on(self, log: QueryLog) -> CandidateRunner:
        """What runs settings on the log, or on a part of it."""
        handle = RunHandle(0)
        handle.stop = self.end
        return CandidateRunner(log, self.request, self.store, handle, self.hearing.event)

    @functools.cached_property
    def _estimator(self) -> CostEstimator:
        """The forecast of full runs, which what each part of one took corrects."""
        return CostEstimator.load_shipped()

    def run_in_full(
        self,
        candidate: SearchCandidate,
        reasons: Sequence[str] = (),
        settled: Sequence[Gate] = (),
        *,
        anew: bool = False,
        calculated: float = math.nan,
    ) -> Suggestion | None:
        """Run a setting, and look again at what is near a limit; None where the method refuses it.

        `settled` gates, which are known to pass with room to spare, aren't tried again. With
        `anew`, a run that failed is made once more, and counts for one that did not pass.
        `calculated` is the chance with which a release passes `settled` gates. Raises
        `TooLittleTime` where the time that is left is expected not to suffice.
        """
        method, params = candidate.method, candidate.params
        title = as_phrase(METHODS[method].title)
        try:
            plan = self.runner.make_plan(method, params)
        except AuditorError:  # a log too small for it, say
            return None
        cost = forecast_run(plan, len(self.log), self._estimator).total
        seconds, seconds_left = 0.0 if cost is None else cost.seconds, self.end.seconds_left
        stored = not anew and self.store.find_run(plan.digest) is not None
        if not stored and seconds > seconds_left:
            times = {"seconds": math.ceil(seconds), "left": max(math.floor(seconds_left), 0)}
            self.too_long = sentence("suggestions.too_little_time", title=title, **times)
            raise TooLittleTime
        self.progress.stage(phrase("running {title} in full", title=title))
        result = self.runner.judge(method, params, anew=anew)
        if result is None:
            return None
        verdict, utility = result
        rate = PassRate(calculated=calculated)
        if verdict.releasable:
            self.progress.stage("checking results near a limit again")
            close_gates = [
                check
                for check in verdict.passed
                if check.gate not in settled and _is_near_limit(check)
            ]
            rate = self.runner.repeat(method, params, close_gates, REPEATS)
            rate = replace(rate, runs=rate.runs + anew, calculated=calculated)
        selection = None
        if self.request.mode == "open":
            selection = ParameterSelection("open", 0.0, self.looked_at)
        statement = selected_statement(verdict.record.statement, selection, method, params)
        return self.add_suggestion(
            candidate, utility, verdict, statement, selection=selection, rate=rate, reasons=reasons
        )

    def expect(
        self,
        candidate: SearchCandidate,
        content: KeptContent,
        utility: float,
        selection: ParameterSelection | None = None,
    ) -> Suggestion:
        """Keep what is expected of a setting before it runs, after earlier releases of the log."""
        method, params = candidate.method, candidate.params
        statement = expect_statement(method, params, self.users)
        assert statement is not None
        statement = selected_statement(statement, selection, method, params)
        policy, earlier = self.request.policy, self.request.earlier
        verdict = expect_verdict(statement, content, policy, self.users, candidate, earlier)
        return self.add_suggestion(candidate, utility, verdict, statement, selection=selection)

    def expect_rated(self, candidate: RatedCandidate, part: LogPart) -> Suggestion:
        """The same of what a part of the log lets expect."""
        utility = candidate.utility if self.request.goal.expectable else math.nan
        content = expected_content(candidate.estimate, part)
        return self.expect(candidate, content, utility, self.spent)

    def add_suggestion(
        self,
        candidate: SearchCandidate,
        utility: float,
        verdict: ReleaseVerdict,
        statement: Statement,
        *,
        selection: ParameterSelection | None = None,
        rate: PassRate = ONE_RUN,
        reasons: Sequence[str] = (),
    ) -> Suggestion:
        """Keep a suggestion, in the place of an earlier one of the same setting, and tell of it."""
        binding = self._explain_limits(candidate, statement, verdict)
        point = Suggestion(
            candidate.method,
            candidate.params,
            candidate.family,
            utility,
            verdict,
            statement,
            (*reasons, *binding, *filter(None, (rate.sentence,))),
            selection,
            rate=rate,
        )
        key = json.dumps(point.params.to_dict(), sort_keys=True)
        self._points[point.method, key] = point
        self.hearing.on_candidate(point)
        return point

    def drop_expected(self) -> None:
        """Forget what was only expected: more of the log says it better."""
        self._points = {key: point for key, point in self._points.items() if not point.expected}

    def say_pruned(self) -> DisplayText:
        """Which methods were left out, and why."""
        if not self.pruned:
            return ""
        by_check: dict[str, list[DisplayText]] = {}
        for name, check in sorted(self.pruned.items()):
            by_check.setdefault(check.gate.title, []).append(as_phrase(METHODS[name].title))
        checks = []
        for title, methods in by_check.items():
            names = join_phrases(", ", methods)
            checks.append(phrase("“{title}” ({methods})", title=as_phrase(title), methods=names))
        return sentence("suggestions.left_out", listed=join_phrases("; ", checks))

    def _explain_limits(
        self, candidate: SearchCandidate, statement: Statement, verdict: ReleaseVerdict
    ) -> Iterator[DisplayText]:
        """Why a setting stops where it does: the limits that bind, each in a sentence."""
        binding = [
            *dict.fromkeys(self._explain_binding(candidate, statement)),
            *self._explain_threshold(candidate.params),
        ]
        yield from binding
        if not binding and statement.epsilon is not None:
            yield sentence("reasons.below_policy", epsilon=statement.epsilon)
        if verdict.releasable and not (verdict.expected or verdict.record.made_attacks):
            yield NOT_ATTACKED
        for check in verdict.failed:
            title, evidence = as_phrase(check.gate.title), as_phrase(check.evidence)
            if verdict.expected and check.value is None:
                yield sentence("reasons.not_sure", title=title, evidence=evidence)
            else:
                yield phrase("Fails: {title} ({evidence}).", title=title, evidence=evidence)

    def _explain_binding(
        self, candidate: SearchCandidate, statement: Statement
    ) -> Iterator[DisplayText]:
        epsilon, delta = statement.epsilon, statement.delta
        of_all = math.nan if delta is None or statement.period else delta * self.users
        limited: dict[str, tuple[DisplayText, float | None]] = {
            "statement.epsilon": ("ε", epsilon),
            "ledger.epsilon": ("ε", epsilon),
            "statement.delta": ("δ", delta),
            "statement.delta_users": ("δ times users", of_all),
            "statement.delta_users_squared": ("δ times the square of users", of_all * self.users),
        }
        if (earlier := self.request.earlier) is not None:
            params = candidate.params.to_public()
            record = ReleaseRecord(statement, method=candidate.method, params=params)
            total, unit = earlier.add_release(record), self.request.policy.unit
            for name, symbol in (
                ("epsilon", "ε of all releases together"),
                ("delta", "δ of all releases together"),
                ("delta_users", "δ times users of all releases together"),
            ):
                value = epsilon if name == "epsilon" else None
                if not isinstance(total, str):
                    value = total.find_figure(name, {HISTORY: self.users}, unit)[0]
                limited[f"ledger.{name}"] = symbol, value
        for gate in self.request.policy.checks:
            symbol, value = limited.get(gate.figure, ("", None))
            if value is not None and gate.most is not None and value >= _CLOSE * gate.most:
                yield sentence("reasons.binds", symbols=as_phrase(symbol), most=gate.most)
            if gate.figure == "statement.measured.k" and gate.least is not None:
                measured = statement.measured
                size = measured.get("k", measured.get("smallest_class", math.nan))
                if size <= gate.least / _CLOSE:
                    yield phrase("Groups of at least {least:g} users bind.", least=gate.least)

    def _explain_threshold(self, params: Params) -> Iterator[DisplayText]:
        """How many users a query needs, and why no more of each user's queries count."""
        if (shared := weight_law_of(params)) is not None:
            (fewest, most), limit = shared.needed_users, shared.limit
            key = "reasons.needs_users_range" if most > fewest else "reasons.needs_users"
            yield sentence(key, least=fewest, most=most, users=self.users)
        elif (law := law_of(params)) is not None and law.least is not None:
            limit = law.limit
            yield sentence("reasons.threshold", name=law.symbol, least=law.least, users=self.users)
        else:
            return
        # A private choice looks at few other numbers per user, and no search beyond the last one.
        if self.request.mode != "private" and limit < LIMITS[-1]:
            yield sentence("reasons.more_of_each_user", limit=limit)
