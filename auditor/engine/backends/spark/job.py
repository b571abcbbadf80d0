"""One run on Spark: which methods there are, and a finished run's files."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from auditor.engine.backends.spark import methods, rows
from auditor.engine.backends.spark.collected_log import (
    collect_places,
    collect_released,
    collect_truth,
)
from auditor.engine.backends.spark.methods import cells, logs, tables
from auditor.engine.backends.spark.run_context import SparkJobResult, SparkRunContext
from auditor.engine.distributed_results import DistributedRun, DistributedTable, Formatter
from auditor.engine.plan import Intent, resolve_intent
from auditor.engine.run import Run
from auditor.errors import ParameterError
from auditor.log.model import QueryLog
from auditor.log.out_of_core.splits import LogSplit, LogSplits, SplitPiece
from auditor.methods.noisy_counts.period_units import HISTORY, privacy_unit
from auditor.methods.registry import METHODS
from auditor.methods.released_ids import NO_USER
from auditor.methods.suppression import NOTHING, state_suppression, suppression_level
from auditor.methods.time_granularity import TimeFacts, state_times
from auditor.privacy.blank_queries import CHANGE
from auditor.privacy.entities import MASKED
from auditor.privacy.release import CELLS, FIGURES, QUERY, DistributedProduct, Release
from auditor.privacy.release_times import EXACT, SHUFFLED
from auditor.privacy.truth_table import TruthTable
from auditor.progress import Progress

MakeRelease = Callable[[SparkRunContext, Any], SparkJobResult]


def find_job(name: str) -> MakeRelease | None:
    """What makes the releases of a method; None where it doesn't run on Spark."""
    method = METHODS[name]
    if method.counting is not None:
        return partial(tables.release_counts, method=method.counting)
    if method.cells is not None:
        return partial(cells.release_cells, rule=method.cells)
    if method.spark is None:
        return None
    module, _, function = method.spark.function.partition(".")
    job: MakeRelease = getattr(import_module(f"{methods.__name__}.{module}"), function)
    return job


def list_methods() -> list[str]:
    """The methods that run on Spark."""
    return [name for name in METHODS if find_job(name) is not None]


SMALL = 200_000
"""Rows of a file that one task sorts and writes: less work than to agree on who has which range."""


def check_intent(intent: Intent) -> None:
    """Raise `ParameterError` for what Spark can't carry out; needs no session and reads nothing.

    Of parameters that few methods follow, `Method.spark` names those that its own does.
    """
    if find_job(intent.method) is None:
        raise ParameterError(
            "method",
            f"The Spark engine has no {intent.method}; it has {', '.join(list_methods())}. "
            "Use `engine` local.",
        )
    params, method = intent.params, METHODS[intent.method]
    follows = () if method.spark is None else method.spark.follows
    times = getattr(params, "times", EXACT)
    refused = {
        "times": (
            times == SHUFFLED or (times != EXACT and "times" not in follows),
            f"The Spark engine can't release times of {intent.method} that are {times}: coarser "
            "ones only of methods whose ids last a day, and shuffled ones of none. Use `engine` "
            "local.",
        ),
        "columns": (
            params.to_dict().get("columns", "drop") != "drop" and "columns" not in follows,
            f"The Spark engine releases no columns beside the log by {intent.method}. Use `engine` "
            "local, or set columns to drop.",
        ),
        "sample": (
            getattr(params, "sample", None) is not None,
            "The Spark engine draws no sample of searches. Use `engine` local, or leave sample "
            "out.",
        ),
        "protected_unit": (
            privacy_unit(params) != HISTORY and "protected_unit" not in follows,
            "The Spark engine protects whole histories only, but of dated tables. Use `engine` "
            "local to protect a day, week or month.",
        ),
        "suppress": (
            suppression_level(params) != NOTHING and "suppress" not in follows,
            "The Spark engine suppresses no strings. Use `engine` local, or set suppress to "
            "nothing.",
        ),
        "rule_weights": (
            bool(intent.rule_weights),
            "The Spark engine lets every rule of the detector count fully. Use `engine` local, "
            "or leave the project's weights of rules out.",
        ),
    }
    for parameter, (unfit, reason) in refused.items():
        if unfit:
            raise ParameterError(parameter, reason)


