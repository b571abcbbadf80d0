"""Compiled loops of the distance between users: word edits, queries, events, domains.

Everything runs over rows that stay in cache: for one word its distances to all words, for one
query its distances to all queries, for one event its nearest event of every user. Words stand
in order of their lengths and queries in order of their numbers of words, column by column
("lanes"), so that one instruction handles several of them. Callers give blocks that take well
under 200 ms and look at the cancel flag in between.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from auditor.arrays import Array


class WordTable(NamedTuple):
    """Words in order of length, in groups of one length, and their distances if they fit.

    Group g holds the words ``group_first[g]:group_first[g + 1]``; letter c of the x-th of its n
    words is ``chars[group_base[g] + c * n + x]``. `lengths` and `places` are each word's length
    and group, `alphabet` the number of letters that occur. `table` (r, w) uint8 holds the edit
    distances of some words to all: of word i in row ``row[i]``, or computed on demand where that
    is −1.
    """

    lengths: Array
    places: Array
    chars: Array
    group_first: Array
    group_base: Array
    alphabet: int
    table: Array
    row: Array


class QueryWords(NamedTuple):
    """Queries in order of their number s of distinct words, in groups of one s = 0, 1, 2 ….

    Group s holds the queries ``size_first[s]:size_first[s + 1]``; word c of the x-th of its n
    queries is ``tokens[size_base[s] + c * n + x]``. Query q has
    ``words[offsets[q]:offsets[q + 1]]`` and the normalised number of terms ``terms[q]``.
    """

    offsets: Array
    words: Array
    size_first: Array
    size_base: Array
    tokens: Array
    terms: Array


class ClickedSites(NamedTuple):
    """Domains in order of their numbers of labels, and clicks on them.

    Domains of g labels are ``first[g]:first[g + 1]``; label i from the right of the x-th of
    those n is ``labels[base[g] + i * n + x]``. Click j is on domain ``host[j]``, which is
    ``first[-1]`` for none, with the rank ``ranks[rank[j]]`` (−1 none).
    """

    first: Array
    base: Array
    labels: Array
    host: Array
    rank: Array
    ranks: Array


class UserEvents(NamedTuple):
    """All events: weighted time, query, click; user b has ``starts[b]:starts[b + 1]``."""

    time: Array
    query: Array
    click: Array
    starts: Array


class UserProbe(NamedTuple):
    """Events of one user, or of a centroid: weighted time, query, domain labels, rank.

    A `depth` of 0 means no domain. Equal queries should stand together, and equal clicks within
    them: their rows are then computed once.
    """

    time: Array
    query: Array
    labels: Array
    depth: Array
    rank: Array


class DistanceScratch(NamedTuple):
    """One thread's room: `edits` (words,), `rows` (3, words), `queries` (queries,), `ranks`,
    `hosts` (domains + 1,), `clicks`, `events`, `held` (1,), `lanes`.

    `held` says which query's row `queries` holds, −1 none; it is good for one probe only.
    """

    edits: Array
    rows: Array
    queries: Array
    clicks: Array
    hosts: Array
    ranks: Array
    events: Array
    held: Array
    lanes: Array


LANES = 256
"""Words that are compared at once: their state fits the first-level cache."""


class WordGroup(NamedTuple):
    """Words of one length: letter c of word w of n is ``chars[base + c * n + w]``."""

    chars: Array
    base: int
    n: int
    length: int


class LaneState(NamedTuple):
    """The state of words compared at once (Myers 1999), and their distances so far."""

    plus: Array
    minus: Array
    score: Array


@njit(cache=True, nogil=True)
def _compute_myers_edits(
    peq: Array, m: int, words: WordGroup, first: int, last: int, state: LaneState
) -> None:
    """Edit distances of one pattern of m ≤ 32 letters to the words first:last of one length.

    Myers' bit-parallel recurrence, one word a lane; `score` gets the distances.
    """
    chars, base, n, length = words
    plus, minus, score = state
    lanes = last - first
    equal = np.empty(LANES, dtype=np.uint32)
    last_bit = np.uint32(m - 1)
    for x in range(LANES):
        plus[x] = np.uint32(0xFFFFFFFF)
        minus[x] = np.uint32(0)
        score[x] = m
    one = np.uint32(1)
    for c in range(length):
        at = base + c * n + first
        for x in range(lanes):
            equal[x] = peq[chars[at + x]]
        for x in range(lanes):  # without a look-up, several lanes go at once
            vp, vn = plus[x], minus[x]
            diagonal = (((equal[x] & vp) + vp) ^ vp) | equal[x] | vn
            up = vn | ~(diagonal | vp)
            down = diagonal & vp
            score[x] += np.int32((up >> last_bit) & one) - np.int32((down >> last_bit) & one)
            up = np.uint32(up << one) | one
            plus[x] = np.uint32(down << one) | ~(diagonal | up)
            minus[x] = up & diagonal


@njit(cache=True, nogil=True)
def _compute_plain_edits(
    pattern: Array, words: WordGroup, first: int, last: int, score: Array
) -> None:
    """Edit distances of a longer pattern, by the textbook's table of one row a word."""
    chars, base, n, length = words
    m = len(pattern)
    row = np.empty(m + 1, dtype=np.int32)
    for word in range(first, last):
        for i in range(m + 1):
            row[i] = i
        for c in range(length):
            letter = chars[base + c * n + word]
            corner = row[0]
            row[0] = c + 1
            for i in range(m):
                above = row[i + 1]
                best = corner if pattern[i] == letter else corner + 1
                best = min(best, above + 1, row[i] + 1)
                row[i + 1] = best
                corner = above
        score[word - first] = row[m]


