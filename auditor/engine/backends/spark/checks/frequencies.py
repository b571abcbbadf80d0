"""Whether a release still says what is frequent, on Spark; the measure is `frequencies`' own.

Strings are joined once. All else comes from how many of them share a pair of counts, and how many
a count: there are at most √(2·rows) different counts, so ranks over them are one task's work. To
the driver come the log's most frequent strings, as many as the parameters say, at most
`KENDALL_PAIRS` pairs of counts, and some 200 points of each curve.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from auditor.engine.backends.spark.checks.release_folder import SparkRelease
from auditor.engine.backends.spark.counting import query_counts
from auditor.engine.backends.spark.run_context import SparkRunContext, read_facts
from auditor.engine.backends.spark.session import hide_warnings
from auditor.engine.distributed_results import DistributedLog
from auditor.measures import frequencies
from auditor.measures import query_counts as measures_query_counts
from auditor.measures.base import MeasureResult
from auditor.measures.frequencies import FrequencyComparison, FrequencyParams
from auditor.progress import run_cancellable

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame


def measure_frequencies(
    work: SparkRunContext, released: SparkRelease, params: FrequencyParams
) -> tuple[MeasureResult, DistributedLog]:
    """The measure, and the figures of the log."""
    from pyspark.sql import functions as F

    unit = frequencies.unit_of(released.release, params)
    work.stage("counting queries")
    mine = query_counts.count_queries(work, work.splits, unit)
    log = read_facts(work, mine.records, mine.found)
    theirs = _released_counts(work, released, unit)
    theirs = work.persist_frame(theirs.withColumn("n", F.greatest("n", F.lit(0))))
    both = _PairedCounts(work, params)
    queries = both.compare_counts("query", "queries", mine.queries, theirs)
    here, there = (
        query_counts.count_words(some, stop_words=params.stop_words)
        for some in (mine.queries, theirs)
    )
    words = both.compare_counts("word", "words", here, there)
    return frequencies.build_result(params, unit, queries, words, work.progress), log


def _released_counts(
    work: SparkRunContext, released: SparkRelease, unit: measures_query_counts.Unit
) -> DataFrame:
    """What a reader takes for the frequency of each released query: columns a and n."""
    if released.splits is not None:
        return query_counts.count_queries(work, released.splits, unit).queries.select("a", "n")
    return released.read_table(work, "queries", "query").select("a", "n")


@dataclass(frozen=True, eq=False)
class _PairedCounts:
    """Makes `FrequencyComparison` of counts that are spread."""

    work: SparkRunContext
    params: FrequencyParams

    def compare_counts(
        self, name: str, plural: str, mine: DataFrame, theirs: DataFrame
    ) -> FrequencyComparison:
        """What two frames of a and n come to."""
        from pyspark.sql import functions as F

        self.work.stage(f"ranking {plural}")
        joined = self.work.persist_frame(
            mine.select("a", F.col("n").alias("whole")).join(
                theirs.select("a", F.col("n").alias("released")), "a", "full"
            )
        )
        shared = joined.where(F.col("whole").isNotNull() & F.col("released").isNotNull())
        pairs = self.work.persist_frame(
            shared.groupBy("whole", "released").agg(F.count("*").alias("m"))
        )
        counts = [
            self.work.persist_frame(
                joined.where(F.col(side).isNotNull())
                .groupBy(F.col(side).alias("value"))
                .agg(F.count("*").alias("m"))
            )
            for side in ("whole", "released")
        ]
        size = frequencies.looked_at(self.params)
        order = [F.desc("whole"), F.asc("a")]
        top = self.work.collect_rows(joined.where("whole > 0").orderBy(*order).limit(size), size)
        shown = top[: self.params.top]
        number, rho, error = self._over_all(pairs)
        return FrequencyComparison(
            name=name,
            plural=plural,
            strings=tuple(row["a"] for row in shown),
            places=self._rank_counts(counts[1], [row["released"] or 0 for row in shown]),
            whole=np.array([row["whole"] for row in top], dtype=np.int64),
            released=np.array([row["released"] or 0 for row in top], dtype=np.int64),
            common=np.array([row["released"] is not None for row in top], dtype=np.bool_),
            shared=number,
            spearman=rho,
            kendall=self._compute_kendall(shared, pairs, number),
            error=error,
            curves=(self._compute_curve(counts[0]), self._compute_curve(counts[1])),
        )

    def _over_all(self, pairs: DataFrame) -> tuple[int, float, float]:
        """How many strings both have, Spearman's ρ, and the median relative error."""
        from pyspark.sql import functions as F

        ranked = pairs
        for side in ("whole", "released"):
            sizes = pairs.groupBy(F.col(side).alias("value")).agg(F.sum("m").alias("m"))
            rank = (F.col("upto") - (F.col("m") - 1) / 2).alias(f"{side}_rank")
            ranks = _added_up(sizes, F.asc("value")).select(F.col("value").alias(side), rank)
            ranked = ranked.join(ranks, side)
        ranked = self.work.persist_frame(ranked)
        error = F.abs(F.col("released") - F.col("whole")) / F.col("whole")
        told = self.work.collect_rows(
            ranked.agg(F.sum("m"), F.percentile(error, F.lit(0.5), F.col("m"))), 1
        )[0]
        number = int(told[0] or 0)
        if number < 2:
            return number, math.nan, math.nan if told[1] is None else float(told[1])
        # Mean ranks have the same mean on either side.
        x, y = (F.col(f"{side}_rank") - (number + 1) / 2 for side in ("whole", "released"))
        sums = ranked.agg(*(F.sum(F.col("m") * p * q) for p, q in ((x, y), (x, x), (y, y))))
        both, one, other = map(float, self.work.collect_rows(sums, 1)[0])
        spread = math.sqrt(one * other)
        return number, both / spread if spread > 0 else math.nan, float(told[1])

    def _compute_kendall(self, shared: DataFrame, pairs: DataFrame, number: int) -> float:
        """Kendall's τ of all, or of as many as are drawn."""
        from pyspark.sql import functions as F

        most = frequencies.KENDALL_PAIRS
        if number > most:
            drawn = shared.orderBy(F.rand(0)).limit(most)
            pairs = drawn.groupBy("whole", "released").agg(F.count("*").alias("m"))
        found = np.array(self.work.collect_rows(pairs, most), dtype=np.int64).reshape(-1, 3)
        x, y = (np.repeat(found[:, side], found[:, 2]) for side in (0, 1))
        return run_cancellable(lambda: frequencies.kendall_tau(x, y), self.work.progress)

    def _rank_counts(self, counts: DataFrame, wanted: list[int]) -> tuple[int, ...]:
        """The place of each count among all released ones, from 1."""
        from pyspark.sql import functions as F

        values = sorted(set(wanted))
        ranked = _added_up(counts, F.desc("value")).where(F.col("value").isin(values))
        rows = self.work.collect_rows(ranked, self.params.top)
        place = {row["value"]: row["upto"] - row["m"] + 1 for row in rows}
        return tuple(place.get(value, 0) for value in wanted)

    def _compute_curve(self, counts: DataFrame) -> tuple[Any, Any]:
        """Count over rank at the ranks that are shown."""
        from pyspark.sql import functions as F

        falling = self.work.persist_frame(_added_up(counts.where("value > 0"), F.desc("value")))
        size = int(self.work.collect_rows(falling.agg(F.max("upto")), 1)[0][0] or 0)
        ranks = frequencies.shown_ranks(size)
        if not size:
            return ranks.astype(np.float64), ranks.astype(np.float64)
        with hide_warnings():
            wanted = self.work.spark.createDataFrame([(int(r),) for r in ranks], "rank long")
        inside = (F.col("rank") <= F.col("upto")) & (F.col("rank") > F.col("upto") - F.col("m"))
        shown = falling.join(F.broadcast(wanted), inside).select("rank", "value")
        rows = self.work.collect_rows(shown, frequencies.CURVE)
        found = np.array(sorted(tuple(row) for row in rows), dtype=np.float64)
        return found[:, 0], found[:, 1]


def _added_up(sizes: DataFrame, order: Column) -> DataFrame:
    """With `upto`: how many strings have a count up to this one in `order`; one task's work."""
    from pyspark.sql import Window
    from pyspark.sql import functions as F

    whole = Window.orderBy(order).rowsBetween(Window.unboundedPreceding, Window.currentRow)
    return sizes.withColumn("upto", F.sum("m").over(whole))
