"""SafeLog and Korolova on Spark: parameters, noise, tables and statement are the methods' own.

A released table is drawn once, written, and everything after reads what was written: an executor
that is lost takes no draw with it that anything else has seen.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from auditor.engine.backends.spark import rows
from auditor.engine.backends.spark.counting import limited_counts
from auditor.engine.backends.spark.job_result import SparkJobResult
from auditor.engine.backends.spark.run_context import (
    DrawnTable,
    SparkRunContext,
    SparkSums,
    count_blank_rows,
    read_facts,
    sum_records,
)
from auditor.errors import ParameterError
from auditor.methods import korolova
from auditor.methods.noisy_counts.histograms import ContributionLimits, CountingUnit
from auditor.methods.safelog import published, strict
from auditor.methods.safelog import statement as safelog_statement
from auditor.methods.safelog.params import SafeLogParams
from auditor.privacy.noise import add_noise, noisy_at_least, passing_positions, zero_cells
from auditor.privacy.randomness import SecureRandomness
from auditor.progress import silent_progress

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def release_safelog(work: SparkRunContext, params: SafeLogParams) -> SparkJobResult:
    """SafeLog in the chosen mode."""
    if params.pool != "none":
        raise ParameterError(
            "pool", "The Spark engine releases without a query pool: set pool to none."
        )
    return (
        _release_strict(work, params) if params.mode == "strict" else _publish_tables(work, params)
    )


# --- strict -----------------------------------------------------------------------------------


def _release_strict(work: SparkRunContext, params: SafeLogParams) -> SparkJobResult:
    spent = strict.strict_budget(params)
    records, found = _limit_users(work, params.limits, params.clicks, params.transitions)
    log = read_facts(work, records, found)
    searched = len(log) - found["blank_rows"]
    work.stage("drawing queries")
    drawn = _draw_queries(work, records, _at_least(params.b, spent.K))
    chosen, size, there = drawn.frame, drawn.rows, drawn.seen
    changes = {
        "rows": searched,
        "rows_over_limit": searched - found["rows_within"],
        "queries_in_histories": there,
        "queries_below_threshold": there - size,
        "queries_released": size,
        "pool_queries_released": 0,
        **count_blank_rows(found),
    }
    tables = {"queries": chosen}
    released = {"queries": size}
    if params.clicks:
        work.stage("drawing clicks")
        pairs = _released_pairs(limited_counts.add_counts(records, rows.CLICK), chosen, "a")
        noise = _at_least(params.b_c, spent.K_c)
        shown = work.draw_table(limited_counts.with_noise(pairs, noise, work.folder), "clicks")
        tables["clicks"], released["clicks"] = shown.frame, shown.rows
        changes["clicks_not_counted"] = log.clicks - found["blank_clicks"] - found["clicks_taken"]
        changes["click_pairs_below_threshold"] = shown.seen - shown.rows
        changes["click_pairs_released"] = shown.rows
    if params.transitions:
        work.stage("drawing transitions")
        tables["transitions"] = _draw_transitions(work, params, records, chosen, size, changes)
        released["transitions"] = changes["transitions_released"]
    statement = safelog_statement.strict_statement(params, len(log.users))
    return SparkJobResult(tables, released, statement, changes, log, size)


def _draw_transitions(
    work: SparkRunContext,
    params: SafeLogParams,
    records: DataFrame,
    chosen: DataFrame,
    size: int,
    changes: dict[str, int],
) -> DataFrame:
    """Pairs that happened and pass, and pairs that never happened and pass.

    Every cell draws for itself. So the cells that never happened and pass are those of *all*
    cells that a draw for zeros lets pass, less those that happened, whose own draw counts.
    """
    from pyspark.sql import functions as F

    cells = size * (size - 1)
    least = strict.transition_threshold(params, cells)
    both = _released_pairs(
        _released_pairs(limited_counts.add_counts(records, rows.STEP), chosen, "a"), chosen, "b"
    )
    pairs = work.persist_frame(both)
    real = work.draw_table(
        limited_counts.with_noise(pairs, _at_least(params.b_t, least), work.folder), "transitions"
    )
    places, lifted = zero_cells(cells, params.b_t, least, SecureRandomness(), work.progress)
    released, never = real.frame.select("a", "b", "n"), 0
    if len(places):
        first, second = strict.pair_of(places, size)
        ids = _list_ids(work, chosen)
        cell = _make_cell_frame(work, ids[first], ids[second], lifted)
        names = chosen.select("id", "a")
        from_names = names.select(F.col("id").alias("first"), F.col("a"))
        to_names = names.select(F.col("id").alias("second"), F.col("a").alias("b"))
        told = cell.join(from_names, "first").join(to_names, "second").select("a", "b", "n")
        false = work.write_frame(told.join(pairs, ["a", "b"], "left_anti"), "never")
        never = work.count_rows(false)
        released = released.unionByName(false)
    changes["transitions_below_threshold"] = real.seen - real.rows
    changes["transitions_released"] = real.rows + never
    changes["transitions_that_never_happened"] = never
    return released


def _draw_queries(
    work: SparkRunContext,
    records: DataFrame,
    noise: Callable[[SecureRandomness], limited_counts.Noise],
) -> DrawnTable:
    """Released queries with an `id` each: their partition and their place in it."""
    from pyspark.sql import functions as F

    drawn = limited_counts.with_noise(
        limited_counts.add_counts(records, rows.QUERY), noise, work.folder
    )
    return work.draw_table(drawn.withColumn("id", F.monotonically_increasing_id()), "queries")


def _list_ids(work: SparkRunContext, chosen: DataFrame) -> Any:
    """All ids in order, told from how many each partition has; a view, never an array."""
    from pyspark.sql import functions as F

    part = F.shiftright("id", 33).alias("part")
    grouped = chosen.groupBy(part).agg(F.min("id"), F.count("*"))
    sizes = sorted((row[1], row[2]) for row in work.collect_rows(grouped, 1 << 20))
    return _QueryIds(np.array([s[0] for s in sizes]), np.array([s[1] for s in sizes]))


class _QueryIds:
    """The i-th id for an array of places i; ids of one partition follow each other."""

    def __init__(self, first: Any, size: Any) -> None:
        self._first = first.astype(np.int64)
        self._ends = np.cumsum(size).astype(np.int64)
        self._starts = self._ends - size

    def __getitem__(self, places: Any) -> Any:
        at = np.searchsorted(self._ends, places, side="right")
        return self._first[at] + places - self._starts[at]


def _make_cell_frame(work: SparkRunContext, first: Any, second: Any, count: Any) -> DataFrame:
    """Drawn cells as a frame, by way of a file: at most `safelog_strict.MOST_FALSE` of them."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    place = work.folder / "cells.parquet"
    table = pa.table({"first": first, "second": second, "n": count})
    pq.write_table(table, place)
    return work.spark.read.parquet(place.as_uri())


