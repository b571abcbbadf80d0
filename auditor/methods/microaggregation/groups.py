"""Groups for microaggregation: the parameters, what a run will cost, and who is with whom.

The exact search compares all pairs of users (see `auditor.log.user_distance.distance`), O(n²) for n
events. The blocked one compares users of one block of b only, and of a user at most
`MOST_COMPARED` events: O(n · b · events of a user).

MDAV: groups of k to 2k − 1 records by distance (Algorithm 1 of the source).

While 3k records are left: the record r farthest from the centre of all gets its k − 1 nearest;
the record s farthest from r gets its k − 1 nearest. If 2k are left, once more around the
farthest from the centre. The rest is one group. Of equal distances the lower number wins.

O(n²) in all for n records, and O(n) memory beside the distances.

Blocks of users that are likely near each other, so that only pairs within a block are compared.

The distance between users obeys the triangle inequality but for what normalised edits lack of
it. So two users whose distances to some pivot differ by x are x apart at least: users whose
distances to a few pivots are alike are candidates for one group, others can't be. Users are
split halfway along the pivot that spreads them most, until a block is small enough.

What that loses can't be more than by how much users of a group are farther apart than from those
nearest to them of all, which a few users tell.

O(pivots · n) for the distances to pivots and O(users · log users) for the splits; O(probed · n)
for what is lost.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from auditor import platform
from auditor.arrays import Array, Float32s, Int64s
from auditor.errors import MissingInput, ParameterError
from auditor.log.model import QueryLog
from auditor.log.sentences import sentence
from auditor.log.user_distance.centroid import centroid_probes, compute_centroids
from auditor.log.user_distance.distance import UserDistance, all_distances, kept_distances
from auditor.log.user_distance.features import ClickedDomains, DistanceWeights, UserSpace, space_of
from auditor.methods.base import check_group_size
from auditor.params import Params
from auditor.progress import Progress, SilentProgress, run_in_threads

PIVOTS = 8
PROBED = 16
"""Users whose distances to all others tell what the groups lose."""
MOST_EVENTS = 6_000
"""Events above which a block is split further, if it has room for that."""
_LONGEST = 200  # events of a pivot: a busier one costs more and separates no better


def pivot_distances(distance: UserDistance, progress: Progress) -> Float32s:
    """Distances of all users to `PIVOTS` of them, of low to high activity; (users, pivots)."""
    sizes = np.diff(distance.space.starts)
    order = np.argsort(sizes, kind="stable")
    least = int(sizes.min()) if len(sizes) else 0
    order = order[sizes[order] <= max(_LONGEST, least)]
    places = np.unique(np.linspace(0, len(order) - 1, min(PIVOTS, len(order))).round())
    pivots = [distance.make_probe(int(order[int(place)])) for place in places]
    return distance.to_all(pivots, progress, "looking for similar users").T


def blocks_of(
    pivot_distance: Float32s, size: int, k: int = 1, events: Int64s | None = None
) -> list[Int64s]:
    """Blocks of at most `size` positions, ascending within, and as even as may be.

    All but one hold a multiple of `k` users, so that groups of exactly k use a block up: a
    remainder would make its last group larger, and that costs more likeness than small blocks do.
    With the users' `events`, blocks of busy users are smaller, down to 4k users, since comparing
    grows with the square of the events.
    """
    block_limit = max(size // k, 1) * k
    done: list[Int64s] = []
    open_ = [np.arange(len(pivot_distance))]
    while open_:
        block = open_.pop()
        parts = -(-len(block) // block_limit)
        if events is not None:
            busy = -(-int(events[block].sum()) // MOST_EVENTS)
            parts = max(parts, min(busy, len(block) // (4 * k)))
        if parts <= 1:
            done.append(np.sort(block))
            continue
        part = pivot_distance[block]
        axis = int(np.argmax(part.var(axis=0)))
        order = np.argsort(part[:, axis], kind="stable")
        middle = parts // 2 * -(-len(block) // (parts * k)) * k
        open_ += [block[order[middle:]], block[order[:middle]]]
    return done


def measure_excess(space: UserDistance, groups: list[Int64s], k: int, progress: Progress) -> float:
    """By which share users of a group are farther apart than any groups of k or more could be.

    Nobody can have k − 1 others nearer than the k − 1 nearest of all, so it is the most that these
    groups can lose against the best ones: no search, the exact one neither, reaches 0. Estimated
    from `PROBED` users, evenly taken from the least to the most active.
    """
    users = len(space.space.users)
    order = np.argsort(np.diff(space.space.starts), kind="stable")
    places = np.unique(np.linspace(0, users - 1, min(PROBED, users)).round().astype(np.int64))
    probed = order[places]
    group_of = number_groups(groups, users)
    probes = [space.make_probe(int(user)) for user in probed]
    spread = space.to_all(probes, progress, "measuring what the search lost")
    spread[np.arange(len(probed)), probed] = 0.0
    distance = float(
        sum(spread[row, groups[group_of[user]]].sum() for row, user in enumerate(probed.tolist()))
    )
    least = float(np.partition(spread, min(k, users) - 1, axis=1)[:, :k].sum())  # oneself included
    return max(0.0, distance / least - 1.0) if least > 0 else 0.0


def number_groups(groups: list[Int64s], users: int) -> Int64s:
    """The group of each user; shape (users,)."""
    number = np.empty(users, dtype=np.int64)
    sizes = [len(members) for members in groups]
    number[np.concatenate(groups)] = np.repeat(np.arange(len(groups)), sizes)
    return number


Farthest = Callable[[Int64s], int]


def group_by_mdav(
    distances: Float32s, k: int, progress: Progress, *, farthest: Farthest | None = None
) -> list[Int64s]:
    """Groups of ascending positions; every record is in one.

    `distances`: symmetric distances; shape (n, n). `k`: least size of a group; with n < 2k there is
    one group of all. `farthest`: position of the record farthest from the centre of those that are
    left. By default the one that is farthest from all of them on average. Raises `Cancelled`.
    """
    ungrouped = np.arange(len(distances))
    groups: list[Int64s] = []
    total = np.zeros(len(distances))
    for first in range(0, len(distances), 512):
        progress.check()
        total += distances[first : first + 512].sum(axis=0, dtype=np.float64)
    progress.stage("grouping users", len(distances))

    def find_farthest() -> int:
        if farthest is not None:
            return farthest(ungrouped)
        return int(ungrouped[np.argmax(total[ungrouped])])

    def take_group(record: int) -> None:
        nonlocal ungrouped
        record_distance = distances[record, ungrouped]
        record_distance[ungrouped == record] = -1
        nearest = nearest_positions(record_distance, k)
        group = ungrouped[nearest]
        groups.append(group)
        np.subtract(total, distances[group].sum(axis=0, dtype=np.float64), out=total)
        keep = np.ones(len(ungrouped), dtype=np.bool_)
        keep[nearest] = False
        ungrouped = ungrouped[keep]
        progress.advance(len(group))

    while len(ungrouped) >= 3 * k:
        around = find_farthest()
        take_group(around)
        take_group(int(ungrouped[np.argmax(distances[around, ungrouped])]))
    if len(ungrouped) >= 2 * k:
        take_group(find_farthest())
    if len(ungrouped):
        groups.append(ungrouped)
        progress.advance(len(ungrouped))
    return groups


def nearest_positions(distance: Float32s, k: int) -> Int64s:
    """Ascending positions of the k least distances; of equal ones the first. O(n)."""
    if k >= len(distance):
        return np.arange(len(distance))
    limit = np.partition(distance, k - 1)[k - 1]
    close = np.flatnonzero(distance < limit)
    tied = np.flatnonzero(distance == limit)
    return np.sort(np.concatenate((close, tied[: k - len(close)])))


def within_group_distance(distances: Float32s, groups: list[Int64s]) -> float:
    """Sum over groups of the distances between each two of their records."""
    return sum(float(distances[np.ix_(g, g)].sum(dtype=np.float64)) / 2 for g in groups)


EXACT_USERS, EXACT_WORK = 2_000, 250_000_000
"""Up to so many users, and users times rows, "auto" compares all pairs: about a minute."""
MOST_EXACT = 30_000
"""Above it, all pairs need more than 3.6 GB for the distances alone."""
EVENT_USER = 4e-7
"""Core-seconds for an event to find its nearest of another user, all pairs; a 2.8 GHz Xeon."""
WORD_PAIR = 8e-9
"""Core-seconds for the distance of two words."""
BLOCK_POWER, BLOCK_RATE, BLOCK_EACH = 1.5, 1e-6, 2e-3
"""A block of e events takes ``BLOCK_EACH + BLOCK_RATE · e ** BLOCK_POWER`` core-seconds."""
THIN_POWER, MOST_THIN = 1.2, 8.0
"""Events taken from so many times as many have more different words, and take longer by a power."""
MOST_COMPARED = 500
"""Events of one user that the blocked search compares: a robot's millions would take days."""
ROW = 1.5e-5
"""Core-seconds a row that coding, looking for blocks, merging and verifying take."""


