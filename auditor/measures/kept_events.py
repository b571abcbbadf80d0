"""Which searches of a log are still in a released log, and how many were added.

A search is an event: a distinct user, query and time. It is still there if the release holds one of
the same query at the same time (as exact as the release's times are) and, where user ids were kept,
of the same user; two events of the log need two of the release, or two rows of one that holds all
under one id. Where every string was replaced, by a hash for instance, events are told by the rest
alone. What is in the release and not in the log was added: it is never set off against what is
missing.
"""

from dataclasses import dataclass

import numpy as np

from auditor.arrays import Array, Bools, Int64s, Integers, UInt64s
from auditor.bit_mixing import splitmix64
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.model import NONE, QueryLog
from auditor.privacy.identity import kept_ids
from auditor.privacy.release import UNKNOWN, Anonymized
from auditor.privacy.release_times import SHUFFLED, STEPS, comparable_times, floor_times
from auditor.progress import Progress


@dataclass(frozen=True)
class KeptEvents:
    """Searches, rows and clicks of a log: of the log, still there, and of the release."""

    events: tuple[int, int, int]
    rows: tuple[int, int, int]
    clicks: tuple[int, int, int]
    users: int | None = None  # of the log, still there; None where nobody can tell
    masked: int = 0  # searches with words of the log's hidden, which were not added

    @property
    def kept(self) -> int:
        """Searches that are still there."""
        return self.events[1]

    @property
    def added(self) -> int:
        """Searches of the release that are not in the log."""
        return self.events[2] - self.events[1] - self.masked


def count_kept_events(log: QueryLog, release: Anonymized, progress: Progress) -> KeptEvents:
    """Match the rows of a released log with those of its log, blank queries left out of both.

    O(rows log rows). Rows are compared by keys of 64 bits: among 40 million rows one pair is taken
    for equal by mistake with a probability of 10⁻⁴.
    """
    from auditor.privacy.bundle_matching import METHOD as BUNDLING  # their kernels load slowly
    from auditor.privacy.entities import list_masked

    assert release.log is not None
    log, released = log.without_blank, release.log.without_blank
    query = _match_strings(log.queries.match(released.queries), log.query)
    page = _match_strings(log.urls.match(released.urls), log.url)
    user, owner, users = _match_users(log, released, release, progress)
    times = comparable_times(release.params)
    if release.method == UNKNOWN and times == "day":
        is_late = released.time - floor_times(released.time, "week") >= STEPS["day"]
        # One Monday is itself or its week, which holds as many searches at least.
        times = "day" if is_late.any() else "week"
    progress.check()
    keys = mix_columns([user, query, _key_times(log, times)], len(log))
    their_query = None if query is None else released.query.astype(np.int64)
    released_keys = mix_columns([owner, their_query, _key_times(released, times)], len(released))
    valid = np.ones(len(log), dtype=np.bool_)
    for part in (user, query):
        valid &= True if part is None else part != NONE
    starts, released_starts = log.event_starts, released.event_starts
    clicked, clicks = log.url != NONE, released.url != NONE
    sites = mix_columns([keys, page], len(log))
    their_sites = mix_columns(
        [released_keys, None if page is None else released.url.astype(np.int64)], len(released_keys)
    )
    same_events = released_keys[released_starts]
    if user is None and (len(released.users) == 1 or release.method == BUNDLING):
        same_events = _separate_events(keys[starts & valid], released_keys, released_starts)
    return KeptEvents(
        (int(starts.sum()), count_common(keys[starts & valid], same_events), len(same_events)),
        (len(log), count_common(keys[valid], released_keys), len(released)),
        (
            int(clicked.sum()),
            count_common(sites[clicked & valid], their_sites[clicks]),
            int(clicks.sum()),
        ),
        users,
        int(np.isin(released.query[released_starts], list_masked(log, released)).sum()),
    )


def _separate_events(keys: UInt64s, released_keys: UInt64s, starts: Bools) -> UInt64s:
    """The key of each event where one id is of several users.

    Equal rows under it are as many events as the log has of them.
    """
    names, place, rows = np.unique(released_keys, return_inverse=True, return_counts=True)
    events = np.bincount(place[starts], minlength=len(names))
    log_keys, log_counts = np.unique(keys, return_counts=True)
    _, index, other_index = np.intersect1d(names, log_keys, assume_unique=True, return_indices=True)
    events[index] = np.maximum(events[index], np.minimum(rows[index], log_counts[other_index]))
    return np.repeat(names, events)


def _match_users(
    log: QueryLog, released: QueryLog, release: Anonymized, progress: Progress
) -> tuple[Int64s | None, Int64s | None, int | None]:
    """A number for the user of each row of both logs, and how many users are in both.

    Only a truth table, or ids that were kept, tell.
    """
    if release.truth is not None:
        owner = release.truth.find_owners(log, released)
        users = len(sorted_distinct(owner[owner >= 0]))
        return log.user.astype(np.int64), owner[released.user], users
    place = kept_ids(log, release, progress)
    if place is None:
        return None, None, None
    return place[log.user].astype(np.int64), released.user.astype(np.int64), int((place >= 0).sum())


def _match_strings(codes: Array, rows: Array) -> Int64s | None:
    """The release's code of each row's string, or −1; None where no string of the log is left."""
    return codes[rows].astype(np.int64) if len(codes) and (codes != NONE).any() else None


def _key_times(log: QueryLog, times: str) -> Int64s | None:
    return None if times == SHUFFLED else floor_times(log.time, times)


def mix_columns(parts: list[Array | None], size: int) -> UInt64s:
    """One 64-bit key of each row's parts."""
    key: UInt64s = np.zeros(size, dtype=np.uint64)
    for part in parts:
        if part is not None:
            key = splitmix64(key + part.astype(np.uint64))
    return key


def count_common(first: Integers, second: Integers) -> int:
    """How many keys two lists have in common, each as often as in both."""
    keys, first_counts = np.unique(first, return_counts=True)
    second_keys, second_counts = np.unique(second, return_counts=True)
    _, index, other_index = np.intersect1d(
        keys, second_keys, assume_unique=True, return_indices=True
    )
    return int(np.minimum(first_counts[index], second_counts[other_index]).sum())
