"""Rows of JSON, known formats and Parquet, laid out as the compiled loops take them."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from auditor.arrays import Int64s, UInt8s
from auditor.errors import LogFormatError
from auditor.log.dictionary_kernels import PADDING
from auditor.log.reading import delimited
from auditor.log.reading import field_kernels as kernels
from auditor.log.reading.column_mapping import EPOCH_UNITS, ROLES, SERIAL, ColumnLayout, ReadOptions
from auditor.log.reading.delimited import empty_fields
from auditor.log.reading.field_kernels import RowFields
from auditor.log.reading.pipeline import SERIAL_1970, ParsedBlock, ParseTask
from auditor.log.reading.presets.base import RecordFunction, is_bulk_action, json_object
from auditor.log.reading.presets.json_paths import explode_lists
from auditor.log.reading.presets.registry import PRESETS
from auditor.log.reading.sources import SourcePart, SourceStream, name_donors, open_regular
from auditor.log.reading.time_kernels import BAD_TIME, LEAST, MOST
from auditor.log.reading.transcoding import is_utf8
from auditor.progress import Progress

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq


BATCH = 32_768
"""Rows of Parquet taken at once."""

ROW_BYTES = 16
"""What a row of Parquet counts for at least, however few bits of the file it takes."""


Rows = list[list[tuple[int, bytes]]]
"""Of each row of a line the fields, as number of the role and text."""
RowFunction = Callable[[bytes], "Rows | None"]


def line_reader(layout: ColumnLayout, options: ReadOptions, state: Any = None) -> RowFunction:
    """What turns a line of JSON, or of a known format, into rows."""
    if layout.format == "jsonl":
        names = [(layout.roles.index(role), named_columns(layout, role)) for role in layout.columns]
        return partial(_json_rows, names)
    if layout.format not in PRESETS:
        return partial(_joined_rows, layout)
    preset = PRESETS[layout.format]
    return partial(_preset_rows, preset.start(options.columns, state))


def lines_block(
    read: RowFunction,
    layout: ColumnLayout,
    options: ReadOptions,
    data: UInt8s,
    start: int,
    stop: int,
    _final: bool,
) -> ParsedBlock:
    """The fields of a block of lines, each of which may be no row, one or several."""
    lines = data[start:stop].tobytes().split(b"\n")[:-1]
    found: list[tuple[int, int, int, int, list[tuple[int, bytes]]]] = []
    begin = start
    passed = 0
    for number, line in enumerate(lines):
        end = begin + len(line)
        reason = _json_fault(line, options.max_line_bytes)
        rows = None if reason else read(line)
        if rows is None:
            found.append((number, begin, end, reason or _choose_reason(layout), []))
        else:
            passed += not rows
            found += [(number, begin, end, kernels.FINE, row) for row in rows]
        begin = end + 1
    fields = empty_fields(data, len(found), len(layout.roles))
    pieces: list[bytes] = []
    size = 0
    for row, (number, begin, end, reason, texts) in enumerate(found):
        fields.spans[row] = number, begin, end
        fields.reason[row] = reason
        for role, text in texts:
            fields.starts[row, role] = size
            size += len(text)
            fields.stops[row, role] = size
            pieces.append(text)
    joined = np.frombuffer(b"".join(pieces) + bytes(PADDING), dtype=np.uint8).copy()
    fields = _check_texts(fields, joined, layout)
    return ParsedBlock(fields, len(lines), stop - start, passed)


def named_columns(layout: ColumnLayout, role: str) -> tuple[str, ...]:
    """The names of the columns that make up a role's value."""
    return tuple(map(str, layout.joined.get(role, (layout.columns[role],))))


def _joined_rows(layout: ColumnLayout, line: bytes) -> Rows | None:
    """The row of a delimited line some of whose values are made of several fields."""
    text = line.decode("utf-8").removesuffix("\r")
    if text.encode("utf-8") == layout.header:
        return []
    row = text.split(layout.delimiter)
    if layout.quoting:
        row = next(csv.reader([text], delimiter=layout.delimiter), [])
    if len(row) != layout.width:
        return None
    fields = []
    for role, column in layout.columns.items():
        places = layout.joined.get(role, (column,))
        value = " ".join(row[int(place)] for place in places)
        value = value.strip() if len(places) > 1 else value
        fields.append((layout.roles.index(role), value.encode()))
    return [fields]


