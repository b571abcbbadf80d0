"""The source's pair classifier: a decision tree that says which two queries are one user's.

Source: Jones, Kumar, Pang and Tomkins, CIKM 2008, section 6.4: C4.5 over the pairs of a bundle's
queries; the features are the lag, words and characters in common, and how often users rewrite one
query into the other. Pairs that it calls "same" are joined. Differences, each for a reason:

- the tree is CART's with entropy as its measure, and leaves of at least 20 pairs stand for C4.5's
  pruning: it is what a well-kept library offers, and C4.5 differs in pruning alone for numbers;
- the source judges all pairs of a bundle, and so could try only 100 bundles. Here only blocked
  candidates are (see `candidate_pairs`), any other pair is "different"; `PairQuality.blocking`
  is the share of the true pairs that are among the candidates.

Beyond the source's features stand those that learned weights use: shared stems by rarity, trigrams,
the time of day, how many events of others lie between, places, clicked sites; and of clusters what
the pairs of events between them say together.

Cost: O(n · log n) for the candidates of n events, then O(1) words and characters a candidate.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from auditor.arrays import Array, Bools, Float32s, Float64s, Int32s, Int64s, Integers, RaggedArray
from auditor.attacks.unbundling.candidate_pairs import (
    SeenBundles,
    chunk_bundles,
    events_of,
    find_candidates,
)
from auditor.attacks.unbundling.fibers import (
    FiberKeys,
    label_components,
    label_singletons,
    name_clusters,
)
from auditor.log.model import Vocabulary
from auditor.progress import Progress, run_cancellable

if TYPE_CHECKING:
    from sklearn.tree import DecisionTreeClassifier

    from auditor.attacks.unbundling.learning.kernels import ClusterWords

SOURCE_FEATURES = (
    "lag in seconds", "words in the earlier query", "words in the later query", "common words",
    "share of common initial words", "edit distance over length", "one within the other",
    "rewrite probability",
)  # fmt: skip
"""The source's features, in the order of the columns."""

PAIR_FEATURES = (
    *SOURCE_FEATURES, "equal",
    "weight of shared stems", "rarest shared stem", "cosine of stems", "trigrams: Jaccard",
    "trigrams: containment", "hours apart", "events between", "size of the bundle",
    "lag in mean pauses", "shared places", "rarest shared site", "events with clicks",
)  # fmt: skip

GREATEST = (7, 8, 10, 11, 13, 18, 19)
PASSED_ON = np.array((*GREATEST, 0, 14, 15, 17))
"""The features of pairs of events that count for pairs of clusters: of these the greatest of all
pairs between two clusters, of the others the least."""

WIDTHS = len(PAIR_FEATURES), 11 + len(PASSED_ON)
"""Features of a pair of events, and of a pair of clusters."""

DAY = 86_400
STEP = 1 << 13
"""Pairs compared between two looks at the cancel flag."""


def log_odds(probability: Float64s) -> Float64s:
    """Log-odds, within ±9."""
    p = np.clip(probability, 1e-4, 1 - 1e-4)
    return np.asarray(np.log(p / (1 - p)), dtype=np.float64)


def iterate_features(
    view: SeenBundles, i: Integers, j: Integers, progress: Progress, *, further: bool = False
) -> Iterator[Float32s]:
    """The source's features of pairs of events, places in the bundled log, `STEP` pairs at a time.

    float32 of shape (pairs, 8), or (pairs, 21) with `further` ones.
    """
    for first in range(0, len(i), STEP):
        progress.check()
        part = slice(first, first + STEP)
        pairs = i[part].astype(np.int64), j[part].astype(np.int64)
        columns = list(_compare_as_source(view, *pairs))
        if further:
            columns += _compare_further(view, *pairs)
        yield np.column_stack(columns).astype(np.float32)


def _compare_as_source(view: SeenBundles, i: Int64s, j: Int64s) -> Iterator[Array]:
    """The columns of `SOURCE_FEATURES`."""
    bundled, words, rewrites = view.bundled, view.texts.words, view.rewrites
    p, q = bundled.query[i], bundled.query[j]
    yield np.abs(bundled.time[j] - bundled.time[i])
    a, b = words.lengths[p], words.lengths[q]
    yield from (a, b, words.matrix[p].minimum(words.matrix[q]).sum(axis=1))
    initial, open_pairs = np.zeros(len(p)), np.arange(len(p))
    for place in range(int(np.minimum(a, b).max(initial=0))):
        open_pairs = open_pairs[(place < a[open_pairs]) & (place < b[open_pairs])]
        left, right = (words.codes[words.starts[query[open_pairs]] + place] for query in (p, q))
        open_pairs = open_pairs[left == right]
        initial[open_pairs] += 1
    yield initial / np.maximum(np.maximum(a, b), 1)
    yield from compare_strings(rewrites.queries, p, q)
    yield rewrites.find_shares(p, q)


