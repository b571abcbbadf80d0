"""Web search on releases: by hand, against dense matrices, and against the definitions."""

import functools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.engine.backends import local
from auditor.log.model import QueryLog, Vocabulary
from auditor.measures.base import MeasureResult
from auditor.measures.click_graph import (
    RankedUrls,
    RelevantUrls,
    graph_of,
    impact_chain,
    judge_rankings,
    rank_by_walk,
    walk_chain,
)
from auditor.measures.query_counts import tabulate_log
from auditor.measures.retrieval import (
    ALGORITHMS,
    MEASURE,
    CachedFolds,
    ClickedQueries,
    RetrievalFold,
    RetrievalParams,
    compare_pairs,
    event_words,
    fold_of,
    half_of,
    search_folds,
    split_log,
    t_test,
)
from auditor.methods.registry import METHODS
from auditor.privacy.noise import PreviewRandomness
from auditor.privacy.release import Anonymized, Tables
from auditor.progress import Progress, silent_progress
from tests.measures.fakes import release_of, tables_of, take, values_of
from tests.methods.logs import clicks_of, present, transitions_of

QUERIES = ("a", "b", "c", "d", "e")
CLICKS = {("a", "u1"): 6, ("a", "u2"): 3, ("a", "u3"): 1, ("b", "u2"): 4, ("b", "u4"): -2}
CLICKS |= {("c", "u3"): 2}
STEPS = {("a", "b"): 10, ("d", "a"): 5, ("d", "c"): 5, ("c", "a"): -3}
SECOND = 1 / math.log2(3)
"""What a page at the second place gains; at the first it is 1."""


def tables() -> Tables:
    return tables_of(dict.fromkeys(QUERIES, 1), CLICKS, STEPS)


def clicked(rows: list[tuple[int, int, int, float]]) -> ClickedQueries:
    query, page, count, rank = zip(*rows, strict=True) if rows else ((), (), (), ())
    return ClickedQueries(
        np.array(query, dtype=np.int64),
        np.array(page, dtype=np.int64),
        np.array(count, dtype=np.int64),
        np.array(rank, dtype=np.float64),
    )


NAN = float("nan")
TESTED = RetrievalFold(
    number=0,
    queries=Vocabulary.of(("f", "e", "d", "b", "a")),
    pages=Vocabulary.of(("u9", "u4", "u3", "u2", "u1")),
    weight=np.array([1, 1, 1, 1, 3]),
    # f: u1, e: u1, d: u3, b: u4, a: u2 (shown third, twice) and u9, which isn't released
    clicks=clicked(
        [(0, 4, 1, 1), (1, 4, 1, 1), (2, 2, 1, NAN), (3, 1, 1, 1), (4, 0, 1, 2), (4, 3, 2, 3)]
    ),
    halves=(
        clicked([(0, 4, 1, 1), (2, 2, 1, NAN), (4, 3, 2, 3)]),
        clicked([(1, 4, 1, 1), (3, 1, 1, 1), (4, 0, 1, 2)]),
    ),
    clicked=5,
)


def figures(**values: Any) -> dict[str, dict[str, list[float]]]:
    """Figures of each algorithm for each tested query, in the order nDCG, MAP, P, R."""
    cached = search_folds(
        graph_of(tables(), silent_progress()), TESTED, RetrievalParams(**values), silent_progress()
    )
    assert cached.places.tolist() == [1, 2, 3, 4]
    by_algorithm = cached.figures.reshape(len(ALGORITHMS), 4, -1)
    return {
        name: {query: by_algorithm[i, :, j].tolist() for j, query in enumerate("edba")}
        for i, (name, _) in enumerate(ALGORITHMS)
    }


def test_that_the_walk_gives_what_is_computed_by_hand() -> None:
    # Two moves from a: u1 0.27·1.1, u2 0.135·1.1 + 0.45·0.9 = 0.5535, u3 0.045·1.1.
    walked = figures()["walk"]
    assert walked["a"] == pytest.approx([1 / (1 + SECOND), 1 / 2, 0.1, 0.5])
    # b's page u4 was released with a count of −2: it comes after u2.
    assert walked["b"] == pytest.approx([SECOND, 1 / 2, 0.1, 1])
    # d has no pages of its own: u3 by a and c is far ahead of u1 and u2.
    assert walked["d"] == pytest.approx([1, 1, 0.1, 1])
    assert walked["e"] == [0, 0, 0, 0]
    assert "f" not in walked  # which isn't released


