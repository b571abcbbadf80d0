"""What somebody sees who knows only some words of a log: the log, with the rest hidden.

A view has the rows of the log it was made from and a query of its own for each of the log's, so
that codes agree; two of its queries may read alike. O(rows + query bytes).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from auditor.arrays import Array, Bools, Int32s, Int64s, RaggedArray, UInt8s
from auditor.attacks.base import Evidence
from auditor.attacks.detection.tables import fill_columns
from auditor.attacks.hash_inversion.alignment import align_release, labels_of
from auditor.attacks.hash_inversion.attack import HashInversionParams, recover_mapping
from auditor.attacks.hash_inversion.ground_truth import InversionProblem
from auditor.attacks.risk.session_scoring import SessionScores
from auditor.log.model import QueryLog, Vocabulary
from auditor.log.text import TokenizedQueries, join_tokens, tokenize_strings
from auditor.progress import Progress

HIDDEN = "|0|"
"""Stands for a hidden word: no detector reads it as a word or joins others across it."""

BLOCK = 1 << 16


@dataclass(frozen=True, eq=False)
class PartialReading:
    """What each token of a log is taken for; t tokens.

    Attributes
    ----------
    log, tokens
        The log, and the tokens of its queries.
    guess
        int32 code into `words`, −1 where the token stays hidden; shape (t,).
    words
        Distinct words.
    """

    log: QueryLog
    tokens: TokenizedQueries
    guess: Int32s
    words: Vocabulary

    @property
    def right(self) -> Bools:
        """Which tokens were taken for what they are; shape (t,)."""
        true = self.tokens.vocabulary.match(self.words)
        is_right: Bools = (self.guess >= 0) & (self.guess == true)
        return is_right

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
        gap = np.frombuffer(HIDDEN.encode(), dtype=np.uint8)
        words = Vocabulary(
            np.concatenate([gap, self.words.data]), np.append(0, self.words.offsets + len(gap))
        )
        taken = TokenizedQueries(self.guess[self.tokens.codes] + 1, self.tokens.offsets, words)
        query_of, queries = join_tokens(taken, progress)
        return dataclasses.replace(self.log, queries=queries.take(query_of))

    def map_marks(self, scores: SessionScores, progress: Progress) -> PartialMarks:
        """The marks of a survey of the view, as stretches of the raw queries."""
        from auditor.attacks.entity_exposure import kernels

        spots, vocabulary, raw = scores.spots, self.tokens.vocabulary, self.log.queries
        marks = kernels.ViewMarks(spots.query, spots.start, spots.stop)
        raw_queries = RaggedArray(raw.offsets, raw.data)
        reading = kernels.TokenReading(
            RaggedArray(self.tokens.offsets, self.tokens.codes),
            self.guess,
            RaggedArray(vocabulary.offsets, vocabulary.data),
            RaggedArray(self.words.offsets, self.words.data),
            len(HIDDEN),
        )

        def map_block(first: int, last: int) -> list[Array]:
            def fill(out: Sequence[Array]) -> int:
                runs = kernels.RecoveredRuns(*out)
                return kernels.mark_runs(first, last, marks, reading, raw_queries, runs)

            return fill_columns("i8 i4 i4 ?", 2 * (last - first), fill)

        blocks = progress.blocks("marking what is recovered", len(spots), BLOCK)
        parts = [map_block(first, last) for first, last in blocks]
        if not parts:
            return PartialMarks.empty()
        mark, start, stop, wrong = (np.concatenate(column) for column in zip(*parts, strict=True))
        return PartialMarks(spots.query[mark], start, stop, scores.mark_reason[mark], wrong)


class PartialMarks(NamedTuple):
    """Stretches of recovered words: query, characters, reason, and whether any word is wrong."""

    query: Int32s
    start: Int32s
    stop: Int32s
    reason: UInt8s
    wrong: Bools

    @classmethod
    def empty(cls) -> PartialMarks:
        """None of them."""
        none = np.zeros(0, dtype=np.int32)
        return cls(none, none, none, none.astype(np.uint8), none.astype(np.bool_))


def most_frequent(log: QueryLog, n: int, progress: Progress) -> PartialReading:
    """The n most frequent tokens read rightly, all others hidden; ties by first appearance."""
    tokens = tokenize_strings(log.queries, progress)
    events = np.bincount(log.query[log.event_starts], minlength=len(log.queries))
    top = np.argsort(-tokens.count_occurrences(events), kind="stable")[:n]
    guess = np.full(len(tokens.vocabulary), -1, dtype=np.int32)
    guess[top] = top
    return PartialReading(log, tokens, guess, tokens.vocabulary)


@dataclass(frozen=True, eq=False)
class RecoveredTokens:
    """A reading, and how its log lies in the raw one.

    Attributes
    ----------
    rows
        int64 raw rows of the reading's log, or None where its rows are not the raw log's.
    has_truth
        Whether the true words are known, so that `PartialReading.right` means something.
    comparison
        What was compared with what.
    """

    reading: PartialReading
    rows: Int64s | None
    has_truth: bool
    comparison: str


def by_inversion(
    evidence: Evidence, n: int, rng: np.random.Generator, progress: Progress
) -> RecoveredTokens:
    """Run the hash inversion with its defaults at vocabulary size n and read the log with it.

    Where the log was split, only the part that was not the attacker's reference is read.

    Raises
    ------
    MissingInput
        There is nothing to invert, or the release can't be split and no reference is given.
    Cancelled
        Somebody asked to stop.
    """
    recovered = recover_mapping(evidence, HashInversionParams(n=n), rng=rng, progress=progress)
    game, mapping = recovered.game, recovered.outcome.mapping
    raw, release = evidence.log, evidence.release.log if evidence.release is not None else None
    words = game.tokens.vocabulary.take(game.tokens.terms[: recovered.outcome.pair.shape[1]])
    if release is not None and not game.has_truth:
        reading = _of_hashes(release, game, mapping, progress)
        return RecoveredTokens(
            PartialReading(release, *reading, words), None, False, game.description
        )
    rows = np.arange(len(raw), dtype=np.int64)
    if game.split is not None:
        rows = np.flatnonzero(~game.split)
    log = raw if game.split is None else raw.rows(rows)
    if release is None:
        return RecoveredTokens(
            PartialReading(log, *_of_hashes(log, game, mapping, progress), words),
            rows, game.has_truth, game.description,
        )  # fmt: skip
    tokens = tokenize_strings(log.queries, progress)
    assert evidence.release is not None
    pairs = align_release(raw, evidence.release, progress)
    guess = np.full(len(tokens.vocabulary), -1, dtype=np.int32)
    if pairs is not None and game.hash_label is not None:
        labels = labels_of(raw, release, pairs, progress)[1]
        raw_words = tokenize_strings(raw.queries, progress).vocabulary
        label = labels[tokens.vocabulary.match(raw_words)]
        by_label = np.full(int(max(label.max(initial=0), game.hash_label.max())) + 1, -1, np.int32)
        labelled = game.hash_label[: len(mapping)] >= 0
        by_label[game.hash_label[: len(mapping)][labelled]] = mapping[labelled]
        guess = np.where(label >= 0, by_label[np.maximum(label, 0)], -1).astype(np.int32)
    return RecoveredTokens(PartialReading(log, tokens, guess, words), rows, True, game.description)


def _of_hashes(
    log: QueryLog, game: InversionProblem, mapping: Int32s, progress: Progress
) -> tuple[TokenizedQueries, Int32s]:
    """The tokens of the attacked log and the rank of the word that each is taken for."""
    tokens = tokenize_strings(log.queries, progress)
    hashes = game.hashes.vocabulary.take(game.hashes.terms[: len(mapping)])
    code = hashes.match(tokens.vocabulary)
    guess = np.full(len(tokens.vocabulary), -1, dtype=np.int32)
    guess[code[code >= 0]] = mapping[code >= 0]
    return tokens, guess
