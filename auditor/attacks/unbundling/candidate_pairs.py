"""Pairs of a bundle's events that are worth comparing; never all pairs.

Blocking: two events are a candidate if one follows the other closely, or if they stand near each
other among the events that have the same query, stem, bucket of trigrams, place, clicked site, or
known rewrite. Each event is paired with a fixed number of later ones of each list at most, so that
there are O(n) candidates, found in O(n · log n) by sorting lists.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from auditor.arrays import Bools, Float32s, Int32s, Int64s, Integers
from auditor.attacks.bundle_view import BundledLog
from auditor.attacks.unbundling.fibers import FiberKeys
from auditor.attacks.unbundling.query_texts import QueryTexts
from auditor.log.model import NONE, QueryLog, Vocabulary
from auditor.log.sessions import GAP_SECONDS, find_sessions, session_of_rows
from auditor.progress import Progress

Pairs = tuple[Int64s, Int64s]

_BLOCK = 1 << 20
"""Candidates whose places are told from one number at a time."""

CHUNK = 1 << 15
"""Events whose candidates are held at once, unless one bundle has more."""


@dataclass(frozen=True, kw_only=True)
class PairBlocking:
    """How many later events of each list an event is paired with.

    `window` is the longest lag, in seconds, between neighbours in time; `targets` counts the
    likeliest rewrites of a query that are looked for.
    """

    near: int = 8
    window: int = GAP_SECONDS
    query: int = 4
    stem: int = 6
    bucket: int = 3
    place: int = 3
    site: int = 3
    rewrite: int = 2
    targets: int = 5


@dataclass(frozen=True, eq=False)
class QueryRewrites:
    """How often users followed one query by another, sorted by `left`, then `right`.

    Attributes
    ----------
    left, right
        int32 codes of queries; shape (rewrites,).
    share
        float32 share of `right` among the other queries that came next after `left` in a
        session; shape (rewrites,).
    queries
        What the codes mean.
    """

    left: Int32s
    right: Int32s
    share: Float32s
    queries: Vocabulary

    def translate_codes(self, queries: Vocabulary) -> QueryRewrites:
        """The same rewrites in the codes of another log, those it lacks left out."""
        place = self.queries.match(queries)
        left, right = place[self.left], place[self.right]
        both = (left != NONE) & (right != NONE)
        left, right, share = left[both], right[both], self.share[both]
        order = np.lexsort((right, left))
        return QueryRewrites(left[order], right[order], share[order], queries)

    @functools.cached_property
    def turned(self) -> tuple[Int32s, Int32s, Float32s]:
        """``(right, left, share)``, sorted by the first, then the second."""
        order = np.lexsort((self.left, self.right))
        return self.right[order], self.left[order], self.share[order]


def rewrites_of(
    log: QueryLog, progress: Progress, *, without: Bools | None = None
) -> QueryRewrites:
    """Count which query came next in the sessions of a training log; O(n log n).

    Parameters
    ----------
    without
        Users that don't count: those whose pairs are trained on, which would otherwise look as if
        every step of a session were known from others; shape (users,).
    """
    progress.stage("counting rewrites")
    rows = np.flatnonzero(log.event_starts)
    session = session_of_rows(find_sessions(log))[rows]
    query = log.query[rows].astype(np.int64)
    step = (session[1:] == session[:-1]) & (query[1:] != query[:-1])
    if without is not None:
        step &= ~without[log.user[rows[1:]]]
    width = max(len(log.queries), 1)
    keys, counts = np.unique(query[:-1][step] * width + query[1:][step], return_counts=True)
    left, right = (keys // width).astype(np.int32), (keys % width).astype(np.int32)
    total = np.bincount(left, counts, minlength=width)
    return QueryRewrites(left, right, (counts / total[left]).astype(np.float32), log.queries)


def chunk_bundles(bundled: BundledLog, which: Bools) -> Iterator[Int64s]:
    """Bundles of `which`, some `CHUNK` events at a time; shape of `which` (bundles,)."""
    chosen = np.flatnonzero(which & (bundled.queries > 0))
    total = np.cumsum(bundled.queries[chosen]) - bundled.queries[chosen]
    for part in np.split(chosen, np.flatnonzero(np.diff(total // CHUNK)) + 1):
        if len(part):
            yield part


def events_of(bundled: BundledLog, bundles: Int64s) -> Int64s:
    """Places of the events of some bundles, ascending."""
    counts = bundled.queries[bundles]
    ends = np.cumsum(counts)
    return np.repeat(bundled.starts[bundles] - (ends - counts), counts) + np.arange(counts.sum())


def find_candidates(
    bundled: BundledLog,
    texts: QueryTexts,
    rewrites: QueryRewrites,
    bundles: Int64s,
    blocking: PairBlocking,
    progress: Progress,
) -> tuple[Int32s, Int32s]:
    """Pairs of events, places in `bundled`, the earlier first, ascending and each once.

    O(k log k) in the events' keys k. One bundle may have tens of millions of pairs: each is one
    number until all are known, and no list of them is held twice for longer than it must be.
    """
    event = events_of(bundled, bundles)
    query = bundled.query[event]
    bundle = bundled.bundle[event].astype(np.int64)
    local = np.searchsorted(bundles, bundle)
    codes, word = np.unique(query, return_inverse=True)
    own = local * len(codes) + word
    low = int(event[0])
    span = int(event[-1]) - low + 1
    found: list[Int64s] = []

    def add(pieces: Iterable[Pairs]) -> None:
        keys = []
        for one, two in pieces:
            progress.check()
            one -= low
            one *= span
            one += two
            one -= low
            keys.append(one)
        found.append(_merge_keys(keys))

    add(_pair_close_events(bundled, event, blocking))
    add(_list_neighbours(event, own, blocking.query))
    add(_list_rewrites(event, local, own, codes, word, rewrites, blocking))
    for bucket in _hash_trigrams(texts.trigrams, codes):
        add(_list_neighbours(event, local << 32 | bucket[word], blocking.bucket))
    lists = ((texts.stems, query, blocking.stem), (texts.places, query, blocking.place),
             (texts.sites, event, blocking.site))  # fmt: skip
    for keys, holder, most in lists:
        if keys.size:
            place, key = expand_keys(keys, holder)
            add(_list_neighbours(event[place], local[place] * keys.size + key, most))
    pairs = _merge_keys(found)
    left, right = np.empty(len(pairs), dtype=np.int32), np.empty(len(pairs), dtype=np.int32)
    for first in range(0, len(pairs), _BLOCK):
        part = slice(first, first + _BLOCK)
        left[part], right[part] = pairs[part] // span + low, pairs[part] % span + low
    return left, right


def _merge_keys(pieces: list[Int64s]) -> Int64s:
    """The keys of all pieces, each once, ascending; the pieces are taken out of the list."""
    joined = np.empty(sum(map(len, pieces)), dtype=np.int64)
    stop = len(joined)
    while pieces:
        piece = pieces.pop()
        joined[stop - len(piece) : stop] = piece
        stop -= len(piece)
    joined.sort()  # numbers in long runs sort faster than they hash
    first = np.ones(len(joined), dtype=np.bool_)
    np.not_equal(joined[1:], joined[:-1], out=first[1:])
    return joined if first.all() else joined[first]


def _pair_close_events(
    bundled: BundledLog, event: Int64s, blocking: PairBlocking
) -> Iterator[Pairs]:
    """Events that follow each other closely."""
    for k in range(1, min(blocking.near, len(event) - 1) + 1):
        one, two = event[:-k], event[k:]
        near = bundled.time[two] - bundled.time[one] <= blocking.window
        near &= bundled.bundle[one] == bundled.bundle[two]
        yield one[near], two[near]


def _list_neighbours(event: Int64s, key: Int64s, most: int) -> Iterator[Pairs]:
    """Each event with the next `most` of the same key; events ascend."""
    order = np.argsort(key, kind="stable")
    event, key = event[order], key[order]
    del order
    for k in range(1, min(most, len(event) - 1) + 1):
        same = (key[k:] == key[:-k]) & (event[k:] > event[:-k])
        yield event[:-k][same], event[k:][same]


def expand_keys(keys: FiberKeys, holder: Integers) -> tuple[Int64s, Int64s]:
    """For each key of each holder: the holder's place, and the key."""
    counts = keys.compute_lengths()[holder]
    ends = np.cumsum(counts)
    at = np.repeat(keys.starts[holder] - (ends - counts), counts) + np.arange(counts.sum())
    return np.repeat(np.arange(len(holder)), counts), keys.codes[at].astype(np.int64)


