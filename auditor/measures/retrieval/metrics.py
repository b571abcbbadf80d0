"""nDCG@10, MAP, P@10 and R@10 of rankings, as trec_eval defines them; nDCG's gain is 1/log2."""

from dataclasses import dataclass

import numpy as np

from auditor.arrays import Float64s, Int64s
from auditor.log.gil_friendly import is_among
from auditor.measures.retrieval.algorithms import RankedUrls

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
