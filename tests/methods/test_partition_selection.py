"""Partition selection and its unit of protection on small logs that are counted by hand."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from auditor.log.model import QueryLog
from auditor.methods.noisy_counts.period_units import period_of
from tests.methods.logs import log_of, queries_of, run_method, tables_of

DAY = 86_400


CROWD = log_of(
    [
        *((f"u{n}", "rose", n) for n in range(300)),
        *((f"u{n}", "fern", 10 + n) for n in range(3)),
        ("u0", "own secret", 99),
        ("u1", " ", 99),
    ]
)


run = partial(run_method, "partition-selection")


def released(log: QueryLog, seed: int = 1, **values: Any) -> dict[str, int]:
    return queries_of(tables_of(run(log, seed, **values).content))


def test_that_fewer_than_k_users_are_never_shown() -> None:
    for seed in range(30):
        counts = released(CROWD, seed, epsilon=50.0, delta=0.05, q_f=3, k=4)
        assert set(counts) == {"rose"}
    assert "fern" in released(CROWD, epsilon=50.0, delta=0.05, q_f=3, k=2)


def test_that_periods_are_those_of_the_calendar() -> None:
    sunday = 3 * DAY - 1 + DAY  # 4 January 1970, a Sunday
    time = np.array([0, DAY - 1, DAY, sunday, sunday + 1, 31 * DAY - 1, 31 * DAY])
    assert period_of(time, "day").tolist() == [0, 0, 1, 3, 4, 30, 31]
    assert period_of(time, "week").tolist() == [0, 0, 0, 0, 1, 4, 4]
    assert period_of(time, "month").tolist() == [0, 0, 0, 0, 0, 0, 1]
