"""Whether a log is (k,δ)-anonymous, or (m,k,δ,ε)-anonymous; and for which users it is not.

Knows nothing of any method. From a log and a clustering of its queries it counts each user's
events (distinct user, query, time) by cluster and asks the definition of Hong et al. (2009) of
every user: m − 1 others at distance 0 and k − 1 others within ε, where the distance is
½ Σ|share − share| and no cluster that both use may be wider than δ. (k,δ) is m = k, ε = 0.

Distance 0 is judged on whole numbers (counts divided by their greatest common divisor), ε on
doubles with exact fractions where rounding could decide. Cost: O(events log events) for ε = 0;
for the others, and for the greatest distance, Σ over users short of company of the users in each
of their clusters.
"""

from __future__ import annotations

import hashlib
import heapq
import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from auditor.arrays import Float64s, Int64s, Integers, expand_ranges
from auditor.log import gil_friendly
from auditor.log.model import NONE, QueryLog
from auditor.log.sentences import sentence
from auditor.privacy.verification.user_k import AnonymityVerdict
from auditor.progress import Progress, silent_progress

_Pages = frozenset[int]

_MOST_EVENTS = 1 << 30
"""Events of one user from which on products of two users' counts would be too large."""

PAIRS = 1 << 21
"""Pairs of page sets that are compared at once."""

_ROUNDING = 1e-9
"""What is so near to epsilon is for exact fractions; sums of shares are off by 1e-13 at most."""


@dataclass(frozen=True, eq=False, kw_only=True)
class KDeltaVerdict(AnonymityVerdict):
    """What the verifier measured besides.

    Attributes
    ----------
    worst
        The greatest distance from a user to their (k − 1)th nearest other; infinite where there are
        fewer than k users, 0 where k = 1 or nobody is there.
    bound
        Whether `worst` is only an upper bound (1), because too many users were short of company.
    wide
        Clusters of the log wider than delta, by their number in the clustering; ascending.
    clusters
        How many clusters the log uses.
    """

    worst: float
    bound: bool
    wide: Int64s
    clusters: int


def verify_k_delta(
    log: QueryLog,
    k: int,
    delta: float,
    epsilon: float = 0.0,
    m: int | None = None,
    *,
    clusters: Integers | None = None,
    clicked: QueryLog | None = None,
    search: int = 20_000,
    progress: Progress | None = None,
) -> KDeltaVerdict:
    """Check every user of `log`.

    Parameters
    ----------
    k, delta, epsilon, m
        The definition; `m` is k where epsilon is 0, and 1 otherwise, unless it is given.
    clusters
        The cluster of each query; shape (queries,). Computed from `clicked` if there is none.
    clicked
        The log whose clicks say how far queries are apart; `log` itself by default.
    search
        Where epsilon is 0, distances only inform: they are searched for if at most so many
        classes of equal users are short of company, which is quadratic in the worst case.

    Raises
    ------
    ValueError
        `clusters` has another length than the log has queries, or a user has 2³⁰ events.
    """
    progress = progress or silent_progress()
    progress.stage("verifying clusters")
    if clusters is None:
        labels = cluster_by_clicks(log, delta, clicked=clicked, progress=progress)
    else:
        labels = np.asarray(clusters, dtype=np.int64)
        if len(labels) != len(log.queries):
            raise ValueError(
                sentence("verification.clusters", labels=len(labels), queries=len(log.queries))
            )
    least = m if m is not None else k if epsilon == 0 else 1
    wide = _wide_clusters(labels, _ClickSets.of(log, clicked or log, progress), delta, progress)
    classes, of_user = _group_classes(log, labels, progress)
    size = np.bincount(of_user, minlength=len(classes))
    below = np.concatenate(([0], np.cumsum(np.isin(classes.cluster, wide))))
    bad = below[classes.starts[1:]] > below[classes.starts[:-1]]
    exact = np.where(bad, 1, size)
    neighbours, reach = exact.copy(), np.zeros(len(classes))
    short = np.flatnonzero((size < k) | bad)
    bound = epsilon == 0 and len(short) > search
    if bound:
        reach[short] = 1.0 if len(log.users) >= k else math.inf
    elif len(short):
        reach[short], users_within = _find_neighbours(
            classes, size, wide, short, k, epsilon, progress
        )
        if epsilon > 0:
            neighbours[short] = exact[short] + users_within
    fails = (exact < least) | (neighbours < k)
    failing = np.flatnonzero(fails[of_user]) if len(of_user) else np.zeros(0, dtype=np.int64)
    return KDeltaVerdict(
        failing=failing,
        names=tuple(log.users.list_strings(failing)),
        worst=float(reach.max(initial=0.0)),
        bound=bound,
        smallest=int(size.min()) if len(size) else 0,
        wide=wide,
        clusters=len(gil_friendly.sorted_distinct(labels)),
    )


