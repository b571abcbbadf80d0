"""Methods that release which queries enough users issued, on Spark.

Partition selection, dated counts and set union have no counting plan: what they draw and what they
state are functions of their own, which both engines call. Which rows of a user count, only that
user's rows decide, so that sums over blocks of whole users are those of the whole log.

**Rounds of set union.** Whoever was limited leaves a list of their first q_f queries. Each later
round takes the lists without what is closed, by the local engine's own kernel. Which queries a
round finds, or leaves open, is drawn once and written, and later rounds read that: a lost machine
draws none of it again. Some of what a screening leaves open is never released. So lists, weights
and what is written hold 128 bits of a keyed hash in a query's place, whose key the driver draws and
forgets; any two of 10¹⁰ queries share one with a chance of 2 × 10⁻¹⁹.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from auditor.arrays import Bools, Float64s, Int64s
from auditor.engine.backends.spark import limited_counts, rows
from auditor.engine.backends.spark.methods import tables
from auditor.engine.backends.spark.run_context import (
    SHEETS,
    SparkJobResult,
    SparkRunContext,
    SparkSums,
    count_blank_rows,
    read_facts,
    sum_records,
)
from auditor.engine.backends.spark.session import map_in_arrow
from auditor.engine.distributed_results import DistributedLog
from auditor.log.model import QueryLog, Vocabulary
from auditor.methods import partition_selection
from auditor.methods.dated_counts import method as dated_counts
from auditor.methods.dated_counts.params import DatedCountsParams
from auditor.methods.noisy_counts.grouped_queries import NO_GROUPS, split_pair, state_pairs
from auditor.methods.noisy_counts.histograms import ContributionLimits, CountingUnit, limit_users
from auditor.methods.noisy_counts.period_units import find_first_days
from auditor.methods.partition_selection import PartitionSelectionParams
from auditor.methods.set_union import method as set_union
from auditor.methods.set_union.rounds import (
    EVEN,
    SetUnionNoise,
    SetUnionParams,
    check_size,
    derive_noise,
    find_excess,
    spread_weights,
)
from auditor.privacy.randomness import SecureRandomness
from auditor.privacy.release import DATED, QUERY
from auditor.progress import silent_progress


def release_selected(work: SparkRunContext, params: PartitionSelectionParams) -> SparkJobResult:
    """The queries whose noisy number of users is above the bound of the noise."""
    limits = ContributionLimits(CountingUnit.USERS, params.q_f, 1)
    records, sums = tables.limit_users(work, limits, by=params.group_by)
    log = read_facts(work, records, sums)

    def noise(rng: SecureRandomness) -> limited_counts.Noise:
        return lambda counts: partition_selection.draw_counts(
            counts, params, rng, silent_progress()
        )

    work.stage("drawing queries")
    totals = limited_counts.add_counts(records, rows.QUERY)
    candidates = totals.where(totals.n >= params.k)
    drawn = work.draw_table(limited_counts.with_noise(candidates, noise, work.folder), "queries")
    changes = {"queries_of_enough_users": drawn.candidates, "queries_released": drawn.rows}
    result = SparkJobResult(
        {"queries": drawn.frame},
        {"queries": drawn.rows},
        partition_selection.statement_of(params, len(log.users), secure=True),
        _count_rows(log, sums) | changes,
        log,
        drawn.rows,
    )
    return _split_pairs(work, result, params.group_by, sums)


def _split_pairs(
    work: SparkRunContext, result: SparkJobResult, by: str, sums: SparkSums
) -> SparkJobResult:
    """A result of pairs as one of queries by group, in one table; as it is where none are paired.

    The last of its tables has them, behind a date if there is one.
    """
    if by == NO_GROUPS:
        return result
    table, frame = list(result.tables.items())[-1]
    *dates, _, _ = result.headings[table]
    headings = (*dates, by, QUERY, "count")
    schema = ", ".join([*(f"`{name}` string" for name in headings[:-1]), "count long"])
    split = partial(_split_batches, schema, headings)
    cells = map_in_arrow(frame.select(*("a", "b")[: len(dates) + 1], "n"), split, schema)
    return replace(
        result,
        tables={"cells": cells},
        rows={"cells": result.rows[table]},
        statement=state_pairs(result.statement, by, sums["groups"]),
        query_count=work.count_rows(cells.select(QUERY).distinct()),
        headings={"cells": headings},
    )


def _split_batches(
    schema: str, headings: Sequence[str], batches: Iterator[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        *dates, texts, count = batch.columns
        pairs = [split_pair(pair) for pair in texts.to_pylist()]
        both = [[pair[place] for pair in pairs] for place in range(2)]
        yield rows.make_batch(dict(zip(headings, [*dates, *both, count], strict=True)), schema)


def _count_rows(log: DistributedLog, sums: SparkSums) -> dict[str, int]:
    return {"rows": len(log) - sums["blank_rows"]} | count_blank_rows(sums)


# --- dated counts -------------------------------------------------------------------------------


def release_dated(work: SparkRunContext, params: DatedCountsParams) -> SparkJobResult:
    """Queries by day or week, and the sums of what is released of them."""

    def could_count(log: QueryLog) -> Bools:
        keep = ~log.queries.find_blank()[log.query]
        if keep.any():
            keep[keep] = dated_counts.find_first_parts(log.rows(keep), params)[2]
        return keep

    def count(_table: pa.Table, log: QueryLog) -> list[rows.Records]:
        cells = dated_counts.count_dated_cells(log, params, silent_progress())
        inside = dated_counts.is_within_window(cells.step, params)
        days = pa.array(find_first_days(cells.step[inside], params.step))
        queries = rows.take_strings(log.queries, cells.query[inside])
        figures = {
            "users": len(log.users), "units": cells.units, "within": len(log) - cells.rows_beyond
        }  # fmt: skip
        return [(rows.DATED, days, queries, cells.count[inside]), rows.make_totals(figures)]

    def noise(rng: SecureRandomness) -> limited_counts.Noise:
        return lambda counts: dated_counts.draw_cells(counts, params.budget, rng, silent_progress())

    work.stage("counting days")
    every = rows.scan(work.spark, work.splits, could_count, by=params.group_by)
    users = rows.by_user(every, work.parts)
    records = work.persist_frame(limited_counts.map_users(users, count))
    sums = sum_records(work, records)
    log = read_facts(work, records, sums)
    work.stage("drawing days")
    totals = limited_counts.add_counts(records, rows.DATED)
    drawn = work.draw_table(limited_counts.with_noise(totals, noise, work.folder), "dated")
    query_sums = drawn.frame.groupBy(F.col("b").alias("a")).agg(F.sum("n").alias("n"))
    queries = work.persist_frame(query_sums)
    released = work.count_rows(queries)
    changes = _count_rows(log, sums)
    changes |= {
        "rows_beyond_days": changes["rows"] - sums["within"],
        "cells": drawn.candidates,
        "cells_released": drawn.rows,
        "queries_released": released,
    }
    name = DATED.removesuffix(".tsv")
    result = SparkJobResult(
        {"queries": queries, name: drawn.frame},
        {"queries": released, name: drawn.rows},
        dated_counts.statement_of(params, sums["units"], secure=True),
        changes,
        log,
        released,
        headings=SHEETS | {name: (params.step, "query", "count")},
        units=sums["units"],
    )
    return _split_pairs(work, result, params.group_by, sums)


# --- set union ----------------------------------------------------------------------------------


def release_union(work: SparkRunContext, params: SetUnionParams) -> SparkJobResult:
    """The queries that any round finds, with noisy numbers of users."""
    derived = derive_noise(params)
    work.stage("limiting users")
    records = work.persist_frame(_list_queries(work, params, derived))
    sums = sum_records(work, records)
    log = read_facts(work, records, sums)
    changes = _count_rows(log, sums)
    if params.weighting != EVEN:
        check_size(sums["users"], changes["rows"])
    changes["rows_over_limit"] = changes["rows"] - sums["rows_within"]
    texts = records.where(F.col("kind") == rows.TEXT).select("a", "b", "n")
    lists = records.where(F.col("kind") == rows.ROW).select(
        F.col("a").alias("query"), F.col("b").alias("user"), F.col("n").alias("place")
    )
    weights = limited_counts.add_counts(records, rows.WEIGHT)
    every: DataFrame | None = None
    for number, ceiling in enumerate(derived.ceilings):
        work.stage("weighing queries")
        if every is not None:
            spread = _spread_lists(work, lists, params, derived)
            weights = limited_counts.add_counts(spread, rows.WEIGHT)
        if ceiling is not None:
            weights = work.persist_frame(weights)
            weights = _pass_on(work, lists, weights, params, derived, ceiling)
        drawn = work.draw_table(_draw_round(work, weights, derived, number), f"round{number + 1}")
        if number == 0:
            changes["queries_in_histories"] = drawn.candidates
        outcomes = drawn.frame.select(F.col("a").alias("query"), F.col("n").alias("found"))
        new = outcomes.where("found = 1").select("query")
        changes[f"queries_found_in_round_{number + 1}"] = work.count_rows(new)
        every = new if every is None else every.unionByName(new)
        if derived.screen is not None and number == 0:
            lists = lists.join(outcomes.where("found = 0").select("query"), "query", "left_semi")
        else:
            lists = lists.join(new, "query", "left_anti")
    assert every is not None

    def noise(rng: SecureRandomness) -> limited_counts.Noise:
        return lambda users: (
            np.arange(len(users)), derived.draw_counts(users, rng, silent_progress())
        )  # fmt: skip

    work.stage("drawing counts")
    chosen = texts.join(every.withColumnRenamed("query", "b"), "b", "left_semi")
    users = chosen.groupBy("a").agg(F.sum("n").alias("n"))
    released = work.draw_table(limited_counts.with_noise(users, noise, work.folder), "queries")
    return SparkJobResult(
        {"queries": released.frame},
        {"queries": released.rows},
        set_union.statement_of(params, derived, len(log.users), secure=True),
        changes | {"queries_released": released.rows},
        log,
        released.rows,
    )


def _list_queries(
    work: SparkRunContext, params: SetUnionParams, derived: SetUnionNoise
) -> DataFrame:
    """Users of each query and its weight in the first round, and everybody's list for others."""
    secret = secrets.token_bytes(32)
    limits = ContributionLimits(CountingUnit.USERS, params.q_f, 1)
    again = len(derived.ceilings) > 1 or derived.ceilings[0] is not None

    def contribute(_table: pa.Table, log: QueryLog) -> list[rows.Records]:
        limited = limit_users(log, limits, silent_progress())
        hashes = _hash_texts(secret, log.queries)
        codes = np.flatnonzero(limited.query_count)
        inside = np.flatnonzero(np.arange(len(log)) < limited.stops[log.user])
        weights = _weigh(log, params, derived, np.zeros(0))
        texts, users = rows.take_strings(log.queries, codes), limited.query_count[codes]
        parts: list[rows.Records] = [
            (rows.TEXT, texts, hashes.take(codes), users),
            (rows.WEIGHT, hashes.take(codes), None, weights[codes]),
            rows.make_totals({"users": len(log.users), "rows_within": len(inside)}),
        ]
        if again:
            first = inside[limited_counts.find_first_uses(log, inside)]
            names = rows.take_strings(log.users, log.user[first])
            parts.append((rows.ROW, hashes.take(log.query[first]), names, first))
        return parts

    frame = rows.scan(work.spark, work.splits, limited_counts.could_count(limits))
    return limited_counts.map_users(rows.by_user(frame, work.parts), contribute)


