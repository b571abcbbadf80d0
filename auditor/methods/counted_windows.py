"""Whose rows count in which months, and days that are released: what threshold methods share."""

from collections.abc import Collection, Iterator

import numpy as np

from auditor.arrays import Bools
from auditor.log.columns import SIGNED_IN
from auditor.log.model import QueryLog
from auditor.log.sentences import sentence
from auditor.methods.noisy_counts.period_units import number_day

_DAY = 86_400
_YES = ("1", "true", "t", "yes", "y")


def find_signed_in(log: QueryLog) -> Bools:
    """Rows of signed-in users; all where the log does not say who was; shape (rows,)."""
    if SIGNED_IN not in log.attributes:
        return np.ones(len(log), dtype=np.bool_)
    column = log.attributes[SIGNED_IN]
    texts = [text.strip().lower() in _YES for text in column.texts.list_strings()]
    rows: Bools = np.append(np.array(texts, dtype=np.bool_), False)[column.codes]
    return rows


def describe_users(column_names: Collection[str]) -> str:
    """Whose rows count, in a log with these columns beside it, as a sentence."""
    if SIGNED_IN in column_names:
        return sentence("query_result_threshold.signed_in_users")
    return sentence("query_result_threshold.all_users")


def find_released(log: QueryLog, first_day: int | None) -> Bools:
    """The rows of the days that are released, all where no day is the first; shape (rows,)."""
    if first_day is None:
        return np.ones(len(log), dtype=np.bool_)
    return log.time >= number_day(first_day) * _DAY


def list_windows(
    period: tuple[int, int] | None, months: int, first_day: int | None, more_windows: int = 0
) -> Iterator[tuple[int, int]]:
    """Seconds [start, stop) of each window of a log of that period, the last window first.

    A window of so many months ends at the first day that is released, or after the log's last day,
    and `more_windows` of them each month before; one that reaches back to the first row is the
    last.
    """
    if period is None:
        return
    begin, last = period
    end = last // _DAY * _DAY + _DAY if first_day is None else number_day(first_day) * _DAY
    for earlier in range(more_windows + 1):
        stop = _months_before(end, earlier)
        start = _months_before(stop, months)
        if stop <= begin:
            return
        yield start, stop
        if start <= begin:
            return


def _months_before(end: int, months: int) -> int:
    """The moment so many calendar months before: the same day, or the first of the next month."""
    date = np.datetime64(end // _DAY, "D")
    month = date.astype("datetime64[M]") - months
    first, following = month.astype("datetime64[D]"), (month + 1).astype("datetime64[D]")
    day = first + (date - date.astype("datetime64[M]").astype("datetime64[D]"))
    return int(min(day, following).astype(np.int64)) * _DAY
