"""Reading query logs: AOL's and Excite's formats, CSV and TSV, JSON lines, Parquet, tables.

`sniff_log` looks at the beginning and says what it would read; `read_log` reads. Bad rows are
counted by reason with their line numbers and left out; a file that can't be read, or has more
bad rows than the options allow, is one `LogFormatError`. O(bytes), about 22 bytes of memory a
row and every distinct string once.
"""

from __future__ import annotations

import dataclasses
import filecmp
import itertools
import math
import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from auditor.arrays import Bools
from auditor.errors import LogFormatError, ParameterError
from auditor.log.model import NONE, LogOrigin, QueryLog, RejectedRow, Vocabulary, iterate_slices
from auditor.log.origin import describe_left_out
from auditor.log.reading import format_detection
from auditor.log.reading.alignment import (
    NAMED_COLUMNS,
    AlignedParts,
    SampledPart,
    align_parts,
    unlike_log,
)
from auditor.log.reading.coarsening import coarsen_attributes, read_coarsening
from auditor.log.reading.column_inference import SWAPPED, without_missing
from auditor.log.reading.column_mapping import (
    REASONS,
    ColumnLayout,
    ReadOptions,
    SniffedLog,
    compile_time,
    list_roles,
)
from auditor.log.reading.format_detection import DetectedFormat
from auditor.log.reading.log_part import find_bounds, take_part
from auditor.log.reading.presets.registry import PRESETS
from auditor.log.reading.search_events import fold_events
from auditor.log.reading.sources import (
    SourcePart,
    SourceStream,
    check_unchanged,
    check_unpacked,
    find_parts,
)
from auditor.log.reading.table_files import DATABASES, TABLE_FILES
from auditor.log.reading.user_ids import MIN_ROWS, UserColumnUnnamed, settle_users
from auditor.log.sentences import sentence
from auditor.messages import as_phrase, error_message, join_phrases, phrase
from auditor.progress import Progress, silent_progress

if TYPE_CHECKING:
    import pyarrow as pa

    from auditor.log.out_of_core.working_files import WorkingFiles

__all__ = ["ReadOptions", "SniffedLog", "read_frame", "read_log", "sniff_log", "warm_reader"]

HEAD = 256 * 1024
PREVIEW_ROWS, PREVIEW_LETTERS = 50, 1000
_EARLIEST, _LATEST = 631_152_000, 4_102_444_800
"""Beginnings of 1990 and of 2100: nobody searched the web before, or will have after."""
_NIGHT = 4
"""Until this hour hardly anybody searches who doesn't in the afternoon."""
_LOOKED_AT = 100_000
"""Distinct queries that are looked at for how they are written."""
_RARE = 1_000
"""Of so many rows, or distinct queries, one may be what somebody typed: that is not noted."""
_SEVERAL = 20
"""Of so many rows, more than one that is another again may be a file that is there twice."""
_ENCODED = r"%[0-9A-Fa-f]{2}|^[^ +]+(?:\+[^ +]+)+$"
_ESCAPED = r"&(?:amp|quot|lt|gt|apos|#\d{2,5});|\\[tnr\\]"
_COLUMNAR = (
    (b"PAR1", "parquet"),
    (b"ARROW1", "arrow"),
    (b"\xff\xff\xff\xff", "arrow"),  # a stream
)
HARMLESS = ("empty line", "repeated header")
"""Why rows are passed over that are nobody's search, and so count for none that can't be read."""
BAD_TIMES = REASONS[10]
"""Why rows are refused whose time isn't of the form."""
SHEET_GROWTH = 4.0
"""Bytes of a sheet's text for each of the workbook's, about."""
MOST_NAMED = 12
"""Columns that are named where many are left out."""
MOST_RESERVED = 100_000_000
"""Rows for which room is reserved on the word of an estimate."""
Paths = Path | str | Sequence[Path | str]


