"""Public-key counts: noisy numbers of users of every public item, group and day, zeros included.

Source: Wikimedia's daily pageviews by country and project (Adeleye et al. 2023; since February
2023). Each user-day counts once for each of its first m different keys. Every key gets discrete
Gaussian noise of σ² = m/2ρ, and is released where its noisy count is above a threshold; `keys` has
the proof. What is released of keys that nobody used is drawn without going through them: how many
pass is binomial, which ones is uniform, and their counts are noise that passes
(`privacy.noise.zero_cells`).

Cost: O(rows log rows), and one draw of noise for each key that anybody used or that is released.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from auditor.arrays import Float64s, Int64s
from auditor.figures import Figure
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import NONE, QueryLog
from auditor.log.sentences import sentence
from auditor.messages import phrase
from auditor.methods import statements as words
from auditor.methods.base import ExpectedRelease, Method, SparkSupport
from auditor.methods.explanation.explanation import (
    Explanation,
    ExplanationRequest,
    find_turning_points,
)
from auditor.methods.faults import Fault, weaken_noise
from auditor.methods.noisy_counts import outlook
from auditor.methods.noisy_counts.counting import nth_missing
from auditor.methods.noisy_counts.expectations import extrapolate_counts
from auditor.methods.noisy_counts.period_units import DAY, state_period
from auditor.methods.public_keys.keys import (
    KeyCounts,
    PublicKeyParams,
    PublicKeys,
    assume_public_keys,
    count_public_keys,
    expect_queries,
    load_keys,
)
from auditor.privacy import count_error
from auditor.privacy.composition import NoiseLaw, combine_laws
from auditor.privacy.noise import zero_cells
from auditor.privacy.randomness import Randomness
from auditor.privacy.release import CELLS, CellFigure, CellTable, Product, Tables
from auditor.privacy.statement import Statement, Term
from auditor.progress import Progress

describe_metric = MetricCatalogue("methods", "public_key_counts")


@dataclass(frozen=True, kw_only=True)
class DpPublicKeyCountsParams(PublicKeyParams, owner="dp-public-key-counts"):
    """What a user's day may cost, how much of it counts, and which counts are released."""

    rho: float = 0.015
    delta: float = 1e-06
    m: int = 10
    threshold: int = 90

    @property
    def sigma(self) -> float:
        """Standard deviation of the noise of a count."""
        return math.sqrt(self.m / (2 * self.rho))

    def compute_epsilon(self, days: int) -> tuple[float, float]:
        """The (ε, δ) of so many days of one user."""
        law = NoiseLaw("gaussian", rho=days * self.rho)
        return combine_laws([law]).compute_epsilon(self.delta), self.delta

    def compute_chances(self, counts: Float64s) -> Float64s:
        """P[released] of counts; of the noise to about 10⁻³ of itself."""
        from scipy.stats import norm

        chances: Float64s = norm.sf((self.threshold + 0.5 - counts) / self.sigma)
        return chances

    def find_noise_limit(self, keys: int) -> int:
        """The least count that one of so many keys of nobody reaches with a chance of 5 %."""
        from scipy.stats import norm

        key_chance = 0.05 / max(keys, 1)
        return max(self.threshold + 1, math.ceil(self.sigma * float(norm.isf(key_chance)) + 0.5))


def run(
    log: QueryLog, params: DpPublicKeyCountsParams, *, rng: Randomness, progress: Progress
) -> Product:
    """Release the keys whose noisy count is above the threshold."""
    progress.check()
    keys = load_keys(params, log.period, progress)
    counts = count_public_keys(log, keys, params.m, params.days, progress)
    selected, noisy = draw_used_keys(counts.count, params, rng, progress)
    empty, noise = draw_empty_keys(keys.size, counts.key, params, rng, progress)
    key = np.concatenate([counts.key[selected], empty])
    order = np.argsort(key)
    cells = CellTable(
        CELLS,
        keys.build_keys(*keys.split(key[order])),
        (CellFigure("count", np.concatenate([noisy, noise])[order]),),
    )
    return Product(
        content=Tables.of_cells(cells, folded=True),
        statement=build_statement(params, keys, counts.units, rng.secure),
        changes={
            "rows": len(log),
            "rows_counted": counts.counted_rows,
            "cells": len(counts.key),
            **keys.find_idle(counts.key),
            "cells_released": len(key),
            "cells_released_of_nobody": len(empty),
        },
    )


