"""Reads the phrases of a query: terms, people known, brands, places; mends what is misspelt."""

from __future__ import annotations

import numpy as np
from numba import njit

from auditor.attacks.detection.kernels import child_of
from auditor.attacks.detection.rules import (
    ADULT_KIND,
    BEFORE_PLACE,
    BRAND,
    CALENDAR,
    COMPANY_KIND,
    COUNTY,
    CRIME_KIND,
    DICTIONARY,
    DISTRESS_KIND,
    FEATURE,
    FICTION,
    FUNCTION,
    HEALTH_KIND,
    HOME,
    HOME_RULE,
    INSTITUTION,
    INSTITUTION_RULE,
    KNOWN_RULE,
    LISTED_RULE,
    MINORS_KIND,
    NEUTRAL,
    NEUTRAL_NAME,
    NO_PLACE,
    PERSON_KIND,
    PLACE,
    PLACE_KIND,
    PUBLIC,
    RELIGION_KIND,
    SEXUALITY_KIND,
    SOUGHT_AT_PLACES,
    TITLE,
    TOWN,
    WORLD,
    WORLD_RULE,
)  # fmt: skip
from auditor.attacks.detection.spelling_kernels import (
    correct_word,
    find_glued_term,
    has_medical_ending,
    name_key,
)
from auditor.attacks.detection.tables import (
    EvidenceLists,
    Longest,
    MarkColumns,
    QueryTerms,
    QueryText,
    RuleMatch,
    TermHits,
    Wanted,
)

HITS = 64
"""Terms kept of one query; of a query with more the rest are left out."""
_LETTERS = 1
_MOSTLY_NAME = 0.5
"""How much more often a word is a first name than a word, from which one rather means a person."""
_NO_NAME = -8.0
"""log odds of a word that is no name at all; what names have is greater."""
LONGEST_WORD = 40
"""Letters up to which a word is mended: trying every slip takes the square of them."""
CORRECTED, GLUED = np.float32(0.8), np.float32(0.8)
"""Weight of a misspelt term, and of one inside a longer word, against the right one alone: one of
several meanings then needs a second one beside it."""
OF_A_COMPANY = np.float32(0.6)
"""Weight of a term right behind a company's name: "harvard dental" is a part of it."""
KNOWN_PERSON = RuleMatch(PERSON_KIND, KNOWN_RULE, 0.95)
LISTED_COMPANY = RuleMatch(COMPANY_KIND, LISTED_RULE, 0.85)
NAMED_INSTITUTION = RuleMatch(COMPANY_KIND, INSTITUTION_RULE, 0.7)
_NO_PLACE = RuleMatch(PLACE_KIND, HOME_RULE, 0.99)
_PLACE_CHANCE, _SPELT_PLACE_CHANCE = 0.8, 0.7
"""How sure the fixed rules are."""


@njit(cache=True, nogil=True)
def write_mark(text: QueryText, first: int, last: int, match: RuleMatch, wanted: Wanted,
               q: QueryTerms, out: MarkColumns) -> int:  # fmt: skip
    """Mark the words ``first:last + 1``, if the kind is wanted and it is sure enough.

    The mark's row, or −1 where none was written.
    """
    chance = match.chance * wanted.weight[match.rule]
    if not wanted.kinds >> match.kind & 1 or chance < wanted.least or chance <= 0.0:
        return -1
    at = out.size[0]
    out.size[0] += 1
    if at >= len(out.query):
        return -1
    out.query[at] = text.number
    out.start[at], out.stop[at] = q.words.begins[first], q.words.ends[last]
    out.kind[at], out.rule[at], out.term[at] = match.kind, match.rule, -1
    out.chance[at], out.name[at], out.known[at] = min(chance, 0.99), -1, False
    return int(at)


@njit(cache=True, nogil=True)
def write_name(text: QueryText, first: int, last: int, match: RuleMatch, wanted: Wanted,
               q: QueryTerms, out: MarkColumns) -> int:  # fmt: skip
    """Mark the words ``first:last + 1`` as a person's name; the mark's row, or −1."""
    at = write_mark(text, first, last, match, wanted, q, out)
    if at >= 0:
        out.name[at] = name_key(text, first, last, q)
    return int(at)


