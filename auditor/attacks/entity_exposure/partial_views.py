"""What somebody sees who knows only some words of a log: the log, with the rest hidden.

A view has the rows of the log it was made from and a query of its own for each of the log's, so
that codes agree; two of its queries may read alike. O(rows + query bytes).
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np

from auditor.arrays import Bools, Int32s, RaggedArray, UInt8s
from auditor.attacks.risk.session_scoring import SessionScores
from auditor.log.model import QueryLog, Vocabulary
from auditor.log.text import TokenizedQueries, tokenize_strings
from auditor.progress import Progress

HIDDEN = "|0|"
"""Stands for a hidden word: no detector reads it as a word or joins others across it."""

BLOCK = 1 << 16


@dataclass(frozen=True, eq=False)
class PartialReading:
    """What each token of a log is taken for; t tokens.

    Attributes
    ----------
    log, found
        The log, and the tokens of its queries.
    guess
        int32 code into `words`, −1 where the token stays hidden; shape (t,).
    words
        Distinct words.
    """

    log: QueryLog
    found: TokenizedQueries
    guess: Int32s
    words: Vocabulary

    @property
    def right(self) -> Bools:
        """Which tokens were taken for what they are; shape (t,)."""
        true = self.found.vocabulary.match(self.words)
        known: Bools = (self.guess >= 0) & (self.guess == true)
        return known

    def only_right(self) -> PartialReading:
        """The same with wrongly taken tokens hidden."""
        guess = np.where(self.right, self.guess, -1).astype(np.int32)
        return dataclasses.replace(self, guess=guess)

    def shuffle_guesses(self, rng: np.random.Generator) -> PartialReading:
        """The same words handed out to the same tokens at random."""
        there = np.flatnonzero(self.guess >= 0)
        guess = self.guess.copy()
        guess[there] = self.guess[rng.permutation(there)]
        return dataclasses.replace(self, guess=guess)

    def build_view(self, progress: Progress) -> QueryLog:
        """The log as it reads."""
        from auditor.attacks.entity_exposure import kernels

        tokens, m = RaggedArray(self.found.offsets, self.found.codes), len(self.log.queries)
        gap = np.frombuffer(HIDDEN.encode(), dtype=np.uint8)
        starts = np.zeros(m + 1, dtype=np.int64)
        words = RaggedArray(self.words.offsets, self.words.data)
        for first, last in progress.blocks("measuring what is recovered", m, BLOCK):
            kernels.view_sizes(first, last, tokens, self.guess, words.starts, len(gap), starts[1:])
        np.cumsum(starts, out=starts)
        data = np.empty(int(starts[-1]), dtype=np.uint8)
        for first, last in progress.blocks("writing what is recovered", m, BLOCK):
            kernels.fill_views(
                first, last, tokens, self.guess, words, gap, RaggedArray(starts, data)
            )
        return dataclasses.replace(self.log, queries=Vocabulary(data, starts))

    def map_marks(self, found: SessionScores, progress: Progress) -> PartialMarks:
        """The marks of a survey of the view, as stretches of the raw queries."""
        from auditor.attacks.entity_exposure import kernels

        spots, own, raw, parts = found.spots, self.found.vocabulary, self.log.queries, []
        marks = kernels.ViewMarks(spots.query, spots.start, spots.stop)
        reading = kernels.TokenReading(
            RaggedArray(self.found.offsets, self.found.codes),
            self.guess,
            RaggedArray(own.offsets, own.data),
            RaggedArray(self.words.offsets, self.words.data),
            len(HIDDEN),
        )
        for first, last in progress.blocks("marking what is recovered", len(spots), BLOCK):
            room = 2 * (last - first)
            while True:
                out = kernels.RecoveredRuns(
                    np.empty(room, np.int64), np.empty(room, np.int32),
                    np.empty(room, np.int32), np.empty(room, np.bool_),
                )  # fmt: skip
                size = kernels.mark_runs(
                    first, last, marks, reading, RaggedArray(raw.offsets, raw.data), out
                )
                if size <= room:
                    break
                room = size
            parts.append([column[:size] for column in out])
        if not parts:
            none = np.zeros(0, dtype=np.int32)
            return PartialMarks(none, none, none, none.astype(np.uint8), none.astype(np.bool_))
        mark, start, stop, wrong = (np.concatenate(column) for column in zip(*parts, strict=True))
        return PartialMarks(spots.query[mark], start, stop, found.mark_reason[mark], wrong)


@dataclass(frozen=True, eq=False)
class PartialMarks:
    """Stretches of recovered words: query, characters, reason, and whether any word is wrong."""

    query: Int32s
    start: Int32s
    stop: Int32s
    reason: UInt8s
    wrong: Bools


def most_frequent(log: QueryLog, n: int, progress: Progress) -> PartialReading:
    """The n most frequent tokens read rightly, all others hidden; ties by first appearance."""
    found = tokenize_strings(log.queries, progress)
    events = np.bincount(log.query[log.event_starts], minlength=len(log.queries))
    top = np.argsort(-found.count_occurrences(events), kind="stable")[:n]
    guess = np.full(len(found.vocabulary), -1, dtype=np.int32)
    guess[top] = top
    return PartialReading(log, found, guess, found.vocabulary)