def draw_used_keys(
    count: Int64s, params: DpPublicKeyCountsParams, rng: Randomness, progress: Progress
) -> tuple[Int64s, Int64s]:
    """Which counts pass with noise, and their noisy values."""
    progress.stage("drawing noise", len(count))
    noisy = count + rng.discrete_gaussian(params.sigma, len(count), progress)
    selected = np.flatnonzero(noisy > params.threshold)
    return selected, noisy[selected]


def draw_empty_keys(
    size: int, present: Int64s, params: DpPublicKeyCountsParams, rng: Randomness, progress: Progress
) -> tuple[Int64s, Int64s]:
    """The keys among `size` that nobody used and that are released, and their noise."""
    places, noise = zero_cells(
        size - len(present), params.sigma, params.threshold + 1, rng, progress, "gaussian"
    )
    return nth_missing(present, places), noise


def build_statement(
    params: DpPublicKeyCountsParams, keys: PublicKeys, units: int, secure: bool
) -> Statement:
    epsilon, delta = params.compute_epsilon(1)
    law = NoiseLaw("gaussian", rho=params.rho)
    formula = sentence(
        "public_keys.gaussian", m=params.m, sigma=params.sigma, rho=words.format_number(params.rho)
    )
    expected_empty = params.compute_chances(np.zeros(1))[0] * keys.size
    statement = words.state_history(
        epsilon,
        delta,
        terms=(Term("counts", epsilon, delta, formula, law),),
        limits=sentence("public_keys.limits", m=params.m),
        users=units,
        noise=words.secure_noise(secure, "discrete Gaussian (Canonne, Kamath and Steinke)"),
        measured={
            "rho": params.rho if params.days is None else 2 * params.rho,
            "noise_of_a_count": params.sigma,
            "threshold": float(params.threshold),
            "public_keys": float(keys.size),
            "most_released_of_nobody": float(expected_empty),
            "noise_alone_below": float(params.find_noise_limit(keys.size)),
        },
        once=False,
        other_assumptions=(assume_public_keys(params),),
    )
    return state_period(statement, DAY, params.days, units, params.compute_epsilon)


def expect_release(
    log: QueryLog, params: DpPublicKeyCountsParams, *, scale: float, progress: Progress
) -> ExpectedRelease:
    """How many keys will be released, from the law of the noise; O(rows log rows).

    A key of c sampled user-days (one in s) is taken for one of 1 + s(c − 1), as in `expectations`.
    """
    keys = load_keys(params, log.period, progress)
    counts = count_public_keys(log, keys, params.m, params.days, progress)
    totals, stands = extrapolate_counts(np.maximum(counts.count, 1).astype(np.float64), scale)
    chance = params.compute_chances(totals)
    day, _, item = keys.split(counts.key)
    expected_used = float((chance * stands).sum())
    empty = max(0.0, keys.size - float(stands.sum()))
    expected_empty = empty * float(params.compute_chances(np.zeros(1))[0])
    volume = float((chance * totals * stands).sum() / max(float((totals * stands).sum()), 1.0))
    least = params.find_noise_limit(keys.size)
    values = (
        describe_metric("expected.cells", expected_used + expected_empty),
        describe_metric("expected.nobody", expected_empty),
        *expect_queries(log, keys, item, chance, day),
        describe_metric("expected.counted", volume),
        describe_metric("expected.noise", params.sigma),
        describe_metric("expected.noise_alone", float(least)),
    )
    return ExpectedRelease(
        statement=build_statement(params, keys, round(counts.units * scale), True),
        values=values,
        note=sentence("public_keys.hardly", keys=keys.size)
        if expected_used < 1
        else sentence("public_keys.noise_alone", least=least)
        if least > params.threshold + 1
        else "",
        units=round(counts.units * scale),
    )


