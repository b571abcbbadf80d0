"""ε from the guesses of one run by the whole trade-off curve of a mechanism (f-DP).

A mechanism is f-DP if for all neighbours P[M(D) ∈ O] ≤ f̄(P[M(D') ∈ O]) for every O, f̄ = 1 − f
increasing and concave. With m coins as in `audit_bounds`, at most c' guesses, and p_i the chance of
exactly i right ones, for every set T of numbers

    Σ_{i∈T} (i/m)·p_i ≤ f̄(Σ_{i∈T} ((c' − i + 1)/m)·p_{i−1}),

(Mahloujifar, Melis & Chaudhuri, ICML 2025, Theorem 3.1 with k = 2). Their Algorithm 3 takes the
sets {i, …, c'} one after the other: if c right guesses or more had the chance τ, then

    r_c = τ·c/m, h_c = τ·(c' − c)/m,
    h_i = max(h_{i+1}, f̄⁻¹(r_{i+1})), r_i = r_{i+1} + i/(c' − i)·(h_i − h_{i+1})

would be what c' guesses have at least, and r_0 + h_0 > c'/m, more than all, is a contradiction:
so many right guesses then have a chance below τ (Theorem 3.2).

*The maximum* stands in the authors' program and not in the printed algorithm. It is sound: with
P_i the chance of i right ones or more, A_i = Σ_{j>i} P_j and R_i = (i·P_i + A_i)/m, the inequality
says (c' − i)·P_i ≥ A_i + m·f̄⁻¹(R_{i+1}), and P_i ≥ P_{i+1} anyway. Both right sides rise in every
P_j, j > i. So by induction P_i is at least what the recursion has, whose chances above c are 0.

*Beside the binomial bound.* Both refute an ε if there are c right guesses or more, for a c that
depends on ε and δ alone. The larger of the two bounds is therefore as sure as either. At δ = 0 the
binomial bound is exact and the one here a little smaller; at m·δ that counts it is far ahead.

*Laplace noise* here is discrete. A number that a user changes by 1 has two privacy losses then, so
its curve is that of (1/b, 0) itself. Continuous Laplace noise leaks less at the same ε: its curve
would accuse the discrete noise too often, and is not used.

Nothing here draws anything. Cost: O(right) for one curve, some dozens of curves for a bound.
"""

import math
from collections.abc import Callable

from auditor.privacy.audit_bounds import CONFIDENCE, check_confidence, find_largest

InverseCurve = Callable[[float], float]
"""f̄⁻¹: the least chance with one neighbour of what has a given chance with the other."""

_LARGEST = 300.0
_ROUNDING = 1e-9


def invert_approximate_curve(epsilon: float, delta: float = 0.0) -> InverseCurve:
    """f̄⁻¹ of all (ε, δ) mechanisms, f̄(x) = min(1, δ + e^ε·x, 1 − e^−ε·(1 − δ − x))."""
    decay, growth = math.exp(-epsilon), math.exp(epsilon)

    def invert(chance: float) -> float:
        return max(0.0, decay * (chance - delta), 1 - delta - growth * (1 - chance))

    return invert


def invert_gaussian_curve(mu: float, besides: float = 0.0) -> InverseCurve:
    """f̄⁻¹ of Gaussian noise whose mean a user moves by μ standard deviations.

    `besides` is the chance of outputs that are not this noise's, such as what a threshold lets
    through: f̄(x) = besides + Φ(Φ⁻¹(x + besides) + μ).
    """
    from scipy.special import ndtr, ndtri

    def invert(chance: float) -> float:
        chance_within = chance - besides
        return (
            max(0.0, float(ndtr(ndtri(chance_within) - mu)) - besides) if chance_within > 0 else 0.0
        )

    return invert


def epsilon_of_gaussian(mu: float, delta: float) -> float:
    """The least ε of Gaussian noise at `delta`: Φ(μ/2 − ε/μ) − e^ε·Φ(−μ/2 − ε/μ) = δ."""
    from scipy.special import log_ndtr, ndtr

    if mu <= 0:
        return 0.0
    if delta <= 0:
        return math.inf

    def exceeds(epsilon: float) -> bool:
        subtracted = math.exp(epsilon + float(log_ndtr(-mu / 2 - epsilon / mu)))
        return float(ndtr(mu / 2 - epsilon / mu)) - subtracted > delta

    return find_largest(exceeds, _LARGEST)


def is_curve_refuted(
    right: int, guesses: int, canaries: int, inverse: InverseCurve, confidence: float = CONFIDENCE
) -> bool:
    """Whether so many right guesses have a chance of at most 1 − `confidence` under a curve.

    Once h stays, all stays, and once the sum is too large it remains so: both end it early.
    """
    if not 0 <= right <= guesses <= canaries:
        raise ValueError("right guesses ≤ guesses ≤ canaries must hold")
    wrong = 1 - check_confidence(confidence)
    if right == 0:
        return False
    largest_share = guesses / canaries * (1 + _ROUNDING)
    r, h = wrong * right / canaries, wrong * (guesses - right) / canaries
    for i in range(right - 1, -1, -1):
        raised = inverse(min(r, 1.0))
        if raised <= h:
            return False
        r += i / (guesses - i) * (raised - h)
        h = raised
        if r + h > largest_share:
            return True
    return False


def one_run_curve_epsilon(
    right: int, guesses: int, canaries: int, *, delta: float = 0.0, confidence: float = CONFIDENCE
) -> float:
    """The largest ε whose (ε, δ) curve the guesses of one run refute; 0 if they refute none."""
    return find_largest(
        lambda epsilon: is_curve_refuted(
            right, guesses, canaries, invert_approximate_curve(epsilon, delta), confidence
        ),
        _LARGEST,
    )


def one_run_gaussian_epsilon(
    right: int, guesses: int, canaries: int, *, delta: float, confidence: float = CONFIDENCE
) -> float:
    """The ε at δ of the most private Gaussian noise that the guesses do not refute.

    Whatever is not this noise's may have a chance of δ besides, so that a threshold's share of δ
    refutes nothing.
    """
    mu = find_largest(
        lambda size: is_curve_refuted(
            right, guesses, canaries, invert_gaussian_curve(size, delta), confidence
        ),
        _LARGEST,
    )
    return epsilon_of_gaussian(mu, delta)
