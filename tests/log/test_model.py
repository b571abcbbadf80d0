import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.log.model import NONE, QueryLog, Vocabulary
from tests.log.rows import rows_of
from tests.methods.logs import Row, log_of

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


@pytest.mark.parametrize("code", [-1, 2])
def test_that_a_code_outside_the_vocabulary_is_an_error(code: int) -> None:
    words = Vocabulary.of(["a", "b"])
    with pytest.raises(IndexError):
        words[code]
    with pytest.raises(IndexError):
        words.list_strings([0, code])


def test_that_a_log_is_immutable_and_its_columns_are_of_one_length() -> None:
    with pytest.raises(ValueError, match="read-only"):
        log_of([("a", "x", 1, None)]).user[0] = 3
    with pytest.raises(ValueError, match="column rank"):
        QueryLog.from_columns(user=["a"], query=["x"], time=[1], rank=[1, 2])


@given(rows)
def test_that_a_log_is_sorted_by_user_and_time_and_keeps_every_row(events: list[Row]) -> None:
    log = log_of(events)
    assert len(log) == len(events)
    order = log.user.astype(np.int64) * 10 + log.time
    assert (np.diff(order) >= 0).all()
    assert sorted((row[:4] for row in rows_of(log)), key=str) == sorted(events, key=str)
    assert log.user_starts.tolist()[-1] == len(events)


@given(rows, st.data())
def test_that_some_rows_of_a_log_are_that_log_restricted(
    events: list[Row], data: st.DataObject
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
def test_that_equal_logs_have_equal_digests_and_others_do_not(events: list[Row]) -> None:
    assert log_of(events).digest == log_of(events).digest
    assert log_of(events).digest != log_of([*events, ("a", "one more", 9, None)]).digest


@given(rows)
def test_that_events_are_distinct_users_queries_and_times(events: list[Row]) -> None:
    log = log_of(events)
    assert log.event_starts.sum() == len({event[:3] for event in events})
    assert log.event_starts[log.user_starts[:-1]].all()


def test_that_a_sample_holds_whole_users() -> None:
    log = log_of([(user, "q", time, None) for user in "abcdefghij" for time in range(3)])
    part = log.sample_users(4, seed=1)
    assert (len(part.users), len(part)) == (4, 12)
    assert log.sample_users(99, seed=1) is log
