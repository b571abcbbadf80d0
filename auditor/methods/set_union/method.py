"""Set union: as many queries as (ε, δ) can buy, found in rounds of weights and Gaussian noise.

Source: Gopi, Gulhane, Kulkarni, Shen, Shokouhi and Yekhanin: Differentially private set union,
ICML 2020 (one round: weights 1/√t, Gaussian noise, threshold); Swanberg, Desfontaines and Haney:
DP-SIPS, PoPETs 2023 (several rounds: what is found leaves the users' lists, so that their weight
goes to what is still to be found); Chen, Cohen-Addad, Epasto and Zadimoghaddam: Scalable private
partition selection via adaptive weighting, ICML 2025 (MAD, and MAD2R in two rounds: weight that
popular queries don't need goes elsewhere, and a first round says what is hopeless). The idea of
these weights is theirs; the constants here, the rule that screens queries, and the proofs below are
our own, and so is any fault in them. The method is there to show what the budget of another one
could buy: it spends as much of it on which queries are released as the analyst wishes, and the rest
on how many users issued each of them.

Each round with even weights, a user of whose first `q_f` queries t are not found yet adds ⌊2²⁰/√t⌋
to each of them: an ℓ2 of 2²⁰ at most, whatever others do. Every weight gets a discrete Gaussian,
and what reaches the threshold is found. The rounds are approximate concentrated DP, each ρ with a
chance δ that a query of one user alone passes; a later one depends on the earlier by their noisy
weights only, so both add up. See `privacy/gaussian.py` for ρ, (ε, δ) and the threshold on whole
numbers.

Cost: O(rows · rounds), and one draw of noise for every query of the limited histories and round:
about 10 µs each from the secure sampler, so a log of five million such queries takes minutes.

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

**How likely each query is found**, without a run. The first round's weights follow from the log.
What later rounds give a query depends on which of its users' other queries are still open; its
weight there is taken to be the mean over that, and the query itself to be open, which it has to be
in order to be found. So nothing is drawn: the chance of a query that is seldom left open by a
screening is as exact as that of any other.
"""

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from auditor.arrays import Bools, Float32s, Float64s, Int64s, UInt8s
from auditor.errors import ParameterError
from auditor.figures import MetricValue
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import QueryLog
from auditor.log.sentences import sentence
from auditor.messages import as_phrase, phrase
from auditor.methods import statements as words
from auditor.methods.base import ExpectedRelease, Method, SparkSupport
from auditor.methods.explanation.explanation import (
    Explanation,
    ExplanationRequest,
    TurningPoint,
    find_occurrences,
    find_turning_points,
)
from auditor.methods.faults import Fault, scale_budget, weaken_noise, widen_limit
from auditor.methods.noisy_counts import outlook
from auditor.methods.noisy_counts.counting import in_words
from auditor.methods.noisy_counts.expectations import extrapolate_users, share_of_searches
from auditor.methods.noisy_counts.grouped_queries import NO_GROUPS
from auditor.methods.noisy_counts.histograms import (
    ContributionLimits,
    CountingUnit,
    LimitedCounts,
    assemble_tables,
    choose_queries,
    limit_users,
)
from auditor.methods.noisy_counts.outlook import metric_of_searches
from auditor.methods.set_union import kernels
from auditor.methods.set_union.kernels import LimitedHistories, WeightShares
from auditor.methods.setting_families import FirstWeights, SettingFamily, WeightLaw
from auditor.params import ParamOption, Params, choice
from auditor.privacy import count_error, gaussian
from auditor.privacy.randomness import LARGEST_SCALE, Randomness
from auditor.privacy.release import QUERIES, Product
from auditor.privacy.statement import Statement
from auditor.progress import Progress

describe_metric = MetricCatalogue("methods", "set_union")

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
GROWTH = 3.0
"""How much more of the budget each round has than the one before: the last finds the most."""
EVEN, ADAPTIVE, SCREENED = "even", "adaptive", "screened"
WEIGHTINGS = (
    ParamOption(EVEN, "evenly", "The same to each query that is not found yet (Gopi et al.)."),
    ParamOption(
        ADAPTIVE,
        "away from safe queries",
        "What popular queries have more than enough of goes to the same users' other queries "
        "(after MAD, Chen et al.). Never finds fewer, and a few more where ε is large.",
    ),
    ParamOption(
        SCREENED,
        "to queries with a chance",
        "A first noisy round leaves out queries that can hardly be found, and the second "
        "shares the weight among the rest (after MAD2R, Chen et al.). Finds about twice as "
        "many in logs where most queries are rare.",
    ),
)


