"""A log cut into splits that anybody can read alone, wherever the file can be opened.

Lines of plain text are cut at byte ranges, Parquet at row groups. What depends on all that stands
before (packed files, quoted fields, other encodings than UTF-8) is one split a file. A split is
read by the same compiled loops as a whole log: the same rows are refused, for the same reasons.

One difference is left: a line longer than `max_line_bytes` is refused whole wherever it is cut,
but what the window would show of it may begin elsewhere. O(bytes of the split).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import BinaryIO

import numpy as np

from auditor.errors import LogFormatError
from auditor.log.model import NONE, LogOrigin, QueryLog
from auditor.log.reading import columnar, delimited, structured
from auditor.log.reading.column_mapping import ColumnLayout, ReadOptions
from auditor.log.reading.decompression import CHUNK, fill_from
from auditor.log.reading.pipeline import LogLoader, ParseTask, count_ranks, find_first_rank
from auditor.log.reading.presets.registry import PRESETS
from auditor.log.reading.reader import Paths, planned_parts
from auditor.log.reading.search_events import EVENT
from auditor.log.reading.sources import SourcePart, check_unchanged, open_regular
from auditor.log.sentences import sentence
from auditor.messages import as_phrase, phrase
from auditor.progress import Progress, silent_progress

SPLIT_BYTES = 32 << 20
"""Bytes of one split: some half a million rows, a second of work, 150 MB while it is read."""


@dataclass(frozen=True)
class LogSplit:
    """One piece of a log: bytes [start, stop) of a file, or row groups, or all of it (stop < 0)."""

    number: int
    part: SourcePart
    layout: ColumnLayout
    start: int
    stop: int
    groups: bool = False


@dataclass(frozen=True)
class LogSplits:
    """A whole log in pieces, and how they are read; of `origin` nothing is counted yet.

    `first_rank` is what the first place in the results is called, 0 or 1, by the log's first rows.
    """

    pieces: tuple[LogSplit, ...]
    options: ReadOptions
    origin: LogOrigin
    roles: frozenset[str]
    first_rank: int = 1

    @property
    def files(self) -> tuple[Path, ...]:
        """The files of the log."""
        return self.origin.files


@dataclass(frozen=True, eq=False)
class SplitPiece:
    """What one split held; `log.origin` has the refused rows, their lines counted from 1 here.

    `lines` is how many lines the split has, so that those of the next can be told; `counts` are
    those of `pipeline.COUNTS`.
    """

    log: QueryLog
    lines: int
    counts: Mapping[str, int]


def plan_splits(
    paths: Paths,
    options: ReadOptions | None = None,
    *,
    size: int = SPLIT_BYTES,
    progress: Progress | None = None,
) -> LogSplits:
    """Look at the beginning of a log and cut it; nothing is loaded.

    Raises `LogFormatError` if a file can't be read, or nobody can tell its columns.
    """
    planned = planned_parts(paths, options or ReadOptions(), progress or silent_progress())
    preset = PRESETS.get(planned.origin.format)
    if preset is not None and (preset.collect is not None or preset.aggregated or preset.by_file):
        raise LogFormatError(
            sentence("splits.read_pieces_read_machine", title=as_phrase(preset.title))
        )
    if planned.options.spellings == "merge" or planned.options.shared_ids == "drop":
        raise LogFormatError(
            "Spellings of ids can't be merged, nor shared ids left out, in pieces. Read the log on "
            "one machine (`engine` local)."
        )
    if planned.options.is_part:
        raise LogFormatError(
            "A period or a list of users is chosen on one machine only. Leave it out, or read the "
            "log there (`engine` local)."
        )
    if EVENT in planned.roles:
        raise LogFormatError(sentence("search_events.machine"))
    if planned.options.coarsen:
        raise LogFormatError(
            "Columns beside the log become coarser on one machine only. Leave that out, or read "
            "the log there (`engine` local)."
        )
    pieces: list[LogSplit] = []
    notes = []
    for part, layout in planned.parts:
        for start, stop, groups in _iterate_ranges(part, layout, planned.options, size):
            if stop < 0 and part.size > size:
                reason = (
                    phrase("it is packed ({compression})", compression=part.compression)
                    if part.compression != "none"
                    else "its fields are quoted, its lines depend on each other, or it is not "
                    "UTF-8 with line feeds"
                )
                facts = {"name": part.name, "why": as_phrase(reason)}
                notes.append(phrase("{name} can't be cut and is read by one task: {why}", **facts))
            pieces.append(LogSplit(len(pieces), part, layout, start, stop, groups))
    ranks = np.array(planned.first_ranks or [(NONE, False)])
    first_rank = find_first_rank(count_ranks(ranks[:, 0], ranks[:, 1]))
    if first_rank == 0:
        notes.append(sentence("reader.ranks_from_zero"))
    origin = planned.origin.add_notes(*notes, sentence("splits.not_looked_for"))
    return LogSplits(tuple(pieces), planned.options, origin, planned.roles, first_rank)


def read_split(splits: LogSplits, split: LogSplit) -> SplitPiece:
    """Read one split; codes are numbered anew in it, rows sorted by (user, time).

    Raises `LogFormatError` if the file can't be read any more.
    """
    with LogLoader(splits.roles, splits.options, 1, first_rank=splits.first_rank) as loader:
        loader.run(_iterate_tasks(split, splits.options), silent_progress())
        check_unchanged([split.part])
        origin = LogOrigin(
            files=(split.part.path,),
            format=splits.options.format,
            rows_read=loader.rows_read,
            rejected=dict(loader.rejected),
            rejects=tuple(loader.rejects),
            time_zone=splits.options.time_zone,
        )
        log = loader.build_log(origin, silent_progress())
        return SplitPiece(log, loader.lines, loader.counts)


def _iterate_ranges(
    part: SourcePart, layout: ColumnLayout, options: ReadOptions, size: int
) -> Iterator[tuple[int, int, bool]]:
    if layout.format == "parquet":
        file = columnar.open_parquet(part, layout, options)
        try:
            metadata = file.metadata
            start = weight = 0
            for group in range(metadata.num_row_groups):
                weight += metadata.row_group(group).total_byte_size
                if weight >= size or group == metadata.num_row_groups - 1:
                    yield start, group + 1, True
                    start, weight = group + 1, 0
        finally:
            file.close(force=True)
        return
    atomic = part.compression != "none" or layout.quoting or bool(layout.recoded or layout.returns)
    atomic = atomic or bool(layout.elements) or layout.format == "arrow" or layout.format in PRESETS
    if atomic or part.size <= size:
        yield 0, -1, False
        return
    for start in range(0, part.size, size):
        yield start, min(start + size, part.size), False


def _iterate_tasks(split: LogSplit, options: ReadOptions) -> Iterator[ParseTask]:
    part, layout = split.part, split.layout
    if split.groups:
        groups = range(split.start, split.stop)
        return columnar.parquet_tasks(part, layout, options, columnar.BATCH, groups=groups)
    if split.stop < 0:
        return structured.log_tasks([(part, layout)], options, silent_progress())
    find = None
    if layout.format == "jsonl":
        read_line = structured.line_reader(layout, options)
        find = partial(structured.lines_block, read_line, layout, options)
    source = ByteRange(part, split.start, split.stop)
    return delimited.line_tasks(part, source, layout, options, find)


class ByteRange:
    """The lines of a file that begin in [start, stop); `part.size` is where the file ended.

    `consumed` is where the reading stands in the file.
    """

    def __init__(self, part: SourcePart, start: int, stop: int) -> None:
        self.consumed = start
        self._file = open_regular(part.path)
        self._fill = fill_from(self._iterate_pieces(part, stop))

    def readinto(self, view: memoryview) -> int:
        """Fill as much of `view` as comes at once; 0 behind the last line."""
        return self._fill(view)

    def _iterate_pieces(self, part: SourcePart, stop: int) -> Iterator[bytes]:
        try:
            with self._file as file:
                end = _find_line(file, stop, part.size)
                self.consumed = _find_line(file, self.consumed, part.size)
                file.seek(self.consumed)
                while piece := file.read(min(CHUNK, max(end - self.consumed, 0))):
                    self.consumed += len(piece)
                    yield piece
        except OSError:
            raise part.make_error("The file can't be read any more.") from None


def _find_line(file: BinaryIO, place: int, size: int) -> int:
    """Where the first line begins that begins at `place` or after it; `size` where none does."""
    if not 0 < place < size:
        return min(place, size)
    file.seek(place - 1)
    while (piece := file.readline(CHUNK)) and piece[-1:] != b"\n":
        pass
    return min(file.tell(), size)
