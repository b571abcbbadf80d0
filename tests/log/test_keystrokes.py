"""Searches that somebody was still typing are counted, and told where they are many."""

import pytest

import auditor
from auditor.log.keystrokes import describe_unfinished, find_unfinished
from tests.methods.logs import Row, log_of


def test_that_what_is_typed_on_at_once_is_unfinished() -> None:
    rows = (
        ("ada", "wea", 100, None),
        ("ada", "weath", 101, None),
        ("ada", "weather", 101, None),
        ("ada", "weather in rome", 104, None),
        ("bob", "日", 100, None),
        ("bob", "日本語", 105, None),
    )
    log = log_of(rows)
    assert find_unfinished(log).tolist() == [True, True, False, False, True, False]
    text = str(describe_unfinished(log))
    assert "3 of 6 searches" in text
    assert text in auditor.check(log, content=False).assumptions


TYPED = ("ada", "wea", 100, None)


@pytest.mark.parametrize(
    ("first", "later"),
    [
        (TYPED, ("bob", "weath", 101, None)),  # somebody else
        (TYPED, ("ada", "weath", 106, None)),  # later than five seconds
        (TYPED, ("ada", "weather", 101, None)),  # four characters more
        (TYPED, ("ada", "heath", 101, None)),  # another text
        (TYPED, ("ada", "we", 101, None)),  # shorter
        (TYPED, ("ada", "wea", 101, None)),  # the same again
        (("ada", "wea", 100, "http://a.example"), ("ada", "weath", 101, None)),  # clicked
    ],
)
def test_that_other_searches_are_finished(first: Row, later: Row) -> None:
    log = log_of([first, later])
    assert not find_unfinished(log).any()
    assert describe_unfinished(log) is None


def test_that_few_are_not_worth_a_word_and_none_are_found_in_an_empty_log() -> None:
    finished = (("bob", f"query {number}", 60 * number, None) for number in range(40))
    log = log_of([TYPED, ("ada", "weath", 101, None), *finished])
    assert find_unfinished(log).sum() == 1
    assert describe_unfinished(log) is None
    assert describe_unfinished(log_of([])) is None
