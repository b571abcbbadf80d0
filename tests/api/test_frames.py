"""Logs out of tables and into tables: pandas, Arrow, polars' interface, DuckDB."""

from collections.abc import Callable
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import auditor
from auditor.errors import LogFormatError, ParameterError
from auditor.log.model import QueryLog
from auditor.log.reading.user_ids import UserColumnUnnamed
from auditor.log.user_column import UserColumn

FRAME = pd.DataFrame(
    {
        "person": ["ann", "bob", "ann", "cy"],
        "q": ["red shoes", "hats", None, "café"],
        "when": pd.to_datetime(
            ["2024-05-01 10:00", "2024-05-01 11:00", "2024-05-02 09:00", "NaT"], utc=True
        ),
        "clicked": ["http://a.example", None, None, None],
        "position": pd.array([3, None, None, None], dtype="Int64"),
        "note": [1.5, 2.5, 3.5, 4.5],
    }
)
MANY_BAD = auditor.ReadOptions(max_rejected_share=0.5)
ROLES: dict[str, Any] = {
    "user": "person", "query": "q", "time": "when", "url": "clicked", "rank": "position",
}  # fmt: skip


class OnlyStream:
    """A table of a library of which nothing is known but Arrow's interface."""

    def __init__(self, table: pa.Table) -> None:
        self._table = table

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self._table.__arrow_c_stream__(requested_schema)


TABLE = pa.Table.from_pandas(FRAME, preserve_index=False)
VIEWS = pa.schema(
    pa.field(field.name, pa.string_view() if field.type == pa.string() else field.type)
    for field in TABLE.schema
)
"""As polars hands its texts over."""


def from_database() -> QueryLog:
    with duckdb.connect() as database:
        database.register("searches", TABLE)
        return auditor.from_duckdb(database.sql("select * from searches"), MANY_BAD, **ROLES)


READ: dict[str, Callable[[], QueryLog]] = {
    "pandas": lambda: auditor.from_pandas(FRAME, MANY_BAD, **ROLES),
    "read": lambda: auditor.read_log(FRAME, MANY_BAD, **ROLES),
    "arrow": lambda: auditor.from_arrow(TABLE, MANY_BAD, **ROLES),
    "stream": lambda: auditor.from_polars(OnlyStream(TABLE), MANY_BAD, **ROLES),
    "views": lambda: auditor.from_polars(OnlyStream(TABLE.cast(VIEWS)), MANY_BAD, **ROLES),
    "duckdb": from_database,
}


@pytest.mark.parametrize("kind", READ)
def test_that_every_table_gives_the_same_log(kind: str) -> None:
    log = READ[kind]()
    assert log.users.list_strings() == ["ann", "bob"]
    assert log.queries.list_strings() == ["red shoes", "", "hats"]
    assert log.time.tolist() == [1714557600, 1714640400, 1714561200]
    assert log.rank.tolist() == [3, -1, -1]
    assert log.clicks == 1
    assert log.origin.rejected == {"bad time": 1}
    assert log.origin.user_column == UserColumn("person", "person")
    check = auditor.check(log)
    assert (check.users, check.rows, check.rejected) == (2, 3, {"bad time": 1})
    assert "more than half" in check.doubts[0]
    assert not check.fine


def test_that_what_is_no_table_or_has_no_users_is_refused() -> None:
    with pytest.raises(UserColumnUnnamed) as raised:
        auditor.from_pandas(FRAME.rename(columns={"q": "query", "when": "time"}))
    assert "person" in [column.name for column in raised.value.candidates]
    assert isinstance(raised.value, auditor.AuditorError)
    with pytest.raises(ParameterError, match="stream interface"):
        auditor.from_arrow([1, 2, 3], user="a")
    with pytest.raises(LogFormatError, match=r"'persn' .* Did you mean 'person'"):
        auditor.from_pandas(FRAME, **(ROLES | {"user": "persn"}))


def test_that_a_log_becomes_a_table_with_all_its_columns() -> None:
    log = QueryLog.from_columns(
        user=["a", "b", "a"],
        query=["x", "y", "x"],
        time=[10, 20, 30],
        url=["http://u.example", None, None],
        rank=np.array([2, -1, -1], np.int16),
        ip=[0x01020304, 0, 0x01020304],
        cookie=["k", None, None],
    )
    frame = log.to_pandas()
    assert list(frame.columns) == ["user", "query", "time", "rank", "url", "ip", "cookie"]
    assert frame["user"].tolist() == ["a", "a", "b"]
    assert frame["time"].tolist() == list(pd.to_datetime([10, 30, 20], unit="s", utc=True))
    assert frame["rank"].tolist() == [2, pd.NA, pd.NA]
    assert frame["ip"].tolist()[:2] == ["1.2.3.4", "1.2.3.4"]
    assert frame["url"].isna().tolist() == [False, True, True]
    assert frame["cookie"].isna().tolist() == [False, True, True]
    again = auditor.from_arrow(log.to_arrow(), user="user")
    assert again.digest == log.digest
