"""What a candidate is expected to come to, alike for every method: statement, queries, searches.

What depends on the limit per user alone is counted once for each limit and remembered, so that
another ε or δ costs a sum over distinct counts.

The searches are those that the verdict counts: all of the log's whose query is released, within a
user's limit or not: Σ searches·P over all queries, P the chance that the query is released. From a
sample of users, a query of c sampled users is taken for one of 1 + s(c − 1), as the methods' own
expectations do.

Gates on what can be read in a release follow from the same chances: they count flagged sessions of
which an identifying query, or clicked address, stands in the release, and which these are follows
from the log alone. Chances of different queries are independent, as the noise of each is.
"""

from __future__ import annotations

import dataclasses
import functools
import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from auditor.arrays import Array, Bools, Float64s, Int64s
from auditor.attacks.detection.detector import rule_names
from auditor.attacks.detection.marked_strings import mark_identifying
from auditor.attacks.risk import reasons as why
from auditor.attacks.risk.clicked_identifiers import ClickedIdentifiers, find_clicked_identifiers
from auditor.attacks.risk.session_scoring import SessionScores, clicked_kinds, score_log
from auditor.attacks.surviving_content.attack import SurvivingContentParams, rules_of
from auditor.engine.suppressed_content import expect_suppression
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.lifetime_cache import LifetimeCache
from auditor.log.model import QueryLog
from auditor.methods.noisy_counts.expectations import extrapolate_counts
from auditor.methods.noisy_counts.grouped_queries import NO_GROUPS, group_column
from auditor.methods.noisy_counts.histograms import (
    ContributionLimits,
    CountingUnit,
    LimitedCounts,
    PairCounts,
    click_pairs,
    limit_users,
)
from auditor.methods.noisy_counts.period_units import HISTORY, privacy_unit
from auditor.methods.registry import METHODS
from auditor.methods.setting_families import ClickLaw, PassingLaw, WeightLaw
from auditor.methods.suppression import NAMES, NOTHING, suppression_level
from auditor.params import Params
from auditor.privacy.statement import Statement
from auditor.progress import Progress, run_cancellable, silent_progress
from auditor.release.gates import is_on_content
from auditor.release.kept_content import KeptContent
from auditor.release.policy.policy import Gate, Policy

DRAWS = 300
"""Drawn releases from which a gate that allows some sessions is judged."""
_SEED = 5
_LOW_BITS = 0xFFFFFFFF


@dataclass(frozen=True, eq=False)
class HiddenQueries:
    """The queries and addresses that a gate wants kept back: identifying ones of flagged sessions.

    `queries` and `addresses` are codes of the log. Strings are the queries and, behind them, the
    addresses: session ``session[i]`` is counted if string ``place[i]`` is released.
    """

    gate: Gate
    queries: Int64s
    session: Int64s
    place: Int64s
    addresses: Int64s = field(default_factory=lambda: np.zeros(0, dtype=np.int64))

    def pass_chance(self, chance: Float64s) -> float:
        """How likely a release passes the gate."""
        gate_limit = self.gate.most or 0.0
        if gate_limit < 1:
            with np.errstate(divide="ignore"):
                return float(np.exp(np.log1p(-np.minimum(chance, 1.0)).sum()))
        likely = chance[self.place] > 1e-9
        session, place = self.session[likely], self.place[likely]
        rng = np.random.default_rng(_SEED)
        counts = [
            len(sorted_distinct(session[(rng.random(len(chance)) < chance)[place]]))
            for _ in range(DRAWS)
        ]
        # Where all draws pass, one more is taken to fail, so that the margin counts.
        from scipy.special import ndtr

        middle, off = float(np.mean(counts)), float(np.std(counts)) + 1e-9
        return float(ndtr((gate_limit + 0.5 - middle) / off))


def predicted_gates(policy: Policy) -> tuple[Gate, ...]:
    """The gates of a policy that `find_hidden` can speak of."""
    return tuple(filter(is_on_content, policy.checks))


def find_hidden(log: QueryLog, policy: Policy, progress: Progress) -> tuple[HiddenQueries, ...]:
    """What each such gate wants kept back; O(rows + bytes of queries)."""
    gates = predicted_gates(policy)
    if not gates:
        return ()
    run_cancellable(rule_names, progress)
    rules = rules_of(SurvivingContentParams())
    scores = score_log(log, None, None, rules, progress)
    clicked = find_clicked_identifiers(log, None, clicked_kinds(rules), rules.non_star, progress)
    return tuple(_hidden_of(log, scores, clicked, gate) for gate in gates)


