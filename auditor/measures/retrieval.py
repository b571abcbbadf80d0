"""Web search on a release: how well its clicks predict what people click next.

The main task of Zhang et al. 2016 ("Web Search Task and Utility Function"). The log is split by
events into folds; the method is run anew on all folds but one, pages are ranked for the queries of
the one left out, and a page is relevant if it was clicked there. The release that is audited holds
the tested clicks, so it can't be what is tested: what is measured is the setting.

Which part an event (a distinct user, query and time) falls into is decided by a hash of the user's
id, the query's text and the time, so that the order of the rows, other events and the numbering of
strings change nothing. The tested events of a fold are split in two halves once more.

* **random walk** and **random walk with impact** rank by a walk on the released graph;
* **implicit feedback** merges the order by released clicks with a feedback rank. The source takes
  it from the tested clicks themselves, which flatters. Beside it stands the honest one, whose
  feedback comes from the other half of the tested events; each half is judged by itself then, so
  the flattering one is judged on halves, too.

The source averages over those test queries that are in the release. So coverage, and the average
over all test queries (one that isn't released counts 0), always stand beside it.

Cost: the method once a fold, plus O(test queries + released entries) for each; the split and the
original are evaluated once a log. A walk from one query costs what it meets, which grows with the
log: of folds with many queries some are tested.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from auditor.arrays import Bools, Float64s, Int8s, Int32s, Int64s, UInt64s, find_sorted
from auditor.bit_mixing import GOLDEN_RATIO, splitmix64
from auditor.figures import Figure, MetricValue, Series
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.lifetime_cache import LifetimeCache
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import NONE, QueryLog, Vocabulary
from auditor.log.text_hashing import hash_texts
from auditor.measures.base import Measure, MeasureContext, MeasureResult
from auditor.measures.click_graph import (
    DEPTH,
    METRICS,
    ClickGraph,
    RankedUrls,
    RelevantUrls,
    by_weight,
    graph_of,
    impact_chain,
    judge_rankings,
    rank_by_walk,
    text_order,
    walk_chain,
    with_feedback,
)
from auditor.measures.query_counts import tables_of, tabulate_log
from auditor.messages import as_phrase
from auditor.params import Params
from auditor.privacy.release import Anonymized
from auditor.progress import Progress, run_cancellable

_BLOCK = 1 << 20  # rows or bytes: some 10 ms


def event_words(log: QueryLog, seed: int, progress: Progress) -> UInt64s:
    """A 64-bit word of each row, the same for all rows of an event; shape (rows,)."""
    users = hash_texts(log.users, seed, progress)
    queries = hash_texts(log.queries, seed + 1, progress)
    words = np.empty(len(log), dtype=np.uint64)
    for first, last in progress.blocks("splitting events", len(log), _BLOCK):
        user_words = users[log.user[first:last]]
        moment = log.time[first:last].view(np.uint64) * GOLDEN_RATIO
        words[first:last] = splitmix64(
            splitmix64(user_words + moment) ^ queries[log.query[first:last]]
        )
    return words


def fold_of(words: UInt64s, folds: int) -> Int8s:
    """The fold of each row, 0 … folds − 1, in equal shares but for chance; shape (rows,)."""
    return ((words >> np.uint64(20)) % np.uint64(folds)).astype(np.int8)


def half_of(words: UInt64s) -> Bools:
    """Which half of its fold each row falls into; independent of the fold; shape (rows,)."""
    return (words & np.uint64(1)).astype(np.bool_)


_DRAWN = 2
"""Added to the seed of the split for the hash by which test queries are drawn."""


@dataclass(frozen=True, eq=False)
class ClickedQueries:
    """The distinct clicks of some tested events; pairs ascending."""

    query: Int64s  # places in the fold's `queries`
    page: Int64s  # places in the fold's `pages`
    count: Int64s  # how often each was clicked
    position: Float64s  # mean place at which it was shown, NaN if unknown


@dataclass(frozen=True, eq=False)
class RetrievalFold:
    """One fold: what is tested."""

    number: int  # which fold it is; from 0
    # queries, pages: the texts of the queries that got a click in the fold and are tested, in their
    # order, and of the pages clicked
    queries: Vocabulary
    pages: Vocabulary
    weight: Int64s  # clicks of each query; shape (len(queries),)
    # clicks, halves: the clicks of the whole fold, and of either half
    clicks: ClickedQueries
    halves: tuple[ClickedQueries, ClickedQueries]
    # Queries that got a click in the fold; more than `queries` where only some are tested.
    clicked: int


@dataclass(frozen=True, eq=False)
class CachedFolds:
    """The figures of those queries of a fold that are in a graph."""

    places: Int64s  # among the fold's queries, ascending
    figures: Float64s  # a row for each algorithm and, within it, metric; a column for each place


@dataclass(frozen=True, eq=False)
class FoldSplit:
    """A log's folds, and the number of the fold that each of its rows belongs to."""

    folds: tuple[RetrievalFold, ...]
    part: Int8s

    def select_training_log(self, log: QueryLog, number: int, progress: Progress) -> QueryLog:
        """The log without the events of that fold; O(rows)."""
        progress.stage("leaving out a fold")
        return run_cancellable(lambda: log.rows(self.part != number), progress)


