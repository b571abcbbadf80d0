"""What stands where a command writes: kept unless `--overwrite` is said, and never an input."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from auditor.__main__ import main
from tests.log.rows import AOL_HEADER
from tests.release.fakes import leave_out_pictures

ROWS = "".join(
    f"{user}\tquery {number}\t2006-03-0{1 + number} 10:00:{user:02}\t1\thttp://a.example\n"
    for user in range(12)
    for number in range(4)
)
TSV = AOL_HEADER + ROWS
SWEEP = ("--method", "frequency-threshold", "--grid", "n=2,3", "--measure", "volume")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a log in it and other files that stand where commands write."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "log.tsv").write_text(TSV, "utf-8")
    (tmp_path / "reference.tsv").write_text(TSV, "utf-8")
    (tmp_path / "linked.tsv").symlink_to("log.tsv")
    (tmp_path / "hard.tsv").hardlink_to(tmp_path / "log.tsv")
    (tmp_path / "thesis.parquet").write_text("mine")
    (tmp_path / "figures").mkdir()
    (tmp_path / "figures" / "mine.svg").write_text("mine")
    (tmp_path / "out-internal.html").write_text("mine")
    return tmp_path


def contents(folder: Path) -> Mapping[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


THRESHOLD = ("--method", "frequency-threshold")
WRITTEN = {
    "sweep onto another file": ("sweep", "log.tsv", *SWEEP, "--out", "thesis.parquet"),
    "sweep onto a folder": ("sweep", "log.tsv", *SWEEP, "--out", "figures"),
    "plots among others": (
        *("sweep", "log.tsv", *SWEEP, "--out", "new.parquet", "--plots", "figures"),
    ),
    "synth over a log": ("synth", ".", "--users", "3"),
    "an internal report over a file": (
        *("anonymize", "log.tsv", *THRESHOLD, "--out", "out", "--edition", "internal"),
    ),
    "a release into the log's folder": ("anonymize", "log.tsv", *THRESHOLD, "--out", "."),
    "a demo into a folder in use": ("demo", "--out", "figures"),
    "a comparison into a folder in use": ("demo", "--all", "--out", "figures"),
}
"""What is written where something stands."""
INPUTS = {
    "sweep onto the log": ("sweep", "log.tsv", *SWEEP, "--out", "log.tsv"),
    "sweep onto a link to the log": ("sweep", "log.tsv", *SWEEP, "--out", "linked.tsv"),
    "sweep onto another name of the log": ("sweep", "log.tsv", *SWEEP, "--out", "hard.tsv"),
    "sweep of a link onto the log": ("sweep", "linked.tsv", *SWEEP, "--out", "log.tsv"),
    "plots onto the log's folder": (
        *("sweep", "log.tsv", *SWEEP, "--out", "new.parquet", "--plots", "."),
    ),
    "a release onto the log": ("anonymize", "log.tsv", *THRESHOLD, "--out", "log.tsv"),
    "a preview onto the log's folder": (
        *("anonymize", "log.tsv", *THRESHOLD, "--preview-seed", "1", "--out", "."),
    ),
    "an audit onto the reference": (
        *("audit", "log.tsv", *THRESHOLD, "--reference", "reference.tsv"),
        *("--out", "reference.tsv"),
    ),
}
"""What is written onto an input: no option allows it."""


@pytest.mark.parametrize("name", [*WRITTEN, *INPUTS])
def test_that_nothing_is_overwritten_unasked_and_no_input_ever(
    name: str, folder: Path, refused: Any
) -> None:
    before = contents(folder)
    if name in WRITTEN:
        assert "Name" in refused(*WRITTEN[name])
    else:
        refused(*INPUTS[name])
        refused(*INPUTS[name], "--overwrite")
    assert contents(folder) == before


def test_that_what_was_written_before_is_replaced_when_asked(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    leave_out_pictures(monkeypatch)
    commands = [
        ["sweep", "log.tsv", *SWEEP, "--out", "grid.parquet", "--plots", "drawn"],
        ["synth", "made", "--users", "3"],
        ["anonymize", "log.tsv", *THRESHOLD, "--preview-seed", "1", "--out", "look"],
        ["anonymize", "log.tsv", *THRESHOLD, "--out", "release", "--edition", "internal"],
    ]
    for command in commands:
        assert main(command) == 0
    before = contents(folder)
    for command in commands:
        assert main(command) == 2, command
    assert contents(folder) == before
    for command in commands:
        assert main([*command, "--overwrite"]) == 0, command
    assert contents(folder).keys() == before.keys()
