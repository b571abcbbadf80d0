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

from auditor.arrays import Array, Bools, Int32s, Int64s, Integers
from auditor.figures import Unit
from auditor.log.model import NONE, QueryLog, Vocabulary
from auditor.log.text import find_merged_characters, merge_spellings, respell
from auditor.privacy.release import UNKNOWN, Anonymized
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
    if _is_folded(release):
        return merge_spellings(log)
    if release is None or release.method != UNKNOWN or release.log is None:
        return log
    released = release.log.queries
    if not respell(released).equals(released.as_arrow()):
        return log
    merged = merge_spellings(log)
    if merged is log:
        return log
    matches, merged_matches = (
        int(np.count_nonzero(released.match(source.queries) != NONE)) for source in (log, merged)
    )
    is_merged = merged_matches > matches and 2 * merged_matches > len(released)  # hashes never are
    return merged if is_merged else log


def spell_queries(queries: Vocabulary, release: Anonymized) -> Vocabulary:
    """Each query as a release spells it; some may then be equal."""
    return Vocabulary.of_arrow(respell(queries)) if _is_folded(release) else queries


def _is_folded(release: Anonymized | None) -> bool:
    return release is not None and release.tables is not None and release.tables.folded


def drop_released_blank_rows(release: A, progress: Progress) -> A:
    """The release without rows of blank queries; tables stay as they are."""
    if release.log is None:
        return release
    log = drop_blank_rows(release.log, progress)
    return release if log is release.log else dataclasses.replace(release, content=log)


@dataclasses.dataclass(frozen=True, eq=False)
class LogPlaces:
    """Where what is left of a log stands in it, once blank rows are gone and spellings merged.

    Attributes
    ----------
    rows_before
        How many rows are left before each row that is gone; ascending; shape (rows gone,).
    users
        Its code of each user who is left; shape (users left,).
    codes
        The code left of each of its queries, `NONE` where it is blank; shape (queries,).
    texts, clean_texts
        Its queries, and those that are left.
    """

    rows_before: Int64s
    users: Int32s
    codes: Int32s
    texts: Vocabulary
    clean_texts: Vocabulary

    @classmethod
    def of(cls, log: QueryLog, clean_log: QueryLog) -> LogPlaces:
        """The places of `clean_log`, the log without blank rows, maybe spelt alike. O(rows)."""
        is_blank = log.queries.find_blank()[log.query]
        rows, gone = np.flatnonzero(~is_blank), np.flatnonzero(is_blank)
        users = np.full(len(clean_log.users), NONE, dtype=np.int32)
        users[clean_log.user] = log.user[rows]
        codes = np.full(len(log.queries), NONE, dtype=np.int32)
        codes[log.query[rows]] = clean_log.query
        before = gone - np.arange(len(gone))
        return cls(before, users, codes, log.queries, clean_log.queries)

    def find_rows(self, rows: Integers) -> Int64s:
        """The log's row of each of some rows that are left."""
        return rows + np.searchsorted(self.rows_before, rows, side="right")

    def find_codes(self, unit: Unit, codes: Integers) -> Array:
        """The log's codes of some users, rows or queries that are left: all spellings of these."""
        if unit == "rows":
            return self.find_rows(codes)
        if unit == "users":
            return self.users[codes]
        is_wanted = np.zeros(len(self.clean_texts), dtype=np.bool_)
        is_wanted[codes] = True
        return np.flatnonzero(self.spread(is_wanted)).astype(np.int32)

    def spread(self, flags: Bools) -> Bools:
        """A flag of each query that is left, for all of the log's; False for blank ones."""
        has_text = self.codes != NONE
        spread: Bools = np.zeros(len(self.codes), dtype=np.bool_)
        spread[has_text] = flags[self.codes[has_text]]
        return spread

    def find_shifted(self) -> Bools:
        """Which of its queries may have their characters in other places; shape (queries,)."""
        is_shifted: Bools = self.codes != NONE
        lengths, clean_lengths = self.texts.compute_lengths(), self.clean_texts.compute_lengths()
        is_shifted[is_shifted] = lengths[is_shifted] != clean_lengths[self.codes[is_shifted]]
        return is_shifted

    def find_characters(self, query: int) -> Int64s:
        """Where each character of what is left of a query stands in it."""
        return find_merged_characters(self.texts[query], self.clean_texts[int(self.codes[query])])