def _hash_trigrams(trigrams: FiberKeys, codes: Integers) -> list[Int64s]:
    """Two min-hashes of each query's trigrams: alike queries likely share one."""
    place, gram = expand_keys(trigrams, codes)
    found = []
    for factor in (0x9E3779B1, 0x85EBCA77):
        mixed = gram * factor & 0xFFFFFFFF
        least = np.full(len(codes), 0xFFFFFFFF, dtype=np.int64)
        np.minimum.at(least, place, mixed)
        found.append(least)
    return found


def _list_rewrites(
    event: Int64s,
    local: Int64s,
    own: Int64s,
    codes: Integers,
    word: Int64s,
    rewrites: QueryRewrites,
    blocking: PairBlocking,
) -> Iterator[Pairs]:
    """Events with the next ones whose query is a known rewrite of theirs, in either direction."""
    order = np.argsort(own, kind="stable")
    used, key = np.unique(own, return_inverse=True)
    listed = key[order] * len(event) + order  # ascending: by bundle and query, then time
    for left, right, share in ((rewrites.left, rewrites.right, rewrites.share), rewrites.turned):
        targets = _find_likeliest(left, right, share, codes, blocking.targets)
        for target in targets.T:
            goal = np.searchsorted(codes, target)
            known = (target != NONE) & (goal < len(codes))
            known[known] = codes[goal[known]] == target[known]
            at = np.flatnonzero(known[word])
            wanted = local[at] * len(codes) + goal[word[at]]
            place = np.searchsorted(used, wanted)
            there = np.flatnonzero(place < len(used))
            there = there[used[place[there]] == wanted[there]]
            at, place = at[there], place[there]
            after = np.searchsorted(listed, place * len(event) + at)
            for k in range(blocking.rewrite):
                some = after + k < len(listed)
                some[some] = key[order[after[some] + k]] == place[some]
                yield event[at[some]], event[order[after[some] + k]]


def _find_likeliest(
    left: Int32s, right: Int32s, share: Float32s, codes: Integers, most: int
) -> Int32s:
    """The likeliest partners of each of `codes`, −1 where there are fewer; shape (m, most)."""
    low, high = np.searchsorted(left, codes), np.searchsorted(left, codes, side="right")
    counts = high - low
    ends = np.cumsum(counts)
    at = np.repeat(low - (ends - counts), counts) + np.arange(counts.sum())
    whose = np.repeat(np.arange(len(codes)), counts)
    order = np.lexsort((right[at], -share[at], whose))
    at = at[order]
    rank = np.arange(len(at)) - (ends - counts)[whose]
    table = np.full((len(codes), most), NONE, dtype=np.int32)
    some = rank < most
    table[whose[some], rank[some]] = right[at[some]]
    return table
