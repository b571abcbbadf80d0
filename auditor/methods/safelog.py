"""SafeLog: noisy counts of queries, clicks and transitions above a threshold, with ε or (ε, δ).

Source: Zhang, Yang, Singh & Xiong, "Safelog: Supporting Web Search and Mining by
Differentially-Private Query Logs", 2016. Two modes: Algorithm 1 as published, and a strict variant
whose guarantee holds.

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

import bisect
import functools
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from auditor.errors import ParameterError
from auditor.figures import Figure, PlotMark, Series, format_delta
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.sentences import sentence
from auditor.messages import as_phrase, phrase
from auditor.methods import statements as words
from auditor.methods.base import Method, ParameterSolver
from auditor.methods.faults import list_faults
from auditor.methods.noisy_counts import (
    counting,
    counting_plan,
    discrete_laplace,
    outlook,
    query_pool,
)
from auditor.methods.noisy_counts.counting_plan import (
    CountingMethod,
    CountingPlan,
    NoiseRule,
    ReleaseFigures,
)
from auditor.methods.noisy_counts.grouped_queries import NO_GROUPS, check_queries_alone
from auditor.methods.noisy_counts.histograms import ContributionLimits, CountingUnit
from auditor.methods.setting_families import ClickLaw, PassingLaw, SettingFamily, limit_scale
from auditor.params import Params
from auditor.privacy import accounting
from auditor.privacy.accounting import Noise
from auditor.privacy.composition import Mechanism, NoiseLaw, tight_epsilon
from auditor.privacy.statement import Assumption, Statement, Status, Term, assume
from auditor.progress import Progress

MOST_FALSE = 20_000_000
"""So many transitions that never happened are refused: nobody wants to read them."""
LITTLE = 0.01
"""A share of query volume below which a release is taken to leave nothing to use."""


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
    """K as set, or the least at which the printed δ and that of the integer noise are small enough.

    It is solved for a log without a pool, which has the only δ that there is.
    """
    if params.K is not None:
        return params.K
    once = params.counting_unit == "users"
    printed = accounting.printed_threshold(params.q_f, params.delta, params.b, once=once)
    exact = accounting.threshold_for_delta(params.q_f, params.delta, params.b, once=once)
    return max(1, math.ceil(printed), exact)


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


def plan_counting(params: SafeLogParams) -> CountingPlan:
    """The steps of the chosen mode as data."""
    spent = strict_budget(params) if params.mode == "strict" else None
    least_clicks, least_steps = (None, None) if spent is None else (spent.K_c, params.K_t)
    return CountingPlan(
        limits=params.limits,
        queries=NoiseRule(params.b, spent.K)
        if spent
        else NoiseRule(params.b, least_count(params), second_scale=params.b_q),
        clicks=NoiseRule(params.b_c, least_clicks) if params.clicks else None,
        transitions=NoiseRule(params.b_t, least_steps) if params.transitions else None,
        lowest_transition=functools.partial(transition_threshold, params) if spent else None,
        load_pool=params.load_pool,
        whole_counts=spent is None,
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


@functools.lru_cache(maxsize=64)
def strict_statement(
    params: SafeLogParams,
    spent: StrictBudget,
    users: int,
    *,
    secure: bool = True,
    pool: str = "",
    pooled: float | None = None,
    thorough: bool = True,
) -> Statement:
    """The (ε, δ) of strict mode. `thorough` also pays for a slow tight ε.

    Kept by its arguments: an audit runs the method thousands of times.
    """
    terms = [
        Term(
            "queries",
            spent.epsilon_q,
            spent.delta_q,
            phrase("q_f/b; 1 − (1 − P[X ≥ K − 1])^q_f with K = {k:,}", k=spent.K),
            NoiseLaw("laplace", params.b, params.q_f, delta=spent.delta_q),
        )
    ]
    hidden: list[Assumption] = []  # what a released pair says of one user, which `published` lacks
    if params.clicks:
        text = phrase("c_f/b_c; 1 − (1 − P[X ≥ K_c − 1])^c_f with K_c = {k_c:,}", k_c=spent.K_c)
        law = NoiseLaw("laplace", params.b_c, params.c_f, delta=spent.delta_c)
        terms.append(Term("clicks", spent.epsilon_c, spent.delta_c, text, law))
        evidence = sentence(
            "safelog.released_noisy_users_page",
            k_c=spent.K_c,
            delta_c=words.format_number(spent.delta_c),
            c_f=params.c_f,
        )
        hidden.append(assume("safelog.clicks_of_one_user_stay_in", "holds", evidence))
    if params.transitions:
        law = NoiseLaw("laplace", params.b_t, params.q_f - 1)
        formula = "(q_f − 1)/b_t; noise in all cells"
        terms.append(Term("transitions", spent.epsilon_t, 0.0, formula, law))
        evidence = "all ordered pairs of released queries get noise, also those that nobody issued"
        hidden.append(assume("safelog.transitions_known_beforehand", "holds", evidence))
    tight, note = _tight_bound(
        list_mechanisms(params), params.delta, spent.delta, thorough=thorough
    )
    delta = min(spent.delta, 1.0)
    independent = words.pool_independent(pool, pooled)
    return words.state_history(
        spent.epsilon,
        delta,
        terms=tuple(terms),
        limits=sentence("safelog.first_different_queries_user", q_f=params.q_f),
        users=users,
        noise=words.secure_noise(secure),
        measured={"K": float(spent.K)} | ({"K_c": float(spent.K_c)} if params.clicks else {}),
        other_assumptions=tuple(hidden),
        after=() if independent is None else (independent,),
        claim_note=" This δ is too large to protect anybody: raise K and K_c, or lower delta."
        if words.is_meaningless_delta(delta, users)
        else "",
        tight_epsilon=tight,
        tight_note=note,
    )


def published_epsilon(params: SafeLogParams, noise: Noise = "continuous") -> float:
    """The theorem's ε for what is released; terms of tables that stay in are left out."""
    return math.fsum(term.epsilon for term in published_terms(params, noise))


