"""SafeLog as published: Algorithm 1 (Zhang, Yang, Singh & Xiong 2016), with integer noise.

1. Drop queries rarer than τ. 2. Keep the first q_f queries and c_f clicks of each user. 3. Add
the pool's queries with count 0. 4. Keep a query if M(q) + X ≥ K, X of scale b. 5. Release
M(q) + X', X' of scale b_q, and for every page clicked for a kept query its clicks plus noise of
scale b_c. 6. For every pair of kept queries that follow each other in somebody's history of step
2, release how often, plus noise of scale b_t. Noisy counts are released as they are, below 0, too.

The one departure: the noise is the discrete Laplace from a vetted sampler, never a Laplace in
doubles, which leaks through its gaps. α is then taken with the discrete tail; both are stated.

Pairs with a pool query have a true count of 0. The text can be read as releasing noise for every
pair of kept queries, |Q'|² rows, which nobody could store: here the pairs that occurred are
released, and the statement says what that gives away. `safelog_strict` does it soundly.

Cost: O(rows) for three passes, one draw for each released count.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from auditor.log.model import QueryLog
from auditor.methods.noisy_counts.histograms import (
    BLOCK_ROWS,
    LimitedCounts,
    click_pairs,
    limit_users,
    transition_pairs,
    unit_counts,
    user_blocks,
)
from auditor.methods.noisy_counts.query_pool import ListPool, QueryPool, load_pool
from auditor.methods.noisy_counts.tables import (
    ReleasedCounts,
    ReleasedQueries,
    assemble_tables,
    choose_queries,
    select_released,
)
from auditor.methods.safelog.params import SafeLogParams
from auditor.privacy import accounting
from auditor.privacy.noise import add_noise, passing_positions
from auditor.privacy.randomness import Randomness
from auditor.privacy.release import Tables
from auditor.progress import Progress


@dataclass(frozen=True)
class PublishedStages:
    """What was measured on this log, for the statement's evidence.

    Attributes
    ----------
    users
        Users in the log.
    rare, borderline
        Queries below τ; queries at τ − 1 or τ, which one user can drop or bring back.
    clicks, single_clicks
        Released (query, URL) pairs, and those with a true count of 1.
    transitions, single_transitions
        The same for transitions.
    queries, pooled
        Distinct queries of the log, and how many of them a list pool holds; None for others.
    pool
        What the pool is, in words; empty without one.
    kept
        Share of query volume that the released queries had in the log.
    """

    users: int
    queries: int
    rare: int = 0
    borderline: int = 0
    clicks: int = 0
    single_clicks: int = 0
    transitions: int = 0
    single_transitions: int = 0
    pooled: int | None = None
    pool: str = ""
    kept: float | None = None


def least_count(params: SafeLogParams) -> int:
    """K as set, or solved from δ for a log without a pool (the only δ there is)."""
    if params.K is not None:
        return params.K
    return threshold_for(params, params.delta)


def threshold_for(params: SafeLogParams, delta: float) -> int:
    """The least K at which both the printed δ and that of the integer noise are at most `delta`."""
    once = params.unit == "users"
    printed = accounting.printed_threshold(params.q_f, delta, params.b, once=once)
    exact = accounting.threshold_for_delta(params.q_f, delta, params.b, once=once)
    return max(1, math.ceil(printed), exact)


def release_published(
    log: QueryLog, params: SafeLogParams, rng: Randomness, progress: Progress
) -> tuple[Tables, dict[str, int], PublishedStages]:
    """The three tables, the counts of what was changed, and the evidence."""
    limits = params.limits
    units = unit_counts(log, limits.unit, progress)
    pool = load_pool(params.pool, params.pool_file, params.pool_size, progress)
    limited = limit_users(log, limits, progress, units=units)
    chosen, kept = _release_queries(log, params, limited, pool, rng, progress)
    changes = _row_changes(log, limited, progress) | {
        "queries_rarer_than_tau": int(np.count_nonzero(units < limits.tau)),
        "queries_below_threshold": int(np.count_nonzero(limited.query_count)) - kept,
        "queries_released": len(chosen),
        "pool_queries_released": chosen.decoys,
    }
    clicks = transitions = None
    single = [0, 0]
    if params.clicks:
        pairs = click_pairs(log, limited, chosen.wanted, progress)
        noisy = add_noise(pairs.count, params.b_c, rng, progress)
        clicks = select_released(pairs, np.arange(len(pairs)), noisy)
        single[0] = int(np.count_nonzero(pairs.count == 1))
        changes["clicks_not_counted"] = log.clicks - pairs.taken
        changes["click_pairs_released"] = len(pairs)
    if params.transitions:
        pairs = transition_pairs(log, limited, chosen.wanted, progress)
        noisy = add_noise(pairs.count, params.b_t, rng, progress)
        transitions = select_released(pairs, np.arange(len(pairs)), noisy)
        single[1] = int(np.count_nonzero(pairs.count == 1))
        changes["transitions_released"] = len(pairs)
    edge = (units == limits.tau - 1) | (units == limits.tau)
    seen = PublishedStages(
        users=len(log.users),
        queries=len(log.queries),
        rare=changes["queries_rarer_than_tau"],
        borderline=int(np.count_nonzero(edge & (units > 0))) if limits.tau > 1 else 0,
        clicks=_count_rows(clicks),
        single_clicks=single[0],
        transitions=_count_rows(transitions),
        single_transitions=single[1],
        pooled=pool.count_overlap(log) if isinstance(pool, ListPool) else None,
        pool=pool.description if pool else "",
        kept=float(units[chosen.wanted >= 0].sum(dtype=np.int64)) / max(int(units.sum()), 1),
    )
    return assemble_tables(log.urls, chosen, clicks, transitions), changes, seen


def _release_queries(
    log: QueryLog,
    params: SafeLogParams,
    limited: LimitedCounts,
    pool: QueryPool | None,
    rng: Randomness,
    progress: Progress,
) -> tuple[ReleasedQueries, int]:
    """Steps 3 to 5 for queries: one draw selects, another is released."""
    least = least_count(params)
    there = np.flatnonzero(limited.query_count)
    counts = limited.query_count[there].astype(np.int64)
    index = passing_positions(counts, params.b, least, rng, progress)
    noisy = add_noise(counts[index], params.b_q, rng, progress)
    if pool is None:
        return choose_queries(log, there[index], noisy), len(index)
    decoys, _ = pool.draw_passing(log, limited.query_count, params.b, least, rng, progress)
    zeros = np.zeros(len(decoys), dtype=np.int64)
    decoy_count = add_noise(zeros, params.b_q, rng, progress)
    return choose_queries(log, there[index], noisy, decoys, decoy_count), len(index)


def _row_changes(log: QueryLog, limited: LimitedCounts, progress: Progress) -> dict[str, int]:
    """Rows that tau passes over, and rows beyond the ends of histories."""
    starts, stops = log.user_starts, limited.stops
    beyond = len(log) - int((stops - starts[:-1]).sum())
    dropped = within = 0
    if len(limited.dropped):
        for first, last in user_blocks(log, "counting what is left out", progress, BLOCK_ROWS):
            begin, end = int(starts[first]), int(starts[last])
            rare = limited.dropped[log.query[begin:end]]
            total = np.concatenate(([0], np.cumsum(rare, dtype=np.int64)))
            inside = total[stops[first:last] - begin] - total[starts[first:last] - begin]
            within += int(inside.sum())
            dropped += int(total[-1])
    return {
        "rows": len(log),
        "rows_rarer_than_tau": dropped,
        "rows_over_limit": beyond - (dropped - within),
    }


def _count_rows(entries: ReleasedCounts | None) -> int:
    return 0 if entries is None else len(entries.count)
