"""Finds words, names, places, companies and terms in folded queries: one pass over the bytes.

The cost is O(bytes) for splitting and hashing plus O(words · longest phrase) for the phrases;
every string is read once whatever it holds.
"""

import numpy as np
from numba import njit

from auditor.arrays import Int32s, Int64s, UInt8s
from auditor.attacks.detection import rules
from auditor.attacks.detection.tables import LexiconLists, MarkColumns, PhraseTree, SplitWords

_FNV, _PRIME = np.uint64(14695981039346656037), np.uint64(1099511628211)
_QUOTE, _COMMA = 39, 44
# Bits of words, and places of the bits of phrases, as `lexicon` defines them.
_DICTIONARY, _CAPITALISED, _REGION, _INC, _STREET_WORD = 1, 2, 4, 8, 16
_COMPANY, _ADULT, _REVEALING, _STATE, _TRUE, _FALSE = 0, 1, 2, 3, 4, 5
_PERSON_KIND, _PLACE_KIND, _COMPANY_KIND, _ADULT_KIND, _REVEALING_KIND = 0, 1, 2, 3, 4

inner_kernel = njit(cache=True, nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)
"""For kernels that kernels alone call: to be called from Python, too, nearly doubles the time that
those with many columns take to compile."""


@inner_kernel
def lowercase_byte(byte: int) -> int:
    return byte + 32 if 65 <= byte <= 90 else byte


@inner_kernel
def contains_value(values: Int64s, value: int) -> bool:
    """Whether `value` stands in ascending `values`."""
    place = np.searchsorted(values, value)
    return bool(place < len(values) and values[place] == value)


@inner_kernel
def _in_word(byte: int) -> int:
    """0 for what parts words, 1 for a letter, 2 for a digit."""
    low = byte | 32
    if 97 <= low <= 122 or byte == 255:
        return 1
    return 2 if 48 <= byte <= 57 else 0


@inner_kernel
def find_word(data: UInt8s, start: int, stop: int, tree: PhraseTree) -> int:
    """The id of the word in ``data[start:stop]``, or −1; apostrophes don't count."""
    words, offsets, slots = tree.words, tree.offsets, tree.slots
    mark = _FNV
    length = 0
    for place in range(start, stop):
        byte = data[place]
        if byte != _QUOTE:
            mark = (mark ^ np.uint64(lowercase_byte(byte))) * _PRIME
            length += 1
    mask = len(slots) - 1
    slot = np.int64((mark ^ (mark >> np.uint64(32))) & np.uint64(mask))
    while slots[slot] >= 0:
        code = slots[slot]
        if offsets[code + 1] - offsets[code] == length:
            offset = offsets[code]
            is_equal = True
            for place in range(start, stop):
                byte = data[place]
                if byte != _QUOTE:
                    if words[offset] != lowercase_byte(byte):
                        is_equal = False
                        break
                    offset += 1
            if is_equal:
                return int(code)
        slot = (slot + 1) & mask
    return -1


@njit(cache=True, nogil=True)
def fill_slots(words: UInt8s, offsets: Int64s, slots: Int32s) -> None:
    """Put every word's id into the hash table `slots`."""
    mask = len(slots) - 1
    for code in range(len(offsets) - 1):
        mark = _FNV
        for place in range(offsets[code], offsets[code + 1]):
            mark = (mark ^ np.uint64(words[place])) * _PRIME
        slot = np.int64((mark ^ (mark >> np.uint64(32))) & np.uint64(mask))
        while slots[slot] >= 0:
            slot = (slot + 1) & mask
        slots[slot] = code


@inner_kernel
def compute_slot(key: int, size: int) -> np.int64:
    mixed = np.uint64(key) * np.uint64(11400714819323198485)
    return np.int64((mixed ^ (mixed >> np.uint64(32))) & np.uint64(size - 1))


@njit(cache=True, nogil=True)
def fill_table(keys: Int64s, values: Int32s, table_key: Int64s, table_value: Int32s) -> None:
    """Put every key and its value into an open-addressed table; one key may stand there often."""
    for index in range(len(keys)):
        slot = compute_slot(keys[index], len(table_key))
        while table_key[slot] >= 0:
            slot = (slot + 1) & (len(table_key) - 1)
        table_key[slot] = keys[index]
        table_value[slot] = values[index]


