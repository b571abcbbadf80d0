"""How large bundles are: the source's Tables 1 and 2 for a release by bundling.

Source: Jones, Kumar, Pang and Tomkins, CIKM 2008, section 3. Who is in a bundle is known by its
rows, which are those of the log. O(n) for n rows, and O(m log m) for a query's m rows.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from auditor.arrays import Bools, mean_of
from auditor.figures import Figure, Series
from auditor.log import bundles
from auditor.log.bundles import BundlePartition, BundleSizes
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import QueryLog
from auditor.measures.base import Measure, MeasureContext, MeasureResult
from auditor.messages import as_phrase, phrase
from auditor.params import Params
from auditor.privacy.bundle_matching import (
    METHOD,
    MatchedBundles,
    bundling_description,
    match_bundles,
)
from auditor.privacy.release import Anonymized
from auditor.progress import Progress

catalogue = MetricCatalogue("measures", "bundle_sizes")

MASKS = (8, 12, 16)
"""Address bits of the source's Table 2."""


@dataclass(frozen=True, kw_only=True)
class BundlesParams(Params, owner="bundles"):
    """Which bundles count."""

    min_queries: int = 100


def run(
    log: QueryLog, release: Anonymized, params: BundlesParams, context: MeasureContext
) -> MeasureResult:
    """Count the bundles of a release, and what bundles by the source's masks would hold."""
    progress = context.progress
    by, bits = bundling_description(log, release)
    match = match_bundles(log, release, progress)
    sizes = _count_sizes(log, match, progress)
    least = params.min_queries
    large = sizes.queries >= least
    masks = {}
    if bundles.has_addresses(log):
        for width in sorted({*MASKS, *((bits,) if bits is not None else ())}):
            parts = bundles.by_address(log, width, progress)
            masks[width] = bundles.count_sizes(log, parts, progress)
    all_bundles = np.ones(len(large), dtype=np.bool_)
    rows = zip(
        _HEADS, _summarize_sizes(sizes, all_bundles), _summarize_sizes(sizes, large), strict=True
    )
    tables = [
        catalogue.table(
            "bundles",
            [list(row) for row in rows],
            columns=("", "all bundles", phrase("of {least:,} queries or more", least=least)),
        )
    ]
    if masks:
        columns = [_summarize_sizes(mask, mask.queries >= least) for mask in masks.values()]
        tables.append(
            catalogue.table(
                "masks",
                [[head, *cells] for head, *cells in zip(_HEADS, *columns, strict=True)],
                columns=("", *(phrase("{width} bits", width=width) for width in masks)),
                least=least,
            )
        )
    notes = [phrase("Bundles were made by {by}.", by=as_phrase(by))]
    if match.guessed:
        notes.append(catalogue.say("guessed_queries", guessed=match.guessed))
    if match.lost:
        notes.append(phrase("{lost:,} queries of the log are not in the release.", lost=match.lost))
    people = sizes.count_people(all_bundles)
    return MEASURE.build_result(
        params,
        (
            catalogue("bundles", len(large)),
            catalogue("mean_users", mean_of(sizes.users)),
            catalogue("mean_queries", mean_of(sizes.queries)),
            catalogue("alone", sizes.count_people(sizes.users == 1) / max(1, people)),
            catalogue("large", float(np.count_nonzero(large)), least=least),
        ),
        figures=_draw_figures(sizes),
        tables=tables,
        notes=notes,
    )


def _count_sizes(log: QueryLog, match: MatchedBundles, progress: Progress) -> BundleSizes:
    """The bundles of the release; rows that it doesn't hold are in none."""
    lost = match.bundle < 0
    if not lost.any():
        return bundles.count_sizes(log, BundlePartition(match.bundle, match.count), progress)
    bundle = np.where(lost, np.int32(match.count), match.bundle)
    sizes = bundles.count_sizes(log, BundlePartition(bundle, match.count + 1), progress)
    in_release = sizes.fiber_bundle < match.count
    return BundleSizes(
        sizes.queries[:-1],
        sizes.users[:-1],
        sizes.fiber_bundle[in_release],
        sizes.fiber_user[in_release],
        sizes.fiber_queries[in_release],
    )


def _summarize_sizes(sizes: BundleSizes, is_selected: Bools) -> list[float | int]:
    users, queries = sizes.users[is_selected], sizes.queries[is_selected]
    return [
        len(users),
        sizes.count_people(is_selected),
        int(queries.sum()),
        round(mean_of(users), 2),
        int(users.max(initial=0)),
        round(mean_of(queries), 2),
        int(queries.max(initial=0)),
    ]


_HEADS = (
    "bundles",
    "users",
    "queries",
    "users of a bundle, mean",
    "users of a bundle, most",
    "queries of a bundle, mean",
    "queries of a bundle, most",
)


def _draw_figures(sizes: BundleSizes) -> Iterator[Figure]:
    for name, counts in (("users", sizes.users), ("queries", sizes.queries)):
        ordered = np.sort(counts)[::-1].astype(np.float64)
        if not len(ordered):
            continue
        place = np.unique(np.geomspace(1, len(ordered), 64).round().astype(np.int64))
        series = Series(name, place.astype(np.float64), ordered[place - 1])
        places = {"name": as_phrase(name)}
        yield catalogue.figure("of-bundles", [series], named=f"{name}-of-bundles", places=places)


class _BundleSizes(Measure):
    """Applies to bundles alone."""

    def why_not(self, release: Anonymized) -> str:
        if release.method != METHOD or release.log is None:
            return "needs a release by bundling: others hold no bundles"
        return ""


MEASURE = _BundleSizes(**catalogue.card, params=BundlesParams, run=run, applies=("log",))
