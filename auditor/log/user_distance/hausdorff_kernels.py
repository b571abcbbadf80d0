"""Compiled Hausdorff distance between users that stops looking where nothing can change.

h(a → b) is the greatest, over a's events, of the distance to the nearest of b's. As soon as one
of b's events is no farther than what is already known to be the greatest, the rest of b's need not
be looked at. What time, site, rank and length alone put farther off needs no look at its words, nor
does what they leave so near that no words could put it farther. Odd events are asked first, plain
ones answer first, and before all others the one that answered last, so that most events of a meet
one or two of b's. Same distances as `kernels.follow_events` gives.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from auditor.arrays import Array
from auditor.log.user_distance.kernels import (
    DistanceTables,
    QueryWords,
    WordTable,
    domain_row,
    edit_row,
    rank_row,
)

LINE, INLINE = 16, 10
"""Numbers of an event that stand together, a line of the cache; of these so many are words. A
longer query's words are all looked up."""


class HausdorffUsers(NamedTuple):
    """The events that answer: plain ones first, of those without a click and then of the others.

    User b has ``starts[b]:middle[b]`` without and ``middle[b]:starts[b + 1]`` with a click. An
    event f is a line: ``codes[16 f:16 f + 16]``, int32, has domain (as in `ClickedSites`), code of
    the rank, number of words, first word in `words`, weighted time, weighted terms, and
    words. `reals` is the same memory as float32, of which items 4 and 5 count.
    """

    starts: Array
    middle: Array
    codes: Array
    reals: Array
    words: Array


class HausdorffScratch(NamedTuple):
    """One thread's room: `words` (longest query, words), `near` (words,), `edits` (words,),
    `hosts` (domains + 1,), `ranks`, and `held` (1,): the query whose words are in, −1 none."""

    words: Array
    near: Array
    edits: Array
    hosts: Array
    ranks: Array
    held: Array


@njit(cache=True, nogil=True, fastmath=True)
def _scale_edits(
    edits: Array, lengths: Array, mine: int, out: Array, near: Array, fresh: bool
) -> None:
    for j in range(len(lengths)):
        far = np.float32(edits[j]) / np.float32(max(mine, lengths[j]))
        out[j] = far
        near[j] = far if fresh else min(near[j], far)


@njit(cache=True, nogil=True)
def _hold_distances(
    query: int, lexicon: WordTable, texts: QueryWords, room: HausdorffScratch
) -> None:
    """Distances of each word of one query to all words, and of its nearest word to each."""
    begin = texts.offsets[query]
    for i in range(begin, texts.offsets[query + 1]):
        word = texts.words[i]
        mine = lexicon.lengths[word]
        out = room.words[i - begin]
        if lexicon.row[word] >= 0:
            edits = lexicon.table[lexicon.row[word]]
            _scale_edits(edits, lexicon.lengths, mine, out, room.near, i == begin)
        else:
            edit_row(word, 0, lexicon, room.edits)
            _scale_edits(room.edits, lexicon.lengths, mine, out, room.near, i == begin)
    room.held[0] = query


@njit(cache=True, nogil=True, fastmath=True)
def _words_apart(
    words: Array, near: Array, size: int, theirs: Array, first: int, many: int, most: float
) -> Any:
    """Hausdorff distance of the words held to ``theirs[first:first + many]``; some number above
    `most` if it is. No slices here: each would cost as much as the comparison."""
    if many == 0 or size == 0:
        return np.float32(0.0 if size == many else 1.0)
    far = near[theirs[first]]
    for j in range(first + 1, first + many):
        far = max(far, near[theirs[j]])
    if far > most:
        return far
    for i in range(size):
        least = words[i, theirs[first]]
        for j in range(first + 1, first + many):
            least = min(least, words[i, theirs[j]])
        if least > far:
            far = least
            if far > most:
                return far
    return far


class ChasedEvents(NamedTuple):
    """Events in the `order` they are taken in; labels and depth of each site."""

    order: Array
    time: Array
    query: Array
    click: Array
    labels: Array
    depth: Array


