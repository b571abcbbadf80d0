"""SafeLog's parameters, what follows from them alone, and both modes as data, with the proof.

**As published**: Algorithm 1 (Zhang, Yang, Singh & Xiong 2016), with integer noise. 1. Drop queries
rarer than τ. 2. Keep the first q_f queries and c_f clicks of each user. 3. Add the pool's queries
with count 0. 4. Keep a query if M(q) + X ≥ K, X of scale b. 5. Release M(q) + X', X' of scale b_q,
and for every page clicked for a kept query its clicks plus noise of scale b_c. 6. For every pair of
kept queries that follow each other in somebody's history of step 2, release how often, plus noise
of scale b_t. Noisy counts are released as they are, below 0, too. The one departure: the noise is
the discrete Laplace from a vetted sampler, never a Laplace in doubles, which leaks through its
gaps. α is then taken with the discrete tail; both are stated. Pairs with a pool query have a true
count of 0. The text can be read as releasing noise for every pair of kept queries, |Q'|² rows,
which nobody could store: here the pairs that occurred are released, and the statement says what
that gives away.

**Strict** gives every user a guarantee that holds.

**Steps.** (1) Each user's history is limited, looking at that history alone: it is cut before the
(q_f + 1)-th different query; of what is left count the first c_f different (query, URL) clicks
and the first q_f − 1 different transitions (`histograms`). (2) M(q) = users whose limited history
has q; pool queries that nobody has stand in with M = 0. (3) Each of these gets *one* discrete
Laplace X_q of scale b and is released as M(q) + X_q if that is ≥ K: the draw that selects is the
count. Call Q' what is released. (4) Of clicks on Q', the number of users of each (query, URL)
that occurs gets a draw of scale b_c and is released if ≥ K_c. (5) Of all |Q'|·(|Q'| − 1) ordered
pairs of different queries of Q', the number of users with that transition, mostly 0, gets a draw
of scale b_t and is released if ≥ K_t; the zero cells that pass are sampled (`privacy.noise`).
(6) Rows are put in an order that follows from the release itself (`histograms`).

**Claim.** For two logs D and D' = D + one user with all that they did, both ways round, and every
set of releases: P ≤ e^ε P' + δ with

    ε = q_f/b + c_f/b_c + (q_f − 1)/b_t,      δ = δ_q + δ_c.

**Proof.** *One user.* By (1) their presence changes nobody else's limited history. So between D and
D' the counts of queries differ at ≤ q_f queries, by 1 each (ℓ0 and ℓ1 ≤ q_f, ℓ∞ ≤ 1); those of
clicks at ≤ c_f pairs, by 1 each; those of transitions at ≤ q_f − 1 pairs, by 1 each.

*Queries.* Fix the pool: it doesn't depend on the log, so what holds for every pool holds for a
random one. The release is that of a thresholded histogram over strings of which some (the pool's)
are known beforehand. With S the strings that only they issued and that aren't in the pool, the
argument in `privacy.accounting` applies as it stands: outside S both logs show a function of
noisy counts of the same strings, at ℓ1 distance ≤ q_f: ε_q = q_f/b. That any of S is shown has
chance δ_q ≤ 1 − (1 − P[X ≥ K − 1])^q_f. A pool query has one noise, never two: `query_pool`.

*Clicks, given Q'.* Take any Q' as fixed; step 4 is then a function of the log. Which clicks of a
user count was settled in (1) without Q'; leaving those on Q' only lessens their share: ≤ c_f pairs
by 1. Occurring pairs are a thresholded histogram again, with no pool: (c_f/b_c, δ_c),
δ_c = 1 − (1 − P[X ≥ K_c − 1])^c_f. A pair that didn't occur is never shown, and a pair that
occurs for them alone is shown with a chance within δ_c: support leaks no more than that.

*Transitions, given Q'.* The cells are all ordered pairs of different queries of Q', a set that
Q' alone decides; that no query follows itself holds in every log. Noise reaches every cell, so
nothing is known from which cells there are, and what is shown is a function of the noisy counts:
((q_f − 1)/b_t, 0). K_t may depend on Q' freely, since it only picks what to show.

*Together.* Steps 3, 4, 5 are three looks at one log, each later one chosen by the earlier outputs
and private for every fixed value of these: adaptive composition adds the ε and the δ. Step 6
works on outputs. Sampling zero cells and drawing only what passes has the same distribution as
noise for every cell (`privacy.noise`), so the proof needn't know of it. ∎

**Budget.** Given a wanted δ, each thresholded table takes an equal share of it: δ/2 for queries
and δ/2 for clicks, or all for queries when clicks stay in. A K set by hand decides δ_q; K_c, if
it isn't set, then makes δ_c at most the smaller of δ/2 and δ_q. Transitions need none.

**Not covered**: figures computed beside the release without noise (changes, measures, expected
errors, statements' evidence); choosing parameters by looking at the log; people with several
user ids; other releases of the same log; what a released query says about a person whom many
asked for. The statement lists them.

Cost: O(rows) for two passes, as published three, plus O(r log r) for what is released.
"""

