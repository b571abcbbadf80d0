"""How well recovered fibers agree with the true ones: F, Meila's measure, Rand's.

Source: Jones, Kumar, Pang and Tomkins, CIKM 2008, section 6.1. With C(x) the true fiber of event
x, D(x) the recovered one and n the bundle's events, every measure is a mean over the events x of
one bundle:

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

import dataclasses
import functools
import math
from dataclasses import dataclass

import numpy as np

from auditor.arrays import Bools, Float64s, Int32s, Int64s, Integers
from auditor.attacks.bundle_view import BundledLog
from auditor.attacks.unbundling.fibers import group_pairs
from auditor.progress import Progress


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
