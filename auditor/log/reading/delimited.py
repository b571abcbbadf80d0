"""Blocks of delimited text, cut at line ends, and their fields found and checked."""

import itertools
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

import numpy as np

from auditor.arrays import UInt8s
from auditor.log.dictionary_kernels import PADDING
from auditor.log.reading import field_kernels
from auditor.log.reading import parse_kernels as kernels
from auditor.log.reading.column_mapping import ColumnLayout, ReadOptions
from auditor.log.reading.decompression import fill_view
from auditor.log.reading.field_kernels import RowFields
from auditor.log.reading.pipeline import ParsedBlock, ParseTask
from auditor.log.reading.presets.json_array import ReadableBytes
from auditor.log.reading.sources import SourcePart, SourceStream, TranscodedStream, is_utf8
from auditor.progress import Progress

BLOCK_BYTES = 2**20
NEWLINE, RETURN = 10, 13


class DelimitedBlocks:
    """Cuts a stream into blocks of whole lines; each is padded and ends with a line end.

    A line longer than `most` bytes loses what is beyond `most` + 1 of them if it doesn't fit in
    a block, so memory stays bounded and the line is still refused as too long.
    """

    def __init__(self, stream: ReadableBytes, size: int, longest_field: int) -> None:
        self._stream = stream
        self._size = max(size, 64)
        self._most = longest_field
        self._rest = np.zeros(0, dtype=np.uint8)
        self.ended = False
        self.count = 0

    def read_block(self) -> tuple[UInt8s, int] | None:
        """The next block and where it ends; None after the last."""
        while not self.ended:
            carry = len(self._rest)
            data = np.empty(carry + self._size + 1 + PADDING, dtype=np.uint8)
            data[:carry] = self._rest
            view = memoryview(data)[carry : carry + self._size]  # type: ignore[arg-type]
            stop = carry + fill_view(self._stream, view)
            self.ended = stop < carry + self._size
            if self.ended and stop and data[stop - 1] != NEWLINE:
                data[stop] = NEWLINE
                stop += 1
            cut = data[:stop].tobytes().rfind(b"\n") + 1
            if stop - cut > self._most and end_at_returns(data[cut:stop]):
                cut = data[:stop].tobytes().rfind(b"\n") + 1
            data[stop : stop + PADDING] = 0
            self._rest = data[cut:stop][: self._most + 1].copy()
            if cut:
                self.count += 1
                # The eight bytes after the end may be looked at, though nothing comes of them.
                return data, cut
        return None

    def put_back(self, piece: UInt8s) -> None:
        """Have `piece` stand before what comes next."""
        self._rest = np.concatenate([piece, self._rest])


def end_at_returns(piece: UInt8s) -> bool:
    """End lines at carriage returns that no line feed follows; whether there is any."""
    returns = np.flatnonzero((piece[:-1] == RETURN) & (piece[1:] != NEWLINE))
    piece[returns] = NEWLINE
    return len(returns) > 0


BlockFunction = Callable[[UInt8s, int, int, bool], ParsedBlock]
"""Finds the fields of the rows in bytes [start, stop) of a block; the last says that it ends."""


def decode_stream(stream: SourceStream, layout: ColumnLayout) -> ReadableBytes:
    """The text of a stream in UTF-8, one row, or one value of JSON, a line."""
    source: ReadableBytes = stream
    if layout.recoded or layout.returns:
        source = TranscodedStream(stream, layout.recoded, layout.returns)
    return layout.elements(source) if layout.elements else source


def text_lines(
    parts: Iterable[tuple[SourcePart, ColumnLayout]], options: ReadOptions, progress: Progress
) -> Iterator[str]:
    """All lines of several files as text, for whoever must know them before the first is read."""
    for part, layout in parts:
        with SourceStream(part, options) as stream:
            blocks = DelimitedBlocks(
                decode_stream(stream, layout), BLOCK_BYTES, options.max_line_bytes
            )
            while (block := blocks.read_block()) is not None:
                progress.check()
                data, stop = block
                for line in data[:stop].tobytes().split(b"\n")[:-1]:
                    yield line.decode("utf-8", "replace")


