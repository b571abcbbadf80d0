"""Which words of a query are somebody's name: features of candidates, and the likeliest of them."""

from __future__ import annotations

import numpy as np
from numba import njit

from auditor.arrays import Float32s, Float64s, Int32s, Int64s, UInt8s, UInt32s
from auditor.attacks.detection.kernels import child_of, split_tokens
from auditor.attacks.detection.rules import (
    BEFORE_PLACE,
    CALENDAR,
    CUE,
    DICTIONARY,
    FAME,
    FUNCTION,
    NATION,
    ORG_HEAD,
    PARTICLE,
    PLACE,
    PLACE_HEAD,
    RELATIVE,
    SUFFIX,
    TITLE,
)  # fmt: skip
from auditor.attacks.detection.spelling_kernels import is_nearly_known

FEATURES = 28
"""Length of `person_names.FEATURES`."""
_LETTERS = 1
_NEARLY_KNOWN = 0.8


@njit(cache=True, nogil=True)
def _name_features(
    first: int, last: int, count: int, data: UInt8s, base: int, begins: Int64s, ends: Int64s,
    codes: Int64s, roles: UInt32s, word: Float32s, out: Float64s,
) -> None:  # fmt: skip
    """Fill in `person_names.FEATURES` for the words ``first:last + 1`` of a query."""
    one, two = codes[first], codes[last]
    initial = ends[first] - begins[first] == 1
    first_ratio = -2.0 if one < 0 else max(-3.0, word[one, 1])
    last_ratio = 0.5 if two < 0 else max(-3.0, word[two, 2])
    if initial:
        first_ratio = 1.0
    first_unlisted = not initial and (one < 0 or word[one, 1] < -8.0)
    last_unlisted = two < 0 or word[two, 2] < -8.0
    if first_unlisted:
        first_ratio = -1.0 if one < 0 or word[one, 0] < 2.5 else -2.0
    if last_unlisted:
        last_ratio = 0.5 if two < 0 or word[two, 0] < 2.0 else -2.0
    inside = np.uint32(0)
    for at in range(first, last + 1):
        inside |= roles[at]
    edge = roles[first] | roles[last]
    after = roles[last + 1] if last + 1 < count else np.uint32(0)
    before = roles[first - 1] if first > 0 else np.uint32(0)
    around = np.uint32(0)
    for at in range(count):
        if at < first or at > last:
            around |= roles[at]
    common = 0.0
    for at in (one, two):
        if at >= 0 and word[at, 0] > common:
            common = word[at, 0]
    borne = -8.0
    if one >= 0 and two >= 0 and not first_unlisted and not last_unlisted:
        borne = max(-12.0, word[one, 3] + word[two, 4])
    elif initial and not last_unlisted:
        borne = max(-12.0, word[two, 4] - 2.0)
    open_quote = base + begins[first] - 1
    close_quote = base + ends[last]
    quoted = (
        begins[first] > 0
        and close_quote < len(data)
        and data[open_quote] == 34
        and data[close_quote] == 34
    )
    out[0] = 1.0
    out[1] = first_ratio
    out[2] = last_ratio
    out[3] = min(first_ratio, last_ratio)
    out[4] = initial
    out[5] = first_unlisted
    out[6] = last_unlisted
    middle = last - 1
    signed = last - first > 1 and (
        ends[middle] - begins[middle] == 1 or (roles[middle] & np.uint32(PARTICLE)) != 0
    )
    out[7] = last - first > 1 and not signed
    out[8] = first == 0 and last == count - 1
    out[9] = min(4, count - 1 - (last - first))
    out[10] = (around & np.uint32(CUE | RELATIVE)) != 0
    out[11] = (before & np.uint32(TITLE)) != 0
    out[12] = (around & np.uint32(FAME)) != 0
    out[13] = (edge & np.uint32(PLACE)) != 0
    out[14] = ((after | roles[last]) & np.uint32(PLACE_HEAD)) != 0
    out[15] = ((after | roles[last]) & np.uint32(ORG_HEAD)) != 0
    out[16] = (edge & np.uint32(FUNCTION)) != 0
    plain_first = (roles[first] & np.uint32(DICTIONARY)) != 0
    plain_last = (roles[last] & np.uint32(DICTIONARY)) != 0
    out[17] = plain_first and plain_last
    out[18] = max(0.0, common - 5.0)
    out[19] = (before & np.uint32(BEFORE_PLACE)) != 0
    out[20] = (edge & np.uint32(CALENDAR | NATION)) != 0
    out[21] = (after & np.uint32(PLACE)) != 0
    out[22] = quoted
    out[23] = borne + 8.0
    out[24] = plain_first
    out[25] = plain_last
    out[26] = two >= 0 and word[two, 1] > word[two, 2]
    out[27] = signed


