"""The query–click graph of three tables, three retrieval algorithms on it, and how good they are.

Nodes are numbered by their text, so that a graph, the order in which its numbers are added, and
ties between pages don't depend on how a log or a release numbers its strings. Noise can bring a
released count to 0 or below. Such a transition is left out; such a click stays, for it says that
the page belongs to the query, and what it weighs is for the algorithms to say.

The algorithms are products of sparse matrices (Zhang et al. 2016). A walker stands at a query. With
probability s he stays there; else he goes to one of its pages or to a following query, in
proportion to the released counts. Pages hold whoever reaches them. Pages are ranked by the
probability of being there after `steps` moves. After one move that is the order of the click
counts, whatever the transitions are: a page can only gain by other queries when there are two or
more. How many moves the source made it doesn't say.

Rankings come as `RankedUrls`: entries in the order of rows and places. Ties are broken by the
pages' text. Cost of n moves for m queries: the entries of n products of an (m × queries) matrix,
sorted. Judged are nDCG@10, MAP, P@10 and R@10 as trec_eval defines them; nDCG's gain is 1/log2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from auditor.arrays import Array, Float64s, Int32s, Int64s
from auditor.log.gil_friendly import is_among
from auditor.log.model import NONE, Vocabulary
from auditor.measures.query_counts import match_vocabulary
from auditor.privacy.release import Tables
from auditor.progress import Progress, run_cancellable

if TYPE_CHECKING:
    from scipy import sparse

    Matrix = sparse.csr_array[Any]
else:
    Matrix = Any


@dataclass(frozen=True, eq=False)
class ClickGraph:
    """Clicks and transitions as sparse matrices over nodes in the order of their text."""

    # Click counts; shape (queries, pages). Entries that are not positive are kept: they are
    # released, too.
    clicks: Matrix
    transitions: Matrix  # positive transition counts; shape (queries, queries)
    # queries, pages: the released strings
    queries: Vocabulary
    pages: Vocabulary
    # query_node, page_node: the node of each code of `queries` and `pages`
    query_node: Int32s
    page_node: Int32s

    def find_nodes(self, strings: Vocabulary, progress: Progress, *, pages: bool = False) -> Int32s:
        """The node of each query or page, −1 where it isn't released; O(strings here and there)."""
        released, node = (self.pages, self.page_node) if pages else (self.queries, self.query_node)
        code = match_vocabulary(strings, released, "looking for queries and pages", progress)
        return np.append(node, np.int32(NONE))[code]


def graph_of(tables: Tables, progress: Progress) -> ClickGraph:
    """The graph of three tables; O((strings + entries) · log)."""
    query, page = text_order(tables.queries, progress), text_order(tables.urls, progress)
    size, pages = len(query), len(page)
    real = tables.transition_count > 0
    return ClickGraph(
        clicks=sparse_matrix(
            query[tables.click_query], page[tables.click_url], tables.click_count, (size, pages)
        ),
        transitions=sparse_matrix(
            query[tables.from_query[real]],
            query[tables.to_query[real]],
            tables.transition_count[real],
            (size, size),
        ),
        queries=tables.queries,
        pages=tables.urls,
        query_node=query,
        page_node=page,
    )


def sparse_matrix(row: Int32s, column: Int32s, weight: Array, shape: tuple[int, int]) -> Matrix:
    """A sparse matrix with sorted columns; entries of 0 stay entries."""
    from scipy import sparse

    matrix = sparse.coo_array((weight.astype(np.float64), (row, column)), shape=shape).tocsr()
    matrix.sum_duplicates()
    return matrix


def text_order(strings: Vocabulary, progress: Progress) -> Int32s:
    """The place of each string in the order of their bytes; shape (len(strings),)."""
    import pyarrow.compute as pc

    order = run_cancellable(lambda: pc.sort_indices(strings.as_arrow()).to_numpy(), progress)
    place = np.empty(len(strings), dtype=np.int32)
    place[order] = np.arange(len(strings), dtype=np.int32)
    return place


DEPTH = 100
"""Places of a ranking that are looked at; MAP is taken over so many."""

FAINT = 1e-6
"""Weight of a page that is released with a noisy count of 0 or less: it comes last, but comes."""

_WALKS = 256  # queries walked from at once: tens of ms in a log of ten million rows
_ROWS = 16_384


class RankedUrls(NamedTuple):
    """Rankings of several queries: entry i says that `page` has `place` (from 1) for `row`."""

    row: Int64s
    page: Int64s
    place: Int64s


NOTHING_RANKED = RankedUrls(*np.zeros((3, 0), dtype=np.int64))


@dataclass(frozen=True, eq=False)
class RandomWalk:
    """Where a walker goes from each query: to queries, and to pages, which hold him."""

    queries: Matrix
    pages: Matrix


def walk_chain(graph: ClickGraph, stay: float) -> RandomWalk:
    """P(k|j) of the random walk; rows sum to 1 where a query has any way out, else to `stay`."""
    from scipy import sparse

    clicks, steps = _floor_weights(graph.clicks), graph.transitions
    total = _row_sums(clicks) + _row_sums(steps)
    scale = np.divide(1 - stay, total, out=np.zeros_like(total), where=total > 0)
    loop = sparse.diags_array(np.full(len(total), stay), format="csr")
    return RandomWalk((_scale_rows(steps, scale) + loop).tocsr(), _scale_rows(clicks, scale))


