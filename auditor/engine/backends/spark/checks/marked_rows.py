"""Rows of a log with what is known of their queries, without a join of all rows.

A join by query would bring all rows of a query that everybody asks to one task. Here each split
says once which queries it has; what is known of them goes back to the split, which is read again.
So a hot query is one row a split, and only marked queries travel as text.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from auditor.arrays import Array, Bools, Int32s, Int64s
from auditor.engine.backends.spark import rows
from auditor.engine.backends.spark.session import map_in_arrow
from auditor.errors import LogFormatError
from auditor.log.model import NONE, QueryLog, Vocabulary
from auditor.log.out_of_core.splits import LogSplit, LogSplits, SplitPiece, read_split

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

ROWS = (
    "kind byte, user string, time long, place long, query string, bits long, users long, "
    "survives boolean"
)
NAMES = [column.split()[0] for column in ROWS.split(", ")]
_FLAGS = "split long, code long, query string, bits long, users long, survives boolean"
_COLUMNS = [column.split()[0] for column in _FLAGS.split(", ")]


def by_user(spark: SparkSession, splits: LogSplits, marks: DataFrame) -> DataFrame:
    """All rows by user and time, in the columns of `ROWS`; `query` is null where it isn't marked.

    `marks` has the columns query, bits, users and survives, one row a marked query.
    """
    from pyspark.sql import functions as F

    listed = rows.scan_splits(spark, splits, _iterate_queries).select("query", "time", "place")
    flags = (
        listed.join(marks, "query")
        .select(F.col("time").alias("split"), F.col("place").alias("code"), *_COLUMNS[2:])
    )  # fmt: skip
    # Splits without a marked query are read, too.
    every = spark.range(0, len(splits.pieces)).select(
        F.col("id").alias("split"), F.lit(-1).cast("long").alias("code"),
        F.lit(None).cast("string").alias("query"), F.lit(0).cast("long").alias("bits"),
        F.lit(0).cast("long").alias("users"), F.lit(False).alias("survives"),
    )  # fmt: skip
    together = flags.unionByName(every).repartition(len(splits.pieces), "split")
    marked = map_in_arrow(together.sortWithinPartitions("split"), _make_reader(splits), ROWS)
    parts = rows.choose_partitions(spark, splits)
    return marked.repartition(parts, "user").sortWithinPartitions("user", "time", "place")


def _iterate_queries(split: LogSplit, piece: SplitPiece) -> Iterator[pa.RecordBatch]:
    """A split's distinct queries, its number as their time and their code as their place."""
    import pyarrow as pa

    every = np.arange(len(piece.log.queries))
    for start in range(0, len(every), 1 << 16):
        codes = every[start : start + (1 << 16)]
        size = len(codes)
        known = {
            "time": pa.array(np.full(size, split.number)),
            "place": pa.array(codes),
            "query": rows.take_strings(piece.log.queries, codes),
            "kind": pa.array(np.full(size, rows.TEXT, dtype=np.int8)),
            "rank": pa.nulls(size, pa.int16()),
            "ip": pa.nulls(size, pa.int64()),
        }
        nulls = pa.nulls(size, pa.string())
        columns = [known.get(name, nulls) for name in rows.NAMES]
        yield pa.RecordBatch.from_arrays(columns, names=rows.NAMES)


def _make_reader(splits: LogSplits) -> Any:
    """Reads splits again, with the flags that come for each, in the order of splits."""

    def read(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        held: list[pa.RecordBatch] = []
        for batch in batches:
            numbers = batch.column(0).to_numpy()
            cuts = [0, *(np.flatnonzero(np.diff(numbers)) + 1).tolist(), len(numbers)]
            for start, stop in itertools.pairwise(cuts):
                if stop == start:
                    continue
                if held and held[-1].column(0)[0].as_py() != int(numbers[start]):
                    yield from _read_flagged_split(pa.Table.from_batches(held))
                    held = []
                held.append(batch.slice(start, stop - start))
        if held:
            yield from _read_flagged_split(pa.Table.from_batches(held))

    def _read_flagged_split(flags: pa.Table) -> Iterator[pa.RecordBatch]:
        split = splits.pieces[int(flags["split"][0].as_py())]
        log = read_split(splits, split).log
        code = flags["code"].to_numpy()
        if int(code.max(initial=NONE)) >= len(log.queries):
            raise LogFormatError("changed while it was read.", path=split.part.path)
        real = code >= 0
        known = {
            name: np.zeros(len(log.queries), dtype=kind)
            for name, kind in (("bits", np.int64), ("users", np.int64), ("survives", np.bool_))
        }
        for name, values in known.items():
            values[code[real]] = flags[name].to_numpy()[real]
        marked = np.zeros(len(log.queries), dtype=np.bool_)
        marked[code[real]] = True
        shown = np.flatnonzero(~log.queries.find_blank()[log.query])
        for start in range(0, len(shown), 1 << 16):
            some = shown[start : start + (1 << 16)]
            query = log.query[some]
            yield _make_batch(log, some, query, marked, known, split.number)

    return read


def _make_batch(
    log: QueryLog, some: Int64s, query: Int32s, marked: Bools, known: dict[str, Array], number: int
) -> pa.RecordBatch:
    """Some rows of a split in the columns of `ROWS`."""
    import pyarrow as pa

    return pa.RecordBatch.from_arrays(
        [
            pa.array(np.zeros(len(some), dtype=np.int8)),
            rows.take_strings(log.users, log.user[some]),
            pa.array(log.time[some]),
            pa.array(some + number * rows.PLACES),
            rows.take_strings(log.queries, np.where(marked[query], query, NONE)),
            *(pa.array(known[name][query]) for name in ("bits", "users", "survives")),
        ],
        names=NAMES,
    )


def log_of(table: pa.Table) -> tuple[QueryLog, dict[str, Array]]:
    """A block of rows as a log whose last query stands for all unmarked ones, and its marks."""
    user, users = rows.encode_strings(table["user"])
    query, queries = rows.encode_strings(table["query"])
    unmarked = len(queries)
    query = np.where(query == NONE, unmarked, query).astype(np.int32)
    log = QueryLog(
        user=user,
        query=query,
        time=table["time"].to_numpy(),
        url=np.full(len(user), NONE, dtype=np.int32),
        rank=np.full(len(user), NONE, dtype=np.int16),
        users=users,
        queries=Vocabulary(queries.data, np.append(queries.offsets, queries.offsets[-1])),
        urls=Vocabulary.of(()),
    )
    marks: dict[str, Array] = {}
    for name, kind in (("bits", np.uint64), ("users", np.int32), ("survives", np.bool_)):
        marks[name] = np.zeros(unmarked + 1, dtype=kind)
        marks[name][query] = table[name].to_numpy().astype(kind)
        marks[name][unmarked] = 0
    return log, marks
