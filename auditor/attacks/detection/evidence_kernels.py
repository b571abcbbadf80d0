"""Finds names, companies, places, topics and hints of identifiers in folded queries, in one pass.

For every query: split into words, mend what is misspelt, walk the tree of phrases from each word
once, then weigh. The cost is O(bytes + words · longest phrase), whatever the bytes hold.
"""

import numpy as np
from numba import njit

from auditor.arrays import Float32s, Float64s, Int64s, UInt8s
from auditor.attacks.detection import rules
from auditor.attacks.detection.kernels import allocate_words, inner_kernel, split_tokens
from auditor.attacks.detection.phrase_kernels import (
    HITS,
    LETTERS,
    cover_words,
    is_in_encyclopedia,
    is_nearly_known,
    mend_unknown_words,
    read_phrases,
    set_word_roles,
    write_mark,
    write_name,
)
from auditor.attacks.detection.tables import (
    MARKS,
    NUMBER,
    SIZE,
    START,
    STOP,
    TERMS,
    EvidenceLists,
    MarkColumns,
    NameMatches,
    QueryScan,
    RuleMatch,
    ScanOptions,
    TermHits,
)

KINDS = 24
_DIGITS, _MIXED = 2, 3
_WEB_ADDRESS = RuleMatch(rules.COMPANY_KIND, rules.ADDRESS_RULE, 0.9)
_MAIL_WITHOUT_AT = RuleMatch(rules.EMAIL_KIND, rules.NO_AT_RULE, 0.7)
_AREA_AS_PLACE = RuleMatch(rules.PLACE_KIND, rules.HOME_RULE, 0.8)
_CHILD_BESIDE_TERM = RuleMatch(rules.MINORS_KIND, rules.CHILD_RULE, 0.65)
_TITLE_AND_NAME = RuleMatch(rules.PERSON_KIND, rules.NAME_RULE, 0.6)
_NATION_CHANCE = 0.7
"""How sure the fixed rules are."""
_PLAINLY_NAME, _NAME_AND_WORD = 1.0, 1.5
"""How much more often a last name than a word, as log10, a word is from which a title before it
makes it somebody's; the second for words of the dictionary."""
_INSTITUTION_PART = 0.6
"""What is left of the chance that a name is a private person's where it is a house's."""
_RARE_NAME = -7.1
"""log10 of the share of people that bear a name: twenty in the United States."""
FEATURES = 28
"""What the model looks at; the rows of ``person-model.tsv`` but for the calibration."""
_NEARLY_KNOWN = 0.8
_PLAIN = (
    rules.FUNCTION | rules.DICTIONARY | rules.TITLE | rules.FAME | rules.PLACE | rules.CUE
    | rules.ORG_HEAD
)  # fmt: skip
"""Roles of words that are no names which lists lack."""
FIRST, LAST = 1, 2
"""Columns of `EvidenceLists.word`: how much more often a name than a word."""


@inner_kernel
def open_block(
    data: UInt8s, starts: Int64s, lists: EvidenceLists, options: ScanOptions, out: MarkColumns
) -> QueryScan:
    """Room for any query of a block; none is open yet."""
    words = allocate_words(starts)
    room = len(words.begins)
    hits = TermHits(
        np.empty(HITS, np.int64), np.empty(HITS, np.int64), np.empty(HITS, np.int64),
        np.empty(HITS, np.float32),
    )  # fmt: skip
    return QueryScan(
        data, np.zeros(6, np.int64), lists, options, words, np.empty(room, np.int64),
        np.zeros(room + 6, np.uint32), np.empty(room, np.uint32), np.empty(room, np.uint8),
        np.empty(room, np.uint8), np.empty((room, 8), np.int64), hits, out,
    )  # fmt: skip


@inner_kernel
def open_query(number: int, starts: Int64s, q: QueryScan) -> None:
    """Begin a query of the block: split it into words."""
    start, stop = starts[number], starts[number + 1]
    size, _ = split_tokens(q.data, start, stop, q.lists.tree, q.words)
    q.now[NUMBER], q.now[START], q.now[STOP], q.now[SIZE] = number, start, stop, size
    q.now[TERMS] = 0


