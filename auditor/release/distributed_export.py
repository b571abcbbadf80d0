"""Writes the release of a run whose rows are on other machines: the same folder, file for file.

The machines write lines into pieces within the folder that is being built; here they are put one
behind the other, read as they are, a block at a time. Until the last file stands the folder is
hidden, whatever becomes of machines meanwhile; then one rename puts it in place, as `export` does.
"""

from __future__ import annotations

import dataclasses
import functools
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from auditor.engine.distributed_results import DistributedRun, DistributedTable
from auditor.engine.run import Run
from auditor.log.model import LogTotals, QueryLog
from auditor.methods.noisy_counts.period_units import HISTORY
from auditor.privacy.release import NGRAMS, DistributedProduct
from auditor.progress import Progress, silent_progress
from auditor.release import export
from auditor.release.atomic_write import write_file
from auditor.release.kept_content import (
    Basis,
    ContentFacts,
    KeptContent,
    least_exact_second,
    list_forbidden,
    tells_days,
)
from auditor.release.ledger.history import SIZE, sketch_log
from auditor.release.record import ReleaseRecord
from auditor.release.tables import row_lines

if TYPE_CHECKING:
    from auditor.engine.backends.spark.job import SparkJob

WORK = ".work"
_BLOCK = 8 << 20


@dataclass(frozen=True, eq=False)
class SpreadRelease:
    """A run whose release is written, its log, and what is known of it."""

    result: Run
    log: LogTotals
    record: ReleaseRecord


Judge = Callable[[DistributedRun, Path, Mapping[str, Any]], SpreadRelease]
"""From a run, the folder in which its data files stand and how they are written."""


def leave_unjudged(run: DistributedRun, place: Path, facts: Mapping[str, Any]) -> SpreadRelease:
    del place, facts
    record = ReleaseRecord.of_log(run.result, run.log)
    record = dataclasses.replace(record, units={HISTORY: run.users})  # blank queries are nobody's
    return SpreadRelease(run.result, run.log, record)


def write_spread_release(
    job: SparkJob,
    sources: Sequence[Path],
    folder: Path,
    *,
    progress: Progress,
    overwrite: bool = False,
    judge: Judge = leave_unjudged,
    **options: Any,
) -> SpreadRelease:
    """Carry `job` out and write its release into `folder`; the raw log's files are `sources`.

    `judge` looks at it before its manifest and report are written; `options`, the
    report's `pdf` for one, are as in `export.write_release`, which raises the same errors: in each
    case, and when cancelled or a machine is lost, nothing is left.
    """
    target = export.check_target(folder, sources, overwrite=overwrite)
    with export.staged_release(target, overwrite=overwrite) as (place, internal):
        work = place / WORK
        work.mkdir(mode=0o700)
        run = job.run(work, progress)
        for sheet in run.sheets:
            parts = job.write_sheet_pieces(
                sheet, functools.partial(row_lines, sheet.heading), progress
            )
            write_file(place / sheet.file, _join_pieces(sheet, parts, progress))
        content = run.result.release.content
        assert isinstance(content, DistributedProduct)
        if content.kind == "log":
            (sheet,) = run.sheets
            facts = export.log_facts(
                content.rows, escaped=sheet.escaped, attributes=sheet.attributes
            )
        else:
            facts = export.table_facts(content.rows)
        release = judge(run, place, facts)
        shutil.rmtree(work)
        export.finish_folder(
            release.result, release.log, release.record, place, internal, facts, progress, **options
        )
    return release


def _join_pieces(
    sheet: DistributedTable, parts: Iterable[Path], progress: Progress
) -> Iterator[bytes]:
    if sheet.heading:
        yield ("\t".join(sheet.heading) + "\n").encode()
    for part in parts:
        with part.open("rb") as file:
            while block := file.read(_BLOCK):
                progress.check()
                yield block
        part.unlink()


def count_content(job: SparkJob, run: DistributedRun) -> tuple[KeptContent, ContentFacts]:
    """What is kept of the whole log and what the released rows show, counted where they are."""
    content = run.result.release.content
    assert isinstance(content, DistributedProduct)
    newest = None if run.log.period is None else run.log.period[1]
    counts = job.count_kept(least_exact_second(run.result.release.params))
    if NGRAMS in content.rows:
        return KeptContent(ngrams=content.query_count), ContentFacts(newest=newest, known=True)
    basis: Basis = "queries" if content.kind == "tables" else "events"
    kept_content = KeptContent(
        queries=counts.get("queries"),
        log_queries=counts["log_queries"],
        searches=counts.get("searches"),
        log_searches=counts["log_searches"],
        added=counts.get("added"),
        basis="hashed" if run.result.plan.what.form == "hashes" else basis,
        masked=counts.get("masked") or None,
    )
    if content.kind == "tables":
        return kept_content, ContentFacts(newest=newest, known=True)
    heading = [name.lower() for sheet in run.sheets for name in sheet.heading]
    return kept_content, ContentFacts(
        persistent_ids=counts["several"] if tells_days(run.result.release) else None,
        forbidden_columns=list_forbidden(heading),
        newest=newest,
        exact_times=counts["exact"],
        known=True,
    )


def sketch_splits(job: SparkJob, log: QueryLog, secret: bytes) -> dict[str, Any]:
    """The ledger's samples of the whole log, made split by split; `log` is any part of it."""

    sketch_part = functools.partial(sketch_log, secret=secret, progress=silent_progress())
    sketch = sketch_part(log)
    names = [name for name in sketch if name != "key"]
    return sketch | job.list_smallest(sketch_part, names, SIZE)
