"""The candidates of each length: where they stand in queries, and what users give them.

Everything is done on the codes of words of distinct queries; rows are read to weigh alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from auditor.arrays import Bools, Float64s, Int32s, Int64s
from auditor.log.gil_friendly import count_into
from auditor.log.model import NONE, QueryLog
from auditor.log.text import TokenizedQueries, tokenize_strings
from auditor.methods.k_theta_affinity.affinity import lengthen_runs
from auditor.methods.k_theta_affinity.kernels import QueryRuns
from auditor.methods.n_grams import kernels
from auditor.methods.noisy_counts.histograms import user_blocks
from auditor.privacy import gaussian
from auditor.progress import Progress

BLOCK_ROWS = 1 << 20


@dataclass(frozen=True, eq=False)
class Candidates:
    """The candidates of one length in the distinct queries of a log.

    Attributes
    ----------
    length
        Words of each.
    positions
        Where each occurrence begins among the words of all queries, ascending; shape (m,).
    codes
        The number of the n-gram there, by first appearance, −1 where it is none (any more).
    known
        How many n-grams there are.
    """

    length: int
    positions: Int64s
    codes: Int32s
    known: int

    def find_first(self) -> Int64s:
        """The place in `positions` at which each n-gram stands first; shape (known,)."""
        first = np.full(self.known, -1, dtype=np.int64)
        there = np.flatnonzero(self.codes >= 0)[::-1]
        first[self.codes[there]] = there
        return first

    def keep(self, kept: Bools) -> Candidates:
        """The same, with no code where an n-gram isn't kept."""
        wanted = self.codes >= 0
        wanted[wanted] = kept[self.codes[wanted]]
        codes = np.where(wanted, self.codes, np.int32(-1))
        return Candidates(self.length, self.positions, codes, self.known)


class WordSequences:
    """The words of a log's distinct queries, from which candidates are cut; O(bytes)."""

    def __init__(self, log: QueryLog, progress: Progress) -> None:
        self.log = log
        self.words: TokenizedQueries = tokenize_strings(log.queries, progress)
        owners = self.words.find_owners().astype(np.int32)
        nothing = np.zeros(1, dtype=np.int64)
        self._runs = QueryRuns(self.words.codes, owners, nothing, self.words.offsets)

    def list_words(self) -> Candidates:
        """The candidates of length 1: all words."""
        positions = np.arange(len(self.words.codes), dtype=np.int64)
        return Candidates(1, positions, self.words.codes, len(self.words.vocabulary))

    def lengthen(self, shorter: Candidates, progress: Progress) -> Candidates:
        """Runs of one word more, both of whose shorter runs have a code; O(occurrences)."""
        length = shorter.length + 1
        positions, codes, known = lengthen_runs(
            self._runs, shorter.positions, shorter.codes, length, progress
        )
        return Candidates(length, positions, codes, known)

    def write_texts(self, candidates: Candidates, wanted: Int64s) -> list[str]:
        """The n-grams as text, words with one blank between them."""
        starts = candidates.positions[candidates.find_first()[wanted]]
        spans = starts[:, None] + np.arange(candidates.length)
        codes, place = np.unique(self.words.codes[spans], return_inverse=True)
        words = self.words.vocabulary.list_strings(codes.astype(np.int64))
        rows = place.reshape(spans.shape)
        return [" ".join(words[int(one)] for one in row) for row in rows]

    def find_ngram(self, candidates: Candidates, wanted: Int32s) -> int:
        """The number of the n-gram of these words' codes, −1 if it is no candidate; O(m)."""
        there = np.flatnonzero(candidates.codes >= 0)
        for place, word in enumerate(wanted.tolist()):
            there = there[self.words.codes[candidates.positions[there] + place] == word]
        return int(candidates.codes[there[0]]) if len(there) and len(wanted) else NONE

    def weigh(self, candidates: Candidates, most: int, progress: Progress) -> Int64s:
        """What users give each n-gram, in steps of 1/`gaussian.GRID`; shape (known,).

        O(rows · words of a query); 12 bytes an n-gram and 8 a distinct query.
        """
        total = np.zeros(candidates.known, dtype=np.int64)
        weight = gaussian.item_weights(most)
        scratch = kernels.NgramScratch(
            np.full(candidates.known, -1, dtype=np.int32), np.empty(most, dtype=np.int32)
        )
        histories = self._gather_histories(candidates)
        for first, last in self._blocks(progress):
            kernels.weigh_ngrams(histories, first, last, weight, scratch, total)
        return total

    def expect_weights(
        self, candidates: Candidates, chances: Float64s, most: int, progress: Progress
    ) -> tuple[Float64s, Int64s]:
        """What users are expected to give each n-gram that is a candidate, and how many do.

        `chances` are those to be a candidate; all of shape (known,). A single n-gram gets 1.
        """
        total = np.zeros(candidates.known)
        users = np.zeros(candidates.known, dtype=np.int64)
        mark = np.full(candidates.known, -1, dtype=np.int32)
        sums = kernels.ExpectedSums(total, users, mark)
        histories = self._gather_histories(candidates)
        for first, last in self._blocks(progress):
            kernels.expect_weights(histories, first, last, chances, most, sums)
        return total, users

    def expect_words_share(self, chances: Float64s) -> float:
        """Share of the words of all searches that is expected to be released.

        `chances` are those of each word; shape (len(self.words.vocabulary),).
        """
        searches = np.zeros(len(self.log.queries), dtype=np.int64)
        count_into(self.log.query[self.log.event_starts], searches)
        often = self.words.count_occurrences(searches)
        return float(often @ chances) / max(1, int(often.sum()))

    def _blocks(self, progress: Progress) -> Iterator[tuple[int, int]]:
        return user_blocks(self.log, "weighing n-grams", progress, BLOCK_ROWS)

    def _gather_histories(self, candidates: Candidates) -> kernels.NgramHistories:
        places = np.searchsorted(candidates.positions, self.words.offsets).astype(np.int64)
        return kernels.NgramHistories(
            self.log.query, self.log.user_starts, places, candidates.codes
        )
