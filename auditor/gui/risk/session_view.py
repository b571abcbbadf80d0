"""One flagged session opened: its queries with what was recognised marked, and its fate."""

from __future__ import annotations

from functools import partial
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QEvent, QModelIndex, QObject, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut, QTextCursor, QTextOption
from PySide6.QtWidgets import QHBoxLayout, QHeaderView, QPlainTextEdit, QTextEdit, QWidget

from auditor.attacks.base import FlaggedFindings
from auditor.gui.app.translation import tr, translate_all
from auditor.gui.risk import session_data
from auditor.gui.risk.session_data import SessionRows
from auditor.gui.risk.session_released import ReleasedEvents, find_released_events
from auditor.gui.state.worker import LatestJob
from auditor.gui.widgets import formats, safe_text, style
from auditor.gui.widgets.areas import FoldedSection, PageArea
from auditor.gui.widgets.elided_label import ElidedLabel
from auditor.gui.widgets.marked_text import MARKS, MarkedDelegate, mark_format
from auditor.gui.widgets.tables import Column, ColumnModel, make_table
from auditor.log.model import QueryLog
from auditor.privacy.release import Anonymized

QUERY = 1
"""The column of queries, in which what was recognised is marked."""
LINES, TALLER = 8, 2.2
"""Lines of text that events and reasons need, and how many times as many one below the other."""


