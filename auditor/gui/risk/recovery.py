"""Which queries of the raw log an attack on their hashes gave back; for a worker thread."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from auditor.arrays import Bools, Int32s
from auditor.attacks.base import AttackResult
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.model import Vocabulary
from auditor.log.text import tokenize_strings
from auditor.progress import Progress

INVERSION, PAIRS = "hash-inversion", "pairs"
WORD, RIGHT = 1, -1
"""Columns of the table of recovered words."""


def recovered_words(attacks: Sequence[AttackResult]) -> frozenset[str]:
    """Words that the inversion of hashes mapped rightly, as far as its table lists them."""
    words: set[str] = set()
    for attack in attacks:
        for table in attack.tables if attack.attack == INVERSION else ():
            if table.name == PAIRS:
                words |= {str(row[WORD]) for row in table.rows if row[RIGHT] == "yes"}
    return frozenset(words)


def recovered_queries(
    queries: Vocabulary, marked: Int32s, words: frozenset[str], progress: Progress
) -> Bools | None:
    """Of the `marked` queries, those of which every word was recovered; over all query codes.

    None without recovered words. O(bytes of the marked queries).
    """
    if not words:
        return None
    codes = sorted_distinct(marked)
    found = np.zeros(len(queries), dtype=np.bool_)
    if len(codes):
        told = tokenize_strings(queries.take(codes))
        progress.check()
        known = np.array([word in words for word in told.vocabulary.list_strings()], dtype=np.bool_)
        hits = known[told.codes].astype(np.int64)
        sums = np.concatenate(([0], np.cumsum(hits)))
        sizes = np.diff(told.offsets)
        whole = (sums[told.offsets[1:]] - sums[told.offsets[:-1]]) == sizes
        found[codes] = whole & (sizes > 0)
    return found
