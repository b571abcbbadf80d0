"""(k,δ)-anonymity: everyone has k − 1 others with the same share of every interest.

Hong, He, Vaidya, Adam and Atluri (CIKM 2009). Queries are clustered by the pages clicked for them
(clusters within δ), users are grouped by k by their shares of clusters, and events are added and
suppressed until every member has the shares of the group's representative. Cost: see
`query_clusters` (pairs of near queries), `user_groups` (n/k seeds over an inverted index) and
`k_delta_edit` (O(events log events)).
"""

from __future__ import annotations

from dataclasses import dataclass

from auditor.log.model import QueryLog
from auditor.methods.base import Method
from auditor.methods.k_delta import common
from auditor.methods.k_delta.explain import explain
from auditor.methods.k_delta.outlook import estimate_release, group_curve
from auditor.methods.time_granularity import times_field
from auditor.params import Params
from auditor.privacy.randomness import Randomness
from auditor.privacy.release import Product
from auditor.progress import Progress


@dataclass(frozen=True, kw_only=True)
class KDeltaParams(Params, owner="k-delta"):
    """How many users, how wide a cluster, and how the log may be edited."""

    k: int = common.k_field()
    delta: float = common.delta_field()
    epsilon: float = common.epsilon_field(0.0)
    size: str = common.size_field()
    mode: str = common.mode_field()
    linkage: str = common.linkage_field()
    ids: str = common.ids_field()
    times: str = times_field()


def run(log: QueryLog, params: KDeltaParams, *, rng: Randomness, progress: Progress) -> Product:
    """Give every user k − 1 others at distance 0, or within epsilon where it is not 0.

    With epsilon, each user is moved towards their group's representative only until they are within
    epsilon / 2 of it. Raises `ParameterError` where the log has fewer than k users.
    """
    return common.anonymize_groups(log, params, rng=rng, progress=progress)


METHOD = Method(
    definition="k-delta",
    name="k-delta",
    cost="O(rows · log rows) and, to group, O(users² · queries they share)",
    title="(k,δ)-anonymity",
    summary="Groups at least k users with similar interests and edits their histories until "
    "all members of a group have the same share of every interest.",
    source="Hong, He, Vaidya, Adam, Atluri: Effective anonymization of query logs (CIKM 2009)",
    params=KDeltaParams,
    yields="log",
    grouped=True,
    randomised=False,
    run=run,
    outlook=estimate_release,
    curves=group_curve,
    explain=explain,
    guarantee="Each user is like k − 1 others in their share of every interest.",
    weakness="The edited queries are still readable, and the rarest of them can name somebody.",
    main=("k", "delta", "epsilon", "mode", "ids"),
    strictness=("k",),
)
