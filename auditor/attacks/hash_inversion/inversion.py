"""The inversion itself: begin, update until nothing changes, or grow the vocabulary.

Kumar et al., section 3.1 (the loop), 3.4.1 (vocabulary expansion), 3.4.3 (continuous update),
4.1 (its oracle bound, which bounds nothing: see `count_oracle_hits`). An update costs one pass of
distances and one matching.
"""

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, Self

import numpy as np

from auditor.arrays import Bools, Float32s, Float64s, Int32s, Int64s
from auditor.attacks.hash_inversion import kernels
from auditor.attacks.hash_inversion import mapping_update as update
from auditor.attacks.hash_inversion.distance import (
    POWERS,
    Measure,
    VectorPair,
    alpha_pruned,
    compute_distances,
    compute_expanded_distances,
    compute_fingerprint_distances,
    node_start,
    use_distances,
)
from auditor.attacks.hash_inversion.features import is_kept, order_decidedness
from auditor.attacks.hash_inversion.ground_truth import InversionProblem
from auditor.attacks.hash_inversion.scores import InversionProgress, InversionScore, score_mapping
from auditor.messages import phrase
from auditor.progress import Progress

Initial = Literal["random", "frequency", "node-start"]
Scheme = Literal["confident", "iterate", "expand", "continuous"]

_WEIGHTS = (0.3, 0.03)
"""What the fingerprint counts for in the first round, and once most words are placed."""
_FIRST_SHARE = 0.1
_GROWING = 0.75
"""Share of the rounds in which ever more pairs are trusted."""


@dataclass(frozen=True, kw_only=True)
class InversionConfig:
    """How to invert; the words are those of the attack's parameters."""

    initial: Initial = "node-start"
    distance: Measure = "l1"
    update: str = "score-greedy"
    scheme: Scheme = "confident"
    iterations: int = 20
    start: int = 1000
    alpha: float = 1.0
    beta: float = 1.0
    bootstrap: int = 100
    order: bool = False


@dataclass(frozen=True, eq=False)
class InversionOutcome:
    """A finished inversion: the mapping, the distances that led to it, and how it went."""

    pair: VectorPair
    mapping: Int32s
    margin: Float64s  # that of `margins`
    scores: tuple[InversionScore, ...]
    settled: bool
    measure: Measure  # which distance the last update rests on
    weight: float = 0.0  # of the fingerprints in it

    @property
    def ordered(self) -> bool:
        """Whether the order of words was looked at."""
        return self.pair.left.steps is not None


