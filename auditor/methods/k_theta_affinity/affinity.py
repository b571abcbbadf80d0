"""How many users support a query by affine ones: those of all refinements of one of its stems.

A stem is a run of consecutive words. A query q refines a stem s that stands in it and weighs at
least Θ of it, w(s) ≥ Θ·w(q), where the weight of words is their sum. Two queries are affine if
both refine one stem; the affinity of q and r is thus the greatest weight of a common run, divided
by the greater of w(q) and w(r). The support of q is the most users that the queries of one of its
stems have together, so that whoever refines a stem of k users is released, with all of them.

Removing a query with a support below k takes no user from a stem that has k: one pass gives the
largest set of queries in which each has its k users within the set. It is part of the
generalized core (Batagelj and Zaveršnik, 2002) of level k of the graph of affine queries, in which
the k users may come from several stems.

Weights are integers, so that sums don't depend on the order of rows. Cost: O(rows · words of a
query) for the users of words, and O(g + p) for the support, where g is the number of runs of words
of at most `MOST_WORDS` in distinct queries and p that of distinct pairs of user and query, times
the stems of a query. A run is passed over once the queries that it stands in have fewer than
`least` users in sum.
"""

from dataclasses import dataclass

import numpy as np

from auditor.arrays import Bools, Int32s, Int64s, RaggedArray
from auditor.log.gil_friendly import select_where
from auditor.log.model import QueryLog
from auditor.log.text import TokenizedQueries, canonical_tokens, tokenize_strings
from auditor.methods.k_theta_affinity import kernels
from auditor.methods.noisy_counts.histograms import CountingUnit, count_keys, unit_counts
from auditor.progress import Progress, run_cancellable

MOST_WORDS = 64
"""Words of the longest query that has stems; longer ones are supported by their own users alone."""

UNIT = 1000
"""What one bit of a word's information, or one word, weighs."""

_BLOCK = 1 << 20
_STEMS = 1 << 14


@dataclass(frozen=True, eq=False)
class SupportedQueries:
    """How each query of a log is supported; arrays of shape (queries,)."""

    issuers: Int32s  # distinct users of the query itself
    # Most users of one of its stems; 0 where a word is too rare. Below `least` it may be less.
    support: Int64s
    rarest: Int64s  # users of its rarest word


def find_support(
    log: QueryLog,
    progress: Progress,
    *,
    theta: float,
    information: bool,
    least: int,
    least_of_word: int,
) -> SupportedQueries:
    """The users who support each query of the log, exactly from `least` on.

    A stem has the share `theta` of a query's weight at least. Words weigh the same, or by their
    `information`: one that u of n users issued holds log₂((n + 1)/u) bits, the rarer, the more.
    Queries with a word of fewer than `least_of_word` users support none.
    """
    words, users = _count_words(log, progress)
    rarest = np.full(len(log.queries), len(log.users), dtype=np.int64)
    np.minimum.at(rarest, words.find_owners(), users[words.codes])
    weights = np.full(len(users), UNIT, dtype=np.int64)
    if information:
        bits = np.log2((len(log.users) + 1) / np.maximum(users, 1))
        weights = np.maximum(1, np.rint(UNIT * bits)).astype(np.int64)
    issuers = unit_counts(log, CountingUnit.USERS, progress)
    support = _count_support(
        log, words, weights, rarest >= least_of_word, issuers, theta, least, progress
    )
    return SupportedQueries(issuers, support, rarest)


def _count_words(log: QueryLog, progress: Progress) -> tuple[TokenizedQueries, Int64s]:
    """The words of queries in lower case, and the users of each; O(rows · words of a query)."""
    words = canonical_tokens(
        tokenize_strings(log.queries, progress), stems=False, drop=(), progress=progress
    )
    rows = RaggedArray(words.offsets, words.codes)
    users = np.zeros(len(words.vocabulary), dtype=np.int64)
    stamp = np.full(len(users), -1, dtype=np.int32)
    for first, last in progress.whole_blocks("counting users of words", log.user_starts, _BLOCK):
        kernels.count_word_users(log.query, log.user_starts, first, last, rows, stamp, users)
    return words, users


