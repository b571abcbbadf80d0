"""The search for the most useful release that passes a policy.

Four ways of looking (`modes.MODES`) share what comes first: the policy's limits fix ε, δ and k of
every family of settings. Then

* *free* and *open*: expectations compare the families, of a large log on a sample first, and find
  the best ones' best number (`passing`); methods without ε are run on a sample, by bisection along
  what makes them stricter; the front is run in full, attacks and all, as long as the budget lasts;
* *sizes*: the same expectations, of a made-up log of as many users; nothing is run;
* *private*: one choice from a public list (`private_selection`), whose ε is part of the statement.

What was found by a cancel or the end of the budget is the result, and runs are kept (`store`).
"""

import hashlib
import json
import time
from dataclasses import replace

from auditor.errors import Cancelled, MissingInput
from auditor.log.model import QueryLog
from auditor.log.sentences import sentence
from auditor.messages import DisplayText, as_phrase, join_phrases
from auditor.methods.registry import METHODS
from auditor.privacy.noise import SecureRandomness
from auditor.privacy.public_size import round_up_users
from auditor.privacy.randomness import Randomness
from auditor.privacy.selection import ParameterSelection, digest_setting
from auditor.progress import run_cancellable, silent_progress
from auditor.release.kept_content import KeptContent
from auditor.suggestions.candidates import (
    RatedCandidate,
    SearchCandidate,
    find_family,
    list_families,
    list_public_candidates,
)
from auditor.suggestions.estimates import LogPart, expect_statement, few_users
from auditor.suggestions.front_search import LEVELS, FrontSearch, find_hopeless, search_strict
from auditor.suggestions.growth import LARGE, LEAST_USERS, STEPS, GrowthCurve, measure_growth
from auditor.suggestions.limits import PolicyLimits
from auditor.suggestions.passing import (
    FamilySearch,
    PlantedGates,
    find_most_queries,
    list_withstanding,
)
from auditor.suggestions.private_selection import choose_candidate
from auditor.suggestions.remedies import (
    CUT_SHORT,
    FREE_LOOK,
    describe_gate,
    find_obstacle,
    round_two_digits,
)
from auditor.suggestions.request import SearchHearing, SearchRequest
from auditor.suggestions.result import Obstacle, SearchCost, Suggestions, order_points
from auditor.suggestions.store import SearchStore
from auditor.suggestions.table import CandidateTable, TooLittleTime

MODEL_USERS = 4_000
"""Users of the made-up log that stands for a log of which the sizes alone are known."""
_MODEL_SEED = 1
UNSURE_CHOICE = sentence("private_choice.unsure")
"""What is said of a private choice whose noise is larger than what it chooses by."""


def suggest_release(
    request: SearchRequest,
    log: QueryLog,
    hearing: SearchHearing | None = None,
    store: SearchStore | None = None,
    rng: Randomness | None = None,
) -> Suggestions:
    """Search as the request says; `log` is that of the release, or in free mode the other one.

    In mode "sizes" nothing of the log is used but its number of users. `rng` is for tests. Raises
    `ParameterError` or `MissingInput` where the request doesn't go together, or the log is empty.
    """
    if log.origin.aggregated:
        raise MissingInput("This is a set of queries without users: no ε can be given for it.")
    if not len(log.users):
        raise MissingInput("The log has no rows. Open another file or check its column mapping.")
    table = CandidateTable(request, log, hearing or SearchHearing(), store or SearchStore())
    search = _ReleaseSearch(table)
    if request.mode == "private":
        return search.choose_privately(rng or SecureRandomness())
    return search.expect_from_sizes() if request.mode == "sizes" else search.search_log()


