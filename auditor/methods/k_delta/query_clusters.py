"""Clusters of queries whose clicked pages are alike: Jaccard distance, complete linkage cut at δ.

The distance of two queries is 1 − |A ∩ B| / |A ∪ B| of their sets of clicked URLs in the whole log
(Hong et al. 2009). A query that nobody clicked stands alone; pairs without a common URL are never
near, whatever δ. Two ways:

* ``complete``: the two nearest clusters merge while every pair across them is within δ, so no
  cluster's diameter exceeds δ. Ties go to the smaller label, the label being the least query code.
* ``beeferman-berger``: the most similar queries and the most similar URLs of the bipartite graph
  merge in turn, each merge changing the other side; clusters wider than δ are then split by
  complete linkage inside them.

Cost for the d distinct URL sets: pairs within δ are found from the rarest URLs on, and tested once
for each pair that sizes and places don't rule out; linkage is O(pairs log pairs). At δ ≥ 2/3 all
queries that share one popular URL may be near each other: pairs then grow with the square of the
most popular URL's queries, and above `MOST_PAIRS` the run stops and says so.

Agglomerative clustering of the bipartite graph of queries and clicked URLs.

Beeferman and Berger (KDD 2000): the two most similar queries merge, then the two most similar
URLs, then queries again, until no pair of either side is similar enough. Similarity is the Jaccard
coefficient of neighbours in the graph as it then is, so a merge on one side brings nodes of the
other nearer to each other. Cost: for each merge, the edges around the nodes whose neighbours it
changed; popular nodes make that O(edges) a merge, so it is for logs of up to some 100,000 queries.
"""

from __future__ import annotations

import heapq
from collections import Counter
from dataclasses import dataclass

import numpy as np

from auditor.arrays import Float64s, Int64s, RaggedArray, expand_ranges, mark_run_starts
from auditor.bit_mixing import mix_numbers
from auditor.errors import ParameterError
from auditor.log.model import NONE, QueryLog
from auditor.log.sentences import sentence
from auditor.methods.k_delta import kernels
from auditor.methods.noisy_counts.histograms import count_keys
from auditor.progress import Progress

_Entry = tuple[float, int, int, int, int]


class _GraphSide:
    """One side's nodes: neighbours on the other side, and a heap of near pairs."""

    def __init__(self, neighbours: list[set[int]], delta: float) -> None:
        self.near = neighbours
        self.delta = delta
        self.version = [0] * len(neighbours)
        self.into = list(range(len(neighbours)))
        self.heap: list[_Entry] = []

    def push_near_pairs(self, node: int, other: _GraphSide, *, later_only: bool = False) -> None:
        """Put every near pair of `node` on the heap; older entries of it no longer count."""
        own_pages = self.near[node]
        counts = Counter(peer for page in own_pages for peer in other.near[page])
        for peer, common in counts.items():
            if peer == node or (later_only and peer < node):
                continue
            union = len(own_pages) + len(self.near[peer]) - common
            distance = (union - common) / union
            if distance <= self.delta:
                a, b = min(node, peer), max(node, peer)
                entry = (distance, a, b, self.version[a], self.version[b])
                heapq.heappush(self.heap, entry)

    def pop_nearest_pair(self) -> tuple[int, int] | None:
        """The most similar pair, or None; ties to the smaller nodes."""
        while self.heap:
            _, a, b, at_a, at_b = heapq.heappop(self.heap)
            if self.version[a] == at_a and self.version[b] == at_b:
                return a, b
        return None

    def merge(self, a: int, b: int, other: _GraphSide) -> None:
        """Merge b into a, and look again at everything whose similarity that changed."""
        changed_pages = min(self.near[a], self.near[b], key=len).copy()
        for page in self.near[b]:
            other.near[page].discard(b)
            other.near[page].add(a)
        self.near[a] |= self.near[b]
        self.near[b] = set()
        self.into[b] = a
        self.version[b] += 1
        self.version[a] += 1
        self.push_near_pairs(a, other)
        for page in changed_pages:
            other.version[page] += 1
        for page in changed_pages:
            other.push_near_pairs(page, self)

    def find_root(self, node: int) -> int:
        """The node that `node` was merged into."""
        while self.into[node] != node:
            node = self.into[node]
        return node


