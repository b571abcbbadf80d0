"""Compiled loops over pairs of events: what they share, and how a tree judges them.

A pair costs what its two queries' words and characters cost: O(words + length · length / 64).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from auditor.arrays import Array, RaggedArray

DAY = 86_400

_ROWS = 256
"""Rows that go down a tree together."""


class EventPairs(NamedTuple):
    """Pairs of events, the earlier first; shape (pairs,) each."""

    one: Array
    two: Array


class TimedQueries(NamedTuple):
    """Query and time of each event."""

    query: Array
    time: Array


class BundleBounds(NamedTuple):
    """The bundle of each event, and where the events of each bundle begin."""

    bundle: Array
    starts: Array


class SourceTexts(NamedTuple):
    """Words and characters of each query, and a zero mask for every character."""

    words: RaggedArray
    characters: RaggedArray
    masks: Array


class RewriteShares(NamedTuple):
    """How often one query follows another, sorted by both."""

    left: Array
    right: Array
    share: Array


class FurtherTexts(NamedTuple):
    """Stems, hashed trigrams and places of each query, clicked sites of each event; weights."""

    stems: RaggedArray
    stem_weights: Array
    grams: RaggedArray
    places: RaggedArray
    sites: RaggedArray
    site_weights: Array


class ForestTrees(NamedTuple):
    """The trees of a forest end to end, as `RandomForest.packed` lays them out.

    A node's children stand side by side from ``below[node]`` on; a leaf is below itself, and no
    feature is more than its split.
    """

    roots: Array
    below: Array
    column: Array
    split: Array
    share: Array


@njit(cache=True, nogil=True)
def write_trigrams(
    characters: Array, starts: Array, first: int, last: int, out_starts: Array, out: Array
) -> None:
    """Write the hashed trigrams of the queries ``first:last``, as many as their characters."""
    for query in range(first, last):
        low, high = starts[query], starts[query + 1]
        at = out_starts[query]
        for place in range(low, high):
            before = characters[place - 1] + 2 if place > low else 1
            after = characters[place + 1] + 2 if place + 1 < high else 1
            mixed = np.uint64(before) * np.uint64(0x9E3779B97F4A7C15)
            mixed = (mixed ^ np.uint64(characters[place] + 2)) * np.uint64(0xBF58476D1CE4E5B9)
            mixed = (mixed ^ np.uint64(after)) * np.uint64(0x94D049BB133111EB)
            out[at] = np.int32(mixed >> np.uint64(40))
            at += 1


@njit(cache=True, nogil=True)
def _long_distance(a: Array, b: Array) -> int:
    """Levenshtein's distance by rows; for strings of more than 64 characters."""
    row = np.arange(len(b) + 1)
    for i in range(len(a)):
        diagonal = row[0]
        row[0] = i + 1
        for j in range(len(b)):
            change = diagonal + (a[i] != b[j])
            diagonal = row[j + 1]
            row[j + 1] = min(change, row[j] + 1, row[j + 1] + 1)
    return int(row[len(b)])


@njit(cache=True, nogil=True)
def edit_distance(a: Array, b: Array, masks: Array) -> int:
    """Levenshtein's distance, 64 characters at once (Myers' bit vectors, Hyyrö's form).

    `masks` is uint64, zero, has a place for every character, and is left zero.
    """
    if len(a) > len(b):
        a, b = b, a
    if len(a) == 0:
        return len(b)
    if len(a) > 64:
        return int(_long_distance(a, b))
    one = np.uint64(1)
    for i in range(len(a)):
        masks[a[i]] |= one << np.uint64(i)
    top = one << np.uint64(len(a) - 1)
    plus, minus, distance = ~np.uint64(0), np.uint64(0), len(a)
    for j in range(len(b)):
        equal = masks[b[j]]
        across = equal | minus
        equal |= ((equal & plus) + plus) ^ plus
        up = minus | ~(equal | plus)
        down = plus & equal
        if up & top:
            distance += 1
        if down & top:
            distance -= 1
        up = (up << one) | one
        plus = (down << one) | ~(across | up)
        minus = up & across
    for i in range(len(a)):
        masks[a[i]] = np.uint64(0)
    return distance


