"""Blank queries are missing values: no method, attack or measure ever sees their rows.

`Method`, `Attack` and `Measure` drop them from what they run on, so that none has to know of it: a
log with rows of blank queries gives what the log without them gives. Findings come back in rows of
the log as it was read.
Cost: O(distinct queries), and O(rows) once for a log that has any.
"""

from __future__ import annotations

import dataclasses
from typing import TypeVar

import numpy as np

from auditor.arrays import Int64s
from auditor.log.model import NONE, QueryLog
from auditor.log.text import merge_spellings
from auditor.privacy.release import Anonymized
from auditor.progress import Progress, run_cancellable

A = TypeVar("A", bound=Anonymized)

SMALL = 200_000
"""Rows below which nobody waits for it."""

CHANGE = "blank_rows_dropped"
"""The entry under a release's changes: rows that were left out."""


def drop_blank_rows(log: QueryLog, progress: Progress) -> QueryLog:
    """The log without rows of blank queries; the log itself if it has none."""
    if len(log) < SMALL:
        return log.without_blank
    return run_cancellable(lambda: log.without_blank, progress)


def spell_as_released(log: QueryLog, release: Anonymized | None) -> QueryLog:
    """The log with its queries spelt as in a release that merged spellings; else the log itself."""
    folded = release is not None and release.tables is not None and release.tables.folded
    return merge_spellings(log) if folded else log


def drop_released_blank_rows(release: A, progress: Progress) -> A:
    """The release without rows of blank queries; tables stay as they are."""
    if release.log is None:
        return release
    log = drop_blank_rows(release.log, progress)
    return release if log is release.log else dataclasses.replace(release, content=log)


@dataclasses.dataclass(frozen=True, eq=False)
class LogPlaces:
    """Where what is left of a log stands in it.

    Attributes
    ----------
    rows
        Its row of each row that is left; shape (rows left,).
    queries
        Its code of each query that is left; shape (queries left,).
    query_count
        Its distinct queries.
    """

    rows: Int64s
    queries: Int64s
    query_count: int

    @classmethod
    def of(cls, log: QueryLog, clean_log: QueryLog) -> LogPlaces:
        """The places of the rows of `clean_log`, the log without blank rows. O(rows)."""
        blank = log.queries.find_blank()
        rows = np.flatnonzero(~blank[log.query])
        queries = np.full(len(clean_log.queries), NONE, dtype=np.int64)
        queries[clean_log.query] = log.query[rows]
        return cls(rows, queries, len(blank))
