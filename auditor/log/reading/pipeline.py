"""The load: blocks are parsed side by side, each column's strings numbered in a lane of its own.

Blocks are parsed by a few threads, in any order. Every text column has one thread that numbers
its strings block after block, so codes are the same however many threads there are and wherever
the blocks are cut. The compiled loops hold no lock; a block takes some tens of milliseconds,
and cancel is heard between blocks.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, ParamSpec, Protocol, TypeVar

import numpy as np

from auditor.arrays import Array, Int16s, Int32s, Int64s, UInt8s, UInt32s, UInt64s
from auditor.log.dictionary_encoding import (
    SECRET,
    DictionaryEncoder,
    gather_values,
    renumber_in_place,
    sort_order,
)
from auditor.log.model import LogOrigin, QueryLog, RejectedRow, Vocabulary
from auditor.log.reading import field_kernels as kernels
from auditor.log.reading import time_kernels, uncompiled
from auditor.log.reading.column_mapping import REASONS, ROLES, ColumnLayout, ReadOptions, TimeForm
from auditor.log.reading.sources import SourcePart
from auditor.progress import Progress

P = ParamSpec("P")
T = TypeVar("T")

TEXT_ROLES = ("user", "query", "url", "cookie")
THREAD_BYTES = 12 << 20
"""Address space that a thread may take before it works: its stack, and what Python needs."""
SHOWN = 300
"""Bytes of a refused row that are kept to be looked at."""


@dataclass(eq=False)
class ParsedBlock:
    """Rows whose fields are found: what `accept_rows` starts from; see `parse_kernels`."""

    data: UInt8s
    starts: Int32s
    stops: Int32s
    escaped: UInt8s
    spans: Int32s
    reason: UInt8s
    column: Int32s
    lines: int
    passed_lines: int = 0
    """Lines of a known format that hold no search."""
    given: Int64s = field(default_factory=lambda: np.zeros(0, dtype=np.int64))


@dataclass(eq=False)
class AcceptedRows:
    """The good rows of a block, packed, and its bad ones."""

    block: ParsedBlock
    texts: Int32s
    lengths: Int32s
    hashes: UInt64s
    time: Int64s
    rank: Int16s
    ip: UInt32s
    bad: Int64s


@dataclass(frozen=True)
class ParseTask:
    """One block to be: `find` gives its fields; `done` is the disk's bytes behind it."""

    part: SourcePart
    layout: ColumnLayout
    find: Callable[[], ParsedBlock]
    done: int
    first: bool
    skipped_lines: int = 0


def accept_rows(
    block: ParsedBlock, layout: ColumnLayout, options: ReadOptions, compiled: bool
) -> AcceptedRows:
    """Read the fields of a block's rows; runs in any thread."""
    rows = len(block.reason)
    columns = np.zeros(len(ROLES), dtype=np.int32)
    for number, role in enumerate(ROLES):
        place = layout.columns.get(role)
        columns[number] = place + 1 if isinstance(place, int) else 0
    texts = np.zeros((len(TEXT_ROLES), rows), dtype=np.int32)
    lengths = np.empty((len(TEXT_ROLES), rows), dtype=np.int32)
    hashes = np.empty((len(TEXT_ROLES), rows), dtype=np.uint64)
    time = np.empty(rows, dtype=np.int64)
    rank = np.empty(rows, dtype=np.int16)
    ip = np.empty(rows, dtype=np.uint32)
    found = kernels.FoundFields(
        block.data, block.starts, block.stops, block.escaped, block.reason, block.column
    )
    packed = kernels.PackedRows(texts, lengths, hashes, time, rank, ip)
    moments = block.given if len(block.given) else _read_times(block, layout.time, compiled)
    most = options.max_field_bytes
    if compiled:
        good = kernels.accept_rows(found, columns, most, moments, SECRET, packed)
    else:
        good = uncompiled.accept_rows(found, columns, most, moments, packed)
    bad = np.flatnonzero(block.reason)
    return AcceptedRows(
        block,
        texts[:, :good],
        lengths[:, :good],
        hashes[:, :good],
        time[:good],
        rank[:good],
        ip[:good],
        bad,
    )


