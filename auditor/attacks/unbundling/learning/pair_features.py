"""What pairs of events, and pairs of clusters of events, look like to a learner.

Beyond the source's features: shared stems by rarity, trigrams, the time of day, how many events of
others lie between, places, clicked sites; and of clusters what the pairs of events between them
say together. All in O(candidate pairs).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from auditor.arrays import Float32s, Float64s, Int32s, Int64s, Integers, RaggedArray
from auditor.attacks.unbundling.candidate_pairs import SeenBundles
from auditor.log.model import Vocabulary
from auditor.progress import Progress

if TYPE_CHECKING:
    from auditor.attacks.unbundling.learning.kernels import ClusterWords, EventTexts

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

_GREATEST = (7, 8, 10, 11, 13, 18, 19)
_LEAST = (0, 14, 15, 17)

PASSED_ON = np.array((*_GREATEST, *_LEAST))
"""The features of pairs of events that count for pairs of clusters."""

WIDTHS = len(PAIR_FEATURES), 11 + len(PASSED_ON)
"""Features of a pair of events, and of a pair of clusters."""

STEP = 1 << 13
"""Pairs compared between two looks at the cancel flag."""


def log_odds(probability: Float64s) -> Float64s:
    """Log-odds, within ±9."""
    p = np.clip(probability, 1e-4, 1 - 1e-4)
    return np.asarray(np.log(p / (1 - p)), dtype=np.float64)


def list_event_texts(view: SeenBundles) -> EventTexts:
    """Events and their texts as the kernels compare them."""
    from auditor.attacks.unbundling.learning import kernels

    bundled, texts, rewrites = view
    return kernels.EventTexts(
        query=bundled.query,
        time=bundled.time,
        bundle=bundled.bundle,
        starts=bundled.starts,
        words=texts.words.rows,
        rewrite_left=rewrites.left,
        rewrite_right=rewrites.right,
        rewrite_share=rewrites.share,
        stems=texts.stems.rows,
        stem_weights=texts.weights,
        trigrams=texts.trigrams.rows,
        places=texts.places.rows,
        sites=texts.sites.rows,
        site_weights=texts.site_weights,
    )


def iterate_features(
    view: SeenBundles, i: Integers, j: Integers, progress: Progress, *, further: bool = False
) -> Iterator[Float32s]:
    """The source's features of pairs of events, places in the bundled log, `STEP` pairs at a time.

    float32 of shape (pairs, 8), or (pairs, 21) with `further` ones.
    """
    from auditor.attacks.unbundling.learning import kernels

    texts = list_event_texts(view)
    for first in range(0, len(i), STEP):
        progress.check()
        part = slice(first, first + STEP)
        left, right = i[part].astype(np.int64), j[part].astype(np.int64)
        width = len(PAIR_FEATURES if further else SOURCE_FEATURES)
        out = np.empty((len(left), width), dtype=np.float32)
        kernels.write_source_features(left, right, texts, out)
        compare_strings(view.rewrites.queries, texts.query[left], texts.query[right], out)
        if further:
            kernels.write_further_features(left, right, texts, out)
        yield out


def compare_strings(queries: Vocabulary, left: Int32s, right: Int32s, out: Float32s) -> None:
    """Write how far apart the strings of pairs of queries are, and whether one holds the other.

    Column 5 is Levenshtein's distance over the longer length; small and capital letters are alike.
    """
    from rapidfuzz.distance import Levenshtein
    from rapidfuzz.process import cpdist

    codes, place = np.unique(np.stack((left, right)), return_inverse=True)
    strings = [text.lower() for text in queries.list_strings(codes)]
    first, second = ([strings[i] for i in row] for row in place.reshape(2, -1).tolist())
    scorer = Levenshtein.normalized_distance
    out[:, 5] = cpdist(first, second, scorer=scorer, dtype=np.float32)
    holds = [bool(a and b) and (a in b or b in a) for a, b in zip(first, second, strict=True)]
    out[:, 6] = holds | (left == right)


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


def fold_features(features: Float32s, begins: Int64s) -> tuple[Float32s, Float32s]:
    """The greatest, and the least, of what the event pairs of each group pass on.

    The rows of group g begin at ``begins[g]``.
    """
    greatest, least = np.split(features, [len(_GREATEST)], axis=1)
    return np.maximum.reduceat(greatest, begins), np.minimum.reduceat(least, begins)


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
