"""kΘ-affinity: keep frequent queries and rare refinements of them, drop everything else.

After Carpineto and Romano (2015). Of their model the published abstracts say that a query can be
protected by affine rather than identical queries, that affinity is the similarity of queries
expanded by concepts, which are weighted n-grams mined from the log, and that what is released is
the generalized k-cores of the graph of Θ-affine queries. The formulas were not at hand; what
stands here is a reading of it, described in `affinity`: stems are runs of consecutive words,
weighted by how rare their words are, and k counts different users of one stem. The minimum number
of users of each word (w) is an addition; w = 1 leaves it out.

There is no formal guarantee: of a refinement that one user issued every word is released. Cost:
that of `affinity`, and O(r log r) for the r rows that are kept.
"""

from dataclasses import dataclass

import numpy as np

from auditor.figures import MetricValue
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import NONE, QueryLog
from auditor.log.sentences import sentence
from auditor.messages import as_phrase, phrase
from auditor.methods.base import ExpectedRelease, Method, Recheck
from auditor.methods.explanation.explanation import (
    NO_ROWS,
    Explanation,
    ExplanationRequest,
    TurningPoint,
    find_threshold_turn,
)
from auditor.methods.frequency_threshold import (
    count_kept_rows,
    state_kept_rows,
    state_linked_strings,
)
from auditor.methods.k_theta_affinity.affinity import SupportedQueries, find_support
from auditor.methods.noisy_counts import outlook
from auditor.methods.noisy_counts.expectations import (
    extrapolate_counts,
    least_count,
    share_of_searches,
)
from auditor.methods.released_ids import count_dropped, replace_user_ids
from auditor.methods.statements import outsiders_evidence
from auditor.params import Params
from auditor.privacy.randomness import Randomness
from auditor.privacy.release import Product
from auditor.privacy.statement import Statement, assume
from auditor.progress import Progress

describe_metric = MetricCatalogue("methods", "k_theta_affinity")

INFORMATION = "information"


@dataclass(frozen=True, kw_only=True)
class KThetaAffinityParams(Params, owner="k-theta-affinity"):
    """How many users support a query, which queries count as affine, and what becomes of ids."""

    k: int = 10
    theta: float = 0.7
    similarity: str = INFORMATION
    w: int = 10
    ids: str = "random"
    times: str = "exact"


def _find_support(
    log: QueryLog, params: KThetaAffinityParams, progress: Progress, **limits: int
) -> SupportedQueries:
    """The users who support each query; `limits` are others than k and w."""
    return find_support(
        log,
        progress,
        theta=params.theta,
        information=params.similarity == INFORMATION,
        **{"least": params.k, "least_of_word": params.w} | limits,
    )


def run(
    log: QueryLog, params: KThetaAffinityParams, *, rng: Randomness, progress: Progress
) -> Product:
    """Release the rows of queries whose stems enough users issued."""
    progress.check()
    queries = _find_support(log, params, progress)
    released = queries.support >= params.k
    kept_log = log.rows(np.take(released, log.query))
    progress.check()
    fewer = int(np.count_nonzero(released & (queries.issuers < params.k)))
    changes = count_dropped(log, kept_log) | {"queries_of_fewer_than_k": fewer}
    statement = _build_statement(
        params,
        kept_log,
        progress,
        fewer=fewer,
        lone_queries=int(np.count_nonzero(released & (queries.issuers == 1)))
        if params.k > 1
        else 0,
        rare=int(np.count_nonzero(released & (queries.rarest < params.k))),
    )
    content, truth = replace_user_ids(kept_log, params.ids, rng, progress)
    return Product(content=content, statement=statement, changes=changes, truth=truth)


def _build_statement(
    params: KThetaAffinityParams,
    kept_log: QueryLog,
    progress: Progress,
    *,
    fewer: int,
    lone_queries: int,
    rare: int,
) -> Statement:
    """Of the released queries `fewer` have under k users, `lone_queries` one, `rare` rare words."""
    rows = count_kept_rows(kept_log, params.k, progress)
    of_rows = state_kept_rows(rows, params.ids, params.k)
    stems = assume(
        "k_theta_affinity.every_stem_has_k_users",
        "holds",
        phrase(
            "{queries:,} queries, with stems of {k:,} users or more",
            queries=rows.queries,
            k=params.k,
        ),
    )
    strings = assume(
        "k_theta_affinity.nobody_can_be_told_by_a_refinement",
        "fails" if fewer else "holds",
        sentence(
            "k_theta_affinity.released_queries_issued_fewer",
            fewer=fewer,
            lone=lone_queries,
            queries=rows.queries,
            k=params.k,
        ),
    )
    words = assume(
        "k_theta_affinity.every_word_has_k_users",
        "fails" if rare else "holds",
        sentence(
            "k_theta_affinity.released_queries_word_fewer",
            rare=rare,
            queries=rows.queries,
            k=params.k,
        ),
    )
    claim = sentence("k_theta_affinity.released_query_shares_stem", theta=params.theta, k=params.k)
    return Statement(
        model="none",
        claim=claim + state_linked_strings(params.ids),
        unit="one query string",
        assumptions=(
            stems,
            strings,
            words,
            *of_rows,
            assume(
                "k_theta_affinity.attackers_issue_no_stem", "unknown", outsiders_evidence(params.k)
            ),
        ),
        measured={
            "unique_users": float(rows.unique),
            "lonely_pages": float(rows.pages),
            "refinements": float(fewer),
            "lone_queries": float(lone_queries),
            "rare_word_queries": float(rare),
        },
    )


