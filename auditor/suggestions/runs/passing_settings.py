"""The most useful settings that are expected to pass, attacks included, before any runs in full.

Two kinds of gates are decided without a run: on what can be read in a release (`content_gates`:
from the chance that each query is released) and on planted strings (`planted_trials`). Where a
setting would fail the first, its δ is lowered, which raises the threshold at the same noise; where
it would fail the second, its ε is. Both only take utility away, so what a setting is worth without
them bounds what it is worth with them: settings are looked at in the order of these bounds, and the
first one that stands with all is the most useful of all.
"""

from __future__ import annotations

import dataclasses
import heapq
import itertools
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from auditor.suggestions.candidates import CandidateFamily, find_family
from auditor.suggestions.estimates import LogPart, hiding_chance
from auditor.suggestions.family_search import FamilySearch, RatedCandidate, find_first
from auditor.suggestions.limits import PolicyLimits
from auditor.suggestions.runs.evaluation import SAFE
from auditor.suggestions.runs.planted_gates import PlantedGates

DELTA_STEP = 10**-0.1
DELTA_STEPS = 256
"""How far δ is lowered, at most."""
CLIFF = 8
"""So many steps more than at a neighbouring number: where between them it rises is looked for."""
EPSILON_STEP = 0.985
EPSILON_STEPS = (0, 1, 2, 3, 5, 8, 12, 18, 27, 40, 60, 90, 120, 150)
"""Neighbouring shares of ε that are told apart, and which are looked at, down to a tenth."""
FINE_DELTA_STEP = 10**-0.05
FINE_DELTA_STEPS = 40
"""How far δ is lowered besides, so that thresholds lie well between numbers of accounts."""
CHECKED = 4
"""Of so many steps from the one on that seems to hide enough, all queries are looked at."""
NEXT = 2
"""How many further settings of a family are offered where one failed in full."""
MIDDLE = 1.2
"""Between limits further apart than this factor one more is looked at around the best."""
SLOW_ROWS = 500_000
"""Rows of a log from which on what is quickly calculated is looked at first."""
COSTLY_ROWS = 3_000_000
"""Rows of a log from which on families that walk it for each expectation are searched less."""
FEW_LIMITS = (2, 8, 28, 110)
"""The limits at which such a family is first looked at there; around the best one more follow."""


