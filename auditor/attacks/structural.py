"""What bundles give away by their make-up alone: dominant users, and places of one user's own.

Heavy users hold most of a small bundle, so that whatever it holds is probably theirs; and a place
that one user of a bundle alone asks for leads whoever knows where they live to their queries. No
query is compared with another for that: knowing the bundle is enough. A fiber is what one user
issued within one bundle.

Source: Jones, Kumar, Pang and Tomkins, CIKM 2008, section 5 (Table 6 and the table of places). Its
remark that users' power law makes dominant users in any partition is measured, not proved: users
are dealt into bundles at random, as they are and with what they issue drawn from the fitted law.
O(n) for n rows, and O(m log m) for the m events that ask for a place.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from auditor.arrays import Bools, Float64s, Int32s, Int64s, UInt64s, mean_of, share_of
from auditor.attacks import bundle_view
from auditor.attacks.base import Attack, AttackResult, Evidence, FlaggedFindings
from auditor.attacks.bundle_view import BundledLog, BundleParams
from auditor.attacks.detection.places import PlaceMatches, classify_places
from auditor.attacks.intervals import describe_share, wilson_interval
from auditor.attacks.risk.exposed_sessions import rank_sessions
from auditor.attacks.risk.session_scoring import standing_verbatim
from auditor.errors import MissingInput
from auditor.figures import PERCENT, Figure, MetricValue, Series, Table, UserReference
from auditor.log import bundles
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import NONE, QueryLog, Vocabulary
from auditor.log.sessions import find_sessions, session_of_rows
from auditor.messages import as_phrase, phrase
from auditor.progress import Progress, run_cancellable


@dataclass(frozen=True, eq=False)
class PowerLaw:
    """A power law p(x) ∝ x^−exponent from `start` on, fitted to what users issued."""

    exponent: float
    start: int
    # The greatest of the distribution functions from there on (Kolmogorov, Smirnov).
    distance: float
    tail: float  # share of the users whom it describes
    body: Int64s  # events of the others

    def draw(self, size: int, rng: np.random.Generator) -> Int64s:
        """Events of `size` users: from the law in its range, as observed below it."""
        sizes = np.empty(size, dtype=np.int64)
        is_tail = rng.random(size) < self.tail
        pareto = (self.start - 0.5) * rng.random(int(is_tail.sum())) ** (-1 / (self.exponent - 1))
        sizes[is_tail] = np.minimum(np.floor(pareto + 0.5), 1e12).astype(np.int64)
        if len(self.body):
            sizes[~is_tail] = self.body[rng.integers(len(self.body), size=int((~is_tail).sum()))]
        return sizes


def fit_power_law(events: Int64s) -> PowerLaw:
    """Fit by maximum likelihood from the start at which the law is closest; O(n log n).

    The method is that of Clauset, Shalizi and Newman (SIAM Review 51, 2009), with their continuous
    approximation for whole numbers, over 24 starts that leave it a tenth of the users at least: a
    law of the last few would explain nothing.
    """
    ordered = np.sort(events)
    best = PowerLaw(2.0, 1, 1.0, 1.0, ordered[:0])
    if not len(ordered):
        return best
    top = int(ordered[int(0.9 * (len(ordered) - 1))])
    for start in np.unique(np.geomspace(1, max(top, 1), 24).astype(np.int64)).tolist():
        first = int(np.searchsorted(ordered, start))
        tail = ordered[first:]
        logs = float(np.log(tail / (start - 0.5)).sum())
        exponent = 1 + len(tail) / logs
        values, counts = np.unique(tail, return_counts=True)
        cumulative = np.cumsum(counts) / len(tail)
        law = 1 - ((values + 0.5) / (start - 0.5)) ** (1 - exponent)
        distance = float(np.abs(cumulative - law).max())
        if distance < best.distance:
            share = len(tail) / len(ordered)
            best = PowerLaw(exponent, start, distance, share, ordered[:first])
    return best


LEVELS = tuple(tenths / 10 for tenths in range(1, 10))
"""The shares f of the source's Table 6."""
_BLOCK = 1 << 18
_DRAWN = 1 << 22
"""Events or fibers dealt in all for a figure of chance, at least one round of them."""


