"""Set union: as many queries as (ε, δ) can buy, found in rounds of weights and Gaussian noise.

Source: Gopi, Gulhane, Kulkarni, Shen, Shokouhi and Yekhanin: Differentially private set union,
ICML 2020 (one round: weights 1/√t, Gaussian noise, threshold); Swanberg, Desfontaines and Haney:
DP-SIPS, PoPETs 2023 (several rounds: what is found leaves the users' lists, so that their weight
goes to what is still to be found); Chen, Cohen-Addad, Epasto and Zadimoghaddam: Scalable private
partition selection via adaptive weighting, ICML 2025 (weight that popular queries don't need goes
elsewhere, and a first round says what is hopeless; see `rounds` for the proof). It is
there to show what the budget of another method could buy: it spends as much of it on which queries
are released as the analyst wishes, and the rest on how many users issued each of them.

Each round with even weights, a user of whose first `q_f` queries t are not found yet adds ⌊2²⁰/√t⌋
to each of them: an ℓ2 of 2²⁰ at most, whatever others do. Every weight gets a discrete Gaussian,
and what reaches the threshold is found. The rounds are approximate concentrated DP, each ρ with a
chance δ that a query of one user alone passes; a later one depends on the earlier by their noisy
weights only, so both add up. See `privacy/gaussian.py` for ρ, (ε, δ) and the threshold on whole
numbers.

Cost: O(rows · rounds), and one draw of noise for every query of the limited histories and round:
about 10 µs each from the secure sampler, so a log of five million such queries takes minutes.
"""

import functools
import math
from typing import Any

import numpy as np

from auditor.arrays import Float64s
from auditor.figures import Figure, MetricValue
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
from auditor.methods.noisy_counts.expectations import extrapolate_users, share_of_searches
from auditor.methods.noisy_counts.explain import in_words
from auditor.methods.noisy_counts.histograms import (
    CountingUnit,
    assemble_tables,
    choose_queries,
    limit_users,
)
from auditor.methods.noisy_counts.outlook import metric_of_searches
from auditor.methods.set_union.rounds import (
    ADAPTIVE,
    EVEN,
    SCREENED,
    SetUnionNoise,
    SetUnionParams,
    derive_noise,
    find_chances,
    planted_union_chances,
    weigh_evenly,
    weigh_once,
    weigh_queries,
)
from auditor.methods.setting_families import FirstWeights, SettingFamily, WeightLaw
from auditor.privacy import count_error, gaussian
from auditor.privacy.randomness import Randomness
from auditor.privacy.release import QUERIES, Product
from auditor.privacy.statement import Statement
from auditor.progress import Progress

describe_metric = MetricCatalogue("methods", "set_union")


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


def curves(params: SetUnionParams, users: int) -> tuple[Figure, ...]:
    """How many users a query needs to be found, over ε."""
    del users
    return (
        outlook.users_needed(
            describe_metric,
            params,
            lambda other: derive_noise(other).least_weight,
            ("who issued nothing else", phrase("who issued {q_f:,} queries", q_f=params.q_f)),
            {"noise of a count": lambda other: derive_noise(other).count_sigma},
        ),
    )


def explain(request: ExplanationRequest, params: SetUnionParams, progress: Progress) -> Explanation:
    """What its users gave it in each round, against the round's threshold.

    One round is exact, and costs O(rows of those who issued it). With several, what others' queries
    leave to it is taken as the likely case, at O(rows) a round.
    """
    from scipy.stats import norm

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
        """Of being found in any round; after a screening, only what it left open."""
        noise, weights = derive_noise(other), list_weights(other)
        passes = _compute_pass_chances(noise, weights)
        if noise.screen is None:
            return 1 - math.prod(1 - part for part in passes)
        chance = float(norm.sf((noise.screen - weights[0]) / noise.sigma[0])) if weights[0] else 0.0
        return passes[0] + max(chance - passes[0], 0.0) * passes[1]

    derived, weights = derive_noise(params), list_weights(params)
    passes = _compute_pass_chances(derived, weights)
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
        outcome=_explain_query(request, params, derived, weights, limited, compute_chance(params)),
        chance=compute_chance(params),
        values=(
            describe_metric("limited_users", float(limited), q_f=params.q_f),
            describe_metric("scale", derived.count_sigma),
        ),
        tables=(
            describe_metric.table(
                "rounds",
                [
                    [
                        number,
                        weight / derived.grid,
                        least / derived.grid,
                        sigma / derived.grid,
                        part,
                    ]
                    for number, (weight, least, sigma, part) in enumerate(
                        zip(weights, derived.threshold, derived.sigma, passes, strict=True), start=1
                    )
                ],
            ),
        ),
        turns=solved,
        notes=() if once else ("What is found before a round is taken as the likely case.",),
    )


def _compute_pass_chances(derived: SetUnionNoise, weights: list[int]) -> list[float]:
    """The chance of each round that this weight reaches the threshold.

    σ is some 2²⁰ steps, so that the normal tail half a step earlier is the discrete one to more
    digits than a double has.
    """
    from scipy.stats import norm

    return [
        float(norm.sf((threshold - 0.5 - weight) / sigma)) if weight else 0.0
        for weight, sigma, threshold in zip(weights, derived.sigma, derived.threshold, strict=True)
    ]


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
    best = int(np.argmax(_compute_pass_chances(derived, weights)))
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


FAMILIES = tuple(
    _make_family(weighting, rounds, counting)
    for weighting, rounds in ((EVEN, 1), (EVEN, 2), (EVEN, 3), (SCREENED, 1))
    for counting in (0.1, 0.3)
)
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
    if params.rounds == 1 and params.weighting == EVEN:
        first = FirstWeights(
            gaussian.item_weights(params.q_f),
            lambda log, progress: weigh_once(log, params, progress),
            derived.threshold[0],
            derived.sigma[0],
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
    curves=curves,
    explain=explain,
    streams=True,
    families=FAMILIES,
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
            places=("auditor.methods.set_union.rounds:_prepare_shares",),
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
