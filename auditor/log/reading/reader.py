"""Reading query logs: AOL's and Excite's formats, CSV and TSV, JSON lines, Parquet.

`sniff_log` looks at the beginning and says what it would read; `read_log` reads. Bad rows are
counted by reason with their line numbers and left out; a file that can't be read, or has more
bad rows than the options allow, is one `LogFormatError`. O(bytes), about 22 bytes of memory a
row and every distinct string once.
"""

from __future__ import annotations

import dataclasses
import math
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from auditor.errors import LogFormatError
from auditor.log.model import LogOrigin, QueryLog, RejectedRow
from auditor.log.reading import format_detection
from auditor.log.reading.column_mapping import ColumnLayout, ReadOptions, SniffedLog
from auditor.log.reading.format_detection import DetectedFormat
from auditor.log.reading.presets.registry import PRESETS
from auditor.log.reading.sources import (
    SourceLimits,
    SourcePart,
    SourceStream,
    check_unchanged,
    check_unpacked,
    find_parts,
)
from auditor.log.reading.user_candidates import UserColumnUnnamed, confirm_user
from auditor.log.user_column import UserColumn
from auditor.messages import as_phrase, join_phrases, phrase
from auditor.progress import Progress, silent_progress

if TYPE_CHECKING:
    from auditor.log.out_of_core.working_files import WorkingFiles
    from auditor.log.reading.pipeline import ParseTask

__all__ = ["ReadOptions", "SniffedLog", "read_log", "sniff_log", "warm_reader"]

HEAD = 256 * 1024
PREVIEW_ROWS, PREVIEW_LETTERS = 50, 1000
_EARLIEST, _LATEST = 631_152_000, 4_102_444_800
"""Beginnings of 1990 and of 2100: nobody searched the web before, or will have after."""
MOST_RESERVED = 100_000_000
"""Rows for which room is reserved on the word of an estimate."""
Paths = Path | str | Sequence[Path | str]


@dataclass
class _SeenColumns:
    """A part, the beginning of it, and what it looks like."""

    part: SourcePart
    head: bytes
    complete: bool
    consumed: int
    guess: DetectedFormat


@dataclass
class _PlannedRead:
    """The parts to be read alike, and what was left out."""

    seen: list[_SeenColumns]
    notes: list[str]

    @property
    def first(self) -> DetectedFormat:
        return self.seen[0].guess


def sniff_log(paths: Paths, options: ReadOptions | None = None) -> SniffedLog:
    """Look at the beginning of a log and say what it is; nothing is loaded.

    Raises
    ------
    LogFormatError
        If a file can't be read at all. What only needs a choice is in `problems`.
    """
    options = options or ReadOptions()
    planned = _plan_parts(paths, options, None)
    first = planned.first
    rows = sum(_estimated_rows(seen) for seen in planned.seen)
    memory, peak = _estimated_memory(first, rows)
    kinds = sorted({seen.part.compression for seen in planned.seen})
    return SniffedLog(
        format=first.options.format,
        options=first.options,
        files=tuple(dict.fromkeys(seen.part.path for seen in planned.seen)),
        compression=", ".join(kinds),
        column_names=first.names,
        preview=tuple(
            tuple(value[:PREVIEW_LETTERS] for value in row) for row in first.rows[:PREVIEW_ROWS]
        ),
        bytes_on_disk=sum(seen.part.size for seen in planned.seen),
        estimated_rows=rows,
        estimated_memory=memory,
        estimated_peak=peak,
        notes=tuple(first.assumptions + planned.notes),
        problems=tuple(first.problems),
        user=first.user,
        candidates=first.candidates,
        parameters=first.parameters,
    )


def read_log(
    paths: Paths,
    options: ReadOptions | None = None,
    *,
    progress: Progress | None = None,
    spill: WorkingFiles | None = None,
) -> QueryLog:
    """Read a log of one file, several, or a folder.

    Codes are numbered by first appearance, rows sorted by (user, time), equal ones as they
    came; the same files give the same log on any machine. `QueryLog.origin` says what was
    assumed and what was refused. With `spill` the same log is kept in working files.

    Raises
    ------
    LogFormatError
        If a file can't be read, nobody can tell its columns, or too many rows are bad.
    Cancelled
        If `progress` says so; heard within 200 ms.
    """
    options = options or ReadOptions()
    return _load_log(paths, options, progress or silent_progress(), parser_threads(), None, spill)


@dataclass(frozen=True)
class PlannedParts:
    """What `read_log` would read: parts with the header line to pass over, and how."""

    parts: tuple[tuple[SourcePart, bytes | None], ...]
    layout: ColumnLayout
    options: ReadOptions
    notes: tuple[str, ...]
    user: UserColumn | None = None


