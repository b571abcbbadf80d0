"""Whether the users of a release go by the ids that they have in the raw log.

The method's public parameters decide if they say what became of the ids. Else strings that only the
raw log has made say so. Numbers don't where few users have them, or where most numbers up to the
largest are ids of the log, since a method may have given them out at random: there the rows of
`FEW` users must say so, too, for a release that keeps ids holds, under an id, more of what that
very user did than of what another one did.

In a release made elsewhere none of this counts where too many records hold what another user alone
did, each of another one: then ids were exchanged, and whose a record is follows from its rows.
Where neither queries nor times of a release are the log's, nothing tells exchanged ids from kept
ones.
"""

import math

import numpy as np

from auditor.arrays import Float64s, Int32s, Int64s, Integers, expand_ranges, find_sorted
from auditor.log.gil_friendly import is_among, sorted_distinct
from auditor.log.model import NONE, QueryLog
from auditor.privacy.release import UNKNOWN, Anonymized
from auditor.progress import Progress

LOOKED_AT = 2_000
"""Users whose rows are compared, at most."""
FEW = 30
"""Users below which numbers and rows may be alike by accident."""
_SURE = 3.0
_EXCHANGED = {1: 0.5, 2: 0.1}
"""Share of another user's records, among those with at least so many queries or seconds of one user
alone, above which ids were exchanged."""

_UNCHANGED = ("keep", "kept")
_CHANGED = ("random", "hashed", "drop", "dropped")


def says_ids_kept(release: Anonymized) -> bool | None:
    """Whether ids are those of the log, by the method's public parameters; None where none says."""
    values = [release.params.get(name) for name in ("ids", "users")]
    if any(value in _CHANGED for value in values):
        return False
    return True if any(value in _UNCHANGED for value in values) else None


def kept_ids(log: QueryLog, release: Anonymized, progress: Progress) -> Int32s | None:
    """For each user of the log its code in the release, or −1; None where nothing says they stayed.

    O(users + rows of 2,000 users). Shape (log's users,).
    """
    released = release.log
    if released is None or not len(released) or not len(log):
        return None
    keeps_ids = says_ids_kept(release)
    if keeps_ids is False or (keeps_ids is None and release.truth is not None):
        return None
    place = log.users.match(released.users)
    progress.check()
    is_known = keeps_ids or np.count_nonzero(place != NONE) >= 0.9 * len(released.users)
    return place if is_known and are_ids_kept(log, release, released, place) else None


def are_ids_kept(
    log: QueryLog, release: Anonymized, released: QueryLog, place: Int32s, *, is_cut: bool = False
) -> bool:
    """Whether ids that a log and released rows have in common, at `place`, are the same users'.

    `is_cut` says that the released rows are those under ids of the log, which need not be all.
    """
    keeps_ids, common = says_ids_kept(release), np.flatnonzero(place != NONE)
    if keeps_ids is not None or not len(common):
        return bool(keeps_ids)
    if (is_cut or _are_numbers_given_out(log, released)) and (
        len(common) < FEW or not _are_same_people(log, released, common, place)
    ):
        return False
    # Methods of this program exchange no ids; microaggregation's records hold others' queries.
    return release.method != UNKNOWN or not _are_exchanged(log, released, place)


def _are_exchanged(log: QueryLog, released: QueryLog, place: Int32s) -> bool:
    """Whether too many records hold what another user alone has, each of another one.

    That is queries of only one user; a single one says less than two, since a query that was cut
    short may be equal to another user's. Where none can be read it is seconds, which few users may
    share by accident. O(rows log rows).
    """
    raw, public, least_records = log.query, released.queries.match(log.queries)[released.query], 1
    if (public == NONE).all():
        least_records = FEW
        seconds = np.unique(log.time)
        raw = np.searchsorted(seconds, log.time).astype(np.int32)
        public = find_sorted(released.time, seconds).astype(np.int32)
    size = int(raw.max()) + 1
    first, last = np.zeros(size, dtype=np.int32), np.zeros(size, dtype=np.int32)
    first[raw[::-1]], last[raw] = log.user[::-1], log.user
    rows = np.flatnonzero((public != NONE) & (first == last)[public])
    pairs = sorted_distinct(released.user[rows].astype(np.int64) << 32 | public[rows])
    record, owner = pairs >> 32, first[pairs & 0xFFFFFFFF]
    least = np.full(len(released.users), len(log.users), dtype=np.int32)
    greatest = np.full(len(released.users), NONE, dtype=np.int32)
    np.minimum.at(least, record, owner)
    np.maximum.at(greatest, record, owner)
    contents = np.bincount(record, minlength=len(least))
    named = np.full(len(released.users), NONE, dtype=np.int64)
    common = np.flatnonzero(place != NONE)
    named[place[common]] = common
    for least_contents, share in _EXCHANGED.items():
        telling = np.flatnonzero((least == greatest) & (contents >= least_contents))
        others = sorted_distinct(least[telling][least[telling] != named[telling]])
        if len(telling) >= least_records and len(others) > share * len(telling):
            return True
    return False


def _are_numbers_given_out(log: QueryLog, released: QueryLog) -> bool:
    """Whether released ids may be any numbers, which are ids of the log by accident."""
    import pyarrow.compute as pc

    def read_numbers(log: QueryLog) -> Float64s:
        names = log.users.as_arrow()
        numbers = names.filter(pc.match_substring_regex(names, "^[0-9]+$"))
        values: Float64s = pc.cast(numbers, "float64").to_numpy(zero_copy_only=False)
        return values

    numbers = read_numbers(released)
    if len(numbers) < len(released.users):
        return False
    if len(numbers) < FEW:
        return True
    largest = float(numbers.max())
    return int(np.count_nonzero(read_numbers(log) <= largest)) > largest / 2


def _are_same_people(log: QueryLog, released: QueryLog, common: Int64s, place: Int32s) -> bool:
    """Whether ids point at their own rows rather than at a neighbour's."""
    size = min(len(common), LOOKED_AT)
    users = common[np.linspace(0, len(common) - 1, size).astype(np.int64)]
    query = released.queries.match(log.queries)
    own_share = _own_share(log, released, users, place[users], query)
    other = _own_share(log, released, np.roll(users, 1), place[users], query)
    gain = own_share - other
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
