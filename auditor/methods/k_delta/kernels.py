"""Compiled parts of (k,δ): near sets and linkage, groups of users by overlap, and what to edit."""

import heapq
import math
from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numba.typed import List

from auditor.arrays import Array, RaggedArray

KEEP, LEAST_CHANGE, EXACT = 0, 1, 2
BOTH, ADD, SUPPRESS = 0, 1, 2


class ClusterCounts(NamedTuple):
    """Events by cluster, ascending: those of row i are ``starts[i]:starts[i + 1]``."""

    starts: Array
    clusters: Array
    counts: Array


class CountEdits(NamedTuple):
    """Events of each (user, cluster) before and after, by user; one entry where either is not 0."""

    user: Array
    cluster: Array
    before: Array
    after: Array


@njit(cache=True, nogil=True)
def number_events(
    first: int, last: int, number: int, query: Array, begins: Array, event: Array
) -> int:
    """Number the events of rows ``first:last`` from `number`; returns the next number.

    `begins` is true at the first row of each event. Rows of one event may stand apart within
    their second, so a row that begins nothing looks back for its query. O(rows) but for that.
    """
    for row in range(first, last):
        if begins[row]:
            event[row] = number
            number += 1
        else:
            previous_row = row - 1
            while query[previous_row] != query[row]:
                previous_row -= 1
            event[row] = event[previous_row]
    return number


@njit(cache=True, nogil=True)
def _round_counts(target: Array, total: int, size: int, out: Array) -> None:
    """Largest-remainder rounding of ``target / total · size`` into `out`; sums to `size`."""
    remainder = size
    n = len(target)
    keys = np.empty(n, dtype=np.int64)
    for i in range(n):
        exact = target[i] * size
        out[i] = exact // total
        remainder -= out[i]
        keys[i] = -(exact % total)
    order = np.argsort(keys, kind="mergesort")
    for i in range(remainder):
        out[order[i]] += 1


@njit(cache=True, nogil=True)
def _compute_cost(counts: Array, target: Array, total: int, size: int) -> float:
    change = 0.0
    for i in range(len(counts)):
        change += abs(counts[i] - target[i] * size / total)
    return change


@njit(cache=True, nogil=True)
def _final_size(counts: Array, target: Array, total: int, rule: int, mode: int, unit: int) -> int:
    """The final number of events N: see the module `editing`."""
    events = 0
    n = 0
    for i in range(len(counts)):
        events += counts[i]
        if target[i] > 0:
            n += 1
    if rule == KEEP:
        return events
    ratios = np.empty(n)
    weights = np.empty(n)
    n = 0
    for i in range(len(counts)):
        if target[i] > 0:
            ratios[n] = counts[i] / target[i]  # of the target's own total
            weights[n] = target[i]
            n += 1
    order = np.argsort(ratios, kind="mergesort")
    step = unit if rule == EXACT else 1
    if mode == ADD:
        largest_size = ratios[order[n - 1]] * total / step
        return max(int(np.ceil(largest_size - 1e-9)), 1) * step
    if mode == SUPPRESS:
        least = int(np.floor(ratios[order[0]] * total / step + 1e-9)) * step
        if least > 0:
            return least
    half, passed, index = weights.sum() / 2, 0.0, 0
    while index < n - 1 and passed + weights[order[index]] < half:
        passed += weights[order[index]]
        index += 1
    best = ratios[order[index]] * total
    lower = int(np.floor(best / step + 1e-9)) * step
    upper = int(np.ceil(best / step - 1e-9)) * step
    if lower < step:
        return max(upper, step)
    if _compute_cost(counts, target, total, lower) <= _compute_cost(counts, target, total, upper):
        return lower
    return upper


