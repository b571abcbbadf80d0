"""Day pseudonyms and the entity allowlist: what leaves, under which ids, and who knows whose."""

import dataclasses
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import auditor
from auditor.errors import ParameterError
from auditor.gui.risk.session_data import find_released_events
from auditor.log.model import Attribute, QueryLog, Vocabulary
from auditor.privacy.entities import count_entity_users, split_entities
from auditor.privacy.records import records_of
from auditor.privacy.release import Product
from auditor.privacy.truth_table import TruthTable
from tests.methods.logs import (
    QUIET,
    contradiction,
    expect,
    expected_values,
    explain_text,
    log_in,
    log_of,
    present,
    run_method,
    statuses,
)
from tests.reference.logs import Row
from tests.reference.methods import entity_allowlist as reference

DAY = reference.DAY
NAMED = ("anna", "müller", "Anna weather")
WORDS = ("ox", "dog", "car", "red", "old")
ROWS = st.lists(
    st.builds(
        Row,
        st.sampled_from(["u1", "u2", "u3", "u4"]),
        st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join),
        st.integers(0, 4 * DAY),
    ),
    max_size=40,
)


def rows_of(product: Product) -> Counter[tuple[str, str, int]]:
    """User, query and day of each released row, users told by the truth table."""
    released, truth = product.content, product.truth
    assert isinstance(released, QueryLog)
    assert truth is not None
    owner = dict(zip(truth.ids.list_strings(), truth.user.tolist(), strict=True))
    return Counter(
        (
            truth.users[owner[released.users[int(user)]]],
            released.queries[int(query)],
            int(time) // DAY,
        )
        for user, query, time in zip(released.user, released.query, released.time, strict=True)
    )


