"""Every way to recover fibers on the same bundles, under several masks, in the first days."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from auditor.arrays import Bools, Int32s, Int64s
from auditor.attacks import bundle_view
from auditor.attacks.bundle_view import BundledLog
from auditor.attacks.unbundling.fibers import FiberClues, FiberVariant
from auditor.attacks.unbundling.params import UnbundlingParams
from auditor.attacks.unbundling.report import UnbundlingResult
from auditor.attacks.unbundling.scores import score_labels, shuffle_fibers, truth_of
from auditor.errors import MissingInput
from auditor.log import bundles
from auditor.log.model import QueryLog
from auditor.messages import phrase
from auditor.progress import Progress

MASKS = (8, 12, 16)
"""The source's masks (Table 7)."""
_DAY = 86_400
_LABELS = {"ip-mask": "address", "cookie-hash": "cookie", "random-users": "random users"}


def run_trials(
    bundled: BundledLog,
    ways: Sequence[FiberVariant],
    clues: FiberClues,
    params: UnbundlingParams,
    rng: np.random.Generator,
    progress: Progress,
    *,
    must: bool = True,
) -> tuple[UnbundlingResult, Int32s | None, FiberClues]:
    """Every variant scored on the same bundles; the chosen one's labels; the clues it had.

    Where there is too little to learn from, what learns is left out, unless it `must` be there.
    """
    training: Int64s = np.zeros(0, dtype=np.int64)
    if any(way.trained for way in ways):
        large = np.flatnonzero(bundled.large)
        training = np.sort(rng.choice(large, min(params.training, len(large) // 5), replace=False))
    clues = dataclasses.replace(clues, training=training, worked={})
    truth = truth_of(bundled, within=params.cut == "within", apart=training)
    # A stream of its own, so that what is drawn further on stays the same.
    strangers = shuffle_fibers(bundled, truth, rng.spawn(1)[0], progress)
    scores, chance, chosen = {}, {}, None
    for way in ways:
        if way.trained and not way.alone and not len(training):
            if must and way.name == params.variant:
                raise MissingInput(
                    "unbundling: there are too few bundles to learn from: five large ones at least."
                )
            continue
        labels = way.find(bundled, clues, progress)
        scores[way.name] = score_labels(bundled, truth, labels, progress)
        chance[way.name] = score_labels(bundled, strangers, labels, progress).f
        if way.name == params.variant:
            chosen = labels
    result = UnbundlingResult(
        label=phrase("address, {bits} bits", bits=bundled.bits)
        if bundled.bits
        else _LABELS[bundled.by],
        bits=bundled.bits,
        users=bundled.users[truth.bundles],
        events=bundled.queries[truth.bundles],
        heavy=int(truth.heavy.sum()),
        trained=len(training),
        scores=scores,
        chance=chance,
    )
    return result, chosen, clues


def mask_bundles(
    log: QueryLog,
    main: BundledLog,
    ways: Sequence[FiberVariant],
    clues: FiberClues,
    params: UnbundlingParams,
    rng: np.random.Generator,
    progress: Progress,
) -> list[UnbundlingResult]:
    """The source's masks besides the one that is attacked, one at a time.

    Ways that learn are left out, or all of them but the chosen one, which learns for each anew.
    """
    if params.table not in ("masks", "masks-learned") or not bundles.has_addresses(log):
        return []
    chosen = params.variant if params.table == "masks-learned" else ""
    ways = [way for way in ways if not way.trained or way.name == chosen]
    results = []
    for bits in MASKS:
        if bits != main.bits:
            parts = bundles.by_address(log, bits, progress)
            bundled = bundle_view.arrange_events(
                log, parts, params.min_queries, "ip-mask", bits, progress
            )
            cut = first_days(bundled, params.days)
            results.append(run_trials(cut, ways, clues, params, rng, progress, must=False)[0])
    return results


def first_days(bundled: BundledLog, days: int | None) -> BundledLog:
    """Only the events of the first days, counted from the first event; O(n)."""
    if days is None or not len(bundled):
        return bundled
    return cut_to(bundled, bundled.time < int(bundled.time.min()) + days * _DAY)


def cut_to(bundled: BundledLog, keep: Bools) -> BundledLog:
    """Only some of the events; bundles keep their numbers; O(n)."""
    bundle, fiber = bundled.bundle[keep], bundled.fiber[keep]
    size = np.bincount(fiber, minlength=len(bundled.fiber_user))
    there = size > 0
    counts = np.bincount(bundle, minlength=bundled.count)
    return dataclasses.replace(
        bundled,
        row=bundled.row[keep],
        bundle=bundle,
        user=bundled.user[keep],
        query=bundled.query[keep],
        time=bundled.time[keep],
        starts=np.concatenate(([0], np.cumsum(counts))).astype(np.int64),
        fiber=(np.cumsum(there) - 1)[fiber],
        fiber_bundle=bundled.fiber_bundle[there],
        fiber_user=bundled.fiber_user[there],
        fiber_queries=size[there].astype(np.int64),
    )
