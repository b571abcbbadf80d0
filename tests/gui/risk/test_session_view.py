"""One session: its marks, its fate, odd characters, and the way to it from a count or a plot."""

import dataclasses

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest

from auditor.figures import Axis, Figure, MetricValue, Series, Table, UserReference
from auditor.gui.app.main_window import MainWindow
from auditor.gui.compare.tables_panel import TablesPanel
from auditor.gui.plots import scales
from auditor.gui.plots.figure_view import FigureView
from auditor.gui.protect.statement_panel import MetricsPanel
from auditor.gui.risk import session_data
from auditor.gui.risk.session_view import FATE, QUERY, WHY, SessionView, mark_format
from auditor.gui.widgets import safe_text
from auditor.gui.widgets.fields import Disclosure
from auditor.log.model import Vocabulary
from tests.gui.driving import column_cells, keep, press_run, show, wait_signal, wait_until
from tests.gui.risk import flagged_logs
from tests.gui.risk.flagged_logs import WORDS, findings_of, log_of, release_of
from tests.narrowing import present


@pytest.fixture
def view() -> SessionView:
    return keep(SessionView(Disclosure(unmasked=True)))


def test_that_each_query_says_why_it_is_marked_and_whether_it_leaves(view: SessionView) -> None:
    log = log_of(flagged_logs.SESSIONS)
    findings = findings_of(log, WORDS, ["jane roe", "cars"])
    view.show_session(log, findings, release_of(["jane roe", "cars"], [17, 4]), 0)
    assert column_cells(view.model, QUERY) == list(flagged_logs.SESSIONS[0][1])
    assert column_cells(view.model, WHY) == ["", "person name", "person name; place", ""]
    fates = column_cells(view.model, FATE)
    assert fates == ["no", "✓ word for word", "no", "✓ word for word"]
    assert view.table.currentIndex().row() == 1  # the first marked query
    wait_until(lambda: "holds this query 17 times" in view.about.text())
    assert "person name “jane roe”" in view.about.text()
    assert "2 marked queries, 1 of them stands in the release" in view.verdict.text()


def test_that_the_most_telling_query_and_the_gravest_reason_come_first(view: SessionView) -> None:
    log = log_of([("7", ("springfield", "cars", "jane@example.org", "jane roe"))])
    flags = findings_of(log, WORDS)
    view.show_session(log, flags, None, 0)
    assert view.table.currentIndex().row() == 2
    assert view.verdict.text().startswith("Flagged for e-mail address; person name; place")
    assert session_data.most_telling(log, flags, session_data.reason_weights(flags), 1, 2) is None
    released = findings_of(log, WORDS, ["springfield"])
    view.show_session(log, released, release_of(["springfield"], [9]), 0)
    assert view.table.currentIndex().row() == 0, "what survives stands before what is graver"


def test_that_reasons_stand_below_the_events_in_little_room(view: SessionView) -> None:
    view.show()
    for width, orientation in ((1600, Qt.Orientation.Horizontal), (640, Qt.Orientation.Vertical)):
        view.resize(width, 300)
        assert view.split.orientation() == orientation
    reasons = present(view.split.widget(1))
    assert reasons.width() > 600
    assert reasons.height() > 5 * view.fontMetrics().lineSpacing()
    assert view.table.height() > 5 * view.fontMetrics().lineSpacing()


def test_that_marks_cover_the_same_words_after_emoji(view: SessionView) -> None:
    log = log_of([("7", (flagged_logs.EMOJI,))])
    view.show_session(log, findings_of(log, WORDS), None, 0)
    marked = [selection.cursor.selectedText() for selection in view.text_box.extraSelections()]
    assert marked == ["jane roe", "springfield"]
    for selected in (False, True):  # told not by colour alone
        assert mark_format(view, selected=selected).fontUnderline()


def test_that_a_mark_far_into_a_long_line_is_brought_into_sight() -> None:
    text = "a" * 200 + "jane roe"
    line, ((start, stop, _),) = session_data.cut_to_first_mark(text, [(200, 208, "person name")])
    assert line[start:stop] == "jane roe"
    assert line.startswith("…")
    assert len(line) == 39


