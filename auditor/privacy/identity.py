"""Whether the users of a release go by the ids that they have in the raw log.

Strings that only the raw log has made say so. Numbers from 1 don't, since a method may have given
them out at random: there the rows decide, for a release that keeps ids holds, under an id, more
of what that very user did than of what another one did.
"""

from __future__ import annotations

import math

import numpy as np

from auditor.arrays import Float64s, Int32s, Int64s, Integers, expand_ranges
from auditor.log.gil_friendly import is_among
from auditor.log.model import NONE, QueryLog
from auditor.privacy.release import Anonymized
from auditor.progress import Progress

LOOKED_AT = 2_000
"""Users whose rows are compared, at most."""
FEW = 30
"""Users below which rows may be alike by accident."""
_SURE = 3.0

_UNCHANGED = ("keep", "kept")
_CHANGED = ("random", "hashed", "drop", "dropped")


def says_ids_kept(release: Anonymized) -> bool | None:
    """Whether ids are those of the log, by the method's public parameters; None where none says."""
    values = [release.params.get(name) for name in ("ids", "users")]
    if any(value in _CHANGED for value in values):
        return False
    return True if any(value in _UNCHANGED for value in values) else None


def kept_ids(log: QueryLog, release: Anonymized, progress: Progress) -> Int32s | None:
    """For each user of the log its code in the release, or −1; None where ids were changed.

    The method's public parameters decide if they say what became of the ids; else the strings
    do, or the rows. O(users + rows of 2,000 users). Shape (log's users,).
    """
    released = release.log
    if released is None or not len(released) or not len(log):
        return None
    keeps_ids = says_ids_kept(release)
    if keeps_ids is False or (keeps_ids is None and release.truth is not None):
        return None
    place = log.users.match(released.users)
    common = np.flatnonzero(place != NONE)
    if keeps_ids:
        return place
    progress.check()
    if len(common) < 0.9 * len(released.users):
        return None
    numbers = [str(number + 1) for number in range(len(released.users))]  # any method may give out
    if (released.users.find(numbers) == NONE).any() or are_same_people(
        log, released, common, place
    ):
        return place
    return None


def are_same_people(log: QueryLog, released: QueryLog, common: Int64s, place: Int32s) -> bool:
    """Whether ids point at their own rows rather than at a neighbour's."""
    size = min(len(common), LOOKED_AT)
    users = common[np.linspace(0, len(common) - 1, size).astype(np.int64)]
    query = released.queries.match(log.queries)
    own_share = _own_share(log, released, users, place[users], query)
    other = _own_share(log, released, np.roll(users, 1), place[users], query)
    gain = own_share - other
    if size < FEW:
        return bool(gain.mean() > 0) or bool(size == 1 and own_share.mean() > 0)
    error = float(gain.std()) / math.sqrt(size)
    return float(gain.mean()) > _SURE * error


def _own_share(
    log: QueryLog, released: QueryLog, users: Int64s, records: Int32s, query: Int32s
) -> Float64s:
    """The share of each record's rows whose query or time is the user's; shape (users,)."""
    raw, public = rows_of(log, users), rows_of(released, records)
    share = np.zeros(len(public[0]), dtype=np.bool_)
    for user_values, record_values in (
        (log.query[raw[0]], query[released.query[public[0]]]),
        (log.time[raw[0]], released.time[public[0]]),
    ):
        low = min(int(user_values.min(initial=NONE)), int(record_values.min(initial=NONE)))
        keys = (raw[1] << 40) + (user_values.astype(np.int64) - low)
        share |= is_among((public[1] << 40) + (record_values.astype(np.int64) - low), keys)
    total = np.bincount(public[1], share, minlength=len(users))
    part: Float64s = total / np.maximum(np.bincount(public[1], minlength=len(users)), 1)
    return part


def rows_of(log: QueryLog, users: Integers) -> tuple[Int64s, Int64s]:
    """All rows of some users, and the place of each row's user in `users`."""
    starts = log.user_starts
    first, size = starts[users], starts[np.asarray(users) + 1] - starts[users]
    return expand_ranges(first, size), np.repeat(np.arange(len(users), dtype=np.int64), size)
