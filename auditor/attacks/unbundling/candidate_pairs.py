"""Pairs of a bundle's events that are worth comparing; never all pairs.

Blocking: two events are a candidate if one follows the other closely, or if they stand near each
other among the events that have the same query, stem, bucket of trigrams, place, clicked site, or
known rewrite. Each event is paired with a fixed number of later ones of each list at most, so that
there are O(n) candidates, found in O(n · log n) by sorting lists.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from auditor.arrays import Bools, Float32s, Int32s, Int64s, Integers, expand_ranges, find_sorted
from auditor.attacks.bundle_view import BundledLog
from auditor.attacks.unbundling.fibers import FiberKeys, expand_keys
from auditor.attacks.unbundling.query_texts import QueryTexts
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.model import NONE, QueryLog, Vocabulary
from auditor.log.sessions import GAP_SECONDS, find_sessions, session_of_rows
from auditor.progress import Progress

Pairs = tuple[Int64s, Int64s]

CHUNK = 1 << 15
"""Events whose candidates are held at once, unless one bundle has more."""


NEAR, WINDOW = 8, GAP_SECONDS
"""How many later events of its bundle an event is paired with, and the longest lag in seconds."""
QUERY, STEM, BUCKET, PLACE, SITE, REWRITE = 4, 6, 3, 3, 3, 2
"""How many later events of the same query, stem, bucket of trigrams, … an event is paired with."""
TARGETS = 5
"""The likeliest rewrites of a query that are looked for."""


@dataclass(frozen=True, eq=False)
class QueryRewrites:
    """How often users followed one query by another, sorted by `left`, then `right`."""

    left: Int32s
    right: Int32s
    share: Float32s  # of `right` among other queries that came next after `left` in a session
    queries: Vocabulary  # what the codes mean

    def translate_codes(self, queries: Vocabulary) -> QueryRewrites:
        """The same rewrites in the codes of another log, those it lacks left out."""
        place = self.queries.match(queries)
        left, right = place[self.left], place[self.right]
        both = (left != NONE) & (right != NONE)
        left, right, share = left[both], right[both], self.share[both]
        order = np.lexsort((right, left))
        return QueryRewrites(left[order], right[order], share[order], queries)

    @functools.cached_property
    def steps(self) -> Int64s:
        """Both codes in one number, ascending."""
        return self.left.astype(np.int64) << 32 | self.right

    def find_shares(self, left: Int32s, right: Int32s) -> Float32s:
        """The share of each rewrite, 0 where nobody made it; shape of `left`."""
        place = find_sorted(left.astype(np.int64) << 32 | right, self.steps)
        return np.append(self.share, np.float32(0))[place]

    @functools.cached_property
    def turned(self) -> tuple[Int32s, Int32s, Float32s]:
        """``(right, left, share)``, sorted by the first, then the second."""
        order = np.lexsort((self.left, self.right))
        return self.right[order], self.left[order], self.share[order]


class SeenBundles(NamedTuple):
    """Bundles as an attacker sees them, and what is known of their queries."""

    bundled: BundledLog
    texts: QueryTexts
    rewrites: QueryRewrites


def rewrites_of(
    log: QueryLog, progress: Progress, *, excluded: Bools | None = None
) -> QueryRewrites:
    """Count which query came next in the sessions of a training log; O(n log n).

    Users `excluded` whom it counts are those whose pairs are trained on, which would otherwise look
    as if every step of a session were known from others; shape (users,).
    """
    progress.stage("counting rewrites")
    rows = np.flatnonzero(log.event_starts)
    session = session_of_rows(find_sessions(log))[rows]
    query = log.query[rows].astype(np.int64)
    step = (session[1:] == session[:-1]) & (query[1:] != query[:-1])
    if excluded is not None:
        step &= ~excluded[log.user[rows[1:]]]
    width = max(len(log.queries), 1)
    keys, counts = np.unique(query[:-1][step] * width + query[1:][step], return_counts=True)
    left, right = (keys // width).astype(np.int32), (keys % width).astype(np.int32)
    total = np.bincount(left, counts, minlength=width)
    return QueryRewrites(left, right, (counts / total[left]).astype(np.float32), log.queries)


def chunk_bundles(bundled: BundledLog, is_selected: Bools) -> Iterator[Int64s]:
    """Selected bundles, some `CHUNK` events at a time; shape of `is_selected` (bundles,)."""
    selected = np.flatnonzero(is_selected & (bundled.queries > 0))
    total = np.cumsum(bundled.queries[selected]) - bundled.queries[selected]
    for part in np.split(selected, np.flatnonzero(np.diff(total // CHUNK)) + 1):
        if len(part):
            yield part


def events_of(bundled: BundledLog, bundles: Int64s) -> Int64s:
    """Places of the events of some bundles, ascending."""
    return expand_ranges(bundled.starts[bundles], bundled.queries[bundles])


def find_candidates(
    view: SeenBundles, bundles: Int64s, progress: Progress
) -> tuple[Int32s, Int32s]:
    """Pairs of events, places in the bundled log, the earlier first, ascending and each once.

    O(k log k) in the events' keys k.
    """
    bundled, texts, rewrites = view
    event = events_of(bundled, bundles)
    query = bundled.query[event]
    bundle = np.searchsorted(bundles, bundled.bundle[event].astype(np.int64))
    codes, word = np.unique(query, return_inverse=True)
    group = bundle * len(codes) + word
    low = int(event[0])
    span = int(event[-1]) - low + 1
    pieces = [
        _pair_close_events(bundled, event),
        _list_neighbours(event, group, QUERY),
        _list_rewrites(event, bundle, group, codes, word, rewrites),
    ]
    for bucket in _hash_trigrams(texts.trigrams, codes):
        pieces.append(_list_neighbours(event, bundle << 32 | bucket[word], BUCKET))
    shared = ((texts.stems, query, STEM), (texts.places, query, PLACE), (texts.sites, event, SITE))
    for keys, holder, partner_limit in shared:
        if keys.size:
            place, key = expand_keys(keys, holder)
            pieces.append(
                _list_neighbours(event[place], bundle[place] * keys.size + key, partner_limit)
            )
    numbers = [np.zeros(0, dtype=np.int64)]
    for left, right in itertools.chain(*pieces):
        progress.check()
        numbers.append((left - low) * span + (right - low))
    pairs = sorted_distinct(np.concatenate(numbers))
    return (pairs // span + low).astype(np.int32), (pairs % span + low).astype(np.int32)


def _pair_close_events(bundled: BundledLog, event: Int64s) -> Iterator[Pairs]:
    """Events that follow each other closely."""
    for k in range(1, min(NEAR, len(event) - 1) + 1):
        left, right = event[:-k], event[k:]
        is_near = bundled.time[right] - bundled.time[left] <= WINDOW
        is_near &= bundled.bundle[left] == bundled.bundle[right]
        yield left[is_near], right[is_near]


def _list_neighbours(event: Int64s, key: Int64s, partner_limit: int) -> Iterator[Pairs]:
    """Each event with the next `partner_limit` of the same key; events ascend."""
    order = np.argsort(key, kind="stable")
    event, key = event[order], key[order]
    del order
    for k in range(1, min(partner_limit, len(event) - 1) + 1):
        is_same_key = (key[k:] == key[:-k]) & (event[k:] > event[:-k])
        yield event[:-k][is_same_key], event[k:][is_same_key]


def _hash_trigrams(trigrams: FiberKeys, codes: Integers) -> Iterator[Int64s]:
    """Two min-hashes of each query's trigrams: alike queries likely share one."""
    place, gram = expand_keys(trigrams, codes)
    for factor in (0x9E3779B1, 0x85EBCA77):
        least = np.full(len(codes), 0xFFFFFFFF, dtype=np.int64)
        np.minimum.at(least, place, gram * factor & 0xFFFFFFFF)
        yield least


