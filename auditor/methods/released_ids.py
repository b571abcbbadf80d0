"""Under which ids rows are released, and whose each of them is.

An id that stays links all that somebody did; a new one each day links a day; one for each
mini-session links a few searches of one user and day. Numbers are drawn at random and kept nowhere
but in the run, whose attacks need to know whether they guessed right.
Cost: O(rows log rows).
"""

from dataclasses import dataclass

import numpy as np

from auditor.arrays import Int32s, Int64s, mark_run_starts
from auditor.log.model import QueryLog, Vocabulary
from auditor.methods.noisy_counts.period_units import DAY, name_units, number_periods
from auditor.privacy.randomness import Randomness
from auditor.privacy.truth_table import TruthTable
from auditor.progress import Progress

KEEP, RANDOM, DROP = "keep", "random", "drop"

NO_USER = "everybody"
"""Whose all rows are where ids are dropped: a file without any id can't be read back."""


@dataclass(frozen=True)
class MiniSessions:
    """Where a user's day is cut: after so many searches, and at pauses of so many seconds.

    None for no cut: the day is one mini-session.
    """

    searches: int | None = None
    gap: int | None = None


WHOLE_DAYS = MiniSessions()


def count_dropped(log: QueryLog, kept_log: QueryLog) -> dict[str, int]:
    """What of a log is not among the rows that are kept, as a release's changes have it."""
    return {
        "rows": len(log),
        "rows_dropped": len(log) - len(kept_log),
        "queries_dropped": len(log.queries) - len(kept_log.queries),
        "users_dropped": len(log.users) - len(kept_log.users),
    }


def replace_user_ids(
    log: QueryLog,
    ids: str,
    rng: Randomness,
    progress: Progress,
    sessions: MiniSessions = WHOLE_DAYS,
) -> tuple[QueryLog, TruthTable | None]:
    """The log under other ids, without addresses and cookies unless ids are kept; whose they are.

    `ids` is "keep", "random" (a number for each user), "drop", or "day" (a number for each user and
    day, or for each of its mini-sessions).
    """
    if ids == KEEP:
        return log, None
    progress.stage("renumbering users")
    if ids == DROP:
        single_user = Vocabulary.of((NO_USER,) if len(log) else ())
        return log.with_users(np.zeros(len(log.users), dtype=np.int32), single_user), None
    record = None if ids == RANDOM else number_records(log, sessions)
    owner = np.arange(len(log.users))
    if record is not None:
        owner = log.user[np.flatnonzero(np.diff(record, prepend=-1))].astype(np.int64)
    new = rng.permutation(len(owner)).astype(np.int32)
    names = name_units(len(owner))
    progress.check()
    user = np.empty(len(owner), dtype=np.int64)
    user[new] = owner
    return log.with_users(new, names, record=record), TruthTable(names, log.users, user)


def order_events(log: QueryLog) -> Int64s | None:
    """An order in which all rows of an event stand side by side; None where they do.

    Those of two events in one second may be mixed.
    """
    starts = log.event_starts
    if not (~starts[1:] & (log.query[1:] != log.query[:-1])).any():
        return None
    order = np.lexsort((np.arange(len(log)), log.query, log.time, log.user))
    begin = order[starts[order]][np.cumsum(starts[order]) - 1]
    return order[np.lexsort((order, begin))].astype(np.int64)


def gather_events(log: QueryLog) -> QueryLog:
    """The log in that order."""
    order = order_events(log)
    return log if order is None else log.rows(order)


def number_records(log: QueryLog, sessions: MiniSessions = WHOLE_DAYS) -> Int32s:
    """The number of each row's mini-session, from 0, ascending; shape (rows,).

    A cut after so many searches is between two of them where `gather_events` was before it.
    """
    record = number_periods(log, DAY)
    if sessions.gap is not None:
        pause = np.diff(log.time, prepend=log.time[:1]) > sessions.gap
        record = np.cumsum(mark_run_starts(record, np.cumsum(pause)), dtype=np.int32) - 1
    if sessions.searches is not None:
        search = np.cumsum(log.event_starts) - 1
        first = search[np.flatnonzero(np.diff(record, prepend=-1))]
        part = (search - first[record]) // sessions.searches
        record = np.cumsum(mark_run_starts(record, part), dtype=np.int32) - 1
    return record
