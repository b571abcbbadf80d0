"""Compiled reading of times: ISO 8601 and AOL's form, seconds since 1970, and patterns."""

# The types of compiled code are numba's: NumPy scalars mix with int as they please there.
# mypy: disable-error-code="assignment,no-any-return,return-value"

import itertools

import numpy as np
from numba import njit

from auditor.arrays import Bools, Int32s, Int64s, UInt8s
from auditor.log.reading.presets.base import LOG_WORDS

BAD_TIME = -(1 << 62)
"""What is returned for something that isn't a time."""

ISO, EPOCH, PATTERN = 0, 1, 2
"""How times are written."""

LEAST, MOST = -62_135_596_800, 253_402_300_799
"""The first and last second of the years 1 to 9999."""

(YEAR, YEAR2, MONTH, DAY, HOUR, HOUR12, MINUTE, SECOND) = range(8)
(MONTH_NAME, DAY_NAME, HALF, FRACTION, ZONE) = range(8, 13)
SPACE = 13
LITERAL = 256
"""An operation of a pattern at or above this stands for the byte ``operation - LITERAL``."""

_WORDS = [
    (word.encode(), month)
    for words in itertools.zip_longest(*LOG_WORDS["months"])
    for month, word in enumerate(words, 1)
    if word
]
MONTH_WORDS = np.array([list(word.ljust(8)) for word, _ in _WORDS], dtype=np.uint8) | 32
"""How names of months begin, uint8 (words, 8) of UTF-8 in lower case; English first."""
MONTH_LENGTHS = np.array([len(word) for word, _ in _WORDS])
MONTH_NUMBERS = np.array([month for _, month in _WORDS])
LENGTHS = np.array([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31], dtype=np.int64)


@njit(cache=True, nogil=True, inline="always")
def _parse_two_digits(data: UInt8s, i: int) -> int:
    """The two digits at i, or −1."""
    a, b = np.int64(data[i]) - 48, np.int64(data[i + 1]) - 48
    return a * 10 + b if 0 <= a <= 9 and 0 <= b <= 9 else -1


@njit(cache=True, nogil=True)
def to_seconds(year: int, month: int, day: int, hour: int, minute: int, second: int) -> int:
    """Seconds since 1970 of a time in the Gregorian calendar, or `BAD_TIME`; 60 s may be."""
    if year < 1 or year > 9999 or month < 1 or month > 12 or day < 1:
        return BAD_TIME
    leap = (year % 4 == 0 and year % 100 != 0) or year % 400 == 0
    if day > (29 if month == 2 and leap else LENGTHS[month - 1]):
        return BAD_TIME
    if hour < 0 or hour > 23 or minute < 0 or minute > 59 or second < 0 or second > 60:
        return BAD_TIME
    # Years begin in March here, so that the leap day is the last of its year.
    shifted = year - 1 if month <= 2 else year
    era, of_era = shifted // 400, shifted % 400
    of_year = (153 * (month + (9 if month <= 2 else -3)) + 2) // 5 + day - 1
    days = era * 146_097 + of_era * 365 + of_era // 4 - of_era // 100 + of_year - 719_468
    return days * 86_400 + hour * 3600 + minute * 60 + second


@njit(cache=True, nogil=True)
def _parse_zone(data: UInt8s, i: int, stop: int) -> int:
    """Seconds east of Greenwich of `Z`, `UTC`, `GMT`, `±hh`, `±hhmm`, `±hh:mm`, or `BAD_TIME`."""
    length = stop - i
    first = data[i]
    if length == 1 and (first == 90 or first == 122):
        return 0
    if length == 3 and first != 43 and first != 45:
        utc = first == 85 and data[i + 1] == 84 and data[i + 2] == 67
        gmt = first == 71 and data[i + 1] == 77 and data[i + 2] == 84
        return 0 if utc or gmt else BAD_TIME
    if (first != 43 and first != 45) or (length != 3 and length != 5 and length != 6):
        return BAD_TIME
    hours = _parse_two_digits(data, i + 1)
    minutes = 0
    if length == 5:
        minutes = _parse_two_digits(data, i + 3)
    elif length == 6:
        minutes = _parse_two_digits(data, i + 4) if data[i + 3] == 58 else -1
    if hours < 0 or hours > 23 or minutes < 0 or minutes > 59:
        return BAD_TIME
    east = hours * 3600 + minutes * 60
    return east if first == 43 else -east