class SparkJob:
    """Carries an intent out on Spark; `release.distributed_export` writes what it made.

    Raises `ParameterError` for a method that doesn't run there.
    """

    def __init__(self, spark: SparkSession, splits: LogSplits, intent: Intent) -> None:
        check_intent(intent)
        self._spark = spark
        self._splits = splits
        self._intent = intent
        self._frames: dict[str, DataFrame] = {}
        self._owners: DataFrame | None = None
        self._work: SparkRunContext | None = None

    def run(self, work: Path, progress: Progress) -> DistributedRun:
        """Make the released rows, within `work` and on the executors' disks."""
        began = time.perf_counter()
        self._work = SparkRunContext(self._spark, self._splits, work, progress)
        make_release = find_job(self._intent.method)
        assert make_release is not None
        result = make_release(self._work, self._intent.params)
        plan = resolve_intent(self._intent, result.log, engine="spark")
        sheets = tuple(sheet for sheet, _ in result.sheets)
        self._frames = {sheet.file: frame for sheet, frame in result.sheets}
        self._owners = result.owners
        content = DistributedProduct(
            kind=plan.what.yields,
            rows={sheet.file: sheet.rows for sheet in sheets},
            query_count=result.query_count,
        )
        statement = result.statement
        if METHODS[plan.method].find_times(plan.params) is not None:
            facts = result.times or TimeFacts(EXACT, sum(sheet.rows for sheet in sheets))
            statement = state_times(statement, facts)
        statement = state_suppression(statement, suppression_level(plan.params), content.kind)
        release = Release(
            method=plan.method,
            params=plan.params.to_dict(),
            content=content,
            statement=statement.attach_user_column(result.log.origin.user_column),
            changes=result.changes,
        )
        users = len(result.log.users)
        if result.changes.get(CHANGE):  # of blank queries, which are nobody's
            raw = rows.scan(self._spark, self._splits).where(F.col("kind") == rows.ROW)
            users = self._work.count_rows(raw.select("user").distinct())
        skipped = {
            step.name: "is not taken by the Spark engine beside a release; name it by itself"
            for step in plan.measures
        }
        seconds = {plan.method: time.perf_counter() - began}
        return DistributedRun(
            Run(plan, release, seconds=seconds, skipped=skipped),
            result.log,
            sheets,
            users=users,
            units=result.units,
        )

    def write_sheet_pieces(
        self, sheet: DistributedTable, format: Formatter, progress: Progress
    ) -> Iterable[Path]:
        """The sheet's rows in order, as files of lines; a log's lines are always the writer's."""
        assert self._work is not None
        if sheet.file == "log.tsv":
            progress.stage("Spark: writing the log")
            lines = partial(logs.format_lines, sheet)
            return self._work.write_pieces(self._frames[sheet.file], lines)
        progress.stage(f"Spark: writing {sheet.file}")
        names = (*("a", "b")[: len(sheet.heading) - 1], "n")
        if sheet.file == CELLS:
            names = tuple(f"`{name}`" for name in sheet.heading)
        frame = self._frames[sheet.file].select(*names)
        columns = list(zip(sheet.heading, names, strict=True))
        figures = [F.desc(name) for heading, name in columns if heading in FIGURES]
        keys = [F.col(name) for heading, name in columns if heading not in FIGURES]
        order = [*figures[:1], *keys]
        small = sheet.rows <= SMALL
        ordered = frame.coalesce(1).sortWithinPartitions(*order) if small else frame.orderBy(*order)
        return self._work.write_pieces(ordered, format)

    # what an audit asks of a job that has run

    def collect_users(self, row_limit: int | None, users: int) -> tuple[QueryLog, pa.Table]:
        """The log or a sample of its users, and where its rows stand: see `collect_places`."""
        return collect_places(self._context, row_limit, users)

    def collect_released(self, places: pa.Table) -> tuple[QueryLog, TruthTable | None] | None:
        """What was released of the rows at some places, and whose its ids are if they are new.

        None where the method's rows don't say which row of the log they are.
        """
        support = METHODS[self._intent.method].spark
        if support is None or not support.placed:
            return None
        return collect_released(self._context, self._frames["log.tsv"], places)

    def collect_truth(self) -> TruthTable | None:
        """Whose each released id is, of a release that fits in memory; None where ids aren't new,
        or no job kept it."""
        if self._owners is None:
            return None
        return collect_truth(self._context, self._owners)

    def count_kept(self, least: int) -> dict[str, int]:
        """Searches and queries of the whole log, searches that are kept, and what ids show.

        A search is a distinct user, query and second; one whose query is not the log's, and in
        tables such a query, is `added`, or `masked` if it has a star for a word. Where all strings
        were replaced, those of the release are counted. `several` (ids of several days, UTC) and
        `exact` (rows at this second of their day at `least`) are those of a released log. Tables
        without queries keep no searches.
        """
        work, search = self._context, ("user", "query", "time")
        work.stage("counting what is kept")
        raw = rows.scan(self._spark, self._splits, folded=METHODS[self._intent.method].folds)
        raw = raw.where(F.col("kind") == rows.ROW)
        events = work.persist_frame(raw.select(*search).distinct())
        log_queries = work.persist_frame(events.select("query").distinct())
        counts = {
            "log_searches": work.count_rows(events),
            "log_queries": work.count_rows(log_queries),
        }
        if (log := self._frames.get("log.tsv")) is not None:
            searches = work.persist_frame(log.select(*search).distinct())
            replaced = METHODS[self._intent.method].form == "hashes"
            kept_events = searches if replaced else searches.join(log_queries, "query", "left_semi")
            counts["searches"] = work.count_rows(kept_events)
            counts["queries"] = work.count_rows(kept_events.select("query").distinct())
            if not replaced:
                new_searches = searches.join(log_queries, "query", "left_anti")
                counts["masked"] = work.count_rows(new_searches.where(F.col("query").rlike(MASKED)))
                counts["added"] = work.count_rows(searches) - counts["searches"] - counts["masked"]
            day = F.floor(F.col("time") / 86_400)
            ids = log.groupBy("user").agg(
                F.count_distinct(day).alias("days"),
                F.count_if(F.pmod("time", F.lit(86_400)) >= least).alias("exact"),
            )
            counts |= work.sum_up(
                ids,
                others=F.count_if(F.col("user") != NO_USER),
                several=F.count_if(F.col("days") > 1),
                exact=F.sum("exact"),
            )
            if not counts.pop("others"):  # nobody has an id
                counts["several"] = 0
        for file, column in (("queries.tsv", "a"), (CELLS, QUERY)):
            released = self._frames.get(file)
            if released is not None and column in released.columns:
                queries = released.select(F.col(column).alias("query")).distinct()
                counts["searches"] = work.count_rows(events.join(queries, "query", "left_semi"))
                counts["queries"] = work.count_rows(log_queries.join(queries, "query", "left_semi"))
                counts["added"] = work.count_rows(queries) - counts["queries"]
        return counts

    def list_smallest(
        self, tell: Callable[[QueryLog], Mapping[str, Any]], names: Sequence[str], size: int
    ) -> dict[str, list[str]]:
        """The smallest different texts that `tell` has under each of the names of any split."""
        work = self._context

        def list_texts(_split: LogSplit, piece: SplitPiece) -> Iterator[pa.RecordBatch]:
            schema = pa.schema([("name", pa.string()), ("text", pa.string())])
            by_name = tell(piece.log)
            for name in names:
                columns = {"name": [name] * len(by_name[name]), "text": list(by_name[name])}
                yield pa.RecordBatch.from_pydict(columns, schema)

        named_texts = work.persist_frame(
            rows.scan_splits(self._spark, self._splits, list_texts, "name string, text string")
        )
        smallest = {}
        for name in names:
            texts = (
                named_texts.where(F.col("name") == name).select("text").distinct().orderBy("text")
            )
            smallest[name] = [row["text"] for row in work.collect_rows(texts.limit(size), size)]
        return smallest

    @property
    def _context(self) -> SparkRunContext:
        assert self._work is not None
        return self._work

    def close(self) -> None:
        """Forget everything but what was given away."""
        if self._work is not None:
            self._work.release()
