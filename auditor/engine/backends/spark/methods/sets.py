"""Methods that release which queries, or n-grams of them, enough users issued, on Spark.

Dated counts, set union and n-grams have no counting plan: what they draw and
what they state are functions of their own, which both engines call. Which rows of a user count,
only that user's rows decide, so that sums over blocks of whole users are those of the whole log.

**Rounds of set union.** Whoever was limited leaves a list of their first q_f queries. Each later
round takes the lists without what is closed, by the local engine's own kernel. Which queries a
round finds, or leaves open, is drawn once and written, and later rounds read that: a lost machine
draws none of it again. Some of what a screening leaves open is never released. So lists, weights
and what is written hold 128 bits of a keyed hash in a query's place, whose key the driver draws and
forgets; any two of 10¹⁰ queries share one with a chance of 2 × 10⁻¹⁹.

**Lengths of n-grams.** Everybody's different queries, in order, are listed once. For each length,
distinct queries are cut into n-grams of one word less, of which those that were released are
marked; lists with marks go through the local engine in blocks of whole users. What a length
releases is drawn once and written, and longer ones read that: all of it is released.
"""

import secrets
from collections.abc import Iterator
from dataclasses import replace
from functools import partial, reduce
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from auditor.arrays import Bools, Float64s, Int32s, Int64s
from auditor.engine.backends.spark import rows
from auditor.engine.backends.spark.methods import tables
from auditor.engine.backends.spark.run_context import (
    SparkJobResult,
    SparkRunContext,
    SparkSums,
    count_blank_rows,
    read_facts,
)
from auditor.engine.backends.spark.session import map_in_arrow
from auditor.engine.distributed_results import DistributedLog, DistributedTable
from auditor.log.model import QueryLog, Vocabulary
from auditor.log.text import tokenize_strings
from auditor.methods import dated_counts
from auditor.methods.dated_counts import DatedCountsParams
from auditor.methods.n_grams import method as n_grams
from auditor.methods.n_grams.method import NGramsParams, WordSequences
from auditor.methods.noisy_counts.histograms import limit_users
from auditor.methods.noisy_counts.period_units import find_first_days
from auditor.methods.set_union import method as set_union
from auditor.methods.set_union.method import (
    EVEN,
    SetUnionNoise,
    SetUnionParams,
    check_size,
    derive_noise,
    find_excess,
    spread_weights,
)
from auditor.privacy.release import DATED, NGRAMS, QUERIES, QUERY
from auditor.progress import silent_progress


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
        is_inside = dated_counts.is_within_window(cells.step, params)
        days = pa.array(find_first_days(cells.step[is_inside], params.step))
        queries = rows.take_strings(log.queries, cells.query[is_inside])
        figures = {
            "users": len(log.users), "units": cells.units, "within": len(log) - cells.rows_beyond
        }  # fmt: skip
        return [(rows.DATED, days, queries, cells.count[is_inside]), rows.make_totals(figures)]

    work.stage("counting days")
    all_rows = rows.scan(work.spark, work.splits, could_count, by=params.group_by)
    records, sums = work.count_users(all_rows, count)
    log = read_facts(work, records, sums)
    work.stage("drawing days")
    noisy_table = work.draw_table(
        tables.add_counts(records, rows.DATED),
        lambda n, *draws: dated_counts.draw_cells(n, params.budget, *draws),
        "dated",
    )
    query_sums = noisy_table.frame.groupBy(F.col("b").alias("a")).agg(F.sum("n").alias("n"))
    queries = work.persist_frame(query_sums)
    released = work.count_rows(queries)
    changes = _count_rows(log, sums)
    changes |= {
        "rows_beyond_days": changes["rows"] - sums["within"],
        "cells": noisy_table.candidates,
        "cells_released": noisy_table.rows,
        "queries_released": released,
    }
    result = SparkJobResult(
        [
            (DistributedTable(QUERIES, (QUERY, "count"), released), queries),
            noisy_table.as_sheet(DATED, params.step, QUERY),
        ],
        dated_counts.statement_of(params, sums["units"], secure=True),
        changes,
        log,
        released,
        units=sums["units"],
    )
    return tables.split_pairs(work, result, params.group_by, sums)


# --- set union ----------------------------------------------------------------------------------


