"""The centroid of a group of users (Navarro-Arribas et al. 2012, section 3.2.3).

A group's list has as many events as its users have on average. Each user gives a share of it in
proportion to their own events, and within it their query strings keep their frequencies; both by
largest remainder, in whole numbers. Every event of a string gets the mean time and mean rank of
the group's events with that string, and the longest common right-most part of their domains.

Strings tied for the last places are taken evenly over the order in which the user first asked
them. Ranks and domains are those of the events that have one; there is none where no event has.
O(n log n) for n events.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from auditor.arrays import Bools, Int32s, Int64s, expand_ranges
from auditor.log.model import NONE, QueryLog, Vocabulary
from auditor.log.user_distance.distance import DistanceProbe
from auditor.log.user_distance.features import UserSpace, split_hosts
from auditor.progress import Progress

_ROWS = 1 << 18


@dataclass(frozen=True, eq=False)
class GroupLists:
    """The centroids of g groups: group i has the entries ``starts[i]:starts[i + 1]``.

    Attributes
    ----------
    query
        Query codes of the log; shape (entries,).
    copies
        How often each entry stands in the list, at least once.
    time
        Mean time in seconds, rounded.
    rank
        Mean rank, rounded; −1 where no event has one.
    host, depth
        A host code and how many of its labels from the right are common; −1 and 0 for none.
    """

    starts: Int64s
    query: Int64s
    copies: Int64s
    time: Int64s
    rank: Int64s
    host: Int64s
    depth: Int64s


@dataclass(frozen=True, eq=False)
class ClickedDomains:
    """Host of each URL (−1 none), the hosts' labels from the right, and how many each has."""

    of_url: Int64s
    labels: Int32s
    depth: Int32s

    @classmethod
    def of(cls, urls: Vocabulary, progress: Progress) -> ClickedDomains:
        """The domains of a log's URLs."""
        return cls(*split_hosts(urls, progress))


def compute_centroids(
    log: QueryLog, groups: list[Int64s], domains: ClickedDomains, progress: Progress
) -> GroupLists:
    """The list of every group of user codes, in blocks of some 2¹⁸ rows; raises `Cancelled`."""
    sizes = np.diff(log.user_starts)
    rows = np.array([int(sizes[group].sum()) for group in groups], dtype=np.int64)
    parts: list[GroupLists] = []
    first, progress_rows = 0, 0
    progress.stage("merging queries", int(rows.sum()))
    while first < len(groups):
        total = np.cumsum(rows[first:])
        last = first + max(1, int(np.searchsorted(total, _ROWS, side="right")))
        parts.append(_build_block(log, groups[first:last], domains))
        progress_rows += int(rows[first:last].sum())
        progress.update(progress_rows)
        first = last
    ends = [np.zeros(1, dtype=np.int64)]
    for part in parts:
        ends.append(part.starts[1:] + ends[-1][-1])
    none = np.zeros(0, dtype=np.int64)

    def join_parts(name: str) -> Int64s:
        return np.concatenate([none, *(getattr(part, name) for part in parts)])

    columns = ("query", "copies", "time", "rank", "host", "depth")
    return GroupLists(np.concatenate(ends), *(join_parts(name) for name in columns))


def centroid_probes(
    log: QueryLog, space: UserSpace, lists: GroupLists, domains: ClickedDomains
) -> list[DistanceProbe]:
    """Centroids as the distance wants them; `space` is of users of `log`, or of some of them."""
    low, high = int(log.time.min()), int(log.time.max())
    ranks = log.rank[log.rank != NONE]
    best, worst = (int(ranks.min()), int(ranks.max())) if len(ranks) else (0, 0)
    sizes = np.diff(log.user_starts)
    few, many = int(sizes.min()), int(sizes.max())
    found = []
    for group in range(len(lists.starts) - 1):
        part = slice(int(lists.starts[group]), int(lists.starts[group + 1]))
        host, depth = lists.host[part], lists.depth[part].astype(np.int32)
        labels = np.full((len(host), domains.labels.shape[1]), NONE, dtype=np.int32)
        there = host != NONE
        labels[there] = domains.labels[host[there]]
        labels[np.arange(labels.shape[1]) >= depth[:, None]] = NONE
        rank = lists.rank[part]
        found.append(
            DistanceProbe(
                query=np.searchsorted(space.queries, lists.query[part]),
                time=((lists.time[part] - low) / max(high - low, 1)).astype(np.float32),
                labels=labels,
                depth=depth,
                rank=np.where(rank == NONE, -1.0, (rank - best) / max(worst - best, 1)).astype(
                    np.float32
                ),
                count=(int(lists.copies[part].sum()) - few) / max(many - few, 1),
            )
        )
    return found


