"""A release that stands in a folder, as measures and attacks on Spark see it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from auditor.engine.backends.spark.run_context import SparkRunContext
from auditor.engine.backends.spark.session import map_in_arrow
from auditor.log.out_of_core.splits import LogSplits
from auditor.privacy.release import Anonymized

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame

Reader = Callable[[Path, tuple[str, ...]], "pa.Table"]
"""Reads one of a release's tables: columns a, b (or null) and n."""


@dataclass(frozen=True, eq=False)
class SparkRelease:
    """What a manifest tells of a release, and where its rows are.

    `splits` are those of a released log, None where tables were released.
    """

    release: Anonymized
    folder: Path
    read: Reader
    splits: LogSplits | None = None

    def has_table(self, name: str) -> bool:
        """Whether a table of that name was released."""
        return self.splits is None and (self.folder / f"{name}.tsv").is_file()

    def read_table(self, work: SparkRunContext, name: str, *keys: str) -> DataFrame:
        """One released table, read by an executor: columns a, b (or null) and n."""
        read, path = self.read, self.folder / f"{name}.tsv"

        def load(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            for batch in batches:
                if len(batch):
                    yield from read(path, keys).to_batches(max_chunksize=1 << 16)

        one = work.spark.range(0, 1, 1, 1)
        return map_in_arrow(one, load, "a string, b string, n long").repartition(work.parts)
