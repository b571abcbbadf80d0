"""The most useful settings that are expected to pass, before any runs in full.

Families are compared at a few numbers, on a sample of a large log's users first (the utility of
such a family rises and falls once).

Gates on what can be read in a release (`estimates`) and on planted strings are decided without a
run. Where a setting would fail the first, its δ is lowered, which raises the threshold at the same
noise; where it would fail the second, its ε is. Both only take utility away, so what a setting is
worth without them bounds what it is worth with them: settings are looked at in the order of these
bounds, and the first one that stands with all, and has no number near it that was not looked at, is
the most useful of all.
"""

import dataclasses
import functools
import heapq
import itertools
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from statistics import NormalDist
from typing import Any

import numpy as np

from auditor.arrays import Float64s, Int64s
from auditor.attacks.planted_strings import LADDER, STEPS, choose_copies
from auditor.attacks.registry import ATTACKS
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.model import QueryLog
from auditor.messages import phrase
from auditor.params import Params
from auditor.progress import Progress, silent_progress
from auditor.release.policy.policy import Gate, Policy
from auditor.suggestions.candidates import (
    CandidateFamily,
    RatedCandidate,
    SearchCandidate,
    find_family,
    find_first,
    find_peak,
    list_public_candidates,
)
from auditor.suggestions.estimates import MISSES, LogPart, estimate_content, planted_chances
from auditor.suggestions.limits import PolicyLimits
from auditor.suggestions.request import SearchGoal, parse_goal

PLANTED = "planted-strings"
_FIGURES = ("n_minus_one", "accounts_to_force")
MOST_ACCOUNTS = 1_024
"""Accounts that the attack tries at most."""
LEAST_OUT, MOST_OUT = 0.1, 0.9
"""How often a string comes out for a first try with few copies to be mistaken about it."""
OFF = NormalDist().inv_cdf(1 - 1 / MISSES)
"""So many standard deviations of its counting the attack is off on one side once in `MISSES`."""


class PlantedGates:
    """Gates of a policy on planted strings, calculated: neither the log nor a run is needed.

    How far off the attack's own counting may be is added, so that a setting is taken to pass only
    where hardly any run would fail.
    """

    def __init__(self, policy: Policy) -> None:
        figures = {f"attack.{PLANTED}.{figure}": figure for figure in _FIGURES}
        checks = policy.checks if PLANTED in ATTACKS else ()
        self._figures = {g: figures[g.figure] for g in checks if g.figure in figures}
        usual: Any = ATTACKS[PLANTED].params() if self._figures else None
        self._repeats = 1 if usual is None else usual.repeats
        self._answers: dict[Params, bool | None] = {}

    @property
    def gates(self) -> tuple[Gate, ...]:
        return tuple(self._figures)

    def list_settled(self, candidate: SearchCandidate) -> tuple[Gate, ...]:
        """The gates that are known to let a setting pass."""
        return self.gates if self._find_answer(candidate) else ()

    def withstands(self, candidate: SearchCandidate) -> bool:
        """Whether a setting passes with room to spare, or only a run can tell."""
        return not self._figures or self._find_answer(candidate) is not False

    def _find_answer(self, candidate: SearchCandidate) -> bool | None:
        """Whether a setting passes; None where only runs tell."""
        params = candidate.params
        if params not in self._answers:
            accounts = np.arange(MOST_ACCOUNTS + 1.0)
            chances = planted_chances(params, accounts) if self._repeats == 1 else None
            self._answers[params] = None if chances is None else self._passes(chances)
        return self._answers[params]

    def _passes(self, chances: Float64s) -> bool:
        accounts = _list_accounts(chances)
        before, after = chances[accounts - 1], chances[accounts]
        copies = np.array([choose_copies([number - 1, number], 1) for number in accounts.tolist()])
        off = np.sqrt((before * (1 - before) + after * (1 - after)) / copies)
        values = {
            "n_minus_one": np.concatenate([[0.0], after - before + OFF * off]),
            "accounts_to_force": accounts,
        }
        return all(
            gate.bounded_by_epsilon or gate.admits(float(value))
            for gate, figure in self._figures.items()
            for value in values[figure].tolist()
        )


def _list_accounts(chances: Float64s) -> Int64s:
    """The numbers of accounts that the attack may take for the first to succeed mostly."""
    above = np.flatnonzero(chances >= 0.5)
    first = int(above[0]) if len(above) else MOST_ACCOUNTS
    rungs = np.array(LADDER)
    low = int(max(rungs[rungs < first], default=0)) + 1
    high = int(min(rungs[rungs >= first], default=MOST_ACCOUNTS))
    off = OFF * 0.5 / np.sqrt(choose_copies(range(low, high + 1)[-STEPS:], 1))
    doubtful = rungs[(chances[rungs] > LEAST_OUT) & (chances[rungs] < MOST_OUT)]
    doubtful = doubtful + (chances[doubtful] >= 0.5)
    uncertain = np.flatnonzero(np.abs(chances - 0.5) <= off)
    accounts = sorted_distinct(np.concatenate([above[:1], uncertain, doubtful]))
    return accounts[(accounts > 0) & (accounts <= MOST_ACCOUNTS)]


