"""What the attack on bundles' make-up tells: its figures as values, tables and plots."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from auditor.attacks.bundle_view import Bundled
from auditor.attacks.intervals import wilson
from auditor.attacks.structural_counts import (
    LEVELS,
    Chance,
    Crowd,
    at_levels,
    reached,
    slope,
)
from auditor.attacks.structural_counts import (
    by_rank as ranked,
)
from auditor.attacks.structural_law import Law
from auditor.attacks.structural_places import Located
from auditor.attacks.structural_whose import Asked, PlaceCounts, Placed
from auditor.figures import Axis, Figure, Series, Table, Value
from auditor.log.model import QueryLog

Longs = NDArray[np.int64]
Floats = NDArray[np.float64]

LISTED = 1_000
"""Users in the table of those who dominate."""
SOURCE = "Jones et al. 2008, Table 6"


@dataclass(frozen=True, eq=False)
class Seen:
    """One way to bundle the log, and what its places tell."""

    crowd: Crowd
    places: PlaceCounts


@dataclass(frozen=True, eq=False, kw_only=True)
class Structure:
    """All that was found: first of `seen` is what is attacked, the rest is for comparison."""

    seen: tuple[Seen, ...]
    view: Bundled
    places: Located
    asked: Asked
    whose: Placed
    chance: Chance
    places_by_chance: PlaceCounts
    law: Law

    @property
    def crowd(self) -> Crowd:
        """The bundles that are attacked."""
        return self.seen[0].crowd

    def asked_alone(self) -> tuple[Longs, Longs]:
        """Events whose place nobody else of the bundle asks for, ascending, and their fibers."""
        whose, asked = self.whose, self.asked
        if not len(whose.place):
            return asked.event[:0], asked.fiber[:0]
        width = np.int64(max(int(whose.place.max()), int(asked.place.max())) + 1)
        key = whose.bundle * width + whose.place
        pair = np.searchsorted(key, asked.bundle * width + asked.place)
        alone = np.flatnonzero(whose.own[pair] >= 0)
        order = alone[np.argsort(asked.event[alone])]
        return asked.event[order], asked.fiber[order]


def mean_reached(shares: Floats, level: float) -> float:
    """The share of bundles whose most active user holds `level` or more; 0 without bundles."""
    return float(reached(shares, level).mean()) if len(shares) else 0.0


def _share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def values(found: Structure, level: float) -> tuple[Value, ...]:
    return (*_dominance_values(found, level), *_place_values(found), *_law_values(found))


def _dominance_values(found: Structure, level: float) -> Iterator[Value]:
    crowd = found.crowd
    sizes, held = crowd.sizes, crowd.held()
    large = crowd.large[sizes.fiber_bundle]
    over = large & reached(held, level)
    users = len(np.unique(sizes.fiber_user[large]))
    leading = len(np.unique(sizes.fiber_user[over]))
    yield Value(
        "dominant_users",
        "users who dominate a bundle",
        _share(leading, users),
        help=f"Of {users:,} users in bundles that are large enough, {leading:,} asked "
        f"{100 * level:g} % of one or more.",
        better="lower",
        side="privacy",
        interval=wilson(leading, users),
    )
    chosen = np.zeros(len(sizes.queries), dtype=np.bool_)
    chosen[sizes.fiber_bundle[over]] = True
    total = int(sizes.queries[chosen].sum())
    if total:
        right = int(sizes.largest()[chosen].sum())
        guess = float((sizes.queries[chosen] / sizes.users[chosen]).sum()) / total
        yield Value(
            "dominant_right",
            "queries of a dominated bundle that are the dominant user's",
            right / total,
            help="How often somebody is right who takes any query of such a bundle for hers; "
            f"naming one of its users at random is right {100 * guess:.1f} % of the time.",
            better="lower",
            interval=wilson(right, total),
        )
    if len(crowd.shares):
        yield Value(
            "bundles_at_90",
            "bundles of which one user asked nine tenths",
            mean_reached(crowd.shares, 0.9),
            better="lower",
            interval=wilson(int(reached(crowd.shares, 0.9).sum()), len(crowd.shares)),
        )


def _place_values(found: Structure) -> Iterator[Value]:
    whose, crowd = found.whose, found.crowd
    chance = found.places_by_chance
    pairs = len(whose.place)
    if pairs:
        yield Value(
            "own_places",
            "places of a bundle that one user alone asked for",
            whose.alone / pairs,
            help="Whoever knows that somebody of the bundle has to do with such a place knows "
            "which queries are hers. If the places were handed to their askers at random it were "
            f"{100 * _share(chance.alone, chance.places):.1f} %.",
            better="lower",
            side="privacy",
            interval=wilson(whose.alone, pairs),
        )
    heavy = crowd.heavy
    many = int(heavy.sum())
    one = heavy & (whose.fiber_places == 1)
    own = one & (whose.fiber_own == 1)
    if many:
        yield Value(
            "heavy_one_place",
            "heavy users who asked for one place only",
            _share(int(one.sum()), many),
            help="Heavy is who asked at least the mean of her bundle. With the places handed out "
            f"at random it were {100 * _share(chance.heavy_one, chance.heavy):.1f} %.",
            better="lower",
            interval=wilson(int(one.sum()), many),
        )
        yield Value(
            "heavy_own_place",
            "heavy users with one place, theirs alone",
            _share(int(own.sum()), many),
            help="The one place that she asked for is asked for by nobody else of her bundle. At "
            f"random: {100 * _share(chance.heavy_own, chance.heavy):.1f} %.",
            better="lower",
            interval=wilson(int(own.sum()), many),
        )


def _law_values(found: Structure) -> Iterator[Value]:
    law = found.law
    if law.distance < 1:
        yield Value(
            "law_exponent",
            "exponent of the law of queries per user",
            law.exponent,
            help=f"p(x) falls as x to the power of −{law.exponent:.2f} from {law.start:,} queries "
            f"on, which {100 * law.tail:.0f} % of users reach; the distribution functions differ "
            f"by at most {law.distance:.3f}.",
        )


def notes(found: Structure) -> tuple[str, ...]:
    view, crowd = found.view, found.crowd
    said = [
        f"The bundles are those of the release, made by {view.by}."
        if view.released
        else f"No release by bundling is at hand: the log is bundled by {view.by} to say what "
        "that would give away."
    ]
    few = int(np.count_nonzero(~crowd.large))
    if few:
        said.append(
            f"{few:,} of {view.count:,} bundles hold fewer than {view.min_queries:,} queries and "
            "are left out, as in the source; one user's share of a small bundle is larger still."
        )
    if view.ambiguous:
        said.append(
            f"{view.ambiguous:,} events stand in several bundles with the same query and second; "
            f"other events of the same address, cookie or user told all but {view.guessed:,}."
        )
    if view.lost:
        said.append(f"{view.lost:,} events of the log are not in the release.")
    said.append(
        "By chance: each query of a bundle given to one of its users at random (guessing), and "
        "users put into bundles of as many users at random (control). Where the control is as "
        "high as the rate, no better way to put users together helps; only larger bundles do."
    )
    said.append(
        "A place is a postal code that a gazetteer tells from a query's words; all that a query "
        "says of a city counts for the code at its middle. It counts once for a bundle, however "
        "often it was asked for."
    )
    return tuple(said)


def dominance_table(found: Structure) -> Table:
    """The source's Table 6, the bundles that are attacked first, then the source's masks."""
    columns = [[len(seen.crowd.shares), *_percents(seen.crowd.shares)] for seen in found.seen]
    first = ["bundles looked at", *(_level(level) for level in LEVELS)]
    return Table(
        "dominated",
        "Bundles in which one user asked at least a share of the queries",
        ("Her share of the queries", *(f"{seen.crowd.label}, %" for seen in found.seen)),
        [list(row) for row in zip(first, *columns, strict=True)],
        source=SOURCE,
    )


def chance_table(found: Structure) -> Table:
    """What of it chance explains."""
    columns = [
        _percents(shares)
        for shares in (
            found.crowd.shares,
            found.chance.even,
            found.chance.dealt,
            found.chance.lawful,
        )
    ]
    first = [_level(level) for level in LEVELS]
    return Table(
        "dominated-by-chance",
        f"What chance gives: {found.crowd.label}",
        (
            "Her share of the queries",
            "found, %",
            "each query given to a user at random, %",
            "users put together at random, %",
            "users drawn from the power law, %",
        ),
        [list(row) for row in zip(first, *columns, strict=True)],
    )


def _level(level: float) -> str:
    return f"{100 * level:.0f} % or more"


def _percents(shares: Floats) -> list[float]:
    return [_percent(hits, len(shares)) for hits in at_levels(shares).tolist()]


def _percent(part: float, whole: float) -> float:
    return round(100 * _share(part, whole), 4)


def places_table(found: Structure) -> Table:
    """The source's table of places, its figures in the same order."""
    shown = [(seen.crowd.label, seen.places) for seen in found.seen]
    shown.insert(1, ("places handed out at random", found.places_by_chance))
    lines = (
        ("bundles", lambda c: c.bundles),
        ("users in a bundle", lambda c: round(c.users, 3)),
        ("heavy users in a bundle", lambda c: round(c.heavy, 3)),
        ("places in a bundle", lambda c: round(c.places, 3)),
        ("places of one user", lambda c: round(c.alone, 3)),
        ("of the places, %", lambda c: _percent(c.alone, c.places)),
        ("heavy users with one place", lambda c: round(c.heavy_one, 4)),
        ("of the heavy users, %", lambda c: _percent(c.heavy_one, c.heavy)),
        ("heavy users with one place, theirs alone", lambda c: round(c.heavy_own, 5)),
        ("of the heavy users, % ", lambda c: _percent(c.heavy_own, c.heavy)),
    )
    return Table(
        "places",
        "Places in bundles, and whose they are",
        ("Mean of a bundle", *(label for label, _ in shown)),
        [[name, *(figure(counts) for _, counts in shown)] for name, figure in lines],
        source="Jones et al. 2008, section 5",
    )


