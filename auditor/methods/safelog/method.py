"""SafeLog: noisy counts of queries, clicks and transitions above a threshold, with ε or (ε, δ).

Source: Zhang, Yang, Singh & Xiong, "Safelog: Supporting Web Search and Mining by
Differentially-Private Query Logs", 2016. `plans` has its Algorithm 1
and the variant whose guarantee holds, with the proof. O(rows) in both modes.
"""

import bisect
import functools
import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from auditor.errors import ParameterError
from auditor.figures import Figure, PlotMark, Series, format_delta
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.sentences import sentence
from auditor.messages import as_phrase, phrase
from auditor.methods import statements as words
from auditor.methods.base import Method, ParameterSolver
from auditor.methods.faults import list_faults
from auditor.methods.noisy_counts import counting, counting_plan, outlook
from auditor.methods.noisy_counts.counting_plan import CountingMethod, ReleaseFigures
from auditor.methods.safelog import plans
from auditor.methods.safelog.plans import (
    SafeLogParams,
    least_count,
    list_mechanisms,
    plan_published,
    plan_strict,
    strict_budget,
    threshold_for,
)
from auditor.methods.setting_families import ClickLaw, PassingLaw, SettingFamily, limit_scale
from auditor.privacy import accounting
from auditor.privacy.accounting import Noise
from auditor.privacy.composition import Mechanism, NoiseLaw, tight_epsilon
from auditor.privacy.statement import Assumption, Statement, Status, Term, assume

HIGHEST = 1e12
"""A threshold that noise never reaches."""
LITTLE = 0.01
"""A share of query volume below which a release is taken to leave nothing to use."""
CHEAP = 300_000
"""So many sums of losses are added up while a slider moves; more only in a run."""


@functools.lru_cache(maxsize=64)
def strict_statement(
    params: SafeLogParams,
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
    spent = strict_budget(params)
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
    if not thorough and math.prod(sums.values()) > CHEAP:
        return None, ""
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


COUNTING = CountingMethod(
    lambda params: plan_strict(params) if params.mode == "strict" else plan_published(params),
    _state,
    list_turning=_list_turning,
)


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
        least = params.K or HIGHEST
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
        return params.replace(K=threshold_for(params, delta))
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


FAMILIES = (
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
)

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
    families=FAMILIES,
    law=passing_law,
    faults=list_faults(
        {"q_f": 1, "b": 1.0, "delta": 0.01, "clicks": False, "transitions": False},
        f"{plans.__name__}:strict_budget",
        "K",
        module=counting.__name__,
        places=(f"{counting_plan.__name__}:noisy_at_least",),
        name="K",
    ),
)
