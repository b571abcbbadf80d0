"""The tables of a run: cells in their units, the full value one tool tip away."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from auditor.figures import PERCENT, SHARE, Table
from auditor.gui.compare.tables_panel import TablesPanel
from tests.narrowing import present

ROWS = [("closest", 0.1309523809, 13.09523809, 12_345), ("among five", 0.5, 50.0, 7)]
TABLE = Table(
    "rates",
    "Rates",
    ("Rank", "Share of users", "% of users", "Users"),
    ROWS,
    own_words=True,
    units=("", SHARE, PERCENT),
)


def cells(panel: TablesPanel, role: Qt.ItemDataRole = Qt.ItemDataRole.DisplayRole) -> list[str]:
    return [panel.sorter.index(0, column).data(role) for column in range(4)]


def test_that_cells_are_in_their_units_and_what_is_copied_and_sorted_are_the_numbers(
    qtbot: QtBot,
) -> None:
    panel = TablesPanel()
    qtbot.addWidget(panel)
    panel.show_tables([("Record linkage", [TABLE])])
    assert cells(panel) == ["closest", "13.1 %", "13.1 %", "12,345"]
    tips = cells(panel, Qt.ItemDataRole.ToolTipRole)
    for tip, digits in zip(tips[1:], ("0.1309523809", "13.09523809", "12,345"), strict=True):
        assert digits in tip
    panel.sorter.sort(1, Qt.SortOrder.DescendingOrder)
    assert cells(panel)[1] == "50 %"
    panel.copy.click()
    text = QGuiApplication.clipboard().text()
    assert "0.1309523809" in text
    assert "%" not in text.splitlines()[1]
    handout = present(panel.make_exportable())
    units = [handout.find_unit(row, column) for row, column in ((0, 1), (1, 1), (1, 3))]
    assert units == ["", SHARE, ""]
