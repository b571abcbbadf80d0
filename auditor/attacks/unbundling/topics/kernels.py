"""The largest clique of each vertex of a graph."""

import numpy as np
from numba import njit

from auditor.arrays import Array, RaggedArray


@njit(cache=True, nogil=True)
def order_by_degeneracy(graph: RaggedArray, order: Array) -> int:
    """Fill `order` with the vertices, always one of least remaining degree next; linear.

    Returns the largest of those degrees: no vertex has more neighbours behind it.
    """
    starts, adjacent = graph
    size = len(starts) - 1
    degree = np.diff(starts)
    highest_degree = np.max(degree) if size else 0
    begin = np.zeros(highest_degree + 2, np.int64)
    for v in range(size):
        begin[degree[v] + 1] += 1
    begin = np.cumsum(begin)
    place = np.empty(size, np.int64)
    cursor = begin.copy()
    for v in range(size):
        place[v] = cursor[degree[v]]
        order[place[v]] = v
        cursor[degree[v]] += 1
    degeneracy = 0
    for i in range(size):
        v = order[i]
        degeneracy = max(degeneracy, degree[v])
        for edge in range(starts[v], starts[v + 1]):
            u = adjacent[edge]
            if degree[u] > degree[v]:
                # u changes places with the first vertex of its degree, and goes one down.
                front = max(begin[degree[u]], i + 1)
                w = order[front]
                order[place[u]], order[front] = w, u
                place[w], place[u] = place[u], front
                begin[degree[u]] = front + 1
                degree[u] -= 1
    return degeneracy


@njit(cache=True, nogil=True)
def _count_ones(bits: np.uint64) -> int:
    bits = bits - ((bits >> np.uint64(1)) & np.uint64(0x5555555555555555))
    bits = (bits & np.uint64(0x3333333333333333)) + (
        (bits >> np.uint64(2)) & np.uint64(0x3333333333333333)
    )
    bits = (bits + (bits >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return int((bits * np.uint64(0x0101010101010101)) >> np.uint64(56))


@njit(cache=True, nogil=True)
def _collect_neighbours(
    root: int, starts: Array, adjacent: Array, local: Array, members: Array, matrix: Array
) -> int:
    """The later neighbours of `root` and, in bits of `matrix`, which of them are neighbours."""
    size = 0
    for edge in range(starts[root], starts[root + 1]):
        if adjacent[edge] > root:
            members[size] = adjacent[edge]
            local[adjacent[edge]] = size
            size += 1
    for i in range(size):
        matrix[i, :] = np.uint64(0)
        v = members[i]
        for edge in range(starts[v], starts[v + 1]):
            j = local[adjacent[edge]]
            if j >= 0:
                matrix[i, j >> 6] |= np.uint64(1) << np.uint64(j & 63)
    for i in range(size):
        local[members[i]] = -1
    return size


@njit(cache=True, nogil=True)
def _find_lowest_bit(bits: np.uint64) -> int:
    bit_position: int = _count_ones((bits & (~bits + np.uint64(1))) - np.uint64(1))
    return bit_position


@njit(cache=True, nogil=True)
def _scan_possible(
    possible: Array, matrix: Array, members: Array, size: Array, lanes: int, branch: Array
) -> tuple[int, int, int]:
    """How many vertices are possible, the least of their best sizes, and the best connected one.

    `branch` becomes those of them that aren't neighbours of the last: every clique that can't
    grow holds one of these (Tomita's pivot).
    """
    count = 0
    least = 1 << 60
    pivot, shared = -1, -1
    for lane in range(lanes):
        bits = possible[lane]
        while bits:
            i = (lane << 6) + _find_lowest_bit(bits)
            bits &= bits - np.uint64(1)
            count += 1
            least = min(least, size[members[i]])
            common = 0
            for other in range(lanes):
                common += _count_ones(possible[other] & matrix[i, other])
            if common > shared:
                pivot, shared = i, common
    for lane in range(lanes):
        branch[lane] = possible[lane]
        if pivot >= 0:
            branch[lane] &= ~matrix[pivot, lane]
    return count, least, pivot


@njit(cache=True, nogil=True)
def _report_clique(
    root: int, path: Array, depth: int, members: Array, size: Array, clique: Array, name: int
) -> int:
    """Give a clique's name to the vertices that were in none as large; the next free name."""
    has_grown = False
    for level in range(-1, depth):
        v = root if level < 0 else members[path[level]]
        if depth + 1 > size[v]:
            size[v] = depth + 1
            clique[v] = name
            has_grown = True
    return name + 1 if has_grown else name


@njit(cache=True, nogil=True)
def find_cliques(
    graph: RaggedArray, roots: Array, limit: int, name: int, budget: int, size: Array, clique: Array
) -> tuple[int, int]:
    """The largest clique of each vertex, among cliques whose first vertex is one of `roots`.

    Vertices are numbered by `order_by_degeneracy`, which gave `limit`. Of each vertex `size` is the
    size of its largest clique so far (1 to begin with), and `clique` that one's name. A branch that
    can't give any of its vertices a larger clique is not followed. A root on which `budget` steps
    were spent is left with the largest so far. Returns the next free name, and how many roots were
    left so.
    """
    starts, links = graph
    lanes = max(1, (limit + 63) >> 6)
    matrix = np.zeros((limit + 2, lanes), np.uint64)
    possible, branch = np.zeros_like(matrix), np.zeros_like(matrix)
    pivot, path, members = np.zeros((3, limit + 2), np.int64)
    local = np.full(len(starts) - 1, -1, np.int64)
    cut = 0
    for root in roots:
        count = _collect_neighbours(root, starts, links, local, members, matrix)
        lanes = (count + 63) >> 6
        for lane in range(lanes):
            bits = min(count - (lane << 6), 64)
            possible[0, lane] = ~np.uint64(0) >> np.uint64(64 - bits)
        spent = count * lanes
        depth = np.int64(0)
        enter = True
        while depth >= 0:
            if enter:
                enter = False
                remaining, least, pivot[depth] = _scan_possible(
                    possible[depth], matrix, members, size, lanes, branch[depth]
                )
                spent += (remaining + 1) * lanes
                least = min(least, size[root])
                for level in range(depth):
                    least = min(least, size[members[path[level]]])
                if remaining == 0 or spent > budget:
                    name = _report_clique(root, path, depth, members, size, clique, name)
                    if remaining > 0:
                        cut += 1
                        break
                if depth + 1 + remaining <= least:
                    depth -= 1
                    continue
            take = pivot[depth]
            pivot[depth] = -1
            lane = 0
            while take < 0 and lane < lanes:
                if branch[depth, lane]:
                    take = (lane << 6) + _find_lowest_bit(branch[depth, lane])
                lane += 1
            if take < 0:
                depth -= 1
                continue
            bit = np.uint64(1) << np.uint64(take & 63)
            branch[depth, take >> 6] &= ~bit
            for lane in range(lanes):
                possible[depth + 1, lane] = possible[depth, lane] & matrix[take, lane]
            possible[depth, take >> 6] &= ~bit
            path[depth] = take
            depth += 1
            enter = True
    return name, cut
