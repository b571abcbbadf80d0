"""How attacks on bundles see them: events by bundle and time, with the truth beside them.

A release made by bundling decides by itself which events share a bundle: its rows are matched to
the log's, since a bundle of cookies or of users put together by chance can't be made a second time.
Without such a release the log is bundled here, to say what bundles of it would give away.
"""

import dataclasses
import functools
from dataclasses import dataclass

import numpy as np

from auditor.arrays import Bools, Float64s, Int32s, Int64s, mark_run_starts
from auditor.attacks.base import Evidence
from auditor.log import bundles
from auditor.log.bundles import BundleMakingParams, BundlePartition
from auditor.log.dictionary_encoding import gather_values, sort_order
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.model import QueryLog
from auditor.messages import phrase
from auditor.privacy.bundle_matching import METHOD, bundling_description, match_bundles
from auditor.privacy.release import Anonymized
from auditor.privacy.release_times import EXACT, SHUFFLED, floor_times, times_of
from auditor.progress import Progress

_TIES = 0x5EED
"""Seed of the order of events in one second of a bundle; any will do that isn't the users'."""


MASKS = (8, 12, 16)
"""Address bits of the source's Tables 2 and 7, shown side by side where the log has addresses."""
_LABELS = {"ip-mask": "address", "cookie-hash": "cookie", "random-users": "random users"}


@dataclass(frozen=True, kw_only=True)
class BundleParams(BundleMakingParams, words="bundle-attacks"):
    """Base of the parameters of attacks on bundles.

    What bundles are made by counts only where there is no bundled release.
    """

    min_queries: int = 100


@dataclass(frozen=True, eq=False, kw_only=True)
class BundledLog:
    """The events of a log, each a distinct (user, query, time), by bundle; n events.

    They are ordered by bundle, then time; in one second of a bundle in an order that says nothing
    of the users.
    """

    row: Int64s  # row of the raw log where the event begins; shape (n,)
    # In ``range(count)``, ascending; the codes of the release's users if there is a bundled one;
    # shape (n,).
    bundle: Int32s
    user: Int32s  # who asked: the truth, which no attacker sees; shape (n,)
    # Codes of the raw log's queries, as names: given in the order of users; shape (n,).
    query: Int32s
    # Seconds UTC as the release has them: cut off or shuffled where its times are; shape (n,).
    time: Int64s
    # count, starts: bundles, also those without an event; b's events are ``starts[b]:starts[b +
    # 1]``
    count: int
    starts: Int64s
    # True fiber of each event, a user within a bundle, numbered by bundle, then user; shape (n,).
    fiber: Int64s
    # fiber_bundle, fiber_user, fiber_queries: bundle and user of each fiber, and its events; shape
    # (fibers,)
    fiber_bundle: Int64s
    fiber_user: Int64s
    fiber_queries: Int64s
    min_queries: int  # events from which on a bundle is `large`
    # by, bits: what bundles were made by, and the address bits masked (None unless by ip-mask)
    by: str
    bits: int | None = None
    released: bool = False  # whether a bundled release decided
    # ambiguous, guessed, lost: events whose like (same query, second, clicks) stands in several
    # bundles of the release; those of them, and of all, whose bundle nothing else told either and
    # was drawn from the possible ones; and those that the release doesn't hold, which are left out
    # here
    ambiguous: int = 0
    guessed: int = 0
    lost: int = 0

    def __len__(self) -> int:
        return len(self.row)

    @property
    def label(self) -> str:
        """What bundles were made by, for people: "address, 8 bits"."""
        if self.bits:
            return phrase("address, {bits} bits", bits=self.bits)
        return _LABELS[self.by]

    @functools.cached_property
    def queries(self) -> Int64s:
        """Events of each bundle; shape (count,)."""
        return np.diff(self.starts)

    @property
    def large(self) -> Bools:
        """Whether each bundle holds `min_queries` events or more; shape (count,)."""
        return self.queries >= self.min_queries

    @property
    def lone(self) -> Bools:
        """Whether each bundle is too small to be `large`, and one user's alone; shape (count,)."""
        return np.asarray(~self.large & (self.users == 1))

    def count_outside(self, judged: Bools) -> tuple[int, int]:
        """Users who are in none of the bundles that are `judged`, shape (count,); and all users."""
        users = len(sorted_distinct(self.fiber_user))
        users_inside = len(sorted_distinct(self.fiber_user[judged[self.fiber_bundle]]))
        return users - users_inside, users

    @functools.cached_property
    def users(self) -> Int64s:
        """Distinct users of each bundle; shape (count,)."""
        return np.bincount(self.fiber_bundle, minlength=self.count).astype(np.int64)

    @property
    def heavy(self) -> Bools:
        """Fibers of large bundles of at least the mean of their bundle; shape (fibers,)."""
        bundle = self.fiber_bundle
        flags: Bools = self.fiber_queries * self.users[bundle] >= self.queries[bundle]
        return flags & self.large[bundle]

    @property
    def largest(self) -> Int64s:
        """Events of each bundle's most active user; shape (count,)."""
        most_queries = np.zeros(self.count, dtype=np.int64)
        np.maximum.at(most_queries, self.fiber_bundle, self.fiber_queries)
        return most_queries

    @property
    def shares(self) -> Float64s:
        """The share of each large bundle's events that its most active user holds."""
        return self.largest[self.large] / self.queries[self.large]

    @property
    def held_shares(self) -> Float64s:
        """The share of its bundle's events that each fiber holds; shape (fibers,)."""
        return self.fiber_queries / self.queries[self.fiber_bundle]

    def slice_events(self, bundle: int) -> slice:
        """Where the events of one bundle stand."""
        return slice(int(self.starts[bundle]), int(self.starts[bundle + 1]))


