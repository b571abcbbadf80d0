"""Runs in the window: listed, plotted against each other, and compared side by side."""

import csv
import dataclasses
import io
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from auditor.attacks.base import AttackResult
from auditor.attacks.registry import ATTACKS
from auditor.attacks.risk.exposed_sessions import ExposedSessions
from auditor.engine.plan import Plan
from auditor.engine.run import Run
from auditor.figures import PERCENT, SHARE, Axis, Figure, MetricValue, Series, Table
from auditor.gui.compare import exposed_panel, page
from auditor.gui.compare.exposed_panel import (
    BOTH,
    FIRST,
    SECOND,
    USER,
    WHERE,
    ExposedPanel,
    ExposureRows,
    ExposureSide,
)
from auditor.gui.compare.page import ComparePanel, RunsPanel
from auditor.gui.compare.tables_panel import TablesPanel
from auditor.gui.plots.figure_view import ALL, ParetoPanel
from auditor.gui.plots.scales import add_headroom
from auditor.gui.state import run_queue
from auditor.gui.state.run_queue import KEEP, RunBook, pareto_positions, run_letters
from auditor.gui.widgets.fields import Disclosure
from auditor.log.model import QueryLog
from auditor.progress import Progress
from auditor.release.kept_content import KeptContent
from tests.gui import fakes
from tests.gui.driving import (
    column_cells,
    enter,
    keep,
    offered,
    pick,
    row_cells,
    settle,
    show,
    wait_signal,
    wait_until,
)
from tests.gui.risk import flagged_logs
from tests.narrowing import present

REASONS = ("person name", "place", "e-mail address")

Span = tuple[int, int, int, int]
"""Start, stop, reason bits and risk in hundredths of a session."""


def log_of(users: int, rows: int) -> QueryLog:
    """`users` users of `rows` rows each."""
    return QueryLog.from_columns(
        user=[str(user) for user in range(users) for _ in range(rows)],
        query=[f"q{row}" for row in range(users * rows)],
        time=[1_000_000 * user + row for user in range(users) for row in range(rows)],
    )


def make_exposed(spans: list[Span]) -> ExposedSessions:
    columns = np.array(spans, dtype=np.int64).reshape(-1, 4)
    return ExposedSessions.of(columns[:, 0], columns[:, 1], columns[:, 2], columns[:, 3] / 100)


def compared(
    log: QueryLog, a: list[Span], b: list[Span], least: float = 0.0
) -> tuple[ExposureRows, ExposureRows]:
    sides = ExposureSide(make_exposed(a), REASONS), ExposureSide(make_exposed(b), REASONS)
    result = exposed_panel.compare_exposure(log, *sides, least, Progress())
    return result.users, result.sessions


@st.composite
def sessions(draw: st.DrawFn) -> list[Span]:
    """Sessions of 6 users with 5 rows each, which neither overlap nor cross users."""
    spans: list[Span] = []
    for user in range(6):
        cuts = sorted(draw(st.sets(st.integers(0, 5), max_size=4)))
        for first, last in zip(cuts[::2], cuts[1::2], strict=False):
            bits, risk = draw(st.integers(1, 7)), draw(st.integers(0, 100))
            spans.append((5 * user + first, 5 * user + last, bits, risk))
    return draw(st.permutations(spans))


