"""Users as shares of their queries by cluster, and groups of at least k who are alike.

v_u[c] is the share of user u's events (distinct user, query, time) in query cluster c; two users
are ½ Σ|v_u − v_w| = 1 − Σ min apart. Grouping (Hong et al. 2009): in a random order, a user who is
in no group yet takes their k − 1 nearest ungrouped; fewer than k left over join the group that is
nearest to each on average. A group's representative is its member of greatest total similarity.

Cost: only users who share a cluster are looked at, and only n/k of them as seeds: Σ over seeds of
the ungrouped users in each of the seed's clusters, against Σ_c users(c)² for all pairs. Memory is
O(non-zeros), never n².
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from auditor.arrays import Float64s, Int64s, expand_ranges
from auditor.log.model import QueryLog
from auditor.log.overlap import SparseRows
from auditor.methods.k_delta import kernels
from auditor.methods.noisy_counts.histograms import count_keys
from auditor.progress import Progress

_WORK = 5_000_000  # additions between two looks at the cancel button: some 20 ms


@dataclass(frozen=True, eq=False)
class InterestVectors:
    """Events of each user by cluster, as CSR; a user's clusters ascend."""

    # starts, clusters, counts: user u has ``counts[starts[u]:starts[u + 1]]`` events in the
    # clusters beside them
    starts: Int64s
    clusters: Int64s
    counts: Int64s
    totals: Int64s  # events of each user; shape (users,)
    width: int  # how many clusters there are

    def __len__(self) -> int:
        return len(self.starts) - 1

    def select_users(self, users: Int64s) -> InterestVectors:
        """The vectors of some users, in that order, as often as each is named."""
        sizes = np.diff(self.starts)[users]
        starts = np.concatenate(([0], np.cumsum(sizes)))
        entries = expand_ranges(self.starts[users], sizes)
        return InterestVectors(
            starts, self.clusters[entries], self.counts[entries], self.totals[users], self.width
        )

    def encode_keys(self) -> Int64s:
        """Row << 32 | cluster of each entry, ascending."""
        row: Int64s = np.repeat(np.arange(len(self), dtype=np.int64), np.diff(self.starts))
        return (row << 32) | self.clusters

    def compute_shares(self, order: Int64s | None = None) -> SparseRows:
        """The users' shares, in `order` (by code if there is none), as float64 rows."""
        users = self if order is None else self.select_users(order)
        values = users.counts / np.repeat(users.totals, np.diff(users.starts))
        return SparseRows(users.starts, users.clusters.astype(np.uint32), values, self.width)


@dataclass(frozen=True, eq=False)
class UserGroups:
    """Who is with whom."""

    # group, part: group, and subgroup, of each user; shape (users,). Parts lie within groups.
    group: Int64s
    part: Int64s
    # lead, part_lead: the representative of each group, and of each part; user codes
    lead: Int64s
    part_lead: Int64s


def user_vectors(log: QueryLog, cluster: Int64s, progress: Progress) -> InterestVectors:
    """Count each user's events by cluster; O(events log events)."""
    progress.stage("counting users' queries")
    rows = np.flatnonzero(log.event_starts)
    pairs = (log.user[rows].astype(np.int64) << 32) | cluster[log.query[rows]]
    keys, counts = count_keys([pairs], progress)
    user = keys >> 32
    size = np.bincount(user, minlength=len(log.users))
    starts = np.concatenate(([0], np.cumsum(size)))
    totals = np.bincount(user, weights=counts, minlength=len(log.users)).astype(np.int64)
    width = int(cluster.max(initial=-1)) + 1
    return InterestVectors(starts, keys & 0xFFFFFFFF, counts, totals, width)


