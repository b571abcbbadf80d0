"""Cells that enough users are in, and counts of public keys, on Spark.

What is a cell is the rule's of the method. What a rule says of each row alone (whether it counts,
its keys, what it adds up) is found where rows are read, by the local functions. Then rows are pairs
of a cell and a user, cells are counts of these, and figures sums over rows and cells; a cell that
everybody is in is spread over all tasks.

**Public keys.** Lists, noise and what is made of noisy counts are the methods'. Rows are matched
with the lists where they are read, so only rows with a key are shuffled, and one row for each day
of a user. Noise is drawn once, where the counts are, and keys that nobody used have theirs: of
`counts`, which of all keys pass by noise alone is drawn apart, and a key that was used keeps its
own draw; of `relative_index`, each key has a draw, and noisy counts come to the driver, as many as
there are public keys.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial, reduce
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from pyspark.sql.window import Window

from auditor.arrays import Int64s, mark_run_starts
from auditor.engine.backends.spark import rows
from auditor.engine.backends.spark.run_context import (
    SparkJobResult,
    SparkRunContext,
    count_blank_rows,
    read_scan,
)
from auditor.engine.backends.spark.session import map_in_arrow
from auditor.engine.distributed_results import DistributedLog, DistributedTable
from auditor.errors import ParameterError
from auditor.log.model import NONE
from auditor.log.out_of_core.splits import LogSplit, SplitPiece
from auditor.methods.noisy_counts.period_units import DAY, number_periods
from auditor.methods.public_keys import counts, relative_index
from auditor.methods.public_keys.counts import DpPublicKeyCountsParams, PublicKeys, load_keys
from auditor.methods.public_keys.relative_index import DpRelativeIndexParams
from auditor.methods.threshold_cells.rule import RESULTS_SHOWN, CellFacts, CellRule, merge_queries
from auditor.privacy.randomness import SecureRandomness
from auditor.privacy.release import CELLS, QUERY, CellKey
from auditor.progress import silent_progress

_CODED = f"{rows.ROWS}, code long"
_FOLDS = {"sum": F.sum, "min": F.min, "max": F.max}


def release_cells(work: SparkRunContext, params: Any, rule: CellRule) -> SparkJobResult:
    """The cells that enough users are in, with their figures."""
    work.stage("reading rows")
    column_names = tuple(name for name in rows.list_beside(work.splits) if name in rule.reads)
    if RESULTS_SHOWN in column_names:
        raise ParameterError(
            "columns",
            "The Spark engine counts no views. Use `engine` local, or leave results_shown out.",
        )
    keys = rule.list_headings(column_names, params)
    texts = ["text", *(key for key in keys if key not in rows.NAMES)]
    schema = ", ".join([
        rows.ROWS,
        *(f"{name} string" for name in texts),
        *(f"{name} long" for name in rule.adds),
        "chosen boolean, votes boolean",
    ])  # fmt: skip
    read_cells = partial(_read_cells, rule, params, schema)
    all_rows = work.persist_frame(rows.scan_splits(work.spark, work.splits, read_cells, schema))
    log, sums = read_scan(work, all_rows)
    counted_rows = all_rows.where("chosen")
    if rule.frequent is not None:
        least = getattr(params, rule.frequent.least)
        frequent = [
            all_rows.where(F.col("votes") & F.col("time").between(start, stop - 1))
            .select(QUERY, "user").distinct().groupBy(QUERY).count()
            .where(F.col("count") >= least).select(QUERY)
            for start, stop in rule.frequent.list_windows(sums.period, params)
        ]  # fmt: skip
        counted_rows = (
            counted_rows.join(reduce(DataFrame.union, frequent), QUERY, "left_semi")
            if frequent
            else counted_rows.limit(0)
        )
    if rule.once:
        first = F.min_by(F.struct(*keys, *rule.adds), "place").alias("first")
        counted_rows = (
            counted_rows.groupBy("user", "text", "time").agg(first).select("user", "first.*")
        )
    work.stage("counting cells")
    aggregates = [F.sum(name).alias(name) for name in ("counted", *rule.adds)]
    pairs = counted_rows.withColumn("counted", F.lit(1)).groupBy(*keys, "user").agg(*aggregates)
    if column_names:
        pairs = work.persist_frame(pairs)
    cells = work.persist_frame(pairs.groupBy(*keys).agg(F.count("*").alias("users"), *aggregates))
    k = getattr(params, rule.least)
    passes = F.lit(False) if k is None else F.col("users") >= k
    total = work.sum_up(
        cells,
        cells=F.count("*"),
        released=F.count_if(passes),
        smallest=F.min(F.when(passes, F.col("users"))),
        rows=F.sum("counted"),
    )
    released = total["released"]
    frame = work.persist_frame(_show_cells(rule, cells, passes, keys))
    group = 0
    columns = [key for key in keys if key in column_names]
    if released and columns:
        shown_pairs = pairs.join(frame, keys, "left_semi").select(*columns, "user").distinct()
        group = work.sum_up(shown_pairs.groupBy(*columns).count(), least=F.min("count"))["least"]
    return SparkJobResult(
        [(DistributedTable(CELLS, tuple(frame.columns), released), frame)],
        rule.state_cells(
            params, CellFacts(column_names, total["cells"], released, total["smallest"], group)
        ),
        {
            "rows": len(log) - sums["blank_rows"],
            "rows_counted": total["rows"],
            "cells": total["cells"],
            "cells_released": released,
            **count_blank_rows(sums),
        },
        log,
        query_count=work.count_rows(frame.select(QUERY).distinct()),
    )


def _read_cells(
    rule: CellRule, params: Any, schema: str, split: LogSplit, piece: SplitPiece
) -> Iterator[pa.RecordBatch]:
    """One split's rows that count, or whose users do, with their keys and what they add up."""
    yield from rows.list_facts(split, piece, schema)
    log = piece.log.without_blank.keep_attributes(rule.reads)
    query = merge_queries(log)
    is_counted = rule.choose(log, query, params, silent_progress())
    votes = np.zeros_like(is_counted) if rule.frequent is None else rule.frequent.vote(log)
    is_needed = is_counted | votes
    block, keys = rule.build_keys(log, query, params, is_needed)
    place = np.flatnonzero(is_needed) + split.number * rows.PLACES
    added_values = {name: add(block) for name, add in rule.adds.items()}
    for part in rows.iterate_batches(len(block)):
        columns = {
            "kind": np.zeros(len(place[part]), dtype=np.int8),
            "user": rows.take_strings(block.users, block.user[part]),
            "time": block.time[part],
            "place": place[part],
            "text": rows.take_strings(block.queries, block.query[part]),
            "chosen": is_counted[is_needed][part],
            "votes": votes[is_needed][part],
        }
        for key in keys:
            columns[key.heading] = rows.take_strings(key.texts, key.codes[part]).fill_null("")
        columns |= {name: values[part] for name, values in added_values.items()}
        yield rows.make_batch(columns, schema)


