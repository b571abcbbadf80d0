"""One flagged session opened: its queries with what was recognised marked, and its fate.

Its text is plain everywhere; `marked_text` paints the marks, and the reasons stand beside them in
words.
"""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QEvent, QModelIndex, QObject, Qt
from PySide6.QtGui import QTextCursor, QTextOption
from PySide6.QtWidgets import QHeaderView, QPlainTextEdit, QTextEdit, QWidget

from auditor.attacks.base import FlaggedFindings
from auditor.gui.app.translation import mark_for_translation, tr, translate_all
from auditor.gui.risk import session_data, session_released
from auditor.gui.risk.session_data import SessionRows
from auditor.gui.risk.session_pane import QUERY, SessionPane
from auditor.gui.risk.session_released import ReleasedEvents
from auditor.gui.risk.table_model import Index
from auditor.gui.state.worker import BackgroundJob, Tell
from auditor.gui.widgets import safe_text, style
from auditor.gui.widgets.marked_text import MARKS, mark_format
from auditor.log.model import QueryLog
from auditor.privacy.release import Anonymized
from auditor.progress import Progress

Role = Qt.ItemDataRole

HEADINGS = (
    mark_for_translation("Time (UTC)"),
    mark_for_translation("Query"),
    mark_for_translation("Why marked"),
    mark_for_translation("Clicked"),
    mark_for_translation("In the release"),
)
TIME, _, WHY, CLICKED, FATE = range(len(HEADINGS))
NARROW = 60
"""Characters below which reasons and clicks stand beside the table alone: queries need the room."""


