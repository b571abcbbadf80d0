"""Hashes of strings that depend on nothing but the strings and a seed; not for anything secret.

What is drawn or split by them stays the same for any order of the rows and any numbering.
"""

import numpy as np

from auditor.arrays import UInt64s
from auditor.bit_mixing import splitmix64
from auditor.log.model import Vocabulary
from auditor.progress import Progress

_BLOCK = 1 << 20  # bytes: some 10 ms


def hash_texts(strings: Vocabulary, seed: int, progress: Progress) -> UInt64s:
    """A 64-bit hash of each string under a seed; shape (len(strings),), O(bytes)."""
    from auditor.log.dictionary_kernels import PADDING, hash_all

    secret = splitmix64(np.arange(4, dtype=np.uint64) + np.uint64(4 * (seed % (1 << 32))))
    words = np.zeros(len(strings), dtype=np.uint64)
    offsets = strings.offsets
    for first, last in progress.whole_blocks("reading strings", offsets, _BLOCK):
        piece = np.zeros(int(offsets[last] - offsets[first]) + PADDING, dtype=np.uint8)
        piece[: len(piece) - PADDING] = strings.data[offsets[first] : offsets[last]]
        starts = (offsets[first:last] - offsets[first]).astype(np.int32)
        lengths = np.diff(offsets[first : last + 1]).astype(np.int32)
        hash_all(piece, starts, lengths, secret, words[first:last])
    return words