def _hash_texts(secret: bytes, texts: Vocabulary) -> pa.Array:
    digests = (
        hmac.digest(secret, text.encode("utf-8", "surrogatepass"), "sha256")
        for text in texts.list_strings()
    )
    return pa.array([digest[:16].hex() for digest in digests], pa.string())


def _weigh(
    log: QueryLog, params: SetUnionParams, derived: SetUnionNoise, excess: Float64s
) -> Int64s:
    """What users give each query of a block, or pass on of an `excess`; shape (queries,)."""
    limits = ContributionLimits(CountingUnit.USERS, params.q_f, 1)
    limited = limit_users(log, limits, silent_progress())
    total, closed = np.zeros(len(log.queries), np.int64), np.zeros(len(log.queries), np.uint8)
    spread_weights(log, limited, params.q_f, closed, excess, derived.grid, total, silent_progress())
    return total


def _spread_lists(
    work: SparkRunContext,
    lists: DataFrame,
    params: SetUnionParams,
    derived: SetUnionNoise,
    ceiling: int | None = None,
) -> DataFrame:
    """What lists of open queries give these, or pass on where their weight is `given`."""

    def spread(table: pa.Table, log: QueryLog) -> list[rows.Records]:
        excess = np.zeros(0)
        if ceiling is not None:
            totals = np.zeros(len(log.queries), np.int64)
            totals[log.query] = table["given"].fill_null(0).to_numpy()
            excess = find_excess(totals, ceiling)
        weights = _weigh(log, params, derived, excess)
        codes = np.flatnonzero(weights)
        texts = rows.take_strings(log.queries, codes)
        return [(rows.WEIGHT, texts, None, weights[codes])]

    frame = limited_counts.take_lists(lists, *(() if ceiling is None else ("given",)))
    return limited_counts.map_users(rows.by_user(frame, work.parts), spread)


