"""Sampling users before a release: one coin for each, and what that does to (ε, δ).

**Sampling.** Of every user a coin of their own, with chance p, decides whether their whole history
is in the sample S (Poisson sampling). One user more changes nobody else's coin. A sample of a fixed
size lacks that: one user more displaces another, two counts change at once, and no ε of the method
bounds it.

**Claim.** If a method M is (ε, δ) for logs of which one has one user more, both ways round, then M
on the sample is (ε', δ') for such logs, with ε' = ln(1 + p(e^ε − 1)) and δ' = pδ. The same holds
for exchanging one user's history for another's if M is (ε, δ) for both kinds of neighbours.

**Proof** (Balle, Barthe and Gaboardi 2018). Write α = e^ε, α' = e^ε' = 1 + p(α − 1), β = α'/α,
and D_a(P ‖ Q) = max over O of P(O) − a·Q(O), which is jointly convex; M is (ε, δ) iff D_α ≤ δ. Fix
the coins of all others: their law is the same for both logs, so by convexity it suffices to prove
it for each such sample S. Call ν₀ the law of M(S), ν₁ that of M(S + user), μ = (1 − p)ν₀ + pν₁.

*User gone.* μ − α'ν₀ = p(ν₁ − ν₀) − p(α − 1)ν₀ = p(ν₁ − αν₀), so D_α'(μ ‖ ν₀) = p·D_α(ν₁ ‖ ν₀)
≤ pδ: an equality, so that nothing smaller holds if M's (ε, δ) is exact.
*User added.* α'(1 − p) − (1 − p) = p(α − 1)(1 − p), so ν₀ − α'μ = p(ν₀ − α((1 − β)ν₀ + βν₁)),
by αβ = α' and α(1 − β) = α − α' = (1 − p)(α − 1); hence D_α'(ν₀ ‖ μ) ≤ pβ·D_α(ν₀ ‖ ν₁) ≤ pδ, since
D_α(ν₀ ‖ ν₀) = 0.
*User exchanged*, ν₁' in place of ν₁ and μ' likewise: μ − α'μ' = p(ν₁ − α((1 − β)ν₀ + βν₁')), whose
positive part is at most p((1 − β)·D_α(ν₁ ‖ ν₀) + β·D_α(ν₁ ‖ ν₁')) ≤ pδ. ∎

The whole method runs on one sample, so its whole (ε, δ) is amplified once, however many tables and
rounds it has. The claim holds at every ε of the method, so a smaller ε that an accountant finds at
another δ is amplified in the same way; for one noisy number this is the subsampled privacy loss
distribution itself.

**A period of a user.** Let M be (ε, δ) for logs of which one has one day (week, month) of one user
more, the user being there with other periods or not. One coin takes or leaves all periods of a user
together. Fix the coins of all others; ν₀ is the law of M without the user, ν₁ and ν₁' those with
the user and with or without the period. μ = (1 − p)ν₀ + pν₁, μ' likewise, so μ − e^ε μ' =
(1 − p)(1 − e^ε)ν₀ + p(ν₁ − e^ε ν₁') ≤ p(ν₁ − e^ε ν₁'), and D(μ ‖ μ') ≤ pδ: the sample is (ε, pδ).
No smaller ε holds in general: where the user's other periods alone show that the coin took the
user, ν₀ shares no outcome with ν₁ and ν₁', which are what is left of μ and μ', both with weight p.
But a whole history, protected by some (ε_h, δ_h) without the sample, is amplified as above. ∎

**What the smaller ε rests on.** Nobody learns who is in the sample. For somebody who is known to be
in it the method's own (ε, δ) holds, and for somebody who is known to be left out nothing is shown.
"""

import math

from auditor.arrays import Bools
from auditor.errors import ParameterError
from auditor.log.sentences import sentence
from auditor.privacy.randomness import Randomness

_BITS = 53
LEAST_SHARE = 1e-9
"""A smaller share is refused: of no log that anybody has would a user be left."""


def amplified_epsilon(epsilon: float, share: float) -> float:
    """ε' = ln(1 + p(e^ε − 1)); infinite for an infinite ε."""
    checked_share(share)
    if epsilon < 700:
        return math.log1p(share * math.expm1(epsilon))
    return epsilon + math.log(share + (1 - share) * math.exp(-epsilon))


def amplified_delta(delta: float, share: float) -> float:
    """δ' = pδ."""
    return checked_share(share) * delta


def draw_coins(users: int, share: float, rng: Randomness) -> Bools:
    """Which users are in the sample: one coin each; shape (users,).

    `share` is taken down to a multiple of 2⁻⁵³, so that the coin is exact and no user is taken
    more often than stated; the stated (ε', δ') only grows with the share.
    """
    below = math.floor(checked_share(share) * (1 << _BITS))
    return rng.integers(1 << _BITS, users) < below


def checked_share(share: float) -> float:
    """`share` if it is a chance that users can be taken with; `ParameterError` otherwise."""
    if not LEAST_SHARE <= share <= 1:
        raise ParameterError("sample_users", sentence("sampling.share", least_share=LEAST_SHARE))
    return share
