"""How much ε an experiment shows: lower bounds from what two neighbouring logs gave.

A mechanism is (ε, δ)-differentially private if P[O | D] ≤ e^ε P[O | D'] + δ for all neighbours and
every set O of outputs. So one O of which the chances are known to be at least p and at most q
refutes every ε < ln((p − δ)/q). Chances are bounded by Clopper and Pearson's exact intervals, and
O is chosen on one half of the trials and counted on the other: on the same half the best of many
events would look better than it is.

*What can't be seen.* With n trials a side p is never known to be above (α/2)^(1/n) nor q below
1 − (α/2)^(1/n), so nothing above `resolution_limit` can be shown: at 95 % it is 5.6, 7.9, 10.2,
12.5 for n = 10³, 10⁴, 10⁵, 10⁶. A claim above it is never confirmed by silence.

*One run* (Steinke, Nasr & Jagielski 2023). Put each of m users in or leave them out by a fair coin,
look at one output, and guess r of the coins. Under (ε, δ) the number of right guesses W has

    P[W ≥ v] ≤ f(v) + 2mδ · max over i of (f(v − i) − f(v))/i,

f(v) = P[Binomial(r, e^ε/(1 + e^ε)) ≥ v], however the users' parts of the output hang together.
r must not depend on the output.

A bound is about what was tried: a mechanism may leak more elsewhere. Nothing here draws anything.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from auditor.arrays import Bools, Float64s, Int64s
from auditor.messages import phrase

CONFIDENCE = 0.95
MOST_THRESHOLDS = 512
"""So many places to cut are tried for an event; a finer choice gains nothing."""
_LARGEST = 700.0


def clopper_pearson(
    hits: ArrayLike, trials: ArrayLike, confidence: float = CONFIDENCE
) -> tuple[Float64s, Float64s]:
    """Exact two-sided interval of a chance; shape of `hits`. (0, 1) without trials.

    Neither count has to be whole: surveys put an effective sample size in the place of `trials`.
    """
    from scipy.special import betaincinv

    k, n = np.broadcast_arrays(np.asarray(hits, np.float64), np.asarray(trials, np.float64))
    if np.any((k < 0) | (k > n)):
        raise ValueError("hits must be between 0 and the number of trials")
    tail = (1 - check_confidence(confidence)) / 2
    low = np.where(k > 0, betaincinv(np.where(k > 0, k, 1), n - k + 1, tail), 0.0)
    high = np.where(k < n, betaincinv(k + 1, np.where(k < n, n - k, 1), 1 - tail), 1.0)
    return low, high


def epsilon_at_least(
    hits: ArrayLike,
    trials: ArrayLike,
    other_hits: ArrayLike,
    other_trials: ArrayLike,
    *,
    delta: float = 0.0,
    confidence: float = CONFIDENCE,
) -> Float64s:
    """The ε that an event refutes: ln((p − δ)/q) with p from below and q from above; 0 if none.

    Both ends are wrong together with a chance of at most 1 − `confidence`. Shape of `hits`.
    """
    low = clopper_pearson(hits, trials, confidence)[0] - _check_delta(delta)
    high = clopper_pearson(other_hits, other_trials, confidence)[1]
    with np.errstate(divide="ignore", invalid="ignore"):
        bound = np.log(np.where(low > 0, low, 0.0)) - np.log(high)
    epsilon: Float64s = np.maximum(bound, 0.0)
    return epsilon


def gaussian_shift_at_least(
    hits: ArrayLike,
    trials: ArrayLike,
    other_hits: ArrayLike,
    other_trials: ArrayLike,
    *,
    delta: float = 0.0,
    confidence: float = CONFIDENCE,
) -> Float64s:
    """By how many standard deviations Gaussian noise must be moved to show this event; 0 if none.

    The same interval as above on p and q. Such noise has p ≤ δ + Φ(Φ⁻¹(q + δ) + μ), where δ is the
    chance of outputs that are not this noise's. Shape of `hits`.
    """
    from scipy.special import ndtri

    low = clopper_pearson(hits, trials, confidence)[0] - _check_delta(delta)
    high = clopper_pearson(other_hits, other_trials, confidence)[1] + delta
    moved = ndtri(np.clip(low, 0.0, 1.0)) - ndtri(np.clip(high, 0.0, 1.0))
    shift: Float64s = np.maximum(np.nan_to_num(moved, nan=0.0, neginf=0.0), 0.0)
    return shift


def resolution_limit(
    trials: int,
    other_trials: int | None = None,
    *,
    delta: float = 0.0,
    confidence: float = CONFIDENCE,
) -> float:
    """The largest ε that so many trials a side can show: all of them against none."""
    trials_without = trials if other_trials is None else other_trials
    return float(
        epsilon_at_least(trials, trials, 0, trials_without, delta=delta, confidence=confidence)
    )


@dataclass(frozen=True)
class OutputEvent:
    """Outputs whose statistic is ≥ `threshold` (`above`) or ≤ it.

    `forward` says that it is likelier with the user in the log than without.
    """

    threshold: float
    above: bool
    forward: bool

    def has_occurred(self, statistic: Float64s) -> Bools:
        """In which trials it did; shape of `statistic`."""
        reached = statistic >= self.threshold if self.above else statistic <= self.threshold
        return np.asarray(reached, dtype=np.bool_)

    def order_by_likelihood(
        self, with_user: Float64s, without_user: Float64s
    ) -> tuple[Bools, Bools]:
        """It on the side where it is likelier, and on the other."""
        sides = self.has_occurred(with_user), self.has_occurred(without_user)
        return sides if self.forward else (sides[1], sides[0])


def choose_event(
    with_user: Float64s,
    without_user: Float64s,
    *,
    delta: float = 0.0,
    confidence: float = CONFIDENCE,
    bound: Callable[..., Float64s] = epsilon_at_least,
) -> OutputEvent:
    """The event on a statistic that shows most on these trials, by a `bound`; O(n log n).

    Where none shows anything yet, the one whose frequencies are furthest apart for their size.
    """
    if not len(with_user) or not len(without_user):
        raise ValueError("an event needs trials on both sides")
    ordered = np.sort(with_user), np.sort(without_user)
    values = np.sort(np.concatenate(ordered))
    cuts = np.unique(values)
    if len(cuts) > MOST_THRESHOLDS:
        places = np.linspace(0, len(values) - 1, MOST_THRESHOLDS).astype(np.int64)
        cuts = np.unique(values[places])
    best: tuple[float, float] = (-1.0, -1.0)
    event = OutputEvent(float(cuts[0]), above=True, forward=True)
    for above in (True, False):
        side = [
            len(part) - np.searchsorted(part, cuts, "left")
            if above
            else np.searchsorted(part, cuts, "right")
            for part in ordered
        ]
        for forward in (True, False):
            (k, n), (j, m) = ((side[0], len(with_user)), (side[1], len(without_user)))[
                :: 1 if forward else -1
            ]
            bounds = bound(k, n, j, m, delta=delta, confidence=confidence)
            middle = (k + j + 1) / (n + m + 2)
            error = np.sqrt(middle * (1 - middle) * (1 / n + 1 / m))
            # By how many standard errors p − δ lies above q.
            standard_errors = (k / n - delta - j / m) / error
            order = np.lexsort((standard_errors, bounds))
            index = int(order[-1])
            if (float(bounds[index]), float(standard_errors[index])) > best:
                best = float(bounds[index]), float(standard_errors[index])
                event = OutputEvent(float(cuts[index]), above=above, forward=forward)
    return event


def epsilon_of_event(
    event: OutputEvent,
    with_user: Float64s,
    without_user: Float64s,
    *,
    delta: float = 0.0,
    confidence: float = CONFIDENCE,
    bound: Callable[..., Float64s] = epsilon_at_least,
) -> float:
    """What an event shows on trials that it was not chosen on."""
    likely, other = event.order_by_likelihood(with_user, without_user)
    counts = (int(likely.sum()), len(likely), int(other.sum()), len(other))
    return float(bound(*counts, delta=delta, confidence=confidence))


def impossible_share(hits: int, trials: int, confidence: float = CONFIDENCE) -> float:
    """At least this chance has an output that the neighbour can't give, from its frequency.

    Where it is above δ no ε holds at all; a claim with this event needs a δ of at least it. The
    bound is one-sided: nothing has to be estimated of the neighbour.
    """
    return float(clopper_pearson(hits, trials, 2 * check_confidence(confidence) - 1)[0])


def impossible_share_of_many(hits: int, users: int, confidence: float = CONFIDENCE) -> float:
    """The same of `users` who are in one output together, of whom `hits` have a string in it.

    Their strings may come out together, so no interval of independent trials holds. But if each
    comes out with a chance of δ at most, δ·users are expected, and by Markov's inequality so many
    `hits` or more have a chance of δ·users/hits at most.
    """
    return (1 - check_confidence(confidence)) * hits / users


# One run ------------------------------------------------------------------------------------


def one_run_p_value(
    right: int, guesses: int, canaries: int, epsilon: float, delta: float = 0.0
) -> float:
    """The chance under (ε, δ) of so many right guesses or more, from above; O(right)."""
    from scipy.special import bdtr, bdtrc

    if not 0 <= right <= guesses <= canaries:
        raise ValueError("right guesses ≤ guesses ≤ canaries must hold")
    q = 1 / (1 + math.exp(-epsilon))
    if right == 0:
        return 1.0
    reached = float(bdtrc(right - 1, guesses, q))
    if delta > 0:
        steps = np.arange(1, right + 1)
        below = bdtr(right - 1, guesses, q) - np.where(
            steps < right, bdtr(np.maximum(right - 1 - steps, 0), guesses, q), 0.0
        )
        reached += 2 * canaries * _check_delta(delta) * float(np.max(below / steps))
    return min(1.0, reached)


def one_run_epsilon(
    right: int, guesses: int, canaries: int, *, delta: float = 0.0, confidence: float = CONFIDENCE
) -> float:
    """The largest ε that guesses of one run refute; 0 if they refute none.

    To refute one ε at δ is to refute all smaller ones, so any crossing of the p-value will do.
    """
    wrong = 1 - check_confidence(confidence)

    def is_refuted(epsilon: float) -> bool:
        return one_run_p_value(right, guesses, canaries, epsilon, delta) <= wrong

    return 0.0 if guesses == 0 else find_largest(is_refuted, _LARGEST)


def find_largest(holds: Callable[[float], bool], upper_limit: float) -> float:
    """The end of an interval from 0 where something holds, from within; 0 if it never does.

    It is looked for up to twice as far as `upper_limit`.
    """
    if not holds(0.0):
        return 0.0
    low, high = 0.0, 1.0
    while high < upper_limit and holds(high):
        low, high = high, 2 * high
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low


def guess_canaries(
    event: OutputEvent, statistic: Float64s, guesses: int, rng: np.random.Generator
) -> tuple[Int64s, bool]:
    """The `guesses` canaries whose statistic lies deepest in the event, and the coin guessed.

    Ties are broken at random, never by where a canary stands. Shape (guesses,).
    """
    depth = statistic if event.above else -statistic
    order = np.lexsort((rng.random(len(depth)), -depth))
    return order[:guesses].astype(np.int64), event.forward


def safe_guesses(event: OutputEvent, statistic: Float64s, count: int) -> int:
    """How many of `count` other canaries will surely enough be in the event, by these ones.

    Three standard deviations below what is expected, so that hardly ever a canary outside the
    event has to be guessed; at least one.
    """
    if not len(statistic):
        return 0
    expected = count * float(np.mean(event.has_occurred(statistic)))
    return max(1, min(count, math.floor(expected - 3 * math.sqrt(expected))))


def check_confidence(confidence: float) -> float:
    """The confidence if it can be one; raises ValueError otherwise."""
    if not 0 < confidence < 1:
        raise ValueError(
            phrase("a confidence must be in (0, 1), not {confidence:g}", confidence=confidence)
        )
    return confidence


def _check_delta(delta: float) -> float:
    if not 0 <= delta <= 1:
        raise ValueError(phrase("delta must be in [0, 1], not {delta:g}", delta=delta))
    return delta
