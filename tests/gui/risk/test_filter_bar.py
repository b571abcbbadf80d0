"""The line above the triage list: its counter is never cut."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from auditor.gui.risk.filter_bar import FilterBar


@pytest.mark.parametrize("wide", [760, 1200])
def test_that_the_counter_is_seen_whole(qtbot: QtBot, wide: int) -> None:
    holder = QWidget()
    qtbot.addWidget(holder)
    bar = FilterBar(holder)
    QVBoxLayout(holder).addWidget(bar)
    holder.resize(wide, 80)
    holder.show()
    bar.count_label.setText("4,021 of 29,866 sessions")
    qtbot.waitExposed(holder)
    need = bar.count_label.fontMetrics().horizontalAdvance(bar.count_label.text())
    qtbot.waitUntil(lambda: bar.count_label.width() >= need)
    assert bar.count_label.geometry().right() <= bar.width()
