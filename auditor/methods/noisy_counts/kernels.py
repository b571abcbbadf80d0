"""Compiled walks over a log sorted by user: who contributes what, within which limits.

Every walk handles the users ``first:last``, so that its caller can go block by block and hear
a cancel in between. Codes come as uint32 views: numba then needs no test for negative indices.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from auditor.arrays import Array

ROWS, EVENTS, USERS = 0, 1, 2
"""What one count is: a row, a distinct (user, query, time), or a distinct user."""


class UserHistories(NamedTuple):
    """Query and URL of each row, whether it begins an event (empty unless events are counted),
    where the rows of each user begin, before which row each history is cut, and which queries are
    passed over (empty if none).
    """

    query: Array
    begins: Array
    url: Array
    starts: Array
    stops: Array
    dropped: Array


@njit(cache=True, nogil=True)
def count_queries(
    histories: UserHistories, first: int, last: int, unit: int, limit: int, table: Array
) -> None:
    """Cut each user's history after its first `limit` units and count the queries in it.

    A history is cut before the row that would bring unit number ``limit + 1``, where a unit is
    a row, an event or a query not asked before. Changes `table`, int32 (queries, 2): the
    user who was seen last, and the count, side by side because both are wanted at once and the
    table is larger than the cache; and the `stops` of the histories. O(rows in the histories).
    """
    query, begins, _, starts, stops, dropped = histories
    cleaned = len(dropped) > 0
    for user in range(first, last):
        begin, end = starts[user], starts[user + 1]
        units = 0
        row = begin
        while row < end:
            code = query[row]
            if not cleaned or not dropped[code]:
                if unit == USERS:
                    new = table[code, 0] != user
                elif unit == EVENTS:
                    new = begins[row]
                else:
                    new = True
                if new:
                    if units == limit:
                        break
                    units += 1
                    table[code, 0] = user
                    table[code, 1] += 1
            row += 1
        stops[user] = row


@njit(cache=True, nogil=True)
def _first_sight(key: int, user: int, keys: Array, marks: Array) -> bool:
    """Whether `user` shows `key` for the first time; remembers it. Open addressing."""
    mask = np.uint64(len(keys) - 1)
    slot = (np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(20)
    slot &= mask
    while marks[slot] == user:
        if keys[slot] == key:
            return False
        slot = (slot + np.uint64(1)) & mask
    marks[slot] = user
    keys[slot] = key
    return True


@njit(cache=True, nogil=True)
def emit_pairs(
    histories: UserHistories,
    first: int,
    last: int,
    clicks: bool,
    once: bool,
    limit: int,
    places: Array,
    width: int,
    keys: Array,
    marks: Array,
    out: Array,
) -> tuple[int, int]:
    """Write the key ``places[query] * width + second`` of each user's first `limit` pairs.

    A pair is a query with the page that was clicked for it (`clicks`), or with the next query of
    the history, where `second` is that one's place. Consecutive rows of one query (its clicks, its
    next pages, its repetitions) are one step of a history. With `once`, a user's second pair of the
    same codes counts for nothing. The limit looks at all queries; only pairs whose queries have a
    place from 0 on are written. `keys` and `marks` are scratch of a power of two above twice the
    limit (or the longest history). Returns how many keys were written and how many pairs were taken
    in all.
    """
    query, _, url, starts, stops, dropped = histories
    cleaned = len(dropped) > 0
    key_count = 0
    total = 0
    for user in range(first, last):
        taken = 0
        before = np.int64(-1)
        for row in range(starts[user], stops[user]):
            code = np.int64(query[row])
            if cleaned and dropped[query[row]]:
                continue
            if clicks:
                source, target = code, np.int64(url[row])
            else:
                source, target = before, code
                before = code
            if source < 0 or target < 0 or (not clicks and source == target):
                continue
            if taken == limit:
                break
            if once and not _first_sight((source << 32) | target, user, keys, marks):
                continue
            taken += 1
            place, second = places[source], target
            if not clicks:
                second = np.int64(places[target])
            if place >= 0 and second >= 0:
                out[key_count] = np.int64(place) * width + second
                key_count += 1
        total += taken
    return key_count, total
