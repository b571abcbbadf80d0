"""The verb `detect`: marks of a text file and of a log, with rule and term, and what it refuses."""

from __future__ import annotations

import bz2
import errno
import gzip
import io
import json
import lzma
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow as arrow
import pytest
from pyarrow import parquet

from auditor import bounded_files
from auditor.__main__ import main
from tests.log.rows import zipped

QUERIES = ["weather", "diabetes treatment", "jane.doe@example.org", "weather", ""]
QUERIES += ["chapter 13 lawyer"]


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "queries.txt"
    path.write_text("\n".join(QUERIES) + "\n", encoding="utf-8")
    return path


Detect = Callable[..., Any]


@pytest.fixture
def detect(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Detect:
    """``detect(file, content, *words)``, once written → the JSON, or what is said with `code` 2."""

    def run(
        file: Path | str, content: str | bytes | None = None, *words: str, code: int = 0
    ) -> Any:
        path = tmp_path / file if file != "-" else Path("-")
        if content is not None:
            path.write_bytes(content.encode() if isinstance(content, str) else content)
        exit_code = main(["detect", str(path), *words, "--json"])
        captured = capsys.readouterr()
        assert exit_code == code, captured.err
        assert "Traceback" not in captured.err
        return json.loads(captured.out) if code == 0 else captured.err

    return run


def kinds_of(facts: Any, query: str) -> set[str]:
    return {
        mark["kind"] for item in facts["marks"] if item["query"] == query for mark in item["marks"]
    }


def test_that_each_distinct_line_of_a_text_is_marked_with_rule_and_place(
    text: Path, detect: Detect
) -> None:
    facts = detect(text)
    assert facts["queries"] == 4
    assert facts["marked"] == len(facts["marks"])
    assert "health" in kinds_of(facts, "diabetes treatment")
    assert "email" in kinds_of(facts, "jane.doe@example.org")
    assert not kinds_of(facts, "weather")
    assert facts["kinds"]["health"] >= 1
    (marks,) = [item["marks"] for item in facts["marks"] if item["query"] == "diabetes treatment"]
    (mark,) = [mark for mark in marks if mark.get("term") == "diabetes"]
    assert mark["kind"] == "health"
    assert mark["rule"].startswith("health:")
    assert (mark["start"], mark["stop"]) == (0, 8)
    assert set(detect(text, None, "--kinds", "email")["kinds"]) == {"email"}


def test_that_a_log_is_read_as_one(tmp_path: Path, detect: Detect) -> None:
    log = tmp_path / "log.tsv"
    log.write_text(
        "user\tquery\ttime\na\tdiabetes treatment\t2006-03-01 10:00:00\n"
        "b\tweather\t2006-03-01 10:00:01\n",
        encoding="utf-8",
    )
    facts = detect(log, None, "--columns", "user=user,query=query,time=time")
    assert facts["queries"] == 2
    assert [item["query"] for item in facts["marks"]] == ["diabetes treatment"]


ODD = {
    "empty.txt": b"",
    "blank.txt": b"\n \n\t\n",
    "binary.txt": bytes(range(256)) * 16,
    "zero.txt": b"diabetes\0\nweather\n",
    "latin.txt": "münchen\n".encode("latin-1"),
    "wide.txt": "diabetes\nweather\n".encode("utf-16"),
    "empty.csv": b"",
    "no-query.csv": b"user,time\na,2006-03-01 10:00:00\n",
    "broken.gz": b"no archive",
    "broken.parquet": b"PAR1xxxx",
    "table.feather": b"ARROW1\0\0 rows",
    "binary": b"\x01\x00\x9f\n" * 500,
    "two.zip": zipped(dict.fromkeys(("a.txt", "b.txt"), "\n".join(QUERIES))),
}


@pytest.mark.parametrize("name", [*ODD, "nothing.txt", "folder"])
def test_that_an_odd_file_is_one_clear_error(name: str, tmp_path: Path, detect: Detect) -> None:
    if name == "folder":
        (tmp_path / name).mkdir()
    message = detect(name, ODD.get(name), code=2)
    errors = [line for line in message.splitlines() if line.startswith("auditor: ")]
    assert len(errors) == 1
    assert name in errors[0]


@pytest.mark.parametrize("line", ["a" * 1_000_000, "diabetes " * 100_000])
def test_that_a_huge_line_is_read_in_no_time(line: str, detect: Detect) -> None:
    facts = detect("huge.txt", line + "\nasthma\n", "--kinds", "health")
    assert facts["queries"] == 2
    assert "health" in kinds_of(facts, "asthma")


def test_that_missing_queries_of_a_table_are_no_queries(detect: Detect) -> None:
    facts = detect(
        "log.csv", "user,query,time\na,,2006-03-01 10:00:00\nb,asthma,2006-03-01 10:00:00\n"
    )
    assert facts["queries"] == 1


def test_that_clicked_addresses_of_a_log_are_read(detect: Detect) -> None:
    facts = detect(
        "log.tsv",
        "AnonID\tQuery\tQueryTime\tItemRank\tClickURL\n"
        "1\tweather\t2006-03-01 10:00:00\t1\thttp://example.com/in?email=jane.doe%40example.org\n"
        "1\tweather\t2006-03-01 10:00:10\t2\thttp://example.com/\n",
    )
    (address,) = facts["addresses"]
    assert address["marks"] == [{"kind": "email", "place": "email", "text": "jane.doe@example.org"}]


@pytest.mark.parametrize("head", ["", "query\n", "\ufeffQueries\r\n"])
@pytest.mark.parametrize("name", ["one.csv", "one.tsv"])
def test_that_a_table_of_one_column_is_a_list_of_queries(
    name: str, head: str, detect: Detect
) -> None:
    facts = detect(name, f"{head}diabetes treatment\nweather\n".encode())
    assert facts["queries"] == 2
    assert kinds_of(facts, "diabetes treatment") == {"health"}


def test_that_no_control_character_reaches_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text, table = tmp_path / "controls.txt", tmp_path / "odd.jsonl"
    text.write_bytes(b"\x1b[31mdiabetes\x1b[0m \x07\xc2\x9b\n\x1b]0;title\x07asthma\n")
    table.write_text(json.dumps({"q\x1b]0;owned\x07": "weather"}) + "\n", encoding="utf-8")
    for words in ([text], [text, "--json"], [table]):
        code = main(["detect", *map(str, words)])
        captured = capsys.readouterr()
        assert code == 0
        printed = captured.out + captured.err
        assert not [c for c in printed if c not in "\n\r" and (c < " " or "\x7f" <= c <= "\x9f")]


PACKED: dict[str, Callable[[bytes], bytes]] = {
    "queries.txt.gz": gzip.compress,
    "queries.gz": gzip.compress,
    "queries.txt.bz2": bz2.compress,
    "queries.txt.xz": lzma.compress,
}


def test_that_a_packed_log_is_read_as_a_log(detect: Detect) -> None:
    rows = gzip.compress(b"AnonID\tQuery\tQueryTime\n1\tasthma\t2006-03-01 10:00:00\n")
    for name in ("log.tsv.gz", "log.gz"):
        assert [item["query"] for item in detect(name, rows)["marks"]] == ["asthma"]


@pytest.mark.parametrize("name", [*PACKED, "queries.zip"])
def test_that_a_packed_text_is_read_as_the_text(name: str, detect: Detect) -> None:
    data = "\r\n".join(QUERIES).encode()
    facts = detect(name, PACKED[name](data) if name in PACKED else zipped({"queries.txt": data}))
    assert facts["queries"] == 4
    assert "email" in kinds_of(facts, "jane.doe@example.org")
    assert "rejected" not in facts


def pipe(monkeypatch: pytest.MonkeyPatch, data: bytes | None) -> None:
    """Standard input with these bytes; closed with None."""
    piped = None if data is None else io.TextIOWrapper(io.BytesIO(data), encoding="utf-8")
    monkeypatch.setattr(sys, "stdin", piped)


def test_that_standard_input_is_a_list_of_queries(
    monkeypatch: pytest.MonkeyPatch, detect: Detect
) -> None:
    pipe(monkeypatch, b"\xef\xbb\xbfasthma\r\nweather\r\n\r\nasthma\n")
    facts = detect("-")
    assert facts["queries"] == 2
    assert [item["query"] for item in facts["marks"]] == ["asthma"]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", "Holds no query"),
        (b"1\tasthma\n", "tabs"),
        (gzip.compress(b"asthma", mtime=0), "no text in UTF-8"),
        (bytes(range(8, 256)) * 9, "standard input"),
        (None, "It is closed"),
    ],
)
def test_that_standard_input_that_is_no_list_of_queries_is_one_clear_error(
    data: bytes | None, expected: str, monkeypatch: pytest.MonkeyPatch, detect: Detect
) -> None:
    pipe(monkeypatch, data)
    message = detect("-", code=2)
    assert expected in message
    assert "standard input" in message


