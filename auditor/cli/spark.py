"""The verbs that can run on Spark, when they are asked to."""

from __future__ import annotations

import argparse
import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from auditor.cli.approval import report_leftovers
from auditor.cli.arguments import intent_of, log_paths, reading_options, selection_of
from auditor.cli.console import Console, print_values, run_text
from auditor.cli.summary import closing_summary, log_facts, log_summary
from auditor.errors import ParameterError
from auditor.log.model import QueryLog
from auditor.log.sentences import sentence

if TYPE_CHECKING:
    from auditor.engine.backends.spark.run_context import SparkRunContext

ROW_BYTES = 600
"""Bytes of memory a row is taken to need while it comes home and is looked at."""
LEAST_ROWS = 100_000
"""Rows that are always asked for."""
_LOCAL_ALONE = {
    "preview_seed": "The Spark engine draws no seeded noise: make previews with --engine local.",
    "dry_run": "The Spark engine has no --dry-run: leave it out.",
    "write_truth": "The Spark engine keeps no truth table: leave it out.",
    "purpose": "The Spark engine writes no --purpose: leave it out.",
    "edition": "The internal report shows rows of the log, which no machine holds with the Spark "
    "engine: use --edition external.",
    "sample_users": "The Spark engine takes all users: leave --sample-users out, or use --engine "
    "local.",
}
"""Options that it does not take, and why."""


def anonymize_log(arguments: argparse.Namespace, console: Console) -> int:
    """A release folder, made on Spark."""
    from auditor.engine.backends.spark.job import SparkJob, check_intent
    from auditor.engine.backends.spark.session import open_session
    from auditor.log.out_of_core.splits import plan_splits
    from auditor.release.distributed_export import write_spread_release
    from auditor.release.export import check_place
    from auditor.release.record import ReleaseRecord
    from auditor.release.verdict import measured_verdict

    for name, why in _LOCAL_ALONE.items():
        value = getattr(arguments, name)
        if value not in ("", "external") and value is not None and value is not False:
            raise ParameterError(name, why)
    if not selection_of(arguments, quick=True).empty:
        raise ParameterError(
            "attack",
            "The Spark engine makes a release with the measures volume and frequencies: leave out "
            "--attack, --measure and --skip, and run `auditor attack` on the release.",
        )
    folder = Path(arguments.out)
    intent = intent_of(arguments.method, arguments.param, attacks=())
    check_intent(intent)
    paths, progress = log_paths(arguments), console.progress
    splits = plan_splits(paths, reading_options(arguments), progress=progress)
    report_leftovers(folder, console)
    check_place(folder, splits.files, overwrite=arguments.overwrite)
    with (
        open_session(arguments.master) as spark,
        contextlib.closing(SparkJob(spark, splits, intent)) as job,
    ):
        _warn_of_network(spark, console)
        run = write_spread_release(
            job,
            splits.files,
            folder,
            progress=console.progress,
            overwrite=arguments.overwrite,
            pdf=arguments.pdf,
        )
    result = run.result
    rejected = sum(run.log.origin.rejected.values())
    if rejected:
        console.print_note(f"{rejected:,} rows could not be read; `auditor inspect` lists them")
    plain = result.release.statement.to_dict()
    verdict = measured_verdict(ReleaseRecord.of_log(result, run.log))
    facts = {"folder": str(folder), "verdict": verdict.to_dict(), "statement": plain}
    facts |= {"changes": dict(result.release.changes), "values": print_values(result.values)}
    console.print_result(facts, closing_summary(result, run.log, verdict, folder), run_text(result))
    return 0


def _warn_of_network(spark: Any, console: Console) -> None:
    """Say so where rows of the log cross a network that others may listen to."""
    from auditor.engine.backends.spark.session import is_private

    if not is_private(spark):
        console.print_note(
            "connections between this cluster's machines are not encrypted: give it "
            "spark.authenticate, spark.authenticate.secret and spark.network.crypto.enabled"
        )


@contextlib.contextmanager
def _open_work(arguments: argparse.Namespace, console: Console) -> Iterator[SparkRunContext]:
    """A job that leaves nothing: its folder is on the driver and goes with it."""
    from auditor.engine.backends.spark.run_context import SparkRunContext
    from auditor.engine.backends.spark.session import open_session
    from auditor.log.out_of_core.splits import plan_splits

    progress = console.progress
    splits = plan_splits(log_paths(arguments), reading_options(arguments), progress=progress)
    with open_session(arguments.master) as spark, tempfile.TemporaryDirectory() as folder:
        _warn_of_network(spark, console)
        work = SparkRunContext(spark, splits, Path(folder), progress)
        try:
            yield work
        finally:
            work.release()


def inspect_log(arguments: argparse.Namespace, console: Console) -> int:
    """What a log holds, and what could not be read and why."""
    from auditor.engine.backends.spark.collected_log import count_log

    with _open_work(arguments, console) as work:
        log = count_log(work)
    facts = log_facts(log, log.url_count, log.origin.user_column, arguments.time_zone)
    console.print_result(facts, log_summary(log, facts))
    return 0


def collect_log(arguments: argparse.Namespace, console: Console) -> QueryLog:
    """The log that an attack or a measure wants, or a random sample of its users.

    Raises
    ------
    MemoryExceeded
        The log does not fit in memory, and what is asked needs all of it.
    """
    from auditor.engine.backends.spark.collected_log import collect_log
    from auditor.log.memory import available_memory

    free = available_memory()
    most = None if free is None else max(free // ROW_BYTES, LEAST_ROWS)
    with _open_work(arguments, console) as work:
        return collect_log(work, most, sampled=not arguments.release)


def sample_notes(log: QueryLog) -> tuple[str, ...]:
    """What has to be said beside figures of a log of which only some users were looked at."""
    sample = log.origin.sample
    if sample is None:
        return ()
    return (
        sentence(
            "spark.figures_interval_those_users", users=sample.users, times=round(1 / sample.share)
        ),
    )
