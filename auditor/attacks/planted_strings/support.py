"""How many independent parties stand behind each released string: a query, or an n-gram of some.

Users of one string are joined to a party if their histories are nearly equal, if they issued it
from one address range (the first three bytes of an IPv4 address), or if they hardly did anything
else and issued it in one burst: each within so many minutes of the next. The number of parties left
is the string's independent support. Cost: O(m · log m) for m events, each once for every released
string in it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from auditor.arrays import Bools, Int32s, Int64s, Integers, UInt32s, expand_ranges
from auditor.figures import UserReference
from auditor.log.equal_histories import AccountParties, join_accounts
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.model import QueryLog, Vocabulary
from auditor.privacy.ngram_tree import pair_queries
from auditor.progress import Progress


@dataclass(frozen=True)
class PartyRules:
    """When two users of a query count as one party."""

    burst: int  # seconds
    few: int  # distinct queries at most of a user who hardly did anything
    ranges: bool  # whether address ranges join users, where the log has addresses


@dataclass(frozen=True, eq=False)
class ReleasedStrings:
    """The released strings that can be read (`texts`), and which of the log's queries hold them.

    Query q of the log holds the strings ``codes[offsets[q]:offsets[q + 1]]``, codes into `texts`;
    shapes (pairs,) and (queries + 1,).
    """

    texts: Vocabulary
    offsets: Int64s
    codes: Int32s

    @classmethod
    def of_queries(cls, log: QueryLog, released: Bools) -> ReleasedStrings:
        """Whole queries: those of the log's that are `released` and show something."""
        keep = released & ~log.queries.find_blank()
        offsets = np.concatenate([[0], np.cumsum(keep)]).astype(np.int64)
        return cls(log.queries, offsets, np.flatnonzero(keep).astype(np.int32))

    @classmethod
    def of_ngrams(cls, log: QueryLog, ngrams: Vocabulary, progress: Progress) -> ReleasedStrings:
        """Runs of words, wherever they stand in the log's queries."""
        query, code = pair_queries(log.queries, ngrams, progress)
        offsets = np.searchsorted(query, np.arange(len(log.queries) + 1)).astype(np.int64)
        return cls(ngrams, offsets, code)

    def find_queries(self, strings: Integers) -> Int32s:
        """Codes of the log's queries that hold any of these strings, ascending."""
        mask = np.zeros(len(self.texts), dtype=np.bool_)
        mask[strings] = True
        pairs = np.flatnonzero(mask[self.codes])
        queries: Int32s = sorted_distinct(
            np.searchsorted(self.offsets, pairs, side="right") - 1
        ).astype(np.int32)
        return queries

    def refer_to(self, parts: Iterable[Integers]) -> UserReference:
        """The queries that hold any string of each part."""
        return UserReference.from_parts("queries", [self.find_queries(part) for part in parts])


@dataclass(frozen=True, eq=False)
class StringSupport:
    """The support of each released string, 0 for those that aren't looked at; shapes (strings,)."""

    users: Int64s  # distinct users
    parties: Int64s  # independent parties that they come to
    histories: Int64s  # parties where only nearly equal histories join users

    @property
    def of_one_history(self) -> Bools:
        """Strings of several users whose histories are all nearly equal."""
        result: Bools = (self.users > 1) & (self.histories == 1)
        return result

    def is_judged(self, fewest: int) -> Bools:
        """Strings of `fewest` users or more, or of several with one history."""
        result: Bools = (self.users >= fewest) | self.of_one_history
        return result

    def is_dependent(self, fewest: int) -> Bools:
        """Those judged of whose users half at most are independent."""
        result: Bools = self.is_judged(fewest) & (2 * self.parties <= self.users)
        return result


def count_support(
    log: QueryLog, released: ReleasedStrings, rules: PartyRules, progress: Progress
) -> StringSupport:
    """Count users and parties of the released strings."""
    accounts = join_accounts(log, progress)
    return _compute_support(log, released, rules, log.time, log.ip, accounts, progress)