def test_that_a_few_lines_that_are_no_text_are_counted_and_many_are_refused(detect: Detect) -> None:
    facts = detect("queries.txt", b"asthma\nweather\n" * 30 + b"m\xfcnchen\ndiab\0etes\n")
    assert facts["rejected"] == {"bad UTF-8": 1, "NUL": 1}
    assert facts["queries"] == 2
    message = detect("queries.txt", None, "--max-rejected", "0.01", code=2)
    assert "queries.txt, line 61: " in message
    rows = ["1\tasthma\t2006-03-01 10:00:00"] * 30 + ["1\tasthma\tno time"]
    facts = detect("log.tsv", "\n".join(["AnonID\tQuery\tQueryTime", *rows]) + "\n")
    assert sum(facts["rejected"].values()) == 1


def test_that_a_file_that_may_not_be_read_is_one_clear_error(
    text: Path, detect: Detect, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path) -> BinaryIO:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))

    monkeypatch.setattr(bounded_files, "open_regular", refuse)  # modes don't stop the superuser
    message = detect(text, code=2)
    assert "You may not read this file" in message
    assert message.count("\n") <= 1


MAIL_TABLES = {
    "when.csv": b"when,query\n2020-01-01,jane.doe@example.org\n2020-01-02,weather\n",
    "counted.csv": b"query,clicks\njane.doe@example.org,4\nweather,100\n",
    "quoted.csv": b'rank;searchterm;n\n1;"jane.doe@example.org";5\n2;"weather";6\n',
    "rows.jsonl": b'{"q": "jane.doe@example.org"}\n{"q": "weather"}\n',
    "nested.jsonl": b'{"a": {"query": "jane.doe@example.org"}, "n": 1}\n'
    b'{"a": {"query": "weather"}, "n": 2}\n',
    "array.json": b'[{"query": "weather"},\n {"query": "jane.doe@example.org"}]',
    "strings.json": b'["weather", "jane.doe@example.org"]',
    "table.tsv": b"when\tquery\n2020-01-01\tjane.doe@example.org\n2020-01-02\tweather\n",
}


