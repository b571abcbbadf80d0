"""ZEALOUS (Götz et al. 2012): m queries a user, two thresholds, noise in between.

Source: Götz, Machanavajjhala, Wang, Xiao & Gehrke, "Publishing search logs: a comparative study
of privacy guarantees", IEEE TKDE 24(3), 2012. Of each user count the first m different queries,
once each. Drop queries with fewer than τ users; add noise of scale λ; release what is above τ'.

As printed, λ = 2m/ε' and τ' = m(1 − ln(2δ'/m)/ε') give (ε', δ')-indistinguishability of logs in
which one user's history is *exchanged*, at τ = 1. That τ' fits noise of scale m/ε'; with the
printed λ, twice as wide, a user's own query passes far more often than δ' allows
(`accounting.zealous_delta`: about √(mδ'/2)). So `threshold` chooses between the printed τ' and
the least that gives the wanted δ'; the statement always has the δ that holds. With τ > 1 a query
comes into being with τ users instead of 1, which shifts the tail by τ − 1.

Cost: O(rows) for one pass.
"""

import math
from dataclasses import dataclass

import numpy as np

from auditor.figures import Figure, PlotMark, Series, format_delta
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.sentences import sentence
from auditor.messages import NumberText, as_phrase, phrase
from auditor.methods import statements as words
from auditor.methods.base import Method, ParameterSolver
from auditor.methods.faults import scale_budget, weaken_noise, widen_limit
from auditor.methods.noisy_counts import counting, counting_plan, outlook
from auditor.methods.noisy_counts.counting_plan import (
    CountingMethod,
    CountingPlan,
    NoiseRule,
    ReleaseFigures,
)
from auditor.methods.noisy_counts.grouped_queries import NO_GROUPS
from auditor.methods.noisy_counts.histograms import ContributionLimits, CountingUnit
from auditor.methods.setting_families import PassingLaw, SettingFamily
from auditor.params import Params
from auditor.privacy import accounting
from auditor.privacy.statement import Statement, Term, assume

describe_metric = MetricCatalogue("methods", "zealous")


@dataclass(frozen=True, kw_only=True)
class ZealousParams(Params, owner="zealous"):
    """What is wanted; λ and τ' follow from it."""

    m: int = 5
    epsilon: float = 2.0
    delta: float = 1e-06
    tau: int = 1
    threshold: str = "sound"
    protected_unit: str = "history"
    periods: int | None = None
    group_by: str = NO_GROUPS
    suppress: str = "nothing"


@dataclass(frozen=True)
class ZealousBounds:
    """λ, the release threshold, and the δ that holds."""

    scale: float
    least: int
    printed: float
    delta: float


def derive_bounds(params: ZealousParams) -> ZealousBounds:
    """λ and τ' from (ε', δ', m, τ); microseconds."""
    scale = accounting.zealous_scale(params.m, params.epsilon)
    printed = accounting.zealous_threshold(params.m, params.epsilon, params.delta)
    if params.threshold == "printed":
        least = max(1, math.floor(printed) + 1)  # above τ', in whole numbers
    else:
        least = accounting.zealous_sound_threshold(params.m, params.epsilon, params.delta)
        least += params.tau - 1
    delta = accounting.zealous_delta(params.m, scale, least - params.tau + 1)
    return ZealousBounds(scale, least, printed, delta)


def _plan(params: ZealousParams) -> CountingPlan:
    derived = derive_bounds(params)
    return CountingPlan(
        limits=ContributionLimits(CountingUnit.USERS, params.m, 1),
        fewest=params.tau,
        queries=NoiseRule(derived.scale, derived.least),
    )


