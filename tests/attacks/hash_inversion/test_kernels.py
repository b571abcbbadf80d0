"""The inversion's parts against the plainest computation of the same."""

import dataclasses
import itertools
import threading

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from auditor.arrays import Array, Float32s, Float64s, Int32s
from auditor.attacks.hash_inversion import distance as measures
from auditor.attacks.hash_inversion import features, inversion
from auditor.attacks.hash_inversion.ground_truth import simulate_hashing
from auditor.attacks.hash_inversion.inversion import Inversion, InversionConfig, compute_margins
from auditor.errors import Cancelled
from auditor.log.model import QueryLog, Vocabulary
from auditor.log.synthetic.generator import SyntheticLog, synthesize_log
from auditor.log.text import TokenizedQueries, tokenize_strings
from auditor.progress import Progress
from tests.attacks.attacked import QUIET

SMALL = QueryLog.from_columns(
    user=["u", "u", "v", "v", "w"],
    query=["new york", "new york", "york new new", "car", "new car"],
    time=[1, 1, 2, 3, 4],
)


def random_log(seed: int, rows: int = 400, words: int = 25) -> QueryLog:
    rng = np.random.default_rng(seed)
    draws = rng.geometric(0.15, (rows, 4)).clip(1, words)
    lengths = rng.integers(1, 5, rows)
    query = [" ".join(f"w{d}" for d in row[:k]) for row, k in zip(draws, lengths, strict=True)]
    return QueryLog.from_columns(
        user=[f"u{n % 7}" for n in range(rows)], query=query, time=np.arange(rows)
    )


def sides(n: int = 20, m: int = 20) -> tuple[features.InversionSide, features.InversionSide]:
    left, right = (
        features.count_corpus(random_log(1), n, QUIET),
        features.count_corpus(random_log(2), m, QUIET),
    )
    return left.build_side(n), right.build_side(m)


def test_that_terms_and_company_of_a_tiny_log_are_as_counted_by_hand() -> None:
    corpus = features.count_corpus(SMALL, 10, QUIET)
    words = corpus.vocabulary.list_strings(corpus.terms)
    assert words == ["new", "car", "york"]
    assert corpus.freq.tolist() == [4, 2, 2]
    assert corpus.counts.toarray().tolist() == [[0, 1, 2], [1, 0, 0], [2, 0, 0]]
    assert corpus.events == 4  # two rows of one user, query and second are one event
    side = corpus.build_side(3)
    assert side.single.tolist() == [0, 1, 0]
    assert side.shares.toarray()[0] == pytest.approx([0, 1 / 3, 2 / 3])
    assert side.raw_features[0] == pytest.approx([4 / 8, 0, 3, 2, (2 * 2 / 8 + 1 * 2 / 8) / 3])
    cut = corpus.build_side(1)
    assert cut.single.tolist() == [2]
    assert cut.counts.nnz == 0


@pytest.mark.parametrize("n", [1, 5, 12, 20])
def test_that_counts_equal_a_walk_over_events(n: int) -> None:
    log = random_log(5)
    corpus = features.count_corpus(log, n, QUIET)
    names = corpus.vocabulary.list_strings(corpus.terms)
    rank = {word: index for index, word in enumerate(names)}
    counts = np.zeros((n, n), dtype=int)
    freq, single = np.zeros(n, dtype=int), np.zeros(n, dtype=int)
    for query in log.query.tolist():
        ranks = [rank[w] for w in log.queries[query].split() if w in rank]
        np.add.at(freq, ranks, 1)
        if len(ranks) == 1:
            single[ranks[0]] += 1
        for a, b in itertools.permutations(set(ranks), 2):
            counts[a, b] += 1
    side = corpus.build_side(n)
    assert np.array_equal(side.counts.toarray(), counts)
    assert np.array_equal(side.freq, freq)
    assert np.array_equal(side.single, single)
    assert np.array_equal(side.degree, (counts > 0).sum(axis=1))


def test_that_features_have_mean_0_and_deviation_1() -> None:
    side, _ = sides()
    assert side.features.mean(axis=0) == pytest.approx(np.zeros(5), abs=1e-12)
    assert side.features.std(axis=0) == pytest.approx(np.ones(5))


def plainly(pair: measures.VectorPair, mapping: Int32s, measure: measures.Measure) -> Float64s:
    """Distances by the definition: dense vectors over the mapped hashes."""
    a, b = pair.left.shares.toarray(), pair.right.shares.toarray()
    if measure in measures.POWERS:
        a, b = a ** measures.POWERS[measure], b ** measures.POWERS[measure]
    mapped = np.flatnonzero(mapping >= 0)
    return compare_rows(a[:, mapped], b[:, mapping[mapped]], measure)