def sniff_log(paths: Paths, options: ReadOptions | None = None) -> SniffedLog:
    """Look at the beginning of a log and say what it is; nothing is loaded.

    Raises `LogFormatError` if a file can't be read at all. What only needs a choice is in
    `problems`.
    """
    options = options or ReadOptions()
    planned = _plan_parts(paths, options, None)
    first = planned.reference
    rows = sum(_estimated_rows(sample) for sample in planned.parts)
    memory, peak = _estimated_memory(first, rows)
    kinds = sorted({sample.part.compression for sample in planned.parts})
    doubts = [
        sentence(
            "reader.user_column_doubtful_first", values=len(first.rows), doubt=as_phrase(doubt)
        )
        for doubt in (first.user.doubts if first.user is not None else ())
    ]
    return SniffedLog(
        format=first.options.format,
        options=first.options,
        files=tuple(dict.fromkeys(sample.part.path for sample in planned.parts)),
        compression=", ".join(kinds),
        column_names=first.names,
        preview=tuple(
            tuple(value[:PREVIEW_LETTERS] for value in row) for row in first.rows[:PREVIEW_ROWS]
        ),
        bytes_on_disk=sum(sample.part.size for sample in planned.parts),
        estimated_rows=rows,
        estimated_memory=memory,
        estimated_peak=peak,
        notes=(*first.assumptions, *doubts, *planned.notes, *describe_left_out(planned.left_out)),
        problems=tuple(first.problems),
        user=first.user,
        candidates=first.candidates,
        parameters=first.parameters,
        headers=tuple(map(_list_columns, planned.parts)),
    )


