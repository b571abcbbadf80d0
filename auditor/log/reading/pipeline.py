"""The load: blocks are parsed side by side, each column's strings numbered in a lane of its own.

Blocks are parsed by a few threads, in any order. Every text column has one thread that numbers
its strings block after block, so codes are the same however many threads there are and wherever
the blocks are cut. The compiled loops hold no lock; a block takes some tens of milliseconds,
and cancel is heard between blocks.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from auditor.arrays import Array, Bools, Int16s, Int32s, Int64s
from auditor.log.dictionary_encoding import (
    SECRET,
    DictionaryEncoder,
    gather_values,
    grow_array,
    sort_order,
)
from auditor.log.model import (
    MISSING,
    NONE,
    LogOrigin,
    QueryLog,
    RejectedRow,
    Vocabulary,
    iterate_slices,
    name_fields,
    number_by_appearance,
)
from auditor.log.reading import field_kernels as kernels
from auditor.log.reading import time_kernels
from auditor.log.reading.column_mapping import (
    REASONS,
    ROLES,
    SERIAL,
    ColumnLayout,
    ReadOptions,
    TimeForm,
    list_roles,
)
from auditor.log.reading.column_names import role_of
from auditor.log.reading.sources import SourcePart
from auditor.log.sentences import sentence
from auditor.messages import phrase
from auditor.progress import Progress, run_cancellable

if TYPE_CHECKING:
    from auditor.log.out_of_core.working_files import WorkingColumn

TEXT_ROLES = ("user", "query", "url", "cookie")
THREAD_BYTES = 12 << 20
"""Address space that a thread may take before it works: its stack, and what Python needs."""
_NO_ADDRESSES = ("0", "-1", "#", "about:blank")
_NO_RANKS = frozenset(word.encode() for word in MISSING)
EXCERPT = 300
"""Bytes of a refused row that are kept to be looked at."""
COUNTS = ("passed_lines", "missing_urls", "zoned_rows", "zero_ranks")
"""What a load counts beside its rows: see `describe_counts`."""
_RARE = 1_000
"""Of so many rows, one may lack its rank by accident."""


@dataclass(eq=False)
class ParsedBlock:
    """Rows whose field bounds are known, of `lines` lines: the input of `accept_rows`.

    `used` is the bytes that were split, `passed_lines` lines of a known format that hold no search,
    `times` the rows' times where they needn't be parsed, `zoned` whether these are moments by their
    type, `zoned_rows` the good rows whose times name their zone.
    """

    fields: kernels.RowFields
    lines: int
    used: int = 0
    passed_lines: int = 0
    times: Int64s | None = None
    zoned: bool = False
    zoned_rows: int = 0


AcceptedRows = tuple[ParsedBlock, kernels.PackedRows, Int64s]
"""A block, its good rows, packed, and which are bad."""


@dataclass(frozen=True)
class ParseTask:
    """One block to be: `find` gives its fields; `done` is the disk's bytes behind it."""

    part: SourcePart
    layout: ColumnLayout
    find: Callable[[], ParsedBlock]
    done: int
    first: bool
    skipped_lines: int = 0


def accept_rows(block: ParsedBlock, layout: ColumnLayout, options: ReadOptions) -> AcceptedRows:
    """Read the fields of a block's rows; runs in any thread."""
    fields = block.fields
    rows = len(fields.reason)
    columns = np.zeros(len(layout.roles), dtype=np.int32)
    for number, role in enumerate(layout.roles):
        place = layout.columns.get(role)
        columns[number] = place + 1 if isinstance(place, int) else 0
    texts = len(text_roles(layout.roles))
    packed = kernels.PackedRows(
        text_starts=np.zeros((texts, rows), dtype=np.int32),
        text_lengths=np.empty((texts, rows), dtype=np.int32),
        hashes=np.empty((texts, rows), dtype=np.uint64),
        time=np.empty(rows, dtype=np.int64),
        rank=np.empty(rows, dtype=np.int16),
        ip=np.empty(rows, dtype=np.uint32),
    )
    zoned = np.full(rows, block.zoned or (layout.zoned and layout.time.zoned))
    moments = block.times
    if moments is None:
        moments = _read_times(fields, layout.time, zoned)
    if options.time_zone != "UTC" and zoned.any():
        moments = np.where(zoned, turn_to_clock(moments, options.time_zone), moments)
    _clear_missing_ranks(fields)
    longest_field = options.max_field_bytes
    good = kernels.accept_rows(fields, columns, longest_field, moments, SECRET, packed)
    bad = np.flatnonzero(fields.reason)
    block.zoned_rows = int(np.count_nonzero(zoned)) - int(np.count_nonzero(zoned[bad]))
    slices: list[Any] = [array[..., :good] for array in packed]
    return block, kernels.PackedRows(*slices), bad