@given(sessions(), sessions(), st.sampled_from([0.0, 0.3]))
def test_that_users_and_sessions_are_told_apart_as_by_comparing_each_with_each(
    a: list[Span], b: list[Span], least: float
) -> None:
    log = log_of(6, 5)
    users, flagged = compared(log, a, b, least)
    sides = [[span for span in side if span[3] >= 100 * least] for side in (a, b)]
    whose = [{span[0] // 5 for span in side} for side in sides]
    for code, where, reason, risk, count in zip(
        users.user, users.side, users.reason.T, users.risk.T, users.sessions.T, strict=True
    ):
        assert where == sum(bit for bit, side in ((1, whose[0]), (2, whose[1])) if code in side)
        for side in (0, 1):
            mine = [span for span in sides[side] if span[0] // 5 == code]
            assert count[side] == len(mine)
            assert reason[side] == int(np.bitwise_or.reduce([s[2] for s in mine] or [0]))
            assert np.isclose(risk[side], max((s[3] for s in mine), default=0) / 100)
    assert set(users.user.tolist()) == whose[0] | whose[1]
    codes = {
        (int(x), int(y)): int(w)
        for x, y, w in zip(flagged.start, flagged.stop, flagged.side, strict=True)
    }
    for start, stop, *_ in sides[0]:
        met = any(s < stop and start < e for s, e, *_ in sides[1])
        assert codes[start, stop] == (BOTH if met else FIRST)
    lonely = {(s, e) for s, e, *_ in sides[1] if not any(x < e and s < y for x, y, *_ in sides[0])}
    assert {span for span, where in codes.items() if where == SECOND} == lonely
    assert len(codes) == len(sides[0]) + len(lonely)


def test_that_lines_are_listed_by_what_somebody_wants() -> None:
    log = log_of(4, 5)
    users, _ = compared(log, [(0, 1, 1, 20), (5, 6, 2, 90)], [(5, 6, 1, 10), (15, 16, 1, 99)])
    every = (FIRST, SECOND, BOTH)
    assert exposed_panel.select_lines(users, every, "risk", True).tolist() == [2, 1, 0]
    assert exposed_panel.select_lines(users, every, "log", False).tolist() == [0, 1, 2]
    assert exposed_panel.select_lines(users, (FIRST,), "risk", True).tolist() == [0]
    assert exposed_panel.select_lines(users, every, "risk 2", True).tolist() == [2, 1, 0]
    assert exposed_panel.select_lines(users, every, "log", False, user=1).tolist() == [1]
    assert users.count(BOTH) == users.count(FIRST) == users.count(SECOND) == 1
    users, flagged = compared(log_of(1, 1), [], [])
    assert len(users) == len(flagged) == 0
    assert exposed_panel.select_lines(users, (FIRST,), "where", False).tolist() == []


LOG = flagged_logs.log_of(flagged_logs.SESSIONS)
RELEASE = flagged_logs.release_of(["jane roe", "cars"], [17, 4])


def make_run(number: int, epsilon: float, utility: float, **params: float) -> Run:
    """A run that is finished, with an ε and a share of rows."""
    settings = fakes.FakeParams().replace(**params)
    plan = Plan(log_digest="", method="fake", params=settings)
    run = Run(plan, number=number, letter=run_letters(number), state="waiting")
    claimed = MetricValue("epsilon", "claimed ε", epsilon, better="lower", side="privacy")
    rows = MetricValue("kept", "rows kept", utility, "%", better="higher", side="utility")
    fakes.outcome(run, values=(claimed, rows), claim=fakes.statement(settings))
    return run


@pytest.fixture
def records(fake_parts: None) -> list[Run]:
    """A, B and C."""
    return [make_run(0, 1.0, 10.0), make_run(1, 2.0, 30.0, K=5.0), make_run(2, 3.0, 20.0, K=9.0)]


# --- the list of runs -------------------------------------------------------------------------


@pytest.fixture
def runs_panel() -> RunsPanel:
    return show(RunsPanel(), 900, 700)


def test_that_letters_go_on_after_z() -> None:
    letters = [run_letters(number) for number in (0, 25, 26, 27, 701, 702)]
    assert letters == ["A", "Z", "AA", "AB", "ZZ", "AAA"]


def test_that_old_releases_are_dropped_and_pinned_ones_kept(fake_parts: None) -> None:
    book = RunBook()
    for number in range(KEEP + 3):
        run = book.add(number, make_run(0, 1.0, 1.0).plan)
        run.pinned = number == 0
        fakes.outcome(run, values=(MetricValue("v", "v", 1.0),), release=RELEASE)
    book.drop_old_releases()
    numbers = [run.number for run in book if run.anonymized is not None]
    assert numbers == [0, *range(3, KEEP + 3)]
    assert all(run.values for run in book)


def test_that_ctrl_and_a_click_add_to_the_selection(
    runs_panel: RunsPanel, records: list[Run]
) -> None:
    """The run that was clicked becomes the one that is shown, too, and stays selected."""
    table = runs_panel.table
    runs_panel.show_runs(records, records[2])
    runs_panel.opened.connect(lambda number: runs_panel.show_current(records[number]))
    none, control = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier
    for row, modifier in ((0, none), (1, control), (2, control)):
        middle = table.visualRect(table.model().index(row, 0)).center()
        QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, modifier, middle)
    assert runs_panel.list_selected_numbers() == [0, 1, 2]
    assert runs_panel.both.isEnabled()
    runs_panel.show_current(records[1])
    assert runs_panel.list_selected_numbers() == [1]


def test_that_the_list_says_what_a_run_is(runs_panel: RunsPanel, records: list[Run]) -> None:
    assert runs_panel.empty.isVisible()
    records[2].pinned = True
    runs_panel.show_runs(records, records[2])
    texts = row_cells(runs_panel.model, 0)
    assert texts[0] == "C ★  Fake method  K=9"
    assert texts[2].startswith("ε 3")
    assert texts[1] == "✓ finished"  # until it is judged
    assert runs_panel.list_selected_numbers() == [2]


def test_that_runs_are_edited_from_the_list(runs_panel: RunsPanel, records: list[Run]) -> None:
    panel = runs_panel
    panel.show_runs(records, records[0])
    heard: list[tuple[object, ...]] = []
    for signal in (panel.named, panel.commented, panel.pinned, panel.adopted, panel.removed):
        signal.connect(lambda *what: heard.append(what))
    enter(panel.name, "careful")
    enter(panel.comment, "for the board")
    for button in (panel.pin, panel.adopt, panel.drop):
        button.click()
    assert heard == [(0, "careful"), (0, "for the board"), (0, True), (0,), (0,)]


def test_that_compare_needs_two_finished_runs(runs_panel: RunsPanel, records: list[Run]) -> None:
    records[1].state = "failed"
    runs_panel.show_runs(records, records[0])
    for row, ready in ((2, False), (1, False), (0, True)):
        runs_panel._select_row(row)
        assert runs_panel.both.isEnabled() == ready
    with wait_signal(runs_panel.compare) as emitted:
        runs_panel.both.click()
    assert emitted.args == [[0, 1, 2]]


# --- runs against each other in a plot --------------------------------------------------------


@pytest.fixture
def pareto() -> ParetoPanel:
    return show(ParetoPanel(), 500, 300)


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


def points_of(panel: ParetoPanel) -> list[tuple[float, float]]:
    return [(point.pos().x(), point.pos().y()) for point in panel.plot.drawn[0].points()]


def test_that_the_plot_rings_a_run_and_opens_another(
    pareto: ParetoPanel, records: list[Run]
) -> None:
    plot = pareto.plot
    assert pareto.empty.isVisible()
    pareto.show_runs(records, records[1])
    assert not pareto.empty.isVisible()
    assert points_of(pareto) == [(1, 10), (2, 30), (3, 20)]
    assert list(zip(*plot.ring.getData(), strict=True)) == [(2.0, 30.0)]
    assert list(plot.line.getData()[0]) == [1.0, 2.0]
    with wait_signal(pareto.chosen) as opened:
        place = plot.mapFromScene(plot.view.mapViewToScene(QPointF(3, 20)))
        QTest.mouseClick(plot.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert opened.args == [2]
    assert "B: claimed ε 2, rows kept 30\u00a0%." in plot.accessibleDescription()


def test_that_any_metric_can_stand_on_an_axis(pareto: ParetoPanel, records: list[Run]) -> None:
    for i, run in enumerate(records):
        more = MetricValue("pages", "pages", 5.0 - i), MetricValue("never", "never", float("nan"))
        fakes.outcome(run, values=(*run.values, *more))
    share, pages = "m/fake-measure/kept", "m/fake-measure/pages"
    pareto.show_runs(records, records[1])
    assert offered(pareto.up) == [share, ALL]  # a short menu first
    pick(pareto.up, ALL)
    assert offered(pareto.up) == [share, None, "epsilon", pages]
    assert (pareto.across.currentData(), pareto.up.currentData()) == ("epsilon", share)
    pick(pareto.up, pages)
    assert [y for _, y in points_of(pareto)] == [5, 4, 3]
    assert not len(pareto.plot.line.getData()[0])  # nobody said which way is better
    pareto.show_runs(records, records[0])
    assert pareto.up.currentData() == pages


def test_that_utility_is_what_the_record_of_a_run_says_is_kept(records: list[Run]) -> None:
    """Of hashed rows all are kept, though no query of theirs stands as it was."""
    for run, count in zip(records, (100, 25, 5), strict=True):
        content = KeptContent(searches=count, log_searches=100, basis="events")
        run.gates = {"kept": content.to_dict()}
        assert run_queue.by_key(run)[run_queue.UTILITY].value.value == content.share == count / 100
    assert run_queue.list_choices(records, "utility")[0].key == run_queue.UTILITY


# --- runs side by side ------------------------------------------------------------------------


def test_that_all_parameters_and_metrics_are_compared_with_differences(records: list[Run]) -> None:
    lines = {line.label: line for line in page.lines_of(records[:2])}
    assert lines["Threshold K"].cells == ("50\u00a0users", "5\u00a0users")
    assert lines["Threshold K"].differs
    assert not lines["Noise scale b"].differs
    assert lines["claimed ε (lower is better)"].cells == ("1", "2  [+1 worse]")
    assert lines["rows kept (higher is better)"].cells == ("10\u00a0%", "30\u00a0%  [+20 better]")
    labels = {spec.label for spec in fakes.FakeParams.specs()}
    assert labels - set(lines) == {"Lower case", "Pool"}  # used by neither
    low, high = (
        MetricValue("v", "v", value, better="lower", interval=(0.1, 0.4)) for value in (0.2, 0.3)
    )
    assert page.format_difference(high, low) == "[+0.1 worse, within their intervals]"
    assert page.format_difference(low, low) == ""


def test_that_the_compare_panel_shows_only_what_differs_on_request(records: list[Run]) -> None:
    records[0].name, records[0].letter = "=1+1", ""
    panel = keep(ComparePanel(Disclosure()))
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


def draw_line(low: float, high: float) -> Figure:
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
def attacked_runs(records: list[Run]) -> list[Run]:
    """A and B, whose attacks flag different words."""
    for run, words, rate in (
        (records[0], [("jane roe", 0)], 0.2),
        (records[1], [("springfield", 1)], 0.6),
    ):
        attack = attacked(words, rate, (draw_line(0.0, 1.0 + run.number),))
        fakes.outcome(run, values=run.values, attacks=(attack,), release=RELEASE)
    return records[:2]


@pytest.fixture
def exposed(attacked_runs: list[Run]) -> ExposedPanel:
    panel = keep(ExposedPanel(Disclosure(unmasked=True)))
    panel.resize(900, 300)
    panel.set_log(LOG)
    panel.show_runs(attacked_runs)
    settle(panel)
    return panel


def test_that_users_exposed_by_one_run_alone_are_listed_with_why(exposed: ExposedPanel) -> None:
    lines = [row_cells(exposed.model, row) for row in range(exposed.model.rowCount())]
    reasons = {line[USER]: [line[WHERE], *line[3:5]] for line in lines}
    assert reasons["812"] == ["both", "person name", "place"]
    assert reasons["9"] == ["B only", "", "place"]
    assert "By B alone: 1 user, 1 session." in exposed.said.text()
    assert exposed.where.itemText(exposed.where.findData(FIRST)) == "A only: 0"
    for least, rows in ((0.5, 0), (0.3, 3)):
        exposed.least.setValue(least)
        settle(exposed)
        assert exposed.model.rowCount() == rows


def test_that_a_user_opens_sessions_and_a_session_both_releases(exposed: ExposedPanel) -> None:
    users = column_cells(exposed.model, USER)
    exposed.table.activated.emit(exposed.model.index(users.index("812"), 0))
    settle(exposed)
    assert exposed.model.level == "sessions"
    assert exposed.model.rowCount() == 1
    exposed.table.activated.emit(exposed.model.index(0, 0))
    wait_until(lambda: not exposed.sides.job.running)
    model = exposed.sides.model
    heads = [model.headerData(c, Qt.Orientation.Horizontal) for c in range(model.columnCount())]
    assert heads[3:] == ["In A", "In B"]
    assert row_cells(model, 1)[3:] == ["✓ word for word · 17×"] * 2
    assert row_cells(model, 2)[2:4] == ["person name; place", "no"]  # marks of either run
    exposed.sides.closed.emit()
    assert exposed.pages.currentIndex() == 0
    exposed.everybody.click()
    settle(exposed)
    assert exposed.model.rowCount() == len(users)


def test_that_an_attack_that_flags_nobody_in_a_run_is_said_and_one_that_does_in_both_comes_first(
    exposed: ExposedPanel, attacked_runs: list[Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    registry = dict.fromkeys(("alone", "fake-attack"), ATTACKS["fake-attack"])
    monkeypatch.setattr("auditor.gui.compare.exposed_panel.ATTACKS", registry)
    first, second = attacked_runs
    alone = dataclasses.replace(first.attacks[0], attack="alone")
    fakes.outcome(first, values=first.values, attacks=(alone, *first.attacks), release=RELEASE)
    exposed.show_runs(attacked_runs)
    settle(exposed)
    assert offered(exposed.attack) == ["fake-attack", "alone"]
    assert exposed.attack.currentIndex() == 0
    fakes.outcome(second, values=second.values)
    exposed.show_runs(attacked_runs)
    assert "flags nobody in run B" in exposed.said.text()
    assert exposed.model.rowCount() == 0


@pytest.fixture
def panel(attacked_runs: list[Run]) -> ComparePanel:
    panel = show(ComparePanel(Disclosure()), 900, 400)
    panel.exposed.set_log(LOG)
    panel.show_runs(attacked_runs)
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


def test_that_plots_with_other_axes_are_not_linked_and_a_run_without_a_metric_is_named(
    panel: ComparePanel, pareto: ParetoPanel, attacked_runs: list[Run]
) -> None:
    second = attacked_runs[1]
    logarithmic = dataclasses.replace(draw_line(1.0, 10.0), y=Axis("y", scale="log"))
    attack = attacked([("springfield", 1)], 0.6, (logarithmic,))
    fakes.outcome(second, values=second.values, attacks=(attack,))
    panel.show_runs(attacked_runs)
    assert not panel.plots.linked.isEnabled()
    assert "Axes differ" in panel.plots.said.text()
    fakes.outcome(second, values=second.values)
    pareto.show_runs(attacked_runs, None)
    pick(pareto.across, ALL)
    pick(pareto.across, "a/fake-attack/users")
    assert len(points_of(pareto)) == 1
    assert "B (x)" in pareto.missing.text()
    assert not pareto.missing.isHidden()


def test_that_with_large_text_everything_of_a_comparison_fits_a_small_window(
    large_text: None, attacked_runs: list[Run], records: list[Run]
) -> None:
    records[0].name = "a name that is much too long to stand in one line of its column " * 2
    width = 1190  # what the rail leaves of a window of 1366
    panel, runs = show(ComparePanel(Disclosure()), width, 700), show(RunsPanel(), width, 700)
    panel.show_runs(records)
    runs.show_runs(records, None)
    for part in (panel, runs, panel.exposed, panel.tables, panel.explore):
        assert part.minimumSizeHint().width() <= width
    wait_until(lambda: runs.table.rowHeight(2) > runs.table.rowHeight(0))
    panel.table.horizontalHeader().resizeSection(0, 150)
    wait_until(lambda: panel.table.rowHeight(4) > panel.table.rowHeight(0))


def test_that_cells_are_in_their_units_and_what_is_copied_and_sorted_are_the_numbers() -> None:
    rows = [("closest", 0.1309523809, 13.09523809, 12_345), ("among five", 0.5, 50.0, 7)]
    heads = ("Rank", "Share of users", "% of users", "Users")
    table = Table("rates", "Rates", heads, rows, own_words=True, units=("", SHARE, PERCENT))
    panel = keep(TablesPanel())
    panel.show_tables([("Record linkage", [table])])
    assert row_cells(panel.sorter, 0) == ["closest", "13.1 %", "13.1 %", "12,345"]
    tips = row_cells(panel.sorter, 0, Qt.ItemDataRole.ToolTipRole)
    for tip, digits in zip(tips[1:], ("0.1309523809", "13.09523809", "12,345"), strict=True):
        assert digits in tip
    panel.sorter.sort(1, Qt.SortOrder.DescendingOrder)
    assert row_cells(panel.sorter, 0)[1] == "50 %"
    panel.copy.click()
    text = QGuiApplication.clipboard().text()
    assert "0.1309523809" in text
    assert "%" not in text.splitlines()[1]
    handout = present(panel.make_exportable())
    units = [handout.find_unit(row, column) for row, column in ((0, 1), (1, 1), (1, 3))]
    assert units == ["", SHARE, ""]
