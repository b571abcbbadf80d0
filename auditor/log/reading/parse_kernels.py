"""Compiled loops that turn a block of bytes into rows: marks, then fields.

Two passes over a block that stays in cache: `find_marks` lists the bytes that mean anything
(delimiters, line ends, quotes, NULs); `split_rows` walks that list and notes where each role's
field lies, or why the row is refused. `field_kernels` then reads the fields.
"""

# The types of compiled code are numba's: NumPy scalars mix with int as they please there.
# mypy: disable-error-code="assignment,no-any-return,return-value"

from typing import NamedTuple

import numpy as np
from numba import njit

from auditor.arrays import Int32s, Int64s, UInt8s
from auditor.log.dictionary_kernels import load64, trailing_zeros
from auditor.log.reading.field_kernels import (
    BAD_QUOTING,
    COLUMN_COUNT,
    EMPTY_LINE,
    FINE,
    HEADER_AGAIN,
    LINE_TOO_LONG,
    NUL,
    QUOTE,
    RowFields,
)

MOST_LINES = 100
"""Lines that a quoted field may span; what is longer is a quote that nobody closed."""
NEWLINE, RETURN, BLANK = 10, 13, 32
TOP = np.uint64(0x8080808080808080)
STRETCH = 8192
"""Bytes whose hits are noted before they are listed; a multiple of eight."""


@njit(cache=True, nogil=True)
def find_marks(data: UInt8s, stop: int, delimiter: int, quoting: bool, marks: Int32s) -> int:
    """List the places before `stop` of delimiters, line ends, NULs, and quotes if they count.

    `data` is padded; `marks` has room for `stop` places. Returns how many there are, negative
    less one if any byte is beyond ASCII.
    """
    hits = np.zeros(STRETCH, dtype=np.uint8)
    quote = np.uint8(QUOTE if quoting else NEWLINE)
    count = 0
    high_bits = np.uint64(0)
    for base in range(0, stop, STRETCH):
        size = min(STRETCH, stop - base)
        _note_hits(data[base : base + size], np.uint8(delimiter), quote, hits)
        hits[size:] = 0
        for i in range(0, size, 8):
            high_bits |= load64(data, base + i)
            word = load64(hits, i)
            while word != 0:
                marks[count] = base + i + (trailing_zeros(word) >> 3)
                count += 1
                word &= word - np.uint64(1)
    return -count - 1 if high_bits & TOP else count


@njit(cache=True, nogil=True)
def _note_hits(piece: UInt8s, delimiter: np.uint8, quote: np.uint8, hits: UInt8s) -> None:
    """One byte for each of `piece`: 1 for a mark. So plain that 32 bytes are done at a time."""
    for i in range(len(piece)):
        byte = piece[i]
        hits[i] = np.uint8(
            (byte == delimiter)
            | (byte == np.uint8(NEWLINE))
            | (byte == quote)
            | (byte == np.uint8(0))
        )


@njit(cache=True, nogil=True)
def _newline_after(data: UInt8s, marks: Int32s, count: int, k: int) -> int:
    """Index of the first line end among the marks from k on, or `count`."""
    while k < count and data[marks[k]] != NEWLINE:
        k += 1
    return k


@njit(cache=True, nogil=True)
def _after_quoted(
    data: UInt8s, marks: Int32s, count: int, k: int, longest_line: int, tally: Int32s
) -> int:
    """Index of the mark that closes the quoted field whose opening quote is mark k.

    `count` when it isn't closed in this block, −1 when it can't be right: more than
    `MOST_LINES` lines, or one of more than `longest_line` bytes. ``tally``: escaped quotes, NULs,
    lines.
    """
    k += 1
    line_start = np.int64(-1)
    while k < count:
        place = marks[k]
        byte = data[place]
        if byte == QUOTE:
            if k + 1 < count and marks[k + 1] == place + 1 and data[place + 1] == QUOTE:
                tally[0] += 1
                k += 2
                continue
            return k
        if byte == NEWLINE:
            if line_start >= 0 and place - line_start > longest_line:
                return -1
            line_start = place + 1
            tally[2] += 1
            if tally[2] >= MOST_LINES:
                return -1
        elif byte == 0:
            tally[1] += 1
        k += 1
    return count


class RowRules(NamedTuple):
    """What a row must be like.

    `column_roles` is the int32 role of each column, −1 for none, and as long as there are columns;
    `short_width` a smaller number of columns that will do, too; `most` the bytes that a line may
    have; `header` the header line, which is refused where it comes again further down.
    """

    delimiter: int
    quoting: bool
    column_roles: Int32s
    short_width: int
    most: int
    header: UInt8s