def _clear_missing_ranks(fields: kernels.RowFields) -> None:
    """Make a field of a rank empty that is a program's word for a missing value."""
    starts, stops = fields.starts[:, kernels.RANK], fields.stops[:, kernels.RANK]
    ranked = np.flatnonzero((stops > starts) & (fields.reason == kernels.FINE))
    first = fields.data[starts[ranked]]
    for row in ranked[(first < 48) | (first > 57)]:
        if fields.data[starts[row] : stops[row]].tobytes() in _NO_RANKS:
            stops[row] = starts[row]


def text_roles(roles: Collection[str]) -> tuple[str, ...]:
    """Of these roles those that are numbered strings, in the order of `PackedRows`."""
    return (*TEXT_ROLES, *list_roles(roles)[len(ROLES) :])


def _read_times(fields: kernels.RowFields, form: TimeForm, zoned: Bools) -> Int64s:
    """Each row's time in seconds since 1970; of ISO 8601's `zoned` gets which name a zone."""
    moments = np.full(len(fields.reason), time_kernels.BAD_TIME, dtype=np.int64)
    starts, stops = fields.starts[:, kernels.TIME], fields.stops[:, kernels.TIME]
    if form.kind == SERIAL:
        raw = fields.data.tobytes()
        for row in np.flatnonzero(fields.reason == kernels.FINE):
            text = raw[starts[row] : stops[row]]
            if re.fullmatch(rb"\d{1,7}([.,]\d{1,15})?", text):  # days, to the nearest second
                moments[row] = round((float(text.replace(b",", b".")) - form.unit) * 86_400)
    else:
        way = (form.kind, form.unit), np.asarray(form.pattern, dtype=np.int32)
        time_kernels.read_times(fields.data, starts, stops, fields.reason, *way, moments, zoned)
    return moments


def turn_to_clock(moments: Int64s, zone: str) -> Int64s:
    """What the clock of a zone shows at moments of UTC, as seconds since 1970 of that clock."""
    import pandas as pd

    good = moments != time_kernels.BAD_TIME
    utc = pd.DatetimeIndex(np.where(good, moments, 0).astype("datetime64[s]"), tz="UTC")
    local = utc.tz_convert(zone).tz_localize(None).to_numpy().astype("datetime64[s]")
    return np.where(good, local.astype(np.int64), moments)


class MemoryColumn:
    """A growing array. What is reserved and never written costs address space alone."""

    def __init__(self, kind: type[Any], rows: int) -> None:
        self._array: Array = np.empty(max(rows, 1024), dtype=kind)
        self._size = 0

    def append(self, values: Array) -> None:
        """Add the next values."""
        size = self._size + len(values)
        if size > len(self._array):
            self._array = grow_array(self._array, self._size, size)
        self._array[self._size : size] = values
        self._size = size

    def collect_values(self) -> Array:
        """Everything added so far."""
        return self._array[: self._size]


def describe_counts(counts: Mapping[str, int], rows: int, zone: str) -> list[str]:
    """What was counted besides the rows that were read, in words."""
    lines, urls, zoned, zeros = (counts[name] for name in COUNTS)
    notes = []
    if lines:
        notes.append(phrase("{lines:,} lines hold no search and were passed over", lines=lines))
    if urls:
        notes.append(sentence("reader.missing_urls", urls=urls, rows=rows))
    if 0 < zoned < rows:
        notes.append(sentence("reader.zones_mixed", zoned=zoned, rows=rows, zone=zone))
    if zeros:
        notes.append(sentence("reader.zero_ranks", zeros=zeros, rows=rows))
    return notes


def count_ranks(rank: Int16s, clicked: Bools) -> Int64s:
    """Rows by their rank (none, 0, 1, higher) and whether they have an address; int64 (4, 2)."""
    return np.bincount((np.minimum(rank, 2) + 1) * 2 + clicked, minlength=8).reshape(4, 2)


def find_first_rank(counts: Int64s) -> int:
    """What the first place in the results is called, 0 or 1, by the `count_ranks` of rows.

    It is 0 where ranks beside addresses are 0 at least half as often as 1. Where no row has an
    address, 0 says that nothing was clicked, unless other rows have no rank for that.
    """
    unclicked, clicked = counts.T
    if clicked[1:].any():
        return 0 if clicked[1] and clicked[1] * 2 >= clicked[2] else 1
    return 0 if unclicked[1] and unclicked[0] * _RARE > unclicked[1] else 1


