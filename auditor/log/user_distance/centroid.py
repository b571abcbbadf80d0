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

from auditor.arrays import Int32s, Int64s, expand_ranges, mark_run_starts
from auditor.log.model import NONE, QueryLog
from auditor.log.user_distance.distance import DistanceProbe
from auditor.log.user_distance.features import ClickedDomains, UserSpace, block_edges
from auditor.progress import Progress

_ROWS = 1 << 18


@dataclass(frozen=True, eq=False)
class GroupLists:
    """The centroids of g groups: group i has the entries ``starts[i]:starts[i + 1]``.

    Of each entry the query code, how many `copies` stand in the list, one at least, the mean `time`
    in seconds and mean `rank`, both rounded (−1 where no event has a rank), and a `host` code with
    the number of its labels from the right that are common (−1 and 0 for none).
    """

    starts: Int64s
    query: Int64s
    copies: Int64s
    time: Int64s
    rank: Int64s
    host: Int64s
    depth: Int64s


def compute_centroids(
    log: QueryLog, groups: list[Int64s], domains: ClickedDomains, progress: Progress
) -> GroupLists:
    """The list of every group of user codes, in blocks of some 2¹⁸ rows; raises `Cancelled`."""
    sizes = np.diff(log.user_starts)
    rows = block_edges(np.array([int(sizes[group].sum()) for group in groups]))
    parts = [
        _build_block(log, groups[first:last], domains)
        for first, last in progress.whole_blocks("merging queries", rows, _ROWS)
    ]
    none = np.zeros(0, dtype=np.int64)

    def join_parts(name: str) -> Int64s:
        return np.concatenate([none, *(getattr(part, name) for part in parts)])

    starts = block_edges(np.concatenate([none, *(np.diff(part.starts) for part in parts)]))
    columns = ("query", "copies", "time", "rank", "host", "depth")
    return GroupLists(starts, *(join_parts(name) for name in columns))


def centroid_probes(
    log: QueryLog, space: UserSpace, lists: GroupLists, domains: ClickedDomains
) -> list[DistanceProbe]:
    """Centroids as the distance wants them; `space` is of users of `log`, or of some of them."""
    low, high = int(log.time.min()), int(log.time.max())
    ranks = log.rank[log.rank != NONE]
    best, worst = (int(ranks.min()), int(ranks.max())) if len(ranks) else (0, 0)
    sizes = np.diff(log.user_starts)
    fewest, most_events = int(sizes.min()), int(sizes.max())
    probes = []
    for group in range(len(lists.starts) - 1):
        part = slice(int(lists.starts[group]), int(lists.starts[group + 1]))
        host, depth = lists.host[part], lists.depth[part].astype(np.int32)
        labels = np.full((len(host), domains.labels.shape[1]), NONE, dtype=np.int32)
        has_host = host != NONE
        labels[has_host] = domains.labels[host[has_host]]
        labels[np.arange(labels.shape[1]) >= depth[:, None]] = NONE
        rank = lists.rank[part]
        probes.append(
            DistanceProbe(
                query=np.searchsorted(space.queries, lists.query[part]),
                time=((lists.time[part] - low) / max(high - low, 1)).astype(np.float32),
                labels=labels,
                depth=depth,
                rank=np.where(rank == NONE, -1.0, (rank - best) / max(worst - best, 1)).astype(
                    np.float32
                ),
                size=(int(lists.copies[part].sum()) - fewest) / max(most_events - fewest, 1),
            )
        )
    return probes


def apportion_total(total: Int64s, weight: Int64s, starts: Int64s) -> Int64s:
    """Split ``total[i]`` over segment i in proportion to its weights, by largest remainder.

    Segment i is ``starts[i]:starts[i + 1]`` and weighs more than 0. Of equal remainders those at
    even distances over the segment win. Whole numbers throughout; shape of `weight`.
    """
    sizes = np.diff(starts)
    of = np.repeat(np.arange(len(sizes)), sizes)
    sums = np.add.reduceat(weight, starts[:-1])
    share = weight * total[of]
    count, remainder = share // sums[of], share % sums[of]
    missing = total - np.add.reduceat(count, starts[:-1])
    order = np.lexsort((-remainder, of))
    ranked = remainder[order]
    last = np.maximum(missing, 1) - 1 + starts[:-1]
    bar = ranked[last]
    is_above = remainder > bar[of]
    open_ = np.where(
        missing > 0, missing - np.add.reduceat(is_above.astype(np.int64), starts[:-1]), 0
    )
    tied = remainder == bar[of]
    ties = np.add.reduceat(tied.astype(np.int64), starts[:-1])
    tally = np.cumsum(tied)
    place = tally - 1 - (tally[starts[:-1]] - tied[starts[:-1]])[of]
    width = np.maximum(ties, 1)[of]
    even = (place + 1) * open_[of] // width > place * open_[of] // width
    parts: Int64s = count + ((is_above | (tied & even)) & (missing[of] > 0))
    return parts


