"""Cuts strings of letters into names along the shortest path; a few µs each.

Names stand in a tree of letters: 26 children a node. A string costs its letters times the
longest name that begins at each.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from auditor.arrays import Float64s, Int32s, Int64s, UInt8s

_A = 97


@njit(cache=True, nogil=True)
def fill_tree(data: UInt8s, offsets: Int64s, costs: Float64s, child: Int32s, cost: Float64s) -> int:
    """Put names of letters a to z into the tree; return how many nodes it has.

    `child` and `cost` have room for one node a letter and the root, `cost` being −1 where no
    name ends.
    """
    nodes = 1
    for name in range(len(offsets) - 1):
        node = 0
        for place in range(offsets[name], offsets[name + 1]):
            letter = data[place] - _A
            if child[node, letter] == 0:
                child[node, letter] = nodes
                nodes += 1
            node = child[node, letter]
        cost[node] = costs[name]
    return nodes


@njit(cache=True, nogil=True)
def cut_names(data: UInt8s, offsets: Int64s, child: Int32s, cost: Float64s, back: Int64s) -> None:
    """Write for the end of each letter where the last edge of the best path to it begins.

    ``back[i]`` belongs to the letter at i and counts from its string's beginning. A path is
    better with fewer edges, then with fewer single letters, then with more common names.
    """
    longest = 1
    for index in range(len(offsets) - 1):
        longest = max(longest, offsets[index + 1] - offsets[index])
    edges = np.empty(longest + 1, np.int64)
    singles = np.empty(longest + 1, np.int64)
    rarity = np.empty(longest + 1, np.float64)
    for index in range(len(offsets) - 1):
        first = offsets[index]
        size = offsets[index + 1] - first
        edges[: size + 1] = size + 1
        edges[0] = singles[0] = 0
        rarity[0] = 0.0
        for start in range(size):
            node = 0
            for stop in range(start + 1, size + 1):
                if node >= 0:
                    node = child[node, data[first + stop - 1] - _A]
                    if node == 0:
                        node = -1
                single = stop == start + 1
                if not single and node < 0:
                    break
                if not single and cost[node] < 0.0:
                    continue
                more = edges[start] + 1
                alone = singles[start] + (1 if single else 0)
                rare = rarity[start] + (0.0 if single else cost[node])
                if more > edges[stop]:
                    continue
                if more == edges[stop]:
                    if alone > singles[stop]:
                        continue
                    if alone == singles[stop] and rare >= rarity[stop]:
                        continue
                edges[stop], singles[stop], rarity[stop] = more, alone, rare
                back[first + stop - 1] = start
