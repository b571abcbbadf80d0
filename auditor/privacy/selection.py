"""Choosing one of several candidates by a log so that ε covers the choice: permute-and-flip.

Source: McKenna & Sheldon, "Permute-and-flip: a new mechanism for differentially private
selection", NeurIPS 2020; it never does worse than the exponential mechanism (McSherry & Talwar,
FOCS 2007) at the same ε. Look at the candidates in a random order; of candidate r with score s_r
toss a coin of chance p_r = e^(−η(s* − s_r)), s* the best score, and take the first that comes up
heads. That of a best candidate always does, so it ends.

**What it costs.** Let a_r = e^(η·s_r) and M = max a. Give every candidate a uniform arrival time
in [0, 1]: that is a random order. If r arrives at t, another candidate s has arrived before and
come up heads with chance t·a_s/M, independently. So, with u = t/M,

    P[r] = (a_r/M) ∫₀¹ Π_{s≠r} (1 − t·a_s/M) dt = a_r ∫₀^(1/M) Π_{s≠r} (1 − u·a_s) du.

The last integral has factors in [0, 1]. Raising another score lowers factors and can only shorten
the way to 1/M: P[r] falls. Lowering s_r alone by x leaves the factors, can only lengthen the way,
and multiplies a_r by e^(−ηx): P[r] falls by a factor of at most e^(ηx). A number that is added to
all scores changes nothing. Now let one user's presence raise every score by between 0 and Δ
(`sensitivity`), as it does where scores count what that user adds to. Going from the log without
to the log with the user, P[r] is least if the others rise by Δ and s_r by 0, which is the same as
s_r falling by Δ alone; going back, if s_r falls by Δ and the others by 0. So P changes by a factor
of at most e^(ηΔ) both ways: with η = ε/Δ that is (ε, 0). (Where one user may move scores both
ways, as in an exchange of histories, s_r falls by 2Δ against the others: 2ε.)

**How exact.** Scores are whole numbers, so the gap g = s* − s_r is one, and P[G ≥ g] = e^(−g/b)
for the geometric G of scale b = Δ/ε, which the vetted sampler of releases draws; the order is that
of distinct random keys. Nothing is rounded but the scale itself, upwards.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from auditor.privacy.randomness import Randomness, checked_scale
from auditor.progress import Progress

Look = Literal["private", "open"]
SELECTION_EPSILON = "selection_epsilon"
"""The name, under a statement's `measured`, of what a private choice adds to its ε."""


@dataclass(frozen=True)
class ParameterSelection:
    """How a release's parameters were chosen by looking at its own log, and what that costs.

    Attributes
    ----------
    look
        "private": by permute-and-flip and a noisy estimate, within `epsilon`. "open": by looking
        at the log as it is, which no ε covers.
    epsilon
        What all private choices on the log so far cost together, for one user more or less.
    candidates
        How many settings there were to choose from; the list depends on nothing in the log.
    searches
        How many private choices are in `epsilon`.
    chosen
        Digest of the setting that a private choice gave: no other one was chosen within `epsilon`.
    """

    look: Look
    epsilon: float = 0.0
    candidates: int = 0
    searches: int = 1
    chosen: str = ""

    def covers(self, method: str, params: Mapping[str, Any]) -> bool:
        """Whether a setting is what a private choice gave; what was edited since is not."""
        return self.look == "private" and self.chosen == digest_setting(method, params)

    def __post_init__(self) -> None:
        if self.look not in ("private", "open"):
            raise ValueError("a look is private or open")
        if not 0 <= self.epsilon < math.inf or (self.look == "private") != (self.epsilon > 0):
            raise ValueError("a private choice has a positive, finite ε, an open one has none")
        if self.candidates < 0 or self.searches < 1:
            raise ValueError("a choice has candidates, and was made once at least")

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; `from_dict` reads them."""
        return dict(vars(self))

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> ParameterSelection:
        """The inverse of `to_dict`; raises KeyError, TypeError or ValueError for anything else."""
        return cls(
            plain["look"],
            float(plain["epsilon"]),
            int(plain["candidates"]),
            int(plain["searches"]),
            str(plain.get("chosen", "")),
        )


def digest_setting(method: str, params: Mapping[str, Any]) -> str:
    """SHA-256 of a method with its parameters, in hexadecimal."""
    return hashlib.sha256(json.dumps([method, params], sort_keys=True).encode()).hexdigest()


def select_privately(
    scores: Sequence[int], sensitivity: int, epsilon: float, rng: Randomness, progress: Progress
) -> int:
    """The place of the chosen score, by permute-and-flip at `epsilon`; O(n log n).

    Parameters
    ----------
    scores
        Whole numbers, each of which one user more raises by at most `sensitivity` and never
        lowers.
    """
    utility = np.asarray(scores, dtype=np.int64)
    if not len(utility) or sensitivity < 1:
        raise ValueError("a choice needs candidates and a sensitivity of one step at least")
    scale = selection_scale(sensitivity, epsilon)
    gaps = utility.max() - utility
    heads = rng.geometric(scale, len(utility), progress) >= gaps
    order = rng.permutation(len(utility))
    return int(order[np.flatnonzero(heads[order])[0]])


def selection_scale(sensitivity: int, epsilon: float) -> float:
    """b = Δ/ε, rounded upwards."""
    if not 0 < epsilon < math.inf:
        raise ValueError("the ε of a choice must be positive and finite")
    return checked_scale(math.nextafter(sensitivity / epsilon, math.inf))
