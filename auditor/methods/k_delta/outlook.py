"""What (k,δ) and (m,k,δ,ε) will give: users' likeness and edits over k, before they are run.

Queries are clustered, users grouped and edits planned as in a run, whose events alone are not
made; groups begin with other users than a run's, which draws its order. The pictures are those of
the talk of Hong et al. (CIKM 2009): similarity before and after, searches added and suppressed,
the time of each phase, and the best k of four groups of users. O(entries log entries + grouping)
a point, see `user_groups`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from auditor.arrays import Float64s
from auditor.figures import Axis, Figure, MetricValue, PlotMark, Series
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import QueryLog
from auditor.messages import as_phrase, phrase
from auditor.methods.base import ExpectedRelease, check_group_size
from auditor.methods.k_curves import KCurve, draw_lines
from auditor.methods.k_delta.common import expect_assumptions, name_claim
from auditor.methods.k_delta.curve_points import (
    QUARTERS,
    CurveBase,
    GroupSizes,
    KDeltaPoint,
    base_of,
    curve_of,
    grow_points,
    sizes_of,
)
from auditor.privacy.statement import Assumption, Statement
from auditor.progress import Progress

describe_metric = MetricCatalogue("methods", "k_delta")

ROW = 8e-6
"""Core-seconds a row that editing and verifying take, on a 2.8 GHz Xeon."""
SOURCE = "Hong et al., CIKM 2009, talk: "


def estimate_release(
    log: QueryLog, params: Any, *, scale: float, progress: Progress
) -> ExpectedRelease:
    """How alike users will be and what it takes, over k.

    Raises `ParameterError` where the whole log has fewer than k users.
    """
    progress.check()
    check_group_size(params.k, round(len(log.users) * scale))
    base = base_of(log, params, progress)
    curve = curve_of(log, base, params)
    sizes = sizes_of(log, params)
    curve.compute_point(params.k, progress)
    assumptions = expect_assumptions(log, params)

    def summarize_curve() -> ExpectedRelease:
        return ExpectedRelease(
            statement=_build_statement(params, assumptions),
            values=tuple(_build_metrics(curve.points.get(params.k), log, base, scale)),
            figures=(*_draw_figures(base, curve, params), *_over_users(base, curve, sizes, params)),
            note=_write_note(log, params, scale),
            more=None if curve.whole and sizes.points else extend_curve,
        )

    def extend_curve(progress: Progress) -> ExpectedRelease:
        if curve.whole:
            sizes.points.update(grow_points(base, params, progress))
        else:
            curve.fill(progress)
        return summarize_curve()

    return summarize_curve()


def _build_statement(params: Any, assumptions: tuple[Assumption, ...]) -> Statement:
    name = name_claim(params)
    unit = "one user's shares of queries by cluster"
    if params.mode == "both" and params.size == "exact":
        claim = phrase(
            "{name} will hold: every user will have at least {k:,} others whose shares of every "
            "query cluster are exactly theirs."
            if params.epsilon == 0
            else "{name} will hold: every user will have at least {k:,} others whose shares of "
            "every query cluster are within {epsilon:g} of theirs.",
            name=as_phrase(name),
            k=params.k - 1,
            epsilon=params.epsilon,
        )
        return Statement("k-anonymity", claim, unit, assumptions=assumptions)
    claim = phrase(
        "{name} is not certain: whole numbers of searches need not have the shares that are "
        "wanted. What is left between users stands in the statement of a run.",
        name=as_phrase(name),
    )
    return Statement("none", claim, unit, assumptions=assumptions)


def _estimate_seconds(point: KDeltaPoint, log: QueryLog, base: CurveBase, scale: float) -> float:
    """A run on the whole log: grouping is quadratic, all else linear in it."""
    linear = base.clustering + point.planning + ROW * len(log)
    return linear * scale + point.grouping * scale**2


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
    users = max(len(base.vectors), 1)
    found = [
        describe_metric("expected.similarity_before", point.before),
        describe_metric("expected.similarity_after", point.after),
        describe_metric("expected.similarity_least", point.least),
    ]
    for name, count in (("added", point.added), ("suppressed", point.suppressed)):
        found.append(
            MetricValue(
                f"expected.{name}",
                phrase("searches {name} per user", name=as_phrase(name)),
                count / users,
                unit="searches",
                better="lower",
                side="utility",
            )
        )
    found.append(describe_metric("expected.searches", point.searches * scale))
    found.append(
        describe_metric("expected.seconds", round(_estimate_seconds(point, log, base, scale), 1))
    )
    found.append(describe_metric("expected.groups", point.groups * scale))
    return found


def _draw_figures(base: CurveBase, curve: KCurve[KDeltaPoint], params: Any) -> tuple[Figure, ...]:
    found = curve.up_to(params.k)
    if not found:
        return ()
    users = max(len(base.vectors), 1)

    def evaluate_points(read: Callable[[KDeltaPoint], float]) -> list[float]:
        return [read(point) for point in found.values()]

    return (
        draw_lines(
            "expected-similarity",
            "Mean similarity of users within groups, before and after",
            Axis("similarity"),
            {
                "in the log": evaluate_points(lambda point: point.before),
                "released": evaluate_points(lambda point: point.after),
                "released, the least alike": evaluate_points(lambda point: point.least),
            },
            found,
            params.k,
            source=SOURCE + "similarity over k",
        ),
        draw_lines(
            "expected-edits",
            "Searches added and suppressed over k",
            Axis("searches per user"),
            {
                "added": evaluate_points(lambda point: point.added / users),
                "suppressed": evaluate_points(lambda point: point.suppressed / users),
            },
            found,
            params.k,
            source=SOURCE + "queries added and suppressed",
        ),
        _sweet_spots(found, params.k),
        draw_lines(
            "expected-times",
            "Time of each phase over k",
            Axis("time", unit="s", scale="log"),
            {
                "clustering queries": evaluate_points(lambda _: base.clustering),
                "grouping users": evaluate_points(lambda point: point.grouping),
                "planning what to add and suppress": evaluate_points(lambda point: point.planning),
            },
            found,
            params.k,
            note=phrase("Measured here on {users:,} users.", users=users),
            source=SOURCE + "computation time",
        ),
    )


def _over_users(
    base: CurveBase, curve: KCurve[KDeltaPoint], sizes: GroupSizes, params: Any
) -> tuple[Figure, ...]:
    """The same curves over the number of users, at the k that is set."""
    found = {size: point for size, point in sizes.points.items() if size}
    if not found or params.k not in curve.points:
        return ()
    found[curve.users] = curve.points[params.k]
    over = Axis("users", scale="log")
    note = phrase(
        "Random parts of the {vectors:,} users, with k = {k:,}.",
        vectors=len(base.vectors),
        k=params.k,
    )

    def evaluate_points(read: Callable[[int, KDeltaPoint], float]) -> list[float]:
        return [read(size, point) for size, point in found.items()]

    return (
        draw_lines(
            "expected-similarity-users",
            "Mean similarity of users within groups, over users",
            Axis("similarity"),
            {
                "in the log": evaluate_points(lambda _, point: point.before),
                "released": evaluate_points(lambda _, point: point.after),
            },
            found,
            params.k,
            over=over,
            note=note,
            source=SOURCE + "similarity over users",
        ),
        draw_lines(
            "expected-edits-users",
            "Searches added and suppressed, over users",
            Axis("searches per user"),
            {
                "added": evaluate_points(lambda size, point: point.added / size),
                "suppressed": evaluate_points(lambda size, point: point.suppressed / size),
            },
            found,
            params.k,
            over=over,
            note=note,
            source=SOURCE + "queries added and suppressed per user",
        ),
        draw_lines(
            "expected-times-users",
            "Time of each phase, over users",
            Axis("time", unit="s", scale="log"),
            {
                "grouping users": evaluate_points(lambda _, point: point.grouping),
                "planning what to add and suppress": evaluate_points(
                    lambda _, point: point.planning
                ),
            },
            found,
            params.k,
            over=over,
            note=note,
            source=SOURCE + "computation time",
        ),
    )


def _sweet_spots(found: dict[int, KDeltaPoint], k: int) -> Figure:
    """Similarity after in four groups of users, and the k at which each is most alike."""
    ks = list(found)
    table = np.array([point.quarters for point in found.values()])
    best = {name: ks[int(table[:, i].argmax())] for i, name in enumerate(QUARTERS)}
    flat = bool(np.ptp(table, axis=0).max() < 1e-9)
    names = [
        name
        if flat
        else phrase("{name}: best at k = {best:,}", name=as_phrase(name), best=best[name])
        for name in QUARTERS
    ]
    return draw_lines(
        "expected-sweet-spot",
        "Similarity after, by the users' number of searches",
        Axis("similarity"),
        {name: table[:, i].tolist() for i, name in enumerate(names)},
        ks,
        k,
        note="Exact shares make every k as good." if flat else "",
        source=SOURCE + "the best k of a group of users",
    )


def group_curve(params: Any, users: int) -> tuple[Figure, ...]:
    """How many groups there are over k: ⌊users / k⌋, since leftovers join others."""
    if users < 1:
        return ()
    ks: Float64s = np.arange(2, max(51, min(2 * params.k, 400)) + 1, dtype=np.float64)
    return (
        Figure(
            name="groups",
            title="Groups over k",
            x=Axis("users in a group (k)", unit="users"),
            y=Axis("groups", scale="log"),
            series=(Series("groups", ks, np.maximum(users // ks, 1.0), kind="steps"),),
            marks=(PlotMark("x", float(params.k), f"k = {params.k:,}", "current"),),
        ),
    )