def estimate_release(
    log: QueryLog, params: KThetaAffinityParams, *, scale: float, progress: Progress
) -> ExpectedRelease:
    """What is left, exactly on the whole log and estimated from a sample of users."""
    of_word = least_count(params.w, scale)
    queries = _find_support(log, params, progress, least=1, least_of_word=of_word)
    rows = np.bincount(log.query, minlength=len(log.queries))
    issuers, stand_for = extrapolate_counts(
        np.maximum(queries.issuers, 1).astype(np.float64), scale
    )
    support, _ = extrapolate_counts(np.maximum(queries.support, 1).astype(np.float64), scale)
    support[queries.support == 0] = 0.0
    released = support >= params.k
    frequent = issuers >= params.k
    peak = float(support.max(initial=0.0))
    searches = share_of_searches(released.astype(np.float64), log.searches_by_query)
    values = (
        describe_metric("expected.queries", float(stand_for[released].sum())),
        describe_metric("expected.refinements", float(stand_for[released & ~frequent].sum())),
        outlook.metric_of_searches(searches),
        describe_metric("expected.volume", float(rows @ released) / max(len(log), 1)),
    )
    kept_log = log.rows(released[log.query])
    few_users = least_count(params.k, scale)
    statement = _build_statement(
        params,
        kept_log,
        progress,
        fewer=round(float(stand_for[released & ~frequent].sum())),
        lone_queries=round(float(stand_for[released & (queries.issuers == 1)].sum()))
        if params.k > 1
        else 0,
        rare=round(float(stand_for[released & (queries.rarest < few_users)].sum())),
    )
    note = ""
    if not released.any():
        note = (
            sentence("k_theta_affinity.configuration_expected_release_query", most=peak, k=params.k)
            if peak
            else sentence("k_theta_affinity.configuration_expected_release_query_2", w=params.w)
        )
    return ExpectedRelease(
        statement=statement,
        values=values,
        figures=(
            outlook.volume_by_threshold(
                describe_metric,
                rows,
                {"with affine queries": support, "without (frequency threshold)": issuers},
                params.k,
                f"k = {params.k:,}",
            ),
        ),
        note=note,
    )


def explain(
    request: ExplanationRequest, params: KThetaAffinityParams, progress: Progress
) -> Explanation:
    """How many users support it and how many issued its rarest word; costs what a run does."""
    if request.code == NONE:
        turn = find_threshold_turn(params, "k", 0, NO_ROWS)
        return Explanation(outcome="Nobody issued it.", chance=0.0, turns=(turn,))
    queries = _find_support(request.log, params, progress, least=1)
    user_count, rarest = len(request.users), int(queries.rarest[request.code])
    support = int(queries.support[request.code])
    values = (
        describe_metric("alone", float(user_count)),
        describe_metric("rarest_word", float(rarest)),
    )
    if rarest < params.w:
        # The greatest w that lets it pass may keep it: one more count of supports tells.
        least = _find_support(request.log, params, progress, least_of_word=rarest)
        label = params.spec("w").label
        turn = TurningPoint("w", label, params.w, why="then too few users would support it")
        if least.support[request.code] >= params.k:
            turn = TurningPoint("w", label, params.w, rarest, 1.0)
        return Explanation(
            outcome=sentence(
                "k_theta_affinity.users_issued_rarest_word", rarest=rarest, w=params.w
            ),
            chance=0.0,
            values=values,
            turns=(turn,),
        )
    keep = support >= params.k
    words = "enough: every row with it is kept" if keep else "too few: every row with it is dropped"
    return Explanation(
        outcome=sentence(
            "k_theta_affinity.users_issued_issued_refinements",
            alone=user_count,
            support=support,
            k=params.k,
            words=as_phrase(words),
        ),
        chance=float(keep),
        values=(
            *values,
            describe_metric("support", float(support)),
            MetricValue("threshold", params.spec("k").label, float(params.k), "users"),
            describe_metric("margin", float(support - params.k)),
        ),
        turns=(find_threshold_turn(params, "k", support, ""),),
    )


def _find_contradiction(
    log: QueryLog, released: QueryLog, params: KThetaAffinityParams, progress: Progress
) -> str:
    support = _find_support(log, params, progress).support
    code = released.queries.match(log.queries)
    if not bool((code == NONE).any()) and not bool((support[code] < params.k).any()):
        return ""
    return sentence("k_theta_affinity.holds_queries_fewer_users", k=params.k, w=params.w)


METHOD = Method(
    **describe_metric.card,
    recheck=Recheck(
        "every released query has a stem of the users that it needs", _find_contradiction
    ),
    params=KThetaAffinityParams,
    yields="log",
    randomised=False,
    run=run,
    outlook=estimate_release,
    explain=explain,
    main=("k", "theta", "w", "similarity", "ids"),
    strictness=("k",),
)