import functools
import math
from dataclasses import dataclass
from pathlib import Path

from auditor.errors import ParameterError
from auditor.log.sentences import sentence
from auditor.methods.noisy_counts import discrete_laplace, query_pool
from auditor.methods.noisy_counts.counting_plan import CountingPlan, NoiseRule
from auditor.methods.noisy_counts.grouped_queries import NO_GROUPS, check_queries_alone
from auditor.methods.noisy_counts.histograms import ContributionLimits, CountingUnit
from auditor.params import Params
from auditor.privacy import accounting
from auditor.privacy.composition import Mechanism
from auditor.progress import Progress

MOST_FALSE = 20_000_000
"""So many transitions that never happened are refused: nobody wants to read them."""


@dataclass(frozen=True, kw_only=True)
class SafeLogParams(Params, owner="safelog"):
    """What Algorithm 1 takes, and what the strict variant takes in its place."""

    mode: str = "strict"
    tau: int = 5
    q_f: int = 10
    c_f: int = 10
    b: float = 5.0
    K: int | None = None
    delta: float = 1e-6
    b_q: float = 5.0
    clicks: bool = True
    b_c: float = 5.0
    K_c: int | None = None
    transitions: bool = True
    b_t: float = 5.0
    K_t: int | None = None
    counting_unit: str = "events"
    pool: str = "none"
    pool_file: Path | None = None
    pool_size: int = 1_000_000
    p_g: float = 1.0
    protected_unit: str = "history"
    periods: int | None = None
    group_by: str = NO_GROUPS
    suppress: str = "nothing"

    def check(self) -> None:
        """Refuse tables and decoys that have no group beside queries by group."""
        has_other_tables = self.clicks or self.transitions or self.pool != "none"
        check_queries_alone(self, releases_queries_alone=not has_other_tables)

    def load_pool(self, progress: Progress) -> query_pool.QueryPool | None:
        """The queries that stand in with a count of 0, None where there are none."""
        return query_pool.load_pool(self.pool, self.pool_file, self.pool_size, progress)

    @property
    def limits(self) -> ContributionLimits:
        """How users are limited, and what counts, in the chosen mode."""
        if self.mode == "strict":
            return ContributionLimits(CountingUnit.USERS, self.q_f, self.c_f)
        return ContributionLimits(CountingUnit(self.counting_unit), self.q_f, self.c_f, self.tau)


def least_count(params: SafeLogParams) -> int:
    """K as set, or solved from δ for a log without a pool (the only δ there is)."""
    if params.K is not None:
        return params.K
    return threshold_for(params, params.delta)


def threshold_for(params: SafeLogParams, delta: float) -> int:
    """The least K at which both the printed δ and that of the integer noise are at most `delta`."""
    once = params.counting_unit == "users"
    printed = accounting.printed_threshold(params.q_f, delta, params.b, once=once)
    exact = accounting.threshold_for_delta(params.q_f, delta, params.b, once=once)
    return max(1, math.ceil(printed), exact)


