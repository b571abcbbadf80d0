"""Trends: by hand, and what methods that keep or lose words do to them."""

import tracemalloc
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from auditor.log.model import QueryLog
from auditor.measures.base import MeasureResult
from auditor.measures.trends import DAY, MEASURE, StepGrid, correlate_rows, over_time, whole_steps
from auditor.privacy.release import DatedCounts
from auditor.progress import silent_progress
from tests.measures.fakes import log_of, made_by, release_of, tables_of, take, values_of

START = 1_141_171_200
"""1 March 2006, midnight UTC."""


def daily(*counts: tuple[str, tuple[int, ...]], order: int | None = None) -> QueryLog:
    """A log in which each query is asked so often on each day, by different people.

    The first day's searches stand at its beginning, the others' at their end.
    """
    rows = [
        (f"user {n}", query, START + day * DAY + (60 * n if day == 0 else DAY - 60 * (n + 1)))
        for query, days in counts
        for day, times in enumerate(days)
        for n in range(times)
    ]
    if order is not None:
        rows = [rows[i] for i in np.random.default_rng(order).permutation(len(rows))]
    return log_of(rows)


LOG = daily(("flu", (1, 2, 3, 4)), ("snow", (4, 3, 2, 1)), ("news", (2, 2, 2, 2)))


def taken(content: Any, log: QueryLog = LOG, **values: Any) -> MeasureResult:
    return take(MEASURE, log, release_of(content), **values)


