"""Runs the best settings with ε in full: the most useful that passes, and the front below its ε.

Settings come from `passing_settings`, the most useful of those that are expected to pass first, so
that the first full run is most often the last. Gates on attacks that nobody can expect are met in
that run; where one fails, the most useful setting of the family that withstands it is sought
(`safer_settings`), as long as that is worth more than what has passed already.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Iterator, Sequence

from auditor.figures import format_share
from auditor.messages import DisplayText, as_phrase, join_phrases, phrase
from auditor.release.policy.policy import Gate
from auditor.release.record import GateVerdict
from auditor.release.verdict import ReleaseState, ReleaseVerdict
from auditor.suggestions.candidates import LIMITS, list_families
from auditor.suggestions.content_gates import find_hidden, predicted_gates
from auditor.suggestions.context import SearchContext
from auditor.suggestions.estimates import LogPart, expect_statement, expected_content
from auditor.suggestions.family_search import FamilySearch, RatedCandidate
from auditor.suggestions.limits import PolicyLimits
from auditor.suggestions.result import Suggestion
from auditor.suggestions.runs.evaluation import MISSES, SAFE, PassRate
from auditor.suggestions.runs.full_runs import FullRuns, RunOutcome
from auditor.suggestions.runs.passing_settings import (
    SLOW_ROWS,
    PassingSettings,
    list_numbers,
    list_quick,
)
from auditor.suggestions.runs.planted_gates import PlantedGates
from auditor.suggestions.runs.safer_settings import SaferSearch

LEVELS = (0.5, 0.25, 0.125)
"""Shares of the policy's ε at which the front is looked at besides."""
TRIED = 6
"""Families of which settings are run in full at most, where what is expected to pass does not."""
SAMPLE = 1_500
"""Users of the sample on which attacks are tried."""
_SEED = 1


