"""From a log to the counts that get noise, of limited users, and from released counts to tables.

The limited history of a user is the beginning of their history, cut before the row that would
bring one unit more than `q_f`. A unit is what a query's count counts (`unit`): a row, an event
(a distinct user, query and time), or, for ``users``, a query that the user has not asked
before. Rows of one time stand in the order of the input. Blank queries are missing values: their
rows are passed over, and nothing counts them. Where queries rarer than tau are
dropped, their rows are passed over first, as the source's Algorithm 1 does; without that, a
user's limited history depends on nobody else.

* **Clicks**: the first `c_f` of the limited history; by ``users`` a (query, URL) counts once.
* **Transitions**: in the limited history, from each query to the next *other* query.
  Consecutive rows of the same query (several clicks, next pages, repetitions) are one event,
  so no query follows itself. A history of `q_f` units has at most ``q_f - 1`` transitions; by
  ``users``, where queries come back without being new units, the first ``q_f - 1`` different
  transitions count, once each.

**Released tables** stand in an order that says nothing about the log. Codes of a log are numbered
by first appearance, which is nobody's business outside. A release numbers its queries by falling
released count, then by text; its URLs by text; its clicks by query, falling count, URL; its
transitions by query and following query. All of that follows from what is released anyway.

Costs O(rows + queries) for queries and O(rows in the limited histories + m log m) for m written
clicks or transitions. Memory: 8 bytes a distinct query, 8 a user, 24 a written key.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from auditor.arrays import Int32s, Int64s, UInt8s, mark_run_starts
from auditor.log.model import QueryLog, Vocabulary
from auditor.privacy.release import Tables
from auditor.progress import Progress, run_cancellable

if TYPE_CHECKING:
    from auditor.methods.noisy_counts.kernels import UserHistories

BLOCK_ROWS = 1 << 21
"""Rows of one block of users: some 30 ms, so that a cancel is heard in time."""


class CountingUnit(enum.Enum):
    """What one count is, spec "What one count is"."""

    ROWS = "rows"
    EVENTS = "events"
    USERS = "users"

    @property
    def code(self) -> int:
        """The kernels' number for it."""
        return list(CountingUnit).index(self)


@dataclass(frozen=True)
class ContributionLimits:
    """How much of a user counts: `q_f` units, `c_f` clicks, queries of at least `tau` units."""

    unit: CountingUnit
    q_f: int
    c_f: int
    tau: int = 1


@dataclass(frozen=True, eq=False)
class LimitedCounts:
    """The limited histories of a log and the counts of their queries."""

    limits: ContributionLimits
    stops: Int64s  # row before which each user's limited history ends; shape (users,)
    # over query codes, 1 where the query is blank or rarer than tau; empty if none is.
    dropped: UInt8s
    query_count: Int32s  # units of each query in the limited histories; shape (queries,)


@dataclass(frozen=True, eq=False)
class PairCounts:
    """Counted pairs, ascending by (first, second): a released query's place and a code.

    `total` is how many clicks or transitions the limits let through, of any query.
    """

    first: Int64s
    second: Int64s
    count: Int64s
    total: int

    def __len__(self) -> int:
        return len(self.count)


def limit_users(
    log: QueryLog, limits: ContributionLimits, progress: Progress, *, units: Int32s | None = None
) -> LimitedCounts:
    """Cut every history and count the queries of what is left.

    `units` are the log's `unit_counts`, for a tau above 1, if they have been counted already.
    """
    dropped = _flag_blank_queries(log)
    if limits.tau > 1:
        if units is None:
            units = unit_counts(log, limits.unit, progress)
        dropped = (units < limits.tau).view(np.uint8)  # blank queries have no units
    counts, stops = _count_queries(
        log, dropped, limits.unit, limits.q_f, "limiting users", progress
    )
    return LimitedCounts(limits, stops, dropped, counts)


def unit_counts(log: QueryLog, unit: CountingUnit, progress: Progress) -> Int32s:
    """int32 units of each query in the whole log, none of a blank one; shape (queries,)."""
    blank = _flag_blank_queries(log)
    return _count_queries(log, blank, unit, 1 << 62, "counting queries", progress)[0]


def _count_queries(
    log: QueryLog, dropped: UInt8s, unit: CountingUnit, limit: int, stage: str, progress: Progress
) -> tuple[Int32s, Int64s]:
    """Units of each query within the first `limit` of each user, and where these end."""
    from auditor.methods.noisy_counts import kernels

    table = np.zeros((len(log.queries), 2), dtype=np.int32)
    table[:, 0] = -1
    stops = np.zeros(len(log.users), dtype=np.int64)
    histories = _gather_histories(log, stops, dropped, unit)
    for first, last in progress.whole_blocks(stage, log.user_starts, BLOCK_ROWS):
        kernels.count_queries(histories, first, last, unit.code, limit, table)
    return np.ascontiguousarray(table[:, 1]), stops


def click_pairs(
    log: QueryLog, limited: LimitedCounts, places: Int32s, progress: Progress
) -> PairCounts:
    """Clicks of the limited histories on queries with ``places[query] >= 0``.

    `first` is ``places[query]``, `second` the URL's code. The limit `c_f` is applied before
    `places`, so that which clicks of a user count depends on that user alone.
    """
    return _count_pairs(log, limited, places, True, progress)