@njit(cache=True, nogil=True)
def edit_row(word: int, from_group: int, lexicon: WordTable, out: Array) -> None:
    """Levenshtein distances of `word` to every word of the groups from `from_group` on.

    Changes `out` at the positions of those words; any integer type that holds the longest word.
    O(letters of the words compared / lanes) for words of up to 32 letters.
    """
    m = lexicon.lengths[word]
    mine = lexicon.places[word]
    group_first, group_base, chars = lexicon.group_first, lexicon.group_base, lexicon.chars
    wide = group_first[mine + 1] - group_first[mine]
    start = group_base[mine] + word - group_first[mine]
    pattern = np.empty(m, dtype=np.uint16)
    for c in range(m):
        pattern[c] = chars[start + c * wide]
    short = m <= 32
    peq = np.zeros(lexicon.alphabet, dtype=np.uint32)
    if short:
        for c in range(m):
            peq[pattern[c]] |= np.uint32(1) << np.uint32(c)
    plus = np.empty(LANES, dtype=np.uint32)
    minus = np.empty(LANES, dtype=np.uint32)
    score = np.empty(LANES, dtype=np.int32)
    state = LaneState(plus, minus, score)
    for g in range(from_group, len(group_first) - 1):
        head = group_first[g]
        n = group_first[g + 1] - head
        words = WordGroup(chars, group_base[g], n, lexicon.lengths[head])
        for first in range(0, n, LANES):
            last = min(first + LANES, n)
            if short:
                _compute_myers_edits(peq, m, words, first, last, state)
            else:
                _compute_plain_edits(pattern, words, first, last, score)
            for x in range(last - first):
                out[head + first + x] = score[x]


@njit(cache=True, nogil=True)
def edit_block(first: int, last: int, lexicon: WordTable) -> None:
    """Rows first:last of the table of all word distances, and their mirror image.

    Only words at least as long are compared: shorter ones have or will have mirrored theirs.
    """
    table, places = lexicon.table, lexicon.places
    for word in range(first, last):
        edit_row(word, places[word], lexicon, table[word])
    tile = 64
    words = len(lexicon.lengths)
    for start in range(lexicon.group_first[places[first]], words, tile):
        for j in range(start, min(start + tile, words)):
            for i in range(first, last):
                if j >= lexicon.group_first[places[i]]:
                    table[j, i] = table[i, j]


@njit(cache=True, nogil=True)
def edit_rows(words: Array, first: int, lexicon: WordTable) -> None:
    """Distances of some words to all, into the table's rows from `first` on."""
    for i in range(len(words)):
        edit_row(words[i], 0, lexicon, lexicon.table[first + i])


@njit(cache=True, nogil=True, fastmath=True)
def _word_row(edits: Array, lengths: Array, word: int, out: Array) -> None:
    """Normalised distances of one word to all: edits ÷ the longer length; `out` float32."""
    mine = lengths[word]
    for j in range(len(lengths)):
        out[j] = np.float32(edits[j]) / np.float32(max(mine, lengths[j]))


@njit(cache=True, nogil=True, fastmath=True)
def _widen_bounds(row: Array, nearest: Array, farthest: Array, fresh: bool) -> None:
    if fresh:
        for j in range(len(row)):
            nearest[j] = row[j]
            farthest[j] = row[j]
    else:
        for j in range(len(row)):
            nearest[j] = min(nearest[j], row[j])
            farthest[j] = max(farthest[j], row[j])


