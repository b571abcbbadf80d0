"""Written logs: AOL's shape to the byte, and nothing in a text that breaks a row."""

import csv
from pathlib import Path
from typing import Literal

import pyarrow.parquet as pq
import pytest

from auditor.log.model import QueryLog
from auditor.log.reading.reader import read_log
from auditor.log.writing import write_log

Form = Literal["tsv", "parquet"]


def log_of(*queries: str) -> QueryLog:
    n = len(queries)
    return QueryLog.from_columns(
        user=["7"] * n, query=list(queries), time=[1_141_208_430 + i for i in range(n)]
    )


def test_that_a_plain_log_is_written_as_aol_wrote_it(tmp_path: Path) -> None:
    log = QueryLog.from_columns(
        user=["142", "142"],
        query=['bare " quote', "-"],
        time=[1_141_197_432, 1_141_197_433],
        url=["http://a.example", None],
        rank=[3, -1],
    )
    write_log(log, tmp_path / "log.tsv")
    assert (tmp_path / "log.tsv").read_text() == (
        "AnonID\tQuery\tQueryTime\tItemRank\tClickURL\n"
        '142\tbare " quote\t2006-03-01 07:17:12\t3\thttp://a.example\n'
        "142\t-\t2006-03-01 07:17:13\t\t\n"
    )


def test_that_addresses_and_cookies_follow_if_there_are_any(tmp_path: Path) -> None:
    log = QueryLog.from_columns(
        user=["a", "a"], query=["q", "q"], time=[0, 1], ip=[0x0A0000FF, 0], cookie=["k", None]
    )
    write_log(log, tmp_path / "log.tsv")
    assert (tmp_path / "log.tsv").read_text().splitlines()[1:] == [
        "a\tq\t1970-01-01 00:00:00\t\t\t10.0.0.255\tk",
        "a\tq\t1970-01-01 00:00:01\t\t\t\t",
    ]
    assert read_log(tmp_path / "log.tsv").digest == log.digest


@pytest.mark.parametrize("text", ["a\tb", "a\nb", "a\rb", 'a\t"b"', "\n", '"\t', "\r\n\t"])
def test_that_tabs_and_line_ends_break_no_row(tmp_path: Path, text: str) -> None:
    log = log_of("before", text, 'x "', "after")
    write_log(log, tmp_path / "log.tsv")
    with (tmp_path / "log.tsv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file, delimiter="\t"))
    assert [row[1] for row in rows] == ["Query", "before", text, 'x "', "after"]
    assert {len(row) for row in rows} == {5}
    assert read_log(tmp_path / "log.tsv").digest == log.digest


@pytest.mark.parametrize("form", ["tsv", "parquet"])
@pytest.mark.parametrize("text", ["a\0b", "\0", "a\ud800b"])
def test_that_what_no_reader_takes_becomes_a_replacement_character(
    tmp_path: Path, form: Form, text: str
) -> None:
    write_log(log_of("before", text), tmp_path / "log", format=form)
    again = read_log(tmp_path / "log")
    assert again.origin.rejected == {}
    assert again.queries[0] == "before"
    assert "\ufffd" in again.queries[1]
    assert len(again) == 2


@pytest.mark.parametrize("form", ["tsv", "parquet"])
def test_that_an_empty_log_is_a_header_with_types_other_programs_know(
    tmp_path: Path, form: Form
) -> None:
    write_log(log_of(), tmp_path / "log", format=form)
    assert read_log(tmp_path / "log").digest == log_of().digest
    if form == "parquet":
        schema = pq.read_schema(tmp_path / "log")
        assert schema.names == ["AnonID", "Query", "QueryTime", "ItemRank", "ClickURL"]
        assert str(schema.field("QueryTime").type) in (
            "timestamp[s, tz=UTC]",
            "timestamp[ms, tz=UTC]",
        )