def group_users(
    vectors: InterestVectors, k: int, m: int, order: Int64s, progress: Progress
) -> UserGroups:
    """Groups of at least `k` (and below 2k, but for what is left over), parts of at least `m`.

    `order`: a random permutation of the users: seeds are taken in it, and ties go to who comes
    first.
    """
    rows = vectors.compute_shares(order)
    progress.check()
    group = np.full(len(rows), -1, dtype=np.int64)
    groups = _group_greedily(rows, k, group, progress)
    _place_leftovers(rows, group, groups, progress)
    lead = choose_representatives(rows, group, groups)
    progress.check()
    if m >= k:
        part, part_lead = group, lead
    elif m == 1:
        part = part_lead = np.arange(len(rows))
    else:
        part = _split_groups(rows, m, group, lead, progress)
        part_lead = choose_representatives(rows, part, int(part.max(initial=-1)) + 1)
    position = np.argsort(order)
    return UserGroups(group[position], part[position], order[lead], order[part_lead])


def _group_greedily(rows: SparseRows, k: int, group: Int64s, progress: Progress) -> int:
    n = len(rows)
    begins, holders, shares = rows.inverted
    progress.check()
    holders, shares, ends = holders.copy(), shares.copy(), begins[1:].copy()
    state = np.array([0, n, 0], dtype=np.int64)
    overlap = np.zeros(n)
    progress.stage("grouping users", n)
    users = kernels.ShareRows(rows.starts, rows.columns, rows.values)
    clusters = kernels.ShareColumns(begins, ends, holders, shares)
    while not kernels.group_nearest(state, k, users, clusters, group, overlap, _WORK):
        progress.update(n - int(state[1]))
    return int(state[2])


def _place_leftovers(rows: SparseRows, group: Int64s, groups: int, progress: Progress) -> None:
    """Put each ungrouped user into the group with the greatest mean overlap."""
    leftovers = np.flatnonzero(group < 0)
    grouped = group >= 0
    size = np.bincount(group[grouped], minlength=groups)
    dense, out = np.zeros(rows.width), np.empty(len(rows))
    everybody = np.arange(len(rows))
    progress.stage("assigning remaining users", len(leftovers))
    for row in leftovers.tolist():
        kernels.compute_overlaps(row, everybody, rows.starts, rows.columns, rows.values, dense, out)
        similarity = np.bincount(group[grouped], weights=out[grouped], minlength=groups) / size
        group[row] = int(similarity.argmax())
        progress.advance()


def choose_representatives(rows: SparseRows, group: Int64s, groups: int) -> Int64s:
    """The row of each group with the greatest total similarity to the others, else the first.

    O(entries log entries) whatever the groups' sizes.
    """
    similarity = group_similarities(rows, group)
    # Prefix sums round differently for equal members: judge to 9 digits, then by the order.
    best = np.lexsort((np.arange(len(rows)), -similarity.round(9), group))
    _, first = np.unique(group[best], return_index=True)
    representatives: Int64s = best[first]
    return representatives[:groups]


def group_similarities(rows: SparseRows, group: Int64s) -> Float64s:
    """Each row's total similarity Σ min to all of its group, itself included; shape (rows,).

    O(entries log entries): a sort by group and cluster, and the shares of each such cell.
    """
    row = np.repeat(np.arange(len(rows)), np.diff(rows.starts))
    key = group[row] * max(rows.width, 1) + rows.columns
    order = np.argsort(key)
    total = np.zeros(len(rows))
    kernels.add_similarities(key[order], row[order], rows.values[order], total)
    return total


def _split_groups(
    rows: SparseRows, m: int, group: Int64s, lead: Int64s, progress: Progress
) -> Int64s:
    part = np.full(len(rows), -1, dtype=np.int64)
    order = np.argsort(group, kind="stable")
    bounds = np.concatenate(([0], np.cumsum(np.bincount(group, minlength=len(lead)))))
    weight = np.concatenate(([0], np.cumsum(np.diff(rows.starts)[order])))
    dense = np.zeros(rows.width)
    groups = kernels.GroupSplit(order, bounds, lead, part)
    users = kernels.ShareRows(rows.starts, rows.columns, rows.values)
    costs = np.diff(bounds) // m * np.diff(weight[bounds])
    ends = np.concatenate(([0], np.cumsum(costs)))
    offset = 0
    for first, last in progress.whole_blocks("splitting groups", ends, _WORK):
        offset = kernels.split_groups(m, groups, first, last, users, dense, offset)
    return part
