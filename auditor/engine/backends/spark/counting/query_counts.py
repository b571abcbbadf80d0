"""How often queries were asked, without putting anybody's rows together.

Counts are of distinct (user, query, time) or (user, query), in two stages: each task drops its own
doubles before the shuffle and adds up its own counts before the next. A query that everybody issues
is one number a task, and a user with a million rows is spread by what they issued.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from auditor.engine.backends.spark import rows
from auditor.engine.backends.spark.run_context import SparkRunContext, SparkSums, sum_records
from auditor.engine.backends.spark.session import map_in_arrow
from auditor.log.model import QueryLog, Vocabulary
from auditor.log.out_of_core.splits import LogSplits
from auditor.log.text import TokenizedQueries, tokenize_strings
from auditor.measures import query_counts
from auditor.measures.frequencies import meaningful_tokens

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame

COUNTED = "a string, n long"
COLUMNS = ("a", "n", "users", "someone", "part")


@dataclass(frozen=True, eq=False)
class SparkQueryCounts:
    """Every distinct query `a` of a log with its count `n`, its `users` and one of them, `someone`.

    `users` is 0, and `someone` null, where they were not counted. `part` is that of the users, who
    are in parts at random where that is wanted; then a query has a row for each. `records` and
    `found` hold what `work.read_facts` wants.
    """

    queries: DataFrame
    records: DataFrame
    found: SparkSums


def count_queries(
    work: SparkRunContext,
    splits: LogSplits,
    unit: query_counts.Unit,
    *,
    users: bool = False,
    parts: int = 1,
) -> SparkQueryCounts:
    """Count the queries of a log; with `users`, in events, its users as well.

    `parts` is into how many parts of about equal size the users are put, at random.
    """
    from pyspark.sql import functions as F

    def keep(log: QueryLog) -> np.ndarray | None:
        return log.event_starts if unit != "rows" else None

    mine = F.col("kind") == rows.ROW
    text = F.when(~mine, F.col("url")).alias("url")
    time = F.col("time") if unit == "events" else F.when(~mine, F.col("time")).alias("time")
    every = rows.scan(work.spark, splits, keep).select("kind", "user", "query", text, time)
    drawn = F.pmod(F.xxhash64(F.lit(secrets.randbits(62)), "user"), F.lit(parts))
    every = every.withColumn("part", drawn if parts > 1 else F.lit(0).cast("long"))
    if unit != "rows":
        every = every.distinct()
    keys = ["kind", "query", "url", "part"]
    other = [F.when(~mine, F.col(name)).alias(name) for name in ("time", "user")]
    if users:
        some = every.groupBy(*keys, "user", other[0]).agg(F.count("*").alias("n"))
        asker = some.withColumn("asker", F.col("user"))
        counted = asker.groupBy(*keys, "time", other[1]).agg(
            F.sum("n").alias("n"), F.count("*").alias("users"), F.min("asker").alias("someone")
        )
    else:
        counted = every.groupBy(*keys, *other).agg(F.count("*").alias("n"))
        counted = counted.withColumn("users", F.lit(0).cast("long"))
        counted = counted.withColumn("someone", F.lit(None).cast("string"))
    records = work.persist_frame(
        counted.select(
            "kind",
            F.col("query").alias("a"),
            F.col("url").alias("b"),
            F.when(mine, F.col("n")).otherwise(F.col("time")).alias("n"),
            "users",
            "someone",
            "part",
        )
    )
    found = sum_records(work, records)
    return SparkQueryCounts(records.where(mine).select(*COLUMNS), records, found)


def count_words(queries: DataFrame, *, stop_words: bool) -> DataFrame:
    """Every distinct word `a` with its count `n`: that of its queries, once for each time in them.

    Words of queries that count 0 are there with 0.
    """
    from pyspark.sql import functions as F

    def split(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        for batch in batches:
            found = meaningful_tokens(tokens_of(batch.column(0)), stop_words)
            every = np.arange(len(found.vocabulary))
            yield pa.RecordBatch.from_arrays(
                [
                    rows.take_strings(found.vocabulary, every),
                    pa.array(found.count_occurrences(batch.column(1).to_numpy())),
                ],
                names=["a", "n"],
            )

    each = map_in_arrow(queries.select("a", "n"), split, COUNTED)
    return each.groupBy("a").agg(F.sum("n").alias("n"))


def tokens_of(queries: pa.Array) -> TokenizedQueries:
    """The tokens of distinct queries."""
    return tokenize_strings(Vocabulary.of_arrow(queries))
