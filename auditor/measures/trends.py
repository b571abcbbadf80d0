"""Whether what people ask still rises and falls on the right days.

Trends are what many study query logs for (outbreaks, elections, seasons). For the most frequent
queries of the log, searches a day are compared between log and release: how far they go together
(Pearson's correlation, which the level doesn't move) and how far apart they lie (the share of the
log's searches that would have to be moved, added or taken away). Whatever its queries look like,
the release's searches of a day are compared in sum as well: that is all that hashed queries tell.

Tables have no times, so this applies to released logs alone. Days are UTC; one that the log holds
in part, at either end, is left out. Cost: O(rows) and
O(days · queries).
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from auditor.figures import Axis, Figure, MetricValue, Series, Table
from auditor.log.model import NONE, QueryLog
from auditor.measures.base import Measure, MeasureResult
from auditor.measures.query_counts import query_counts, released_codes
from auditor.measures.retrieval.graph import text_order
from auditor.params import Params, integer
from auditor.privacy.release import Anonymized
from auditor.progress import Progress

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

DAY = 86_400
_ROWS = 1 << 21
BINS = np.linspace(-1, 1, 21)


@dataclass(frozen=True, kw_only=True)
class TrendsParams(Params, owner="trends"):
    """How many queries are followed, and for how long at a time."""

    queries: int = integer(
        100,
        1,
        10_000,
        label="Queries followed",
        help="So many of the most frequent queries of the log are followed over its days.",
        unit="queries",
        slider=(10, 1_000),
        scale="log",
    )
    days: int = integer(
        1,
        1,
        366,
        label="Days in a step",
        help="Searches are counted over so many days at a time, by UTC.",
        unit="days",
        slider=(1, 31),
    )


def run(
    log: QueryLog,
    release: Anonymized,
    params: TrendsParams,
    *,
    rng: np.random.Generator,
    progress: Progress,
) -> MeasureResult:
    """Compare searches over time, of frequent queries and of all."""
    del rng
    released = release.log
    assert released is not None
    assert log.period is not None
    width = params.days * DAY
    origin, steps = whole_steps(log.period, width)
    if steps < 3:
        note = f"The log holds {steps} whole steps of {params.days} days: too few for a trend."
        return MeasureResult(measure="trends", params=params.to_dict(), values=(), notes=(note,))
    chosen = _frequent(log, params.queries, progress)
    code = released_codes(log, release, progress)[chosen].astype(np.int64)
    before, all_before, _ = over_time(log, chosen, origin, steps, width, progress)
    after, all_after, outside = over_time(released, code, origin, steps, width, progress)
    found = FollowedQueries(chosen, code != NONE, before, after, all_before, all_after, outside)
    return MeasureResult(
        measure="trends",
        params=params.to_dict(),
        values=tuple(_values(found)),
        figures=(_days(found, params.days), _spread(found)),
        tables=(_table(log, found),),
        notes=_notes(found),
    )


@dataclass(frozen=True, eq=False)
class FollowedQueries:
    """Searches of `chosen` queries of the log over time, and of all; shape (queries, steps).

    `there` says which of them are released. `outside` are released searches of no step.
    """

    chosen: Ints
    there: NDArray[np.bool_]
    before: Floats
    after: Floats
    all_before: Floats
    all_after: Floats
    outside: int

    @functools.cached_property
    def told(self) -> Floats:
        """The correlation of each query; NaN where it never changes in the log."""
        pairs = zip(self.before, self.after, strict=True)
        return np.array([correlation(first, second) for first, second in pairs])


def whole_steps(period: tuple[int, int], width: int) -> tuple[int, int]:
    """The first step that a period holds nearly whole (23 of 24 parts), and how many follow.

    A log that begins or ends within a day would otherwise seem to have a trend there.
    """
    slack = width // 24
    first, last = -((slack - period[0]) // width), (period[1] + slack) // width
    return first, max(0, last - first)


def over_time(
    log: QueryLog, codes: Ints, origin: int, steps: int, width: int, progress: Progress
) -> tuple[Floats, Floats, int]:
    """Searches of each query of `codes` (−1 for none) by step of `width` seconds, and of all.

    Shapes (queries, steps) and (steps,); last, the searches before the first or after the last
    step. O(rows).
    """
    place = np.full(len(log.queries) + 1, NONE, dtype=np.int64)
    place[codes[codes != NONE]] = np.flatnonzero(codes != NONE)
    counts = np.zeros((len(codes), steps))
    whole, outside = np.zeros(steps), 0
    starts = log.event_starts
    for first, last in progress.blocks("counting days", len(log), _ROWS):
        rows = np.flatnonzero(starts[first:last]) + first
        step = log.time[rows] // width - origin
        inside = (step >= 0) & (step < steps)
        outside += int((~inside).sum())
        step, row = step[inside], place[log.query[rows[inside]]]
        whole += np.bincount(step, minlength=steps)
        mine = row != NONE
        cells = np.bincount(row[mine] * steps + step[mine], minlength=counts.size)
        counts += cells.reshape(counts.shape)
    return counts, whole, outside


def correlation(first: Floats, second: Floats) -> float:
    """Pearson's correlation; NaN where the first is constant, 0 where only the second is."""
    a, b = first - first.mean(), second - second.mean()
    if not a.any():
        return float("nan")
    if not b.any():
        return 0.0
    return float(np.clip((a * b).sum() / np.sqrt((a * a).sum() * (b * b).sum()), -1, 1))


