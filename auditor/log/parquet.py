"""What a Parquet file's columns look like."""

from __future__ import annotations

import pyarrow as pa

from auditor.log import guessing
from auditor.log.guessing import Guess
from auditor.log.mapping import ReadOptions
from auditor.log.sources import Part
from auditor.log.structured import open_parquet


def guess_parquet(part: Part, options: ReadOptions) -> Guess:
    """The layout of a Parquet file from its schema and first rows; `row_bytes` 0 says exact."""
    file = open_parquet(part, None, options)
    try:
        names = tuple(file.schema_arrow.names)
        batch = next(file.iter_batches(batch_size=500), None)
        columns = [] if batch is None else [column.to_pylist() for column in batch.columns]
    except (pa.ArrowException, OSError, ValueError):
        raise part.error("The Parquet file is damaged or cut short.") from None
    finally:
        file.close(force=True)
    rows = [
        ["" if value is None else str(value) for value in row] for row in zip(*columns, strict=True)
    ]
    known = guessing.with_changes(options, format="parquet")
    made = Guess(None, known, names, rows)
    return guessing.finish_named(made, known)
