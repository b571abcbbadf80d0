"""Dated tables: noisy numbers of users of each query on each day or in each week.

Each user counts once for each of their first q_f distinct queries of a day, on their first `days`
active days. Each (query, day) gets truncated geometric or Gaussian noise, whichever shows more, and
is shown from a threshold on that hides one user's part; see `params` for the proof, and for why
days that follow can be released later at no further cost. Deployed tables of this kind are Google's
COVID-19 search trends symptoms (Bavadekar et al. 2020) and Wikimedia's daily counts (Adeleye et al.
2023), both with a user's day as the unit.

Truncated noise: Desfontaines, Voss, Gipson and Mandayam, PoPETs 2022. Gaussian noise with a
threshold: Gopi et al., ICML 2020, here with a weight of 1 for each cell.

Cost: O(rows log rows), and one draw of noise for each cell that is not 0.
"""

from dataclasses import dataclass

import numpy as np

from auditor.arrays import Bools, Float64s, Int32s, Int64s
from auditor.figures import Figure, MetricValue
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import NONE, QueryLog
from auditor.log.sentences import sentence
from auditor.messages import phrase
from auditor.methods import statements as words
from auditor.methods.base import ExpectedRelease, Method, SparkSupport
from auditor.methods.dated_counts.params import DatedBudget, DatedCountsParams
from auditor.methods.explanation.explanation import (
    Explanation,
    ExplanationRequest,
    find_turning_points,
)
from auditor.methods.faults import list_faults
from auditor.methods.noisy_counts import outlook
from auditor.methods.noisy_counts.expectations import dot_product, extrapolate_counts
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
    HISTORY,
    find_first_days,
    number_periods,
    period_of,
    state_period,
    take_as_users,
)
from auditor.privacy.composition import NoiseLaw
from auditor.privacy.randomness import Randomness
from auditor.privacy.release import DATED, DatedCounts, Product
from auditor.privacy.statement import Assumption, Statement, Term
from auditor.progress import Progress


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

    def __len__(self) -> int:
        return len(self.count)

    def count_searches(self, log: QueryLog, step: str, progress: Progress) -> Float64s:
        """Searches of each cell's query on its day or in its week; shape (cells,)."""
        starts = log.event_starts
        keys = [(log.query[starts].astype(np.int64) << 32) + period_of(log.time[starts], step)]
        cells, searches = count_keys(keys, progress)
        return searches[np.searchsorted(cells, (self.query << 32) + self.step)].astype(np.float64)


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


describe_metric = MetricCatalogue("methods", "dated_counts")

EARLIER_DAYS = "earlier days are in the log"
"""The assumption under which releases of later days cost nothing more."""


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
    """Whether each step is released; shape (steps,)."""
    first, last = params.compute_window()
    keep: Bools = np.ones(len(step), dtype=np.bool_)
    if first is not None:
        keep &= step >= first
    if last is not None:
        keep &= step <= last
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
                EARLIER_DAYS,
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
    searches = cells.count_searches(log, params.step, progress)[is_inside]
    all_searches = max(int(log.event_starts.sum()), 1)

    def expect_values(chance: Float64s) -> tuple[MetricValue, ...]:
        missed = np.zeros(len(codes), dtype=np.float64)
        np.add.at(missed, place, np.log1p(-np.minimum(chance, 1 - 1e-12)))
        volume = float((chance * totals * stands).sum() / max((totals * stands).sum(), 1.0))
        return (
            describe_metric("expected.cells", float((chance * stands).sum())),
            describe_metric("expected.queries", float(-np.expm1(missed).sum())),
            metric_of_searches(dot_product(chance, searches) / all_searches),
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


def curves(params: DatedCountsParams, users: int) -> tuple[Figure, ...]:
    """With which probability a query's day is shown, over its users."""
    del users
    least = params.budget.threshold
    text = phrase("threshold {least:,}", least=least)
    return (
        outlook.chance_by_users(
            describe_metric, 2 * least, params.budget.compute_chances, least, text
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
    curves=curves,
    explain=explain,
    main=("epsilon", "delta", "step", "q_f", "days"),
    dated=True,
    errors=lambda params: {DATED: params.budget.width},
    faults=list_faults(
        {"q_f": 1, "epsilon": 1.0, "delta": 0.01, "protected_unit": "day"},
        "auditor.methods.dated_counts.params:derive_budget",
        "threshold",
        module=__name__,
    ),
)
