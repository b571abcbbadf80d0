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
_FEW = 30
_SURE = 3.0

_KEPT = ("keep", "kept")
_CHANGED = ("random", "hashed", "drop", "dropped")


def says_ids_kept(release: Anonymized) -> bool | None:
    """Whether ids are those of the log, by the method's public parameters; None where none says."""
    said = {release.params.get(name) for name in ("ids", "users") if name in release.params}
    if said.intersection(_CHANGED):
        return False
    return True if said.intersection(_KEPT) else None


def kept_ids(log: QueryLog, release: Anonymized, progress: Progress) -> Int32s | None:
    """For each user of the log its code in the release, or −1; None where ids were changed.

    The method's public parameters decide if they say what became of the ids; else the strings
    do, or the rows. O(users + rows of 2,000 users). Shape (log's users,).
    """
    released = release.log
    if released is None or not len(released) or not len(log):
        return None
    said = says_ids_kept(release)
    if said is False or (said is None and release.truth is not None):
        return None
    place = log.users.match(released.users)
    found = np.flatnonzero(place != NONE)
    if said:
        return place
    progress.check()
    if len(found) < 0.9 * len(released.users):
        return None
    numbers = [str(number + 1) for number in range(len(released.users))]  # any method may give out
    if (released.users.find(numbers) == NONE).any() or _same_people(log, released, found, place):
        return place
    return None


def _same_people(log: QueryLog, released: QueryLog, found: Int64s, place: Int32s) -> bool:
    """Whether ids point at their own rows rather than at a neighbour's."""
    size = min(len(found), LOOKED_AT)
    users = found[np.linspace(0, len(found) - 1, size).astype(np.int64)]
    query = released.queries.match(log.queries)
    mine = _own_share(log, released, users, place[users], query)
    other = _own_share(log, released, np.roll(users, 1), place[users], query)
    gain = mine - other
    if size < _FEW:
        return bool(gain.mean() > 0) or bool(size == 1 and mine.mean() > 0)
    error = float(gain.std()) / math.sqrt(size)
    return float(gain.mean()) > _SURE * error


def _own_share(
    log: QueryLog, released: QueryLog, users: Int64s, records: Int32s, query: Int32s
) -> Float64s:
    """The share of each record's rows whose query or time is the user's; shape (users,)."""
    here, there = rows_of(log, users), rows_of(released, records)
    share = np.zeros(len(there[0]), dtype=np.bool_)
    for own, their in (
        (log.query[here[0]], query[released.query[there[0]]]),
        (log.time[here[0]], released.time[there[0]]),
    ):
        low = min(int(own.min(initial=NONE)), int(their.min(initial=NONE)))
        known = (here[1] << 40) + (own.astype(np.int64) - low)
        share |= is_among((there[1] << 40) + (their.astype(np.int64) - low), known)
    total = np.bincount(there[1], share, minlength=len(users))
    part: Float64s = total / np.maximum(np.bincount(there[1], minlength=len(users)), 1)
    return part


def rows_of(log: QueryLog, users: Integers) -> tuple[Int64s, Int64s]:
    """All rows of some users, and the place of each row's user in `users`."""
    starts = log.user_starts
    first, size = starts[users], starts[np.asarray(users) + 1] - starts[users]
    return expand_ranges(first, size), np.repeat(np.arange(len(users), dtype=np.int64), size)