def plan_published(params: SafeLogParams) -> CountingPlan:
    """Steps 1 to 6 as data."""
    return CountingPlan(
        limits=params.limits,
        queries=NoiseRule(params.b, least_count(params), second_scale=params.b_q),
        clicks=NoiseRule(params.b_c) if params.clicks else None,
        transitions=NoiseRule(params.b_t) if params.transitions else None,
        load_pool=params.load_pool,
        whole_counts=True,
        local_parameters=("pool",) if params.pool != "none" else (),
    )


@dataclass(frozen=True)
class StrictBudget:
    """Thresholds and what each table costs; `K_c` and the costs are 0 for tables not released."""

    K: int
    K_c: int
    epsilon_q: float
    epsilon_c: float
    epsilon_t: float
    delta_q: float
    delta_c: float

    @property
    def epsilon(self) -> float:
        """What the three tables cost together."""
        return self.epsilon_q + self.epsilon_c + self.epsilon_t

    @property
    def delta(self) -> float:
        """The chance that something of one user alone is shown, in either table."""
        return self.delta_q + self.delta_c


@functools.lru_cache(maxsize=64)
def strict_budget(params: SafeLogParams) -> StrictBudget:
    """Solve the thresholds that aren't set, and add up; microseconds."""
    share = params.delta / 2 if params.clicks else params.delta
    least = params.K
    if least is None:
        least = accounting.threshold_for_delta(params.q_f, share, params.b, once=True)
    delta_q = accounting.threshold_delta(params.q_f, least, params.b, once=True)
    least_c, delta_c = 0, 0.0
    if params.clicks:
        target = min(share, delta_q) or share
        least_c = params.K_c or accounting.threshold_for_delta(
            params.c_f, target, params.b_c, once=True
        )
        delta_c = accounting.threshold_delta(params.c_f, least_c, params.b_c, once=True)
    return StrictBudget(
        K=least,
        K_c=least_c,
        epsilon_q=params.q_f / params.b,
        epsilon_c=params.c_f / params.b_c if params.clicks else 0.0,
        epsilon_t=(params.q_f - 1) / params.b_t if params.transitions else 0.0,
        delta_q=delta_q,
        delta_c=delta_c,
    )


def list_mechanisms(params: SafeLogParams) -> list[Mechanism]:
    """The noisy counts that one user reaches, each by 1."""
    mechanisms = [Mechanism(params.b, params.q_f)]
    if params.clicks:
        mechanisms.append(Mechanism(params.b_c, params.c_f))
    if params.transitions:
        mechanisms.append(Mechanism(params.b_t, params.q_f - 1))
    return mechanisms


def plan_strict(params: SafeLogParams) -> CountingPlan:
    """Steps 1 to 5 as data."""
    spent = strict_budget(params)
    return CountingPlan(
        limits=params.limits,
        queries=NoiseRule(params.b, spent.K),
        clicks=NoiseRule(params.b_c, spent.K_c) if params.clicks else None,
        transitions=NoiseRule(params.b_t, params.K_t) if params.transitions else None,
        lowest_transition=functools.partial(transition_threshold, params),
        load_pool=params.load_pool,
        local_parameters=("pool",) if params.pool != "none" else (),
    )


def transition_threshold(params: SafeLogParams, cells: float) -> int:
    """K_t as set, or so that one zero cell passes on average; refuses a flood of them."""
    least = params.K_t or discrete_laplace.threshold_for(cells, 1.0, params.b_t)
    expected = cells * float(discrete_laplace.tail_probability(least, params.b_t))
    if expected > MOST_FALSE:
        minimum = discrete_laplace.threshold_for(cells, MOST_FALSE, params.b_t)
        raise ParameterError(
            "K_t",
            sentence(
                "safelog.about_transitions_never_happened",
                least=least,
                expected=expected,
                enough=minimum,
            ),
        )
    return least
