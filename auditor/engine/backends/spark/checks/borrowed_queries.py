"""What a released log says of whom, on Spark; the figures are those of `surviving_lists`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from auditor.attacks.surviving_content import released_users as listed
from auditor.engine.backends.spark import rows
from auditor.engine.backends.spark.checks.release_folder import SparkRelease
from auditor.engine.backends.spark.run_context import SparkRunContext
from auditor.figures import MetricValue
from auditor.log.out_of_core.splits import LogSplits
from auditor.privacy.identity import SharedIds, said_of_ids

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

UNKNOWN = (
    "Nothing says whether the release goes by the log's own user ids, so nothing is told of "
    "searches under the ids of others."
)


def build_metrics(
    work: SparkRunContext, released: SparkRelease, single: DataFrame
) -> tuple[tuple[MetricValue, ...], list[str]]:
    """Figures of a released log, and what else to say; `single` are the strings of one user."""
    assert released.splits is not None
    work.stage("counting whose strings are whose")
    found = listed.told_of_repeated(_list_repeated(work, released.splits, single))
    ids = said_of_ids(released.release)
    if ids is SharedIds.KEPT:
        return (*found, *listed.told_of_borrowed(_list_borrowed(work, released.splits))), []
    return tuple(found), [UNKNOWN] if ids is SharedIds.UNKNOWN else []


def _select_distinct(work: SparkRunContext, splits: LogSplits, *names: str) -> DataFrame:
    """Distinct rows of some columns."""
    from pyspark.sql import functions as F

    every = rows.scan(work.spark, splits, lambda log: log.event_starts)
    return every.where(F.col("kind") == rows.ROW).select(*names).distinct()


def _list_repeated(
    work: SparkRunContext, splits: LogSplits, single: DataFrame
) -> listed.RepeatedStrings:
    from pyspark.sql import functions as F

    pairs = _select_distinct(work, splits, "user", "query")
    ids = (
        pairs.join(single.select(F.col("a").alias("query")), "query", "left_semi")
        .groupBy("query")
        .agg(F.count("*").alias("ids"))
    )
    told = ids.agg(F.count("*"), F.count_if(F.col("ids") > 1), F.max("ids"), F.sum("ids"))
    strings, several, most, total = (int(n or 0) for n in work.collect_rows(told, 1)[0])
    return listed.RepeatedStrings(strings, several, most, total / strings if strings else 0.0)


def _list_borrowed(work: SparkRunContext, splits: LogSplits) -> listed.BorrowedSearches:
    """Released searches of known queries, under ids that the log has, by whom who never asked."""
    from pyspark.sql import functions as F

    theirs = work.persist_frame(_select_distinct(work, splits, "user", "query", "time"))
    mine = work.persist_frame(_select_distinct(work, work.splits, "user", "query"))
    strange = (
        theirs.join(mine.select("user").distinct(), "user", "left_semi")
        .join(mine.select("query").distinct(), "query", "left_semi")
        .join(mine, ["user", "query"], "left_anti")
    )
    users = strange.groupBy("user").agg(F.count("*").alias("n"))
    searches, people = work.collect_rows(users.agg(F.sum("n"), F.count("*")), 1)[0]
    return listed.BorrowedSearches(int(searches or 0), work.count_rows(theirs), int(people))
