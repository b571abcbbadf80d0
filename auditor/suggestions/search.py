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
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from auditor.errors import Cancelled, MissingInput
from auditor.log.model import QueryLog
from auditor.log.sentences import sentence
from auditor.messages import DisplayText, join_phrases, phrase
from auditor.methods.registry import METHODS
from auditor.methods.selected_statement import selected_statement
from auditor.privacy.noise import SecureRandomness
from auditor.privacy.public_size import round_up_users
from auditor.privacy.randomness import Randomness
from auditor.privacy.selection import ParameterSelection, digest_setting
from auditor.progress import silent_progress
from auditor.release.kept_content import KeptContent
from auditor.suggestions.candidates import (
    SearchCandidate,
    find_family,
    list_families,
    list_public_candidates,
)
from auditor.suggestions.context import SearchContext, TooLittleTime
from auditor.suggestions.estimates import LogPart, expect_statement, few_users
from auditor.suggestions.family_search import FamilySearch, RatedCandidate, find_most_queries
from auditor.suggestions.growth import LARGE, LEAST_USERS, GrowthCurve, measure_growth
from auditor.suggestions.limits import PolicyLimits, attacks_of
from auditor.suggestions.obstacles import (
    CUT_SHORT,
    FREE_LOOK,
    RemedySearch,
    describe_gate,
    find_obstacle,
    round_two_digits,
)
from auditor.suggestions.private_selection import choose_candidate
from auditor.suggestions.request import SearchHearing, SearchRequest
from auditor.suggestions.result import Obstacle, SearchCost, Suggestions, order_points
from auditor.suggestions.runs.front_search import FrontSearch, add_expected, search_strict
from auditor.suggestions.runs.planted_gates import PlantedGates, list_withstanding
from auditor.suggestions.store import SearchStore
from auditor.suggestions.waiting import wait_for_loading

ATTACKED = 1_500
"""Users of the sample on which attacks on remedies are tried."""
MODEL_USERS = 4_000
"""Users of the made-up log that stands for a log of which the sizes alone are known."""
_MODEL_SEED = 1
UNSURE_CHOICE = (
    "That is more than is kept, so this setting may be far from the best: the log has few users "
    "for a private choice. An older or a synthetic log shows more, at no cost."
)
"""What is said of a private choice whose noise is larger than what it chooses by."""


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
    search = _ReleaseSearch(SearchContext(request, log, heard, store or SearchStore()))
    if request.mode == "private":
        return search.choose_privately(rng or SecureRandomness())
    if request.mode == "sizes":
        return search.expect_from_sizes()
    return search.search_log()


