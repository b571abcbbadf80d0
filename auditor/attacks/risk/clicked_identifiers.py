"""Reasons that clicked web addresses give: what identifies somebody in them, and who clicked it.

The same validators as for queries find e-mail addresses, numbers, streets and user names
(`auditor.attacks.detection.clicked_addresses`). An address that many users clicked is a public
page, and no reason. Cost O(rows + bytes of addresses), and nothing where no address has any.
"""

from __future__ import annotations

import threading
import weakref
from dataclasses import dataclass

import numpy as np

from auditor.arrays import Bools, Float64s, Int32s, Int64s, UInt64s
from auditor.attacks.detection.clicked_addresses import ACCOUNT, USER_NAME, find_in_addresses
from auditor.attacks.detection.detector import DetectorOptions
from auditor.attacks.detection.kinds import EntityKind
from auditor.attacks.risk import reasons as why
from auditor.attacks.risk.survival_chances import rarity_chances
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.model import QueryLog, Vocabulary
from auditor.privacy.release import Anonymized
from auditor.progress import Progress


@dataclass(frozen=True, eq=False, kw_only=True)
class ClickedIdentifiers:
    """Clicked addresses that identify somebody; a of them.

    Attributes
    ----------
    url
        Codes into the log's addresses, ascending; shape (a,).
    bits
        uint64 reasons that each gives; shape (a,).
    users
        How many users clicked each; shape (a,).
    survives
        Which stand in the release; shape (a,).
    chance
        The share that survives of other addresses that as many users clicked; shape (a,).
    """

    url: Int64s
    bits: UInt64s
    users: Int32s
    survives: Bools
    chance: Float64s

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

    Raises
    ------
    Cancelled
        Somebody asked to stop.
    """
    marked = _remember_bits(log.urls, kinds)
    url = np.flatnonzero(marked).astype(np.int64)
    if not len(url):
        none = np.zeros(0, dtype=np.int64)
        return ClickedIdentifiers(
            url=none, bits=none.astype(np.uint64), users=none.astype(np.int32),
            survives=none.astype(np.bool_), chance=none.astype(np.float64),
        )  # fmt: skip
    progress.stage("counting who clicked what")
    clicks = np.flatnonzero(log.url >= 0)
    pairs = sorted_distinct(log.user[clicks].astype(np.int64) << 32 | log.url[clicks])
    users = np.bincount(pairs & 0xFFFFFFFF, minlength=len(log.urls)).astype(np.int32)
    progress.check()
    survives = _survive(log.urls, release)
    chance = rarity_chances(marked, users, survives)
    url = url[users[url] < non_star]
    return ClickedIdentifiers(
        url=url, bits=marked[url], users=users[url], survives=survives[url], chance=chance[url]
    )


_remembered: weakref.WeakKeyDictionary[Vocabulary, tuple[frozenset[EntityKind], UInt64s]]
_remembered = weakref.WeakKeyDictionary()
_lock = threading.Lock()


def _remember_bits(urls: Vocabulary, kinds: frozenset[EntityKind]) -> UInt64s:
    """The reasons that each address gives, remembered as long as the log's addresses live."""
    with _lock:
        known = _remembered.get(urls)
    if known is not None and known[0] == kinds:
        return known[1]
    bits = np.zeros(len(urls), dtype=np.uint64)
    for mark in find_in_addresses(urls, DetectorOptions(kinds=kinds)):
        kind = (
            EntityKind.USER_ID
            if mark.kind in (USER_NAME, ACCOUNT)
            else EntityKind[mark.kind.upper()]
        )
        if kind in kinds:
            bits[mark.address] |= np.uint64(why.reason_mask(kind, why.CLICKED))
    with _lock:
        _remembered[urls] = kinds, bits
    return bits


def _survive(urls: Vocabulary, release: Anonymized | None) -> Bools:
    """Which addresses stand in a release, byte for byte; none without one."""
    if release is None:
        return np.zeros(len(urls), dtype=np.bool_)
    there: Bools = urls.match(release.held.urls) >= 0
    return there