def _choose_reason(layout: ColumnLayout) -> int:
    preset = PRESETS.get(layout.format)
    text = layout.format != "jsonl" and not layout.elements and (preset is None or preset.lines)
    return kernels.COLUMN_COUNT if text else kernels.BAD_JSON


def _json_fault(line: bytes, most: int) -> int:
    if len(line) > most:
        return kernels.LINE_TOO_LONG
    if not line.strip():
        return kernels.EMPTY_LINE
    if b"\0" in line:
        return kernels.NUL
    return kernels.FINE if is_utf8(line) else kernels.BAD_UTF8


def _preset_rows(read: RecordFunction, line: bytes) -> Rows | None:
    records = read(line.decode("utf-8").removesuffix("\r"))
    if records is None:
        return None
    return [
        [(ROLES.index(role), text.encode("utf-8", "surrogatepass")) for role, text in one.items()]
        for one in records
    ]


def _json_rows(names: list[tuple[int, tuple[str, ...]]], line: bytes) -> Rows | None:
    """The roles' values as text; None if the line is no object or a value is no plain one."""
    value = json_object(line.decode("utf-8"))
    if value is None:
        return None
    if is_bulk_action(value):
        return []
    wanted = [name for _, parts in names for name in parts]
    flat = not any("." in name for name in wanted)
    rows = [value] if flat else explode_lists(value, wanted)
    made: Rows = []
    for row in rows:
        fields = _encode_fields(row, names)
        if fields is None:
            return None
        made.append(fields)
    return made


def _encode_fields(
    row: Mapping[str, Any], names: list[tuple[int, tuple[str, ...]]]
) -> list[tuple[int, bytes]] | None:
    fields = []
    for role, parts in names:
        values = [row[name] for name in parts if row.get(name) is not None]
        for place, value in enumerate(values):
            if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
                values[place] = int(value)
            elif isinstance(value, bool) and role >= len(ROLES):
                values[place] = str(value).lower()
            elif isinstance(value, bool) or not isinstance(value, str | int | float):
                return None
        if values:
            text = " ".join(map(str, values))
            fields.append((role, text.encode("utf-8", "surrogatepass")))
    return fields


def _check_texts(fields: RowFields, texts: UInt8s, layout: ColumnLayout) -> RowFields:
    """The same rows with their fields in `texts`, refused where a text can't be one.

    The refused rows' own bytes stay in the old data; they are copied behind the texts.
    """
    role = np.zeros(len(fields.reason), dtype=np.uint8)
    fine = fields.reason == kernels.FINE
    if not _are_sound(texts, fields):
        kernels.check_texts(texts, fields.starts, fields.stops, fields.reason, role)
    for row in np.flatnonzero(fine & (fields.reason != kernels.FINE)):
        place = layout.columns.get(layout.roles[role[row]])
        fields.column[row] = place + 1 if isinstance(place, int) else 0
    fields.spans[:, 1:] += len(texts) if len(fields.data) else 0
    return fields._replace(data=np.concatenate([texts, fields.data]))


def _are_sound(texts: UInt8s, fields: RowFields) -> bool:
    """Whether all texts together are UTF-8 without NUL, and each begins with a whole character."""
    raw = texts[: len(texts) - PADDING].tobytes()
    if 0 in raw or not is_utf8(raw):
        return False
    if raw.isascii():
        return True
    cuts = np.concatenate([fields.starts.ravel(), fields.stops.ravel()])
    return not np.any(texts[cuts[cuts >= 0]] & 0xC0 == 0x80)


