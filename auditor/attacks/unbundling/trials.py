"""Every way to recover fibers on the same bundles: Tables 7, 8 and 9 of the source.

Table 7 has several masks, Tables 8 and 9 what topics add to shared words, by days.
"""

import dataclasses
from collections.abc import Sequence

import numpy as np

from auditor.arrays import Int32s, Int64s, mean_of
from auditor.attacks import bundle_view
from auditor.attacks.bundle_view import BundledLog
from auditor.attacks.unbundling.fibers import (
    FiberClues,
    FiberVariant,
    first_days,
    join_fibers,
    label_singletons,
    label_whole_bundles,
)
from auditor.attacks.unbundling.params import UnbundlingParams
from auditor.attacks.unbundling.report import TopicScore, UnbundlingResult
from auditor.attacks.unbundling.scores import score_labels, shuffle_fibers, truth_of
from auditor.attacks.unbundling.topics.topics import (
    RelatedTokens,
    clique_topics,
    connected_topics,
    topic_keys,
)
from auditor.errors import MissingInput
from auditor.log import bundles
from auditor.log.model import QueryLog
from auditor.messages import phrase
from auditor.progress import Progress


def run_trials(
    bundled: BundledLog,
    variants: Sequence[FiberVariant],
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
    if any(variant.trained for variant in variants):
        large = np.flatnonzero(bundled.large)
        training = np.sort(rng.choice(large, min(params.training, len(large) // 5), replace=False))
    clues = dataclasses.replace(clues, training=training, worked={})
    truth = truth_of(bundled, is_within=params.cut == "within", training=training)
    # A stream of its own, so that what is drawn further on stays the same.
    strangers = shuffle_fibers(bundled, truth, rng.spawn(1)[0], progress)
    scores, chance, best_labels = {}, {}, None
    for variant in variants:
        if variant.trained and not variant.works_untrained and not len(training):
            if must and variant.name == params.variant:
                raise MissingInput(
                    "unbundling: there are too few bundles to learn from: five large ones at least."
                )
            continue
        labels = variant.find(bundled, clues, progress)
        scores[variant.name] = score_labels(bundled, truth, labels, progress)
        chance[variant.name] = score_labels(bundled, strangers, labels, progress).f
        if variant.name == params.variant:
            best_labels = labels
    result = UnbundlingResult(
        label=bundled.label,
        bits=bundled.bits,
        users=bundled.users[truth.bundles],
        heavy=int(truth.heavy.sum()),
        trained=len(training),
        scores=scores,
        chance=chance,
    )
    return result, best_labels, clues


def mask_bundles(
    log: QueryLog,
    main: BundledLog,
    variants: Sequence[FiberVariant],
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
    learned_variant = params.variant if params.table == "masks-learned" else ""
    variants = [
        variant for variant in variants if not variant.trained or variant.name == learned_variant
    ]
    results = []
    for bits in bundle_view.MASKS:
        if bits != main.bits:
            parts = bundles.by_address(log, bits, progress)
            bundled = bundle_view.arrange_events(
                log, parts, params.min_queries, "ip-mask", bits, progress
            )
            cut = first_days(bundled, params.days)
            results.append(run_trials(cut, variants, clues, params, rng, progress, must=False)[0])
    return results


PERIODS = (1, 7)
"""Days from the log's first on that Table 8 looks at, besides all."""
STEPS = (0.25, 1.0, 4.0)
"""The three thresholds of Table 9, as multiples of the chosen one."""
LEAST, SHARE = 40.0, 0.002
"""The threshold unless one is asked for: χ² grows with the users counted, at equal relatedness."""
TOPICS = {"cliques": clique_topics, "components": connected_topics}
"""How topics of each kind are made of related words and a threshold."""


def tabulate_topics(
    bundled: BundledLog,
    clues: FiberClues,
    related: RelatedTokens,
    chi2: float,
    is_within: bool,
    progress: Progress,
) -> tuple[list[TopicScore], list[TopicScore]]:
    """Tables 8 and 9.

    The first has one day, one week and all, without topics and with the best of either kind; the
    second words and topics together over all days, by each kind of topic and threshold.
    """
    words = clues.keys["w"]
    trials = [
        (topic_kind, chi2 * step, make(related, chi2 * step, progress))
        for topic_kind, make in TOPICS.items()
        for step in STEPS
    ]
    keys = [topic_keys(words, clues.words.vocabulary, related, topics) for *_, topics in trials]
    periods: list[TopicScore] = []
    for days in (*PERIODS, None):
        cut = first_days(bundled, days)
        period = {1: "1 day", None: "all"}.get(days, phrase("{days} days", days=days))
        truth = truth_of(cut, is_within=is_within, training=clues.training)
        plain = {
            "bl1": label_singletons(cut),
            "bl2": label_whole_bundles(cut),
            "w": join_fibers(cut, [words], progress),
        }
        for name, labels in plain.items():
            scores = score_labels(cut, truth, labels, progress)
            periods.append(TopicScore(period, name, 0.0, None, scores))
        thresholds = []
        for trial, topic in zip(trials, keys, strict=True):
            labels = join_fibers(cut, [words, topic], progress)
            scores = score_labels(cut, truth, labels, progress)
            thresholds.append(TopicScore(period, *trial, scores))
        for topic_kind in TOPICS:
            of_kind = [cell for cell in thresholds if cell.how == topic_kind]
            periods.append(max(of_kind, key=lambda cell: mean_of(cell.scores.f)))
    return periods, thresholds
