"""Relative index: noisy counts of public items by region and day, over users; the maximum is 100.

Source: Google's COVID-19 search trends symptoms (Bavadekar et al. 2020), ε = 1.68 for a user-day.
Each user-day counts once for each of its first m different keys; how many Google takes is not
published, so nothing is released before m is set. Every key gets discrete Laplace noise of scale
m/ε (our choice; `counts` has the proof). Where the list of groups does not say how many users each
has, the user-days of each group and day are counted, each in the first group it shows, with noise
of scale 1/(share·ε), and the keys have the rest of ε.

What follows is made of noisy numbers alone and costs nothing. Of each item and group, days are
released if the mean noisy count of a day is at least `signal` standard deviations of the noise;
else whole weeks from Monday, whose sums have √7 times the noise, if they reach as much; else
nothing. A rate is a noisy count over users, of a week over those of its days; rates below 0 are 0.
All rates are multiplied with one factor, by which the largest of the first release is 100. The
factor is kept in the statement: later days that take it go on where these end, above 100 if they
rise.

Cost: O(rows log rows), and one draw of noise for each key there is.
"""

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from auditor.arrays import Bools, Float64s, Int64s, mark_run_starts
from auditor.errors import ParameterError
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import NONE, QueryLog, Vocabulary
from auditor.log.sentences import sentence
from auditor.methods import statements as words
from auditor.methods.base import ExpectedRelease, Method, SparkSupport
from auditor.methods.explanation.explanation import (
    Explanation,
    ExplanationRequest,
    find_turning_points,
)
from auditor.methods.noisy_counts.expectations import extrapolate_users
from auditor.methods.noisy_counts.period_units import (
    DAY,
    WEEK,
    number_periods,
    period_of,
    state_period,
)
from auditor.methods.public_keys.counts import (
    PublicKeyParams,
    PublicKeys,
    assume_public_keys,
    count_public_keys,
    count_query,
    expect_queries,
    list_faults,
    load_keys,
)
from auditor.privacy import count_error
from auditor.privacy.composition import NoiseLaw
from auditor.privacy.noise import add_noise
from auditor.privacy.randomness import Randomness
from auditor.privacy.release import CELLS, CellFigure, CellKey, CellTable, Product, Tables
from auditor.privacy.statement import Statement, Term, assume
from auditor.progress import Progress

describe_metric = MetricCatalogue("methods", "relative_index")

MOST_KEYS = 50_000_000
"""Keys that one release may have: each gets a draw of its own."""
STEP = "step"
_WEEK_DAYS = 7
_THURSDAY = 3


@dataclass(frozen=True, kw_only=True)
class DpRelativeIndexParams(PublicKeyParams, owner="dp-relative-index"):
    """What a user's day may cost, how much of it counts, and how clear a number has to be."""

    epsilon: float = 1.68
    m: int | None = None
    share: float = 0.1
    signal: float = 3.0
    factor: float | None = None

    @property
    def most_keys(self) -> int:
        """How many keys of a user's day are looked at; all where no m is set."""
        return self.m or MOST_KEYS

    def limit_keys(self, keys: PublicKeys) -> PublicKeys:
        """The keys that are released: of no day where nothing bounds what a user's day counts."""
        return replace(keys, days=0) if self.m is None else keys

    def compute_scale(self, keys: PublicKeys) -> float:
        """Scale of the noise of a count."""
        count_share = 1.0 if keys.groups.users is not None else 1 - self.share
        return (self.m or 1) / (self.epsilon * count_share)

    @property
    def users_scale(self) -> float:
        """Scale of the noise of users, where they aren't public."""
        return 1 / (self.share * self.epsilon)

    def find_limits(self, keys: PublicKeys) -> tuple[float, float]:
        """The mean noisy counts of a day from which days, and from which weeks, are released."""
        least = self.signal * _deviation(self.compute_scale(keys))
        return least, least / math.sqrt(_WEEK_DAYS)

    def compute_chances(self, mean: Float64s, keys: PublicKeys) -> tuple[Float64s, Float64s]:
        """P[days are released], P[days or weeks are] of mean counts of a day; by the normal law."""
        from scipy.stats import norm

        error = _deviation(self.compute_scale(keys)) / math.sqrt(max(keys.days, 1))
        days, weeks = (norm.sf((least - mean) / error) for least in self.find_limits(keys))
        return days, weeks


