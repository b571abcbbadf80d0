"""The compiled loop of the hash inversion: what hashes and tokens have in common.

Distances rest on Σ|a − b| = Σa + Σb − 2·Σmin(a, b): only neighbours that both terms share cost
anything. The sums of minima come from an inverted index on the token side (section 3.4.4).
"""

from __future__ import annotations

from typing import NamedTuple

from numba import njit

from auditor.arrays import Float32s, Int32s, Int64s, UInt32s


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