@inner_kernel
def find_child(node: int, word: int, tree: PhraseTree) -> np.int64:
    """The node of a phrase with one word more, or −1."""
    key = np.int64(node) * (len(tree.offsets) - 1) + word
    slot = compute_slot(key, len(tree.edge_key))
    while tree.edge_key[slot] >= 0:
        if tree.edge_key[slot] == key:
            return np.int64(tree.edge_node[slot])
        slot = (slot + 1) & (len(tree.edge_key) - 1)
    return np.int64(-1)


@inner_kernel
def _joining_kind(data: UInt8s, start: int, stop: int) -> int:
    """How the words around ``data[start:stop]`` belong together.

    2 if only blanks, . - _ + & ' " or control characters stand between them, 1 if a comma
    does, too, 0 otherwise.
    """
    kind = 2
    for place in range(start, stop):
        byte = data[place]
        if byte == _COMMA:
            kind = 1
        elif byte > 32 and byte not in (34, 38, 39, 43, 45, 46, 95):
            return 0
    return kind


@inner_kernel
def _word_end(data: UInt8s, place: int, last: int) -> tuple[int, int, int]:
    """The end of the word that begins at `place`, its shape, and its digits.

    The shape is 1 for letters only, 2 for digits only, 3 for both. An apostrophe between two
    letters belongs to the word.
    """
    shape = digits = 0
    end = place
    while place < last:
        character = _in_word(data[place])
        if character == 0:
            if data[place] != _QUOTE or place + 1 == last:
                break
            if _in_word(data[place + 1]) == 0 and data[place + 1] != _QUOTE:
                break
        shape |= character
        digits += character == 2
        place += 1
        if character:
            end = place
    return end, shape, digits


@inner_kernel
def allocate_words(starts: Int64s) -> SplitWords:
    """Room for the words of any query of a block."""
    room = np.max(starts[1:] - starts[:-1]) // 2 + 2 if len(starts) > 1 else 2
    return SplitWords(
        np.empty(room, np.int64), np.empty(room, np.int64), np.empty(room, np.int64),
        np.empty(room, np.int64), np.empty(room, np.int64), np.empty(room, np.int64),
    )  # fmt: skip


@inner_kernel
def split_tokens(
    data: UInt8s, first: int, last: int, tree: PhraseTree, out: SplitWords
) -> tuple[int, int]:
    """Split ``data[first:last]``; the number of words, and what the bytes make likely.

    Of a word with 's that begins no phrase, only what stands before the 's counts, and nothing
    is joined to it.
    """
    begins, ends, lengths, codes, shapes, joins = out
    count = digits = dots = colons = 0
    mail = False
    place = first
    while place < last:
        if _in_word(data[place]) == 0:
            dots += data[place] == 46
            colons += data[place] == 58
            mail = mail or data[place] == 64
            place += 1
            continue
        start = place
        end, shape, digit_count = _word_end(data, place, last)
        digits += digit_count
        place = end
        code = find_word(data, start, end, tree)
        owned = end - start > 2 and data[end - 2] == _QUOTE and (data[end - 1] | 32) == 115
        if owned and (code < 0 or tree.root[code] < 0):
            end -= 2
            while data[end - 1] == _QUOTE:
                end -= 1
            code = find_word(data, start, end, tree)
        begins[count], ends[count] = start - first, end - first
        lengths[count], codes[count], shapes[count] = end - start, code, shape
        joins[count] = 0
        if count > 0:
            joins[count] = _joining_kind(data, first + ends[count - 1], start)
        count += 1
    likely = rules.AT if mail else 0
    if digits >= 8:
        likely |= rules.NUMBERS
    if colons >= 2 or (dots >= 3 and digits >= 4):
        likely |= rules.COLONS
    return count, likely


@inner_kernel
def _is_person(first: int, last: int, rare_below: float, lists: LexiconLists) -> bool:
    """Conditions 2 and 3 of the source for words as first and last name."""
    if lists.first[first] <= 0.0 or lists.last[last] <= 0.0:
        return False
    if not lists.bits[first] & lists.bits[last] & _DICTIONARY:
        return True
    return bool(lists.first[first] < rare_below or lists.last[last] < rare_below)


