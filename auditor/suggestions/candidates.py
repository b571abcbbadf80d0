"""The settings that a search looks at: families of one method along one parameter.

A family fixes all that the policy decides (ε, δ, k) at its limit and all that is a matter of kind
(with clicks or without, how many rounds), and leaves one number free: how much of each user
counts, where noise has to pay for it, or how strict the method is, where nothing has ε. Of the
former the utility rises and falls again along the number, of the latter it only falls. Families
depend on the policy and on the number of users, and on nothing else in a log.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Literal

from auditor.errors import AuditorError
from auditor.log.sentences import sentence
from auditor.messages import as_phrase, phrase
from auditor.methods.registry import METHODS
from auditor.methods.setting_families import SettingFamily
from auditor.methods.suppression import NOTHING, PARAMETER
from auditor.params import Params
from auditor.suggestions.estimates import CandidateEstimate
from auditor.suggestions.limits import PolicyLimits

LIMITS = (1, 2, 3, 5, 8, 12, 18, 28, 45, 70, 110, 180, 300, 500, 800)
"""How many queries of each user count, where a family is first looked at."""
PRIVATE_LIMITS = (1, 2, 3, 5, 8, 12, 18, 28, 45, 70)
"""The same for a private choice, whose noise grows with the most that one user adds."""
MANY_USERS, MANY_LIMIT = 20_000, 110
"""From so many users on, that noise is small beside what one limit more keeps."""
STRICTNESS = (2, 3, 5, 8, 12, 20, 35, 60, 100, 200)
"""Groups of k users, or users that a query needs, where such a family is first looked at."""
IDS = ("random", "drop")
"""What becomes of user ids, where nobody is hidden in a group."""

Direction = Literal["limit", "strictness", "single"]


def list_dp_methods(*, bounded: bool = False) -> tuple[str, ...]:
    """Methods whose expectations are known for any ε, without a run; `bounded`: privately, too."""
    families = {name: METHODS[name].families for name in METHODS}
    return tuple(
        name for name in families if any(family.bounded or not bounded for family in families[name])
    )


@dataclass(frozen=True)
class SearchCandidate:
    """One setting of a method, and where it stands in its family."""

    method: str
    params: Params
    family: str
    number: int

    @property
    def label(self) -> str:
        if not self.family:
            return self.method
        title = METHODS[self.method].title
        return sentence("suggestions.setting", title=title, family=self.family)


@dataclass(frozen=True)
class RatedCandidate(SearchCandidate):
    """A setting with what is expected of it, and its utility."""

    estimate: CandidateEstimate
    utility: float

    def leaves_enough(self, limits: PolicyLimits) -> bool:
        """Whether as much is expected to be left as a policy wants, even with bad luck."""
        estimate = self.estimate
        return estimate.least_queries >= limits.queries and estimate.share >= limits.share


@dataclass(frozen=True)
class CandidateFamily:
    """Settings of a method along one number; `make` raises where the number doesn't go.

    `direction` says what more of the number does: "limit" costs noise and counts more,
    "strictness" hides more and keeps less, "single" has no number at all. For `bounded` and `walks`
    see `SettingFamily`.
    """

    method: str
    name: str
    direction: Direction
    make: Callable[[int], Params]
    numbers: tuple[int, ...]
    bounded: bool = False
    walks: bool = False

    def make_candidate(self, number: int) -> SearchCandidate | None:
        """The setting at a number; None where the method refuses it."""
        try:
            return SearchCandidate(self.method, self.make(number), self.name, number)
        except (AuditorError, ValueError, OverflowError):
            return None

    def iterate_candidates(self, numbers: Iterable[int] | None = None) -> Iterator[SearchCandidate]:
        """The settings at some numbers, or at those where it is first looked at."""
        for number in self.numbers if numbers is None else numbers:
            if (candidate := self.make_candidate(number)) is not None:
                yield candidate


FALLS = 3
"""After so many lower utilities in a row a climb ends: whole thresholds make small dents."""


def find_first(low: int, high: int, passes: Callable[[int], bool]) -> int:
    """The first place above `low` that passes, if all behind it do; `high` is taken to pass."""
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if passes(middle) else (middle, high)
    return high


def find_peak(
    rated: Iterable[RatedCandidate | None], score: Callable[[RatedCandidate], float]
) -> RatedCandidate | None:
    """The most worth of some that rise and then fall; what isn't known is passed over."""
    best: RatedCandidate | None = None
    falls = 0
    for candidate in filter(None, rated):
        if best is None or score(candidate) >= score(best):
            best, falls = candidate, 0
            continue
        falls += 1
        if falls == FALLS:
            break
    return best