@pytest.mark.parametrize("name", [*MAIL_TABLES, "table.parquet", "when.csv.gz"])
def test_that_a_table_without_users_gives_its_queries(
    name: str, tmp_path: Path, detect: Detect
) -> None:
    path = tmp_path / name
    if name == "table.parquet":
        table = {"n": [1, 2, 3], "query": ["weather", "jane.doe@example.org", None]}
        parquet.write_table(arrow.table(table), path)
    elif name.endswith(".gz"):
        path.write_bytes(gzip.compress(MAIL_TABLES[name.removesuffix(".gz")]))
    else:
        path.write_bytes(MAIL_TABLES[name])
    more = ["--max-rejected", "0.5"] if name == "table.parquet" else []
    facts = detect(path, None, *more)
    assert facts["queries"] == 2
    assert "email" in kinds_of(facts, "jane.doe@example.org")
    assert facts.get("rejected", {}) == ({"bad row": 1} if more else {})


def test_that_the_column_can_be_named(detect: Detect) -> None:
    message = detect("two.jsonl", '{"left": "weather", "right": "jane.doe@example.org"}\n', code=2)
    assert "Which column holds the queries? Name it by --columns query=COLUMN" in message
    facts = detect("two.jsonl", None, "--columns", "query=right")
    assert [item["query"] for item in facts["marks"]] == ["jane.doe@example.org"]
    message = detect("two.jsonl", None, "--columns", "query=middle", code=2)
    assert "middle" in message