def _deviation(scale: float) -> float:
    """Standard deviation of discrete Laplace noise."""
    ratio = math.exp(-1 / scale)
    return math.sqrt(2 * ratio) / -math.expm1(-1 / scale)


def run(
    log: QueryLog, params: DpRelativeIndexParams, *, rng: Randomness, progress: Progress
) -> Product:
    """Noise every key, and make an index of what the noise leaves clear."""
    progress.check()
    listed = load_index_keys(params, log.period, progress)
    counts = count_public_keys(log, listed, params.most_keys, params.days, progress)
    keys = params.limit_keys(listed)
    used = counts.key < keys.size
    dense = np.zeros(keys.size, dtype=np.int64)
    dense[counts.key[used]] = counts.count[used]
    noisy = noise_keys(dense, params.compute_scale(keys), rng, progress)
    users = None
    if keys.groups.users is None:
        users = _count_users(log, params, keys)
        users = add_noise(users, params.users_scale, rng, progress)
    progress.check()
    cells, factor = build_index(noisy, users, params, keys)
    return Product(
        content=Tables.of_cells(cells, folded=True),
        statement=build_statement(params, keys, counts.units, rng.secure, factor),
        changes={
            "rows": len(log),
            "rows_counted": counts.counted_rows if keys.days else 0,
            "cells": int(np.count_nonzero(used)),
            **listed.find_idle(counts.key),
            "cells_released": len(cells),
        },
    )


def load_index_keys(
    params: DpRelativeIndexParams, period: tuple[int, int] | None, progress: Progress
) -> PublicKeys:
    """The keys that parameters name, of all days; refused where they are too many."""
    keys = load_keys(params, period, progress)
    if keys.size > MOST_KEYS:
        raise ParameterError("items", sentence("public_keys.too_many", keys=keys.size))
    return keys


def noise_keys(counts: Int64s, scale: float, rng: Randomness, progress: Progress) -> Int64s:
    """The count of every key with noise, of those that nobody used, too."""
    return add_noise(counts, scale, rng, progress)


def _count_users(log: QueryLog, params: DpRelativeIndexParams, keys: PublicKeys) -> Int64s:
    """User-days of each day and group, each in the first that it shows; one after another."""
    counts = np.zeros((keys.days, keys.groups.size), dtype=np.int64)
    if len(log) and keys.days:
        group, unit = keys.groups.match_rows(log), number_periods(log, DAY)
        day = period_of(log.time, DAY) - keys.first
        is_counted: Bools = (group != NONE) & (day >= 0) & (day < keys.days)
        if params.days is not None:
            is_counted &= unit - unit[log.user_starts[:-1]][log.user] < params.days
        rows = np.flatnonzero(is_counted)
        rows = rows[mark_run_starts(unit[rows])] if len(rows) else rows
        np.add.at(counts, (day[rows], group[rows]), 1)
    return counts.ravel()