@given(ROWS, st.none() | st.integers(1, 3), st.none() | st.sampled_from([600, DAY]))
def test_that_no_id_stands_on_two_days_or_in_two_mini_sessions(
    rows: list[Row], searches: int | None, gap: int | None
) -> None:
    minutes = None if gap is None else gap // 60
    product = run_method(
        "entity-allowlist", log_of(rows), k_entity=1, session_queries=searches, session_gap=minutes
    )
    released = log_in(product.content)
    assert len(released.users) == reference.mini_sessions(rows, searches=searches, gap=gap)
    days = {(int(u), int(t) // DAY) for u, t in zip(released.user, released.time, strict=True)}
    assert len(days) == len(released.users)
    if rows:
        assert product.statement.measured["unset_rules"] == 2 + (searches is None) + (gap is None)


def test_that_a_search_of_several_rows_stands_in_one_mini_session() -> None:
    """Rows of two searches of one second are mixed."""
    rows = [Row("u", query, time) for query, time in zip("xabac", (0, 9, 9, 9, 20), strict=True)]
    product = run_method("entity-allowlist", log_of(rows), k_entity=1, session_queries=2)
    released = log_in(product.content)
    pairs = set(zip(released.user.tolist(), released.query.tolist(), strict=True))
    assert (len(released.users), len(pairs)) == (2, 4)
    numbered = log_in(run_method("numbered-sessions", log_of(rows), clock="order").content)
    assert int(numbered.event_starts.sum()) == 4


def test_that_allowed_words_do_not_allow_a_name() -> None:
    rows = [
        Row(f"u{n}", query, n) for n in range(60) for query in ("anna", "müller", "Anna weather")
    ]
    rows += [Row("u0", "anna müller", 9), Row("u1", "müller weather", 9), Row("u2", "ANNA", 9)]
    log = log_of(rows)
    queries = {query for _, query, _ in rows_of(run_method("entity-allowlist", log))}
    assert queries == {"anna", "müller", "Anna weather", "müller weather", "ANNA"}
    assert rows_of(run_method("entity-allowlist", log, k_entity=50)) == reference.release(
        rows, k=50, wholes=["anna müller"]
    )


def test_that_a_marked_name_or_number_is_one_entity_and_users_are_counted() -> None:
    queries = Vocabulary.of(["call 212 555 1234 now", "john kowalski obituary", "the  weather", ""])
    entities = split_entities(queries, QUIET)
    texts = [[entities.vocabulary[int(code)] for code in entities[index]] for index in range(4)]
    assert texts == [
        ["call", "212 555 1234", "now"],
        ["john kowalski", "obituary"],
        ["the", "weather"],
        [],
    ]
    log = log_of([Row("a", "big ox", 1), Row("a", "ox ox", 2), Row("b", "ox", 3)])
    parts = split_entities(log.queries, QUIET)
    users = dict(
        zip(parts.vocabulary.list_strings(), count_entity_users(log, parts, QUIET), strict=True)
    )
    assert users == {"big": 1, "ox": 2}


def test_that_earlier_months_count_users_and_are_not_released() -> None:
    """Three users of "ox" in January 2000; the release begins in March."""
    january, march = 10_957 * DAY, 11_017 * DAY
    rows = [Row(f"u{n}", "ox", january + n) for n in range(3)]
    rows += [Row("u0", "ox", march), Row("u1", "car", march), Row("u2", "car", march)]
    log = log_of(rows)

    def count_kept(**values: Any) -> dict[str, int]:
        product = run_method("entity-allowlist", log, first_day=20000301, **values)
        return dict(Counter(query for _, query, _ in rows_of(product)))

    assert count_kept(k_entity=3) == {"ox": 1}
    assert count_kept(k_entity=3, window=1, life=0) == {}, "a month before March is February"
    assert count_kept(k_entity=3, window=1, life=1) == {"ox": 1}, "January's allowlist lives on"
    assert count_kept(k_entity=4) == {}


def test_that_masked_words_are_gone_and_the_others_stay() -> None:
    rows = [Row(f"u{n}", "ox car", n) for n in range(3)]
    rows += [Row("u0", "ox zebra", 9), Row("u1", "ox gnu", 9), Row("u2", "zebra", 9)]
    log = log_of(rows)
    product = run_method("entity-allowlist", log, k_entity=3, forbidden="mask")
    assert rows_of(product) == Counter(
        {("u0", "ox car", 0): 1, ("u1", "ox car", 0): 1, ("u2", "ox car", 0): 1}
    ) + Counter({("u0", "ox *", 0): 1, ("u1", "ox *", 0): 1})
    assert product.statement.measured["lone_queries"] == 0
    values: dict[str, Any] = {"k_entity": 3, "forbidden": "mask"}
    assert contradiction("entity-allowlist", log, product.content, **values) == ""
    assert contradiction("entity-allowlist", log, log, **values)


def test_that_a_forged_release_is_refuted() -> None:
    rows = [Row(f"u{n}", query, n * DAY) for n in range(4) for query in ("ox", f"gnu {n}")]
    log = log_of([*rows, Row("u0", "ox", 3 * DAY)])
    content = log_in(run_method("entity-allowlist", log, k_entity=3).content)
    joined = content.with_users(np.zeros(len(content.users), dtype=np.int32), Vocabulary.of("1"))
    refute = partial(contradiction, "entity-allowlist", log, k_entity=3)
    assert refute(content) == ""
    assert "fewer than 3" in refute(log)
    assert "two days" in refute(joined)


def test_that_only_signed_in_users_allow_a_word_where_the_log_says_who_was() -> None:
    """Three of five who used "ox" were signed in, and two of five who used "car"."""
    rows = [Row(f"u{n}", query, n) for n in range(5) for query in ("car", "ox")]
    signed_in = ["no", "yes", "yes", "yes", "yes", "", "no", "TRUE", "no", "no"]
    texts = Vocabulary.of(dict.fromkeys(signed_in))
    flag = Attribute(texts.find(["", *signed_in])[1:], texts)
    bare = log_of(rows)
    log = dataclasses.replace(bare, attributes={"signed_in": flag})
    name = "entity-allowlist"
    product = run_method(name, log, k_entity=3)
    assert rows_of(product) == Counter((f"u{n}", "ox", 0) for n in range(5))
    assert not log_in(product.content).attributes
    assert contradiction(name, log, product.content, k_entity=3) == ""
    expected = expect(name, log, k_entity=3)
    assert expected_values(expected)["queries"] == 1
    for statement in (product.statement, expected.statement):
        assert "Only signed-in users count" in statement.claim
    answer = explain_text(name, log, "car", k_entity=3)
    assert (answer.chance, answer.values[0].value) == (0, 2)
    assert answer.notes == ("Only signed-in users count.",)
    everybody = run_method(name, bare, k_entity=5)
    assert len(log_in(everybody.content)) == 10
    assert "does not say who was signed in" in everybody.statement.claim


@pytest.mark.parametrize("name", ["day-pseudonyms", "entity-allowlist"])
def test_that_no_id_of_a_day_shows_columns_that_are_rare_among_days(name: str) -> None:
    """Sixty travellers are in two places on two days; one user alone is in both on one day."""
    rows = [Row(f"u{n:02}", "ox", day * DAY) for n in range(60) for day in (0, 1)]
    rows += [Row("zed", "ox", 0), Row("zed", "ox", 9)]
    place = Attribute(np.array([0, 1] * 61, dtype=np.int32), Vocabulary.of(["de", "fr"]))
    log = dataclasses.replace(log_of(rows), attributes={"place": place})
    product = run_method(name, log, columns="keep", group=50)
    released = log_in(product.content)
    codes, users = released.attributes["place"].codes, released.user
    shown = {user: frozenset(codes[users == user].tolist()) for user in users.tolist()}
    counts = Counter(shown.values())
    assert min(counts.values()) >= 50
    assert product.statement.measured["smallest_column_group"] == min(counts.values())
    assert not log_in(run_method(name, log).content).attributes


def test_that_pages_with_an_identifier_are_left_out() -> None:
    rows = [
        Row("a", "weather", 2, "http://a.example/?email=jo.smith@example.org"),
        Row("b", "weather", 3, "http://a.example/"),
    ]
    content = log_in(run_method("day-pseudonyms", log_of(rows)).content)
    assert content.urls.list_strings() == ["http://a.example/"]
    assert content.clicks == 1
    full = log_in(run_method("day-pseudonyms", log_of(rows), suppress="nothing").content)
    assert full.clicks == 2


def test_that_the_statement_counts_who_is_linked_and_what_is_composed() -> None:
    rows = [Row("a", "ox car", 0), Row("a", "ox car", DAY)]
    rows += [Row(user, query, 0) for user in "bc" for query in ("ox", "car")]
    stated = run_method("entity-allowlist", log_of(rows), k_entity=2).statement
    assert stated.measured["linked_users"] == 1
    assert stated.measured["composed_queries"] == 1
    assert stated.measured["lone_queries"] == 1
    assert stated.measured["unique_records"] == 2, "both of a, whom no other user is like"
    assert {"whole queries are shared, too", "records of one user are not linked"} <= {
        entry.name for entry in stated.failing
    }


def test_that_a_record_like_others_of_its_user_alone_is_unique() -> None:
    for query, unique in (("zebra {}", 40), ("flu", 0)):
        rows = [Row(f"u{n}", query.format(n), day * DAY + n) for n in range(20) for day in (0, 1)]
        statement = run_method("day-pseudonyms", log_of(rows)).statement
        assert statement.measured["unique_records"] == unique
        status = statuses(statement)["users can't be told apart"]
        assert status == ("fails" if unique else "holds")


def test_that_a_query_is_explained_by_its_rarest_part() -> None:
    rows = [Row(f"u{n}", "ox", n) for n in range(3)] + [Row("u0", "ox gnu", 9)]
    log = log_of(rows)
    for text, chance, turns in (("ox", 1.0, [4]), ("ox gnu", 0.0, [1]), ("zebra", 0.0, [])):
        answer = explain_text("entity-allowlist", log, text, k_entity=2)
        assert answer.chance == chance
        assert [entry.value for entry in answer.turns] == turns
    assert expected_values(expect("entity-allowlist", log, k_entity=2))["queries"] == 1


def test_that_a_run_knows_whose_its_records_are_and_a_release_does_not(tmp_path: Path) -> None:
    log = auditor.load_sample().sample_users(200, 1)
    release = auditor.anonymize(log, "day-pseudonyms", times="exact")
    truth = records_of(log, release, np.arange(len(log.users)), QUIET)
    assert truth.person is not None
    folder = tmp_path / "release"
    auditor.save(release, log, folder)
    assert not [path for path in tmp_path.rglob("*") if "truth" in path.name]
    assert auditor.load_release(folder).truth is None


def test_that_users_are_counted_as_people_and_their_rows_are_found_under_all_ids() -> None:
    rows = [Row("a", "ox", day * DAY + 5) for day in range(3)]
    rows += [Row("b", "ox", 7), Row("b", "jo.smith@example.org", 9)]
    log = log_of(rows)
    preview = auditor.preview(log, "day-pseudonyms", seed=1)
    values = {entry.name: entry.value for entry in auditor.measure("volume", log, preview).values}
    assert values["volume.users"] == 2, "five ids, two people"
    result = find_released_events(log, preview, range(3), 3, QUIET)
    assert [entry.kind for entry in result.events] == ["same", "same", "same"]
    assert "3" in result.evidence
    other = find_released_events(log, preview, range(3, 5), 5, QUIET)
    assert [entry.kind for entry in other.events] == ["same", "gone"]


@pytest.mark.parametrize("user", ["a\tb", "a\nb", " a", "a "])
def test_that_an_unreadable_truth_table_is_not_written(user: str, tmp_path: Path) -> None:
    truth, odd = (
        present(run_method("day-pseudonyms", log_of([Row(u, "ox", 1), Row("b", "ox", 2)])).truth)
        for u in ("a", user)
    )
    path = tmp_path / "truth.tsv"
    with pytest.raises(ParameterError, match="a tab, a line break"):
        odd.save(path)
    assert not path.exists()
    truth.save(path)
    again = TruthTable.read(path)
    assert sorted(again.users.list_strings([int(code) for code in again.user])) == ["a", "b"]
    with pytest.raises(ParameterError, match="can't be written"):
        truth.save(path)
