"""Compiled loops over pairs of clusters: what the event pairs between them say, and their words.

Sums are taken in the order and the pieces in which `numpy.add.reduceat` takes them, to the last
bit, so that a block of pairs is worth what all of them at once are.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from auditor.arrays import Array, RaggedArray

_LONGER = 8
"""So many times longer is a row whose entries are searched for, not walked through."""

_PIECE = 128


class ClusterFacts(NamedTuple):
    """Events of each cluster, its first and last time, and the events of its bundle."""

    size: Array
    low: Array
    high: Array
    whole: Array


class ClusterWords(NamedTuple):
    """The weighted words of each cluster, ascending, and the length of that vector."""

    words: RaggedArray
    values: Array
    lengths: Array


class PairGroups(NamedTuple):
    """Pairs of clusters; group g is of the event pairs ``rows[begins[g]:begins[g + 1]]``."""

    one: Array
    two: Array
    rows: Array
    begins: Array


FIRST_PASSED_ON = 11
"""The column of a pair of clusters where those begin that pairs of events pass on."""


@njit(cache=True, nogil=True)
def _sum_pieces(values: Array, first: int, last: int) -> float:
    """A sum of values as NumPy pairs them."""
    many = last - first
    if many < 8:
        total = 0.0
        for at in range(first, last):
            total += values[at]
        return total
    if many > _PIECE:
        half = many // 2
        half -= half % 8
        left = _sum_pieces(values, first, first + half)
        return float(left + _sum_pieces(values, first + half, last))
    a, b, c, d = values[first], values[first + 1], values[first + 2], values[first + 3]
    e, f, g, h = values[first + 4], values[first + 5], values[first + 6], values[first + 7]
    whole = many - many % 8
    for at in range(first + 8, first + whole, 8):
        a += values[at]
        b += values[at + 1]
        c += values[at + 2]
        d += values[at + 3]
        e += values[at + 4]
        f += values[at + 5]
        g += values[at + 6]
        h += values[at + 7]
    total = ((a + b) + (c + d)) + ((e + f) + (g + h))
    for at in range(first + whole, last):
        total += values[at]
    return float(total)


@njit(cache=True, nogil=True)
def sum_run(values: Array, first: int, last: int) -> float:
    """``values[first:last].sum()`` as `numpy.add.reduceat` has it; one value at least."""
    if last - first == 1:
        return float(values[first])
    return float(values[first] + _sum_pieces(values, first + 1, last))


@njit(cache=True, nogil=True)
def _seek_word(codes: Array, low: int, high: int, code: int) -> int:
    """The first place of ``codes[low:high]``, which ascend, that isn't below `code`."""
    step = 1
    while low + step < high and codes[low + step] < code:
        low += step
        step *= 2
    top = min(low + step, high)
    while low < top:
        middle = (low + top) >> 1
        if codes[middle] < code:
            low = middle + 1
        else:
            top = middle
    return low


@njit(cache=True, nogil=True)
def compute_cosine(words: ClusterWords, a: int, b: int, products: Array) -> float:
    """The cosine of the words of two clusters; `products` has room for the shorter row."""
    rows, values, lengths = words
    starts, codes = rows
    if starts[a + 1] - starts[a] > starts[b + 1] - starts[b]:
        a, b = b, a
    i, last, j, end = starts[a], starts[a + 1], starts[b], starts[b + 1]
    search = (last - i) * _LONGER < end - j
    many = 0
    while i < last and j < end:
        if search:
            j = _seek_word(codes, j, end, codes[i])
            if j >= end:
                break
        if codes[i] == codes[j]:
            product = values[i] * values[j]
            if product != 0.0:
                products[many] = product
                many += 1
            i += 1
            j += 1
        elif codes[i] < codes[j]:
            i += 1
        else:
            j += 1
    total = sum_run(products, 0, many) if many > 0 else 0.0
    return float(total / max(lengths[a] * lengths[b], 1e-9))


@njit(cache=True, nogil=True)
def write_cosines(one: Array, two: Array, words: ClusterWords, products: Array, out: Array) -> None:
    """The cosines of pairs of clusters."""
    for pair in range(len(one)):
        out[pair] = compute_cosine(words, one[pair], two[pair], products)


@njit(cache=True, nogil=True)
def fold_features(features: Array, at: int, begins: Array, greatest: int, out: Array) -> None:
    """Pass the features of the event pairs from `at` on to their group's row of `out`.

    The first `greatest` columns count by their greatest value, the others by their least. Group g
    is of the event pairs ``begins[g]:begins[g + 1]``; call with ascending blocks.
    """
    width = features.shape[1]
    group = np.searchsorted(begins, at, side="right") - 1
    for i in range(len(features)):
        while begins[group + 1] <= at + i:
            group += 1
        row, new = out[group], features[i]
        if begins[group] == at + i:
            for column in range(width):
                row[FIRST_PASSED_ON + column] = new[column]
            continue
        for column in range(greatest):
            place = FIRST_PASSED_ON + column
            row[place] = max(row[place], new[column])
        for column in range(greatest, width):
            place = FIRST_PASSED_ON + column
            row[place] = min(row[place], new[column])


@njit(cache=True, nogil=True)
def compare_pairs(
    groups: PairGroups,
    odds: Array,
    facts: ClusterFacts,
    words: ClusterWords,
    scratch: tuple[Array, Array],
    out: Array,
) -> None:
    """Write the features of pairs of clusters but those that pairs of events pass on.

    `odds` are the log-odds of all pairs of events; `scratch` has room for a group's, and for
    products.
    """
    one, two, rows, begins = groups
    size, low, high, whole = facts
    said, products = scratch
    for pair in range(len(one)):
        a, b = one[pair], two[pair]
        first, last = begins[pair], begins[pair + 1]
        many = last - first
        row = out[pair]
        best, least = odds[rows[first]], odds[rows[first]]
        for at in range(many):
            value = odds[rows[first + at]]
            said[at] = value
            best, least = max(best, value), min(least, value)
        total = sum_run(said, 0, many)
        large = max(size[a], size[b])
        row[0] = min(size[a], size[b])
        row[1] = large
        row[2] = whole[a]
        row[3] = large / max(whole[a], 1)
        row[4] = many
        row[5] = best
        row[6] = least
        row[7] = total / many
        row[8] = total
        row[9] = compute_cosine(words, a, b, products)
        row[10] = min(high[a], high[b]) - max(low[a], low[b])
