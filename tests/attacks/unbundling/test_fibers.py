"""Fibers as connected components, topics that join them, and how well both agree with the truth."""

import itertools
import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from scipy.stats import chi2_contingency

from auditor.attacks.bundle_view import BundledLog, arrange_events
from auditor.attacks.unbundling import fibers
from auditor.attacks.unbundling.fibers import mean_interval, score_labels, shuffle_fibers, truth_of
from auditor.attacks.unbundling.topics import topics
from auditor.log.bundles import BundlePartition
from auditor.log.model import QueryLog, Vocabulary
from tests.attacks.attacked import QUIET
from tests.measures import fakes


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


def keys_of(log: QueryLog) -> fibers.FiberKeys:
    return fibers.word_keys(fibers.words_of(log.queries, QUIET))


def test_that_kinds_of_edges_add_up() -> None:
    view, log = bundled([0] * 4, [0] * 4, ["a1", "b1", "b1 c1", "d1"])
    assert log.queries.list_strings() == ["a1", "b1", "b1 c1", "d1"]
    keys = [keys_of(log), fibers.FiberKeys.from_single_codes(np.array([0, 0, -1, -1]), 1)]
    for order in (keys, keys[::-1]):
        parts = parts_of(view, fibers.join_fibers(view, order, QUIET))
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
def test_that_union_find_gives_all_components(table: list[tuple[int, int, set[int]]]) -> None:
    bundle = [row[0] for row in table]
    words = [row[2] for row in table]
    texts = [" ".join(f"w{word}" for word in sorted(some)) for some in words]
    view, log = bundled(bundle, [row[1] for row in table], texts)
    labels = fibers.join_fibers(view, [keys_of(log)], QUIET)
    assert parts_of(view, labels) == brute(bundle, words)
    # The label is the place of the fiber's first event.
    assert np.array_equal(labels, name_fibers(view, labels))
    pairs = itertools.combinations(range(len(view)), 2)
    joined = np.array([pair for pair in pairs if labels[pair[0]] == labels[pair[1]]], int)
    left, right = joined.reshape(-1, 2).T
    again = fibers.label_singletons(view)
    components = fibers.label_components(len(view), left, right)
    fibers.name_clusters(again, np.arange(len(view)), components)
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
    scores = score_labels(view, truth_of(view, is_within=within), labels, QUIET)
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
    assert len(truth_of(view, training=np.array([1])).bundles) == 0


def test_that_fibers_dealt_out_anew_keep_their_sizes() -> None:
    user = [0] * 20 + [1] * 7 + [2] * 3 + [0] * 5
    view, _ = bundled([0] * 30 + [1] * 5, user, [f"q{i}" for i in range(35)])
    truth = truth_of(view)
    dealt = shuffle_fibers(view, truth, np.random.default_rng(3), QUIET)
    assert np.array_equal(np.bincount(dealt.fiber), view.fiber_queries)
    assert np.array_equal(view.fiber_bundle[dealt.fiber], view.bundle)
    assert not np.array_equal(dealt.fiber, view.fiber)
    assert dealt.counts.sum() == truth.counts.sum()


def test_that_the_interval_of_a_mean_is_students() -> None:
    # t of 4 degrees of freedom at 97.5 % is 2.776; the deviation of 1 … 5 is √2.5.
    low, high = mean_interval(np.arange(1.0, 6.0), 0.0, 10.0)
    half = 2.7764451 * math.sqrt(2.5 / 5)
    assert (low, high) == pytest.approx((3 - half, 3 + half))
    assert mean_interval(np.ones(1), 0.0, 1.0) == (0.0, 1.0)
    assert mean_interval(np.array([0.0, 1.0]), 0.0, 1.0) == (0.0, 1.0)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 7)), max_size=60))
def test_that_pairs_are_numbered_in_order(table: list[tuple[int, int]]) -> None:
    left = np.array([row[0] for row in table], dtype=np.int64)
    right = np.array([row[1] for row in table], dtype=np.int64)
    first, second, number = fibers.group_pairs(left, right, QUIET)
    assert list(zip(first.tolist(), second.tolist(), strict=True)) == sorted(set(table))
    assert np.array_equal(first[number], left)
    assert np.array_equal(second[number], right)


# --- topics: related words by χ² over users, and their cliques and components


def log_of(histories: list[list[str]], seconds: int = 60) -> QueryLog:
    rows = [
        (f"u{user:03}", query, number * seconds)
        for user, history in enumerate(histories)
        for number, query in enumerate(history)
    ]
    return fakes.log_of(rows)


def named(related: topics.RelatedTokens) -> dict[frozenset[str], float]:
    words = related.vocabulary.list_strings()
    return {
        frozenset((words[a], words[b])): chi
        for a, b, chi in zip(related.left, related.right, related.chi, strict=True)
    }


words = st.sampled_from(["aa", "bb", "cc", "dd", "ee"])
queries = st.lists(words, min_size=1, max_size=3).map(" ".join)


