"""The verb `detect`: marks of a text file and of a log, with rule and term, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from auditor.__main__ import main

QUERIES = [
    "weather",
    "diabetes treatment",
    "jane.doe@example.org",
    "weather",
    "",
    "chapter 13 lawyer",
]


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "queries.txt"
    path.write_text("\n".join(QUERIES) + "\n", encoding="utf-8")
    return path


def call(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, Any]:
    code = main(["detect", *(str(argument) for argument in arguments), "--json"])
    captured = capsys.readouterr()
    return code, json.loads(captured.out) if captured.out else captured.err


def kinds_of(facts: Any, query: str) -> set[str]:
    return {
        mark["kind"] for one in facts["marks"] if one["query"] == query for mark in one["marks"]
    }


def test_that_each_distinct_line_of_a_text_file_is_marked(
    text: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, facts = call(capsys, text)
    assert code == 0
    assert facts["queries"] == 4
    assert facts["marked"] == len(facts["marks"])
    assert "health" in kinds_of(facts, "diabetes treatment")
    assert "email" in kinds_of(facts, "jane.doe@example.org")
    assert not kinds_of(facts, "weather")
    assert facts["kinds"]["health"] >= 1


def test_that_a_mark_says_its_rule_and_place(
    text: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, facts = call(capsys, text)
    (marks,) = [one["marks"] for one in facts["marks"] if one["query"] == "diabetes treatment"]
    (mark,) = [mark for mark in marks if mark.get("term") == "diabetes"]
    assert mark["kind"] == "health"
    assert mark["rule"].startswith("health:")
    assert (mark["start"], mark["stop"]) == (0, 8)


def test_that_only_some_kinds_are_looked_for(
    text: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, facts = call(capsys, text, "--kinds", "email")
    assert code == 0
    assert set(facts["kinds"]) == {"email"}


def test_that_a_log_is_read_as_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "log.tsv"
    log.write_text(
        "user\tquery\ttime\na\tdiabetes treatment\t2006-03-01 10:00:00\n"
        "b\tweather\t2006-03-01 10:00:01\n",
        encoding="utf-8",
    )
    code, facts = call(capsys, log, "--columns", "user=user,query=query,time=time")
    assert code == 0
    assert facts["queries"] == 2
    assert [one["query"] for one in facts["marks"]] == ["diabetes treatment"]


@pytest.mark.parametrize("arguments", [("--kinds", "nonsense"), ("--least", "2")])
def test_that_an_option_out_of_range_is_a_usage_error(
    text: Path, arguments: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    code, message = call(capsys, text, *arguments)
    assert code == 2
    assert "Traceback" not in str(message)


def test_that_a_missing_file_is_one_clear_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, message = call(capsys, tmp_path / "nothing.txt")
    assert code == 2
    assert "nothing.txt" in str(message)
