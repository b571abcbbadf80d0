"""How likely each n-gram is released, without a run.

The sums of length 1 follow from the log. An n-gram of n + 1 words is a candidate if both of its
parts of n words were released; these share their middle, so that the chance is that of the first
times that of the second given the middle. Noise is taken as independent beyond that, and what users
give to candidates as its mean over which others there are. So lengths from 2 on are estimates.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from auditor.arrays import Float64s, Int64s
from auditor.log.model import NONE
from auditor.methods.n_grams.budget import NgramParams, derive_noise
from auditor.methods.n_grams.candidates import Candidates, WordSequences
from auditor.privacy import gaussian
from auditor.progress import Progress

LEAST = 1e-6
"""N-grams less likely than this are taken for never released."""


@dataclass(frozen=True, eq=False)
class ExpectedLength:
    """What is expected of the n-grams of one length; arrays of shape (known,).

    Attributes
    ----------
    candidates
        Where they stand.
    chance
        That of being released.
    total
        What its users are expected to give it if it is a candidate, in users.
    users
        Users who count for it, as many as there are in the log at hand.
    """

    candidates: Candidates
    chance: Float64s
    total: Float64s
    users: Int64s

    def describe(self, code: int) -> tuple[int, float, float]:
        """Users, weight and chance of one n-gram; nothing of −1."""
        if code == NONE:
            return 0, 0.0, 0.0
        return int(self.users[code]), float(self.total[code]), float(self.chance[code])


def iterate_lengths(
    words: WordSequences, params: NgramParams, scale: float, progress: Progress
) -> Iterator[ExpectedLength]:
    """What is expected of each length in a log of `scale` times the users; the costs of a run.

    An n-gram of c sampled users is taken for one of 1 + `scale`·(c − 1) users.
    """
    from scipy.special import ndtr

    derived = derive_noise(params)
    found, may = words.list_words(), np.ones(len(words.words.vocabulary))
    parts: ExpectedLength | None = None
    middles: ExpectedLength | None = None
    for _ in range(params.longest):
        if parts is not None:
            found = words.lengthen(parts.candidates.keep(parts.chance >= LEAST), progress)
            may = _chance_to_be_candidate(found, parts, middles)
        total, users = words.expect_weights(found, may, params.q_f, progress)
        whole = np.where(users > 0, 1 + scale * (users - 1), 0.0)
        total *= np.divide(whole, users, out=np.zeros(len(total)), where=users > 0)
        steps = (total * gaussian.GRID - (derived.threshold - 0.5)) / derived.sigma
        chance: Float64s = np.where(users > 0, may * ndtr(steps), 0.0)
        middles, parts = parts, ExpectedLength(found, chance, total, users)
        yield parts


def _chance_to_be_candidate(
    longer: Candidates, parts: ExpectedLength, middles: ExpectedLength | None
) -> Float64s:
    """The chance that both parts of each n-gram were released; shape (longer.known,)."""
    starts = longer.positions[longer.find_first()]
    first = _codes_at(parts.candidates, starts)
    second = _codes_at(parts.candidates, starts + 1)
    both = parts.chance[first] * parts.chance[second]
    if middles is not None:
        middle = _codes_at(middles.candidates, starts + 1)
        both /= np.maximum(middles.chance[middle], LEAST)
    may: Float64s = np.where(first == second, parts.chance[first], both)
    return np.minimum(may, 1.0)


def _codes_at(candidates: Candidates, positions: Int64s) -> Int64s:
    place = np.searchsorted(candidates.positions, positions)
    return candidates.codes[place].astype(np.int64)
