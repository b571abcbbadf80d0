"""What the inversion knows of each side: its top terms, their company, and their features.

A side is a log seen through its n most frequent terms: an event keeps only those. The log is
counted once, for the largest n; smaller sides are cut out of it. Kumar et al., sections 3.1
and 3.2. Cost: Σ over distinct queries of (its tokens)² for counting.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from auditor.arrays import Float64s, Int64s, RaggedArray
from auditor.attacks.hash_inversion import kernels
from auditor.attacks.hash_inversion.word_order import WordSuccessions, count_successions
from auditor.log.gil_friendly import count_into, count_weighted, select_where
from auditor.log.model import QueryLog, Vocabulary
from auditor.log.text import TokenizedQueries, byte_order, tokenize_strings
from auditor.progress import Progress

if TYPE_CHECKING:
    from scipy.sparse import csr_array


FEATURES = 5
_ENTRIES = 1 << 22
_STRINGS = 1 << 18


@dataclass(frozen=True, eq=False)
class TokenCorpus:
    """A log's N most frequent terms and how often any two stand in one query.

    Attributes
    ----------
    terms
        int64 token codes, the most frequent first; shape (N,).
    freq
        int64 occurrences; shape (N,).
    counts
        int64 sparse (N, N), symmetric, empty diagonal: events that hold both terms.
    words
        Tokens of each distinct query, coded by rank; terms beyond N are left out.
    weights
        int64 events of each distinct query.
    vocabulary
        The log's tokens by their code.
    events
        Events of the log.
    """

    terms: Int64s
    freq: Int64s
    counts: csr_array[Any, Any]
    words: TokenizedQueries
    weights: Int64s
    vocabulary: Vocabulary
    events: int

    def __len__(self) -> int:
        return len(self.terms)

    def build_side(
        self, n: int, progress: Progress | None = None, *, ordered: bool = False
    ) -> InversionSide:
        """The log through its n most frequent terms; with their order if that is asked for."""
        n, progress = min(n, len(self)), progress or Progress()
        single = np.zeros(n, dtype=np.int64)
        codes, offsets = self.words.codes, self.words.offsets
        for first, last in progress.blocks("counting single words", len(self.words), _STRINGS):
            kernels.add_single(first, last, codes, offsets, self.weights, n, single)
        found = count_successions(self.words, self.weights, n, progress) if ordered else None
        return InversionSide(self.freq[:n], single, self.counts[:n, :n].tocsr(), found)


@dataclass(frozen=True, eq=False)
class InversionSide:
    """One side of the matching at one vocabulary size n.

    Attributes
    ----------
    freq, single
        int64 occurrences of each term, and those as a query of one term; shape (n,).
    counts
        int64 sparse co-occurrence counts among the n terms; shape (n, n).
    steps
        Which term follows which; None where the order of words is not looked at.
    """

    freq: Int64s
    single: Int64s
    counts: csr_array[Any, Any]
    steps: WordSuccessions | None = None

    def __len__(self) -> int:
        return len(self.freq)

    @functools.cached_property
    def degree(self) -> Int64s:
        """Neighbours of each term; shape (n,)."""
        return np.diff(self.counts.indptr).astype(np.int64)

    @functools.cached_property
    def company(self) -> Int64s:
        """Σ_t cooc(s, t) of each term; shape (n,)."""
        return np.asarray(self.counts.sum(axis=1)).ravel().astype(np.int64)

    @functools.cached_property
    def raw_features(self) -> Float64s:
        """The five elements of the node-start fingerprint, as they are; shape (n, 5)."""
        freq_n = self.freq / max(int(self.freq.sum()), 1)
        share = self.single / np.maximum(self.freq, 1)
        near = (self.counts @ freq_n) / np.maximum(self.company, 1)
        columns = [freq_n, share, self.company.astype(np.float64), self.degree.astype(float), near]
        return np.stack(columns, axis=1)

    @functools.cached_property
    def features(self) -> Float64s:
        """The fingerprint with mean 0 and deviation 1 within this side; shape (n, 5)."""
        return standardize_columns(self.raw_features)

    @functools.cached_property
    def fingerprint(self) -> Float64s:
        """Features on scales on which equal ratios are equal steps; shape (n, 5), or (n, 7).

        Beyond the source: logarithms of the frequency, of the company an occurrence has, of the
        neighbours for the frequency, of the neighbours' frequency, and twice the root of the share
        of one-term queries. Deviations of counts are about alike on them for frequent and rare.
        Where the order is known, also twice the roots of the shares of the occurrences in company
        that open and that close a query.
        """
        freq = np.maximum(self.freq, 1).astype(np.float64)
        raw = self.raw_features
        columns = [
            np.log(freq / freq.sum()),
            np.log1p(self.company / freq),
            2.0 * np.sqrt(raw[:, 1]),
            np.log((self.degree + 1) / np.sqrt(freq)),
            np.log(raw[:, 4] + 1e-4),
        ]
        if self.steps is not None:
            among, *ends = self.steps.ends.T
            columns += [2.0 * np.sqrt((end + 0.5) / (among + 1.0)) for end in ends]
        return np.stack(columns, axis=1)

    @functools.cached_property
    def shares(self) -> csr_array[Any, Any]:
        """cooc_N: each row of the counts divided by its sum; float32, shape (n, n)."""
        shares = self.counts.astype(np.float32)
        whole = np.repeat(np.maximum(self.company, 1), self.degree)
        shares.data = (self.counts.data / whole).astype(np.float32)
        return shares

    @property
    def profile(self) -> csr_array[Any, Any]:
        """`shares`; where the order is known, half each of these and of those by order.

        Float32, shape (n, n), or (n, 3n) with the shares of whom a term precedes and follows.
        """
        from scipy.sparse import csr_array, hstack

        if self.steps is None:
            return self.shares
        found: csr_array[Any, Any] = csr_array(
            hstack([self.shares, *self.steps.compute_shares()], format="csr")
        )
        found.data *= np.float32(0.5)
        return found


def standardize_columns(columns: Float64s) -> Float64s:
    """Each column less its mean, by its deviation; a constant column becomes 0."""
    if not len(columns):
        return columns
    spread = columns.std(axis=0)
    centred = columns - columns.mean(axis=0)
    return np.ascontiguousarray(centred / np.where(spread > 0, spread, 1.0))


def count_corpus(
    log: QueryLog, n: int, progress: Progress, *, rng: np.random.Generator | None = None
) -> TokenCorpus:
    """Count a log through its n most frequent tokens.

    Parameters
    ----------
    rng
        Orders terms of equal frequency where the codes would give the truth away (when both
        sides come from one raw log); without it ties go by the terms' bytes.
    """
    tokens = tokenize_strings(log.queries, progress)
    progress.stage("counting words")
    weights = np.zeros(len(log.queries), dtype=np.int64)
    count_into(select_where(log.query, log.event_starts), weights)
    progress.check()
    often = count_weighted(tokens.codes, tokens.offsets, weights, len(tokens.vocabulary))
    order = _most_frequent(often, n, tokens.vocabulary, rng)
    words = _by_rank(tokens, order, progress)
    counts = count_cooccurrences(words, weights, len(order), progress)
    return TokenCorpus(
        order.astype(np.int64), often[order], counts, words, weights, tokens.vocabulary,
        int(weights.sum()),
    )  # fmt: skip


def _most_frequent(
    often: Int64s, n: int, terms: Vocabulary, rng: np.random.Generator | None
) -> Int64s:
    """The n codes that occur most often, the most frequent first; those that never do are none."""
    least = 1
    if len(often) > n:
        least = max(least, int(np.partition(often, len(often) - n)[len(often) - n]))
    likely = np.flatnonzero(often >= least)
    if rng is None:
        order = likely[byte_order(terms.take(likely))]
    else:
        order = likely[np.argsort(rng.permutation(len(often))[likely])]
    return order[np.argsort(-often[order], kind="stable")][:n].astype(np.int64)


def _by_rank(tokens: TokenizedQueries, order: Int64s, progress: Progress) -> TokenizedQueries:
    """The tokens as ranks in `order`; others are left out."""
    rank = np.full(len(tokens.vocabulary), -1, dtype=np.int32)
    rank[order] = np.arange(len(order))
    codes, ends = [np.zeros(0, dtype=np.int32)], [np.zeros(1, dtype=np.int64)]
    for first, last in progress.blocks("ranking words", len(tokens), _STRINGS):
        begin, end = tokens.offsets[first], tokens.offsets[last]
        ranks = rank[tokens.codes[begin:end]]
        kept = np.concatenate(([0], np.cumsum(ranks >= 0)))
        ends.append(ends[-1][-1] + kept[tokens.offsets[first + 1 : last + 1] - begin])
        codes.append(ranks[ranks >= 0])
    return TokenizedQueries(np.concatenate(codes), np.concatenate(ends), tokens.vocabulary)


def list_terms(words: TokenizedQueries, n: int) -> csr_array[Any, Any]:
    """Which of n terms each string has: sparse (strings, n), terms ascending, each once."""
    from scipy.sparse import csr_array

    shape, ones = (len(words), n), np.ones(len(words.codes), dtype=np.int32)
    terms: csr_array[Any, Any] = csr_array((ones, words.codes, words.offsets), shape, copy=True)
    terms.sum_duplicates()  # in place: not in the words' own arrays
    terms.data[:] = 1
    return terms


def count_cooccurrences(
    words: TokenizedQueries, weights: Int64s, n: int, progress: Progress
) -> csr_array[Any, Any]:
    """Events that hold both of two terms; int64 sparse (n, n), symmetric, empty diagonal."""
    from scipy.sparse import csr_array

    terms_of = list_terms(words, n)
    progress.check()
    holders = terms_of.tocsc()
    starts, docs = holders.indptr.astype(np.int64), holders.indices.astype(np.int64)
    codes, offsets = terms_of.indices.astype(np.int32), terms_of.indptr.astype(np.int64)
    lengths = np.diff(offsets)
    most = np.concatenate(([0], np.cumsum(np.maximum(lengths - 1, 0)[docs])))[starts]
    most = np.concatenate(([0], np.cumsum(np.minimum(np.diff(most), n)))).astype(np.int64)
    postings, tokens = RaggedArray(starts, docs), RaggedArray(offsets, codes)
    total = np.zeros(n, dtype=np.int64)
    sizes = np.zeros(n, dtype=np.int64)
    terms, counts = [np.zeros(0, np.int32)], [np.zeros(0, np.int64)]
    for first, last in progress.whole_blocks("counting co-occurrences", most, _ENTRIES):
        room = int(most[last] - most[first])
        near, often = np.empty(room, np.int32), np.empty(room, np.int64)
        out = kernels.CooccurrenceRows(near, often, sizes[first:last])
        used = kernels.count_rows(first, last, postings, tokens, weights, total, out)
        terms.append(near[:used].copy())
        counts.append(often[:used].copy())
    indptr = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
    rows = np.concatenate(counts), np.concatenate(terms).astype(np.int64), indptr
    return csr_array(rows, shape=(n, n))