@dataclass(order=True)
class _Bound:
    """A setting by what it is worth at most; `stage` says which gates are in that."""

    key: float
    order: int
    stage: int = field(compare=False)
    family: CandidateFamily = field(compare=False)
    number: int = field(compare=False)
    rated: RatedCandidate = field(compare=False)
    step: int = field(compare=False, default=0)
    """How many steps of ε below the policy's it is."""


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
        self._progress = search.progress
        self._failed: list[RatedCandidate] = []
        self._steps: dict[tuple[str, int, float], int] = {}

    def find(
        self, families: Iterable[tuple[CandidateFamily, Sequence[int]]]
    ) -> Iterator[RatedCandidate]:
        """One setting of each family that passes, the most useful first.

        Families come with the numbers at which they are looked at. Of one that `offer_next` is told
        of, the family's next setting follows. Raises `Cancelled`.
        """
        heap: list[_Bound] = []
        numbers: dict[str, set[int]] = {}
        for family, some in families:
            for number in some:
                self._push_setting(heap, family, number)
            numbers[_name_family(family)] = set(some)
        offered: Counter[str] = Counter()
        while heap:
            top = heapq.heappop(heap)
            name = _name_family(top.family)
            if offered[name] > NEXT:
                continue
            if top.stage == 0:
                for number in self._find_cliff(top.family, top.number, numbers[name]):
                    self._push_setting(heap, top.family, number)
                    numbers[name].add(number)
                found = self._find_hiding(top.family, top.number, top.rated)
                self._push_passing(heap, top, found, 1)
            elif top.stage == 1:
                if self._planted.withstands(top.rated.candidate):
                    self._push_passing(heap, top, top.rated, 2)
                else:
                    self._push_withstanding(heap, top)
            elif between := _find_middles(numbers[name], top.number):
                for number in between:
                    self._push_setting(heap, top.family, number)
                numbers[name] |= between
                heapq.heappush(heap, top)
            else:
                offered[name] += 1
                yield top.rated
                if top.rated not in self._failed:
                    offered[name] = NEXT + 1
                else:
                    self._push_withstanding(heap, dataclasses.replace(top, step=top.step + 1))

    def offer_next(self, one: RatedCandidate) -> None:
        """Say that a setting failed though it was calculated to pass: another one may not."""
        self._failed.append(one)

    def _push_setting(self, heap: list[_Bound], family: CandidateFamily, number: int) -> None:
        if family.walks and not self._hides(family, number, 1.0, DELTA_STEPS):
            return
        rated = self._rate_number(family, number)
        if rated is not None and self.is_enough(rated):
            key = -rated.utility
            heapq.heappush(heap, _Bound(key, next(self._order), 0, family, number, rated))

    def _push_passing(
        self, heap: list[_Bound], one: _Bound, rated: RatedCandidate | None, stage: int
    ) -> None:
        if rated is not None and self.is_enough(rated):
            key, order = -rated.utility, next(self._order)
            heapq.heappush(heap, _Bound(key, order, stage, one.family, one.number, rated, one.step))

    def is_enough(self, one: RatedCandidate) -> bool:
        """Whether as much is expected to be left as the policy wants, even with bad luck."""
        return self._limits.is_enough(one.estimate.least_queries, one.estimate.share)

    def is_hiding(self, one: RatedCandidate) -> bool:
        """Whether what gates want kept back stays back."""
        return math.isnan(one.estimate.safe) or one.estimate.safe >= SAFE

    def _rate_number(self, family: CandidateFamily, number: int) -> RatedCandidate | None:
        candidate = family.make_candidate(number)
        return None if candidate is None else self._search.rate(candidate, self._part)

    def _find_hiding(
        self, family: CandidateFamily, number: int, rated: RatedCandidate | None
    ) -> RatedCandidate | None:
        """The setting with the largest δ at which what gates want kept back stays back.

        It is sought by the likeliest of these queries alone, and then looked at with all of them.
        """
        if rated is None or self.is_hiding(rated):
            return rated
        first = self._find_hiding_step(family, number, 1.0)
        if first < 0:
            return None
        for step in range(max(first, 1), first + CHECKED):
            at = self._scale_family(family, 1.0, DELTA_STEP**step)
            one = None if at is None else self._rate_number(at, number)
            if one is None or self.is_hiding(one):
                return one
        return None

    def _find_cliff(
        self, family: CandidateFamily, number: int, numbers: set[int]
    ) -> tuple[int, ...]:
        """The largest number, if it is a new one, at which δ need not yet be lowered by much more.

        Where more of each user counts, a query that has to be kept back may come to count, too.
        """
        below = max((n for n in numbers if n < number), default=number)
        if not self._part.hidden or number - below < 2:
            return ()
        before = self._find_hiding_step(family, below, 1.0)
        after = self._find_hiding_step(family, number, 1.0)
        if before < 0 or 0 <= after < before + CLIFF:
            return ()
        last = before + CLIFF // 2
        cliff = find_first(below, number, lambda n: not self._hides(family, n, 1.0, last)) - 1
        return (cliff,) if cliff > below else ()

    def _find_hiding_step(self, family: CandidateFamily, number: int, share: float) -> int:
        """How many steps of δ further down what gates want kept back seems to stay back, or −1."""
        key = _name_family(family), number, share
        if key not in self._steps:
            found = 0
            if not self._hides(family, number, share, 0):
                found = -1
                if self._hides(family, number, share, DELTA_STEPS):
                    found = find_first(
                        0, DELTA_STEPS, lambda step: self._hides(family, number, share, step)
                    )
            self._steps[key] = found
        return self._steps[key]

    def _hides(self, family: CandidateFamily, number: int, share: float, step: int) -> bool:
        """Whether what gates want kept back seems to stay back so many steps of δ further down."""
        if not self._part.hidden:
            return True
        at = self._scale_family(family, share, DELTA_STEP**step)
        candidate = None if at is None else at.make_candidate(number)
        if candidate is None:
            return True
        self._search.looked_at += 1
        self._progress.check()
        safe = hiding_chance(candidate.params, self._part, self._progress)
        return math.isnan(safe) or safe >= SAFE

    def _push_withstanding(self, heap: list[_Bound], one: _Bound) -> None:
        """Push the settings with less ε, or less δ, that withstand planted strings.

        How many accounts force a string out is a whole number, so what one more shows rises and
        falls along ε and δ. Of each ε the largest such δ is taken; once that is no smaller than it
        has to be anyway, less ε only takes utility away.
        """
        for step in EPSILON_STEPS:
            if step < one.step:
                continue
            found, whole = self._lower_delta(one.family, one.number, EPSILON_STEP**step)
            self._push_passing(heap, dataclasses.replace(one, step=step), found, 2)
            if whole or (found is not None and not self.is_enough(found)):
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
        tried = 0
        for fine in range(FINE_DELTA_STEPS + 1):
            self._progress.check()
            delta = DELTA_STEP**first * FINE_DELTA_STEP**fine
            at = self._scale_family(family, share, delta)
            candidate = None if at is None else at.make_candidate(number)
            if candidate is None or not self._planted.withstands(candidate):
                continue
            found = self._search.rate(candidate, self._part)
            if found is None or self.is_hiding(found):
                return found, not fine
            tried += 1
            if tried == CHECKED:
                break
        return None, False

    def _scale_family(
        self, family: CandidateFamily, epsilon: float, delta: float
    ) -> CandidateFamily | None:
        """The family at shares of its ε and δ."""
        limits = self._limits.with_epsilon(self._limits.epsilon * epsilon).of_delta(delta)
        return find_family(limits, family.method, family.name)


def list_numbers(
    families: Iterable[CandidateFamily], best: Sequence[RatedCandidate], rows: int
) -> list[tuple[CandidateFamily, Sequence[int]]]:
    """The numbers at which families are looked at, first those around the best ones.

    Of a large log, families that walk it for each expectation (set union's later rounds and
    screened weights) are looked at in few places. All of them are: which of them comes off best on
    a sample of users says little, since the most useful limit grows with the log.
    """
    near = {(one.candidate.method, one.candidate.family): one.candidate.number for one in best}
    found: list[tuple[CandidateFamily, Sequence[int]]] = []
    for family in families:
        if family.direction != "limit":
            continue
        number = near.get((family.method, family.name))
        numbers: Sequence[int] = family.numbers
        if rows > COSTLY_ROWS and family.walks:
            numbers = FEW_LIMITS
        found.append((family, sorted({*numbers, *(() if number is None else (number,))})))
    return found


def _name_family(family: CandidateFamily) -> str:
    return f"{family.method} {family.name}"


def _find_middles(numbers: set[int], number: int) -> set[int]:
    """Numbers in the middle between one and its neighbours, where these are far away."""
    below = max((n for n in numbers if n < number), default=number)
    above = min((n for n in numbers if n > number), default=number)
    pairs = [pair for pair in ((below, number), (number, above)) if pair[1] / pair[0] > MIDDLE]
    return {round(math.sqrt(low * high)) for low, high in pairs} - numbers