@dataclass(frozen=True, kw_only=True)
class MicroaggregationParams(Params, owner="microaggregation"):
    """Size of the groups, how they are looked for, and what makes users similar."""

    k: int = 3
    search: str = "auto"
    block: int = 60
    centre: str = "distance"
    formula: str = "corrected"
    w_time: float = 1.0
    w_rank: float = 1.0
    w_url: float = 1.0
    w_text: float = 3.0
    w_length: float = 1.0
    w_words: float = 2.0
    w_count: float = 1.0
    w_queries: float = 1.0
    times: str = "exact"

    def check(self) -> None:
        """Refuse weights that leave nothing to compare."""
        pairs = {
            "w_text": self.w_time + self.w_rank + self.w_url + self.w_text,
            "w_words": self.w_length + self.w_words,
            "w_queries": self.w_count + self.w_queries,
        }
        for name, total in pairs.items():
            if total <= 0:
                raise ParameterError(
                    name,
                    sentence(
                        "microaggregation.parameter_weights_beside_give",
                        name=name,
                        owner=self.owner,
                    ),
                )

    def make_weights(self) -> DistanceWeights:
        """The weights of the distance, after the formula chosen."""
        length, words = self.w_length, self.w_words
        if self.formula == "printed":
            length, words = words, length
        return DistanceWeights(
            time=self.w_time,
            rank=self.w_rank,
            url=self.w_url,
            text=self.w_text,
            length=length,
            words=words,
            count=self.w_count,
            queries=self.w_queries,
        )

    def compares_all_pairs(self, users: int, rows: int) -> bool:
        """Whether all pairs are compared in a log of so many users and rows."""
        if self.search == "auto":
            return users <= EXACT_USERS and users * rows <= EXACT_WORK
        return self.search == "exact"

    def block_size(self) -> int:
        """Users in a block, so that each half of one still holds two groups."""
        return max(self.block, 4 * self.k)


