"""One session: its marks, its fate, and how positions survive odd characters."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from auditor.gui.risk import session_data
from auditor.gui.risk.session_view import FATE, QUERY, WHY, SessionView, mark_format
from auditor.gui.widgets import safe_text
from auditor.gui.widgets.fields import Disclosure
from auditor.log.model import Vocabulary
from tests.gui.driving import keep, wait_until
from tests.gui.risk import flagged_logs


@pytest.fixture
def view() -> SessionView:
    return keep(SessionView(Disclosure(unmasked=True)))


def test_that_each_query_says_why_it_is_marked_and_whether_it_leaves(view: SessionView) -> None:
    log = flagged_logs.log_of(flagged_logs.SESSIONS)
    findings = flagged_logs.findings_of(log, flagged_logs.WORDS, ["jane roe", "cars"])
    view.show_session(log, findings, flagged_logs.release_of(["jane roe", "cars"], [17, 4]), 0)
    model = view.model
    assert [model.index(row, QUERY).data() for row in range(4)] == list(flagged_logs.SESSIONS[0][1])
    whys = [model.index(row, WHY).data() for row in range(4)]
    assert whys == ["", "person name", "person name; place", ""]
    fates = [model.index(row, FATE).data() for row in range(4)]
    assert fates == ["no", "✓ word for word", "no", "✓ word for word"]
    assert view.table.currentIndex().row() == 1  # the first marked query
    wait_until(lambda: "holds this query 17 times" in view.about.text())
    assert "person name “jane roe”" in view.about.text()
    assert "2 marked queries, 1 of them stands in the release" in view.verdict.text()


def test_that_reasons_stand_below_the_events_in_little_room(view: SessionView) -> None:
    view.show()
    for width, orientation in ((1600, Qt.Orientation.Horizontal), (640, Qt.Orientation.Vertical)):
        view.resize(width, 300)
        assert view.split.orientation() == orientation
    reasons = view.split.widget(1)
    assert reasons is not None
    assert reasons.width() > 600
    assert reasons.height() > 5 * view.fontMetrics().lineSpacing()
    assert view.table.height() > 5 * view.fontMetrics().lineSpacing()


def test_that_marks_cover_the_same_words_after_emoji(view: SessionView) -> None:
    log = flagged_logs.log_of([("7", (flagged_logs.EMOJI,))])
    findings = flagged_logs.findings_of(log, flagged_logs.WORDS)
    view.show_session(log, findings, None, 0)
    marked = [selection.cursor.selectedText() for selection in view.text_box.extraSelections()]
    assert marked == ["jane roe", "springfield"]
    for selected in (False, True):  # told not by colour alone
        assert mark_format(view, selected=selected).fontUnderline()


def test_that_a_mark_far_into_a_long_line_is_brought_into_sight() -> None:
    text = "a" * 200 + "jane roe"
    line, marks = session_data.cut_to_first_mark(text, [(200, 208, "person name")])
    start, stop, _ = marks[0]
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
    text, rest = safe_text.take_head(words, 0, 10)
    assert (text, rest) == ("é" * 10, 1980)
    assert safe_text.take_head(words, 1, 10) == ("short", 0)
    assert safe_text.make_line(words, 0, 10) == "é" * 10 + "…"


def test_that_a_time_beyond_the_calendar_is_said_in_words() -> None:
    for seconds in (-(2**62), 2**62, 10**15):
        assert safe_text.format_moment(seconds) == "outside the calendar"


def test_that_the_most_telling_query_and_the_gravest_reason_come_first(view: SessionView) -> None:
    log = flagged_logs.log_of([("7", ("springfield", "cars", "jane@example.org", "jane roe"))])
    flags = flagged_logs.findings_of(log, flagged_logs.WORDS)
    view.show_session(log, flags, None, 0)
    assert view.table.currentIndex().row() == 2
    assert view.verdict.text().startswith("Flagged for e-mail address; person name; place")
    assert session_data.most_telling(log, flags, session_data.reason_weights(flags), 1, 2) is None
    released = flagged_logs.findings_of(log, flagged_logs.WORDS, ["springfield"])
    view.show_session(log, released, flagged_logs.release_of(["springfield"], [9]), 0)
    assert view.table.currentIndex().row() == 0, "what survives stands before what is graver"
