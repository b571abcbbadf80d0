"""Explaining a thresholded noisy count: what SafeLog, Korolova et al. and ZEALOUS share."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from auditor.figures import Figure, MetricValue, PlotMark, Series
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import NONE
from auditor.log.sentences import sentence
from auditor.messages import as_phrase, phrase
from auditor.methods.explanation.explanation import (
    Explanation,
    ExplanationRequest,
    QueryOccurrences,
    find_turning_points,
)
from auditor.methods.noisy_counts import discrete_laplace
from auditor.methods.noisy_counts.counting_plan import CountingPlan
from auditor.params import Params
from auditor.progress import Progress

describe_metric = MetricCatalogue("methods", "noisy_counts")

DENSE = 3_000
"""Values of a limit on users that are looked at one by one, at most, in each direction."""


@dataclass(frozen=True)
class ExplainedCount:
    """A query's noisy count under one setting.

    Attributes
    ----------
    count, users
        What limiting the users leaves of it, in `unit`, and how many users that comes from.
    scale, least
        Scale of the discrete Laplace that decides, and the release threshold.
    stands_in
        The chance that a query with no count stands among those that get noise all the same.
    dropped
        Why it has no count although users issued it, in words.
    """

    count: int
    users: int
    scale: float
    least: int
    unit: str = "users"
    stands_in: float = 0.0
    dropped: str = ""

    @property
    def chance(self) -> float:
        """Of being released: P[count + X ≥ least], exactly."""
        passes = float(
            discrete_laplace.chance_of_passing(np.array([self.count]), self.scale, self.least)[0]
        )
        return passes if self.count else self.stands_in * passes


def count_under_plan(plan: CountingPlan, occurrences: QueryOccurrences) -> ExplainedCount:
    """A query's noisy count, by how its users are limited and what noise it gets."""
    limits, rule = plan.limits, plan.queries
    assert rule.least is not None
    count = occurrences.count_within(limits.q_f)
    rare = 0 < count < (plan.fewest or 1)
    return ExplainedCount(
        count=0 if rare else count,
        users=occurrences.users_within(limits.q_f),
        scale=rule.scale,
        least=rule.least,
        unit=limits.unit.value,
        dropped=phrase("is below the first threshold τ = {tau:,}", tau=plan.fewest) if rare else "",
    )


def by_threshold(
    request: ExplanationRequest,
    params: Params,
    under: Callable[[Any], ExplainedCount],
    progress: Progress,
    *,
    limit: str,
    threshold: str,
    names: tuple[str, ...],
    values: tuple[MetricValue, ...] = (),
    notes: tuple[str, ...] = (),
    **solving: Any,
) -> Explanation:
    """The explanation of a method that releases what reaches a threshold with noise.

    ``under(params)`` is the query's count under a setting. Costs as many calls of it as solving
    takes, some hundred. `limit` is the parameter that limits users, `threshold` a symbol; `names`
    and what else is given are for `find_turning_points`.
    """
    explained = under(params)
    unit, most = explained.unit, getattr(params, limit)
    solvable = len(request.rows) or explained.stands_in
    return Explanation(
        outcome=_describe_outcome(request, explained, f"{threshold} = {explained.least:,}", most),
        chance=explained.chance,
        values=(
            MetricValue(
                "limited",
                phrase("count within each user's first {limit:,}", limit=most),
                float(explained.count),
                unit,
                help=sentence("noisy_counts.left_count_when_histories", limit=limit, limit_2=most),
            ),
            describe_metric("limited_users", float(explained.users)),
            describe_metric("threshold", float(explained.least), unit=unit, threshold=threshold),
            describe_metric("scale", explained.scale, unit=unit),
            *values,
        ),
        turns=find_turning_points(
            params, lambda other: under(other).chance, names, progress=progress, **solving
        )
        if solvable
        else (),
        figures=(chance_figure(explained, threshold),)
        if explained.count or explained.stands_in
        else (),
        notes=notes,
    )


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
        whose = "Nobody in this log issued it" if request.code == NONE else "It has no count here"
        return phrase(
            ("{whose}, but the pool holds it: noise alone lifts it to {needs}, and it {chance}.")
            if explained.stands_in == 1
            else (
                "{whose}, but the pool may hold it: noise alone lifts it to {needs}, and "
                "it {chance}."
            ),
            whose=as_phrase(whose),
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
        return phrase("is released with a probability of {chance:.2g}", chance=chance)
    if chance > 1 - 1e-4:
        return "is almost certainly released"
    return phrase("is released with a probability of {chance:.3g} %", chance=100 * chance)


def chance_figure(explained: ExplainedCount, threshold: str) -> Figure:
    """The chance of being released over the count, with this query's count marked."""
    apart = abs(explained.count - explained.least)
    reach = max(6 * explained.scale, 1.3 * apart, 5.0)
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
        private=True,
    )