def test_that_feedback_merges_as_printed() -> None:
    # a: O is u1, u2, u3. u2 with I = 3: 0.6/4 + 0.4/3 = 0.283 stands between 1/2 and 1/4. With
    # λ = 0 the order by clicks is left; with λ = 1, u2 has 1/4 as u3 has, and stays before it.
    for weight in (0.6, 0.0, 1.0):
        printed = figures(weight=weight)["feedback_printed"]
        assert printed["a"][0] == pytest.approx(SECOND / (1 + SECOND))


def test_that_honest_feedback_comes_from_the_other_half() -> None:
    honest = figures()["feedback"]
    # One half has u2 of a (second by clicks: gain SECOND of an ideal of 1), the other u9 (0).
    assert honest["a"][0] == pytest.approx((SECOND + 0) / 2)
    assert honest["b"][0] == pytest.approx(SECOND)


def test_that_printed_feedback_is_also_judged_on_the_halves_of_the_honest_one() -> None:
    result = figures()
    same, printed = result["feedback_same"], result["feedback_printed"]
    # a: u2 told with I = 3 stays second in its half (gain SECOND of 1); the other half has u9 (0).
    assert same["a"][0] == pytest.approx(SECOND / 2)
    assert same["a"] != printed["a"]
    # d's only page is clicked in one half, and is not among its released clicks.
    assert same["d"] == result["feedback"]["d"]


@pytest.mark.parametrize("impact", [False, True])
def test_that_a_usual_walk_keeps_the_best_pages_of_the_product_of_matrices(impact: bool) -> None:
    rng = np.random.default_rng(5)
    queries, pages = 300, 700
    clicks = np.unique(rng.integers(0, queries, 4_000) * pages + rng.integers(0, pages, 4_000))
    steps = np.unique(rng.integers(0, queries, 3_000) * queries + rng.zipf(1.3, 3_000) % queries)
    counts = rng.integers(-1, 4, len(clicks))  # small, so that many are equal
    tables = tables_of(
        {f"q{number:03}": 1 for number in range(queries)},
        {(f"q{n // pages:03}", f"u{n % pages:03}"): k for n, k in zip(clicks, counts, strict=True)},
        {(f"q{n // queries:03}", f"q{n % queries:03}"): n % 2 + 1 for n in steps},
    )
    chain = (impact_chain if impact else walk_chain)(graph_of(tables, silent_progress()), 0.1)
    start = rng.permutation(queries).astype(np.int64)
    ranked = rank_by_walk(chain, start, 2, silent_progress())
    scores = (chain.pages[start] + chain.queries[start] @ chain.pages).toarray()
    deep = 0
    for row in range(queries):
        there = np.flatnonzero(scores[row])
        best = there[np.lexsort((there, -scores[row][there]))][:100]
        deep += len(there) > 100
        mine = ranked.row == row
        assert ranked.page[mine].tolist() == best.tolist()
        assert ranked.place[mine].tolist() == list(range(1, len(best) + 1))
    assert deep > queries / 2


