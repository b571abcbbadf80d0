"""Sampled releases: the exact privacy curve on small logs against what the statement says.

The law of every outcome is computed twice over: by `exact_laws` from the method's description, for
all samples that the coins can give; and the program's own runs are compared with it.
"""

import itertools
import math
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import pytest
from scipy import stats

from auditor.engine.backends import local
from auditor.log.model import QueryLog, UserSample
from auditor.methods import korolova, sampling
from auditor.methods import safelog as strict
from auditor.methods.registry import METHODS
from auditor.methods.set_union import method as set_union
from auditor.methods.zealous import derive_bounds
from auditor.privacy import truncated_geometric
from auditor.privacy.noise import PreviewRandomness, SecureRandomness
from auditor.privacy.release import Anonymized
from auditor.privacy.statement import Statement
from tests.methods.logs import QUIET, clicks_of, present, queries_of, tables_of, transitions_of
from tests.methods.n_grams.test_n_grams import law_of
from tests.privacy import exact_laws as exact
from tests.privacy.exact_laws import Law, Mechanism, Outcome, User
from tests.reference.methods import set_union as set_union_weights

SHARES = (0.1, 0.5, 0.9)
A, B, AB, BA = ("a",), ("b",), ("a", "b"), ("b", "a")
ONE_MORE: tuple[tuple[Sequence[User], Sequence[User]], ...] = (
    ([], [A]),
    ([], [AB]),
    ([B], [B, ("a", "a")]),
    ([A], [A, A]),
    ([A, B], [A, B, AB]),
    ([A, A, B], [A, A, B, B]),
    ([B, B, BA, BA], [B, B, BA, BA, AB]),
)
"""Logs of which the second has one user more."""
ANOTHER: tuple[tuple[Sequence[User], Sequence[User]], ...] = (
    ([A], [B]),
    ([A, A], [A, B]),
    ([B, B, A], [B, B, B]),
    ([AB, A, B, A], [AB, A, B, B]),
    ([AB, A, AB], [AB, A, ()]),
)
"""Logs in which one user's history is another."""


class SampledCase(NamedTuple):
    """A method that can be sampled, as it is and as its description has it."""

    method: str
    values: dict[str, Any]
    law: Callable[[Any], Mechanism]
    page: str | None = None
    exact: bool = True
    """Whether the statement's δ is reached by some log."""
    wide: bool = False
    """Whether there are so many outcomes that the curve takes seconds."""


def _count_law(
    noise: dict[int, float], least: int, limit: int, fewest: int = 0, below: int = 0
) -> Mechanism:
    """Noisy numbers of users, shown from `least` on; `below` are taken off before the noise.

    Where fewer than `fewest` have a query, it has no count.
    """

    def query_law(users: int) -> dict[int | None, float]:
        law = exact.thresholded(max(0, users - below) if users >= fewest else 0, noise, least)
        return {None if n is None else n + below: p for n, p in law.items()}

    def law(users: Sequence[User]) -> Law:
        count = exact.counts(users, limit)
        return exact.product(*(query_law(count[query]) for query in "ab"))

    return law


def _safelog(params: Any) -> Mechanism:
    return _count_law(exact.laplace(params.b), strict.strict_budget(params).K, params.q_f)


def _safelog_clicks(params: Any) -> Mechanism:
    """Every user clicks the page on their first query."""
    spent = strict.strict_budget(params)
    noise, on_clicks = exact.laplace(params.b), exact.laplace(params.b_c)

    def law(users: Sequence[User]) -> Law:
        count = exact.counts(users, params.q_f)
        clicks = Counter(user[0] for user in users if user)
        parts = []
        for query in "ab":
            part: Law = {}
            for value, p in exact.thresholded(count[query], noise, spent.K).items():
                click = exact.thresholded(clicks[query], on_clicks, spent.K_c)
                for then, q in (click if value is not None else {None: 1.0}).items():
                    part[value, then] = part.get((value, then), 0.0) + p * q
            parts.append(part)
        return {(*x, *y): p * q for x, p in parts[0].items() for y, q in parts[1].items()}

    return law


