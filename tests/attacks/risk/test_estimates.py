"""What samples of queries and of users say of the whole log."""

import itertools
import math

import numpy as np
import pytest
from scipy import stats
from scipy.stats import binom, binomtest

from auditor.attacks.base import FlaggedFindings
from auditor.attacks.intervals import clopper_pearson_interval, hypergeometric_interval
from auditor.attacks.risk import people_estimate as estimate
from auditor.attacks.risk import query_sample
from auditor.attacks.risk.people_estimate import PeopleEstimate
from auditor.attacks.surviving_content.attack import SurvivingContentParams, rules_of
from auditor.errors import ParameterError
from auditor.log.model import QueryLog
from tests.attacks.attacked import QUIET
from tests.narrowing import present

# --- queries: precision, and what is missed


def judge(
    size: int, looked: int, sensitive: int, *, marked: bool = False
) -> query_sample.JudgedStratum:
    stratum = query_sample.QueryStratum(name=f"{size} {looked}", marked=marked, size=size)
    return query_sample.JudgedStratum(stratum=stratum, sampled=looked, sensitive=sensitive)


def test_that_strata_divide_the_log_and_the_sample_is_drawn_without_replacement(
    log: QueryLog, found: FlaggedFindings
) -> None:
    sample = query_sample.sample_queries(log, found, size=50, seed=3)
    blank = sum(not text.strip() for text in log.queries.list_strings())
    assert sum(stratum.size for stratum in sample.strata) == len(log.queries) - blank
    assert len(set(sample.query.tolist())) == len(sample.query) == 100
    marked = query_sample.is_sensitive(found, len(log.queries))
    is_marked = np.array([stratum.marked for stratum in sample.strata])[sample.stratum]
    assert np.array_equal(marked[sample.query], is_marked)
    assert is_marked.sum() == 50
    assert len(set(is_marked[:20].tolist())) == 2
    again = query_sample.sample_queries(log, found, size=50, seed=3)
    assert np.array_equal(sample.query, again.query)
    other = query_sample.sample_queries(log, found, size=50, seed=4)
    assert not np.array_equal(sample.query, other.query)


@pytest.mark.parametrize(
    ("sizes", "target"), [([1000, 10, 1], 60), ([5, 5], 60), ([7, 100, 3000], 30), ([40], 60)]
)
def test_that_every_stratum_gets_its_part(sizes: list[int], target: int) -> None:
    drawn = query_sample.allocate_sample(sizes, target)
    assert sum(drawn) == min(target, sum(sizes))
    for size, part in zip(sizes, drawn, strict=True):
        assert min(size, 3) <= part <= size
        assert part >= min(size, math.floor(target * size / sum(sizes)) - 3 * len(sizes))


@pytest.mark.parametrize(("hits", "trials"), [(0, 60), (1, 60), (7, 40), (60, 60), (3, 5)])
def test_that_one_stratum_has_clopper_and_pearsons_interval(hits: int, trials: int) -> None:
    expected = binomtest(hits, trials).proportion_ci(method="exact")
    assert clopper_pearson_interval(hits, trials) == pytest.approx((expected.low, expected.high))
    share = query_sample.missed_share([judge(10_000, trials, hits)])
    assert (share.low, share.high) == pytest.approx((expected.low, expected.high))
    assert share.value == hits / trials


def test_that_shares_are_weighted_by_the_size_of_strata_in_any_order() -> None:
    parts = [judge(9_000, 30, 3), judge(900, 20, 10), judge(100, 5, 5), judge(50, 5, 1)]
    expected = (9_000 * 0.1 + 900 * 0.5 + 100 + 50 * 0.2) / 10_050
    for order in itertools.permutations(parts):
        share = query_sample.missed_share(order)
        assert share.value == pytest.approx(expected)
        assert share.low < expected < share.high
    result = query_sample.estimate_content([judge(500, 40, 30, marked=True), *parts])
    assert result == query_sample.estimate_content([*parts[::-1], judge(500, 40, 30, marked=True)])
    assert present(result.missed_queries).value == pytest.approx(expected * 10_050)
    assert result.precision is not None
    ends = binomtest(30, 40).proportion_ci(method="wilson")
    assert (result.precision.low, result.precision.high) == pytest.approx((ends.low, ends.high))
    assert result.recall is not None
    assert result.recall.value == pytest.approx(375 / (375 + expected * 10_050))
    assert result.recall.low < result.recall.value < result.recall.high