def _hidden_of(
    log: QueryLog, scores: SessionScores, clicked: ClickedIdentifiers, gate: Gate
) -> HiddenQueries:
    reasons = gate.reasons or why.LABELS
    mask = sum(1 << bit for bit, label in enumerate(why.LABELS) if label in reasons)
    reason = scores.session_rows.reason.astype(np.uint64)
    flagged = np.flatnonzero(scores.flagged & ((reason & np.uint64(mask)) != 0))
    sizes = (scores.session_rows.stop - scores.session_rows.start)[flagged].astype(np.int64)
    session = np.repeat(np.arange(len(flagged)), sizes)
    row_in_session = np.arange(int(sizes.sum())) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    row = scores.session_rows.start[flagged][session] + row_in_session
    query = log.query[row].astype(np.int64)
    identifying = np.uint64(why.IDENTIFYING)
    has = (reason[flagged] & identifying) != 0
    counts = np.where(has, identifying, ~np.uint64(0))[session]
    keep = (scores.bits[query] & counts) != 0
    pairs = (session[keep] << 32) | query[keep]
    if len(clicked):
        place = clicked.find_rows(log, 0)[row]
        hits = np.flatnonzero(place >= 0)
        hits = hits[(clicked.bits[place[hits]] & counts[hits]) != 0]
        pairs = np.append(pairs, (session[hits] << 32) | (len(log.queries) + place[hits]))
    pairs = sorted_distinct(pairs)
    strings, place = np.unique(pairs & _LOW_BITS, return_inverse=True)
    first = int(np.searchsorted(strings, len(log.queries)))
    return HiddenQueries(
        gate,
        strings[:first],
        pairs >> 32,
        place.astype(np.int64),
        clicked.url[strings[first:] - len(log.queries)],
    )


MISSES = 2_000
"""Of so many releases about one may fail what is calculated before a run, by bad luck.

Twenty releases of a suggestion then pass, all of them, in 99 of 100 cases.
"""
SAFE = 1 - 1 / MISSES
"""The least chance with which a setting that is to be run passes what can be calculated."""
UNLUCKY = 3.0
"""So many standard deviations fewer than expected are hardly ever released."""


@dataclass(frozen=True, eq=False)
class LogPart:
    """Whole users of a log, and how many users of the whole each stands for.

    `hidden` are the queries that gates want kept back, of whole logs only. Of a log that is
    `made_up` in the place of another one, shares count and no numbers.
    """

    log: QueryLog
    scale: float
    hidden: tuple[HiddenQueries, ...] = ()
    made_up: bool = False

    @classmethod
    def of(cls, log: QueryLog, users: int, seed: int) -> LogPart:
        """So many random users of a log, or all of them."""
        everyone = max(len(log.users), 1)
        if users >= everyone:
            return cls(log, 1.0)
        return cls(log.sample_users(users, seed), everyone / users)

    @property
    def users(self) -> int:
        return round(len(self.log.users) * self.scale)


@dataclass(frozen=True)
class CandidateEstimate:
    """Distinct queries and share of the searches that are expected to be released.

    `off` is how far the number of queries is off on average (one standard deviation); `safe` is the
    chance that nothing is released that gates want kept back, NaN where that is not known.
    """

    queries: float
    share: float
    off: float = math.nan
    safe: float = math.nan

    @property
    def hides(self) -> bool:
        """Whether what gates want kept back stays back, as far as that is known."""
        return math.isnan(self.safe) or self.safe >= SAFE

    @property
    def least_queries(self) -> float:
        """Queries that are released even with bad luck: `UNLUCKY` standard deviations fewer."""
        return self.queries - (0.0 if math.isnan(self.off) else UNLUCKY * self.off)

    @property
    def figures(self) -> dict[str, float]:
        return {"queries": self.queries, "volume": self.share}


def law_of(params: Params) -> PassingLaw | None:
    """What a setting's noise lets pass; None where numbers of users alone don't tell."""
    law = METHODS[params.owner].law
    return law(params) if law is not None and _counts_users(params) else None


def weight_law_of(params: Params) -> WeightLaw | None:
    """The same where users share a weight among their queries."""
    law = METHODS[params.owner].weight_law
    return law(params) if law is not None and _counts_users(params) else None


def _counts_users(params: Params) -> bool:
    """Whether what has to be many is the users of a query, not their periods, nor by group."""
    return privacy_unit(params) == HISTORY and group_column(params) == NO_GROUPS


