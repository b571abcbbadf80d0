"""Whether what people search still rises and falls on the right days.

For the most frequent queries of the log, searches a day are compared between log and release: how
far they go together (Pearson's correlation, which the level doesn't move) and how far apart they
lie (the share of the log's searches that would have to be moved, added or taken away). The searches
of a day are compared in sum as well: that is all that hashed queries tell.

A table by date is measured like a log: its counts are users of a query and day, and stand against
the log's searches. By week, steps are weeks from Monday. Days are UTC; one that the log holds in
part, at either end, is left out. Only days on which something was asked take memory. Cost: O(rows
log rows).
"""

import functools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from auditor.arrays import Bools, Float64s, Int64s
from auditor.figures import Axis, Figure, MetricValue, Series, Table
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import NONE, QueryLog
from auditor.measures.base import Measure, MeasureContext, MeasureResult
from auditor.measures.click_graph import Matrix, text_order
from auditor.measures.query_counts import query_counts, released_codes
from auditor.messages import as_phrase, phrase
from auditor.params import Params
from auditor.privacy.release import Anonymized, Tables
from auditor.progress import Progress

catalogue = MetricCatalogue("measures", "trends")

DAY = 86_400
MONDAY = 3 * DAY
"""1 January 1970 was the third day after a Monday."""
OF_USERS = "The table counts users of a query and day, each once; the log's are searches."
_ROWS = 1 << 21
BINS = np.linspace(-1, 1, 21)
MOST_POINTS = 4_000
"""Steps that the plot over time shows; of a longer log it shows several in one point."""


@dataclass(frozen=True, kw_only=True)
class TrendsParams(Params, owner="trends"):
    """How many queries are followed, and for how long at a time."""

    queries: int = 100
    days: int = 1


