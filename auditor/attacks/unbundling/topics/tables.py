"""What topics add to shared words: Tables 8 and 9 of the source, on any bundles."""

from __future__ import annotations

from auditor.attacks.bundle_view import BundledLog
from auditor.attacks.unbundling.fibers import (
    FiberClues,
    join_fibers,
    label_singletons,
    label_whole_bundles,
)
from auditor.attacks.unbundling.report import TopicScore, mean_over_bundles
from auditor.attacks.unbundling.scores import score_labels, truth_of
from auditor.attacks.unbundling.topics.topics import (
    RelatedTokens,
    TokenTopics,
    clique_topics,
    connected_topics,
    topic_keys,
)
from auditor.attacks.unbundling.trials import first_days
from auditor.log.model import QueryLog
from auditor.messages import phrase
from auditor.progress import Progress

PERIODS = (1, 7)
"""Days from the log's first on that Table 8 looks at, besides all."""
STEPS = (0.25, 1.0, 4.0)
"""The three thresholds of Table 9, as multiples of the chosen one."""
LEAST, SHARE = 40.0, 0.002
"""The threshold unless one is asked for: χ² grows with the users counted, at equal relatedness."""
KINDS = ("cliques", "components")


def chi_square_threshold(chosen: float | None, reference: QueryLog) -> float:
    """The χ² from which on words are related."""
    return max(LEAST, SHARE * len(reference.users)) if chosen is None else chosen


def make_topics(related: RelatedTokens, how: str, chi2: float, progress: Progress) -> TokenTopics:
    """Topics of one kind."""
    make = clique_topics if how == "cliques" else connected_topics
    return make(related, chi2, progress)


def tabulate_topics(
    bundled: BundledLog,
    clues: FiberClues,
    related: RelatedTokens,
    chi2: float,
    within: bool,
    progress: Progress,
) -> tuple[list[TopicScore], list[TopicScore]]:
    """Tables 8 and 9.

    The first has one day, one week and all, without topics and with the best of either kind; the
    second words and topics together over all days, by each kind of topic and threshold.
    """
    words = clues.keys["w"]
    trials = [
        (how, chi2 * step, make_topics(related, how, chi2 * step, progress))
        for how in KINDS
        for step in STEPS
    ]
    keys = [topic_keys(words, clues.words.vocabulary, related, topics) for *_, topics in trials]
    periods: list[TopicScore] = []
    for days in (*PERIODS, None):
        cut = first_days(bundled, days)
        period = {1: "1 day", None: "all"}.get(days, phrase("{days} days", days=days))
        truth = truth_of(cut, within=within, apart=clues.training)
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
        for how in KINDS:
            of_kind = [cell for cell in thresholds if cell.how == how]
            periods.append(max(of_kind, key=lambda cell: mean_over_bundles(cell.scores.f)))
    return periods, thresholds
