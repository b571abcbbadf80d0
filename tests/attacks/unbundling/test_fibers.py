"""Fibers as connected components, and the measures of how well they agree with the truth."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.attacks.bundle_view import BundledLog, arrange_events
from auditor.attacks.unbundling import fibers
from auditor.attacks.unbundling import scores as unbundling_scores
from auditor.attacks.unbundling.fibers import (
    FiberKeys,
    join_fibers,
    label_components,
    label_singletons,
    label_whole_bundles,
    name_clusters,
)
from auditor.attacks.unbundling.scores import score_labels, truth_of
from auditor.log.bundles import BundlePartition
from auditor.log.model import QueryLog
from auditor.progress import silent_progress

QUIET = silent_progress()


def bundled(
    bundle: Sequence[int], user: Sequence[int], queries: Sequence[str], least: int = 1
) -> tuple[BundledLog, QueryLog]:
    """One event a second, in the order given within each bundle."""
    log = QueryLog.from_columns(
        user=[f"u{number:03}" for number in user], query=list(queries), time=range(len(user))
    )
    places = np.asarray(bundle, dtype=np.int32)[log.time]
    parts = BundlePartition(places, int(max(bundle, default=-1)) + 1)
    return arrange_events(log, parts, least, "random-users", None, QUIET), log


def parts_of(view: BundledLog, labels: np.ndarray) -> set[frozenset[int]]:
    """The fibers as sets of seconds, in which each event has its own."""
    parts: dict[int, set[int]] = {}
    for label, second in zip(labels.tolist(), view.time.tolist(), strict=True):
        parts.setdefault(label, set()).add(second)
    return {frozenset(part) for part in parts.values()}


def keys_of(log: QueryLog) -> FiberKeys:
    return fibers.word_keys(fibers.words_of(log.queries, QUIET))


def test_that_events_that_share_a_stem_are_one_fiber_and_stop_words_join_nothing() -> None:
    queries = [
        "running shoes",  # 0
        "the weather of the day",  # 1
        "runs",  # 2: stem of 0
        "of the",  # 3: stop words alone
        "shoe repair",  # 4: stem of 0
        "cheap repairs",  # 5: through 4
        "of the",  # 6
        "shoes",  # 7: in the other bundle
    ]
    view, log = bundled([0] * 7 + [1], [0] * 8, queries)
    parts = parts_of(view, join_fibers(view, [keys_of(log)], QUIET))
    assert parts == {frozenset(part) for part in ({0, 2, 4, 5}, {1}, {3}, {6}, {7})}


def test_that_kinds_of_edges_add_up() -> None:
    view, log = bundled([0] * 4, [0] * 4, ["a1", "b1", "b1 c1", "d1"])
    assert log.queries.list_strings() == ["a1", "b1", "b1 c1", "d1"]
    keys = [keys_of(log), FiberKeys.from_single_codes(np.array([0, 0, -1, -1]), 1)]
    for order in (keys, keys[::-1]):
        parts = parts_of(view, join_fibers(view, order, QUIET))
        assert parts == {frozenset({0, 1, 2}), frozenset({3})}


rows = st.lists(
    st.tuples(st.integers(0, 2), st.integers(0, 4), st.sets(st.integers(0, 8), max_size=3)),
    max_size=30,
)


def name_fibers(view: BundledLog, labels: np.ndarray) -> np.ndarray:
    """The place of each fiber's first event; equal labels in two bundles are two fibers."""
    both = np.stack([view.bundle, labels])
    _, first, inverse = np.unique(both, axis=1, return_index=True, return_inverse=True)
    return first[inverse.ravel()].astype(np.int32)


def brute(bundle: Sequence[int], words: Sequence[set[int]]) -> set[frozenset[int]]:
    """Components by merging until nothing changes."""
    parts = [{number} for number in range(len(bundle))]
    for first, second in itertools.combinations(range(len(bundle)), 2):
        if bundle[first] == bundle[second] and words[first] & words[second]:
            left = next(part for part in parts if first in part)
            right = next(part for part in parts if second in part)
            if left is not right:
                parts.remove(right)
                left |= right
    return {frozenset(part) for part in parts}


@given(rows)
def test_that_union_find_gives_the_components_of_all_pairs(
    table: list[tuple[int, int, set[int]]],
) -> None:
    bundle = [row[0] for row in table]
    words = [row[2] for row in table]
    texts = [" ".join(f"w{word}" for word in sorted(some)) for some in words]
    view, log = bundled(bundle, [row[1] for row in table], texts)
    labels = join_fibers(view, [keys_of(log)], QUIET)
    assert parts_of(view, labels) == brute(bundle, words)
    # The label is the place of the fiber's first event.
    assert np.array_equal(labels, name_fibers(view, labels))
    pairs = itertools.combinations(range(len(view)), 2)
    joined = np.array([pair for pair in pairs if labels[pair[0]] == labels[pair[1]]], int)
    left, right = joined.reshape(-1, 2).T
    again = label_singletons(view)
    components = label_components(len(view), left, right)
    name_clusters(again, np.arange(len(view)), components)
    assert np.array_equal(again, labels)


