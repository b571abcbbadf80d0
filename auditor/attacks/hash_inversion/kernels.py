"""Compiled loops of the hash inversion: counting co-occurrences, and distances by blocks of rows.

Distances rest on Σ|a − b| = Σa + Σb − 2·Σmin(a, b): only neighbours that both terms share cost
anything. The sums of minima come from an inverted index on the token side (section 3.4.4).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from auditor.arrays import Bools, Float32s, Float64s, Int32s, Int64s, RaggedArray, UInt32s

L1, L2, COSINE = 0, 1, 2


class CooccurrenceRows(NamedTuple):
    """Rows end to end: the other terms, their counts, and the length of each row."""

    terms: Int32s
    counts: Int64s
    sizes: Int64s


class WeightedRows(NamedTuple):
    """A sparse matrix: row i has ``columns[starts[i]:starts[i + 1]]`` with `values` beside them."""

    starts: Int64s
    columns: UInt32s
    values: Float32s


@njit(cache=True, nogil=True)
def add_single(
    first: int, last: int, codes: Int32s, offsets: Int64s, weights: Int64s, n: int, out: Int64s
) -> None:
    """Add the weights of the strings ``first:last`` that hold one term of n to that term."""
    for doc in range(first, last):
        held, term = 0, -1
        for at in range(offsets[doc], offsets[doc + 1]):
            if codes[at] < n:
                held += 1
                term = codes[at]
        if held == 1:
            out[term] += weights[doc]


@njit(cache=True, nogil=True)
def count_rows(
    first: int,
    last: int,
    postings: RaggedArray,
    tokens: RaggedArray,
    weights: Int64s,
    total: Int64s,
    out: CooccurrenceRows,
) -> int:
    """Co-occurrence counts of the terms ``first:last`` as rows end to end; returns the entries.

    `total` is zero, one place a term. Entries of a row stand in ascending order of terms.
    """
    starts, docs = postings
    offsets, codes = tokens
    terms, counts, sizes = out
    place = 0
    for term in range(first, last):
        begin = place
        for at in range(starts[term], starts[term + 1]):
            doc = docs[at]
            for other in range(offsets[doc], offsets[doc + 1]):
                neighbour = codes[other]
                if neighbour != term:
                    if total[neighbour] == 0:
                        terms[place] = neighbour
                        place += 1
                    total[neighbour] += weights[doc]
        terms[begin:place].sort()
        for at in range(begin, place):
            counts[at] = total[terms[at]]
            total[terms[at]] = 0
        sizes[term - first] = place - begin
    return place


@njit(cache=True, nogil=True)
def work_of_rows(rows: WeightedRows, column: Int32s, index_starts: Int64s, work: Int64s) -> None:
    """How many entries of the inverted index each row of `overlaps` will touch."""
    for row in range(len(rows.starts) - 1):
        sum_ = 0
        for at in range(rows.starts[row], rows.starts[row + 1]):
            image = column[rows.columns[at]]
            if image >= 0:
                sum_ += index_starts[image + 1] - index_starts[image]
        work[row] = sum_


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
        for at in range(indptr[row], indptr[row + 1]):
            image = column[indices[at]]
            if image < 0:
                continue
            a = values[at]
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
        if measure == L1:
            for other in range(len(line)):
                line[other] = max(mass + right[other] - 2.0 * line[other], 0.0)
        elif measure == L2:
            for other in range(len(line)):
                line[other] = math.sqrt(max(mass + right[other] - 2.0 * line[other], 0.0))
        else:
            for other in range(len(line)):
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
            apart = 0.0
            for k in range(size):
                apart += abs(left[first + row, k] - right[other, k])
            delta = 1.0 - line[other] / gamma if gamma > 0 else 1.0
            line[other] = max(delta, 0.0) + (1.0 - gamma) * apart / size


@njit(cache=True, nogil=True)
def add_scaled(out: Float32s, first: int, weight: float, left: Float64s, right: Float64s) -> None:
    """Add ``weight · |left − right|₁`` of features to the distances of hashes from `first` on."""
    size = left.shape[1]
    for row in range(len(out)):
        for other in range(out.shape[1]):
            apart = 0.0
            for k in range(size):
                apart += abs(left[first + row, k] - right[other, k])
            out[row, other] += weight * apart


@njit(cache=True, nogil=True)
def mark_heaviest(indptr: Int64s, values: Float32s, share: float, keep: Bools) -> None:
    """β-pruning: mark the fewest entries of each row that hold `share` of the row's sum."""
    for row in range(len(indptr) - 1):
        start, stop = indptr[row], indptr[row + 1]
        wanted = 0.0
        for place in range(start, stop):
            wanted += values[place]
        wanted *= share
        order = np.argsort(-values[start:stop], kind="mergesort")
        held = 0.0
        for at in order:
            if held >= wanted * (1.0 - 1e-6) and held > 0.0:
                break
            keep[start + at] = True
            held += values[start + at]