def _list_columns(sample: SampledPart) -> tuple[str, ...] | None:
    """The names of all columns of a part; None where it may have others."""
    guess, form = sample.guess, sample.guess.options.format
    if form == "jsonl":
        lines = max(sample.head.count(b"\n"), len(guess.rows))
        is_known = sample.complete and lines < format_detection.JSON_LINES
        is_known = is_known and len(guess.names) < format_detection.JSON_NAMES
    else:
        has_names = guess.options.header or form in NAMED_COLUMNS
        used_places = set() if guess.layout is None else set(guess.layout.columns.values())
        is_known = form not in PRESETS and (has_names or len(used_places) == len(guess.names))
    return guess.names if is_known else None


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

    Raises `LogFormatError` if a file can't be read, nobody can tell its columns, or too many rows
    are bad; `Cancelled` if `progress` says so; heard within 200 ms.
    """
    progress = progress or silent_progress()
    options = options or ReadOptions()
    find_bounds(options)
    read_coarsening(options.coarsen)
    planned = planned_parts(paths, options, progress)
    return load_parts(planned, progress, parser_threads(), spill=spill)


def read_frame(
    frame: Any, options: ReadOptions | None = None, progress: Progress | None = None
) -> QueryLog:
    """The log in a table that has `__arrow_c_stream__`; O(rows), the table is held meanwhile.

    Tables of pandas, Arrow, polars and DuckDB have it. Their rows go the way that a Parquet file's
    go, and are refused for the same reasons.

    Raises `UserColumnUnnamed` if neither `options` nor a column's name says who the users are;
    `LogFormatError` if query or time can't be told, or too many rows are bad.
    """
    import pyarrow as pa

    from auditor.log.reading.columnar import flatten_structures, guess_table

    options, progress = options or ReadOptions(), progress or silent_progress()
    if not hasattr(frame, "__arrow_c_stream__"):
        raise ParameterError(
            "frame", sentence("frames.table_arrow_stream_interface", name=type(frame).__name__)
        )
    try:
        table = pa.RecordBatchReader.from_stream(frame).read_all()
    except (pa.ArrowException, TypeError, ValueError) as error:
        message = sentence("frames.table_handed_over_through", name=type(error).__name__)
        raise LogFormatError(message) from None
    try:
        table.validate(full=True)  # wrong offsets of strings would end the process
    except ValueError:
        raise LogFormatError("The table is damaged: its columns contradict themselves.") from None
    part = SourcePart(Path("table"), "none", table.nbytes)
    table = flatten_structures(table, part.name)
    sample = SampledPart(part, b"", True, 0, guess_table(table, options))
    planned = settle_parts(AlignedParts([sample], sample.guess))
    origin = dataclasses.replace(planned.origin, files=(), stamps=(), format="table")
    planned = dataclasses.replace(planned, origin=origin)
    return load_parts(planned, progress, parser_threads(), table=table)


@dataclass(frozen=True)
class PlannedParts:
    """What `read_log` would read: parts, each with its layout, and what is known of them.

    `first_ranks` are those of the first rows, and whether each has an address.
    """

    parts: tuple[tuple[SourcePart, ColumnLayout], ...]
    options: ReadOptions
    origin: LogOrigin
    expected_rows: int
    first_ranks: tuple[tuple[int, bool], ...] = ()
    other_time: str = ""

    @property
    def roles(self) -> frozenset[str]:
        """The roles of all parts."""
        return frozenset(role for _, layout in self.parts for role in layout.columns)

    def swap_days(self) -> PlannedParts:
        """The same with day and month of dates in the other order."""
        form = SWAPPED[self.other_time]
        old, new = compile_time(form), compile_time(self.other_time)
        parts = tuple(
            (part, dataclasses.replace(layout, time=new if layout.time == old else layout.time))
            for part, layout in self.parts
        )
        options = dataclasses.replace(self.options, time_format=self.other_time)
        before, after = (
            phrase("times are read as {form}", form=f) for f in (form, self.other_time)
        )
        notes = tuple(after if note == before else note for note in self.origin.assumptions)
        origin = dataclasses.replace(self.origin, assumptions=notes)
        return dataclasses.replace(self, parts=parts, options=options, origin=origin)


def planned_parts(paths: Paths, options: ReadOptions, progress: Progress) -> PlannedParts:
    """Look at the beginning of every file and settle how they are read; nothing is loaded.

    `origin` is that of a log of which nothing was read yet.

    Raises `LogFormatError` if a file can't be read, or nobody can tell its columns.
    """
    progress.stage("looking at the files")
    return settle_parts(_plan_parts(paths, options, progress))


def settle_parts(planned: AlignedParts) -> PlannedParts:
    """How parts are read that were looked at; raises as `planned_parts` does."""
    first = planned.reference
    if first.layout is None:
        name = planned.parts[0].part.name
        lines = max(len(sample.head.strip().splitlines()) for sample in planned.parts)
        if first.names and not first.rows and lines <= 1:
            raise LogFormatError(sentence("reader.no_row"), path=name)
        if first.candidates:
            raise UserColumnUnnamed(join_phrases(" ", first.problems), first.candidates, name)
        raise LogFormatError(join_phrases(" ", first.problems), path=name, columns=bool(first.rows))
    layouts = [
        (item.part, item.guess.layout) for item in planned.parts if item.guess.layout is not None
    ]
    roles = list_roles(role for _, layout in layouts for role in layout.columns)
    parts = tuple((part, dataclasses.replace(layout, roles=roles)) for part, layout in layouts)
    stamps = {part.path: part.stamp for part, _ in parts}
    form, zone = first.options.format, first.options.time_zone
    notes = [*first.assumptions, *planned.notes]
    sheets = [part.name for part, _ in layouts if part.compression == "spreadsheet"]
    if len(sheets) > 1:
        notes.append(phrase("the sheets {names} are one log", names=", ".join(sheets)))
    if zone != "UTC":
        notes.append(phrase("times are the clock of {zone}", zone=zone))
    origin = LogOrigin(
        files=tuple(stamps),
        format=form,
        assumptions=(*notes, *_describe_unread(first)),
        stamps=tuple(stamps.values()),
        user_column=first.user,
        aggregated=form in PRESETS and PRESETS[form].aggregated,
        left_out=planned.left_out,
        time_zone=zone,
    )
    expected = sum(_estimated_rows(sample) for sample in planned.parts)
    guesses = [sample.guess for sample in planned.parts]
    settled = PlannedParts(parts, first.options, origin, expected, _list_first_ranks(guesses))
    return _settle_date_order(settled, guesses)


def _list_first_ranks(guesses: Sequence[DetectedFormat]) -> tuple[tuple[int, bool], ...]:
    """The ranks of the first rows of all parts, −1 where one has none, and whether an address."""
    ranks = []
    for guess in guesses:
        columns = {} if guess.layout is None else guess.layout.columns
        places = [
            guess.names.index(column) if isinstance(column, str) else column
            for column in (columns[role] for role in ("rank", "url") if role in columns)
        ]
        for row in guess.rows:
            if "rank" in columns and len(row) == len(guess.names):
                rank, *url = without_missing([row[place] for place in places])
                plain = rank.strip().removesuffix(".0")
                ranks.append((int(plain) if plain.isdecimal() else NONE, any(url)))
    return tuple(ranks)


def _describe_unread(guess: DetectedFormat) -> list[str]:
    """Which columns have no role and are no attribute, by name where a header names them."""
    layout = guess.layout
    if layout is None or guess.options.format in PRESETS:
        return []
    read_columns = {*layout.columns.values(), *itertools.chain(*layout.joined.values())}
    columns = [
        ("" if guess.options.header is False else name.strip()[:40])
        or phrase("column {place}", place=place + 1)
        for place, name in enumerate(guess.names)
        if not {place, name} & read_columns and name not in guess.joined
    ]
    if not columns:
        return []
    ellipsis = [f"… {len(columns):,}"] if len(columns) > MOST_NAMED else []
    names = join_phrases(", ", [*columns[:MOST_NAMED], *ellipsis])
    return [sentence("columns.left_out", names=as_phrase(names))]


def _settle_date_order(planned: PlannedParts, guesses: Sequence[DetectedFormat]) -> PlannedParts:
    """The order of day and month that one file shows is that of the others."""
    other = next((guess.other_time for guess in guesses if guess.other_time), "")
    if not other:
        return planned
    form = SWAPPED[other]
    forms = {guess.options.time_format for guess in guesses if not guess.other_time}
    if {form, other} <= forms:
        raise ask_date_order(form, planned.parts[0][0].name)
    if form in forms:
        return planned
    planned = dataclasses.replace(planned, other_time=other)
    return dataclasses.replace(planned.swap_days(), other_time="") if other in forms else planned


def parser_threads() -> int:
    """How many blocks are parsed side by side."""
    return max(2, min(4, os.cpu_count() or 1))


def warm_reader() -> None:
    """Compile and load what reading needs, so that the first log doesn't wait for it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "log.tsv")
        row = "2\té\t2006-03-01 00:00:00\t1\thttp://a.example\n1\tb\t2006-03-01 00:00:00\t\t\n"
        path.write_text("AnonID\tQuery\tQueryTime\tItemRank\tClickURL\n" + row * 2, "utf-8")
        progress = silent_progress()
        planned = planned_parts(path, ReadOptions(), progress)
        load_parts(planned, progress, parser_threads())


