"""Whom a log protects: who chose the user column, what is asked where nobody did, suggestions."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from auditor.api.log import from_pandas
from auditor.errors import LogFormatError
from auditor.log.reading import user_ids
from auditor.log.reading.column_inference import suggest_columns
from auditor.log.reading.reader import ReadOptions, read_log, sniff_log
from auditor.log.reading.user_ids import UserColumnUnnamed
from auditor.log.user_column import UserColumn
from tests.log.rows import save, write_table

UBI = [
    {
        "application": "shop",
        "request_id": f"q{n:04}",
        "client_id": f"client-{n % 7}",
        "user_query": f"red shoes {n}",
        "timestamp": f"2024-05-{1 + n % 28:02}T10:00:00Z",
    }
    for n in range(120)
]


def times(count: int) -> list[str]:
    return [f"2024-05-{1 + n % 28:02} 10:{n % 60:02}:00" for n in range(count)]


def test_that_no_column_is_taken_for_the_users_by_its_contents(tmp_path: Path) -> None:
    path = save(tmp_path / "ubi.jsonl", "".join(json.dumps(row) + "\n" for row in UBI))
    with pytest.raises(UserColumnUnnamed, match="Whom does the log protect") as raised:
        read_log(path, ReadOptions(columns={"query": "user_query", "time": "timestamp"}))
    by_name = {candidate.name: candidate for candidate in raised.value.candidates}
    assert next(iter(by_name)) == "client_id"
    assert by_name["client_id"].distinct == 7
    assert by_name["client_id"].examples == ("c••••••0", "c••••••1", "c••••••2")
    assert by_name["client_id"].doubts == ()
    assert "the same value" in by_name["application"].doubts[0]
    assert "no value comes twice" in by_name["request_id"].doubts[0]
    details = "\n".join(raised.value.details)
    assert "application: 1 distinct in 120 rows" in details
    for text in (details, str(raised.value)):
        assert "client-3" not in text
        assert "red shoes" not in text


@pytest.mark.parametrize(
    ("name", "values", "doubt"),
    [
        ("user", ["one"] * 100, "same value"),
        ("user", [f"u{n}" for n in range(100)], "no value comes twice"),
        ("userid", [f"202405{1 + n % 28:02}" for n in range(100)], "dates or times"),
        ("uid", ["True", "False"] * 50, "yes or no"),
    ],
)
def test_that_a_header_is_not_believed_where_values_are_no_persons(
    tmp_path: Path, name: str, values: list[str], doubt: str
) -> None:
    path = write_table(
        tmp_path / "a.csv", {name: values, "query": ["some shoes"] * 100, "time": times(100)}
    )
    sniffed = sniff_log(path)
    doubts = sniffed.user.doubts if sniffed.user is not None else sniffed.candidates[0].doubts
    assert any(doubt in why for why in doubts) or doubt in COUNT_DOUBTS
    with pytest.raises(UserColumnUnnamed):
        read_log(path)
    log = read_log(path, ReadOptions(columns={"user": name}))
    assert log.origin.user_column is not None
    assert log.origin.user_column.chosen == "person"
    assert any(doubt in why for why in log.origin.user_column.doubts)
    assert "Doubtful" in log.origin.user_column.text


@pytest.mark.parametrize("name", ["session_id", "idVisit", "ga_session_id"])
def test_that_visits_are_told_from_visitors_by_name(name: str) -> None:
    assert any("session" in why for why in user_ids.doubts_of(name, ["a", "b", "a"]))
    assert user_ids.doubts_of("visitorId", ["a", "b", "a"]) == ()


def test_that_browsers_of_web_analytics_are_no_measurements() -> None:
    browsers = [f"{93_120_447 * n + 1}.{1_690_000_000 + n}" for n in range(1, 9)]
    assert user_ids.doubts_of("user_pseudo_id", browsers * 3) == ()
    assert user_ids.doubts_of("user_pseudo_id", ["3.25", "17.5", "3.25"])


def test_that_visits_are_told_by_how_long_they_last() -> None:
    # 80 visits of two queries within a minute, over eight days; then 80 persons who come back.
    moments = [f"2024-05-{1 + n % 8:02} 10:{n % 50:02}:00" for n in range(80)]
    later = [moment[:-2] + "40" for moment in moments]
    visits = [f"v{n}" for n in range(80)]
    doubts = user_ids.doubts_of("key", visits * 2, moments + later)
    assert any("session" in why for why in doubts)
    next_week = [f"2024-05-{11 + n % 8:02} 10:00:00" for n in range(80)]
    assert user_ids.doubts_of("key", visits * 2, moments + next_week) == ()


def test_that_a_column_that_is_not_there_is_a_problem_with_a_suggestion(tmp_path: Path) -> None:
    path = write_table(tmp_path / "a.csv", {"person": ["a"], "query": ["b"], "time": times(1)})
    sniffed = sniff_log(path, ReadOptions(columns={"user": "persn"}))
    assert any("Did you mean 'person'?" in problem for problem in sniffed.problems)
    with pytest.raises(LogFormatError, match="no column called 'persn'"):
        read_log(path, ReadOptions(columns={"user": "persn"}))


def test_that_values_are_masked_for_the_terminal() -> None:
    assert [user_ids.mask_value(value) for value in ("", "ab", "abcd", "a" * 40)] == [
        "",
        "••",
        "a••d",
        "a••••••a",
    ]


def test_that_what_is_said_of_the_user_column_can_be_stored() -> None:
    column = UserColumn("who", "person", ("its values look like dates or times",))
    assert UserColumn.of(json.loads(json.dumps(column.to_dict()))) == column
    assert UserColumn.of(None) is None
    assert UserColumn.of({"chosen": "nobody"}) is None


COUNT_DOUBTS = ("same value", "no value comes twice")
"""What only all rows can say."""


@pytest.mark.parametrize("users", [30, 3])
@pytest.mark.parametrize("how", ["csv", "named", "parquet", "pandas"])
def test_that_a_category_is_judged_by_all_rows_of_a_log_sorted_by_user(
    how: str, users: int, tmp_path: Path
) -> None:
    rows = 9_000
    frame = pd.DataFrame(
        {
            "user": [f"u{row * users // rows}" for row in range(rows)],
            "query": [f"q{row % 7}" for row in range(rows)],
            "time": pd.Timestamp("2026-01-01") + pd.to_timedelta(np.arange(rows), unit="h"),
        }
    )
    named = ReadOptions(columns={"user": "user", "query": "query", "time": "time"})
    if how == "pandas":
        log = from_pandas(frame)
    elif how == "parquet":
        frame.to_parquet(tmp_path / "log.parquet")
        log = read_log(tmp_path / "log.parquet")
    else:
        frame.to_csv(tmp_path / "log.csv", index=False)
        log = read_log(tmp_path / "log.csv", named if how == "named" else None)
    assert log.origin.user_column is not None
    doubts = log.origin.user_column.doubts
    assert [doubt for doubt in doubts if "category" in doubt] == list(doubts)
    assert bool(doubts) == (users == 3)
    assert not any("doubtful" in note for note in log.origin.assumptions)


NAMES_LIKE = {
    "query": ("search_string", "Suchbegriff", "user_query_text", "serch_term"),
    "time": ("event_timestamp_utc", "ts_server_time"),
    "url": ("clicked_link_url",),
    "rank": ("result_position",),
    "ip": ("remote_host",),
    "cookie": ("visitor_cookie",),
}


@pytest.mark.parametrize(
    ("role", "name"), [(r, n) for r, names in NAMES_LIKE.items() for n in names]
)
def test_that_a_column_with_a_name_like_a_usual_one_comes_first(role: str, name: str) -> None:
    names = ["amount", name, "shop_no"]
    assert [(item.name, item.place) for item in suggest_columns(role, names)][:1] == [(name, 1)]
    assert suggest_columns(role, names, {1}) == []  # it has a role
    # The first row of a log without a header is no list of names.
    assert suggest_columns(role, ["jane roe 12 main street", "7", "cheap flights rome"]) == []


def test_that_the_message_names_likely_columns_and_none_is_taken(tmp_path: Path) -> None:
    rows = "".join(f"u{n % 3},red shoes {n},in the morning,x{n % 2}\n" for n in range(30))
    path = save(tmp_path / "log.csv", "user_id,query,server_time_of_event,shop\n" + rows)
    with pytest.raises(LogFormatError) as caught:
        read_log(path)
    assert "“server_time_of_event”" in str(caught.value)
    assert caught.value.columns
