"""Months in which users are counted, and days that are released: what threshold methods share."""

from __future__ import annotations

import datetime
from collections.abc import Iterator

import numpy as np

from auditor.arrays import Bools
from auditor.errors import ParameterError
from auditor.log.model import QueryLog
from auditor.messages import phrase
from auditor.methods.dated_counts.params import date_of

_DAY = 86_400


def check_first_day(day: int | None) -> None:
    """Refuse what is no date."""
    if day is not None and date_of(day) is None:
        said = phrase("{value} is no date: give year, month and day.", value=day)
        raise ParameterError("first_day", said)


def find_released(log: QueryLog, first_day: int | None) -> Bools | None:
    """The rows of the days that are released; None for all."""
    return None if first_day is None else log.time >= _seconds_of(first_day)


def list_windows(
    log: QueryLog, months: int, first_day: int | None, more: int = 0
) -> Iterator[Bools | None]:
    """The rows of each window, the last first; one that reaches back to the first row is the last.

    A window of so many months ends at the first day that is released, or after the log's last day,
    and `more` of them each month before. None for all rows.
    """
    if log.period is None:
        return
    begin, last = log.period
    end = last // _DAY * _DAY + _DAY if first_day is None else _seconds_of(first_day)
    for earlier in range(more + 1):
        stop = _months_before(end, earlier)
        start = _months_before(stop, months)
        if stop <= begin:
            return
        if start <= begin and stop > last:
            yield None
            return
        yield (log.time >= start) & (log.time < stop)
        if start <= begin:
            return


def _seconds_of(day: int) -> int:
    date = date_of(day)
    assert date is not None
    return (date - datetime.date(1970, 1, 1)).days * _DAY


def _months_before(end: int, months: int) -> int:
    """The moment so many calendar months before: the same day, or the first of the next month."""
    date = np.datetime64(end // _DAY, "D")
    month = date.astype("datetime64[M]") - months
    first, following = month.astype("datetime64[D]"), (month + 1).astype("datetime64[D]")
    day = first + (date - date.astype("datetime64[M]").astype("datetime64[D]"))
    return int(min(day, following).astype(np.int64)) * _DAY