@njit(cache=True, nogil=True)
def _can_begin(at: int, begins: Int64s, ends: Int64s, codes: Int64s, roles: UInt32s,
               word: Float32s) -> int:  # fmt: skip
    """2 if a word can be a first name, 1 if it may be one that no list has, 0 otherwise."""
    length = ends[at] - begins[at]
    if length == 1:
        return 2
    code = codes[at]
    if code >= 0 and word[code, 1] > -8.0:
        return 2
    plain = roles[at] & np.uint32(FUNCTION | DICTIONARY | TITLE | FAME | PLACE | CUE | ORG_HEAD)
    if length < 3 or plain or (code >= 0 and word[code, 0] > 3.5):
        return 0
    return 1


@njit(cache=True, nogil=True)
def _can_end(at: int, begins: Int64s, ends: Int64s, codes: Int64s, roles: UInt32s,
             word: Float32s) -> int:  # fmt: skip
    """2 if a word can be a last name, 1 if it may be one that no list has, 0 otherwise."""
    length = ends[at] - begins[at]
    code = codes[at]
    if length < 2 or roles[at] & np.uint32(SUFFIX | PARTICLE):
        return 0
    if code >= 0 and word[code, 2] > -8.0:
        return 2
    plain = roles[at] & np.uint32(FUNCTION | DICTIONARY | TITLE | FAME | PLACE | CUE | ORG_HEAD)
    if length < 4 or plain or (code >= 0 and word[code, 0] > 3.3):
        return 0
    return 1


@njit(cache=True, nogil=True)
def _is_middle(at: int, begins: Int64s, ends: Int64s, codes: Int64s, roles: UInt32s,
               word: Float32s) -> bool:  # fmt: skip
    if ends[at] - begins[at] == 1 or roles[at] & np.uint32(PARTICLE):
        return True
    code = codes[at]
    return bool(code >= 0 and (word[code, 1] > 0.0 or word[code, 2] > 1.5))


@njit(cache=True, nogil=True)
def private_chance(chance: float, weights: Float64s) -> float:
    """How likely a name that no list knows is a private person's, of how likely it is a name."""
    chance = min(max(chance, 1e-6), 1.0 - 1e-6)
    odds = weights[FEATURES] * np.log(chance / (1.0 - chance)) + weights[FEATURES + 1]
    return float(1.0 / (1.0 + np.exp(-odds)))