@dataclass(frozen=True)
class GroupingCost:
    """What a run will take: distances, seconds on this machine's cores, bytes."""

    pairs: float
    seconds: float
    memory: float


def estimate_cost(
    log: QueryLog, params: MicroaggregationParams, scale: float = 1.0
) -> GroupingCost:
    """Estimate of a run on a log `scale` times as large, from measured costs on like logs.

    Users of a block are alike in activity, so that its events follow from the users' in order.
    """
    users, events = len(log.users) * scale, len(log) * scale
    texts = min(1.0, len(log.queries) / max(len(log), 1)) * events
    active = np.sort(np.diff(log.user_starts))
    work = ROW * events
    if params.compares_all_pairs(round(users), round(events)) or users <= params.block_size():
        block_users, words = users, min(texts, 32_768)
        work += EVENT_USER * events * users + WORD_PAIR * texts * texts
    else:
        block_users = min(users, params.block_size())
        begins = np.arange(0, len(active), params.block_size())
        compared = np.minimum(active, MOST_COMPARED)
        load, total = (np.add.reduceat(values, begins) for values in (compared, active))
        smallest = max(params.block_size() // (4 * params.k), 1)
        parts = np.clip(load // MOST_EVENTS, 1, smallest)
        work += scale * float((parts * _block_work(load / parts, total / parts)).sum())
        load = load / parts
        words = min(float(load.max(initial=0)), 32_768)
    memory = 4 * block_users * block_users + words * words + 150 * events
    return GroupingCost(users * block_users / 2, work / platform.count_usable_cores(), memory)


def _block_work(compared: Array, total: Array) -> Array:
    """Core-seconds of blocks that compare so many events of so many."""
    thin = np.minimum(total / np.maximum(compared, 1), MOST_THIN) ** THIN_POWER
    work: Array = BLOCK_EACH + BLOCK_RATE * compared**BLOCK_POWER * thin
    return work


class UserGrouping(NamedTuple):
    """Groups of user codes and the sum of `distance` within them."""

    groups: list[Int64s]
    distance: float
    # What that is above the least possible at most, see `measure_excess`; None for all pairs.
    excess: float | None = None


def find_groups(log: QueryLog, params: MicroaggregationParams, progress: Progress) -> UserGrouping:
    """Who is with whom, and how far users of a group are apart; raises `Cancelled`.

    Raises `ParameterError`: the log has fewer than k users; `MissingInput`: it has too many for the
    exact search.
    """
    users = len(log.users)
    if not users:  # all rows had a blank query: nothing is left, and nobody to group
        return UserGrouping([], 0.0)
    check_group_size(params.k, users)
    weights, exact = params.make_weights(), params.compares_all_pairs(users, len(log))
    if exact and users > MOST_EXACT:
        raise MissingInput(
            sentence(
                "microaggregation.exact_search_users_needs",
                users=users,
                users_2=4 * users**2 / 1000000000.0,
                most_exact=MOST_EXACT,
            )
        )
    needs_space = not exact or params.centre == "aggregate" or kept_distances(log, weights) is None
    space = space_of(log, progress) if needs_space else None
    if exact:
        distances = all_distances(log, weights, progress, space=space)
        farthest = _make_farthest(log, space, params, progress)
        groups = group_by_mdav(distances, params.k, progress, farthest=farthest)
        return UserGrouping(groups, within_group_distance(distances, groups))
    assert space is not None
    space = space.thin_events(MOST_COMPARED)
    metric = UserDistance(space, weights, progress, table_bytes=0)
    pivots = pivot_distances(metric, progress)
    blocks = blocks_of(pivots, params.block_size(), params.k, np.diff(space.starts))
    groups, distance = _by_block(log, space, params, blocks, progress)
    return UserGrouping(groups, distance, measure_excess(metric, groups, params.k, progress))


def _by_block(
    log: QueryLog,
    space: UserSpace,
    params: MicroaggregationParams,
    blocks: list[Int64s],
    progress: Progress,
) -> tuple[list[Int64s], float]:
    """Groups within each block; a block is one core's work."""
    results: list[list[Int64s]] = [[] for _ in blocks]
    group_distance = np.zeros(len(blocks))
    block_progress = SilentProgress(progress)

    def group_block(number: int) -> None:
        block_progress.check()
        block = blocks[number]
        part = space.select_users(block)
        distances = UserDistance(
            part, params.make_weights(), block_progress, threads=1
        ).compute_pairs(block_progress, threads=1)
        farthest = _make_farthest(log, part, params, block_progress)
        groups = group_by_mdav(distances, params.k, block_progress, farthest=farthest)
        group_distance[number] = within_group_distance(distances, groups)
        results[number] = [block[group] for group in groups]

    compared, total = np.diff(space.starts), np.diff(log.user_starts)
    parts = np.array([(compared[block].sum(), total[block].sum()) for block in blocks])
    units = [round(1e6 * work) for work in _block_work(parts[:, 0], parts[:, 1])]
    run_in_threads("comparing users", units, lambda: group_block, progress)
    return [group for groups in results for group in groups], float(group_distance.sum())


def _make_farthest(
    log: QueryLog, space: UserSpace | None, params: MicroaggregationParams, progress: Progress
) -> Farthest | None:
    """The published choice of the record farthest from all: by the centroid of what is left."""
    if params.centre != "aggregate":
        return None
    assert space is not None
    domains = ClickedDomains.of(log.urls, progress)
    distance = UserDistance(space, params.make_weights(), progress)
    user_space = space

    def find_farthest(ungrouped: Int64s) -> int:
        lists = compute_centroids(log, [user_space.users[ungrouped]], domains, progress)
        centroid_distance = distance.to_all(
            centroid_probes(log, user_space, lists, domains), progress
        )[0]
        return int(ungrouped[np.argmax(centroid_distance[ungrouped])])

    return find_farthest
