"""Popularity scores: how often a query was issued on a day and at a place, from 1 to 100.

As Bing's data set of searches on the coronavirus (2020), which holds queries that were "issued many
times by multiple users" on a day in a country or state. How many users that takes is not published:
without a number nothing is released. Within each day and place the score is 1 + 99 (c − min) / (max
− min), rounded, for a query of c searches, where the least and the greatest c are those of released
queries; 100 where all are equal. That formula is ours. Cost: O(rows log rows).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from auditor.arrays import Bools
from auditor.log.model import QueryLog
from auditor.log.sentences import sentence
from auditor.methods.threshold_cells.cells import CellRule, CountedCells, UserThreshold
from auditor.params import Params
from auditor.privacy.release import QUERY, CellFigure, CellKey
from auditor.progress import Progress


@dataclass(frozen=True, kw_only=True)
class PopularityScoreParams(Params, owner="popularity-score"):
    """How many users a query needs on a day at a place."""

    k: int | None = None
    suppress: str = "nothing"


def choose_searches(
    log: QueryLog,
    _query: CellKey,
    _params: PopularityScoreParams,
    _enough: UserThreshold,
    _progress: Progress,
) -> Bools:
    """One row of each search, however many clicks it had."""
    return log.event_starts.copy()


def show_scores(cells: CountedCells, _log: QueryLog, _params: Any) -> tuple[CellFigure, ...]:
    """The score of each cell among those that pass on its day and at its place."""
    searches = cells.count_rows(np.ones(len(cells.log), dtype=np.bool_))
    group = cells.group_cells(QUERY)
    low = np.full(len(group), np.iinfo(np.int64).max)
    high = np.zeros(len(group), dtype=np.int64)
    passing = cells.passing
    np.minimum.at(low, group[passing], searches[passing])
    np.maximum.at(high, group[passing], searches[passing])
    span = np.where(passing, high[group] - low[group], 0)
    above = np.where(passing, searches - low[group], 0)
    score = 1 + np.rint(99 * above / np.maximum(span, 1)).astype(np.int64)
    return (CellFigure("score", np.where(span > 0, score, 100)),)


METHOD = CellRule(
    name="popularity-score",
    params=PopularityScoreParams,
    keys=("day", "country", "region", "query"),
    least="k",
    choose=choose_searches,
    show=show_scores,
    claim=lambda keys, k: sentence("popularity_score.claim", keys=keys, k=k),
    main=("k", "suppress"),
    unset=("k",),
).build_method()
