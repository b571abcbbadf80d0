"""What a released log says of whom: strings of one user under many ids, and borrowed searches.

A k-anonymous list gives k users the same strings, and with them the string that one of the group
alone asked: it stands there k times, readable, and whoever meets one of the k readers' names may
take it for theirs. Where ids are kept, the searches that a release attributes to people who never
made them can be counted. O(rows of both logs · log of a block's rows).
"""

from collections.abc import Iterator

import numpy as np

from auditor.arrays import Bools, Int32s, Int64s
from auditor.figures import MetricValue
from auditor.log import gil_friendly
from auditor.log.columns import count_query_users
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import NONE, QueryLog
from auditor.privacy.identity import kept_ids, rows_of
from auditor.privacy.release import Anonymized
from auditor.progress import Progress

catalogue = MetricCatalogue("attacks", "surviving_content")

_ROWS = 1 << 19


def build_metrics(
    log: QueryLog, release: Anonymized, single: Bools, progress: Progress
) -> Iterator[MetricValue]:
    """What a released log adds to the attack's figures; nothing for tables.

    `single` says which of the log's queries one user alone issued.
    """
    if release.log is None:
        return
    ids = _count_ids(log, release.log, single, progress)
    yield catalogue("single_user_strings_repeated", int(np.count_nonzero(ids > 1)))
    if len(ids):
        yield catalogue("single_user_string_ids", float(ids.mean()))
    owner_of_record = kept_ids(log, release, progress)
    if owner_of_record is not None:
        searches, users = _count_borrowed(log, release.log, owner_of_record, progress)
        total = int(release.log.event_starts.sum())
        yield catalogue("borrowed_searches", searches)
        yield catalogue("borrowed_share", searches / total if total else 0.0)
        yield catalogue("borrowing_users", users)


def _count_ids(log: QueryLog, released: QueryLog, single: Bools, progress: Progress) -> Int64s:
    """The ids that each of the `single` strings stands under, of those that are released."""
    place = log.queries.take(np.flatnonzero(single)).match(released.queries)
    is_single = np.zeros(len(released.queries), dtype=np.bool_)
    is_single[place[place != NONE]] = True
    return count_query_users(released, progress)[is_single]


def _count_borrowed(
    log: QueryLog, released: QueryLog, owner_of_record: Int32s, progress: Progress
) -> tuple[int, int]:
    """Released searches of the log's queries under ids of others, and how many ids these are."""
    query = released.queries.match(log.queries).astype(np.int64)
    owner = np.flatnonzero(owner_of_record != NONE)
    searches, users = 0, 0
    for first, last in progress.whole_blocks(
        "looking for borrowed searches", log.user_starts, _ROWS
    ):
        block = owner[slice(*np.searchsorted(owner, [first, last]))]
        log_rows, released_rows = rows_of(log, block), rows_of(released, owner_of_record[block])
        begins = released.event_starts[released_rows[0]]
        issued_codes = query[released.query[released_rows[0][begins]]]
        pairs = (released_rows[1][begins] << 32) | issued_codes
        # What nobody issued, such as a hashed string, is nobody else's search.
        is_own = gil_friendly.is_among(pairs, (log_rows[1] << 32) | log.query[log_rows[0]])
        strange = (issued_codes != NONE) & ~is_own
        searches += int(strange.sum())
        users += len(gil_friendly.sorted_distinct(released_rows[1][begins][strange]))
    return searches, users
