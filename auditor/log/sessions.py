"""Sessions: runs of one user's rows without a long pause."""

import numpy as np

from auditor.arrays import Int64s
from auditor.log import gil_friendly
from auditor.log.model import QueryLog

GAP_SECONDS = 1800
"""The pause that ends a session, unless another is asked for: 30 minutes."""


def find_sessions(log: QueryLog, gap_seconds: int = GAP_SECONDS) -> Int64s:
    """Row at which each session begins, and the number of rows at the end; O(n).

    Session s is the rows ``starts[s]:starts[s + 1]``: one user, and no pause between two rows
    longer than `gap_seconds`. Shape (sessions + 1,); ``[0]`` for an empty log.
    """
    if not len(log):
        return np.zeros(1, dtype=np.int64)
    new = log.user[1:] != log.user[:-1]
    new |= np.diff(log.time) > gap_seconds
    inner = np.flatnonzero(new) + 1
    return np.concatenate(([0], inner, [len(log)])).astype(np.int64)


def session_of_rows(starts: Int64s) -> Int64s:
    """The session of each row, from what `find_sessions` gave; shape (n,)."""
    return gil_friendly.expand_owners(starts)