def estimate_content(
    method: str, params: Params, part: LogPart, progress: Progress
) -> CandidateEstimate | None:
    """What is expected of a whole log of which `part` is a sample; None where only a run tells."""
    log, suppressed = part.log, suppressed_queries(part.log, params, progress)
    law, clicks = law_of(params), None
    if (shared := weight_law_of(params)) is not None:
        weights = _weigh(log, shared, progress)
        chance, users = shared.chances(log, part.scale, progress, weights)
        chance = np.where(suppressed, 0.0, chance)
    elif law is not None:
        counts = np.where(suppressed, 0, _count_limited(log, law.limit, progress).query_count)
        users = counts.astype(np.float64)
        levels = np.maximum(np.arange(int(counts.max(initial=0)) + 1.0), 1)
        chance = law.chance(extrapolate_counts(levels, part.scale)[0])[counts]
        chance = np.where(counts > 0, chance, 0.0)
        if law.clicks is not None and suppression_level(params) == NOTHING:  # else as queries are
            clicks = functools.partial(
                _address_chances, log, law.limit, law.clicks, chance, progress=progress
            )
    else:
        outlook = METHODS[method].outlook
        if outlook is None:
            return None
        forecast = outlook(log, params, scale=part.scale, progress=progress)
        forecast = expect_suppression(forecast, log, params, progress)
        expected = {value.name: value.value for value in forecast.values}
        share = expected.get("expected.searches_share")
        if "expected.queries" not in expected or share is None:
            return None
        return CandidateEstimate(expected["expected.queries"], share)
    _, stands = extrapolate_counts(np.maximum(users, 1.0), part.scale)
    events = log.searches_by_query
    likely = np.flatnonzero((chance > 0) & (users > 0))
    chances, hidden_stands = chance[likely], chance[likely] * stands[likely]
    safe = 1.0 if part.hidden else math.nan  # gates are taken for independent of each other
    for group in part.hidden:
        clicked = np.zeros(len(group.addresses))
        if clicks is not None and len(group.addresses):
            clicked = clicks(group.addresses)
        safe *= group.pass_chance(np.append(chance[group.queries], clicked))
    return CandidateEstimate(
        queries=float(hidden_stands.sum()),
        share=float((chances * events[likely]).sum()) / max(float(events.sum()), 1.0),
        off=math.sqrt(float((hidden_stands * (1 - chances)).sum())),
        safe=safe,
    )


def _address_chances(
    log: QueryLog,
    limit: int,
    clicks: ClickLaw,
    chance: Float64s,
    addresses: Array,
    progress: Progress,
) -> Float64s:
    """How likely each address is released: with a query that is, as a click that passes, too.

    `chance` is that of each query; shape (queries,).
    """

    def count() -> PairCounts:
        limited = _count_limited(log, limit, progress)
        limited = dataclasses.replace(limited, limits=clicks.limits)
        return click_pairs(log, limited, np.arange(len(log.queries), dtype=np.int32), progress)

    pairs: PairCounts = _COUNTS.get(log, ("clicks" + str(clicks.limits.c_f), limit), count)
    positions = np.flatnonzero(np.isin(pairs.second, addresses))
    passing = clicks.chance(pairs.count[positions].astype(np.float64))
    both = np.minimum(chance[pairs.first[positions]] * passing, 1 - 1e-16)
    order = np.argsort(addresses)
    place = order[np.searchsorted(addresses, pairs.second[positions], sorter=order)]
    hidden = np.bincount(place, np.log1p(-both), minlength=len(addresses))
    chances: Float64s = -np.expm1(hidden)
    return chances


def planted_chances(params: Params, users: Float64s) -> Float64s | None:
    """How likely a query that only accounts with nothing else issued is released, by their number.

    Each of them counts for one, and gives it all of its weight; None where only a run tells.
    """
    if (shared := weight_law_of(params)) is not None:
        return shared.planted(users)
    law = law_of(params)
    return None if law is None else np.where(users > 0, law.chance(users), 0.0)


def expected_content(estimate: CandidateEstimate, part: LogPart) -> KeptContent:
    """The estimate as a verdict has it."""
    searches = round(float(part.log.searches_by_query.sum()) * part.scale)
    return KeptContent(
        queries=int(estimate.queries),
        log_queries=len(part.log.queries) if part.scale == 1 and not part.made_up else None,
        searches=estimate.share * searches,
        log_searches=searches,
    )


def expect_statement(method: str, params: Params, users: int) -> Statement | None:
    """What a release will claim for a log of so many users; None for methods without ε."""
    look = METHODS[method].outlook
    if look is None:
        return None
    small_log = few_users()
    scale = max(users, 1) / len(small_log.users)
    return look(small_log, params, scale=scale, progress=silent_progress()).statement


@functools.cache
def few_users() -> QueryLog:
    """A made-up log of a few users, in whose place a statement is made."""
    from auditor.log.synthetic.generator import synthesize_log

    return synthesize_log(40, days=2, seed=0).log


MOST_KEPT = 100
"""Counts of one log that are remembered."""
_COUNTS = LifetimeCache[QueryLog, Any](MOST_KEPT)
"""What was counted of a log before, by what it is and the limit."""


def suppressed_queries(log: QueryLog, params: Params, progress: Progress) -> Bools:
    """Queries that a setting leaves out for their text; shape (queries,)."""
    level = suppression_level(params)
    if level == NOTHING:
        return np.zeros(len(log.queries), dtype=np.bool_)
    return mark_identifying(log.queries, progress, names=level == NAMES)


def _count_limited(log: QueryLog, limit: int, progress: Progress) -> LimitedCounts:
    """Users of each query within a limit of distinct queries per user; shape (queries,)."""
    limits = ContributionLimits(CountingUnit.USERS, limit, 1)
    counts: LimitedCounts
    counts = _COUNTS.get(log, ("limited", limit), lambda: limit_users(log, limits, progress))
    return counts


def _weigh(log: QueryLog, law: WeightLaw, progress: Progress) -> Any:
    """What the users' weights give the queries of a log within a limit."""

    def weigh() -> Any:
        return law.weigh(log, _count_limited(log, law.limit, progress), progress)

    return _COUNTS.get(log, ("weights", law.limit), weigh)
