"""From released counts to the three tables, in an order that says nothing about the log.

Codes of a log are numbered by first appearance, which is nobody's business outside. A release
numbers its queries by falling released count, then by text; its URLs by text; its clicks by
query, falling count, URL; its transitions by query and following query. All of that follows from
what is released anyway.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from auditor.arrays import Int32s, Int64s
from auditor.log.model import QueryLog, Vocabulary
from auditor.methods.noisy_counts.histograms import PairCounts
from auditor.privacy.release import Tables


@dataclass(frozen=True, eq=False)
class ReleasedQueries:
    """The released queries, in the release's order.

    Attributes
    ----------
    queries, count
        Text and released count of each; decoys from the pool stand among them.
    wanted
        int32 over the log's query codes: the place of each in `queries`, −1 if it isn't there.
    decoys
        How many of the queries come from the pool alone.
    """

    queries: Vocabulary
    count: Int64s
    wanted: Int32s
    decoys: int

    def __len__(self) -> int:
        return len(self.queries)


@dataclass(frozen=True, eq=False)
class ReleasedCounts:
    """Released clicks or transitions: place of the query, second code, released count."""

    first: Int64s
    second: Int64s
    count: Int64s


NO_ENTRIES = ReleasedCounts(*(np.zeros(0, dtype=np.int64) for _ in range(3)))


def choose_queries(
    log: QueryLog,
    index: Int64s,
    count: Int64s,
    decoys: Sequence[str] = (),
    decoy_count: Int64s | None = None,
) -> ReleasedQueries:
    """Put released query codes and decoys into the release's order; O(m log m)."""
    import pyarrow as pa
    import pyarrow.compute as pc

    text = pa.concat_arrays([log.queries.take(index).as_arrow(), Vocabulary.of(decoys).as_arrow()])
    counts = count if decoy_count is None else np.concatenate([count, decoy_count])
    table = pa.table({"count": counts, "text": text})
    order = pc.sort_indices(table, [("count", "descending"), ("text", "ascending")]).to_numpy()
    order = order.astype(np.int64)
    rank = np.empty(len(order), dtype=np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    wanted = np.full(len(log.queries), -1, dtype=np.int32)
    wanted[index] = rank[: len(index)]
    queries = Vocabulary.of_arrow(text.take(pa.array(order)))
    return ReleasedQueries(queries, counts[order].astype(np.int64), wanted, len(decoys))


def select_released(pairs: PairCounts, index: Int64s, count: Int64s) -> ReleasedCounts:
    """Those of `pairs` at `index`, with their released counts."""
    return ReleasedCounts(pairs.first[index], pairs.second[index], count)


def assemble_tables(
    pages: Vocabulary,
    chosen: ReleasedQueries,
    clicks: ReleasedCounts | None,
    transitions: ReleasedCounts | None,
) -> Tables:
    """The release; None for a table that isn't published. Clicks' codes are into `pages`."""
    queries, count = chosen.queries, chosen.count
    found = clicks or NO_ENTRIES
    urls, code = _by_text(pages, found.second)
    order = np.lexsort((code, -found.count, found.first))
    steps = transitions or NO_ENTRIES
    by_place = np.lexsort((steps.second, steps.first))
    return Tables(
        queries=queries,
        query_count=count,
        urls=urls,
        click_query=found.first[order].astype(np.int32),
        click_url=code[order],
        click_count=found.count[order],
        from_query=steps.first[by_place].astype(np.int32),
        to_query=steps.second[by_place].astype(np.int32),
        transition_count=steps.count[by_place],
        has_clicks=clicks is not None,
        has_transitions=transitions is not None,
    )


def _by_text(vocabulary: Vocabulary, codes: Int64s) -> tuple[Vocabulary, Int32s]:
    """Only the strings of `codes`, in the order of their text, and the codes renumbered."""
    import pyarrow.compute as pc

    used, inverse = np.unique(codes, return_inverse=True)
    part = vocabulary.take(used)
    order = pc.sort_indices(part.as_arrow()).to_numpy().astype(np.int64)
    rank = np.empty(len(order), dtype=np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    return part.take(order), rank[inverse]
