"""Whether clusters of users survive: Jaccard and Rand indices over the number of clusters κ.

Users of the log and of the release are clustered alike by the distance of their queries, from the
same first users, and every pair of users is asked whether it is together in both (Navarro-Arribas
et al. 2012, section 4.4, Figs. 5 and 6). "medoid" takes as the centre of a cluster the user nearest
to all of it; "merged" the merged list of the source, computed anew in every round.

In the source both indices rise to 1 with κ. Rand does, since at many clusters nearly all pairs are
apart on both sides. Jaccard, which leaves those out, falls with κ on every log that was tried, and
has to: the k users of a group have one record and stay together at any κ, so that with κ even
clusters of n users in the log J is at most (n/κ − 1) ÷ (k − 1), 0.02 for the source's n = 1,000,
k = 50, κ = 500, where Fig. 5 nears 1. As printed it rises only if one cluster holds nearly all.

Distances of the sampled users cost as much as microaggregating them
(`auditor.log.user_distance.distance`) and are kept for the next run; a round costs O(s²) for s
users by medoids.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from auditor.arrays import Float32s, Float64s, Int64s
from auditor.figures import Series
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import NONE, QueryLog
from auditor.log.user_distance.centroid import centroid_probes, compute_centroids
from auditor.log.user_distance.distance import UserDistance, all_distances
from auditor.log.user_distance.features import ClickedDomains, DistanceWeights, space_of
from auditor.measures.base import Measure, MeasureContext, MeasureResult
from auditor.measures.site_clustering import count_joined_pairs
from auditor.messages import as_phrase
from auditor.params import Params
from auditor.privacy.records import group_by_owner, record_owners
from auditor.privacy.release import Anonymized
from auditor.progress import Progress

catalogue = MetricCatalogue("measures", "user_clustering")

MOST_USERS, MOST_WORK = 300, 10_000_000
"""Users that are compared by default, and at most so many users times their rows."""


@dataclass(frozen=True, kw_only=True)
class UserClusteringParams(Params, owner="user-clustering"):
    """How many users, how many clusters, and what stands for a cluster."""

    users: int | None = None
    most: int = 500
    rounds: int = 10
    centre: str = "medoid"


def partition_indices(first: Int64s, second: Int64s) -> tuple[float, float]:
    """Jaccard and Rand index of two partitions of the same users; 1 where there are no pairs."""
    n = len(first)
    pairs = n * (n - 1) / 2
    table = first * (int(second.max(initial=0)) + 1) + second
    both, joined_pairs, other = map(count_joined_pairs, (table, first, second))
    separated = pairs - joined_pairs - other + both
    together = joined_pairs + other - both
    return (both / together if together else 1.0, (both + separated) / pairs if pairs else 1.0)


def cluster_users(
    distances: Float32s,
    start: Int64s,
    rounds: int,
    progress: Progress,
    *,
    centres: Callable[[Int64s], Float32s] | None = None,
) -> Int64s:
    """Labels of users, κ-means style from the first users `start`; shape (users,).

    `centres` gives the distances of all users to the merged lists of a labelling, (κ, users);
    without it the medoids of `distances` are taken. Empty clusters keep their last centre.
    """
    centre_distances = distances[start]
    labels: Int64s = np.argmin(centre_distances, axis=0)
    for _ in range(rounds):
        progress.check()
        centre_distances = centre_distances.copy() if centres is None else centres(labels)
        if centres is None:
            for number in np.unique(labels).tolist():
                members = np.flatnonzero(labels == number)
                total = distances[np.ix_(members, members)].sum(axis=1)
                centre_distances[number] = distances[members[int(np.argmin(total))]]
        new = np.argmin(centre_distances, axis=0)
        if np.array_equal(new, labels):
            break
        labels = new
    return labels


def merged_centres(
    log: QueryLog, first: Float32s, progress: Progress
) -> Callable[[Int64s], Float32s]:
    """Distances of all users to the merged list of each cluster; an empty one keeps its place."""
    space = space_of(log, progress)
    domains = ClickedDomains.of(log.urls, progress)
    distance = UserDistance(space, DistanceWeights(), progress)
    centre_distances = first.copy()

    def find_centres(labels: Int64s) -> Float32s:
        used_labels = np.unique(labels)
        groups = [np.flatnonzero(labels == number) for number in used_labels.tolist()]
        lists = compute_centroids(log, groups, domains, progress)
        centre_distances[used_labels] = distance.to_all(
            centroid_probes(log, space, lists, domains), progress
        )
        return centre_distances

    return find_centres


def run(
    log: QueryLog, release: Anonymized, params: UserClusteringParams, context: MeasureContext
) -> MeasureResult:
    """Cluster a sample of users before and after, for κ = 2 and up."""
    progress = context.progress
    released = release.log
    assert released is not None
    ownership = record_owners(log, release, progress)
    common = sorted_distinct(ownership.user[ownership.user >= 0])
    if len(common) < 4:
        return MEASURE.build_result(
            params, notes=(catalogue.say("too_few_users", told=as_phrase(ownership.evidence)),)
        )
    user_limit = params.users
    if user_limit is None:
        user_limit = min(MOST_USERS, math.isqrt(int(MOST_WORK * len(log.users) / max(len(log), 1))))
    user_limit = max(4, user_limit)
    if len(common) > user_limit:
        common = np.sort(context.rng.choice(common, user_limit, replace=False))
    is_chosen = np.zeros(len(log.users), dtype=np.bool_)
    is_chosen[common] = True
    owners = np.where(is_chosen[ownership.user], ownership.user, NONE)
    sampled = log if is_chosen.all() else log.rows(is_chosen[log.user])
    logs = (sampled, group_by_owner(log, released, owners))
    first, second = (all_distances(part, DistanceWeights(), progress) for part in logs)
    user_limit = max(2, min(params.most, len(common) // 2))
    kappas: Int64s = np.unique(np.geomspace(2, user_limit, 16).round().astype(np.int64))
    indices = []
    progress.stage("clustering users", len(kappas))
    for kappa in kappas.tolist():
        start = context.rng.choice(len(common), kappa, replace=False)
        labels = []
        for part, distances in zip(logs, (first, second), strict=True):
            centres = None
            if params.centre == "merged":
                centres = merged_centres(part, distances[start], progress)
            labels.append(cluster_users(distances, start, params.rounds, progress, centres=centres))
        indices.append(partition_indices(labels[0], labels[1]))
        progress.check()
    return _build_result(params, kappas, np.array(indices), len(common))


def _build_result(
    params: UserClusteringParams, kappas: Int64s, indices: Float64s, users: int
) -> MeasureResult:
    names = ("Jaccard index", "Rand index")
    figure = catalogue.figure(
        "user-clustering",
        (Series(name, kappas.astype(np.float64), indices[:, i]) for i, name in enumerate(names)),
        places={"users": users},
    )
    values = tuple(
        catalogue(
            "clustering",
            float(indices[:, i].mean()),
            named=f"clustering.{name.split()[0].lower()}",
            side="utility" if i == 0 else "",
            name=as_phrase(name),
        )
        for i, name in enumerate(names)
    )
    table = catalogue.table(
        "user-clustering",
        [
            [kappa, *(round(v, 6) for v in row)]
            for kappa, row in zip(kappas.tolist(), indices.tolist(), strict=True)
        ],
        columns=("clusters (κ)", *names),
    )
    return MEASURE.build_result(params, values, figures=(figure,), tables=(table,))


MEASURE = Measure(**catalogue.card, params=UserClusteringParams, run=run, applies=("log",))
