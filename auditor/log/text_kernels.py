"""Compiled loops over UTF-8 bytes: finding tokens and numbering them by first appearance.

A token is found again through an open-addressing table of 16-byte slots: a 64-bit key, and
its length and code in one word. The key of a token of up to eight bytes is the token, so only
longer ones have their bytes compared.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from auditor.arrays import Int64s, RaggedArray, UInt8s, UInt64s

EMPTY = -1


class TokenSlots(NamedTuple):
    """A hash table of tokens, a power of two slots, at most half full.

    A value is length · 2³² + code, −1 if empty; `starts` and `lengths` say where each code's token
    first stood.
    """

    keys: UInt64s
    values: Int64s
    starts: Int64s
    lengths: Int64s


@njit(cache=True, nogil=True, inline="always")
def _measure_space(data: UInt8s, i: int, stop: int) -> int:
    """Bytes of the white space that begins at i, 0 if there is none; as `str.split` has it."""
    byte = data[i]
    if byte == 32 or 9 <= byte <= 13 or 28 <= byte <= 31:
        return 1
    if byte < 0xC2 or byte > 0xE3:
        return 0
    if byte == 0xC2:
        return 2 if i + 1 < stop and (data[i + 1] == 0x85 or data[i + 1] == 0xA0) else 0
    if i + 2 >= stop:
        return 0
    second, third = data[i + 1], data[i + 2]
    if byte == 0xE1:
        wide = second == 0x9A and third == 0x80
    elif byte == 0xE2:
        wide = (second == 0x81 and third == 0x9F) or (
            second == 0x80
            and (0x80 <= third <= 0x8A or third == 0xA8 or third == 0xA9 or third == 0xAF)
        )
    else:
        wide = byte == 0xE3 and second == 0x80 and third == 0x80
    return 3 if wide else 0


@njit(cache=True, nogil=True)
def count_tokens(data: UInt8s, offsets: Int64s, first: int, last: int, counts: Int64s) -> None:
    """Write the tokens of each string in [first, last) into `counts`; O(bytes)."""
    for row in range(first, last):
        stop = offsets[row + 1]
        i = offsets[row]
        found = 0
        inside = False
        while i < stop:
            width = 0 if 32 < data[i] < 0xC2 else _measure_space(data, i, stop)
            if width:
                inside = False
                i += width
            else:
                found += not inside
                inside = True
                i += 1
        counts[row] = found


@njit(cache=True, nogil=True, inline="always")
def _mix_word(word: np.uint64) -> np.uint64:
    word ^= word >> np.uint64(30)
    word *= np.uint64(0xBF58476D1CE4E5B9)
    word ^= word >> np.uint64(27)
    word *= np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


@njit(cache=True, nogil=True, inline="always")
def _make_key(data: UInt8s, start: int, length: int) -> np.uint64:
    """The bytes themselves up to eight of them, a hash of them beyond."""
    total = np.uint64(0)
    word = np.uint64(0)
    for j in range(length):
        word |= np.uint64(data[start + j]) << np.uint64(8 * (j & 7))
        if j & 7 == 7 and length > 8:
            total = _mix_word(total ^ word) + np.uint64(length)
            word = np.uint64(0)
    return word if length <= 8 else _mix_word(total ^ word)


@njit(cache=True, nogil=True)
def number_tokens(
    strings: RaggedArray, first: int, last: int, out: RaggedArray, table: TokenSlots, known: int
) -> tuple[int, int]:
    """Number the tokens of the strings [first, last); O(bytes).

    Returns the string it got to and the
    number of codes: it stops early, before a string, when `starts` might not hold that string's
    tokens.
    """
    offsets, data = strings
    places, codes = out
    keys, values, starts, lengths = table
    mask = np.uint64(len(keys) - 1)
    for row in range(first, last):
        place = places[row]
        if known + places[row + 1] - place > len(starts):
            return row, known
        stop = offsets[row + 1]
        i = offsets[row]
        while i < stop:
            width = 0 if 32 < data[i] < 0xC2 else _measure_space(data, i, stop)
            if width:
                i += width
                continue
            begin = i
            while i < stop and (32 < data[i] < 0xC2 or _measure_space(data, i, stop) == 0):
                i += 1
            length = i - begin
            key = _make_key(data, begin, length)
            slot = _mix_word(key + np.uint64(length)) & mask
            while True:
                value = values[slot]
                if value == EMPTY:
                    keys[slot] = key
                    values[slot] = (length << 32) | known
                    starts[known] = begin
                    lengths[known] = length
                    codes[place] = known
                    known += 1
                    break
                if keys[slot] == key and value >> 32 == length:
                    code = value & 0xFFFFFFFF
                    same = True
                    if length > 8:
                        other = starts[code]
                        for j in range(length):
                            if data[other + j] != data[begin + j]:
                                same = False
                                break
                    if same:
                        codes[place] = code
                        break
                slot = (slot + np.uint64(1)) & mask
            place += 1
    return last, known


@njit(cache=True, nogil=True)
def move_slots(
    old_keys: UInt64s, old_values: Int64s, first: int, last: int, keys: UInt64s, values: Int64s
) -> None:
    """Put the slots [first, last) of a table into a larger, empty one."""
    mask = np.uint64(len(keys) - 1)
    for old in range(first, last):
        value = old_values[old]
        if value != EMPTY:
            slot = _mix_word(old_keys[old] + np.uint64(value >> 32)) & mask
            while values[slot] != EMPTY:
                slot = (slot + np.uint64(1)) & mask
            keys[slot] = old_keys[old]
            values[slot] = value


@njit(cache=True, nogil=True)
def gather_texts(
    data: UInt8s,
    starts: Int64s,
    lengths: Int64s,
    offsets: Int64s,
    first: int,
    last: int,
    out: UInt8s,
) -> None:
    """Copy the pieces [first, last) of `data` end to end to where `offsets` says."""
    for row in range(first, last):
        start = starts[row]
        place = offsets[row]
        for j in range(lengths[row]):
            out[place + j] = data[start + j]
