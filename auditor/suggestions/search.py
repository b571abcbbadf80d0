"""The search for the most useful release that passes a policy.

Four ways of looking (`modes.MODES`) share what comes first: the policy's limits
fix ε, δ and k of every family of settings. Then

* *free* and *open*: expectations on growing samples prune the families and find each one's best
  number (`family_search`); methods without ε are run on a sample along what makes them stricter,
  by bisection; the front is run in full, attacks and all, as long as the budget lasts;
* *sizes*: the same expectations, of a made-up log of as many users; nothing is run;
* *private*: one choice from a public list (`private_selection`), whose ε is part of the statement.

A budget ends it within moments, and so does a cancel; what was found by then is the result, and
runs are kept (`store`), so that the same search goes on from there.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from auditor.engine.costs import CostEstimator
from auditor.engine.runner import RunHandle
from auditor.errors import Cancelled, MissingInput
from auditor.log.model import QueryLog
from auditor.messages import as_phrase, phrase
from auditor.methods.registry import METHODS
from auditor.methods.selected_statement import selected_statement
from auditor.privacy.noise import SecureRandomness
from auditor.privacy.randomness import Randomness
from auditor.privacy.selection import ParameterSelection
from auditor.privacy.statement import Statement
from auditor.progress import Progress
from auditor.release.gates import is_utility
from auditor.release.kept_content import KeptContent
from auditor.release.verdict import ReleaseVerdict
from auditor.suggestions.candidates import (
    COUNTED,
    CandidateFamily,
    SearchCandidate,
    list_families,
    list_public_candidates,
)
from auditor.suggestions.estimates import LogPart, expect_statement, expected_content
from auditor.suggestions.evaluation import CandidateRunner, expect_verdict
from auditor.suggestions.family_search import FamilySearch, RatedCandidate, expect_best
from auditor.suggestions.growth import GrowthCurve, measure_growth
from auditor.suggestions.limits import PolicyLimits
from auditor.suggestions.obstacles import FREE_LOOK, RemedySearch, describe_gate, find_obstacle
from auditor.suggestions.private_selection import choose_candidate
from auditor.suggestions.reasons import explain_limits
from auditor.suggestions.request import SearchEnd, SearchHearing, SearchRequest
from auditor.suggestions.result import (
    Obstacle,
    SearchCost,
    Suggestion,
    Suggestions,
    order_points,
)
from auditor.suggestions.store import SearchStore

LEVELS = (1.0, 0.5, 0.25, 0.125)
"""Shares of the policy's ε at which the front is looked at."""
FRONT = 3
"""Families that are run in full at the policy's own ε; below it only the best one is."""
MODEL_USERS = 4_000
"""Users of the made-up log that stands for a log of which the sizes alone are known."""
STRICT_USERS = 1_500
"""Users of the sample on which methods without ε are bisected."""
_MODEL_SEED = 1


def suggest_release(
    request: SearchRequest,
    log: QueryLog,
    hearing: SearchHearing | None = None,
    store: SearchStore | None = None,
    rng: Randomness | None = None,
) -> Suggestions:
    """Search as the request says; `log` is that of the release, or in free mode the other one.

    In mode "sizes" nothing of the log is used but its number of users. `rng` is for tests.

    Raises
    ------
    ParameterError, MissingInput
        The request doesn't go together, or the log is empty.
    """
    if log.origin.aggregated:
        raise MissingInput("This is a set of queries without users: no ε can be given for it.")
    if not len(log.users):
        raise MissingInput("The log has no rows. Open another file or check its column mapping.")
    heard = hearing or SearchHearing()
    search = _ReleaseSearch(request, log, heard, store or SearchStore())
    if request.mode == "private":
        return search.choose_privately(rng or SecureRandomness())
    if request.mode == "sizes":
        return search.expect_from_sizes()
    return search.search_log()


