"""The query–click graph of three tables: what the retrieval algorithms walk on.

Nodes are numbered by their text, so that a graph, the order in which its numbers are added, and
ties between pages don't depend on how a log or a release numbers its strings. Noise can bring a
released count to 0 or below. Such a transition is left out; such a click stays, for it says that
the page belongs to the query, and what it weighs is for the algorithms to say.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from auditor.arrays import Array, Int32s
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

    def find_queries(self, strings: Vocabulary, progress: Progress) -> Int32s:
        """The node of each string, −1 where it isn't released; O(strings here and there)."""
        return _find_nodes(strings, self.queries, self.query_node, progress)

    def find_pages(self, strings: Vocabulary, progress: Progress) -> Int32s:
        """The node of each page's address, −1 where it isn't released."""
        return _find_nodes(strings, self.pages, self.page_node, progress)


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


def _find_nodes(strings: Vocabulary, among: Vocabulary, node: Int32s, progress: Progress) -> Int32s:
    code = match_vocabulary(strings, among, "looking for queries and pages", progress)
    return np.where(code == NONE, NONE, node[code] if len(node) else NONE).astype(np.int32)