def release_union(work: SparkRunContext, params: SetUnionParams) -> SparkJobResult:
    """The queries that any round finds, with noisy numbers of users."""
    derived = derive_noise(params)
    work.stage("limiting users")
    could_count = tables.could_count(params.limits)
    all_rows = rows.scan(work.spark, work.splits, could_count, by=params.group_by)
    list_queries = partial(_list_weighed, secrets.token_bytes(32), params, derived)
    records, sums = work.count_users(all_rows, list_queries)
    log = read_facts(work, records, sums)
    changes = _count_rows(log, sums)
    if params.weighting != EVEN:
        check_size(sums["users"], changes["rows"])
    changes["rows_over_limit"] = changes["rows"] - sums["rows_within"]
    texts = records.where(F.col("kind") == rows.TEXT).select("a", "b", "n")
    lists = tables.find_lists(records)
    weights = tables.add_counts(records, rows.WEIGHT)
    outcome_frames: list[DataFrame] = []
    for number, ceiling in enumerate(derived.ceilings):
        work.stage("weighing queries")
        if outcome_frames:
            spread = _spread_lists(work, lists, params, derived)
            weights = tables.add_counts(spread, rows.WEIGHT)
        if ceiling is not None:
            weights = work.persist_frame(weights)
            weights = _pass_on(work, lists, weights, params, derived, ceiling)
        noisy_table = work.draw_table(
            weights, partial(_draw_round, derived, number), f"round{number + 1}"
        )
        if number == 0:
            changes["queries_in_histories"] = noisy_table.candidates
        outcomes = noisy_table.frame.select(F.col("a").alias("query"), F.col("n").alias("found"))
        new = outcomes.where("found = 1").select("query")
        changes[f"queries_found_in_round_{number + 1}"] = work.count_rows(new)
        outcome_frames.append(new)
        if derived.screen is not None and number == 0:
            lists = lists.join(outcomes.where("found = 0").select("query"), "query", "left_semi")
        else:
            lists = lists.join(new, "query", "left_anti")

    work.stage("drawing counts")
    of_all_rounds = reduce(DataFrame.unionByName, outcome_frames).withColumnRenamed("query", "b")
    released_texts = texts.join(of_all_rounds, "b", "left_semi")
    released = work.draw_table(
        released_texts.groupBy("a").agg(F.sum("n").alias("n")),
        lambda users, *draws: (np.arange(len(users)), derived.draw_counts(users, *draws)),
        "queries",
    )
    result = SparkJobResult(
        [released.as_sheet(QUERIES, QUERY)],
        set_union.statement_of(params, derived, len(log.users), secure=True),
        changes | {"queries_released": released.rows},
        log,
        released.rows,
    )
    return tables.split_pairs(work, result, params.group_by, sums)


def _list_weighed(
    secret: bytes, params: SetUnionParams, derived: SetUnionNoise, _table: pa.Table, log: QueryLog
) -> list[rows.Records]:
    """Users of each query and its weight in the first round, and everybody's list for others."""
    limited = limit_users(log, params.limits, silent_progress())
    digests = rows.hash_texts(secret, log.queries.list_strings())
    hashes = pa.array([digest[:16].hex() for digest in digests], pa.string())
    codes = np.flatnonzero(limited.query_count)
    limited_rows = np.flatnonzero(np.arange(len(log)) < limited.stops[log.user])
    weights = _weigh(log, params, derived, np.zeros(0))
    texts, users = rows.take_strings(log.queries, codes), limited.query_count[codes]
    parts: list[rows.Records] = [
        (rows.TEXT, texts, hashes.take(codes), users),
        (rows.WEIGHT, hashes.take(codes), None, weights[codes]),
        rows.make_totals({"users": len(log.users), "rows_within": len(limited_rows)}),
    ]
    if len(derived.ceilings) > 1 or derived.ceilings[0] is not None:
        first = limited_rows[tables.find_first_uses(log, limited_rows)]
        names = rows.take_strings(log.users, log.user[first])
        parts.append((rows.ROW, hashes.take(log.query[first]), names, first))
    return parts


def _weigh(
    log: QueryLog, params: SetUnionParams, derived: SetUnionNoise, excess: Float64s
) -> Int64s:
    """What users give each query of a block, or pass on of an `excess`; shape (queries,)."""
    limited = limit_users(log, params.limits, silent_progress())
    total, is_closed = np.zeros(len(log.queries), np.int64), np.zeros(len(log.queries), np.uint8)
    spread_weights(
        log, limited, params.q_f, is_closed, excess, derived.grid, total, silent_progress()
    )
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

    frame = tables.take_lists(lists, *(() if ceiling is None else ("given",)))
    return rows.map_users(frame, work.parts, spread)


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
    derived: SetUnionNoise, number: int, counts: Int64s, *draws: Any
) -> tuple[Int64s, Int64s]:
    """What a round finds, as 1, and after a screening what stays open, as 0."""
    hits, is_closed = derived.draw_round(number, counts, *draws)
    screened = derived.screen is not None and number == 0
    index = np.flatnonzero(hits | (is_closed == 0)) if screened else np.flatnonzero(hits)
    return index, hits[index].astype(np.int64)


# --- n-grams ------------------------------------------------------------------------------------


