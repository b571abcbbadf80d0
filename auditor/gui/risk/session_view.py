"""One flagged session opened: its queries with their marks, its fate, and what is said of it."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import QEvent, QModelIndex, QPointF, QSignalBlocker, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetrics,
    QPainter,
    QTextCharFormat,
    QTextCursor,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QHeaderView,
    QPlainTextEdit,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTextEdit,
    QWidget,
)

from auditor.attacks.base import FlaggedFindings
from auditor.gui.app.translation import say, tr, translate_all
from auditor.gui.risk import session_data
from auditor.gui.risk.session_data import (
    ReleasedEvents,
    SessionRows,
    SessionSide,
    find_released_events,
    reason_said,
)
from auditor.gui.risk.session_filter import Rows
from auditor.gui.state.feedback_book import LONGEST, SessionNotes
from auditor.gui.state.worker import LatestJob
from auditor.gui.widgets import formats, safe_text, style
from auditor.gui.widgets.areas import ElidedLabel, FoldedSection, PageArea
from auditor.gui.widgets.fields import ChoiceBox, Disclosure, EventWatch, bind_keys
from auditor.gui.widgets.tables import Column, ColumnModel, Index, make_table
from auditor.log.model import QueryLog
from auditor.privacy.release import Anonymized
from auditor.progress import Progress
from auditor.project.model import REASONS

MARKS = Qt.ItemDataRole.UserRole + 1
"""The role under which a model gives the marks of a cell's text."""


class MarkedDelegate(QStyledItemDelegate):
    """Paints a query with its marks; the text is laid out as it is, never parsed."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Background and focus as the style paints them, then the text in pieces."""
        cell: Any = QStyleOptionViewItem(option)
        self.initStyleOption(cell, index)
        text, marks = session_data.cut_to_first_mark(cell.text, index.data(MARKS) or [])
        cell.text = ""
        widget: QWidget = cell.widget
        painted = widget.style() if widget is not None else QApplication.style()
        painted.drawControl(QStyle.ControlElement.CE_ItemViewItem, cell, painter, widget)
        area = cell.rect.adjusted(style.TIGHT, 0, -style.TIGHT, 0)
        metrics = QFontMetrics(cell.font)
        text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, area.width())
        selected = bool(cell.state & QStyle.StateFlag.State_Selected)
        roles = cell.palette.ColorRole
        layout = QTextLayout(text, cell.font)
        line_option = QTextOption()
        line_option.setWrapMode(QTextOption.WrapMode.NoWrap)
        line_option.setTextDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        layout.setTextOption(line_option)
        spans = []
        for start, length in session_data.utf16_marks(text, marks):
            span = QTextLayout.FormatRange()
            span.start, span.length = start, length
            span.format = mark_format(widget, selected=selected)
            spans.append(span)
        layout.setFormats(spans)
        layout.beginLayout()
        line = layout.createLine()
        line.setLineWidth(area.width())
        layout.endLayout()
        top = area.top() + (area.height() - line.height()) / 2
        painter.save()
        painter.setClipRect(cell.rect)
        painter.setPen(cell.palette.color(roles.HighlightedText if selected else roles.Text))
        layout.draw(painter, QPointF(area.left(), top))
        painter.restore()


def mark_format(widget: QWidget | None, *, selected: bool = False) -> QTextCharFormat:
    """How a marked piece looks: underlined and on a tint; on a selected row underlined alone."""
    theme = style.theme_of(widget)
    form = QTextCharFormat()
    form.setFontUnderline(True)
    if not selected:
        form.setUnderlineColor(QColor(theme.bad))
        form.setBackground(style.mix_colours(theme.bad, theme.surface, 0.18))
        form.setForeground(QColor(theme.text))
    return form


LINES, TALLER = 8, 2.2
"""Lines of text that events and reasons need, and how many times as many one below the other."""


TIME, QUERY, WHY, CLICKED, FATE = range(5)
"""Columns; a session beside several releases has one for each, and none for its clicks."""
NARROW = 60
"""Characters below which reasons and clicks stand beside the table alone: queries need the room."""


