"""Dated tables: noisy numbers of users of each query on each day or in each week.

Each user counts once for each of their first q_f distinct queries of a day, on their first `days`
active days. Each (query, day) gets truncated geometric or Gaussian noise, whichever shows more, and
is shown from a threshold on that hides one user's part; days that follow can be released later at
no further cost. Deployed tables of this kind are Google's
COVID-19 search trends symptoms (Bavadekar et al. 2020) and Wikimedia's daily counts (Adeleye et al.
2023), both with a user's day as the unit.

Truncated noise: Desfontaines, Voss, Gipson and Mandayam, PoPETs 2022. Gaussian noise with a
threshold: Gopi et al., ICML 2020, here with a weight of 1 for each cell.

Cost: O(rows log rows), and one draw of noise for each cell that is not 0.

**Steps.** (1) Rows are grouped into *parts*: what one user did within one step of the table (day or
week) and one unit of protection. Of each unit only the first m parts count; of each part the first
q_f different queries. (2) Each (query, step) cell counts the parts that hold it. (3) Each cell that
is not 0 gets noise and is shown if it reaches the threshold. (4) Only the cells of the days asked
for are released.

**Claim.** Between logs of which one has one unit more (a user, or a user's day, week or month): one
unit more adds at most

    c = q_f · min(m, r)

to the cells, 1 to each of c different ones, where r is how many parts a unit can have (∞ for a
whole history). So with either noise below the release is (ε, δ).

**Proof.** Which parts of a unit count, and what of them, is decided within the unit, so a unit more
changes nobody else's share: cells rise by 1 at c places at most. *Truncated noise*: each of these
moves by one, and `privacy.truncated_geometric` composes their losses exactly; support is part of
the law. *Gaussian noise*: let S be the cells that are 0 without the unit. Outside S both logs show
a function of counts with discrete Gaussian noise at ℓ2 distance √c: ρ = c/(2σ²), (ε, δ/2). That any
of S is shown has chance 1 − (1 − P[1 + X ≥ T])^c ≤ δ/2 at most, and P[X ≥ T − 1] ≤ Φ((2 − T)/σ)
(`privacy.gaussian`). The other way, let E be outputs without S, a the chance of E outside S with
the unit, p ≤ δ/2 that some of S is shown: E has e^ε·a + δ/2 at most without the unit, and a(1 − p)
with it. The gap e^ε·a·p is p at most where e^ε·a ≤ 1, and elsewhere e^ε·a(1 − p) + p ≥ 1. Which
noise is taken follows from the parameters: the one that shows a count of fewer users more likely
than not. Step 4 drops what is released, which costs nothing. ∎

**As days arrive.** A part never changes once its day is over, since later rows come after it, and
which m parts of a unit count depends on earlier ones alone. So the release of the days up to t and
that of the days after t, made later of the log that has grown, are together what one release of all
days would be: cells have noise of their own. Together they are (ε, δ), not twice that, if the
parameters stay and each log holds the earlier days as they were.
"""

import functools
import math
from dataclasses import dataclass

import numpy as np

from auditor.arrays import Bools, Float64s, Int32s, Int64s
from auditor.figures import MetricValue
from auditor.log.gil_friendly import sorted_distinct
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
from auditor.methods.faults import list_faults
from auditor.methods.noisy_counts import outlook
from auditor.methods.noisy_counts.expectations import dot_product, extrapolate_counts
from auditor.methods.noisy_counts.grouped_queries import NO_GROUPS
from auditor.methods.noisy_counts.histograms import (
    BLOCK_ROWS,
    ContributionLimits,
    CountingUnit,
    assemble_tables,
    choose_queries,
    count_keys,
    limit_users,
)
from auditor.methods.noisy_counts.outlook import metric_of_searches
from auditor.methods.noisy_counts.period_units import (
    DAY,
    HISTORY,
    MONTH,
    WEEK,
    check_days,
    find_first_days,
    number_day,
    number_periods,
    period_of,
    state_period,
    take_as_users,
)
from auditor.params import Params
from auditor.privacy import count_error, gaussian, truncated_geometric
from auditor.privacy.composition import NoiseLaw
from auditor.privacy.randomness import Randomness
from auditor.privacy.release import DATED, DatedCounts, Product
from auditor.privacy.statement import Assumption, Statement, Term
from auditor.privacy.truncated_geometric import TruncatedGeometric
from auditor.progress import Progress

