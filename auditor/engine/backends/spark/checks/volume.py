"""How much of a log is left in a release, counted on Spark; the measure is `volume`'s own.

The log's searches, clicks and steps are counted by blocks of users and added up by string; the
release is read by the executors as they read the log, and joined. A user of many rows is counted
a block at a time. Exact.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from auditor.engine.backends.spark import rows
from auditor.engine.backends.spark.checks.release_folder import SparkRelease
from auditor.engine.backends.spark.counting import limited_counts
from auditor.engine.backends.spark.job import METHODS as SPARK_METHODS
from auditor.engine.backends.spark.run_context import (
    SparkRunContext,
    SparkSums,
    read_facts,
    sum_records,
)
from auditor.engine.backends.spark.session import map_in_arrow
from auditor.engine.distributed_results import DistributedLog
from auditor.log.model import NONE, QueryLog
from auditor.log.out_of_core.splits import LogSplits
from auditor.measures import query_counts, volume
from auditor.measures.base import MeasureResult
from auditor.measures.kept_events import KeptEvents
from auditor.progress import silent_progress

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame


def measure_volume(
    work: SparkRunContext, released: SparkRelease
) -> tuple[MeasureResult, DistributedLog]:
    """The measure, and the figures of the log."""
    records, found = _count_log(work, work.splits)
    work.stage("looking for queries")
    others = None
    if released.splits is None:
        table = released.read_table(work, "queries", "query")
    else:
        others, theirs = _count_log(work, released.splits)
        table = limited_counts.add_counts(others, rows.QUERY)
    queries = _match_sums(work, records, rows.QUERY, table)
    log = read_facts(work, records, found, query_count=queries["distinct"])
    amounts = volume.of_queries(
        queries["whole"], queries["kept"], queries["distinct"], queries["known"], queries["rows"]
    )
    new = [volume.invented_share("queries", "released queries", queries["rows"], queries["known"])]
    if others is not None:
        whole = volume.VolumeSizes(len(log), queries["whole"], len(log.users), log.clicks)
        left = volume.VolumeSizes(
            theirs["rows"], queries["count"], theirs["users"], theirs["clicks"]
        )
        # What Spark's own methods release of a log are rows of it; of others nobody counted them.
        counts = None
        if released.release.method in SPARK_METHODS:
            counts = KeptEvents(
                (whole.events, left.events, left.events),
                (whole.rows, left.rows, left.rows),
                (whole.clicks, left.clicks, left.clicks),
            )
        amounts += volume.of_log(whole, left, counts)
        return volume.build_result(volume.VolumeParams(), amounts, new, ()), log
    new.append(
        volume.invented_share(
            "count", "released query counts", queries["count"], queries["known_count"]
        )
    )
    if released.has_table("clicks"):
        table = released.read_table(work, "clicks", "query", "url")
        pairs = _match_sums(work, records, rows.CLICK, table)
        amounts.append(volume.of_clicks(log.clicks, pairs["kept"], pairs["rows"]))
        new.append(
            volume.invented_share("clicks", "released click pairs", pairs["rows"], pairs["known"])
        )
    if released.has_table("transitions"):
        table = released.read_table(work, "transitions", "from", "to")
        pairs = _match_sums(work, records, rows.STEP, table)
        amounts.append(volume.of_transitions(pairs["whole"], pairs["kept"], pairs["rows"]))
        new.append(
            volume.invented_share(
                "transitions", "released transitions", pairs["rows"], pairs["known"]
            )
        )
    notes = volume.counted_in(released.release)
    return volume.build_result(volume.VolumeParams(), amounts, new, notes), log


def count_log(work: SparkRunContext) -> DistributedLog:
    """The figures of a log: rows, users, distinct queries and pages, clicks, refused rows."""
    from pyspark.sql import functions as F

    records, found = _count_log(work, work.splits)
    queries = records.where(F.col("kind") == rows.QUERY).select("a").distinct()
    pages = records.where(F.col("kind") == rows.CLICK).select("b").distinct()
    return read_facts(
        work, records, found, query_count=work.count_rows(queries), url_count=work.count_rows(pages)
    )


def _count_log(work: SparkRunContext, splits: LogSplits) -> tuple[DataFrame, SparkSums]:
    """Searches, clicks and steps of a log as records, and its figures."""
    work.stage("counting searches")
    users = rows.by_user(rows.scan(work.spark, splits), rows.choose_partitions(work.spark, splits))
    records = work.persist_frame(map_in_arrow(users, _count_blocks, rows.RECORDS))
    return records, sum_records(work, records)


def _count_blocks(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Searches of each query, clicks of each pair, and steps, of blocks of users.

    A block may go on with the user of the one before, later: the step between them counts, and
    they don't a second time.
    """
    before: tuple[str, str] | None = None
    for table in rows.iterate_users(batches, apart=0):
        if not rows.is_log(table):
            yield from rows.passed_on(table)
            continue
        log = rows.log_of(table)
        events = query_counts.query_counts(log, "events", silent_progress())
        every = rows.take_strings(log.queries, np.arange(len(log.queries)))
        clicked = log.url != NONE
        steps = list(volume.iterate_adjacent(log, silent_progress()))
        first = np.concatenate([np.zeros(0, np.int32), *(pair[0] for pair in steps)])
        second = np.concatenate([np.zeros(0, np.int32), *(pair[1] for pair in steps)])
        begins = log.users[int(log.user[0])], log.queries[int(log.query[0])]
        goes_on = before is not None and before[0] == begins[0]
        yield from rows.make_records([
            (rows.QUERY, every, None, events),
            _count_pairs(rows.CLICK, log, log.query[clicked], log.url[clicked], log.urls),
            _count_pairs(rows.STEP, log, first, second, log.queries),
            *([_make_step(before[1], begins[1])]
              if before and goes_on and before != begins else []),
            rows.make_totals({"users": len(log.users) - int(goes_on)}),
        ])  # fmt: skip
        before = log.users[int(log.user[-1])], log.queries[int(log.query[-1])]


