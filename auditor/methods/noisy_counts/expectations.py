"""What a thresholded release is expected to hold and to cost, without drawing any noise.

The expected error of the query table is taken apart by cause (spec "Beyond the sources"): let
m be a query's count in the whole log, c ≤ m what limiting the users leaves of it, and c + X what
is released if it reaches K. Then, summed over queries, and as a share of Σ m,

* *bounding the users* costs Σ (m − c), exactly;
* *the threshold* costs Σ c·P[c + X < K], what is there and isn't shown;
* *the noise* costs Σ E[|Y|; c + X ≥ K], Y = X or the second draw, decoys included.

By the triangle inequality their sum bounds the expected ℓ1 distance of the released counts from
the true ones, and it is that distance up to where noise and bounding cancel.

**A sample of users** (one in s): of a query that c sampled users issued, about 1 + s(c − 1) users
asked it in the whole log, since the c − 1 others are an unbiased sample of those besides the one
who brought it in. It then stands for s·c ÷ (1 + s(c − 1)) queries. With s = 1 nothing is changed.

Cost: O(distinct counts) for queries, O(distinct pairs) for clicks and transitions.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np

from auditor.arrays import Bools, Float64s, Int32s, Int64s
from auditor.log.lifetime_cache import LifetimeCache
from auditor.log.model import QueryLog
from auditor.methods.noisy_counts import discrete_laplace
from auditor.methods.noisy_counts.counting_plan import CountingPlan
from auditor.methods.noisy_counts.histograms import (
    ContributionLimits,
    PairCounts,
    click_pairs,
    limit_users,
    transition_pairs,
    unit_counts,
)
from auditor.progress import Progress


@dataclass(frozen=True, eq=False)
class CountedLog:
    """What of a log an expectation needs: independent of every noise and threshold."""

    # volume, limited_volume: units in the whole log and in the limited histories
    volume: int
    limited_volume: int
    query_count: Int32s  # limited count of each query; shape (queries,)
    # Searches of each query in the whole log, whatever one count is; shape (queries,).
    searches: Int64s
    # levels, level_sizes: distinct positive limited counts and how many queries have each
    levels: Float64s
    level_sizes: Float64s
    # clicks, transitions: limited pairs; `first` (and `second` of transitions) are query codes
    clicks: PairCounts
    transitions: PairCounts
    borderline: int  # queries that stand one unit below tau, or just at it
    rare: int  # queries below tau


@dataclass(frozen=True)
class ExpectedCounts:
    """Expectations for the whole log; shares are of its query and click volume."""

    queries: float
    decoys: float
    searches: float  # of all searches whose query is released, within the limits or not
    volume: float
    clicks: float
    click_volume: float
    transitions: float
    false_transitions: float
    bounding: float
    threshold: float
    noise: float
    K_t: int
    suppressed: float = 0.0  # of the query volume that passes and is left out afterwards


def expect_counts(
    counts: CountedLog, plan: CountingPlan, *, scale: float, zeros: float = 0.0
) -> ExpectedCounts:
    """Expectations under `plan`; `zeros` is how many pool queries have a true count of 0."""
    b, least = plan.queries.scale, plan.threshold
    totals, stand_for = extrapolate_counts(counts.levels, scale)
    passes = discrete_laplace.chance_of_passing(totals, b, least)
    number = counts.level_sizes * stand_for
    queries = dot_product(number, passes)
    decoy = float(discrete_laplace.tail_probability(np.ceil(least), b))
    if plan.queries.second_scale is None:
        noise = dot_product(
            number, discrete_laplace.mean_size_above(np.ceil(least) - np.ceil(totals), b)
        )
        noise += zeros * float(discrete_laplace.mean_size_above(np.ceil(least), b))
    else:
        noise = (queries + zeros * decoy) * discrete_laplace.mean_size(plan.queries.second_scale)
    kept_volume = dot_product(number * totals, passes)
    volume = max(counts.volume * scale, 1.0)
    limited = counts.limited_volume * scale
    code_passes = _by_code(counts, scale, b, least)
    clicks, clicked = _expect_clicks(counts, plan, scale, code_passes)
    released = queries + zeros * decoy
    real, false, least_t = _expect_transitions(counts, plan, scale, code_passes, released)
    return ExpectedCounts(
        queries=queries,
        decoys=zeros * decoy,
        searches=share_of_searches(code_passes, counts.searches),
        volume=kept_volume / volume,
        clicks=clicks,
        click_volume=clicked,
        transitions=real,
        false_transitions=false,
        bounding=(volume - limited) / volume if counts.volume else 0.0,
        threshold=(limited - kept_volume) / volume,
        noise=noise / volume,
        K_t=least_t,
    )


def expect_unsuppressed(
    counts: CountedLog,
    before: ExpectedCounts,
    plan: CountingPlan,
    *,
    scale: float,
    zeros: float = 0.0,
) -> ExpectedCounts:
    """The expectations that are left where `counts` is `before`'s without what is suppressed.

    What passes, and at which threshold, was decided before; pool queries are taken for unmarked.
    """
    if plan.transitions is not None and plan.lowest_transition is not None:
        steps = dataclasses.replace(plan.transitions, least=before.K_t)
        plan = dataclasses.replace(plan, transitions=steps)
    after = expect_counts(counts, plan, scale=scale, zeros=zeros)
    return dataclasses.replace(
        after,
        bounding=before.bounding,
        threshold=before.threshold,
        suppressed=max(before.volume - after.volume, 0.0),
    )


def kept_share(counts: CountedLog, b: float, thresholds: Float64s, *, scale: float) -> Float64s:
    """Expected share of query volume kept at each threshold; shape of `thresholds`."""
    totals, stand_for = extrapolate_counts(counts.levels, scale)
    weight = counts.level_sizes * stand_for * totals
    gap = np.ceil(thresholds)[:, None] - np.ceil(totals)[None, :]
    share: Float64s = (
        discrete_laplace.tail_probability(gap, b) @ weight / max(counts.volume * scale, 1.0)
    )
    return share


def share_of_searches(chance: Float64s, searches: Int64s) -> float:
    """Expected share of searches whose query is released; shapes (queries,)."""
    return dot_product(chance, searches.astype(np.float64)) / max(int(searches.sum()), 1)


def dot_product(a: Float64s, b: Float64s) -> float:
    """Σ aᵢbᵢ without BLAS: waking its threads for 50 µs of work can cost a slider 15 ms."""
    return float(np.sum(a * b))


def extrapolate_counts(levels: Float64s, scale: float) -> tuple[Float64s, Float64s]:
    """Count in the whole log for each positive sample count, and how many keys it stands for."""
    totals = 1 + scale * (levels - 1)
    return totals, scale * levels / totals


def extrapolate_users(users: Int64s | Float64s, scale: float) -> tuple[Float64s, Float64s]:
    """The same where some have no user in the sample: those have none, and stand for nothing."""
    totals = np.where(users > 0, 1 + scale * (users - 1), 0.0)
    none = np.zeros(len(users))
    return totals, np.divide(scale * users, totals, out=none, where=totals > 0)


def least_count(tau: int, scale: float) -> int:
    """The sample's count that stands for tau in the whole log; tau itself at scale 1."""
    return int(np.ceil(1 + (tau - 1) / scale))