describe_metric = MetricCatalogue("methods", "dated_counts")

MOST_PARTS = {
    (DAY, DAY): 1,
    (WEEK, DAY): 7,
    (MONTH, DAY): 31,
    (DAY, WEEK): 1,
    (WEEK, WEEK): 1,
    (MONTH, WEEK): 6,
}
"""How many parts a unit can have, by unit and step: a month touches six weeks at most."""


@dataclass(frozen=True)
class DatedBudget:
    """The noise of each cell: one of the two, and the δ that it really has."""

    cells: int  # how many cells one unit changes at most (c)
    threshold: int  # the release threshold: the lowest noisy count that is released
    # delta, delta_alone: δ in all, and what of it covers cells that one unit alone has
    delta: float
    delta_alone: float
    # The truncated noise, or None where the Gaussian of `sigma` is taken.
    truncated: TruncatedGeometric | None = None
    sigma: float = 0.0
    rho: float = 0.0

    def draw(self, size: int, rng: Randomness, progress: Progress) -> Int64s:
        """Noise for so many cells, from the secure sampler of the run."""
        if self.truncated is not None:
            return self.truncated.draw(size, rng, progress)
        return rng.discrete_gaussian(self.sigma, size, progress)

    def compute_chances(self, counts: Float64s) -> Float64s:
        """P[shown] of counts ≥ 0, 0 for none; of the Gaussian to about 10⁻³ of itself."""
        from scipy.stats import norm

        if self.truncated is not None:
            return self.truncated.compute_chances(counts)
        passes: Float64s = norm.sf((self.threshold - 0.5 - counts) / self.sigma)
        return np.where(counts > 0, passes, 0.0)

    @property
    def width(self) -> int:
        """How far 95 % of noisy counts are at most from what was counted."""
        if self.truncated is not None:
            return count_error.of_law(self.truncated.law)
        return count_error.of_gaussian(self.sigma)

    @property
    def error(self) -> float:
        """Standard deviation of the noise."""
        return self.sigma if self.truncated is None else self.truncated.error


@functools.lru_cache(maxsize=256)
def derive_budget(epsilon: float, delta: float, cells: int) -> DatedBudget:
    """The noise that shows a count of fewer users more likely than not; milliseconds."""
    from scipy.stats import norm

    truncated = None
    if cells <= 1_000:  # beyond, only the Gaussian is tried: it is ahead long before
        truncated = truncated_geometric.noise_for(epsilon, delta, cells)
    rho = gaussian.rho_for(epsilon, delta / 2)
    sigma = math.sqrt(cells / (2 * rho))
    # The least T with 1 − (1 − Φ((2 − T)/σ))^c ≤ δ/2.
    cell_delta = -math.expm1(math.log1p(-delta / 2) / cells)
    threshold = max(1, math.ceil(2 + sigma * float(norm.isf(cell_delta))))
    if truncated is not None and truncated.bound + 1 <= threshold:
        edge_delta = -math.expm1(cells * math.log1p(-truncated.edge))
        spent = truncated_geometric.delta_of(truncated, cells, epsilon)
        return DatedBudget(cells, truncated.bound + 1, spent, min(edge_delta, spent), truncated)
    edge_delta = delta / 2
    spent = gaussian.delta_of(rho, epsilon) + edge_delta
    return DatedBudget(cells, threshold, min(1.0, spent), edge_delta, None, sigma, rho)


@dataclass(frozen=True, kw_only=True)
class DatedCountsParams(Params, owner="dated-counts"):
    """What is wanted, whom it protects, how much of each user is counted, and of which days."""

    epsilon: float = 2.0
    delta: float = 1e-06
    step: str = DAY
    q_f: int = 1
    days: int = 7
    protected_unit: str = "history"
    group_by: str = NO_GROUPS
    first_day: int | None = None
    last_day: int | None = None
    suppress: str = "nothing"

    def matters(self, name: str) -> bool:
        """Days are limited where a unit of protection can have several."""
        unit = self.protected_unit
        return name != "days" or unit == HISTORY or MOST_PARTS[unit, self.step] > 1

    def check(self) -> None:
        """Refuse what is no date, and a last day before the first."""
        check_days(self.first_day, self.last_day)

    @property
    def budget(self) -> DatedBudget:
        """The noise that these parameters need; one unit changes q_f cells of each part."""
        unit, parts = self.protected_unit, self.days
        if unit != HISTORY:
            parts = min(parts, MOST_PARTS[unit, self.step])
        return derive_budget(self.epsilon, self.delta, self.q_f * parts)


