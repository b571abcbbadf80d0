"""Weights that move from queries that are safe to those that still need them, and why ε holds.

Source: Chen, Cohen-Addad, Epasto and Zadimoghaddam: Scalable private partition selection via
adaptive weighting, ICML 2025 (MAD, and MAD2R in two rounds). The idea is theirs. The constants
here, the rule that screens queries, and the proofs below are our own, and so is any fault in them.

**Weights of one round.** A user u with t open queries (t ≤ q_f) gives ω_u = 1/√t to each. W(i) is
what query i gets of all users, and τ = T + 4σ a ceiling: with that weight the threshold T is passed
but for a chance of 3 × 10⁻⁵. Of what a user gave to i, the share r(i) = max(0, 1 − τ/W(i)) is
excess. Each user gets back e_u = α·Σ r(i)·ω_u over their own queries, α = 1/(2·q_f), and gives it
to *each* of their open queries:

    w(i) = min(W(i), τ) + Σ e_u over the users of i.

**One user more changes w by 1 in ℓ2 at most.** Let v be that user with d open queries, ω = 1/√d.
W grows, so r grows, so every e_u grows. Let y(i) be how much W(i) − min(W(i), τ) grows: at most ω,
and 0 but for v's queries; let Y = Σ y(i). Then w changes by ω − y(i) on v's queries, plus z(i) ≥ 0
anywhere, where z is what is passed on in addition. All that users get back before α is Σ W(i)·r(i),
which grows by Y. A query gets of each of its users once what that user got back: z(i) ≤ αY. A user
gives it to q_f queries at most: Σ z(i) ≤ α·q_f·Y = Y/2, so Σ z(i)² ≤ αY·Y/2. Together

    Σ (ω − y + z)² ≤ Σ (ω − y)² + 2αY·Σ (ω − y) + αY²/2
                  ≤ 1 − Σ y(2ω − y) + 2αY(√d − Y) + αY²/2
                  ≤ 1 − Yω + 2αY√d − (3/2)αY²  ≤  1,

by y ≤ ω, and since 2α√d ≤ √d/q_f ≤ 1/√d = ω. ∎

**Queries of one user alone.** All t of them have one weight in w, since none reaches τ > 1 and all
get the same e_v. The ℓ2 of what v changes is at most 1, so that weight is at most 1/√t: the plain
way's threshold T serves (`privacy.gaussian.union_threshold`).

**Never less than the plain way.** A query with W(i) ≤ τ weighs no less than in the plain way, and
any other passes T but for a chance of P[N ≥ 4σ].

**Whole numbers.** Weights count in steps of 1/2³⁷. ω_u is rounded down, for which the proof holds
as it stands (with ω for 1/√d, Σ ω² ≤ 1). e_u is rounded down, by less than one step, and by 2⁻⁵³ of
itself a few times before. The error of w(i) is below 1.01 steps a user of i; over all queries its
ℓ2 is below 1.01·√(n·p) steps for n users with p queries in all. With n ≤ 2²² and p ≤ 2³⁰ that is
less than 2⁻¹⁰ of a weight of 1, so σ is taken larger by that share. Larger logs are refused.

**Screening (two rounds).** The first round has 35 % of the budget for finding. It finds what
reaches its threshold; and what stays below T₂ − 2.5σ₁, T₂ the second round's threshold, is closed,
so that the second round's weight goes to queries which have a chance. Closing by the noisy weights
costs nothing: think of noise on *every* query of D', the log with v. Those vectors of both rounds
are ρ₁ + ρ₂ together, adaptively, since given the first, each user's open queries are their own
matter and the proof above holds for the second. What is released is a function f of them, cut to
the queries of D. Let A be that no query of v alone passes a threshold; P[not A] ≤ δ/2 in both logs,
as its weight without v is 0. So for every set S of outputs, with δ₀ of the noise,

    P'(S) ≤ P'(f ∈ S, A) + δ/2 ≤ e^ε P(f ∈ S) + δ₀ + δ/2 = e^ε P(S) + δ₀ + δ/2,
    P(S) ≤ P(f ∈ S, A) + δ/2 ≤ e^ε P'(f ∈ S, A) + δ₀ + δ/2 ≤ e^ε P'(S) + δ₀ + δ/2. ∎

It is not true of screening that it never finds less: a query may fall below by bad luck. Where most
of what users issue is hopeless, as in every log looked at, it finds about twice as many.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from auditor.arrays import Int64s, UInt8s
from auditor.errors import ParameterError
from auditor.log.model import QueryLog
from auditor.log.sentences import sentence
from auditor.methods.noisy_counts.histograms import LimitedCounts, user_blocks
from auditor.privacy import gaussian
from auditor.progress import Progress

if TYPE_CHECKING:
    from auditor.methods.set_union.kernels import WeightShares

GRID = 1 << 37
"""Steps of a weight of 1: finer than `gaussian.GRID`, so that rounding costs nearly nothing."""
SLACK = 2.0**-10
"""By this share σ is larger than without rounding."""
CEILING = 4.0
"""Weight above the threshold and so many σ is passed on."""
SCREEN_SHARE = 0.35
"""What the screening round gets of the budget for finding."""
SCREEN_DEPTH = 2.5
"""Queries so many σ of the first round below the second one's threshold are closed."""
MOST_USERS, MOST_ROWS = 1 << 22, 1 << 30

BLOCK_ROWS = 1 << 21


def check_size(log: QueryLog) -> None:
    """Refuse a log whose rounding errors are not covered."""
    if len(log.users) > MOST_USERS or len(log) > MOST_ROWS:
        raise ParameterError(
            "weighting",
            sentence("set_union.adaptive_weights_proven_users", users=MOST_USERS, rows=MOST_ROWS),
        )


def weigh_evenly(
    log: QueryLog,
    limited: LimitedCounts,
    most: int,
    closed: UInt8s,
    progress: Progress,
    grid: int = gaussian.GRID,
) -> Int64s:
    """What all users give each open query; int64 steps of 1/`grid`, shape (queries,)."""
    from auditor.methods.set_union import kernels

    total = np.zeros(len(log.queries), dtype=np.int64)
    shares = _prepare_shares(log, closed, most, grid)
    histories = kernels.LimitedHistories(log.query, log.user_starts, limited.stops)
    for first, last in user_blocks(log, "weighing queries", progress, BLOCK_ROWS):
        kernels.spread_weights(histories, first, last, shares, total)
    return total


def weigh_adaptively(
    log: QueryLog,
    limited: LimitedCounts,
    most: int,
    closed: UInt8s,
    ceiling: int,
    progress: Progress,
) -> Int64s:
    """The weights w of the module's text, in steps of 1/`GRID`; int64, shape (queries,)."""
    from auditor.methods.set_union import kernels

    check_size(log)
    total = weigh_evenly(log, limited, most, closed, progress, GRID)
    above = np.maximum(total - ceiling, 0)
    if not above.any():
        return total
    excess = above / np.maximum(total, 1)
    found = total - above
    shares = _prepare_shares(log, closed, most, GRID)
    histories = kernels.LimitedHistories(log.query, log.user_starts, limited.stops)
    for first, last in user_blocks(log, "passing weight on", progress, BLOCK_ROWS):
        kernels.pass_on_excess(histories, first, last, shares, excess, most, found)
    return found


def _prepare_shares(log: QueryLog, closed: UInt8s, most: int, grid: int) -> WeightShares:
    from auditor.methods.set_union import kernels

    mark = np.full(len(log.queries), -1, dtype=np.int32)
    return kernels.WeightShares(closed, gaussian.item_weights(most, grid), mark)
