"""One release with what an attacker who knows whose records are whose works out of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from auditor.arrays import Bools, Int64s
from auditor.bit_mixing import mix_bits
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.model import QueryLog
from auditor.privacy.records import is_readable, records_of
from auditor.privacy.release import Anonymized
from auditor.progress import Progress

_SALTS = 0x9E3779B97F4A7C15, 0xD1B54A32D192ED03


@dataclass(frozen=True, eq=False)
class KnownRelease:
    """A released log whose records have owners; u users of the original.

    Attributes
    ----------
    method
        What made it.
    log
        The released rows.
    readable
        Whether its queries are those of the original.
    record
        Each user's record in it, below 0 where there is none or nobody can say; shape (u,).
    group
        A number for each user's record, equal for records with the same queries, −1 without
        a known record; shape (u,).
    """

    method: str
    log: QueryLog
    readable: bool
    record: Int64s
    group: Int64s

    @classmethod
    def of(cls, log: QueryLog, release: Anonymized, progress: Progress) -> KnownRelease:
        """Find whose records are whose; O(rows log rows)."""
        assert release.log is not None
        users = np.arange(len(log.users), dtype=np.int64)
        record = records_of(log, release, users, progress).record
        group = _group_records(release.log)
        progress.check()
        return cls(
            release.method,
            release.log,
            is_readable(release.log, log),
            record,
            np.where(record >= 0, group[np.maximum(record, 0)], -1),
        )

    @cached_property
    def issued(self) -> Int64s:
        """``user << 32 | query`` of users with a record of their own, ascending and distinct.

        Users are those of the original, queries those of the release. Who shares a record with
        another user is in none of them.
        """
        owner = np.full(len(self.log.users), -1, dtype=np.int64)
        known = np.flatnonzero(self.record >= 0)
        sharers = np.bincount(self.record[known], minlength=len(owner))
        known = known[sharers[self.record[known]] == 1]
        owner[self.record[known]] = known
        user = owner[self.log.user]
        rows = np.flatnonzero((user >= 0) & self.log.event_starts)
        return sorted_distinct((user[rows] << 32) | self.log.query[rows])


def count_sharers(group: Int64s, some: Bools) -> Int64s:
    """How many of `some` users have each user's group; shape (users,)."""
    _, number = np.unique(group, return_inverse=True)
    sizes: Int64s = np.bincount(number[some], minlength=int(number.max(initial=0)) + 1)[number]
    return sizes


def _group_records(released: QueryLog) -> Int64s:
    """A number for each record, equal for records with the same queries; shape (records,)."""
    query = released.query.astype(np.uint64) + np.uint64(1)
    # Two records are taken for equal if both sums of 64-bit hashes of their queries are.
    sums = []
    for salt in _SALTS:
        keys = mix_bits(query * np.uint64(salt))
        keys[~released.event_starts] = 0
        running = np.concatenate((np.zeros(1, dtype=np.uint64), np.cumsum(keys, dtype=np.uint64)))
        sums.append(np.diff(running[released.user_starts]))
    order = np.lexsort(sums)
    differs = np.zeros(len(order), dtype=np.bool_)
    for one in sums:
        differs[1:] |= one[order][1:] != one[order][:-1]
    group = np.empty(len(order), dtype=np.int64)
    group[order] = np.cumsum(differs)
    return group
