"""The flagged sessions: filters and the list at the left, the session that is read at the right.

Filtering, sorting and searching happen in a worker thread on arrays; the newest wish makes
older ones stale. What the panel says when there is nothing to list is part of its work.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

import numpy as np
from PySide6.QtCore import QEvent, QModelIndex, QObject, QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QKeySequence, QPainter
from PySide6.QtWidgets import (
    QBoxLayout,
    QCheckBox,
    QDoubleSpinBox,
    QMenu,
    QStackedLayout,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from auditor.arrays import Bools, Float64s, Int64s
from auditor.attacks.base import AttackResult, FlaggedFindings
from auditor.attacks.risk.reasons import main_reasons
from auditor.gui.app.translation import mark_for_translation, read_words, say, tr, translate_all
from auditor.gui.risk import session_data, session_filter
from auditor.gui.risk.session_data import reason_said
from auditor.gui.risk.session_filter import Key, Rows, SessionCriteria
from auditor.gui.risk.session_view import NoteBar, SessionView
from auditor.gui.state.feedback_book import SessionNotes
from auditor.gui.state.worker import JobProgress, LatestJob
from auditor.gui.widgets import formats, safe_text, style
from auditor.gui.widgets.areas import is_narrow
from auditor.gui.widgets.fields import ChoiceBox, Disclosure, EventWatch, bind_keys
from auditor.gui.widgets.tables import RIGHT, Column, ColumnModel, Index, Role, make_table
from auditor.log.model import QueryLog
from auditor.privacy.release import Anonymized
from auditor.project.model import REASONS

RISK = Qt.ItemDataRole.UserRole + 1
"""The risk of a row as a float, for the delegate that paints it."""

PEEK_ROWS = 5_000
"""Rows of a session, or of a person, that are looked through for its most telling query."""
KEPT_TEXTS = 2_000
"""Texts of cells that are kept: some screens full, which scrolling paints over and over."""

KEYS: tuple[Key, ...] = ("user", "when", "queries", "log", "why", "risk", "survives", "noted")
"""By what each column sorts."""
USER, WHEN, QUERIES, MARKED, WHY, RISK_COLUMN, SURVIVES, NOTED = range(len(KEYS))


class FlaggedModel(ColumnModel):
    """A view of `FlaggedFindings` in some order; the panel sorts and filters."""

    lines: array[int]
    """Positions in the findings."""

    def __init__(
        self, sort_wanted: Callable[[Key, bool], None], disclosure: Disclosure, parent: QObject
    ) -> None:
        self._sort_wanted, self._disclosure = sort_wanted, disclosure
        disclosure.toggled.connect(lambda _on: self.refresh_columns(USER))
        self.notes: SessionNotes | None = None
        self._log: QueryLog | None = None
        self._findings: FlaggedFindings | None = None
        self.released = False
        """Whether there is a release that something may survive in."""
        self._grave: Float64s = np.zeros(0)
        self._events: Int64s = np.zeros(0, dtype=np.int64)
        self.hits: dict[int, int] = {}
        """Session → the row of the log in which a search hit it."""
        self._recovered: Bools | None = None
        self.texts = lru_cache(KEPT_TEXTS)(lambda column, place: self._format_cell(place, column))
        heads = [map(tr, words) for words in read_words("flagged sessions").values()]
        risk_roles: dict[int, Callable[[int], Any]] = {
            RISK: lambda place: float(self._source[1].risk[place]),
            Role.TextAlignmentRole: lambda _place: RIGHT,
        }
        columns = [
            Column(
                title,
                partial(self.texts, column),
                number=column == QUERIES,
                tip=self._list_reasons if column == WHY else None,
                roles=risk_roles if column == RISK_COLUMN else {},
                help=help_text,
            )
            for column, (title, help_text) in enumerate(heads)
        ]
        super().__init__(columns, array("q"), parent)

    def set_findings(
        self,
        log: QueryLog | None,
        findings: FlaggedFindings | None,
        events: Int64s,
        *,
        released: bool,
    ) -> None:
        """Look at other findings; shows none of them before `append`."""
        self._log, self._findings, self._events = log, findings, events
        self.released, self.hits = released, {}
        self._grave = np.zeros(0) if findings is None else session_data.reason_weights(findings)
        self.texts.cache_clear()
        self.set_lines(array("q"))

    def learn_recovered(self, recovered: Bools | None) -> None:
        """Which distinct queries an attack on the release gave back, if one was tried."""
        self._recovered = recovered
        self.refresh_columns(SURVIVES)

    def append(self, places: Int64s, hits: Int64s | None = None) -> None:
        """Show these, too, after the others; `hits` are the rows of the log that a search hit."""
        if len(places):
            if hits is not None:
                pairs = zip(places.tolist(), hits.tolist(), strict=True)
                self.hits.update((place, row) for place, row in pairs if row >= 0)
            count = self.rowCount()
            self.beginInsertRows(QModelIndex(), count, count + len(places) - 1)
            self.lines.frombytes(places.tobytes())
            self.endInsertRows()

    def refresh_columns(self, first: int) -> None:
        """Texts of these columns, and perhaps of those after them, are other ones."""
        self.texts.cache_clear()
        super().refresh_columns(first)

    def row_of(self, place: int) -> int:
        """In which row a session stands, or −1 if it isn't shown; O(rows)."""
        rows = np.flatnonzero(np.asarray(self.lines) == place)
        return int(rows[0]) if len(rows) else -1

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Ask for another order; it is made in the background and comes through `append`."""
        if 0 <= column < len(KEYS):
            self._sort_wanted(KEYS[column], order == Qt.SortOrder.DescendingOrder)

    def _list_reasons(self, place: int) -> str:
        whys = session_data.gravest_first(self._source[1].list_reasons(place))
        return "; ".join(translate_all(whys))

    @property
    def _source(self) -> tuple[QueryLog, FlaggedFindings]:
        """What the lines are of; there are none without."""
        assert self._log is not None
        assert self._findings is not None
        return self._log, self._findings

    def _format_cell(self, place: int, column: int) -> str:
        log, findings = self._source
        first, stop = int(findings.start[place]), int(findings.stop[place])
        match KEYS[column]:
            case "user":
                user = safe_text.make_line(log.users, int(log.user[first]), 60)
                return self._disclosure.mask_id(user)
            case "when":
                return safe_text.format_moment(int(log.time[first]))
            case "queries":
                return formats.format_count(int(self._events[place]))
            case "log":
                row, last = self.hits.get(place), min(stop, first + PEEK_ROWS)
                if row is None:
                    row = session_data.most_telling(log, findings, self._grave, first, last)
                text = "" if row is None else safe_text.make_line(log.queries, log.query[row], 200)
                return self._disclosure.mask_text(text)
            case "why":
                whys, decided = findings.list_reasons(place), findings.decided is not None
                return "; ".join(translate_all(main_reasons(whys, decided=decided)))
            case "risk":
                return formats.format_fixed(findings.risk[place], 2)
            case "noted":
                notes = self.notes.list_within(first, stop) if self.notes is not None else []
                yes = tr("✓ confirmed")
                words = (yes if note.confirmed else reason_said(note.dismissed) for note in notes)
                texts = dict.fromkeys((*words, *(note.text for note in notes)))
                return " \u00b7 ".join(filter(None, texts))
            case _:
                codes = log.query[first : min(stop, first + PEEK_ROWS)]
                if self._recovered is not None:
                    recovered = codes[self._recovered[codes]]
                    if np.isin(recovered, findings.mark_query).any():
                        return tr("✗ recovered by hash inversion")
                counts = int(findings.surviving[place]), int(findings.flagged[place])
                return describe_survival(*counts, released=self.released)


def describe_survival(surviving: int, flagged: int, *, released: bool) -> str:
    if not released:
        return tr("no release yet")
    if not surviving:
        return tr("nothing")
    return tr("✗ {surviving} of {flagged} marked").format(
        surviving=formats.format_count(surviving), flagged=formats.format_count(flagged)
    )


ROOMY = 120
"""Characters of a list that has room for every column."""
TIGHT = 40
"""Characters of a list that has room for a query and its risk alone."""


class RiskDelegate(QStyledItemDelegate):
    """The risk as a number, with a bar under it that is as long as the risk is high."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        risk = index.data(RISK)
        if risk is None:
            return
        cell: Any = option
        area, state = cell.rect, cell.state
        theme = style.theme_of(cell.widget)
        selected = bool(state & QStyle.StateFlag.State_Selected)
        colour = theme.on_accent if selected else theme.bad
        width = round((area.width() - 8) * min(1.0, max(0.0, risk)))
        painter.fillRect(area.right() - 4 - width, area.bottom() - 3, width, 2, QColor(colour))


