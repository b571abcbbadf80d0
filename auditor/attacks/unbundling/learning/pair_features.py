"""What pairs of events, and pairs of clusters of events, look like to a learner.

Beyond the source's features: shared stems by rarity, trigrams, the time of day, how many events of
others lie between, places, clicked sites; and of clusters what the pairs of events between them
say together. All in O(candidate pairs).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from auditor.arrays import Float32s, Float64s, Int32s, Int64s, Integers, RaggedArray
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

PASSED_ON = np.array((*_GREATEST, *_LEAST))
"""The features of pairs of events that count for pairs of clusters."""

WIDTHS = len(PAIR_FEATURES), 11 + len(PASSED_ON)
"""Features of a pair of events, and of a pair of clusters."""

STEP = 1 << 13
_PAIRS = 1 << 15


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

    events = kernels.TimedQueries(bundled.query, bundled.time)
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
    one, two = one.astype(np.int64, copy=False), two.astype(np.int64, copy=False)
    pairs = kernels.EventPairs(one, two)
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
        Clusters, the smaller number first; each pair once; shape (k,).
    features
        float32; shape (k, features).
    share
        How much of what there is to compare these and those before them are.
    """

    one: Integers
    two: Integers
    features: Float32s
    share: float = 1.0


class ScoredPairs(NamedTuple):
    """Candidate pairs of events, and the log-odds that both are one user's.

    `passed_on` gives the features of `PASSED_ON` of the pairs of given numbers. A bundle may have
    tens of millions of pairs: what they look like is worked out where it is needed, not kept.
    """

    left: Int32s
    right: Int32s
    odds: Float64s
    passed_on: Callable[[Integers], Float32s]


def compare_clusters(
    cluster: Int64s, pairs: ScoredPairs, time: Int64s, cosines: PairCosines, queries: Int64s
) -> Iterator[PairFeatures]:
    """What the pairs of events between two clusters say together; O(pairs · log pairs).

    Pairs of clusters ascend, some `_PAIRS` at a time.

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
    from auditor.attacks.unbundling.learning import cluster_kernels as kernels

    left, right, odds, passed_on = pairs
    count = int(cluster.max(initial=-1)) + 1
    rows, key = _sort_by_clusters(cluster, left, right, count)
    begins = np.flatnonzero(np.concatenate(([True], key[1:] != key[:-1]))) if len(key) else key
    key = key[begins]
    begins = np.append(begins, len(rows))
    whole = np.zeros(count, dtype=np.int64)
    whole[cluster] = queries
    low, high = np.full(count, np.iinfo(np.int64).max), np.zeros(count, dtype=np.int64)
    np.minimum.at(low, cluster, time)
    np.maximum.at(high, cluster, time)
    facts = kernels.ClusterFacts(np.bincount(cluster, minlength=count), low, high, whole)
    said = np.empty(int(np.diff(begins).max(initial=0)))
    for first in range(0, len(key), _PAIRS):
        part = slice(first, first + _PAIRS)
        one, two = key[part] // count, key[part] % count
        here = begins[first : first + len(one) + 1]
        groups = kernels.PairGroups(one, two, rows[here[0] : here[-1]], here - here[0])
        out = np.empty((len(one), WIDTHS[1]), dtype=np.float32)
        for at in range(0, len(groups.rows), _PAIRS):
            features = passed_on(groups.rows[at : at + _PAIRS])
            kernels.fold_features(features, at, groups.begins, len(_GREATEST), out)
        kernels.compare_pairs(groups, odds, facts, cosines.words, (said, cosines.products), out)
        yield PairFeatures(one, two, out, int(here[-1]) / len(rows))


def _sort_by_clusters(
    cluster: Int64s, left: Int32s, right: Int32s, count: int
) -> tuple[Int32s, Int64s]:
    """The pairs between two clusters by both, and the number of both."""
    number = cluster.astype(np.int32)
    a, b = number[left], number[right]
    apart = np.flatnonzero(a != b).astype(np.int32)
    a, b = a[apart], b[apart]
    key = np.minimum(a, b).astype(np.int64)
    key *= count
    key += np.maximum(a, b)
    del a, b
    order = np.argsort(key, kind="stable")
    key = key[order]
    return apart[order], key


class PairCosines:
    """The weighted words of clusters, for their cosines; O(words) to make.

    Attributes
    ----------
    words
        The words of each cluster, as `compare_clusters` wants them.
    products
        Room for one pair's products.
    """

    def __init__(self, cluster: Int64s, holder: Int64s, stem: Int64s, weights: Float32s) -> None:
        from scipy.sparse import csr_array

        from auditor.attacks.unbundling.learning import cluster_kernels as kernels

        shape = int(cluster.max(initial=-1)) + 1, max(len(weights), 1)
        words = csr_array((np.ones(len(stem)), (cluster[holder], stem)), shape=shape)
        words.sum_duplicates()
        words.data = (1 + np.log(words.data)) * weights[words.indices]
        lengths = np.sqrt(np.asarray(words.multiply(words).sum(axis=1)).ravel())
        self.words = kernels.ClusterWords(
            RaggedArray(words.indptr.astype(np.int64), words.indices.astype(np.int32)),
            words.data,
            lengths,
        )
        self.products = np.empty(int(np.diff(words.indptr).max(initial=0)))

    def compute_cosines(self, a: Int64s, b: Int64s) -> Float64s:
        """The cosine of the words of each cluster of `a` with that of `b`."""
        from auditor.attacks.unbundling.learning import cluster_kernels as kernels

        found = np.empty(len(a), dtype=np.float64)
        kernels.write_cosines(a, b, self.words, self.products, found)
        return found