@dataclass(frozen=True, kw_only=True)
class SetUnionParams(Params, owner="set-union"):
    """What is wanted, and how it is spent."""

    epsilon: float = 2.0
    delta: float = 1e-06
    q_f: int = 50
    rounds: int = 1
    weighting: str = choice(
        EVEN,
        WEIGHTINGS,
        label="How users share their weight",
        help="Which of their queries a user's weight goes to. The guarantee is the same.",
    )
    counting: float = 0.2
    protected_unit: str = "history"
    periods: int | None = None
    group_by: str = NO_GROUPS
    suppress: str = "nothing"

    @property
    def limits(self) -> ContributionLimits:
        """Users give weight to their first q_f distinct queries."""
        return ContributionLimits(CountingUnit.USERS, self.q_f, 1)


@dataclass(frozen=True)
class SetUnionNoise:
    """Noise and thresholds of each round in steps of 1/`grid`, noise of the counts, the budget."""

    sigma: tuple[float, ...]
    threshold: tuple[int, ...]
    count_sigma: float
    rho: float
    delta: float
    grid: int = gaussian.GRID
    # Weight above which it is passed on in each round; None where all is shared evenly.
    ceilings: tuple[int | None, ...] = ()
    # Noisy weight below which the first round closes a query; None where it closes none.
    screen: float | None = None

    @property
    def least_weight(self) -> float:
        """The last round's threshold, where a user with one query gives a weight of 1."""
        return self.threshold[-1] / self.grid

    def draw_round(
        self, number: int, weights: Int64s, rng: Randomness, progress: Progress
    ) -> tuple[Bools, UInt8s]:
        """What round `number` (from 0) finds among weights, none of them 0, and what it closes.

        What is closed gets no weight in later rounds.
        """
        progress.stage(phrase("drawing noise, round {number}", number=number + 1), len(weights))
        noisy = weights + rng.discrete_gaussian(self.sigma[number], len(weights), progress)
        return noisy >= self.threshold[number], self.flag_closed(number, noisy)

    def draw_counts(self, users: Int64s, rng: Randomness, progress: Progress) -> Int64s:
        """Noisy numbers of users of queries that were found; shape (found,)."""
        progress.stage("drawing noise of the counts", len(users))
        noise = rng.discrete_gaussian(self.count_sigma, len(users), progress)
        # Somebody issued each of them, or it would have had no weight: the set itself says so.
        counts: Int64s = np.maximum(users + noise, 1)
        return counts

    def flag_closed(self, number: int, noisy: Float64s | Int64s) -> UInt8s:
        """1 for each noisy weight of round `number` (from 0) that gets no weight any more."""
        is_closed = noisy >= self.threshold[number]
        if self.screen is not None and number == 0:
            is_closed |= noisy < self.screen
        return is_closed.view(np.uint8)

    def compute_passes(self, weights: list[int]) -> list[float]:
        """The chance of each round that this weight reaches the threshold.

        σ is some 2²⁰ steps, so that the normal tail half a step earlier is the discrete one to more
        digits than a double has.
        """
        from scipy.stats import norm

        return [
            float(norm.sf((threshold - 0.5 - weight) / sigma)) if weight else 0.0
            for weight, sigma, threshold in zip(weights, self.sigma, self.threshold, strict=True)
        ]

    def compute_chance(self, weights: list[int]) -> float:
        """That of being found in any round; after a screening, only if that left it open."""
        from scipy.stats import norm

        passes = self.compute_passes(weights)
        if self.screen is None:
            return 1 - math.prod(1 - part for part in passes)
        stays = float(norm.sf((self.screen - weights[0]) / self.sigma[0])) if weights[0] else 0.0
        return passes[0] + max(stays - passes[0], 0.0) * passes[1]