def _list_rewrites(
    event: Int64s,
    bundle: Int64s,
    group: Int64s,
    codes: Integers,
    word: Int64s,
    rewrites: QueryRewrites,
) -> Iterator[Pairs]:
    """Events with the next ones whose query is a known rewrite of theirs, in either direction."""
    order = np.argsort(group, kind="stable")
    used_groups, key = np.unique(group, return_inverse=True)
    listed = key[order] * len(event) + order  # ascending: by bundle and query, then time
    for left, right, share in ((rewrites.left, rewrites.right, rewrites.share), rewrites.turned):
        for target in _find_likeliest(left, right, share, codes).T:
            goal = np.searchsorted(codes, target)
            has_goal = (target != NONE) & (goal < len(codes))
            has_goal[has_goal] = codes[goal[has_goal]] == target[has_goal]
            place = np.flatnonzero(has_goal[word])
            goal_group = bundle[place] * len(codes) + goal[word[place]]
            number = np.searchsorted(used_groups, goal_group)
            present = np.flatnonzero(number < len(used_groups))
            present = present[used_groups[number[present]] == goal_group[present]]
            place, number = place[present], number[present]
            after = np.searchsorted(listed, number * len(event) + place)
            for k in range(REWRITE):
                is_match = after + k < len(listed)
                is_match[is_match] = key[order[after[is_match] + k]] == number[is_match]
                yield event[place[is_match]], event[order[after[is_match] + k]]


def _find_likeliest(left: Int32s, right: Int32s, share: Float32s, codes: Integers) -> Int32s:
    """The likeliest partners of each of `codes`, −1 where there are fewer; shape (m, `TARGETS`)."""
    low = np.searchsorted(left, codes)
    counts = np.searchsorted(left, codes, side="right") - low
    places = expand_ranges(low, counts)
    source = np.repeat(np.arange(len(codes)), counts)
    places = places[np.lexsort((right[places], -share[places], source))]
    rank = np.arange(len(places)) - (np.cumsum(counts) - counts)[source]
    table = np.full((len(codes), TARGETS), NONE, dtype=np.int32)
    is_likely = rank < TARGETS
    table[source[is_likely], rank[is_likely]] = right[places[is_likely]]
    return table
