"""Compiled grouping of users by overlap: candidate search over an inverted index, row by row."""

from __future__ import annotations

import heapq
from typing import NamedTuple

import numpy as np
from numba import njit

from auditor.arrays import Array

_PIECE = 256
"""Rows that are judged by their greatest, unless one of them may be kept."""


class ShareRows(NamedTuple):
    """The shares of each user by cluster: row u is ``starts[u]:starts[u + 1]``."""

    starts: Array
    columns: Array
    values: Array


class ShareColumns(NamedTuple):
    """The users of each cluster and their shares; cluster c has ``begins[c]:ends[c]``."""

    begins: Array
    ends: Array
    rows: Array
    shares: Array


class GroupSplit(NamedTuple):
    """Groups ``order[bounds[g]:bounds[g + 1]]``, the seed of each, and the part of each user."""

    order: Array
    bounds: Array
    lead: Array
    part: Array


@njit(cache=True, nogil=True)
def group_nearest(
    state: Array,
    k: int,
    users: ShareRows,
    clusters: ShareColumns,
    group: Array,
    overlap: Array,
    work: int,
) -> bool:
    """Group the first ungrouped user with its k − 1 nearest ungrouped, again and again.

    Nearest is the greatest overlap, then the smaller row; users who share nothing come last, by
    row. Entries of grouped users leave a column when they are an eighth of it, so a column costs
    its ungrouped users. Stops after about `work` additions, or with fewer than k users left
    (returns True). `state` holds: first row that may be ungrouped, users left, groups made.
    Between seeds everybody's `overlap` with the seed is zero, and −inf of who is in a group: no
    addition needs to ask.
    """
    starts, columns, values = users
    begins, ends, rows, shares = clusters
    spent = 0
    while state[1] >= k:
        if spent > work:
            return False
        while group[state[0]] >= 0:
            state[0] += 1
        seed = state[0]
        number = state[2]
        group[seed], overlap[seed] = number, -np.inf
        profile = columns[starts[seed] : starts[seed + 1]]
        met = _add_overlaps(profile, values[starts[seed] :], begins, ends, rows, shares, overlap)
        nearest = _find_nearest(seed + 1, k - 1, overlap)
        for _, row in nearest:
            group[-row], overlap[-row] = number, -np.inf
        count = len(nearest)
        after = seed + 1
        while count < k - 1:  # nobody else shares a cluster with the seed
            if group[after] < 0:
                group[after], overlap[after] = number, -np.inf
                count += 1
            after += 1
        state[1] -= k
        state[2] += 1
        spent += met + (len(group) >> 3)
    return True


@njit(cache=True, nogil=True)
def _add_overlaps(
    columns: Array,
    values: Array,
    begins: Array,
    ends: Array,
    rows: Array,
    shares: Array,
    overlap: Array,
) -> int:
    """Add to everybody's overlap what they share with the seed; how many entries were read."""
    met = 0
    for index in range(len(columns)):
        share, first, last = values[index], begins[columns[index]], ends[columns[index]]
        gone = 0
        for place in range(first, last):
            before = overlap[rows[place]]
            gone += before < 0
            overlap[rows[place]] = before + min(share, shares[place])
        met += last - first
        if gone > (last - first) >> 3:
            end = first
            for place in range(first, last):
                if overlap[rows[place]] >= 0:
                    rows[end], shares[end] = rows[place], shares[place]
                    end += 1
            ends[columns[index]] = end
    return met


@njit(cache=True, nogil=True)
def _find_nearest(first: int, room: int, overlap: Array) -> list[tuple[float, int]]:
    """The `room` best of all from `first` on, in passes that the processor does several at once.

    Rows ascend, so one that is as near as the worst that is kept comes too late.
    """
    heap = [(0.0, row) for row in range(0)]
    least = 0.0
    for low in range(first, len(overlap), _PIECE):
        high = min(low + _PIECE, len(overlap))
        most = 0.0
        for row in range(low, high):
            most = max(most, overlap[row])
        if most <= least:
            continue
        for row in range(low, high):
            if overlap[row] > least:
                _offer_row(heap, room, row, overlap)
                if len(heap) == room > 0:
                    least = heap[0][0]
    for row in range(first, len(overlap)):
        overlap[row] = min(overlap[row], 0.0)
    return heap


