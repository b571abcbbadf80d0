"""What an output says of the auditor's strings, and what a release says of its method."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from auditor.arrays import Int32s, Int64s
from auditor.attacks.dp_audit.neighbouring_logs import Key, OutputObservation
from auditor.log.model import NONE, QueryLog
from auditor.privacy.release import Anonymized, Tables

STATISTICS = (
    "how many are shown",
    "what they count together",
    "how many count more than the crowd did",
)


class OutputReading:
    """What an output says of each string; O(size of the output) once."""

    def __init__(self, content: QueryLog | Tables) -> None:
        tables = content if isinstance(content, Tables) else _tables_of(content)
        queries, urls = tables.queries.list_strings(), tables.urls.list_strings()
        # Pages and queries are never the same string here, so one table serves all pairs.
        self._found: dict[Key, int] = dict(zip(queries, tables.query_count.tolist(), strict=True))
        self._found |= _map_pairs(
            queries, tables.click_query, urls, tables.click_url, tables.click_count
        )
        self._found |= _map_pairs(
            queries, tables.from_query, queries, tables.to_query, tables.transition_count
        )

    def compute_statistics(self, look: OutputObservation) -> tuple[float, float, float]:
        """The `STATISTICS` of a look's strings, those of the other side taken off."""
        mine, others = (
            self._count_side(look.mine, look.base),
            self._count_side(look.others, look.base),
        )
        return mine[0] - others[0], mine[1] - others[1], mine[2] - others[2]

    def _count_side(self, keys: tuple[Key, ...], base: int) -> tuple[float, float, float]:
        counts = [self._found[key] for key in keys if key in self._found]
        return float(len(counts)), float(sum(counts)), float(sum(c > base for c in counts))


def limits_of(params: Mapping[str, Any]) -> tuple[int, int, int, bool]:
    """(queries, clicks, τ, once) of a method by the names that its parameters have."""
    queries = int(params.get("q_f", params.get("m", 10)))
    once = params.get("mode") == "strict" or params.get("unit") not in ("rows", "events")
    tau = int(params.get("tau", 1)) if params.get("mode") != "strict" else 1
    return queries, int(params.get("c_f", queries)), tau, once


def days_of(params: Mapping[str, Any]) -> int | None:
    """How many days or weeks of each user's history a method counts; None where it has no limit."""
    whole = params.get("unit") == "history" and "days" in params
    return int(params["days"]) if whole else None


def words_of(release: Anonymized) -> int:
    """How many words the strings of a release may have, where they are runs of words; else 1."""
    runs = release.tables is not None and release.tables.ngrams
    return int(release.params.get("longest", 1)) if runs else 1


def has_tables(release: Anonymized) -> tuple[bool, bool]:
    """Whether clicks and transitions stand in the release."""
    if release.tables is not None:
        return release.tables.has_clicks, release.tables.has_transitions
    return True, False


def _map_pairs(
    first: Sequence[str], at: Int32s, second: Sequence[str], then: Int32s, count: Int64s
) -> dict[Key, int]:
    return {
        (first[i], second[j]): n
        for i, j, n in zip(at.tolist(), then.tolist(), count.tolist(), strict=True)
    }


def _tables_of(log: QueryLog) -> Tables:
    """How often each query and each click stands in a released log."""
    clicked = log.url != NONE
    width = max(len(log.urls), 1)
    keys, count = np.unique(
        log.query[clicked].astype(np.int64) * width + log.url[clicked], return_counts=True
    )
    query, url = np.divmod(keys, width)
    return Tables(
        queries=log.queries,
        query_count=np.bincount(log.query, minlength=len(log.queries)).astype(np.int64),
        urls=log.urls,
        click_query=query.astype(np.int32),
        click_url=url.astype(np.int32),
        click_count=count.astype(np.int64),
        has_clicks=True,
    )
