"""Distances between hashes and tokens under a mapping, by blocks of rows on every core.

d_μ(ℓ, r) = Σ_ℓ' |cooc_N(ℓ, ℓ') − cooc_N(r, μ(ℓ'))| over mapped ℓ' (Kumar et al., section 3.3),
or the L2 or cosine distance of the same two vectors. Cost: for each hash, the neighbours of its
neighbours' images (section 3.4.4). One float32 matrix of n² is held: 1 GiB at n = 16,384.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from auditor.arrays import Bools, Float32s, Float64s, Int32s, Int64s
from auditor.attacks.hash_inversion import kernels
from auditor.attacks.hash_inversion.features import InversionSide
from auditor.progress import Progress, run_in_threads, split_ranges

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Measure = Literal["l1", "l2", "cosine", "hellinger", "rare"]
UseBlock = Callable[[int, Float32s], None]
"""What is done with the first hash of a block and the block of distances."""

_CODES = {"l1": kernels.L1, "l2": kernels.L2}  # the others are cosines
POWERS: dict[str, float] = {"hellinger": 1 / 2, "rare": 1 / 3}
"""To what power shares are taken before their cosines; 1 where it isn't said."""
_WORK = 40_000_000  # entries of the index: some 40 ms
_ROWS = 256


@dataclass(frozen=True, eq=False)
class CooccurrenceVectors:
    """A side's terms as sparse vectors over columns, and the same indexed by column.

    The first n columns are co-occurrences with the n terms; further blocks of n columns, where
    there are any, hold other company (such as the next word).
    """

    rows: kernels.WeightedRows
    index: kernels.WeightedRows
    width: int

    def __len__(self) -> int:
        return len(self.rows.starts) - 1

    @property
    def terms(self) -> Int64s:
        """The term of each entry of the rows."""
        return np.repeat(np.arange(len(self)), np.diff(self.rows.starts))


def build_vectors(
    matrix: csr_array[Any, Any], *, beta: float = 1.0, power: float = 1.0
) -> CooccurrenceVectors:
    """From a sparse matrix of shares, after β-pruning where `beta` < 1; each to the `power`.

    The cosine of square roots is what the Hellinger distance rests on: it gives rare neighbours
    more weight than L1 does. Smaller powers give them more still.
    """
    shares = matrix.tocsr().astype(np.float32)
    if beta < 1:
        # Of each row the fewest entries, the heaviest, that hold `beta` of its sum.
        sizes, totals = np.diff(shares.indptr), np.asarray(shares.sum(axis=1, dtype=np.float64))
        row = np.repeat(np.arange(shares.shape[0]), sizes)
        order = np.lexsort((-shares.data, row))
        mass = np.concatenate(([0.0], np.cumsum(shares.data[order], dtype=np.float64)))
        before = mass[:-1] - np.repeat(mass[shares.indptr[:-1]], sizes)
        shares.data[order[before >= beta * (1.0 - 1e-6) * totals[row]]] = 0
        shares.eliminate_zeros()
    if power != 1:
        shares.data = shares.data**power
    rows, index = (
        kernels.WeightedRows(
            matrix.indptr.astype(np.int64), matrix.indices.astype(np.uint32), matrix.data
        )
        for matrix in (shares, shares.tocsc())
    )
    return CooccurrenceVectors(rows, index, shares.shape[1])


@dataclass(frozen=True, eq=False)
class VectorPair:
    """Both sides at one vocabulary size, ready for distances."""

    left: InversionSide
    right: InversionSide
    hashes: CooccurrenceVectors
    tokens: CooccurrenceVectors

    @classmethod
    def of(
        cls, left: InversionSide, right: InversionSide, *, beta: float = 1.0, power: float = 1.0
    ) -> VectorPair:
        """The sides' profiles as vectors, β-pruned and each share to the `power`."""
        both = [build_vectors(side.profile, beta=beta, power=power) for side in (left, right)]
        return cls(left, right, *both)

    @property
    def shape(self) -> tuple[int, int]:
        """Hashes and tokens."""
        return len(self.left), len(self.right)

    def map_columns(self, mapping: Int32s) -> Int32s:
        """The token-side column of each hash-side column; −1 where unmapped."""
        blocks = self.hashes.width // max(len(self.left), 1)
        offsets = np.arange(blocks)[:, None] * len(self.right)
        return np.where(mapping >= 0, mapping + offsets, -1).ravel().astype(np.int32)

    def sum_masses(self, column: Int32s, *, squared: bool) -> tuple[Float64s, Float64s]:
        """Σ a (or Σ a²) over mapped columns, of every hash and of every token."""
        image = np.zeros(self.tokens.width, dtype=np.bool_)
        image[column[column >= 0]] = True

        def sum_entries(side: CooccurrenceVectors, mapped: Bools) -> Float64s:
            values = side.rows.values.astype(np.float64) ** (2 if squared else 1)
            entries = values * mapped[side.rows.columns]
            return np.bincount(side.terms, entries, minlength=len(side)).astype(np.float64)

        return sum_entries(self.hashes, column >= 0), sum_entries(self.tokens, image)


