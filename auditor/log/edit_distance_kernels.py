"""Compiled Levenshtein distances of strings that are given as numbers of their characters.

`masks` is everywhere uint64 of shape (alphabet,), zero, and left zero.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from auditor.arrays import Array, RaggedArray

WIDE = 64
"""Characters of the shorter string up to which bits of one number hold a column of the table."""


@njit(cache=True, nogil=True)
def _fill_table(a: Array, b: Array) -> int:
    """The distance by the textbook's table, of which one row is held."""
    row = np.arange(len(b) + 1)
    for i in range(len(a)):
        diagonal = row[0]
        row[0] = i + 1
        for j in range(len(b)):
            change = diagonal + (a[i] != b[j])
            diagonal = row[j + 1]
            row[j + 1] = min(change, row[j] + 1, row[j + 1] + 1)
    return int(row[len(b)])


@njit(cache=True, nogil=True)
def _set_masks(a: Array, masks: Array) -> None:
    for i in range(len(a)):
        masks[a[i]] |= np.uint64(1) << np.uint64(i)


@njit(cache=True, nogil=True)
def _clear_masks(a: Array, masks: Array) -> None:
    for i in range(len(a)):
        masks[a[i]] = np.uint64(0)


@njit(cache=True, nogil=True)
def _walk_bits(masks: Array, size: int, b: Array) -> int:
    """The distance of a string of 1 to 64 characters, held in `masks`, to another.

    Myers' bit vectors (1999) in Hyyrö's form: 64 characters at once.
    """
    one = np.uint64(1)
    top = np.uint64(size - 1)
    plus, minus, distance = ~np.uint64(0), np.uint64(0), size
    for j in range(len(b)):
        equal = masks[b[j]]
        across = equal | minus
        equal |= ((equal & plus) + plus) ^ plus
        up = minus | ~(equal | plus)
        down = plus & equal
        distance += int((up >> top) & one) - int((down >> top) & one)
        up = (up << one) | one
        plus = (down << one) | ~(across | up)
        minus = up & across
    return distance


@njit(cache=True, nogil=True)
def edit_distance(a: Array, b: Array, masks: Array) -> int:
    """The distance of two strings; O(length · length / 64) where one has up to 64 characters."""
    if len(a) > len(b):
        a, b = b, a
    if len(a) == 0:
        return len(b)
    if len(a) > WIDE:
        return int(_fill_table(a, b))
    _set_masks(a, masks)
    distance: int = _walk_bits(masks, len(a), b)
    _clear_masks(a, masks)
    return distance


@njit(cache=True, nogil=True)
def edit_distances(word: int, words: RaggedArray, masks: Array, out: Array) -> None:
    """Write the distances of one of the words to all of them, of any integer type."""
    starts, letters = words
    mine = letters[starts[word] : starts[word + 1]]
    short = 0 < len(mine) <= WIDE
    if short:
        _set_masks(mine, masks)
    for other in range(len(starts) - 1):
        theirs = letters[starts[other] : starts[other + 1]]
        if short:
            out[other] = _walk_bits(masks, len(mine), theirs)
        else:
            out[other] = edit_distance(mine, theirs, masks)
    if short:
        _clear_masks(mine, masks)