@njit(cache=True, nogil=True)
def find_names(
    count: int, data: UInt8s, base: int, begins: Int64s, ends: Int64s, codes: Int64s,
    shapes: Int64s, joins: Int64s, roles: UInt32s, covered: UInt8s, word: Float32s,
    weights: Float64s, least: float, vector: Float64s, out_first: Int64s, out_last: Int64s,
    out_chance: Float64s, spelt: Int64s,
) -> int:  # fmt: skip
    """The likeliest names of a query that don't overlap; how many there are.

    A name begins with a first name or an initial and ends with a last name; up to two words may
    stand between. `covered` words belong to another phrase. Names less likely than `least` are
    left out.
    """
    found = 0
    for first in range(count - 1):
        if shapes[first] != _LETTERS or covered[first]:
            continue
        begin = _can_begin(first, begins, ends, codes, roles, word)
        if begin == 0:
            continue
        best, where = -1.0, -1
        for size in range(1, 4):
            last = first + size
            if last >= count or joins[last] != 2 or shapes[last] != _LETTERS or covered[last]:
                break
            if size > 1 and not _is_middle(last - 1, begins, ends, codes, roles, word):
                break
            end = _can_end(last, begins, ends, codes, roles, word)
            if end == 0:
                continue
            if begin + end < 3:
                if size == 1 and is_nearly_known(data, base, begins, ends, first, last, spelt):
                    best, where = _NEARLY_KNOWN, last
                continue
            if ends[first] - begins[first] == 1 and end < 2:
                continue
            _name_features(first, last, count, data, base, begins, ends, codes, roles, word, vector)
            total = 0.0
            for at in range(FEATURES):
                total += weights[at] * vector[at]
            chance = 1.0 / (1.0 + np.exp(-total))
            if chance > best or (chance > 0.5 and chance > best - 0.2):
                best, where = chance, last
        if where < 0 or best < least:
            continue
        if found and out_last[found - 1] >= first:
            if out_chance[found - 1] >= best:
                continue
            found -= 1
        out_first[found], out_last[found], out_chance[found] = first, where, best
        found += 1
    return found


@njit(cache=True, nogil=True)
def name_examples(
    data: UInt8s, starts: Int64s,
    words: UInt8s, offsets: Int64s, slots: Int32s, root: Int32s, edge_key: Int64s,
    edge_node: Int32s, word: Float32s, role: UInt32s, node_role: UInt32s,
    out_query: Int32s, out_start: Int32s, out_stop: Int32s, out_vector: Float64s,
) -> int:  # fmt: skip
    """Features of every pair or triple of words that may be a name: to train the model."""
    room = room_of(starts)
    begins, ends = np.empty(room, np.int64), np.empty(room, np.int64)
    codes, shapes = np.empty(room, np.int64), np.empty(room, np.int64)
    joins = np.empty(room, np.int64)
    roles = np.empty(room, np.uint32)
    vector = np.zeros(FEATURES)
    size = len(offsets) - 1
    found = 0
    for query in range(len(starts) - 1):
        count, _ = split_tokens(
            data, starts[query], starts[query + 1], words, offsets, slots, root, begins, ends,
            codes, shapes, joins,
        )  # fmt: skip
        for at in range(count):
            roles[at] = role[codes[at]] if codes[at] >= 0 else np.uint32(0)
        for at in range(count):
            node = root[codes[at]] if codes[at] >= 0 else -1
            there = at
            while node >= 0:
                for here in range(at, there + 1):
                    roles[here] |= node_role[node]
                there += 1
                if there == count or joins[there] < 2 or codes[there] < 0:
                    break
                node = child_of(node, codes[there], size, edge_key, edge_node)
        for first in range(count - 1):
            if shapes[first] != _LETTERS:
                continue
            begin = _can_begin(first, begins, ends, codes, roles, word)
            for length in range(1, 4):
                last = first + length
                if last >= count or joins[last] != 2 or shapes[last] != _LETTERS:
                    break
                if length > 1 and not _is_middle(last - 1, begins, ends, codes, roles, word):
                    break
                end = _can_end(last, begins, ends, codes, roles, word)
                if begin == 0 or end == 0 or begin + end < 3:
                    continue
                if found < len(out_query):
                    _name_features(
                        first, last, count, data, starts[query], begins, ends, codes, roles,
                        word, vector,
                    )  # fmt: skip
                    out_query[found] = query
                    out_start[found], out_stop[found] = begins[first], ends[last]
                    out_vector[found] = vector
                found += 1
    return found


@njit(cache=True, nogil=True)
def room_of(starts: Int64s) -> int:
    room = 2
    for query in range(len(starts) - 1):
        room = max(room, (starts[query + 1] - starts[query]) // 2 + 2)
    return int(room)