def _show_cells(rule: CellRule, cells: DataFrame, passes: Any, keys: list[str]) -> DataFrame:
    """The cells that pass, with the figures that are released of them."""
    for group in rule.groups:
        shared = [key for key in keys if key not in group.excluded]
        passing_cells = cells.where(passes) if group.passing else cells
        values = {name: F.col(name) for name in cells.columns}
        folded = _FOLDS[group.kind](group.value(values)).alias(group.name)
        cells = passing_cells.join(passing_cells.groupBy(*shared).agg(folded), shared)
    figures = rule.show({name: np.zeros(0) for name in cells.columns})
    types = ("long" if figure.values.dtype.kind == "i" else "double" for figure in figures)
    schema = [f"{key} string" for key in keys]
    schema += [f"{figure.heading} {kind}" for figure, kind in zip(figures, types, strict=True)]

    def show(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            columns = dict(zip(batch.schema.names, batch.columns, strict=True))
            numbers = {n: column.to_numpy() for n, column in columns.items() if n not in keys}
            output = {figure.heading: figure.values for figure in rule.show(numbers)}
            yield rows.make_batch({key: columns[key] for key in keys} | output, ", ".join(schema))

    return map_in_arrow(cells.where(passes), show, ", ".join(schema))


# --- public keys --------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _UserDays:
    """Used keys with their counts, as `key` and `n`; the same of groups; facts of the log."""

    keys: DataFrame
    groups: DataFrame
    log: DistributedLog
    units: int
    changes: dict[str, int]


def release_counts(work: SparkRunContext, params: DpPublicKeyCountsParams) -> SparkJobResult:
    """The keys whose noisy count is above the threshold."""
    days, keys = _count_days(work, params, params.m, load_keys)
    work.stage("drawing noise")
    present = days.keys.select(F.col("key").cast("string").alias("a"), "n")
    noisy = work.draw_table(
        present, lambda n, *draws: counts.draw_used_keys(n, params, *draws), "used"
    )
    no_keys = np.zeros(0, dtype=np.int64)
    place, noise = counts.draw_empty_keys(
        keys.size, no_keys, params, SecureRandomness(), work.progress
    )
    empty_noise = work.read_table(pa.table({"key": place, "n": noise}), "alone")
    empty = work.persist_frame(empty_noise.join(days.keys, "key", "left_anti"))
    of_nobody = work.count_rows(empty)
    released = noisy.rows + of_nobody
    names = (DAY, *keys.groups.columns, *keys.items.columns, "count")
    schema = ", ".join([*(f"`{name}` string" for name in names[:-1]), "count long"])

    def name_keys(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            day, group, item = keys.split(batch.column(0).to_numpy())
            yield rows.make_batch(
                _take_texts(keys.build_keys(day, group, item)) | {"count": batch.column(1)}, schema
            )

    all_keys = noisy.frame.select(F.col("a").cast("long").alias("key"), "n").unionByName(empty)
    frame = work.persist_frame(map_in_arrow(all_keys, name_keys, schema))
    return SparkJobResult(
        [(DistributedTable(CELLS, names, released), frame)],
        counts.build_statement(params, keys, days.units, True),
        days.changes
        | {
            "cells": noisy.candidates,
            "cells_released": released,
            "cells_released_of_nobody": of_nobody,
        },
        days.log,
        query_count=work.count_rows(frame.select(QUERY).distinct()) if QUERY in names else 0,
        units=days.units,
    )


def release_index(work: SparkRunContext, params: DpRelativeIndexParams) -> SparkJobResult:
    """An index of what the noise leaves clear, made on the driver of noisy counts alone."""
    days, listed = _count_days(work, params, params.most_keys, relative_index.load_index_keys)
    keys = params.limit_keys(listed)
    noisy = _noise_all(work, days.keys, keys.size, params.compute_scale(keys), "noisy")
    users = None
    if keys.groups.users is None:
        size = keys.days * keys.groups.size
        users = _noise_all(work, days.groups, size, params.users_scale, "users")
    cells, factor = relative_index.build_index(noisy, users, params, keys)
    columns = _take_texts(cells.keys) | {figure.heading: figure.values for figure in cells.figures}
    query = cells.find_key(QUERY)
    frame = work.read_table(pa.table(columns), "cells")
    return SparkJobResult(
        [(DistributedTable(CELLS, cells.heading, len(cells)), frame)],
        relative_index.build_statement(params, keys, days.units, True, factor),
        days.changes
        | ({} if keys.days else {"rows_counted": 0})
        | {
            "cells": work.count_rows(days.keys.where(F.col("key") < keys.size)),
            "cells_released": len(cells),
        },
        days.log,
        query_count=0 if query is None else len(query.texts),
        units=days.units,
    )


def _count_days(
    work: SparkRunContext, params: Any, m: int, load: Callable[..., PublicKeys]
) -> tuple[_UserDays, PublicKeys]:
    """By how many user-days each key was used, and each group was shown first."""
    work.stage("finding keys")
    read_days = partial(_read_days, load(params, None, work.progress))
    all_rows = work.persist_frame(rows.scan_splits(work.spark, work.splits, read_days, _CODED))
    log, sums = read_scan(work, all_rows)
    keys = load(params, sums.period, work.progress)
    work.stage("counting keys")
    moment = F.struct("time", "place", "code")
    dated = all_rows.withColumn("day", F.floor(F.col("time") / 86_400) - keys.first)
    units = work.persist_frame(
        dated.where(F.col("kind") == rows.UNIT)
        .groupBy("user", "day")
        .agg(F.min(F.when(F.col("code") != NONE, moment)).alias("first"))
    )
    matches, of_log = dated.where(F.col("kind") == rows.ROW), units
    if params.days is not None:
        active = F.row_number().over(Window.partitionBy("user").orderBy("day"))
        units = units.withColumn("active", active).where(F.col("active") <= params.days)
        matches = matches.join(units.select("user", "day"), ["user", "day"], "left_semi")
    is_within = F.col("day").between(0, keys.days - 1)
    matches = work.persist_frame(matches.where(is_within))
    earliest = matches.groupBy("user", "day", "code").agg(F.min(moment).alias("first"))
    order = F.row_number().over(Window.partitionBy("user", "day").orderBy("first"))
    limited = earliest.withColumn("order", order).where(F.col("order") <= m)
    code = F.col("first.code")
    used_keys = work.persist_frame(
        _add_keys(limited, F.col("day") * (keys.groups.size * keys.items.size) + code)
    )
    pair, size = F.col("key") % (keys.items.size * keys.groups.size), keys.items.size
    items, groups = (
        work.count_rows(used_keys.select(part).distinct())
        for part in (pair % size, F.floor(pair / size))
    )
    changes = {"rows": len(log) - sums["blank_rows"], "rows_counted": work.count_rows(matches)}
    changes |= keys.count_idle(items, groups)
    return _UserDays(
        used_keys,
        _add_keys(
            units.where(is_within & code.isNotNull()), F.col("day") * keys.groups.size + code
        ),
        log,
        work.count_rows(of_log),
        changes | count_blank_rows(sums),
    ), keys


def _add_keys(frame: DataFrame, key: Any) -> DataFrame:
    return frame.groupBy(key.alias("key")).agg(F.count("*").alias("n"))


def _read_days(keys: PublicKeys, split: LogSplit, piece: SplitPiece) -> Iterator[pa.RecordBatch]:
    """One split's rows with a key, and of each user's day the first row that shows a group."""
    yield from rows.list_facts(split, piece, _CODED)
    log = piece.log.without_blank
    if not len(log):
        return
    unit, group = number_periods(log, DAY), keys.groups.match_rows(log)
    begins, hits = np.flatnonzero(mark_run_starts(unit)), np.flatnonzero(group != NONE)
    if len(hits):
        hits = hits[mark_run_starts(unit[hits])]
    without_hit = begins[~np.isin(unit[begins], unit[hits])]
    code = keys.number_pairs(log)
    for kind, unit_numbers, codes in (
        (rows.ROW, np.flatnonzero(code != NONE), code),
        (rows.UNIT, np.concatenate([hits, without_hit]), group),
    ):
        for batch in rows.iterate_batches(len(unit_numbers)):
            part = unit_numbers[batch]
            columns = {
                "kind": np.full(len(part), kind, dtype=np.int8),
                "user": rows.take_strings(log.users, log.user[part]),
                "time": log.time[part],
                "place": part + split.number * rows.PLACES,
                "code": codes[part],
            }
            yield rows.make_batch(columns, _CODED)


def _noise_all(
    work: SparkRunContext, frame: DataFrame, size: int, scale: float, name: str
) -> Int64s:
    """Noisy counts of all keys; neither the driver nor a task can tell which were used."""
    work.stage("drawing noise")
    key_range = work.spark.range(0, size, 1, work.parts).withColumnRenamed("id", "key")
    all_keys = key_range.join(frame, "key", "left").fillna(0, "n")

    def draw(count: Int64s, *draws: Any) -> tuple[Int64s, Int64s]:
        return np.arange(len(count)), relative_index.noise_keys(count, scale, *draws)

    work.draw_table(all_keys.select(F.col("key").cast("string").alias("a"), "n"), draw, name)
    table = pq.read_table(work.folder / name, filters=pc.field("kind") == rows.ROW)
    noisy = np.zeros(size, dtype=np.int64)
    noisy[pc.cast(table["a"], pa.int64()).to_numpy()] = table["n"].to_numpy()
    return noisy


def _take_texts(keys: tuple[CellKey, ...]) -> dict[str, Any]:
    return {key.heading: rows.take_strings(key.texts, key.codes) for key in keys}
