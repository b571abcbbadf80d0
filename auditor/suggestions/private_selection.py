"""Choosing a setting by the log itself so that ε covers the choice, and saying about what it gives.

The candidates come from the policy and the number of users, which is taken for public. Each gets a
score in whole steps that one user more raises by at most Δ and never lowers; `privacy.selection`
then chooses. Scores are sums over queries of a fixed table F of the query's noiseless number, so
what one user can add is known exactly, to the last step:

* A method that compares the number c of users within a limit of L queries with a threshold:
  F(c) = P[c + X ≥ K], for distinct queries, or c·P[c + X ≥ K], for searches (each user once a
  query). One user raises at most L numbers by 1 each: Δ = L·max (F(c + 1) − F(c)).
* Set union, first round: the number w is Σ 1/√t over the users who have the query, t how many they
  have. F(w) = P[w + N ≥ T]. A user with t ≤ L queries raises each by 1/√t:
  Δ = max over t of t·max (F(w + 1/√t) − F(w)). For searches, c·F(w), where c ≤ w·√L, since nobody
  gives less than 1/√L: Δ = max over t of t·(1 + max w·√L·(F(w + 1/√t) − F(w))).

F is rounded down to steps of 1/1,024, made to rise, and is the same array whatever the log holds.
All candidates share the largest Δ. So a candidate whose expected number of queries is best by a
few times Δ/ε is found; which of two nearly equal ones is chosen is left to chance.

Afterwards the chosen one's score goes out with discrete Laplace noise, of its own Δ over what is
left of ε. The two add up.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from auditor.arrays import Float64s, Int64s
from auditor.errors import MissingInput, ParameterError
from auditor.log.model import QueryLog
from auditor.log.sentences import sentence
from auditor.messages import phrase
from auditor.methods.noisy_counts.histograms import ContributionLimits, CountingUnit, limit_users
from auditor.methods.setting_families import FirstWeights, PassingLaw
from auditor.params import Params
from auditor.privacy.randomness import Randomness
from auditor.privacy.selection import select_privately, selection_scale
from auditor.progress import Progress
from auditor.suggestions.candidates import SearchCandidate
from auditor.suggestions.estimates import law_of, suppressed_queries, weight_law_of
from auditor.suggestions.request import check_private_goal

STEPS = 1 << 10
"""Steps of a score that one query, or one search, is worth."""
SHIFT = 12
"""Weights of a set union are looked up by 2¹² of their 2²⁰ steps."""
ESTIMATE_SHARE = 0.2
"""How much of ε goes to the estimate; the rest chooses."""


@dataclass(frozen=True)
class PrivateScore:
    """A candidate's score in steps, and by how much one user more raises it at most."""

    score: int
    sensitivity: int


@dataclass(frozen=True)
class PrivateChoice:
    """What went out of the log: the place of the chosen candidate, and its noisy score.

    `score` is its expected queries, or searches, with noise, of which 95 % are within `error`. A
    candidate that is better than all others by `resolution` is chosen in 95 % of the cases.
    """

    place: int
    score: float
    error: float
    resolution: float


def choose_candidate(
    log: QueryLog,
    candidates: Sequence[SearchCandidate],
    goal: str,
    epsilon: float,
    rng: Randomness,
    progress: Progress,
) -> PrivateChoice:
    """Choose by the log within `epsilon`; O(rows) for each limit per user, and O(candidates).

    Raises `ParameterError` for a goal whose score one user changes by much, and `MissingInput`
    where there is no candidate.
    """
    check_private_goal(goal)
    if not candidates:
        raise MissingInput(sentence("private_choice.no_epsilon"))
    scores = score_candidates(log, candidates, goal, progress)
    largest = max(score.sensitivity for score in scores)
    choosing, telling = epsilon * (1 - ESTIMATE_SHARE), epsilon * ESTIMATE_SHARE
    place = select_privately([score.score for score in scores], largest, choosing, rng, progress)
    candidate_score = scores[place]
    scale = selection_scale(candidate_score.sensitivity, telling)
    noisy = candidate_score.score + int(rng.discrete_laplace(scale, 1, progress)[0])
    return PrivateChoice(
        place=place,
        score=max(noisy, 0) / STEPS,
        error=scale * math.log(20) / STEPS,
        resolution=selection_scale(largest, choosing)
        * math.log(20 * max(len(candidates) - 1, 1))
        / STEPS,
    )