@njit(cache=True, nogil=True, fastmath=True)
def _update_outward(
    row: Array, tokens: Array, base: int, n: int, size: int, best: Array, out: Array
) -> None:
    """``out[p] = max(out[p], min over p's words of row)`` for the n queries of `size` words."""
    for first in range(0, n, LANES):
        lanes = min(LANES, n - first)
        for x in range(lanes):
            best[x] = row[tokens[base + first + x]]
        for c in range(1, size):
            at = base + c * n + first
            for x in range(lanes):
                best[x] = min(best[x], row[tokens[at + x]])
        part = out[first : first + lanes]
        for x in range(lanes):
            part[x] = max(part[x], best[x])


@njit(cache=True, nogil=True, fastmath=True)
def _update_inward(
    nearest: Array, tokens: Array, base: int, n: int, size: int, best: Array, out: Array
) -> None:
    """``out[p] = max(out[p], max over p's words of nearest)``."""
    for first in range(0, n, LANES):
        lanes = min(LANES, n - first)
        for x in range(lanes):
            best[x] = nearest[tokens[base + first + x]]
        for c in range(1, size):
            at = base + c * n + first
            for x in range(lanes):
                best[x] = max(best[x], nearest[tokens[at + x]])
        part = out[first : first + lanes]
        for x in range(lanes):
            part[x] = max(part[x], best[x])


@njit(cache=True, nogil=True, fastmath=True)
def query_row(query: int, lexicon: WordTable, texts: QueryWords, scratch: DistanceScratch) -> None:
    """Hausdorff distances of the words of one query to those of all, into `scratch.queries`.

    A query without words is at 0 from another such and at 1 from all others.
    """
    out = scratch.queries
    begin, end = texts.offsets[query], texts.offsets[query + 1]
    first, base = texts.size_first, texts.size_base
    for p in range(len(out)):
        out[p] = np.float32(1.0) if (p < first[1]) != (begin == end) else np.float32(0.0)
    if begin == end:
        return
    row, nearest, farthest = scratch.rows[0], scratch.rows[1], scratch.rows[2]
    for i in range(begin, end):
        word = texts.words[i]
        if lexicon.row[word] >= 0:
            _word_row(lexicon.table[lexicon.row[word]], lexicon.lengths, word, row)
        else:
            edit_row(word, 0, lexicon, scratch.edits)
            _word_row(scratch.edits, lexicon.lengths, word, row)
        _widen_bounds(row, nearest, farthest, i == begin)
        if end - begin > 1:
            for size in range(2, len(first) - 1):
                n = first[size + 1] - first[size]
                if n:
                    part = out[first[size] : first[size + 1]]
                    _update_outward(row, texts.tokens, base[size], n, size, scratch.lanes, part)
    for size in range(1, len(first) - 1):
        n = first[size + 1] - first[size]
        if n:
            part = out[first[size] : first[size + 1]]
            reach = farthest if size == 1 else nearest
            _update_inward(reach, texts.tokens, base[size], n, size, scratch.lanes, part)


@njit(cache=True, nogil=True, fastmath=True)
def _weigh_strings(query: int, terms: Array, w_length: float, w_words: float, out: Array) -> None:
    """From Hausdorff distances to weighted distances of query strings, in place."""
    mine = terms[query]
    a, b = np.float32(w_length), np.float32(w_words)
    for p in range(len(out)):
        out[p] = a * abs(terms[p] - mine) + b * out[p]


@njit(cache=True, nogil=True, fastmath=True)
def _add_differences(labels: Array, mine: int, weight: float, out: Array) -> None:
    share = np.float32(weight)
    for x in range(len(out)):
        out[x] += share if labels[x] != mine else np.float32(0.0)


@njit(cache=True, nogil=True)
def domain_row(mine: Array, deep: int, sites: ClickedSites, w_url: float, out: Array) -> None:
    """Weighted d_u of one domain, by its labels from the right, to all and to none.

    Label i = 1 … m from the right weighs 2^(m−i)/(2^m − 1), m the longer of both; a `deep` of 0
    is no domain, at 0 from none and at 1 from all others. `out` is float32 (domains + 1,).
    """
    first, base = sites.first, sites.base
    out[-1] = np.float32(0.0 if deep == 0 else w_url)
    for depth in range(1, len(first) - 1):
        part = out[first[depth] : first[depth + 1]]
        n = len(part)
        if n == 0:
            continue
        if deep == 0:
            part[:] = np.float32(w_url)
            continue
        longer = max(deep, depth)
        whole = 2.0**longer - 1.0
        shared = min(deep, depth)
        part[:] = np.float32(w_url * (2.0 ** (longer - shared) - 1.0) / whole)
        for i in range(shared):
            labels = sites.labels[base[depth] + i * n : base[depth] + (i + 1) * n]
            _add_differences(labels, mine[i], w_url * 2.0 ** (longer - 1 - i) / whole, part)


