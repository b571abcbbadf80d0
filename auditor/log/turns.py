"""Steps over a whole log in which the window's thread gets its turn.

NumPy's `bincount`, indexing by a mask, `repeat` and `cumsum` keep the interpreter from their first
element to their last: a third of a second for ten million rows, in which no window is painted.
What stands here does the same and doesn't; small arrays go NumPy's way, which compiles nothing.
"""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

T = TypeVar("T", bound=np.generic)
Longs = NDArray[np.int64]
Codes = NDArray[np.integer[Any]]

SMALL = 1 << 17
"""Elements up to which NumPy takes about a millisecond."""


def count_into(codes: Codes, counts: Longs) -> None:
    """Add to ``counts[c]`` how often code c occurs; O(n)."""
    if len(codes) <= SMALL and len(counts) <= SMALL:
        counts += np.bincount(codes, minlength=len(counts))
        return
    from auditor.log import turn_kernels as kernels

    kernels.count(codes, counts)


def count_weighted(codes: Codes, offsets: Longs, weights: NDArray[Any], size: int) -> Longs:
    """How often each code below `size` occurs, those of string s ``weights[s]`` times; O(n)."""
    if len(codes) <= SMALL:
        each = np.repeat(np.asarray(weights), np.diff(offsets))
        return np.bincount(codes, each, minlength=size).astype(np.int64)
    from auditor.log import turn_kernels as kernels

    counts = np.zeros(size, dtype=np.int64)
    kernels.count_weighted(codes, offsets, np.asarray(weights).astype(np.int64), counts)
    return counts


def where(values: NDArray[T], mask: NDArray[np.bool_]) -> NDArray[T]:
    """``values[mask]``."""
    return np.take(values, np.flatnonzero(mask))


def strings(data: NDArray[np.uint8], offsets: Longs, codes: Codes) -> tuple[Any, Longs]:
    """The strings `codes` of a vocabulary one behind the other, and where each begins; O(bytes)."""
    codes = np.asarray(codes, dtype=np.int64)
    lengths = np.take(offsets, codes + 1) - np.take(offsets, codes)
    starts = np.zeros(len(codes) + 1, dtype=np.int64)
    np.cumsum(lengths, out=starts[1:])
    if starts[-1] <= SMALL:
        places = np.arange(starts[-1]) + np.repeat(offsets[codes] - starts[:-1], lengths)
        return data[places], starts
    from auditor.log import turn_kernels as kernels

    copied = np.empty(starts[-1], dtype=np.uint8)
    kernels.copy_strings(np.asarray(data), np.asarray(offsets), codes, copied, starts)
    return copied, starts