_splits = LifetimeCache[QueryLog, FoldSplit]()


def split_log(
    log: QueryLog, folds: int, seed: int, progress: Progress, *, query_limit: int | None = None
) -> FoldSplit:
    """The split of a log; made once, O(rows), then remembered until another is asked for.

    Of folds with more than `query_limit` queries that got a click so many are tested, drawn by
    chance.
    """

    def make_split() -> FoldSplit:
        words = event_words(log, seed, progress)
        part, half = fold_of(words, folds), half_of(words)
        clicked = log.url != NONE
        split = []
        for number in range(folds):
            progress.check()
            rows = np.flatnonzero(clicked & (part == number))
            codes = sorted_distinct(log.query[rows])
            if query_limit is not None and len(codes) > query_limit:
                hashes = hash_texts(log.queries.take(codes), seed + _DRAWN, progress)
                drawn = np.sort(codes[np.argpartition(hashes, query_limit)[:query_limit]])
                rows = rows[find_sorted(log.query[rows], drawn) >= 0]
            split.append(_build_fold(log, number, rows, half[rows], len(codes), progress))
        return FoldSplit(tuple(split), part)

    return _splits.get(log, (folds, seed, query_limit), make_split)


def _build_fold(
    log: QueryLog, number: int, rows: Int64s, half: Bools, clicked: int, progress: Progress
) -> RetrievalFold:
    codes, query = np.unique(log.query[rows], return_inverse=True)
    place = text_order(log.queries.take(codes), progress)
    query, queries = place[query].astype(np.int64), codes[np.argsort(place)]
    pages, page = np.unique(log.url[rows], return_inverse=True)
    ranks = log.rank[rows].astype(np.float64)
    ranks[ranks < 1] = np.nan

    def group_clicks(part: Bools) -> ClickedQueries:
        keys, inverse, count = np.unique(
            query[part].astype(np.int64) * max(len(pages), 1) + page[part],
            return_inverse=True,
            return_counts=True,
        )
        has_rank = ~np.isnan(ranks[part])
        total = np.bincount(inverse[has_rank], ranks[part][has_rank], minlength=len(keys))
        times = np.bincount(inverse[has_rank], minlength=len(keys))
        mean = np.divide(total, times, out=np.full(len(keys), np.nan), where=times > 0)
        return ClickedQueries(*np.divmod(keys, max(len(pages), 1)), count, mean)

    return RetrievalFold(
        number=number,
        queries=log.queries.take(queries),
        pages=log.urls.take(pages),
        weight=np.bincount(query, minlength=len(queries)),
        clicks=group_clicks(np.ones(len(rows), dtype=np.bool_)),
        halves=(group_clicks(~half), group_clicks(half)),
        clicked=clicked,
    )


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
    return np.asarray(np.einsum("ij,ij->i", rows, rows))


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


_originals = LifetimeCache[QueryLog, dict[int, CachedFolds]]()
"""By log and fold what was found for the unchanged log."""
ALONE = (
    "It is unknown how this release was made, so the method can't be run on a part of the "
    "log; and the release contains the clicks that would be tested."
)


@dataclass(frozen=True, kw_only=True)
class RetrievalParams(Params, owner="retrieval"):
    """How the log is split, and the algorithms' settings; defaults are the source's."""

    folds: int = 5
    seed: int = 1
    stay: float = 0.1
    moves: int = 2
    weight: float = 0.6
    tested: int | None = 100_000
    pause: int | None = None