@pytest.mark.parametrize(
    ("hours", "expected"),
    [((0, 72), (0, 3)), ((1, 71), (0, 3)), ((2, 72), (1, 2)), ((0, 70), (0, 2)), ((5, 20), (1, 0))],
)
def test_that_partial_days_are_left_out(hours: tuple[int, int], expected: tuple[int, int]) -> None:
    first, last = (START + 3600 * hour for hour in hours)
    origin, steps = whole_steps((first, last), DAY)
    assert (origin - START // DAY, steps) == expected


def test_that_searches_are_counted_by_day_and_those_outside_told() -> None:
    codes = np.array([LOG.queries.find([q])[0] for q in ("snow", "flu")] + [-1], dtype=np.int64)
    first = START // DAY
    counts = over_time(LOG, codes, StepGrid(first + 1, 2, DAY), silent_progress())
    assert counts.counts.toarray().tolist() == [[3, 2], [2, 3], [0, 0], [7, 7]]
    assert counts.outside == 14


def test_that_ten_thousand_years_take_no_more_memory_than_a_week() -> None:
    # 100 queries over 3.6 million days would be 2.9 GB if every day had a place.
    names = [f"query {n}" for n in range(200)]
    log = QueryLog.from_columns(
        user=["u"] * 202,
        query=[*names, names[0], names[1]],
        time=[START + 60 * n for n in range(200)] + [-62_135_596_800, 253_402_300_799],
    )
    tracemalloc.start()
    try:
        result = taken(log, log, queries=100)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 20 << 20
    assert values_of(result)["trends.volume"] == pytest.approx(1)
    assert all(len(series.x) <= 4_000 for series in result.figures[0].series)


def test_that_a_release_is_compared_as_by_hand() -> None:
    # flu doubled keeps its trend; snow is turned round; news, which never changes, is dropped.
    other = daily(("flu", (2, 4, 6, 8)), ("snow", (1, 2, 3, 4)))
    result = taken(other)
    metrics = values_of(result)
    assert metrics["trends.found"] == pytest.approx(2 / 3)
    assert metrics["trends.correlation"] == pytest.approx((1 - 1) / 2)
    assert metrics["trends.apart"] == pytest.approx((10 + (3 + 1 + 1 + 3) + 8) / 28)
    rows = {row[0]: row[1:] for row in result.tables[0].rows}
    assert rows == {"flu": [10, 20, 1.0], "snow": [10, 10, -1.0], "news": [8, "not released", ""]}
    assert "trends.volume" not in metrics  # the log has 7 searches every day


def test_that_what_is_not_released_counts_0_over_all() -> None:
    metrics = values_of(taken(daily(("flu", (1, 2, 3, 4)))))
    assert metrics["trends.correlation"] == pytest.approx(1)
    assert metrics["trends.correlation_all"] == pytest.approx(1 / 2)


def test_that_an_unchanged_log_and_any_order_of_rows_keep_everything() -> None:
    rows = (("flu", (1, 2, 3, 4)), ("snow", (9, 3, 2, 1)))
    log = daily(*rows)
    assert values_of(taken(log, log)) == pytest.approx(
        {
            "trends.found": 1,
            "trends.apart": 0,
            "trends.correlation": 1,
            "trends.correlation_all": 1,
            "trends.volume": 1,
        }
    )
    first, two = (taken(daily(*rows, order=i), log) for i in (1, 2))
    assert values_of(first) == values_of(two)
    assert first.tables[0].rows == two.tables[0].rows


def test_that_hashed_queries_leave_the_sum_alone() -> None:
    log = daily(("flu jab", (1, 2, 3, 4)), ("snow", (9, 3, 2, 1)))
    result = taken(made_by("token-hashing", log).log, log)
    metrics = values_of(result)
    assert metrics["trends.found"] == 0
    assert metrics["trends.volume"] == pytest.approx(1)
    assert "only all searches" in result.notes[0]


def test_that_days_can_be_taken_together_and_too_few_are_refused_in_words() -> None:
    assert "too few" in taken(LOG, days=2).notes[0]
    long = daily(("flu", (1, 5, 2, 6, 3, 7, 4, 8)))
    assert values_of(taken(long, long, days=2))["trends.correlation"] == pytest.approx(1)


def test_that_tables_are_refused_with_the_reason() -> None:
    assert MEASURE.why_not(release_of(tables_of({"a": 1}))).endswith("tables have no times")


def test_that_a_table_by_date_is_held_against_the_logs_days() -> None:
    days = [START + day * DAY for day in range(4)]
    cells = DatedCounts(
        np.array([0, 0, 0, 1], dtype=np.int32),
        np.array([*days[1:], days[0]]),
        np.array([2, 3, 4, 3]),
    )
    tables = tables_of({"flu": 10, "snow": 3}).with_dates("day", cells)
    assert MEASURE.why_not(release_of(tables)) == ""
    result = taken(tables)
    metrics = values_of(result)
    # Of flu the first day lacks 1 of 10, of snow 4 − 3 and the rest, of news all 8.
    assert metrics["trends.apart"] == pytest.approx((1 + 1 + 3 + 2 + 1 + 8) / 28)
    assert metrics["trends.found"] == pytest.approx(2 / 3)
    flu = np.corrcoef([1, 2, 3, 4], [0, 2, 3, 4])[0, 1]
    snow = np.corrcoef([4, 3, 2, 1], [3, 0, 0, 0])[0, 1]
    assert metrics["trends.correlation"] == pytest.approx((flu + snow) / 2)
    assert any("counts users" in note for note in result.notes)


def test_that_a_table_by_week_is_held_against_weeks_from_monday() -> None:
    monday = START + 5 * DAY  # 1 March 2006 was a Wednesday
    log = daily(("flu", (0,) * 5 + (1,) * 7 + (2,) * 7 + (5,) * 7 + (1,) * 2), ("x", (1,) * 28))
    cells = DatedCounts(
        np.zeros(3, dtype=np.int32),
        np.array([monday + week * 7 * DAY for week in range(3)]),
        np.array([7, 14, 35]),
    )
    tables = tables_of({"flu": 56}).with_dates("week", cells)
    metrics = values_of(taken(tables, log))
    assert metrics["trends.correlation"] == pytest.approx(1.0)
    assert metrics["trends.apart"] == pytest.approx(21 / (56 + 21))


numbers = st.lists(st.integers(0, 50), min_size=3, max_size=12)


@given(st.tuples(numbers, numbers))
def test_that_correlation_is_pearsons(pair: tuple[list[int], list[int]]) -> None:
    size = min(map(len, pair))
    first, second = (p[:size] for p in pair)
    [correlation] = correlate_rows(*(sparse.csr_array([row]) for row in (first, second)))
    if np.ptp(first) == 0:
        assert np.isnan(correlation)
    elif np.ptp(second) == 0:
        assert correlation == 0
    else:
        assert correlation == pytest.approx(np.corrcoef(first, second)[0, 1], abs=1e-9)