LISTED_EPSILON_STEP = 0.97
LISTED_EPSILON_STEPS = (0, 2, 5, 10, 15, 20, 30, 40, 60, 80)
"""Shares of ε that a private choice looks at, by their exponents: down to a twelfth."""
LISTED_DELTA_STEP = 10**-0.05
LISTED_DELTA_STEPS = 60
"""How far δ is lowered for it: to a thousandth."""


def list_withstanding(
    limits: PolicyLimits,
    planted: PlantedGates,
    methods: Iterable[str] | None = None,
    progress: Progress | None = None,
) -> tuple[SearchCandidate, ...]:
    """The settings of a private choice that pass with room to spare, or of which only runs tell.

    For each method, family and number these are listed: the one with the largest δ at the policy's
    ε, which beats all with less whatever the log holds, and those at less ε, as long as a larger δ
    passes there than with more. The list depends on the policy and the number of users and on
    nothing else in a log, so that the choice from it costs its ε however long it is.
    """
    names = None if methods is None else tuple(methods)
    fewest: dict[tuple[str, str, int], int] = {}  # the least steps of δ so far
    standing: list[SearchCandidate] = []
    progress = progress or silent_progress()
    progress.stage("listing settings that the policy allows", len(LISTED_EPSILON_STEPS))
    for epsilon_step in LISTED_EPSILON_STEPS:
        lower = limits.with_epsilon(limits.epsilon * LISTED_EPSILON_STEP**epsilon_step)
        for step in range(LISTED_DELTA_STEPS + 1):
            refused = False
            for candidate in list_public_candidates(lower.of_delta(LISTED_DELTA_STEP**step), names):
                key = candidate.method, candidate.family, candidate.number
                if fewest.get(key, LISTED_DELTA_STEPS + 1) <= step:
                    continue
                progress.check()
                if planted.withstands(candidate):
                    fewest[key] = step
                    standing.append(candidate)
                else:
                    refused = True
            if not refused:
                break
        progress.advance()
    return tuple(standing)


SAMPLE = 10_000
"""Users of a large log on which families are compared first."""
_SEED = 7_000
LEAST_KEPT = 4
"""The best setting of so many families is told of before any is run."""


class FamilySearch:
    """Compares the settings of families on one log, which is its `part`.

    `scale` is how many users each user of the log stands for; for `made_up` see `LogPart`.
    `looked_at` counts expectations.
    """

    def __init__(
        self,
        log: QueryLog,
        goal: SearchGoal,
        progress: Progress,
        scale: float = 1.0,
        *,
        made_up: bool = False,
    ) -> None:
        self.progress = progress
        self._goal = goal
        self.part = LogPart(log, scale, made_up=made_up)
        self.looked_at = 0

    def rate(self, candidate: SearchCandidate | None, part: LogPart) -> RatedCandidate | None:
        """The setting with what is expected of it; None where expectations don't tell."""
        self.looked_at += candidate is not None
        return rate_candidate(candidate, part, self._goal, self.progress)

    def find_best(
        self, family: CandidateFamily, part: LogPart, numbers: Iterable[int] | None = None
    ) -> RatedCandidate | None:
        """The most useful setting of a family at some numbers, or where it is first looked at."""
        settings = (self.rate(trial, part) for trial in family.iterate_candidates(numbers))
        return find_peak(settings, lambda candidate: candidate.utility)

    def iterate_best(
        self, families: Iterable[CandidateFamily]
    ) -> Iterator[tuple[LogPart, list[RatedCandidate]]]:
        """The best settings of the best families, best first: of a sample of users, then of all."""
        limited = [family for family in families if family.direction == "limit"]
        part = self.part
        if len(part.log.users) > 2 * SAMPLE:
            sample = LogPart.of(part.log, SAMPLE, _SEED)
            part = dataclasses.replace(sample, scale=sample.scale * part.scale)
        users = len(part.log.users)
        self.progress.stage(
            phrase("comparing settings on {users:,} users", users=users), len(limited)
        )
        peaks = []
        for family in limited:
            peaks.append(self.find_best(family, part))
            self.progress.advance()
        best = _order_settings(peaks)[:LEAST_KEPT]
        if part is not self.part:
            yield part, best
            best = _order_settings(self.rate(candidate, self.part) for candidate in best)
        yield self.part, best


