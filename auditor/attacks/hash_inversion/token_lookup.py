"""Whose queries hold a recovered word: looked up in the raw log on request."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from auditor.arrays import Int32s
from auditor.figures import UserReference
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.model import QueryLog, Vocabulary
from auditor.log.text import tokenize_strings


def find_queries_holding(log: QueryLog, words: Sequence[str]) -> UserReference:
    """The distinct queries with each line's word; an empty word has none. O(query bytes) a line."""
    kept = tuple(words)

    def find_line_queries(line: int) -> Int32s:
        return _queries_with(log.queries, kept[line])

    return UserReference("queries", find_line_queries)


def _queries_with(queries: Vocabulary, word: str) -> Int32s:
    """Queries of which one token is `word`: first by their bytes, then by their tokens."""
    import pyarrow.compute as pc

    if not word:
        return np.zeros(0, dtype=np.int32)
    there = pc.match_substring(queries.as_arrow(), word).to_numpy(zero_copy_only=False)
    some = np.flatnonzero(there)
    told = tokenize_strings(queries.take(some))
    code = told.vocabulary.find([word])[0]
    if code < 0:
        return np.zeros(0, dtype=np.int32)
    owner = np.repeat(np.arange(len(some)), np.diff(told.offsets))
    found: Int32s = some[sorted_distinct(owner[told.codes == code])].astype(np.int32)
    return found