def transition_pairs(
    log: QueryLog, limited: LimitedCounts, places: Int32s, progress: Progress
) -> PairCounts:
    """Transitions of the limited histories between two queries that are both wanted.

    `first` and `second` are ``places[q]`` and ``places[q']``. The limit is applied first, as
    in `click_pairs`. Queries that are not wanted stand between: they are not skipped over.
    """
    return _count_pairs(log, limited, places, False, progress)


def _gather_histories(
    log: QueryLog, stops: Int64s, dropped: UInt8s, unit: CountingUnit
) -> UserHistories:
    from auditor.methods.noisy_counts import kernels

    query = log.query.view(np.uint32)
    # Read-only either way: for two kinds of arrays each kernel would be compiled twice.
    begins = log.event_starts if unit is CountingUnit.EVENTS else log.user[:0].view(np.bool_)
    return kernels.UserHistories(query, begins, log.url, log.user_starts, stops, dropped)


def _flag_blank_queries(log: QueryLog) -> UInt8s:
    """1 where a query is blank; empty if none is."""
    blank = log.queries.find_blank()
    return blank.view(np.uint8) if blank.any() else np.zeros(0, dtype=np.uint8)


def _count_pairs(
    log: QueryLog, limited: LimitedCounts, places: Int32s, clicks: bool, progress: Progress
) -> PairCounts:
    """Count clicks, or transitions, of the limited histories."""
    from auditor.methods.noisy_counts import kernels

    limits, starts = limited.limits, log.user_starts
    limit = limits.c_f if clicks else limits.q_f - 1
    width = max(len(log.urls), 1) if clicks else int(places.max(initial=0)) + 1
    stage = "counting clicks" if clicks else "counting transitions"
    histories = _gather_histories(log, limited.stops, limited.dropped, limits.unit)
    once = limits.unit is CountingUnit.USERS
    # Room for the keys of one user: a power of two at least twice what they can show.
    longest = int((limited.stops - starts[:-1]).max(initial=0))
    size = 1 << int(2 * min(limit, longest) + 2).bit_length()
    slots, marks = np.zeros(size, dtype=np.int64), np.full(size, -1, dtype=np.int32)
    pieces: list[Int64s] = []
    pair_total = 0
    out = np.zeros(0, dtype=np.int64)
    for first, last in progress.whole_blocks(stage, log.user_starts, BLOCK_ROWS):
        rows = int(starts[last] - starts[first])
        if len(out) < rows:
            out = np.empty(rows, dtype=np.int64)
        key_count, block_total = kernels.emit_pairs(
            histories, first, last, clicks, once, limit, places, width, slots, marks, out
        )
        pieces.append(out[:key_count].copy())
        pair_total += block_total
    keys, count = count_keys(pieces, progress)
    return PairCounts(*np.divmod(keys, width), count, pair_total)


def count_keys(pieces: list[Int64s], progress: Progress) -> tuple[Int64s, Int64s]:
    """Distinct keys in ascending order and how often each occurs; empties `pieces`. O(m log m)."""
    keys = np.concatenate([np.zeros(0, dtype=np.int64), *pieces])
    pieces.clear()
    run_cancellable(keys.sort, progress)
    starts = np.flatnonzero(mark_run_starts(keys))
    return keys[starts], np.diff(starts, append=len(keys))


# --- released tables ---------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class ReleasedQueries:
    """The released queries, in the release's order."""

    # queries, count: text and released count of each; decoys from the pool stand among them
    queries: Vocabulary
    count: Int64s
    # over the log's query codes: the place of each in `queries`, −1 if it isn't there.
    place: Int32s
    decoys: int  # how many of the queries come from the pool alone

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
    order = order_by_text(text, -counts)
    rank = np.argsort(order).astype(np.int32)
    places = np.full(len(log.queries), -1, dtype=np.int32)
    places[index] = rank[: len(index)]
    return ReleasedQueries(text.take(order), counts[order].astype(np.int64), places, len(decoys))


def select_released(pairs: PairCounts, index: Int64s, count: Int64s) -> ReleasedCounts:
    """Those of `pairs` at `index`, with their released counts."""
    return ReleasedCounts(pairs.first[index], pairs.second[index], count)


def assemble_tables(
    pages: Vocabulary,
    released: ReleasedQueries,
    clicks: ReleasedCounts | None,
    transitions: ReleasedCounts | None,
) -> Tables:
    """The release; None for a table that isn't published. Clicks' codes are into `pages`."""
    queries, count = released.queries, released.count
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
    used_codes, inverse = np.unique(codes, return_inverse=True)
    part = vocabulary.take(used_codes)
    order = order_by_text(part)
    rank = np.argsort(order).astype(np.int32)
    return part.take(order), rank[inverse]


def order_by_text(strings: Vocabulary, first: Int64s | None = None) -> Int64s:
    """The order of distinct strings by their bytes, or by `first` and then by them; O(m log m)."""
    import pyarrow as pa
    import pyarrow.compute as pc

    columns = {"text": strings.as_arrow()} | ({} if first is None else {"first": first})
    by = [(name, "ascending") for name in ("first", "text") if name in columns]
    order: Int64s = pc.sort_indices(pa.table(columns), by).to_numpy().astype(np.int64)
    return order
