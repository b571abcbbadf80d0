"""The inversion itself: begin, update until nothing changes, or grow the vocabulary.

Kumar et al., section 3.1 (the loop), 3.2 and 3.3 (first mappings and updates), 3.4.1 (vocabulary
expansion), 3.4.3 (continuous update), 4.1 (its oracle bound, which bounds nothing: see
`count_oracle_hits`). An update costs one pass of distances and one matching.

Every mapping is int32 of shape (hashes,): the token of each hash, −1 where it has none, and no
token twice. Ties go by (distance, hash, token).

How sure each pair is, as a chance that it is right, is beyond the source. A pair's margin to the
second best says which pairs are surer, not how sure. An attacker who does not know the truth can
learn that from their own reference, where they do: some of its users play the hashed log against
others. Two halves have half the data, and more data makes the same margin surer; so two quarters
play, too, and the chance is drawn out from both to the whole. That takes two more inversions; drift
between the two logs is not in it.
"""

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Self

import numpy as np
from scipy.optimize import linear_sum_assignment

from auditor.arrays import Bools, Float32s, Float64s, Int32s, Int64s, share_of
from auditor.attacks.hash_inversion import kernels
from auditor.attacks.hash_inversion.distance import (
    POWERS,
    Measure,
    VectorPair,
    alpha_pruned,
    compare_features,
    compute_distances,
    compute_expanded_distances,
    node_start,
    use_distances,
)
from auditor.attacks.hash_inversion.features import is_kept, order_decidedness
from auditor.attacks.hash_inversion.ground_truth import InversionProblem, simulate_hashing
from auditor.errors import Cancelled
from auditor.figures import Figure, Series
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import QueryLog
from auditor.log.sentences import sentence
from auditor.messages import as_phrase, phrase
from auditor.progress import Progress, run_cancellable

catalogue = MetricCatalogue("attacks", "hash_inversion")

SOURCE = "Kumar, Novak, Pang and Tomkins, WWW 2007"
_WEIGHTS = (0.3, 0.03)
"""What the fingerprint counts for in the first round, and once most words are placed."""
_FIRST_SHARE = 0.1
_GROWING = 0.75
"""Share of the rounds in which ever more pairs are trusted."""
_ENTRIES = 1 << 24
"""Entries of a matrix that are searched between two looks at the cancel flag."""
_SHARES_LEARNT = (1 / 2, 1 / 4)
"""Parts of the reference's users from which the chance of a pair is learnt."""
_RIDGE = 0.1
_LEAST = 1e-9
"""Margins that are spread no more than this are taken for one."""
_STEPS = 50


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


@dataclass(frozen=True, kw_only=True)
class InversionConfig:
    """How to invert; the words are those of the attack's parameters."""

    initial: Literal["random", "frequency", "node-start"] = "node-start"
    distance: Measure = "l1"
    update: str = "score-greedy"
    scheme: Literal["confident", "iterate", "expand", "continuous"] = "confident"
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
        """`score_mapping`."""
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


def random_start(hashes: int, tokens: int, rng: np.random.Generator) -> Int32s:
    """A random one-to-one mapping."""
    mapping = np.full(hashes, -1, dtype=np.int32)
    both = min(hashes, tokens)
    mapping[rng.permutation(hashes)[:both]] = rng.permutation(tokens)[:both]
    return mapping


def frequency_start(hashes: int, tokens: int) -> Int32s:
    """The i-th most frequent hash to the i-th most frequent token."""
    mapping = np.arange(hashes, dtype=np.int32)
    mapping[tokens:] = -1
    return mapping


def score_greedy(distance: Float32s, progress: Progress) -> Int32s:
    """The nearest pair first, one to one: as a stable sort of all pairs, by a lazy heap.

    O(n²) to fill and O(n) for each pair that lost its token meanwhile; rows with no finite
    distance left stay unmapped.
    """
    progress.stage("matching")
    stop = np.zeros(1, dtype=np.bool_)
    try:
        return run_cancellable(lambda: kernels.match_greedily(distance, stop), progress)
    except Cancelled:
        stop[0] = True
        raise


def rank_greedy(distance: Float32s, progress: Progress) -> Int32s:
    """Greedy on rank_ℓ(r) + rank_r(ℓ); O(n² log n)."""
    total = np.zeros(distance.shape, dtype=np.float32)
    _add_ranks(distance, total, "ranking tokens", progress)
    _add_ranks(distance.T, total.T, "ranking hashes", progress)
    total[~np.isfinite(distance)] = np.inf
    return score_greedy(total, progress)


