"""What the attack on bundles' make-up tells in single figures and in words."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from auditor.attacks.intervals import describe_share, wilson_interval
from auditor.attacks.structural.dominant_users import mean_reached, reaches_level, share_of
from auditor.attacks.structural.report import BundleStructure
from auditor.figures import MetricValue
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.messages import as_phrase, phrase

catalogue = MetricCatalogue("attacks", "structural")


def build_metrics(found: BundleStructure, level: float) -> tuple[MetricValue, ...]:
    return (*_dominance_values(found, level), *_place_values(found), *_law_values(found))


def _dominance_values(found: BundleStructure, level: float) -> Iterator[MetricValue]:
    crowd = found.crowd
    sizes, held = crowd.sizes, crowd.compute_held_shares()
    large = crowd.large[sizes.fiber_bundle]
    over = large & reaches_level(held, level)
    users = len(sorted_distinct(sizes.fiber_user[large]))
    leading = len(sorted_distinct(sizes.fiber_user[over]))
    yield describe_share(
        catalogue, "dominant_users", leading, users, users=users, leading=leading, level=100 * level
    )
    chosen = np.zeros(len(sizes.queries), dtype=np.bool_)
    chosen[sizes.fiber_bundle[over]] = True
    total = int(sizes.queries[chosen].sum())
    if total:
        right = int(sizes.find_largest()[chosen].sum())
        guess = float((sizes.queries[chosen] / sizes.users[chosen]).sum()) / total
        yield describe_share(catalogue, "dominant_right", right, total, guess=100 * guess)
    if len(crowd.shares):
        yield catalogue(
            "bundles_at_90",
            mean_reached(crowd.shares, 0.9),
            interval=wilson_interval(
                int(reaches_level(crowd.shares, 0.9).sum()), len(crowd.shares)
            ),
        )


def _place_values(found: BundleStructure) -> Iterator[MetricValue]:
    whose, crowd = found.whose, found.crowd
    chance = found.places_by_chance
    pairs = len(whose.place)
    if pairs:
        yield describe_share(
            catalogue,
            "own_places",
            whose.alone,
            pairs,
            share_of=100 * share_of(chance.alone, chance.places),
        )
    heavy = crowd.heavy
    many = int(heavy.sum())
    one = heavy & (whose.fiber_places == 1)
    own = one & (whose.fiber_own == 1)
    if many:
        for name, flags, by_chance in (
            ("heavy_one_place", one, chance.heavy_one),
            ("heavy_own_place", own, chance.heavy_own),
        ):
            share = 100 * share_of(by_chance, chance.heavy)
            yield describe_share(catalogue, name, int(flags.sum()), many, share_of=share)


def _law_values(found: BundleStructure) -> Iterator[MetricValue]:
    law = found.law
    if law.distance < 1:
        yield catalogue(
            "law_exponent",
            law.exponent,
            exponent=law.exponent,
            start=law.start,
            tail=100 * law.tail,
            distance=law.distance,
        )


def write_notes(found: BundleStructure) -> tuple[str, ...]:
    view, crowd = found.view, found.crowd
    said = [
        phrase("The bundles are those of the release, made by {by}.", by=as_phrase(view.by))
        if view.released
        else catalogue.say("bundled_here", by=as_phrase(view.by))
    ]
    few = int(np.count_nonzero(~crowd.large))
    if few:
        said.append(
            catalogue.say("small_bundles", few=few, count=view.count, min_queries=view.min_queries)
        )
    if view.ambiguous:
        said.append(
            catalogue.say("ambiguous_events", ambiguous=view.ambiguous, guessed=view.guessed)
        )
    if view.lost:
        said.append(phrase("{lost:,} events of the log are not in the release.", lost=view.lost))
    said.append(catalogue.say("chance"))
    said.append(catalogue.say("places"))
    return tuple(said)
