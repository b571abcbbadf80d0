"""Finds names of places and postal codes in folded queries: one pass over the bytes.

O(bytes) for words, O(words · longest phrase) for names and O(log names) for a name with a state.
"""

import numpy as np
from numba import njit

from auditor.arrays import Int64s, UInt8s
from auditor.attacks.detection.kernels import (
    allocate_words,
    contains_value,
    find_child,
    inner_kernel,
    split_tokens,
)
from auditor.attacks.detection.tables import MentionColumns, PlaceLists, SplitWords

STATE, SHORT, WORDLIKE, COUNTRY, LOCAL, COUNTY, BEFORE, NUMBERED = 1, 2, 4, 8, 16, 32, 64, 128
FICTION, ORDINARY = 256, 512
"""Bits of a phrase: a state's name, its abbreviation, one that is an English word, a country, a
word of local searches, "county", a word before a place, a word before a number that isn't a code,
a word of searches for songs, films and games, a word that a business isn't called by.

A mention has the first three for the state after it, and these:"""
PRECEDED, IN_QUERY_LOCAL, WHOLE_QUERY, LAST, NO_CODE, BESIDE_FICTION = 8, 16, 32, 64, 128, 256
LEADING = 512
STATES = 64
"""Room for states: a name and a state make the key name · STATES + state."""

_ZIP_DIGITS = 5


@inner_kernel
def _find_longest_phrases(
    first: int, count: int, words: SplitWords, lists: PlaceLists, kinds: int, out: Int64s
) -> None:
    """Set ``out`` to node and last word of the longest name, then of the longest phrase of `kinds`.

    −1 where there is none.
    """
    out[:] = -1
    if words.codes[first] < 0:
        return
    last = first
    node = np.int64(lists.tree.root[words.codes[first]])
    while node >= 0:
        if lists.node_name[node] >= 0:
            out[0], out[1] = node, last
        if lists.node_bits[node] & kinds:
            out[2], out[3] = node, last
        last += 1
        if last == count or words.joins[last] < 2 or words.codes[last] < 0:
            break
        node = find_child(node, words.codes[last], lists.tree)


@inner_kernel
def _is_code(index: int, words: SplitWords, data: UInt8s, first: int) -> int:
    """The five digits of word `index` as a number, or −1."""
    begin, end = first + words.begins[index], first + words.ends[index]
    if words.shapes[index] != 2 or end - begin != _ZIP_DIGITS:
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
    phrase, next_phrase = np.empty(4, np.int64), np.empty(4, np.int64)
    row = 0
    for query in range(len(starts) - 1):
        first = starts[query]
        count, _ = split_tokens(data, first, starts[query + 1], tree, words)
        first_row = row
        local = 0
        free = 0
        before = 0
        for i in range(count):
            if i < free:
                continue
            name = zip_code = state = -1
            last = i
            flags = 0
            bits = 0
            also_state = -1
            number = _is_code(i, words, data, first)
            if number >= 0 and lists.zip_place[number] >= 0:
                zip_code = number
                if before & NUMBERED:
                    flags |= NO_CODE
                if i + 1 < count and shapes[i + 1] == 2 and ends[i] + 1 == begins[i + 1]:
                    free = i + 2  # the four digits after a postal code
            else:
                kinds = STATE | SHORT | WORDLIKE | LOCAL | BEFORE | NUMBERED | FICTION
                _find_longest_phrases(i, count, words, lists, kinds, phrase)
                if phrase[2] >= 0:
                    bits = int(node_bits[phrase[2]])
                if bits & LOCAL:
                    local |= IN_QUERY_LOCAL
                if bits & FICTION:
                    local |= BESIDE_FICTION
                if phrase[0] >= 0 and phrase[1] >= phrase[3]:
                    name, last = lists.node_name[phrase[0]], phrase[1]
                    if before & BEFORE:
                        flags |= PRECEDED
                    after = last + 1
                    if after < count and joins[after] >= 1:
                        kinds = STATE | SHORT | WORDLIKE | COUNTRY | COUNTY
                        _find_longest_phrases(after, count, words, lists, kinds, next_phrase)
                        if next_phrase[2] >= 0:
                            next_bits = node_bits[next_phrase[2]]
                            next_state = node_state[next_phrase[2]]
                            end = next_phrase[3] + 1
                            at_end = end == count or (_is_code(end, words, data, first) >= 0)
                            if next_bits & (COUNTRY | COUNTY):
                                name = -1
                                free = end
                            elif (not next_bits & WORDLIKE or at_end) and contains_value(
                                lists.pair_key, np.int64(name) * STATES + next_state
                            ):
                                state = next_state
                                flags |= next_bits & (STATE | SHORT | WORDLIKE)
                                last = next_phrase[3]
                    if state < 0 and bits & STATE and phrase[1] == phrase[3] and name >= 0:
                        also_state = node_state[phrase[2]]
                elif bits & STATE:
                    state, last = node_state[phrase[2]], phrase[3]
                    flags |= STATE
                elif bits & SHORT and not bits & WORDLIKE:
                    state, last = node_state[phrase[2]], phrase[3]
                    flags |= SHORT | (PRECEDED if before & BEFORE else 0)
                if name < 0 and state < 0:
                    before = bits
                    continue
                free = max(free, last + 1)
            before = 0 if zip_code >= 0 else bits
            if last == count - 1:
                flags |= LAST
                if i == 0:
                    flags |= WHOLE_QUERY
            elif i == 0 and joins[last + 1] == 2 and shapes[last + 1] == 1:
                _find_longest_phrases(last + 1, count, words, lists, ORDINARY, next_phrase)
                if next_phrase[2] < 0:
                    flags |= LEADING
            for turn in range(2):
                if turn == 1:
                    if also_state < 0:
                        break
                    name, state, flags = -1, also_state, (flags & ~(SHORT | WORDLIKE)) | STATE
                if row < len(out.query):
                    out.query[row] = query
                    out.start[row], out.stop[row] = begins[i], ends[last]
                    out.name[row], out.zip[row], out.state[row] = name, zip_code, state
                    out.flags[row] = flags
                row += 1
        for mention in range(first_row, min(row, len(out.query))):
            out.flags[mention] |= local
    return row
