"""What (k,δ) and (m,k,δ,ε) will give: users' likeness and edits over k, before they are run.

Queries are clustered, users grouped and edits planned as in a run, whose events alone are not
made; groups begin with other users than a run's, which draws its order. The pictures are those of
the talk of Hong et al. (CIKM 2009): similarity before and after, searches added and suppressed,
the time of each phase, and the best k of four groups of users. O(entries log entries + grouping)
a point, see `user_groups`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from auditor.figures import Axis, Figure, Mark, Series, Value
from auditor.log.model import QueryLog
from auditor.log.overlap import Rows
from auditor.methods.base import Outlook
from auditor.methods.k_delta_common import claimed, equal_parts
from auditor.methods.k_delta_edit import Edits, plan_edits, targets
from auditor.methods.over_k import Curve, Kept, lines
from auditor.methods.query_clusters import cluster_queries
from auditor.methods.user_groups import Vectors, group_users, similarities, user_vectors
from auditor.privacy.randomness import PreviewRandomness
from auditor.privacy.statement import Statement
from auditor.progress import Progress

Longs = NDArray[np.int64]
Reals = NDArray[np.float64]

QUARTERS = ("fewest searches", "fewer", "more", "most searches")
"""The users by their number of searches, in four groups of equal size."""
SEED = 0
"""Of the order in which users are taken: one for all settings, so that these alone differ."""
SOURCE = "Hong et al., CIKM 2009, talk: "


@dataclass(frozen=True, eq=False)
class Point:
    """What comes of one k.

    `before` and `after` are mean similarities of users to the others of their groups, `least`
    that of the user who is least like hers; `quarters` the means after in four groups of users.
    `added` and `suppressed` count searches, `grouping` and `planning` seconds.
    """

    groups: int
    before: float
    after: float
    least: float
    quarters: Reals
    added: int
    suppressed: int
    searches: int
    grouping: float
    planning: float


@dataclass(frozen=True, eq=False)
class Base:
    """What all k share: the users' vectors, who is in which quarter, the time it took."""

    vectors: Vectors
    quarter: Longs
    clustering: float


_bases: Kept[Base] = Kept()
_curves: Kept[Curve[Point]] = Kept(8)


def _base(log: QueryLog, params: Any, progress: Progress) -> Base:
    def make() -> Base:
        began = time.perf_counter()
        cluster = cluster_queries(log, params.delta, params.linkage, progress)
        vectors = user_vectors(log, cluster, progress)
        place = np.empty(len(vectors), dtype=np.int64)
        place[np.argsort(vectors.totals, kind="stable")] = np.arange(len(vectors))
        quarter = place * len(QUARTERS) // max(len(vectors), 1)
        return Base(vectors, quarter, time.perf_counter() - began)

    return _bases.get((log.digest, params.delta, params.linkage), make)


def _curve(log: QueryLog, base: Base, params: Any) -> Curve[Point]:
    def point(k: int, progress: Progress) -> Point:
        return _point(base, params, k, progress)

    values = {name: value for name, value in params.to_dict().items() if name not in ("k", "ids")}
    key = (log.digest, *sorted(values.items()))
    return _curves.get(key, lambda: Curve(len(base.vectors), point))


