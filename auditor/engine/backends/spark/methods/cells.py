"""Cells that enough users are in, on Spark: what is a cell is the rule's of the method.

What a rule says of each row alone (whether it counts, its keys, what it adds up) is found where
rows are read, by the local functions. Then rows are pairs of a cell and a user, cells are counts of
these, and figures sums over rows and cells; a cell that everybody is in is spread over all tasks.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial, reduce
from typing import Any

import numpy as np
import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from auditor.engine.backends.spark import rows
from auditor.engine.backends.spark.run_context import (
    SparkJobResult,
    SparkRunContext,
    count_blank_rows,
    read_scan,
)
from auditor.engine.backends.spark.session import map_in_arrow
from auditor.errors import ParameterError
from auditor.log.out_of_core.splits import LogSplit, SplitPiece
from auditor.methods.threshold_cells.rule import RESULTS_SHOWN, CellFacts, CellRule, merge_queries
from auditor.privacy.release import QUERY
from auditor.progress import silent_progress

_FOLDS = {"sum": F.sum, "min": F.min, "max": F.max}


def release_cells(work: SparkRunContext, params: Any, rule: CellRule) -> SparkJobResult:
    """The cells that enough users are in, with their figures."""
    work.stage("reading rows")
    beside = tuple(name for name in rows.list_beside(work.splits) if name in rule.reads)
    if RESULTS_SHOWN in beside:
        raise ParameterError(
            "columns",
            "The Spark engine counts no views. Use `engine` local, or leave results_shown out.",
        )
    keys = rule.list_headings(beside, params)
    texts = ["text", *(key for key in keys if key not in rows.NAMES)]
    schema = ", ".join([
        rows.ROWS,
        *(f"{name} string" for name in texts),
        *(f"{name} long" for name in rule.adds),
        "chosen boolean, votes boolean",
    ])  # fmt: skip
    read = partial(_read_cells, rule, params, schema)
    every = work.persist_frame(rows.scan_splits(work.spark, work.splits, read, schema))
    log, sums = read_scan(work, every)
    chosen = every.where("chosen")
    if rule.frequent is not None:
        least = getattr(params, rule.frequent.least)
        often = [
            every.where(F.col("votes") & F.col("time").between(start, stop - 1))
            .select(QUERY, "user").distinct().groupBy(QUERY).count()
            .where(F.col("count") >= least).select(QUERY)
            for start, stop in rule.frequent.list_windows(sums.period, params)
        ]  # fmt: skip
        chosen = (
            chosen.join(reduce(DataFrame.union, often), QUERY, "left_semi")
            if often
            else chosen.limit(0)
        )
    if rule.once:
        first = F.min_by(F.struct(*keys, *rule.adds), "place").alias("first")
        chosen = chosen.groupBy("user", "text", "time").agg(first).select("user", "first.*")
    work.stage("counting cells")
    aggregates = [F.sum(name).alias(name) for name in ("counted", *rule.adds)]
    pairs = chosen.withColumn("counted", F.lit(1)).groupBy(*keys, "user").agg(*aggregates)
    if beside:
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
    columns = [key for key in keys if key in beside]
    if released and columns:
        inside = pairs.join(frame, keys, "left_semi").select(*columns, "user").distinct()
        group = work.sum_up(inside.groupBy(*columns).count(), least=F.min("count"))["least"]
    return SparkJobResult(
        {"cells": frame},
        {"cells": released},
        rule.state_cells(
            params, CellFacts(beside, total["cells"], released, total["smallest"], group)
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
        headings={"cells": tuple(frame.columns)},
    )


def _read_cells(
    rule: CellRule, params: Any, schema: str, split: LogSplit, piece: SplitPiece
) -> Iterator[pa.RecordBatch]:
    """One split's rows that count, or whose users do, with their keys and what they add up."""
    yield from rows.list_facts(split, piece, schema)
    log = piece.log.without_blank.keep_attributes(rule.reads)
    query = merge_queries(log)
    chosen = rule.choose(log, query, params, silent_progress())
    votes = np.zeros_like(chosen) if rule.frequent is None else rule.frequent.vote(log)
    some = chosen | votes
    block, keys = rule.build_keys(log, query, params, some)
    place = np.flatnonzero(some) + split.number * rows.PLACES
    added = {name: add(block) for name, add in rule.adds.items()}
    for part in rows.iterate_batches(len(block)):
        columns = {
            "kind": np.zeros(len(place[part]), dtype=np.int8),
            "user": rows.take_strings(block.users, block.user[part]),
            "time": block.time[part],
            "place": place[part],
            "text": rows.take_strings(block.queries, block.query[part]),
            "chosen": chosen[some][part],
            "votes": votes[some][part],
        }
        for key in keys:
            columns[key.heading] = rows.take_strings(key.texts, key.codes[part]).fill_null("")
        columns |= {name: values[part] for name, values in added.items()}
        yield rows.make_batch(columns, schema)


def _show_cells(rule: CellRule, cells: DataFrame, passes: Any, keys: list[str]) -> DataFrame:
    """The cells that pass, with the figures that are released of them."""
    for group in rule.groups:
        shared = [key for key in keys if key not in group.without]
        some = cells.where(passes) if group.passing else cells
        values = {name: F.col(name) for name in cells.columns}
        folded = _FOLDS[group.kind](group.value(values)).alias(group.name)
        cells = some.join(some.groupBy(*shared).agg(folded), shared)
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
