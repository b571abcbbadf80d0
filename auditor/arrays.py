"""The types of arrays, once: `Int64s` is an array of int64, whatever its shape; ragged arrays."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Bools = NDArray[np.bool_]
Float32s = NDArray[np.float32]
Float64s = NDArray[np.float64]
Floats = NDArray[np.floating[Any]]
Int8s = NDArray[np.int8]
Int16s = NDArray[np.int16]
Int32s = NDArray[np.int32]
Int64s = NDArray[np.int64]
Integers = NDArray[np.integer[Any]]
UInt8s = NDArray[np.uint8]
UInt16s = NDArray[np.uint16]
UInt32s = NDArray[np.uint32]
UInt64s = NDArray[np.uint64]


class RaggedArray(NamedTuple):
    """Rows of unequal length end to end: row i is ``values[starts[i]:starts[i + 1]]``."""

    starts: Integers
    values: Array


def expand_ranges(starts: Integers, sizes: Integers) -> Int64s:
    """``starts[i], starts[i] + 1, …``, ``sizes[i]`` of them, one range behind the other."""
    offsets = np.cumsum(sizes) - sizes
    places: Int64s = np.arange(int(np.sum(sizes))) + np.repeat(starts - offsets, sizes)
    return places


def find_sorted(values: Array, keys: Array) -> Int64s:
    """The first place of each value among ascending `keys`, −1 where it is none of them."""
    if not len(keys):
        return np.full(len(values), -1, dtype=np.int64)
    place = np.minimum(np.searchsorted(keys, values), len(keys) - 1)
    return np.where(keys[place] == values, place, -1)


def mean_of(values: Array) -> float:
    """The mean of numbers, or the share of flags; 0 of none."""
    return float(values.mean()) if len(values) else 0.0


def share_of(part: float, total: float) -> float:
    """`part` of `total`; 0 where there is none."""
    return part / total if total else 0.0


def mark_run_starts(*columns: Array) -> Bools:
    """True where any of the columns differs from the row before, and at the first; shape (n,)."""
    starts: Bools = np.ones(len(columns[0]), dtype=np.bool_)
    starts[1:] = np.any([column[1:] != column[:-1] for column in columns], axis=0)
    return starts