def names_other_order(row: str, layout: ColumnLayout) -> bool:
    """Whether a row of a table is the header of one whose columns stand in another order."""
    header = layout.header.decode("utf-8", "replace")
    roles, expected = (
        [role_of(name) for name in line.split(layout.delimiter)] for line in (row, header)
    )
    return len({*roles} - {None}) >= 2 and bool(header) and roles != expected


class LogLoader:
    """Collects the blocks of a load into a `QueryLog`; use as a context manager.

    `roles` are those of all files; what one of them lacks is missing in its rows. `column` makes
    the growing columns, in memory by default. `first_rank` is what the first place in the results
    is called, 0 or 1; None before the rows themselves have said it.
    """

    def __init__(
        self,
        roles: Collection[str],
        options: ReadOptions,
        threads: int,
        rows: int = 0,
        column: Callable[[type[Any], int], MemoryColumn | WorkingColumn] = MemoryColumn,
        first_rank: int | None = None,
    ) -> None:
        self._options = options
        self.first_rank = first_rank
        self._with_urls = "url" in roles
        self._with_ip = "ip" in roles
        self._texts = text_roles(roles)
        self._lanes = [role for role in self._texts if role in roles or role == "url"]
        self._interners = {role: DictionaryEncoder() for role in self._lanes}
        self._parsers = ThreadPoolExecutor(threads)
        self._threads = {role: ThreadPoolExecutor(1) for role in self._lanes}
        self._depth = threads + 2
        kinds: dict[str, type[Any]] = {"time": np.int64, "rank": np.int16, "ip": np.uint32}
        self._make_column = column
        self._columns = {
            name: column(kinds.get(name, np.int32), rows)
            for name in (*self._lanes, "time", "rank", *(["ip"] if self._with_ip else []))
        }
        # Where memory ends while a thread begins, Python waits for that thread for ever.
        np.empty((threads + len(self._lanes)) * THREAD_BYTES, dtype=np.uint8)
        self._line = 1
        self._has_zero_ranks = False
        self.rows_read = 0
        self.counts = dict.fromkeys(COUNTS, 0)
        self.rejected: dict[str, int] = {}
        self.rejects: list[RejectedRow] = []

    def __enter__(self) -> LogLoader:
        return self

    def __exit__(self, *error: object) -> None:
        for pool in (self._parsers, *self._threads.values()):
            pool.shutdown(wait=True, cancel_futures=True)

    @property
    def lines(self) -> int:
        """Lines of the last part so far."""
        return self._line - 1

    def run(self, tasks: Iterator[ParseTask], progress: Progress) -> None:
        """Parse and number every block that `tasks` finds; raises `Cancelled`."""
        waiting: deque[tuple[ParseTask, Future[AcceptedRows], dict[str, Future[None]]]] = deque()
        for task in tasks:
            parsed = self._parsers.submit(
                lambda task: accept_rows(task.find(), task.layout, self._options), task
            )
            lanes = {
                role: self._threads[role].submit(self._number_texts, role, parsed)
                for role in self._lanes
            }
            waiting.append((task, parsed, lanes))
            while len(waiting) > self._depth:
                self._collect_task(*waiting.popleft(), progress)
        while waiting:
            self._collect_task(*waiting.popleft(), progress)

    def _number_texts(self, role: str, parsed: Future[AcceptedRows]) -> None:
        block, good, _ = parsed.result()
        row, codes = self._texts.index(role), np.empty(len(good.time), dtype=np.int32)
        texts = (good.text_starts[row], good.text_lengths[row], good.hashes[row])
        self._interners[role].add(block.fields.data, *texts, codes)
        self._columns[role].append(codes)
        if role == "user":
            self._columns["time"].append(good.time)
            self._columns["rank"].append(good.rank)
            self._has_zero_ranks |= not good.rank.all()
            if self._with_ip:
                self._columns["ip"].append(good.ip)

    def _collect_task(
        self,
        task: ParseTask,
        parsed: Future[AcceptedRows],
        lanes: dict[str, Future[None]],
        progress: Progress,
    ) -> None:
        block, _, bad = parsed.result()
        for lane in lanes.values():
            lane.result()
        if task.first:
            self._line = 1
        self._line += task.skipped_lines
        self.rows_read += len(block.fields.reason)
        self.counts["passed_lines"] += block.passed_lines
        self.counts["zoned_rows"] += block.zoned_rows
        fields = block.fields
        for reason, count in enumerate(np.bincount(fields.reason[bad])):
            if reason and count:
                name = REASONS[reason]
                self.rejected[name] = self.rejected.get(name, 0) + int(count)
        for row in bad[: max(0, self._options.keep_rejects - len(self.rejects))]:
            line, begin, end = (int(value) for value in fields.spans[row])
            # Of a line too long no more than this is sure to be there.
            limit = min(EXCERPT, self._options.max_line_bytes)
            text = fields.data[begin : min(end, begin + limit)].tobytes().rstrip(b"\r")
            bad_row = RejectedRow(
                task.part.name,
                self._line + line,
                int(fields.column[row]) or None,
                REASONS[fields.reason[row]],
                text.decode("utf-8", "replace"),
            )
            if names_other_order(bad_row.text, task.layout):
                raise task.part.make_error(sentence("reader.header_within"), bad_row.line)
            self.rejects.append(bad_row)
        self._line += block.lines
        progress.update(task.done)

    def take_columns(self, progress: Progress) -> tuple[dict[str, Array], dict[str, Vocabulary]]:
        """The columns as they came and the strings; the loader is empty afterwards.

        An address that is a program's word for a missing value is none, in every format alike, and
        so is one of `_NO_ADDRESSES` among addresses of pages.
        """
        import pyarrow.compute as pc

        columns = {name: column.collect_values() for name, column in self._columns.items()}
        self._columns.clear()
        words = {role: self._interners.pop(role).take_vocabulary() for role in self._lanes}
        codes, urls = columns["url"], words["url"]
        missing = urls.find_missing()
        numbers = urls.find(_NO_ADDRESSES)
        numbers = numbers[numbers != NONE]
        if len(numbers) and pc.mean(pc.match_substring(urls.as_arrow(), "://")).as_py() >= 0.5:
            missing[numbers] = True
        if missing.any():
            new = np.append(np.where(missing, NONE, np.cumsum(~missing) - 1), NONE).astype(np.int32)
            addresses = self._make_column(np.int32, len(codes))
            for part in iterate_slices(len(codes)):
                progress.check()
                addresses.append(new[codes[part]])
                emptied = (new[codes[part]] == NONE) & (codes[part] != NONE)
                self.counts["missing_urls"] += int(np.count_nonzero(emptied))
            columns["url"] = addresses.collect_values()
            words["url"] = urls.take(np.flatnonzero(~missing))
        if self._has_zero_ranks:
            columns["rank"] = self._count_from_one(columns["rank"], columns["url"], progress)
        return columns, words

    def _count_from_one(self, rank: Int16s, url: Int32s, progress: Progress) -> Int16s:
        """Ranks counted from 1; a 0 without an address is none, where others have one.

        Where the first place is 1, a 0 beside an address stays what it is. Such ones are counted,
        and all where there are no addresses.
        """
        counts = np.zeros((4, 2), dtype=np.int64)
        for part in iterate_slices(len(rank)):
            counts += count_ranks(rank[part], url[part] != NONE)
        if self.first_rank is None:
            self.first_rank = find_first_rank(counts)
        if self.first_rank == 1:
            self.counts["zero_ranks"] = int(counts[1, 1] if self._with_urls else counts[1].sum())
        is_none = self._with_urls or self.first_rank == 1
        places = self._make_column(np.int16, len(rank))
        for part in iterate_slices(len(rank)):
            progress.check()
            place = rank[part] + np.where(rank[part] == NONE, 0, 1 - self.first_rank)
            unclicked = (rank[part] == 0) & (url[part] == NONE)
            places.append(np.where(unclicked & is_none, NONE, np.minimum(place, 32_767)))
        return places.collect_values()

    def build_log(self, origin: LogOrigin, progress: Progress) -> QueryLog:
        """The log of all rows collected; the loader is empty afterwards."""
        progress.stage("putting the rows together")
        columns, words = self.take_columns(progress)
        order = sort_order(columns["user"], columns["time"], progress)
        if order is not None:
            progress.stage("sorting by user and time", len(columns))
            for name in columns:
                columns[name] = gather_values(columns[name], order, progress)
                if name in words and name != "user":
                    renumber = partial(number_by_appearance, columns[name], words[name])
                    columns[name], words[name] = run_cancellable(renumber, progress)
                progress.advance()
        return QueryLog(**name_fields(columns, words), origin=origin)