@njit(cache=True, nogil=True)
def _is_within(short: Array, long: Array) -> bool:
    for start in range(len(long) - len(short) + 1):
        same = True
        for i in range(len(short)):
            if short[i] != long[start + i]:
                same = False
                break
        if same:
            return True
    return False


@njit(cache=True, nogil=True)
def _common_words(a: Array, b: Array) -> int:
    """Words of `a` that stand in `b`, each of `b` used once; queries are short."""
    used = np.uint64(0)
    count = 0
    for i in range(len(a)):
        for j in range(min(len(b), 64)):
            bit = np.uint64(1) << np.uint64(j)
            if a[i] == b[j] and not used & bit:
                used |= bit
                count += 1
                break
    return count


@njit(cache=True, nogil=True)
def _count_shared(a: Array, b: Array) -> int:
    """How many numbers two ascending lists have in common."""
    i, j, count = 0, 0, 0
    while i < len(a) and j < len(b):
        if a[i] == b[j]:
            count += 1
            i += 1
            j += 1
        elif a[i] < b[j]:
            i += 1
        else:
            j += 1
    return count


@njit(cache=True, nogil=True)
def _shared_weight(a: Array, b: Array, weights: Array, out: Array) -> None:
    """Of two ascending lists of keys: the weight in common, the greatest one, and the cosine."""
    i, j = 0, 0
    total, most, square, left, right = 0.0, 0.0, 0.0, 0.0, 0.0
    for key in a:
        left += weights[key] ** 2
    for key in b:
        right += weights[key] ** 2
    while i < len(a) and j < len(b):
        if a[i] == b[j]:
            weight = weights[a[i]]
            total += weight
            square += weight * weight
            most = max(most, weight)
            i += 1
            j += 1
        elif a[i] < b[j]:
            i += 1
        else:
            j += 1
    out[0] = total
    out[1] = most
    out[2] = square / np.sqrt(left * right) if left > 0 and right > 0 else 0.0


@njit(cache=True, nogil=True)
def _find_share(left: Array, right: Array, share: Array, one: int, two: int) -> float:
    """The share at (one, two) in a table sorted by both, or 0."""
    low = np.searchsorted(left, one)
    high = np.searchsorted(left, one, side="right")
    place = low + np.searchsorted(right[low:high], two)
    return float(share[place]) if place < high and right[place] == two else 0.0


@njit(cache=True, nogil=True)
def source_features(
    pairs: EventPairs,
    first: int,
    last: int,
    events: TimedQueries,
    texts: SourceTexts,
    rewrites: RewriteShares,
    out: Array,
) -> None:
    """Write the source's eight features of the pairs ``first:last`` to rows of `out`, from 0."""
    one, two = pairs
    query, time = events
    word_rows, character_rows, masks = texts
    word_starts, words = word_rows
    character_starts, characters = character_rows
    rewrite_left, rewrite_right, rewrite_share = rewrites
    for pair in range(first, last):
        row = out[pair - first]
        p, q = query[one[pair]], query[two[pair]]
        a = words[word_starts[p] : word_starts[p + 1]]
        b = words[word_starts[q] : word_starts[q + 1]]
        x = characters[character_starts[p] : character_starts[p + 1]]
        y = characters[character_starts[q] : character_starts[q + 1]]
        row[0] = abs(time[two[pair]] - time[one[pair]])
        row[1] = len(a)
        row[2] = len(b)
        row[3] = _common_words(a, b)
        initial, shorter = 0, min(len(a), len(b))
        while initial < shorter and a[initial] == b[initial]:
            initial += 1
        row[4] = initial / max(1, len(a), len(b))
        if p == q:
            row[5], row[6] = 0.0, 1.0
        else:
            row[5] = edit_distance(x, y, masks) / max(1, len(x), len(y))
            short, long = (x, y) if len(x) <= len(y) else (y, x)
            row[6] = 1.0 if len(short) > 0 and _is_within(short, long) else 0.0
        row[7] = _find_share(rewrite_left, rewrite_right, rewrite_share, p, q)