def published_terms(params: SafeLogParams, noise: Noise = "continuous") -> tuple[Term, ...]:
    """The summands of the theorem."""
    log_alpha = accounting.log_alpha(least_count(params), params.b, params.p_g, noise)
    terms = [
        Term.of_budget(
            "selection", params.q_f * log_alpha, 0.0, "q_f·ln α, α = max(e^(1/b)/p_g, …)"
        ),
        Term.of_budget("query counts", params.q_f / params.b_q, 0.0, "q_f/b_q"),
    ]
    if params.clicks:
        terms.append(Term.of_budget("clicks", params.c_f / params.b_c, 0.0, "c_f/b_c"))
    if params.transitions:
        terms.append(
            Term.of_budget("transitions", (params.q_f - 1) / params.b_t, 0.0, "(q_f − 1)/b_t")
        )
    return tuple(terms)


def published_statement(params: SafeLogParams, figures: ReleaseFigures) -> Statement:
    """The printed ε, with every caveat as an assumption and this log's evidence."""
    epsilon = published_epsilon(params)
    # What the selection has without any pool: ε, δ as printed, and δ of the integer noise.
    once, least = params.counting_unit == "users", least_count(params)
    fallback = published_epsilon(params.replace(p_g=1.0))
    printed_delta = accounting.printed_delta(params.q_f, least, params.b, once=once)
    delta = accounting.threshold_delta(params.q_f, least, params.b, once=once)
    assumptions = (
        *_list_caveats(params, figures, fallback, printed_delta),
        *words.common_assumptions(),
    )
    failing = sum(assumption.status == "fails" for assumption in assumptions)
    claim = sentence(
        "safelog.source_theorem_claims_does",
        epsilon=words.format_number(epsilon),
        failing=failing,
        fallback=words.format_number(fallback),
        printed_delta=words.format_number(printed_delta),
    )
    claim += (
        ", which protects nobody."
        if words.is_meaningless_delta(printed_delta, figures.users)
        else "."
    )
    tight, note = None, ""
    if once and math.isfinite(epsilon):
        log_alpha = accounting.log_alpha(least, params.b, params.p_g)
        mechanisms = [
            Mechanism(1 / log_alpha, params.q_f),
            Mechanism(params.b_q, params.q_f),
            *list_mechanisms(params)[1:],
        ]
        tight, note = _tight_bound(mechanisms, params.delta, 0.0, thorough=not figures.expected)
    return Statement(
        model="differential privacy",
        claim=claim,
        unit=words.UNIT,
        neighbours=words.NEIGHBOURS,
        epsilon=epsilon,
        delta=0.0,
        tight_epsilon=tight,
        tight_note=note,
        terms=published_terms(params),
        assumptions=assumptions,
        measured={
            "epsilon_integer_noise": published_epsilon(params, "discrete"),
            "korolova_epsilon": fallback,
            "korolova_delta": printed_delta,
            "korolova_delta_integer_noise": delta,
        },
    )