def _by_code(counts: CountedLog, scale: float, b: float, least: float) -> Float64s:
    """Chance of passing of each query code; shape (queries,)."""
    table = np.zeros(int(counts.levels[-1]) + 1 if len(counts.levels) else 1)
    totals, _ = extrapolate_counts(counts.levels, scale)
    table[counts.levels.astype(np.int64)] = discrete_laplace.chance_of_passing(totals, b, least)
    return table[counts.query_count]


def _expect_clicks(
    counts: CountedLog, plan: CountingPlan, scale: float, passes: Float64s
) -> tuple[float, float]:
    pairs, rule = counts.clicks, plan.clicks
    if rule is None or not len(pairs):
        return 0.0, 0.0
    count = pairs.count.astype(np.float64)
    totals, stand_for = extrapolate_counts(count, scale)
    chance = passes[pairs.first]
    if rule.least is not None:
        chance = chance * discrete_laplace.chance_of_passing(totals, rule.scale, rule.least)
    return dot_product(stand_for, chance), dot_product(count, chance) / pairs.total


def _expect_transitions(
    counts: CountedLog, plan: CountingPlan, scale: float, passes: Float64s, released: float
) -> tuple[float, float, int]:
    pairs, rule = counts.transitions, plan.transitions
    if rule is None:
        return 0.0, 0.0, 0
    chance = passes[pairs.first] * passes[pairs.second]
    totals, stand_for = extrapolate_counts(pairs.count.astype(np.float64), scale)
    if plan.lowest_transition is None:
        return dot_product(stand_for, chance), 0.0, 0
    cells = max(released * (released - 1), 0.0)
    least = rule.least or discrete_laplace.threshold_for(cells, 1.0, rule.scale)
    happened = dot_product(stand_for, chance)
    real = dot_product(
        stand_for, chance * discrete_laplace.chance_of_passing(totals, rule.scale, least)
    )
    false = max(cells - happened, 0.0) * float(discrete_laplace.tail_probability(least, rule.scale))
    return real, false, least


