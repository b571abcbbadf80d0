"""Reads the phrases of a query: terms, people known, brands, places; mends what is misspelt."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from auditor.arrays import Bools, Float32s, Float64s, Int32s, Int64s, UInt8s, UInt16s, UInt32s
from auditor.attacks.detection.kernels import child_of
from auditor.attacks.detection.rules import (
    BEFORE_PLACE,
    BRAND,
    CALENDAR,
    COMPANY_KIND,
    COUNTY,
    DICTIONARY,
    FUNCTION,
    HEALTH_KIND,
    HOME,
    HOME_RULE,
    INSTITUTION,
    INSTITUTION_RULE,
    KNOWN_RULE,
    LISTED_RULE,
    NEUTRAL,
    NEUTRAL_NAME,
    PERSON_KIND,
    PLACE,
    PLACE_KIND,
    PUBLIC,
    RELIGION_KIND,
    SEXUALITY_KIND,
    WORLD,
    WORLD_RULE,
)  # fmt: skip
from auditor.attacks.detection.spelling_kernels import correct_term, find_glued_term, name_key

HITS = 64
"""Terms kept of one query; of a query with more the rest are left out."""
_LETTERS = 1
LONGEST_WORD = 40
"""Letters up to which a word is mended: trying every slip takes the square of them."""
CORRECTED, GLUED = np.float32(0.9), np.float32(0.85)
"""Weight of a misspelt term, and of one inside a longer word, against the right one alone."""
_KNOWN_CHANCE, _LISTED_CHANCE, _WORLD_CHANCE = 0.95, 0.85, 0.8
_SPELT_CHANCE, _INSTITUTION_CHANCE = 0.7, 0.7
"""How sure the fixed rules are."""


class Lists(NamedTuple):
    """The arrays of `EvidenceIndex`, which says what each holds."""

    words: UInt8s
    offsets: Int64s
    slots: Int32s
    root: Int32s
    edge_key: Int64s
    edge_node: Int32s
    word: Float32s
    role: UInt32s
    node_role: UInt32s
    family: UInt8s
    context: UInt32s
    factor: Float32s
    topic: Int32s
    entry_kind: UInt8s
    entry_rule: UInt16s
    entry_term: Int32s
    entry_weight: Float32s
    last_entry: Bools
    single: Int32s
    fuzzy_key: Int64s
    fuzzy_word: Int32s
    common_key: Int64s
    common_word: Int32s
    spelt_name: Int64s


class Wanted(NamedTuple):
    """What is looked for: a bit set over kinds, the least chance of a mark, and how rules count.

    ``person`` are the coefficients of the model of names, ``weight`` a factor for each rule.
    """

    kinds: int
    least: float
    person: Float64s
    weight: Float32s


class Columns(NamedTuple):
    """Marks as columns, filled up to ``size[0]``, which also counts those beyond the room."""

    query: Int32s
    start: Int32s
    stop: Int32s
    kind: UInt8s
    rule: UInt16s
    term: Int32s
    chance: Float32s
    name: Int64s
    known: Bools
    size: Int64s


class QueryTerms(NamedTuple):
    """The words of one query and what is known of each, in arrays that are used again.

    ``fixed`` is the word that a misspelt one means, or −1. ``covered`` words belong to a phrase
    that is no name, ``in_term`` ones to a term or to a phrase that isn't meant as one. ``spans``
    are the longest phrases from each word, the fields of `Longest`; shape (words, 8).
    """

    begins: Int64s
    ends: Int64s
    codes: Int64s
    shapes: Int64s
    joins: Int64s
    fixed: Int64s
    roles: UInt32s
    settings: UInt32s
    covered: UInt8s
    in_term: UInt8s
    spans: Int64s


class TermHits(NamedTuple):
    """Terms found in one query: node of the phrase, first and last word, weight; how many."""

    node: Int64s
    first: Int64s
    last: Int64s
    weight: Float32s
    size: Int64s


class Longest(NamedTuple):
    """Last word of the longest phrase of each family that begins at a word, −1 for none."""

    term: int
    term_node: int
    neutral: int
    neutral_name: int
    brand: int
    public: int
    world: int
    home: int


@njit(cache=True, nogil=True)
def write_mark(query: int, start: int, stop: int, kind: int, rule: int, chance: float, term: int,
           wanted: Wanted, out: Columns) -> None:  # fmt: skip
    """Add a mark, if its kind is wanted and it is sure enough."""
    chance *= wanted.weight[rule]
    if not wanted.kinds >> kind & 1 or chance < wanted.least or chance <= 0.0:
        return
    at = out.size[0]
    if at < len(out.query):
        out.query[at], out.start[at], out.stop[at] = query, start, stop
        out.kind[at], out.rule[at], out.term[at] = kind, rule, term
        out.chance[at], out.name[at], out.known[at] = min(chance, 0.99), -1, False
    out.size[0] += 1


@njit(cache=True, nogil=True)
def write_name(query: int, data: UInt8s, base: int, first: int, last: int, rule: int,
                chance: float, known: bool, wanted: Wanted, q: QueryTerms,
                out: Columns) -> None:  # fmt: skip
    at = out.size[0]
    write_mark(query, q.begins[first], q.ends[last], PERSON_KIND, rule, chance, -1, wanted, out)
    if out.size[0] > at and at < len(out.query):
        out.name[at] = name_key(data, base, q.begins, q.ends, first, last)
        out.known[at] = known


@njit(cache=True, nogil=True)
def set_word_roles(count: int, lists: Lists, q: QueryTerms) -> np.uint32:
    """Set every word's roles; the roles of all of them."""
    every = np.uint32(0)
    for at in range(count):
        code = q.codes[at]
        q.roles[at] = lists.role[code] if code >= 0 else np.uint32(0)
        every |= q.roles[at]
        q.settings[at], q.covered[at], q.in_term[at] = np.uint32(0), 0, 0
        q.fixed[at] = -1
    return every


