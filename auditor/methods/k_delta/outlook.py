"""What (k,δ) and (m,k,δ,ε) will give: users' likeness and edits over k, before they are run.

Queries are clustered, users grouped and edits planned as in a run, whose events alone are not
made; groups begin with other users than a run's, which draws its order. The pictures are those of
the talk of Hong et al. (CIKM 2009): similarity before and after, searches added and suppressed,
the time of each phase, and the best k of four groups of users. O(entries log entries + grouping)
a point, see `user_groups`.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from auditor.arrays import Float64s, Int64s
from auditor.figures import Figure, MetricValue, PlotMark, Series
from auditor.log.lifetime_cache import LifetimeCache
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import QueryLog
from auditor.log.overlap import SparseRows
from auditor.messages import as_phrase, phrase
from auditor.methods.base import ExpectedRelease, check_group_size
from auditor.methods.k_curves import KCurve, draw_lines, read_entries
from auditor.methods.k_delta.editing import plan_edits, target_counts
from auditor.methods.k_delta.query_clusters import cluster_queries
from auditor.methods.k_delta.statement import equal_parts, expect_statement
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
    """What comes of one k; searches added and suppressed, seconds of grouping and planning."""

    users: int  # whom it is of, 1 at least
    groups: int
    before: float  # mean similarity of users to the others of their groups
    after: float
    least: float  # that of the user who is least like theirs
    quarters: Float64s  # means after in four groups of users
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

    @classmethod
    def of(cls, log: QueryLog, params: Any, progress: Progress) -> CurveBase:
        """The users of a log as its clusters of queries show them."""
        began = time.perf_counter()
        cluster = cluster_queries(log, params.delta, params.linkage, progress)
        vectors = user_vectors(log, cluster, progress)
        place = np.empty(len(vectors), dtype=np.int64)
        place[np.argsort(vectors.totals, kind="stable")] = np.arange(len(vectors))
        quarter = place * len(QUARTERS) // max(len(vectors), 1)
        return cls(vectors, quarter, time.perf_counter() - began)


_bases = LifetimeCache[QueryLog, CurveBase](4)
_curves = LifetimeCache[QueryLog, KCurve[KDeltaPoint]](8)
_sizes = LifetimeCache[QueryLog, dict[int, KDeltaPoint]](64)
"""Points of one k in random parts of the users, by their number."""


def grow_points(base: CurveBase, params: Any, progress: Progress) -> dict[int, KDeltaPoint]:
    """Points of ever larger parts of the users; the first ones of one random order."""
    users = len(base.vectors)
    order = PreviewRandomness(SEED + 1).permutation(users)
    points = {}
    for part in (32, 16, 8, 4, 2):
        size = users // part
        if size >= 2 * params.k:
            sampled_users = np.sort(order[:size])
            sample = CurveBase(
                base.vectors.select_users(sampled_users),
                base.quarter[sampled_users],
                base.clustering * size / users,
            )
            points[size] = _compute_point(sample, params, params.k, progress)
    return points or {0: NOTHING}


def _compute_point(base: CurveBase, params: Any, k: int, progress: Progress) -> KDeltaPoint:
    vectors = base.vectors
    m = min(equal_parts(params.replace(k=max(k, getattr(params, "m", k)))), k)
    order = PreviewRandomness(SEED).permutation(len(vectors))
    began = time.perf_counter()
    groups = group_users(vectors, k, m, order, progress)
    grouped = time.perf_counter()
    target = target_counts(vectors, groups, params.epsilon, progress)
    edits = plan_edits(vectors, groups.part, target, params.size, params.mode, progress)
    planned = time.perf_counter()
    before = _compute_cohesion(vectors.compute_shares(), groups.group)
    progress.check()
    has_events = edits.after > 0
    user, count = edits.user[has_events], edits.after[has_events].astype(np.float64)
    total = np.bincount(user, count, minlength=len(vectors))
    starts = np.searchsorted(user, np.arange(len(vectors) + 1)).astype(np.int64)
    clusters = edits.cluster[has_events].astype(np.uint32)
    edited = SparseRows(starts, clusters, count / total[user], vectors.width)
    after = _compute_cohesion(edited, groups.group)
    size = np.bincount(base.quarter, minlength=len(QUARTERS))
    return KDeltaPoint(
        users=max(len(vectors), 1),
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


NOTHING = KDeltaPoint(1, 0, 1.0, 1.0, 1.0, np.ones(len(QUARTERS)), 0, 0, 0, 0.0, 0.0)


def _compute_cohesion(rows: SparseRows, group: Int64s) -> Float64s:
    """Mean similarity of each row to the others of its group; 1 where there are none."""
    size = np.bincount(group)[group]
    other_similarity = (group_similarities(rows, group) - rows.mass) / np.maximum(size - 1, 1)
    means: Float64s = np.clip(np.where(size > 1, other_similarity, 1.0), 0.0, 1.0)
    return means


describe_metric = MetricCatalogue("methods", "k_delta")

ROW = 8e-6
"""Core-seconds a row that editing and verifying take, on a 2.8 GHz Xeon."""
SOURCE = "Hong et al., CIKM 2009, talk: "
Lines = dict[str, Callable[[int, KDeltaPoint], float]]
"""The height of each line of a picture at a k, or at a number of users."""
SIMILARITIES: Lines = {
    "in the log": lambda _, point: point.before,
    "released": lambda _, point: point.after,
}
EDITS: Lines = {
    "added": lambda _, point: point.added / point.users,
    "suppressed": lambda _, point: point.suppressed / point.users,
}
TIMES: Lines = {
    "grouping users": lambda _, point: point.grouping,
    "planning what to add and suppress": lambda _, point: point.planning,
}


def estimate_release(
    log: QueryLog, params: Any, *, scale: float, progress: Progress
) -> ExpectedRelease:
    """How alike users will be and what it takes, over k.

    Raises `ParameterError` where the whole log has fewer than k users.
    """
    progress.check()
    check_group_size(params.k, round(len(log.users) * scale))
    base = _bases.get(
        log, (params.delta, params.linkage), lambda: CurveBase.of(log, params, progress)
    )
    ignored = ("k", "ids", "times")
    values = {name: value for name, value in params.to_dict().items() if name not in ignored}
    key = (params.owner, *sorted(values.items()))
    curve = _curves.get(
        log, key, lambda: KCurve(len(base.vectors), functools.partial(_compute_point, base, params))
    )
    sizes = _sizes.get(log, (*key, params.k), dict)
    curve.compute_point(params.k, progress)
    statement = expect_statement(log, params)

    def summarize_curve() -> ExpectedRelease:
        return ExpectedRelease(
            statement=statement,
            values=tuple(_build_metrics(curve.points.get(params.k), log, base, scale)),
            figures=(*_draw_figures(base, curve, params), *_over_users(base, curve, sizes, params)),
            note=_write_note(log, params, scale),
            delayed=None if curve.is_complete and sizes else extend_curve,
        )

    def extend_curve(progress: Progress) -> ExpectedRelease:
        if curve.is_complete:
            sizes.update(grow_points(base, params, progress))
        else:
            curve.fill(progress)
        return summarize_curve()

    return summarize_curve()


def _write_note(log: QueryLog, params: Any, scale: float) -> str:
    if params.k > len(log.users):
        return phrase(
            "k is more than the {users:,} users that are looked at here.", users=len(log.users)
        )
    if not log.clicks:
        return "The log has no clicks: users are similar only in equal query strings."
    if scale > 1:
        return "Among all users of the log nearer ones are found, so that less is changed."
    return ""


def _build_metrics(
    point: KDeltaPoint | None, log: QueryLog, base: CurveBase, scale: float
) -> list[MetricValue]:
    if point is None:
        return []
    metrics = [
        describe_metric("expected.similarity_before", point.before),
        describe_metric("expected.similarity_after", point.after),
        describe_metric("expected.similarity_least", point.least),
    ]
    for name, count in (("added", point.added), ("suppressed", point.suppressed)):
        metric_key, word = f"expected.{name}", as_phrase(name)
        metrics.append(
            describe_metric("expected.edits", count / point.users, named=metric_key, name=word)
        )
    metrics.append(describe_metric("expected.searches", point.searches * scale))
    # Of a run on the whole log grouping is quadratic, and all else linear in it.
    linear = base.clustering + point.planning + ROW * len(log)
    seconds = linear * scale + point.grouping * scale**2
    metrics.append(describe_metric("expected.seconds", round(seconds, 1)))
    metrics.append(describe_metric("expected.groups", point.groups * scale))
    return metrics


def _draw_figures(base: CurveBase, curve: KCurve[KDeltaPoint], params: Any) -> tuple[Figure, ...]:
    points = curve.up_to(params.k)
    if not points:
        return ()
    draw = functools.partial(draw_lines, describe_metric, points=points, k=params.k)
    least_alike: Lines = {"released, the least alike": lambda _, point: point.least}
    clustering: Lines = {"clustering queries": lambda *_: base.clustering}
    # Similarity after in four groups of users, and the k at which each is most alike.
    table = np.array([point.quarters for point in points.values()])
    best = np.array(list(points))[table.argmax(axis=0)].tolist()
    flat = bool(np.ptp(table, axis=0).max() < 1e-9)
    labels = [
        name if flat else phrase("{name}: best at k = {best:,}", name=as_phrase(name), best=k)
        for name, k in zip(QUARTERS, best, strict=True)
    ]
    return (
        draw(
            "expected-similarity",
            series=SIMILARITIES | least_alike,
            source=SOURCE + "similarity over k",
        ),
        draw("expected-edits", series=EDITS, source=SOURCE + "queries added and suppressed"),
        draw_lines(
            describe_metric,
            "expected-sweet-spot",
            {k: point.quarters for k, point in points.items()},
            read_entries(labels),
            k=params.k,
            note="Exact shares make every k as good." if flat else "",
            source=SOURCE + "the best k of a group of users",
        ),
        draw(
            "expected-times",
            series=clustering | TIMES,
            note=phrase("Measured here on {users:,} users.", users=max(len(base.vectors), 1)),
            source=SOURCE + "computation time",
        ),
    )


def _over_users(
    base: CurveBase, curve: KCurve[KDeltaPoint], sizes: Mapping[int, KDeltaPoint], params: Any
) -> tuple[Figure, ...]:
    """The same curves over the number of users, at the k that is set."""
    points = {size: point for size, point in sizes.items() if size}
    if not points or params.k not in curve.points:
        return ()
    points[curve.users] = curve.points[params.k]
    note = phrase(
        "Random parts of the {vectors:,} users, with k = {k:,}.",
        vectors=len(base.vectors),
        k=params.k,
    )
    draw = functools.partial(draw_lines, describe_metric, points=points, note=note)
    return (
        draw(
            "expected-similarity-users",
            series=SIMILARITIES,
            source=SOURCE + "similarity over users",
        ),
        draw(
            "expected-edits-users",
            series=EDITS,
            source=SOURCE + "queries added and suppressed per user",
        ),
        draw("expected-times-users", series=TIMES, source=SOURCE + "computation time"),
    )


def group_curve(params: Any, users: int) -> tuple[Figure, ...]:
    """How many groups there are over k: ⌊users / k⌋, since leftovers join others."""
    if users < 1:
        return ()
    ks: Float64s = np.arange(2, max(51, min(2 * params.k, 400)) + 1, dtype=np.float64)
    return (
        describe_metric.figure(
            "groups",
            (Series("groups", ks, np.maximum(users // ks, 1.0), kind="steps"),),
            marks=(PlotMark("x", float(params.k), f"k = {params.k:,}", "current"),),
        ),
    )