def build_index(
    noisy: Int64s, noisy_users: Int64s | None, params: DpRelativeIndexParams, keys: PublicKeys
) -> tuple[CellTable, float]:
    """The table of days and weeks, and the factor; of noisy numbers alone.

    Users of each day and group are noisy, 1 at least, where they aren't public.
    """
    noisy = noisy.reshape(keys.days, keys.groups.size, keys.items.size)
    user_counts = keys.groups.users if noisy_users is None else np.maximum(noisy_users, 1)
    assert user_counts is not None
    users = user_counts.astype(np.float64).reshape(-1, keys.groups.size)
    users = np.broadcast_to(users, noisy.shape[:2])
    mean = noisy.sum(axis=0) / max(keys.days, 1)
    least_day, least_week = params.find_limits(keys)
    daily, weekly = mean >= least_day, (mean >= least_week) & (mean < least_day)
    monday = -(keys.first + _THURSDAY) % _WEEK_DAYS
    weeks = max(0, keys.days - monday) // _WEEK_DAYS

    def sum_weeks(values: Any) -> Any:
        full_weeks = values[monday : monday + _WEEK_DAYS * weeks]
        return full_weeks.reshape(weeks, _WEEK_DAYS, *values.shape[1:]).sum(axis=1)

    parts = []
    for step, values, users_of_step, mask, begins in (
        (0, noisy, users, daily, np.arange(keys.days)),
        (1, sum_weeks(noisy), sum_weeks(users), weekly, monday + _WEEK_DAYS * np.arange(weeks)),
    ):
        index, group, item = np.nonzero(np.broadcast_to(mask, values.shape))
        count = np.maximum(values[index, group, item], 0)
        steps = np.full(len(index), step, dtype=np.int32)
        parts.append(
            (begins[index], steps, group, item, count, count / users_of_step[index, group])
        )
    start, step_code, group, item, count, rate = (
        np.concatenate(part) for part in zip(*parts, strict=True)
    )
    largest = float(rate.max(initial=0.0))
    factor = params.factor or (100 / largest if largest else 1.0)
    step_key = CellKey(STEP, step_code, Vocabulary.of((DAY, WEEK)))
    cells = CellTable(
        CELLS,
        (
            keys.write_dates(start),
            step_key,
            *keys.groups.build_keys(group),
            *keys.items.build_keys(item),
        ),
        (CellFigure("count", count), CellFigure("index", np.round(factor * rate, 2))),
    )
    return cells, factor


def build_statement(
    params: DpRelativeIndexParams,
    keys: PublicKeys,
    units: int,
    secure: bool,
    factor: float | None = None,
) -> Statement:
    m, scale = params.m or 1, params.compute_scale(keys)
    formula = sentence("public_keys.laplace", m=m, scale=scale)
    terms = [Term("counts", m / scale, 0.0, formula, NoiseLaw("laplace", scale, m))]
    if keys.groups.users is None:
        users_epsilon = params.epsilon - m / scale
        formula = sentence("public_keys.denominators", share=params.share)
        terms.append(
            Term("users", users_epsilon, 0.0, formula, NoiseLaw("laplace", 1 / users_epsilon, 1))
        )
    days, weeks = params.find_limits(keys)
    statement = words.state_history(
        params.epsilon,
        0.0,
        terms=tuple(terms),
        limits=sentence("public_keys.limits", m=m),
        users=units,
        noise=words.secure_noise(secure),
        measured={
            "noise_of_a_count": _deviation(scale),
            "least_mean_for_days": days,
            "least_mean_for_weeks": weeks,
            **({} if factor is None else {"factor": factor}),
        },
        once=False,
        other_assumptions=(
            assume_public_keys(params),
            assume(
                "public_keys.bound_of_a_day_is_set",
                "fails" if params.m is None else "holds",
                sentence("public_keys.no_bound" if params.m is None else "public_keys.own_bound"),
            ),
        ),
    )
    return state_period(statement, DAY, params.days, units)