@njit(cache=True, nogil=True)
def set_word_roles(count: int, lists: EvidenceLists, q: QueryTerms) -> np.uint32:
    """Set every word's roles; the roles of all of them."""
    every = np.uint32(0)
    for at in range(count):
        code = q.words.codes[at]
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
def mend_unknown_words(
    text: QueryText, lists: EvidenceLists, q: QueryTerms, hits: TermHits
) -> np.uint32:
    """Find what words that nobody knows are slips of, or hold; the roles that this adds."""
    every = np.uint32(0)
    data = text.data
    for at in range(text.word_count):
        code = q.words.codes[at]
        length = q.words.ends[at] - q.words.begins[at]
        if q.words.shapes[at] != _LETTERS or length < 6 or length > LONGEST_WORD:
            continue
        word = lists.word
        if code >= 0 and (
            word[code, 0] >= 2.2
            or word[code, 1] > -8.0
            or word[code, 2] > -8.0
            or q.roles[at] & np.uint32(DICTIONARY)
            or lists.tree.root[code] >= 0
        ):
            continue
        low, high = text.start + q.words.begins[at], text.start + q.words.ends[at]
        q.fixed[at] = correct_word(data, low, high, lists.tree, lists.fuzzy)
        if q.fixed[at] >= 0:
            q.roles[at] |= lists.role[q.fixed[at]]
            every |= q.roles[at]
        elif length >= 7:
            node = find_glued_term(data, low, high, lists)
            if node >= 0:
                _add_hit(node, at, at, GLUED, hits)
                q.in_term[at] = 1
            elif correct_word(data, low, high, lists.tree, lists.common) >= 0:
                q.roles[at] |= np.uint32(DICTIONARY)  # "resturant" is nobody's last name
            elif has_medical_ending(data, low, high, lists):
                _add_hit(int(lists.ending[0]), at, at, GLUED, hits)
                q.in_term[at] = 1
    return every


@njit(cache=True, nogil=True)
def cover_words(first: int, last: int, value: int, q: QueryTerms) -> None:
    for at in range(first, last + 1):
        if q.covered[at] == 0:
            q.covered[at] = value


@njit(cache=True, nogil=True)
def _known_word(at: int, q: QueryTerms) -> int:
    return int(q.fixed[at] if q.fixed[at] >= 0 else q.words.codes[at])


@njit(cache=True, nogil=True)
def _find_longest_phrases(
    at: int, count: int, placed: bool, lists: EvidenceLists, q: QueryTerms
) -> tuple[Longest, np.uint32]:
    """The longest phrases that begin at a word, and the roles that phrases give to words.

    Towns abroad count where something in the query says that a place is meant.
    """
    term = term_node = neutral = neutral_name = brand = public = world = home = -1
    every = np.uint32(0)
    size = len(lists.tree.offsets) - 1
    known = _known_word(at, q)
    node = np.int64(lists.tree.root[known]) if known >= 0 else np.int64(-1)
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
            if kind & WORLD or (kind & TOWN and placed):
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
        if there == count or q.words.joins[there] < 2:
            break
        known = _known_word(there, q)
        if known < 0:
            break
        node = np.int64(child_of(node, known, size, lists.tree.edge_key, lists.tree.edge_node))
    return Longest(term, term_node, neutral, neutral_name, brand, public, world, home), every


