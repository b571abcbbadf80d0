"""What the columns of a Parquet file, or of a table in memory, look like."""

from __future__ import annotations

import pyarrow as pa

from auditor.log.reading import format_detection
from auditor.log.reading.column_mapping import ReadOptions
from auditor.log.reading.format_detection import DetectedFormat
from auditor.log.reading.sources import SourcePart
from auditor.log.reading.structured import open_parquet

LOOKED_AT = 500
LONGEST = 16_384


def guess_parquet(part: SourcePart, options: ReadOptions) -> DetectedFormat:
    """The layout of a Parquet file from its schema and first rows."""
    file = open_parquet(part, None, options)
    try:
        names = tuple(file.schema_arrow.names)
        kinds = file.schema_arrow
        moments = [one.name for one in kinds if pa.types.is_temporal(one.type)]
        count = file.metadata.num_rows
        batch = next(file.iter_batches(batch_size=LOOKED_AT), None)
        columns = [] if batch is None else [_format_values(column) for column in batch.columns]
    except (pa.ArrowException, OSError, ValueError, OverflowError):
        raise part.make_error("The Parquet file is damaged or cut short.") from None
    finally:
        file.close(force=True)
    rows = [list(row) for row in zip(*columns, strict=True)]
    known = format_detection.with_changes(options, format="parquet")
    made = DetectedFormat(None, known, names, rows, exact_rows=count)
    return format_detection.finish_named(made, known, frozenset(moments))


def guess_table(table: pa.Table, options: ReadOptions) -> DetectedFormat:
    """The layout of a table in memory from its schema and first rows."""
    head = table.slice(0, LOOKED_AT).combine_chunks()
    moments = [one.name for one in table.schema if pa.types.is_temporal(one.type)]
    columns = [_format_values(column.combine_chunks()) for column in head.columns]
    rows = [list(row) for row in zip(*columns, strict=True)]
    known = format_detection.with_changes(options, format="parquet")
    names = tuple(table.schema.names)
    made = DetectedFormat(None, known, names, rows, exact_rows=table.num_rows)
    return format_detection.finish_named(made, known, frozenset(moments))


def _format_values(column: pa.Array) -> list[str]:
    """The values as text; a long one is made text once, however often it stands there."""
    if pa.types.is_dictionary(column.type):
        words = [_format_scalar(value) for value in column.dictionary]
        return ["" if code is None else words[code] for code in column.indices.to_pylist()]
    return [_format_scalar(value) for value in column]


def _format_scalar(scalar: pa.Scalar) -> str:
    """A value as text; Python has no word for a time outside its calendar."""
    try:
        value = scalar.as_py()
    except (ValueError, OverflowError):
        return "outside the calendar"
    if isinstance(value, bytes):
        value = value.decode("utf-8", "replace")
    return "" if value is None else str(value)[:LONGEST]
