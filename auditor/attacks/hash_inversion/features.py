"""What the inversion knows of each side: its top terms, their company, and their features.

A side is a log seen through its n most frequent terms: an event keeps only those. The log is
counted once, for the largest n; smaller sides are cut out of it. Kumar et al., sections 3.1
and 3.2. Cost: Σ over distinct queries of (its tokens)² for counting.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from auditor.arrays import Float64s, Int32s, Int64s
from auditor.log.gil_friendly import count_into, count_weighted, select_where
from auditor.log.model import QueryLog, Vocabulary
from auditor.log.text import TokenizedQueries, byte_order, tokenize_strings
from auditor.progress import Progress, run_cancellable

if TYPE_CHECKING:
    from scipy.sparse import csr_array

FEATURES = 5
_STEPS = 1 << 22
"""Pairs of terms in one string that are counted between two looks at the cancel flag."""
_STRINGS = 1 << 18
_TERMS = 1000
"""So many frequent terms say whether a log's order means anything."""


@dataclass(frozen=True, eq=False)
class TokenCorpus:
    """A log's N most frequent terms and how often any two stand in one query."""

    terms: Int64s  # token codes, the most frequent first; shape (N,)
    freq: Int64s  # their occurrences; shape (N,)
    # Events that hold both terms; sparse (N, N), symmetric, empty diagonal.
    counts: csr_array[Any, Any]
    words: TokenizedQueries  # tokens of each distinct query by rank, those beyond N left out
    weights: Int64s  # events of each distinct query
    vocabulary: Vocabulary  # the log's tokens by code
    events: int  # how many there are

    def __len__(self) -> int:
        return len(self.terms)

    def build_side(
        self, n: int, progress: Progress | None = None, *, ordered: bool = False
    ) -> InversionSide:
        """The log through its n most frequent terms; with their order if that is asked for."""
        n, progress = min(n, len(self)), progress or Progress()
        single = np.zeros(n, dtype=np.int64)
        for string, term in _iterate_terms(self.words, n, "counting single words", progress):
            is_only_term = (np.diff(string, prepend=-1) != 0) & (np.diff(string, append=-1) != 0)
            weights = self.weights[string[is_only_term]]
            single += np.bincount(term[is_only_term], weights, minlength=n).astype(np.int64)
        steps = count_successions(self.words, self.weights, n, progress) if ordered else None
        return InversionSide(self.freq[:n], single, self.counts[:n, :n].tocsr(), steps)


@dataclass(frozen=True, eq=False)
class InversionSide:
    """One side of the matching at one vocabulary size n."""

    freq: Int64s  # occurrences of each term; shape (n,)
    single: Int64s  # those as a query of one term; shape (n,)
    counts: csr_array[Any, Any]  # sparse (n, n)
    steps: WordSuccessions | None = None  # None where the order of words is not looked at

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
        local = (self.counts @ freq_n) / np.maximum(self.company, 1)
        columns = [freq_n, share, self.company.astype(np.float64), self.degree.astype(float), local]
        return np.stack(columns, axis=1)

    @functools.cached_property
    def features(self) -> Float64s:
        """The fingerprint with mean 0 and deviation 1 within this side; shape (n, 5).

        A constant column becomes 0.
        """
        raw = self.raw_features
        if not len(raw):
            return raw
        spread = raw.std(axis=0)
        centred = raw - raw.mean(axis=0)
        return np.ascontiguousarray(centred / np.where(spread > 0, spread, 1.0))

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
        totals = np.repeat(np.maximum(self.company, 1), self.degree)
        shares.data = (self.counts.data / totals).astype(np.float32)
        return shares

    @property
    def profile(self) -> csr_array[Any, Any]:
        """`shares`; where the order is known, half each of these and of those by order.

        Float32, shape (n, n), or (n, 3n) with the shares of whom a term precedes and follows.
        """
        from scipy.sparse import csr_array, hstack

        if self.steps is None:
            return self.shares
        matrix: csr_array[Any, Any] = csr_array(
            hstack([self.shares, *self.steps.compute_shares()], format="csr")
        )
        matrix.data *= np.float32(0.5)
        return matrix


def count_corpus(
    log: QueryLog,
    n: int,
    progress: Progress,
    *,
    rng: np.random.Generator | None = None,
    every_row: bool = False,
) -> TokenCorpus:
    """Count a log through its n most frequent tokens.

    `every_row` counts rows, not events: where ids were dropped, equal rows are several people's.
    `rng` orders terms of equal frequency where the codes would give the truth away (when both sides
    come from one raw log); without it ties go by the terms' bytes.
    """
    tokens = tokenize_strings(log.queries, progress)
    progress.stage("counting words")
    weights = np.zeros(len(log.queries), dtype=np.int64)
    count_into(log.query if every_row else select_where(log.query, log.event_starts), weights)
    progress.check()
    occurrences = count_weighted(tokens.codes, tokens.offsets, weights, len(tokens.vocabulary))
    # The n codes that occur most often, the most frequent first; those that never do are none.
    beyond = max(len(occurrences) - n, 0)
    least = int(np.partition(occurrences, beyond)[beyond]) if beyond else 1
    likely = np.flatnonzero(occurrences >= max(least, 1))
    if rng is None:
        order = likely[byte_order(tokens.vocabulary.take(likely))]
    else:
        order = likely[np.argsort(rng.permutation(len(occurrences))[likely])]
    order = order[np.argsort(-occurrences[order], kind="stable")][:n].astype(np.int64)
    rank = np.full(len(tokens.vocabulary), -1, dtype=np.int32)
    rank[order] = np.arange(len(order))
    words = run_cancellable(lambda: tokens.recode_tokens(rank, tokens.vocabulary), progress)
    counts = count_cooccurrences(words, weights, len(order), progress)
    return TokenCorpus(
        order.astype(np.int64), occurrences[order], counts, words, weights, tokens.vocabulary,
        int(weights.sum()),
    )  # fmt: skip