def _order_settings(settings: Iterable[RatedCandidate | None]) -> list[RatedCandidate]:
    """The most useful first, without what expectations don't tell."""
    return sorted(filter(None, settings), key=lambda candidate: -candidate.utility)


def rate_candidate(
    candidate: SearchCandidate | None, part: LogPart, goal: SearchGoal, progress: Progress
) -> RatedCandidate | None:
    """A setting with what is expected of it; None where expectations don't tell.

    Utility is the goal, or the share of searches in the place of what only a run tells. Raises
    `Cancelled`.
    """
    if candidate is None:
        return None
    progress.check()
    estimate = estimate_content(candidate.method, candidate.params, part, progress)
    if estimate is None:
        return None
    utility = goal.compute_utility(estimate.figures) if goal.expectable else estimate.share
    return RatedCandidate(**vars(candidate) | {"estimate": estimate, "utility": utility})


def find_most_queries(
    family: CandidateFamily, part: LogPart, progress: Progress
) -> RatedCandidate | None:
    """The setting of a family that is expected to release most queries; may raise `Cancelled`."""
    goal, trials = parse_goal("queries"), family.iterate_candidates()
    rated = (rate_candidate(trial, part, goal, progress) for trial in trials)
    return find_peak(rated, lambda candidate: candidate.utility)


DELTA_STEP = 10**-0.1
DELTA_STEPS = 256
"""How far δ is lowered, at most."""
EPSILON_STEP = 0.985
EPSILON_STEPS = (0, 1, 2, 3, 5, 8, 12, 18, 27, 40, 60, 90, 120, 150)
"""Neighbouring shares of ε that are told apart, and which are looked at, down to a tenth."""
FINE_DELTA_STEP = 10**-0.05
FINE_DELTA_STEPS = 40
"""How far δ is lowered besides, so that thresholds lie well between numbers of accounts."""
NEXT = 2
"""How many further settings of a family are offered where one failed in full."""
FINE = 1.04
"""Between limits further apart than this factor one more is looked at around the best."""
SLOW_ROWS = 500_000
"""Rows of a log from which on what is quickly calculated is looked at first."""
COSTLY_ROWS = 3_000_000
"""Rows of a log from which on families that walk it for each expectation are searched less."""
FEW_LIMITS = (2, 8, 28, 110)
"""The limits at which such a family is first looked at there; around the best one more follow."""


_Bound = tuple[float, int, int, CandidateFamily, RatedCandidate, int]
"""A setting by less what it is worth at most, and by its turn: which of the two kinds of gates are
in that, its family, itself, and how many steps of ε below the policy's it is."""


