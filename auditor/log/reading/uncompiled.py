"""Reading a first, small log without compiled loops: NumPy and dictionaries give the same rows.

To compile the loops takes seconds on a machine that has never read a log, and a small log is read
in less without them. What is rare (quotes, NUL bytes, times of other forms) is left to the loops,
so a log is the same either way. The functions take what their compiled namesakes take.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np

from auditor.arrays import Bools, Int32s, Int64s, Integers, UInt8s, UInt64s
from auditor.log.kernel_cache import is_compiled
from auditor.log.model import NONE, Vocabulary
from auditor.log.reading import field_kernels as kernels
from auditor.log.reading.field_kernels import PackedRows, RowFields
from auditor.log.reading.parse_kernels import RowRules
from auditor.log.reading.sources import is_utf8
from auditor.log.reading.time_kernels import BAD_TIME, LENGTHS

ROWS = 1_000_000
"""Expected rows up to which a first log is read without compiling: about as long as it takes."""

NEWLINE, RETURN, COLON, DASH = 10, 13, 58, 45
_DOTTED = re.compile(rb"(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})")
_RANK = re.compile(rb"(\d{1,5})(?:[.,]0+)?")
_NUMBER = re.compile(rb"\d{1,10}")
_ISO_DIGITS = (0, 1, 2, 3, 5, 6, 8, 9, 11, 12, 14, 15, 17, 18)


def are_loops_compiled() -> bool:
    """Whether an earlier run, or this one, compiled the loops that read a log."""
    return is_compiled(kernels.accept_rows)


def split_rows(
    data: UInt8s, start: int, stop: int, rules: RowRules, roles: int
) -> RowFields | None:
    """The rows of a block of whole lines; None if it holds what only the compiled loop knows."""
    text = data[start:stop]
    raw = text.tobytes()
    if 0 in raw or (rules.quoting and kernels.QUOTE in raw) or not is_utf8(raw):
        return None
    marks = np.flatnonzero((text == NEWLINE) | (text == rules.delimiter)) + start
    last = np.flatnonzero(data[marks] == NEWLINE)
    ends = marks[last]
    begins = np.concatenate(([start], ends[:-1] + 1)) if len(ends) else ends
    if np.any(ends - begins > rules.most):
        return None
    first = np.concatenate(([0], last[:-1] + 1)) if len(last) else last
    columns = last - first + 1
    rows = len(ends)
    starts = np.full((rows, roles), -1, dtype=np.int32)
    stops = np.full((rows, roles), -1, dtype=np.int32)
    for place, role in enumerate(rules.column_roles):
        has = np.flatnonzero(columns > place)
        if role < 0 or not len(has):
            continue
        begin = begins[has] if place == 0 else marks[first[has] + place - 1] + 1
        end = marks[first[has] + place]
        at_end = columns[has] == place + 1
        end = end - (at_end & (end > begin) & (data[end - 1] == RETURN))
        starts[has, role], stops[has, role] = begin, end
    reason, column = _refuse_rows(data, begins, ends, columns, rules)
    spans = np.stack([np.arange(rows), begins, ends], axis=1).astype(np.int32)
    escaped = np.zeros(rows, dtype=np.uint32)
    return RowFields(data, starts, stops, escaped, spans, reason, column)


def _refuse_rows(
    data: UInt8s, begins: Int64s, ends: Int64s, columns: Int64s, rules: RowRules
) -> tuple[UInt8s, Int32s]:
    """Why each row is refused, and in which column: empty, the header again, too many columns."""
    width = len(rules.column_roles)
    wrong = (columns != width) & (columns != rules.short_width)
    reason = np.where(wrong, kernels.COLUMN_COUNT, kernels.FINE).astype(np.uint8)
    column = np.where(wrong, np.minimum(columns, width) + (columns > width), 0).astype(np.int32)
    sizes = ends - begins
    bare = sizes - ((sizes > 0) & (data[ends - 1] == RETURN))
    if len(rules.header):
        for row in np.flatnonzero(bare == len(rules.header)):
            if np.array_equal(data[begins[row] : begins[row] + bare[row]], rules.header):
                reason[row], column[row] = kernels.HEADER_AGAIN, 0
    empty = (columns == 1) & (bare == 0)
    reason[empty], column[empty] = kernels.EMPTY_LINE, 0
    return reason, column


def read_iso_times(
    data: UInt8s, starts: Int32s, stops: Int32s, reason: UInt8s, moments: Int64s, zoned: Bools
) -> UInt8s:
    """Write the times that are written to the second; returns `reason`, not 0 for those done."""
    sizes = stops.astype(np.int64) - starts
    rows = np.flatnonzero((reason == kernels.FINE) & (sizes >= 19) & (sizes <= 20))
    begins = starts[rows].astype(np.int64)
    zulu = (sizes[rows] == 20) & ((data[begins + 19] | 32) == ord("z"))
    matches = (data[begins + 16] == COLON) & (zulu | (sizes[rows] == 19))
    rows, begins = rows[matches], begins[matches]
    zoned[rows] = zulu[matches]
    text = data[begins[:, None] + np.arange(19)].astype(np.int64)
    good = np.isin(text[:, 10], (32, ord("T"), ord("t"))) & (text[:, 13] == COLON)
    good &= (text[:, 4] == DASH) & (text[:, 7] == DASH)
    digits = text - 48
    for place in _ISO_DIGITS:
        good &= (digits[:, place] >= 0) & (digits[:, place] <= 9)
    year, month, day, hour, minute, second = (
        np.where(good, digits[:, places] @ weights, 1)
        for places, weights in (
            ([0, 1, 2, 3], [1000, 100, 10, 1]),
            *(([first, first + 1], [10, 1]) for first in (5, 8, 11, 14, 17)),
        )
    )
    good &= (year >= 1) & (month >= 1) & (month <= 12) & (hour <= 23) & (minute <= 59)
    month = np.where(good, month, 1)
    leap = ((year % 4 == 0) & (year % 100 != 0)) | (year % 400 == 0)
    good &= (day >= 1) & (day <= LENGTHS[month - 1] + (leap & (month == 2))) & (second <= 60)
    clock = hour * 3600 + minute * 60 + second
    months = ((year - 1970) * 12 + month - 1).astype("datetime64[M]")
    days = months.astype("datetime64[D]").astype(np.int64) + day - 1
    moments[rows] = np.where(good, days * 86_400 + clock, BAD_TIME)
    new_reason = np.where(sizes < 16, np.uint8(1), reason)  # too short for any form
    new_reason[rows] = 1
    return new_reason


def accept_rows(
    fields: RowFields, role_columns: Int32s, most: int, moments: Int64s, packed: PackedRows
) -> int:
    """Refuse rows whose fields can't be read and pack the others, as `field_kernels` does.

    Texts aren't hashed: `UncompiledEncoder` numbers them.
    """
    data, starts, stops, escaped, _, reason, column = fields
    texts = (kernels.USER, kernels.QUERY, kernels.URL, *range(kernels.COOKIE, starts.shape[1]))
    rows = np.flatnonzero(reason == kernels.FINE)
    first, end = starts[rows], stops[rows]
    sizes = end - first
    too_long: Bools = sizes > most
    raw = data.tobytes()
    rank = _parse_numbers(raw, first[:, kernels.RANK], end[:, kernels.RANK], read_rank, -1)
    ip = _parse_numbers(raw, first[:, kernels.IP], end[:, kernels.IP], read_ip, 0)
    faults: tuple[tuple[Bools, int, Integers | int], ...] = (
        (np.less(ip, 0), kernels.BAD_IP, kernels.IP),
        (np.equal(rank, -2), kernels.BAD_RANK, kernels.RANK),
        (np.equal(moments[rows], BAD_TIME), kernels.BAD_TIME_TEXT, kernels.TIME),
        (np.less_equal(sizes[:, kernels.USER], 0), kernels.EMPTY_USER, kernels.USER),
        (np.any(too_long, axis=1), kernels.FIELD_TOO_LONG, np.argmax(too_long, axis=1)),
    )
    why = np.full(len(rows), kernels.FINE, dtype=np.uint8)
    what = np.zeros(len(rows), dtype=np.int64)
    for bad, fault, role in faults:  # the last that holds is told
        why[bad] = fault
        what[bad] = role[bad] if isinstance(role, np.ndarray) else role
    bad = why != kernels.FINE
    reason[rows[bad]], column[rows[bad]] = why[bad], role_columns[what[bad]]
    good = np.flatnonzero(~bad)
    source, many = rows[good], len(good)
    for row in np.flatnonzero(escaped[source]):
        _unescape_quotes(data, first[good[row]], end[good[row]], int(escaped[source[row]]), texts)
    sizes = (end - first)[good]
    for text, role in enumerate(texts):
        length = (
            sizes[:, role]
            if role < kernels.URL
            else np.where(sizes[:, role] > 0, sizes[:, role], -1)
        )
        packed.text_starts[text, :many] = first[good, role]
        packed.text_lengths[text, :many] = length
    packed.time[:many] = moments[source]
    packed.rank[:many] = rank[good]
    packed.ip[:many] = ip[good]
    return many


def _unescape_quotes(
    data: UInt8s, starts: Int32s, stops: Int32s, escaped: int, texts: tuple[int, ...]
) -> None:
    """Halve the doubled quotes of one row's texts in place; `stops` moves."""
    for role in texts:
        if escaped >> role & 1:
            text = data[starts[role] : stops[role]].tobytes().replace(b'""', b'"')
            stops[role] = starts[role] + len(text)
            data[starts[role] : stops[role]] = np.frombuffer(text, dtype=np.uint8)