def _iterate_terms(
    words: TokenizedQueries, n: int, stage: str, progress: Progress
) -> Iterator[tuple[Int64s, Int32s]]:
    """By blocks, which string each of the n most frequent terms stands in, and the term."""
    for first, last in progress.blocks(stage, len(words), _STRINGS):
        offsets = words.offsets[first : last + 1]
        term = words.codes[offsets[0] : offsets[-1]]
        string = np.repeat(np.arange(first, last), np.diff(offsets))
        yield string[term < n], term[term < n]


def count_cooccurrences(
    words: TokenizedQueries, weights: Int64s, n: int, progress: Progress
) -> csr_array[Any, Any]:
    """Events that hold both of two terms; int64 sparse (n, n), symmetric, empty diagonal."""
    from scipy.sparse import csr_array, vstack

    unit_values = np.ones(len(words.codes), dtype=np.int32)
    terms: csr_array[Any, Any] = csr_array(
        (unit_values, words.codes, words.offsets), (len(words), n), copy=True
    )
    terms.sum_duplicates()  # in place: not in the words' own arrays
    terms.data[:] = 1  # a term counts once in a string
    holders, lengths = terms.T.tocsr(), np.diff(terms.indptr)
    terms.data = np.repeat(weights, lengths)
    work = np.concatenate(([0], np.cumsum(holders @ lengths)))
    parts: list[Any] = [csr_array((0, n), dtype=np.int64)]
    for first, last in progress.whole_blocks("counting co-occurrences", work, _STEPS):
        parts.append(holders[first:last] @ terms)
    counts: csr_array[Any, Any] = csr_array(vstack(parts, format="csr"))
    counts.setdiag(0)
    counts.eliminate_zeros()
    counts.sort_indices()
    return counts


@dataclass(frozen=True, eq=False)
class WordSuccessions:
    """Which of n terms follows which: beyond the source, whose company is unordered."""

    # Events in which the column's term comes next after the row's; sparse (n, n).
    follows: csr_array[Any, Any]
    ends: Int64s  # occurrences in events of two terms or more, as first and as last of them; (n, 3)

    def compute_shares(self) -> tuple[csr_array[Any, Any], csr_array[Any, Any]]:
        """Of a term's steps, the shares to each next and from each previous one; float32.

        Both together add up to 1 in each row that has any.
        """
        after, before = self.follows.copy(), self.follows.T.tocsr()
        sums = np.asarray(after.sum(axis=1)).ravel() + np.asarray(before.sum(axis=1)).ravel()
        for counts in (after, before):
            totals = np.repeat(np.maximum(sums, 1), np.diff(counts.indptr))
            counts.data = (counts.data / totals).astype(np.float32)
        return after, before


def count_successions(
    words: TokenizedQueries, weights: Int64s, n: int, progress: Progress
) -> WordSuccessions:
    """Count the steps among the n most frequent terms; `words` are coded by rank. O(tokens)."""
    from scipy.sparse import coo_array, csr_array

    ends = np.zeros((n, 3), dtype=np.int64)
    follows: csr_array[Any, Any] = csr_array((n, n), dtype=np.int64)
    for string, term in _iterate_terms(words, n, "counting who follows whom", progress):
        opens = np.diff(string, prepend=-1) != 0
        closes = np.diff(string, append=-1) != 0
        weight = weights[string]
        for column, is_kind in enumerate((~(opens & closes), opens & ~closes, closes & ~opens)):
            ends[:, column] += np.bincount(term[is_kind], weight[is_kind], minlength=n).astype(
                np.int64
            )
        step = ~opens[1:] & (term[1:] != term[:-1])
        steps = (weight[1:][step], (term[:-1][step], term[1:][step]))
        follows = follows + coo_array(steps, shape=(n, n)).tocsr()
    return WordSuccessions(follows, ends)


def is_kept(released_share: float, reference: float) -> bool:
    """Whether the hashed side's words stand in an order that means something.

    Both are `order_decidedness`. Sorted hashes stand in one order always; shuffled ones as often in
    this as in that. Anything between that is at least half as decided as the reference is kept.
    """
    return 0.5 * reference <= released_share < 1.0 and released_share > 0


def order_decidedness(words: TokenizedQueries, progress: Progress) -> float:
    """How decided frequent pairs of neighbours are about who comes first, 0 to 1.

    The mean of (2p − 1)², without bias, over pairs by the number of distinct queries that hold
    them next to each other, where p is the share of those in one of the two orders.
    """
    n = min(_TERMS, int(words.codes.max(initial=-1)) + 1)
    unit_weights = np.ones(len(words), dtype=np.int64)
    forward = count_successions(words, unit_weights, n, progress).follows.astype(np.float64)
    both = (forward + forward.T).tocsr()
    pair_counts = both.data
    if not np.any(pair_counts >= 2):
        return 0.0
    inverse = both.copy()
    inverse.data = np.where(pair_counts >= 2, 1.0 / np.maximum(pair_counts - 1, 1), 0.0)
    undecided = 4.0 * float(forward.multiply(forward.T).multiply(inverse).sum())
    return max(1.0 - undecided / float(pair_counts[pair_counts >= 2].sum()), 0.0)