def _count_support(
    log: QueryLog,
    words: TokenizedQueries,
    weights: Int64s,
    allowed: Bools,
    users_of_query: Int32s,
    theta: float,
    least: int,
    progress: Progress,
) -> Int64s:
    """The most users of one stem of each query, by the `weights` of words; shape (queries,).

    A support below `least` is that of the query's own users, or more; 0 of a query that isn't
    `allowed` to be released and to support others.
    """
    support = np.where(allowed, users_of_query, 0).astype(np.int64)
    lengths = words.compute_lengths()
    with_stems = allowed & (lengths > 0) & (lengths <= MOST_WORDS)
    runs = _lay_out_words(words, weights, with_stems)
    progress.stage("listing users of queries")
    keys, _ = count_keys([(log.query.astype(np.int64) << 32) | log.user], progress)
    starts = np.searchsorted(keys >> 32, np.arange(len(log.queries) + 1))
    users = RaggedArray(starts, (keys & 0xFFFFFFFF).astype(np.int32))
    codes = runs.words.copy()
    positions, count = np.arange(len(codes)), len(words.vocabulary)
    length = 1
    while len(positions):
        progress.check()
        query = runs.queries[positions]
        total = np.bincount(
            codes, users_of_query[query], minlength=count
        )  # no fewer users than it has
        codes[total[codes] < least] = -1
        full_weight = runs.weight[runs.offsets[query + 1]] - runs.weight[runs.offsets[query]]
        part = runs.weight[positions + length] - runs.weight[positions]
        is_affine = (codes >= 0) & (part >= (theta - 1e-9) * full_weight)
        starts, stem = select_where(positions, is_affine), select_where(codes, is_affine)
        begins = np.concatenate(([0], np.cumsum(np.bincount(stem, minlength=count))))
        queries = runs.queries[starts[np.argsort(stem, kind="stable")]]
        last_stem = np.full(len(log.users), -1, dtype=np.int32)
        groups = kernels.StemGroups(RaggedArray(begins, queries), users, last_stem)
        for first, last in progress.blocks("counting users of stems", count, _STEMS):
            kernels.raise_support(groups, first, last, support)
        length += 1
        positions, codes, count = lengthen_runs(runs, positions, codes, length, progress)
    return support


def _lay_out_words(
    words: TokenizedQueries, weights: Int64s, is_allowed: Bools
) -> kernels.QueryRuns:
    """The words of the chosen queries end to end; others have none."""
    lengths = np.where(is_allowed, words.compute_lengths(), 0)
    offsets = np.concatenate(([0], np.cumsum(lengths)))
    queries = words.find_owners()
    keep = is_allowed[queries]
    codes = select_where(words.codes, keep)
    weight = np.concatenate(([0], np.cumsum(weights[codes])))
    return kernels.QueryRuns(codes, select_where(queries, keep).astype(np.int32), weight, offsets)


def lengthen_runs(
    runs: kernels.QueryRuns, positions: Int64s, codes: Int32s, length: int, progress: Progress
) -> tuple[Int64s, Int32s, int]:
    """The runs of one word more, both of whose runs of one word less have a code.

    `positions` are where those begin, ascending, and `codes` −1 where there is none. Returns where
    the longer ones begin, their codes by first appearance, and how many differ; O(positions).
    """
    import pandas as pd

    def find_longer() -> tuple[Int64s, Int32s, int]:
        begins = positions[:-1]
        follow = (codes[:-1] >= 0) & (codes[1:] >= 0) & (positions[1:] == begins + 1)
        follow &= begins + length <= runs.offsets[runs.queries[begins] + 1]
        starts, first = select_where(begins, follow), select_where(codes[:-1], follow)
        keys = (first.astype(np.int64) << 32) | runs.words[starts + length - 1]
        numbers, distinct = pd.factorize(keys)
        return starts, numbers.astype(np.int32), len(distinct)

    progress.stage("lengthening stems")
    return run_cancellable(find_longer, progress)