def make_table_view(model: FlaggedModel) -> QTableView:
    """The list of sessions, with the columns that it has room for."""
    widths = ("0" * 8, "2006-03-04 21:10:00", "Queries  ▾", "m" * 20, "n" * 30, "Risk  ▾ 0",
              describe_survival(21, 22, released=True), "n" * 12)  # fmt: skip
    table = make_table(model, tr("Flagged sessions"), widths, many_rows=True)
    table.setItemDelegateForColumn(RISK_COLUMN, RiskDelegate(table))
    header = table.horizontalHeader()
    table.setColumnHidden(NOTED, True)
    for place in (MARKED, WHY, NOTED):
        header.setSectionResizeMode(place, header.ResizeMode.Stretch)
    header.setMinimumSectionSize(48)
    header.setSortIndicator(RISK_COLUMN, Qt.SortOrder.DescendingOrder)
    table.setSortingEnabled(True)
    EventWatch(table, lambda: hide_columns(table, table.width()), QEvent.Type.Resize)
    return table


def hide_columns(table: QTableView, width: int) -> None:
    """Show the columns for which a list of this width has room.

    Before there is a release, the reasons stand where it would say what survives.
    """
    letters = width / table.fontMetrics().averageCharWidth()
    model = table.model()
    released = isinstance(model, FlaggedModel) and model.released
    for column in (WHEN, QUERIES):
        table.setColumnHidden(column, letters <= ROOMY)
    table.setColumnHidden(USER, letters <= TIGHT)
    table.setColumnHidden(WHY, letters <= (ROOMY if released else TIGHT))
    table.setColumnHidden(SURVIVES, letters <= TIGHT or not released)


