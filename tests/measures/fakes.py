"""Small logs and releases of them, made by hand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from auditor.arrays import Int32s, Int64s
from auditor.log.model import QueryLog, Vocabulary
from auditor.privacy.release import Preview, Tables
from auditor.privacy.statement import Statement

NONE = Statement(model="none", claim="nothing", unit="nobody")


def log_of(rows: Sequence[tuple[str, str, int, str | None]]) -> QueryLog:
    """Rows of (user, query, time, url)."""
    user, query, time, url = zip(*rows, strict=True) if rows else ((), (), (), ())
    return QueryLog.from_columns(user=user, query=query, time=time, url=url)


def release_of(content: QueryLog | Tables, **params: Any) -> Preview:
    return Preview(method="by hand", params=params, content=content, statement=NONE, changes={})


def tables_of(
    queries: dict[str, int],
    clicks: dict[tuple[str, str], int] | None = None,
    transitions: dict[tuple[str, str], int] | None = None,
) -> Tables:
    """Tables from plain counts; None means that the method releases no such table."""
    names = list(queries)
    pages = sorted({page for _, page in clicks or {}})
    return Tables(
        queries=Vocabulary.of(names),
        query_count=_counts(queries.values()),
        urls=Vocabulary.of(pages),
        click_query=_codes(names.index(query) for query, _ in clicks or {}),
        click_url=_codes(pages.index(page) for _, page in clicks or {}),
        click_count=_counts((clicks or {}).values()),
        from_query=_codes(names.index(query) for query, _ in transitions or {}),
        to_query=_codes(names.index(query) for _, query in transitions or {}),
        transition_count=_counts((transitions or {}).values()),
        has_clicks=clicks is not None,
        has_transitions=transitions is not None,
    )


def _counts(values: Iterable[int]) -> Int64s:
    return np.array(list(values), dtype=np.int64)


def _codes(values: Iterable[int]) -> Int32s:
    return np.array(list(values), dtype=np.int32)