@njit(cache=True, nogil=True)
def scan_queries(out: MarkColumns, data: UInt8s, starts: Int64s, lists: EvidenceLists,
                 options: ScanOptions, likely: UInt8s) -> int:  # fmt: skip
    """Mark a block of queries; what each query makes likely goes into `likely`.

    How many marks there are, also beyond the room in `out`; those of a query come in no order.
    """
    q = open_block(data, starts, lists, options, out)
    room = len(q.fixed)
    names = NameMatches(
        np.empty(room, np.int64), np.empty(room, np.int64), np.empty(room, np.float64),
        np.zeros(FEATURES),
    )  # fmt: skip
    unsure, scale = np.empty(KINDS, np.float32), np.empty(KINDS, np.float32)
    for number in range(len(starts) - 1):
        open_query(number, starts, q)
        all_roles = set_word_roles(q)
        all_roles |= mend_unknown_words(q)
        all_roles |= read_phrases(q)
        mailed = -1
        if all_roles & (rules.TOP_LEVEL | rules.WWW):
            mailed = _read_addresses(q)
        _weigh_topics(q, unsure, scale)
        _write_topics(q, unsure)
        if all_roles & rules.AREA_CODE:
            _read_area_codes(q)
        if all_roles & rules.NATION:
            _read_nations(q, scale)
        if all_roles & rules.CHILD:
            _read_children(q, unsure)
        looked_up = all_roles & (rules.LOOKUP | rules.RELATIVE) != 0
        rule = rules.LOOKUP_RULE if looked_up else rules.NAME_RULE
        if options.kinds >> rules.PERSON_KIND & 1 and q.now[SIZE] > 1 and options.weight[rule] > 0:
            count = find_names(q, names)
            famed = all_roles & rules.FAME != 0 or unsure[rules.ADULT_KIND] < 0.5
            for name in range(count):
                if mailed != names.last[name]:
                    _write_name_mark(name, famed, looked_up, names, unsure, q)
            if all_roles & rules.ADDRESSED:
                _read_titled(names, count, q)
        likely[number] = _collect_hints(q, all_roles)
    return int(q.now[MARKS])