def _safelog_transitions(params: Any) -> Mechanism:
    spent = strict.strict_budget(params)
    noise, on_pairs = exact.laplace(params.b), exact.laplace(params.b_t)

    def cell(count: int) -> dict[int | None, float]:
        chances: dict[int | None, float] = {None: 0.0}
        for x, chance in on_pairs.items():
            value = count + x if count + x >= params.K_t else None
            chances[value] = chances.get(value, 0.0) + chance
        return chances

    def law(users: Sequence[User]) -> Law:
        count = exact.counts(users, params.q_f)
        pairs = Counter(user for user in users if len(user) == 2)
        queries = exact.product(*(exact.thresholded(count[q], noise, spent.K) for q in "ab"))
        cells = exact.product(cell(pairs[AB]), cell(pairs[BA]))
        outcomes: Law = {}
        for values, p in queries.items():
            then = cells if None not in values else {(None, None): 1.0}
            for more, q in then.items():
                outcomes[(*values, *more)] = outcomes.get((*values, *more), 0.0) + p * q
        return outcomes

    return law


def _korolova(params: Any) -> Mechanism:
    noise, again = exact.laplace(params.b), exact.laplace(params.b_q)
    least = korolova.least_count(params)

    def part(count: int) -> dict[int | None, float]:
        passes = math.fsum(p for x, p in noise.items() if count and count + x >= least)
        return {count + x: passes * p for x, p in again.items()} | {None: 1 - passes}

    def law(users: Sequence[User]) -> Law:
        count = Counter(q for user in users for q in user[: params.q_f])
        return exact.product(*(part(count[query]) for query in "ab"))

    return law


def _zealous(params: Any) -> Mechanism:
    derived = derive_bounds(params)
    return _count_law(exact.laplace(derived.scale), derived.least, params.m, fewest=params.tau)


def _set_union(params: Any) -> Mechanism:
    derived = set_union.derive_noise(params)
    noise = exact.gaussian(derived.count_sigma)

    def law(users: Sequence[User]) -> Law:
        nothing_known: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset())
        states = {nothing_known: 1.0}
        limited = [list(dict.fromkeys(user))[: params.q_f] for user in users]
        for number, sigma in enumerate(derived.sigma):
            after: dict[tuple[frozenset[str], frozenset[str]], float] = {}
            for (queries, closed), p in states.items():
                weight = set_union_weights.share_weights(
                    [[q for q in user if q not in closed] for user in limited],
                    derived.grid,
                    derived.ceilings[number],
                    params.q_f,
                )
                screen = derived.screen if number == 0 else None
                for new, chance in _outcomes(weight, derived.threshold[number], screen, sigma):
                    shut = closed | {q for q, state in new if state != "open"}
                    released = queries | {q for q, state in new if state == "found"}
                    after[released, shut] = after.get((released, shut), 0.0) + p * chance
            states = after
        found_sets: dict[frozenset[str], float] = {}
        for (queries, _), p in states.items():
            found_sets[queries] = found_sets.get(queries, 0.0) + p
        count = exact.counts(users, params.q_f)

        def count_law(query: str) -> dict[int | None, float]:
            values: dict[int | None, float] = {}
            for x, chance in noise.items():
                values[max(1, count[query] + x)] = values.get(max(1, count[query] + x), 0) + chance
            return values

        nothing: dict[int | None, float] = {None: 1.0}
        return exact.mixture(
            (p, exact.product(*(count_law(q) if q in queries else nothing for q in "ab")))
            for queries, p in found_sets.items()
        )

    return law


def _ngrams(params: Any) -> Mechanism:
    """Of queries of one word each: their weights in whole users."""
    return lambda users: law_of(params, users, "ab")