def _parse_numbers(
    raw: bytes, starts: Int32s, stops: Int32s, read: Callable[[bytes], int], none: int
) -> Int64s:
    """What `read` makes of each field, `none` where there is none; each text is read once."""
    values = np.full(len(starts), none, dtype=np.int64)
    some = np.flatnonzero(stops > starts)
    pieces = [
        raw[begin:end]
        for begin, end in zip(starts[some].tolist(), stops[some].tolist(), strict=True)
    ]
    parsed = {piece: read(piece) for piece in set(pieces)}
    values[some] = [parsed[piece] for piece in pieces]
    return values


def read_rank(text: bytes) -> int:
    """A whole number up to 32,767, also as 1.0 or 1,0; −2 if it is something else."""
    match = _RANK.fullmatch(text)
    return int(match[1]) if match and int(match[1]) <= 32_767 else -2


def read_ip(text: bytes) -> int:
    """An IPv4 address, dotted or as one number; −1 if it is no address."""
    if dotted := _DOTTED.fullmatch(text):
        parts = [int(part) for part in dotted.groups()]
        return -1 if max(parts) > 255 else int.from_bytes(bytes(parts), "big")
    if _NUMBER.fullmatch(text) and int(text) < 2**32:
        return int(text)
    return -1


class UncompiledEncoder:
    """The distinct strings of one column, numbered by first appearance, in a dictionary."""

    def __init__(self) -> None:
        self._numbers: dict[bytes, int] = {}

    def __len__(self) -> int:
        return len(self._numbers)

    def add(
        self, data: UInt8s, starts: Int32s, lengths: Int32s, _hashes: UInt64s, codes: Int32s
    ) -> None:
        """Write to `codes` those of n strings of a buffer, −1 for a negative length."""
        raw, number, numbers = data.tobytes(), self._numbers.setdefault, self._numbers
        some = np.flatnonzero(lengths >= 0)
        begins = starts[some].tolist()
        ends = (starts[some] + lengths[some]).tolist()
        result = [
            number(raw[begin:end], len(numbers)) for begin, end in zip(begins, ends, strict=True)
        ]
        codes.fill(NONE)
        codes[some] = result

    def take_vocabulary(self) -> Vocabulary:
        """The strings; the encoder is empty afterwards."""
        words = list(self._numbers)
        self._numbers = {}
        offsets = np.zeros(len(words) + 1, dtype=np.int64)
        np.cumsum([len(word) for word in words], out=offsets[1:])
        return Vocabulary(np.frombuffer(b"".join(words), dtype=np.uint8), offsets)