def planned_parts(paths: Paths, options: ReadOptions, progress: Progress) -> PlannedParts:
    """Look at the beginning of every file and settle how they are read; nothing is loaded.

    Raises
    ------
    LogFormatError
        If a file can't be read, or nobody can tell its columns.
    """
    progress.stage("looking at the files")
    planned = _plan_parts(paths, options, progress)
    layout = _settle_layout(planned)
    parts = tuple(_read_header(seen, layout) for seen in planned.seen)
    notes = (*planned.first.assumptions, *planned.notes)
    return PlannedParts(parts, layout, planned.first.options, notes, planned.first.user)


def parser_threads() -> int:
    """How many blocks are parsed side by side."""
    return max(2, min(4, os.cpu_count() or 1))


def warm_reader() -> None:
    """Compile and load what reading needs, so that the first log doesn't wait for it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "log.tsv")
        row = "2\té\t2006-03-01 00:00:00\t1\thttp://a.example\n1\tb\t2006-03-01 00:00:00\t\t\n"
        path.write_text("AnonID\tQuery\tQueryTime\tItemRank\tClickURL\n" + row * 2, "utf-8")
        _load_log(path, ReadOptions(), silent_progress(), parser_threads(), None, compiled=True)


def _load_log(
    paths: Paths,
    options: ReadOptions,
    progress: Progress,
    workers: int,
    block: int | None,
    spill: WorkingFiles | None = None,
    *,
    compiled: bool | None = None,
) -> QueryLog:
    progress.stage("looking at the files")
    planned = _plan_parts(paths, options, progress)
    first = planned.first
    layout = _settle_layout(planned)
    from auditor.log.reading import uncompiled
    from auditor.log.reading.pipeline import LogLoader, StringColumn

    settled = first.options
    expected = sum(_estimated_rows(seen) for seen in planned.seen)
    reserved = min(expected * 5 // 4, MOST_RESERVED)
    column = StringColumn if spill is None else spill.make_column
    if compiled is None:
        compiled = expected > uncompiled.ROWS or uncompiled.are_loops_compiled()
    with LogLoader(layout, settled, workers, reserved, column, compiled=compiled) as loader:
        progress.stage("reading", sum(seen.part.size for seen in planned.seen))
        loader.run(_iterate_tasks(planned, layout, settled, block, progress, compiled), progress)
        check_share(
            loader.rejected, loader.rows_read, loader.rejects, settled, planned.seen[0].part.name
        )
        grown = check_unchanged(seen.part for seen in planned.seen)
        stamps = {seen.part.path: seen.part.stamp for seen in planned.seen}
        origin = LogOrigin(
            files=tuple(stamps),
            format=settled.format,
            rows_read=loader.rows_read,
            rejected=dict(loader.rejected),
            rejects=tuple(loader.rejects),
            assumptions=tuple(first.assumptions + planned.notes + grown),
            stamps=tuple(stamps.values()),
            user_column=first.user,
            aggregated=settled.format in PRESETS and PRESETS[settled.format].aggregated,
        )
        if first.user is not None:
            users, rows = loader.users, loader.rows_read - sum(loader.rejected.values())
            origin = dataclasses.replace(
                origin, user_column=confirm_user(first.user, users, rows, planned.seen[0].part.name)
            )
        if spill is None:
            return _note_assumptions(loader.build_log(origin, progress))
        from auditor.log.out_of_core.spilled_log import spill_log

        return _note_assumptions(spill_log(*loader.take_columns(), origin, spill, progress))


def implausible_times(log: QueryLog) -> str:
    """That rows are older than the web or from the far future, in words; empty if none is."""
    period = log.period
    if period is None or (period[0] >= _EARLIEST and period[1] < _LATEST):
        return ""
    rows = np.count_nonzero((log.time < _EARLIEST) | (log.time >= _LATEST))
    return phrase(
        "{rows:,} of {log:,} rows have times before 1990 or after 2099: check the "
        "format of times, or leave those rows out",
        rows=rows,
        log=len(log),
    )


def blank_queries(log: QueryLog) -> str:
    """How many rows have no query that shows anything, in words; empty if none has."""
    blank = log.queries.find_blank()
    rows = int(np.count_nonzero(blank[log.query])) if blank.any() else 0
    if not rows:
        return ""
    return phrase(
        "{rows:,} of {log:,} rows have a blank query: it is a missing value, never counted",
        rows=rows,
        log=len(log),
    )


def _note_assumptions(log: QueryLog) -> QueryLog:
    """The log, with what is strange about its times and queries among its assumptions."""
    told = [said for said in (implausible_times(log), blank_queries(log)) if said]
    if not told:
        return log
    origin = dataclasses.replace(log.origin, assumptions=(*log.origin.assumptions, *told))
    return dataclasses.replace(log, origin=origin)


def _iterate_tasks(
    planned: _PlannedRead,
    layout: ColumnLayout,
    options: ReadOptions,
    block: int | None,
    progress: Progress,
    compiled: bool,
) -> Iterator[ParseTask]:
    from auditor.log.reading import delimited

    if layout.format == "parquet":
        from auditor.log.reading.structured import BATCH, parquet_tasks

        return parquet_tasks([seen.part for seen in planned.seen], layout, options, block or BATCH)
    parts = [_read_header(seen, layout) for seen in planned.seen]
    size = block or delimited.BLOCK_BYTES
    if layout.format != "jsonl" and layout.format not in PRESETS:
        return delimited.text_tasks(parts, layout, options, size, compiled=compiled)
    from auditor.log.reading.structured import line_reader, lines_block

    preset = PRESETS.get(layout.format)
    state = None
    if preset is not None and preset.collect is not None:
        whole = delimited.text_lines((part for part, _ in parts), layout, options, progress)
        state = preset.collect(whole)
    find = partial(lines_block, line_reader(layout, options, state), layout, options)
    ordered = preset is not None and preset.ordered
    return delimited.text_tasks(parts, layout, options, size, find, ordered=ordered)


def _settle_layout(planned: _PlannedRead) -> ColumnLayout:
    first = planned.first
    if first.layout is None:
        name = planned.seen[0].part.name
        if first.candidates:
            raise UserColumnUnnamed(join_phrases(" ", first.problems), first.candidates, name)
        raise LogFormatError(join_phrases(" ", first.problems), path=name, columns=bool(first.rows))
    return first.layout


def _read_header(seen: _SeenColumns, layout: ColumnLayout) -> tuple[SourcePart, bytes | None]:
    return seen.part, layout.header if seen.guess.header else None


def check_share(
    rejected: Mapping[str, int],
    rows_read: int,
    rejects: Sequence[RejectedRow],
    options: ReadOptions,
    name: str,
) -> None:
    """Raise `LogFormatError` if more rows were refused than the options allow."""
    refused = sum(rejected.values())
    if refused <= options.max_rejected_share * rows_read:
        return
    by_reason = sorted(rejected.items(), key=lambda item: -item[1])
    reasons = join_phrases(
        ", ",
        (
            phrase("{reason} {count:,}", reason=as_phrase(reason), count=count)
            for reason, count in by_reason
        ),
    )
    one = rejects[0] if rejects else None
    raise LogFormatError(
        phrase(
            "{refused:,} of {rows_read:,} rows can't be read ({reasons}), more than the "
            "{max_rejected_share:.3g} allowed (max_rejected_share); this is the first. "
            "Check the format and which column is which.",
            refused=refused,
            rows_read=rows_read,
            reasons=as_phrase(reasons),
            max_rejected_share=options.max_rejected_share,
        ),
        path=one.file if one else name,
        line=one.line if one else None,
        column=one.column if one else None,
        columns=True,
    )


def _plan_parts(paths: Paths, options: ReadOptions, progress: Progress | None) -> _PlannedRead:
    """Look at every part, settle what is read, leave out what lies about in folders."""
    parts, notes, gathered = find_parts(paths, _make_limits(options))
    seen: list[_SeenColumns] = []
    empty: list[SourcePart] = []
    for part in parts:
        if progress is not None:
            progress.check()
        try:
            one = _inspect_part(part, options)
        except LogFormatError as error:
            if not gathered or not _unlike_log(part, len(parts)):
                raise
            notes.append(phrase("ignored {error}", error=error))
            continue
        if one is None:
            empty.append(part)
        else:
            seen.append(one)
    if not seen:
        what = empty[0] if empty else parts[0]
        raise what.make_error("The file is empty." if empty else "No query log was found.")
    notes += [phrase("ignored {name}: it is empty", name=part.name) for part in empty]
    return _check_agreement(seen, notes, gathered)


def _unlike_log(part: SourcePart, others: int) -> bool:
    """Whether a file that can't be read may be passed over: not if its name says it is data."""
    name = (part.member or part.path.name).lower()
    data = (".txt", ".tsv", ".csv", ".log", ".jsonl", ".json", ".parquet", ".gz", ".bz2", ".xz")
    return others > 1 and not name.endswith((*data, ".zst", ".zip"))


