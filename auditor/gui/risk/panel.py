"""The flagged sessions: filters and the list at the left, the session that is read at the right.

Filtering, sorting and searching happen in a worker thread on arrays; the newest wish makes
older ones stale. What the panel says when there is nothing to list is part of its work.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from PySide6.QtCore import QModelIndex, Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QProgressBar, QSplitter, QStackedLayout, QVBoxLayout, QWidget

from auditor.attacks.base import AttackResult, FlaggedFindings
from auditor.gui.app.translation import tr
from auditor.gui.risk import session_filter, table_view
from auditor.gui.risk.dismissals import Rows
from auditor.gui.risk.filter_bar import FilterBar
from auditor.gui.risk.list_state import (
    BUSY,
    NO_FINDINGS,
    NO_LOG,
    NO_MATCH,
    NO_RUN,
    ListState,
    describe_counts,
    reason_menu,
)
from auditor.gui.risk.note_bar import NoteBar
from auditor.gui.risk.recovery import recovered_queries, recovered_words
from auditor.gui.risk.session_filter import Key, SessionCriteria
from auditor.gui.risk.session_view import SessionView
from auditor.gui.risk.table_model import NOTED, FlaggedModel
from auditor.gui.state.session_notes import SessionNotes
from auditor.gui.state.worker import BackgroundJob, Tell
from auditor.gui.widgets import style
from auditor.log.model import QueryLog
from auditor.privacy.release import Anonymized
from auditor.progress import Progress


class FlaggedPanel(QWidget):
    """Lists `FlaggedFindings`, filtered and sorted in the background; opens one of them."""

    opened = Signal(int)
    """Position of the session in the findings."""
    attack_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Flagged sessions"))
        self._log: QueryLog | None = None
        self._findings: FlaggedFindings | None = None
        self._release: Anonymized | None = None
        self._events = np.zeros(0, dtype=np.int64)
        self._criteria = SessionCriteria()
        self.job: BackgroundJob | None = None
        self._opened_row, self._after, self._away = -1, -1, 0
        self._notes: SessionNotes | None = None
        self._words: frozenset[str] = frozenset()
        self.model = FlaggedModel(self._sort, self)
        self._busy = QProgressBar(maximum=0, textVisible=False)
        self.filters = FilterBar(self)
        self.filters.changed.connect(self._refilter)
        self.filters.attack_chosen.connect(self.attack_chosen)
        self._make_table()
        self._make_states()
        self.session = SessionView(self)
        self.session.closed.connect(self._focus_table)
        self.session.stepped.connect(self._open_neighbour)
        self._page = self._make_page()
        self._sides = QSplitter(Qt.Orientation.Horizontal)
        self._sides.setChildrenCollapsible(False)
        self._sides.setHandleWidth(6)
        self._sides.addWidget(self._list)
        self._sides.addWidget(self._page)
        self._sides.setSizes([430, 830])
        whole = QVBoxLayout(self)
        whole.setContentsMargins(*(style.NORMAL,) * 4)
        whole.setSpacing(style.TIGHT)
        whole.addWidget(self.filters)
        whole.addWidget(self._busy)
        whole.addWidget(self._sides, 1)
        self._read = QTimer(self, singleShot=True, interval=0)
        self._read.timeout.connect(self._read_current)
        keys: dict[Any, Callable[[], None]] = {
            "J": lambda: self._open_neighbour(1),
            "K": lambda: self._open_neighbour(-1),
            "D": self.ask_reason,
            "C": self.confirm_selected,
        }
        table_view.bind_keys(
            self, keys | {QKeySequence.StandardKey.Find: self.filters.focus_search}
        )
        self.clear()

    # What the window calls

    def keep_notes(self, book: SessionNotes) -> None:
        """Let people say something of sessions, and put them away."""
        self._notes = self.model.notes = book
        self.note_bar.keep_in(book)
        book.changed.connect(self._apply_notes)
        self._apply_notes()

    def offer_action(self, text: str, do: Callable[[], None]) -> None:
        """Offer something to do about what `set_state` said."""
        self.empty.offer_action(text, do)

    def set_log(self, log: QueryLog | None) -> None:
        """Another log (or none): forget the findings of the one before."""
        self._set_findings(log, None, None)
        self._show_message(tr(NO_LOG) if log is None else tr(NO_RUN))

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
        self._set_findings(log, findings, release)
        if not len(findings):
            self._show_message(tr(NO_FINDINGS))
            return
        self.filters.offer_reasons(findings.reasons, released=release is not None)
        self._criteria = self._read_criteria()
        self._words = recovered_words(attacks)
        self._refresh()
        if reading is not None:
            again = np.flatnonzero(findings.start == reading)
            if len(again):
                self.open_session(int(again[0]))

    def offer_attacks(self, titles: Mapping[str, str], chosen: str) -> None:
        """Which attacks flagged sessions, by name, and whose are to be shown."""
        self.filters.offer_attacks(titles, chosen)

    def clear(self) -> None:
        """Show nothing, and say that a log is wanted."""
        self.set_log(None)

    def set_state(self, text: str) -> None:
        """Say something in place of the list, such as what is being done or went wrong."""
        self._drop_job()
        self._close_session()
        self._show_message(text)

    def open_session(self, index: int) -> None:
        """Open the session at `index` of the findings, whether the filters show it or not."""
        if self._log is None or self._findings is None:
            return
        hit = self.model.find_hit(index)
        self.session.show_session(self._log, self._findings, self._release, index, hit)
        self._opened_row = self.model.row_of(index)
        self.session.set_position(self._opened_row, self.model.rowCount())
        found = self._findings
        self.note_bar.show_rows((int(found.start[index]), int(found.stop[index])))
        self._page.show()
        if self._opened_row >= 0 and self.table.currentIndex().row() != self._opened_row:
            self.table.selectRow(self._opened_row)
        self.opened.emit(index)

    # Making

    def _make_table(self) -> None:
        table = self.table = table_view.make_table_view(self.model)
        table.activated.connect(self._open_row)
        table.selectionModel().currentRowChanged.connect(lambda *_: self._read.start())

    def _make_page(self) -> QWidget:
        """One session, and under it what is said of it."""
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, style.TIGHT)
        column.setSpacing(style.TIGHT)
        self.note_bar = NoteBar()
        column.addWidget(self.session, 1)
        column.addWidget(self.note_bar)
        return page

    def _make_states(self) -> None:
        self.empty = ListState()
        self.empty.reset_wanted.connect(self.clear_filters)
        self._busy.setFixedHeight(3)
        self._busy.setAccessibleName(self.tr("Searching"))
        policy = self._busy.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self._busy.setSizePolicy(policy)
        self._busy.hide()
        self._list = QWidget()
        self._views = QStackedLayout(self._list)
        self._views.addWidget(self.table)
        self._views.addWidget(self.empty)

    # Reacting

    def _set_findings(
        self, log: QueryLog | None, findings: FlaggedFindings | None, release: Anonymized | None
    ) -> None:
        self._drop_job()
        self._log, self._findings, self._release = log, findings, release
        self._events = np.zeros(0, dtype=np.int64)
        self.model.learn_recovered(None)
        self.model.set_findings(None, None, self._events, released=False)
        self._close_session()
        self.filters.set_count("")
        self.filters.setVisible(findings is not None and len(findings) > 0)

    def clear_filters(self) -> None:
        """List everything again."""
        self.filters.reset()

    def _read_criteria(self) -> SessionCriteria:
        """What the filters say, in the order that stands, without the sessions put away."""
        book = self._notes
        return replace(
            self.filters.read_criteria(),
            key=self._criteria.key,
            descending=self._criteria.descending,
            away=book.dismissed if book is not None else (),
            noted=book.starts if book is not None else (),
        )

    def _apply_notes(self) -> None:
        """Notes changed: the column is there if there are any, the filter if it has an effect."""
        book = self._notes
        if book is None:
            return
        self._after = self._opened_row
        self.table.setColumnHidden(NOTED, not len(book))
        self.filters.offer_dismissed(bool(book.dismissed))
        self.model.refresh_notes()
        self._refilter()

    def _refilter(self) -> None:
        wanted = self._read_criteria()
        if wanted != self._criteria:
            self._criteria = wanted
            self._refresh()

    def _sort(self, key: Key, descending: bool) -> None:
        wanted = replace(self._criteria, key=key, descending=descending)
        if wanted != self._criteria:
            self._criteria = wanted
            self._refresh()

    def _refresh(self) -> None:
        """Make the list anew, in a thread; whatever was being made is stale."""
        self._drop_job()
        log, findings, criteria = self._log, self._findings, self._criteria
        if log is None or findings is None or not len(findings):
            return
        events, given_back = self._events, self._words
        self._words = frozenset()

        def send_sessions(progress: Progress, tell: Tell) -> None:
            session_filter.list_sessions(log, findings, events, criteria, tell, progress)
            if given_back:
                marked = findings.mark_query
                tell(recovered_queries(log.queries, marked, given_back, progress))

        if not self.model.rowCount():
            self._show_message(tr(BUSY))
        if criteria.text:
            self.filters.set_count(self.tr("searching…"))
        self._busy.show()
        job = self.job = BackgroundJob("flagged sessions", send_sessions)
        job.partial.connect(self._add_part)
        job.done.connect(self._finish_listing)
        job.failed.connect(self._show_failure)
        job.start()

    def _add_part(self, part: Any) -> None:
        if not isinstance(part, tuple):
            self.model.learn_recovered(part)
            return
        counts, places, self._away, hits = part
        if counts is not None:
            self._events = counts
            released = self._release is not None
            self.model.set_findings(self._log, self._findings, counts, released=released)
            table_view.hide_columns(self.table, self.table.width())
        if places is not None:
            self.model.append(places, hits)
        if self.model.rowCount():
            self._views.setCurrentIndex(0)
        self._say_count()

    def _finish_listing(self) -> None:
        self.job = None
        self._busy.hide()
        rows = self.model.rowCount()
        row = self.model.row_of(self.session.index) if self.session.first_row is not None else -1
        after, self._after = self._after, -1
        if not rows:
            self._close_session()
            self._show_message(tr(NO_MATCH), reset=True)
        elif row >= 0:
            self._opened_row = row
            self.session.set_position(row, rows)
            self.table.setCurrentIndex(self.model.index(row, 0))  # where the keys go on
        else:  # it was put away or filtered out: go on with what stands in its place
            self.table.selectRow(min(max(after, 0), rows - 1))
        self._say_count()

    def _show_failure(self, message: str) -> None:
        self.job = None
        self._busy.hide()
        text = self.tr("The sessions could not be listed. {message}").format(message=message)
        self._show_message(text, reset=True)

    def _drop_job(self) -> None:
        self._busy.hide()
        if self.job is not None:
            self.job.drop()
            self.job = None

    def _show_message(self, text: str, *, reset: bool = False) -> None:
        self.empty.show_message(text, reset=reset)
        self._views.setCurrentIndex(1)

    def _say_count(self) -> None:
        if self._findings is not None:
            self.filters.set_count(
                describe_counts(self.model.rowCount(), len(self._findings), self._away)
            )

    def _open_row(self, index: QModelIndex) -> None:
        if index.isValid():
            self.open_session(self.model.find_place(index.row()))

    def _open_neighbour(self, by: int) -> None:
        row = self._opened_row + by
        if 0 <= row < self.model.rowCount():
            self.table.setCurrentIndex(self.model.index(row, 0))
            self._open_row(self.model.index(row, 0))

    def _read_current(self) -> None:
        """Open the session that the list stands on, unless it is the one that is read."""
        index = self.table.currentIndex()
        if index.isValid() and self.model.find_place(index.row()) != self.session.index:
            self._open_row(index)

    def _close_session(self) -> None:
        self.session.clear()
        self.note_bar.show_rows(None)
        self._opened_row = -1
        self._page.hide()

    def _focus_table(self) -> None:
        self.table.setFocus(Qt.FocusReason.OtherFocusReason)

    # Dismissing

    def chosen_rows(self) -> list[Rows]:
        """First row and row after the last of the sessions that are selected in the list."""
        found = self._findings
        if found is None:
            return []
        rows = sorted(index.row() for index in self.table.selectionModel().selectedRows())
        places = [self.model.find_place(row) for row in rows]
        return [(int(found.start[place]), int(found.stop[place])) for place in places]

    def ask_reason(self) -> None:
        """Offer the reasons for which what is selected may be dismissed."""
        if self._notes is None or not self.chosen_rows():
            return
        menu = reason_menu(self, self.dismiss_selected)
        row = self.table.visualRect(self.table.currentIndex())  # what is put away stays in sight
        menu.popup(self.table.viewport().mapToGlobal(row.bottomLeft()))

    def dismiss_selected(self, reason: str) -> None:
        """Put away what is selected, in one step that can be undone, and go on with the next."""
        chosen = self.chosen_rows()
        if self._notes is not None and chosen:
            self._opened_row = min(i.row() for i in self.table.selectionModel().selectedRows())
            self._notes.dismiss_all(chosen, reason)

    def confirm_selected(self) -> None:
        """Say of what is selected that it is a risk, in one step, and go on with the next."""
        chosen = self.chosen_rows()
        if self._notes is not None and chosen:
            last = max(i.row() for i in self.table.selectionModel().selectedRows())
            self._notes.confirm_all(chosen)
            self._opened_row = last
            self._open_neighbour(1)
