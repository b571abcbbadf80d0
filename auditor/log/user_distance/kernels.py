"""Compiled loops of the distance between users: words, queries, clicks, events.

Everything runs over rows that stay in cache: for one word its distances to all words, for one
query its distances to all queries, for one event its nearest event of every user. Callers give
blocks that take well under 200 ms and look at the cancel flag in between.

h(a → b) is the greatest, over a's events, of the distance to the nearest of b's. `follow_events`
looks at all of b's; `chase_events` gives the same and stops where nothing can change: as soon as
one of b's events is no farther than what is already known to be the greatest, the rest of b's need
not be looked at. What time, site, rank and length alone put farther off needs no look at its words,
nor does what they leave so near that no words could put it farther. The event that answered last
answers first, so that most events of a meet one or two of b's.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from auditor.arrays import Array


class DistanceTables(NamedTuple):
    """What distances rest on: words, queries, clicks, and what counts how much.

    Attributes
    ----------
    lengths, table, row
        The number of letters of each of w words, and the edit distances of some words to all: those
        of word i are in row ``row[i]`` of `table` (r, w) uint8; where that is −1, in the room of
        the thread that asks.
    offsets, words, terms
        Query q has ``words[offsets[q]:offsets[q + 1]]`` and the normalised terms ``terms[q]``.
    labels, depth
        Label codes (deepest, domains) of each domain from the right, and how many it has.
    host, rank, ranks
        Click j is on domain ``host[j]``, which is ``len(depth)`` for none, with the rank
        ``ranks[rank[j]]`` (−1 none).
    weights
        The shares of rank, URL, number of terms and words.
    """

    lengths: Array
    table: Array
    row: Array
    offsets: Array
    words: Array
    terms: Array
    labels: Array
    depth: Array
    host: Array
    rank: Array
    ranks: Array
    weights: Array


class UserEvents(NamedTuple):
    """All events; user b has ``starts[b]:starts[b + 1]``.

    Of each event the weighted time, query and click, and of these the weighted terms, the domain
    (as in `DistanceTables`) and the code of the rank.
    """

    time: Array
    query: Array
    click: Array
    terms: Array
    host: Array
    rank: Array
    starts: Array


class DistanceScratch(NamedTuple):
    """One thread's room: `rows` (longest query + 3, words), `queries`, `hosts` (domains + 1,),
    `ranks`, `clicks`, `events`, `query` (1,).

    `query` is the query whose row `queries`, or whose words' rows `rows` hold, −1 none. Edit
    distances of word i that the table lacks are in ``edits[place[i]]``.
    """

    edits: Array
    place: Array
    rows: Array
    queries: Array
    hosts: Array
    ranks: Array
    clicks: Array
    events: Array
    query: Array


@njit(cache=True, nogil=True, fastmath=True)
def _scale_edits(edits: Array, lengths: Array, own_length: int, out: Array) -> None:
    for j in range(len(lengths)):
        out[j] = np.float32(edits[j]) / np.float32(max(own_length, lengths[j]))


@njit(cache=True, nogil=True)
def _word_row(word: int, tables: DistanceTables, scratch: DistanceScratch, out: Array) -> None:
    """Normalised distances of one word to all, edits ÷ the longer length; `out` float32."""
    lengths, row = tables.lengths, tables.row[word]
    if row >= 0:
        _scale_edits(tables.table[row], lengths, lengths[word], out)
    else:
        _scale_edits(scratch.edits[scratch.place[word]], lengths, lengths[word], out)


@njit(cache=True, nogil=True, fastmath=True)
def _widen_bounds(row: Array, nearest: Array, farthest: Array) -> None:
    for j in range(len(row)):
        nearest[j] = min(nearest[j], row[j])
        farthest[j] = max(farthest[j], row[j])


@njit(cache=True, nogil=True)
def _query_row(query: int, tables: DistanceTables, scratch: DistanceScratch) -> None:
    """Weighted distances of one query string to all, into `scratch.queries`.

    The words' part is their Hausdorff distance; a query without words is at 0 from another such
    and at 1 from all others.
    """
    out, offsets, words = scratch.queries, tables.offsets, tables.words
    row, nearest, farthest = scratch.rows[0], scratch.rows[1], scratch.rows[2]
    begin, end = offsets[query], offsets[query + 1]
    nearest[:] = np.float32(np.inf)
    farthest[:] = np.float32(0.0)
    for p in range(len(out)):
        out[p] = (
            np.float32(1.0) if (offsets[p] == offsets[p + 1]) != (begin == end) else np.float32(0.0)
        )
    for i in range(begin, end):
        _word_row(words[i], tables, scratch, row)
        _widen_bounds(row, nearest, farthest)
        if end - begin > 1:
            for p in range(len(out)):
                if offsets[p + 1] - offsets[p] > 1:
                    least = row[words[offsets[p]]]
                    for j in range(offsets[p] + 1, offsets[p + 1]):
                        least = min(least, row[words[j]])
                    out[p] = max(out[p], least)
    if begin < end:
        for p in range(len(out)):
            reach = farthest if offsets[p + 1] - offsets[p] == 1 else nearest
            for j in range(offsets[p], offsets[p + 1]):
                out[p] = max(out[p], reach[words[j]])
    _weigh_strings(query, tables.terms, tables.weights[2], tables.weights[3], out)


@njit(cache=True, nogil=True, fastmath=True)
def _weigh_strings(query: int, terms: Array, w_length: float, w_words: float, out: Array) -> None:
    """From Hausdorff distances to weighted distances of query strings, in place."""
    own_terms = terms[query]
    a, b = np.float32(w_length), np.float32(w_words)
    for p in range(len(out)):
        out[p] = a * abs(terms[p] - own_terms) + b * out[p]


@njit(cache=True, nogil=True)
def _domain_row(own_labels: Array, deep: int, tables: DistanceTables, out: Array) -> None:
    """Weighted d_u of one domain, by its labels from the right, to all and to none.

    Label i = 1 … m from the right weighs 2^(m−i)/(2^m − 1), m the longer of both; a `deep` of 0
    is no domain, at 0 from none and at 1 from all others. `out` is float32 (domains + 1,).
    """
    w_url = tables.weights[1]
    out[-1] = np.float32(0.0 if deep == 0 else w_url)
    if deep == 0:
        out[:-1] = np.float32(w_url)
        return
    deepest = len(tables.labels)
    # What one label is worth against a domain of each depth, and all that only one of both has.
    weights = np.zeros((deepest, deepest + 1), np.float32)
    by_depth = np.zeros(deepest + 1, np.float32)
    for depth in range(1, deepest + 1):
        longer, shared = max(deep, depth), min(deep, depth)
        total = 2.0**longer - 1.0
        by_depth[depth] = np.float32(w_url * (2.0 ** (longer - shared) - 1.0) / total)
        for i in range(shared):
            weights[i, depth] = np.float32(w_url * 2.0 ** (longer - 1 - i) / total)
    for host in range(len(tables.depth)):
        out[host] = by_depth[tables.depth[host]]
    for i in range(min(deep, deepest)):
        labels, label, shares = tables.labels[i], own_labels[i], weights[i]
        for host in range(len(tables.depth)):
            share = shares[tables.depth[host]]
            out[host] += share if labels[host] != label else np.float32(0.0)


@njit(cache=True, nogil=True)
def _rank_row(place: float, tables: DistanceTables, out: Array) -> None:
    """Weighted distance of one rank to all; a missing one is at 0 from another, 1 from others."""
    for code in range(len(tables.ranks)):
        rank = tables.ranks[code]
        if rank < 0 or place < 0:
            distance = 0.0 if rank < 0 and place < 0 else 1.0
        else:
            distance = abs(rank - place)
        out[code] = np.float32(tables.weights[0] * distance)


@njit(cache=True, nogil=True, fastmath=True)
def _raise_to_nearest(distance: Array, starts: Array, best: Array) -> None:
    """Raise ``best[b]`` to the least of `distance` over user b's events."""
    for b in range(len(best)):
        least = np.float32(np.inf)
        for f in range(starts[b], starts[b + 1]):
            least = min(least, distance[f])
        best[b] = max(best[b], least)


