"""Topics: words that the same people use, though never in one query.

Source: Jones, Kumar, Pang and Tomkins, CIKM 2008, section 6.3. In a training log, apart from the
one attacked, users who used two words in different queries and never in one are counted, and
related words found by χ² over the 2×2 table of who used which. Related pairs form a graph; the
topic of a word is the largest clique it stands in, or its connected component. The source fills
its table from counts in a way it doesn't print; here users who had both words in one query are left
out of the table altogether, so that its margins add up. Only pairs that occur together more often
than by chance count.

Bounds: only the `words` most widespread words, each used by `USERS` at least, in pairs of `BOTH`
users at least; users who issued more than 500 queries on any day are left out as in the source, and
users of more than `MOST_WORDS` different words, since their pairs grow with the square. Cost: the
sum over users of half their words squared, at most users · MOST_WORDS²/2, and memory for the pairs
kept. A search for the largest cliques of a word and of those behind it in a degeneracy order ends
after `BUDGET` steps with the largest found so far: the total is at most words · BUDGET, and
`TokenTopics.cut` says how many searches ended so.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from auditor.arrays import Float64s, Int32s, Int64s, Integers, RaggedArray, expand_ranges
from auditor.attacks.unbundling.fibers import (
    FiberKeys,
    group_pairs,
    label_components,
    word_keys,
    words_of,
)
from auditor.log.gil_friendly import select_where
from auditor.log.model import QueryLog, Vocabulary
from auditor.progress import Progress

if TYPE_CHECKING:
    from scipy.sparse import csr_array

DAILY = 500
"""Queries on one day beyond which a user is left out."""
MOST_WORDS = 2_000
USERS = 3
BOTH = 3
BUDGET = 2_000_000
_DAY = 86_400
_USERS = 1 << 13
_WORDS = 1 << 8
"""Users, and words, whose counts are worked out between two looks at the cancel flag."""
_ROOTS = 16


@dataclass(frozen=True, eq=False, kw_only=True)
class RelatedTokens:
    """Pairs of words of `vocabulary` that the same people use, ``left < right``, with their χ².

    `users` were counted, and `out` left out.
    """

    vocabulary: Vocabulary
    left: Int32s
    right: Int32s
    chi: Float64s
    users: int
    out: int


@dataclass(frozen=True, eq=False, kw_only=True)
class TokenTopics:
    """The topic of each word, in ``range(count)``, −1 without; shape (words,).

    `cut` are the searches for cliques that were ended early.
    """

    topic: Int32s
    count: int
    cut: int = 0

    @property
    def coverage(self) -> int:
        """Words that have a topic."""
        return int(np.count_nonzero(self.topic >= 0))


def find_related_tokens(
    log: QueryLog, words: int, lowest: float, progress: Progress, *, least: int = BOTH
) -> RelatedTokens:
    """Pairs of the `words` most widespread words whose χ² is `lowest` at least."""
    from scipy.sparse import csr_array

    tokens = words_of(log.queries, progress)
    progress.stage("reading the reference")
    # Which users issued which queries: 1 or more, of shape (users, queries).
    query = select_where(log.query, log.event_starts)
    events = np.bincount(select_where(log.user, log.event_starts), minlength=len(log.users))
    starts = np.concatenate(([0], np.cumsum(events)))
    unit_values = np.ones(len(query), dtype=np.int32)
    usage = csr_array((unit_values, query, starts), shape=(len(log.users), len(log.queries)))
    keys = word_keys(tokens)
    word_usage = _use_of(
        usage, keys.codes, keys.starts, keys.size, "counting users' words", progress
    )
    # Users of more than `DAILY` queries on some day: times ascend within a user, so equal days
    # stand together.
    rows = np.flatnonzero(log.event_starts)
    day = log.user[rows].astype(np.int64) << 32 | (log.time[rows] // _DAY + (1 << 31))
    begins = np.flatnonzero(np.diff(day, prepend=-1))
    busy = np.zeros(len(log.users), dtype=np.bool_)
    busy[day[begins[np.diff(begins, append=len(day)) > DAILY]] >> 32] = True
    eligible = np.flatnonzero(~busy & (np.diff(word_usage.indptr) <= MOST_WORDS))
    usage, word_usage = usage[eligible], word_usage[eligible]
    spread = np.bincount(word_usage.indices, minlength=keys.size)
    order = np.argsort(-spread, kind="stable")[:words]
    frequent = order[spread[order] >= USERS].astype(np.int64)
    new = np.full(keys.size, -1, dtype=np.int32)
    new[frequent] = np.arange(len(frequent))
    combined = _count_combined(usage, keys.recode_keys(new, len(frequent)), progress)
    left, right, chi = _relate_words(word_usage[:, frequent], combined, lowest, least, progress)
    return RelatedTokens(
        vocabulary=tokens.vocabulary.take(frequent),
        left=left,
        right=right,
        chi=chi,
        users=len(eligible),
        out=len(log.users) - len(eligible),
    )


def _use_of(
    usage: csr_array, keys: Integers, starts: Int64s, size: int, stage: str, progress: Progress
) -> csr_array:
    """Which users have which keys among their queries': 1, of shape (users, size).

    Query q has ``keys[starts[q]:starts[q + 1]]``.
    """
    from scipy.sparse import csr_array, vstack

    has = csr_array((np.ones(len(keys), np.int32), keys, starts), shape=(len(starts) - 1, size))
    parts: list[Any] = [csr_array((0, size), dtype=np.int32)]
    for first, last in progress.blocks(stage, usage.shape[0], _USERS):
        part = usage[first:last] @ has
        part.data[:] = 1
        parts.append(part)
    return csr_array(vstack(parts, format="csr"))


def _count_combined(usage: csr_array, keys: FiberKeys, progress: Progress) -> tuple[Int64s, Int64s]:
    """How many users put two words into one query, by ``smaller · words + larger``, ascending.

    Behind the last pair stands one that no two words have.
    """
    # Each key with those behind it in its query.
    length = keys.lengths
    behind = np.repeat(keys.starts[1:], length) - np.arange(len(keys.codes)) - 1
    place = np.repeat(np.arange(len(keys.codes)), behind)
    other = expand_ranges(np.arange(len(keys.codes)) + 1, behind)
    former, latter = keys.codes[place], keys.codes[other]
    differ = former != latter
    progress.check()
    low, high = np.minimum(former, latter)[differ], np.maximum(former, latter)[differ]
    left, right, number = group_pairs(low, high, progress)
    query = np.repeat(np.arange(len(keys)), length)[place][differ]
    starts = np.concatenate(([0], np.cumsum(np.bincount(query, minlength=len(keys)))))
    word_usage = _use_of(usage, number, starts, len(left), "counting words of one query", progress)
    users = np.bincount(word_usage.indices, minlength=len(left))
    return np.append(left * keys.size + right, np.iinfo(np.int64).max), np.append(users, 0)


def _relate_words(
    usage: csr_array, combined: tuple[Int64s, Int64s], lowest: float, least: int, progress: Progress
) -> tuple[Int32s, Int32s, Float64s]:
    """Pairs of words whose χ² over users is `lowest` at least, and that `least` users or more used.

    Users who put both into one query are no part of a pair's table.
    """
    users, words = usage.shape
    pairs, pair_users = combined
    of_word = usage.T.tocsr()
    spread = np.diff(of_word.indptr)
    none = np.zeros(0, dtype=np.int32)
    parts = [(none, none, np.zeros(0))]
    for first, last in progress.blocks("relating words", words, _WORDS):
        together = (of_word[first:last] @ usage[:, first:]).tocoo()
        frequent = (together.col > together.row) & (together.data >= least)
        left, right = together.row[frequent] + first, together.col[frequent] + first
        pair = left.astype(np.int64) * words + right
        place = np.searchsorted(pairs, pair)
        never = np.where(pairs[place] == pair, pair_users[place], 0)
        both = together.data[frequent] - never
        rows, columns, n = (
            size.astype(np.float64)
            for size in (spread[left] - never, spread[right] - never, users - never)
        )
        excess = both * n - rows * columns
        product = rows * (n - rows) * columns * (n - columns)
        with np.errstate(divide="ignore", invalid="ignore"):
            chi = np.where(product > 0, n * excess * excess / product, np.inf)
        related = (both >= least) & (excess > 0) & (chi >= lowest)
        order = np.lexsort((right[related], left[related]))
        parts.append(tuple(column[related][order] for column in (left, right, chi)))
    left, right, chi = (np.concatenate(column) for column in zip(*parts, strict=True))
    return left.astype(np.int32), right.astype(np.int32), chi


def connected_topics(related: RelatedTokens, threshold: float, progress: Progress) -> TokenTopics:
    """Topics as connected components of the pairs whose χ² reaches the threshold; near linear."""
    progress.check()
    is_related, size = related.chi >= threshold, len(related.vocabulary)
    left, right = related.left[is_related], related.right[is_related]
    topic = label_components(size, left, right)
    linked = np.zeros(size, dtype=np.bool_)
    linked[left] = linked[right] = True
    return _renumber_topics(np.where(linked, topic, -1))


def clique_topics(related: RelatedTokens, threshold: float, progress: Progress) -> TokenTopics:
    """Topics as the largest clique of each word among such pairs; at most words · BUDGET steps."""
    from auditor.attacks.unbundling.topics import kernels

    is_related = related.chi >= threshold
    size = len(related.vocabulary)
    graph = _build_graph(related.left[is_related], related.right[is_related], size)
    order = np.empty(size, dtype=np.int64)
    progress.stage("ordering words")
    degree_limit = int(kernels.order_by_degeneracy(graph, order))
    place = np.empty(size, dtype=np.int32)
    place[order] = np.arange(size)
    graph = _build_graph(place[related.left[is_related]], place[related.right[is_related]], size)
    largest, clique = np.ones(size, np.int32), np.full(size, -1, np.int32)
    name, cut = 0, 0
    for first, last in progress.blocks("finding cliques", size, _ROOTS):
        roots = np.arange(size - 1 - first, size - 1 - last, -1)
        name, ended = kernels.find_cliques(
            graph, roots, degree_limit, name, BUDGET, largest, clique
        )
        cut += ended
    topics = _renumber_topics(np.where(largest > 1, clique, -1)[place])
    return TokenTopics(topic=topics.topic, count=topics.count, cut=cut)


def _build_graph(left: Int32s, right: Int32s, size: int) -> RaggedArray:
    """Neighbours of each vertex, ascending, end to end."""
    source, target = np.concatenate((left, right)), np.concatenate((right, left))
    order = np.lexsort((target, source))
    starts = np.concatenate(([0], np.cumsum(np.bincount(source, minlength=size)))).astype(np.int64)
    return RaggedArray(starts, target[order].astype(np.int32))


def _renumber_topics(names: Integers) -> TokenTopics:
    """Names from 0 on, −1 kept."""
    has_name = names >= 0
    used_names, number = np.unique(names[has_name], return_inverse=True)
    topic = np.full(len(names), -1, dtype=np.int32)
    topic[has_name] = number
    return TokenTopics(topic=topic, count=len(used_names))


def topic_keys(
    words: FiberKeys, vocabulary: Vocabulary, related: RelatedTokens, topics: TokenTopics
) -> FiberKeys:
    """What t-edges share: the topics of a query's words, for words of another log."""
    place = vocabulary.match(related.vocabulary)
    return words.recode_keys(np.append(topics.topic, np.int32(-1))[place], max(topics.count, 1))