class PassingSettings:
    """Searches families on the whole log for settings that pass what is known before a run."""

    def __init__(
        self, search: FamilySearch, part: LogPart, limits: PolicyLimits, planted: PlantedGates
    ) -> None:
        self._search = search
        self._part = part
        self._limits = limits
        self._planted = planted
        self._order = itertools.count()
        self._failed: list[RatedCandidate] = []
        self._steps: dict[tuple[str, str, int, float], int] = {}

    def find(
        self, families: Iterable[tuple[CandidateFamily, Sequence[int]]]
    ) -> Iterator[RatedCandidate]:
        """One setting of each family that passes, the most useful first.

        Families come with the numbers at which they are looked at. Of one that `offer_next` is told
        of, the family's next setting follows. Raises `Cancelled`.
        """
        heap: list[_Bound] = []
        tried: dict[tuple[str, str], set[int]] = {}

        def push(
            stage: int, family: CandidateFamily, rated: RatedCandidate | None, step: int = 0
        ) -> None:
            if rated is not None and rated.leaves_enough(self._limits):
                bound = (-rated.utility, next(self._order), stage, family, rated, step)
                heapq.heappush(heap, bound)

        def push_numbers(family: CandidateFamily, numbers: Iterable[int]) -> None:
            for number in numbers:
                tried.setdefault((family.method, family.name), set()).add(number)
                push(0, family, self._search.rate(family.make_candidate(number), self._part))

        for family, numbers in families:
            push_numbers(family, numbers)
        offered: Counter[tuple[str, str]] = Counter()
        while heap:
            top = heapq.heappop(heap)
            _, _, stage, family, rated, first_step = top
            number, name = rated.number, (family.method, family.name)
            if offered[name] > NEXT:
                continue
            if stage == 0:
                push(1, family, self._find_hiding(family, rated))
            elif stage == 1:
                if self._planted.withstands(rated):
                    push(2, family, rated, first_step)
                else:
                    for step, lowered in self._iterate_lowered(family, number, first_step):
                        push(2, family, lowered, step)
            elif between := _find_middles(tried[name], number):
                push_numbers(family, between)
                heapq.heappush(heap, top)
            else:
                offered[name] += 1
                yield rated
                if rated not in self._failed:
                    offered[name] = NEXT + 1
                else:
                    for step, lowered in self._iterate_lowered(family, number, first_step + 1):
                        push(2, family, lowered, step)

    def offer_next(self, candidate: RatedCandidate) -> None:
        """Say that a setting failed though it was calculated to pass: another one may not."""
        self._failed.append(candidate)

    def _find_hiding(self, family: CandidateFamily, rated: RatedCandidate) -> RatedCandidate | None:
        """The setting with the largest δ at which what gates want kept back stays back."""
        if rated.estimate.hides:
            return rated
        first = self._find_hiding_step(family, rated.number, 1.0)
        if first < 0:
            return None
        scaled = self._scale_setting(family, rated.number, 1.0, DELTA_STEP**first)
        return self._search.rate(scaled, self._part)

    def _find_hiding_step(self, family: CandidateFamily, number: int, share: float) -> int:
        """How many steps of δ further down what gates want kept back stays back, or −1."""
        key = family.method, family.name, number, share
        if key not in self._steps:
            hides = functools.partial(self._hides, family, number, share)
            first = 0
            if not hides(0):
                first = find_first(0, DELTA_STEPS, hides) if hides(DELTA_STEPS) else -1
            self._steps[key] = first
        return self._steps[key]

    def _hides(self, family: CandidateFamily, number: int, share: float, step: int) -> bool:
        """Whether what gates want kept back stays back so many steps of δ further down."""
        if not self._part.hidden:
            return True
        scaled = self._scale_setting(family, number, share, DELTA_STEP**step)
        rated = self._search.rate(scaled, self._part)
        return rated is None or rated.estimate.hides

    def _iterate_lowered(
        self, family: CandidateFamily, number: int, first_step: int
    ) -> Iterator[tuple[int, RatedCandidate | None]]:
        """The settings with less ε, or less δ, that withstand planted strings, by steps of ε.

        How many accounts force a string out is a whole number, so what one more shows rises and
        falls along ε and δ. Of each ε the largest such δ is taken; once that is no smaller than it
        has to be anyway, less ε only takes utility away.
        """
        for step in EPSILON_STEPS:
            if step < first_step:
                continue
            lowered, is_largest = self._lower_delta(family, number, EPSILON_STEP**step)
            yield step, lowered
            if is_largest or (lowered is not None and not lowered.leaves_enough(self._limits)):
                break

    def _lower_delta(
        self, family: CandidateFamily, number: int, share: float
    ) -> tuple[RatedCandidate | None, bool]:
        """The setting with the largest δ that passes at a share of ε, and whether none is larger.

        None where no δ that is near to the largest one which hides enough passes.
        """
        first = self._find_hiding_step(family, number, share)
        if first < 0:
            return None, False
        for fine in range(FINE_DELTA_STEPS + 1):
            self._search.progress.check()
            delta = DELTA_STEP**first * FINE_DELTA_STEP**fine
            candidate = self._scale_setting(family, number, share, delta)
            if candidate is None or not self._planted.withstands(candidate):
                continue
            rated = self._search.rate(candidate, self._part)
            if rated is None or rated.estimate.hides:
                return rated, not fine
        return None, False

    def _scale_setting(
        self, family: CandidateFamily, number: int, epsilon: float, delta: float
    ) -> SearchCandidate | None:
        """The family's setting at a number and at shares of the policy's ε and δ."""
        limits = self._limits.with_epsilon(self._limits.epsilon * epsilon).of_delta(delta)
        scaled = find_family(limits, family.method, family.name)
        return None if scaled is None else scaled.make_candidate(number)


def list_numbers(
    families: Iterable[CandidateFamily], best: Sequence[RatedCandidate], rows: int
) -> list[tuple[CandidateFamily, Sequence[int]]]:
    """The numbers at which families are looked at, first those around the best ones.

    Of a large log, families that walk it for each expectation are looked at in few places. All are
    looked at, since what has to be kept back may leave another one the best.
    """
    best_numbers = {(candidate.method, candidate.family): {candidate.number} for candidate in best}
    listed: list[tuple[CandidateFamily, Sequence[int]]] = []
    for family in families:
        if family.direction == "limit":
            numbers = FEW_LIMITS if rows > COSTLY_ROWS and family.walks else family.numbers
            nearby_numbers = best_numbers.get((family.method, family.name), set())
            listed.append((family, sorted({*numbers, *nearby_numbers})))
    return listed


def _find_middles(numbers: set[int], number: int) -> set[int]:
    """Numbers in the middle between one and its neighbours, where these are far away."""
    below = max((n for n in numbers if n < number), default=number)
    above = min((n for n in numbers if n > number), default=number)
    pairs = [pair for pair in ((below, number), (number, above)) if pair[1] / pair[0] > FINE]
    return {round(math.sqrt(low * high)) for low, high in pairs} - numbers
