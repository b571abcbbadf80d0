"""Whose places are whose: places that one user of a bundle alone asks for."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from auditor.arrays import Int32s, Int64s
from auditor.attacks.bundle_view import BundledLog
from auditor.attacks.detection.places import PlaceMatches, classify_places
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.model import NONE, Vocabulary
from auditor.progress import Progress


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


@dataclass(frozen=True, eq=False)
class PlaceQueryCounts:
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
    return PlaceQueryCounts(events.fiber, events.bundle, events.place[order], events.event)


@dataclass(frozen=True)
class PlaceCounts:
    """The figures of the source's table of places; means are over large bundles."""

    bundles: int
    users: float
    heavy: float
    places: float
    alone: float
    heavy_one: float
    heavy_own: float

    @classmethod
    def of(cls, crowd: BundledLog, pairs: PlaceQueries) -> PlaceCounts:
        """Count over the large bundles of `crowd`."""
        bundles = int(crowd.large.sum())
        heavy = crowd.heavy
        single = heavy & (pairs.fiber_places == 1)
        per = 1 / max(bundles, 1)
        return cls(
            bundles=bundles,
            users=float(crowd.users[crowd.large].sum()) * per,
            heavy=float(heavy.sum()) * per,
            places=len(pairs.place) * per,
            alone=pairs.alone * per,
            heavy_one=float(single.sum()) * per,
            heavy_own=float((single & (pairs.fiber_own == 1)).sum()) * per,
        )

    @classmethod
    def average_counts(cls, place_counts: Sequence[PlaceCounts]) -> PlaceCounts:
        """The mean of each figure."""
        bundles, *means = np.mean([dataclasses.astuple(c) for c in place_counts], axis=0).tolist()
        return cls(int(bundles), *means)


def count_place_queries(events: PlaceQueryCounts, crowd: BundledLog) -> PlaceCounts:
    """The figures of what was asked."""
    return PlaceCounts.of(crowd, count_place_users(events, crowd))
