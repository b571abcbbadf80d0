"""Columns beside a log that are released with its rows, on Spark: the rules of `released_columns`.

Each step takes values away, from a row or, where an id links a user's rows, from all of a user's,
or from all of a record's where the rows have a column `record`.
How many users show the same is counted over all tasks between two steps; values only vanish.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from auditor.engine.backends.spark import rows
from auditor.engine.backends.spark.run_context import SparkRunContext
from auditor.methods import released_columns
from auditor.methods.released_columns import ShownValues

_COUNT_COLUMNS = ("number", "holders", "apparent", "group_rare", "cell_rare")


def list_released(work: SparkRunContext, params: Any) -> tuple[str, ...]:
    """The columns that are released, before any value is taken away."""
    return released_columns.list_released(rows.list_beside(work.splits), params)


def suppress_rare_values(
    work: SparkRunContext, frame: DataFrame, names: Sequence[str], params: Any, linked: bool
) -> tuple[DataFrame, ShownValues]:
    """The rows without rare values, and what they show; `linked` says that ids link rows."""
    work.stage("suppressing rare columns")
    order = _order_columns(work, frame, names, params, linked)
    old_counts = _count_values(work, frame, names)
    while True:
        counts = work.persist_frame(_count_users(frame, names, params, linked))
        facts = _sum_up(work, counts)
        if facts["group_rare"]:
            frame = _take_one(counts, order, F.col("group_rare"), linked)
        elif facts["cell_rare"] and linked:
            frame = _take_all(counts, names, F.col("cell_rare"))
        elif facts["cell_rare"]:
            frame = _take_one(counts, order, F.col("cell_rare"), linked)
        elif facts["bare"] and facts["fewest"] and facts["bare"] < params.group:
            smallest = F.col("apparent") & (F.col("number") == facts["smallest"])
            frame = _take_all(counts, names, smallest)
        else:
            break
        frame = work.cut_frame(frame)
    new_counts = _count_values(work, frame, names)
    columns = tuple(name for name in names if new_counts[name])
    values = sum(new_counts.values())
    return frame, ShownValues(columns, values, sum(old_counts.values()) - values, facts["least"])


def _count_values(work: SparkRunContext, frame: DataFrame, names: Sequence[str]) -> dict[str, int]:
    counts = [F.count(_column(name)) for name in names]
    return dict(zip(names, map(int, work.collect_rows(frame.agg(*counts), 1)[0]), strict=True))


def _order_columns(
    work: SparkRunContext, frame: DataFrame, names: Sequence[str], params: Any, linked: bool
) -> list[str]:
    """The columns in the order in which they go: see `released_columns`."""
    ranks: list[tuple[int, int, str]] = []
    for name in names if len(names) > 1 else ():
        without = frame.withColumn(name, F.lit(None).cast("string"))
        counts = _count_users(without, names, params, linked)
        rare = work.count_rows(counts.where(F.col("group_rare") | F.col("cell_rare")))
        texts = frame.where(_column(name).isNotNull()).select(_column(name)).distinct()
        ranks.append((rare, -work.count_rows(texts), name))
    return [name for *_, name in sorted(ranks)] or list(names)


def _count_users(frame: DataFrame, names: Sequence[str], params: Any, linked: bool) -> DataFrame:
    """The rows with how many users show what they or their users show, and what of it is rare.

    What is shown has a `number`; `apparent` says whether it is anything.
    """
    texts = [
        F.coalesce(F.concat(F.length(column).cast("string"), F.lit(":"), column), F.lit("-"))
        for column in map(_column, names)
    ]
    has_value = F.coalesce(*map(_column, names)).isNotNull()
    counts = frame.withColumns({"combination": F.concat(*texts), "shown": has_value})
    cells = counts.select("combination", "query", "user").distinct()
    cells = cells.groupBy("combination", "query").agg(F.count("*").alias("cell"))
    counts = counts.join(cells, ["combination", "query"])
    if linked:
        owner = _owner_of(frame)
        sets = counts.where("shown").select(owner, "combination").distinct()
        joined = F.array_join(F.sort_array(F.collect_list("combination")), " ")
        sets = sets.groupBy(owner).agg(F.sha2(joined, 256).alias("number"))
        keys = sorted({owner, "user"})
        owners = counts.select(*keys).distinct().join(sets, owner, "left")
        owners = owners.withColumn("apparent", F.col("number").isNotNull())
        owners = owners.withColumn("number", F.coalesce("number", F.lit("")))
        pairs = owners.select("number", "user").distinct()
        sizes = pairs.groupBy("number").agg(F.count("*").alias("holders"))
        counts = counts.join(owners.join(sizes, "number"), keys)
    else:
        counts = counts.withColumns({"number": F.col("combination"), "apparent": F.col("shown")})
        pairs = counts.select("number", "user").distinct()
        counts = counts.join(pairs.groupBy("number").agg(F.count("*").alias("holders")), "number")
    rare = {
        "group_rare": F.col("apparent") & (F.col("holders") < params.group),
        "cell_rare": F.col("shown") & (F.col("cell") < params.cell),
    }
    return counts.withColumns(rare).select(*map(_column, frame.columns), *_COUNT_COLUMNS)


def _owner_of(frame: DataFrame) -> str:
    """What links rows: the records of users where the frame has them, else users."""
    return "record" if "record" in frame.columns else "user"


def _sum_up(work: SparkRunContext, counts: DataFrame) -> dict[str, Any]:
    """Whether anything is rare, users who show nothing, the fewest who show the same, and what."""
    apparent = F.col("apparent")
    first = F.when(apparent, F.struct("holders", "place", "number"))
    total = counts.agg(
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


def _take_one(counts: DataFrame, order: Sequence[str], rare: Column, linked: bool) -> DataFrame:
    """The rows without the first column that each of those with a rare row shows."""
    columns = [name for name in counts.columns if name not in _COUNT_COLUMNS]
    if linked:
        has = [F.max(_column(name).isNotNull()) for name in order]
        taken = _first_of(order, has)
        owner = _owner_of(counts)
        owners = counts.groupBy(owner).agg(F.when(F.max(rare), taken).alias("taken"))
        counts = counts.join(owners, owner)
    else:
        presence = [_column(name).isNotNull() for name in order]
        counts = counts.withColumn("taken", F.when(rare, _first_of(order, presence)))
    rest = {name: F.when(~F.col("taken").eqNullSafe(F.lit(name)), _column(name)) for name in order}
    return counts.withColumns(rest).select(*map(_column, columns))


def _first_of(order: Sequence[str], has: Sequence[Column]) -> Column:
    """The name of the first column that there is."""
    pairs = zip(order, has, strict=True)
    return F.coalesce(*(F.when(condition, F.lit(name)) for name, condition in pairs))


def _take_all(counts: DataFrame, names: Sequence[str], rare: Column) -> DataFrame:
    """The rows, without any value where they are rare."""
    columns = [name for name in counts.columns if name not in _COUNT_COLUMNS]
    rest = {name: F.when(~rare, _column(name)) for name in names}
    return counts.withColumns(rest).select(*map(_column, columns))


def _column(name: str) -> Column:
    return F.col(f"`{name}`")