@njit(cache=True, nogil=True)
def _add_hit(node: int, first: int, last: int, weight: float, hits: TermHits) -> None:
    at = hits.size[0]
    if at < HITS:
        hits.node[at], hits.first[at], hits.last[at] = node, first, last
        hits.weight[at] = weight
        hits.size[0] += 1


@njit(cache=True, nogil=True)
def mend_unknown_words(count: int, data: UInt8s, base: int, lists: Lists, q: QueryTerms,
          hits: TermHits) -> np.uint32:  # fmt: skip
    """Find what words that nobody knows are slips of, or hold; the roles that this adds."""
    every = np.uint32(0)
    for at in range(count):
        code = q.codes[at]
        length = q.ends[at] - q.begins[at]
        if q.shapes[at] != _LETTERS or length < 6 or length > LONGEST_WORD:
            continue
        word = lists.word
        if code >= 0 and (
            word[code, 0] >= 2.2
            or word[code, 1] > -8.0
            or word[code, 2] > -8.0
            or q.roles[at] & np.uint32(DICTIONARY)
            or lists.root[code] >= 0
        ):
            continue
        low, high = base + q.begins[at], base + q.ends[at]
        q.fixed[at] = correct_term(
            data, low, high, lists.words, lists.offsets, lists.fuzzy_key, lists.fuzzy_word
        )
        if q.fixed[at] >= 0:
            q.roles[at] |= lists.role[q.fixed[at]]
            every |= q.roles[at]
        elif length >= 7:
            node = find_glued_term(
                data, low, high, lists.words, lists.offsets, lists.slots, lists.single, word,
                lists.topic, lists.entry_kind,
            )  # fmt: skip
            if node >= 0:
                _add_hit(node, at, at, GLUED, hits)
                q.in_term[at] = 1
            elif (
                correct_term(
                    data, low, high, lists.words, lists.offsets, lists.common_key, lists.common_word
                )
                >= 0
            ):
                q.roles[at] |= np.uint32(DICTIONARY)  # "resturant" is nobody's last name
    return every