@functools.lru_cache(maxsize=256)
def derive_noise(params: SetUnionParams) -> SetUnionNoise:
    """Spend (ε, δ/2) on noise and δ/2 on thresholds; some milliseconds, the last ones kept."""
    rho = gaussian.rho_for(params.epsilon, params.delta / 2)
    if params.weighting == SCREENED:
        share = np.array([SCREEN_SHARE, 1 - SCREEN_SHARE])
    else:
        share = GROWTH ** np.arange(params.rounds)
    even = params.weighting == EVEN
    grid = gaussian.GRID if even else GRID
    moved = grid if even else grid * (1 + SLACK)  # what one user changes, in ℓ2
    round_rho = rho * (1 - params.counting) * share / share.sum()
    sigma = tuple(float(moved / math.sqrt(2 * part)) for part in round_rho)
    if max(sigma) > LARGEST_SCALE:
        raise ParameterError(
            "epsilon", sentence("set_union.adaptive_weights_noise_choose", epsilon=params.epsilon)
        )
    leak = params.delta / 2 / len(share)
    thresholds = tuple(gaussian.union_threshold(s, leak, params.q_f, grid) for s in sigma)
    ceilings = tuple(
        None if even else math.ceil(least + CEILING * s)
        for least, s in zip(thresholds, sigma, strict=True)
    )
    screened = params.weighting == SCREENED
    screen = thresholds[-1] - SCREEN_DEPTH * sigma[0] if screened else None
    delta = gaussian.delta_of(rho, params.epsilon) + params.delta / 2
    counts = math.sqrt(params.q_f / (2 * rho * params.counting))
    return SetUnionNoise(sigma, thresholds, counts, rho, min(1.0, delta), grid, ceilings, screen)


def weigh_queries(
    log: QueryLog,
    limited: LimitedCounts,
    item_limit: int,
    is_closed: UInt8s,
    progress: Progress,
    ceiling: int | None = None,
) -> Int64s:
    """What all users give each query that isn't closed; int64, shape (queries,).

    In steps of 1/`gaussian.GRID` where weights are shared evenly; with a `ceiling` the weights w of
    the module's text, in steps of 1/`GRID`.
    """
    grid = gaussian.GRID if ceiling is None else GRID
    if ceiling is not None:
        check_size(len(log.users), len(log))
    total = np.zeros(len(log.queries), dtype=np.int64)
    spread_weights(log, limited, item_limit, is_closed, np.zeros(0), grid, total, progress)
    if ceiling is None or not (total > ceiling).any():
        return total
    weight: Int64s = np.minimum(total, ceiling)
    spread_weights(
        log, limited, item_limit, is_closed, find_excess(total, ceiling), grid, weight, progress
    )
    return weight


def check_size(users: int, rows: int) -> None:
    """Refuse weights that are passed on in logs of which rounding errors are not covered."""
    if users > MOST_USERS or rows > MOST_ROWS:
        raise ParameterError(
            "weighting",
            sentence("set_union.adaptive_weights_proven_users", users=MOST_USERS, rows=MOST_ROWS),
        )


def find_excess(total: Int64s, ceiling: int) -> Float64s:
    """The share of each query's weight that stands above the ceiling; shape (queries,)."""
    return np.maximum(total - ceiling, 0) / np.maximum(total, 1)


def spread_weights(
    log: QueryLog,
    limited: LimitedCounts,
    item_limit: int,
    is_closed: UInt8s,
    excess: Float64s,
    grid: int,
    total: Int64s,
    progress: Progress,
) -> None:
    """Add what users give to `total`, or what they pass on of an `excess`."""
    shares = _prepare_shares(log, is_closed, item_limit, grid)
    histories = LimitedHistories(log.query, log.user_starts, limited.stops)
    stage = "passing weight on" if len(excess) else "weighing queries"
    for first, last in progress.whole_blocks(stage, log.user_starts, BLOCK_ROWS):
        kernels.spread_weights(histories, first, last, shares, excess, item_limit, total)


def _prepare_shares(log: QueryLog, is_closed: UInt8s, item_limit: int, grid: int) -> WeightShares:
    mark = np.full(len(log.queries), -1, dtype=np.int32)
    return WeightShares(is_closed, gaussian.item_weights(item_limit, grid), mark)


UnionWeights = tuple[LimitedCounts, Int64s]
"""The limited histories of a log, and what all users evenly give each query at first.

Both depend on the limit alone: whoever tries many settings counts them once.
"""


def weigh_evenly(
    log: QueryLog, limited: LimitedCounts, item_limit: int, progress: Progress
) -> UnionWeights:
    """Weigh the queries of limited histories; a blank one gets no weight, as in a run. O(rows)."""
    blank = log.queries.find_blank().astype(np.uint8)
    return limited, weigh_queries(log, limited, item_limit, blank, progress)