@inner_kernel
def fill_features(first: int, last: int, q: QueryScan, out: Float64s) -> None:
    """Fill in the features of the words ``first:last + 1``, in the order of the model's file."""
    count, word = int(q.now[SIZE]), q.lists.word
    first_code, last_code = q.words.codes[first], q.words.codes[last]
    initial = q.words.lengths[first] == 1
    first_unlisted = not initial and (first_code < 0 or word[first_code, FIRST] < -8.0)
    last_unlisted = last_code < 0 or word[last_code, LAST] < -8.0
    if initial:
        first_ratio = 1.0
    elif first_unlisted:
        first_ratio = -1.0 if first_code < 0 or word[first_code, 0] < 2.5 else -2.0
    else:
        first_ratio = max(-3.0, word[first_code, FIRST])
    if last_unlisted:
        last_ratio = 0.5 if last_code < 0 or word[last_code, 0] < 2.0 else -2.0
    else:
        last_ratio = max(-3.0, word[last_code, LAST])
    edge = q.roles[first] | q.roles[last]
    before, after = q.roles[first - 1], q.roles[last + 1]
    around = np.uint32(0)
    for index in range(count):
        if index < first or index > last:
            around |= q.roles[index]
    common = 0.0
    for index in (first_code, last_code):
        if index >= 0 and word[index, 0] > common:
            common = word[index, 0]
    borne = -8.0
    if first_code >= 0 and last_code >= 0 and not first_unlisted and not last_unlisted:
        borne = max(-12.0, word[first_code, 3] + word[last_code, 4])
    elif initial and not last_unlisted:
        borne = max(-12.0, word[last_code, 4] - 2.0)
    open_quote, close_quote = q.words.begins[first] - 1, q.now[START] + q.words.ends[last]
    quoted = (
        open_quote >= 0
        and close_quote < len(q.data)
        and q.data[q.now[START] + open_quote] == 34
        and q.data[close_quote] == 34
    )
    out[0] = 1.0
    out[1] = first_ratio
    out[2] = last_ratio
    out[3] = min(first_ratio, last_ratio)
    out[4] = initial
    out[5] = first_unlisted
    out[6] = last_unlisted
    middle = last - 1
    longer = last - first > 1
    signed = longer and (q.words.lengths[middle] == 1 or (q.roles[middle] & rules.PARTICLE) != 0)
    out[7] = longer and not signed
    out[8] = first == 0 and last == count - 1
    out[9] = min(4, count - 1 - (last - first))
    out[10] = (around & (rules.CUE | rules.RELATIVE)) != 0
    out[11] = (before & rules.TITLE) != 0
    out[12] = (around & rules.FAME) != 0
    out[13] = (edge & rules.PLACE) != 0
    out[14] = ((after | q.roles[last]) & rules.PLACE_HEAD) != 0
    out[15] = ((after | q.roles[last]) & rules.ORG_HEAD) != 0
    out[16] = (edge & rules.FUNCTION) != 0
    out[24] = (q.roles[first] & rules.DICTIONARY) != 0
    out[25] = (q.roles[last] & rules.DICTIONARY) != 0
    out[17] = out[24] * out[25]
    out[18] = max(0.0, common - 5.0)
    out[19] = (before & rules.BEFORE_PLACE) != 0
    out[20] = (edge & (rules.CALENDAR | rules.NATION)) != 0
    # "fort myers florida" is a town; "kari skidmore florida" is somebody who lives there.
    town = last_code >= 0 and q.lists.tree.root[last_code] >= 0
    town = town and (q.lists.family[q.lists.tree.root[last_code]] & rules.HOME) != 0
    out[21] = (after & rules.PLACE) != 0 and (town or last_code < 0)
    out[22] = quoted
    out[23] = borne + 8.0
    out[26] = last_code >= 0 and word[last_code, FIRST] > word[last_code, LAST]
    out[27] = signed


@inner_kernel
def can_be_name(length: int, code: int, roles: int, side: int, word: Float32s) -> int:
    """2 if a word can be a first or a last name, 1 if one that no list has, 0 otherwise."""
    if length == 1:
        return 2 if side == FIRST else 0
    if side == LAST and roles & (rules.SUFFIX | rules.PARTICLE):
        return 0
    if code >= 0 and word[code, side] > -8.0:
        return 2
    if length < 2 + side or roles & _PLAIN:
        return 0
    return 0 if code >= 0 and word[code, 0] > (3.5 if side == FIRST else 3.3) else 1


@inner_kernel
def find_reach(first: int, q: QueryScan) -> int:
    """The last word that a name which begins at `first` may end with: up to two stand between."""
    last = first
    while last < first + 3 and last + 1 < q.now[SIZE]:
        if last > first:  # it stands between
            code, word = q.words.codes[last], q.lists.word
            listed = code >= 0 and (word[code, FIRST] > 0.0 or word[code, LAST] > 1.5)
            if not (listed or q.words.lengths[last] == 1 or q.roles[last] & rules.PARTICLE):
                break
        last += 1
        if q.words.joins[last] != 2 or q.words.shapes[last] != LETTERS:
            return last - 1
    return last


@inner_kernel
def private_chance(chance: float, weights: Float64s) -> float:
    """How likely a name that no list knows is a private person's, of how likely it is a name."""
    chance = min(max(chance, 1e-6), 1.0 - 1e-6)
    odds = weights[FEATURES] * np.log(chance / (1.0 - chance)) + weights[FEATURES + 1]
    return float(1.0 / (1.0 + np.exp(-odds)))


