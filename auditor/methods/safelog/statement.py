"""What SafeLog promises in either mode, under which assumptions, and which of them fail here."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator

from auditor.figures import format_delta
from auditor.log.sentences import sentence
from auditor.messages import as_phrase, phrase
from auditor.methods import statements as words
from auditor.methods.noisy_counts.counting_plan import ReleaseFigures
from auditor.methods.safelog import strict
from auditor.methods.safelog.params import SafeLogParams
from auditor.methods.safelog.published import least_count
from auditor.privacy import accounting
from auditor.privacy.composition import NoiseLaw
from auditor.privacy.statement import Assumption, Statement, Status, Term, assume

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
    spent = strict.strict_budget(params)
    terms = [
        Term(
            "queries",
            spent.epsilon_q,
            spent.delta_q,
            phrase("q_f/b; 1 − (1 − P[X ≥ K − 1])^q_f with K = {k:,}", k=spent.K),
            NoiseLaw("laplace", params.b, params.q_f, delta=spent.delta_q),
        )
    ]
    if params.clicks:
        text = phrase("c_f/b_c; 1 − (1 − P[X ≥ K_c − 1])^c_f with K_c = {k_c:,}", k_c=spent.K_c)
        law = NoiseLaw("laplace", params.b_c, params.c_f, delta=spent.delta_c)
        terms.append(Term("clicks", spent.epsilon_c, spent.delta_c, text, law))
    if params.transitions:
        law = NoiseLaw("laplace", params.b_t, params.q_f - 1)
        formula = "(q_f − 1)/b_t; noise in all cells"
        terms.append(Term("transitions", spent.epsilon_t, 0.0, formula, law))
    tight, note = _tight_bound(
        strict.list_mechanisms(params), params.delta, spent.delta, thorough=thorough
    )
    epsilon, delta = spent.epsilon, min(spent.delta, 1.0)
    independent = words.pool_independent(pool, pooled)
    return words.state_history(
        epsilon,
        delta,
        terms=tuple(terms),
        limits=sentence("safelog.first_different_queries_user", q_f=params.q_f),
        users=users,
        noise=words.secure_noise(secure),
        measured={"K": float(spent.K)} | ({"K_c": float(spent.K_c)} if params.clicks else {}),
        more=tuple(_list_hidden_support(params, spent)),
        after=() if independent is None else (independent,),
        beside=" This δ is too large to protect anybody: raise K and K_c, or lower delta."
        if words.is_meaningless_delta(delta, users)
        else "",
        tight_epsilon=tight,
        tight_note=note,
    )


def _list_hidden_support(params: SafeLogParams, spent: strict.StrictBudget) -> Iterator[Assumption]:
    """Why it says nothing of one user that a pair is released: what `published` lacks."""
    if params.clicks:
        yield assume(
            "safelog.clicks_of_one_user_stay_in",
            "holds",
            sentence(
                "safelog.released_noisy_users_page",
                k_c=spent.K_c,
                delta_c=words.format_number(spent.delta_c),
                c_f=params.c_f,
            ),
        )
    if params.transitions:
        yield assume(
            "safelog.transitions_known_beforehand",
            "holds",
            "all ordered pairs of released queries get noise, also those that nobody issued",
        )


def published_epsilon(params: SafeLogParams, noise: accounting.Noise = "continuous") -> float:
    """The theorem's ε for what is released; terms of tables that stay in are left out."""
    return math.fsum(term.epsilon for term in published_terms(params, noise))


def published_terms(
    params: SafeLogParams, noise: accounting.Noise = "continuous"
) -> tuple[Term, ...]:
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


def korolova_budget(params: SafeLogParams) -> tuple[float, float, float]:
    """(ε, δ as printed, δ of the integer noise) that the selection has without any pool."""
    least = least_count(params)
    once = params.counting_unit == "users"
    epsilon = published_epsilon(params.replace(p_g=1.0))
    printed = accounting.printed_delta(params.q_f, least, params.b, once=once)
    return epsilon, printed, accounting.threshold_delta(params.q_f, least, params.b, once=once)


def published_statement(params: SafeLogParams, seen: ReleaseFigures) -> Statement:
    """The printed ε, with every caveat as an assumption and this log's evidence."""
    epsilon = published_epsilon(params)
    fallback, printed_delta, delta = korolova_budget(params)
    assumptions = (
        _build_tau_assumption(params, seen),
        _build_pool_assumption(params, seen, fallback, printed_delta),
        *_list_support(params, seen),
        _floating_point(params, seen.secure),
        _build_pure_assumption(seen),
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
        ", which protects nobody." if words.is_meaningless_delta(printed_delta, seen.users) else "."
    )
    tight, note = None, ""
    if params.counting_unit == "users" and math.isfinite(epsilon):
        log_alpha = accounting.log_alpha(least_count(params), params.b, params.p_g)
        mechanisms = [
            accounting.Mechanism(1 / log_alpha, params.q_f),
            accounting.Mechanism(params.b_q, params.q_f),
            *strict.list_mechanisms(params)[1:],
        ]
        tight, note = _tight_bound(mechanisms, params.delta, 0.0, thorough=not seen.expected)
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