def find_chances(
    log: QueryLog,
    params: SetUnionParams,
    scale: float,
    progress: Progress,
    weights: UnionWeights | None = None,
) -> tuple[Float64s, Float64s]:
    """About how likely each query is found in a log of `scale` times the users, and its users here.

    Both of shape (queries,); users are within the limit. O(rows) for each round after the first,
    and for weights that are passed on.
    Queries of c users have 1 + s(c − 1) there.
    `weights` are those of this log at this limit, where they are known.
    """
    if weights is None:
        limited = limit_users(log, params.limits, progress)
        weights = weigh_evenly(log, limited, params.q_f, progress)
    limited, first = weights
    users = limited.query_count.astype(np.float64)
    totals, _ = extrapolate_users(users, scale)
    grown = np.divide(totals, users, out=np.zeros_like(users), where=users > 0)
    histories = LimitedHistories(log.query, log.user_starts, limited.stops)

    def give(still_open: Float32s, excess: Float32s | None = None) -> Float64s:
        total, mark = np.zeros(len(users)), np.full(len(users), -1, dtype=np.int32)
        surplus = np.zeros(0, dtype=np.float32) if excess is None else excess
        for part in progress.whole_blocks("weighing queries", log.user_starts, BLOCK_ROWS):
            kernels.spread_expected_weights(histories, *part, still_open, surplus, mark, total)
        return total

    return _chances_by_round(params, first, users, grown, scale, give), users


def _chances_by_round(
    params: SetUnionParams,
    first: Int64s | Float64s,
    users: Float64s,
    grown: Float64s,
    scale: float,
    give: Callable[..., Float64s],
) -> Float64s:
    """The chance that each query is found in any round, from what it is given in the first.

    ``give(still_open, excess=None)`` is a new array of what each is expected to be given later if
    it is open, or to get back of an `excess`; a user whose only open query it is gives 1.
    """
    derived = derive_noise(params)
    still_open = (users > 0).astype(np.float32)  # none of a blank query, which gets no weight
    chance = np.zeros(len(users))
    for number, (sigma, threshold) in enumerate(zip(derived.sigma, derived.threshold, strict=True)):
        if number == 0:
            weights = first.astype(np.float64)
            weights *= derived.grid / gaussian.GRID
        else:
            weights = give(still_open)
            weights *= derived.grid
        ceiling = derived.ceilings[number]
        if ceiling is not None:
            # The ceiling of a log of so many times the weight.
            above = weights * scale - ceiling
            if above.max(initial=0.0) > 0:
                excess = np.maximum(above, 0) / np.maximum(weights * scale, 1)
                passed = give(still_open, excess.astype(np.float32))
                weights *= 1 - excess
                weights += passed * (derived.grid / (2 * params.q_f))
        total: Float64s = weights * grown
        passes = _chance_to_pass(total, threshold, sigma)
        gain = still_open * passes
        chance += gain
        if number == 0 and derived.screen is not None:
            survival = _chance_to_pass(total, derived.screen, sigma) - passes
            still_open = (still_open * np.maximum(survival, 0.0)).astype(np.float32)
        else:
            still_open = (still_open - gain).astype(np.float32)
    return np.minimum(chance, 1.0)


def _chance_to_pass(total: Float64s, threshold: float, sigma: float) -> Float64s:
    from scipy.special import ndtr

    passes = np.zeros(len(total))
    candidates = np.flatnonzero((total > 0) & (total > threshold - 9 * sigma))  # never below it
    passes[candidates] = ndtr((total[candidates] - threshold) / sigma)
    return passes


def planted_union_chances(params: SetUnionParams, users: Float64s) -> Float64s:
    """How likely a query is found by the number of users who issued it and nothing else.

    Each of them gives it all of their weight as long as it is open. What they gave above a ceiling
    they get back, and have no other query to give it to.
    """

    def give(_still_open: Float32s, excess: Float32s | None = None) -> Float64s:
        return users * (1.0 if excess is None else excess)

    first = users * float(gaussian.item_weights(1)[1])
    return _chances_by_round(params, first, users, np.ones(len(users)), 1.0, give)


