"""Carries a counting plan out in memory or from working files, and says what to expect, and why.

Cost: O(rows) for two passes, three where queries rarer than τ are dropped, plus O(r log r) for what
is released.
"""

import functools
import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from auditor.arrays import Int32s, Int64s
from auditor.errors import AuditorError
from auditor.figures import Figure, MetricValue, PlotMark, Series, format_power
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import NONE, QueryLog
from auditor.log.sentences import sentence
from auditor.messages import as_phrase, phrase
from auditor.methods.base import ExpectedRelease
from auditor.methods.explanation.explanation import (
    Explanation,
    ExplanationRequest,
    QueryOccurrences,
    TurningPoint,
    find_occurrences,
    find_turning_points,
)
from auditor.methods.noisy_counts import discrete_laplace
from auditor.methods.noisy_counts.counting_plan import (
    CountingMethod,
    CountingPlan,
    ReleaseFigures,
    pair_changes,
    query_changes,
    transition_changes,
)
from auditor.methods.noisy_counts.expectations import PlanOutlook, count_log, least_count
from auditor.methods.noisy_counts.histograms import (
    BLOCK_ROWS,
    LimitedCounts,
    PairCounts,
    ReleasedCounts,
    ReleasedQueries,
    assemble_tables,
    choose_queries,
    click_pairs,
    limit_users,
    select_released,
    transition_pairs,
    unit_counts,
)
from auditor.methods.noisy_counts.query_pool import ListPool, chance_of_holding
from auditor.methods.suppression import ExpectedContent, StringMarks
from auditor.privacy.noise import add_noise, noisy_at_least, zero_cells
from auditor.privacy.randomness import Randomness
from auditor.privacy.release import Product, Tables
from auditor.progress import Progress

describe_metric = MetricCatalogue("methods", "noisy_counts")

DENSE = 3_000
"""Values of a limit on users that are looked at one by one, at most, in each direction."""


def build_fields(method: CountingMethod) -> dict[str, Any]:
    """What all methods with a counting plan have in common, as fields of `Method`."""
    return {
        "yields": "tables",
        "randomised": True,
        "streams": True,
        "counting": method,
        "run": functools.partial(run_counting, method),
        "outlook": functools.partial(expect_counts, method),
        "explain": functools.partial(explain_count, method),
    }


def run_counting(
    method: CountingMethod, log: QueryLog, params: Any, *, rng: Randomness, progress: Progress
) -> Product:
    """The `run` of a counting method: the tables of its plan, with its statement."""
    progress.check()
    content, figures = release_counts(log, method.plan(params), rng, progress)
    return Product(
        content=content, statement=method.state(params, figures), changes=figures.changes
    )


def release_counts(
    log: QueryLog, plan: CountingPlan, rng: Randomness, progress: Progress
) -> tuple[Tables, ReleaseFigures]:
    """The released tables, and what was counted on the way.

    Queries of the pool that no limited history has stand in with a count of 0.
    """
    pool = plan.load_pool(progress) if plan.load_pool is not None else None
    limits, rule = plan.limits, plan.queries
    units = unit_counts(log, limits.unit, progress) if plan.whole_counts else None
    limited = limit_users(log, limits, progress, units=units)
    # Only queries of a limited history may pass: others are not in the histogram.
    candidates = np.flatnonzero(limited.query_count >= (plan.fewest or 1))
    index, noisy = rule.draw(limited.query_count[candidates].astype(np.int64), rng, progress)
    decoys: list[str] = []
    decoy_count: Int64s | None = None
    if pool is not None:
        decoys, decoy_count = pool.draw_passing(
            log, limited.query_count, rule.scale, plan.threshold, rng, progress
        )
        if rule.second_scale is not None:
            zeros = np.zeros(len(decoys), dtype=np.int64)
            decoy_count = add_noise(zeros, rule.second_scale, rng, progress)
    queries = choose_queries(log, candidates[index], noisy, decoys, decoy_count)
    changes = query_changes(
        plan,
        rows=len(log),
        rows_within=int((limited.stops - log.user_starts[:-1]).sum()),
        histories=int(np.count_nonzero(limited.query_count)),
        candidates=len(candidates),
        released=len(index),
        decoys=queries.decoys,
    )
    figures = ReleaseFigures(
        users=len(log.users),
        queries=len(log.queries),
        changes=changes,
        secure=rng.secure,
        pool=pool.description if pool is not None else "",
        pooled=pool.count_overlap(log) if isinstance(pool, ListPool) else None,
    )
    if units is not None:
        figures = _describe_whole_counts(log, limited, units, queries, figures, progress)
    clicks = transitions = None
    pages = log.urls
    if plan.clicks is not None:
        pairs = click_pairs(log, limited, queries.place, progress)
        changes["clicks_not_counted"] = log.clicks - pairs.total
        if plan.list_pages is not None:
            pairs, pages = plan.list_pages(log, pairs, queries, progress)
            changes["listed_pairs_clicked"] = int(np.count_nonzero(pairs.count))
        index, noisy = plan.clicks.draw(pairs.count, rng, progress)
        clicks = select_released(pairs, index, noisy)
        changes |= pair_changes("click_pairs", plan.clicks, len(pairs), len(index))
        figures = replace(figures, single_clicks=int(np.count_nonzero(pairs.count == 1)))
    if plan.transitions is not None:
        pairs = transition_pairs(log, limited, queries.place, progress)
        if plan.lowest_transition is not None:
            transitions, cell_changes = release_all_cells(pairs, len(queries), plan, rng, progress)
            changes |= cell_changes
        else:
            index, noisy = plan.transitions.draw(pairs.count, rng, progress)
            transitions = select_released(pairs, index, noisy)
            changes |= pair_changes("transitions", plan.transitions, len(pairs), len(index))
            single = int(np.count_nonzero(pairs.count == 1))
            figures = replace(figures, single_transitions=single)
    return assemble_tables(pages, queries, clicks, transitions), figures


