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

import dataclasses
from typing import Any, NamedTuple

import numpy as np

from auditor.arrays import Bools, Int32s, Int64s
from auditor.bit_mixing import mix_bits
from auditor.log.model import QueryLog
from auditor.log.sentences import sentence
from auditor.log.user_column import UserColumn
from auditor.progress import Progress, split_ranges

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
        return np.bincount(self.party)[self.party] > 1


def doubt_users(log: QueryLog, progress: Progress) -> UserColumn | None:
    """The log's user column, with a doubt where accounts have nearly equal histories."""
    column = log.origin.user_column
    if column is None:
        return None
    accounts_joined = join_accounts(log, progress)
    if not accounts_joined.accounts:
        return column
    doubt = sentence(
        "equal_histories.values_nearly_equal_histories",
        accounts=accounts_joined.accounts,
        users=len(log.users),
        parties=accounts_joined.parties,
    )
    return dataclasses.replace(column, doubts=(*column.doubts, doubt))


def join_accounts(log: QueryLog, progress: Progress) -> AccountParties:
    """Group users with nearly equal histories into parties; blank queries don't count."""
    from scipy.sparse import coo_array, csr_array
    from scipy.sparse.csgraph import connected_components

    progress.stage("comparing accounts")
    users = len(log.users)
    rows = log.event_starts & ~log.queries.find_blank()[log.query]
    places = log.user[rows].astype(np.int64), log.query[rows].astype(np.int64)
    unit_values = np.ones(len(places[0]), dtype=np.int64)
    histories = csr_array((unit_values, places), shape=(users, len(log.queries)))
    histories.sum_duplicates()
    first, second = _find_candidates(histories, progress)
    is_same = _are_alike(histories, first, second, progress)
    graph = coo_array(
        (np.ones(int(is_same.sum()), np.int8), (first[is_same], second[is_same])),
        shape=(users, users),
    )
    _, party = connected_components(graph.tocsr(), directed=False)
    sizes = np.bincount(party, minlength=1)
    shared = sizes[sizes > 1]
    return AccountParties(party.astype(np.int32), int(shared.sum()), len(shared))


def _find_candidates(histories: Any, progress: Progress) -> tuple[Int64s, Int64s]:
    """Pairs of users, of nearly as many searches, that share a rare query or have equal ones."""
    query, searches = histories.indices.astype(np.uint64), histories.data.astype(np.uint64)
    # The sum over a history is the history's.
    sums = np.zeros(len(query) + 1, dtype=np.uint64)
    np.cumsum(mix_bits((query << np.uint64(20)) + searches), out=sums[1:])
    digest = np.diff(sums[histories.indptr])
    active = np.flatnonzero(np.diff(histories.indptr))
    active = active[np.argsort(digest[active], kind="stable")]
    holders = np.bincount(histories.indices, minlength=histories.shape[1])
    rare = histories[:, (holders > 1) & (holders <= RARE)].tocsc()
    column = np.repeat(np.arange(rare.shape[1]), np.diff(rare.indptr))
    total = histories.sum(axis=1)
    candidates: list[Int64s] = []
    # Of equal histories, neighbours are enough to join all.
    for members, group, lags in ((rare.indices, column, RARE), (active, digest[active], 2)):
        for lag in range(1, lags):
            progress.check()
            first, second = members[:-lag].astype(np.int64), members[lag:].astype(np.int64)
            low, high = np.minimum(first, second), np.maximum(first, second)
            fewer = np.minimum(total[low], total[high])
            close = (group[:-lag] == group[lag:]) & (
                fewer >= ALIKE * np.maximum(total[low], total[high])
            )
            candidates.append(low[close] << 32 | high[close])
    pairs = np.unique(np.concatenate(candidates))
    return pairs >> 32, pairs & 0xFFFFFFFF


def _are_alike(histories: Any, first: Int64s, second: Int64s, progress: Progress) -> Bools:
    """Which of these pairs share enough searches, and searches that say enough."""
    total, sizes = histories.sum(axis=1), np.diff(histories.indptr)
    holders = np.bincount(histories.indices, minlength=histories.shape[1])
    active_users = max(3, int(np.count_nonzero(sizes)))
    weight = np.log(active_users / np.maximum(holders, 1)) / np.log(active_users / 2)
    is_alike = np.zeros(len(first), np.bool_)
    ends = np.concatenate(([0], np.cumsum(sizes[first])))
    for start, stop in split_ranges(ends, _BLOCK):
        progress.check()
        users, other_users = first[start:stop], second[start:stop]
        shared = histories[users].minimum(histories[other_users])
        common = shared.sum(axis=1)
        shared.data = 1 + np.log2(shared.data)
        is_alike[start:stop] = common >= ALIKE * (total[users] + total[other_users] - common)
        is_alike[start:stop] &= shared @ np.clip(weight, 0.0, 1.0) >= EVIDENCE
    return is_alike