def expect_release(
    log: QueryLog, params: DpRelativeIndexParams, *, scale: float, progress: Progress
) -> ExpectedRelease:
    """How many items of how many groups will be released by day and by week; O(keys)."""
    keys = load_index_keys(params, log.period, progress)
    counts = count_public_keys(log, keys, params.m or 1, params.days, progress)
    _, group, item = keys.split(counts.key)
    series, place = np.unique(group * keys.items.size + item, return_inverse=True)
    totals, _ = extrapolate_users(counts.count, scale)
    mean = np.bincount(place, totals, minlength=len(series)) / max(keys.days, 1)
    days, weeks = params.compute_chances(mean, keys)
    if params.m is None:
        days, weeks = np.zeros(len(series)), np.zeros(len(series))
    least, week = params.find_limits(keys)
    note = ""
    if params.m is None:
        note = sentence("public_keys.no_bound")
    elif weeks.sum() < 1:
        note = sentence("public_keys.too_noisy", least=math.ceil(week), days=math.ceil(least))
    return ExpectedRelease(
        statement=build_statement(params, keys, round(counts.units * scale), True),
        values=(
            describe_metric("expected.daily", float(days.sum())),
            describe_metric("expected.weekly", float((weeks - days).sum())),
            *expect_queries(log, keys, series % keys.items.size, weeks),
            describe_metric("expected.counted", float(mean @ weeks / max(float(mean.sum()), 1e-9))),
            describe_metric("expected.noise", _deviation(params.compute_scale(keys))),
            describe_metric("expected.least_daily", least),
            describe_metric("expected.least_weekly", week),
        ),
        note=note,
        units=round(counts.units * scale),
    )


def explain(
    request: ExplanationRequest, params: DpRelativeIndexParams, progress: Progress
) -> Explanation:
    """How many users of a query count on a mean day in each group, and the chance of as many."""
    keys = load_index_keys(params, request.log.period, progress)
    if keys.find_item(request.text) == NONE:
        return Explanation(outcome=sentence("public_keys.no_key"), chance=0.0)

    def find_means(other: DpRelativeIndexParams) -> Float64s:
        counts = count_query(request, keys, other.m or 1, other.days, progress)
        weights = counts.count.astype(np.float64)
        group = keys.split(counts.key)[1]
        return np.bincount(group, weights, minlength=keys.groups.size) / max(keys.days, 1)

    means = find_means(params)

    def compute_chance(other: DpRelativeIndexParams) -> float:
        if other.m is None:
            return 0.0
        mean = means if other.m == params.m else find_means(other)
        return float(1 - np.prod(1 - other.compute_chances(mean, keys)[1]))

    days, weeks = params.compute_chances(means, keys)
    names = keys.name_groups(np.arange(keys.groups.size))
    rows = [
        list(row) for row in zip(names, means.tolist(), days.tolist(), weeks.tolist(), strict=True)
    ]
    least, week = params.find_limits(keys)
    return Explanation(
        outcome=sentence(
            "public_keys.mean_counted", most=float(means.max()), least=week, days=least
        ),
        chance=compute_chance(params),
        values=(describe_metric("mean_users", float(means.max())), describe_metric("least", week)),
        tables=(describe_metric.table("groups", rows),),
        turns=find_turning_points(params, compute_chance, ("epsilon", "signal"), progress=progress),
    )


def _find_errors(params: DpRelativeIndexParams) -> dict[str, int]:
    """Of a week's count, with ε shared: days, and public users, are within it all the more."""
    scale = (params.m or 1) / (params.epsilon * (1 - params.share))
    return {CELLS: count_error.of_gaussian(math.sqrt(_WEEK_DAYS) * _deviation(scale))}


_AUDITED = {"epsilon": 1.0, "m": 1, "signal": 0.0}

METHOD = Method(
    **describe_metric.card,
    params=DpRelativeIndexParams,
    yields="tables",
    folds=True,
    randomised=True,
    run=run,
    spark=SparkSupport("cells.release_index"),
    outlook=expect_release,
    explain=explain,
    main=("epsilon", "m", "signal", "items", "groups"),
    errors=_find_errors,
    faults=list_faults(
        _AUDITED,
        _AUDITED,
        f"{__name__}:noise_keys",  # keys that nobody used get no noise
        lambda noise: lambda counts, *args: np.where(counts > 0, noise(counts, *args), 0),
    ),
)