def _outcomes(
    weight: dict[str, int], threshold: int, screen: float | None, sigma: float
) -> list[tuple[tuple[tuple[str, str], ...], float]]:
    """What one round can make of each query, found, open or closed, with its chance."""
    each = []
    for query, w in sorted(weight.items()):
        passes = _gaussian_tail(threshold - w, sigma)
        stays = 1.0 if screen is None else _gaussian_tail(math.ceil(screen) - w, sigma)
        each.append(
            [((query, "found"), passes), ((query, "open"), stays - passes)]
            + ([((query, "closed"), 1 - stays)] if screen is not None else [])
        )
    return [
        (tuple(name for name, _ in states), math.prod(chance for _, chance in states))
        for states in itertools.product(*each)
    ]


def _partition_selection(params: Any) -> Mechanism:
    noise = truncated_geometric.noise_for(params.epsilon, params.delta, params.q_f)
    return _count_law(exact.truncated(noise), noise.bound + 1, params.q_f, below=params.k - 1)


def _dated_counts(params: Any) -> Mechanism:
    """All on one day; of the sum over days, which is the same there, and the table."""
    budget = params.budget
    return _count_law(exact.truncated(present(budget.truncated)), budget.threshold, params.q_f)


def _gaussian_tail(least: int, sigma: float) -> float:
    """P[X ≥ least] on a grid so fine (2²⁰ steps) that the integers are as good as the reals."""
    return float(stats.norm.sf((least - 0.5) / sigma))


BARE = {"clicks": False, "transitions": False}
CASES = {
    "safelog": SampledCase("safelog", {"q_f": 1, "b": 0.5, "delta": 0.01, **BARE}, _safelog),
    "safelog, two queries": SampledCase(
        "safelog", {"q_f": 2, "b": 1.0, "delta": 0.05, **BARE}, _safelog
    ),
    "safelog with clicks": SampledCase(
        "safelog",
        {"q_f": 1, "c_f": 1, "b": 0.5, "b_c": 0.5, "delta": 0.02, "transitions": False},
        _safelog_clicks,
        page="http://u",
        exact=False,
        wide=True,
    ),
    "safelog with transitions": SampledCase(
        "safelog",
        {"q_f": 2, "b": 0.4, "b_t": 0.4, "K_t": 2, "delta": 0.02, "clicks": False},
        _safelog_transitions,
        wide=True,
    ),
    "korolova": SampledCase("korolova", {"q_f": 2, "b": 1.0, "b_q": 0.5, "delta": 0.01}, _korolova),
    "zealous": SampledCase("zealous", {"m": 1, "epsilon": 2.0, "delta": 0.01}, _zealous),
    "zealous, two queries and τ": SampledCase(
        "zealous", {"m": 2, "epsilon": 4.0, "delta": 0.01, "tau": 2}, _zealous, exact=False
    ),
    "partition-selection": SampledCase(
        "partition-selection", {"epsilon": 2.0, "delta": 0.05, "q_f": 1}, _partition_selection
    ),
    "partition-selection, two queries and k": SampledCase(
        "partition-selection",
        {"epsilon": 2.0, "delta": 0.05, "q_f": 2, "k": 2},
        _partition_selection,
        exact=False,
    ),
    "dated-counts": SampledCase(
        "dated-counts", {"epsilon": 2.0, "delta": 0.05, "q_f": 1, "days": 1}, _dated_counts
    ),
    "dated-counts, two queries": SampledCase(
        "dated-counts",
        {"epsilon": 2.0, "delta": 0.05, "q_f": 2, "days": 1},
        _dated_counts,
        exact=False,
    ),
    "n-grams": SampledCase(
        "n-grams", {"epsilon": 2.0, "delta": 0.05, "q_f": 2, "longest": 1}, _ngrams, exact=False
    ),
    "set-union": SampledCase(
        "set-union", {"epsilon": 2.0, "delta": 0.05, "q_f": 2}, _set_union, exact=False
    ),
    "set-union, two rounds": SampledCase(
        "set-union", {"epsilon": 2.0, "delta": 0.05, "q_f": 2, "rounds": 2}, _set_union, exact=False
    ),
    "set-union, adaptive": SampledCase(
        "set-union",
        {"epsilon": 20.0, "delta": 0.1, "q_f": 2, "weighting": "adaptive"},
        _set_union,
        exact=False,
    ),
    "set-union, screened": SampledCase(
        "set-union",
        {"epsilon": 2.0, "delta": 0.05, "q_f": 2, "weighting": "screened"},
        _set_union,
        exact=False,
    ),
}


