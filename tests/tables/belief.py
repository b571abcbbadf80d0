"""The belief table: what is stated of a guess, against the exact law of each method on small logs.

A case is a method with its parameters, and the laws of what one user changes: of each number the
law with and without them. A user may issue queries that many others issue, that nobody else does,
or some of each; the exact columns are the largest over these mixes.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from auditor.arrays import Float64s
from auditor.figures import format_delta, format_share
from auditor.log.model import QueryLog
from auditor.methods import korolova, zealous
from auditor.methods import safelog as strict
from auditor.methods.n_grams import method as n_grams
from auditor.methods.registry import METHODS
from auditor.methods.set_union import method as set_union
from auditor.params import Params
from auditor.privacy import gaussian, truncated_geometric
from auditor.privacy.belief import BeliefBound, bound_belief
from auditor.progress import silent_progress
from tests.privacy import exact_laws

NAME, PAGE, HEADING = "belief", "measurements.md", "## Stated and exact\n"
CROWD = 10_000
"""Other users of a query that many issue: it is always shown."""

Pair = tuple[Float64s, Float64s]
"""Chances of the same outcomes with the user and without them, outcomes of equal ratio as one."""


@dataclass(frozen=True)
class BeliefCase:
    """A method with ε, and the mixes of what one user may do: each a list of changed numbers."""

    method: str
    values: dict[str, Any]
    mixes: Callable[[Any], Iterator[list[Pair]]]

    @property
    def params(self) -> Params:
        return METHODS[self.method].params(**self.values)


class ExactBelief(NamedTuple):
    """Of the worst mix: right guesses, and chances of a belief beyond a bound.

    `beyond` is that of a belief above the stated one, `beyond_epsilon` above e^ε/(1 + e^ε).
    """

    accuracy: float
    beyond: float
    beyond_epsilon: float


def pair_of(first: dict[Any, float], second: dict[Any, float]) -> Pair:
    """Two laws side by side, merged."""
    keys = [*first, *(key for key in second if key not in first)]
    return merge(
        np.array([first.get(key, 0.0) for key in keys]),
        np.array([second.get(key, 0.0) for key in keys]),
    )


def merge(first: Float64s, second: Float64s) -> Pair:
    """Outcomes of the same ratio, to 10⁻⁹, as one: whoever sees them learns the same."""
    with np.errstate(divide="ignore", invalid="ignore"):
        loss = np.log(first) - np.log(second)
    real = (first > 0) | (second > 0)
    _, place = np.unique(np.round(loss[real], 9), return_inverse=True)
    sums = [np.bincount(place, law[real]).astype(np.float64) for law in (first, second)]
    return sums[0], sums[1]


def compose(pairs: Sequence[Pair]) -> Pair:
    first, second = np.ones(1), np.ones(1)
    for left, right in pairs:
        first, second = merge(np.outer(first, left).ravel(), np.outer(second, right).ravel())
    return first, second


def measure_mix(pairs: Sequence[Pair], bound: BeliefBound) -> ExactBelief:
    """What an attacker who knows both laws gets; the larger chance of either log being true."""
    first, second = compose(pairs)
    belief = np.maximum(first, second) / (first + second)

    def chance_beyond(share: float) -> float:
        above = belief > share + 1e-9
        return float(max(first[above].sum(), second[above].sum()))

    plain = bound_belief(bound.epsilon)
    assert plain is not None
    return ExactBelief(
        float(np.maximum(first, second).sum() / 2),
        chance_beyond(bound.belief or 1.0),
        chance_beyond(plain.accuracy),
    )


def measure_case(case: BeliefCase) -> tuple[BeliefBound, ExactBelief]:
    """What is stated, and the largest of what is so over all mixes."""
    method, params = METHODS[case.method], case.params
    log = QueryLog.from_columns(user=["u"], query=["x"], time=[1], url=[None])
    assert method.outlook is not None
    statement = method.outlook(log, params, scale=1.0, progress=silent_progress()).statement
    assert statement.epsilon is not None
    bound = bound_belief(statement.epsilon, statement.delta or 0.0)
    assert bound is not None
    mixes = [measure_mix(mix, bound) for mix in case.mixes(params)]
    return bound, ExactBelief(*(max(column) for column in zip(*mixes, strict=True)))


def _count(noise: dict[int, float], least: int, step: int = 1, *, alone: bool = False) -> Pair:
    """A count that the user raises by `step`, of nobody else or of many, shown from `least` on."""
    crowd = 0 if alone else CROWD
    return pair_of(
        exact_laws.thresholded(crowd + step, noise, least),
        exact_laws.thresholded(crowd, noise, least),
    )


def _mixes(limit: int, common: Pair, alone: Pair) -> Iterator[list[Pair]]:
    """Of `limit` queries some of nobody else, the others common."""
    for number in range(limit + 1):
        yield [common] * (limit - number) + [alone] * number


def _count_mixes(limit: int, noise: dict[int, float], least: int) -> Iterator[list[Pair]]:
    return _mixes(limit, _count(noise, least), _count(noise, least, alone=True))


def safelog_mixes(params: Any) -> Iterator[list[Pair]]:
    least = strict.strict_budget(params).K
    return _count_mixes(params.q_f, exact_laws.laplace(params.b), least)


def korolova_mixes(params: Any) -> Iterator[list[Pair]]:
    """One query issued q_f times, or q_f of them: a selection, and another draw for the count."""
    least = korolova.least_count(params)
    select, count = exact_laws.laplace(params.b), exact_laws.laplace(params.b_q)

    def law(users: int) -> dict[Any, float]:
        released = sum(p for x, p in select.items() if users and users + x >= least)
        return {None: 1 - released} | {users + x: released * p for x, p in count.items()}

    for crowd in (0, least, CROWD):
        yield [pair_of(law(crowd + params.q_f), law(crowd))]
    yield [pair_of(law(1), law(0))] * params.q_f


def zealous_mixes(params: Any) -> Iterator[list[Pair]]:
    """Exchanged: m queries lose the user, and m others gain them."""
    bounds = zealous.derive_bounds(params)
    noise = exact_laws.laplace(bounds.scale)
    gained, (without, with_) = _count(noise, bounds.least), _count(noise, bounds.least)
    lost = _count(noise, bounds.least, alone=True)
    for number in range(params.m + 1):
        yield [*[gained] * (params.m - number), *[lost] * number, *[(with_, without)] * params.m]


def partition_mixes(params: Any) -> Iterator[list[Pair]]:
    """Truncated noise says itself what is shown."""
    law = truncated_geometric.noise_for(params.epsilon, params.delta, params.q_f)
    return _count_mixes(params.q_f, exact_laws.truncated(law), law.bound + 1)


def dated_mixes(params: Any) -> Iterator[list[Pair]]:
    """Cells of one user, with truncated or Gaussian noise."""
    budget = params.budget
    law = budget.truncated
    noise = exact_laws.gaussian(budget.sigma) if law is None else exact_laws.truncated(law)
    return _count_mixes(budget.cells, noise, budget.threshold)


def public_key_mixes(params: Any) -> Iterator[list[Pair]]:
    """Keys that many use, and keys that nobody else does, whose count of 0 has noise, too."""
    noise, least = exact_laws.gaussian(params.sigma), params.threshold + 1
    return _mixes(params.m, _count(noise, least), _count(noise, CROWD + least))


def relative_index_mixes(params: Any) -> Iterator[list[Pair]]:
    """Every key's noisy count by itself, which is more than the index shows, and that of users."""
    rest = params.epsilon * (1 - params.share)
    keys = [_count(exact_laws.laplace(params.m / rest), -CROWD)] * params.m
    yield [*keys, _count(exact_laws.laplace(1 / (params.epsilon * params.share)), -CROWD)]