def bundled_release(evidence: Evidence) -> Anonymized | None:
    """The release if it was made by bundling, else None."""
    release = evidence.release
    if release is None or release.method != METHOD or release.log is None:
        return None
    return release


def why_not(evidence: Evidence, params: BundleMakingParams | None = None) -> str:
    """Why there are no bundles to look at, in words; empty if there are.

    Without a release the bundles are those that the log would make; a release by another method
    has none, and what bundles of its log would give away is no figure of it. A log without
    addresses is bundled by cookies or chance, unless `params` demand addresses.
    """
    if not len(evidence.log):
        return "needs rows: the log is empty"
    release = bundled_release(evidence)
    if release is None and evidence.release is not None:
        return "needs a release by bundling, or the log alone: this release holds no bundles"
    if release is not None or params is None:
        return ""
    if params.by == "ip-mask" and not bundles.has_addresses(evidence.log):
        return "the log has no IP addresses to mask: bundle it by cookie-hash or random-users"
    if params.by == "cookie-hash" and not bundles.has_cookies(evidence.log):
        return "the log has no cookies to hash: bundle it by ip-mask or random-users"
    return ""


def find_bundles(evidence: Evidence, params: BundleParams, progress: Progress) -> BundledLog:
    """The bundles of the release if it was made by bundling, else those that `params` make.

    O(n), and O(m log m) for the m rows of a query, or of a bundle, that go back in time.

    Raises `MissingInput`: the log lacks the addresses or cookies that bundles are to be made by.
    """
    release = bundled_release(evidence)
    if release is None:
        by, parts = partition_log(evidence.log, params, progress)
        bits = params.bits if by == "ip-mask" else None
        return arrange_events(evidence.log, parts, params.min_queries, by, bits, progress)
    by, bits = bundling_description(evidence.log, release)
    match = match_bundles(evidence.log, release, progress)
    parts = BundlePartition(match.bundle, match.count)
    times = times_of(release.params)
    view = arrange_events(evidence.log, parts, params.min_queries, by, bits, progress, times=times)
    return dataclasses.replace(
        view, released=True, ambiguous=match.ambiguous, guessed=match.guessed, lost=match.lost
    )