DAILY = {"dp-public-key-counts", "dp-relative-index"}
"""Methods with an ε that is always of a day."""


def released(method: str, log: QueryLog, share: float, **values: Any) -> Anonymized:
    rng = SecureRandomness()
    params = METHODS[method].params(**values)
    return local.apply_method(local.sample_log(log, share, rng), method, params, rng, QUIET)


def test_that_every_method_with_an_epsilon_has_an_exact_curve() -> None:
    log = exact.log_of([A] * 80)  # half of them are enough for every k, but for one time in 10¹²
    claims = {
        name
        for name in METHODS
        if released(name, log, 0.5).statement.model == "differential privacy"
    }
    # A day shares its user's coin with their other days, so of days no smaller ε is claimed.
    days = {name for name in claims if released(name, log, 0.5).statement.period}
    assert days == DAILY
    assert claims - days == {case.method for case in CASES.values()}


@pytest.mark.parametrize(
    ("name", "share"),
    [(name, share) for name, case in CASES.items() for share in ((0.5,) if case.wide else SHARES)],
)
def test_that_the_exact_curve_of_a_sample_is_within_the_statement(name: str, share: float) -> None:
    case = CASES[name]
    law = case.law(METHODS[case.method].params(**case.values))
    statement = released(case.method, exact.log_of([A, B]), share, **case.values).statement
    assert statement.epsilon is not None
    assert statement.delta is not None
    before = statement.measured["epsilon_without_sample"]
    assert 0 < statement.epsilon < before
    most = 0.0
    for base, neighbour in ANOTHER if case.method == "zealous" else ONE_MORE:
        first, second = (exact.sampled(law, users, share) for users in (base, neighbour))
        assert math.fsum(first.values()) == pytest.approx(1.0, abs=1e-9)
        delta = exact.exact_delta(first, second, statement.epsilon)
        assert delta <= statement.delta * (1 + 1e-9) + 1e-12, (base, neighbour)
        most = max(most, delta)
    if case.exact:
        # Nothing smaller may be said: a query of one user alone passes so often.
        assert most == pytest.approx(statement.delta, rel=1e-6)


def test_that_a_sample_has_a_tighter_epsilon_than_the_whole() -> None:
    values = {"q_f": 4, "b": 3.0, "delta": 1e-3, **BARE}
    statement = released("safelog", exact.log_of([A]), 0.2, **values).statement
    unsampled = statement.measured["tight_epsilon_without_sample"]
    assert present(statement.tight_epsilon) < unsampled
    assert unsampled < statement.measured["epsilon_without_sample"]
    plain = released("safelog", exact.log_of([A]), 1.0, **values).statement
    assert unsampled == plain.tight_epsilon


# The program's runs follow the law

CLEAR: dict[str, dict[str, Any]] = {
    "safelog": {},
    "safelog with clicks": {},
    "safelog with transitions": {},
    "korolova": {"K": 4},
    "zealous": {"epsilon": 6.0, "delta": 0.1},
    "n-grams": {},
    "set-union, two rounds": {},
    "set-union, adaptive": {},
    "set-union, screened": {},
}
"""Cases with what makes several outcomes of seven users likely."""


@pytest.mark.parametrize(
    "name", ["safelog", *(pytest.param(n, marks=pytest.mark.slow) for n in CLEAR if n != "safelog")]
)
def test_that_sampled_runs_have_the_law_whose_curve_was_computed(name: str) -> None:
    """A share of 0.6 in place of 0.5 would be seen with a chance above 0.9 in every case."""
    case, share, runs = CASES[name], 0.5, 800
    params = METHODS[case.method].params(**case.values | CLEAR[name])
    users: list[User] = [AB, AB, BA, A, A, B, AB]
    if case.values.get("q_f") == 1:
        users = [(user[0],) for user in users]
    law = exact.sampled(case.law(params), users, share)
    log = exact.log_of(users, case.page)
    again = local.make_rerun(case.method, params, 0, share=share)
    counts = Counter(_outcome(again(log, run, QUIET), name) for run in range(runs))
    common = [outcome for outcome, p in law.items() if p * runs >= 5]
    rest = 1 - math.fsum(law[outcome] for outcome in common)
    expected = [law[outcome] * runs for outcome in common] + [rest * runs]
    observed: list[float] = [counts[outcome] for outcome in common]
    observed.append(runs - math.fsum(observed))
    assert len(common) >= 3
    assert stats.chisquare(observed, expected).pvalue > 1e-4