def apportion_total(total: Int64s, weight: Int64s, starts: Int64s) -> Int64s:
    """Split ``total[i]`` over segment i in proportion to its weights, by largest remainder.

    Segment i is ``starts[i]:starts[i + 1]`` and weighs more than 0. Of equal remainders those at
    even distances over the segment win. Whole numbers throughout; shape of `weight`.
    """
    sizes = np.diff(starts)
    of = np.repeat(np.arange(len(sizes)), sizes)
    whole = np.add.reduceat(weight, starts[:-1])
    share = weight * total[of]
    count, rest = share // whole[of], share % whole[of]
    missing = total - np.add.reduceat(count, starts[:-1])
    order = np.lexsort((-rest, of))
    ranked = rest[order]
    last = np.maximum(missing, 1) - 1 + starts[:-1]
    bar = ranked[last]
    over = rest > bar[of]
    open_ = np.where(missing > 0, missing - np.add.reduceat(over.astype(np.int64), starts[:-1]), 0)
    tied = rest == bar[of]
    ties = np.add.reduceat(tied.astype(np.int64), starts[:-1])
    seen = np.cumsum(tied)
    place = seen - 1 - (seen[starts[:-1]] - tied[starts[:-1]])[of]
    width = np.maximum(ties, 1)[of]
    even = (place + 1) * open_[of] // width > place * open_[of] // width
    parts: Int64s = count + ((over | (tied & even)) & (missing[of] > 0))
    return parts


@dataclass(frozen=True, eq=False)
class GroupQueries:
    """What each user issued how often, once for any grouping.

    Attributes
    ----------
    starts
        User u has the strings ``starts[u]:starts[u + 1]``, in the order they first asked them.
    query, often
        Query code and number of rows of each string; shape (strings,).
    rows
        Rows of each user; shape (users,).
    width
        Queries of the log.
    """

    starts: Int64s
    query: Int64s
    often: Int64s
    rows: Int64s
    width: int

    @classmethod
    def of(cls, log: QueryLog) -> GroupQueries:
        """The strings of all users of a log; O(n log n)."""
        order = np.lexsort((log.query, log.user))
        user, query = log.user[order].astype(np.int64), log.query[order].astype(np.int64)
        first = np.flatnonzero(_find_changes(user, query)) if len(log) else order
        often = np.diff(np.append(first, len(log)))
        early = np.minimum.reduceat(order, first) if len(log) else order
        by = np.lexsort((early, user[first]))
        strings = np.bincount(user[first], minlength=len(log.users))
        starts = np.concatenate(([0], np.cumsum(strings)))
        rows = np.diff(log.user_starts)
        return cls(starts, query[first][by], often[by], rows, len(log.queries))


@dataclass(frozen=True, eq=False)
class CentroidEvents:
    """Which strings g groups keep, and how often; entries by group, then by query code.

    Attributes
    ----------
    owner
        Position of each entry's group; shape (entries,).
    query, copies
        Query codes of the log, and how often each stands in the list, at least once.
    """

    owner: Int64s
    query: Int64s
    copies: Int64s