@njit(cache=True, nogil=True)
def cover_words(first: int, last: int, value: int, q: QueryTerms) -> None:
    for at in range(first, last + 1):
        if q.covered[at] == 0:
            q.covered[at] = value


@njit(cache=True, nogil=True)
def _known_word(at: int, q: QueryTerms) -> int:
    return int(q.fixed[at] if q.fixed[at] >= 0 else q.codes[at])


@njit(cache=True, nogil=True)
def _find_longest_phrases(
    at: int, count: int, lists: Lists, q: QueryTerms
) -> tuple[Longest, np.uint32]:
    """The longest phrases that begin at a word, and the roles that phrases give to words."""
    term = term_node = neutral = neutral_name = brand = public = world = home = -1
    every = np.uint32(0)
    size = len(lists.offsets) - 1
    known = _known_word(at, q)
    node = np.int64(lists.root[known]) if known >= 0 else np.int64(-1)
    there = at
    while node >= 0:
        kind = lists.family[node]
        if lists.topic[node] >= 0:
            term_node, term = int(node), there
        if kind:
            if kind & BRAND:
                brand = there
            if kind & PUBLIC:
                public = there
            if kind & WORLD:
                world = there
            if kind & NEUTRAL:
                neutral = there
            if kind & NEUTRAL_NAME:
                neutral_name = there
            if kind & HOME:
                home = there
        if lists.node_role[node] and there > at:
            every |= lists.node_role[node]
            for here in range(at, there + 1):
                q.roles[here] |= lists.node_role[node]
        if lists.context[node]:
            for here in range(at, there + 1):
                q.settings[here] |= lists.context[node]
        there += 1
        if there == count or q.joins[there] < 2:
            break
        known = _known_word(there, q)
        if known < 0:
            break
        node = np.int64(child_of(node, known, size, lists.edge_key, lists.edge_node))
    return Longest(term, term_node, neutral, neutral_name, brand, public, world, home), every


@njit(cache=True, nogil=True)
def read_phrases(query: int, count: int, data: UInt8s, base: int, lists: Lists, wanted: Wanted,
                  q: QueryTerms, hits: TermHits, out: Columns) -> np.uint32:  # fmt: skip
    """Find terms, people known, brands and large places; the roles that phrases add."""
    every = np.uint32(0)
    for at in range(count):  # phrases give roles to words that earlier ones look at
        found, roles = _find_longest_phrases(at, count, lists, q)
        every |= roles
        for field in range(8):
            q.spans[at, field] = found[field]
    term_free = brand_free = public_free = place_free = 0
    for at in range(count):
        said = q.spans[at]
        found = Longest(said[0], said[1], said[2], said[3], said[4], said[5], said[6], said[7])
        if at >= term_free and max(found.term, found.neutral) >= at:
            term_free = _take_term(at, found, lists, q, hits)
        if found.neutral_name > at:
            cover_words(at, found.neutral_name, 1, q)
        if found.neutral > max(at, found.world, found.home):
            place_free = max(place_free, found.neutral + 1)  # "yellow labrador"
        if at >= public_free and found.public >= at and (found.public > at or count <= 4):
            public_free = found.public + 1
            if wanted.kinds >> PERSON_KIND & 1 and wanted.weight[KNOWN_RULE] > 0:
                for here in range(at, public_free):
                    q.covered[here] = 2
                write_name(
                    query, data, base, at, found.public, KNOWN_RULE, _KNOWN_CHANCE, True, wanted,
                    q, out,
                )  # fmt: skip
        if at >= brand_free and found.brand >= at and _is_brand(at, found.brand, count, lists, q):
            brand_free = found.brand + 1
            cover_words(at, found.brand, 1, q)
            write_mark(
                query, q.begins[at], q.ends[found.brand], COMPANY_KIND, LISTED_RULE,
                _LISTED_CHANCE, -1, wanted, out,
            )  # fmt: skip
        county = found.neutral == at + 1 and (q.roles[at + 1] & np.uint32(COUNTY)) != 0
        if at >= place_free and (county or found.neutral <= max(found.world, found.home)):
            place_free = _read_place(query, at, count, found.world, found.home, wanted, q, out)
    return every


