"""Runs: listed, plotted against each other, compared."""

from __future__ import annotations

import csv
import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from auditor.engine.plan import Plan
from auditor.engine.run import Run
from auditor.figures import MetricValue
from auditor.gui.compare import page
from auditor.gui.compare.page import RunsPanel
from auditor.gui.plots.figure_view import ALL, ParetoPanel
from auditor.gui.state.run_queue import KEEP, RunBook, pareto_positions, run_letters
from auditor.gui.widgets.fields import Disclosure
from auditor.privacy.release import Release
from tests.gui import fakes
from tests.gui.driving import enter, keep, row_cells, show, wait_signal
from tests.narrowing import present


def record(number: int, epsilon: float, utility: float, **params: object) -> Run:
    settings = fakes.FakeParams(**params)  # type: ignore[arg-type]
    run = Run(
        Plan(log_digest="", method="fake", params=settings),
        number=number,
        letter=run_letters(number),
        state="waiting",
    )
    claimed = MetricValue("epsilon", "claimed ε", epsilon, better="lower", side="privacy")
    rows = MetricValue("kept", "rows kept", utility, "%", better="higher", side="utility")
    fakes.outcome(run, values=(claimed, rows), claim=fakes.statement(settings))
    return run


@pytest.fixture
def records(fake_parts: None) -> list[Run]:
    return [record(0, 1.0, 10.0), record(1, 2.0, 30.0, K=5.0), record(2, 3.0, 20.0, K=9.0)]


def test_that_letters_go_on_after_z() -> None:
    letters = [run_letters(number) for number in (0, 25, 26, 27, 701, 702)]
    assert letters == ["A", "Z", "AA", "AB", "ZZ", "AAA"]


def test_that_a_click_with_ctrl_adds_to_what_is_compared(
    panel: RunsPanel, records: list[Run]
) -> None:
    """The run that was clicked becomes the one that is shown, too, and stays selected."""
    panel.show_runs(records, records[2])
    panel.opened.connect(lambda number: panel.show_current(records[number]))
    for row, modifier in ((0, "NoModifier"), (1, "ControlModifier"), (2, "ControlModifier")):
        middle = panel.table.visualRect(panel.table.model().index(row, 0)).center()
        QTest.mouseClick(
            panel.table.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier[modifier], middle
        )
    assert panel.list_selected_numbers() == [0, 1, 2]
    assert panel.both.isEnabled()
    panel.show_current(records[1])
    assert panel.list_selected_numbers() == [1]


def test_that_old_releases_are_dropped_and_pinned_ones_kept(fake_parts: None) -> None:
    book = RunBook()
    for number in range(KEEP + 3):
        run = book.add(number, record(0, 1.0, 1.0).plan)
        run.pinned = number == 0
        release = Release(
            method="fake",
            params={},
            content=fakes.small_log(1),
            statement=fakes.statement(fakes.FakeParams()),
            changes={},
        )
        fakes.outcome(run, values=(MetricValue("v", "v", 1.0),), release=release)
    book.drop_old_releases()
    numbers = [run.number for run in book if run.anonymized is not None]
    assert numbers == [0, *range(3, KEEP + 3)]
    assert all(run.values for run in book)


@given(
    st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)), min_size=1, max_size=30),
    st.booleans(),
    st.booleans(),
)
def test_that_the_front_is_what_nothing_beats(
    points: list[tuple[int, int]], low_x: bool, low_y: bool
) -> None:
    x, y = (np.array(c, dtype=float) for c in zip(*points, strict=True))
    a, b = (x if low_x else -x), (y if low_y else -y)
    chosen = pareto_positions(x, y, low_x=low_x, low_y=low_y)
    best = {
        (x[i], y[i])
        for i in range(len(x))
        if not np.any((a <= a[i]) & (b <= b[i]) & ((a < a[i]) | (b < b[i])))
    }
    assert {(x[i], y[i]) for i in chosen} == best
    assert list(x[chosen]) == sorted(x[chosen])