def _pass_on(
    work: SparkRunContext,
    lists: DataFrame,
    weights: DataFrame,
    params: SetUnionParams,
    derived: SetUnionNoise,
    ceiling: int,
) -> DataFrame:
    """The weights once what stands above the ceiling was passed on."""
    above = weights.where(F.col("n") > ceiling).select(
        F.col("a").alias("query"), F.col("n").alias("given")
    )
    passed = _spread_lists(work, lists.join(above, "query", "left"), params, derived, ceiling)
    capped = weights.select("a", F.least("n", F.lit(ceiling)).alias("n"))
    both = capped.unionByName(passed.select("a", "n"))
    return both.groupBy("a").agg(F.sum("n").alias("n"))


def _draw_round(
    work: SparkRunContext, weights: DataFrame, derived: SetUnionNoise, number: int
) -> DataFrame:
    """What a round finds, as 1, and after a screening what stays open, as 0."""
    screened = derived.screen is not None and number == 0

    def noise(rng: SecureRandomness) -> limited_counts.Noise:
        def draw(counts: Int64s) -> tuple[Int64s, Int64s]:
            hits, closed = derived.draw_round(number, counts, rng, silent_progress())
            index = np.flatnonzero(hits | (closed == 0)) if screened else np.flatnonzero(hits)
            return index, hits[index].astype(np.int64)

        return draw

    return limited_counts.with_noise(weights, noise, work.folder)
