"""Numbered sessions on Spark.

Which sessions of a user are dropped, and what is left of their times, follows from that user's rows
and a factor that the driver draws: blocks of whole users go through the local functions. Numbers of
words, pages, hosts and users are ranks under keyed hashes, whose keys are forgotten.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import numpy as np
import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from auditor.engine.backends.spark import rows
from auditor.engine.backends.spark.methods.logs import (
    build_log_result,
    count_unique_users,
    rank_users,
    released_figures,
    renumber_users,
)
from auditor.engine.backends.spark.methods.records import read_counted_log
from auditor.engine.backends.spark.run_context import SparkJobResult, SparkRunContext
from auditor.engine.backends.spark.session import map_in_arrow
from auditor.log.model import Vocabulary
from auditor.log.text import tokenize_strings
from auditor.log.user_distance.features import host_name
from auditor.log.writing import tsv_heading
from auditor.methods import numbered_sessions
from auditor.methods.numbered_sessions import NumberedFacts, NumberedSessionsParams
from auditor.privacy.randomness import SecureRandomness
from auditor.progress import silent_progress

_ROWS = f"{rows.ROWS}, exact long"
_WORDS = "query string, place int, word string, n long"
_DAY = 86_400


def release_numbered(work: SparkRunContext, params: NumberedSessionsParams) -> SparkJobResult:
    """Rows of sessions without the most frequent queries, all words and pages as numbers."""
    every = work.persist_frame(rows.scan(work.spark, work.splits))
    raw = every.where(F.col("kind") == rows.ROW)
    log, changes = read_counted_log(work, every, raw)
    work.stage("cutting sessions")
    factor = numbered_sessions.draw_factor(params, SecureRandomness())
    flagged = raw.withColumn("frequent", F.lit(False))
    if params.top_queries is not None:
        top = _find_top(work, _count_searches(raw, "time"), params.top_queries)
        marks = top.withColumn("frequent", F.lit(True))
        flagged = raw.join(marks, "query", "left").select(*rows.NAMES, "frequent")
    hide = partial(_hide_sessions, params, factor)
    frame = work.persist_frame(map_in_arrow(rows.by_user(flagged, work.parts), hide, _ROWS))
    figures = released_figures(work, frame, ())
    for name, count in (("queries", figures["queries"]), ("users", figures["users"])):
        changes[f"{name}_dropped"] -= count
    changes["rows_dropped"] = changes["rows"] - figures["rows"]
    work.stage("numbering words")
    searches = _count_searches(frame, "exact")
    words = work.persist_frame(map_in_arrow(searches, _split_words, _WORDS))
    often = work.persist_frame(words.groupBy("word").agg(F.sum("n").alias("n")))
    changes["tokens_numbered"] = work.count_rows(often)
    changes["clicks_changed"] = work.count_rows(frame.where(F.col("url").isNotNull()))
    facts = NumberedFacts(
        rows=figures["rows"],
        users=figures["users"],
        pages=figures["urls"],
        words=changes["tokens_numbered"],
        alone=work.count_rows(often.groupBy("n").count().where(F.col("count") == 1)),
        unique=count_unique_users(work, frame),
    )
    start = 0
    if params.clock != "kept":
        start = work.collect_rows(frame.agg(F.min(F.floor(F.col("time") / _DAY))), 1)[0][0] or 0
    queries = words.join(_number_texts(work, often, "word"), "word").groupBy("query").agg(
        F.sort_array(F.collect_list(F.struct("place", "number"))).alias("words")
    )  # fmt: skip
    tokens = F.transform("words", lambda word: F.concat(F.lit("t"), word["number"]))
    queries = queries.select("query", F.array_join(tokens, " ").alias("text"))
    numbered = (
        renumber_users(work, frame.withColumn("owner", F.col("user")))
        .join(queries, "query")
        .join(_number_pages(work, frame), "url", "left")
        .withColumns({
            "query": F.col("text"), "url": F.col("page"), "time": F.col("time") - start * _DAY
        })
    )  # fmt: skip
    numbered = work.persist_frame(numbered)
    result = build_log_result(
        numbered.orderBy("number", "time", "place").select(*rows.NAMES),
        released_figures(work, numbered, ("query", "url")),
        tsv_heading(False, ip=False, cookie=False),
        numbered_sessions.state_numbers(params, facts),
        changes,
        log,
    )
    return replace(result, owners=numbered)


def _count_searches(frame: DataFrame, time: str) -> DataFrame:
    events = frame.select("user", "query", time).distinct()
    return events.groupBy("query").agg(F.count("*").alias("n"))


def _find_top(work: SparkRunContext, searches: DataFrame, top: int) -> DataFrame:
    """The `top` most frequent queries, and those as frequent as the last."""
    often = work.persist_frame(searches)
    least = often.orderBy(F.desc("n")).limit(top).agg(F.min("n"))
    return often.where(F.col("n") >= (work.collect_rows(least, 1)[0][0] or 0)).select("query")


def _hide_sessions(
    params: NumberedSessionsParams, factor: float, batches: Iterator[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    """Rows of the sessions that are kept, with hidden times beside the exact ones."""
    for table in rows.iterate_users(batches):
        log = rows.log_of(table)
        frequent = np.zeros(len(log.queries), dtype=np.bool_)
        frequent[log.query[table["frequent"].fill_null(False).to_numpy()]] = True
        places = np.flatnonzero(numbered_sessions.find_sessions_without(log, params, frequent))
        selection = log.rows(places)
        time = numbered_sessions.hide_clock(selection, params, factor)
        for some in rows.iterate_batches(len(selection)):
            batch = rows.batch_of(selection, np.arange(len(selection))[some])
            columns = dict(zip(batch.schema.names, batch.columns, strict=True))
            columns |= {"time": time[some], "exact": selection.time[some]}
            columns |= {"place": table["place"].take(places[some]).combine_chunks()}
            yield rows.make_batch(columns, _ROWS)


def _split_words(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The words of queries, with how many searches each of these has."""
    for batch in batches:
        tokens = tokenize_strings(Vocabulary.of_arrow(batch.column(0)), silent_progress())
        owners = tokens.find_owners()
        columns = {
            "query": batch.column(0).take(pa.array(owners)),
            "place": (np.arange(len(owners)) - tokens.offsets[owners]).astype(np.int32),
            "word": rows.take_strings(tokens.vocabulary, tokens.codes),
            "n": batch.column(1).take(pa.array(owners)),
        }
        yield rows.make_batch(columns, _WORDS)


def _number_texts(work: SparkRunContext, frame: DataFrame, column: str) -> DataFrame:
    """A number from 0 for each distinct text of a column, in a random order."""
    texts = frame.select(F.col(column).alias("user")).distinct()
    number = (F.col("number") - 1).cast("string").alias("number")
    return rank_users(work, texts).select(F.col("user").alias(column), number)


def _number_pages(work: SparkRunContext, frame: DataFrame) -> DataFrame:
    """What stands in the place of each page: the number of its host, and its own."""

    def find_hosts(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            urls = batch.column(0)
            hosts = pa.array([host_name(url) for url in urls.to_pylist()], pa.string())
            yield pa.RecordBatch.from_arrays([urls, hosts], names=["url", "host"])

    urls = frame.where(F.col("url").isNotNull()).select("url").distinct()
    pages = work.persist_frame(map_in_arrow(urls, find_hosts, "url string, host string"))
    hosts = _number_texts(work, pages, "host").withColumnRenamed("number", "at")
    page = F.concat(F.lit("d"), "at", F.lit("/u"), "number").alias("page")
    numbered = pages.join(hosts, "host").join(_number_texts(work, pages, "url"), "url")
    return numbered.select("url", page)
