"""The parameters of dated tables, and what follows from them alone."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Any

from auditor.errors import ParameterError
from auditor.messages import phrase
from auditor.methods.dated_counts.budget import MOST_PARTS, DatedBudget, count_cells, derive_budget
from auditor.methods.noisy_counts.budget_fields import delta_field, epsilon_field
from auditor.methods.noisy_counts.period_units import DAY, HISTORY, WEEK, period_of, unit_field
from auditor.methods.safelog.params import user_limit
from auditor.methods.suppression import suppress_field
from auditor.params import ParamOption, Params, choice, integer


def _make_date_field(label: str, help: str, optional: str) -> Any:
    return integer(
        None,
        19_700_101,
        99_991_231,
        label=label,
        help=help,
        slider=(19_950_101, 20_351_231),
        optional=optional,
    )


@dataclass(frozen=True, kw_only=True)
class DatedCountsParams(Params, owner="dated-counts"):
    """What is wanted, whom it protects, how much of each user is counted, and of which days."""

    epsilon: float = epsilon_field(
        "How much one user's history (or period) may change the chance of a release, as a "
        "factor e^ε."
    )
    delta: float = delta_field(
        "The probability that ε doesn't hold. A part of it covers queries that a single user "
        "issued on some day."
    )
    step: str = choice(
        DAY,
        (
            ParamOption(DAY, "days", "Users of each query on each day (UTC)."),
            ParamOption(WEEK, "weeks", "Users of each query in each week from Monday (UTC)."),
        ),
        label="Counted by",
        help="Whether users are counted by day or by week. Weeks hold more users of a query, so "
        "that more of them reach the threshold.",
    )
    q_f: int = user_limit(
        1,
        label="Queries counted per user and day (q_f)",
        help="Counts at most this many distinct queries of every user on each day (or in each "
        "week), the first ones. More of them need more noise for the same ε.",
        unit="queries",
    )
    days: int = user_limit(
        7,
        label="Days counted per user (days)",
        help="Counts at most this many active days (or weeks) of every user, or of every unit of "
        "protection, the first ones. More of them need more noise for the same ε.",
        unit="days",
    )
    unit: str = unit_field()
    first_day: int | None = _make_date_field(
        "First day released",
        "The first day that is released, as year, month and day: 20060301. Earlier days still "
        "count towards what is counted of a user, so that releases of later days together cost "
        "no more than one.",
        "the first of the log",
    )
    last_day: int | None = _make_date_field(
        "Last day released",
        "The last day that is released, as year, month and day. Days that follow can be released "
        "later, from the log that has grown by then.",
        "the last of the log",
    )
    suppress: str = suppress_field()

    def matters(self, name: str) -> bool:
        """Days are limited where a unit of protection can have several."""
        return name != "days" or self.unit == HISTORY or MOST_PARTS[self.unit, self.step] > 1

    def check(self) -> None:
        """Refuse what is no date, and a last day before the first."""
        for name in ("first_day", "last_day"):
            value = getattr(self, name)
            if value is not None and date_of(value) is None:
                raise ParameterError(
                    name, phrase("{value} is no date: give year, month and day.", value=value)
                )
        first, last = self.first_day, self.last_day
        if first is not None and last is not None and last < first:
            raise ParameterError("last_day", "The last day released is before the first.")

    @property
    def budget(self) -> DatedBudget:
        """The noise that these parameters need."""
        cells = count_cells(self.q_f, self.days, self.unit, self.step)
        return derive_budget(self.epsilon, self.delta, cells)

    def compute_window(self) -> tuple[int | None, int | None]:
        """Numbers of the first and last step that are released, None where there is no end.

        A week is released where it begins within the days.
        """
        ends: list[int | None] = []
        for value, late in ((self.first_day, self.step == WEEK), (self.last_day, False)):
            date = date_of(value) if value is not None else None
            if date is None:
                ends.append(None)
                continue
            days = (date - datetime.date(1970, 1, 1)).days
            late_days = 6 if late else 0  # the first Monday from there on
            seconds = (days + late_days) * 86_400
            ends.append(int(period_of(_wrap_value(seconds), self.step)[0]))
        return ends[0], ends[1]


def _wrap_value(value: int) -> Any:
    import numpy as np

    return np.array([value], dtype=np.int64)


def date_of(value: int) -> datetime.date | None:
    """20060301 as a date; None if there is no such day."""
    year, rest = divmod(value, 10_000)
    month, day = divmod(rest, 100)
    try:
        return datetime.date(year, month, day)
    except ValueError:
        return None