def impact_chain(graph: ClickGraph, stay: float) -> RandomWalk:
    """P'(k|j): the walk drawn to pages with many clicks, F = 1 + log(1 + clicks); rows sum to 1."""
    chain = walk_chain(graph, stay)
    clicks = _floor_weights(graph.clicks)
    clicked = np.bincount(clicks.indices, clicks.data, minlength=clicks.shape[1])
    weighted_pages = chain.pages.copy()
    weighted_pages.data *= (1 + np.log1p(clicked))[weighted_pages.indices]
    total = _row_sums(chain.queries) + _row_sums(weighted_pages)
    scale = np.divide(1.0, total, out=np.zeros_like(total), where=total > 0)
    return RandomWalk(_scale_rows(chain.queries, scale), _scale_rows(weighted_pages, scale))


def rank_by_walk(chain: RandomWalk, start: Int64s, moves: int, progress: Progress) -> RankedUrls:
    """Rank pages by the probability of being there `moves` moves after each of `start`."""
    parts = [NOTHING_RANKED]
    for first, last in progress.blocks("walking from queries", len(start), _WALKS):
        walkers = chain.queries[start[first:last]]
        page_mass = chain.pages[start[first:last]]
        for move in range(1, moves):
            progress.check()
            page_mass = page_mass + walkers @ chain.pages
            if move + 1 < moves:
                walkers = walkers @ chain.queries
        parts.append(_rank_columns(page_mass, first))
    return RankedUrls(*map(np.concatenate, zip(*parts, strict=True)))


def by_weight(matrix: Matrix, start: Int64s, stage: str, progress: Progress) -> RankedUrls:
    """All entries of the rows `start` of a matrix, by falling weight, equal ones by column."""
    parts = [NOTHING_RANKED]
    for first, last in progress.blocks(stage, len(start), _ROWS):
        parts.append(_rank_columns(matrix[start[first:last]], first, depth=None))
    return RankedUrls(*map(np.concatenate, zip(*parts, strict=True)))


def with_feedback(original: RankedUrls, feedback: Float64s, weight: float) -> RankedUrls:
    """Merge the order by clicks with a feedback rank: S = λ/(I+1) + (1−λ)/(O+1).

    `feedback` is the rank I of each entry of `original`, 0 where there is no feedback: then
    S = 1/(O+1), undiminished, as printed. Equal S keep their order.
    """
    by_count = 1 / (original.place + 1)
    has_feedback = feedback > 0
    score = np.where(has_feedback, weight / (feedback + 1) + (1 - weight) * by_count, by_count)
    order = np.lexsort((original.place, -score, original.row))
    row = original.row[order]
    return _cut_ranking(row, original.page[order], _number_places(row), DEPTH)


def _floor_weights(clicks: Matrix) -> Matrix:
    result = clicks.copy()
    result.data = np.maximum(result.data, FAINT)
    return result


def _row_sums(matrix: Matrix) -> Float64s:
    return np.asarray(matrix.sum(axis=1), dtype=np.float64).ravel()


def _scale_rows(matrix: Matrix, scale: Float64s) -> Matrix:
    """Each row times its own number."""
    result = matrix.copy()
    result.data *= np.repeat(scale, np.diff(result.indptr))
    return result


def _rank_columns(scores: Any, first: int, depth: int | None = DEPTH) -> RankedUrls:
    """Columns of each row by falling score, equal ones by column; rows count from `first`."""
    scores.sort_indices()
    row = np.repeat(np.arange(scores.shape[0], dtype=np.int64), np.diff(scores.indptr))
    order = np.lexsort((-scores.data, row))  # stable: columns ascend within equal scores
    row = row[order]
    return _cut_ranking(
        row + first, scores.indices[order].astype(np.int64), _number_places(row), depth
    )


def _number_places(row: Int64s) -> Int64s:
    """1, 2, 3 … within each run of equal rows."""
    new = np.flatnonzero(np.diff(row, prepend=-1))
    return np.arange(len(row)) - np.repeat(new, np.diff(np.append(new, len(row)))) + 1


def _cut_ranking(row: Int64s, page: Int64s, place: Int64s, depth: int | None) -> RankedUrls:
    keep = slice(None) if depth is None else place <= depth
    return RankedUrls(row[keep], page[keep], place[keep])


METRICS: tuple[tuple[str, str], ...] = (
    ("ndcg", "nDCG@10"),
    ("map", "MAP"),
    ("p10", "P@10"),
    ("r10", "R@10"),
)
_FIRST = 10
_GAINS = 1 / np.log2(np.arange(2, _FIRST + 2))
_IDEAL = np.append(0.0, np.cumsum(_GAINS))
"""The gain of n relevant pages at the first n places."""


@dataclass(frozen=True, eq=False)
class RelevantUrls:
    """What was clicked for each of `size` queries: pairs (row, page), and how many in all.

    `total` counts also pages that aren't in the graph, which no ranking can hold; shape (size,).
    """

    row: Int64s
    page: Int64s
    total: Int64s


def judge_rankings(ranked: RankedUrls, relevant: RelevantUrls, pages: int) -> Float64s:
    """The four figures of each query; shape (4, queries). NaN where nothing is relevant.

    O((entries + pairs) · log pairs).
    """
    hit = is_among(ranked.row * pages + ranked.page, relevant.row * pages + relevant.page)
    row, place, size = ranked.row[hit], ranked.place[hit], len(relevant.total)
    number = np.arange(1, len(row) + 1) - np.searchsorted(row, row)  # of a hit within its ranking
    is_early = place <= _FIRST
    gain = np.bincount(row[is_early], _GAINS[place[is_early] - 1], minlength=size)
    count = np.bincount(row[is_early], minlength=size)
    precision = np.bincount(row, number / place, minlength=size)
    total = np.where(relevant.total > 0, relevant.total, np.nan)
    ideal = _IDEAL[np.minimum(relevant.total, _FIRST)]
    return np.stack(
        [
            np.divide(gain, ideal, out=np.full(size, np.nan), where=ideal > 0),
            precision / total,
            np.where(relevant.total > 0, count / _FIRST, np.nan),
            count / total,
        ]
    )