@inner_kernel
def find_names(q: QueryScan, out: NameMatches) -> int:
    """The likeliest names of a query that don't overlap; how many there are.

    A name begins with a first name or an initial and ends with a last name; up to two words may
    stand between.
    """
    lengths, codes, word = q.words.lengths, q.words.codes, q.lists.word
    count = 0
    for first in range(q.now[SIZE] - 1):
        if q.words.shapes[first] != LETTERS or q.covered[first]:
            continue
        begin = can_be_name(lengths[first], codes[first], q.roles[first], FIRST, word)
        if begin == 0:
            continue
        best, best_end = -1.0, -1
        for last in range(first + 1, find_reach(first, q) + 1):
            if q.covered[last]:
                break
            end = can_be_name(lengths[last], codes[last], q.roles[last], LAST, word)
            if end == 0:
                continue
            if begin + end < 3:
                if last == first + 1 and is_nearly_known(first, last, q):
                    best, best_end = _NEARLY_KNOWN, last
                continue
            if q.words.lengths[first] == 1 and end < 2:
                continue
            fill_features(first, last, q, out.vector)
            total = 0.0
            for feature in range(FEATURES):
                total += q.options.person[feature] * out.vector[feature]
            chance = 1.0 / (1.0 + np.exp(-total))
            if chance > best or (chance > 0.5 and chance > best - 0.2):
                best, best_end = chance, last
        if best_end < 0 or best < q.options.least:
            continue
        if count and out.last[count - 1] >= first:
            if out.chance[count - 1] >= best:
                continue
            count -= 1
        out.first[count], out.last[count], out.chance[count] = first, best_end, best
        count += 1
    return count


@inner_kernel
def _write_name_mark(name: int, famed: bool, looked_up: bool, names: NameMatches,
                      unsure: Float32s, q: QueryScan) -> None:  # fmt: skip
    """Mark a name, known to the public or as likely a private person's as it is."""
    first, last, chance = names.first[name], names.last[name], names.chance[name]
    is_public = famed
    if not is_public and not looked_up and first > 1 and q.roles[first - 1] & rules.CREDIT:
        kinds = unsure[rules.CRIME_KIND], unsure[rules.DISTRESS_KIND], unsure[rules.MINORS_KIND]
        is_public = min(kinds) >= 0.5  # behind a work and "by": its author, who published it
    if not is_public and _is_rare(q.words.codes[first], q.words.codes[last], q.lists):
        is_public = is_nearly_known(first, last, q)
    if not is_public and not looked_up and not q.roles[last + 1] & rules.PLACE:
        is_public = is_in_encyclopedia(first, last, q)
        if not is_public:
            chance = private_chance(chance, q.options.person)
            heads = rules.ORG_HEAD | rules.PLACE_HEAD
            if q.roles[last + 1] & rules.CUE and q.roles[last + 2] & heads:
                chance *= _INSTITUTION_PART  # of a house: "memorial hospital"
    rule = rules.LOOKUP_RULE if looked_up else rules.NAME_RULE
    write_name(first, last, is_public, RuleMatch(rules.PERSON_KIND, rule, chance), q)


@inner_kernel
def _read_titled(names: NameMatches, count: int, q: QueryScan) -> None:
    """Mark a title and the last name behind it, where it begins no longer name: "mrs kowalczyk".

    Not before wares: "dr martens boots".
    """
    for last in range(1, q.now[SIZE]):
        code, word = q.words.codes[last], q.lists.word
        if code < 0 or q.covered[last - 1] or q.covered[last]:
            continue
        if not q.roles[last - 1] & rules.ADDRESSED or q.roles[last + 1] & rules.ORG_HEAD:
            continue
        is_inside = False
        for name in range(count):
            is_inside |= names.first[name] <= last <= names.last[name]
        least = _NAME_AND_WORD if q.roles[last] & rules.DICTIONARY else _PLAINLY_NAME
        if word[code, 2] >= max(least, word[code, 1]) and not is_inside:
            write_name(last - 1, last, False, _TITLE_AND_NAME, q)


@inner_kernel
def _is_rare(first: int, last: int, lists: EvidenceLists) -> bool:
    """Whether so few bear a name that it is rather somebody known, misspelt, than one of them."""
    if first < 0 or last < 0 or lists.word[first, 1] < -8.0 or lists.word[last, 2] < -8.0:
        return True
    return bool(lists.word[first, 3] + lists.word[last, 4] < _RARE_NAME)