def users_table(log: QueryLog, found: Structure) -> Table:
    """Those who hold the largest share of a large bundle."""
    crowd = found.crowd
    sizes, held = crowd.sizes, crowd.held()
    there = np.flatnonzero(crowd.large[sizes.fiber_bundle])
    most = there[np.lexsort((-sizes.fiber_queries[there], -held[there]))][:LISTED]
    own = _own_places(log, found, most)
    rows = [
        [
            log.users[int(sizes.fiber_user[fiber])],
            int(sizes.fiber_queries[fiber]),
            int(sizes.queries[sizes.fiber_bundle[fiber]]),
            int(sizes.users[sizes.fiber_bundle[fiber]]),
            round(float(held[fiber]), 4),
            own.get(fiber, ""),
        ]
        for fiber in most.tolist()
    ]
    return Table(
        "dominant-users",
        "The users who hold most of their bundle",
        (
            "User",
            "Her queries there",
            "Queries of the bundle",
            "Users of the bundle",
            "Her share",
            "Places of hers alone",
        ),
        rows,
        private=True,
    )


def _own_places(log: QueryLog, found: Structure, fibers: Longs) -> dict[int, str]:
    """Up to three places that each of some fibers alone asked for, in words."""
    event, fiber = found.asked_alone()
    some = np.isin(fiber, fibers)
    names: dict[int, list[str]] = {}
    for at, whose in zip(event[some].tolist(), fiber[some].tolist(), strict=True):
        listed = names.setdefault(whose, [])
        if len(listed) < 3:
            name = found.places.named(int(log.query[found.crowd.row[at]]))
            if name not in listed:
                listed.append(name)
    return {fiber: "; ".join(listed) for fiber, listed in names.items()}