@given(
    st.lists(
        st.tuples(st.permutations(list(range(14))), st.sets(st.integers(0, 13), min_size=1)),
        min_size=1,
        max_size=4,
    ),
    st.integers(0, 14),
    st.integers(0, 12),
)
def test_that_figures_follow_their_definitions(
    rankings: list[tuple[list[int], set[int]]], length: int, missing: int
) -> None:
    row, page, place, pairs, total = [], [], [], [], []
    for i, (order, relevant) in enumerate(rankings):
        for rank, name in enumerate(order[:length], 1):
            row.append(i)
            page.append(name)
            place.append(rank)
        pairs += [(i, name) for name in sorted(relevant)]
        total.append(len(relevant) + missing)
    ints = [np.array(column, dtype=np.int64) for column in (row, page, place)]
    truth = RelevantUrls(
        np.array([i for i, _ in pairs]), np.array([n for _, n in pairs]), np.array(total)
    )
    scores = judge_rankings(RankedUrls(*ints), truth, 14)
    for i, (order, relevant) in enumerate(rankings):
        hits = [rank for rank, name in enumerate(order[:length], 1) if name in relevant]
        gain = sum(1 / math.log2(rank + 1) for rank in hits if rank <= 10)
        ideal = sum(1 / math.log2(rank + 1) for rank in range(1, min(10, total[i]) + 1))
        precise = sum(n / rank for n, rank in enumerate(hits, 1)) / total[i]
        first = sum(rank <= 10 for rank in hits)
        assert scores[:, i] == pytest.approx([gain / ideal, precise, first / 10, first / total[i]])


def test_that_the_paired_test_is_the_usual_one_and_bears_equal_figures() -> None:
    from scipy import stats

    rng = np.random.default_rng(3)
    first, second = rng.random((3, 50)), rng.random((3, 50))
    second[1] = first[1]
    second[2] = first[2] - 0.25
    apart = first - second
    t, p = t_test(apart.sum(axis=1), (apart**2).sum(axis=1), 50)
    expected = stats.ttest_rel(first[0], second[0])
    assert t[0] == pytest.approx(expected.statistic)
    assert p[0] == pytest.approx(expected.pvalue)
    assert (t[1], p[1]) == (0, 1)
    assert (t[2], p[2]) == (math.inf, 0)
    assert np.isnan(t_test(apart[:, 0], apart[:, 0] ** 2, 1)[0]).all()


def test_that_a_query_that_is_not_there_counts_0_in_the_test_over_all() -> None:
    from scipy import stats

    rng = np.random.default_rng(5)
    original, released = rng.random((2, 60)), rng.random((2, 60))
    original[:, :5], released[:, 3:40] = np.nan, np.nan
    there = [np.flatnonzero(~np.isnan(side[0])) for side in (original, released)]
    before, after = (
        CachedFolds(there[0], original[:, there[0]]),
        CachedFolds(there[1], released[:, there[1]]),
    )
    compared = compare_pairs(before, after, 60)
    for row in range(2):
        overall = stats.ttest_rel(np.nan_to_num(original[row]), np.nan_to_num(released[row]))
        both = stats.ttest_rel(original[row, 40:], released[row, 40:])
        expected = {
            "all_t": overall.statistic,
            "all_p": overall.pvalue,
            "original_all": np.nan_to_num(original[row]).mean(),
            "all": np.nansum(released[row]) / 60,
            "t": both.statistic,
            "p": both.pvalue,
            "found": np.nanmean(released[row]),
            "original": original[row, 40:].mean(),
        }
        assert {name: compared[name][row] for name in expected} == pytest.approx(expected)


def search_log(rows: int = 900, seed: int = 4, order: int | None = None) -> QueryLog:
    """Users who ask and click by habit; `order` shuffles the rows of the input."""
    rng = np.random.default_rng(seed)
    query = rng.geometric(0.15, rows)
    page = (query * 3 + rng.geometric(0.6, rows)) % 40
    user, time = rng.integers(0, 30, rows), 10**9 + rng.permutation(rows)
    rank = rng.integers(1, 9, rows)
    index = np.arange(rows) if order is None else np.random.default_rng(order).permutation(rows)
    return QueryLog.from_columns(
        user=[f"user {x}" for x in user[index]],
        query=[f"query {x}" for x in query[index]],
        time=time[index],
        url=[f"http://{x}.example" if x % 4 else None for x in page[index]],
        rank=rank[index].astype(np.int16),
    )


def unchanged(log: QueryLog, number: int = 0, progress: Progress | None = None) -> Anonymized:
    return release_of(log)


def taken(log: QueryLog, again: Any = unchanged, **values: Any) -> MeasureResult:
    return take(MEASURE, log, unchanged(log), again=again, **values)


@functools.cache
def usual() -> MeasureResult:
    """What is measured of a log that is released as it is."""
    return taken(search_log())


