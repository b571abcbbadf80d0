"""The source's pair classifier: a decision tree that says which two queries are one user's.

Source: Jones, Kumar, Pang and Tomkins, CIKM 2008, section 6.4: C4.5 over the pairs of a bundle's
queries; the features are the lag, words and characters in common, and how often users rewrite one
query into the other. Pairs that it calls "same" are joined. Differences, each for a reason:

- the tree is CART's with entropy as its measure, and leaves of at least 20 pairs stand for C4.5's
  pruning: it is what a well-kept library offers, and C4.5 differs in pruning alone for numbers;
- the source judges all pairs of a bundle, and so could try only 100 bundles. Here only blocked
  candidates are (see `fiber_candidates`), any other pair is "different"; `PairQuality.blocking`
  is the share of the true pairs that are among the candidates.

Cost: O(n · log n) for the candidates of n events, then O(1) words and characters a candidate.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from auditor.arrays import Bools, Float32s, Float64s, Int32s, Int64s, Integers, RaggedArray
from auditor.attacks.bundle_view import BundledLog
from auditor.attacks.unbundling.candidate_pairs import (
    PairBlocking,
    QueryRewrites,
    chunk_bundles,
    find_candidates,
)
from auditor.attacks.unbundling.fibers import FiberUnion
from auditor.attacks.unbundling.query_texts import QueryTexts
from auditor.figures import SHARE, Table
from auditor.progress import Progress, run_cancellable

FEATURES = (
    "lag in seconds", "words in the earlier query", "words in the later query", "common words",
    "share of common initial words", "edit distance over length", "one within the other",
    "rewrite probability",
)  # fmt: skip
"""The source's features, in the order of the columns."""

BUNDLES = 40
"""Bundles that the source trained on."""

STEP = 1 << 13
"""Pairs compared between two looks at the cancel flag."""

_MOST = 200_000
"""Pairs that the tree is grown on at most, drawn by chance; the source had 109,038."""
_LEAF = 20
_DEPTH = 14


@dataclass(frozen=True, eq=False)
class PairTree:
    """A trained decision tree; `left` and `right` are −1 at leaves; k nodes each.

    Attributes
    ----------
    left, right
        int64 children: where the feature is at most the split, and where it is more.
    column, split
        int64 feature and float64 split of each node.
    share
        float64 share of "same" among the training pairs of each node.
    pairs
        How many pairs were trained on.
    """

    left: Int64s
    right: Int64s
    column: Int64s
    split: Float64s
    share: Float64s
    pairs: int

    def predict_probability(self, features: Float32s) -> Float64s:
        """The share of "same" at the leaf of each row; shape (rows,)."""
        from auditor.attacks.unbundling.learning import pair_kernels as kernels

        out = np.empty(len(features), dtype=np.float64)
        kernels.descend_tree(
            features, self.left, self.right, self.column, self.split, self.share, out
        )
        return out


@dataclass(frozen=True)
class PairQuality:
    """How a classifier does on the pairs of some bundles, over all pairs unless said otherwise.

    `pairs` and `same` count all pairs and the true ones; `candidates` and `reached` those among
    the candidates; `claimed` and `right` the pairs called "same" and the true ones of them.
    """

    pairs: int
    same: int
    candidates: int
    reached: int
    claimed: int
    right: int

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


@dataclass(frozen=True, eq=False)
class ClassifiedPairs:
    """Fibers that joining "same" pairs gives, and how the pairs were judged.

    `labels` are as in `auditor.attacks.unbundling.fibers`; events of bundles not judged stand
    alone.
    """

    labels: Int32s
    quality: PairQuality


