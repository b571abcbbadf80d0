"""Finds names, companies, places, topics and hints of identifiers in folded queries, in one pass.

For every query: split into words, mend what is misspelt, walk the tree of phrases from each word
once, then weigh. The cost is O(bytes + words · longest phrase), whatever the bytes hold.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from auditor.arrays import Float32s, Int64s, UInt8s
from auditor.attacks.detection.kernels import split_tokens
from auditor.attacks.detection.name_kernels import (
    allocate_names,
    allocate_terms,
    find_names,
    private_chance,
)
from auditor.attacks.detection.phrase_kernels import (
    HITS,
    cover_words,
    mend_unknown_words,
    read_phrases,
    set_word_roles,
    write_mark,
    write_name,
)  # fmt: skip
from auditor.attacks.detection.rules import (
    ADDRESS_RULE,
    ADDRESSED,
    ADULT_KIND,
    AREA_CODE,
    AT,
    CHILD,
    CHILD_RULE,
    COLONS,
    COMPANY_KIND,
    CREDIT,
    CRIME_KIND,
    CUE,
    DICTIONARY,
    DISTRESS_KIND,
    EMAIL_KIND,
    ETHNICITY_KIND,
    FAME,
    HANDLE,
    HOME_RULE,
    LETTERED,
    LOOKUP,
    LOOKUP_RULE,
    MAIL,
    MINORS_KIND,
    NAME_RULE,
    NATION,
    NATION_NOUN,
    NATION_RULE,
    NO_AT_RULE,
    NUMBERS,
    ORG_HEAD,
    PERSON_KIND,
    PLACE,
    PLACE_HEAD,
    PLACE_KIND,
    PLATE,
    PLATE_WORD,
    RELATIVE,
    STREET,
    STREET_ENDING,
    STREET_WORD,
    TOP_LEVEL,
    WWW,
)  # fmt: skip
from auditor.attacks.detection.spelling_kernels import is_in_encyclopedia, is_nearly_known
from auditor.attacks.detection.tables import (
    EvidenceLists,
    FoundNames,
    MarkColumns,
    QueryTerms,
    QueryText,
    RuleMatch,
    TermHits,
    Wanted,
)

KINDS = 24
_LETTERS, _DIGITS, _MIXED = 1, 2, 3
WEB_ADDRESS = RuleMatch(COMPANY_KIND, ADDRESS_RULE, 0.9)
MAIL_WITHOUT_AT = RuleMatch(EMAIL_KIND, NO_AT_RULE, 0.7)
AREA_AS_PLACE = RuleMatch(PLACE_KIND, HOME_RULE, 0.8)
CHILD_BESIDE_TERM = RuleMatch(MINORS_KIND, CHILD_RULE, 0.65)
TITLE_AND_NAME = RuleMatch(PERSON_KIND, NAME_RULE, 0.6)
_NATION_CHANCE = 0.7
"""How sure the fixed rules are."""
_PLAINLY_NAME, _NAME_AND_WORD = 1.0, 1.5
"""How much more often a last name than a word, as log10, a word is from which a title before it
makes it somebody's; the second for words of the dictionary."""
_INSTITUTION_PART = 0.6
"""What is left of the chance that a name is a private person's where it is a house's."""
_RARE_NAME = -7.1
"""log10 of the share of people that bear a name: twenty in the United States."""