@dataclass(frozen=True, eq=False)
class DatedCells:
    """The cells that are not 0, by query and then step."""

    # query, step, count: code of the query, number of the step since 1970, and how many parts hold
    # the query; shape (cells,)
    query: Int64s
    step: Int64s
    count: Int64s
    units: int  # units of protection in the log
    rows_beyond: int  # rows of parts beyond the first m of their unit


def count_dated_cells(log: QueryLog, params: DatedCountsParams, progress: Progress) -> DatedCells:
    """Count the parts of each query and step, of all days; O(rows log rows)."""
    if not len(log):
        none = np.zeros(0, dtype=np.int64)
        return DatedCells(none, none, none, 0, 0)
    progress.stage("cutting histories")
    pieces, first_row, keep = find_first_parts(log, params)
    progress.check()
    cut = take_as_users(log, pieces, keep)
    limits = ContributionLimits(CountingUnit.USERS, params.q_f, 1)
    stops, blank = limit_users(cut, limits, progress).stops, cut.queries.find_blank()
    starts = cut.user_starts
    steps = period_of(cut.time[starts[:-1]], params.step)
    lowest, width = int(steps.min()), int(np.ptp(steps)) + 1
    keys: list[Int64s] = []
    for first, last in progress.whole_blocks("counting days", starts, BLOCK_ROWS):
        rows = np.arange(int(starts[first]), int(starts[last]))
        user = cut.user[rows].astype(np.int64)
        is_counted = (rows < stops[user]) & ~blank[cut.query[rows]]
        pair = sorted_distinct(user[is_counted] * len(cut.queries) + cut.query[rows[is_counted]])
        owner, query = np.divmod(pair, len(cut.queries))
        keys.append(query * width + steps[owner] - lowest)
    cells, count = count_keys(keys, progress)
    query, step = np.divmod(cells, width)
    if cut.queries is not log.queries:
        query = cut.queries.match(log.queries)[query].astype(np.int64)
    return DatedCells(query, step + lowest, count, len(first_row), len(log) - len(cut))


def find_first_parts(log: QueryLog, params: DatedCountsParams) -> tuple[Int32s, Int64s, Bools]:
    """The number of each row's part, the first row of each unit, and which rows' parts count.

    Of some of a unit's rows no row is left out that would count among all of them.
    """
    unit = params.protected_unit
    pieces = number_periods(log, params.step, unit)
    owner = log.user if unit == HISTORY else number_periods(log, unit)
    first_row = np.flatnonzero(np.diff(owner, prepend=-1))
    order = pieces - pieces[first_row][np.searchsorted(first_row, np.arange(len(log)), "right") - 1]
    return pieces, first_row, order < params.days


def run(
    log: QueryLog, params: DatedCountsParams, *, rng: Randomness, progress: Progress
) -> Product:
    """Release the cells whose noisy number of users reaches the threshold."""
    progress.check()
    budget = params.budget
    cells = count_dated_cells(log, params, progress)
    window_cells = np.flatnonzero(is_within_window(cells.step, params))
    selected, count = draw_cells(cells.count[window_cells], budget, rng, progress)
    index = window_cells[selected]
    query, step = cells.query[index], cells.step[index]
    query_codes, place = np.unique(query, return_inverse=True)
    sums = np.zeros(len(query_codes), dtype=np.int64)
    np.add.at(sums, place, count)
    queries = choose_queries(log, query_codes, sums)
    # By date and then by the release's queries: nothing else decides.
    released = queries.place[query]
    order = np.lexsort((released, step))
    time = find_first_days(step[order], params.step).astype("datetime64[s]").astype(np.int64)
    dates = DatedCounts(released[order], time, count[order])
    content = assemble_tables(log.urls, queries, None, None).with_dates(params.step, dates)
    return Product(
        content=content,
        statement=statement_of(params, cells.units, rng.secure),
        changes={
            "rows": len(log),
            "rows_beyond_days": cells.rows_beyond,
            "cells": len(window_cells),
            "cells_released": len(index),
            "queries_released": len(query_codes),
        },
    )