@njit(cache=True, nogil=True)
def split_rows(
    data: UInt8s,
    start: int,
    stop: int,
    marks: Int32s,
    count: int,
    final: bool,
    rules: RowRules,
    room: RowFields,
    totals: Int64s,
    padded: bool | None = None,
) -> int:
    """Note in `room` where the roles' fields of each row lie, or why the row is refused; O(bytes).

    Rows begin at `start`, each with a line end at its end; the block has `count` marks. A byte
    order mark before a row is none of it: files with one were put end to end. `final` says that
    nothing follows: a quote still open is then nobody's. `padded` says that blanks around fields
    are none of theirs; it is None where they are, for which code of its own is compiled, as a test
    for each field would make reading an eighth slower.

    Returns the number of rows, refused ones included; `totals`, int64 (2,), gets the bytes and
    lines used.
    """
    delimiter, quoting, column_roles, short_width, longest_row, header = rules
    _, starts, stops, escaped, spans, reason, column = room
    width = len(column_roles)
    tally = np.zeros(3, dtype=np.int32)
    rows = 0
    line = 0
    k = 0
    while k < count and marks[k] < start:
        k += 1
    begin = start
    while begin < stop:
        if data[begin] == 0xEF and data[begin + 1] == 0xBB and data[begin + 2] == 0xBF:
            begin += 3
        first_mark = k
        for role in range(starts.shape[1]):
            starts[rows, role] = -1
            stops[rows, role] = -1
        escaped[rows] = 0
        tally[:] = 0
        outcome = FINE
        nul_column = 0
        columns = 0
        field = begin
        end = begin
        lines = 1
        while True:
            if padded is not None:
                while data[field] == BLANK:
                    field += 1
            quoted = quoting and data[field] == QUOTE and field < stop
            if quoted:
                tally[0] = 0
                while marks[k] != field:
                    k += 1
                nuls = tally[1]
                k = _after_quoted(data, marks, count, k, longest_row, tally)
                if k < 0 or k == count:
                    if k == count and not final:
                        totals[0], totals[1] = begin - start, line
                        return rows
                    outcome = BAD_QUOTING
                    break
                if tally[1] > nuls and nul_column == 0:
                    nul_column = columns + 1
                close = marks[k]
                k += 1
                after = close + 1
                if k < count and marks[k] != after:
                    while data[after] == BLANK and delimiter != BLANK:
                        after += 1
                    while data[after] == RETURN and after < marks[k]:
                        after += 1
                if k >= count or marks[k] != after or data[after] == QUOTE or data[after] == 0:
                    if k >= count and not final:
                        totals[0], totals[1] = begin - start, line
                        return rows
                    outcome = BAD_QUOTING
                    break
                field_start, field_stop = field + 1, close
            else:
                while k < count:
                    byte = data[marks[k]]
                    if byte in (delimiter, NEWLINE):
                        break
                    if byte == 0:
                        tally[1] += 1
                        if nul_column == 0:
                            nul_column = columns + 1
                    k += 1
                field_start, field_stop = field, marks[k]
            end = marks[k]
            k += 1
            at_end = data[end] == NEWLINE
            if at_end and not quoted:
                while field_stop > field_start and data[field_stop - 1] == RETURN:
                    field_stop -= 1
            if padded is not None:
                while not quoted and field_stop > field_start and data[field_stop - 1] == BLANK:
                    field_stop -= 1
            if columns < width and column_roles[columns] >= 0:
                role = column_roles[columns]
                starts[rows, role] = field_start
                stops[rows, role] = field_stop
                if quoted and tally[0] > 0:
                    escaped[rows] |= 1 << role
            columns += 1
            if at_end:
                lines = 1 + tally[2]
                break
            field = end + 1
        if outcome == BAD_QUOTING:
            nul_column = columns + 1
            k = _newline_after(data, marks, count, first_mark)
            end = marks[k]
            k += 1
        elif tally[1] > 0:
            outcome = NUL
        # A line over the limit is refused as such whatever else is wrong with it: the part
        # beyond the limit may have been dropped while reading.
        if end - begin > longest_row:
            newline = marks[_newline_after(data, marks, count, first_mark)]
            if newline - begin > longest_row:
                outcome, nul_column = LINE_TOO_LONG, 0
                k = _newline_after(data, marks, count, first_mark) + 1
                end = newline
                lines = 1
        last = end
        while last > begin and data[last - 1] == RETURN:
            last -= 1
        if outcome == FINE and last - begin == columns - 1:  # nothing but delimiters
            outcome = EMPTY_LINE
        if outcome == FINE and len(header) > 0 and _same_line(data, begin, last, header):
            outcome = HEADER_AGAIN
        if outcome == FINE and columns != width and columns != short_width:
            outcome = COLUMN_COUNT
            nul_column = min(columns, width) + (1 if columns > width else 0)
        reason[rows] = outcome
        column[rows] = nul_column if outcome != FINE else 0
        spans[rows, 0] = line
        spans[rows, 1] = begin
        spans[rows, 2] = end
        line += lines if outcome != BAD_QUOTING else 1
        begin = end + 1
        rows += 1
    totals[0], totals[1] = begin - start, line
    return rows


@njit(cache=True, nogil=True, inline="always")
def _same_line(data: UInt8s, begin: int, end: int, header: UInt8s) -> bool:
    if end - begin != len(header) or data[begin] != header[0]:
        return False
    equal_bytes = 1
    while equal_bytes < len(header) and data[begin + equal_bytes] == header[equal_bytes]:
        equal_bytes += 1
    return equal_bytes == len(header)