def _list_caveats(
    params: SafeLogParams, figures: ReleaseFigures, epsilon: float, delta: float
) -> Iterator[Assumption]:
    """What the theorem takes for granted; without a pool the selection has (`epsilon`, `delta`)."""
    bad = params.tau > 1
    evidence = f"τ = {params.tau}"
    if bad:
        evidence += sentence(
            "safelog.dropped_distinct_queries_stand",
            rare=figures.rare,
            queries=figures.queries,
            borderline=figures.borderline,
        )
    yield assume("safelog.no_data_dependent_cleaning", "fails" if bad else "holds", evidence)
    yield _build_pool_assumption(params, figures, epsilon, delta)
    # What occurs among the released pairs did occur.
    for name, table, single, item_phrase in (
        ("clicks", "click_pairs", figures.single_clicks, "clicked pages"),
        ("transitions", "transitions", figures.single_transitions, "pairs"),
    ):
        released = getattr(params, name)
        evidence = "not released"
        if released:
            evidence = sentence(
                "safelog.released_known_occurred_occurred",
                pairs=figures.changes.get(f"{table}_released", 0),
                what=as_phrase(item_phrase),
                single=single,
            )
        yield Assumption(
            phrase("{name} known beforehand", name=as_phrase(name)),
            sentence("safelog.released_does_depend_log", what=as_phrase(item_phrase)),
            "fails" if released else "holds",
            evidence,
        )
    least = least_count(params)
    printed = accounting.log_alpha(least, params.b, params.p_g)
    discrete = accounting.log_alpha(least, params.b, params.p_g, "discrete")
    noise = words.secure_noise(figures.secure)
    evidence = phrase(
        "{evidence}; ln α = {printed} as printed, ",
        evidence=as_phrase(noise.evidence),
        printed=words.format_number(printed),
    )
    evidence += phrase("{discrete} with the discrete tail", discrete=words.format_number(discrete))
    yield replace(noise, evidence=evidence)
    text = ""
    status: Status = "unknown"
    if figures.kept_share is not None:
        text = phrase(
            "{kept:.1f} % of this log's query volume kept; ", kept=100 * figures.kept_share
        )
        text += phrase("{little:g} % counts as useful", little=100 * LITTLE)
        status = "holds" if figures.kept_share >= LITTLE else "fails"
    yield assume("safelog.a_pure_epsilon_leaves_something_to_use", status, text)


def _build_pool_assumption(
    params: SafeLogParams, figures: ReleaseFigures, epsilon: float, delta: float
) -> Assumption:
    evidence = phrase("declared p_g = {p_g:g}; ", p_g=params.p_g)
    if not figures.pool:
        evidence += "there is no pool, so p_g is 0 and no ε is finite"
    else:
        evidence += sentence("safelog.pool_string_finite", pool=as_phrase(figures.pool))
        if figures.pooled is not None:
            evidence += phrase(
                "; {pooled:,} of this log's {queries:,} queries are in it",
                pooled=figures.pooled,
                queries=figures.queries,
            )
    evidence += phrase(
        ". Without it: (ε, δ) = ({epsilon}, {delta}), δ ≥ 1/users"
        if words.is_meaningless_delta(delta, figures.users)
        else ". Without it: (ε, δ) = ({epsilon}, {delta}), δ < 1/users",
        epsilon=words.format_number(epsilon),
        delta=words.format_number(delta),
    )
    return assume("safelog.every_query_can_come_from_the_pool", "fails", evidence)


def _tight_bound(
    mechanisms: list[Mechanism], other_delta: float, spent: float, *, thorough: bool
) -> tuple[float | None, str]:
    sums: dict[float, int] = {}
    for mechanism in mechanisms:
        sums[mechanism.scale] = sums.get(mechanism.scale, 1) + mechanism.count
    if not thorough and math.prod(sums.values()) > 300_000:
        return None, ""  # so many sums of losses are added up in a run, not while a slider moves
    note = phrase(
        "by composing the noise exactly, at δ = {more} in all",
        more=format_delta(min(other_delta + spent, 1.0)),
    )
    return tight_epsilon(mechanisms, other_delta), note