@njit(cache=True, nogil=True)
def scan_queries(data: UInt8s, starts: Int64s, lists: EvidenceLists, wanted: Wanted,
                 out: MarkColumns, likely: UInt8s) -> None:  # fmt: skip
    """Mark a block of queries; what each query makes likely goes into `likely`.

    Marks of a query come in no order.
    """
    q = allocate_terms(starts)
    tree, words = lists.tree, q.words
    names = allocate_names(len(q.fixed))
    hits = TermHits(
        np.empty(HITS, np.int64), np.empty(HITS, np.int64), np.empty(HITS, np.int64),
        np.empty(HITS, np.float32), np.zeros(1, np.int64),
    )  # fmt: skip
    unsure, scale = np.empty(KINDS, np.float32), np.empty(KINDS, np.float32)
    for number in range(len(starts) - 1):
        start, stop = starts[number], starts[number + 1]
        count, _ = split_tokens(data, start, stop, tree, words)
        text = QueryText(number, data, start, stop, count)
        hits.size[0] = 0
        every = set_word_roles(count, lists, q)
        every |= mend_unknown_words(text, lists, q, hits)
        every |= read_phrases(text, lists, wanted, q, hits, out)
        mailed = -1
        if every & np.uint32(TOP_LEVEL | WWW):
            mailed = _read_addresses(text, wanted, q, out)
        _weigh_topics(count, lists, wanted, q, hits, unsure, scale)
        _write_topics(text, lists, wanted, q, hits, unsure, out)
        if every & np.uint32(AREA_CODE):
            _read_area_codes(text, wanted, q, out)
        if every & np.uint32(NATION):
            _read_nations(text, wanted, q, scale, out)
        if every & np.uint32(CHILD):
            _read_children(text, wanted, q, unsure, out)
        names_rule = LOOKUP_RULE if every & np.uint32(LOOKUP | RELATIVE) else NAME_RULE
        if wanted.kinds >> PERSON_KIND & 1 and count > 1 and wanted.weight[names_rule] > 0:
            found = find_names(text, lists, wanted, q, names)
            famed = (every & np.uint32(FAME)) != 0 or unsure[ADULT_KIND] < 0.5
            harmed = min(unsure[CRIME_KIND], unsure[DISTRESS_KIND], unsure[MINORS_KIND]) < 0.5
            works = names_rule == NAME_RULE and not harmed
            for name in range(found):
                first, last = names.first[name], names.last[name]
                if mailed != last:
                    known = famed or (works and _is_credited(first, q))
                    if not known and _is_rare(q.words.codes[first], q.words.codes[last], lists):
                        known = is_nearly_known(text, first, last, q, lists.spelt_name)
                    chance = names.chance[name]
                    placed = last + 1 < count and (q.roles[last + 1] & np.uint32(PLACE)) != 0
                    if not known and not placed and names_rule == NAME_RULE:
                        known = is_in_encyclopedia(text, first, last, q, lists)
                    if not known and not placed and names_rule == NAME_RULE:
                        chance = private_chance(chance, wanted.person)
                        if _names_institution(last, count, q):
                            chance *= _INSTITUTION_PART
                    match = RuleMatch(PERSON_KIND, names_rule, chance)
                    row = write_name(text, first, last, match, wanted, q, out)
                    if row >= 0:
                        out.known[row] = known
            if every & np.uint32(ADDRESSED):
                _read_titled(text, lists, wanted, q, names, found, out)
        likely[number] = _collect_hints(text, q, every)


@njit(cache=True, nogil=True)
def _read_titled(text: QueryText, lists: EvidenceLists, wanted: Wanted, q: QueryTerms,
                 names: FoundNames, found: int, out: MarkColumns) -> None:  # fmt: skip
    """Mark a title and the last name behind it, where it begins no longer name: "mrs kowalczyk".

    Not before wares: "dr martens boots".
    """
    for at in range(text.word_count - 1):
        code, last = q.words.codes[at + 1], at + 1
        if not q.roles[at] & np.uint32(ADDRESSED) or q.covered[at] or q.covered[last] or code < 0:
            continue
        ratio = lists.word[code, 2]
        plain = (q.roles[last] & np.uint32(DICTIONARY)) != 0
        sold = last + 1 < text.word_count and (q.roles[last + 1] & np.uint32(ORG_HEAD)) != 0
        whole = False
        for name in range(found):
            whole |= names.first[name] <= last <= names.last[name]
        given = lists.word[code, 1] > ratio
        if ratio >= (_NAME_AND_WORD if plain else _PLAINLY_NAME) and not (given or sold or whole):
            write_name(text, at, last, TITLE_AND_NAME, wanted, q, out)


@njit(cache=True, nogil=True)
def _names_institution(last: int, count: int, q: QueryTerms) -> bool:
    """Whether what follows a name makes it that of a house: "memorial hospital"."""
    heads = np.uint32(ORG_HEAD | PLACE_HEAD)
    cue = last + 2 < count and (q.roles[last + 1] & np.uint32(CUE)) != 0
    return bool(cue and q.roles[last + 2] & heads)


@njit(cache=True, nogil=True)
def _is_credited(first: int, q: QueryTerms) -> bool:
    """Whether a name stands after a work and "by": its author's, who published it."""
    return bool(first > 1 and (q.roles[first - 1] & np.uint32(CREDIT)) != 0)


