"""What a candidate is expected to come to, alike for every method: statement, queries, searches.

The searches are those that the verdict counts: all of the log's whose query is released, within a
user's limit or not. Methods say that share each in their own way; here it is Σ searches·P over
all queries, P the chance that the query is released. From a sample of users, a query of c sampled
users is taken for one of 1 + s(c − 1), as the methods' own expectations do.
"""

from __future__ import annotations

import functools
import threading
import weakref
from dataclasses import dataclass

import numpy as np

from auditor.arrays import Float64s
from auditor.log.model import QueryLog
from auditor.methods.korolova import KorolovaParams
from auditor.methods.korolova import least_count as korolova_threshold
from auditor.methods.noisy_counts import discrete_laplace
from auditor.methods.noisy_counts.expectations import extrapolate_counts
from auditor.methods.noisy_counts.histograms import (
    ContributionLimits,
    CountingUnit,
    limit_users,
)
from auditor.methods.noisy_counts.period_units import HISTORY, privacy_unit
from auditor.methods.partition_selection import PartitionSelectionParams
from auditor.methods.registry import METHODS
from auditor.methods.safelog import strict
from auditor.methods.safelog.params import SafeLogParams
from auditor.methods.set_union.rounds import SetUnionParams, find_chances
from auditor.methods.zealous import ZealousParams
from auditor.methods.zealous import derive_bounds as zealous_bounds
from auditor.params import Params
from auditor.privacy import truncated_geometric
from auditor.privacy.statement import Statement
from auditor.progress import Progress, silent_progress
from auditor.release.kept_content import KeptContent


@dataclass(frozen=True, eq=False)
class LogPart:
    """Whole users of a log, and how many users of the whole each stands for.

    With `seed`, the whole doesn't exist yet: how many users queries will have is drawn (see
    `growing_counts`), and not what a sample's counts most likely stand for.
    """

    log: QueryLog
    scale: float
    seed: int | None = None

    @classmethod
    def of(cls, log: QueryLog, users: int, seed: int) -> LogPart:
        """So many random users of a log, or all of them."""
        everyone = max(len(log.users), 1)
        if users >= everyone:
            return cls(log, 1.0)
        return cls(log.sample_users(users, seed), everyone / users)

    @property
    def users(self) -> int:
        """Users of the whole."""
        return round(len(self.log.users) * self.scale)


@dataclass(frozen=True)
class CandidateEstimate:
    """Distinct queries and share of the searches that are expected to be released."""

    queries: float
    share: float

    @property
    def figures(self) -> dict[str, float]:
        """By the names of goals."""
        return {"queries": self.queries, "volume": self.share}


@dataclass(frozen=True)
class NoisyThreshold:
    """The noise scale, the least noisy count that is released, and the limit per user."""

    scale: float
    least: float
    limit: int


def threshold_of(params: Params) -> NoisyThreshold | None:
    """How a method that compares noisy numbers of users with a threshold is set.

    None where it counts days, weeks or months of users: numbers of users say little of these.
    """
    if privacy_unit(params) != HISTORY:
        return None
    if isinstance(params, ZealousParams):
        derived = zealous_bounds(params)
        return NoisyThreshold(derived.scale, derived.least, params.m)
    if isinstance(params, KorolovaParams) and params.unit == "users":
        return NoisyThreshold(params.b, korolova_threshold(params), params.q_f)
    if isinstance(params, SafeLogParams) and params.mode == "strict":
        return NoisyThreshold(params.b, strict.strict_budget(params).K, params.q_f)
    return None


def estimate_content(
    method: str, params: Params, part: LogPart, progress: Progress
) -> CandidateEstimate | None:
    """What is expected of a whole log of which `part` is a sample; None where only a run tells."""
    if isinstance(params, SetUnionParams) and privacy_unit(params) == HISTORY:
        grow = None if part.seed is None else functools.partial(draw_growth, part=part)
        chance, users = find_chances(part.log, params, part.scale, progress, grow)
    elif (threshold := threshold_of(params)) is not None:
        users = _limited(part.log, threshold.limit, progress)
        whole, _ = _whole_counts(users, part)
        passes = discrete_laplace.chance_of_passing(whole, threshold.scale, threshold.least)
        chance = np.where(users > 0, passes, 0.0)
    elif isinstance(params, PartitionSelectionParams) and params.unit == HISTORY:
        users = _limited(part.log, params.q_f, progress)
        users = np.where(part.log.queries.blank(), 0.0, users)
        whole, _ = _whole_counts(users, part)
        law = truncated_geometric.noise_for(params.epsilon, params.delta, params.q_f)
        chance = np.where(users > 0, law.chance(np.maximum(whole - (params.k - 1), 0.0)), 0.0)
    else:
        return _by_outlook(method, params, part, progress)
    _, stands = _whole_counts(users, part)
    events = _searches(part.log)
    queries = float(np.sum(chance * stands * (users > 0)))
    return CandidateEstimate(queries, float(np.sum(chance * events)) / max(events.sum(), 1.0))


