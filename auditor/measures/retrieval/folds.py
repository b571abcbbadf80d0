"""The parts of a log that retrieval trains and tests on, made once for all settings of a method.

A log is split by events (`event_folds`): fold f is tested on its events after training on those
of all other folds. The tested events of a fold are split in two halves once more, by chance: the
honest feedback of one half comes from the other, which takes no part in training either.

The split is kept as long as the log lives, so that a sweep makes it once.
"""

from dataclasses import dataclass

import numpy as np

from auditor.arrays import Bools, Float64s, Int8s, Int32s, Int64s
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.lifetime_cache import LifetimeCache
from auditor.log.model import NONE, QueryLog, Vocabulary
from auditor.log.text_hashing import hash_texts
from auditor.measures.event_folds import event_words, fold_of, half_of
from auditor.measures.retrieval.graph import text_order
from auditor.progress import Progress, run_cancellable

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
                rows = rows[_draw_queries(log, codes, query_limit, seed, progress)[log.query[rows]]]
            split.append(_build_fold(log, number, rows, half[rows], len(codes), progress))
        return FoldSplit(tuple(split), part)

    return _splits.get(log, (folds, seed, query_limit), make_split)


def _draw_queries(
    log: QueryLog, codes: Int32s, query_limit: int, seed: int, progress: Progress
) -> Bools:
    """Which queries of the log are `query_limit` of `codes`, by a hash of their text."""
    words = hash_texts(log.queries.take(codes), seed + _DRAWN, progress)
    is_drawn = np.zeros(len(log.queries), dtype=np.bool_)
    is_drawn[codes[np.argpartition(words, query_limit)[:query_limit]]] = True
    return is_drawn


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
