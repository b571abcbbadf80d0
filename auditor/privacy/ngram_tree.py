"""Where n-grams stand in a log's queries: a tree of their words, and a walk along every query.

An n-gram stands where its words follow each other in a query; words are what `str.split` makes of
one. O(words of distinct queries · longest n-gram).
"""

from collections.abc import Iterator

import numpy as np

from auditor.arrays import Int32s, Int64s, find_sorted
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.model import NONE, Vocabulary
from auditor.log.text import TokenizedQueries, tokenize_strings
from auditor.progress import Progress

BLOCK = 1 << 17
"""Words looked at between two looks at the cancel flag."""


class NgramTree:
    """N-grams as a tree of words: what they begin with, numbered for each length.

    Attributes
    ----------
    longest
        Words of the longest n-gram, 1 at least.
    sizes
        How many n-grams there are of 1, 2, … words.
    """

    def __init__(self, ngrams: Vocabulary, words: Vocabulary, progress: Progress) -> None:
        """`words` are those of the queries that will be walked along."""
        tokens = tokenize_strings(ngrams, progress)
        lengths = tokens.compute_lengths()
        self.longest = max(1, int(lengths.max(initial=0)))
        self.sizes: list[int] = np.bincount(lengths, minlength=self.longest + 1)[1:].tolist()
        self._width = len(words) + 1
        codes = tokens.vocabulary.match(words).astype(np.int64)[tokens.codes]
        self._keys: list[Int64s] = []
        self._ends: list[Int64s] = []
        alive = np.arange(len(tokens), dtype=np.int64)
        state = np.zeros(len(tokens), dtype=np.int64)
        for length in range(1, self.longest + 1):
            longer = lengths[alive] >= length
            alive, state = alive[longer], state[longer]
            word = codes[tokens.offsets[alive] + (length - 1)]
            alive, state, word = (part[word != NONE] for part in (alive, state, word))
            keys, state = np.unique(state * self._width + word, return_inverse=True)
            ends = np.full(len(keys), NONE, dtype=np.int64)
            is_complete = lengths[alive] == length
            ends[state[is_complete]] = alive[is_complete]
            self._keys.append(keys)
            self._ends.append(ends)
        self._first = np.full(self._width, NONE, dtype=np.int64)
        self._first[self._keys[0]] = np.arange(len(self._keys[0]))

    def iterate_occurrences(
        self, tokens: TokenizedQueries, progress: Progress
    ) -> Iterator[tuple[int, Int64s, Int64s]]:
        """Every n-gram in the queries: its length, positions of its first word, its codes.

        Once for each length and block of words; the arrays are of equal length and may be empty.
        """
        owners = tokens.find_owners()
        for first, last in progress.blocks("matching n-grams", len(tokens.codes), BLOCK):
            place = np.arange(first, last, dtype=np.int64)
            state = self._first[tokens.codes[first:last]]
            for length in range(1, self.longest + 1):
                if length > 1:
                    fits = place + length <= tokens.offsets[owners[place] + 1]
                    place, state = place[fits], state[fits]
                    state = find_sorted(
                        state * self._width + tokens.codes[place + (length - 1)],
                        self._keys[length - 1],
                    )
                place, state = place[state != NONE], state[state != NONE]
                code = self._ends[length - 1][state]
                yield length, place[code != NONE], code[code != NONE]


def pair_queries(
    queries: Vocabulary, ngrams: Vocabulary, progress: Progress
) -> tuple[Int32s, Int32s]:
    """Which query holds which n-gram: codes of both, each pair once, by query; O(pairs) memory."""
    tokens = tokenize_strings(queries, progress)
    tree = NgramTree(ngrams, tokens.vocabulary, progress)
    owners = tokens.find_owners().astype(np.int64)
    parts = [np.zeros(0, dtype=np.int64)]
    for _, place, code in tree.iterate_occurrences(tokens, progress):
        parts.append(sorted_distinct((owners[place] << 32) | code))
    pairs = sorted_distinct(np.concatenate(parts))
    return (pairs >> 32).astype(np.int32), (pairs & 0xFFFFFFFF).astype(np.int32)
