"""Runs the best settings with ε in full: the most useful that passes, and the front below its ε.

Settings come from `passing_settings`, the most useful of those that are expected to pass first, so
that the first full run is most often the last. Gates on attacks that nobody can expect are met in
that run; where one fails, the most useful setting of the family that withstands it is sought
(`_find_safer`), as long as that is worth more than what has passed already. Along a smaller ε, or
more of each user where noise follows from that, the utility falls, so it is sought by bisection
between one that the attack's gate refuses and one that it lets pass; attacks are tried alone, on a
sample of users first, and several times with other noise.

Methods without ε are searched along what makes them stricter, by bisection on such a sample.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence

from auditor.figures import format_share
from auditor.log.model import QueryLog
from auditor.log.sentences import sentence
from auditor.messages import DisplayText
from auditor.methods.registry import METHODS
from auditor.release.gates import is_utility
from auditor.release.kept_content import KeptContent
from auditor.release.policy.policy import Gate
from auditor.release.record import GateVerdict
from auditor.release.verdict import ReleaseState, ReleaseVerdict
from auditor.suggestions.candidates import LIMITS, CandidateFamily, find_family, list_families
from auditor.suggestions.content_gates import find_hidden, predicted_gates
from auditor.suggestions.context import SearchContext
from auditor.suggestions.estimates import LogPart, expect_statement, expected_content
from auditor.suggestions.family_search import FamilySearch, RatedCandidate, find_first
from auditor.suggestions.limits import PolicyLimits
from auditor.suggestions.result import PassRate, Suggestion, quote_titles
from auditor.suggestions.runs.evaluation import MISSES, SAFE, CandidateRunner, expect_verdict
from auditor.suggestions.runs.passing_settings import SLOW_ROWS, PassingSettings, list_numbers
from auditor.suggestions.runs.planted_gates import PlantedGates

LEVEL_STEP = 0.97
"""Neighbouring shares of ε that are told apart."""
LEAST_LEVEL = 0.1
"""The least share of the policy's ε that is looked at."""
DRAWS = 3
"""How often attacks on a setting are repeated."""

Rate = Callable[[int], RatedCandidate | None]
"""A setting by its place on a way from the most useful one, which fails, to the safest."""


LEVELS = (0.5, 0.25, 0.125)
"""Shares of the policy's ε at which the front is looked at besides."""
TRIED = 6
"""Families of which settings are run in full at most, where what is expected to pass does not."""
SAMPLE = 1_500
"""Users of the sample on which attacks, and settings without ε, are tried."""
_SEED = 1


