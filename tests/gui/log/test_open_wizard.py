"""The open wizard: its guesses, its states, and what it hands to the reader."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QLabel

from auditor.errors import LogFormatError
from auditor.gui.log import open_wizard
from auditor.gui.log.open_wizard import OpenWizard
from auditor.log.reading.column_mapping import ReadOptions, SniffedLog
from tests.gui.driving import pick, show, wait_until
from tests.gui.risk import flagged_logs
from tests.narrowing import present


def sniffed(
    options: ReadOptions, format: str = "delimited", problems: tuple[str, ...] = ()
) -> SniffedLog:
    """What the reader might have guessed of a small table."""
    return SniffedLog(
        format=format,
        options=options,
        files=(Path("log.csv"),),
        compression="",
        column_names=("who", "<b>what</b>", "when", "where"),
        preview=(("7", flagged_logs.HTML, "12:00", ""), ("8", "cars")),
        bytes_on_disk=5_000_000,
        estimated_rows=123_456,
        estimated_memory=40_000_000,
        estimated_peak=80_000_000,
        notes=("The time has no zone; UTC is taken.",),
        problems=problems,
    )


Look = Callable[[list[Path], ReadOptions | None], SniffedLog]


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> Callable[[Look], None]:
    """Let a function stand in for the reader's look at files, which has tests of its own."""

    def put(look: Look) -> None:
        fake: Any = ModuleType("auditor.log.reading.reader")
        fake.sniff_log = look
        monkeypatch.setitem(sys.modules, "auditor.log.reading.reader", fake)

    return put


def guess(_paths: list[Path], options: ReadOptions | None) -> SniffedLog:
    if options is not None and options.format == "aol":
        columns: dict[str, str | int] = {"user": 0, "query": 1, "time": 2}
        return sniffed(ReadOptions(format="aol", columns=columns), "aol")
    chosen = options or ReadOptions(delimiter=",", header=True, encoding="utf-8")
    return sniffed(
        ReadOptions(
            format="delimited",
            columns=dict(chosen.columns) or {"user": "who", "query": 1},
            delimiter=chosen.delimiter or ",",
            header=chosen.header,
            encoding=chosen.encoding or "utf-8",
        )
    )


def opened(reader: Callable[[Look], None], look: Look = guess) -> OpenWizard:
    reader(look)
    wizard = show(OpenWizard([Path("log.csv")]))
    settled(wizard)
    return wizard


def settled(wizard: OpenWizard) -> None:
    wait_until(lambda: not wizard.job.running and not wizard.pause.isActive())


def choose(wizard: OpenWizard, column: int, role: str) -> None:
    choice = wizard.table.header.choice(column)
    pick(choice, role)


def test_that_a_missing_role_is_named_and_choosing_it_lets_the_log_be_opened(
    reader: Callable[[Look], None],
) -> None:
    wizard = opened(reader)
    assert wizard.table.header.list_roles() == ["user", "query", "", ""]
    assert "“time”" in wizard.find_problem()
    assert not wizard.open_button.isEnabled()
    choose(wizard, 2, "time")
    assert not wizard.open_button.isEnabled()  # until the reader has looked at it so
    settled(wizard)
    assert wizard.find_problem() == ""
    assert wizard.open_button.isEnabled()
    assert dict(wizard.collect_options().columns) == {"user": 0, "query": 1, "time": 2}
    choose(wizard, 3, "time")
    assert "Two columns" in wizard.find_problem()


def test_that_the_reader_gets_what_was_set(reader: Callable[[Look], None]) -> None:
    requests: list[ReadOptions | None] = []

    def look(paths: list[Path], options: ReadOptions | None) -> SniffedLog:
        requests.append(options)
        return guess(paths, options)

    wizard = opened(reader, look)
    assert requests == [None]
    pick(wizard.delimiter, ";")
    settled(wizard)
    wizard.header.setChecked(False)
    settled(wizard)
    wizard.encoding.setEditText("latin-1")
    settled(wizard)
    last = requests[-1]
    assert last is not None
    assert (last.delimiter, last.header, last.encoding) == (";", False, "latin-1")
    wizard.limit.setValue(2.5)
    wizard.times.setEditText("%d.%m.%Y")
    settled(wizard)
    choose(wizard, 2, "time")
    assert wizard.collect_options().max_rejected_share == 0.025
    assert wizard._read_choice(wizard.times) == ""  # the reader said what it took the times for


