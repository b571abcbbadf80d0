"""Reads the phrases of a query: terms, people known, brands, places; mends what is misspelt.

Misspelt words, words glued together, and names that are nearly somebody's cost O(letters) each.
"""

import numpy as np
from numba import njit

from auditor.arrays import Int64s, UInt8s
from auditor.attacks.detection import rules
from auditor.attacks.detection.kernels import (
    compute_slot,
    contains_value,
    find_child,
    find_word,
    inner_kernel,
    lowercase_byte,
)
from auditor.attacks.detection.tables import (
    MARKS,
    NUMBER,
    SIZE,
    START,
    TERMS,
    EvidenceLists,
    PhraseTree,
    QueryScan,
    RuleMatch,
    SpellingTable,
)

Span = tuple[int, int]
HITS = 64
"""Terms kept of one query; of a query with more the rest are left out."""
_TERM, _TERM_NODE, _NEUTRAL, _NEUTRAL_NAME, _BRAND, _PUBLIC, _WORLD, _HOME = range(8)
"""Last word of the longest phrase of each family that begins at a word, −1 for none; the columns
of `QueryScan.spans`. Of the longest term its node, too."""
LETTERS = 1
"""The shape of a word of letters alone."""
_MOSTLY_NAME = 0.5
"""How much more often a word is a first name than a word, from which one rather means a person."""
_NO_NAME = -8.0
"""log odds of a word that is no name at all; what names have is greater."""
_LONGEST_WORD = 40
"""Letters up to which a word is mended or may be a name: every slip takes the square of them."""
_FNV, _PRIME = np.uint64(14695981039346656037), np.uint64(1099511628211)
_SHORT = 5
"""Letters below which a word with one left out tells too little."""
NAME_BITS = np.int64(0x3FFFFFFFFFFFFFFF)
_SOUND_SALT = np.int64(0x1B873593CC9E2D51)
PERSON_BITS = 26
"""Bits of a mark of the encyclopedia's list: one name in 200 that isn't there is taken to be."""
_MENDED = np.float32(0.8)
"""Weight of a misspelt term, and of one inside a longer word, against the right one alone: one of
several meanings then needs a second one beside it."""
_OF_A_COMPANY = np.float32(0.6)
"""Weight of a term right behind a company's name: "harvard dental" is a part of it."""
_KNOWN_PERSON = RuleMatch(rules.PERSON_KIND, rules.KNOWN_RULE, 0.95)
_LISTED_COMPANY = RuleMatch(rules.COMPANY_KIND, rules.LISTED_RULE, 0.85)
_NAMED_INSTITUTION = RuleMatch(rules.COMPANY_KIND, rules.INSTITUTION_RULE, 0.7)
_NO_PLACE = RuleMatch(rules.PLACE_KIND, rules.HOME_RULE, 0.99)
_PLACE_CHANCE, _SPELT_PLACE_CHANCE = 0.8, 0.7
"""How sure the fixed rules are."""


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
            adult = lists.entry_kind[lists.topic[lists.single[code]]] == rules.ADULT_KIND
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
        if code >= 0 and lists.role[code] & rules.MEDICAL_ENDING:
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
    if max(first_span[1] - first_span[0], last_span[1] - last_span[0]) > _LONGEST_WORD:
        return False
    hashes = np.empty(2 * _LONGEST_WORD + 3, np.int64)
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


@inner_kernel
def write_mark(first: int, last: int, match: RuleMatch, q: QueryScan) -> int:
    """Mark the words ``first:last + 1``, if the kind is wanted and it is sure enough.

    The mark's row, or −1 where none was written.
    """
    chance = match.chance * q.options.weight[match.rule]
    if not q.options.kinds >> match.kind & 1 or chance < q.options.least or chance <= 0.0:
        return -1
    row, out = q.now[MARKS], q.out
    q.now[MARKS] += 1
    if row >= len(out.query):
        return -1
    out.query[row] = q.now[NUMBER]
    out.start[row], out.stop[row] = q.words.begins[first], q.words.ends[last]
    out.kind[row], out.rule[row], out.term[row] = match.kind, match.rule, -1
    out.confidence[row], out.name[row], out.is_public[row] = min(chance, 0.99), -1, False
    return int(row)


