"""SafeLog: noisy counts of queries, clicks and transitions above a threshold, with ε or (ε, δ).

Source: Zhang, Yang, Singh & Xiong, "Safelog: Supporting Web Search and Mining by
Differentially-Private Query Logs", 2016. `safelog_published` is its Algorithm 1,
`safelog_strict` the variant whose guarantee holds, with the proof. O(rows) in both modes.
"""

from __future__ import annotations

import dataclasses
import functools

import numpy as np

from auditor.errors import AuditorError, ParameterError
from auditor.figures import Figure
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.sentences import sentence
from auditor.messages import phrase
from auditor.methods.base import Method, ParameterSolver, read_card
from auditor.methods.explanation.explanation import (
    Explanation,
    ExplanationRequest,
    QueryOccurrences,
    find_occurrences,
)
from auditor.methods.faults import scale_budget, weaken_noise, widen_limit
from auditor.methods.noisy_counts import counting, counting_plan, outlook
from auditor.methods.noisy_counts.counting import expect_counts, run_counting
from auditor.methods.noisy_counts.counting_plan import CountingMethod, CountingPlan, ReleaseFigures
from auditor.methods.noisy_counts.explain import (
    DENSE,
    ExplainedCount,
    by_threshold,
    count_under_plan,
)
from auditor.methods.noisy_counts.histograms import unit_counts
from auditor.methods.noisy_counts.period_units import HISTORY, privacy_unit
from auditor.methods.noisy_counts.query_pool import chance_of_holding
from auditor.methods.safelog import statement as safelog_statement
from auditor.methods.safelog import strict
from auditor.methods.safelog.params import SafeLogParams
from auditor.methods.safelog.published import least_count, plan_published, threshold_for
from auditor.methods.setting_families import ClickLaw, PassingLaw, SettingFamily, limit_scale
from auditor.privacy import accounting
from auditor.privacy.statement import Statement
from auditor.progress import Progress

describe_metric = MetricCatalogue("methods", "safelog")

HIGHEST = 1e12
"""A threshold that noise never reaches."""


def _plan(params: SafeLogParams) -> CountingPlan:
    return strict.plan_strict(params) if params.mode == "strict" else plan_published(params)


def _state(params: SafeLogParams, figures: ReleaseFigures) -> Statement:
    """What is promised in the chosen mode."""
    if params.mode == "published":
        return safelog_statement.published_statement(params, figures)
    pooled = figures.pooled
    return safelog_statement.strict_statement(
        params,
        figures.users,
        secure=figures.secure,
        pool=figures.pool,
        pooled=None if pooled is None else pooled / max(figures.queries, 1),
        thorough=not figures.expected,
    )


COUNTING = CountingMethod(_plan, _state)


def curves(params: SafeLogParams, users: int) -> tuple[Figure, ...]:
    """ε over b, δ over K and, in published mode, ε over p_g."""
    if params.mode == "strict":
        return _strict_curves(params, users)
    least = least_count(params)
    fixed = params.replace(K=least)
    once = params.counting_unit == "users"
    rest = _sum_other_costs(params)
    by_b = outlook.epsilon_over_b(
        lambda b: params.q_f * accounting.log_alpha(least, b, params.p_g) + rest,
        params.b,
        accounting.turning_point(least, params.p_g) if params.p_g > 0 else None,
        note="" if params.p_g > 0 else "With p_g = 0 no ε is finite.",
        source="Figure 5",
    )
    return (
        by_b,
        outlook.delta_over_threshold(
            lambda K: accounting.printed_delta(params.q_f, K, params.b, once=once),
            least,
            users,
            note="What the selection has when the pool can't contain a user's query (Korolova).",
        ),
        outlook.epsilon_over_chance(
            lambda chance: safelog_statement.published_epsilon(fixed.replace(p_g=chance)),
            params.p_g,
        ),
    )


