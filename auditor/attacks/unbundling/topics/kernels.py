"""Which words the same people use, and the largest clique of each word among those related."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from auditor.arrays import Array, RaggedArray


class QueryRows(NamedTuple):
    """User and query of each row, sorted by user; shape (rows,) each."""

    user: Array
    query: Array


class TokenIndex(NamedTuple):
    """The words of each user, and for each word the entries it stands in.

    Entry e is word ``listed[e]`` of a user whose words end at ``ends[e]``; those of word w are
    ``entries[begins[w]:begins[w + 1]]``.
    """

    listed: Array
    ends: Array
    begins: Array
    entries: Array


class TokenPairs(NamedTuple):
    """Words that stood in one query: those of w are ``word[starts[w]:starts[w + 1]]``.

    ``users`` put both into one query.
    """

    starts: Array
    word: Array
    users: Array


class RelationRule(NamedTuple):
    """Pairs count of `least` users or more whose χ² is `lowest` at least."""

    users: int
    least: int
    lowest: float


class RelationScratch(NamedTuple):
    """Work space of one word: `counts` and `combined` are zero and are left so."""

    counts: Array
    combined: Array
    touched: Array


class TokenRelations(NamedTuple):
    """Pairs of words as they are found, and their χ²."""

    left: Array
    right: Array
    chi: Array


class CliqueScratch(NamedTuple):
    """Work space of a search among the later neighbours of one vertex."""

    matrix: Array
    possible: Array
    branch: Array
    pivot: Array
    chosen: Array
    local: Array
    members: Array


class LargestCliques(NamedTuple):
    """Of each vertex the size of its largest clique so far (1 to begin with), and its name."""

    size: Array
    clique: Array


@njit(cache=True, nogil=True)
def count_words(
    rows: QueryRows,
    tokens: RaggedArray,
    first: int,
    last: int,
    stamp: Array,
    size: Array,
    users: Array,
) -> None:
    """Add to `size` the distinct words of each user, to `users` the users of each word.

    The rows ``first:last`` are read; `stamp` holds the last user seen with each word.
    """
    user, query = rows
    starts, words = tokens
    for row in range(first, last):
        asked = query[row]
        for at in range(starts[asked], starts[asked + 1]):
            word = words[at]
            if stamp[word] != user[row]:
                stamp[word] = user[row]
                size[user[row]] += 1
                users[word] += 1


@njit(cache=True, nogil=True)
def list_words(
    rows: QueryRows,
    tokens: RaggedArray,
    first: int,
    last: int,
    stamp: Array,
    cursor: Array,
    listed: Array,
) -> None:
    """Write the distinct words of each user at their `cursor`, as `count_words` counts them."""
    user, query = rows
    starts, words = tokens
    for row in range(first, last):
        asked = query[row]
        for at in range(starts[asked], starts[asked + 1]):
            word = words[at]
            if stamp[word] != user[row]:
                stamp[word] = user[row]
                listed[cursor[user[row]]] = word
                cursor[user[row]] += 1


@njit(cache=True, nogil=True)
def sort_words(begins: Array, first: int, last: int, listed: Array) -> None:
    """Put the words of the users ``first:last`` in ascending order."""
    for user in range(first, last):
        listed[begins[user] : begins[user + 1]].sort()


@njit(cache=True, nogil=True)
def invert_index(listed: Array, first: int, last: int, cursor: Array, entries: Array) -> None:
    """Write for each word where it stands in `listed`, at its `cursor`."""
    for entry in range(first, last):
        word = listed[entry]
        entries[cursor[word]] = entry
        cursor[word] += 1


@njit(cache=True, nogil=True)
def relate_tokens(
    index: TokenIndex,
    pairs: TokenPairs,
    rule: RelationRule,
    first: int,
    work: int,
    scratch: RelationScratch,
    out: TokenRelations,
) -> tuple[int, int]:
    """Pairs of words, from word `first` on, that are related by the rule.

    Writes to `out`; stops at a word for which there may be no room, or when `work` steps are done,
    and returns the next word and the pairs written.
    """
    listed, ends, begins, entries = index
    pair_starts, pair_word, pair_users = pairs
    users, least, lowest = rule
    count, combined, touched = scratch
    left, right, chi = out
    written = 0
    steps = 0
    word = first
    while word < len(begins) - 1 and written + len(touched) <= len(left) and steps < work:
        some = 0
        for at in range(begins[word], begins[word + 1]):
            entry = entries[at]
            steps += ends[entry] - entry
            for other in range(entry + 1, ends[entry]):
                two = listed[other]
                if count[two] == 0:
                    touched[some] = two
                    some += 1
                count[two] += 1
        for at in range(pair_starts[word], pair_starts[word + 1]):
            combined[pair_word[at]] = pair_users[at]
        mine = begins[word + 1] - begins[word]
        for i in range(some):
            two = touched[i]
            never = combined[two]
            both = count[two] - never
            count[two] = 0
            if both < least:
                continue
            rows = float(mine - never)
            columns = float(begins[two + 1] - begins[two] - never)
            n = float(users - never)
            over = both * n - rows * columns
            if over <= 0.0:
                continue
            rest = rows * (n - rows) * columns * (n - columns)
            value = n * over * over / rest if rest > 0.0 else np.inf
            if value >= lowest:
                left[written] = word
                right[written] = two
                chi[written] = value
                written += 1
        for at in range(pair_starts[word], pair_starts[word + 1]):
            combined[pair_word[at]] = 0
        word += 1
    return word, written


@njit(cache=True, nogil=True)
def order_by_degeneracy(starts: Array, near: Array, order: Array) -> int:
    """Fill `order` with the vertices, always one of least remaining degree next; linear.

    Returns the largest of those degrees: no vertex has more neighbours behind it.
    """
    size = len(starts) - 1
    degree = np.empty(size, np.int64)
    most = 0
    for v in range(size):
        degree[v] = starts[v + 1] - starts[v]
        most = max(most, degree[v])
    begin = np.zeros(most + 2, np.int64)
    for v in range(size):
        begin[degree[v] + 1] += 1
    for d in range(most + 1):
        begin[d + 1] += begin[d]
    place = np.empty(size, np.int64)
    cursor = begin.copy()
    for v in range(size):
        place[v] = cursor[degree[v]]
        order[place[v]] = v
        cursor[degree[v]] += 1
    found = 0
    for i in range(size):
        v = order[i]
        found = max(found, degree[v])
        for at in range(starts[v], starts[v + 1]):
            u = near[at]
            if degree[u] > degree[v]:
                # u changes places with the first vertex of its degree, and goes one down.
                front = max(begin[degree[u]], i + 1)
                w = order[front]
                order[place[u]], order[front] = w, u
                place[w], place[u] = place[u], front
                begin[degree[u]] = front + 1
                degree[u] -= 1
    return found


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
    root: int, starts: Array, near: Array, local: Array, members: Array, matrix: Array
) -> int:
    """The later neighbours of `root` and, in bits of `matrix`, which of them are neighbours."""
    size = 0
    for at in range(starts[root], starts[root + 1]):
        if near[at] > root:
            members[size] = near[at]
            local[near[at]] = size
            size += 1
    for i in range(size):
        matrix[i, :] = np.uint64(0)
        v = members[i]
        for at in range(starts[v], starts[v + 1]):
            j = local[near[at]]
            if j >= 0:
                matrix[i, j >> 6] |= np.uint64(1) << np.uint64(j & 63)
    for i in range(size):
        local[members[i]] = -1
    return size


@njit(cache=True, nogil=True)
def _find_lowest_bit(bits: np.uint64) -> int:
    ones: int = _count_ones((bits & (~bits + np.uint64(1))) - np.uint64(1))
    return ones


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
def _find_next_vertex(branch: Array, lanes: int) -> int:
    for lane in range(lanes):
        if branch[lane]:
            first: int = (lane << 6) + _find_lowest_bit(branch[lane])
            return first
    return -1


@njit(cache=True, nogil=True)
def _report_clique(
    root: int, chosen: Array, depth: int, members: Array, size: Array, clique: Array, name: int
) -> int:
    """Give a clique's name to the vertices that were in none as large; the next free name."""
    some = False
    for at in range(-1, depth):
        v = root if at < 0 else members[chosen[at]]
        if depth + 1 > size[v]:
            size[v] = depth + 1
            clique[v] = name
            some = True
    return name + 1 if some else name


