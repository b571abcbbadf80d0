"""Tables in memory as query logs: pandas, Arrow, polars, DuckDB, through Arrow's stream interface.

Rows go the way that a Parquet file's go: the same are refused for the same reasons.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from auditor.errors import LogFormatError, ParameterError
from auditor.log.model import LogOrigin, QueryLog
from auditor.log.reading import uncompiled
from auditor.log.reading.column_mapping import ColumnLayout, ReadOptions
from auditor.log.reading.parquet import guess_table
from auditor.log.reading.pipeline import LogLoader, ParseTask
from auditor.log.reading.reader import (
    BAD_TIMES,
    check_date_order,
    complete_origin,
    finish_log,
    parser_threads,
)
from auditor.log.reading.sources import SourcePart
from auditor.log.reading.structured import BATCH, batch_block
from auditor.log.reading.user_candidates import UserColumnUnnamed
from auditor.messages import join_phrases, phrase
from auditor.progress import Progress, silent_progress

if TYPE_CHECKING:
    import pyarrow as pa


def read_frame(
    frame: Any, options: ReadOptions | None = None, progress: Progress | None = None
) -> QueryLog:
    """The log in a table that has `__arrow_c_stream__`; O(rows), the table is held meanwhile.

    Raises
    ------
    UserColumnUnnamed
        If neither `options` nor a column's name says who the users are.
    LogFormatError
        If query or time can't be told, or too many rows are bad.
    """
    options, progress = options or ReadOptions(), progress or silent_progress()
    table = as_table(frame)
    part = SourcePart(Path("table"), "none", table.nbytes)
    try:
        table.validate(full=True)  # wrong offsets of strings would end the process
    except ValueError:
        raise LogFormatError("The table is damaged: its columns contradict themselves.") from None
    guess = guess_table(table, options)
    if guess.layout is None:
        if guess.candidates:
            raise UserColumnUnnamed(join_phrases(" ", guess.problems), guess.candidates)
        raise LogFormatError(join_phrases(" ", guess.problems), columns=True)
    layout = guess.layout
    rows = table.num_rows
    compiled = rows > uncompiled.ROWS or uncompiled.are_loops_compiled()
    roles = layout.columns
    with LogLoader(roles, guess.options, parser_threads(), rows, compiled=compiled) as loader:
        progress.stage("reading", table.num_rows)
        loader.run(_iterate_tasks(table, part, layout), progress)
        if guess.other_time and loader.rejected.get(BAD_TIMES):
            swapped = dataclasses.replace(options, time_format=guess.other_time)
            return read_frame(table, swapped, progress)
        origin = complete_origin(
            LogOrigin(format="table", assumptions=tuple(guess.assumptions), user_column=guess.user),
            loader.rows_read,
            loader.rejected,
            loader.rejects,
            options,
            part.name,
        )
        log = loader.build_log(origin, progress)
        if guess.other_time:
            check_date_order(log, guess.options.time_format, part.name)
        return finish_log(log, options, part.name)


def as_table(frame: Any) -> pa.Table:
    """Any table with Arrow's stream interface as an Arrow table; columns aren't copied."""
    import pyarrow as pa

    if not hasattr(frame, "__arrow_c_stream__"):
        raise ParameterError(
            "frame",
            phrase(
                "A table with Arrow's stream interface is needed (pandas, Arrow, polars, "
                "DuckDB), not {name}.",
                name=type(frame).__name__,
            ),
        )
    try:
        return pa.RecordBatchReader.from_stream(frame).read_all()
    except (pa.ArrowException, TypeError, ValueError) as error:
        raise LogFormatError(
            phrase(
                "The table can't be handed over through Arrow ({name}). A column of mixed "
                "types is the usual reason: make it text.",
                name=type(error).__name__,
            )
        ) from None


def _iterate_tasks(table: pa.Table, part: SourcePart, layout: ColumnLayout) -> Iterator[ParseTask]:
    names = sorted({str(name) for name in layout.columns.values()})
    done = 0
    # Text is numbered once for the whole table, not for each batch of it.
    for batch in table.select(names).to_batches(max_chunksize=BATCH):
        first = done == 0
        done += len(batch)
        yield ParseTask(part, layout, partial(batch_block, part, layout, batch), done, first)
