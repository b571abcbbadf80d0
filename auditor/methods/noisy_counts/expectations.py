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
import functools
from dataclasses import dataclass

import numpy as np

from auditor.arrays import Bools, Float64s, Int32s, Int64s
from auditor.figures import Figure, MetricValue, PlotMark, Series
from auditor.log.lifetime_cache import LifetimeCache
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import QueryLog
from auditor.log.sentences import sentence
from auditor.messages import NumberText, as_phrase
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
from auditor.methods.noisy_counts.outlook import POINTS
from auditor.progress import Progress

describe_metric = MetricCatalogue("methods", "noisy_counts")


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

    def drop_rare(self, tau: int, scale: float) -> CountedLog:
        """The counting without the queries below `tau` users; their volume stays lost."""
        if tau <= 1:
            return self
        least = least_count(tau, scale)
        keep = self.levels >= least
        return dataclasses.replace(
            self,
            query_count=np.where(self.query_count >= least, self.query_count, 0),
            levels=self.levels[keep],
            level_sizes=self.level_sizes[keep],
        )

    def leave_out(self, queries: Bools, urls: Bools) -> CountedLog:
        """The counting without marked queries and addresses; their volume stays lost. O(pairs).

        `queries`, `urls`: what is marked of the log's; shapes (queries,) and (addresses,).
        """
        query_count = np.where(queries, 0, self.query_count).astype(np.int32)
        level_sizes = np.bincount(query_count)
        levels = np.flatnonzero(level_sizes[1:]) + 1
        clicks, moves = self.clicks, self.transitions
        return dataclasses.replace(
            self,
            query_count=query_count,
            levels=levels.astype(np.float64),
            level_sizes=level_sizes[levels].astype(np.float64),
            clicks=_choose_pairs(clicks, ~(queries[clicks.first] | urls[clicks.second])),
            transitions=_choose_pairs(moves, ~(queries[moves.first] | queries[moves.second])),
        )


def _choose_pairs(pairs: PairCounts, keep: Bools) -> PairCounts:
    return PairCounts(pairs.first[keep], pairs.second[keep], pairs.count[keep], pairs.total)


