"""Misspelt words, words glued together, and names that are nearly somebody's; O(letters) each."""

import numpy as np
from numba import njit

from auditor.arrays import Int64s, UInt8s
from auditor.attacks.detection.kernels import (
    compute_slot,
    contains_value,
    find_word,
    inner_kernel,
    lowercase_byte,
)
from auditor.attacks.detection.rules import ADULT_KIND, MEDICAL_ENDING
from auditor.attacks.detection.tables import (
    START,
    EvidenceLists,
    PhraseTree,
    QueryScan,
    SpellingTable,
)

Span = tuple[int, int]
_FNV, _PRIME = np.uint64(14695981039346656037), np.uint64(1099511628211)
_LONGEST = 40
"""Letters up to which a word may be a name: trying every slip takes the square of them."""
_SHORT = 5
"""Letters below which a word with one left out tells too little."""
NAME_BITS = np.int64(0x3FFFFFFFFFFFFFFF)
_SOUND_SALT = np.int64(0x1B873593CC9E2D51)
PERSON_BITS = 26
"""Bits of a mark of the encyclopedia's list: one name in 200 that isn't there is taken to be."""


@inner_kernel
def _hash_without(data: UInt8s, start: int, stop: int, left_out: int) -> np.int64:
    """FNV-1a of the lower-case bytes but for the one at `left_out`, less its sign bit."""
    mark = _FNV
    for place in range(start, stop):
        if place != left_out and data[place] != 39:
            mark = (mark ^ np.uint64(lowercase_byte(data[place]))) * _PRIME
    return np.int64((mark ^ (mark >> np.uint64(32))) & np.uint64(0x7FFFFFFFFFFFFFFF))


@inner_kernel
def _one_slip(data: UInt8s, start: int, stop: int, words: UInt8s, first: int, last: int) -> bool:
    """Whether two words differ by one letter more, less, wrong, or two letters swapped.

    The first letter must be the same.
    """
    n, m = stop - start, last - first
    if n - m > 1 or m - n > 1 or lowercase_byte(data[start]) != words[first]:
        return False
    head = 0
    while head < n and head < m and lowercase_byte(data[start + head]) == words[first + head]:
        head += 1
    tail = 0
    while (
        tail < n - head
        and tail < m - head
        and lowercase_byte(data[stop - 1 - tail]) == words[last - 1 - tail]
    ):
        tail += 1
    middle, other = n - head - tail, m - head - tail
    if middle <= 1 and other <= 1:
        return middle + other > 0
    return (
        middle == 2
        and other == 2
        and lowercase_byte(data[start + head]) == words[first + head + 1]
        and lowercase_byte(data[start + head + 1]) == words[first + head]
    )


@inner_kernel
def correct_word(
    data: UInt8s, start: int, stop: int, tree: PhraseTree, spellings: SpellingTable
) -> int:
    """The word of `spellings` of which ``data[start:stop]`` is a misspelling, or −1."""
    mask = len(spellings.key) - 1
    for left_out in range(start, stop + 1):  # the last turn leaves out nothing
        key = _hash_without(data, start, stop, left_out)
        slot = compute_slot(key, len(spellings.key))
        while spellings.key[slot] >= 0:
            if spellings.key[slot] == key:
                word = spellings.word[slot]
                first, last = tree.offsets[word], tree.offsets[word + 1]
                if _one_slip(data, start, stop, tree.words, first, last):
                    return int(word)
            slot = (slot + 1) & mask
    return -1


@inner_kernel
def find_glued_term(data: UInt8s, start: int, stop: int, lists: EvidenceLists) -> int:
    """The node of a strong term with which an unknown word begins or ends, or −1.

    The rest must be a common word or a name; sexual terms may have four letters, others five.
    """
    best, longest = -1, 0
    for cut in range(start + 2, stop - 1):
        for low, high, other_low, other_high in ((start, cut, cut, stop), (cut, stop, start, cut)):
            length = high - low
            if length < 3 or length <= longest:
                continue
            code = find_word(data, low, high, lists.tree)
            if code < 0 or lists.single[code] < 0:
                continue
            adult = lists.entry_kind[lists.topic[lists.single[code]]] == ADULT_KIND
            if length < (3 if adult else 5):
                continue
            second_word = find_word(data, other_low, other_high, lists.tree)
            if second_word >= 0 and lists.word[second_word, 0] >= (4.0 if length == 3 else 3.0):
                best, longest = int(lists.single[code]), length
    return best


@inner_kernel
def has_medical_ending(data: UInt8s, start: int, stop: int, lists: EvidenceLists) -> bool:
    """Whether an unknown word ends as names of diseases and operations do: "hamartoma"."""
    for cut in range(max(start + 3, stop - 8), stop - 2):
        code = find_word(data, cut, stop, lists.tree)
        if code >= 0 and lists.role[code] & MEDICAL_ENDING:
            return True
    return False


