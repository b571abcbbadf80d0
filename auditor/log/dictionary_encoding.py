"""Strings numbered by first appearance, a block of rows at a time, in growing memory."""

import secrets

import numpy as np

from auditor.arrays import Array, Int32s, Int64s, UInt8s, UInt64s
from auditor.log import dictionary_kernels as kernels
from auditor.log.dictionary_kernels import PADDING
from auditor.log.model import Vocabulary, iterate_slices
from auditor.progress import Progress, run_cancellable

SECRET = np.frombuffer(secrets.token_bytes(32), dtype=np.uint64) | np.uint64(1)
"""Keys the hashes of this process; no result depends on it."""
SLICE = 2_000_000
"""Rows that one call of a kernel takes where cancel must be heard between."""


class DictionaryEncoder:
    """The distinct strings of one column so far; `add` numbers the next block's.

    Amortized O(bytes); at most two thirds of the table are taken.
    """

    def __init__(self) -> None:
        self._bits = 12
        self._table = np.zeros(1 << self._bits, dtype=np.uint64)
        self._arena = np.empty(1 << 16, dtype=np.uint8)
        self._offsets = np.zeros(1 << 12, dtype=np.int64)
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(
        self, data: UInt8s, starts: Int32s, lengths: Int32s, hashes: UInt64s, codes: Int32s
    ) -> None:
        """Write to `codes` those of n strings of a padded buffer, −1 for a negative length."""
        rows = len(starts)
        if not rows:
            return
        if self._count + rows >= 2**31:
            raise MemoryError("more than two thousand million distinct strings")
        while (self._count + rows) * 3 > len(self._table) * 2:
            self._bits += 1
            table = np.zeros(1 << self._bits, dtype=np.uint64)
            kernels.widen_table(self._table, table, 32 - self._bits)
            self._table = table
        # What is new is somewhere in `data`, and nothing twice.
        used_bytes = int(self._offsets[self._count])
        if used_bytes + len(data) + PADDING > len(self._arena):
            self._arena = grow_array(self._arena, used_bytes, used_bytes + len(data) + PADDING)
        if self._count + rows + 1 > len(self._offsets):
            self._offsets = grow_array(self._offsets, self._count + 1, self._count + rows + 1)
        strings = (self._table, 32 - self._bits, self._arena, self._offsets, self._count)
        self._count = kernels.number_all(data, starts, lengths, hashes, *strings, codes)

    def take_vocabulary(self) -> Vocabulary:
        """The strings; the interner is empty afterwards, its table given back."""
        count, used_bytes = self._count, int(self._offsets[self._count])
        vocabulary = Vocabulary(self._arena[:used_bytes], self._offsets[: count + 1])
        self.__init__()  # type: ignore[misc]
        return vocabulary


def grow_array(array: Array, used_size: int, size: int) -> Array:
    """A larger array with the first `used_size` values; the rest costs address space alone."""
    grown = np.empty(max(size, len(array) * 2), dtype=array.dtype)
    grown[:used_size] = array[:used_size]
    return grown


def sort_order(user: Int32s, time: Int64s, progress: Progress) -> Int64s | None:
    """Rows by (user, time), equal ones as they came; None if they are already; O(n log n)."""
    if is_sorted(user, time, progress):
        return None
    return run_cancellable(lambda: np.lexsort((time, user)), progress)


def is_sorted(user: Int32s, time: Int64s, progress: Progress) -> bool:
    """Whether rows ascend by (user, time)."""
    for part in iterate_slices(len(user), SLICE):
        progress.check()
        users, times = (values[part.start : part.stop + 1] for values in (user, time))
        is_same_user = users[1:] == users[:-1]
        if np.any((users[1:] < users[:-1]) | (is_same_user & (times[1:] < times[:-1]))):
            return False
    return True


def gather_values(values: Array, order: Int64s, progress: Progress) -> Array:
    """``values[order]``, a slice at a time."""
    gathered = np.empty(len(order), dtype=values.dtype)
    for part in iterate_slices(len(order), SLICE):
        progress.check()
        np.take(values, order[part], out=gathered[part])
    return gathered