def _describe_whole_counts(
    log: QueryLog,
    limited: LimitedCounts,
    units: Int32s,
    queries: ReleasedQueries,
    figures: ReleaseFigures,
    progress: Progress,
) -> ReleaseFigures:
    """Rows that τ passes over, queries at its edge, and the share of volume that is released."""
    starts, stops, tau = log.user_starts, limited.stops, limited.limits.tau
    dropped = dropped_within = 0
    if len(limited.dropped):
        for first, last in progress.whole_blocks(
            "counting what is left out", log.user_starts, BLOCK_ROWS
        ):
            rows = np.arange(int(starts[first]), int(starts[last]))
            rare = limited.dropped[log.query[rows]] > 0
            dropped_within += int(np.count_nonzero(rare & (rows < stops[log.user[rows]])))
            dropped += int(np.count_nonzero(rare))
    rare_queries = int(np.count_nonzero(units < tau))
    figures.changes["rows_rarer_than_tau"] = dropped
    figures.changes["rows_over_limit"] -= dropped - dropped_within
    figures.changes["queries_rarer_than_tau"] = rare_queries
    edge = (units == tau - 1) | (units == tau)
    return replace(
        figures,
        rare=rare_queries,
        borderline=int(np.count_nonzero(edge & (units > 0))) if tau > 1 else 0,
        kept_share=float(units[queries.place >= 0].sum(dtype=np.int64)) / max(int(units.sum()), 1),
    )


def expect_counts(
    method: CountingMethod, log: QueryLog, params: Any, *, scale: float, progress: Progress
) -> ExpectedRelease:
    """The outlook of a counting method; milliseconds on a sample."""
    plan = method.plan(params)
    pool = plan.load_pool(progress) if plan.load_pool is not None else None
    tau = plan.limits.tau if scale <= 1 else least_count(plan.limits.tau, scale)
    counts = count_log(log, replace(plan.limits, tau=tau), progress)
    counts = counts.drop_rare(plan.fewest or 1, scale)
    zeros = None if pool is None else pool.count_zeros(log, counts.query_count)
    expected = PlanOutlook(plan, counts, scale, zeros)
    figures = ReleaseFigures(
        users=round(len(log.users) * scale),
        queries=len(log.queries),
        changes={
            "click_pairs_released": round(expected.clicks[0]),
            "transitions_released": round(expected.transitions[0]),
        },
        expected=True,
        rare=counts.rare,
        borderline=counts.borderline,
        kept_share=expected.volume,
        pool=pool.description if pool is not None else "",
        pooled=pool.count_overlap(log) if isinstance(pool, ListPool) else None,
    )
    if plan.whole_counts:
        clicks, steps = map(expected.count_singles, (counts.clicks, counts.transitions))
        figures = replace(figures, single_clicks=clicks, single_transitions=steps)

    def expect_without(marks: StringMarks) -> ExpectedContent:
        urls = marks.addresses(log.urls) if len(counts.clicks) else np.zeros(len(log.urls), bool)
        unmarked = expected.leave_out(marks.queries(log.queries), urls)
        return unmarked.list_metrics(), unmarked.draw_figures()

    return ExpectedRelease(
        statement=method.state(params, figures),
        values=expected.list_metrics(),
        figures=expected.draw_figures(),
        note=expected.explain_empty(),
        expect_without=expect_without,
    )


