"""(k,δ)-anonymity: everyone has k − 1 others with the same share of every interest.

Hong, He, Vaidya, Adam and Atluri (CIKM 2009). Queries are clustered by the pages clicked for them
(clusters within δ), users are grouped by k by their shares of clusters, and events are added and
suppressed until every member has the shares of the group's representative. Cost: see
`query_clusters` (pairs of near queries), `user_groups` (n/k seeds over an inverted index) and
`editing` (O(events log events)).
"""

import dataclasses
from dataclasses import dataclass
from typing import Any

import numpy as np

from auditor.arrays import Int64s
from auditor.bit_mixing import mix_numbers
from auditor.errors import ParameterError
from auditor.log.lifetime_cache import LifetimeCache
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import QueryLog
from auditor.log.origin import LogOrigin
from auditor.log.sentences import sentence
from auditor.messages import as_phrase, phrase
from auditor.methods.base import Method, check_group_size
from auditor.methods.explanation.explanation import Explanation, ExplanationRequest, TurningPoint
from auditor.methods.explanation.released_rows import (
    ReleasedStanding,
    find_standing,
    only_running_tells,
    row_values,
    users_table,
)
from auditor.methods.k_delta.editing import edit_log, plan_edits, target_counts
from auditor.methods.k_delta.outlook import estimate_release, group_curve
from auditor.methods.k_delta.query_clusters import by_first, cluster_queries
from auditor.methods.k_delta.statement import equal_parts, state_release
from auditor.methods.k_delta.user_groups import group_users, user_vectors
from auditor.methods.noisy_counts.period_units import name_units
from auditor.params import Params
from auditor.privacy.randomness import Randomness
from auditor.privacy.release import Product, ReleasedGroups
from auditor.privacy.truth_table import TruthTable
from auditor.privacy.verification.k_delta import KDeltaVerdict, verify_k_delta
from auditor.progress import Progress

RECOMPUTED_QUERIES, RECOMPUTED_USERS = 200_000, 20_000
"""Up to so many released queries and users the slow, independent verifier clusters the release, and
an explanation looks for groups."""


@dataclass(frozen=True, kw_only=True)
class KDeltaParams(Params, owner="k-delta"):
    """How many users, how wide a cluster, and how the log may be edited."""

    k: int = 10
    delta: float = 0.5
    epsilon: float = 0.0
    size: str = "exact"
    mode: str = "both"
    linkage: str = "complete"
    ids: str = "random"
    times: str = "exact"


def run(log: QueryLog, params: Any, *, rng: Randomness, progress: Progress) -> Product:
    """Give every user k − 1 others at distance 0, or within epsilon where it is not 0.

    With epsilon, each part of a group is moved towards the group's representative only until it is
    within epsilon / 2 of it. Raises `ParameterError` where the log has fewer than k users.
    """
    m = equal_parts(params)
    progress.check()
    check_group_size(params.k, len(log.users))
    cluster = cluster_queries(log, params.delta, params.linkage, progress)
    vectors = user_vectors(log, cluster, progress)
    groups = group_users(vectors, params.k, m, rng.permutation(len(vectors)), progress)
    target = target_counts(vectors, groups, params.epsilon, progress)
    edits = plan_edits(vectors, groups.part, target, params.size, params.mode, progress)
    edited = edit_log(log, cluster, groups.group, edits, rng, progress)
    origin = LogOrigin(rows_read=len(edited.log))
    released = dataclasses.replace(edited.log, origin=origin)
    owner, truth = released.users.match(log.users).astype(np.int64), None
    if params.ids == "random":
        new, names = rng.permutation(len(owner)), name_units(len(owner))
        released = released.with_users(new.astype(np.int32), names)
        owner = owner[np.argsort(new)]
        truth = TruthTable(names, log.users, owner)
    group = groups.group[owner]
    # Of the log under old ids only the counts are still needed.
    edited = dataclasses.replace(edited, log=released)
    labels = cluster[released.queries.match(log.queries)]
    verdict = verify_k_delta(
        released,
        params.k,
        params.delta,
        params.epsilon,
        m,
        clusters=by_first(labels) if len(labels) else labels,
        clicked=log,
        progress=progress,
    )
    changes = {
        "rows": len(log),
        "rows_released": len(released),
        "events_added": edited.added,
        "events_suppressed": edited.suppressed,
        "queries_dropped": len(log.queries) - len(released.queries),
        "users_dropped": len(log.users) - len(released.users),
        "searches_misattributed": edited.misattributed,
    }
    fresh = _recompute_verdict(released, params, m, progress)
    return Product(
        content=released,
        statement=state_release(
            log, edited, params, verdict, fresh, groups=len(groups.lead), clusters=vectors.width
        ),
        changes=changes,
        groups=ReleasedGroups(group, equal=False),
        truth=truth,
    )


