"""Carries a counting plan out in memory or from working files, and says what to expect of it.

Cost: O(rows) for two passes, three where queries rarer than τ are dropped, plus O(r log r) for what
is released.
"""

import functools
from dataclasses import replace
from typing import Any

import numpy as np

from auditor.arrays import Int32s, Int64s
from auditor.log.model import QueryLog
from auditor.methods.base import ExpectedRelease
from auditor.methods.noisy_counts.counting_plan import (
    CountingMethod,
    CountingPlan,
    ReleaseFigures,
    pair_changes,
    query_changes,
    transition_changes,
)
from auditor.methods.noisy_counts.expectations import PlanOutlook, count_log, least_count
from auditor.methods.noisy_counts.explain import explain_count
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
from auditor.methods.noisy_counts.query_pool import ListPool
from auditor.methods.suppression import ExpectedContent, StringMarks
from auditor.privacy.noise import add_noise, noisy_at_least, zero_cells
from auditor.privacy.randomness import Randomness
from auditor.privacy.release import Product, Tables
from auditor.progress import Progress


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
            "click_pairs_released": round(expected.clicks),
            "transitions_released": round(expected.transitions),
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
