"""Distinct queries as pairs of them are compared: words, stems and trigrams.

Everything is worked out once for each distinct query, in O(bytes); comparing a pair then costs
what the pair's own words cost.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from auditor.arrays import Array, Bools, Float32s, Int32s, Int64s, UInt32s
from auditor.attacks.bundle_view import BundledLog
from auditor.attacks.detection.places import classify_places
from auditor.attacks.unbundling.fibers import FiberKeys, word_keys
from auditor.log import gil_friendly
from auditor.log.model import NONE, QueryLog, Vocabulary
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
    codes, starts = stemmed.codes, stemmed.offsets

    def stems_of(first: int, last: int) -> Int32s:
        return codes[starts[first] : starts[last]]

    stems = _collect_distinct(starts, len(stemmed.vocabulary), progress, stems_of)
    events = np.bincount(bundled.query, minlength=len(queries))
    unclicked = FiberKeys.from_single_codes(np.full(len(bundled), NONE), 0)
    sites = unclicked if clicks is None else sites_of(clicks, bundled, progress)
    return QueryTexts(
        words=word_keys(words),
        stems=stems,
        weights=_compute_weights(stems, events, len(bundled)),
        trigrams=_hash_trigrams(characters_of(queries, progress), progress),
        places=place_keys(queries, 0.5, progress),
        sites=sites,
        site_weights=_compute_weights(sites, np.ones(len(bundled), np.int64), len(bundled)),
    )


def place_keys(queries: Vocabulary, confidence: float, progress: Progress) -> FiberKeys:
    """The place that each query is about, city or state, if it is that sure; O(bytes)."""
    result = classify_places(queries, progress)
    some = result.is_sure(confidence, cities=False)
    size = int(result.place.max(initial=-1)) + 1
    return FiberKeys.from_single_codes(np.where(some, result.place, NONE), max(size, 1))


def characters_of(queries: Vocabulary, progress: Progress) -> FiberKeys:
    """Characters as numbers, small and capital letters alike; those that never occur have none.

    By blocks of queries, since a character takes four bytes until it has its number.
    """
    occurs = np.zeros(sys.maxunicode + 1, dtype=np.bool_)
    starts = np.zeros(len(queries) + 1, dtype=np.int64)
    unicode = True
    for begin, end, points, first in _iterate_characters(queries, progress):
        occurs[points] = True
        unicode &= len(points) == np.count_nonzero(first)
        ends = np.concatenate(([0], np.cumsum(first))) + starts[begin]
        starts[begin : end + 1] = ends[queries.offsets[begin : end + 1] - queries.offsets[begin]]
    if not unicode:  # not UTF-8 throughout: bytes do as well
        occurs[:] = False
        occurs[queries.data] = True
    used = np.flatnonzero(occurs)
    folded = [ord(low) if len(low := chr(code).lower()) == 1 else code for code in used.tolist()]
    letters, place = np.unique(folded, return_inverse=True)
    short = len(letters) <= np.iinfo(np.uint16).max
    table: Array = np.zeros(int(used.max(initial=0)) + 1, dtype=np.uint16 if short else np.int32)
    table[used] = place
    if not unicode:
        return FiberKeys(table[queries.data], queries.offsets, len(letters))
    codes: Array = np.empty(int(starts[-1]), dtype=table.dtype)
    for begin, end, points, _ in _iterate_characters(queries, progress):
        codes[starts[begin] : starts[end]] = table[points]
    return FiberKeys(codes, starts, len(letters))


def _iterate_characters(
    queries: Vocabulary, progress: Progress
) -> Iterator[tuple[int, int, UInt32s, Bools]]:
    """The code points of the queries ``low:high``, and which of their bytes begin a character."""
    for low, high in progress.blocks("reading characters", len(queries), _BLOCK):
        some = queries.data[queries.offsets[low] : queries.offsets[high]]
        text = some.tobytes().decode("utf-8", "replace").encode("utf-32-le", "surrogatepass")
        yield low, high, np.frombuffer(text, dtype=np.uint32), (some & 0xC0) != 0x80


def sites_of(log: QueryLog, bundled: BundledLog, progress: Progress) -> FiberKeys:
    """The sites (host names) that each event's clicks led to; O(rows + URLs)."""
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
    hosts, size = _extract_hosts(log.urls)
    pairs = np.sort(event * max(size, 1) + hosts[log.url[rows]])
    pairs = pairs[np.diff(pairs, prepend=-1) > 0]
    counts = np.bincount(pairs // max(size, 1), minlength=len(bundled))
    starts = np.concatenate(([0], np.cumsum(counts))).astype(np.int64)
    return FiberKeys((pairs % max(size, 1)).astype(np.int32), starts, size)


def _extract_hosts(urls: Vocabulary) -> tuple[Int32s, int]:
    """The host of each URL as a number, and how many hosts there are."""
    import pyarrow.compute as pc

    bare = pc.replace_substring_regex(urls.as_arrow(), r"^[a-zA-Z]+://", "")
    hosts = pc.replace_substring_regex(bare, r"[/?#:].*$", "").dictionary_encode()
    codes: Int32s = hosts.indices.to_numpy(zero_copy_only=False).astype(np.int32)
    return codes, len(hosts.dictionary)


def _hash_trigrams(characters: FiberKeys, progress: Progress) -> FiberKeys:
    """Distinct trigrams of each query, its ends marked, hashed to 24 bits."""

    def hash_block(first: int, last: int) -> Int32s:
        bounds = characters.starts[first : last + 1]
        codes = characters.codes[bounds[0] : bounds[-1]].astype(np.uint64) + np.uint64(2)
        before, after = np.roll(codes, 1), np.roll(codes, -1)
        some = bounds[:-1] < bounds[1:]
        before[(bounds[:-1] - bounds[0])[some]] = 1
        after[(bounds[1:] - bounds[0] - 1)[some]] = 1
        mixed = before * np.uint64(0x9E3779B97F4A7C15)
        mixed = (mixed ^ codes) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ after) * np.uint64(0x94D049BB133111EB)
        return (mixed >> np.uint64(40)).astype(np.int32)

    return _collect_distinct(characters.starts, 1 << 24, progress, hash_block)


def _collect_distinct(
    starts: Int64s, size: int, progress: Progress, keys_of: Callable[[int, int], Int32s]
) -> FiberKeys:
    """The keys of the queries ``first:last``, as `keys_of` has them, each once a query."""
    # Of what isn't written the system holds nothing.
    codes = np.empty(int(starts[-1] - starts[0]), dtype=np.int32)
    offsets = np.zeros(len(starts), dtype=np.int64)
    width, done = max(size, 1), 0
    for first, last in progress.blocks("indexing words", len(starts) - 1, _BLOCK):
        whose = np.repeat(np.arange(last - first), np.diff(starts[first : last + 1]))
        keys = np.sort(whose * width + keys_of(first, last))
        keys = keys[np.diff(keys, prepend=-1) > 0]
        codes[done : done + len(keys)] = keys % width
        offsets[first + 1 : last + 1] = done + np.cumsum(
            np.bincount(keys // width, minlength=last - first)
        )
        done += len(keys)
    return FiberKeys(codes[:done], offsets, size)


def _compute_weights(keys: FiberKeys, times: Int64s, events: int) -> Float32s:
    count = gil_friendly.count_weighted(keys.codes, keys.starts, times, keys.size)
    share = np.maximum(count, 1) / max(events, 1)
    return np.minimum(-np.log(share), RAREST).astype(np.float32)
