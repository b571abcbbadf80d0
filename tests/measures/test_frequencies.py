"""Rank correlations against their definitions, and tables that stay inside."""

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.log.model import QueryLog
from auditor.measures import frequencies
from auditor.measures.base import MeasureResult
from auditor.measures.frequencies import kendall_tau, spearman_rho
from auditor.privacy.release import Anonymized
from tests.measures.fakes import log_of, release_of, tables_of, take, values_of

COUNTS = {"red rose": 6, "rose": 4, "tulip": 3, "blue tulip": 2, "my own name": 1}
LOG = log_of(
    [
        (f"user {i}", query, 100 * i + j, None)
        for j, (query, count) in enumerate(COUNTS.items())
        for i in range(count)
    ]
)


def measured(release: Anonymized, log: QueryLog = LOG, **params: Any) -> MeasureResult:
    return take(frequencies.MEASURE, log, release, **params)


def values(result: MeasureResult) -> dict[str, float]:
    return values_of(result, "frequencies.")


whole_numbers = st.lists(st.tuples(st.integers(0, 6), st.integers(-3, 6)), min_size=1, max_size=30)


@given(whole_numbers)
def test_that_kendall_is_its_definition(pairs: list[tuple[int, int]]) -> None:
    x, y = np.array(pairs).T
    signs = [
        (np.sign(a[0] - b[0]), np.sign(a[1] - b[1])) for a, b in itertools.combinations(pairs, 2)
    ]
    in_x, other = sum(a != 0 for a, _ in signs), sum(b != 0 for _, b in signs)
    if in_x and other:
        assert kendall_tau(x, y) == pytest.approx(
            sum(a * b for a, b in signs) / math.sqrt(in_x * other)
        )
    else:
        assert math.isnan(kendall_tau(x, y))


@given(whole_numbers)
def test_that_spearman_is_the_correlation_of_mean_ranks(pairs: list[tuple[int, int]]) -> None:
    x, y = np.array(pairs).T
    if len(set(x)) > 1 and len(set(y)) > 1:
        ranks, other = (
            [1 + (side < v).sum() + ((side == v).sum() - 1) / 2 for v in side] for side in (x, y)
        )
        expected = np.corrcoef(ranks, other)[0, 1]
        assert spearman_rho(x, y) == pytest.approx(expected)
    else:
        assert math.isnan(spearman_rho(x, y))


def test_that_the_log_itself_agrees_with_itself_and_not_with_the_opposite_order() -> None:
    for name, value in values(measured(release_of(LOG))).items():
        assert value == pytest.approx(0 if "error" in name else 1), name
    turned = {query: 7 - count for query, count in COUNTS.items()}
    stats = values(measured(release_of(tables_of(turned))))
    for coefficient in ("spearman", "kendall"):
        assert stats[f"query_{coefficient}_common"] == pytest.approx(-1)


def test_that_missing_queries_pull_down_what_common_ones_hide() -> None:
    """The three rarest in their right order; the two most frequent are gone."""
    stats = values(measured(release_of(tables_of({"tulip": 3, "blue tulip": 2, "my own name": 1}))))
    assert stats["query_spearman_common"] == pytest.approx(1)
    assert stats["query_spearman_top"] < 0
    assert stats["query_top_released"] == pytest.approx(3 / 5)
    assert stats["query_error_common"] == 0
    assert stats["query_error_top"] == pytest.approx(2 / 5)


def test_that_words_count_as_often_as_their_queries() -> None:
    result = measured(release_of(tables_of({"red rose": 5, "tulip": 4})))
    words = next(table for table in result.tables if table.name == "top-words")
    assert list(map(list, words.rows))[:3] == [
        [1, "rose", 10, 5, 1],
        [2, "red", 6, 5, 1],
        [3, "tulip", 5, 4, 3],
    ]
    assert ["–", "–"] in [row[3:] for row in map(list, words.rows)]


def test_that_stop_words_are_left_out_unless_they_are_asked_for() -> None:
    log = log_of([("ann", "the rose of the town", 0, None), ("bob", "the end", 1, None)])
    release = release_of(log)
    plain = measured(release, log=log)
    assert plain.details["top_words_log"] == [1, 1, 1]  # rose, town, end
    with_them = measured(release, log, stop_words=True)
    assert with_them.details["top_words_log"][0] == 3  # the
    assert with_them.details["top_words_released"] == with_them.details["top_words_log"]
    assert plain.details["top_queries_log"] == [1, 1]


def test_that_the_table_shows_the_logs_top_and_their_released_rank() -> None:
    release = release_of(tables_of({"decoy": 50, "rose": 9, "tulip": 3, "red rose": 9}))
    table = measured(release, top=4).tables[0]
    assert list(map(list, table.rows)) == [
        [1, "red rose", 6, 9, 2],
        [2, "rose", 4, 9, 2],
        [3, "tulip", 3, 3, 4],
        [4, "blue tulip", 2, "–", "–"],
    ]


def test_that_ties_at_the_cut_are_settled_by_the_strings_in_whatever_order_they_came() -> None:
    log = log_of([("u", query, i, None) for i, query in enumerate("fbdace")])
    table = measured(release_of(log), log, top=3).tables[0]
    assert [row[1] for row in table.rows] == ["a", "b", "c"]


def test_that_everything_with_a_string_of_the_log_stays_inside() -> None:
    result = measured(release_of(tables_of({"rose": 5})))
    assert all(table.private for table in result.tables)
    for figure in result.figures:
        words = {*figure.x.categories, *(series.name for series in figure.series)}
        assert figure.private or not words & {*COUNTS, "rose", "red", "name"}
    assert "my own name" not in repr(result.values) + repr(result.notes)


def test_that_the_log_is_counted_as_the_release_counts() -> None:
    log = log_of(
        [("u", "a", i, None) for i in range(5)] + [("v", "b", 1, None), ("w", "b", 1, None)]
    )
    release = release_of(tables_of({"a": 1, "b": 2}), counting_unit="users")
    assert values(measured(release, log=log))["query_error_common"] == 0
    events = measured(release, log, counting_unit="events")
    assert values(events)["query_error_common"] == pytest.approx(0.4)


def test_that_a_release_without_a_common_string_says_so() -> None:
    result = measured(release_of(tables_of({"8f3a": 4, "77b0": 2})))
    stats = values(result)
    assert not any("common" in name for name in stats)
    assert stats["query_top_released"] == 0
    assert "No query of the log is released unchanged." in result.notes


@pytest.mark.parametrize("log", [LOG, log_of([])], ids=["log", "empty log"])
def test_that_nothing_on_either_side_is_no_error(log: QueryLog) -> None:
    for content in (tables_of({}), log_of([])):
        result = measured(release_of(content), log=log)
        assert not any(math.isnan(value) for value in values(result).values())


def test_that_many_common_strings_are_drawn_from_and_the_note_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(frequencies, "KENDALL_PAIRS", 4)
    result = measured(release_of(LOG))
    assert values(result)["query_kendall_common"] == 1
    assert any("of 4 drawn" in note for note in result.notes)
