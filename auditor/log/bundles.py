"""Bundles: rows of several users together, by address, by cookie, or by chance.

Source: Jones, Kumar, Pang and Tomkins, CIKM 2008, section 3. A method makes bundles of a log, and
an auditor asks what bundles of it would give away; both mean the same thing by one.
"""

from dataclasses import dataclass

import numpy as np

from auditor.arrays import Bools, Int32s, Int64s, Integers
from auditor.errors import MissingInput
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.model import NONE, QueryLog
from auditor.params import Params
from auditor.progress import Progress, run_cancellable

_BLOCK = 1 << 18


@dataclass(frozen=True, kw_only=True)
class BundleMakingParams(Params, words="bundle-making"):
    """What bundles are made by, and how large they are; a base, never used by itself."""

    by: str = "auto"
    bits: int = 8
    buckets: int = 1_000
    group: int = 20


@dataclass(frozen=True, eq=False)
class BundlePartition:
    """Which bundle each row of a log is in.

    Attributes
    ----------
    bundle
        int32 in ``range(count)``, every number used; shape (rows,).
    count
        How many bundles there are.
    unknown
        Rows without what bundles are made by: they share one bundle.
    """

    bundle: Int32s
    count: int
    unknown: int = 0


def has_addresses(log: QueryLog) -> bool:
    """Whether any row has an IP address."""
    return log.ip is not None and bool(np.any(log.ip))


def has_cookies(log: QueryLog) -> bool:
    """Whether any row has a cookie."""
    return log.cookie is not None and bool(np.any(log.cookie != NONE))


def resolve_params(log: QueryLog, by: str) -> str:
    """What bundles are made by where the choice was left to what the log has."""
    return choose_basis(by, has_addresses(log), has_cookies(log)) if by == "auto" else by


def choose_basis(by: str, addresses: bool, cookies: bool) -> str:
    """The same, from what the log is known to have."""
    best = "ip-mask" if addresses else "cookie-hash" if cookies else "random-users"
    return best if by == "auto" else by


def explain_missing(by: str) -> MissingInput:
    """What to say where a log lacks what its bundles are to be made by."""
    return MissingInput(
        "The log has no IP addresses to mask. Bundle it by cookie-hash or random-users."
        if by == "ip-mask"
        else "The log has no cookies to hash. Bundle it by ip-mask or random-users."
    )


def by_address(log: QueryLog, bits: int, progress: Progress) -> BundlePartition:
    """Rows whose addresses agree but for their low `bits` bits; O(n + distinct · log distinct).

    Raises `MissingInput` if the log has no addresses.
    """
    if log.ip is None or not has_addresses(log):
        raise explain_missing("ip-mask")
    prefix = log.ip >> np.uint32(bits)
    unknown = log.ip == 0
    parts = [np.zeros(0, dtype=np.uint32)]
    for start, stop in progress.blocks("masking addresses", len(log), _BLOCK):
        part = slice(start, stop)
        parts.append(sorted_distinct(prefix[part][~unknown[part]]))
    used_prefixes = run_cancellable(lambda: sorted_distinct(np.concatenate(parts)), progress)
    bundle = np.empty(len(log), dtype=np.int32)
    for start, stop in progress.blocks("numbering bundles", len(log), _BLOCK):
        bundle[start:stop] = np.searchsorted(used_prefixes, prefix[start:stop])
    lost = int(np.count_nonzero(unknown))
    bundle[unknown] = len(used_prefixes)
    return BundlePartition(bundle, len(used_prefixes) + (lost > 0), lost)


def by_cookie(log: QueryLog, bucket: Integers, progress: Progress) -> BundlePartition:
    """Rows whose cookies fall into one bucket; `bucket` has one number for each cookie; O(n).

    Raises `MissingInput` if the log has no cookies.
    """
    if log.cookie is None or not has_cookies(log):
        raise explain_missing("cookie-hash")
    size = int(bucket.max(initial=-1)) + 1
    table = np.append(np.asarray(bucket, dtype=np.int64), size)
    return _renumber_bundles(table[log.cookie], size + 1, int(np.sum(log.cookie == NONE)), progress)


def by_user(log: QueryLog, group: Integers, progress: Progress) -> BundlePartition:
    """Rows of the users of one group; `group` has one number for each user; O(n)."""
    size = int(group.max(initial=-1)) + 1
    return _renumber_bundles(np.asarray(group, dtype=np.int64)[log.user], size, 0, progress)


def _renumber_bundles(code: Int64s, size: int, unknown: int, progress: Progress) -> BundlePartition:
    """Only the numbers that occur, in their order."""
    progress.stage("numbering bundles")
    is_used = np.bincount(code, minlength=size) > 0
    new = (np.cumsum(is_used) - 1).astype(np.int32)
    return BundlePartition(new[code], int(np.count_nonzero(is_used)), unknown)


@dataclass(frozen=True, eq=False)
class BundleSizes:
    """What each bundle holds; `queries` counts events: distinct (user, query, time).

    Attributes
    ----------
    queries, users
        int64; shape (bundles,).
    fiber_bundle, fiber_user, fiber_queries
        One entry a fiber, that is a user within a bundle: which bundle, which user, and how many
        of the user's events stand there; ordered by bundle, then user.
    """

    queries: Int64s
    users: Int64s
    fiber_bundle: Int64s
    fiber_user: Int64s
    fiber_queries: Int64s

    def count_people(self, is_selected: Bools) -> int:
        """Distinct users of `is_selected` of the bundles; whoever is in several counts once."""
        return len(sorted_distinct(self.fiber_user[is_selected[self.fiber_bundle]]))

    def find_largest(self) -> Int64s:
        """Events of each bundle's most active user; shape (bundles,)."""
        most_queries = np.zeros(len(self.queries), dtype=np.int64)
        np.maximum.at(most_queries, self.fiber_bundle, self.fiber_queries)
        return most_queries


def count_sizes(log: QueryLog, parts: BundlePartition, progress: Progress) -> BundleSizes:
    """Count events and users of every bundle; O(n + fibers · log fibers)."""
    begins = log.event_starts
    keys, counts = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
    width = np.int64(max(len(log.users), 1))
    for start, stop in progress.blocks("measuring bundles", len(log), _BLOCK):
        block_begins = begins[start:stop]
        bundle = parts.bundle[start:stop][block_begins].astype(np.int64)
        key, count = np.unique(
            bundle * width + log.user[start:stop][block_begins], return_counts=True
        )
        keys.append(key)
        counts.append(count.astype(np.int64))

    def merge_counts() -> BundleSizes:
        fibers, place = np.unique(np.concatenate(keys), return_inverse=True)
        size = np.bincount(place, np.concatenate(counts), minlength=len(fibers)).astype(np.int64)
        bundle, user = fibers // width, fibers % width
        queries = np.bincount(bundle, size, minlength=parts.count).astype(np.int64)
        users = np.bincount(bundle, minlength=parts.count).astype(np.int64)
        return BundleSizes(queries, users, bundle, user, size)

    return run_cancellable(merge_counts, progress)
