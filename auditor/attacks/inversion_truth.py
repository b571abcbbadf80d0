"""Who plays against what: the hashed side, the reference side, and what is true of them.

The auditor, unlike an attacker, has the raw log beside its hashed release: rows that correspond
tell the true word of every hash, in whatever order the release holds users and words. Without a
reference, the log is split in two and one part serves as the attacker's.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from auditor.attacks.base import Evidence
from auditor.attacks.inversion_features import Corpus, corpus
from auditor.errors import MissingInput
from auditor.log.model import QueryLog
from auditor.log.text import Tokens, tokens
from auditor.progress import Progress

Longs = NDArray[np.int64]
Bools = NDArray[np.bool_]

_HASHED_BELOW = 0.05
"""A log of which a smaller share of frequent words is in the reference is taken for hashed."""


@dataclass(frozen=True, eq=False)
class Game:
    """Both corpora and, where it is known, the word behind each hash.

    Attributes
    ----------
    hashes, tokens
        The two sides, each by the rank of its terms.
    hash_label, token_label
        int64; a hash and a token of equal label ≥ 0 are the same word; shapes (N_A,), (N_R,).
        None where nobody knows.
    told
        What the sides are, in words.
    split
        Which rows of the raw log serve as the reference; None where another log does.
    """

    hashes: Corpus
    tokens: Corpus
    hash_label: Longs | None
    token_label: Longs | None
    told: str
    split: Bools | None = None

    @property
    def known(self) -> bool:
        """Whether the truth is known."""
        return self.hash_label is not None

    @property
    def largest(self) -> int:
        """The most terms that both sides have."""
        return min(len(self.hashes), len(self.tokens))

    def truth(self, n: int) -> NDArray[np.int32]:
        """μ* at vocabulary size n: the token of each hash, −1 where it is not among the n."""
        true = np.full(min(n, len(self.hashes)), -1, dtype=np.int32)
        if self.hash_label is None or self.token_label is None:
            return true
        # Words that always stand together share a label; the first is paired with the first.
        left, right = _numbered(self.hash_label[:n]), _numbered(self.token_label[:n])
        place = {key: index for index, key in enumerate(right) if key[0] >= 0}
        for index, key in enumerate(left):
            if key[0] >= 0:
                true[index] = place.get(key, -1)
        return true

    def correct(self, mapping: NDArray[np.int32]) -> Bools:
        """Which hashes were given their word; shape of `mapping`."""
        if self.hash_label is None or self.token_label is None:
            return np.zeros(len(mapping), dtype=np.bool_)
        label = self.hash_label[: len(mapping)]
        given = self.token_label[np.maximum(mapping, 0)] if len(self.token_label) else label - 1
        right: Bools = (mapping >= 0) & (label >= 0) & (label == given)
        return right


def _numbered(labels: Longs) -> list[tuple[int, int]]:
    seen: dict[int, int] = {}
    found = []
    for label in labels.tolist():
        count = seen.get(label, 0)
        seen[label] = count + 1
        found.append((label, count))
    return found


def why_not(evidence: Evidence) -> str:
    """Why there is nothing to invert, in words; empty if there is."""
    release = evidence.release
    if release is None:
        return ""
    if release.log is None:
        return "needs a release that is a log, not tables"
    if readable(release.log, evidence.log):
        return "needs a release whose words are hashed; these can be read"
    return ""


def readable(released: QueryLog, raw: QueryLog) -> bool:
    """Whether most of a sample of the released queries stand in the raw log."""
    size = min(200, len(released.queries))
    if size == 0:
        return False
    sample = released.queries.take(np.linspace(0, len(released.queries) - 1, size).astype(int))
    return int(np.count_nonzero(sample.match(raw.queries) >= 0)) > size // 2


def set_up(
    evidence: Evidence, how: str, n: int, rng: np.random.Generator, progress: Progress
) -> Game:
    """The game for the evidence at hand, counted through the n most frequent terms.

    Parameters
    ----------
    how
        "auto" (the reference if there is one, else "users"), "file", "users" or "earlier".

    Raises
    ------
    MissingInput
        A reference file is wanted and missing, or the release can't be split since its rows
        don't correspond to the log's.
    """
    if how == "auto":
        how = "file" if evidence.reference is not None else "users"
    release = evidence.release.log if evidence.release is not None else None
    if how == "file":
        if evidence.reference is None:
            raise MissingInput(
                "The inversion needs a reference log. Give one, or let it split this log."
            )
        return _against(evidence.log, release, evidence.reference, n, rng, progress)
    there = _half(evidence.log, how, rng)
    told = "users" if how == "users" else "an earlier period"
    told = f"split of one log: the reference holds {'other ' if how == 'users' else ''}{told}"
    if release is None:
        hashed, reference = evidence.log.rows(~there), evidence.log.rows(there)
        game = simulated(hashed, reference, n, told, rng, progress)
        return dataclasses.replace(game, split=there)
    rows = aligned(evidence.log, release, progress)
    if rows is None:
        raise MissingInput(
            "The release's rows don't correspond to the log's, so the log can't be split into "
            "a hashed part and a reference. Give a reference log."
        )
    raw_rows, released_rows = rows
    keep = np.zeros(len(release), dtype=np.bool_)
    keep[released_rows[~there[raw_rows]]] = True
    labels = labels_of(evidence.log, release, rows, progress)
    game = _labelled(
        evidence.log, release.rows(keep), release, labels, evidence.log.rows(there), n, told,
        progress,
    )  # fmt: skip
    return dataclasses.replace(game, split=there)


def _against(
    raw: QueryLog,
    release: QueryLog | None,
    reference: QueryLog,
    n: int,
    rng: np.random.Generator,
    progress: Progress,
) -> Game:
    told = "the reference is another log"
    if release is not None:
        rows = aligned(raw, release, progress)
        if rows is None:
            return _blind(release, reference, n, told, progress)
        labels = labels_of(raw, release, rows, progress)
        return _labelled(raw, release, release, labels, reference, n, told, progress)
    game = simulated(raw, reference, n, told, rng, progress)
    if game.hash_label is None or game.token_label is None:
        return game
    top = game.hash_label[: min(100, len(game.hash_label))]
    shared = float(np.isin(top, game.token_label).mean()) if len(top) else 1.0
    if shared >= _HASHED_BELOW:
        return game
    return _blind(raw, reference, n, f"{told}; the log is taken for hashed already", progress)


def _half(log: QueryLog, how: str, rng: np.random.Generator) -> Bools:
    """Rows of the half that serves as the reference; shape (rows,)."""
    if how == "users":
        users = np.zeros(len(log.users), dtype=np.bool_)
        users[rng.permutation(len(log.users))[: len(log.users) // 2]] = True
        return users[log.user]
    middle = np.median(log.time) if len(log) else 0
    return log.time < middle


def simulated(
    hashed: QueryLog,
    reference: QueryLog,
    n: int,
    told: str,
    rng: np.random.Generator,
    progress: Progress,
) -> Game:
    """Hashing only renames words, so the raw words serve as their own hashes, shuffled."""
    left = corpus(hashed, n, progress, rng=rng)
    right = corpus(reference, n, progress, rng=rng)
    same = right.vocabulary.take(right.terms).match(left.vocabulary).astype(np.int64)
    return Game(left, right, left.terms, same, told)


def _blind(hashed: QueryLog, reference: QueryLog, n: int, told: str, progress: Progress) -> Game:
    return Game(
        corpus(hashed, n, progress), corpus(reference, n, progress), None, None,
        f"{told}; the true words are not known",
    )  # fmt: skip


def _labelled(
    raw: QueryLog,
    hashed: QueryLog,
    whole: QueryLog,
    labels: tuple[Longs, Longs],
    reference: QueryLog,
    n: int,
    told: str,
    progress: Progress,
) -> Game:
    """`labels` are those of the whole release's and of the raw log's tokens by their codes."""
    left, right = corpus(hashed, n, progress), corpus(reference, n, progress)
    hash_codes = left.vocabulary.take(left.terms).match(_words(whole, progress).vocabulary)
    raw_codes = right.vocabulary.take(right.terms).match(_words(raw, progress).vocabulary)
    return Game(left, right, _looked_up(labels[0], hash_codes),
                _looked_up(labels[1], raw_codes), told)  # fmt: skip


def _looked_up(labels: Longs, codes: NDArray[np.int32]) -> Longs:
    if not len(labels):
        return np.full(len(codes), -1, dtype=np.int64)
    return np.where(codes >= 0, labels[codes], -1)


def _words(log: QueryLog, progress: Progress) -> Tokens:
    return tokens(log.queries, progress)


def aligned(raw: QueryLog, release: QueryLog, progress: Progress) -> tuple[Longs, Longs] | None:
    """Rows of the raw log and of the release that are the same event, or None if none are.

    A method that keeps every row and its time may have renamed and reordered users, or put all
    rows under one. Users are told apart by their times and lengths of queries; those whom that
    doesn't tell apart are left out.
    """
    if len(raw) != len(release) or not len(raw):
        return None
    mine, theirs = _row_keys(raw, progress), _row_keys(release, progress)
    rows = np.arange(len(raw), dtype=np.int64)
    if np.array_equal(mine, theirs):
        return rows, rows
    if len(release.users) == 1:
        order = np.argsort(raw.time, kind="stable")
        return (order, rows) if np.array_equal(mine[order], theirs) else None
    if len(raw.users) != len(release.users):
        return None
    return _by_user(raw, release, mine, theirs)


def _by_user(
    raw: QueryLog, release: QueryLog, mine: NDArray[np.uint64], theirs: NDArray[np.uint64]
) -> tuple[Longs, Longs] | None:
    left, right = _user_keys(raw, mine), _user_keys(release, theirs)
    a, b = np.argsort(left, kind="stable"), np.argsort(right, kind="stable")
    if not np.array_equal(left[a], right[b]):
        return None
    alone = np.ones(len(a), dtype=np.bool_)
    same = left[a][1:] == left[a][:-1]
    alone[1:] &= ~same
    alone[:-1] &= ~same
    partner = np.full(len(a), -1, dtype=np.int64)
    partner[a[alone]] = b[alone]
    rows = np.flatnonzero(partner[raw.user] >= 0)
    user = raw.user[rows]
    there = release.user_starts[partner[user]] + (rows - raw.user_starts[user])
    return (rows, there) if np.array_equal(mine[rows], theirs[there]) else None


def _row_keys(log: QueryLog, progress: Progress) -> NDArray[np.uint64]:
    lengths = _words(log, progress).lengths().astype(np.uint64)
    return _mixed(log.time.astype(np.uint64) * np.uint64(4096) + lengths[log.query])


def _user_keys(log: QueryLog, keys: NDArray[np.uint64]) -> NDArray[np.uint64]:
    place = (np.arange(len(log)) - log.user_starts[log.user]).astype(np.uint64)
    each = _mixed(keys + place * np.uint64(0x9E3779B97F4A7C15))
    return np.add.reduceat(each, log.user_starts[:-1])


def _mixed(bits: NDArray[np.uint64]) -> NDArray[np.uint64]:
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))


def labels_of(
    raw: QueryLog, release: QueryLog, rows: tuple[Longs, Longs], progress: Progress
) -> tuple[Longs, Longs]:
    """Labels of the release's and of the raw log's tokens, by code; −1 where nothing tells.

    Where words kept their places, hash and word stand in the same place of the same row. Else
    a hash and a word are the same if they stand in the same rows, equally often: words that
    always stand together share a label.
    """
    mine, theirs = _words(raw, progress), _words(release, progress)
    pairs = raw.query[rows[0]].astype(np.int64) * len(theirs) + release.query[rows[1]]
    pairs = np.unique(pairs)
    a = _take(mine, pairs // len(theirs))
    b = _take(theirs, pairs % len(theirs))
    raw_label = np.full(len(mine.vocabulary), -1, dtype=np.int64)
    hash_label = np.full(len(theirs.vocabulary), -1, dtype=np.int64)
    hash_label[b[0]] = a[0]
    raw_label[a[0]] = a[0]
    if np.array_equal(hash_label[b[0]], a[0]) and _one_to_one(hash_label):
        return hash_label, raw_label
    noise = _mixed(np.arange(1, len(pairs) + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15))
    raw_sum = np.zeros(len(mine.vocabulary), dtype=np.uint64)
    hash_sum = np.zeros(len(theirs.vocabulary), dtype=np.uint64)
    np.add.at(raw_sum, a[0], noise[a[1]])
    np.add.at(hash_sum, b[0], noise[b[1]])
    known = np.unique(raw_sum[raw_sum > 0])
    return _ranked(hash_sum, known), _ranked(raw_sum, known)


def _ranked(sums: NDArray[np.uint64], known: NDArray[np.uint64]) -> Longs:
    place = np.minimum(np.searchsorted(known, sums), max(len(known) - 1, 0))
    same = (known[place] == sums) if len(known) else np.zeros(len(sums), dtype=np.bool_)
    return np.where(same, place, -1)


def _one_to_one(labels: Longs) -> bool:
    used = labels[labels >= 0]
    return len(np.unique(used)) == len(used)


def _take(found: Tokens, strings: Longs) -> tuple[Longs, Longs]:
    """The tokens of some strings end to end, and which of them each stands in."""
    lengths = found.lengths()[strings]
    ends = np.cumsum(lengths)
    row = np.repeat(np.arange(len(strings)), lengths)
    within = np.arange(int(lengths.sum())) - np.repeat(ends - lengths, lengths)
    codes = found.codes[np.repeat(found.offsets[strings], lengths) + within]
    return codes.astype(np.int64), row
