"""Whether web sites that belong together can still be found by the queries that lead to them.

The second task of Zhang et al. 2016 ("Exploring Web Mining"): the most clicked sites are clustered
by common queries (`site_clusters`), in the log and in the release alike, and compared. The source
judges ten clusters of the release by hand; a file of labels does the same for any, beside the log's
own purity and that of the same clusters under shuffled labels, which small clusters push up.
"""

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from auditor.arrays import Float64s, Int64s
from auditor.bounded_files import UnfitFile, read_text
from auditor.errors import ParameterError
from auditor.figures import Figure, MetricValue, PlotMark, Series
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import QueryLog
from auditor.log.user_distance.features import host_name
from auditor.measures.base import Measure, MeasureContext, MeasureResult
from auditor.measures.click_graph import Matrix
from auditor.measures.query_counts import tables_of, tabulate_log
from auditor.messages import phrase
from auditor.params import Params
from auditor.privacy.release import Anonymized, Tables
from auditor.progress import Progress, run_cancellable

catalogue = MetricCatalogue("measures", "site_clustering")

_BLOCK = 1 << 13  # URLs: some 15 ms


@dataclass(frozen=True, eq=False)
class SiteClusters:
    """The most clicked sites of some tables, by falling clicks, and how alike they are."""

    names: tuple[str, ...]  # host names, or URLs where pages are clustered
    clicks: Float64s  # shape (sites,)
    alike: Matrix  # Sim of every pair with a common query; symmetric, no diagonal; (sites, sites)


def sites_of(tables: Tables, site_limit: int, pages: bool, progress: Progress) -> SiteClusters:
    """The `site_limit` clicked sites of three tables; clicks of 0 or less are none."""
    from scipy import sparse

    real = np.flatnonzero(tables.click_count > 0)
    url, query = tables.click_url[real], tables.click_query[real]
    count = tables.click_count[real].astype(np.float64)
    # The site of each URL code, −1 where it has none, and the sites' names.
    site = np.full(len(tables.urls), -1, dtype=np.int64)
    codes: dict[str, int] = {}
    urls = sorted_distinct(url)
    for first, last in progress.blocks("finding web sites", len(urls), _BLOCK):
        for url_code in urls[first:last].tolist():
            text = tables.urls[url_code]
            if name := text if pages else host_name(text):
                site[url_code] = codes.setdefault(name, len(codes))
    code, names = site[url], list(codes)
    keep = code >= 0
    code, query, count = code[keep], query[keep], count[keep]
    clicks: Float64s = np.bincount(code, count, minlength=len(names)).astype(np.float64)
    # The places of the `most` clicked, by falling clicks, then by name; O(names).
    least = 0.0
    if len(names) > site_limit:
        least = np.partition(clicks, len(names) - site_limit)[len(names) - site_limit]
    candidates = np.flatnonzero(clicks >= least).tolist()
    candidates.sort(key=lambda i: (-clicks[i], names[i]))
    order = np.array(candidates[:site_limit], dtype=np.int64)
    place = np.full(len(names), -1, dtype=np.int64)
    place[order] = np.arange(len(order))
    has_site = place[code] >= 0
    shape = (len(tables.queries), len(order))
    cells = (count[has_site], (query[has_site], place[code[has_site]]))
    matrix = sparse.coo_array(cells, shape=shape).tocsr()
    similarities = run_cancellable(lambda: site_similarity(matrix), progress)
    return SiteClusters(tuple(names[i] for i in order.tolist()), clicks[order], similarities)


def site_similarity(clicks: Any) -> Matrix:
    """Sim of every pair of columns of a (queries, sites) matrix of positive clicks."""
    clicks.sum_duplicates()
    led = clicks.copy()
    led.data = np.ones_like(led.data)
    common = (clicks.T.tocsr() @ led).tocsr()  # clicks of v from queries that led to w, too
    total = np.asarray(clicks.sum(axis=0)).ravel()
    common.data /= np.repeat(total, np.diff(common.indptr))
    both: Matrix = common.minimum(common.T.tocsr()).tocsr()
    both.setdiag(0)
    both.eliminate_zeros()
    return both