def _compare_further(view: SeenBundles, i: Int64s, j: Int64s) -> Iterator[Array]:
    """The other columns of `PAIR_FEATURES`."""
    bundled, texts, _ = view
    p, q = bundled.query[i], bundled.query[j]
    yield p == q
    weight, rarest, squares = _weigh_shared(texts.stems, texts.weights, p, q)
    norm = np.sqrt(texts.stem_squares[p] * texts.stem_squares[q])
    yield from (weight, rarest, np.divide(squares, norm, out=np.zeros(len(p)), where=norm > 0))
    both = _count_shared(texts.trigrams, p, q)
    size = texts.trigrams.lengths
    yield both / np.maximum(size[p] + size[q] - both, 1)
    yield both / np.maximum(np.minimum(size[p], size[q]), 1)
    lag = np.abs(bundled.time[j] - bundled.time[i])
    yield np.minimum(lag % DAY, DAY - lag % DAY)
    yield j - i
    begin, end = bundled.starts[bundled.bundle[i]], bundled.starts[bundled.bundle[i] + 1]
    yield end - begin
    span = np.maximum(bundled.time[end - 1] - bundled.time[begin], 1)
    yield lag * ((end - begin) / span)  # in mean pauses of the bundle
    yield _count_shared(texts.places, p, q)
    yield _weigh_shared(texts.sites, texts.site_weights, i, j)[1]
    clicks = texts.sites.lengths
    yield (clicks[i] > 0).astype(np.int64) + (clicks[j] > 0)


def _count_shared(keys: FiberKeys, p: Integers, q: Integers) -> Float64s:
    """How many keys each pair has in common."""
    return np.asarray(keys.matrix[p].multiply(keys.matrix[q]).sum(axis=1))


def _weigh_shared(
    keys: FiberKeys, weights: Float32s, p: Integers, q: Integers
) -> tuple[Float64s, Float64s, Float64s]:
    """Of each pair's common keys the sum of the weights, the greatest, the sum of the squares."""
    shared = keys.matrix[p].multiply(keys.matrix[q]).tocsr()
    shared.data = weights[shared.indices].astype(np.float64)
    largest = shared.max(axis=1).toarray().ravel() if keys.size else np.zeros(len(p))
    return shared.sum(axis=1), largest, shared.multiply(shared).sum(axis=1)


def compare_strings(queries: Vocabulary, left: Int32s, right: Int32s) -> tuple[Float32s, Bools]:
    """How far apart the strings of pairs of queries are, and whether one holds the other.

    The first is Levenshtein's distance over the longer length; small and capital letters are alike.
    """
    from rapidfuzz.distance import Levenshtein
    from rapidfuzz.process import cpdist

    codes, place = np.unique(np.stack((left, right)), return_inverse=True)
    strings = [text.lower() for text in queries.list_strings(codes)]
    first, second = ([strings[i] for i in row] for row in place.reshape(2, -1).tolist())
    distance = cpdist(first, second, scorer=Levenshtein.normalized_distance, dtype=np.float32)
    holds = [bool(a and b) and (a in b or b in a) for a, b in zip(first, second, strict=True)]
    return distance, np.asarray(holds, dtype=np.bool_) | (left == right)


def pair_features(view: SeenBundles, i: Integers, j: Integers, progress: Progress) -> Float32s:
    """All features of pairs of events; float32 of shape (pairs, 21)."""
    none = np.zeros((0, len(PAIR_FEATURES)), dtype=np.float32)
    return np.concatenate((none, *iterate_features(view, i, j, progress, further=True)))


@dataclass(frozen=True, eq=False)
class PairFeatures:
    """Pairs of events, or of clusters that candidate pairs of events lie between, each once.

    The smaller number stands first; `features` is float32, (pairs, features).
    """

    first: Integers
    second: Integers
    features: Float32s


def list_cluster_words(
    cluster: Int64s, holder: Int64s, stem: Int64s, weights: Float32s
) -> ClusterWords:
    """The weighted words of clusters; event ``holder[i]`` has ``stem[i]``; O(words)."""
    from scipy.sparse import csr_array

    from auditor.attacks.unbundling.learning import kernels

    shape = int(cluster.max(initial=-1)) + 1, max(len(weights), 1)
    words = csr_array((np.ones(len(stem)), (cluster[holder], stem)), shape=shape)
    words.sum_duplicates()
    words.data = (1 + np.log(words.data)) * weights[words.indices]
    rows = RaggedArray(words.indptr.astype(np.int64), words.indices.astype(np.int32))
    lengths = np.sqrt(np.asarray(words.multiply(words).sum(axis=1)).ravel())
    return kernels.ClusterWords(rows, words.data, lengths)


def compute_cosines(left: Int64s, right: Int64s, words: ClusterWords) -> Float64s:
    """The cosine of the words of each cluster of `left` with that of `right`."""
    from auditor.attacks.unbundling.learning import kernels

    cosines = np.empty(len(left), dtype=np.float64)
    kernels.write_cosines(left, right, words, cosines)
    return cosines


_MOST = 200_000
"""Pairs that the tree is grown on at most, drawn by chance; the source had 109,038."""
_LEAF = 20
_DEPTH = 14


def predict_same(tree: DecisionTreeClassifier, features: Float32s) -> Float64s:
    """The share of "same" in the leaf of each row, of a tree whose classes are False and True."""
    if len(tree.classes_) == 1:
        return np.full(len(features), float(tree.classes_[0]))
    return np.asarray(tree.predict_proba(features, check_input=False)[:, 1])


