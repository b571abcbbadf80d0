"""What topics add to shared words: Tables 8 and 9 of the source, on any bundles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from auditor.arrays import Int32s
from auditor.attacks.bundle_view import BundledLog
from auditor.attacks.unbundling import report
from auditor.attacks.unbundling.fibers import (
    FiberClues,
    join_fibers,
    label_singletons,
    label_whole_bundles,
)
from auditor.attacks.unbundling.report import TopicScore
from auditor.attacks.unbundling.scores import FiberScores, score_labels, truth_of
from auditor.attacks.unbundling.topics import topics as topics_topics
from auditor.attacks.unbundling.topics.topics import RelatedTokens, TokenTopics
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


@dataclass(frozen=True, eq=False)
class TopicTrial:
    """Topics of one kind at one threshold."""

    how: str
    threshold: float
    topics: TokenTopics


def chi_square_threshold(chosen: float | None, reference: QueryLog) -> float:
    """The χ² from which on words are related."""
    return max(LEAST, SHARE * len(reference.users)) if chosen is None else chosen


def make_topics(related: RelatedTokens, how: str, at: float, progress: Progress) -> TokenTopics:
    """Topics of one kind."""
    make = topics_topics.clique_topics if how == "cliques" else topics_topics.connected_topics
    return make(related, at, progress)


def make_all_topics(related: RelatedTokens, at: float, progress: Progress) -> list[TopicTrial]:
    """Both kinds of topics at all three thresholds."""
    return [
        TopicTrial(how, at * step, make_topics(related, how, at * step, progress))
        for how in KINDS
        for step in STEPS
    ]


def tabulate_thresholds(
    bundled: BundledLog,
    clues: FiberClues,
    related: RelatedTokens,
    tried: Sequence[TopicTrial],
    within: bool,
    progress: Progress,
    period: str = "",
) -> tuple[TopicScore, ...]:
    """Table 9: words and topics together, by each kind of topic and threshold."""
    words = clues.keys["w"]
    found = []
    for one in tried:
        keys = topics_topics.topic_keys(words, clues.words.vocabulary, related, one.topics)
        scores = _score_fibers(
            bundled, clues, join_fibers(bundled, [words, keys], progress), within, progress
        )
        found.append(TopicScore(period, one.how, one.threshold, one.topics, scores))
    return tuple(found)


def tabulate_periods(
    bundled: BundledLog,
    clues: FiberClues,
    related: RelatedTokens,
    tried: Sequence[TopicTrial],
    within: bool,
    progress: Progress,
) -> tuple[TopicScore, ...]:
    """Table 8: one day, one week and all, without topics and with the best of either kind."""
    found: list[TopicScore] = []
    for days in (*PERIODS, None):
        cut = first_days(bundled, days)
        label = {1: "1 day", None: "all"}.get(days, phrase("{days} days", days=days))
        plain = {
            "bl1": label_singletons(cut),
            "bl2": label_whole_bundles(cut),
            "w": join_fibers(cut, [clues.keys["w"]], progress),
        }
        for name, labels in plain.items():
            scores = _score_fibers(cut, clues, labels, within, progress)
            found.append(TopicScore(label, name, 0.0, None, scores))
        scored = tabulate_thresholds(cut, clues, related, tried, within, progress, label)
        for how in KINDS:
            of_kind = [one for one in scored if one.how == how]
            found.append(max(of_kind, key=lambda one: report.mean_over_bundles(one.scores.f)))
    return tuple(found)


def _score_fibers(
    bundled: BundledLog, clues: FiberClues, labels: Int32s, within: bool, progress: Progress
) -> FiberScores:
    truth = truth_of(bundled, within=within, apart=clues.training)
    return score_labels(bundled, truth, labels, progress)
