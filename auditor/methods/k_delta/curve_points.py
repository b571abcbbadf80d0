"""Points of (k,δ)'s curves: what one k makes of the users of a log, without making the log.

Queries are clustered, users grouped and edits planned as in a run; groups begin with other users
than a run's, which draws its order. O(entries log entries + grouping) a point, see `user_groups`.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from auditor.arrays import Float64s, Int64s
from auditor.log.model import QueryLog
from auditor.log.overlap import SparseRows
from auditor.methods.k_curves import KCurve, KeptCurves
from auditor.methods.k_delta.common import equal_parts
from auditor.methods.k_delta.editing import EditCounts, plan_edits, target_counts
from auditor.methods.k_delta.query_clusters import cluster_queries
from auditor.methods.k_delta.user_groups import (
    InterestVectors,
    group_similarities,
    group_users,
    user_vectors,
)
from auditor.privacy.randomness import PreviewRandomness
from auditor.progress import Progress

QUARTERS = ("fewest searches", "fewer", "more", "most searches")
"""The users by their number of searches, in four groups of equal size."""
SEED = 0
"""Of the order in which users are taken: one for all settings, so that these alone differ."""


@dataclass(frozen=True, eq=False)
class KDeltaPoint:
    """What comes of one k.

    `before` and `after` are mean similarities of users to the others of their groups, `least`
    that of the user who is least like theirs; `quarters` the means after in four groups of users.
    `added` and `suppressed` count searches, `grouping` and `planning` seconds.
    """

    groups: int
    before: float
    after: float
    least: float
    quarters: Float64s
    added: int
    suppressed: int
    searches: int
    grouping: float
    planning: float


@dataclass(frozen=True, eq=False)
class CurveBase:
    """What all k share: the users' vectors, who is in which quarter, the time it took."""

    vectors: InterestVectors
    quarter: Int64s
    clustering: float


@dataclass(frozen=True, eq=False)
class GroupSizes:
    """Points of one k in random parts of the users, by their number."""

    points: dict[int, KDeltaPoint]


_bases: KeptCurves[CurveBase] = KeptCurves()
_curves: KeptCurves[KCurve[KDeltaPoint]] = KeptCurves(8)
_sizes: KeptCurves[GroupSizes] = KeptCurves(64)


def base_of(log: QueryLog, params: Any, progress: Progress) -> CurveBase:
    """The users of a log as its clusters of queries show them; kept."""

    def make_base() -> CurveBase:
        began = time.perf_counter()
        cluster = cluster_queries(log, params.delta, params.linkage, progress)
        vectors = user_vectors(log, cluster, progress)
        place = np.empty(len(vectors), dtype=np.int64)
        place[np.argsort(vectors.totals, kind="stable")] = np.arange(len(vectors))
        quarter = place * len(QUARTERS) // max(len(vectors), 1)
        return CurveBase(vectors, quarter, time.perf_counter() - began)

    return _bases.get((log.digest, params.delta, params.linkage), make_base)


def curve_of(log: QueryLog, base: CurveBase, params: Any) -> KCurve[KDeltaPoint]:
    """The curve over k of a log and a setting; kept with its points."""

    def compute_point(k: int, progress: Progress) -> KDeltaPoint:
        return _compute_point(base, params, k, progress)

    return _curves.get(curve_key(log, params), lambda: KCurve(len(base.vectors), compute_point))


def sizes_of(log: QueryLog, params: Any) -> GroupSizes:
    """The points over users of a log and a setting, k included; filled by `grown`."""
    return _sizes.get((*curve_key(log, params), params.k), lambda: GroupSizes({}))


def curve_key(log: QueryLog, params: Any) -> tuple[Any, ...]:
    """What a curve depends on: the log and everything but k."""
    values = {name: value for name, value in params.to_dict().items() if name not in ("k", "ids")}
    return (params.owner, log.digest, *sorted(values.items()))


def grow_points(base: CurveBase, params: Any, progress: Progress) -> dict[int, KDeltaPoint]:
    """Points of ever larger parts of the users; the first ones of one random order."""
    users = len(base.vectors)
    order = PreviewRandomness(SEED + 1).permutation(users)
    found = {}
    for part in (32, 16, 8, 4, 2):
        size = users // part
        if size >= 2 * params.k:
            some = np.sort(order[:size])
            few = CurveBase(
                base.vectors.select_users(some), base.quarter[some], base.clustering * size / users
            )
            found[size] = _compute_point(few, params, params.k, progress)
    return found or {0: NOTHING}


def _compute_point(base: CurveBase, params: Any, k: int, progress: Progress) -> KDeltaPoint:
    vectors = base.vectors
    m = min(equal_parts(params.replace(k=max(k, getattr(params, "m", k)))), k)
    order = PreviewRandomness(SEED).permutation(len(vectors))
    began = time.perf_counter()
    groups = group_users(vectors, k, m, order, progress)
    grouped = time.perf_counter()
    wanted = target_counts(vectors, groups, params.epsilon, progress)
    edits = plan_edits(vectors, groups.part, wanted, params.size, params.mode, progress)
    planned = time.perf_counter()
    before = _compute_cohesion(vectors.compute_shares(), groups.group)
    progress.check()
    after = _compute_cohesion(_edit_rows(edits, len(vectors), vectors.width), groups.group)
    size = np.bincount(base.quarter, minlength=len(QUARTERS))
    return KDeltaPoint(
        groups=len(groups.lead),
        before=float(before.mean()),
        after=float(after.mean()),
        least=float(after.min()),
        quarters=np.bincount(base.quarter, after, minlength=len(QUARTERS)) / np.maximum(size, 1),
        added=int(np.maximum(edits.after - edits.before, 0).sum()),
        suppressed=int(np.maximum(edits.before - edits.after, 0).sum()),
        searches=int(edits.after.sum()),
        grouping=grouped - began,
        planning=planned - grouped,
    )


NOTHING = KDeltaPoint(0, 1.0, 1.0, 1.0, np.ones(len(QUARTERS)), 0, 0, 0, 0.0, 0.0)


def _compute_cohesion(rows: SparseRows, group: Int64s) -> Float64s:
    """Mean similarity of each row to the others of its group; 1 where there are none."""
    size = np.bincount(group)[group]
    others = (group_similarities(rows, group) - rows.mass) / np.maximum(size - 1, 1)
    found: Float64s = np.clip(np.where(size > 1, others, 1.0), 0.0, 1.0)
    return found


def _edit_rows(edits: EditCounts, users: int, width: int) -> SparseRows:
    there = edits.after > 0
    user, count = edits.user[there], edits.after[there].astype(np.float64)
    total = np.bincount(user, count, minlength=users)
    starts = np.searchsorted(user, np.arange(users + 1)).astype(np.int64)
    return SparseRows(starts, edits.cluster[there].astype(np.uint32), count / total[user], width)
