"""Finds names of places and postal codes in folded queries: one pass over the bytes.

O(bytes) for words, O(words · longest phrase) for names and O(log names) for a name with a state.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from auditor.arrays import Int64s, UInt8s
from auditor.attacks.detection.kernels import allocate_words, find_child, inner_kernel, split_tokens
from auditor.attacks.detection.tables import MentionColumns, PlaceLists, SplitWords

STATE, SHORT, WORDLIKE, COUNTRY, LOCAL, COUNTY, BEFORE, NUMBERED = 1, 2, 4, 8, 16, 32, 64, 128
FICTION, ORDINARY = 256, 512
"""Bits of a phrase: a state's name, its abbreviation, one that is an English word, a country, a
word of local searches, "county", a word before a place, a word before a number that isn't a code,
a word of searches for songs, films and games, a word that a business isn't called by.

A mention has the first three for the state after it, and these:"""
PRECEDED, IN_QUERY_LOCAL, WHOLE, LAST, NO_CODE, BESIDE_FICTION = 8, 16, 32, 64, 128, 256
LEADING = 512
STATES = 64
"""Room for states: a name and a state make the key name · STATES + state."""

_ZIP_DIGITS = 5


@inner_kernel
def _contains_key(keys: Int64s, key: int) -> bool:
    at = np.searchsorted(keys, key)
    return bool(at < len(keys) and keys[at] == key)


@inner_kernel
def _find_longest_phrases(
    here: int, count: int, words: SplitWords, lists: PlaceLists, wanted: int, out: Int64s
) -> None:
    """Set ``out`` to node and last word of the longest name, then of the longest `wanted` phrase.

    −1 where there is none.
    """
    out[:] = -1
    if words.codes[here] < 0:
        return
    there = here
    node = np.int64(lists.tree.root[words.codes[here]])
    while node >= 0:
        if lists.node_name[node] >= 0:
            out[0], out[1] = node, there
        if lists.node_bits[node] & wanted:
            out[2], out[3] = node, there
        there += 1
        if there == count or words.joins[there] < 2 or words.codes[there] < 0:
            break
        node = find_child(node, words.codes[there], lists.tree)


@inner_kernel
def _is_code(here: int, words: SplitWords, data: UInt8s, first: int) -> int:
    """The five digits of word `here` as a number, or −1."""
    begin, end = first + words.begins[here], first + words.ends[here]
    if words.shapes[here] != 2 or end - begin != _ZIP_DIGITS:
        return -1
    if begin > first:
        before = data[begin - 1]
        if before == 35 or before == 36 or before == 46:  # # $ .
            return -1
    number = 0
    for place in range(begin, end):
        number = number * 10 + (data[place] - 48)
    return number


@njit(cache=True, nogil=True)
def find_mentions(data: UInt8s, starts: Int64s, lists: PlaceLists, out: MentionColumns) -> int:
    """Write every mention in a block of queries, by query and place; return how many there are.

    Mentions beyond the room in `out` are counted but not written.
    """
    tree, node_bits, node_state = lists.tree, lists.node_bits, lists.node_state
    words = allocate_words(starts)
    begins, ends, _, _, shapes, joins = words
    here_at, next_at = np.empty(4, np.int64), np.empty(4, np.int64)
    found = 0
    for query in range(len(starts) - 1):
        first = starts[query]
        count, _ = split_tokens(data, first, starts[query + 1], tree, words)
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
            number = _is_code(here, words, data, first)
            if number >= 0 and lists.zip_place[number] >= 0:
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
                kinds = STATE | SHORT | WORDLIKE | LOCAL | BEFORE | NUMBERED | FICTION
                _find_longest_phrases(here, count, words, lists, kinds, here_at)
                if here_at[2] >= 0:
                    bits = int(node_bits[here_at[2]])
                if bits & LOCAL:
                    local |= IN_QUERY_LOCAL
                if bits & FICTION:
                    local |= BESIDE_FICTION
                if here_at[0] >= 0 and here_at[1] >= here_at[3]:
                    name, last = lists.node_name[here_at[0]], here_at[1]
                    if before & BEFORE:
                        flags |= PRECEDED
                    after = last + 1
                    if after < count and joins[after] >= 1:
                        kinds = STATE | SHORT | WORDLIKE | COUNTRY | COUNTY
                        _find_longest_phrases(after, count, words, lists, kinds, next_at)
                        if next_at[2] >= 0:
                            next_bits = node_bits[next_at[2]]
                            told = node_state[next_at[2]]
                            end = next_at[3] + 1
                            ends_here = end == count or (_is_code(end, words, data, first) >= 0)
                            if next_bits & (COUNTRY | COUNTY):
                                name = -1
                                free = end
                            elif (not next_bits & WORDLIKE or ends_here) and _contains_key(
                                lists.pair_key, np.int64(name) * STATES + told
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
                    flags |= SHORT | (PRECEDED if before & BEFORE else 0)
                if name < 0 and state < 0:
                    before = bits
                    continue
                free = max(free, last + 1)
            before = 0 if zip_code >= 0 else bits
            if last == count - 1:
                flags |= LAST
                if here == 0:
                    flags |= WHOLE
            elif here == 0 and joins[last + 1] == 2 and shapes[last + 1] == 1:
                _find_longest_phrases(last + 1, count, words, lists, ORDINARY, next_at)
                if next_at[2] < 0:
                    flags |= LEADING
            for turn in range(2):
                if turn == 1:
                    if also_state < 0:
                        break
                    name, state, flags = -1, also_state, (flags & ~(SHORT | WORDLIKE)) | STATE
                if found < len(out.query):
                    out.query[found] = query
                    out.start[found], out.stop[found] = begins[here], ends[last]
                    out.name[found], out.zip[found], out.state[found] = name, zip_code, state
                    out.flags[found] = flags
                found += 1
        for mention in range(opened, min(found, len(out.query))):
            out.flags[mention] |= local
    return found