def run(
    log: QueryLog, release: Anonymized, params: RetrievalParams, context: MeasureContext
) -> MeasureResult:
    """Repeat the method on every fold's training part and search with what it releases."""
    progress, rerun = context.progress, context.rerun
    if rerun is None:
        return MEASURE.build_result(params, notes=(ALONE,))
    reason = (
        "" if log.clicks else "The log has no clicks, so it is unknown which pages are relevant."
    )
    if not reason and release.tables is not None and not release.tables.has_clicks:
        reason = "The release has no table of clicks, so no page can be ranked."
    if reason:
        return MEASURE.build_result(params, notes=(reason,))
    parts = split_log(log, params.folds, params.seed, progress, query_limit=params.tested)
    originals = _originals.get(log, params, dict)
    outcomes = []
    for fold in parts.folds:
        progress.check()
        train = parts.select_training_log(log, fold.number, progress)
        if fold.number not in originals:
            graph = graph_of(tabulate_log(train, params.pause, progress), progress)
            originals[fold.number] = search_folds(graph, fold, params, progress)
        output = rerun(train, fold.number, progress)
        graph = graph_of(tables_of(output, params.pause, progress), progress)
        released = search_folds(graph, fold, params, progress)
        outcomes.append(RetrievalOutcome(fold.weight, originals[fold.number], released))
    clicked = sum(fold.clicked for fold in parts.folds)
    return result_of(params.to_dict(), outcomes, params.moves, clicked)


def search_folds(
    graph: ClickGraph, fold: RetrievalFold, params: RetrievalParams, progress: Progress
) -> CachedFolds:
    """The figures of every algorithm for those queries of the fold that are in the graph."""
    node = graph.find_nodes(fold.queries, progress)
    hits = np.flatnonzero(node != NONE)
    start = node[hits].astype(np.int64)
    page = graph.find_nodes(fold.pages, progress, pages=True)
    row = np.full(len(node), NONE, dtype=np.int64)
    row[hits] = np.arange(len(hits))
    relevant = _relevant_urls(fold.clicks, row, page, len(hits))
    pages = max(len(graph.pages), 1)
    figures = []
    for chain in (walk_chain, impact_chain):
        ranked = rank_by_walk(chain(graph, params.stay), start, params.moves, progress)
        figures.append(judge_rankings(ranked, relevant, pages))
    original = by_weight(graph.clicks, start, "ranking pages", progress)  # O_d of the source
    for honest in (True, False):
        halves = []
        for judged_half, other in (fold.halves, fold.halves[::-1]):
            feedback = _rank_feedback(original, other if honest else judged_half, row, page, pages)
            ranked = with_feedback(original, feedback, params.weight)
            halves.append(
                judge_rankings(ranked, _relevant_urls(judged_half, row, page, len(hits)), pages)
            )
        # The mean of two arrays where either may be NaN; NaN where both are.
        both = np.stack(halves)
        valid = ~np.isnan(both)
        total = np.where(valid, both, 0.0).sum(axis=0)
        times = valid.sum(axis=0)
        mean: Float64s = np.divide(total, times, out=np.full(total.shape, np.nan), where=times > 0)
        figures.append(mean)
    feedback = _rank_feedback(original, fold.clicks, row, page, pages)
    ranked = with_feedback(original, feedback, params.weight)
    figures.append(judge_rankings(ranked, relevant, pages))
    return CachedFolds(hits, np.concatenate(figures))


def _relevant_urls(clicked: ClickedQueries, row: Int64s, page: Int32s, size: int) -> RelevantUrls:
    """What of some clicks belongs to queries that were found, in rows of the found."""
    clicked_rows = row[clicked.query]
    in_graph = clicked_rows != NONE
    total = np.bincount(clicked_rows[in_graph], minlength=size)
    code = page[clicked.page].astype(np.int64)
    valid = in_graph & (code != NONE)
    return RelevantUrls(clicked_rows[valid], code[valid], total)


def _rank_feedback(
    original: RankedUrls, clicked: ClickedQueries, row: Int64s, page: Int32s, pages: int
) -> Float64s:
    """The feedback rank I of each ranked page that was clicked for its query; 0 elsewhere.

    That is the mean place at which it was shown when it was clicked. Where the log doesn't say,
    it is the page's place among the query's clicked pages by falling clicks.
    """
    clicked_rows = row[clicked.query]
    code = page[clicked.page].astype(np.int64)
    valid = np.flatnonzero((clicked_rows != NONE) & (code != NONE))
    clicked_rows, code, position = clicked_rows[valid], code[valid], clicked.position[valid]
    order = np.lexsort((code, -clicked.count[valid], clicked_rows))
    new = np.diff(clicked_rows[order], prepend=-1) != 0
    first = np.maximum.accumulate(np.where(new, np.arange(len(order)), 0))
    rank = np.empty(len(order), dtype=np.float64)
    rank[order] = np.arange(len(order)) - first + 1
    rank = np.where(np.isnan(position), rank, position)
    keys = clicked_rows * pages + code
    by_key = np.argsort(keys)
    index = find_sorted(original.row * pages + original.page, keys[by_key])
    return np.append(rank[by_key], 0.0)[index]


MEASURE = Measure(
    **MetricCatalogue("measures", "retrieval").card,
    params=RetrievalParams,
    run=run,
    reruns_method=True,
    unasked=200_000,
)