def _check_agreement(seen: list[_SeenColumns], notes: list[str], gathered: bool) -> _PlannedRead:
    readable = [one for one in seen if one.guess.layout is not None]
    if not readable:
        return _PlannedRead(seen[:1], notes)
    first = readable[0]
    kept: list[_SeenColumns] = []
    for one in seen:
        if not _same_shape(one.guess, first.guess):
            one = _again_as(one, first.guess)
        if one.guess.layout is not None and _same_shape(one.guess, first.guess):
            kept.append(one)
        elif gathered:
            notes.append(
                phrase("ignored {name}: it doesn't look like the query log", name=one.part.name)
            )
        elif one.guess.layout is None:
            raise one.part.make_error(join_phrases(" ", one.guess.problems))
        else:
            raise one.part.make_error(
                phrase(
                    "Its columns aren't those of {name}. Read them one by one, or give "
                    "the columns.",
                    name=first.part.name,
                )
            )
    return _PlannedRead(kept, notes)


def _again_as(one: _SeenColumns, first: DetectedFormat) -> _SeenColumns:
    """Look again at a part in the light of the first: its guess had less to go by."""
    if not one.head or first.options.format == "parquet":
        return one
    options = dataclasses.replace(first.options, header=None)
    if first.header:
        again = format_detection.detect_part_format(one.part, one.head, one.complete, options)
        if again.layout is None or not _same_shape(again, first):
            places = {
                role: first.names.index(str(name)) if isinstance(name, str) else name
                for role, name in first.options.columns.items()
            }
            headless = dataclasses.replace(options, header=False, columns=places)
            again = format_detection.detect_part_format(one.part, one.head, one.complete, headless)
    else:
        again = format_detection.detect_part_format(
            one.part, one.head, one.complete, dataclasses.replace(options, header=False)
        )
    again.user = first.user
    return dataclasses.replace(one, guess=again)


