"""Explaining a thresholded noisy count: what SafeLog, Korolova et al. and ZEALOUS share."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from auditor.figures import SHARE, Axis, Figure, MetricValue, PlotMark, Series
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


@dataclass(frozen=True, kw_only=True)
class CountExplanation:
    """How a method words what is common: its names, and the values of solved parameters."""

    limit: str
    threshold: str
    names: tuple[str, ...]
    solved: dict[str, Any] = field(default_factory=dict)
    dense: dict[str, int] = field(default_factory=dict)
    peaks: dict[str, int] = field(default_factory=dict)
    values: tuple[MetricValue, ...] = ()
    notes: tuple[str, ...] = ()


def by_threshold(
    params: Params,
    asked: ExplanationRequest,
    under: Callable[[Any], ExplainedCount],
    told: CountExplanation,
    *,
    progress: Progress,
) -> Explanation:
    """The explanation of a method that releases what reaches a threshold with noise.

    ``under(params)`` is the query's count under a setting. Costs as many calls of it as solving
    takes, some hundred.
    """
    here = under(params)
    chance = here.chance
    limit = getattr(params, told.limit)
    unit = here.unit
    values = (
        MetricValue(
            "limited",
            phrase("count within each user's first {limit:,}", limit=limit),
            float(here.count),
            unit,
            help=sentence(
                "noisy_counts.left_count_when_histories", limit=told.limit, limit_2=limit
            ),
        ),
        describe_metric("limited_users", float(here.users)),
        describe_metric("threshold", float(here.least), unit=unit, threshold=told.threshold),
        describe_metric("scale", here.scale, unit=unit),
        *told.values,
    )
    return Explanation(
        outcome=_describe_outcome(asked, here, told, limit),
        chance=chance,
        values=values,
        turns=find_turning_points(
            params,
            lambda other: under(other).chance,
            told.names,
            now=told.solved,
            dense=told.dense,
            peaks=told.peaks,
            progress=progress,
        )
        if len(asked.rows) or here.stands_in
        else (),
        figures=(chance_figure(here, told.threshold),) if here.count or here.stands_in else (),
        notes=told.notes,
    )


def _describe_outcome(
    asked: ExplanationRequest, here: ExplainedCount, told: CountExplanation, limit: int
) -> str:
    needs = f"{told.threshold} = {here.least:,}"
    if here.count:
        return sentence(
            "noisy_counts.counts_within_user_first",
            count=here.count,
            limit=limit,
            scale=here.scale,
            needs=needs,
            chance=as_phrase(in_words(here.chance)),
        )
    if here.stands_in:
        whose = "Nobody in this log issued it" if asked.code == NONE else "It has no count here"
        return phrase(
            ("{whose}, but the pool holds it: noise alone lifts it to {needs}, and it {chance}.")
            if here.stands_in == 1
            else (
                "{whose}, but the pool may hold it: noise alone lifts it to {needs}, and "
                "it {chance}."
            ),
            whose=as_phrase(whose),
            needs=needs,
            chance=as_phrase(in_words(here.chance)),
        )
    if asked.code == NONE:
        return "Nobody in this log issued it, so it can't be released."
    if here.dropped:
        return phrase(
            "It {dropped}, so it is not counted and can't be released.",
            dropped=as_phrase(here.dropped),
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


def chance_figure(here: ExplainedCount, threshold: str) -> Figure:
    """The chance of being released over the count, with this query's count marked."""
    apart = abs(here.count - here.least)
    reach = max(6 * here.scale, 1.3 * apart, 5.0)
    low, high = max(0.0, math.floor(here.least - reach)), math.ceil(here.least + reach)
    grid = np.unique(np.linspace(low, max(high, here.count + 1), 160).round())
    passes = discrete_laplace.chance_of_passing(grid, here.scale, here.least)
    return Figure(
        name="chance",
        title="Probability of release over a query's count",
        x=Axis("count within the limit"),
        y=Axis("chance", unit=SHARE),
        series=(Series("chance", grid, passes),),
        marks=(
            PlotMark(
                "x", float(here.count), phrase("this query: {count:,}", count=here.count), "current"
            ),
            PlotMark("x", float(here.least), f"{threshold} = {here.least:,}", "limit"),
        ),
        private=True,
    )
