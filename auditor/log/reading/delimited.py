"""Blocks of delimited text, cut at line ends, and their fields found."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import NamedTuple, Protocol

import numpy as np

from auditor.arrays import UInt8s
from auditor.log.dictionary_kernels import PADDING
from auditor.log.reading import parse_kernels as kernels
from auditor.log.reading import uncompiled
from auditor.log.reading.column_mapping import ROLES, ColumnLayout, ReadOptions
from auditor.log.reading.pipeline import ParsedBlock, ParseTask
from auditor.log.reading.presets.json_array import JsonArrayStream
from auditor.log.reading.sources import SourceLimits, SourcePart, SourceStream
from auditor.log.reading.transcoding import TranscodedStream
from auditor.progress import Progress

BLOCK_BYTES = 2**20
BOM = b"\xef\xbb\xbf"
NEWLINE = 10


class ReadableBlock(Protocol):
    """What blocks are filled from."""

    @property
    def consumed(self) -> int:
        """Bytes of the disk read so far."""
        ...

    def readinto(self, view: memoryview) -> int:
        """Fill as much of `view` as comes at once; 0 at the end."""
        ...


class DelimitedBlocks:
    """Cuts a stream into blocks of whole lines; each is padded and ends with a line end.

    A line longer than `most` bytes loses what is beyond `most` + 1 of them if it doesn't fit in
    a block, so memory stays bounded and the line is still refused as too long.
    """

    def __init__(self, stream: ReadableBlock, size: int, most: int) -> None:
        self._stream = stream
        self._size = max(size, 64)
        self._most = most
        self._rest = np.zeros(0, dtype=np.uint8)
        self.ended = False

    def read_block(self) -> tuple[UInt8s, int] | None:
        """The next block and where it ends; None after the last."""
        while not self.ended:
            kept = len(self._rest)
            data = np.empty(kept + self._size + 1 + PADDING, dtype=np.uint8)
            data[:kept] = self._rest
            stop, self.ended = self._fill_buffer(data, kept)
            if self.ended and stop and data[stop - 1] != NEWLINE:
                data[stop] = NEWLINE
                stop += 1
            cut = data[:stop].tobytes().rfind(b"\n") + 1
            data[stop : stop + PADDING] = 0
            self._rest = data[cut:stop][: self._most + 1].copy()
            if cut:
                # The eight bytes after the end may be looked at, though nothing comes of them.
                return data, cut
        return None

    def _fill_buffer(self, data: UInt8s, start: int) -> tuple[int, bool]:
        view = memoryview(data)  # type: ignore[arg-type]
        stop, limit = start, start + self._size
        while stop < limit:
            got = self._stream.readinto(view[stop:limit])
            if not got:
                return stop, True
            stop += got
        return stop, False

    def put_back(self, piece: UInt8s) -> None:
        """Have `piece` stand before what comes next."""
        self._rest = np.concatenate([piece, self._rest])


BlockFunction = Callable[[UInt8s, int, int, bool], ParsedBlock]
"""Finds the fields of the rows in bytes [start, stop) of a block; the last says that it ends."""


def text_tasks(
    part: SourcePart,
    layout: ColumnLayout,
    options: ReadOptions,
    block_bytes: int,
    find: BlockFunction | None = None,
    *,
    behind: int = 0,
    ordered: bool = False,
    compiled: bool = True,
) -> Iterator[ParseTask]:
    """The blocks of a file of lines; `find` finds fields (default: delimited ones).

    Unless `compiled`, nothing is compiled for blocks that do without. `behind` is how many bytes
    stand in the files before. With `ordered`, `find` is called for one block after another.
    """
    limits = SourceLimits(options.max_expanded_bytes, options.max_expansion_ratio)
    with SourceStream(part, limits) as stream:
        source = _decode_block(stream, layout)
        rules = _BlockRules(layout, options, block_bytes, find, compiled)
        for task in _iterate_tasks(part, source, rules, behind, fresh=True):
            if ordered:
                task = dataclasses.replace(task, find=partial(_give_block, task.find()))
            yield task


def _decode_block(stream: SourceStream, layout: ColumnLayout) -> ReadableBlock:
    source: ReadableBlock = stream
    if layout.recoded or layout.returns:
        source = TranscodedStream(stream, layout.recoded, layout.returns)
    return JsonArrayStream(source) if layout.array else source


def text_lines(
    parts: Iterable[tuple[SourcePart, ColumnLayout]], options: ReadOptions, progress: Progress
) -> Iterator[str]:
    """All lines of several files as text, for whoever must know them before the first is read."""
    limits = SourceLimits(options.max_expanded_bytes, options.max_expansion_ratio)
    for part, layout in parts:
        with SourceStream(part, limits) as stream:
            blocks = DelimitedBlocks(
                _decode_block(stream, layout), BLOCK_BYTES, options.max_line_bytes
            )
            while (block := blocks.read_block()) is not None:
                progress.check()
                data, stop = block
                for line in data[:stop].tobytes().split(b"\n")[:-1]:
                    yield line.decode("utf-8", "replace")


def range_tasks(
    part: SourcePart,
    source: ReadableBlock,
    layout: ColumnLayout,
    options: ReadOptions,
    find: BlockFunction | None = None,
) -> Iterator[ParseTask]:
    """The blocks of some lines of a file; lines are counted from the first of them.

    Neither a header nor a byte order mark is looked for unless the file begins here.
    """
    fresh = source.consumed == 0
    rules = _BlockRules(layout, options, BLOCK_BYTES, find)
    return _iterate_tasks(part, source, rules, 0, fresh=fresh)


class _BlockRules(NamedTuple):
    """How bytes are cut into blocks of lines and split; `find` is given if another way splits."""

    layout: ColumnLayout
    options: ReadOptions
    size: int
    find: BlockFunction | None
    compiled: bool = True


def _iterate_tasks(
    part: SourcePart, source: ReadableBlock, rules: _BlockRules, behind: int, *, fresh: bool
) -> Iterator[ParseTask]:
    layout, options, block_bytes, find, compiled = rules
    blocks = DelimitedBlocks(source, block_bytes, options.max_line_bytes)
    first = True
    while (block := blocks.read_block()) is not None:
        data, stop = block
        lines = layout.skipped_lines if first and fresh else 0
        start = _find_first_row(data, stop, lines) if first and fresh else 0
        if find is not None:
            work = partial(find, data, start, stop, blocks.ended)
        elif layout.quoting:
            # Where a record ends depends on all quotes before: one block after another.
            found, used = _split_block((data, start, stop), blocks.ended, layout, options, compiled)
            if start + used < stop:
                blocks.put_back(data[start + used : stop])
            work = partial(_give_block, found)
        else:
            work = partial(_split_whole, (data, start, stop), layout, options, compiled)
        yield ParseTask(part, layout, work, behind + source.consumed, first, lines)
        first = False


def _give_block(block: ParsedBlock) -> ParsedBlock:
    return block


def _split_whole(
    block: tuple[UInt8s, int, int], layout: ColumnLayout, options: ReadOptions, compiled: bool
) -> ParsedBlock:
    return _split_block(block, True, layout, options, compiled)[0]


def _split_block(
    block: tuple[UInt8s, int, int],
    final: bool,
    layout: ColumnLayout,
    options: ReadOptions,
    compiled: bool,
) -> tuple[ParsedBlock, int]:
    """The fields of a block, and how many bytes were used; without the loops if need be."""
    data, start, stop = block
    if not compiled:
        found = uncompiled.split_rows(data, start, stop, _row_rules(layout, options))
        if found is not None:
            rows = len(found.reason)
            escaped = np.zeros(rows, dtype=np.uint8)
            cut = ParsedBlock(
                data,
                found.starts,
                found.stops,
                escaped,
                found.spans,
                found.reason,
                found.column,
                rows,
            )
            return cut, stop - start
    return split_fields(data, start, stop, final, layout, options)


def _find_first_row(data: UInt8s, stop: int, lines: int) -> int:
    """Where a file's rows begin: behind a byte order mark and so many lines."""
    start = 3 if stop >= 3 and data[:3].tobytes() == BOM else 0
    if not lines:
        return start
    ends = np.flatnonzero(data[start : min(stop, start + 2**20)] == NEWLINE)
    return start + int(ends[lines - 1]) + 1 if len(ends) >= lines else stop


