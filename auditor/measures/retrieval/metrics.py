"""nDCG@10, MAP, P@10 and R@10 of rankings, by an evaluation library.

These figures depend on nothing but the places of the relevant pages among the first `DEPTH` and
on how many relevant pages there are. So each distinct pattern of these is put to the library
once, as a made-up query, and looked up from then on: a few hundred patterns serve millions of
rankings.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field

import numpy as np

from auditor.arrays import Float64s, Int64s, UInt64s
from auditor.measures.retrieval.algorithms import DEPTH, RankedUrls

METRICS: tuple[tuple[str, str], ...] = (
    ("ndcg", "nDCG@10"),
    ("map", "MAP"),
    ("p10", "P@10"),
    ("r10", "R@10"),
)
_WORDS = -(-DEPTH // 64)
_ASKED = {"ndcg_cut.10", f"map_cut.{DEPTH}", "P.10", "recall.10"}
_ANSWERS = ("ndcg_cut_10", f"map_cut_{DEPTH}", "P_10", "recall_10")
_PAGES = [f"page {place}" for place in range(DEPTH + 1)]
_RUNS = [{name: -float(i) for i, name in enumerate(_PAGES[1 : n + 1])} for n in range(DEPTH + 1)]
"""Rankings of the pages 1 … n, by a falling score."""


@dataclass(frozen=True, eq=False)
class RelevantUrls:
    """What was clicked for each of `size` queries: pairs (row, page), and how many in all.

    `total` counts also pages that aren't in the graph, which no ranking can hold; shape (size,).
    """

    row: Int64s
    page: Int64s
    total: Int64s


@dataclass(eq=False)
class RankingJudge:
    """Asks the library about patterns that it hasn't seen."""

    known: dict[bytes, tuple[float, ...]] = field(default_factory=dict)

    def judge_rankings(self, ranked: RankedUrls, relevant: RelevantUrls, pages: int) -> Float64s:
        """The four figures of each query; shape (4, queries). NaN where nothing is relevant.

        O((entries + pairs) · log pairs) and, for each new pattern, one question to the library.
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
        names = patterns.view(f"V{8 * (_WORDS + 1)}").reshape(-1)
        distinct, first, inverse = np.unique(names, return_index=True, return_inverse=True)
        keys = [name.tobytes() for name in distinct]
        new = [i for i, key in enumerate(keys) if key not in self.known]
        asked = by_library(*_unpack_patterns(patterns[first[new]]))
        self.known.update((keys[i], figures) for i, figures in zip(new, asked, strict=True))
        found = np.array([self.known[key] for key in keys]).reshape(-1, len(METRICS))
        judged: Float64s = found.T[:, inverse]
        judged[:, relevant.total == 0] = np.nan
        return judged


def by_library(hits: list[list[int]], totals: list[int]) -> list[tuple[float, ...]]:
    """The four figures of rankings with relevant pages at the places `hits`, from 1.

    `totals` says how many pages are relevant to each, with those that it doesn't hold. The
    library is trec_eval's own code: nDCG with the gain 1/log2(place + 1).
    """
    if not hits:
        return []
    import pytrec_eval

    wanted, run = {}, {}
    for i, (places, total) in enumerate(zip(hits, totals, strict=True)):
        names = [_PAGES[place] for place in places]
        names += [f"missing {number}" for number in range(total - len(places))]
        wanted[str(i)] = dict.fromkeys(names, 1) or {"nothing": 0}
        run[str(i)] = _RUNS[max(places, default=1)]
    figures = pytrec_eval.RelevanceEvaluator(wanted, _ASKED).evaluate(run)
    return [tuple(figures[str(i)][name] for name in _ANSWERS) for i in range(len(hits))]


def _unpack_patterns(patterns: UInt64s) -> tuple[list[list[int]], list[int]]:
    """The places of the hits of each pattern, and how many pages are relevant."""
    words = np.ascontiguousarray(patterns[:, :_WORDS], dtype="<u8")
    bits = np.unpackbits(words.view(np.uint8), axis=1, bitorder="little")
    row, place = np.nonzero(bits)
    ends = np.searchsorted(row, np.arange(len(patterns) + 1))
    places = (place + 1).tolist()
    hits = [places[a:b] for a, b in itertools.pairwise(ends.tolist())]
    return hits, patterns[:, _WORDS].astype(np.int64).tolist()
