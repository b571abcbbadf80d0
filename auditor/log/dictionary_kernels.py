"""Compiled loops that number strings by first appearance.

The table has one 64-bit slot a string: the upper half of its hash (the tag) and its code plus
one. A slot's place is the tag's upper bits, so the table grows by one sequential pass. A hit
always compares the bytes.

The hash is keyed by a secret drawn once a process, so nobody can prepare a file that makes
every string fall into one slot; codes don't depend on it.
"""

# The types of compiled code are numba's: NumPy scalars mix with int as they please there.
# mypy: disable-error-code="assignment,no-any-return,return-value"

from typing import Any

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.core.caching import IndexDataCacheFile
from numba.extending import intrinsic

from auditor.arrays import Int32s, Int64s, UInt8s, UInt64s
from auditor.log.kernel_cache import drop_stale


def forgive_missing_types() -> None:
    """Let Numba compile anew where a cached index names a type that no longer exists.

    Numba reads everything that an index names before it looks whether the index is still good, so
    that a named tuple which an update renamed would end the program.
    """
    load = IndexDataCacheFile._load_index

    def load_index(index: Any) -> Any:
        try:
            return load(index)
        except (AttributeError, ImportError):
            return {}

    IndexDataCacheFile._load_index = load_index


drop_stale()
forgive_missing_types()

PADDING = 64
"""Bytes that must follow the last byte of a text buffer: words are loaded eight at a time."""


@intrinsic
def load64(_typing: Any, data: Any, _place: Any) -> Any:
    """The eight bytes of a uint8 array from `place` on, as one little-endian word."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        start = builder.ptrtoint(array.data, ir.IntType(64))
        address = builder.add(start, arguments[1])
        pointer = builder.inttoptr(address, ir.IntType(64).as_pointer())
        return builder.load(pointer, align=1)

    return types.uint64(data, types.int64), generate


@intrinsic
def fold_product(_typing: Any, _left: Any, _right: Any) -> Any:
    """Both halves of the 128-bit product, one xor the other."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        wide = ir.IntType(128)
        a, b = (builder.zext(argument, wide) for argument in arguments)
        product = builder.mul(a, b)
        low = builder.trunc(product, ir.IntType(64))
        high = builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), ir.IntType(64))
        return builder.xor(low, high)

    return types.uint64(types.uint64, types.uint64), generate


@intrinsic
def trailing_zeros(_typing: Any, _word: Any) -> Any:
    """How many bits of a word, which isn't zero, lie below its lowest set one."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.uint64), generate


@njit(cache=True, nogil=True, inline="always")
def tail_mask(length: int) -> np.uint64:
    """A word whose lowest `length` bytes are set; `length` in 1…8."""
    return np.uint64(0xFFFFFFFFFFFFFFFF) >> np.uint64(64 - 8 * length)


@njit(cache=True, nogil=True)
def hash_text(data: UInt8s, start: int, length: int, secret: UInt64s) -> np.uint64:
    """A keyed 64-bit hash of ``data[start:start + length]``; `data` is padded.

    One product for every sixteen bytes; the last two words overlap those before.
    """
    value = secret[0] ^ np.uint64(length)
    if length <= 8:
        word = load64(data, start) & tail_mask(length) if length > 0 else np.uint64(0)
        return fold_product(word ^ secret[1], value ^ secret[2])
    place = start
    stop = start + length
    while place + 16 < stop:
        value = fold_product(load64(data, place) ^ secret[1], load64(data, place + 8) ^ value)
        place += 16
    first = place if stop - place >= 8 else stop - 8
    return fold_product(load64(data, first) ^ secret[2], load64(data, stop - 8) ^ value ^ secret[3])


@njit(cache=True, nogil=True)
def same_text(a: UInt8s, i: int, b: UInt8s, j: int, length: int) -> bool:
    """Whether two padded buffers hold the same `length` bytes at i and j."""
    if length <= 8:
        if length <= 0:
            return True
        return ((load64(a, i) ^ load64(b, j)) & tail_mask(length)) == 0
    last = length - 8
    for k in range(0, last, 8):
        if load64(a, i + k) != load64(b, j + k):
            return False
    return load64(a, i + last) == load64(b, j + last)


@njit(cache=True, nogil=True)
def hash_all(
    data: UInt8s, starts: Int32s, lengths: Int32s, secret: UInt64s, hashes: UInt64s
) -> None:
    """Hash n strings of a padded buffer; a negative length (missing) is passed over."""
    for row in range(len(starts)):
        if lengths[row] >= 0:
            hashes[row] = hash_text(data, starts[row], lengths[row], secret)


@njit(cache=True, nogil=True)
def number_all(
    data: UInt8s,
    starts: Int32s,
    lengths: Int32s,
    hashes: UInt64s,
    table: UInt64s,
    shift: int,
    arena: UInt8s,
    offsets: Int64s,
    count: int,
    codes: Int32s,
) -> int:
    """Give each of n strings its code, adding new ones; amortized O(bytes).

    The strings stand in the padded `data`, at `starts` with `lengths` (−1 for a missing one). The
    `count` distinct ones so far stand end to end in `arena`, each from ``offsets[code]`` on, with
    room for n more; `table` has 2^(32 − shift) slots, at least n of them free.

    Returns how many distinct ones there are now; `codes`, int32 (n,), is −1 for a missing string.
    """
    rows = len(starts)
    mask = len(table) - 1
    high = np.uint64(32)
    lower = np.uint64(0xFFFFFFFF)
    step = np.uint64(32 + shift)
    before = -1
    for row in range(rows):
        length = lengths[row]
        if length < 0:
            codes[row] = -1
            continue
        start = starts[row]
        tag = hashes[row] >> high
        if (
            before >= 0
            and hashes[before] == hashes[row]
            and lengths[before] == length
            and same_text(data, starts[before], data, start, length)
        ):
            codes[row] = codes[before]
            before = row
            continue
        before = row
        place = np.int64(hashes[row] >> step)
        while True:
            slot = table[place]
            if slot == 0:
                begin = offsets[count]
                for byte in range(length):
                    arena[begin + byte] = data[start + byte]
                table[place] = (tag << high) | np.uint64(count + 1)
                codes[row] = count
                count += 1
                offsets[count] = begin + length
                break
            if slot >> high == tag:
                code = np.int64(slot & lower) - 1
                begin = offsets[code]
                if offsets[code + 1] - begin == length and same_text(
                    arena, begin, data, start, length
                ):
                    codes[row] = code
                    break
            place = (place + 1) & mask
    return count


@njit(cache=True, nogil=True)
def widen_table(old: UInt64s, table: UInt64s, shift: int) -> None:
    """Move every slot of `old` into the larger, empty `table`."""
    mask = len(table) - 1
    step = np.uint64(32 + shift)
    for slot in old:
        if slot != 0:
            place = np.int64(slot >> step)
            while table[place] != 0:
                place = (place + 1) & mask
            table[place] = slot


@njit(cache=True, nogil=True)
def first_appearances(codes: Int32s, new: Int32s, olds: Int32s, count: int) -> int:
    """Renumber `codes` in place by first appearance, −1 stays; returns how many there are.

    `new` (−1 throughout at the start) takes each old code's new one, `olds` the reverse; `count`
    were met before.
    """
    for row in range(len(codes)):
        code = codes[row]
        if code >= 0:
            if new[code] < 0:
                new[code] = count
                olds[count] = code
                count += 1
            codes[row] = new[code]
    return count
