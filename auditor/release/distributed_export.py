"""Writes the release of a run whose rows are on other machines: the same folder, file for file.

The machines write lines into pieces within the folder that is being built; here they are put one
behind the other, read as they are, a block at a time. Until the last file stands the folder is
hidden, whatever becomes of machines meanwhile; then one rename puts it in place, as `export` does.
"""

from __future__ import annotations

import functools
import shutil
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from auditor.engine.distributed_results import DistributedRun, DistributedTable
from auditor.privacy.release import DistributedProduct
from auditor.progress import Progress
from auditor.release import export
from auditor.release.atomic_write import write_file
from auditor.release.record import ReleaseRecord
from auditor.release.tables import row_lines

if TYPE_CHECKING:
    from auditor.engine.backends.spark.job import SparkJob

WORK = ".work"
_BLOCK = 8 << 20


def write_spread_release(
    job: SparkJob,
    sources: Sequence[Path],
    folder: Path,
    *,
    progress: Progress,
    overwrite: bool = False,
    pdf: bool = False,
) -> DistributedRun:
    """Carry `job` out and write its release into `folder`; the raw log's files are `sources`.

    `pdf` is the report's, as in `export.write_release`.

    Raises
    ------
    ExportRefused, ExportFailed
        As `export.write_release`. In each case, and when cancelled or a machine is lost, what
        stood at `folder` before is untouched and nothing is left beside it.
    """
    target = export.check_place(folder, sources, overwrite=overwrite)
    with export.staged_release(target, overwrite=overwrite) as (place, inside):
        work = place / WORK
        work.mkdir(mode=0o700)
        run = job.run(work, progress)
        for sheet in run.sheets:
            parts = job.write_sheet_pieces(
                sheet, functools.partial(row_lines, sheet.heading), progress
            )
            write_file(place / sheet.file, _join_pieces(sheet, parts, progress))
        shutil.rmtree(work)
        content = run.result.release.content
        assert isinstance(content, DistributedProduct)
        facts = _collect_facts(content, run.sheets)
        record = ReleaseRecord.of_log(run.result, run.log)
        export.finish_folder(run.result, run.log, record, place, inside, facts, progress, pdf=pdf)
    return run


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


def _collect_facts(
    content: DistributedProduct, sheets: Sequence[DistributedTable]
) -> dict[str, Any]:
    if content.kind == "log":
        return export.log_facts(content.rows, escaped=any(sheet.escaped for sheet in sheets))
    return export.table_facts(content.rows)