@dataclass(frozen=True, eq=False)
class _EqualityClasses:
    """Users of equal shares, as CSR: class i has ``count[starts[i]:starts[i + 1]]``, in lowest
    terms, in the clusters beside them, which ascend."""

    starts: Int64s
    cluster: Int64s
    count: Int64s

    def __len__(self) -> int:
        return len(self.starts) - 1


def _find_neighbours(
    classes: _EqualityClasses,
    size: Int64s,
    wide: Int64s,
    targets: Int64s,
    k: int,
    epsilon: float,
    progress: Progress,
) -> tuple[Float64s, Int64s]:
    """Distances to the (k − 1)th nearest other user, and other classes' users within epsilon.

    Of the distances only the greatest one counts, and is exact; where epsilon is 0 nothing else is
    looked for. Both have the shape of `targets`.
    """
    below = np.concatenate(([0], np.cumsum(classes.count)))
    total = below[classes.starts[1:]] - below[classes.starts[:-1]]
    if total.max(initial=0) >= _MOST_EVENTS:
        raise ValueError(sentence("verification.too_many_events", total=total.max()))
    owner = np.repeat(np.arange(len(classes)), np.diff(classes.starts))
    share = classes.count / total[owner]
    order = np.argsort(classes.cluster, kind="stable")
    clusters, begins = np.unique(classes.cluster[order], return_index=True)
    ends = np.append(begins[1:], len(order))
    holders, shares = owner[order], share[order]
    is_wide = np.isin(classes.cluster, wide)
    users, limit = int(size.sum()), Fraction(epsilon)
    reach, inside = np.zeros(len(targets)), np.zeros(len(targets), dtype=np.int64)
    nearest = np.full(len(targets), -1, dtype=np.int64)
    place, worst = np.zeros(len(size), dtype=np.int64), 0.0
    progress.stage("verifying users", len(targets))
    for number, target in enumerate(targets.tolist()):
        progress.advance()
        if epsilon == 0.0 and worst >= 1.0:
            break
        own = slice(classes.starts[target], classes.starts[target + 1])
        places = np.searchsorted(clusters, classes.cluster[own])
        parts = [slice(*span) for span in zip(begins[places], ends[places], strict=True)]
        common = [
            np.minimum(shares[p], own_share) for p, own_share in zip(parts, share[own], strict=True)
        ]
        sharers = [holders[part] for part in parts]
        entries = np.concatenate(sharers)
        place[entries] = np.arange(len(entries))  # the last one of each class stays
        rivals = entries[place[entries] == np.arange(len(entries))]
        place[rivals] = np.arange(len(rivals))
        overlap = np.bincount(place[entries], np.concatenate(common), len(rivals))
        gaps = (1.0 - overlap).astype(np.float64)
        gaps[place[target]] = 0.0
        if worst < 1.0 and size[rivals[gaps < worst - _ROUNDING]].sum() < k:
            reach[number], reached = _find_reach(gaps, size[rivals], k, users)
            nearest[number] = rivals[reached] if reached >= 0 else -1
            worst = max(worst, float(reach[number]))
        if epsilon == 0.0:
            continue
        barred = np.zeros(len(rivals), dtype=np.bool_)
        barred[place[target]] = True
        for cluster in np.flatnonzero(is_wide[own]):
            barred[place[sharers[cluster]]] = True
        if epsilon >= 1.0:
            inside[number] = users - size[rivals[barred]].sum()
            continue
        inside[number] = size[rivals[~barred & (gaps <= epsilon - _ROUNDING)]].sum()
        doubtful = rivals[~barred & (np.abs(gaps - epsilon) < _ROUNDING)]
        if len(doubtful):
            distances, index = _compute_distances(classes, total, target, doubtful)
            sure = np.array([distance <= limit for distance in distances], dtype=np.bool_)[index]
            inside[number] += size[doubtful[sure]].sum()
    furthest = np.flatnonzero((reach >= reach.max(initial=0.0) - _ROUNDING) & (nearest >= 0))
    for number in furthest.tolist():
        distances, _ = _compute_distances(classes, total, targets[number], nearest[[number]])
        reach[number] = float(distances[0])
    return reach, inside


def _find_reach(distances: Float64s, size: Int64s, k: int, users: int) -> tuple[float, int]:
    """How far apart k users are, from the nearest class on, and the place of the last, or −1."""
    nearest = np.argpartition(distances, k)[:k] if len(distances) > k else np.arange(len(distances))
    nearest = nearest[np.argsort(distances[nearest], kind="stable")]
    last = int(np.searchsorted(np.cumsum(size[nearest]), k))
    if last < len(nearest):
        return float(distances[nearest[last]]), int(nearest[last])
    return (1.0, -1) if users >= k else (math.inf, -1)