def sample_pairs(
    features: Float32s, is_same: Bools, pair_limit: int, rng: np.random.Generator
) -> tuple[Float32s, Bools]:
    """At most so many pairs to learn from, drawn by chance; where there are none, a "different"."""
    if not len(is_same):
        return np.zeros((1, features.shape[1]), np.float32), np.zeros(1, np.bool_)
    if len(is_same) <= pair_limit:
        return features, is_same
    sampled = np.sort(rng.choice(len(is_same), pair_limit, replace=False))
    return features[sampled], is_same[sampled]


@dataclass(frozen=True)
class PairQuality:
    """How a classifier does on the pairs of some bundles, over all pairs unless said otherwise."""

    pairs: int  # all
    same: int  # true ones
    candidates: int  # among all
    reached: int  # true ones among the candidates
    claimed: int  # called "same"
    right: int  # true ones of those claimed

    @property
    def accuracy(self) -> float:
        """Share of all pairs judged rightly; a pair that is no candidate is "different"."""
        wrong = (self.claimed - self.right) + (self.same - self.right)
        return 1 - wrong / max(self.pairs, 1)

    @property
    def precision(self) -> float:
        """Share of the pairs called "same" that are."""
        return self.right / max(self.claimed, 1)

    @property
    def recall(self) -> float:
        """Share of the true pairs that were called "same"."""
        return self.right / max(self.same, 1)

    @property
    def blocking(self) -> float:
        """Share of the true pairs that are candidates: no recall can be higher."""
        return self.reached / max(self.same, 1)


def train_pair_tree(
    view: SeenBundles, bundles: Int64s, progress: Progress
) -> DecisionTreeClassifier:
    """Grow the tree on the candidate pairs of some bundles, whose users the attacker knows.

    Rewrites should be counted without those users: see `rewrites_of`. O(pairs · log pairs).
    """
    from sklearn.tree import DecisionTreeClassifier

    bundled = view.bundled
    is_training = np.zeros(bundled.count, dtype=np.bool_)
    is_training[bundles] = True
    rows, truths = [np.zeros((0, len(SOURCE_FEATURES)), np.float32)], [np.zeros(0, np.bool_)]
    for part in chunk_bundles(bundled, is_training):
        progress.stage("comparing queries")
        earlier, later = find_candidates(view, part, progress)
        rows += iterate_features(view, earlier, later, progress)
        truths.append(bundled.user[earlier] == bundled.user[later])
    progress.stage("growing the tree")
    features, is_same = sample_pairs(
        np.concatenate(rows), np.concatenate(truths), _MOST, np.random.default_rng(0)
    )
    tree = DecisionTreeClassifier(
        criterion="entropy", min_samples_leaf=_LEAF, max_depth=_DEPTH, random_state=0
    )
    return run_cancellable(lambda: tree.fit(features, is_same), progress)


def label_pairs(
    view: SeenBundles,
    tree: DecisionTreeClassifier,
    progress: Progress,
    *,
    is_selected: Bools | None = None,
) -> tuple[Int32s, PairQuality]:
    """Join the pairs that the tree calls "same", in the bundles of `is_selected` (the large ones).

    The labels are as in `auditor.attacks.unbundling.fibers`; events of bundles not judged stand
    alone. O(n · log n) for n events. The truth is used for `PairQuality` only.
    """
    bundled = view.bundled
    is_selected = bundled.large if is_selected is None else is_selected
    labels = label_singletons(bundled)
    candidates, reached, claimed, right, done = 0, 0, 0, 0, 0
    for bundles in chunk_bundles(bundled, is_selected):
        progress.stage("comparing queries", int(bundled.queries[is_selected].sum()))
        progress.update(done)
        earlier, later = find_candidates(view, bundles, progress)
        events = int(bundled.queries[bundles].sum())
        is_same = np.zeros(len(earlier), dtype=np.bool_)
        offset = 0
        for features in iterate_features(view, earlier, later, progress):
            is_same[offset : offset + len(features)] = predict_same(tree, features) > 0.5
            offset += len(features)
            # One bundle may take most of the time: it is told how far work in it is.
            progress.update(done + events * offset // len(earlier))
        done += events
        truth = bundled.user[earlier] == bundled.user[later]
        candidates += len(earlier)
        reached += int(np.count_nonzero(truth))
        claimed += int(np.count_nonzero(is_same))
        right += int(np.count_nonzero(truth & is_same))
        event = events_of(bundled, bundles)
        ends = (np.searchsorted(event, place[is_same]) for place in (earlier, later))
        name_clusters(labels, event, label_components(len(event), *ends))
    size = bundled.queries[is_selected]
    fiber = bundled.fiber_queries[is_selected[bundled.fiber_bundle]]
    return labels, PairQuality(
        pairs=int(np.sum(size * (size - 1) // 2)),
        same=int(np.sum(fiber * (fiber - 1) // 2)),
        candidates=candidates,
        reached=reached,
        claimed=claimed,
        right=right,
    )