def draw_cells(
    count: Int64s, budget: DatedBudget, rng: Randomness, progress: Progress
) -> tuple[Int64s, Int64s]:
    """Which of these cells, none of them 0, are released, and their noisy counts."""
    progress.stage("drawing noise", len(count))
    noisy = count + budget.draw(len(count), rng, progress)
    selected = np.flatnonzero(noisy >= budget.threshold)
    return selected, noisy[selected]


def is_within_window(step: Int64s, params: DatedCountsParams) -> Bools:
    """Whether each step is released, which it is if it begins within the days; shape (steps,)."""
    begin = find_first_days(step, params.step).astype(np.int64)
    keep: Bools = np.ones(len(step), dtype=np.bool_)
    if params.first_day is not None:
        keep &= begin >= number_day(params.first_day)
    if params.last_day is not None:
        keep &= begin <= number_day(params.last_day)
    return keep


def statement_of(params: DatedCountsParams, units: int, secure: bool) -> Statement:
    """What a release of so many units of protection guarantees."""
    budget = params.budget
    measured = {
        "cells_of_one_unit": float(budget.cells),
        "threshold": float(budget.threshold),
        "noise_of_a_count": budget.error,
    }
    if budget.truncated is not None:
        scale = budget.truncated.scale
        law = NoiseLaw("truncated geometric", scale, budget.cells)
        loss = words.format_number(1 / scale)
        formula = sentence(
            "dated_counts.cells_truncated_geometric_noise", cells=budget.cells, loss=loss
        )
    else:
        law = NoiseLaw("gaussian", rho=budget.rho)
        formula = sentence(
            "dated_counts.cells_gaussian_noise",
            cells=budget.cells,
            sigma=budget.sigma,
            rho=budget.rho,
        )
        measured["rho"] = budget.rho
    delta_of_noise = max(0.0, budget.delta - budget.delta_alone)
    statement = words.state_history(
        params.epsilon,
        budget.delta,
        terms=(
            Term("counts", params.epsilon, delta_of_noise, formula, law),
            Term.of_budget(
                "cells of one user",
                0.0,
                budget.delta_alone,
                sentence("dated_counts.query_user_alone_issued", least=budget.threshold),
            ),
        ),
        limits=sentence(
            "dated_counts.first_distinct_queries_first",
            q_f=params.q_f,
            days=params.days,
            step=params.step,
            cells=budget.cells,
        ),
        users=units,
        noise=words.secure_noise(
            secure, "discrete Laplace or Gaussian (Canonne, Kamath and Steinke)"
        ),
        measured=measured,
        other_assumptions=()
        if params.first_day is None
        else (
            Assumption(
                "earlier days are in the log",
                "Days that were released before are in the log as they were then, and the "
                "parameters were the same. Then all releases together cost what one of them costs.",
                "unknown",
                "the ledger knows which days were released with these parameters; nobody can tell "
                "from the log whether earlier rows are missing",
            ),
        ),
    )
    return state_period(statement, params.protected_unit, None, units)


