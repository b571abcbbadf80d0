"""The part of a log that somebody wants: rows of a period, rows of the users of a list.

Which rows stay depends on each row's own time and user and on what was said beforehand, never on
other rows. So logs that differ in one user's rows differ, in this part, in rows of the same user or
not at all, and whatever holds of a release of neighbouring logs holds of one of this part.
O(rows), and of a list O(its ids).
"""

import dataclasses
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np

from auditor.arrays import Bools
from auditor.bounded_files import UnfitFile, read_text
from auditor.errors import LogFormatError, ParameterError
from auditor.log.model import QueryLog, iterate_slices
from auditor.log.reading.column_mapping import ReadOptions
from auditor.log.sentences import sentence
from auditor.messages import DisplayText, join_phrases, phrase

LARGEST_LIST = 1 << 28
"""Bytes of a list of users, unpacked."""


def take_part(log: QueryLog, options: ReadOptions) -> QueryLog:
    """The rows within the options' period, of the users that their list names.

    Raises `ParameterError`: a date is none, or no row is left; `LogFormatError`: the list of users
    can't be read.
    """
    if not options.is_part or not len(log):
        return log
    notes: list[DisplayText] = []
    treated: list[DisplayText] = []
    users = np.ones(len(log.users), dtype=np.bool_)
    if options.only_users is not None:
        users, missing = _match_users(log, Path(options.only_users))
        treated.append("only users of a list")
        notes.append(phrase("{ids:,} ids of the list are not in the log", ids=missing))
    low, high = find_bounds(options)
    if options.since is not None:
        treated.append(phrase("only rows since {date}", date=options.since))
    if options.until is not None:
        treated.append(phrase("only rows until {date}", date=options.until))
    keep = np.empty(len(log), dtype=np.bool_)
    for part in iterate_slices(len(log)):
        time = log.time[part]
        keep[part] = users[log.user[part]] & (time >= low) & (time <= high)
    subset = log.rows(keep)
    if not len(subset):
        raise ParameterError(
            "since",
            phrase("None of the {rows:,} rows is of the period and users chosen.", rows=len(log)),
        )
    counts = sentence(
        "log_part.rows_users_part",
        rows=len(subset),
        all_rows=len(log),
        users=len(subset.users),
        all_users=len(log.users),
    )
    origin = log.origin.add_notes(join_phrases("; ", [*treated, counts, *notes]))
    if (column := origin.user_column) is not None:
        column = dataclasses.replace(column, treatments=(*column.treatments, *treated))
        origin = dataclasses.replace(origin, user_column=column)
    return dataclasses.replace(subset, origin=origin)


def find_bounds(options: ReadOptions) -> tuple[int, int]:
    """First and last second of the period, on the log's clock; raises `ParameterError`."""
    since, until = options.since, options.until
    low = -(1 << 62) if since is None else _parse_moment("since", since)
    high = 1 << 62 if until is None else _parse_moment("until", until, last=True)
    if high < low:
        raise ParameterError("until", "The period ends before it begins.")
    return low, high


def _parse_moment(name: str, text: str, *, last: bool = False) -> int:
    """The second that a date or a date and time mean; of a date the first one, or the last."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo is not None:
        raise ParameterError(name, sentence("log_part.date_log_clock_write", text=text[:40]))
    if last and len(text) <= len("2006-03-01"):
        moment += timedelta(days=1, seconds=-1)
    return int(moment.replace(tzinfo=UTC).timestamp())


def _match_users(log: QueryLog, path: Path) -> tuple[Bools, int]:
    """Which users a list names, one id a line; and how many of its ids the log doesn't have."""
    import pyarrow as pa
    import pyarrow.compute

    try:
        lines = read_text(path, LARGEST_LIST).splitlines()
    except UnfitFile as error:
        raise LogFormatError(
            sentence("log_part.list_users_read_file", error=error.reason)
        ) from None
    ids = list(dict.fromkeys(line for line in lines if line))
    users = log.users.as_arrow()
    listed = pa.compute.is_in(users, pa.array(ids, users.type))
    is_listed: Bools = listed.to_numpy(zero_copy_only=False)
    return is_listed, len(ids) - int(is_listed.sum())