def open_parquet(
    part: SourcePart, layout: ColumnLayout | None, options: ReadOptions
) -> pq.ParquetFile:
    """Open a Parquet file; raises `LogFormatError` if it isn't one or claims to be too large."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    # Text columns are taken as dictionaries: one long string in ten million rows stays one.
    wanted = set(layout.columns.values()) if layout else None
    raw = open_regular(part.path)
    try:
        kinds = pq.read_schema(raw)
        texts = [one.name for one in kinds if _is_text(one.type)]
        texts = [name for name in texts if wanted is None or name in wanted]
        raw.seek(0)
        file = pq.ParquetFile(raw, read_dictionary=texts)
        groups = (file.metadata.row_group(k) for k in range(file.metadata.num_row_groups))
        size = sum(max(0, group.total_byte_size) for group in groups)
        size = max(size, file.metadata.num_rows * ROW_BYTES)
    except (pa.ArrowException, OSError, ValueError, OverflowError, IndexError, KeyError):
        raw.close()
        raise part.make_error(DAMAGED) from None
    if len(set(kinds.names)) < len(kinds.names):
        file.close(force=True)
        raise part.make_error("Two columns of the Parquet file have the same name.")
    if told := options.describe_excess(part.size, size):
        file.close(force=True)
        raise part.make_error(told)
    return file


def _is_text(kind: pa.DataType) -> bool:
    import pyarrow as pa

    texts = (pa.types.is_string, pa.types.is_large_string, pa.types.is_binary)
    return any(test(kind) for test in (*texts, pa.types.is_large_binary))


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
                # What the file says of its sizes need not be true.
                if told := options.describe_excess(part.size, table.get_total_buffer_size()):
                    raise part.make_error(told)
                place = behind + int(part.size * min(1.0, done / rows))
                yield ParseTask(
                    part, layout, partial(batch_block, part, layout, table), place, first
                )
                first = False
            if groups is None and done != file.metadata.num_rows:
                raise part.make_error(DAMAGED)
    finally:
        file.close(force=True)


DAMAGED = "The file is damaged or cut short."


@contextmanager
def damage_named(part: SourcePart) -> Iterator[None]:
    """Turn whatever Arrow says of a damaged file into one clear error."""
    import pyarrow as pa

    try:
        yield
    except (pa.ArrowException, OSError, ValueError, OverflowError, IndexError, KeyError):
        raise part.make_error(DAMAGED) from None


def open_arrow(part: SourcePart, options: ReadOptions) -> pa.Table:
    """The table of a file or stream of Arrow's, mapped into memory; raises `LogFormatError`."""
    import pyarrow as pa

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
            if told := options.describe_excess(part.size, size):
                raise part.make_error(told)
        table = pa.Table.from_batches(batches, reader.schema)
    if len(set(table.schema.names)) < len(table.schema.names):
        raise part.make_error("Two of its columns have the same name.")
    return table


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


def log_tasks(
    parts: Sequence[tuple[SourcePart, ColumnLayout]],
    options: ReadOptions,
    progress: Progress,
    *,
    block: int | None = None,
    compiled: bool = True,
) -> Iterator[ParseTask]:
    """The blocks of all files of a log, each read by its own layout."""
    state = _collect_state(parts, options, progress)
    preset_reader: RowFunction | None = None  # numbers rows through all files
    behind = 0
    donors = name_donors([part for part, _ in parts])
    for (part, layout), donor in zip(parts, donors, strict=True):
        if layout.format == "parquet":
            yield from parquet_tasks(part, layout, options, block or BATCH, behind=behind)
        elif layout.format == "arrow":
            yield from table_tasks(open_arrow(part, options), part, layout, behind)
        else:
            find = None
            if layout.format == "jsonl" or layout.format in PRESETS or layout.joined:
                preset = PRESETS.get(layout.format)
                if preset is not None and preset.by_file:
                    preset_reader, state = None, donor
                read = preset_reader or line_reader(layout, options, state)
                preset_reader = None if preset is None else read
                find = partial(lines_block, read, layout, options)
            with SourceStream(part, options) as stream:
                yield from delimited.line_tasks(
                    part,
                    delimited.decode_stream(stream, layout),
                    layout,
                    options,
                    find,
                    block_bytes=block or delimited.BLOCK_BYTES,
                    behind=behind,
                    ordered=layout.format in PRESETS and PRESETS[layout.format].ordered,
                    compiled=compiled,
                )
        behind += part.size


def _collect_state(
    parts: Sequence[tuple[SourcePart, ColumnLayout]], options: ReadOptions, progress: Progress
) -> Any:
    """What a known format must know of all lines before the first is turned into rows."""
    preset = PRESETS.get(parts[0][1].format)
    if preset is None or preset.collect is None:
        return None
    return preset.collect(delimited.text_lines(parts, options, progress))


def batch_block(part: SourcePart, layout: ColumnLayout, table: pa.RecordBatch) -> ParsedBlock:
    """The fields of a batch of Arrow's."""
    import pyarrow as pa

    try:
        return _parse_columns(part, layout, table)
    except (pa.ArrowException, IndexError):
        raise part.make_error("A column can't be read as the role it is given.") from None


