"""Spellings that split a count: which are joined, and which groups would then pass."""

import pytest

from auditor.log.model import QueryLog
from auditor.measures.base import MeasureResult
from auditor.measures.spelling_variants import MEASURE, group_variants
from auditor.privacy.release import Anonymized
from auditor.progress import Progress
from tests.measures.fakes import log_of, release_of, tables_of, take, values_of


def repeated(**counts: int) -> QueryLog:
    """A log in which each query (underscores are spaces) is searched by so many users."""
    rows = []
    for query, count in counts.items():
        rows += [(f"user{n}", query.replace("_", " "), 10 * n, None) for n in range(count)]
    return log_of(rows)


def measure(log: QueryLog, release: Anonymized) -> MeasureResult:
    return take(MEASURE, log, release)


def values(result: MeasureResult) -> dict[str, float]:
    return values_of(result, "spellings.")


@pytest.mark.parametrize(
    ("first", "other", "same"),
    [
        ("red shoes", "Red  Shoes!", True),
        ("red shoes", "shoes red", True),
        ("redshoes", "red shoes", True),
        ("café paris", "cafe paris", True),
        ("weather berlin", "wether berlin", True),
        ("weather berlin", "waether berlin", True),
        ("weather berlin", "weather berlim", True),
        ("weather berlin", "wether berlim", False),
        ("cats", "bats", False),
        ("election 2005", "election 2006", False),
        ("room 12", "room 21", False),
        ("", "!", False),
    ],
)
def test_that_near_duplicates_and_only_they_are_joined(first: str, other: str, same: bool) -> None:
    groups = group_variants([first, other], Progress())
    assert (groups[0].tolist() == [0, 0]) is same


def test_that_no_chain_joins_what_is_two_letters_apart() -> None:
    groups = group_variants(["weather", "wether", "wethr"], Progress())
    assert groups[0].tolist() == [0, 0, 2]


def test_that_spellings_that_together_reach_the_threshold_are_counted() -> None:
    log = repeated(hotel=6, red_shoes=3, shoes_red=2, blue_hats=4, lamps=1)
    result = measure(log, release_of(tables_of({"hotel": 6})))
    assert values(result) == {"would_pass": 0, "searches": 0, "searches_share": 0}
    log = repeated(hotel=5, red_shoes=3, shoes_red=2, blue_hats=4, lamps=1)
    result = measure(log, release_of(tables_of({"hotel": 5})))
    assert values(result) == {"would_pass": 1, "searches": 5, "searches_share": 0.5}
    assert result.notes[0].startswith("1 query would pass if its spellings were joined")
    assert "5 searches" in result.notes[0]
    (table,) = result.tables
    assert [row[1:] for row in table.rows] == [[1, 2], [0, 0]]
    text = repr([result.notes, table.rows, table.columns])
    assert "shoes" not in text, "a query's text is in no result"


def test_that_users_who_write_both_spellings_count_once() -> None:
    log = repeated(hotel=5, red_shoes=3, shoes_red=2)  # the two users of the second wrote both
    tables = release_of(tables_of({"hotel": 5}), counting_unit="users")
    assert values(measure(log, tables))["would_pass"] == 0
    rows = [("u5", "shoes red", 5, None), ("u6", "shoes red", 5, None)]
    more = [*((f"user{n}", "hotel", n, None) for n in range(5)), *rows]
    more += [(f"user{n}", "red shoes", 50 + n, None) for n in range(3)]
    assert values(measure(log_of(more), tables))["would_pass"] == 1


def test_that_a_release_without_a_threshold_has_nothing_to_join() -> None:
    log = repeated(hotel=5, red_shoes=3)
    for queries in ({"hotel": 5, "red shoes": 3}, {"x": 1}):
        result = measure(log, release_of(tables_of(queries)))
        assert values(result)["would_pass"] == 0
        assert result.notes[0].startswith("No count decides")
