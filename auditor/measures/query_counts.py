"""How often a log has each query, and which query of a release is which of the log's.

What every measure starts from, done once for each row or distinct string and in blocks, so that
a cancel is heard in between.
"""

from typing import Literal

import numpy as np

from auditor.arrays import Int32s, Int64s
from auditor.log import gil_friendly
from auditor.log.columns import count_query_users
from auditor.log.model import NONE, QueryLog, Vocabulary
from auditor.privacy.release import Anonymized, Tables
from auditor.progress import Progress, run_cancellable

Unit = Literal["rows", "events", "users"]

UNITS: dict[Unit, str] = {
    "rows": "rows (a query with n clicks is n)",
    "events": "searches (distinct user, query and time)",
    "users": "distinct users",
}

_ROWS = 1 << 22  # tens of ms


def released_counts(release: Anonymized, unit: Unit, progress: Progress) -> Int64s:
    """What a reader takes for the frequency of each released query; shape (queries,).

    The printed counts of tables, and of a log how often each query stands in it.
    """
    content = release.local_content
    if isinstance(content, Tables):
        return content.query_count
    return query_counts(content, unit, progress)


def unit_of(release: Anonymized) -> Unit:
    """What the release's counts count, from its public parameters; events if it doesn't say."""
    unit = release.params.get("counting_unit")
    for name in UNITS:
        if unit == name:
            return name
    return "events"


def query_counts(log: QueryLog, unit: Unit, progress: Progress) -> Int64s:
    """How many rows, events or users each query of a log has, none a blank one; shape (queries,).

    O(rows + queries · blocks of 8 million rows); for ``users`` a sort of blocks of whole users.
    """
    if unit == "users":
        return _without_blank(log, count_query_users(log, progress))
    counts = np.zeros(len(log.queries), dtype=np.int64)
    begins = log.event_starts if unit == "events" else None
    for first, last in progress.blocks("counting queries", len(log), 2 * _ROWS):
        queries = log.query[first:last]
        if begins is not None:
            queries = gil_friendly.select_where(queries, begins[first:last])
        gil_friendly.count_into(queries, counts)
    return _without_blank(log, counts)


def _without_blank(log: QueryLog, counts: Int64s) -> Int64s:
    counts[log.queries.find_blank()] = 0
    return counts


def released_codes(log: QueryLog, release: Anonymized, progress: Progress) -> Int32s:
    """For each query of the log its code in the release, or −1; shape (log's queries,).

    A blank query is a missing value, in no release.
    """
    released = release.local_content.queries
    codes = match_vocabulary(log.queries, released, "looking for queries", progress).copy()
    codes[log.queries.find_blank()] = NONE
    return codes


def match_vocabulary(
    strings: Vocabulary, among: Vocabulary, stage: str, progress: Progress
) -> Int32s:
    """`Vocabulary.match` that lets go at once when cancelled."""
    if not len(strings) or not len(among):
        return np.full(len(strings), NONE, dtype=np.int32)
    progress.stage(stage)
    return run_cancellable(lambda: strings.match(among), progress)