def expect_release(
    log: QueryLog, params: DatedCountsParams, *, scale: float, progress: Progress
) -> ExpectedRelease:
    """How many cells and queries will be shown, from the law of the noise; O(rows log rows).

    A cell of c sampled parts (one in s) is taken for one of 1 + s(c − 1), as in `expectations`.
    """
    budget = params.budget
    cells = count_dated_cells(log, params, progress)
    is_inside = is_within_window(cells.step, params)
    query, count = cells.query[is_inside], cells.count[is_inside].astype(np.float64)
    totals, stands = extrapolate_counts(np.maximum(count, 1.0), scale)
    chance = budget.compute_chances(totals)
    codes, place = np.unique(query, return_inverse=True)
    # Searches of each cell's query on its day or in its week.
    starts = log.event_starts
    times = period_of(log.time[starts], params.step)
    keys, sizes = count_keys([(log.query[starts].astype(np.int64) << 32) + times], progress)
    searches = sizes[np.searchsorted(keys, (query << 32) + cells.step[is_inside])]
    all_searches = max(int(starts.sum()), 1)

    def expect_values(chance: Float64s) -> tuple[MetricValue, ...]:
        missed = np.zeros(len(codes), dtype=np.float64)
        np.add.at(missed, place, np.log1p(-np.minimum(chance, 1 - 1e-12)))
        volume = float((chance * totals * stands).sum() / max((totals * stands).sum(), 1.0))
        return (
            describe_metric("expected.cells", float((chance * stands).sum())),
            describe_metric("expected.queries", float(-np.expm1(missed).sum())),
            metric_of_searches(dot_product(chance, searches.astype(np.float64)) / all_searches),
            describe_metric("expected.volume", volume),
            describe_metric("expected.noise", budget.error),
        )

    return ExpectedRelease(
        statement=statement_of(params, round(cells.units * scale), True),
        values=expect_values(chance),
        note=""
        if float((chance * stands).sum()) >= 1
        else "Hardly any day of any query will be shown: count by week, fewer days of each user, "
        "or take a higher ε.",
        expect_without=lambda marks: (
            expect_values(np.where(marks.queries(log.queries)[query], 0, chance)),
            (),
        ),
    )


def explain(
    request: ExplanationRequest, params: DatedCountsParams, progress: Progress
) -> Explanation:
    """How many users it has on each day within the limits, and the chance that suffices."""
    budget = params.budget
    counts, steps = _counts_of(params, request, progress)

    def compute_chance(other: DatedCountsParams) -> float:
        unchanged = (other.q_f, other.days) == (params.q_f, params.days)
        own = counts if unchanged else _counts_of(other, request, progress)[0]
        return float(1 - np.prod(1 - other.budget.compute_chances(own))) if len(own) else 0.0

    chance = compute_chance(params)
    peak = int(counts.max(initial=0))
    dates = find_first_days(steps, params.step)
    rows = [
        [str(date), int(count), float(p)]
        for date, count, p in zip(dates, counts, budget.compute_chances(counts), strict=True)
    ]
    return Explanation(
        outcome=sentence(
            "dated_counts.counted_days_weeks_users",
            days=len(counts),
            most=peak,
            least=budget.threshold,
        ),
        chance=chance,
        values=(
            describe_metric("limited_users", float(peak)),
            describe_metric("threshold", float(budget.threshold)),
        ),
        tables=(describe_metric.table("days", rows),),
        turns=find_turning_points(params, compute_chance, ("epsilon", "delta"), progress=progress)
        if len(counts)
        else (),
    )


def _counts_of(
    params: DatedCountsParams, request: ExplanationRequest, progress: Progress
) -> tuple[Float64s, Int64s]:
    """The limited counts of one query, and their steps."""
    if request.code == NONE:
        return np.zeros(0), np.zeros(0, dtype=np.int64)
    part = request.select_histories()
    cells = count_dated_cells(part, params, progress)
    code = int(part.queries.find([request.text])[0])
    keep = (cells.query == code) & is_within_window(cells.step, params)
    return cells.count[keep].astype(np.float64), cells.step[keep]


METHOD = Method(
    **describe_metric.card,
    params=DatedCountsParams,
    yields="tables",
    randomised=True,
    run=run,
    spark=SparkSupport("sets.release_dated", follows=("protected_unit",)),
    outlook=expect_release,
    curves=lambda params, _users: (
        outlook.chance_by_users(
            describe_metric,
            2 * params.budget.threshold,
            params.budget.compute_chances,
            params.budget.threshold,
            phrase("threshold {least:,}", least=params.budget.threshold),
        ),
    ),
    explain=explain,
    main=("epsilon", "delta", "step", "q_f", "days"),
    dated=True,
    errors=lambda params: {DATED: params.budget.width},
    faults=list_faults(
        {"q_f": 1, "epsilon": 1.0, "delta": 0.01, "protected_unit": "day"},
        f"{__name__}:derive_budget",
        "threshold",
        module=__name__,
    ),
)
