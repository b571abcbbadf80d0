"""The verb `detect`: marks of a text file and of a log, with rule and term, and what it refuses."""

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
from tests.log.rows import zipped

MAIL = "jane.doe@example.org"
ILLNESS = "diabetes treatment"
QUERIES = "\n".join(["weather", ILLNESS, MAIL, "weather", "", "cheap flights"])

Detect = Callable[..., Any]


@pytest.fixture
def detect(tmp_path: Path, call: Any) -> Detect:
    """``detect(file, content, *words)``, once written → the JSON, or what is said with `code` 2."""

    def run(
        file: Path | str, content: str | bytes | None = None, *words: str, code: int = 0
    ) -> Any:
        path = tmp_path / file if file != "-" else Path("-")
        if content is not None:
            path.write_bytes(content.encode() if isinstance(content, str) else content)
        exit_code, output = call("detect", path, *words)
        assert exit_code == code, output
        assert "Traceback" not in output
        return output

    return run


def marks_of(facts: Any) -> dict[str, set[str]]:
    """The marked queries, each with the kinds of its marks."""
    return {item["query"]: {mark["kind"] for mark in item["marks"]} for item in facts["marks"]}


def test_that_each_distinct_line_of_a_text_is_marked_with_rule_and_place(detect: Detect) -> None:
    facts = detect("queries.txt", QUERIES)
    assert (facts["queries"], facts["marked"]) == (4, 2)
    assert marks_of(facts) == {ILLNESS: {"health"}, MAIL: {"email", "person"}}
    assert facts["kinds"]["health"] >= 1
    (marks,) = [item["marks"] for item in facts["marks"] if item["query"] == ILLNESS]
    (mark,) = [mark for mark in marks if mark.get("term") == "diabetes"]
    assert mark["rule"].startswith("health:")
    assert (mark["start"], mark["stop"]) == (0, 8)
    assert set(detect("queries.txt", None, "--kinds", "email")["kinds"]) == {"email"}


def parquet_bytes(**columns: list[Any]) -> bytes:
    buffer = io.BytesIO()
    parquet.write_table(arrow.table(columns), buffer)
    return buffer.getvalue()


LINES = QUERIES.replace("\n", "\r\n").encode()
LOG = f"user\tquery\ttime\na\t{ILLNESS}\t2006-03-01 10:00:00\nb\tweather\t2006-03-01 10:00:01\n"
AOL = gzip.compress(b"AnonID\tQuery\tQueryTime\n1\tasthma\t2006-03-01 10:00:00\n")
DATED = f"when,query\n2020-01-01,{MAIL}\n2020-01-02,weather\n"
NESTED = f'{{"a": {{"query": "{MAIL}"}}, "n": 1}}\n{{"a": {{"query": "weather"}}, "n": 2}}\n'
READ: dict[str, tuple[str | bytes, int, set[str]]] = {
    # logs
    "log.tsv": (LOG, 2, {ILLNESS}),
    "log.tsv.gz": (AOL, 1, {"asthma"}),
    "log.gz": (AOL, 1, {"asthma"}),
    "blank.csv": (
        *("user,query,time\na,,2006-03-01 10:00:00\nb,asthma,2006-03-01 10:00:00\n", 1),
        {"asthma"},
    ),
    # texts that are packed
    "queries.txt.gz": (gzip.compress(LINES), 4, {ILLNESS, MAIL}),
    "queries.gz": (gzip.compress(LINES), 4, {ILLNESS, MAIL}),
    "queries.txt.bz2": (bz2.compress(LINES), 4, {ILLNESS, MAIL}),
    "queries.txt.xz": (lzma.compress(LINES), 4, {ILLNESS, MAIL}),
    "queries.zip": (zipped({"queries.txt": LINES}), 4, {ILLNESS, MAIL}),
    # tables without users
    "when.csv": (DATED, 2, {MAIL}),
    "when.csv.gz": (gzip.compress(DATED.encode()), 2, {MAIL}),
    "table.tsv": (DATED.replace(",", "\t"), 2, {MAIL}),
    "counted.csv": (f"query,clicks\n{MAIL},4\nweather,100\n", 2, {MAIL}),
    "quoted.csv": (f'rank;searchterm;n\n1;"{MAIL}";5\n2;"weather";6\n', 2, {MAIL}),
    "rows.jsonl": (f'{{"q": "{MAIL}"}}\n{{"q": "weather"}}\n', 2, {MAIL}),
    "nested.jsonl": (NESTED, 2, {MAIL}),
    "array.json": (f'[{{"query": "weather"}},\n {{"query": "{MAIL}"}}]', 2, {MAIL}),
    "strings.json": (f'["weather", "{MAIL}"]', 2, {MAIL}),
    "table.parquet": (parquet_bytes(n=[1, 2], query=["weather", MAIL]), 2, {MAIL}),
    # of one column, with a heading or without
    **{
        f"{number}.{ending}": (f"{head}{ILLNESS}\nweather\n", 2, {ILLNESS})
        for number, head in enumerate(("", "query\n", "\ufeffQueries\r\n"))
        for ending in ("csv", "tsv")
    },
}