class FrontSearch:
    """The settings with ε of one search that are run in full."""

    def __init__(self, context: SearchContext, search: FamilySearch, limits: PolicyLimits) -> None:
        self._context = context
        self._search = search
        self._whole = search.parts[-1]
        self._limits = limits
        runners = [context.runner]
        if len(context.log.users) > 2 * SAMPLE:
            runners.insert(0, context.runner_on(context.log.sample_users(SAMPLE, _SEED)))
        self._runners = runners  # try attacks, on a sample of users first, then on the whole log
        self._failed: dict[str, Gate] = {}
        self.chosen: RatedCandidate | None = None
        policy = context.request.policy
        self._planted = PlantedGates(policy)
        self._predicted = predicted_gates(policy)
        self._expected_to_pass: PassingSettings | None = None
        self._first: RatedCandidate | None = None

    def run(self, best: Sequence[RatedCandidate]) -> None:
        """Run settings in full; `chosen` is the most useful one that passed so far, or None."""
        refused: list[tuple[RatedCandidate, list[Gate]]] = []
        context, whole = self._context, self._whole
        hidden = find_hidden(whole.log, context.request.policy, None, context.progress)
        part = dataclasses.replace(whole, hidden=hidden)
        for one in self._list_passing(best, part):
            if self.chosen is not None and one.utility <= self.chosen.utility:
                break
            gates, passes = self._try_setting(one)
            if passes:
                self.chosen = one
                if one is not self._first:
                    break
            if gates:
                refused.append((one, gates))
        if self.chosen is None and not refused and best and not context.runner.runs:
            context.run_in_full(best[0].candidate)  # to show what stands in the way
        for one, gates in refused:
            floor = -math.inf if self.chosen is None else self.chosen.utility
            if one.utility > floor:
                self.chosen = self._run_safer(one, gates, floor) or self.chosen
        if self.chosen is not None:
            self._run_lower(self.chosen, part)

    def _list_passing(
        self, best: Sequence[RatedCandidate], part: LogPart
    ) -> Iterator[RatedCandidate]:
        """Settings that are expected to pass; what is known of the others is said of them."""
        context = self._context
        context.progress.stage("looking for settings that withstand the attacks")
        passing = PassingSettings(self._search, part, self._limits, self._planted)
        self._expected_to_pass = passing
        for one in best:
            self._say_prediction(one, part)
        families = list_numbers(list_families(self._limits, context.counted), best, len(part.log))
        if len(part.log) >= SLOW_ROWS:
            quick = [pair for pair in families if not pair[0].walks]
            self._first = next(passing.find(quick), None)
            if self._first is not None:
                add_expected(context, self._first, self._whole)
                yield self._first
        for one in itertools.islice(passing.find(families), TRIED):
            add_expected(context, one, self._whole)
            yield one

    def _say_prediction(self, one: RatedCandidate, part: LogPart) -> None:
        """Have a setting that is expected to fail a gate on an attack say so."""
        rated = self._search.rate(one.candidate, part)
        if rated is None:
            return
        failed = []
        if rated.estimate.safe < SAFE:
            failed += [
                GateVerdict(hidden.gate, "failed", None, _say_chance(rated.estimate.safe))
                for hidden in part.hidden
            ]
        if not self._planted.withstands(one.candidate):
            failed += [
                GateVerdict(
                    gate,
                    "failed",
                    None,
                    "calculated: it fails, or is too near the limit to be sure",
                )
                for gate in self._planted.gates
            ]
        if failed:
            self._refuse_setting(one, failed, PassRate(), ())

    def _try_setting(self, one: RatedCandidate) -> tuple[list[Gate], bool]:
        """Whether a setting passes in full; if not, the gates on attacks that it fails."""
        if self._failed:
            known = list(self._failed.values())
            rate = self._try_attacks(self._runners[0], one, known)
            refused = [gate for gate in rate.near if gate.verdict != "does not apply"]
            if refused:
                users = len(self._runners[0].log.users)
                said = sentence("reasons.attacked_on_sample", users=users)
                self._refuse_setting(one, refused, rate, (said,))
                return [gate.gate for gate in refused], False
        made = self._run_settled(one)
        if made is None or made.passes:
            return [], made is not None
        settled = self._list_settled(one)
        gates = [gate.gate for gate in made.attacked if gate.gate not in settled]
        if made.attacked and not gates and self._expected_to_pass is not None:
            self._expected_to_pass.offer_next(one)
        self._failed |= {gate.name: gate for gate in gates}
        return gates, False

    def _list_settled(self, one: RatedCandidate) -> tuple[Gate, ...]:
        """The gates that are calculated to let a setting pass with room to spare."""
        return (*self._predicted, *self._planted.list_settled(one.candidate))

    def _run_settled(self, one: RatedCandidate) -> Suggestion | None:
        """Run in full what is expected to pass the gates that are decided by calculation."""
        why = []
        safe = one.estimate.safe
        if not math.isnan(safe):
            why.append(_explain_chance(safe))
        settled = self._list_settled(one)
        made = self._context.run_in_full(one.candidate, why, settled, calculated=safe)
        if made is None or made.verdict.not_run:
            return made
        failed = [gate.gate for gate in made.verdict.failed]
        if not failed or any(gate not in settled for gate in failed):
            return made
        # One release in some hundred fails these: they are looked at several times before this is
        # taken for more than bad luck.
        left = tuple(gate for gate in settled if gate not in failed)
        return self._context.run_in_full(one.candidate, why, left, again=True, calculated=safe)

    def _run_safer(
        self, one: RatedCandidate, gates: Sequence[Gate], floor: float
    ) -> RatedCandidate | None:
        """The most useful setting of a family that withstands, run in full; None without one."""
        wanted = dict.fromkeys((*gates, *self._failed.values()))
        for whole in range(len(self._runners)):
            self._context.progress.stage("looking for a setting that withstands the attacks")
            found = self._find_safer(one, tuple(wanted), floor, whole=bool(whole))
            if found is None:
                continue
            why = _explain_step(self._context.users, one, found, gates)
            made = self._context.run_in_full(found.candidate, (why,))
            if made is not None and made.passes:
                return found
            more = () if made is None else made.attacked
            wanted |= dict.fromkeys(gate.gate for gate in more)
            self._failed |= {gate.gate.name: gate.gate for gate in more}
        return None

    def _find_safer(
        self, one: RatedCandidate, gates: Sequence[Gate], floor: float, *, whole: bool
    ) -> RatedCandidate | None:
        """The most useful setting of the family of `one` that passes the gates it fails.

        None where no setting does that is worth more than `floor`. With `whole`, attacks are
        tried on the whole log, as where a sample has said too little.
        """
        runner = self._runners[-1 if whole else 0]
        found: RatedCandidate | None = None
        for length, rate in (self._by_epsilon(one), self._by_number(one)):
            least = floor if found is None else max(floor, found.utility)
            better = self._first_safe(runner, length, rate, gates, least)
            found = better if better is not None else found
        return found

    def _try_attacks(
        self, runner: CandidateRunner, one: RatedCandidate, gates: Sequence[Gate]
    ) -> PassRate:
        """How a setting does by some gates in a few runs that make nothing but their attacks."""
        method, params = one.candidate.method, one.candidate.params
        judged = runner.judge_again(method, params, gates, 0)
        if bad := tuple(gate for gate in judged if gate.verdict != "passed"):
            return PassRate(1, 0, bad)
        return runner.repeat(method, params, judged, DRAWS)

    def _by_epsilon(self, one: RatedCandidate) -> tuple[int, Rate]:
        candidate, number = one.candidate, one.candidate.number
        length = 1
        while LEVEL_STEP**length > LEAST_LEVEL:
            length += 1

        @functools.cache
        def rate(at: int) -> RatedCandidate | None:
            if at == 0:
                return one
            limits = self._limits.with_epsilon(self._limits.epsilon * LEVEL_STEP**at)
            family = find_family(limits, candidate.method, candidate.family)
            assert family is not None
            near = sorted({max(number // 2, 1), number, number * 3 // 2 + 1})
            return self._search.refine(family, near, self._whole)

        return length, rate

    def _by_number(self, one: RatedCandidate) -> tuple[int, Rate]:
        candidate = one.candidate
        family = find_family(self._limits, candidate.method, candidate.family)
        assert family is not None
        above = [number for number in family.numbers if number > candidate.number]
        between = [round((a * b) ** 0.5) for a, b in itertools.pairwise(above)]
        numbers = [candidate.number, *sorted({*above, *between})]

        @functools.cache
        def rate(at: int) -> RatedCandidate | None:
            other = family.make_candidate(numbers[at])
            if at == 0 or other is None:
                return one if at == 0 else None
            return self._search.rate(other, self._whole)

        return len(numbers), rate

    def _first_safe(
        self, runner: CandidateRunner, length: int, rate: Rate, gates: Sequence[Gate], floor: float
    ) -> RatedCandidate | None:
        """Bisection for the first place that passes, before the utility falls to `floor`."""

        def passes(at: int) -> bool:
            one = rate(at)
            return one is not None and self._try_attacks(runner, one, gates).sure

        high = find_first(0, length, lambda at: not self._is_useful(rate(at), floor)) - 1
        if high == 0 or not passes(high):
            return None
        return rate(find_first(0, high, passes))

    def _is_useful(self, one: RatedCandidate | None, floor: float) -> bool:
        if one is None:
            return False
        enough = one.estimate.least_queries >= self._limits.queries
        return enough and one.estimate.share >= self._limits.share and one.utility > floor

    def _run_lower(self, chosen: RatedCandidate, part: LogPart) -> None:
        """The family of what passed with less ε, as long as something is left."""
        candidate = chosen.candidate
        statement = expect_statement(candidate.method, candidate.params, self._context.users)
        spent = math.inf if statement is None else statement.epsilon or math.inf
        for level in LEVELS:
            limits = self._limits.with_epsilon(self._limits.epsilon * level)
            if limits.epsilon >= spent:
                continue
            family = find_family(limits, candidate.method, candidate.family)
            assert family is not None
            number = candidate.number
            numbers = sorted({1, max(number // 3, 1), number, min(3 * number, LIMITS[-1])})
            passing = PassingSettings(self._search, part, limits, self._planted)
            rated = next(passing.find([(family, numbers)]), None)
            if rated is None or not add_expected(self._context, rated, self._whole).may_pass:
                break  # with less ε still less is left
            self._run_settled(rated)

    def _refuse_setting(
        self,
        one: RatedCandidate,
        refused: Sequence[GateVerdict],
        rate: PassRate,
        reasons: Sequence[str],
    ) -> None:
        """Keep what is known of a setting that is not run in full, since it would not pass."""
        point = add_expected(self._context, one, self._whole)
        names = {gate.gate.name for gate in refused}
        failed = tuple(
            gate if gate.verdict != "passed" else dataclasses.replace(gate, verdict="failed")
            for gate in refused
        )
        expected = point.verdict.record
        others = tuple(gate for gate in expected.judged if gate.gate.name not in names)
        record = dataclasses.replace(expected, judged=(*others, *failed))
        verdict = ReleaseVerdict(ReleaseState.REFUSED, record)
        self._context.add_suggestion(
            one.candidate, point.utility, verdict, point.statement, rate=rate, reasons=reasons
        )


def add_expected(context: SearchContext, one: RatedCandidate, part: LogPart) -> Suggestion:
    """Keep what is expected of a setting before it runs, from a part of the log."""
    candidate = one.candidate
    statement = expect_statement(candidate.method, candidate.params, context.users)
    assert statement is not None
    kept = expected_content(one.estimate, part)
    verdict = context.expect_verdict(candidate, statement, kept)
    utility = one.utility if context.request.goal.expectable else math.nan
    return context.add_suggestion(candidate, utility, verdict, statement)


def _explain_step(
    users: int, one: RatedCandidate, found: RatedCandidate, gates: Sequence[Gate]
) -> DisplayText:
    """Why the setting isn't the most useful one of its family at the policy's ε."""
    return sentence(
        "reasons.step",
        before=_describe_setting(users, one),
        titles=quote_titles(gates),
        after=_describe_setting(users, found),
        kept=format_share(found.utility / one.utility if one.utility > 0 else 1.0),
    )


def _explain_chance(safe: float) -> DisplayText:
    """How seldom a release shows what the policy wants kept back, by calculation."""
    often = min(1 / max(1 - safe, 1e-9), 1e6)
    digits = 10.0 ** max(math.floor(math.log10(often)) - 1, 0)
    return sentence("reasons.calculated", often=math.floor(often / digits) * digits)


def _say_chance(safe: float) -> DisplayText:
    """How often a release shows what the policy wants kept back, where that is too often."""
    if safe < 0.5:
        return sentence("reasons.mostly_shown", share=format_share(1 - safe))
    return sentence(
        "reasons.shown_too_often", often=math.floor(1 / max(1 - safe, 1e-09)), accepted=MISSES
    )


def _describe_setting(users: int, one: RatedCandidate) -> DisplayText:
    """The ε of a setting and how much of each user counts."""
    candidate = one.candidate
    statement = expect_statement(candidate.method, candidate.params, users)
    return sentence(
        "reasons.epsilon_and_limit",
        epsilon=math.inf if statement is None else statement.epsilon or math.inf,
        limit=candidate.number,
    )


FAR = 0.5
"""Expected queries below this share of what is wanted are too few, noise and all."""


def search_strict(context: SearchContext, limits: PolicyLimits) -> None:
    """What no setting could mend is left out; of the rest, the least strict that passes is run."""
    names = [name for name in context.request.searched if not METHODS[name].families]
    sample = context.log.sample_users(SAMPLE, _SEED)
    for family in list_families(limits, names):
        context.progress.check()
        if (why := _explain_hopeless(context, family, sample)) is not None:
            context.pruned.setdefault(family.method, why)
            continue
        for number in _list_passing(context, family, sample):
            candidate = family.make_candidate(number)
            point = None if candidate is None else context.run_in_full(candidate)
            if point is not None and point.passes:
                break


def _explain_hopeless(
    context: SearchContext, family: CandidateFamily, sample: QueryLog
) -> GateVerdict | None:
    """The check that the family can't pass, if there is one.

    It is a check of the statement that the strictest setting fails, or, of a method with but one
    setting, one on how much is left that its own expectation for the whole log stays below.
    """
    candidate = family.make_candidate(family.numbers[-1])
    look = METHODS[family.method].outlook
    if candidate is None or look is None:
        return None
    context.count_settings(lambda: 1)
    single = family.direction == "single"
    log = context.log if single else sample
    found = look(log, candidate.params, scale=1.0, progress=context.progress)
    known = {value.name: value.value for value in found.values}
    queries = known.get("expected.queries") if single else None
    kept = KeptContent(queries=None if queries is None else round(queries))
    few = math.inf if queries is None else queries
    verdict = expect_verdict(found.statement, kept, context.request.policy, len(log.users))
    failed = [
        one
        for one in verdict.failed
        if one.gate.figure.startswith("statement.")
        or (one.gate.figure == "release.queries" and few < FAR * (one.gate.least or 0))
    ]
    return failed[0] if failed else None


def _list_passing(
    context: SearchContext, family: CandidateFamily, sample: QueryLog
) -> Iterable[int]:
    """The numbers from the least strict on that passes on a sample, to be tried on the log."""
    whole = family.direction == "single" or len(sample.users) == len(context.log.users)
    trial = context.runner if whole else context.runner_on(sample)

    def withstands(place: int) -> bool:
        candidate = family.make_candidate(family.numbers[place])
        judged = None if candidate is None else trial.judge(candidate.method, candidate.params)
        failed = () if judged is None else judged.verdict.failed
        return judged is not None and all(is_utility(one.gate) for one in failed)

    first = find_first(-1, len(family.numbers) - 1, withstands)
    if not whole:
        context.runner.runs += trial.runs
        context.runner.reused += trial.reused
    return family.numbers[first:]
