"""What the columns of a Parquet file, or of a table in memory, look like."""

from __future__ import annotations

import pyarrow as pa

from auditor.log.reading import format_detection
from auditor.log.reading.column_inference import Rows
from auditor.log.reading.column_mapping import ReadOptions
from auditor.log.reading.format_detection import DetectedFormat
from auditor.log.reading.sources import SourcePart
from auditor.log.reading.structured import damage_named, open_parquet

LOOKED_AT = 500
LONGEST = 16_384
MOST_PLACES = 10
"""Row groups whose first rows are looked at: a log may be sorted by user."""
PLACE_ROWS = 10
"""Rows side by side that are looked at in a table."""


def guess_parquet(part: SourcePart, options: ReadOptions) -> DetectedFormat:
    """The layout of a Parquet file from its schema and the first rows of its row groups."""
    file = open_parquet(part, None, options)
    try:
        with damage_named(part):
            kinds, count = file.schema_arrow, file.metadata.num_rows
            groups = _spread(file.metadata.num_row_groups, MOST_PLACES)
            rows: Rows = []
            for group in groups:
                size = -(-LOOKED_AT // len(groups))
                batch = next(file.iter_batches(batch_size=size, row_groups=[group]), None)
                if batch is not None:
                    batch.validate(full=True)
                    rows += _format_rows(batch.columns)
    finally:
        file.close(force=True)
    return _finish_format(kinds, rows, count, options, "parquet")


def guess_table(table: pa.Table, options: ReadOptions, form: str = "parquet") -> DetectedFormat:
    """The layout of a table in memory from its schema and rows of all its parts."""
    places = _spread(table.num_rows // PLACE_ROWS + 1, LOOKED_AT // PLACE_ROWS)
    head = pa.concat_tables([table.slice(place * PLACE_ROWS, PLACE_ROWS) for place in places])
    rows = _format_rows([column.combine_chunks() for column in head.columns])
    return _finish_format(table.schema, rows, table.num_rows, options, form)


def _finish_format(
    kinds: pa.Schema, rows: Rows, count: int, options: ReadOptions, form: str
) -> DetectedFormat:
    moments = frozenset(one.name for one in kinds if pa.types.is_temporal(one.type))
    known = format_detection.with_changes(options, format=form)
    made = DetectedFormat(None, known, tuple(kinds.names), rows, exact_rows=count)
    return format_detection.finish_named(made, known, moments)


def _spread(count: int, most: int) -> list[int]:
    """At most so many of the numbers below `count`, from the first to the last."""
    steps = min(count, most)
    return [round(step * (count - 1) / max(1, steps - 1)) for step in range(steps)]


def _format_rows(columns: list[pa.Array]) -> Rows:
    return [list(row) for row in zip(*map(_format_values, columns), strict=True)]


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