def test_that_an_unchanged_log_serves_as_well_as_itself() -> None:
    details = usual().details
    assert 0 < details["retrieval.walk.ndcg"] <= 1
    for name, _ in ALGORITHMS:
        assert details[f"retrieval.{name}.ndcg"] == details[f"retrieval.{name}.ndcg_original"]
        assert details[f"retrieval.{name}.ndcg_p"] == details[f"retrieval.{name}.ndcg_all_p"] == 1
    assert details["retrieval.test_queries_found"] <= details["retrieval.test_queries"]


def test_that_the_order_of_rows_changes_nothing() -> None:
    assert taken(search_log(order=1)).details == usual().details


def test_that_what_is_tested_was_never_trained_on() -> None:
    log = search_log()
    parts = split_log(log, 5, 1, silent_progress())
    all_tested = []

    def events(part: QueryLog) -> set[tuple[str, str, int]]:
        users, queries = part.users.list_strings(), part.queries.list_strings()
        rows = zip(part.user.tolist(), part.query.tolist(), part.time.tolist(), strict=True)
        return {(users[u], queries[q], t) for u, q, t in rows}

    for fold in parts.folds:
        trained = events(parts.select_training_log(log, fold.number, silent_progress()))
        tested = events(log.rows(parts.part == fold.number))
        assert not trained & tested
        assert trained | tested == events(log)
        assert 0.1 < len(tested) / len(events(log)) < 0.3
        subset = log.rows((parts.part == fold.number) & (log.url >= 0))
        assert set(fold.queries.list_strings()) == set(subset.queries.list_strings())
        all_tested.append(tested)
    assert set().union(*all_tested) == events(log)


def test_that_of_many_queries_some_are_tested_and_it_is_said() -> None:
    log = search_log()
    every = split_log(log, 2, 1, silent_progress())
    some = split_log(log, 2, 1, silent_progress(), query_limit=15)
    for full, fold in zip(every.folds, some.folds, strict=True):
        assert len(full.queries) == full.clicked == fold.clicked > len(fold.queries) == 15
        tested = fold.queries.list_strings()
        assert tested == sorted(tested)
        # What is tested of a query is all that was clicked for it.
        weight = dict(zip(full.queries.list_strings(), full.weight.tolist(), strict=True))
        assert fold.weight.tolist() == [weight[text] for text in tested]
        assert fold.clicks.count.sum() == fold.weight.sum()
    drawn, everything = (taken(log, folds=2, tested=number) for number in (15, None))
    assert drawn.details["retrieval.test_queries"] == 30
    clicked = sum(fold.clicked for fold in every.folds)
    assert drawn.details["retrieval.test_queries_clicked"] == clicked
    assert f"Of the {clicked:,} queries that were clicked" in str(drawn.notes[0])
    assert "retrieval.test_queries_clicked" not in everything.details
    assert everything.details == taken(log, folds=2).details
    # A mean over 30 queries drawn by chance is within five of its standard errors.
    (interval,) = (m.interval for m in drawn.values if m.name == "retrieval.walk.ndcg")
    low, high = present(interval)
    spread = (high - low) / 2 / 1.96
    ndcg = everything.details["retrieval.walk.ndcg"]
    assert drawn.details["retrieval.walk.ndcg"] == pytest.approx(ndcg, abs=5 * spread)


def test_that_an_event_keeps_its_part_whatever_else_is_in_the_log() -> None:
    log = search_log()
    words = event_words(log, 7, silent_progress())
    keep = np.arange(len(log)) % 3 > 0
    part = log.rows(keep)
    np.testing.assert_array_equal(event_words(part, 7, silent_progress()), words[keep])
    both = np.bincount(fold_of(words, 2) * 2 + half_of(words), minlength=4)
    assert both.min() > len(log) / 8
    assert not np.array_equal(event_words(log, 8, silent_progress()), words)


def test_that_rows_of_one_event_stay_together() -> None:
    log = QueryLog.from_columns(
        user=["a"] * 200, query=["q"] * 200, time=np.repeat(np.arange(100), 2), url=["u", "v"] * 100
    )
    fold = fold_of(event_words(log, 1, silent_progress()), 5)
    assert (fold[::2] == fold[1::2]).all()
    assert len(set(fold.tolist())) == 5


