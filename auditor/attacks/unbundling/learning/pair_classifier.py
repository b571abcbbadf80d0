"""The source's pair classifier: a decision tree that says which two queries are one user's.

Source: Jones, Kumar, Pang and Tomkins, CIKM 2008, section 6.4: C4.5 over the pairs of a bundle's
queries; the features are the lag, words and characters in common, and how often users rewrite one
query into the other. Pairs that it calls "same" are joined. Differences, each for a reason:

- the tree is CART's with entropy as its measure, and leaves of at least 20 pairs stand for C4.5's
  pruning: it is what a well-kept library offers, and C4.5 differs in pruning alone for numbers;
- the source judges all pairs of a bundle, and so could try only 100 bundles. Here only blocked
  candidates are (see `candidate_pairs`), any other pair is "different"; `PairQuality.blocking`
  is the share of the true pairs that are among the candidates.

Cost: O(n · log n) for the candidates of n events, then O(1) words and characters a candidate.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from auditor.arrays import Bools, Float32s, Float64s, Int32s, Int64s
from auditor.attacks.unbundling.candidate_pairs import (
    SeenBundles,
    chunk_bundles,
    events_of,
    find_candidates,
)
from auditor.attacks.unbundling.fibers import label_components, label_singletons, name_clusters
from auditor.attacks.unbundling.learning.pair_features import SOURCE_FEATURES, iterate_features
from auditor.progress import Progress, run_cancellable

if TYPE_CHECKING:
    from sklearn.tree import DecisionTreeClassifier

_MOST = 200_000
"""Pairs that the tree is grown on at most, drawn by chance; the source had 109,038."""
_LEAF = 20
_DEPTH = 14


def predict_same(tree: DecisionTreeClassifier, features: Float32s) -> Float64s:
    """The share of "same" in the leaf of each row, of a tree whose classes are False and True."""
    if len(tree.classes_) == 1:
        return np.full(len(features), float(tree.classes_[0]))
    shares: Float64s = tree.predict_proba(features, check_input=False)[:, 1]
    return shares


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
    view: SeenBundles, bundles: Int64s, progress: Progress, *, seed: int = 0
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
    rng = np.random.default_rng(seed)
    features, is_same = sample_pairs(np.concatenate(rows), np.concatenate(truths), _MOST, rng)
    tree = DecisionTreeClassifier(
        criterion="entropy", min_samples_leaf=_LEAF, max_depth=_DEPTH, random_state=seed
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
        events, is_same = (
            int(bundled.queries[bundles].sum()),
            np.zeros(len(earlier), dtype=np.bool_),
        )
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
