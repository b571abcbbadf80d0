"""Topics: related words by χ² over users, and their cliques and components."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from scipy.stats import chi2_contingency

from auditor.attacks.unbundling.fibers import word_keys, words_of
from auditor.attacks.unbundling.topics import topics
from auditor.attacks.unbundling.topics.topics import (
    RelatedTokens,
    clique_topics,
    connected_topics,
    find_related_tokens,
    topic_keys,
)
from auditor.log.model import QueryLog, Vocabulary
from auditor.progress import silent_progress
from tests.measures import fakes

QUIET = silent_progress()


def log_of(histories: list[list[str]], seconds: int = 60) -> QueryLog:
    rows = [
        (f"u{user:03}", query, number * seconds)
        for user, history in enumerate(histories)
        for number, query in enumerate(history)
    ]
    return fakes.log_of(rows)


def named(related: RelatedTokens) -> dict[frozenset[str], float]:
    words = related.vocabulary.list_strings()
    return {
        frozenset((words[a], words[b])): chi
        for a, b, chi in zip(related.left, related.right, related.chi, strict=True)
    }


words = st.sampled_from(["aa", "bb", "cc", "dd", "ee"])
queries = st.lists(words, min_size=1, max_size=3).map(" ".join)


@given(st.lists(st.lists(queries, min_size=1, max_size=4), min_size=1, max_size=25))
def test_that_pairs_are_those_that_counting_users_one_by_one_gives(
    histories: list[list[str]],
) -> None:
    related = named(find_related_tokens(log_of(histories), 10, 0.0, QUIET, least=1))
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
    related = find_related_tokens(log_of(quiet + busy), 10, 0.0, QUIET)
    assert related.out == 1
    assert related.users == 10
    slow = find_related_tokens(log_of(quiet + busy, seconds=200), 10, 0.0, QUIET)
    assert slow.out == 0


def test_that_only_the_most_widespread_words_take_part() -> None:
    histories = [["red", "blue", "green"]] * 4 + [["red", "blue"]] * 4 + [["pink"]] * 9
    related = find_related_tokens(log_of(histories), 3, 0.0, QUIET)
    assert sorted(related.vocabulary.list_strings()) == ["blue", "pink", "red"]


def graph(size: int, edges: list[tuple[int, int]]) -> RelatedTokens:
    pairs = sorted({(min(edge), max(edge)) for edge in edges if edge[0] != edge[1]})
    left, right = (np.array([pair[i] for pair in pairs], dtype=np.int32) for i in (0, 1))
    return RelatedTokens(
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
    result = clique_topics(links, 5.0, QUIET)
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
    joined = connected_topics(links, 5.0, QUIET).topic
    assert np.array_equal(joined >= 0, linked)
    pairs = coo_array((links.chi, (links.left, links.right)), shape=(12, 12))
    expected = np.where(linked, connected_components(pairs)[1], -1)
    assert np.array_equal(joined[:, None] == joined, expected[:, None] == expected)


def test_that_a_search_that_explodes_ends_with_what_it_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(4)
    first, second = np.triu_indices(120, 1)
    some = rng.random(len(first)) < 0.8
    dense = graph(120, list(zip(first[some].tolist(), second[some].tolist(), strict=True)))
    monkeypatch.setattr(topics, "BUDGET", 20_000)
    result = clique_topics(dense, 5.0, QUIET)
    assert result.cut > 0
    assert result.coverage == 120
    near = {frozenset(pair) for pair in zip(dense.left.tolist(), dense.right.tolist(), strict=True)}
    for topic in range(result.count):
        part = np.flatnonzero(result.topic == topic).tolist()
        assert all(frozenset(pair) in near for pair in itertools.combinations(part, 2))


def test_that_topics_link_words_of_another_log() -> None:
    histories = [["cigar", "partagas"]] * 6 + [["zebra"]] * 6
    related = find_related_tokens(log_of(histories), 10, 1.0, QUIET)
    words = words_of(Vocabulary.of(["cheap cigars", "partagas", "zebras", "unheard"]), QUIET)
    result = connected_topics(related, 1.0, QUIET)
    keys = topic_keys(word_keys(words), words.vocabulary, related, result)
    assert keys.lengths.tolist() == [1, 1, 0, 0]
    assert len(set(keys.codes.tolist())) == 1


def test_that_an_empty_reference_relates_nothing() -> None:
    related = find_related_tokens(log_of([]), 10, 1.0, QUIET)
    assert len(related.left) == 0
    for find_topics in (connected_topics, clique_topics):
        assert find_topics(related, 1.0, QUIET).coverage == 0
