"""How expectations and measured values read beside the plots."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from auditor.figures import MetricValue
from auditor.gui.protect.statement_panel import MetricsPanel


def cells(qtbot: QtBot, *values: MetricValue) -> list[tuple[str, str]]:
    panel = MetricsPanel()
    qtbot.addWidget(panel)
    panel.show_values(values, "Run A")
    model = panel.table.model()
    return [(model.index(row, 0).data(), model.index(row, 1).data()) for row in range(len(values))]


def test_that_numbers_read_plainly_and_long_units_leave_room_for_names(qtbot: QtBot) -> None:
    rows = cells(
        qtbot,
        MetricValue("expected.queries", "released queries", 8.5e-6),
        MetricValue("expected.clicks", "released click pairs", 0.0),
        MetricValue("delta", "claimed δ", 9.2e-7),
    )
    assert [number for _, number in rows] == ["under 0.001", "0", "9.2 × 10⁻⁷"]
    assert cells(
        qtbot,
        MetricValue("a", "error", 0.5, unit="of query volume"),
        MetricValue("b", "rate", 0.25, interval=(0.125, 0.5)),
        MetricValue("c", "kept", 10.0, unit="%"),
    ) == [("error (of query volume)", "0.5"), ("rate", "0.25\n0.125 to 0.5"), ("kept", "10\u00a0%")]
