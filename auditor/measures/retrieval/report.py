"""What retrieval says: averages with their coverage, a paired test, and the source's Fig. 3."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from auditor.arrays import Float64s, Int64s
from auditor.figures import Axis, Figure, MetricValue, Series, Table
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.measures.base import MeasureResult
from auditor.measures.retrieval.algorithms import DEPTH
from auditor.measures.retrieval.folds import CachedFolds
from auditor.measures.retrieval.metrics import METRICS
from auditor.messages import as_phrase, phrase

catalogue = MetricCatalogue("measures", "retrieval")

ALGORITHMS: tuple[tuple[str, str], ...] = (
    ("walk", "random walk"),
    ("impact", "walk with impact"),
    ("feedback", "implicit feedback, half folds"),
    ("feedback_same", "feedback as printed, half folds"),
    ("feedback_printed", "feedback as printed"),
)
FLATTERING = ("feedback_same", "feedback_printed")
"""Algorithms whose feedback comes from the clicks that are judged."""
SHOWN = ("ndcg", "map")
SOURCE = "Zhang et al. 2016, Figure 3"


@dataclass(frozen=True, eq=False)
class RetrievalOutcome:
    """One fold: clicks of each tested query, and what was found by the original and the release."""

    weight: Int64s
    original: CachedFolds
    released: CachedFolds


@dataclass(frozen=True)
class PairedComparison:
    """One algorithm and metric. `found` is over released queries, `all` has 0 for the others.

    `original_found` is the original on those same queries, `original_own` on all that it has
    itself; t and p are of the paired two-tailed test, original against released.
    """

    original_own: float
    original_found: float
    found: float
    interval: tuple[float, float]
    t: float
    p: float
    original_all: float
    all: float
    t_all: float
    p_all: float


def result_of(
    params: Mapping[str, Any], outcomes: Sequence[RetrievalOutcome], moves: int, clicked: int
) -> MeasureResult:
    """The figures, plots and table of all folds together; every tested query counts alike.

    `clicked` counts the queries that could be tested: more than are where some were drawn.
    """
    original = _join_folds(outcomes, [outcome.original for outcome in outcomes])
    released = _join_folds(outcomes, [outcome.released for outcome in outcomes])
    weight = np.concatenate([outcome.weight for outcome in outcomes])
    pairs = [(name, metric) for name, _ in ALGORITHMS for metric, _ in METRICS]
    compared = dict(zip(pairs, compare_pairs(original, released, len(weight)), strict=True))
    counts = {
        "test_queries": len(weight),
        "test_queries_found": len(released.here),
        "test_queries_found_original": len(original.here),
    }
    if clicked > len(weight):
        counts["test_queries_clicked"] = clicked
    return MeasureResult(
        measure="retrieval",
        params=params,
        values=(*_build_coverage_metrics(released.here, weight), *_build_metrics(compared)),
        figures=tuple(_draw_figure(metric, label, compared) for metric, label in METRICS[:2]),
        tables=(_build_table(compared, counts),),
        notes=_write_notes(counts, moves),
        details=_build_details(compared, counts),
    )


def _join_folds(outcomes: Sequence[RetrievalOutcome], parts: Sequence[CachedFolds]) -> CachedFolds:
    """What was found in all folds, its places counted through."""
    sizes = [0, *(len(outcome.weight) for outcome in outcomes[:-1])]
    starts = np.cumsum(sizes).tolist()
    here = [start + part.here for start, part in zip(starts, parts, strict=True)]
    return CachedFolds(
        np.concatenate(here), np.concatenate([part.figures for part in parts], axis=1)
    )


def compare_pairs(
    original: CachedFolds, released: CachedFolds, queries: int
) -> list[PairedComparison]:
    """Compare figures of the same queries, of which there are so many in all, row by row."""
    own, second = original.figures, released.figures
    _, at, to = np.intersect1d(
        original.here, released.here, assume_unique=True, return_indices=True
    )
    first, same = own[:, at], second[:, to]
    apart = first - same
    # Over all queries what isn't there is 0, and differs by what the other side has.
    lost, new = np.delete(own, at, axis=1), np.delete(second, to, axis=1)
    found = t_test(apart.sum(axis=1), _sum_squares(apart), len(at))
    everywhere = t_test(
        apart.sum(axis=1) + lost.sum(axis=1) - new.sum(axis=1),
        _sum_squares(apart) + _sum_squares(lost) + _sum_squares(new),
        queries,
    )
    return [
        PairedComparison(
            original_own=_compute_mean(own[row]),
            original_found=_compute_mean(first[row]),
            found=_compute_mean(second[row]),
            interval=_compute_interval(second[row]),
            t=float(found[0][row]),
            p=float(found[1][row]),
            original_all=float(own[row].sum()) / max(queries, 1),
            all=float(second[row].sum()) / max(queries, 1),
            t_all=float(everywhere[0][row]),
            p_all=float(everywhere[1][row]),
        )
        for row in range(len(own))
    ]


def _sum_squares(rows: Float64s) -> Float64s:
    total: Float64s = np.einsum("ij,ij->i", rows, rows)
    return total


def t_test(total: Float64s, square: Float64s, n: int) -> tuple[Float64s, Float64s]:
    """t and p of the paired two-tailed test from differences' sums and sums of squares.

    As `scipy.stats.ttest_rel` gives them, without its passes over the data; n pairs a row. Where
    every pair differs by the same there is no variance to test against: (0, 1) where that
    is 0, (±∞, 0) elsewhere. NaN for fewer than 2 pairs.
    """
    from scipy import stats

    if n < 2:
        return np.full(len(total), np.nan), np.full(len(total), np.nan)
    mean = total / n
    spread = np.maximum(square - n * mean**2, 0) / (n - 1)
    flat = spread <= 1e-14 * np.maximum(square, 1) / n
    mean[flat & (np.abs(mean) <= 1e-12)] = 0
    t = np.copysign(np.where(mean == 0, 0.0, np.inf), mean)
    np.divide(mean, np.sqrt(spread / n), out=t, where=~flat)
    return t, 2 * stats.t.sf(np.abs(t), n - 1)


def _compute_mean(values: Float64s) -> float:
    return float(values.mean()) if len(values) else float("nan")


def _compute_interval(values: Float64s) -> tuple[float, float]:
    """95 % interval of a mean over queries, by the normal law."""
    if len(values) < 2:
        return (0.0, 1.0)
    middle = float(values.mean())
    wide = 1.96 * float(values.std(ddof=1)) / len(values) ** 0.5
    return max(0.0, middle - wide), min(1.0, middle + wide)


def _build_coverage_metrics(here: Int64s, weight: Int64s) -> tuple[MetricValue, ...]:
    share = len(here) / max(len(weight), 1)
    clicks = float(weight[here].sum() / max(int(weight.sum()), 1))
    return (catalogue("retrieval.coverage", share), catalogue("retrieval.click_coverage", clicks))


def _build_metrics(compared: Mapping[tuple[str, str], PairedComparison]) -> list[MetricValue]:
    labels, made = dict(METRICS), []
    for name, title in ALGORITHMS:
        for metric in SHOWN:
            found = compared[name, metric]
            flatters = " Flatters: feedback is taken from the test." if name in FLATTERING else ""
            if not np.isnan(found.found):
                made.append(
                    catalogue(
                        "retrieval",
                        found.found,
                        named=f"retrieval.{name}.{metric}",
                        interval=found.interval,
                        labels=as_phrase(labels[metric]),
                        title=as_phrase(title),
                        flatters=as_phrase(flatters),
                    )
                )
            made.append(
                catalogue(
                    "retrieval_all",
                    found.all,
                    named=f"retrieval.{name}.{metric}_all",
                    labels=as_phrase(labels[metric]),
                    title=as_phrase(title),
                    flatters=as_phrase(flatters),
                )
            )
    return made


def _draw_figure(
    metric: str, label: str, compared: Mapping[tuple[str, str], PairedComparison]
) -> Figure:
    rows = [compared[name, metric] for name, _ in ALGORITHMS]
    places = np.arange(len(rows), dtype=np.float64)

    def make_bars(name: str, values: list[float], *bounds: list[float]) -> Series:
        low, high = (np.array(bound) for bound in bounds) if bounds else (None, None)
        return Series(name, places, np.nan_to_num(np.array(values)), "bars", low, high)

    return Figure(
        name=f"retrieval-{metric}",
        title=phrase("Web search before and after: {label}", label=as_phrase(label)),
        x=Axis("algorithm", categories=tuple(title for _, title in ALGORITHMS)),
        y=Axis(label),
        series=(
            make_bars("original, released queries", [row.original_found for row in rows]),
            make_bars(
                "released, released queries",
                [row.found for row in rows],
                [row.interval[0] for row in rows],
                [row.interval[1] for row in rows],
            ),
            make_bars("original, all test queries", [row.original_all for row in rows]),
            make_bars("released, all test queries", [row.all for row in rows]),
        ),
        note="The first pair is the source's: only queries that are released count. In the second "
        "every test query counts, with 0 where it isn't there. "
        "“As printed” takes its feedback from the tested clicks themselves and flatters; on half "
        "folds it is judged by the same clicks as the honest one, and can be compared with it.",
        source=SOURCE,
        own_words=True,
    )


def _build_table(
    compared: Mapping[tuple[str, str], PairedComparison], counts: Mapping[str, int]
) -> Table:
    labels, titles = dict(METRICS), dict(ALGORITHMS)
    return catalogue.table(
        "retrieval",
        [
            [
                titles[name],
                labels[metric],
                *(
                    "" if np.isnan(value) else float(f"{value:.4g}")
                    for value in (
                        row.original_found,
                        row.found,
                        row.t,
                        row.p,
                        row.original_all,
                        row.all,
                        row.t_all,
                        row.p_all,
                    )
                ),
            ]
            for (name, metric), row in compared.items()
        ],
        source=SOURCE,
        own_words=True,
        test_queries=counts["test_queries"],
        test_queries_found=counts["test_queries_found"],
        test_queries_found_original=counts["test_queries_found_original"],
    )


def _build_details(
    compared: Mapping[tuple[str, str], PairedComparison], counts: Mapping[str, int]
) -> dict[str, Any]:
    """Everything, flat: the columns of a sweep."""
    found: dict[str, Any] = {f"retrieval.{name}": count for name, count in counts.items()}
    for (name, metric), row in compared.items():
        facts = {
            "": row.found,
            "_all": row.all,
            "_original": row.original_found,
            "_original_own": row.original_own,
            "_original_all": row.original_all,
            "_t": row.t,
            "_p": row.p,
            "_all_t": row.t_all,
            "_all_p": row.p_all,
        }
        for suffix, value in facts.items():
            if np.isfinite(value):
                found[f"retrieval.{name}.{metric}{suffix}"] = value
    return found


def _write_notes(counts: Mapping[str, int], moves: int) -> tuple[str, ...]:
    notes = [
        catalogue.say("folds"),
        catalogue.say("printed_feedback"),
        "A test that finds no difference doesn't show that there is none.",
        catalogue.say("walk", moves=moves, depth=DEPTH),
    ]
    if "test_queries_clicked" in counts:
        notes.insert(
            0,
            catalogue.say(
                "tested_queries",
                clicked=counts["test_queries_clicked"],
                tested=counts["test_queries"],
            ),
        )
    if not counts["test_queries_found"]:
        notes.insert(0, "None of the test queries is in the release, so no page can be ranked.")
    return tuple(notes)