@pytest.mark.parametrize("text", [*flagged_logs.HOSTILE, "", "\x7f\x85\u2028\ud800", "plain"])
def test_that_visible_text_keeps_its_length_and_holds_nothing_that_acts(text: str) -> None:
    result = safe_text.make_visible(text)
    assert len(result) == len(text)
    assert not set(result) & set("\x00\t\r\n\x1b\u202e\u200b\u2028\u2029\x85\x7f")


def test_that_the_head_of_a_string_costs_no_more_than_what_is_shown() -> None:
    words = Vocabulary.of(["é" * 1000, "short"])
    assert safe_text.take_head(words, 0, 10) == ("é" * 10, 1980)
    assert safe_text.take_head(words, 1, 10) == ("short", 0)
    assert safe_text.make_line(words, 0, 10) == "é" * 10 + "…"


def test_that_a_time_beyond_the_calendar_is_said_in_words() -> None:
    for seconds in (-(2**62), 2**62, 10**15):
        assert safe_text.format_moment(seconds) == "outside the calendar"


# --- from a count in a table, a list or a plot to its sessions --------------------------------


def test_that_a_coloured_cell_and_a_metric_of_the_list_ask_for_their_people() -> None:
    panel = keep(TablesPanel())
    who = UserReference.from_list("users", np.array([7, 8]))
    table = Table("t", "Counts", ("n", "of"), [[1, "b"], [3, "a"]], who={0: who})
    panel.show_tables([("g", [table])])
    assert "coloured cell" in panel.note.text()
    panel.view.sortByColumn(0, Qt.SortOrder.DescendingOrder)
    heard: list[object] = []
    panel.whose.connect(lambda *what: heard.append(what))
    panel.view.activated.emit(panel.sorter.index(0, 1))
    assert heard == []
    panel.view.setCurrentIndex(panel.sorter.index(0, 0))
    QTest.keyClick(panel.view, Qt.Key.Key_Return)
    assert heard == [(who, 1, "Counts · n · a")]
    panel.show_tables([("g", [dataclasses.replace(table, who={})])])
    assert "No sessions stand behind" in panel.note.text()
    metrics = keep(MetricsPanel())
    metrics.show_values([MetricValue("a", "a", 1.0), MetricValue("b", "bs", 2.0, who=who)], "Run A")
    with wait_signal(metrics.trace_requested) as emitted:
        metrics.table.activated.emit(metrics.model.index(1, 1))
    assert emitted.args == [who, 0, "bs"]
    metrics.table.activated.emit(metrics.model.index(0, 0))  # nobody stands behind it


@pytest.mark.parametrize("kind", ["bars", "points", "line"])
def test_that_a_point_of_a_plot_asks_by_click_and_by_key(kind: str) -> None:
    view = show(FigureView(), 400, 300)
    x = np.array([0.0, 1.0, 2.0])
    who = UserReference.from_list("users", np.array([5, 6, 7]))
    series = Series("s", x, np.array([4.0, 1.0, 2.0]), kind, who=who)  # type: ignore[arg-type]
    view.show_figure(Figure("f", "A figure", Axis("x"), Axis("y"), (series,)))
    view.plot.grab()
    place = view.plot.view.mapViewToScene(QPointF(1.0, 1.0))
    assert scales.find_point_under(view.plot, place) == (0, 1)
    far = view.plot.view.mapViewToScene(QPointF(0.5, 3.9))
    assert scales.find_point_under(view.plot, far) is None
    for _ in range(2):
        QTest.keyClick(view.plot, Qt.Key.Key_Right)
    with wait_signal(view.plot.whose) as emitted:
        QTest.keyClick(view.plot, Qt.Key.Key_Return)
    assert emitted.args == [who, 1, "A figure · s · 1"]
    assert "s: 1" in view.readout.text()


def test_that_the_list_goes_back_to_all_that_was_flagged(opened: MainWindow) -> None:
    page = opened.risk
    press_run(opened)
    wait_until(lambda: page.panel.model.rowCount() == 40)
    page.trace_count(UserReference.from_list("users", np.array([1])), 0, "a count")
    assert opened.workspace == "risk"
    wait_until(lambda: "Behind “a count” of run A" in page.bar.text.text())
    wait_until(lambda: 0 < page.panel.model.rowCount() < 40)
    page.bar.action.click()
    wait_until(lambda: page.panel.model.rowCount() == 40)
    assert page.bar.isHidden()