def compare_rows(left: Array, right: Array, measure: measures.Measure) -> Float64s:
    x, y = left.astype(float)[:, None, :], right.astype(float)[None, :, :]
    if measure == "l1":
        return np.asarray(np.abs(x - y).sum(axis=2))
    if measure == "l2":
        return np.asarray(np.sqrt(((x - y) ** 2).sum(axis=2)))
    norm = np.sqrt((x**2).sum(axis=2) * (y**2).sum(axis=2))
    return np.asarray(np.where(norm > 0, 1 - (x * y).sum(axis=2) / np.where(norm > 0, norm, 1), 1))


@pytest.mark.parametrize("measure", ["l1", "l2", "cosine", "hellinger", "rare"])
@pytest.mark.parametrize("partial", [False, True])
@pytest.mark.parametrize("shape", [(20, 20), (12, 20), (20, 12)])
def test_that_the_inverted_index_gives_the_distances_of_the_definition(
    measure: measures.Measure, partial: bool, shape: tuple[int, int]
) -> None:
    pair = measures.VectorPair.of(*sides(*shape), power=measures.POWERS.get(measure, 1.0))
    mapping = inversion.random_start(*shape, np.random.default_rng(3))
    if partial:
        mapping[::3] = -1
    distances = measures.compute_distances(pair, mapping, measure, QUIET, "x")
    assert distances == pytest.approx(
        plainly(pair, mapping, measure), abs=2e-3 if "2" in measure else 2e-6
    )


def test_that_expansion_distances_follow_their_formula() -> None:
    pair = measures.VectorPair.of(*sides())
    mapping = np.full(20, -1, dtype=np.int32)
    mapping[:6] = [2, 0, 1, 5, 4, 3]
    a, b = pair.left.shares.toarray()[:, :6], pair.right.shares.toarray()[:, mapping[:6]]
    gamma = a.sum(axis=1)
    rho = np.minimum(a[:, None, :], b[None, :, :]).sum(axis=2)
    delta = np.where(gamma[:, None] > 0, 1 - rho / np.where(gamma > 0, gamma, 1)[:, None], 1)
    near = np.abs(pair.left.features[:, None] - pair.right.features[None]).sum(axis=2)
    want = delta + (1 - gamma)[:, None] * near / 5
    assert measures.compute_expanded_distances(pair, mapping, QUIET, "x") == pytest.approx(
        want, abs=1e-5
    )
    assert measures.node_start(pair, QUIET) == pytest.approx(near, abs=1e-5)


def test_that_alpha_keeps_the_nearest_and_beta_the_heaviest() -> None:
    pair = measures.VectorPair.of(*sides())
    near = measures.node_start(pair, QUIET)
    dropped = measures.alpha_pruned(near, 0.25, QUIET)
    assert np.all((~dropped).sum(axis=1) == 5)
    assert np.all(np.where(dropped, np.inf, near).max(axis=1, where=~dropped, initial=0)
                  <= np.where(dropped, near, np.inf).min(axis=1))  # fmt: skip
    shares = pair.left.shares.toarray()
    heaviest = np.zeros_like(shares)
    pruned = measures.build_vectors(pair.left.shares, beta=0.5)
    heaviest[pruned.terms, pruned.rows.columns] = pruned.rows.values
    for row, full in zip(heaviest, shares, strict=True):
        if full.sum() == 0:
            continue
        assert row.sum() >= 0.5 - 1e-5
        assert row.sum() - row[row > 0].min() < 0.5 + 1e-5
        assert row[row > 0].min() >= full[row == 0].max() - 1e-7


def sorted_greedy(distance: Float32s) -> list[int]:
    """The source's greedy: all pairs by (distance, hash, token), first come first served."""
    mapping = [-1] * distance.shape[0]
    taken: set[int] = set()
    for flat in np.argsort(distance, axis=None, kind="stable").tolist():
        row, column = divmod(flat, distance.shape[1])
        if mapping[row] < 0 and column not in taken and np.isfinite(distance[row, column]):
            mapping[row] = column
            taken.add(column)
    return mapping


MATRICES = hnp.arrays(
    np.float32,
    hnp.array_shapes(min_dims=2, max_dims=2, max_side=9),
    elements=st.sampled_from([0.0, 0.25, 0.5, 1.0, 2.0, np.inf]),
)