def partition_log(
    log: QueryLog, params: BundleMakingParams, progress: Progress
) -> tuple[str, BundlePartition]:
    """What the log is bundled by, and the bundles; chance is drawn from a fixed seed."""
    by = bundles.resolve_params(log, params.by)
    rng = np.random.default_rng(_TIES)
    if by == "ip-mask":
        return by, bundles.by_address(log, params.bits, progress)
    if by == "cookie-hash":
        cookies = len(log.cookies) if log.cookies is not None else 0
        return by, bundles.by_cookie(log, rng.integers(params.buckets, size=cookies), progress)
    groups = max(1, len(log.users) // params.group)
    return by, bundles.by_user(log, rng.permutation(len(log.users)) % groups, progress)


def arrange_events(
    log: QueryLog,
    parts: BundlePartition,
    min_queries: int,
    by: str,
    bits: int | None,
    progress: Progress,
    *,
    times: str = EXACT,
) -> BundledLog:
    """The events of `log` by bundle and time; rows whose bundle is negative are left out.

    Their times are as exact as `times` says of the release.
    """
    progress.stage("arranging bundles")
    row = np.flatnonzero(log.event_starts & (parts.bundle >= 0))
    bundle = gather_values(parts.bundle, row, progress)
    time = gather_values(log.time, row, progress)
    if times == SHUFFLED:  # an attacker sees another draw of the times of a bundle
        draw = np.random.default_rng(_TIES).permutation(len(time))
        by_bundle = time[np.argsort(bundle, kind="stable")]
        time[np.lexsort((draw, bundle))] = by_bundle
    else:
        time = floor_times(time, times)
    order = sort_order(bundle, time, progress)
    if order is not None:
        row = gather_values(row, order, progress)
        bundle, time = gather_values(bundle, order, progress), gather_values(time, order, progress)
    row = _without_users_order(log, row, bundle, time, progress)
    queries = np.bincount(bundle, minlength=parts.count)
    user = gather_values(log.user, row, progress)
    # The fiber of each event, and the bundle and user of each fiber.
    order = sort_order(bundle, user.astype(np.int64), progress)
    if order is None:
        order = np.arange(len(bundle), dtype=np.int64)
    bundle_of_event = gather_values(bundle, order, progress)
    user_of_event = gather_values(user, order, progress)
    first = mark_run_starts(bundle_of_event, user_of_event)
    fiber = np.empty(len(order), dtype=np.int64)
    fiber[order] = np.cumsum(first) - 1
    fibers = int(first.sum())
    return BundledLog(
        row=row,
        bundle=bundle,
        user=user,
        query=gather_values(log.query, row, progress),
        time=time,
        count=parts.count,
        starts=np.concatenate(([0], np.cumsum(queries))).astype(np.int64),
        fiber=fiber,
        fiber_bundle=bundle_of_event[first].astype(np.int64),
        fiber_user=user_of_event[first].astype(np.int64),
        fiber_queries=np.bincount(fiber, minlength=fibers).astype(np.int64),
        min_queries=min_queries,
        by=by,
        bits=bits,
    )


def _without_users_order(
    log: QueryLog, row: Int64s, bundle: Int32s, time: Int64s, progress: Progress
) -> Int64s:
    """`row` with the events of each second of a bundle put in a random order of queries."""
    is_tied = np.zeros(len(row) + 1, dtype=np.bool_)
    is_tied[1:-1] = (bundle[1:] == bundle[:-1]) & (time[1:] == time[:-1])
    tied = np.flatnonzero(is_tied[1:] | is_tied[:-1])
    if not len(tied):
        return row
    progress.check()
    rng = np.random.default_rng(_TIES)
    place = rng.permutation(len(log.queries))[log.query[row[tied]]]
    run_of = np.cumsum(~is_tied[:-1][tied])
    row[tied] = row[tied[np.lexsort((rng.permutation(len(tied)), place, run_of))]]
    return row