def _make_step(first: str, second: str) -> rows.Records:
    import pyarrow as pa

    return rows.STEP, pa.array([first]), pa.array([second]), np.ones(1, dtype=np.int64)


def _count_pairs(kind: int, log: QueryLog, first: Any, second: Any, words: Any) -> rows.Records:
    width = max(len(words), 1)
    keys, count = np.unique(first.astype(np.int64) * width + second, return_counts=True)
    names = rows.take_strings(log.queries, keys // width), rows.take_strings(words, keys % width)
    return kind, *names, count


def _match_sums(
    work: SparkRunContext, records: DataFrame, kind: int, table: DataFrame
) -> dict[str, int]:
    """Sums over what the log has of that kind, over the released rows, and over what both have."""
    from pyspark.sql import functions as F

    names = ["a"] if kind == rows.QUERY else ["a", "b"]
    mine = limited_counts.add_counts(records, kind).withColumnRenamed("n", "whole")
    theirs = table.select(*names, F.col("n").alias("count"))
    if kind == rows.QUERY:  # blank queries are missing values, and have no searches
        mine = mine.where(F.col("whole") > 0)
        theirs = theirs.where(F.trim(F.col("a")) != "")
    both = mine.join(theirs, names, "full")
    here, there = F.col("whole").isNotNull(), F.col("count").isNotNull()
    printed = F.greatest(F.col("count"), F.lit(0))
    frame = both.agg(
        F.sum("whole").alias("whole"),
        F.sum(F.when(there, F.col("whole"))).alias("kept"),
        F.count("whole").alias("distinct"),
        F.count("count").alias("rows"),
        F.sum((here & there).cast("long")).alias("known"),
        F.sum(printed).alias("count"),
        F.sum(F.when(here, printed)).alias("known_count"),
    )
    return {
        name: int(value or 0) for name, value in work.collect_rows(frame, 1)[0].asDict().items()
    }
