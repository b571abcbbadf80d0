"""Runs the best settings with ε in full: the most useful that passes, and the front below its ε.

Families come in the order of what is expected of them. Where an attack succeeds against one, the
most useful setting of it that withstands is sought (`safer_settings`), as long as that is worth
more than what has passed already; other families are tried against that attack on a sample first.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence

from auditor.figures import format_share
from auditor.messages import DisplayText, as_phrase, join_phrases, phrase
from auditor.release.gates import GateVerdict
from auditor.release.policy.policy import Gate
from auditor.release.verdict import ReleaseState
from auditor.suggestions.candidates import list_families
from auditor.suggestions.context import SearchContext
from auditor.suggestions.estimates import expect_statement, expected_content
from auditor.suggestions.family_search import FamilySearch, RatedCandidate
from auditor.suggestions.limits import PolicyLimits
from auditor.suggestions.result import Suggestion
from auditor.suggestions.runs.evaluation import PassRate
from auditor.suggestions.runs.full_runs import FullRuns
from auditor.suggestions.runs.safer_settings import SaferSearch

LEVELS = (0.5, 0.25, 0.125)
"""Shares of the policy's ε at which the front is looked at besides."""
FRONT = 3
"""Families that are shown at least, though others have passed with more."""
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

    def run(self, best: Sequence[RatedCandidate]) -> RatedCandidate | None:
        """The most useful setting that passes; all that was run is kept."""
        chosen: RatedCandidate | None = None
        refused: list[tuple[RatedCandidate, list[Gate]]] = []
        for at, one in enumerate(best):
            useful = chosen is None or one.utility > chosen.utility
            if not useful and at >= FRONT:
                break
            if at and not self.expect(one).may_pass:
                continue  # one full run shows what stands in the way; more would say the same
            gates, passes = self._try(one)
            if passes and useful:
                chosen = one
            elif gates:
                refused.append((one, gates))
        for one, gates in refused:
            floor = -math.inf if chosen is None else chosen.utility
            if one.utility > floor:
                chosen = self._run_safer(one, gates, floor) or chosen
        if chosen is not None:
            self._run_lower(chosen)
        return chosen

    def _try(self, one: RatedCandidate) -> tuple[list[Gate], bool]:
        """Whether a setting passes in full; if not, the gates on attacks that it fails."""
        if self._failed:
            known = list(self._failed.values())
            rate = self._safer.try_attacks(self._safer.runners[0], one, known)
            refused = [gate for gate in rate.near if gate.verdict != "does not apply"]
            if refused:
                self._refuse(one, refused, rate)
                return [gate.gate for gate in refused], False
        made = self._runs.run(one.candidate)
        if made is None or made.passes:
            return [], made is not None
        gates = [gate.gate for gate in made.attacked]
        self._failed |= {gate.name: gate for gate in gates}
        return gates, False

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

    def _run_lower(self, chosen: RatedCandidate) -> None:
        """The family of what passed with less ε, as long as something is left."""
        candidate = chosen.candidate
        statement = expect_statement(candidate.method, candidate.params, self._context.users)
        spent = math.inf if statement is None else statement.epsilon or math.inf
        for level in LEVELS:
            epsilon = self._limits.epsilon * level
            if epsilon >= spent:
                continue
            lower = list_families(self._limits.at(epsilon), (candidate.method,))
            family = next(one for one in lower if one.name == candidate.family)
            near = sorted({1, max(candidate.number // 3, 1), candidate.number})
            rated = self._search.refine(family, near, self._search.parts[-1])
            if rated is None or not self.expect(rated).may_pass:
                break  # with less ε still less is left
            self._runs.run(rated.candidate)

    def expect(self, one: RatedCandidate) -> Suggestion:
        """Keep what is expected of a setting before it runs."""
        return add_expected(self._context, one, self._search)

    def _refuse(self, one: RatedCandidate, refused: Sequence[GateVerdict], rate: PassRate) -> None:
        """Keep what an attack on a sample says of a setting that is not run in full."""
        point = self.expect(one)
        names = {gate.gate.name for gate in refused}
        failed = tuple(
            gate if gate.verdict != "passed" else dataclasses.replace(gate, verdict="failed")
            for gate in refused
        )
        verdict = dataclasses.replace(
            point.verdict,
            state=ReleaseState.REFUSED,
            failed=(*point.verdict.failed, *failed),
            not_run=tuple(one for one in point.verdict.not_run if one.gate.name not in names),
        )
        users = len(self._safer.runners[0].log.users)
        self._context.add(
            one.candidate,
            point.utility,
            verdict,
            point.statement,
            rate=rate,
            reasons=(
                phrase("Attacked on {users:,} of the users; it was not run in full.", users=users),
            ),
        )


def add_expected(context: SearchContext, one: RatedCandidate, search: FamilySearch) -> Suggestion:
    """Keep what is expected of a setting before it runs."""
    candidate = one.candidate
    statement = expect_statement(candidate.method, candidate.params, context.users)
    assert statement is not None
    kept = expected_content(one.estimate, search.parts[-1])
    verdict = context.expect_verdict(candidate, statement, kept)
    utility = one.utility if context.request.goal.expectable else math.nan
    return context.add(candidate, utility, verdict, statement)


def _explain_step(
    users: int, one: RatedCandidate, found: RatedCandidate, gates: Sequence[Gate]
) -> DisplayText:
    """Why the setting isn't the most useful one of its family at the policy's ε."""
    titles = [phrase("“{title}”", title=as_phrase(gate.title)) for gate in gates]
    return phrase(
        "With {before} the check {titles} fails; with {after} it passes, and {kept} of the utility "
        "is expected to be left.",
        before=as_phrase(_describe(users, one)),
        titles=join_phrases(", ", titles),
        after=as_phrase(_describe(users, found)),
        kept=format_share(found.utility / one.utility if one.utility > 0 else 1.0),
    )


def _describe(users: int, one: RatedCandidate) -> DisplayText:
    """The ε of a setting and how much of each user counts."""
    candidate = one.candidate
    statement = expect_statement(candidate.method, candidate.params, users)
    return phrase(
        "ε {epsilon:.3g} and {limit:,} queries per user",
        epsilon=math.inf if statement is None else statement.epsilon or math.inf,
        limit=candidate.number,
    )
