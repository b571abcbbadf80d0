"""Whether each user's record equals those of k − 1 others; and of which users it does not.

User k-anonymity (Navarro-Arribas et al. 2012, section 2.1). Knows nothing of any method: a
user's record is the multiset of their rows without their id (query, time, rank, URL, and address
and cookie where the log has them), whatever their order within a second. O(n log n) for n rows.
"""

import hashlib
from dataclasses import dataclass

import numpy as np

from auditor.arrays import Array, Int64s
from auditor.errors import ParameterError
from auditor.log.model import QueryLog
from auditor.messages import phrase
from auditor.progress import Progress, silent_progress

_ROWS = 1 << 17


@dataclass(frozen=True, eq=False, kw_only=True)
class AnonymityVerdict:
    """For which users a definition does not hold.

    Attributes
    ----------
    failing
        Codes of these users, ascending; shape (f,).
    names
        Their ids in the log.
    smallest
        The fewest users who are equal, with one record or with equal shares; 0 for an empty log.
    """

    failing: Int64s
    names: tuple[str, ...]
    smallest: int

    @property
    def holds(self) -> bool:
        """Whether the definition holds for every user."""
        return not len(self.failing)


@dataclass(frozen=True, eq=False, kw_only=True)
class UserKVerdict(AnonymityVerdict):
    """With the number of different records, `groups`; `smallest` is the largest k that holds."""

    groups: int


def verify_user_k(log: QueryLog, k: int, *, progress: Progress | None = None) -> UserKVerdict:
    """Check every user of `log`; records are compared by SHA-256.

    Raises
    ------
    ParameterError
        k is below 1.
    Cancelled
        `progress` was cancelled.
    """
    if k < 1:
        raise ParameterError(
            "k", phrase("The 'k' of user k-anonymity must be at least 1. Got {k}.", k=k)
        )
    progress = progress or silent_progress()
    record, records = _number_records(log, progress)
    size = np.bincount(record, minlength=records)
    failing = np.flatnonzero(size[record] < k)
    return UserKVerdict(
        failing=failing,
        names=tuple(log.users.list_strings(failing)),
        smallest=int(size.min(initial=len(log.users))),
        groups=records,
    )


def _number_records(log: QueryLog, progress: Progress) -> tuple[Int64s, int]:
    """A number for each user, equal for equal records, and how many numbers there are."""
    columns: list[Array] = [log.time, log.query, log.url, log.rank]
    columns += [column for column in (log.ip, log.cookie) if column is not None]
    starts = log.user_starts
    numbers: dict[bytes, int] = {}
    number = np.zeros(len(log.users), dtype=np.int64)
    for first, last in progress.whole_blocks("verifying users", starts, _ROWS):
        rows = slice(int(starts[first]), int(starts[last]))
        parts = [column[rows].astype(np.int64) for column in columns]
        keys: list[Array] = [*parts[::-1], log.user[rows]]
        order = np.lexsort(keys)
        table = np.column_stack(parts)[order]
        for user in range(first, last):
            user_rows = table[starts[user] - rows.start : starts[user + 1] - rows.start]
            number[user] = numbers.setdefault(
                hashlib.sha256(user_rows.tobytes()).digest(), len(numbers)
            )
    return number, len(numbers)
