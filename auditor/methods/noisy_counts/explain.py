"""Explaining a thresholded noisy count, of any method with a counting plan."""

import functools
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from auditor.errors import AuditorError
from auditor.figures import Figure, MetricValue, PlotMark, Series, format_power
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import NONE
from auditor.log.sentences import sentence
from auditor.messages import as_phrase, phrase
from auditor.methods.explanation.explanation import (
    Explanation,
    ExplanationRequest,
    QueryOccurrences,
    TurningPoint,
    find_occurrences,
    find_turning_points,
)
from auditor.methods.noisy_counts import discrete_laplace
from auditor.methods.noisy_counts.counting_plan import CountingMethod, CountingPlan
from auditor.methods.noisy_counts.histograms import unit_counts
from auditor.methods.noisy_counts.query_pool import chance_of_holding
from auditor.progress import Progress

describe_metric = MetricCatalogue("methods", "noisy_counts")

DENSE = 3_000
"""Values of a limit on users that are looked at one by one, at most, in each direction."""


@dataclass(frozen=True)
class ExplainedCount:
    """A query's noisy count under one setting."""

    # count, users: what limiting the users leaves of it, in `unit`, and how many users that comes
    # from
    count: int
    users: int
    # scale, least: scale of the discrete Laplace that decides, and the release threshold
    scale: float
    least: int
    unit: str = "users"
    # The chance that a query with no count stands among those that get noise all the same.
    stands_in: float = 0.0
    dropped: str = ""  # why it has no count although users issued it, in words

    @property
    def chance(self) -> float:
        """Of being released: P[count + X ≥ least], exactly."""
        passes = float(
            discrete_laplace.chance_of_passing(np.array([self.count]), self.scale, self.least)[0]
        )
        return passes if self.count else self.stands_in * passes


def explain_count(
    method: CountingMethod, request: ExplanationRequest, params: Any, progress: Progress
) -> Explanation:
    """Where a query stands between its count and the threshold; O(rows of those who issued it).

    With a τ that drops rare queries before users are limited also one pass over the log.
    """
    plan = method.plan(params)
    unit = plan.limits.unit
    pooled, notes = 0.0, list[str]()
    try:
        pool = plan.load_pool(progress) if plan.load_pool is not None else None
        pooled = chance_of_holding(pool, request.text) if pool is not None else 0.0
    except AuditorError:
        notes = ["The pool's file can't be read here, so decoys are left out of account."]
    units = unit_counts(request.log, unit, progress) if plan.limits.tau > 1 else None
    total = int(units[request.code]) if units is not None and len(request.rows) else 0

    @functools.cache
    def find_for_tau(tau: int) -> QueryOccurrences:
        rare = (units < tau).view(np.uint8) if units is not None else None
        return find_occurrences(request, unit, progress, rare)

    def explain_under(other: Any) -> ExplainedCount:
        other_plan = method.plan(other)
        occurrences = find_for_tau(other_plan.limits.tau)
        return _explain_under_plan(other_plan, occurrences, total, pooled)

    explained = explain_under(params)
    limit, symbol, limit_value = method.limit, method.threshold, getattr(params, method.limit)
    values = _list_values(explained, limit, limit_value, symbol)
    if units is not None:
        values.append(describe_metric("units", float(total), unit=unit.value))
    solved = getattr(params, "K", None) is None
    turns: tuple[TurningPoint, ...] = ()
    if len(request.rows) or explained.stands_in:
        turns = find_turning_points(
            params,
            lambda other: explain_under(other).chance,
            method.list_turning(params),
            present_values={"K": explained.least},
            # A threshold that is solved changes with the limit, and the chance may turn twice.
            dense={limit: min(find_for_tau(plan.limits.tau).last, DENSE) if solved else 0},
            peaks={"tau": total},
            progress=progress,
        )
    return Explanation(
        outcome=_describe_outcome(
            request, explained, f"{symbol} = {explained.least:,}", limit_value
        ),
        chance=explained.chance,
        values=tuple(values),
        turns=turns,
        figures=(chance_figure(explained, symbol),)
        if explained.count or explained.stands_in
        else (),
        notes=tuple(notes),
    )