@inner_kernel
def _find_joint(i: int, q: QueryScan) -> int:
    """The one byte between a word and the one before; −1 where there is another number of them."""
    if i >= q.now[SIZE] or q.words.begins[i] - q.words.ends[i - 1] != 1:
        return -1
    return int(q.data[q.now[START] + q.words.ends[i - 1]])


@inner_kernel
def _read_addresses(q: QueryScan) -> int:
    """Mark addresses of sites, and of e-mail written without its sign; the word before such."""
    mailed, i = -1, 0
    while i < q.now[SIZE]:
        last = -1
        if q.roles[i] & rules.WWW:
            last = i
            while last + 1 < q.now[SIZE] and last < i + 4:
                last += 1
                if q.roles[last] & rules.TOP_LEVEL:
                    break
        elif q.roles[i + 1] & rules.TOP_LEVEL and _find_joint(i + 1, q) == 46:
            last = i + 1
        if last < 0:
            i += 1
            continue
        while _find_joint(last + 1, q) not in (-1, 32):
            last += 1
        before = i - 1
        if (
            before >= 0
            and q.roles[i] & rules.MAIL
            and q.words.shapes[before] & LETTERS
            and q.words.lengths[before] >= 4
            and (q.words.shapes[before] == _MIXED or q.words.codes[before] < 0)
            and q.words.joins[i] == 2
            and q.data[q.now[START] + q.words.ends[before]] != 64
        ):
            mailed = before
            write_mark(before, last, _MAIL_WITHOUT_AT, q)
        elif q.words.begins[i] == 0 or q.data[q.now[START] + q.words.begins[i] - 1] != 64:
            cover_words(i, last, q)
            write_mark(i, last, _WEB_ADDRESS, q)
        i = last + 1
    return mailed


@inner_kernel
def _weigh_topics(q: QueryScan, unsure: Float32s, scale: Float32s) -> None:
    """How unsure it is, after all terms and what stands around them, that each topic is meant."""
    hits = q.hits
    unsure[:] = np.float32(1.0)
    scale[:] = np.float32(1.0)
    called = np.uint32(0)
    for i in range(q.now[SIZE]):
        if not q.in_term[i]:
            called |= q.settings[i]
    if called:
        for factor_number in range(len(q.lists.factor)):
            if called >> factor_number & 1:
                scale *= q.lists.factor[factor_number, :KINDS]
    for hit in range(q.now[TERMS]):
        if np.any(hits.node[:hit] == hits.node[hit]):
            continue
        entry = q.lists.topic[hits.node[hit]]
        is_whole_query = hits.first[hit] == 0 and hits.last[hit] == q.now[SIZE] - 1
        weight = q.lists.entry_alone if is_whole_query else q.lists.entry_weight
        while True:
            kind = q.lists.entry_kind[entry]
            says = weight[entry] * hits.weight[hit] * scale[kind]
            says *= q.options.weight[q.lists.entry_rule[entry]]
            unsure[kind] *= np.float32(1.0) - min(np.float32(0.99), says)
            if q.lists.last_entry[entry]:
                break
            entry += 1


@inner_kernel
def _write_topics(q: QueryScan, unsure: Float32s) -> None:
    hits = q.hits
    for hit in range(q.now[TERMS]):
        entry = q.lists.topic[hits.node[hit]]
        while True:
            kind, rule = int(q.lists.entry_kind[entry]), int(q.lists.entry_rule[entry])
            if q.options.weight[rule] > 0:
                chance = (1.0 - unsure[kind]) / q.options.weight[rule]  # weighed already
                match = RuleMatch(kind, rule, chance)
                row = write_mark(hits.first[hit], hits.last[hit], match, q)
                if row >= 0:
                    q.out.term[row] = q.lists.entry_term[entry]
            if q.lists.last_entry[entry]:
                break
            entry += 1