def line_tasks(
    part: SourcePart,
    source: ReadableBytes,
    layout: ColumnLayout,
    options: ReadOptions,
    find: BlockFunction | None = None,
    *,
    block_bytes: int = BLOCK_BYTES,
    behind: int = 0,
    ordered: bool = False,
) -> Iterator[ParseTask]:
    """The blocks of lines of a stream; `find` finds fields (default: delimited ones).

    `behind` is how many bytes stand in the files before. With `ordered`, `find` is called for one
    block after another. Lines are counted from the first; no header is looked for in a stream
    that was begun.
    """
    is_start = source.consumed == 0
    blocks = DelimitedBlocks(source, block_bytes, options.max_line_bytes)
    # Where a quoted record ends depends on all quotes before: one block after another.
    ordered = ordered or (find is None and layout.quoting)
    find = find or partial(split_block, layout, options)
    lines = layout.skipped_lines if is_start else 0
    while (block := blocks.read_block()) is not None:
        data, stop = block
        start = _find_first_row(data, stop, lines) if is_start else 0
        work = partial(find, data, start, stop, blocks.ended or not ordered)
        if ordered:
            parsed = work()
            if start + parsed.used < stop:
                blocks.put_back(data[start + parsed.used : stop])
            work = partial(lambda block: block, parsed)
        yield ParseTask(part, layout, work, behind + source.consumed, blocks.count == 1, lines)
        is_start, lines = False, 0


def split_block(
    layout: ColumnLayout, options: ReadOptions, data: UInt8s, start: int, stop: int, final: bool
) -> ParsedBlock:
    """The fields of a block of delimited lines.

    Rows of too many columns, or too long, in which carriage returns stand as between whole rows are
    taken apart there: lines of another system were put behind or between others.
    """
    parsed = _split_lines(layout, options, data, start, stop, final)
    reason, spans, is_cut = parsed.fields.reason, parsed.fields.spans, False
    delimiter, least = layout.delimiter.encode(), max(layout.short_width, 0) or layout.width
    suspects = np.isin(reason, (field_kernels.COLUMN_COUNT, field_kernels.LINE_TOO_LONG))
    if suspects.any() and RETURN in data[start:stop]:
        for _, begin, end in spans[suspects].tolist():
            row = data[begin:end].tobytes().rstrip(b"\r")
            lines = row.count(b"\r") - row.count(b"\r\n") + 1
            if lines > 1 and row.count(delimiter) >= lines * (least - 1):
                is_cut |= end_at_returns(data[begin:end])
    return _split_lines(layout, options, data, start, stop, final) if is_cut else parsed


def _split_lines(
    layout: ColumnLayout, options: ReadOptions, data: UInt8s, start: int, stop: int, final: bool
) -> ParsedBlock:
    numbers = _number_columns(layout)
    roles = np.full(layout.width, -1, dtype=np.int32)
    roles[[*numbers]] = [*numbers.values()]
    rules = kernels.RowRules(
        ord(layout.delimiter),
        layout.quoting,
        roles,
        layout.short_width,
        options.max_line_bytes,
        np.frombuffer(layout.header, dtype=np.uint8),
    )
    marks = np.empty(stop + 8, dtype=np.int32)
    count = kernels.find_marks(data, stop, ord(layout.delimiter), layout.quoting, marks)
    ascii_only = count >= 0
    lines = (data, start, stop, marks, count if ascii_only else -count - 1, final)
    rows = int(np.count_nonzero(data[start:stop] == NEWLINE)) + 1
    fields = _allocate_fields(data, rows, len(layout.roles) + len(numbers) * bool(layout.joined))
    totals = np.zeros(2, dtype=np.int64)
    rows = kernels.split_rows(*lines, rules, fields, totals, layout.padded or None)
    used_fields: list[Any] = [array[:rows] for array in fields[1:]]
    fields = RowFields(data, *used_fields)
    if not ascii_only and not is_utf8(data[start:stop].tobytes()):
        _refuse_foreign(fields, layout.delimiter.encode())
    fields = _join_fields(fields, layout, numbers) if layout.joined else fields
    return ParsedBlock(fields, int(totals[1]), int(totals[0]))


def _number_columns(layout: ColumnLayout) -> dict[int, int]:
    """The number of each column's role; behind the roles, of those that only make one up."""
    plain = {role: place for role, place in layout.columns.items() if role not in layout.joined}
    numbers = {int(place): layout.roles.index(role) for role, place in plain.items()}
    for place in itertools.chain(*layout.joined.values()):
        numbers.setdefault(int(place), len(layout.roles) + len(numbers))
    return numbers


