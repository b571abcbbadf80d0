"""Random forests whose trees a compiled loop climbs down, without the library that grew them."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from auditor.arrays import Bools, Float32s, Float64s, Int32s, Int64s
from auditor.attacks.unbundling.learning.pair_classifier import PairTree, export_tree
from auditor.progress import Progress

if TYPE_CHECKING:
    from auditor.attacks.unbundling.learning.pair_kernels import ForestTrees

_TREES = 12
_LEAF = 40
"""Pairs in a leaf at least, unless there are few pairs."""
_MOST = 60_000
"""Pairs that a forest is grown on at most; more don't help, and take longer."""
_STEP = 1 << 14


@dataclass(frozen=True, eq=False)
class RandomForest:
    """Trees end to end: `roots` says where each begins, `left` is −1 at leaves.

    `split` is where `column` goes right if it is more; `share` is the share of "same".
    """

    roots: Int64s
    left: Int32s
    right: Int32s
    column: Int32s
    split: Float64s
    share: Float64s

    def predict_probability(self, features: Float32s, progress: Progress) -> Float64s:
        """The chance that each row is "same"; shape (rows,); O(rows · trees · depth)."""
        from auditor.attacks.unbundling.learning import pair_kernels as kernels

        out = np.empty(len(features), dtype=np.float64)
        for first in range(0, len(features), _STEP):
            progress.check()
            part = slice(first, first + _STEP)
            kernels.vote_forest(features[part], self.packed, out[part])
        return out

    @functools.cached_property
    def packed(self) -> ForestTrees:
        """The trees as they are climbed down, level by level, siblings side by side.

        Features are float32, so that one is more than a split just when it is more than the
        greatest float32 that isn't above the split.
        """
        from auditor.attacks.unbundling.learning import pair_kernels as kernels

        order, roots, done = [], [], 0
        for root in self.roots.tolist():
            roots.append(done)
            here = np.array([root])
            while len(here):
                order.append(here)
                done += len(here)
                inner = here[self.left[here] >= 0]
                here = np.stack((self.left[inner], self.right[inner]), axis=1).ravel()
        node = np.concatenate(order).astype(np.int64)
        place = np.empty(len(node), dtype=np.int64)
        place[node] = np.arange(len(node))
        leaf = self.left[node] < 0
        split = self.split[node].astype(np.float32)
        above = split > self.split[node]
        split[above] = np.nextafter(split[above], np.float32(-np.inf))
        split[leaf] = np.inf
        return kernels.ForestTrees(
            np.array(roots, dtype=np.uint32),
            np.where(leaf, np.arange(len(node)), place[self.left[node]]).astype(np.uint32),
            np.where(leaf, 0, self.column[node]).astype(np.uint32),
            split,
            self.share[node],
        )


def grow_forest(
    features: Float32s, same: Bools, progress: Progress, *, seed: int = 0
) -> RandomForest:
    """Grow a forest on pairs, of which a sample is drawn if there are many.

    Leaves hold many pairs, and their shares are averaged, so that the result is a probability and
    not a vote. One tree at a time is grown: a cancel is heard between them.
    """
    from sklearn.tree import DecisionTreeClassifier

    rng = np.random.default_rng(seed)
    if len(same) > _MOST:
        some = np.sort(rng.choice(len(same), _MOST, replace=False))
        features, same = features[some], same[some]
    if not len(same):
        features, same = np.zeros((1, features.shape[1]), np.float32), np.zeros(1, np.bool_)
    trees: list[PairTree] = []
    progress.stage("growing a forest", _TREES)
    for number in range(_TREES):
        picked = rng.integers(0, len(same), len(same))
        grower = DecisionTreeClassifier(
            criterion="entropy",
            min_samples_leaf=min(_LEAF, max(5, len(same) // 100)),
            max_features=1 / 3,
            random_state=number,
        )
        trees.append(export_tree(grower.fit(features[picked], same[picked])))
        progress.update(number + 1)
    sizes = np.array([len(tree.left) for tree in trees])
    roots = np.concatenate(([0], np.cumsum(sizes)[:-1])).astype(np.int64)
    moved = list(zip(trees, roots, strict=True))
    return RandomForest(
        roots,
        np.concatenate(
            [np.where(tree.left < 0, -1, tree.left + root) for tree, root in moved],
            dtype=np.int32,
            casting="same_kind",
        ),
        np.concatenate(
            [np.where(tree.left < 0, -1, tree.right + root) for tree, root in moved],
            dtype=np.int32,
            casting="same_kind",
        ),
        np.concatenate([tree.column for tree in trees], dtype=np.int32),
        np.concatenate([tree.split for tree in trees]),
        np.concatenate([tree.share for tree in trees]),
    )
