"""Fibers by union-find, and how two ways of cutting bundles agree, in linear time.

Events stand by bundle; events of different bundles are never joined. The parent of an event never
stands behind it, so that one pass from the front makes every parent its root. Codes, places and
parents come as uint32, which spares numba the test for negative indices: half of the time.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from auditor.arrays import Array, RaggedArray

_ONE = np.uint32(1)


@njit(cache=True, nogil=True)
def _find_root(parent: Array, event: np.uint32) -> Any:
    up = parent[event]
    while up != event:
        above = parent[up]
        parent[event] = above
        event = above
        up = parent[event]
    return event


@njit(cache=True, nogil=True)
def join_keys(
    bundle: Array,
    query: Array,
    begins: Array,
    query_keys: RaggedArray,
    first: np.uint32,
    last: np.uint32,
    owner: Array,
    parent: Array,
) -> None:
    """Join the events ``first:last`` of a bundle that share a key; near linear in their keys.

    `bundle` and `query` are of each event, and bundle b's begin at ``begins[b]``.
    `owner` keeps for each key one more than the last root that had it, 0 to begin with: one that
    stands before the bundle has it no more, so nothing is cleared between bundles. Call with
    ascending blocks.
    """
    starts, keys = query_keys
    for event in range(first, last):
        begin = begins[bundle[event]]
        root = np.uint32(_find_root(parent, np.uint32(event)))
        code = query[event]
        for index in range(starts[code], starts[code + _ONE]):
            key = keys[index]
            last_root = owner[key]
            # No branch that nobody can foresee: a new key joins the root with itself.
            other = np.uint32(last_root - _ONE) if last_root > begin else root
            up = parent[other]
            while up != other:
                above = parent[up]
                parent[other] = above
                other = above
                up = parent[other]
            low, high = min(other, root), max(other, root)
            parent[high] = low
            root = low
            owner[key] = np.uint32(low + _ONE)


@njit(cache=True, nogil=True)
def flatten_labels(parent: Array, first: int, last: int) -> None:
    """Make the parents of the events ``first:last`` roots; call with ascending blocks."""
    for event in range(first, last):
        parent[event] = parent[parent[event]]


@njit(cache=True, nogil=True)
def place_events(label: Array, first: int, last: int, cursor: Array, order: Array) -> None:
    """Write the events ``first:last`` to `order`, by label; `cursor` is where each label is."""
    for event in range(first, last):
        group = label[event]
        order[cursor[group]] = event
        cursor[group] += 1


@njit(cache=True, nogil=True)
def count_contingency(
    order: Array, starts: Array, first: int, last: int, fiber: Array, count: Array, joint: Array
) -> None:
    """How many events share label and fiber with each event of the labels ``first:last``; linear.

    `count` has a place for each fiber, is zero, and is left so.
    """
    for label in range(first, last):
        events = order[starts[label] : starts[label + 1]]
        for event in events:
            count[fiber[event]] += 1
        for event in events:
            joint[event] = count[fiber[event]]
        for event in events:
            count[fiber[event]] = 0
