"""Accounts with nearly equal histories: one person under several ids, or a program.

A guarantee, and any threshold, counts user ids. Two accounts are taken for one party if

* their searches are the same but for a fifth: the multisets of their queries have a Jaccard index
  of `ALIKE` or more; and
* that is no coincidence: the searches they share weigh `EVIDENCE` or more. A query that two users
  alone issued weighs 1, one that everybody issued 0, and in between log(n/d) / log(n/2) for d of n
  users; a query that both repeated c times weighs 1 + log₂ c times that.

So two people who did nothing but to visit the same popular site are two parties, and two accounts
that submit one query twice each, which nobody else submits, are one.

Only pairs that share a query of at most `RARE` users, or whose histories are equal, are compared.
Cost: O(m · log m) for m distinct (user, query) pairs, and the histories of the pairs compared, of
which there are at most `RARE` · m / 2 and in real logs fewer than users.
"""

from __future__ import annotations

import dataclasses
from typing import NamedTuple

import numpy as np

from auditor.arrays import Bools, Float64s, Int32s, Int64s
from auditor.bit_mixing import mix_bits
from auditor.log.model import QueryLog
from auditor.log.sentences import sentence
from auditor.log.user_column import UserColumn
from auditor.progress import Progress

ALIKE = 0.8
EVIDENCE = 2.0
RARE = 16
_BLOCK = 1 << 22
"""Rows of histories that are compared at once."""


class AccountParties(NamedTuple):
    """Which users are one party.

    Attributes
    ----------
    party
        Number of each user's party; shape (users,).
    accounts
        Users who share a party with another one.
    parties
        Parties of several users.
    """

    party: Int32s
    accounts: int
    parties: int

    @property
    def shared(self) -> Bools:
        """Which users share a party with another one; shape (users,)."""
        several: Bools = np.bincount(self.party)[self.party] > 1
        return several


class _Histories(NamedTuple):
    """Distinct (user, query) pairs ascending, with searches of each, by user."""

    key: Int64s
    searches: Int64s
    offsets: Int64s
    total: Int64s
    weight: Float64s


def doubt_users(log: QueryLog, progress: Progress) -> UserColumn | None:
    """The log's user column, with a doubt where accounts have nearly equal histories."""
    column = log.origin.user_column
    if column is None:
        return None
    joined = join_accounts(log, progress)
    if not joined.accounts:
        return column
    doubt = sentence(
        "equal_histories.values_nearly_equal_histories",
        accounts=joined.accounts,
        users=len(log.users),
        parties=joined.parties,
    )
    return dataclasses.replace(column, doubts=(*column.doubts, doubt))


def join_accounts(log: QueryLog, progress: Progress) -> AccountParties:
    """Group users with nearly equal histories into parties; blank queries don't count."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    progress.stage("comparing accounts")
    users = len(log.users)
    rows = log.event_starts & ~log.queries.find_blank()[log.query]
    packed = (log.user[rows].astype(np.int64) << 32) | log.query[rows]
    key, count = np.unique(packed, return_counts=True)
    progress.check()
    user, query = key >> 32, key & 0xFFFFFFFF
    holders = np.bincount(query, minlength=len(log.queries))
    several = max(3, len(np.unique(user)))
    weight = np.log(several / np.maximum(holders, 1)) / np.log(several / 2)
    histories = _Histories(
        key,
        count,
        np.searchsorted(user, np.arange(users + 1)),
        np.bincount(user, weights=count, minlength=users).astype(np.int64),
        np.clip(weight, 0.0, 1.0),
    )
    first, second = _find_candidates(histories, holders, progress)
    same = _are_alike(histories, first, second, progress)
    graph = coo_array(
        (np.ones(int(same.sum()), np.int8), (first[same], second[same])), shape=(users, users)
    )
    _, party = connected_components(graph.tocsr(), directed=False)
    sizes = np.bincount(party, minlength=1)
    shared = sizes[sizes > 1]
    return AccountParties(party.astype(np.int32), int(shared.sum()), len(shared))


def _find_candidates(
    histories: _Histories, holders: Int64s, progress: Progress
) -> tuple[Int64s, Int64s]:
    """Pairs of users, of nearly as many searches, that share a rare query or have equal ones."""
    user, query = histories.key >> 32, histories.key & 0xFFFFFFFF
    rare = np.flatnonzero((holders[query] > 1) & (holders[query] <= RARE))
    rare = rare[np.argsort(query[rare], kind="stable")]
    # The sum over a history is the history's.
    digest = mix_bits(
        (query.astype(np.uint64) << np.uint64(20)) + histories.searches.astype(np.uint64)
    )
    sums = np.concatenate([np.zeros(1, np.uint64), np.cumsum(digest, dtype=np.uint64)])
    digest_of_user = sums[histories.offsets[1:]] - sums[histories.offsets[:-1]]
    active = np.flatnonzero(np.diff(histories.offsets))
    active = active[np.argsort(digest_of_user[active], kind="stable")]
    candidates: list[Int64s] = []
    for members, group in (
        (user[rare], query[rare].astype(np.uint64)),
        (active, digest_of_user[active]),
    ):
        for lag in range(1, RARE):
            progress.check()
            first, second = members[:-lag], members[lag:]
            close = group[:-lag] == group[lag:]
            low = np.minimum(histories.total[first], histories.total[second])
            high = np.maximum(histories.total[first], histories.total[second])
            close &= low >= ALIKE * high
            if not close.any() and not (group[:-lag] == group[lag:]).any():
                break
            pair = (np.minimum(first, second)[close] << 32) | np.maximum(first, second)[close]
            candidates.append(pair)
    pairs = np.unique(np.concatenate(candidates)) if candidates else np.empty(0, np.int64)
    return pairs >> 32, pairs & 0xFFFFFFFF


def _are_alike(histories: _Histories, first: Int64s, second: Int64s, progress: Progress) -> Bools:
    """Which of these pairs share enough searches, and searches that say enough."""
    sizes = np.diff(histories.offsets)
    alike = np.zeros(len(first), np.bool_)
    ends = np.cumsum(sizes[first])
    start = 0
    while start < len(first):
        progress.check()
        done = ends[start - 1] if start else 0
        stop = max(start + 1, int(np.searchsorted(ends, done + _BLOCK, side="right")))
        size = sizes[first[start:stop]]
        pair = np.repeat(np.arange(stop - start), size)
        place = np.arange(len(pair)) - np.repeat(np.cumsum(size) - size, size)
        place += np.repeat(histories.offsets[first[start:stop]], size)
        query = histories.key[place] & 0xFFFFFFFF
        key = (second[start:stop][pair] << 32) | query
        match = np.minimum(np.searchsorted(histories.key, key), len(histories.key) - 1)
        both = histories.key[match] == key
        pair, query = pair[both], query[both]
        shared = np.minimum(histories.searches[place[both]], histories.searches[match[both]])
        common = np.bincount(pair, weights=shared, minlength=stop - start)
        evidence = np.bincount(
            pair, weights=histories.weight[query] * (1 + np.log2(shared)), minlength=stop - start
        )
        together = histories.total[first[start:stop]] + histories.total[second[start:stop]] - common
        alike[start:stop] = (common >= ALIKE * together) & (evidence >= EVIDENCE)
        start = stop
    return alike