def score_candidates(
    log: QueryLog, candidates: Sequence[SearchCandidate], goal: str, progress: Progress
) -> list[PrivateScore]:
    """The score and the sensitivity of every candidate."""
    progress.stage("comparing settings", len(candidates))
    return [score_candidate(log, candidate.params, goal, progress) for candidate in candidates]


def score_candidate(log: QueryLog, params: Params, goal: str, progress: Progress) -> PrivateScore:
    """One candidate's score of a goal, which is "queries" or "volume"."""
    progress.check()
    if (shared := weight_law_of(params)) is not None:
        if shared.first is None:
            raise ParameterError(
                "rounds", "Only one round of a set union with even weights has a bounded score."
            )
        weights, users = shared.first.count(log, progress)
        table = weight_table(shared.first)
        weights[suppressed_queries(log, params, progress)] = 0
        values = table[np.minimum(weights >> SHIFT, len(table) - 1)]
        if goal == "volume":
            values = values * users
        return PrivateScore(int(values.sum()), weight_sensitivity(shared.first, table, goal))
    law = law_of(params)
    if law is None or law.least is None:
        raise ParameterError(
            "methods", phrase("{owner} has no score that one user bounds.", owner=params.owner)
        )
    limits = ContributionLimits(CountingUnit.USERS, law.limit, 1)
    counts = limit_users(log, limits, progress).query_count.astype(np.int64)
    counts[suppressed_queries(log, params, progress)] = 0  # by their text alone
    table = count_table(law, goal)
    top = len(table) - 1
    score = int(table[np.minimum(counts, top)].sum())
    step = int(np.diff(table).max())
    if goal == "volume":  # beyond the table every user more is worth a whole search
        score += STEPS * int(np.maximum(counts - top, 0).sum())
        step = max(step, STEPS)
    return PrivateScore(score, max(law.limit * step, 1))


def count_table(law: PassingLaw, goal: str) -> Int64s:
    """F of each number of users, in steps; 0 at 0, rising, whole or nearly so at its end."""
    assert law.least is not None
    top = math.ceil(law.least + 40 * law.scale) + 1
    counts = np.arange(top + 1, dtype=np.float64)
    passes = law.chance(counts)
    passes[0] = 0.0  # a query that nobody issued isn't there
    return _compute_steps(passes * counts if goal == "volume" else passes)


def weight_table(law: FirstWeights) -> Int64s:
    """F of each weight, by `SHIFT`, in steps: the chance to be found in the only round."""
    from scipy.special import ndtr

    top = math.ceil((law.threshold + 9 * law.sigma) / (1 << SHIFT)) + 1
    weights = np.arange(top + 1, dtype=np.float64) * (1 << SHIFT)
    passes: Float64s = ndtr((weights - law.threshold) / law.sigma)
    passes[0] = 0.0
    return _compute_steps(passes)


def _compute_steps(values: Float64s) -> Int64s:
    return np.maximum.accumulate(np.floor(values * STEPS).astype(np.int64))


def weight_sensitivity(law: FirstWeights, table: Int64s, goal: str) -> int:
    """By how many steps one user more raises the score at most."""
    parts = law.parts
    least = int(parts[-1])
    places = np.arange(len(table), dtype=np.int64)
    # No more users than this can have brought a weight to its place, the next one not included.
    crowd = ((places + 1) << SHIFT) // least
    largest = 0
    for t in range(1, len(parts)):
        ahead = -(-int(parts[t]) // (1 << SHIFT))
        rise = table[np.minimum(places + ahead, len(table) - 1)] - table
        if goal == "volume":
            largest = max(largest, t * (STEPS + int((crowd * rise).max())))
        else:
            largest = max(largest, t * int(rise.max()))
    return max(largest, 1)