def test_that_coverage_shows_what_the_average_hides() -> None:
    def frequent(log: QueryLog, number: int, progress: Progress) -> Anonymized:
        counts = np.bincount(log.query)
        return unchanged(log.rows((counts >= np.sort(counts)[-3])[log.query]))

    result = taken(search_log(), frequent)
    metrics = values_of(result)
    assert metrics["retrieval.coverage"] < 0.3
    assert metrics["retrieval.click_coverage"] > metrics["retrieval.coverage"]
    ratio = metrics["retrieval.walk.ndcg_all"] / metrics["retrieval.walk.ndcg"]
    assert ratio == pytest.approx(metrics["retrieval.coverage"])


def test_that_nothing_released_is_said_and_counts_0() -> None:
    nothing = unchanged(search_log(40).rows(np.zeros(40, dtype=np.bool_)))
    result = taken(search_log(), lambda *_: nothing)
    metrics = values_of(result)
    assert metrics["retrieval.coverage"] == metrics["retrieval.walk.ndcg_all"] == 0
    assert "retrieval.walk.ndcg" not in metrics
    assert "None of the test queries" in result.notes[0]


def test_that_each_fold_is_anonymized_once_a_setting_and_split_once() -> None:
    log, calls = search_log(), []

    def again(part: QueryLog, number: int, progress: Progress) -> Anonymized:
        calls.append((part.digest, number))
        return unchanged(part)

    taken(log, again)
    taken(log, again)
    assert [number for _, number in calls] == [0, 1, 2, 3, 4] * 2
    assert calls[:5] == calls[5:]
    splits = [split_log(log, 5, 1, silent_progress(), query_limit=100_000) for _ in range(2)]
    assert splits[0] is splits[1]


def test_that_logs_without_clicks_and_releases_of_unknown_making_are_refused_in_words() -> None:
    log = search_log().rows(search_log().url < 0)
    assert "no clicks" in taken(log).notes[0]
    unknown = taken(search_log(), None)
    assert unknown.values == ()
    assert "It is unknown" in unknown.notes[0]
    clickless = release_of(tables_of({"query 1": 3}))
    result = take(MEASURE, search_log(), clickless, again=unchanged)
    assert "no table of clicks" in result.notes[0]


def test_that_a_release_is_repeated_by_its_own_method_and_setting() -> None:
    log = search_log()
    params = METHODS["safelog"].params.of({"mode": "published", "K": 5, "b": 0.5, "tau": 1})
    release = local.apply_method(log, "safelog", params, PreviewRandomness(1), silent_progress())
    again = present(local.repeating_release(release, 3))
    first, second = (present(again(log, 1, silent_progress()).tables) for _ in range(2))
    np.testing.assert_array_equal(first.query_count, second.query_count)
    assert local.repeating_release(unchanged(log), 3) is None


def test_that_a_log_is_tabulated_by_adjacent_queries() -> None:
    log = QueryLog.from_columns(
        user=["a", "a", "a", "a", "b", "b"],
        query=["x", "x", "y", "x", "y", "x"],
        time=[1, 2, 3, 5000, 1, 2],
        url=["p", "p", None, "q", None, None],
    )
    tables = tabulate_log(log, None, silent_progress())
    assert transitions_of(tables) == {("x", "y"): 1, ("y", "x"): 2}
    assert clicks_of(tables) == {("x", "p"): 2, ("x", "q"): 1}
    assert tabulate_log(log, 1800, silent_progress()).transition_count.tolist() == [1, 1]


def test_that_one_click_two_folds_and_the_longest_walk_are_measured() -> None:
    metrics = values_of(taken(QueryLog.from_columns(user=["a"], query=["q"], time=[1], url=["u"])))
    assert metrics["retrieval.coverage"] == metrics["retrieval.feedback.map_all"] == 0
    details = taken(search_log(200), folds=2, moves=20, pause=1).details
    assert details["retrieval.test_queries"] > 0
