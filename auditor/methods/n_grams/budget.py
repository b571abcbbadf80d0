"""What is wanted of n-grams, and how (ε, δ) is spent on the lengths; the proof.

**The method.** The candidates of length 1 are all words; those of length n + 1 are the runs of
n + 1 words both of whose runs of n words were released. A user with t ≥ 1 candidates of a length
among the first q_f of their history gives ⌊G/√t⌋ to each, G = 2²⁰. Every n-gram that was given
weight gets a discrete Gaussian of scale σ_n, and is released with the sum if that reaches the whole
number T_n, which `gaussian.union_threshold` finds so that a user whose t ≤ q_f n-grams nobody else
gives weight shows any of them with a chance of δ_n at most.

**Claim.** With ρ_n = G²/2σ_n², ρ = Σ ρ_n and δ₀ = `gaussian.delta_of(ρ, ε)`, all lengths together
are (ε, δ₀ + Σ δ_n) between a log D and D', which is D and one user v more, both ways round.

**Proof.** Let U be the n-grams of D (of all lengths), and Z = (Z_1, …, Z_L) the noisy sums of
*every* n-gram of D', those without weight included. Which are candidates of length n + 1 shall be
decided by f(Z_1), …, f(Z_n), where f takes what is in U and reaches the threshold. Given Z_1, …,
Z_{n−1}, the candidates are the same in D and D', each user's part depends on their own history
and the candidates alone, and v adds ⌊G/√t⌋ to t sums: an ℓ2 of G at most. So Z_n costs ρ_n of
concentrated differential privacy, and Z costs ρ (composition where each part depends on earlier
ones: Bun and Steinke 2016); Z of D and of D' are (ε, δ₀) from each other, both ways round.

With D the method's output is f(Z): an n-gram outside U gets no weight there. Let A be that no
n-gram outside U reaches its threshold. On A the output with D' is f(Z), too. With D' an n-gram
outside U has weight of v alone, ⌊G/√t⌋ where v has t candidates, and there are t of these at most:
given all before, one passes with a chance of δ_n. With D its weight is 0, and the chance no larger.
So P[not A] ≤ Σ δ_n in both, and for every set S of outputs

    P'(S) ≤ P'(f ∈ S, A) + Σ δ_n ≤ e^ε P(f ∈ S) + δ₀ + Σ δ_n = e^ε P(S) + δ₀ + Σ δ_n,
    P(S) ≤ P(f ∈ S, A) + Σ δ_n ≤ e^ε P'(f ∈ S, A) + δ₀ + Σ δ_n ≤ e^ε P'(S) + δ₀ + Σ δ_n. ∎

The sums are part of f, so that releasing them costs nothing more. They are no numbers of users: a
user gives 1 to a single n-gram, and 1/√t to each of t.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass

from auditor.methods.noisy_counts.budget_fields import delta_field, epsilon_field
from auditor.methods.noisy_counts.period_units import periods_field, unit_field
from auditor.methods.safelog.params import user_limit
from auditor.methods.suppression import suppress_field
from auditor.params import Params, integer
from auditor.privacy import gaussian


@dataclass(frozen=True, kw_only=True)
class NgramParams(Params, owner="n-grams"):
    """What is wanted, how long n-grams become, and how much of each user counts."""

    epsilon: float = epsilon_field(
        "How much one user's history may change the chance of a release, as a factor e^ε."
    )
    delta: float = delta_field(
        "The probability that ε doesn't hold. Half of it covers n-grams of a single user."
    )
    longest: int = integer(
        3,
        1,
        8,
        label="Longest n-gram (n)",
        help="Releases runs of one word up to so many. All lengths share the budget, so fewer "
        "of each are found the more lengths there are.",
        unit="words",
        slider=(1, 8),
    )
    q_f: int = user_limit(
        50,
        label="n-grams counted per user and length (q_f)",
        help="Counts at most this many distinct candidates of each length of every user, the "
        "first ones. A user's weight is shared among them.",
        unit="n-grams",
    )
    unit: str = unit_field()
    periods: int | None = periods_field()
    suppress: str = suppress_field()


@dataclass(frozen=True)
class NgramNoise:
    """Noise and threshold of every length in steps of 1/`gaussian.GRID`, and what all cost."""

    sigma: float
    threshold: int
    rho: float
    delta: float


@functools.lru_cache(maxsize=256)
def derive_noise(params: NgramParams) -> NgramNoise:
    """Spend (ε, δ/2) on noise and δ/2 on thresholds, the same for each length; O(q_f).

    Lengths share alike: with half of it for the first, and half of the rest for the next, and so
    on, more words are found and fewer pairs, and with the reverse fewer of both.
    """
    rho = gaussian.rho_for(params.epsilon, params.delta / 2)
    sigma = float(gaussian.GRID / math.sqrt(2 * rho / params.longest))
    threshold = gaussian.union_threshold(sigma, params.delta / 2 / params.longest, params.q_f)
    delta = gaussian.delta_of(rho, params.epsilon) + params.delta / 2
    return NgramNoise(sigma, threshold, rho, min(1.0, delta))
