"""What the attack on bundles' make-up tells: its figures as values, tables and plots."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from auditor.arrays import Float64s, Int64s, UInt64s, share_of
from auditor.attacks.base import Evidence, FlaggedFindings
from auditor.attacks.bundle_view import BundledLog
from auditor.attacks.intervals import describe_share, wilson_interval
from auditor.attacks.risk.exposed_sessions import rank_sessions
from auditor.attacks.risk.session_scoring import standing_verbatim
from auditor.attacks.structural.dominant_users import (
    LEVELS,
    DominanceByChance,
    PowerLaw,
    at_levels,
    fit_slope,
    mean_reached,
    reaches_level,
)
from auditor.attacks.structural.dominant_users import by_rank as ranked
from auditor.attacks.structural.unique_places import (
    LocatedQueries,
    PlaceCounts,
    PlaceQueries,
    PlaceQueryCounts,
)
from auditor.figures import PERCENT, Figure, MetricValue, Series, Table, UserReference
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import QueryLog
from auditor.log.sessions import find_sessions, session_of_rows
from auditor.messages import as_phrase, phrase
from auditor.progress import Progress, run_cancellable

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


def dominance_table(result: BundleStructure) -> Table:
    """The source's Table 6, the bundles that are attacked first, then the source's masks."""
    shares = [variant.crowd.shares for variant in result.variants]
    columns = [[len(bundle_shares), *_compute_percents(bundle_shares)] for bundle_shares in shares]
    first = ["bundles examined", *(_format_level(level) for level in LEVELS)]
    return catalogue.table(
        "dominated",
        [list(row) for row in zip(first, *columns, strict=True)],
        columns=(
            "The user's share of the queries",
            *(f"{variant.crowd.label}, %" for variant in result.variants),
        ),
        row_units=("", *[PERCENT] * len(LEVELS)),
        who={i: _list_leading_users(counts, True) for i, counts in enumerate(result.variants, 1)},
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


def chance_table(result: BundleStructure) -> Table:
    """The share that chance alone explains."""
    chance = result.chance
    shares = (result.crowd.shares, chance.even, chance.dealt, chance.lawful)
    columns = [_compute_percents(bundle_shares) for bundle_shares in shares]
    first = [_format_level(level) for level in LEVELS]
    return catalogue.table(
        "dominated-by-chance",
        [list(row) for row in zip(first, *columns, strict=True)],
        units=("", *[PERCENT] * len(columns)),
        label=as_phrase(result.crowd.label),
    )


def _format_level(level: float) -> str:
    return phrase("{level:.0f} % or more", level=100 * level)


def _compute_percents(shares: Float64s) -> list[float]:
    return [_compute_percent(hits, len(shares)) for hits in at_levels(shares).tolist()]


def _compute_percent(part: float, total: float) -> float:
    return round(100 * share_of(part, total), 4)


def places_table(result: BundleStructure) -> Table:
    """The source's table of places, its figures in the same order."""
    variants = [(variant.crowd.label, variant.places) for variant in result.variants]
    variants.insert(1, ("places shuffled", result.places_by_chance))
    lines = (
        ("bundles", lambda c: c.bundles),
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
        rank, size = ranked(variant.crowd)
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


def collect_findings(
    evidence: Evidence, result: BundleStructure, level: float, progress: Progress
) -> FlaggedFindings:
    """Sessions of dominant users, and sessions with a place that is one user's own; O(n).

    A session's risk is how often somebody is right who lays its queries to them: always for a query
    that asks for their own place, else as often as queries of the bundle are theirs.
    """
    bits, chance = _score_events(result, level)
    return run_cancellable(lambda: _gather_sessions(evidence, result, bits, chance), progress)


def _gather_sessions(
    evidence: Evidence, result: BundleStructure, bits: UInt64s, chance: Float64s
) -> FlaggedFindings:
    """The sessions of events with a reason, the riskiest first."""
    log, crowd = evidence.log, result.crowd
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