@njit(cache=True, nogil=True)
def _offer_row(heap: list[tuple[float, int]], room: int, row: int, overlap: Array) -> None:
    """Keep the `room` best rows in a heap of (overlap, −row), whose root is the worst."""
    if len(heap) < room:
        heapq.heappush(heap, (overlap[row], -row))
    elif room > 0:
        heapq.heappushpop(heap, (overlap[row], -row))


@njit(cache=True, nogil=True)
def split_groups(
    m: int, groups: GroupSplit, first: int, last: int, users: ShareRows, dense: Array, offset: int
) -> int:
    """Split the groups ``first:last`` into parts of at least m around seeds.

    The first seed is the group's `lead`, the next ones its first unplaced members; each takes its
    m − 1 nearest unplaced, and the fewer than m that are left join the part of the seed nearest to
    each. Numbers parts from `offset`; returns the next number. O(group² / m · entries) a group.
    """
    order, bounds, lead, part = groups
    starts, columns, values = users
    for g in range(first, last):
        members = order[bounds[g] : bounds[g + 1]]
        size = len(members)
        near = np.zeros(size, dtype=np.float64)
        seeds = np.empty(size // m, dtype=np.int64)
        for number in range(size // m):
            seed = lead[g]
            if number:
                for member in members:
                    if part[member] < 0:
                        seed = member
                        break
            seeds[number] = seed
            part[seed] = offset + number
            compute_overlaps(seed, members, starts, columns, values, dense, near)
            for _ in range(m - 1):
                best = -1
                for index in range(size):
                    if part[members[index]] < 0 and (best < 0 or near[index] > near[best]):
                        best = index
                part[members[best]] = offset + number
        for member in members:
            if part[member] < 0:
                compute_overlaps(member, seeds, starts, columns, values, dense, near)
                best = 0
                for index in range(len(seeds)):
                    if near[index] > near[best]:
                        best = index
                part[member] = offset + best
        offset += size // m
    return offset


@njit(cache=True, nogil=True)
def compute_overlaps(
    row: int, others: Array, starts: Array, columns: Array, values: Array, dense: Array, out: Array
) -> None:
    """Write the overlap of `row` with each of others; `dense` (one a column) is 0 in between."""
    for entry in range(starts[row], starts[row + 1]):
        dense[columns[entry]] = values[entry]
    for index in range(len(others)):
        total = 0.0
        for entry in range(starts[others[index]], starts[others[index] + 1]):
            total += min(values[entry], dense[columns[entry]])
        out[index] = total
    for entry in range(starts[row], starts[row + 1]):
        dense[columns[entry]] = 0


@njit(cache=True, nogil=True)
def add_similarities(key: Array, row: Array, share: Array, total: Array) -> None:
    """Add to ``total[row]`` the sum of min(own share, share) over each entry's cell of equal keys.

    Entries of one cell stand together. O(entries · 32), and a sort of each larger cell.
    """
    first = 0
    while first < len(key):
        last = first + 1
        while last < len(key) and key[last] == key[first]:
            last += 1
        size = last - first
        if size <= 32:
            for i in range(first, last):
                similarity = share[i]
                for j in range(first, last):
                    if j != i:
                        similarity += min(share[i], share[j])
                total[row[i]] += similarity
        else:
            order = np.argsort(share[first:last])
            below = 0.0
            for place in range(size):
                i = first + order[place]
                total[row[i]] += below + share[i] * (size - place)
                below += share[i]
        first = last
