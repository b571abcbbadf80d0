"""Which names users go by, from userid and profile, and who asks for their own, how far up.

A userid is cut into names along the shortest path over its letters: an edge spans each name of
the census and each single letter, so that long names are preferred to many short ones. Of paths
as short, the one with fewer single letters counts, then the one with the more common names; the
source leaves that open.

Sets of names are compared as sums of mixed name numbers, so that all sets that a query holds are
looked up at once.

Source: Jones, Kumar, Pang and Tomkins, CIKM 2008, sections 4.1 to 4.4. A userid costs its letters
times the longest name that begins at each; everything else is O(users + marks of names), and
O(m log m) for the m distinct (user, name query) that ranks sort.
"""

from __future__ import annotations

import functools
import itertools
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from auditor.arrays import Bools, Float64s, Int32s, Int64s, Integers, expand_ranges, find_sorted
from auditor.attacks.detection.entity_detection import EntityMarks
from auditor.attacks.detection.lexicon import split_words
from auditor.attacks.detection.normalization import QueryNormalizer
from auditor.bit_mixing import mix_numbers
from auditor.log import gazetteers
from auditor.log.gil_friendly import is_among, sorted_distinct
from auditor.log.model import NONE, Vocabulary
from auditor.progress import Progress

VARIANTS = ("profile", "userid", "either", "both", "common")
"""The source's P, S, and three ways to combine them; each with a least number of names."""
_SHIFT = 24
_STEP = 5_000
MOST = 6
"""Words of names that are looked at in one query; more than three are rare."""
RANKS = 20
"""Ranks that the curves span."""
NEVER = 1 << 62
"""The rank of who isn't there."""
_LEAST = 1e-4
_MOST = math.log(10.0)
"""Shares of names are per cent, from 0.0001 to less than 10: no cost is negative."""
_NOT_LETTERS = re.compile("[^a-z]")
_LONGEST_ID = 64
_SAMPLE = 5_000
_HEX = re.compile("^[0-9a-f-]{8,}$")


@functools.cache
def census_costs() -> Mapping[str, float]:
    """Every first or last name of the census → the cost of its rarity, natural logarithm."""
    share = dict(gazetteers.last_names())
    for name, part in gazetteers.first_names().items():
        share[name] = max(part, share.get(name, 0.0))
    return {name: _MOST - math.log(max(part, _LEAST)) for name, part in share.items()}


def names_of_userid(userid: str) -> tuple[str, ...]:
    """Names along the shortest path: "jackson_andrew" gives "jackson", "andrew"; some 40 µs.

    Only letters count, in any case, accents off; of a very long userid the first 64 of them.
    """
    folded = QueryNormalizer().fold_query(userid).lower()
    letters = _NOT_LETTERS.sub("", folded)[:_LONGEST_ID]
    costs, longest = census_costs(), _longest_name()
    # Edges, single letters and rarity of the best path to the end of each letter, and its start.
    paths = [(0, 0, 0.0, 0)]
    for stop in range(1, len(letters) + 1):
        edges, singles, rarity, _ = paths[stop - 1]
        best = (edges + 1, singles + 1, rarity, stop - 1)
        for start in range(max(0, stop - longest), stop - 1):
            edges, singles, rarity, _ = paths[start]
            if edges < best[0] and (cost := costs.get(letters[start:stop])) is not None:
                best = min(best, (edges + 1, singles, rarity + cost, start))
        paths.append(best)
    names, stop = [], len(letters)
    while stop:
        start = paths[stop][3]
        if stop - start > 1:
            names.append(letters[start:stop])
        stop = start
    return tuple(dict.fromkeys(reversed(names)))


@functools.cache
def _longest_name() -> int:
    return max(map(len, census_costs()))


def names_of_profile(name: str) -> tuple[str, ...]:
    """The words of a real name, without initials: "Mary J. O'Neil" gives "mary", "oneil"."""
    return tuple(
        dict.fromkeys(word for word in split_words(name) if len(word) > 1 and word.isalpha())
    )