def curves(params: DpPublicKeyCountsParams, users: int) -> tuple[Figure, ...]:
    """With which probability a key is released, over its users on a day."""
    del users
    largest_count = 2 * params.threshold + 6 * params.sigma
    text = phrase("above {least:,}", least=params.threshold)
    return (
        outlook.chance_by_users(
            describe_metric, largest_count, params.compute_chances, params.threshold, text, first=0
        ),
    )


def explain(
    request: ExplanationRequest, params: DpPublicKeyCountsParams, progress: Progress
) -> Explanation:
    """How many users of a query count on each day (and in each group), and the chance of these."""
    keys = load_keys(params, request.log.period, progress)
    if keys.find_item(request.text) == NONE:
        return Explanation(outcome=sentence("public_keys.no_key"), chance=0.0)

    counts = count_query(request, keys, params.m, params.days, progress)
    empty = keys.days * keys.groups.size - len(counts.key)

    def compute_chance(other: DpPublicKeyCountsParams) -> float:
        own = counts
        if other.m != params.m:
            own = count_query(request, keys, other.m, params.days, progress)
        missed = np.log1p(-other.compute_chances(np.append(own.count, 0)).clip(0, 1 - 1e-12))
        return float(-np.expm1(missed[:-1].sum() + empty * missed[-1]))

    day, group, _ = keys.split(counts.key)
    dates = (keys.first + day).astype("datetime64[D]").astype(str).tolist()
    names = keys.name_groups(group)
    chances = params.compute_chances(counts.count.astype(np.float64)).tolist()
    rows = [list(row) for row in zip(dates, names, counts.count.tolist(), chances, strict=True)]
    peak = int(counts.count.max(initial=0))
    return Explanation(
        outcome=sentence(
            "public_keys.counted", cells=len(rows), most=peak, threshold=params.threshold
        ),
        chance=compute_chance(params),
        values=(
            describe_metric("limited_users", float(peak), m=params.m),
            describe_metric("threshold", float(params.threshold)),
        ),
        tables=(describe_metric.table("cells", rows),),
        turns=find_turning_points(
            params, compute_chance, ("rho", "threshold", "m"), progress=progress
        ),
    )


def count_query(
    request: ExplanationRequest, keys: PublicKeys, m: int, days: int | None, progress: Progress
) -> KeyCounts:
    """The counts of the keys of a query that is an item."""
    counts = count_public_keys(request.select_histories(), keys, m, days, progress)
    keep = keys.split(counts.key)[2] == keys.find_item(request.text)
    return KeyCounts(counts.key[keep], counts.count[keep], counts.units, counts.counted_rows)


def list_faults(
    values: dict[str, Any], without_zeros: dict[str, Any], place: str, change: Callable[[Any], Any]
) -> tuple[Fault, ...]:
    """What may be wrong in such a method; `change` of the function at `place` spares zeros noise.

    `values` are audited, and `without_zeros` where zeros have none.
    """
    return (
        weaken_noise(values, 2),
        weaken_noise(values, 4),
        Fault(
            name="no noise where nobody searched",
            kind="threshold",
            values=without_zeros,
            places=(place,),
            change=change,
        ),
        Fault(
            name="limit of keys × 4",
            kind="limit",
            values=values,
            places=(f"{place.partition(':')[0]}:count_public_keys",),
            change=lambda count: lambda log, keys, m, *args: count(log, keys, 4 * m, *args),
        ),
    )


_AUDITED = {"rho": 0.5, "delta": 0.01, "m": 1, "threshold": 2}

METHOD = Method(
    **describe_metric.card,
    params=DpPublicKeyCountsParams,
    yields="tables",
    folds=True,
    randomised=True,
    run=run,
    spark=SparkSupport("cells.release_counts"),
    outlook=expect_release,
    curves=curves,
    explain=explain,
    main=("rho", "threshold", "m", "items", "groups"),
    errors=lambda params: {CELLS: count_error.of_gaussian(params.sigma)},
    faults=list_faults(
        _AUDITED,
        _AUDITED | {"threshold": 0},
        f"{__name__}:draw_empty_keys",  # no key that nobody used is ever released
        lambda draw: lambda _size, used, *args: draw(len(used), used, *args),
    ),
)
