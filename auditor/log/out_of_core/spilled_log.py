"""A log whose rows and strings are on the disk: `QueryLog` for whoever reads it, row for row.

Everything that grows with the rows is in working files (`spill`); in memory are a few bytes for
each distinct string and user, and whatever a method allocates. The rows, their order and all codes
are those of the log in memory, so a method gives the same result, and seeded noise the same draws.

Sorting: rows are dealt out, by ranges of (user, time), to files that can be sorted in memory.
O(rows · log rows of a file), each row written three times at most.
"""

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from auditor.arrays import Array, Bools, Int32s, Int64s
from auditor.log import dictionary_kernels as kernels
from auditor.log.dictionary_encoding import is_sorted
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.model import (
    NONE,
    LogOrigin,
    QueryLog,
    Vocabulary,
    iterate_slices,
    mark_event_starts,
    name_fields,
)
from auditor.log.out_of_core.working_files import WorkingFiles
from auditor.progress import Progress, run_cancellable, silent_progress, split_ranges

BLOCK = 1 << 20
"""Rows at a time: some 20 ms."""
MOST_FILES = 128
"""Files that a sort deals rows out to: all of them are open at once."""
Columns = dict[str, Array]
Words = dict[str, Vocabulary]


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class SpilledLog(QueryLog):
    """A `QueryLog` in working files; logs made of it are in such files, too.

    `progress` hears of that work, which the caller of a plain log's `rows` has no word in.
    """

    spill: WorkingFiles = field(repr=False)
    progress: Progress = field(default_factory=silent_progress, repr=False)

    @functools.cached_property
    def event_starts(self) -> Bools:
        """True at the first row of each event, as in a log in memory; whole users at a time."""
        column = self.spill.make_column(np.bool_)
        for first, last in split_ranges(self.user_starts, BLOCK):
            rows = slice(*self.user_starts[[first, last]].tolist())
            column.append(mark_event_starts(self.user[rows], self.query[rows], self.time[rows]))
        return column.collect_values()

    def rows(self, keep: Bools | Int64s) -> QueryLog:
        """A log of only some rows (a mask or ascending positions), codes renumbered; O(n)."""
        out = {name: self.spill.make_column(values.dtype) for name, values in self.columns.items()}
        for part in iterate_slices(len(keep), BLOCK):
            row_numbers: Any = keep[part]
            if keep.dtype == np.bool_:
                row_numbers = np.flatnonzero(row_numbers) + part.start
            for name, values in self.columns.items():
                out[name].append(values[row_numbers])
        columns = {name: column.collect_values() for name, column in out.items()}
        words = self.vocabularies
        for role in words:
            columns[role], words[role] = renumber_codes(
                columns[role], words[role], self.spill, self.progress
            )
        return self._assemble(columns, words)

    def _look_up_codes(self, new: Int32s, codes: Int32s) -> Int32s:
        column = self.spill.make_column(np.int32)
        for part in iterate_slices(len(self), BLOCK):
            column.append(new[codes[part]])
        return column.collect_values()

    def _assemble(self, columns: Columns, words: Words) -> QueryLog:
        return assemble_log(columns, words, self.origin, self.spill, self.progress)

    def sample_users(self, size: int, seed: int) -> QueryLog:
        """The whole histories of `size` random users, in memory."""
        if size >= len(self.users):
            return self
        return QueryLog.rows(self, self.of_sample(size, seed))


def spill_log(
    columns: Columns, words: Words, origin: LogOrigin, spill: WorkingFiles, progress: Progress
) -> QueryLog:
    """The log of columns and strings that were read: strings go to the disk, rows are sorted."""
    progress.stage("putting the rows together")
    stored: Words = {}
    for role in list(words):
        texts = words.pop(role)
        stored[role] = Vocabulary(spill.store_values(texts.data), spill.store_values(texts.offsets))
        progress.check()
    return assemble_log(columns, stored, origin, spill, progress)


def assemble_log(
    columns: Columns, words: Words, origin: LogOrigin, spill: WorkingFiles, progress: Progress
) -> QueryLog:
    """The log of columns on the disk, as `QueryLog.from_codes` makes one in memory."""
    if not is_sorted(columns["user"], columns["time"], progress):
        columns = _sort_rows(columns, spill, progress)
        for role in words:
            if role != "user":
                columns[role], words[role] = renumber_codes(
                    columns[role], words[role], spill, progress
                )
    fields = name_fields(columns, words)
    return SpilledLog(**fields, origin=origin, spill=spill, progress=progress)