# --- as published -----------------------------------------------------------------------------


def _publish_tables(work: SparkRunContext, params: SafeLogParams) -> SparkJobResult:
    limits = params.limits
    units, facts, found = _count_units(work, limits)
    flags = units.where(units.n >= limits.tau) if limits.tau > 1 else None
    records, done = _limit_users(work, limits, params.clicks, params.transitions, often=flags)
    log = read_facts(work, facts, found, query_count=work.count_rows(units))
    least = published.least_count(params)
    work.stage("drawing queries")
    drawn = _draw_queries(work, records, _make_double_noise(params.b, least, params.b_q))
    chosen, size, there = drawn.frame, drawn.rows, drawn.seen
    rare = _count_rarer(work, units, limits.tau)
    searched = len(log) - found["blank_rows"]
    beyond = searched - done["rows_within"]
    dropped = done["rows_rare"]
    changes = {
        "rows": searched,
        "rows_rarer_than_tau": dropped,
        "rows_over_limit": beyond - (dropped - done["rows_rare_within"]),
        "queries_rarer_than_tau": rare["rare"],
        "queries_below_threshold": there - size,
        "queries_released": size,
        "pool_queries_released": 0,
        **count_blank_rows(found),
    }
    tables, released = {"queries": chosen}, {"queries": size}
    single: dict[str, int] = {}
    if params.clicks:
        work.stage("drawing clicks")
        pairs = _released_pairs(limited_counts.add_counts(records, rows.CLICK), chosen, "a")
        shown = work.draw_table(
            limited_counts.with_noise(pairs, _make_plain_noise(params.b_c), work.folder), "clicks"
        )
        tables["clicks"], released["clicks"], single["clicks"] = (
            shown.frame,
            shown.rows,
            shown.single,
        )
        changes["clicks_not_counted"] = log.clicks - found["blank_clicks"] - done["clicks_taken"]
        changes["click_pairs_released"] = shown.rows
    if params.transitions:
        work.stage("drawing transitions")
        steps = limited_counts.add_counts(records, rows.STEP)
        pairs = _released_pairs(_released_pairs(steps, chosen, "a"), chosen, "b")
        shown = work.draw_table(
            limited_counts.with_noise(pairs, _make_plain_noise(params.b_t), work.folder),
            "transitions",
        )
        tables["transitions"], released["transitions"] = shown.frame, shown.rows
        single["transitions"] = shown.single
        changes["transitions_released"] = shown.rows
    kept = _sum_counts(work, _released_pairs(units, chosen, "a"))
    seen = published.PublishedStages(
        users=len(log.users),
        queries=len(log.queries),
        rare=rare["rare"],
        borderline=rare["edge"] if limits.tau > 1 else 0,
        clicks=released.get("clicks", 0),
        single_clicks=single.get("clicks", 0),
        transitions=released.get("transitions", 0),
        single_transitions=single.get("transitions", 0),
        kept=kept / max(rare["all"], 1),
    )
    statement = safelog_statement.published_statement(params, seen)
    return SparkJobResult(tables, released, statement, changes, log, size)