@pytest.mark.parametrize("name", READ)
def test_that_logs_texts_and_tables_give_their_queries(name: str, detect: Detect) -> None:
    content, queries, marked = READ[name]
    facts = detect(name, content)
    assert facts["queries"] == queries
    assert marks_of(facts).keys() == marked
    assert not facts.get("rejected")


ODD: dict[str, bytes | None] = {
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
    "two.zip": zipped(dict.fromkeys(("a.txt", "b.txt"), QUERIES)),
    "nothing.txt": None,
    "folder": None,
}


@pytest.mark.parametrize("name", ODD)
def test_that_an_odd_file_is_one_clear_error(name: str, tmp_path: Path, detect: Detect) -> None:
    if name == "folder":
        (tmp_path / name).mkdir()
    message = detect(name, ODD[name], code=2)
    errors = [line for line in message.splitlines() if line.startswith("auditor: ")]
    assert len(errors) == 1
    assert name in errors[0]


@pytest.mark.parametrize("line", ["a" * 1_000_000, "diabetes " * 100_000])
def test_that_a_huge_line_is_read_in_no_time(line: str, detect: Detect) -> None:
    facts = detect("huge.txt", line + "\nasthma\n", "--kinds", "health")
    assert facts["queries"] == 2
    assert marks_of(facts)["asthma"] == {"health"}


def test_that_clicked_addresses_of_a_log_are_read(detect: Detect) -> None:
    facts = detect(
        "log.tsv",
        "AnonID\tQuery\tQueryTime\tItemRank\tClickURL\n"
        "1\tweather\t2006-03-01 10:00:00\t1\thttp://example.com/in?email=jane.doe%40example.org\n"
        "1\tweather\t2006-03-01 10:00:10\t2\thttp://example.com/\n",
    )
    (address,) = facts["addresses"]
    assert address["marks"] == [{"kind": "email", "place": "email", "text": MAIL}]


def test_that_no_control_character_reaches_the_terminal(tmp_path: Path, printed: Any) -> None:
    text, table = tmp_path / "controls.txt", tmp_path / "odd.jsonl"
    text.write_bytes(b"\x1b[31mdiabetes\x1b[0m \x07\xc2\x9b\n\x1b]0;title\x07asthma\n")
    table.write_text(json.dumps({"q\x1b]0;owned\x07": "weather"}) + "\n", encoding="utf-8")
    for words in ([text], [text, "--json"], [table]):
        output = printed("detect", *words)
        assert output
        assert not [c for c in output if c not in "\n\r" and (c < " " or "\x7f" <= c <= "\x9f")]


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
    assert marks_of(facts).keys() == {"asthma"}


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


GOOD = b"when,query\n" + b"".join(b"2020-01-01,weather %d\n" % number for number in range(99))
ROWS = "AnonID\tQuery\tQueryTime\n" + "1\tasthma\t2006-03-01 10:00:00\n" * 30
REJECTED: dict[str, tuple[str | bytes, int, dict[str, int], list[str]]] = {
    "queries.txt": (
        *(b"asthma\nweather\n" * 30 + b"m\xfcnchen\ndiab\0etes\n", 2),
        *({"bad UTF-8": 1, "NUL": 1}, []),
    ),
    "log.tsv": (ROWS + "1\tasthma\tno time\n", 1, {"bad time": 1}, []),
    "table.csv": (GOOD + b"2020-01-02,caf\xff\x00\n", 99, {"bad UTF-8 or NUL": 1}, []),
    "table.parquet": (
        *(parquet_bytes(n=[1, 2, 3], query=["weather", MAIL, None]), 2),
        *({"bad row": 1}, ["--max-rejected", "0.5"]),
    ),
}


