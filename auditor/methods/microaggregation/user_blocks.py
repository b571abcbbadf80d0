"""Blocks of users that are likely near each other, so that only pairs within a block are compared.

The distance between users obeys the triangle inequality but for what normalised edits lack of
it. So two users whose distances to some pivot differ by x are x apart at least: users whose
distances to a few pivots are alike are candidates for one group, others can't be. Users are
split halfway along the pivot that spreads them most, until a block is small enough.

What that loses can't be more than by how much users of a group are farther apart than from those
nearest to them of all, which a few users tell.

O(pivots · n) for the distances to pivots and O(users · log users) for the splits; O(probed · n)
for what is lost.
"""

from __future__ import annotations

import numpy as np

from auditor.arrays import Float32s, Int64s
from auditor.log.user_distance.distance import UserDistance
from auditor.progress import Progress

PIVOTS = 8
PROBED = 16
"""Users whose distances to all others tell what the groups lose."""
MOST_EVENTS = 6_000
"""Events above which a block is split further, if it has room for that."""
_LONGEST = 200  # events of a pivot: a busier one costs more and separates no better


def pivot_distances(apart: UserDistance, progress: Progress) -> Float32s:
    """Distances of all users to `PIVOTS` of them, of low to high activity; (users, pivots)."""
    sizes = np.diff(apart.space.starts)
    order = np.argsort(sizes, kind="stable")
    least = int(sizes.min()) if len(sizes) else 0
    order = order[sizes[order] <= max(_LONGEST, least)]
    places = np.unique(np.linspace(0, len(order) - 1, min(PIVOTS, len(order))).round())
    chosen = [apart.make_probe(int(order[int(place)])) for place in places]
    return apart.to_all(chosen, progress, "looking for similar users").T


def blocks_of(far: Float32s, size: int, k: int = 1, events: Int64s | None = None) -> list[Int64s]:
    """Blocks of at most `size` positions, ascending within, and as even as may be.

    All but one hold a multiple of `k` users, so that groups of exactly k use a block up: a
    remainder would make its last group larger, and that costs more likeness than small blocks do.
    With the users' `events`, blocks of busy users are smaller, down to 4k users, since comparing
    grows with the square of the events.
    """
    most = max(size // k, 1) * k
    done: list[Int64s] = []
    open_ = [np.arange(len(far))]
    while open_:
        block = open_.pop()
        parts = -(-len(block) // most)
        if events is not None:
            busy = -(-int(events[block].sum()) // MOST_EVENTS)
            parts = max(parts, min(busy, len(block) // (4 * k)))
        if parts <= 1:
            done.append(np.sort(block))
            continue
        part = far[block]
        axis = int(np.argmax(part.var(axis=0)))
        order = np.argsort(part[:, axis], kind="stable")
        middle = parts // 2 * -(-len(block) // (parts * k)) * k
        open_ += [block[order[middle:]], block[order[:middle]]]
    return done


def measure_excess(apart: UserDistance, groups: list[Int64s], k: int, progress: Progress) -> float:
    """By which share users of a group are farther apart than any groups of k or more could be.

    Nobody can have k − 1 others nearer than the k − 1 nearest of all, so it is the most that these
    groups can lose against the best ones: no search, the exact one neither, reaches 0. Estimated
    from `PROBED` users, evenly taken from the least to the most active.
    """
    users = len(apart.space.users)
    order = np.argsort(np.diff(apart.space.starts), kind="stable")
    places = np.unique(np.linspace(0, users - 1, min(PROBED, users)).round().astype(np.int64))
    probed = order[places]
    group_of = np.empty(users, dtype=np.int64)
    group_of[np.concatenate(groups)] = np.repeat(np.arange(len(groups)), [len(g) for g in groups])
    probes = [apart.make_probe(int(user)) for user in probed]
    far = apart.to_all(probes, progress, "measuring what the search lost")
    far[np.arange(len(probed)), probed] = 0.0
    held = float(
        sum(far[row, groups[group_of[user]]].sum() for row, user in enumerate(probed.tolist()))
    )
    least = float(np.partition(far, min(k, users) - 1, axis=1)[:, :k].sum())  # oneself included
    return max(0.0, held / least - 1.0) if least > 0 else 0.0
