"""(k,δ)-anonymity: everyone has k − 1 others with the same share of every interest.

Hong, He, Vaidya, Adam and Atluri (CIKM 2009). Queries are clustered by the pages clicked for them
(clusters within δ), users are grouped by k by their shares of clusters, and events are added and
suppressed until every member has the shares of the group's representative. Cost: see
`query_clusters` (pairs of near queries), `user_groups` (n/k seeds over an inverted index) and
`editing` (O(events log events)).

**Before a run.** Queries are clustered, users grouped and edits planned as in a run, whose events
alone are not made; groups begin with other users than a run's, which draws its order. The pictures
are those of the talk of Hong et al.: similarity before and after, searches added and suppressed,
the time of each phase, and the best k of four groups of users. O(entries log entries + grouping)
a point, see `user_groups`.
"""

from __future__ import annotations

import dataclasses
import functools
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from auditor.arrays import Float64s, Int64s
from auditor.bit_mixing import mix_numbers
from auditor.errors import ParameterError
from auditor.figures import Figure, MetricValue, PlotMark, Series
from auditor.log.lifetime_cache import LifetimeCache
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import QueryLog
from auditor.log.origin import LogOrigin
from auditor.log.overlap import SparseRows
from auditor.log.sentences import sentence
from auditor.messages import as_phrase, phrase
from auditor.methods import statements as words
from auditor.methods.base import ExpectedRelease, Method, check_group_size
from auditor.methods.explanation.explanation import Explanation, ExplanationRequest, TurningPoint
from auditor.methods.explanation.released_rows import (
    ReleasedStanding,
    find_standing,
    only_running_tells,
    row_values,
    users_table,
)
from auditor.methods.k_curves import KCurve, draw_lines, read_entries
from auditor.methods.k_delta.editing import EditedLog, edit_log, plan_edits, target_counts
from auditor.methods.k_delta.query_clusters import by_first, cluster_queries
from auditor.methods.k_delta.user_groups import (
    InterestVectors,
    group_similarities,
    group_users,
    user_vectors,
)
from auditor.methods.noisy_counts.histograms import CountingUnit, unit_counts
from auditor.methods.noisy_counts.period_units import name_units
from auditor.params import Params
from auditor.privacy.randomness import PreviewRandomness, Randomness
from auditor.privacy.release import Product, ReleasedGroups
from auditor.privacy.statement import Assumption, Statement, assume
from auditor.privacy.truth_table import TruthTable
from auditor.privacy.verification.k_delta import KDeltaVerdict, verify_k_delta
from auditor.progress import Progress, silent_progress

describe_metric = MetricCatalogue("methods", "k_delta")

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


# --- what is stated ---------------------------------------------------------------------------


UNIT = "one user's shares of queries by cluster"


def equal_parts(params: Any) -> int:
    """The size of the parts that become equal: m, or what (k,δ) means by it."""
    m: int | None = getattr(params, "m", None)
    return m if m is not None else params.k if params.epsilon == 0 else 1


def name_claim(params: Any) -> str:
    """The name of what is claimed, with its parameters."""
    if hasattr(params, "m"):
        return phrase(
            "({m:,}, {k:,}, {delta:g}, {epsilon:g})-anonymity",
            m=params.m,
            k=params.k,
            delta=params.delta,
            epsilon=params.epsilon,
        )
    name = phrase("({k:,}, {delta:g})-anonymity", k=params.k, delta=params.delta)
    return name + (
        phrase(" relaxed by ε = {epsilon:g}", epsilon=params.epsilon) if params.epsilon else ""
    )


def state_release(
    log: QueryLog,
    edited: EditedLog,
    params: Any,
    verdict: KDeltaVerdict,
    fresh_verdict: KDeltaVerdict | None,
    *,
    groups: int,
    clusters: int,
) -> Statement:
    """What was reached, by so many groups and clusters of queries.

    `fresh_verdict` is the verdict by the release's own clicks, None where it would have taken too
    long.
    """
    released = edited.log
    lone_strings = _lonely_strings(released)
    assumptions = _list_assumptions(
        bool(lone_strings),
        sentence(
            "k_delta.strings_stand_verbatim_under",
            alone=lone_strings,
            queries=len(released.queries),
        ),
        bool(edited.misattributed),
        sentence("k_delta.pairs_user_query_queries", misattributed=edited.misattributed),
        words.homogeneity_assumption(groups, "shares of interests, or nearly the same"),
        nonempty=bool(len(released)),
    )
    return Statement(
        model="k-anonymity" if verdict.holds else "none",
        claim=_write_claim(params, verdict, len(released.users)),
        unit=UNIT,
        assumptions=(
            *assumptions,
            *_list_failing(log, params, clusters),
            _clusters_assumption(fresh_verdict, params),
        ),
        measured={
            "largest_distance": verdict.worst,
            "failing_users": float(len(verdict.failing)),
            "smallest_class": float(verdict.smallest),
            "groups": float(groups),
            "query_clusters": float(clusters),
            "wide_clusters": float(len(verdict.wide)),
        },
    )


def expect_statement(log: QueryLog, params: Any) -> Statement:
    """What is known of the statement before a run."""
    name = name_claim(params)
    lone_strings = _lonely_strings(log)
    strings = phrase(
        "{alone:,} of {queries:,} strings of the log are of one user",
        alone=lone_strings,
        queries=len(log.queries),
    )
    assumptions = (
        *_list_assumptions(
            bool(lone_strings),
            strings,
            params.mode != "suppress",
            "searches of others of the group are added to a user's, as the parameters say",
            words.homogeneity_assumption(None, "shares, or nearly"),
        ),
        _clusters_assumption(None, params),
        *_list_failing(log, params, len(log.queries)),
    )
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
        return Statement("k-anonymity", claim, UNIT, assumptions=assumptions)
    claim = sentence("k_delta.certain_whole_numbers_searches", name=as_phrase(name))
    return Statement("none", claim, UNIT, assumptions=assumptions)


