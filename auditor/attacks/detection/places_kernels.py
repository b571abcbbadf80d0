"""Finds names of places and postal codes in folded queries: one pass over the bytes.

O(bytes) for words, O(words · longest phrase) for names and O(log names) for a name with a state.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from auditor.arrays import Int16s, Int32s, Int64s, UInt8s
from auditor.attacks.detection.kernels import child_of, split_tokens

STATE, SHORT, WORDLIKE, COUNTRY, LOCAL, COUNTY, BEFORE, NUMBERED = 1, 2, 4, 8, 16, 32, 64, 128
"""Bits of a phrase: a state's name, its abbreviation, one that is an English word, a country, a
word of local searches, "county", a word before a place, a word before a number that isn't a code.

A mention has the first three for the state after it, and these:"""
PRECEDED, IN_QUERY_LOCAL, WHOLE, LAST, NO_CODE = 8, 16, 32, 64, 128
STATES = 64
"""Room for states: a name and a state make the key name · STATES + state."""

_ZIP_DIGITS = 5


@njit(cache=True, nogil=True)
def _contains_key(keys: Int64s, key: int) -> bool:
    at = np.searchsorted(keys, key)
    return bool(at < len(keys) and keys[at] == key)


@njit(cache=True, nogil=True)
def _find_longest_phrases(
    here: int,
    count: int,
    codes: Int64s,
    joins: Int64s,
    size: int,
    root: Int32s,
    edge_key: Int64s,
    edge_node: Int32s,
    node_bits: UInt8s,
    node_name: Int32s,
    wanted: int,
    out: Int64s,
) -> None:
    """Set ``out`` to node and last word of the longest name, then of the longest `wanted` phrase.

    −1 where there is none.
    """
    out[:] = -1
    if here >= count or codes[here] < 0:
        return
    node = root[codes[here]]
    there = here
    while node >= 0:
        if node_name[node] >= 0:
            out[0], out[1] = node, there
        if node_bits[node] & wanted:
            out[2], out[3] = node, there
        there += 1
        if there == count or joins[there] < 2 or codes[there] < 0:
            break
        node = child_of(node, codes[there], size, edge_key, edge_node)


@njit(cache=True, nogil=True)
def _is_code(
    here: int, begins: Int64s, ends: Int64s, shapes: Int64s, data: UInt8s, first: int
) -> int:
    """The five digits of word `here` as a number, or −1."""
    if shapes[here] != 2 or ends[here] - begins[here] != _ZIP_DIGITS:
        return -1
    if begins[here] > 0:
        before = data[first + begins[here] - 1]
        if before == 35 or before == 36 or before == 46:  # # $ .
            return -1
    number = 0
    for place in range(first + begins[here], first + ends[here]):
        number = number * 10 + (data[place] - 48)
    return number


@njit(cache=True, nogil=True)
def find_mentions(
    data: UInt8s,
    starts: Int64s,
    words: UInt8s,
    offsets: Int64s,
    slots: Int32s,
    root: Int32s,
    edge_key: Int64s,
    edge_node: Int32s,
    node_bits: UInt8s,
    node_name: Int32s,
    node_state: Int16s,
    pairs: Int64s,
    zip_place: Int32s,
    out_query: Int32s,
    out_start: Int32s,
    out_stop: Int32s,
    out_name: Int32s,
    out_zip: Int32s,
    out_state: Int16s,
    out_flags: UInt8s,
) -> int:
    """Write every mention in a block of queries, by query and place; return how many there are.

    Mentions beyond the room in the ``out_`` arrays are counted but not written. A mention has a
    name, a postal code, or only a state; `pairs` are the (name, state) that exist, ascending.
    """
    size = len(offsets) - 1
    room = 2
    for query in range(len(starts) - 1):
        room = max(room, (starts[query + 1] - starts[query]) // 2 + 2)
    begins, ends = np.empty(room, np.int64), np.empty(room, np.int64)
    codes, shapes = np.empty(room, np.int64), np.empty(room, np.int64)
    joins = np.empty(room, np.int64)
    here_at, next_at = np.empty(4, np.int64), np.empty(4, np.int64)
    found = 0
    for query in range(len(starts) - 1):
        first = starts[query]
        count, _ = split_tokens(
            data,
            first,
            starts[query + 1],
            words,
            offsets,
            slots,
            root,
            begins,
            ends,
            codes,
            shapes,
            joins,
        )
        opened = found
        local = 0
        free = 0
        before = 0
        for here in range(count):
            if here < free:
                continue
            name = zip_code = state = -1
            last = here
            flags = 0
            bits = 0
            also_state = -1
            number = _is_code(here, begins, ends, shapes, data, first)
            if number >= 0 and zip_place[number] >= 0:
                zip_code = number
                if before & NUMBERED:
                    flags |= NO_CODE
                if (
                    here + 1 < count
                    and shapes[here + 1] == 2
                    and ends[here] + 1 == begins[here + 1]
                ):
                    free = here + 2  # the four digits after a postal code
            else:
                _find_longest_phrases(
                    here, count, codes, joins, size, root, edge_key, edge_node, node_bits,
                    node_name, STATE | SHORT | WORDLIKE | LOCAL | BEFORE | NUMBERED, here_at,
                )  # fmt: skip
                if here_at[2] >= 0:
                    bits = int(node_bits[here_at[2]])
                if bits & LOCAL:
                    local = IN_QUERY_LOCAL
                if here_at[0] >= 0 and here_at[1] >= here_at[3]:
                    name, last = node_name[here_at[0]], here_at[1]
                    if before & BEFORE:
                        flags |= PRECEDED
                    after = last + 1
                    if after < count and joins[after] >= 1:
                        _find_longest_phrases(
                            after, count, codes, joins, size, root, edge_key, edge_node,
                            node_bits, node_name, STATE | SHORT | WORDLIKE | COUNTRY | COUNTY,
                            next_at,
                        )  # fmt: skip
                        if next_at[2] >= 0:
                            next_bits = node_bits[next_at[2]]
                            told = node_state[next_at[2]]
                            end = next_at[3] + 1
                            ends_here = end == count or (
                                _is_code(end, begins, ends, shapes, data, first) >= 0
                            )
                            if next_bits & (COUNTRY | COUNTY):
                                name = -1
                                free = end
                            elif (not next_bits & WORDLIKE or ends_here) and _contains_key(
                                pairs, np.int64(name) * STATES + told
                            ):
                                state = told
                                flags |= next_bits & (STATE | SHORT | WORDLIKE)
                                last = next_at[3]
                    if state < 0 and bits & STATE and here_at[1] == here_at[3] and name >= 0:
                        also_state = node_state[here_at[2]]
                elif bits & STATE:
                    state, last = node_state[here_at[2]], here_at[3]
                    flags |= STATE
                elif bits & SHORT and not bits & WORDLIKE:
                    state, last = node_state[here_at[2]], here_at[3]
                    flags |= SHORT
                if name < 0 and state < 0:
                    before = bits
                    continue
                free = max(free, last + 1)
            before = 0 if zip_code >= 0 else bits
            if last == count - 1:
                flags |= LAST
                if here == 0:
                    flags |= WHOLE
            for turn in range(2):
                if turn == 1:
                    if also_state < 0:
                        break
                    name, state, flags = -1, also_state, (flags & ~(SHORT | WORDLIKE)) | STATE
                if found < len(out_query):
                    out_query[found] = query
                    out_start[found], out_stop[found] = begins[here], ends[last]
                    out_name[found], out_zip[found], out_state[found] = name, zip_code, state
                    out_flags[found] = flags
                found += 1
        for mention in range(opened, min(found, len(out_query))):
            out_flags[mention] |= local
    return found