@njit(cache=True, nogil=True)
def follow_events(
    span: tuple[int, int],
    probe: Any,
    events: UserEvents,
    tables: DistanceTables,
    scratch: DistanceScratch,
    best: Array,
    least: Array,
) -> None:
    """The events of a span of a `DistanceProbe`, its times weighted, against all events.

    Raises ``best[b]`` to the largest of the distances from a probe's event to user b's nearest
    event: h(probe → b) once all events went by. Lowers ``least[f]`` to event f's distance to the
    nearest of the probe's events. Either may be empty.
    O(events + words of all queries · words of the probe's queries).
    """
    first, last = span
    queries, clicks, event_distance = scratch.queries, scratch.clicks, scratch.events
    for e in range(first, last):
        if scratch.query[0] != probe.query[e]:
            _query_row(probe.query[e], tables, scratch)
            scratch.query[0] = probe.query[e]
        is_same = e > first and probe.depth[e] == probe.depth[e - 1]
        is_same = is_same and probe.rank[e] == probe.rank[e - 1]
        for i in range(probe.depth[e]):
            is_same = is_same and probe.labels[e, i] == probe.labels[e - 1, i]
        if not is_same:
            _domain_row(probe.labels[e], probe.depth[e], tables, scratch.hosts)
            _rank_row(probe.rank[e], tables, scratch.ranks)
            for click in range(len(clicks)):
                host, rank = tables.host[click], tables.rank[click]
                clicks[click] = scratch.hosts[host] + scratch.ranks[rank]
        for f in range(len(event_distance)):
            event_distance[f] = (
                abs(events.time[f] - probe.time[e])
                + clicks[events.click[f]]
                + queries[events.query[f]]
            )
        if len(best):
            _raise_to_nearest(event_distance, events.starts, best)
        for f in range(len(least)):
            least[f] = min(least[f], event_distance[f])