class SessionPane(QWidget):
    """Events in a table, words at its side; whoever holds it answers `closed` and `stepped(±1)`."""

    closed = Signal()
    stepped = Signal(int)

    def __init__(
        self, model: QAbstractTableModel, about: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.job = LatestJob()
        """What looks up what a release shows of the session."""
        self.heading = ElidedLabel(bold=True)
        self.position = style.plain_label(role="muted")
        self.table = make_table(model, about)
        self.table.setItemDelegateForColumn(QUERY, MarkedDelegate(self.table))
        self.table.selectionModel().currentRowChanged.connect(self.show_event)
        side = QWidget()
        side.setMinimumWidth(180)
        self.words = style.column(side, margins=(style.NORMAL, 0))
        scroll = style.scroll_area(
            side, across=False, name=self.tr("The chosen query, and what the reasons mean")
        )
        # the reasons are read: a wide screen is theirs, too
        parts = self.table, scroll
        split = self.split = style.splitter(parts, sizes=[640, 240], stretch=(3, 1))
        self.bar = self._make_bar()
        # Where there is little room, the reasons stand below the events, in whole lines.
        area = PageArea(split, LINES, (split,), taller=TALLER)
        area.narrowed.connect(self._turn)
        self.body = style.column(self, [self.bar, (area, 1)], spacing=style.TIGHT)
        self._moved = False
        split.splitterMoved.connect(self._keep_moved)
        split.installEventFilter(self)
        self.setFocusProxy(self.table)

    def set_position(self, row: int, rows: int) -> None:
        self.previous_button.setEnabled(row > 0)
        self.next_button.setEnabled(0 <= row < rows - 1)
        said = self.tr("{row} of {rows}") if row >= 0 else self.tr("not in the list")
        place, count = formats.format_count(row + 1), formats.format_count(rows)
        self.position.setText(said.format(row=place, rows=count))

    def show_event(self, current: QModelIndex) -> None:
        """Say more of the event that was chosen, where the pane has more to say."""

    def fit_rows(self) -> None:
        """Give the events the lines they have, up to half of a narrow pane, and words the rest."""
        lines = self.table.verticalHeader().length()
        if self._moved or not lines or self.split.orientation() == Qt.Orientation.Horizontal:
            return
        rows = lines + self.table.horizontalHeader().height()
        if self.table.horizontalScrollBar().isVisible():
            rows += self.table.horizontalScrollBar().height()
        whole = self.split.height() - self.split.handleWidth()
        events = min(rows + 2 * self.table.frameWidth() + style.TIGHT, whole // 2)
        self.split.setSizes([events, whole - events])

    def _keep_moved(self) -> None:
        self._moved = True

    def _turn(self, narrow: bool) -> None:
        self._moved = False
        self.split.setSizes([40, 60] if narrow else [640, 240])
        self.fit_rows()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and watched is self.split:
            self.fit_rows()
        return super().eventFilter(watched, event)

    def _make_bar(self) -> QHBoxLayout:
        bar = QHBoxLayout()
        self.previous_button = style.button(
            self.tr("&Previous"),
            lambda: self.stepped.emit(-1),
            tip=self.tr("The session before in the list (Alt+Left)"),
        )
        self.next_button = style.button(
            self.tr("&Next"),
            lambda: self.stepped.emit(1),
            tip=self.tr("The next session in the list (Alt+Right)"),
        )
        bar.addWidget(self.heading, 100)
        bar.addWidget(self.position)
        bar.addStretch(1)  # else the buttons would take what the heading leaves
        for button in (self.previous_button, self.next_button):
            bar.addWidget(button)
        for keys, act in (
            ("Escape", self.closed.emit),
            ("Alt+Left", self.previous_button.click),
            ("Alt+Right", self.next_button.click),
        ):
            shortcut = QShortcut(QKeySequence(keys), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(act)
        return bar


TIME, _, WHY, CLICKED, FATE = range(5)
DAY = 86_400
"""Seconds beyond which what somebody issued is shown with its dates."""
NARROW = 60
"""Characters below which reasons and clicks stand beside the table alone: queries need the room."""


class SessionModel(ColumnModel):
    """The events of one session, by their numbers in it."""

    def __init__(self, parent: QObject | None = None) -> None:
        self.session: SessionRows | None = None
        self.shown: ReleasedEvents | None = None
        columns = (
            Column(tr("Time (UTC)"), self._format_time),
            Column(tr("Query"), self._format_query, tip=self._tell_marks,
                   roles={MARKS: self._list_marks}),
            Column(tr("Why marked"), self._format_why, tip=self._tell_marks),
            Column(tr("Clicked"), lambda event: ", ".join(self.opened.list_clicks(event))),
            Column(tr("In the release"), self._format_fate, tip=self._tell_fate),
        )  # fmt: skip
        super().__init__(columns, (), parent)

    @property
    def opened(self) -> SessionRows:
        assert self.session is not None
        return self.session

    def set_session(self, session: SessionRows | None) -> None:
        self.session, self.shown = session, None
        self.set_lines(range(0 if session is None else len(session.rows)))

    def set_released_events(self, shown: ReleasedEvents) -> None:
        self.shown = shown
        self.refresh_columns(FATE)

    def _list_marks(self, event: int) -> list[session_data.Mark]:
        return self.opened.list_marks(event)

    def _format_time(self, event: int) -> str:
        log, rows = self.opened.log, self.opened.rows
        long = int(log.time[rows[-1]]) - int(log.time[rows[0]]) > DAY
        return safe_text.format_moment(int(log.time[rows[event]]), date=long)

    def _format_query(self, event: int) -> str:
        limit, marks = safe_text.LINE_LIMIT, self._list_marks(event)
        if marks:  # far enough to reach the first of them
            limit = min(safe_text.TEXT_LIMIT, limit + marks[0][0])
        return safe_text.make_line(
            self.opened.log.queries, self.opened.find_query_code(event), limit
        )

    def _format_why(self, event: int) -> str:
        whys = (why for _, _, why in self._list_marks(event))
        return "; ".join(translate_all(session_data.gravest_first(whys)))

    def _tell_marks(self, event: int) -> str:
        reasons = dict.fromkeys(why for _, _, why in self._list_marks(event))
        if not reasons:
            return self.tr("Nothing was recognised in it")
        return self.tr("Marked: {reasons}").format(reasons="; ".join(translate_all(reasons)))

    def _format_fate(self, event: int) -> str:
        if not self.opened.released:
            return self.tr("no release yet")
        if self.shown is not None:
            return self.shown.events[event].format_fate()
        return self.tr("✓ word for word") if self.opened.survives(event) else self.tr("no")

    def _tell_fate(self, event: int) -> str:
        if self.shown is None:
            return ""
        fate = self.shown.events[event]
        return "\n".join([fate.format_fate(), *fate.more, self.shown.told])


class SessionView(SessionPane):
    """One session, and what the release shows of it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        model = SessionModel()
        super().__init__(model, tr("Queries of the session"), parent)
        self.model = model
        self.setAccessibleName(self.tr("Flagged session"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._left = 0
        self.verdict = style.plain_label(wrap=True)
        self.body.insertWidget(1, self.verdict)
        self.table.viewport().installEventFilter(self)
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(TIME, QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(QUERY, QHeaderView.ResizeMode.Stretch)
        self.text_box = QPlainTextEdit(readOnly=True, tabChangesFocus=True)
        self.text_box.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.text_box.setAccessibleName(self.tr("The chosen query in full"))
        self.text_box.setUndoRedoEnabled(False)
        self.text_box.setFixedHeight(self.text_box.fontMetrics().lineSpacing() * 4)
        self.about = style.plain_label(role="muted", wrap=True)
        self._meaning = style.plain_label(wrap=True)
        meanings = FoldedSection(self.tr("What the reasons mean"))
        meanings.column.addWidget(self._meaning)
        for widget in (self.text_box, self.about, meanings):
            self.words.addWidget(widget)
        self.words.addStretch(1)

    @property
    def index(self) -> int:
        return -1 if self.model.session is None else self.model.session.index

    @property
    def first_row(self) -> int | None:
        return None if self.model.session is None else self.model.session.rows[0]

    def show_session(
        self,
        log: QueryLog,
        findings: FlaggedFindings,
        release: Anonymized | None,
        index: int,
        hit: int | None = None,
    ) -> None:
        """Open the session at `index` of the findings, at the row `hit` of the log if there is."""
        self.clear()
        start, stop = int(findings.start[index]), int(findings.stop[index])
        session = SessionRows(log, start, stop, findings, index, release is not None)
        self.model.set_session(session)
        self.heading.show_text(session.format_heading())
        self.verdict.setText(session.format_verdict())
        self._meaning.setText(
            "\n\n".join(f"{head}: {text}" for head, text in session.explain_reasons())
        )
        self._fit_columns()
        self.fit_rows()
        row = session.most_telling() if hit is None else session.find_event(hit)
        self.table.setCurrentIndex(self.model.index(row, QUERY))
        if release is not None:
            work = partial(find_released_events, log, release, session.rows, stop)
            self.job.start("released session", work, self._show_released, self.about.setText)

    def clear(self) -> None:
        self.job.drop()
        self.model.set_session(None)
        self.heading.show_text("")
        self.verdict.clear()
        self._meaning.clear()
        self.text_box.clear()
        self.about.clear()

    def _show_released(self, shown: ReleasedEvents) -> None:
        self.model.set_released_events(shown)
        self._fit_columns()
        self._say_about(self.table.currentIndex().row())

    def _fit_columns(self) -> None:
        """As wide as what stands in them, up to a share each, and the rest for the queries."""
        header, wide = self.table.horizontalHeader(), self.table.viewport().width()
        session = self.model.session
        narrow = wide < NARROW * self.fontMetrics().averageCharWidth()
        for place in (WHY, CLICKED):
            self.table.setColumnHidden(place, narrow)
        self.table.setColumnHidden(FATE, session is not None and not session.released)
        for place, share in ((WHY, 0.25), (CLICKED, 0.2), (FATE, 0.3)):
            wanted = min(self.table.sizeHintForColumn(place), round(share * wide))
            header.resizeSection(place, max(header.sectionSizeHint(place), wanted))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and watched is not self.split:
            self._fit_columns()
        return super().eventFilter(watched, event)

    def show_event(self, current: QModelIndex) -> None:
        session = self.model.session
        if session is None or not current.isValid():
            return
        event = current.row()
        text, left = safe_text.take_head(
            session.log.queries, session.find_query_code(event), safe_text.TEXT_LIMIT
        )
        self.text_box.setPlainText(text)
        marks = session.list_marks(event)
        made = []
        for start, length in session_data.utf16_marks(text, marks):
            selection: Any = QTextEdit.ExtraSelection()
            selection.format = mark_format(self)
            selection.cursor = QTextCursor(self.text_box.document())
            selection.cursor.setPosition(start)
            selection.cursor.setPosition(start + length, QTextCursor.MoveMode.KeepAnchor)
            made.append(selection)
        self.text_box.setExtraSelections(made)
        self._left = left
        self._say_about(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and "text_box" in self.__dict__:
            self.show_event(self.table.currentIndex())

    def _say_about(self, event: int) -> None:
        session = self.model.session
        if session is None or not 0 <= event < len(session.rows):
            return
        lines = []
        if self._left:
            left = safe_text.format_bytes(self._left)
            lines.append(self.tr("{left} more of this query are not shown.").format(left=left))
        marks = session.list_marks(event)
        if marks:
            lines.append(session_data.in_words(self.text_box.toPlainText(), marks))
        lines += [
            self.tr("Clicked: {url}").format(url=url) for url in session.list_clicks(event)[:3]
        ]
        shown = self.model.shown
        if shown is not None:
            fate = shown.events[event]
            if fate.kind == "changed":
                lines.append(self.tr("Released as: {text}").format(text=fate.text))
            said = self.tr("The release does not hold this query.")
            if fate.count:
                said = self.tr("The release holds this query {count}.")
            lines.append(said.format(count=safe_text.format_plural(fate.count, "time")))
            lines += [*fate.more, shown.told]
        self.about.setText("\n".join(lines))
