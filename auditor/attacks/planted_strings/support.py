"""How many independent parties stand behind each released query.

A query of ten users may be the work of one who opened ten accounts. Users of one query are joined
to a party if they issued it from one address range (the first three bytes of an IPv4 address), or
if they hardly did anything else and issued it in one burst: each within so many minutes of the
next. The number of parties left is the query's independent support. Cost: O(rows · log rows).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from auditor.arrays import Bools, Int64s, UInt32s
from auditor.log.model import NONE, QueryLog
from auditor.progress import Progress


@dataclass(frozen=True)
class PartyRules:
    """When two users of a query count as one party.

    `burst` in seconds; `few` is how many distinct queries a user has at most who hardly did
    anything; `ranges` says whether address ranges join users, where the log has addresses.
    """

    burst: int
    few: int
    ranges: bool


@dataclass(frozen=True, eq=False)
class QuerySupport:
    """The support of each of the log's queries, 0 for those that aren't looked at.

    Attributes
    ----------
    users, parties
        Distinct users, and the independent parties that they come to; shape (queries,).
    """

    users: Int64s
    parties: Int64s

    def is_dependent(self, fewest: int) -> Bools:
        """Queries of `fewest` users or more of whom half at most are independent."""
        found: Bools = (self.users >= fewest) & (2 * self.parties <= self.users)
        return found


def count_support(
    log: QueryLog, released: Bools, rules: PartyRules, progress: Progress
) -> QuerySupport:
    """Count users and parties of the `released` ones of the log's queries."""
    return _compute_support(log, released, rules, log.time, log.ip, progress)


def count_shuffled_support(
    log: QueryLog,
    released: Bools,
    rules: PartyRules,
    rng: np.random.Generator,
    progress: Progress,
) -> QuerySupport:
    """The same with times and addresses dealt out anew: what is dependent there is so by chance."""
    order = rng.permutation(len(log))
    address = None if log.ip is None else log.ip[order]
    return _compute_support(log, released, rules, log.time[order], address, progress)


def _compute_support(
    log: QueryLog,
    released: Bools,
    rules: PartyRules,
    time: Int64s,
    address: UInt32s | None,
    progress: Progress,
) -> QuerySupport:
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    progress.stage("counting independent parties")
    whole = np.unique((log.user.astype(np.int64) << 32) | log.query)
    distinct = np.bincount(whole >> 32, minlength=len(log.users))
    rows = np.flatnonzero(log.event_starts & released[log.query])
    key = (log.query[rows].astype(np.int64) << 32) | log.user[rows]
    order = np.lexsort((time[rows], key))
    rows, key = rows[order], key[order]
    first = np.flatnonzero(np.diff(key, prepend=-1))
    rows, key = rows[first], key[first]
    query, user = key >> 32, key & 0xFFFFFFFF
    progress.check()
    pairs = len(rows)
    edges: list[tuple[Int64s, Int64s]] = []
    if rules.ranges and address is not None:
        known = np.flatnonzero(address[rows] != 0)
        edges.append(_join_groups(known, (query[known] << 24) | (address[rows[known]] >> 8)))
    thin = np.flatnonzero(distinct[user] <= rules.few)
    thin = thin[np.lexsort((time[rows[thin]], query[thin]))]
    moment = time[rows[thin]]
    close = (np.diff(query[thin]) == 0) & (np.diff(moment) <= rules.burst)
    edges.append((thin[:-1][close], thin[1:][close]))
    one = np.concatenate([edge[0] for edge in edges])
    other = np.concatenate([edge[1] for edge in edges])
    graph = coo_array((np.ones(len(one), np.int8), (one, other)), shape=(pairs, pairs))
    progress.check()
    _, party = connected_components(graph.tocsr(), directed=False)
    parties = np.unique(np.stack([query, party.astype(np.int64)]), axis=1)[0]
    size = len(log.queries)
    return QuerySupport(
        np.bincount(query, minlength=size).astype(np.int64),
        np.bincount(parties, minlength=size).astype(np.int64),
    )


def _join_groups(places: Int64s, groups: Int64s) -> tuple[Int64s, Int64s]:
    """An edge from each place to the next one of its group."""
    order = np.argsort(groups, kind="stable")
    places, groups = places[order], groups[order]
    same = np.diff(groups) == 0
    return places[:-1][same], places[1:][same]


def mark_released(log: QueryLog, place: Int64s) -> Bools:
    """Which of the log's queries stand in the release and show something."""
    found: Bools = (place != NONE) & ~log.queries.find_blank()
    return found
