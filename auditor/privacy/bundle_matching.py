"""Which bundle of a release each row of the raw log went into.

A bundle holds whole networks, cookies or users: whatever bundles are made of is in one of them.
So every row says in which bundles its like (same query, second and click) stands, and what the
rows of one network, cookie or user agree on is where they are. Times are compared as coarsely as
the release has them, and not at all where they were shuffled.
"""

import weakref
from dataclasses import dataclass

import numpy as np

from auditor.arrays import Bools, Int32s, Int64s, UInt64s, expand_ranges, mark_run_starts
from auditor.bit_mixing import GOLDEN_RATIO, mix_bits
from auditor.log import bundles
from auditor.log.dictionary_encoding import gather_values, sort_order
from auditor.log.lifetime_cache import LifetimeCache
from auditor.log.model import NONE, QueryLog
from auditor.privacy.release import Anonymized
from auditor.privacy.release_times import SHUFFLED, floor_times, times_of
from auditor.progress import Progress, run_cancellable

METHOD = "bundling"
_BLOCK = 1 << 18


@dataclass(frozen=True, eq=False)
class MatchedBundles:
    """The released bundle of each row of the log, −1 where the release doesn't hold the row.

    Of the events, `ambiguous` have their like in several bundles, `guessed` are in a bundle that
    was drawn from several possible ones, and `lost` are not in the release.
    """

    bundle: Int32s
    count: int
    ambiguous: int
    guessed: int
    lost: int


_MATCHES = LifetimeCache[Anonymized, MatchedBundles]()


def bundling_description(log: QueryLog, release: Anonymized) -> tuple[str, int | None]:
    """What a release says it was bundled by, and the address bits masked, if any."""
    by = bundles.resolve_params(log, str(release.params.get("by", "auto")))
    bits = release.params.get("bits")
    return by, int(bits) if by == "ip-mask" and bits is not None else None


def match_bundles(log: QueryLog, release: Anonymized, progress: Progress) -> MatchedBundles:
    """Match by what a bundle is made of; O(rows of both), and O(m log m) for a query's m rows.

    `release` must be one by `METHOD`. What was found is remembered for as long as it lives, since
    every attack on bundles and the measure of their sizes ask for it: 4 bytes a row.
    """
    return _MATCHES.get(release, weakref.ref(log), lambda: _match_bundles(log, release, progress))


def _match_bundles(log: QueryLog, release: Anonymized, progress: Progress) -> MatchedBundles:
    released = release.log
    assert released is not None
    by, bits = bundling_description(log, release)
    progress.stage("matching the release's rows")
    rows, place = _find_candidates(log, released, times_of(release.params), progress)
    unit, units = _number_units(log, by, bits, progress)
    choices = np.bincount(rows, minlength=len(log))
    bundle, is_tie = _find_agreement(unit[rows], place, units, len(released.users), progress)
    by_row = gather_values(bundle, unit, progress)
    begins = log.event_starts
    return MatchedBundles(
        bundle=by_row,
        count=len(released.users),
        ambiguous=int(np.count_nonzero(begins & (choices > 1))),
        guessed=int(np.count_nonzero(begins & is_tie[unit])),
        lost=int(np.count_nonzero(begins & (by_row < 0))),
    )


def _number_units(
    log: QueryLog, by: str, bits: int | None, progress: Progress
) -> tuple[Int64s, int]:
    """What the rows have in common that stand in one bundle for sure, by number."""
    if by == "ip-mask" and bits is not None and bundles.has_addresses(log):
        parts = bundles.by_address(log, bits, progress)
        return parts.bundle.astype(np.int64), parts.count
    if by == "cookie-hash" and log.cookie is not None and log.cookies is not None:
        cookie = log.cookie.astype(np.int64)
        return np.where(cookie == NONE, len(log.cookies), cookie), len(log.cookies) + 1
    if by == "random-users":
        return log.user.astype(np.int64), len(log.users)
    return np.arange(len(log), dtype=np.int64), len(log)


