"""Overlaps Σ min(a, b) of sparse non-negative rows, through an inverted index.

Σ|a − b| = mass(a) + mass(b) − 2 Σ min(a, b), and only rows that share a column overlap at all:
so distances between all rows cost Σ_c (entries of column c)² additions instead of rows² · columns.
Rows are CSR (`starts`, `columns`, `values`); columns come as uint32, which spares numba the test
for negative indices.
"""

from numba import njit

from auditor.arrays import Array


@njit(cache=True, nogil=True)
def overlap_rows(
    starts: Array,
    columns: Array,
    values: Array,
    begins: Array,
    rows: Array,
    shares: Array,
    row_numbers: Array,
    out: Array,
) -> None:
    """Write Σ_c min(a_ic, b_jc) into ``out[n, j]`` for each i = ``chosen[n]`` and every row j of b.

    Row i of a has ``columns[starts[i]:starts[i + 1]]``, column c of b stands in
    ``rows[begins[c]:begins[c + 1]]``, `values` and `shares` beside. `out` must be zero at the
    start; a and b may be the same rows.
    """
    for number in range(len(row_numbers)):
        line = out[number]
        for entry in range(starts[row_numbers[number]], starts[row_numbers[number] + 1]):
            column, share = columns[entry], values[entry]
            for place in range(begins[column], begins[column + 1]):
                line[rows[place]] += min(share, shares[place])