@njit(cache=True, nogil=True)
def further_features(
    pairs: EventPairs,
    first: int,
    last: int,
    events: TimedQueries,
    bundles: BundleBounds,
    texts: FurtherTexts,
    out: Array,
) -> None:
    """Write what the source doesn't look at to the columns of `out` from 8 on."""
    one, two = pairs
    query, time = events
    bundle, starts = bundles
    stem_rows, stem_weights, gram_rows, place_rows, site_rows, site_weights = texts
    stem_starts, stems = stem_rows
    gram_starts, grams = gram_rows
    place_starts, places = place_rows
    site_starts, sites = site_rows
    found = np.zeros(3, dtype=np.float64)
    for pair in range(first, last):
        row = out[pair - first]
        i, j = one[pair], two[pair]
        p, q = query[i], query[j]
        row[8] = 1.0 if p == q else 0.0
        a = stems[stem_starts[p] : stem_starts[p + 1]]
        b = stems[stem_starts[q] : stem_starts[q + 1]]
        _shared_weight(a, b, stem_weights, found)
        row[9], row[10], row[11] = found[0], found[1], found[2]
        g = grams[gram_starts[p] : gram_starts[p + 1]]
        h = grams[gram_starts[q] : gram_starts[q + 1]]
        both = _count_shared(g, h)
        row[12] = both / max(1, len(g) + len(h) - both)
        row[13] = both / max(1, min(len(g), len(h)))
        apart = abs(time[j] - time[i]) % DAY
        row[14] = min(apart, DAY - apart)
        row[15] = j - i
        size = starts[bundle[i] + 1] - starts[bundle[i]]
        row[16] = size
        span = max(1, time[starts[bundle[i] + 1] - 1] - time[starts[bundle[i]]])
        row[17] = abs(time[j] - time[i]) * (size / span)  # lag in mean pauses of the bundle
        row[18] = _count_shared(
            places[place_starts[p] : place_starts[p + 1]],
            places[place_starts[q] : place_starts[q + 1]],
        )
        c = sites[site_starts[i] : site_starts[i + 1]]
        d = sites[site_starts[j] : site_starts[j + 1]]
        _shared_weight(c, d, site_weights, found)
        row[19] = found[1]
        row[20] = (1 if len(c) > 0 else 0) + (1 if len(d) > 0 else 0)


@njit(cache=True, nogil=True)
def descend_tree(
    features: Array,
    left: Array,
    right: Array,
    column: Array,
    split: Array,
    share: Array,
    out: Array,
) -> None:
    """The share of "same" in the leaf of a decision tree that each row of `features` falls in."""
    for row in range(len(features)):
        node = 0
        while left[node] >= 0:
            node = left[node] if features[row, column[node]] <= split[node] else right[node]
        out[row] = share[node]


@njit(cache=True, nogil=True)
def vote_forest(features: Array, trees: ForestTrees, out: Array) -> None:
    """The mean, over the trees, of the share of "same" in a row's leaf.

    Some rows go down one tree together, a level at a time, so that both stay in the nearest cache
    and no step waits for the one before it; rows that are in a leaf drop out.
    """
    roots, below, column, split, share = trees
    node, rows = np.empty(_ROWS, dtype=np.uint32), np.empty(_ROWS, dtype=np.uint32)
    # Unsigned numbers spare numba the test for negative indices.
    for first in range(np.uint64(0), np.uint64(len(features)), np.uint64(_ROWS)):
        many = min(np.uint64(_ROWS), np.uint64(len(features)) - first)
        part = features[first : first + many]
        for row in range(many):
            out[first + row] = 0.0
        for root in roots:
            going = many if below[root] != root else np.uint64(0)
            for row in range(many):
                node[row], rows[row] = root, row
            while going > 0:
                left = np.uint64(0)
                for i in range(going):
                    row = rows[i]
                    at = node[row]
                    down = below[at] + np.uint32(part[row, column[at]] > split[at])
                    node[row] = down
                    rows[left] = row
                    left += np.uint64(below[down] != down)
                going = left
            for row in range(many):
                out[first + row] += share[node[row]]
        for row in range(many):
            out[first + row] /= len(roots)
