"""How sure each recovered pair is, as a chance that it is right.

A pair's margin to the second best says which pairs are surer, not how sure. An attacker who does
not know the truth can learn that from their own reference, where they do: some of its users play
the hashed log against others. Two halves have half the data, and more data makes the same margin
surer; so two quarters play, too, and the chance is drawn out from both to the whole. Beyond the
source. Two more inversions; drift between the two logs is not in it.
"""

import itertools
from dataclasses import dataclass

import numpy as np

from auditor.arrays import Float64s
from auditor.attacks.hash_inversion.ground_truth import InversionProblem, simulate_hashing
from auditor.attacks.hash_inversion.inversion import Inversion, InversionConfig, InversionOutcome
from auditor.attacks.hash_inversion.scores import catalogue, size_note
from auditor.attacks.intervals import wilson_interval
from auditor.figures import Figure, Series, Table
from auditor.log.model import QueryLog
from auditor.progress import Progress

SHARES = (1 / 2, 1 / 4)
DESCRIPTION = "parts of the reference's users"
_EDGES = (0.0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0)
_RIDGE = 0.1
_LEAST = 1e-9
"""Margins that are spread no more than this are taken for one."""
_STEPS = 50


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
    for share in SHARES:
        order = rng.permutation(len(reference.users))
        part = max(1, int(share * len(order)))
        role = np.zeros(len(order), dtype=np.int8)
        role[order[:part]], role[order[part : 2 * part]] = 1, 2
        hashed, sample = (reference.rows(role[reference.user] == number) for number in (1, 2))
        game = simulate_hashing(hashed, sample, n, DESCRIPTION, rng, progress)
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


def check_reliability(
    game: InversionProblem, outcome: InversionOutcome, chance: Float64s
) -> tuple[Table, Figure]:
    """Whether pairs of about some chance are right about as often; the truth is known."""
    mapped = outcome.mapping >= 0
    right = game.is_correct(outcome.mapping)
    rows = []
    for low, high in itertools.pairwise(_EDGES):
        in_bin = mapped & (chance >= low) & ((chance < high) | (high == _EDGES[-1]))
        if pairs := int(in_bin.sum()):
            hits = int(right[in_bin].sum())
            rows.append(
                (float(chance[in_bin].mean()), pairs, hits / pairs, *wilson_interval(hits, pairs))
            )
    table = catalogue.table("reliability", rows, game=size_note(game))
    mean, _, share, lower, upper = np.asarray(rows, dtype=np.float64).reshape(-1, 5).T
    ends = np.array([0.0, 1.0])
    series = (
        Series("right", mean, share, "points", lower, upper),
        Series("perfectly calibrated", ends, ends),
    )
    return table, catalogue.figure("reliability", series, places={"game": size_note(game)})
