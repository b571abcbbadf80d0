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

import numpy as np

from auditor.arrays import Float64s, Int32s, Int64s, Integers, RaggedArray
from auditor.attacks.unbundling.fibers import FiberKeys, group_pairs, word_keys, words_of
from auditor.log.dictionary_encoding import gather_values
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.model import QueryLog, Vocabulary
from auditor.progress import Progress

DAILY = 500
"""Queries on one day beyond which a user is left out."""
MOST_WORDS = 2_000
USERS = 3
BOTH = 3
BUDGET = 2_000_000
_DAY = 86_400
_BLOCK = 1 << 18
_WORK = 20_000_000


@dataclass(frozen=True, eq=False, kw_only=True)
class RelatedTokens:
    """Pairs of words that the same people use.

    Attributes
    ----------
    vocabulary
        The words by code.
    left, right, chi
        int32 codes, ``left < right``, and float64 χ²; shape (pairs,).
    users, out
        Users who were counted, and those left out.
    """

    vocabulary: Vocabulary
    left: Int32s
    right: Int32s
    chi: Float64s
    users: int
    out: int


@dataclass(frozen=True, eq=False, kw_only=True)
class TokenTopics:
    """The topic of each word.

    Attributes
    ----------
    topic
        int32 in ``range(count)``, −1 without; shape (words,).
    cut
        Searches for cliques that were ended early.
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
    """Pairs of the `words` most widespread words whose χ² is `lowest` at least.

    Raises
    ------
    Cancelled
        Somebody asked to stop.
    """
    found = words_of(log.queries, progress)
    rows = _select_distinct_rows(log, progress)
    user, query, users, out = _count_rows(log, rows, word_keys(found), progress)
    keys, chosen = _choose_words(user, query, users, word_keys(found), words, progress)
    left, right, chi = _find_related_pairs(user, query, users, keys, lowest, least, progress)
    return RelatedTokens(
        vocabulary=found.vocabulary.take(chosen),
        left=left,
        right=right,
        chi=chi,
        users=users,
        out=out,
    )


def _select_distinct_rows(log: QueryLog, progress: Progress) -> Int64s:
    """One row for each distinct pair of user and query, in the order of rows."""
    first = np.flatnonzero(log.event_starts)
    user, query = (
        gather_values(log.user, first, progress),
        gather_values(log.query, first, progress),
    )
    found = []
    progress.stage("reading the reference", len(first))
    at = 0
    while at < len(first):
        stop = int(np.searchsorted(user, user[min(at + _BLOCK, len(first)) - 1], side="right"))
        key = user[at:stop].astype(np.int64) * len(log.queries) + query[at:stop]
        found.append(at + np.sort(np.unique(key, return_index=True)[1]))
        at = stop
        progress.update(at)
    return first[np.concatenate(found)] if found else first


def _count_rows(
    log: QueryLog, rows: Int64s, keys: FiberKeys, progress: Progress
) -> tuple[Int32s, Int32s, int, int]:
    """User and query of the rows of users who count, users numbered anew; users in and out."""
    from auditor.attacks.unbundling.topics import kernels

    events = np.flatnonzero(log.event_starts)
    day = log.user[events].astype(np.int64) << 32 | (log.time[events] // _DAY + (1 << 31))
    # Times ascend within a user, so equal days stand together.
    new = np.flatnonzero(np.concatenate(([True], day[1:] != day[:-1]))) if len(day) else events
    busy = np.diff(np.append(new, len(day))) > DAILY
    out = np.zeros(len(log.users), dtype=np.bool_)
    out[log.user[events][new[busy]]] = True
    user, query = gather_values(log.user, rows, progress), gather_values(log.query, rows, progress)
    asked, tokens = kernels.QueryRows(user, query), RaggedArray(keys.starts, keys.codes)
    size = np.zeros(len(log.users), dtype=np.int64)
    stamp = np.full(keys.size, -1, dtype=np.int32)
    for first, last in progress.blocks("counting users' words", len(user), _BLOCK):
        kernels.count_words(asked, tokens, first, last, stamp, size, np.zeros(keys.size))
    out |= size > MOST_WORDS
    number = np.cumsum(~out) - 1
    keep = ~out[user]
    count = len(out) - int(out.sum())
    return number[user[keep]].astype(np.int32), query[keep], count, int(out.sum())


def _choose_words(
    user: Int32s, query: Int32s, users: int, keys: FiberKeys, words: int, progress: Progress
) -> tuple[FiberKeys, Int64s]:
    """Keys of only the most widespread words, and which those are."""
    from auditor.attacks.unbundling.topics import kernels

    rows, tokens = kernels.QueryRows(user, query), RaggedArray(keys.starts, keys.codes)
    spread = np.zeros(keys.size, dtype=np.int64)
    size = np.zeros(users, dtype=np.int64)
    stamp = np.full(keys.size, -1, dtype=np.int32)
    for first, last in progress.blocks("counting words' users", len(user), _BLOCK):
        kernels.count_words(rows, tokens, first, last, stamp, size, spread)
    order = np.argsort(-spread, kind="stable")[:words]
    chosen = order[spread[order] >= USERS].astype(np.int64)
    new = np.full(keys.size, -1, dtype=np.int32)
    new[chosen] = np.arange(len(chosen))
    return keys.recode_keys(new, len(chosen)), chosen


def _find_related_pairs(
    user: Int32s,
    query: Int32s,
    users: int,
    keys: FiberKeys,
    lowest: float,
    least: int,
    progress: Progress,
) -> tuple[Int32s, Int32s, Float64s]:
    from auditor.attacks.unbundling.topics import kernels

    index = kernels.TokenIndex(*_index_words(user, query, users, keys, progress))
    pairs = kernels.TokenPairs(*_count_pairs(user, query, keys, progress))
    rule = kernels.RelationRule(users, least, lowest)
    room = max(keys.size, 1 << 20)
    scratch = kernels.RelationScratch(
        *(np.zeros(max(keys.size, 1), dtype=np.int32) for _ in range(3))
    )
    left, right = np.empty(room, dtype=np.int32), np.empty(room, dtype=np.int32)
    chi = np.empty(room, dtype=np.float64)
    out = kernels.TokenRelations(left, right, chi)
    parts = []
    word = 0
    progress.stage("relating words", keys.size)
    while word < keys.size:
        word, some = kernels.relate_tokens(index, pairs, rule, word, _WORK, scratch, out)
        parts.append((left[:some].copy(), right[:some].copy(), chi[:some].copy()))
        progress.update(word)
    if not parts:
        return left[:0], right[:0], chi[:0]
    one, two, three = (np.concatenate(column) for column in zip(*parts, strict=True))
    return one, two, three


def _index_words(
    user: Int32s, query: Int32s, users: int, keys: FiberKeys, progress: Progress
) -> tuple[Int32s, Int64s, Int64s, Int64s]:
    """Each user's words, ascending, end to end; where those of each entry's user end; and for
    each word the entries it stands in.
    """
    from auditor.attacks.unbundling.topics import kernels

    rows, tokens = kernels.QueryRows(user, query), RaggedArray(keys.starts, keys.codes)
    size, spread = np.zeros(users, dtype=np.int64), np.zeros(keys.size, dtype=np.int64)
    stamp = np.full(keys.size, -1, dtype=np.int32)
    for first, last in progress.blocks("counting words", len(user), _BLOCK):
        kernels.count_words(rows, tokens, first, last, stamp, size, spread)
    starts = np.concatenate(([0], np.cumsum(size))).astype(np.int64)
    listed = np.empty(int(starts[-1]), dtype=np.int32)
    stamp[:] = -1
    cursor = starts[:-1].copy()
    for first, last in progress.blocks("listing words", len(user), _BLOCK):
        kernels.list_words(rows, tokens, first, last, stamp, cursor, listed)
    for first, last in progress.blocks("sorting words", users, _BLOCK >> 4):
        kernels.sort_words(starts, first, last, listed)
    begins = np.concatenate(([0], np.cumsum(spread))).astype(np.int64)
    cursor = begins[:-1].copy()
    entries = np.empty(len(listed), dtype=np.int64)
    for first, last in progress.blocks("indexing words", len(listed), _BLOCK):
        kernels.invert_index(listed, first, last, cursor, entries)
    return listed, np.repeat(starts[1:], size), begins, entries


def _count_pairs(
    user: Int32s, query: Int32s, keys: FiberKeys, progress: Progress
) -> tuple[Int64s, Int32s, Int32s]:
    """How many users put two words into one query, by the smaller of their codes."""
    pair, starts, owners = _pairs_of_queries(keys, progress)
    count = np.zeros(len(pair), dtype=np.int32)
    length = np.diff(starts)
    at = 0
    progress.stage("counting words of one query", len(user))
    while at < len(user):
        stop = min(at + (_BLOCK >> 3), len(user))
        # Whole users: a pair counts once for each.
        stop = int(np.searchsorted(user, user[stop - 1], side="right"))
        size = length[query[at:stop]]
        ends = np.cumsum(size)
        total = int(ends[-1])
        place = np.arange(total) + np.repeat(starts[query[at:stop]] - ends + size, size)
        key = np.repeat(user[at:stop].astype(np.int64), size) * max(len(pair), 1) + owners[place]
        once = sorted_distinct(key) % max(len(pair), 1)
        count += np.bincount(once, minlength=len(pair)).astype(np.int32)
        at = stop
        progress.update(at)
    width = np.int64(max(keys.size, 1))
    begins = np.searchsorted(pair, np.arange(keys.size + 1) * width).astype(np.int64)
    return begins, (pair % width).astype(np.int32), count


def _pairs_of_queries(keys: FiberKeys, progress: Progress) -> tuple[Int64s, Int64s, Int64s]:
    """The distinct pairs of words in queries, as ``smaller · size + larger``; for each query where
    its pairs stand; and the numbers of those pairs.
    """
    progress.check()
    length = keys.compute_lengths()
    of = np.repeat(np.arange(len(keys)), length)
    # Each key with those behind it in its query.
    behind = np.repeat(keys.starts[1:], length) - np.arange(len(keys.codes)) - 1
    ends = np.cumsum(behind)
    place = np.repeat(np.arange(len(keys.codes)), behind)
    total = int(ends[-1]) if len(ends) else 0
    other = place + 1 + np.arange(total) - np.repeat(ends - behind, behind)
    left, right = keys.codes[place], keys.codes[other]
    progress.check()
    differ = left != right
    low, high = np.minimum(left, right)[differ], np.maximum(left, right)[differ]
    one, two, number = group_pairs(low, high, max(keys.size, 1), progress)
    counts = np.bincount(of[place][differ], minlength=len(keys))
    starts = np.concatenate(([0], np.cumsum(counts))).astype(np.int64)
    return one * max(keys.size, 1) + two, starts, number


def connected_topics(found: RelatedTokens, threshold: float, progress: Progress) -> TokenTopics:
    """Topics as connected components of the pairs whose χ² reaches the threshold; near linear."""
    from auditor.attacks.unbundling import kernels

    some = found.chi >= threshold
    left, right = found.left[some], found.right[some]
    parent = np.arange(len(found.vocabulary), dtype=np.uint32)
    for first, last in progress.blocks("joining words", len(left), _BLOCK):
        kernels.join_pairs(left, right, first, last, parent)
    for first, last in progress.blocks("naming topics", len(parent), _BLOCK):
        kernels.flatten_labels(parent, first, last)
    linked = np.zeros(len(parent), dtype=np.bool_)
    linked[left] = linked[right] = True
    return _renumber_topics(np.where(linked, parent.view(np.int32), -1))


def clique_topics(found: RelatedTokens, threshold: float, progress: Progress) -> TokenTopics:
    """Topics as the largest clique of each word among such pairs; at most words · BUDGET steps."""
    from auditor.attacks.unbundling.topics import kernels

    some = found.chi >= threshold
    size = len(found.vocabulary)
    starts, near = _build_graph(found.left[some], found.right[some], size)
    order = np.empty(size, dtype=np.int64)
    progress.stage("ordering words")
    most = int(kernels.order_by_degeneracy(starts, near, order))
    place = np.empty(size, dtype=np.int32)
    place[order] = np.arange(size)
    starts, near = _build_graph(place[found.left[some]], place[found.right[some]], size)
    lanes = max(1, (most + 63) >> 6)
    matrix, possible, branch = (np.zeros((most + 2, lanes), dtype=np.uint64) for _ in range(3))
    pivot, chosen, members = (np.zeros(most + 2, dtype=np.int64) for _ in range(3))
    local = np.full(size, -1, dtype=np.int64)
    scratch = kernels.CliqueScratch(matrix, possible, branch, pivot, chosen, local, members)
    best = kernels.LargestCliques(np.ones(size, dtype=np.int32), np.full(size, -1, dtype=np.int32))
    graph = RaggedArray(starts, near)
    root, name, cut = size - 1, 0, 0
    progress.stage("finding cliques", size)
    while root >= 0:
        root, name, more = kernels.find_cliques(graph, root, name, _WORK, BUDGET, scratch, best)
        cut += more
        progress.update(size - 1 - root)
    topics = _renumber_topics(np.where(best.size > 1, best.clique, -1)[place])
    return TokenTopics(topic=topics.topic, count=topics.count, cut=cut)


def _build_graph(left: Int32s, right: Int32s, size: int) -> tuple[Int64s, Int32s]:
    """Neighbours of each vertex, ascending, end to end."""
    one, two = np.concatenate((left, right)), np.concatenate((right, left))
    order = np.lexsort((two, one))
    starts = np.concatenate(([0], np.cumsum(np.bincount(one, minlength=size)))).astype(np.int64)
    return starts, two[order].astype(np.int32)


def _renumber_topics(names: Integers) -> TokenTopics:
    """Names from 0 on, −1 kept."""
    some = names >= 0
    used, number = np.unique(names[some], return_inverse=True)
    topic = np.full(len(names), -1, dtype=np.int32)
    topic[some] = number
    return TokenTopics(topic=topic, count=len(used))


def topic_keys(
    words: FiberKeys, vocabulary: Vocabulary, found: RelatedTokens, topics: TokenTopics
) -> FiberKeys:
    """What t-edges share: the topics of a query's words, for words of another log."""
    place = vocabulary.match(found.vocabulary)
    return words.recode_keys(np.append(topics.topic, np.int32(-1))[place], max(topics.count, 1))
