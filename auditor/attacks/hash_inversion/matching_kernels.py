"""Compiled one-to-one matchings on a matrix of distances, each in steps so that cancel is heard.

Distances are float32, shape (m, k); infinite where a pair is no candidate. Ties go by (distance,
row, column) everywhere, so every result is that of a stable sort.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from auditor.arrays import Bools, Float32s, Float64s, Int32s, Int64s, UInt32s

_INF = np.float32(np.inf)


@njit(cache=True, nogil=True, inline="always")
def _nearest(line: Float32s, taken: Bools) -> tuple[int, np.float32]:
    best, where = _INF, -1
    for column in range(len(line)):
        if line[column] < best and not taken[column]:
            best, where = line[column], column
    return where, best


@njit(cache=True, nogil=True)
def nearest_of_rows(
    first: int, last: int, distance: Float32s, taken: Bools, best: Float32s, where: Int32s
) -> None:
    """The nearest free column of each row ``first:last`` (−1 if none) and its distance."""
    for row in range(first, last):
        column, value = _nearest(distance[row], taken)
        where[row], best[row] = column, value


@njit(cache=True, nogil=True)
def two_nearest(
    first: int, last: int, distance: Float32s, rows: Float32s, columns: Float32s
) -> None:
    """The two least distances of each row ``first:last``, and of each column so far.

    `rows` is (m, 2), `columns` (k, 2) and infinite before the first block.
    """
    for row in range(first, last):
        low, second = _INF, _INF
        for column in range(distance.shape[1]):
            value = distance[row, column]
            if value < second:
                if value < low:
                    low, second = value, low
                else:
                    second = value
            if value < columns[column, 1]:
                if value < columns[column, 0]:
                    columns[column, 1] = columns[column, 0]
                    columns[column, 0] = value
                else:
                    columns[column, 1] = value
        rows[row, 0], rows[row, 1] = low, second


@njit(cache=True, nogil=True, inline="always")
def _sink(heap: Int32s, size: int, place: int, best: Float32s) -> None:
    row = heap[place]
    while True:
        child = 2 * place + 1
        if child >= size:
            break
        right = child + 1
        if right < size and (
            best[heap[right]] < best[heap[child]]
            or (best[heap[right]] == best[heap[child]] and heap[right] < heap[child])
        ):
            child = right
        other = heap[child]
        if best[row] < best[other] or (best[row] == best[other] and row < other):
            break
        heap[place] = other
        place = child
    heap[place] = row


@njit(cache=True, nogil=True)
def make_heap(heap: Int32s, best: Float32s) -> None:
    """Order rows by (nearest distance, row)."""
    for place in range(len(heap) // 2 - 1, -1, -1):
        _sink(heap, len(heap), place, best)


@njit(cache=True, nogil=True)
def greedy_step(
    distance: Float32s,
    heap: Int32s,
    size: int,
    best: Float32s,
    where: Int32s,
    taken: Bools,
    mapping: Int32s,
    scans: int,
) -> int:
    """Match the nearest pairs first until `scans` rows were searched anew; returns the size left.

    A row's entry is out of date when its column was taken; then the next nearest is sought. A
    row without candidates keeps the mapping −1.
    """
    while size > 0 and scans > 0:
        row = heap[0]
        column = where[row]
        if column >= 0 and taken[column]:
            column, value = _nearest(distance[row], taken)
            where[row], best[row] = column, value
            scans -= 1
            if column >= 0:
                _sink(heap, size, 0, best)
                continue
        if column >= 0:
            mapping[row] = column
            taken[column] = True
        size -= 1
        heap[0] = heap[size]
        if size > 0:
            _sink(heap, size, 0, best)
    return size


@njit(cache=True, nogil=True)
def stable_step(
    distance: Float32s,
    queue: Int32s,
    size: int,
    last: Int32s,
    holder: Int32s,
    proposals: int,
) -> int:
    """Gale–Shapley: rows in `queue` propose to ever farther columns; returns the queue's size.

    ``last[row]`` is the column a row proposed to last, ``holder[column]`` the row it holds.
    """
    while size > 0 and proposals > 0:
        row = queue[size - 1]
        line = distance[row]
        before = last[row]
        floor = line[before] if before >= 0 else np.float32(-1.0)
        best, where = _INF, -1
        for column in range(len(line)):
            value = line[column]
            if value < best and (value > floor or (value == floor and column > before)):
                best, where = value, column
        proposals -= 1
        if where < 0:
            size -= 1
            continue
        last[row] = where
        held = holder[where]
        if held < 0:
            holder[where] = row
            size -= 1
        elif best < distance[held, where] or (best == distance[held, where] and row < held):
            holder[where] = row
            queue[size - 1] = held
    return size


@njit(cache=True, nogil=True)
def reduce_rows(
    first: int,
    last: int,
    cost: Float32s,
    u: Float64s,
    v: Float64s,
    owner: Int32s,
    free: Int32s,
    left: int,
) -> int:
    """Give the rows ``first:last`` the column that is cheapest beyond `v`, where it is free.

    `u` become the rows' minima of cost − v. The other rows go to `free`, of which `left` are
    filled; returns how many then are.
    """
    for row in range(first, last):
        best, where = np.inf, 0
        for column in range(cost.shape[1]):
            value = cost[row, column] - v[column]
            if value < best:
                best, where = value, column
        u[row] = best
        if owner[where] < 0:
            owner[where] = row
        else:
            free[left] = row
            left += 1
    return left


@njit(cache=True, nogil=True)
def augment(
    cost: Float32s,
    row: int,
    u: Float64s,
    v: Float64s,
    owner: Int32s,
    slack: Float64s,
    before: Int32s,
    seen: Bools,
) -> None:
    """Give `row` a column by a shortest augmenting path; O(n · length of the search)."""
    n = cost.shape[1]
    slack[:] = np.inf
    before[:] = -1
    seen[:] = False
    here, from_column = row, -1
    while True:
        step, reached = np.inf, -1
        for column in range(n):
            if seen[column]:
                continue
            value = cost[here, column] - u[here] - v[column]
            if value < slack[column]:
                slack[column], before[column] = value, from_column
            if slack[column] < step:
                step, reached = slack[column], column
        u[row] += step
        for column in range(n):
            if seen[column]:
                u[owner[column]] += step
                v[column] -= step
            else:
                slack[column] -= step
        seen[reached] = True
        if owner[reached] < 0:
            break
        here, from_column = owner[reached], reached
    while True:
        earlier = before[reached]
        if earlier < 0:
            owner[reached] = row
            break
        owner[reached] = owner[earlier]
        reached = earlier


@njit(cache=True, nogil=True)
def fix_pairs(
    a_starts: Int64s,
    a_terms: UInt32s,
    a_values: Float32s,
    b_starts: Int64s,
    b_terms: UInt32s,
    b_values: Float32s,
    estimate: Float32s,
    best: Float32s,
    where: Int32s,
    mapping: Int32s,
    taken: Bools,
    row: int,
    column: int,
) -> int:
    """Map `row` to `column` and lower the estimates of all pairs of their neighbours.

    ``a_starts`` and its like list, for each hash, the hashes that hold it as a neighbour and
    their co-occurrence share; ``b_starts`` the same for tokens. The overlap min(a, b) is taken
    away: the printed formula's min(a, |a − b|) would take nothing where a = b. Returns the work.
    """
    mapping[row] = column
    taken[column] = True
    work = 0
    for i in range(a_starts[row], a_starts[row + 1]):
        hash_ = a_terms[i]
        if mapping[hash_] >= 0:
            continue
        a = a_values[i]
        line = estimate[hash_]
        near, place = best[hash_], where[hash_]
        for j in range(b_starts[column], b_starts[column + 1]):
            token = b_terms[j]
            if taken[token]:
                continue
            b = b_values[j]
            line[token] -= b if b < a else a
            if line[token] < near or (line[token] == near and token < place):
                near, place = line[token], token
        best[hash_], where[hash_] = near, place
        work += b_starts[column + 1] - b_starts[column]
    return work


@njit(cache=True, nogil=True)
def continue_step(
    a_starts: Int64s,
    a_terms: UInt32s,
    a_values: Float32s,
    b_starts: Int64s,
    b_terms: UInt32s,
    b_values: Float32s,
    estimate: Float32s,
    best: Float32s,
    where: Int32s,
    mapping: Int32s,
    taken: Bools,
    budget: int,
) -> bool:
    """Fix the nearest unmapped pairs one after the other; true when none is left.

    The heap of pairs is kept as the nearest free column of each row: the same order of pops
    in n places. Stops after about `budget` units of work.
    """
    while budget > 0:
        near, row = _INF, -1
        for other in range(len(best)):
            if mapping[other] < 0 and where[other] >= 0 and best[other] < near:
                near, row = best[other], other
        budget -= len(best)
        if row < 0:
            return True
        column = where[row]
        if taken[column]:
            found, value = _nearest(estimate[row], taken)
            where[row], best[row] = found, value
            budget -= estimate.shape[1]
            continue
        budget -= fix_pairs(
            a_starts, a_terms, a_values, b_starts, b_terms, b_values,
            estimate, best, where, mapping, taken, row, column,
        )  # fmt: skip
    return False
