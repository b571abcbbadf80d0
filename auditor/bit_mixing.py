"""Mixing the bits of 64-bit words, for fingerprints and fixed orders; not for anything secret."""

import numpy as np

from auditor.arrays import UInt64s

GOLDEN_RATIO = np.uint64(0x9E3779B97F4A7C15)
"""2⁶⁴ divided by the golden ratio, odd: multiples of it are spread evenly over all words."""


def mix_bits(words: UInt64s) -> UInt64s:
    """Words of which every bit depends on every bit of the given ones; a bijection, O(n).

    The finaliser of SplitMix64 (Steele, Lea and Flood, 2014).
    """
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))


def mix_numbers(numbers: UInt64s) -> UInt64s:
    """`mix_bits` of small numbers such as codes, 0 among them."""
    return mix_bits((numbers + np.uint64(1)) * GOLDEN_RATIO)


def splitmix64(words: UInt64s) -> UInt64s:
    """The next output of SplitMix64 whose state is each of `words`."""
    return mix_bits(words + GOLDEN_RATIO)
