"""Compiled loops that turn a block of bytes into rows: marks, fields, then accepted values.

Three passes over a block that stays in cache. `find_marks` lists the bytes that mean anything
(delimiters, line ends, quotes, NULs); `split_rows` walks that list and notes where each role's
field lies, or why the row is refused; `accept_rows` reads times, ranks and addresses, hashes
texts, and packs the rows that are good. The last is shared by every format.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from auditor.log.intern_kernels import hash_text, load64
from auditor.log.time_kernels import BAD_TIME, read_time

Bytes = NDArray[np.uint8]
Shorts = NDArray[np.int16]
Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Words = NDArray[np.uint64]

USER, QUERY, TIME, URL, RANK, IP, COOKIE = range(7)
"""The roles a column can have; their numbers are the columns of `starts` and `stops`."""
ROLES = 7
TEXTS = 4
"""Of the roles, those that are numbered strings, in this order: user, query, url, cookie."""

(
    FINE,
    EMPTY_LINE,
    LINE_TOO_LONG,
    NUL,
    BAD_UTF8,
    COLUMN_COUNT,
    BAD_QUOTING,
    HEADER_AGAIN,
    FIELD_TOO_LONG,
    EMPTY_USER,
    BAD_TIME_TEXT,
    BAD_RANK,
    BAD_IP,
    BAD_JSON,
) = range(14)
"""Why a row is refused."""

MOST_LINES = 100
"""Lines that a quoted field may span; what is longer is a quote that nobody closed."""
NEWLINE, RETURN, QUOTE = 10, 13, 34
TOP = np.uint64(0x8080808080808080)
LOW7 = np.uint64(0x7F7F7F7F7F7F7F7F)
ONES = np.uint64(0x0101010101010101)


@njit(cache=True, nogil=True)
def last_newline(data: Bytes, start: int, stop: int) -> int:
    """Place of the last line end in ``data[start:stop]``, or −1."""
    for i in range(stop - 1, start - 1, -1):
        if data[i] == NEWLINE:
            return i
    return -1


@njit(cache=True, nogil=True, inline="always")
def _zeros(word: np.uint64) -> np.uint64:
    """The top bit of each byte of `word` that is zero."""
    return ~(((word & LOW7) + LOW7) | word | LOW7)


@njit(cache=True, nogil=True)
def find_marks(data: Bytes, stop: int, delimiter: int, quoting: bool, marks: Ints) -> int:
    """List the places before `stop` of delimiters, line ends, NULs, and quotes if they count.

    `data` is padded; `marks` has room for `stop` places. Returns how many there are, negative
    less one if any byte is beyond ASCII.
    """
    delimiters = np.uint64(delimiter) * ONES
    newlines = np.uint64(NEWLINE) * ONES
    quotes = np.uint64(QUOTE if quoting else NEWLINE) * ONES
    count = 0
    beyond = np.uint64(0)
    for base in range(0, stop, 8):
        word = load64(data, base)
        if base + 8 > stop:
            # Bytes after the end must not be taken for marks or for text.
            kept = np.uint64(0xFFFFFFFFFFFFFFFF) >> np.uint64(64 - 8 * (stop - base))
            word = (word & kept) | (ONES & ~kept)
        beyond |= word
        hits = _zeros(word ^ delimiters) | _zeros(word ^ newlines) | _zeros(word)
        hits |= _zeros(word ^ quotes)
        while hits != 0:
            lowest = hits & (~hits + np.uint64(1))
            # The top bit of byte k is bit 8k + 7: multiplying leaves k in the upper byte's place.
            marks[count] = base + _byte_of(lowest)
            count += 1
            hits ^= lowest
    return -count - 1 if beyond & TOP else count


@njit(cache=True, nogil=True, inline="always")
def _byte_of(bit: np.uint64) -> int:
    """The byte, from 0, that holds the only set bit."""
    place = 0
    if bit > np.uint64(0xFFFFFFFF):
        place = 4
        bit >>= np.uint64(32)
    if bit > np.uint64(0xFFFF):
        place += 2
        bit >>= np.uint64(16)
    return place + (1 if bit > np.uint64(0xFF) else 0)


@njit(cache=True, nogil=True)
def bad_utf8(data: Bytes, start: int, stop: int) -> int:
    """Place of the first byte in a padded buffer that is no UTF-8 as Unicode has it, or −1."""
    i = start
    while i < stop:
        if i + 8 <= stop and load64(data, i) & TOP == 0:
            i += 8
            continue
        first = data[i]
        if first < 0x80:
            i += 1
            continue
        if first < 0xC2 or first > 0xF4:
            return i
        more = 1 if first < 0xE0 else 2 if first < 0xF0 else 3
        if i + more >= stop:
            return i
        second = data[i + 1]
        low = 0xA0 if first == 0xE0 else 0x90 if first == 0xF0 else 0x80
        high = 0x9F if first == 0xED else 0x8F if first == 0xF4 else 0xBF
        if second < low or second > high:
            return i
        for k in range(2, more + 1):
            if data[i + k] < 0x80 or data[i + k] > 0xBF:
                return i
        i += more + 1
    return -1


@njit(cache=True, nogil=True)
def _newline_after(data: Bytes, marks: Ints, count: int, k: int) -> int:
    """Index of the first line end among the marks from k on, or `count`."""
    while k < count and data[marks[k]] != NEWLINE:
        k += 1
    return k


@njit(cache=True, nogil=True)
def _after_quoted(data: Bytes, marks: Ints, count: int, k: int, most: int, found: Ints) -> int:
    """Index of the mark that closes the quoted field whose opening quote is mark k.

    `count` when it isn't closed in this block, −1 when it can't be right: more than
    `MOST_LINES` lines, or one of more than `most` bytes. ``found``: escaped quotes, NULs, lines.
    """
    k += 1
    line_start = np.int64(-1)
    while k < count:
        place = marks[k]
        byte = data[place]
        if byte == QUOTE:
            if k + 1 < count and marks[k + 1] == place + 1 and data[place + 1] == QUOTE:
                found[0] += 1
                k += 2
                continue
            return k
        if byte == NEWLINE:
            if line_start >= 0 and place - line_start > most:
                return -1
            line_start = place + 1
            found[2] += 1
            if found[2] >= MOST_LINES:
                return -1
        elif byte == 0:
            found[1] += 1
        k += 1
    return count


@njit(cache=True, nogil=True)
def split_rows(
    data: Bytes,
    start: int,
    stop: int,
    marks: Ints,
    count: int,
    ascii_only: bool,
    final: bool,
    delimiter: int,
    quoting: bool,
    column_roles: Ints,
    short_width: int,
    most: int,
    header: Bytes,
    starts: Ints,
    stops: Ints,
    escaped: Bytes,
    spans: Ints,
    reason: Bytes,
    column: Ints,
    totals: Longs,
) -> int:
    """Note where the roles' fields of each row lie, or why the row is refused.

    Parameters
    ----------
    data, start, stop, marks, count, ascii_only
        The block, whose rows begin at `start` and end with a line end each, and its marks.
    final
        Whether nothing follows: a quote still open is then nobody's.
    column_roles
        int32 role of each column, −1 for none; its length is the number of columns wanted.
    short_width
        A smaller number of columns that will do, too.
    most
        Bytes that a line may have.
    header
        The header line; the same line again further down is refused as such.
    starts, stops
        int32 (rows, `ROLES`), set where the row has the role's column, −1 elsewhere.
    escaped
        uint8 (rows,), bit r set if the field of role r has doubled quotes.
    spans
        int32 (rows, 3): line within the block from 0, first byte, end.
    reason, column
        uint8 and int32 (rows,): why the row is refused, in which column from 1 (0 = none).
    totals
        int64 (2,): bytes and lines used.

    Returns
    -------
    Number of rows, refused ones included.
    """
    width = len(column_roles)
    found = np.zeros(3, dtype=np.int32)
    rows = 0
    line = 0
    k = 0
    while k < count and marks[k] < start:
        k += 1
    begin = start
    while begin < stop:
        first_mark = k
        for role in range(ROLES):
            starts[rows, role] = -1
            stops[rows, role] = -1
        escaped[rows] = 0
        found[:] = 0
        why = FINE
        where = 0
        columns = 0
        field = begin
        end = begin
        lines = 1
        while True:
            quoted = quoting and data[field] == QUOTE and field < stop
            if quoted:
                found[0] = 0
                while marks[k] != field:
                    k += 1
                nuls = found[1]
                k = _after_quoted(data, marks, count, k, most, found)
                if k < 0 or k == count:
                    if k == count and not final:
                        totals[0], totals[1] = begin - start, line
                        return rows
                    why = BAD_QUOTING
                    break
                if found[1] > nuls and where == 0:
                    where = columns + 1
                close = marks[k]
                k += 1
                after = close + 1
                if after < stop and data[after] == RETURN and data[after + 1] == NEWLINE:
                    after += 1
                if k >= count or marks[k] != after or data[after] == QUOTE or data[after] == 0:
                    if k >= count and not final:
                        totals[0], totals[1] = begin - start, line
                        return rows
                    why = BAD_QUOTING
                    break
                field_start, field_stop = field + 1, close
            else:
                while k < count:
                    byte = data[marks[k]]
                    if byte == delimiter or byte == NEWLINE:
                        break
                    if byte == 0:
                        found[1] += 1
                        if where == 0:
                            where = columns + 1
                    k += 1
                field_start, field_stop = field, marks[k]
            end = marks[k]
            k += 1
            at_end = data[end] == NEWLINE
            if (
                at_end
                and not quoted
                and field_stop > field_start
                and data[field_stop - 1] == RETURN
            ):
                field_stop -= 1
            if columns < width and column_roles[columns] >= 0:
                role = column_roles[columns]
                starts[rows, role] = field_start
                stops[rows, role] = field_stop
                if quoted and found[0] > 0:
                    escaped[rows] |= 1 << role
            columns += 1
            if at_end:
                lines = 1 + found[2]
                break
            field = end + 1
        if why == BAD_QUOTING:
            where = columns + 1
            k = _newline_after(data, marks, count, first_mark)
            end = marks[k]
            k += 1
        elif found[1] > 0:
            why = NUL
        elif not ascii_only:
            bad = bad_utf8(data, begin, end)
            if bad >= 0:
                why = BAD_UTF8
                where = 1
                mark = first_mark
                while marks[mark] < bad:
                    where += 1 if data[marks[mark]] == delimiter else 0
                    mark += 1
        # A line over the limit is refused as such whatever else is wrong with it: the part
        # beyond the limit may have been dropped while reading.
        if end - begin > most:
            newline = marks[_newline_after(data, marks, count, first_mark)]
            if newline - begin > most:
                why, where = LINE_TOO_LONG, 0
                k = _newline_after(data, marks, count, first_mark) + 1
                end = newline
                lines = 1
        if (
            why == FINE
            and columns == 1
            and (end == begin or (end == begin + 1 and data[begin] == 13))
        ):
            why = EMPTY_LINE
        if why == FINE and len(header) > 0 and _same_line(data, begin, end, header):
            why = HEADER_AGAIN
        if why == FINE and columns != width and columns != short_width:
            why = COLUMN_COUNT
            where = min(columns, width) + (1 if columns > width else 0)
        reason[rows] = why
        column[rows] = where if why != FINE else 0
        spans[rows, 0] = line
        spans[rows, 1] = begin
        spans[rows, 2] = end
        line += lines if why != BAD_QUOTING else 1
        begin = end + 1
        rows += 1
    totals[0], totals[1] = begin - start, line
    return rows


@njit(cache=True, nogil=True, inline="always")
def _same_line(data: Bytes, begin: int, end: int, header: Bytes) -> bool:
    if end > begin and data[end - 1] == RETURN:
        end -= 1
    if end - begin != len(header) or data[begin] != header[0]:
        return False
    for i in range(len(header)):
        if data[begin + i] != header[i]:
            return False
    return True


@njit(cache=True, nogil=True)
def _rank(data: Bytes, start: int, stop: int) -> int:
    """A whole number up to 32,767; −1 if there is none, −2 if it is something else."""
    if stop <= start:
        return -1
    if stop - start > 5:
        return -2
    value = 0
    for i in range(start, stop):
        digit = np.int64(data[i]) - 48
        if digit < 0 or digit > 9:
            return -2
        value = value * 10 + digit
    return value if value <= 32_767 else -2


@njit(cache=True, nogil=True)
def _ip(data: Bytes, start: int, stop: int) -> int:
    """An IPv4 address, dotted or as one number; 0 if there is none, −1 if it is no address."""
    if stop <= start:
        return 0
    address, part, digits, dots = 0, 0, 0, 0
    for i in range(start, stop):
        byte = data[i]
        if byte == 46:
            if digits == 0 or digits > 3 or part > 255:
                return -1
            address = address * 256 + part
            dots += 1
            part, digits = 0, 0
        elif 48 <= byte <= 57:
            part = part * 10 + np.int64(byte) - 48
            digits += 1
            if digits > 10:
                return -1
        else:
            return -1
    if dots == 0:
        return part if part <= 0xFFFFFFFF else -1
    if dots != 3 or digits == 0 or digits > 3 or part > 255:
        return -1
    return address * 256 + part


@njit(cache=True, nogil=True)
def check_texts(data: Bytes, starts: Ints, stops: Ints, reason: Bytes, role: Bytes) -> None:
    """Refuse rows of structured formats whose texts hold NUL or no UTF-8."""
    for row in range(len(reason)):
        if reason[row] != FINE:
            continue
        for which in range(ROLES):
            begin, end = starts[row, which], stops[row, which]
            if begin < 0:
                continue
            for i in range(begin, end):
                if data[i] == 0:
                    reason[row] = NUL
                    break
            if reason[row] == FINE and bad_utf8(data, begin, end) >= 0:
                reason[row] = BAD_UTF8
            if reason[row] != FINE:
                role[row] = which
                break


@njit(cache=True, nogil=True)
def _unescape(data: Bytes, start: int, stop: int) -> int:
    """Halve doubled quotes in place; returns the new end."""
    out = start
    i = start
    while i < stop:
        data[out] = data[i]
        i += 2 if data[i] == QUOTE else 1
        out += 1
    return out


@njit(cache=True, nogil=True)
def accept_rows(
    data: Bytes,
    rows: int,
    starts: Ints,
    stops: Ints,
    escaped: Bytes,
    reason: Bytes,
    column: Ints,
    role_columns: Ints,
    most: int,
    time_kind: int,
    time_unit: int,
    pattern: Ints,
    given: Longs,
    secret: Words,
    text_starts: Ints,
    text_lengths: Ints,
    hashes: Words,
    time: Longs,
    rank: Shorts,
    ip: NDArray[np.uint32],
) -> int:
    """Read the fields of rows still fine, refuse those that can't be, pack the rest.

    Parameters
    ----------
    starts, stops, escaped, reason, column
        As `split_rows` leaves them; `reason` and `column` are completed.
    role_columns
        int32 (`ROLES`,): each role's column from 1, 0 if it has none.
    most
        Bytes that a field may have.
    time_kind, time_unit, pattern
        How times are written, see `time_kernels`.
    given
        int64 times that need no reading, `BAD_TIME` for bad ones; empty if they are text.
    text_starts, text_lengths, hashes
        Result, (`TEXTS`, rows): user, query, url, cookie; length −1 for a missing one.
    time, rank, ip
        Result, (rows,).

    Returns
    -------
    Number of rows accepted.
    """
    accepted = 0
    for row in range(rows):
        if reason[row] != FINE:
            continue
        why = FINE
        what = -1
        for role in range(ROLES):
            if stops[row, role] - starts[row, role] > most:
                why, what = FIELD_TOO_LONG, role
                break
        if why == FINE and stops[row, USER] <= starts[row, USER]:
            why, what = EMPTY_USER, USER
        moment = 0
        if why == FINE:
            if len(given) > 0:
                moment = given[row]
            else:
                moment = read_time(
                    data, starts[row, TIME], stops[row, TIME], time_kind, time_unit, pattern
                )
            if moment == BAD_TIME:
                why, what = BAD_TIME_TEXT, TIME
        place = _rank(data, starts[row, RANK], stops[row, RANK])
        address = _ip(data, starts[row, IP], stops[row, IP])
        if why == FINE and place == -2:
            why, what = BAD_RANK, RANK
        if why == FINE and address < 0:
            why, what = BAD_IP, IP
        if why != FINE:
            reason[row] = why
            column[row] = role_columns[what]
            continue
        for text in range(TEXTS):
            role = USER if text == 0 else QUERY if text == 1 else URL if text == 2 else COOKIE
            begin, end = starts[row, role], stops[row, role]
            if escaped[row] >> role & 1:
                end = _unescape(data, begin, end)
            length = end - begin
            if role >= URL and length <= 0:
                text_lengths[text, accepted] = -1
                hashes[text, accepted] = 0
                continue
            text_starts[text, accepted] = begin
            text_lengths[text, accepted] = length
            hashes[text, accepted] = hash_text(data, begin, length, secret)
        time[accepted] = moment
        rank[accepted] = place
        ip[accepted] = address
        accepted += 1
    return accepted


@njit(cache=True, nogil=True)
def count_lines(data: Bytes, marks: Ints, count: int) -> int:
    """Of the marks, those that are line ends."""
    lines = 0
    for k in range(count):
        if data[marks[k]] == NEWLINE:
            lines += 1
    return lines
