"""n-grams on Spark: the lengths one after the other, by the local engine's own kernels.

Everybody's different queries, in order, are listed once. For each length, distinct queries are cut
into n-grams of one word less, of which those that were released are marked; lists with marks go
through the local engine in blocks of whole users. What a length releases is drawn once and written,
and longer ones read that. Nothing else is written: all of it is released.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial, reduce

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from auditor.arrays import Bools, Int32s
from auditor.engine.backends.spark import limited_counts, rows
from auditor.engine.backends.spark.run_context import (
    SparkJobResult,
    SparkRunContext,
    count_blank_rows,
    read_facts,
    sum_records,
)
from auditor.engine.backends.spark.session import map_in_arrow
from auditor.log.model import QueryLog, Vocabulary
from auditor.log.text import tokenize_strings
from auditor.methods.n_grams import method
from auditor.methods.n_grams.method import Candidates, NGramsParams, WordSequences
from auditor.privacy.randomness import SecureRandomness
from auditor.privacy.release import NGRAMS
from auditor.progress import silent_progress

_RUNS = "query string, place int, a string"


def release_ngrams(work: SparkRunContext, params: NGramsParams) -> SparkJobResult:
    """The n-grams whose noisy weight reaches the threshold of their length."""
    derived = method.derive_noise(params)

    def noise(rng: SecureRandomness) -> limited_counts.Noise:
        return lambda weights: method.draw_weights(weights, derived, rng, silent_progress())

    work.stage("listing queries")
    every = rows.scan(work.spark, work.splits, _find_first)
    listed = limited_counts.map_users(rows.by_user(every, work.parts), _list_queries)
    records = work.persist_frame(listed)
    sums = sum_records(work, records)
    log = read_facts(work, records, sums)
    changes = {"rows": len(log) - sums["blank_rows"]} | count_blank_rows(sums)
    lists = records.where(F.col("kind") == rows.ROW).select(
        F.col("a").alias("query"), F.col("b").alias("user"), F.col("n").alias("place")
    )
    released: list[DataFrame] = []
    changes["ngrams_released"] = 0
    for length in range(1, params.longest + 1):
        work.stage(f"weighing n-grams of length {length}")
        more: tuple[str, ...] = ()
        if released:
            more = ("marks",)
            marked = _mark_lists(lists.drop("marks"), released[-1], length - 1)
            lists = work.persist_frame(marked)
        weigh = partial(_weigh_block, params.q_f, length)
        frame = rows.by_user(limited_counts.take_lists(lists, *more), work.parts)
        weights = limited_counts.add_counts(limited_counts.map_users(frame, weigh), rows.WEIGHT)
        noisy = limited_counts.with_noise(weights, noise, work.folder)
        drawn = work.draw_table(noisy, f"length{length}")
        released.append(drawn.frame.select("a", "n"))
        changes["ngrams_released"] += drawn.rows
        changes[f"candidates_of_length_{length}"] = drawn.candidates
        changes[f"released_of_length_{length}"] = drawn.rows
    every = reduce(DataFrame.unionByName, released)
    table = NGRAMS.removesuffix(".tsv")
    return SparkJobResult(
        {table: map_in_arrow(every, _round_weights, "a string, n long")},
        {table: changes["ngrams_released"]},
        method.build_statement(params, derived, len(log.users), True),
        changes,
        log,
        changes["ngrams_released"],
        headings={table: ("n-gram", "weight")},
    )


def _find_first(log: QueryLog) -> Bools:
    """The first rows of users with each of their queries."""
    first = np.zeros(len(log), dtype=np.bool_)
    first[limited_counts.find_first_uses(log, np.arange(len(log)))] = True
    return first


def _list_queries(_table: pa.Table, log: QueryLog) -> list[rows.Records]:
    """The different queries of each user, with where they stand in the history."""
    first = np.flatnonzero(_find_first(log))
    queries = rows.take_strings(log.queries, log.query[first])
    users = rows.take_strings(log.users, log.user[first])
    return [(rows.ROW, queries, users, first), rows.make_totals({"users": len(log.users)})]


def _mark_lists(lists: DataFrame, released: DataFrame, length: int) -> DataFrame:
    """Lists of the queries with `released` n-grams of a length, and where these begin."""
    queries = lists.select("query").distinct()
    runs = map_in_arrow(queries, partial(_cut_runs, length), _RUNS)
    marked = runs.join(released.select("a"), "a", "left_semi")
    marks = marked.groupBy("query").agg(F.collect_list("place").alias("marks"))
    return lists.join(marks, "query")


def _cut_runs(length: int, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The n-grams of a length in queries, with the place of the first word of each."""
    for batch in batches:
        tokens = tokenize_strings(Vocabulary.of_arrow(batch.column(0)), silent_progress())
        owners = tokens.find_owners()
        ends = tokens.offsets[owners + 1]
        starts = np.flatnonzero(np.arange(len(owners)) + length <= ends)
        words = rows.take_strings(tokens.vocabulary, tokens.codes)
        spans = [words.take(pa.array(starts + place)) for place in range(length)]
        for some in rows.iterate_batches(len(starts)):
            begin, owner = starts[some], owners[starts[some]]
            yield rows.make_batch({
                "query": batch.column(0).take(pa.array(owner)),
                "place": (begin - tokens.offsets[owner]).astype(np.int32),
                "a": pc.binary_join_element_wise(
                    *(span.slice(some.start, len(begin)) for span in spans), " "
                ),
            }, _RUNS)  # fmt: skip


def _weigh_block(most: int, length: int, table: pa.Table, log: QueryLog) -> list[rows.Records]:
    """What the users of a block give each candidate of a length."""
    quiet = silent_progress()
    source = WordSequences(log, quiet)
    candidates = source.list_words()
    for _ in range(2, length):
        candidates = source.lengthen(candidates, quiet)
    if length > 1:
        candidates = source.lengthen(_keep_marked(source, candidates, table), quiet)
    weights = source.weigh(candidates, most, quiet)
    indices = np.flatnonzero(weights)
    texts = pa.array(source.write_texts(candidates, indices), pa.string())
    return [(rows.WEIGHT, texts, None, weights[indices])]


def _keep_marked(source: WordSequences, candidates: Candidates, table: pa.Table) -> Candidates:
    """Those candidates that begin where a row's marks say."""
    log = source.log
    first = np.unique(log.query, return_index=True)[1]
    marks = table["marks"].combine_chunks().take(pa.array(first))
    owners = np.repeat(np.arange(len(first)), pc.list_value_length(marks).to_numpy())
    is_marked = np.zeros(len(source.words.codes), dtype=np.bool_)
    is_marked[source.words.offsets[owners] + marks.flatten().to_numpy()] = True
    codes: Int32s = np.where(is_marked[candidates.positions], candidates.codes, np.int32(-1))
    return Candidates(candidates.length, candidates.positions, codes, candidates.total)


def _round_weights(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        weights = method.round_weights(batch.column(1).to_numpy())
        yield batch.set_column(1, "n", pa.array(weights))