def _find_candidates(
    log: QueryLog, released: QueryLog, times: str, progress: Progress
) -> tuple[Int64s, Int64s]:
    """Pairs of a row and a bundle that holds its like, each pair once; by query, in blocks."""
    clicks = bool(np.any(released.url != NONE))
    codes = run_cancellable(lambda: released.queries.match(log.queries), progress)
    codes = np.where(codes == NONE, np.int32(len(log.queries)), codes)  # such meet nothing
    released_codes = gather_values(codes, released.query.astype(np.int64), progress)
    url = run_cancellable(lambda: released.urls.match(log.urls), progress) if clicks else None
    log_rows, my_starts = _by_query(log.query, len(log.queries), progress)
    other, their_starts = _by_query(released_codes, len(log.queries) + 1, progress)
    rows, places = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
    stage, starts = "matching the release's rows", my_starts + their_starts[:-1]
    for first, last in progress.whole_blocks(stage, starts, _BLOCK):
        raw = log_rows[my_starts[first] : my_starts[last]]
        public = other[their_starts[first] : their_starts[last]]
        key = _hash_rows(
            log.query[raw], _make_comparable(log.time[raw], times), log.url[raw] if clicks else None
        )
        clicked = _translate_urls(url, released.url[public]) if url is not None else None
        low, size, bundle = _match_keys(
            key,
            _hash_rows(
                released_codes[public], _make_comparable(released.time[public], times), clicked
            ),
            released.user[public],
        )
        rows.append(np.repeat(raw, size))
        places.append(bundle[expand_ranges(low, size)])
    return np.concatenate(rows), np.concatenate(places)


def _by_query(query: Int32s, queries: int, progress: Progress) -> tuple[Int64s, Int64s]:
    """Rows by query, and where each query's begin; O(n)."""
    order = sort_order(query, np.zeros(len(query), dtype=np.int64), progress)
    if order is None:
        order = np.arange(len(query), dtype=np.int64)
    counts = np.bincount(query, minlength=queries)
    return order, np.concatenate(([0], np.cumsum(counts))).astype(np.int64)


def _make_comparable(time: Int64s, times: str) -> Int64s:
    """Times as far as those of a release and of its log can be compared."""
    return np.zeros_like(time) if times == SHUFFLED else floor_times(time, times)


def _hash_rows(query: Int32s, time: Int64s, url: Int32s | None) -> UInt64s:
    """A hash of 64 bits of what a released row shows."""
    bits = mix_bits(query.astype(np.uint64) * GOLDEN_RATIO + time.astype(np.uint64))
    return bits if url is None else mix_bits(bits + url.astype(np.uint64))


def _translate_urls(table: Int32s, url: Int32s) -> Int32s:
    """Released URLs in the log's codes; −2 for one that the log doesn't know."""
    if not len(table):
        return url
    codes = np.where(table[url] == NONE, np.int32(-2), table[url])
    return np.where(url == NONE, np.int32(NONE), codes)


def _match_keys(own_keys: UInt64s, other: UInt64s, bundle: Int32s) -> tuple[Int64s, Int64s, Int64s]:
    """For each of my keys where its bundles begin, how many there are, and all bundles."""
    order = np.argsort(other, kind="stable")  # rows of a query stand by bundle in a release
    other, bundle = other[order], bundle[order]
    once = mark_run_starts(other, bundle)
    other, bundle = other[once], bundle[once]
    low = np.searchsorted(other, own_keys)
    return low, np.searchsorted(other, own_keys, side="right") - low, bundle.astype(np.int64)


def _find_agreement(
    unit: Int64s, place: Int64s, units: int, count: int, progress: Progress
) -> tuple[Int32s, Bools]:
    """The bundle that most of each unit's rows may be in, or −1, and where several tie.

    Bundles are numbered by chance, so the first of those that tie is a draw.
    """
    order = sort_order(unit.astype(np.int32), place, progress)
    if order is not None:
        unit, place = gather_values(unit, order, progress), gather_values(place, order, progress)
    starts = np.flatnonzero(mark_run_starts(unit, place))
    votes = np.diff(np.append(starts, len(unit)))
    unit, place = unit[starts], place[starts]
    most_votes = np.zeros(units, dtype=np.int64)
    np.maximum.at(most_votes, unit, votes)
    best = votes == most_votes[unit]
    bundle = np.full(units, count, dtype=np.int64)
    np.minimum.at(bundle, unit[best], place[best])
    tied = np.bincount(unit[best], minlength=units) > 1
    return np.where(bundle == count, NONE, bundle).astype(np.int32), tied
