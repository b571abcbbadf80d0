"""What an attacker who learns has: bundles whose users they know, and what they make of them.

The source's classifier learns from some of the attacked bundles, as the source had it. The learned
weights learn from bundles of the reference log, made as the attacked ones were; only without a
reference, or with too small a one, from the known bundles, too. No other truth is looked at.
"""

import numpy as np

from auditor.arrays import Int32s
from auditor.attacks.bundle_view import BundledLog, arrange_events
from auditor.attacks.unbundling.candidate_pairs import QueryRewrites, SeenBundles, rewrites_of
from auditor.attacks.unbundling.fibers import FiberClues, join_fibers, word_keys
from auditor.attacks.unbundling.learning import learned_fibers, pair_classifier
from auditor.attacks.unbundling.learning.learned_fibers import EVENTS, PARTS
from auditor.attacks.unbundling.query_texts import texts_of
from auditor.log import bundles
from auditor.log.bundles import BundlePartition
from auditor.progress import Progress

QUALITY, MODEL = "classifier", "learned"
"""Keys of `FiberClues.worked`: the classifier's `PairQuality`, and the learned `FiberModel`, None
where there was nothing to learn from."""

_VIEW = "seen"
_LEAST = 2 * len(PARTS)
"""Bundles that can be learned from; fewer don't show what is common to them."""
_SEED = 0xF1BE


def classify_fibers(bundled: BundledLog, clues: FiberClues, progress: Progress) -> Int32s:
    """The source's classifier, trained on the known bundles; see `pair_classifier`.

    What it is worth, on pairs of the other large bundles, is left in ``clues.worked[QUALITY]``.
    """
    view = see_bundles(bundled, clues, progress)
    tree = pair_classifier.train_pair_tree(view, clues.training, progress)
    is_tested = bundled.large
    is_tested[clues.training] = False
    labels, quality = pair_classifier.label_pairs(view, tree, progress, is_selected=is_tested)
    clues.worked[QUALITY] = quality
    return labels


def learn_fibers(bundled: BundledLog, clues: FiberClues, progress: Progress) -> Int32s:
    """Learned weights, clustered; see `learned_fibers`. The model is ``clues.worked[MODEL]``.

    Where there is too little to learn from, queries that share a word are joined.
    """
    clues.worked[MODEL] = None
    view = see_bundles(bundled, clues, progress)
    reference = bundle_reference(bundled, clues, progress)
    if reference is not None:
        source, learned_from = reference, np.arange(reference.bundled.count)
    elif len(clues.training) >= len(PARTS):
        source, learned_from = view, clues.training
    else:
        return join_fibers(bundled, [word_keys(clues.words)], progress)
    model = learned_fibers.train_fiber_model(source, learned_from, progress)
    clues.worked[MODEL] = model
    return learned_fibers.label_fibers(view, model, progress)


def nothing_learned(clues: FiberClues) -> bool:
    """Whether learned weights were asked for and there was nothing to learn them from."""
    return MODEL in clues.worked and clues.worked[MODEL] is None


def bundle_reference(
    bundled: BundledLog, clues: FiberClues, progress: Progress
) -> SeenBundles | None:
    """Bundles of a reference log like the attacked ones, or None if there aren't enough.

    Their rewrites are counted of the reference's other users.

    They are made by address where both logs have some, else of users by chance, of about as many
    events; the reference is taken to be no longer than the attacked period. O(reference).
    """
    if clues.reference is None or not len(clues.reference) or not len(bundled):
        return None
    log, rng = clues.reference, np.random.default_rng(_SEED)
    seconds, last = int(bundled.time.max() - bundled.time.min()), int(log.time.max())
    if last - int(log.time.min()) > 1.5 * seconds + 1:
        log = log.rows(log.time >= last - seconds)
    if bundled.by == "ip-mask" and bundled.bits is not None and bundles.has_addresses(log):
        parts = bundles.by_address(log, bundled.bits, progress)
    else:
        events = len(bundled) / max(int(np.count_nonzero(bundled.queries)), 1)
        per_user = int(np.count_nonzero(log.event_starts)) / max(len(log.users), 1)
        groups = max(1, round(len(log.users) / max(2.0, events / max(per_user, 1.0))))
        parts = bundles.by_user(log, rng.permutation(len(log.users)) % groups, progress)
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
    kept_log = log.rows(keep)
    sample = arrange_events(
        kept_log, BundlePartition(new[parts.bundle[keep]], len(mixed)),
        bundled.min_queries, bundled.by, bundled.bits, progress,
    )  # fmt: skip
    return SeenBundles(
        sample,
        texts_of(
            kept_log.queries,
            sample,
            progress,
            clicks=kept_log if clues.clicks is not None else None,
        ),
        rewrites_of(log, progress, excluded=users).translate_codes(kept_log.queries),
    )


def see_bundles(bundled: BundledLog, clues: FiberClues, progress: Progress) -> SeenBundles:
    """The attacked bundles as pairs of their events are compared, worked out once for both ways."""
    if _VIEW not in clues.worked:
        texts = texts_of(clues.queries, bundled, progress, stemmed=clues.words, clicks=clues.clicks)
        if clues.reference is None:
            none: Int32s = np.zeros(0, dtype=np.int32)
            rewrites = QueryRewrites(none, none, np.zeros(0, dtype=np.float32), clues.queries)
        else:
            rewrites = rewrites_of(clues.reference, progress).translate_codes(clues.queries)
        clues.worked[_VIEW] = SeenBundles(bundled, texts, rewrites)
    view: SeenBundles = clues.worked[_VIEW]
    return view