def by_share(found: Structure) -> Figure:
    """Table 6 as curves, with what chance gives."""
    levels = np.asarray(LEVELS)
    series = []
    for number, seen in enumerate(found.seen):
        count = len(seen.crowd.shares)
        hits = at_levels(seen.crowd.shares)
        bounds = [wilson(int(hit), count) for hit in hits]
        series.append(
            Series(
                seen.crowd.label,
                levels,
                hits / max(count, 1),
                low=None if number else np.asarray([low for low, _ in bounds]),
                high=None if number else np.asarray([high for _, high in bounds]),
            )
        )
    for name, shares in (
        ("queries given at random", found.chance.even),
        ("users put together at random", found.chance.dealt),
        ("drawn from the power law", found.chance.lawful),
    ):
        series.append(Series(name, levels, at_levels(shares) / max(len(shares), 1), "points"))
    return Figure(
        "dominated-bundles",
        "Bundles that one user dominates",
        Axis("share of the bundle's queries that she asked"),
        Axis("share of bundles"),
        tuple(series),
        source=SOURCE,
    )


def by_rank(found: Structure) -> Figure:
    """Queries of the first, second, … user of a bundle, on logarithmic axes, and their slope."""
    series = []
    for seen in found.seen:
        rank, size = ranked(seen.crowd)
        exponent, level = slope(rank, size)
        if not len(rank):
            continue
        told = f"{seen.crowd.label} (slope {exponent:.2f})" if exponent < 0 else seen.crowd.label
        series.append(Series(told, rank.astype(np.float64), size))
        if seen is found.seen[0] and np.isfinite(exponent):
            ends = np.asarray([1.0, float(rank[-1])])
            series.append(Series("fitted power law", ends, level * ends**exponent))
    return Figure(
        "rank-size",
        "How unevenly the users of a bundle ask",
        Axis("user of a bundle, the most active first", scale="log"),
        Axis("queries, mean of bundles", scale="log"),
        tuple(series),
        note="A straight line is a power law. The steeper it falls, the more of a bundle its first "
        "users hold, whoever is put together.",
        source="Jones et al. 2008, section 5",
    )


def details(found: Structure) -> dict[str, Any]:
    """Figures for scripts: the tables by name, the fitted law, and how rows were matched."""
    return {
        "by": found.view.by,
        "released": found.view.released,
        "levels": list(LEVELS),
        "dominated": {
            seen.crowd.label: at_levels(seen.crowd.shares).tolist() for seen in found.seen
        },
        "bundles": {seen.crowd.label: len(seen.crowd.shares) for seen in found.seen},
        "law": {
            "exponent": found.law.exponent,
            "start": found.law.start,
            "tail": found.law.tail,
            "distance": found.law.distance,
        },
        "ambiguous": found.view.ambiguous,
        "guessed": found.view.guessed,
        "lost": found.view.lost,
    }
