"""Distinct queries as pairs of them are compared: words, stems and trigrams.

Everything is worked out once for each distinct query, in O(bytes); comparing a pair then costs
what the pair's own words cost.
"""

import functools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from auditor.arrays import Float32s, Float64s, Int32s, Int64s, Integers, mark_run_starts
from auditor.attacks.bundle_view import BundledLog
from auditor.attacks.detection.places import classify_places
from auditor.attacks.unbundling.fibers import FiberKeys, word_keys
from auditor.log import gil_friendly
from auditor.log.gil_friendly import sorted_distinct
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

    @functools.cached_property
    def stem_squares(self) -> Float64s:
        """The sum of the squared weights of each query's stems."""
        squares: Float64s = self.stems.matrix @ (self.weights.astype(np.float64) ** 2)
        return squares


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
    return _collect_distinct([(event, hosts[log.url[rows]])], len(bundled), size)


def _extract_hosts(urls: Vocabulary) -> tuple[Int32s, int]:
    """The host of each URL as a number, and how many hosts there are."""
    import pyarrow.compute as pc

    without_scheme = pc.replace_substring_regex(urls.as_arrow(), r"^[a-zA-Z]+://", "")
    hosts = pc.replace_substring_regex(without_scheme, r"[/?#:].*$", "").dictionary_encode()
    codes: Int32s = hosts.indices.to_numpy(zero_copy_only=False).astype(np.int32)
    return codes, len(hosts.dictionary)


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