@njit(cache=True, nogil=True)
def _hold_distances(query: int, tables: DistanceTables, scratch: DistanceScratch) -> None:
    """Distances of each word of one query to all words; in the last row, of its nearest to each."""
    nearest = scratch.rows[-1]
    nearest[:] = np.float32(np.inf)
    begin = tables.offsets[query]
    for i in range(begin, tables.offsets[query + 1]):
        row = scratch.rows[i - begin]
        _word_row(tables.words[i], tables, scratch, row)
        for j in range(len(row)):
            nearest[j] = min(nearest[j], row[j])
    scratch.query[0] = query


@njit(cache=True, nogil=True, fastmath=True)
def _words_apart(
    rows: Array, size: int, other_words: Array, begin: int, end: int, limit: float
) -> Any:
    """Hausdorff distance of the words to ``other_words[begin:end]``; a number above `limit` if it
    is. No slices here: each would cost as much as the comparison."""
    if begin == end or size == 0:
        return np.float32(0.0 if size == end - begin else 1.0)
    last = len(rows) - 1
    distance = rows[last, other_words[begin]]
    for j in range(begin + 1, end):
        distance = max(distance, rows[last, other_words[j]])
    if distance > limit:
        return distance
    for i in range(size):
        least = rows[i, other_words[begin]]
        for j in range(begin + 1, end):
            least = min(least, rows[i, other_words[j]])
        if least > distance:
            distance = least
            if distance > limit:
                return distance
    return distance


@njit(cache=True, nogil=True)
def chase_events(
    span: tuple[int, int],
    me: int,
    events: UserEvents,
    tables: DistanceTables,
    scratch: DistanceScratch,
    best: Array,
) -> None:
    """A span of the events of user `me` against all users' events.

    Raises ``best[b]`` to h(those events → b), where it isn't greater already. At worst
    O(events · words), mostly O(users · words) an event.
    """
    first, last = span
    w_words = np.float32(tables.weights[3])
    offsets, words = tables.offsets, tables.words
    rows, hosts, ranks = scratch.rows, scratch.hosts, scratch.ranks
    hints = np.full(len(best), -1, dtype=np.int64)
    last_click = -1
    for e in range(first, last):
        own_query = events.query[e]
        if scratch.query[0] != own_query:
            _hold_distances(own_query, tables, scratch)
        size = offsets[own_query + 1] - offsets[own_query]
        click = events.click[e]
        home = tables.host[click]
        clicked = home < len(tables.depth)
        if click != last_click:
            last_click = click
            deep = tables.depth[home] if clicked else 0
            _domain_row(tables.labels[:, home if clicked else 0], deep, tables, hosts)
            _rank_row(tables.ranks[tables.rank[click]], tables, ranks)
        moment, terms = events.time[e], events.terms[e]
        for b in range(len(best)):
            if b == me:
                continue
            limit, hint, near_enough = best[b], hints[b], False
            plainest, place = np.float32(np.inf), -1  # the nearest by all but words
            # first the event that answered last, then all: is any within what is known already?
            for turn in range(events.starts[b] - (hint >= 0), events.starts[b + 1]):
                f = turn if turn >= events.starts[b] else hint
                distance = abs(events.time[f] - moment) + abs(events.terms[f] - terms)
                distance += hosts[events.host[f]] + ranks[events.rank[f]]
                if distance < plainest:
                    plainest, place = distance, f
                if distance > limit:
                    continue
                if distance + w_words > limit:  # words are never farther apart than 1
                    word_limit = (limit - distance) / w_words
                    begin, end = offsets[events.query[f]], offsets[events.query[f] + 1]
                    word_distance = _words_apart(rows, size, words, begin, end, word_limit)
                    if word_distance > word_limit:  # the sum may be rounded down to the limit
                        continue
                near_enough = True
                hints[b] = f
                break
            if near_enough:
                continue
            nearest = np.float32(np.inf)
            low = events.starts[b]
            for turn in range(low - (place >= 0), events.starts[b + 1]):
                f = turn if turn >= low else place  # that one first: it leaves few others
                distance = abs(events.time[f] - moment) + abs(events.terms[f] - terms)
                distance += hosts[events.host[f]] + ranks[events.rank[f]]
                if distance >= nearest:
                    continue
                word_limit = np.float32(2.0)
                if w_words > 0 and nearest < np.float32(4.0):
                    word_limit = (nearest - distance) / w_words
                begin, end = offsets[events.query[f]], offsets[events.query[f] + 1]
                word_distance = _words_apart(rows, size, words, begin, end, word_limit)
                if word_distance <= word_limit:
                    nearest = min(nearest, distance + w_words * word_distance)
            best[b] = nearest