def run(log: QueryLog, params: SetUnionParams, *, rng: Randomness, progress: Progress) -> Product:
    """Release the queries that are found, with noisy numbers of users."""
    progress.check()
    derived = derive_noise(params)
    limited = limit_users(log, params.limits, progress)
    blank = log.queries.find_blank()
    is_closed = blank.astype(np.uint8)  # a missing value gets no weight, and is not released
    released = np.zeros(len(is_closed), dtype=np.bool_)
    rounds: list[int] = []
    for number, ceiling in enumerate(derived.ceilings):
        total = weigh_queries(log, limited, params.q_f, is_closed, progress, ceiling)
        weighed = np.flatnonzero(total)
        new, is_closed[weighed] = derived.draw_round(number, total[weighed], rng, progress)
        released[weighed[new]] = True
        rounds.append(int(np.count_nonzero(new)))
    index = np.flatnonzero(released)
    counts = derived.draw_counts(limited.query_count[index].astype(np.int64), rng, progress)
    changes = {
        "rows": len(log),
        "rows_over_limit": len(log) - int((limited.stops - log.user_starts[:-1]).sum()),
        "queries_in_histories": int(np.count_nonzero(limited.query_count)),
        "queries_released": len(index),
    } | {f"queries_found_in_round_{n}": size for n, size in enumerate(rounds, start=1)}
    return Product(
        content=assemble_tables(log.urls, choose_queries(log, index, counts), None, None),
        statement=statement_of(params, derived, len(log.users), rng.secure),
        changes=changes,
    )


def statement_of(
    params: SetUnionParams, derived: SetUnionNoise, users: int, secure: bool
) -> Statement:
    """What a release of so many users guarantees."""
    spent = derived.rho * params.counting
    rounds = len(derived.sigma)
    return words.state_history(
        params.epsilon,
        derived.delta,
        terms=words.gaussian_terms(
            params.epsilon,
            params.delta,
            derived.delta,
            derived.rho,
            sentence("set_union.rounds_counts_together", rho=derived.rho),
            sentence("set_union.query_user_alone_passes", rounds=2 * rounds, params_rounds=rounds),
        ),
        limits=sentence(
            "set_union.first_distinct_queries_user_2"
            if params.weighting == EVEN
            else "set_union.first_distinct_queries_user",
            q_f=params.q_f,
        ),
        users=users,
        noise=words.secure_noise(secure, "discrete Gaussian (Canonne, Kamath and Steinke)"),
        measured={
            "rho": derived.rho,
            "rho_of_counts": spent,
            "sigma_of_counts": derived.count_sigma,
            "threshold_of_last_round": derived.least_weight,
        },
    )


def estimate_release(
    log: QueryLog, params: SetUnionParams, *, scale: float, progress: Progress
) -> ExpectedRelease:
    """About how many queries are found: every round's chances, given what likely was before.

    A query of c sampled users (one in s) is taken for one of 1 + s(c − 1) users, and stands for
    s·c ÷ that many queries; see `extrapolate_users`.
    """
    derived = derive_noise(params)
    chance, users = find_chances(log, params, scale, progress)
    _, stands = extrapolate_users(users, scale)
    note = ""
    if float(chance @ stands) < 1:
        note = "Hardly any query of this log will be found: take a higher ε or a log of more users."

    def expect_values(chance: Float64s) -> tuple[MetricValue, ...]:
        return (
            describe_metric("expected.queries", float(chance @ stands)),
            metric_of_searches(share_of_searches(chance, log.searches_by_query)),
            describe_metric(
                "expected.volume", float((chance * users).sum() / max(users.sum(), 1.0))
            ),
            describe_metric("expected.noise", derived.count_sigma),
        )

    return ExpectedRelease(
        statement=statement_of(params, derived, round(len(log.users) * scale), True),
        values=expect_values(chance),
        note=note,
        expect_without=lambda marks: (
            expect_values(np.where(marks.queries(log.queries), 0, chance)),
            (),
        ),
    )


