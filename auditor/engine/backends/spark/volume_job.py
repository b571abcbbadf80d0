"""How much of a log is left in released tables, counted on Spark; the measure is `volume`'s own.

The log's searches, clicks and steps are counted by blocks of users and added up by string; the
release's tables are read by the executors as they read the log, and joined. Exact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from auditor.engine.backends.spark import counts, rows
from auditor.engine.backends.spark.session import mapped
from auditor.engine.backends.spark.work import Work, read_facts, sums
from auditor.engine.spread import SpreadLog
from auditor.log.model import NONE, QueryLog
from auditor.measures import counting, volume
from auditor.measures.base import MeasureResult
from auditor.privacy.release import Anonymized
from auditor.progress import silent

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame

Reader = Callable[[Path, tuple[str, ...]], "pa.Table"]
"""Reads one of a release's tables: columns a, b (or null) and n."""


def take(
    work: Work, release: Anonymized, folder: Path, read: Reader
) -> tuple[MeasureResult, SpreadLog]:
    """The measure, and the figures of the log."""
    work.stage("counting searches")
    users = rows.by_user(rows.scan(work.spark, work.splits), work.parts)
    records = work.kept(mapped(users, _count, rows.RECORDS))
    found = sums(work, records)
    work.stage("looking for queries")
    queries = _matched(work, records, rows.QUERY, read, folder / "queries.tsv", ("query",))
    log = read_facts(work, records, found, query_count=queries["distinct"])
    amounts = volume.of_queries(
        queries["whole"], queries["kept"], queries["distinct"], queries["known"], queries["rows"]
    )
    new = [
        volume.invented("queries", "released queries", queries["rows"], queries["known"]),
        volume.invented("count", "released query counts", queries["count"], queries["known_count"]),
    ]
    if (folder / "clicks.tsv").is_file():
        pairs = _matched(work, records, rows.CLICK, read, folder / "clicks.tsv", ("query", "url"))
        amounts.append(volume.of_clicks(log.clicks, pairs["kept"], pairs["rows"]))
        new.append(volume.invented("clicks", "released click pairs", pairs["rows"], pairs["known"]))
    if (folder / "transitions.tsv").is_file():
        pairs = _matched(work, records, rows.STEP, read, folder / "transitions.tsv", ("from", "to"))
        amounts.append(volume.of_transitions(pairs["whole"], pairs["kept"], pairs["rows"]))
        new.append(
            volume.invented("transitions", "released transitions", pairs["rows"], pairs["known"])
        )
    notes = volume.counted_in(release)
    return volume.result(volume.VolumeParams(), amounts, new, notes), log


def statistics(work: Work) -> SpreadLog:
    """The figures of a log: rows, users, distinct queries and pages, clicks, refused rows."""
    from pyspark.sql import functions as F

    work.stage("counting")
    users = rows.by_user(rows.scan(work.spark, work.splits), work.parts)
    records = work.kept(mapped(users, _count, rows.RECORDS))
    found = sums(work, records)
    queries = records.where(F.col("kind") == rows.QUERY).select("a").distinct()
    pages = records.where(F.col("kind") == rows.CLICK).select("b").distinct()
    return read_facts(
        work, records, found, query_count=work.count(queries), url_count=work.count(pages)
    )


def _count(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Searches of each query, clicks of each pair, and steps, of blocks of whole users."""
    for table in rows.users(batches):
        if not rows.is_log(table):
            yield from rows.passed_on(table)
            continue
        log = rows.log_of(table)
        events = counting.query_counts(log, "events", silent())
        every = rows.taken(log.queries, np.arange(len(log.queries)))
        clicked = log.url != NONE
        steps = list(volume.adjacent(log, silent()))
        first = np.concatenate([np.zeros(0, np.int32), *(pair[0] for pair in steps)])
        second = np.concatenate([np.zeros(0, np.int32), *(pair[1] for pair in steps)])
        yield from rows.records([
            (rows.QUERY, every, None, events),
            _pairs(rows.CLICK, log, log.query[clicked], log.url[clicked], log.urls),
            _pairs(rows.STEP, log, first, second, log.queries),
            rows.figures({"users": len(log.users)}),
        ])  # fmt: skip


def _pairs(kind: int, log: QueryLog, first: Any, second: Any, words: Any) -> rows.Records:
    width = max(len(words), 1)
    keys, count = np.unique(first.astype(np.int64) * width + second, return_counts=True)
    names = rows.taken(log.queries, keys // width), rows.taken(words, keys % width)
    return kind, *names, count


def _matched(
    work: Work,
    records: DataFrame,
    kind: int,
    read: Reader,
    path: Path,
    keys: tuple[str, ...],
) -> dict[str, int]:
    """Sums over what the log has of that kind, over the released rows, and over what both have."""
    from pyspark.sql import functions as F

    names = ("a", "b")[: len(keys)]
    mine = counts.added(records, kind).withColumnRenamed("n", "whole")
    theirs = _table(work, read, path, keys).select(*names, F.col("n").alias("count"))
    both = mine.join(theirs, list(names), "full")
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
    return {name: int(value or 0) for name, value in work.few(frame, 1)[0].asDict().items()}


def _table(work: Work, read: Reader, path: Path, keys: tuple[str, ...]) -> DataFrame:
    def load(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            if len(batch):
                yield from read(path, keys).to_batches(max_chunksize=1 << 16)

    one = work.spark.range(0, 1, 1, 1)
    return mapped(one, load, "a string, b string, n long").repartition(work.parts)
