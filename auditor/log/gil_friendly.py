"""Steps over a whole log in which the window's thread gets its turn.

NumPy's `bincount`, `unique`, `add.at`, indexing by a mask, `repeat` and a `cumsum` that changes
the type keep the interpreter from their first element to their last: up to some seconds for ten
million rows, in which no window is painted. So do `zip` and `join` on as many objects. What stands
here does the same, part by part or another way.
"""

from collections.abc import Callable, Iterable
from itertools import islice, pairwise
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from auditor.arrays import Array, Bools, Int32s, Int64s, Integers, UInt8s, find_sorted
from auditor.progress import split_ranges

T = TypeVar("T", bound=np.generic)

PART = 1 << 17
"""Elements that are taken at once: a few milliseconds."""
BLOCK = 1 << 22
"""Rows whose keys are in memory at once."""


def count_into(codes: Integers, counts: Int64s) -> None:
    """Add to ``counts[c]`` how often code c occurs; O(n)."""
    for first in range(0, len(codes), PART):
        np.add.at(counts, codes[first : first + PART], 1)


def count_weighted(codes: Integers, offsets: Int64s, weights: Array, size: int) -> Int64s:
    """How often each code below `size` occurs, those of string s ``weights[s]`` times; O(n)."""
    counts = np.zeros(size, dtype=np.int64)
    for first in range(0, len(weights), PART):
        ends = offsets[first : first + PART + 1]
        code_weights = np.repeat(weights[first : first + PART].astype(np.int64), np.diff(ends))
        np.add.at(counts, codes[ends[0] : ends[-1]], code_weights)
    return counts


def select_where(values: NDArray[T], mask: Bools) -> NDArray[T]:
    """``values[mask]``."""
    return np.take(values, np.flatnonzero(mask))


def sorted_distinct(values: NDArray[T]) -> NDArray[T]:
    """The distinct values, ascending, as `np.unique` gives them but for NaN; O(n log n).

    It always sorts. NumPy counts integers by a hash, which for mostly distinct ones takes up to
    fifteen times as long as sorting them (five million 64-bit ones: 4.8 instead of 0.33 s).
    """
    ordered = np.sort(values, axis=None)
    if not len(ordered):
        return ordered
    return select_where(ordered, np.concatenate(([True], ordered[1:] != ordered[:-1])))


def encode_keys(size: int, find_keys: Callable[[slice], Int64s]) -> tuple[Int64s, Int32s]:
    """The distinct keys of `size` rows, ascending, and each row's place among them; O(n log n).

    ``find_keys(part)`` gives those of some rows, so that all of them never stand in memory.
    """
    parts = [slice(first, first + BLOCK) for first in range(0, size, BLOCK)]
    distinct = np.zeros(0, dtype=np.int64)
    for part in parts:
        distinct = sorted_distinct(np.concatenate([distinct, sorted_distinct(find_keys(part))]))
    codes = np.empty(size, dtype=np.int32)
    for part in parts:
        codes[part] = np.searchsorted(distinct, find_keys(part))
    return distinct, codes


def is_among(values: NDArray[T], members: NDArray[T]) -> Bools:
    """Which of n values are among m wanted ones, as `np.isin` says it; O((n + m) log m).

    Sorts the wanted ones and looks each value up; `np.isin` makes both distinct first, by a hash.
    """
    return find_sorted(values, np.sort(members, axis=None)) >= 0


def running_count(mask: Bools, dtype: type[T] = np.int64) -> NDArray[T]:  # type: ignore[assignment]
    """How many are true up to each place, itself included; O(n)."""
    counts = np.empty(len(mask), dtype=dtype)
    total = np.zeros((), dtype=dtype)
    for first in range(0, len(mask), PART):
        part = counts[first : first + PART]
        np.cumsum(mask[first : first + PART], out=part)
        part += total
        total = part[-1]
    return counts


def expand_owners(starts: Int64s) -> Int64s:
    """Which of the stretches from ``starts[i]`` to ``starts[i + 1]`` each place lies in; O(n)."""
    begin = int(starts[0])
    owners = np.empty(int(starts[-1]) - begin, dtype=np.int64)
    for first, last in split_ranges(starts, PART):
        sizes = np.diff(starts[first : last + 1])
        part = slice(int(starts[first]) - begin, int(starts[last]) - begin)
        owners[part] = np.repeat(np.arange(first, last), sizes)
    return owners


def concatenate_bytes(pieces: Iterable[bytes]) -> tuple[UInt8s, Int64s]:
    """Pieces one behind the other, and where each begins; O(bytes)."""
    texts, sizes, remaining = [b""], [np.zeros(1, dtype=np.int64)], iter(pieces)
    while part := list(islice(remaining, PART)):
        texts.append(b"".join(part))
        sizes.append(np.fromiter(map(len, part), np.int64, len(part)))
    offsets = np.cumsum(np.concatenate(sizes))
    return np.concatenate([np.frombuffer(text, dtype=np.uint8) for text in texts]), offsets


def decode_strings(data: UInt8s, offsets: Int64s) -> list[str]:
    """The strings of a vocabulary as Python strings; O(bytes)."""
    strings: list[str] = []
    for first in range(0, len(offsets) - 1, PART):
        ends = offsets[first : first + PART + 1]
        text = data[ends[0] : ends[-1]].tobytes()
        places = (ends - ends[0]).tolist()
        strings += [text[a:b].decode("utf-8", "replace") for a, b in pairwise(places)]
    return strings
