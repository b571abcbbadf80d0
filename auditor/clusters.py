"""The verbs that can run on Spark, when they are asked to."""

from __future__ import annotations

import argparse
import contextlib
from pathlib import Path

from auditor.arguments import intent_of, reading
from auditor.console import Console, run_text, values
from auditor.errors import ParameterError


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
        )
    result = run.result
    rejected = sum(run.log.origin.rejected.values())
    if rejected:
        console.note(f"{rejected:,} rows could not be read; `auditor inspect` lists them")
    facts = {"folder": str(folder), "statement": result.release.statement.to_dict()}
    facts |= {"changes": dict(result.release.changes), "values": values(result.values)}
    console.result(facts, f"{run_text(result)}\n\nRelease: {folder}")
    return 0