def union_mixes(params: Any) -> Iterator[list[Pair]]:
    """One query with the whole weight in each round, and its count; on weights of 1."""
    derived = set_union.derive_noise(params)
    grid = derived.grid
    laws = [
        (exact_laws.gaussian(sigma / grid), math.ceil(least / grid))
        for sigma, least in zip(derived.sigma, derived.threshold, strict=True)
    ]
    count = exact_laws.gaussian(derived.count_sigma)
    # What many issue is found in any case; its count, and a weight in every round, tell most.
    yield [*(_count(noise, -CROWD) for noise, _ in laws), _count(count, -CROWD)]
    yield [_count(noise, least, alone=True) for noise, least in laws]


def n_gram_mixes(params: Any) -> Iterator[list[Pair]]:
    """One n-gram of each length."""
    derived = n_grams.derive_noise(params)
    noise = exact_laws.gaussian(derived.sigma / gaussian.GRID)
    return _count_mixes(params.longest, noise, math.ceil(derived.threshold / gaussian.GRID))


BARE = {"clicks": False, "transitions": False}
KOROLOVA = {"q_f": 4, "b": 8.0, "b_q": 8.0, "delta": 1e-4, "clicks": "none"}
CASES = (
    BeliefCase("safelog", {"q_f": 5, "b": 5.0, "delta": 1e-4, **BARE}, safelog_mixes),
    BeliefCase("korolova", KOROLOVA, korolova_mixes),
    BeliefCase("zealous", {"m": 3, "epsilon": 1.0, "delta": 1e-4}, zealous_mixes),
    BeliefCase("set-union", {"epsilon": 1.0, "delta": 1e-4, "q_f": 1}, union_mixes),
    BeliefCase(
        "set-union", {"epsilon": 1.0, "delta": 1e-4, "q_f": 1, "weighting": "adaptive"}, union_mixes
    ),
    BeliefCase("n-grams", {"epsilon": 1.0, "delta": 1e-4, "q_f": 1, "longest": 2}, n_gram_mixes),
    BeliefCase("partition-selection", {"epsilon": 1.0, "delta": 1e-6, "q_f": 1}, partition_mixes),
    BeliefCase("partition-selection", {"epsilon": 1.0, "delta": 1e-6, "q_f": 20}, partition_mixes),
    BeliefCase("dated-counts", {"epsilon": 1.0, "delta": 1e-4, "q_f": 2, "days": 5}, dated_mixes),
    BeliefCase("dp-public-key-counts", {"rho": 0.1, "m": 3, "threshold": 20}, public_key_mixes),
    BeliefCase("dp-relative-index", {"m": 3}, relative_index_mixes),
)


def section() -> str:
    rows = []
    for case in CASES:
        bound, exact = measure_case(case)
        params = ", ".join(f"{name} {value}" for name, value in case.values.items())
        times = f"{exact.beyond_epsilon / bound.delta:.2g} δ" if bound.delta else "–"
        rows.append(
            f"| {case.method} ({params}) | {format_share(bound.accuracy)} | "
            f"{format_share(exact.accuracy)} | {format_share(bound.belief or 1.0)}, "
            f"{format_delta(bound.failure)} | {format_delta(exact.beyond)} | {times} |"
        )
    return "\n".join(
        [
            HEADING,
            "`python -m tests.tables belief` takes the exact law of each method where one user "
            "changes most, and",
            "compares it with what is stated. The last column is the probability of a belief above "
            "e^ε/(1 + e^ε):",
            "it is not δ.",
            "",
            "| method | right guesses, stated | exact | belief and its probability, stated | exact "
            "| beyond ε |",
            "|---|---|---|---|---|---|",
            *rows,
            "",
        ]
    )
