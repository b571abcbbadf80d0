"""What a released log says of whom: strings of one user under many ids, and borrowed searches.

A k-anonymous list gives k users the same strings, and with them the string that one of the group
alone asked: it stands there k times, readable, and whoever meets one of the k readers' names may
take it for theirs. Where ids are kept, the searches that a release attributes to people who never
made them can be counted. O(rows of both logs · log of a block's rows).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from auditor.arrays import Bools
from auditor.figures import MetricValue
from auditor.log import gil_friendly
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import NONE, QueryLog
from auditor.privacy.identity import kept_ids, rows_of
from auditor.privacy.release import Anonymized
from auditor.progress import Progress

catalogue = MetricCatalogue("attacks", "surviving_content")

_ROWS = 1 << 19


@dataclass(frozen=True)
class RepeatedStrings:
    """Strings of one user of the raw log, and under how many ids each stands in the release."""

    strings: int
    repeated: int
    most: int
    mean: float


@dataclass(frozen=True)
class BorrowedSearches:
    """Released searches of the raw log's queries, under the id of somebody who never asked them.

    `searches` of `whole` released ones, under `users` ids.
    """

    searches: int
    whole: int
    users: int


def count_repeated(
    log: QueryLog, released: QueryLog, single: Bools, progress: Progress
) -> RepeatedStrings:
    """Count the ids that each string of one user stands under; `single` is of the log's queries."""
    place = log.queries.take(np.flatnonzero(single)).match(released.queries)
    place = place[place != NONE]
    wanted = np.zeros(len(released.queries), dtype=np.bool_)
    wanted[place] = True
    ids = np.zeros(len(released.queries), dtype=np.int64)
    for first, last in progress.whole_blocks(
        "counting whose strings are whose", released.user_starts, _ROWS
    ):
        rows = slice(int(released.user_starts[first]), int(released.user_starts[last]))
        some = wanted[released.query[rows]]
        user = released.user[rows][some].astype(np.int64)
        pairs = gil_friendly.sorted_distinct((user << 32) | released.query[rows][some])
        gil_friendly.count_into(pairs & 0xFFFFFFFF, ids)
    found = ids[wanted]
    return RepeatedStrings(
        strings=len(found),
        repeated=int(np.count_nonzero(found > 1)),
        most=int(found.max(initial=0)),
        mean=float(found.mean()) if len(found) else 0.0,
    )


def count_borrowed(
    log: QueryLog, release: Anonymized, progress: Progress
) -> BorrowedSearches | None:
    """Count searches under ids of others, or None where ids were changed."""
    released = release.log
    who = kept_ids(log, release, progress)
    if released is None or who is None:
        return None
    query = released.queries.match(log.queries).astype(np.int64)
    owner = np.flatnonzero(who != NONE)
    searches, users = 0, 0
    for first, last in progress.whole_blocks(
        "looking for borrowed searches", log.user_starts, _ROWS
    ):
        here = owner[slice(*np.searchsorted(owner, [first, last]))]
        mine, theirs = rows_of(log, here), rows_of(released, who[here])
        begins = released.event_starts[theirs[0]]
        asked = query[released.query[theirs[0][begins]]]
        known = (mine[1] << 32) | log.query[mine[0]]
        # What nobody issued, such as a hashed string, is nobody else's search.
        strange = (asked != NONE) & ~gil_friendly.is_among((theirs[1][begins] << 32) | asked, known)
        searches += int(strange.sum())
        users += len(gil_friendly.sorted_distinct(theirs[1][begins][strange]))
    return BorrowedSearches(searches, int(released.event_starts.sum()), users)


def build_metrics(
    log: QueryLog, release: Anonymized, single: Bools, progress: Progress
) -> Iterator[MetricValue]:
    """What a released log adds to the attack's figures; nothing for tables."""
    if release.log is None:
        return
    yield from told_of_repeated(count_repeated(log, release.log, single, progress))
    strange = count_borrowed(log, release, progress)
    if strange is not None:
        yield from told_of_borrowed(strange)


def told_of_repeated(found: RepeatedStrings) -> Iterator[MetricValue]:
    """Strings of one user under several ids, as values."""
    yield catalogue("single_user_strings_repeated", found.repeated)
    if found.strings:
        yield catalogue("single_user_string_ids", found.mean)


def told_of_borrowed(strange: BorrowedSearches) -> Iterator[MetricValue]:
    """Searches under ids of others, as values."""
    yield catalogue("borrowed_searches", strange.searches)
    yield catalogue("borrowed_share", strange.searches / strange.whole if strange.whole else 0.0)
    yield catalogue("borrowing_users", strange.users)
