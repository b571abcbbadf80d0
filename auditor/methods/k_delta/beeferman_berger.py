"""Agglomerative clustering of the bipartite graph of queries and clicked URLs.

Beeferman and Berger (KDD 2000): the two most similar queries merge, then the two most similar
URLs, then queries again, until no pair of either side is similar enough. Similarity is the Jaccard
coefficient of neighbours in the graph as it then is, so a merge on one side brings nodes of the
other nearer to each other. Cost: for each merge, the edges around the nodes whose neighbours it
changed; popular nodes make that O(edges) a merge, so it is for logs of up to some 100,000 queries.
"""

from __future__ import annotations

import heapq
from collections import Counter

import numpy as np

from auditor.arrays import Int64s
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
        mine = self.near[node]
        counts = Counter(peer for page in mine for peer in other.near[page])
        for peer, common in counts.items():
            if peer == node or (later_only and peer < node):
                continue
            union = len(mine) + len(self.near[peer]) - common
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
        changed = min(self.near[a], self.near[b], key=len).copy()
        for page in self.near[b]:
            other.near[page].discard(b)
            other.near[page].add(a)
        self.near[a] |= self.near[b]
        self.near[b] = set()
        self.into[b] = a
        self.version[b] += 1
        self.version[a] += 1
        self.push_near_pairs(a, other)
        for page in changed:
            other.version[page] += 1
        for page in changed:
            other.push_near_pairs(page, self)

    def find_root(self, node: int) -> int:
        """The node that `node` was merged into."""
        while self.into[node] != node:
            node = self.into[node]
        return node


def merge_both_sides(starts: Int64s, members: Int64s, delta: float, progress: Progress) -> Int64s:
    """The cluster of each query's URL set by merging both sides in turn, while within `delta`.

    Parameters
    ----------
    starts, members
        URL codes of set s at ``members[starts[s]:starts[s + 1]]``.

    Returns
    -------
    labels
        int64, the least set of each cluster; shape (sets,).
    """
    n = len(starts) - 1
    codes, pages = np.unique(members, return_inverse=True)
    progress.check()
    owners: list[set[int]] = [set() for _ in codes]
    clicked: list[set[int]] = []
    for node in range(n):
        mine = set(pages[starts[node] : starts[node + 1]].tolist())
        clicked.append(mine)
        for page in mine:
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