def at_levels(shares: Float64s) -> Int64s:
    """How many of `shares` reach each of `LEVELS`; a hair is allowed for rounding."""
    return np.asarray([np.count_nonzero(reaches_level(shares, f)) for f in LEVELS], dtype=np.int64)


def reaches_level(shares: Float64s, level: float) -> Bools:
    """Which shares are `level` or more; 1/10 of 10 counts as 0.1 however that is stored."""
    return shares >= level - 1e-12


def mean_reached(shares: Float64s, level: float) -> float:
    """The share of bundles whose most active user holds `level` or more; 0 without bundles."""
    return mean_of(reaches_level(shares, level))


@dataclass(frozen=True, eq=False, kw_only=True)
class DominanceByChance:
    """Shares of the most active user in large bundles that are made by chance."""

    even: Float64s  # each event given to one of its bundle's users, as guessing an owner gives
    dealt: Float64s  # users dealt into bundles of as many: neighbourhood plays no part
    lawful: Float64s  # dealt, with events drawn from the fitted power law


def by_chance(
    crowd: BundledLog, law: PowerLaw, rng: np.random.Generator, progress: Progress
) -> DominanceByChance:
    """Draw each kind of chance several times, fewer for larger logs; O(n) a round."""
    fibers = len(crowd.fiber_queries)
    progress.stage("bundles by chance")
    rounds, fiber_rounds = (
        int(np.clip(_DRAWN // max(size, 1), 1, 20)) for size in (len(crowd.row), fibers)
    )
    even = [_even_shares(crowd, rng, progress) for _ in range(rounds)]
    dealt: list[Float64s] = []
    lawful: list[Float64s] = []
    for _ in range(fiber_rounds):
        for shares, draw in (
            (dealt, lambda: rng.permutation(crowd.fiber_queries)),
            (lawful, lambda: law.draw(fibers, rng)),
        ):
            work = partial(lambda draw: _largest_shares(crowd, draw()), draw)
            shares.append(run_cancellable(work, progress))
    return DominanceByChance(
        even=np.concatenate(even), dealt=np.concatenate(dealt), lawful=np.concatenate(lawful)
    )


def _even_shares(crowd: BundledLog, rng: np.random.Generator, progress: Progress) -> Float64s:
    """The largest shares if each event of a bundle were one of its users' at random."""
    first = np.concatenate(([0], np.cumsum(crowd.users)))[:-1]
    counts = np.zeros(len(crowd.fiber_queries), dtype=np.int64)
    ends = np.cumsum(crowd.queries)
    total = int(ends[-1]) if len(ends) else 0
    for start in range(0, total, _BLOCK):
        progress.check()
        events = np.arange(start, min(start + _BLOCK, total))
        bundle = np.searchsorted(ends, events, side="right")
        drawn_user = first[bundle] + (rng.random(len(events)) * crowd.users[bundle]).astype(
            np.int64
        )
        low = int(drawn_user.min())
        event_counts = np.bincount(drawn_user - low)
        counts[low : low + len(event_counts)] += event_counts
    return _largest_shares(crowd, counts)


def _largest_shares(crowd: BundledLog, queries: Int64s) -> Float64s:
    """The largest shares if the fibers held these `queries`, over bundles that are then large."""
    total = np.bincount(crowd.fiber_bundle, queries, minlength=len(crowd.users))
    largest = np.zeros(len(crowd.users), dtype=np.int64)
    np.maximum.at(largest, crowd.fiber_bundle, queries)
    large = total >= crowd.min_queries
    return np.asarray(largest[large] / total[large], dtype=np.float64)


def rank_sizes(crowd: BundledLog) -> tuple[Int64s, Float64s]:
    """Ranks that half of the large bundles have, and the mean events of users of that rank."""
    is_large = crowd.large[crowd.fiber_bundle]
    bundle, queries = crowd.fiber_bundle[is_large], crowd.fiber_queries[is_large]
    if not len(bundle):
        return np.zeros(0, dtype=np.int64), np.zeros(0)
    order = np.lexsort((-queries, bundle))
    bundle, queries = bundle[order], queries[order]
    begins = np.searchsorted(bundle, bundle)
    rank = np.arange(len(bundle)) - begins
    have = np.bincount(rank)
    total = np.bincount(rank, queries)
    ranked = np.flatnonzero(2 * have >= have[0])
    return ranked + 1, total[ranked] / have[ranked]


def fit_slope(rank: Int64s, size: Float64s) -> tuple[float, float]:
    """(exponent, size at rank 1) of size ∝ rank^exponent, by least squares on both logarithms.

    Ranks are taken so that they stand evenly on the logarithmic axis.
    """
    if len(rank) < 3:
        return float("nan"), float("nan")
    ranks = np.unique(np.geomspace(1, len(rank), 20).round().astype(np.int64)) - 1
    exponent, level = np.polyfit(np.log(rank[ranks]), np.log(size[ranks]), 1)
    return float(exponent), float(np.exp(level))


@dataclass(frozen=True, eq=False)
class LocatedQueries:
    """The place, by postal code, of each distinct query, −1 where it names none surely enough.

    `matches` is what the gazetteer found, sure or not.
    """

    place: Int32s
    matches: PlaceMatches


def locate_queries(queries: Vocabulary, confidence: float, progress: Progress) -> LocatedQueries:
    """Postal codes of queries whose place is at least so sure; states have none. O(bytes).

    As in the source a place is a postal code: a city's queries count for the code at its middle,
    unless they name another.
    """
    matches = classify_places(queries, progress)
    place = np.where(matches.is_sure(confidence), matches.zip, np.int32(NONE)).astype(np.int32)
    return LocatedQueries(place, matches)


@dataclass(frozen=True, eq=False, kw_only=True)
class PlaceQueries:
    """Who searched for which place: pairs of a large `bundle` and a `place` searched for in it."""

    bundle: Int64s
    place: Int64s
    # The fiber that alone searched for the place of a pair, −1 where several did.
    only_fiber: Int64s
    fiber_places: Int64s  # how many places each fiber searched for
    fiber_own: Int64s  # those of them that nobody else of the bundle did

    @property
    def alone(self) -> int:
        """Pairs of a bundle and a place that one user alone asked for."""
        return int(np.count_nonzero(self.only_fiber >= 0))


class PlaceQueryCounts(NamedTuple):
    """Events of large bundles that search for a place, by bundle: whose, where, which, position."""

    fiber: Int64s
    bundle: Int64s
    place: Int64s
    event: Int64s


def find_place_queries(crowd: BundledLog, places: LocatedQueries) -> PlaceQueryCounts:
    """Events of large bundles that ask for a place; O(n)."""
    place = places.place[crowd.query].astype(np.int64)
    event = np.flatnonzero((place >= 0) & crowd.large[crowd.bundle])
    bundle = crowd.bundle[event].astype(np.int64)
    return PlaceQueryCounts(crowd.fiber[event], bundle, place[event], event)


def count_place_users(events: PlaceQueryCounts, crowd: BundledLog) -> PlaceQueries:
    """Count who asked for which place; O(m log m)."""
    width = np.int64(int(events.place.max(initial=0)) + 1)
    once = sorted_distinct(events.fiber * width + events.place)
    fiber, place = once // width, once % width
    order = np.argsort(crowd.fiber_bundle[fiber] * width + place, kind="stable")
    fiber, place = fiber[order], place[order]
    key = crowd.fiber_bundle[fiber] * width + place
    begins = np.flatnonzero(np.diff(key, prepend=-1))
    pair, users = key[begins], np.diff(np.append(begins, len(key)))
    only_fiber = np.where(users == 1, fiber[begins], -1)
    fibers = len(crowd.fiber_user)
    return PlaceQueries(
        bundle=pair // width,
        place=pair % width,
        only_fiber=only_fiber,
        fiber_places=np.bincount(fiber, minlength=fibers).astype(np.int64),
        fiber_own=np.bincount(only_fiber[only_fiber >= 0], minlength=fibers).astype(np.int64),
    )


def shuffle_places(events: PlaceQueryCounts, rng: np.random.Generator) -> PlaceQueryCounts:
    """The same with the places of each bundle handed to its users at random."""
    order = np.lexsort((rng.random(len(events.place)), events.bundle))
    return events._replace(place=events.place[order])


class PlaceCounts(NamedTuple):
    """The figures of the source's table of places; means are over large bundles."""

    bundles: float
    users: float
    heavy: float
    places: float
    alone: float
    heavy_one: float
    heavy_own: float

    @classmethod
    def of(cls, crowd: BundledLog, pairs: PlaceQueries) -> PlaceCounts:
        """Count over the large bundles of `crowd`."""
        heavy = crowd.heavy
        single = heavy & (pairs.fiber_places == 1)
        per = 1 / max(int(crowd.large.sum()), 1)
        return cls(
            bundles=int(crowd.large.sum()),
            users=float(crowd.users[crowd.large].sum()) * per,
            heavy=float(heavy.sum()) * per,
            places=len(pairs.place) * per,
            alone=pairs.alone * per,
            heavy_one=float(single.sum()) * per,
            heavy_own=float((single & (pairs.fiber_own == 1)).sum()) * per,
        )


catalogue = MetricCatalogue("attacks", "structural")

LISTED = 1_000
"""Users in the table of those who dominate."""


class StructuralCounts(NamedTuple):
    """One way to bundle the log, and what its places tell."""

    crowd: BundledLog
    places: PlaceCounts


@dataclass(frozen=True, eq=False, kw_only=True)
class BundleStructure:
    """All that was found: first of `variants` is what is attacked, the rest is for comparison."""

    variants: tuple[StructuralCounts, ...]
    places: LocatedQueries
    place_events: PlaceQueryCounts
    place_users: PlaceQueries
    chance: DominanceByChance
    places_by_chance: PlaceCounts
    law: PowerLaw

    @property
    def crowd(self) -> BundledLog:
        """The bundles that are attacked."""
        return self.variants[0].crowd

    @property
    def outside(self) -> tuple[int, int]:
        """Users who are in bundles alone that are too small to judge, and all users."""
        return self.crowd.count_outside(self.crowd.large | self.crowd.lone)

    def asked_alone(self) -> tuple[Int64s, Int64s]:
        """Events whose place nobody else of the bundle asks for, ascending, and their fibers."""
        place_users, events = self.place_users, self.place_events
        if not len(place_users.place):
            return events.event[:0], events.fiber[:0]
        width = np.int64(max(int(place_users.place.max()), int(events.place.max())) + 1)
        key = place_users.bundle * width + place_users.place
        pair = np.searchsorted(key, events.bundle * width + events.place)
        own_pairs = np.flatnonzero(place_users.only_fiber[pair] >= 0)
        return events.event[own_pairs], events.fiber[own_pairs]


def build_dominance_tables(result: BundleStructure) -> Iterator[Table]:
    """The source's Table 6, and the share that chance alone explains.

    The bundles that are attacked come first, then the source's masks.
    """
    levels = [phrase("{level:.0f} % or more", level=100 * level) for level in LEVELS]

    def compute_percents(shares: Float64s) -> list[float]:
        return [_compute_percent(hits, len(shares)) for hits in at_levels(shares).tolist()]

    shares = [variant.crowd.shares for variant in result.variants]
    columns = [[len(bundle_shares), *compute_percents(bundle_shares)] for bundle_shares in shares]
    yield catalogue.table(
        "dominated",
        [list(row) for row in zip(["bundles examined", *levels], *columns, strict=True)],
        columns=(
            "The user's share of the queries",
            *(f"{variant.crowd.label}, %" for variant in result.variants),
        ),
        row_units=("", *[PERCENT] * len(LEVELS)),
        who={i: _list_leading_users(counts, True) for i, counts in enumerate(result.variants, 1)},
    )
    chance = result.chance
    shares = [result.crowd.shares, chance.even, chance.dealt, chance.lawful]
    yield catalogue.table(
        "dominated-by-chance",
        [list(row) for row in zip(levels, *map(compute_percents, shares), strict=True)],
        units=("", *[PERCENT] * len(shares)),
        label=as_phrase(result.crowd.label),
    )


def _list_leading_users(variant: StructuralCounts, all_first: bool) -> UserReference:
    """The users who hold each share of a large bundle; with `all_first` everybody's line first."""
    crowd = variant.crowd
    large = np.flatnonzero(crowd.large[crowd.fiber_bundle])
    shares = crowd.held_shares[large]
    bits = np.ones(len(large), dtype=np.uint16)
    for place, level in enumerate(LEVELS, 1):
        bits |= reaches_level(shares, level).astype(np.uint16) << place
    masks = [1 << place for place in range(0 if all_first else 1, len(LEVELS) + 1)]
    return UserReference.from_masks("users", crowd.fiber_user[large].astype(np.int32), bits, masks)


def _compute_percent(part: float, total: float) -> float:
    return round(100 * share_of(part, total), 4)


def places_table(result: BundleStructure) -> Table:
    """The source's table of places, its figures in the same order."""
    variants = [(variant.crowd.label, variant.places) for variant in result.variants]
    variants.insert(1, ("places shuffled", result.places_by_chance))
    lines = (
        ("bundles", lambda c: int(c.bundles)),
        ("users in a bundle", lambda c: round(c.users, 3)),
        ("heavy users in a bundle", lambda c: round(c.heavy, 3)),
        ("places in a bundle", lambda c: round(c.places, 3)),
        ("places of one user", lambda c: round(c.alone, 3)),
        ("of the places, %", lambda c: _compute_percent(c.alone, c.places)),
        ("heavy users with one place", lambda c: round(c.heavy_one, 4)),
        ("of the heavy users, %", lambda c: _compute_percent(c.heavy_one, c.heavy)),
        ("heavy users with one place, only theirs", lambda c: round(c.heavy_own, 5)),
        ("of the heavy users, % ", lambda c: _compute_percent(c.heavy_own, c.heavy)),
    )
    return catalogue.table(
        "places",
        [[name, *(figure(counts) for _, counts in variants)] for name, figure in lines],
        columns=("Mean of a bundle", *(label for label, _ in variants)),
        row_units=tuple(PERCENT if "%" in name else "" for name, _ in lines),
    )


def users_table(log: QueryLog, result: BundleStructure) -> Table:
    """Those who hold the largest share of a large bundle."""
    crowd, shares = result.crowd, result.crowd.held_shares
    large = np.flatnonzero(crowd.large[crowd.fiber_bundle])
    fibers = large[np.lexsort((-crowd.fiber_queries[large], -shares[large]))][:LISTED]
    own_places = _own_places(log, result, fibers)
    rows = [
        [
            log.users[int(crowd.fiber_user[fiber])],
            int(crowd.fiber_queries[fiber]),
            int(crowd.queries[crowd.fiber_bundle[fiber]]),
            int(crowd.users[crowd.fiber_bundle[fiber]]),
            round(float(shares[fiber]), 4),
            own_places.get(fiber, ""),
        ]
        for fiber in fibers.tolist()
    ]
    return catalogue.table(
        "dominant-users",
        rows,
        who={-1: UserReference.from_list("users", crowd.fiber_user[fibers].astype(np.int32))},
    )


def _own_places(log: QueryLog, result: BundleStructure, fibers: Int64s) -> dict[int, str]:
    """Up to three places that each of some fibers alone asked for, in words."""
    event, fiber = result.asked_alone()
    is_listed, places = np.isin(fiber, fibers), result.places
    names: dict[int, list[str]] = {}
    for position, fiber_number in zip(
        event[is_listed].tolist(), fiber[is_listed].tolist(), strict=True
    ):
        listed = names.setdefault(fiber_number, [])
        if len(listed) < 3:
            query = int(log.query[result.crowd.row[position]])
            place = places.matches.label(int(places.matches.place[query]))
            name = f"{place} {places.place[query]:05d}"  # "bend, or 97701"
            if name not in listed:
                listed.append(name)
    return {fiber: "; ".join(listed) for fiber, listed in names.items()}


def by_share(result: BundleStructure) -> Figure:
    """Table 6 as curves, with what chance gives."""
    levels = np.asarray(LEVELS)
    series = []
    for number, variant in enumerate(result.variants):
        count = len(variant.crowd.shares)
        hits = at_levels(variant.crowd.shares)
        bounds = [wilson_interval(int(hit), count) for hit in hits]
        series.append(
            Series(
                variant.crowd.label,
                levels,
                hits / max(count, 1),
                low=None if number else np.asarray([low for low, _ in bounds]),
                high=None if number else np.asarray([high for _, high in bounds]),
                who=_list_leading_users(variant, False),
            )
        )
    for name, shares in (
        ("queries attributed at random", result.chance.even),
        ("random bundles of users", result.chance.dealt),
        ("drawn from the power law", result.chance.lawful),
    ):
        series.append(Series(name, levels, at_levels(shares) / max(len(shares), 1), "points"))
    return catalogue.figure("dominated-bundles", series)


def by_rank(result: BundleStructure) -> Figure:
    """Queries of the first, second, … user of a bundle, on logarithmic axes, and their slope."""
    series = []
    for variant in result.variants:
        rank, size = rank_sizes(variant.crowd)
        exponent, level = fit_slope(rank, size)
        if not len(rank):
            continue
        label = variant.crowd.label
        if exponent < 0:
            label = catalogue.say("slope", label=as_phrase(label), exponent=exponent)
        series.append(Series(label, rank.astype(np.float64), size))
        if variant is result.variants[0] and np.isfinite(exponent):
            ends = np.asarray([1.0, float(rank[-1])])
            series.append(Series("fitted power law", ends, level * ends**exponent))
    return catalogue.figure("rank-size", series)


def build_details(result: BundleStructure) -> dict[str, Any]:
    """Figures for scripts: the tables by name, the fitted law, and how rows were matched."""
    return {
        "by": result.crowd.by,
        "released": result.crowd.released,
        "levels": list(LEVELS),
        "dominated": {v.crowd.label: at_levels(v.crowd.shares).tolist() for v in result.variants},
        "bundles": {v.crowd.label: len(v.crowd.shares) for v in result.variants},
        "law": {
            name: getattr(result.law, name) for name in ("exponent", "start", "tail", "distance")
        },
        "ambiguous": result.crowd.ambiguous,
        "guessed": result.crowd.guessed,
        "lost": result.crowd.lost,
    }


def build_metrics(result: BundleStructure, level: float) -> Iterator[MetricValue]:
    """Who dominates bundles at `level`, whose places are their own, and the law of activity."""
    crowd, shares = result.crowd, result.crowd.held_shares
    large = crowd.large[crowd.fiber_bundle]
    is_dominant = large & reaches_level(shares, level)
    users = len(sorted_distinct(crowd.fiber_user[large]))
    leading = len(sorted_distinct(crowd.fiber_user[is_dominant]))
    yield describe_share(
        catalogue, "dominant_users", leading, users, users=users, leading=leading, level=100 * level
    )
    is_dominated = np.zeros(len(crowd.queries), dtype=np.bool_)
    is_dominated[crowd.fiber_bundle[is_dominant]] = True
    total = int(crowd.queries[is_dominated].sum())
    if total:
        right = int(crowd.largest[is_dominated].sum())
        guess = float((crowd.queries[is_dominated] / crowd.users[is_dominated]).sum()) / total
        yield describe_share(catalogue, "dominant_right", right, total, guess=100 * guess)
    if len(crowd.shares):
        hits = int(reaches_level(crowd.shares, 0.9).sum())
        interval = wilson_interval(hits, len(crowd.shares))
        yield catalogue("bundles_at_90", mean_reached(crowd.shares, 0.9), interval=interval)

    place_users, chance = result.place_users, result.places_by_chance
    pairs = len(place_users.place)
    if pairs:
        share = 100 * share_of(chance.alone, chance.places)
        yield describe_share(catalogue, "own_places", place_users.alone, pairs, share_of=share)
    heavy = crowd.heavy
    heavy_count = int(heavy.sum())
    one_place = heavy & (place_users.fiber_places == 1)
    own_place = one_place & (place_users.fiber_own == 1)
    if heavy_count:
        for name, flags, by_chance in (
            ("heavy_one_place", one_place, chance.heavy_one),
            ("heavy_own_place", own_place, chance.heavy_own),
        ):
            share = 100 * share_of(by_chance, chance.heavy)
            yield describe_share(catalogue, name, int(flags.sum()), heavy_count, share_of=share)

    law = result.law
    if law.distance < 1:
        facts: dict[str, Any] = {"start": law.start, "tail": 100 * law.tail}
        exponent, distance = law.exponent, law.distance
        yield catalogue("law_exponent", exponent, exponent=exponent, distance=distance, **facts)


def write_notes(result: BundleStructure) -> tuple[str, ...]:
    crowd = result.crowd
    notes = [
        phrase("The bundles are those of the release, made by {by}.", by=as_phrase(crowd.by))
        if crowd.released
        else catalogue.say("bundled_here", by=as_phrase(crowd.by))
    ]
    small, single = int(np.count_nonzero(~crowd.large & ~crowd.lone)), int(crowd.lone.sum())
    outside, users = result.outside
    if 2 * outside > users:
        notes.append(
            catalogue.say(
                "most_outside", outside=outside, users=users, min_queries=crowd.min_queries
            )
        )
    if single:
        notes.append(catalogue.say("lone_bundles", lone=single, min_queries=crowd.min_queries))
    if small:
        notes.append(
            catalogue.say(
                "small_bundles", few=small, count=crowd.count, min_queries=crowd.min_queries
            )
        )
    if crowd.ambiguous:
        notes.append(
            catalogue.say("ambiguous_events", ambiguous=crowd.ambiguous, guessed=crowd.guessed)
        )
    if crowd.lost:
        notes.append(phrase("{lost:,} events of the log are not in the release.", lost=crowd.lost))
    notes.append(catalogue.say("chance"))
    notes.append(catalogue.say("places"))
    return tuple(notes)


MOST_FINDINGS = 200_000
"""Sessions kept for the flagged-sessions table, the riskiest first."""
REASONS = (
    "issued most queries of their bundle",
    "heavy user with one place that nobody else searches for",
    "searches for a place that nobody else in the bundle does",
    "place that only one user of a bundle searches for",
)
"""What each bit of a finding says; the last one is what marked words are."""


def collect_findings(evidence: Evidence, result: BundleStructure, level: float) -> FlaggedFindings:
    """Sessions of dominant users, and sessions with a place that is one user's own; O(n).

    A session's risk is how often somebody is right who lays its queries to them: always for a query
    that asks for their own place, else as often as queries of the bundle are theirs.
    """
    log, crowd = evidence.log, result.crowd
    bits, chance = _score_events(result, level)
    starts = find_sessions(log)
    session = session_of_rows(starts)[crowd.row]
    count = len(starts) - 1
    reason, risk, ranked, everybody = rank_sessions(starts, session, bits, chance, MOST_FINDINGS)
    own_events = np.flatnonzero(bits & np.uint64(6))
    pairs = sorted_distinct((session[own_events] << 32) | log.query[crowd.row[own_events]])
    survives = standing_verbatim(log.queries, evidence.release)
    flagged = np.bincount(pairs >> 32, minlength=count)
    surviving = np.bincount(pairs >> 32, survives[pairs & 0xFFFFFFFF], minlength=count)
    # The words of places in queries by which somebody searches for a place of their own.
    query = sorted_distinct(log.query[crowd.row[own_events]])
    return FlaggedFindings(
        start=starts[ranked],
        stop=starts[ranked + 1],
        reason=reason[ranked],
        risk=np.clip(risk[ranked], 0.0, 1.0),
        surviving=surviving[ranked].astype(np.int32),
        flagged=flagged[ranked].astype(np.int32),
        reasons=REASONS,
        mark_query=query,
        mark_start=result.places.matches.start[query],
        mark_stop=result.places.matches.stop[query],
        mark_reason=np.full(len(query), 3, dtype=np.uint8),
        survives=survives,
        everybody=everybody,
    )


def _score_events(result: BundleStructure, level: float) -> tuple[UInt64s, Float64s]:
    """The reasons that each event gives, and how surely it is laid to its user."""
    crowd, place_users = result.crowd, result.place_users
    shares = crowd.held_shares
    judged = crowd.large | result.crowd.lone
    is_dominant = judged[crowd.fiber_bundle] & reaches_level(shares, level)
    sole = crowd.heavy & (place_users.fiber_places == 1) & (place_users.fiber_own == 1)
    bits = is_dominant[crowd.fiber].astype(np.uint64)
    chance = np.where(judged[crowd.bundle], shares[crowd.fiber], 0.0)
    event, fiber = result.asked_alone()
    chance[event] = 1.0
    bits[event] |= np.where(sole[fiber], np.uint64(2), np.uint64(4))
    return bits, chance


_CHANCES = 5


@dataclass(frozen=True, kw_only=True)
class StructuralParams(BundleParams, owner="structural"):
    """What bundles are looked at, and what it takes to dominate one."""

    share: float = 0.5
    confidence: float = 0.5


def run(
    evidence: Evidence, params: StructuralParams, *, rng: np.random.Generator, progress: Progress
) -> AttackResult:
    """Count dominated bundles and places of one user's own.

    The rate is the share of bundles that one user dominates, among those that are large enough and
    those of one user alone. The baseline is that share if each query of a bundle were one of its
    users' at random, the control that share if users were put into bundles of as many users at
    random. Where most users are in other bundles only, the rate bounds nothing.
    """
    if reason := bundle_view.why_not(evidence, params):
        raise MissingInput(phrase("structural: {why}.", why=as_phrase(reason)))
    result = measure_structure(evidence, params, rng, progress)
    crowd = result.crowd
    large, lone_bundles = int(crowd.large.sum()), int(crowd.lone.sum())
    trials = large + lone_bundles

    def count_dominated(shares: Float64s) -> float:
        return mean_reached(shares, params.share) * large + lone_bundles

    attack = ATTACK.build_result(
        params,
        round(count_dominated(crowd.shares)),
        trials,
        baseline=share_of(count_dominated(result.chance.even), trials),
        control=share_of(count_dominated(result.chance.dealt), trials),
        rate_label=catalogue.say(
            "rate_with_lone" if lone_bundles else "rate",
            trials=trials,
            min_queries=params.min_queries,
            share=100 * params.share,
        ),
        values=tuple(build_metrics(result, params.share)),
        figures=(by_share(result), by_rank(result)),
        tables=(
            *build_dominance_tables(result),
            places_table(result),
            users_table(evidence.log, result),
        ),
        findings=run_cancellable(
            lambda: collect_findings(evidence, result, params.share), progress
        ),
        notes=write_notes(result),
        details=build_details(result),
    )
    outside, users = result.outside
    return attack if 2 * outside <= users else replace(attack, interval=(0.0, 1.0), counts=None)


def measure_structure(
    evidence: Evidence, params: StructuralParams, rng: np.random.Generator, progress: Progress
) -> BundleStructure:
    """Look at the bundles, and where the log has addresses at those of the source's masks."""
    log = evidence.log
    crowd = bundle_view.find_bundles(evidence, params, progress)
    places = locate_queries(log.queries, params.confidence, progress)
    events = find_place_queries(crowd, places)
    place_users = run_cancellable(lambda: count_place_users(events, crowd), progress)

    def count_shuffled() -> PlaceCounts:
        return PlaceCounts.of(crowd, count_place_users(shuffle_places(events, rng), crowd))

    at_random = [run_cancellable(count_shuffled, progress) for _ in range(_CHANCES)]
    law = run_cancellable(lambda: fit_power_law(crowd.fiber_queries), progress)
    variants = [StructuralCounts(crowd, PlaceCounts.of(crowd, place_users))]
    # The source's masks besides the one that is shown, one at a time.
    for bits in bundle_view.MASKS if bundles.has_addresses(log) else ():
        if bits != crowd.bits:
            parts = bundles.by_address(log, bits, progress)
            other = bundle_view.arrange_events(
                log, parts, params.min_queries, "ip-mask", bits, progress
            )
            other_events = find_place_queries(other, places)
            users = run_cancellable(partial(count_place_users, other_events, other), progress)
            variants.append(StructuralCounts(other, PlaceCounts.of(other, users)))
    return BundleStructure(
        variants=tuple(variants),
        places=places,
        place_events=events,
        place_users=place_users,
        chance=by_chance(crowd, law, rng, progress),
        places_by_chance=PlaceCounts(*np.mean(at_random, axis=0).tolist()),
        law=law,
    )


ATTACK = Attack(
    **catalogue.card,
    criterion="singling out",
    params=StructuralParams,
    run=run,
    applies=("bundles",),
    unfit=bundle_view.why_not,
)
