"""A log as the three tables that a release of tables has, so that both can be used alike.

Queries are counted by searches, clicks by rows. A transition is a query followed by the next
*other* query of the same user; rows of one query in a row (several clicks, next pages) are one
event. Nothing is limited, dropped or noised. O(rows · log rows), by sorting keys.
"""

import numpy as np

from auditor.arrays import Int32s, Int64s
from auditor.log.model import NONE, QueryLog
from auditor.measures.query_counts import query_counts
from auditor.privacy.release import Anonymized, Tables
from auditor.progress import Progress, run_cancellable


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
