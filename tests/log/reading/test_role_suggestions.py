"""Which columns are suggested for a role, and that no suggestion is ever taken."""

from pathlib import Path

import pytest

from auditor.errors import LogFormatError
from auditor.log.reading.column_inference import describe_suggestions, suggest_columns
from auditor.log.reading.reader import read_log


@pytest.mark.parametrize(
    ("role", "name"),
    [
        ("query", "search_string"),
        ("query", "Suchbegriff"),
        ("query", "user_query_text"),
        ("query", "serch_term"),
        ("time", "event_timestamp_utc"),
        ("time", "ts_server_time"),
        ("url", "clicked_link_url"),
        ("rank", "result_position"),
        ("ip", "remote_host"),
        ("cookie", "visitor_cookie"),
    ],
)
def test_that_a_column_with_a_name_like_a_usual_one_comes_first(role: str, name: str) -> None:
    names = ["amount", name, "shop_no"]
    assert [(item.name, item.place) for item in suggest_columns(role, names)][:1] == [(name, 1)]


def test_that_what_has_a_role_or_is_like_nothing_is_not_suggested() -> None:
    assert suggest_columns("query", ["search_string", "amount", "x"], {0}) == []
    assert describe_suggestions(("query",), ["amount", "shop"]) == ""


def test_that_what_may_be_a_query_is_not_said_for_a_name() -> None:
    """The first row of a log without a header is no list of names."""
    assert suggest_columns("time", ["jane roe 12 main street", "7", "cheap flights rome"]) == []


def test_that_the_message_names_likely_columns_and_none_is_taken(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    rows = "".join(f"u{n % 3},red shoes {n},in the morning,x{n % 2}\n" for n in range(30))
    path.write_text("user_id,query,server_time_of_event,shop\n" + rows, encoding="utf-8")
    with pytest.raises(LogFormatError) as caught:
        read_log(path)
    assert "“server_time_of_event”" in str(caught.value)
    assert caught.value.columns