def split_fields(
    data: UInt8s, start: int, stop: int, final: bool, layout: ColumnLayout, options: ReadOptions
) -> tuple[ParsedBlock, int]:
    """The fields of a block of delimited lines, and how many bytes were used."""
    delimiter = ord(layout.delimiter)
    marks = np.empty(stop + 8, dtype=np.int32)
    count = kernels.find_marks(data, stop, delimiter, layout.quoting, marks)
    ascii_only = count >= 0
    if not ascii_only:
        count = -count - 1
    rows = int(np.count_nonzero(data[start:stop] == NEWLINE)) + 1
    block = allocate_block(data, rows)
    totals = np.zeros(2, dtype=np.int64)
    found = kernels.split_rows(
        kernels.LineBlock(data, start, stop, marks, count, ascii_only, final),
        _row_rules(layout, options),
        kernels.SplitRows(
            block.starts, block.stops, block.escaped, block.spans, block.reason, block.column
        ),
        totals,
    )
    cut = ParsedBlock(
        data,
        block.starts[:found],
        block.stops[:found],
        block.escaped[:found],
        block.spans[:found],
        block.reason[:found],
        block.column[:found],
        int(totals[1]),
    )
    return cut, int(totals[0])


def _row_rules(layout: ColumnLayout, options: ReadOptions) -> kernels.RowRules:
    roles = np.full(layout.width, -1, dtype=np.int32)
    for role, place in layout.columns.items():
        roles[int(place)] = ROLES.index(role)
    return kernels.RowRules(
        ord(layout.delimiter),
        layout.quoting,
        roles,
        layout.short_width,
        options.max_line_bytes,
        np.frombuffer(layout.header, dtype=np.uint8),
    )


def allocate_block(data: UInt8s, rows: int) -> ParsedBlock:
    """A block with room for `rows` rows, nothing of it set."""
    return ParsedBlock(
        data,
        np.empty((rows, len(ROLES)), dtype=np.int32),
        np.empty((rows, len(ROLES)), dtype=np.int32),
        np.empty(rows, dtype=np.uint8),
        np.empty((rows, 3), dtype=np.int32),
        np.empty(rows, dtype=np.uint8),
        np.empty(rows, dtype=np.int32),
        rows,
    )


def empty_block(data: UInt8s, rows: int) -> ParsedBlock:
    """A block of `rows` rows, all fine and without fields."""
    block = allocate_block(data, rows)
    block.starts.fill(-1)
    block.stops.fill(-1)
    for array in (block.escaped, block.spans, block.reason, block.column):
        array.fill(0)
    return block
