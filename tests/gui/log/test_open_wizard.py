"""The open wizard: its guesses, its states, and what it hands to the reader."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel
from pytestqt.qtbot import QtBot

from auditor.errors import LogFormatError
from auditor.gui.log import wizard_intent
from auditor.gui.log.open_wizard import OpenWizard
from auditor.log.reading.column_mapping import ReadOptions, SniffedLog
from tests.gui.risk import flagged_logs


def seen(
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
        return seen(ReadOptions(format="aol", columns=columns), "aol")
    given = options or ReadOptions(delimiter=",", header=True, encoding="utf-8")
    return seen(
        ReadOptions(
            format="delimited",
            columns=dict(given.columns) or {"user": "who", "query": 1},
            delimiter=given.delimiter or ",",
            header=given.header,
            encoding=given.encoding or "utf-8",
        )
    )


def opened(qtbot: QtBot) -> OpenWizard:
    wizard = OpenWizard([Path("log.csv")])
    qtbot.addWidget(wizard)
    wizard.show()
    settled(qtbot, wizard)
    return wizard


def settled(qtbot: QtBot, wizard: OpenWizard) -> None:
    qtbot.waitUntil(lambda: wizard.job is None and not wizard.pause.isActive())


def choose(wizard: OpenWizard, column: int, role: str) -> None:
    choice = wizard.table.header.choice(column)
    choice.setCurrentIndex(choice.findData(role))


def test_that_a_missing_role_is_named_and_choosing_it_lets_the_log_be_opened(
    qtbot: QtBot, reader: Callable[[Look], None]
) -> None:
    reader(guess)
    wizard = opened(qtbot)
    assert wizard.table.list_roles() == ["user", "query", "", ""]
    assert "“time”" in wizard.find_problem()
    assert not wizard.open_button.isEnabled()
    choose(wizard, 2, "time")
    assert not wizard.open_button.isEnabled()  # until the reader has looked at it so
    settled(qtbot, wizard)
    assert wizard.find_problem() == ""
    assert wizard.open_button.isEnabled()
    assert dict(wizard.collect_options().columns) == {"user": 0, "query": 1, "time": 2}
    choose(wizard, 3, "time")
    assert "Two columns" in wizard.find_problem()


def test_that_the_reader_gets_what_was_set(qtbot: QtBot, reader: Callable[[Look], None]) -> None:
    asked: list[ReadOptions | None] = []

    def look(paths: list[Path], options: ReadOptions | None) -> SniffedLog:
        asked.append(options)
        return guess(paths, options)

    reader(look)
    wizard = opened(qtbot)
    assert asked == [None]
    wizard.delimiter.setCurrentIndex(wizard.delimiter.findData(";"))
    settled(qtbot, wizard)
    wizard.header.setChecked(False)
    settled(qtbot, wizard)
    wizard.encoding.setEditText("latin-1")
    settled(qtbot, wizard)
    last = asked[-1]
    assert last is not None
    assert (last.delimiter, last.header, last.encoding) == (";", False, "latin-1")
    wizard.limit.setValue(2.5)
    wizard.times.setEditText("%d.%m.%Y")
    settled(qtbot, wizard)
    choose(wizard, 2, "time")
    assert wizard.collect_options().max_rejected_share == 0.025
    assert wizard._read_choice(wizard.times) == ""  # the reader said what it took the times for


def test_that_roles_stay_when_the_columns_do(qtbot: QtBot, reader: Callable[[Look], None]) -> None:
    reader(guess)
    wizard = opened(qtbot)
    choose(wizard, 2, "time")
    wizard.encoding.setEditText("cp1252")
    settled(qtbot, wizard)
    assert wizard.table.list_roles() == ["user", "query", "time", ""]


def test_that_a_known_format_can_be_opened_as_it_is(
    qtbot: QtBot, reader: Callable[[Look], None]
) -> None:
    reader(guess)
    wizard = opened(qtbot)
    wizard.format.setCurrentIndex(wizard.format.findData("aol"))
    settled(qtbot, wizard)
    assert wizard.find_problem() == ""
    assert not wizard.delimiter.isEnabled()
    assert not wizard.table.header.choice(0).isEnabled()
    with qtbot.waitSignal(wizard.accepted):
        QTest.keyClick(wizard, Qt.Key.Key_Return)
    assert wizard.collect_options().format == "aol"
    assert wizard.paths() == [Path("log.csv")]


def test_that_an_unreadable_file_is_said_in_words_and_can_be_tried_otherwise(
    qtbot: QtBot, reader: Callable[[Look], None]
) -> None:
    def look(paths: list[Path], options: ReadOptions | None) -> SniffedLog:
        if options is None:
            raise LogFormatError("This is no table.", path="log.csv")
        return guess(paths, options)

    reader(look)
    wizard = opened(qtbot)
    assert wizard.find_problem() == "log.csv: This is no table."
    assert not wizard.open_button.isEnabled()
    wizard.format.setCurrentIndex(wizard.format.findData("delimited"))
    settled(qtbot, wizard)
    assert "“time”" in wizard.find_problem()


def test_that_what_the_reader_finds_wrong_is_said_and_keeps_the_log_from_being_opened(
    qtbot: QtBot, reader: Callable[[Look], None]
) -> None:
    def look(paths: list[Path], options: ReadOptions | None) -> SniffedLog:
        options = ReadOptions(columns={"user": 0, "query": 1, "time": 2})
        return seen(options, problems=("No time could be read in column 3.",))

    reader(look)
    wizard = opened(qtbot)
    assert "column 3" in wizard.find_problem()
    assert not wizard.open_button.isEnabled()


def test_that_an_encoding_that_there_is_not_is_said_at_once(
    qtbot: QtBot, reader: Callable[[Look], None]
) -> None:
    reader(guess)
    wizard = opened(qtbot)
    wizard.encoding.setEditText("utf-9")
    settled(qtbot, wizard)
    assert "must be the name of a text encoding" in wizard.find_problem()
    wizard.encoding.setEditText("utf-8")
    settled(qtbot, wizard)
    assert "“time”" in wizard.find_problem()


def test_that_a_newer_look_makes_the_older_one_stale(
    qtbot: QtBot, reader: Callable[[Look], None]
) -> None:
    gate = threading.Event()

    def look(paths: list[Path], options: ReadOptions | None) -> SniffedLog:
        if options is not None and options.delimiter == ";":
            gate.wait(10)
        return guess(paths, options)

    reader(look)
    wizard = opened(qtbot)
    wizard.delimiter.setCurrentIndex(wizard.delimiter.findData(";"))
    assert not wizard.open_button.isEnabled()
    wizard.delimiter.setCurrentIndex(wizard.delimiter.findData("|"))
    settled(qtbot, wizard)
    gate.set()
    qtbot.wait(100)
    assert wizard.collect_options().delimiter == "|"


def test_that_closing_while_looking_is_quiet(qtbot: QtBot, reader: Callable[[Look], None]) -> None:
    gate = threading.Event()

    def look(paths: list[Path], options: ReadOptions | None) -> SniffedLog:
        gate.wait(10)
        return guess(paths, options)

    reader(look)
    wizard = OpenWizard([Path("log.csv")])
    qtbot.addWidget(wizard)
    wizard.show()
    assert wizard.find_problem() == "Looking at the files…"
    QTest.keyClick(wizard, Qt.Key.Key_Escape)
    gate.set()
    assert not wizard.isVisible()


def test_that_hostile_cells_and_names_are_plain_and_everything_has_a_name(
    qtbot: QtBot, reader: Callable[[Look], None]
) -> None:
    reader(guess)
    wizard = opened(qtbot)
    cell = wizard.table.item(0, 1)
    assert cell is not None
    assert cell.text() == flagged_logs.HTML
    assert cell.toolTip() == ""
    title = wizard.table.horizontalHeaderItem(1)
    assert title is not None
    assert title.text() == "<b>what</b>"
    assert "<" not in wizard.windowTitle()
    captions = {
        "F&ormat",
        "&Separator",
        "&Encoding",
        "&Times",
        "&Allow at most",
        "&Query parameter",
    }
    for label in wizard.findChildren(QLabel):
        assert label.textFormat() == Qt.TextFormat.PlainText or label.text() in captions
    for choice in wizard.findChildren(QComboBox):
        assert choice.accessibleName()
    wizard.grab()


def test_that_the_estimate_says_rows_and_memory_and_warns_beyond_the_computer() -> None:
    text = wizard_intent.describe_estimate(10, "gzip", 2**31, 36_389_567, 3 * 2**30)
    facts = ("10 files", "2.0 GiB", "gzip", "36,000,000 rows", "3.0 GiB")
    assert sorted(facts, key=text.index) == list(facts)
    assert "none" not in wizard_intent.describe_estimate(1, "none", 10, 1, 1)
    assert wizard_intent.too_large(2**60)
    assert wizard_intent.too_large(1) == ""


def test_that_roles_and_columns_are_each_other_s_inverse() -> None:
    names = ["a", "b", "c", "d"]
    roles = ["time", "", "user", "query"]
    for form in ("delimited", "parquet"):
        columns = wizard_intent.columns_of(roles, names, form)
        assert wizard_intent.roles_of(columns, names) == roles
    assert wizard_intent.columns_of(roles, names, "jsonl") == {
        "time": "a",
        "user": "c",
        "query": "d",
    }
    assert wizard_intent.roles_of({"user": "nowhere", "query": 9}, names) == ["", "", "", ""]


def test_that_columns_are_suggested_for_roles_that_are_not_needed() -> None:
    names = ("uid", "q", "when", "clicked_link", "result_position", "colour")
    said = wizard_intent.suggest_more(("user", "query", "time", "", "", ""), names)
    assert "“clicked_link”" in said
    assert "“result_position”" in said
    assert "colour" not in said
    assert not wizard_intent.suggest_more(("user", "query", "time", "url", "rank", ""), names)


def test_that_too_few_columns_are_said_to_be_too_few() -> None:
    assert "there are fewer here" in wizard_intent.describe_problem(["query"], ["column 1"])
    assert "role “user” and “time”" in wizard_intent.describe_problem(["query", "", ""])