def _state(params: SafeLogParams, figures: ReleaseFigures) -> Statement:
    """What is promised in the chosen mode."""
    if params.mode == "published":
        return published_statement(params, figures)
    pooled = figures.pooled
    return strict_statement(
        params,
        strict_budget(params),
        figures.users,
        secure=figures.secure,
        pool=figures.pool,
        pooled=None if pooled is None else pooled / max(figures.queries, 1),
        thorough=not figures.expected,
    )


def _list_turning(params: SafeLogParams) -> tuple[str, ...]:
    names = ["K", "b", "q_f"] if params.K is not None else ["K", "delta", "b", "q_f"]
    names += ["tau"] if params.limits.tau > 1 else []
    names += ["clicks"] if params.mode == "strict" and params.K is None else []
    return tuple(names)


COUNTING = CountingMethod(plan_counting, _state, list_turning=_list_turning)


def curves(params: SafeLogParams, users: int) -> tuple[Figure, ...]:
    """ε over b, δ over K and, in published mode, ε over p_g."""
    other_epsilon = _sum_other_costs(params)
    if params.mode == "strict":
        spent = strict_budget(params)
        return (
            outlook.epsilon_over_b(
                lambda b: params.q_f / b + other_epsilon,
                params.b,
                None,
                note="One draw selects and counts, so ε only falls with b; K rises with it.",
            ),
            outlook.delta_over_threshold(
                lambda K: (
                    accounting.threshold_delta(params.q_f, K, params.b, once=True) + spent.delta_c
                ),
                spent.K,
                users,
                note="The clicks' share of δ is included.",
            ),
        )
    least = least_count(params)
    fixed, grid = params.replace(K=least), np.geomspace(1e-9, 1.0, outlook.POINTS // 2)
    once = params.counting_unit == "users"
    return (
        outlook.epsilon_over_b(
            lambda b: params.q_f * accounting.log_alpha(least, b, params.p_g) + other_epsilon,
            params.b,
            accounting.turning_point(least, params.p_g) if params.p_g > 0 else None,
            note="" if params.p_g > 0 else "With p_g = 0 no ε is finite.",
            source="Figure 5",
        ),
        outlook.delta_over_threshold(
            lambda K: accounting.printed_delta(params.q_f, K, params.b, once=once),
            least,
            users,
            note="What the selection has when the pool can't contain a user's query (Korolova).",
        ),
        outlook.describe_metric.figure(
            "pool",
            (Series("ε", grid, np.array([published_epsilon(fixed.replace(p_g=p)) for p in grid])),),
            marks=(PlotMark("x", params.p_g, f"p_g = {params.p_g:.4g}", "current"),)
            if params.p_g > 0
            else (),
        ),
    )


def _sum_other_costs(params: SafeLogParams) -> float:
    """What the tables cost besides the selection, in either mode."""
    if params.mode == "strict":
        spent = strict_budget(params)
        return spent.epsilon_c + spent.epsilon_t
    return sum(term.epsilon for term in published_terms(params)[1:])


def epsilon_of(params: SafeLogParams) -> float:
    """The additive ε in the mode of `params`."""
    if params.mode == "strict":
        return strict_budget(params).epsilon
    return published_epsilon(params)


def b_from_epsilon(params: SafeLogParams, epsilon: float, _users: int) -> SafeLogParams:
    """The least b with which ε is at most `epsilon`, everything else as it is."""
    other = _sum_other_costs(params)
    if params.mode == "published":
        # A K that is solved from δ rises with b, so only α's first part can bind.
        least = params.K or 1e12
        b = accounting.b_for_epsilon(
            epsilon, q_f=params.q_f, K=least, other_epsilon=other, p_g=params.p_g
        )
        return params.replace(b=b)
    if epsilon <= other:
        raise ParameterError(
            "b", sentence("safelog.reaches_clicks_transitions_alone", wanted=epsilon, rest=other)
        )
    bounds = params.spec("b").bounds
    low = bounds.low if bounds else 0.0
    return params.replace(b=max(params.q_f / (epsilon - other) * (1 + 1e-15), low))


def q_f_from_epsilon(params: SafeLogParams, epsilon: float, _users: int) -> SafeLogParams:
    """The most queries of each user with which ε is at most `epsilon`."""
    bounds = params.spec("q_f").bounds
    high = int(bounds.high) if bounds else 1
    # How many of 1, 2, 3 … fit; ε rises with q_f.
    largest_limit = bisect.bisect_left(
        range(1, high + 1), True, key=lambda q: epsilon_of(params.replace(q_f=q)) > epsilon
    )
    if not largest_limit:
        least = epsilon_of(params.replace(q_f=1))
        raise ParameterError("q_f", sentence("safelog.reaches_still", wanted=epsilon, least=least))
    return params.replace(q_f=largest_limit)


def K_from_delta(params: SafeLogParams, delta: float, _users: int) -> SafeLogParams:
    """The least K with which δ is at most `delta`.

    Strict: the clicks' share is solved to at most that of the queries, or stands as set.
    Published: Korolova's δ as printed, which is what holds without the pool.
    """
    if delta >= 1:
        raise ParameterError("K", "The wanted δ must be below 1.")
    if params.mode == "published":
        return params.replace(K=least_count(params.replace(K=None, delta=delta)))
    share = delta
    if params.clicks and params.K_c is None:
        share = delta / 2
    elif params.clicks:
        share = delta - strict_budget(params).delta_c
    if share <= 0:
        raise ParameterError(
            "K",
            phrase(
                "K_c = {k_c} alone has a δ of {wanted:.2g}. Raise it first.",
                k_c=params.K_c,
                wanted=delta - share,
            ),
        )
    K = accounting.threshold_for_delta(params.q_f, share, params.b, once=True)
    return params.replace(K=K)


def passing_law(params: SafeLogParams) -> PassingLaw | None:
    """The threshold on numbers of users; strict mode alone compares these."""
    if params.mode != "strict":
        return None
    budget, clicks = strict_budget(params), None
    if params.clicks:
        clicks = ClickLaw(params.limits, params.b_c, budget.K_c)
    return PassingLaw.of_threshold(params.q_f, params.b, budget.K, clicks=clicks)


def _make_setting(
    q_f: int, epsilon: float, delta: float, *, queries: float, clicks: float = 0.0
) -> SafeLogParams:
    """A strict setting: of ε these shares for queries and clicks, the rest for transitions."""
    transitions = round(1 - queries - clicks, 9)
    c_f = max(1, q_f // 2) if clicks else 1
    params = SafeLogParams(
        q_f=q_f,
        c_f=c_f,
        b=limit_scale(q_f / (queries * epsilon)),
        delta=delta,
        clicks=clicks > 0,
        transitions=transitions > 0,
    )
    if clicks:
        params = params.replace(b_c=limit_scale(c_f / (clicks * epsilon)))
    if params.transitions:
        params = params.replace(b_t=limit_scale(max(q_f - 1, 1) / (transitions * epsilon)))
    return params


METHOD = Method(
    **MetricCatalogue("methods", "safelog").card,
    **counting.build_fields(COUNTING),
    params=SafeLogParams,
    curves=curves,
    solvers=(
        ParameterSolver("b", "epsilon", "b from a wanted ε", b_from_epsilon),
        ParameterSolver("q_f", "epsilon", "q_f from a wanted ε", q_f_from_epsilon),
        ParameterSolver("K", "delta", "K from a wanted δ", K_from_delta),
    ),
    main=("q_f", "b", "K", "clicks", "transitions"),
    families=(
        SettingFamily(
            "queries alone", "q_f", functools.partial(_make_setting, queries=1.0), bounded=True
        ),
        SettingFamily(
            "queries and clicks", "q_f", functools.partial(_make_setting, queries=0.6, clicks=0.4)
        ),
        SettingFamily(
            "queries, clicks and transitions",
            "q_f",
            functools.partial(_make_setting, queries=0.5, clicks=0.3),
        ),
    ),
    law=passing_law,
    faults=list_faults(
        {"q_f": 1, "b": 1.0, "delta": 0.01, "clicks": False, "transitions": False},
        f"{__name__}:strict_budget",
        "K",
        module=counting.__name__,
        places=(f"{counting_plan.__name__}:noisy_at_least",),
        name="K",
    ),
)
