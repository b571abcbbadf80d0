"""How expectations and measured values read beside the plots."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from auditor.figures import MetricValue
from auditor.gui.protect.metrics_panel import MetricsPanel


def test_that_next_to_nothing_is_said_so_and_powers_of_ten_are_for_delta(qtbot: QtBot) -> None:
    panel = MetricsPanel()
    qtbot.addWidget(panel)
    values = (
        MetricValue("expected.queries", "released queries", 8.5e-6),
        MetricValue("expected.clicks", "released click pairs", 0.0),
        MetricValue("delta", "claimed δ", 9.2e-7),
    )
    panel.show_values(values, "of run A")
    shown = [panel.table.item(row, 1) for row in range(3)]
    assert [item.text() for item in shown if item] == ["under 0.001", "0", "9.2 × 10⁻⁷"]