class _ReleaseSearch:
    """One search, by one of the ways of looking."""

    def __init__(self, context: SearchContext) -> None:
        self._context = context
        self._request = context.request
        self._began, self._cpu = time.perf_counter(), time.process_time()

    # --- the ways of looking ---------------------------------------------------------------

    def search_log(self) -> Suggestions:
        """On a log that may be looked at: expectations, bisection, full runs of the front."""
        context, limits = self._context, self._make_limits()
        growth: GrowthCurve | None = None
        stopped = ""
        try:
            search, best = self._find_expected(limits, context.log, 1.0)
            front = FrontSearch(context, search, limits)
            try:
                front.run(best)
            except TooLittleTime:  # for a full run; what takes less is done all the same
                stopped = "budget"
            first = front.chosen or (best[0] if best else None)
            moved = first is not None and not any(
                first.candidate.params == one.candidate.params for one in best
            )
            growth = self._compute_growth(first, limits, context.log, moved=moved)
            search_strict(context, limits)
        except Cancelled:
            stopped = self._why_stopped()
        return self._make_result(limits, LogPart(context.log, 1.0), growth, stopped)

    def expect_from_sizes(self) -> Suggestions:
        """From the number of users alone, by a made-up log of as many."""
        from auditor.log.synthetic.generator import synthesize_log

        context = self._context
        users = context.users = round_up_users(self._request.users or len(context.log.users))
        limits = self._make_limits()
        growth: GrowthCurve | None = None
        stopped = ""
        model: QueryLog | None = None
        try:
            size = min(users, MODEL_USERS)
            model = synthesize_log(size, seed=_MODEL_SEED, progress=context.progress).log
            _, best = self._find_expected(limits, model, users / size)
            if users <= MODEL_USERS and best:
                growth = self._compute_growth(best[0], limits, model)
        except Cancelled:
            stopped = self._why_stopped()
        part = None if model is None else LogPart(model, users / len(model.users))
        note: DisplayText = (
            "What is kept is that of the made-up log; the log's own may be far from it."
        )
        return self._make_result(limits, part, growth, stopped, note)

    def choose_privately(self, rng: Randomness) -> Suggestions:
        """On the log itself: one choice, whose ε is in the statement from then on."""
        context, request = self._context, self._request
        log, choices = context.log, context.store.choices
        name = request.goal.name
        epsilon = request.selection_epsilon
        search = _digest_search(request)
        known = choices.find_answer(log, search)
        spent, made = choices.sum_spent(log, context.progress)
        total = spent if known is not None else spent + epsilon
        selection = ParameterSelection("private", total, 0, made if known is not None else made + 1)
        if known is None:
            try:
                candidates = self._public_candidates(selection)
                choice = choose_candidate(log, candidates, name, epsilon, rng, context.progress)
            except Cancelled:  # nothing was chosen, so nothing is spent
                return self._make_result(self._make_limits(), None, None, self._why_stopped())
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
                "candidates": len(candidates),
            }
            known, total, made = choices.keep_answer(log, search, answer, context.progress)
            selection = replace(selection, epsilon=total, searches=made)
        chosen = SearchCandidate(
            str(known["method"]),
            METHODS[str(known["method"])].params(**known["params"]),
            str(known["family"]),
            int(known["number"]),
        )
        if (kept := known.get("candidates")) is None:
            kept = len(self._public_candidates(selection))
        compared = int(kept)  # of when the choice was made
        selection = replace(
            selection,
            candidates=compared,
            chosen=digest_setting(chosen.method, chosen.params.to_dict()),
        )
        context.count_settings(lambda: compared)
        better, error = float(known["resolution"]), float(known["error"])
        worth = float(known["worth"])
        self._add_private(chosen, selection, worth)
        what = "queries" if name == "queries" else "searches"
        told = [
            sentence("private_choice.kept", worth=worth, what=what, error=round_two_digits(error)),
            sentence(
                "private_choice.cost", epsilon=epsilon, better=round_two_digits(better), what=what
            ),
        ]
        if better > worth:
            told.append(UNSURE_CHOICE)
        if total > epsilon:
            told.append(
                phrase("With earlier choices on this log, ε = {total:g} was spent.", total=total)
            )
        note = join_phrases(" ", told)
        return self._make_result(self._make_limits(), None, None, "", note)

    # --- parts of them ---------------------------------------------------------------------

    def _make_limits(self, selection_epsilon: float = 0.0) -> PolicyLimits:
        request = self._request
        return PolicyLimits.of(
            request.policy, self._context.users, selection_epsilon, request.earlier
        )

    def _why_stopped(self) -> str:
        return "cancelled" if self._context.hearing.stop.is_set() else "budget"

    def _public_candidates(self, selection: ParameterSelection) -> tuple[SearchCandidate, ...]:
        """Settings that pass with the choice's ε on top; depends on nothing in the log.

        What planted strings show of a setting is calculated, and those that would fail are left
        out, unless all would.
        """
        limits = self._make_limits(selection.epsilon)
        planted = PlantedGates(self._request.policy)
        standing = list_withstanding(limits, planted, self._context.counted, self._context.progress)
        return standing or list_public_candidates(limits, self._context.counted)

    def _find_expected(
        self, limits: PolicyLimits, log: QueryLog, scale: float
    ) -> tuple[FamilySearch, list[RatedCandidate]]:
        """The best setting of each of the last families, the most useful first."""
        context = self._context
        wait_for_loading(few_users, context.progress)
        search = FamilySearch(log, self._request.goal, context.progress, scale)

        def show_best(best: Sequence[RatedCandidate], part: LogPart) -> None:
            context.drop_expected()
            for one in best:
                add_expected(context, one, part)

        context.count_settings(lambda: search.looked_at)
        best = search.find_best(list_families(limits, context.counted), show_best)
        show_best(best, search.parts[-1])
        return search, best

    def _compute_growth(
        self,
        one: RatedCandidate | None,
        limits: PolicyLimits,
        log: QueryLog,
        *,
        moved: bool = False,
    ) -> GrowthCurve | None:
        """How many queries pass with more users, at the guarantee of a setting.

        With `moved`, gates on attacks set its δ and how much of each user counts: both stay.
        """
        if one is None or not self._request.growth or len(log.users) < LEAST_USERS:
            return None
        candidate, context = one.candidate, self._context
        statement = expect_statement(candidate.method, candidate.params, context.users)
        if statement is not None and statement.epsilon:
            limits = limits.with_epsilon(min(limits.epsilon, statement.epsilon))
        if moved and statement is not None and statement.delta:
            limits = limits.of_delta(min(1.0, statement.delta / limits.delta))

        def expect(part: LogPart, users: int) -> float:
            context.progress.check()
            family = find_family(limits.of_users(users), candidate.method, candidate.family)
            if family is None:
                return 0.0
            numbers = family.numbers
            if moved:
                numbers = (candidate.number,)
            elif context.users > LARGE:  # numbers far from the best would cost most of the time
                low, high = candidate.number / 2, candidate.number * 3
                numbers = tuple(n for n in numbers if low <= n <= high)
            peak = find_most_queries(replace(family, numbers=numbers), part, silent_progress())
            return 0.0 if peak is None else peak[1].queries

        about = sentence(
            "growth.guarantee",
            title=METHODS[candidate.method].title,
            epsilon=limits.epsilon,
            delta=limits.delta * limits.users,
        )
        return measure_growth(log, expect, about, context.progress)

    def _add_private(
        self, chosen: SearchCandidate, selection: ParameterSelection, worth: float
    ) -> None:
        """Keep what was chosen, judged by the noisy estimate of what it keeps.

        A share of searches is one of the log's own number, which stays inside like a verdict.
        """
        context = self._context
        statement = expect_statement(chosen.method, chosen.params, context.users)
        assert statement is not None
        statement = selected_statement(statement, selection, chosen.method, chosen.params)
        if self._request.goal.name == "queries":
            kept, utility = KeptContent(queries=int(worth)), worth
        else:
            searches = int(context.log.searches_by_query.sum())
            kept = KeptContent(searches=min(worth, searches), log_searches=searches)
            utility = min(worth / max(searches, 1), 1.0)
        verdict = context.expect_verdict(chosen, statement, kept)
        context.add_suggestion(chosen, utility, verdict, statement, selection=selection)

    def _make_result(
        self,
        limits: PolicyLimits,
        part: LogPart | None,
        growth: GrowthCurve | None,
        stopped: str,
        note: DisplayText = "",
    ) -> Suggestions:
        context, request = self._context, self._request
        points = order_points(context.points)
        obstacle = None
        if not (points and points[0].may_pass) and part is not None and not stopped:
            context.progress.stage("what would help")
            few = part.log.sample_users(ATTACKED, _MODEL_SEED)
            failed = [one.gate for point in points for one in point.verdict.failed]
            attacked = {gate.name: gate for gate in failed if attacks_of(gate)}
            remedies = RemedySearch(
                part.log,
                part.scale,
                request.policy,
                limits,
                context.counted,
                context.progress,
                context.runner_on(few),
                tuple(attacked.values()),
            )
            obstacle = find_obstacle(points, context.pruned, remedies)
            stopped = self._why_stopped() if context.end.is_set() else ""
        elif points and not points[0].may_pass:
            gates = tuple(describe_gate(one) for one in points[0].verdict.failed)
            look = FREE_LOOK if request.mode == "private" else CUT_SHORT
            obstacle = Obstacle(gates, (look,))
        compared: DisplayText = ""
        if not request.goal.expectable and context.looked_at:
            compared = sentence("suggestions.compared_by_share", goal=request.goal.title)
        earlier: tuple[str, ...] = ()
        if request.earlier is not None:
            checks = request.policy.checks
            most = [g.most for g in checks if g.figure == "ledger.epsilon" and g.most]
            earlier = request.earlier.list_sentences(min(most, default=None))
        return Suggestions(
            mode=request.mode,
            goal=request.goal.title,
            policy=request.policy.name,
            users=request.users or len(context.log.users),
            points=points,
            obstacle=obstacle,
            growth=growth,
            cost=SearchCost(
                time.perf_counter() - self._began,
                time.process_time() - self._cpu,
                context.looked_at,
                context.runner.runs,
                context.runner.reused,
            ),
            stopped=stopped,
            too_long=context.too_long,
            note=join_phrases(" ", filter(None, (note, compared, context.say_pruned()))),
            earlier=earlier,
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
    if request.earlier is not None:
        told.append(list(request.earlier.key))
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()
