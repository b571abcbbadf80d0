"""Suppression: released strings that point at a person are left out of tables afterwards.

A method draws its noise and decides what passes; then every string that a fixed detector marks is
dropped, with the clicks, transitions and dates that name it. Which strings these are follows from
the text of each alone, never from the log, so this is post-processing: what is released is a
function of what the method gave out, and its (ε, δ) stays as it is (Dwork and Roth: The
Algorithmic Foundations of Differential Privacy, 2014, proposition 2.1). What the detector misses
stays, and what it marks wrongly is lost.

Methods whose tables hold strings of the log declare the parameter ``suppress``. The detector
stands beside the attacks, which methods don't know, so the engine applies it.
"""

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from auditor.arrays import Bools, Int32s, Int64s
from auditor.figures import Figure, MetricValue
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.model import Vocabulary, number_by_appearance
from auditor.log.sentences import sentence
from auditor.messages import as_phrase
from auditor.params import Params
from auditor.privacy.release import QUERY, URL, CellFigure, CellKey, DatedCounts, Tables
from auditor.privacy.statement import Statement

PARAMETER = "suppress"
NOTHING, IDENTIFIERS, NAMES = "nothing", "identifiers", "names"
LEVELS = (NOTHING, IDENTIFIERS, NAMES)
"""What is suppressed, each more than the one before."""
SUPPRESSED_QUERIES, SUPPRESSED_ADDRESSES = "queries_suppressed", "addresses_suppressed"
"""Entries under a release's changes: strings that had passed and were left out."""

_WHAT = {
    IDENTIFIERS: "identifiers of a person",
    NAMES: "identifiers of a person or as names of people whom no list of public people has",
}

ExpectedContent = tuple[tuple[MetricValue, ...], tuple[Figure, ...]]
"""An expectation's values and figures."""


@dataclass(frozen=True)
class StringMarks:
    """Which strings of a vocabulary a setting suppresses: queries, and web addresses.

    Each gives an array of shape (len(vocabulary),).
    """

    queries: Callable[[Vocabulary], Bools]
    addresses: Callable[[Vocabulary], Bools]


def suppression_level(params: Params) -> str:
    """What a setting suppresses; nothing where its method has no such parameter."""
    return str(getattr(params, PARAMETER, NOTHING))


def suppress_strings(tables: Tables, queries: Bools, urls: Bools) -> Tables:
    """The tables without the marked strings and without what names them; O(entries).

    `queries`, `urls`: which of the tables' strings are marked; shapes (len(tables.queries),) and
    (len(tables.urls),).
    """
    if not (queries.any() or urls.any()):
        return tables
    if (cells := tables.alone) is not None:
        marked, kept_cells = {QUERY: queries, URL: urls}, np.ones(len(cells), dtype=np.bool_)
        for key in cells.keys:
            if key.heading in marked:
                kept_cells &= ~np.append(marked[key.heading], False)[key.codes]
        keys = (
            CellKey(key.heading, *number_by_appearance(key.codes[kept_cells], key.texts))
            for key in cells.keys
        )
        figures = (CellFigure(name, values[kept_cells]) for name, values in cells.figures)
        cells = dataclasses.replace(cells, keys=tuple(keys), figures=tuple(figures))
        return Tables.of_cells(cells, folded=tables.folded)
    kept_queries = np.flatnonzero(~queries)
    place = _places(kept_queries, len(queries))
    clicks = ~queries[tables.click_query] & ~urls[tables.click_url]
    pages = sorted_distinct(tables.click_url[clicks])
    moves = ~queries[tables.from_query] & ~queries[tables.to_query]
    remaining = dataclasses.replace(
        tables,
        queries=tables.queries.take(kept_queries),
        query_count=tables.query_count[kept_queries],
        urls=tables.urls.take(pages.astype(np.int64)),
        click_query=place[tables.click_query[clicks]],
        click_url=_places(pages, len(urls))[tables.click_url[clicks]],
        click_count=tables.click_count[clicks],
        from_query=place[tables.from_query[moves]],
        to_query=place[tables.to_query[moves]],
        transition_count=tables.transition_count[moves],
    )
    if not tables.step:
        return remaining
    query, time, count = tables.dates
    stays = ~queries[query]
    return remaining.with_dates(
        tables.step, DatedCounts(place[query[stays]], time[stays], count[stays])
    )


def state_suppression(
    statement: Statement, level: str, kind: Literal["log", "tables"]
) -> Statement:
    """The statement with a sentence on what was left out, and why that costs nothing."""
    if level == NOTHING:
        return statement
    return dataclasses.replace(
        statement,
        claim=sentence(
            "suppression.rows_marked"
            if kind == "log"
            else "suppression.cells_marked"
            if statement.epsilon is None
            else "suppression.strings_passed_detector_marks",
            claim=as_phrase(statement.claim),
            what=as_phrase(_WHAT[level]),
        ),
    )


def _places(codes: Int64s | Int32s, size: int) -> Int32s:
    """The new code of each kept one among `size`; shape (size,)."""
    place = np.full(size, -1, dtype=np.int32)
    place[codes] = np.arange(len(codes), dtype=np.int32)
    return place
