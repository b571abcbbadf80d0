"""What the parts of one search share: the log, the time left, full runs, and what was found."""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Callable, Sequence
from dataclasses import replace

from auditor.engine.costs import CostEstimator
from auditor.engine.run import Run
from auditor.engine.runner import RunHandle
from auditor.errors import Cancelled
from auditor.log.model import QueryLog
from auditor.log.sentences import sentence
from auditor.messages import DisplayText, as_phrase, join_phrases, phrase
from auditor.methods.noisy_counts.period_units import HISTORY
from auditor.methods.registry import METHODS
from auditor.methods.selected_statement import selected_statement
from auditor.privacy.public_size import round_up_users
from auditor.privacy.selection import ParameterSelection
from auditor.privacy.statement import Statement
from auditor.progress import Progress
from auditor.release.gates import judge_record
from auditor.release.kept_content import KeptContent
from auditor.release.policy.policy import Gate
from auditor.release.record import GateVerdict, ReleaseRecord
from auditor.release.verdict import ReleaseVerdict, expected_verdict
from auditor.suggestions.candidates import SearchCandidate
from auditor.suggestions.reasons import explain_limits
from auditor.suggestions.request import SearchEnd, SearchHearing, SearchRequest
from auditor.suggestions.result import ONE_RUN, PassRate, Suggestion
from auditor.suggestions.runs.evaluation import CandidateRunner
from auditor.suggestions.store import SearchStore


class TooLittleTime(Cancelled):
    """A full run was not started, since it would take longer than what is left."""


class SearchContext:
    """One search: what it is given, and the suggestions that it has found.

    `looked_at` counts settings that were compared, `pruned` says of methods that were left out
    which check none of their settings can pass. `users` is the public size of the log: settings,
    which go out, depend on no finer number. `too_long` says which full run did not fit into the
    time that was left.
    """

    def __init__(
        self, request: SearchRequest, log: QueryLog, hearing: SearchHearing, store: SearchStore
    ) -> None:
        self.request = request
        self.log = log
        self.hearing = hearing
        self.store = store
        self.end = SearchEnd(hearing.stop, request.budget)
        self.progress = Progress(hearing.report, self.end)
        self.users = round_up_users(max(request.users or 0, len(log.users)))
        self._counters: list[Callable[[], int]] = []
        self.pruned: dict[str, GateVerdict] = {}
        self.too_long: DisplayText = ""
        self.runner = self.runner_on(log)
        self.runner.learn = self._learn_cost
        self._points: dict[tuple[str, str], Suggestion] = {}

    @property
    def looked_at(self) -> int:
        """Settings that were compared so far."""
        return sum(count() for count in self._counters)

    def count_settings(self, count: Callable[[], int]) -> None:
        """Have what `count` says at any time be part of the settings that were compared."""
        self._counters.append(count)

    @property
    def points(self) -> list[Suggestion]:
        """What was found so far, in the order of finding."""
        return list(self._points.values())

    @property
    def counted(self) -> tuple[str, ...]:
        """The methods with ε that this search looks at."""
        return tuple(name for name in self.request.searched if METHODS[name].families)

    def runner_on(self, log: QueryLog) -> CandidateRunner:
        """What runs settings on the log, or on a part of it."""
        handle = RunHandle(0)
        handle.stop = self.end
        request = self.request
        return CandidateRunner(
            log,
            request.policy,
            request.goal,
            self.store,
            handle,
            self.hearing.event,
            request.earlier,
        )

    def expect_verdict(
        self, candidate: SearchCandidate, statement: Statement, kept: KeptContent
    ) -> ReleaseVerdict:
        """The verdict that is expected of a setting, after earlier releases of the log."""
        record = ReleaseRecord.of_expectation(statement, kept, {HISTORY: self.users})
        record = replace(record, method=candidate.method, params=candidate.params.to_public())
        earlier = self.request.earlier
        total = None if earlier is None else earlier.add_release(record)
        return expected_verdict(judge_record(record, self.request.policy, total))

    @functools.cached_property
    def _estimator(self) -> CostEstimator:
        """The forecast of full runs, which what each part of one took corrects."""
        return CostEstimator.load_shipped()

    def _learn_cost(self, run: Run) -> None:
        self._estimator.learn(run, len(self.log))

    def run_in_full(
        self,
        candidate: SearchCandidate,
        reasons: Sequence[str] = (),
        settled: Sequence[Gate] = (),
        *,
        again: bool = False,
        calculated: float = math.nan,
    ) -> Suggestion | None:
        """Run a setting, and look again at what is near a limit; None where the method refuses it.

        Of `settled` gates it is known that they pass with room to spare: they aren't tried again.
        With `again`, a run that failed is made once more, and counts for one that did not pass.
        `calculated` is the chance with which a release is calculated to pass `settled` gates.

        Raises
        ------
        Cancelled
            Somebody stopped the search, or the time is over.
        TooLittleTime
            The time that is left is expected not to suffice.
        """
        method, params = candidate.method, candidate.params
        title = as_phrase(METHODS[method].title)
        plan = self.runner.make_plan(method, params)
        cost = self._estimator.estimate_plan(plan, len(self.log))
        expected = 0.0 if cost is None else cost.seconds
        stored = not again and self.store.find_run(plan.digest) is not None
        left = self.end.left
        if not stored and expected > left:
            self.too_long = sentence(
                "suggestions.too_little_time",
                title=title,
                seconds=math.ceil(expected),
                left=max(math.floor(left), 0),
            )
            raise TooLittleTime
        self.progress.stage(phrase("running {title} in full", title=title))
        judged = self.runner.judge(method, params, again=again)
        if judged is None:
            return None
        rate = PassRate(calculated=calculated)
        if judged.verdict.releasable:
            self.progress.stage("looking again at what is near a limit")
            rate = self.runner.rate_pass(method, params, judged.verdict, settled)
            rate = replace(rate, runs=rate.runs + again, calculated=calculated)
        open_look = ParameterSelection("open", 0.0, self.looked_at)
        selection = open_look if self.request.mode == "open" else None
        return self.add_suggestion(
            candidate,
            judged.utility,
            judged.verdict,
            selected_statement(judged.statement, selection, method, params),
            selection=selection,
            rate=rate,
            reasons=reasons,
        )

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
        request = self.request
        binding = explain_limits(
            candidate,
            statement,
            verdict,
            request.policy,
            self.users,
            request.earlier,
            searched=request.mode != "private",
        )
        said = (*reasons, *binding, *filter(None, (rate.sentence,)))
        point = Suggestion(
            candidate.method,
            candidate.params,
            candidate.family,
            utility,
            verdict,
            statement,
            said,
            selection,
            rate=rate,
        )
        key = json.dumps(point.params.to_dict(), sort_keys=True)
        self._points[point.method, key] = point
        self.hearing.found(point)
        return point

    def drop_expected(self) -> None:
        """Forget what was only expected: more of the log says it better."""
        self._points = {key: one for key, one in self._points.items() if not one.expected}

    def say_pruned(self) -> DisplayText:
        """Which methods were left out, and why."""
        if not self.pruned:
            return ""
        by_check: dict[str, list[DisplayText]] = {}
        for name, one in sorted(self.pruned.items()):
            by_check.setdefault(one.gate.title, []).append(as_phrase(METHODS[name].title))
        said = [
            phrase("“{title}” ({methods})", title=as_phrase(title), methods=join_phrases(", ", few))
            for title, few in by_check.items()
        ]
        listed = join_phrases("; ", said)
        return sentence("suggestions.left_out", listed=listed)
