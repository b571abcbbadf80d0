"""Rows of JSON and of known formats, laid out as the compiled loops take them; a log's blocks."""

import codecs
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from auditor.arrays import UInt8s
from auditor.log.dictionary_kernels import PADDING
from auditor.log.reading import columnar, delimited
from auditor.log.reading import field_kernels as kernels
from auditor.log.reading.column_mapping import ROLES, ColumnLayout, ReadOptions
from auditor.log.reading.pipeline import ParsedBlock, ParseTask
from auditor.log.reading.presets.base import RecordFunction, is_bulk_action, join_items, json_object
from auditor.log.reading.presets.json_array import explode_lists, unwrap_single
from auditor.log.reading.presets.registry import PRESETS
from auditor.log.reading.sources import SourcePart, SourceStream, is_utf8, name_donors
from auditor.progress import Progress

_IDS = (kernels.USER, kernels.URL, kernels.COOKIE)
"""Roles in which a number is an id: of floats from 2**53 on, several ids may be the same one."""
Rows = list[list[tuple[int, bytes]]]
"""Of each row of a line the fields, as number of the role and text."""
RowFunction = Callable[[bytes], "Rows | None"]


def line_reader(layout: ColumnLayout, options: ReadOptions, state: Any = None) -> RowFunction:
    """What turns a line of JSON, or of a known format, into rows."""
    if layout.format == "jsonl":
        names = [
            (layout.roles.index(role), columnar.named_columns(layout, role))
            for role in layout.columns
        ]
        return partial(_json_rows, names)
    preset = PRESETS[layout.format]
    columns = {name: name for name in layout.columns if name not in ROLES}
    return partial(_preset_rows, layout.roles, preset.start({**options.columns, **columns}, state))


def lines_block(
    read_row: RowFunction,
    layout: ColumnLayout,
    options: ReadOptions,
    data: UInt8s,
    start: int,
    stop: int,
    _final: bool,
) -> ParsedBlock:
    """The fields of a block of lines, each of which may be no row, one or several."""
    preset = PRESETS.get(layout.format)
    plain = layout.format != "jsonl" and not layout.elements and (preset is None or preset.lines)
    unreadable = kernels.COLUMN_COUNT if plain else kernels.BAD_JSON
    raw = data[start:stop].tobytes()
    if layout.format == "jsonl":  # in which carriage returns are blanks, or ends of lines
        raw = raw.replace(b"\r\n", b" \n").replace(b"\r", b"\n")
    lines = raw.split(b"\n")[:-1]
    records: list[tuple[int, int, int, int, list[tuple[int, bytes]]]] = []
    begin = start
    passed = 0
    for number, line in enumerate(lines):
        end = begin + len(line)
        reason = _json_fault(line, options.max_line_bytes)
        rows = None if reason else read_row(line.removeprefix(codecs.BOM_UTF8))
        if rows is None:
            records.append((number, begin, end, reason or unreadable, []))
        else:
            passed += not rows
            records += [(number, begin, end, kernels.FINE, row) for row in rows]
        begin = end + 1
    fields = delimited.empty_fields(data, len(records), len(layout.roles))
    pieces: list[bytes] = []
    size = 0
    for row, (number, begin, end, reason, texts) in enumerate(records):
        fields.spans[row] = number, begin, end
        fields.reason[row] = reason
        for role, text in texts:
            fields.starts[row, role] = size
            size += len(text)
            fields.stops[row, role] = size
            pieces.append(text)
    buffer = np.frombuffer(b"".join(pieces) + bytes(PADDING), dtype=np.uint8).copy()
    fields = delimited.check_texts(fields, buffer, layout)
    return ParsedBlock(fields, len(lines), stop - start, passed)


def _json_fault(line: bytes, longest_line: int) -> int:
    if len(line) > longest_line:
        return kernels.LINE_TOO_LONG
    if not line.strip():
        return kernels.EMPTY_LINE
    if b"\0" in line:
        return kernels.NUL
    return kernels.FINE if is_utf8(line) else kernels.BAD_UTF8


def _preset_rows(roles: Sequence[str], read_line: RecordFunction, line: bytes) -> Rows | None:
    records = read_line(line.decode("utf-8").removesuffix("\r"))
    if records is None:
        return None
    return [
        [
            (roles.index(role), text.encode("utf-8", "surrogatepass"))
            for role, text in record.items()
            if role in roles
        ]
        for record in records
    ]


def _json_rows(names: list[tuple[int, tuple[str, ...]]], line: bytes) -> Rows | None:
    """The roles' values as text; None if the line is no object or a value is no plain one.

    Nor is a number plain that stands for several ids, see `_IDS`.
    """
    value = json_object(line.decode("utf-8"))
    if value is None:
        return None
    if is_bulk_action(value):
        return []
    paths = [name for _, parts in names for name in parts]
    flat = not any("." in name for name in paths)
    rows = [value] if flat else explode_lists(value, paths)
    if rows is None:
        return None
    fields = [_encode_fields(row, names) for row in rows]
    return None if None in fields else [row for row in fields if row is not None]


def _encode_fields(
    row: Mapping[str, Any], names: list[tuple[int, tuple[str, ...]]]
) -> list[tuple[int, bytes]] | None:
    fields = []
    for role, parts in names:
        values = [row[name] for name in parts if row.get(name) is not None]
        for place, value in enumerate(map(unwrap_single, values)):
            values[place] = value
            if isinstance(value, float) and not abs(value) < 2**53 and role in _IDS:
                return None
            if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
                values[place] = int(value)
            elif isinstance(value, bool) and role >= len(ROLES):
                values[place] = str(value).lower()
            elif isinstance(value, list) and role >= len(ROLES):
                values[place] = join_items(value)
            elif isinstance(value, bool) or not isinstance(value, str | int | float):
                return None
        if values:
            text = " ".join(map(str, values))
            fields.append((role, text.encode("utf-8", "surrogatepass")))
    return fields


def log_tasks(
    parts: Sequence[tuple[SourcePart, ColumnLayout]],
    options: ReadOptions,
    progress: Progress,
    *,
    block: int | None = None,
) -> Iterator[ParseTask]:
    """The blocks of all files of a log, each read by its own layout."""
    preset = PRESETS.get(parts[0][1].format)
    state: Any = None
    if preset is not None and preset.collect is not None:
        state = preset.collect(delimited.text_lines(parts, options, progress))
    preset_reader: RowFunction | None = None  # numbers rows through all files
    behind = 0
    donors = name_donors([part for part, _ in parts])
    for (part, layout), donor in zip(parts, donors, strict=True):
        if layout.format == "parquet":
            yield from columnar.parquet_tasks(
                part, layout, options, block or columnar.BATCH, behind=behind
            )
        elif layout.format == "arrow":
            yield from columnar.table_tasks(
                columnar.open_arrow(part, options), part, layout, behind
            )
        else:
            find = None
            if layout.format == "jsonl" or layout.format in PRESETS:
                preset = PRESETS.get(layout.format)
                if preset is not None and preset.by_file:
                    preset_reader, state = None, donor
                read_row = preset_reader or line_reader(layout, options, state)
                preset_reader = None if preset is None else read_row
                find = partial(lines_block, read_row, layout, options)
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
                )
        behind += part.size