@pytest.mark.parametrize(
    ("within", "recall", "precision", "rand"),
    [
        (False, (2 / 3 + 2 / 3 + 1 / 3) / 3, (1 + 1 + 1 / 2) / 3, (1 / 5 + 1 / 5 + 3 / 5) / 3),
        (True, 5 / 9, 1, (1 / 2 + 1 / 2 + 1) / 3),
    ],
)
def test_that_the_measures_are_those_computed_by_hand(
    within: bool, recall: float, precision: float, rand: float
) -> None:
    """Fibers of 3, 2 and 1 events, 2 on average: only the first is heavy. Recovered are
    {0, 1}, {2, 3}, {4}, {5}. Within the user's queries, those of strangers are cut out.
    """
    view, _ = bundled([0] * 6, [0, 0, 0, 1, 1, 2], list("abcdef"))
    labels = name_fibers(view, np.array([7, 7, 3, 3, 0, 5]))
    scores = score_labels(view, truth_of(view, within=within), labels, QUIET)
    assert scores.recall[0] == pytest.approx(recall)
    assert scores.precision[0] == pytest.approx(precision)
    assert scores.rand[0] == pytest.approx(rand)
    if not within:
        assert scores.f[0] == scores.pooled_f() == pytest.approx(2 / 3)
        assert scores.meila[0] == pytest.approx((2 * math.log2(6 / 4) + math.log2(6)) / 3)
        assert scores.events[0] == 3


def test_that_only_large_bundles_with_a_heavy_user_are_scored() -> None:
    bundle = [0] * 4 + [1] * 4 + [2] * 3
    user = [0, 1, 2, 3, 0, 0, 0, 1, 0, 0, 1]
    view, _ = bundled(bundle, user, [f"q{i}" for i in range(11)], least=4)
    truth = truth_of(view)
    assert truth.bundles.tolist() == [1]
    assert np.flatnonzero(truth.counts).tolist() == [4, 5, 6]
    assert len(truth_of(view, apart=np.array([1])).bundles) == 0


def test_that_the_baselines_are_all_apart_and_all_together() -> None:
    view, _ = bundled([0, 0, 0, 1, 1], [0, 0, 1, 0, 1], list("abcde"))
    assert parts_of(view, label_singletons(view)) == {frozenset({i}) for i in range(5)}
    assert parts_of(view, label_whole_bundles(view)) == {frozenset({0, 1, 2}), frozenset({3, 4})}
    truth = truth_of(view)
    alone = score_labels(view, truth, label_singletons(view), QUIET)
    assert (alone.precision[0], alone.recall[0]) == (1.0, 0.5)
    together = score_labels(view, truth, label_whole_bundles(view), QUIET)
    assert together.recall[0] == 1.0
    assert together.precision[0] == pytest.approx(2 / 3)


def test_that_fibers_dealt_out_anew_keep_their_sizes() -> None:
    user = [0] * 20 + [1] * 7 + [2] * 3 + [0] * 5
    view, _ = bundled([0] * 30 + [1] * 5, user, [f"q{i}" for i in range(35)])
    truth = truth_of(view)
    dealt = unbundling_scores.shuffle_fibers(view, truth, np.random.default_rng(3), QUIET)
    assert np.array_equal(np.bincount(dealt.fiber), view.fiber_queries)
    assert np.array_equal(view.fiber_bundle[dealt.fiber], view.bundle)
    assert not np.array_equal(dealt.fiber, view.fiber)
    assert dealt.counts.sum() == truth.counts.sum()


def test_that_the_interval_of_a_mean_is_students() -> None:
    # t of 4 degrees of freedom at 97.5 % is 2.776; the deviation of 1 … 5 is √2.5.
    low, high = unbundling_scores.mean_interval(np.arange(1.0, 6.0), 0.0, 10.0)
    half = 2.7764451 * math.sqrt(2.5 / 5)
    assert (low, high) == pytest.approx((3 - half, 3 + half))
    assert unbundling_scores.mean_interval(np.ones(1), 0.0, 1.0) == (0.0, 1.0)
    assert unbundling_scores.mean_interval(np.array([0.0, 1.0]), 0.0, 1.0) == (0.0, 1.0)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 7)), max_size=60))
def test_that_pairs_are_numbered_in_order(table: list[tuple[int, int]]) -> None:
    left = np.array([row[0] for row in table], dtype=np.int64)
    right = np.array([row[1] for row in table], dtype=np.int64)
    first, second, number = fibers.group_pairs(left, right, QUIET)
    assert list(zip(first.tolist(), second.tolist(), strict=True)) == sorted(set(table))
    assert np.array_equal(first[number], left)
    assert np.array_equal(second[number], right)