@njit(cache=True, nogil=True)
def _is_rare(first: int, last: int, lists: EvidenceLists) -> bool:
    """Whether so few bear a name that it is rather somebody known, misspelt, than one of them."""
    if first < 0 or last < 0 or lists.word[first, 1] < -8.0 or lists.word[last, 2] < -8.0:
        return True
    return bool(lists.word[first, 3] + lists.word[last, 4] < _RARE_NAME)


@njit(cache=True, nogil=True)
def _read_addresses(text: QueryText, wanted: Wanted, q: QueryTerms, out: MarkColumns) -> int:
    """Mark addresses of sites, and of e-mail written without its sign; the word before such."""
    count, data, base = text.word_count, text.data, text.start
    mailed, at = -1, 0
    while at < count:
        last = -1
        if q.roles[at] & np.uint32(WWW):
            last = at
            while last + 1 < count and last < at + 4:
                last += 1
                if q.roles[last] & np.uint32(TOP_LEVEL):
                    break
        elif (
            at + 1 < count
            and q.roles[at + 1] & np.uint32(TOP_LEVEL)
            and q.words.begins[at + 1] - q.words.ends[at] == 1
            and data[base + q.words.ends[at]] == 46
        ):
            last = at + 1
        if last < 0:
            at += 1
            continue
        while (
            last + 1 < count
            and q.words.begins[last + 1] - q.words.ends[last] == 1
            and data[base + q.words.ends[last]] != 32
        ):
            last += 1
        before = at - 1
        if (
            before >= 0
            and q.roles[at] & np.uint32(MAIL)
            and q.words.shapes[before] & _LETTERS
            and q.words.ends[before] - q.words.begins[before] >= 4
            and (q.words.shapes[before] == _MIXED or q.words.codes[before] < 0)
            and q.words.joins[at] == 2
            and data[base + q.words.ends[before]] != 64
        ):
            mailed = before
            write_mark(text, before, last, MAIL_WITHOUT_AT, wanted, q, out)
        elif q.words.begins[at] == 0 or data[base + q.words.begins[at] - 1] != 64:
            cover_words(at, last, 1, q)
            write_mark(text, at, last, WEB_ADDRESS, wanted, q, out)
        at = last + 1
    return mailed


@njit(cache=True, nogil=True)
def _weigh_topics(count: int, lists: EvidenceLists, wanted: Wanted, q: QueryTerms, hits: TermHits,
           unsure: Float32s, scale: Float32s) -> None:  # fmt: skip
    """How unsure it is, after all terms and what stands around them, that each topic is meant."""
    unsure[:] = np.float32(1.0)
    scale[:] = np.float32(1.0)
    called = np.uint32(0)
    for at in range(count):
        if not q.in_term[at]:
            called |= q.settings[at]
    if called:
        for which in range(len(lists.factor)):
            if called >> np.uint32(which) & np.uint32(1):
                for kind in range(KINDS):
                    scale[kind] *= lists.factor[which, kind]
    for hit in range(hits.size[0]):
        again = False
        for other in range(hit):
            again = again or hits.node[other] == hits.node[hit]
        if again:
            continue
        entry = lists.topic[hits.node[hit]]
        alone = hits.first[hit] == 0 and hits.last[hit] == count - 1
        weight = lists.entry_alone if alone else lists.entry_weight
        while True:
            kind = lists.entry_kind[entry]
            says = weight[entry] * hits.weight[hit] * scale[kind]
            says *= wanted.weight[lists.entry_rule[entry]]
            unsure[kind] *= np.float32(1.0) - min(np.float32(0.99), says)
            if lists.last_entry[entry]:
                break
            entry += 1


@njit(cache=True, nogil=True)
def _write_topics(text: QueryText, lists: EvidenceLists, wanted: Wanted, q: QueryTerms,
                  hits: TermHits, unsure: Float32s, out: MarkColumns) -> None:  # fmt: skip
    for hit in range(hits.size[0]):
        entry = lists.topic[hits.node[hit]]
        while True:
            kind, rule = int(lists.entry_kind[entry]), int(lists.entry_rule[entry])
            if wanted.weight[rule] > 0:
                chance = (1.0 - unsure[kind]) / wanted.weight[rule]  # weighed already
                match = RuleMatch(kind, rule, chance)
                row = write_mark(text, hits.first[hit], hits.last[hit], match, wanted, q, out)
                if row >= 0:
                    out.term[row] = lists.entry_term[entry]
            if lists.last_entry[entry]:
                break
            entry += 1