def draw_bundles(bundled: BundledLog, count: int, seed: int, *, small: bool = True) -> Int64s:
    """Bundles to train on, ascending, of two events or more each (large ones only if not `small`).

    At most half of the bundles are drawn, so that some stay to be judged.
    """
    usable = np.flatnonzero(bundled.queries >= 2 if small else bundled.large)
    count = min(count, len(usable) // 2)
    return np.sort(np.random.default_rng(seed).choice(usable, count, replace=False))


def train_pair_tree(
    bundled: BundledLog,
    texts: QueryTexts,
    rewrites: QueryRewrites,
    bundles: Int64s,
    progress: Progress,
    *,
    blocking: PairBlocking | None = None,
    seed: int = 0,
) -> PairTree:
    """Grow the tree on the candidate pairs of some bundles, whose users the attacker knows.

    `rewrites` should be counted without those users: see `rewrites_of`. O(pairs · log pairs).

    Raises
    ------
    Cancelled
        Somebody asked to stop.
    """
    from sklearn.tree import DecisionTreeClassifier

    which = np.zeros(bundled.count, dtype=np.bool_)
    which[bundles] = True
    rows, truths = [np.zeros((0, len(FEATURES)), np.float32)], [np.zeros(0, np.bool_)]
    for one, two in iterate_candidates(
        bundled, texts, rewrites, which, blocking or PairBlocking(), progress
    ):
        rows += list(iterate_features(bundled, texts, rewrites, one, two, progress))
        truths.append(bundled.user[one] == bundled.user[two])
    features, truth = np.concatenate(rows), np.concatenate(truths)
    progress.stage("growing the tree")
    if not len(truth):
        nowhere = np.full(1, -1, dtype=np.int64)
        return PairTree(nowhere, nowhere, nowhere, np.zeros(1), np.zeros(1), 0)
    grower = DecisionTreeClassifier(
        criterion="entropy", min_samples_leaf=_LEAF, max_depth=_DEPTH, random_state=seed
    )
    if len(truth) > _MOST:
        rng = np.random.default_rng(seed)
        some = np.sort(rng.choice(len(truth), _MOST, replace=False))
        features, truth = features[some], truth[some]
    return export_tree(run_cancellable(lambda: grower.fit(features, truth), progress), len(truth))


def export_tree(fitted: Any, pairs: int = 0) -> PairTree:
    """A tree of the library as arrays; its classes are False and True, or one of them."""
    tree = fitted.tree_
    value = tree.value[:, 0, :]
    same = np.flatnonzero(fitted.classes_)
    share = value[:, same[0]] / value.sum(axis=1) if len(same) else np.zeros(len(value))
    return PairTree(
        tree.children_left.astype(np.int64),
        tree.children_right.astype(np.int64),
        tree.feature.astype(np.int64),
        tree.threshold.astype(np.float64),
        share.astype(np.float64),
        pairs,
    )


def label_pairs(
    bundled: BundledLog,
    texts: QueryTexts,
    rewrites: QueryRewrites,
    tree: PairTree,
    progress: Progress,
    *,
    which: Bools | None = None,
    blocking: PairBlocking | None = None,
) -> ClassifiedPairs:
    """Join the pairs that the tree calls "same", in the bundles of `which` (the large ones).

    O(n · log n) for n events. The truth is used for `PairQuality` only.

    Raises
    ------
    Cancelled
        Somebody asked to stop.
    """
    which = bundled.large if which is None else which
    union = FiberUnion(bundled)
    total, reached, claimed, right = 0, 0, 0, 0
    blocking, done = blocking or PairBlocking(), 0
    for bundles in chunk_bundles(bundled, which):
        progress.stage("comparing queries", int(bundled.queries[which].sum()))
        progress.update(done)
        one, two = find_candidates(bundled, texts, rewrites, bundles, blocking, progress)
        events, same = int(bundled.queries[bundles].sum()), np.zeros(len(one), dtype=np.bool_)
        judged = 0
        for features in iterate_features(bundled, texts, rewrites, one, two, progress):
            same[judged : judged + len(features)] = tree.predict_probability(features) > 0.5
            judged += len(features)
            # One bundle may take most of the time: it is told how far work in it is.
            progress.update(done + events * judged // len(one))
        done += events
        truth = bundled.user[one] == bundled.user[two]
        total += len(one)
        reached += int(np.count_nonzero(truth))
        claimed += int(np.count_nonzero(same))
        right += int(np.count_nonzero(truth & same))
        union.join_pairs(one[same], two[same], progress)
    size = bundled.queries[which]
    fiber = bundled.fiber_queries[which[bundled.fiber_bundle]]
    quality = PairQuality(
        pairs=int(np.sum(size * (size - 1) // 2)),
        same=int(np.sum(fiber * (fiber - 1) // 2)),
        candidates=total,
        reached=reached,
        claimed=claimed,
        right=right,
    )
    return ClassifiedPairs(union.label_events(progress), quality)


def iterate_candidates(
    bundled: BundledLog,
    texts: QueryTexts,
    rewrites: QueryRewrites,
    which: Bools,
    blocking: PairBlocking,
    progress: Progress,
) -> Iterator[tuple[Int32s, Int32s]]:
    """Candidate pairs of the bundles of `which`, by chunks of bundles."""
    total = int(bundled.queries[which].sum())
    done = 0
    for part in chunk_bundles(bundled, which):
        progress.stage("comparing queries", total)
        progress.update(done)
        yield find_candidates(bundled, texts, rewrites, part, blocking, progress)
        done += int(bundled.queries[part].sum())


def iterate_features(
    bundled: BundledLog,
    texts: QueryTexts,
    rewrites: QueryRewrites,
    one: Integers,
    two: Integers,
    progress: Progress,
) -> Iterator[Float32s]:
    """The features of pairs, `STEP` pairs at a time; float32 of shape (pairs, 8)."""
    from auditor.attacks.unbundling.learning import pair_kernels as kernels

    events = kernels.TimedQueries(bundled.query, bundled.time)
    source = kernels.SourceTexts(
        RaggedArray(texts.words.starts, texts.words.codes),
        RaggedArray(texts.characters.starts, texts.characters.codes),
        np.zeros(texts.characters.size + 1, dtype=np.uint64),
    )
    shares = kernels.RewriteShares(rewrites.left, rewrites.right, rewrites.share)
    for first in range(0, len(one), STEP):
        progress.check()
        part = slice(first, first + STEP)
        pairs = kernels.EventPairs(one[part].astype(np.int64), two[part].astype(np.int64))
        out = np.empty((len(pairs.one), len(FEATURES)), dtype=np.float32)
        kernels.source_features(pairs, 0, len(out), events, source, shares, out)
        yield out


def pairs_table(judged: PairQuality, source: str) -> Table:
    """What section 6.4 of the source tells of its classifier."""
    shares = (
        ("accuracy", judged.accuracy, "97.5 %"),
        ("precision", judged.precision, "71.2 %"),
        ("recall", judged.recall, "29.9 %"),
        ("true pairs among the candidates", judged.blocking, "all"),
    )
    rows = [[label, round(share, 6), theirs] for label, share, theirs in shares]
    rows += [
        ["pairs of queries", judged.pairs, "8,235,739"],
        ["of one user", judged.same, ""],
        ["candidates examined", judged.candidates, "8,235,739"],
        ["attributed to one user", judged.claimed, ""],
    ]
    return Table(
        "pairs",
        "How well a decision tree classifies pairs of queries",
        ("Of all pairs", "Here", "In the source"),
        rows,
        note="Only pairs that are close in time or share something are examined; all others "
        "are attributed to different users. The source examined all pairs of one day, "
        "when more of a user's pairs belong to one session.",
        source=source,
        own_words=True,
        row_units=(SHARE,) * len(shares),
    )