@njit(cache=True, nogil=True)
def _take_term(at: int, found: Longest, lists: Lists, q: QueryTerms, hits: TermHits) -> int:
    """Keep the term that begins at a word, unless a phrase takes it; where the next may begin.

    Inside a longer term, one of health, sexuality or belief counts, too: "teen pregnancy".
    """
    last = max(found.term, found.neutral)
    for here in range(at, last + 1):
        q.in_term[here] = 1
    if last > at:
        for here in range(at, last + 1):
            q.covered[here] = 1
    if found.term < found.neutral:
        return last + 1
    weight = np.float32(1.0)
    for here in range(at, last + 1):
        if q.fixed[here] >= 0:
            weight = CORRECTED
    _add_hit(found.term_node, at, last, weight, hits)
    for here in range(at, last + 1):
        if last == at or q.codes[here] < 0:
            break
        inner = lists.single[q.codes[here]]
        if inner >= 0:
            kind = lists.entry_kind[lists.topic[inner]]
            if kind in (HEALTH_KIND, SEXUALITY_KIND, RELIGION_KIND):
                _add_hit(inner, here, here, np.float32(1.0), hits)
    return last + 1


@njit(cache=True, nogil=True)
def _is_brand(first: int, last: int, count: int, lists: Lists, q: QueryTerms) -> bool:
    """Whether a listed name is meant: one common word or name is, only if it is the query."""
    if last > first or (first == 0 and last == count - 1):
        return True
    code = q.codes[first]
    if q.roles[first] & np.uint32(DICTIONARY | PLACE | CALENDAR):
        return False
    return bool(code < 0 or (lists.word[code, 1] <= -1.0 and lists.word[code, 2] <= 0.5))


@njit(cache=True, nogil=True)
def _read_place(query: int, at: int, count: int, world: int, home: int, wanted: Wanted,
                q: QueryTerms, out: Columns) -> int:  # fmt: skip
    """Mark a large place, a county, or an institution named after one; where to go on.

    A place in the US needs a word like "in" before it, or a slip: `places` finds the others.
    """
    before = q.roles[at - 1] if at > 0 else np.uint32(0)
    last = max(world, home)
    county = False
    if last < at:
        county = (
            at + 1 < count
            and (q.roles[at + 1] & np.uint32(COUNTY)) != 0
            and q.joins[at + 1] == 2
            and q.shapes[at] == _LETTERS
            and q.ends[at] - q.begins[at] > 2
            and not q.roles[at] & np.uint32(DICTIONARY | FUNCTION)
        )
        if not county:
            return at
        last = at + 1
    elif last + 1 < count and q.roles[last + 1] & np.uint32(COUNTY):
        county = True
        last += 1
    college, first = -1, at
    for there in range(last + 1, min(count, last + 4)):
        if q.roles[there] & np.uint32(INSTITUTION):
            college = there  # "iowa central community college"
    if at > 1 and q.roles[at - 2] & np.uint32(INSTITUTION) and before & np.uint32(FUNCTION):
        first, college = at - 2, max(college, last)  # "university of calgary"
        if last + 1 < count and q.roles[last + 1] & np.uint32(PLACE):
            college = max(college, last + 1)  # "university of wisconsin madison"
    if college >= 0:
        cover_words(first, college, 1, q)
        write_mark(
            query, q.begins[first], q.ends[college], COMPANY_KIND, INSTITUTION_RULE,
            _INSTITUTION_CHANCE, -1, wanted, out,
        )  # fmt: skip
        return college + 1
    abroad, slipped = world >= home and not county, q.fixed[at] >= 0
    if not (abroad or county or slipped or before & np.uint32(BEFORE_PLACE)):
        return at
    if last > at:
        cover_words(at, last, 1, q)
    rule = WORLD_RULE if abroad else HOME_RULE
    chance = _SPELT_CHANCE if slipped else _WORLD_CHANCE
    write_mark(query, q.begins[at], q.ends[last], PLACE_KIND, rule, chance, -1, wanted, out)
    return last + 1
