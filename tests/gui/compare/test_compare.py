"""Runs side by side in the window: whom each exposes, plots that move together, figures."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from auditor.attacks.base import AttackResult
from auditor.attacks.registry import ATTACKS
from auditor.engine.run import Run
from auditor.figures import PERCENT, SHARE, Axis, Figure, MetricValue, Series, Table
from auditor.gui.compare import page
from auditor.gui.compare.exposed_panel import FIRST, USER, WHERE, ExposedPanel
from auditor.gui.compare.page import ComparePanel, RunsPanel
from auditor.gui.compare.tables_panel import TablesPanel
from auditor.gui.plots.figure_view import ALL, ParetoPanel
from auditor.gui.plots.scales import add_headroom
from auditor.gui.state import run_queue
from auditor.gui.widgets.fields import Disclosure
from auditor.release.kept_content import KeptContent
from tests.gui import fakes
from tests.gui.compare.test_runs_panel import record
from tests.gui.driving import keep, pick, wait_until
from tests.gui.risk import flagged_logs
from tests.narrowing import present

LOG = flagged_logs.log_of(flagged_logs.SESSIONS)


def figure(low: float, high: float) -> Figure:
    x = np.array([0.0, 1.0, 2.0])
    line = Series("line", x, np.array([low, (low + high) / 2, high]))
    return Figure("over", "A figure", Axis("x"), Axis("y"), (line,))


def attacked(
    words: Sequence[tuple[str, int]], rate: float, figures: tuple[Figure, ...] = ()
) -> AttackResult:
    return AttackResult(
        attack="fake-attack",
        params={},
        rate=rate,
        baseline=0.0,
        interval=(rate - 0.1, rate + 0.1),
        findings=flagged_logs.findings_of(LOG, words),
        figures=figures,
        values=(MetricValue("users", "users", 10 * rate, better="lower"),),
    )


@pytest.fixture
def records(fake_parts: None) -> list[Run]:
    runs = [record(0, 1.0, 10.0), record(1, 2.0, 30.0, K=5.0)]
    release = flagged_logs.release_of(["jane roe", "cars"], [17, 4])
    for run, words, rate in zip(
        runs, ([("jane roe", 0)], [("springfield", 1)]), (0.2, 0.6), strict=True
    ):
        attacks = (attacked(words, rate, (figure(0.0, 1.0 + run.number),)),)
        fakes.outcome(run, values=run.values, attacks=attacks, release=release)
    return runs


@pytest.fixture
def view(records: list[Run]) -> ExposedPanel:
    view = keep(ExposedPanel(Disclosure(unmasked=True)))
    view.resize(900, 300)
    view.set_log(LOG)
    view.show_runs(records)
    settle(view)
    return view


def settle(view: ExposedPanel) -> None:
    wait_until(lambda: not view.job.running)


def test_that_users_exposed_by_one_run_alone_are_listed_with_why(view: ExposedPanel) -> None:
    model = view.model
    lines = {
        model.index(row, USER).data(): [model.index(row, c).data() for c in (WHERE, 3, 4)]
        for row in range(model.rowCount())
    }
    assert lines["812"] == ["both", "person name", "place"]
    assert lines["9"] == ["B only", "", "place"]
    assert "By B alone: 1 user, 1 session." in view.said.text()
    assert view.where.itemText(view.where.findData(FIRST)) == "A only: 0"


def test_that_a_user_opens_her_sessions_and_a_session_both_releases(view: ExposedPanel) -> None:
    rows = [view.model.index(row, USER).data() for row in range(view.model.rowCount())]
    view.table.activated.emit(view.model.index(rows.index("812"), 0))
    settle(view)
    assert view.model.level == "sessions"
    assert view.model.rowCount() == 1
    view.table.activated.emit(view.model.index(0, 0))
    wait_until(lambda: not view.sides.job.running)
    model = view.sides.model
    heads = [model.headerData(c, Qt.Orientation.Horizontal) for c in range(model.columnCount())]
    assert heads[3:] == ["In A", "In B"]
    fates = [model.index(1, column).data() for column in (3, 4)]
    assert fates == ["✓ word for word · 17×"] * 2
    assert model.index(2, 2).data() == "person name; place"  # marks of either run
    assert model.index(2, 3).data() == "no"
    view.sides.closed.emit()
    assert view.pages.currentIndex() == 0
    view.everybody.click()
    settle(view)
    assert view.model.rowCount() == len(rows)


def test_that_a_least_risk_takes_out_those_below_it(view: ExposedPanel) -> None:
    for least, rows in ((0.5, 0), (0.3, 3)):
        view.least.setValue(least)
        settle(view)
        assert view.model.rowCount() == rows


def test_that_a_run_whose_attack_flags_nobody_is_said(
    view: ExposedPanel, records: list[Run]
) -> None:
    fakes.outcome(records[1], values=records[1].values)
    view.show_runs(records)
    assert "flags nobody in run B" in view.said.text()
    assert view.model.rowCount() == 0


def test_that_a_difference_within_both_intervals_says_so() -> None:
    first, second = (
        MetricValue("v", "v", v, better="lower", interval=(0.1, 0.4)) for v in (0.2, 0.3)
    )
    assert page.format_difference(second, first) == "[+0.1 worse, within their intervals]"
    assert page.format_difference(first, first) == ""


@pytest.fixture
def panel(records: list[Run]) -> ComparePanel:
    panel = keep(ComparePanel(Disclosure()))
    panel.exposed.set_log(LOG)
    panel.resize(900, 400)
    panel.show()
    panel.show_runs(records)
    panel.tabs.setCurrentIndex(1)
    return panel


def test_that_plots_share_range_and_place(panel: ComparePanel) -> None:
    first, second = (tile.view for tile in panel.plots.tiles)
    assert first.plot.view.viewRange()[1] == second.plot.view.viewRange()[1]
    assert second.plot.view.viewRange()[1] == list(add_headroom((0.0, 2.0)))  # the larger of both
    first.plot.pointed.emit(1.0)
    assert "0.5" in first.readout.text()
    assert "1" in second.readout.text()
    assert second.plot.crosshair.value() == 1.0
    first.plot.pointed.emit(None)
    assert not second.plot.crosshair.isVisible()
    first.plot.view.setXRange(0.5, 1.0, padding=0)
    assert second.plot.view.viewRange()[0] == pytest.approx([0.5, 1.0])
    panel.plots.linked.setChecked(False)
    first.plot.view.setXRange(0.1, 0.2, padding=0)
    assert second.plot.view.viewRange()[0] != pytest.approx([0.1, 0.2])


def test_that_plots_with_other_axes_are_not_linked(panel: ComparePanel, records: list[Run]) -> None:
    log = dataclasses.replace(figure(1.0, 10.0), y=Axis("y", scale="log"))
    attacks = (attacked([("springfield", 1)], 0.6, (log,)),)
    fakes.outcome(records[1], values=records[1].values, attacks=attacks)
    panel.show_runs(records)
    assert not panel.plots.linked.isEnabled()
    assert "Axes differ" in panel.plots.said.text()


def test_that_runs_without_a_figure_are_named_and_not_dropped(records: list[Run]) -> None:
    panel = keep(ParetoPanel())
    fakes.outcome(records[1], values=records[1].values)
    panel.show_runs(records, None)
    pick(panel.across, ALL)
    pick(panel.across, "a/fake-attack/users")
    assert len(panel.plot.drawn[0].points()) == 1
    assert "B (x)" in panel.missing.text()
    assert not panel.missing.isHidden()


def test_that_utility_is_what_the_record_of_a_run_says_is_kept(records: list[Run]) -> None:
    """Of hashed rows all are kept, though no query of theirs stands as it was."""
    for run, count in zip(records, (100, 25), strict=True):
        content = KeptContent(searches=count, log_searches=100, basis="events")
        run.gates = {"kept": content.to_dict()}
        assert run_queue.by_key(run)[run_queue.UTILITY].value.value == content.share == count / 100
    assert run_queue.list_choices(records, "utility")[0].key == run_queue.UTILITY


def test_that_the_attack_that_flags_sessions_in_both_runs_is_offered_first(
    view: ExposedPanel, records: list[Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    registry = dict.fromkeys(("alone", "fake-attack"), ATTACKS["fake-attack"])
    monkeypatch.setattr("auditor.gui.compare.exposed_panel.ATTACKS", registry)
    first = records[0]
    alone = dataclasses.replace(first.attacks[0], attack="alone")
    release = flagged_logs.release_of(["cars"], [4])
    fakes.outcome(first, values=first.values, attacks=(alone, *first.attacks), release=release)
    view.show_runs(records)
    settle(view)
    assert [view.attack.itemData(index) for index in range(2)] == ["fake-attack", "alone"]
    assert view.attack.currentIndex() == 0


def test_that_with_large_text_everything_of_a_comparison_fits_a_small_window(
    large_text: None, records: list[Run]
) -> None:
    panel, runs = ComparePanel(Disclosure()), RunsPanel()
    three = [*records, record(2, 3.0, 20.0, K=9.0)]
    three[0].name = "a name that is much too long to stand in one line of its column " * 2
    for widget in (panel, runs):
        keep(widget)
        widget.resize(1190, 700)  # what the rail leaves of a window of 1366
        widget.show()
    panel.show_runs(three)
    runs.show_runs(three, None)
    for part in (panel, runs, panel.exposed, panel.tables, panel.explore):
        assert part.minimumSizeHint().width() <= 1190
    wait_until(lambda: runs.table.rowHeight(2) > runs.table.rowHeight(0))
    panel.table.horizontalHeader().resizeSection(0, 150)
    wait_until(lambda: panel.table.rowHeight(4) > panel.table.rowHeight(0))


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


def test_that_cells_are_in_their_units_and_what_is_copied_and_sorted_are_the_numbers() -> None:
    panel = keep(TablesPanel())
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
