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
    place
        int32 over the log's query codes: the place of each in `queries`, −1 if it isn't there.
    decoys
        How many of the queries come from the pool alone.
    """

    queries: Vocabulary
    count: Int64s
    place: Int32s
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
    text, counts = log.queries.take(index), count
    if decoys:
        import pyarrow as pa

        texts = [text.as_arrow(), Vocabulary.of(decoys).as_arrow()]
        text = Vocabulary.of_arrow(pa.concat_arrays(texts))
    if decoy_count is not None:
        counts = np.concatenate([count, decoy_count])
    order = _order_by_text(text, -counts)
    rank = np.argsort(order).astype(np.int32)
    places = np.full(len(log.queries), -1, dtype=np.int32)
    places[index] = rank[: len(index)]
    return ReleasedQueries(text.take(order), counts[order].astype(np.int64), places, len(decoys))


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
    entries = clicks or NO_ENTRIES
    urls, code = _by_text(pages, entries.second)
    order = np.lexsort((code, -entries.count, entries.first))
    steps = transitions or NO_ENTRIES
    by_place = np.lexsort((steps.second, steps.first))
    return Tables(
        queries=queries,
        query_count=count,
        urls=urls,
        click_query=entries.first[order].astype(np.int32),
        click_url=code[order],
        click_count=entries.count[order],
        from_query=steps.first[by_place].astype(np.int32),
        to_query=steps.second[by_place].astype(np.int32),
        transition_count=steps.count[by_place],
        has_clicks=clicks is not None,
        has_transitions=transitions is not None,
    )


def _by_text(vocabulary: Vocabulary, codes: Int64s) -> tuple[Vocabulary, Int32s]:
    """Only the strings of `codes`, in the order of their text, and the codes renumbered."""
    if not len(codes):
        return vocabulary.take(codes), codes.astype(np.int32)
    used, inverse = np.unique(codes, return_inverse=True)
    part = vocabulary.take(used)
    order = _order_by_text(part)
    rank = np.argsort(order).astype(np.int32)
    return part.take(order), rank[inverse]


def _order_by_text(strings: Vocabulary, first: Int64s | None = None) -> Int64s:
    """The order of distinct strings by their bytes, or by `first` and then by them; O(m log m)."""
    import pyarrow as pa
    import pyarrow.compute as pc

    columns = {"text": strings.as_arrow()} | ({} if first is None else {"first": first})
    by = [(name, "ascending") for name in ("first", "text") if name in columns]
    order: Int64s = pc.sort_indices(pa.table(columns), by).to_numpy().astype(np.int64)
    return order
