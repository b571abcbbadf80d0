"""What the order of words tells of them: which word follows which, and who opens a query.

Beyond the source, which looks at unordered company alone. A side's steps lead from each of its n
terms to the next different one in a query. Where the hashes were sorted or shuffled, steps mean
nothing; `is_kept` finds that out from the logs alone. O(tokens) to count.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from auditor.arrays import Int64s
from auditor.log.text import TokenizedQueries
from auditor.progress import Progress

if TYPE_CHECKING:
    from scipy.sparse import csr_array


_STRINGS = 1 << 18
_TERMS = 1000
"""So many frequent terms say whether a log's order means anything."""


@dataclass(frozen=True, eq=False)
class WordSuccessions:
    """Which of n terms follows which.

    Attributes
    ----------
    follows
        int64 sparse (n, n), empty diagonal: events in which the column's term comes next after
        the row's.
    ends
        int64: a term's occurrences in events of two terms or more, those as the first of them,
        and those as the last; shape (n, 3).
    """

    follows: csr_array[Any, Any]
    ends: Int64s

    def compute_shares(self) -> tuple[csr_array[Any, Any], csr_array[Any, Any]]:
        """Of a term's steps, the shares to each next and from each previous one; float32.

        Both together add up to 1 in each row that has any.
        """
        after, before = self.follows.copy(), self.follows.T.tocsr()
        sums = np.asarray(after.sum(axis=1)).ravel() + np.asarray(before.sum(axis=1)).ravel()
        for counts in (after, before):
            whole = np.repeat(np.maximum(sums, 1), np.diff(counts.indptr))
            counts.data = (counts.data / whole).astype(np.float32)
        return after, before


def count_successions(
    words: TokenizedQueries, weights: Int64s, n: int, progress: Progress
) -> WordSuccessions:
    """Count the steps among the n most frequent terms; `words` are coded by rank.

    Raises `Cancelled` within a block.
    """
    from scipy.sparse import coo_array, csr_array

    ends = np.zeros((n, 3), dtype=np.int64)
    follows: csr_array[Any, Any] = csr_array((n, n), dtype=np.int64)
    for first, last in progress.blocks("counting who follows whom", len(words), _STRINGS):
        offsets = words.offsets[first : last + 1]
        term = words.codes[offsets[0] : offsets[-1]]
        string = np.repeat(np.arange(first, last), np.diff(offsets))
        string, term = string[term < n], term[term < n]
        opens = np.diff(string, prepend=-1) != 0
        closes = np.diff(string, append=-1) != 0
        weight = weights[string]
        for column, some in enumerate((~(opens & closes), opens & ~closes, closes & ~opens)):
            ends[:, column] += np.bincount(term[some], weight[some], minlength=n).astype(np.int64)
        step = ~opens[1:] & (term[1:] != term[:-1])
        steps = (weight[1:][step], (term[:-1][step], term[1:][step]))
        follows = follows + coo_array(steps, shape=(n, n)).tocsr()
    return WordSuccessions(follows, ends)


def is_kept(theirs: float, reference: float) -> bool:
    """Whether the hashed side's words stand in an order that means something.

    Both are how `decided` a side is.

    Sorted hashes stand in one order always; shuffled ones as often in this as in that.
    Anything in between that is at least half as decided as the reference counts as kept.
    """
    return 0.5 * reference <= theirs < 1.0 and theirs > 0


def order_decidedness(words: TokenizedQueries, progress: Progress) -> float:
    """How decided frequent pairs of neighbours are about who comes first, 0 to 1.

    The mean of (2p − 1)², without bias, over pairs by the number of distinct queries that hold
    them next to each other, where p is the share of those in one of the two orders.
    """
    n = min(_TERMS, int(words.codes.max(initial=-1)) + 1)
    ones = np.ones(len(words), dtype=np.int64)
    one = count_successions(words, ones, n, progress).follows.astype(np.float64)
    both = (one + one.T).tocsr()
    often = both.data
    if not np.any(often >= 2):
        return 0.0
    inverse = both.copy()
    inverse.data = np.where(often >= 2, 1.0 / np.maximum(often - 1, 1), 0.0)
    undecided = 4.0 * float(one.multiply(one.T).multiply(inverse).sum())
    return max(1.0 - undecided / float(often[often >= 2].sum()), 0.0)
