"""The list of flagged sessions and people: filters, search, notes, keyboard, hostile text."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QShortcut
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QMenu

from auditor.attacks.base import Evidence, FlaggedFindings
from auditor.attacks.surviving_content import attack
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
from auditor.gui.risk.session_filter import SessionCriteria, count_dismissals, dismissal_facts
from auditor.gui.risk.session_view import QUERY
from auditor.log.model import QueryLog
from auditor.privacy.release import Preview
from auditor.privacy.statement import Statement
from auditor.progress import Progress, silent_progress
from auditor.project.model import REASONS
from tests.gui.driving import column_cells, enter, pick, settle, wait_until
from tests.gui.risk import flagged_logs
from tests.gui.risk.conftest import Book, cells, fill
from tests.gui.risk.flagged_logs import WORDS, findings_of, release_of
from tests.narrowing import present


def type_search(panel: FlaggedPanel, text: str) -> None:
    panel.filters.text.setText(text)
    panel.filters.text.returnPressed.emit()


def test_that_every_state_says_why_nothing_is_listed(panel: FlaggedPanel, log: QueryLog) -> None:
    assert panel.empty.text.text() == say("sessions need a log")
    panel.set_log(log)
    assert panel.empty.text.text() == say("sessions need a run")
    panel.set_state("Looking for sessions at risk…")
    assert panel.empty.text.text() == "Looking for sessions at risk…"
    panel.show_findings(log, findings_of(log, ()), None)
    assert panel.empty.text.text() == say("nobody flagged")
    fill(panel, log)
    type_search(panel, "no such query anywhere")
    settle(panel)
    assert panel.empty.text.text() == risk_panel.NO_SESSION_MATCH
    assert panel.empty.reset.isVisible()
    QTest.mouseClick(panel.empty.reset, Qt.MouseButton.LeftButton)
    settle(panel)
    assert len(cells(panel, USER)) == 3


def test_that_what_survives_comes_first_and_filters_agree(
    panel: FlaggedPanel, log: QueryLog
) -> None:
    fill(panel, log, ["jane roe"])
    assert cells(panel, USER) == ["812", "x<b>y</b>", "9"]
    assert cells(panel, WHY)[1] == "e-mail address; person name; place"
    assert cells(panel, MARKED)[0] == "jane roe"
    assert cells(panel, SURVIVES) == ["✗ 1 of 2 marked", "nothing", "nothing"]
    panel.table.sortByColumn(RISK_COLUMN, Qt.SortOrder.DescendingOrder)
    fill(panel, log, ["jane roe"])
    assert cells(panel, USER) == ["x<b>y</b>", "812", "9"]
    # Filters by reason, risk and survival agree with the findings.
    fill(panel, log, ["springfield pizza"])
    bar = panel.filters
    bar.reason.setCurrentText("person name")
    settle(panel)
    assert cells(panel, USER) == ["x<b>y</b>", "812"]
    bar.risk.setValue(0.9)
    settle(panel)
    assert cells(panel, USER) == ["x<b>y</b>"]
    bar.reset()
    bar.surviving.setChecked(True)
    settle(panel)
    assert cells(panel, USER) == ["9"]
    panel.show_findings(log, findings_of(log, WORDS), None)
    settle(panel)
    assert not bar.surviving.isEnabled()
    assert set(cells(panel, SURVIVES)) == {"no release yet"}


# --- searching and sorting --------------------------------------------------------------------


def search(log: QueryLog, text: str) -> list[tuple[str, str]]:
    """The user of each session that a search hits, and the query that it hit."""
    flagged = findings_of(log, WORDS)
    events = session_filter.event_counts(log, flagged)
    places = session_filter.select_sessions(log, flagged, events, SessionCriteria())
    blocks = session_filter.search_sessions(log, flagged, places, text, Progress())
    return [
        (log.users[int(log.user[flagged.start[place]])], log.queries[int(log.query[row])])
        for block in blocks
        for place, row in zip(*block, strict=True)
    ]


@pytest.mark.parametrize(
    ("text", "users"),
    [
        ("PIZZA", ["9"]),
        ("springfield", ["x<b>y</b>", "812", "9"]),
        ("81", ["812"]),
        ("<script>", ["x<b>y</b>"]),
        (".*", []),
        ("שלום", ["x<b>y</b>"]),
    ],
)
def test_that_search_finds_text_as_it_stands(log: QueryLog, text: str, users: list[str]) -> None:
    assert [user for user, _ in search(log, text)] == users


@pytest.mark.parametrize("text", ["springfeld", "sprinfgield piza", "jane rowe"])
def test_that_search_forgives_a_typing_error(log: QueryLog, text: str) -> None:
    assert any(word[:4] in query for _, query in search(log, text) for word in text.split())


def test_that_the_list_shows_what_a_search_hit(panel: FlaggedPanel, log: QueryLog) -> None:
    fill(panel, log)
    assert "pizza" not in " ".join(cells(panel, MARKED)[:2])
    type_search(panel, "pizza")
    settle(panel)
    assert all("pizza" in text for text in cells(panel, MARKED))
    panel.open_session(panel.model.lines[0])
    assert "pizza" in panel.session.table.currentIndex().siblingAtColumn(QUERY).data()
    for text in ("pizza", "weather", "cars"):  # a newer wish makes the older one stale
        type_search(panel, text)
    settle(panel)
    assert cells(panel, USER) == ["812", "9"]


def test_that_every_column_sorts_both_ways_and_ties_stand_by_risk(log: QueryLog) -> None:
    findings = findings_of(log, WORDS, ["jane roe"])
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


# --- many, and hostile ------------------------------------------------------------------------


def flag_many(count: int) -> tuple[QueryLog, FlaggedFindings]:
    """One session of three rows for each of `count` users, made of arrays."""
    log = flagged_logs.log_of([("u", ("jane roe", "cars", "weather"))])
    big = QueryLog.from_codes(
        user=np.repeat(np.arange(count, dtype=np.int32), 3),
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
        reason=ones.astype(np.uint64),
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


def test_that_a_cancelled_search_stops_between_blocks() -> None:
    log, findings = flag_many(2_000)
    progress = Progress()
    stream = session_filter.search_sessions(log, findings, np.arange(2_000), "roe", progress)
    assert len(next(stream)[0])
    progress.cancel()
    with pytest.raises(Cancelled):
        next(stream)


def test_that_200_000_findings_make_text_only_for_the_rows_that_are_seen(
    panel: FlaggedPanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    places: list[int] = []
    format_cell = FlaggedModel._format_cell

    def note_place(self: FlaggedModel, place: int, column: int) -> str:
        places.append(place)
        return format_cell(self, place, column)

    monkeypatch.setattr(FlaggedModel, "_format_cell", note_place)
    panel.show_findings(*flag_many(200_000), None)
    settle(panel)
    panel.table.scrollToBottom()
    panel.grab()
    assert panel.model.rowCount() == 200_000
    assert 0 < len(set(places)) < 200


def test_that_hostile_text_is_shown_as_it_stands_and_nothing_is_hidden(
    panel: FlaggedPanel, log: QueryLog, caplog: pytest.LogCaptureFixture
) -> None:
    fill(panel, log, ["jane roe"])
    panel.open_session(2)
    view = panel.session
    queries = column_cells(view.model, QUERY)
    assert flagged_logs.HTML in queries
    assert any(text.startswith("□evil□ שלום") for text in queries)
    assert "tab␉here␀nul␛[31mred␍␊line□hidden" in queries
    assert max(map(len, queries)) <= 20_001
    for row in range(view.model.rowCount()):
        view.table.selectRow(row)
        panel.grab()
        assert len(view.text_box.toPlainText()) <= 20_000
    for label in panel.findChildren(QLabel):
        assert not label.text() or label.textFormat() == Qt.TextFormat.PlainText, label.text()[:40]
    assert panel.window().windowTitle() == ""
    assert not caplog.records


def test_that_kept_texts_are_those_that_would_be_made_now(
    panel: FlaggedPanel, log: QueryLog, book: Book
) -> None:
    findings = fill(panel, log, ["jane roe"])
    model = panel.model

    def check() -> None:
        for _ in range(2):
            for column in range(len(KEYS)):
                places = list(model.lines)
                assert cells(panel, column) == [model._format_cell(p, column) for p in places]
                assert model.texts.cache_info().currsize <= KEPT_TEXTS

    check()
    before = cells(panel, SURVIVES)
    model.learn_recovered(np.ones(len(log.queries), dtype=bool))
    check()
    assert cells(panel, SURVIVES) != before
    book.write_note(*rows_of(findings, 0), "a name of a street")
    model.refresh_columns(NOTED)
    assert "a name of a street" in cells(panel, NOTED)
    check()
    model.sort(USER, Qt.SortOrder.AscendingOrder)
    settle(panel)
    check()


# --- the keyboard -----------------------------------------------------------------------------


def test_that_j_and_k_go_through_the_sessions_and_several_are_put_away_at_once(
    panel: FlaggedPanel, log: QueryLog, book: Book
) -> None:
    fill(panel, log)
    session = panel.session
    heard: list[int] = []
    panel.opened.connect(heard.append)
    panel.activateWindow()
    panel.table.setFocus()
    wait_until(lambda: session.index == 2)
    QTest.keyClick(panel.table, Qt.Key.Key_J)
    assert session.index == 0
    assert session.position.text() == "2 of 3"
    for _ in range(2):  # the last one: nothing follows
        QTest.keyClick(panel.table, Qt.Key.Key_J)
    assert heard[-1] == 1
    for _ in range(2):
        QTest.keyClick(panel.table, Qt.Key.Key_K)
    assert session.index == 2
    panel.table.selectRow(0)
    panel.dismiss_selected("public")
    settle(panel)
    wait_until(lambda: session.index == 0)  # the next one is read at once
    assert len(cells(panel, USER)) == 2
    book.stack.undo()
    settle(panel)
    assert session.position.text() == "1 of 3"
    assert panel.table.currentIndex().row() == 0  # undone is also where somebody was
    book.stack.redo()
    settle(panel)
    panel.table.selectAll()
    panel.dismiss_selected("phrase")
    settle(panel)
    assert len(book.dismissed) == 3
    assert book.stack.count() == 2  # several at once are one step
    book.stack.undo()
    settle(panel)
    assert len(book.dismissed) == 1


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_that_a_key_held_down_moves_on_and_dismisses_or_confirms_once(
    panel: FlaggedPanel, log: QueryLog, book: Book
) -> None:
    fill(panel, log)
    keys = {key.key().toString(): key.autoRepeat() for key in panel.findChildren(QShortcut)}
    assert {key for key, repeats in keys.items() if repeats} == {"J", "K", "Alt+Left", "Alt+Right"}
    assert {"D", "C"} <= set(keys)
    panel.activateWindow()
    panel.table.setFocus()
    QTest.keyClick(panel.table, Qt.Key.Key_D)
    (menu,) = panel.findChildren(QMenu)
    assert menu.isVisible()
    none = Qt.KeyboardModifier.NoModifier
    for held_down in (True, False):
        QTest.simulateEvent(panel.table, True, Qt.Key.Key_D, none, "d", held_down)
        QTest.keyClick(menu, Qt.Key.Key_D)
        assert panel.findChildren(QMenu) == [menu], "no menu on top of another"
    QTest.keyClick(menu, Qt.Key.Key_Escape)
    assert not book.dismissed


def test_that_new_findings_keep_the_session_being_read(panel: FlaggedPanel, log: QueryLog) -> None:
    fill(panel, log)
    panel.open_session(1)
    text = ["springfield pizza"]
    panel.show_findings(log, findings_of(log, WORDS, text), release_of(text, [3]))
    settle(panel)
    assert panel.session.index == 1
    assert "which stands in the release" in panel.session.verdict.text()
    panel.set_log(flagged_logs.log_of(flagged_logs.SESSIONS[:1]))
    assert panel.session.index == -1


# --- notes, and sessions that somebody put away -----------------------------------------------


def rows_of(findings: FlaggedFindings, index: int) -> tuple[int, int]:
    return int(findings.start[index]), int(findings.stop[index])


def wait_for_rows(panel: FlaggedPanel, rows: int) -> None:
    wait_until(lambda: panel.model.rowCount() == rows and not panel.job.running)


def test_that_a_note_is_shown_beside_its_session_and_not_lost_by_stepping_on(
    panel: FlaggedPanel, log: QueryLog, book: Book
) -> None:
    findings = fill(panel, log, ["jane roe"])
    assert panel.table.isColumnHidden(NOTED)
    place = panel.model.lines[0]
    panel.open_session(place)
    note = panel.note_bar.note
    enter(note, "  ask   the family ")
    assert book.get(*rows_of(findings, place)).text == "ask the family"
    assert not panel.table.isColumnHidden(NOTED)
    assert cells(panel, NOTED)[0] == "ask the family"
    book.stack.undo()
    assert note.text() == ""
    assert panel.table.isColumnHidden(NOTED)
    note.setText("half writ")
    panel._open_neighbour(1)
    assert book.get(*rows_of(findings, place)).text == "half writ"
    assert note.text() == ""


def test_that_a_dismissed_session_leaves_the_list_and_can_be_listed_again(
    panel: FlaggedPanel, log: QueryLog, book: Book
) -> None:
    findings = fill(panel, log, ["jane roe"])
    filters, session = panel.filters, panel.session
    place = panel.model.lines[1]
    panel.open_session(place)
    pick(panel.note_bar.reason, "public")
    wait_for_rows(panel, 2)
    assert book.get(*rows_of(findings, place)).dismissed == "public"
    assert filters.count_label.text() == "2 of 3 sessions · 1 dismissed"
    # on to what came after it
    wait_until(lambda: session.index == panel.model.lines[1])
    assert session.position.text() == "2 of 2"
    assert filters.dismissed.isVisible()
    pick(filters.dismissed, "only")
    wait_for_rows(panel, 1)
    assert panel.model.lines[0] == place
    assert cells(panel, NOTED)[0] == REASONS["public"]
    pick(filters.dismissed, "show")
    wait_for_rows(panel, 3)
    filters.dismissed.setCurrentIndex(0)
    wait_for_rows(panel, 2)
    wait_until(lambda: session.index != place)
    book.stack.undo()
    wait_for_rows(panel, 3)
    wait_until(lambda: session.index == place)  # it goes back to what it brings back
    assert panel.table.currentIndex().row() == 1
    assert filters.count_label.text() == "3 sessions"
    assert not filters.dismissed.isVisible()


def test_that_only_the_same_rows_are_put_away(log: QueryLog) -> None:
    findings = findings_of(log, WORDS)
    start, stop = rows_of(findings, 1)
    for rows, dismissed in (
        ([(start, stop)], [False, True, False]),
        ([(start, stop + 1)], [False] * 3),
        ([(start + 1, stop)], [False] * 3),
        ([], [False] * 3),
    ):
        assert session_filter.put_away(findings, rows).tolist() == dismissed


def test_that_dismissals_are_counted_by_reason(log: QueryLog, book: Book) -> None:
    findings = findings_of(log, WORDS, ["jane roe"])
    for index, reason in ((0, "public"), (1, "public"), (2, "other")):
        book.dismiss_session(*rows_of(findings, index), reason)
    book.dismiss_session(10_000, 10_001, "own")  # of another attack's sessions
    counts = count_dismissals([findings, findings], book.list_notes())
    surviving = findings.surviving > 0
    assert counts == {"public": (2, int(surviving[:2].sum())), "other": (1, int(surviving[2]))}
    facts = dismissal_facts(counts)
    assert facts["sessions"] == 3
    assert facts["surviving"] == int(surviving.sum())
    assert facts["reasons"] == {REASONS["public"]: 2, REASONS["other"]: 1}
    assert dismissal_facts({}) == {}


# --- people in the place of sessions ----------------------------------------------------------

DAY = 86_400
PEOPLE_ROWS = (
    *(("ann", "anxiety disorder", day * DAY) for day in range(12)),
    ("bob", "bob@example.org", 0),
    ("bob", "bob@example.org", 2 * DAY),
    ("bob", "springfield illinois weather", 3 * DAY),
    ("cid", "breast cancer", 0),
    ("dan", "weather", 0),
    ("eve", "wilhelmina schmidt obituary", 0),
)


def list_people(panel: FlaggedPanel, *released: str) -> None:
    """Those whom the real attack flags in a small log, of which some queries are released."""
    users, queries, times = zip(*PEOPLE_ROWS, strict=True)
    log = QueryLog.from_columns(user=users, query=queries, time=times)
    release = None
    if released:
        keep = np.isin(log.query, [log.queries.find([text])[0] for text in released])
        nothing = Statement(model="none", claim="nothing", unit="nothing")
        release = Preview(
            method="made-up", params={}, content=log.rows(keep), statement=nothing, changes={}
        )
    evidence, params = Evidence(log=log, release=release), attack.SurvivingContentParams()
    rng = np.random.default_rng(0)
    result = attack.ATTACK.run(evidence, params, rng=rng, progress=silent_progress())
    panel.show_findings(log, present(result.findings), release)
    settle(panel)


def test_that_people_are_listed_once_each_by_all_that_they_issued(
    panel: FlaggedPanel, book: Book
) -> None:
    list_people(panel)
    assert cells(panel, USER) == ["ann", "eve", "bob", "cid"]
    assert panel.filters.count_label.text() == "3 of 5 users at risk · 1 below 0.30"
    pick(panel.filters.level, "sessions")
    settle(panel)
    assert sorted(cells(panel, USER)) == ["bob", "bob", "eve"]
    assert panel.filters.count_label.text() == "3 sessions"


def test_that_who_survives_stands_alone_or_first_with_their_query(
    panel: FlaggedPanel, book: Book
) -> None:
    list_people(panel, "breast cancer", "weather")
    assert cells(panel, USER) == ["cid"]
    text = "surviving: 0 of 3 at risk · 1 of 1 below 0.30"
    assert panel.filters.count_label.text() == text
    panel.filters.surviving.click()
    settle(panel)
    assert cells(panel, USER)[0] == "cid"
    assert len(cells(panel, USER)) == 4
    assert cells(panel, MARKED)[0] == "breast cancer"
    assert panel.filters.count_label.text() == text
    list_people(panel, "springfield illinois weather", "weather")
    marked = cells(panel, MARKED)[cells(panel, USER).index("bob")]
    assert marked == "bob@example.org"  # a town that survives tells less


def test_that_a_person_is_put_away_with_all_their_sessions(panel: FlaggedPanel, book: Book) -> None:
    list_people(panel)
    row = cells(panel, USER).index("bob")
    panel.table.selectRow(row)
    assert len(panel.chosen_rows()) == 2
    panel.confirm_selected()
    settle(panel)
    assert cells(panel, NOTED)[row] == "✓ confirmed"
    panel.table.selectRow(row)
    panel.dismiss_selected("public")
    settle(panel)
    assert "bob" not in cells(panel, USER)
    assert panel.filters.count_label.text().endswith("1 dismissed")
    pick(panel.filters.level, "sessions")
    settle(panel)
    assert cells(panel, USER) == ["eve"]
    panel.filters.level.setCurrentIndex(0)
    settle(panel)
    panel.table.selectRow(cells(panel, USER).index("cid"))
    panel.dismiss_selected("public")
    wait_until(lambda: "cid" not in cells(panel, USER))