def _point(base: Base, params: Any, k: int, progress: Progress) -> Point:
    vectors = base.vectors
    m = min(equal_parts(params.replace(k=max(k, getattr(params, "m", k)))), k)
    order = PreviewRandomness(SEED).permutation(len(vectors))
    began = time.perf_counter()
    groups = group_users(vectors, k, m, order, progress)
    grouped = time.perf_counter()
    wanted = targets(vectors, groups, params.epsilon, progress)
    edits = plan_edits(vectors, groups.part, wanted, params.size, params.mode, progress)
    planned = time.perf_counter()
    before = _within(vectors.shares(), groups.group)
    progress.check()
    after = _within(_edited(edits, len(vectors), vectors.width), groups.group)
    size = np.bincount(base.quarter, minlength=len(QUARTERS))
    return Point(
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


def _within(rows: Rows, group: Longs) -> Reals:
    """Mean similarity of each row to the others of its group; 1 where there are none."""
    size = np.bincount(group)[group]
    others = (similarities(rows, group) - rows.mass) / np.maximum(size - 1, 1)
    found: Reals = np.clip(np.where(size > 1, others, 1.0), 0.0, 1.0)
    return found


def _edited(edits: Edits, users: int, width: int) -> Rows:
    there = edits.after > 0
    user, count = edits.user[there], edits.after[there].astype(np.float64)
    total = np.bincount(user, count, minlength=users)
    starts = np.searchsorted(user, np.arange(users + 1)).astype(np.int64)
    return Rows(starts, edits.cluster[there].astype(np.uint32), count / total[user], width)


def expected(log: QueryLog, params: Any, *, scale: float, progress: Progress) -> Outlook:
    """How alike users will be and what it takes, over k."""
    progress.check()
    base = _base(log, params, progress)
    curve = _curve(log, base, params)
    curve.at(params.k, progress)

    def look() -> Outlook:
        return Outlook(
            statement=_statement(params),
            values=tuple(_values(curve.points.get(params.k), base, scale)),
            figures=_figures(base, curve, params),
            note=_note(log, params, scale),
            more=None if curve.whole else more,
        )

    def more(progress: Progress) -> Outlook:
        curve.fill(progress)
        return look()

    return look()


def _statement(params: Any) -> Statement:
    name, others = claimed(params), f"at least {params.k - 1:,} others"
    if params.mode == "both" and params.size == "exact":
        claim = f"{name} will hold: every user will have {others} whose shares of every query "
        claim += "cluster are "
        claim += "exactly hers." if params.epsilon == 0 else f"within {params.epsilon:g} of hers."
        return Statement("k-anonymity", claim, "one user's shares of queries by cluster")
    claim = f"{name} is not certain: whole numbers of searches need not have the shares that are "
    claim += "wanted. What is left between users stands in the statement of a run."
    return Statement("none", claim, "one user's shares of queries by cluster")


def _note(log: QueryLog, params: Any, scale: float) -> str:
    if params.k > len(log.users):
        return f"k is more than the {len(log.users):,} users that are looked at here."
    if not log.clicks:
        return "The log has no clicks: users are alike only in the very strings they asked."
    if scale > 1:
        return "Among all users of the log nearer ones are found, so that less is changed."
    return ""


def _values(point: Point | None, base: Base, scale: float) -> list[Value]:
    if point is None:
        return []
    users = max(len(base.vectors), 1)
    found = [
        Value(
            "expected.similarity_before",
            "similarity to the others of her group, in the log",
            point.before,
            help="Mean over users; 1 − half the sum of differences of their shares.",
        ),
        Value(
            "expected.similarity_after",
            "the same when released",
            point.after,
            help="1 where all of a group have the same share of every interest.",
            better="higher",
            side="privacy",
        ),
        Value(
            "expected.similarity_least",
            "least similarity of a user to her group, released",
            point.least,
            help="The user who will stand out most.",
            better="higher",
        ),
    ]
    for name, count in (("added", point.added), ("suppressed", point.suppressed)):
        found.append(
            Value(
                f"expected.{name}",
                f"searches {name} per user",
                count / users,
                unit="searches",
                better="lower",
                side="utility",
            )
        )
    found.append(
        Value("expected.searches", "released searches", point.searches * scale, unit="searches")
    )
    found.append(Value("expected.groups", "groups", point.groups * scale, unit="groups"))
    return found


def _figures(base: Base, curve: Curve[Point], params: Any) -> tuple[Figure, ...]:
    found = curve.up_to(params.k)
    if not found:
        return ()
    users = max(len(base.vectors), 1)

    def over(read: Callable[[Point], float]) -> list[float]:
        return [read(point) for point in found.values()]

    return (
        lines(
            "expected-similarity",
            "Mean similarity of users within groups, before and after",
            Axis("similarity"),
            {
                "in the log": over(lambda point: point.before),
                "released": over(lambda point: point.after),
                "released, the least alike": over(lambda point: point.least),
            },
            found,
            params.k,
            source=SOURCE + "similarity over k",
        ),
        lines(
            "expected-edits",
            "Searches added and suppressed over k",
            Axis("searches per user"),
            {
                "added": over(lambda point: point.added / users),
                "suppressed": over(lambda point: point.suppressed / users),
            },
            found,
            params.k,
            source=SOURCE + "queries added and suppressed",
        ),
        _sweet_spots(found, params.k),
        lines(
            "expected-times",
            "Time of each phase over k",
            Axis("time", unit="s", scale="log"),
            {
                "clustering queries": over(lambda _: base.clustering),
                "grouping users": over(lambda point: point.grouping),
                "planning what to add and suppress": over(lambda point: point.planning),
            },
            found,
            params.k,
            note=f"Measured here on {users:,} users.",
            source=SOURCE + "computation time",
        ),
    )


def _sweet_spots(found: dict[int, Point], k: int) -> Figure:
    """Similarity after in four groups of users, and the k at which each is most alike."""
    ks = list(found)
    table = np.array([point.quarters for point in found.values()])
    best = {name: ks[int(table[:, i].argmax())] for i, name in enumerate(QUARTERS)}
    flat = bool(np.ptp(table, axis=0).max() < 1e-9)
    names = [name if flat else f"{name}: best at k = {best[name]:,}" for name in QUARTERS]
    return lines(
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
    ks: NDArray[np.float64] = np.arange(2, max(51, min(2 * params.k, 400)) + 1, dtype=np.float64)
    return (
        Figure(
            name="groups",
            title="Groups over k",
            x=Axis("users in a group (k)", unit="users"),
            y=Axis("groups", scale="log"),
            series=(Series("groups", ks, np.maximum(users // ks, 1.0), kind="steps"),),
            marks=(Mark("x", float(params.k), f"k = {params.k:,}", "current"),),
        ),
    )