@njit(cache=True, nogil=True)
def chase_events(
    span: tuple[int, int],
    me: int,
    events: ChasedEvents,
    crowd: HausdorffUsers,
    tables: DistanceTables,
    room: HausdorffScratch,
    best: Array,
) -> None:
    """A span of the events of user `me` against all users' events.

    Raises ``best[b]`` to h(those events → b), where it isn't greater already. Equal queries should
    stand together. At worst O(events · words), mostly O(users · words) an event.
    """
    first, last = span
    order, time, query, click, labels, depth = events
    lexicon, texts, sites, weights = tables
    w_rank, w_url = weights[0], weights[1]
    w_length, w_words = np.float32(weights[2]), np.float32(weights[3])
    codes, reals = crowd.codes, crowd.reals
    words, near, hosts, ranks = room.words, room.near, room.hosts, room.ranks
    hints = np.full(len(best), -1, dtype=np.int64)
    held = -1
    for at in range(first, last):
        e = order[at]
        mine = query[e]
        if room.held[0] != mine:
            _hold_distances(mine, lexicon, texts, room)
        size = texts.offsets[mine + 1] - texts.offsets[mine]
        if click[e] != held:
            held = click[e]
            home = sites.host[held]
            deep = 0 if home == sites.first[-1] else depth[home]
            domain_row(labels[home if deep else 0], deep, sites, w_url, room.hosts)
            rank_row(sites.ranks[sites.rank[held]], sites, w_rank, ranks)
        clicked = sites.host[held] != sites.first[-1]
        moment, terms = time[e], w_length * texts.terms[mine]
        for b in range(len(best)):
            if b == me:
                continue
            limit, hint, near_enough = best[b], hints[b], False
            plainest, place = np.float32(np.inf), -1  # the nearest by all but words
            # first the event that answered last, then all: is any within what is known already?
            for turn in range(3):
                if turn == 0:
                    low, high = (hint, hint + 1) if hint >= 0 else (0, 0)
                elif clicked == (turn == 1):
                    low, high = crowd.middle[b], crowd.starts[b + 1]
                else:
                    low, high = crowd.starts[b], crowd.middle[b]
                for f in range(low, high):
                    line = f * LINE
                    far = abs(reals[line + 4] - moment) + abs(reals[line + 5] - terms)
                    far += hosts[codes[line]] + ranks[codes[line + 1]]
                    if far < plainest:
                        plainest, place = far, f
                    if far > limit:
                        continue
                    if far + w_words > limit:  # words are never farther apart than 1
                        most = (limit - far) / w_words
                        many = codes[line + 2]
                        if many <= INLINE:
                            apart = _words_apart(words, near, size, codes, line + 6, many, most)
                        else:
                            begin = codes[line + 3]
                            apart = _words_apart(words, near, size, crowd.words, begin, many, most)
                        if apart > most:  # the sum may be rounded down to the limit
                            continue
                    near_enough = True
                    hints[b] = f
                    break
                if near_enough:
                    break
            if near_enough:
                continue
            nearest = np.float32(np.inf)
            begin = crowd.starts[b]
            for turn in range(begin - (place >= 0), crowd.starts[b + 1]):
                f = turn if turn >= begin else place  # that one first: it leaves few others
                line = f * LINE
                far = abs(reals[line + 4] - moment) + abs(reals[line + 5] - terms)
                far += hosts[codes[line]] + ranks[codes[line + 1]]
                if far >= nearest:
                    continue
                most = np.float32(2.0)
                if w_words > 0 and nearest < np.float32(4.0):
                    most = (nearest - far) / w_words
                many = codes[line + 2]
                if many <= INLINE:
                    apart = _words_apart(words, near, size, codes, line + 6, many, most)
                else:
                    word = codes[line + 3]
                    apart = _words_apart(words, near, size, crowd.words, word, many, most)
                if apart <= most:
                    nearest = min(nearest, far + w_words * apart)
            best[b] = nearest
