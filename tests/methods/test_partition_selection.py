"""Partition selection and its unit of protection on small logs that are counted by hand."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest

from auditor.log.model import QueryLog
from auditor.methods.noisy_counts.period_units import chain_steps, period_of
from auditor.privacy.truncated_geometric import delta_of, noise_for
from auditor.release.ledger.totals import total_of
from tests.methods.logs import log_of, present, queries_of, run_method, spend, tables_of
from tests.privacy.exact_laws import delta_at
from tests.privacy.test_truncated_geometric import law_of

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


def test_that_the_translation_to_whole_histories_holds_for_chained_periods() -> None:
    """Three days of one query more, against three times the ε by group privacy, exactly."""
    law = noise_for(0.5, 0.01, 1)
    epsilon, delta = chain_steps(0.5, delta_of(law, 1, 0.5), 3)
    assert epsilon == 1.5
    for count in range(20):
        before, after = law_of(law, count), law_of(law, count + 3)
        for first, second in ((before, after), (after, before)):
            assert delta_at(first, second, epsilon) <= delta * (1 + 1e-9)
    assert chain_steps(1.0, 0.0, 5) == (5.0, 0.0)
    assert chain_steps(400.0, 1e-6, 5) == (2_000.0, 1.0)


def test_that_the_statement_names_its_unit_and_what_it_means_for_histories() -> None:
    weekly = run(CROWD, protected_unit="week", periods=4, epsilon=1.0, delta=1e-6, q_f=1).statement
    assert weekly.unit == "what one user did in one week"
    assert "one week of one user more" in weekly.neighbours
    assert weekly.measured["epsilon_of_whole_history"] == 4.0
    history = run(CROWD, epsilon=1.0, delta=1e-6, q_f=1).statement
    assert history.unit == "one user's whole history"
    assert "epsilon_of_whole_history" not in history.measured


def test_that_the_ledger_adds_equal_units_and_counts_longer_ones_twice() -> None:
    day, history = (
        spend("partition-selection", CROWD, protected_unit=unit, epsilon=1.0, delta=1e-9, q_f=1)
        for unit in ("day", "history")
    )
    assert present(total_of([day, day]).bounded).epsilon == pytest.approx(2.0)
    both = present(total_of([day, history]).bounded)
    assert both.epsilon == pytest.approx(1.0 + 2 * 1.0)
    assert both.unit == "what one user did in one day"
