"""Fibers, what links events into one, and how well recovered fibers agree with the true ones.

A fiber is the events of a bundle that go together. Nodes are a bundle's events, their queries
stemmed and without stop words. Edges of kind w join two that share a word, of kind g two that name
one place, of kind t two that share a topic; fibers are the connected components. A node for each
key of a bundle stands for all edges of the key; pairs of events are never listed.

A labelling gives each of a bundle's n events an int32 that two of them share if they are of one
fiber. Labels are in ``range(n)`` and never stand in two bundles: the place of a fiber's first event
is its label.

Source: Jones, Kumar, Pang and Tomkins, CIKM 2008, section 6; measures of section 6.1. With C(x) the
true fiber of event x, D(x) the recovered one and n the bundle's events, every measure is a mean
over the events x of one bundle:

- F: the harmonic mean of the means of |C(x)∩D(x)|/|C(x)| and |C(x)∩D(x)|/|D(x)|;
- Meila's H(C)+H(D)−2I(C,D): the mean of log₂(|C(x)|·|D(x)|/|C(x)∩D(x)|²), in bits;
- Rand's share of pairs that only one of both keeps together: the mean of
  (|C(x)|+|D(x)|−2|C(x)∩D(x)|)/(n−1).

So they are defined for some events of a bundle, too: those of heavy users, whose true fiber is
larger than the mean of its bundle. The clusters themselves stay whole, as the source's abstract
reads them: of the cluster around a heavy user's query, how much is theirs, strangers' queries
counted. Its section 6.1 can also be read as cutting strangers' queries out first (`within`), which
flatters clusters that are too large. A bundle counts if it is large and has a heavy user. Linear
in the events.
"""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from auditor.arrays import Bools, Float64s, Int32s, Int64s, Integers, expand_ranges
from auditor.attacks.bundle_view import BundledLog
from auditor.log.model import QueryLog, Vocabulary
from auditor.log.text import TokenizedQueries, canonical_tokens, tokenize_strings
from auditor.progress import Progress, run_cancellable

if TYPE_CHECKING:
    from scipy.sparse import csr_array