class SessionModel(ColumnModel):
    """The events of one session, by their numbers in it; a column for each release of it."""

    def __init__(self, disclosure: Disclosure) -> None:
        super().__init__()
        self.disclosure = disclosure
        disclosure.toggled.connect(lambda _on: self.refresh_columns(QUERY))
        self.session: SessionRows | None = None
        self.shown: Sequence[ReleasedEvents | None] = ()
        """What each release shows of the session, where it was looked up."""

    @property
    def opened(self) -> SessionRows:
        assert self.session is not None
        return self.session

    def set_columns(self, query: str, releases: Sequence[str]) -> None:
        """Have a column called `query`, and one for each release."""
        columns = [
            Column(tr("Time (UTC)"), lambda event: self.opened.format_time(event)),
            Column(
                query,
                lambda event: self.disclosure.mask_text(self.opened.format_query(event)),
                tip=self._tell_marks,
                roles={MARKS: self._list_marks},
            ),
            Column(tr("Why marked"), self._format_why, tip=self._tell_marks),
        ]
        if len(releases) == 1:
            columns.append(Column(tr("Clicked"), self._format_clicks))
        for place, name in enumerate(releases):
            fate, tip = partial(self._format_fate, place), partial(self._tell_fate, place)
            columns.append(Column(name, fate, tip=tip))
        self.set_lines((), columns)

    def set_session(self, session: SessionRows | None) -> None:
        """Another session, or none."""
        self.session = session
        self.shown = [None] * (0 if session is None else len(session.sides))
        self.set_lines(range(0 if session is None else len(session.rows)))

    def _list_marks(self, event: int) -> list[session_data.Mark]:
        return self.opened.list_marks(event) if self.disclosure.isChecked() else []

    def _format_clicks(self, event: int) -> str:
        return self.disclosure.mask_text(", ".join(self.opened.list_clicks(event)))

    def _list_whys(self, event: int) -> list[str]:
        return [reason for _, _, reason in self.opened.list_marks(event)]

    def _format_why(self, event: int) -> str:
        return "; ".join(translate_all(session_data.gravest_first(self._list_whys(event))))

    def _tell_marks(self, event: int) -> str:
        reasons = dict.fromkeys(self._list_whys(event))
        if not reasons:
            return self.tr("Nothing was recognised in it")
        return self.tr("Marked: {reasons}").format(reasons="; ".join(translate_all(reasons)))

    def _format_fate(self, place: int, event: int) -> str:
        released = self.shown[place]
        if released is None:
            return self.opened.describe_unknown(place, event)
        return released.events[event].format_fate()

    def _tell_fate(self, place: int, event: int) -> str:
        released, lines = self.shown[place], [self._format_fate(place, event)]
        if released is not None:
            lines += [*released.events[event].details, released.evidence]
        return "\n".join(lines)


