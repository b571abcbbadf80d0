"""The rows of a log as people write them."""

from __future__ import annotations

from auditor.log.model import QueryLog

Row = tuple[str, str, int, str | None, int]
"""User, query, seconds, clicked URL, rank."""


def rows_of(log: QueryLog) -> list[Row]:
    """Each row of a log, in its order."""
    return [
        (log.users[u], log.queries[q], int(t), log.urls[c] if c >= 0 else None, int(r))
        for u, q, t, c, r in zip(log.user, log.query, log.time, log.url, log.rank, strict=True)
    ]