@inner_kernel
def write_name(first: int, last: int, is_public: bool, match: RuleMatch, q: QueryScan) -> None:
    """Mark the words ``first:last + 1`` as a person's name."""
    row = write_mark(first, last, match, q)
    if row >= 0:
        q.out.name[row], q.out.is_public[row] = name_key(first, last, q), is_public


@inner_kernel
def set_word_roles(q: QueryScan) -> np.uint32:
    """Set every word's roles; the roles of all of them."""
    all_roles = np.uint32(0)
    for i in range(q.now[SIZE]):
        code = q.words.codes[i]
        q.roles[i] = q.lists.role[code] if code >= 0 else np.uint32(0)
        all_roles |= q.roles[i]
        q.settings[i], q.covered[i], q.in_term[i], q.fixed[i] = 0, 0, 0, -1
    q.roles[q.now[SIZE] : q.now[SIZE] + 4] = 0
    return all_roles


@inner_kernel
def _add_hit(node: int, first: int, last: int, weight: float, q: QueryScan) -> None:
    hit = q.now[TERMS]
    if hit < HITS:
        q.hits.node[hit], q.hits.first[hit], q.hits.last[hit] = node, first, last
        q.hits.weight[hit] = weight
        q.now[TERMS] += 1


@inner_kernel
def mend_unknown_words(q: QueryScan) -> np.uint32:
    """Find what words that nobody knows are slips of, or hold; the roles that this adds."""
    all_roles = np.uint32(0)
    word = q.lists.word
    for i in range(q.now[SIZE]):
        code, length = q.words.codes[i], q.words.lengths[i]
        if q.words.shapes[i] != LETTERS or length < 6 or length > _LONGEST_WORD:
            continue
        if code >= 0 and (
            word[code, 0] >= 2.2
            or word[code, 1] > -8.0
            or word[code, 2] > -8.0
            or q.roles[i] & rules.DICTIONARY
            or q.lists.tree.root[code] >= 0
        ):
            continue
        low, high = find_bytes(i, q)
        q.fixed[i] = correct_word(q.data, low, high, q.lists.tree, q.lists.fuzzy)
        if q.fixed[i] >= 0:
            q.roles[i] |= q.lists.role[q.fixed[i]]
            all_roles |= q.roles[i]
        elif length >= 7:
            node = find_glued_term(q.data, low, high, q.lists)
            if node < 0 and correct_word(q.data, low, high, q.lists.tree, q.lists.common) >= 0:
                q.roles[i] |= rules.DICTIONARY  # "resturant" is nobody's last name
            elif node < 0 and has_medical_ending(q.data, low, high, q.lists):
                node = int(q.lists.ending[0])
            if node >= 0:
                _add_hit(node, i, i, _MENDED, q)
                q.in_term[i] = 1
    return all_roles


@inner_kernel
def cover_words(first: int, last: int, q: QueryScan) -> None:
    for i in range(first, last + 1):
        q.covered[i] = max(q.covered[i], 1)