def merge_both_sides(starts: Int64s, members: Int64s, delta: float, progress: Progress) -> Int64s:
    """The cluster of each query's URL set by merging both sides in turn, while within `delta`.

    `starts`, `members`: URL codes of set s at ``members[starts[s]:starts[s + 1]]``. Returns
    `labels`: int64, the least set of each cluster; shape (sets,).
    """
    n = len(starts) - 1
    codes, pages = np.unique(members, return_inverse=True)
    progress.check()
    owners: list[set[int]] = [set() for _ in codes]
    clicked: list[set[int]] = []
    for node in range(n):
        query_pages = set(pages[starts[node] : starts[node + 1]].tolist())
        clicked.append(query_pages)
        for page in query_pages:
            owners[page].add(node)
    queries, urls = _GraphSide(clicked, delta), _GraphSide(owners, delta)
    progress.stage("finding similar queries and pages", n + len(codes))
    for side, other in ((queries, urls), (urls, queries)):
        for node in range(len(side.near)):
            side.push_near_pairs(node, other, later_only=True)
            progress.advance()
    progress.stage("merging queries and pages", n + len(codes))
    idle = 0
    side, other = queries, urls
    while idle < 2:
        pair = side.pop_nearest_pair()
        idle = idle + 1 if pair is None else 0
        if pair is not None:
            side.merge(*pair, other)
            progress.advance()
        side, other = other, side
    return np.array([queries.find_root(node) for node in range(n)], dtype=np.int64)


MOST_PAIRS = 40_000_000
"""Pairs of near URL sets that are held at most: 3 GB with what linkage needs for them."""
_STEPS = 20_000


@dataclass(frozen=True, eq=False)
class ClickedUrlSets:
    """Distinct URL sets, and which queries have them."""

    of_query: Int64s  # set of each query, −1 where nothing was clicked; shape (queries,)
    # starts, members: set s is ``members[starts[s]:starts[s + 1]]``, ascending codes; sets stand in
    # the order of the first query that has them
    starts: Int64s
    members: Int64s

    def __len__(self) -> int:
        return len(self.starts) - 1


def cluster_queries(log: QueryLog, delta: float, linkage: str, progress: Progress) -> Int64s:
    """The cluster of each query, numbered from 0 by its first query; shape (queries,).

    Raises `ParameterError` where more than `MOST_PAIRS` pairs of URL sets are within `delta`.
    """
    sets = click_sets(log, progress)
    if linkage == "complete":
        group = complete_linkage(sets.starts, sets.members, delta, progress)
    else:
        wide = merge_both_sides(sets.starts, sets.members, delta, progress)
        group = complete_linkage(sets.starts, sets.members, delta, progress, group=wide)
    own_cluster = len(sets) + np.arange(len(log.queries))
    labels = np.where(sets.of_query == NONE, own_cluster, np.append(group, 0)[sets.of_query])
    return by_first(labels)


def by_first(labels: Int64s) -> Int64s:
    """The same partition numbered from 0 by first appearance; O(n)."""
    import pandas as pd

    return pd.factorize(labels)[0].astype(np.int64)


def click_sets(log: QueryLog, progress: Progress) -> ClickedUrlSets:
    """The set of URLs clicked for each query, equal sets once; O(clicks log clicks)."""
    progress.stage("reading clicks")
    rows = np.flatnonzero(log.url != NONE)
    keys, _ = count_keys([(log.query[rows].astype(np.int64) << 32) | log.url[rows]], progress)
    query, url = keys >> 32, keys & 0xFFFFFFFF
    size = np.bincount(query, minlength=len(log.queries))
    starts = np.concatenate(([0], np.cumsum(size)))
    clicked = np.flatnonzero(size)
    if not len(clicked):
        return ClickedUrlSets(np.full(len(log.queries), NONE), np.zeros(1, np.int64), url)
    progress.check()
    # For each set the first equal one; sets that only hash alike stay apart.
    begins, sizes = starts[clicked], size[clicked]
    total = np.add.reduceat(mix_numbers(url.astype(np.uint64)), begins)
    order = np.lexsort((np.arange(len(begins)), total, sizes))
    new = mark_run_starts(total[order], sizes[order])
    model = np.empty(len(order), dtype=np.int64)
    model[order] = order[new][np.cumsum(new) - 1]
    is_same_url = url[expand_ranges(begins, sizes)] == url[expand_ranges(begins[model], sizes)]
    is_same_set = np.logical_and.reduceat(is_same_url, np.cumsum(sizes) - sizes)
    distinct, code = np.unique(
        np.where(is_same_set, model, np.arange(len(order))), return_inverse=True
    )
    of_query = np.full(len(log.queries), NONE, dtype=np.int64)
    of_query[clicked] = code
    url_rows = expand_ranges(begins[distinct], sizes[distinct])
    ends = np.concatenate(([0], np.cumsum(sizes[distinct])))
    return ClickedUrlSets(of_query, ends, url[url_rows])


