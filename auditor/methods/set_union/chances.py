"""How likely each query is found, without a run.

The first round's weights follow from the log. What later rounds give a query depends on which of
its users' other queries are still open; its weight there is taken to be the mean over that, and the
query itself to be open, which it has to be in order to be found. So nothing is drawn: the chance
of a query that is seldom left open by a screening is as exact as that of any other.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from auditor.arrays import Float32s, Float64s, Int64s, expand_ranges
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.model import QueryLog
from auditor.methods.noisy_counts.histograms import (
    ContributionLimits,
    CountingUnit,
    LimitedCounts,
    limit_users,
    user_blocks,
)
from auditor.methods.set_union.adaptive_weights import BLOCK_ROWS, weigh_evenly
from auditor.methods.set_union.rounds import SetUnionParams, derive_noise
from auditor.privacy import gaussian
from auditor.progress import Progress

if TYPE_CHECKING:
    from types import ModuleType

    from auditor.methods.set_union.kernels import LimitedHistories

FAR = 9.0
"""Standard deviations below a threshold at which a query is taken never to pass."""


@dataclass(frozen=True, eq=False)
class UnionWeights:
    """The limited histories of a log, and what all users evenly give each query at first.

    Both depend on the limit alone: whoever tries many settings counts them once.
    """

    limited: LimitedCounts
    first: Int64s

    @classmethod
    def of(
        cls, log: QueryLog, limited: LimitedCounts, most: int, progress: Progress
    ) -> UnionWeights:
        """Weigh the queries of limited histories; O(rows)."""
        blank = log.queries.find_blank().astype(
            np.uint8
        )  # a missing value gets no weight, as in a run
        return cls(limited, weigh_evenly(log, limited, most, blank, progress))


def find_chances(
    log: QueryLog,
    params: SetUnionParams,
    scale: float,
    progress: Progress,
    grow: Callable[[Float64s], Float64s] | None = None,
    weights: UnionWeights | None = None,
) -> tuple[Float64s, Float64s]:
    """About how likely each query is found in a log of `scale` times the users, and its users here.

    Both of shape (queries,); users are within the limit. O(rows) for each round after the first,
    and for weights that are passed on.
    `grow` says how many users queries of so many have there; usually c become 1 + s(c − 1).
    `weights` are those of this log at this limit, where they are known.
    """
    if weights is None:
        limits = ContributionLimits(CountingUnit.USERS, params.q_f, 1)
        limited = limit_users(log, limits, progress)
        weights = UnionWeights.of(log, limited, params.q_f, progress)
    limited = weights.limited
    users = limited.query_count.astype(np.float64)
    whole = np.where(users > 0, 1 + scale * (users - 1), 0.0) if grow is None else grow(users)
    grown = np.divide(whole, users, out=np.zeros_like(users), where=users > 0)
    histories = _load_kernels().LimitedHistories(log.query, log.user_starts, limited.stops)
    blocks = functools.partial(user_blocks, log, "weighing queries", progress, BLOCK_ROWS)
    spread = _ExpectedSpread(histories, len(log.queries), blocks)
    return _chances_by_round(params, weights.first, users, grown, scale, spread), users


@dataclass(frozen=True, eq=False)
class UnionExcerpt:
    """The limited histories of all users of some queries, and what the whole log gives at first.

    Codes are those of the excerpt; the wanted queries come first, in their own order. The chance of
    each of these is that of the whole log for up to two rounds, and about that for more: what
    strangers give the other queries after the first round is not known here.
    """

    histories: LimitedHistories
    first: Int64s
    users: Float64s
    wanted: int

    @classmethod
    def of(cls, log: QueryLog, weights: UnionWeights, codes: Int64s) -> UnionExcerpt:
        """Keep the users of the queries of these distinct codes; O(rows)."""
        limited = weights.limited
        starts = log.user_starts[:-1]
        place = np.full(len(log.queries), -1, dtype=np.int32)
        place[codes] = np.arange(len(codes), dtype=np.int32)
        rows = np.flatnonzero(place[log.query] >= 0)
        owner = log.user[rows]
        users = sorted_distinct(owner[rows < limited.stops[owner]])
        sizes = limited.stops[users] - starts[users]
        ends = np.cumsum(sizes)
        query = log.query[expand_ranges(starts[users], sizes)]
        others = sorted_distinct(query[place[query] < 0])
        every = np.concatenate([np.asarray(codes, dtype=np.int64), others.astype(np.int64)])
        place[every] = np.arange(len(every), dtype=np.int32)
        histories = _load_kernels().LimitedHistories(place[query], ends - sizes, ends)
        count = limited.query_count[every].astype(np.float64)
        return cls(histories, weights.first[every], count, len(codes))

    def find_chances(self, params: SetUnionParams) -> Float64s:
        """About how likely each of the wanted queries is found; shape (wanted,)."""
        everyone = (0, len(self.histories.starts))
        spread = _ExpectedSpread(self.histories, len(self.users), lambda: [everyone])
        grown = (self.users > 0).astype(np.float64)
        found = _chances_by_round(params, self.first, self.users, grown, 1.0, spread)
        return found[: self.wanted]


def _chances_by_round(
    params: SetUnionParams,
    first: Int64s,
    users: Float64s,
    grown: Float64s,
    scale: float,
    spread: _ExpectedSpread,
) -> Float64s:
    """The chance that each query is found in any round, from what it is given in the first."""
    derived = derive_noise(params)
    still_open = (users > 0).astype(np.float32)  # none of a blank query, which gets no weight
    chance = np.zeros(len(users))
    for number, (sigma, threshold) in enumerate(zip(derived.sigma, derived.threshold, strict=True)):
        if number == 0:
            given = first.astype(np.float64)
            given *= derived.grid / gaussian.GRID
        else:
            given = spread.give(still_open)
            given *= derived.grid
        ceiling = derived.ceilings[number]
        if ceiling is not None:
            # The ceiling of a log of so many times the weight.
            above = given * scale - ceiling
            if above.max(initial=0.0) > 0:
                excess = np.maximum(above, 0) / np.maximum(given * scale, 1)
                passed = spread.give(still_open, excess.astype(np.float32))
                given *= 1 - excess
                given += passed * (derived.grid / (2 * params.q_f))
        total: Float64s = given * grown
        passes = _chance_to_pass(total, threshold, sigma)
        found = still_open * passes
        chance += found
        if number == 0 and derived.screen is not None:
            left = _chance_to_pass(total, derived.screen, sigma) - passes
            still_open = (still_open * np.maximum(left, 0.0)).astype(np.float32)
        else:
            still_open = (still_open - found).astype(np.float32)
    return np.minimum(chance, 1.0)


@dataclass(frozen=True, eq=False)
class _ExpectedSpread:
    """What users are expected to give their open queries; `blocks` cuts the users in parts."""

    histories: LimitedHistories
    queries: int
    blocks: Callable[[], Iterable[tuple[int, int]]]

    def give(self, still_open: Float32s, excess: Float32s | None = None) -> Float64s:
        """What each query is given if it is open, or gets back of an `excess`.

        Shape (queries,); a user whose only open query it is gives 1.
        """
        kernels = _load_kernels()
        total = np.zeros(self.queries)
        mark = np.full(self.queries, -1, dtype=np.int32)
        worth = np.zeros(0, dtype=np.float32) if excess is None else excess
        for first, last in self.blocks():
            kernels.spread_expected_weights(
                self.histories, first, last, still_open, worth, mark, total
            )
        return total


def _load_kernels() -> ModuleType:
    """The kernels, which take a moment to load."""
    from auditor.methods.set_union import kernels

    return kernels


def _chance_to_pass(total: Float64s, threshold: float, sigma: float) -> Float64s:
    from scipy.special import ndtr

    passes = np.zeros(len(total))
    near = np.flatnonzero((total > 0) & (total > threshold - FAR * sigma))
    passes[near] = ndtr((total[near] - threshold) / sigma)
    return passes


def planted_union_chances(params: SetUnionParams, users: Float64s) -> Float64s:
    """How likely a query is found by the number of users who issued it and nothing else.

    Each of them gives it all of their weight as long as it is open. What they gave above a ceiling
    they get back, and have no other query to give it to.
    """
    derived = derive_noise(params)
    total = users * float(gaussian.item_weights(1, derived.grid)[1])
    found = np.zeros(len(users))
    still_open = np.ones(len(users))
    for number, (sigma, threshold) in enumerate(zip(derived.sigma, derived.threshold, strict=True)):
        weight, ceiling = total, derived.ceilings[number]
        if ceiling is not None:
            above = np.maximum(total - ceiling, 0.0)
            weight = total - above + above / (2 * params.q_f)
        passes = _chance_to_pass(weight, threshold, sigma)
        found += still_open * passes
        if number == 0 and derived.screen is not None:
            left = _chance_to_pass(weight, derived.screen, sigma) - passes
            still_open *= np.maximum(left, 0.0)
        else:
            still_open *= 1 - passes
    return found
