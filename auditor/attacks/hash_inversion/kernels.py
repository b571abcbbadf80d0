"""Compiled loops of the hash inversion: distances and one-to-one matchings.

Distances rest on Σ|a − b| = Σa + Σb − 2·Σmin(a, b): only neighbours that both terms share cost
anything. The sums of minima come from an inverted index on the token side (section 3.4.4).

Matchings take distances as float32 (m, k), infinite where a pair is no candidate, in steps so that
cancel is heard. Ties go by (distance, row, column), so every result is that of a stable sort.
"""

from __future__ import annotations

import heapq
from typing import NamedTuple

import numpy as np
from numba import njit

from auditor.arrays import Bools, Float32s, Int32s, Int64s, UInt32s

_INF = np.float32(np.inf)


class WeightedRows(NamedTuple):
    """A sparse matrix: row i has ``columns[starts[i]:starts[i + 1]]`` with `values` beside them."""

    starts: Int64s
    columns: UInt32s
    values: Float32s


@njit(cache=True, nogil=True)
def add_overlaps(
    first: int,
    last: int,
    rows: WeightedRows,
    column: Int32s,
    index: WeightedRows,
    product: bool,
    out: Float32s,
) -> None:
    """Σ min(a, b), or Σ a·b, of hashes ``first:last`` with every token, into zeroed `out`.

    `index` holds for each token-side column the tokens that have it.
    ``column[c]`` is the token-side column that the hash-side column c is mapped to, −1 if none.
    """
    indptr, indices, values = rows
    index_starts, index_rows, index_values = index
    for row in range(first, last):
        line = out[row - first]
        for entry in range(indptr[row], indptr[row + 1]):
            image = column[indices[entry]]
            if image < 0:
                continue
            a = values[entry]
            start, stop = index_starts[image], index_starts[image + 1]
            if product:
                for place in range(start, stop):
                    line[index_rows[place]] += a * index_values[place]
            else:
                for place in range(start, stop):
                    b = index_values[place]
                    line[index_rows[place]] += b if b < a else a


@njit(cache=True, nogil=True, inline="always")
def _find_nearest(line: Float32s, taken: Bools) -> tuple[int, np.float32]:
    best, where = _INF, -1
    for column in range(len(line)):
        if line[column] < best and not taken[column]:
            best, where = line[column], column
    return where, best


@njit(cache=True, nogil=True)
def match_greedily(distance: Float32s, stop: Bools) -> Int32s:
    """The column of each row, the nearest pair first, −1 where none is left; `stop` ends it.

    A row's entry in the heap is out of date when its column was taken; then the next is sought.
    """
    rows, columns = distance.shape
    mapping, taken = np.full(rows, -1, np.int32), np.zeros(columns, np.bool_)
    nearest = np.full(rows, -1, np.int32)
    heap = [(_INF, rows) for _ in range(0)]
    for row in range(rows):
        if stop[0]:
            return mapping
        nearest[row], value = _find_nearest(distance[row], taken)
        if nearest[row] >= 0:
            heap.append((value, row))
    heapq.heapify(heap)
    while len(heap) > 0 and not stop[0]:
        _, row = heap[0]
        if not taken[nearest[row]]:
            mapping[row] = nearest[row]
            taken[nearest[row]] = True
            heapq.heappop(heap)
            continue
        nearest[row], value = _find_nearest(distance[row], taken)
        if nearest[row] >= 0:
            heapq.heapreplace(heap, (value, row))
        else:
            heapq.heappop(heap)
    return mapping