@njit(cache=True, nogil=True)
def iso_time(data: UInt8s, start: int, stop: int) -> int:
    """``YYYY-MM-DD HH:MM[:SS[.f…]][zone]`` with a space or T between; UTC if no zone is said."""
    if stop - start < 16:
        return BAD_TIME
    century, year = _parse_two_digits(data, start), _parse_two_digits(data, start + 2)
    month, day = _parse_two_digits(data, start + 5), _parse_two_digits(data, start + 8)
    hour, minute = _parse_two_digits(data, start + 11), _parse_two_digits(data, start + 14)
    between = data[start + 10]
    if (
        century < 0
        or year < 0
        or data[start + 4] != 45
        or data[start + 7] != 45
        or (between != 32 and between != 84 and between != 116)
        or data[start + 13] != 58
    ):
        return BAD_TIME
    i = start + 16
    second = 0
    if i + 3 <= stop and data[i] == 58:
        second = _parse_two_digits(data, i + 1)
        i += 3
        if i < stop and (data[i] == 46 or data[i] == 44):
            i += 1
            digits = i
            while i < stop and 48 <= data[i] <= 57:
                i += 1
            if i == digits:
                return BAD_TIME
    moment = to_seconds(century * 100 + year, month, day, hour, minute, second)
    if i == stop or moment == BAD_TIME:
        return moment
    if data[i] == 32:
        i += 1
    east = _parse_zone(data, i, stop) if i < stop else BAD_TIME
    return BAD_TIME if east == BAD_TIME else moment - east


@njit(cache=True, nogil=True)
def epoch_time(data: UInt8s, start: int, stop: int, unit: int) -> int:
    """A whole number of 1/`unit` seconds since 1970, rounded down; a fraction may follow."""
    i = start
    negative = i < stop and data[i] == 45
    if negative:
        i += 1
    digits = i
    value = 0
    while i < stop and 48 <= data[i] <= 57:
        value = value * 10 + np.int64(data[i]) - 48
        i += 1
    if i == digits or i - digits > 19 or (i - digits == 19 and data[digits] > 56):
        return BAD_TIME  # 64 bits hold no more
    has_fraction = False
    if i < stop and (data[i] == 46 or data[i] == 44):
        i += 1
        while i < stop and 48 <= data[i] <= 57:
            has_fraction = has_fraction or data[i] != 48
            i += 1
    if i != stop:
        return BAD_TIME
    if negative:
        value = -value - 1 if has_fraction else -value
    value = value // unit
    return value if LEAST <= value <= MOST else BAD_TIME


@njit(cache=True, nogil=True)
def _month_named(data: UInt8s, i: int, stop: int) -> int:
    for word in range(len(MONTH_WORDS)):
        length = MONTH_LENGTHS[word]
        equal = 0
        while (
            equal < length and i + equal < stop and data[i + equal] | 32 == MONTH_WORDS[word, equal]
        ):
            equal += 1
        if equal == length:
            return MONTH_NUMBERS[word]
    return -1


@njit(cache=True, nogil=True, inline="always")
def _is_letter(byte: int) -> bool:
    return 97 <= (byte | 32) <= 122 or byte > 127