class _ReleaseSearch:
    """One search, by one of the ways of looking."""

    def __init__(self, table: CandidateTable) -> None:
        self._table = table
        self._request = table.request
        self._began, self._cpu = time.perf_counter(), time.process_time()

    # --- the ways of looking ---------------------------------------------------------------

    def search_log(self) -> Suggestions:
        """On a log that may be looked at: expectations, bisection, full runs of the front."""
        table, limits = self._table, self._make_limits()
        growth, stopped = None, ""
        try:
            search, best = self._find_expected(limits, table.log, 1.0)
            front = FrontSearch(table, search, limits)
            try:
                front.run(best)
            except TooLittleTime:  # for a full run; what takes less is done all the same
                stopped = "budget"
            first = front.chosen or (best[0] if best else None)
            moved = first is not None and all(first.params != other.params for other in best)
            growth = self._measure_growth(first, limits, table.log, moved=moved)
            search_strict(table, limits)
        except Cancelled:
            stopped = self._why_stopped()
        return self._make_result(limits, LogPart(table.log, 1.0), growth, stopped)

    def expect_from_sizes(self) -> Suggestions:
        """From the number of users alone, by a made-up log of as many."""
        from auditor.log.synthetic.generator import synthesize_log

        table = self._table
        users = table.users = round_up_users(self._request.users or len(table.log.users))
        spent = table.spent = table.store.choices.find_selection(table.log, table.progress)
        limits = self._make_limits(0.0 if spent is None else spent.epsilon)
        growth, part, stopped = None, None, ""
        try:
            size = min(users, MODEL_USERS)
            model = synthesize_log(size, seed=_MODEL_SEED, progress=table.progress).log
            part = LogPart(model, users / len(model.users), made_up=True)
            search, best = self._find_expected(limits, model, users / size)
            for level in LEVELS if best else ():  # less ε, as long as something is left
                lower = limits.with_epsilon(limits.epsilon * level)
                family = find_family(lower, best[0].method, best[0].family)
                assert family is not None
                limit_numbers = sorted({1, max(best[0].number // 3, 1), best[0].number})
                rated = search.find_best(family, search.part, limit_numbers)
                if rated is None or not table.expect_rated(rated, search.part).may_pass:
                    break
            find_hopeless(table, limits, model)
            if users < STEPS[-1] * size and best:
                growth = self._measure_growth(best[0], limits, model)
        except Cancelled:
            stopped = self._why_stopped()
        note: DisplayText = (
            "What is kept is that of the made-up log; the log's own may be far from it."
        )
        return self._make_result(limits, part, growth, stopped, note)

    def choose_privately(self, rng: Randomness) -> Suggestions:
        """On the log itself: one choice, whose ε is in the statement from then on."""
        table, request = self._table, self._request
        log, choices = table.log, table.store.choices
        goal, epsilon = request.goal.name, request.selection_epsilon
        digest = _digest_search(request)
        answer = choices.find_answer(log, digest)
        total, searches = choices.sum_spent(log, table.progress)
        if answer is None:
            selection = ParameterSelection("private", total + epsilon, 0, searches + 1)
            try:
                candidates = self._list_public_candidates(selection)
                choice = choose_candidate(log, candidates, goal, epsilon, rng, table.progress)
            except Cancelled:  # nothing was chosen, so nothing is spent
                return self._make_result(self._make_limits(), None, None, self._why_stopped())
            candidate = candidates[choice.place]
            new_answer = {
                "epsilon": epsilon,
                "method": candidate.method,
                "params": candidate.params.to_dict(),
                "family": candidate.family,
                "number": candidate.number,
                "worth": choice.score,
                "error": choice.error,
                "resolution": choice.resolution,
                "candidates": len(candidates),
            }
            answer, total, searches = choices.keep_answer(log, digest, new_answer, table.progress)
        method = str(answer["method"])
        params = METHODS[method].params.of(answer["params"])
        candidate = SearchCandidate(method, params, str(answer["family"]), int(answer["number"]))
        selection = ParameterSelection("private", total, 0, searches)
        if (listed := answer.get("candidates")) is None:  # of an older version's choice
            listed = len(self._list_public_candidates(selection))
        compared = int(listed)
        table.count_settings(lambda: compared)
        digest = digest_setting(method, params.to_dict())
        selection = replace(selection, candidates=compared, chosen=digest)
        score, error = float(answer["worth"]), float(answer["error"])
        better = float(answer["resolution"])
        # A share of searches is one of the log's own number, which stays inside like a verdict.
        content, utility = KeptContent(queries=int(score)), score
        if goal != "queries":
            of = int(log.searches_by_query.sum())
            content = KeptContent(searches=min(score, of), log_searches=of)
            utility = min(score / max(of, 1), 1.0)
        table.expect(candidate, content, utility, selection)
        goal_words = as_phrase("queries" if goal == "queries" else "searches")
        off, better_by = round_two_digits(error), round_two_digits(better)
        notes = [
            sentence("private_choice.kept", worth=score, what=goal_words, error=off),
            sentence("private_choice.cost", epsilon=epsilon, better=better_by, what=goal_words),
        ]
        if better > score:
            notes.append(UNSURE_CHOICE)
        if total > epsilon:
            notes.append(sentence("private_choice.earlier", total=total))
        return self._make_result(self._make_limits(), None, None, "", join_phrases(" ", notes))

    # --- parts of them ---------------------------------------------------------------------

    def _make_limits(self, selection_epsilon: float = 0.0) -> PolicyLimits:
        request, users = self._request, self._table.users
        return PolicyLimits.of(request.policy, users, selection_epsilon, request.earlier)

    def _why_stopped(self) -> str:
        return "cancelled" if self._table.end.cancelled else "budget"

    def _list_public_candidates(self, selection: ParameterSelection) -> tuple[SearchCandidate, ...]:
        """Settings that pass with the choice's ε on top; depends on nothing in the log.

        What planted strings show of a setting is calculated, and those that would fail are left
        out, unless all would.
        """
        limits, methods = self._make_limits(selection.epsilon), self._table.dp_methods
        planted = PlantedGates(self._request.policy)
        standing = list_withstanding(limits, planted, methods, self._table.progress)
        return standing or list_public_candidates(limits, methods)

    def _find_expected(
        self, limits: PolicyLimits, log: QueryLog, scale: float
    ) -> tuple[FamilySearch, list[RatedCandidate]]:
        """The best setting of each of the last families, the most useful first."""
        table = self._table
        run_cancellable(few_users, table.progress)
        made_up = log is not table.log
        search = FamilySearch(log, self._request.goal, table.progress, scale, made_up=made_up)
        table.count_settings(lambda: search.looked_at)
        best: list[RatedCandidate] = []
        for part, best in search.iterate_best(list_families(limits, table.dp_methods)):
            table.drop_expected()
            for candidate in best:
                table.expect_rated(candidate, part)
        return search, best

    def _measure_growth(
        self,
        candidate: RatedCandidate | None,
        limits: PolicyLimits,
        log: QueryLog,
        *,
        moved: bool = False,
    ) -> GrowthCurve | None:
        """How many queries pass with more users, at the guarantee of a setting.

        With `moved`, gates on attacks set its δ and how much of each user counts: both stay.
        """
        if candidate is None or not self._request.growth or len(log.users) < LEAST_USERS:
            return None
        table, method, number = self._table, candidate.method, candidate.number
        statement = expect_statement(method, candidate.params, table.users)
        if statement is not None and statement.epsilon:
            limits = limits.with_epsilon(min(limits.epsilon, statement.epsilon))
        if moved and statement is not None and statement.delta:
            limits = limits.of_delta(min(1.0, statement.delta / limits.delta))

        def expect(part: LogPart, users: int) -> float:
            table.progress.check()
            family = find_family(limits.of_users(users), method, candidate.family)
            if family is None:
                return 0.0
            numbers = family.numbers
            if moved:
                numbers = (number,)
            elif table.users > LARGE:  # numbers far from the best would cost most of the time
                numbers = tuple(n for n in numbers if number / 2 <= n <= number * 3)
            peak = find_most_queries(replace(family, numbers=numbers), part, silent_progress())
            return 0.0 if peak is None else peak.estimate.queries

        description = sentence(
            "growth.guarantee",
            title=METHODS[method].title,
            epsilon=limits.epsilon,
            delta=limits.delta * limits.users,
        )
        return measure_growth(log, expect, description, table.progress, table.users)

    def _make_result(
        self,
        limits: PolicyLimits,
        part: LogPart | None,
        growth: GrowthCurve | None,
        stopped: str,
        note: DisplayText = "",
    ) -> Suggestions:
        table, request = self._table, self._request
        points = order_points(table.points)
        obstacle = None
        if not (points and points[0].may_pass) and part is not None and not stopped:
            obstacle = find_obstacle(table, points, part, limits)
            stopped = self._why_stopped() if table.end.is_set() else ""
        elif points and not points[0].may_pass:
            gates = tuple(describe_gate(check) for check in points[0].verdict.failed)
            look = FREE_LOOK if request.mode == "private" else CUT_SHORT
            obstacle = Obstacle(gates, (look,))
        compared: DisplayText = ""
        if not request.goal.expectable and table.looked_at:
            compared = sentence("suggestions.compared_by_share", goal=request.goal.title)
        earlier: tuple[str, ...] = ()
        if request.earlier is not None:
            checks = request.policy.checks
            epsilon_limits = [g.most for g in checks if g.figure == "ledger.epsilon" and g.most]
            earlier = request.earlier.list_sentences(min(epsilon_limits, default=None))
        return Suggestions(
            mode=request.mode,
            goal=request.goal.title,
            policy=request.policy.name,
            users=request.users or len(table.log.users),
            points=points,
            obstacle=obstacle,
            growth=growth,
            cost=SearchCost(
                time.perf_counter() - self._began,
                time.process_time() - self._cpu,
                table.looked_at,
                table.runner.runs,
                table.runner.reused,
            ),
            stopped=stopped,
            too_long=table.too_long,
            note=join_phrases(" ", filter(None, (note, compared))),
            left_out=table.say_pruned(),
            earlier=earlier,
        )


def _digest_search(request: SearchRequest) -> str:
    """What makes two private searches of a log the same."""
    parts = [
        request.policy.sha256,
        request.goal.name,
        list(request.searched),
        request.selection_epsilon,
        request.users,
    ]
    if request.earlier is not None:
        parts.append(list(request.earlier.key))
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()