def expected_singles(
    pairs: PairCounts, counts: CountedLog, plan: CountingPlan, scale: float
) -> int:
    """Expected number of released pairs that occurred once; `first` must be a query code."""
    if not len(pairs):
        return 0
    passes = _by_code(counts, scale, plan.queries.scale, plan.threshold)
    chance = passes[pairs.first]
    if pairs is counts.transitions:
        chance = chance * passes[pairs.second]
    return round(float(chance[pairs.count == 1].sum()) * scale)


def at_least(counts: CountedLog, tau: int, scale: float) -> CountedLog:
    """The counting without the queries below `tau` users; their volume stays lost."""
    if tau <= 1:
        return counts
    least = least_count(tau, scale)
    keep = counts.levels >= least
    return dataclasses.replace(
        counts,
        query_count=np.where(counts.query_count >= least, counts.query_count, 0),
        levels=counts.levels[keep],
        level_sizes=counts.level_sizes[keep],
    )


def leave_out(counts: CountedLog, queries: Bools, urls: Bools) -> CountedLog:
    """The counting without marked queries and addresses; their volume stays lost. O(pairs).

    `queries`, `urls`: what is marked of the log's; shapes (queries,) and (addresses,).
    """
    query_count = np.where(queries, 0, counts.query_count).astype(np.int32)
    level_sizes = np.bincount(query_count)
    levels = np.flatnonzero(level_sizes[1:]) + 1
    clicks, moves = counts.clicks, counts.transitions
    return dataclasses.replace(
        counts,
        query_count=query_count,
        levels=levels.astype(np.float64),
        level_sizes=level_sizes[levels].astype(np.float64),
        clicks=_choose_pairs(clicks, ~(queries[clicks.first] | urls[clicks.second])),
        transitions=_choose_pairs(moves, ~(queries[moves.first] | queries[moves.second])),
    )


def _choose_pairs(pairs: PairCounts, keep: Bools) -> PairCounts:
    return PairCounts(pairs.first[keep], pairs.second[keep], pairs.count[keep], pairs.total)


_countings = LifetimeCache[QueryLog, CountedLog](4)


def count_log(log: QueryLog, limits: ContributionLimits, progress: Progress) -> CountedLog:
    """Count a log under `limits`; the latest four of each living log are remembered."""
    return _countings.get(log, limits, lambda: _count_log(log, limits, progress))


def _count_log(log: QueryLog, limits: ContributionLimits, progress: Progress) -> CountedLog:
    limited = limit_users(log, limits, progress)
    all_units = unit_counts(log, limits.unit, progress)
    every_query = np.arange(len(log.queries), dtype=np.int32)
    counts = limited.query_count
    level_sizes = np.bincount(counts[counts > 0]) if np.any(counts) else np.zeros(0, np.int64)
    levels = np.flatnonzero(level_sizes)
    edge = (all_units == limits.tau - 1) | (all_units == limits.tau)
    return CountedLog(
        volume=int(all_units.sum(dtype=np.int64)),
        limited_volume=int(counts.sum(dtype=np.int64)),
        query_count=counts,
        searches=log.searches_by_query,
        levels=levels.astype(np.float64),
        level_sizes=level_sizes[levels].astype(np.float64),
        clicks=click_pairs(log, limited, every_query, progress),
        transitions=transition_pairs(log, limited, every_query, progress),
        borderline=int(np.count_nonzero(edge & (all_units > 0))) if limits.tau > 1 else 0,
        rare=int(np.count_nonzero(all_units < limits.tau)),
    )
