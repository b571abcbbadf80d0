"""Compiled one-to-one matchings on a matrix of distances, each in steps so that cancel is heard.

Distances are float32, shape (m, k); infinite where a pair is no candidate. Ties go by (distance,
row, column) everywhere, so every result is that of a stable sort.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from auditor.arrays import Bools, Float32s, Int32s, Int64s, UInt32s

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