def test_that_the_plot_shows_runs_rings_the_current_and_opens_on_click(records: list[Run]) -> None:
    panel = show(ParetoPanel(), 500, 300)
    assert panel.empty.isVisible()
    panel.show_runs(records, records[1])
    assert not panel.empty.isVisible()
    points = panel.plot.drawn[0].points()
    assert [(p.pos().x(), p.pos().y()) for p in points] == [(1, 10), (2, 30), (3, 20)]
    assert list(zip(*panel.plot.ring.getData(), strict=True)) == [(2.0, 30.0)]
    assert list(panel.plot.line.getData()[0]) == [1.0, 2.0]
    with wait_signal(panel.chosen) as opened:
        place = panel.plot.mapFromScene(panel.plot.view.mapViewToScene(QPointF(3, 20)))
        QTest.mouseClick(panel.plot.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert opened.args == [2]
    assert "B: claimed ε 2, rows kept 30\u00a0%." in panel.plot.accessibleDescription()


def test_that_any_figure_can_stand_on_an_axis_those_of_its_side_first(records: list[Run]) -> None:
    for i, run in enumerate(records):
        more = MetricValue("pages", "pages", 5.0 - i), MetricValue("never", "never", float("nan"))
        fakes.outcome(run, values=(*run.values, *more))
    panel = keep(ParetoPanel())
    panel.show_runs(records, records[1])
    offered = [panel.up.itemData(i) for i in range(panel.up.count())]
    assert offered == ["m/fake-measure/kept", ALL]  # a short menu first
    panel.up.setCurrentIndex(1)
    panel.up.activated.emit(1)
    offered = [panel.up.itemData(i) for i in range(panel.up.count())]
    share, pages = "m/fake-measure/kept", "m/fake-measure/pages"
    assert offered == [share, None, "epsilon", pages]
    assert (panel.across.currentData(), panel.up.currentData()) == ("epsilon", share)
    panel.up.setCurrentIndex(3)
    panel.up.activated.emit(3)
    assert [p.pos().y() for p in panel.plot.drawn[0].points()] == [5, 4, 3]
    assert not len(panel.plot.line.getData()[0])  # nobody said which way is better
    panel.show_runs(records, records[0])
    assert panel.up.currentData() == pages


def test_that_the_comparison_has_every_parameter_and_figure_with_differences(
    records: list[Run],
) -> None:
    lines = {line.label: line for line in page.lines_of(records[:2])}
    assert lines["Threshold K"].cells == ("50\u00a0users", "5\u00a0users")
    assert lines["Threshold K"].differs
    assert not lines["Noise scale b"].differs
    assert lines["claimed ε (lower is better)"].cells == ("1", "2  [+1 worse]")
    assert lines["rows kept (higher is better)"].cells == ("10\u00a0%", "30\u00a0%  [+20 better]")
    labels = {spec.label for spec in fakes.FakeParams.specs()}
    assert labels - set(lines) == {"Lower case", "Pool"}  # used by neither


def test_that_the_compare_panel_shows_only_what_differs_on_request(records: list[Run]) -> None:
    records[0].name, records[0].letter = "=1+1", ""
    panel = keep(page.ComparePanel(Disclosure()))
    assert panel.copy.isHidden()
    panel.show_runs(records)
    everything = panel.table.rowCount()
    heading = present(panel.table.item(0, 0))
    assert heading.data(Qt.ItemDataRole.BackgroundRole) is None  # it would outlive its theme
    panel.only.setChecked(True)
    assert 0 < panel.table.rowCount() < everything
    panel.copy.click()
    table = list(csv.reader(io.StringIO(QGuiApplication.clipboard().text())))
    assert not [cell for row in table for cell in row if cell.startswith(tuple("=+-@"))]
    assert len({len(row) for row in table if len(row) > 1}) == 1


@pytest.fixture
def panel() -> RunsPanel:
    return show(RunsPanel(), 900, 700)


def test_that_the_list_says_what_a_run_is_in_words(records: list[Run], panel: RunsPanel) -> None:
    assert panel.empty.isVisible()
    records[2].pinned = True
    panel.show_runs(records, records[2])
    texts = row_cells(panel.model, 0)
    assert texts[0] == "C ★  Fake method  K=9"
    assert texts[2].startswith("ε 3")
    assert texts[1] == "✓ finished"  # until it is judged
    assert panel.list_selected_numbers() == [2]


def test_that_runs_are_named_commented_pinned_and_removed_from_the_list(
    records: list[Run], panel: RunsPanel
) -> None:
    panel.show_runs(records, records[0])
    heard: list[tuple[object, ...]] = []
    for signal in (panel.named, panel.commented, panel.pinned, panel.adopted, panel.removed):
        signal.connect(lambda *what: heard.append(what))
    for field, text in ((panel.name, "careful"), (panel.comment, "for the board")):
        enter(field, text)
    for button in (panel.pin, panel.adopt, panel.drop):
        button.click()
    assert heard == [(0, "careful"), (0, "for the board"), (0, True), (0,), (0,)]


def test_that_compare_needs_two_finished_runs(records: list[Run], panel: RunsPanel) -> None:
    records[1].state = "failed"
    panel.show_runs(records, records[0])
    for row, ready in ((2, False), (1, False), (0, True)):
        panel._select_row(row)
        assert panel.both.isEnabled() == ready
    with wait_signal(panel.compare) as emitted:
        panel.both.click()
    assert emitted.args == [[0, 1, 2]]
