"""nDCG@10, MAP, P@10 and R@10 of rankings, by an evaluation library.

These figures depend on nothing but the places of the relevant pages among the first `DEPTH` and
on how many relevant pages there are. So each distinct pattern of these is put to the library
once, as a made-up query, and looked up from then on: a few hundred patterns serve millions of
rankings.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from auditor.measures.retrieval_walks import DEPTH, Ranked

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

METRICS: tuple[tuple[str, str], ...] = (
    ("ndcg", "nDCG@10"),
    ("map", "MAP"),
    ("p10", "P@10"),
    ("r10", "R@10"),
)
_WORDS = -(-DEPTH // 64)


@dataclass(frozen=True, eq=False)
class Relevant:
    """What was clicked for each of `size` queries: pairs (row, page), and how many in all.

    `total` counts also pages that aren't in the graph, which no ranking can hold; shape (size,).
    """

    row: Ints
    page: Ints
    total: Ints


@dataclass(eq=False)
class Judge:
    """Asks the library about patterns that it hasn't seen."""

    known: dict[bytes, tuple[float, ...]] = field(default_factory=dict)

    def judge(self, ranked: Ranked, relevant: Relevant, pages: int) -> Floats:
        """The four figures of each query; shape (queries, 4). NaN where nothing is relevant.

        O((entries + pairs) · log pairs) and, for each new pattern, one call of the library.
        """
        size = len(relevant.total)
        wanted = np.sort(relevant.row * pages + relevant.page)
        held = ranked.row * pages + ranked.page
        at = np.minimum(np.searchsorted(wanted, held), max(len(wanted) - 1, 0))
        hit = (wanted[at] == held) if len(wanted) else np.zeros(len(held), dtype=np.bool_)
        patterns = np.zeros((size, _WORDS + 1), dtype=np.uint64)
        patterns[:, _WORDS] = relevant.total.astype(np.uint64)
        place = ranked.place[hit] - 1
        bit = np.left_shift(np.uint64(1), (place % 64).astype(np.uint64))
        np.bitwise_or.at(patterns, (ranked.row[hit], place // 64), bit)
        distinct, inverse = np.unique(patterns, axis=0, return_inverse=True)
        self._ask([row for row in distinct if row.tobytes() not in self.known])
        found = np.array([self.known[row.tobytes()] for row in distinct]).reshape(-1, len(METRICS))
        judged: Floats = found[inverse.reshape(-1)]
        judged[relevant.total == 0] = np.nan
        return judged

    def _ask(self, patterns: list[NDArray[np.uint64]]) -> None:
        if not patterns:
            return
        rankings = {str(i): _hits(pattern) for i, pattern in enumerate(patterns)}
        totals = {str(i): int(pattern[_WORDS]) for i, pattern in enumerate(patterns)}
        figures = by_library(rankings, totals)
        for i, pattern in enumerate(patterns):
            self.known[pattern.tobytes()] = figures[str(i)]


def by_library(hits: dict[str, list[int]], totals: dict[str, int]) -> dict[str, tuple[float, ...]]:
    """The four figures of rankings that hold relevant pages at the places `hits` (from 1)."""
    import ir_measures

    measures: list[Any] = [
        ir_measures.nDCG @ 10,
        ir_measures.AP @ DEPTH,
        ir_measures.P @ 10,
        ir_measures.R @ 10,
    ]
    wanted, run = {}, {}
    for name, places in hits.items():
        missing = totals[name] - len(places)
        names = [f"page {place}" for place in places] + [f"missing {i}" for i in range(missing)]
        wanted[name] = dict.fromkeys(names or ["nothing"], 1 if names else 0)
        run[name] = {
            f"page {place}": -float(place) for place in range(1, max(places, default=1) + 1)
        }
    figures = {name: [0.0] * len(measures) for name in hits}
    for found in ir_measures.iter_calc(measures, wanted, run):
        figures[found.query_id][measures.index(found.measure)] = float(found.value)
    return {name: tuple(row) for name, row in figures.items()}


def _hits(pattern: NDArray[np.uint64]) -> list[int]:
    words = [int(word) for word in pattern[:_WORDS]]
    return [
        place for place in range(1, DEPTH + 1) if words[(place - 1) // 64] >> (place - 1) % 64 & 1
    ]
