"""Who plays against what: the hashed side, the reference side, and what is true of them.

The auditor, unlike an attacker, has the raw log beside its hashed release: rows that correspond
tell the true word of every hash, in whatever order the release holds users and words. Without a
reference, the log is split in two and one part serves as the attacker's.
"""

import dataclasses
import itertools
from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from auditor.arrays import Bools, Int32s, Int64s
from auditor.attacks.base import Evidence
from auditor.attacks.hash_inversion.alignment import align_release, labels_of
from auditor.attacks.hash_inversion.features import TokenCorpus, count_corpus
from auditor.errors import MissingInput
from auditor.log.model import QueryLog
from auditor.log.text import tokenize_strings
from auditor.messages import as_phrase, phrase
from auditor.privacy.records import is_readable
from auditor.privacy.release_times import EXACT, apparent_times
from auditor.progress import Progress

HASHED_BELOW = 0.05
"""A log of which a smaller share of frequent words is in the reference is taken for hashed."""

_LEAST_ATTACKED = 0.5
"""Share of the rows to be attacked that must be recognized in the release: fewer hide few words."""


@dataclass(frozen=True, eq=False)
class InversionProblem:
    """Both corpora and, where it is known, the word behind each hash.

    A hash and a token of equal label ≥ 0 are the same word; labels are None where nobody knows.
    `description` says what the sides are, in words; `split` which rows of the raw log serve as the
    reference, None where another log does.
    """

    hashes: TokenCorpus
    tokens: TokenCorpus
    hash_label: Int64s | None
    token_label: Int64s | None
    description: str
    split: Bools | None = None

    @property
    def has_truth(self) -> bool:
        """Whether the truth is known."""
        return self.hash_label is not None

    @property
    def largest(self) -> int:
        """The most terms that both sides have."""
        return min(len(self.hashes), len(self.tokens))

    def find_true_tokens(self, n: int) -> Int32s:
        """μ* at vocabulary size n: the token of each hash, −1 where it is not among the n."""
        true = np.full(min(n, len(self.hashes)), -1, dtype=np.int32)
        if self.hash_label is None or self.token_label is None:
            return true
        # Words that always stand together share a label; the first is paired with the first.
        place = {key: i for i, key in enumerate(_number_occurrences(self.token_label[:n]))}
        for index, key in enumerate(_number_occurrences(self.hash_label[:n])):
            if key[0] >= 0:
                true[index] = place.get(key, -1)
        return true

    def is_correct(self, mapping: Int32s) -> Bools:
        """Which hashes were given their word; shape of `mapping`."""
        if self.hash_label is None or self.token_label is None:
            return np.zeros(len(mapping), dtype=np.bool_)
        label = self.hash_label[: len(mapping)]
        mapped = self.token_label[np.maximum(mapping, 0)] if len(self.token_label) else label - 1
        right: Bools = (mapping >= 0) & (label >= 0) & (label == mapped)
        return right


def _number_occurrences(labels: Int64s) -> list[tuple[int, int]]:
    counts: defaultdict[int, itertools.count[int]] = defaultdict(itertools.count)
    return [(label, next(counts[label])) for label in labels.tolist()]


def why_not(evidence: Evidence) -> str:
    """Why there is nothing to invert, in words; empty if there is."""
    release = evidence.release
    if release is None:
        return ""
    if release.log is None:
        return "needs a release that is a log, not tables"
    if not len(release.log):
        return "needs rows: nothing is left in this release"
    if is_readable(release.log, evidence.log):
        return "needs a release whose words are hashed; these can be read"
    return ""


