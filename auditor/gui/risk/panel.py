"""The flagged sessions panel: filters, the table, and one session opened in its place.

Filtering, sorting and searching happen in a worker thread on arrays; the newest wish makes
older ones stale. What the panel says when there is nothing to list is part of its work.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from PySide6.QtCore import QEvent, QModelIndex, QSize, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QProgressBar,
    QPushButton,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from auditor.attacks.base import FlaggedFindings
from auditor.gui.app.translation import later, tr
from auditor.gui.risk import session_filter, table_view
from auditor.gui.risk.dismissals import put_away
from auditor.gui.risk.filter_bar import FilterBar
from auditor.gui.risk.note_bar import NoteBar
from auditor.gui.risk.session_filter import Key, SessionCriteria
from auditor.gui.risk.session_view import SessionView
from auditor.gui.risk.table_model import NOTED, FlaggedModel
from auditor.gui.state.session_notes import SessionNotes
from auditor.gui.state.worker import BackgroundJob, Tell
from auditor.gui.widgets import formats, safe_text, style
from auditor.log.model import QueryLog
from auditor.privacy.release import Anonymized
from auditor.progress import Progress

NO_LOG = later("Open a log. The sessions that could tell who somebody is are listed here.")
NO_RUN = later("Run a method to see which sessions are at risk, why, and what of them is released.")
NO_FINDINGS = later(
    "No session was flagged.\n\nThe spotters recognised no name, place, number or revealing term. "
    "That does not mean that nobody can be recognised: an unusual hobby is enough for "
    "somebody who knows the person."
)
NO_MATCH = later("No flagged session passes the filters.")
BUSY = later("Sorting the flagged sessions…")


class FlaggedPanel(QWidget):
    """Lists `FlaggedFindings`, filtered and sorted in the background; opens one of them.

    Signals
    -------
    opened(index)
        Somebody opened the session at that position of the findings.
    attack_chosen(name)
        Somebody wants the sessions that another attack flagged.
    """

    opened = Signal(int)
    attack_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Flagged sessions"))
        self._log: QueryLog | None = None
        self._findings: FlaggedFindings | None = None
        self._release: Anonymized | None = None
        self._events = np.zeros(0, dtype=np.int64)
        self._criteria = SessionCriteria()
        self._job: BackgroundJob | None = None
        self._opened_row = -1
        self._away = 0
        self._gap = False
        self._notes: SessionNotes | None = None
        self._do: Callable[[], None] | None = None
        self._model = FlaggedModel(self._sort, self)
        self._busy = QProgressBar(maximum=0, textVisible=False)
        self._filters = FilterBar(self)
        self._filters.changed.connect(self._refilter)
        self._filters.attack_chosen.connect(self.attack_chosen)
        self._make_table()
        self._make_states()
        self._session = SessionView(self)
        self._session.closed.connect(self._back)
        self._session.stepped.connect(self._step)
        self._list = QWidget()
        column = QVBoxLayout(self._list)
        column.setContentsMargins(0, 0, style.NORMAL, 0)
        column.setSpacing(style.TIGHT)
        column.addWidget(self._filters)
        column.addWidget(self._busy)
        column.addLayout(self._views, 1)
        self._pages = QStackedLayout(self)
        self._pages.addWidget(self._list)
        self._pages.addWidget(self._make_page())
        find = QShortcut(QKeySequence.StandardKey.Find, self)
        find.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        find.activated.connect(self._focus_search)
        self.clear()

    # What the window calls

    def keep_notes(self, book: SessionNotes) -> None:
        """Let people say something of sessions, and put them away."""
        self._notes = self._model.notes = book
        self._note_bar.keep_in(book)
        book.changed.connect(self._noted)
        self._noted()

    def offer(self, text: str, do: Callable[[], None]) -> None:
        """Offer something to do about what `set_state` said."""
        self._act.setText(text)
        self._act.show()
        self._do = do

    def set_log(self, log: QueryLog | None) -> None:
        """Another log (or none): forget the findings of the one before."""
        self._show(log, None, None)
        self._say(tr(NO_LOG) if log is None else tr(NO_RUN))

    def show_findings(
        self, log: QueryLog, findings: FlaggedFindings, release: Anonymized | None = None
    ) -> None:
        """List `findings` of `log`; `release` is what the marked queries may survive in."""
        reading = self._reading() if log is self._log else None
        self._show(log, findings, release)
        if not len(findings):
            self._say(tr(NO_FINDINGS))
            return
        self._filters.offer(findings.reasons, released=release is not None)
        self._criteria = self._wanted()
        self._refresh()
        if reading is not None:
            again = np.flatnonzero(findings.start == reading)
            if len(again):
                self.open_session(int(again[0]))

    def offer_attacks(self, titles: Mapping[str, str], chosen: str) -> None:
        """Which attacks flagged sessions, by name, and whose are to be shown."""
        self._filters.offer_attacks(titles, chosen)

    def clear(self) -> None:
        """Show nothing, and say that a log is wanted."""
        self.set_log(None)

    def set_state(self, text: str) -> None:
        """Say something in place of the list, such as what is being done or went wrong."""
        self._drop()
        self._pages.setCurrentIndex(0)
        self._say(text)

    def open_session(self, index: int) -> None:
        """Open the session at `index` of the findings, whether the filters show it or not."""
        if self._log is None or self._findings is None:
            return
        self._session.show_session(self._log, self._findings, self._release, index)
        self._opened_row, self._gap = self._model.row_of(index), False
        self._session.set_position(self._opened_row, self._model.rowCount())
        found = self._findings
        self._note_bar.show_rows((int(found.start[index]), int(found.stop[index])))
        self._pages.setCurrentIndex(1)
        self._session.setFocus(Qt.FocusReason.OtherFocusReason)
        self.opened.emit(index)

    # Making

    def _make_table(self) -> None:
        table = self._table = table_view.made(self._model)
        table.activated.connect(self._open_row)
        table.installEventFilter(self)

    def _make_page(self) -> QWidget:
        """One session, and under it what is said of it."""
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, style.TIGHT)
        column.setSpacing(style.TIGHT)
        self._note_bar = NoteBar()
        column.addWidget(self._session, 1)
        column.addWidget(self._note_bar)
        return page

    def _make_states(self) -> None:
        self._state = style.label(role="muted", wrap=True)
        self._state.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._reset = QPushButton(self.tr("Clear the filters"))
        self._reset.clicked.connect(self.clear_filters)
        page = QWidget()
        column = QVBoxLayout(page)
        column.addStretch(1)
        column.addWidget(self._state)
        column.addWidget(self._reset, 0, Qt.AlignmentFlag.AlignCenter)
        self._act = QPushButton()
        self._act.clicked.connect(lambda: self._do and self._do())
        column.addWidget(self._act, 0, Qt.AlignmentFlag.AlignCenter)
        column.addStretch(1)
        self._busy.setFixedHeight(3)
        self._busy.setAccessibleName(self.tr("Searching"))
        policy = self._busy.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self._busy.setSizePolicy(policy)
        self._busy.hide()
        self._views = QStackedLayout()
        self._views.addWidget(self._table)
        self._views.addWidget(page)

    # Reacting

    def _show(
        self, log: QueryLog | None, findings: FlaggedFindings | None, release: Anonymized | None
    ) -> None:
        self._drop()
        self._log, self._findings, self._release = log, findings, release
        self._events = np.zeros(0, dtype=np.int64)
        self._model.show(None, None, self._events, released=False)
        self._session.clear()
        self._note_bar.show_rows(None)
        self._pages.setCurrentIndex(0)
        self._filters.set_count("")
        self._filters.setVisible(findings is not None and len(findings) > 0)

    def clear_filters(self) -> None:
        """List everything again."""
        self._filters.reset()

    def _wanted(self) -> SessionCriteria:
        """What the filters say, in the order that stands, without the sessions put away."""
        book = self._notes
        return replace(
            self._filters.criteria(),
            key=self._criteria.key,
            descending=self._criteria.descending,
            away=book.dismissed if book is not None else (),
            noted=book.starts if book is not None else (),
        )

    def _noted(self) -> None:
        """Notes changed: the column is there if there are any, the filter if it has an effect."""
        book = self._notes
        if book is None:
            return
        self._table.setColumnHidden(NOTED, not len(book))
        self._filters.offer_dismissed(bool(book.dismissed))
        self._model.noted()
        self._refilter()

    def _refilter(self) -> None:
        wanted = self._wanted()
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
        self._drop()
        log, findings, criteria = self._log, self._findings, self._criteria
        if log is None or findings is None or not len(findings):
            return
        events = self._events

        def work(progress: Progress, tell: Tell) -> None:
            counts = events if len(events) else session_filter.event_counts(log, findings)
            progress.check()
            places = session_filter.select(log, findings, counts, criteria)
            away = int(put_away(findings, criteria.away).sum()) if criteria.away else 0
            tell((counts, None if criteria.text else places, away))
            if criteria.text:
                for hits in session_filter.search(log, findings, places, criteria.text, progress):
                    tell((None, hits, away))

        if not self._model.rowCount():
            self._say(tr(BUSY))
        if criteria.text:
            self._filters.set_count("searching…")
        self._busy.show()
        job = self._job = BackgroundJob("flagged sessions", work)
        job.partial.connect(self._arrived)
        job.done.connect(self._finished)
        job.failed.connect(self._failed)
        job.start()

    def _arrived(self, part: tuple[Any, Any, int]) -> None:
        counts, places, self._away = part
        if counts is not None:
            self._events = counts
            self._model.show(self._log, self._findings, counts, released=self._release is not None)
        if places is not None:
            self._model.append(places)
        if self._model.rowCount():
            self._views.setCurrentIndex(0)
        self._say_count()

    def _finished(self) -> None:
        self._job = None
        if self._reading() is not None:
            self._place_again(self._model.row_of(self._session.index))
        self._busy.hide()
        if not self._model.rowCount():
            self._say(tr(NO_MATCH), reset=True)
        elif not self._table.currentIndex().isValid():
            self._table.setCurrentIndex(self._model.index(0, 0))
        self._say_count()

    def _failed(self, message: str) -> None:
        self._job = None
        self._busy.hide()
        self._say(
            self.tr("The sessions could not be listed. {message}").format(message=message),
            reset=True,
        )

    def _drop(self) -> None:
        self._busy.hide()
        if self._job is not None:
            self._job.drop()
            self._job = None

    def _say(self, text: str, *, reset: bool = False) -> None:
        self._state.setText(text)
        self._reset.setVisible(reset)
        self._act.hide()
        self._views.setCurrentIndex(1)

    def _say_count(self) -> None:
        if self._findings is not None:
            shown, all_of_them = self._model.rowCount(), len(self._findings)
            found = safe_text.counted(all_of_them, "session")
            text = (
                found
                if shown == all_of_them
                else self.tr("{shown} of {found}").format(shown=formats.count(shown), found=found)
            )
            if self._away:
                text += self.tr(" · {away} dismissed").format(away=formats.count(self._away))
            self._filters.set_count(text)

    # One session

    def _open_row(self, index: QModelIndex) -> None:
        if index.isValid():
            self.open_session(self._model.place(index.row()))

    def _place_again(self, row: int) -> None:
        """Where the open session stands in another list; one put away leaves a gap behind."""
        rows = self._model.rowCount()
        self._gap = row < 0 <= self._opened_row
        if not self._gap:
            self._opened_row = row
        self._session.set_position(self._opened_row, rows, gone=self._gap)

    def _step(self, by: int) -> None:
        row = self._opened_row + (min(by, 0) if self._gap else by)
        if 0 <= row < self._model.rowCount():
            self._table.setCurrentIndex(self._model.index(row, 0))
            self._open_row(self._model.index(row, 0))

    def _reading(self) -> int | None:
        """First row of the session that is being read, to find it in other findings."""
        return self._session.first_row if self._pages.currentIndex() == 1 else None

    def _back(self) -> None:
        self._pages.setCurrentIndex(0)
        self._table.setFocus(Qt.FocusReason.OtherFocusReason)

    def _focus_search(self) -> None:
        self._pages.setCurrentIndex(0)
        self._filters.focus_search()

    def eventFilter(self, watched: Any, event: QEvent) -> bool:
        """Return opens the session that the keyboard stands on, on every platform."""
        if watched is self._table and event.type() == QEvent.Type.KeyPress:
            key = event.key()  # type: ignore[attr-defined]
            if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._open_row(self._table.currentIndex())
                return True
        return super().eventFilter(watched, event)

    def minimumSizeHint(self) -> QSize:
        """Small enough for a laptop's lower third."""
        return QSize(480, 140)