@njit(cache=True, nogil=True)
def find_cliques(
    graph: RaggedArray,
    root: int,
    name: int,
    work: int,
    budget: int,
    scratch: CliqueScratch,
    best: LargestCliques,
) -> tuple[int, int, int]:
    """The largest clique of each vertex, among cliques whose first vertex is `root` or before.

    Vertices are numbered by `order_by_degeneracy`; `best` is what is
    known so far. A branch that can't give any of its vertices a larger clique is not followed. A
    root on which `budget` steps were spent is left with what was found by then. Returns the next
    root, after `work` steps or so, the next free name, and how many roots were left so.
    """
    starts, near = graph
    matrix, possible, branch, pivot, chosen, local, members = scratch
    size, clique = best
    steps = 0
    cut = 0
    while root >= 0 and steps < work:
        count = _collect_neighbours(root, starts, near, local, members, matrix)
        lanes = (count + 63) >> 6
        for lane in range(lanes):
            rest = min(count - (lane << 6), 64)
            possible[0, lane] = ~np.uint64(0) >> np.uint64(64 - rest)
        spent = count * lanes
        depth = 0
        enter = True
        while depth >= 0:
            if enter:
                enter = False
                left, least, pivot[depth] = _scan_possible(
                    possible[depth], matrix, members, size, lanes, branch[depth]
                )
                spent += (left + 1) * lanes
                least = min(least, size[root])
                for at in range(depth):
                    least = min(least, size[members[chosen[at]]])
                if left == 0 or spent > budget:
                    name = _report_clique(root, chosen, depth, members, size, clique, name)
                    if left > 0:
                        cut += 1
                        break
                if depth + 1 + left <= least:
                    depth -= 1
                    continue
            take = pivot[depth]
            pivot[depth] = -1
            if take < 0:
                take = _find_next_vertex(branch[depth], lanes)
            if take < 0:
                depth -= 1
                continue
            bit = np.uint64(1) << np.uint64(take & 63)
            branch[depth, take >> 6] &= ~bit
            for lane in range(lanes):
                possible[depth + 1, lane] = possible[depth, lane] & matrix[take, lane]
            possible[depth, take >> 6] &= ~bit
            chosen[depth] = take
            depth += 1
            enter = True
        steps += spent + 1
        root -= 1
    return root, name, cut
