"""Columns beside a log that are released with its rows, on Spark: the rules of `released_columns`.

Each step takes values away, from a row or, where an id links a user's rows, from all of a user's.
How many users show the same is counted over all tasks between two steps; values only vanish.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from auditor.engine.backends.spark import rows
from auditor.engine.backends.spark.run_context import SparkRunContext
from auditor.methods.released_columns import ShownValues

_FOUND = ("number", "holders", "apparent", "group_rare", "cell_rare")


def list_released(work: SparkRunContext, params: Any) -> tuple[str, ...]:
    """The columns that are released: all or none."""
    return rows.list_beside(work.splits) if params.columns == "keep" else ()


def suppress_rare_values(
    work: SparkRunContext, kept: DataFrame, names: Sequence[str], params: Any, linked: bool
) -> tuple[DataFrame, ShownValues]:
    """The rows without rare values, and what they show; `linked` says that ids link rows."""
    work.stage("suppressing rare columns")
    order = _order_columns(work, kept, names, params, linked)
    held = _count_values(work, kept, names)
    while True:
        found = work.persist_frame(_count_users(kept, names, params, linked))
        facts = _sum_up(work, found)
        if facts["group_rare"]:
            kept = _take_one(found, order, F.col("group_rare"), linked)
        elif facts["cell_rare"] and linked:
            kept = _take_all(found, names, F.col("cell_rare"))
        elif facts["cell_rare"]:
            kept = _take_one(found, order, F.col("cell_rare"), linked)
        elif facts["bare"] and facts["fewest"] and facts["bare"] < params.group:
            smallest = F.col("apparent") & (F.col("number") == facts["smallest"])
            kept = _take_all(found, names, smallest)
        else:
            break
        kept = work.cut_frame(kept)
    left = _count_values(work, kept, names)
    columns = tuple(name for name in names if left[name])
    values = sum(left.values())
    return kept, ShownValues(columns, values, sum(held.values()) - values, facts["least"])


def _count_values(work: SparkRunContext, kept: DataFrame, names: Sequence[str]) -> dict[str, int]:
    counts = [F.count(_column(name)) for name in names]
    return dict(zip(names, map(int, work.collect_rows(kept.agg(*counts), 1)[0]), strict=True))


def _order_columns(
    work: SparkRunContext, kept: DataFrame, names: Sequence[str], params: Any, linked: bool
) -> list[str]:
    """The columns in the order in which they go: see `released_columns`."""
    ranks: list[tuple[int, int, str]] = []
    for name in names if len(names) > 1 else ():
        without = kept.withColumn(name, F.lit(None).cast("string"))
        found = _count_users(without, names, params, linked)
        rare = work.count_rows(found.where(F.col("group_rare") | F.col("cell_rare")))
        texts = kept.where(_column(name).isNotNull()).select(_column(name)).distinct()
        ranks.append((rare, -work.count_rows(texts), name))
    return [name for *_, name in sorted(ranks)] or list(names)


def _count_users(kept: DataFrame, names: Sequence[str], params: Any, linked: bool) -> DataFrame:
    """The rows with how many users show what they or their users show, and what of it is rare.

    What is shown has a `number`; `apparent` says whether it is anything.
    """
    texts = [
        F.coalesce(F.concat(F.length(one).cast("string"), F.lit(":"), one), F.lit("-"))
        for one in map(_column, names)
    ]
    shown = F.coalesce(*map(_column, names)).isNotNull()
    frame = kept.withColumns({"combination": F.concat(*texts), "shown": shown})
    cells = frame.select("combination", "query", "user").distinct()
    cells = cells.groupBy("combination", "query").agg(F.count("*").alias("cell"))
    frame = frame.join(cells, ["combination", "query"])
    if linked:
        sets = frame.where("shown").select("user", "combination").distinct()
        joined = F.array_join(F.sort_array(F.collect_list("combination")), " ")
        sets = sets.groupBy("user").agg(F.sha2(joined, 256).alias("number"))
        users = frame.select("user").distinct().join(sets, "user", "left")
        users = users.withColumn("apparent", F.col("number").isNotNull())
        users = users.withColumn("number", F.coalesce("number", F.lit("")))
        sizes = users.groupBy("number").agg(F.count("*").alias("holders"))
        frame = frame.join(users.join(sizes, "number"), "user")
    else:
        frame = frame.withColumns({"number": F.col("combination"), "apparent": F.col("shown")})
        pairs = frame.select("number", "user").distinct()
        frame = frame.join(pairs.groupBy("number").agg(F.count("*").alias("holders")), "number")
    rare = {
        "group_rare": F.col("apparent") & (F.col("holders") < params.group),
        "cell_rare": F.col("shown") & (F.col("cell") < params.cell),
    }
    return frame.withColumns(rare).select(*map(_column, kept.columns), *_FOUND)


def _sum_up(work: SparkRunContext, found: DataFrame) -> dict[str, Any]:
    """Whether anything is rare, users who show nothing, the fewest who show the same, and what."""
    apparent = F.col("apparent")
    first = F.when(apparent, F.struct("holders", "place", "number"))
    total = found.agg(
        F.max("group_rare").alias("group_rare"),
        F.max("cell_rare").alias("cell_rare"),
        F.max(F.when(~apparent, F.col("holders"))).alias("bare"),
        F.min(first).alias("first"),
        F.min("holders").alias("least"),
    )
    row = work.collect_rows(total, 1)[0].asDict()
    smallest = row.pop("first")
    fewest, _, number = smallest or (0, 0, "")
    return {**row, "least": row["least"] or 0, "fewest": fewest, "smallest": number}


def _take_one(found: DataFrame, order: Sequence[str], rare: Column, linked: bool) -> DataFrame:
    """The rows without the first column that each of those with a rare row shows."""
    columns = [name for name in found.columns if name not in _FOUND]
    if linked:
        has = [F.max(_column(name).isNotNull()) for name in order]
        taken = _first_of(order, has)
        users = found.groupBy("user").agg(F.when(F.max(rare), taken).alias("taken"))
        found = found.join(users, "user")
    else:
        shown = [_column(name).isNotNull() for name in order]
        found = found.withColumn("taken", F.when(rare, _first_of(order, shown)))
    left = {name: F.when(~F.col("taken").eqNullSafe(F.lit(name)), _column(name)) for name in order}
    return found.withColumns(left).select(*map(_column, columns))


def _first_of(order: Sequence[str], has: Sequence[Column]) -> Column:
    """The name of the first column that there is."""
    pairs = zip(order, has, strict=True)
    return F.coalesce(*(F.when(one, F.lit(name)) for name, one in pairs))


def _take_all(found: DataFrame, names: Sequence[str], rare: Column) -> DataFrame:
    """The rows, without any value where they are rare."""
    columns = [name for name in found.columns if name not in _FOUND]
    left = {name: F.when(~rare, _column(name)) for name in names}
    return found.withColumns(left).select(*map(_column, columns))


def _column(name: str) -> Column:
    return F.col(f"`{name}`")