def _outcome(release: Anonymized, name: str) -> Outcome:
    tables = tables_of(release.tables)
    count = queries_of(tables)
    values: Outcome = tuple(count.get(query) for query in "ab")
    if name == "safelog with clicks":
        clicks = clicks_of(tables)
        return tuple(number for q in "ab" for number in (count.get(q), clicks.get((q, "http://u"))))
    if name == "safelog with transitions":
        pairs = transitions_of(tables)
        return (*values, pairs.get(AB), pairs.get(BA))
    return values


# What is said


def test_that_both_guarantees_are_stated_and_what_the_smaller_one_rests_on() -> None:
    statement = released("safelog", exact.log_of([A] * 40), 0.25).statement
    assert statement.measured["epsilon_without_sample"] == pytest.approx(5.8)
    assert f"ε = {present(statement.epsilon):.4g}" in statement.claim
    assert "known to be in the sample" in statement.claim
    assert "e^5.8" in statement.claim
    assert math.fsum(t.epsilon for t in statement.terms) == pytest.approx(statement.epsilon)
    assert math.fsum(t.delta for t in statement.terms) == pytest.approx(statement.delta)
    by_name = {assumption.name: assumption for assumption in statement.assumptions}
    assert by_name["the sample stays secret"].status == "holds"
    assert by_name["users sampled independently"].status == "holds"
    assert "1/40" in by_name["delta"].evidence
    assert statement.sample_share == 0.25


def test_that_a_preview_says_that_its_coins_can_be_repeated() -> None:
    rng = PreviewRandomness(1)
    log = local.sample_log(exact.log_of([A] * 40), 0.5, rng)
    preview = local.apply_method(log, "zealous", METHODS["zealous"].params(), rng, QUIET)
    failing = {assumption.name for assumption in preview.statement.failing}
    assert {"users sampled independently", "the sample stays secret"} <= failing


@pytest.mark.parametrize(
    "method", sorted({*METHODS} - DAILY - {case.method for case in CASES.values()})
)
def test_that_without_an_epsilon_nothing_gets_stronger_by_sampling(method: str) -> None:
    log = exact.log_of([A, B] * 30)
    statement = released(method, log, 0.7).statement
    assert statement.epsilon is None
    assert "no stronger" in statement.claim
    assert statement.sample_share == 0.7


def test_that_the_guarantee_of_a_period_is_not_amplified_by_coins_for_users() -> None:
    values = {"protected_unit": "day", "epsilon": 1.0, "delta": 1e-3}
    statement = released("partition-selection", exact.log_of([A, B] * 30), 0.5, **values).statement
    assert statement.epsilon == 1.0
    assert statement.delta == pytest.approx(0.5 * statement.measured["delta_without_sample"])
    assert "takes all periods of a user together" in statement.claim
    assert statement.sample_share == 0.5


def test_that_an_infinite_epsilon_stays_infinite() -> None:
    plain = Statement("differential privacy", "", "", epsilon=math.inf, delta=0.0)
    statement = sampling.sampled_statement(plain, UserSample(1, 2, 0.5), secure=True)
    assert statement.epsilon == math.inf
    assert not statement.terms


@pytest.mark.parametrize("method", sorted({case.method for case in CASES.values()}))
def test_that_an_empty_sample_is_released_like_any_other(method: str) -> None:
    """A refusal would be an output that only an empty sample has."""
    release = released(method, exact.log_of([A] * 5), 1e-9)
    assert len(present(release.tables).queries) == 0
