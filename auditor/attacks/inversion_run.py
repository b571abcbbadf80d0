"""The inversion itself: begin, update until nothing changes, or grow the vocabulary.

Kumar et al., section 3.1 (the loop), 3.4.1 (vocabulary expansion), 3.4.3 (continuous update),
4.1 (the oracle bound). An update costs one pass of distances and one matching; see
`inversion_distance` and `inversion_update`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from auditor.attacks import inversion_update as update
from auditor.attacks.inversion_distance import (
    Measure,
    Pair,
    alpha_pruned,
    blocks_of,
    distances,
    expanded,
    node_start,
)
from auditor.attacks.inversion_truth import Game
from auditor.progress import Progress

Mapping_ = NDArray[np.int32]
Singles = NDArray[np.float32]
Initial = Literal["random", "frequency", "node-start"]
Scheme = Literal["iterate", "expand", "continuous"]


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How to invert; the words are those of the attack's parameters."""

    initial: Initial = "node-start"
    distance: Measure = "l1"
    update: str = "score-greedy"
    scheme: Scheme = "iterate"
    iterations: int = 10
    start: int = 1000
    alpha: float = 1.0
    beta: float = 1.0
    bootstrap: int = 100


@dataclass(frozen=True)
class Score:
    """How much of the matchable set a mapping got right, where the truth is known.

    `stage` names the update, `changed` is the share of hashes that it mapped anew.
    """

    stage: str
    n: int
    correct: int
    matchable: int
    top: tuple[int, int]
    bottom: tuple[int, int]
    changed: float

    @property
    def accuracy(self) -> float:
        """Share of the matchable set; 0 where that is empty."""
        return ratio(self.correct, self.matchable)


@dataclass(frozen=True, eq=False)
class Outcome:
    """A finished inversion: the mapping, the distances that led to it, and how it went."""

    pair: Pair
    mapping: Mapping_
    distance: Singles
    scores: tuple[Score, ...]
    settled: bool