@dataclass(frozen=True, eq=False)
class GroupQueries:
    """What each of some users issued how often, once for any grouping.

    User u has the strings ``starts[u]:starts[u + 1]`` of the codes `query`, in the order they first
    issued them, ``often[i]`` rows of each, and ``rows[u]`` in all; `width` is the log's queries.
    """

    starts: Int64s
    query: Int64s
    often: Int64s
    rows: Int64s
    width: int

    @classmethod
    def of(cls, log: QueryLog, users: Int64s | None = None) -> GroupQueries:
        """The strings of all users of a log, or of some; O(n log n) in their rows."""
        users = np.arange(len(log.users)) if users is None else users
        rows = np.diff(log.user_starts)[users]
        user = np.repeat(np.arange(len(users)), rows)
        query = log.query[expand_ranges(log.user_starts[users], rows)].astype(np.int64)
        order = np.lexsort((query, user))
        first = np.flatnonzero(mark_run_starts(user[order], query[order]))
        query_counts = np.diff(np.append(first, len(order)))
        first_row = np.minimum.reduceat(order, first) if len(first) else order
        owner, query = user[order[first]], query[order[first]]
        by = np.lexsort((first_row, owner))
        starts = block_edges(np.bincount(owner, minlength=len(users)))
        return cls(starts, query[by], query_counts[by], rows, len(log.queries))


@dataclass(frozen=True, eq=False)
class CentroidEvents:
    """Which strings g groups keep, and how often; entries by group (`owner`), then by query code.

    `copies` is how often each stands in the list, once at least.
    """

    owner: Int64s
    query: Int64s
    copies: Int64s


def choose_strings(queries: GroupQueries, groups: list[Int64s]) -> CentroidEvents:
    """The strings of every group's list without their times, ranks and URLs.

    O(strings), and O(m log m) for the m that are chosen.
    """
    members = np.concatenate(groups)
    sizes = np.array([len(group) for group in groups], dtype=np.int64)
    starts = block_edges(sizes)
    rows = queries.rows[members]
    sums = np.add.reduceat(rows, starts[:-1])
    give = apportion_total((2 * sums + sizes) // (2 * sizes), rows, starts)
    strings = np.diff(queries.starts)[members]
    entries = expand_ranges(queries.starts[members], strings)
    picked = apportion_total(give, queries.often[entries], block_edges(strings))
    home = np.repeat(np.arange(len(groups)), sizes)
    picked_places = np.flatnonzero(picked)
    keys = (
        np.repeat(home, strings)[picked_places] * queries.width
        + queries.query[entries[picked_places]]
    )
    order = np.argsort(keys, kind="stable")
    keys, picked = keys[order], picked[picked_places][order]
    first = np.flatnonzero(np.diff(keys, prepend=-1))
    copies = np.add.reduceat(picked, first) if len(first) else picked
    return CentroidEvents(keys[first] // queries.width, keys[first] % queries.width, copies)


def _build_block(log: QueryLog, groups: list[Int64s], domains: ClickedDomains) -> GroupLists:
    members, sizes = np.concatenate(groups), [len(group) for group in groups]
    places = np.split(np.arange(len(members)), np.cumsum(sizes)[:-1])
    chosen_strings = choose_strings(GroupQueries.of(log, members), places)
    # The rows of each string of a group, those of the strings that are not chosen left out.
    events = np.diff(log.user_starts)[members]
    rows = expand_ranges(log.user_starts[members], events)
    width = len(log.queries)
    keys = np.repeat(np.repeat(np.arange(len(groups)), sizes), events) * width + log.query[rows]
    targets = chosen_strings.owner * width + chosen_strings.query
    place = np.minimum(np.searchsorted(targets, keys), len(targets) - 1)
    matches = np.flatnonzero(targets[place] == keys)
    matches = matches[np.argsort(place[matches], kind="stable")]
    rows, start = rows[matches], np.searchsorted(place[matches], np.arange(len(targets)))
    time, rank = _average_segments(log, rows, start)
    host, depth = _find_common_hosts(domains, log.url[rows], start)
    starts = block_edges(np.bincount(chosen_strings.owner, minlength=len(groups)))
    return GroupLists(starts, chosen_strings.query, chosen_strings.copies, time, rank, host, depth)


def _average_segments(log: QueryLog, rows: Int64s, start: Int64s) -> tuple[Int64s, Int64s]:
    """Mean time of each segment, and mean of the ranks that are there."""
    sizes = np.diff(np.append(start, len(rows)))
    time = log.time[rows]
    base = time[start]
    delay = np.add.reduceat(time - np.repeat(base, sizes), start)
    rank = log.rank[rows].astype(np.int64)
    ranked = rank != NONE
    count = np.add.reduceat(ranked.astype(np.int64), start)
    total = np.add.reduceat(np.where(ranked, rank, 0), start)
    mean = (2 * total + count) // np.maximum(2 * count, 1)
    return base + (2 * delay + sizes) // (2 * sizes), np.where(count > 0, mean, NONE)


def _find_common_hosts(
    domains: ClickedDomains, url: Int32s, start: Int64s
) -> tuple[Int64s, Int64s]:
    """A host of each segment, and how many labels from the right all its hosts share."""
    if not len(domains.depth):
        return np.full(len(start), NONE), np.zeros(len(start), dtype=np.int64)
    host = np.where(url == NONE, NONE, domains.of_url[url])
    sizes = np.diff(np.append(start, len(url)))
    first = np.maximum.reduceat(host, start)
    has_host = host != NONE
    own_host, other = host[has_host], np.repeat(first, sizes)[has_host]
    is_same_label = (domains.labels[own_host] == domains.labels[other]) & (
        domains.labels[own_host] != NONE
    )
    depth = np.full(len(url), domains.labels.shape[1], dtype=np.int64)
    depth[has_host] = np.logical_and.accumulate(is_same_label, axis=1).sum(axis=1)
    shared = np.where(first == NONE, 0, np.minimum.reduceat(depth, start))
    return np.where(shared > 0, first, NONE), shared
