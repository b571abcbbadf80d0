"""Which words of a query are somebody's name: features of candidates, and the likeliest of them."""

from __future__ import annotations

import numpy as np
from numba import njit

from auditor.arrays import Float32s, Float64s, Int64s, UInt8s
from auditor.attacks.detection.kernels import allocate_words, child_of, split_tokens
from auditor.attacks.detection.rules import (
    BEFORE_PLACE,
    CALENDAR,
    CUE,
    DICTIONARY,
    FAME,
    FUNCTION,
    HOME,
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
from auditor.attacks.detection.tables import (
    EvidenceLists,
    FoundNames,
    NameExamples,
    QueryTerms,
    QueryText,
    Wanted,
)

FEATURES = 28
"""Length of `person_names.FEATURES`."""
_LETTERS = 1
_NEARLY_KNOWN = 0.8


@njit(cache=True, nogil=True)
def _name_features(
    text: QueryText, first: int, last: int, q: QueryTerms, lists: EvidenceLists, out: Float64s
) -> None:
    """Fill in `person_names.FEATURES` for the words ``first:last + 1`` of a query."""
    count, word = text.word_count, lists.word
    one, two = q.words.codes[first], q.words.codes[last]
    initial = q.words.ends[first] - q.words.begins[first] == 1
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
        inside |= q.roles[at]
    edge = q.roles[first] | q.roles[last]
    after = q.roles[last + 1] if last + 1 < count else np.uint32(0)
    before = q.roles[first - 1] if first > 0 else np.uint32(0)
    around = np.uint32(0)
    for at in range(count):
        if at < first or at > last:
            around |= q.roles[at]
    common = 0.0
    for at in (one, two):
        if at >= 0 and word[at, 0] > common:
            common = word[at, 0]
    borne = -8.0
    if one >= 0 and two >= 0 and not first_unlisted and not last_unlisted:
        borne = max(-12.0, word[one, 3] + word[two, 4])
    elif initial and not last_unlisted:
        borne = max(-12.0, word[two, 4] - 2.0)
    open_quote = text.start + q.words.begins[first] - 1
    close_quote = text.start + q.words.ends[last]
    quoted = (
        q.words.begins[first] > 0
        and close_quote < len(text.data)
        and text.data[open_quote] == 34
        and text.data[close_quote] == 34
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
        q.words.ends[middle] - q.words.begins[middle] == 1
        or (q.roles[middle] & np.uint32(PARTICLE)) != 0
    )
    out[7] = last - first > 1 and not signed
    out[8] = first == 0 and last == count - 1
    out[9] = min(4, count - 1 - (last - first))
    out[10] = (around & np.uint32(CUE | RELATIVE)) != 0
    out[11] = (before & np.uint32(TITLE)) != 0
    out[12] = (around & np.uint32(FAME)) != 0
    out[13] = (edge & np.uint32(PLACE)) != 0
    out[14] = ((after | q.roles[last]) & np.uint32(PLACE_HEAD)) != 0
    out[15] = ((after | q.roles[last]) & np.uint32(ORG_HEAD)) != 0
    out[16] = (edge & np.uint32(FUNCTION)) != 0
    plain_first = (q.roles[first] & np.uint32(DICTIONARY)) != 0
    plain_last = (q.roles[last] & np.uint32(DICTIONARY)) != 0
    out[17] = plain_first and plain_last
    out[18] = max(0.0, common - 5.0)
    out[19] = (before & np.uint32(BEFORE_PLACE)) != 0
    out[20] = (edge & np.uint32(CALENDAR | NATION)) != 0
    # "fort myers florida" is a town; "kari skidmore florida" is somebody who lives there.
    town = two >= 0 and lists.tree.root[two] >= 0
    town = town and (lists.family[lists.tree.root[two]] & np.uint8(HOME)) != 0
    out[21] = (after & np.uint32(PLACE)) != 0 and (town or two < 0)
    out[22] = quoted
    out[23] = borne + 8.0
    out[24] = plain_first
    out[25] = plain_last
    out[26] = two >= 0 and word[two, 1] > word[two, 2]
    out[27] = signed


@njit(cache=True, nogil=True)
def _can_begin(length: int, code: int, roles: np.uint32, word: Float32s) -> int:
    """2 if a word can be a first name, 1 if it may be one that no list has, 0 otherwise."""
    if length == 1:
        return 2
    if code >= 0 and word[code, 1] > -8.0:
        return 2
    plain = roles & np.uint32(FUNCTION | DICTIONARY | TITLE | FAME | PLACE | CUE | ORG_HEAD)
    if length < 3 or plain or (code >= 0 and word[code, 0] > 3.5):
        return 0
    return 1


@njit(cache=True, nogil=True)
def _can_end(length: int, code: int, roles: np.uint32, word: Float32s) -> int:
    """2 if a word can be a last name, 1 if it may be one that no list has, 0 otherwise."""
    if length < 2 or roles & np.uint32(SUFFIX | PARTICLE):
        return 0
    if code >= 0 and word[code, 2] > -8.0:
        return 2
    plain = roles & np.uint32(FUNCTION | DICTIONARY | TITLE | FAME | PLACE | CUE | ORG_HEAD)
    if length < 4 or plain or (code >= 0 and word[code, 0] > 3.3):
        return 0
    return 1


@njit(cache=True, nogil=True)
def _is_middle(length: int, code: int, roles: np.uint32, word: Float32s) -> bool:
    if length == 1 or roles & np.uint32(PARTICLE):
        return True
    return bool(code >= 0 and (word[code, 1] > 0.0 or word[code, 2] > 1.5))


@njit(cache=True, nogil=True)
def private_chance(chance: float, weights: Float64s) -> float:
    """How likely a name that no list knows is a private person's, of how likely it is a name."""
    chance = min(max(chance, 1e-6), 1.0 - 1e-6)
    odds = weights[FEATURES] * np.log(chance / (1.0 - chance)) + weights[FEATURES + 1]
    return float(1.0 / (1.0 + np.exp(-odds)))


@njit(cache=True, nogil=True)
def allocate_terms(starts: Int64s) -> QueryTerms:
    """Room for the words of any query of a block and what is known of them."""
    words = allocate_words(starts)
    room = len(words.begins)
    return QueryTerms(
        words, np.empty(room, np.int64), np.empty(room, np.uint32), np.empty(room, np.uint32),
        np.empty(room, np.uint8), np.empty(room, np.uint8), np.empty((room, 8), np.int64),
    )  # fmt: skip


@njit(cache=True, nogil=True)
def allocate_names(room: int) -> FoundNames:
    """Room for the names of a query of so many words."""
    return FoundNames(
        np.empty(room, np.int64), np.empty(room, np.int64), np.empty(room, np.float64),
        np.zeros(FEATURES),
    )  # fmt: skip


@njit(cache=True, nogil=True)
def find_names(
    text: QueryText, lists: EvidenceLists, wanted: Wanted, q: QueryTerms, out: FoundNames
) -> int:
    """The likeliest names of a query that don't overlap; how many there are.

    A name begins with a first name or an initial and ends with a last name; up to two words may
    stand between.
    """
    word = lists.word
    found = 0
    for first in range(text.word_count - 1):
        if q.words.shapes[first] != _LETTERS or q.covered[first]:
            continue
        begin = _can_begin(
            q.words.ends[first] - q.words.begins[first], q.words.codes[first], q.roles[first], word
        )
        if begin == 0:
            continue
        best, where = -1.0, -1
        for size in range(1, 4):
            last = first + size
            if last >= text.word_count or q.words.joins[last] != 2:
                break
            if q.words.shapes[last] != _LETTERS or q.covered[last]:
                break
            if size > 1 and not _is_middle(
                q.words.ends[last - 1] - q.words.begins[last - 1],
                q.words.codes[last - 1],
                q.roles[last - 1],
                word,
            ):
                break
            end = _can_end(
                q.words.ends[last] - q.words.begins[last], q.words.codes[last], q.roles[last], word
            )
            if end == 0:
                continue
            if begin + end < 3:
                if size == 1 and is_nearly_known(text, first, last, q, lists.spelt_name):
                    best, where = _NEARLY_KNOWN, last
                continue
            if q.words.ends[first] - q.words.begins[first] == 1 and end < 2:
                continue
            _name_features(text, first, last, q, lists, out.vector)
            total = 0.0
            for at in range(FEATURES):
                total += wanted.person[at] * out.vector[at]
            chance = 1.0 / (1.0 + np.exp(-total))
            if chance > best or (chance > 0.5 and chance > best - 0.2):
                best, where = chance, last
        if where < 0 or best < wanted.least:
            continue
        if found and out.last[found - 1] >= first:
            if out.chance[found - 1] >= best:
                continue
            found -= 1
        out.first[found], out.last[found], out.chance[found] = first, where, best
        found += 1
    return found


@njit(cache=True, nogil=True)
def name_examples(data: UInt8s, starts: Int64s, lists: EvidenceLists, out: NameExamples) -> int:
    """Features of every pair or triple of words that may be a name: to train the model.

    Examples beyond the room in `out` are counted but not written.
    """
    q = allocate_terms(starts)
    words, tree, word = q.words, lists.tree, lists.word
    vector = np.zeros(FEATURES)
    size = len(tree.offsets) - 1
    found = 0
    for query in range(len(starts) - 1):
        start, stop = starts[query], starts[query + 1]
        count, _ = split_tokens(data, start, stop, tree, words)
        text = QueryText(query, data, start, stop, count)
        for at in range(count):
            q.roles[at] = lists.role[words.codes[at]] if words.codes[at] >= 0 else np.uint32(0)
        for at in range(count):
            node = tree.root[words.codes[at]] if words.codes[at] >= 0 else -1
            there = at
            while node >= 0:
                for here in range(at, there + 1):
                    q.roles[here] |= lists.node_role[node]
                there += 1
                if there == count or words.joins[there] < 2 or words.codes[there] < 0:
                    break
                node = child_of(node, words.codes[there], size, tree.edge_key, tree.edge_node)
        for first in range(count - 1):
            if words.shapes[first] != _LETTERS:
                continue
            begin = _can_begin(
                q.words.ends[first] - q.words.begins[first],
                q.words.codes[first],
                q.roles[first],
                word,
            )
            for length in range(1, 4):
                last = first + length
                if last >= count or words.joins[last] != 2 or words.shapes[last] != _LETTERS:
                    break
                if length > 1 and not _is_middle(
                    q.words.ends[last - 1] - q.words.begins[last - 1],
                    q.words.codes[last - 1],
                    q.roles[last - 1],
                    word,
                ):
                    break
                end = _can_end(
                    q.words.ends[last] - q.words.begins[last],
                    q.words.codes[last],
                    q.roles[last],
                    word,
                )
                if begin == 0 or end == 0 or begin + end < 3:
                    continue
                if found < len(out.query):
                    _name_features(text, first, last, q, lists, vector)
                    out.query[found] = query
                    out.start[found], out.stop[found] = words.begins[first], words.ends[last]
                    out.vector[found] = vector
                found += 1
    return found
