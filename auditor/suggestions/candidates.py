"""The settings that a search looks at: families of one method along one parameter.

A family fixes all that the policy decides (ε, δ, k) at its limit and all that is a matter of kind
(with clicks or without, how many rounds), and leaves one number free: how much of each user
counts, where noise has to pay for it, or how strict the method is, where nothing has ε. Of the
former the utility rises and falls again along the number, of the latter it only falls. Families
depend on the policy and on the number of users, and on nothing else in a log.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

from auditor.errors import AuditorError
from auditor.messages import as_phrase, phrase
from auditor.methods.registry import METHODS
from auditor.methods.set_union.rounds import EVEN, SetUnionParams, derive_noise
from auditor.methods.suppression import NOTHING
from auditor.params import ParamKind, Params
from auditor.suggestions.limits import PolicyLimits

LIMITS = (1, 2, 3, 5, 8, 12, 18, 28, 45, 70, 110, 180, 300)
"""How many queries of each user count, where a family is first looked at."""
PRIVATE_LIMITS = (1, 2, 3, 5, 8, 12, 18, 28, 45, 70)
"""The same for a private choice, whose noise grows with the most that one user adds."""
MANY_USERS, MANY_LIMIT = 20_000, 110
"""From so many users on, that noise is small beside what one limit more keeps."""
STRICTNESS = (2, 3, 5, 8, 12, 20, 35, 60, 100, 200)
"""Groups of k users, or users that a query needs, where such a family is first looked at."""
COUNTED = ("safelog", "korolova", "zealous", "set-union", "partition-selection")
"""Methods whose expectations are known for any ε, without a run."""

Direction = Literal["limit", "strictness", "single"]


@dataclass(frozen=True)
class SearchCandidate:
    """One setting of a method, and where it stands in its family."""

    method: str
    params: Params
    family: str
    number: int

    @property
    def label(self) -> str:
        """A short name for people."""
        return (
            phrase(
                "{title}, {family}",
                title=as_phrase(METHODS[self.method].title),
                family=as_phrase(self.family),
            )
            if self.family
            else self.method
        )


@dataclass(frozen=True)
class CandidateFamily:
    """Settings of a method along one number; `make` gives none where the number doesn't go.

    `direction` says what more of the number does: "limit" costs noise and counts more,
    "strictness" hides more and keeps less, "single" has no number at all.
    """

    method: str
    name: str
    parameter: str
    direction: Direction
    make: Callable[[int], Params | None]
    numbers: tuple[int, ...]

    def make_candidate(self, number: int) -> SearchCandidate | None:
        """The setting at a number; None where the method refuses it."""
        try:
            params = self.make(number)
        except (AuditorError, ValueError, OverflowError):
            return None
        if params is None:
            return None
        return SearchCandidate(self.method, params, self.name, number)

    def iterate_candidates(self, numbers: Iterable[int] | None = None) -> Iterator[SearchCandidate]:
        """The settings at some numbers, or at those where it is first looked at."""
        for number in self.numbers if numbers is None else numbers:
            if (found := self.make_candidate(number)) is not None:
                yield found


def list_families(
    limits: PolicyLimits, methods: Iterable[str] | None = None
) -> tuple[CandidateFamily, ...]:
    """Every family of the chosen methods, or of all methods."""
    names = tuple(METHODS) if methods is None else tuple(methods)
    return tuple(family for name in names for family in _make_families(name, limits))


def list_public_candidates(
    limits: PolicyLimits, methods: Iterable[str] | None = None
) -> tuple[SearchCandidate, ...]:
    """The list of a private choice: settings whose score one user changes by little."""
    wanted = COUNTED if methods is None else tuple(name for name in methods if name in COUNTED)
    numbers = PRIVATE_LIMITS if limits.users < MANY_USERS else (*PRIVATE_LIMITS, MANY_LIMIT)
    found: list[SearchCandidate] = []
    for family in list_families(limits, wanted):
        if family.name in PRIVATE_FAMILIES[family.method]:
            found += family.iterate_candidates(numbers)
    return tuple(found)


PRIVATE_FAMILIES: dict[str, tuple[str, ...]] = {
    "safelog": ("queries alone",),
    "korolova": (),
    "zealous": ("sound threshold",),
    "set-union": ("1 round", "1 round, better counts"),
    "partition-selection": (),
}
"""Families of a private choice. Korolova's draw twice what SafeLog's draw once, and never win."""


def _make_families(name: str, limits: PolicyLimits) -> list[CandidateFamily]:
    if METHODS[name].form == "n-grams":  # what ranks releases measures queries
        return []
    limits = limits.of_method(name)
    if (limits.epsilon <= 0 or limits.delta <= 0) and name in COUNTED:
        return []
    known = {
        "safelog": _make_safelog_families,
        "korolova": _make_korolova_families,
        "zealous": _make_zealous_families,
        "set-union": _set_union,
        "partition-selection": _partition_selection,
    }
    families = known[name](limits) if name in known else _make_strict_families(name, limits)
    known_names = {spec.name for spec in METHODS[name].params.specs()}
    if limits.suppress == NOTHING or "suppress" not in known_names:
        return families
    return [replace(one, make=_suppressing(one.make, limits.suppress)) for one in families]


def _suppressing(
    make: Callable[[int], Params | None], level: str
) -> Callable[[int], Params | None]:
    """The same settings, which leave marked strings out afterwards."""

    def make_suppressing(number: int) -> Params | None:
        made = make(number)
        return None if made is None else made.replace(suppress=level)

    return make_suppressing


def _make_counting_family(
    method: str, name: str, parameter: str, make: Callable[[int], Params | None]
) -> CandidateFamily:
    return CandidateFamily(method, name, parameter, "limit", make, LIMITS)


def _make_safelog_families(limits: PolicyLimits) -> list[CandidateFamily]:
    usual = METHODS["safelog"].params()

    def make_alone(q_f: int) -> Params:
        return usual.replace(
            q_f=q_f,
            c_f=1,
            b=_limit_scale(q_f / limits.epsilon),
            delta=limits.delta,
            clicks=False,
            transitions=False,
        )

    def with_clicks(q_f: int) -> Params:
        c_f = max(1, q_f // 2)
        return usual.replace(
            q_f=q_f,
            c_f=c_f,
            b=_limit_scale(q_f / (0.6 * limits.epsilon)),
            b_c=_limit_scale(c_f / (0.4 * limits.epsilon)),
            delta=limits.delta,
            transitions=False,
        )

    def with_all(q_f: int) -> Params:
        c_f = max(1, q_f // 2)
        return usual.replace(
            q_f=q_f,
            c_f=c_f,
            b=_limit_scale(q_f / (0.5 * limits.epsilon)),
            b_c=_limit_scale(c_f / (0.3 * limits.epsilon)),
            b_t=_limit_scale(max(q_f - 1, 1) / (0.2 * limits.epsilon)),
            delta=limits.delta,
        )

    return [
        _make_counting_family("safelog", "queries alone", "q_f", make_alone),
        _make_counting_family("safelog", "queries and clicks", "q_f", with_clicks),
        _make_counting_family("safelog", "queries, clicks and transitions", "q_f", with_all),
    ]


def _make_korolova_families(limits: PolicyLimits) -> list[CandidateFamily]:
    usual = METHODS["korolova"].params()

    def bind_share(part: float) -> Callable[[int], Params]:
        return lambda q_f: usual.replace(
            q_f=q_f,
            c_f=1,
            b=_limit_scale(q_f / (part * limits.epsilon)),
            b_q=_limit_scale(q_f / ((1 - part) * limits.epsilon)),
            delta=limits.delta,
            unit="users",
        )

    return [
        _make_counting_family("korolova", "most for the selection", "q_f", bind_share(0.9)),
        _make_counting_family("korolova", "half for the counts", "q_f", bind_share(0.5)),
    ]


def _make_zealous_families(limits: PolicyLimits) -> list[CandidateFamily]:
    usual = METHODS["zealous"].params()
    return [
        _make_counting_family(
            "zealous",
            "sound threshold",
            "m",
            lambda m: usual.replace(m=m, epsilon=limits.epsilon, delta=limits.delta),
        )
    ]


def _set_union(limits: PolicyLimits) -> list[CandidateFamily]:
    usual = METHODS["set-union"].params()

    def bind_settings(weighting: str, rounds: int, counting: float) -> Callable[[int], Params]:
        def make(q_f: int) -> Params:
            # The thresholds' half of δ and the noise's are rounded apart: stay below by a little.
            made = usual.replace(
                epsilon=limits.epsilon,
                delta=limits.delta * (1 - 1e-6),
                q_f=q_f,
                rounds=rounds,
                weighting=weighting,
                counting=counting,
            )
            if isinstance(made, SetUnionParams) and weighting != EVEN:
                derive_noise(made)  # refuses an ε or δ for which these weights have no noise
            return made

        return make

    even = [
        _make_counting_family(
            "set-union",
            phrase(
                "{rounds} rounds{words}" if rounds > 1 else "{rounds} round{words}",
                rounds=rounds,
                words=as_phrase(words),
            ),
            "q_f",
            bind_settings("even", rounds, counting),
        )
        for rounds in (1, 2, 3)
        for counting, words in ((0.1, ""), (0.3, ", better counts"))
    ]
    screened = [
        _make_counting_family(
            "set-union",
            phrase("screened{words}", words=as_phrase(words)),
            "q_f",
            bind_settings("screened", 1, counting),
        )
        for counting, words in ((0.1, ""), (0.3, ", better counts"))
    ]
    return even + screened


def _partition_selection(limits: PolicyLimits) -> list[CandidateFamily]:
    usual = METHODS["partition-selection"].params()
    return [
        _make_counting_family(
            "partition-selection",
            "whole histories",
            "q_f",
            lambda q_f: usual.replace(epsilon=limits.epsilon, delta=limits.delta, q_f=q_f),
        )
    ]


_THRESHOLDS = {"frequency-threshold": "n", "k-theta-affinity": "k"}
_GROUPS = {"k-delta": "k", "m-k-delta-epsilon": "k", "microaggregation": "k"}


def _make_strict_families(name: str, limits: PolicyLimits) -> list[CandidateFamily]:
    """Methods without ε: along what makes them stricter, or as they come."""
    usual = METHODS[name].params()
    if name in _GROUPS:
        numbers = tuple(sorted({limits.k, *(k for k in STRICTNESS if k > limits.k)}))
        return [_make_strictness_family(name, "groups of users", _GROUPS[name], usual, numbers)]
    if name in _THRESHOLDS:
        return [
            _make_strictness_family(
                name,
                phrase("ids: {ids}", ids=as_phrase(ids)),
                _THRESHOLDS[name],
                usual.replace(ids=ids),
                STRICTNESS,
            )
            for ids in ("random", "drop")
        ]
    found = []
    for spec in METHODS[name].params.specs():
        main = METHODS[name].main or (spec.name,)
        stricter = spec.ends[1] == "more private" or spec.ends[0] == "more private"
        if spec.kind is ParamKind.INTEGER and spec.slider and stricter and spec.name in main:
            low, high = (round(end) for end in spec.slider)
            numbers = tuple(n for n in STRICTNESS if low <= n <= high) or (low,)
            if spec.ends[1] == "more private":
                found.append(_make_strictness_family(name, spec.label, spec.name, usual, numbers))
    usual_one = CandidateFamily(name, "as it comes", "", "single", lambda _: usual, (0,))
    return found or [usual_one]


def _make_strictness_family(
    method: str, name: str, parameter: str, usual: Params, numbers: tuple[int, ...]
) -> CandidateFamily:
    def make(number: int) -> Any:
        return usual.replace(**{parameter: number})

    return CandidateFamily(method, name, parameter, "strictness", make, numbers)


def _limit_scale(wanted: float) -> float:
    """A noise scale within what the methods take, upwards where it isn't."""
    return max(wanted, 0.01)
