"""How far an inversion has come: what is right so far, and the picture of it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from auditor.arrays import Int32s, share_of
from auditor.attacks.hash_inversion.ground_truth import InversionProblem
from auditor.figures import Figure, Series
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.sentences import sentence
from auditor.messages import as_phrase, phrase
from auditor.progress import Progress

SOURCE = "Kumar, Novak, Pang and Tomkins, WWW 2007"


catalogue = MetricCatalogue("attacks", "hash_inversion")


@dataclass(frozen=True)
class InversionScore:
    """How much of the matchable set a mapping got right, where the truth is known."""

    stage: str  # names the update
    n: int
    correct: int
    matchable: int
    top: float  # accuracy of the more frequent half
    bottom: float  # accuracy of the less frequent half
    changed: float  # share of hashes that it mapped anew

    @property
    def accuracy(self) -> float:
        """Share of the matchable set; 0 where that is empty."""
        return share_of(self.correct, self.matchable)


def score_mapping(
    game: InversionProblem,
    mapping: Int32s,
    stage: str,
    before: Int32s | None = None,
    seeds: Int32s | None = None,
) -> InversionScore:
    """Count what is right, over all and in the more and the less frequent half of the hashes.

    `before` is the mapping that `mapping` replaced. Pairs of `seeds` don't count.
    """
    matchable = game.find_true_tokens(len(mapping)) >= 0
    if seeds is not None:
        matchable &= seeds < 0
    correct = game.is_correct(mapping) & matchable
    half = (len(mapping) + 1) // 2
    top, bottom = (
        share_of(int(correct[part].sum()), int(matchable[part].sum()))
        for part in (slice(half), slice(half, None))
    )
    changed_share = 1.0
    if before is not None and len(before) == len(mapping) and len(mapping):
        changed_share = float(np.mean(before != mapping))
    hits, total = int(correct.sum()), int(matchable.sum())
    return InversionScore(stage, len(mapping), hits, total, top, bottom, changed_share)


def size_note(game: InversionProblem) -> str:
    """The logs' sizes, which belong beside every accuracy."""
    return sentence(
        "hash_inversion.hashed_events_against_reference",
        events=game.hashes.events,
        tokens_events=game.tokens.events,
        told=as_phrase(game.description),
    )


def iterations_figure(scores: Sequence[InversionScore], game: InversionProblem) -> Figure:
    """Accuracy by update; where nobody knows the truth, how much each update still changed."""
    x = np.arange(len(scores), dtype=np.float64)
    lines = {"hashes whose mapping changed": "changed"}
    if game.has_truth:
        lines = {"all": "accuracy", "more frequent half": "top", "less frequent half": "bottom"}
    return catalogue.figure(
        "iterations" if game.has_truth else "convergence",
        [
            Series(label, x, np.array([getattr(score, name) for score in scores]))
            for label, name in lines.items()
        ],
        named="iterations",
        categories=[s.stage for s in scores],
        note=size_note(game),
        source=phrase("{source}, figures 1 and 4", source=SOURCE) if game.has_truth else "",
        own_words=True,
    )


class InversionProgress:
    """The scores of one inversion as they come; each is shown to whoever looks on."""

    def __init__(self, game: InversionProblem, progress: Progress) -> None:
        self._game, self._progress = game, progress
        self.scores: list[InversionScore] = []

    def add_score(
        self, mapping: Int32s, stage: str, before: Int32s | None = None, seeds: Int32s | None = None
    ) -> None:
        """Score a mapping; the arguments are those of `score`."""
        self.scores.append(score_mapping(self._game, mapping, stage, before, seeds))
        self._progress.show(iterations_figure(self.scores, self._game))

    def describe_stage(self, stage: str) -> str:
        """A stage's name with the accuracy so far, where that is known."""
        if not self._game.has_truth:
            return stage
        return phrase(
            "{stage}: accuracy {accuracy:.3f} so far",
            stage=as_phrase(stage),
            accuracy=self.scores[-1].accuracy,
        )
