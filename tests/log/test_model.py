from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.log.model import NONE, QueryLog, Vocabulary

texts = st.lists(st.text(alphabet=st.characters(exclude_categories=["Cs"])), unique=True)
rows = st.lists(
    st.tuples(
        st.sampled_from("abc"),
        st.text("xyz é", max_size=3),
        st.integers(0, 5),
        st.none() | st.sampled_from(["u1", "u2"]),
    ),
    max_size=30,
)


def log_of(events: Sequence[tuple[str, str, int, str | None]]) -> QueryLog:
    user, query, time, url = zip(*events, strict=True) if events else ((), (), (), ())
    return QueryLog.from_columns(user=user, query=query, time=time, url=url)


@given(texts)
def test_that_a_vocabulary_gives_back_its_strings(strings: list[str]) -> None:
    vocabulary = Vocabulary.of(strings)
    assert vocabulary.list_strings() == strings
    assert Vocabulary.of_arrow(vocabulary.as_arrow()).list_strings() == strings
    codes = np.arange(len(strings))[::-2].copy()
    assert vocabulary.take(codes).list_strings() == strings[::-2]


@given(texts, texts)
def test_that_matching_finds_equal_strings_and_no_others(one: list[str], two: list[str]) -> None:
    codes = Vocabulary.of(one).match(Vocabulary.of(two))
    lookup = {text: code for code, text in enumerate(two)}
    assert codes.tolist() == [lookup.get(text, NONE) for text in one]


@pytest.mark.parametrize("few", [[], ["nowhere"], ["b7", "nowhere", "a3", "", "a3"]])
def test_that_few_strings_are_matched_with_many_as_with_few(few: list[str]) -> None:
    """A table of the few gives what one of the many gives: the first place of each string."""
    many = ["", *(f"{letter}{number}" for number in range(40) for letter in "abba")]
    codes = Vocabulary.of(few).match(Vocabulary.of(many))
    assert codes.dtype == np.int32
    assert codes.tolist() == [many.index(text) if text in many else NONE for text in few]


def test_that_a_code_outside_the_vocabulary_is_an_error() -> None:
    for code in (-1, 2):
        with pytest.raises(IndexError):
            Vocabulary.of(["a", "b"])[code]


@given(rows)
def test_that_a_log_is_sorted_by_user_and_time_and_keeps_every_row(
    events: list[tuple[str, str, int, str | None]],
) -> None:
    log = log_of(events)
    assert len(log) == len(events)
    order = log.user.astype(np.int64) * 10 + log.time
    assert (np.diff(order) >= 0).all()
    back = [
        (log.users[u], log.queries[q], int(t), None if c == NONE else log.urls[c])
        for u, q, t, c in zip(log.user, log.query, log.time, log.url, strict=True)
    ]
    assert sorted(back, key=str) == sorted(events, key=str)
    assert log.user_starts.tolist()[-1] == len(events)


@given(rows, st.data())
def test_that_some_rows_of_a_log_are_that_log_restricted(
    events: list[tuple[str, str, int, str | None]], data: st.DataObject
) -> None:
    log = log_of(events)
    keep = np.array(
        data.draw(st.lists(st.booleans(), min_size=len(log), max_size=len(log))), dtype=bool
    )
    part = log.rows(keep)
    positions = np.flatnonzero(keep)
    expected = log.to_pandas().astype(object).iloc[positions].reset_index(drop=True)
    assert part.to_pandas().astype(object).equals(expected)
    assert len(part.users) == len(set(log.user[keep].tolist()))
    assert len(part.queries) == len(set(log.query[keep].tolist()))


@given(rows)
def test_that_equal_logs_have_equal_digests_and_others_do_not(
    events: list[tuple[str, str, int, str | None]],
) -> None:
    assert log_of(events).digest == log_of(events).digest
    assert log_of(events).digest != log_of([*events, ("a", "one more", 9, None)]).digest


def test_that_a_log_is_immutable() -> None:
    log = log_of([("a", "x", 1, None)])
    with pytest.raises(ValueError, match="read-only"):
        log.user[0] = 3


def test_that_a_column_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match="column rank"):
        QueryLog.from_columns(user=["a"], query=["x"], time=[1], rank=[1, 2])


@given(rows)
def test_that_events_are_distinct_users_queries_and_times(
    events: list[tuple[str, str, int, str | None]],
) -> None:
    log = log_of(events)
    assert log.event_starts.sum() == len({event[:3] for event in events})
    assert log.event_starts[log.user_starts[:-1]].all()


def test_that_a_sample_holds_whole_users() -> None:
    events: list[tuple[str, str, int, str | None]] = [
        (user, "q", t, None) for user in "abcdefghij" for t in range(3)
    ]
    log = log_of(events)
    part = log.sample_users(4, seed=1)
    assert len(part.users) == 4
    assert len(part) == 12
    assert log.sample_users(99, seed=1) is log