@dataclass(frozen=True, eq=False)
class PlanOutlook:
    """What a counting plan is expected to release of the whole log.

    The counts are those of a sample of one user in `scale`; shares are of the query and the click
    volume of the whole log.
    """

    plan: CountingPlan
    counts: CountedLog
    scale: float
    zeros: int | None = None  # pool queries with a true count of 0; None without a pool
    # The outlook before strings were suppressed, of which these counts are what is left: what
    # passes, and at which threshold, was decided there. Pool queries are taken for unmarked.
    before: PlanOutlook | None = None

    @functools.cached_property
    def _levels(self) -> tuple[Float64s, Float64s, Float64s]:
        """Count in the whole log at each level, how many queries have it, their chance to pass."""
        totals, stand_for = extrapolate_counts(self.counts.levels, self.scale)
        rule, least = self.plan.queries, self.plan.threshold
        chance = discrete_laplace.chance_of_passing(totals, rule.scale, least)
        return totals, self.counts.level_sizes * stand_for, chance

    @functools.cached_property
    def _query_chances(self) -> Float64s:
        """Chance of passing of each query code; shape (queries,)."""
        levels = self.counts.levels
        table = np.zeros(int(levels[-1]) + 1 if len(levels) else 1)
        table[levels.astype(np.int64)] = self._levels[2]
        return table[self.counts.query_count]

    @functools.cached_property
    def queries(self) -> float:
        """Released queries of the log."""
        _, number, chance = self._levels
        return dot_product(number, chance)

    @property
    def decoys(self) -> float:
        """Released queries that are the pool's alone."""
        rule, least = self.plan.queries, self.plan.threshold
        return (self.zeros or 0) * float(discrete_laplace.tail_probability(least, rule.scale))

    @property
    def searches_share(self) -> float:
        """Share of all searches whose query is released, within the limits or not."""
        return share_of_searches(self._query_chances, self.counts.searches)

    @property
    def _whole_volume(self) -> float:
        return max(self.counts.volume * self.scale, 1.0)

    @functools.cached_property
    def _kept_volume(self) -> float:
        totals, number, chance = self._levels
        return dot_product(number * totals, chance)

    @property
    def volume(self) -> float:
        """Share of the query volume that is released."""
        return self._kept_volume / self._whole_volume

    @functools.cached_property
    def _noise(self) -> float:
        """Size of the noise of all released counts together."""
        rule, least = self.plan.queries, self.plan.threshold
        if rule.second_scale is not None:
            return (self.queries + self.decoys) * discrete_laplace.mean_size(rule.second_scale)
        totals, number, _ = self._levels
        sizes = discrete_laplace.mean_size_above(least - np.ceil(totals), rule.scale)
        of_decoy = float(discrete_laplace.mean_size_above(np.asarray(least), rule.scale))
        return dot_product(number, sizes) + (self.zeros or 0) * of_decoy

    @functools.cached_property
    def errors(self) -> dict[str, float]:
        """The expected error of query counts by cause, as shares of the query volume."""
        noise, volume = self._noise / self._whole_volume, self._whole_volume
        if self.before is not None:
            lost = max(self.before.volume - self.volume, 0.0)
            return self.before.errors | {"noise": noise} | ({"suppression": lost} if lost else {})
        limited = self.counts.limited_volume * self.scale
        return {
            "bounding": (volume - limited) / volume if self.counts.volume else 0.0,
            "threshold": (limited - self._kept_volume) / volume,
            "noise": noise,
        }

    @functools.cached_property
    def clicks(self) -> tuple[float, float]:
        """Released pairs of a query and a page, and their share of the click volume."""
        pairs, rule = self.counts.clicks, self.plan.clicks
        if rule is None or not len(pairs):
            return 0.0, 0.0
        count = pairs.count.astype(np.float64)
        totals, stand_for = extrapolate_counts(count, self.scale)
        chance = self._query_chances[pairs.first]
        if rule.least is not None:
            chance = chance * discrete_laplace.chance_of_passing(totals, rule.scale, rule.least)
        return dot_product(stand_for, chance), dot_product(count, chance) / pairs.total

    @functools.cached_property
    def transitions(self) -> tuple[float, float, int]:
        """Released transitions that occurred and that didn't, and the threshold of their counts."""
        pairs, rule = self.counts.transitions, self.plan.transitions
        if rule is None:
            return 0.0, 0.0, 0
        chance = self._query_chances[pairs.first] * self._query_chances[pairs.second]
        totals, stand_for = extrapolate_counts(pairs.count.astype(np.float64), self.scale)
        happened = dot_product(stand_for, chance)
        if self.plan.lowest_transition is None:
            return happened, 0.0, 0
        released = self.queries + self.decoys
        cells = max(released * (released - 1), 0.0)
        if self.before is not None:
            least = self.before.transitions[2]
        else:
            least = rule.least or discrete_laplace.threshold_for(cells, 1.0, rule.scale)
        passes = discrete_laplace.chance_of_passing(totals, rule.scale, least)
        false_chance = float(discrete_laplace.tail_probability(least, rule.scale))
        return (
            dot_product(stand_for, chance * passes),
            max(cells - happened, 0.0) * false_chance,
            least,
        )

    def count_singles(self, pairs: PairCounts) -> int:
        """Released clicks, or transitions, that occurred once."""
        if not len(pairs):
            return 0
        chance = self._query_chances[pairs.first]
        if pairs is self.counts.transitions:
            chance = chance * self._query_chances[pairs.second]
        return round(float(chance[pairs.count == 1].sum()) * self.scale)

    def leave_out(self, queries: Bools, urls: Bools) -> PlanOutlook:
        """The same without marked strings; see `CountedLog.leave_out`."""
        counts = self.counts.leave_out(queries, urls)
        return dataclasses.replace(self, counts=counts, before=self)

    # as it is shown

    def list_metrics(self) -> tuple[MetricValue, ...]:
        """The expectations."""
        values = {"queries": self.queries, "searches_share": self.searches_share}
        values["volume"] = self.volume
        if self.zeros is not None:
            values["decoys"] = self.decoys
        if self.plan.clicks is not None:
            values["clicks"], values["click_volume"] = self.clicks
        happened, false, least = self.transitions
        if self.plan.transitions is not None:
            values["transitions"] = happened
        metrics = [describe_metric(f"expected.{name}", value) for name, value in values.items()]
        if self.plan.transitions is not None and self.plan.lowest_transition is not None:
            metrics.append(describe_metric("expected.false_transitions", false, k_t=least))
        errors = self.errors.items()
        return (*metrics, *(describe_metric(f"error.{cause}", share) for cause, share in errors))

    def explain_empty(self) -> str:
        """Why (nearly) nothing is expected to be released; empty if at least one query is."""
        if self.queries >= 1:
            return ""
        totals, _, _ = self._levels
        qualifier = "" if self.scale == 1 else "about "
        return sentence(
            "noisy_counts.setting_expected_release_about",
            number=NumberText(f"{self.queries:.1g}" if self.queries >= 0.05 else "0"),
            about=as_phrase(qualifier),
            top=float(totals[-1]) if len(totals) else 0.0,
            k=self.plan.threshold,
        )

    def draw_figures(self) -> tuple[Figure, ...]:
        """The chance of passing over a query's count, volume over K, and the error by cause."""
        scale, least, levels = self.plan.queries.scale, self.plan.threshold, self.counts.levels
        mark = PlotMark("x", float(least), f"K = {least:,.0f}", "current")
        reach = max(4.0, 8 * scale)
        counts = np.unique(np.linspace(max(0.0, least - reach), least + reach, POINTS).round())
        chance = discrete_laplace.chance_of_passing(counts, scale, least)
        # The share of the query volume that is released at each threshold.
        top = float(levels[-1]) * self.scale if len(levels) else 1.0
        grid = np.unique(np.geomspace(1, max(10.0, 2.0 * least, min(top, 1e9)), 48).round())
        totals, number, _ = self._levels
        gap = np.ceil(grid)[:, None] - np.ceil(totals)[None, :]
        passes = discrete_laplace.tail_probability(gap, scale)
        kept = passes @ (number * totals) / self._whole_volume
        shares = np.array(list(self.errors.values()))
        causes = ("contribution limits", "threshold", "noise", "suppression")[: len(shares)]
        return (
            describe_metric.figure("chance", (Series("chance", counts, chance),), marks=(mark,)),
            describe_metric.figure("volume", (Series("kept", grid, kept),), marks=(mark,)),
            describe_metric.figure(
                "error",
                (Series("error", np.arange(float(len(shares))), shares, kind="bars"),),
                categories=causes,
                note="The four together bound the expected ℓ1 error."
                if "suppression" in self.errors
                else "The three together bound the expected ℓ1 error.",
            ),
        )


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