class _ReleaseSearch:
    """One search: what it is given, what it has found, and what that took."""

    def __init__(
        self, request: SearchRequest, log: QueryLog, hearing: SearchHearing, store: SearchStore
    ) -> None:
        self._request = request
        self._log = log
        self._hearing = hearing
        self._store = store
        self._end = SearchEnd(hearing.stop, request.budget)
        self._progress = Progress(hearing.report, self._end)
        self._users = max(request.users or 0, len(log.users))
        self._began, self._cpu = time.perf_counter(), time.process_time()
        self._points: dict[tuple[str, str], Suggestion] = {}
        self._looked_at = 0
        handle = RunHandle(0)
        handle.stop = self._end
        self._runner = CandidateRunner(
            log, request.policy, request.goal, store, handle, hearing.event
        )
        self._estimator = CostEstimator.shipped()
        self._last_run: dict[str, float] = {}
        self._pruned: dict[str, str] = {}

    # --- the ways of looking ---------------------------------------------------------------

    def search_log(self) -> Suggestions:
        """On a log that may be looked at: expectations, bisection, full runs of the front."""
        request = self._request
        limits = PolicyLimits.of(request.policy, self._users)
        growth: GrowthCurve | None = None
        stopped = ""
        try:
            rated = self._expect(limits, self._log, 1.0)
            growth = self._grow(rated, limits)
            self._run_front(rated)
            self._search_strict(limits)
        except Cancelled:
            stopped = "cancelled" if self._hearing.stop.is_set() else "budget"
        return self._result(limits, LogPart(self._log, 1.0), growth, stopped)

    def expect_from_sizes(self) -> Suggestions:
        """From the number of users alone, by a made-up log of as many."""
        from auditor.log.synthetic.generator import synthesize

        self._users = self._request.users or len(self._log.users)
        limits = PolicyLimits.of(self._request.policy, self._users)
        growth: GrowthCurve | None = None
        stopped = ""
        model: QueryLog | None = None
        try:
            size = min(self._users, MODEL_USERS)
            model = synthesize(size, seed=_MODEL_SEED, progress=self._progress).log
            rated = self._expect(limits, model, self._users / size)
            if self._users <= MODEL_USERS:
                growth = self._grow(rated, limits, model)
        except Cancelled:
            stopped = "cancelled" if self._hearing.stop.is_set() else "budget"
        part = None if model is None else LogPart(model, self._users / len(model.users))
        note = "What is kept is that of the made-up log; the log's own may be far from it."
        return self._result(limits, part, growth, stopped, note)

    def choose_privately(self, rng: Randomness) -> Suggestions:
        """On the log itself: one choice, whose ε is in the statement from then on."""
        request, log = self._request, self._log
        name = request.goal.name
        epsilon = request.selection_epsilon
        search = _digest_search(request)
        known = self._store.choice(log.digest, search)
        spent, made = self._store.spent(log.digest)
        total = spent if known is not None else spent + epsilon
        selection = ParameterSelection("private", total, 0, made if known is not None else made + 1)
        candidates = self._public_candidates(selection)
        selection = replace(selection, candidates=len(candidates))
        if known is None:
            choice = choose_candidate(log, candidates, name, epsilon, rng, self._progress)
            chosen = candidates[choice.place]
            answer: dict[str, Any] = {
                "epsilon": epsilon,
                "method": chosen.method,
                "params": chosen.params.to_dict(),
                "family": chosen.family,
                "number": chosen.number,
                "worth": choice.worth,
                "error": choice.error,
                "resolution": choice.resolution,
            }
            self._store.keep_choice(log.digest, search, answer)
            known = answer
        chosen = SearchCandidate(
            str(known["method"]),
            METHODS[str(known["method"])].params(**known["params"]),
            str(known["family"]),
            int(known["number"]),
        )
        self._looked_at = len(candidates)
        self._add_private(chosen, selection, float(known["worth"]))
        better, error = float(known["resolution"]), float(known["error"])
        what = "queries" if name == "queries" else "searches"
        told = [
            phrase("The choice cost ε = {epsilon:g}.", epsilon=epsilon),
            phrase(
                "A setting that is better by about {better:,.0f} {what} is chosen nearly "
                "for certain.",
                better=better,
                what=as_phrase(what),
            ),
            phrase(
                "The expected number is right within {error:,.0f} in 95 % of the cases.",
                error=error,
            ),
        ]
        if total > epsilon:
            told.insert(1, phrase("With earlier choices on this log it is {total:g}.", total=total))
        note = " ".join(told)
        return self._result(PolicyLimits.of(request.policy, self._users), None, None, "", note)

    # --- parts of them ---------------------------------------------------------------------

    def _public_candidates(self, selection: ParameterSelection) -> tuple[SearchCandidate, ...]:
        """Settings that pass with the choice's ε on top; depends on nothing in the log."""
        policy, users = self._request.policy, self._users
        found: list[SearchCandidate] = []
        for name in self._request.searched:
            if name in COUNTED:
                exchanged = 2.0 if name == "zealous" else 1.0
                limits = PolicyLimits.of(policy, users, selection.epsilon * exchanged)
                found += list_public_candidates(limits, (name,))
        return tuple(found)

    def _expect(
        self, limits: PolicyLimits, log: QueryLog, scale: float
    ) -> list[tuple[RatedCandidate, float]]:
        """Settings worth a full run with the share of ε each has, the most useful first."""
        search = FamilySearch(log, self._request.goal, self._progress, scale)
        families = list_families(limits, self._counted())
        found: list[tuple[RatedCandidate, float]] = []
        try:
            best = search.best(families)
            for one in best:
                self._add_expected(one, search.parts[-1])
            found += [(one, 1.0) for one in best[:FRONT]]
            for level in LEVELS[1:] if best else ():
                method, name = best[0].candidate.method, best[0].candidate.family
                lower = list_families(limits.at(limits.epsilon * level), (method,))
                family = next(one for one in lower if one.name == name)
                number = best[0].candidate.number
                near = sorted({1, max(number // 3, 1), number})
                rated = search.refine(family, near, search.parts[-1])
                if rated is not None and self._add_expected(rated, search.parts[-1]):
                    found.append((rated, level))
                else:
                    break  # with less ε still less is left
        finally:
            self._looked_at += search.looked_at
        return found

    def _counted(self) -> tuple[str, ...]:
        return tuple(name for name in self._request.searched if name in COUNTED)

    def _grow(
        self,
        rated: Sequence[tuple[RatedCandidate, float]],
        limits: PolicyLimits,
        log: QueryLog | None = None,
    ) -> GrowthCurve | None:
        if not rated or not self._request.growth:
            return None
        best = rated[0][0].candidate

        def expect(part: LogPart, users: int) -> float:
            self._progress.check()
            lower = list_families(limits.of_users(users), (best.method,))
            return expect_best([one for one in lower if one.name == best.family])(part, users)

        about = phrase(
            "{title}, ε {epsilon:.3g}, δ times users {delta:.3g}",
            title=as_phrase(METHODS[best.method].title),
            epsilon=limits.epsilon,
            delta=limits.delta * limits.users,
        )
        return measure_growth(log or self._log, expect, about, self._progress)

    def _run_front(self, rated: Sequence[tuple[RatedCandidate, float]]) -> None:
        """Full runs: the best until one passes, then what has less ε, then the other families."""
        first = [one.candidate for one, level in rated if level == 1.0]
        passing = next((at for at, one in enumerate(first) if self._run(one)), len(first))
        for one in (*(one.candidate for one, level in rated if level < 1.0), *first[passing + 1 :]):
            self._run(one)

    def _search_strict(self, limits: PolicyLimits) -> None:
        """Methods without ε: what no run could mend is left out, the rest bisected on a sample."""
        names = [name for name in self._request.searched if name not in COUNTED]
        families = list_families(limits, names)
        sample = self._log.sample_users(STRICT_USERS, _MODEL_SEED)
        for family in families:
            self._progress.check()
            if (why := self._hopeless(family, sample)) is not None:
                self._pruned.setdefault(family.method, why)
                continue
            numbers = self._passing_numbers(family, sample)
            for number in numbers:
                candidate = family.candidate(number)
                if candidate is not None and self._run(candidate):
                    break

    def _hopeless(self, family: CandidateFamily, sample: QueryLog) -> str | None:
        """The check of the statement that the strictest setting fails, if there is one."""
        candidate = family.candidate(family.numbers[-1])
        look = METHODS[family.method].outlook
        if candidate is None or look is None:
            return None
        self._looked_at += 1
        found = look(sample, candidate.params, scale=1.0, progress=self._progress)
        verdict = expect_verdict(
            found.statement, KeptContent(), self._request.policy, len(sample.users)
        )
        failed = [one for one in verdict.failed if one.gate.figure.startswith("statement.")]
        return f"{failed[0].gate.title} ({failed[0].evidence})" if failed else None

    def _passing_numbers(self, family: CandidateFamily, sample: QueryLog) -> Iterable[int]:
        """The numbers from the least strict on that passes on a sample, to be tried on the log."""
        if family.direction == "single" or len(sample.users) == len(self._log.users):
            trial = self._runner
        else:
            handle = RunHandle(0)
            handle.stop = self._end
            trial = CandidateRunner(
                sample,
                self._request.policy,
                self._request.goal,
                self._store,
                handle,
                self._hearing.event,
            )
        low, high = 0, len(family.numbers) - 1
        while low < high:
            middle = (low + high) // 2
            candidate = family.candidate(family.numbers[middle])
            judged = None if candidate is None else trial.judge(candidate.method, candidate.params)
            risky = judged is None or any(not is_utility(one.gate) for one in judged.verdict.failed)
            low, high = (middle + 1, high) if risky else (low, middle)
        if trial is not self._runner:
            self._runner.runs += trial.runs
            self._runner.reused += trial.reused
        return family.numbers[low:]

    def _run(self, candidate: SearchCandidate) -> bool:
        """Run a setting in full, if the time that is left allows; whether it passes."""
        plan = self._runner.plan(candidate.method, candidate.params)
        expected = self._last_run.get(candidate.method)
        if expected is None and (cost := self._estimator.of(plan, len(self._log))) is not None:
            expected = cost.seconds
        if self._store.run(plan.digest) is None and (expected or 0.0) > self._end.left:
            raise Cancelled
        self._progress.stage(
            phrase("running {title} in full", title=as_phrase(METHODS[candidate.method].title))
        )
        began = time.perf_counter()
        open_look = ParameterSelection("open", 0.0, self._looked_at)
        selection = open_look if self._request.mode == "open" else None
        judged = self._runner.judge(candidate.method, candidate.params)
        if judged is None:
            return False
        if not judged.reused:
            self._last_run[candidate.method] = time.perf_counter() - began
        statement = selected_statement(judged.statement, selection)
        self._add(
            Suggestion(
                candidate.method,
                candidate.params,
                candidate.family,
                judged.utility,
                judged.verdict,
                statement,
                self._reasons(candidate, judged.statement, judged.verdict),
                selection,
            )
        )
        return judged.verdict.releasable

    def _add_expected(self, rated: RatedCandidate, part: LogPart) -> bool:
        """Keep what is expected of a setting; whether it may pass."""
        candidate = rated.candidate
        statement = expect_statement(candidate.method, candidate.params, self._users)
        assert statement is not None
        kept = expected_content(rated.estimate, part)
        verdict = expect_verdict(statement, kept, self._request.policy, self._users)
        utility = rated.utility if self._request.goal.expectable else float("nan")
        point = Suggestion(
            candidate.method,
            candidate.params,
            candidate.family,
            utility,
            verdict,
            statement,
            self._reasons(candidate, statement, verdict),
        )
        self._add(point)
        return point.may_pass

    def _add_private(
        self, candidate: SearchCandidate, selection: ParameterSelection, worth: float
    ) -> None:
        statement = expect_statement(candidate.method, candidate.params, self._users)
        assert statement is not None
        statement = selected_statement(statement, selection)
        kept = (
            KeptContent(queries=int(worth))
            if self._request.goal.name == "queries"
            else (KeptContent())
        )
        verdict = expect_verdict(statement, kept, self._request.policy, self._users)
        self._add(
            Suggestion(
                candidate.method,
                candidate.params,
                candidate.family,
                worth,
                verdict,
                statement,
                self._reasons(candidate, statement, verdict),
                selection,
            )
        )

    def _reasons(
        self, candidate: SearchCandidate, statement: Statement, verdict: ReleaseVerdict
    ) -> tuple[str, ...]:
        return explain_limits(candidate, statement, verdict, self._request.policy, self._users)

    def _add(self, point: Suggestion) -> None:
        self._points[point.method, json.dumps(point.params.to_dict(), sort_keys=True)] = point
        self._hearing.found(point)

    def _result(
        self,
        limits: PolicyLimits,
        part: LogPart | None,
        growth: GrowthCurve | None,
        stopped: str,
        note: str = "",
    ) -> Suggestions:
        points = order_points(list(self._points.values()))
        obstacle = None
        if not (points and points[0].may_pass) and part is not None and not stopped:
            remedies = RemedySearch(
                part.log,
                part.scale,
                self._request.policy,
                limits,
                self._counted(),
                Progress(self._hearing.report, self._hearing.stop),
            )
            obstacle = find_obstacle(points, self._pruned, remedies)
        elif points and not points[0].may_pass:
            gates = tuple(describe_gate(one) for one in points[0].verdict.failed)
            obstacle = Obstacle(gates, (FREE_LOOK,))
        left_out = "; ".join(
            f"{METHODS[name].title}: {why}" for name, why in sorted(self._pruned.items())
        )
        if left_out:
            note = f"{note} Left out, since no setting of it can pass: {left_out}.".strip()
        cost = SearchCost(
            time.perf_counter() - self._began,
            time.process_time() - self._cpu,
            self._looked_at,
            self._runner.runs,
            self._runner.reused,
        )
        return Suggestions(
            mode=self._request.mode,
            goal=self._request.goal.title,
            policy=self._request.policy.name,
            users=self._users,
            points=points,
            obstacle=obstacle,
            growth=growth,
            cost=cost,
            stopped=stopped,
            note=note,
        )


def _digest_search(request: SearchRequest) -> str:
    """What makes two private searches of a log the same."""
    told = [
        request.policy.sha256,
        request.goal.name,
        list(request.searched),
        request.selection_epsilon,
        request.users,
    ]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()