def run(
    log: QueryLog, release: Anonymized, params: TrendsParams, context: MeasureContext
) -> MeasureResult:
    """Compare searches over time, of frequent queries and of all."""
    progress = context.progress
    tables = release.tables
    weekly = tables is not None and tables.step == "week"
    width = (-(-params.days // 7) * 7 if weekly else params.days) * DAY
    shift = MONDAY if weekly else 0
    origin, steps = 0, 0
    if log.period is not None:
        first, last = log.period
        origin, steps = whole_steps((first + shift, last + shift), width)
    if steps < 3:
        note = catalogue.say("too_few_steps", steps=steps, days=params.days)
        return MEASURE.build_result(params, notes=(note,))
    counts = query_counts(log, "events", progress)
    top_queries = np.lexsort((text_order(log.queries, progress), -counts))[: params.queries]
    code = released_codes(log, release, progress)[top_queries].astype(np.int64)
    grid = StepGrid(origin, steps, width, shift)
    before = over_time(log, top_queries, grid, progress)
    if tables is not None:
        after = dated_over_time(tables, code, grid)
    else:
        assert release.log is not None
        after = over_time(release.log, code, grid, progress)
    trend = FollowedQueries(top_queries, code != NONE, before, after)
    counts = np.histogram(
        trend.correlations[trend.is_released & ~np.isnan(trend.correlations)], BINS
    )[0]
    middle = (BINS[1:] + BINS[:-1]) / 2
    together = -(-steps // MOST_POINTS)
    points = -(-steps // together)
    days = width // DAY * together
    x = np.arange(points, dtype=np.float64) * days
    # All searches over time, so many steps in one point.
    totals = [side.counts[[-1]] for side in (before, after)]
    sums = [
        np.bincount(total.indices // together, total.data, minlength=points).astype(np.float64)
        for total in totals
    ]
    notes = [] if trend.is_released.any() else [catalogue.say("no_frequent_query")]
    if after.outside:
        notes.append(catalogue.say("outside_steps", outside=after.outside))
    if tables is not None:
        notes.append(OF_USERS)
    return MEASURE.build_result(
        params,
        _build_metrics(trend),
        figures=(
            Figure(
                name="trends-volume",
                title="Searches over time",
                x=Axis("days since the log's first"),
                y=Axis("searches" if days == 1 else phrase("searches in {days} days", days=days)),
                series=(Series("log", x, sums[0]), Series("release", x, sums[1])),
            ),
            catalogue.figure(
                "trends-correlation",
                (Series("queries", middle, counts.astype(np.float64), "bars"),),
            ),
        ),
        tables=(_build_table(log, trend),),
        notes=notes,
    )


@dataclass(frozen=True)
class StepGrid:
    """Steps of `width` seconds from number `origin` on; times are moved by `shift` before."""

    origin: int
    steps: int
    width: int
    shift: int = 0

    def number_steps(self, time: Int64s) -> tuple[Int64s, Bools]:
        """The step of each time, from 0, and whether it is one of these steps."""
        step = (time + self.shift) // self.width - self.origin
        return step, (step >= 0) & (step < self.steps)


class StepCounts(NamedTuple):
    """How often each of some queries was issued in each step of time; the last row is of all."""

    counts: Matrix  # shape (queries + 1, steps)
    outside: int = 0  # searches before the first or after the last step


@dataclass(frozen=True, eq=False)
class FollowedQueries:
    """Searches of `codes` queries of the log over time; the last row are those of all queries.

    `is_released` says which of the chosen are released.
    """

    codes: Int64s
    is_released: Bools
    before: StepCounts
    after: StepCounts

    @functools.cached_property
    def every(self) -> Float64s:
        """The correlation of each query, and at last of all searches; see `correlate_rows`."""
        return correlate_rows(self.before.counts, self.after.counts)

    @property
    def correlations(self) -> Float64s:
        """The correlation of each query; NaN where it never changes in the log."""
        return self.every[:-1]


def whole_steps(period: tuple[int, int], width: int) -> tuple[int, int]:
    """The first step that a period holds nearly whole (23 of 24 parts), and how many follow.

    A log that begins or ends within a day would otherwise seem to have a trend there.
    """
    slack = width // 24
    first, last = -((slack - period[0]) // width), (period[1] + slack) // width
    return first, max(0, last - first)


def over_time(log: QueryLog, codes: Int64s, grid: StepGrid, progress: Progress) -> StepCounts:
    """Searches of each query of `codes` (−1 for none) by step.

    One row more than there are codes: the last is of all queries. O(rows log rows).
    """
    from scipy import sparse

    place = _index_codes(codes, len(log.queries))
    shape = len(codes) + 1, grid.steps
    counts: Matrix = sparse.csr_array(shape, dtype=np.int64)
    outside = 0
    starts = log.event_starts
    for first, last in progress.blocks("counting days", len(log), _ROWS):
        rows = np.flatnonzero(starts[first:last]) + first
        step, is_inside = grid.number_steps(log.time[rows])
        outside += int((~is_inside).sum())
        row = place[log.query[rows[is_inside]]]
        counts = counts + _sum_cells(row, step[is_inside], np.ones(len(row), dtype=np.int64), shape)
    return StepCounts(counts, outside)


def dated_over_time(tables: Tables, codes: Int64s, grid: StepGrid) -> StepCounts:
    """The same of a table by date; noisy counts below 0 are taken for 0."""
    dates = tables.dates
    step, is_inside = grid.number_steps(dates.time)
    counts = np.maximum(dates.counts, 0)
    row = _index_codes(codes, len(tables.queries))[dates.query[is_inside]]
    sums = _sum_cells(row, step[is_inside], counts[is_inside], (len(codes) + 1, grid.steps))
    return StepCounts(sums, int(counts[~is_inside].sum()))


def _index_codes(codes: Int64s, queries: int) -> Int64s:
    """The place in `codes` of each query, −1 where it isn't there; shape (queries + 1,)."""
    place = np.full(queries + 1, NONE, dtype=np.int64)
    place[codes[codes != NONE]] = np.flatnonzero(codes != NONE)
    return place


def _sum_cells(row: Int64s, step: Int64s, counts: Int64s, shape: tuple[int, int]) -> Matrix:
    """The sum of the counts of each row and step; those of every row, −1 too, are in the last."""
    from scipy import sparse

    has_row = row != NONE
    rows = np.concatenate([row[has_row], np.full(len(row), shape[0] - 1)])
    cells = np.concatenate([counts[has_row], counts]), (rows, np.concatenate([step[has_row], step]))
    return sparse.coo_array(cells, shape=shape).tocsr()


def correlate_rows(first: Matrix, second: Matrix) -> Float64s:
    """Pearson's correlation of each row; NaN where the first is constant, 0 where the second is.

    In whole numbers up to the last division, so that a constant row is known for sure.
    """
    steps = first.shape[1]
    products = first.multiply(second).sum(axis=1).tolist()
    sums = [
        zip(matrix.sum(axis=1).tolist(), matrix.multiply(matrix).sum(axis=1).tolist(), strict=True)
        for matrix in (first, second)
    ]
    coefficients = np.full(first.shape[0], np.nan)
    for row, (product, (a, aa), (b, bb)) in enumerate(zip(products, *sums, strict=True)):
        spread, other_spread = steps * aa - a * a, steps * bb - b * b
        if spread:
            together = steps * product - a * b
            size = math.sqrt(spread) * math.sqrt(other_spread)
            coefficients[row] = min(1.0, max(-1.0, together / size)) if other_spread else 0.0
    return coefficients


def _build_metrics(trend: FollowedQueries) -> Iterator[MetricValue]:
    before, after = trend.before.counts[:-1], trend.after.counts[:-1]
    moved_share = abs(before - after).sum() / max(int(before.sum()), 1)
    yield catalogue("trends.found", float(trend.is_released.mean()), chosen=len(trend.codes))
    yield catalogue("trends.apart", float(moved_share))
    valid = ~np.isnan(trend.correlations)
    both = valid & trend.is_released
    help = "Pearson's correlation of searches over time in log and release, averaged over queries "
    help += "that change in the log"
    for name, is_selected, correlation in (
        ("correlation", both, trend.correlations),
        ("correlation_all", valid, np.where(both, trend.correlations, 0.0)),
    ):
        if is_selected.any():
            mean = float(correlation[is_selected].mean())
            yield catalogue(f"trends.{name}", mean, help=as_phrase(help))
    together = float(trend.every[-1])
    if not np.isnan(together):
        yield catalogue("trends.volume", together)


def _build_table(log: QueryLog, trend: FollowedQueries) -> Table:
    before, after = (side.counts.sum(axis=1)[:-1].tolist() for side in (trend.before, trend.after))
    rows = zip(
        trend.codes.tolist(),
        before,
        after,
        trend.correlations.tolist(),
        trend.is_released.tolist(),
        strict=True,
    )
    return catalogue.table(
        "trends",
        [
            [
                log.queries[query],
                before,
                after if is_released else "not released",
                round(correlation, 4) if is_released and not np.isnan(correlation) else "",
            ]
            for query, before, after, correlation, is_released in rows
        ],
    )


MEASURE = Measure(**catalogue.card, params=TrendsParams, run=run, applies=("log",), dated=True)
