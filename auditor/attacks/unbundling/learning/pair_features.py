"""What pairs of events, and pairs of clusters of events, look like to a learner.

Beyond the source's features: shared stems by rarity, trigrams, the time of day, how many events of
others lie between, places, clicked sites; and of clusters what the pairs of events between them
say together. All in O(candidate pairs).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from auditor.arrays import Array, Float32s, Float64s, Int64s, RaggedArray
from auditor.attacks.bundle_view import BundledLog
from auditor.attacks.unbundling.candidate_pairs import QueryRewrites
from auditor.attacks.unbundling.query_texts import QueryTexts
from auditor.progress import Progress

PAIR_FEATURES = (
    "lag", "words of the earlier", "words of the later", "common words", "common initial words",
    "edit distance", "one within the other", "rewrite probability", "equal",
    "weight of shared stems", "rarest shared stem", "cosine of stems", "trigrams: Jaccard",
    "trigrams: containment", "hours apart", "events between", "size of the bundle",
    "lag in mean pauses", "shared places", "rarest shared site", "events with clicks",
)  # fmt: skip

_GREATEST = (7, 8, 10, 11, 13, 18, 19)
_LEAST = (0, 14, 15, 17)

WIDTHS = len(PAIR_FEATURES), 11 + len(_GREATEST) + len(_LEAST)
"""Features of a pair of events, and of a pair of clusters."""

STEP = 1 << 13


def log_odds(probability: Float64s) -> Float64s:
    """Log-odds, within ±9."""
    p = np.clip(probability, 1e-4, 1 - 1e-4)
    return np.asarray(np.log(p / (1 - p)), dtype=np.float64)


def pair_features(
    bundled: BundledLog,
    texts: QueryTexts,
    rewrites: QueryRewrites,
    one: Int64s,
    two: Int64s,
    progress: Progress,
) -> Float32s:
    """Features of pairs of events; float32 of shape (pairs, 21)."""
    from auditor.attacks.unbundling.learning import pair_kernels as kernels

    pairs, events = kernels.EventPairs(one, two), kernels.TimedQueries(bundled.query, bundled.time)
    bundles = kernels.BundleBounds(bundled.bundle, bundled.starts)
    source = kernels.SourceTexts(
        RaggedArray(texts.words.starts, texts.words.codes),
        RaggedArray(texts.characters.starts, texts.characters.codes),
        np.zeros(texts.characters.size + 1, dtype=np.uint64),
    )
    shares = kernels.RewriteShares(rewrites.left, rewrites.right, rewrites.share)
    further = kernels.FurtherTexts(
        RaggedArray(texts.stems.starts, texts.stems.codes),
        texts.weights,
        RaggedArray(texts.trigrams.starts, texts.trigrams.codes),
        RaggedArray(texts.places.starts, texts.places.codes),
        RaggedArray(texts.sites.starts, texts.sites.codes),
        texts.site_weights,
    )
    out = np.empty((len(one), len(PAIR_FEATURES)), dtype=np.float32)
    for first in range(0, len(one), STEP):
        progress.check()
        last = min(first + STEP, len(one))
        kernels.source_features(pairs, first, last, events, source, shares, out[first:last])
        kernels.further_features(pairs, first, last, events, bundles, further, out[first:last])
    return out


@dataclass(frozen=True, eq=False)
class PairFeatures:
    """Pairs of clusters that candidate pairs of events lie between; k pairs.

    Attributes
    ----------
    one, two
        int64 clusters, the smaller number first; each pair once; shape (k,).
    features
        float32; shape (k, features).
    """

    one: Int64s
    two: Int64s
    features: Float32s


class ScoredPairs(NamedTuple):
    """Candidate pairs of events, their features, and the log-odds that both are one user's."""

    left: Int64s
    right: Int64s
    features: Float32s
    odds: Float64s


def compare_clusters(
    cluster: Int64s,
    pairs: ScoredPairs,
    time: Int64s,
    cosines: PairCosines,
    queries: Int64s,
) -> PairFeatures:
    """What the pairs of events between two clusters say together; O(pairs · log pairs).

    Parameters
    ----------
    cluster
        Of each event, in ``range(clusters)``.
    pairs
        Candidate pairs of events.
    time
        Of each event.
    cosines
        Gives the cosine of the clusters' words.
    queries
        Events of each event's bundle.
    """
    left, right, features, odds = pairs
    a, b = cluster[left], cluster[right]
    apart = np.flatnonzero(a != b)
    a, b = np.minimum(a[apart], b[apart]), np.maximum(a[apart], b[apart])
    count = int(cluster.max(initial=-1)) + 1
    key = a * count + b
    order = np.argsort(key, kind="stable")
    key = key[order]
    begins = np.flatnonzero(np.concatenate(([True], key[1:] != key[:-1]))) if len(key) else key
    a, b = key[begins] // max(count, 1), key[begins] % max(count, 1)
    rows = apart[order]
    said = odds[rows]
    many = np.diff(np.append(begins, len(key)))
    size = np.bincount(cluster, minlength=count)
    whole = np.zeros(count, dtype=np.int64)
    whole[cluster] = queries
    low, high = np.full(count, np.iinfo(np.int64).max), np.zeros(count, dtype=np.int64)
    np.minimum.at(low, cluster, time)
    np.maximum.at(high, cluster, time)
    small, large = np.minimum(size[a], size[b]), np.maximum(size[a], size[b])
    columns: list[Array] = [
        small, large, whole[a], large / np.maximum(whole[a], 1), many,
    ]  # fmt: skip
    if not len(begins):
        return PairFeatures(a, b, np.zeros((0, WIDTHS[1]), np.float32))
    total = np.add.reduceat(said, begins)
    columns += [
        np.maximum.reduceat(said, begins), np.minimum.reduceat(said, begins), total / many, total,
        cosines.compute_cosines(a, b), np.minimum(high[a], high[b]) - np.maximum(low[a], low[b]),
    ]  # fmt: skip
    columns += [np.maximum.reduceat(features[rows, at], begins) for at in _GREATEST]
    columns += [np.minimum.reduceat(features[rows, at], begins) for at in _LEAST]
    return PairFeatures(a, b, np.stack(columns, axis=1).astype(np.float32))


class PairCosines:
    """The weighted words of clusters, for their cosines; O(words) to make."""

    def __init__(self, cluster: Int64s, holder: Int64s, stem: Int64s, weights: Float32s) -> None:
        from scipy.sparse import csr_array

        shape = int(cluster.max(initial=-1)) + 1, max(len(weights), 1)
        words = csr_array((np.ones(len(stem)), (cluster[holder], stem)), shape=shape)
        words.sum_duplicates()
        words.data = (1 + np.log(words.data)) * weights[words.indices]
        self._words = words
        self._lengths = np.sqrt(np.asarray(words.multiply(words).sum(axis=1)).ravel())

    def compute_cosines(self, a: Int64s, b: Int64s) -> Float64s:
        """The cosine of the words of each cluster of `a` with that of `b`."""
        found = np.empty(len(a), dtype=np.float64)
        for first in range(0, len(a), 1 << 16):
            part = slice(first, first + (1 << 16))
            product = self._words[a[part]].multiply(self._words[b[part]])
            found[part] = np.asarray(product.sum(axis=1)).ravel()
        lengths = np.maximum(self._lengths[a] * self._lengths[b], 1e-9)
        return np.asarray(found / lengths, dtype=np.float64)