def cluster_sites(similarities: Matrix, cut: float) -> Int64s:
    """The cluster of each site by single linkage cut at a similarity; numbered by first site."""
    from scipy.sparse import csgraph

    if not similarities.shape[0]:
        return np.zeros(0, dtype=np.int64)
    adjacency = similarities.copy()
    adjacency.data = (adjacency.data >= cut).astype(np.float64)
    adjacency.eliminate_zeros()
    return csgraph.connected_components(adjacency, directed=False)[1].astype(np.int64)


def cluster_purity(cluster: Int64s, label: Sequence[str]) -> float:
    """Share of sites that have their cluster's most frequent label; NaN without sites."""
    if not len(cluster):
        return float("nan")
    codes = np.unique(np.array(label), return_inverse=True)[1]
    width = int(codes.max()) + 1
    pairs, times = np.unique(cluster * width + codes, return_counts=True)
    begins = np.flatnonzero(np.diff(pairs // width, prepend=-1))
    return int(np.maximum.reduceat(times, begins).sum()) / len(cluster)


def pair_agreement(first: Mapping[str, int], second: Mapping[str, int]) -> tuple[float, float]:
    """Jaccard index of the pairs that stand together, in common sites and in all of `first`.

    `first` and `second` give the cluster of each site. In the second figure a pair of `first`
    counts as lost when either of its sites isn't in `second`. NaN where no pair stands together.
    """
    common = sorted(first.keys() & second.keys())
    labels = np.array([first[name] for name in common], dtype=np.int64)
    other = np.array([second[name] for name in common], dtype=np.int64)
    both = count_joined_pairs(labels * (int(other.max(initial=0)) + 1) + other)
    pairs, other_pairs = count_joined_pairs(labels), count_joined_pairs(other)
    total = count_joined_pairs(np.array(list(first.values()), dtype=np.int64))
    of_common, of_all = pairs + other_pairs - both, total + other_pairs - both
    return (both / of_common if of_common else np.nan, both / of_all if of_all else np.nan)


def count_joined_pairs(labels: Int64s) -> int:
    """Pairs that have one label."""
    sizes = np.unique(labels, return_counts=True)[1]
    return int((sizes * (sizes - 1) // 2).sum())


CUTS = np.linspace(0.05, 1.0, 20)
SHUFFLES = 100
MOST_ROWS = 5_000


@dataclass(frozen=True, kw_only=True)
class SiteClusteringParams(Params, owner="site-clustering"):
    """Which sites, how alike, and what is known of them; defaults are the source's."""

    sites: int = 1_000
    cut: float = 0.5
    level: str = "site"
    labels: Path | None = None


def run(
    log: QueryLog, release: Anonymized, params: SiteClusteringParams, context: MeasureContext
) -> MeasureResult:
    """Cluster the sites of the log and of the release, and compare."""
    progress = context.progress
    released = tables_of(release, None, progress)
    reason = "The log has no clicks." if not log.clicks else ""
    if not reason and not released.has_clicks:
        reason = "The release has no table of clicks, so nothing links queries and web sites."
    if reason:
        return MEASURE.build_result(params, notes=(reason,))
    pages = params.level == "page"
    truth = read_labels(params.labels, pages) if params.labels else {}
    old = sites_of(tabulate_log(log, None, progress), params.sites, pages, progress)
    new = sites_of(released, params.sites, pages, progress)
    before, after = cluster_sites(old.alike, params.cut), cluster_sites(new.alike, params.cut)
    agreement, agreement_of_all = pair_agreement(
        _map_site_labels(old, before), _map_site_labels(new, after)
    )
    common = len(set(old.names) & set(new.names))
    clusters, of_log = (np.count_nonzero(np.bincount(part) > 1) for part in (after, before))
    values = [
        catalogue("sites.found", common / len(old.names) if old.names else 0.0),
        catalogue("sites.agreement", agreement),
        catalogue("sites.agreement_all", agreement_of_all),
        catalogue("sites.clusters", float(clusters), count_nonzero=of_log),
    ]
    values = [value for value in values if not np.isnan(value.value)]
    if truth:
        values += _build_purity_metrics(old, new, before, after, truth, context.rng)
    # The release's clusters, largest first, with each site's cluster in the log.
    cluster_of = _map_site_labels(old, before)
    sizes = np.bincount(after, minlength=1)
    order = sorted(set(after.tolist()), key=lambda number: (-sizes[number], number))
    place = {number: i for i, number in enumerate(order, 1) if sizes[number] > 1}
    indices = [i for i, number in enumerate(after.tolist()) if number in place]
    indices.sort(key=lambda i: place[int(after[i])])
    rows: list[Sequence[object]] = [
        (place[int(after[i])], new.names[i], int(new.clicks[i]), cluster_of.get(new.names[i], ""))
        + ((truth.get(new.names[i], ""),) if truth else ())
        for i in indices[:MOST_ROWS]
    ]
    return MEASURE.build_result(
        params,
        values,
        figures=(_draw_cuts(old, new, params.cut, progress),),
        tables=(
            catalogue.table(
                "site-clusters",
                rows,
                columns=("cluster", "site", "released clicks", "cluster in the log")
                + (("label",) if truth else ()),
            ),
        ),
        notes=(catalogue.say("unlike_sites"),),
    )


LARGEST = 1 << 28
"""Bytes of a table of labels, once unpacked."""


def read_labels(file: Path, pages: bool) -> dict[str, str]:
    """Site → label of a CSV table with these columns. Raises `ParameterError`."""
    try:
        table = csv.DictReader(io.StringIO(read_text(file, LARGEST), newline=""))
        if not {"site", "label"} <= set(table.fieldnames or ()):
            raise ParameterError(
                "labels", phrase("{name} needs the columns site and label.", name=file.name)
            )
        labels = {
            (row["site"] or "" if pages else host_name(row["site"] or "")): row["label"] or ""
            for row in table
        }
    except UnfitFile as error:
        raise ParameterError(
            "labels",
            phrase("{name} can't be read: it is {error}.", name=file.name, error=error.reason),
        ) from None
    except csv.Error:
        raise ParameterError("labels", phrase("{name} is no CSV table.", name=file.name)) from None
    return {site: label for site, label in labels.items() if site and label}


def _build_purity_metrics(
    old: SiteClusters,
    new: SiteClusters,
    before: Int64s,
    after: Int64s,
    truth: dict[str, str],
    rng: np.random.Generator,
) -> list[MetricValue]:
    """Purity over labelled sites in clusters that hold at least two of them."""
    metrics = []
    for name, sites, labels in (("sites.purity", new, after), ("sites.purity_log", old, before)):
        index = np.array([i for i, site in enumerate(sites.names) if site in truth], dtype=np.int64)
        sizes = np.bincount(labels[index], minlength=len(labels))
        index = index[sizes[labels[index]] > 1]
        names = [truth[sites.names[i]] for i in index.tolist()]
        pure = cluster_purity(labels[index], names)
        chance = [
            cluster_purity(labels[index], rng.permutation(names).tolist()) for _ in range(SHUFFLES)
        ]
        if not len(index):
            continue
        metrics.append(catalogue(name, pure, here=len(index), np=np.mean(chance)))
        if sites is new:
            shuffled = float(np.mean(chance))
            metrics.append(catalogue("sites.purity_chance", shuffled, shuffles=SHUFFLES))
    return metrics


def _map_site_labels(sites: SiteClusters, labels: Int64s) -> dict[str, int]:
    return dict(zip(sites.names, labels.tolist(), strict=True))


def _draw_cuts(old: SiteClusters, new: SiteClusters, cut: float, progress: Progress) -> Figure:
    def draw_line(name: str, sites: SiteClusters) -> Series:
        clustered_sites = []
        for place, _ in progress.blocks("cutting the dendrogram", len(CUTS), 1):
            sizes = np.bincount(cluster_sites(sites.alike, CUTS[place]))
            clustered_sites.append(float(sizes[sizes > 1].sum()))
        return Series(name, CUTS, np.array(clustered_sites))

    return catalogue.figure(
        "site-clusters",
        (draw_line("log", old), draw_line("release", new)),
        marks=(PlotMark("x", cut, phrase("cut {cut:g}", cut=cut), "current"),),
    )


MEASURE = Measure(**catalogue.card, params=SiteClusteringParams, run=run)