@inner_kernel
def _find_longest_phrases(i: int, placed: bool, q: QueryScan) -> np.uint32:
    """Set the spans of the longest phrases that begin at a word; the roles that phrases give.

    Towns abroad count where something in the query says that a place is meant.
    """
    spans = q.spans[i]
    spans[:] = -1
    all_roles = np.uint32(0)
    code = q.fixed[i] if q.fixed[i] >= 0 else q.words.codes[i]
    node = np.int64(q.lists.tree.root[code]) if code >= 0 else np.int64(-1)
    last = i
    while node >= 0:
        family = q.lists.family[node]
        if q.lists.topic[node] >= 0:
            spans[_TERM], spans[_TERM_NODE] = last, node
        if family:
            if family & rules.BRAND:
                spans[_BRAND] = last
            if family & rules.PUBLIC:
                spans[_PUBLIC] = last
            if family & rules.WORLD or (family & rules.TOWN and placed):
                spans[_WORLD] = last
            if family & rules.NEUTRAL:
                spans[_NEUTRAL] = last
            if family & rules.NEUTRAL_NAME:
                spans[_NEUTRAL_NAME] = last
            if family & rules.HOME:
                spans[_HOME] = last
        if q.lists.node_role[node] and last > i:
            all_roles |= q.lists.node_role[node]
            q.roles[i : last + 1] |= q.lists.node_role[node]
        if q.lists.context[node]:
            q.settings[i : last + 1] |= q.lists.context[node]
        last += 1
        if last == q.now[SIZE] or q.words.joins[last] < 2:
            break
        code = q.fixed[last] if q.fixed[last] >= 0 else q.words.codes[last]
        if code < 0:
            break
        node = find_child(node, code, q.lists.tree)
    return all_roles


@inner_kernel
def read_phrases(q: QueryScan) -> np.uint32:
    """Find terms, people known, brands and large places; the roles that phrases add."""
    phrase_roles, word_roles = np.uint32(0), np.uint32(0)
    for i in range(q.now[SIZE]):
        word_roles |= q.roles[i]
    sought = word_roles & (rules.SOUGHT_AT_PLACES | rules.PLACE) != 0
    for i in range(q.now[SIZE]):  # phrases give roles to words that earlier ones look at
        placed = sought or q.roles[i - 1] & rules.BEFORE_PLACE != 0
        phrase_roles |= _find_longest_phrases(i, placed, q)
    for i in range(q.now[SIZE]):
        word_roles |= q.roles[i]
    term_free = brand_free = public_free = place_free = 0
    named_from = named_to = listed_to = -1
    for i in range(q.now[SIZE]):
        spans = q.spans[i]
        place = max(spans[_WORLD], spans[_HOME])
        if spans[_PUBLIC] > max(i, named_to):
            named_from, named_to = i, spans[_PUBLIC]
        if spans[_BRAND] > max(i, listed_to):
            listed_to = spans[_BRAND]
        if i <= spans[_TERM] <= max(named_to, listed_to) and _is_in_a_name(
            i, named_from, named_to, listed_to, q
        ):
            spans[_TERM] = -1  # "bad religion", "salvation army"
        is_covered = i >= term_free and max(spans[_TERM], spans[_NEUTRAL]) >= i
        if is_covered and not _is_first_name(i, spans[_TERM], q):
            term_free = _take_term(i, 0 < i == brand_free, q)
        if spans[_NEUTRAL_NAME] > i:
            cover_words(i, spans[_NEUTRAL_NAME], q)
        if spans[_NEUTRAL] > max(i, place):
            place_free = max(place_free, spans[_NEUTRAL] + 1)  # "yellow labrador"
            _deny_place(i, spans[_NEUTRAL], q)
        if i >= public_free and spans[_PUBLIC] >= i and (spans[_PUBLIC] > i or q.now[SIZE] <= 4):
            public_free = spans[_PUBLIC] + 1
            if q.options.kinds >> rules.PERSON_KIND & 1 and q.options.weight[rules.KNOWN_RULE] > 0:
                q.covered[i:public_free] = 2
                write_name(i, spans[_PUBLIC], True, _KNOWN_PERSON, q)
        if i >= brand_free and spans[_BRAND] >= i and _is_brand(i, spans[_BRAND], q):
            brand_free = spans[_BRAND] + 1
            cover_words(i, spans[_BRAND], q)
            write_mark(i, spans[_BRAND], _LISTED_COMPANY, q)
        features = rules.COUNTY | rules.FEATURE
        county = spans[_NEUTRAL] == i + 1 and q.roles[i + 1] & features != 0
        titled = word_roles & rules.FICTION and spans[_WORLD] >= spans[_HOME]  # "sahara 2005 movie"
        titled = titled and not q.roles[i - 1] & rules.BEFORE_PLACE
        if i >= place_free and (county or spans[_NEUTRAL] <= place) and not titled:
            place_free = _read_place(i, q)
    if word_roles & rules.INSTITUTION:
        _read_institutions(q)
    return phrase_roles


