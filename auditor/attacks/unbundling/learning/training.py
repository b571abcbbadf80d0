"""What an attacker who learns has: bundles whose users they know, and what they make of them.

The source's classifier learns from some of the attacked bundles, as the source had it. The learned
weights learn from bundles of the reference log, made as the attacked ones were; only without a
reference, or with too small a one, from the known bundles, too. No other truth is looked at.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from auditor.arrays import Int32s
from auditor.attacks.bundle_view import BundledLog, arrange_events
from auditor.attacks.unbundling.candidate_pairs import QueryRewrites, rewrites_of
from auditor.attacks.unbundling.fibers import FiberClues, join_fibers, word_keys
from auditor.attacks.unbundling.learning import learned_fibers, pair_classifier
from auditor.attacks.unbundling.learning.learned_fibers import EVENTS, PARTS, FiberModel
from auditor.attacks.unbundling.learning.pair_classifier import PairQuality
from auditor.attacks.unbundling.query_texts import QueryTexts, texts_of
from auditor.log import bundles
from auditor.log.bundles import BundlePartition
from auditor.log.model import QueryLog
from auditor.progress import Progress

QUALITY, MODEL = "classifier", "learned"
"""Keys of `FiberClues.worked`: the classifier's `PairQuality`, and the learned `FiberModel`."""

_TEXTS, _TRIED = "texts", "tried"
_LEAST = 2 * len(PARTS)
"""Bundles that can be learned from; fewer don't show what is common to them."""
_SEED = 0xF1BE


def classify_fibers(bundled: BundledLog, clues: FiberClues, progress: Progress) -> Int32s:
    """The source's classifier, trained on the known bundles; see `fiber_pairs`.

    What it is worth, on pairs of the other large bundles, is left in ``clues.worked[QUALITY]``.
    """
    texts = _prepare_texts(bundled, clues, progress)
    followed = find_rewrites(clues, progress)
    tree = pair_classifier.train_pair_tree(bundled, texts, followed, clues.training, progress)
    which = bundled.large
    which[clues.training] = False
    judged = pair_classifier.label_pairs(bundled, texts, followed, tree, progress, which=which)
    quality: PairQuality = judged.quality
    clues.worked[QUALITY] = quality
    return judged.labels


def learn_fibers(bundled: BundledLog, clues: FiberClues, progress: Progress) -> Int32s:
    """Learned weights, clustered; see `fiber_learned`. The model is ``clues.worked[MODEL]``.

    Where there is too little to learn from, queries that share a word are joined.
    """
    clues.worked[_TRIED] = True
    texts = _prepare_texts(bundled, clues, progress)
    followed = find_rewrites(clues, progress)
    own = own_bundles(bundled, clues, progress)
    model: FiberModel
    if own is None and len(clues.training) < len(PARTS):
        return join_fibers(bundled, [word_keys(clues.words)], progress)
    if own is None:
        model = learned_fibers.train_fiber_model(bundled, texts, followed, clues.training, progress)
    else:
        known = own.bundled
        model = learned_fibers.train_fiber_model(
            known, own.texts, own.rewrites, np.arange(known.count, dtype=np.int64), progress
        )
    clues.worked[MODEL] = model
    return learned_fibers.label_fibers(bundled, texts, followed, model, progress)


def nothing_learned(clues: FiberClues) -> bool:
    """Whether learned weights were asked for and there was nothing to learn them from."""
    return _TRIED in clues.worked and MODEL not in clues.worked


@dataclass(frozen=True, eq=False)
class TrainingBundles:
    """Bundles that the attacker made of a reference log, and what others of it say of rewrites."""

    bundled: BundledLog
    texts: QueryTexts
    rewrites: QueryRewrites


def own_bundles(
    bundled: BundledLog, clues: FiberClues, progress: Progress
) -> TrainingBundles | None:
    """Bundles of a reference log like the attacked ones, or None if there aren't enough.

    They are made by address where both logs have some, else of users by chance, of about as many
    events; the reference is taken to be no longer than the attacked period. O(reference).
    """
    if clues.reference is None or not len(clues.reference) or not len(bundled):
        return None
    log = _as_long(clues.reference, int(bundled.time.max() - bundled.time.min()))
    rng = np.random.default_rng(_SEED)
    parts = _partition_bundles(log, bundled, rng, progress)
    rows = np.bincount(parts.bundle, minlength=parts.count)
    mixed = rng.permutation(np.flatnonzero(rows >= max(bundled.min_queries, 2)))
    # Three quarters at most, so that there are others to count rewrites of.
    mixed = mixed[: 3 * len(mixed) // 4]
    mixed = mixed[np.cumsum(rows[mixed]) <= max(EVENTS, int(rows[mixed[:_LEAST]].sum()))]
    if len(mixed) < _LEAST:
        return None
    new = np.full(parts.count, -1, dtype=np.int32)
    new[mixed] = np.arange(len(mixed), dtype=np.int32)
    keep = new[parts.bundle] >= 0
    users = np.zeros(len(log.users), dtype=np.bool_)
    users[log.user[keep]] = True
    some = log.rows(keep)
    made = arrange_events(
        some, BundlePartition(new[parts.bundle[keep]], len(mixed)), bundled.min_queries, bundled.by,
        bundled.bits, progress,
    )  # fmt: skip
    return TrainingBundles(
        made,
        texts_of(some.queries, made, progress, clicks=some if clues.clicks is not None else None),
        rewrites_of(log, progress, without=users).translate_codes(some.queries),
    )


def _as_long(log: QueryLog, seconds: int) -> QueryLog:
    """The last part of a log, of about as many seconds; all of it unless it is much longer."""
    first, last = int(log.time.min()), int(log.time.max())
    if last - first <= 1.5 * seconds + 1:
        return log
    return log.rows(log.time >= last - seconds)


def _partition_bundles(
    log: QueryLog, bundled: BundledLog, rng: np.random.Generator, progress: Progress
) -> BundlePartition:
    if bundled.by == "ip-mask" and bundled.bits is not None and bundles.has_addresses(log):
        return bundles.by_address(log, bundled.bits, progress)
    events = len(bundled) / max(int(np.count_nonzero(bundled.queries)), 1)
    each = int(np.count_nonzero(log.event_starts)) / max(len(log.users), 1)
    groups = max(1, round(len(log.users) / max(2.0, events / max(each, 1.0))))
    return bundles.by_user(log, rng.permutation(len(log.users)) % groups, progress)


def _prepare_texts(bundled: BundledLog, clues: FiberClues, progress: Progress) -> QueryTexts:
    """The attacked queries, worked out once for both ways."""
    known: QueryTexts | None = clues.worked.get(_TEXTS)
    if known is None:
        known = texts_of(clues.queries, bundled, progress, stemmed=clues.words, clicks=clues.clicks)
        clues.worked[_TEXTS] = known
    return known


def find_rewrites(clues: FiberClues, progress: Progress) -> QueryRewrites:
    """Of the reference log, in the attacked log's codes; none without a reference."""
    if clues.reference is not None:
        return rewrites_of(clues.reference, progress).translate_codes(clues.queries)
    none: Int32s = np.zeros(0, dtype=np.int32)
    return QueryRewrites(none, none, np.zeros(0, dtype=np.float32), clues.queries)
