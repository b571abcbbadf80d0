"""Reasons that clicked web addresses give: what identifies somebody in them, and who clicked it.

The same validators as for queries find e-mail addresses, numbers, streets and user names
(`auditor.attacks.detection.marked_strings`). An address that many users clicked is a public
page, and no reason. Cost O(rows + bytes of addresses), and nothing where no address has any.
"""

from dataclasses import dataclass

import numpy as np

from auditor.arrays import Bools, Float64s, Int32s, Int64s, Integers, UInt64s
from auditor.attacks.detection.detector import DetectorOptions
from auditor.attacks.detection.kinds import EntityKind
from auditor.attacks.detection.marked_strings import ACCOUNT, USER_NAME, find_in_addresses
from auditor.attacks.risk import reasons as why
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.lifetime_cache import LifetimeCache
from auditor.log.model import QueryLog, Vocabulary
from auditor.privacy.release import Anonymized
from auditor.progress import Progress

_BITS = LifetimeCache[Vocabulary, UInt64s]()


@dataclass(frozen=True, eq=False, kw_only=True)
class ClickedIdentifiers:
    """Clicked addresses that identify somebody; a of them, columns of shape (a,)."""

    url: Int64s  # codes into the log's addresses, ascending
    bits: UInt64s  # reasons that each gives
    # users, survives: how many users clicked each, and which stand in the release
    users: Int32s
    survives: Bools
    chance: Float64s  # the share that survives of other addresses that as many users clicked

    def __len__(self) -> int:
        return len(self.url)

    def find_rows(self, log: QueryLog, first: int) -> Int32s:
        """For each row `first` plus the place of its address here, −1 where it is none of these."""
        if not len(self):
            return np.zeros(0, dtype=np.int32)
        place = np.full(len(log.urls) + 1, -1, dtype=np.int32)
        place[self.url] = np.arange(first, first + len(self), dtype=np.int32)
        return place[log.url]  # no address is −1, which is the last place


def find_clicked_identifiers(
    log: QueryLog,
    release: Anonymized | None,
    kinds: frozenset[EntityKind],
    non_star: int,
    progress: Progress,
) -> ClickedIdentifiers:
    """The addresses of a log that identify somebody and that fewer than `non_star` users clicked.

    Raises `Cancelled`.
    """

    def find_bits() -> UInt64s:
        """The reasons that each address gives."""
        bits = np.zeros(len(log.urls), dtype=np.uint64)
        for mark in find_in_addresses(log.urls, DetectorOptions(kinds=kinds)):
            is_account = mark.kind in (USER_NAME, ACCOUNT)
            kind = EntityKind.USER_ID if is_account else EntityKind[mark.kind.upper()]
            if kind in kinds:
                bits[mark.address] |= np.uint64(why.reason_mask(kind, why.CLICKED))
        return bits

    marked = _BITS.get(log.urls, kinds, find_bits)
    url = np.flatnonzero(marked).astype(np.int64)
    users = np.zeros(len(log.urls), dtype=np.int32)
    survives = np.zeros(len(log.urls), dtype=np.bool_)
    if len(url):
        progress.stage("counting clicks")
        clicks = np.flatnonzero(log.url >= 0)
        pairs = sorted_distinct(log.user[clicks].astype(np.int64) << 32 | log.url[clicks])
        users = np.bincount(pairs & 0xFFFFFFFF, minlength=len(log.urls)).astype(np.int32)
        progress.check()
        if release is not None:  # byte for byte
            survives = log.urls.match(release.local_content.urls) >= 0
    chance = rarity_chances(marked, users, survives)
    url = url[users[url] < non_star]
    return ClickedIdentifiers(
        url=url, bits=marked[url], users=users[url], survives=survives[url], chance=chance[url]
    )


def rarity_chances(bits: UInt64s, users: Integers, survives: Bools) -> Float64s:
    """For each string, the share that survives of unmarked ones about as rare; shape (m,).

    It is how likely an ordinary string would: the baseline. As rare: as many users, to the power of
    two. Where nothing unmarked is as rare, the share of all unmarked ones.
    """
    plain = bits == 0
    bucket = np.log2(np.maximum(users, 1)).astype(np.int64)
    size = int(bucket.max(initial=0)) + 1
    unmarked = np.bincount(bucket[plain], minlength=size)
    surviving = np.bincount(bucket[plain & survives], minlength=size)
    overall = surviving.sum() / max(1, unmarked.sum())
    shares: Float64s = np.where(unmarked > 0, surviving / np.maximum(unmarked, 1), overall)
    return shares[bucket]