@inner_kernel
def _hash_sound(data: UInt8s, start: int, stop: int) -> np.int64:
    """A hash of how a word sounds: of likely spellings of one sound one is taken for all.

    Doubled letters count once; an h, a final e and what only lengthens a vowel are dropped; c, ck
    and q are k (s before e, i, y), ph is f, z is s, y is i, w after e is u.
    """
    mark, before = _FNV, 0
    for place in range(start, stop):
        letter = lowercase_byte(data[place])
        after = lowercase_byte(data[place + 1]) if place + 1 < stop else 0
        if letter == 112 and after == 104:  # ph
            letter = 102
        elif letter == 99 or letter == 113:  # c, q
            soft = letter == 99 and (after == 101 or after == 105 or after == 121)
            letter = 115 if soft else 107
        elif letter == 122:  # z
            letter = 115
        elif letter == 121:  # y
            letter = 105
        elif letter == 101 and (after == 119 or after == 97 or after == 101):  # ew, ea, ee
            letter = 117 if after == 119 else 105
        elif letter == 119 and before == 117:  # the w of ew
            continue
        elif letter == 97 and before == 105 and place > start + 1:  # the a of ea, ia
            if lowercase_byte(data[place - 1]) == 101:
                continue
        elif letter == 101 and (before == 105 or after == 0):  # the e of ie, ee; a final e
            continue
        if letter == 104 or letter == before or letter == 39:
            continue
        mark = (mark ^ np.uint64(letter)) * _PRIME
        before = letter
    return np.int64((mark ^ (mark >> np.uint64(32))) & np.uint64(0x7FFFFFFFFFFFFFFF))


@inner_kernel
def _fill_name_hashes(data: UInt8s, first_span: Span, last_span: Span, out: Int64s) -> int:
    """Hashes of a name as it sounds, and with one letter of one word left out; how many.

    What has no room in `out` is counted alone.
    """
    hashes = _hash_without(data, *first_span, -1), _hash_without(data, *last_span, -1)
    sound = _hash_sound(data, *first_span) ^ (_hash_sound(data, *last_span) * 31) ^ _SOUND_SALT
    if len(out):
        out[0] = sound & NAME_BITS
    count = 1
    for turn in range(2):
        low, high = first_span if turn == 0 else last_span
        if high - low < _SHORT:
            continue
        for left_out in range(low, high + 1):  # the last turn leaves out nothing
            slip = _hash_without(data, low, high, left_out)
            first, last = (slip, hashes[1]) if turn == 0 else (hashes[0], slip)
            if count < len(out):
                out[count] = (first ^ (last * 31)) & NAME_BITS
            count += 1
    return count


@inner_kernel
def is_nearly_known(first: int, last: int, q: QueryScan) -> bool:
    """Whether a name is that of somebody known, but for a slip in one word, or by its sound."""
    first_span, last_span = find_bytes(first, q), find_bytes(last, q)
    if max(first_span[1] - first_span[0], last_span[1] - last_span[0]) > _LONGEST:
        return False
    hashes = np.empty(2 * _LONGEST + 3, np.int64)
    for place in range(_fill_name_hashes(q.data, first_span, last_span, hashes)):
        if contains_value(q.lists.spelt_name, hashes[place]):
            return True
    return False


@njit(cache=True, nogil=True)
def name_hashes(data: UInt8s, begins: Int64s, middles: Int64s, ends: Int64s, out: Int64s) -> int:
    """Hashes of names of two words, see `is_nearly_known`; how many, also beyond the room in `out`.

    ``data[begins[i]:middles[i]]`` is the first word, ``data[middles[i]:ends[i]]`` the last.
    """
    count = 0
    for name in range(len(begins)):
        first_span, last_span = (begins[name], middles[name]), (middles[name], ends[name])
        count += _fill_name_hashes(data, first_span, last_span, out[count:])
    return count


@njit(cache=True, nogil=True)
def person_mark(key: int, salt: int) -> np.int64:
    """The first `PERSON_BITS` bits of a salted hash of a `name_key`.

    So few that a list of marks doesn't tell its names: of the names that somebody tries against
    it, more are there by accident than by right.
    """
    word = np.uint64(key) ^ np.uint64(salt)
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.int64((word ^ (word >> np.uint64(31))) >> np.uint64(64 - PERSON_BITS))


@inner_kernel
def is_in_encyclopedia(first: int, last: int, q: QueryScan) -> bool:
    """Whether a name is that of a person of an encyclopedia, who shares it with few."""
    mark = person_mark(name_key(first, last, q), q.lists.encyclopedia_salt[0])
    return bool(contains_value(q.lists.encyclopedia, mark))


@inner_kernel
def find_bytes(i: int, q: QueryScan) -> Span:
    """Where a word of a query begins and ends in the block."""
    return q.now[START] + q.words.begins[i], q.now[START] + q.words.ends[i]


@inner_kernel
def name_key(first: int, last: int, q: QueryScan) -> np.int64:
    """A hash of first and last name, the same in every log."""
    first_hash = _hash_without(q.data, *find_bytes(first, q), -1)
    last_hash = _hash_without(q.data, *find_bytes(last, q), -1)
    return np.int64((first_hash ^ (last_hash * 31)) & NAME_BITS)