# --- noise in every cell of transitions -------------------------------------------------------


def release_all_cells(
    pairs: PairCounts, size: int, plan: CountingPlan, rng: Randomness, progress: Progress
) -> tuple[ReleasedCounts, dict[str, int]]:
    """The pairs that happened, then the zero cells of `size` queries that noise lifts."""
    assert plan.transitions is not None
    assert plan.lowest_transition is not None
    cells = size * (size - 1)
    scale, least = plan.transitions.scale, plan.lowest_transition(cells)
    index, noisy = noisy_at_least(pairs.count, scale, least, rng, progress)
    happened = cell_of(pairs.first, pairs.second, size)
    places, lifted = zero_cells(cells - len(pairs), scale, least, rng, progress)
    first, second = pair_of(nth_missing(happened, places), size)
    real = select_released(pairs, index, noisy)
    return ReleasedCounts(
        np.concatenate([real.first, first]),
        np.concatenate([real.second, second]),
        np.concatenate([real.count, lifted]),
    ), transition_changes(len(pairs), len(index), len(places))


def cell_of(first: Int64s, second: Int64s, size: int) -> Int64s:
    """Number of the ordered pair (first ≠ second) among all such pairs below `size`."""
    return first * (size - 1) + second - (second > first)


def pair_of(cell: Int64s, size: int) -> tuple[Int64s, Int64s]:
    """The pair of a number: the inverse of `cell_of`."""
    first, second = np.divmod(cell, max(size - 1, 1))
    return first, second + (second >= first)


def nth_missing(present: Int64s, ranks: Int64s) -> Int64s:
    """The cells of those ranks among the numbers that `present` (ascending) leaves out.

    Below the i-th present number stand present[i] − i missing ones, so the cell of rank p is p
    plus how many i have present[i] − i ≤ p.
    """
    before = present - np.arange(len(present))
    return ranks + np.searchsorted(before, ranks, side="right")


# --- why a query is released, or isn't --------------------------------------------------------


@dataclass(frozen=True)
class ExplainedCount:
    """A query's noisy count under one setting."""

    # count, users: what limiting the users leaves of it, in `unit`, and how many users that comes
    # from
    count: int
    users: int
    # scale, least: scale of the discrete Laplace that decides, and the release threshold
    scale: float
    least: int
    unit: str = "users"
    # The chance that a query with no count stands among those that get noise all the same.
    stands_in: float = 0.0
    dropped: str = ""  # why it has no count although users issued it, in words

    @property
    def chance(self) -> float:
        """Of being released: P[count + X ≥ least], exactly."""
        passes = float(
            discrete_laplace.chance_of_passing(np.array([self.count]), self.scale, self.least)[0]
        )
        return passes if self.count else self.stands_in * passes


def explain_count(
    method: CountingMethod, request: ExplanationRequest, params: Any, progress: Progress
) -> Explanation:
    """Where a query stands between its count and the threshold; O(rows of those who issued it).

    With a τ that drops rare queries before users are limited also one pass over the log.
    """
    plan = method.plan(params)
    unit = plan.limits.unit
    pooled, notes = 0.0, list[str]()
    try:
        pool = plan.load_pool(progress) if plan.load_pool is not None else None
        pooled = chance_of_holding(pool, request.text) if pool is not None else 0.0
    except AuditorError:
        notes = ["The pool's file can't be read here, so decoys are left out of account."]
    units = unit_counts(request.log, unit, progress) if plan.limits.tau > 1 else None
    total = int(units[request.code]) if units is not None and len(request.rows) else 0

    @functools.cache
    def find_for_tau(tau: int) -> QueryOccurrences:
        rare = (units < tau).view(np.uint8) if units is not None else None
        return find_occurrences(request, unit, progress, rare)

    def explain_under(other: Any) -> ExplainedCount:
        other_plan = method.plan(other)
        occurrences = find_for_tau(other_plan.limits.tau)
        return _explain_under_plan(other_plan, occurrences, total, pooled)

    explained = explain_under(params)
    limit, symbol, limit_value = method.limit, method.threshold, getattr(params, method.limit)
    values = _list_values(explained, limit, limit_value, symbol)
    if units is not None:
        values.append(describe_metric("units", float(total), unit=unit.value))
    solved = getattr(params, "K", None) is None
    turns: tuple[TurningPoint, ...] = ()
    if len(request.rows) or explained.stands_in:
        turns = find_turning_points(
            params,
            lambda other: explain_under(other).chance,
            method.list_turning(params),
            present_values={"K": explained.least},
            # A threshold that is solved changes with the limit, and the chance may turn twice.
            dense={limit: min(find_for_tau(plan.limits.tau).last, DENSE) if solved else 0},
            peaks={"tau": total},
            progress=progress,
        )
    return Explanation(
        outcome=_describe_outcome(
            request, explained, f"{symbol} = {explained.least:,}", limit_value
        ),
        chance=explained.chance,
        values=tuple(values),
        turns=turns,
        figures=(chance_figure(explained, symbol),)
        if explained.count or explained.stands_in
        else (),
        notes=tuple(notes),
    )