@inner_kernel
def _deny_place(first: int, last: int, q: QueryScan) -> None:
    """Note that no place in the United States is taken from these words."""
    row = write_mark(first, last, _NO_PLACE, q)
    if row >= 0:
        q.out.name[row] = rules.NO_PLACE


@inner_kernel
def _read_institutions(q: QueryScan) -> None:
    """Take small places out of names of institutions: "emporia state university".

    Larger ones are marked as institutions already. Up to three words before count, none of them a
    function word.
    """
    for last in range(1, q.now[SIZE]):
        if not q.roles[last] & rules.INSTITUTION or q.covered[last]:
            continue
        first = last
        while (
            first > 0
            and last - first < 3
            and q.words.joins[first] == 2
            and q.words.shapes[first - 1] == LETTERS
            and not q.roles[first - 1] & (rules.FUNCTION | rules.BEFORE_PLACE)
        ):
            first -= 1
        if first < last:
            _deny_place(first, last, q)


@inner_kernel
def _is_in_a_name(i: int, named_from: int, named_to: int, listed_to: int, q: QueryScan) -> bool:
    """Whether a term is a part, not the whole, of the name of somebody known or of a brand.

    A brand may be about what its name says where that is something sexual.
    """
    spans = q.spans[i]
    if spans[_TERM] <= named_to and not (named_from == i and spans[_TERM] == named_to):
        return True
    adult = q.lists.entry_kind[q.lists.topic[spans[_TERM_NODE]]] == rules.ADULT_KIND
    return spans[_TERM] <= listed_to and spans[_TERM] != spans[_BRAND] and not adult


@inner_kernel
def _is_first_name(i: int, last: int, q: QueryScan) -> bool:
    """Whether a word of faith is rather somebody's first name: "jesus garcia", "christian jones".

    It is where a last name follows that is no word of the dictionary.
    """
    if last != i or i + 1 >= q.now[SIZE] or q.words.joins[i + 1] != 2:
        return False
    plain = rules.DICTIONARY | rules.PLACE | rules.FUNCTION
    code, next_code = q.words.codes[i], q.words.codes[i + 1]
    if code < 0 or next_code < 0 or q.roles[i + 1] & plain:
        return False
    topic, word = q.lists.single[code], q.lists.word
    if topic < 0 or q.lists.entry_kind[q.lists.topic[topic]] != rules.RELIGION_KIND:
        return False
    return bool(word[code, 1] > _NO_NAME and word[next_code, 2] > _NO_NAME)


@inner_kernel
def _take_term(i: int, owned: bool, q: QueryScan) -> int:
    """Keep the term that begins at a word, unless a phrase takes it; where the next may begin.

    An `owned` one stands right behind a company's name. Inside a longer term, one of health,
    sexuality or belief counts, too ("teen pregnancy"), and inside one about minors one of crime,
    abuse or violence.
    """
    term, node, neutral = q.spans[i, _TERM], q.spans[i, _TERM_NODE], q.spans[i, _NEUTRAL]
    free = max(term, neutral) + 1
    q.in_term[i:free] = 1
    if free > i + 1:
        q.covered[i:free] = 1
    if term < neutral:
        return int(free)
    weight = _MENDED if np.any(q.fixed[i:free] >= 0) else np.float32(1.0)
    kinds, topic = q.lists.entry_kind, q.lists.topic
    outer = kinds[topic[node]]
    if owned and outer in (rules.HEALTH_KIND, rules.CRIME_KIND, rules.RELIGION_KIND):
        weight *= _OF_A_COMPANY
    _add_hit(node, i, term, weight, q)
    for j in range(i, free):
        if free == i + 1 or q.words.codes[j] < 0:
            break
        inner = q.lists.single[q.words.codes[j]]
        if inner >= 0:
            kind = kinds[topic[inner]]
            is_compatible = (
                kind in (rules.CRIME_KIND, rules.DISTRESS_KIND) and outer == rules.MINORS_KIND
            )
            private = kind in (rules.HEALTH_KIND, rules.SEXUALITY_KIND, rules.RELIGION_KIND)
            if is_compatible or (private and kind != outer):
                _add_hit(inner, j, j, np.float32(1.0), q)
    return int(free)