@inner_kernel
def _read_area_codes(q: QueryScan) -> None:
    """Mark a telephone area code, which stands for a place: "area code 713"."""
    for i in range(q.now[SIZE]):
        around = q.roles[i - 1] | q.roles[i + 1]
        number = q.words.shapes[i] == _DIGITS and q.words.lengths[i] == 3
        if number and around & rules.AREA_CODE and q.data[q.now[START] + q.words.begins[i]] >= 50:
            write_mark(i, i, _AREA_AS_PLACE, q)  # from 2


@inner_kernel
def _read_nations(q: QueryScan, scale: Float32s) -> None:
    """Mark a nationality beside a word for people: "korean women"."""
    for i in range(q.now[SIZE] - 1):
        if (
            q.roles[i] & rules.NATION
            and q.roles[i + 1] & rules.NATION_NOUN
            and q.words.joins[i + 1] == 2
            and not (q.in_term[i] and q.in_term[i + 1])
        ):
            chance = _NATION_CHANCE * scale[rules.ETHNICITY_KIND]
            match = RuleMatch(rules.ETHNICITY_KIND, rules.NATION_RULE, chance)
            write_mark(i, i + 1, match, q)


@inner_kernel
def _read_children(q: QueryScan, unsure: Float32s) -> None:
    """Mark a word for a child beside something sexual, violent or criminal.

    Not one inside a longer term ("child support").
    """
    kinds = unsure[rules.ADULT_KIND], unsure[rules.DISTRESS_KIND], unsure[rules.CRIME_KIND]
    if min(kinds) >= 0.45 or unsure[rules.MINORS_KIND] <= 0.5:
        return
    for i in range(q.now[SIZE]):
        if q.roles[i] & rules.CHILD and not (q.in_term[i] and q.covered[i]):
            write_mark(i, i, _CHILD_BESIDE_TERM, q)
            return


@inner_kernel
def _collect_hints(q: QueryScan, all_roles: int) -> int:
    """Features of a query that make running a validator worthwhile."""
    digits = colons = hint = letters = 0
    for place in range(q.now[START], q.now[STOP]):
        byte = q.data[place]
        digits += 48 <= byte <= 57
        colons += byte == 58
        if byte == 64:
            hint |= rules.AT
        elif byte == 47:  # of the address of a profile
            hint |= rules.HANDLE
        if 97 <= byte | 32 <= 122 or byte == 95:
            letters += 1
        else:
            if letters >= 4 and 48 <= byte <= 57:
                hint |= rules.HANDLE
            letters = 0
    if all_roles & rules.MAIL:
        hint |= rules.HANDLE
    if not digits:
        return hint
    if digits >= 6:
        hint |= rules.NUMBERS
    if colons >= 2:
        hint |= rules.COLONS
    if all_roles & rules.PLATE_WORD:
        hint |= rules.PLATE
    if digits >= 5 and colons < 2 and np.any(q.words.shapes[: q.now[SIZE]] == _MIXED):
        hint |= rules.LETTERED
    if all_roles & rules.STREET_WORD or _has_street(q):
        hint |= rules.STREET
    return hint


@inner_kernel
def _has_street(q: QueryScan) -> bool:
    """Whether a number stands before a street's ending, or a word ends like a street's name."""
    number = -9
    for i in range(q.now[SIZE]):
        if 48 <= q.data[q.now[START] + q.words.begins[i]] <= 57:
            number = i
        high = q.now[START] + q.words.ends[i]
        if q.roles[i] & rules.STREET_ENDING and 1 <= i - number <= 5:
            return True
        if q.words.shapes[i] == LETTERS and q.words.lengths[i] > 5:
            a, b, c = q.data[high - 3] | 32, q.data[high - 2] | 32, q.data[high - 1] | 32
            if (
                ((a == 115 or a == 97) and b == 115 and c == 101)  # strasse, gasse, straße
                or (a == 97 and b == 97 and (c == 116 or c == 110))  # straat, laan
                or (a == 115 and b == 116 and c == 114)  # str
                or (a == 119 and b == 101 and c == 103)  # weg
            ):
                return True
    return False
