"""Query-result threshold: queries of enough users, with the results that enough of them got.

The scheme under which Google shares search data in Europe since 2024, as third parties describe it
(spec 7, section 1): a query needs 30 signed-in users in the 13 months before the quarter, and each
query × result × country × device 5 of them in the quarter. That the months end where the released
days begin is our reading. Where the log doesn't say who was signed in, all users count. How often a
result was shown is left out, as a log has no rows of results that nobody clicked. Cost:
O(rows log rows).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from auditor.arrays import Bools
from auditor.log.model import NONE, QueryLog
from auditor.log.sentences import sentence
from auditor.messages import join_phrases
from auditor.methods.counted_windows import find_released, list_windows
from auditor.methods.dated_counts.params import check_days
from auditor.methods.threshold_cells.cells import (
    CellRule,
    CountedCells,
    UserThreshold,
    count_key_users,
)
from auditor.params import Params
from auditor.privacy.release import CellFigure, CellKey
from auditor.privacy.statement import Statement, assume
from auditor.progress import Progress

SIGNED_IN = "signed_in"
_YES = ("1", "true", "t", "yes", "y")


@dataclass(frozen=True, kw_only=True)
class QueryResultThresholdParams(Params, owner="query-result-threshold"):
    """How many users a query needs in which months, and how many a cell."""

    k_query: int = 30
    window: int = 13
    k_cell: int = 5
    first_day: int | None = None
    suppress: str = "nothing"

    def check(self) -> None:
        """Refuse what is no date."""
        check_days(self.first_day, None)


def choose_rows(
    log: QueryLog,
    query: CellKey,
    params: QueryResultThresholdParams,
    enough: UserThreshold,
    progress: Progress,
) -> Bools:
    """Rows with a result, of signed-in users and of queries that enough of them issued."""
    signed = _find_signed_in(log)
    signed = np.ones(len(log), dtype=np.bool_) if signed is None else signed
    frequent = np.zeros(len(query.texts), dtype=np.bool_)
    for start, stop in list_windows(log.period, params.window, params.first_day):
        within = signed & (log.time >= start) & (log.time < stop)
        users = count_key_users(log, query, within)
        frequent |= enough(users, params.k_query)
        progress.check()
    released = find_released(log, params.first_day)
    rows: Bools = signed & frequent[query.codes] & (log.url != NONE)
    return rows if released is None else rows & released


def show_results(cells: CountedCells) -> tuple[CellFigure, ...]:
    """Clicks and mean position of each cell."""
    clicks = cells.count_rows(np.ones(len(cells.log), dtype=np.bool_))
    placed = cells.log.rank > 0
    total = np.bincount(cells.cell[placed], cells.log.rank[placed], minlength=len(clicks))
    rows = cells.count_rows(placed)
    mean = np.divide(total, rows, out=np.full(len(rows), np.nan), where=rows > 0)
    return CellFigure("clicks", clicks), CellFigure("position", np.round(mean, 2))


def state_rule(
    statement: Statement, log: QueryLog, params: QueryResultThresholdParams
) -> Statement:
    """The statement with who was counted, and that views were not."""
    who = (
        sentence("query_result_threshold.all_users")
        if _find_signed_in(log) is None
        else sentence("query_result_threshold.signed_in_users")
    )
    what = sentence("query_result_threshold.no_views")
    frequent = assume(
        "query_result_threshold.queries_have_k_users",
        "holds",
        sentence("query_result_threshold.anchor"),
        k=params.k_query,
        window=params.window,
    )
    return replace(
        statement,
        claim=join_phrases(" ", [statement.claim, who, what]),
        assumptions=(*statement.assumptions, frequent),
        measured={**statement.measured, "entity_users": float(params.k_query)},
    )


def _find_signed_in(log: QueryLog) -> Bools | None:
    """Rows of signed-in users; None where the log does not say who was."""
    if SIGNED_IN not in log.attributes:
        return None
    column = log.attributes[SIGNED_IN]
    texts = [text.strip().lower() in _YES for text in column.texts.list_strings()]
    rows: Bools = np.append(np.array(texts, dtype=np.bool_), False)[column.codes]
    return rows


METHOD = CellRule(
    name="query-result-threshold",
    params=QueryResultThresholdParams,
    keys=("query", "url", "country", "device"),
    least="k_cell",
    choose=choose_rows,
    show=show_results,
    claim=lambda keys, k: sentence("query_result_threshold.claim", keys=keys, k=k),
    main=("k_query", "k_cell", "window", "first_day", "suppress"),
    also_reads=(SIGNED_IN,),
    state=state_rule,
).build_method(strictness=("k_query", "k_cell"))
