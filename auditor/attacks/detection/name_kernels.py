"""Which words of a query are somebody's name: features of candidates, and the likeliest of them."""

import numpy as np

from auditor.arrays import Float32s, Float64s
from auditor.attacks.detection import rules
from auditor.attacks.detection.kernels import inner_kernel
from auditor.attacks.detection.phrase_kernels import LETTERS
from auditor.attacks.detection.spelling_kernels import is_nearly_known
from auditor.attacks.detection.tables import SIZE, START, NameMatches, QueryScan

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