@dataclass(frozen=True, eq=False)
class Inversion:
    """A problem and how it is inverted; raises `Cancelled` within a block of work."""

    game: InversionProblem
    how: InversionConfig
    rng: np.random.Generator
    progress: Progress

    def change(self, **parameters: Any) -> Self:
        """The same with some parameters changed."""
        return dataclasses.replace(self, how=dataclasses.replace(self.how, **parameters))

    def build_pair(self, n: int) -> VectorPair:
        """Both sides cut to n terms, as vectors for the distance.

        Their order is looked at if that is asked for and means something.
        """
        config, corpora = self.how, (self.game.hashes, self.game.tokens)
        order = config.order and is_kept(
            *(order_decidedness(side.words, self.progress) for side in corpora)
        )
        left, right = (corpus.build_side(n, self.progress, ordered=order) for corpus in corpora)
        return VectorPair.of(left, right, beta=config.beta, power=POWERS.get(config.distance, 1.0))

    def invert(self, n: int) -> InversionOutcome:
        """Map the n most frequent hashes to the n most frequent tokens."""
        if self.how.scheme == "confident":
            return self.iterate_confident(n)
        if self.how.scheme == "continuous":
            return self._continue_inversion(n)
        if self.how.scheme == "expand" and self.how.start < n:
            *_, last = self.expand_vocabulary(n)
            return last
        return self.iterate_updates(self.build_pair(n))

    def _start_mapping(self, pair: VectorPair) -> Int32s:
        if self.how.initial == "random":
            return update.random_start(*pair.shape, self.rng)
        if self.how.initial == "frequency":
            return update.frequency_start(*pair.shape)
        return update.score_greedy(node_start(pair, self.progress), self.progress)

    def _drop_pairs(self, pair: VectorPair) -> Bools | None:
        """What α-pruning by node-start leaves out; None where it is off."""
        if self.how.alpha >= 1:
            return None
        return alpha_pruned(node_start(pair, self.progress), self.how.alpha, self.progress)

    def _match_pairs(self, distance: Float32s, dropped: Bools | None = None) -> Int32s:
        """The mapping by distances, of which dropped ones become infinite."""
        if dropped is not None:
            distance[dropped] = np.inf
        return update.UPDATES[self.how.update](distance, self.progress)

    def iterate_updates(self, pair: VectorPair) -> InversionOutcome:
        """Update until the mapping stays as it is, or `iterations` were made."""
        config, progress = self.how, self.progress
        dropped, mapping = self._drop_pairs(pair), self._start_mapping(pair)
        course = InversionProgress(self.game, progress)
        course.add_score(mapping, "0")
        distance: Float32s | None = None
        settled = False
        for number in range(1, config.iterations + 1):
            del distance
            stage = course.describe_stage(phrase("iteration {number}", number=number))
            distance = compute_distances(pair, mapping, config.distance, progress, stage)
            before, mapping = mapping, self._match_pairs(distance, dropped)
            course.add_score(mapping, str(number), before)
            settled = bool(np.array_equal(mapping, before))
            if settled:
                break
        if distance is None:
            distance = node_start(pair, progress)
        margin = compute_margins(distance, mapping, progress)
        return InversionOutcome(
            pair, mapping, margin, tuple(course.scores), settled, config.distance
        )

    def iterate_confident(self, n: int) -> InversionOutcome:
        """Beyond the source: trust the surest pairs first, and ever more of them.

        Each round maps everything, but only the pairs with the widest margins (a tenth of them at
        first, all of them after three quarters of the rounds) count as known company in the next.
        Distances are cosines of cube roots, in which rare neighbours weigh more, plus the distance
        of logarithmic fingerprints, whose weight falls from 0.3 to 0.03 as company becomes known.
        With `how.order`, where it means something, who follows whom is company of its own.
        """
        config, progress = self.how, self.progress
        pair = self.change(distance="rare").build_pair(n)
        fingerprints = compute_fingerprint_distances(pair, progress)
        dropped = alpha_pruned(fingerprints, config.alpha, progress) if config.alpha < 1 else None
        mapping = update.score_greedy(fingerprints, progress)
        margin = compute_margins(fingerprints, mapping, progress)
        del fingerprints
        course = InversionProgress(self.game, progress)
        course.add_score(mapping, "0")
        settled = False
        for number in range(1, config.iterations + 1):
            grown = min((number - 1) / max(_GROWING * config.iterations, 1.0), 1.0)
            weight = _WEIGHTS[0] * (_WEIGHTS[1] / _WEIGHTS[0]) ** grown
            count = round((_FIRST_SHARE + (1 - _FIRST_SHARE) * grown) * len(mapping))
            trusted = mapping.copy()
            trusted[np.argsort(-margin, kind="stable")[max(count, 1) :]] = -1
            stage = course.describe_stage(phrase("iteration {number}", number=number))
            distance = compute_distances(pair, trusted, "rare", progress, stage, weight=weight)
            before, mapping = mapping, self._match_pairs(distance, dropped)
            margin = compute_margins(distance, mapping, progress)
            del distance
            course.add_score(mapping, str(number), before)
            settled = bool(np.array_equal(mapping, before))
            if settled and grown == 1.0:
                break
        scores = tuple(course.scores)
        return InversionOutcome(pair, mapping, margin, scores, settled, "rare", _WEIGHTS[1])

    def expand_vocabulary(self, n: int) -> Iterator[InversionOutcome]:
        """Invert `start` terms, then twice as many with one update each, up to n; section 4.1.

        Yields the outcome at every size; each holds the scores so far.
        """
        size, progress = min(self.how.start, n), self.progress
        plain = self.change(order=False, distance="l1")
        outcome = self.iterate_updates(self.build_pair(size))
        yield outcome
        course = InversionProgress(self.game, progress)
        course.scores += outcome.scores
        mapping = outcome.mapping
        while size < n:
            size = min(2 * size, n)
            del outcome
            pair = plain.build_pair(size)
            extended = np.full(pair.shape[0], -1, dtype=np.int32)
            extended[: len(mapping)] = mapping
            stage = course.describe_stage(phrase("expanding to {size:,}", size=size))
            distance = compute_expanded_distances(pair, extended, progress, stage)
            mapping = self._match_pairs(distance, self._drop_pairs(pair))
            course.add_score(mapping, phrase("{size:,} terms", size=size))
            margin = compute_margins(distance, mapping, progress)
            del distance
            outcome = InversionOutcome(pair, mapping, margin, tuple(course.scores), False, "l1")
            yield outcome

    def _continue_inversion(self, n: int) -> InversionOutcome:
        config, progress, pair = self.how, self.progress, self.build_pair(n)
        seeds = self._choose_seed_pairs(pair)
        mapping = update.update_continuously(pair, seeds, progress)
        distance = compute_distances(pair, mapping, config.distance, progress, "distances")
        course = InversionProgress(self.game, progress)
        course.add_score(mapping, "continuous", seeds, seeds if self.game.has_truth else None)
        margin = compute_margins(distance, mapping, progress)
        return InversionOutcome(pair, mapping, margin, tuple(course.scores), True, config.distance)

    def _choose_seed_pairs(self, pair: VectorPair) -> Int32s:
        """`bootstrap` pairs to begin with: true ones where they are known, else the nearest.

        True pairs are those of the most frequent matchable hashes, which an attacker guesses first.
        """
        seeds = np.full(pair.shape[0], -1, dtype=np.int32)
        if self.game.has_truth:
            true = self.game.find_true_tokens(pair.shape[0])
            matchable = np.flatnonzero(true >= 0)[: self.how.bootstrap]
            seeds[matchable] = true[matchable]
            return seeds
        start_distance, first = node_start(pair, self.progress), self._start_mapping(pair)
        mapped = np.flatnonzero(first >= 0)
        order = np.argsort(start_distance[mapped, first[mapped]], kind="stable")[
            : self.how.bootstrap
        ]
        seeds[mapped[order]] = first[mapped[order]]
        return seeds

    def update_truth(self, outcome: InversionOutcome) -> InversionScore:
        """What one update of the true mapping finds: how far the same distance might lead at best.

        It matches one to one, unlike `count_oracle_hits`: a word that another hash took is out of
        the way.
        """
        pair = outcome.pair
        true = self.game.find_true_tokens(pair.shape[0])
        stage = "one update of the true mapping"
        distance = compute_distances(
            pair, true, outcome.measure, self.progress, stage, weight=outcome.weight
        )
        return score_mapping(self.game, self._match_pairs(distance), stage)