def test_that_bad_rows_of_a_table_are_counted_and_many_are_refused(
    tmp_path: Path, detect: Detect
) -> None:
    path = tmp_path / "bad.csv"
    good = b"".join(b"2020-01-01,weather %d\n" % number for number in range(99))
    path.write_bytes(b"when,query\n" + good + b"2020-01-02,caf\xff\x00\n")
    facts = detect(path)
    assert facts["queries"] == 99
    assert facts["rejected"] == {"bad UTF-8 or NUL": 1}
    path.write_bytes(b"when,query\n" + good + b"2020-01-02,caf\0\n" * 30)
    message = detect(path, code=2)
    assert "30 of 129 rows can't be read" in message


COUNTS = {
    "ga.csv": '# Search terms\n\nSearch term,Event count\nred shoes,"1,203"\n'
    "jane.doe@example.org,9\ndiabetes,3\n",
    "de.csv": "Suchbegriff;Anzahl\nred shoes;1.203\njane.doe@example.org;9\ndiabetes;3\n",
    "counts.jsonl": "".join(
        json.dumps({"query": query, "count": count}) + "\n"
        for query, count in (("red shoes", 1203), ("jane.doe@example.org", 9), ("diabetes", 3))
    ),
    "days.csv": "date,query,searches\n2026-01-01,red shoes,1200\n2026-01-02,red shoes,3\n"
    "2026-01-01,jane.doe@example.org,9\n2026-01-01,diabetes,3\n",
}


def test_that_an_archive_of_counts_is_called_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "console.zip"
    path.write_bytes(zipped({"Chart.csv": "Date,Clicks\n2026-01-01,3\n", **COUNTS}))
    assert main(["inspect", str(path)]) != 0
    assert "aggregated export" in capsys.readouterr().err


@pytest.mark.parametrize("name", COUNTS)
def test_that_inspect_says_what_a_table_of_counts_shows_and_that_it_protects_nobody(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / name
    path.write_text(COUNTS[name], encoding="utf-8")
    assert main(["inspect", str(path), "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert (facts["queries"], facts["searches"], facts["rejected"]) == (3, 1215, 0)
    assert (facts["personal"], facts["sensitive"]) == (1, 1)
    assert facts["rare"] == {"5": 1, "10": 2}
    assert facts["rare_personal"] == {"5": 0, "10": 1}
    assert main(["inspect", str(path)]) == 0
    output = capsys.readouterr().out
    assert "3 queries with 1,215 searches, of no users" in output.splitlines()[0]
    assert "jane.doe" not in output
    assert main(["anonymize", str(path), "--method", "korolova", "--out", str(tmp_path / "o")]) == 2
    assert "auditor inspect" in capsys.readouterr().err


def test_that_a_table_whose_counts_are_no_numbers_is_one_clear_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "counts.csv"
    rows = [f"shoes {row},{row if row < 60 else 'many'}" for row in range(90)]
    path.write_text("query,searches\n" + "\n".join(rows), encoding="utf-8")
    assert main(["inspect", str(path)]) == 2
    assert "counts.csv" in capsys.readouterr().err
