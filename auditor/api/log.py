"""Logs from Python: from files, and from any table that speaks Arrow."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from auditor.errors import ParameterError
from auditor.figures import Figure, MetricValue, ResultCard
from auditor.log.columns import ColumnExposure, list_exposures
from auditor.log.equal_histories import doubt_users
from auditor.log.keystrokes import describe_unfinished
from auditor.log.model import QueryLog
from auditor.log.reading.column_mapping import ReadOptions
from auditor.log.reading.reader import Paths
from auditor.log.reading.reader import read_log as read_files
from auditor.log.user_column import UserColumn
from auditor.progress import Progress, silent_progress

if TYPE_CHECKING:
    from collections.abc import Sequence

    from auditor.attacks.base import AttackResult
    from auditor.log.out_of_core.working_files import WorkingFiles


def read_log(
    paths: Paths | Any,
    options: ReadOptions | None = None,
    *,
    format: str | None = None,
    progress: Progress | None = None,
    spill: WorkingFiles | None = None,
    **columns: str | int,
) -> QueryLog:
    """Read a log of one file, several, or a folder.

    Parameters
    ----------
    paths
        A file, several, or a folder of them; or a table, as `from_arrow` takes it.
    options
        Everything that can be said of how it is read.
    format
        aol, delimited, jsonl, ubi, …; recognised if it isn't given.
    progress
        Hears of the work and may cancel it; see `show_progress`.
    spill
        Where columns stand that memory doesn't hold; None keeps all of them in memory.
    **columns
        Which column is the user, query, time, url, rank, ip or cookie: a name, or a place from 0.
        Columns under other names are kept beside the log: `check` says what they give away.

    Returns
    -------
    QueryLog
        All rows by user and time; `check` says what should be known of it.

    Raises
    ------
    UserColumnUnnamed
        If neither the format, nor a header, nor `columns` says who the users are; its
        `candidates` are the columns that may be meant.
    LogFormatError
        If a file can't be read, nobody can tell its columns, or too many rows are bad.
    """
    if hasattr(paths, "__arrow_c_stream__"):
        return from_arrow(paths, options, progress=progress, **columns)
    return read_files(
        paths, _merge_options(options, format, columns), progress=progress, spill=spill
    )


def load_sample() -> QueryLog:
    """The log that comes with the program: made-up people and real words.

    Returns
    -------
    QueryLog
        `read_log` of its file.
    """
    from auditor.log.gazetteers import sample_log

    return read_log(sample_log())


def from_arrow(
    table: Any,
    options: ReadOptions | None = None,
    *,
    progress: Progress | None = None,
    **columns: str | int,
) -> QueryLog:
    """The log in any table with `__arrow_c_stream__`.

    Parameters
    ----------
    table
        Of pyarrow, polars, pandas (without its index), DuckDB and others.
    options, progress, **columns
        As those of `read_log`.

    Returns
    -------
    QueryLog
        As of `read_log`, which raises the same errors.
    """
    from auditor.log.reading.reader import read_frame

    return read_frame(table, _merge_options(options, None, columns), progress)


from_pandas = from_polars = from_duckdb = from_arrow
"""The same under the names under which people look for it."""


def _merge_options(
    options: ReadOptions | None, format: str | None, columns: dict[str, str | int]
) -> ReadOptions:
    options = options or ReadOptions()
    if columns:
        if options.columns:
            raise ParameterError(
                "columns", "Name the columns in `options` or one by one, not both."
            )
        options = dataclasses.replace(options, columns=columns)
    return options if format is None else dataclasses.replace(options, format=format)


@dataclass(frozen=True, eq=False)
class LogCheck(ResultCard):
    """What should be known of a log before it is anonymized.

    Attributes
    ----------
    user_column
        Whom a guarantee will protect, and who chose that; None for a log made in a program.
    doubts
        What speaks against a user being a person.
    rejected
        Rows that weren't read, by reason.
    assumptions
        What the reader assumed, and whether unfinished searches are counted.
    users, rows, largest_share
        How many there are, and the share of all rows that the largest user has.
    exposures
        Users whom the columns kept beside the log give away.
    content
        Sensitive content by kind, and the users whom a session puts at risk, as the attack
        surviving content finds them in the log as it is; None where it wasn't looked for.
    """

    user_column: UserColumn | None
    doubts: tuple[str, ...]
    rejected: dict[str, int]
    assumptions: tuple[str, ...]
    users: int
    rows: int
    largest_share: float
    exposures: tuple[ColumnExposure, ...] = ()
    content: AttackResult | None = None

    @property
    def values(self) -> tuple[MetricValue, ...]:
        """Rows, users, the largest user's share, and what was found of sensitive content."""
        counts = (
            MetricValue("rows", "rows", self.rows),
            MetricValue("users", "users", self.users),
            MetricValue("largest_share", "rows of the largest user: share", self.largest_share),
            *(
                MetricValue(f"rejected.{reason}", f"rejected rows: {reason}", count)
                for reason, count in self.rejected.items()
            ),
        )
        return counts + (self.content.values if self.content is not None else ())

    @property
    def figures(self) -> tuple[Figure, ...]:
        """Plots of the sensitive content."""
        return self.content.figures if self.content is not None else ()

    def card_title(self) -> str:
        """What the card is headed with."""
        return "Check of the log"

    def card_lines(self) -> Sequence[str]:
        """Whom it protects, what speaks against that, and what the reader assumed."""
        column = self.user_column.text if self.user_column is not None else "Nobody named them."
        exposed = (exposure.text for exposure in self.exposures)
        return (column, *self.doubts, *exposed, *self.assumptions)

    @property
    def fine(self) -> bool:
        """Whether the user column is known and nothing speaks against it."""
        return self.user_column is not None and not self.doubts


def check(log: QueryLog, *, content: bool = True, progress: Progress | None = None) -> LogCheck:
    """Whom a log protects, what speaks against it, what was left out, and what it gives away.

    O(rows log rows).

    Parameters
    ----------
    log
        The log.
    content
        Whether sensitive content is looked for in every distinct query as well: seconds for a
        million of them.
    progress
        As that of `read_log`.

    Returns
    -------
    LogCheck
        A card in a notebook; `fine` says whether nothing speaks against its users.
    """
    import numpy as np

    from auditor.engine.log_overview import find_content

    progress = progress or silent_progress()
    column, unfinished = doubt_users(log, progress), describe_unfinished(log)
    sizes = np.diff(log.user_starts)
    doubts = list(column.doubts) if column is not None else []
    largest = float(sizes.max() / len(log)) if len(log) else 0.0
    if len(log.users) > 1 and largest > 0.5:
        doubts.append("one user has more than half of all rows: a machine, or a default value")
    return LogCheck(
        user_column=column,
        doubts=tuple(doubts),
        rejected=dict(log.origin.rejected),
        assumptions=(*log.origin.assumptions, *([unfinished] if unfinished else ())),
        users=len(log.users),
        rows=len(log),
        largest_share=largest,
        exposures=list_exposures(log),
        content=find_content(log, progress) if content else None,
    )
