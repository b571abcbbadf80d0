"""Web search on a release: how well its clicks predict what people click next.

The main task of Zhang et al. 2016 ("Web Search Task and Utility Function"). The log is split by
events into folds; the method is run anew on all folds but one, pages are ranked for the queries of
the one left out, and a page is relevant if it was clicked there. The release that is audited holds
the tested clicks, so it can't be what is tested: what is measured is the setting.

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

from dataclasses import dataclass

import numpy as np

from auditor.arrays import Float64s, Int32s, Int64s, find_sorted
from auditor.log.lifetime_cache import LifetimeCache
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import NONE, QueryLog
from auditor.measures.base import Measure, MeasureContext, MeasureResult
from auditor.measures.log_tables import tables_of, tabulate_log
from auditor.measures.retrieval.algorithms import (
    RankedUrls,
    by_weight,
    impact_chain,
    rank_by_walk,
    walk_chain,
    with_feedback,
)
from auditor.measures.retrieval.folds import CachedFolds, ClickedQueries, RetrievalFold, split_log
from auditor.measures.retrieval.graph import ClickGraph, graph_of
from auditor.measures.retrieval.metrics import RelevantUrls, judge_rankings
from auditor.measures.retrieval.report import RetrievalOutcome, result_of
from auditor.params import Params
from auditor.privacy.release import Anonymized
from auditor.progress import Progress

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
    node = graph.find_queries(fold.queries, progress)
    hits = np.flatnonzero(node != NONE)
    start = node[hits].astype(np.int64)
    page = graph.find_pages(fold.pages, progress)
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
