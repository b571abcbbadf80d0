"""What pairs of a bundle's events are compared by, and which pairs are worth comparing.

Words, stems, trigrams and places are worked out once for each distinct query, in O(bytes).

Blocking, never all pairs: two events are a candidate if one follows the other closely, or if they
stand near each other among the events that have the same query, stem, bucket of trigrams, place,
clicked site, or known rewrite. Each event is paired with a fixed number of later ones of each list
at most, so that there are O(n) candidates, found in O(n · log n) by sorting lists.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from auditor.arrays import (
    Bools,
    Float32s,
    Float64s,
    Int32s,
    Int64s,
    Integers,
    expand_ranges,
    find_sorted,
    mark_run_starts,
)
from auditor.attacks.bundle_view import BundledLog
from auditor.attacks.detection.places import classify_places
from auditor.attacks.unbundling.fibers import FiberKeys, expand_keys, word_keys
from auditor.log import gil_friendly
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.model import NONE, QueryLog, Vocabulary
from auditor.log.sessions import GAP_SECONDS, find_sessions, session_of_rows
from auditor.log.text import TokenizedQueries, canonical_tokens, tokenize_strings
from auditor.progress import Progress

RAREST = 10.0
"""Weight of what stands in one of 22,000 events or fewer."""

_BLOCK = 1 << 16


@dataclass(frozen=True, eq=False, kw_only=True)
class QueryTexts:
    """What pairs of distinct queries, and of events, are compared by.

    Of each query its lower-case `words` in order, stop words among them; distinct `stems` without
    stop words, ascending; distinct hashed `trigrams` of its characters, ascending; and its place,
    if it is more likely about one than not. `sites` are the clicked ones of each *event*.

    `weights` are −log of the share of events whose query has a stem, `RAREST` at most, so that logs
    of different size weigh alike; `site_weights` the same of events with a click on a site.
    """

    words: FiberKeys
    stems: FiberKeys
    weights: Float32s
    trigrams: FiberKeys
    places: FiberKeys
    sites: FiberKeys
    site_weights: Float32s

    @functools.cached_property
    def stem_squares(self) -> Float64s:
        """The sum of the squared weights of each query's stems."""
        return self.stems.matrix @ (self.weights.astype(np.float64) ** 2)


def texts_of(
    queries: Vocabulary,
    bundled: BundledLog,
    progress: Progress,
    *,
    stemmed: TokenizedQueries | None = None,
    clicks: QueryLog | None = None,
) -> QueryTexts:
    """Prepare queries and clicks; O(bytes + n).

    `stemmed` are the queries' stems without stop words, if somebody has them already; `clicks` is
    the log that the events stand in, without which nobody knows what was clicked.
    """
    tokens = tokenize_strings(queries, progress)
    progress.stage("stemming words")
    words = canonical_tokens(tokens, stems=False, drop=())
    stemmed = canonical_tokens(tokens) if stemmed is None else stemmed
    owner = np.repeat(np.arange(len(queries)), stemmed.compute_lengths())
    stems = _collect_distinct([(owner, stemmed.codes)], len(queries), len(stemmed.vocabulary))
    events = np.bincount(bundled.query, minlength=len(queries))
    unclicked = FiberKeys.from_single_codes(np.full(len(bundled), NONE), 0)
    sites = unclicked if clicks is None else sites_of(clicks, bundled, progress)
    return QueryTexts(
        words=word_keys(words),
        stems=stems,
        weights=_compute_weights(stems, events, len(bundled)),
        trigrams=_hash_trigrams(queries, progress),
        places=place_keys(queries, 0.5, progress),
        sites=sites,
        site_weights=_compute_weights(sites, np.ones(len(bundled), np.int64), len(bundled)),
    )


def place_keys(queries: Vocabulary, confidence: float, progress: Progress) -> FiberKeys:
    """The place that each query is about, city or state, if it is that sure; O(bytes)."""
    result = classify_places(queries, progress)
    is_sure = result.is_sure(confidence, cities=False)
    size = int(result.place.max(initial=-1)) + 1
    return FiberKeys.from_single_codes(np.where(is_sure, result.place, NONE), max(size, 1))


