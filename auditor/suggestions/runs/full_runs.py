"""Runs settings in full as long as there is time, and looks again at what is near a limit."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from auditor.engine.costs import CostEstimator
from auditor.errors import Cancelled
from auditor.messages import as_phrase, phrase
from auditor.methods.registry import METHODS
from auditor.methods.selected_statement import selected_statement
from auditor.privacy.selection import ParameterSelection
from auditor.release.policy.policy import Gate
from auditor.release.record import GateVerdict
from auditor.suggestions.candidates import SearchCandidate
from auditor.suggestions.context import SearchContext
from auditor.suggestions.limits import attacks_of
from auditor.suggestions.result import Suggestion
from auditor.suggestions.runs.evaluation import PassRate


@dataclass(frozen=True)
class RunOutcome:
    """A setting that was run in full, as it was kept, and how surely it passes."""

    point: Suggestion
    rate: PassRate

    @property
    def passes(self) -> bool:
        """Whether it passed, and would again."""
        return self.point.verdict.releasable and self.rate.sure

    @property
    def attacked(self) -> tuple[GateVerdict, ...]:
        """Gates on attacks that it failed, or may fail; empty if something else stands in its way.

        A setting of the same kind that adds more noise may pass these.
        """
        verdict = self.point.verdict
        failed = (*verdict.failed, *self.rate.near)
        if verdict.not_run or not all(attacks_of(one.gate) for one in failed):
            return ()
        return failed


class TooLittleTime(Cancelled):
    """A full run was not started, since it would take longer than what is left."""


class FullRuns:
    """Full runs of one search; what each part of one took corrects the forecast of the next."""

    def __init__(self, context: SearchContext) -> None:
        self._context = context
        self._estimator = CostEstimator.load_shipped()
        context.runner.learn = lambda run: self._estimator.learn(run, len(context.log))

    def run(
        self,
        candidate: SearchCandidate,
        reasons: Sequence[str] = (),
        settled: Sequence[Gate] = (),
        *,
        again: bool = False,
        calculated: float = math.nan,
    ) -> RunOutcome | None:
        """Run a setting in full; None where the method refuses it.

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
        context = self._context
        plan = context.runner.make_plan(candidate.method, candidate.params)
        cost = self._estimator.estimate_plan(plan, len(context.log))
        expected = 0.0 if cost is None else cost.seconds
        made = not again and context.store.find_run(plan.digest) is not None
        left = context.end.left
        if not made and expected > left:
            context.too_long = phrase(
                "The next full run ({title}) is expected to take {seconds:,.0f} s and did not fit "
                "into the {left:,.0f} s that were left.",
                title=as_phrase(METHODS[candidate.method].title),
                seconds=math.ceil(expected),
                left=max(math.floor(left), 0),
            )
            raise TooLittleTime
        context.progress.stage(
            phrase("running {title} in full", title=as_phrase(METHODS[candidate.method].title))
        )
        judged = context.runner.judge(candidate.method, candidate.params, again=again)
        if judged is None:
            return None
        rate = PassRate(calculated=calculated)
        if judged.verdict.releasable:
            context.progress.stage("looking again at what is near a limit")
            rate = context.runner.rate_pass(candidate.method, candidate.params, judged, settled)
            rate = replace(rate, runs=rate.runs + again, calculated=calculated)
        open_look = ParameterSelection("open", 0.0, context.looked_at)
        selection = open_look if context.request.mode == "open" else None
        point = context.add_suggestion(
            candidate,
            judged.utility,
            judged.verdict,
            selected_statement(judged.statement, selection, candidate.method, candidate.params),
            selection=selection,
            rate=rate,
            reasons=reasons,
        )
        return RunOutcome(point, rate)