def release_ngrams(work: SparkRunContext, params: NGramsParams) -> SparkJobResult:
    """The n-grams whose noisy weight reaches the threshold of their length."""
    derived = n_grams.derive_noise(params)
    work.stage("listing queries")
    records, sums = work.count_users(
        rows.scan(work.spark, work.splits, _find_first), _list_different
    )
    log = read_facts(work, records, sums)
    changes = _count_rows(log, sums) | {"ngrams_released": 0}
    lists = tables.find_lists(records)
    released: list[DataFrame] = []
    for length in range(1, params.longest + 1):
        work.stage(f"weighing n-grams of length {length}")
        extra_columns: tuple[str, ...] = ()
        if released:
            extra_columns = ("marks",)
            marked = _mark_lists(lists.drop("marks"), released[-1], length - 1)
            lists = work.persist_frame(marked)
        weigh = partial(_weigh_ngrams, params.q_f, length)
        weighed = rows.map_users(tables.take_lists(lists, *extra_columns), work.parts, weigh)
        weights = tables.add_counts(weighed, rows.WEIGHT)
        noisy_table = work.draw_table(
            weights, lambda n, *draws: n_grams.draw_weights(n, derived, *draws), f"length{length}"
        )
        released.append(noisy_table.frame.select("a", "n"))
        changes["ngrams_released"] += noisy_table.rows
        changes[f"candidates_of_length_{length}"] = noisy_table.candidates
        changes[f"released_of_length_{length}"] = noisy_table.rows

    def round_weights(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            weights = n_grams.round_weights(batch.column(1).to_numpy())
            yield batch.set_column(1, "n", pa.array(weights))

    all_ngrams = reduce(DataFrame.unionByName, released)
    sheet = DistributedTable(NGRAMS, ("n-gram", "weight"), changes["ngrams_released"])
    return SparkJobResult(
        [(sheet, map_in_arrow(all_ngrams, round_weights, "a string, n long"))],
        n_grams.build_statement(params, derived, len(log.users), True),
        changes,
        log,
        changes["ngrams_released"],
    )


def _find_first(log: QueryLog) -> Bools:
    """The first rows of users with each of their queries."""
    first = np.zeros(len(log), dtype=np.bool_)
    first[tables.find_first_uses(log, np.arange(len(log)))] = True
    return first


def _list_different(_table: pa.Table, log: QueryLog) -> list[rows.Records]:
    """The different queries of each user, with where they stand in the history."""
    first = np.flatnonzero(_find_first(log))
    queries = rows.take_strings(log.queries, log.query[first])
    users = rows.take_strings(log.users, log.user[first])
    return [(rows.ROW, queries, users, first), rows.make_totals({"users": len(log.users)})]


def _mark_lists(lists: DataFrame, released: DataFrame, length: int) -> DataFrame:
    """Lists of the queries with `released` n-grams of a length, and where these begin."""
    schema = "query string, place int, a string"

    def cut(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """The n-grams of queries, with the place of the first word of each."""
        for batch in batches:
            tokens = tokenize_strings(Vocabulary.of_arrow(batch.column(0)), silent_progress())
            owners = tokens.find_owners()
            ends = tokens.offsets[owners + 1]
            starts = np.flatnonzero(np.arange(len(owners)) + length <= ends)
            words = rows.take_strings(tokens.vocabulary, tokens.codes)
            spans = [words.take(pa.array(starts + place)) for place in range(length)]
            for block in rows.iterate_batches(len(starts)):
                begin, owner = starts[block], owners[starts[block]]
                parts = (span.slice(block.start, len(begin)) for span in spans)
                columns = {
                    "query": batch.column(0).take(pa.array(owner)),
                    "place": (begin - tokens.offsets[owner]).astype(np.int32),
                    "a": pc.binary_join_element_wise(*parts, " "),
                }
                yield rows.make_batch(columns, schema)

    runs = map_in_arrow(lists.select("query").distinct(), cut, schema)
    marked = runs.join(released.select("a"), "a", "left_semi")
    marks = marked.groupBy("query").agg(F.collect_list("place").alias("marks"))
    return lists.join(marks, "query")


def _weigh_ngrams(
    item_limit: int, length: int, table: pa.Table, log: QueryLog
) -> list[rows.Records]:
    """What the users of a block give each candidate of a length."""
    progress = silent_progress()
    source = WordSequences(log, progress)
    candidates = source.list_words()
    for _ in range(2, length):
        candidates = source.lengthen(candidates, progress)
    if length > 1:
        first = np.unique(source.log.query, return_index=True)[1]
        marks = table["marks"].combine_chunks().take(pa.array(first))
        owners = np.repeat(np.arange(len(first)), pc.list_value_length(marks).to_numpy())
        is_marked = np.zeros(len(source.words.codes), dtype=np.bool_)
        is_marked[source.words.offsets[owners] + marks.flatten().to_numpy()] = True
        codes: Int32s = np.where(is_marked[candidates.positions], candidates.codes, np.int32(-1))
        candidates = source.lengthen(replace(candidates, codes=codes), progress)
    weights = source.weigh(candidates, item_limit, progress)
    indices = np.flatnonzero(weights)
    texts = pa.array(source.write_texts(candidates, indices), pa.string())
    return [(rows.WEIGHT, texts, None, weights[indices])]