def _compute_distances(
    classes: _EqualityClasses, total: Int64s, target: int, other_classes: Int64s
) -> tuple[list[Fraction], Int64s]:
    """The distinct distances of a class from others, and which of them each is at."""
    own = slice(classes.starts[target], classes.starts[target + 1])
    counts = np.zeros(int(classes.cluster.max(initial=0)) + 1, dtype=np.int64)
    counts[classes.cluster[own]] = classes.count[own]
    length = np.diff(classes.starts)[other_classes]
    entries = expand_ranges(classes.starts[other_classes], length)
    of = np.repeat(np.arange(len(other_classes)), length)
    target_counts = counts[classes.cluster[entries]] * total[other_classes][of]
    # What both sides have, and what the target alone has; exact while totals are below 2³⁰.
    above = total[other_classes] * total[target]
    np.add.at(
        above, of, np.abs(classes.count[entries] * total[target] - target_counts) - target_counts
    )
    below = 2 * total[other_classes] * total[target]
    divisor = np.gcd(above, below)
    pairs, pair_index = np.unique(
        np.column_stack((above // divisor, below // divisor)), axis=0, return_inverse=True
    )
    return [Fraction(*pair) for pair in pairs.tolist()], pair_index.reshape(-1)


def number_share_classes(log: QueryLog, labels: Int64s, progress: Progress) -> Int64s:
    """A number for each user, equal for users with the same share of every cluster of queries."""
    return _group_classes(log, labels, progress)[1]


def _group_classes(
    log: QueryLog, labels: Int64s, progress: Progress
) -> tuple[_EqualityClasses, Int64s]:
    """Users of equal shares, and each user's class; equal ones have the same SHA-256."""
    rows = np.flatnonzero(log.event_starts)
    keys = log.user[rows].astype(np.int64) << 32
    keys |= labels[log.query[rows]]
    del rows
    progress.check()
    keys, count = np.unique(keys, return_counts=True)
    progress.check()
    bounds = np.searchsorted(keys >> 32, np.arange(len(log.users) + 1)).astype(np.int64)
    keys &= 0xFFFFFFFF
    sizes = np.diff(bounds)
    nonempty = np.flatnonzero(sizes)
    unit = np.ones(len(sizes), dtype=np.int64)
    if len(nonempty):
        unit[nonempty] = np.gcd.reduceat(count, bounds[nonempty])
    count //= np.repeat(unit, sizes)
    numbers: dict[bytes, int] = {}
    of_user = np.empty(len(log.users), dtype=np.int64)
    first: list[int] = []
    for start, stop in progress.blocks("verifying shares", len(log.users), 10_000):
        edges = bounds[start : stop + 1].tolist()
        for user, (low, high) in enumerate(itertools.pairwise(edges), start):
            hasher = hashlib.sha256(keys[low:high].tobytes())
            hasher.update(count[low:high].tobytes())
            number = numbers.setdefault(hasher.digest(), len(first))
            if number == len(first):
                first.append(user)
            of_user[user] = number
    representatives = np.array(first, dtype=np.int64)
    starts = np.concatenate(([0], np.cumsum(sizes[representatives]))).astype(np.int64)
    entries = expand_ranges(bounds[representatives], sizes[representatives])
    return _EqualityClasses(starts, keys[entries], count[entries]), of_user


@dataclass(frozen=True, eq=False)
class _ClickSets:
    """The pages clicked for the queries of a log, as CSR over the log that says so.

    ``pages[starts[c]:starts[c + 1]]`` are those of query code c of that log; `code` is what each
    query of the log is there, −1 where it isn't.
    """

    starts: Int64s
    pages: Int64s
    code: Int64s

    @classmethod
    def of(cls, log: QueryLog, clicked: QueryLog, progress: Progress) -> _ClickSets:
        """The clicks that `clicked` has on the queries of `log`."""
        rows = clicked.url != NONE
        pairs = gil_friendly.sorted_distinct(
            (clicked.query[rows].astype(np.int64) << 32) | clicked.url[rows]
        )
        progress.check()
        starts = np.searchsorted(pairs >> 32, np.arange(len(clicked.queries) + 1))
        code = np.arange(len(log.queries))
        if clicked is not log:
            code = log.queries.match(clicked.queries).astype(np.int64)
        return cls(starts.astype(np.int64), pairs & 0xFFFFFFFF, code)

    def of_query(self, query: int) -> _Pages:
        """The pages of one query of the log."""
        code = int(self.code[query])
        if code == NONE:
            return frozenset()
        return frozenset(self.pages[self.starts[code] : self.starts[code + 1]].tolist())


def _compute_page_distance(a: _Pages, b: _Pages) -> float:
    union = len(a | b)
    return (union - len(a & b)) / union if union else 1.0


def _wide_clusters(labels: Int64s, clicks: _ClickSets, delta: float, progress: Progress) -> Int64s:
    """Clusters in which two queries are further apart than delta, ascending."""
    order = np.argsort(labels, kind="stable")
    clusters, begin = np.unique(labels[order], return_index=True)
    end = np.append(begin[1:], len(order))
    repeated = np.flatnonzero(end - begin > 1)
    wide = []
    for place in repeated.tolist():
        progress.check()
        queries = order[begin[place] : end[place]].tolist()
        distinct = sorted({clicks.of_query(query) for query in queries}, key=len)
        # Two queries without clicks are two of nothing: never alike.
        if not distinct[0] or any(
            _compute_page_distance(a, b) > delta
            for i, a in enumerate(distinct)
            for b in distinct[:i]
        ):
            wide.append(int(clusters[place]))
    return np.array(wide, dtype=np.int64)


def cluster_by_clicks(
    log: QueryLog,
    delta: float,
    *,
    clicked: QueryLog | None = None,
    progress: Progress | None = None,
) -> Int64s:
    """Complete linkage of the log's queries by their clicks in `clicked`, cut at delta.

    The two nearest clusters merge while all pairs across them share a page and are within delta;
    ties go to the smaller labels, a cluster's label being its least query code in `clicked`.
    Returns the cluster of each query of `log`; a query without clicks stands alone.
    """
    progress = progress or silent_progress()
    source = clicked or log
    clicks = _ClickSets.of(source, source, progress)
    pages = [clicks.of_query(query) for query in range(len(source.queries))]
    first: dict[_Pages, int] = {}
    model = [first.setdefault(p, q) if p else q for q, p in enumerate(pages)]
    root = _link_sets(first, delta, progress)
    labels = np.array([root.get(q, q) for q in model], dtype=np.int64)
    if source is log:
        return labels
    code = log.queries.match(source.queries).astype(np.int64)
    own_cluster = len(labels) + np.arange(len(code))
    return np.where(code == NONE, own_cluster, np.append(labels, 0)[code])


def _iterate_near(
    sets: list[_Pages], delta: float, progress: Progress
) -> Iterator[tuple[int, int, float]]:
    """The places of two sets that share a page and are within delta, and how far they are apart.

    O(pairs that share a page), some `PAIRS` of them at once.
    """
    from scipy.sparse import csr_array

    size = np.array([len(pages) for pages in sets], dtype=np.int64)
    pages = np.array(list(itertools.chain.from_iterable(sets)), dtype=np.int64)
    starts = np.concatenate(([0], np.cumsum(size)))
    shape = len(sets), int(pages.max(initial=0)) + 1
    matrix = csr_array((np.ones(len(pages), dtype=np.int64), pages, starts), shape)
    turned = matrix.T.tocsr()
    block = np.cumsum(matrix @ np.diff(turned.indptr)) // PAIRS
    edges = [0, *(np.flatnonzero(np.diff(block)) + 1).tolist(), len(sets)]
    for start, stop in itertools.pairwise(edges):
        progress.check()
        shared = (matrix[start:stop] @ turned).tocoo()
        i, j = shared.row + start, shared.col
        union = size[i] + size[j] - shared.data
        distance = (union - shared.data) / union
        is_near = (j < i) & (distance <= delta)
        yield from zip(
            i[is_near].tolist(), j[is_near].tolist(), distance[is_near].tolist(), strict=True
        )


def _link_sets(first: dict[_Pages, int], delta: float, progress: Progress) -> dict[int, int]:
    """The label of the cluster of each set, sets being known by their first query."""
    queries = list(first.values())
    neighbours: dict[int, dict[int, float]] = {query: {} for query in queries}
    for i, j, distance in _iterate_near(list(first), delta, progress):
        a, b = queries[i], queries[j]
        neighbours[a][b] = neighbours[b][a] = distance
    heap = [(d, a, b) for a in neighbours for b, d in neighbours[a].items() if a < b]
    heapq.heapify(heap)
    root = {query: query for query in neighbours}
    members = {query: [query] for query in neighbours}
    while heap:
        distance, a, b = heapq.heappop(heap)
        if neighbours.get(a, {}).get(b) != distance:
            continue  # one of them has merged, or they are further apart by now
        progress.check()
        absorbed = neighbours.pop(b)
        for other in absorbed:
            del neighbours[other][b]
        for other in list(neighbours[a]):
            if other in absorbed:
                distance_to_merged = max(neighbours[a][other], absorbed[other])
                neighbours[a][other] = neighbours[other][a] = distance_to_merged
                heapq.heappush(heap, (distance_to_merged, min(a, other), max(a, other)))
            else:
                del neighbours[a][other], neighbours[other][a]
        members[a] += members.pop(b)
        for query in members[a]:
            root[query] = a
    return root
