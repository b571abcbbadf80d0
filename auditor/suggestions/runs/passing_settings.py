"""The most useful settings that are expected to pass, attacks included, before any runs in full.

Two kinds of gates are decided without a run: on what can be read in a release (`content_gates`:
from the chance that each query is released) and on planted strings (`planted_trials`). Where a
setting would fail the first, its δ is lowered, which raises the threshold at the same noise; where
it would fail the second, its ε is. Both only take utility away, so what a setting is worth without
them bounds what it is worth with them: settings are looked at in the order of these bounds, and the
first one that stands with all is the most useful of all.
"""

from __future__ import annotations

import heapq
import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from auditor.methods.set_union.rounds import EVEN, SetUnionParams
from auditor.suggestions.candidates import LIMITS, CandidateFamily, list_families
from auditor.suggestions.estimates import LogPart
from auditor.suggestions.family_search import FamilySearch, RatedCandidate
from auditor.suggestions.limits import PolicyLimits
from auditor.suggestions.runs.planted_trials import PlantedTrials

SAFE = 0.995
"""The least chance with which what gates want kept back stays back."""
DELTA_STEP = 10**-0.4
DELTA_STEPS = 64
"""How far δ is lowered, at most."""
EPSILON_STEP = 0.985
EPSILON_STEPS = 150
"""Neighbouring shares of ε that are told apart, and how many there are, down to a tenth."""
COARSE = 12
"""Of so many steps one is looked at where each takes runs on planted strings."""
MIDDLE = 1.2
"""Between limits further apart than this factor one more is looked at around the best."""
COSTLY_ROWS = 3_000_000
"""Rows of a log from which on families that walk it for each expectation are searched less."""


@dataclass(order=True)
class _Bound:
    """A setting by what it is worth at most; `stage` says which gates are in that."""

    key: float
    order: int
    stage: int = field(compare=False)
    family: CandidateFamily = field(compare=False)
    number: int = field(compare=False)
    rated: RatedCandidate = field(compare=False)


class PassingSettings:
    """Searches families on the whole log for settings that pass what is known before a run."""

    def __init__(
        self, search: FamilySearch, part: LogPart, limits: PolicyLimits, planted: PlantedTrials
    ) -> None:
        self._search = search
        self._part = part
        self._limits = limits
        self._planted = planted
        self._order = itertools.count()

    def find(
        self, families: Iterable[tuple[CandidateFamily, Sequence[int]]]
    ) -> Iterator[RatedCandidate]:
        """One setting of each family that passes, the most useful first.

        Families come with the numbers at which they are looked at. Raises `Cancelled`.
        """
        heap: list[_Bound] = []
        numbers: dict[str, set[int]] = {}
        for family, some in families:
            for number in some:
                self._push_setting(heap, family, number)
            numbers[_name_family(family)] = set(some)
        done: set[str] = set()
        while heap:
            top = heapq.heappop(heap)
            name = _name_family(top.family)
            if name in done:
                continue
            if top.stage == 0:
                self._push_passing(
                    heap, top, self._find_hiding(top.family, top.number, top.rated), 1
                )
            elif top.stage == 1:
                stands = self._planted.withstands(top.rated.candidate)
                found = top.rated if stands else self._find_withstanding(top.family, top.number)
                self._push_passing(heap, top, found, 2)
            elif between := _find_middles(numbers[name], top.number):
                for number in between:
                    self._push_setting(heap, top.family, number)
                numbers[name] |= between
                heapq.heappush(heap, top)
            else:
                done.add(name)
                yield top.rated

    def _push_setting(self, heap: list[_Bound], family: CandidateFamily, number: int) -> None:
        rated = self._rate_number(family, number)
        if rated is not None and self.is_enough(rated):
            key = -rated.utility
            heapq.heappush(heap, _Bound(key, next(self._order), 0, family, number, rated))

    def _push_passing(
        self, heap: list[_Bound], one: _Bound, rated: RatedCandidate | None, stage: int
    ) -> None:
        if rated is not None and self.is_enough(rated):
            key = -rated.utility
            heapq.heappush(
                heap, _Bound(key, next(self._order), stage, one.family, one.number, rated)
            )

    def is_enough(self, one: RatedCandidate) -> bool:
        """Whether as much is expected to be left as the policy wants."""
        found = one.estimate
        return found.queries >= max(self._limits.queries, 1) and found.share >= self._limits.share

    def is_hiding(self, one: RatedCandidate) -> bool:
        """Whether what gates want kept back stays back."""
        return math.isnan(one.estimate.safe) or one.estimate.safe >= SAFE

    def _rate_number(self, family: CandidateFamily, number: int) -> RatedCandidate | None:
        candidate = family.make_candidate(number)
        return None if candidate is None else self._search.rate(candidate, self._part)

    def _find_hiding(
        self, family: CandidateFamily, number: int, rated: RatedCandidate | None, share: float = 1.0
    ) -> RatedCandidate | None:
        """The setting with the largest δ at which what gates want kept back stays back."""
        if rated is None or self.is_hiding(rated):
            return rated
        known: dict[int, RatedCandidate | None] = {}

        def passes(step: int) -> bool:
            at = self._scale_family(family, share, DELTA_STEP**step)
            known[step] = one = None if at is None else self._rate_number(at, number)
            return one is None or self.is_hiding(one)

        step = _find_first(DELTA_STEPS, passes)
        return known.get(step)

    def _find_withstanding(self, family: CandidateFamily, number: int) -> RatedCandidate | None:
        """The setting with the largest ε that withstands planted strings.

        How many accounts force a string out is a whole number, so what one more shows rises and
        falls a little along ε: where it is calculated, every step is looked at.
        """
        for step in self._list_steps(family, number):
            share = EPSILON_STEP**step
            at = self._scale_family(family, share, 1.0)
            candidate = None if at is None else at.make_candidate(number)
            if candidate is None or not self._planted.withstands(candidate):
                continue
            found = self._find_hiding(
                family, number, self._search.rate(candidate, self._part), share
            )
            if found is None or not self.is_enough(found):
                return None  # with less ε less is left
            if self._planted.withstands(found.candidate):
                return found
        return None

    def _list_steps(self, family: CandidateFamily, number: int) -> Iterable[int]:
        candidate = family.make_candidate(number)
        every = candidate is not None and self._planted.calculates(candidate)
        return range(1, EPSILON_STEPS + 1, 1 if every else COARSE)

    def _scale_family(
        self, family: CandidateFamily, epsilon: float, delta: float
    ) -> CandidateFamily | None:
        """The family at shares of its ε and δ."""
        limits = self._limits.with_epsilon(self._limits.epsilon * epsilon).of_delta(delta)
        return find_same(list_families(limits, (family.method,)), family)