TYPING_PAUSE_MS = 250
SEARCH_LIMIT = 200


class FilterBar(QWidget):
    """Reason, least risk, what survives, text; `changed` comes once typing pauses."""

    changed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        levels = {"people": self.tr("People"), "sessions": self.tr("Sessions")}
        tip = self.tr("A row for each person, by all that they issued, or for each flagged session")
        self.level = ChoiceBox(self.tr("List"), levels, tip=tip)
        self.level.hide()
        self.attack = ChoiceBox(self.tr("Attack"), tip=self.tr("Whose flagged sessions are listed"))
        self.attack.hide()
        tip = self.tr("List only the sessions flagged for this reason")
        self.reason = ChoiceBox(self.tr("Reason"), tip=tip)
        self.reason.currentIndexChanged.connect(self._emit_changed)
        self.risk = QDoubleSpinBox(minimum=0.0, maximum=1.0, singleStep=0.05, decimals=2)
        style.prepare_spin_box(self.risk)
        self.risk.setPrefix(self.tr("risk ≥ "))
        self.risk.setAccessibleName(self.tr("Least risk"))
        self.risk.setToolTip(self.tr("List only the sessions of at least this risk, from 0 to 1"))
        self.risk.valueChanged.connect(self._emit_changed)
        self.surviving = QCheckBox(self.tr("Only what &survives"))
        self.surviving.setToolTip(say("only what survives"))
        self.surviving.toggled.connect(self._emit_changed)
        self.surviving.clicked.connect(lambda: setattr(self, "_keeps_surviving", True))
        self._keeps_surviving = False
        tip = self.tr("Whether the sessions that were dismissed are listed")
        words = read_words("dismissed sessions")
        self.dismissed = ChoiceBox(self.tr("Dismissed sessions"), words, least=14, tip=tip)
        self.dismissed.currentIndexChanged.connect(self._emit_changed)
        self.dismissed.hide()
        name, hint = self.tr("Search the flagged sessions"), self.tr("Search queries and user ids")
        self.text = style.line_edit(name, hint, length=SEARCH_LIMIT, clearable=True)
        self.text.setMinimumWidth(110)
        self._typing = QTimer(self, singleShot=True, interval=TYPING_PAUSE_MS)
        self._typing.timeout.connect(self._emit_changed)
        self.text.textChanged.connect(lambda _text: self._typing.start())
        self.text.returnPressed.connect(self._emit_changed)
        self.count_label = style.plain_label(role="muted")
        self.count_label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._lay_out()
        self.offer_reasons((), released=False, survives=False)

    def _lay_out(self) -> None:
        def turn_lines() -> None:
            flow = QBoxLayout.Direction
            self._lines.setDirection(flow.TopToBottom if is_narrow(self) else flow.LeftToRight)

        choices: list[style.Part] = [self.level, (self.attack, 1), (self.reason, 1), self.risk]
        self._choices = style.row(None, [*choices, self.surviving, self.dismissed])
        self._search = style.row(None, [(self.text, 1), self.count_label])
        self._lines = QBoxLayout(QBoxLayout.Direction.TopToBottom, self)
        self._lines.setContentsMargins(0, 0, 0, 0)
        for row in (self._lines, self._choices, self._search):
            row.setSpacing(style.NORMAL)
        self._lines.addLayout(self._choices, 3)
        self._lines.addLayout(self._search, 2)
        EventWatch(self, turn_lines, QEvent.Type.Resize)

    def offer_reasons(self, reasons: Sequence[str], *, released: bool, survives: bool) -> None:
        """Which reasons there are, and whether anything can survive; keeps what was chosen.

        Where something survives, that is listed alone, unless somebody has chosen.
        """
        before = self.reason.currentText()
        texts = enumerate(translate_all(reasons))
        entries = [(self.tr("All reasons"), None), *((text, bit) for bit, text in texts)]
        with QSignalBlocker(self.reason):
            self.reason.offer(entries)
            self.reason.setCurrentIndex(max(0, self.reason.findText(before)))
        self.surviving.setEnabled(released)
        if not self._keeps_surviving:
            with QSignalBlocker(self.surviving):
                self.surviving.setChecked(survives)

    def offer_attacks(self, titles: Mapping[str, str], current: str) -> None:
        """Which attacks there are to choose from, if more than one, and which is shown."""
        entries = [(title, name) for name, title in titles.items()]
        if entries != self.attack.list_entries():
            self.attack.offer(entries)
        self.attack.setCurrentIndex(self.attack.findData(current))
        self.attack.setVisible(len(titles) > 1)

    def offer_dismissed(self, any_there: bool) -> None:
        self.dismissed.setVisible(any_there)
        if not any_there:
            self.dismissed.setCurrentIndex(0)

    def reset(self) -> None:
        was_blocked = self.blockSignals(True)
        self.reason.setCurrentIndex(0)
        self.risk.setValue(0.0)
        self.surviving.setChecked(False)
        self._keeps_surviving = True
        self.dismissed.setCurrentIndex(0)
        self.text.clear()
        self.blockSignals(was_blocked)
        self._emit_changed()

    def focus_search(self) -> None:
        self.text.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.text.selectAll()

    def _emit_changed(self) -> None:
        self._typing.stop()
        self.changed.emit()