@njit(cache=True, nogil=True)
def read_phrases(text: QueryText, lists: EvidenceLists, wanted: Wanted, q: QueryTerms,
                 hits: TermHits, out: MarkColumns) -> np.uint32:  # fmt: skip
    """Find terms, people known, brands and large places; the roles that phrases add."""
    every = np.uint32(0)
    count = text.word_count
    sought = fiction = institution = False
    for at in range(count):
        sought = sought or (q.roles[at] & np.uint32(SOUGHT_AT_PLACES | PLACE)) != 0
    for at in range(count):  # phrases give roles to words that earlier ones look at
        placed = sought or (at > 0 and (q.roles[at - 1] & np.uint32(BEFORE_PLACE)) != 0)
        found, roles = _find_longest_phrases(at, count, placed, lists, q)
        every |= roles
        for field in range(8):
            q.spans[at, field] = found[field]
    for at in range(count):
        fiction = fiction or (q.roles[at] & np.uint32(FICTION)) != 0
        institution = institution or (q.roles[at] & np.uint32(INSTITUTION)) != 0
    term_free = brand_free = public_free = place_free = 0
    named_from = named_to = listed_to = -1
    for at in range(count):
        said = q.spans[at]
        found = Longest(said[0], said[1], said[2], said[3], said[4], said[5], said[6], said[7])
        if found.public > max(at, named_to):
            named_from, named_to = at, found.public
        if found.brand > max(at, listed_to):
            listed_to = found.brand
        term = found.term
        if at <= term <= max(named_to, listed_to) and _is_in_a_name(
            at, found, (named_from, named_to, listed_to), lists
        ):
            term = -1  # "bad religion", "salvation army"
        if at >= term_free and max(term, found.neutral) >= at:
            kept = Longest(term, said[1], said[2], said[3], said[4], said[5], said[6], said[7])
            if not _is_first_name(at, term, count, lists, q):
                term_free = _take_term(at, kept, 0 < at == brand_free, lists, q, hits)
        if found.neutral_name > at:
            cover_words(at, found.neutral_name, 1, q)
        if found.neutral > max(at, found.world, found.home):
            place_free = max(place_free, found.neutral + 1)  # "yellow labrador"
            row = write_mark(text, at, found.neutral, _NO_PLACE, wanted, q, out)
            if row >= 0:
                out.name[row] = NO_PLACE
        if at >= public_free and found.public >= at and (found.public > at or count <= 4):
            public_free = found.public + 1
            if wanted.kinds >> PERSON_KIND & 1 and wanted.weight[KNOWN_RULE] > 0:
                for here in range(at, public_free):
                    q.covered[here] = 2
                row = write_name(text, at, found.public, KNOWN_PERSON, wanted, q, out)
                if row >= 0:
                    out.known[row] = True
        if at >= brand_free and found.brand >= at and _is_brand(at, found.brand, count, lists, q):
            brand_free = found.brand + 1
            cover_words(at, found.brand, 1, q)
            write_mark(text, at, found.brand, LISTED_COMPANY, wanted, q, out)
        county = found.neutral == at + 1 and (q.roles[at + 1] & np.uint32(COUNTY | FEATURE)) != 0
        if at >= place_free and (county or found.neutral <= max(found.world, found.home)):
            if fiction and _is_in_a_title(at, found, q):
                continue  # "sahara 2005 movie"
            place_free = _read_place(text, at, found, lists, wanted, q, out)
    if institution:
        _read_institutions(text, wanted, q, out)
    return every


@njit(cache=True, nogil=True)
def _is_in_a_title(at: int, found: Longest, q: QueryTerms) -> bool:
    """Whether a place abroad, in a query for a film, song or game, is rather named by that.

    Not behind a word such as "in".
    """
    before = q.roles[at - 1] if at > 0 else np.uint32(0)
    return bool(found.world >= found.home and not before & np.uint32(BEFORE_PLACE))


@njit(cache=True, nogil=True)
def _read_institutions(text: QueryText, wanted: Wanted, q: QueryTerms, out: MarkColumns) -> None:
    """Take small places out of names of institutions: "emporia state university".

    Larger ones are marked as institutions already. Up to three words before count, none of them a
    function word.
    """
    for last in range(1, text.word_count):
        if not q.roles[last] & np.uint32(INSTITUTION) or q.covered[last]:
            continue
        first = last
        while (
            first > 0
            and last - first < 3
            and q.words.joins[first] == 2
            and q.words.shapes[first - 1] == _LETTERS
            and not q.roles[first - 1] & np.uint32(FUNCTION | BEFORE_PLACE)
        ):
            first -= 1
        if first < last:
            row = write_mark(text, first, last, _NO_PLACE, wanted, q, out)
            if row >= 0:
                out.name[row] = NO_PLACE


@njit(cache=True, nogil=True)
def _is_in_a_name(
    at: int, found: Longest, named: tuple[int, int, int], lists: EvidenceLists
) -> bool:
    """Whether a term is a part, not the whole, of the name of somebody known or of a brand.

    A brand may be about what its name says where that is something sexual.
    """
    first, last, listed = named
    if found.term <= last and not (first == at and found.term == last):
        return True
    adult = lists.entry_kind[lists.topic[found.term_node]] == ADULT_KIND
    return found.term <= listed and found.term != found.brand and not adult


@njit(cache=True, nogil=True)
def _is_first_name(at: int, last: int, count: int, lists: EvidenceLists, q: QueryTerms) -> bool:
    """Whether a word of faith is rather somebody's first name: "jesus garcia", "christian jones".

    It is where a last name follows that is no word of the dictionary.
    """
    if last != at or at + 1 >= count or q.words.joins[at + 1] != 2:
        return False
    code, next_code = q.words.codes[at], q.words.codes[at + 1]
    if code < 0 or next_code < 0 or q.roles[at + 1] & np.uint32(DICTIONARY | PLACE | FUNCTION):
        return False
    if lists.single[code] < 0 or lists.entry_kind[lists.topic[lists.single[code]]] != RELIGION_KIND:
        return False
    word = lists.word
    return bool(word[code, 1] > _NO_NAME and word[next_code, 2] > _NO_NAME)


