"""Loops over a whole log that leave the interpreter to others: see `turns`. All are O(n)."""

from __future__ import annotations

from numba import njit

from auditor.arrays import Array, Bools, Int64s


@njit(cache=True, nogil=True)
def count_codes(codes: Array, out: Int64s) -> None:
    """Add to ``out[c]`` how often code c occurs."""
    for i in range(len(codes)):
        out[codes[i]] += 1


@njit(cache=True, nogil=True)
def count_weighted(codes: Array, offsets: Int64s, weights: Int64s, out: Int64s) -> None:
    """The same where each code between ``offsets[s]`` and ``offsets[s + 1]`` counts weights[s]."""
    for s in range(len(weights)):
        for i in range(offsets[s], offsets[s + 1]):
            out[codes[i]] += weights[s]


@njit(cache=True, nogil=True)
def write_running_count(mask: Bools, out: Array) -> None:
    """Write to ``out[i]`` how many of ``mask[: i + 1]`` are true."""
    total = 0
    for i in range(len(mask)):
        total += mask[i]
        out[i] = total
