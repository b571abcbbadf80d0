"""What retrieval says: averages with their coverage, a paired test, and the source's Fig. 3."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from auditor.arrays import Float64s, Int64s
from auditor.figures import Figure, MetricValue, Series
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.measures.base import MeasureResult
from auditor.measures.retrieval.algorithms import DEPTH
from auditor.measures.retrieval.folds import CachedFolds
from auditor.measures.retrieval.metrics import METRICS
from auditor.messages import as_phrase

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
MAIN_METRICS = ("ndcg", "map")
PAIRS = tuple((name, metric) for name, _ in ALGORITHMS for metric, _ in METRICS)
"""The rows of all figures: each algorithm with each metric."""
BOUNDS = ("low", "high")


@dataclass(frozen=True, eq=False)
class RetrievalOutcome:
    """One fold: clicks of each tested query, and what was found by the original and the release."""

    weight: Int64s
    original: CachedFolds
    released: CachedFolds


def result_of(
    params: Mapping[str, Any], outcomes: Sequence[RetrievalOutcome], moves: int, clicked: int
) -> MeasureResult:
    """The figures, plots and table of all folds together; every tested query counts alike.

    `clicked` counts the queries that could be tested: more than are where some were drawn.
    """
    original = _join_folds(outcomes, [outcome.original for outcome in outcomes])
    released = _join_folds(outcomes, [outcome.released for outcome in outcomes])
    weight = np.concatenate([outcome.weight for outcome in outcomes])
    compared = compare_pairs(original, released, len(weight))
    counts = {
        "test_queries": len(weight),
        "test_queries_found": len(released.places),
        "test_queries_found_original": len(original.places),
    }
    if clicked > len(weight):
        counts["test_queries_clicked"] = clicked
    share = len(released.places) / max(len(weight), 1)
    clicks = float(weight[released.places].sum() / max(int(weight.sum()), 1))
    labels, titles = dict(METRICS), dict(ALGORITHMS)
    names = ("original", "found", "t", "p", "original_all", "all", "all_t", "all_p")
    columns = [compared[name].tolist() for name in names]
    rows = [
        [titles[name], labels[metric], *("" if np.isnan(x) else float(f"{x:.4g}") for x in values)]
        for (name, metric), values in zip(PAIRS, zip(*columns, strict=True), strict=True)
    ]
    of_queries: dict[str, Any] = {
        name: count for name, count in counts.items() if "clicked" not in name
    }
    # Everything, flat: the columns of a sweep.
    details: dict[str, Any] = {f"retrieval.{name}": count for name, count in counts.items()}
    for row, (name, metric) in enumerate(PAIRS):
        for fact, values in compared.items():
            if fact not in BOUNDS and np.isfinite(values[row]):
                suffix = "" if fact == "found" else f"_{fact}"
                details[f"retrieval.{name}.{metric}{suffix}"] = float(values[row])
    return MeasureResult(
        measure="retrieval",
        params=params,
        values=(
            catalogue("retrieval.coverage", share),
            catalogue("retrieval.click_coverage", clicks),
            *_build_metrics(compared),
        ),
        figures=tuple(_draw_figure(metric, label, compared) for metric, label in METRICS[:2]),
        tables=(catalogue.table("retrieval", rows, **of_queries),),
        notes=_write_notes(counts, moves),
        details=details,
    )


def _join_folds(outcomes: Sequence[RetrievalOutcome], parts: Sequence[CachedFolds]) -> CachedFolds:
    """What was found in all folds, its places counted through."""
    starts = np.cumsum([0, *(len(outcome.weight) for outcome in outcomes[:-1])]).tolist()
    places = [start + part.places for start, part in zip(starts, parts, strict=True)]
    return CachedFolds(
        np.concatenate(places), np.concatenate([part.figures for part in parts], axis=1)
    )


def compare_pairs(
    original: CachedFolds, released: CachedFolds, queries: int
) -> dict[str, Float64s]:
    """What each algorithm and metric comes to; arrays over `PAIRS`, compared row by row.

    `found` is over released queries, `all` over all `queries`, with 0 for the others; `low` and
    `high` bound `found`. `original` is the original on the released queries, `original_own` on all
    that it has itself; t and p are of the paired two-tailed test, original against released.
    """
    baseline, second = original.figures, released.figures
    _, columns, other_columns = np.intersect1d(
        original.places, released.places, assume_unique=True, return_indices=True
    )
    first = baseline[:, columns]
    differences = first - second[:, other_columns]
    # Over all queries what isn't there is 0, and differs by what the other side has.
    lost, new = np.delete(baseline, columns, axis=1), np.delete(second, other_columns, axis=1)
    t, p = t_test(differences.sum(axis=1), _sum_squares(differences), len(columns))
    all_t, all_p = t_test(
        differences.sum(axis=1) + lost.sum(axis=1) - new.sum(axis=1),
        _sum_squares(differences) + _sum_squares(lost) + _sum_squares(new),
        queries,
    )
    means, low, high = _compute_means(second), np.zeros(len(second)), np.ones(len(second))
    if (size := second.shape[1]) > 1:  # a 95 % interval over queries, by the normal law
        wide = 1.96 * second.std(axis=1, ddof=1) / size**0.5
        low, high = np.maximum(0.0, means - wide), np.minimum(1.0, means + wide)
    return {
        "found": means,
        "all": second.sum(axis=1) / max(queries, 1),
        "original": _compute_means(first),
        "original_own": _compute_means(baseline),
        "original_all": baseline.sum(axis=1) / max(queries, 1),
        "t": t,
        "p": p,
        "all_t": all_t,
        "all_p": all_p,
        "low": low,
        "high": high,
    }


def _sum_squares(rows: Float64s) -> Float64s:
    total: Float64s = np.einsum("ij,ij->i", rows, rows)
    return total


def _compute_means(rows: Float64s) -> Float64s:
    """The mean of each row; NaN where they are empty."""
    size = rows.shape[1]
    return np.ascontiguousarray(rows).mean(axis=1) if size else np.full(len(rows), np.nan)


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


def _build_metrics(compared: Mapping[str, Float64s]) -> Iterator[MetricValue]:
    labels, titles = dict(METRICS), dict(ALGORITHMS)
    for row, (name, metric) in enumerate(PAIRS):
        if metric not in MAIN_METRICS:
            continue
        flatters = " Flatters: feedback is taken from the test." if name in FLATTERING else ""
        words: dict[str, Any] = {
            "labels": as_phrase(labels[metric]),
            "title": as_phrase(titles[name]),
            "flatters": as_phrase(flatters),
        }
        metric_name = f"retrieval.{name}.{metric}"
        if not np.isnan(value := float(compared["found"][row])):
            interval = float(compared["low"][row]), float(compared["high"][row])
            yield catalogue("retrieval", value, named=metric_name, interval=interval, **words)
        yield catalogue(
            "retrieval_all", float(compared["all"][row]), named=f"{metric_name}_all", **words
        )


def _draw_figure(metric: str, label: str, compared: Mapping[str, Float64s]) -> Figure:
    rows = [row for row, pair in enumerate(PAIRS) if pair[1] == metric]
    places = np.arange(len(rows), dtype=np.float64)

    def make_bars(name: str, values: Float64s, *bounds: Float64s) -> Series:
        low, high = (bound[rows] for bound in bounds) if bounds else (None, None)
        return Series(name, places, np.nan_to_num(values[rows]), "bars", low, high)

    return catalogue.figure(
        "retrieval",
        (
            make_bars("original, released queries", compared["original"]),
            make_bars(
                "released, released queries", compared["found"], compared["low"], compared["high"]
            ),
            make_bars("original, all test queries", compared["original_all"]),
            make_bars("released, all test queries", compared["all"]),
        ),
        named=f"retrieval-{metric}",
        categories=[title for _, title in ALGORITHMS],
        places={"label": as_phrase(label)},
    )


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
