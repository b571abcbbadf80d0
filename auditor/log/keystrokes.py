"""Searches that somebody was still typing: logs of what is suggested while a query is written.

A search counts as unfinished if the same user's next search comes within `SECONDS`, is the same
text with at most `CHARACTERS` more, and nothing was clicked in between.
"""

import numpy as np

from auditor.arrays import Bools
from auditor.log.model import QueryLog
from auditor.log.sentences import sentence
from auditor.messages import DisplayText

SECONDS, CHARACTERS = 5, 3
LEAST = 0.05
"""Share of searches from which it is said: none of 3,950 of a log without suggestions is one."""
_BYTES = 4 * CHARACTERS
_PAIRS = 1 << 20
"""Pairs of texts that are compared at once."""


def find_unfinished(log: QueryLog) -> Bools:
    """Searches that were sent while the user was typing; shape (searches,), in the log's order.

    O(rows + bytes of the texts compared).
    """
    rows = np.flatnonzero(log.event_starts & ~log.queries.find_blank()[log.query])
    clicked = np.logical_or.reduceat(log.url >= 0, rows) if len(rows) else np.zeros(0, np.bool_)
    user, time, query = log.user[rows], log.time[rows], log.query[rows]
    growth = np.diff(log.queries.compute_lengths()[query].astype(np.int64))
    typed = (np.diff(user) == 0) & (np.diff(time) <= SECONDS) & ~clicked[:-1]
    places = np.flatnonzero(typed & (growth > 0) & (growth <= _BYTES))
    unfinished = np.zeros(len(rows), dtype=np.bool_)
    for first in range(0, len(places), _PAIRS):
        block = places[first : first + _PAIRS]
        texts = log.queries.list_strings(query[block].tolist())
        longer = log.queries.list_strings(query[block + 1].tolist())
        unfinished[block] = [
            after.startswith(text) and len(after) - len(text) <= CHARACTERS
            for text, after in zip(texts, longer, strict=True)
        ]
    return unfinished


def describe_unfinished(log: QueryLog) -> DisplayText | None:
    """What is counted as searches where many are unfinished; None where few are."""
    unfinished = find_unfinished(log)
    count, total = int(unfinished.sum()), len(unfinished)
    if count < LEAST * total or not count:
        return None
    return sentence("keystrokes.counted_as_searches", count=count, every=total, seconds=SECONDS)
