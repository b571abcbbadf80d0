"""Popularity scores: how often a query was issued on a day and at a place, from 1 to 100.

As Bing's data set of searches on the coronavirus (2020), which holds queries that were "issued many
times by multiple users" on a day in a country or state. How many users that takes is not published:
without a number nothing is released. Within each day and place the score is 1 + 99 (c − min) / (max
− min), rounded, for a query of c searches, where the least and the greatest c are those of released
queries; 100 where all are equal. That formula is ours. Cost: O(rows log rows).
"""

from dataclasses import dataclass

import numpy as np

from auditor.log.sentences import sentence
from auditor.methods.threshold_cells.cells import build_method
from auditor.methods.threshold_cells.rule import CellRule, Columns, GroupFigure
from auditor.params import Params
from auditor.privacy.release import QUERY, CellFigure


@dataclass(frozen=True, kw_only=True)
class PopularityScoreParams(Params, owner="popularity-score"):
    """How many users a query needs on a day at a place."""

    k: int | None = None
    suppress: str = "nothing"


def show_scores(columns: Columns) -> tuple[CellFigure, ...]:
    """The score of each cell among those that pass on its day and at its place."""
    span, above = columns["most"] - columns["fewest"], columns["searches"] - columns["fewest"]
    score = 1 + np.rint(99 * above / np.maximum(span, 1)).astype(np.int64)
    return (CellFigure("score", np.where(span > 0, score, 100)),)


_RULE = CellRule(
    params=PopularityScoreParams,
    keys=("day", "country", "region", "query"),
    least="k",
    choose=lambda log, *_given: np.ones(len(log), dtype=np.bool_),
    once=True,
    adds={"searches": lambda log: np.ones(len(log), dtype=np.int64)},
    groups=(
        GroupFigure("fewest", "min", lambda columns: columns["searches"], (QUERY,), passing=True),
        GroupFigure("most", "max", lambda columns: columns["searches"], (QUERY,), passing=True),
    ),
    show=show_scores,
    claim=lambda keys, k: sentence("popularity_score.claim", keys=keys, k=k),
    main=("k", "suppress"),
    unset=("k",),
)
METHOD = build_method(_RULE)