@njit(cache=True, nogil=True)
def _read_area_codes(text: QueryText, wanted: Wanted, q: QueryTerms, out: MarkColumns) -> None:
    """Mark a telephone area code, which stands for a place: "area code 713"."""
    for at in range(text.word_count):
        first = text.data[text.start + q.words.begins[at]]
        if q.words.ends[at] - q.words.begins[at] != 3 or not 50 <= first <= 57:
            continue
        before = at > 0 and (q.roles[at - 1] & np.uint32(AREA_CODE)) != 0
        behind = at + 1 < text.word_count and (q.roles[at + 1] & np.uint32(AREA_CODE)) != 0
        if q.words.shapes[at] == _DIGITS and (before or behind):
            write_mark(text, at, at, AREA_AS_PLACE, wanted, q, out)


@njit(cache=True, nogil=True)
def _read_nations(
    text: QueryText, wanted: Wanted, q: QueryTerms, scale: Float32s, out: MarkColumns
) -> None:
    """Mark a nationality beside a word for people: "korean women"."""
    for at in range(text.word_count - 1):
        if (
            q.roles[at] & np.uint32(NATION)
            and q.roles[at + 1] & np.uint32(NATION_NOUN)
            and q.words.joins[at + 1] == 2
            and not (q.in_term[at] and q.in_term[at + 1])
        ):
            chance = _NATION_CHANCE * scale[ETHNICITY_KIND]
            match = RuleMatch(ETHNICITY_KIND, NATION_RULE, chance)
            write_mark(text, at, at + 1, match, wanted, q, out)


@njit(cache=True, nogil=True)
def _read_children(
    text: QueryText, wanted: Wanted, q: QueryTerms, unsure: Float32s, out: MarkColumns
) -> None:
    """Mark a word for a child beside something sexual, violent or criminal.

    Not one inside a longer term ("child support").
    """
    least = min(unsure[ADULT_KIND], unsure[DISTRESS_KIND], unsure[CRIME_KIND])
    if least >= 0.45 or unsure[MINORS_KIND] <= 0.5:
        return
    for at in range(text.word_count):
        if q.roles[at] & np.uint32(CHILD) and not (q.in_term[at] and q.covered[at]):
            write_mark(text, at, at, CHILD_BESIDE_TERM, wanted, q, out)
            return


@njit(cache=True, nogil=True)
def _collect_hints(text: QueryText, q: QueryTerms, every: np.uint32) -> int:
    """What a query holds that makes a validator worth its while."""
    digits = colons = hint = letters = 0
    for place in range(text.start, text.stop):
        byte = text.data[place]
        digits += 48 <= byte <= 57
        colons += byte == 58
        if byte == 64:
            hint |= AT
        elif byte == 47:  # of the address of a profile
            hint |= HANDLE
        if 97 <= byte | 32 <= 122 or byte == 95:
            letters += 1
        else:
            if letters >= 4 and 48 <= byte <= 57:
                hint |= HANDLE
            letters = 0
    if every & np.uint32(MAIL):
        hint |= HANDLE
    if not digits:
        return hint
    if digits >= 6:
        hint |= NUMBERS
    if colons >= 2:
        hint |= COLONS
    if every & np.uint32(PLATE_WORD):
        hint |= PLATE
    if digits >= 4 and colons < 2:
        for at in range(text.word_count):
            if q.words.shapes[at] == _MIXED and digits >= 5:
                hint |= LETTERED
    if every & np.uint32(STREET_WORD) or _has_street(text, q):
        hint |= STREET
    return hint


@njit(cache=True, nogil=True)
def _has_street(text: QueryText, q: QueryTerms) -> bool:
    """Whether a number stands before a street's ending, or a word ends like a street's name."""
    data, base = text.data, text.start
    number = -9
    for at in range(text.word_count):
        if 48 <= data[base + q.words.begins[at]] <= 57:
            number = at
        high = base + q.words.ends[at]
        if q.roles[at] & np.uint32(STREET_ENDING) and 1 <= at - number <= 5:
            return True
        if q.words.shapes[at] == _LETTERS and q.words.ends[at] - q.words.begins[at] > 5:
            a, b, c = data[high - 3] | 32, data[high - 2] | 32, data[high - 1] | 32
            if (
                ((a == 115 or a == 97) and b == 115 and c == 101)  # strasse, gasse, straße
                or (a == 97 and b == 97 and (c == 116 or c == 110))  # straat, laan
                or (a == 115 and b == 116 and c == 114)  # str
                or (a == 119 and b == 101 and c == 103)  # weg
            ):
                return True
    return False