@given(MATRICES)
def test_that_the_lazy_heap_equals_a_stable_sort(distance: Float32s) -> None:
    assert inversion.score_greedy(distance, QUIET).tolist() == sorted_greedy(distance)


def proposed(distance: Float32s) -> list[int]:
    """Gale and Shapley's algorithm as printed: hashes propose, tokens hold the nearest."""
    orders = [
        [c for c in np.argsort(row, kind="stable").tolist() if np.isfinite(row[c])]
        for row in distance
    ]
    holder: dict[int, int] = {}
    free = list(range(len(distance)))
    while free:
        row = free.pop()
        if not orders[row]:
            continue
        column = orders[row].pop(0)
        rival = holder.get(column)
        if rival is None or (distance[row, column], row) < (distance[rival, column], rival):
            holder[column] = row
            row = rival if rival is not None else -1
        free += [row] if row >= 0 else []
    mapping = [-1] * len(distance)
    for column, row in holder.items():
        mapping[row] = column
    return mapping


@given(MATRICES)
def test_that_stable_marriage_on_one_distance_is_nearest_first(distance: Float32s) -> None:
    assert inversion.UPDATES["stable-marriage"](distance, QUIET).tolist() == proposed(distance)


def test_that_the_search_for_the_least_cost_can_be_cancelled() -> None:
    distance = np.random.default_rng(3).random((3000, 3000)).astype(np.float32)  # takes seconds
    stop = threading.Event()
    begun = threading.Timer(0.1, stop.set)
    with pytest.raises(Cancelled):
        inversion.min_cost(distance, Progress(lambda *_what: begun.start(), stop))
    waiting = {thread.name.split("_")[0] for thread in threading.enumerate()}
    assert "patient" in waiting, "waited to the end"


def test_that_pairs_which_are_no_candidates_are_never_matched() -> None:
    distance = np.random.default_rng(1).random((30, 30)).astype(np.float32)
    distance[np.random.default_rng(2).random((30, 30)) < 0.8] = np.inf
    for name, matched in inversion.UPDATES.items():
        mapping = matched(distance, QUIET)
        rows = np.flatnonzero(mapping >= 0)
        assert np.all(np.isfinite(distance[rows, mapping[rows]])), name
        assert len(set(mapping[rows].tolist())) == len(rows), name


def test_that_rank_greedy_sorts_by_the_sum_of_both_ranks() -> None:
    distance = np.random.default_rng(4).random((35, 35)).astype(np.float32)
    ranks = distance.argsort(axis=1).argsort(axis=1) + distance.argsort(axis=0).argsort(axis=0)
    want = sorted_greedy(ranks.astype(np.float32))
    assert inversion.rank_greedy(distance, QUIET).tolist() == want


def continued_plainly(pair: measures.VectorPair, seeds: Int32s) -> list[int]:
    """Section 3.4.3 with a dense estimate that is searched whole for every pop."""
    a, b = pair.left.shares.toarray(), pair.right.shares.toarray()
    estimate = np.ones(pair.shape, dtype=np.float32)
    mapping = np.full(pair.shape[0], -1)
    taken = np.zeros(pair.shape[1], dtype=bool)

    def fix(row: int, column: int) -> None:
        mapping[row], taken[column] = column, True
        free = np.ix_(mapping < 0, ~taken)
        overlap = np.minimum(a[mapping < 0, row][:, None], b[~taken, column][None, :])
        estimate[free] -= overlap

    for row in np.flatnonzero(seeds >= 0).tolist():
        fix(row, int(seeds[row]))
    while np.any(mapping < 0) and not taken.all():
        masked = np.where((mapping < 0)[:, None] & ~taken[None, :], estimate, np.inf)
        row, column = divmod(int(masked.argmin()), pair.shape[1])
        fix(row, column)
    return mapping.tolist()


@pytest.mark.parametrize("shape", [(20, 20), (14, 20), (20, 14)])
def test_that_the_continuous_update_fixes_the_nearest_pair(shape: tuple[int, int]) -> None:
    pair = measures.VectorPair.of(*sides(*shape))
    seeds = np.full(shape[0], -1, dtype=np.int32)
    seeds[:4] = [0, 1, 2, 3]
    assert inversion.update_continuously(pair, seeds, QUIET).tolist() == continued_plainly(
        pair, seeds
    )


def test_that_a_margin_is_the_gap_to_the_next_best_of_either_side() -> None:
    rng = np.random.default_rng(8)
    distance = rng.random((30, 26)).astype(np.float32)
    mapping = inversion.score_greedy(distance, QUIET)
    margins = compute_margins(distance, mapping, QUIET)
    for row, column in enumerate(mapping.tolist()):
        if column < 0:
            assert margins[row] == -np.inf
            continue
        others = np.append(np.delete(distance[row], column), np.delete(distance[:, column], row))
        assert margins[row] == pytest.approx(others.min() - distance[row, column])


