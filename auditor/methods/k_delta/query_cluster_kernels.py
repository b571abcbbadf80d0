"""Compiled parts of query clustering: near pairs of small sets, and sparse complete linkage."""

from __future__ import annotations

from typing import NamedTuple

from numba import njit

from auditor.arrays import Array, RaggedArray


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
    """Edges between clusters: both ends, length, lesser and greater label."""

    a: Array
    b: Array
    far: Array
    low: Array
    high: Array


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
    written = 0
    for b in range(first, last):
        if written + b > len(out_a) and b > first:
            return b, written
        mine = starts[b + 1] - starts[b]
        for p in range(mine):
            if p / mine > delta:  # even a set of all that follows and nothing else is too far
                break
            element = members[starts[b] + p]
            posting, end = begins[element], begins[element + 1]
            while posting < end:
                theirs, q = size[posting], place[posting]
                most = 1 + min(mine - p - 1, theirs - q - 1)
                union = mine + theirs - most
                near = (union - most) / union <= delta
                while posting < end and size[posting] == theirs and place[posting] == q:
                    a = owner[posting]
                    if a >= b:
                        posting = _next_bucket(size, place, posting, end, theirs, q)
                        break
                    if near and stamp[a] != b:
                        stamp[a] = b
                        common = _count_common(members, starts, a, b)
                        union = mine + theirs - common
                        distance = (union - common) / union
                        if distance <= delta:
                            out_a[written] = a
                            out_b[written] = b
                            out_d[written] = distance
                            written += 1
                    elif not near:
                        posting = _next_bucket(size, place, posting, end, theirs, q)
                        break
                    posting += 1
    return last, written


@njit(cache=True, nogil=True)
def _next_bucket(size: Array, place: Array, posting: int, end: int, theirs: int, q: int) -> int:
    """First posting after `posting` of another (size, place); postings are sorted by both."""
    low, high = posting + 1, end
    while low < high:
        middle = (low + high) >> 1
        if size[middle] == theirs and place[middle] == q:
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
def _is_before(e: int, f: int, far: Array, low: Array, high: Array) -> bool:
    if far[e] != far[f]:
        return bool(far[e] < far[f])
    if low[e] != low[f]:
        return bool(low[e] < low[f])
    return bool(high[e] < high[f])


@njit(cache=True, nogil=True)
def _push_pair(heap: Array, size: int, e: int, far: Array, low: Array, high: Array) -> int:
    node = size
    heap[node] = e
    while node > 0:
        above = (node - 1) >> 1
        if not _is_before(heap[node], heap[above], far, low, high):
            break
        heap[node], heap[above] = heap[above], heap[node]
        node = above
    return size + 1


@njit(cache=True, nogil=True)
def _pop_pair(heap: Array, size: int, far: Array, low: Array, high: Array) -> int:
    size -= 1
    heap[0], heap[size] = heap[size], heap[0]
    node = 0
    while True:
        child = 2 * node + 1
        if child >= size:
            return size
        if child + 1 < size and _is_before(heap[child + 1], heap[child], far, low, high):
            child += 1
        if not _is_before(heap[child], heap[node], far, low, high):
            return size
        heap[node], heap[child] = heap[child], heap[node]
        node = child


@njit(cache=True, nogil=True)
def start_linkage(state: Array, a: Array, b: Array, head: Array, tail: Array, link: Array) -> None:
    """Chain each set's edges; edges come sorted by (distance, a, b), which is a heap already.

    Edge e has two half edges, 2e at its a and 2e + 1 at its b.
    """
    for e in range(state[0]):
        _append_half(2 * e, a[e], head, tail, link)
        _append_half(2 * e + 1, b[e], head, tail, link)


@njit(cache=True, nogil=True)
def _append_half(half: int, node: int, head: Array, tail: Array, link: Array) -> None:
    link[half] = -1
    if head[node] < 0:
        head[node] = half
    else:
        link[tail[node]] = half
    tail[node] = half


@njit(cache=True, nogil=True)
def link_complete(
    state: Array,
    edges: LinkageEdges,
    heap: Array,
    lists: LinkageLists,
    nodes: LinkageNodes,
    steps: int,
) -> bool:
    """Merge the nearest two clusters again and again, at most `steps` looks; True when done.

    Two clusters have an edge only while every pair across them has one, and its length is the
    greatest of these: complete linkage cut at the threshold of the edges. A merge deletes at
    least half of the edges it touches, so all merges together are O(edges), the heap
    O(edges log edges). Ties: the smaller label first, where a cluster's label is its least
    member. `state` holds edges so far, heap size, clusters so far.
    """
    a, b, far, low, high = edges
    head, tail, link = lists
    label, parent, mark = nodes
    for _ in range(steps):
        if state[1] == 0:
            return True
        e = heap[0]
        state[1] = _pop_pair(heap, state[1], far, low, high)
        first, second = a[e], b[e]
        if parent[first] >= 0 or parent[second] >= 0:
            continue
        new = state[2]
        state[2] += 1
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
                far[edge] = max(far[mark[other]], far[half >> 1])
                low[edge] = min(label[other], label[new])
                high[edge] = max(label[other], label[new])
                _append_half(2 * edge, other, head, tail, link)
                _append_half(2 * edge + 1, new, head, tail, link)
                state[1] = _push_pair(heap, state[1], edge, far, low, high)
            half = link[half]
        half = head[first]
        while half >= 0:
            other = b[half >> 1] if half & 1 == 0 else a[half >> 1]
            mark[other] = -1
            half = link[half]
    done: bool = state[1] == 0
    return done
