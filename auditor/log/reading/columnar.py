"""Columns of Parquet, of Arrow and of tables in memory: what they look like, and their rows."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyarrow import types

from auditor.arrays import Int64s, UInt8s
from auditor.errors import LogFormatError
from auditor.log.dictionary_kernels import PADDING
from auditor.log.reading import format_detection
from auditor.log.reading.column_inference import Rows
from auditor.log.reading.column_mapping import EPOCH_UNITS, ROLES, SERIAL, ColumnLayout, ReadOptions
from auditor.log.reading.delimited import check_texts, empty_fields
from auditor.log.reading.format_detection import DetectedFormat
from auditor.log.reading.pipeline import ParsedBlock, ParseTask
from auditor.log.reading.presets.base import join_items
from auditor.log.reading.sources import SourcePart, open_regular
from auditor.log.reading.time_kernels import BAD_TIME, LEAST, MOST

BATCH = 32_768
"""Rows of Parquet taken at once."""
ROW_BYTES = 16
"""What a row of Parquet counts for at least, however few bits of the file it takes."""
DAMAGED = "The file is damaged or cut short."
_DAMAGES = (pa.ArrowException, OSError, ValueError, OverflowError, IndexError, KeyError)
ROUNDED = (
    "A column of ids holds floating-point numbers so large that they are rounded: several ids may "
    "be one. Write it as whole numbers or text."
)
_TEXT = re.compile("(large_)?(string|binary)")
"""Arrow's names of the types of texts."""
_DIGITS = {16: 11, 32: 24, 64: 53}
"""Binary digits of a floating-point number, by its bits."""
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
            kinds = flatten_structures(file.schema_arrow.empty_table()).schema
            count = file.metadata.num_rows
            groups = _spread(file.metadata.num_row_groups, MOST_PLACES)
            rows: Rows = []
            for group in groups:
                size = -(-LOOKED_AT // len(groups))
                batch = next(file.iter_batches(batch_size=size, row_groups=[group]), None)
                if batch is not None:
                    batch.validate(full=True)
                    rows += _format_rows(pa.Table.from_batches([batch]))
    finally:
        file.close(force=True)
    return _finish_format(kinds, rows, count, options, "parquet")


def flatten_structures(table: pa.Table, name: str = "") -> pa.Table:
    """The table with a column for each field of its structures, their names dotted.

    Raises `LogFormatError` where two columns of the table called `name` have the same name.
    """
    while any(map(pa.types.is_struct, table.schema.types)):
        table = table.flatten()
    if name and len(set(table.schema.names)) < len(table.schema.names):
        raise LogFormatError("Two of its columns have the same name.", path=name)
    return table


def guess_table(table: pa.Table, options: ReadOptions, form: str = "parquet") -> DetectedFormat:
    """The layout of a table in memory from its schema and rows of all its parts."""
    places = _spread(table.num_rows // PLACE_ROWS + 1, LOOKED_AT // PLACE_ROWS)
    head = pa.concat_tables([table.slice(place * PLACE_ROWS, PLACE_ROWS) for place in places])
    return _finish_format(table.schema, _format_rows(head), table.num_rows, options, form)


def _finish_format(
    kinds: pa.Schema, rows: Rows, count: int, options: ReadOptions, form: str
) -> DetectedFormat:
    moments = frozenset(field.name for field in kinds if pa.types.is_temporal(field.type))
    resolved = replace(options, format=form)
    guess = DetectedFormat(None, resolved, tuple(kinds.names), rows, exact_rows=count)
    return format_detection.finish_named(guess, resolved, moments)


def _spread(count: int, sample_limit: int) -> list[int]:
    """At most `sample_limit` numbers below `count`, evenly spread from the first to the last."""
    steps = min(count, sample_limit)
    return [round(step * (count - 1) / max(1, steps - 1)) for step in range(steps)]


def _format_rows(table: pa.Table) -> Rows:
    columns = (column.combine_chunks() for column in flatten_structures(table).columns)
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


def named_columns(layout: ColumnLayout, role: str) -> tuple[str, ...]:
    """The names of the columns that make up a role's value."""
    return tuple(map(str, layout.joined.get(role, (layout.columns[role],))))


def open_parquet(
    part: SourcePart, layout: ColumnLayout | None, options: ReadOptions
) -> pq.ParquetFile:
    """Open a Parquet file; raises `LogFormatError` if it isn't one or claims to be too large."""
    # Text columns are taken as dictionaries: one long string in ten million rows stays one.
    columns = set(layout.columns.values()) if layout else None
    raw = open_regular(part.path)
    try:
        kinds = pq.read_schema(raw)
        texts = [field.name for field in kinds if _TEXT.fullmatch(str(field.type))]
        texts = [name for name in texts if columns is None or name in columns]
        raw.seek(0)
        file = pq.ParquetFile(raw, read_dictionary=texts)
        groups = (file.metadata.row_group(k) for k in range(file.metadata.num_row_groups))
        size = sum(max(0, group.total_byte_size) for group in groups)
        size = max(size, file.metadata.num_rows * ROW_BYTES)
    except _DAMAGES:
        raw.close()
        raise part.make_error(DAMAGED) from None
    if len(set(kinds.names)) < len(kinds.names):
        file.close(force=True)
        raise part.make_error("Two columns of the Parquet file have the same name.")
    if excess := options.describe_excess(part.size, size):
        file.close(force=True)
        raise part.make_error(excess)
    return file


def parquet_tasks(
    part: SourcePart,
    layout: ColumnLayout,
    options: ReadOptions,
    batch: int,
    *,
    behind: int = 0,
    groups: range | None = None,
) -> Iterator[ParseTask]:
    """The batches of a Parquet file, or of some row groups; lines are rows from 1."""
    file = open_parquet(part, layout, options)
    names = sorted({name for role in layout.columns for name in named_columns(layout, role)})
    rows = max(1, file.metadata.num_rows)
    done = 0
    first = True
    try:
        with damage_named(part):
            for table in file.iter_batches(batch_size=batch, row_groups=groups, columns=names):
                table.validate(full=True)
                done += len(table)
                flat = flatten_structures(pa.Table.from_batches([table]))
                [table] = flat.combine_chunks().to_batches()
                # What the file says of its sizes need not be true.
                if excess := options.describe_excess(part.size, table.get_total_buffer_size()):
                    raise part.make_error(excess)
                place = behind + int(part.size * min(1.0, done / rows))
                yield ParseTask(
                    part, layout, partial(batch_block, part, layout, table), place, first
                )
                first = False
            if groups is None and done != file.metadata.num_rows:
                raise part.make_error(DAMAGED)
    finally:
        file.close(force=True)


@contextmanager
def damage_named(part: SourcePart) -> Iterator[None]:
    """Turn whatever Arrow says of a damaged file into one clear error."""
    try:
        yield
    except _DAMAGES:
        raise part.make_error(DAMAGED) from None


def open_arrow(part: SourcePart, options: ReadOptions) -> pa.Table:
    """The table of a file or stream of Arrow's, mapped into memory; raises `LogFormatError`."""
    with open_regular(part.path) as file:
        is_file = file.read(6) == b"ARROW1"
    size, batches = 0, []
    with damage_named(part):
        source = pa.memory_map(str(part.path))
        reader = pa.ipc.open_file(source) if is_file else pa.ipc.open_stream(source)
        pieces = map(reader.get_batch, range(reader.num_record_batches)) if is_file else reader
        for batch in pieces:
            batch.validate(full=True)
            batches.append(batch)
            size += batch.nbytes
            if excess := options.describe_excess(part.size, size):
                raise part.make_error(excess)
        return flatten_structures(pa.Table.from_batches(batches, reader.schema), part.name)


def table_tasks(
    table: pa.Table, part: SourcePart, layout: ColumnLayout, behind: int = 0
) -> Iterator[ParseTask]:
    """The batches of a table in memory; lines are rows from 1."""
    names = sorted({name for role in layout.columns for name in named_columns(layout, role)})
    done = 0
    for batch in table.select(names).to_batches(max_chunksize=BATCH):
        first = done == 0
        done += len(batch)
        place = behind + part.size * done // max(1, table.num_rows)
        yield ParseTask(part, layout, partial(batch_block, part, layout, batch), place, first)


def batch_block(part: SourcePart, layout: ColumnLayout, table: pa.RecordBatch) -> ParsedBlock:
    """The fields of a batch of Arrow's."""
    try:
        return _parse_columns(part, layout, table)
    except (pa.ArrowException, IndexError):
        raise part.make_error("A column can't be read as the role it is given.") from None


def _parse_columns(part: SourcePart, layout: ColumnLayout, table: pa.RecordBatch) -> ParsedBlock:
    rows = len(table)
    fields = empty_fields(np.zeros(0, dtype=np.uint8), rows, len(layout.roles))
    times: Int64s | None = None
    zoned = False
    fields.spans[:, 0] = np.arange(rows)
    buffers: list[UInt8s] = []
    size = 0
    for role in layout.columns:
        column, *other_arrays = (table.column(name) for name in named_columns(layout, role))
        if other_arrays:  # put together with a blank between; what is missing is left out
            plain = (
                array.dictionary_decode() if pa.types.is_dictionary(array.type) else array
                for array in (column, *other_arrays)
            )
            texts = [_as_text(array, part).fill_null("") for array in plain]
            blank = pa.scalar(" ", pa.large_string())
            column = pc.utf8_trim_whitespace(pc.binary_join_element_wise(*texts, blank))
        if role in ("user", "url", "cookie") and pa.types.is_floating(column.type):
            numbers = column.cast(pa.float64())
            largest = pc.max(pc.abs(pc.if_else(pc.is_finite(numbers), numbers, 0.0))).as_py()
            if (largest or 0.0) >= 2 ** _DIGITS[column.type.bit_width]:
                raise part.make_error(ROUNDED)
        number = layout.roles.index(role)
        if number >= len(ROLES) and pa.types.is_list(column.type):
            lists = column.to_pylist()
            texts = [None if items is None else join_items(items) for items in lists]
            column = pa.array(texts, pa.large_string())
        if role == "time":
            kind = getattr(column.type, "value_type", column.type)  # of a dictionary
            times, zoned = read_times(column, layout), getattr(kind, "tz", None) is not None
            if times is not None:
                continue
        data, starts, stops = _extract_texts(column, part)
        if size + len(data) > 2**31 - 2**16:
            raise part.make_error("The texts of one batch are larger than 2 GB.")
        fields.starts[:, number] = np.where(starts >= 0, starts + size, -1)
        fields.stops[:, number] = np.where(starts >= 0, stops + size, -1)
        buffers.append(data)
        size += len(data)
    padded = np.concatenate([*buffers, np.zeros(PADDING, dtype=np.uint8)])
    return ParsedBlock(check_texts(fields, padded, layout), rows, times=times, zoned=zoned)


def read_times(column: pa.Array, layout: ColumnLayout) -> Int64s | None:
    """Seconds UTC of a column that holds moments or numbers; None if it holds text."""
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    kind = column.type
    if pa.types.is_date(kind):
        column, kind = column.cast(pa.timestamp("s")), pa.timestamp("s")
    if pa.types.is_timestamp(kind):
        unit = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}[kind.unit]
        numbers = column.cast(pa.int64())
    elif pa.types.is_integer(kind) and layout.time.unit in EPOCH_UNITS.values():
        unit = layout.time.unit
        numbers = column.cast(pa.int64(), safe=False)
    elif layout.time.kind == SERIAL and pa.types.is_floating(kind):
        seconds = pc.round(pc.multiply(pc.subtract(column, float(layout.time.unit)), 86_400.0))
        unit = 1
        numbers = pc.if_else(pc.is_finite(seconds), seconds, None).cast(pa.int64(), safe=False)
    elif pa.types.is_floating(kind):
        unit = layout.time.unit
        floors = pc.if_else(pc.is_finite(column), pc.floor(column), None)
        numbers = floors.cast(pa.int64(), safe=False)
    else:
        return None
    missing = numbers.is_null().to_numpy(zero_copy_only=False)
    values: Int64s = numbers.fill_null(0).to_numpy(zero_copy_only=False) // unit
    bad = missing | (values < LEAST) | (values > MOST)
    return np.where(bad, np.int64(BAD_TIME), values)


def _extract_texts(column: pa.Array, part: SourcePart) -> tuple[UInt8s, Int64s, Int64s]:
    """A column's bytes and where each row's value begins and ends, −1 for nulls."""
    if not pa.types.is_dictionary(column.type):
        if pa.types.is_floating(column.type):
            column = pc.if_else(pc.is_finite(column), column, None)
            values = column.cast(pa.int64(), safe=False)
            texts = (array.cast(pa.large_string()) for array in (values, column))
            column = pc.if_else(pc.equal(values.cast(column.type), column), *texts)
        column = _as_text(column, part).dictionary_encode()
    words = _as_text(column.dictionary, part)
    codes = column.indices.cast(pa.int64()).fill_null(-1).to_numpy(zero_copy_only=False)
    _, offsets, data = words.buffers()
    places = np.frombuffer(offsets, dtype=np.int64)[words.offset : words.offset + len(words) + 1]
    if not len(words):
        no_offsets = np.full(len(codes), -1, dtype=np.int64)
        return np.zeros(0, dtype=np.uint8), no_offsets, no_offsets
    values = np.frombuffer(data, dtype=np.uint8) if data else np.zeros(0, dtype=np.uint8)
    null = (codes < 0) | words.is_null().to_numpy(zero_copy_only=False)[codes]
    base = places[0]
    starts = np.where(null, -1, places[codes] - base)
    stops = np.where(null, -1, places[codes + 1] - base)
    return values[base : places[-1]], starts, stops


_PLAIN = (
    *(types.is_string, types.is_large_string, types.is_string_view),
    *(types.is_integer, types.is_decimal, types.is_boolean),
)
_BINARY = (types.is_binary, types.is_large_binary, types.is_fixed_size_binary)


def _as_text(column: pa.Array, part: SourcePart) -> pa.Array:
    kind = column.type
    if any(is_kind(kind) for is_kind in _PLAIN):
        return column.cast(pa.large_string())
    if any(is_kind(kind) for is_kind in _BINARY):
        return column.cast(pa.large_binary()).view(pa.large_string())
    if isinstance(kind, pa.UuidType):
        texts = [value and str(value) for value in column.to_pylist()]
        return pa.array(texts, pa.large_string())
    if pa.types.is_null(kind) or pa.types.is_temporal(kind):
        return column.cast(pa.string()).cast(pa.large_string())
    raise LogFormatError("A column holds neither text nor numbers.", path=part.name)