@dataclass(frozen=True, eq=False)
class FiberKeys:
    """What each distinct query of a log has that may link it with others.

    Query q has ``codes[starts[q]:starts[q + 1]]``: int32, below `size`.
    """

    codes: Int32s
    starts: Int64s
    size: int

    def __len__(self) -> int:
        return len(self.starts) - 1

    @functools.cached_property
    def lengths(self) -> Int64s:
        """Keys of each query; shape (queries,)."""
        return np.diff(self.starts)

    @functools.cached_property
    def matrix(self) -> csr_array[Any, Any]:
        """How often each query has each key; shape (queries, size)."""
        from scipy.sparse import csr_array

        unit_values = np.ones(len(self.codes), dtype=np.int32)
        shape = len(self), max(self.size, 1)
        matrix: csr_array[Any, Any] = csr_array(
            (unit_values, self.codes, self.starts), shape, copy=True
        )
        matrix.sum_duplicates()  # in place: not in the keys' own arrays
        return matrix

    @classmethod
    def from_single_codes(cls, codes: Integers, size: int) -> FiberKeys:
        """Keys of queries that have one at most; −1 stands for none; shape (queries,)."""
        has_code = codes >= 0
        starts = np.concatenate(([0], np.cumsum(has_code))).astype(np.int64)
        return cls(codes[has_code].astype(np.int32), starts, size)

    def recode_keys(self, new: Integers, size: int) -> FiberKeys:
        """Every key k becomes ``new[k]``, or goes where that is −1; shape of `new` (size,)."""
        codes = new[self.codes]
        has_code = codes >= 0
        offsets = np.concatenate(([0], np.cumsum(has_code)))
        return FiberKeys(
            codes[has_code].astype(np.int32), offsets[self.starts].astype(np.int64), size
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class FiberClues:
    """What the attacker has besides the bundles.

    `queries` are the strings of the query codes, `words` their stems without stop words, and `keys`
    what edges of each kind share: by "w", and by "g" and "t" where places and topics are looked at.

    `training` are the bundles whose users the attacker knows, ascending: nothing else of
    `BundledLog.user`, `BundledLog.fiber` and what is counted from them may be looked at, and no
    labelling is scored on these. `reference` is another log, its users known; `clicks` the attacked
    log, looked at for the pages that events led to, None where bundles have no clicks. `worked` is
    what ways that learn have worked out, by name, for each other and for tables.
    """

    queries: Vocabulary
    words: TokenizedQueries
    keys: Mapping[str, FiberKeys]
    training: Int64s = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    reference: QueryLog | None = None
    clicks: QueryLog | None = None
    worked: dict[str, Any] = field(default_factory=dict)


Find = Callable[[BundledLog, FiberClues, Progress], Int32s]
"""A way to recover fibers: gives a labelling, and looks at no truth but the training bundles'."""


@dataclass(frozen=True)
class FiberVariant:
    """One way to recover fibers, as tables and scripts name it."""

    name: str
    label: str
    find: Find
    edges: str = ""  # kinds of keys it needs among the clues
    trained: bool = False  # whether it learns from bundles whose users are known
    works_untrained: bool = False  # whether it has a way to do without them
    help: str = ""


def link_events(edges: str) -> Find:
    """Connected components under edges of the given kinds."""

    def find_fibers(bundled: BundledLog, clues: FiberClues, progress: Progress) -> Int32s:
        return join_fibers(bundled, [clues.keys[kind] for kind in edges], progress)

    return find_fibers


def words_of(queries: Vocabulary, progress: Progress) -> TokenizedQueries:
    """The stems of each distinct query, without stop words; O(bytes)."""
    return canonical_tokens(tokenize_strings(queries, progress), progress=progress)


def word_keys(words: TokenizedQueries) -> FiberKeys:
    """What w-edges share."""
    return FiberKeys(words.codes, words.offsets, len(words.vocabulary))


def expand_keys(keys: FiberKeys, holder: Integers) -> tuple[Int64s, Int64s]:
    """For each key of each holder: the holder's place, and the key."""
    counts = keys.lengths[holder]
    places = expand_ranges(keys.starts[holder], counts)
    return np.repeat(np.arange(len(holder)), counts), keys.codes[places].astype(np.int64)


def join_fibers(bundled: BundledLog, keys: Sequence[FiberKeys], progress: Progress) -> Int32s:
    """Labels of the fibers that edges of all of `keys` make; O(k log k) in the events' keys k."""
    progress.stage("joining queries")
    nodes, left, right = len(bundled), [], []
    for kind in keys:
        event, key = expand_keys(kind, bundled.query)
        # Each key of a bundle is a node, too, which is joined with all events that have it.
        _, _, number = group_pairs(bundled.bundle[event], key, progress)
        left.append(event)
        right.append(nodes + number)
        nodes += int(number.max(initial=-1)) + 1
    ends = np.concatenate(left), np.concatenate(right)
    component = run_cancellable(lambda: label_components(nodes, *ends), progress)
    labels = label_singletons(bundled)
    name_clusters(labels, np.arange(len(bundled)), component[: len(bundled)])
    return labels


def label_components(nodes: int, left: Integers, right: Integers) -> Int32s:
    """The connected component of each node; edges lie between ``left[i]`` and ``right[i]``."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    if not nodes:
        return np.zeros(0, dtype=np.int32)
    graph = coo_array((np.ones(len(left), np.int8), (left, right)), shape=(nodes, nodes))
    return connected_components(graph, directed=False)[1]


def name_clusters(labels: Int32s, event: Int64s, cluster: Integers) -> None:
    """Give some events, ascending, the labels of their clusters: the place of each one's first."""
    _, first, inverse = np.unique(cluster, return_index=True, return_inverse=True)
    labels[event] = event[first[inverse]]


def label_singletons(bundled: BundledLog) -> Int32s:
    """Every event a fiber of its own: the source's first baseline, BL1."""
    return np.arange(len(bundled), dtype=np.int32)


def label_whole_bundles(bundled: BundledLog) -> Int32s:
    """Every bundle one fiber: the source's second baseline, BL2."""
    return bundled.starts[bundled.bundle].astype(np.int32)


def group_pairs(
    left: Integers, right: Integers, progress: Progress
) -> tuple[Int64s, Int64s, Int64s]:
    """The distinct pairs of ``left[i]`` and ``right[i]``, ascending, and each i's number."""
    width = int(right.max(initial=0)) + 1
    keys = left.astype(np.int64) * width + right
    pairs, number = run_cancellable(lambda: np.unique(keys, return_inverse=True), progress)
    return pairs // width, pairs % width, number


def first_days(bundled: BundledLog, days: int | None) -> BundledLog:
    """Only the events of the first days, counted from the first event; O(n)."""
    if days is None or not len(bundled):
        return bundled
    return cut_to(bundled, bundled.time < int(bundled.time.min()) + days * 86_400)


def cut_to(bundled: BundledLog, keep: Bools) -> BundledLog:
    """Only some of the events; bundles keep their numbers; O(n)."""
    bundle, fiber = bundled.bundle[keep], bundled.fiber[keep]
    size = np.bincount(fiber, minlength=len(bundled.fiber_user))
    is_filled = size > 0
    counts = np.bincount(bundle, minlength=bundled.count)
    return dataclasses.replace(
        bundled,
        row=bundled.row[keep],
        bundle=bundle,
        user=bundled.user[keep],
        query=bundled.query[keep],
        time=bundled.time[keep],
        starts=np.concatenate(([0], np.cumsum(counts))).astype(np.int64),
        fiber=(np.cumsum(is_filled) - 1)[fiber],
        fiber_bundle=bundled.fiber_bundle[is_filled],
        fiber_user=bundled.fiber_user[is_filled],
        fiber_queries=size[is_filled].astype(np.int64),
    )


@dataclass(frozen=True, eq=False)
class FiberTruth:
    """Whose events count, and the true `fiber` that each event stands in."""

    bundles: Int64s  # those scored, ascending
    place: Int64s  # each bundle's among them, −1 for others
    heavy: Bools  # scored fibers: heavy users' in those bundles
    fiber: Int64s
    within: bool  # cuts events of others out of every cluster

    @functools.cached_property
    def counts(self) -> Bools:
        """Which events are scored; shape (n,)."""
        return self.heavy[self.fiber]


@dataclass(frozen=True, eq=False)
class FiberScores:
    """The measures of each scored bundle; all float64 of shape (k,).

    `recall` is the mean of |C∩D|/|C|, `precision` of |C∩D|/|D|; `events` are those scored.
    """

    f: Float64s
    meila: Float64s
    rand: Float64s
    recall: Float64s
    precision: Float64s
    events: Int64s

    def __len__(self) -> int:
        return len(self.f)

    def pooled_f(self) -> float:
        """F over all scored events at once, where large bundles weigh more."""
        total = float(self.events.sum())
        if not total:
            return 0.0
        recall = float(self.recall @ self.events) / total
        precision = float(self.precision @ self.events) / total
        return 2 * recall * precision / (recall + precision)


def truth_of(
    bundled: BundledLog, *, is_within: bool = False, training: Integers | None = None
) -> FiberTruth:
    """Which events are scored; `training` are bundles left out, such as those trained on."""
    heavy = (
        bundled.fiber_queries * bundled.users[bundled.fiber_bundle]
        > bundled.queries[bundled.fiber_bundle]
    )
    scored = np.zeros(bundled.count, dtype=np.bool_)
    scored[bundled.fiber_bundle[heavy]] = True
    scored &= bundled.large
    if training is not None:
        scored[training] = False
    bundles = np.flatnonzero(scored)
    place = np.full(bundled.count, -1, dtype=np.int64)
    place[bundles] = np.arange(len(bundles))
    heavy &= scored[bundled.fiber_bundle]
    return FiberTruth(bundles, place, heavy, bundled.fiber, is_within)


def score_labels(
    bundled: BundledLog, truth: FiberTruth, labels: Int32s, progress: Progress
) -> FiberScores:
    """The measures of a labelling (see `fibers`) in each scored bundle; O(n)."""
    fiber, bundle = truth.fiber, bundled.bundle
    if truth.within:
        counts = truth.counts
        fiber, bundle, labels = fiber[counts], bundle[counts], labels[counts]
    joint, true_size, label_size = count_agreement(fiber, labels, len(bundled), progress)
    other_events = np.maximum(np.bincount(bundle, minlength=bundled.count) - 1, 1)
    progress.stage("measuring fibers")
    event = np.flatnonzero(truth.heavy[fiber])
    both = joint[event].astype(np.float64)
    true, recovered = true_size[fiber[event]], label_size[labels[event]]
    row, size = truth.place[bundle[event]], len(truth.bundles)
    events = np.bincount(row, minlength=size)
    progress.check()

    def average(values: Float64s) -> Float64s:
        return np.bincount(row, values, minlength=size) / np.maximum(events, 1)

    recall, precision = average(both / true), average(both / recovered)
    return FiberScores(
        f=2 * recall * precision / (recall + precision),
        meila=average(np.log2(true.astype(np.float64) * recovered / (both * both))),
        rand=average((true + recovered - 2.0 * both) / other_events[bundle[event]]),
        recall=recall,
        precision=precision,
        events=events,
    )


def count_agreement(
    fiber: Integers, labels: Int32s, size: int, progress: Progress
) -> tuple[Int64s, Int64s, Int64s]:
    """Of each event |C∩D|, of each fiber |C|, of each label |D|; O(n log n)."""
    progress.stage("comparing fibers")
    _, _, number = group_pairs(labels, fiber, progress)
    fiber_sizes, label_sizes = (np.bincount(codes, minlength=size) for codes in (fiber, labels))
    return np.bincount(number)[number], fiber_sizes, label_sizes


def shuffle_fibers(
    bundled: BundledLog, truth: FiberTruth, rng: np.random.Generator, progress: Progress
) -> FiberTruth:
    """The true fibers dealt out anew within each bundle: of the same sizes, of anybody; O(n).

    What a labelling scores against them is what fibers of its sizes agree with by chance.
    """
    progress.stage("shuffling fibers")
    deck = rng.permutation(len(bundled))
    order = np.argsort(bundled.bundle[deck], kind="stable")
    return dataclasses.replace(truth, fiber=bundled.fiber[deck[order]])


def mean_interval(values: Float64s, low: float, high: float) -> tuple[float, float]:
    """The 95 % interval of a mean over bundles, by Student's t; (low, high) for fewer than two.

    Bundles are taken as independent of each other; their queries are not.
    """
    if len(values) < 2:
        return low, high
    from scipy.special import stdtrit

    half = stdtrit(len(values) - 1, 0.975) * values.std(ddof=1) / math.sqrt(len(values))
    mean = float(values.mean())
    return max(low, mean - float(half)), min(high, mean + float(half))