@pytest.mark.parametrize(("rows", "columns"), [(5, 5), (5, 8), (8, 5)])
def test_that_first_mappings_are_one_to_one(rows: int, columns: int) -> None:
    rng = np.random.default_rng(0)
    for mapping in (
        inversion.random_start(rows, columns, rng),
        inversion.frequency_start(rows, columns),
    ):
        used = mapping[mapping >= 0]
        assert len(used) == len(set(used.tolist())) == min(rows, columns)
        assert used.max() < columns


@example(margin=np.array([4.9e-162]), seed=0)
@given(
    margin=hnp.arrays(np.float64, st.integers(0, 40), elements=st.floats(-2, 2)),
    seed=st.integers(0, 2**32 - 1),
)
def test_that_chances_are_chances_and_rise_with_the_margin(margin: Float64s, seed: int) -> None:
    rng = np.random.default_rng(seed)
    right = (rng.random(len(margin)) < 0.5).astype(np.float64)
    curve = inversion.fit_curve(margin, right, -rng.integers(1, 3, len(margin)).astype(np.float64))
    grid = np.append(np.linspace(-3, 3, 50), -np.inf)
    chance = curve.estimate_chances(grid)
    assert np.all((chance >= 0) & (chance <= 1))
    assert np.all(np.diff(chance[:-1]) >= 0)
    assert chance[-1] == 0


def test_that_a_known_law_is_found_again_and_drawn_out_to_the_whole() -> None:
    rng = np.random.default_rng(0)
    margin = rng.normal(0, 1, 40_000)
    size = -rng.integers(1, 3, 40_000).astype(np.float64)
    true = 1 / (1 + np.exp(-(0.5 + 1.5 * margin + size)))
    curve = inversion.fit_curve(margin, (rng.random(40_000) < true).astype(np.float64), size)
    grid = np.linspace(-2, 2, 9)
    assert curve.estimate_chances(grid) == pytest.approx(
        1 / (1 + np.exp(-(0.5 + 1.5 * grid))), abs=0.05
    )


# --- the order of words

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
    successions = features.count_successions(coded(queries), weights, n, QUIET)
    assert np.array_equal(successions.follows.toarray(), follows)
    assert np.array_equal(successions.ends, ends)
    after, before = successions.compute_shares()
    sums = (after.toarray() + before.toarray()).sum(axis=1)
    assert np.all((sums == 0) | (np.abs(sums - 1) < 1e-5))
    assert np.array_equal(before.toarray() > 0, follows.T > 0)


@pytest.fixture(scope="module")
def world() -> SyntheticLog:
    return synthesize_log(1000, days=30, seed=11)


def keeps_order(hashed: TokenizedQueries, reference: TokenizedQueries) -> bool:
    return features.is_kept(
        features.order_decidedness(hashed, QUIET), features.order_decidedness(reference, QUIET)
    )


def test_that_order_is_seen_to_be_kept_sorted_or_shuffled(world: SyntheticLog) -> None:
    n = 500
    raw, reference = (
        features.count_corpus(log, n, QUIET).words for log in (world.log, world.reference)
    )
    ordered, shuffled = (
        features.count_corpus(reordered(world.log, how), n, QUIET).words
        for how in ("sorted", "shuffled")
    )
    assert 0.2 < features.order_decidedness(raw, QUIET) < 1
    assert features.order_decidedness(ordered, QUIET) == 1
    assert abs(features.order_decidedness(shuffled, QUIET)) < 0.05
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
        features.count_corpus(log, 30, QUIET).build_side(30, ordered=True)
        for log in (world.log, world.reference)
    ]
    pair = measures.VectorPair.of(*sides, power=measures.POWERS["rare"])
    mapping = np.random.default_rng(1).permutation(30).astype(np.int32)
    mapping[::4] = -1
    distances = measures.compute_distances(pair, mapping, "rare", QUIET, "x")
    mapped = np.flatnonzero(mapping >= 0)
    a, b = (side.profile.toarray().astype(float) ** (1 / 3) for side in sides)
    x = a[:, np.concatenate([mapped + 30 * k for k in range(3)])]
    y = b[:, np.concatenate([mapping[mapped] + 30 * k for k in range(3)])]
    assert distances == pytest.approx(compare_rows(x, y, "cosine"), abs=1e-5)