def korolova_job(work: SparkRunContext, params: korolova.KorolovaParams) -> SparkJobResult:
    """Korolova et al., clicks left in or on every clicked page."""
    if params.clicks == "results":
        raise ParameterError(
            "clicks", "The Spark engine has no lists of public results: choose none or observed."
        )
    limits = ContributionLimits(CountingUnit(params.unit), params.q_f, params.c_f)
    with_clicks = params.clicks == "observed"
    records, found = _limit_users(work, limits, with_clicks, False)
    log = read_facts(work, records, found)
    searched = len(log) - found["blank_rows"]
    work.stage("drawing queries")
    least = korolova.least_count(params)
    drawn = _draw_queries(work, records, _make_double_noise(params.b, least, params.b_q))
    chosen, size, there = drawn.frame, drawn.rows, drawn.seen
    changes = {
        "rows": searched,
        "rows_over_limit": searched - found["rows_within"],
        "queries_in_histories": there,
        "queries_below_threshold": there - size,
        "queries_released": size,
        **count_blank_rows(found),
    }
    tables, released = {"queries": chosen}, {"queries": size}
    if with_clicks:
        work.stage("drawing clicks")
        pairs = _released_pairs(limited_counts.add_counts(records, rows.CLICK), chosen, "a")
        shown = work.draw_table(
            limited_counts.with_noise(pairs, _make_plain_noise(params.b_c), work.folder), "clicks"
        )
        tables["clicks"], released["clicks"] = shown.frame, shown.rows
        changes["click_pairs_released"] = shown.rows
    statement = korolova.statement_of(params, len(log.users), True, changes)
    return SparkJobResult(tables, released, statement, changes, log, size)


# --- what they share --------------------------------------------------------------------------


def _limit_users(
    work: SparkRunContext,
    limits: ContributionLimits,
    clicks: bool,
    transitions: bool,
    *,
    often: DataFrame | None = None,
) -> tuple[DataFrame, SparkSums]:
    """What limited users contribute, and the figures that come with it."""
    from pyspark.sql import functions as F

    work.stage("limiting users")
    if often is None:
        frame = rows.scan(work.spark, work.splits, limited_counts.could_count(limits))
    else:
        flags = often.select(F.col("a").alias("query"), F.lit(True).alias("often"))
        frame = rows.scan(work.spark, work.splits).join(flags, "query", "left")
    users = rows.by_user(frame.select(*rows.NAMES, *(["often"] if often is not None else [])),
                         work.parts)  # fmt: skip
    made = limited_counts.count_contributions(
        users, limits, clicks=clicks, transitions=transitions, flagged=often is not None
    )
    records = work.persist_frame(made)
    return records, sum_records(work, records)


def _count_units(
    work: SparkRunContext, limits: ContributionLimits
) -> tuple[DataFrame, DataFrame, SparkSums]:
    """Units of each query in the whole log; the records they come from; their figures."""
    work.stage("counting queries")
    users = rows.by_user(rows.scan(work.spark, work.splits), work.parts)
    records = work.persist_frame(limited_counts.count_units(users, limits))
    found = sum_records(work, records)
    return work.persist_frame(limited_counts.add_counts(records, rows.UNIT)), records, found


def _released_pairs(pairs: DataFrame, chosen: DataFrame, column: str) -> DataFrame:
    """Those of `pairs` whose `column` is a released query."""
    return pairs.join(chosen.select(chosen.a.alias(column)), column, "left_semi")


def _count_rarer(work: SparkRunContext, units: DataFrame, tau: int) -> dict[str, int]:
    from pyspark.sql import functions as F

    edge = F.col("n").isin(tau - 1, tau)
    frame = units.agg(
        F.sum((F.col("n") < tau).cast("long")).alias("rare"),
        F.sum(edge.cast("long")).alias("edge"),
        F.sum("n").alias("all"),
    )
    return {name: value or 0 for name, value in work.collect_rows(frame, 1)[0].asDict().items()}


def _sum_counts(work: SparkRunContext, frame: DataFrame) -> int:
    from pyspark.sql import functions as F

    return int(work.collect_rows(frame.agg(F.sum("n")), 1)[0][0] or 0)


def _at_least(scale: float, threshold: int) -> Callable[[SecureRandomness], limited_counts.Noise]:
    """One draw selects and is released."""
    return lambda rng: lambda count: noisy_at_least(count, scale, threshold, rng, silent_progress())


def _make_double_noise(
    scale: float, threshold: int, again: float
) -> Callable[[SecureRandomness], limited_counts.Noise]:
    """One draw selects, another is released."""

    def with_rng(rng: SecureRandomness) -> limited_counts.Noise:
        def draw(count: Any) -> Any:
            index = passing_positions(count, scale, threshold, rng, silent_progress())
            return index, add_noise(count[index], again, rng, silent_progress())

        return draw

    return with_rng


def _make_plain_noise(scale: float) -> Callable[[SecureRandomness], limited_counts.Noise]:
    """All are released."""
    return lambda rng: (
        lambda count: (np.arange(len(count)), add_noise(count, scale, rng, silent_progress()))
    )