@njit(cache=True, nogil=True)
def pattern_time(data: UInt8s, start: int, stop: int, pattern: Int32s, parts: Int64s) -> int:
    """A time written as the operations of `pattern` say, one after the other.

    `parts`, int64 (FRACTION + 1,), is room for the numbers that they read.
    """
    parts[:] = 0
    parts[YEAR], parts[MONTH], parts[DAY] = 1970, 1, 1
    is_afternoon, east = False, np.int64(0)
    i = start
    for operation in pattern:
        begin = i
        if operation >= LITERAL:
            if i >= stop or data[i] != operation - LITERAL:
                return BAD_TIME
            i += 1
        elif operation == SPACE:
            while i < stop and data[i] == 32:
                i += 1
            if i == begin:
                return BAD_TIME
        elif operation in (MONTH_NAME, DAY_NAME):
            if operation == MONTH_NAME:
                parts[MONTH] = _month_named(data, i, stop)
            while i < stop and _is_letter(data[i]):
                i += 1
            if i < begin + 3:
                return BAD_TIME
            if i + 1 < stop and data[i] == 46 and not 48 <= data[i + 1] <= 57:
                i += 1  # a name cut short
        elif operation == HALF:
            letter = data[i] | 32
            if i + 2 > stop or letter not in (97, 112) or (data[i + 1] | 32) != 109:
                return BAD_TIME
            is_afternoon = letter == 112
            i += 2
        elif operation == ZONE:
            while i < stop and data[i] != 32 and data[i] != 93:
                i += 1
            east = _parse_zone(data, begin, i) if i > begin else BAD_TIME
            if east == BAD_TIME:
                return BAD_TIME
        else:
            most = 4 if operation == YEAR else 9 if operation == FRACTION else 2
            value = 0
            while i < begin + most and i < stop and 48 <= data[i] <= 57:
                value = value * 10 + np.int64(data[i]) - 48
                i += 1
            is_short = i < begin + most and operation in (YEAR, YEAR2)
            if i == begin or is_short or (operation == HOUR12 and not 1 <= value <= 12):
                return BAD_TIME
            if operation == YEAR2:
                parts[YEAR] = value + (1900 if value >= 69 else 2000)
            elif operation == HOUR12:
                parts[HOUR] = value % 12
            else:
                parts[operation] = value
    hour = parts[HOUR] + (12 if is_afternoon and parts[HOUR] < 12 else 0)
    moment = to_seconds(parts[YEAR], parts[MONTH], parts[DAY], hour, parts[MINUTE], parts[SECOND])
    return moment - east if i == stop and moment != BAD_TIME else BAD_TIME


@njit(cache=True, nogil=True)
def _ends_in_zone(data: UInt8s, end: int) -> bool:
    """Whether a time that `iso_time` can read ends in `Z`, `UTC`, `GMT` or an offset."""
    if data[end - 1] > 57:
        return True
    return data[end - 3] in (43, 45) or data[end - 5] in (43, 45) or data[end - 6] in (43, 45)


@njit(cache=True, nogil=True)
def read_times(
    data: UInt8s,
    starts: Int32s,
    stops: Int32s,
    reason: UInt8s,
    form: tuple[int, int],
    pattern: Int32s,
    moments: Int64s,
    zoned: Bools,
) -> None:
    """Write the times in the fields of rows that are still fine; O(bytes).

    `form` is how they are written, and of counts the unit. Of ISO 8601 `zoned`, false before, gets
    which name a zone.
    """
    kind, unit = form
    parts = np.empty(FRACTION + 1, dtype=np.int64)
    for row in range(len(reason)):
        if reason[row] != 0:
            continue
        start, stop = np.int64(starts[row]), np.int64(stops[row])
        while start < stop and data[start] == 32:
            start += 1
        while start < stop and data[stop - 1] == 32:
            stop -= 1
        if kind == ISO:
            moments[row] = iso_time(data, start, stop)
            zoned[row] = moments[row] != BAD_TIME and _ends_in_zone(data, stop)
        elif kind == EPOCH:
            moments[row] = epoch_time(data, start, stop, unit)
        else:
            moments[row] = pattern_time(data, start, stop, pattern, parts)