def explain(request: ExplanationRequest, params: SetUnionParams, progress: Progress) -> Explanation:
    """What its users gave it in each round, against the round's threshold.

    One round is exact, and costs O(rows of those who issued it). With several, what others' queries
    leave to it is taken as the likely case, at O(rows) a round.
    """
    occurrences = find_occurrences(request, CountingUnit.USERS, progress)
    once = params.rounds == 1 and params.weighting == EVEN
    later = None if once else _likely_weights(request.log, params, request, progress)

    def list_weights(other: SetUnionParams) -> list[int]:
        if later is not None:
            return later
        counts = occurrences.first[(occurrences.first > 0)] <= other.q_f
        size = np.minimum(occurrences.length[occurrences.first > 0][counts], other.q_f)
        return [int(gaussian.item_weights(other.q_f)[size].sum())]

    def compute_chance(other: SetUnionParams) -> float:
        return derive_noise(other).compute_chance(list_weights(other))

    derived, weights, chance = derive_noise(params), list_weights(params), compute_chance(params)
    passes = derived.compute_passes(weights)
    limited = occurrences.users_within(params.q_f)
    names = ("epsilon", "delta", "counting", *(("q_f",) if once else ()))
    solved = (
        find_turning_points(params, compute_chance, names, progress=progress)
        if len(request.rows)
        else ()
    )
    if not once and len(request.rows):
        reason = "what other queries leave to it changes with it: only running tells"
        solved += tuple(
            TurningPoint(name, params.spec(name).label, getattr(params, name), why=reason)
            for name in ("q_f", *(("rounds",) if params.weighting != SCREENED else ()))
        )
    return Explanation(
        outcome=_explain_query(request, params, derived, weights, limited, chance),
        chance=chance,
        values=(
            describe_metric("limited_users", float(limited), q_f=params.q_f),
            describe_metric("scale", derived.count_sigma),
        ),
        tables=(
            describe_metric.table(
                "rounds",
                [
                    [number, *(steps / derived.grid for steps in in_steps), part]
                    for number, *in_steps, part in zip(
                        range(1, len(passes) + 1),
                        weights,
                        derived.threshold,
                        derived.sigma,
                        passes,
                        strict=True,
                    )
                ],
            ),
        ),
        turns=solved,
        notes=() if once else ("What is found before a round is taken as the likely case.",),
    )


def _likely_weights(
    log: QueryLog, params: SetUnionParams, request: ExplanationRequest, progress: Progress
) -> list[int]:
    """What the query is given in each round if what is likely was found before it, but not it."""
    limited = limit_users(log, params.limits, progress)
    derived = derive_noise(params)
    weights = []
    is_closed = log.queries.find_blank().astype(np.uint8)  # as in a run, where it gets no weight
    for number, ceiling in enumerate(derived.ceilings):
        total = weigh_queries(log, limited, params.q_f, is_closed, progress, ceiling)
        weights.append(int(total[request.code]) if len(request.rows) else 0)
        is_closed = is_closed | (derived.flag_closed(number, total) & (total > 0))
        if len(request.rows):
            is_closed[request.code] = 0
    return weights


def _explain_query(
    request: ExplanationRequest,
    params: SetUnionParams,
    derived: SetUnionNoise,
    weights: list[int],
    limited: int,
    chance: float,
) -> str:
    if not len(request.rows):
        return "Nobody in this log issued it, so it can't be found."
    if not limited:
        return sentence("set_union.user_issued_among_first", q_f=params.q_f)
    best = int(np.argmax(derived.compute_passes(weights)))
    weight, needed_weight = weights[best] / derived.grid, derived.threshold[best] / derived.grid
    return sentence(
        "set_union.users_give_weight_threshold",
        limited=limited,
        weight=weight,
        needed=needed_weight,
        sigma=derived.sigma[best] / derived.grid,
        chance=as_phrase(in_words(chance)),
    )


def _make_setting(
    q_f: int, epsilon: float, delta: float, *, weighting: str, rounds: int, counting: float
) -> SetUnionParams:
    # The thresholds' half of δ and the noise's are rounded apart: stay below by a little.
    params = SetUnionParams(
        epsilon=epsilon,
        delta=delta * (1 - 1e-6),
        q_f=q_f,
        rounds=rounds,
        weighting=weighting,
        counting=counting,
    )
    if weighting != EVEN:
        derive_noise(params)  # refuses an ε or δ for which these weights have no noise
    return params


def _make_family(weighting: str, rounds: int, counting: float) -> SettingFamily:
    words = as_phrase(", better counts" if counting > 0.1 else "")
    if weighting != EVEN:
        name = phrase("screened{words}", words=words)
    else:
        name = phrase(
            "{rounds} rounds{words}" if rounds > 1 else "{rounds} round{words}",
            rounds=rounds,
            words=words,
        )
    make = functools.partial(_make_setting, weighting=weighting, rounds=rounds, counting=counting)
    one_pass = rounds == 1 and weighting == EVEN
    return SettingFamily(name, "q_f", make, bounded=one_pass, walks=not one_pass)