@pytest.mark.parametrize("name", REJECTED)
def test_that_a_few_bad_rows_are_counted(name: str, detect: Detect) -> None:
    content, queries, rejected, words = REJECTED[name]
    facts = detect(name, content, *words)
    assert (facts["queries"], facts["rejected"]) == (queries, rejected)


def test_that_many_bad_rows_are_refused(detect: Detect) -> None:
    few = ("--max-rejected", "0.01")
    message = detect("queries.txt", REJECTED["queries.txt"][0], *few, code=2)
    assert "queries.txt, line 61: " in message
    message = detect("bad.csv", GOOD + b"2020-01-02,caf\0\n" * 30, code=2)
    assert "30 of 129 rows can't be read" in message


def test_that_a_file_that_may_not_be_read_is_one_clear_error(
    detect: Detect, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path) -> BinaryIO:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))

    monkeypatch.setattr(bounded_files, "open_regular", refuse)  # modes don't stop the superuser
    message = detect("queries.txt", QUERIES, code=2)
    assert "You may not read this file" in message
    assert message.count("\n") <= 1


def test_that_the_column_can_be_named(detect: Detect) -> None:
    message = detect("two.jsonl", f'{{"left": "weather", "right": "{MAIL}"}}\n', code=2)
    assert "Which column holds the queries? Name it by --columns query=COLUMN" in message
    facts = detect("two.jsonl", None, "--columns", "query=right")
    assert marks_of(facts).keys() == {MAIL}
    message = detect("two.jsonl", None, "--columns", "query=middle", code=2)
    assert "middle" in message
    facts = detect("log.tsv", LOG, "--columns", "user=user,query=query,time=time")
    assert (facts["queries"], list(marks_of(facts))) == (2, [ILLNESS])


COUNTS = {
    "ga.csv": '# Search terms\n\nSearch term,Event count\nred shoes,"1,203"\n'
    "jane.doe@example.org,9\ndiabetes,3\n",
    "de.csv": "Suchbegriff;Anzahl\nred shoes;1.203\njane.doe@example.org;9\ndiabetes;3\n",
    "counts.jsonl": "".join(
        json.dumps({"query": query, "count": count}) + "\n"
        for query, count in (("red shoes", 1203), (MAIL, 9), ("diabetes", 3))
    ),
    "days.csv": "date,query,searches\n2026-01-01,red shoes,1200\n2026-01-02,red shoes,3\n"
    "2026-01-01,jane.doe@example.org,9\n2026-01-01,diabetes,3\n",
}


@pytest.mark.parametrize("name", COUNTS)
def test_that_inspect_says_what_a_table_of_counts_shows_and_that_it_protects_nobody(
    name: str, tmp_path: Path, answer: Any, printed: Any, refused: Any
) -> None:
    path = tmp_path / name
    path.write_text(COUNTS[name], encoding="utf-8")
    facts = answer("inspect", path)
    assert (facts["queries"], facts["searches"], facts["rejected"]) == (3, 1215, 0)
    assert (facts["personal"], facts["sensitive"]) == (1, 1)
    assert facts["rare"] == {"5": 1, "10": 2}
    assert facts["rare_personal"] == {"5": 0, "10": 1}
    output = printed("inspect", path)
    assert "3 queries with 1,215 searches, of no users" in output.splitlines()[0]
    assert "jane.doe" not in output
    message = refused("anonymize", path, "--method", "korolova", "--out", tmp_path / "o")
    assert "auditor inspect" in message


def test_that_an_archive_of_counts_and_counts_that_are_no_numbers_are_one_clear_error(
    tmp_path: Path, refused: Any
) -> None:
    archive, table = tmp_path / "console.zip", tmp_path / "counts.csv"
    archive.write_bytes(zipped({"Chart.csv": "Date,Clicks\n2026-01-01,3\n", **COUNTS}))
    assert "aggregated export" in refused("inspect", archive)
    rows = [f"shoes {row},{row if row < 60 else 'many'}" for row in range(90)]
    table.write_text("query,searches\n" + "\n".join(rows), encoding="utf-8")
    assert "counts.csv" in refused("inspect", table)
