"""How likely an ordinary string, as rare as a marked one, stands in a release: the baseline."""

from __future__ import annotations

import numpy as np

from auditor.arrays import Bools, Float64s, Int32s, UInt64s


def rarity_chances(bits: UInt64s, users: Int32s, survives: Bools) -> Float64s:
    """For each string, the share that survives of unmarked ones about as rare; shape (m,).

    As rare: as many users, to the power of two. Where nothing unmarked is as rare, the share of
    all unmarked ones.
    """
    plain = bits == 0
    bucket = np.log2(np.maximum(users, 1)).astype(np.int64)
    size = int(bucket.max(initial=0)) + 1
    there = np.bincount(bucket[plain], minlength=size)
    kept = np.bincount(bucket[plain & survives], minlength=size)
    overall = kept.sum() / max(1, there.sum())
    shares: Float64s = np.where(there > 0, kept / np.maximum(there, 1), overall)
    return shares[bucket]