_BUDGET = f"{__name__}:derive_noise"
_AUDITED = {"q_f": 1, "epsilon": 2.0, "delta": 0.01}
_AUDITED_RARE = _AUDITED | {"delta": 1e-3}
_COUNTING = _AUDITED | {"counting": 0.9}
_SHARED = _AUDITED | {"q_f": 8}
_ADAPTIVE = _AUDITED | {"epsilon": 4.0, "q_f": 2, "weighting": ADAPTIVE}
_SCREENED = _AUDITED | {"weighting": SCREENED}


def _pass_on_more(factor: int, spread: Any) -> Any:
    return lambda *args: spread(*args[:4], args[4] * factor, *args[5:])


def weight_law(params: SetUnionParams) -> WeightLaw:
    """How its weights let queries pass; with one even round, one user's part is bounded."""
    derived = derive_noise(params)
    least, first = derived.least_weight, None

    def count_first(log: QueryLog, progress: Progress) -> tuple[Int64s, Int64s]:
        """Weights, of which one user more lowers none, and numbers of users."""
        limited = limit_users(log, params.limits, progress)
        _, total = weigh_evenly(log, limited, params.q_f, progress)
        return total, limited.query_count.astype(np.int64)

    if params.rounds == 1 and params.weighting == EVEN:
        first = FirstWeights(
            gaussian.item_weights(params.q_f), count_first, derived.threshold[0], derived.sigma[0]
        )
    return WeightLaw(
        limit=params.q_f,
        needed_users=(math.ceil(least), math.ceil(least * math.sqrt(params.q_f))),
        weigh=lambda log, limited, progress: weigh_evenly(log, limited, params.q_f, progress),
        chances=lambda log, *options: find_chances(log, params, *options),
        planted=functools.partial(planted_union_chances, params),
        first=first,
    )


METHOD = Method(
    **describe_metric.card,
    params=SetUnionParams,
    yields="tables",
    randomised=True,
    run=run,
    spark=SparkSupport("sets.release_union"),
    outlook=estimate_release,
    curves=lambda params, _users: (
        outlook.users_needed(
            describe_metric,
            params,
            lambda other: derive_noise(other).least_weight,
            ("who issued nothing else", phrase("who issued {q_f:,} queries", q_f=params.q_f)),
            {"noise of a count": lambda other: derive_noise(other).count_sigma},
        ),
    ),
    explain=explain,
    streams=True,
    families=tuple(
        _make_family(weighting, rounds, counting)
        for weighting, rounds in ((EVEN, 1), (EVEN, 2), (EVEN, 3), (SCREENED, 1))
        for counting in (0.1, 0.3)
    ),
    weight_law=weight_law,
    errors=lambda params: {QUERIES: count_error.of_gaussian(derive_noise(params).count_sigma)},
    faults=(
        weaken_noise(_AUDITED, 2),
        weaken_noise(_AUDITED, 4),
        weaken_noise(_SCREENED, 2),
        weaken_noise(_SCREENED, 4),
        scale_budget("noise of counts ÷ 2", "noise", _COUNTING, _BUDGET, 1 / 2, "count_sigma"),
        scale_budget("noise of counts ÷ 4", "noise", _COUNTING, _BUDGET, 1 / 4, "count_sigma"),
        scale_budget("threshold × 0.7", "threshold", _AUDITED_RARE, _BUDGET, 0.7, "threshold"),
        widen_limit(_COUNTING, __name__),
        Fault(
            name="weights not normalised",
            kind="weights",
            values=_SHARED,
            places=(f"{__name__}:_prepare_shares",),
            change=lambda prepare: (
                lambda *args: (shares := prepare(*args))._replace(
                    weight=np.full_like(shares.weight, args[-1])
                )
            ),
        ),
        *(
            Fault(
                name=f"hand-on × {factor}",
                kind="weights",
                values=_ADAPTIVE,
                places=("auditor.methods.set_union.kernels:spread_weights",),
                change=functools.partial(_pass_on_more, factor),
            )
            for factor in (6, 60)
        ),
    ),
)