@pytest.mark.parametrize(
    "seen",
    [
        sniffed(
            ReadOptions(columns={"user": 0, "query": 1, "time": 2}),
            problems=("No time could be read in column 3.",),
        ),
        dataclasses.replace(
            sniffed(ReadOptions(), "jsonl", ("No line is a JSON object.",)), column_names=()
        ),
    ],
    ids=["a column", "no column"],
)
def test_that_what_the_reader_finds_wrong_is_said_and_keeps_the_log_from_being_opened(
    reader: Callable[[Look], None], seen: SniffedLog
) -> None:
    wizard = opened(reader, lambda _paths, _options: seen)
    assert wizard.find_problem() == seen.problems[0]
    assert not wizard.open_button.isEnabled()


def test_that_answers_stay_when_the_files_could_not_be_read_for_a_while(
    reader: Callable[[Look], None],
) -> None:
    def look(_paths: list[Path], options: ReadOptions | None) -> SniffedLog:
        if options is not None and options.encoding == "ascii":
            raise LogFormatError("not ascii")
        return sniffed(options or ReadOptions(columns={"user": "0", "query": "1"}))

    wizard = opened(reader, look)
    settled(wizard)
    wizard.spellings.setCurrentIndex(1)
    wizard.limit.setValue(0.5)
    answers = wizard.collect_options()
    for encoding in ("ascii", "utf-8"):
        wizard.encoding.setEditText(encoding)
        settled(wizard)
        assert ("not ascii" in wizard.find_problem()) == (encoding == "ascii")
    wizard.encoding.setEditText("utf-9")  # which there isn't
    settled(wizard)
    assert "must be the name of a text encoding" in wizard.find_problem()
    again = wizard.collect_options()
    assert (again.spellings, again.max_rejected_share) == (answers.spellings, 0.005)


def test_that_hostile_cells_and_names_are_plain_and_everything_has_a_name(
    reader: Callable[[Look], None],
) -> None:
    wizard = opened(reader)
    cell = present(wizard.table.item(0, 1))
    assert (cell.text(), cell.toolTip()) == (flagged_logs.HTML, "")
    assert present(wizard.table.horizontalHeaderItem(1)).text() == "<b>what</b>"
    assert "<" not in wizard.windowTitle()
    for label in wizard.findChildren(QLabel):
        caption = label.buddy() is not None and "<" not in label.text()
        assert caption or label.textFormat() == Qt.TextFormat.PlainText
    for choice in wizard.findChildren(QComboBox):
        assert choice.accessibleName()
    wizard.grab()


def test_that_the_estimate_says_rows_and_memory_and_warns_beyond_the_computer() -> None:
    text = open_wizard.describe_estimate(10, "gzip", 2**31, 36_389_567, 3 * 2**30)
    facts = ("10 files", "2.0 GiB", "gzip", "36,000,000 rows", "3.0 GiB")
    assert sorted(facts, key=text.index) == list(facts)
    assert "none" not in open_wizard.describe_estimate(1, "none", 10, 1, 1)
    assert open_wizard.too_large(2**60)
    assert open_wizard.too_large(1) == ""


def test_that_roles_and_columns_are_each_other_s_inverse() -> None:
    names = ["a", "b", "c", "d"]
    roles = ["time", "", "user", "query"]
    for form in ("delimited", "parquet"):
        columns = open_wizard.columns_of(roles, names, form)
        assert open_wizard.roles_of(columns, names) == roles
    assert open_wizard.columns_of(roles, names, "jsonl") == {"time": "a", "user": "c", "query": "d"}
    assert open_wizard.roles_of({"user": "nowhere", "query": 9}, names) == ["", "", "", ""]