@njit(cache=True, nogil=True)
def edit_counts(
    first: int,
    last: int,
    users: ClusterCounts,
    part: Array,
    targets: ClusterCounts,
    options: tuple[int, int],
    out: CountEdits,
) -> int:
    """Write (user, cluster, events before, events after) for users ``first:last``.

    User u is edited towards the target of ``part[u]``, by a rule and a mode (`options`); rows where
    both are 0 don't occur. Returns how many were written. O(entries log entries) a user.
    """
    starts, clusters, counts = users
    target_starts, target_clusters, target_counts = targets
    rule, mode = options
    out_user, out_cluster, out_before, out_after = out
    edit_total = 0
    for user in range(first, last):
        low, high = target_starts[part[user]], target_starts[part[user] + 1]
        room = starts[user + 1] - starts[user] + high - low
        before = np.zeros(room, dtype=np.int64)
        target = np.zeros(room, dtype=np.int64)
        n, i, j = 0, starts[user], low
        total, unit = 0, 0
        while i < starts[user + 1] or j < high:
            own_cluster = clusters[i] if i < starts[user + 1] else np.int64(1 << 62)
            target_cluster = target_clusters[j] if j < high else np.int64(1 << 62)
            out_user[edit_total + n] = user
            out_cluster[edit_total + n] = min(own_cluster, target_cluster)
            if own_cluster <= target_cluster:
                before[n] = counts[i]
                i += 1
            if target_cluster <= own_cluster:
                target[n] = target_counts[j]
                total += target[n]
                unit = math.gcd(unit, target[n])
                j += 1
            n += 1
        size = _final_size(before[:n], target[:n], total, rule, mode, total // unit)
        after = np.zeros(n, dtype=np.int64)
        _round_counts(target[:n], total, size, after)
        for index in range(n):
            if mode == ADD:
                after[index] = max(after[index], before[index])
            elif mode == SUPPRESS:
                after[index] = min(after[index], before[index])
            out_before[edit_total + index] = before[index]
            out_after[edit_total + index] = after[index]
        edit_total += n
    return edit_total


@njit(cache=True, nogil=True)
def blend_all(
    first: int, last: int, starts: Array, bases: Array, leads: Array, half: float, outs: Array
) -> None:
    """Move counts of rows ``first:last`` towards others' until their shares are `half` apart.

    The counts go into `outs`, as many events as in `bases`. λ, the part of the way that is gone,
    starts at 1 − half / distance and grows until rounding leaves the distance within `half`; where
    it doesn't, they are those of `leads`. All three are CSR rows with the same clusters.
    """
    for row in range(first, last):
        part = slice(starts[row], starts[row + 1])
        base, lead, out = bases[part], leads[part], outs[part]
        a, b = base.sum(), lead.sum()
        distance = _compute_distance(base, a, lead, b)
        if distance <= half:
            out[:] = base
            continue
        least = 1.0 - half / distance
        n = len(base)
        for step in range(4):
            weight = least + (1.0 - least) * step / 4
            remainder = a
            keys = np.empty(n)
            for i in range(n):
                exact = (1.0 - weight) * base[i] + weight * lead[i] * (a / b)
                out[i] = int(exact)
                remainder -= out[i]
                keys[i] = out[i] - exact
            order = np.argsort(keys, kind="mergesort")
            for i in range(remainder):
                out[order[i % n]] += 1
            if _compute_distance(out, a, lead, b) <= half:
                break
        else:
            out[:] = lead


@njit(cache=True, nogil=True)
def _compute_distance(x: Array, a: int, y: Array, b: int) -> float:
    """½ Σ|x/a − y/b| from whole numbers: one rounding, at the division."""
    total = 0
    for i in range(len(x)):
        total += abs(x[i] * b - y[i] * a)
    return total / (2 * a * b)


# --- query clusters: near pairs of small sets, and sparse complete linkage ---------------------


class SetPostings(NamedTuple):
    """The sets that hold each element e: ``begins[e]:begins[e + 1]`` of the other columns,
    sorted by (`size` of the set, `place` of e in it, `owner`).
    """

    begins: Array
    owner: Array
    size: Array
    place: Array


class NearPairs(NamedTuple):
    """Pairs of sets and their distance, as they are written."""

    a: Array
    b: Array
    distance: Array


class LinkageEdges(NamedTuple):
    """Edges between clusters: both ends, and the length."""

    a: Array
    b: Array
    far: Array


class LinkageLists(NamedTuple):
    """The edges of each cluster as a linked list; edge e has places 2e and 2e + 1."""

    head: Array
    tail: Array
    link: Array


class LinkageNodes(NamedTuple):
    """Of each cluster its label, what it was merged into (−1 if nothing), and an edge or −1."""

    label: Array
    parent: Array
    mark: Array


@njit(cache=True, nogil=True)
def near_pairs(
    sets: RaggedArray,
    postings: SetPostings,
    delta: float,
    first: int,
    last: int,
    stamp: Array,
    out: NearPairs,
) -> tuple[int, int]:
    """Write pairs (a, b), a < b, of sets at Jaccard distance ≤ delta, for b from `first`.

    The elements of `sets` stand in ascending order, rare ones first. One test passes over
    all sets of one size and place: two sets whose first common element stands at places p and q
    share at most 1 + min(elements after each). Returns the b at which it stopped, before `last` if
    the room might not do, and the number of pairs written. `stamp` remembers the last b that
    looked at each set.
    """
    starts, members = sets
    begins, owner, size, place = postings
    out_a, out_b, out_d = out
    pair_total = 0
    for b in range(first, last):
        if pair_total + b > len(out_a) and b > first:
            return b, pair_total
        own_size = starts[b + 1] - starts[b]
        for p in range(own_size):
            if p / own_size > delta:  # even a set of all that follows and nothing else is too far
                break
            element = members[starts[b] + p]
            posting, end = begins[element], begins[element + 1]
            while posting < end:
                other_size, q = size[posting], place[posting]
                largest_overlap = 1 + min(own_size - p - 1, other_size - q - 1)
                union = own_size + other_size - largest_overlap
                is_near = (union - largest_overlap) / union <= delta
                while posting < end and size[posting] == other_size and place[posting] == q:
                    a = owner[posting]
                    if a >= b:
                        posting = _next_bucket(size, place, posting, end, other_size, q)
                        break
                    if is_near and stamp[a] != b:
                        stamp[a] = b
                        common = _count_common(members, starts, a, b)
                        union = own_size + other_size - common
                        distance = (union - common) / union
                        if distance <= delta:
                            out_a[pair_total] = a
                            out_b[pair_total] = b
                            out_d[pair_total] = distance
                            pair_total += 1
                    elif not is_near:
                        posting = _next_bucket(size, place, posting, end, other_size, q)
                        break
                    posting += 1
    return last, pair_total


@njit(cache=True, nogil=True)
def _next_bucket(size: Array, place: Array, posting: int, end: int, other_size: int, q: int) -> int:
    """First posting after `posting` of another (size, place); postings are sorted by both."""
    low, high = posting + 1, end
    while low < high:
        middle = (low + high) >> 1
        if size[middle] == other_size and place[middle] == q:
            low = middle + 1
        else:
            high = middle
    return low


@njit(cache=True, nogil=True)
def _count_common(members: Array, starts: Array, a: int, b: int) -> int:
    i, j, common = starts[a], starts[b], 0
    while i < starts[a + 1] and j < starts[b + 1]:
        if members[i] == members[j]:
            common += 1
            i += 1
            j += 1
        elif members[i] < members[j]:
            i += 1
        else:
            j += 1
    return common


@njit(cache=True, nogil=True)
def start_linkage(edges: LinkageEdges, size: int, lists: LinkageLists) -> Any:
    """Chain the edges of each set; a heap of (length, lesser label, greater label, edge).

    The first `size` edges come sorted by (length, a, b), which is a heap already. Edge e has two
    half edges, 2e at its a and 2e + 1 at its b.
    """
    heap = List()
    for e in range(size):
        heap.append((edges.far[e], edges.a[e], edges.b[e], np.int64(e)))
        _append_half(2 * e, edges.a[e], lists)
        _append_half(2 * e + 1, edges.b[e], lists)
    return heap


@njit(cache=True, nogil=True)
def _append_half(half: int, node: int, lists: LinkageLists) -> None:
    lists.link[half] = -1
    if lists.head[node] < 0:
        lists.head[node] = half
    else:
        lists.link[lists.tail[node]] = half
    lists.tail[node] = half


@njit(cache=True, nogil=True)
def link_complete(
    state: Array,
    edges: LinkageEdges,
    heap: Any,
    lists: LinkageLists,
    nodes: LinkageNodes,
    steps: int,
) -> bool:
    """Merge the nearest two clusters again and again, at most `steps` looks; True when done.

    Two clusters have an edge only while every pair across them has one, and its length is the
    greatest of these: complete linkage cut at the threshold of the edges. A merge deletes at
    least half of the edges it touches, so all merges together are O(edges), the heap
    O(edges log edges). Ties: the smaller label first, where a cluster's label is its least
    member. `state` holds edges so far and clusters so far.
    """
    a, b, distance = edges
    head, _, link = lists
    label, parent, mark = nodes
    for _ in range(steps):
        if not len(heap):
            return True
        _, _, _, e = heapq.heappop(heap)
        first, second = a[e], b[e]
        if parent[first] >= 0 or parent[second] >= 0:
            continue
        new = state[1]
        state[1] += 1
        parent[first] = parent[second] = new
        label[new] = min(label[first], label[second])
        half = head[first]
        while half >= 0:
            other = b[half >> 1] if half & 1 == 0 else a[half >> 1]
            if parent[other] < 0:
                mark[other] = half >> 1
            half = link[half]
        half = head[second]
        while half >= 0:
            other = b[half >> 1] if half & 1 == 0 else a[half >> 1]
            if parent[other] < 0 and mark[other] >= 0:
                edge = state[0]
                state[0] += 1
                a[edge], b[edge] = other, new
                distance[edge] = max(distance[mark[other]], distance[half >> 1])
                _append_half(2 * edge, other, lists)
                _append_half(2 * edge + 1, new, lists)
                low, high = min(label[other], label[new]), max(label[other], label[new])
                heapq.heappush(heap, (distance[edge], low, high, edge))
            half = link[half]
        half = head[first]
        while half >= 0:
            other = b[half >> 1] if half & 1 == 0 else a[half >> 1]
            mark[other] = -1
            half = link[half]
    return len(heap) == 0


# --- groups of users: candidates over an inverted index, row by row -----------------------------

_PIECE = 256
"""Rows that are judged by their greatest, unless one of them may be kept."""


class ShareRows(NamedTuple):
    """The shares of each user by cluster: row u is ``starts[u]:starts[u + 1]``."""

    starts: Array
    columns: Array
    values: Array


class ShareColumns(NamedTuple):
    """The users of each cluster and their shares; cluster c has ``begins[c]:ends[c]``."""

    begins: Array
    ends: Array
    rows: Array
    shares: Array


class GroupSplit(NamedTuple):
    """Groups ``order[bounds[g]:bounds[g + 1]]``, the seed of each, and the part of each user."""

    order: Array
    bounds: Array
    lead: Array
    part: Array


@njit(cache=True, nogil=True)
def group_nearest(
    state: Array,
    k: int,
    users: ShareRows,
    clusters: ShareColumns,
    group: Array,
    overlap: Array,
    work: int,
) -> bool:
    """Group the first ungrouped user with its k − 1 nearest ungrouped, again and again.

    Nearest is the greatest overlap, then the smaller row; users who share nothing come last, by
    row. Entries of grouped users leave a column when they are an eighth of it, so a column costs
    its ungrouped users. Stops after about `work` additions, or with fewer than k users left
    (returns True). `state` holds: first row that may be ungrouped, users left, groups made.
    Between seeds everybody's `overlap` with the seed is zero, and −inf of who is in a group: no
    addition needs to ask.
    """
    starts, columns, values = users
    begins, ends, rows, shares = clusters
    spent = 0
    while state[1] >= k:
        if spent > work:
            return False
        while group[state[0]] >= 0:
            state[0] += 1
        seed = state[0]
        number = state[2]
        group[seed], overlap[seed] = number, -np.inf
        profile = columns[starts[seed] : starts[seed + 1]]
        met = _add_overlaps(profile, values[starts[seed] :], begins, ends, rows, shares, overlap)
        nearest = _find_nearest(seed + 1, k - 1, overlap)
        for _, row in nearest:
            group[-row], overlap[-row] = number, -np.inf
        count = len(nearest)
        after = seed + 1
        while count < k - 1:  # nobody else shares a cluster with the seed
            if group[after] < 0:
                group[after], overlap[after] = number, -np.inf
                count += 1
            after += 1
        state[1] -= k
        state[2] += 1
        spent += met + (len(group) >> 3)
    return True


@njit(cache=True, nogil=True)
def _add_overlaps(
    columns: Array,
    values: Array,
    begins: Array,
    ends: Array,
    rows: Array,
    shares: Array,
    overlap: Array,
) -> int:
    """Add to everybody's overlap what they share with the seed; how many entries were read."""
    met = 0
    for index in range(len(columns)):
        share, first, last = values[index], begins[columns[index]], ends[columns[index]]
        gone = 0
        for place in range(first, last):
            before = overlap[rows[place]]
            gone += before < 0
            overlap[rows[place]] = before + min(share, shares[place])
        met += last - first
        if gone > (last - first) >> 3:
            end = first
            for place in range(first, last):
                if overlap[rows[place]] >= 0:
                    rows[end], shares[end] = rows[place], shares[place]
                    end += 1
            ends[columns[index]] = end
    return met


@njit(cache=True, nogil=True)
def _find_nearest(first: int, room: int, overlap: Array) -> list[tuple[float, int]]:
    """The `room` best of all from `first` on, in passes that the processor does several at once."""
    heap = [(0.0, row) for row in range(0)]
    least = 0.0
    for low in range(first, len(overlap), _PIECE):
        high = min(low + _PIECE, len(overlap))
        largest_overlap = 0.0
        for row in range(low, high):
            largest_overlap = max(largest_overlap, overlap[row])
        if largest_overlap <= least:
            continue
        for row in range(low, high):
            if overlap[row] > least:
                _offer_row(heap, room, row, overlap)
                if len(heap) == room > 0:
                    least = heap[0][0]
    for row in range(first, len(overlap)):
        overlap[row] = min(overlap[row], 0.0)
    return heap


@njit(cache=True, nogil=True)
def _offer_row(heap: list[tuple[float, int]], room: int, row: int, overlap: Array) -> None:
    """Keep the `room` best rows in a heap of (overlap, −row), whose root is the worst."""
    if len(heap) < room:
        heapq.heappush(heap, (overlap[row], -row))
    elif room > 0:
        heapq.heappushpop(heap, (overlap[row], -row))


@njit(cache=True, nogil=True)
def split_groups(
    m: int, groups: GroupSplit, first: int, last: int, users: ShareRows, dense: Array, offset: int
) -> int:
    """Split the groups ``first:last`` into parts of at least m around seeds.

    The first seed is the group's `lead`, the next ones its first unplaced members; each takes its
    m − 1 nearest unplaced, and the fewer than m that are left join the part of the seed nearest to
    each. Numbers parts from `offset`; returns the next number. O(group² / m · entries) a group.
    """
    order, bounds, lead, part = groups
    starts, columns, values = users
    for g in range(first, last):
        members = order[bounds[g] : bounds[g + 1]]
        size = len(members)
        overlap = np.zeros(size, dtype=np.float64)
        seeds = np.empty(size // m, dtype=np.int64)
        for number in range(size // m):
            seed = lead[g]
            if number:
                for member in members:
                    if part[member] < 0:
                        seed = member
                        break
            seeds[number] = seed
            part[seed] = offset + number
            compute_overlaps(seed, members, starts, columns, values, dense, overlap)
            for _ in range(m - 1):
                best = -1
                for index in range(size):
                    if part[members[index]] < 0 and (best < 0 or overlap[index] > overlap[best]):
                        best = index
                part[members[best]] = offset + number
        for member in members:
            if part[member] < 0:
                compute_overlaps(member, seeds, starts, columns, values, dense, overlap)
                best = 0
                for index in range(len(seeds)):
                    if overlap[index] > overlap[best]:
                        best = index
                part[member] = offset + best
        offset += size // m
    return offset


@njit(cache=True, nogil=True)
def compute_overlaps(
    row: int, rows: Array, starts: Array, columns: Array, values: Array, dense: Array, out: Array
) -> None:
    """Write the overlap of `row` with each of others; `dense` (one a column) is 0 in between."""
    for entry in range(starts[row], starts[row + 1]):
        dense[columns[entry]] = values[entry]
    for index in range(len(rows)):
        total = 0.0
        for entry in range(starts[rows[index]], starts[rows[index] + 1]):
            total += min(values[entry], dense[columns[entry]])
        out[index] = total
    for entry in range(starts[row], starts[row + 1]):
        dense[columns[entry]] = 0


@njit(cache=True, nogil=True)
def add_similarities(key: Array, row: Array, share: Array, total: Array) -> None:
    """Add to ``total[row]`` the sum of min(own share, share) over each entry's cell of equal keys.

    Entries of one cell stand together. O(entries log entries).
    """
    first = 0
    while first < len(key):
        last = first + 1
        while last < len(key) and key[last] == key[first]:
            last += 1
        size = last - first
        order = np.argsort(share[first:last])
        below = 0.0
        for place in range(size):
            i = first + order[place]
            total[row[i]] += below + share[i] * (size - place)
            below += share[i]
        first = last
