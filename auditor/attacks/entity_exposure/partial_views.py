"""What somebody sees who knows only some words of a log: the log, with the rest hidden.

A view has the rows of the log it was made from and a query of its own for each of the log's, so
that codes agree; two of its queries may read alike. O(rows + query bytes).
"""

from __future__ import annotations

import dataclasses
import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import NamedTuple

import numpy as np

from auditor.arrays import Bools, Int32s, Int64s, UInt8s
from auditor.attacks.base import Evidence
from auditor.attacks.hash_inversion.alignment import align_release, labels_of
from auditor.attacks.hash_inversion.attack import HashInversionParams, recover_mapping
from auditor.attacks.hash_inversion.ground_truth import InversionProblem
from auditor.attacks.risk.session_scoring import SessionScores
from auditor.log.model import QueryLog, Vocabulary
from auditor.log.text import TokenizedQueries, join_tokens, tokenize_strings
from auditor.progress import Progress

HIDDEN = "|0|"
"""Stands for a hidden word: no detector reads it as a word or joins others across it."""


@dataclass(frozen=True, eq=False)
class PartialReading:
    """What each token of a log is taken for; t tokens."""

    # log, tokens: the log, and the tokens of its queries
    log: QueryLog
    tokens: TokenizedQueries
    guess: Int32s  # code into `words`, −1 where the token stays hidden; shape (t,)
    words: Vocabulary  # distinct words

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
        guessed = np.flatnonzero(self.guess >= 0)
        guess = self.guess.copy()
        guess[guessed] = self.guess[rng.permutation(guessed)]
        return dataclasses.replace(self, guess=guess)

    def build_view(self, progress: Progress) -> QueryLog:
        """The log as it reads."""
        gap = np.frombuffer(HIDDEN.encode(), dtype=np.uint8)
        words = Vocabulary(
            np.concatenate([gap, self.words.data]), np.append(0, self.words.offsets + len(gap))
        )
        view_tokens = TokenizedQueries(
            self.guess[self.tokens.codes] + 1, self.tokens.offsets, words
        )
        query_of, queries = join_tokens(view_tokens, progress)
        return dataclasses.replace(self.log, queries=queries.take(query_of))

    def map_marks(self, scores: SessionScores, progress: Progress) -> PartialMarks:
        """The marks of a survey of the view, as stretches of the raw queries.

        A mark gives a run for each stretch of its words that are not hidden; a run is wrong if any
        of its words is. O(words of the marked queries).
        """
        columns = scores.spots.query, scores.spots.start, scores.spots.stop, scores.mark_reason
        marks = zip(*(column.tolist() for column in columns), strict=True)
        runs: list[tuple[int, int, int, int, bool]] = []
        progress.stage("marking what is recovered", len(scores.spots))
        for query, group in itertools.groupby(marks, itemgetter(0)):
            words = self._place_words(query)
            for _, start, stop, reason in group:
                progress.advance()
                follows = False
                for word in words:
                    is_inside = (
                        not word.hidden and word.view_start < stop and word.view_stop > start
                    )
                    if is_inside and follows:
                        _, first, _, _, wrong = runs[-1]
                        runs[-1] = query, first, word.stop, reason, wrong or word.wrong
                    elif is_inside:
                        runs.append((query, word.start, word.stop, reason, word.wrong))
                    follows = is_inside
        return PartialMarks.of(runs)

    def _place_words(self, query: int) -> list[_PlacedWord]:
        """Where the words of a query stand in the view and in the raw query."""
        placed, offset = [], 0
        raw_words = re.finditer(r"\S+", self.log.queries[query])
        for token, raw in zip(self.tokens[query].tolist(), raw_words, strict=False):
            code = int(self.guess[token])
            text = HIDDEN if code < 0 else self.words[code]
            stop = offset + len(text)
            placed.append(_PlacedWord(offset, stop, *raw.span(), code < 0, text != raw.group()))
            offset = stop + 1
        return placed


class _PlacedWord(NamedTuple):
    """Characters of one word in a view, and in the raw query."""

    view_start: int
    view_stop: int
    start: int
    stop: int
    hidden: bool
    wrong: bool


class PartialMarks(NamedTuple):
    """Stretches of recovered words: query, characters, reason, and whether any word is wrong."""

    query: Int32s
    start: Int32s
    stop: Int32s
    reason: UInt8s
    wrong: Bools

    @classmethod
    def of(cls, runs: Sequence[tuple[int, int, int, int, bool]] = ()) -> PartialMarks:
        """From one tuple a stretch."""
        query, start, stop, reason, wrong = np.array(runs, dtype=np.int32).reshape(-1, 5).T
        return cls(query, start, stop, reason.astype(np.uint8), wrong.astype(np.bool_))

    def select_wrong(self) -> PartialMarks:
        """Those in which any word is wrong."""
        return PartialMarks._make(column[self.wrong] for column in self)


def most_frequent(log: QueryLog, n: int, progress: Progress) -> PartialReading:
    """The n most frequent tokens read rightly, all others hidden; ties by first appearance."""
    tokens = tokenize_strings(log.queries, progress)
    top = np.argsort(-tokens.count_occurrences(log.searches_by_query), kind="stable")[:n]
    guess = np.full(len(tokens.vocabulary), -1, dtype=np.int32)
    guess[top] = top
    return PartialReading(log, tokens, guess, tokens.vocabulary)


@dataclass(frozen=True, eq=False)
class RecoveredTokens:
    """A reading, and how its log lies in the raw one."""

    reading: PartialReading
    # raw rows of the reading's log, or None where its rows are not the raw log's.
    rows: Int64s | None
    # Whether the true words are known, so that `PartialReading.right` means something.
    has_truth: bool
    comparison: str  # what was compared with what


def by_inversion(
    evidence: Evidence, is_attacked: Bools, n: int, rng: np.random.Generator, progress: Progress
) -> RecoveredTokens:
    """Run the hash inversion with its defaults at vocabulary size n and read the log with it.

    Only the rows of the attacked users are read, `is_attacked` having shape (log's users,); and
    where the log was split, only the part that was not the attacker's reference.

    Raises `MissingInput`: there is nothing to invert, or the release can't be split and no
    reference is given; `Cancelled`.
    """
    game, outcome = recover_mapping(evidence, HashInversionParams(n=n), rng=rng, progress=progress)
    mapping = outcome.mapping
    raw, release = evidence.log, evidence.release.log if evidence.release is not None else None
    words = game.tokens.vocabulary.take(game.tokens.terms[: outcome.pair.shape[1]])
    if release is not None and not game.has_truth:
        reading = _of_hashes(release, game, mapping, progress)
        return RecoveredTokens(
            PartialReading(release, *reading, words), None, False, game.description
        )
    is_read = is_attacked[raw.user]
    if game.split is not None:
        is_read &= ~game.split
    rows = np.flatnonzero(is_read)
    log = raw if len(rows) == len(raw) else raw.rows(rows)
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