def choose_strings(asked: GroupQueries, groups: list[Int64s]) -> CentroidEvents:
    """The strings of every group's list without their times, ranks and URLs.

    O(strings), and O(m log m) for the m that are chosen.
    """
    members, group_starts, give = _apportion_lengths(asked.rows, groups)
    strings = np.diff(asked.starts)[members]
    at = expand_ranges(asked.starts[members], strings)
    picked = apportion_total(give, asked.often[at], np.concatenate(([0], np.cumsum(strings))))
    home = np.repeat(np.arange(len(groups)), np.diff(group_starts))
    kept = np.flatnonzero(picked)
    keys = np.repeat(home, strings)[kept] * asked.width + asked.query[at[kept]]
    order = np.argsort(keys, kind="stable")
    keys, picked = keys[order], picked[kept][order]
    first = np.flatnonzero(np.diff(keys, prepend=-1))
    copies = np.add.reduceat(picked, first) if len(first) else picked
    return CentroidEvents(keys[first] // asked.width, keys[first] % asked.width, copies)


def _apportion_lengths(rows: Int64s, groups: list[Int64s]) -> tuple[Int64s, Int64s, Int64s]:
    """Members, where each group's begin, and how many events of the list each member gives."""
    members = np.concatenate(groups)
    sizes = np.array([len(group) for group in groups], dtype=np.int64)
    starts = np.concatenate(([0], np.cumsum(sizes)))
    events = rows[members]
    whole = np.add.reduceat(events, starts[:-1])
    return members, starts, apportion_total((2 * whole + sizes) // (2 * sizes), events, starts)


def _build_block(log: QueryLog, groups: list[Int64s], domains: ClickedDomains) -> GroupLists:
    owner, string, copies, ordered, start = _count_group_strings(log, groups)
    kept = copies > 0
    time, rank = _average_segments(log, ordered, start)
    host, depth = _find_common_hosts(domains, log.url[ordered], start)
    counts = np.bincount(owner[kept], minlength=len(groups))
    return GroupLists(
        np.concatenate(([0], np.cumsum(counts))),
        string[kept], copies[kept], time[kept], rank[kept], host[kept], depth[kept],
    )  # fmt: skip


def _count_group_strings(
    log: QueryLog, groups: list[Int64s]
) -> tuple[Int64s, Int64s, Int64s, Int64s, Int64s]:
    """Distinct (group, query) pairs, and how often each stands in the group's list.

    Returns group and query of each pair, its copies (0 for what is not chosen), the rows by pair,
    and where each pair's rows begin among them.
    """
    members, group_starts, give = _apportion_lengths(np.diff(log.user_starts), groups)
    group_sizes = np.diff(group_starts)
    events = np.diff(log.user_starts)[members]
    rows = expand_ranges(log.user_starts[members], events)
    member = np.repeat(np.arange(len(members)), events)
    group = np.repeat(np.repeat(np.arange(len(groups)), group_sizes), events)

    query = log.query[rows].astype(np.int64)
    order = np.lexsort((query, member))
    fresh = _find_changes(member[order], query[order])
    first = np.flatnonzero(fresh)
    often = np.diff(np.append(first, len(rows)))
    early = np.minimum.reduceat(order, first)  # rows are in order of time
    asked = np.lexsort((early, member[order][first]))
    mine, what, often = member[order][first][asked], query[order][first][asked], often[asked]
    strings = np.bincount(mine, minlength=len(members))
    picked = apportion_total(give, often, np.concatenate(([0], np.cumsum(strings))))

    both = np.lexsort((query, group))
    start = np.flatnonzero(_find_changes(group[both], query[both]))
    owner, string = group[both][start], query[both][start]
    width = len(log.queries)
    keys = owner * width + string
    home = np.repeat(np.arange(len(groups)), group_sizes)[mine]
    at = np.searchsorted(keys, home * width + what)
    copies = np.bincount(at, picked, minlength=len(keys)).astype(np.int64)
    return owner, string, copies, rows[both], start


def _find_changes(first: Int64s, second: Int64s) -> Bools:
    changed = (first[1:] != first[:-1]) | (second[1:] != second[:-1])
    return np.concatenate(([True], changed))


def _average_segments(log: QueryLog, rows: Int64s, start: Int64s) -> tuple[Int64s, Int64s]:
    """Mean time of each segment, and mean of the ranks that are there."""
    sizes = np.diff(np.append(start, len(rows)))
    time = log.time[rows]
    base = time[start]
    late = np.add.reduceat(time - np.repeat(base, sizes), start)
    rank = log.rank[rows].astype(np.int64)
    ranked = rank != NONE
    known = np.add.reduceat(ranked.astype(np.int64), start)
    total = np.add.reduceat(np.where(ranked, rank, 0), start)
    mean = (2 * total + known) // np.maximum(2 * known, 1)
    return base + (2 * late + sizes) // (2 * sizes), np.where(known > 0, mean, NONE)


def _find_common_hosts(
    domains: ClickedDomains, url: Int32s, start: Int64s
) -> tuple[Int64s, Int64s]:
    """A host of each segment, and how many labels from the right all its hosts share."""
    if not len(domains.depth):
        return np.full(len(start), NONE), np.zeros(len(start), dtype=np.int64)
    host = np.where(url == NONE, NONE, domains.of_url[url])
    sizes = np.diff(np.append(start, len(url)))
    first = np.maximum.reduceat(host, start)
    there = host != NONE
    mine, other = host[there], np.repeat(first, sizes)[there]
    same = (domains.labels[mine] == domains.labels[other]) & (domains.labels[mine] != NONE)
    depth = np.full(len(url), domains.labels.shape[1], dtype=np.int64)
    depth[there] = np.logical_and.accumulate(same, axis=1).sum(axis=1)
    shared = np.where(first == NONE, 0, np.minimum.reduceat(depth, start))
    return np.where(shared > 0, first, NONE), shared
