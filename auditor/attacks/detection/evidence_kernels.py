"""Finds names, companies, places, topics and hints of identifiers in folded queries, in one pass.

For every query: split into words, mend what is misspelt, walk the tree of phrases from each word
once, then weigh. The cost is O(bytes + words · longest phrase), whatever the bytes hold.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from auditor.arrays import Float32s, Int64s, UInt8s
from auditor.attacks.detection.kernels import split_tokens
from auditor.attacks.detection.name_kernels import FEATURES, find_names, private_chance, room_of
from auditor.attacks.detection.phrase_kernels import (
    HITS,
    Columns,
    Lists,
    QueryTerms,
    TermHits,
    Wanted,
    cover_words,
    mend_unknown_words,
    read_phrases,
    set_word_roles,
    write_mark,
    write_name,
)  # fmt: skip
from auditor.attacks.detection.rules import (
    ADDRESS_RULE,
    ADULT_KIND,
    AT,
    CHILD,
    CHILD_RULE,
    COLONS,
    COMPANY_KIND,
    DISTRESS_KIND,
    EMAIL_KIND,
    ETHNICITY_KIND,
    FAME,
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
    PERSON_KIND,
    PLACE,
    PLATE,
    PLATE_WORD,
    RELATIVE,
    STREET,
    STREET_ENDING,
    STREET_WORD,
    TOP_LEVEL,
    WWW,
)  # fmt: skip
from auditor.attacks.detection.spelling_kernels import is_nearly_known

KINDS = 24
_LETTERS, _MIXED = 1, 3
_ADDRESS_CHANCE, _NO_AT_CHANCE, _CHILD_CHANCE, _NATION_CHANCE = 0.9, 0.7, 0.65, 0.7
"""How sure the fixed rules are."""
_RARE_NAME = -7.1
"""log10 of the share of people that bear a name: twenty in the United States."""


@njit(cache=True, nogil=True)
def scan_queries(data: UInt8s, starts: Int64s, lists: Lists, wanted: Wanted, out: Columns,
         likely: UInt8s) -> None:  # fmt: skip
    """Mark a block of queries; what each query makes likely goes into `likely`.

    Marks of a query come in no order.
    """
    room = room_of(starts)
    q = QueryTerms(
        np.empty(room, np.int64), np.empty(room, np.int64), np.empty(room, np.int64),
        np.empty(room, np.int64), np.empty(room, np.int64), np.empty(room, np.int64),
        np.empty(room, np.uint32), np.empty(room, np.uint32), np.empty(room, np.uint8),
        np.empty(room, np.uint8), np.empty((room, 8), np.int64),
    )  # fmt: skip
    hits = TermHits(
        np.empty(HITS, np.int64), np.empty(HITS, np.int64), np.empty(HITS, np.int64),
        np.empty(HITS, np.float32), np.zeros(1, np.int64),
    )  # fmt: skip
    unsure, scale = np.empty(KINDS, np.float32), np.empty(KINDS, np.float32)
    names = np.empty((room, 2), np.int64)
    chances, vector = np.empty(room, np.float64), np.zeros(FEATURES)
    for query in range(len(starts) - 1):
        base, stop = starts[query], starts[query + 1]
        count, _ = split_tokens(
            data, base, stop, lists.words, lists.offsets, lists.slots, lists.root, q.begins,
            q.ends, q.codes, q.shapes, q.joins,
        )  # fmt: skip
        hits.size[0] = 0
        every = set_word_roles(count, lists, q)
        every |= mend_unknown_words(count, data, base, lists, q, hits)
        every |= read_phrases(query, count, data, base, lists, wanted, q, hits, out)
        mailed = -1
        if every & np.uint32(TOP_LEVEL | WWW):
            mailed = _read_addresses(query, count, data, base, wanted, q, out)
        _weigh_topics(count, lists, wanted, q, hits, unsure, scale)
        _write_topics(query, lists, wanted, q, hits, unsure, out)
        if every & np.uint32(NATION):
            _read_nations(query, count, wanted, q, scale, out)
        if every & np.uint32(CHILD):
            _read_children(query, count, wanted, q, unsure, out)
        names_rule = LOOKUP_RULE if every & np.uint32(LOOKUP | RELATIVE) else NAME_RULE
        if wanted.kinds >> PERSON_KIND & 1 and count > 1 and wanted.weight[names_rule] > 0:
            found = find_names(
                count, data, base, q.begins, q.ends, q.codes, q.shapes, q.joins, q.roles,
                q.covered, lists.word, wanted.person, wanted.least, vector, names[:, 0],
                names[:, 1], chances, lists.spelt_name,
            )  # fmt: skip
            famed = (every & np.uint32(FAME)) != 0 or unsure[ADULT_KIND] < 0.5
            for name in range(found):
                first, last = names[name, 0], names[name, 1]
                if mailed != last:
                    known = famed
                    if not known and _is_rare(q.codes[first], q.codes[last], lists):
                        known = is_nearly_known(
                            data, base, q.begins, q.ends, first, last, lists.spelt_name
                        )
                    chance = chances[name]
                    placed = last + 1 < count and (q.roles[last + 1] & np.uint32(PLACE)) != 0
                    if not known and not placed and names_rule == NAME_RULE:
                        chance = private_chance(chance, wanted.person)
                    write_name(
                        query, data, base, first, last, names_rule, chance, known, wanted, q, out,
                    )  # fmt: skip
        likely[query] = _collect_hints(count, data, base, stop, q, every)


@njit(cache=True, nogil=True)
def _is_rare(first: int, last: int, lists: Lists) -> bool:
    """Whether so few bear a name that it is rather somebody known, misspelt, than one of them."""
    if first < 0 or last < 0 or lists.word[first, 1] < -8.0 or lists.word[last, 2] < -8.0:
        return True
    return bool(lists.word[first, 3] + lists.word[last, 4] < _RARE_NAME)


@njit(cache=True, nogil=True)
def _read_addresses(query: int, count: int, data: UInt8s, base: int, wanted: Wanted,
                    q: QueryTerms, out: Columns) -> int:  # fmt: skip
    """Mark addresses of sites, and of e-mail written without its sign; the word before such."""
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
            and q.begins[at + 1] - q.ends[at] == 1
            and data[base + q.ends[at]] == 46
        ):
            last = at + 1
        if last < 0:
            at += 1
            continue
        while (
            last + 1 < count
            and q.begins[last + 1] - q.ends[last] == 1
            and data[base + q.ends[last]] != 32
        ):
            last += 1
        before = at - 1
        if (
            before >= 0
            and q.roles[at] & np.uint32(MAIL)
            and q.shapes[before] & _LETTERS
            and q.ends[before] - q.begins[before] >= 4
            and (q.shapes[before] == _MIXED or q.codes[before] < 0)
            and q.joins[at] == 2
            and data[base + q.ends[before]] != 64
        ):
            mailed = before
            write_mark(
                query, q.begins[before], q.ends[last], EMAIL_KIND, NO_AT_RULE, _NO_AT_CHANCE, -1,
                wanted, out,
            )  # fmt: skip
        elif q.begins[at] == 0 or data[base + q.begins[at] - 1] != 64:
            cover_words(at, last, 1, q)
            write_mark(
                query, q.begins[at], q.ends[last], COMPANY_KIND, ADDRESS_RULE, _ADDRESS_CHANCE, -1,
                wanted, out,
            )  # fmt: skip
        at = last + 1
    return mailed


@njit(cache=True, nogil=True)
def _weigh_topics(count: int, lists: Lists, wanted: Wanted, q: QueryTerms, hits: TermHits,
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
        while True:
            kind = lists.entry_kind[entry]
            says = lists.entry_weight[entry] * hits.weight[hit] * scale[kind]
            says *= wanted.weight[lists.entry_rule[entry]]
            unsure[kind] *= np.float32(1.0) - min(np.float32(0.99), says)
            if lists.last_entry[entry]:
                break
            entry += 1


@njit(cache=True, nogil=True)
def _write_topics(query: int, lists: Lists, wanted: Wanted, q: QueryTerms, hits: TermHits,
                  unsure: Float32s, out: Columns) -> None:  # fmt: skip
    for hit in range(hits.size[0]):
        entry = lists.topic[hits.node[hit]]
        while True:
            kind, rule = int(lists.entry_kind[entry]), int(lists.entry_rule[entry])
            if wanted.weight[rule] > 0:
                chance = (1.0 - unsure[kind]) / wanted.weight[rule]  # weighed already
                write_mark(
                    query, q.begins[hits.first[hit]], q.ends[hits.last[hit]], kind, rule, chance,
                    lists.entry_term[entry], wanted, out,
                )  # fmt: skip
            if lists.last_entry[entry]:
                break
            entry += 1


@njit(cache=True, nogil=True)
def _read_nations(query: int, count: int, wanted: Wanted, q: QueryTerms, scale: Float32s,
                  out: Columns) -> None:  # fmt: skip
    """Mark a nationality beside a word for people: "korean women"."""
    for at in range(count - 1):
        if (
            q.roles[at] & np.uint32(NATION)
            and q.roles[at + 1] & np.uint32(NATION_NOUN)
            and q.joins[at + 1] == 2
            and not (q.in_term[at] and q.in_term[at + 1])
        ):
            chance = _NATION_CHANCE * scale[ETHNICITY_KIND]
            write_mark(
                query, q.begins[at], q.ends[at + 1], ETHNICITY_KIND, NATION_RULE, chance, -1,
                wanted, out,
            )  # fmt: skip


@njit(cache=True, nogil=True)
def _read_children(query: int, count: int, wanted: Wanted, q: QueryTerms, unsure: Float32s,
                   out: Columns) -> None:  # fmt: skip
    """Mark a word for a child beside a sexual term, or one of abuse or violence."""
    if min(unsure[ADULT_KIND], unsure[DISTRESS_KIND]) >= 0.45 or unsure[MINORS_KIND] <= 0.5:
        return
    for at in range(count):
        if q.roles[at] & np.uint32(CHILD):
            write_mark(
                query, q.begins[at], q.ends[at], MINORS_KIND, CHILD_RULE, _CHILD_CHANCE, -1,
                wanted, out,
            )  # fmt: skip
            return


@njit(cache=True, nogil=True)
def _collect_hints(
    count: int, data: UInt8s, base: int, stop: int, q: QueryTerms, every: np.uint32
) -> int:
    """What a query holds that makes a validator worth its while."""
    digits = colons = hint = 0
    for place in range(base, stop):
        byte = data[place]
        digits += 48 <= byte <= 57
        colons += byte == 58
        if byte == 64:
            hint |= AT
    if not digits:
        return hint
    if digits >= 6:
        hint |= NUMBERS
    if colons >= 2:
        hint |= COLONS
    if every & np.uint32(PLATE_WORD):
        hint |= PLATE
    if digits >= 4 and colons < 2:
        for at in range(count):
            if q.shapes[at] == _MIXED and digits >= 5:
                hint |= LETTERED
    if every & np.uint32(STREET_WORD) or _has_street(count, data, base, q):
        hint |= STREET
    return hint


@njit(cache=True, nogil=True)
def _has_street(count: int, data: UInt8s, base: int, q: QueryTerms) -> bool:
    """Whether a number stands before a street's ending, or a word ends like a street's name."""
    number = -9
    for at in range(count):
        if 48 <= data[base + q.begins[at]] <= 57:
            number = at
        high = base + q.ends[at]
        if q.roles[at] & np.uint32(STREET_ENDING) and 1 <= at - number <= 5:
            return True
        if q.shapes[at] == _LETTERS and q.ends[at] - q.begins[at] > 5:
            a, b, c = data[high - 3] | 32, data[high - 2] | 32, data[high - 1] | 32
            if (
                ((a == 115 or a == 97) and b == 115 and c == 101)  # strasse, gasse, straße
                or (a == 97 and b == 97 and (c == 116 or c == 110))  # straat, laan
                or (a == 115 and b == 116 and c == 114)  # str
                or (a == 119 and b == 101 and c == 103)  # weg
            ):
                return True
    return False