@inner_kernel
def _find_longest_phrases(
    first: int, count: int, words: SplitWords, lists: LexiconLists, longest: Int64s
) -> None:
    """Set ``longest[i]`` to the last word of list i's longest phrase from `first`."""
    last = first
    node = np.int64(lists.tree.root[words.codes[first]])
    while node >= 0:
        if lists.node_bits[node]:
            for list_number in range(len(longest)):
                if lists.node_bits[node] >> list_number & 1:
                    longest[list_number] = last
        last += 1
        if last == count or words.joins[last] < 2 or words.codes[last] < 0:
            break
        node = find_child(node, words.codes[last], lists.tree)


@njit(cache=True, nogil=True)
def mark_entities(out: MarkColumns, data: UInt8s, starts: Int64s, kinds: int, rare_below: float,
                  lists: LexiconLists, likely: UInt8s) -> int:  # fmt: skip
    """Mark entities in each query of a block; return how many marks there are.

    Marks beyond the room in `out` are counted but not written: call again with more room. Marks
    come in no order within a query; ``name`` of a person is first · w + last.
    """
    tree, bits = lists.tree, lists.bits
    size = len(tree.offsets) - 1
    words = allocate_words(starts)
    begins, ends, lengths, codes, shapes, joins = words
    longest, free = np.empty(6, np.int64), np.empty(5, np.int64)
    row = 0
    for query in range(len(starts) - 1):
        count, hint = split_tokens(data, starts[query], starts[query + 1], tree, words)
        legal = count > 1 and codes[count - 1] >= 0 and bits[codes[count - 1]] & _INC != 0
        number = -9
        free[:] = 0
        for i in range(count):
            code = codes[i]
            if 48 <= data[starts[query] + begins[i]] <= 57:
                number = i
            if code < 0:
                continue
            if bits[code] & _STREET_WORD and 2 <= i - number <= 5:
                hint |= rules.STREET
            longest[:] = -1
            if tree.root[code] >= 0:
                _find_longest_phrases(i, count, words, lists, longest)
            for kind in range(5):
                if not kinds >> kind & 1 or i < free[kind]:
                    continue
                low, high, key = i, -1, -1
                if kind == _COMPANY_KIND:
                    high = int(longest[_COMPANY])
                    if high == i and count > 1 and bits[code] & _DICTIONARY:
                        high = -1  # a common word, unless it is the whole query
                    if legal:  # ends in inc or corp: the whole query names the company
                        low, high = 0, count - 1
                elif kind == _ADULT_KIND:
                    high = int(longest[_ADULT])
                elif kind == _REVEALING_KIND:
                    high = int(longest[_REVEALING])
                elif kind == _PLACE_KIND:
                    high = int(longest[_STATE])
                    if high < 0 and bits[code] & _REGION:
                        high = i
                    low = i - 1
                    if high >= 0 and not _is_place(low, words, bits):
                        high = -1
                elif longest[_TRUE] > i:
                    high = int(longest[_TRUE])
                elif i + 1 < count and joins[i + 1] == 2:
                    high = i + 1
                    if lengths[high] == 1 and shapes[high] == 1:
                        # A middle initial.
                        high = i + 2 if i + 2 < count and joins[i + 2] == 2 else -1
                    if high >= 0 and (
                        codes[high] < 0
                        or longest[_FALSE] >= high
                        or not _is_person(code, codes[high], rare_below, lists)
                    ):
                        high = -1
                if high < 0:
                    continue
                if kind == _PERSON_KIND:
                    key = int(codes[i]) * size + int(codes[high])
                else:
                    free[kind] = high + 1
                if row < len(out.query):
                    out.query[row], out.kind[row] = query, kind
                    out.start[row], out.stop[row] = begins[low], ends[high]
                    out.name[row], out.term[row], out.is_public[row] = key, -1, False
                    out.rule[row], out.confidence[row] = rules.SOURCE_RULE, 1.0
                row += 1
        likely[query] = hint
    return row


@inner_kernel
def _is_place(low: int, words: SplitWords, bits: UInt8s) -> bool:
    """Whether word `low`, before a state, city or county, can be a place's name."""
    if low < 0 or words.joins[low + 1] < 1 or words.shapes[low] != 1:
        return False
    if words.lengths[low] < 2:
        return False
    code = words.codes[low]
    return code < 0 or bits[code] & _CAPITALISED != 0 or not bits[code] & _DICTIONARY
