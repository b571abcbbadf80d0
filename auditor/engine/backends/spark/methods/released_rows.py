"""Released rows as pieces of the release's files, written by the executors.

Rows are sorted over all machines; every task turns its range into lines and writes them to a file
of its own name. The driver learns which file a range has from the result of the one attempt that
Spark counts, so what a lost or doubled attempt wrote is never looked at.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
from pyspark import TaskContext
from pyspark.sql import DataFrame

from auditor.engine.backends.spark.run_context import SparkRunContext
from auditor.engine.backends.spark.session import check_folder, map_in_arrow, put_up, wait_for
from auditor.engine.distributed_results import Formatter

PIECES = "part long, file string, size long, rows long"


def write_pieces(work: SparkRunContext, ordered: DataFrame, format: Formatter) -> list[Path]:
    """The rows of a sorted frame as lines, in files to be put one behind the other."""
    folder = work.folder / uuid.uuid4().hex
    folder.mkdir(mode=0o700)
    place = put_up(folder)

    def write(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        check_folder(place)
        context = TaskContext.get()
        part = context.partitionId() if context is not None else 0
        name = uuid.uuid4().hex
        size = rows = 0
        with (Path(place) / name).open("xb") as file:
            for batch in batches:
                if len(batch):
                    size += file.write(format(pa.Table.from_batches([batch])))
                    rows += len(batch)
        yield pa.RecordBatch.from_pydict(
            {"part": [part], "file": [name], "size": [size], "rows": [rows]}
        )

    # One row a task, never one a row of the release.
    pieces = work.collect_rows(map_in_arrow(ordered, write, PIECES), 1 << 20)
    paths = []
    for row in sorted(pieces, key=lambda row: row["part"]):
        path, size = folder / row["file"], row["size"]

        def is_whole(path: Path = path, size: int = size) -> bool:
            return path.exists() and path.stat().st_size == size

        wait_for(is_whole, work.progress)
        paths.append(path)
    return paths
