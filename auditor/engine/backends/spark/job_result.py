"""What a job on Spark hands back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from auditor.engine.distributed_results import DistributedLog
from auditor.privacy.statement import Statement

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

SHEETS = {
    "queries": ("query", "count"),
    "clicks": ("query", "url", "count"),
    "transitions": ("from", "to", "count"),
}


@dataclass(frozen=True, eq=False)
class SparkJobResult:
    """What a job made: released rows by file, how many they are, and what is said of them.

    Tables have columns a, b, n; a log has its rows in the order of the release, under the heading
    that `headings` has.
    """

    tables: dict[str, DataFrame]
    rows: dict[str, int]
    statement: Statement
    changes: dict[str, int]
    log: DistributedLog
    query_count: int
    headings: dict[str, tuple[str, ...]] = field(default_factory=lambda: dict(SHEETS))