def _whole_counts(users: Float64s, part: LogPart) -> tuple[Float64s, Float64s]:
    """Users of each query in the whole, and how many queries it stands for."""
    if part.seed is None:
        return extrapolate_counts(np.maximum(users, 1.0), part.scale)
    return draw_growth(users, part), np.ones(len(users))


def draw_growth(users: Float64s, part: LogPart) -> Float64s:
    """How many users each query may have once the log has `scale` times its users.

    Numbers of users of queries follow a power law, of density λ^(−1−α): who was issued by c of
    these users is issued by a negative binomial number of further ones, of mean (s − 1)(c − α).
    α is estimated from the queries of one and of two users, N₁/(N₁ + 2·N₂). Queries that nobody
    issued yet are left out: they seldom become frequent before the others do.
    """
    once, twice = int(np.count_nonzero(users == 1)), int(np.count_nonzero(users == 2))
    discount = min(once / max(once + 2 * twice, 1), 0.99)
    rng = np.random.default_rng(part.seed)
    there = users > 0
    whole = np.zeros(len(users))
    more = rng.negative_binomial(users[there] - discount, 1 / part.scale) if part.scale > 1 else 0
    whole[there] = users[there] + more
    return whole


def _by_outlook(
    method: str, params: Params, part: LogPart, progress: Progress
) -> CandidateEstimate | None:
    outlook = METHODS[method].outlook
    if outlook is None:
        return None
    found = outlook(part.log, params, scale=part.scale, progress=progress)
    known = {value.name: value.value for value in found.values}
    if "expected.queries" not in known or "expected.volume" not in known:
        return None
    return CandidateEstimate(known["expected.queries"], known["expected.volume"])


def expected_content(estimate: CandidateEstimate, part: LogPart) -> KeptContent:
    """The estimate as a verdict has it."""
    searches = round(float(_searches(part.log).sum()) * part.scale)
    return KeptContent(
        queries=int(estimate.queries),
        log_queries=len(part.log.queries) if part.scale == 1 else None,
        searches=estimate.share * searches,
        log_searches=searches,
    )


def expect_statement(method: str, params: Params, users: int) -> Statement | None:
    """What a release will claim for a log of so many users, where no log is needed to know.

    Only for methods with ε: what others claim depends on the log.
    """
    look = METHODS[method].outlook
    if look is None:
        return None
    few = few_users()
    scale = max(users, 1) / len(few.users)
    return look(few, params, scale=scale, progress=silent_progress()).statement


@functools.cache
def few_users() -> QueryLog:
    """A made-up log of a few users, in whose place a statement is made."""
    from auditor.log.synthetic.generator import synthesize

    return synthesize(40, days=2, seed=0).log


class _SampleCountCache:
    """Numbers of users and searches of each query, of logs that are still alive somewhere."""

    MOST = 16

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._by_log: weakref.WeakKeyDictionary[QueryLog, dict[int, Float64s]]
        self._by_log = weakref.WeakKeyDictionary()

    def get(self, log: QueryLog, limit: int) -> Float64s | None:
        with self._lock:
            return self._by_log.setdefault(log, {}).get(limit)

    def put(self, log: QueryLog, limit: int, counts: Float64s) -> None:
        with self._lock:
            mine = self._by_log.setdefault(log, {})
            mine[limit] = counts
            while len(mine) > self.MOST:
                mine.pop(next(iter(mine)))


_kept = _SampleCountCache()


def _limited(log: QueryLog, limit: int, progress: Progress) -> Float64s:
    """Users of each query within a limit of distinct queries per user; shape (queries,)."""
    found = _kept.get(log, limit)
    if found is None:
        limits = ContributionLimits(CountingUnit.USERS, limit, 1)
        found = limit_users(log, limits, progress).query_count.astype(np.float64)
        _kept.put(log, limit, found)
    return found


def _searches(log: QueryLog) -> Float64s:
    """Searches of each query, blank ones left out; shape (queries,)."""
    found = _kept.get(log, 0)
    if found is None:
        counted = np.bincount(log.query[log.event_starts], minlength=len(log.queries))
        found = np.where(log.queries.blank(), 0, counted).astype(np.float64)
        _kept.put(log, 0, found)
    return found
