"""Blocks of users that are likely near each other, so that only pairs within a block are compared.

The distance between users obeys the triangle inequality but for what normalised edits lack of
it. So two users whose distances to some pivot differ by x are x apart at least: users whose
distances to a few pivots are alike are candidates for one group, others can't be. Users are
split halfway along the pivot that spreads them most, until a block is small enough.

O(pivots · n) for the distances to pivots and O(users · log users) for the splits.
"""

from __future__ import annotations

import numpy as np

from auditor.arrays import Float32s, Int64s
from auditor.log.user_distance.distance import UserDistance
from auditor.log.user_distance.features import DistanceWeights, UserSpace
from auditor.progress import Progress

PIVOTS = 8
MOST_EVENTS = 6_000
"""Events above which a block is split further, if it has room for that."""
_LONGEST = 200  # events of a pivot: a busier one costs more and separates no better


def pivot_distances(space: UserSpace, weights: DistanceWeights, progress: Progress) -> Float32s:
    """Distances of all users to `PIVOTS` of them, of low to high activity; (users, pivots)."""
    sizes = np.diff(space.starts)
    order = np.argsort(sizes, kind="stable")
    least = int(sizes.min()) if len(sizes) else 0
    order = order[sizes[order] <= max(_LONGEST, least)]
    places = np.unique(np.linspace(0, len(order) - 1, min(PIVOTS, len(order))).round())
    apart = UserDistance(space, weights, progress)
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