def near_sets(
    starts: Int64s, members: Int64s, delta: float, progress: Progress
) -> tuple[Int64s, Int64s, Float64s]:
    """Pairs a < b of sets at Jaccard distance ≤ delta, and the distances."""
    n = len(starts) - 1
    if not n:
        return np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0)
    ranked, postings = _build_postings(starts, members, delta)
    progress.check()
    stamp = np.full(n, -1, dtype=np.int64)
    room = n + (1 << 20)
    out = kernels.NearPairs(np.empty(room, np.int64), np.empty(room, np.int64), np.empty(room))
    sets = RaggedArray(starts, ranked)
    pieces: list[tuple[Int64s, Int64s, Float64s]] = []
    first = total = 0
    progress.stage("comparing queries", n)
    while first < n:
        last = min(first + 2_000, n)
        first, pair_count = kernels.near_pairs(sets, postings, delta, first, last, stamp, out)
        pieces.append(
            (out[0][:pair_count].copy(), out[1][:pair_count].copy(), out[2][:pair_count].copy())
        )
        total += pair_count
        if total > MOST_PAIRS:
            raise ParameterError(
                "delta",
                sentence("k_delta.pairs_queries_within_delta", most_pairs=MOST_PAIRS, delta=delta),
            )
        progress.update(first)
    a, b, distance = (np.concatenate([part[i] for part in pieces]) for i in range(3))
    return a.astype(np.int64), b.astype(np.int64), distance


def _build_postings(
    starts: Int64s, members: Int64s, delta: float
) -> tuple[Int64s, kernels.SetPostings]:
    """Sets by rarity of their elements, and each element's postings by (size, place, set).

    Two sets are no nearer than the share of either that stands before their first common element,
    so a set stands only under its first elements, up to that share.
    """
    n = len(starts) - 1
    size = np.diff(starts)
    _, code, member_counts = np.unique(members, return_inverse=True, return_counts=True)
    rank = np.empty(len(member_counts), dtype=np.int64)
    rank[np.argsort(member_counts, kind="stable")] = np.arange(len(member_counts))
    owner = np.repeat(np.arange(n), size)
    order = np.lexsort((rank[code], owner))
    ranked = rank[code][order]
    place = np.arange(len(ranked)) - np.repeat(starts[:-1], size)
    sizes = size[owner]
    posted = np.flatnonzero(place / sizes <= delta)
    begins = np.concatenate(
        ([0], np.cumsum(np.bincount(ranked[posted], minlength=len(member_counts))))
    )
    post = posted[np.lexsort((owner[posted], place[posted], sizes[posted], ranked[posted]))]
    return ranked, kernels.SetPostings(begins, owner[post], sizes[post], place[post])


def complete_linkage(
    starts: Int64s, members: Int64s, delta: float, progress: Progress, group: Int64s | None = None
) -> Int64s:
    """Complete linkage of sets cut at delta; pairs of different `group` stay apart.

    Returns for each set the least set of its cluster; shape (sets,).
    """
    n = len(starts) - 1
    a, b, distance = near_sets(starts, members, delta, progress)
    if group is not None:
        is_inside = group[a] == group[b]
        a, b, distance = a[is_inside], b[is_inside], distance[is_inside]
    order = np.lexsort((b, a, distance))
    edges = len(order)
    state = np.array([edges, n], dtype=np.int64)
    spare = np.zeros(edges, dtype=np.int64)
    graph = kernels.LinkageEdges(
        np.append(a[order], spare), np.append(b[order], spare), np.append(distance[order], spare)
    )
    head = np.full(2 * n, -1, dtype=np.int64)
    parent, label = head.copy(), np.arange(2 * n)
    lists = kernels.LinkageLists(head, head.copy(), np.full(4 * edges, -1, dtype=np.int64))
    nodes = kernels.LinkageNodes(label, parent, head.copy())
    progress.check()
    heap = kernels.start_linkage(graph, edges, lists)
    progress.stage("clustering queries", n)
    while not kernels.link_complete(state, graph, heap, lists, nodes, _STEPS):
        progress.update(int(state[1]) - n)
    # The last ancestor of each node, by halving paths.
    parent = parent[: int(state[1])]
    up = np.where(parent < 0, np.arange(len(parent)), parent)
    while not np.array_equal(further := up[up], up):
        up = further
    return label[up[:n]]