def _strict_curves(params: SafeLogParams, users: int) -> tuple[Figure, ...]:
    spent = strict.strict_budget(params)
    rest = spent.epsilon_c + spent.epsilon_t
    return (
        outlook.epsilon_over_b(
            lambda b: params.q_f / b + rest,
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


def _sum_other_costs(params: SafeLogParams) -> float:
    """What the tables cost besides the selection, in either mode."""
    if params.mode == "strict":
        spent = strict.strict_budget(params)
        return spent.epsilon_c + spent.epsilon_t
    return sum(term.epsilon for term in safelog_statement.published_terms(params)[1:])


def epsilon_of(params: SafeLogParams) -> float:
    """The additive ε in the mode of `params`."""
    if params.mode == "strict":
        return strict.strict_budget(params).epsilon
    return safelog_statement.published_epsilon(params)


def b_from_epsilon(params: SafeLogParams, wanted: float, users: int) -> SafeLogParams:
    """The least b with which ε is at most `wanted`, everything else as it is."""
    del users
    outlook.wanted_positive("b", "ε", wanted)
    rest = _sum_other_costs(params)
    if params.mode == "published":
        # A K that is solved from δ rises with b, so only α's first part can bind.
        least = params.K or HIGHEST
        b = accounting.b_for_epsilon(wanted, q_f=params.q_f, K=least, rest=rest, p_g=params.p_g)
        return params.replace(b=b)
    if wanted <= rest:
        raise ParameterError(
            "b", sentence("safelog.reaches_clicks_transitions_alone", wanted=wanted, rest=rest)
        )
    bounds = params.spec("b").bounds
    low = bounds.low if bounds else 0.0
    return params.replace(b=max(params.q_f / (wanted - rest) * (1 + 1e-15), low))


def q_f_from_epsilon(params: SafeLogParams, wanted: float, users: int) -> SafeLogParams:
    """The most queries of each user with which ε is at most `wanted`."""
    del users
    outlook.wanted_positive("q_f", "ε", wanted)
    bounds = params.spec("q_f").bounds
    high = int(bounds.high) if bounds else 1
    found = outlook.largest_fitting(lambda q: epsilon_of(params.replace(q_f=q)) <= wanted, 1, high)
    if found is None:
        least = epsilon_of(params.replace(q_f=1))
        raise ParameterError("q_f", sentence("safelog.reaches_still", wanted=wanted, least=least))
    return params.replace(q_f=found)


def K_from_delta(params: SafeLogParams, wanted: float, users: int) -> SafeLogParams:
    """The least K with which δ is at most `wanted`.

    Strict: the clicks' share is solved to at most that of the queries, or stands as set.
    Published: Korolova's δ as printed, which is what holds without the pool.
    """
    del users
    outlook.wanted_positive("K", "δ", wanted)
    if wanted >= 1:
        raise ParameterError("K", "The wanted δ must be below 1.")
    if params.mode == "published":
        return params.replace(K=threshold_for(params, wanted))
    left = wanted
    if params.clicks and params.K_c is None:
        left = wanted / 2
    elif params.clicks:
        left = wanted - strict.strict_budget(params).delta_c
    if left <= 0:
        raise ParameterError(
            "K",
            phrase(
                "K_c = {k_c} alone has a δ of {wanted:.2g}. Raise it first.",
                k_c=params.K_c,
                wanted=wanted - left,
            ),
        )
    K = accounting.threshold_for_delta(params.q_f, left, params.b, once=True)
    return params.replace(K=K)


def explain(request: ExplanationRequest, params: SafeLogParams, progress: Progress) -> Explanation:
    """Where a query stands between its count and K; O(rows of those who issued it).

    As published also one pass over the log, for τ.
    """
    published = params.mode == "published"
    unit = params.limits.unit
    pooled, notes = _in_pool(params, request, progress)
    units = unit_counts(request.log, unit, progress) if published and params.tau > 1 else None
    whole = int(units[request.code]) if units is not None and len(request.rows) else 0
    known: dict[int, QueryOccurrences] = {}

    def find_for_tau(tau: int) -> QueryOccurrences:
        if tau not in known:
            rare = (units < tau).view(np.uint8) if units is not None else None
            known[tau] = find_occurrences(request, unit, progress, rare)
        return known[tau]

    def explain_count(other: SafeLogParams) -> ExplainedCount:
        rare = phrase("is rarer than τ = {tau:,}", tau=other.tau) if 0 < whole < other.tau else ""
        return dataclasses.replace(
            count_under_plan(_plan(other), find_for_tau(other.tau)), stands_in=pooled, dropped=rare
        )

    names = ["K", "b", "q_f"] if params.K is not None else ["K", "delta", "b", "q_f"]
    names += ["tau"] if units is not None else []
    names += ["clicks"] if not published and params.K is None else []
    return by_threshold(
        request,
        params,
        explain_count,
        progress,
        limit="q_f",
        threshold="K",
        names=tuple(names),
        values=() if units is None else (describe_metric("units", float(whole), unit=unit.value),),
        notes=notes,
        now={"K": explain_count(params).least},
        dense={"q_f": min(find_for_tau(params.tau).last, DENSE) if params.K is None else 0},
        peaks={"tau": whole},
    )


def _in_pool(
    params: SafeLogParams, request: ExplanationRequest, progress: Progress
) -> tuple[float, tuple[str, ...]]:
    """The chance that the pool holds the query, and what can't be known of it."""
    try:
        pool = params.load_pool(progress)
    except AuditorError:
        return 0.0, ("The pool's file can't be read here, so decoys are left out of account.",)
    return (chance_of_holding(pool, request.text) if pool is not None else 0.0), ()


def passing_law(params: SafeLogParams) -> PassingLaw | None:
    """The threshold on numbers of users; strict mode alone compares these."""
    if params.mode != "strict" or privacy_unit(params) != HISTORY:
        return None
    budget, clicks = strict.strict_budget(params), None
    if params.clicks:
        clicks = ClickLaw(params.limits, params.b_c, budget.K_c)
    return PassingLaw.of_threshold(params.q_f, params.b, budget.K, clicks=clicks)


def _make_setting(
    q_f: int, epsilon: float, delta: float, *, queries: float, clicks: float = 0.0
) -> SafeLogParams:
    """A strict setting: of ε these shares for queries and clicks, the rest for transitions."""
    transitions = round(1 - queries - clicks, 9)
    c_f = max(1, q_f // 2) if clicks else 1
    made = SafeLogParams(
        q_f=q_f,
        c_f=c_f,
        b=limit_scale(q_f / (queries * epsilon)),
        delta=delta,
        clicks=clicks > 0,
        transitions=transitions > 0,
    )
    if clicks:
        made = made.replace(b_c=limit_scale(c_f / (clicks * epsilon)))
    if made.transitions:
        made = made.replace(b_t=limit_scale(max(q_f - 1, 1) / (transitions * epsilon)))
    return made


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
_BUDGET = f"{strict.__name__}:strict_budget"
_NOISE = (f"{counting_plan.__name__}:noisy_at_least",)
_AUDITED = {"q_f": 1, "b": 1.0, "delta": 0.01, "clicks": False, "transitions": False}
_AUDITED_RARE = _AUDITED | {"delta": 1e-3}

METHOD = Method(
    **read_card(describe_metric),
    name="safelog",
    params=SafeLogParams,
    yields="tables",
    randomised=True,
    run=functools.partial(run_counting, COUNTING),
    counting=COUNTING,
    outlook=functools.partial(expect_counts, COUNTING),
    curves=curves,
    solvers=(
        ParameterSolver("b", "epsilon", "b from a wanted ε", b_from_epsilon),
        ParameterSolver("q_f", "epsilon", "q_f from a wanted ε", q_f_from_epsilon),
        ParameterSolver("K", "delta", "K from a wanted δ", K_from_delta),
    ),
    explain=explain,
    streams=True,
    main=("q_f", "b", "K", "clicks", "transitions"),
    families=FAMILIES,
    law=passing_law,
    faults=(
        weaken_noise(_AUDITED, 2, _NOISE),
        weaken_noise(_AUDITED, 4, _NOISE),
        scale_budget("K × 0.7", "threshold", _AUDITED_RARE, _BUDGET, 0.7, "K"),
        widen_limit(_AUDITED, counting.__name__),
    ),
)