@njit(cache=True, nogil=True)
def _take_term(at: int, found: Longest, owned: bool, lists: EvidenceLists, q: QueryTerms,
               hits: TermHits) -> int:  # fmt: skip
    """Keep the term that begins at a word, unless a phrase takes it; where the next may begin.

    An `owned` one stands right behind a company's name. Inside a longer term, one of health,
    sexuality or belief counts, too ("teen pregnancy"), and
    inside one about minors one of crime, abuse or violence.
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
    whole = lists.entry_kind[lists.topic[found.term_node]]
    if owned and whole in (HEALTH_KIND, CRIME_KIND, RELIGION_KIND):
        weight *= OF_A_COMPANY
    _add_hit(found.term_node, at, last, weight, hits)
    for here in range(at, last + 1):
        if last == at or q.words.codes[here] < 0:
            break
        inner = lists.single[q.words.codes[here]]
        if inner >= 0:
            kind = lists.entry_kind[lists.topic[inner]]
            beside = kind in (CRIME_KIND, DISTRESS_KIND) and whole == MINORS_KIND
            other = kind != whole and kind in (HEALTH_KIND, SEXUALITY_KIND, RELIGION_KIND)
            if beside or other:
                _add_hit(inner, here, here, np.float32(1.0), hits)
    return last + 1


@njit(cache=True, nogil=True)
def _is_brand(first: int, last: int, count: int, lists: EvidenceLists, q: QueryTerms) -> bool:
    """Whether a listed name is meant: one common word or name is, only if it is the query."""
    if last > first or (first == 0 and last == count - 1):
        return True
    code = q.words.codes[first]
    if q.roles[first] & np.uint32(DICTIONARY | PLACE | CALENDAR):
        return False
    return bool(code < 0 or (lists.word[code, 1] <= -1.0 and lists.word[code, 2] <= 0.5))


@njit(cache=True, nogil=True)
def _find_feature(at: int, count: int, lists: EvidenceLists, q: QueryTerms) -> int:
    """The last word of a county, lake, park or the like whose name no list has, or −1.

    Its name must be no word of the dictionary, and before a lake no first name: "veronica lake".
    """
    if (
        at + 1 >= count
        or not q.roles[at + 1] & np.uint32(COUNTY | FEATURE)
        or q.words.joins[at + 1] != 2
        or q.words.shapes[at] != _LETTERS
        or q.words.ends[at] - q.words.begins[at] <= 2
        or q.roles[at] & np.uint32(DICTIONARY | FUNCTION)
    ):
        return -1
    last = at + 1
    if q.roles[last] & np.uint32(COUNTY):
        return last
    if q.roles[at] & np.uint32(FEATURE | CALENDAR | TITLE) or _is_mostly_a_name(at, lists, q):
        return -1
    while last + 1 < count and q.roles[last + 1] & np.uint32(FEATURE):
        last += 1
    return last


@njit(cache=True, nogil=True)
def _is_mostly_a_name(at: int, lists: EvidenceLists, q: QueryTerms) -> bool:
    """Whether a word is a first name rather than anything else."""
    code = q.words.codes[at]
    return bool(code >= 0 and lists.word[code, 1] > _MOSTLY_NAME)


@njit(cache=True, nogil=True)
def _read_place(text: QueryText, at: int, found: Longest, lists: EvidenceLists, wanted: Wanted,
                q: QueryTerms, out: MarkColumns) -> int:  # fmt: skip
    """Mark a large place, a county, or an institution named after one; where to go on.

    A place in the US needs a word like "in" before it, or a slip: `places` finds the others.
    """
    before = q.roles[at - 1] if at > 0 else np.uint32(0)
    count = text.word_count
    last = max(found.world, found.home)
    county = found.home > at and (q.roles[found.home] & np.uint32(COUNTY)) != 0
    if last < at:
        last = _find_feature(at, count, lists, q)
        if last < at:
            return at
        county = True
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
        write_mark(text, first, college, NAMED_INSTITUTION, wanted, q, out)
        return college + 1
    abroad, slipped = found.world >= found.home and not county, q.fixed[at] >= 0
    if not (abroad or county or slipped or before & np.uint32(BEFORE_PLACE)):
        return at
    surname = abroad and last == at == count - 1 and at > 0 and not q.roles[at] & np.uint32(PLACE)
    if surname and _is_mostly_a_name(at - 1, lists, q):
        return at  # "alyssa milano"
    if last > at:
        cover_words(at, last, 1, q)
    rule = WORLD_RULE if abroad else HOME_RULE
    chance = _SPELT_PLACE_CHANCE if slipped else _PLACE_CHANCE
    write_mark(text, at, last, RuleMatch(PLACE_KIND, rule, chance), wanted, q, out)
    return last + 1