def _recompute_verdict(
    log: QueryLog, params: Any, m: int, progress: Progress
) -> KDeltaVerdict | None:
    """The verdict by the release's own clicks; None where there are too many near queries."""
    large = len(log.queries) > RECOMPUTED_QUERIES or len(log.users) > RECOMPUTED_USERS
    clusters = None
    if large or params.delta >= 0.6:
        try:
            clusters = cluster_queries(log, params.delta, "complete", progress)
        except ParameterError:
            return None
    return verify_k_delta(
        log, params.k, params.delta, params.epsilon, m, clusters=clusters, progress=progress
    )


_clusters = LifetimeCache[QueryLog, Int64s](2)

GROUPS = "A group here is of users with exactly the same shares of every query cluster."


def explain(request: ExplanationRequest, params: Any, progress: Progress) -> Explanation:
    """What was added and suppressed of one query; O(rows), and the clustering once a log."""
    log, released = request.log, request.released
    standing, released_request = find_standing(request, progress)
    group = None
    if len(log.queries) <= RECOMPUTED_QUERIES and len(released.users) <= RECOMPUTED_USERS:
        group = _number_groups(log, released, params, progress)
    notes = () if group is not None else ("Groups are not looked for in a log of this size.",)
    return Explanation(
        outcome=_describe_outcome(request, released_request, standing, params),
        chance=1.0 if params.mode == "add" and len(request.rows) else None,
        values=row_values(standing),
        turns=_list_turning_points(request, released_request, params),
        tables=(users_table(request, standing, group, GROUPS),) if len(standing.user) else (),
        notes=notes,
    )


def _describe_outcome(
    request: ExplanationRequest,
    released_request: ExplanationRequest,
    standing: ReleasedStanding,
    params: Any,
) -> str:
    before, after = int(standing.before.sum()), int(standing.after.sum())
    if not before:
        return "Nobody in this log issued it; events of it can neither stay nor be added."
    least = "" if standing.has_owners else "at least "
    words = phrase(
        "Issued {before:,} times by {users:,} users, it ", before=before, users=len(request.users)
    )
    if after:
        words += sentence(
            "k_delta.stands_times_under_ids",
            after=after,
            users=len(released_request.users),
            least=as_phrase(least),
            added=standing.count_added(),
            suppressed=standing.count_suppressed(),
        )
    else:
        words += (
            "was suppressed altogether: the representatives of their groups have too few events "
            "of its cluster, or other events of the cluster were drawn to stay."
        )
    return words if params.mode != "add" else words + " Nothing is suppressed in this mode."


def _list_turning_points(
    request: ExplanationRequest, released_request: ExplanationRequest, params: Any
) -> tuple[TurningPoint, ...]:
    reason = "who is grouped with whom, and which events stay, is drawn: only running tells"
    label = params.spec("mode").label
    if len(request.rows) and not len(released_request.rows) and params.mode != "add":
        certain: tuple[TurningPoint, ...] = (TurningPoint("mode", label, params.mode, "add", 1.0),)
    else:
        certain = only_running_tells(params, ("mode",), reason) if len(request.rows) else ()
    names = [name for name in ("m", "k", "delta", "epsilon", "size") if hasattr(params, name)]
    if not len(request.rows):
        reason = "no value of it brings in a query that nobody issued"
    return certain + only_running_tells(params, names, reason)


def _number_groups(log: QueryLog, released: QueryLog, params: Any, progress: Progress) -> Int64s:
    """A number for each released user, equal where shares of all clusters are."""
    cluster = _clusters.get(
        log,
        (params.delta, params.linkage),
        lambda: cluster_queries(log, params.delta, params.linkage, progress),
    )
    codes = released.queries.match(log.queries)
    vectors = user_vectors(released, cluster[codes], progress)
    if not len(vectors.counts):
        return np.zeros(len(vectors), dtype=np.int64)
    divisor = np.gcd.reduceat(vectors.counts, vectors.starts[:-1])  # every user has an event
    share = vectors.counts // np.repeat(divisor, np.diff(vectors.starts))
    bits = mix_numbers(mix_numbers(vectors.clusters.view(np.uint64)) ^ share.view(np.uint64))
    total = np.add.reduceat(bits, vectors.starts[:-1])
    number: Int64s = np.unique(total, return_inverse=True)[1].astype(np.int64)
    return number


def build_method(params: type[Params], main: tuple[str, ...]) -> Method:
    """The method with these parameters; its catalogue has its words."""
    return Method(
        **MetricCatalogue("methods", params.owner.replace("-", "_")).card,
        definition="k-delta",
        params=params,
        yields="log",
        grouped=True,
        randomised=False,
        run=run,
        outlook=estimate_release,
        curves=group_curve,
        explain=explain,
        main=main,
        strictness=("k",),
    )


METHOD = build_method(KDeltaParams, ("k", "delta", "epsilon", "mode", "ids"))
