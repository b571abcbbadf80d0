"""Trends index: how large a share of all searches a query had over time, its greatest being 100.

As Google Trends says of itself: a sample of searches; what one user repeats within a short time is
dropped; rare queries and those with special characters are left out (the latter also of the total,
which is our choice); shares of all searches at a time and place are scaled so that the greatest of
a query and place is 100, and those of rare ones are 0. How large the sample is and how rare is rare
are not published: without a threshold nothing is released. A rare cell is left out, so that it
can't be told from one of nobody. A user's repeats count once a day or week, which is our choice,
too. Cost: O(rows log rows).
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from auditor.arrays import Bools
from auditor.log.model import QueryLog
from auditor.log.sentences import sentence
from auditor.methods.threshold_cells.cells import build_method
from auditor.methods.threshold_cells.rule import STEPS, CellRule, Columns, GroupFigure
from auditor.params import Params
from auditor.privacy.release import QUERY, CellFigure, CellKey

_PLAIN = r"\A[\p{L}\p{M}\p{N} ]+\z"


@dataclass(frozen=True, kw_only=True)
class TrendsIndexParams(Params, owner="trends-index"):
    """How many users a query needs at a time, in what steps, and how many searches are drawn."""

    T: int | None = None
    sample: float | None = None
    step: str = "day"
    suppress: str = "nothing"


def choose_searches(_log: QueryLog, query: CellKey, *_given: object) -> Bools:
    """Searches for letters, digits and spaces alone."""
    import pyarrow.compute as pc

    plain = pc.match_substring_regex(query.texts.as_arrow(), _PLAIN)
    rows: Bools = plain.to_numpy(zero_copy_only=False)[query.codes]
    return rows


def _find_share(columns: Columns) -> Any:
    """The share of each cell among the searches of its time and place."""
    return columns["users"] / columns["total"]


_RULE = CellRule(
    params=TrendsIndexParams,
    keys=("step", "country", "region", "query"),
    least="T",
    choose=choose_searches,
    once=True,
    groups=(
        GroupFigure("total", "sum", lambda columns: columns["users"], (QUERY,), passing=False),
        GroupFigure("greatest", "max", _find_share, STEPS, passing=True),
    ),
    show=lambda columns: (
        CellFigure("index", np.rint(100 * _find_share(columns) / columns["greatest"])),
    ),
    claim=lambda keys, k: sentence("trends_index.claim", keys=keys, k=k),
    main=("T", "sample", "step", "suppress"),
    sample="sample",
    unset=("T", "sample"),
)
METHOD = build_method(_RULE)