def count_shuffled_support(
    log: QueryLog,
    released: ReleasedStrings,
    rules: PartyRules,
    rng: np.random.Generator,
    progress: Progress,
) -> StringSupport:
    """The same with times and addresses dealt out anew: what is dependent there is so by chance.

    No histories are compared: dealt out anew, none would be equal.
    """
    order = rng.permutation(len(log))
    address = None if log.ip is None else log.ip[order]
    return _compute_support(log, released, rules, log.time[order], address, None, progress)


def _compute_support(
    log: QueryLog,
    released: ReleasedStrings,
    rules: PartyRules,
    time: Int64s,
    address: UInt32s | None,
    accounts: AccountParties | None,
    progress: Progress,
) -> StringSupport:
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    progress.stage("counting independent parties")
    user_queries = sorted_distinct((log.user.astype(np.int64) << 32) | log.query)
    distinct = np.bincount(user_queries >> 32, minlength=len(log.users))
    lengths = np.diff(released.offsets)
    rows = np.flatnonzero(log.event_starts & (lengths[log.query] > 0))
    rows, _ = _keep_first(rows, log.query[rows], log.user, time)
    progress.check()
    sizes = lengths[log.query[rows]]
    codes = released.codes[expand_ranges(released.offsets[log.query[rows]], sizes)]
    rows = np.repeat(rows, sizes)
    rows, key = _keep_first(rows, codes, log.user, time)
    string, user = key >> 32, key & 0xFFFFFFFF
    progress.check()
    pairs = len(rows)
    edges: list[tuple[Int64s, Int64s]] = []
    if rules.ranges and address is not None:
        located = np.flatnonzero(address[rows] != 0)
        edges.append(_join_groups(located, (string[located] << 24) | (address[rows[located]] >> 8)))
    thin = np.flatnonzero(distinct[user] <= rules.few)
    thin = thin[np.lexsort((time[rows[thin]], string[thin]))]
    moment = time[rows[thin]]
    close = (np.diff(string[thin]) == 0) & (np.diff(moment) <= rules.burst)
    edges.append((thin[:-1][close], thin[1:][close]))
    history = user
    if accounts is not None:
        history = accounts.party[user].astype(np.int64)
        shared = np.flatnonzero(accounts.shared[user])
        edges.append(_join_groups(shared, (string[shared] << 32) | history[shared]))
    first, second = (np.concatenate(ends) for ends in zip(*edges, strict=True))
    graph = coo_array((np.ones(len(first), np.int8), (first, second)), shape=(pairs, pairs))
    progress.check()
    _, party = connected_components(graph.tocsr(), directed=False)

    def count_distinct(group: Int64s) -> Int64s:
        distinct = sorted_distinct((string << 32) | group)
        return np.bincount(distinct >> 32, minlength=len(released.texts)).astype(np.int64)

    return StringSupport(
        count_distinct(user), count_distinct(party.astype(np.int64)), count_distinct(history)
    )


def _join_groups(places: Int64s, groups: Int64s) -> tuple[Int64s, Int64s]:
    """An edge from each place to the next one of its group."""
    order = np.argsort(groups, kind="stable")
    places, groups = places[order], groups[order]
    is_same_group = np.diff(groups) == 0
    return places[:-1][is_same_group], places[1:][is_same_group]


def _keep_first(
    rows: Int64s, codes: Integers, user: Integers, time: Int64s
) -> tuple[Int64s, Int64s]:
    """Each user's first row of each code, and the pairs as ``code << 32 | user``, ascending."""
    key = (codes.astype(np.int64) << 32) | user[rows]
    order = np.lexsort((time[rows], key))
    rows, key = rows[order], key[order]
    first = np.flatnonzero(np.diff(key, prepend=-1))
    return rows[first], key[first]