def _build_statement(params: ZealousParams, figures: ReleaseFigures) -> Statement:
    derived = derive_bounds(params)
    holds = derived.delta <= params.delta * (1 + 1e-9)
    delta = min(1.0, derived.delta)
    claim = phrase(
        words.EXCHANGED_CLAIM,
        epsilon=NumberText(f"{params.epsilon:.4g}"),
        delta=words.format_number(delta),
        half=NumberText(f"{params.epsilon / 2:.4g}"),
    )
    if not holds:
        stated = format_delta(params.delta)
        claim += sentence("zealous.source_states_threshold_does", stated=as_phrase(stated))
    assumption = assume(
        "zealous.the_wanted_delta_is_reached",
        "holds" if holds else "fails",
        sentence(
            "zealous.wanted_reached_released_printed",
            delta=as_phrase(format_delta(params.delta)),
            derived_delta=as_phrase(words.format_number(derived.delta)),
            scale=derived.scale,
            least=derived.least,
            printed=derived.printed,
            tau=params.tau,
        ),
    )
    measured = {
        "lambda": derived.scale,
        "tau_prime": derived.printed,
        "least_count": float(derived.least),
        "epsilon_of_one_user_more": params.epsilon / 2,
    }
    if params.threshold == "printed":
        measured["printed_delta"] = params.delta
    return words.state_history(
        params.epsilon,
        delta,
        terms=(Term.of_budget("queries", params.epsilon, delta, "2m/λ; chance to pass τ' alone"),),
        limits=phrase("the first {m:,} different queries of each user, then τ", m=params.m),
        users=figures.users,
        noise=words.secure_noise(figures.secure),
        measured=measured,
        first=(assumption,),
        claim=claim,
        neighbours=words.EXCHANGED,
    )


COUNTING = CountingMethod(
    _plan,
    _build_statement,
    limit="m",
    threshold="τ'",
    list_turning=lambda _: ("m", "epsilon", "delta", "tau", "threshold"),
)


def curves(params: ZealousParams, users: int) -> tuple[Figure, ...]:
    """Noise and threshold over the wanted ε', and δ over the threshold."""
    grid = np.geomspace(min(0.05, params.epsilon), max(30.0, params.epsilon), outlook.POINTS)
    derived = derive_bounds(params)
    thresholds = [derive_bounds(params.replace(epsilon=float(epsilon))).least for epsilon in grid]
    return (
        describe_metric.figure(
            "scale",
            (
                Series("noise λ", grid, 2 * params.m / grid),
                Series("release threshold", grid, np.array(thresholds, dtype=np.float64)),
            ),
            marks=(PlotMark("x", params.epsilon, f"ε' = {params.epsilon:.4g}", "current"),),
        ),
        outlook.delta_over_threshold(
            lambda K: accounting.zealous_delta(params.m, derived.scale, K - params.tau + 1),
            derived.least,
            users,
        ),
    )


def passing_law(params: ZealousParams) -> PassingLaw:
    """The second threshold, on noisy numbers of users."""
    derived = derive_bounds(params)
    return PassingLaw.of_threshold(params.m, derived.scale, derived.least, "τ'")


_BUDGET = f"{__name__}:derive_bounds"
_NOISE = (f"{counting_plan.__name__}:noisy_at_least",)
_AUDITED = {"m": 1, "epsilon": 1.0, "delta": 0.01}
_AUDITED_RARE = _AUDITED | {"epsilon": 2.0, "delta": 1e-3}

METHOD = Method(
    **describe_metric.card,
    **counting.build_fields(COUNTING),
    params=ZealousParams,
    curves=curves,
    solvers=(
        ParameterSolver(
            "epsilon", "epsilon", "the wanted ε'", lambda p, value, _: p.replace(epsilon=value)
        ),
        ParameterSolver(
            "delta", "delta", "the wanted δ'", lambda p, value, _: p.replace(delta=value)
        ),
    ),
    families=(
        SettingFamily(
            "sound threshold",
            "m",
            lambda m, epsilon, delta: ZealousParams(m=m, epsilon=epsilon, delta=delta),
            bounded=True,
        ),
    ),
    law=passing_law,
    exchanges=True,
    faults=(
        weaken_noise(_AUDITED, 2, _NOISE),
        weaken_noise(_AUDITED, 4, _NOISE),
        scale_budget("threshold × 0.7", "threshold", _AUDITED_RARE, _BUDGET, 0.7, "least"),
        widen_limit(_AUDITED_RARE, counting.__name__),
    ),
)
