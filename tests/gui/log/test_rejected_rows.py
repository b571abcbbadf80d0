"""The rejected rows: counted by reason, listed with their place, shown as they are."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from auditor.gui.log.page import RejectedRowsView
from auditor.log.model import LogOrigin, RejectedRow
from tests.gui.driving import keep
from tests.gui.risk import flagged_logs

ORIGIN = LogOrigin(
    files=(Path("a.tsv"),),
    format="aol",
    rows_read=1000,
    rejected={"bad time": 2, "wrong number of columns": 30},
    rejects=(
        RejectedRow("a.tsv", 7, 3, "bad time", flagged_logs.HTML),
        RejectedRow("a.tsv", 9, None, "wrong number of columns", flagged_logs.CONTROLS),
        RejectedRow("a.tsv", 11, 3, "bad time", flagged_logs.LONG),
    ),
)


def texts(view: RejectedRowsView) -> list[list[str]]:
    model = view.kept
    return [
        [model.index(row, column).data() for column in range(5)] for row in range(model.rowCount())
    ]


def test_that_reasons_are_counted_and_choosing_one_lists_its_rows_as_plain_text() -> None:
    view = keep(RejectedRowsView(ORIGIN))
    assert view.counts.lines == [
        ("All reasons", 32),
        ("wrong number of columns", 30),
        ("bad time", 2),
    ]
    assert "32 of 1,000 rows (3.2 %)" in view.summary.text()
    assert "The first 3 are listed" in view.summary.text()
    view.show()
    view.grab()
    begins = [row[4] for row in texts(view)]
    assert begins[0] == flagged_logs.HTML
    assert "␀" in begins[1]
    assert len(begins[2]) == 201
    assert all(label.textFormat() == Qt.TextFormat.PlainText for label in view.findChildren(QLabel))
    QTest.keyClick(view.reasons, Qt.Key.Key_Down)
    assert [row[1] for row in texts(view)] == ["9"]
    QTest.keyClick(view.reasons, Qt.Key.Key_Down)
    assert [row[:4] for row in texts(view)] == [
        ["a.tsv", "7", "3", "bad time"],
        ["a.tsv", "11", "3", "bad time"],
    ]


def test_that_a_log_without_rejects_says_so_in_words() -> None:
    view = keep(RejectedRowsView(LogOrigin(rows_read=5)))
    assert "5 rows" in view.summary.text()
