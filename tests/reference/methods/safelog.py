"""SafeLog (Zhang, Yang, Singh and Xiong 2016), Algorithm 1, where no noise is felt.

Published: drop queries of fewer than τ units in the whole log; limit every user to the first q_f
units and c_f clicks; keep the queries that count K or more; release them, every page clicked for
them, and every pair of them that followed each other. Strict: no τ, users instead of units, and
what is rarer than K_c or K_t isn't released either.
"""

from typing import NamedTuple

from tests.reference.logs import Row, histories
from tests.reference.methods.counting import (
    Pair,
    count_clicks,
    count_queries,
    count_transitions,
    cut,
)


class Tables(NamedTuple):
    """The source's three tables (Fig. 1)."""

    queries: dict[str, int]
    clicks: dict[Pair, int]
    transitions: dict[Pair, int]


def published(rows: list[Row], *, tau: int, q_f: int, c_f: int, K: int, unit: str) -> Tables:
    """Algorithm 1 as printed."""
    users = histories(rows)
    frequency = count_queries(users.values(), unit)
    clean = [[row for row in history if frequency[row.query] >= tau] for history in users.values()]
    return _tables(clean, q_f=q_f, c_f=c_f, K=K, K_c=1, K_t=1, unit=unit)


def strict(rows: list[Row], *, q_f: int, c_f: int, K: int, K_c: int, K_t: int) -> Tables:
    """The mode whose guarantee holds: users are limited before anything else, and counted."""
    full_log = list(histories(rows).values())
    return _tables(full_log, q_f=q_f, c_f=c_f, K=K, K_c=K_c, K_t=K_t, unit="users")


def _tables(
    full_log: list[list[Row]], *, q_f: int, c_f: int, K: int, K_c: int, K_t: int, unit: str
) -> Tables:
    limited = [cut(history, q_f, unit) for history in full_log]
    queries = {q: n for q, n in count_queries(limited, unit).items() if n >= K}
    clicks = {
        pair: n
        for pair, n in count_clicks(limited, c_f, unit).items()
        if pair[0] in queries and n >= K_c
    }
    transitions = {
        pair: n
        for pair, n in count_transitions(limited, q_f, unit).items()
        if pair[0] in queries and pair[1] in queries and n >= K_t
    }
    return Tables(queries, clicks, transitions)