def find_same(
    families: Iterable[CandidateFamily], family: CandidateFamily
) -> CandidateFamily | None:
    """The one of the same name among families of other limits."""
    return next((one for one in families if one.name == family.name), None)


def list_numbers(
    families: Iterable[CandidateFamily], best: Sequence[RatedCandidate], rows: int
) -> list[tuple[CandidateFamily, Sequence[int]]]:
    """The numbers at which families are looked at, first those around the best ones.

    Of a large log, families that walk it for each expectation (set union's later rounds) are looked
    at near the best number only, and those that were not among the best not at all.
    """
    near = {(one.candidate.method, one.candidate.family): one.candidate.number for one in best}
    found: list[tuple[CandidateFamily, Sequence[int]]] = []
    for family in families:
        if family.direction != "limit":
            continue
        number = near.get((family.method, family.name))
        numbers: Sequence[int] = family.numbers
        if rows > COSTLY_ROWS and walks_log(family):
            if number is None:
                continue
            numbers = (number,)
        elif rows > COSTLY_ROWS and best:
            middle = best[0].candidate.number if number is None else number
            numbers = [at for at in LIMITS if middle / 4 <= at <= middle * 2]
        found.append((family, sorted({*numbers, *(() if number is None else (number,))})))
    return found


def walks_log(family: CandidateFamily) -> bool:
    """Whether each expectation of a family takes walks over the log: rounds after the first."""
    candidate = family.make_candidate(family.numbers[0])
    return (
        candidate is not None
        and isinstance(candidate.params, SetUnionParams)
        and (candidate.params.rounds > 1 or candidate.params.weighting != EVEN)
    )


def _name_family(family: CandidateFamily) -> str:
    return f"{family.method} {family.name}"


def _find_middles(numbers: set[int], number: int) -> set[int]:
    """Numbers in the middle between one and its neighbours, where these are far away."""
    below = max((n for n in numbers if n < number), default=number)
    above = min((n for n in numbers if n > number), default=number)
    pairs = [pair for pair in ((below, number), (number, above)) if pair[1] / pair[0] > MIDDLE]
    return {round(math.sqrt(low * high)) for low, high in pairs} - numbers


def _find_first(last: int, passes: Callable[[int], bool]) -> int:
    """The first of the places 1 to `last` that passes, if all behind it do; `last` is tried."""
    if not passes(last):
        return -1
    low, high = 0, last
    while high - low > 1:
        middle = (low + high) // 2
        if passes(middle):
            high = middle
        else:
            low = middle
    return high
