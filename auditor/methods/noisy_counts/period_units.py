"""Protects what one user did in one day, week or month instead of their whole history.

Each user's history is cut into one history per period, and each of those becomes a user. Two logs
that differ by one user's period are thereby two logs that differ by one user, and every method
that is (ε, δ) for users is (ε, δ) for periods: the cut looks at each row alone, so nobody else's
part changes. Only the first m active periods of a user are counted. Then, by group privacy over
these m (Dwork and Roth 2014, Theorem 2.2 and its (ε, δ) form), a whole history is protected by

    (mε, δ(e^(mε) − 1)/(e^ε − 1)).
"""

from __future__ import annotations

import dataclasses
import math

import numpy as np

from auditor.arrays import Int64s
from auditor.log.model import QueryLog, Vocabulary
from auditor.methods.statements import format_number
from auditor.params import ParamOption
from auditor.privacy.statement import Statement

HISTORY = "history"
PERIODS = {"day": 86_400, "week": 7 * 86_400, "month": 0}
UNIT_OPTIONS = (
    ParamOption(HISTORY, "whole history", "All that one user did."),
    ParamOption("day", "one day", "What one user did on one day (UTC)."),
    ParamOption("week", "one week", "What one user did in one week from Monday (UTC)."),
    ParamOption("month", "one month", "What one user did in one calendar month (UTC)."),
)
_THURSDAY = 3
"""1 January 1970 was the third day after a Monday."""


def period_of(time: Int64s, unit: str) -> Int64s:
    """The number of the period of each moment, in UTC."""
    if unit == "month":
        months = time.astype("datetime64[s]").astype("datetime64[M]").astype(np.int64)
        return np.asarray(months, dtype=np.int64)
    days: Int64s = time // 86_400
    return days if unit == "day" else (days + _THURSDAY) // 7


def split_by_period(log: QueryLog, unit: str, most: int) -> QueryLog:
    """The log with one user for each of the first `most` active periods of each user; O(rows)."""
    if unit == HISTORY or not len(log):
        return log
    period = period_of(log.time, unit)
    new = (np.diff(log.user, prepend=-1) != 0) | (np.diff(period, prepend=period[0] - 1) != 0)
    number = np.cumsum(new) - 1
    first = number[log.user_starts[:-1]]
    keep = number - first[log.user] < most
    kept, codes = np.unique(number[keep], return_inverse=True)
    if not keep.all():
        log = log.rows(keep)
    return QueryLog.from_codes(
        user=codes.astype(np.int32),
        query=log.query,
        time=log.time,
        url=log.url,
        rank=log.rank,
        users=Vocabulary.of(str(at + 1) for at in range(len(kept))),
        queries=log.queries,
        urls=log.urls,
        origin=log.origin,
    )


def translate_to_history(epsilon: float, delta: float, periods: int) -> tuple[float, float]:
    """The (ε, δ) of a whole history of at most so many periods, by group privacy."""
    whole = periods * epsilon
    if delta == 0 or periods == 1:
        return whole, delta
    if whole > 700:
        return whole, 1.0
    return whole, min(1.0, delta * math.expm1(whole) / math.expm1(epsilon))


def state_period(statement: Statement, unit: str, most: int) -> Statement:
    """The statement of a release that was made of `split_by_period`."""
    if unit == HISTORY:
        return statement
    assert statement.epsilon is not None
    whole, delta = translate_to_history(statement.epsilon, statement.delta or 0.0, most)
    return dataclasses.replace(
        statement,
        claim=f"{statement.claim} One user here is what one user did in one {unit}. A whole "
        f"history is protected by ε = {format_number(whole)} and δ = {format_number(delta)}, "
        f"since at most {most:,} of its {unit}s are counted.",
        unit=f"what one user did in one {unit}",
        neighbours=f"two logs of which one has one {unit} of one user more, with all that the user "
        f"did in that {unit}",
        measured={
            **statement.measured,
            "epsilon_of_whole_history": whole,
            "delta_of_whole_history": delta,
        },
    )