def _frequent(log: QueryLog, most: int, progress: Progress) -> Ints:
    counts = query_counts(log, "events", progress)
    order = np.lexsort((text_order(log.queries, progress), -counts))
    return order[:most].astype(np.int64)


def _values(found: FollowedQueries) -> list[MetricValue]:
    apart = np.abs(found.before - found.after).sum() / max(found.before.sum(), 1)
    values = [
        MetricValue(
            "trends.found",
            "frequent queries of the log that are released",
            float(found.there.mean()),
            help=f"Of the {len(found.chosen):,} most frequent queries, letter for letter.",
            better="higher",
            side="utility",
        ),
        MetricValue(
            "trends.apart",
            "daily searches of frequent queries: share that differs",
            float(apart),
            help="Differences of all days of the frequent queries, as a share of their searches "
            "in the log; 1 if none is released.",
            better="lower",
            side="utility",
        ),
    ]
    known = ~np.isnan(found.told)
    both = known & found.there
    help = "Pearson's correlation of searches over time in log and release, averaged over queries "
    help += "that change in the log"
    if both.any():
        values.append(
            MetricValue(
                "trends.correlation",
                "trends of frequent queries, queries found: correlation",
                float(found.told[both].mean()),
                help=f"{help}. Read it beside the share of queries found.",
                better="higher",
                side="utility",
            )
        )
    if known.any():
        values.append(
            MetricValue(
                "trends.correlation_all",
                "trends of frequent queries, all: correlation",
                float(np.where(both, found.told, 0.0)[known].mean()),
                help=f"{help}; one that isn't released counts 0.",
                better="higher",
                side="utility",
            )
        )
    together = correlation(found.all_before, found.all_after)
    if not np.isnan(together):
        values.append(
            MetricValue(
                "trends.volume",
                "all searches over time: correlation",
                together,
                help="Of all searches of a day together, whatever was asked.",
                better="higher",
                side="utility",
            )
        )
    return values


def _notes(found: FollowedQueries) -> tuple[str, ...]:
    notes = []
    if not found.there.any():
        notes.append(
            "None of the frequent queries is released letter for letter: only all searches "
            "together can be compared."
        )
    if found.outside:
        notes.append(f"{found.outside:,} released searches lie outside the log's whole days.")
    return tuple(notes)


def _days(found: FollowedQueries, days: int) -> Figure:
    x = np.arange(len(found.all_before), dtype=np.float64) * days
    return Figure(
        name="trends-volume",
        title="Searches over time",
        x=Axis("days since the log's first"),
        y=Axis("searches" if days == 1 else f"searches in {days} days"),
        series=(Series("log", x, found.all_before), Series("release", x, found.all_after)),
    )


def _spread(found: FollowedQueries) -> Figure:
    counts = np.histogram(found.told[found.there & ~np.isnan(found.told)], BINS)[0]
    middle = (BINS[1:] + BINS[:-1]) / 2
    return Figure(
        name="trends-correlation",
        title="How well frequent queries keep their trend",
        x=Axis("correlation with the log"),
        y=Axis("queries"),
        series=(Series("queries", middle, counts.astype(np.float64), "bars"),),
    )


def _table(log: QueryLog, found: FollowedQueries) -> Table:
    rows = zip(
        found.chosen.tolist(),
        found.before.sum(axis=1).astype(np.int64).tolist(),
        found.after.sum(axis=1).astype(np.int64).tolist(),
        found.told.tolist(),
        found.there.tolist(),
        strict=True,
    )
    return Table(
        name="trends",
        title="Frequent queries over time",
        columns=("query", "searches in the log", "searches released", "correlation"),
        rows=[
            [
                log.queries[query],
                before,
                after if there else "not released",
                round(told, 4) if there and not np.isnan(told) else "",
            ]
            for query, before, after, told, there in rows
        ],
        private=True,
    )


MEASURE = Measure(
    name="trends",
    cost="O(rows + days · queries)",
    title="Trends",
    summary="Whether frequent queries still rise and fall on the same days.",
    source="Frequency over time, as studies of query logs use it; not measured by the sources",
    params=TrendsParams,
    run=run,
    applies=("log",),
    because="tables have no times",
)