def _join_fields(fields: RowFields, layout: ColumnLayout, numbers: dict[int, int]) -> RowFields:
    """The rows with the fields that make up one role put together, a blank between."""
    raw, wide = fields.data.tobytes(), len(layout.roles)
    pieces, size, rows = [raw], len(raw), np.flatnonzero(fields.reason == field_kernels.FINE)

    def read_part(begin: int, end: int) -> bytes:
        text = raw[begin:end]
        return text.replace(b'""', b'"') if raw[begin - 1 : begin] == b'"' else text

    for role, places in layout.joined.items():
        cells = rows[:, None], np.array([numbers[int(place)] for place in places])
        bounds = zip(fields.starts[cells].tolist(), fields.stops[cells].tolist(), strict=True)
        texts = [b" ".join(map(read_part, *pair)).strip() for pair in bounds]
        ends = size + np.cumsum([0, *map(len, texts)])
        number = layout.roles.index(role)
        fields.starts[rows, number], fields.stops[rows, number] = ends[:-1], ends[1:]
        size = int(ends[-1])
        pieces += texts
    data = np.frombuffer(b"".join([*pieces, bytes(PADDING)]), dtype=np.uint8).copy()
    starts, stops = (np.ascontiguousarray(a[:, :wide]) for a in (fields.starts, fields.stops))
    return fields._replace(data=data, starts=starts, stops=stops)


def _refuse_foreign(fields: RowFields, delimiter: bytes) -> None:
    """Refuse rows that are no UTF-8, in the column of the first byte that isn't."""
    readable = np.isin(fields.reason, (field_kernels.FINE, field_kernels.COLUMN_COUNT))
    for row in np.flatnonzero(readable):
        line = fields.data[fields.spans[row, 1] : fields.spans[row, 2]].tobytes()
        try:
            line.decode()
        except UnicodeDecodeError as error:
            fields.reason[row] = field_kernels.BAD_UTF8
            fields.column[row] = line.count(delimiter, 0, error.start) + 1


def _find_first_row(data: UInt8s, stop: int, lines: int) -> int:
    """Offset of a file's first row, behind the skipped lines."""
    if not lines:
        return 0
    ends = np.flatnonzero(data[: min(stop, 2**20)] == NEWLINE)
    return int(ends[lines - 1]) + 1 if len(ends) >= lines else stop


def _allocate_fields(data: UInt8s, rows: int, roles: int) -> RowFields:
    """Room for the fields of `rows` rows, nothing of it set."""
    return RowFields(
        data,
        np.empty((rows, roles), dtype=np.int32),
        np.empty((rows, roles), dtype=np.int32),
        np.empty(rows, dtype=np.uint32),
        np.empty((rows, 3), dtype=np.int32),
        np.empty(rows, dtype=np.uint8),
        np.empty(rows, dtype=np.int32),
    )


def empty_fields(data: UInt8s, rows: int, roles: int) -> RowFields:
    """`rows` rows, all fine and without fields."""
    fields = _allocate_fields(data, rows, roles)
    fields.starts.fill(-1)
    fields.stops.fill(-1)
    for array in fields[3:]:
        array.fill(0)
    return fields


def check_texts(fields: RowFields, texts: UInt8s, layout: ColumnLayout) -> RowFields:
    """The same rows with their fields in `texts`, refused where a text holds NUL or no UTF-8.

    The refused rows' own bytes stay in the old data; they are copied behind the texts.
    """
    if not _are_sound(texts, fields):
        for row in np.flatnonzero(fields.reason == field_kernels.FINE):
            for role, bounds in enumerate(zip(fields.starts[row], fields.stops[row], strict=True)):
                text = texts[slice(*bounds)].tobytes() if bounds[0] >= 0 else b""
                if 0 in text or not is_utf8(text):
                    reason = field_kernels.NUL if 0 in text else field_kernels.BAD_UTF8
                    place = layout.columns.get(layout.roles[role])
                    fields.reason[row] = reason
                    fields.column[row] = place + 1 if isinstance(place, int) else 0
                    break
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
