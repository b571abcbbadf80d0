"""Where an attack succeeds: the most useful setting of the family that withstands it.

More noise helps against an attack: a smaller ε, or, where noise follows from how much of each user
counts, more of that. Along either way the utility falls, so the setting is sought by bisection
between one that the attack's gate refuses and one that it lets pass. Attacks are tried alone, on a
sample of users first, and several times with other noise.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from auditor.release.policy.policy import Gate
from auditor.suggestions.candidates import CandidateFamily, list_families
from auditor.suggestions.climbing import find_first
from auditor.suggestions.family_search import FamilySearch, RatedCandidate
from auditor.suggestions.limits import PolicyLimits
from auditor.suggestions.runs.evaluation import CandidateRunner, PassRate

LEVEL_STEP = 0.97
"""Neighbouring shares of ε that are told apart."""
LEAST_LEVEL = 0.1
"""The least share of the policy's ε that is looked at."""
DRAWS = 3
"""How often attacks on a setting are repeated."""

Rate = Callable[[int], RatedCandidate | None]
"""A setting by its place on a way from the most useful one, which fails, to the safest."""


@dataclass(frozen=True)
class SaferSearch:
    """What the search for a safer setting is given.

    `runners` try attacks, on a sample of users first, then on the whole log.
    """

    search: FamilySearch
    limits: PolicyLimits
    runners: tuple[CandidateRunner, ...]

    def find(
        self, one: RatedCandidate, gates: Sequence[Gate], floor: float, *, whole: bool
    ) -> RatedCandidate | None:
        """The most useful setting of the family of `one` that passes the gates it fails.

        None where no setting does that is worth more than `floor`. With `whole`, attacks are
        tried on the whole log, as where a sample has said too little.
        """
        runner = self.runners[-1 if whole else 0]
        found: RatedCandidate | None = None
        for length, rate in (self._by_epsilon(one), self._by_number(one)):
            least = floor if found is None else max(floor, found.utility)
            better = self._first_safe(runner, length, rate, gates, least)
            found = better if better is not None else found
        return found

    def try_attacks(
        self, runner: CandidateRunner, one: RatedCandidate, gates: Sequence[Gate]
    ) -> PassRate:
        """How a setting does by some gates in a few runs that make nothing but their attacks."""
        method, params = one.candidate.method, one.candidate.params
        judged = runner.judge_again(method, params, gates, 0)
        if bad := tuple(gate for gate in judged if gate.verdict != "passed"):
            return PassRate(1, 0, bad)
        return runner.repeat(method, params, judged, DRAWS)

    def _by_epsilon(self, one: RatedCandidate) -> tuple[int, Rate]:
        candidate = one.candidate
        length = 1
        while LEVEL_STEP**length > LEAST_LEVEL:
            length += 1
        known: dict[int, RatedCandidate | None] = {0: one}

        def rate(at: int) -> RatedCandidate | None:
            if at not in known:
                family = self._find_family(one, self.limits.epsilon * LEVEL_STEP**at)
                number = candidate.number
                near = sorted({max(number // 2, 1), number, number * 3 // 2 + 1})
                known[at] = self.search.refine(family, near, self.search.parts[-1])
            return known[at]

        return length, rate

    def _by_number(self, one: RatedCandidate) -> tuple[int, Rate]:
        candidate = one.candidate
        family = self._find_family(one, self.limits.epsilon)
        above = [number for number in family.numbers if number > candidate.number]
        between = [round((a * b) ** 0.5) for a, b in itertools.pairwise(above)]
        numbers = [candidate.number, *sorted({*above, *between})]
        known: dict[int, RatedCandidate | None] = {0: one}

        def rate(at: int) -> RatedCandidate | None:
            if at not in known:
                other = family.make_candidate(numbers[at])
                part = self.search.parts[-1]
                known[at] = None if other is None else self.search.rate(other, part)
            return known[at]

        return len(numbers), rate

    def _find_family(self, one: RatedCandidate, epsilon: float) -> CandidateFamily:
        families = list_families(self.limits.with_epsilon(epsilon), (one.candidate.method,))
        return next(family for family in families if family.name == one.candidate.family)

    def _first_safe(
        self,
        runner: CandidateRunner,
        length: int,
        rate: Rate,
        gates: Sequence[Gate],
        floor: float,
    ) -> RatedCandidate | None:
        """Bisection for the first place that passes, before the utility falls to `floor`."""
        high = find_first(0, length, lambda at: not self._is_useful(rate(at), floor)) - 1
        if high == 0 or not self._passes_gates(runner, rate(high), gates):
            return None
        return rate(find_first(0, high, lambda at: self._passes_gates(runner, rate(at), gates)))

    def _passes_gates(
        self, runner: CandidateRunner, one: RatedCandidate | None, gates: Sequence[Gate]
    ) -> bool:
        return one is not None and self.try_attacks(runner, one, gates).sure

    def _is_useful(self, one: RatedCandidate | None, floor: float) -> bool:
        if one is None:
            return False
        enough = one.estimate.least_queries >= self.limits.queries
        return enough and one.estimate.share >= self.limits.share and one.utility > floor
