"""The flagged sessions: filters, search, states, laziness, hostile text, keyboard."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QShortcut
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QMenu

from auditor.attacks.base import FlaggedFindings
from auditor.errors import Cancelled
from auditor.gui.app.translation import say
from auditor.gui.risk import panel as risk_panel
from auditor.gui.risk import session_filter
from auditor.gui.risk.panel import (
    KEPT_TEXTS,
    KEYS,
    MARKED,
    NOTED,
    RISK_COLUMN,
    SURVIVES,
    USER,
    WHY,
    FlaggedModel,
    FlaggedPanel,
)
from auditor.gui.risk.session_filter import SessionCriteria
from auditor.gui.risk.session_view import QUERY
from auditor.log.model import QueryLog
from auditor.progress import Progress
from tests.gui.driving import wait_until
from tests.gui.risk import flagged_logs
from tests.gui.risk.conftest import Book, cells, settled


def filled(panel: FlaggedPanel, log: QueryLog, released: list[str]) -> FlaggedFindings:
    findings = flagged_logs.findings_of(log, flagged_logs.WORDS, released)
    panel.show_findings(log, findings, flagged_logs.release_of(released, [5] * len(released)))
    if panel.filters.surviving.isChecked():
        panel.filters.surviving.click()  # the others, too
    settled(panel)
    return findings


def test_that_every_empty_state_says_why_nothing_is_listed(
    panel: FlaggedPanel, log: QueryLog
) -> None:
    assert panel.empty.text.text() == say("sessions need a log")
    panel.set_log(log)
    assert panel.empty.text.text() == say("sessions need a run")
    panel.set_state("Looking for sessions at risk…")
    assert panel.empty.text.text() == "Looking for sessions at risk…"
    panel.show_findings(log, flagged_logs.findings_of(log, ()), None)
    assert panel.empty.text.text() == say("nobody flagged")
    filled(panel, log, [])
    panel.filters.text.setText("no such query anywhere")
    panel.filters.text.returnPressed.emit()
    settled(panel)
    assert panel.empty.text.text() == risk_panel.NO_SESSION_MATCH
    assert panel.empty.reset.isVisible()
    QTest.mouseClick(panel.empty.reset, Qt.MouseButton.LeftButton)
    settled(panel)
    assert len(cells(panel, USER)) == 3


def test_that_what_survives_stands_first_and_filters_agree(
    panel: FlaggedPanel, log: QueryLog
) -> None:
    filled(panel, log, ["jane roe"])
    assert cells(panel, USER) == ["812", "x<b>y</b>", "9"]
    assert cells(panel, WHY)[1] == "e-mail address; person name; place"
    assert cells(panel, MARKED)[0] == "jane roe"
    assert cells(panel, SURVIVES) == ["✗ 1 of 2 marked", "nothing", "nothing"]
    panel.table.sortByColumn(RISK_COLUMN, Qt.SortOrder.DescendingOrder)
    filled(panel, log, ["jane roe"])
    assert cells(panel, USER) == ["x<b>y</b>", "812", "9"]
    # Filters by reason, risk and survival agree with the findings.
    filled(panel, log, ["springfield pizza"])
    bar = panel.filters
    bar.reason.setCurrentText("person name")
    settled(panel)
    assert cells(panel, USER) == ["x<b>y</b>", "812"]
    bar.risk.setValue(0.9)
    settled(panel)
    assert cells(panel, USER) == ["x<b>y</b>"]
    panel.filters.reset()
    bar.surviving.setChecked(True)
    settled(panel)
    assert cells(panel, USER) == ["9"]
    panel.show_findings(log, flagged_logs.findings_of(log, flagged_logs.WORDS), None)
    settled(panel)
    assert not panel.filters.surviving.isEnabled()
    assert set(cells(panel, SURVIVES)) == {"no release yet"}


def search(log: QueryLog, text: str) -> list[tuple[int, int]]:
    """Sessions that a search hits, and the row of each."""
    flagged = flagged_logs.findings_of(log, flagged_logs.WORDS)
    events = session_filter.event_counts(log, flagged)
    places = session_filter.select_sessions(log, flagged, events, SessionCriteria())
    blocks = session_filter.search_sessions(log, flagged, places, text, Progress())
    return [
        (int(flagged.start[i]), int(row)) for block in blocks for i, row in zip(*block, strict=True)
    ]


def test_that_search_finds_text_as_it_stands_and_forgives_a_typing_error(log: QueryLog) -> None:
    for text, users in (
        ("PIZZA", ["9"]),
        ("springfield", ["x<b>y</b>", "812", "9"]),
        ("81", ["812"]),
        ("<script>", ["x<b>y</b>"]),
        (".*", []),
        ("שלום", ["x<b>y</b>"]),
    ):
        assert [log.users[int(log.user[start])] for start, _ in search(log, text)] == users
    for text in ("springfeld", "sprinfgield piza", "jane rowe"):
        queries = {log.queries[int(log.query[row])] for _, row in search(log, text)}
        assert any(word[:4] in query for query in queries for word in text.split())


def test_that_the_list_shows_what_a_search_hit(panel: FlaggedPanel, log: QueryLog) -> None:
    filled(panel, log, [])
    assert "pizza" not in " ".join(cells(panel, MARKED)[:2])
    panel.filters.text.setText("pizza")
    panel.filters.text.returnPressed.emit()
    settled(panel)
    assert all("pizza" in text for text in cells(panel, MARKED))
    panel.open_session(panel.model.find_place(0))
    assert "pizza" in panel.session.table.currentIndex().siblingAtColumn(QUERY).data()
    for text in ("pizza", "weather", "cars"):  # a newer wish makes the older one stale
        panel.filters.text.setText(text)
        panel.filters.text.returnPressed.emit()
    settled(panel)
    assert cells(panel, USER) == ["812", "9"]


def test_that_a_cancelled_search_stops_between_blocks() -> None:
    big, findings = many(2_000)
    progress = Progress()
    stream = session_filter.search_sessions(big, findings, np.arange(2_000), "roe", progress)
    assert len(next(stream)[0])
    progress.cancel()
    with pytest.raises(Cancelled):
        next(stream)


def test_that_every_column_sorts_both_ways_and_ties_stand_by_risk(log: QueryLog) -> None:
    findings = flagged_logs.findings_of(log, flagged_logs.WORDS, ["jane roe"])
    events = session_filter.event_counts(log, findings)
    assert events.tolist() == [4, 2, 6]
    rising = {"queries": [1, 0, 2], "risk": [1, 0, 2], "when": [0, 1, 2], "survives": [2, 1, 0]}
    for key in KEYS:
        up, down = (
            session_filter.select_sessions(
                log, findings, events, SessionCriteria(key=key, descending=descending)
            ).tolist()
            for descending in (False, True)
        )
        assert sorted(up) == sorted(down) == [0, 1, 2]
        assert up == rising.get(key, up)


def many(count: int) -> tuple[QueryLog, FlaggedFindings]:
    """One session of three rows for each of `count` users, made of arrays."""
    log = flagged_logs.log_of([("u", ("jane roe", "cars", "weather"))])
    user = np.repeat(np.arange(count, dtype=np.int32), 3)
    big = QueryLog.from_codes(
        user=user,
        query=np.tile(np.array([0, 1, 2], np.int32), count),
        time=np.tile(np.array([1, 2, 3], np.int64), count),
        url=np.full(3 * count, -1, np.int32),
        rank=np.full(3 * count, -1, np.int16),
        users=type(log.users).of(f"user {number}" for number in range(count)),
        queries=log.queries,
        urls=log.urls,
    )
    start = np.arange(count, dtype=np.int64) * 3
    ones = np.ones(count, np.int32)
    findings = FlaggedFindings(
        start=start,
        stop=start + 3,
        reason=np.ones(count, np.uint64),
        risk=np.random.default_rng(1).random(count),
        surviving=0 * ones,
        flagged=ones,
        reasons=flagged_logs.REASONS,
        mark_query=np.zeros(1, np.int32),
        mark_start=np.zeros(1, np.int32),
        mark_stop=np.full(1, 8, np.int32),
        mark_reason=np.zeros(1, np.uint8),
        survives=np.zeros(3, np.bool_),
    )
    return big, findings


def test_that_200_000_findings_make_text_only_for_the_rows_that_are_seen(
    panel: FlaggedPanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    places: list[int] = []
    text = FlaggedModel._format_cell

    def counting(self: FlaggedModel, place: int, column: int) -> str:
        places.append(place)
        return text(self, place, column)

    monkeypatch.setattr(FlaggedModel, "_format_cell", counting)
    log, findings = many(200_000)
    panel.show_findings(log, findings, None)
    settled(panel)
    panel.table.scrollToBottom()
    panel.grab()
    assert panel.model.rowCount() == 200_000
    assert 0 < len(set(places)) < 200


def test_that_hostile_text_is_shown_as_it_stands_and_nothing_is_hidden(
    panel: FlaggedPanel, log: QueryLog, caplog: pytest.LogCaptureFixture
) -> None:
    findings = filled(panel, log, ["jane roe"])
    panel.open_session(2)
    view = panel.session
    queries = [view.model.index(row, 1).data() for row in range(view.model.rowCount())]
    assert flagged_logs.HTML in queries
    assert any(text.startswith("□evil□ שלום") for text in queries)
    assert "tab␉here␀nul␛[31mred␍␊line□hidden" in queries
    assert max(map(len, queries)) <= 20_001
    for row in range(view.model.rowCount()):
        view.table.selectRow(row)
        panel.grab()
        assert len(view.text_box.toPlainText()) <= 20_000
    for label in panel.findChildren(QLabel):
        if label.text():
            assert label.textFormat() == Qt.TextFormat.PlainText, label.text()[:40]
    assert len(findings) == 3
    assert panel.window().windowTitle() == ""
    assert not caplog.records


def test_that_j_and_k_go_through_the_sessions_and_d_puts_away_what_is_selected(
    panel: FlaggedPanel, log: QueryLog, book: Book
) -> None:
    stack = book.stack
    panel.keep_notes(book)
    filled(panel, log, [])
    heard: list[int] = []
    panel.opened.connect(heard.append)
    panel.activateWindow()
    panel.table.setFocus()
    wait_until(lambda: panel.session.index == 2)
    QTest.keyClick(panel.table, Qt.Key.Key_J)
    assert panel.session.index == 0
    assert panel.session.position.text() == "2 of 3"
    QTest.keyClick(panel.table, Qt.Key.Key_J)
    QTest.keyClick(panel.table, Qt.Key.Key_J)  # the last one: nothing follows
    assert heard[-1] == 1
    QTest.keyClick(panel.table, Qt.Key.Key_K)
    QTest.keyClick(panel.table, Qt.Key.Key_K)
    assert panel.session.index == 2
    panel.table.selectRow(0)
    panel.dismiss_selected("public")
    settled(panel)
    wait_until(lambda: panel.session.index == 0)  # the next one is read at once
    assert len(cells(panel, USER)) == 2
    stack.undo()
    settled(panel)
    assert panel.session.position.text() == "1 of 3"
    assert panel.table.currentIndex().row() == 0  # undone is also where somebody was
    stack.redo()
    settled(panel)
    panel.table.selectAll()
    panel.dismiss_selected("phrase")
    settled(panel)
    assert len(book.dismissed) == 3
    assert stack.count() == 2  # several at once are one step
    stack.undo()
    settled(panel)
    assert len(book.dismissed) == 1


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_that_a_key_held_down_moves_on_and_dismisses_or_confirms_once(
    panel: FlaggedPanel, log: QueryLog, book: Book
) -> None:
    panel.keep_notes(book)
    filled(panel, log, [])
    keys = {key.key().toString(): key.autoRepeat() for key in panel.findChildren(QShortcut)}
    assert {key for key, repeats in keys.items() if repeats} == {"J", "K", "Alt+Left", "Alt+Right"}
    assert {"D", "C"} <= set(keys)
    panel.activateWindow()
    panel.table.setFocus()
    QTest.keyClick(panel.table, Qt.Key.Key_D)
    (menu,) = panel.findChildren(QMenu)
    assert menu.isVisible()
    for held_down in (True, False):
        QTest.simulateEvent(
            panel.table, True, Qt.Key.Key_D, Qt.KeyboardModifier.NoModifier, "d", held_down
        )
        QTest.keyClick(menu, Qt.Key.Key_D)
        assert panel.findChildren(QMenu) == [menu], "no menu on top of another"
    QTest.keyClick(menu, Qt.Key.Key_Escape)
    assert not book.dismissed


def test_that_new_findings_keep_the_session_being_read(panel: FlaggedPanel, log: QueryLog) -> None:
    filled(panel, log, [])
    panel.open_session(1)
    again = flagged_logs.findings_of(log, flagged_logs.WORDS, ["springfield pizza"])
    panel.show_findings(log, again, flagged_logs.release_of(["springfield pizza"], [3]))
    settled(panel)
    assert panel.session.index == 1
    assert "which stands in the release" in panel.session.verdict.text()
    panel.set_log(flagged_logs.log_of(flagged_logs.SESSIONS[:1]))
    assert panel.session.index == -1


def test_kept_texts_are_those_that_would_be_made_now(
    panel: FlaggedPanel, log: QueryLog, book: Book
) -> None:
    findings = filled(panel, log, ["jane roe"])
    model = panel.model

    def check() -> None:
        for _ in range(2):
            for column in range(len(KEYS)):
                expected = [
                    model._format_cell(model.find_place(row), column)
                    for row in range(model.rowCount())
                ]
                assert cells(panel, column) == expected
                assert model.texts.cache_info().currsize <= KEPT_TEXTS

    check()
    before = cells(panel, SURVIVES)
    model.learn_recovered(np.ones(len(log.queries), dtype=bool))
    check()
    assert cells(panel, SURVIVES) != before
    model.notes = book
    model.notes.write_note(int(findings.start[0]), int(findings.stop[0]), "a name of a street")
    model.refresh_notes()
    assert "a name of a street" in cells(panel, NOTED)
    check()
    model.sort(USER, Qt.SortOrder.AscendingOrder)
    settled(panel)
    check()
