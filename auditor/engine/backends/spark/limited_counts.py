"""Counts of limited users on Spark: the same walks as on one machine, a block of users at a time.

A user's part is limited where all of their rows stand together, in order, so which of their
queries, clicks and transitions count is what `methods.histograms` says, to the row. Only then are
counts added up: within a task first, then across tasks, so a query that everybody asks is some
thousand small numbers in the shuffle and no task gets all of its rows.

A split hands on no more of a user than could count: rows up to the one that brings unit number
q_f + 1 *of the split*, that row included. A unit of the split is one of the history, so the row
at which the whole history is cut is never behind it; and it must come along, since without it
rows of other splits would not be cut. So a user with a million rows costs about what others do.
(Not where queries rarer than τ are dropped first: then all rows count for who is rare.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from auditor.arrays import Bools, Int64s
from auditor.engine.backends.spark import rows
from auditor.engine.backends.spark.session import check_folder, map_in_arrow, put_up
from auditor.log.model import QueryLog
from auditor.methods.noisy_counts.histograms import (
    ContributionLimits,
    CountingUnit,
    click_pairs,
    limit_users,
    transition_pairs,
    unit_counts,
)
from auditor.privacy.randomness import SecureRandomness
from auditor.progress import silent_progress

Noise = Callable[[Int64s, SecureRandomness], tuple[Int64s, Int64s]]
"""From counts to the positions that are released and their noisy counts."""


def could_count(limits: ContributionLimits) -> rows.Step:
    """The rows of a split that could be in a limited history, or cut it."""

    def keep(log: QueryLog) -> Bools:
        stops = limit_users(log, limits, silent_progress()).stops
        return np.arange(len(log)) <= stops[log.user]

    return keep


def count_contributions(
    limits: ContributionLimits, clicks: bool, transitions: bool, table: pa.Table, log: QueryLog
) -> list[rows.Records]:
    """What a block of users contributes: counts, and figures to be added up.

    A column `often` of the table says whether a row's query has `tau` units at least.
    """
    units = None
    if "often" in table.column_names:  # stands in for the counts of the whole log
        units = np.zeros(len(log.queries), dtype=np.int32)
        units[log.query[table["often"].fill_null(False).to_numpy()]] = limits.tau
    limited = limit_users(log, limits, silent_progress(), units=units)
    every = np.arange(len(log.queries), dtype=np.int32)
    codes = np.flatnonzero(limited.query_count)
    rare = limited.dropped[log.query] if len(limited.dropped) else np.zeros(len(log), np.uint8)
    inside = np.arange(len(log)) < limited.stops[log.user]
    totals = {
        "users": len(log.users),
        "rows_within": int(np.count_nonzero(inside)),
        "rows_rare": int(np.count_nonzero(rare)),
        "rows_rare_within": int(np.count_nonzero(rare[inside])),
    }
    parts: list[rows.Records] = [
        (rows.QUERY, rows.take_strings(log.queries, codes), None, limited.query_count[codes])
    ]
    for kind, is_counted, count_pairs, seconds in (
        (rows.CLICK, clicks, click_pairs, log.urls),
        (rows.STEP, transitions, transition_pairs, log.queries),
    ):
        if is_counted:
            pairs = count_pairs(log, limited, every, silent_progress())
            first = rows.take_strings(log.queries, pairs.first)
            parts.append((kind, first, rows.take_strings(seconds, pairs.second), pairs.count))
            if kind == rows.CLICK:
                totals["clicks_taken"] = pairs.taken
    return [*parts, rows.make_totals(totals)]


def find_first_uses(log: QueryLog, some: Int64s) -> Int64s:
    """Which of `some` rows are the first of a user's with their query, by user and query."""
    pairs = log.user[some].astype(np.int64) * len(log.queries) + log.query[some]
    first: Int64s = np.unique(pairs, return_index=True)[1]
    return first


def find_lists(records: DataFrame) -> DataFrame:
    """Lists of users' queries among records, each with its `place`."""
    names = {"a": "query", "b": "user", "n": "place"}
    return records.where(F.col("kind") == rows.ROW).drop("kind").withColumnsRenamed(names)


def take_lists(lists: DataFrame, *more: str) -> DataFrame:
    """Lists of users' queries, in the order of a `place`, as rows of a log, with some columns."""
    nothing = {"kind": F.lit(rows.ROW).cast("byte"), "rank": F.lit(-1).cast("short")}
    nothing |= {name: F.lit(None).cast("string") for name in ("url", "cookie")}
    nothing |= {"time": F.col("place"), "ip": F.lit(None).cast("long")}
    return lists.withColumns(nothing).select(*rows.NAMES, *more)


def count_units(unit: CountingUnit, _table: pa.Table, log: QueryLog) -> list[rows.Records]:
    """The units of every query of a block of users."""
    units = unit_counts(log, unit, silent_progress())
    every = rows.take_strings(log.queries, np.arange(len(log.queries)))
    return [(rows.UNIT, every, None, units), rows.make_totals({"users": len(log.users)})]


def add_counts(records: DataFrame, kind: int) -> DataFrame:
    """Counts of one kind added up, over tasks that have added up their own."""
    keys = ("a",) if kind in (rows.QUERY, rows.UNIT, rows.WEIGHT) else ("a", "b")
    return records.where(F.col("kind") == kind).groupBy(*keys).agg(F.sum("n").alias("n"))


def with_noise(frame: DataFrame, noise: Noise, folder: Path) -> DataFrame:
    """Released counts, drawn where the counts are, from that machine's own secure randomness.

    Every run of a task draws anew. So what this gives must be written, and read from there, and a
    machine that doesn't see the `folder` to which it is written draws nothing. Each
    task adds a row of the kind `rows.DONE`: how many counts it saw, and how many of them were 1.
    """
    pair = "b" in frame.columns
    place = put_up(folder)

    def draw(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        check_folder(place)
        rng, total, single = SecureRandomness(), 0, 0
        for batch in batches:
            counts = batch.column(2).to_numpy()
            total += len(counts)
            single += int(np.count_nonzero(counts == 1))
            index, noisy = noise(counts, rng)
            first, second = batch.column(0).take(index), batch.column(1).take(index)
            yield from rows.make_records([(rows.ROW, first, second, noisy)])
        yield from rows.make_records([rows.make_totals({"seen": total, "single": single})])

    second = F.col("b") if pair else F.lit(None).cast("string").alias("b")
    return map_in_arrow(frame.select("a", second, "n"), draw, rows.RECORDS)