def ratio(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def score(game: Game, mapping: Mapping_, stage: str, before: Mapping_ | None = None) -> Score:
    """Count what is right, over all and in the more and the less frequent half of the hashes."""
    matchable = game.truth(len(mapping)) >= 0
    correct = game.correct(mapping) & matchable
    half = (len(mapping) + 1) // 2
    changed = 1.0
    if before is not None and len(before) == len(mapping) and len(mapping):
        changed = float(np.mean(before != mapping))
    return Score(
        stage,
        len(mapping),
        int(correct.sum()),
        int(matchable.sum()),
        (int(correct[:half].sum()), int(matchable[:half].sum())),
        (int(correct[half:].sum()), int(matchable[half:].sum())),
        changed,
    )


def pair_of(game: Game, n: int, how: Settings) -> Pair:
    """Both sides cut to n terms."""
    return Pair.of(
        game.hashes.side(n), game.tokens.side(n), beta=how.beta,
        roots=how.distance == "hellinger",
    )  # fmt: skip


def invert(
    game: Game, n: int, how: Settings, rng: np.random.Generator, progress: Progress
) -> Outcome:
    """Map the n most frequent hashes to the n most frequent tokens.

    Raises
    ------
    Cancelled
        Somebody asked to stop; heard within a block of work.
    """
    if how.scheme == "continuous":
        return _continued(game, n, how, rng, progress)
    if how.scheme == "expand" and how.start < n:
        *_, last = expansion(game, n, how, rng, progress)
        return last
    return iterate(game, pair_of(game, n, how), how, rng, progress)


def begin(pair: Pair, how: Settings, rng: np.random.Generator, progress: Progress) -> Mapping_:
    """The initial mapping."""
    if how.initial == "random":
        return update.random_start(*pair.shape, rng)
    if how.initial == "frequency":
        return update.frequency_start(*pair.shape)
    return update.score_greedy(node_start(pair, progress), progress)


def iterate(
    game: Game, pair: Pair, how: Settings, rng: np.random.Generator, progress: Progress
) -> Outcome:
    """Update until the mapping stays as it is, or `iterations` were made."""
    dropped = None
    if how.alpha < 1:
        dropped = alpha_pruned(node_start(pair, progress), how.alpha, progress)
    mapping = begin(pair, how, rng, progress)
    scores = [score(game, mapping, "0")]
    distance: Singles | None = None
    settled = False
    for number in range(1, how.iterations + 1):
        stage = f"iteration {number}: distances"
        if game.known:
            stage = f"iteration {number}: accuracy {scores[-1].accuracy:.3f} so far"
        del distance
        distance = distances(pair, mapping, how.distance, progress, stage)
        if dropped is not None:
            distance[dropped] = np.inf
        found = update.UPDATES[how.update](distance, progress)
        scores.append(score(game, found, str(number), mapping))
        settled, mapping = bool(np.array_equal(found, mapping)), found
        if settled:
            break
    if distance is None:
        distance = node_start(pair, progress)
    return Outcome(pair, mapping, distance, tuple(scores), settled)


def expansion(
    game: Game, n: int, how: Settings, rng: np.random.Generator, progress: Progress
) -> Iterator[Outcome]:
    """Invert `start` terms, then twice as many with one update each, up to n; section 4.1.

    Yields the outcome at every size; each holds the scores so far.
    """
    size = min(how.start, n)
    outcome = iterate(game, pair_of(game, size, how), how, rng, progress)
    yield outcome
    scores = list(outcome.scores)
    mapping = outcome.mapping
    while size < n:
        size = min(2 * size, n)
        del outcome
        pair = Pair.of(game.hashes.side(size), game.tokens.side(size), beta=how.beta)
        known = np.full(pair.shape[0], -1, dtype=np.int32)
        known[: len(mapping)] = mapping
        stage = f"expanding to {size:,}"
        if game.known:
            stage += f": accuracy {scores[-1].accuracy:.3f} so far"
        distance = expanded(pair, known, progress, stage)
        if how.alpha < 1:
            distance[alpha_pruned(node_start(pair, progress), how.alpha, progress)] = np.inf
        mapping = update.UPDATES[how.update](distance, progress)
        scores.append(score(game, mapping, f"{size:,} terms"))
        outcome = Outcome(pair, mapping, distance, tuple(scores), False)
        yield outcome


def _continued(
    game: Game, n: int, how: Settings, rng: np.random.Generator, progress: Progress
) -> Outcome:
    pair = pair_of(game, n, how)
    known = bootstrap(game, pair, how, rng, progress)
    mapping = update.continuous(pair, known, progress)
    distance = distances(pair, mapping, how.distance, progress, "distances")
    scores = (score(game, known, "bootstrap"), score(game, mapping, "continuous", known))
    return Outcome(pair, mapping, distance, scores, True)


def bootstrap(
    game: Game, pair: Pair, how: Settings, rng: np.random.Generator, progress: Progress
) -> Mapping_:
    """`bootstrap` pairs to begin with: true ones where they are known, else the nearest.

    True pairs are those of the most frequent matchable hashes, which an attacker guesses first.
    """
    known = np.full(pair.shape[0], -1, dtype=np.int32)
    if game.known:
        true = game.truth(pair.shape[0])
        chosen = np.flatnonzero(true >= 0)[: how.bootstrap]
        known[chosen] = true[chosen]
        return known
    near = node_start(pair, progress)
    first = begin(pair, how, rng, progress)
    mapped = np.flatnonzero(first >= 0)
    order = np.argsort(near[mapped, first[mapped]], kind="stable")[: how.bootstrap]
    known[mapped[order]] = first[mapped[order]]
    return known


def oracle(
    game: Game,
    pair: Pair,
    measure: Measure,
    progress: Progress,
    only: NDArray[np.int64] | None = None,
) -> tuple[int, int]:
    """Hashes whose closest token is right if all neighbours were mapped rightly, of how many.

    `only` restricts the count to some hashes. No matrix of n² is held. Section 4.1.
    """
    true = game.truth(pair.shape[0])
    nearest = np.full(pair.shape[0], -1, dtype=np.int32)
    if not np.any(true >= 0):
        return 0, 0
    for first, block in blocks_of(pair, true, measure, progress, "oracle bound"):
        nearest[first : first + len(block)] = block.argmin(axis=1)
    counted = true >= 0
    if only is not None:
        chosen = np.zeros(len(true), dtype=np.bool_)
        chosen[only] = True
        counted &= chosen
    right = game.correct(nearest) & counted
    return int(right.sum()), int(counted.sum())


def margins(outcome: Outcome) -> NDArray[np.float64]:
    """How much farther the second best lies than the mapped one, for hash and token alike.

    The distance of the nearest other token to the hash, or of the nearest other hash to the
    token, whichever is less, minus that of the pair; negative where another is nearer. Minus
    infinity where unmapped; shape (hashes,).
    """
    distance, mapping = outcome.distance, outcome.mapping
    found = np.full(len(mapping), -np.inf)
    if min(distance.shape) < 2:
        found[mapping >= 0] = 0.0
        return found
    low = np.full((2, distance.shape[1]), np.inf, dtype=np.float32)
    row_low = np.empty((len(mapping), 2), dtype=np.float32)
    for start in range(0, len(mapping), 512):
        block = distance[start : start + 512]
        row_low[start : start + 512] = np.partition(block, 1, axis=1)[:, :2]
        both = np.concatenate((low, block))
        low = np.partition(both, 1, axis=0)[:2]
    rows = np.flatnonzero(mapping >= 0)
    own = distance[rows, mapping[rows]]
    other_token = np.where(own <= row_low[rows, 0], row_low[rows, 1], row_low[rows, 0])
    nearest = low[:, mapping[rows]]
    other_hash = np.where(own <= nearest[0], nearest[1], nearest[0])
    with np.errstate(invalid="ignore"):
        gap = np.minimum(other_token, other_hash).astype(np.float64) - own
    found[rows] = np.where(np.isfinite(gap), gap, 2.0)
    return found