def carry_names(users: Vocabulary) -> bool:
    """Whether a log's user ids look like ids that people chose: letters, and not hexadecimal.

    A look at 5,000 of them at most.
    """
    sample = users.list_strings(range(min(len(users), _SAMPLE)))
    texts = [_NOT_LETTERS.sub("", text.lower()) for text in sample if not _HEX.match(text.lower())]
    wordy = [text for text in texts if len(text) >= 3]
    # "user17" and "user18" are letters, yet nobody's name.
    return len(wordy) >= max(1, len(sample) // 5) and len(set(wordy)) * 2 > len(wordy)


@dataclass(frozen=True, eq=False)
class NameSets:
    """A set of names for each of n users, as ascending keys user · 2²⁴ + name."""

    keys: Int64s
    users: int

    @property
    def user(self) -> Int64s:
        """The user of each key."""
        return self.keys >> _SHIFT

    @property
    def name(self) -> Int64s:
        """The name of each key."""
        return self.keys & ((1 << _SHIFT) - 1)

    def count_names(self) -> Int64s:
        """Names of each user; shape (n,)."""
        return np.bincount(self.user, minlength=self.users).astype(np.int64)

    def select_users(self, users: Bools) -> NameSets:
        """The sets of some users, empty ones for the rest."""
        return NameSets(self.keys[users[self.user]], self.users)


@dataclass(frozen=True, eq=False)
class UserNames:
    """What is known of n users' names.

    `words` are the names by number; `profile` and `userid` say which of them each user has.
    """

    words: tuple[str, ...]
    profile: NameSets
    userid: NameSets

    def select_users(self, users: Bools) -> UserNames:
        """The names of some users, none for the rest."""
        return UserNames(
            self.words, self.profile.select_users(users), self.userid.select_users(users)
        )

    def select_names(self, variant: str, least: int) -> NameSets:
        """Names by one of `VARIANTS`, of users with `least` names at least, none for the others.

        O(users + names).
        """
        p, s = self.profile, self.userid
        if variant == "profile":
            return p.select_users(p.count_names() >= least)
        if variant == "userid":
            return s.select_users(s.count_names() >= least)
        if variant == "common":
            common = NameSets(np.intersect1d(p.keys, s.keys, assume_unique=True), p.users)
            return common.select_users(common.count_names() >= least)
        many_p, many_s = p.count_names() >= least, s.count_names() >= least
        union = NameSets(np.union1d(p.keys, s.keys), p.users)
        return union.select_users(many_p | many_s if variant == "either" else many_p & many_s)


def extract_names(
    names: Sequence[str], userids: Sequence[str], users: int, progress: Progress
) -> UserNames:
    """Names from real names and userids, one of each for each user, empty where unknown."""
    codes: dict[str, int] = {}
    sets = []
    for label, texts, find_names in (
        ("names in profiles", names, names_of_profile),
        ("names in userids", userids, names_of_userid),
    ):
        keys: list[int] = []
        for first, last in progress.blocks(label, users, _STEP):
            for user, text in enumerate(texts[first:last], first):
                for name in find_names(text):
                    keys.append(user << _SHIFT | codes.setdefault(name, len(codes)))
        sets.append(NameSets(sorted_distinct(np.array(keys, dtype=np.int64)), users))
    return UserNames(tuple(codes), sets[0], sets[1])


@dataclass(frozen=True, eq=False, kw_only=True)
class NameQueries:
    """The queries of a vocabulary of m that hold a person's name, and the known names in each."""

    is_name: Bools  # which queries hold a person's name; shape (m,)
    # query, name: each known name in each query once, by query; shape (s,)
    query: Int64s
    name: Int64s
    spots: EntityMarks  # marks of persons


def read_name_queries(
    queries: Vocabulary, spots: EntityMarks, words: tuple[str, ...], progress: Progress
) -> NameQueries:
    """Read the marked names of persons in `queries`; `words` are the names by number."""
    codes = {word: code for code, word in enumerate(words)}
    progress.stage("reading names in queries", len(spots))
    pairs: list[int] = []
    columns = (spots.query.tolist(), spots.start.tolist(), spots.stop.tolist())
    for number, (query, start, stop) in enumerate(zip(*columns, strict=True)):
        if number % _STEP == 0:
            progress.update(number)
        for word in split_words(queries[query][start:stop]):
            code = codes.get(word)
            if code is not None:
                pairs.append(query << 32 | code)
    keys = np.unique(np.array(pairs, dtype=np.int64))
    is_name = np.zeros(len(queries), dtype=np.bool_)
    is_name[spots.query] = True
    return NameQueries(is_name=is_name, query=keys >> 32, name=keys & 0xFFFFFFFF, spots=spots)


@dataclass(frozen=True, eq=False, kw_only=True)
class VanityTargets:
    """Distinct sets of names, and whose they are."""

    of_user: Int64s  # set of each user, −1 where no name is known; shape (users,)
    count: int  # distinct sets
    # query, which: every (name query, set) such that the query holds all names of the set, by
    # query
    query: Int64s
    which: Int64s


def find_targets(sets: NameSets, name_queries: NameQueries) -> VanityTargets:
    """Which name queries hold whose names, all of them."""
    total = np.zeros(sets.users, dtype=np.uint64)
    np.add.at(total, sets.user, mix_numbers(sets.name.astype(np.uint64)))
    has_names = sets.count_names() > 0
    keys, inverse = np.unique(total[has_names], return_inverse=True)
    of_user = np.full(sets.users, NONE, dtype=np.int64)
    of_user[has_names] = inverse
    queries, first, size = np.unique(name_queries.query, return_index=True, return_counts=True)
    size = np.minimum(size, MOST)
    mixed = mix_numbers(name_queries.name.astype(np.uint64))
    parts = [np.zeros((2, 0), dtype=np.int64)]
    for count in range(1, MOST + 1) if len(keys) else ():
        for positions in itertools.combinations(range(MOST), count):
            rows = np.flatnonzero(size > positions[-1])
            subset_total = np.zeros(len(rows), dtype=np.uint64)
            for place in positions:
                subset_total += mixed[first[rows] + place]
            index = find_sorted(subset_total, keys)
            parts.append(np.stack([queries[rows[index >= 0]], index[index >= 0]]))
    pairs = np.concatenate(parts, axis=1)
    query, which = pairs[:, np.lexsort((pairs[1], pairs[0]))]
    return VanityTargets(of_user=of_user, count=len(keys), query=query, which=which)


@dataclass(frozen=True, eq=False, kw_only=True)
class NameQueryCounts:
    """Distinct (group, name query), by group; a group is a user or a bundle; a of them."""

    group: Int64s
    query: Int64s
    times: Int64s  # how often the group sent the query
    by_anybody: Int64s  # how often everybody did
    load: Int64s  # name queries that the group sent in all
    groups: int


def count_name_queries(
    group: Integers, query: Int32s, name_queries: NameQueries, groups: int
) -> NameQueryCounts:
    """Count the name queries among events; O(n), and O(a log a) for those."""
    is_name_query = name_queries.is_name[query]
    own_group, name_query = (part[is_name_query].astype(np.int64) for part in (group, query))
    keys, times = np.unique(own_group << 32 | name_query, return_counts=True)
    totals = np.bincount(name_query, minlength=len(name_queries.is_name))
    load = np.bincount(own_group, minlength=groups)
    return NameQueryCounts(
        group=keys >> 32,
        query=keys & 0xFFFFFFFF,
        times=times.astype(np.int64),
        by_anybody=totals[keys & 0xFFFFFFFF],
        load=load,
        groups=groups,
    )


def inverse_frequency(count: Int64s, printed: bool) -> Float64s:
    """1 / log(1 + count), or as printed 1 / log(count): infinite for what occurs once."""
    with np.errstate(divide="ignore"):
        weights: Float64s = 1.0 / np.log(count + (0.0 if printed else 1.0))
    return weights


def expand_rows(rows_query: Int64s, query: Int64s, value: Int64s) -> tuple[Int64s, Int64s]:
    """For rows of queries every (row, value) such that the row's query has it; `query` ascends."""
    low = np.searchsorted(query, rows_query, side="left")
    size = np.searchsorted(query, rows_query, side="right") - low
    row = np.repeat(np.arange(len(rows_query)), size)
    return row, value[expand_ranges(low, size)]


def find_own_names(
    group: Integers, user: Integers, query: Int32s, name_queries: NameQueries, goal: VanityTargets
) -> tuple[Int64s, Bools]:
    """Distinct (group, user) such that the user asks for all their names there, and which events.

    The pairs are group · 2³² + user, ascending; the events a mask.
    """
    events = np.flatnonzero(name_queries.is_name[query])
    row, target_numbers = expand_rows(query[events].astype(np.int64), goal.query, goal.which)
    hit = target_numbers == goal.of_user[user[events[row]]]
    mask = np.zeros(len(query), dtype=np.bool_)
    mask[events[row[hit]]] = True
    return sorted_distinct(group[mask].astype(np.int64) << 32 | user[mask]), mask


def ranks_of_names(
    rows: NameQueryCounts,
    goal: VanityTargets,
    pairs: Int64s,
    score: Float64s,
    rng: np.random.Generator,
) -> tuple[Int64s, Float64s]:
    """How far up a group's name queries each pair's user is named, from 1; ties by chance.

    And how likely none of the first is the user's in random order, as `compute_misses` gives it.
    """
    place = _rank_rows(rows.group, score, rng)
    row, target_numbers = expand_rows(rows.query, goal.query, goal.which)
    group, sets = pairs >> 32, goal.of_user[pairs & 0xFFFFFFFF]
    keys, own = np.unique(rows.group[row] << 32 | target_numbers, return_counts=True)
    misses = compute_misses(
        np.append(own, 0)[find_sorted(group << 32 | sets, keys)],
        np.bincount(rows.group, minlength=rows.groups)[group],
    )
    return find_least_values(
        rows.group[row] << 32 | target_numbers, place[row], group << 32 | sets
    ), misses


def compute_misses(own: Int64s, total: Int64s) -> Float64s:
    """How likely none of `own` among `total` is within the first 1, 2, … `RANKS` by chance.

    Shape (len(own), RANKS).
    """
    left = np.maximum(total[:, None] - np.arange(RANKS), 1)
    misses: Float64s = np.cumprod(np.maximum(left - own[:, None], 0) / left, axis=1)
    return misses


def rank_users(
    rows: NameQueryCounts, goal: VanityTargets, printed: bool, rng: np.random.Generator
) -> tuple[Int64s, Int64s]:
    """Rank the groups that asked for each set of names by tf · idf over their name queries.

    Distinct set of names · 2³² + group, ascending, and the rank of each among those of its set,
    from 1.
    """
    row, target_numbers = expand_rows(rows.query, goal.query, goal.which)
    keys, inverse = np.unique(target_numbers << 32 | rows.group[row], return_inverse=True)
    times = np.bincount(inverse, rows.times[row], minlength=len(keys))
    group = keys & 0xFFFFFFFF
    score = times * inverse_frequency(rows.load[group], printed)
    return keys, _rank_rows(keys >> 32, score, rng)


def _rank_rows(group: Int64s, score: Float64s, rng: np.random.Generator) -> Int64s:
    """The place of each row in its group by falling score, from 1; ties by chance."""
    order = np.lexsort((rng.random(len(group)), -score, group))
    sorted_group = group[order]
    first = np.searchsorted(sorted_group, sorted_group, side="left")
    place = np.empty(len(group), dtype=np.int64)
    place[order] = np.arange(len(group)) - first + 1
    return place


def find_least_values(keys: Int64s, values: Int64s, targets: Int64s) -> Int64s:
    """The least value of each wanted key, `NEVER` where it doesn't occur."""
    order = np.lexsort((values, keys))
    keys, values = keys[order], values[order]
    return np.append(values, NEVER)[find_sorted(targets, keys)]


def any_match(rows: NameQueryCounts, name_queries: NameQueries, sets: NameSets) -> Int64s:
    """Users, ascending, who sent a name query with at least one of their names."""
    row, name = expand_rows(rows.query, name_queries.query, name_queries.name)
    return sorted_distinct(rows.group[row[is_among(rows.group[row] << 24 | name, sets.keys)]])
