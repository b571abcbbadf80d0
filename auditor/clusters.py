"""The verbs that can run on Spark, when they are asked to."""

from __future__ import annotations

import argparse
import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from auditor.arguments import intent_of, params_of, reading, unknown_release
from auditor.console import Console, measure_facts, measure_text, run_text, shown, utc, values
from auditor.errors import ParameterError
from auditor.measures.registry import MEASURES
from auditor.privacy.release import Spread
from auditor.progress import Progress

if TYPE_CHECKING:
    from auditor.engine.backends.spark.released import Released
    from auditor.engine.backends.spark.work import Work


def anonymize(arguments: argparse.Namespace, console: Console) -> int:
    """A release folder, made on Spark."""
    from auditor.engine.backends.spark.job import Job
    from auditor.engine.backends.spark.session import session
    from auditor.log.splits import plan_splits
    from auditor.release.export import check_place
    from auditor.release.spread import write_spread_release

    if arguments.preview_seed is not None:
        raise ParameterError(
            "preview_seed",
            "The Spark engine draws no seeded noise: make previews with --engine local.",
        )
    if arguments.edition != "external":
        raise ParameterError(
            "edition",
            "The internal report shows rows of the log, which no machine holds with the Spark "
            "engine: use --edition external.",
        )
    folder = Path(arguments.out)
    intent = intent_of(arguments.method, arguments.param, attacks=())
    splits = plan_splits(Path(arguments.log), reading(arguments), progress=console.progress)
    check_place(folder, splits.files, overwrite=arguments.overwrite)
    with session(arguments.master) as spark, contextlib.closing(Job(spark, splits, intent)) as job:
        run = write_spread_release(
            job,
            splits.files,
            folder,
            progress=console.progress,
            overwrite=arguments.overwrite,
            pdf=arguments.pdf,
            exact=arguments.exact_figures,
        )
    result = run.result
    rejected = sum(run.log.origin.rejected.values())
    if rejected:
        console.note(f"{rejected:,} rows could not be read; `auditor inspect` lists them")
    facts = {"folder": str(folder), "statement": result.release.statement.to_dict()}
    facts |= {"changes": dict(result.release.changes), "values": values(result.values)}
    console.result(facts, f"{run_text(result)}\n\nRelease: {folder}")
    return 0


@contextlib.contextmanager
def _work(arguments: argparse.Namespace, progress: Progress) -> Iterator[Work]:
    """A job that leaves nothing: its folder is on the driver and goes with it."""
    from auditor.engine.backends.spark.session import session
    from auditor.engine.backends.spark.work import Work
    from auditor.log.splits import plan_splits

    splits = plan_splits(Path(arguments.log), reading(arguments), progress=progress)
    with session(arguments.master) as spark, tempfile.TemporaryDirectory() as folder:
        work = Work(spark, splits, Path(folder), progress)
        spark.conf.set("spark.sql.shuffle.partitions", work.parts)
        try:
            yield work
        finally:
            work.release()


def inspect(arguments: argparse.Namespace, console: Console) -> int:
    """What a log holds, and what could not be read and why."""
    from auditor.engine.backends.spark.volume_job import statistics

    with _work(arguments, console.progress) as work:
        log = statistics(work)
    facts: dict[str, Any] = {
        "format": log.origin.format,
        "files": [path.name for path in log.origin.files],
        "rows": len(log),
        "users": len(log.users),
        "queries": len(log.queries),
        "urls": log.url_count,
        "clicks": log.clicks,
        "rejected": dict(log.origin.rejected),
        "rejects": [
            {"file": r.file, "line": r.line, "reason": r.reason}
            | ({"column": r.column} if r.column is not None else {})
            for r in log.origin.rejects
        ],
        "assumptions": list(log.origin.assumptions),
    }
    if log.period is not None:
        facts |= {"start": utc(log.period[0]), "end": utc(log.period[1])}
    lines = [f"{name:12} {shown(value)}" for name, value in facts.items() if name != "rejects"]
    lines += [f"  {r.file} line {r.line}: {r.reason}" for r in log.origin.rejects[:20]]
    console.result(facts, "\n".join(lines))
    return 0


def measure(arguments: argparse.Namespace, console: Console) -> int:
    """One measure of a release against its log."""
    from auditor.engine.backends.spark import frequencies_job, volume_job

    what = MEASURES[arguments.measure]
    if what.name not in ("volume", "frequencies"):
        raise ParameterError(
            "measure",
            f"The Spark engine takes the measures volume and frequencies, not {what.name}. "
            "Use --engine local.",
        )
    params: Any = params_of(what.params, arguments.param)
    released = _released(arguments.release, console.progress)
    with _work(arguments, console.progress) as work:
        if what.name == "volume":
            found, _ = volume_job.take(work, released)
        else:
            found, _ = frequencies_job.take(work, released, params)
    console.result(measure_facts(found), measure_text(found))
    return 0


def _released(name: str, progress: Progress) -> Released:
    """A release folder, or any log that somebody calls a release; its rows stay where they are."""
    from auditor.engine.backends.spark.released import Released
    from auditor.log.splits import plan_splits
    from auditor.release.load import read_described, released_log, sheet_table

    folder = Path(name).resolve()
    if folder.is_dir() and (folder / "manifest.json").exists():
        release, log = read_described(folder), released_log(folder)
        splits = plan_splits(log, progress=progress) if log is not None else None
        return Released(release, folder, sheet_table, splits)
    splits = plan_splits(folder, progress=progress)
    return Released(unknown_release(Spread("log", {}, 0)), folder, sheet_table, splits)
