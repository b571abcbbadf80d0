"""Splits a log by events into parts that depend on nothing but the events and a seed.

An event is a distinct (user, query, time); its rows stay together. Which part it falls into is
decided by a hash of the user's id, the query's text and the time, so that the order of the rows,
other events and the numbering of strings change nothing. O(rows + bytes of the strings).
"""

import numpy as np

from auditor.arrays import Bools, Int8s, UInt64s
from auditor.bit_mixing import GOLDEN_RATIO, splitmix64
from auditor.log.model import QueryLog
from auditor.log.text_hashing import hash_texts
from auditor.progress import Progress

_BLOCK = 1 << 20  # rows or bytes: some 10 ms


def event_words(log: QueryLog, seed: int, progress: Progress) -> UInt64s:
    """A 64-bit word of each row, the same for all rows of an event; shape (rows,)."""
    users = hash_texts(log.users, seed, progress)
    queries = hash_texts(log.queries, seed + 1, progress)
    words = np.empty(len(log), dtype=np.uint64)
    for first, last in progress.blocks("splitting events", len(log), _BLOCK):
        user_words = users[log.user[first:last]]
        moment = log.time[first:last].view(np.uint64) * GOLDEN_RATIO
        words[first:last] = splitmix64(
            splitmix64(user_words + moment) ^ queries[log.query[first:last]]
        )
    return words


def fold_of(words: UInt64s, folds: int) -> Int8s:
    """The fold of each row, 0 … folds − 1, in equal shares but for chance; shape (rows,)."""
    return ((words >> np.uint64(20)) % np.uint64(folds)).astype(np.int8)


def half_of(words: UInt64s) -> Bools:
    """Which half of its fold each row falls into; independent of the fold; shape (rows,)."""
    return (words & np.uint64(1)).astype(np.bool_)