def _explain_under_plan(
    plan: CountingPlan, occurrences: QueryOccurrences, total: int, stands_in: float
) -> ExplainedCount:
    """The noisy count of a query of so many units in the whole log, 0 where nobody counted them."""
    limits, fewest = plan.limits, plan.fewest or 1
    count, dropped = occurrences.count_within(limits.q_f), ""
    if 0 < total < limits.tau:
        dropped = phrase("is rarer than τ = {tau:,}", tau=limits.tau)
    elif 0 < count < fewest:
        count, dropped = 0, phrase("is below the first threshold τ = {tau:,}", tau=fewest)
    return ExplainedCount(
        count=count,
        users=occurrences.users_within(limits.q_f),
        scale=plan.queries.scale,
        least=plan.threshold,
        unit=limits.unit.value,
        stands_in=stands_in,
        dropped=dropped,
    )


def _list_values(
    explained: ExplainedCount, limit: str, limit_value: int, symbol: str
) -> list[MetricValue]:
    """The limited count and its users, the threshold by its `symbol`, and the noise."""
    return [
        MetricValue(
            "limited",
            phrase("count within each user's first {limit:,}", limit=limit_value),
            float(explained.count),
            explained.unit,
            help=sentence(
                "noisy_counts.left_count_when_histories", limit=limit, limit_2=limit_value
            ),
        ),
        describe_metric("limited_users", float(explained.users)),
        describe_metric("threshold", float(explained.least), unit=explained.unit, threshold=symbol),
        describe_metric("scale", explained.scale, unit=explained.unit),
    ]


def _describe_outcome(
    request: ExplanationRequest, explained: ExplainedCount, needs: str, limit: int
) -> str:
    if explained.count:
        return sentence(
            "noisy_counts.counts_within_user_first",
            count=explained.count,
            limit=limit,
            scale=explained.scale,
            needs=needs,
            chance=as_phrase(in_words(explained.chance)),
        )
    if explained.stands_in:
        absence = "Nobody in this log issued it" if request.code == NONE else "It has no count here"
        return phrase(
            ("{whose}, but the pool holds it: noise alone lifts it to {needs}, and it {chance}.")
            if explained.stands_in == 1
            else (
                "{whose}, but the pool may hold it: noise alone lifts it to {needs}, and "
                "it {chance}."
            ),
            whose=as_phrase(absence),
            needs=needs,
            chance=as_phrase(in_words(explained.chance)),
        )
    if request.code == NONE:
        return "Nobody in this log issued it, so it can't be released."
    if explained.dropped:
        return phrase(
            "It {dropped}, so it is not counted and can't be released.",
            dropped=as_phrase(explained.dropped),
        )
    return sentence("noisy_counts.user_issued_among_first", limit=limit)


def in_words(chance: float) -> str:
    """A chance as the end of a sentence."""
    if chance <= 0:
        return "is never released"
    if chance < 1e-3:
        power = as_phrase(format_power(chance))
        return phrase("is released with a probability of {chance}", chance=power)
    if chance > 1 - 1e-4:
        return "is almost certainly released"
    return phrase("is released with a probability of {chance:.3g} %", chance=100 * chance)


def chance_figure(explained: ExplainedCount, threshold: str) -> Figure:
    """The chance of being released over the count, with this query's count marked."""
    distance = abs(explained.count - explained.least)
    reach = max(6 * explained.scale, 1.3 * distance, 5.0)
    low, high = max(0.0, math.floor(explained.least - reach)), math.ceil(explained.least + reach)
    grid = np.unique(np.linspace(low, max(high, explained.count + 1), 160).round())
    passes = discrete_laplace.chance_of_passing(grid, explained.scale, explained.least)
    return describe_metric.figure(
        "explained",
        (Series("chance", grid, passes),),
        marks=(
            PlotMark(
                "x",
                float(explained.count),
                phrase("this query: {count:,}", count=explained.count),
                "current",
            ),
            PlotMark("x", float(explained.least), f"{threshold} = {explained.least:,}", "limit"),
        ),
        named="chance",
    )