def set_up(
    evidence: Evidence, split: str, n: int, rng: np.random.Generator, progress: Progress
) -> InversionProblem:
    """The game for the evidence at hand, counted through the n most frequent terms.

    `split` is "auto" (the reference if there is one, else "users"), "file", "users" or "earlier".
    Raises `MissingInput` if a reference file is wanted and missing, or the release can't be split
    since too few of its rows correspond to the log's.
    """
    if split == "auto":
        split = "file" if evidence.reference is not None else "users"
    release = evidence.release.log if evidence.release is not None else None
    if split == "file":
        if evidence.reference is None:
            raise MissingInput(
                "The inversion needs a reference log. Give one, or let it split this log."
            )
        return _build_against_reference(evidence, evidence.reference, n, rng, progress)
    log = evidence.log
    if split == "users":
        users = np.zeros(len(log.users), dtype=np.bool_)
        users[rng.permutation(len(log.users))[: len(log.users) // 2]] = True
        is_reference = users[log.user]
    else:
        is_reference = log.time < (np.median(log.time) if len(log) else 0)
    description = phrase(
        "split of one log: the reference holds other {told}"
        if split == "users"
        else "split of one log: the reference holds {told}",
        told=as_phrase("users" if split == "users" else "an earlier period"),
    )
    if release is None:
        hashed, reference = evidence.log.rows(~is_reference), evidence.log.rows(is_reference)
        game = simulate_hashing(hashed, reference, n, description, rng, progress)
        return dataclasses.replace(game, split=is_reference)
    assert evidence.release is not None
    rows = align_release(evidence.log, evidence.release, progress)
    if rows is None:
        raise _explain_no_split()
    raw_rows, released_rows = rows
    keep = np.zeros(len(release), dtype=np.bool_)
    keep[released_rows[~is_reference[raw_rows]]] = True
    if len(release.users) > 1 and split == "users":
        # Not every row has its like, but whose a record is tells of all its rows.
        users = np.zeros(len(release.users), dtype=np.bool_)
        users[release.user[keep]] = True
        keep = users[release.user]
    if np.count_nonzero(keep) < _LEAST_ATTACKED * np.count_nonzero(~is_reference):
        raise _explain_no_split()
    hashes = _count_release(release.rows(keep), n, progress)
    tokens = count_corpus(evidence.log.rows(is_reference), n, progress)
    labels = _label_terms(evidence.log, release, rows, hashes, tokens, progress)
    return InversionProblem(hashes, tokens, *labels, description=description, split=is_reference)


def _explain_no_split() -> MissingInput:
    return MissingInput(
        "The release's rows don't correspond to the log's, so the log can't be split into "
        "a hashed part and a reference. Give a reference log."
    )


def _count_release(released: QueryLog, n: int, progress: Progress) -> TokenCorpus:
    """Under one id for all, searches that two people made on one day are not one event."""
    every_row = len(released.users) == 1 and apparent_times(released.time) != EXACT
    return count_corpus(released, n, progress, every_row=every_row)


def _build_against_reference(
    evidence: Evidence, reference: QueryLog, n: int, rng: np.random.Generator, progress: Progress
) -> InversionProblem:
    note, raw = "the reference is another log", evidence.log
    release = evidence.release.log if evidence.release is not None else None
    if evidence.release is not None and release is not None:
        rows = align_release(raw, evidence.release, progress)
        if rows is None:
            return _build_blind_problem(release, reference, n, note, progress)
        hashes = _count_release(release, n, progress)
        tokens = count_corpus(reference, n, progress)
        labels = _label_terms(raw, release, rows, hashes, tokens, progress)
        return InversionProblem(hashes, tokens, *labels, description=note)
    game = simulate_hashing(raw, reference, n, note, rng, progress)
    if game.hash_label is None or game.token_label is None:
        return game
    top = game.hash_label[: min(100, len(game.hash_label))]
    shared = float(np.isin(top, game.token_label).mean()) if len(top) else 1.0
    if shared >= HASHED_BELOW:
        return game
    note = phrase("{told}; the log is taken for hashed already", told=as_phrase(note))
    return _build_blind_problem(raw, reference, n, note, progress)


def simulate_hashing(
    hashed: QueryLog,
    reference: QueryLog,
    n: int,
    description: str,
    rng: np.random.Generator,
    progress: Progress,
) -> InversionProblem:
    """Hashing only renames words, so the raw words serve as their own hashes, shuffled."""
    left = count_corpus(hashed, n, progress, rng=rng)
    right = count_corpus(reference, n, progress, rng=rng)
    term_match = right.vocabulary.take(right.terms).match(left.vocabulary).astype(np.int64)
    return InversionProblem(left, right, left.terms, term_match, description)


def _build_blind_problem(
    hashed: QueryLog, reference: QueryLog, n: int, description: str, progress: Progress
) -> InversionProblem:
    return InversionProblem(
        _count_release(hashed, n, progress), count_corpus(reference, n, progress), None, None,
        phrase("{told}; the true words are not known", told=as_phrase(description)),
    )  # fmt: skip


def _label_terms(
    raw: QueryLog,
    release: QueryLog,
    rows: tuple[Int64s, Int64s],
    hashes: TokenCorpus,
    tokens: TokenCorpus,
    progress: Progress,
) -> tuple[Int64s, Int64s]:
    """The labels of hashes and of tokens, −1 where nobody knows; `rows` are the same events."""

    def look_up(corpus: TokenCorpus, log: QueryLog, label: Int64s) -> Int64s:
        vocabulary = tokenize_strings(log.queries, progress).vocabulary
        codes = corpus.vocabulary.take(corpus.terms).match(vocabulary)
        return np.append(label, -1)[codes]  # the last place is that of words the log hasn't

    of_hashes, of_words = labels_of(raw, release, rows, progress)
    return look_up(hashes, release, of_hashes), look_up(tokens, raw, of_words)