def sites_of(log: QueryLog, bundled: BundledLog, progress: Progress) -> FiberKeys:
    """The sites (host names) that each event's clicks led to; O(rows + URLs)."""
    import pyarrow.compute as pc

    progress.stage("reading clicked sites")
    event_of = np.full(len(log) + 1, NONE, dtype=np.int64)
    event_of[bundled.row] = np.arange(len(bundled))
    begins = log.event_starts
    opening = np.flatnonzero(begins)
    rows = np.flatnonzero(log.url != NONE)
    head = opening[np.cumsum(begins)[rows] - 1] if len(rows) else rows
    # In a second with two queries, a row that belongs to the earlier one again is left out.
    good = (event_of[head] != NONE) & (log.query[head] == log.query[rows])
    rows, event = rows[good], event_of[head[good]]
    without_scheme = pc.replace_substring_regex(log.urls.as_arrow(), r"^[a-zA-Z]+://", "")
    hosts = pc.replace_substring_regex(without_scheme, r"[/?#:].*$", "").dictionary_encode()
    codes = hosts.indices.to_numpy(zero_copy_only=False)
    return _collect_distinct([(event, codes[log.url[rows]])], len(bundled), len(hosts.dictionary))


def _hash_trigrams(queries: Vocabulary, progress: Progress) -> FiberKeys:
    """Distinct trigrams of each query in lower case, its ends marked, hashed to 24 bits."""
    letters: set[str] = set()
    for first, last in progress.blocks("reading characters", len(queries), _BLOCK):
        letters.update(*queries.list_strings(range(first, last)))
    folded = {letter: low if len(low := letter.lower()) == 1 else letter for letter in letters}
    number = {letter: place for place, letter in enumerate(sorted(set(folded.values())), 2)}
    table = np.zeros(max(map(ord, letters), default=0) + 1, dtype=np.uint64)
    table[[ord(letter) for letter in letters]] = [number[folded[letter]] for letter in letters]

    def hash_blocks() -> Iterator[tuple[Int64s, Int64s]]:
        for first, last in progress.blocks("indexing words", len(queries), _BLOCK):
            texts = queries.list_strings(range(first, last))
            data = "".join(texts).encode("utf-32-le", "surrogatepass")
            codes = table[np.frombuffer(data, dtype=np.uint32)]
            owner = np.repeat(np.arange(first, last), [len(text) for text in texts])
            begins = np.flatnonzero(mark_run_starts(owner))
            before, after = np.roll(codes, 1), np.roll(codes, -1)
            before[begins] = after[begins - 1] = 1
            mixed = before * np.uint64(0x9E3779B97F4A7C15)
            mixed = (mixed ^ codes) * np.uint64(0xBF58476D1CE4E5B9)
            mixed = (mixed ^ after) * np.uint64(0x94D049BB133111EB)
            yield owner, (mixed >> np.uint64(40)).astype(np.int64)

    return _collect_distinct(hash_blocks(), len(queries), 1 << 24)


def _collect_distinct(
    blocks: Iterable[tuple[Int64s, Integers]], holders: int, size: int
) -> FiberKeys:
    """The keys below `size` of so many holders, each once; blocks are of ascending holders."""
    width = max(size, 1)
    keys = [np.zeros(0, dtype=np.int64)]
    keys += [sorted_distinct(owner * width + key) for owner, key in blocks]
    pairs = np.concatenate(keys)
    counts = np.bincount(pairs // width, minlength=holders)
    starts = np.concatenate(([0], np.cumsum(counts))).astype(np.int64)
    return FiberKeys((pairs % width).astype(np.int32), starts, size)


def _compute_weights(keys: FiberKeys, times: Int64s, events: int) -> Float32s:
    count = gil_friendly.count_weighted(keys.codes, keys.starts, times, keys.size)
    share = np.maximum(count, 1) / max(events, 1)
    return np.minimum(-np.log(share), RAREST).astype(np.float32)


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
    for bucket in _hash_buckets(texts.trigrams, codes):
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


def _hash_buckets(trigrams: FiberKeys, codes: Integers) -> Iterator[Int64s]:
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