@inner_kernel
def _is_brand(first: int, last: int, q: QueryScan) -> bool:
    """Whether a listed name is meant: one common word or name is, only if it is the query."""
    if last > first or (first == 0 and last == q.now[SIZE] - 1):
        return True
    code, word = q.words.codes[first], q.lists.word
    if q.roles[first] & (rules.DICTIONARY | rules.PLACE | rules.CALENDAR):
        return False
    return bool(code < 0 or (word[code, 1] <= -1.0 and word[code, 2] <= 0.5))


@inner_kernel
def _find_feature(i: int, q: QueryScan) -> int:
    """The last word of a county, lake, park or the like whose name no list has, or −1.

    Its name must be no word of the dictionary, and before a lake no first name: "veronica lake".
    """
    last = i + 1
    if (
        not q.roles[last] & (rules.COUNTY | rules.FEATURE)
        or q.words.joins[last] != 2
        or q.words.shapes[i] != LETTERS
        or q.words.lengths[i] <= 2
        or q.roles[i] & (rules.DICTIONARY | rules.FUNCTION)
    ):
        return -1
    if q.roles[last] & rules.COUNTY:
        return last
    other = rules.FEATURE | rules.CALENDAR | rules.TITLE
    if q.roles[i] & other or _is_mostly_a_name(i, q):
        return -1
    while q.roles[last + 1] & rules.FEATURE:
        last += 1
    return last


@inner_kernel
def _is_mostly_a_name(i: int, q: QueryScan) -> bool:
    """Whether a word is a first name rather than anything else."""
    code = q.words.codes[i]
    return bool(code >= 0 and q.lists.word[code, 1] > _MOSTLY_NAME)


@inner_kernel
def _read_place(i: int, q: QueryScan) -> int:
    """Mark a large place, a county, or an institution named after one; where to go on.

    A place in the US needs a word like "in" before it, or a slip: `places` finds the others.
    """
    world, home, before = q.spans[i, _WORLD], q.spans[i, _HOME], q.roles[i - 1]
    last = max(world, home)
    county = home > i and q.roles[home] & rules.COUNTY != 0
    if last < i:
        last = _find_feature(i, q)
        if last < i:
            return i
        county = True
    elif q.roles[last + 1] & rules.COUNTY:
        county = True
        last += 1
    college, first = -1, i
    for next_word in range(last + 1, last + 4):
        if q.roles[next_word] & rules.INSTITUTION:
            college = next_word  # "iowa central community college"
    if q.roles[i - 2] & rules.INSTITUTION and before & rules.FUNCTION:
        first, college = i - 2, max(college, last)  # "university of calgary"
        if q.roles[last + 1] & rules.PLACE:
            college = max(college, last + 1)  # "university of wisconsin madison"
    if college >= 0:
        cover_words(first, college, q)
        write_mark(first, college, _NAMED_INSTITUTION, q)
        return int(college) + 1
    abroad, slipped = world >= home and not county, q.fixed[i] >= 0
    if not (abroad or county or slipped or before & rules.BEFORE_PLACE):
        return i
    surname = abroad and last == i == q.now[SIZE] - 1 and i > 0 and not q.roles[i] & rules.PLACE
    if surname and _is_mostly_a_name(i - 1, q):
        return i  # "alyssa milano"
    if last > i:
        cover_words(i, last, q)
    rule = rules.WORLD_RULE if abroad else rules.HOME_RULE
    chance = _SPELT_PLACE_CHANCE if slipped else _PLACE_CHANCE
    write_mark(i, last, RuleMatch(rules.PLACE_KIND, rule, chance), q)
    return int(last) + 1
