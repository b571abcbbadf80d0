"""Clusters of web sites that are clicked for the same queries: single linkage on a sparse graph.

Zhang et al. 2016, equation 14: Sim(v, w) is the smaller of two shares: of v's clicks those that
come from queries which also led to w, and of w's those from queries which also led to v. Two
sites without a common query are not alike at all and never an entry.

Single linkage cut at a similarity is the connected parts of the graph of pairs at least so alike,
so no dendrogram is built: a cut costs O(pairs). Pairs cost the sum over queries of the square of
their sites.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from auditor.arrays import Float64s, Int32s, Int64s
from auditor.log import gil_friendly
from auditor.log.user_distance.features import host_name
from auditor.measures.retrieval.graph import Matrix
from auditor.privacy.release import Tables
from auditor.progress import Progress, run_cancellable

_BLOCK = 1 << 13  # URLs: some 15 ms
_TABLES = 64


@dataclass(frozen=True, eq=False)
class SiteClusters:
    """The most clicked sites of some tables, by falling clicks, and how alike they are.

    Attributes
    ----------
    names
        Host names, or URLs where pages are clustered.
    clicks
        Clicks of each; shape (sites,).
    alike
        Sim of every pair with a common query; symmetric, no diagonal; shape (sites, sites).
    """

    names: tuple[str, ...]
    clicks: Float64s
    alike: Matrix


def sites_of(tables: Tables, most: int, pages: bool, progress: Progress) -> SiteClusters:
    """The `most` clicked sites of three tables; clicks of 0 or less are none."""
    from scipy import sparse

    real = np.flatnonzero(tables.click_count > 0)
    url, query = tables.click_url[real], tables.click_query[real]
    count = tables.click_count[real].astype(np.float64)
    site, names = _name_sites(tables, gil_friendly.sorted_distinct(url), pages, progress)
    code = site[url]
    kept = code >= 0
    code, query, count = code[kept], query[kept], count[kept]
    clicks: Float64s = np.bincount(code, count, minlength=len(names)).astype(np.float64)
    order = _most_clicked(clicks, names, most)
    place = np.full(len(names), -1, dtype=np.int64)
    place[order] = np.arange(len(order))
    chosen = place[code] >= 0
    shape = (len(tables.queries), len(order))
    cells = (count[chosen], (query[chosen], place[code[chosen]]))
    counted = sparse.coo_array(cells, shape=shape).tocsr()
    alike = run_cancellable(lambda: site_similarity(counted), progress)
    return SiteClusters(tuple(names[i] for i in order.tolist()), clicks[order], alike)


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


def cluster_sites(alike: Matrix, cut: float) -> Int64s:
    """The cluster of each site by single linkage cut at a similarity; numbered by first site."""
    from scipy.sparse import csgraph

    if not alike.shape[0]:
        return np.zeros(0, dtype=np.int64)
    near = alike.copy()
    near.data = (near.data >= cut).astype(np.float64)
    near.eliminate_zeros()
    labels: Int64s = csgraph.connected_components(near, directed=False)[1].astype(np.int64)
    return labels


def cluster_purity(cluster: Int64s, label: Sequence[str]) -> float:
    """Share of sites that have their cluster's most frequent label; NaN without sites."""
    if not len(cluster):
        return float("nan")
    codes = np.unique(np.array(label), return_inverse=True)[1]
    width = int(codes.max()) + 1
    pairs, times = np.unique(cluster * width + codes, return_counts=True)
    best: dict[int, int] = {}
    for owner, count in zip((pairs // width).tolist(), times.tolist(), strict=True):
        best[owner] = max(best.get(owner, 0), count)
    return sum(best.values()) / len(cluster)


def pair_agreement(first: Mapping[str, int], second: Mapping[str, int]) -> tuple[float, float]:
    """Jaccard index of the pairs that stand together, in common sites and in all of `first`.

    `first` and `second` give the cluster of each site. In the second figure a pair of `first`
    counts as lost when either of its sites isn't in `second`. NaN where no pair stands together.
    """
    common = sorted(first.keys() & second.keys())
    one = np.array([first[name] for name in common], dtype=np.int64)
    other = np.array([second[name] for name in common], dtype=np.int64)
    both = _count_joined_pairs(one * (int(other.max(initial=0)) + 1) + other)
    here, there = _count_joined_pairs(one), _count_joined_pairs(other)
    whole = _count_joined_pairs(np.array(list(first.values()), dtype=np.int64))
    return _divide_parts(both, here + there - both), _divide_parts(both, whole + there - both)


def _count_joined_pairs(labels: Int64s) -> int:
    sizes = np.unique(labels, return_counts=True)[1]
    return int((sizes * (sizes - 1) // 2).sum())


def _divide_parts(part: int, whole: int) -> float:
    return part / whole if whole else float("nan")


def _most_clicked(clicks: Float64s, names: list[str], most: int) -> Int64s:
    """The places of the `most` clicked, by falling clicks, then by name; O(names)."""
    if len(names) > most:
        least = np.partition(clicks, len(names) - most)[len(names) - most]
        candidates = np.flatnonzero(clicks >= least).tolist()
    else:
        candidates = list(range(len(names)))
    candidates.sort(key=lambda i: (-clicks[i], names[i]))
    return np.array(candidates[:most], dtype=np.int64)


def _name_sites(
    tables: Tables, urls: Int32s, pages: bool, progress: Progress
) -> tuple[Int64s, list[str]]:
    """The site of each URL code, −1 where it has none, and the sites' names."""
    site = np.full(len(tables.urls), -1, dtype=np.int64)
    names: list[str] = []
    # One table would be made anew, larger, again and again, each time in one step of some 50 ms.
    known: list[dict[str, int]] = [{} for _ in range(_TABLES)]
    for first, last in progress.blocks("finding web sites", len(urls), _BLOCK):
        for url in urls[first:last].tolist():
            text = tables.urls[url]
            name = text if pages else host_name(text)
            if name:
                site[url] = code = known[hash(name) % _TABLES].setdefault(name, len(names))
                if code == len(names):
                    names.append(name)
    return site, names