def compute_distances(
    pair: VectorPair,
    mapping: Int32s,
    measure: Measure,
    progress: Progress,
    stage: str,
    *,
    weight: float = 0.0,
) -> Float32s:
    """d_μ of every hash with every token, as `use_distances`; float32, shape (hashes, tokens)."""
    out = np.zeros(pair.shape, dtype=np.float32)

    def keep(first: int, block: Float32s) -> None:
        out[first : first + len(block)] = block

    use_distances(pair, mapping, measure, keep, progress, stage, weight=weight)
    return out


def use_distances(
    pair: VectorPair,
    mapping: Int32s,
    measure: Measure,
    use: UseBlock,
    progress: Progress,
    stage: str,
    *,
    weight: float = 0.0,
) -> None:
    """Hand blocks of d_μ to `use`, in any order and from several threads: without n² of memory.

    `weight` times the fingerprints' L1 distance is added, which is beyond the source. For
    "hellinger" and "rare" the pair must hold the powers of `POWERS`.
    """
    column = pair.map_columns(mapping)
    squared = measure != "l1"
    masses = pair.sum_masses(column, squared=squared)
    code = _CODES.get(measure, kernels.COSINE)
    marks = (pair.left.fingerprint, pair.right.fingerprint) if weight else None

    def finish_block(first: int, block: Float32s) -> None:
        kernels.overlaps_to_distances(first, block, *masses, code)
        if marks is not None:
            kernels.add_scaled(block, first, weight, *marks)
        use(first, block)

    _compute_overlaps(pair, column, squared, finish_block, progress, stage)


def compute_expanded_distances(
    pair: VectorPair, mapping: Int32s, progress: Progress, stage: str
) -> Float32s:
    """d̃ of section 3.4.1: overlap within the mapped terms, features for the rest.

    `mapping` covers the smaller vocabulary and is −1 elsewhere. Shape (hashes, tokens).
    """
    column = pair.map_columns(mapping)
    covered, _ = pair.sum_masses(column, squared=False)
    out = np.zeros(pair.shape, dtype=np.float32)

    def finish_block(first: int, block: Float32s) -> None:
        kernels.finish_expanded(first, block, covered, pair.left.features, pair.right.features)
        out[first : first + len(block)] = block

    _compute_overlaps(pair, column, False, finish_block, progress, stage)
    return out


def node_start(pair: VectorPair, progress: Progress) -> Float32s:
    """L1 distance of the five features; float32, shape (hashes, tokens)."""
    sides = pair.left.features, pair.right.features
    return compare_features(*sides, "node-start distances", progress)


def compare_features(left: Float64s, right: Float64s, stage: str, progress: Progress) -> Float32s:
    """L1 distance of each row of one table to each of another; float32."""
    out = np.zeros((len(left), len(right)), dtype=np.float32)
    for start, stop in progress.blocks(stage, len(left), _ROWS):
        kernels.add_scaled(out[start:stop], start, 1.0, left, right)
    return out


def alpha_pruned(fingerprint_distance: Float32s, alpha: float, progress: Progress) -> Bools:
    """True at pairs that α-pruning leaves out: all but each hash's α·n nearest by node-start."""
    hashes, n = fingerprint_distance.shape
    keep = max(1, int(np.ceil(alpha * n)))
    dropped = np.ones(fingerprint_distance.shape, dtype=np.bool_)
    for start, stop in progress.blocks("pruning candidates", hashes, _ROWS):
        order = np.argsort(fingerprint_distance[start:stop], axis=1, kind="stable")[:, :keep]
        np.put_along_axis(dropped[start:stop], order, False, axis=1)
    return dropped


def _compute_overlaps(
    pair: VectorPair,
    column: Int32s,
    product: bool,
    finish: UseBlock,
    progress: Progress,
    stage: str,
) -> None:
    """Overlaps of blocks of hashes with all tokens, finished, on all cores."""
    hashes, tokens = pair.shape
    rows, index = pair.hashes.rows, pair.tokens.index
    # How many entries of the inverted index each row touches.
    image = column[rows.columns]
    touched = np.where(image >= 0, np.diff(index.starts)[image], 0)
    cost = np.bincount(pair.hashes.terms, touched, minlength=hashes).astype(np.int64)
    pieces = [
        (begin, min(begin + _ROWS, last))
        for first, last in split_ranges(np.concatenate(([0], np.cumsum(cost + 2 * tokens))), _WORK)
        for begin in range(first, last, _ROWS)
    ]

    def compute_block(number: int) -> None:
        progress.check()
        first, last = pieces[number]
        block = np.zeros((last - first, tokens), np.float32)
        kernels.add_overlaps(first, last, rows, column, index, product, block)
        finish(first, block)

    sizes = [last - first for first, last in pieces]
    run_in_threads(stage, sizes, lambda: compute_block, progress)
