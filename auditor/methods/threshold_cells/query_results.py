"""Query-result threshold: queries of enough users, with the results that enough of them got.

The scheme under which Google shares search data in Europe since 2024, as third parties describe it
(spec 7, section 1): a query needs 30 signed-in users in the 13 months before the quarter, and each
query × result × country × device 5 of them in the quarter. That the months end where the released
days begin is our reading. Where the log doesn't say who was signed in, all users count. How often a
result was shown stands there where the log says what its searches showed (`keep_shown`); the users
whom a cell needs clicked. Cost: O(rows log rows), and the results shown.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np

from auditor.arrays import Bools, Int64s, expand_ranges
from auditor.log.columns import SIGNED_IN
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.model import NONE, QueryLog, Vocabulary
from auditor.log.sentences import sentence
from auditor.log.text import merge_spellings
from auditor.messages import join_phrases
from auditor.methods.counted_windows import (
    describe_users,
    find_released,
    find_signed_in,
    list_windows,
)
from auditor.methods.noisy_counts.period_units import check_days
from auditor.methods.threshold_cells.cells import build_method
from auditor.methods.threshold_cells.rule import (
    RESULTS_SHOWN,
    CellRule,
    Columns,
    CountedCells,
    FrequentQueries,
)
from auditor.params import Params
from auditor.privacy.release import QUERY, URL, CellFigure, CellKey
from auditor.privacy.statement import Statement, assume
from auditor.progress import Progress


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
    log: QueryLog, _query: CellKey, params: QueryResultThresholdParams, _progress: Progress
) -> Bools:
    """Rows with a result, of signed-in users, on days that are released."""
    rows: Bools = find_signed_in(log) & (log.url != NONE) & find_released(log, params.first_day)
    return rows


def show_results(columns: Columns) -> tuple[CellFigure, ...]:
    """Views, where the log has them, clicks and mean position of each cell."""
    views = (CellFigure("views", columns["views"]),) if "views" in columns else ()
    placed = columns["placed"]
    mean = np.full(len(placed), np.nan)
    np.divide(columns["ranks"], placed, out=mean, where=placed > 0)
    clicks = CellFigure("clicks", columns["clicks"])
    return (*views, clicks, CellFigure("position", np.round(mean, 2)))


def count_views(cells: CountedCells, log: QueryLog, params: QueryResultThresholdParams) -> Int64s:
    """How many released searches of those who count showed the page of each cell; shape (cells,).

    O(results shown · log).
    """
    import pyarrow.compute as pc

    results = log.attributes[RESULTS_SHOWN]
    searched = log.event_starts & (results.codes != NONE)
    searched &= find_signed_in(log) & find_released(log, params.first_day)
    lists = pc.split_pattern(results.texts.as_arrow(), " ")
    pages = pc.list_flatten(lists).dictionary_encode()
    sizes = pc.list_value_length(lists).to_numpy(zero_copy_only=False).astype(np.int64)
    rows = np.flatnonzero(searched)
    code, starts = results.codes[rows], np.cumsum(sizes) - sizes
    listed = pages.indices.to_numpy()[expand_ranges(starts[code], sizes[code])].astype(np.int64)
    pairs = sorted_distinct(np.repeat(rows, sizes[code]) << 32 | listed)  # a search counts once
    rows, merged = pairs >> 32, merge_spellings(log)
    columns = {name: (column.codes[rows], column.texts) for name, column in log.attributes.items()}
    columns |= {
        QUERY: (merged.query[rows], merged.queries),
        URL: ((pairs & 0xFFFFFFFF).astype(np.int32), Vocabulary.of_arrow(pages.dictionary)),
    }
    cell, pair_cell = np.zeros(len(cells.users), np.int64), np.zeros(len(pairs), np.int64)
    valid = np.ones(len(pairs), dtype=np.bool_)
    for heading, codes, texts in cells.keys:
        if heading == URL:  # as lists of results have them
            texts = Vocabulary.of_arrow(pc.replace_substring_regex(texts.as_arrow(), r"\s+", "_"))
        column_codes, vocabulary = columns[heading]
        place = np.append(vocabulary.match(texts), NONE)[column_codes].astype(np.int64)
        valid &= (place != NONE) | (column_codes == NONE)
        cell = cell * (len(texts) + 1) + codes + 1
        pair_cell = pair_cell * (len(texts) + 1) + place + 1
    order = np.argsort(cell)
    ordered = np.append(cell[order], -1)
    position = np.searchsorted(ordered[:-1], pair_cell)
    matches = valid & (ordered[position] == pair_cell)
    return np.bincount(order[position[matches]], minlength=len(cell)).astype(np.int64)


def state_rule(
    statement: Statement, column_names: Collection[str], params: QueryResultThresholdParams
) -> Statement:
    """The statement with who was counted, and whether views were."""
    result_note = (
        sentence("query_result_threshold.views")
        if RESULTS_SHOWN in column_names
        else sentence("query_result_threshold.no_views")
    )
    frequent = assume(
        "query_result_threshold.queries_have_k_users",
        "holds",
        sentence("query_result_threshold.anchor"),
        k=params.k_query,
        window=params.window,
    )
    return replace(
        statement,
        claim=join_phrases(" ", [statement.claim, describe_users(column_names), result_note]),
        assumptions=(*statement.assumptions, frequent),
        measured={**statement.measured, "entity_users": float(params.k_query)},
    )


_RULE = CellRule(
    params=QueryResultThresholdParams,
    keys=("query", "url", "country", "device"),
    least="k_cell",
    choose=choose_rows,
    frequent=FrequentQueries(
        "k_query",
        lambda period, params: list_windows(period, params.window, params.first_day),
        find_signed_in,
    ),
    adds={
        "clicks": lambda log: np.ones(len(log), dtype=np.int64),
        "placed": lambda log: (log.rank > 0).astype(np.int64),
        "ranks": lambda log: np.maximum(log.rank, 0).astype(np.int64),
    },
    show=show_results,
    claim=lambda keys, k: sentence("query_result_threshold.claim", keys=keys, k=k),
    main=("k_query", "k_cell", "window", "first_day", "suppress"),
    also_reads=(SIGNED_IN, RESULTS_SHOWN),
    count_views=count_views,
    state=state_rule,
)
METHOD = build_method(_RULE, ("k_query", "k_cell"))
