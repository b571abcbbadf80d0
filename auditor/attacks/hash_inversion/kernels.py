"""Compiled loops of the hash inversion: distances and one-to-one matchings.

Distances rest on Σ|a − b| = Σa + Σb − 2·Σmin(a, b): only neighbours that both terms share cost
anything. The sums of minima come from an inverted index on the token side (section 3.4.4).

Matchings take distances as float32 (m, k), infinite where a pair is no candidate, in steps so that
cancel is heard. Ties go by (distance, row, column), so every result is that of a stable sort.
"""

import heapq
import math
from typing import NamedTuple

import numpy as np
from numba import njit

from auditor.arrays import Bools, Float32s, Float64s, Int32s, Int64s, UInt32s

L1, L2, COSINE = 0, 1, 2
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


@njit(cache=True, nogil=True)
def overlaps_to_distances(
    first: int, out: Float32s, left: Float64s, right: Float64s, measure: int
) -> None:
    """Turn the overlaps in `out` into L1, L2 or cosine distances.

    `left` and `right` are the masses of hashes and tokens over mapped terms: Σ|a| for L1, Σa²
    for the others.
    """
    for row in range(len(out)):
        mass = left[first + row]
        line = out[row]
        for other in range(len(line)):
            if measure != COSINE:
                squared = max(mass + right[other] - 2.0 * line[other], 0.0)
                line[other] = squared if measure == L1 else math.sqrt(squared)
            else:
                norm = mass * right[other]
                line[other] = max(1.0 - line[other] / math.sqrt(norm), 0.0) if norm > 0 else 1.0


@njit(cache=True, nogil=True)
def finish_expanded(
    first: int, out: Float32s, covered: Float64s, left: Float64s, right: Float64s
) -> None:
    """Turn the overlaps in `out` into d̃ of section 3.4.1; `covered` is γ of each hash."""
    size = left.shape[1]
    for row in range(len(out)):
        gamma = covered[first + row]
        line = out[row]
        for other in range(len(line)):
            difference = 0.0
            for k in range(size):
                difference += abs(left[first + row, k] - right[other, k])
            delta = 1.0 - line[other] / gamma if gamma > 0 else 1.0
            line[other] = max(delta, 0.0) + (1.0 - gamma) * difference / size


@njit(cache=True, nogil=True)
def add_scaled(out: Float32s, first: int, weight: float, left: Float64s, right: Float64s) -> None:
    """Add ``weight · |left − right|₁`` of features to the distances of hashes from `first` on."""
    size = left.shape[1]
    for row in range(len(out)):
        for other in range(out.shape[1]):
            difference = 0.0
            for k in range(size):
                difference += abs(left[first + row, k] - right[other, k])
            out[row, other] += weight * difference


class PairEstimates(NamedTuple):
    """What a continuous update changes on its way.

    `estimate` (hashes, tokens) is each pair's distance as far as it is known, `best` and `where`
    each hash's nearest free token. `mapping` and `taken` say which pairs are fixed.
    """

    estimate: Float32s
    best: Float32s
    where: Int32s
    mapping: Int32s
    taken: Bools


@njit(cache=True, nogil=True, inline="always")
def _find_nearest(line: Float32s, is_taken: Bools) -> tuple[int, np.float32]:
    best, best_column = _INF, -1
    for column in range(len(line)):
        if line[column] < best and not is_taken[column]:
            best, best_column = line[column], column
    return best_column, best


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


@njit(cache=True, nogil=True)
def match_greedily(distance: Float32s, stop: Bools) -> Int32s:
    """The column of each row, the nearest pair first, −1 where none is left; `stop` ends it.

    A row's entry in the heap is out of date when its column was taken; then the next is sought.
    """
    rows, columns = distance.shape
    mapping, is_taken = np.full(rows, -1, np.int32), np.zeros(columns, np.bool_)
    nearest = np.full(rows, -1, np.int32)
    heap = [(_INF, rows) for _ in range(0)]
    for row in range(rows):
        if stop[0]:
            return mapping
        nearest[row], value = _find_nearest(distance[row], is_taken)
        if nearest[row] >= 0:
            heap.append((value, row))
    heapq.heapify(heap)
    while len(heap) > 0 and not stop[0]:
        _, row = heap[0]
        if not is_taken[nearest[row]]:
            mapping[row] = nearest[row]
            is_taken[nearest[row]] = True
            heapq.heappop(heap)
            continue
        nearest[row], value = _find_nearest(distance[row], is_taken)
        if nearest[row] >= 0:
            heapq.heapreplace(heap, (value, row))
        else:
            heapq.heappop(heap)
    return mapping


@njit(cache=True, nogil=True)
def fix_pairs(
    hashes: WeightedRows, tokens: WeightedRows, pairs: PairEstimates, row: int, column: int
) -> int:
    """Map `row` to `column` and lower the estimates of all pairs of their neighbours.

    `hashes` and `tokens` hold for each word the words that have it as a neighbour, and their
    co-occurrence share.
    The overlap min(a, b) is taken away: the printed formula's min(a, |a − b|) would take nothing
    where a = b. Returns the work.
    """
    estimate, best, nearest, mapping, is_taken = pairs
    mapping[row] = column
    is_taken[column] = True
    work = 0
    for i in range(hashes.starts[row], hashes.starts[row + 1]):
        hash_ = hashes.columns[i]
        if mapping[hash_] >= 0:
            continue
        a = hashes.values[i]
        line = estimate[hash_]
        least, place = best[hash_], nearest[hash_]
        for j in range(tokens.starts[column], tokens.starts[column + 1]):
            token = tokens.columns[j]
            if is_taken[token]:
                continue
            b = tokens.values[j]
            line[token] -= b if b < a else a
            if line[token] < least or (line[token] == least and token < place):
                least, place = line[token], token
        best[hash_], nearest[hash_] = least, place
        work += tokens.starts[column + 1] - tokens.starts[column]
    return work


@njit(cache=True, nogil=True)
def continue_step(
    hashes: WeightedRows, tokens: WeightedRows, pairs: PairEstimates, budget: int
) -> bool:
    """Fix the nearest unmapped pairs one after the other; true when none is left.

    The heap of pairs is kept as the nearest free column of each row: the same order of pops
    in n places. Stops after about `budget` units of work.
    """
    estimate, best, nearest, mapping, is_taken = pairs
    while budget > 0:
        least, row = _INF, -1
        for other in range(len(best)):
            if mapping[other] < 0 and nearest[other] >= 0 and best[other] < least:
                least, row = best[other], other
        budget -= len(best)
        if row < 0:
            return True
        column = nearest[row]
        if is_taken[column]:
            nearest[row], best[row] = _find_nearest(estimate[row], is_taken)
            budget -= estimate.shape[1]
            continue
        budget -= fix_pairs(hashes, tokens, pairs, np.int64(row), np.int64(column))
    return False
