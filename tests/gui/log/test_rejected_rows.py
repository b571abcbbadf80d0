"""The rejected rows: counted by reason, listed with their place, shown as they are."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from auditor.gui.log.page import RejectedRowsView
from auditor.log.model import LogOrigin, RejectedRow
from tests.gui.driving import column_cells, keep, row_cells
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


def test_that_reasons_are_counted_and_choosing_one_lists_its_rows_as_plain_text() -> None:
    view = keep(RejectedRowsView(ORIGIN))
    counts = [("All reasons", 32), ("wrong number of columns", 30), ("bad time", 2)]
    assert view.counts.lines == counts
    assert "32 of 1,000 rows (3.2 %)" in view.summary.text()
    assert "The first 3 are listed" in view.summary.text()
    view.show()
    view.grab()
    first, second, third = column_cells(view.kept, 4)
    assert first == flagged_logs.HTML
    assert "␀" in second
    assert len(third) == 201
    assert all(label.textFormat() == Qt.TextFormat.PlainText for label in view.findChildren(QLabel))
    QTest.keyClick(view.reasons, Qt.Key.Key_Down)
    assert column_cells(view.kept, 1) == ["9"]
    QTest.keyClick(view.reasons, Qt.Key.Key_Down)
    rows = [row_cells(view.kept, row)[:4] for row in range(view.kept.rowCount())]
    assert rows == [["a.tsv", "7", "3", "bad time"], ["a.tsv", "11", "3", "bad time"]]


def test_that_a_log_without_rejects_says_so_in_words() -> None:
    view = keep(RejectedRowsView(LogOrigin(rows_read=5)))
    assert "5 rows" in view.summary.text()