def _parse_columns(part: SourcePart, layout: ColumnLayout, table: pa.RecordBatch) -> ParsedBlock:
    rows = len(table)
    fields = empty_fields(np.zeros(0, dtype=np.uint8), rows, len(layout.roles))
    times: Int64s | None = None
    fields.spans[:, 0] = np.arange(rows)
    buffers: list[UInt8s] = []
    size = 0
    for role in layout.columns:
        columns = [table.column(name) for name in named_columns(layout, role)]
        column = columns[0] if len(columns) == 1 else _join_texts(columns, part)
        number = layout.roles.index(role)
        if role == "time":
            times = read_times(column, layout)
            if times is not None:
                continue
        data, starts, stops = _extract_texts(column, part)
        if size + len(data) > 2**31 - 2**16:
            raise part.make_error("The texts of one batch are larger than 2 GB.")
        fields.starts[:, number] = np.where(starts >= 0, starts + size, -1)
        fields.stops[:, number] = np.where(starts >= 0, stops + size, -1)
        buffers.append(data)
        size += len(data)
    texts = np.concatenate([*buffers, np.zeros(PADDING, dtype=np.uint8)])
    return ParsedBlock(_check_texts(fields, texts, layout), rows, times=times)


def read_times(column: pa.Array, layout: ColumnLayout) -> Int64s | None:
    """Seconds UTC of a column that holds moments or numbers; None if it holds text."""
    import pyarrow as pa
    import pyarrow.compute as pc

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
        seconds = pc.round(pc.multiply(pc.subtract(column, float(SERIAL_1970)), 86_400.0))
        unit = 1
        numbers = pc.if_else(pc.is_finite(seconds), seconds, None).cast(pa.int64(), safe=False)
    elif pa.types.is_floating(kind):
        unit = layout.time.unit
        whole = pc.if_else(pc.is_finite(column), pc.floor(column), None)
        numbers = whole.cast(pa.int64(), safe=False)
    else:
        return None
    missing = numbers.is_null().to_numpy(zero_copy_only=False)
    values: Int64s = numbers.fill_null(0).to_numpy(zero_copy_only=False) // unit
    bad = missing | (values < LEAST) | (values > MOST)
    return np.where(bad, np.int64(BAD_TIME), values)


def _join_texts(columns: list[pa.Array], part: SourcePart) -> pa.Array:
    """Columns put together with a blank between; what is missing is left out."""
    import pyarrow as pa
    import pyarrow.compute as pc

    plain = [c.dictionary_decode() if pa.types.is_dictionary(c.type) else c for c in columns]
    texts = [_as_text(column, part).fill_null("") for column in plain]
    return pc.utf8_trim_whitespace(
        pc.binary_join_element_wise(*texts, pa.scalar(" ", pa.large_string()))
    )


def _extract_texts(column: pa.Array, part: SourcePart) -> tuple[UInt8s, Int64s, Int64s]:
    """A column's bytes and where each row's value begins and ends, −1 for nulls."""
    import pyarrow as pa

    if not pa.types.is_dictionary(column.type):
        if pa.types.is_floating(column.type):
            column = column.cast(pa.int64(), safe=False)
        column = _as_text(column, part).dictionary_encode()
    words = _as_text(column.dictionary, part)
    codes = column.indices.cast(pa.int64()).fill_null(-1).to_numpy(zero_copy_only=False)
    _, offsets, data = words.buffers()
    places = np.frombuffer(offsets, dtype=np.int64)[words.offset : words.offset + len(words) + 1]
    if not len(words):
        nothing = np.full(len(codes), -1, dtype=np.int64)
        return np.zeros(0, dtype=np.uint8), nothing, nothing
    whole = np.frombuffer(data, dtype=np.uint8) if data else np.zeros(0, dtype=np.uint8)
    null = (codes < 0) | words.is_null().to_numpy(zero_copy_only=False)[codes]
    base = places[0]
    starts = np.where(null, -1, places[codes] - base)
    stops = np.where(null, -1, places[codes + 1] - base)
    return whole[base : places[-1]], starts, stops


def _as_text(column: pa.Array, part: SourcePart) -> pa.Array:
    import pyarrow as pa

    kind = column.type
    if pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
        return column.cast(pa.large_string())
    if pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
        return column.cast(pa.large_binary()).view(pa.large_string())
    if pa.types.is_integer(kind) or pa.types.is_decimal(kind) or pa.types.is_boolean(kind):
        return column.cast(pa.large_string())
    if pa.types.is_null(kind) or pa.types.is_temporal(kind):
        return column.cast(pa.string()).cast(pa.large_string())
    raise LogFormatError("A column holds neither text nor numbers.", path=part.name)