def list_families(
    limits: PolicyLimits, methods: Iterable[str] | None = None
) -> tuple[CandidateFamily, ...]:
    """Every family of the chosen methods, or of all methods."""
    names = tuple(METHODS) if methods is None else tuple(methods)
    return tuple(family for name in names for family in _list_families(name, limits))


def find_family(limits: PolicyLimits, method: str, name: str) -> CandidateFamily | None:
    """The family of a method with that name, at some limits."""
    families = list_families(limits, (method,))
    return next((family for family in families if family.name == name), None)


def list_public_candidates(
    limits: PolicyLimits, methods: Iterable[str] | None = None
) -> tuple[SearchCandidate, ...]:
    """The list of a private choice: settings whose score one user changes by little."""
    names = [name for name in methods or METHODS if METHODS[name].families]
    numbers = PRIVATE_LIMITS if limits.users < MANY_USERS else (*PRIVATE_LIMITS, MANY_LIMIT)
    return tuple(
        candidate
        for family in list_families(limits, names)
        if family.bounded
        for candidate in family.iterate_candidates(numbers)
    )


def _list_families(name: str, limits: PolicyLimits) -> list[CandidateFamily]:
    method = METHODS[name]
    if method.measured_kind != method.yields:  # n-grams: what ranks releases measures queries
        return []
    limits = limits.of_method(name)
    if not method.families:
        return _list_strict_families(name, limits)
    if limits.epsilon <= 0 or limits.delta <= 0:
        return []

    def make(family: SettingFamily, number: int) -> Params:
        return _suppress(family.make(number, limits.epsilon, limits.delta), limits)

    return [
        CandidateFamily(
            name, family.name, "limit", partial(make, family), LIMITS, family.bounded, family.walks
        )
        for family in method.families
    ]


def _suppress(params: Params, limits: PolicyLimits) -> Params:
    """The same setting, which leaves marked strings out afterwards where that is wanted."""
    if limits.suppress == NOTHING or PARAMETER not in {spec.name for spec in params.specs()}:
        return params
    return params.replace(suppress=limits.suppress)


def _list_strict_families(name: str, limits: PolicyLimits) -> list[CandidateFamily]:
    """Methods without ε: along what makes them stricter, or as they come."""
    method = METHODS[name]
    usual = _suppress(method.params(), limits)
    specs = {spec.name: spec for spec in usual.specs()}
    families = []
    for parameter in method.strictness:
        low, high = specs[parameter].slider or (0, 0)
        numbers = tuple(n for n in STRICTNESS if low <= n <= high) or (round(low),)
        if method.grouped:
            numbers = tuple(sorted({limits.k, *(k for k in STRICTNESS if k > limits.k)}))
            configurations = {"groups of users": usual}
        elif "ids" in specs:
            numbers = STRICTNESS
            configurations = {
                phrase("ids: {ids}", ids=as_phrase(ids)): usual.replace(ids=ids) for ids in IDS
            }
        else:
            configurations = {specs[parameter].label: usual}
        for title, params in configurations.items():

            def make(number: int, params: Params = params, parameter: str = parameter) -> Params:
                return params.replace(**{parameter: number})

            families.append(CandidateFamily(name, title, "strictness", make, numbers))
    return families or [CandidateFamily(name, "as it comes", "single", lambda _: usual, (0,))]
