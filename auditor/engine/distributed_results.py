"""What is known of a log and of a release that no single memory holds."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from auditor.engine.run import Run
from auditor.log.model import LogOrigin

if TYPE_CHECKING:
    import pyarrow as pa

Formatter = Callable[["pa.Table"], bytes]
"""Turns rows of a sheet into the lines of its file; runs wherever the rows are."""


@dataclass(frozen=True, eq=False)
class DistributedLog:
    """Figures of a log that was read in splits.

    `query_count` and `url_count` are None where nobody counted. `digest` is a SHA-256 over the
    digests of the splits' contents, in order: equal files cut alike give equal ones.
    """

    digest: str
    origin: LogOrigin
    rows: int
    user_count: int
    clicks: int
    period: tuple[int, int] | None = None
    query_count: int | None = None
    url_count: int | None = None

    def __len__(self) -> int:
        return self.rows

    @property
    def users(self) -> range:
        """As many places as there are users."""
        return range(self.user_count)

    @property
    def queries(self) -> range:
        """As many places as there are distinct queries, as far as they were counted."""
        return range(self.query_count or 0)


@dataclass(frozen=True)
class DistributedTable:
    """One file of a release: its name, its heading if it has one, and how many rows follow."""

    file: str
    heading: tuple[str, ...]
    rows: int
    escaped: bool = False  # of a log, whether its texts stand as those of tables do
    attributes: tuple[str, ...] = ()  # columns that it has beside a log's own


@dataclass(frozen=True, eq=False)
class DistributedRun:
    """A finished run: its result, the log's figures, and the release's files still in pieces."""

    result: Run
    log: DistributedLog
    sheets: tuple[DistributedTable, ...]
    users: int  # who issued a query that is not blank
    units: int | None = None  # of protection in the log; None where nobody counted
