"""Sparse rows of shares, and the L1 distances between them in blocks of rows.

Never more than a block of the matrix of distances is held; several threads work on different
rows. Cost: Σ_c (entries of column c)² additions for all pairs, half of that for `above`.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from auditor.arrays import Float64s, Floats, Int64s, UInt32s
from auditor.progress import Progress

_THREADS = 2


@dataclass(frozen=True, eq=False)
class SparseRows:
    """Sparse non-negative rows; a row's columns are distinct.

    Attributes
    ----------
    starts
        int64 place at which each row begins; shape (rows + 1,).
    columns
        uint32 column of each entry; shape (entries,).
    values
        The entries themselves; shape (entries,).
    width
        How many columns there are.
    """

    starts: Int64s
    columns: UInt32s
    values: Floats
    width: int

    def __len__(self) -> int:
        return len(self.starts) - 1

    @cached_property
    def mass(self) -> Float64s:
        """Sum of each row; shape (rows,)."""
        total = np.concatenate(([0.0], np.cumsum(self.values, dtype=np.float64)))
        return total[self.starts[1:]] - total[self.starts[:-1]]

    @cached_property
    def inverted(self) -> tuple[Int64s, UInt32s, Floats]:
        """Where each column begins, and the row and value of its entries, ascending by row."""
        from scipy.sparse import csr_array

        entries = (self.values, self.columns.astype(np.int64), self.starts)
        columns = csr_array(entries, (len(self), self.width)).tocsc()
        values = columns.data.astype(self.values.dtype, copy=False)
        return columns.indptr.astype(np.int64), columns.indices.astype(np.uint32), values


def iterate_overlaps(
    a: SparseRows, b: SparseRows, progress: Progress, *, block: int = 64
) -> Iterator[tuple[Int64s, Floats]]:
    """Yield (rows of a, Σ min with every row of b) block by block; shapes (r,) and (r, len(b)).

    Rows of a block stand apart, so that blocks are equally heavy.
    """
    from auditor.log import overlap_kernels

    matrices = (a.starts, a.columns, a.values, *b.inverted)
    count = -(-len(a) // block)

    def compute_part(number: int) -> tuple[Int64s, Floats]:
        block_rows = np.arange(number, len(a), count, dtype=np.int64)
        out = np.zeros((len(block_rows), len(b)), dtype=a.values.dtype)
        overlap_kernels.overlap_rows(*matrices, block_rows, out)
        return block_rows, out

    progress.stage("comparing users", len(a))
    with ThreadPoolExecutor(_THREADS) as pool:
        for first in range(0, count, _THREADS):
            for block_rows, out in pool.map(
                compute_part, range(first, min(first + _THREADS, count))
            ):
                yield block_rows, out
                progress.advance(len(block_rows))