def _write_claim(params: Any, verdict: KDeltaVerdict, users: int) -> str:
    name = name_claim(params)
    if verdict.holds:
        return phrase(
            "{name} holds: every released user has at least {k:,} others whose shares of every "
            "query cluster are exactly the same. It says nothing about the words of a query, only "
            "about how often each interest occurs."
            if params.epsilon == 0
            else "{name} holds: every released user has at least {k:,} others whose shares of "
            "every query cluster are within {epsilon:g} of theirs, {m:,} of them exactly the "
            "same. It says nothing about the words of a query, only about how often each interest "
            "occurs.",
            name=as_phrase(name),
            k=params.k - 1,
            epsilon=params.epsilon,
            m=equal_parts(params) - 1,
        )
    return phrase(
        "{name} is not reached: it fails for {short:,} of {users:,} users, and the greatest "
        "distance from a user to the farthest of their {k:,} nearest others is up to "
        "{worst:.4g} instead of {epsilon:g}."
        if verdict.bound
        else "{name} is not reached: it fails for {short:,} of {users:,} users, and the "
        "greatest distance from a user to the farthest of their {k:,} nearest others is "
        "{worst:.4g} instead of {epsilon:g}.",
        name=as_phrase(name),
        short=len(verdict.failing),
        users=users,
        k=params.k - 1,
        worst=verdict.worst,
        epsilon=params.epsilon,
    )


def _clusters_assumption(fresh_verdict: KDeltaVerdict | None, params: Any) -> Assumption:
    evidence = "the release has too many queries that are near each other to cluster it again"
    if fresh_verdict is not None:
        evidence = sentence(
            "k_delta.users_fail_greatest_distance",
            failing=len(fresh_verdict.failing),
            worst=fresh_verdict.worst,
        )
    return assume(
        "k_delta.clusters_are_those_of_the_whole_log",
        "unknown" if fresh_verdict is None else "holds" if fresh_verdict.holds else "fails",
        evidence,
        delta=params.delta,
    )


def _list_assumptions(
    lone_strings: bool,
    strings: str,
    borrowed: bool,
    searches: str,
    groups: Assumption,
    nonempty: bool = True,
) -> tuple[Assumption, ...]:
    """What (k,δ), which is about shares of clusters alone, takes for granted.

    Of strings of one user there are some or not, and of searches that are borrowed from others;
    `strings` and `searches` are the evidence. `nonempty` says whether anything is released.
    """
    return (
        assume(
            "k_delta.the_attacker_sees_only_shares_of_clusters",
            "fails" if nonempty else "holds",
            "strings, clicks and times, as far as they are left, of every event stand in the "
            "release",
        ),
        assume(
            "k_delta.no_string_gives_a_person_away", "fails" if lone_strings else "unknown", strings
        ),
        assume(
            "k_delta.readers_know_that_searches_are_borrowed",
            "fails" if borrowed else "holds",
            searches,
        ),
        groups,
        assume("statements.attackers_know_nothing_of_the_others", "unknown"),
        words.one_id(),
        words.overlap_assumption(),
    )


def _list_failing(log: QueryLog, params: Any, clusters: int) -> Iterator[Assumption]:
    """What fails without clicks, and where ids stay."""
    if not log.clicks and len(log):
        yield assume(
            "k_delta.queries_can_be_compared_by_clicks",
            "fails",
            sentence("k_delta.log_clicks_queries_cluster", clusters=clusters),
        )
    if params.ids == "keep":
        yield words.ids_kept()


def _lonely_strings(log: QueryLog) -> int:
    """Released strings that stand under a single user."""
    return int(np.count_nonzero(unit_counts(log, CountingUnit.USERS, silent_progress()) == 1))


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


# --- what is expected -------------------------------------------------------------------------

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


# --- why ----------------------------------------------------------------------------------------

_clusters = LifetimeCache[QueryLog, Int64s](2)


def explain(request: ExplanationRequest, params: Any, progress: Progress) -> Explanation:
    """What was added and suppressed of one query; O(rows), and the clustering once a log."""
    log, released = request.log, request.released
    standing, released_request = find_standing(request, progress)
    group = None
    if len(log.queries) <= RECOMPUTED_QUERIES and len(released.users) <= RECOMPUTED_USERS:
        group = _number_groups(log, released, params, progress)
    notes = () if group is not None else ("Groups are not looked for in a log of this size.",)
    meaning = "A group here is of users with exactly the same shares of every query cluster."
    reason = "who is grouped with whom, and which events stay, is drawn: only running tells"
    certain: tuple[TurningPoint, ...] = ()
    if not len(request.rows):
        reason = "no value of it brings in a query that nobody issued"
    elif len(released_request.rows) or params.mode == "add":
        certain = only_running_tells(params, ("mode",), reason)
    else:
        label = params.spec("mode").label
        certain = (TurningPoint("mode", label, params.mode, "add", 1.0),)
    names = [name for name in ("m", "k", "delta", "epsilon", "size") if hasattr(params, name)]
    return Explanation(
        outcome=_describe_outcome(request, released_request, standing, params),
        chance=1.0 if params.mode == "add" and len(request.rows) else None,
        values=row_values(standing),
        turns=certain + only_running_tells(params, names, reason),
        tables=(users_table(request, standing, group, meaning),) if len(standing.user) else (),
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