@pytest.mark.parametrize(
    ("sizes", "rates"),
    [
        ((6_000, 3_000, 1_000), (0.01, 0.05, 0.2)),
        ((6_000, 3_000, 1_000), (0.0, 0.0, 0.3)),
        ((9_800, 150, 50), (0.02, 0.5, 0.9)),
        ((5_000, 5_000), (0.1, 0.4)),
    ],
)
def test_that_the_interval_covers_the_truth_in_95_of_100_samples_counted_exactly(
    sizes: tuple[int, ...], rates: tuple[float, ...]
) -> None:
    """The chance of each outcome of a sample of 60, times whether its interval covers."""
    drawn = query_sample.allocate_sample(sizes, 60)
    truth = sum(s * r for s, r in zip(sizes, rates, strict=True)) / sum(sizes)
    chances = [
        [float(binom.pmf(x, n, r)) for x in range(n + 1)] for n, r in zip(drawn, rates, strict=True)
    ]
    covered = 0.0
    for hits in itertools.product(*(range(n + 1) for n in drawn)):
        chance = math.prod(chances[h][hit] for h, hit in enumerate(hits))
        if chance < 1e-9:
            continue
        parts = [judge(s, n, x) for s, n, x in zip(sizes, drawn, hits, strict=True)]
        share = query_sample.missed_share(parts)
        covered += chance * (share.low <= truth <= share.high)
    assert covered >= 0.95


def test_that_what_nobody_judged_is_not_estimated() -> None:
    counts = {"judged_marked": 0, "judged_unmarked": 0, "marked": 10, "unmarked": 90}
    nothing = query_sample.estimate_content([judge(10, 0, 0, marked=True), judge(90, 0, 0)])
    assert nothing.to_dict() == counts
    part = query_sample.estimate_content([judge(10, 2, 1, marked=True), judge(90, 0, 0)])
    assert part.to_dict().keys() - counts == {"precision"}


@pytest.mark.parametrize(("looked", "sensitive"), [(3, 4), (3, -1), (11, 0)])
def test_that_counts_that_cannot_be_are_refused(looked: int, sensitive: int) -> None:
    with pytest.raises(ParameterError):
        query_sample.estimate_content([judge(10, looked, sensitive)])


# --- users at risk: exact bounds, and nobody judged otherwise than in full

RULES = rules_of(SurvivingContentParams())


@pytest.mark.parametrize(
    ("hits", "drawn", "every"), [(0, 5, 40), (5, 5, 40), (3, 10, 23), (7, 7, 7), (40, 90, 600)]
)
def test_bounds_are_those_of_both_tails(hits: int, drawn: int, every: int) -> None:
    possible = [
        have
        for have in range(every + 1)
        if stats.hypergeom.sf(hits - 1, every, have, drawn) > 0.025
        and stats.hypergeom.cdf(hits, every, have, drawn) > 0.025
        and hits <= have <= every - drawn + hits
    ]
    assert hypergeometric_interval(hits, drawn, every) == (possible[0], possible[-1])


def test_users_drawn_are_judged_as_in_the_whole_log(log: QueryLog, found: FlaggedFindings) -> None:
    people = present(found.people)
    at_risk = np.zeros(len(log.users), dtype=np.bool_)
    at_risk[log.user[people.start[people.risk >= people.least]]] = True
    theirs = log.of_sample(400, seed=3)
    drawn = np.unique(log.user[theirs])
    result = estimate.find_people_at_risk(log, theirs, None, RULES, QUIET)
    assert 0 < result.sum() < len(drawn)
    assert (result[drawn] == at_risk[drawn]).all()
    assert result.sum() == result[drawn].sum()
    between = estimate.estimate_people(log, None, RULES, QUIET)
    assert between.low <= at_risk.sum() <= between.high
    assert between.sample_size < len(log.users)


@pytest.mark.parametrize("users", [5, 12])
def test_who_else_searched_for_a_name_is_counted_outside_the_sample(users: int) -> None:
    name = "melvin crabtree phone number"
    log = QueryLog.from_columns(
        user=[f"user {n}" for n in range(users)],
        query=[name, *(f"hello {name} {n}" for n in range(1, users))],
        time=[0] * users,
    )
    result = estimate.find_people_at_risk(log, log.user == 0, None, RULES, QUIET)
    assert result[0] == (users < RULES.non_star)
    assert not result[1:].any()


def test_a_log_of_few_users_is_drawn_whole_and_of_blank_queries_nobody() -> None:
    log = QueryLog.from_columns(user=["a"], query=["ann@example.org"], time=[0])
    result = estimate.estimate_people(log, None, RULES, QUIET)
    assert (result.low, result.high, result.sample_size) == (1, 1, 1)
    log = QueryLog.from_columns(
        user=[f"user {n}" for n in range(300)], query=["rose"] * 3 + [" "] * 297, time=[0] * 300
    )
    assert estimate.estimate_people(log, None, RULES, QUIET).sample_size == 3


def test_rounded_bounds_enclose_the_exact_ones() -> None:
    assert PeopleEstimate(low=5_912, high=6_711, sample_size=920).round_outwards() == (5_910, 6_720)
    assert PeopleEstimate(low=788, high=849, sample_size=900).round_outwards() == (788, 849)
