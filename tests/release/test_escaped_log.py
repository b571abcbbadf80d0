"""A released log in text shows no character that is invisible, and is read back as it was."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from auditor.errors import LogFormatError
from auditor.log.model import QueryLog
from auditor.progress import silent_progress
from auditor.release.export import write_release
from auditor.release.loading import read_release
from auditor.release.manifest import read_manifest
from tests.narrowing import present
from tests.release.fakes import quick_report, raw_log, run_result

UNSEEN = [
    "red \x1b[31m shoes",
    "a \u202e b",
    "tab\there",
    "line\nend",
    "n\x85l",
    "p\u2028s",
    "\ufeffx",
]
PLAIN = ["plain", "back\\slash", 'a " quote', "ümlaut €"]


def write_log_of(
    queries: list[str], folder: Path, monkeypatch: pytest.MonkeyPatch, **how: str
) -> Path:
    quick_report(monkeypatch)
    released = QueryLog.from_columns(
        user=[f"u{number % 3}" for number in range(len(queries))],
        query=queries,
        time=list(range(len(queries))),
    )
    source = raw_log(folder / "in")
    result = run_result(source, content=released)
    out = folder / "out"
    return write_release(result, source, out, progress=silent_progress(), **how)  # type: ignore[arg-type]


def read_queries(folder: Path) -> list[str]:
    content = present(read_release(folder).log)
    return sorted(content.queries.list_strings())


def test_that_invisible_characters_stand_as_escapes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write_log_of(UNSEEN + PLAIN, tmp_path, monkeypatch)
    text = (folder / "log.tsv").read_bytes().decode()
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\ufeff]", text)
    assert len(text.splitlines()) == 1 + len(UNSEEN + PLAIN)
    assert r"\x1b" in read_manifest(folder)["content"]["encoding"].replace("HH", "1b")
    assert read_queries(folder) == sorted(UNSEEN + PLAIN)


@pytest.mark.parametrize(("queries", "kind"), [(PLAIN, "tsv"), (UNSEEN + PLAIN, "parquet")])
def test_that_a_log_that_needs_no_escapes_stands_verbatim(
    queries: list[str], kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write_log_of(queries, tmp_path, monkeypatch, log_format=kind)
    assert "encoding" not in read_manifest(folder)["content"]
    assert read_queries(folder) == sorted(queries)


@pytest.mark.parametrize("escape", [r"\q", r"\x41", "\\"])
def test_that_an_escape_that_is_written_otherwise_is_refused(
    escape: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write_log_of(UNSEEN, tmp_path, monkeypatch)
    file = folder / "log.tsv"
    file.write_bytes(file.read_bytes().replace(rb"\x1b", escape.encode()))
    with pytest.raises(LogFormatError, match="escape"):
        read_release(folder)