def _add_ranks(distance: Float32s, total: Float32s, stage: str, progress: Progress) -> None:
    rows, columns = distance.shape
    for start, stop in progress.blocks(stage, rows, max(1, (1 << 20) // max(columns, 1))):
        order = np.argsort(distance[start:stop], axis=1, kind="stable")
        ranks = np.empty_like(order)
        np.put_along_axis(ranks, order, np.arange(columns)[None, :], axis=1)
        total[start:stop] += ranks.astype(np.float32)


def min_cost(distance: Float32s, progress: Progress) -> Int32s:
    """The one-to-one mapping of least total distance; O(n³), by SciPy.

    Pairs that are no candidates cost more than all others together, and stay unmapped. A
    cancelled run leaves SciPy's thread behind, which can't be stopped on its way.
    """
    finite = np.isfinite(distance)
    largest = float(distance[finite].max()) if finite.any() else 0.0
    cost = np.where(finite, distance.astype(np.float64), (largest + 1.0) * max(distance.shape))
    progress.stage("matching at least cost")
    rows, columns = run_cancellable(lambda: linear_sum_assignment(cost), progress)
    mapping = np.full(distance.shape[0], -1, dtype=np.int32)
    candidates = finite[rows, columns]
    mapping[rows[candidates]] = columns[candidates]
    return mapping


UPDATES: dict[str, Callable[[Float32s, Progress], Int32s]] = {
    "score-greedy": score_greedy,
    "min-cost": min_cost,
    "rank-greedy": rank_greedy,
    "stable-marriage": score_greedy,
}
"""By the names that the source uses. Both sides of a stable marriage rank by one distance here, so
the only stable matching is that of nearest first: the name is an alias."""


def update_continuously(pair: VectorPair, seeds: Int32s, progress: Progress) -> Int32s:
    """Heap-based continuous update from `seeds` pairs (section 3.4.3).

    Estimates begin at 1. Each newly fixed pair (ℓ', r') lowers those of its neighbours by
    min(cooc_N(ℓ'', ℓ'), cooc_N(r'', r')); the printed |a − b| in its place is an erratum.
    """
    hashes, tokens = pair.shape
    estimate = np.ones((hashes, tokens), dtype=np.float32)
    mapping = np.full(hashes, -1, dtype=np.int32)
    is_taken = np.zeros(tokens, dtype=np.bool_)
    best = np.ones(hashes, dtype=np.float32)
    nearest = np.zeros(hashes, dtype=np.int32)
    sides = pair.hashes.index, pair.tokens.index
    pairs = kernels.PairEstimates(estimate, best, nearest, mapping, is_taken)
    progress.stage("fixing pairs", hashes)
    for row in np.flatnonzero(seeds >= 0).tolist():
        kernels.fix_pairs(*sides, pairs, row, int(seeds[row]))
        progress.advance()
    if tokens == 0:
        return mapping
    while not kernels.continue_step(*sides, pairs, _ENTRIES):
        progress.update(int(np.count_nonzero(mapping >= 0)))
    return mapping


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
            return random_start(*pair.shape, self.rng)
        if self.how.initial == "frequency":
            return frequency_start(*pair.shape)
        return score_greedy(node_start(pair, self.progress), self.progress)

    def _drop_pairs(self, pair: VectorPair) -> Bools | None:
        """What α-pruning by node-start leaves out; None where it is off."""
        if self.how.alpha >= 1:
            return None
        return alpha_pruned(node_start(pair, self.progress), self.how.alpha, self.progress)

    def _match_pairs(self, distance: Float32s, dropped: Bools | None = None) -> Int32s:
        """The mapping by distances, of which dropped ones become infinite."""
        if dropped is not None:
            distance[dropped] = np.inf
        return UPDATES[self.how.update](distance, self.progress)

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
        marks = pair.left.fingerprint, pair.right.fingerprint
        fingerprints = compare_features(*marks, "fingerprint distances", progress)
        dropped = alpha_pruned(fingerprints, config.alpha, progress) if config.alpha < 1 else None
        mapping = score_greedy(fingerprints, progress)
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
        """From `bootstrap` pairs: true ones where they are known, else the nearest.

        True pairs are those of the most frequent matchable hashes, which an attacker guesses first.
        """
        config, progress, pair = self.how, self.progress, self.build_pair(n)
        if self.game.has_truth:
            first = self.game.find_true_tokens(pair.shape[0])
            seeded = np.flatnonzero(first >= 0)
        else:
            near, first = node_start(pair, progress), self._start_mapping(pair)
            mapped = np.flatnonzero(first >= 0)
            seeded = mapped[np.argsort(near[mapped, first[mapped]], kind="stable")]
        seeded = seeded[: config.bootstrap]
        seeds = np.full(pair.shape[0], -1, dtype=np.int32)
        seeds[seeded] = first[seeded]
        mapping = update_continuously(pair, seeds, progress)
        distance = compute_distances(pair, mapping, config.distance, progress, "distances")
        course = InversionProgress(self.game, progress)
        course.add_score(mapping, "continuous", seeds, seeds if self.game.has_truth else None)
        margin = compute_margins(distance, mapping, progress)
        return InversionOutcome(pair, mapping, margin, tuple(course.scores), True, config.distance)

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


@dataclass(frozen=True, eq=False)
class ConfidenceCurve:
    """The chance of a pair by its margin: a logistic law whose weights stand in `law`."""

    law: Float64s
    scale: float
    lowest: float

    def estimate_chances(self, margin: Float64s) -> Float64s:
        """The chance of each pair, never less for a wider margin; 0 where there is no pair."""
        score = _build_design_matrix(np.maximum(margin, self.lowest) / self.scale, 0.0) @ self.law
        order = np.argsort(margin, kind="stable")
        score[order] = np.maximum.accumulate(score[order])
        return np.where(np.isneginf(margin), 0.0, _apply_logistic(score))


def learn_from_reference(
    reference: QueryLog,
    n: int,
    config: InversionConfig,
    rng: np.random.Generator,
    progress: Progress,
) -> ConfidenceCurve:
    """The curve of a reference log, from parts of its users against other parts."""
    margins, right, sizes = [np.zeros(0)], [np.zeros(0)], [np.zeros(0)]
    for share in _SHARES_LEARNT:
        order = rng.permutation(len(reference.users))
        part = max(1, int(share * len(order)))
        role = np.zeros(len(order), dtype=np.int8)
        role[order[:part]], role[order[part : 2 * part]] = 1, 2
        hashed, sample = (reference.rows(role[reference.user] == number) for number in (1, 2))
        game = simulate_hashing(hashed, sample, n, "parts of the reference's users", rng, progress)
        size = min(n, game.largest)
        if size < 2:
            continue
        outcome = Inversion(game, config, rng, progress).invert(size)
        mapped = np.isfinite(outcome.margin)
        margins.append(outcome.margin[mapped])
        right.append(game.is_correct(outcome.mapping)[mapped].astype(np.float64))
        sizes.append(np.full(int(mapped.sum()), np.log2(share)))
    return fit_curve(np.concatenate(margins), np.concatenate(right), np.concatenate(sizes))


def fit_curve(margin: Float64s, right: Float64s, size: Float64s) -> ConfidenceCurve:
    """The logistic law of `right` by margin and log₂ of the data's share of the whole, by Newton.

    Shapes (m,), all three; a small ridge holds weights back that nothing decides.
    """
    # Margins that hardly differ would make powers that leave nothing of the ridge.
    scale = max(float(margin.std()), 0.01 * float(np.abs(margin).max())) if len(margin) else 0.0
    scale = scale if scale > _LEAST else 1.0
    columns = _build_design_matrix(margin / scale, size)
    law = np.zeros(columns.shape[1])
    ridge = _RIDGE * np.eye(len(law))
    for _ in range(_STEPS):
        chance = _apply_logistic(columns @ law)
        slope = columns.T @ (right - chance) - ridge @ law
        bend = (columns * (chance * (1 - chance))[:, None]).T @ columns + ridge
        step = np.linalg.solve(bend, slope)
        law = law + step / max(1.0, float(np.abs(step).max()) / 2.0)
        if float(np.abs(step).max()) < 1e-8:
            break
    return ConfidenceCurve(law, scale, float(margin.min(initial=0.0)))


def _build_design_matrix(margin: Float64s, size: Float64s | float) -> Float64s:
    sizes = np.broadcast_to(np.asarray(size, dtype=np.float64), margin.shape)
    constant = np.ones_like(margin)
    return np.stack([constant, margin, np.abs(margin) * margin, sizes, margin * sizes], axis=1)


def _apply_logistic(score: Float64s) -> Float64s:
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(score, -30.0, 30.0))), dtype=np.float64)
