"""How often a log has each query, click and transition, and which query of a release is which.

What every measure starts from, done once for each row or distinct string and in blocks, so that
a cancel is heard in between. As the three tables of a release, queries are counted by searches and
clicks by rows. A transition is a query followed by the next *other* query of the same user; rows of
one query in a row (several clicks, next pages) are one event. Nothing is limited, dropped or
noised. O(rows · log rows), by sorting keys.
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


def tables_of(release: Anonymized, pause: int | None, progress: Progress) -> Tables:
    """The tables of a release, made of its log where it is one."""
    if release.tables is not None:
        return release.tables
    assert release.log is not None
    return tabulate_log(release.log, pause, progress)


def tabulate_log(log: QueryLog, pause: int | None, progress: Progress) -> Tables:
    """The three tables of a log, in the log's own codes.

    `pause` is the longest time in seconds between two queries of a transition; None for any.
    """
    progress.stage("counting clicks and transitions")
    clicked = np.flatnonzero(log.url != NONE)
    query, url = np.take(log.query, clicked), np.take(log.url, clicked)
    query, url, clicks = count_pairs(query, url, len(log.urls), progress)
    before, after, steps = count_transitions(log, pause, progress)
    return Tables(
        queries=log.queries,
        query_count=query_counts(log, "events", progress),
        urls=log.urls,
        click_query=query,
        click_url=url,
        click_count=clicks,
        from_query=before,
        to_query=after,
        transition_count=steps,
        has_clicks=True,
        has_transitions=True,
    )


def count_transitions(
    log: QueryLog, pause: int | None, progress: Progress
) -> tuple[Int32s, Int32s, Int64s]:
    """Each pair of queries that follow each other in a history, and how often."""
    follows = (log.user[1:] == log.user[:-1]) & (log.query[1:] != log.query[:-1])
    if pause is not None:
        follows &= np.diff(log.time) <= pause
    rows = np.flatnonzero(follows)
    progress.check()
    before, after = np.take(log.query, rows), np.take(log.query, rows + 1)
    return count_pairs(before, after, len(log.queries), progress)


def count_pairs(
    first: Int32s, second: Int32s, width: int, progress: Progress
) -> tuple[Int32s, Int32s, Int64s]:
    """Distinct pairs, ascending, and how often each occurs; `second` is below `width`."""
    keys = first.astype(np.int64) * max(width, 1) + second
    pairs, times = run_cancellable(lambda: np.unique(keys, return_counts=True), progress)
    source, target = np.divmod(pairs, max(width, 1))
    return source.astype(np.int32), target.astype(np.int32), times.astype(np.int64)
