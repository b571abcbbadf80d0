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

import contextlib
import functools
import hashlib
import itertools
import json
import math
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from auditor.errors import Cancelled, MissingInput, ParameterError
from auditor.figures import format_share
from auditor.log.model import QueryLog
from auditor.log.sentences import sentence
from auditor.messages import DisplayText, as_phrase, join_phrases
from auditor.methods.registry import METHODS
from auditor.privacy.noise import SecureRandomness
from auditor.privacy.public_size import round_up_users
from auditor.privacy.randomness import Randomness
from auditor.privacy.selection import ParameterSelection, digest_setting
from auditor.progress import run_cancellable, silent_progress
from auditor.release.gates import is_utility
from auditor.release.kept_content import KeptContent
from auditor.release.policy.policy import Gate
from auditor.release.record import GateVerdict
from auditor.release.verdict import expected_verdict
from auditor.suggestions.candidates import (
    LIMITS,
    CandidateFamily,
    RatedCandidate,
    SearchCandidate,
    find_family,
    find_first,
    list_families,
    list_public_candidates,
)
from auditor.suggestions.estimates import (
    MISSES,
    LogPart,
    expect_statement,
    few_users,
    find_hidden,
    predicted_gates,
)
from auditor.suggestions.growth import LARGE, LEAST_USERS, STEPS, GrowthCurve, measure_growth
from auditor.suggestions.limits import PolicyLimits
from auditor.suggestions.passing import (
    SLOW_ROWS,
    FamilySearch,
    PassingSettings,
    PlantedGates,
    find_most_queries,
    list_numbers,
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
from auditor.suggestions.result import (
    Obstacle,
    PassRate,
    SearchCost,
    Suggestion,
    Suggestions,
    order_points,
    quote_titles,
)
from auditor.suggestions.store import SearchStore
from auditor.suggestions.table import CandidateRunner, CandidateTable, TooLittleTime, expect_verdict

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
        score, error, better = (float(answer[name]) for name in ("worth", "error", "resolution"))
        # A share of searches is one of the log's own number, which stays inside like a verdict.
        content, utility = KeptContent(queries=int(score)), score
        if goal != "queries":
            of = int(log.searches_by_query.sum())
            content = KeptContent(searches=min(score, of), log_searches=of)
            utility = min(score / max(of, 1), 1.0)
        table.expect(candidate, content, utility, selection)
        what = as_phrase("queries" if goal == "queries" else "searches")
        off, better_by = round_two_digits(error), round_two_digits(better)
        notes = [
            sentence("private_choice.kept", worth=score, what=what, error=off),
            sentence("private_choice.cost", epsilon=epsilon, better=better_by, what=what),
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

        title, delta = METHODS[method].title, limits.delta * limits.users
        guarantee = sentence("growth.guarantee", title=title, epsilon=limits.epsilon, delta=delta)
        return measure_growth(log, expect, guarantee, table.progress, table.users)

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
            look = FREE_LOOK if request.mode == "private" else CUT_SHORT
            obstacle = Obstacle(tuple(map(describe_gate, points[0].verdict.failed)), (look,))
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
    parts: list[Any] = [request.policy.sha256, request.goal.name, request.searched]
    parts += [request.selection_epsilon, request.users]
    parts += [request.earlier.key] if request.earlier is not None else []
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


# --- settings with ε that are run in full, and methods without ε --------------------------------


LEVEL_STEP = 0.97
"""Neighbouring shares of ε that are told apart."""
LEVELS_DOWN = 76
"""Such steps down to a tenth of the policy's ε, the least that is looked at."""
DRAWS = 3
"""How often attacks on a setting are repeated."""
LEVELS = (0.5, 0.25, 0.125)
"""Shares of the policy's ε at which the front is looked at besides."""
TRIED = 6
"""Families of which settings are run in full at most, where what is expected to pass does not."""
SAMPLE = 1_500
"""Users of the sample on which attacks, and settings without ε, are tried."""
_SEED = 1

Rate = Callable[[int], RatedCandidate | None]
"""A setting by its place on a way from the most useful one, which fails, to the safest."""


class FrontSearch:
    """The settings with ε of one search that are run in full."""

    def __init__(self, table: CandidateTable, search: FamilySearch, limits: PolicyLimits) -> None:
        self._table = table
        self._search = search
        self._whole = search.part
        self._limits = limits
        self._runners = [table.runner]  # try attacks, on a sample of users first
        if len(table.log.users) > 2 * SAMPLE:
            self._runners.insert(0, table.runner_on(table.log.sample_users(SAMPLE, _SEED)))
        self._failed: dict[str, Gate] = {}
        self.chosen: RatedCandidate | None = None
        policy = table.request.policy
        self._planted = PlantedGates(policy)
        self._predicted = predicted_gates(policy)
        self._passing: PassingSettings | None = None
        self._quick: RatedCandidate | None = None

    def run(self, best: Sequence[RatedCandidate]) -> None:
        """Run settings in full; `chosen` is the most useful one that passed so far, or None."""
        refused: list[tuple[RatedCandidate, list[Gate]]] = []
        table, full_part = self._table, self._whole
        hidden = find_hidden(full_part.log, table.request.policy, table.progress)
        part = replace(full_part, hidden=hidden)
        for candidate in self._iterate_passing(best, part):
            if self.chosen is not None and candidate.utility <= self.chosen.utility:
                break
            gates, passes = self._try_setting(candidate)
            if passes:
                self.chosen = candidate
                if candidate is not self._quick:
                    break
            if gates:
                refused.append((candidate, gates))
        if self.chosen is None and not refused and best and not table.runner.runs:
            table.run_in_full(best[0])  # to show what stands in the way
        for candidate, gates in refused:
            floor = -math.inf if self.chosen is None else self.chosen.utility
            if candidate.utility > floor:
                self.chosen = self._run_safer(candidate, gates, floor) or self.chosen
        if self.chosen is not None:
            self._run_lower(self.chosen, part)

    def _iterate_passing(
        self, best: Sequence[RatedCandidate], part: LogPart
    ) -> Iterator[RatedCandidate]:
        """Settings that are expected to pass; what is known of the others is said of them."""
        table = self._table
        table.progress.stage("looking for settings that withstand the attacks")
        passing = PassingSettings(self._search, part, self._limits, self._planted)
        self._passing = passing
        for candidate in best:
            self._say_prediction(candidate, part)
        families = list_numbers(list_families(self._limits, table.dp_methods), best, len(part.log))
        if len(part.log) >= SLOW_ROWS:
            quick = passing.find([pair for pair in families if not pair[0].walks])
            self._quick = next(quick, None)
            if self._quick is not None:
                table.expect_rated(self._quick, self._whole)
                yield self._quick
        for candidate in itertools.islice(passing.find(families), TRIED):
            table.expect_rated(candidate, self._whole)
            yield candidate

    def _say_prediction(self, candidate: RatedCandidate, part: LogPart) -> None:
        """Have a setting that is expected to fail a gate on an attack say so."""
        rated = self._search.rate(candidate, part)
        if rated is None:
            return
        failed = []
        safe = rated.estimate.safe
        if not rated.estimate.hides:
            # How often a release shows what the policy wants kept back, which is too often.
            reason = sentence("reasons.mostly_shown", share=format_share(1 - safe))
            if safe >= 0.5:
                one_in = math.floor(1 / max(1 - safe, 1e-9))
                reason = sentence("reasons.shown_too_often", often=one_in, accepted=MISSES)
            failed += [GateVerdict(hidden.gate, "failed", None, reason) for hidden in part.hidden]
        if not self._planted.withstands(candidate):
            reason = "calculated: it fails, or is too near the limit to be sure"
            failed += [GateVerdict(gate, "failed", None, reason) for gate in self._planted.gates]
        if failed:
            self._refuse_setting(candidate, failed, PassRate(), ())

    def _try_setting(self, candidate: RatedCandidate) -> tuple[list[Gate], bool]:
        """Whether a setting passes in full; if not, the gates on attacks that it fails."""
        if self._failed:
            runner = self._runners[0]
            rate = self._try_attacks(runner, candidate, list(self._failed.values()))
            refused = [gate for gate in rate.close_gates if gate.verdict != "does not apply"]
            if refused:
                reason = sentence("reasons.attacked_on_sample", users=len(runner.log.users))
                self._refuse_setting(candidate, refused, rate, (reason,))
                return [gate.gate for gate in refused], False
        point = self._run_settled(candidate)
        if point is None or point.passes:
            return [], point is not None
        settled = self._list_settled(candidate)
        gates = [gate.gate for gate in point.attacked if gate.gate not in settled]
        if point.attacked and not gates and self._passing is not None:
            self._passing.offer_next(candidate)
        self._failed |= {gate.name: gate for gate in gates}
        return gates, False

    def _list_settled(self, candidate: RatedCandidate) -> tuple[Gate, ...]:
        """The gates that are calculated to let a setting pass with room to spare."""
        return (*self._predicted, *self._planted.list_settled(candidate))

    def _run_settled(self, candidate: RatedCandidate) -> Suggestion | None:
        """Run in full what is expected to pass the gates that are decided by calculation."""
        reasons, safe = [], candidate.estimate.safe
        if not math.isnan(safe):
            one_in = min(1 / max(1 - safe, 1e-9), 1e6)
            digits = 10.0 ** max(math.floor(math.log10(one_in)) - 1, 0)
            often = math.floor(one_in / digits) * digits
            reasons.append(sentence("reasons.calculated", often=often))
        settled = self._list_settled(candidate)
        point = self._table.run_in_full(candidate, reasons, settled, calculated=safe)
        if point is None or point.verdict.not_run:
            return point
        failed = [gate.gate for gate in point.verdict.failed]
        if not failed or any(gate not in settled for gate in failed):
            return point
        # One release in some hundred fails these: they are looked at several times before this is
        # taken for more than bad luck.
        remaining = tuple(gate for gate in settled if gate not in failed)
        return self._table.run_in_full(candidate, reasons, remaining, anew=True, calculated=safe)

    def _run_safer(
        self, candidate: RatedCandidate, gates: Sequence[Gate], floor: float
    ) -> RatedCandidate | None:
        """The most useful setting of a family that withstands, run in full; None without one."""
        required = dict.fromkeys((*gates, *self._failed.values()))
        for runner in self._runners:
            self._table.progress.stage("looking for a setting that withstands the attacks")
            safer = self._find_safer(runner, candidate, tuple(required), floor)
            if safer is None:
                continue
            kept = format_share(safer.utility / candidate.utility if candidate.utility > 0 else 1.0)
            before, after = map(self._describe_setting, (candidate, safer))
            titles = quote_titles(gates)
            reason = sentence("reasons.step", before=before, titles=titles, after=after, kept=kept)
            point = self._table.run_in_full(safer, (reason,))
            if point is not None and point.passes:
                return safer
            newly_attacked = () if point is None else point.attacked
            required |= dict.fromkeys(gate.gate for gate in newly_attacked)
            self._failed |= {gate.gate.name: gate.gate for gate in newly_attacked}
        return None

    def _find_safer(
        self,
        runner: CandidateRunner,
        candidate: RatedCandidate,
        gates: Sequence[Gate],
        floor: float,
    ) -> RatedCandidate | None:
        """The most useful setting of a family that passes some gates; None below `floor`."""
        number, limits = candidate.number, self._limits
        family = find_family(limits, candidate.method, candidate.family)
        assert family is not None
        above = [other for other in family.numbers if other > number]
        between = [round((low * high) ** 0.5) for low, high in itertools.pairwise(above)]
        numbers = [number, *sorted({*above, *between})]
        limit_numbers = sorted({max(number // 2, 1), number, number * 3 // 2 + 1})

        def rate_at_less_epsilon(place: int) -> RatedCandidate | None:
            lower = limits.with_epsilon(limits.epsilon * LEVEL_STEP**place)
            lowered = find_family(lower, candidate.method, candidate.family)
            assert lowered is not None
            return self._search.find_best(lowered, self._whole, limit_numbers)

        def rate_at_number(place: int) -> RatedCandidate | None:
            return self._search.rate(family.make_candidate(numbers[place]), self._whole)

        safest: RatedCandidate | None = None
        for length, rate in ((LEVELS_DOWN, rate_at_less_epsilon), (len(numbers), rate_at_number)):
            least = floor if safest is None else max(floor, safest.utility)
            path = functools.cache(lambda place, rate=rate: rate(place) if place else candidate)
            safest = self._find_first_safe(runner, length, path, gates, least) or safest
        return safest

    def _try_attacks(
        self, runner: CandidateRunner, candidate: RatedCandidate, gates: Sequence[Gate]
    ) -> PassRate:
        """How a setting does by some gates in a few runs that make nothing but their attacks."""
        method, params = candidate.method, candidate.params
        checks = runner.judge_again(method, params, gates, 0)
        if bad := tuple(gate for gate in checks if gate.verdict != "passed"):
            return PassRate(1, 0, bad)
        return runner.repeat(method, params, checks, DRAWS)

    def _find_first_safe(
        self, runner: CandidateRunner, length: int, rate: Rate, gates: Sequence[Gate], floor: float
    ) -> RatedCandidate | None:
        """Bisection for the first place that passes, before the utility falls to `floor`."""

        def is_too_little(place: int) -> bool:
            candidate = rate(place)
            if candidate is None or candidate.utility <= floor:
                return True
            return not candidate.leaves_enough(self._limits)

        def passes(place: int) -> bool:
            candidate = rate(place)
            return candidate is not None and self._try_attacks(runner, candidate, gates).sure

        last = find_first(0, length, is_too_little) - 1
        if last == 0 or not passes(last):
            return None
        return rate(find_first(0, last, passes))

    def _run_lower(self, candidate: RatedCandidate, part: LogPart) -> None:
        """The family of what passed with less ε, as long as something is left."""
        spent, number = self._expect_epsilon(candidate), candidate.number
        for level in LEVELS:
            limits = self._limits.with_epsilon(self._limits.epsilon * level)
            if limits.epsilon >= spent:
                continue
            family = find_family(limits, candidate.method, candidate.family)
            assert family is not None
            numbers = sorted({1, max(number // 3, 1), number, min(3 * number, LIMITS[-1])})
            passing = PassingSettings(self._search, part, limits, self._planted)
            lower = next(passing.find([(family, numbers)]), None)
            if lower is None or not self._table.expect_rated(lower, self._whole).may_pass:
                break  # with less ε still less is left
            self._run_settled(lower)

    def _refuse_setting(
        self,
        candidate: RatedCandidate,
        refused: Sequence[GateVerdict],
        rate: PassRate,
        reasons: Sequence[str],
    ) -> None:
        """Keep what is known of a setting that is not run in full, since it would not pass."""
        point = self._table.expect_rated(candidate, self._whole)
        checks = {check.gate.name: check for check in point.verdict.record.judged}
        for check in refused:
            failed = check.verdict == "passed"
            checks[check.gate.name] = replace(check, verdict="failed") if failed else check
        record = replace(point.verdict.record, judged=tuple(checks.values()))
        verdict, statement = expected_verdict(record), point.statement
        self._table.add_suggestion(
            candidate, point.utility, verdict, statement, rate=rate, reasons=reasons
        )

    def _describe_setting(self, candidate: RatedCandidate) -> DisplayText:
        epsilon = self._expect_epsilon(candidate)
        return sentence("reasons.epsilon_and_limit", epsilon=epsilon, limit=candidate.number)

    def _expect_epsilon(self, candidate: RatedCandidate) -> float:
        statement = expect_statement(candidate.method, candidate.params, self._table.users)
        return math.inf if statement is None else statement.epsilon or math.inf


FAR = 0.5
"""Expected queries below this share of what is wanted are too few, noise and all."""


def search_strict(table: CandidateTable, limits: PolicyLimits) -> None:
    """What no setting could mend is left out; of the rest, the least strict that passes is run."""
    sample = table.log.sample_users(SAMPLE, _SEED)
    for family in find_hopeless(table, limits, table.log):
        for number in _list_passing(table, family, sample):
            candidate = family.make_candidate(number)
            point = None if candidate is None else table.run_in_full(candidate)
            if point is not None and point.passes:
                break


def find_hopeless(
    table: CandidateTable, limits: PolicyLimits, log: QueryLog
) -> list[CandidateFamily]:
    """Families without ε of which some setting may pass; of the others the table says why not."""
    names = [name for name in table.request.searched if not METHODS[name].families]
    sample, hopeful = log.sample_users(SAMPLE, _SEED), []
    for family in list_families(limits, names):
        table.progress.check()
        reason = _explain_hopeless(table, family, log, sample)
        if reason is None:
            hopeful.append(family)
        else:
            table.pruned.setdefault(family.method, reason)
    return hopeful


def _explain_hopeless(
    table: CandidateTable, family: CandidateFamily, full_log: QueryLog, sample: QueryLog
) -> GateVerdict | None:
    """The check that the family can't pass, if there is one."""
    look = METHODS[family.method].outlook
    if look is None:
        return None
    table.count_settings(lambda: 1)
    single = family.direction == "single"
    log = full_log if single else sample
    outlook = None
    for candidate in family.iterate_candidates(reversed(family.numbers)):
        with contextlib.suppress(ParameterError):  # groups of more users than there are
            outlook = look(log, candidate.params, scale=1.0, progress=table.progress)
            break
    if outlook is None:
        return None
    expected = {value.name: value.value for value in outlook.values}
    queries = expected.get("expected.queries", math.inf) if single else math.inf
    content = KeptContent(queries=round(queries) if math.isfinite(queries) else None)
    verdict = expect_verdict(outlook.statement, content, table.request.policy, len(log.users))
    for check in verdict.failed:
        is_of_queries = check.gate.figure == "release.queries"
        if check.gate.figure.startswith("statement."):
            return check
        if is_of_queries and queries < FAR * (check.gate.least or 0):
            return check
    return None


def _list_passing(
    table: CandidateTable, family: CandidateFamily, sample: QueryLog
) -> Iterable[int]:
    """The numbers from the least strict on that passes on a sample, to be tried on the log."""
    is_full = family.direction == "single" or len(sample.users) == len(table.log.users)
    trial = table.runner if is_full else table.runner_on(sample)

    def withstands(place: int) -> bool:
        candidate = family.make_candidate(family.numbers[place])
        result = None if candidate is None else trial.judge(candidate.method, candidate.params)
        return result is not None and all(is_utility(check.gate) for check in result[0].failed)

    first = find_first(-1, len(family.numbers) - 1, withstands)
    if not is_full:
        table.runner.runs += trial.runs
        table.runner.reused += trial.reused
    return family.numbers[first:]