def load_parts(
    planned: PlannedParts,
    progress: Progress,
    workers: int,
    block: int | None = None,
    spill: WorkingFiles | None = None,
    *,
    table: pa.Table | None = None,
    bad_times: int = 0,
) -> QueryLog:
    """The log of parts, or of the `table` that is the only one.

    `bad_times` is how many times the other order of day and month refuses.
    """
    from auditor.log.reading import columnar
    from auditor.log.reading.pipeline import LogLoader, MemoryColumn, describe_counts
    from auditor.log.reading.structured import log_tasks

    settled, parts = planned.options, planned.parts
    reserved = min(planned.expected_rows * 5 // 4, MOST_RESERVED)
    column = MemoryColumn if spill is None else spill.make_column
    with LogLoader(planned.roles, settled, workers, reserved, column) as loader:
        progress.stage("reading", sum(part.size for part, _ in parts))
        if table is None:
            tasks = log_tasks(parts, settled, progress, block=block)
        else:
            tasks = columnar.table_tasks(table, *parts[0])
        loader.run(tasks, progress)
        grown = check_unchanged(part for part, _ in parts)
        name = parts[0][0].name
        bad = loader.rejected.get(BAD_TIMES, 0)
        if bad_times and bad >= bad_times:
            raise ask_date_order(planned.options.time_format, name)
        if planned.other_time and bad and not bad_times:
            swapped = planned.swap_days()
            return load_parts(swapped, progress, workers, block, spill, table=table, bad_times=bad)
        origin = planned.origin.add_notes(*grown)
        origin = complete_origin(
            origin, loader.rows_read, loader.rejected, loader.rejects, settled, name
        )
        if spill is None:
            log = loader.build_log(origin, progress)
        else:
            from auditor.log.out_of_core.spilled_log import spill_log

            log = spill_log(*loader.take_columns(progress), origin, spill, progress)
        notes = describe_counts(loader.counts, len(log), settled.time_zone)
        if loader.first_rank == 0:
            notes.append(sentence("reader.ranks_from_zero"))
        log = dataclasses.replace(log, origin=origin.add_notes(*notes))
        if planned.other_time and not bad_times:
            check_date_order(log, settled.time_format, name)
        return finish_log(log, settled, name)


def check_date_order(log: QueryLog, form: str | None, file: str) -> None:
    """Raise `LogFormatError` if all dates could have day and month in the other order."""
    parts = (np.unique(log.time[part] // 86_400) for part in iterate_slices(len(log)))
    days = np.unique(np.concatenate([np.zeros(0, dtype=np.int64), *parts]))
    dates = days.astype("datetime64[D]")
    months = dates.astype("datetime64[M]")
    day = (dates - months).astype(np.int64) + 1
    month = months.astype(np.int64) % 12 + 1
    if len(days) and day.max() <= 12 and np.any(day != month):
        raise ask_date_order(form, file)


def ask_date_order(form: str | None, file: str) -> LogFormatError:
    """The question which of day and month stands first in a log's dates."""
    return LogFormatError(
        sentence("reader.does_day_stand_first", form=form, other=SWAPPED.get(form or "", "")),
        path=file,
        columns=True,
    )


def implausible_times(log: QueryLog) -> str:
    """That rows are older than the web or from the far future, in words; empty if none is."""
    preset = PRESETS.get(log.origin.format)
    period = log.period
    if period is None or log.origin.aggregated or (preset is not None and not preset.dated):
        return ""
    if period[0] >= _EARLIEST and period[1] < _LATEST:
        return ""
    rows = np.count_nonzero((log.time < _EARLIEST) | (log.time >= _LATEST))
    return sentence("reader.rows_times_before_after", rows=rows, log=len(log))


def morning_clock(log: QueryLog) -> str:
    """That the hours of a log may lack "AM" and "PM", in words; empty if they hardly do."""
    hours = np.zeros(24, dtype=np.int64)
    for part in iterate_slices(len(log)):
        hours += np.bincount(log.time[part] // 3_600 % 24, minlength=24)
        if hours[0] or hours[13:].any():
            return ""
    has_mornings = hours[1 : _NIGHT + 1].any() and np.count_nonzero(hours) >= _NIGHT
    return sentence("reader.hours_lack_half") if len(log) >= MIN_ROWS and has_mornings else ""


def encoded_queries(log: QueryLog) -> str:
    """How many queries are written as in addresses or pages, in words; empty if hardly any is."""
    import pyarrow.compute as pc

    queries = log.queries.as_arrow()[:_LOOKED_AT]
    encoded, escaped = (
        int(pc.sum(pc.match_substring_regex(queries, pattern)).as_py() or 0)
        for pattern in (_ENCODED, _ESCAPED)
    )
    if encoded and encoded * 10 >= len(queries):
        return sentence("reader.queries_encoded", encoded=encoded, queries=len(queries))
    if escaped * _RARE > len(queries):
        return sentence("reader.queries_escaped", escaped=escaped, queries=len(queries))
    return ""


def broken_texts(log: QueryLog) -> str:
    """How many queries and ids of a table go over several lines, in words; empty if none does."""
    import pyarrow.compute as pc

    def count_broken(texts: Vocabulary) -> int:
        if log.origin.format != "delimited" or not np.any(texts.data == ord("\n")):
            return 0
        return int(pc.sum(pc.match_substring(texts.as_arrow(), "\n")).as_py())

    notes = []
    if lines := count_broken(log.queries):
        notes.append(sentence("reader.queries_lines", lines=lines, queries=len(log.queries)))
    if lines := count_broken(log.users):
        notes.append(sentence("reader.users_lines", lines=lines, users=len(log.users)))
    return join_phrases("; ", notes)


def blank_queries(log: QueryLog) -> str:
    """How many rows have no query that shows anything, in words; empty if none has."""
    rows = _count_rows(log, log.queries.find_blank())
    return sentence("reader.rows_blank_query_missing", rows=rows, log=len(log)) if rows else ""


def missing_queries(log: QueryLog) -> str:
    """How many rows have a word for a missing value as their query; empty if hardly any has."""
    rows = _count_rows(log, log.queries.find_missing())
    is_rare = rows * _RARE <= len(log)
    return "" if is_rare else sentence("reader.missing_queries", missing=rows, log=len(log))


def repeated_rows(log: QueryLog) -> str:
    """How many rows are another one again, in words; empty where few are, or times are days."""
    rows, columns = 0, (log.user, log.time, log.query, log.url, log.rank)
    for part in iterate_slices(len(log) - 1):
        pairs = [(c[part], c[part.start + 1 : part.stop + 1]) for c in columns]
        rows += int(np.count_nonzero(np.all([left == right for left, right in pairs], axis=0)))
    is_rare = len(log) < MIN_ROWS or rows * _SEVERAL < len(log)
    if is_rare or not any(np.any(log.time[part] % 86_400) for part in iterate_slices(len(log))):
        return ""
    return sentence("reader.repeated_rows", rows=rows, log=len(log))


def _count_rows(log: QueryLog, queries: Bools) -> int:
    """The rows that have one of these queries."""
    return int(np.count_nonzero(queries[log.query])) if queries.any() else 0


def finish_log(log: QueryLog, options: ReadOptions, file: str) -> QueryLog:
    """The log of searches with its user column judged by all rows, and what is strange noted.

    Raises `LogFormatError`: nobody can tell what its events are; `UserColumnUnnamed`: the user
    column can't be persons; `ParameterError`: no row is of the part that was asked for, nothing can
    be coarser in a column, or no result was shown.
    """
    log = coarsen_attributes(log, options.coarsen)
    log = fold_events(log, file, keep_shown=options.keep_shown)
    log = take_part(settle_users(log, options, file), options)
    tests = (
        *(implausible_times, morning_clock, blank_queries, missing_queries, encoded_queries),
        *(broken_texts, repeated_rows),
    )
    strange = [note for test in tests if (note := test(log))]
    return dataclasses.replace(log, origin=log.origin.add_notes(*strange)) if strange else log


def complete_origin(
    origin: LogOrigin,
    rows_read: int,
    rejected: Mapping[str, int],
    rejects: Sequence[RejectedRow],
    options: ReadOptions,
    name: str,
) -> LogOrigin:
    """The origin of a log that was read whole; `name` is that of its first file.

    Raises `LogFormatError`: more rows were refused than the options allow, or a file with content
    has no row.
    """
    bad = {reason: count for reason, count in rejected.items() if reason not in HARMLESS}
    refused, rows = sum(bad.values()), rows_read - sum(rejected.values()) + sum(bad.values())
    if refused > options.max_rejected_share * rows:
        counts = (
            phrase("{reason} {count:,}", reason=as_phrase(reason), count=count)
            for reason, count in sorted(bad.items(), key=lambda item: -item[1])
        )
        example = next((row for row in rejects if row.reason not in HARMLESS), None)
        raise LogFormatError(
            sentence(
                "reader.rows_read_allowed_max",
                refused=refused,
                rows_read=rows,
                reasons=as_phrase(join_phrases(", ", counts)),
                max_rejected_share=options.max_rejected_share,
            ),
            path=example.file if example else name,
            line=example.line if example else None,
            column=example.column if example else None,
            columns=True,
        )
    if not rows_read and (origin.format == "jsonl" or origin.format in PRESETS):
        note = PRESETS[origin.format].note if origin.format in PRESETS else ""
        message = sentence("reader.nothing_read_note" if note else "reader.nothing_read", note=note)
        raise LogFormatError(message, path=name, columns=True)
    if rows_read == sum(rejected.values()):
        origin = origin.add_notes(sentence("reader.empty"))
    return dataclasses.replace(
        origin, rows_read=rows_read, rejected=dict(rejected), rejects=tuple(rejects)
    )


def _plan_parts(paths: Paths, options: ReadOptions, progress: Progress | None) -> AlignedParts:
    """Look at every part, settle what is read, leave out what lies about in folders."""
    sources = find_parts(paths, options)
    samples: list[SampledPart] = []
    empty: list[SourcePart] = []
    left_out = sources.left_out
    for part in sources.parts:
        if progress is not None:
            progress.check()
        try:
            sample = _sample_part(part, options)
        except LogFormatError as error:
            if not sources.gathered or len(sources.parts) == 1 or not unlike_log(part):
                raise
            left_out[part.name] = error_message(error)
            continue
        if sample is None:
            empty.append(part)
            left_out[part.name] = "it is empty"
        elif copied := next((other.part.name for other in samples if _is_copy(sample, other)), ""):
            left_out[part.name] = phrase("it holds the same as {name}", name=copied)
        else:
            samples.append(sample)
    if not samples:
        unreadable = empty[0] if empty else sources.parts[0]
        raise unreadable.make_error("The file is empty." if empty else "No query log was found.")
    samples = _choose_tables(samples, left_out)
    aligned = align_parts(samples, options, _inspect_sample, gathered=sources.gathered)
    aligned.left_out = left_out | aligned.left_out
    return aligned


def _is_copy(sample: SampledPart, other: SampledPart) -> bool:
    """Whether a part is another one again: every search would count twice.

    Donors' files are each of another person, and of databases a person names the table.
    """
    form = sample.guess.options.format
    donated = form in PRESETS and PRESETS[form].by_file
    is_exempt = donated or sample.part.compression in DATABASES
    if is_exempt or not sample.head or sample.head != other.head:
        return False
    files = (sample.part.path, other.part.path)
    plain = sample.part.compression == other.part.compression == "none"
    return sample.complete or (plain and filecmp.cmp(*files, shallow=False))


def _choose_tables(samples: list[SampledPart], left_out: dict[str, str]) -> list[SampledPart]:
    """The samples, of each database only the table that is a log.

    Raises `LogFormatError` where several may be: a copy of the log would count everybody twice.
    """
    logs = [item for item in samples if item.part.compression in DATABASES and item.guess.layout]
    for first, second in itertools.pairwise(logs):
        if first.part.path == second.part.path:
            names = ", ".join(str(item.part.member) for item in logs[:20])
            message = sentence("reader.several_tables_may_log", names=names)
            raise LogFormatError(message, path=first.part.path)
    files = {item.part.path for item in logs}
    other_tables = [item for item in samples if item.part.path in files and item not in logs]
    left_out |= {item.part.name: "it doesn't look like the query log" for item in other_tables}
    return [item for item in samples if item not in other_tables]


def _inspect_sample(sample: SampledPart, options: ReadOptions) -> DetectedFormat:
    if (form := sample.guess.options.format) in ("parquet", "arrow"):
        return _guess_columns(sample.part, options, form)
    return format_detection.detect_part_format(sample.part, sample.head, sample.complete, options)


def _guess_columns(part: SourcePart, options: ReadOptions, form: str) -> DetectedFormat:
    """The layout of a file of Parquet's or Arrow's columns."""
    from auditor.log.reading.columnar import guess_parquet, guess_table, open_arrow

    if form == "arrow":
        return guess_table(open_arrow(part, options), options, form)
    return guess_parquet(part, options)


def _sample_part(part: SourcePart, options: ReadOptions) -> SampledPart | None:
    """The beginning of a part and what it looks like; None if it is empty."""
    if part.size == 0 and part.compression == "none":
        return None
    with SourceStream(part, options, chunk=4096) as stream:
        head = stream.read(HEAD)
        complete = len(head) < HEAD
        consumed = stream.consumed
    if not head:
        return None
    check_unpacked(part, head)
    form = next((form for magic, form in _COLUMNAR if head.startswith(magic)), options.format)
    if form in ("parquet", "arrow") and part.compression not in TABLE_FILES:
        return SampledPart(part, b"", True, consumed, _guess_columns(part, options, form))
    guess = format_detection.detect_part_format(part, head, complete, options)
    return SampledPart(part, head, complete, consumed, guess)


def _estimated_rows(sample: SampledPart) -> int:
    if sample.guess.exact_rows is not None:
        return sample.guess.exact_rows
    if sample.complete:
        skipped = sample.guess.layout.skipped_lines if sample.guess.layout else 0
        return max(0, round(len(sample.head) / sample.guess.row_bytes) - skipped)
    growth = len(sample.head) / max(1, min(sample.consumed, sample.part.size))
    kind = sample.part.compression
    if kind == "none" or kind in DATABASES:
        growth = 1.0
    elif kind in TABLE_FILES:  # packed XML
        growth = SHEET_GROWTH
    return max(1, round(sample.part.size * growth / sample.guess.row_bytes))


def _estimated_memory(guess: DetectedFormat, rows: int) -> tuple[int, int]:
    """Bytes after the load and at its peak, from how fast distinct strings grow at first."""
    columns = guess.options.columns
    row = 22 + (4 if "ip" in columns else 0)
    memory, tables = 0, 0
    if guess.options.format in PRESETS:
        columns = {name: name for name in guess.names}
    for role, column in columns.items():
        wrong = isinstance(column, str) and column not in guess.names  # told among the problems
        if role not in ("user", "query", "url", "cookie") or wrong:
            continue
        place = guess.names.index(column) if isinstance(column, str) else column
        values = [cells[place] for cells in guess.rows if place < len(cells) and cells[place]]
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