@given(st.lists(st.lists(queries, min_size=1, max_size=4), min_size=1, max_size=25))
def test_that_pairs_are_those_of_counting_users_one_by_one(histories: list[list[str]]) -> None:
    related = named(topics.find_related_tokens(log_of(histories), 10, 0.0, QUIET, least=1))
    sets = [[set(query.split()) for query in history] for history in histories]
    used = [set.union(*history) for history in sets]
    spread = {word: sum(word in user for user in used) for word in ("aa", "bb", "cc", "dd", "ee")}
    expected = {}
    for a, b in itertools.combinations(sorted(spread), 2):
        apart = [
            user
            for user, history in zip(used, sets, strict=True)
            if not any({a, b} <= query for query in history)
        ]
        n = len(apart)
        left, right = sum(a in user for user in apart), sum(b in user for user in apart)
        both = sum({a, b} <= user for user in apart)
        if min(spread[a], spread[b]) < topics.USERS or not both or both * n <= left * right:
            continue
        table = [[both, left - both], [right - both, n - left - right + both]]
        expected[frozenset((a, b))] = chi2_contingency(table, correction=False).statistic
    assert related == pytest.approx(expected)


def test_that_users_of_too_many_queries_a_day_are_left_out() -> None:
    quiet = [["red", "blue"]] * 5 + [["green"]] * 5
    busy = [["red", "green"] * 300]
    related = topics.find_related_tokens(log_of(quiet + busy), 10, 0.0, QUIET)
    assert (related.out, related.users) == (1, 10)
    slow = topics.find_related_tokens(log_of(quiet + busy, seconds=200), 10, 0.0, QUIET)
    assert slow.out == 0


def test_that_only_the_most_widespread_words_take_part() -> None:
    histories = [["red", "blue", "green"]] * 4 + [["red", "blue"]] * 4 + [["pink"]] * 9
    related = topics.find_related_tokens(log_of(histories), 3, 0.0, QUIET)
    assert sorted(related.vocabulary.list_strings()) == ["blue", "pink", "red"]


def graph(size: int, edges: list[tuple[int, int]]) -> topics.RelatedTokens:
    pairs = sorted({(min(edge), max(edge)) for edge in edges if edge[0] != edge[1]})
    left, right = (np.array([pair[i] for pair in pairs], dtype=np.int32) for i in (0, 1))
    return topics.RelatedTokens(
        vocabulary=Vocabulary.of(f"w{number}" for number in range(size)),
        left=left,
        right=right,
        chi=np.full(len(pairs), 9.0),
        users=1,
        out=0,
    )


edges = st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=50)


@given(edges)
def test_that_each_word_gets_its_largest_clique(table: list[tuple[int, int]]) -> None:
    links = graph(12, table)
    near = {frozenset(pair) for pair in zip(links.left.tolist(), links.right.tolist(), strict=True)}

    def is_clique(part: tuple[int, ...]) -> bool:
        return all(frozenset(pair) in near for pair in itertools.combinations(part, 2))

    largest = dict.fromkeys(range(12), 1)
    for size in range(2, 8):
        for part in itertools.combinations(range(12), size):
            if is_clique(part):
                largest.update(dict.fromkeys(part, size))
    result = topics.clique_topics(links, 5.0, QUIET)
    assert result.cut == 0
    for word in range(12):
        same = np.flatnonzero(result.topic == result.topic[word])
        if largest[word] == 1:
            assert result.topic[word] == -1
        elif largest[word] < 8:
            # Of a clique's words, those with a larger one have that as their topic.
            assert is_clique(tuple(same.tolist()))
            assert all(largest[other] == largest[word] for other in same.tolist())
    linked = np.array([size > 1 for size in largest.values()])
    assert result.coverage == linked.sum()
    joined = topics.connected_topics(links, 5.0, QUIET).topic
    assert np.array_equal(joined >= 0, linked)
    pairs = coo_array((links.chi, (links.left, links.right)), shape=(12, 12))
    expected = np.where(linked, connected_components(pairs)[1], -1)
    assert np.array_equal(joined[:, None] == joined, expected[:, None] == expected)


def test_that_a_search_that_explodes_ends_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(4)
    first, second = np.triu_indices(120, 1)
    some = rng.random(len(first)) < 0.8
    dense = graph(120, list(zip(first[some].tolist(), second[some].tolist(), strict=True)))
    monkeypatch.setattr(topics, "BUDGET", 20_000)
    result = topics.clique_topics(dense, 5.0, QUIET)
    assert result.cut > 0
    assert result.coverage == 120
    near = {frozenset(pair) for pair in zip(dense.left.tolist(), dense.right.tolist(), strict=True)}
    for topic in range(result.count):
        part = np.flatnonzero(result.topic == topic).tolist()
        assert all(frozenset(pair) in near for pair in itertools.combinations(part, 2))


def test_that_topics_link_words_of_another_log() -> None:
    histories = [["cigar", "partagas"]] * 6 + [["zebra"]] * 6
    related = topics.find_related_tokens(log_of(histories), 10, 1.0, QUIET)
    words = fibers.words_of(Vocabulary.of(["cheap cigars", "partagas", "zebras", "unheard"]), QUIET)
    result = topics.connected_topics(related, 1.0, QUIET)
    keys = topics.topic_keys(fibers.word_keys(words), words.vocabulary, related, result)
    assert keys.lengths.tolist() == [1, 1, 0, 0]
    assert len(set(keys.codes.tolist())) == 1


def test_that_an_empty_reference_relates_nothing() -> None:
    related = topics.find_related_tokens(log_of([]), 10, 1.0, QUIET)
    assert len(related.left) == 0
    for find_topics in (topics.connected_topics, topics.clique_topics):
        assert find_topics(related, 1.0, QUIET).coverage == 0
