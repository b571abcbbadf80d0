"""Tables in memory as query logs: pandas, Arrow, polars, DuckDB, through Arrow's stream interface.

Rows go the way that a Parquet file's go: the same are refused for the same reasons.
"""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Any

from auditor.errors import LogFormatError, ParameterError
from auditor.log.model import QueryLog
from auditor.log.reading.alignment import AlignedParts, SampledPart
from auditor.log.reading.column_mapping import ReadOptions
from auditor.log.reading.columnar import guess_table
from auditor.log.reading.reader import load_parts, parser_threads, settle_parts
from auditor.log.reading.sources import SourcePart
from auditor.log.sentences import sentence
from auditor.progress import Progress, silent_progress

if TYPE_CHECKING:
    import pyarrow as pa


def read_frame(
    frame: Any, options: ReadOptions | None = None, progress: Progress | None = None
) -> QueryLog:
    """The log in a table that has `__arrow_c_stream__`; O(rows), the table is held meanwhile.

    Raises `UserColumnUnnamed` if neither `options` nor a column's name says who the users are;
    `LogFormatError` if query or time can't be told, or too many rows are bad.
    """
    options, progress = options or ReadOptions(), progress or silent_progress()
    table = as_table(frame)
    part = SourcePart(Path("table"), "none", table.nbytes)
    try:
        table.validate(full=True)  # wrong offsets of strings would end the process
    except ValueError:
        raise LogFormatError("The table is damaged: its columns contradict themselves.") from None
    sample = SampledPart(part, b"", True, 0, guess_table(table, options))
    planned = settle_parts(AlignedParts([sample], sample.guess))
    origin = dataclasses.replace(planned.origin, files=(), stamps=(), format="table")
    planned = dataclasses.replace(planned, origin=origin)
    return load_parts(planned, progress, parser_threads(), table=table)


def as_table(frame: Any) -> pa.Table:
    """Any table with Arrow's stream interface as an Arrow table; columns aren't copied."""
    import pyarrow as pa

    if not hasattr(frame, "__arrow_c_stream__"):
        raise ParameterError(
            "frame", sentence("frames.table_arrow_stream_interface", name=type(frame).__name__)
        )
    try:
        return pa.RecordBatchReader.from_stream(frame).read_all()
    except (pa.ArrowException, TypeError, ValueError) as error:
        raise LogFormatError(
            sentence("frames.table_handed_over_through", name=type(error).__name__)
        ) from None