class SessionModel(QAbstractTableModel):
    """The events of one session, made into text when they are seen."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.session: SessionRows | None = None
        self.shown: ReleasedEvents | None = None

    def set_session(self, session: SessionRows | None) -> None:
        """Another session, or none."""
        self.beginResetModel()
        self.session, self.shown = session, None
        self.endResetModel()

    def set_released_events(self, shown: ReleasedEvents) -> None:
        """What the release shows of the session."""
        self.shown = shown
        if self.rowCount():
            self.dataChanged.emit(self.index(0, FATE), self.index(self.rowCount() - 1, FATE))

    def rowCount(self, parent: Index | None = None) -> int:
        """Events."""
        if self.session is None or (parent is not None and parent.isValid()):
            return 0
        return len(self.session.rows)

    def columnCount(self, parent: Index | None = None) -> int:
        """Columns."""
        return 0 if parent is not None and parent.isValid() else len(HEADINGS)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole
    ) -> Any:
        """Headings."""
        if orientation is Qt.Orientation.Horizontal and role == Role.DisplayRole:
            return tr(HEADINGS[section])
        return None

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        """One cell."""
        session = self.session
        if session is None or not index.isValid():
            return None
        event, column = index.row(), index.column()
        if role == MARKS and column == QUERY:
            return session.list_marks(event)
        if role == Role.ToolTipRole and column in (QUERY, WHY):
            reasons = dict.fromkeys(why for _, _, why in session.list_marks(event))
            if not reasons:
                return self.tr("Nothing was recognised in it")
            told = self.tr("Marked: {reasons}").format(reasons="; ".join(translate_all(reasons)))
            return safe_text.plain_tip(told)
        if role == Role.ToolTipRole and column == FATE and self.shown is not None:
            fate = self.shown.events[event]
            told = "\n".join([fate.format_fate(), *fate.more, self.shown.told])
            return safe_text.plain_tip(told)
        if role == Role.DisplayRole:
            return self._format_cell(session, event, column)
        return None

    def _format_cell(self, session: SessionRows, event: int, column: int) -> str:
        match column:
            case 0:
                return safe_text.format_moment(
                    int(session.log.time[session.rows[event]]), date=False
                )
            case 1:
                limit = safe_text.LINE_LIMIT
                marks = session.list_marks(event)
                if marks:  # far enough to reach the first of them
                    limit = min(safe_text.TEXT_LIMIT, limit + marks[0][0])
                return safe_text.make_line(
                    session.log.queries, session.find_query_code(event), limit
                )
            case 2:
                whys = (why for _, _, why in session.list_marks(event))
                return "; ".join(translate_all(session_data.gravest_first(whys)))
            case 3:
                return ", ".join(session.find_clicks(event))
            case _:
                if not session.released:
                    return self.tr("no release yet")
                if self.shown is not None:
                    return self.shown.events[event].format_fate()
                return self.tr("✓ word for word") if session.survives(event) else self.tr("no")


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
        for widget in (self.text_box, self.about, self._meaning):
            self.words.addWidget(widget)
        self.words.addStretch(1)

    @property
    def index(self) -> int:
        """Which of the findings is shown, −1 for none."""
        return -1 if self.model.session is None else self.model.session.index

    @property
    def first_row(self) -> int | None:
        """The row of the log at which the session begins."""
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
        session = session_data.load_session(log, findings, release is not None, index)
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
            self._look_up(session, release)

    def clear(self) -> None:
        """Forget the session."""
        self.drop_job()
        self.model.set_session(None)
        self.heading.show_text("")
        self.verdict.clear()
        self._meaning.clear()
        self.text_box.clear()
        self.about.clear()

    def _look_up(self, session: SessionRows, release: Anonymized) -> None:
        def find_events(progress: Progress, _tell: Tell) -> ReleasedEvents:
            return session_released.find_released_events(
                session.log, release, session.rows, session.stop, progress
            )

        job = self.job = BackgroundJob("released session", find_events)
        job.done.connect(self._show_released)
        job.failed.connect(self._not_found)
        job.start()

    def _show_released(self, shown: ReleasedEvents) -> None:
        self.job = None
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
        """Share out the room that the table has now."""
        if event.type() == QEvent.Type.Resize and watched is not self.split:
            self._fit_columns()
        return super().eventFilter(watched, event)

    def _not_found(self, why: str) -> None:
        self.job = None
        self.about.setText(why)

    def show_event(self, current: QModelIndex) -> None:
        """Show the query in full, with its marks."""
        session = self.model.session
        if session is None or not current.isValid():
            return
        event = current.row()
        text, left = safe_text.take_head(
            session.log.queries, session.find_query_code(event), safe_text.TEXT_LIMIT
        )
        self.text_box.setPlainText(text)
        self.text_box.setExtraSelections(self._make_selections(text, session.list_marks(event)))
        self._left = left
        self._say_about(event)

    def _make_selections(
        self, text: str, marks: list[session_data.Mark]
    ) -> list[QTextEdit.ExtraSelection]:
        made = []
        for start, length in session_data.utf16_marks(text, marks):
            selection: Any = QTextEdit.ExtraSelection()
            selection.format = mark_format(self)
            selection.cursor = QTextCursor(self.text_box.document())
            selection.cursor.setPosition(start)
            selection.cursor.setPosition(start + length, QTextCursor.MoveMode.KeepAnchor)
            made.append(selection)
        return made

    def _say_about(self, event: int) -> None:
        session = self.model.session
        if session is None or not 0 <= event < len(session.rows):
            return
        lines = []
        if self._left:
            lines.append(
                self.tr("{left} more of this query are not shown.").format(
                    left=safe_text.format_bytes(self._left)
                )
            )
        marks = session.list_marks(event)
        if marks:
            lines.append(session_data.in_words(self.text_box.toPlainText(), marks))
        lines += [
            self.tr("Clicked: {url}").format(url=url) for url in session.find_clicks(event)[:3]
        ]
        shown = self.model.shown
        if shown is not None:
            fate = shown.events[event]
            if fate.kind == "changed":
                lines.append(self.tr("Released as: {text}").format(text=fate.text))
            lines.append(
                self.tr("The release holds this query {count}.").format(
                    count=safe_text.format_plural(fate.count, "time")
                )
                if fate.count
                else self.tr("The release does not hold this query.")
            )
            lines += [*fate.more, shown.told]
        self.about.setText("\n".join(lines))
