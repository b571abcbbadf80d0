"""What the order of words adds to the inversion, and that its absence is noticed."""

from __future__ import annotations

import dataclasses
import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.attacks.hash_inversion.distance import POWERS, VectorPair, compute_distances
from auditor.attacks.hash_inversion.features import (
    count_corpus,
    count_successions,
    is_kept,
    list_terms,
    order_decidedness,
)
from auditor.attacks.hash_inversion.ground_truth import simulate_hashing
from auditor.attacks.hash_inversion.inversion import Inversion, InversionConfig
from auditor.log.model import QueryLog, Vocabulary
from auditor.log.synthetic.generator import SyntheticLog, synthesize_log
from auditor.log.text import TokenizedQueries, tokenize_strings
from auditor.progress import silent_progress

QUIET = silent_progress()

QUERIES = st.lists(st.lists(st.integers(0, 6), max_size=6), min_size=1, max_size=12)


def coded(queries: list[list[int]]) -> TokenizedQueries:
    offsets = np.concatenate(([0], np.cumsum([len(q) for q in queries]))).astype(np.int64)
    codes = np.array(list(itertools.chain(*queries)), dtype=np.int32)
    return TokenizedQueries(codes, offsets, Vocabulary.of([str(n) for n in range(7)]))


def reordered(log: QueryLog, how: str, seed: int = 0) -> QueryLog:
    rng = np.random.default_rng(seed)
    names = {word: f"{n * 7919 % 100_003:x}" for n, word in enumerate(
        tokenize_strings(log.queries).vocabulary.list_strings())}  # fmt: skip
    queries = []
    for query in log.queries.list_strings():
        words = [names[word] for word in query.split()]
        queries.append(" ".join(sorted(words) if how == "sorted" else rng.permutation(words)))
    return dataclasses.replace(log, queries=Vocabulary.of(queries))


@given(QUERIES, st.integers(1, 7))
def test_that_steps_are_those_of_a_walk(queries: list[list[int]], n: int) -> None:
    weights = np.arange(1, len(queries) + 1, dtype=np.int64)
    follows, ends = np.zeros((n, n), dtype=int), np.zeros((n, 3), dtype=int)
    for words, weight in zip(queries, weights.tolist(), strict=True):
        terms = [word for word in words if word < n]
        for a, b in itertools.pairwise(terms):
            follows[a, b] += weight * (a != b)
        if len(terms) > 1:
            ends[terms[0], 1] += weight
            ends[terms[-1], 2] += weight
            np.add.at(ends[:, 0], terms, weight)
    successions = count_successions(coded(queries), weights, n, QUIET)
    assert np.array_equal(successions.follows.toarray(), follows)
    assert np.array_equal(successions.ends, ends)
    after, before = successions.compute_shares()
    sums = (after.toarray() + before.toarray()).sum(axis=1)
    assert np.all((sums == 0) | (np.abs(sums - 1) < 1e-5))
    assert np.array_equal(before.toarray() > 0, follows.T > 0)


@given(QUERIES)
def test_that_a_term_counts_once_in_a_string(queries: list[list[int]]) -> None:
    terms = list_terms(coded(queries), 7)
    for row, words in enumerate(queries):
        columns = terms.indices[terms.indptr[row] : terms.indptr[row + 1]]
        assert columns.tolist() == sorted(set(words))


@pytest.fixture(scope="module")
def world() -> SyntheticLog:
    return synthesize_log(1000, days=30, seed=11)


def keeps_order(hashed: TokenizedQueries, reference: TokenizedQueries) -> bool:
    return is_kept(order_decidedness(hashed, QUIET), order_decidedness(reference, QUIET))


def test_that_order_is_seen_to_be_kept_sorted_or_shuffled(world: SyntheticLog) -> None:
    n = 500
    raw, reference = (count_corpus(log, n, QUIET).words for log in (world.log, world.reference))
    ordered, shuffled = (
        count_corpus(reordered(world.log, how), n, QUIET).words for how in ("sorted", "shuffled")
    )
    assert 0.2 < order_decidedness(raw, QUIET) < 1
    assert order_decidedness(ordered, QUIET) == 1
    assert abs(order_decidedness(shuffled, QUIET)) < 0.05
    assert keeps_order(raw, reference)
    assert not keeps_order(ordered, reference)
    assert not keeps_order(shuffled, reference)
    alone = coded([[0], [1], [0]])
    assert not keeps_order(alone, reference)


def test_that_the_order_finds_more_words_at_equal_data(world: SyntheticLog) -> None:
    rng = np.random.default_rng(0)
    game = simulate_hashing(world.log, world.reference, 700, "x", rng, QUIET)
    right = {
        order: Inversion(game, InversionConfig(order=order), rng, QUIET).invert(700).scores[-1]
        for order in (True, False)
    }
    assert right[True].matchable == right[False].matchable
    assert right[True].correct > 1.02 * right[False].correct


def test_that_hidden_order_changes_nothing(world: SyntheticLog) -> None:
    rng = np.random.default_rng(0)
    hidden = reordered(world.log, "sorted")
    game = simulate_hashing(hidden, world.reference, 200, "x", rng, QUIET)
    game = dataclasses.replace(game, hash_label=None, token_label=None)
    with_order, without = (
        Inversion(game, InversionConfig(order=order), rng, QUIET).invert(200)
        for order in (True, False)
    )
    assert not with_order.ordered
    assert np.array_equal(with_order.mapping, without.mapping)


def test_that_distances_by_order_are_cosines_over_three_blocks(world: SyntheticLog) -> None:
    sides = [
        count_corpus(log, 30, QUIET).build_side(30, ordered=True)
        for log in (world.log, world.reference)
    ]
    pair = VectorPair.of(*sides, power=POWERS["rare"])
    mapping = np.random.default_rng(1).permutation(30).astype(np.int32)
    mapping[::4] = -1
    distances = compute_distances(pair, mapping, "rare", QUIET, "x")
    mapped = np.flatnonzero(mapping >= 0)
    a, b = (side.profile.toarray().astype(float) ** (1 / 3) for side in sides)
    x = a[:, np.concatenate([mapped + 30 * k for k in range(3)])]
    y = b[:, np.concatenate([mapping[mapped] + 30 * k for k in range(3)])]
    norm = np.linalg.norm(x, axis=1)[:, None] * np.linalg.norm(y, axis=1)[None]
    want = np.where(norm > 0, 1 - (x @ y.T) / np.where(norm > 0, norm, 1), 1)
    assert distances == pytest.approx(want, abs=1e-5)
