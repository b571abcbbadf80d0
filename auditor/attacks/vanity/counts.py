"""Who asks for their own name, and how far up it stands: name queries, matches and ranks.

Sets of names are compared as sums of mixed name numbers, so that all sets that a query holds are
looked up at once: O(marks of names) for all users together, O(m log m) for the m distinct
(user, name query) that ranks sort.

Source: Jones, Kumar, Pang and Tomkins, CIKM 2008, sections 4.2 to 4.4.
"""

import itertools
from dataclasses import dataclass

import numpy as np

from auditor.arrays import (
    Bools,
    Float64s,
    Int32s,
    Int64s,
    Integers,
    UInt64s,
    expand_ranges,
    find_sorted,
)
from auditor.attacks.detection.entity_detection import EntityMarks
from auditor.attacks.detection.lexicon import split_words
from auditor.attacks.vanity.user_names import NameSets
from auditor.bit_mixing import mix_numbers
from auditor.log.gil_friendly import is_among, sorted_distinct
from auditor.log.model import NONE, Vocabulary
from auditor.progress import Progress

MOST = 6
"""Words of names that are looked at in one query; more than three are rare."""
RANKS = 20
"""Ranks that the curves span."""
_STEP = 5_000


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
    query, target_numbers = _match_sets(name_queries, keys)
    return VanityTargets(of_user=of_user, count=len(keys), query=query, which=target_numbers)


def _match_sets(name_queries: NameQueries, keys: UInt64s) -> tuple[Int64s, Int64s]:
    """Every (query, set) where the set's names are among the query's."""
    if not len(keys) or not len(name_queries.query):
        none = np.zeros(0, dtype=np.int64)
        return none, none
    queries, first, size = np.unique(name_queries.query, return_index=True, return_counts=True)
    size = np.minimum(size, MOST)
    mixed = mix_numbers(name_queries.name.astype(np.uint64))
    parts = []
    for count in range(1, MOST + 1):
        for positions in itertools.combinations(range(MOST), count):
            rows = np.flatnonzero(size > positions[-1])
            total = np.zeros(len(rows), dtype=np.uint64)
            for place in positions:
                total += mixed[first[rows] + place]
            index = find_sorted(total, keys)
            hit = index >= 0
            parts.append(np.stack([queries[rows[hit]], index[hit]]))
    both = np.concatenate(parts, axis=1)
    order = np.lexsort((both[1], both[0]))
    return both[0][order], both[1][order]


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
    own_group, name_query = (
        group[is_name_query].astype(np.int64),
        query[is_name_query].astype(np.int64),
    )
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
    return _find_least_values(
        rows.group[row] << 32 | target_numbers, place[row], group << 32 | sets
    ), misses


def compute_misses(own: Int64s, total: Int64s) -> Float64s:
    """How likely none of `own` among `total` is within the first 1, 2, … `RANKS` by chance.

    Shape (len(own), RANKS).
    """
    left = np.maximum(total[:, None] - np.arange(RANKS), 1)
    misses: Float64s = np.cumprod(np.maximum(left - own[:, None], 0) / left, axis=1)
    return misses


@dataclass(frozen=True, eq=False)
class NameQueryUsers:
    """Distinct (set of names, group that asked for it), by set, with their rank from 1."""

    which: Int64s
    group: Int64s
    rank: Int64s


def rank_users(
    rows: NameQueryCounts, goal: VanityTargets, printed: bool, rng: np.random.Generator
) -> NameQueryUsers:
    """Rank the groups that asked for each set of names by tf · idf over their name queries."""
    row, target_numbers = expand_rows(rows.query, goal.query, goal.which)
    keys, inverse = np.unique(target_numbers << 32 | rows.group[row], return_inverse=True)
    times = np.bincount(inverse, rows.times[row], minlength=len(keys))
    group = keys & 0xFFFFFFFF
    score = times * inverse_frequency(rows.load[group], printed)
    return NameQueryUsers(keys >> 32, group, _rank_rows(keys >> 32, score, rng))


def ranks_of_groups(ranked: NameQueryUsers, sets: Int64s, groups: Int64s) -> Int64s:
    """The rank of each group among those that asked for the set; 2⁶² where it didn't."""
    return _find_least_values(ranked.which << 32 | ranked.group, ranked.rank, sets << 32 | groups)


NEVER = 1 << 62


def _rank_rows(group: Int64s, score: Float64s, rng: np.random.Generator) -> Int64s:
    """The place of each row in its group by falling score, from 1; ties by chance."""
    order = np.lexsort((rng.random(len(group)), -score, group))
    sorted_group = group[order]
    first = np.searchsorted(sorted_group, sorted_group, side="left")
    place = np.empty(len(group), dtype=np.int64)
    place[order] = np.arange(len(group)) - first + 1
    return place


def _find_least_values(keys: Int64s, values: Int64s, targets: Int64s) -> Int64s:
    """The least value of each wanted key, `NEVER` where it doesn't occur."""
    order = np.lexsort((values, keys))
    keys, values = keys[order], values[order]
    return np.append(values, NEVER)[find_sorted(targets, keys)]


def any_match(rows: NameQueryCounts, name_queries: NameQueries, sets: NameSets) -> Int64s:
    """Users, ascending, who sent a name query with at least one of their names."""
    row, name = expand_rows(rows.query, name_queries.query, name_queries.name)
    return sorted_distinct(rows.group[row[is_among(rows.group[row] << 24 | name, sets.keys)]])