def renumber_codes(
    codes: Int32s, words: Vocabulary, spill: WorkingFiles, progress: Progress
) -> tuple[Int32s, Vocabulary]:
    """Number by first appearance and leave out what doesn't occur; −1 stays. O(n + bytes).

    Memory: 8 bytes a distinct string, and 16 while they are written.
    """
    new = np.full(len(words), NONE, dtype=np.int32)
    olds = np.empty(len(words), dtype=np.int32)
    column = spill.make_column(np.int32)
    count = 0
    for start, stop in progress.blocks("numbering strings", len(codes), BLOCK):
        part = codes[start:stop].copy()
        count = kernels.first_appearances(part, new, olds, count)
        column.append(part)
    del new
    offsets, data = spill.make_column(np.int64), spill.make_column(np.uint8)
    offsets.append(np.zeros(1, dtype=np.int64))
    total = 0
    for start, stop in progress.blocks("writing strings", count, BLOCK):
        texts = words.take(olds[start:stop])
        data.append(texts.data)
        offsets.append(texts.offsets[1:] + total)
        total += len(texts.data)
    vocabulary = Vocabulary(data.collect_values(), offsets.collect_values())
    return column.collect_values(), vocabulary


def _sort_rows(columns: Columns, spill: WorkingFiles, progress: Progress) -> Columns:
    """The rows by (user, time), equal ones as they came."""
    kind = np.dtype([(name, values.dtype) for name, values in columns.items()])
    rows = len(columns["user"])
    file_count = -(-rows * (kind.itemsize * 2 + 32) // spill.room)
    key = _make_row_key(columns, progress)
    cuts = _find_cuts(key, rows, min(file_count, MOST_FILES))
    files = [spill.make_column(kind) for _ in range(len(cuts) + 1)]
    for start, stop in progress.blocks("dealing out rows", rows, BLOCK):
        file_number = np.searchsorted(cuts, key(start, stop), side="right").astype(np.uint8)
        order = np.argsort(file_number, kind="stable")
        record = np.empty(stop - start, dtype=kind)
        for name, values in columns.items():
            record[name] = values[start:stop][order]
        ends = np.cumsum(np.bincount(file_number, minlength=len(files)))
        for file, first, last in zip(files, [0, *ends[:-1]], ends, strict=True):
            file.append(record[first:last])
    out = {name: spill.make_column(values.dtype) for name, values in columns.items()}
    progress.stage("sorting by user and time", rows)
    done = 0
    for file in files:
        record = file.take_values()
        keys = record["time"], record["user"]
        ascending: Int64s = run_cancellable(partial(np.lexsort, keys), progress)
        for name, column in out.items():
            for part in iterate_slices(len(ascending), BLOCK):
                column.append(record[name][ascending[part]])
                progress.check()
        done += len(record)
        progress.update(done)
    return {name: column.collect_values() for name, column in out.items()}


def _make_row_key(columns: Mapping[str, Array], progress: Progress) -> Callable[[int, int], Any]:
    """A number of rows that never falls where (user, time) rises: enough to deal them out."""
    user, time = columns["user"], columns["time"]
    least = 0
    for number, part in enumerate(iterate_slices(len(time), BLOCK)):
        progress.check()
        minimum = int(time[part].min())
        least = minimum if number == 0 else min(least, minimum)

    def compute_key(start: int, stop: int) -> Int64s:
        since = np.minimum(time[start:stop].astype(np.float64) - least, 2.0**32 - 1)
        return (user[start:stop].astype(np.int64) << 32) | since.astype(np.int64)

    return compute_key


def _find_cuts(key: Callable[[int, int], Any], rows: int, parts: int) -> Int64s:
    """Where one file ends and the next begins, from a sample of runs of rows."""
    if parts < 2:
        return np.zeros(0, dtype=np.int64)
    places = np.unique(np.linspace(0, rows - 1, min(rows, 4096)).astype(np.int64))
    sample = np.sort(np.concatenate([key(place, min(place + 16, rows)) for place in places]))
    positions = np.linspace(0, len(sample), parts + 1).astype(np.int64)[1:-1]
    return sorted_distinct(sample[positions])