class SessionView(QWidget):
    """A session and what releases show of it; its holder answers `closed` and `stepped(±1)`."""

    closed = Signal()
    stepped = Signal(int)

    def __init__(self, disclosure: Disclosure, back_text: str = "") -> None:
        super().__init__()
        self.disclosure = disclosure
        self.setAccessibleName(self.tr("Flagged session"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.model = SessionModel(disclosure)
        self.job = LatestJob()
        """What looks up what releases show of the session."""
        self.index = -1
        """Its place in the findings it was opened from; −1 without a session."""
        self._left = 0
        self._moved = False
        self.heading = ElidedLabel(bold=True)
        self.position = style.plain_label(role="muted")
        self.verdict = style.plain_label(wrap=True)
        self.table = make_table(self.model, self.tr("Queries of the session"))
        self.table.setItemDelegateForColumn(QUERY, MarkedDelegate(self.table))
        self.table.selectionModel().currentRowChanged.connect(self.show_event)
        self.text_box = QPlainTextEdit(readOnly=True, tabChangesFocus=True)
        self.text_box.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.text_box.setAccessibleName(self.tr("The chosen query in full"))
        self.text_box.setUndoRedoEnabled(False)
        self.text_box.setFixedHeight(self.text_box.fontMetrics().lineSpacing() * 4)
        self.about = style.plain_label(role="muted", wrap=True)
        self._meaning = style.plain_label(wrap=True)
        self._meanings = FoldedSection(self.tr("What the reasons mean"))
        self._meanings.column.addWidget(self._meaning)
        words: list[style.Part] = [self.text_box, self.about, self._meanings, 1]
        side = style.filled(style.column(None, words, margins=(style.NORMAL, 0)))
        side.setMinimumWidth(180)
        name = self.tr("The chosen query, and what the reasons mean")
        scroll = style.scroll_area(side, across=False, name=name)
        # the reasons are read: a wide screen is theirs, too
        split = style.splitter([self.table, scroll], sizes=[640, 240], stretch=(3, 1))
        self.split = split
        # Where there is little room, the reasons stand below the events, in whole lines.
        area = PageArea(split, LINES, (split,), taller=TALLER)
        area.narrowed.connect(self._turn)
        bar = self._make_bar(back_text)
        style.column(self, [bar, self.verdict, (area, 1)], spacing=style.TIGHT)
        split.splitterMoved.connect(lambda *_: setattr(self, "_moved", True))
        EventWatch(split, self.fit_rows, QEvent.Type.Resize)
        EventWatch(self.table.viewport(), self._fit_columns, QEvent.Type.Resize)
        recolour = QEvent.Type.PaletteChange
        EventWatch(self, lambda: self.show_event(self.table.currentIndex()), recolour)
        disclosure.toggled.connect(self._show_texts)
        self.setFocusProxy(self.table)
        self._set_releases([self.tr("In the release")])

    def _make_bar(self, back_text: str) -> QHBoxLayout:
        step = self.stepped.emit
        tip = self.tr("The session before in the list (Alt+Left)")
        self.previous_button = style.button(self.tr("&Previous"), lambda: step(-1), tip=tip)
        tip = self.tr("The next session in the list (Alt+Right)")
        self.next_button = style.button(self.tr("&Next"), lambda: step(1), tip=tip)
        steps = {"Alt+Left": self.previous_button.click, "Alt+Right": self.next_button.click}
        bind_keys(self, {"Escape": self.closed.emit} | steps, repeated=steps)
        # the stretch, else the buttons would take what the heading leaves
        parts: list[style.Part] = [(self.heading, 100), self.position, 1]
        if back_text:
            parts.insert(0, style.button(back_text, self.closed))
        return style.row(None, [*parts, self.previous_button, self.next_button], margins=None)

    def _set_releases(self, names: Sequence[str]) -> None:
        """Have a column for each release, and the width of each by what stands in it."""
        self.model.set_columns(self.tr("Query"), names)
        header, mode = self.table.horizontalHeader(), QHeaderView.ResizeMode
        header.setSectionResizeMode(TIME, mode.ResizeToContents)
        header.setSectionResizeMode(QUERY, mode.Stretch)

    @property
    def session(self) -> SessionRows | None:
        """The session that is read."""
        return self.model.session

    @property
    def first_row(self) -> int | None:
        return None if self.session is None else self.session.rows[0]

    def show_session(
        self,
        log: QueryLog,
        findings: FlaggedFindings,
        release: Anonymized | None,
        index: int,
        hit: int | None = None,
    ) -> None:
        """Open the session at `index` of the findings, at the row `hit` of the log if there is."""
        rows = int(findings.start[index]), int(findings.stop[index])
        session = SessionRows(log, *rows, (SessionSide("", findings, release),))
        self._open_session(session, None if hit is None else session.find_event(hit))
        self.index = index
        verdict = session_data.format_verdict(findings, index, released=release is not None)
        self.verdict.setText(verdict)
        meanings = session_data.explain_reasons(findings, index)
        self._meaning.setText("\n\n".join(map(": ".join, meanings)))

    def show_sides(self, session: SessionRows) -> None:
        """Open a session beside several releases."""
        self._set_releases([self.tr("In {run}").format(run=side.name) for side in session.sides])
        self._meanings.hide()
        self._open_session(session, None)
        self.verdict.setText("\n".join(f"{side.name}: {side.verdict}" for side in session.sides))

    def _open_session(self, session: SessionRows, event: int | None) -> None:
        self.clear()
        self.model.set_session(session)
        self._show_texts()
        self.fit_rows()
        event = session.find_first_marked() if event is None else event
        self.table.setCurrentIndex(self.model.index(event, QUERY))
        if any(side.release is not None for side in session.sides):

            def find_events(progress: Progress) -> list[ReleasedEvents | None]:
                rows = session.rows, session.stop, progress
                return [
                    find_released_events(session.log, side.release, *rows) if side.release else None
                    for side in session.sides
                ]

            self.job.start("released session", find_events, self._show_released, self.about.setText)

    def _show_texts(self) -> None:
        """Show who it is and the event that is chosen, masked or not."""
        if self.session is not None:
            self.heading.show_text(self.session.format_heading(self.disclosure.mask_id))
            self._fit_columns()
            self.show_event(self.table.currentIndex())

    def clear(self) -> None:
        self.job.drop()
        self.index = -1
        self.model.set_session(None)
        self.heading.show_text("")
        for words in (self.verdict, self._meaning, self.text_box, self.about):
            words.clear()

    def set_position(self, row: int, rows: int) -> None:
        self.previous_button.setEnabled(row > 0)
        self.next_button.setEnabled(0 <= row < rows - 1)
        text = self.tr("{row} of {rows}") if row >= 0 else self.tr("not in the list")
        place, count = formats.format_count(row + 1), formats.format_count(rows)
        self.position.setText(text.format(row=place, rows=count))

    def fit_rows(self) -> None:
        """Give the events the lines they have, up to half of a narrow pane, and words the rest."""
        lines = self.table.verticalHeader().length()
        if self._moved or not lines or self.split.orientation() == Qt.Orientation.Horizontal:
            return
        rows = lines + self.table.horizontalHeader().height()
        if self.table.horizontalScrollBar().isVisible():
            rows += self.table.horizontalScrollBar().height()
        room = self.split.height() - self.split.handleWidth()
        events = min(rows + 2 * self.table.frameWidth() + style.TIGHT, room // 2)
        self.split.setSizes([events, room - events])

    def _turn(self, narrow: bool) -> None:
        self._moved = False
        self.split.setSizes([40, 60] if narrow else [640, 240])
        self.fit_rows()

    def _show_released(self, released: Sequence[ReleasedEvents | None]) -> None:
        self.model.shown = released
        self.model.refresh_columns(WHY + 1)
        self._fit_columns()
        self._say_about(self.table.currentIndex().row())

    def _fit_columns(self) -> None:
        """As wide as what stands in them, up to a share each, and the rest for the queries."""
        header, wide = self.table.horizontalHeader(), self.table.viewport().width()
        sides = self.session.sides if self.session is not None else ()
        places, shares = range(WHY, self.model.columnCount()), [0.25, 0.2, 0.3]
        if len(sides) > 1:
            shares = [0.15] + [0.6 / len(sides)] * len(sides)
        else:
            narrow = wide < NARROW * self.fontMetrics().averageCharWidth()
            for place in (WHY, CLICKED):
                self.table.setColumnHidden(place, narrow)
            self.table.setColumnHidden(FATE, bool(sides) and sides[0].release is None)
        for place, share in zip(places, shares, strict=True):
            need = min(self.table.sizeHintForColumn(place), round(share * wide))
            header.resizeSection(place, max(header.sectionSizeHint(place), need))

    def show_event(self, current: QModelIndex) -> None:
        """Show the event that was chosen in full, with its marks."""
        session = self.session
        if session is None or not current.isValid():
            return
        event = current.row()
        queries, code = session.log.queries, session.find_query_code(event)
        text, self._left = safe_text.take_head(queries, code, safe_text.TEXT_LIMIT)
        unmasked = self.disclosure.isChecked()
        self.text_box.setPlainText(self.disclosure.mask_text(text))
        marks = session.list_marks(event) if unmasked else []
        selections = []
        for start, length in session_data.utf16_marks(text, marks):
            selection: Any = QTextEdit.ExtraSelection()
            selection.format = mark_format(self)
            selection.cursor = QTextCursor(self.text_box.document())
            selection.cursor.setPosition(start)
            selection.cursor.setPosition(start + length, QTextCursor.MoveMode.KeepAnchor)
            selections.append(selection)
        self.text_box.setExtraSelections(selections)
        self._say_about(event)

    def _say_about(self, event: int) -> None:
        session = self.session
        if session is None or not 0 <= event < len(session.rows):
            return
        lines = []
        if self._left:
            text = self.tr("{left} more of this query are not shown.")
            lines.append(text.format(left=safe_text.format_bytes(self._left)))
        if self.disclosure.isChecked():
            if marks := session.list_marks(event):
                lines.append(session_data.in_words(self.text_box.toPlainText(), marks))
            clicked = self.tr("Clicked: {url}")
            lines += [clicked.format(url=url) for url in session.list_clicks(event)[:3]]
        for side, released in zip(session.sides, self.model.shown, strict=True):
            if released is None:
                continue
            fate, news = released.events[event], []
            if fate.kind == "changed":
                news.append(self.tr("Released as: {text}").format(text=fate.text))
            text = self.tr("The release does not hold this query.")
            if fate.count:
                text = self.tr("The release holds this query {count}.")
            news.append(text.format(count=formats.format_plural(fate.count, "time")))
            news += [*fate.details, released.evidence]
            lines += [f"{side.name}: {text}" if side.name else text for text in news]
        self.about.setText("\n".join(lines))


CONFIRMED = "confirmed"
"""In the list of reasons: the session is a risk."""


class NoteBar(QWidget):
    """A line for a note and a choice of reasons; writes into the book by itself."""

    def __init__(self) -> None:
        super().__init__()
        self._book: SessionNotes | None = None
        self._rows: Rows | None = None
        hint = self.tr("Why it matters, or not. Don't repeat the query.")
        self.note = style.line_edit(self.tr("Note on this session"), hint, length=LONGEST)
        tip = self.tr("The project keeps notes as they are written: put no query text here")
        self.note.setToolTip(tip)
        self.note.editingFinished.connect(self._write_note)
        tip = say("what a dismissal does")
        self.reason = ChoiceBox(self.tr("Dismiss this session"), least=12, tip=tip)
        self.reason.addItem(self.tr("not dismissed"), "")
        self.reason.addItem(self.tr("confirmed: it is a risk"), CONFIRMED)
        for key in REASONS:
            self.reason.addItem(self.tr("dismissed: {why}").format(why=reason_said(key)), key)
        self.reason.activated.connect(self._apply_reason)
        label = style.plain_label(self.tr("N&ote"))
        label.setBuddy(self.note)
        parts: list[style.Part] = [label, (self.note, 2), (self.reason, 1)]
        style.row(self, parts, margins=(0, 0, style.NORMAL, 0), spacing=style.NORMAL)

    def keep_in(self, book: SessionNotes) -> None:
        self._book = book
        book.changed.connect(self._show_note)
        self._show_note()

    def show_rows(self, rows: Rows | None) -> None:
        if rows != self._rows:
            self._write_note()
            self._rows = rows
            self._show_note()

    def _show_note(self) -> None:
        self.setEnabled(self._book is not None and self._rows is not None)
        note = self._book.get(*self._rows) if self._book and self._rows else None
        self.note.setText(note.text if note else "")
        with QSignalBlocker(self.reason):
            reason = CONFIRMED if note and note.confirmed else note.dismissed if note else ""
            self.reason.setCurrentIndex(self.reason.findData(reason))

    def _write_note(self) -> None:
        if self._book is not None and self._rows is not None:
            self._book.write_note(*self._rows, self.note.text())

    def _apply_reason(self, index: int) -> None:
        if self._book is not None and self._rows is not None:
            reason = str(self.reason.itemData(index))
            if reason == CONFIRMED:
                self._book.confirm_all([self._rows])
            elif not reason and self._book.get(*self._rows).confirmed:
                self._book.confirm_all([self._rows], right=False)
            else:
                self._book.dismiss_session(*self._rows, reason)