def _read_times(block: ParsedBlock, form: TimeForm, compiled: bool) -> Int64s:
    """Each row's time in seconds since 1970; only the kernel that is needed is compiled."""
    moments = np.full(len(block.reason), time_kernels.BAD_TIME, dtype=np.int64)
    starts, stops = block.starts[:, kernels.TIME], block.stops[:, kernels.TIME]
    reason = block.reason
    if form.kind == time_kernels.ISO and not compiled:
        reason = uncompiled.read_iso_times(block.data, starts, stops, reason, moments)
        if reason.all():
            return moments
    where = (starts, stops, reason)
    if form.kind == time_kernels.ISO:
        time_kernels.read_iso_times(block.data, *where, moments)
    elif form.kind == time_kernels.EPOCH:
        time_kernels.read_epoch_times(block.data, *where, form.unit, moments)
    else:
        pattern = np.asarray(form.pattern, dtype=np.int32)
        time_kernels.read_pattern_times(block.data, *where, pattern, moments)
    return moments


class _ParserPool(Protocol):
    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]: ...
    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None: ...


class _InlinePool:
    """Runs at once in the calling thread what a pool would run in another."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        future: Future[T] = Future()
        future.set_result(fn(*args, **kwargs))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Nothing to wait for."""


class StringColumn:
    """A growing array. What is reserved and never written costs address space alone."""

    def __init__(self, kind: type[Any], rows: int) -> None:
        self._array: Array = np.empty(max(rows, 1024), dtype=kind)
        self._size = 0

    def reserve_rows(self, rows: int) -> Array:
        """Room for the next `rows` values, to be written at once."""
        if self._size + rows > len(self._array):
            grown = np.empty((self._size + rows) * 3 // 2, dtype=self._array.dtype)
            grown[: self._size] = self._array[: self._size]
            self._array = grown
        self._size += rows
        return self._array[self._size - rows : self._size]

    def commit_rows(self, place: Array) -> None:
        """Take what was written to `place`, which `reserve_rows` gave: it stands there already."""

    def append(self, values: Array) -> None:
        """Add the next values."""
        self.reserve_rows(len(values))[:] = values

    def collect_values(self) -> Array:
        """Everything added so far."""
        return self._array[: self._size]


class GrowingArray(Protocol):
    """What a `StringColumn` does, wherever its values are kept."""

    def reserve_rows(self, rows: int) -> Array: ...
    def commit_rows(self, place: Array) -> None: ...
    def append(self, values: Array) -> None: ...
    def collect_values(self) -> Array: ...


class Encoder(Protocol):
    """What numbers a column's strings, compiled or not."""

    def __len__(self) -> int: ...
    def add(
        self, data: UInt8s, starts: Int32s, lengths: Int32s, hashes: UInt64s, codes: Int32s
    ) -> None: ...
    def take_vocabulary(self) -> Vocabulary: ...


class LogLoader:
    """Collects the blocks of a load into a `QueryLog`; use as a context manager.

    `roles` are those of all files; what one of them lacks is missing in its rows. `column` makes
    the growing columns, in memory by default. Unless `compiled`, nothing is
    compiled for rows that do without.
    """

    def __init__(
        self,
        roles: Collection[str],
        options: ReadOptions,
        threads: int,
        rows: int = 0,
        column: Callable[[type[Any], int], GrowingArray] = StringColumn,
        *,
        compiled: bool = True,
    ) -> None:
        self._options = options
        self._with_ip = "ip" in roles
        self._lanes = [role for role in TEXT_ROLES if role in roles or role == "url"]
        self._compiled = compiled
        encoder = DictionaryEncoder if compiled else uncompiled.UncompiledEncoder
        self._interners: dict[str, Encoder] = {role: encoder() for role in self._lanes}
        pool: Callable[[int], _ParserPool] = (
            (lambda size: ThreadPoolExecutor(size)) if threads > 1 else (lambda _: _InlinePool())
        )
        self._parsers = pool(threads)
        self._threads = {role: pool(1) for role in self._lanes}
        self._depth = threads + 2 if threads > 1 else 0
        kinds: dict[str, type[Any]] = {"time": np.int64, "rank": np.int16, "ip": np.uint32}
        self._columns = {
            name: column(kinds.get(name, np.int32), rows)
            for name in (*self._lanes, "time", "rank", *(["ip"] if self._with_ip else []))
        }
        if threads > 1:
            # Where memory ends while a thread begins, Python waits for that thread for ever.
            np.empty((threads + len(self._lanes)) * THREAD_BYTES, dtype=np.uint8)
        self._line = 1
        self.rows_read = self.passed_lines = 0
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
            parsed = self._parsers.submit(self._parse_task, task)
            lanes = {
                role: self._threads[role].submit(self._number_texts, role, parsed)
                for role in self._lanes
            }
            waiting.append((task, parsed, lanes))
            while len(waiting) > self._depth:
                self._collect_task(*waiting.popleft(), progress)
        while waiting:
            self._collect_task(*waiting.popleft(), progress)

    def _parse_task(self, task: ParseTask) -> AcceptedRows:
        return accept_rows(task.find(), task.layout, self._options, self._compiled)

    def _number_texts(self, role: str, parsed: Future[AcceptedRows]) -> None:
        rows, row = parsed.result(), TEXT_ROLES.index(role)
        column = self._columns[role]
        place = column.reserve_rows(len(rows.time))
        self._interners[role].add(
            rows.block.data, rows.texts[row], rows.lengths[row], rows.hashes[row], place
        )
        column.commit_rows(place)
        if role == "user":
            self._columns["time"].append(rows.time)
            self._columns["rank"].append(rows.rank)
            if self._with_ip:
                self._columns["ip"].append(rows.ip)

    def _collect_task(
        self,
        task: ParseTask,
        parsed: Future[AcceptedRows],
        lanes: dict[str, Future[None]],
        progress: Progress,
    ) -> None:
        rows = parsed.result()
        for lane in lanes.values():
            lane.result()
        if task.first:
            self._line = 1
        self._line += task.skipped_lines
        self.rows_read += len(rows.block.reason)
        self.passed_lines += rows.block.passed_lines
        if len(rows.bad):
            self._record_rejects(task.part, rows)
        self._line += rows.block.lines
        progress.update(task.done)

    def _record_rejects(self, part: SourcePart, rows: AcceptedRows) -> None:
        block = rows.block
        for reason, count in enumerate(np.bincount(block.reason[rows.bad])):
            if reason and count:
                name = REASONS[reason]
                self.rejected[name] = self.rejected.get(name, 0) + int(count)
        for row in rows.bad[: max(0, self._options.keep_rejects - len(self.rejects))]:
            line, begin, end = (int(value) for value in block.spans[row])
            # Of a line too long no more than this is sure to be there.
            shown = min(SHOWN, self._options.max_line_bytes)
            text = block.data[begin : min(end, begin + shown)].tobytes().rstrip(b"\r")
            self.rejects.append(
                RejectedRow(
                    part.name,
                    self._line + line,
                    int(block.column[row]) or None,
                    REASONS[block.reason[row]],
                    text.decode("utf-8", "replace"),
                )
            )

    @property
    def users(self) -> int:
        """Different users so far."""
        return len(self._interners["user"])

    def take_columns(self) -> tuple[dict[str, Array], dict[str, Vocabulary]]:
        """The columns as they came and the strings; the loader is empty afterwards."""
        columns = {name: column.collect_values() for name, column in self._columns.items()}
        self._columns.clear()
        return columns, {role: self._interners.pop(role).take_vocabulary() for role in self._lanes}

    def build_log(self, origin: LogOrigin, progress: Progress) -> QueryLog:
        """The log of all rows collected; the loader is empty afterwards."""
        progress.stage("putting the rows together")
        columns, words = self.take_columns()
        order = sort_order(columns["user"], columns["time"], len(words["user"]), progress)
        if order is not None:
            progress.stage("sorting by user and time", len(columns))
            for name in columns:
                columns[name] = gather_values(columns[name], order, progress)
                if name in words and name != "user":
                    columns[name], words[name] = renumber_in_place(
                        columns[name], words[name], progress
                    )
                progress.advance()
        return QueryLog(**log_fields(columns, words), origin=origin)


def log_fields(columns: Mapping[str, Array], words: Mapping[str, Vocabulary]) -> dict[str, Any]:
    """What a log is made of, from columns and strings by role."""
    many = {"user": "users", "query": "queries", "url": "urls", "cookie": "cookies"}
    return {**columns, **{many[role]: found for role, found in words.items()}}