def count_oracle_hits(
    game: InversionProblem,
    pair: VectorPair,
    measure: Measure,
    progress: Progress,
    *,
    weight: float = 0.0,
    only: Int64s | None = None,
) -> tuple[int, int]:
    """Hashes whose closest token is right if all neighbours were mapped rightly, of how many.

    Each hash is looked up alone, so that this is no upper bound: one-to-one matching can go beyond
    it. `only` restricts the count to some hashes. No matrix of n² is held. Section 4.1.
    """
    true = game.find_true_tokens(pair.shape[0])
    matchable = true >= 0
    if not matchable.any():
        return 0, 0
    nearest = np.full(pair.shape[0], -1, dtype=np.int32)

    def keep_nearest(first: int, block: Float32s) -> None:
        nearest[first : first + len(block)] = block.argmin(axis=1)

    stage = "nearest with true context"
    use_distances(pair, true, measure, keep_nearest, progress, stage, weight=weight)
    if only is not None:
        matchable &= np.isin(np.arange(len(true)), only)
    right = game.is_correct(nearest) & matchable
    return int(right.sum()), int(matchable.sum())


def compute_margins(distance: Float32s, mapping: Int32s, progress: Progress) -> Float64s:
    """How much farther the second best lies than the mapped one, for hash and token alike.

    The distance of the nearest other token to the hash, or of the nearest other hash to the
    token, whichever is less, minus that of the pair; negative where another is nearer. Minus
    infinity where unmapped; shape (hashes,).
    """
    rows_low = np.empty((len(mapping), 2), dtype=np.float32)
    columns_low = np.full((distance.shape[1], 2), np.inf, dtype=np.float32)
    for start, stop in progress.blocks("second best", len(mapping), 256):
        kernels.two_nearest(start, stop, distance, rows_low, columns_low)
    margins = np.full(len(mapping), -np.inf)
    rows = np.flatnonzero(mapping >= 0)
    mapped = distance[rows, mapping[rows]]
    nearest = rows_low[rows], columns_low[mapping[rows]]
    other = [np.where(mapped <= low[:, 0], low[:, 1], low[:, 0]) for low in nearest]
    with np.errstate(invalid="ignore"):
        gap = np.minimum(*other).astype(np.float64) - mapped
    margins[rows] = np.where(np.isfinite(gap), gap, 0.0)
    return margins
