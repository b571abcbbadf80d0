"""Compiled loops over the fields of rows, whatever format they come from.

`accept_rows` reads ranks and addresses, hashes texts, refuses what can't be read, and packs the
rows that are good. Times are read before, by the one kernel of `time_kernels` that fits them.
"""

# The types of compiled code are numba's: NumPy scalars mix with int as they please there.
# mypy: disable-error-code="assignment,no-any-return,return-value"

from typing import NamedTuple

import numpy as np
from numba import njit

from auditor.arrays import Int16s, Int32s, Int64s, UInt8s, UInt32s, UInt64s
from auditor.log.dictionary_kernels import hash_text
from auditor.log.reading.time_kernels import BAD_TIME

USER, QUERY, TIME, URL, RANK, IP, COOKIE = range(7)
"""The roles a column can have; their numbers are the columns of `starts` and `stops`."""
ROLES = 7
"""The roles that every log may have; attributes, all of them texts, have numbers from here on."""

(FINE, EMPTY_LINE, LINE_TOO_LONG, NUL, BAD_UTF8, COLUMN_COUNT, BAD_QUOTING) = range(7)
(HEADER_AGAIN, FIELD_TOO_LONG, EMPTY_USER, BAD_TIME_TEXT, BAD_RANK, BAD_IP, BAD_JSON) = range(7, 14)
"""Why a row is refused; `column_mapping.REASONS` in words."""

QUOTE = 34


@njit(cache=True, nogil=True)
def _parse_rank(data: UInt8s, start: int, stop: int) -> int:
    """A whole number up to 32,767, also as 1.0; −1 if there is none, −2 for anything else.

    Blanks around it don't count; −1 says that there is none.
    """
    while stop > start and data[stop - 1] == 32:
        stop -= 1
    while stop > start and data[start] == 32:
        start += 1
    if stop <= start:
        return -1
    negative = data[start] == 45
    start += negative
    value = 0
    i = start
    while i < stop and i < start + 5 and 48 <= data[i] <= 57:
        value = value * 10 + np.int64(data[i]) - 48
        i += 1
    if i == start or value > 32_767:
        return -2
    if i < stop - 1 and (data[i] == 46 or data[i] == 44):
        i += 1
        while i < stop and data[i] == 48:
            i += 1
    if i != stop or (negative and value != 1):
        return -2
    return -1 if negative else value


@njit(cache=True, nogil=True)
def _parse_ip(data: UInt8s, start: int, stop: int) -> int:
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
def _unescape_quotes(data: UInt8s, start: int, stop: int) -> int:
    """Halve doubled quotes in place; returns the new end."""
    out = start
    i = start
    while i < stop:
        data[out] = data[i]
        i += 2 if data[i] == QUOTE else 1
        out += 1
    return out


class RowFields(NamedTuple):
    """Where the fields of a block's rows lie, or why a row is refused.

    Attributes
    ----------
    data
        uint8, padded: the block.
    starts, stops
        int32 (rows, roles), set where the row has the role's column, −1 elsewhere.
    escaped
        uint32 (rows,), bit r set if the field of role r has doubled quotes.
    spans
        int32 (rows, 3): line within the block from 0, first byte, end.
    reason, column
        uint8 and int32 (rows,): why the row is refused, in which column from 1 (0 = none).
    """

    data: UInt8s
    starts: Int32s
    stops: Int32s
    escaped: UInt32s
    spans: Int32s
    reason: UInt8s
    column: Int32s


class PackedRows(NamedTuple):
    """Room for the rows that are good, one after the other.

    `text_starts`, `text_lengths` and `hashes` are (texts, rows): user, query, url, cookie and the
    attributes, with length −1 for a missing one; the others are (rows,).
    """

    text_starts: Int32s
    text_lengths: Int32s
    hashes: UInt64s
    time: Int64s
    rank: Int16s
    ip: UInt32s


@njit(cache=True, nogil=True)
def accept_rows(
    fields: RowFields,
    role_columns: Int32s,
    longest_field: int,
    moments: Int64s,
    secret: UInt64s,
    packed: PackedRows,
) -> int:
    """Parse the fields of rows that are still valid, reject bad rows, pack the rest; O(bytes).

    Parameters
    ----------
    role_columns
        int32 (roles,): each role's column from 1, 0 if it has none.
    longest_field
        Bytes that a field may have.
    moments
        int64 (rows,): times in seconds since 1970, `BAD_TIME` for bad ones.

    Returns
    -------
    Number of rows accepted.
    """
    data, starts, stops, escaped, _, reason, column = fields
    text_starts, text_lengths, hashes, time, rank, ip = packed
    accepted = 0
    for row in range(len(reason)):
        if reason[row] != FINE:
            continue
        outcome = FINE
        role_at_fault = -1
        for role in range(starts.shape[1]):
            if stops[row, role] - starts[row, role] > longest_field:
                outcome, role_at_fault = FIELD_TOO_LONG, role
                break
        if outcome == FINE and stops[row, USER] <= starts[row, USER]:
            outcome, role_at_fault = EMPTY_USER, USER
        moment = moments[row]
        if outcome == FINE and moment == BAD_TIME:
            outcome, role_at_fault = BAD_TIME_TEXT, TIME
        place = _parse_rank(data, starts[row, RANK], stops[row, RANK])
        address = _parse_ip(data, starts[row, IP], stops[row, IP])
        if outcome == FINE and place == -2:
            outcome, role_at_fault = BAD_RANK, RANK
        if outcome == FINE and address < 0:
            outcome, role_at_fault = BAD_IP, IP
        if outcome != FINE:
            reason[row] = outcome
            column[row] = role_columns[role_at_fault]
            continue
        for text in range(len(text_starts)):
            role = text if text <= QUERY else URL if text == 2 else text - 3 + COOKIE
            begin, end = starts[row, role], stops[row, role]
            if escaped[row] >> role & 1:
                end = _unescape_quotes(data, begin, end)
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