class FrontSearch:
    """The settings with ε of one search that are run in full."""

    def __init__(
        self, context: SearchContext, runs: FullRuns, search: FamilySearch, limits: PolicyLimits
    ) -> None:
        self._context = context
        self._runs = runs
        self._search = search
        self._limits = limits
        runners = [context.runner]
        if len(context.log.users) > 2 * SAMPLE:
            runners.insert(0, context.runner_on(context.log.sample_users(SAMPLE, _SEED)))
        self._safer = SaferSearch(search, limits, tuple(runners))
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
        part = self._make_whole_part()
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
        if self.chosen is None and not refused and best and not self._context.runner.runs:
            self._runs.run(best[0].candidate)  # one full run shows what stands in the way
        for one, gates in refused:
            floor = -math.inf if self.chosen is None else self.chosen.utility
            if one.utility > floor:
                self.chosen = self._run_safer(one, gates, floor) or self.chosen
        if self.chosen is not None:
            self._run_lower(self.chosen, part)

    def _make_whole_part(self) -> LogPart:
        """The whole log, with the queries that gates want kept back."""
        context, part = self._context, self._search.parts[-1]
        policy = context.request.policy
        hidden = find_hidden(part.log, policy, None, context.progress)
        return dataclasses.replace(part, hidden=hidden)

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
            self._first = next(passing.find(list_quick(families)), None)
            if self._first is not None:
                self.expect_setting(self._first)
                yield self._first
        for one in itertools.islice(passing.find(families), TRIED):
            self.expect_setting(one)
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
            rate = self._safer.try_attacks(self._safer.runners[0], one, known)
            refused = [gate for gate in rate.near if gate.verdict != "does not apply"]
            if refused:
                users = len(self._safer.runners[0].log.users)
                said = phrase(
                    "Attacked on {users:,} of the users; it was not run in full.", users=users
                )
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

    def _run_settled(self, one: RatedCandidate) -> RunOutcome | None:
        """Run in full what is expected to pass the gates that are decided by calculation."""
        why = []
        safe = one.estimate.safe
        if not math.isnan(safe):
            why.append(_explain_chance(safe))
        settled = self._list_settled(one)
        made = self._runs.run(one.candidate, why, settled, calculated=safe)
        if made is None or made.point.verdict.not_run:
            return made
        failed = [gate.gate for gate in made.point.verdict.failed]
        if not failed or any(gate not in settled for gate in failed):
            return made
        # One release in some hundred fails these: they are looked at several times before this is
        # taken for more than bad luck.
        left = tuple(gate for gate in settled if gate not in failed)
        return self._runs.run(one.candidate, why, left, again=True, calculated=safe)

    def _run_safer(
        self, one: RatedCandidate, gates: Sequence[Gate], floor: float
    ) -> RatedCandidate | None:
        """The most useful setting of a family that withstands, run in full; None without one."""
        wanted = dict.fromkeys((*gates, *self._failed.values()))
        for whole in range(len(self._safer.runners)):
            self._context.progress.stage("looking for a setting that withstands the attacks")
            found = self._safer.find(one, tuple(wanted), floor, whole=bool(whole))
            if found is None:
                continue
            why = _explain_step(self._context.users, one, found, gates)
            made = self._runs.run(found.candidate, (why,))
            if made is not None and made.passes:
                return found
            more = () if made is None else made.attacked
            wanted |= dict.fromkeys(gate.gate for gate in more)
            self._failed |= {gate.gate.name: gate.gate for gate in more}
        return None

    def _run_lower(self, chosen: RatedCandidate, part: LogPart) -> None:
        """The family of what passed with less ε, as long as something is left."""
        candidate = chosen.candidate
        statement = expect_statement(candidate.method, candidate.params, self._context.users)
        spent = math.inf if statement is None else statement.epsilon or math.inf
        for level in LEVELS:
            limits = self._limits.with_epsilon(self._limits.epsilon * level)
            if limits.epsilon >= spent:
                continue
            lower = list_families(limits, (candidate.method,))
            family = next(one for one in lower if one.name == candidate.family)
            number = candidate.number
            numbers = sorted({1, max(number // 3, 1), number, min(3 * number, LIMITS[-1])})
            passing = PassingSettings(self._search, part, limits, self._planted)
            rated = next(passing.find([(family, numbers)]), None)
            if rated is None or not self.expect_setting(rated).may_pass:
                break  # with less ε still less is left
            self._run_settled(rated)

    def expect_setting(self, one: RatedCandidate) -> Suggestion:
        """Keep what is expected of a setting before it runs."""
        return add_expected(self._context, one, self._search.parts[-1])

    def _refuse_setting(
        self,
        one: RatedCandidate,
        refused: Sequence[GateVerdict],
        rate: PassRate,
        reasons: Sequence[str],
    ) -> None:
        """Keep what is known of a setting that is not run in full, since it would not pass."""
        point = self.expect_setting(one)
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
    titles = [phrase("“{title}”", title=as_phrase(gate.title)) for gate in gates]
    return phrase(
        "With {before} the check {titles} fails; with {after} it passes, and {kept} of the utility "
        "is expected to be left.",
        before=as_phrase(_describe_setting(users, one)),
        titles=join_phrases(", ", titles),
        after=as_phrase(_describe_setting(users, found)),
        kept=format_share(found.utility / one.utility if one.utility > 0 else 1.0),
    )


def _explain_chance(safe: float) -> DisplayText:
    """How seldom a release shows what the policy wants kept back, by calculation."""
    often = min(1 / max(1 - safe, 1e-9), 1e6)
    digits = 10.0 ** max(math.floor(math.log10(often)) - 1, 0)
    return phrase(
        "Calculated: fewer than one in {often:,.0f} releases with this setting show a session that "
        "the policy wants kept back. If yours does, its audit says so.",
        often=math.floor(often / digits) * digits,
    )


def _say_chance(safe: float) -> DisplayText:
    """How often a release shows what the policy wants kept back, where that is too often."""
    if safe < 0.5:
        return phrase(
            "calculated: {share} of its releases show such a session", share=format_share(1 - safe)
        )
    return phrase(
        "calculated: one in {often:,.0f} of its releases shows such a session; one in "
        "{accepted:,} is accepted",
        often=math.floor(1 / max(1 - safe, 1e-9)),
        accepted=MISSES,
    )


def _describe_setting(users: int, one: RatedCandidate) -> DisplayText:
    """The ε of a setting and how much of each user counts."""
    candidate = one.candidate
    statement = expect_statement(candidate.method, candidate.params, users)
    return phrase(
        "ε {epsilon:.3g} and {limit:,} queries per user",
        epsilon=math.inf if statement is None else statement.epsilon or math.inf,
        limit=candidate.number,
    )