def _same_shape(a: DetectedFormat, b: DetectedFormat) -> bool:
    one, other = a.layout, b.layout
    if one is None or other is None:
        return False
    alike = (
        "format",
        "columns",
        "time",
        "delimiter",
        "quoting",
        "encoding",
        "returns",
        "width",
        "array",
    )
    if a is b:
        return True
    if one.format not in ("jsonl", "parquet") and a.usual_width not in (
        one.width,
        one.short_width,
    ):
        return False
    same = all(getattr(one, name) == getattr(other, name) for name in alike)
    return same and (a.names == b.names or not (a.header and b.header))


def _inspect_part(part: SourcePart, options: ReadOptions) -> _SeenColumns | None:
    """The beginning of a part and what it looks like; None if it is empty."""
    if part.size == 0 and part.compression == "none":
        return None
    with SourceStream(part, _make_limits(options), chunk=4096) as stream:
        head = stream.read(HEAD)
        complete = len(head) < HEAD
        consumed = stream.consumed
    if not head:
        return None
    check_unpacked(part, head)
    if head.startswith(b"PAR1") or options.format == "parquet":
        from auditor.log.reading.parquet import guess_parquet

        return _SeenColumns(part, b"", True, consumed, guess_parquet(part, options))
    guess = format_detection.detect_part_format(part, head, complete, options)
    return _SeenColumns(part, head, complete, consumed, guess)


def _make_limits(options: ReadOptions) -> SourceLimits:
    return SourceLimits(options.max_expanded_bytes, options.max_expansion_ratio)


def _estimated_rows(seen: _SeenColumns) -> int:
    if seen.guess.exact_rows is not None:
        return seen.guess.exact_rows
    if seen.complete:
        return max(0, round(len(seen.head) / seen.guess.row_bytes) - int(seen.guess.header))
    growth = len(seen.head) / max(1, min(seen.consumed, seen.part.size))
    expanded = seen.part.size * (growth if seen.part.compression != "none" else 1.0)
    return max(1, round(expanded / seen.guess.row_bytes))


def _estimated_memory(guess: DetectedFormat, rows: int) -> tuple[int, int]:
    """Bytes after the load and at its peak, from how fast distinct strings grow at first."""
    row = 22 + (4 if "ip" in guess.options.columns else 0)
    memory, tables = 0, 0
    columns = guess.options.columns
    if guess.options.format in PRESETS:
        columns = {name: name for name in guess.names}
    for role, column in columns.items():
        if role not in ("user", "query", "url", "cookie"):
            continue
        if isinstance(column, str) and column not in guess.names:
            continue  # what is wrong is told among the problems
        place = guess.names.index(column) if isinstance(column, str) else column
        values = [found[place] for found in guess.rows if place < len(found) and found[place]]
        if not values:
            continue
        half, all_ = len(set(values[: len(values) // 2])), len(set(values))
        power = min(1.0, max(0.5, math.log2(all_ / half))) if half else 1.0
        share = len(values) / max(1, len(guess.rows))
        total = all_ * (max(1.0, rows * share / len(values))) ** power
        size = sum(len(value.encode("utf-8", "replace")) for value in values) / len(values)
        memory += int(total * (size + 8))
        tables += int(total * 16)
        row += 4 if role == "cookie" else 0
    memory += rows * row
    # Blocks under way, the pieces of the longest column, the tables that numbering needs.
    return memory, memory + tables + min(rows, 2**40) * 12 + 96 * 2**20
