"""Finds each family's best number from expectations alone: by user samples first, then halving.

Families are compared on a small sample of users; the better third stays for a larger one, and the
last few are searched on the whole log, where the interval around the best number is halved until
its neighbours are next to it (the utility of such a family rises and falls once). Settings are
kept by what they were expected to give, so nothing is computed twice.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from auditor.log.model import QueryLog
from auditor.messages import phrase
from auditor.progress import Progress
from auditor.suggestions.candidates import CandidateFamily, SearchCandidate
from auditor.suggestions.estimates import CandidateEstimate, LogPart, estimate_content
from auditor.suggestions.goals import SearchGoal

SMALLEST_SAMPLE = 2_000
"""Users below which a sample says too little of which setting is better."""
SHRINK = 8
"""How many times fewer users a rung has than the next one."""
KEPT_SHARE = 3
"""One family in so many goes on to the next rung, and `LEAST_KEPT` at least."""
LEAST_KEPT = 4
FINE = 1.04
"""Neighbouring numbers closer than this factor are alike."""
_SEED = 7_000


FALLS = 3
"""After so many lower utilities in a row a climb ends: whole thresholds make small dents."""

Rated = TypeVar("Rated")


def find_first(low: int, high: int, passes: Callable[[int], bool]) -> int:
    """The first place above `low` that passes, if all behind it do; `high` is taken to pass."""
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if passes(middle) else (middle, high)
    return high


def find_peak(rated: Iterable[Rated | None], worth: Callable[[Rated], float]) -> Rated | None:
    """The most worth of some that rise and then fall; what isn't known is passed over."""
    best: Rated | None = None
    falls = 0
    for one in rated:
        if one is None:
            continue
        if best is None or worth(one) >= worth(best):
            best, falls = one, 0
        else:
            falls += 1
        if falls == FALLS:
            break
    return best


@dataclass(frozen=True)
class RatedCandidate:
    """A setting with what is expected of it, and its utility."""

    candidate: SearchCandidate
    estimate: CandidateEstimate
    utility: float


class FamilySearch:
    """Compares the settings of families on growing samples of one log.

    `scale` is how many users each user of the log stands for. `looked_at` counts expectations.
    """

    def __init__(
        self, log: QueryLog, goal: SearchGoal, progress: Progress, scale: float = 1.0
    ) -> None:
        self.progress = progress
        self._goal = goal
        everyone = len(log.users)
        sizes = [everyone]
        while sizes[0] / SHRINK >= SMALLEST_SAMPLE:
            sizes.insert(0, round(sizes[0] / SHRINK))
        self.parts = tuple(
            LogPart(part.log, part.scale * scale)
            for part in (LogPart.of(log, size, _SEED + at) for at, size in enumerate(sizes))
        )
        self.looked_at = 0

    def rate(self, candidate: SearchCandidate, part: LogPart) -> RatedCandidate | None:
        """The setting with what is expected of it; None where expectations don't tell."""
        self.progress.check()
        self.looked_at += 1
        found = estimate_content(candidate.method, candidate.params, part, self.progress)
        if found is None:
            return None
        return RatedCandidate(candidate, found, self._compute_utility(found))

    def find_best(
        self,
        families: Sequence[CandidateFamily],
        hear: Callable[[Sequence[RatedCandidate], LogPart], None] = lambda _best, _part: None,
    ) -> list[RatedCandidate]:
        """The best setting of every family that lasts to the whole log, best first.

        `hear` is told the best that each sample of users, but for the whole log, lets expect.
        """
        alive = [(family, family.numbers) for family in families if family.direction == "limit"]
        for rung, part in enumerate(self.parts):
            self.progress.stage(
                phrase("comparing settings on {users:,} users", users=len(part.log.users)),
                len(alive),
            )
            rated = []
            for family, numbers in alive:
                best = self._best_of(family, numbers, part)
                self.progress.advance()
                if best is not None:
                    rated.append((family, best))
            rated.sort(key=lambda pair: -pair[1].utility)
            last = rung == len(self.parts) - 1
            keep = max(LEAST_KEPT, math.ceil(len(rated) / KEPT_SHARE))
            if not last:
                hear([best for _, best in rated[:LEAST_KEPT]], part)
            alive = [
                (family, _select_neighbours(family.numbers, best.candidate.number))
                for family, best in (rated if last else rated[:keep])
            ]
        refined = []
        for family, numbers in alive[: max(LEAST_KEPT, 1)]:
            if (found := self.refine(family, numbers, self.parts[-1])) is not None:
                refined.append(found)
        return sorted(refined, key=lambda one: -one.utility)

    def refine(
        self, family: CandidateFamily, numbers: Iterable[int], part: LogPart
    ) -> RatedCandidate | None:
        """The best whole number between the first and the last of three, by halving."""
        known: dict[int, RatedCandidate | None] = {}

        def compute_worth(number: int) -> float:
            if number not in known:
                candidate = family.make_candidate(number)
                known[number] = None if candidate is None else self.rate(candidate, part)
            rated = known[number]
            return -math.inf if rated is None else rated.utility

        places = sorted(set(numbers))
        middle = max(places, key=compute_worth)
        while True:
            low = max((n for n in known if n < middle), default=middle)
            high = min((n for n in known if n > middle), default=middle)
            tried = {_find_middle(low, middle), _find_middle(middle, high)} - set(known)
            tried = {n for n in tried if n / middle > FINE or middle / n > FINE}
            if not tried:
                break
            middle = max([middle, *tried], key=compute_worth)
        return known[middle]

    def _best_of(
        self, family: CandidateFamily, numbers: Iterable[int], part: LogPart
    ) -> RatedCandidate | None:
        candidates = family.iterate_candidates(numbers)
        return find_peak((self.rate(one, part) for one in candidates), lambda one: one.utility)

    def _compute_utility(self, found: CandidateEstimate) -> float:
        """The goal, or the share of searches in the place of what only a run tells."""
        if self._goal.expectable:
            return self._goal.compute_utility(found.figures)
        return found.share


def find_most_queries(
    family: CandidateFamily, part: LogPart, progress: Progress
) -> tuple[SearchCandidate, CandidateEstimate] | None:
    """The setting of a family that is expected to release most queries; may raise `Cancelled`."""

    def estimate(one: SearchCandidate) -> tuple[SearchCandidate, CandidateEstimate] | None:
        progress.check()
        content = estimate_content(one.method, one.params, part, progress)
        return None if content is None else (one, content)

    return find_peak(map(estimate, family.iterate_candidates()), lambda pair: pair[1].queries)


def _select_neighbours(numbers: Sequence[int], number: int) -> tuple[int, ...]:
    """A number with its two neighbours in a list."""
    at = numbers.index(number) if number in numbers else 0
    return tuple(numbers[max(at - 1, 0) : at + 2])


def _find_middle(low: int, high: int) -> int:
    """The whole number in the middle of two on a scale of ratios."""
    return round(math.sqrt(max(low, 1) * max(high, 1)))
