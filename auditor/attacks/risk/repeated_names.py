"""Where users come back to a name: their own, as people search for themselves, or of somebody near.

No profile is needed: of the names in a user's queries that are not famous, one that they search
for in several sessions says more of them than one they searched for once (Jones et al., CIKM 2008,
section 4, find users by the names that weigh most in their sessions). O(rows + marks).
"""

from __future__ import annotations

import numpy as np

from auditor.arrays import Bools, Int64s, UInt8s, expand_ranges
from auditor.attacks.detection.entity_detection import EntityMarks
from auditor.attacks.risk import reasons as why
from auditor.log.model import QueryLog
from auditor.log.sessions import find_sessions
from auditor.progress import Progress

LEAST_SESSIONS = 2
"""Sessions of one user that hold a name."""


def find_repeated_names(
    log: QueryLog, spots: EntityMarks, reason: UInt8s, gap_seconds: int, progress: Progress
) -> Bools:
    """Rows whose query holds a private name that its user searched for in several sessions.

    Of each user it is the name, or the names, of most sessions. Shape (rows,).
    """
    again = np.zeros(len(log), dtype=np.bool_)
    private = np.flatnonzero((reason == why.NON_STAR) & (spots.name >= 0))
    if not len(private):
        return again
    names = np.unique(spots.name[private], return_inverse=True)[1].astype(np.int64)
    row, name = _rows_with_names(log, spots.query[private].astype(np.int64), names)
    progress.check()
    if not len(row):
        return again
    session = np.searchsorted(find_sessions(log, gap_seconds), row, side="right")
    user = log.user[row].astype(np.int64)
    pair = user << 32 | name
    whole, place = np.unique(pair, return_inverse=True)
    held = np.unique(np.stack([place, session]), axis=1)[0]
    count = np.bincount(held, minlength=len(whole))
    most = np.zeros(len(log.users), dtype=np.int64)
    np.maximum.at(most, whole >> 32, count)
    chosen = (count >= LEAST_SESSIONS) & (count == most[whole >> 32])
    again[row[chosen[place]]] = True
    return again


def _rows_with_names(log: QueryLog, query: Int64s, name: Int64s) -> tuple[Int64s, Int64s]:
    """Every (row, name) of the log; `query` and `name` are those of the marks, by query."""
    begin = np.searchsorted(query, np.arange(len(log.queries) + 1)).astype(np.int64)
    row = np.flatnonzero(begin[log.query + 1] > begin[log.query])
    code = log.query[row]
    sizes = begin[code + 1] - begin[code]
    return np.repeat(row, sizes), name[expand_ranges(begin[code], sizes)]