@njit(cache=True, nogil=True)
def rank_row(place: float, sites: ClickedSites, w_rank: float, out: Array) -> None:
    """Weighted distance of one rank to all.

    A rank below 0 is missing: at 0 from another missing one, at 1 from any other.
    """
    for code in range(len(sites.ranks)):
        rank = sites.ranks[code]
        if rank < 0 or place < 0:
            far = 0.0 if rank < 0 and place < 0 else 1.0
        else:
            far = abs(rank - place)
        out[code] = np.float32(w_rank * far)


@njit(cache=True, nogil=True)
def click_row(
    mine: Array,
    deep: int,
    place: float,
    sites: ClickedSites,
    w_rank: float,
    w_url: float,
    scratch: DistanceScratch,
) -> None:
    """Weighted distance of one (domain, rank) to all clicks, into `scratch.clicks`."""
    domain_row(mine, deep, sites, w_url, scratch.hosts)
    rank_row(place, sites, w_rank, scratch.ranks)
    for click in range(len(scratch.clicks)):
        scratch.clicks[click] = scratch.hosts[sites.host[click]] + scratch.ranks[sites.rank[click]]


@njit(cache=True, nogil=True)
def _to_events(
    moment: float, events: UserEvents, queries: Array, clicks: Array, out: Array
) -> None:
    """Distances of one event to all, into `out`: (events,)."""
    now = np.float32(moment)
    for f in range(len(out)):
        out[f] = abs(events.time[f] - now) + clicks[events.click[f]] + queries[events.query[f]]


@njit(cache=True, nogil=True, fastmath=True)
def _raise_to_nearest(far: Array, starts: Array, best: Array) -> None:
    """Raise ``best[b]`` to the least of `far` over user b's events."""
    for b in range(len(best)):
        mine = far[starts[b] : starts[b + 1]]
        least = np.float32(np.inf)
        for f in range(len(mine)):
            least = min(least, mine[f])
        best[b] = max(best[b], least)


@njit(cache=True, nogil=True, fastmath=True)
def _lower_each(far: Array, least: Array) -> None:
    for f in range(len(least)):
        least[f] = min(least[f], far[f])


class DistanceTables(NamedTuple):
    """What distances of words, queries and sites rest on.

    `weights` are the shares of rank, URL, number of terms and words.
    """

    lexicon: WordTable
    texts: QueryWords
    sites: ClickedSites
    weights: Array


@njit(cache=True, nogil=True)
def follow_events(
    span: tuple[int, int],
    probe: UserProbe,
    events: UserEvents,
    tables: DistanceTables,
    scratch: DistanceScratch,
    best: Array,
    least: Array,
) -> None:
    """The probe's events of a span against all events.

    Raises ``best[b]`` to the
    largest of the distances from a probe's event to user b's nearest event: h(probe → b) once
    all events went by. Lowers ``least[f]`` to event f's distance to the nearest of the probe's
    events, unless it is empty. O(events + words of all queries · words of the probe's queries).
    """
    first, last = span
    lexicon, texts, sites, weights = tables
    for e in range(first, last):
        query = probe.query[e]
        if scratch.held[0] != query:
            query_row(query, lexicon, texts, scratch)
            _weigh_strings(query, texts.terms, weights[2], weights[3], scratch.queries)
            scratch.held[0] = query
        same = e > first and probe.depth[e] == probe.depth[e - 1]
        same = same and probe.rank[e] == probe.rank[e - 1]
        for i in range(probe.depth[e]):
            same = same and probe.labels[e, i] == probe.labels[e - 1, i]
        if not same:
            click_row(
                probe.labels[e], probe.depth[e], probe.rank[e], sites, weights[0], weights[1],
                scratch,
            )  # fmt: skip
        _to_events(probe.time[e], events, scratch.queries, scratch.clicks, scratch.events)
        if len(best):
            _raise_to_nearest(scratch.events, events.starts, best)
        if len(least):
            _lower_each(scratch.events, least)