NO_SESSION_MATCH = mark_for_translation("No flagged session passes the filters.")


class ListState(QWidget):
    """A sentence, a button that clears the filters by `reset`, and at most one more."""

    def __init__(self, reset: Callable[[], None]) -> None:
        super().__init__()
        self.text = style.plain_label(role="muted", wrap=True, centred=True)
        self.reset = style.button(self.tr("Clear the filters"), reset)
        self.act = style.button("", lambda: self._do and self._do())
        self._do: Callable[[], None] | None = None
        centre = Qt.AlignmentFlag.AlignCenter
        parts: list[style.Part] = [1, self.text, (self.reset, 0, centre), (self.act, 0, centre), 1]
        style.column(self, parts, margins=None)

    def show_message(self, text: str, *, reset: bool = False) -> None:
        self.text.setText(text)
        self.reset.setVisible(reset)
        self.act.hide()

    def offer_action(self, text: str, do: Callable[[], None]) -> None:
        self.act.setText(text)
        self.act.show()
        self._do = do


def describe_counts(
    listed: int,
    findings: FlaggedFindings,
    dismissed: int,
    people: int | None = None,
    released: bool = False,
) -> str:
    """How many are listed, of how many, and how many were dismissed; `people` are all there are.

    Of people, how many are at risk, and where something was `released` of how many it shows.
    """
    total, count = len(findings), formats.format_count
    survivors = np.count_nonzero(findings.surviving) if released else total
    text = formats.format_plural(total, "session")
    if people is not None:
        text = formats.format_plural(total, "person", "people")
    if listed not in (total, survivors) or (people is None and listed != total):
        text = tr("{shown} of {found}").format(shown=count(listed), found=text)
    elif people is not None:
        is_at_risk = findings.risk >= findings.least
        at_risk = int(np.count_nonzero(is_at_risk))
        exposed = [np.count_nonzero(findings.surviving[part]) for part in (is_at_risk, ~is_at_risk)]
        text = (
            tr("surviving: {exposed} of {at_risk} at risk \u00b7 {others} of {below} below {least}")
            if released
            else tr("{at_risk} of {people} at risk \u00b7 {below} below {least}")
        ).format(
            exposed=count(int(exposed[0])),
            others=count(int(exposed[1])),
            at_risk=count(at_risk),
            people=formats.format_plural(people, "user"),
            below=count(total - at_risk),
            least=formats.format_fixed(findings.least, 2),
        )
    if dismissed:
        text += tr(" · {away} dismissed").format(away=formats.format_count(dismissed))
    return text