def _build_tau_assumption(params: SafeLogParams, seen: ReleaseFigures) -> Assumption:
    bad = params.tau > 1
    evidence = f"τ = {params.tau}"
    if bad:
        evidence += sentence(
            "safelog.dropped_distinct_queries_stand",
            rare=seen.rare,
            queries=seen.queries,
            borderline=seen.borderline,
        )
    return assume("safelog.no_data_dependent_cleaning", "fails" if bad else "holds", evidence)


def _build_pool_assumption(
    params: SafeLogParams, seen: ReleaseFigures, epsilon: float, delta: float
) -> Assumption:
    evidence = phrase("declared p_g = {p_g:g}; ", p_g=params.p_g)
    if not seen.pool:
        evidence += "there is no pool, so p_g is 0 and no ε is finite"
    else:
        evidence += sentence("safelog.pool_string_finite", pool=as_phrase(seen.pool))
        if seen.pooled is not None:
            evidence += phrase(
                "; {pooled:,} of this log's {queries:,} queries are in it",
                pooled=seen.pooled,
                queries=seen.queries,
            )
    evidence += phrase(
        ". Without it: (ε, δ) = ({epsilon}, {delta}), δ ≥ 1/users"
        if words.is_meaningless_delta(delta, seen.users)
        else ". Without it: (ε, δ) = ({epsilon}, {delta}), δ < 1/users",
        epsilon=words.format_number(epsilon),
        delta=words.format_number(delta),
    )
    return assume("safelog.every_query_can_come_from_the_pool", "fails", evidence)


def _list_support(params: SafeLogParams, seen: ReleaseFigures) -> Iterator[Assumption]:
    """Caveats 3 and 4: what occurs among the released pairs did occur."""
    for name, table, single, what in (
        ("clicks", "click_pairs", seen.single_clicks, "clicked pages"),
        ("transitions", "transitions", seen.single_transitions, "pairs"),
    ):
        released = getattr(params, name)
        evidence = "not released"
        if released:
            evidence = sentence(
                "safelog.released_known_occurred_occurred",
                pairs=seen.changes.get(f"{table}_released", 0),
                what=as_phrase(what),
                single=single,
            )
        yield Assumption(
            phrase("{name} known beforehand", name=as_phrase(name)),
            sentence("safelog.released_does_depend_log", what=as_phrase(what)),
            "fails" if released else "holds",
            evidence,
        )


def _floating_point(params: SafeLogParams, secure: bool) -> Assumption:
    least = least_count(params)
    printed = accounting.log_alpha(least, params.b, params.p_g)
    discrete = accounting.log_alpha(least, params.b, params.p_g, "discrete")
    noise = words.secure_noise(secure)
    evidence = phrase(
        "{evidence}; ln α = {printed} as printed, ",
        evidence=as_phrase(noise.evidence),
        printed=words.format_number(printed),
    )
    evidence += phrase("{discrete} with the discrete tail", discrete=words.format_number(discrete))
    return Assumption(noise.name, noise.text, noise.status, evidence)


def _build_pure_assumption(seen: ReleaseFigures) -> Assumption:
    kept = ""
    status: Status = "unknown"
    if seen.kept is not None:
        kept = phrase("{kept:.1f} % of this log's query volume kept; ", kept=100 * seen.kept)
        kept += phrase("{little:g} % counts as useful", little=100 * LITTLE)
        status = "holds" if seen.kept >= LITTLE else "fails"
    return assume("safelog.a_pure_epsilon_leaves_something_to_use", status, kept)


def _tight_bound(
    mechanisms: list[accounting.Mechanism], more: float, spent: float, *, thorough: bool
) -> tuple[float | None, str]:
    sums: dict[float, int] = {}
    for mechanism in mechanisms:
        sums[mechanism.scale] = sums.get(mechanism.scale, 1) + mechanism.count
    if not thorough and math.prod(sums.values()) > CHEAP:
        return None, ""
    note = phrase(
        "by composing the noise exactly, at δ = {more} in all",
        more=format_delta(min(more + spent, 1.0)),
    )
    return accounting.tight_epsilon(mechanisms, more), note