def _explain_under_plan(
    plan: CountingPlan, occurrences: QueryOccurrences, total: int, stands_in: float
) -> ExplainedCount:
    """The noisy count of a query of so many units in the whole log, 0 where nobody counted them."""
    limits, fewest = plan.limits, plan.fewest or 1
    count, dropped = occurrences.count_within(limits.q_f), ""
    if 0 < total < limits.tau:
        dropped = phrase("is rarer than τ = {tau:,}", tau=limits.tau)
    elif 0 < count < fewest:
        count, dropped = 0, phrase("is below the first threshold τ = {tau:,}", tau=fewest)
    return ExplainedCount(
        count=count,
        users=occurrences.users_within(limits.q_f),
        scale=plan.queries.scale,
        least=plan.threshold,
        unit=limits.unit.value,
        stands_in=stands_in,
        dropped=dropped,
    )


def _list_values(
    explained: ExplainedCount, limit: str, limit_value: int, symbol: str
) -> list[MetricValue]:
    """The limited count and its users, the threshold by its `symbol`, and the noise."""
    return [
        MetricValue(
            "limited",
            phrase("count within each user's first {limit:,}", limit=limit_value),
            float(explained.count),
            explained.unit,
            help=sentence(
                "noisy_counts.left_count_when_histories", limit=limit, limit_2=limit_value
            ),
        ),
        describe_metric("limited_users", float(explained.users)),
        describe_metric("threshold", float(explained.least), unit=explained.unit, threshold=symbol),
        describe_metric("scale", explained.scale, unit=explained.unit),
    ]


def _describe_outcome(
    request: ExplanationRequest, explained: ExplainedCount, needs: str, limit: int
) -> str:
    if explained.count:
        return sentence(
            "noisy_counts.counts_within_user_first",
            count=explained.count,
            limit=limit,
            scale=explained.scale,
            needs=needs,
            chance=as_phrase(in_words(explained.chance)),
        )
    if explained.stands_in:
        absence = "Nobody in this log issued it" if request.code == NONE else "It has no count here"
        return phrase(
            ("{whose}, but the pool holds it: noise alone lifts it to {needs}, and it {chance}.")
            if explained.stands_in == 1
            else (
                "{whose}, but the pool may hold it: noise alone lifts it to {needs}, and "
                "it {chance}."
            ),
            whose=as_phrase(absence),
            needs=needs,
            chance=as_phrase(in_words(explained.chance)),
        )
    if request.code == NONE:
        return "Nobody in this log issued it, so it can't be released."
    if explained.dropped:
        return phrase(
            "It {dropped}, so it is not counted and can't be released.",
            dropped=as_phrase(explained.dropped),
        )
    return sentence("noisy_counts.user_issued_among_first", limit=limit)


def in_words(chance: float) -> str:
    """A chance as the end of a sentence."""
    if chance <= 0:
        return "is never released"
    if chance < 1e-3:
        power = as_phrase(format_power(chance))
        return phrase("is released with a probability of {chance}", chance=power)
    if chance > 1 - 1e-4:
        return "is almost certainly released"
    return phrase("is released with a probability of {chance:.3g} %", chance=100 * chance)


def chance_figure(explained: ExplainedCount, threshold: str) -> Figure:
    """The chance of being released over the count, with this query's count marked."""
    distance = abs(explained.count - explained.least)
    reach = max(6 * explained.scale, 1.3 * distance, 5.0)
    low, high = max(0.0, math.floor(explained.least - reach)), math.ceil(explained.least + reach)
    grid = np.unique(np.linspace(low, max(high, explained.count + 1), 160).round())
    passes = discrete_laplace.chance_of_passing(grid, explained.scale, explained.least)
    return describe_metric.figure(
        "explained",
        (Series("chance", grid, passes),),
        marks=(
            PlotMark(
                "x",
                float(explained.count),
                phrase("this query: {count:,}", count=explained.count),
                "current",
            ),
            PlotMark("x", float(explained.least), f"{threshold} = {explained.least:,}", "limit"),
        ),
        named="chance",
    )