class FlaggedPanel(QWidget):
    """Lists `FlaggedFindings`, filtered and sorted in the background; opens one of them."""

    opened = Signal(int)
    """Position of the session in the findings."""
    attack_chosen = Signal(str)

    def __init__(self, disclosure: Disclosure) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("Flagged sessions"))
        self._log: QueryLog | None = None
        self._findings: FlaggedFindings | None = None
        self._sessions: FlaggedFindings | None = None
        """The flagged sessions, where `_findings` are people."""
        self._shown: tuple[QueryLog, FlaggedFindings, Anonymized | None] | None = None
        self._release: Anonymized | None = None
        self._events = np.zeros(0, dtype=np.int64)
        self._criteria = SessionCriteria()
        self.job = LatestJob()
        self._opened_row, self._after, self._away = -1, -1, 0
        self._back: Rows | None = None
        """The session that undoing brings back into the list, to go on with."""
        self._notes: SessionNotes | None = None
        self._words: frozenset[str] = frozenset()
        self.model = FlaggedModel(self._sort, disclosure, self)
        self._busy = style.busy_line(self.tr("Searching"))
        self.filters = FilterBar(self)
        self.filters.changed.connect(self._refilter)
        self.filters.level.currentIndexChanged.connect(self._change_level)
        attack = self.filters.attack
        attack.activated.connect(lambda _index: self.attack_chosen.emit(attack.currentData()))
        table = self.table = make_table_view(self.model)
        self._sorted = False  # by somebody: making the table sorted it, too
        table.activated.connect(self._open_row)
        table.selectionModel().currentRowChanged.connect(lambda *_: self._read.start())
        self.empty = ListState(self.filters.reset)
        self._list = QWidget()
        self._views = QStackedLayout(self._list)
        self._views.addWidget(self.table)
        self._views.addWidget(self.empty)
        self.session = SessionView(disclosure)
        self.session.closed.connect(lambda: self.table.setFocus(Qt.FocusReason.OtherFocusReason))
        self.session.stepped.connect(self._open_neighbour)
        # One session, and under it what is said of it
        self._page, self.note_bar = QWidget(), NoteBar()
        parts: list[style.Part] = [(self.session, 1), self.note_bar]
        style.column(self._page, parts, margins=(0, 0, 0, style.TIGHT), spacing=style.TIGHT)
        self._sides = style.splitter([self._list, self._page], sizes=[500, 760])
        text = self.tr("J, K: next, previous · D: dismiss · C: confirm · Ctrl+F: search")
        self.keys = style.plain_label(text, size=style.SMALL, role="muted", wrap=True)
        self.unmask = disclosure.make_box()
        below = style.row(None, [(self.keys, 1), self.unmask])
        parts = [self.filters, self._busy, (self._sides, 1), below]
        style.column(self, parts, margins=style.NORMAL, spacing=style.TIGHT)
        self._read: QTimer = QTimer(self, singleShot=True, interval=0)
        self._read.timeout.connect(self._read_current)
        keys: dict[Any, Callable[[], None]] = {
            "J": lambda: self._open_neighbour(1),
            "K": lambda: self._open_neighbour(-1),
            "D": self.ask_reason,
            "C": self.confirm_selected,
            QKeySequence.StandardKey.Find: self.filters.focus_search,
        }
        bind_keys(self, keys, repeated=("J", "K"))
        self.set_log(None)

    # What the window calls

    def keep_notes(self, book: SessionNotes) -> None:
        self._notes = self.model.notes = book
        self.note_bar.keep_in(book)
        book.changed.connect(self._apply_notes)
        self._apply_notes()

    def set_log(self, log: QueryLog | None) -> None:
        """Another log (or none): forget the findings of the one before."""
        self._set_findings(log, None, None)
        self._show_message(say("sessions need a log" if log is None else "sessions need a run"))

    def show_findings(
        self,
        log: QueryLog,
        findings: FlaggedFindings,
        release: Anonymized | None = None,
        attacks: Sequence[AttackResult] = (),
    ) -> None:
        """List `findings` of `log`; `release` is what the marked queries may survive in.

        What `attacks` on the release gave back counts as surviving, too.
        """
        reading = self.session.first_row if log is self._log else None
        by_person = self.filters.level.currentData() == "people"
        sessions, people = findings, findings.people if by_person else None
        findings = people if people is not None else sessions
        self._set_findings(log, findings, release)
        self._sessions = sessions if people is not None else None
        self.note_bar.setVisible(people is None)
        self._shown = log, sessions, release
        self.filters.level.setVisible(sessions.people is not None)
        if not len(findings):
            blank = log.queries.find_blank().all()
            self._show_message(say("no row has a query" if blank else "nobody flagged"))
            return
        released = release is not None
        survives = released and bool(findings.surviving.any())
        self.filters.offer_reasons(findings.reasons, released=released, survives=survives)
        if not self._sorted:  # what survives stands first, else what is at risk
            column = SURVIVES if survives else RISK_COLUMN
            self.table.horizontalHeader().setSortIndicator(column, Qt.SortOrder.DescendingOrder)
            self._sorted = False
        self._criteria = self._read_criteria()
        self._words = session_filter.recovered_words(attacks)
        self._refresh()
        if reading is not None:
            same_session = np.flatnonzero(findings.start == reading)
            if len(same_session):
                self.open_session(int(same_session[0]))

    def _change_level(self) -> None:
        if self._shown is not None:
            self.show_findings(*self._shown)

    def set_state(self, text: str) -> None:
        """Say something in place of the list, such as what is being done or went wrong."""
        self._drop_job()
        self._close_session()
        self._show_message(text)

    def open_session(self, index: int) -> None:
        """Open the session at `index` of the findings, whether the filters show it or not."""
        log, findings = self._log, self._findings
        if log is None or findings is None:
            return
        hit = self.model.hits.get(index)
        self.session.show_session(log, findings, self._release, index, hit)
        self._opened_row = self.model.row_of(index)
        self.session.set_position(self._opened_row, self.model.rowCount())
        rows = int(findings.start[index]), int(findings.stop[index])
        self.note_bar.show_rows(rows if self._sessions is None else None)
        self._page.show()
        if self._opened_row >= 0 and self.table.currentIndex().row() != self._opened_row:
            self.table.selectRow(self._opened_row)
        self.opened.emit(index)

    # Reacting

    def _set_findings(
        self, log: QueryLog | None, findings: FlaggedFindings | None, release: Anonymized | None
    ) -> None:
        self._drop_job()
        self._log, self._findings, self._release = log, findings, release
        self._sessions = self._shown = self._back = None
        self._events = np.zeros(0, dtype=np.int64)
        self.model.learn_recovered(None)
        self.model.set_findings(None, None, self._events, released=False)
        self._close_session()
        self.filters.count_label.setText("")
        for part in (self.filters, self.keys, self.unmask):
            part.setVisible(findings is not None and len(findings) > 0)

    def _read_criteria(self) -> SessionCriteria:
        """What the filters say, in the order that stands, without the sessions put away."""
        book, bar = self._notes, self.filters
        return SessionCriteria(
            reason=bar.reason.currentData(),
            least_risk=bar.risk.value(),
            only_surviving=bar.surviving.isChecked() and bar.surviving.isEnabledTo(bar),
            dismissed=bar.dismissed.currentData(),
            text=bar.text.text(),
            key=self._criteria.key,
            descending=self._criteria.descending,
            dismissed_rows=book.dismissed if book is not None else (),
            noted=book.starts if book is not None else (),
        )

    def _apply_notes(self) -> None:
        """Notes changed: the column is there if there are any, the filter if it has an effect."""
        book = self._notes
        if book is None:
            return
        self._after = self._opened_row
        self._back = min(set(self._criteria.dismissed_rows) - set(book.dismissed), default=None)
        self.table.setColumnHidden(NOTED, not len(book))
        self.filters.offer_dismissed(bool(book.dismissed))
        self.model.refresh_columns(NOTED)
        self._refilter()

    def _refilter(self, **order: Any) -> None:
        criteria = replace(self._read_criteria(), **order)
        if criteria != self._criteria:
            self._criteria = criteria
            self._refresh()

    def _sort(self, key: Key, descending: bool) -> None:
        self._sorted = True
        self._refilter(key=key, descending=descending)

    def _refresh(self) -> None:
        """Make the list anew, in a thread; whatever was being made is stale."""
        self._drop_job()
        log, findings, criteria = self._log, self._findings, self._criteria
        if log is None or findings is None or not len(findings):
            return
        events, given_back, sessions = self._events, self._words, self._sessions
        self._words = frozenset()

        def send_sessions(progress: JobProgress) -> None:
            tell = progress.tell
            session_filter.list_sessions(log, findings, events, criteria, tell, progress, sessions)
            if given_back:
                marked = findings.mark_query
                result = session_filter.recovered_queries(log.queries, marked, given_back, progress)
                tell(result)

        if not self.model.rowCount():
            self._show_message(tr("Sorting the flagged sessions…"))
        if criteria.text:
            self.filters.count_label.setText(self.tr("searching…"))
        self._busy.show()
        ends = self._finish_listing, self._show_failure
        self.job.start("flagged sessions", send_sessions, *ends, partial=self._add_part)

    def _add_part(self, part: Any) -> None:
        if not isinstance(part, tuple):
            self.model.learn_recovered(part)
            return
        counts, places, self._away, hits = part
        if counts is not None:
            self._events, released = counts, self._release is not None
            self.model.set_findings(self._log, self._findings, counts, released=released)
            hide_columns(self.table, self.table.width())
        if places is not None:
            self.model.append(places, hits)
        if self.model.rowCount():
            self._views.setCurrentIndex(0)
        self._say_count()

    def _finish_listing(self, _none: object) -> None:
        self._busy.hide()
        rows, findings, reading = self.model.rowCount(), self._findings, self._back
        self._back = None
        if reading is not None and findings is not None:
            holds = (findings.start <= reading[0]) & (reading[0] < findings.stop)
            for place in np.flatnonzero(holds)[:1]:
                self.open_session(int(place))
        row = self.model.row_of(self.session.index) if self.session.first_row is not None else -1
        after, self._after = self._after, -1
        if not rows:
            self._close_session()
            text = tr(NO_SESSION_MATCH)
            if self._sessions is not None:
                text = tr("Nobody on the list passes the filters.")
            self._show_message(text, reset=True)
        elif row >= 0:
            self._opened_row = row
            self.session.set_position(row, rows)
            self.table.setCurrentIndex(self.model.index(row, 0))  # where the keys go on
        else:  # it was put away or filtered out: go on with what stands in its place
            self.table.selectRow(min(max(after, 0), rows - 1))
        self._say_count()

    def _show_failure(self, message: str) -> None:
        self._busy.hide()
        text = self.tr("The sessions could not be listed. {message}").format(message=message)
        self._show_message(text, reset=True)

    def _drop_job(self) -> None:
        self._busy.hide()
        self.job.drop()

    def _show_message(self, text: str, *, reset: bool = False) -> None:
        self.empty.show_message(text, reset=reset)
        self._views.setCurrentIndex(1)

    def _say_count(self) -> None:
        if self._findings is not None and self._log is not None:
            people = len(self._log.users) if self._sessions is not None else None
            listed = self.model.rowCount()
            released = self._release is not None
            text = describe_counts(listed, self._findings, self._away, people, released)
            self.filters.count_label.setText(text)

    def _open_row(self, index: QModelIndex) -> None:
        if index.isValid():
            self.open_session(self.model.lines[index.row()])

    def _open_neighbour(self, by: int) -> None:
        row = self._opened_row + by
        if 0 <= row < self.model.rowCount():
            self.table.setCurrentIndex(self.model.index(row, 0))
            self._open_row(self.model.index(row, 0))

    def _read_current(self) -> None:
        index = self.table.currentIndex()
        if index.isValid() and self.model.lines[index.row()] != self.session.index:
            self._open_row(index)

    def _close_session(self) -> None:
        self.session.clear()
        self.note_bar.show_rows(None)
        self._opened_row = -1
        self._page.hide()

    # Dismissing

    def chosen_rows(self) -> list[Rows]:
        """First row and row after the last of the sessions that are selected in the list.

        Of a person it is their flagged sessions, or all that they issued where none is flagged.
        """
        findings, sessions = self._findings, self._sessions
        if findings is None:
            return []
        row_numbers = sorted(index.row() for index in self.table.selectionModel().selectedRows())
        places = [self.model.lines[row] for row in row_numbers]
        spans = zip(findings.start[places].tolist(), findings.stop[places].tolist(), strict=True)
        if sessions is None:
            return list(spans)
        spans_of_rows = (session_filter.sessions_of(sessions, *rows) or [rows] for rows in spans)
        return [rows for person in spans_of_rows for rows in person]

    def ask_reason(self) -> None:
        asking = any(menu.isVisible() for menu in self.findChildren(QMenu))
        if self._notes is None or not self.chosen_rows() or asking:
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for number, reason in enumerate(REASONS, start=1):
            action = menu.addAction(f"&{number}  " + reason_said(reason))
            action.triggered.connect(lambda _on=False, code=reason: self.dismiss_selected(code))
        menu.addSeparator()
        undo = menu.addAction(tr("&0  not dismissed"))
        undo.triggered.connect(lambda: self.dismiss_selected(""))
        row = self.table.visualRect(self.table.currentIndex())  # what is put away stays in sight
        menu.popup(self.table.viewport().mapToGlobal(row.bottomLeft()))

    def dismiss_selected(self, reason: str) -> None:
        """Dismiss the selected sessions in one undoable step, and move to the next."""
        selected = self.chosen_rows()
        if self._notes is not None and selected:
            self._opened_row = min(i.row() for i in self.table.selectionModel().selectedRows())
            self._notes.dismiss_all(selected, reason)

    def confirm_selected(self) -> None:
        """Confirm the selected sessions as risks in one undoable step, and move to the next."""
        selected = self.chosen_rows()
        if self._notes is not None and selected:
            last = max(i.row() for i in self.table.selectionModel().selectedRows())
            self._notes.confirm_all(selected)
            self._opened_row = last
            self._open_neighbour(1)
